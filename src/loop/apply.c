/*
 * apply.c - the fold: what each fact does to the state.
 *
 * Nothing here decides, so replaying an old journal gives the same state in
 * every later version.  A fact about a session we do not know is ignored.
 */
#include "loop/loop.h"

#include <string.h>

#define NSEC INT64_C(1000000000)
#define HOLD_MAX (INT64_C(86400) * NSEC)

void
loop_init(struct loop_state *state, const struct settings *settings)
{
	memset(state, 0, sizeof(*state));
	state->policy = (struct policy){
	    .max_iterations = settings->max_iterations,
	    .max_failures = settings->max_failures,
	    .parallel = settings->parallel,
	    .delay = settings->delay,
	    .max_runtime = settings->max_runtime,
	    .inactivity_timeout = settings->inactivity_timeout,
	};
}

static void
copy(char *to, const char *from, size_t size)
{
	size_t len = strlen(from);

	if (len >= size)
		len = size - 1;
	memcpy(to, from, len);
	to[len] = '\0';
}

const struct loop_session *
loop_find_session(const struct loop_state *state, const char *id)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		const struct loop_session *s = &state->sessions[i];

		if (s->state != SESSION_FREE && strcmp(s->id, id) == 0)
			return s;
	}
	return NULL;
}

static struct loop_session *
find(struct loop_state *state, const char *id)
{
	const struct loop_session *s = loop_find_session(state, id);

	return s == NULL ? NULL : &state->sessions[s - state->sessions];
}

static void
apply_opened(struct loop_state *s, const struct fact *f)
{
	s->phase = PHASE_OPEN;
	s->wanted = WANT_RUN;
	copy(s->uid, f->uid, sizeof(s->uid));
	s->opened = s->resumed = f->at;
}

/* A moment of another boot has no boot time here: work it out from the wall clock. */
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
apply_supervised(struct loop_state *s, const struct fact *f)
{
	bool rebooted = s->boot_id[0] != '\0' && strcmp(s->boot_id, f->boot_id) != 0;

	copy(s->boot_id, f->boot_id, sizeof(s->boot_id));
	s->resumed = f->at;
	/* The supervisor that was to leave has left. */
	if (s->wanted == WANT_LEAVE)
		s->wanted = WANT_PAUSE;
	if (rebooted)
		rebase_hold(&s->hold, &f->at);
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		struct loop_session *one = &s->sessions[i];

		one->unseen = one->state != SESSION_FREE;
		if (one->unseen && rebooted)
			rebase(&one->started, &f->at);
	}
}

static void
apply_wanted(struct loop_state *s, const struct fact *f)
{
	if (s->phase == PHASE_FINISHED)
		return;
	if (f->wanted == WANT_RUN && s->wanted != WANT_RUN)
		s->resumed = f->at;
	s->wanted = f->wanted;
	/* Pausing ends a wait at once, and resuming starts at once. */
	memset(&s->hold, 0, sizeof(s->hold));
	if (f->wanted == WANT_STOP) {
		s->phase = PHASE_DRAINING;
		s->reason = f->reason;
		copy(s->text, f->text, sizeof(s->text));
	}
}

static void
apply_started(struct loop_state *s, const struct fact *f)
{
	struct loop_session *one = NULL;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS && one == NULL; i++)
		if (s->sessions[i].state == SESSION_FREE)
			one = &s->sessions[i];
	s->iteration = f->iteration;
	s->iteration_started = f->at;
	memset(&s->hold, 0, sizeof(s->hold));
	if (one == NULL)
		return;
	memset(one, 0, sizeof(*one));
	one->state = SESSION_STARTING;
	copy(one->id, f->session, sizeof(one->id));
	copy(one->task, f->task, sizeof(one->task));
	one->iteration = f->iteration;
	one->started = f->at;
}

static void
apply_running(struct loop_state *s, const struct fact *f)
{
	struct loop_session *one = find(s, f->session);

	if (one == NULL)
		return;
	one->pid = f->pid;
	one->unseen = false;
	if (one->state == SESSION_STARTING)
		one->state = SESSION_RUNNING;
}

