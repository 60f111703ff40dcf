/*
 * loop.c - the decisions.
 *
 * Two tables: what an input means to the loop (phase x input), and what it
 * means to one session (state x event).  An empty cell is an illegal input: it
 * decides nothing and is reported as such.
 *
 * A decision is made on a copy of the state: every fact is applied to the copy
 * as soon as it is decided, so that what follows in the same decision sees it.
 */
#include "loop/loop.h"

#include <stdio.h>
#include <string.h>

#define NSEC INT64_C(1000000000)

struct deciding {
	struct loop_state s;
	const struct loop_input *in;
	struct decision *out;
};

/* ---- facts and effects ------------------------------------------------- */

static struct fact *
fact_new(struct deciding *d, enum fact_kind kind)
{
	struct fact *f = &d->out->facts[d->out->nfacts];

	memset(f, 0, sizeof(*f));
	f->kind = kind;
	f->at = d->in->now;
	return f;
}

static void
fact_emit(struct deciding *d, const struct fact *f)
{
	d->out->nfacts++;
	loop_apply(&d->s, f);
}

static struct effect *
effect_new(struct deciding *d, enum effect_kind kind)
{
	struct effect *e = &d->out->effects[d->out->neffects++];

	memset(e, 0, sizeof(*e));
	e->kind = kind;
	return e;
}

static void
text_copy(char *to, size_t size, const char *from)
{
	(void)snprintf(to, size, "%s", from == NULL ? "" : from);
}

static void
alert(struct deciding *d, const char *text)
{
	struct fact *f = fact_new(d, FACT_ALERT);

	text_copy(f->text, sizeof(f->text), text);
	fact_emit(d, f);
	text_copy(effect_new(d, EFFECT_ALERT)->text, TEXT_MAX, text);
}

static void
effect_for(
    struct deciding *d, enum effect_kind kind, const struct loop_session *one, bool politely)
{
	struct effect *e = effect_new(d, kind);

	text_copy(e->session, sizeof(e->session), one->id);
	text_copy(e->task, sizeof(e->task), one->task);
	e->iteration = one->iteration;
	e->politely = politely;
}

/* Asks a session to end; `verdict` is what its end will be called. */
static void
end_session(
    struct deciding *d, const struct loop_session *one, enum verdict verdict, bool politely)
{
	if (one->state != SESSION_ENDING || one->verdict != verdict) {
		struct fact *f = fact_new(d, FACT_ENDING);

		text_copy(f->session, sizeof(f->session), one->id);
		f->verdict = verdict;
		fact_emit(d, f);
	}
	effect_for(d, EFFECT_END, one, politely);
}

static void
notice_all(struct deciding *d, bool paused)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		if (d->s.sessions[i].state == SESSION_FREE)
			continue;
		effect_for(d, EFFECT_NOTICE, &d->s.sessions[i], false);
		d->out->effects[d->out->neffects - 1].paused = paused;
	}
}

/* ---- the end of the loop ----------------------------------------------- */

static void
finish(struct deciding *d, enum end_reason reason, const char *text)
{
	struct fact *f;
	char line[TEXT_MAX];

	if (reason == END_FAILURES)
		(void)snprintf(line, sizeof(line), "loop failed: %lld consecutive failures",
		    (long long)d->s.failures);
	else if (reason == END_SOURCE_ERROR)
		(void)snprintf(line, sizeof(line), "loop failed: %.*s", TEXT_MAX - 32,
		    text == NULL ? "" : text);
	f = fact_new(d, FACT_FINISHED);
	f->reason = reason;
	f->iteration = d->s.iteration;
	text_copy(f->text, sizeof(f->text), text);
	fact_emit(d, f);
	if (reason == END_FAILURES || reason == END_SOURCE_ERROR)
		alert(d, line);
	effect_new(d, EFFECT_EXIT)->code = end_reason_code(reason);
}

/* Decides that the loop is over.  Its sessions are asked to end as `verdict`
 * says, or may finish by themselves (VERDICT_NONE); the last one to go finishes. */
