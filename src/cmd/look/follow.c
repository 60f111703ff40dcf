/*
 * follow.c - printing what the agents of a loop write, while they write it.
 */
#include "cmd/look/following.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "loop/friendly.h"
#include "loops/follow.h"
#include "record/words.h"
#include <inttypes.h>

struct printing {
	const struct loop_view *view;
	const struct logs_following *how;
	bool midline; /* the last line was printed without its newline */
};

/* ---- printing ------------------------------------------------------------------------ */

static void
follow_print(struct printing *p, const struct buf *text)
{
	if (text->len == 0)
		return;
	p->midline = text->data[text->len - 1] != '\n';
	cmd_print(text);
}

/* Colours that can be read on black and on white; a task keeps its own. */
static const char *
follow_colour_of(const char *task)
{
	static const char *const colours[] = {"36", "33", "32", "35", "34", "31"};
	unsigned sum = 0;

	for (; *task != '\0'; task++)
		sum = sum * 31 + (unsigned char)*task;
	return colours[sum % ARRAY_LEN(colours)];
}

static void
follow_add_label(const struct printing *p, const char *task, struct buf *out)
{
	if (p->how->colours)
		buf_addf(out, "\033[%sm", follow_colour_of(task));
	buf_addc(out, '[');
	text_show(out, task, strlen(task), false);
	buf_addc(out, ']');
	if (p->how->colours)
		buf_adds(out, "\033[0m");
	buf_addc(out, ' ');
}

/* Prints whole lines, each with the label of its session. */
static void
print_labelled(struct printing *p, const char *task, struct buf *text, bool end)
{
	AUTO_BUF label = BUF_INIT;
	AUTO_BUF out = BUF_INIT;
	size_t at = 0;

	follow_add_label(p, task, &label);
	if (end && text->len > 0 && text->data[text->len - 1] != '\n')
		buf_addc(text, '\n');
	while (at < text->len) {
		const char *line = text->data + at;
		const char *newline = memchr(line, '\n', text->len - at);

		if (newline == NULL)
			break;
		buf_adds(&out, label.data);
		buf_add(&out, line, (size_t)(newline - line) + 1);
		at += (size_t)(newline - line) + 1;
	}
	buf_drop(text, at);
	follow_print(p, &out);
}

static void
tell_wrote(void *ctx, const char *task, struct buf *text, bool end)
{
	struct printing *p = ctx;

	if (p->how->labels) {
		print_labelled(p, task, text, end);
		return;
	}
	follow_print(p, text);
	buf_clear(text);
}

/* ---- headers ---------------------------------------------------------------------- */

static void
add_who(const struct printing *p, const struct past_iteration *one, struct buf *out)
{
	char name[FRIENDLY_MAX];

	if (history_names_tasks(&p->view->settings)) {
		text_show(out, one->task, strlen(one->task), false);
		buf_adds(out, ", ");
	}
	buf_addf(out, "iteration %" PRId64, one->number);
	if (one->attempt > 1)
		buf_addf(out, ", attempt %" PRId64, one->attempt);
	if (p->view->settings.lands && !p->view->settings.leads) {
		friendly_name(p->view->state.uid, one->number, name);
		buf_addf(out, ", session %s", name);
	}
}

static void
print_header(struct printing *p, const struct past_iteration *one, const char *what)
{
	AUTO_BUF out = BUF_INIT;

	if (!p->how->headers)
		return;
	if (p->midline)
		buf_addc(&out, '\n');
	if (p->how->colours)
		buf_adds(&out, "\033[1m");
	buf_adds(&out, "==> ");
	add_who(p, one, &out);
	buf_addf(&out, "%s <==", what);
	buf_adds(&out, p->how->colours ? "\033[0m\n" : "\n");
	follow_print(p, &out);
}

static void
tell_begin(void *ctx, const struct past_iteration *one)
{
	AUTO_BUF what = BUF_INIT;

	buf_adds(&what, ": started ");
	clock_fmt_human(one->started, &what);
	print_header(ctx, one, what.data);
}

static void
tell_end(void *ctx, const struct past_iteration *one)
{
	AUTO_BUF what = BUF_INIT;

	buf_addf(&what, ": %s", verdict_name(one->verdict));
	if (words_has_exit(one->verdict, one->exit))
		buf_addf(&what, " (exit code %d)", exit_number(one->exit));
	buf_adds(&what, ", after ");
	clock_fmt_span(one->duration, false, &what);
	print_header(ctx, one, what.data);
}

static void
tell_landed(void *ctx, const struct past_iteration *one)
{
	const char *fate = fate_name(one->fate);
	AUTO_BUF what = BUF_INIT;

	if (verdict_is_success(one->verdict))
		buf_adds(&what, ": landed");
	else
		buf_addf(&what, ": not landed: %s", verdict_name(one->verdict));
	if (fate[0] != '\0')
		buf_addf(&what, ", %s", fate);
	print_header(ctx, one, what.data);
}

int
logs_follow(const struct loop_view *v, const struct logs_following *how, struct err *err)
{
	static const struct follow_ops ops = {
	    .began = tell_begin, .ended = tell_end, .landed = tell_landed, .wrote = tell_wrote};
	const struct follow_spec spec = {
	    .session = how->session, .lines = how->lines, .raw = how->raw};
	struct printing p = {.view = v, .how = how};

	return follow_loop(v, &spec, &ops, &p, err);
}
