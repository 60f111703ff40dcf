#include "watch/python.h"

#include <ctype.h>

static const struct {
	char letter;
	enum python_flag flag;
} flag_letters[] = {
    {'i', PYTHON_IGNORECASE},
    {'m', PYTHON_MULTILINE},
    {'s', PYTHON_DOTALL},
    {'x', PYTHON_VERBOSE},
    {'a', PYTHON_ASCII},
    {'u', PYTHON_UNICODE},
};

#define TYPE_FLAGS ((unsigned)PYTHON_ASCII | (unsigned)PYTHON_UNICODE)

/*
 * Names.
 */

struct name {
	size_t at, len; /* bytes */
	size_t pos, chars;
};

static bool
is_identifier(const char *s, size_t len)
{
	if (isdigit((unsigned char)s[0]))
		return false;
	for (size_t i = 0; i < len; i++)
		if (!isalnum((unsigned char)s[i]) && s[i] != '_' && (unsigned char)s[i] < 0x80)
			return false;
	return true;
}

static int
read_name(struct python *py, uint32_t terminator, struct name *name)
{
	struct python_token t;

	*name = (struct name){.at = py->next.at, .pos = py->next.pos};
	for (;;) {
		bool last = python_next_is(py, terminator);

		if (python_take(py, &t) < 0)
			return -1;
		name->len = t.at - name->at;
		name->chars = t.pos - name->pos;
		if (!t.end && !last)
			continue;
		if (name->len == 0)
			return python_refuse(py, name->pos, "missing group name");
		if (t.end)
			return python_refuse(
			    py, name->pos, "missing %c, unterminated name", (int)terminator);
		return 0;
	}
}

static int
python_group_check_name(struct python *py, const struct name *name)
{
	if (is_identifier(py->pattern + name->at, name->len))
		return 0;
	return python_refuse(py, name->pos, "bad character in group name '%.*s'",
	    (int)name->len, py->pattern + name->at);
}

/* The number of the group with that name, or 0. */
static size_t
find_name(const struct python *py, const struct name *name)
{
	for (size_t n = 1; n < py->captures; n++) {
		const struct python_capture *c = &py->capture[n];

		if (c->name_len == name->len &&
		    !memcmp(py->pattern + c->name_at, py->pattern + name->at, name->len))
			return n;
	}
	return 0;
}

static int
unknown_name(struct python *py, const struct name *name)
{
	return python_refuse(
	    py, name->pos, "unknown group name '%.*s'", (int)name->len, py->pattern + name->at);
}

static int
check_behind(struct python *py, size_t n)
{
	if (!py->behind)
		return 0;
	if (n >= py->captures || !py->capture[n].closed)
		return python_refuse(py, py->next.pos, "cannot refer to an open group");
	if (n >= py->behind)
		return python_refuse(py, py->next.pos,
		    "cannot refer to group defined in the same lookbehind subpattern");
	return 0;
}

int
python_reference(struct python *py, size_t n, size_t pos)
{
	if (!py->capture[n].closed)
		return python_refuse(py, pos, "cannot refer to an open group");
	return check_behind(py, n);
}

/*
 * Flags.
 */

static unsigned
flag_of(const struct python_token *t)
{
	for (size_t i = 0; !t->escaped && i < ARRAY_LEN(flag_letters); i++)
		if (t->cp == (unsigned char)flag_letters[i].letter)
			return flag_letters[i].flag;
	return 0;
}

static int
not_a_flag(struct python *py, const struct python_token *t, const char *wanted)
{
	bool letter = !t->end && !t->escaped && (t->cp >= 0x80 || isalpha((int)t->cp));

	return python_refuse(py, t->pos, "%s", letter ? "unknown flag" : wanted);
}

/* The letters that switch on; `t` is the first one, and afterwards what ended them. */
static int
flags_on(struct python *py, struct python_token *t, unsigned *on)
{
	do {
		unsigned flag = flag_of(t);

		if (t->cp == 'L' && !t->escaped && !t->end)
			return python_refuse(py, py->next.pos,
			    "bad inline flags: cannot use 'L' flag with a str pattern");
		if (!flag)
			return not_a_flag(py, t, "missing -, : or )");
		*on |= flag;
		if ((flag & TYPE_FLAGS) && (*on & TYPE_FLAGS) != flag)
			return python_refuse(py, py->next.pos,
			    "bad inline flags: flags 'a', 'u' and 'L' are incompatible");
		if (python_take(py, t) < 0)
			return -1;
	} while (t->end || t->escaped || (t->cp != ')' && t->cp != '-' && t->cp != ':'));
	return 0;
}

