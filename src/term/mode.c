/* Modes: setting, reporting, and the alternate screen. */
#include "term/internal.h"

enum { MOUSE_MODES = TERM_MODE_MOUSE_BUTTON | TERM_MODE_MOUSE_DRAG | TERM_MODE_MOUSE_ALL };

const struct mode mode_bits[MODE_BITS] = {
    {4, false, false, false, TERM_MODE_INSERT},
    {1, true, false, true, TERM_MODE_APP_CURSOR},
    {6, true, false, false, TERM_MODE_ORIGIN},
    {7, true, false, true, TERM_MODE_WRAP},
    {25, true, true, true, TERM_MODE_CURSOR_HIDDEN},
    {66, true, false, false, TERM_MODE_APP_KEYPAD},
    {1000, true, false, true, TERM_MODE_MOUSE_BUTTON},
    {1002, true, false, true, TERM_MODE_MOUSE_DRAG},
    {1003, true, false, true, TERM_MODE_MOUSE_ALL},
    {1004, true, false, true, TERM_MODE_FOCUS},
    {1006, true, false, true, TERM_MODE_MOUSE_SGR},
    {2004, true, false, true, TERM_MODE_BRACKETED_PASTE},
    {2026, true, false, false, TERM_MODE_SYNC},
};

/* The mode of that number among mode_bits; NULL: none. */
static const struct mode *
mode_find(int number, bool private)
{
	for (size_t i = 0; i < MODE_BITS; i++)
		if (mode_bits[i].number == number && mode_bits[i].private == private)
			return &mode_bits[i];
	return NULL;
}

bool
mode_is_on(const struct term *t, const struct mode *m)
{
	return ((t->modes & m->bit) != 0) != m->inverse;
}

static bool
is_alt_mode(int number)
{
	return number == 47 || number == 1047 || number == 1049;
}

/* DECRQM: 0 unknown, 1 set, 2 reset. */
int
mode_report(const struct term *t, int number, bool private)
{
	const struct mode *m = mode_find(number, private);

	if (private && is_alt_mode(number))
		return t->grid == &t->alt ? 1 : 2;
	return m == NULL ? 0 : mode_is_on(t, m) ? 1 : 2;
}

static void
alt_enter(struct term *t, bool cursor)
{
	if (t->grid == &t->alt)
		return;
	if (cursor) {
		cursor_keep(t, &t->under_alt);
		t->under_alt_set = true;
	} else {
		t->under_alt.pen.style = t->pen.style;
	}
	grid_clear_rows(&t->alt, 0, t->alt.rows, 0);
	t->grid = &t->alt;
}

static void
alt_leave(struct term *t, bool cursor)
{
	int rows = t->rows, cols = t->cols;

	if (cursor && t->under_alt_set) {
		t->cx = t->under_alt.col;
		t->cy = t->under_alt.row;
		t->pen.style = t->under_alt.pen.style;
	}
	if (t->grid == &t->alt) {
		t->grid = &t->main;
		if (t->main.rows != rows || t->main.cols != cols) {
			t->cx = lesser(t->cx, t->main.cols);
			t->cy = lesser(t->cy, t->main.rows - 1);
			resize_grid(t, &t->main, rows, cols, true);
		}
	}
	t->cx = lesser(t->cx, cols - 1);
	t->cy = lesser(t->cy, rows - 1);
}

/* Only ?1049 saves the cursor, and restores the cursor even when the alternate screen was not
 * on. */
void
mode_set(struct term *t, int number, bool private, bool on)
{
	const struct mode *m = mode_find(number, private);

	if (m != NULL && m->bit & MOUSE_MODES)
		t->modes &= ~(unsigned)MOUSE_MODES;
	if (m != NULL && mode_is_on(t, m) != on)
		t->modes ^= m->bit;
	if (!private)
		return;
	if (is_alt_mode(number)) {
		t->painting = true;
		(on ? alt_enter : alt_leave)(t, number == 1049);
	} else if (number == 6) {
		screen_cursor(t, on ? t->top : 0, 0);
	} else if (number == 3) {
		screen_cursor(t, t->modes & TERM_MODE_ORIGIN ? t->top : 0, 0);
		screen_erase(t, 2);
	}
}
