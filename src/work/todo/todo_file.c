#include "work/todo/todo_file.h"

#include "base/alloc.h"
#include "base/text.h"
#include "loop/settings.h"
#include <errno.h>
#include <strings.h>

#define LEVELS 6
#define FENCE_MAX 255	     /* longer fences are none: bounds the search for their ends */
#define TOLD TODO_LINES_TOLD /* of a kind of odd line; the rest is counted */
#define SHOWN 60
#define LINE_USUAL 64 /* bytes of a line, to guess how many lines there are */

/* Lines that are odd in the same way: in the section, in the file. */
struct oddities {
	struct todo_lines here, anywhere;
};

struct todo_parser {
	struct todo_file *out;
	const char *next, *end;
	size_t lineno, cap;
	const char *wanted; /* the section's name */
	enum todo_section wanted_kind;
	enum todo_section kinds[LEVELS + 1];
	bool wants[LEVELS + 1];
	enum todo_section section; /* the innermost that we know by name */
	bool counts, found, history;
	bool open_comment;	  /* one was never closed, so no later one is */
	struct oddities no_id;	  /* without an id, and not ticked */
	struct oddities nameless; /* open, and without an id that can be one */
	struct oddities boxless;  /* open, and without a box that can be one */
	size_t nbad, nunticked;
};

static const struct {
	const char *name;
	enum todo_section kind;
} section_names[] = {
    {"Backlog", TODO_SECTION_BACKLOG},
    {"Active", TODO_SECTION_ACTIVE},
    {"In progress", TODO_SECTION_ACTIVE},
    {"Delayed", TODO_SECTION_DELAYED},
    {"Blocked", TODO_SECTION_DELAYED},
    {"Waiting", TODO_SECTION_DELAYED},
    {"Done", TODO_SECTION_DONE},
    {"Complete", TODO_SECTION_DONE},
    {"Completed", TODO_SECTION_DONE},
    {USUAL_section, TODO_SECTION_CLAUDE},
    {"Change History", TODO_SECTION_HISTORY},
};

/* ---- sections ------------------------------------------------------------------------ */

static bool
todo_file_is_name(struct span s, const char *name)
{
	return strlen(name) == s.len && strncasecmp(s.p, name, s.len) == 0;
}

static enum todo_section
todo_section_find(struct span name)
{
	for (size_t i = 0; i < ARRAY_LEN(section_names); i++)
		if (todo_file_is_name(name, section_names[i].name))
			return section_names[i].kind;
	return TODO_SECTION_OTHER;
}

static void
section_enter(struct todo_parser *p, size_t level, struct span name)
{
	enum todo_section kind = todo_section_find(name);
	bool wanted = kind != TODO_SECTION_OTHER ? kind == p->wanted_kind
						 : todo_file_is_name(name, p->wanted);

	for (size_t i = level; i <= LEVELS; i++) {
		p->kinds[i] = TODO_SECTION_OTHER;
		p->wants[i] = false;
	}
	p->kinds[level] = kind;
	p->wants[level] = wanted;
	p->found |= wanted;
	p->section = TODO_SECTION_OTHER;
	p->counts = p->history = false;
	for (size_t i = 1; i <= level; i++) {
		if (p->kinds[i] != TODO_SECTION_OTHER)
			p->section = p->kinds[i];
		p->counts |= p->wants[i];
		p->history |= p->kinds[i] == TODO_SECTION_HISTORY;
	}
}

/* "## Name ##" */
static void
heading_read(struct todo_parser *p, struct span line)
{
	size_t level = 0;
	struct span name;

	while (level < line.len && line.p[level] == '#')
		level++;
	if (level > LEVELS ||
	    (level < line.len && line.p[level] != ' ' && line.p[level] != '\t'))
		return;
	name = span_trim((struct span){line.p + level, line.len - level});
	while (name.len > 0 && strchr("#: \t", name.p[name.len - 1]) != NULL)
		name.len--;
	section_enter(p, level, name);
}

/* ---- what is no text ----------------------------------------------------------------- */

static bool
todo_file_line_next(struct todo_parser *p, struct span *line)
{
	p->lineno++;
	if (!front_line(&p->next, p->end, line))
		return false;
	if (line->len > 0 && line->p[line->len - 1] == '\r')
		line->len--;
	return true;
}

static void
todo_file_note(struct todo_parser *p, size_t lineno, const char *text)
{
	buf_addf(&p->out->notes, "line %zu: %s\n", lineno, text);
}

/* Returns how many of the mark the line begins with. */
static size_t
fence_len(struct span line, char mark)
{
	size_t n = 0;

	while (n < line.len && line.p[n] == mark)
		n++;
	return n;
}

