/*
 * outcome.c - tells the sources of tasks what facts mean, and counts a wait for a limit down.
 */
#include "supervisor/inside.h"

#include "base/alloc.h"
#include "base/clock.h"

/* ---- the source -------------------------------------------------------------------- */

static void
tell_source(struct running *r, const struct fact *f)
{
	const struct source_ops *ops = r->source->ops;
	const struct loop_session *one;

	if (f->kind == FACT_RUNNING && ops->running != NULL) {
		one = loop_find_session(&r->state, f->session);
		if (one != NULL)
			ops->running(r->source, one->task, (pid_t)f->pid);
	} else if ((f->kind == FACT_ENDED || f->kind == FACT_LANDED) && ops->ended != NULL) {
		ops->ended(r->source, f->task, f);
	} else if (f->kind == FACT_UNSTARTED && ops->ended != NULL) {
		struct fact given_back = *f;

		given_back.verdict = VERDICT_STOPPED;
		ops->ended(r->source, f->task, &given_back);
	}
}

void
running_keep(struct running *r)
{
	AUTO_STRLIST tasks = NULL;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (r->state.sessions[i].state != SESSION_FREE)
			tasks = strlist_add(tasks, r->state.sessions[i].task);
	r->source->ops->keep(r->source, r->dir, tasks);
}

/* ---- the countdown ----------------------------------------------------------------- */

static void
on_countdown(struct ev_timer *w)
{
	struct running *r = w->ctx;
	int64_t left = r->state.hold.boot - clock_boot();

	if (left <= 0 || !r->state.hold_is_limit)
		return;
	console_countdown(&r->console, left + NSEC_PER_SEC - 1);
	ev_timer_in(r->ev, w, left % NSEC_PER_SEC + 1, on_countdown, r);
}

/* Shows the countdown only where somebody can watch it. */
static void
count_down(struct running *r)
{
	bool waits = r->state.hold_is_limit && r->state.hold.boot > clock_boot();

	if (!waits)
		ev_timer_stop(&r->sup->countdown);
	else if (r->console.out_colour && !r->console.json && !r->console.quiet)
		ev_timer_in(r->ev, &r->sup->countdown, NSEC_PER_SEC, on_countdown, r);
}

void
running_outcomes(struct running *r, const struct decision *d)
{
	for (size_t i = 0; i < d->nfacts && r->source != NULL; i++)
		tell_source(r, &d->facts[i]);
	count_down(r);
}