static void
close_loop(struct deciding *d, enum end_reason reason, const char *text, enum verdict verdict)
{
	struct fact *f;

	if (loop_active(&d->s) == 0) {
		finish(d, reason, text);
		return;
	}
	f = fact_new(d, FACT_WANTED);
	f->wanted = WANT_STOP;
	f->reason = reason;
	text_copy(f->text, sizeof(f->text), text);
	fact_emit(d, f);
	if (verdict == VERDICT_NONE)
		return;
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		const struct loop_session *one = &d->s.sessions[i];

		if (one->state == SESSION_STARTING || one->state == SESSION_RUNNING)
			end_session(d, one, verdict, false);
		else if (one->state == SESSION_ENDING)
			effect_for(d, EFFECT_END, one, false);
	}
}

/* ---- the next start ---------------------------------------------------- */

static bool
iterations_used(const struct loop_state *s)
{
	return s->policy.max_iterations != UNLIMITED &&
	       s->iteration >= s->policy.max_iterations;
}

static bool
held(const struct loop_state *s, int64_t now)
{
	return s->hold.boot != 0 && now < s->hold.boot;
}

static bool
runtime_used(const struct loop_state *s, int64_t now)
{
	return s->policy.max_runtime > 0 && now - s->resumed.boot >= s->policy.max_runtime;
}

static bool
may_start(const struct loop_state *s, int64_t now)
{
	return s->phase == PHASE_OPEN && s->wanted == WANT_RUN && !held(s, now) &&
	       !iterations_used(s) && loop_active(s) < (size_t)s->policy.parallel &&
	       loop_active(s) < LOOP_MAX_SESSIONS;
}

/* Called at the end of every decision: asks for work where there is room for it. */
static void
schedule(struct deciding *d)
{
	struct loop_state *s = &d->s;
	int64_t now = d->in->now.boot;

	if (s->phase == PHASE_DRAINING && loop_active(s) == 0) {
		finish(d, s->reason, s->text);
		return;
	}
	if (s->phase != PHASE_OPEN)
		return;
	if (s->wanted == WANT_LEAVE && loop_active(s) == 0) {
		effect_new(d, EFFECT_EXIT)->code = EX_TERMINATED;
		return;
	}
	if (s->wanted == WANT_RUN && runtime_used(s, now)) {
		close_loop(d, END_MAX_RUNTIME, NULL, VERDICT_STOPPED);
		return;
	}
	if (s->wanted == WANT_RUN && iterations_used(s) && loop_active(s) == 0) {
		close_loop(d, END_MAX_ITERATIONS, NULL, VERDICT_NONE);
		return;
	}
	if (s->fetch == FETCH_IDLE && may_start(s, now)) {
		s->fetch = FETCH_ASKED;
		effect_new(d, EFFECT_FETCH);
	}
}

int64_t
loop_backoff(int64_t failures)
{
	if (failures < 1)
		return 0;
	if (failures > 9)
		return 300 * NSEC;
	return (INT64_C(1) << (failures - 1)) * NSEC;
}

static void
hold(struct deciding *d, enum fact_kind kind, int64_t delay)
{
	struct fact *f = fact_new(d, kind);

	f->delay = delay;
	f->failures = d->s.failures;
	f->until.boot = d->in->now.boot + delay;
	f->until.wall = d->in->now.wall + delay;
	fact_emit(d, f);
}

/* ---- what happens to a session ------------------------------------------ */

enum session_event { ON_RUNNING, ON_SIGNAL, ON_ENDED, SESSION_EVENTS };

typedef void session_fn(struct deciding *d, const struct loop_session *one);

static void
session_running(struct deciding *d, const struct loop_session *one)
{
	struct fact *f = fact_new(d, FACT_RUNNING);

	text_copy(f->session, sizeof(f->session), one->id);
	f->pid = d->in->pid;
	fact_emit(d, f);
}

/* What each signal of a keeper asks for. */
static const struct {
	enum verdict verdict; /* end the session as this; NONE: let it go on */
	bool politely;
	const char *alert;
} signal_table[] = {
    [SIGNAL_DONE] = {VERDICT_DONE, true, NULL},
    [SIGNAL_IDLE] = {VERDICT_IDLE, false, NULL},
    [SIGNAL_STALL] = {VERDICT_STUCK, false, NULL},
    [SIGNAL_TIMEOUT] = {VERDICT_TIMEOUT, false, NULL},
    [SIGNAL_EXPENSIVE] = {VERDICT_NONE, false,
	"done pattern is too expensive to match; it is switched off"},
    [SIGNAL_READY] = {VERDICT_NONE, false, NULL},
    [SIGNAL_UNDELIVERED] = {VERDICT_FAILED, false,
	"the prompt could not be given to the agent"},
    [SIGNAL_UNRECORDED] = {VERDICT_NONE, false, "the agent's output could not be recorded"},
};
_Static_assert(sizeof(signal_table) / sizeof(signal_table[0]) == SIGNAL_COUNT,
    "every signal means something");

