#include "watch/python.h"

#include "base/alloc.h"
#include "base/text.h"
#include "watch/pattern.h"

#include <stdio.h>

#define WIDTH_MAX (UINT64_C(1) << 31) /* two of them can be multiplied */

int
python_refuse(struct python *py, size_t pos, const char *fmt, ...)
{
	char sentence[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, ap);
	va_end(ap);
	return err_set(py->err, "%s at position %zu", sentence, pos);
}

/* Reads the token at byte `at` into next. */
static int
read_token(struct python *py, size_t at, size_t pos)
{
	struct python_token *t = &py->next;

	*t = (struct python_token){.at = at, .pos = pos};
	if (at == py->len) {
		t->end = true;
		return 0;
	}
	t->escaped = py->pattern[at] == '\\';
	if (t->escaped && ++at == py->len)
		return python_refuse(py, pos, "bad escape (end of pattern)");
	utf8_decode(py->pattern + at, py->len - at, &t->cp);
	return 0;
}

static size_t
rune_len(uint32_t cp)
{
	return cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;
}

int
python_take(struct python *py, struct python_token *token)
{
	size_t slash;

	*token = py->next;
	if (token->end)
		return 0;
	slash = token->escaped ? 1 : 0;
	return read_token(py, token->at + slash + rune_len(token->cp), token->pos + slash + 1);
}

bool
python_next_is(const struct python *py, uint32_t cp)
{
	return !py->next.end && !py->next.escaped && py->next.cp == cp;
}

int
python_match(struct python *py, uint32_t cp)
{
	struct python_token token;

	if (!python_next_is(py, cp))
		return 0;
	return python_take(py, &token) < 0 ? -1 : 1;
}

struct python_frame *
python_top(struct python *py)
{
	return &py->frames[py->depth];
}

static uint64_t
capped(uint64_t n)
{
	return n < WIDTH_MAX ? n : WIDTH_MAX;
}

static struct python_width
width_add(struct python_width a, struct python_width b)
{
	return (struct python_width){capped(a.lo + b.lo), capped(a.hi + b.hi)};
}

static struct python_width
width_either(struct python_width a, struct python_width b)
{
	return (struct python_width){a.lo < b.lo ? a.lo : b.lo, a.hi > b.hi ? a.hi : b.hi};
}

void
python_item(struct python *py, enum python_item item, struct python_width width)
{
	struct python_frame *f = python_top(py);

	f->sequence = width_add(f->sequence, f->last);
	f->last = width;
	f->item = item;
}

void
python_end_branch(struct python *py)
{
	struct python_frame *f = python_top(py);
	struct python_width all = width_add(f->sequence, f->last);

	f->finished = f->branches ? width_either(f->finished, all) : all;
	f->branches++;
	f->sequence = f->last = (struct python_width){0, 0};
	f->item = ITEM_NONE;
}

/*
 * Repeats.
 */

struct range {
	uint64_t min, max;
	bool endless;
};

static int
python_read_number(struct python *py, uint64_t *n, bool *present)
{
	struct python_token t;

	for (*present = false;
	     !py->next.end && !py->next.escaped && py->next.cp >= '0' && py->next.cp <= '9';
	     *present = true) {
		if (python_take(py, &t) < 0)
			return -1;
		*n = capped(*n * 10 + (t.cp - '0'));
	}
	return 0;
}

/* Reads the repeat that a brace begins.  0: there is no repeat, and the brace stands for
 * itself. */
static int
read_braces(struct python *py, const struct python_token *brace, struct range *r)
{
	size_t at = py->next.at, pos = py->next.pos;
	bool lo = false, hi = false;
	int comma, closed;

	*r = (struct range){0, 0, true};
	if (python_next_is(py, '}'))
		return 0;
	if (python_read_number(py, &r->min, &lo) < 0 || (comma = python_match(py, ',')) < 0)
		return -1;
	if (comma && python_read_number(py, &r->max, &hi) < 0)
		return -1;
	if ((closed = python_match(py, '}')) < 0)
		return -1;
	if (!closed)
		return read_token(py, at, pos) < 0 ? -1 : 0;
	if (!comma) {
		r->max = r->min;
		hi = lo;
	}
	r->endless = !hi;
	if (r->min > PYTHON_REPEAT_MAX || r->max > PYTHON_REPEAT_MAX)
		return python_refuse(py, brace->pos, "the repetition number is too large");
	if (hi && r->max < r->min)
		return python_refuse(py, pos, "min repeat greater than max repeat");
	return 1;
}

