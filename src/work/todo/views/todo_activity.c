/*
 * todo_activity.c - the blocks of ai/ralph/activity.md.
 */
#include "work/todo/views/todo_views.h"

#include "base/clock.h"
#include "base/text.h"
#include "record/views.h"
#include <inttypes.h>

#define LINE_MAX_SHOWN 500
#define DIFFSTAT_MAX ((size_t)8 * 1024)
#define DASH "\xe2\x80\x94"

static void
todo_activity_field(struct buf *out, const char *name, const char *value, const char *dflt)
{
	buf_addf(out, "**%s:** ", name);
	view_line(value != NULL && *value != '\0' ? value : dflt, LINE_MAX_SHOWN, out);
	buf_addc(out, '\n');
}

void
session_block(const struct todo_opening *o, struct todo_block *b)
{
	buf_adds(&b->text, "# Session: ");
	view_line(o->session_id, LINE_MAX_SHOWN, &b->text);
	buf_adds(&b->text, "\n\n**Started:** ");
	clock_fmt_iso(o->at, &b->text);
	buf_addc(&b->text, '\n');
	b->mark = b->text.len;
	todo_activity_field(&b->text, "Worker PTY", o->worker_pty, "none");
	buf_addf(&b->text, "**Tasks Queued:** %" PRId64 "\n\n---\n", o->queued);
}

/* As code, so that nothing in it can be a heading. */
static void
add_diffstat(struct buf *out, const char *text)
{
	size_t left = strnlen(text, DIFFSTAT_MAX);

	while (left > 0 && (text[left - 1] == '\n' || text[left - 1] == ' '))
		left--;
	if (left == 0)
		return;
	buf_addc(out, '\n');
	while (left > 0) {
		size_t len = strcspn(text, "\n");

		len = len < left ? len : left;
		buf_adds(out, "    ");
		text_show(out, text, len, false);
		buf_addc(out, '\n');
		text += len + (len < left);
		left -= len + (len < left);
	}
}

void
turn_block(const struct todo_turn *t, struct todo_block *b)
{
	struct buf *out = &b->text;

	buf_addf(out, "## Iteration %" PRId64 " " DASH " ", t->iteration);
	clock_fmt_iso(t->at, out);
	buf_addc(out, '\n');
	b->mark = out->len;
	buf_adds(out, "\n**Task:** ");
	view_line(t->task, LINE_MAX_SHOWN, out);
	buf_adds(out, ": ");
	view_line(t->description != NULL ? t->description : "", LINE_MAX_SHOWN, out);
	buf_addc(out, '\n');
	todo_activity_field(out, "Status", t->status, "in_progress");
	todo_activity_field(out, "Commit", t->commit, "skipped");
	buf_adds(out, "**Duration:** ");
	clock_fmt_span(t->duration, false, out);
	buf_addc(out, '\n');
	todo_activity_field(out, "Notes", t->notes, "none");
	if (t->diffstat != NULL)
		add_diffstat(out, t->diffstat);
	buf_adds(out, "\n---\n");
}

void
help_block(const struct todo_help *h, struct todo_block *b)
{
	struct buf *out = &b->text;

	buf_adds(out, "### Intervention " DASH " ");
	clock_fmt_iso(h->at, out);
	buf_adds(out, "\n\n");
	todo_activity_field(out, "Task", h->task, "none");
	todo_activity_field(out, "Reason", h->reason, "unknown");
	buf_addf(out, "**Count:** %" PRId64 "\n", h->count);
	b->mark = out->len;
	todo_activity_field(out, "Context", h->context, "none");
	todo_activity_field(out, "Recommendation", h->recommendation, "none");
}

/* The block is one line, since progress may come every minute. */
void
progress_block(const struct todo_progress *p, struct todo_block *b)
{
	struct buf *out = &b->text;

	buf_adds(out, "**Progress:** ");
	view_line(p->task, LINE_MAX_SHOWN, out);
	buf_adds(out, ": ");
	view_line(p->percent, LINE_MAX_SHOWN, out);
	buf_adds(out, " % " DASH " ");
	clock_fmt_iso(p->at, out);
	buf_addc(out, '\n');
	b->mark = out->len;
}

/* From the beginning of a line. */
static bool
has_lines(const struct buf *text, const char *lines, size_t len)
{
	const char *p = text->data, *end = p + text->len;

	while ((p = memmem(p, (size_t)(end - p), lines, len)) != NULL) {
		if (p == text->data || p[-1] == '\n')
			return true;
		p++;
	}
	return false;
}

bool
block_add(struct buf *text, const struct todo_block *b)
{
	/* Compares only the first lines, since people write below them. */
	if (has_lines(text, b->text.data, b->mark))
		return false;
	if (text->len > 0 && text->data[text->len - 1] != '\n')
		buf_addc(text, '\n');
	if (text->len > 1 && text->data[text->len - 2] != '\n')
		buf_addc(text, '\n');
	buf_add(text, b->text.data, b->text.len);
	return true;
}