static void
apply_signalled(struct loop_state *s, const struct fact *f)
{
	struct loop_session *one = find(s, f->session);

	if (one != NULL && f->seq > one->seq)
		one->seq = f->seq;
}

static void
apply_ending(struct loop_state *s, const struct fact *f)
{
	struct loop_session *one = find(s, f->session);

	if (one == NULL)
		return;
	one->state = SESSION_ENDING;
	one->verdict = f->verdict;
}

static void
apply_ended(struct loop_state *s, const struct fact *f)
{
	struct loop_session *one = find(s, f->session);

	if (one == NULL)
		return;
	memset(one, 0, sizeof(*one));
	s->ended++;
	s->iteration_ended = f->at;
	s->failures = f->failures;
	if (verdict_worth(f->verdict) == WORTH_FAILURE)
		s->total_failures++;
}

static void
apply_hold(struct loop_state *s, const struct fact *f)
{
	s->hold = f->until;
	s->hold_is_backoff = f->kind == FACT_BACKOFF;
}

static void
apply_edited(struct loop_state *s, const struct fact *f)
{
	if (strcmp(f->key, "max_iterations") == 0)
		s->policy.max_iterations = f->value;
}

static void
apply_finished(struct loop_state *s, const struct fact *f)
{
	s->phase = PHASE_FINISHED;
	s->wanted = WANT_STOP;
	s->reason = f->reason;
	copy(s->text, f->text, sizeof(s->text));
	s->finished = f->at;
	memset(&s->hold, 0, sizeof(s->hold));
}

static void
apply_reopened(struct loop_state *s, const struct fact *f)
{
	s->phase = PHASE_OPEN;
	s->wanted = WANT_RUN;
	s->reason = END_NONE;
	s->text[0] = '\0';
	s->failures = 0;
	s->resumed = f->at;
	memset(&s->finished, 0, sizeof(s->finished));
	memset(&s->hold, 0, sizeof(s->hold));
}

static void
apply_nothing(struct loop_state *s, const struct fact *f)
{
	(void)s;
	(void)f;
}

typedef void apply_fn(struct loop_state *s, const struct fact *f);

static apply_fn *const apply_table[] = {
    [FACT_OPENED] = apply_opened,
    [FACT_SUPERVISED] = apply_supervised,
    [FACT_WANTED] = apply_wanted,
    [FACT_STARTED] = apply_started,
    [FACT_RUNNING] = apply_running,
    [FACT_SIGNALLED] = apply_signalled,
    [FACT_ENDING] = apply_ending,
    [FACT_ENDED] = apply_ended,
    [FACT_BACKOFF] = apply_hold,
    [FACT_DELAYED] = apply_hold,
    [FACT_EDITED] = apply_edited,
    [FACT_ALERT] = apply_nothing,
    [FACT_FINISHED] = apply_finished,
    [FACT_REOPENED] = apply_reopened,
};
_Static_assert(
    sizeof(apply_table) / sizeof(apply_table[0]) == FACT_COUNT, "every fact is applied");

void
loop_apply(struct loop_state *state, const struct fact *fact)
{
	apply_table[fact->kind](state, fact);
}

void
loop_commit(struct loop_state *state, const struct decision *decision)
{
	for (size_t i = 0; i < decision->nfacts; i++)
		loop_apply(state, &decision->facts[i]);
	state->fetch = decision->fetch;
}

size_t
loop_active(const struct loop_state *state)
{
	size_t n = 0;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		n += state->sessions[i].state != SESSION_FREE;
	return n;
}

const char *
loop_status(const struct loop_state *state)
{
	if (state->phase == PHASE_FINISHED)
		return end_reason_status(state->reason);
	if (state->wanted == WANT_PAUSE || state->wanted == WANT_LEAVE)
		return "paused";
	return "running";
}

bool
loop_can_resume(const struct loop_state *state)
{
	if (state->phase != PHASE_FINISHED)
		return state->phase == PHASE_OPEN || state->phase == PHASE_DRAINING;
	if (state->reason == END_MAX_ITERATIONS)
		return state->policy.max_iterations == UNLIMITED ||
		       state->iteration < state->policy.max_iterations;
	return !end_reason_complete(state->reason);
}
