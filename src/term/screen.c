/*
 * The effects of control sequences on the screen: cursor, scrolling, erasing, inserting.  The
 * odd cases (a cursor beyond the last column, regions not containing the cursor, wrap marks)
 * are those of tmux's screen-write.
 */
#include "term/internal.h"

/* Moves the cursor to an absolute place; clamps.  A program that moves it anywhere but onwards
 * is painting. */
void
screen_cursor(struct term *t, int row, int col)
{
	col = lesser(col, t->cols - 1);
	row = lesser(row, t->rows - 1);
	if (row < t->cy || (row == t->cy && col < t->cx && t->cx < t->cols))
		t->painting = true;
	t->cy = row;
	t->cx = col;
}

void
cursor_keep(const struct term *t, struct cursor_save *save)
{
	save->pen = t->pen;
	save->row = t->cy;
	save->col = t->cx;
	save->origin = (t->modes & TERM_MODE_ORIGIN) != 0;
}

void
cursor_restore(struct term *t, const struct cursor_save *save)
{
	t->pen = save->pen;
	if (save->origin)
		t->modes |= TERM_MODE_ORIGIN;
	else
		t->modes &= ~(unsigned)TERM_MODE_ORIGIN;
	screen_cursor(t, save->row, save->col);
}

void
screen_row_out(struct term *t, const struct grid_row *row, int cols)
{
	if (t->cb.line_out == NULL)
		return;
	buf_clear(&t->text);
	grid_row_text(t, row, cols, &t->text);
	t->cb.line_out(t->cb.ctx, t->text.data, t->text.len, row->flags & ROW_WRAPPED);
}

static void
scroll_one(struct term *t, uint32_t bg)
{
	struct grid *g = t->grid;

	if (g == &t->main) {
		if (t->top == 0)
			screen_row_out(t, grid_row(g, 0), t->cols);
		grid_rotate(g, t->top, t->bottom, bg);
	} else {
		grid_move_rows(g, t->top, t->top + 1, t->bottom - t->top, bg);
	}
}

void
screen_line_feed(struct term *t, bool wrapped, uint32_t bg)
{
	if (wrapped)
		grid_row(t->grid, t->cy)->flags |= ROW_WRAPPED;
	if (t->cy == t->bottom)
		scroll_one(t, bg);
	else if (t->cy < t->rows - 1)
		t->cy++;
}

void
screen_reverse_index(struct term *t)
{
	t->painting = true;
	if (t->cy == t->top)
		screen_scroll_down(t, 1);
	else if (t->cy > 0)
		t->cy--;
}

void
screen_scroll_up(struct term *t, int n)
{
	for (n = lesser(n, t->bottom - t->top + 1); n > 0; n--)
		scroll_one(t, t->pen.style.bg);
}

void
screen_scroll_down(struct term *t, int n)
{
	for (n = lesser(n, t->bottom - t->top + 1); n > 0; n--)
		grid_move_rows(
		    t->grid, t->top + 1, t->top, t->bottom - t->top, t->pen.style.bg);
}

/* Moves the rows from the cursor's row to the end of the region, or of the screen when the
 * cursor is outside of the region. */
static void
screen_rows_shift(struct term *t, int n, bool down)
{
	bool inside = t->cy >= t->top && t->cy <= t->bottom;
	int below = (inside ? t->bottom + 1 : t->rows) - t->cy;
	int keep = below - lesser(n, below), beyond = t->cy + below - keep;
	uint32_t bg = t->pen.style.bg;

	grid_move_rows(t->grid, down ? beyond : t->cy, down ? t->cy : beyond, keep, bg);
	if (inside || !down)
		grid_clear_rows(t->grid, t->cy + keep, below - 2 * keep, bg);
}

void
screen_insert_rows(struct term *t, int n)
{
	screen_rows_shift(t, n, true);
}

void
screen_delete_rows(struct term *t, int n)
{
	screen_rows_shift(t, n, false);
}

