/*
 * rules.c - what must be true of every loop at every step.
 *
 * The rules are checked against the world and against the journal, never against
 * the loop's own counters, which are themselves under test.
 */
#include "sim.h"

#include "../unit/loop/same.h"

#include <string.h>

#define LATE_STEPS 6

/* ---- what the world shows -------------------------------------------------- */

static void
rule_parallel(struct world *w)
{
	int64_t running = 0;

	for (size_t i = 0; i < w->nfakes; i++) {
		if (w->fakes[i].state != FAKE_RUNNING)
			continue;
		running++;
		for (size_t k = 0; k < i; k++)
			if (w->fakes[k].state == FAKE_RUNNING &&
			    strcmp(w->fakes[k].task, w->fakes[i].task) == 0)
				sim_break(w, "two agents on task %s", w->fakes[i].task);
	}
	if (running > w->settings.parallel)
		sim_break(w, "%lld agents at once, parallel is %lld", (long long)running,
		    (long long)w->settings.parallel);
}

static void
rule_one_start(struct world *w)
{
	for (size_t i = 1; i < w->nfakes; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(w->fakes[i].id, w->fakes[k].id) == 0)
				sim_break(w, "session %s was started twice", w->fakes[i].id);
}

static bool
share(const char *a, const char *b)
{
	for (; *a != '\0'; a++)
		if (*a != ',' && strchr(b, *a) != NULL)
			return true;
	return false;
}

/* May tickets with these (one-letter) components not be at work at the same time? */
static bool
exclude(const struct world *w, const char *a, const char *b)
{
	if (*a != '\0' && *b != '\0')
		return share(a, b);
	switch (w->settings.untagged) {
	case UNTAGGED_EXCLUSIVE:
		return true;
	case UNTAGGED_ONE:
		return *a == '\0' && *b == '\0';
	default:
		return false;
	}
}

static const char *
components_of(const struct world *w, const char *task)
{
	for (size_t i = 0; i < SIM_TASKS; i++)
		if (strcmp(w->tasks[i].id, task) == 0)
			return w->tasks[i].components;
	return "";
}

/* Whoever runs or lands holds its components. */
static void
rule_components(struct world *w)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		for (size_t k = 0; k < i; k++) {
			const struct loop_session *a = &w->state.sessions[i];
			const struct loop_session *b = &w->state.sessions[k];

			if (a->state != SESSION_FREE && b->state != SESSION_FREE &&
			    a->state != SESSION_WAITING && b->state != SESSION_WAITING &&
			    exclude(w, components_of(w, a->task), components_of(w, b->task)))
				sim_break(w, "%s and %s at once", a->task, b->task);
		}
}

/* A session that is FREE is zero bytes: copies leave out what is behind the last one in use. */
static void
rule_free_sessions(struct world *w)
{
	static const struct loop_session none;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (w->state.sessions[i].state == SESSION_FREE &&
		    !session_same(&w->state.sessions[i], &none))
			sim_break(w, "slot %zu is free, but remembers a session", i);
}

/* Does the loop share its tickets with others? */
static bool
others_take(const struct world *w)
{
	return w->settings.lands && !w->settings.leads;
}

/* A start is given back because another loop has the task, or because none is wanted now. */
static void
given_back(struct world *w, const struct fact *f)
{
	const struct loop_state *s = &w->state;
	bool wanted = s->phase == PHASE_OPEN && s->wanted == WANT_RUN &&
		      (s->policy.max_runtime <= 0 ||
			  w->now.boot - s->resumed.boot < s->policy.max_runtime);

	if (world_find(w, f->session) != NULL)
		sim_break(w, "%s was given back, but it lives", f->session);
	for (size_t i = 0; i < SIM_TASKS && others_take(w) && wanted; i++)
		if (strcmp(w->tasks[i].id, f->task) == 0 && !w->tasks[i].taken)
			sim_break(w, "%s was given back, and nobody has it", f->task);
}