static bool
fence_opens(struct span line)
{
	size_t n = fence_len(line, *line.p);

	return n >= 3 && n <= FENCE_MAX &&
	       (*line.p != '`' || memchr(line.p + n, '`', line.len - n) == NULL);
}

/* Goes on behind the fence that the line opens, if it is closed. */
static void
fence_skip(struct todo_parser *p, struct span line)
{
	struct todo_parser ahead = *p;
	size_t least = fence_len(line, *line.p);
	struct span l;

	while (todo_file_line_next(&ahead, &l)) {
		l = span_trim(l);
		if (l.len < least || fence_len(l, *line.p) != l.len)
			continue;
		p->next = ahead.next;
		p->lineno = ahead.lineno;
		return;
	}
	todo_file_note(
	    p, p->lineno, "the code that begins here has no end, and is read as text");
}

/* Goes on behind the line in which the comment ends. */
static void
comment_skip(struct todo_parser *p, struct span line)
{
	const char *stop;
	struct span l = line;

	if (p->open_comment)
		return;
	stop = memmem(line.p, (size_t)(p->end - line.p), "-->", 3);
	if (stop == NULL) {
		p->open_comment = true;
		todo_file_note(p, p->lineno,
		    "the comment that begins here has no end, and is read as text");
		return;
	}
	while (stop >= p->next && todo_file_line_next(p, &l)) {}
}

/* ---- tasks --------------------------------------------------------------------------- */

static void
lines_add(struct todo_lines *l, size_t lineno)
{
	if (l->n < TOLD)
		l->first[l->n] = lineno;
	l->n++;
}

/* "line 7", "lines 7, 9 and 3 more" */
static void
lines_tell(const struct todo_lines *l, struct buf *out)
{
	buf_adds(out, l->n == 1 ? "line " : "lines ");
	for (size_t i = 0; i < l->n && i < TOLD; i++)
		buf_addf(out, "%s%zu", i > 0 ? ", " : "", l->first[i]);
	if (l->n > TOLD)
		buf_addf(out, " and %zu more", l->n - TOLD);
}

/* Tells about the lines, after n other reasons, in the words for one or for several of them;
 * returns how many lines there are. */
static size_t
lines_say(
    const struct todo_lines *l, const char *one, const char *several, size_t n, struct buf *out)
{
	if (l->n == 0)
		return 0;
	buf_adds(out, n > 0 ? ", " : "");
	lines_tell(l, out);
	buf_adds(out, l->n == 1 ? one : several);
	return l->n;
}

static void
odd_add(struct todo_parser *p, struct oddities *o)
{
	lines_add(&o->anywhere, p->lineno);
	if (p->counts)
		lines_add(&o->here, p->lineno);
}

static bool
is_delayed(const struct todo_parser *p)
{
	return p->section == TODO_SECTION_DELAYED && p->wanted_kind != TODO_SECTION_DELAYED;
}

/* A task that cannot be given out keeps the list from being complete, unless the task is done
 * or put aside. */
static void
unread_add(struct todo_parser *p, const struct todo_line *l, struct oddities *o)
{
	enum todo_state state = todo_line_state(l);

	if ((state == TODO_OPEN || state == TODO_ACTIVE || state == TODO_BLOCKED) &&
	    !is_delayed(p))
		odd_add(p, o);
}

static void
bad_id(struct todo_parser *p, struct span id)
{
	AUTO_BUF text = BUF_INIT;

	if (p->nbad++ >= TOLD)
		return;
	todo_text(id, SHOWN, &text);
	buf_addf(&p->out->notes,
	    "line %zu: '%s' cannot be an id (T and up to 18 digits); it is left alone\n",
	    p->lineno, text.data);
}

static void
task_add(struct todo_parser *p, const struct todo_line *l)
{
	struct todo_file *f = p->out;
	struct todo_task *t;

	if (f->n == p->cap) {
		p->cap = p->cap > 0 ? p->cap * 2 : (size_t)(p->end - p->next) / LINE_USUAL + 16;
		f->tasks = xreallocarray(f->tasks, p->cap, sizeof(*f->tasks));
	}
	t = &f->tasks[f->n++];
	*t = (struct todo_task){.line = *l,
	    .lineno = (uint32_t)p->lineno,
	    .section = p->section,
	    .state = todo_line_state(l),
	    .counts = p->counts};
	if (t->state == TODO_DONE && *l->mark != 'x' && *l->mark != 'X' &&
	    p->nunticked++ < TOLD)
		buf_addf(&f->notes,
		    "line %zu: %.*s says **DONE**, but its box is not ticked; it is taken for "
		    "done\n",
		    p->lineno, (int)l->id.len, l->id.p);
	if ((t->state == TODO_OPEN || t->state == TODO_ACTIVE) && is_delayed(p))
		t->state = TODO_DEFERRED;
}

