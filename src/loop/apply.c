/*
 * apply.c - the fold: what each fact does to the state.
 *
 * Nothing here decides, so replaying an old journal gives the same state in
 * every later version.  A fact about a session we do not know is ignored.
 */
#include "loop/deciding.h"

#include <string.h>

#define HOLD_MAX (INT64_C(86400) * NSEC)

/* ---- facts ---------------------------------------------------------------------- */

static void
apply_opened(struct loop_state *s, struct loop_session *one UNUSED, const struct fact *f)
{
	s->phase = PHASE_OPEN;
	s->wanted = WANT_RUN;
	loop_text_copy(s->uid, sizeof(s->uid), f->uid);
	s->opened = s->resumed = f->at;
}

/* A moment of another boot has no boot time in this boot: computes the boot time from the wall
 * clock. */
static void
rebase(struct when *w, const struct when *now)
{
	if (w->wall != 0)
		w->boot = now->boot - (now->wall - w->wall);
}

static void
rebase_hold(struct when *hold, const struct when *now)
{
	int64_t left = hold->wall - now->wall;

	if (hold->wall == 0)
		return;
	if (left < 0)
		left = 0;
	if (left > HOLD_MAX)
		left = HOLD_MAX;
	hold->boot = now->boot + left;
}

static void
apply_supervised(struct loop_state *s, struct loop_session *one UNUSED, const struct fact *f)
{
	bool rebooted = s->boot_id[0] != '\0' && strcmp(s->boot_id, f->boot_id) != 0;

	loop_text_copy(s->boot_id, sizeof(s->boot_id), f->boot_id);
	s->resumed = f->at;
	s->left = false;
	/* The supervisor that was to leave has left. */
	if (s->wanted == WANT_LEAVE)
		s->wanted = WANT_PAUSE;
	memset(&s->leave_asked, 0, sizeof(s->leave_asked));
	if (rebooted) {
		rebase_hold(&s->hold, &f->at);
		for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
			rebase_hold(&s->rests[i], &f->at);
		rebase(&s->unread, &f->at);
	}
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		if (s->sessions[i].state == SESSION_FREE)
			continue;
		s->sessions[i].unseen = true;
		if (rebooted)
			rebase(&s->sessions[i].started, &f->at);
	}
}

static void
wait_no_more(struct loop_state *s)
{
	memset(&s->hold, 0, sizeof(s->hold));
	memset(s->rests, 0, sizeof(s->rests));
}

static void
apply_wanted(struct loop_state *s, struct loop_session *one UNUSED, const struct fact *f)
{
	if (s->phase == PHASE_FINISHED)
		return;
	if (f->wanted == WANT_RUN && s->wanted != WANT_RUN)
		s->resumed = f->at;
	s->wanted = f->wanted;
	memset(&s->leave_asked, 0, sizeof(s->leave_asked));
	if (f->wanted == WANT_LEAVE)
		s->leave_asked = f->at;
	/* Pausing ends a wait at once, and resuming starts at once. */
	wait_no_more(s);
	if (f->wanted == WANT_STOP) {
		s->phase = PHASE_DRAINING;
		s->reason = f->reason;
		loop_text_copy(s->text, sizeof(s->text), f->text);
	}
}

/* A task begins, with a new agent or with one that waited. */
static void
apply_begin_turn(struct loop_state *s, struct loop_session *one, const struct fact *f)
{
	struct loop_task *task;

	s->iteration = f->iteration;
	s->iteration_started = f->at;
	s->unanswered = 0;
	s->unread_told = false;
	memset(&s->unread, 0, sizeof(s->unread));
	memset(s->unread_why, 0, sizeof(s->unread_why));
	memset(&s->hold, 0, sizeof(s->hold));
	if (one == NULL)
		return;
	loop_text_copy(one->task, sizeof(one->task), f->task);
	one->iteration = f->iteration;
	one->attempt = f->attempt;
	one->started = f->at;
	/* Another attempt at the same task is no other task. */
	if (f->attempt > 1)
		s->returned++;
	task = past_task_note(s, f->task);
	if (task != NULL && f->attempt <= UINT16_MAX)
		task->attempts = (uint16_t)f->attempt;
}

static void
apply_started(struct loop_state *s, struct loop_session *known UNUSED, const struct fact *f)
{
	struct loop_session *one = NULL;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS && one == NULL; i++)
		if (s->sessions[i].state == SESSION_FREE)
			one = &s->sessions[i];
	if (one != NULL) {
		one->state = SESSION_STARTING;
		loop_text_copy(one->id, sizeof(one->id), f->session);
		loop_text_copy(one->components, sizeof(one->components), f->components);
	}
	apply_begin_turn(s, one, f);
}

static void
apply_assigned(struct loop_state *s, struct loop_session *one, const struct fact *f)
{
	if (one != NULL)
		one->state = SESSION_BRIEFING;
	apply_begin_turn(s, one, f);
}

