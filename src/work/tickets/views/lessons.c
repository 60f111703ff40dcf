/*
 * lessons.c - AGENTS.md: what agents learnt, seed 001's block each.
 *
 * A block begins with "## Lesson from" and goes up to the next heading of its level or the end
 * of the file, whoever wrote it.
 */
#include "work/tickets/views/tickets_view.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "base/userfile.h"
#include "work/tickets/views/run_view.h"

#define HEADING "## Lesson from "
#define LESSONS_DEFAULT 50
#define FIELD_MAX ((size_t)4096)

void
tickets_lessons_template(struct buf *out)
{
	buf_adds(out, "# Ralph Loop: Lessons Learned\n"
		      "\n"
		      "What agents found out while they worked on tickets here. Read it before "
		      "you start;\n"
		      "add what would have saved you time.\n"
		      "\n"
		      "## Project Patterns\n"
		      "\n"
		      "## Gotchas\n"
		      "\n"
		      "## Successful Strategies\n"
		      "\n"
		      "## Technical Debt Notes\n"
		      "\n"
		      "---\n"
		      "\n"
		      "<!-- Lessons are appended below -->\n");
}

/* ---- blocks -------------------------------------------------------------------------- */

/* The next line at or behind p that begins with `text`; NULL. */
static const char *
line_from(const char *p, const char *text)
{
	size_t len = strlen(text);

	while (strncmp(p, text, len) != 0) {
		p = strchr(p, '\n');
		if (p == NULL)
			return NULL;
		p++;
	}
	return p;
}

/* The next block at or behind p, and its end. */
static const char *
block_from(const char *p, const char **end)
{
	const char *start = line_from(p, HEADING);
	const char *body = start == NULL ? NULL : strchr(start, '\n');

	if (start == NULL)
		return NULL;
	*end = body == NULL ? NULL : line_from(body + 1, "## ");
	if (*end == NULL)
		*end = start + strlen(start);
	return start;
}

int64_t
tickets_lessons_count(const struct buf *text)
{
	const char *p = text->data, *end;
	int64_t n = 0;

	for (; block_from(p, &end) != NULL; p = end)
		n++;
	return n;
}

/* Appends the text with only its newest n blocks. */
static void
lessons_keep(const struct buf *text, int64_t n, struct buf *out)
{
	int64_t drop = tickets_lessons_count(text) - n;
	const char *p = text->data, *start, *end;

	for (; drop > 0 && (start = block_from(p, &end)) != NULL; drop--) {
		buf_add(out, p, (size_t)(start - p));
		p = end;
	}
	buf_adds(out, p);
}

/* ---- one lesson ---------------------------------------------------------------------- */

enum lesson_field { CONTEXT, LESSON, APPLY, FIELDS };

static const char *const markers[FIELDS] = {
    [CONTEXT] = "**Context**:", [LESSON] = "**Lesson**:", [APPLY] = "**Apply when**:"};

/* The text behind the first such marker, up to the next one or the rule at the end. */
static void
views_lessons_field_take(const char *text, enum lesson_field field, struct buf *out)
{
	const char *p = strstr(text, markers[field]), *end;

	if (p == NULL)
		return;
	p += strlen(markers[field]);
	end = p + strlen(p);
	for (size_t i = 0; i < FIELDS; i++) {
		const char *next = strstr(p, markers[i]);

		if (next != NULL && next < end)
			end = next;
	}
	buf_add(out, p, (size_t)(end - p));
}

/* Appends the words alone: only they count when two lessons are compared. */
static void
words_only(const char *text, size_t len, struct buf *out)
{
	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)text[i];

		if (c >= 'A' && c <= 'Z')
			buf_addc(out, (char)(c + 32));
		else if (c >= 0x80 || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9'))
			buf_addc(out, (char)c);
	}
}

/* Extracts the words of a block: its lesson, or the whole body when others wrote the block. */
static void
block_words(const char *start, const char *end, struct buf *out)
{
	AUTO_FREE char *block = xstrndup(start, (size_t)(end - start));
	const char *body = strchr(block, '\n');
	AUTO_BUF lesson = BUF_INIT;

	views_lessons_field_take(block, LESSON, &lesson);
	if (lesson.len == 0 && body != NULL)
		buf_adds(&lesson, body);
	words_only(lesson.data, lesson.len, out);
}

static bool
views_lessons_is_known(const struct buf *doc, const struct buf *lesson)
{
	const char *p = doc->data, *start, *end;
	AUTO_BUF wanted = BUF_INIT;

	words_only(lesson->data, lesson->len, &wanted);
	for (; (start = block_from(p, &end)) != NULL; p = end) {
		AUTO_BUF have = BUF_INIT;

		block_words(start, end, &have);
		if (strcmp(have.data, wanted.data) == 0)
			return true;
	}
	return false;
}

