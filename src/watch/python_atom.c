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

bool
python_folds_ascii(const struct python *py)
{
	return (py->flags & PYTHON_IGNORECASE) && (py->flags & PYTHON_ASCII);
}

static void
write_char(struct python *py, uint32_t cp, const char *specials)
{
	if (cp < 0x20 || cp == 0x7f) {
		buf_addf(py->out, "\\x{%x}", cp);
		return;
	}
	if (cp < 0x80 && strchr(specials, (int)cp) != NULL)
		buf_addc(py->out, '\\');
	buf_addrune(py->out, cp);
}

void
python_literal(struct python *py, uint32_t cp)
{
	if (python_folds_ascii(py) && cp < 0x80 && isalpha((int)cp))
		buf_addf(py->out, "[%c%c]", tolower((int)cp), toupper((int)cp));
	else
		write_char(py, cp, "\\^$.|?*+()[]{}");
	python_put(py, ITEM_ATOM, "");
	need_literal(py, cp);
}

/* ---- escapes ------------------------------------------------------------------------- */

/* `pos` is where the backslash is; py->next is behind the letter. */

static int
digit_value(const struct python *py, size_t base)
{
	static const char digits[] = "0123456789abcdef";
	const char *at = py->next < 0x80 ? memchr(digits, tolower((int)py->next), base) : NULL;

	return at == NULL ? -1 : (int)(at - digits);
}

/* Reads up to `max` digits; returns how many there were. */
static int
read_digits(struct python *py, int max, uint32_t base, uint32_t *value)
{
	int n, digit;

	for (n = 0; n < max && (digit = digit_value(py, base)) >= 0; n++) {
		python_take(py);
		*value = *value * base + (uint32_t)digit;
	}
	return n;
}

static void
refuse_escape(struct python *py, size_t pos, const char *what)
{
	python_refuse(py, pos, "%s %.*s", what, PYTHON_SPELLED(py, pos, py->at));
}

/* Reads the digits of \xHH, \uHHHH or \UHHHHHHHH. */
static uint32_t
read_hex(struct python *py, size_t pos, int digits)
{
	uint32_t cp = 0;

	if (read_digits(py, digits, 16, &cp) < digits)
		refuse_escape(py, pos, "incomplete escape");
	if (cp > 0x10ffff)
		refuse_escape(py, pos, "bad escape");
	if (cp >= 0xd800 && cp <= 0xdfff)
		refuse_escape(py, pos, "no text contains the surrogate");
	return cp;
}

/* Reads up to two more octal digits after the first. */
static uint32_t
read_octal(struct python *py, size_t pos)
{
	uint32_t cp = py->chars[pos + 1] - '0';

	(void)read_digits(py, 2, 8, &cp);
	if (cp > 0377)
		python_refuse(py, pos, "octal escape value %.*s outside of range 0-0o377",
		    PYTHON_SPELLED(py, pos, py->at));
	return cp;
}

/* Reads an escape that means one character, in a set as elsewhere. */
static uint32_t
read_char(struct python *py, size_t pos, uint32_t c)
{
	static const char letters[] = "afnrtv", values[] = "\a\f\n\r\t\v";
	const char *letter;

	if (c == 'x' || c == 'u' || c == 'U')
		return read_hex(py, pos, c == 'x' ? 2 : c == 'u' ? 4 : 8);
	if (c == 'N')
		python_refuse(py, pos, "character names (\\N{...}) are not supported");
	if (c >= 0x80 || !isalnum((int)c))
		return c;
	letter = strchr(letters, (int)c);
	if (letter != NULL)
		return (unsigned char)values[letter - letters];
	refuse_escape(py, pos, "bad escape");
	return c;
}

static bool
is_octal(uint32_t c)
{
	return c >= '0' && c <= '7';
}

/* Writes what a decimal group number, or three octal digits, mean. */
static void
number_escape(struct python *py, size_t pos)
{
	const uint32_t *digits = &py->chars[pos + 1];
	uint32_t n = digits[0] - '0';

	if (is_octal(digits[0]) && is_octal(digits[1]) && is_octal(digits[2])) {
		python_literal(py, read_octal(py, pos));
		return;
	}
	(void)read_digits(py, 1, 10, &n);
	if (n >= py->captures)
		python_refuse(py, pos + 1, "invalid group reference %u", n);
	python_backref(py, n, pos);
}

