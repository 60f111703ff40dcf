/*
 * New sizes.  A lower screen first loses the rows below the cursor, then those at its
 * top; on the main screen wrapped rows are joined and cut anew when the width changes,
 * and what is too much then leaves at the top.  All as tmux does it, except that rows
 * which left are gone: a screen that grows gets blank rows at its end.
 */
#include "term/internal.h"

#include "base/alloc.h"

/* A list of rows on its way from one width to another. */
struct reflow {
	struct grid_row *from, *to;
	int nfrom, nto, room;
	int cols;
	bool *gone; /* for each row of `from`: an earlier row has taken it in */
};

static struct grid_row
grid_row_new(int cols)
{
	return (struct grid_row){.cells = xcalloc((size_t)cols, sizeof(struct cell))};
}

static struct grid_row *
reflow_add(struct reflow *r)
{
	if (r->nto == r->room) {
		r->room = r->room * 2 + 16;
		r->to = xreallocarray(r->to, (size_t)r->room, sizeof(*r->to));
	}
	r->to[r->nto] = grid_row_new(r->cols);
	return &r->to[r->nto++];
}

/* Appends a cell.  Padding without its character can make a row of more cells than columns, and
 * is dropped. */
static void
grid_row_put(struct grid_row *row, const struct cell *c, int cols)
{
	if (row->used >= cols)
		return;
	row->cells[row->used++] = *c;
	row->extent = row->used;
	if (c->ch & CH_WIDE)
		row->flags |= ROW_WIDE;
}

static int
grid_row_width(const struct grid_row *row)
{
	int width = 0;

	for (int x = 0; x < row->used; x++)
		width += cell_width(&row->cells[x]);
	return width;
}

/*
 * Appends cells from the rows after y to the last new row, which has `width` columns taken,
 * until it is full or the line ends.
 */
static void
reflow_join(struct reflow *r, int y, int width)
{
	struct grid_row *to = &r->to[r->nto - 1], *from = NULL;
	bool wrapped = true;
	int taken = 0, want = 0;

	for (int next = y + 1; next < r->nfrom; next = y + 1 + taken) {
		struct grid_row *row = &r->from[next];

		if (!(row->flags & ROW_WRAPPED))
			wrapped = false;
		if (row->used == 0) {
			if (!wrapped)
				break;
			taken++;
			continue;
		}
		if (width + cell_width(&row->cells[0]) > r->cols)
			break;
		from = row;
		for (want = 0; want < row->used; want++) {
			int w = cell_width(&row->cells[want]);

			if (width + w > r->cols)
				break;
			width += w;
			grid_row_put(to, &row->cells[want], r->cols);
		}
		taken++;
		if (!wrapped || want != row->used || width == r->cols)
			break;
	}
	if (from == NULL)
		return;
	if (want < from->used) {
		int left = from->used - want;

		memmove(from->cells, from->cells + want, (size_t)left * sizeof(*from->cells));
		memset(from->cells + left, 0, (size_t)want * sizeof(*from->cells));
		from->used = (uint16_t)left;
		taken--;
	} else if (!wrapped) {
		to->flags &= (uint8_t)~ROW_WRAPPED;
	}
	for (int i = y + 1; i <= y + taken; i++)
		r->gone[i] = true;
}

/* Cuts a row of the old width into as many of the new one as it needs; returns the columns that
 * are taken in the last. */
static int
reflow_cut(struct reflow *r, const struct grid_row *row)
{
	struct grid_row *to = reflow_add(r);
	int width = 0;

	for (int x = 0; x < row->used; x++) {
		int w = cell_width(&row->cells[x]);

		if (width + w > r->cols) {
			to->flags |= ROW_WRAPPED;
			to = reflow_add(r);
			width = 0;
		}
		width += w;
		grid_row_put(to, &row->cells[x], r->cols);
	}
	to->flags |= row->flags & ROW_WRAPPED;
	return width;
}

static void
reflow_rows(struct reflow *r)
{
	for (int y = 0; y < r->nfrom; y++) {
		const struct grid_row *row = &r->from[y];
		int width = grid_row_width(row), last;

		if (r->gone[y])
			continue;
		last = reflow_cut(r, row);
		if (row->flags & ROW_WRAPPED && width != r->cols && last < r->cols)
			reflow_join(r, y, last);
	}
}

