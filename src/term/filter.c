/*
 * Takes questions out of a stream.  The filter uses the emulator's own parser, so that the two
 * cannot disagree about where a sequence begins and ends.  A sequence is held back until its
 * last byte shows what it is; one longer than any question is let through, unless its beginning
 * shows that it may not pass.
 */
#include "term/internal.h"
#include <limits.h>

enum { HELD_MAX = OSC_MAX + 8 };

/* XTWINOPS that report: the first number is 11 to 21. */
static bool
window_asks(const struct buf *held)
{
	size_t i = 2;
	int n = 0;

	while (i < held->len && (held->data[i] < '0' || held->data[i] > '9'))
		i++;
	for (; i < held->len && held->data[i] >= '0' && held->data[i] <= '9' && n < 100; i++)
		n = n * 10 + (held->data[i] - '0');
	return n >= 11 && n <= 21;
}

static bool
csi_asks(const struct buf *held, char final)
{
	static const struct {
		char final, mark;
		bool with; /* true: asks with the mark; false: asks without it */
	} asks[] = {
	    {'c', '?', false}, /* DA1, DA2, DA3; with ? an answer, or the console's cursor */
	    {'n', '>', false}, /* DSR; with > it turns a keyboard mode off */
	    {'p', '$', true},  /* DECRQM */
	    {'q', '>', true},  /* XTVERSION */
	    {'u', '?', true},  /* keyboard protocol */
	};

	for (size_t i = 0; i < ARRAY_LEN(asks); i++)
		if (asks[i].final == final)
			return (memchr(held->data, asks[i].mark, held->len) != NULL) ==
			       asks[i].with;
	return final == 't' && window_asks(held);
}

/* An OSC without its end: a colour or the clipboard is asked for by "?". */
static bool
osc_asks(const struct buf *held)
{
	return held->len > 3 && held->data[held->len - 1] == '?' &&
	       held->data[held->len - 2] == ';';
}

/* XTGETTCAP and DECRQSS. */
static bool
dcs_asks(const struct buf *held)
{
	return held->len > 3 && (held->data[2] == '+' || held->data[2] == '$') &&
	       held->data[3] == 'q';
}

/* ---- what a person's own terminal is spared ------------------------------------------ */

/* Which of enum term_passes an OSC of that number needs to pass; 0: it may always pass. */
static unsigned
osc_class(int number)
{
	static const struct {
		int first, last;
		unsigned class;
	} classes[] = {
	    {0, 2, TERM_TITLE},
	    {4, 5, 0}, /* colours; from 104 on, taking them back */
	    {8, 8, 0}, /* a link */
	    {9, 9, TERM_NOTIFY},
	    {10, 19, 0},
	    {52, 52, TERM_CLIPBOARD},
	    {99, 99, TERM_NOTIFY},
	    {104, 105, 0},
	    {110, 119, 0},
	    {777, 777, TERM_NOTIFY},
	};

	for (size_t i = 0; i < ARRAY_LEN(classes); i++)
		if (number >= classes[i].first && number <= classes[i].last)
			return classes[i].class;
	return UINT_MAX;
}

/* "ESC ] 52 ; ..." is 52; -1 for what has no number. */
static int
osc_number(const struct buf *held)
{
	int n = -1;

	for (size_t i = 2; i < held->len && held->data[i] >= '0' && held->data[i] <= '9'; i++)
		n = n < 0 ? held->data[i] - '0' : n > 9999 ? n : n * 10 + (held->data[i] - '0');
	return n;
}

/* Is the held sequence, as far as it has come, one that must not reach the terminal? */
static bool
held_is_barred(const struct term_filter *f)
{
	static const char through[] = "\033Ptmux;";
	unsigned class = 0;

	if (!f->guards)
		return false;
	if (f->state == S_OSC)
		class = osc_class(osc_number(&f->held));
	else if (f->state == S_DCS_DATA || f->state == S_DCS_ESC)
		class = f->held.len >= sizeof(through) - 1 &&
				memcmp(f->held.data, through, sizeof(through) - 1) == 0
			    ? UINT_MAX
			    : 0;
	else if (f->state == S_STRING) /* screen's title; or APC, PM, SOS: somebody's own */
		class = f->held.data[1] == 'k' ? TERM_TITLE : UINT_MAX;
	return (f->passes & class) != class;
}