static void
todo_file_item_read(struct todo_parser *p, struct span line)
{
	struct todo_line l;

	switch (todo_line_parse(line, &l)) {
	case TODO_LINE_TASK:
		task_add(p, &l);
		break;
	case TODO_LINE_BAD_ID:
		bad_id(p, l.id);
		unread_add(p, &l, &p->nameless);
		break;
	case TODO_LINE_NO_ID:
		if (*l.mark == 'x' || *l.mark == 'X')
			break;
		odd_add(p, &p->no_id);
		unread_add(p, &l, &p->nameless);
		break;
	case TODO_LINE_NO_BOX:
		unread_add(p, &l, &p->boxless);
		break;
	case TODO_LINE_OTHER:
	default:
		break;
	}
}

static void
todo_file_line_read(struct todo_parser *p, struct span line)
{
	size_t at = 0;
	struct span rest;

	while (at < line.len && (line.p[at] == ' ' || line.p[at] == '\t'))
		at++;
	if (at == line.len)
		return;
	rest = (struct span){line.p + at, line.len - at};
	if (*rest.p == '#') {
		heading_read(p, rest);
	} else if ((*rest.p == '`' || *rest.p == '~') && fence_opens(rest)) {
		fence_skip(p, rest);
	} else if (rest.len >= 4 && memcmp(rest.p, "<!--", 4) == 0) {
		comment_skip(p, rest);
	} else if (!p->history) {
		todo_file_item_read(p, line);
	}
}

/* ---- the whole ----------------------------------------------------------------------- */

static int
refuse_twice(const struct todo_task *a, const struct todo_task *b, struct err *err)
{
	if (a->line.id.len == b->line.id.len)
		return err_code(err, EEXIST, "%.*s is the id of two tasks, in lines %u and %u",
		    (int)a->line.id.len, a->line.id.p, a->lineno, b->lineno);
	return err_code(err, EEXIST, "%.*s in line %u and %.*s in line %u are the same id",
	    (int)a->line.id.len, a->line.id.p, a->lineno, (int)b->line.id.len, b->line.id.p,
	    b->lineno);
}

/* Finds the earlier task of the same number; NULL: there is none, and this one is in the table
 * now. */
static const struct todo_task *
find_or_add(
    uint32_t *slots, unsigned bits, uint64_t factor, const struct todo_file *f, size_t i)
{
	uint64_t number = f->tasks[i].line.number;
	size_t at = (size_t)(number * factor >> (64 - bits));

	for (; slots[at] != 0; at = (at + 1) & (((size_t)1 << bits) - 1))
		if (f->tasks[slots[at] - 1].line.number == number)
			return &f->tasks[slots[at] - 1];
	slots[at] = (uint32_t)(i + 1);
	return NULL;
}

int
todo_file_check(struct todo_file *f, struct err *err)
{
	/* Authors of the file do not know the factor, so they cannot choose numbers that
	 * collide. */
	const uint64_t factor = ((uintptr_t)f->tasks >> 4 | 1) * UINT64_C(0x9E3779B97F4A7C15);
	AUTO_FREE uint32_t *slots = NULL;
	unsigned bits = 4;
	size_t ndone = 0;

	while ((size_t)1 << bits < f->n * 2)
		bits++;
	slots = xcalloc((size_t)1 << bits, sizeof(*slots));
	for (size_t i = 0; i < f->n; i++) {
		const struct todo_task *t = &f->tasks[i];
		const struct todo_task *same = find_or_add(slots, bits, factor, f, i);

		if (same == NULL)
			continue;
		if (same->state != TODO_DONE || t->state != TODO_DONE)
			return refuse_twice(same, t, err);
		if (ndone++ < TOLD)
			buf_addf(&f->notes, "%.*s was done twice, in lines %u and %u\n",
			    (int)t->line.id.len, t->line.id.p, same->lineno, t->lineno);
	}
	return 0;
}

static int
todo_file_by_number(const void *a, const void *b, void *ctx)
{
	const struct todo_task *tasks = ctx;
	uint64_t x = tasks[*(const size_t *)a].line.number;
	uint64_t y = tasks[*(const size_t *)b].line.number;

	return (x > y) - (x < y);
}

