#include "work/todo/todo_mark.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/userfile.h"
#include <errno.h>
#include <fcntl.h>

#define REASON_MAX 200
#define SPLICES_MAX 3

/* A change of the line of one task. */
struct marking {
	const char *id, *reason;
	enum todo_state state;
	int64_t wall; /* of a completion */
	int result;   /* an enum todo_marked, or -1 */
};

/* The bytes from `start` to `end` become `text`. */
struct splice {
	const char *start, *end;
	struct buf text;
};

struct splices {
	struct splice list[SPLICES_MAX];
	size_t n;
};

static struct buf *
splice_add(struct splices *e, const char *start, const char *end)
{
	struct splice *new;
	size_t at = e->n++;

	ENSURE(at < SPLICES_MAX);
	for (; at > 0 && e->list[at - 1].start > start; at--)
		e->list[at] = e->list[at - 1];
	new = &e->list[at];
	*new = (struct splice){start, end, BUF_INIT};
	return &new->text;
}

static void
splices_apply(struct splices *e, const struct buf *text, struct buf *out)
{
	const char *at = text->data;

	buf_reserve(out, text->len + REASON_MAX + 64);
	for (size_t i = 0; i < e->n; i++) {
		buf_add(out, at, (size_t)(e->list[i].start - at));
		buf_add(out, e->list[i].text.data, e->list[i].text.len);
		at = e->list[i].end;
		buf_release(&e->list[i].text);
	}
	buf_add(out, at, (size_t)(text->data + text->len - at));
}

/* ---- one line ------------------------------------------------------------------------ */

/* Cuts a suffix of the line, with the blanks before it. */
static void
todo_mark_cut(struct splices *e, const struct todo_line *l, struct span s)
{
	const char *start = s.p;

	while (start > l->text.p && (start[-1] == ' ' || start[-1] == '\t'))
		start--;
	(void)splice_add(e, start, s.p + s.len);
}

static char
mark_of(enum todo_state state)
{
	return state == TODO_DONE ? 'x' : state == TODO_OPEN ? ' ' : '~';
}

/* Puts the status behind the title, or in the place of the one that is there. */
static void
todo_mark_set_status(struct splices *e, const struct todo_line *l, const struct todo_parts *p,
    const char *status)
{
	const char *behind = p->title.p + p->title.len;

	if (p->status.p != NULL)
		buf_adds(splice_add(e, p->status.p, p->status.p + p->status.len), status);
	else /* "- [ ] T001:" and "- [ ] **T001:**#tag" may have no blank there */
		buf_addf(splice_add(e, behind, behind), "%s%s%s",
		    behind[-1] == ' ' || behind[-1] == '\t' ? "" : " ", status,
		    p->title.len == 0 && l->text.len > 0 ? " " : "");
}

static void
set_completed(
    struct splices *e, const struct todo_line *l, const struct todo_parts *p, int64_t wall)
{
	const char *end = l->text.p + l->text.len;
	AUTO_BUF when = BUF_INIT;

	clock_fmt_human(wall, &when);
	buf_truncate(&when, strlen("2026-01-27 10:15"));
	if (p->completed.p != NULL)
		buf_addf(splice_add(e, p->completed.p, p->completed.p + p->completed.len),
		    "(completed: %s)", when.data);
	else
		buf_addf(splice_add(e, end, end), " (completed: %s)", when.data);
}

/* Would this mark be in the text with one more character? */
static bool
makes(const struct buf *text, char c, const char *mark)
{
	size_t len = strlen(mark) - 1;

	return c == mark[len] && text->len >= len &&
	       memcmp(text->data + text->len - len, mark, len) == 0;
}

/* Would the end of the status be read as a suffix, behind this title?  A bracket that the
 * title opened may be closed in the reason. */
static bool
ends_as_suffix(struct span title, const struct buf *status)
{
	AUTO_BUF text = BUF_INIT;
	struct todo_parts parts;

	buf_add(&text, title.p, title.len);
	buf_addf(&text, " %s", status->data);
	todo_line_parts(&(struct todo_line){.text = {text.data, text.len}}, &parts);
	return parts.suffixes < text.data + text.len;
}

/* "**BLOCKED** - reason": one line, no other word in it, nothing that ends a comment, and no
 * end that could be taken for another suffix. */
static void
blocked_status(struct span title, const char *reason, struct buf *out)
{
	AUTO_BUF text = BUF_INIT;
	struct span s = {reason, reason != NULL ? strlen(reason) : 0};

	s = span_trim(s);
	todo_text(s, REASON_MAX, &text);
	buf_adds(out, "**BLOCKED**");
	if (text.len == 0)
		return;
	buf_adds(out, " - ");
	for (size_t i = 0; i < text.len; i++)
		if (!makes(out, text.data[i], "**") && !makes(out, text.data[i], "-->"))
			buf_addc(out, text.data[i]);
	if (ends_as_suffix(title, out))
		buf_adds(out, " ."); /* "@bob." would be an assignee still */
}