void
screen_insert_cells(struct term *t, int n, uint32_t bg)
{
	if (t->cx >= t->cols - 1)
		grid_clear_cells(t->grid, t->cy, t->cx, 1, bg);
	else
		grid_move_cells(t->grid, t->cy, t->cx + n, t->cx, t->cols - t->cx - n, bg);
}

void
screen_delete_cells(struct term *t, int n)
{
	uint32_t bg = t->pen.style.bg;
	int start;

	n = lesser(n, t->cols - t->cx);
	start = t->cols - n;
	grid_move_cells(t->grid, t->cy, t->cx, t->cx + n, start - t->cx, bg);
	grid_clear_cells(t->grid, t->cy, start, t->cx + n - start, bg);
}

void
screen_erase_cells(struct term *t, int n)
{
	grid_clear_cells(t->grid, t->cy, t->cx, n, t->pen.style.bg);
}

/* Erases a part of the cursor's row: 0 from the cursor on, 1 up to the cursor, 2 all of it;
 * another `how` is ignored. */
void
screen_erase_row(struct term *t, int how)
{
	uint32_t bg = t->pen.style.bg;

	if (how == 0 && t->cx > t->cols - 1)
		return;
	if (how == 2 || (how == 0 && t->cx == 0) || (how == 1 && t->cx >= t->cols - 1)) {
		if (grid_row(t->grid, t->cy)->extent == 0 && bg == 0)
			return;
		grid_clear_rows(t->grid, t->cy, 1, bg);
	} else if (how == 0) {
		grid_clear_cells(t->grid, t->cy, t->cx, t->cols - t->cx, bg);
	} else if (how == 1) {
		grid_clear_cells(t->grid, t->cy, 0, t->cx + 1, bg);
	}
}

/* On the main screen, rows that are cleared all at once leave like scrolled rows. */
static void
erase_all(struct term *t)
{
	int last = 0;

	if (t->grid == &t->main) {
		for (int y = 0; y < t->rows; y++) {
			if (grid_row(t->grid, y)->used != 0)
				last = y + 1;
		}
		for (int y = 0; y < last; y++)
			screen_row_out(t, grid_row(t->grid, y), t->cols);
	}
	grid_clear_rows(t->grid, 0, t->rows, t->pen.style.bg);
}

/* As screen_erase_row, for the whole screen. */
void
screen_erase(struct term *t, int how)
{
	uint32_t bg = t->pen.style.bg;
	int x = t->cx, y = t->cy;

	if (how == 2 || (how == 0 && x == 0 && y == 0)) {
		erase_all(t);
	} else if (how == 0) {
		grid_clear_cells(t->grid, y, x, t->cols - x, bg);
		grid_clear_rows(t->grid, y + 1, t->rows - y - 1, bg);
	} else if (how == 1) {
		grid_clear_rows(t->grid, 0, y, bg);
		grid_clear_cells(t->grid, y, 0, lesser(x + 1, t->cols), bg);
	}
}

void
screen_region(struct term *t, int top, int bottom)
{
	bottom = lesser(bottom, t->rows - 1);
	if (top >= bottom)
		return;
	screen_cursor(t, 0, 0);
	t->top = top;
	t->bottom = bottom;
}

void
screen_tabs_reset(struct term *t)
{
	for (int x = 0; x < t->cols; x++)
		t->tabs[x] = x > 0 && x % 8 == 0;
}

/* RIS: like tmux, clears but stays on the alternate screen. */
void
screen_reset(struct term *t)
{
	memset(&t->pen, 0, sizeof(t->pen));
	cursor_keep(t, &t->saved);
	t->saved.row = 0;
	t->saved.col = 0;
	t->saved.origin = false;
	screen_tabs_reset(t);
	t->modes = TERM_MODE_WRAP;
	t->top = 0;
	t->bottom = t->rows - 1;
	t->last = 0;
	t->joiner = false;
	erase_all(t);
	t->cx = 0;
	t->cy = 0;
}
