/* Rows and cells, and moving them.  What happens to wrap marks follows tmux. */
#include "term/internal.h"

#include "base/alloc.h"

void
grid_init(struct grid *g, int rows, int cols)
{
	size_t nrows = (size_t)rows, ncols = (size_t)cols;

	g->rows = rows;
	g->cols = cols;
	g->stride = cols;
	g->top = 0;
	g->row = xcalloc(nrows, sizeof(*g->row));
	g->pool = xcalloc(nrows * ncols, sizeof(*g->pool));
	for (size_t y = 0; y < nrows; y++)
		g->row[y].cells = g->pool + y * ncols;
}

void
grid_release(struct grid *g)
{
	free(g->row);
	free(g->pool);
	g->row = NULL;
	g->pool = NULL;
}

/* Fills n cells with blanks of a colour; the caller checked the range. */
static void
grid_row_fill(struct grid_row *row, int x, int n, uint32_t bg)
{
	struct cell blank = {.ch = 0, .style = {.bg = bg & COLOUR_MASK}};

	row->flags &= (uint8_t)~ROW_HASHED;
	if (bg == 0) {
		if (x < row->extent) {
			int end = x + n < row->extent ? x + n : row->extent;

			memset(&row->cells[x], 0, (size_t)(end - x) * sizeof(blank));
		}
		return;
	}
	for (int i = x; i < x + n; i++)
		row->cells[i] = blank;
	if (x + n > row->extent)
		row->extent = (uint16_t)(x + n);
}

static void
grid_row_empty(struct grid_row *row, int cols, uint32_t bg)
{
	if (row->extent > 0)
		memset(row->cells, 0, row->extent * sizeof(*row->cells));
	row->used = 0;
	row->extent = 0;
	row->flags = 0;
	if (bg != 0)
		grid_row_fill(row, 0, cols, bg);
}

static void
grid_row_unwrap(struct grid *g, int y)
{
	if (y >= 0)
		grid_row(g, y)->flags &= (uint8_t)~ROW_WRAPPED;
}

/* A negative count, as inserting and deleting rows may ask for, clears no row but does
 * end the line before y: so it is in tmux. */
void
grid_clear_rows(struct grid *g, int y, int n, uint32_t bg)
{
	if (n == 0)
		return;
	for (int i = y; i < y + n; i++)
		grid_row_empty(grid_row(g, i), g->cols, bg);
	grid_row_unwrap(g, y - 1);
}

void
grid_clear_cells(struct grid *g, int y, int x, int n, uint32_t bg)
{
	if (x >= g->cols || n <= 0)
		return;
	if (n > g->cols - x)
		n = g->cols - x;
	if (x == 0 && n == g->cols)
		grid_clear_rows(g, y, 1, bg);
	else
		grid_row_fill(grid_row(g, y), x, n, bg);
}

/* Swaps rather than copies, so that every row keeps cells of its own. */
static void
grid_rows_swap(struct grid *g, int a, int b)
{
	struct grid_row *x = grid_row(g, a), *y = grid_row(g, b);
	struct grid_row tmp = *x;

	*x = *y;
	*y = tmp;
}

void
grid_move_rows(struct grid *g, int to, int from, int n, uint32_t bg)
{
	if (n <= 0 || to == from)
		return;
	grid_row_unwrap(g, to - 1);
	if (to < from) {
		for (int i = 0; i < n; i++)
			grid_rows_swap(g, to + i, from + i);
	} else {
		for (int i = n - 1; i >= 0; i--)
			grid_rows_swap(g, to + i, from + i);
	}
	for (int y = from; y < from + n; y++) {
		if (y < to || y >= to + n)
			grid_row_empty(grid_row(g, y), g->cols, bg);
	}
	if (from < to || from >= to + n)
		grid_row_unwrap(g, from - 1);
}

/* Makes the region's top row its last, and empties it.  Leaves wrap marks alone. */
void
grid_rotate(struct grid *g, int top, int bottom, uint32_t bg)
{
	if (top == 0 && bottom == g->rows - 1) {
		g->top = g->top + 1 < g->rows ? g->top + 1 : 0;
	} else {
		struct grid_row first = *grid_row(g, top);

		for (int y = top; y < bottom; y++)
			*grid_row(g, y) = *grid_row(g, y + 1);
		*grid_row(g, bottom) = first;
	}
	grid_row_empty(grid_row(g, bottom), g->cols, bg);
}

void
grid_move_cells(struct grid *g, int y, int to, int from, int n, uint32_t bg)
{
	struct grid_row *row = grid_row(g, y);
	int end = (to > from ? to : from) + n;

	if (n <= 0 || to == from)
		return;
	memmove(&row->cells[to], &row->cells[from], (size_t)n * sizeof(*row->cells));
	row->flags &= (uint8_t)~ROW_HASHED;
	if (to + n > row->used)
		row->used = (uint16_t)(to + n);
	if (end > row->extent)
		row->extent = (uint16_t)end;
	if (to > from)
		grid_row_fill(row, from, to - from < n ? to - from : n, bg);
	else
		grid_row_fill(
		    row, to + n > from ? to + n : from, from - to < n ? from - to : n, bg);
}
