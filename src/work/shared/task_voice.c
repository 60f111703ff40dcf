/*
 * task_voice.c - what a loop over a task graph, or over the tasks that a command gives out,
 * says in words of its own: the task, how the task went, and at the end how all tasks went.
 */
#include "work/shared/given.h"

#include "base/clock.h"
#include "record/words.h"
#include <inttypes.h>

static void
add_task(const struct fact *f, struct buf *out)
{
	buf_addf(out, "iteration %" PRId64 ": ", f->iteration);
	words_safe(f->task, out);
}

static void
add_exit(const struct fact *f, struct buf *out)
{
	buf_adds(out, " (exit: ");
	words_exit(f->exit, out);
	buf_adds(out, ", duration: ");
	clock_fmt_span(f->duration, false, out);
	buf_addc(out, ')');
}

static void
task_voice_add_ended(const struct fact *f, bool tracked, struct buf *out)
{
	static const char *const words[VERDICT_COUNT] = {
	    [VERDICT_DONE] = "completed",
	    [VERDICT_NOT_CLOSED] = "unfinished",
	    [VERDICT_LIMITED] = "stopped by a limit",
	    [VERDICT_REFUSED] = "refused",
	    [VERDICT_STOPPED] = "ended before it was done",
	    [VERDICT_LOST] = "lost (nobody saw it end)",
	    [VERDICT_TIMEOUT] = "failed: timeout",
	    [VERDICT_IDLE] = "failed: inactivity timeout",
	    [VERDICT_RESTED] = "failed: inactivity timeout",
	    [VERDICT_HUNG] = "failed: inactivity timeout",
	    [VERDICT_STUCK] = "failed: no progress",
	};
	bool failed = verdict_worth(f->verdict) == WORTH_FAILURE ||
		      verdict_clock(f->verdict) != CLOCK_NONE;

	buf_adds(out, failed ? "error: " : "");
	add_task(f, out);
	/* Without a graph, all that is known is that the agent ended well. */
	if (verdict_is_success(f->verdict) && !tracked)
		buf_adds(out, " ended");
	else
		buf_addf(out, " %s", words[f->verdict] == NULL ? "failed" : words[f->verdict]);
	add_exit(f, out);
	if (failed && tracked && f->exit.how != EXIT_NOSTART)
		buf_adds(out, "; it stays in progress until somebody has looked at it");
}

/* The summary of the whole loop, for every kind of end. */
static void
add_summary(const struct fact *f, const struct loop_state *s, struct buf *out)
{
	buf_addf(out, "%" PRId64 " iteration%s: ", f->iteration, f->iteration == 1 ? "" : "s");
	words_tally(s, out);
	buf_adds(out, "; runtime ");
	clock_fmt_span(
	    f->at.wall > s->opened.wall ? f->at.wall - s->opened.wall : 0, false, out);
}

/* Says why the loop is over; false when the words of any loop will do. */
static bool
task_voice_add_finished(const struct fact *f, bool tracked, struct buf *out)
{
	const char *all_done = given_all_done(f, tracked);

	if (all_done != NULL) {
		words_safe(all_done, out);
		return true;
	}
	if (!tracked || !given_is_blocked(f))
		return false;
	words_safe(f->text, out);
	buf_adds(out,
	    "\nWhat is left waits for dependencies, or for somebody: 'ralph graph status' "
	    "shows for what.");
	return true;
}

bool
given_line(const struct decided *d, const struct fact *f, struct buf *out)
{
	bool tracked = regime_marks(d->state->policy.regime).tracked;
	size_t start = out->len;

	if (f->kind != FACT_STARTED && f->kind != FACT_ENDED && f->kind != FACT_FINISHED)
		return console_line(d, f, out);
	words_loop(d->loop, out);
	if (f->kind == FACT_STARTED) {
		add_task(f, out);
		buf_adds(out, " started");
	} else if (f->kind == FACT_ENDED) {
		task_voice_add_ended(f, tracked, out);
	} else {
		if (!task_voice_add_finished(f, tracked, out)) {
			buf_truncate(out, start);
			(void)console_line(d, f, out);
		}
		buf_addc(out, '\n');
		words_loop(d->loop, out);
		add_summary(f, d->state, out);
	}
	return true;
}
