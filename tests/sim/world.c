/*
 * world.c - agents, users, disks and clocks that misbehave on purpose.
 */
#include "sim.h"

#include <stdarg.h>
#include <string.h>

uint32_t
sim_random(struct world *w, uint32_t n)
{
	/* splitmix64: any seed is a good one */
	uint64_t z = (w->rng += UINT64_C(0x9e3779b97f4a7c15));

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (uint32_t)((z ^ (z >> 31)) % n);
}

bool
sim_chance(struct world *w, uint32_t percent)
{
	return sim_random(w, 100) < percent;
}

void
sim_say(const struct world *w, const char *fmt, ...)
{
	va_list ap;

	if (!w->verbose)
		return;
	printf("# %6lld %10.3f  ", (long long)w->steps, (double)w->now.boot / (double)SEC);
	va_start(ap, fmt);
	vprintf(fmt, ap);
	va_end(ap);
	putchar('\n');
}

void
sim_break(struct world *w, const char *fmt, ...)
{
	va_list ap;

	if (w->broken[0] != '\0')
		return;
	va_start(ap, fmt);
	vsnprintf(w->broken, sizeof(w->broken), fmt, ap);
	va_end(ap);
	sim_say(w, "BROKEN: %s", w->broken);
}

struct fake *
world_find(struct world *w, const char *id)
{
	for (size_t i = w->nfakes; i-- > 0;)
		if (strcmp(w->fakes[i].id, id) == 0)
			return &w->fakes[i];
	return NULL;
}

static void give(struct world *w, struct loop_input *in);

/* ---- effects ------------------------------------------------------------- */

/* Has another loop got it?  It may have been faster just now. */
static bool
is_taken(struct world *w, const char *task)
{
	for (size_t i = 0; i < SIM_TASKS && w->settings.lands && !w->settings.leads; i++)
		if (strcmp(w->tasks[i].id, task) == 0) {
			bool before = w->tasks[i].taken;

			w->tasks[i].taken = before || (!w->calm && sim_chance(w, 5));
			w->answered &= before;
			return w->tasks[i].taken;
		}
	return false;
}

static void
agent_start(struct world *w, const struct effect *e)
{
	struct fake *f = world_find(w, e->session);

	if (w->lacking > 0) {
		w->lacking--;
		sim_say(w, "no space to start %s", e->session);
		return; /* looked for again later, as after a crash (world_step) */
	}
	if (is_taken(w, e->task)) {
		if (w->answered)
			sim_break(w, "%s starts, which another loop has", e->task);
		give(w, &(struct loop_input){.kind = IN_TAKEN, .session = e->session});
		return;
	}
	/* A number that was given back comes again. */
	if (f != NULL && f->state == FAKE_ABSENT) {
		sim_break(w, "a session without a life");
		return;
	}
	f = &w->fakes[w->nfakes];

	if (w->nfakes == SIM_SESSIONS) {
		sim_break(w, "more sessions than the simulator holds");
		return;
	}
	w->nfakes++;
	memset(f, 0, sizeof(*f));
	snprintf(f->id, sizeof(f->id), "%s", e->session);
	snprintf(f->task, sizeof(f->task), "%s", e->task);
	if (sim_chance(w, 5)) {
		f->state = FAKE_ENDED;
		f->exit = (struct exit_status){EXIT_NOSTART, 2};
	} else {
		f->state = FAKE_RUNNING;
	}
	f->turn = e->iteration;
	f->deliver = w->settings.leads;
}

static void
turn_begins(struct fake *f, const struct effect *e)
{
	f->turn = e->iteration;
	snprintf(f->task, sizeof(f->task), "%s", e->task);
	f->said_done = 0;
	f->landed = f->closed = f->checking = false;
	f->outcome = VERDICT_NONE;
	f->waits = false;
}

