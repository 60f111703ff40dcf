#include "watch/activity.h"

#include "base/text.h"
#include "watch/chars.h"

#include <ctype.h>

#define ELLIPSIS 3 /* dots */
#define XXH_INLINE_ALL
#include <xxhash.h>

void
activity_start(struct activity *a, int64_t now)
{
	*a = (struct activity){.changed = now, .advanced = now};
}

void
activity_bytes(struct activity *a, int64_t now)
{
	a->changed = now;
	a->advanced = now;
}

void
activity_advance(struct activity *a, int64_t now)
{
	a->advanced = now;
}

void
activity_screen(struct activity *a, int64_t now, uint64_t hash,
    void (*text)(void *ctx, struct buf *out), void *ctx)
{
	AUTO_BUF screen = BUF_INIT;
	AUTO_BUF essence = BUF_INIT;
	uint64_t rest;

	if (hash == a->screen)
		return;
	a->screen = hash;
	a->changed = now;
	text(ctx, &screen);
	activity_essence(screen.data, screen.len, &essence);
	rest = XXH3_64bits(essence.data, essence.len);
	if (rest == a->essence)
		return;
	a->essence = rest;
	a->advanced = now;
}

/* ---- the essence --------------------------------------------------------------------- */

/* Signs that programs turn and blink, wherever they stand. */
static bool
is_spinner(uint32_t cp)
{
	static const uint32_t spinners[][2] = {
	    {0xb7, 0xb7},	/* middle dot */
	    {0x2022, 0x2022},	/* bullet */
	    {0x2026, 0x2026},	/* ellipsis */
	    {0x2190, 0x21ff},	/* arrows */
	    {0x2217, 0x2219},	/* asterisk, ring and bullet operators */
	    {0x22c5, 0x22c5},	/* dot operator */
	    {0x231b, 0x231b},	/* hourglass */
	    {0x23f1, 0x23f3},	/* stop-watch, clock, hourglass */
	    {0x23fa, 0x23fa},	/* record sign */
	    {0x25a0, 0x25ff},	/* squares, triangles, circles */
	    {0x2630, 0x2637},	/* trigrams */
	    {0x2720, 0x274b},	/* stars, asterisks, sparkles */
	    {0x2800, 0x28ff},	/* braille */
	    {0x2b00, 0x2bff},	/* more squares and arrows */
	    {0x1f311, 0x1f318}, /* moons */
	    {0x1f550, 0x1f567}, /* clocks */
	};

	return cp >= 0x80 && chars_have(spinners, ARRAY_LEN(spinners), cp);
}

/* Signs that turn or blink only where nothing else stands beside them. */
static bool
is_lone_spinner(uint32_t cp)
{
	if (cp < 0x80)
		return cp && strchr("|/-\\*+.", (int)cp) != NULL;
	return cp >= 0x2580 && cp <= 0x259f; /* blocks: cursors, bars that bounce */
}

/* Are the letters that remain of "1m30s", "42%", "(1.2k" without digits and signs a unit? */
static bool
is_unit(const char *letters, size_t len)
{
	static const char *const units[] = {"", "ms", "us", "ns", "min", "mins", "sec", "secs",
	    "k", "b", "kb", "kib", "mb", "mib", "g", "gb", "gib", "x"};
	size_t time = 0;

	for (size_t i = 0; i < ARRAY_LEN(units); i++)
		if (strlen(units[i]) == len && !strncasecmp(units[i], letters, len))
			return true;
	while (time < len && strchr("dhms", tolower((unsigned char)letters[time])) != NULL)
		time++;
	return time == len;
}

/* A number with a unit or without: counters, clocks, percentages. */
static bool
is_measure(const char *s, size_t len)
{
	char letters[8];
	size_t n = 0, digits = 0;

	for (size_t i = 0; i < len; i++) {
		unsigned char c = (unsigned char)s[i];
		uint32_t cp;

		if (c >= 0x80) {
			size_t sign = utf8_decode(s + i, len - i, &cp);

			if (!is_spinner(cp))
				return false;
			i += sign - 1;
		} else if (isdigit(c))
			digits++;
		else if (isalpha(c) && n == sizeof(letters))
			return false;
		else if (isalpha(c))
			letters[n++] = (char)c;
		else if (c == '_' || c == '/')
			return false;
	}
	return digits > 0 && is_unit(letters, n);
}

/* "Thinking", "Thinking." and "Thinking..." take turns; more dots than that count something. */
static void
cut_ellipsis(struct buf *out, size_t start)
{
	size_t end = out->len;

	while (end > start && out->data[end - 1] == '.')
		end--;
	if (out->len - end <= ELLIPSIS)
		buf_truncate(out, end);
}

/* Appends what is left of one word. */
static void
activity_add_word(const char *s, size_t len, struct buf *out)
{
	size_t start = out->len, signs = 0, n;
	uint32_t cp = 0, last = 0;

	if (is_measure(s, len))
		return;
	for (size_t i = 0; i < len; i += n) {
		n = utf8_decode(s + i, len - i, &cp);
		n = n ? n : 1;
		if (is_spinner(cp) || (cp >= '0' && cp <= '9'))
			continue;
		buf_add(out, s + i, n);
		signs++;
		last = cp;
	}
	if (signs == 1 && is_lone_spinner(last))
		buf_truncate(out, start);
	cut_ellipsis(out, start);
	if (out->len > start)
		buf_addc(out, ' ');
}

/* Puts words one blank apart, so that text that moves because a number grew stays the same. */
void
activity_essence(const char *text, size_t len, struct buf *out)
{
	size_t row = out->len;

	for (size_t i = 0; i < len;) {
		size_t word = i;

		if (text[i] == '\n') {
			if (out->len > row)
				out->data[out->len - 1] = '\n';
			row = out->len;
		}
		while (i < len && !isspace((unsigned char)text[i]))
			i++;
		activity_add_word(text + word, i - word, out);
		if (i == word)
			i++;
	}
}