/* Another loop has it, and this one could do it afterwards. */
static bool
may_be_waited_for(const struct world *w, const struct fake_task *t)
{
	const struct loop_task *known = loop_find_task(&w->state, t->id);

	return t->taken && !t->landed && (t->depends < 0 || w->tasks[t->depends].landed) &&
	       (known == NULL || (!known->completed && !known->failed));
}

/* What another loop has is not done yet, and may come back. */
static void
waits_for_others(struct world *w, const struct fact *f)
{
	if (f->kind != FACT_FINISHED ||
	    (f->reason != END_BLOCKED && f->reason != END_NO_WORK) || !w->settings.lands)
		return;
	for (size_t i = 0; i < SIM_TASKS; i++)
		if (may_be_waited_for(w, &w->tasks[i]))
			sim_break(w, "finished, but another loop has %s", w->tasks[i].id);
}

void
rules_fact(struct world *w, const struct fact *f)
{
	if (f->kind == FACT_FINISHED && f->reason == END_NO_WORK && w->unlanded)
		sim_break(w, "all is done, but some of it waits for its branch");
	if (f->kind == FACT_FINISHED && f->reason == END_UNLANDED && !w->unlanded)
		sim_break(w, "nothing waits for its branch");
	if (f->kind == FACT_FINISHED && w->unlanded && f->why[0] == '\0')
		sim_break(w, "something waits for its branch, and the end does not say so");
	if (f->kind == FACT_FINISHED && f->reason == END_NO_WORK && w->unchecked)
		sim_break(w, "all is done, but nobody checked some of it");
	if (f->kind == FACT_FINISHED && f->reason == END_UNCHECKED && !w->unchecked)
		sim_break(w, "all that is closed was checked");
	if (f->kind == FACT_UNSTARTED)
		given_back(w, f);
	waits_for_others(w, f);
}

/* Just now git got the work of a session. */
void
rules_landing(struct world *w, const struct fake *f)
{
	for (size_t i = 0; i < SIM_TASKS; i++)
		if (strcmp(w->tasks[i].id, f->task) == 0) {
			if (w->tasks[i].landed)
				sim_break(w, "%s landed twice", f->task);
			w->tasks[i].landed = true;
		}
	if (!exit_ok(f->exit) && w->settings.mode == MODE_PIPE && !w->settings.leads)
		sim_break(w, "%s landed after exit %d", f->task, exit_number(f->exit));
	if (w->settings.success == SUCCESS_CLOSED && !f->closed)
		sim_break(w, "%s landed, but is not closed", f->task);
	if (w->settings.leads && f->checked != f->turn &&
	    !(f->said_done > 0 && f->closed && exit_ok(f->exit)))
		sim_break(w, "%s landed on its agent's word alone", f->task);
}

/* Its last task must be over: landed, kept, or given back; the journal knows. */
void
rules_assign(struct world *w, const struct fake *f)
{
	for (size_t i = w->njournal; i-- > 0;) {
		const struct fact *j = &w->journal[i];

		if (strcmp(j->session, f->id) != 0)
			continue;
		if (j->kind == FACT_LANDED && j->iteration == f->turn)
			return;
		if ((j->kind == FACT_STARTED || j->kind == FACT_ASSIGNED) &&
		    j->iteration <= f->turn)
			break;
	}
	sim_break(w, "%s gets a task in the midst of turn %lld", f->id, (long long)f->turn);
}

/* ---- what the journal says --------------------------------------------------- */

struct reading {
	int64_t unanswered;
	bool unread_told;  /* of this streak */
	int64_t bad, idle; /* iterations: known to have failed; of which nobody can tell */
	int64_t limits;	   /* in a row */
	int64_t kept_out;  /* iterations that do not count: a limit or a refused login */
	int64_t started, returned, again, ended, landing, failures, total, max;
	int attempts[SIM_TASKS];	 /* that count */
	enum verdict outcome[SIM_TASKS]; /* for good; NONE: none yet */
	bool finished;
	bool left; /* its last supervisor's turn was over */
	bool done; /* an agent said so, and the loop was open then */
	enum wanted wanted;
	enum end_reason reason; /* why it is to end, or did */
	int64_t hold;
	int64_t rests[LOOP_MAX_SESSIONS]; /* slots stay empty until then */
	int64_t open;			  /* slots that are used */
	int64_t leave_at;		  /* then agents may be ended, for we are to leave; 0 */
	int64_t limit_until;		  /* the wait for a limit that is under way */
	char boot[40];
};

