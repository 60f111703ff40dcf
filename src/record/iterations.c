#include "record/swarm.h"

#include "base/alloc.h"
#include "base/clock.h"
#include <inttypes.h>

#define LOG_FILE "iterations.log"
/* While the disk is full the lines wait, the last of them at least. */
#define WAITING_MAX ((size_t)64 * 1024)

/* Appends the lines of one fact. */
typedef void log_fn(const struct decided *d, const struct fact *f, struct buf *out);

static void
line_begin(const struct fact *f, const char *event, struct buf *out)
{
	clock_fmt_iso(f->at.wall, out);
	buf_addf(out, " [%s] ", event);
}

static void
log_started(const struct decided *d, const struct fact *f, struct buf *out)
{
	line_begin(f, "START", out);
	buf_adds(out, "iteration ");
	words_iteration(d->state, f->iteration, out);
	buf_addc(out, '\n');
}

static void
log_timeout(const struct decided *d, const struct fact *f, struct buf *out)
{
	line_begin(f, "TIMEOUT", out);
	buf_addf(out, "iteration %" PRId64 " ", f->iteration);
	if (verdict_is_idle(f->verdict)) {
		buf_adds(out, "inactivity_timeout=");
		words_seconds(d->state->policy.inactivity_timeout, out);
	} else {
		buf_adds(out, verdict_clock(f->verdict) == CLOCK_STALL ? "stall_timeout"
								       : "iteration_timeout");
	}
	buf_addc(out, '\n');
}

static void
log_failure(const struct decided *d, const struct fact *f, struct buf *out)
{
	const struct fact *backoff = words_follows(d, f, FACT_BACKOFF);

	line_begin(f, "FAIL", out);
	buf_addf(out, "iteration %" PRId64 " exit=", f->iteration);
	words_exit(f->exit, out);
	buf_addf(out, " attempt=%" PRId64 "/", f->failures);
	words_limit(d->state->policy.max_failures, out);
	if (backoff != NULL) {
		buf_adds(out, " backoff=");
		words_seconds(backoff->delay, out);
	}
	buf_addc(out, '\n');
}

/* Every START has its END; what else there is to say stands around it. */
static void
log_ended(const struct decided *d, const struct fact *f, struct buf *out)
{
	if (verdict_clock(f->verdict) != CLOCK_NONE)
		log_timeout(d, f, out);
	line_begin(f, "END", out);
	buf_addf(out, "iteration %" PRId64 " exit=", f->iteration);
	words_exit(f->exit, out);
	buf_adds(out, " duration=");
	clock_fmt_span(f->duration, true, out);
	buf_addc(out, '\n');
	if (verdict_worth(f->verdict) == WORTH_FAILURE)
		log_failure(d, f, out);
}

static void
log_resumed(const struct decided *d UNUSED, const struct fact *f, struct buf *out)
{
	line_begin(f, "RESUME", out);
	buf_adds(out, "loop resumed\n");
}

static void
log_wanted(const struct decided *d, const struct fact *f, struct buf *out)
{
	if (f->wanted == WANT_RUN) {
		log_resumed(d, f, out);
	} else if (f->wanted == WANT_PAUSE || f->wanted == WANT_LEAVE) {
		line_begin(f, "PAUSE", out);
		buf_addf(out, "loop paused reason=%s\n",
		    f->wanted == WANT_LEAVE ? "sigterm" : "user");
	}
}

static void
log_edited(const struct decided *d UNUSED, const struct fact *f, struct buf *out)
{
	line_begin(f, "EDIT", out);
	words_safe(f->key, out);
	buf_addc(out, '=');
	words_limit(f->value, out);
	buf_addc(out, '\n');
}

static void
log_alert(const struct decided *d UNUSED, const struct fact *f, struct buf *out)
{
	line_begin(f, "ALERT", out);
	words_safe(f->text, out);
	buf_addc(out, '\n');
}

static void
log_finished(const struct decided *d, const struct fact *f, struct buf *out)
{
	bool over = d->state->policy.judged != 0 && !end_reason_complete(f->reason);

	line_begin(f, "DONE", out);
	buf_addf(out, "loop %s after %" PRId64 " iterations reason=%s\n",
	    over ? "over" : "complete", f->iteration - d->state->returned,
	    end_reason_name(f->reason));
}

/* A kind without a line has no row. */
static log_fn *const logs[FACT_COUNT] = {
    [FACT_WANTED] = log_wanted,
    [FACT_STARTED] = log_started,
    [FACT_ENDED] = log_ended,
    [FACT_EDITED] = log_edited,
    [FACT_ALERT] = log_alert,
    [FACT_FINISHED] = log_finished,
    [FACT_REOPENED] = log_resumed,
};

/* ---- the view ------------------------------------------------------------------------ */

struct iterations_view {
	struct view view;
	struct buf lines; /* not written yet */
};

static struct view *
iterations_open(const struct view_of *of, struct err *err UNUSED)
{
	struct iterations_view *l = view_new(sizeof(*l), &iterations_view, of);

	buf_init(&l->lines);
	return &l->view;
}

static void
iterations_fact(struct view *v, const struct decided *d, const struct fact *f)
{
	if (logs[f->kind] != NULL)
		logs[f->kind](d, f, &((struct iterations_view *)v)->lines);
}

static int
iterations_write(struct view *v, const struct loop_state *state UNUSED, struct err *err)
{
	struct iterations_view *l = (struct iterations_view *)v;
	AUTO_CLOSE int dir = l->lines.len == 0 ? -1 : swarm_dir(&l->view.of, err);

	return l->lines.len == 0 ? 0 : view_append(dir, LOG_FILE, &l->lines, WAITING_MAX, err);
}

static void
iterations_close(struct view *v)
{
	struct iterations_view *l = (struct iterations_view *)v;

	buf_release(&l->lines);
	free(l);
}

const struct view_ops iterations_view = {
    .name = LOG_FILE,
    .open = iterations_open,
    .fact = iterations_fact,
    .write = iterations_write,
    .close = iterations_close,
};
