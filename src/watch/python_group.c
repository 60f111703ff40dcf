#include "watch/python.h"

#include <ctype.h>

#define TYPE_FLAGS ((unsigned)PYTHON_ASCII | (unsigned)PYTHON_UNICODE)

/* In the order of enum python_flag. */
static const char flag_letters[] = "imsxau";

/* ---- names and references ------------------------------------------------------------ */

static bool
is_identifier(const struct python *py, struct python_name name)
{
	for (size_t i = name.at; i < name.at + name.len; i++) {
		uint32_t c = py->chars[i];

		if ((c < 0x80 && !isalnum((int)c) && c != '_') ||
		    (i == name.at && python_is_digit(c)))
			return false;
	}
	return true;
}

static struct python_name
read_name(struct python *py, uint32_t terminator)
{
	struct python_name name = {py->at, 0};
	uint32_t t;

	do {
		t = python_take(py);
	} while (t != 0 && t != terminator);
	name.len = py->from - name.at;
	if (name.len == 0)
		python_refuse(py, name.at, "missing group name");
	if (t == 0)
		python_refuse(py, name.at, "missing %c, unterminated name", (int)terminator);
	return name;
}

static void
check_name(struct python *py, struct python_name name)
{
	if (!is_identifier(py, name))
		python_refuse(py, name.at, "bad character in group name '%.*s'",
		    PYTHON_SPELLED(py, name.at, name.at + name.len));
}

/* The number of the group with that name, or 0. */
static size_t
find_name(const struct python *py, struct python_name name)
{
	for (size_t n = 1; n < py->captures && name.len > 0; n++) {
		const struct python_name *known = &py->capture[n].name;

		if (known->len == name.len && memcmp(&py->chars[known->at], &py->chars[name.at],
						  name.len * sizeof(py->chars[0])) == 0)
			return n;
	}
	return 0;
}

static size_t
known_name(struct python *py, struct python_name name)
{
	size_t n = find_name(py, name);

	if (n == 0)
		python_refuse(py, name.at, "unknown group name '%.*s'",
		    PYTHON_SPELLED(py, name.at, name.at + name.len));
	return n;
}

static void
check_behind(struct python *py, size_t n)
{
	if (!py->behind)
		return;
	if (n >= py->captures || !py->capture[n].closed)
		python_refuse(py, py->at, "cannot refer to an open group");
	if (n >= py->behind)
		python_refuse(py, py->at,
		    "cannot refer to group defined in the same lookbehind subpattern");
}

void
python_backref(struct python *py, size_t n, size_t pos)
{
	if (!py->capture[n].closed)
		python_refuse(py, pos, "cannot refer to an open group");
	check_behind(py, n);
	buf_addf(py->out, python_folds_ascii(py) ? "(?i:\\g{%zu})" : "\\g{%zu}", n);
	python_item(py, ITEM_ATOM, py->capture[n].width);
}

/* ---- flags --------------------------------------------------------------------------- */

static unsigned
flag_of(uint32_t token)
{
	const char *at = token < 0x80 ? strchr(flag_letters, (int)token) : NULL;

	return at == NULL || token == 0 ? 0 : 1U << (at - flag_letters);
}

/* Refuses the token that was taken last, unless it is a flag. */
static void
check_flag(struct python *py, uint32_t t, const char *wanted)
{
	bool letter = !(t & PYTHON_ESCAPED) && (t >= 0x80 || isalpha((int)t));

	if (flag_of(t) == 0)
		python_refuse(py, py->from, "%s", letter ? "unknown flag" : wanted);
}

/* Reads the letters that switch flags on, from `t` on; returns what ended them. */
static uint32_t
flags_on(struct python *py, uint32_t t, unsigned *on)
{
	for (; t != ')' && t != '-' && t != ':' && !py->refused; t = python_take(py)) {
		if (t == 'L')
			python_refuse(py, py->at,
			    "bad inline flags: cannot use 'L' flag with a str pattern");
		check_flag(py, t, "missing -, : or )");
		*on |= flag_of(t);
		if ((flag_of(t) & TYPE_FLAGS) && (*on & TYPE_FLAGS) == TYPE_FLAGS)
			python_refuse(py, py->at,
			    "bad inline flags: flags 'a', 'u' and 'L' are incompatible");
	}
	return t;
}