static int
task_number(const struct fact *f)
{
	return f->task[0] == 't' ? f->task[1] - '0' : 0;
}

/* The task of a session: in its `started` fact. */
static int
session_task(const struct world *w, const struct fact *f)
{
	/* The last one before: a number that was given back comes again. */
	for (const struct fact *p = f; p-- > w->journal;)
		if ((p->kind == FACT_STARTED || p->kind == FACT_ASSIGNED) &&
		    strcmp(p->session, f->session) == 0)
			return task_number(p);
	return 0;
}

static void
read_start_of_ticket(struct world *w, struct reading *r, const struct fact *f)
{
	int task = task_number(f);

	if (r->outcome[task] != VERDICT_NONE)
		sim_break(w, "%s again after %s", f->task, verdict_name(r->outcome[task]));
	r->attempts[task]++;
	if (f->attempt != r->attempts[task] || f->attempt > w->settings.attempts)
		sim_break(w, "attempt %lld of %s is number %d of %lld", (long long)f->attempt,
		    f->task, r->attempts[task], (long long)w->settings.attempts);
}

static void
read_landed(struct world *w, struct reading *r, const struct fact *f)
{
	int task = task_number(f);
	bool done = f->verdict == VERDICT_DONE;

	r->landing--;
	if (f->verdict == VERDICT_STOPPED) {
		r->attempts[task]--;
	} else {
		if (done)
			r->failures = 0;
		else if (f->verdict != VERDICT_BLOCKED)
			r->failures++;
		r->total += !done;
		if (f->retry == 0)
			r->outcome[task] = f->verdict;
	}
	if (f->failures != r->failures)
		sim_break(w, "failures: said %lld, counted %lld", (long long)f->failures,
		    (long long)r->failures);
	if (done != (f->fate == FATE_WAITING || world_find(w, f->session)->landed))
		sim_break(w, "%s is said to be %s, git says otherwise", f->task,
		    verdict_name(f->verdict));
}

static void
read_rest(struct world *w, struct reading *r, const struct fact *f)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (r->rests[i] <= f->at.boot) {
			r->rests[i] = f->until.boot;
			return;
		}
	sim_break(w, "more slots rest than there are");
}

static void
read_slot(struct world *w, struct reading *r, const struct fact *f)
{
	int64_t resting = 0;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		resting += r->rests[i] > f->at.boot;
	if (r->open + resting >= w->settings.parallel)
		sim_break(w, "started where a slot rests: %lld used, %lld rest",
		    (long long)r->open, (long long)resting);
	r->open++;
}

/* Nothing is waited for any more. */
static void
read_no_waits(struct reading *r)
{
	r->hold = r->limit_until = 0;
	memset(r->rests, 0, sizeof(r->rests));
}

static void
read_start(struct world *w, struct reading *r, const struct fact *f)
{
	read_slot(w, r, f);
	r->started++;
	r->unanswered = 0;
	r->unread_told = false;
	if (w->settings.lands)
		read_start_of_ticket(w, r, f);
	if (f->iteration != r->started)
		sim_break(w, "iteration %lld follows %lld", (long long)f->iteration,
		    (long long)r->started - 1);
	r->again += f->attempt > 1;
	if (f->attempt <= 1 && r->max != UNLIMITED &&
	    r->started - r->returned - r->again - r->kept_out > r->max)
		sim_break(w, "started %lld of %lld", (long long)r->started, (long long)r->max);
	if (r->wanted != WANT_RUN)
		sim_break(w, "started while %s is wanted", wanted_name(r->wanted));
	if (r->finished)
		sim_break(w, "started after the end");
	if (r->left)
		sim_break(w, "started between two turns");
	if (w->settings.max_failures != UNLIMITED && r->failures >= w->settings.max_failures)
		sim_break(w, "started after %lld failures in a row", (long long)r->failures);
	if (f->at.boot < r->hold)
		sim_break(w, "started %lld ms before the hold ends",
		    (long long)((r->hold - f->at.boot) / 1000000));
	r->hold = r->limit_until = 0;
}

