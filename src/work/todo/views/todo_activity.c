/*
 * todo_activity.c - the blocks of ai/ralph/activity.md.
 */
#include "work/todo/views/todo.h"

#include "base/clock.h"
#include "base/text.h"
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

bool
todo_block_session(const char *uid, int64_t queued, const struct fact *f, struct todo_block *b)
{
	if (f->kind != FACT_STARTED && f->kind != FACT_ASSIGNED)
		return false;
	buf_adds(&b->text, "# Session: ");
	view_line(uid, LINE_MAX_SHOWN, &b->text);
	buf_adds(&b->text, "\n\n**Started:** ");
	clock_fmt_iso(f->at.wall, &b->text);
	buf_addc(&b->text, '\n');
	b->mark = b->text.len;
	todo_activity_field(&b->text, "Worker PTY", f->session, "none");
	buf_addf(&b->text, "**Tasks Queued:** %" PRId64 "\n\n---\n", queued);
	return true;
}

/* Adds the diffstat as code, so that nothing in it can be a heading. */
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

static const char *
status_of(const struct fact *f)
{
	if (verdict_is_success(f->verdict))
		return f->fate == FATE_WAITING ? "done, not committed and ticked yet"
					       : "complete";
	return f->verdict == VERDICT_BLOCKED ? "blocked" : "stuck";
}

bool
todo_block_turn(
    const struct story *s, const struct fact *f, const char *diffstat, struct todo_block *b)
{
	struct buf *out = &b->text;

	if (f->kind != FACT_LANDED || verdict_is_interrupted(f->verdict))
		return false;
	buf_addf(out, "## Iteration %" PRId64 " " DASH " ", f->iteration);
	clock_fmt_iso(f->at.wall, out);
	buf_addc(out, '\n');
	b->mark = out->len;
	buf_adds(out, "\n**Task:** ");
	view_line(f->task, LINE_MAX_SHOWN, out);
	buf_adds(out, ": ");
	view_line(s->turn.title, LINE_MAX_SHOWN, out);
	buf_addc(out, '\n');
	todo_activity_field(out, "Status", status_of(f), "");
	todo_activity_field(out, "Commit", f->key, "skipped");
	buf_adds(out, "**Duration:** ");
	clock_fmt_span(s->turn.duration, false, out);
	buf_addc(out, '\n');
	todo_activity_field(
	    out, "Notes", s->turn.notes[0] != '\0' ? s->turn.notes : f->text, "none");
	if (diffstat != NULL)
		add_diffstat(out, diffstat);
	buf_adds(out, "\n---\n");
	return true;
}

void
todo_block_help(const struct todo_help *h, struct todo_block *b)
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
bool
todo_block_progress(const struct story *s, const struct fact *f, struct todo_block *b)
{
	struct buf *out = &b->text;

	if (f->kind != FACT_SIGNALLED || f->signal != SIGNAL_PROGRESS)
		return false;
	buf_adds(out, "**Progress:** ");
	view_line(s->turn.task, LINE_MAX_SHOWN, out);
	buf_adds(out, ": ");
	view_line(f->text, LINE_MAX_SHOWN, out);
	buf_adds(out, " % " DASH " ");
	clock_fmt_iso(f->at.wall, out);
	buf_addc(out, '\n');
	b->mark = out->len;
	return true;
}

/* Does the text have these lines, from the beginning of a line? */
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
todo_block_add(struct buf *text, const struct todo_block *b)
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