static unsigned
flags_off(struct python *py)
{
	unsigned off = 0;
	uint32_t t = python_take(py);

	for (; (t != ':' || off == 0) && !py->refused; t = python_take(py)) {
		if ((flag_of(t) & TYPE_FLAGS) || t == 'L')
			python_refuse(py, py->at,
			    "bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
		check_flag(py, t, off ? "missing :" : "missing flag");
		off |= flag_of(t);
	}
	return off;
}

/* PCRE2 gets the complete set each time: what it folds must not depend on nesting. */
static void
write_flags(struct python *py, char end)
{
	buf_adds(py->out, "(?^");
	if ((py->flags & PYTHON_IGNORECASE) && !(py->flags & PYTHON_ASCII))
		buf_addc(py->out, 'i');
	if (py->flags & PYTHON_MULTILINE)
		buf_addc(py->out, 'm');
	if (py->flags & PYTHON_DOTALL)
		buf_addc(py->out, 's');
	buf_addc(py->out, end);
}

static void
global_flags(struct python *py, unsigned on, size_t pos)
{
	const struct python_frame *f = python_top(py);

	if (f->kind != GROUP_TOP || f->branches || f->item != ITEM_NONE)
		python_refuse(py, pos, "global flags not at the start of the expression");
	py->flags |= on;
	if ((py->flags & TYPE_FLAGS) == TYPE_FLAGS)
		python_refuse(py, pos, "ASCII and UNICODE flags are incompatible");
	write_flags(py, ')');
}

/* ---- groups -------------------------------------------------------------------------- */

static void
push(struct python *py, enum python_group kind, size_t pos, const char *opening)
{
	if (py->depth + 1 == PYTHON_DEPTH_MAX) {
		python_refuse(py, pos, "too many nested groups");
		return;
	}
	py->depth++;
	*python_top(py) = (struct python_frame){
	    .kind = kind, .pos = pos, .flags = py->flags, .behind = py->behind};
	buf_adds(py->out, opening);
}

static void
open_capture(struct python *py, size_t pos, struct python_name name)
{
	size_t n = py->captures, before = find_name(py, name);

	if (n > PYTHON_GROUPS_MAX) {
		python_refuse(py, pos, "too many groups");
		return;
	}
	if (before != 0)
		python_refuse(py, name.at,
		    "redefinition of group name '%.*s' as group %zu; was group %zu",
		    PYTHON_SPELLED(py, name.at, name.at + name.len), n, before);
	push(py, GROUP_CAPTURE, pos, "(");
	python_top(py)->number = n;
	py->capture[n].name = name;
	py->captures++;
}

static void
open_flags(struct python *py, size_t pos, uint32_t t)
{
	unsigned on = 0, off = 0;

	t = flags_on(py, t, &on);
	if (t == ')') {
		global_flags(py, on, pos);
		return;
	}
	if (t == '-')
		off = flags_off(py);
	if (on & off)
		python_refuse(py, py->at - 1, "bad inline flags: flag turned on and off");
	push(py, GROUP_PLAIN, pos, "");
	if (on & TYPE_FLAGS)
		py->flags &= ~TYPE_FLAGS;
	py->flags = (py->flags | on) & ~off;
	write_flags(py, ':');
}

/* Refuses the extension that begins at `pos`: none goes on with the token `t`. */
static void
unknown_extension(struct python *py, size_t pos, uint32_t t)
{
	if (t == 0)
		python_refuse(py, py->at, "unexpected end of pattern");
	else
		python_refuse(
		    py, pos + 1, "unknown extension %.*s", PYTHON_SPELLED(py, pos + 1, py->at));
}

static void
open_around(struct python *py, size_t pos, uint32_t t)
{
	bool behind = t == '<';

	if (behind)
		t = python_take(py);
	if (t != '=' && t != '!')
		unknown_extension(py, pos, t);
	push(py, behind ? GROUP_BEHIND : GROUP_AHEAD, pos, behind ? "(?<" : "(?");
	buf_addc(py->out, (char)t);
	if (behind && !py->behind)
		py->behind = py->captures;
}

static size_t
condition_number(struct python *py, struct python_name name)
{
	size_t n = 0;

	for (size_t i = name.at; i < name.at + name.len && n <= PYTHON_GROUPS_MAX; i++) {
		if (!python_is_digit(py->chars[i]))
			check_name(py, name);
		n = n * 10 + (py->chars[i] - '0');
	}
	if (n > PYTHON_GROUPS_MAX)
		python_refuse(py, name.at, "invalid group reference %.*s",
		    PYTHON_SPELLED(py, name.at, name.at + name.len));
	if (n == 0)
		python_refuse(py, name.at, "bad group number");
	if (n > py->reference) {
		py->reference = n;
		py->reference_pos = name.at;
	}
	return n;
}

static void
open_condition(struct python *py, size_t pos)
{
	struct python_name name = read_name(py, ')');
	size_t n = is_identifier(py, name) ? known_name(py, name) : condition_number(py, name);

	check_behind(py, n);
	push(py, GROUP_CONDITION, pos, "(?(");
	buf_addf(py->out, "%zu)", n);
}

/* Reads what follows "(?P". */
static void
open_extension(struct python *py, size_t pos)
{
	uint32_t t = python_take(py);
	struct python_name name;

	if (t != '<' && t != '=') {
		unknown_extension(py, pos, t);
		return;
	}
	name = read_name(py, t == '<' ? '>' : ')');
	check_name(py, name);
	if (t == '<')
		open_capture(py, pos, name);
	else
		python_backref(py, known_name(py, name), name.at);
}

static void
skip_comment(struct python *py, size_t pos)
{
	uint32_t t;

	do {
		t = python_take(py);
	} while (t != 0 && t != ')');
	if (t == 0)
		python_refuse(py, pos, "missing ), unterminated comment");
}

void
python_open(struct python *py)
{
	size_t pos = py->from;
	uint32_t t;

	if (!python_skip(py, '?')) {
		open_capture(py, pos, (struct python_name){0});
		return;
	}
	t = python_take(py);
	if (t == 'P')
		open_extension(py, pos);
	else if (t == ':')
		push(py, GROUP_PLAIN, pos, "(?:");
	else if (t == '>')
		push(py, GROUP_PLAIN, pos, "(?>");
	else if (t == '#')
		skip_comment(py, pos);
	else if (t == '=' || t == '!' || t == '<')
		open_around(py, pos, t);
	else if (t == '(')
		open_condition(py, pos);
	else if (flag_of(t) || t == '-' || t == 'L')
		open_flags(py, pos, t);
	else
		unknown_extension(py, pos, t);
}

void
python_branch(struct python *py)
{
	const struct python_frame *f = python_top(py);

	python_end_branch(py);
	if (f->kind == GROUP_CONDITION && f->branches == 2)
		python_refuse(py, py->from, "conditional backref with more than two branches");
	buf_addc(py->out, '|');
}

void
python_close(struct python *py)
{
	const struct python_frame *f = python_top(py);
	struct python_width width;

	if (f->kind == GROUP_TOP) {
		python_refuse(py, py->from, "unbalanced parenthesis");
		return;
	}
	python_end_branch(py);
	width = f->finished;
	if (f->kind == GROUP_CONDITION && f->branches == 1)
		width.lo = 0;
	if (f->kind == GROUP_CAPTURE) {
		py->capture[f->number].closed = true;
		py->capture[f->number].width = width;
	}
	if (f->kind == GROUP_BEHIND && width.lo != width.hi)
		python_refuse(py, f->pos, "look-behind requires fixed-width pattern");
	if (f->kind == GROUP_BEHIND && width.hi > PYTHON_REPEAT_MAX)
		python_refuse(py, f->pos, "looks too much behind");
	if (f->kind == GROUP_AHEAD || f->kind == GROUP_BEHIND)
		width = (struct python_width){0, 0};
	py->flags = f->flags;
	py->behind = f->behind;
	py->depth--;
	buf_addc(py->out, ')');
	python_item(py, ITEM_ATOM, width);
	need_group(python_top(py), f);
}