static void
change_line(struct splices *e, const struct todo_task *t, const struct marking *m)
{
	const struct todo_line *l = &t->line;
	bool timed = m->state == TODO_DONE && t->section == TODO_SECTION_CLAUDE;
	AUTO_BUF status = BUF_INIT;
	struct todo_parts p;

	todo_line_parts(l, &p);
	if (*l->mark != mark_of(m->state))
		buf_addc(splice_add(e, l->mark, l->mark + 1), mark_of(m->state));
	if (m->state == TODO_BLOCKED)
		blocked_status(p.title, m->reason, &status);
	else if (m->state == TODO_DONE && !timed)
		buf_adds(&status, "**DONE**");
	if (status.len > 0)
		todo_mark_set_status(e, l, &p, status.data);
	else if (p.status.p != NULL && (m->state != TODO_ACTIVE || p.state != TODO_ACTIVE))
		todo_mark_cut(e, l, p.status);
	if (timed)
		set_completed(e, l, &p, m->wall);
	else if (m->state != TODO_DONE && p.completed.p != NULL)
		todo_mark_cut(e, l, p.completed);
}

/* ---- the file ------------------------------------------------------------------------ */

/* Finds the task; fails when two lines have this id.  Other ids that occur twice do not
 * matter. */
static int
find_only(
    const struct todo_file *f, const char *id, const struct todo_task **out, struct err *err)
{
	const struct todo_task *t = todo_file_find(f, id);

	*out = t;
	for (size_t i = t == NULL ? f->n : (size_t)(t - f->tasks) + 1; i < f->n; i++)
		if (f->tasks[i].line.number == t->line.number)
			return err_code(err, EEXIST,
			    "%s is the id of two tasks, in lines %u and %u", id, t->lineno,
			    f->tasks[i].lineno);
	return 0;
}

static int
mark_found(
    const struct todo_task *t, const struct buf *text, const struct marking *m, struct buf *out)
{
	struct splices splices = {.n = 0};
	bool ticked = *t->line.mark == 'x' || *t->line.mark == 'X';
	char mark = ticked ? 'x' : *t->line.mark;

	/* When only a word gives the state, the box still has to be changed. */
	if (todo_line_state(&t->line) == m->state && mark == mark_of(m->state))
		return TODO_SAME;
	if (ticked && (m->state == TODO_ACTIVE || m->state == TODO_BLOCKED))
		return TODO_SETTLED;
	change_line(&splices, t, m);
	splices_apply(&splices, text, out);
	return TODO_MARKED;
}

static int
mark_once(const struct buf *text, const struct marking *m, struct buf *out, struct err *err)
{
	struct todo_file f;
	const struct todo_task *t;
	int rc;

	todo_file_parse(&f, text->data, text->len, NULL);
	rc = find_only(&f, m->id, &t, err);
	if (rc == 0)
		rc = t == NULL ? (int)TODO_GONE : mark_found(t, text, m, out);
	todo_file_release(&f);
	return rc;
}

int
todo_mark_text(const struct buf *text, const char *id, enum todo_state state,
    const char *reason, int64_t wall, struct buf *out, struct err *err)
{
	const struct marking m = {.id = id, .reason = reason, .state = state, .wall = wall};
	int rc;

	ENSURE(state == TODO_OPEN || state == TODO_ACTIVE || state == TODO_DONE ||
	       state == TODO_BLOCKED);
	if (todo_id_check(id, err) < 0)
		return -1;
	rc = mark_once(text, &m, out, err);
	/* After the change a word of the title may be at the end of the line, and be taken for
	 * the status. */
	while (rc == TODO_MARKED) {
		AUTO_BUF next = BUF_INIT;

		if (mark_once(out, &m, &next, err) != TODO_MARKED || next.len >= out->len)
			break;
		buf_clear(out);
		buf_add(out, next.data, next.len);
	}
	return rc;
}

static int
mark_file(struct userfile *f, void *ctx, struct buf *out, struct err *err)
{
	struct marking *m = ctx;

	m->result = todo_mark_text(&f->text, m->id, m->state, m->reason, m->wall, out, err);
	return m->result < 0 ? -1 : m->result != TODO_MARKED;
}

int
todo_mark(const char *path, const char *id, enum todo_state state, const char *reason,
    int64_t wall, struct err *err)
{
	struct marking m = {.id = id, .reason = reason, .state = state, .wall = wall};

	return userfile_change(AT_FDCWD, path, TODO_MAX, mark_file, &m, err) < 0 ? -1
										 : m.result;
}