/* The keeper of an agent that waits gets its next task, perhaps for the second time. */
static void
agent_assign(struct world *w, const struct effect *e)
{
	struct fake *f = world_find(w, e->session);

	if (f == NULL || f->state != FAKE_RUNNING || f->turn == e->iteration)
		return;
	rules_assign(w, f);
	turn_begins(f, e);
	f->deliver = true;
}

static void
agent_probe(struct world *w, const struct effect *e)
{
	struct fake *f = world_find(w, e->session);
	struct loop_input in = {.kind = IN_ENDED, .session = e->session};

	if (f == NULL) {
		const struct loop_session *one = loop_find_session(&w->state, e->session);

		sim_say(w, "probe %s: absent", e->session);
		if (one != NULL && one->state == SESSION_STARTING)
			in.kind = IN_ABSENT;
		give(w, &in);
		return;
	}
	f->told_running = f->told_ended = false;
	f->told_signals = 0;
	if (f->state == FAKE_VANISHED) {
		in.exit.how = EXIT_UNKNOWN;
		give(w, &in);
	}
}

static void
probe_id(struct world *w, const char *id)
{
	struct effect e = {.kind = EFFECT_PROBE};

	snprintf(e.session, sizeof(e.session), "%s", id);
	agent_probe(w, &e);
}

/* What a start that failed on our side comes to: somebody looks again. */
static void
look_again(struct world *w)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS && w->alive; i++) {
		const struct loop_session *one = &w->state.sessions[i];
		char id[SESSION_ID_MAX];

		snprintf(id, sizeof(id), "%s", one->id);
		if ((one->state == SESSION_STARTING || one->state == SESSION_ENDING) &&
		    world_find(w, id) == NULL)
			probe_id(w, id);
	}
}

/* The landing is done, and can be done again after a crash with the same result. */
static void
landing_tells(struct world *w, struct fake *f)
{
	static const enum verdict outcomes[] = {
	    VERDICT_DONE, VERDICT_DONE, VERDICT_DONE, VERDICT_CONFLICT, VERDICT_UNVERIFIED};
	const struct loop_session *one = loop_find_session(&w->state, f->id);
	struct loop_input in = {.kind = IN_LANDED,
	    .session = f->id,
	    .text = "landed",
	    .key = "c0ffee",
	    .left = "a.log is ignored",
	    .others = "t9"};

	if (one == NULL || one->state != SESSION_LANDING || !f->landing || sim_chance(w, 50))
		return;
	if (one->verdict == VERDICT_DONE && !f->landed && f->outcome == VERDICT_NONE) {
		f->outcome = outcomes[sim_random(w, 5)];
		f->waits = w->settings.leads && f->outcome == VERDICT_DONE && sim_chance(w, 15);
	}
	if (one->verdict == VERDICT_DONE && f->outcome == VERDICT_DONE && !f->landed &&
	    !f->waits) {
		f->landed = true;
		rules_landing(w, f);
		if (!w->calm && sim_chance(w, 10))
			return; /* in git, but nobody has heard of it yet */
	}
	in.verdict = one->verdict == VERDICT_DONE ? f->outcome : VERDICT_FAILED;
	if (f->ending && !f->landed)
		in.verdict = VERDICT_STOPPED;
	if (f->waits && in.verdict == VERDICT_DONE)
		in.fate = FATE_WAITING;
	give(w, &in);
}

/* What stood in the way is gone: git takes what waited. */
static void
waiting_lands(struct world *w, struct fake *f)
{
	const struct loop_task *task = loop_find_task(&w->state, f->task);

	if (!f->waits || task == NULL || !task->unlanded || w->state.phase != PHASE_OPEN ||
	    !sim_chance(w, 10))
		return;
	if (!f->landed) {
		f->landed = true;
		rules_landing(w, f);
	}
	give(w, &(struct loop_input){.kind = IN_SETTLED,
		    .task = f->task,
		    .verdict = VERDICT_DONE,
		    .fate = FATE_MERGED,
		    .text = "landed",
		    .key = "c0ffee"});
}

