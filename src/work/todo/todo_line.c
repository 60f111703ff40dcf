#include "work/todo/todo_line.h"

#include "base/text.h"
#include "loop/vocabulary.h"
#include <errno.h>
#include <strings.h>

#define ID_DIGITS (TODO_ID_MAX - 2)
#define LIST_DIGITS 9 /* of a numbered list, as Markdown has it */

/* The words between ** and ** that mean something. */
static const struct {
	const char *mark;
	enum todo_state state;
} words[] = {
    {"**SKIPPED**", TODO_SKIPPED},
    {"**DEFERRED**", TODO_DEFERRED},
    {"**BLOCKED**", TODO_BLOCKED},
    {"**WIP**", TODO_ACTIVE},
    {"**DONE**", TODO_DONE},
};

VOCABULARY_NAMES(todo_state, enum todo_state, TODO_STATES)

static bool
todo_line_is_blank(char c)
{
	return c == ' ' || c == '\t';
}

static bool
todo_line_is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static const char *
skip_blanks(const char *p, const char *end)
{
	while (p < end && todo_line_is_blank(*p))
		p++;
	return p;
}

/* Skips what people put around an id: bold, italics, code. */
static const char *
skip_emphasis(const char *p, const char *end)
{
	while (p < end && (*p == '*' || *p == '_' || *p == '`'))
		p++;
	return p;
}

/* ---- ids ----------------------------------------------------------------------------- */

/* Returns the place behind "T123"; NULL: there is no id.  Leading zeros make no other
 * number. */
static const char *
id_read(const char *p, const char *end, uint64_t *number)
{
	uint64_t n = 0;
	const char *first;

	if (p == end || *p != 'T')
		return NULL;
	for (first = ++p; p < end && todo_line_is_digit(*p); p++) {
		if (p - first == ID_DIGITS)
			return NULL;
		n = n * 10 + (uint64_t)(*p - '0');
	}
	*number = n;
	return p > first ? p : NULL;
}

bool
todo_id_parse(const char *id, uint64_t *number)
{
	const char *end = id + strnlen(id, TODO_ID_MAX);

	return id_read(id, end, number) == end && *end == '\0';
}

int
todo_id_check(const char *id, struct err *err)
{
	uint64_t number;

	return todo_id_parse(id, &number)
		   ? 0
		   : err_code(err, EINVAL, "that cannot be the id of a task");
}

/* Returns the length of a dash that separates (-, en, em); 0: there is none. */
static size_t
dash_len(const char *p, const char *end)
{
	if (end - p >= 3 && memcmp(p, "\xe2\x80", 2) == 0 && (p[2] == '\x93' || p[2] == '\x94'))
		return 3;
	return p < end && *p == '-' && (p + 1 == end || todo_line_is_blank(p[1]));
}

/* Returns the place behind the separator of an id that ends at p; NULL: something else is glued
 * to the id. */
static const char *
separator_read(const char *p, const char *end, bool emphasised)
{
	if (emphasised)
		p = skip_emphasis(p, end);
	if (p < end && *p == ':') {
		p = emphasised ? skip_emphasis(p + 1, end) : p + 1;
		return skip_blanks(p, end);
	}
	if (p < end && !todo_line_is_blank(*p) && dash_len(p, end) == 0)
		return NULL;
	p = skip_blanks(p, end);
	return skip_blanks(p + dash_len(p, end), end);
}

/* Does the text at p look as if it were meant to be an id? */
static bool
is_meant_as_id(const char *p, const char *end)
{
	return end - p > 1 && *p == 'T' &&
	       (todo_line_is_digit(p[1]) || p[1] == '.' || p[1] == '/');
}

static struct span
word_at(const char *p, const char *end)
{
	const char *stop = p;

	while (stop < end && !todo_line_is_blank(*stop) && *stop != ':')
		stop++;
	return (struct span){p, (size_t)(stop - p)};
}

/* ---- the line ------------------------------------------------------------------------ */

/* Returns the place behind "-", "*", "+", "1." or "1)"; NULL: there is no mark of a list. */
static const char *
list_mark_read(const char *p, const char *end)
{
	const char *first = p = skip_blanks(p, end);

	if (p == end)
		return NULL;
	if (*p == '-' || *p == '*' || *p == '+')
		return p + 1;
	while (p < end && todo_line_is_digit(*p) && p - first < LIST_DIGITS)
		p++;
	return p > first && p < end && (*p == '.' || *p == ')') ? p + 1 : NULL;
}

/* Returns the place behind the mark and its blanks; NULL: it is no item of a list. */
static const char *
todo_line_item_read(const char *p, const char *end)
{
	p = list_mark_read(p, end);
	return p != NULL && p < end && todo_line_is_blank(*p) ? skip_blanks(p, end) : NULL;
}

/* ---- what was meant as a task -------------------------------------------------------- */

/* Is it a blank, a dash or a bullet as some keyboards and editors make it, which Markdown does
 * not know? */
