#include "watch/done.h"

#include "base/alloc.h"
#include "watch/echo.h"
#include "watch/pattern.h"
#include "watch/row.h"
#include "watch/typed.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define KEPT (DONE_JOIN_MAX - 1) /* rows that left the screen and may be joined */
#define MATCHES_MAX 16		 /* in one line; further ones are not looked at */

/*
 * A row of the last screen that repeated the prompt, with the rows around it.  Where it moves
 * to it still does, even when the beginning of the repetition is out of sight by then.
 */
struct memory {
	uint64_t row, before, after;
	bool found; /* again, in what came since */
};

struct memories {
	struct memory *list;
	size_t count, cap;
};

struct rows {
	struct buf text;
	struct row *list;
	size_t count, cap;
};

struct done {
	struct pattern *pattern;
	bool anchored; /* bullets and frames at the edges could be in its way */
	bool off;
	struct buf matched;
	bool yes;

	struct echo *prompt;
	struct typed *typed;

	size_t width;	   /* of the last screen; 0: not known yet */
	struct rows left;  /* the last rows that left the screen */
	struct rows shown; /* those, then the screen's */
	uint64_t screen;   /* hash of the last one; 0: look again whatever it is */
	uint64_t *seen;	   /* by row: hash of the line that was searched there in vain */
	size_t seen_count;
	struct memories memories; /* of the last screen */
	struct memories latest;	  /* of the screen being looked at */

	struct buf line; /* joined rows */
};

/* The rows that form one line together, as far as they are looked at. */
struct window {
	const char *text;
	size_t len;
	size_t from; /* where the first row's text begins without its bullet and frame */
	size_t begin[DONE_JOIN_MAX]; /* where each row's text begins in it */
	size_t rows;
};

static void
rows_add(struct rows *rows, const char *text, size_t len, bool wrapped)
{
	if (rows->count == rows->cap) {
		rows->cap = rows->cap ? rows->cap * 2 : 64;
		rows->list = xreallocarray(rows->list, rows->cap, sizeof(*rows->list));
	}
	rows->list[rows->count++] = row_add(&rows->text, text, len, wrapped);
}

static void
rows_clear(struct rows *rows)
{
	buf_clear(&rows->text);
	rows->count = 0;
}

static void
rows_drop_first(struct rows *rows)
{
	size_t gone = rows->count > 1 ? rows->list[1].at : rows->text.len;

	buf_drop(&rows->text, gone);
	rows->count--;
	memmove(rows->list, rows->list + 1, rows->count * sizeof(*rows->list));
	for (size_t i = 0; i < rows->count; i++)
		rows->list[i].at -= gone;
}

static void
rows_release(struct rows *rows)
{
	buf_release(&rows->text);
	free(rows->list);
}

struct done *
done_new(const char *pattern, const char *prompt, size_t prompt_len, struct err *err)
{
	struct pattern *p = pattern_new(pattern, err);
	struct done *d;

	if (!p) {
		err_prefix(err, "done pattern");
		return NULL;
	}
	d = xcalloc(1, sizeof(*d));
	d->pattern = p;
	d->anchored =
	    strpbrk(pattern, "^$") || strstr(pattern, "\\A") || strstr(pattern, "\\Z");
	d->prompt = echo_new(prompt, prompt_len);
	d->typed = typed_new();
	buf_init(&d->matched);
	buf_init(&d->left.text);
	buf_init(&d->shown.text);
	buf_init(&d->line);
	return d;
}

void
done_free(struct done *d)
{
	if (!d)
		return;
	pattern_free(d->pattern);
	echo_free(d->prompt);
	typed_free(d->typed);
	buf_release(&d->matched);
	rows_release(&d->left);
	rows_release(&d->shown);
	free(d->seen);
	free(d->memories.list);
	free(d->latest.list);
	buf_release(&d->line);
	free(d);
}

const char *
done_text(const struct done *d)
{
	return d->matched.data;
}

/*
 * Searching.
 */

static bool
repeats(struct done *d, const char *text, size_t len)
{
	bool typed = typed_line(d->typed, text, len);

	return echo_line(d->prompt, text, len) || typed;
}

/* A busy machine makes any search look slow for once: it is believed the second time. */
static enum pattern_result
search(struct done *d, const char *text, size_t len, size_t *start, size_t *end)
{
	enum pattern_result r = pattern_search(d->pattern, text, len, start, end);

	return r == PATTERN_EXPENSIVE ? pattern_search(d->pattern, text, len, start, end) : r;
}