static void
agent_says(struct world *w, struct fake *f, enum signal_kind kind, int64_t number)
{
	if (f->signals == SIM_SIGNALS || f->state != FAKE_RUNNING)
		return;
	sim_say(
	    w, "agent %s says %s in turn %lld", f->id, signal_name(kind), (long long)f->turn);
	f->signal[f->signals] = kind;
	f->numbers[f->signals] = number;
	f->turns[f->signals++] = w->settings.leads ? f->turn : 0;
	f->said_done += kind == SIGNAL_DONE;
}

static void
carry_out(struct world *w, const struct effect *e)
{
	struct fake *f;

	sim_say(w, "effect %d %s", (int)e->kind, e->session);
	rules_effect(w, e);
	switch (e->kind) {
	case EFFECT_FETCH:
		w->answering = true;
		break;
	case EFFECT_START:
		agent_start(w, e);
		break;
	case EFFECT_PROBE:
		agent_probe(w, e);
		break;
	case EFFECT_END:
		f = world_find(w, e->session);
		if (f != NULL)
			f->ending = true;
		if (f != NULL && e->forced)
			f->forced = true;
		break;
	case EFFECT_EXIT:
		w->exit_code = e->code;
		w->alive = false;
		w->answering = false;
		break;
	case EFFECT_LAND:
		f = world_find(w, e->session);
		if (f == NULL)
			sim_break(w, "%s lands without having lived", e->session);
		else if (f->turn != e->iteration)
			turn_begins(f, e); /* it went before it heard of it */
		if (f != NULL)
			f->landing = true;
		break;
	case EFFECT_ASSIGN:
		agent_assign(w, e);
		break;
	case EFFECT_TELL:
		f = world_find(w, e->session);
		if (w->settings.mode == MODE_PIPE)
			sim_break(w, "%s is told something, and is deaf", e->session);
		if (f != NULL && e->number > f->told)
			f->tell = e->number;
		break;
	case EFFECT_CHECK:
		f = world_find(w, e->session);
		if (f != NULL)
			f->checking = true;
		break;
	case EFFECT_NUDGE:
		f = world_find(w, e->session);
		if (f != NULL && sim_chance(w, 50))
			agent_says(w, f, SIGNAL_IDLE, 0);
		break;
	case EFFECT_NOTICE:
	case EFFECT_ALERT:
	case EFFECT_COUNT:
	default:
		break;
	}
}

static void
crash(struct world *w, const char *where)
{
	sim_say(w, "crash %s", where);
	w->alive = false;
	w->answering = false;
	for (size_t i = 0; i < w->nfakes; i++)
		w->fakes[i].landing = w->fakes[i].checking = false;
}

/* Decide, write down, apply, carry out: with a crash possible between any two. */
static void
give(struct world *w, struct loop_input *in)
{
	static struct decision decisions[8];
	static int depth;
	struct decision *d = &decisions[depth];

	if (!w->alive || depth == 7)
		return;
	in->now = w->now;
	if (w->unlanded)
		in->unlanded = "merges wait";
	loop_decide(&w->state, in, d);
	if (d->illegal)
		sim_say(w, "input %d fits no cell", (int)in->kind);
	if (d->nfacts > 0) {
		if (w->disk_full > 0) {
			w->disk_full--;
			sim_say(w, "append failed");
			return; /* the input will be given again by whoever it came from */
		}
		if (!w->calm && sim_chance(w, 1)) {
			crash(w, "before append");
			return;
		}
		for (size_t i = 0; i < d->nfacts; i++) {
			sim_say(w, "fact %s %s it=%lld v=%s", fact_name(d->facts[i].kind),
			    d->facts[i].session, (long long)d->facts[i].iteration,
			    verdict_name(d->facts[i].verdict));
			rules_fact(w, &d->facts[i]);
			if (w->njournal < SIM_JOURNAL)
				w->journal[w->njournal++] = d->facts[i];
		}
		if (!w->calm && sim_chance(w, 1)) {
			crash(w, "after append");
			return;
		}
	}
	loop_commit(&w->state, d);
	w->decided = w->now.boot;
	rules_decided(w);
	for (size_t i = 0; i < d->neffects && w->alive; i++) {
		if (!w->calm && sim_chance(w, 1)) {
			crash(w, "between effects");
			return;
		}
		depth++;
		carry_out(w, &d->effects[i]);
		depth--;
	}
}

