/*
 * regime.c - the functions in which the regimes differ, and the table of them.
 */
#include "loop/deciding.h"

#define FAIL_FAST "No ticket is started after a failure (--fail-fast); there may be more."

/* ---- is an end that went well a success? ------------------------------------------ */

static enum verdict
regime_weigh_exit(const struct policy *policy UNUSED, const struct loop_session *one UNUSED,
    bool closed UNUSED)
{
	return VERDICT_DONE;
}

static enum verdict
regime_weigh_closed(
    const struct policy *policy UNUSED, const struct loop_session *one UNUSED, bool closed)
{
	return closed ? VERDICT_DONE : VERDICT_NOT_CLOSED;
}

static enum verdict
regime_weigh_evidence(const struct policy *policy, const struct loop_session *one, bool closed)
{
	bool promised = one->promised && policy->success == SUCCESS_EVIDENCE;

	return closed || promised || policy->success == SUCCESS_EXIT ? VERDICT_DONE
								     : VERDICT_NOT_CLOSED;
}

/* An agent without a terminal that ends after a question waits for its answer (ASKED). */
static enum verdict
regime_weigh_led(const struct policy *policy, const struct loop_session *one, bool closed)
{
	if (one->promised && closed)
		return VERDICT_DONE;
	return policy_is_deaf(policy) && one->tell == TELL_HELP ? VERDICT_ASKED
								: VERDICT_NOT_CLOSED;
}

/* ---- how did a session end? -------------------------------------------------------- */

static enum verdict
judge_exit(const struct deciding *d, const struct loop_session *one)
{
	struct exit_status exit = d->in->exit;

	/* A session that was lost with the supervisor or the machine is nobody's fault; one
	 * that was lost under our eyes is a failure, or a crashing keeper would spin. */
	if (exit.how == EXIT_UNKNOWN)
		return one->unseen ? VERDICT_LOST : VERDICT_FAILED;
	if (!exit_ok(exit))
		return VERDICT_FAILED;
	return regime_row(&d->s.policy)->weigh(&d->s.policy, one, d->in->closed);
}

/* The verdict with which the session was ended, else that of its exit.  The word of an agent
 * that is led was checked before. */
static enum verdict
regime_judge_ended(const struct deciding *d, const struct loop_session *one)
{
	return one->verdict != VERDICT_NONE ? one->verdict : judge_exit(d, one);
}

/* A promise may have ended the session; a promise alone is no success. */
static enum verdict
regime_judge_usual(const struct deciding *d, const struct loop_session *one)
{
	const struct policy *policy = &d->s.policy;
	bool kept_out = verdict_cost(one->verdict) == COST_NOTHING;

	if (d->in->closed && kept_out && exit_ok(d->in->exit))
		return VERDICT_DONE;
	if (one->verdict == VERDICT_DONE)
		return regime_row(policy)->weigh(policy, one, d->in->closed);
	return regime_judge_ended(d, one);
}

/* A task that is done is done, however its agent ended. */
static enum verdict
regime_judge_tracked(const struct deciding *d, const struct loop_session *one)
{
	return d->in->closed ? VERDICT_DONE : regime_judge_usual(d, one);
}

/* ---- the agent says that it is done -------------------------------------------------- */

/* The done pattern ends the loop, and the session even if it was about to be restarted. */
static void
regime_done_stops(struct deciding *d, const struct loop_session *one)
{
	if (d->s.phase != PHASE_OPEN)
		return;
	decide_end_session(d, one, VERDICT_DONE, true);
	decide_want(d, WANT_STOP, END_DONE_PATTERN, NULL);
}

/* A promise asks for an end; evidence grants it (judge). */
static void
regime_done_ends(struct deciding *d, const struct loop_session *one)
{
	if (one->state != SESSION_ENDING && !policy_is_deaf(&d->s.policy))
		decide_end_session(d, one, VERDICT_DONE, true);
}