static enum done_result
found(struct done *d, const char *text, size_t len)
{
	buf_clear(&d->matched);
	buf_add(&d->matched, text, len);
	d->yes = true;
	return DONE_YES;
}

/* Is a match at [start, end), found in [from, to) of the window, none of the agent's doing? */
static bool
is_ours(
    struct done *d, const struct window *w, size_t from, size_t to, size_t start, size_t end)
{
	const char *text = w->text + from;

	return echo_contains(d->prompt, w->text, w->len, start, end) ||
	       echo_contains(d->prompt, text, to - from, start - from, end - from) ||
	       typed_contains(d->typed, w->text, w->len, start, end) ||
	       typed_contains(d->typed, text, to - from, start - from, end - from);
}

/*
 * Searches [from, to) of the window for a match of the agent's that ends at `judged` or later.
 * Behind another one an anchored pattern would begin anew where no line does.
 */
static enum done_result
search_window(struct done *d, const struct window *w, size_t from, size_t to, size_t judged)
{
	for (int i = 0; i < MATCHES_MAX && from <= to; i++) {
		size_t start = 0, end = 0;
		enum pattern_result r = search(d, w->text + from, to - from, &start, &end);

		if (r == PATTERN_NO_MATCH)
			return DONE_NO;
		if (r == PATTERN_EXPENSIVE) {
			d->off = true;
			return DONE_EXPENSIVE;
		}
		start += from;
		end += from;
		if (end >= judged && !is_ours(d, w, from, to, start, end))
			return found(d, w->text + start, end - start);
		if (d->anchored || end == start)
			return DONE_NO;
		from = end;
	}
	return DONE_NO;
}

/* The line that ends with row i, as far back as it was broken by force. */
static struct window
window_of(struct done *d, const struct rows *rows, size_t i)
{
	size_t first = i;
	struct window w = {.rows = 1};

	while (first > 0 && i - first < KEPT && !rows->list[first - 1].echo &&
	       row_goes_on(&rows->list[first - 1], &rows->list[first], d->width))
		first--;
	w.from = rows->list[first].from;
	w.text = rows->text.data + rows->list[first].at;
	w.len = rows->list[first].len;
	if (first == i)
		return w;
	buf_clear(&d->line);
	buf_add(&d->line, w.text, w.len);
	for (size_t k = first + 1; k <= i; k++)
		w.begin[w.rows++] = row_join(
		    &d->line, &rows->list[k - 1], &rows->list[k], &rows->text, d->width);
	w.text = d->line.data;
	w.len = d->line.len;
	return w;
}

/* Searches the window's last row, alone and with those before it. */
static enum done_result
search_row(struct done *d, const struct window *w, const struct row *row)
{
	size_t last = w->begin[w->rows - 1];
	size_t trimmed = w->len - (row->len - row->to);

	for (size_t k = w->rows; k-- > 0;) {
		size_t from = w->begin[k], bare = k == 0 ? w->from : from;
		enum done_result r;

		/* Without anchors the longest line has what the others have. */
		if (!d->anchored && k > 0 && k < w->rows - 1)
			continue;
		r = search_window(d, w, from, w->len, last);
		if (r == DONE_NO && d->anchored && (bare > from || trimmed < w->len))
			r = search_window(d, w, bare, trimmed, last);
		if (r != DONE_NO)
			return r;
	}
	return DONE_NO;
}

/*
 * Rows that were seen before.
 */

static void
memories_add(struct memories *m, struct memory memory)
{
	if (m->count == m->cap) {
		m->cap = m->cap ? m->cap * 2 : 64;
		m->list = xreallocarray(m->list, m->cap, sizeof(*m->list));
	}
	m->list[m->count++] = memory;
}

/* The hash of the nearest row with text in the given direction; 0 when there is none. */
static uint64_t
neighbour(const struct rows *rows, size_t i, bool down)
{
	while (down ? ++i < rows->count : i-- > 0)
		if (rows->list[i].len > 0)
			return rows->list[i].hash;
	return 0;
}

/*
 * Was this row on the last screen, repeating the prompt?  Each is found once.  Of the topmost
 * row of a screen nobody knows what is above it; it is known by what follows.
 */
static bool
remembered(struct done *d, const struct memory *row, bool topmost)
{
	for (size_t i = 0; i < d->memories.count; i++) {
		struct memory *m = &d->memories.list[i];

		if (m->found || m->row != row->row)
			continue;
		if ((m->before == row->before && (m->before || !topmost)) ||
		    (topmost && m->after && m->after == row->after)) {
			m->found = true;
			return true;
		}
	}
	return false;
}

/*
 * What comes in.
 */

static enum done_result
settled(const struct done *d)
{
	return d->yes ? DONE_YES : DONE_NO;
}

