/*
 * row.h - a row of a screen: its edges, and whether the line goes on in the next.
 *
 * Programs put bullets before and frames around their text, and wrap it by
 * themselves.  `from` and `to` delimit the text without them; a break between two rows is
 * forced when the terminal wrapped the line, or when the next row's first word
 * would not have fitted any more.
 */
#ifndef WATCH_ROW_H
#define WATCH_ROW_H

#include "base/buf.h"

struct row {
	size_t at, len;	 /* in the buffer that holds all rows */
	size_t from, to; /* of the text, relative to `at`; equal when there is none */
	size_t cols;	 /* of the screen up to `to` */
	size_t word;	 /* columns of the first word */
	bool item;	 /* begins with a bullet: a new item, never a continuation */
	bool quoted;	 /* begins with "> ", perhaps behind a frame */
	bool wrapped;	 /* by the terminal */
	bool echo;	 /* repeats the prompt */
	uint64_t hash;	 /* of the whole row */
};

/* Appends the text of a row of the screen; returns whether the terminal wrapped it into the
 * next. */
typedef bool row_fn(void *ctx, int row, struct buf *out);

/* Appends the text to `all` and measures it. */
struct row row_add(struct buf *all, const char *text, size_t len, bool wrapped);
/* Is `next` the rest of the same line?  `width` 0: not known, so only `wrapped` counts. */
bool row_goes_on(const struct row *row, const struct row *next, size_t width);
/* Appends `next` to a line that so far ends with `row`; returns where its text begins. */
size_t row_join(struct buf *line, const struct row *row, const struct row *next,
    const struct buf *all, size_t width);

#endif
