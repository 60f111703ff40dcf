/*
 * Bytes into actions: the state machine of the VT500 as Paul Williams drew it,
 * with the departures of tmux (a DCS ends at ST only; C1 bytes are text).
 *
 * Bytes fall into classes; the table says for each state and class what to do
 * and where to go.  Everything that can be long is counted and cut.
 */
#include "term/internal.h"

enum byte_class {
	C_CONTROL,
	C_BELL,
	C_CANCEL, /* CAN, SUB */
	C_ESC,
	C_MARK, /* intermediates 0x20-0x2f */
	C_DIGIT,
	C_COLON,
	C_SEMI,
	C_PRIVATE, /* < = > ? */
	C_FINAL,
	C_DCS,	  /* P */
	C_STRING, /* X ^ _ k: strings nobody reads */
	C_CSI,	  /* [ */
	C_ST,	  /* \ */
	C_OSC,	  /* ] */
	C_DELETE,
	C_HIGH,
	C_COUNT,
};

#define B2(c) c, c
#define B4(c) B2(c), B2(c)
#define B8(c) B4(c), B4(c)
#define B16(c) B8(c), B8(c)
#define B64(c) B16(c), B16(c), B16(c), B16(c)

/* Tables are read by rows. */
/* clang-format off */
static const uint8_t class_of[256] = {
	/* 00 */ B4(C_CONTROL), B2(C_CONTROL), C_CONTROL, C_BELL, B8(C_CONTROL),
	/* 10 */ B8(C_CONTROL), C_CANCEL, C_CONTROL, C_CANCEL, C_ESC, B4(C_CONTROL),
	/* 20 */ B16(C_MARK),
	/* 30 */ B8(C_DIGIT), B2(C_DIGIT), C_COLON, C_SEMI, B4(C_PRIVATE),
	/* 40 */ B16(C_FINAL),
	/* 50 */ C_DCS, C_FINAL, B2(C_FINAL), B4(C_FINAL),
	/* 58 */ C_STRING, B2(C_FINAL), C_CSI, C_ST, C_OSC, B2(C_STRING),
	/* 60 */ B8(C_FINAL), B2(C_FINAL), C_FINAL, C_STRING, B4(C_FINAL),
	/* 70 */ B8(C_FINAL), B4(C_FINAL), B2(C_FINAL), C_FINAL, C_DELETE,
	/* 80 */ B64(C_HIGH), B64(C_HIGH),
};

/* ANYWHERE ends any sequence; the others name classes of bytes that mostly go the same way. */
#define ANYWHERE [C_CANCEL] = {A_CONTROL, S_GROUND}, [C_ESC] = {A_CLEAR, S_ESC}
#define CONTROLS(a, s) [C_CONTROL] = {a, s}, [C_BELL] = {a, s}
#define MARKS(a, s) [C_MARK] = {a, s}
#define COLON(a, s) [C_COLON] = {a, s}
#define NUMBERS(a, s) [C_DIGIT] = {a, s}, [C_SEMI] = {a, s}
#define PARAMS(a, s) NUMBERS(a, s), COLON(a, s)
#define PRIVATE(a, s) [C_PRIVATE] = {a, s}
#define NO_ST(a, s) \
	[C_FINAL] = {a, s}, [C_DCS] = {a, s}, [C_STRING] = {a, s}, [C_CSI] = {a, s}, \
	[C_OSC] = {a, s}
#define FINALS(a, s) NO_ST(a, s), [C_ST] = {a, s}
#define OTHERS(a, s) [C_DELETE] = {a, s}, [C_HIGH] = {a, s}
#define TEXT(a, s) MARKS(a, s), PARAMS(a, s), PRIVATE(a, s), FINALS(a, s), OTHERS(a, s)

