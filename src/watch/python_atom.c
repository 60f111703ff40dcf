#include "watch/python.h"

#include <ctype.h>

/* Python's white space; PCRE2's \s lacks U+001C..1F and has U+180E. */
#define SPACE                                                                    \
	"\\x{9}-\\x{d}\\x{1c}-\\x{20}\\x{85}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}" \
	"\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}"
/* By property: a range over all of Unicode takes PCRE2 milliseconds to fold. */
#define NOT_SPACE                                                   \
	"\\x{0}-\\x{8}\\x{e}-\\x{1b}\\x{7f}-\\x{84}\\x{86}-\\x{9f}" \
	"\\p{L}\\p{M}\\p{N}\\p{P}\\p{S}\\p{Cf}\\p{Cn}\\p{Co}\\p{Cs}"

/* The characters that a category adds to a set; each negative category stands behind its
 * positive one. */
static const struct category {
	char letter;
	const char *unicode, *ascii;
} categories[] = {
    {'d', "\\d", "0-9"},
    {'D', "\\D", "\\x{0}-/:-\\x{10ffff}"},
    {'s', SPACE, "\\x{9}-\\x{d} "},
    {'S', NOT_SPACE, "\\x{0}-\\x{8}\\x{e}-\\x{1f}!-\\x{10ffff}"},
    {'w', "\\w", "0-9A-Z_a-z"},
    {'W', "\\W", "\\x{0}-/:-@\\[-\\^`{-\\x{10ffff}"},
};

/* A word boundary where only ASCII letters make words. */
#define ASCII_BOUNDARY "(?:(?<=[0-9A-Z_a-z])(?![0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?=[0-9A-Z_a-z]))"
#define ASCII_NO_BOUNDARY \
	"(?:(?<=[0-9A-Z_a-z])(?=[0-9A-Z_a-z])|(?<![0-9A-Z_a-z])(?![0-9A-Z_a-z]))"

static const struct python_width one = {1, 1}, none = {0, 0};

static const struct category *
find_category(uint32_t letter)
{
	for (size_t i = 0; i < ARRAY_LEN(categories); i++)
		if (letter == (unsigned char)categories[i].letter)
			return &categories[i];
	return NULL;
}

static const char *
category_text(const struct python *py, const struct category *c)
{
	return py->flags & PYTHON_ASCII ? c->ascii : c->unicode;
}

/* Python folds ASCII alone under (?a), which PCRE2 10.42 cannot be told. */
static bool
folds_ascii(const struct python *py)
{
	return (py->flags & PYTHON_IGNORECASE) && (py->flags & PYTHON_ASCII);
}

static bool
python_atom_is_letter(uint32_t cp)
{
	return cp < 0x80 && isalpha((int)cp);
}

static void
write_char(struct python *py, uint32_t cp, const char *specials)
{
	if (cp < 0x20 || cp == 0x7f) {
		buf_addf(py->out, "\\x{%x}", cp);
		return;
	}
	if (cp < 0x80 && strchr(specials, (int)cp))
		buf_addc(py->out, '\\');
	buf_addrune(py->out, cp);
}

static void
write_member(struct python *py, uint32_t cp)
{
	/* Quotes the last three, too, so that PCRE2 sees no POSIX class behind a "[:". */
	write_char(py, cp, "\\^-[]:.=");
}

int
python_literal(struct python *py, uint32_t cp)
{
	if (folds_ascii(py) && python_atom_is_letter(cp))
		buf_addf(py->out, "[%c%c]", tolower((int)cp), toupper((int)cp));
	else
		write_char(py, cp, "\\^$.|?*+()[]{}");
	python_item(py, ITEM_ATOM, one);
	return 0;
}

void
python_backref(struct python *py, size_t n)
{
	buf_addf(py->out, folds_ascii(py) ? "(?i:\\g{%zu})" : "\\g{%zu}", n);
	python_item(py, ITEM_ATOM, py->capture[n].width);
}

/*
 * Escapes.  `pos` is where the backslash is; py->next is behind the letter.
 */

static int
digit_value(const struct python *py, uint32_t base)
{
	uint32_t c = py->next.cp;
	uint32_t value;

	if (py->next.end || py->next.escaped || c >= 0x80 || !isxdigit((int)c))
		return -1;
	value = isdigit((int)c) ? c - '0' : (uint32_t)tolower((int)c) - 'a' + 10;
	return value < base ? (int)value : -1;
}