/* The iteration's number can be used again, unless a later number is in use already. */
static void
apply_unstarted(struct loop_state *s, struct loop_session *one, const struct fact *f)
{
	past_task_unstarted(s, one->task);
	if (s->iteration == f->iteration)
		s->iteration--;
	else
		s->returned++;
	if (one->attempt > 1)
		s->returned--;
	memset(one, 0, sizeof(*one));
}

static void
apply_running(struct loop_state *s UNUSED, struct loop_session *one, const struct fact *f)
{
	one->pid = f->pid;
	one->unseen = false;
	if (one->state == SESSION_STARTING)
		one->state = SESSION_RUNNING;
}

static int64_t
apply_number(const char *text)
{
	int64_t n = 0;

	for (; *text >= '0' && *text <= '9' && n < INT64_MAX / 10 - 1; text++)
		n = n * 10 + (*text - '0');
	return n;
}

/* Applies a signal of an agent that is led. */
static void
apply_said(struct loop_state *s, struct loop_session *one, const struct fact *f)
{
	bool ending = one->state == SESSION_ENDING;
	bool awaited = one->tell == TELL_HELP && !policy_is_deaf(&s->policy);

	if (f->signal == SIGNAL_STUCK && !one->claimed && !awaited && !ending)
		past_asked_note(s, one->task, f->text);
	if (f->signal == SIGNAL_STUCK || signal_is_report(f->signal))
		one->nudges = 0;
	if (f->signal == SIGNAL_DONE)
		one->claimed = !ending;
	if (f->signal == SIGNAL_TOLD && apply_number(f->text) == one->tells)
		one->tell = TELL_NOTHING;
	if (f->signal == SIGNAL_DELIVERED && one->state == SESSION_BRIEFING)
		one->state = SESSION_RUNNING;
}

static void
apply_signalled(struct loop_state *s, struct loop_session *one, const struct fact *f)
{
	if (f->seq > one->seq)
		one->seq = f->seq;
	one->promised |= f->signal == SIGNAL_DONE;
	if (f->resets != 0)
		one->resets = f->resets;
	if (regime_row(&s->policy)->marks.leads)
		apply_said(s, one, f);
}

static void
apply_checked(struct loop_state *s, struct loop_session *one, const struct fact *f)
{
	one->claimed = false;
	if (verdict_is_success(f->verdict))
		return;
	if (!led_is_oversight(one, f->verdict))
		past_asked_note(s, one->task, verdict_name(f->verdict));
	one->reminded |= f->verdict == VERDICT_NOT_CLOSED;
	one->promised = false;
}

static void
apply_telling(struct loop_state *s UNUSED, struct loop_session *one, const struct fact *f)
{
	int what = tell_parse(f->key);

	if (what < 0)
		return;
	one->tell = (enum tell)what;
	one->tells = f->value;
	loop_text_copy(one->about, sizeof(one->about), f->text);
	one->nudges += what == TELL_PROBE || what == TELL_AGAIN;
}

static void
apply_dismissed(
    struct loop_state *s UNUSED, struct loop_session *one, const struct fact *f UNUSED)
{
	if (one->state == SESSION_LANDING) {
		one->kept = false;
		one->pid = 0;
	} else {
		memset(one, 0, sizeof(*one));
	}
}

static void
apply_ending(struct loop_state *s UNUSED, struct loop_session *one, const struct fact *f)
{
	one->state = SESSION_ENDING;
	one->verdict = f->verdict;
	loop_text_copy(one->about, sizeof(one->about), f->why);
}

/* Counts a task's outcome, where the source knows which tasks are done. */
static void
count_outcome(struct loop_state *s, enum verdict verdict)
{
	if (verdict_is_success(verdict))
		s->completed++;
	else if (verdict == VERDICT_NOT_CLOSED)
		s->unfinished++;
	else
		s->failed += verdict_cost(verdict) == COST_ATTEMPT;
}

static void
apply_ended(struct loop_state *s, struct loop_session *one, const struct fact *f)
{
	const struct regime_marks marks = regime_marks(s->policy.regime);

	s->ended++;
	s->iteration_ended = f->at;
	s->failures = f->failures;
	if (verdict_cost(f->verdict) == COST_NOTHING)
		s->returned += one->attempt <= 1;
	/* The agent has worked: nobody cut it short, and no limit or login held it up. */
	if (!verdict_is_interrupted(f->verdict) && verdict_hold(f->verdict) == HOLD_NOTHING)
		s->limits = 0;
	if (marks.tracked || marks.given)
		count_outcome(s, f->verdict);
	s->spoilt += verdict_tally(f->verdict) == TALLY_FAILED;
	s->idled += verdict_tally(f->verdict) == TALLY_IDLE;
	if (f->landing != 0) {
		one->state = SESSION_LANDING;
		one->verdict = f->verdict;
		one->exit = f->exit;
		one->kept = f->kept != 0;
		loop_text_copy(one->about, sizeof(one->about), f->why);
		one->claimed = false;
		one->tell = TELL_NOTHING;
		if (!one->kept)
			one->pid = 0;
		return;
	}
	if (verdict_worth(f->verdict) == WORTH_FAILURE)
		s->total_failures++;
	past_task_unstarted(s, one->task); /* stopped or lost */
	memset(one, 0, sizeof(*one));
}

