#include "watch/python.h"

#include "base/alloc.h"
#include "base/text.h"
#include "watch/pattern.h"

#define WIDTH_MAX (UINT64_C(1) << 31) /* two of them can be multiplied */

/* ---- tokens -------------------------------------------------------------------------- */

void
python_refuse(struct python *py, size_t pos, const char *fmt, ...)
{
	char sentence[512];
	va_list ap;

	if (py->refused)
		return;
	va_start(ap, fmt);
	vsnprintf(sentence, sizeof(sentence), fmt, ap);
	va_end(ap);
	(void)err_set(py->err, "%s at position %zu", sentence, pos);
	py->refused = true;
	py->at = py->len;
	py->next = 0;
}

/* Makes the token at `at` the next one. */
static void
look(struct python *py, size_t at)
{
	if (py->refused)
		return;
	py->at = at;
	py->next = py->chars[at];
	if (py->next != '\\')
		return;
	py->next = PYTHON_ESCAPED | py->chars[at + 1];
	if (py->next == PYTHON_ESCAPED)
		python_refuse(py, at, "bad escape (end of pattern)");
}

uint32_t
python_take(struct python *py)
{
	uint32_t token = py->next;

	py->from = py->at;
	if (token != 0)
		look(py, py->at + (token & PYTHON_ESCAPED ? 2 : 1));
	return token;
}