/* The signal that stopped it; NULL. */
static const struct fact *
session_limit(const struct world *w, const struct fact *f)
{
	for (const struct fact *p = f; p-- > w->journal;) {
		if (p->kind == FACT_STARTED && strcmp(p->session, f->session) == 0)
			return NULL;
		if (p->kind == FACT_SIGNALLED && p->signal == SIGNAL_LIMIT &&
		    strcmp(p->session, f->session) == 0)
			return p;
	}
	return NULL;
}

/* Nobody's fault: it costs nothing, but the loop must wait, or be told to go on. */
static void
read_kept_out(struct world *w, struct reading *r, const struct fact *f)
{
	bool limited = f->verdict == VERDICT_LIMITED;
	const struct fact *said = session_limit(w, f);
	const struct fact *next = f + 1 < &w->journal[w->njournal] ? f + 1 : NULL;

	if (r->attempts[session_task(w, f)] <= 1 || !w->settings.lands)
		r->kept_out++;
	if (limited && said == NULL)
		sim_break(w, "%s was limited, but nobody said so", f->session);
	if (r->wanted != WANT_RUN || r->finished)
		return;
	if (limited && (next == NULL || next->kind != FACT_LIMITED))
		sim_break(w, "%s was limited, and nobody waits", f->session);
	if (!limited &&
	    (next == NULL || next->kind != FACT_WANTED || next->wanted != WANT_PAUSE))
		sim_break(w, "%s was refused, and the loop goes on", f->session);
}

/* Whoever cannot be answered asks for nothing but another attempt. */
static void
read_asked(struct world *w, struct reading *r, const struct fact *f)
{
	bool asked = false;

	r->kept_out += r->attempts[session_task(w, f)] <= 1;
	r->limits = 0;
	for (const struct fact *p = f; p-- > w->journal && !asked;)
		asked = p->kind == FACT_TELLING && strcmp(p->session, f->session) == 0 &&
			strcmp(p->key, tell_name(TELL_HELP)) == 0;
	if (!asked || w->settings.mode != MODE_PIPE)
		sim_break(w, "%s did not ask, or was answered", f->session);
}

/* As long as it was told, or as often as it happened. */
static void
read_limited(struct world *w, struct reading *r, const struct fact *f)
{
	const struct fact *said = session_limit(w, f - 1);
	int64_t told = said == NULL || said->resets == 0 ? 0 : said->resets - f->at.wall;
	bool waiting = r->limit_until > f->at.boot;

	r->limits += !waiting;
	if (f->failures != r->limits)
		sim_break(w, "limit %lld in a row, counted %lld", (long long)f->failures,
		    (long long)r->limits);
	if (told > 0 && told <= 8 * 86400 * SEC && f->delay < told)
		sim_break(w, "waits %lld s, told were %lld", (long long)(f->delay / SEC),
		    (long long)(told / SEC));
	if ((told <= 0 || r->limits > 1) && f->delay < loop_limit_wait(r->limits))
		sim_break(w, "waits %lld s after %lld limits in a row",
		    (long long)(f->delay / SEC), (long long)r->limits);
	if (f->until.boot < r->limit_until)
		sim_break(w, "a limit made the wait for another one shorter");
	r->hold = r->limit_until = f->until.boot;
}

/* Was it ended because its keeper did not answer? */
static bool
was_silent(const struct world *w, const struct fact *f)
{
	for (const struct fact *p = f; p-- > w->journal;)
		if (strcmp(p->session, f->session) == 0 && p->kind == FACT_ENDING)
			return strcmp(p->why, SIM_SILENT) == 0;
	return false;
}