/* Up to `max` digits; returns how many there were, or -1. */
static int
read_digits(struct python *py, int max, uint32_t base, uint32_t *value)
{
	struct python_token t;
	int n, digit;

	for (n = 0; n < max && (digit = digit_value(py, base)) >= 0; n++) {
		if (python_take(py, &t) < 0)
			return -1;
		*value = *value * base + (uint32_t)digit;
	}
	return n;
}

static int
refuse_escape(struct python *py, const struct python_token *token, const char *what)
{
	return python_refuse(py, token->pos, "%s %.*s", what, (int)(py->next.at - token->at),
	    py->pattern + token->at);
}

/* \xHH, \uHHHH, \UHHHHHHHH */
static int
read_hex(struct python *py, const struct python_token *token, uint32_t *cp)
{
	int wanted = token->cp == 'x' ? 2 : token->cp == 'u' ? 4 : 8;
	int n;

	*cp = 0;
	n = read_digits(py, wanted, 16, cp);
	if (n < 0)
		return -1;
	if (n < wanted)
		return refuse_escape(py, token, "incomplete escape");
	if (*cp > 0x10ffff)
		return refuse_escape(py, token, "bad escape");
	if (*cp >= 0xd800 && *cp <= 0xdfff)
		return refuse_escape(py, token, "no text contains the surrogate");
	return 0;
}

/* Up to two more octal digits after the first. */
static int
read_octal(struct python *py, const struct python_token *token, uint32_t *cp)
{
	*cp = token->cp - '0';
	if (read_digits(py, 2, 8, cp) < 0)
		return -1;
	if (*cp > 0377)
		return python_refuse(py, token->pos,
		    "octal escape value %.*s outside of range 0-0o377",
		    (int)(py->next.at - token->at), py->pattern + token->at);
	return 0;
}

/* The escapes that mean one character, in a set as elsewhere. */
static int
read_char(struct python *py, const struct python_token *token, uint32_t *cp)
{
	static const char letters[] = "afnrtv", values[] = "\a\f\n\r\t\v";
	const char *letter;

	*cp = token->cp;
	switch (token->cp) {
	case 'x':
	case 'u':
	case 'U':
		return read_hex(py, token, cp);
	case 'N':
		return python_refuse(
		    py, token->pos, "character names (\\N{...}) are not supported");
	default:
		break;
	}
	if (token->cp >= 0x80 || !isalnum((int)token->cp))
		return 0;
	letter = strchr(letters, (int)token->cp);
	if (!letter)
		return refuse_escape(py, token, "bad escape");
	*cp = (unsigned char)values[letter - letters];
	return 0;
}

/* A decimal group number, or three octal digits. */
static int
number_escape(struct python *py, const struct python_token *token)
{
	uint32_t n = token->cp - '0', cp = n;
	bool octal = digit_value(py, 8) >= 0 && token->cp < '8';
	struct python_token second;
	int digit = digit_value(py, 10);

	if (digit >= 0) {
		if (python_take(py, &second) < 0)
			return -1;
		n = n * 10 + (uint32_t)digit;
		cp = cp * 8 + (uint32_t)digit;
		if (octal && (digit = digit_value(py, 8)) >= 0) {
			if (python_take(py, &second) < 0)
				return -1;
			cp = cp * 8 + (uint32_t)digit;
			if (cp > 0377)
				return python_refuse(py, token->pos,
				    "octal escape value %.*s outside of range 0-0o377", 4,
				    py->pattern + token->at);
			return python_literal(py, cp);
		}
	}
	if (n >= py->captures)
		return python_refuse(py, token->pos + 1, "invalid group reference %u", n);
	if (python_reference(py, n, token->pos) < 0)
		return -1;
	python_backref(py, n);
	return 0;
}

static int
assertion(struct python *py, const char *text)
{
	buf_adds(py->out, text);
	python_item(py, ITEM_ASSERTION, none);
	return 0;
}

/* Outside a set, the negative categories are shorter as the negation. */
static int
category_escape(struct python *py, const struct category *c)
{
	bool negative = isupper((unsigned char)c->letter);
	const char *text = category_text(py, negative ? c - 1 : c);

	if (text[0] == '\\' && strlen(text) == 2)
		buf_addf(py->out, "\\%c", c->letter);
	else
		buf_addf(py->out, "[%s%s]", negative ? "^" : "", text);
	python_item(py, ITEM_ATOM, one);
	return 0;
}