static void
session_signal(struct deciding *d, const struct loop_session *one)
{
	enum signal_kind kind = d->in->signal;
	enum verdict verdict = signal_table[kind].verdict;
	bool ending = one->state == SESSION_ENDING;
	struct fact *f;

	if (d->in->seq <= one->seq)
		return; /* told again after a crash */
	f = fact_new(d, FACT_SIGNALLED);
	text_copy(f->session, sizeof(f->session), one->id);
	text_copy(f->text, sizeof(f->text), d->in->text);
	f->seq = d->in->seq;
	f->signal = kind;
	fact_emit(d, f);
	if (signal_table[kind].alert != NULL)
		alert(d, signal_table[kind].alert);
	if (kind == SIGNAL_DONE && d->s.phase == PHASE_OPEN) {
		/* It is done even if we were about to restart it. */
		end_session(d, one, VERDICT_DONE, true);
		f = fact_new(d, FACT_WANTED);
		f->wanted = WANT_STOP;
		f->reason = END_DONE_PATTERN;
		fact_emit(d, f);
	} else if (verdict != VERDICT_NONE && !ending && kind != SIGNAL_DONE) {
		end_session(d, one, verdict, signal_table[kind].politely);
	}
}

static enum verdict
judge(const struct loop_session *one, struct exit_status exit)
{
	if (one->verdict != VERDICT_NONE)
		return one->verdict;
	if (exit.how == EXIT_UNKNOWN)
		/* Lost with the supervisor or the machine is nobody's fault; lost under
		 * our eyes is a failure, or a crashing keeper would spin. */
		return one->unseen ? VERDICT_LOST : VERDICT_FAILED;
	return exit_ok(exit) ? VERDICT_DONE : VERDICT_FAILED;
}

static int64_t
count_failures(const struct loop_state *s, enum verdict verdict)
{
	switch (verdict_worth(verdict)) {
	case WORTH_SUCCESS:
		return 0;
	case WORTH_FAILURE:
		return s->failures + 1;
	case WORTH_NOTHING:
	default:
		return s->failures;
	}
}

static void
session_ended(struct deciding *d, const struct loop_session *one)
{
	struct loop_state *s = &d->s;
	enum verdict verdict = judge(one, d->in->exit);
	bool failed = verdict_worth(verdict) == WORTH_FAILURE;
	struct fact *f = fact_new(d, FACT_ENDED);

	text_copy(f->session, sizeof(f->session), one->id);
	f->iteration = one->iteration;
	f->verdict = verdict;
	f->exit = d->in->exit;
	f->duration = d->in->now.boot - one->started.boot;
	if (f->duration < 0)
		f->duration = 0;
	f->failures = count_failures(s, verdict);
	fact_emit(d, f);
	if (s->fetch == FETCH_DRY)
		s->fetch = FETCH_IDLE;

	if (s->phase != PHASE_OPEN)
		return;
	if (failed && s->policy.max_failures != UNLIMITED &&
	    s->failures >= s->policy.max_failures)
		close_loop(d, END_FAILURES, NULL, VERDICT_STOPPED);
	else if (s->wanted != WANT_RUN || iterations_used(s))
		return;
	else if (failed)
		hold(d, FACT_BACKOFF, loop_backoff(s->failures));
	else if (s->policy.delay > 0)
		hold(d, FACT_DELAYED, s->policy.delay);
}

static session_fn *const session_table[SESSION_STATES][SESSION_EVENTS] = {
    [SESSION_STARTING] =
	{
	    [ON_RUNNING] = session_running,
	    [ON_SIGNAL] = session_signal,
	    [ON_ENDED] = session_ended,
	},
    [SESSION_RUNNING] =
	{
	    [ON_RUNNING] = session_running, /* found again by a new supervisor */
	    [ON_SIGNAL] = session_signal,
	    [ON_ENDED] = session_ended,
	},
    [SESSION_ENDING] =
	{
	    [ON_RUNNING] = session_running,
	    [ON_SIGNAL] = session_signal,
	    [ON_ENDED] = session_ended,
	},
};

