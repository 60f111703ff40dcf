#include "watch/lines.h"

enum state {
	GROUND,
	ESCAPE,	      /* after ESC */
	INTERMEDIATE, /* ESC and a byte of 0x20..0x2f: a final byte follows */
	CONTROL,      /* CSI */
	STRING,	      /* OSC, DCS, APC, PM, SOS: until ST, and BEL for good measure */
	STRING_ESCAPE /* after an ESC inside a string */
};

#define ESC '\x1b'
#define BEL '\a'
#define CANCEL '\x18'
#define SUBSTITUTE '\x1a'

#define BYTES(b) (UINT64_C(0x0101010101010101) * (b))

void
lines_init(struct lines *l, line_fn *fn, void *ctx)
{
	*l = (struct lines){.fn = fn,
	    .ctx = ctx,
	    .max = LINES_MAX,
	    .overlap = LINES_OVERLAP,
	    .partial = BUF_INIT};
}

void
lines_release(struct lines *l)
{
	buf_release(&l->partial);
}

static bool
lines_is_plain(char c)
{
	return ((unsigned char)c >= 0x20 && c != 0x7f) || c == '\t';
}

/* Does any of eight bytes look like a control character?  A tab does, too. */
static bool
lines_has_control(const char *s)
{
	uint64_t w, below, del;

	memcpy(&w, s, sizeof(w));
	below = (w - BYTES(0x20)) & ~w;
	del = w ^ BYTES(0x7f);
	del = (del - BYTES(0x01)) & ~del;
	return (below | del) & BYTES(0x80);
}

/* How many bytes from here belong to the text as they are. */
static size_t
lines_plain_run(const char *s, size_t len)
{
	size_t i = 0;

	for (;;) {
		while (i + 8 <= len && !lines_has_control(s + i))
			i += 8;
		for (size_t stop = i + 8 < len ? i + 8 : len; i < stop; i++)
			if (!lines_is_plain(s[i]))
				return i;
		if (i == len)
			return len;
	}
}

/* Moves a cut back to where a character begins. */
static size_t
char_start(const char *s, size_t at)
{
	for (int i = 0; i < 3 && ((unsigned char)s[at] & 0xc0) == 0x80; i++)
		at--;
	return at;
}

/* Gives out a piece of a partial line that is full and goes on; keeps the overlap. */
static void
give_piece(struct lines *l)
{
	size_t end = char_start(l->partial.data, l->max - 1);

	/* The last character stays behind: it may not be complete yet. */
	l->fn(l->ctx, l->partial.data, end);
	buf_drop(&l->partial, char_start(l->partial.data, end - l->overlap));
}

static void
lines_add_text(struct lines *l, const char *s, size_t len)
{
	if (l->cr)
		buf_clear(&l->partial);
	l->cr = false;
	while (len > 0) {
		size_t n;

		if (l->partial.len == l->max)
			give_piece(l);
		n = l->max - l->partial.len;
		n = n < len ? n : len;
		buf_add(&l->partial, s, n);
		s += n;
		len -= n;
	}
}

static void
lines_end_line(struct lines *l)
{
	l->fn(l->ctx, l->partial.data, l->partial.len);
	buf_clear(&l->partial);
	l->cr = false;
	/* A sequence cut short costs its own line at most. */
	l->state = GROUND;
}

static enum state
after_escape(char c)
{
	if (c == '[')
		return CONTROL;
	if (c == ']' || c == 'P' || c == '_' || c == '^' || c == 'X')
		return STRING;
	return c >= 0x20 && c <= 0x2f ? INTERMEDIATE : GROUND;
}

/* The state after a byte inside an escape sequence that is neither ESC nor newline. */
static enum state
in_sequence(enum state state, char c)
{
	if (c == CANCEL || c == SUBSTITUTE)
		return GROUND;
	switch (state) {
	case ESCAPE:
		return (unsigned char)c < 0x20 ? ESCAPE : after_escape(c);
	case INTERMEDIATE:
		return c >= 0x30 ? GROUND : INTERMEDIATE;
	case CONTROL:
		return c >= 0x40 && c != 0x7f ? GROUND : CONTROL;
	case STRING:
		return c == BEL ? GROUND : STRING;
	case STRING_ESCAPE:
		return c == '\\' ? GROUND : in_sequence(ESCAPE, c);
	case GROUND:
	default:
		return GROUND;
	}
}

/* One byte that is not plain text, or any byte inside an escape sequence. */
static void
lines_special(struct lines *l, char c)
{
	enum state state = (enum state)l->state;

	if (c == '\n') {
		lines_end_line(l);
	} else if (c == ESC) {
		l->state = state == STRING ? STRING_ESCAPE : ESCAPE;
	} else if (state == GROUND) {
		l->cr |= c == '\r';
	} else if ((c & 0x80) && state != STRING) {
		/* No sequence has such bytes: this one was broken off. */
		l->state = GROUND;
		lines_add_text(l, &c, 1);
	} else {
		l->state = (int)in_sequence(state, c);
	}
}

/* Whole lines that are nothing but text go out straight from the input. */
static size_t
feed_whole_lines(struct lines *l, const char *data, size_t len)
{
	const char *newline;
	size_t at = 0;

	while ((newline = memchr(data + at, '\n', len - at)) != NULL) {
		size_t n = (size_t)(newline - data) - at, text = n;

		while (text > 0 && data[at + text - 1] == '\r')
			text--;
		if (text > l->max || lines_plain_run(data + at, text) < text)
			break;
		l->fn(l->ctx, data + at, text);
		at += n + 1;
	}
	return at;
}

void
lines_feed(struct lines *l, const char *data, size_t len)
{
	size_t at = 0;

	while (at < len) {
		size_t n;

		if (l->state != GROUND) {
			lines_special(l, data[at++]);
			continue;
		}
		if (l->partial.len == 0 && !l->cr && lines_is_plain(data[at]))
			at += feed_whole_lines(l, data + at, len - at);
		n = at < len ? lines_plain_run(data + at, len - at) : 0;
		if (n > 0)
			lines_add_text(l, data + at, n);
		at += n;
		if (at < len)
			lines_special(l, data[at++]);
	}
}

void
lines_flush(struct lines *l)
{
	if (l->partial.len > 0)
		lines_end_line(l);
	l->state = GROUND;
	l->cr = false;
}
