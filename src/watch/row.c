#include "watch/row.h"

#include "base/text.h"
#include "watch/chars.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define MARGIN 8 /* columns a program leaves free at the right: frames, padding */

static bool
row_is_frame(uint32_t cp)
{
	return cp == '|' || (cp >= 0x2500 && cp <= 0x259f);
}

/* Does the character begin an item: a bullet, a shape, a dingbat, a tool's corner? */
static bool
is_bullet(uint32_t cp)
{
	static const uint32_t bullets[][2] = {{0xb7, 0xb7}, {0x2022, 0x2023}, {0x203a, 0x203a},
	    {0x2043, 0x2043}, {0x23bf, 0x23bf}, {0x23fa, 0x23fa}, {0x25a0, 0x25ff},
	    {0x2700, 0x27bf}};

	return chars_have(bullets, ARRAY_LEN(bullets), cp);
}

static bool
row_is_blank(uint32_t cp)
{
	return cp == ' ' || cp == '\t' || cp == 0xa0;
}

/* Near enough to what terminals do; only sums close to the width matter. */
static size_t
columns(uint32_t cp)
{
	static const uint32_t wide[][2] = {{0x1100, 0x115f}, {0x2e80, 0xa4cf}, {0xac00, 0xd7a3},
	    {0xf900, 0xfaff}, {0xfe30, 0xfe6f}, {0xff00, 0xff60}, {0xffe0, 0xffe6},
	    {0x1f300, 0x1faff}, {0x20000, 0x3fffd}};
	static const uint32_t combining[][2] = {
	    {0x300, 0x36f}, {0x200b, 0x200f}, {0x20d0, 0x20ff}, {0xfe00, 0xfe0f}};

	if (cp < 0x300)
		return 1;
	if (chars_have(combining, ARRAY_LEN(combining), cp))
		return 0;
	return chars_have(wide, ARRAY_LEN(wide), cp) ? 2 : 1;
}

static size_t
decode(const char *s, size_t len, uint32_t *cp)
{
	size_t n;

	if ((unsigned char)s[0] < 0x80) {
		*cp = (unsigned char)s[0];
		return 1;
	}
	n = utf8_decode(s, len, cp);
	return n ? n : 1;
}

/* A sign that is only a bullet when a blank follows: "- item", "> quoted". */
static bool
is_spaced_bullet(const char *s, size_t len)
{
	return len > 1 && s[1] == ' ' && strchr("-*+>#", s[0]) != NULL && s[0];
}

static size_t
leading(const char *s, size_t len, bool *item, bool *quoted)
{
	size_t i = 0, n;
	uint32_t cp;

	*item = *quoted = false;
	for (; i < len; i += n) {
		n = decode(s + i, len - i, &cp);
		if (is_bullet(cp))
			*item = true;
		else if (is_spaced_bullet(s + i, len - i))
			*(s[i] == '>' ? quoted : item) = true;
		else if (!row_is_blank(cp) && !row_is_frame(cp))
			break;
	}
	return i;
}

/* Where the text ends that begins at `from`, without blanks and frames behind it. */
static size_t
trailing(const char *s, size_t len, size_t from)
{
	size_t n;
	uint32_t cp;

	while (len > from && (n = chars_last(s, len, &cp)) > 0 &&
	       (row_is_blank(cp) || row_is_frame(cp)))
		len -= n;
	return len;
}

/* The length of the first word. */
static size_t
word_len(const char *s, size_t len)
{
	size_t i, n;
	uint32_t cp;

	for (i = 0; i < len; i += n) {
		n = decode(s + i, len - i, &cp);
		if (row_is_blank(cp))
			break;
	}
	return i;
}

static size_t
columns_of(const char *s, size_t len)
{
	size_t cols = 0, n;
	uint32_t cp;

	for (size_t i = 0; i < len; i += n) {
		if (len - i >= 8 && chars_are_ascii(s + i, 8)) {
			cols += n = 8;
			continue;
		}
		n = decode(s + i, len - i, &cp);
		cols += columns(cp);
	}
	return cols;
}

static void
row_measure(struct row *row, const char *s)
{
	row->from = leading(s, row->len, &row->item, &row->quoted);
	row->to = trailing(s, row->len, row->from);
	row->word = columns_of(s + row->from, word_len(s + row->from, row->len - row->from));
	row->cols = row->to > row->from ? columns_of(s, row->to) : 0;
}

struct row
row_add(struct buf *all, const char *text, size_t len, bool wrapped)
{
	struct row row = {.at = all->len, .len = len, .wrapped = wrapped};

	buf_add(all, text, len);
	row.hash = XXH3_64bits(text, len);
	row_measure(&row, text);
	return row;
}

bool
row_goes_on(const struct row *row, const struct row *next, size_t width)
{
	if (row->wrapped)
		return true;
	if (next->item || next->from == next->to || row->from == row->to)
		return false;
	return row->cols > width / 2 && row->cols + 1 + next->word + MARGIN > width &&
	       width > 0;
}

/*
 * Did the row that the terminal wrapped end with a blank, which was cut off?  One free column
 * may also be left by a wide character that did not fit any more.
 */
static bool
lost_blank(const struct row *row, const char *next, size_t len, size_t width)
{
	uint32_t cp = 0;

	if (len > 0)
		decode(next, len, &cp);
	return row->cols + columns(cp) <= width;
}

size_t
row_join(struct buf *line, const struct row *row, const struct row *next, const struct buf *all,
    size_t width)
{
	const char *text = all->data + next->at;
	size_t from = row->wrapped ? 0 : next->from;
	size_t begin;

	if (!row->wrapped)
		buf_truncate(line, line->len - (row->len - row->to));
	if (!row->wrapped || lost_blank(row, text, next->len, width))
		buf_addc(line, ' ');
	begin = line->len;
	buf_add(line, text + from, next->len - from);
	return begin;
}
