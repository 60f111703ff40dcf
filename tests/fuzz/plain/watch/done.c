#include "watch/done.h"

#include "base/alloc.h"
#include "watch/page.h"
#include "watch/pattern.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define KEPT (DONE_JOIN_MAX - 1) /* rows that left the screen and may be joined */
#define MATCHES_MAX 16		 /* in one line; further ones are not looked at */

struct done {
	struct pattern *pattern;
	bool anchored; /* the pattern has anchors: bullets and frames could be in the way */
	bool off;
	struct buf matched;
	bool yes;

	struct page page;
	uint64_t *seen; /* by row: hash of the line that was searched there in vain */
	size_t seen_count;
	struct buf line; /* joined rows */
};

/* The rows that form one line together, as far as they are looked at. */
struct window {
	const char *text;
	size_t len;
	size_t from; /* where the first row's text begins without its bullet and frame */
	size_t begin[DONE_JOIN_MAX]; /* where each row's text begins in `text` */
	size_t rows;
};

struct done *
done_new(const char *pattern, const char *prompt, size_t prompt_len, struct err *err)
{
	struct pattern *p = pattern_new(pattern, err);
	struct done *d;

	if (p == NULL) {
		err_prefix(err, "done pattern");
		return NULL;
	}
	d = xcalloc(1, sizeof(*d));
	d->pattern = p;
	d->anchored = strpbrk(pattern, "^$") != NULL || strstr(pattern, "\\A") != NULL ||
		      strstr(pattern, "\\Z") != NULL;
	page_init(&d->page, prompt, prompt_len, KEPT);
	buf_init(&d->matched);
	buf_init(&d->line);
	return d;
}

void
done_free(struct done *d)
{
	if (d == NULL)
		return;
	pattern_free(d->pattern);
	page_release(&d->page);
	buf_release(&d->matched);
	free(d->seen);
	buf_release(&d->line);
	free(d);
}

const char *
done_text(const struct done *d)
{
	return d->matched.data;
}

/* ---- searching ----------------------------------------------------------------------- */

/* A busy machine may make any search look slow once: only a second slow search counts. */
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

/* Is a match at [start, end), found in [from, to) of the window, not the agent's but a
 * repetition? */
static bool
done_is_ours(
    struct done *d, const struct window *w, size_t from, size_t to, size_t start, size_t end)
{
	const char *text = w->text + from;

	return page_contains(&d->page, w->text, w->len, start, end) ||
	       page_contains(&d->page, text, to - from, start - from, end - from);
}

/*
 * Searches [from, to) of the window for a match of the agent's that ends at `judged` or later.
 * Stops an anchored pattern after one match: behind a match it would begin anew where no line
 * begins.
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
		if (end >= judged && !done_is_ours(d, w, from, to, start, end))
			return found(d, w->text + start, end - start);
		if (d->anchored || end == start)
			return DONE_NO;
		from = end;
	}
	return DONE_NO;
}

/* The line that ends with row i, joined with the rows before it where the width forced the
 * break. */
static struct window
window_of(struct done *d, const struct rows *rows, size_t i)
{
	size_t first = i;
	struct window w = {.rows = 1};

	while (first > 0 && i - first < KEPT && !rows->list[first - 1].echo &&
	       row_goes_on(&rows->list[first - 1], &rows->list[first], d->page.width))
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
		    &d->line, &rows->list[k - 1], &rows->list[k], &rows->text, d->page.width);
	w.text = d->line.data;
	w.len = d->line.len;
	return w;
}

/* Searches the window's last row, alone and with the rows before it. */
static enum done_result
search_row(struct done *d, const struct window *w, const struct row *row)
{
	size_t last = w->begin[w->rows - 1];
	size_t trimmed = w->len - (row->len - row->to);

	for (size_t k = w->rows; k-- > 0;) {
		size_t from = w->begin[k], bare = k == 0 ? w->from : from;
		enum done_result r;

		/* Without anchors, the longest line contains every shorter one. */
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

/* ---- input --------------------------------------------------------------------------- */

static enum done_result
settled(const struct done *d)
{
	return d->yes ? DONE_YES : DONE_NO;
}

enum done_result
done_line(struct done *d, const char *line, size_t len)
{
	struct window w = {.text = line, .len = len, .rows = 1};

	if (d->yes || d->off || page_repeats(&d->page, line, len))
		return settled(d);
	return search_window(d, &w, 0, len, 0);
}

enum done_result
done_row(struct done *d, const char *text, size_t len, bool wrapped)
{
	enum done_result r = DONE_NO;
	const struct row *row;

	if (d->yes || d->off)
		return settled(d);
	row = page_row(&d->page, text, len, wrapped);
	if (len > 0 && !row->echo) {
		struct window w = window_of(d, &d->page.left, d->page.left.count - 1);

		r = search_row(d, &w, row);
	}
	page_forget(&d->page);
	return r;
}

static enum done_result
screen_search(struct done *d)
{
	const struct rows *shown = &d->page.shown;
	size_t left = d->page.left.count, rows = shown->count - left;

	if (rows != d->seen_count) {
		free(d->seen);
		d->seen = xcalloc(rows + 1, sizeof(*d->seen));
		d->seen_count = rows;
	}
	for (size_t i = 0; i < rows; i++) {
		const struct row *row = &shown->list[left + i];
		struct window w;
		enum done_result r;
		uint64_t hash;

		if (row->len == 0 || row->echo)
			continue;
		w = window_of(d, shown, left + i);
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
done_screen(struct done *d, int rows, int width, row_fn *row, void *ctx)
{
	if (d->yes || d->off)
		return settled(d);
	if (!page_screen(&d->page, rows, width, row, ctx))
		return DONE_NO;
	return screen_search(d);
}

void
done_typed(struct done *d, const char *text, size_t len)
{
	page_typed(&d->page, text, len);
}
