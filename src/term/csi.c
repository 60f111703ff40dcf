/* Control sequences: one table from final and private bytes to functions. */
#include "term/internal.h"

/* `n` is the first parameter. */
typedef void csi_fn(struct term *t, int n);

static void
cursor_up(struct term *t, int n)
{
	int room = t->cy < t->top ? t->cy : t->cy - t->top;

	screen_cursor(t, t->cy - lesser(n, room), t->cx);
}

static void
cursor_down(struct term *t, int n)
{
	int room = (t->cy > t->bottom ? t->rows - 1 : t->bottom) - t->cy;

	screen_cursor(t, t->cy + lesser(n, room), t->cx);
}

static void
cursor_right(struct term *t, int n)
{
	screen_cursor(t, t->cy, t->cx + lesser(n, t->cols - 1 - t->cx));
}

static void
cursor_left(struct term *t, int n)
{
	screen_cursor(t, t->cy, t->cx - lesser(n, t->cx));
}

static void
cursor_next_line(struct term *t, int n)
{
	t->cx = 0;
	cursor_down(t, n);
}

static void
cursor_previous_line(struct term *t, int n)
{
	t->cx = 0;
	cursor_up(t, n);
}

/* A row as programs count them, which in origin mode is from the region's top. */
static int
csi_row_addressed(const struct term *t, int row)
{
	if (!(t->modes & TERM_MODE_ORIGIN))
		return row;
	return row > t->bottom - t->top ? t->bottom : row + t->top;
}

static void
cursor_position(struct term *t, int n)
{
	int col = parser_param(&t->parser, 1, 1, 1);

	if (col > 0)
		screen_cursor(t, csi_row_addressed(t, n - 1), col - 1);
}

static void
cursor_column(struct term *t, int n)
{
	screen_cursor(t, t->cy, n - 1);
}

static void
csi_cursor_row(struct term *t, int n)
{
	int col = t->cx;

	screen_cursor(t, csi_row_addressed(t, n - 1), t->cx);
	t->cx = col; /* a wrap that is due stays due */
}

static void
tab_back(struct term *t, int n)
{
	int x = lesser(t->cx, t->cols - 1);

	for (; x > 0 && n > 0; n--) {
		do {
			x--;
		} while (x > 0 && !t->tabs[x]);
	}
	t->cx = x;
}

static void
tab_clear(struct term *t, int n)
{
	if (n == 0 && t->cx < t->cols)
		t->tabs[t->cx] = 0;
	if (n == 3)
		memset(t->tabs, 0, (size_t)t->cols);
}

static void
insert_cells(struct term *t, int n)
{
	n = lesser(n, t->cols - t->cx);
	if (n > 0)
		screen_insert_cells(t, n, t->pen.style.bg);
}

static void
csi_repeat(struct term *t, int n)
{
	char c = (char)t->last;

	for (n = lesser(n, t->cols - t->cx); n > 0 && c != '\0'; n--)
		print_ascii(t, &c, &c + 1);
}

static void
set_region(struct term *t, int n)
{
	int bottom = parser_param(&t->parser, 1, 1, t->rows);

	if (bottom > 0)
		screen_region(t, n - 1, bottom - 1);
}

static void
save_cursor(struct term *t, int n UNUSED)
{
	cursor_keep(t, &t->saved);
}

static void
restore_cursor(struct term *t, int n UNUSED)
{
	cursor_restore(t, &t->saved);
}

static void
modes_switch(struct term *t, bool on)
{
	for (int i = 0; i < t->parser.nparams; i++) {
		int number = parser_param(&t->parser, i, 0, -1);

		if (number >= 0)
			mode_set(t, number, t->parser.nmarks > 0, on);
	}
}

static void
modes_set(struct term *t, int n UNUSED)
{
	modes_switch(t, true);
}

static void
modes_reset(struct term *t, int n UNUSED)
{
	modes_switch(t, false);
}

static void
mode_ask(struct term *t, int n)
{
	bool private = t->parser.marks[0] == '?';

	term_reply(t, "\033[%s%d;%d$y", private ? "?" : "", n, mode_report(t, n, private));
}

static void
attributes(struct term *t, int n)
{
	if (n == 0)
		term_reply(t, t->parser.nmarks > 0 ? "\033[>84;0;0c" : "\033[?1;2c");
}

static void
csi_status(struct term *t, int n)
{
	if (n == 5)
		term_reply(t, "\033[0n");
	if (n == 6)
		term_reply(t, "\033[%d;%dR", t->cy + 1, t->cx + 1);
}

static void
version(struct term *t, int n)
{
	if (n == 0)
		term_reply(t, "\033P>|ralph %s\033\\", RALPH_VERSION);
}

static void
keyboard_ask(struct term *t, int n UNUSED)
{
	term_reply(t, "\033[?0u");
}

/* The keyboard protocol: we send no such keys, but viewers' terminals see the request, too. */
static void
keyboard_push(struct term *t, int n UNUSED)
{
	t->keys_pushed = true;
}

