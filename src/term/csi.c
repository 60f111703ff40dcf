/* Control sequences: one table from final and private bytes to functions. */
#include "term/internal.h"

/* The count most sequences take; -1 when it is no plain number. */
static int
csi_count(const struct term *t)
{
	return param_get(&t->parser, 0, 1, 1);
}

static void
cursor_up(struct term *t)
{
	int n = csi_count(t), room = t->cy < t->top ? t->cy : t->cy - t->top;

	if (n > 0)
		screen_cursor(t, t->cy - (n < room ? n : room), t->cx);
}

static void
cursor_down(struct term *t)
{
	int n = csi_count(t);
	int room = (t->cy > t->bottom ? t->rows - 1 : t->bottom) - t->cy;

	if (n > 0)
		screen_cursor(t, t->cy + (n < room ? n : room), t->cx);
}

static void
cursor_right(struct term *t)
{
	int n = csi_count(t), room = t->cols - 1 - t->cx;

	if (n > 0)
		screen_cursor(t, t->cy, t->cx + (n < room ? n : room));
}

static void
cursor_left(struct term *t)
{
	int n = csi_count(t);

	if (n > 0)
		screen_cursor(t, t->cy, n < t->cx ? t->cx - n : 0);
}

static void
cursor_next_line(struct term *t)
{
	if (csi_count(t) > 0) {
		t->cx = 0;
		cursor_down(t);
	}
}

static void
cursor_previous_line(struct term *t)
{
	if (csi_count(t) > 0) {
		t->cx = 0;
		cursor_up(t);
	}
}

/* A row as programs count them, which in origin mode is from the region's top. */
static int
row_addressed(const struct term *t, int row)
{
	if (!(t->modes & TERM_MODE_ORIGIN))
		return row;
	return row > t->bottom - t->top ? t->bottom : row + t->top;
}

static void
cursor_position(struct term *t)
{
	int row = param_get(&t->parser, 0, 1, 1), col = param_get(&t->parser, 1, 1, 1);

	if (row > 0 && col > 0)
		screen_cursor(t, row_addressed(t, row - 1), col - 1);
}

static void
cursor_column(struct term *t)
{
	int n = csi_count(t);

	if (n > 0)
		screen_cursor(t, t->cy, n - 1);
}

static void
csi_cursor_row(struct term *t)
{
	int n = csi_count(t), col = t->cx;

	if (n > 0) {
		screen_cursor(t, row_addressed(t, n - 1), t->cx);
		t->cx = col; /* a wrap that is due stays due */
	}
}

static void
tab_back(struct term *t)
{
	int n = csi_count(t), x = t->cx < t->cols ? t->cx : t->cols - 1;

	for (; x > 0 && n > 0; n--) {
		do {
			x--;
		} while (x > 0 && !t->tabs[x]);
	}
	if (n >= 0)
		t->cx = x;
}

static void
tab_clear(struct term *t)
{
	switch (param_get(&t->parser, 0, 0, 0)) {
	case 0:
		if (t->cx < t->cols)
			t->tabs[t->cx] = 0;
		break;
	case 3:
		memset(t->tabs, 0, (size_t)t->cols);
		break;
	default:
		break;
	}
}

static void
insert_cells(struct term *t)
{
	int n = csi_count(t), room = t->cols - t->cx;

	if (n > room)
		n = room;
	if (n > 0)
		screen_insert_cells(t, n, t->pen.style.bg);
}

static void
delete_cells(struct term *t)
{
	if (csi_count(t) > 0)
		screen_delete_cells(t, csi_count(t));
}

static void
erase_cells(struct term *t)
{
	if (csi_count(t) > 0)
		screen_erase_cells(t, csi_count(t));
}

static void
insert_rows(struct term *t)
{
	if (csi_count(t) > 0)
		screen_insert_rows(t, csi_count(t));
}

static void
delete_rows(struct term *t)
{
	if (csi_count(t) > 0)
		screen_delete_rows(t, csi_count(t));
}

static void
scroll_up(struct term *t)
{
	if (csi_count(t) > 0)
		screen_scroll_up(t, csi_count(t));
}

static void
scroll_down(struct term *t)
{
	if (csi_count(t) > 0)
		screen_scroll_down(t, csi_count(t));
}

static void
erase_screen(struct term *t)
{
	int how = param_get(&t->parser, 0, 0, 0);

	if (how >= 0 && how <= 2)
		screen_erase(t, how);
}

static void
erase_row(struct term *t)
{
	int how = param_get(&t->parser, 0, 0, 0);

	if (how >= 0 && how <= 2)
		screen_erase_row(t, how);
}

static void
csi_repeat(struct term *t)
{
	int n = csi_count(t), room = t->cols - t->cx;
	char c = (char)t->last;

	if (t->last == 0)
		return;
	for (; n > 0 && room > 0; n--, room--)
		print_ascii(t, &c, &c + 1);
}

static void
set_region(struct term *t)
{
	int top = param_get(&t->parser, 0, 1, 1);
	int bottom = param_get(&t->parser, 1, 1, t->rows);

	if (top > 0 && bottom > 0)
		screen_region(t, top - 1, bottom - 1);
}

static void
save_cursor(struct term *t)
{
	cursor_keep(t, &t->saved);
}

static void
restore_cursor(struct term *t)
{
	cursor_restore(t, &t->saved);
}