static const struct parser_move table[S_COUNT][C_COUNT] = {
	/* Printable characters never get here in the ground state. */
	[S_GROUND] = {ANYWHERE, CONTROLS(A_CONTROL, S_GROUND), [C_HIGH] = {A_UTF8, S_GROUND}},

	[S_ESC] = {ANYWHERE, CONTROLS(A_CONTROL, S_ESC), OTHERS(A_NONE, S_ESC),
		MARKS(A_MARK, S_ESC_MARK), PARAMS(A_ESC_DISPATCH, S_GROUND),
		PRIVATE(A_ESC_DISPATCH, S_GROUND), [C_FINAL] = {A_ESC_DISPATCH, S_GROUND},
		[C_ST] = {A_ESC_DISPATCH, S_GROUND}, [C_CSI] = {A_CLEAR, S_CSI},
		[C_OSC] = {A_STRING_START, S_OSC}, [C_DCS] = {A_STRING_START, S_DCS},
		[C_STRING] = {A_STRING_START, S_STRING}},
	[S_ESC_MARK] = {ANYWHERE, CONTROLS(A_CONTROL, S_ESC_MARK), OTHERS(A_NONE, S_ESC_MARK),
		MARKS(A_MARK, S_ESC_MARK), PARAMS(A_ESC_DISPATCH, S_GROUND),
		PRIVATE(A_ESC_DISPATCH, S_GROUND), FINALS(A_ESC_DISPATCH, S_GROUND)},

	[S_CSI] = {ANYWHERE, CONTROLS(A_CONTROL, S_CSI), OTHERS(A_NONE, S_CSI),
		MARKS(A_MARK, S_CSI_MARK), PARAMS(A_PARAM, S_CSI_PARAM),
		PRIVATE(A_MARK, S_CSI_PARAM), FINALS(A_CSI_DISPATCH, S_GROUND)},
	[S_CSI_PARAM] = {ANYWHERE, CONTROLS(A_CONTROL, S_CSI_PARAM), OTHERS(A_NONE, S_CSI_PARAM),
		MARKS(A_MARK, S_CSI_MARK), PARAMS(A_PARAM, S_CSI_PARAM),
		PRIVATE(A_NONE, S_CSI_IGNORE), FINALS(A_CSI_DISPATCH, S_GROUND)},
	[S_CSI_MARK] = {ANYWHERE, CONTROLS(A_CONTROL, S_CSI_MARK), OTHERS(A_NONE, S_CSI_MARK),
		MARKS(A_MARK, S_CSI_MARK), PARAMS(A_NONE, S_CSI_IGNORE),
		PRIVATE(A_NONE, S_CSI_IGNORE), FINALS(A_CSI_DISPATCH, S_GROUND)},
	[S_CSI_IGNORE] = {ANYWHERE, CONTROLS(A_CONTROL, S_CSI_IGNORE),
		OTHERS(A_NONE, S_CSI_IGNORE), MARKS(A_NONE, S_CSI_IGNORE),
		PARAMS(A_NONE, S_CSI_IGNORE), PRIVATE(A_NONE, S_CSI_IGNORE),
		FINALS(A_NONE, S_GROUND)},

	[S_DCS] = {ANYWHERE, CONTROLS(A_NONE, S_DCS), OTHERS(A_NONE, S_DCS),
		MARKS(A_NONE, S_DCS_MARK), NUMBERS(A_NONE, S_DCS_PARAM),
		COLON(A_NONE, S_DCS_IGNORE), PRIVATE(A_NONE, S_DCS_PARAM),
		FINALS(A_NONE, S_DCS_DATA)},
	[S_DCS_PARAM] = {ANYWHERE, CONTROLS(A_NONE, S_DCS_PARAM), OTHERS(A_NONE, S_DCS_PARAM),
		MARKS(A_NONE, S_DCS_MARK), NUMBERS(A_NONE, S_DCS_PARAM),
		COLON(A_NONE, S_DCS_IGNORE), PRIVATE(A_NONE, S_DCS_IGNORE),
		FINALS(A_NONE, S_DCS_DATA)},
	[S_DCS_MARK] = {ANYWHERE, CONTROLS(A_NONE, S_DCS_MARK), OTHERS(A_NONE, S_DCS_MARK),
		MARKS(A_NONE, S_DCS_MARK), PARAMS(A_NONE, S_DCS_IGNORE),
		PRIVATE(A_NONE, S_DCS_IGNORE), FINALS(A_NONE, S_DCS_DATA)},
	[S_DCS_IGNORE] = {ANYWHERE, CONTROLS(A_NONE, S_DCS_IGNORE),
		TEXT(A_COUNT_BYTE, S_DCS_IGNORE)},
	[S_DCS_DATA] = {CONTROLS(A_COUNT_BYTE, S_DCS_DATA), TEXT(A_COUNT_BYTE, S_DCS_DATA),
		[C_CANCEL] = {A_COUNT_BYTE, S_DCS_DATA}, [C_ESC] = {A_COUNT_BYTE, S_DCS_ESC}},
	[S_DCS_ESC] = {CONTROLS(A_NONE, S_DCS_DATA), OTHERS(A_NONE, S_DCS_DATA),
		[C_CANCEL] = {A_NONE, S_DCS_DATA}, [C_ESC] = {A_NONE, S_DCS_DATA},
		MARKS(A_NONE, S_DCS_DATA), PARAMS(A_NONE, S_DCS_DATA),
		PRIVATE(A_NONE, S_DCS_DATA), NO_ST(A_NONE, S_DCS_DATA),
		[C_ST] = {A_NONE, S_GROUND}},

	[S_OSC] = {[C_CONTROL] = {A_NONE, S_OSC}, [C_BELL] = {A_OSC_BELL, S_GROUND},
		TEXT(A_OSC_PUT, S_OSC), [C_CANCEL] = {A_OSC_END, S_GROUND},
		[C_ESC] = {A_OSC_END, S_ESC}},
	[S_STRING] = {ANYWHERE, CONTROLS(A_NONE, S_STRING), TEXT(A_COUNT_BYTE, S_STRING)},
};
/* clang-format on */