/* Lines of an agent must not look like ours: no heading of our level, no rule, no comment. */
static void
add_lines(const char *text, struct buf *out)
{
	size_t first = out->len;

	for (const char *p = text; *p != '\0'; p++) {
		bool begins = out->len == first || out->data[out->len - 1] == '\n';

		if (begins && strncmp(p, "## ", 3) == 0)
			buf_addc(out, '#');
		if (begins && strncmp(p, "---", 3) == 0)
			buf_addc(out, '\\');
		if (strncmp(p, "<!--", 4) == 0)
			buf_addc(out, '\\');
		buf_addc(out, *p);
	}
}

/* Takes away blanks around the field, escape sequences and control characters, and what is no
 * UTF-8. */
static void
field_clean(struct buf *field)
{
	AUTO_BUF plain = BUF_INIT;
	AUTO_BUF shown = BUF_INIT;
	AUTO_BUF lines = BUF_INIT;
	size_t first;

	text_strip(&plain, field->data, field->len > FIELD_MAX ? FIELD_MAX : field->len);
	text_show(&shown, plain.data, plain.len, true);
	first = strspn(shown.data, " \t\n");
	while (shown.len > first && strchr(" \t\n", shown.data[shown.len - 1]) != NULL)
		buf_truncate(&shown, shown.len - 1);
	add_lines(shown.data + first, &lines);
	buf_clear(field);
	buf_add(field, lines.data, lines.len);
}

static void
lesson_parse(const struct view_session *s, struct buf fields[FIELDS])
{
	for (size_t i = 0; i < FIELDS; i++)
		views_lessons_field_take(s->lesson, (enum lesson_field)i, &fields[i]);
	if (fields[LESSON].len == 0)
		buf_adds(&fields[LESSON], s->lesson);
	for (size_t i = 0; i < FIELDS; i++)
		field_clean(&fields[i]);
	if (fields[CONTEXT].len == 0)
		view_line(
		    s->title[0] != '\0' ? s->title : s->ticket, FIELD_MAX, &fields[CONTEXT]);
	if (fields[APPLY].len == 0 && s->components[0] != '\0' && s->components[0] != '*') {
		buf_adds(&fields[APPLY], "working on ");
		view_line(s->components, FIELD_MAX, &fields[APPLY]);
	}
	if (fields[APPLY].len == 0)
		buf_adds(&fields[APPLY], "not said");
}

static void
lesson_add(const struct view_session *s, struct buf *doc)
{
	struct buf fields[FIELDS] = {BUF_INIT, BUF_INIT, BUF_INIT};
	AUTO_BUF date = BUF_INIT;

	lesson_parse(s, fields);
	if (fields[LESSON].len > 0 && !views_lessons_is_known(doc, &fields[LESSON])) {
		view_time(s->ended, &date);
		buf_truncate(&date, strlen("2024-01-15"));
		if (doc->len > 0 && doc->data[doc->len - 1] != '\n')
			buf_addc(doc, '\n');
		buf_adds(doc, "\n" HEADING);
		view_line(s->ticket, FIELD_MAX, doc);
		buf_addf(doc, " (%s)\n", date.data);
		for (size_t i = 0; i < FIELDS; i++)
			buf_addf(doc, "\n%s %s\n", markers[i], fields[i].data);
		buf_adds(doc, "\n---\n");
	}
	for (size_t i = 0; i < FIELDS; i++)
		buf_release(&fields[i]);
}

/* ---- the file ------------------------------------------------------------------------ */

void
lessons_render(const struct run_view *v, const struct buf *old, struct buf *out)
{
	int64_t max = v->settings->lessons_max > 0 ? v->settings->lessons_max : LESSONS_DEFAULT;
	AUTO_BUF doc = BUF_INIT;

	if (strspn(old->data, " \t\r\n") == old->len)
		tickets_lessons_template(&doc);
	else
		buf_add(&doc, old->data, old->len);
	for (size_t i = 0; i < v->nsessions; i++)
		if (v->sessions[i].lesson != NULL && !v->sessions[i].learnt &&
		    v->sessions[i].status != VIEW_ACTIVE)
			lesson_add(&v->sessions[i], &doc);
	lessons_keep(&doc, max, out);
}

int
tickets_lessons_prune(const char *root, int64_t n, int64_t *removed, struct err *err)
{
	AUTO_CLOSE int dir = tickets_view_dir(root, err);
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF kept = BUF_INIT;

	*removed = 0;
	if (dir < 0 || view_read(dir, LESSONS_FILE, &text, err) < 0)
		return -1;
	lessons_keep(&text, n, &kept);
	*removed = tickets_lessons_count(&text) - tickets_lessons_count(&kept);
	return *removed == 0 ? 0 : userfile_replace(dir, LESSONS_FILE, &text, &kept, err);
}