/* Where the cursor is, counted in whole lines; column -1 is "behind the text". */
static void
cursor_unwrapped(const struct reflow *r, int x, int y, int *wx, int *wy)
{
	int i;

	*wx = 0;
	*wy = 0;
	for (i = 0; i < y; i++) {
		if (r->from[i].flags & ROW_WRAPPED) {
			*wx += r->from[i].used;
		} else {
			*wx = 0;
			(*wy)++;
		}
	}
	*wx = x >= r->from[i].used ? -1 : *wx + x;
}

static void
cursor_wrapped(const struct reflow *r, int wx, int wy, int *x, int *y)
{
	int i = 0, line = 0;

	for (; i < r->nto - 1 && line < wy; i++) {
		if (!(r->to[i].flags & ROW_WRAPPED))
			line++;
	}
	for (; i < r->nto - 1 && r->to[i].flags & ROW_WRAPPED; i++) {
		if (wx >= 0 && wx < r->to[i].used)
			break;
		if (wx >= 0)
			wx -= r->to[i].used;
	}
	*x = wx < 0 ? r->to[i].used : wx;
	*y = i;
}

/* Takes the rows of a grid in order, without those below the cursor that a lower screen has no
 * room for, and adds blank ones up to the height of a higher screen. */
static void
reflow_rows_take(struct reflow *r, const struct grid *g, int rows, int cy)
{
	int excess = g->rows - rows, below = g->rows - 1 - cy, n = g->rows;

	if (excess > 0)
		n -= lesser(below, excess);
	r->nfrom = n > rows ? n : rows;
	r->from = xcalloc((size_t)r->nfrom, sizeof(*r->from));
	r->gone = xcalloc((size_t)r->nfrom, sizeof(*r->gone));
	for (int y = 0; y < n; y++)
		r->from[y] = *grid_row(g, y);
	if (n < g->rows)
		r->from[n - 1].flags &= (uint8_t)~ROW_WRAPPED;
}

static void
reflow_release(struct reflow *r)
{
	for (int y = 0; y < r->nto; y++)
		free(r->to[y].cells);
	free(r->to);
	free(r->from);
	free(r->gone);
}

/* Replaces the grid by one with these rows, in cells of its own. */
static void
reflow_rows_give(struct grid *g, const struct grid_row *list, int rows, int cols, int stride)
{
	struct grid new;

	grid_init(&new, rows, stride);
	new.cols = cols;
	for (int y = 0; y < rows; y++) {
		struct grid_row *row = &new.row[y];

		if (list[y].extent > 0)
			memcpy(row->cells, list[y].cells, list[y].extent * sizeof(*row->cells));
		row->used = list[y].used;
		row->extent = list[y].extent;
		row->flags = list[y].flags & (uint8_t)~ROW_HASHED;
	}
	grid_release(g);
	*g = new;
}

/* Without reflow, columns are cut from view only: a wider screen shows them again. */
static void
resize_cut(struct term *t, struct grid *g, int rows, int cols)
{
	struct reflow r = {.cols = cols};
	int first;

	reflow_rows_take(&r, g, rows, t->cy);
	first = r.nfrom - rows;
	reflow_rows_give(g, r.from + first, rows, cols, cols > g->stride ? cols : g->stride);
	t->cy -= first;
	reflow_release(&r);
}

static void
resize_reflow(struct term *t, struct grid *g, int rows, int cols)
{
	struct reflow r = {.cols = cols};
	int wx, wy, first;

	reflow_rows_take(&r, g, rows, t->cy);
	cursor_unwrapped(&r, t->cx, t->cy, &wx, &wy);
	reflow_rows(&r);
	while (r.nto < rows)
		reflow_add(&r);
	cursor_wrapped(&r, wx, wy, &t->cx, &t->cy);
	first = r.nto - rows;
	for (int y = 0; y < first; y++)
		screen_row_out(t, &r.to[y], cols);
	reflow_rows_give(g, r.to + first, rows, cols, cols);
	t->cy -= first;
	if (t->cy < 0) {
		t->cx = 0;
		t->cy = 0;
	}
	reflow_release(&r);
}

/* Gives out the rows that leave at the top of a screen whose width stays. */
static void
reflow_rows_out(struct term *t, const struct grid *g, int rows)
{
	for (int y = 0; y <= t->cy - rows; y++)
		screen_row_out(t, grid_row(g, y), g->cols);
}

void
resize_grid(struct term *t, struct grid *g, int rows, int cols, bool reflow)
{
	if (reflow && cols != g->cols) {
		resize_reflow(t, g, rows, cols);
	} else {
		if (reflow)
			reflow_rows_out(t, g, rows);
		resize_cut(t, g, rows, cols);
	}
	t->cx = lesser(t->cx, cols);
	clusters_grow(&t->clusters, rows * cols);
}
