/* Control characters and two-byte escapes. */
#include "term/internal.h"

static void
backspace(struct term *t)
{
	if (t->cx > 0) {
		t->cx--;
	} else if (t->cy > 0 && grid_row(t->grid, t->cy - 1)->flags & ROW_WRAPPED) {
		t->cy--;
		t->cx = t->cols - 1;
	}
}

static void
tab(struct term *t)
{
	if (t->cx >= t->cols - 1)
		return;
	do {
		t->cx++;
	} while (t->cx < t->cols - 1 && !t->tabs[t->cx]);
}

void
esc_control(struct term *t, uint8_t byte)
{
	t->last = 0;
	switch (byte) {
	case '\a':
		if (t->cb.bell != NULL)
			t->cb.bell(t->cb.ctx);
		break;
	case '\b':
		backspace(t);
		break;
	case '\t':
		tab(t);
		break;
	case '\n':
	case '\v':
	case '\f':
		screen_line_feed(t, false, t->pen.style.bg);
		break;
	case '\r':
		t->cx = 0;
		break;
	case 0x0e:
	case 0x0f:
		t->pen.shifted = byte == 0x0e;
		break;
	default:
		break;
	}
}

static void
alignment_test(struct term *t)
{
	t->painting = true;
	for (int y = 0; y < t->rows; y++) {
		struct grid_row *row = grid_row(t->grid, y);

		for (int x = 0; x < t->cols; x++)
			row->cells[x] = (struct cell){.ch = 'E'};
		row->flags &= (uint8_t) ~(ROW_HASHED | ROW_WIDE);
		row->used = (uint16_t)t->cols;
		if (row->extent < row->used)
			row->extent = row->used;
	}
	t->cx = 0;
	t->cy = 0;
	t->top = 0;
	t->bottom = t->rows - 1;
}

static void
escape_plain(struct term *t, uint8_t final)
{
	switch (final) {
	case '7':
		cursor_keep(t, &t->saved);
		break;
	case '8':
		cursor_restore(t, &t->saved);
		break;
	case '=':
		t->modes |= TERM_MODE_APP_KEYPAD;
		break;
	case '>':
		t->modes &= ~(unsigned)TERM_MODE_APP_KEYPAD;
		break;
	case 'D':
		screen_line_feed(t, false, t->pen.style.bg);
		break;
	case 'E':
		t->cx = 0;
		screen_line_feed(t, false, t->pen.style.bg);
		break;
	case 'H':
		if (t->cx < t->cols)
			t->tabs[t->cx] = 1;
		break;
	case 'M':
		screen_reverse_index(t);
		break;
	case 'c':
		screen_reset(t);
		break;
	default:
		break;
	}
}

void
esc_dispatch(struct term *t, uint8_t final)
{
	const struct parser *p = &t->parser;

	t->last = 0;
	if (p->nmarks == 0) {
		escape_plain(t, final);
	} else if (p->nmarks == 1) {
		switch (p->marks[0]) {
		case '#':
			if (final == '8')
				alignment_test(t);
			break;
		case '(':
		case ')':
			if (final == '0' || final == 'B')
				t->pen.drawing[p->marks[0] == ')'] = final == '0';
			break;
		default:
			break;
		}
	}
}