/* ---- things that happen --------------------------------------------------- */

/* What an agent that is led does instead of ending. */
static bool
led_lives(struct world *w, struct fake *f)
{
	static const enum signal_kind words[] = {SIGNAL_DONE, SIGNAL_DONE, SIGNAL_DONE,
	    SIGNAL_STUCK, SIGNAL_STUCK, SIGNAL_PROGRESS, SIGNAL_IDLE, SIGNAL_ACTIVE};

	if (f->ending || f->signals >= SIM_SIGNALS - 4 || sim_chance(w, 4))
		return false;
	if (f->deliver) {
		f->deliver = false;
		agent_says(w, f, SIGNAL_DELIVERED, 0);
	} else if (f->tell > f->told) {
		f->told = f->tell;
		agent_says(w, f, SIGNAL_TOLD, f->told);
	} else if (sim_chance(w, 3)) {
		agent_says(w, f, SIGNAL_BLOCKED, 0);
	} else if (sim_chance(w, 50)) {
		agent_says(w, f, words[sim_random(w, 8)], 0);
	}
	return true;
}

static void
check_tells(struct world *w, struct fake *f)
{
	static const enum verdict found[] = {
	    VERDICT_DONE, VERDICT_DONE, VERDICT_NOT_CLOSED, VERDICT_UNVERIFIED};
	struct loop_input in = {
	    .kind = IN_CHECKED, .session = f->id, .turn = f->turn, .text = "looked at"};
	const struct loop_session *one = loop_find_session(&w->state, f->id);

	if (!f->checking || sim_chance(w, 50))
		return;
	in.verdict = found[sim_random(w, 4)];
	if (in.verdict == VERDICT_DONE)
		f->checked = f->turn;
	give(w, &in);
	one = loop_find_session(&w->state, f->id);
	f->checking = one != NULL && one->claimed;
}

/* When a limit passes, as agents say it: not at all, in the past, soon, or never. */
static int64_t
resets_at(struct world *w)
{
	static const int64_t seconds[] = {-100, 3, 90, 1000, 86400, INT64_C(100) * 86400};

	return sim_chance(w, 50) ? 0 : w->now.wall + seconds[sim_random(w, 6)] * SEC;
}

/* Nothing happens to it but that it is killed. */
static void
frozen_lives(struct world *w, struct fake *f)
{
	if (!f->forced)
		return;
	f->state = FAKE_VANISHED;
	f->exit.how = EXIT_UNKNOWN;
	sim_say(w, "keeper of %s is killed", f->id);
}

static void
agent_lives(struct world *w, struct fake *f)
{
	static const int codes[] = {0, 0, 0, 0, 1, 2, 137};

	if (f->state != FAKE_RUNNING)
		return;
	if (!w->calm && sim_chance(w, 1))
		f->frozen = true;
	if (f->frozen) {
		frozen_lives(w, f);
		return;
	}
	if (w->settings.leads && led_lives(w, f))
		return;
	if (f->ending || sim_chance(w, w->calm ? 60 : 20)) {
		f->state = FAKE_ENDED;
		f->exit.how = sim_chance(w, 10) ? EXIT_SIGNAL : EXIT_CODE;
		f->exit.value = f->exit.how == EXIT_SIGNAL ? 15 : codes[sim_random(w, 7)];
		f->closed = sim_chance(w, 60);
		sim_say(w, "agent %s ends: %d", f->id, exit_number(f->exit));
	} else if (!w->settings.leads && f->signals < 8 && sim_chance(w, 10)) {
		f->signal[f->signals++] = (enum signal_kind)sim_random(w, SIGNAL_COUNT);
		f->resets[f->signals - 1] = resets_at(w);
		/* "done" is rare, or no loop would last. */
		if (f->signal[f->signals - 1] == SIGNAL_DONE && sim_chance(w, 70))
			f->signals--;
	} else if (!w->calm && sim_chance(w, 1)) {
		f->state = FAKE_VANISHED;
		f->exit.how = EXIT_UNKNOWN;
		sim_say(w, "keeper of %s dies", f->id);
	}
}

