/*
 * Takes questions out of a stream.  It follows the emulator's own parser, so that the
 * two cannot disagree about where a sequence begins and ends.  A sequence is held back
 * until its last byte shows what it is; one longer than any question is let through.
 */
#include "term/internal.h"

enum { HELD_MAX = OSC_MAX + 8 };

static bool
held_has(const struct buf *held, char c)
{
	return memchr(held->data, c, held->len) != NULL;
}

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
	switch (final) {
	case 'c': /* DA1, DA2, DA3; with ? it is an answer, or the console's cursor */
		return !held_has(held, '?');
	case 'n': /* DSR; with > it turns a keyboard mode off */
		return !held_has(held, '>');
	case 'p': /* DECRQM */
		return held_has(held, '$');
	case 'q': /* XTVERSION */
		return held_has(held, '>');
	case 't':
		return window_asks(held);
	case 'u': /* keyboard protocol */
		return held_has(held, '?');
	default:
		return false;
	}
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

static bool
held_asks(const struct term_filter *f, enum parser_action action, char byte)
{
	switch (action) {
	case A_CSI_DISPATCH:
		return csi_asks(&f->held, byte);
	case A_ESC_DISPATCH: /* DECID */
		return byte == 'Z' && f->held.len == 1;
	case A_OSC_END:
	case A_OSC_BELL:
		return osc_asks(&f->held);
	case A_NONE:
		return f->state == S_DCS_ESC && dcs_asks(&f->held);
	case A_CONTROL:
	case A_CLEAR:
	case A_MARK:
	case A_PARAM:
	case A_OSC_PUT:
	case A_UTF8:
	case A_COUNT_BYTE:
	case A_STRING_START:
		break;
	}
	return false;
}

static void
held_let_go(struct term_filter *f, struct buf *out)
{
	buf_add(out, f->held.data, f->held.len);
	buf_clear(&f->held);
}

/*
 * A byte that ends what is held, and belongs to it unless it is an ESC.  What an ESC cuts
 * short has no effect and is dropped, lest it join with text after a dropped question; a
 * string it ends is complete, but needs another end if what follows is dropped.
 */
static void
sequence_end(struct term_filter *f, struct parser_step step, char byte, struct buf *out)
{
	bool asks = !f->passing && held_asks(f, (enum parser_action)step.action, byte);
	bool is_string = f->state == S_OSC || f->state == S_STRING || f->state == S_DCS_IGNORE;
	bool escape = step.next == S_ESC;

	if (asks && f->open)
		buf_adds(out, "\033\\");
	if (asks || (escape && !is_string))
		buf_clear(&f->held);
	else
		held_let_go(f, out);
	if (!escape && !asks)
		buf_addc(out, byte);
	f->open = escape && (is_string ? !asks : f->open);
	f->passing = false;
	f->string_len = 0;
	if (escape)
		buf_addc(&f->held, byte);
}

/* A string that is too long to end any more: the emulator has given up on it. */
static void
string_give_up(struct term_filter *f, struct buf *out)
{
	held_let_go(f, out);
	buf_adds(out, "\033\\");
	f->passing = false;
	f->string_len = 0;
	f->state = S_GROUND;
}

static void
sequence_byte(struct term_filter *f, char byte, struct buf *out)
{
	struct parser_step step = parser_step((uint8_t)f->state, (uint8_t)byte);
	bool in_string = step.action == A_OSC_PUT || step.action == A_COUNT_BYTE;

	if (step.next == S_GROUND || (byte == '\033' && step.next == S_ESC))
		sequence_end(f, step, byte, out);
	else if (step.action == A_NONE && (f->state == S_OSC || step.next < S_CSI_IGNORE))
		return; /* a byte that is no part of it */
	else if (step.action == A_CONTROL || f->passing)
		buf_addc(out, byte); /* controls inside of a sequence work at once */
	else
		buf_addc(&f->held, byte);
	f->state = step.next;
	if (f->held.len > HELD_MAX) {
		held_let_go(f, out);
		f->passing = true;
	}
	if (in_string && ++f->string_len > STRING_MAX)
		string_give_up(f, out);
}

void
term_filter(struct term_filter *f, const char *data, size_t len, struct buf *out)
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
term_filter_release(struct term_filter *f)
{
	buf_release(&f->held);
	*f = (struct term_filter)TERM_FILTER_INIT;
}
