/* Characters onto the screen: wrapping, wide and combining ones. */
#include "term/internal.h"

enum { ZERO_WIDTH_JOINER = 0x200d };

static void
wrap(struct term *t)
{
	screen_line_feed(t, true, 0);
	t->cx = 0;
}

static void
cell_blank(struct grid_row *row, int x)
{
	memset(&row->cells[x], 0, sizeof(row->cells[x]));
}

static void
grid_row_written(struct grid_row *row, int end)
{
	row->flags &= (uint8_t)~ROW_HASHED;
	if (end > row->used)
		row->used = (uint16_t)end;
	if (end > row->extent)
		row->extent = (uint16_t)end;
}

/* Blanks a wide character that begins before x, whose second half will be overwritten; one
 * in the first column stays, as in tmux. */
static void
blank_before(struct grid_row *row, int x)
{
	while (x > 0 && row->cells[x].ch & CH_PADDING)
		cell_blank(row, x--);
	if (x > 0 && row->cells[x].ch & CH_WIDE)
		cell_blank(row, x);
}

/* Blanks the padding of a character that was overwritten. */
static void
blank_after(struct grid_row *row, int x, int cols)
{
	while (x < cols && row->cells[x].ch & CH_PADDING)
		cell_blank(row, x++);
}

static void
run_store(struct term *t, const char *p, int n)
{
	struct grid_row *row = grid_row(t->grid, t->cy);
	struct cell *cell = &row->cells[t->cx];
	struct style style = t->pen.style;

	if (row->flags & ROW_WIDE && t->cx > 0)
		blank_before(row, t->cx);
	for (int i = 0; i < n; i++) {
		cell[i].ch = (uint8_t)p[i];
		cell[i].style = style;
	}
	t->cx += n;
	grid_row_written(row, t->cx);
	if (row->flags & ROW_WIDE)
		blank_after(row, t->cx, t->cols);
}

/* Hangs a zero-width character on the one before the cursor. */
static void
combine(struct term *t, uint32_t cp)
{
	struct grid_row *row = grid_row(t->grid, t->cy);
	int x = t->cx - 1;

	while (x >= 0 && row->cells[x].ch & CH_PADDING)
		x--;
	if (x < 0 || !cluster_append(t, &row->cells[x], cp))
		return;
	grid_row_written(row, x + 1);
}

/* Stores a character of one or two columns over whatever was there. */
static void
cell_store(struct term *t, uint32_t ch, int width)
{
	struct grid_row *row = grid_row(t->grid, t->cy);
	struct cell *cell = &row->cells[t->cx];
	bool was_padding = cell->ch & CH_PADDING, was_wide = cell->ch & CH_WIDE;

	if (was_padding) {
		int x = t->cx;

		while (x > 0 && row->cells[x].ch & CH_PADDING)
			cell_blank(row, x--);
		cell_blank(row, x);
	}
	if (width != 1 || was_wide || was_padding)
		blank_after(row, t->cx + width, t->cols);
	cell->ch = ch;
	cell->style = t->pen.style;
	cell->style.drawing = t->pen.drawing[t->pen.shifted] && ch < 0x80;
	if (width == 2) {
		cell->ch |= CH_WIDE;
		cell[1] = (struct cell){.ch = CH_PADDING};
		row->flags |= ROW_WIDE;
	}
	grid_row_written(row, t->cx + width);
}

/* A joiner waits for the character it joins to whatever is before the cursor by then;
 * what it joins takes no columns of its own. */
static void
print_char(struct term *t, uint32_t cp, int width)
{
	bool wraps = t->modes & TERM_MODE_WRAP;

	if (cp == ZERO_WIDTH_JOINER) {
		t->joiner = true;
		return;
	}
	if (t->joiner || width == 0) {
		if (t->joiner)
			combine(t, ZERO_WIDTH_JOINER);
		t->joiner = false;
		combine(t, cp);
		return;
	}
	if (!wraps && width > 1 && t->cx != t->cols && t->cx > t->cols - width)
		return;
	if (t->modes & TERM_MODE_INSERT)
		screen_insert_cells(t, width, 0);
	if (wraps && t->cx > t->cols - width)
		wrap(t);
	if (t->cx > t->cols - width)
		return;
	cell_store(t, cp, width);
	t->cx += width;
	if (!wraps && t->cx > t->cols - 1)
		t->cx = t->cols - 1;
}

static bool
print_is_plain(const struct term *t)
{
	return (t->modes & (TERM_MODE_WRAP | TERM_MODE_INSERT)) == TERM_MODE_WRAP &&
	       !t->pen.drawing[t->pen.shifted];
}

static inline bool
is_printable(char c)
{
	return (uint8_t)(c - 0x20) < 0x5f;
}

/* Prints the run of printable ASCII at p (there is at least one); returns its end. */
const char *
print_ascii(struct term *t, const char *p, const char *end)
{
	t->parser.utf8_need = 0;
	while (p < end && is_printable(*p)) {
		const char *start = p;

		if (!print_is_plain(t)) {
			print_char(t, (uint8_t)*p++, 1);
			continue;
		}
		if (t->cx >= t->cols)
			wrap(t);
		if (end - p > t->cols - t->cx)
			p += t->cols - t->cx;
		else
			p = end;
		for (const char *q = start; q < p; q++) {
			if (!is_printable(*q))
				p = q;
		}
		run_store(t, start, (int)(p - start));
	}
	t->last = (uint8_t)p[-1];
	return p;
}

static uint32_t
utf8_value(const struct parser *p)
{
	uint32_t cp = (uint8_t)p->utf8[0] & (0x7f >> p->utf8_need);

	for (int i = 1; i < p->utf8_need; i++) {
		uint8_t byte = (uint8_t)p->utf8[i];

		if ((byte & 0xc0) != 0x80)
			return 0;
		cp = cp << 6 | (byte & 0x3f);
	}
	if (p->utf8_need == 3 && (cp < 0x800 || (cp >= 0xd800 && cp < 0xe000)))
		return 0;
	if (p->utf8_need == 4 && (cp < 0x10000 || cp > 0x10ffff))
		return 0;
	return cp;
}

/*
 * A byte above 0x7f.  Like tmux: the first byte says how many follow; any such
 * bytes are taken, and what is not a character in the end is dropped.  C1
 * controls are dropped too, also in their two-byte form.
 */
void
print_utf8(struct term *t, uint8_t byte)
{
	struct parser *p = &t->parser;
	uint32_t cp;

	t->last = 0;
	if (p->utf8_need == 0) {
		if (byte < 0xc2 || byte > 0xf4)
			return;
		p->utf8_need = byte < 0xe0 ? 2 : byte < 0xf0 ? 3 : 4;
		p->utf8[0] = (char)byte;
		p->utf8_have = 1;
		return;
	}
	p->utf8[p->utf8_have++] = (char)byte;
	if (p->utf8_have < p->utf8_need)
		return;
	cp = utf8_value(p);
	p->utf8_need = 0;
	if (cp >= 0xa0)
		print_char(t, cp, char_width(cp));
}