/* The supervisor's own clock. */
static void
silence_tells(struct world *w, const struct fake *f)
{
	struct loop_input in = {.kind = IN_SILENT, .session = f->id, .text = SIM_SILENT};

	if (f->forced || sim_chance(w, 50))
		return;
	if (sim_chance(w, 50))
		in.verdict = VERDICT_TIMEOUT;
	give(w, &in);
}

/* The keeper tells the supervisor what it has not been told: running, signals, end. */
static void
agent_tells(struct world *w, struct fake *f)
{
	struct loop_input in = {.session = f->id};
	const struct loop_session *one = loop_find_session(&w->state, f->id);
	char text[24];

	if (one == NULL || (one->state == SESSION_LANDING && !one->kept) || f->told_ended)
		return;
	if (f->frozen && f->state == FAKE_RUNNING) {
		silence_tells(w, f);
		return;
	}
	if (!f->told_running && f->exit.how != EXIT_NOSTART && f->state != FAKE_VANISHED) {
		in.kind = IN_RUNNING;
		in.pid = 1000;
		give(w, &in);
		f->told_running = loop_find_session(&w->state, f->id) != NULL &&
				  loop_find_session(&w->state, f->id)->pid != 0;
		return;
	}
	if (f->told_signals < f->signals) {
		in.kind = IN_SIGNAL;
		in.seq = f->told_signals + 1;
		in.signal = f->signal[f->told_signals];
		in.resets = f->resets[f->told_signals];
		in.turn = f->turns[f->told_signals];
		snprintf(text, sizeof(text), "%lld", (long long)f->numbers[f->told_signals]);
		in.text = text;
		give(w, &in);
		one = loop_find_session(&w->state, f->id);
		/* Of a turn that is over nothing is written down. */
		if (w->alive && one != NULL &&
		    (one->seq >= in.seq || one->iteration != in.turn ||
			one->state == SESSION_WAITING || one->state == SESSION_LANDING))
			f->told_signals++;
		return;
	}
	if (f->state == FAKE_ENDED || f->state == FAKE_VANISHED) {
		in.kind = IN_ENDED;
		in.exit = f->exit;
		in.closed = f->closed && (one->iteration == f->turn || !w->settings.leads);
		give(w, &in);
		one = loop_find_session(&w->state, f->id);
		if (one == NULL || (one->state == SESSION_LANDING && !one->kept))
			f->told_ended = true;
	}
}

/* The tickets that are ready: not done, and what they depend on is. */
static size_t
tasks_ready(struct world *w, struct candidate *out, size_t *waiting)
{
	size_t n = 0;

	*waiting = 0;
	for (size_t i = 0; i < SIM_TASKS; i++) {
		const struct fake_task *t = &w->tasks[i];

		if (t->landed)
			continue;
		if (t->depends >= 0 && !w->tasks[t->depends].landed)
			(*waiting)++;
		else
			out[n++] = (struct candidate){.id = t->id,
			    .title = "a task",
			    .components = t->components,
			    .taken = t->taken};
	}
	return n;
}

