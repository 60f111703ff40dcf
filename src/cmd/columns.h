/*
 * columns.h - a table for the eye: every column as wide as its widest cell.
 *
 * Left-aligned, two spaces between columns, the last one padded too, as scripts that
 * cut such tables expect.
 */
#ifndef CMD_COLUMNS_H
#define CMD_COLUMNS_H

#include "base/buf.h"

struct columns {
	size_t width; /* cells per row */
	char **cells; /* row after row, the headings first; NULL-terminated */
	size_t n;
};

/* The headings, NULL-terminated. */
void columns_init(struct columns *c, const char *const *headings);
void columns_add(struct columns *c, const char *cell); /* made safe to look at */
/* Adds the text of the buffer, and empties it; nothing is a dash. */
void columns_add_buf(struct columns *c, struct buf *cell);
/* Prints nothing at all when there is no row below the headings. */
void columns_print(const struct columns *c, struct buf *out);
void columns_release(struct columns *c);

#endif
