/*
 * schedule.c - when the next agent starts, and when the loop is over.
 */
#include "loop/deciding.h"

#include <inttypes.h>

#define LIMIT_FIRST (60 * NSEC)
#define LIMIT_LAST (600 * NSEC)
/* Limits last a week at most; a day more is for clocks that differ. */
#define LIMIT_TOLD_MAX (8 * 86400 * NSEC)

/* ---- the end ------------------------------------------------------------- */

/* Is the end worth an alert?  A user who limits tickets wants some left for the next run; a
 * user with tasks does not.  Work that is known to wait for its branch has an alert of its
 * own. */
static bool
alerts(const struct deciding *d, enum end_reason reason)
{
	const struct regime_marks marks = regime_marks(d->s.policy.regime);

	if (reason == END_UNLANDED)
		return d->in->unlanded == NULL || d->s.unlanded > 0;
	return reason != END_MAX_TICKETS || marks.leads || marks.tracked;
}

static void
alert_unlanded(struct deciding *d)
{
	if (d->in->unlanded != NULL)
		decide_alert(d, "done, but not on its branch yet: %s", d->in->unlanded);
}

/* Alerts of tasks that others closed: nobody checked that work. */
static void
alert_others(struct deciding *d)
{
	if (d->in->others != NULL && *d->in->others != '\0')
		decide_alert(
		    d, "closed or removed by others, not by this loop: %s", d->in->others);
}

static void
schedule_finish(struct deciding *d, enum end_reason reason, const char *text)
{
	const struct ending ending = {
	    .state = &d->s, .reason = reason, .iteration = d->s.iteration, .text = text};
	char line[ENDING_MAX];
	bool alarming = ending_say(&ending, SAY_ALERT, line) && alerts(d, reason);
	struct fact *f = fact_new(d, FACT_FINISHED);

	f->reason = reason;
	f->iteration = d->s.iteration;
	loop_text_copy(f->text, sizeof(f->text), text);
	loop_text_copy(f->why, sizeof(f->why), d->in->unlanded);
	loop_text_copy(f->others, sizeof(f->others), d->in->others);
	fact_emit(d, f);
	if (alarming)
		decide_alert(d, "%s", line);
	alert_unlanded(d);
	alert_others(d);
	effect_new(d, EFFECT_EXIT)->code = end_reason_code(reason);
}

void
schedule_close(
    struct deciding *d, enum end_reason reason, const char *text, enum verdict verdict)
{
	if (loop_active(&d->s) == 0) {
		schedule_finish(d, reason, text);
		return;
	}
	decide_want(d, WANT_STOP, reason, text);
	if (verdict == VERDICT_NONE)
		return; /* schedule_next lets agents without a task go */
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		const struct loop_session *one = &d->s.sessions[i];

		if (is_at_work(one))
			decide_end_session(d, one, verdict, false);
		else if (one->state != SESSION_FREE && one->state != SESSION_WAITING)
			effect_for(d, EFFECT_END, one, false);
	}
}

/* Names one reason.  Reasons that another run could remove come first: failures, then tasks
 * that are left.  Unchecked work and work that only waits for its branch need a person; they
 * are the reason when there is no other, and are told with every other reason. */
enum end_reason
schedule_tasks_over(const struct deciding *d, enum end_reason otherwise)
{
	bool unlanded = d->in->unlanded != NULL || d->s.unlanded > 0;

	if (d->s.failed > 0)
		return END_SOME_FAILED;
	if (!end_reason_complete(otherwise))
		return otherwise;
	return d->in->unchecked ? END_UNCHECKED : unlanded ? END_UNLANDED : otherwise;
}

enum end_reason
schedule_iterations_over(const struct loop_state *s, enum end_reason otherwise)
{
	return s->policy.judged != 0 && regime_row(&s->policy)->spoilt(s) ? END_SOME_FAILED
									  : otherwise;
}

/* The end reason of a loop whose iterations are used. */
static enum end_reason
used_up(const struct loop_state *s)
{
	bool given = regime_row(&s->policy)->marks.given;

	if (s->policy.judged != 0 && (s->policy.sought != 0 || given))
		return END_NOT_DONE;
	return schedule_iterations_over(s, END_MAX_ITERATIONS);
}

/* Is the source asked at the limit, too, whether tasks are left?  In a loop that is not judged
 * the answer makes no difference. */
static bool
looks_at_the_end(const struct loop_state *s)
{
	const struct regime_row *row = regime_row(&s->policy);

	return row->knows && (row->marks.lands || s->policy.judged != 0);
}