static bool
is_ornament(uint32_t cp)
{
	return cp == 0xA0 || cp == 0xB7 || (cp >= 0x2000 && cp <= 0x206F) || cp == 0x2212 ||
	       (cp >= 0x25A0 && cp <= 0x25FF);
}

/* Skips blanks and ornaments, and the characters of `more`. */
static const char *
skip_ornaments(const char *p, const char *end, const char *more)
{
	while (p < end) {
		uint32_t cp;
		size_t n = utf8_decode(p, (size_t)(end - p), &cp);

		if (n == 0 || (!is_ornament(cp) && !todo_line_is_blank(*p) &&
				  (*p == '\0' || n > 1 || strchr(more, *p) == NULL)))
			break;
		p += n;
	}
	return p;
}

/* Returns the place behind an empty box, "[]" or "[  ]" or "\[ \]"; NULL: no such box. */
static const char *
empty_box_read(const char *p, const char *end)
{
	p += p < end && *p == '\\';
	if (p == end || *p != '[')
		return NULL;
	p = skip_ornaments(p + 1, end, "~");
	p += p < end && *p == '\\';
	return p < end && *p == ']' ? p + 1 : NULL;
}

/* Is the line meant as a task, with a box that Markdown does not know: "- []", "-[ ]"?  Without
 * a proper list mark before the box, only an id behind the box tells a task from text. */
static bool
is_meant_as_task(struct span line, struct todo_line *out)
{
	const char *end = line.p + line.len;
	const char *mark = list_mark_read(line.p, end);
	const char *box = skip_ornaments(line.p, end, "-*+.)0123456789");
	const char *behind = empty_box_read(box, end), *p, *id;

	if (behind == NULL)
		return false;
	p = skip_blanks(behind, end);
	id = skip_emphasis(p, end);
	if (!is_meant_as_id(id, end) && (mark == NULL || skip_blanks(mark, end) != box ||
					    *box != '[' || (p == behind && p < end)))
		return false;
	*out = (struct todo_line){.mark = " ", .text = {p, (size_t)(end - p)}};
	return true;
}

/* ---- the line, read ------------------------------------------------------------------ */

enum todo_line_kind
todo_line_parse(struct span line, struct todo_line *out)
{
	const char *end = line.p + line.len;
	const char *p = todo_line_item_read(line.p, end), *begin, *behind;

	if (p == NULL || end - p < 3 || p[0] != '[' || p[2] != ']')
		return is_meant_as_task(line, out) ? TODO_LINE_NO_BOX : TODO_LINE_OTHER;
	if (end - p > 3 && p[3] == '(')
		return TODO_LINE_OTHER;
	while (end > p + 3 && (todo_line_is_blank(end[-1]) || end[-1] == '\r'))
		end--;
	*out = (struct todo_line){.mark = p + 1};
	p = skip_blanks(p + 3, end);
	begin = skip_emphasis(p, end);
	behind = id_read(begin, end, &out->number);
	out->id = (struct span){begin, behind != NULL ? (size_t)(behind - begin) : 0};
	if (behind != NULL)
		behind = separator_read(behind, end, begin > p);
	if (behind != NULL) {
		out->text = (struct span){behind, (size_t)(end - behind)};
		return TODO_LINE_TASK;
	}
	out->text = (struct span){p, (size_t)(end - p)};
	out->id = word_at(begin, end);
	if (is_meant_as_id(begin, end))
		return TODO_LINE_BAD_ID;
	/* "[1] a footnote" is no box. */
	return strchr(" ~xX", *out->mark) != NULL && *out->mark != '\0' ? TODO_LINE_NO_ID
									: TODO_LINE_OTHER;
}

/* Returns the next "**"; NULL: there is none.  In most lines there is no asterisk, which memchr
 * tells faster. */
static const char *
stars_find(const char *p, const char *end)
{
	while ((p = memchr(p, '*', (size_t)(end - p))) != NULL) {
		if (p + 1 < end && p[1] == '*')
			return p;
		p++;
	}
	return NULL;
}

enum todo_state
todo_line_state(const struct todo_line *l)
{
	struct todo_parts parts;

	if (*l->mark == 'x' || *l->mark == 'X')
		return TODO_DONE;
	if (*l->mark != ' ' && *l->mark != '~')
		return TODO_ODD;
	if (stars_find(l->text.p, l->text.p + l->text.len) != NULL) {
		todo_line_parts(l, &parts);
		if (parts.status.p != NULL)
			return parts.state;
	}
	return *l->mark == ' ' ? TODO_OPEN : TODO_ACTIVE;
}

/* ---- suffixes ------------------------------------------------------------------------ */

static struct span
trimmed(struct span s)
{
	while (s.len > 0 && todo_line_is_blank(s.p[s.len - 1]))
		s.len--;
	while (s.len > 0 && todo_line_is_blank(*s.p)) {
		s.p++;
		s.len--;
	}
	return s;
}