static void
session_input(struct deciding *d, enum session_event event)
{
	const struct loop_session *one = loop_find_session(&d->s, d->in->session);
	session_fn *fn = one == NULL ? NULL : session_table[one->state][event];
	struct loop_session before;

	if (fn == NULL) {
		d->out->illegal = true;
		return;
	}
	before = *one; /* facts change the copy of the state it lies in */
	fn(d, &before);
}

static void
on_running(struct deciding *d)
{
	session_input(d, ON_RUNNING);
}

static void
on_signal(struct deciding *d)
{
	session_input(d, ON_SIGNAL);
}

static void
on_ended(struct deciding *d)
{
	session_input(d, ON_ENDED);
}

/* ---- what happens to the loop -------------------------------------------- */

static void
supervised(struct deciding *d)
{
	struct fact *f = fact_new(d, FACT_SUPERVISED);

	f->pid = d->in->pid;
	text_copy(f->boot_id, sizeof(f->boot_id), d->in->boot_id);
	fact_emit(d, f);
}

static void
on_open(struct deciding *d)
{
	struct fact *f = fact_new(d, FACT_OPENED);

	text_copy(f->uid, sizeof(f->uid), d->in->uid);
	fact_emit(d, f);
	supervised(d);
}

/* What was pending when the last supervisor went is looked for; what it was
 * asked to end is asked again. */
static void
on_recover(struct deciding *d)
{
	supervised(d);
	d->s.fetch = FETCH_IDLE;
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		const struct loop_session *one = &d->s.sessions[i];

		if (one->state == SESSION_FREE)
			continue;
		effect_for(d, EFFECT_PROBE, one, false);
		if (one->state == SESSION_ENDING)
			effect_for(d, EFFECT_END, one, one->verdict == VERDICT_DONE);
	}
}

static void
on_recover_finished(struct deciding *d)
{
	supervised(d);
}

static void
want(struct deciding *d, enum wanted wanted)
{
	struct fact *f = fact_new(d, FACT_WANTED);

	f->wanted = wanted;
	fact_emit(d, f);
}

static void
on_want(struct deciding *d)
{
	enum wanted wanted = d->in->wanted;
	enum wanted now = d->s.wanted;

	switch (wanted) {
	case WANT_RUN:
		if (now == WANT_RUN)
			return;
		want(d, WANT_RUN);
		notice_all(d, false);
		return;
	case WANT_PAUSE:
		if (now != WANT_RUN)
			return;
		want(d, WANT_PAUSE);
		notice_all(d, true);
		return;
	case WANT_LEAVE:
		if (now == WANT_LEAVE)
			return;
		want(d, WANT_LEAVE);
		notice_all(d, true);
		return;
	case WANT_STOP:
		close_loop(d, d->in->reason, NULL, VERDICT_STOPPED);
		return;
	case WANT_COUNT:
	default:
		d->out->illegal = true;
	}
}

static void
reopen(struct deciding *d)
{
	if (d->in->wanted == WANT_RUN && loop_can_resume(&d->s))
		fact_emit(d, fact_new(d, FACT_REOPENED));
}

/* While the last agents are ending: a stop means "now"; a run takes the end back
 * unless all work is done. */
static void
on_want_draining(struct deciding *d)
{
	if (d->in->wanted == WANT_STOP) {
		for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
			if (d->s.sessions[i].state != SESSION_FREE)
				end_session(d, &d->s.sessions[i],
				    d->s.sessions[i].verdict == VERDICT_NONE
					? VERDICT_STOPPED
					: d->s.sessions[i].verdict,
				    false);
	} else if (!end_reason_complete(d->s.reason)) {
		reopen(d);
	}
}

static bool
task_is_active(const struct loop_state *s, const char *task)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (s->sessions[i].state != SESSION_FREE &&
		    strcmp(s->sessions[i].task, task) == 0)
			return true;
	return false;
}