/* Call when the session's work has landed: a kept agent has no task now. */
static void
apply_session_free(struct loop_session *one)
{
	struct loop_session was = *one;

	memset(one, 0, sizeof(*one));
	if (!was.kept)
		return;
	one->state = SESSION_WAITING;
	memcpy(one->id, was.id, sizeof(one->id));
	one->pid = was.pid;
	one->seq = was.seq;
	one->tells = was.tells;
	one->unseen = was.unseen;
	one->started = was.started;
}

static void
apply_landed(struct loop_state *s, struct loop_session *one, const struct fact *f)
{
	apply_session_free(one);
	s->iteration_ended = f->at;
	s->failures = f->failures;
	if (verdict_is_interrupted(f->verdict)) {
		past_task_unstarted(s, f->task);
		return;
	}
	if (!verdict_is_success(f->verdict))
		s->total_failures++;
	past_task_outcome(s, f);
}

static void
apply_settled(struct loop_state *s, struct loop_session *one UNUSED, const struct fact *f)
{
	past_task_outcome(s, f);
}

static void
note_unread(struct loop_state *s, const struct fact *f)
{
	if (s->unanswered++ == 0)
		s->unread = f->at;
	loop_text_copy(s->unread_why, sizeof(s->unread_why), f->text);
	s->unread_told |=
	    s->unanswered >= UNREAD_OFTEN || f->at.boot - s->unread.boot >= UNREAD_LONG;
}

static void
apply_hold(struct loop_state *s, struct loop_session *one UNUSED, const struct fact *f)
{
	s->hold = f->until;
	s->hold_is_backoff = f->kind == FACT_BACKOFF;
	s->hold_is_limit = f->kind == FACT_LIMITED;
	if (f->kind == FACT_LIMITED)
		s->limits = f->failures;
	if (f->kind == FACT_UNANSWERED)
		note_unread(s, f);
}

/* Uses a place whose rest is over: there are as many places as there can be slots. */
static void
apply_rest(struct loop_state *s, struct loop_session *one UNUSED, const struct fact *f)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (s->rests[i].boot <= f->at.boot) {
			s->rests[i] = f->until;
			return;
		}
}

static void
apply_edited(struct loop_state *s, struct loop_session *one UNUSED, const struct fact *f)
{
	if (strcmp(f->key, "max_iterations") == 0)
		s->policy.max_iterations = f->value;
}

static void
apply_finished(struct loop_state *s, struct loop_session *one UNUSED, const struct fact *f)
{
	s->phase = PHASE_FINISHED;
	s->wanted = WANT_STOP;
	s->reason = f->reason;
	loop_text_copy(s->text, sizeof(s->text), f->text);
	s->finished = f->at;
	wait_no_more(s);
}

/* A user who resumes a run that came to its end wants its failed tasks tried again. */
static void
forget_failures(struct loop_state *s)
{
	s->failed = 0;
	for (size_t i = 0; i < s->ntasks; i++)
		if (s->tasks[i].failed) {
			s->tasks[i].failed = false;
			s->tasks[i].attempts = 0;
			s->tasks[i].questions = 0;
		}
	memset(s->asked, 0, sizeof(s->asked));
}

static void
apply_reopened(struct loop_state *s, struct loop_session *one UNUSED, const struct fact *f)
{
	bool again = end_reason_tries_again(s->reason);

	s->phase = PHASE_OPEN;
	s->wanted = WANT_RUN;
	s->reason = END_NONE;
	s->text[0] = '\0';
	s->failures = 0;
	if (again)
		forget_failures(s);
	s->resumed = f->at;
	memset(&s->finished, 0, sizeof(s->finished));
	wait_no_more(s);
}

static void
apply_left(struct loop_state *s, struct loop_session *one UNUSED, const struct fact *f UNUSED)
{
	s->left = true;
}

static void
apply_nothing(
    struct loop_state *s UNUSED, struct loop_session *one UNUSED, const struct fact *f UNUSED)
{
}

/* `one` is the session that the fact names; NULL: the fact names none, or begins one. */
typedef void apply_fn(struct loop_state *s, struct loop_session *one, const struct fact *f);

static apply_fn *const apply_table[] = {
#define X(id, name, apply, fields, help) [FACT_##id] = apply_##apply,
    FACTS(X)
#undef X
};

void
loop_apply(struct loop_state *state, const struct fact *fact)
{
	const struct loop_session *known = loop_find_session(state, fact->session);
	struct loop_session *one =
	    known == NULL ? NULL : &state->sessions[known - state->sessions];
	bool begins = fact->kind == FACT_STARTED || fact->kind == FACT_ASSIGNED;

	if (one != NULL || begins || (fact_fields(fact->kind) & HAS(session)) == 0)
		apply_table[fact->kind](state, one, fact);
}

void
loop_commit(struct loop_state *state, const struct decision *decision)
{
	for (size_t i = 0; i < decision->nfacts; i++)
		loop_apply(state, &decision->facts[i]);
	state->fetch = decision->fetch;
}