static void
read_ended(struct world *w, struct reading *r, const struct fact *f)
{
	bool kept_out = f->verdict == VERDICT_LIMITED || f->verdict == VERDICT_REFUSED ||
			f->verdict == VERDICT_ASKED;

	r->ended++;
	/* Or agents that freeze their keepers would follow each other for ever. */
	if (was_silent(w, f) && verdict_worth(f->verdict) != WORTH_FAILURE)
		sim_break(
		    w, "%s was frozen, and ended as %s", f->session, verdict_name(f->verdict));
	r->idle += f->verdict == VERDICT_IDLE;
	r->bad += f->verdict != VERDICT_IDLE && f->verdict != VERDICT_RESTED &&
		  f->verdict != VERDICT_DONE && f->verdict != VERDICT_STOPPED && !kept_out;
	if (verdict_is_idle(f->verdict) && w->settings.judged &&
	    w->settings.mode == MODE_PIPE && f->verdict != VERDICT_HUNG)
		sim_break(w, "%s was silent on a pipe, and is called %s", f->session,
		    verdict_name(f->verdict));
	if (f->verdict == VERDICT_ASKED)
		read_asked(w, r, f);
	else if (kept_out)
		read_kept_out(w, r, f);
	else if (f->verdict != VERDICT_STOPPED && f->verdict != VERDICT_LOST)
		r->limits = 0;
	if (w->settings.source != NULL && f->verdict == VERDICT_DONE &&
	    !world_find(w, f->session)->closed)
		sim_break(w, "%s is done, but its task is not", f->session);
	if (f->landing != 0) {
		r->landing++;
	} else if (w->settings.lands) {
		r->attempts[session_task(w, f)]--;
		if (f->verdict != VERDICT_STOPPED && f->verdict != VERDICT_LOST && !kept_out)
			sim_break(w, "%s ended as %s and was not landed", f->session,
			    verdict_name(f->verdict));
	} else if (verdict_worth(f->verdict) == WORTH_FAILURE) {
		r->failures++;
		r->total++;
	} else if (verdict_worth(f->verdict) == WORTH_SUCCESS) {
		r->failures = 0;
	}
	if (f->failures != r->failures)
		sim_break(w, "failures: said %lld, counted %lld", (long long)f->failures,
		    (long long)r->failures);
}

/* Whoever reads the exit code must not be told more than is known. */
static void
read_reason(struct world *w, const struct reading *r, const struct fact *f)
{
	int64_t ran = r->started - r->returned - r->kept_out;
	bool judged = w->settings.judged;
	bool good = r->bad == 0 && (r->idle == 0 || r->idle < ran);

	if (!judged && (f->reason == END_NOT_DONE || f->reason == END_OUT_OF_TIME ||
			   f->reason == END_SOME_FAILED))
		sim_break(w, "%s, but it is not judged", end_reason_name(f->reason));
	if (judged && f->reason == END_MAX_RUNTIME)
		sim_break(w, "its time was used, and that is called a success");
	if (judged && f->reason == END_MAX_ITERATIONS && w->settings.done_pattern != NULL)
		sim_break(w, "never done, and that is called a success");
	if (judged && !good && w->settings.source == NULL &&
	    (f->reason == END_MAX_ITERATIONS || f->reason == END_NO_WORK))
		sim_break(w, "%lld failed and %lld idle of %lld, and that is called a success",
		    (long long)r->bad, (long long)r->idle, (long long)ran);
	if (good && f->reason == END_SOME_FAILED && w->settings.source == NULL)
		sim_break(w, "none failed, and that is called a failure");
	if (f->reason == END_NOT_DONE && w->settings.done_pattern == NULL)
		sim_break(w, "a pattern never matched, and there is none");
}

static void
read_giving_up(struct world *w, const struct reading *r)
{
	if (r->failures < w->settings.max_failures)
		sim_break(w, "gave up after %lld failures", (long long)r->failures);
}