enum done_result
done_line(struct done *d, const char *line, size_t len)
{
	struct window w = {.text = line, .len = len, .rows = 1};

	if (d->yes || d->off || repeats(d, line, len))
		return settled(d);
	return search_window(d, &w, 0, len, 0);
}

enum done_result
done_row(struct done *d, const char *text, size_t len, bool wrapped)
{
	enum done_result r = DONE_NO;
	struct row *row;
	size_t i;

	if (d->yes || d->off)
		return settled(d);
	rows_add(&d->left, text, len, wrapped);
	i = d->left.count - 1;
	row = &d->left.list[i];
	row->echo = repeats(d, text, len);
	if (len > 0) {
		struct memory m = {row->hash, neighbour(&d->left, i, false), 0, false};

		row->echo |= remembered(d, &m, false);
	}
	if (len > 0 && !row->echo) {
		struct window w = window_of(d, &d->left, i);

		r = search_row(d, &w, row);
	}
	if (d->left.count > KEPT)
		rows_drop_first(&d->left);
	d->screen = 0;
	return r;
}

/* Reads the screen behind the rows that left it; false when nothing is new. */
static bool
screen_read(
    struct done *d, int rows, bool (*row)(void *ctx, int row, struct buf *out), void *ctx)
{
	const struct rows *left = &d->left;
	struct rows *shown = &d->shown;
	uint64_t screen = d->width + 1;
	AUTO_BUF text = BUF_INIT;

	rows_clear(shown);
	for (size_t i = 0; i < left->count; i++) {
		const struct row *r = &left->list[i];

		rows_add(shown, left->text.data + r->at, r->len, r->wrapped);
		shown->list[i].echo = r->echo;
	}
	for (int i = 0; i < rows; i++) {
		uint64_t both[2] = {screen, 0};
		bool wrapped;

		buf_clear(&text);
		wrapped = row(ctx, i, &text);
		rows_add(shown, text.data, text.len, wrapped);
		both[1] = shown->list[shown->count - 1].hash + wrapped;
		screen = XXH3_64bits(both, sizeof(both));
	}
	if (screen == d->screen)
		return false;
	d->screen = screen;
	return true;
}

/* Marks the rows that repeat the prompt; the repetition of those that left goes on. */
static void
screen_mark(struct done *d)
{
	struct rows *shown = &d->shown;
	struct echo_place prompt = echo_place(d->prompt), typed = typed_place(d->typed);
	struct memories old;
	bool topmost = true;

	d->latest.count = 0;
	for (size_t i = d->left.count; i < shown->count; i++) {
		struct row *row = &shown->list[i];
		struct memory m = {row->hash, 0, 0, false};

		if (row->len == 0)
			continue;
		m.before = neighbour(shown, i, false);
		m.after = neighbour(shown, i, true);
		row->echo = repeats(d, shown->text.data + row->at, row->len);
		row->echo |= remembered(d, &m, topmost);
		if (row->echo)
			memories_add(&d->latest, m);
		topmost = false;
	}
	echo_return(d->prompt, prompt);
	typed_return(d->typed, typed);
	old = d->memories;
	d->memories = d->latest;
	d->latest = old;
}

static enum done_result
screen_search(struct done *d)
{
	size_t rows = d->shown.count - d->left.count;

	if (rows != d->seen_count) {
		free(d->seen);
		d->seen = xcalloc(rows + 1, sizeof(*d->seen));
		d->seen_count = rows;
	}
	for (size_t i = 0; i < rows; i++) {
		const struct row *row = &d->shown.list[d->left.count + i];
		struct window w;
		enum done_result r;
		uint64_t hash;

		if (row->len == 0 || row->echo)
			continue;
		w = window_of(d, &d->shown, d->left.count + i);
		hash = XXH3_64bits_withSeed(w.text, w.len, w.rows);
		if (hash == d->seen[i])
			continue;
		r = search_row(d, &w, row);
		if (r != DONE_NO)
			return r;
		d->seen[i] = hash;
	}
	return DONE_NO;
}

enum done_result
done_screen(struct done *d, int rows, int width,
    bool (*row)(void *ctx, int row, struct buf *out), void *ctx)
{
	if (d->yes || d->off)
		return settled(d);
	d->width = width > 0 ? (size_t)width : 0;
	if (!screen_read(d, rows, row, ctx))
		return DONE_NO;
	screen_mark(d);
	return screen_search(d);
}

void
done_typed(struct done *d, const char *text, size_t len)
{
	typed_add(d->typed, text, len);
	d->screen = 0;
}