static void
regime_done_checks(struct deciding *d, const struct loop_session *one)
{
	led_signalled(d, one);
}

/* ---- after a failure ---------------------------------------------------------------- */

static bool
regime_waits_always(const struct deciding *d UNUSED)
{
	return true;
}

static bool
regime_waits_unstarted(const struct deciding *d)
{
	return d->in->exit.how == EXIT_NOSTART;
}

static bool
regime_waits_never(const struct deciding *d UNUSED)
{
	return false;
}

static void
regime_fails(struct deciding *d)
{
	schedule_close(d, END_FAILURES, NULL, VERDICT_STOPPED);
}

/* Other tickets' agents may finish: their work is as good as before. */
static void
regime_fails_fast(struct deciding *d)
{
	schedule_close(d, END_SOME_FAILED, FAIL_FAST, VERDICT_NONE);
}

/* ---- the iterations are used, and there is more -------------------------------------- */

static void
regime_limit_led(struct deciding *d)
{
	schedule_close(d, END_MAX_TICKETS, NULL, VERDICT_NONE);
}

static void
regime_limit_tracked(struct deciding *d)
{
	schedule_close(d, schedule_iterations_over(&d->s, END_MAX_TICKETS), NULL, VERDICT_NONE);
}

/* The text names the tickets that wait for something.  Where failures are the reason, the text
 * also says that there are more; for a graph, which has a text of its own, ending.c says so. */
static void
regime_limit_landed(struct deciding *d)
{
	const char *blocked = d->in->waiting > 0 ? d->in->text : NULL;
	const struct ending left = {.state = &d->s, .reason = END_MAX_TICKETS, .text = blocked};
	char more[ENDING_MAX];

	(void)ending_say(&left, SAY_TICKETS, more);
	schedule_close(d, schedule_tasks_over(d, END_MAX_TICKETS),
	    d->s.failed > 0 ? more : blocked, VERDICT_NONE);
}

/* ---- did the run go well? ------------------------------------------------------------ */

/* When every counted iteration ended idle, nothing is known to have gone well. */
static bool
regime_spoilt_iterations(const struct loop_state *s)
{
	return s->spoilt > 0 || (s->idled > 0 && s->idled >= s->iteration - s->returned);
}

/* Judges by the tasks, which the source knows, and not by how the agents ended. */
static bool
regime_spoilt_tasks(const struct loop_state *s)
{
	return s->failed + s->unfinished > 0;
}

/* ---- the table ----------------------------------------------------------------------- */

static const struct regime_row rows[] = {
#define X(id, lands_, leads_, keeps_, tracked_, given_, thing_, voice_, weigh_, judge_, done_, \
    waits_, fails_, limit_, spoilt_)                                                           \
	{.marks = {lands_, leads_, keeps_, tracked_, given_},                                  \
	    .knows = (lands_) || (tracked_),                                                   \
	    .thing = thing_,                                                                   \
	    .voice = SAY_##voice_,                                                             \
	    .weigh = regime_##weigh_,                                                          \
	    .judge = regime_##judge_,                                                          \
	    .said_done = regime_##done_,                                                       \
	    .backs_off = regime_##waits_,                                                      \
	    .give_up = regime_##fails_,                                                        \
	    .at_limit = regime_##limit_,                                                       \
	    .spoilt = regime_##spoilt_},
    REGIMES(X)
#undef X
};

const struct regime_row *
regime_row(const struct policy *policy)
{
	return &rows[policy->regime];
}

struct regime_marks
regime_marks(enum regime regime)
{
	return rows[regime].marks;
}

enum regime
regime_of(struct regime_marks marks)
{
	if (marks.leads)
		return marks.keeps ? REGIME_KEPT : REGIME_LED;
	if (marks.lands)
		return REGIME_LANDED;
	if (marks.tracked)
		return REGIME_TRACKED;
	return marks.given ? REGIME_GIVEN : REGIME_REPEAT;
}