static void
source_answers(struct world *w)
{
	char task[16];
	struct candidate candidates[SIM_TASKS] = {{.id = task}};
	struct loop_input in = {.kind = IN_TASKS, .candidates = candidates, .ncandidates = 1};
	bool dry = w->settings.parallel > 1 && !w->settings.lands && sim_chance(w, 20);

	if (!w->answering || sim_chance(w, 30))
		return;
	snprintf(
	    task, sizeof(task), "t%u", w->settings.parallel > 1 ? sim_random(w, SIM_TASKS) : 0);
	if (w->settings.lands)
		in.ncandidates = tasks_ready(w, candidates, &in.waiting);
	if (dry || (!w->calm && sim_chance(w, 3))) {
		in.kind = IN_NO_TASK;
		in.reason = dry ? END_NO_WORK
				: (w->settings.lands ? END_QUERY_ERROR : END_SOURCE_ERROR);
		if (!dry && sim_chance(w, 70))
			in.reason = END_NONE;
		else if (w->settings.source != NULL && sim_chance(w, 50))
			in.reason = END_SOME_FAILED;
		in.text = "no work";
	}
	w->unlanded = w->settings.lands && !w->settings.leads && sim_chance(w, 30);
	w->unchecked = in.unchecked =
	    in.kind == IN_TASKS && w->settings.lands && !w->settings.leads && sim_chance(w, 10);
	in.others = w->unchecked ? "t9" : NULL;
	w->answering = false;
	w->answered = true;
	give(w, &in);
	w->answered = false;
	/* A failed append leaves the question open. */
	if (w->alive && w->state.fetch == FETCH_ASKED)
		w->answering = true;
}

/* Has our own loop got it? */
static bool
is_ours(const struct world *w, const char *task)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (w->state.sessions[i].state != SESSION_FREE &&
		    strcmp(w->state.sessions[i].task, task) == 0)
			return true;
	return false;
}

/* Another loop takes tickets and lets go of them; of the latter there are news. */
static void
others_act(struct world *w)
{
	struct fake_task *t = &w->tasks[sim_random(w, SIM_TASKS)];
	bool news = false;

	if (!w->settings.lands || w->settings.leads)
		return;
	if (!w->calm && sim_chance(w, 3) && w->alive && !is_ours(w, t->id))
		t->taken = true;
	for (size_t i = 0; i < SIM_TASKS; i++)
		if (w->tasks[i].taken && (w->calm || sim_chance(w, 5))) {
			w->tasks[i].taken = false;
			news = true;
		}
	if (news && w->alive)
		give(w, &(struct loop_input){.kind = IN_NEWS});
}

static void
user_acts(struct world *w)
{
	struct loop_input in = {.kind = IN_WANT};

	switch (sim_random(w, 13)) {
	case 0:
	case 1:
	case 2:
		in.wanted = WANT_PAUSE;
		break;
	case 3:
	case 4:
	case 5:
	case 6:
		in.wanted = WANT_RUN;
		break;
	case 7:
		in.wanted = WANT_LEAVE;
		break;
	case 8:
		in.wanted = WANT_STOP;
		in.reason = sim_chance(w, 50) ? END_STOPPED : END_INTERRUPTED;
		w->user_stopped = true;
		break;
	case 9:
		in.kind = IN_NUDGE;
		in.text = "NUDGE: nothing moves";
		break;
	default:
		in.kind = IN_EDIT;
		in.key = "max_iterations";
		in.value = (int64_t)sim_random(w, 15);
	}
	give(w, &in);
}

/* --once: the supervisor leaves when nobody starts, ends or lands and nobody owes an answer.
 * Only tickets have turns. */
static void
turn_ends(struct world *w)
{
	if (!w->settings.lands || w->settings.leads || w->calm || w->answering ||
	    w->state.phase != PHASE_OPEN || !sim_chance(w, 3))
		return;
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (w->state.sessions[i].state != SESSION_FREE &&
		    (w->state.sessions[i].state != SESSION_RUNNING ||
			w->state.sessions[i].unseen))
			return;
	give(w, &(struct loop_input){.kind = IN_PASS});
}

static void
reboot(struct world *w)
{
	crash(w, "with the machine");
	w->boot++;
	w->now.boot = SEC;
	for (size_t i = 0; i < w->nfakes; i++)
		if (w->fakes[i].state == FAKE_RUNNING) {
			w->fakes[i].state = FAKE_VANISHED;
			w->fakes[i].exit.how = EXIT_UNKNOWN;
		}
}

