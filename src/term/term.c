/* The life of a terminal, and the questions that callers may ask. */
#include "term/term.h"

#include "base/alloc.h"
#include "term/internal.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static int
term_clamp(int n, int min, int max)
{
	return n < min ? min : n > max ? max : n;
}

/* Resizes the parts besides the grids that depend on the size. */
static void
sized_parts(struct term *t)
{
	t->tabs = xreallocarray(t->tabs, (size_t)t->cols, 1);
	buf_clear(&t->text);
	buf_reserve(&t->text, (size_t)t->cols * CLUSTER_BYTES);
}

struct term *
term_new(int rows, int cols, const struct term_callbacks *cb)
{
	struct term *t = xcalloc(1, sizeof(*t));

	t->cb = *cb;
	t->rows = term_clamp(rows, 1, TERM_ROWS_MAX);
	t->cols = term_clamp(cols, 2, TERM_COLS_MAX);
	grid_init(&t->main, t->rows, t->cols);
	grid_init(&t->alt, t->rows, t->cols);
	t->grid = &t->main;
	clusters_grow(&t->clusters, t->rows * t->cols);
	buf_init(&t->text);
	buf_init(&t->parser.osc);
	sized_parts(t);
	screen_reset(t);
	return t;
}

void
term_free(struct term *t)
{
	if (t == NULL)
		return;
	buf_release(&t->parser.osc);
	buf_release(&t->text);
	clusters_release(&t->clusters);
	grid_release(&t->alt);
	grid_release(&t->main);
	free(t->tabs);
	free(t);
}

void
term_resize(struct term *t, int rows, int cols)
{
	bool cols_changed;

	rows = term_clamp(rows, 1, TERM_ROWS_MAX);
	cols = term_clamp(cols, 2, TERM_COLS_MAX);
	if (rows == t->rows && cols == t->cols)
		return;
	cols_changed = cols != t->cols;
	resize_grid(t, t->grid, rows, cols, t->grid == &t->main);
	if (t->grid == &t->main) {
		grid_release(&t->alt);
		grid_init(&t->alt, rows, cols);
	}
	t->cols = cols;
	if (rows != t->rows) {
		t->rows = rows;
		t->top = 0;
		t->bottom = rows - 1;
	}
	sized_parts(t);
	if (cols_changed)
		screen_tabs_reset(t);
}

int
term_rows(const struct term *t)
{
	return t->rows;
}

int
term_cols(const struct term *t)
{
	return t->cols;
}

unsigned
term_modes(const struct term *t)
{
	return t->modes | (t->grid == &t->alt ? TERM_MODE_ALT_SCREEN : 0);
}

void
term_cursor(const struct term *t, int *row, int *col)
{
	*row = t->cy;
	*col = t->cx;
}

bool
term_row_text(const struct term *t, int row, struct buf *out)
{
	const struct grid_row *r;

	if (row < 0 || row >= t->rows)
		return false;
	r = grid_row(t->grid, row);
	grid_row_text(t, r, t->cols, out);
	return r->flags & ROW_WRAPPED;
}

void
term_text(const struct term *t, struct buf *out)
{
	for (int y = 0; y < t->rows; y++) {
		term_row_text(t, y, out);
		buf_addc(out, '\n');
	}
}

uint64_t
term_text_hash(struct term *t)
{
	XXH64_state_t state;
	AUTO_BUF text = BUF_INIT;

	XXH64_reset(&state, 0);
	for (int y = 0; y < t->rows; y++) {
		struct grid_row *row = grid_row(t->grid, y);

		if (!(row->flags & ROW_HASHED)) {
			buf_clear(&text);
			grid_row_text(t, row, t->cols, &text);
			row->hash = XXH3_64bits(text.data, text.len);
			row->flags |= ROW_HASHED;
		}
		XXH64_update(&state, &row->hash, sizeof(row->hash));
	}
	return XXH64_digest(&state);
}

bool
term_is_painting(const struct term *t)
{
	return t->painting;
}