struct parser_move
parser_move(uint8_t state, uint8_t byte)
{
	return table[state][class_of[byte]];
}

static void
sequence_clear(struct parser *p)
{
	p->param_len = 0;
	p->discard = false;
	p->nparams = 0;
	p->nmarks = 0;
	p->marks[0] = '\0';
}

static void
mark_add(struct parser *p, uint8_t byte)
{
	if (p->nmarks == sizeof(p->marks) - 1) {
		p->discard = true;
		return;
	}
	p->marks[p->nmarks++] = (char)byte;
	p->marks[p->nmarks] = '\0';
}

static void
param_new(struct parser *p, bool sub)
{
	if (p->nparams == PARAMS_MAX) {
		p->discard = true;
		return;
	}
	p->param[p->nparams++] = (struct param){-1, sub};
}

static void
param_add(struct parser *p, uint8_t byte)
{
	struct param *last;

	if (++p->param_len > PARAM_BYTES)
		p->discard = true;
	if (p->nparams == 0)
		param_new(p, false);
	if (byte == ';' || byte == ':') {
		param_new(p, byte == ':');
		return;
	}
	last = &p->param[p->nparams - 1];
	if (last->value > (PARAM_MAX - 9) / 10)
		p->discard = true;
	else
		last->value = (last->value < 0 ? 0 : last->value * 10) + (byte - '0');
}

/* The i-th parameter; -1 when it has sub-parameters, which only SGR reads. */
int
parser_param(const struct parser *p, int i, int min, int missing)
{
	if (i >= p->nparams)
		return missing;
	if (p->param[i].sub || (i + 1 < p->nparams && p->param[i + 1].sub))
		return -1;
	if (p->param[i].value < 0)
		return missing;
	return p->param[i].value < min ? min : p->param[i].value;
}

static void
osc_put(struct parser *p, uint8_t byte)
{
	if (p->osc.len >= OSC_MAX)
		p->discard = true;
	else
		buf_addc(&p->osc, (char)byte);
}

static void
osc_end(struct term *t, bool bell)
{
	t->parser.bell_end = bell;
	if (!t->parser.discard)
		osc_dispatch(t);
	sequence_clear(&t->parser);
}

/* Strings without an end must not hide everything that comes after. */
static void
string_count(struct parser *p)
{
	if (++p->string_len > STRING_MAX)
		p->state = S_GROUND;
}

static void
parser_act(struct term *t, enum parser_action action, uint8_t byte)
{
	struct parser *p = &t->parser;

	switch (action) {
	case A_NONE:
		break;
	case A_CONTROL:
		p->utf8_need = 0;
		esc_control(t, byte);
		break;
	case A_CLEAR:
		sequence_clear(p);
		break;
	case A_MARK:
		mark_add(p, byte);
		break;
	case A_PARAM:
		param_add(p, byte);
		break;
	case A_ESC_DISPATCH:
		if (!p->discard)
			esc_dispatch(t, byte);
		break;
	case A_CSI_DISPATCH:
		if (!p->discard)
			csi_dispatch(t, byte);
		break;
	case A_STRING_START:
		sequence_clear(p);
		buf_clear(&p->osc);
		p->string_len = 0;
		t->last = 0;
		break;
	case A_OSC_PUT:
		osc_put(p, byte);
		string_count(p);
		break;
	case A_OSC_END:
		osc_end(t, false);
		break;
	case A_OSC_BELL:
		osc_end(t, true);
		break;
	case A_UTF8:
		print_utf8(t, byte);
		break;
	case A_COUNT_BYTE:
		string_count(p);
		break;
	}
}

void
term_feed(struct term *t, const char *data, size_t len)
{
	const char *p = data, *end = data + len;

	while (p < end) {
		uint8_t byte = (uint8_t)*p;
		struct parser_move move;

		if (t->parser.state == S_GROUND && byte >= 0x20 && byte < 0x7f) {
			p = print_ascii(t, p, end);
			continue;
		}
		move = parser_move(t->parser.state, byte);
		t->parser.state = move.next;
		parser_act(t, (enum parser_action)move.action, byte);
		p++;
	}
}