static void
read_finished(struct world *w, struct reading *r, const struct fact *f)
{
	if (!w->settings.lands)
		read_reason(w, r, f);
	if (r->finished)
		sim_break(w, "the end was said twice");
	if (r->landing != 0)
		sim_break(w, "finished with %lld landings open", (long long)r->landing);
	if (f->reason == END_NO_WORK && w->settings.lands)
		for (size_t i = 0; i < SIM_TASKS; i++)
			if (!w->tasks[i].landed)
				sim_break(w, "all done, but %s is not", w->tasks[i].id);
	if (end_reason_complete(f->reason) && w->state.unlanded > 0)
		sim_break(w, "complete, but %lld tasks wait", (long long)w->state.unlanded);
	if (r->started - r->returned != r->ended)
		sim_break(w, "finished with %lld sessions open",
		    (long long)(r->started - r->returned - r->ended));
	if ((f->reason == END_MAX_ITERATIONS || f->reason == END_NOT_DONE) &&
	    r->started - r->returned < r->max)
		sim_break(
		    w, "complete after %lld of %lld", (long long)r->started, (long long)r->max);
	if (f->reason == END_DONE_PATTERN && !r->done)
		sim_break(w, "done, but no agent said so");
	if (f->reason >= END_STOPPED && !w->user_stopped)
		sim_break(w, "%s, but nobody asked for it", end_reason_name(f->reason));
	if (f->reason == END_FAILURES && r->wanted != WANT_STOP)
		read_giving_up(w, r);
	r->finished = true;
	r->reason = f->reason;
}

static void
read_signal(struct world *w, struct reading *r, size_t at)
{
	const struct fact *f = &w->journal[at];

	for (size_t i = 0; i < at; i++)
		if (w->journal[i].kind == FACT_SIGNALLED && w->journal[i].seq == f->seq &&
		    strcmp(w->journal[i].session, f->session) == 0)
			sim_break(w, "signal %lld of %s was taken twice", (long long)f->seq,
			    f->session);
	r->done |= f->signal == SIGNAL_DONE;
}

/* The number of what the same agent was told before. */
static int64_t
last_told(const struct world *w, size_t at)
{
	for (size_t i = at; i-- > 0;)
		if (w->journal[i].kind == FACT_TELLING &&
		    strcmp(w->journal[i].session, w->journal[at].session) == 0)
			return w->journal[i].value;
	return 0;
}

/* Is the loop over, for its time is used, by the very decision that this fact is of? */
static bool
time_is_up(const struct world *w, size_t at)
{
	const struct fact *next = &w->journal[at + 1];

	return w->settings.max_runtime > 0 && at + 1 < w->njournal &&
	       (next->kind == FACT_FINISHED ||
		   (next->kind == FACT_WANTED && next->wanted == WANT_STOP)) &&
	       next->at.boot == w->journal[at].at.boot;
}

/* Somebody is told that the source cannot tell: in time, and once. */
static void
read_unread(struct world *w, struct reading *r, size_t at)
{
	bool alert = at + 1 < w->njournal && w->journal[at + 1].kind == FACT_ALERT;

	if (alert && r->unread_told)
		sim_break(w, "told twice that nothing can be read");
	r->unread_told |= alert;
	if (r->unanswered >= 5 && !r->unread_told)
		sim_break(w, "nothing can be read, %lld times in a row, and nobody is told",
		    (long long)r->unanswered);
}