/* Outside a set, the negative categories are shorter as the negation. */
static void
category_escape(struct python *py, const struct category *c)
{
	bool negative = isupper((unsigned char)c->letter);
	const char *text = category_text(py, negative ? c - 1 : c);

	if (text[0] == '\\' && strlen(text) == 2)
		buf_addf(py->out, "\\%c", c->letter);
	else
		buf_addf(py->out, "[%s%s]", negative ? "^" : "", text);
	python_put(py, ITEM_ATOM, "");
}

void
python_escape(struct python *py, uint32_t letter)
{
	const struct category *category = find_category(letter);
	bool ascii = py->flags & PYTHON_ASCII;
	size_t pos = py->from;

	if (category != NULL)
		category_escape(py, category);
	else if (letter == 'A')
		python_put(py, ITEM_ASSERTION, "\\A");
	else if (letter == 'Z')
		python_put(py, ITEM_ASSERTION, "\\z");
	else if (letter == 'b')
		python_put(py, ITEM_ASSERTION, ascii ? ASCII_BOUNDARY : "\\b");
	else if (letter == 'B') /* in Python 3.11 never in an empty text */
		python_put(py, ITEM_ASSERTION,
		    ascii ? "(?!\\A\\z)" ASCII_NO_BOUNDARY : "(?!\\A\\z)\\B");
	else if (letter >= '1' && letter <= '9')
		number_escape(py, pos);
	else if (letter == '0')
		python_literal(py, read_octal(py, pos));
	else
		python_literal(py, read_char(py, pos, letter));
}

/* ---- sets ---------------------------------------------------------------------------- */

struct member {
	const struct category *category; /* NULL: the character cp */
	uint32_t cp;
	size_t at, end; /* as written; Python's messages leave out the digits of an escape */
};

static struct member
read_member(struct python *py, uint32_t token)
{
	uint32_t c = token & ~PYTHON_ESCAPED;
	struct member m = {.cp = c, .at = py->from, .end = py->at};

	if (c == token)
		return m;
	m.category = find_category(c);
	if (c == 'b')
		m.cp = '\b';
	else if (is_octal(c))
		m.cp = read_octal(py, m.at);
	else if (m.category == NULL)
		m.cp = read_char(py, m.at, c);
	return m;
}

static void
write_range(struct python *py, uint32_t lo, uint32_t hi)
{
	/* Quotes the last three, too, so that PCRE2 sees no POSIX class behind a "[:". */
	static const char specials[] = "\\^-[]:.=";

	write_char(py, lo, specials);
	if (lo == hi)
		return;
	buf_addc(py->out, '-');
	write_char(py, hi, specials);
}

/* Writes the part of [lo, hi] that lies in [from, to], in the other case. */
static void
write_folded(struct python *py, uint32_t lo, uint32_t hi, uint32_t from, uint32_t to)
{
	lo = lo < from ? from : lo;
	hi = hi > to ? to : hi;
	if (lo <= hi)
		write_range(py, lo ^ 0x20, hi ^ 0x20);
}

static void
write_members(struct python *py, const struct member *a, const struct member *b)
{
	if (a->category != NULL) {
		buf_adds(py->out, category_text(py, a->category));
		return;
	}
	write_range(py, a->cp, b->cp);
	if (python_folds_ascii(py)) {
		write_folded(py, a->cp, b->cp, 'A', 'Z');
		write_folded(py, a->cp, b->cp, 'a', 'z');
	}
}

/* Writes the member or the range that begins with `t`.  True: a bracket after a hyphen ended
 * the set. */
static bool
set_member(struct python *py, uint32_t t)
{
	struct member a = read_member(py, t), b = a;
	bool hyphen = python_skip(py, '-'), ended = hyphen && python_skip(py, ']');

	if (hyphen && !ended && py->next != 0) {
		b = read_member(py, python_take(py));
		if (a.category != NULL || b.category != NULL || b.cp < a.cp)
			python_refuse(py, py->at - (a.end - a.at) - 1 - (b.end - b.at),
			    "bad character range %.*s-%.*s", PYTHON_SPELLED(py, a.at, a.end),
			    PYTHON_SPELLED(py, b.at, b.end));
	}
	write_members(py, &a, &b);
	if (ended)
		buf_adds(py->out, "\\-");
	return ended;
}

void
python_set(struct python *py)
{
	size_t pos = py->from;
	bool ended = false;

	buf_addc(py->out, '[');
	if (python_skip(py, '^'))
		buf_addc(py->out, '^');
	for (bool first = true; !ended; first = false) {
		uint32_t t = python_take(py);

		if (t == 0)
			python_refuse(py, pos, "unterminated character set");
		ended = t == 0 || (t == ']' && !first) || set_member(py, t);
	}
	python_put(py, ITEM_ATOM, "]");
}
