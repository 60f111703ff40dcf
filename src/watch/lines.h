/*
 * lines.h - the lines of a byte stream (a pipe).
 *
 * Splits at \n (a \r before it goes), removes escape sequences and control
 * characters, keeps a partial line until its end.  A carriage return in the
 * middle starts the line anew (progress bars).  A line longer than LINES_MAX is
 * given out in pieces that overlap by LINES_OVERLAP bytes, so that a pattern
 * at a seam is still found.
 */
#ifndef WATCH_LINES_H
#define WATCH_LINES_H

#include "base/buf.h"

#define LINES_MAX 65536
#define LINES_OVERLAP 4096

typedef void line_fn(void *ctx, const char *line, size_t len);

struct lines {
	line_fn *fn;
	void *ctx;
	/* LINES_MAX and LINES_OVERLAP; a test of these limits may set less before the first
	 * byte. */
	size_t max, overlap;
	struct buf partial;
	int state; /* private: inside which escape sequence we are */
	bool cr;   /* private */
};

void lines_init(struct lines *l, line_fn *fn, void *ctx);
void lines_feed(struct lines *l, const char *data, size_t len);
void lines_flush(struct lines *l); /* what is left without a newline, at the end */
void lines_release(struct lines *l);

#endif