bool
python_skip(struct python *py, uint32_t token)
{
	if (py->next != token)
		return false;
	python_take(py);
	return true;
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

void
python_item(struct python *py, enum python_item item, struct python_width width)
{
	struct python_frame *f = python_top(py);

	need_item(f);
	f->sequence.lo = capped(f->sequence.lo + f->last.lo);
	f->sequence.hi = capped(f->sequence.hi + f->last.hi);
	f->last = width;
	f->item = item;
}

void
python_put(struct python *py, enum python_item item, const char *text)
{
	uint64_t width = item == ITEM_ATOM ? 1 : 0;

	buf_adds(py->out, text);
	python_item(py, item, (struct python_width){width, width});
}

void
python_end_branch(struct python *py)
{
	struct python_frame *f = python_top(py);

	python_item(py, ITEM_NONE, (struct python_width){0, 0});
	need_branch(f);
	if (f->branches == 0 || f->sequence.lo < f->finished.lo)
		f->finished.lo = f->sequence.lo;
	if (f->sequence.hi > f->finished.hi)
		f->finished.hi = f->sequence.hi;
	f->branches++;
	f->sequence = f->last;
}

/* ---- repeats ------------------------------------------------------------------------- */

struct repeat {
	uint64_t min, max;
	bool endless;
};

/* Reads a number.  False: there is none. */
static bool
read_number(struct python *py, uint64_t *n)
{
	size_t at = py->at;

	while (python_is_digit(py->next))
		*n = capped(*n * 10 + (python_take(py) - '0'));
	return py->at > at;
}

/* Reads the repeat that a brace begins.  False: there is no repeat, and the brace stands for
 * itself. */
static bool
read_braces(struct python *py, struct repeat *r)
{
	size_t brace = py->from, at = py->at;
	bool lo, hi, comma;

	*r = (struct repeat){0};
	if (py->next == '}')
		return false;
	lo = read_number(py, &r->min);
	comma = python_skip(py, ',');
	hi = comma ? read_number(py, &r->max) : lo;
	if (!comma)
		r->max = r->min;
	if (!python_skip(py, '}')) {
		look(py, at);
		return false;
	}
	r->endless = !hi;
	if (r->min > PYTHON_REPEAT_MAX || r->max > PYTHON_REPEAT_MAX)
		python_refuse(py, brace, "the repetition number is too large");
	if (hi && r->max < r->min)
		python_refuse(py, at, "min repeat greater than max repeat");
	return true;
}

static void
python_repeat(struct python *py, uint32_t sign)
{
	struct repeat r = {sign == '+' ? 1 : 0, 1, sign != '?'};
	struct python_frame *f = python_top(py);
	size_t pos = py->from;

	if (sign == '{' && !read_braces(py, &r)) {
		python_literal(py, '{');
		return;
	}
	if (f->item == ITEM_NONE || f->item == ITEM_ASSERTION)
		python_refuse(py, pos, "nothing to repeat");
	if (f->item == ITEM_REPEAT)
		python_refuse(py, pos, "multiple repeat");
	if (sign != '{')
		buf_addc(py->out, (char)sign);
	else if (r.endless)
		buf_addf(py->out, "{%zu,}", (size_t)r.min);
	else
		buf_addf(py->out, "{%zu,%zu}", (size_t)r.min, (size_t)r.max);
	if (python_skip(py, '?'))
		buf_addc(py->out, '?');
	else if (python_skip(py, '+'))
		buf_addc(py->out, '+');
	need_repeat(f, r.min);
	f->last.lo = capped(f->last.lo * r.min);
	f->last.hi = r.endless ? (f->last.hi ? WIDTH_MAX : 0) : capped(f->last.hi * r.max);
	f->item = ITEM_REPEAT;
}

/* ---- sequences ----------------------------------------------------------------------- */

/* Is the token verbose layout?  Takes the rest of a comment. */
static bool
is_layout(struct python *py, uint32_t t)
{
	if (!(py->flags & PYTHON_VERBOSE))
		return false;
	if (t != '#')
		return t == ' ' || (t >= '\t' && t <= '\r');
	do {
		t = python_take(py);
	} while (t != 0 && t != '\n');
	return true;
}

static void
python_step(struct python *py)
{
	uint32_t t = python_take(py);

	if (is_layout(py, t))
		return;
	if (t & PYTHON_ESCAPED)
		python_escape(py, t & ~PYTHON_ESCAPED);
	else if (t == '(')
		python_open(py);
	else if (t == ')')
		python_close(py);
	else if (t == '|')
		python_branch(py);
	else if (t == '[')
		python_set(py);
	else if (t == '*' || t == '+' || t == '?' || t == '{')
		python_repeat(py, t);
	else if (t == '.')
		python_put(py, ITEM_ATOM, ".");
	else if (t == '^' || t == '$')
		python_put(py, ITEM_ASSERTION, t == '^' ? "^" : "$");
	else
		python_literal(py, t);
}

static int
read_chars(struct python *py, struct err *err)
{
	size_t bytes = strlen(py->pattern), n;

	if (bytes > PYTHON_PATTERN_MAX)
		return err_set(err, "pattern is longer than %d bytes", PYTHON_PATTERN_MAX);
	for (size_t i = 0; i < bytes; i += n) {
		n = utf8_decode(py->pattern + i, bytes - i, &py->chars[py->len]);
		if (n == 0)
			return err_set(err, "invalid UTF-8 at position %zu", py->len);
		py->offset[py->len++] = (uint16_t)i;
	}
	py->chars[py->len] = 0;
	py->offset[py->len] = (uint16_t)bytes;
	return 0;
}

int
python_read(const char *python, struct buf *out, struct needles *needles, struct err *err)
{
	AUTO_FREE struct python *py = xcalloc(1, sizeof(*py));
	AUTO_BUF literals = BUF_INIT;

	py->literals = &literals;
	py->pattern = python;
	py->captures = 1;
	py->out = out;
	py->err = err;
	if (read_chars(py, err) < 0)
		return -1;
	look(py, 0);
	while (py->next != 0)
		python_step(py);
	if (py->depth > 0)
		python_refuse(py, python_top(py)->pos, "missing ), unterminated subpattern");
	if (py->reference >= py->captures)
		python_refuse(
		    py, py->reference_pos, "invalid group reference %zu", py->reference);
	if (py->refused)
		return -1;
	python_end_branch(py);
	if (needles != NULL)
		need_tell(py, python_top(py), needles);
	return 0;
}

int
pattern_translate(const char *python, struct buf *out, struct err *err)
{
	return python_read(python, out, NULL, err);
}
