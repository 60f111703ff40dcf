#include "record/console.h"

#include "base/clock.h"
#include "base/json.h"
#include "base/log.h"
#include "loop/ending.h"
#include "record/codec.h"
#include <errno.h>
#include <inttypes.h>
#include <poll.h>

#define WAITING_MAX ((size_t)1 << 20)

#define RED "31"
#define GREEN "32"
#define YELLOW "33"

static bool
line_started(const struct decided *d, const struct fact *f, struct buf *out)
{
	buf_adds(out, "starting iteration ");
	words_iteration(d->state, f->iteration, out);
	return true;
}

/* Will another agent be started after this one? */
static bool
console_goes_on(const struct decided *d, const struct fact *f)
{
	const struct loop_state *s = d->state;

	if (words_follows(d, f, FACT_STARTED) != NULL)
		return true;
	return s->phase == PHASE_OPEN && s->wanted == WANT_RUN &&
	       (s->policy.max_iterations == UNLIMITED ||
		   s->iteration - s->returned < s->policy.max_iterations);
}

static void
add_retry(const struct decided *d, const struct fact *f, struct buf *out)
{
	const struct fact *backoff = words_follows(d, f, FACT_BACKOFF);

	if (backoff == NULL)
		return;
	buf_adds(out, ", retrying in ");
	words_seconds(backoff->delay, out);
	buf_addf(out, " (attempt %" PRId64 "/", backoff->failures);
	words_limit(d->state->policy.max_failures, out);
	buf_addc(out, ')');
}

static void
console_add_failed(const struct decided *d, const struct fact *f, struct buf *out)
{
	if (verdict_clock(f->verdict) == CLOCK_ITERATION) {
		buf_adds(out, " failed (timeout after ");
		clock_fmt_span(f->duration, false, out);
	} else {
		buf_adds(out, " failed (exit: ");
		words_exit(f->exit, out);
	}
	buf_addc(out, ')');
	add_retry(d, f, out);
}

/* Appends the end of an iteration that is told by its number. */
static void
add_end(const struct decided *d, const struct fact *f, struct buf *out)
{
	buf_addf(out, "iteration %" PRId64, f->iteration);
	if (verdict_is_success(f->verdict)) {
		buf_adds(out, " completed (exit: ");
		words_exit(f->exit, out);
		buf_adds(out, ", duration: ");
		clock_fmt_span(f->duration, false, out);
		buf_addc(out, ')');
	} else if (verdict_worth(f->verdict) == WORTH_FAILURE) {
		console_add_failed(d, f, out);
	} else if (f->verdict == VERDICT_LOST) {
		buf_adds(out, " lost (nobody saw it end)");
		buf_adds(out, console_goes_on(d, f) ? ", going on" : "");
	} else {
		buf_addf(out, " %s", verdict_name(f->verdict));
	}
}

static bool
line_ended(const struct decided *d, const struct fact *f, struct buf *out)
{
	if (verdict_is_idle(f->verdict)) {
		buf_adds(out, "inactivity timeout (");
		words_seconds(d->state->policy.inactivity_timeout, out);
		buf_addc(out, ')');
	} else if (verdict_clock(f->verdict) == CLOCK_STALL) {
		buf_adds(out, "no progress (stall timeout)");
	} else {
		add_end(d, f, out);
		return true;
	}
	buf_adds(out, console_goes_on(d, f) ? ", restarting" : "");
	return true;
}

static bool
line_signalled(const struct decided *d, const struct fact *f, struct buf *out)
{
	if (f->signal == SIGNAL_DONE) {
		buf_adds(out, "done pattern matched, stopping loop");
		return true;
	}
	if (f->signal == SIGNAL_LIMIT) {
		buf_adds(out, "warning: a limit stopped the agent: ");
		words_safe(f->text, out);
		return true;
	}
	/* Usually an alert says it; once is enough. */
	if (f->signal == SIGNAL_EXPENSIVE && words_follows(d, f, FACT_ALERT) == NULL) {
		buf_adds(
		    out, "warning: done pattern is too expensive to match; it is switched off");
		return true;
	}
	return false;
}