/* Length of the character that begins with this byte; 0: no character does. */
static size_t
utf8_length(unsigned char lead)
{
	if (lead < 0xC2 || lead > 0xF4)
		return 0;
	return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

/* May the byte u[i] stand there, behind those before it? */
static bool
utf8_continues(const unsigned char *u, size_t i)
{
	unsigned char least = 0x80, most = 0xBF;

	if (i == 1 && (u[0] == 0xE0 || u[0] == 0xF0))
		least = u[0] == 0xE0 ? 0xA0 : 0x90;
	if (i == 1 && (u[0] == 0xED || u[0] == 0xF4))
		most = u[0] == 0xED ? 0x9F : 0x8F;
	return u[i] >= least && u[i] <= most;
}

/*
 * Returns how many bytes at u may pass; -n: that n bytes may not; 0: the next bytes will tell.
 *
 * Three kinds may not pass: U+0080..U+009F and U+E0000..U+E007F; the lead byte of such a
 * character that is broken off, since the byte could meet its rest when the bytes between them
 * are removed; and the bytes 0x80..0x9F outside of any character, which some terminals take for
 * the same controls.
 */
static int
seen_length(const unsigned char *u, size_t len)
{
	size_t whole = utf8_length(u[0]);

	if (whole == 0)
		return u[0] >= 0x80 && u[0] < 0xA0 ? -1 : 1;
	for (size_t i = 1; i < whole; i++) {
		if (i == len)
			return 0;
		if (!utf8_continues(u, i))
			return u[0] == 0xC2 || u[0] == 0xF3 ? -1 : 1;
	}
	if ((u[0] == 0xC2 && u[1] < 0xA0) || (u[0] == 0xF3 && u[1] == 0xA0 && u[2] <= 0x81))
		return -(int)whole;
	return (int)whole;
}

/* Adds the bytes without such characters to `out`; a character that is cut in two waits for its
 * rest. */
static void
unseen_remove(struct term_filter *f, const char *data, size_t len, struct buf *out)
{
	AUTO_BUF all = BUF_INIT;
	size_t start = 0, i = 0;

	buf_add(&all, f->cut.data, f->cut.len);
	buf_add(&all, data, len);
	buf_clear(&f->cut);
	while (i < all.len) {
		int n = seen_length((const unsigned char *)all.data + i, all.len - i);

		if (n > 0) {
			i += (size_t)n;
			continue;
		}
		buf_add(out, all.data + start, i - start);
		start = i += (size_t)-n;
		if (n == 0) {
			buf_add(&f->cut, all.data + i, all.len - i);
			return;
		}
	}
	buf_add(out, all.data + start, i - start);
}

/* ---- sequences ----------------------------------------------------------------------- */

static bool
held_asks(const struct term_filter *f, enum parser_action action, char byte)
{
	if (action == A_CSI_DISPATCH)
		return csi_asks(&f->held, byte);
	if (action == A_ESC_DISPATCH) /* DECID */
		return byte == 'Z' && f->held.len == 1;
	if (action == A_OSC_END || action == A_OSC_BELL)
		return osc_asks(&f->held);
	return action == A_NONE && f->state == S_DCS_ESC && dcs_asks(&f->held);
}

static void
held_let_go(struct term_filter *f, struct buf *out)
{
	buf_add(out, f->held.data, f->held.len);
	buf_clear(&f->held);
}

/*
 * Takes a byte that ends the held sequence, and belongs to the sequence unless the byte is an
 * ESC.  A sequence that an ESC cuts short has no effect and is dropped, lest it join with text
 * after a dropped question.  A string that an ESC ends is complete, but needs another end if
 * the next sequence is dropped.
 */
static void
sequence_end(struct term_filter *f, struct parser_move move, char byte, struct buf *out)
{
	bool barred = f->dropping || (!f->passing && held_is_barred(f));
	bool orphan = f->orphan && f->held.len == 1 && byte == '\\';
	bool asks = barred || orphan ||
		    (!f->passing && held_asks(f, (enum parser_action)move.action, byte));
	bool is_string = f->state == S_OSC || f->state == S_STRING || f->state == S_DCS_IGNORE;
	bool escape = move.next == S_ESC;

	if (asks && f->open)
		buf_adds(out, "\033\\");
	if (asks || (escape && !is_string))
		buf_clear(&f->held);
	else
		held_let_go(f, out);
	if (!escape && !asks)
		buf_addc(out, byte);
	f->open = escape && (is_string ? !asks : f->open);
	f->orphan = barred && escape;
	f->passing = f->dropping = false;
	f->string_len = 0;
	if (escape)
		buf_addc(&f->held, byte);
}

/* Handles a string that is too long to end any more: the emulator has given up on the
 * string. */
static void
string_give_up(struct term_filter *f, struct buf *out)
{
	held_let_go(f, out);
	if (!f->dropping)
		buf_adds(out, "\033\\");
	f->passing = f->dropping = false;
	f->string_len = 0;
	f->state = S_GROUND;
}

static void
sequence_byte(struct term_filter *f, char byte, struct buf *out)
{
	struct parser_move move = parser_move((uint8_t)f->state, (uint8_t)byte);
	bool in_string = move.action == A_OSC_PUT || move.action == A_COUNT_BYTE;

	if (move.next == S_GROUND || (byte == '\033' && move.next == S_ESC))
		sequence_end(f, move, byte, out);
	else if (move.action == A_NONE && (f->state == S_OSC || move.next < S_CSI_IGNORE))
		return; /* a byte that is no part of it */
	else if (f->dropping && move.action != A_CONTROL)
		; /* the rest of what may not pass */
	else if (move.action == A_CONTROL || f->passing)
		buf_addc(out, byte); /* controls inside of a sequence work at once */
	else
		buf_addc(&f->held, byte);
	f->state = move.next;
	if (f->held.len > HELD_MAX) {
		f->dropping = held_is_barred(f);
		f->passing = !f->dropping;
		if (f->dropping)
			buf_clear(&f->held);
		held_let_go(f, out);
	}
	if (in_string && ++f->string_len > STRING_MAX)
		string_give_up(f, out);
}

static void
sequences_filter(struct term_filter *f, const char *data, size_t len, struct buf *out)
{
	const char *p = data, *end = data + len;

	while (p < end) {
		if (f->state == S_GROUND) {
			const char *esc = memchr(p, '\033', (size_t)(end - p));

			buf_add(out, p, (size_t)((esc == NULL ? end : esc) - p));
			if (esc == NULL)
				return;
			p = esc;
		}
		sequence_byte(f, *p++, out);
	}
}

void
term_filter(struct term_filter *f, const char *data, size_t len, struct buf *out)
{
	AUTO_BUF seen = BUF_INIT;

	if (f->guards) {
		unseen_remove(f, data, len, &seen);
		data = seen.data;
		len = seen.len;
	}
	sequences_filter(f, data, len, out);
}

void
term_filter_release(struct term_filter *f)
{
	buf_release(&f->held);
	buf_release(&f->cut);
	*f = (struct term_filter)TERM_FILTER_INIT;
}