void
world_resume(struct world *w)
{
	give(w, &(struct loop_input){.kind = IN_WANT, .wanted = WANT_RUN});
}

/* A new supervisor: the fold of the journal, then IN_RECOVER. */
static void
supervise(struct world *w)
{
	char boot_id[16], uid[] = "f00d";
	struct loop_input in = {
	    .kind = IN_RECOVER, .pid = 4711, .boot_id = boot_id, .uid = uid};
	size_t before;

	snprintf(boot_id, sizeof(boot_id), "boot-%d", w->boot);
	loop_init(&w->state, &w->settings, w->regime);
	for (size_t i = 0; i < w->njournal; i++)
		loop_apply(&w->state, &w->journal[i]);
	if (w->state.phase == PHASE_NEW)
		in.kind = IN_OPEN;
	w->alive = true;
	w->exit_code = -1;
	sim_say(w, "supervisor starts");
	before = w->njournal;
	give(w, &in);
	/* Its first append failed: it could not take the loop and says so. */
	if (w->alive && w->njournal == before)
		w->alive = false;
	if (w->calm || sim_chance(w, 80))
		world_resume(w);
	if (w->alive && w->state.phase == PHASE_FINISHED)
		w->alive = false; /* nothing to resume */
}

static void
time_passes(struct world *w)
{
	int64_t ns = (int64_t)sim_random(w, 4000) * (SEC / 1000);
	struct when at;

	if (w->alive && loop_deadline(&w->state, w->decided, &at) && sim_chance(w, 50) &&
	    at.boot > w->now.boot)
		ns = at.boot - w->now.boot;
	w->now.boot += ns;
	w->now.wall += ns;
	if (!w->calm && sim_chance(w, 1))
		w->now.wall += ((int64_t)sim_random(w, 200000) - 100000) * SEC;
	if (w->alive && loop_deadline(&w->state, w->decided, &at) && at.boot <= w->now.boot)
		give(w, &(struct loop_input){.kind = IN_TIMER});
}

/* A backlog with components and dependencies, some of which can never be met. */
static void
tickets_open(struct world *w)
{
	static const char *const components[] = {"", "a", "b", "a,b", "c"};
	static char exit[] = "exit", timeout[] = "timeout", open[] = "not-closed",
		    verify[] = "verify", conflict[] = "conflict";
	static char *all[] = {exit, open, verify, timeout, conflict, NULL};
	static char *some[] = {timeout, conflict, NULL};

	w->settings.lands = true;
	w->settings.parallel = 1 + (int64_t)sim_random(w, 4);
	w->settings.attempts = 1 + (int64_t)sim_random(w, 3);
	w->settings.retry_on = sim_chance(w, 50) ? all : some;
	w->settings.untagged = (int)sim_random(w, 3);
	w->settings.success = (int)sim_random(w, 3);
	w->settings.mode = sim_chance(w, 70) ? MODE_PIPE : MODE_PTY;
	w->settings.max_failures = sim_chance(w, 80) ? UNLIMITED : 1;
	for (int i = 0; i < SIM_TASKS; i++) {
		struct fake_task *t = &w->tasks[i];

		snprintf(t->id, sizeof(t->id), "t%d", i);
		snprintf(
		    t->components, sizeof(t->components), "%s", components[sim_random(w, 5)]);
		t->depends = sim_chance(w, 20) ? (int)sim_random(w, SIM_TASKS) : -1;
	}
}

/* One agent after the other, or one for all tasks, that is listened to. */
static void
todo_open(struct world *w)
{
	w->settings.leads = true;
	w->settings.keeps = sim_chance(w, 70);
	w->settings.interventions = 1 + (int64_t)sim_random(w, 3);
	w->settings.nudges = 1 + (int64_t)sim_random(w, 3);
	w->settings.parallel = 1;
	w->settings.mode = w->settings.keeps || sim_chance(w, 50) ? MODE_PTY : MODE_PIPE;
	w->settings.success = SUCCESS_EVIDENCE;
	for (int i = 0; i < SIM_TASKS; i++)
		w->tasks[i].components[0] = '\0';
}