static bool
line_wanted(const struct decided *d, const struct fact *f, struct buf *out)
{
	bool working = loop_active(d->state) > 0;

	switch (f->wanted) {
	case WANT_RUN:
		buf_adds(out, "resumed");
		return true;
	case WANT_PAUSE:
		buf_adds(out, working ? "pausing (the current agent will finish)" : "paused");
		return true;
	case WANT_LEAVE:
		buf_adds(out, "received SIGTERM, pausing loop");
		buf_adds(out, working ? " (current agent will complete)" : "");
		return true;
	case WANT_STOP:
		/* The loop's own reasons have a line of their own. */
		if (end_reason_complete(f->reason) || end_reason_code(f->reason) == EX_FAILED ||
		    (!end_reason_asked(f->reason) &&
			!regime_marks(d->state->policy.regime).lands))
			return false;
		buf_adds(out, "stopping");
		return true;
	case WANT_COUNT:
	default:
		return false;
	}
}

static bool
line_unanswered(const struct decided *d UNUSED, const struct fact *f, struct buf *out)
{
	buf_adds(out, "error: ");
	words_safe(f->text, out);
	buf_adds(out, "; asking again in ");
	words_seconds(f->delay, out);
	return true;
}

static bool
line_limited(const struct decided *d UNUSED, const struct fact *f, struct buf *out)
{
	buf_adds(out, "warning: going on with the same in ");
	clock_fmt_span(f->delay, false, out);
	buf_adds(out, " (");
	clock_fmt_human(f->until.wall, out);
	buf_addc(out, ')');
	return true;
}

static bool
line_edited(const struct decided *d UNUSED, const struct fact *f, struct buf *out)
{
	AUTO_BUF name = BUF_INIT;

	buf_adds(&name, f->key);
	for (char *p = name.data; *p != '\0'; p++)
		if (*p == '_')
			*p = ' ';
	words_safe(name.data, out);
	buf_adds(out, " is now ");
	words_limit(f->value, out);
	return true;
}

static bool
line_alert(const struct decided *d UNUSED, const struct fact *f, struct buf *out)
{
	buf_adds(out, "ALERT: ");
	words_safe(f->text, out);
	return true;
}

static bool
line_finished(const struct decided *d, const struct fact *f, struct buf *out)
{
	AUTO_BUF resume = BUF_INIT;
	char line[ENDING_MAX];
	struct ending e = {
	    .state = d->state, .reason = f->reason, .iteration = f->iteration, .text = f->text};

	buf_addf(&resume, "%sralph resume %s", strcmp(log_name(), "swarm") == 0 ? "swarm " : "",
	    d->loop);
	e.resume = resume.data;
	if (!ending_say(&e, SAY_LOOP, line))
		return false;
	words_safe(line, out);
	return true;
}

static bool
line_reopened(const struct decided *d UNUSED, const struct fact *f UNUSED, struct buf *out)
{
	buf_adds(out, "resumed");
	return true;
}

/* A kind without a line has no row. */
static voice_fn *const lines[FACT_COUNT] = {
    [FACT_WANTED] = line_wanted,
    [FACT_STARTED] = line_started,
    [FACT_SIGNALLED] = line_signalled,
    [FACT_ENDED] = line_ended,
    [FACT_LIMITED] = line_limited,
    [FACT_UNANSWERED] = line_unanswered,
    [FACT_EDITED] = line_edited,
    [FACT_ALERT] = line_alert,
    [FACT_FINISHED] = line_finished,
    [FACT_REOPENED] = line_reopened,
};

bool
console_line(const struct decided *d, const struct fact *f, struct buf *out)
{
	size_t start = out->len;

	words_loop(d->loop, out);
	if (lines[f->kind] == NULL || !lines[f->kind](d, f, out)) {
		buf_truncate(out, start);
		return false;
	}
	return true;
}

/* ---- the terminal ----------------------------------------------------------- */

bool
console_shows_colour(int fd)
{
	const char *no = getenv("NO_COLOR");
	const char *term = getenv("TERM");

	return isatty(fd) && (no == NULL || *no == '\0') && term != NULL &&
	       strcmp(term, "dumb") != 0;
}

/* The colour of the fact's line; NULL: none. */
static const char *
console_colour_of(const struct fact *f)
{
	if (f->kind == FACT_ALERT)
		return RED;
	if (f->kind == FACT_UNANSWERED)
		return RED;
	if (f->kind == FACT_ENDED || f->kind == FACT_LANDED)
		return verdict_worth(f->verdict) == WORTH_FAILURE ? RED : NULL;
	/* A loop that waits for somebody is neither well nor wrong. */
	if (f->kind == FACT_FINISHED && f->reason == END_WAITING)
		return YELLOW;
	if (f->kind == FACT_FINISHED)
		return end_reason_complete(f->reason) ? GREEN : RED;
	if (f->kind == FACT_LIMITED || (f->kind == FACT_SIGNALLED && f->signal == SIGNAL_LIMIT))
		return YELLOW;
	return f->kind == FACT_WANTED ? YELLOW : NULL;
}