/* ---- the next start ------------------------------------------------------ */

bool
schedule_iterations_used(const struct loop_state *s)
{
	if (regime_row(&s->policy)->marks.lands && s->iteration >= LOOP_MAX_TASKS)
		return true; /* more cannot be remembered */
	return s->policy.max_iterations != UNLIMITED &&
	       s->iteration - s->returned >= s->policy.max_iterations;
}

static bool
held(const struct loop_state *s, int64_t now)
{
	return s->hold.boot != 0 && now < s->hold.boot;
}

bool
loop_out_of_time(const struct loop_state *s, int64_t now)
{
	return s->policy.max_runtime > 0 && now - s->resumed.boot >= s->policy.max_runtime;
}

/* A waiting agent that has not been found again since a crash may be gone. */
static bool
agents_known(const struct loop_state *s)
{
	const struct loop_session *agent = led_waiting_agent(s);

	return agent == NULL || !agent->unseen;
}

static size_t
resting(const struct loop_state *s, int64_t now)
{
	size_t n = 0;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		n += s->rests[i].boot > now;
	return n;
}

/* Is it time to start a session, and is there a free slot besides `others`? */
static bool
has_slot(const struct loop_state *s, int64_t now, size_t others)
{
	return s->phase == PHASE_OPEN && s->wanted == WANT_RUN && !s->left && !held(s, now) &&
	       !loop_out_of_time(s, now) &&
	       loop_busy(s) + others < (size_t)s->policy.parallel &&
	       loop_active(s) < LOOP_MAX_SESSIONS && agents_known(s);
}

bool
schedule_has_room(const struct loop_state *s, int64_t now)
{
	return has_slot(s, now, resting(s, now));
}

size_t
schedule_slots_resting(const struct loop_state *s, int64_t now)
{
	return has_slot(s, now, 0) ? resting(s, now) : 0;
}

/* Even while all free slots rest, a source that knows its tasks is asked whether any are
 * left. */
bool
schedule_may_look(const struct loop_state *s, int64_t now)
{
	return schedule_has_room(s, now) ||
	       (has_slot(s, now, 0) && regime_row(&s->policy)->knows);
}

bool
schedule_may_start(const struct loop_state *s, int64_t now)
{
	return schedule_has_room(s, now) && !schedule_iterations_used(s);
}

static bool
any_at_work(const struct loop_state *s)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (is_at_work(&s->sessions[i]))
			return true;
	return false;
}

/* Do we wait for an agent that is at work, but not for ever? */
static bool
leaves_in_time(const struct loop_state *s)
{
	return s->wanted == WANT_LEAVE && s->policy.term_wait > 0 && any_at_work(s);
}

/* Ends the agents at work.  The loop stays as it is: interrupted work goes on later. */
static void
leave_now(struct deciding *d)
{
	decide_alert(d,
	    "the agent has not finished within %" PRId64 " s of SIGTERM; it is ended",
	    d->s.policy.term_wait / NSEC);
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (is_at_work(&d->s.sessions[i]))
			decide_end_session(d, &d->s.sessions[i], VERDICT_STOPPED, false);
}