int
python_escape(struct python *py, const struct python_token *token)
{
	const struct category *category = find_category(token->cp);
	bool ascii = py->flags & PYTHON_ASCII;
	uint32_t cp;

	if (category)
		return category_escape(py, category);
	switch (token->cp) {
	case 'A':
		return assertion(py, "\\A");
	case 'Z':
		return assertion(py, "\\z");
	case 'b':
		return assertion(py, ascii ? ASCII_BOUNDARY : "\\b");
	case 'B': /* in Python 3.11 never in an empty text */
		return assertion(py, ascii ? "(?!\\A\\z)" ASCII_NO_BOUNDARY : "(?!\\A\\z)\\B");
	case '0':
		return read_octal(py, token, &cp) < 0 ? -1 : python_literal(py, cp);
	default:
		if (token->cp >= '1' && token->cp <= '9')
			return number_escape(py, token);
		return read_char(py, token, &cp) < 0 ? -1 : python_literal(py, cp);
	}
}

/*
 * Sets.
 */

struct member {
	const struct category *category; /* or */
	uint32_t cp;
	size_t pos, at, chars, len; /* as written */
};

static int
read_member(struct python *py, const struct python_token *t, struct member *m)
{
	*m = (struct member){.cp = t->cp, .pos = t->pos, .at = t->at};
	/* Python's messages show the backslash and the letter, not the digits. */
	m->chars = t->escaped ? 2 : 1;
	m->len = py->next.at - t->at;
	if (!t->escaped)
		return 0;
	m->category = find_category(t->cp);
	if (m->category)
		return 0;
	if (t->cp == 'b') {
		m->cp = '\b';
		return 0;
	}
	if (t->cp >= '0' && t->cp <= '7')
		return read_octal(py, t, &m->cp);
	return read_char(py, t, &m->cp);
}

static void
write_single(struct python *py, const struct member *m)
{
	if (m->category) {
		buf_adds(py->out, category_text(py, m->category));
		return;
	}
	write_member(py, m->cp);
	if (folds_ascii(py) && python_atom_is_letter(m->cp))
		write_member(py, m->cp ^ 0x20);
}

static void
write_range(struct python *py, uint32_t lo, uint32_t hi)
{
	write_member(py, lo);
	buf_addc(py->out, '-');
	write_member(py, hi);
}

/* The part of [lo, hi] inside [from, to], in the other case. */
static void
write_folded(struct python *py, uint32_t lo, uint32_t hi, uint32_t from, uint32_t to)
{
	lo = lo < from ? from : lo;
	hi = hi > to ? to : hi;
	if (lo <= hi)
		write_range(py, lo ^ 0x20, hi ^ 0x20);
}

static int
range(struct python *py, const struct member *a, const struct member *b)
{
	if (a->category || b->category || b->cp < a->cp)
		return python_refuse(py, py->next.pos - a->chars - 1 - b->chars,
		    "bad character range %.*s-%.*s", (int)a->len, py->pattern + a->at,
		    (int)b->len, py->pattern + b->at);
	write_range(py, a->cp, b->cp);
	if (folds_ascii(py)) {
		write_folded(py, a->cp, b->cp, 'A', 'Z');
		write_folded(py, a->cp, b->cp, 'a', 'z');
	}
	return 0;
}

/* One member or range that begins with `t`.  1: a bracket after a hyphen ended the set. */
static int
set_member(struct python *py, const struct python_token *t, size_t pos)
{
	struct python_token second;
	struct member a, b;

	if (read_member(py, t, &a) < 0)
		return -1;
	if (!python_next_is(py, '-')) {
		write_single(py, &a);
		return 0;
	}
	if (python_take(py, &second) < 0 || python_take(py, &second) < 0)
		return -1;
	if (second.end)
		return python_refuse(py, pos, "unterminated character set");
	if (!second.escaped && second.cp == ']') {
		write_single(py, &a);
		buf_adds(py->out, "\\-");
		return 1;
	}
	if (read_member(py, &second, &b) < 0)
		return -1;
	return range(py, &a, &b);
}

int
python_set(struct python *py, size_t pos)
{
	struct python_token t;
	int ended = 0;

	buf_addc(py->out, '[');
	if (python_next_is(py, '^')) {
		if (python_take(py, &t) < 0)
			return -1;
		buf_addc(py->out, '^');
	}
	for (bool first = true; !ended; first = false) {
		if (python_take(py, &t) < 0)
			return -1;
		if (t.end)
			return python_refuse(py, pos, "unterminated character set");
		if (!t.escaped && t.cp == ']' && !first)
			break;
		ended = set_member(py, &t, pos);
		if (ended < 0)
			return -1;
	}
	buf_addc(py->out, ']');
	python_item(py, ITEM_ATOM, one);
	return 0;
}