static int
flags_off(struct python *py, unsigned *off)
{
	const char *wanted = "missing flag";
	struct python_token t;

	for (;; wanted = "missing :") {
		unsigned flag;

		if (python_take(py, &t) < 0)
			return -1;
		if (*off && t.cp == ':' && !t.escaped)
			return 0;
		flag = flag_of(&t);
		if ((flag & TYPE_FLAGS) || (t.cp == 'L' && !t.escaped))
			return python_refuse(py, py->next.pos,
			    "bad inline flags: cannot turn off flags 'a', 'u' and 'L'");
		if (!flag)
			return not_a_flag(py, &t, wanted);
		*off |= flag;
	}
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

static int
global_flags(struct python *py, unsigned on, size_t pos)
{
	const struct python_frame *f = python_top(py);

	if (f->kind != GROUP_TOP || f->branches || f->item != ITEM_NONE)
		return python_refuse(
		    py, pos, "global flags not at the start of the expression");
	py->flags |= on;
	if ((py->flags & TYPE_FLAGS) == TYPE_FLAGS)
		return python_refuse(py, pos, "ASCII and UNICODE flags are incompatible");
	write_flags(py, ')');
	return 0;
}

/*
 * Groups.
 */

static int
push(struct python *py, enum python_group kind, size_t pos)
{
	if (py->depth + 1 == PYTHON_DEPTH_MAX)
		return python_refuse(py, pos, "too many nested groups");
	py->depth++;
	*python_top(py) = (struct python_frame){
	    .kind = kind, .pos = pos, .flags = py->flags, .behind = py->behind};
	return 0;
}

static int
open_capture(struct python *py, size_t pos, const struct name *name)
{
	size_t n = py->captures;

	if (n > PYTHON_GROUPS_MAX)
		return python_refuse(py, pos, "too many groups");
	py->capture[n] = (struct python_capture){0};
	if (name) {
		size_t before = find_name(py, name);

		if (before)
			return python_refuse(py, name->pos,
			    "redefinition of group name '%.*s' as group %zu; was group %zu",
			    (int)name->len, py->pattern + name->at, n, before);
		py->capture[n].name_at = name->at;
		py->capture[n].name_len = name->len;
	}
	if (push(py, GROUP_CAPTURE, pos) < 0)
		return -1;
	python_top(py)->number = n;
	py->captures++;
	buf_addc(py->out, '(');
	return 0;
}

static int
open_flags(struct python *py, size_t pos, struct python_token *t)
{
	unsigned on = 0, off = 0;

	if (t->cp != '-' && flags_on(py, t, &on) < 0)
		return -1;
	if (t->cp == ')')
		return global_flags(py, on, pos);
	if (t->cp == '-' && flags_off(py, &off) < 0)
		return -1;
	if (on & off)
		return python_refuse(
		    py, py->next.pos - 1, "bad inline flags: flag turned on and off");
	if (push(py, GROUP_PLAIN, pos) < 0)
		return -1;
	if (on & TYPE_FLAGS)
		py->flags &= ~TYPE_FLAGS;
	py->flags = (py->flags | on) & ~off;
	write_flags(py, ':');
	return 0;
}

static int
open_around(struct python *py, size_t pos, struct python_token *t)
{
	bool behind = t->cp == '<';

	if (behind) {
		size_t at = py->next.pos;

		if (python_take(py, t) < 0)
			return -1;
		if (t->end)
			return python_refuse(py, at, "unexpected end of pattern");
		if (t->escaped || (t->cp != '=' && t->cp != '!'))
			return python_refuse(py, pos + 1, "unknown extension ?<%.*s",
			    (int)(py->next.at - t->at), py->pattern + t->at);
	}
	if (push(py, behind ? GROUP_BEHIND : GROUP_AHEAD, pos) < 0)
		return -1;
	if (behind && !py->behind)
		py->behind = py->captures;
	buf_addf(py->out, "(?%s%c", behind ? "<" : "", (int)t->cp);
	return 0;
}

static int
open_condition(struct python *py, size_t pos)
{
	struct name name;
	size_t n = 0;

	if (read_name(py, ')', &name) < 0)
		return -1;
	if (is_identifier(py->pattern + name.at, name.len)) {
		n = find_name(py, &name);
		if (!n)
			return unknown_name(py, &name);
	} else {
		for (size_t i = name.at; i < name.at + name.len; i++) {
			if (!isdigit((unsigned char)py->pattern[i]))
				return python_group_check_name(py, &name);
			n = n * 10 + (size_t)(py->pattern[i] - '0');
			if (n > PYTHON_GROUPS_MAX)
				return python_refuse(py, name.pos,
				    "invalid group reference %.*s", (int)name.len,
				    py->pattern + name.at);
		}
		if (!n)
			return python_refuse(py, name.pos, "bad group number");
		if (n > py->reference) {
			py->reference = n;
			py->reference_pos = name.pos;
		}
	}
	if (check_behind(py, n) < 0 || push(py, GROUP_CONDITION, pos) < 0)
		return -1;
	buf_addf(py->out, "(?(%zu)", n);
	return 0;
}

/* After "(?P". */
static int
open_extension(struct python *py, size_t pos)
{
	struct python_token t;
	struct name name;
	size_t n;

	if (python_next_is(py, '<')) {
		if (python_take(py, &t) < 0 || read_name(py, '>', &name) < 0 ||
		    python_group_check_name(py, &name) < 0)
			return -1;
		return open_capture(py, pos, &name);
	}
	if (!python_next_is(py, '=')) {
		if (python_take(py, &t) < 0)
			return -1;
		if (t.end)
			return python_refuse(py, t.pos, "unexpected end of pattern");
		return python_refuse(py, pos + 1, "unknown extension ?P%.*s",
		    (int)(py->next.at - t.at), py->pattern + t.at);
	}
	if (python_take(py, &t) < 0 || read_name(py, ')', &name) < 0 ||
	    python_group_check_name(py, &name) < 0)
		return -1;
	n = find_name(py, &name);
	if (!n)
		return unknown_name(py, &name);
	if (python_reference(py, n, name.pos) < 0)
		return -1;
	python_backref(py, n);
	return 0;
}

static int
skip_comment(struct python *py, size_t pos)
{
	struct python_token t;

	do {
		if (python_take(py, &t) < 0)
			return -1;
		if (t.end)
			return python_refuse(py, pos, "missing ), unterminated comment");
	} while (t.escaped || t.cp != ')');
	return 0;
}

static int
open_plain(struct python *py, size_t pos, const char *opening)
{
	if (push(py, GROUP_PLAIN, pos) < 0)
		return -1;
	buf_adds(py->out, opening);
	return 0;
}

int
python_open(struct python *py, size_t pos)
{
	struct python_token t;
	int question = python_match(py, '?');

	if (question <= 0)
		return question < 0 ? -1 : open_capture(py, pos, NULL);
	if (python_take(py, &t) < 0)
		return -1;
	if (t.end)
		return python_refuse(py, t.pos, "unexpected end of pattern");
	switch (t.escaped ? 0 : t.cp) {
	case 'P':
		return open_extension(py, pos);
	case ':':
		return open_plain(py, pos, "(?:");
	case '>':
		return open_plain(py, pos, "(?>");
	case '#':
		return skip_comment(py, pos);
	case '=':
	case '!':
	case '<':
		return open_around(py, pos, &t);
	case '(':
		return open_condition(py, pos);
	default:
		if (!t.escaped && (flag_of(&t) || t.cp == '-' || t.cp == 'L'))
			return open_flags(py, pos, &t);
		return python_refuse(py, pos + 1, "unknown extension ?%.*s",
		    (int)(py->next.at - t.at), py->pattern + t.at);
	}
}

int
python_branch(struct python *py)
{
	struct python_frame *f = python_top(py);

	python_end_branch(py);
	if (f->kind == GROUP_CONDITION && f->branches == 2)
		return python_refuse(
		    py, py->next.pos - 1, "conditional backref with more than two branches");
	buf_addc(py->out, '|');
	return 0;
}

int
python_close(struct python *py, size_t pos)
{
	struct python_frame *f = python_top(py);
	struct python_width width;

	if (f->kind == GROUP_TOP)
		return python_refuse(py, pos, "unbalanced parenthesis");
	python_end_branch(py);
	width = f->finished;
	if (f->kind == GROUP_CONDITION && f->branches == 1)
		width.lo = 0;
	if (f->kind == GROUP_CAPTURE) {
		py->capture[f->number].closed = true;
		py->capture[f->number].width = width;
	}
	if (f->kind == GROUP_BEHIND && width.lo != width.hi)
		return python_refuse(py, f->pos, "look-behind requires fixed-width pattern");
	if (f->kind == GROUP_BEHIND && width.hi > PYTHON_REPEAT_MAX)
		return python_refuse(py, f->pos, "looks too much behind");
	if (f->kind == GROUP_AHEAD || f->kind == GROUP_BEHIND)
		width = (struct python_width){0, 0};
	py->flags = f->flags;
	py->behind = f->behind;
	py->depth--;
	buf_addc(py->out, ')');
	python_item(py, ITEM_ATOM, width);
	return 0;
}