void
schedule_next(struct deciding *d)
{
	struct loop_state *s = &d->s;
	int64_t now = d->in->now.boot;

	if (s->phase == PHASE_DRAINING ||
	    (s->phase == PHASE_OPEN && s->wanted == WANT_LEAVE && loop_busy(s) == 0))
		led_dismiss_waiting(d);
	if (s->phase == PHASE_DRAINING && loop_active(s) == 0) {
		schedule_finish(d, s->reason, s->text);
		return;
	}
	if (s->phase != PHASE_OPEN || s->left)
		return;
	if (leaves_in_time(s) && now - s->leave_asked.boot >= s->policy.term_wait)
		leave_now(d);
	if (s->wanted == WANT_LEAVE && loop_active(s) == 0) {
		effect_new(d, EFFECT_EXIT)->code = EX_TERMINATED;
		return;
	}
	if ((s->wanted == WANT_RUN || loop_active(s) > 0) && loop_out_of_time(s, now)) {
		/* Running out of time is no success, except where the seed's rules hold. */
		bool judged = s->policy.judged != 0 || regime_row(&s->policy)->marks.lands;

		schedule_close(d, judged ? END_OUT_OF_TIME : END_MAX_RUNTIME, d->in->blocked,
		    VERDICT_STOPPED);
		return;
	}
	if (s->wanted == WANT_RUN && schedule_iterations_used(s) && loop_active(s) == 0 &&
	    !looks_at_the_end(s)) {
		schedule_close(d, used_up(s), NULL, VERDICT_NONE);
		return;
	}
	if (s->fetch == FETCH_RESTS && schedule_has_room(s, now))
		s->fetch = FETCH_IDLE;
	if (s->fetch == FETCH_IDLE && schedule_may_look(s, now) &&
	    (!schedule_iterations_used(s) || loop_busy(s) == 0)) {
		s->fetch = FETCH_ASKED;
		effect_new(d, EFFECT_FETCH)->looks = schedule_iterations_used(s);
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

int64_t
loop_limit_wait(int64_t limits)
{
	int64_t wait = LIMIT_FIRST;

	while (--limits > 0 && wait < LIMIT_LAST)
		wait *= 2;
	return wait < LIMIT_LAST ? wait : LIMIT_LAST;
}

static struct fact *
fact_hold(struct deciding *d, enum fact_kind kind, int64_t delay)
{
	struct fact *f = fact_new(d, kind);

	f->delay = delay;
	f->until.boot = d->in->now.boot + delay;
	f->until.wall = d->in->now.wall + delay;
	return f;
}

/* Holds the loop until the moment that the agent named.  A moment that has passed already, or
 * that was named again and again, is not relied on. */
void
schedule_hold_for_limit(struct deciding *d, const struct loop_session *one)
{
	const struct loop_state *s = &d->s;
	bool waiting = s->hold_is_limit && s->hold.boot > d->in->now.boot;
	int64_t n = s->limits + !waiting;
	int64_t told = one->resets == 0 ? 0 : one->resets - d->in->now.wall;
	int64_t delay = loop_limit_wait(n);
	struct fact *f;

	if (told > 0 && told <= LIMIT_TOLD_MAX && (n <= 1 || told > delay))
		delay = told;
	/* Another agent of this loop may have named a later moment. */
	if (waiting && s->hold.boot - d->in->now.boot > delay)
		delay = s->hold.boot - d->in->now.boot;
	f = fact_hold(d, FACT_LIMITED, delay);
	loop_text_copy(f->task, sizeof(f->task), one->task);
	f->failures = n;
	fact_emit(d, f);
}

void
schedule_hold(struct deciding *d, enum fact_kind kind, int64_t delay)
{
	struct fact *f = fact_hold(d, kind, delay);

	if (kind == FACT_BACKOFF)
		f->failures = d->s.failures;
	if (kind == FACT_UNANSWERED)
		loop_text_copy(f->text, sizeof(f->text), d->in->text);
	fact_emit(d, f);
}

/* Moves *at to `from` plus `span` when that is earlier; no span: never. */
static void
sooner(struct when *at, struct when from, int64_t span)
{
	if (span <= 0 || (at->boot != 0 && at->boot <= from.boot + span))
		return;
	at->boot = from.boot + span;
	at->wall = from.wall + span;
}

/* Moves *at to `other` when that is still to come and earlier. */
static void
sooner_of(struct when *at, const struct when *other, int64_t now)
{
	if (other->boot > now && (at->boot == 0 || other->boot < at->boot))
		*at = *other;
}

/* The first rest that ends. */
static struct when
rest_end(const struct loop_state *s, int64_t now)
{
	struct when first = {0};

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		sooner_of(&first, &s->rests[i], now);
	return first;
}

bool
loop_waits(const struct loop_state *state, int64_t now, struct when *until)
{
	if (loop_active(state) > 0)
		return false;
	*until = held(state, now)					 ? state->hold
		 : resting(state, now) >= (size_t)state->policy.parallel ? rest_end(state, now)
									 : (struct when){0};
	return until->boot != 0;
}

bool
loop_deadline(const struct loop_state *state, int64_t now, struct when *at)
{
	const struct when rested = rest_end(state, now);
	bool runs = state->phase == PHASE_OPEN && state->wanted == WANT_RUN;

	/* An agent that a pause lets finish has no more time than any other. */
	if (state->left || (!runs && (state->phase != PHASE_OPEN || loop_active(state) == 0)))
		return false;
	*at = (struct when){0};
	sooner_of(at, &state->hold, now);
	sooner_of(at, &rested, now);
	sooner(at, state->resumed, state->policy.max_runtime);
	if (leaves_in_time(state))
		sooner(at, state->leave_asked, state->policy.term_wait);
	return at->boot != 0;
}
