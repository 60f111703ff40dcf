/*
 * The screen as bytes for another terminal.
 *
 * A half of a wide character whose other half was erased has no bytes that draw it:
 * it is shown as a blank.
 */
#include "term/internal.h"

static bool
repaint_is_blank(const struct cell *c)
{
	static const struct style plain;

	return (c->ch == 0 || c->ch == ' ') && memcmp(&c->style, &plain, sizeof(plain)) == 0;
}

/* The cell's characters, or a blank for half of a character. */
static int
cell_paint(const struct term *t, const struct grid_row *row, int x, int cols, struct buf *out)
{
	const struct cell *c = &row->cells[x];
	bool whole = x + 1 < cols && row->cells[x + 1].ch & CH_PADDING;

	if (c->ch & CH_PADDING || (c->ch & CH_WIDE && !whole)) {
		buf_addc(out, ' ');
		return 1;
	}
	if (c->style.drawing)
		buf_adds(out, "\033(0");
	cell_text(t, c, out);
	if (c->style.drawing)
		buf_adds(out, "\033(B");
	return cell_width(c);
}

static void
repaint_row(const struct term *t, const struct grid *g, int y, struct buf *out)
{
	const struct grid_row *row = grid_row(g, y);
	struct style pen = {0};
	int cols = row->extent < g->cols ? row->extent : g->cols;

	while (cols > 0 && repaint_is_blank(&row->cells[cols - 1]))
		cols--;
	if (cols == 0)
		return;
	buf_addf(out, "\033[%dH\033[0m", y + 1);
	for (int x = 0; x < cols;) {
		struct style style = row->cells[x].style;

		style.drawing = 0;
		if (memcmp(&style, &pen, sizeof(pen)) != 0) {
			sgr_text(&style, out);
			pen = style;
		}
		x += cell_paint(t, row, x, g->cols, out);
	}
}

static void
grid_paint(const struct term *t, const struct grid *g, struct buf *out)
{
	buf_adds(out, "\033[0m\033[H\033[2J");
	for (int y = 0; y < g->rows && y < t->rows; y++)
		repaint_row(t, g, y, out);
}

static void
pen_paint(const struct pen *pen, struct buf *out)
{
	buf_addf(out, "\033(%c\033)%c%c", pen->drawing[0] ? '0' : 'B',
	    pen->drawing[1] ? '0' : 'B', pen->shifted ? 0x0e : 0x0f);
	sgr_text(&pen->style, out);
}

/* A cursor waiting to wrap is one that has just printed the last column again.  Outside of
 * the region it cannot be addressed in origin mode; then it is shown as near as can be. */
static void
cursor_paint(const struct term *t, struct buf *out)
{
	const struct grid_row *row = grid_row(t->grid, t->cy);
	int y = t->cy, x = t->cols - 1;
	bool out_of_reach = false;

	if (t->modes & TERM_MODE_ORIGIN) {
		out_of_reach = t->cy < t->top || t->cy > t->bottom;
		y = t->cy < t->top ? 0 : t->cy - t->top;
	}
	if (t->cx < t->cols || row->extent < t->cols || out_of_reach) {
		buf_addf(out, "\033[%d;%dH", y + 1, (t->cx < t->cols ? t->cx : x) + 1);
		return;
	}
	if (row->cells[x].ch & CH_PADDING && row->cells[x - 1].ch & CH_WIDE)
		x--;
	buf_addf(out, "\033[%d;%dH", y + 1, x + 1);
	sgr_text(&row->cells[x].style, out);
	cell_paint(t, row, x, t->cols, out);
}

static void
tabs_paint(const struct term *t, struct buf *out)
{
	bool usual = true;

	for (int x = 0; x < t->cols; x++)
		usual = usual && t->tabs[x] == (x > 0 && x % 8 == 0);
	if (usual)
		return;
	buf_adds(out, "\033[3g");
	for (int x = 0; x < t->cols; x++) {
		if (t->tabs[x])
			buf_addf(out, "\033[%dG\033H", x + 1);
	}
}

static void
saved_paint(const struct term *t, struct buf *out)
{
	const struct cursor_save *save = &t->saved;

	pen_paint(&save->pen, out);
	buf_addf(out, "\033[%d;%dH%s\0337\033[?6l", save->row + 1, save->col + 1,
	    save->origin ? "\033[?6h\033[1;1H" : "");
}

/* Switches the modes that differ from those of a fresh terminal; `back`: to what they are in a
 * fresh terminal. */
static void
switches_paint(const struct term *t, bool back, struct buf *out)
{
	for (size_t i = 0; i < MODE_BITS; i++) {
		const struct mode *m = &mode_bits[i];
		bool usual = m->number == 7 || m->number == 25, on = mode_is_on(t, m);

		if (m->painted && on != usual)
			buf_addf(out, "\033[?%d%c", m->number, on != back ? 'h' : 'l');
	}
}

static void
modes_paint(const struct term *t, struct buf *out)
{
	switches_paint(t, false, out);
	if (t->modes & TERM_MODE_APP_KEYPAD)
		buf_adds(out, "\033=");
	if (t->modes & TERM_MODE_INSERT)
		buf_adds(out, "\033[4h");
}

void
term_repaint(const struct term *t, struct buf *out)
{
	buf_adds(out, "\033[?6l\033[4l\033[?7h\033[r\033(B\017");
	if (t->grid == &t->alt) {
		grid_paint(t, &t->main, out);
		buf_addf(
		    out, "\033[%d;%dH\033[?1049h", t->under_alt.row + 1, t->under_alt.col + 1);
	}
	grid_paint(t, t->grid, out);
	tabs_paint(t, out);
	saved_paint(t, out);
	if (t->top != 0 || t->bottom != t->rows - 1)
		buf_addf(out, "\033[%d;%dr", t->top + 1, t->bottom + 1);
	if (t->modes & TERM_MODE_ORIGIN)
		buf_adds(out, "\033[?6h");
	buf_adds(out, "\033(B\017");
	cursor_paint(t, out);
	pen_paint(&t->pen, out);
	modes_paint(t, out);
	if (t->title[0] != '\0')
		buf_addf(out, "\033]2;%s\a", t->title);
}

void
term_leave(const struct term *t, struct buf *out)
{
	switches_paint(t, true, out);
	if (t->modes & TERM_MODE_SYNC)
		buf_adds(out, "\033[?2026l");
	if (t->modes & TERM_MODE_APP_KEYPAD)
		buf_adds(out, "\033>");
	if (t->modes & TERM_MODE_INSERT)
		buf_adds(out, "\033[4l");
	if (t->keys_pushed)
		buf_adds(out, "\033[<99u\033[>4m");
	if (t->modes & TERM_MODE_ORIGIN)
		buf_adds(out, "\033[?6l");
	if (t->top != 0 || t->bottom != t->rows - 1)
		buf_addf(out, "\033[r\033[%d;%dH", t->cy + 1, t->cx + 1);
	buf_adds(out, "\033(B\017\033[0m");
	if (t->grid == &t->alt)
		buf_adds(out, "\033[?1049l");
}