static void
todo_file_list_work(struct todo_parser *p)
{
	struct todo_file *f = p->out;
	bool sorted = true;

	f->work = xcalloc(f->n + 1, sizeof(*f->work));
	for (size_t i = 0; i < f->n; i++) {
		struct todo_task *t = &f->tasks[i];

		t->counts |= f->whole;
		if (!t->counts || (t->state != TODO_OPEN && t->state != TODO_ACTIVE))
			continue;
		if (f->nwork > 0 &&
		    f->tasks[f->work[f->nwork - 1]].line.number > t->line.number)
			sorted = false;
		f->work[f->nwork++] = i;
	}
	if (!sorted && !f->whole && p->wanted_kind == TODO_SECTION_CLAUDE)
		qsort_r(f->work, f->nwork, sizeof(*f->work), todo_file_by_number, f->tasks);
}

static const struct todo_lines *
those_that_count(const struct todo_parser *p, const struct oddities *o)
{
	return p->out->whole ? &o->anywhere : &o->here;
}

void
todo_file_parse(struct todo_file *out, const char *data, size_t len, const char *section)
{
	bool dflt = section == NULL || *section == '\0';
	struct todo_parser p = {
	    .out = out, .next = data + todo_bom(data, len), .end = data + len};
	struct span line;

	*out = (struct todo_file){.notes = BUF_INIT};
	p.wanted = dflt ? USUAL_section : section;
	p.wanted_kind = todo_section_find((struct span){p.wanted, strlen(p.wanted)});
	while (todo_file_line_next(&p, &line))
		todo_file_line_read(&p, line);
	out->whole = !p.found;
	if (out->whole && !dflt) {
		buf_adds(&out->notes, "there is no section ");
		text_quote(&out->notes, section);
		buf_adds(&out->notes, "; all tasks of the file count\n");
	}
	out->nameless = *those_that_count(&p, &p.nameless);
	out->boxless = *those_that_count(&p, &p.boxless);
	if (p.nbad > TOLD)
		buf_addf(&out->notes, "and %zu more that cannot be ids\n", p.nbad - TOLD);
	(void)lines_say(those_that_count(&p, &p.no_id),
	    ": a task without an id (such as T001) is left alone\n",
	    ": tasks without an id (such as T001) are left alone\n", 0, &out->notes);
	(void)lines_say(&out->boxless,
	    ": what looks like a task, but is not written as one ('- [ ] T001: ...'), is left "
	    "alone\n",
	    ": what look like tasks, but are not written as such ('- [ ] T001: ...'), are left "
	    "alone\n",
	    0, &out->notes);
	todo_file_list_work(&p);
}

void
todo_file_release(struct todo_file *f)
{
	free(f->tasks);
	free(f->work);
	buf_release(&f->notes);
	f->tasks = NULL;
	f->work = NULL;
	f->n = f->nwork = 0;
}

const struct todo_task *
todo_file_find(const struct todo_file *f, const char *id)
{
	uint64_t number;

	if (!todo_id_parse(id, &number))
		return NULL;
	for (size_t i = 0; i < f->n; i++)
		if (f->tasks[i].line.number == number)
			return &f->tasks[i];
	return NULL;
}

size_t
todo_file_left(const struct todo_file *f, struct buf *out, size_t *aside)
{
	size_t n = 0;

	*aside = 0;
	for (size_t i = 0; i < f->n; i++) {
		const struct todo_task *t = &f->tasks[i];
		struct todo_parts parts;

		if (!t->counts || t->state == TODO_DONE || t->state == TODO_OPEN ||
		    t->state == TODO_ACTIVE)
			continue;
		*aside += t->state == TODO_DEFERRED || t->state == TODO_SKIPPED;
		if (++n > TOLD)
			continue;
		todo_line_parts(&t->line, &parts);
		buf_addf(out, "%s%.*s is %s", n > 1 ? ", " : "", (int)t->line.id.len,
		    t->line.id.p, todo_state_name(t->state));
		if (parts.reason.len > 0) {
			buf_adds(out, " (");
			todo_text(parts.reason, SHOWN, out);
			buf_addc(out, ')');
		}
	}
	if (n > TOLD)
		buf_addf(out, " and %zu more", n - TOLD);
	n += lines_say(&f->nameless,
	    " is open and has no id: give it one (such as T001), or tick it",
	    " are open and have no id: give them one (such as T001), or tick them", n, out);
	n += lines_say(&f->boxless,
	    " looks like a task, but cannot be read as one: begin it with '- [ ] T001: ', or "
	    "remove it",
	    " look like tasks, but cannot be read as such: begin them with '- [ ] T001: ', or "
	    "remove them",
	    n, out);
	return n;
}