static void
on_task(struct deciding *d)
{
	struct loop_state *s = &d->s;
	struct fact *f;

	/* The world may have changed while the source looked: then the task is
	 * simply not started, and asked for again when its time comes. */
	s->fetch = task_is_active(s, d->in->task) ? FETCH_DRY : FETCH_IDLE;
	if (s->fetch == FETCH_DRY || !may_start(s, d->in->now.boot))
		return;
	f = fact_new(d, FACT_STARTED);
	f->iteration = s->iteration + 1;
	(void)snprintf(
	    f->session, sizeof(f->session), "%s-%lld", s->uid, (long long)f->iteration);
	text_copy(f->task, sizeof(f->task), d->in->task);
	fact_emit(d, f);
	effect_for(d, EFFECT_START, loop_find_session(s, f->session), false);
}

static void
on_no_task(struct deciding *d)
{
	d->s.fetch = FETCH_DRY;
	if (d->in->reason == END_SOURCE_ERROR)
		close_loop(d, END_SOURCE_ERROR, d->in->text, VERDICT_NONE);
	else if (loop_active(&d->s) == 0)
		close_loop(d, d->in->reason, d->in->text, VERDICT_NONE);
}

static void
on_late_answer(struct deciding *d)
{
	d->s.fetch = FETCH_IDLE;
}

static void
on_timer(struct deciding *d)
{
	(void)d; /* the schedule looks at the clock itself */
}

static void
on_edit(struct deciding *d)
{
	struct fact *f;

	if (strcmp(d->in->key, "max_iterations") != 0 ||
	    (d->in->value < 1 && d->in->value != UNLIMITED) ||
	    d->in->value == d->s.policy.max_iterations)
		return;
	f = fact_new(d, FACT_EDITED);
	text_copy(f->key, sizeof(f->key), d->in->key);
	f->value = d->in->value;
	fact_emit(d, f);
}

static void
on_alert(struct deciding *d)
{
	alert(d, d->in->text);
}

typedef void input_fn(struct deciding *d);

static input_fn *const input_table[PHASE_COUNT][IN_COUNT] = {
    [PHASE_NEW] =
	{
	    [IN_OPEN] = on_open,
	},
    [PHASE_OPEN] =
	{
	    [IN_RECOVER] = on_recover,
	    [IN_WANT] = on_want,
	    [IN_TASK] = on_task,
	    [IN_NO_TASK] = on_no_task,
	    [IN_RUNNING] = on_running,
	    [IN_SIGNAL] = on_signal,
	    [IN_ENDED] = on_ended,
	    [IN_TIMER] = on_timer,
	    [IN_EDIT] = on_edit,
	    [IN_ALERT] = on_alert,
	},
    [PHASE_DRAINING] =
	{
	    [IN_RECOVER] = on_recover,
	    [IN_WANT] = on_want_draining,
	    [IN_TASK] = on_late_answer,
	    [IN_NO_TASK] = on_late_answer,
	    [IN_RUNNING] = on_running,
	    [IN_SIGNAL] = on_signal,
	    [IN_ENDED] = on_ended,
	    [IN_TIMER] = on_timer,
	    [IN_EDIT] = on_edit,
	    [IN_ALERT] = on_alert,
	},
    [PHASE_FINISHED] =
	{
	    [IN_RECOVER] = on_recover_finished,
	    [IN_WANT] = reopen,
	    [IN_TASK] = on_late_answer,
	    [IN_NO_TASK] = on_late_answer,
	    [IN_TIMER] = on_timer,
	    [IN_EDIT] = on_edit,
	    [IN_ALERT] = on_alert,
	},
};

void
loop_decide(const struct loop_state *state, const struct loop_input *in, struct decision *out)
{
	struct deciding d = {.s = *state, .in = in, .out = out};
	input_fn *fn = in->kind < IN_COUNT ? input_table[state->phase][in->kind] : NULL;

	out->nfacts = 0;
	out->neffects = 0;
	out->illegal = fn == NULL;
	if (fn != NULL) {
		fn(&d);
		schedule(&d);
	}
	out->fetch = d.s.fetch;
}

bool
loop_deadline(const struct loop_state *state, struct when *at)
{
	struct when run = state->resumed;

	if (state->phase != PHASE_OPEN || state->wanted != WANT_RUN)
		return false;
	*at = state->hold;
	if (state->policy.max_runtime <= 0)
		return at->boot != 0;
	run.boot += state->policy.max_runtime;
	run.wall += state->policy.max_runtime;
	if (at->boot == 0 || run.boot < at->boot)
		*at = run;
	return true;
}