/* DECSTR: like RIS, but the screen keeps its text and the cursor its place. */
static void
soft_reset(struct term *t, int n UNUSED)
{
	memset(&t->pen, 0, sizeof(t->pen));
	memset(&t->saved, 0, sizeof(t->saved));
	t->modes &= ~(unsigned)(TERM_MODE_APP_CURSOR | TERM_MODE_APP_KEYPAD |
				TERM_MODE_CURSOR_HIDDEN | TERM_MODE_INSERT | TERM_MODE_ORIGIN);
	t->modes |= TERM_MODE_WRAP;
	t->top = 0;
	t->bottom = t->rows - 1;
}

/* Of the window operations only the title stack and the size question. */
static void
csi_window(struct term *t, int n)
{
	int what = parser_param(&t->parser, 1, 0, 0);

	if (n == 18)
		term_reply(t, "\033[8;%d;%dt", t->rows, t->cols);
	if (n == 22 && (what == 0 || what == 2))
		title_push(t);
	if (n == 23 && (what == 0 || what == 2))
		title_pop(t);
}

/* The value that a missing or small first parameter counts as.  A sequence whose first
 * parameter is no plain number is ignored, unless the row says ANY. */
enum {
	COUNT = 1,  /* at least 1, and 1 when it is missing */
	CHOICE = 0, /* 0 when it is missing */
	ANY = -1,   /* -1 when it is missing or no plain number */
};

struct csi {
	csi_fn *fn;
	int least;
};

/* Without marks, by final byte from '@' on. */
static const struct csi plain[] = {
    ['@' - '@'] = {insert_cells, COUNT},
    ['A' - '@'] = {cursor_up, COUNT},
    ['B' - '@'] = {cursor_down, COUNT},
    ['C' - '@'] = {cursor_right, COUNT},
    ['D' - '@'] = {cursor_left, COUNT},
    ['E' - '@'] = {cursor_next_line, COUNT},
    ['F' - '@'] = {cursor_previous_line, COUNT},
    ['G' - '@'] = {cursor_column, COUNT},
    ['H' - '@'] = {cursor_position, COUNT},
    ['J' - '@'] = {screen_erase, CHOICE},
    ['K' - '@'] = {screen_erase_row, CHOICE},
    ['L' - '@'] = {screen_insert_rows, COUNT},
    ['M' - '@'] = {screen_delete_rows, COUNT},
    ['P' - '@'] = {screen_delete_cells, COUNT},
    ['S' - '@'] = {screen_scroll_up, COUNT},
    ['T' - '@'] = {screen_scroll_down, COUNT},
    ['X' - '@'] = {screen_erase_cells, COUNT},
    ['Z' - '@'] = {tab_back, COUNT},
    ['`' - '@'] = {cursor_column, COUNT},
    ['b' - '@'] = {csi_repeat, COUNT},
    ['c' - '@'] = {attributes, CHOICE},
    ['d' - '@'] = {csi_cursor_row, COUNT},
    ['f' - '@'] = {cursor_position, COUNT},
    ['g' - '@'] = {tab_clear, CHOICE},
    ['h' - '@'] = {modes_set, ANY},
    ['l' - '@'] = {modes_reset, ANY},
    ['m' - '@'] = {sgr_dispatch, ANY},
    ['n' - '@'] = {csi_status, CHOICE},
    ['r' - '@'] = {set_region, COUNT},
    ['s' - '@'] = {save_cursor, ANY},
    ['t' - '@'] = {csi_window, ANY},
    ['u' - '@'] = {restore_cursor, ANY},
};

static const struct {
	char marks[4];
	uint8_t final;
	struct csi csi;
} marked[] = {
    {"!", 'p', {soft_reset, ANY}},
    {"$", 'p', {mode_ask, CHOICE}},
    {">", 'c', {attributes, CHOICE}},
    {">", 'm', {keyboard_push, ANY}},
    {">", 'q', {version, CHOICE}},
    {">", 'u', {keyboard_push, ANY}},
    {"=", 'u', {keyboard_push, ANY}},
    {"?", 'h', {modes_set, ANY}},
    {"?", 'l', {modes_reset, ANY}},
    {"?", 'u', {keyboard_ask, ANY}},
    {"?$", 'p', {mode_ask, CHOICE}},
};

static const struct csi *
lookup(const struct parser *p, uint8_t final)
{
	size_t i = (size_t) final - '@';

	if (p->nmarks == 0)
		return i < ARRAY_LEN(plain) && plain[i].fn != NULL ? &plain[i] : NULL;
	for (i = 0; i < ARRAY_LEN(marked); i++) {
		if (marked[i].final == final && strcmp(marked[i].marks, p->marks) == 0)
			return &marked[i].csi;
	}
	return NULL;
}

void
csi_dispatch(struct term *t, uint8_t final)
{
	const struct csi *csi = lookup(&t->parser, final);
	int n;

	if (csi == NULL)
		return;
	n = parser_param(&t->parser, 0, csi->least, csi->least);
	if (n >= csi->least)
		csi->fn(t, n);
	t->last = 0;
}