/* Writes what the reader takes; what it does not take now waits, up to a limit. */
static void
flush(int fd, struct buf *waiting)
{
	while (waiting->len > 0) {
		ssize_t n = fd < 0 ? 0 : write(fd, waiting->data, waiting->len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			return;
		/* A reader that is gone takes nothing any more. */
		buf_drop(waiting, n <= 0 ? waiting->len : (size_t)n);
	}
}

static void
console_put(struct console *c, bool to_err, const struct buf *line)
{
	struct buf *waiting = to_err ? &c->errors : &c->waiting;

	if (waiting->len + line->len <= WAITING_MAX)
		buf_add(waiting, line->data, line->len);
	flush(to_err ? c->err : c->out, waiting);
}

void
console_close(struct console *c)
{
	struct pollfd p = {.fd = c->out, .events = POLLOUT};

	if (c->counting)
		buf_addc(&c->waiting, '\n');
	flush(c->err, &c->errors);
	flush(c->out, &c->waiting);
	/* The last lines matter most: give the reader a moment. */
	for (int i = 0; i < 100 && c->waiting.len > 0 && poll(&p, 1, 20) >= 0; i++)
		flush(c->out, &c->waiting);
	buf_release(&c->waiting);
	buf_release(&c->errors);
}

static void
put_json(struct console *c, const struct fact *f)
{
	AUTO_JSON *event = fact_to_json(f, c->loop);
	AUTO_BUF line = BUF_INIT;

	json_print(event, true, &line);
	buf_addc(&line, '\n');
	console_put(c, false, &line);
}

#define LINE_ANEW "\r\033[K"

static void
put_text(struct console *c, const struct fact *f, const struct buf *text)
{
	bool to_err = f->kind == FACT_ALERT || c->aside;
	const char *colour = console_colour_of(f);
	AUTO_BUF line = BUF_INIT;

	if (c->counting)
		buf_adds(&line, LINE_ANEW);
	c->counting = false;
	if (!(to_err ? c->err_colour : c->out_colour))
		colour = NULL;
	if (colour != NULL)
		buf_addf(&line, "\033[%sm", colour);
	buf_add(&line, text->data, text->len);
	buf_adds(&line, colour != NULL ? "\033[0m\n" : "\n");
	console_put(c, to_err, &line);
}

static void
console_fact(struct view *v, const struct decided *d, const struct fact *f)
{
	struct console *c = (struct console *)v;
	AUTO_BUF text = BUF_INIT;

	if (c->quiet && f->kind != FACT_ALERT && f->kind != FACT_FINISHED)
		return;
	if (c->json)
		put_json(c, f);
	else if (c->voice(d, f, &text))
		put_text(c, f, &text);
}

static const struct view_ops console_view = {.name = "console", .fact = console_fact};

void
console_init(struct console *c, const char *loop, bool json, bool quiet)
{
	*c = (struct console){
	    .view = {.ops = &console_view},
	    .loop = loop,
	    .voice = console_line,
	    .out = STDOUT_FILENO,
	    .err = STDERR_FILENO,
	    .json = json,
	    .quiet = quiet,
	    .out_colour = console_shows_colour(STDOUT_FILENO),
	    .err_colour = console_shows_colour(STDERR_FILENO),
	    .waiting = BUF_INIT,
	    .errors = BUF_INIT,
	};
}

void
console_countdown(struct console *c, int64_t left)
{
	AUTO_BUF line = BUF_INIT;

	if (c->json || c->quiet || !c->out_colour || c->out < 0)
		return;
	buf_adds(&line, LINE_ANEW);
	words_loop(c->loop, &line);
	buf_adds(&line, "waiting for the limit to pass: ");
	clock_fmt_span(left, false, &line);
	c->counting = true;
	console_put(c, false, &line);
}

void
console_answer(struct console *c, const char *text)
{
	AUTO_BUF line = BUF_INIT;

	buf_addf(&line, "%s\n", text);
	console_put(c, false, &line);
}

void
console_promise(struct console *c)
{
	console_answer(c, "<promise>COMPLETE</promise>");
}

void
console_say(struct console *c, const char *text)
{
	AUTO_BUF line = BUF_INIT;

	if (c->json || c->quiet)
		return;
	buf_addf(&line, "%s\n", text);
	console_put(c, c->aside, &line);
}
