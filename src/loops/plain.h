/*
 * plain.h - a recording as plain lines of text.
 *
 * The output of a pipe session is its lines.  The output of a terminal session is the lines
 * that scrolled off the screen and, at the end, the lines on the screen.  Lines of a program
 * that only prints (and never moves the cursor back) come out as they are finished.
 */
#ifndef LOOPS_PLAIN_H
#define LOOPS_PLAIN_H

#include "base/buf.h"
#include "term/term.h"
#include "watch/lines.h"

struct plain {
	struct buf *out;       /* lines are added here, each with \n, safe to print */
	struct term *term;     /* terminal sessions only */
	int shown;	       /* rows at the top of the screen that are in `out` already */
	struct lines lines[2]; /* stdout, stderr */
};

void plain_open(struct plain *t, bool terminal, struct buf *out);
/* Fits recording_fn. */
void plain_chunk(void *ctx, int64_t ms, char kind, const char *data, size_t len);
void plain_end(struct plain *t); /* prints what is unfinished */
void plain_close(struct plain *t);

#endif