/* A fact has no members but those of its row: the journal would lose the others. */
static void
rule_members(struct world *w, const struct fact *f)
{
	static const char nothing[sizeof(*f)];
	unsigned fields = fact_fields(f->kind);

#define F(type, name, dimension, letter)                                                  \
	if ((fields & HAS(name)) == 0 && memcmp(&f->name, nothing, sizeof(f->name)) != 0) \
		sim_break(w, "%s has a member more: %s", fact_name(f->kind), #name);
	FACT_FIELDS(F)
#undef F
}

static void
read_fact(struct world *w, struct reading *r, size_t at)
{
	const struct fact *f = &w->journal[at];

	rule_members(w, f);
	switch (f->kind) {
	case FACT_SUPERVISED:
		if (r->wanted == WANT_LEAVE)
			r->wanted = WANT_PAUSE;
		r->leave_at = 0;
		r->left = false;
		if (strcmp(r->boot, f->boot_id) != 0)
			read_no_waits(r); /* another clock; worked out from the wall */
		snprintf(r->boot, sizeof(r->boot), "%s", f->boot_id);
		break;
	case FACT_WANTED:
		/* An agent that ends later may still have been done. */
		if (f->reason == END_FAILURES)
			read_giving_up(w, r);
		r->wanted = f->wanted;
		r->leave_at = f->wanted == WANT_LEAVE && w->settings.term_wait > 0
				  ? f->at.boot + w->settings.term_wait
				  : 0;
		r->reason = f->reason;
		read_no_waits(r);
		break;
	case FACT_REOPENED:
		if (!r->finished && r->wanted != WANT_STOP)
			sim_break(w, "reopened while open");
		r->finished = false;
		r->wanted = WANT_RUN;
		r->failures = 0;
		read_no_waits(r);
		for (size_t i = 0; i < SIM_TASKS && r->reason == END_SOME_FAILED; i++)
			if (r->outcome[i] != VERDICT_NONE && r->outcome[i] != VERDICT_DONE) {
				r->outcome[i] = VERDICT_NONE;
				r->attempts[i] = 0;
			}
		break;
	case FACT_STARTED:
	case FACT_ASSIGNED:
		read_start(w, r, f);
		break;
	case FACT_TELLING:
		if (f->value != last_told(w, at) + 1)
			sim_break(w, "%s is told number %lld", f->session, (long long)f->value);
		break;
	case FACT_UNSTARTED:
		/* Where others may have taken it, rules_fact looks. */
		if (!others_take(w) && r->wanted == WANT_RUN && !time_is_up(w, at))
			sim_break(w, "%s was given back while it is wanted", f->session);
		r->open--;
		if (f->iteration == r->started)
			r->started--;
		else
			r->returned++;
		r->again -= r->attempts[session_task(w, f)] > 1;
		r->attempts[session_task(w, f)]--;
		break;
	case FACT_ENDED:
		r->open -= !f->landing;
		read_ended(w, r, f);
		break;
	case FACT_LANDED:
		r->open--;
		read_landed(w, r, f);
		break;
	case FACT_BACKOFF:
		if (f->delay != loop_backoff(r->failures))
			sim_break(w, "backoff %lld s after %lld failures",
			    (long long)(f->delay / SEC), (long long)r->failures);
		r->hold = f->until.boot;
		break;
	case FACT_UNANSWERED:
		if (f->delay != loop_backoff(++r->unanswered))
			sim_break(w, "asked again after %lld s, %lld in a row",
			    (long long)(f->delay / SEC), (long long)r->unanswered);
		r->hold = f->until.boot;
		read_unread(w, r, at);
		break;
	case FACT_LIMITED:
		read_limited(w, r, f);
		break;
	case FACT_DELAYED:
		read_rest(w, r, f);
		break;
	case FACT_EDITED:
		r->max = f->value;
		break;
	case FACT_FINISHED:
		read_finished(w, r, f);
		break;
	case FACT_SIGNALLED:
		read_signal(w, r, at);
		break;
	case FACT_ENDING:
		/* One that is kept may have no task: nothing of it has to be waited for. */
		if (!w->settings.keeps && r->wanted == WANT_LEAVE &&
		    f->verdict == VERDICT_STOPPED &&
		    (r->leave_at == 0 || f->at.boot < r->leave_at))
			sim_break(w, "%s was to finish, and is ended", f->session);
		break;
	case FACT_LEFT:
		if (r->finished || r->wanted == WANT_STOP)
			sim_break(w, "a turn is over after the end");
		r->left = true;
		break;
	case FACT_OPENED:
	case FACT_RUNNING:
	case FACT_SETTLED:
	case FACT_DISMISSED:
	case FACT_CHECKED:
	case FACT_NUDGED:
	case FACT_ALERT:
	case FACT_COUNT:
	default:
		break;
	}
}

/* What the journal said so far, and how much of it was read. */
static struct reading reading;
static size_t nread;

static struct reading
rule_journal(struct world *w)
{
	while (nread < w->njournal)
		read_fact(w, &reading, nread++);
	return reading;
}

void
rules_open(const struct world *w)
{
	reading = (struct reading){.max = w->settings.max_iterations};
	nread = 0;
}

/* The state in memory is the fold of the journal, whatever crashed before. */
static void
rule_fold(struct world *w)
{
	static struct loop_state fold;

	if (!w->alive || w->steps % 8 != 0)
		return; /* what went wrong once stays wrong */
	loop_init(&fold, &w->settings, w->regime);
	for (size_t i = 0; i < w->njournal; i++)
		loop_apply(&fold, &w->journal[i]);
	fold.fetch = w->state.fetch;
	if (!loop_same(&fold, &w->state))
		sim_break(w, "the state is not the fold of the journal");
}

/* Whoever is to leave does not wait for ever.  A few steps late, for disks may be full. */
static void
rule_leaving(struct world *w, const struct reading *r)
{
	static int late;
	const struct loop_session *at_work = NULL;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (w->state.sessions[i].state == SESSION_RUNNING)
			at_work = &w->state.sessions[i];
	if (!w->alive || r->leave_at == 0 || w->now.boot < r->leave_at || at_work == NULL)
		late = 0;
	else if (++late > LATE_STEPS)
		sim_break(w, "%s still works, and we are to leave", at_work->id);
}

/* ---- the three moments --------------------------------------------------------- */

void
rules_effect(struct world *w, const struct effect *e)
{
	if (e->forced &&
	    (world_find(w, e->session) == NULL || !world_find(w, e->session)->frozen))
		sim_break(w, "the keeper of %s is killed, and it lives", e->session);
	if (e->kind == EFFECT_START && w->state.phase == PHASE_FINISHED)
		sim_break(w, "a start after the end");
	if (e->kind == EFFECT_START && w->state.wanted != WANT_RUN)
		sim_break(w, "a start while %s is wanted", wanted_name(w->state.wanted));
	if (e->kind == EFFECT_EXIT && w->state.phase == PHASE_FINISHED &&
	    e->code != end_reason_code(w->state.reason))
		sim_break(w, "exit code %d for %s", e->code, end_reason_name(w->state.reason));
	if (e->kind == EFFECT_EXIT && !w->state.left && loop_active(&w->state) != 0)
		sim_break(w, "the supervisor leaves with %zu sessions", loop_active(&w->state));
}

void
rules_decided(struct world *w)
{
	struct when at;

	if (loop_deadline(&w->state, w->decided, &at) && at.boot <= w->now.boot)
		sim_break(w, "a deadline is left that has passed: the timer would never rest");
}

void
rules_step(struct world *w)
{
	struct reading r;

	rule_parallel(w);
	rule_one_start(w);
	if (w->settings.lands)
		rule_components(w);
	r = rule_journal(w);
	rule_fold(w);
	rule_free_sessions(w);
	rule_leaving(w, &r);
	if (w->alive && (w->state.failures != r.failures || w->state.total_failures != r.total))
		sim_break(w, "counts differ from the journal's");
	if (w->alive && w->state.iteration != r.started)
		sim_break(w, "iteration %lld, started %lld", (long long)w->state.iteration,
		    (long long)r.started);
}

/* Once trouble has ended, the loop must end too, and have said so. */
void
rules_end(struct world *w)
{
	struct reading r = rule_journal(w);

	if (!r.finished)
		sim_break(w, "the loop never came to its end (phase %d, wanted %s, %zu active)",
		    (int)w->state.phase, wanted_name(w->state.wanted), loop_active(&w->state));
	for (size_t i = 0; i < w->nfakes; i++)
		if (w->fakes[i].state == FAKE_RUNNING)
			sim_break(w, "agent %s was left running", w->fakes[i].id);
}
