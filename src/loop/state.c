/*
 * state.c - the state of a loop: how it begins, copies of it, and what it says of the loop.
 */
#include "loop/deciding.h"

#include <stddef.h>
#include <string.h>

/* ---- beginnings and copies ---------------------------------------------------------- */

/* The verdicts whose causes are among these words, as bits. */
static int64_t
retry_mask(char *const *words)
{
	int64_t mask = 0;

	for (size_t i = 0; words != NULL && words[i] != NULL; i++)
		for (int v = 0; v < VERDICT_COUNT; v++)
			if (verdict_cause((enum verdict)v) != CAUSE_NONE &&
			    strcmp(cause_name(verdict_cause((enum verdict)v)), words[i]) == 0)
				mask |= INT64_C(1) << v;
	return mask;
}

/* How many sessions there are up to the last one in use. */
static size_t
sessions_used(const struct loop_state *state)
{
	size_t n = LOOP_MAX_SESSIONS;

	while (n > 0 && state->sessions[n - 1].state == SESSION_FREE)
		n--;
	return n;
}

void
loop_clear(struct loop_state *state)
{
	const struct policy policy = state->policy;

	/* What is zero already is not written to: most of it never needs any memory. */
	memset(state->sessions, 0, sessions_used(state) * sizeof(state->sessions[0]));
	memset(state, 0, offsetof(struct loop_state, sessions));
	state->policy = policy;
}

void
loop_init(struct loop_state *state, const struct settings *settings, enum regime regime)
{
	loop_clear(state);
	state->policy = (struct policy){
	    .regime = regime,
	    .max_iterations = settings->max_iterations,
	    .max_failures = settings->max_failures,
	    .parallel = settings->parallel,
	    .delay = settings->delay,
	    .max_runtime = settings->max_runtime,
	    .inactivity_timeout = settings->inactivity_timeout,
	    .attempts = settings->attempts,
	    .retry_on = retry_mask(settings->retry_on),
	    .untagged = settings->untagged,
	    .success = settings->success,
	    .exits = settings->mode == MODE_PIPE,
	    .interventions = settings->interventions,
	    .nudges = settings->nudges,
	    .judged = settings->judged,
	    .sought = settings->done_pattern != NULL,
	    .term_wait = settings->term_wait,
	};
}

void
loop_copy(struct loop_state *to, const struct loop_state *from)
{
	size_t used = sessions_used(from), before = sessions_used(to);

	memcpy(
	    to, from, offsetof(struct loop_state, sessions) + used * sizeof(from->sessions[0]));
	if (before > used)
		memset(&to->sessions[used], 0, (before - used) * sizeof(to->sessions[0]));
	memcpy(to->tasks, from->tasks, from->ntasks * sizeof(from->tasks[0]));
}

/* ---- sessions ----------------------------------------------------------------------- */

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

size_t
loop_busy(const struct loop_state *state)
{
	size_t n = 0;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		n += state->sessions[i].state != SESSION_FREE &&
		     state->sessions[i].state != SESSION_WAITING;
	return n;
}

size_t
loop_active(const struct loop_state *state)
{
	size_t n = 0;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		n += state->sessions[i].state != SESSION_FREE;
	return n;
}

/* ---- words ------------------------------------------------------------------------ */

const char *
loop_status(const struct loop_state *state)
{
	if (state->phase == PHASE_FINISHED)
		return end_reason_status(state->reason);
	if (state->wanted == WANT_PAUSE || state->wanted == WANT_LEAVE)
		return "paused";
	return state->left && state->wanted == WANT_RUN ? "between-turns" : "running";
}

bool
loop_keeps_seed(const struct loop_state *state)
{
	return state->policy.judged == 0 && !regime_row(&state->policy)->knows;
}

const char *
loop_word(const struct loop_state *state)
{
	if (state->phase == PHASE_FINISHED && !loop_keeps_seed(state))
		return end_reason_word(state->reason);
	return loop_status(state);
}

bool
loop_may_finish(const struct loop_session *one)
{
	return one->verdict == VERDICT_DONE;
}

/* Did the loop end because its iterations are over? */
static bool
is_used_up(const struct loop_state *s)
{
	return end_reason_by(s->reason) == BY_COUNT ||
	       (s->reason == END_SOME_FAILED && !regime_row(&s->policy)->marks.lands);
}

bool
loop_can_resume(const struct loop_state *state)
{
	if (state->phase != PHASE_FINISHED)
		return state->phase == PHASE_OPEN || state->phase == PHASE_DRAINING;
	if (is_used_up(state))
		return state->policy.max_iterations == UNLIMITED ||
		       state->iteration - state->returned < state->policy.max_iterations;
	return !end_reason_complete(state->reason);
}