/* Takes a suffix in brackets, with both brackets. */
static bool
take_bracket(struct span s, struct todo_parts *out)
{
	static const char *const names[] = {
	    "(completed:", "(created:", "(owner:", "[worklog:", "[checkpoint:"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		if (s.len <= strlen(names[i]) ||
		    strncasecmp(s.p, names[i], strlen(names[i])) != 0)
			continue;
		if (i == 0)
			out->completed = s;
		return true;
	}
	return false;
}

/* Is it "@bob", "@@bob" or "#tag"?  "#12" is more often a number in a title. */
static bool
is_word_suffix(struct span s)
{
	if (s.p[0] == '@')
		return s.len > 1 && (s.p[1] != '@' || s.len > 2);
	return s.p[0] == '#' && s.len > 1 &&
	       (((s.p[1] | 0x20) >= 'a' && (s.p[1] | 0x20) <= 'z') || (s.p[1] & 0x80) != 0);
}

static bool
is_closed(struct span s)
{
	return s.p[s.len - 1] == ')' || s.p[s.len - 1] == ']';
}

/* Returns the place where the last suffix of the text may begin; NULL: it has none. */
static const char *
last_begin(struct span rest)
{
	size_t at = rest.len;

	if (is_closed(rest))
		return memrchr(rest.p, rest.p[at - 1] == ')' ? '(' : '[', at);
	while (at > 0 && !todo_line_is_blank(rest.p[at - 1]))
		at--;
	return rest.p + at;
}

/* Takes the suffixes off the end of the text; returns what is left. */
static struct span
take_suffixes(struct span rest, struct todo_parts *out)
{
	for (;;) {
		const char *begin;
		struct span s;

		rest = trimmed(rest);
		begin = rest.len > 0 ? last_begin(rest) : NULL;
		if (begin == NULL || (begin > rest.p && !todo_line_is_blank(begin[-1])))
			return rest;
		s = (struct span){begin, (size_t)(rest.p + rest.len - begin)};
		if (is_closed(s) ? !take_bracket(s, out) : !is_word_suffix(s))
			return rest;
		rest.len = (size_t)(begin - rest.p);
	}
}

/* Does a status begin here?  Then its word, and the reason behind it. */
static bool
is_status(const char *p, const char *end, struct todo_parts *out)
{
	for (size_t i = 0; i < ARRAY_LEN(words); i++) {
		size_t len = strlen(words[i].mark), dash;
		const char *q = p + len;

		if (len > (size_t)(end - p) || memcmp(p, words[i].mark, len) != 0)
			continue;
		dash = q < end && *q == ':';
		q = dash > 0 ? q : skip_blanks(q, end);
		if (dash == 0)
			dash = dash_len(q, end);
		/* "the **DONE** button" is a title. */
		if (q < end && dash == 0)
			return false;
		out->state = words[i].state;
		out->status = (struct span){p, (size_t)(end - p)};
		if (dash > 0)
			out->reason =
			    trimmed((struct span){q + dash, (size_t)(end - q) - dash});
		return true;
	}
	return false;
}

/* Takes the status off the end of the text; returns what is left. */
static struct span
take_status(struct span rest, struct todo_parts *out)
{
	const char *end = rest.p + rest.len, *p = rest.p;

	while ((p = stars_find(p, end)) != NULL) {
		if ((p == rest.p || todo_line_is_blank(p[-1])) && is_status(p, end, out)) {
			rest.len = (size_t)(p - rest.p);
			return rest;
		}
		p += 2;
	}
	return rest;
}

void
todo_line_parts(const struct todo_line *l, struct todo_parts *out)
{
	struct span rest;

	*out = (struct todo_parts){.state = TODO_OPEN};
	rest = take_suffixes(l->text, out);
	out->suffixes = rest.p + rest.len;
	rest = take_status(rest, out);
	out->title = out->status.p != NULL ? take_suffixes(rest, out) : rest;
}

/* ---- texts --------------------------------------------------------------------------- */

static bool
is_control(uint32_t cp)
{
	return cp < 0x20 || (cp >= 0x7f && cp < 0xa0) || cp == 0x2028 || cp == 0x2029 ||
	       (cp >= 0x202a && cp <= 0x202e) || (cp >= 0x2066 && cp <= 0x2069);
}

void
todo_text(struct span s, size_t max, struct buf *out)
{
	size_t first = out->len, cut = first; /* "..." fits there */

	while (s.len > 0) {
		uint32_t cp;
		size_t n = utf8_decode(s.p, s.len, &cp);

		if (n == 0)
			buf_addrune(out, 0xFFFD);
		else if (is_control(cp))
			buf_addc(out, ' ');
		else
			text_untag(out, s.p, n);
		if (out->len - first > max) {
			buf_truncate(out, cut);
			buf_adds(out, "...");
			break;
		}
		if (out->len - first + 3 <= max)
			cut = out->len;
		n = n > 0 ? n : 1;
		s = (struct span){s.p + n, s.len - n};
	}
}

size_t
todo_bom(const char *data, size_t len)
{
	return len >= 3 && memcmp(data, "\xef\xbb\xbf", 3) == 0 ? 3 : 0;
}