void
world_open(struct world *w, uint64_t seed, bool verbose)
{
	static char pattern[] = "done";

	memset(w, 0, offsetof(struct world, journal));
	w->njournal = 0;
	w->nfakes = 0;
	w->steps = 0;
	w->calm = false;
	w->user_stopped = false;
	w->broken[0] = '\0';
	w->rng = w->seed = seed;
	w->verbose = verbose;
	w->now = (struct when){SEC, INT64_C(1700000000) * SEC};
	w->exit_code = -1;
	w->settings.parallel = sim_chance(w, 60) ? 1 : 2 + (int64_t)sim_random(w, 3);
	w->settings.max_iterations =
	    sim_chance(w, 10) ? UNLIMITED : 1 + (int64_t)sim_random(w, 12);
	w->settings.max_failures =
	    sim_chance(w, 20) ? UNLIMITED : 1 + (int64_t)sim_random(w, 5);
	w->settings.delay = sim_chance(w, 30) ? 2 * SEC : 0;
	w->settings.max_runtime = sim_chance(w, 20) ? 60 * SEC : 0;
	w->settings.term_wait = sim_chance(w, 60) ? 5 * SEC : 0;
	if (sim_chance(w, 50)) {
		tickets_open(w);
	} else if (sim_chance(w, 30)) {
		static char graph[] = "graph";

		w->settings.source = graph;
		w->settings.parallel = 1;
	}
	if (w->settings.lands && sim_chance(w, 50))
		todo_open(w);
	w->regime = regime_of((struct regime_marks){.lands = w->settings.lands,
	    .leads = w->settings.leads,
	    .keeps = w->settings.keeps,
	    .tracked = w->settings.source != NULL});
	w->settings.judged = !w->settings.lands && sim_chance(w, 60);
	w->settings.done_pattern = sim_chance(w, 40) ? pattern : NULL;
	rules_open(w);
	supervise(w);
}

void
world_step(struct world *w)
{
	w->steps++;
	time_passes(w);
	if (!w->alive) {
		if (w->calm || sim_chance(w, 30))
			supervise(w);
	} else if (!w->calm && sim_chance(w, 2)) {
		sim_chance(w, 20) ? reboot(w) : crash(w, "between inputs");
	} else if (!w->calm && sim_chance(w, 8)) {
		user_acts(w);
	} else if (!w->calm && sim_chance(w, 1)) {
		w->disk_full = 1 + (int)sim_random(w, 5);
	} else if (!w->calm && sim_chance(w, 1)) {
		w->lacking = 1 + (int)sim_random(w, 5);
	}
	if (w->alive && sim_chance(w, w->calm ? 100 : 30))
		look_again(w);
	/* Somebody has logged in. */
	if (w->calm && w->alive && w->state.wanted == WANT_PAUSE)
		world_resume(w);
	others_act(w);
	source_answers(w);
	for (size_t i = w->nfakes > 16 ? w->nfakes - 16 : 0; i < w->nfakes; i++) {
		agent_lives(w, &w->fakes[i]);
		if (w->alive)
			agent_tells(w, &w->fakes[i]);
		if (w->alive)
			landing_tells(w, &w->fakes[i]);
		if (w->alive)
			waiting_lands(w, &w->fakes[i]);
		if (w->alive)
			check_tells(w, &w->fakes[i]);
	}
	if (w->alive)
		turn_ends(w);
	rules_step(w);
}

bool
world_over(const struct world *w)
{
	/* As the journal has it: what the last supervisor believed went with it. */
	for (size_t i = w->njournal; i-- > 0;)
		if (w->journal[i].kind == FACT_FINISHED || w->journal[i].kind == FACT_REOPENED)
			return !w->alive && w->journal[i].kind == FACT_FINISHED;
	return false;
}
