/*
 * Any bytes are a todo.md.  Whatever is marked in it: all bytes of the other lines stay, the
 * line says what was asked for, and asking again changes nothing.  Done files and questions of
 * any bytes are read, too.
 */
#include "base/alloc.h"
#include "work/todo/question.h"
#include "work/todo/todo_done.h"
#include "work/todo/todo_mark.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_span(struct span s, struct span within)
{
	ENSURE(s.p == NULL || (s.p >= within.p && s.p + s.len <= within.p + within.len));
}

/* All of the task's line, with its end. */
static struct span
line_of(const struct buf *text, const struct todo_task *t)
{
	const char *begin = memrchr(text->data, '\n', (size_t)(t->line.mark - text->data));
	const char *end =
	    memchr(t->line.mark, '\n', text->len - (size_t)(t->line.mark - text->data));

	begin = begin != NULL ? begin + 1 : text->data;
	end = end != NULL ? end + 1 : text->data + text->len;
	return (struct span){begin, (size_t)(end - begin)};
}

static void
check_task(const struct buf *text, const struct todo_task *t)
{
	struct span all = line_of(text, t);
	AUTO_BUF title = BUF_INIT;
	struct todo_parts p;
	uint64_t number;
	AUTO_FREE char *id = xstrndup(t->line.id.p, t->line.id.len);

	ENSURE(todo_id_parse(id, &number) && number == t->line.number);
	check_span(t->line.id, all);
	check_span(t->line.text, all);
	todo_line_parts(&t->line, &p);
	check_span(p.title, t->line.text);
	check_span(p.status, t->line.text);
	check_span(p.reason, t->line.text);
	check_span(p.completed, t->line.text);
	todo_text(p.title, 160, &title);
	ENSURE(title.len <= 160 && strlen(title.data) == title.len);
}

/* Only the line at `line` may have changed. */
static void
check_rest(const struct buf *old, const struct buf *new, struct span line)
{
	size_t before = (size_t)(line.p - old->data);
	size_t behind = old->len - before - line.len;

	ENSURE(new->len >= before + behind);
	ENSURE(memcmp(old->data, new->data, before) == 0);
	ENSURE(memcmp(line.p + line.len, new->data + new->len - behind, behind) == 0);
}

static void
check_mark(const struct buf *text, const struct todo_task *t, enum todo_state state)
{
	AUTO_FREE char *id = xstrndup(t->line.id.p, t->line.id.len);
	AUTO_FREE char *reason = xstrndup(text->data, text->len);
	AUTO_BUF out = BUF_INIT;
	AUTO_BUF again = BUF_INIT;
	struct err err = ERR_INIT;
	struct todo_file f;

	if (todo_mark_text(text, id, state, reason, 0, &out, &err) != TODO_MARKED)
		return;
	check_rest(text, &out, line_of(text, t));
	todo_file_parse(&f, out.data, out.len, NULL);
	ENSURE(todo_line_state(&todo_file_find(&f, id)->line) == state);
	todo_file_release(&f);
	ENSURE(todo_mark_text(&out, id, state, reason, 0, &again, &err) == TODO_SAME);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const enum todo_state states[] = {
	    TODO_OPEN, TODO_ACTIVE, TODO_DONE, TODO_BLOCKED};
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF left = BUF_INIT;
	struct err err = ERR_INIT;
	struct todo_file f;
	size_t aside;

	buf_add(&text, data, size);
	todo_file_parse(&f, text.data, text.len, size % 2 == 0 ? NULL : "Delayed");
	ENSURE(todo_file_check(&f, &err) == 0 || err.text[0] != '\0');
	(void)todo_file_left(&f, &left, &aside);
	for (size_t i = 0; i < f.n && i < 8; i++) {
		check_task(&text, &f.tasks[i]);
		for (size_t s = 0; s < ARRAY_LEN(states); s++)
			check_mark(&text, &f.tasks[i], states[s]);
	}
	todo_file_release(&f);
	(void)!todo_done_parse(NULL, "T001", text.data, text.len, NULL, &err);
	(void)question_kind(text.data, text.len);
	return 0;
}