static int
python_repeat(struct python *py, const struct python_token *t)
{
	struct range r = {t->cp == '+' ? 1 : 0, 1, t->cp != '?'};
	struct python_frame *f = python_top(py);
	int lazy, possessive = 0;

	if (t->cp == '{') {
		int braces = read_braces(py, t, &r);

		if (braces <= 0)
			return braces < 0 ? -1 : python_literal(py, '{');
	}
	if (f->item == ITEM_NONE || f->item == ITEM_ASSERTION)
		return python_refuse(py, t->pos, "nothing to repeat");
	if (f->item == ITEM_REPEAT)
		return python_refuse(py, t->pos, "multiple repeat");
	if (t->cp != '{')
		buf_addc(py->out, (char)t->cp);
	else if (r.endless)
		buf_addf(py->out, "{%zu,}", (size_t)r.min);
	else
		buf_addf(py->out, "{%zu,%zu}", (size_t)r.min, (size_t)r.max);
	if ((lazy = python_match(py, '?')) < 0 ||
	    (!lazy && (possessive = python_match(py, '+')) < 0))
		return -1;
	if (lazy || possessive)
		buf_addc(py->out, lazy ? '?' : '+');
	f->last.lo = capped(f->last.lo * r.min);
	f->last.hi = r.endless ? (f->last.hi ? WIDTH_MAX : 0) : capped(f->last.hi * r.max);
	f->item = ITEM_REPEAT;
	return 0;
}

/*
 * Sequences.
 */

/* Verbose layout.  1: the token belonged to it. */
static int
skip_layout(struct python *py, const struct python_token *t)
{
	struct python_token c;

	if (!(py->flags & PYTHON_VERBOSE) || t->escaped)
		return 0;
	if (t->cp == ' ' || (t->cp >= '\t' && t->cp <= '\r'))
		return 1;
	if (t->cp != '#')
		return 0;
	do {
		if (python_take(py, &c) < 0)
			return -1;
	} while (!c.end && (c.escaped || c.cp != '\n'));
	return 1;
}

static int
python_step(struct python *py)
{
	struct python_token t;
	int layout;

	if (python_take(py, &t) < 0 || (layout = skip_layout(py, &t)) < 0)
		return -1;
	if (layout)
		return 0;
	if (t.escaped)
		return python_escape(py, &t);
	switch (t.cp) {
	case '(':
		return python_open(py, t.pos);
	case ')':
		return python_close(py, t.pos);
	case '|':
		return python_branch(py);
	case '[':
		return python_set(py, t.pos);
	case '*':
	case '+':
	case '?':
	case '{':
		return python_repeat(py, &t);
	case '.':
		buf_addc(py->out, '.');
		python_item(py, ITEM_ATOM, (struct python_width){1, 1});
		return 0;
	case '^':
	case '$':
		buf_addc(py->out, (char)t.cp);
		python_item(py, ITEM_ASSERTION, (struct python_width){0, 0});
		return 0;
	default:
		return python_literal(py, t.cp);
	}
}

static int
check_utf8(const char *pattern, size_t len, struct err *err)
{
	size_t chars = 0, n;
	uint32_t cp;

	if (len > PYTHON_PATTERN_MAX)
		return err_set(err, "pattern is longer than %d bytes", PYTHON_PATTERN_MAX);
	for (size_t i = 0; i < len; i += n, chars++) {
		n = utf8_decode(pattern + i, len - i, &cp);
		if (n == 0)
			return err_set(err, "invalid UTF-8 at position %zu", chars);
	}
	return 0;
}

int
pattern_translate(const char *python, struct buf *out, struct err *err)
{
	AUTO_FREE struct python *py = xcalloc(1, sizeof(*py));

	py->pattern = python;
	py->len = strlen(python);
	py->captures = 1;
	py->out = out;
	py->err = err;
	if (check_utf8(python, py->len, err) < 0 || read_token(py, 0, 0) < 0)
		return -1;
	while (!py->next.end)
		if (python_step(py) < 0)
			return -1;
	if (python_top(py)->kind != GROUP_TOP)
		return python_refuse(
		    py, python_top(py)->pos, "missing ), unterminated subpattern");
	if (py->reference >= py->captures)
		return python_refuse(
		    py, py->reference_pos, "invalid group reference %zu", py->reference);
	return 0;
}