static void
modes(struct term *t, bool private, bool on)
{
	for (int i = 0; i < t->parser.nparams; i++) {
		int number = param_get(&t->parser, i, 0, -1);

		if (number >= 0)
			mode_set(t, number, private, on);
	}
}

static void
modes_set(struct term *t)
{
	modes(t, false, true);
}

static void
modes_reset(struct term *t)
{
	modes(t, false, false);
}

static void
modes_set_private(struct term *t)
{
	modes(t, true, true);
}

static void
modes_reset_private(struct term *t)
{
	modes(t, true, false);
}

static void
mode_ask(struct term *t)
{
	int number = param_get(&t->parser, 0, 0, 0);

	if (number >= 0)
		term_reply(t, "\033[%d;%d$y", number, mode_report(t, number, false));
}

static void
mode_ask_private(struct term *t)
{
	int number = param_get(&t->parser, 0, 0, 0);

	if (number >= 0)
		term_reply(t, "\033[?%d;%d$y", number, mode_report(t, number, true));
}

static void
attributes(struct term *t)
{
	if (param_get(&t->parser, 0, 0, 0) == 0)
		term_reply(t, "\033[?1;2c");
}

static void
attributes_secondary(struct term *t)
{
	if (param_get(&t->parser, 0, 0, 0) == 0)
		term_reply(t, "\033[>84;0;0c");
}

static void
csi_status(struct term *t)
{
	switch (param_get(&t->parser, 0, 0, 0)) {
	case 5:
		term_reply(t, "\033[0n");
		break;
	case 6:
		term_reply(t, "\033[%d;%dR", t->cy + 1, t->cx + 1);
		break;
	default:
		break;
	}
}

static void
version(struct term *t)
{
	if (param_get(&t->parser, 0, 0, 0) == 0)
		term_reply(t, "\033P>|ralph %s\033\\", RALPH_VERSION);
}

static void
keyboard_ask(struct term *t)
{
	term_reply(t, "\033[?0u");
}

/* We send no such keys, but viewers' terminals see the request too. */
static void
keyboard_push(struct term *t)
{
	t->keys_pushed = true;
}

/* DECSTR: like RIS, but the screen keeps its text and the cursor its place. */
static void
soft_reset(struct term *t)
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
csi_window(struct term *t)
{
	int what = param_get(&t->parser, 1, 0, 0);

	switch (param_get(&t->parser, 0, 0, -1)) {
	case 18:
		term_reply(t, "\033[8;%d;%dt", t->rows, t->cols);
		break;
	case 22:
		if (what == 0 || what == 2)
			title_push(t);
		break;
	case 23:
		if (what == 0 || what == 2)
			title_pop(t);
		break;
	default:
		break;
	}
}

typedef void csi_fn(struct term *t);

/* Without marks, by final byte from '@' on. */
static csi_fn *const plain[] = {
    ['@' - '@'] = insert_cells,
    ['A' - '@'] = cursor_up,
    ['B' - '@'] = cursor_down,
    ['C' - '@'] = cursor_right,
    ['D' - '@'] = cursor_left,
    ['E' - '@'] = cursor_next_line,
    ['F' - '@'] = cursor_previous_line,
    ['G' - '@'] = cursor_column,
    ['H' - '@'] = cursor_position,
    ['J' - '@'] = erase_screen,
    ['K' - '@'] = erase_row,
    ['L' - '@'] = insert_rows,
    ['M' - '@'] = delete_rows,
    ['P' - '@'] = delete_cells,
    ['S' - '@'] = scroll_up,
    ['T' - '@'] = scroll_down,
    ['X' - '@'] = erase_cells,
    ['Z' - '@'] = tab_back,
    ['`' - '@'] = cursor_column,
    ['b' - '@'] = csi_repeat,
    ['c' - '@'] = attributes,
    ['d' - '@'] = csi_cursor_row,
    ['f' - '@'] = cursor_position,
    ['g' - '@'] = tab_clear,
    ['h' - '@'] = modes_set,
    ['l' - '@'] = modes_reset,
    ['m' - '@'] = sgr_dispatch,
    ['n' - '@'] = csi_status,
    ['r' - '@'] = set_region,
    ['s' - '@'] = save_cursor,
    ['t' - '@'] = csi_window,
    ['u' - '@'] = restore_cursor,
};

static const struct {
	char marks[4];
	uint8_t final;
	csi_fn *fn;
} marked[] = {
    {"!", 'p', soft_reset},
    {"$", 'p', mode_ask},
    {">", 'c', attributes_secondary},
    {">", 'm', keyboard_push},
    {">", 'q', version},
    {">", 'u', keyboard_push},
    {"=", 'u', keyboard_push},
    {"?", 'h', modes_set_private},
    {"?", 'l', modes_reset_private},
    {"?", 'u', keyboard_ask},
    {"?$", 'p', mode_ask_private},
};

static csi_fn *
lookup(const struct parser *p, uint8_t final)
{
	size_t i = (size_t) final - '@';

	if (p->nmarks == 0)
		return i < ARRAY_LEN(plain) ? plain[i] : NULL;
	for (i = 0; i < ARRAY_LEN(marked); i++) {
		if (marked[i].final == final && strcmp(marked[i].marks, p->marks) == 0)
			return marked[i].fn;
	}
	return NULL;
}

void
csi_dispatch(struct term *t, uint8_t final)
{
	csi_fn *fn = lookup(&t->parser, final);

	if (fn == NULL)
		return;
	fn(t);
	t->last = 0;
}
