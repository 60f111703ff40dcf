/*
 * reading.h - one session's recording, as it is printed.
 */
#ifndef LOOPS_READING_H
#define LOOPS_READING_H

#include "loops/loop_view.h"
#include "loops/plain.h"

struct reading {
	struct recording_reader *reader;
	struct plain plain;
	struct buf out; /* bytes that were read and not printed yet */
	bool raw;
	int dir; /* the session's */
};

/* Opens a recording: with `raw` as the bytes that it has, else as lines of text.  -1 (code
 * ENOENT: there is no such recording); closing it is right then, too. */
int reading_open(struct reading *r, const struct loop_view *v, const char *session, bool raw,
    struct err *err) NODISCARD;
/* Adds the output that is there now to `out`; at the end of the session also the unfinished
 * rest. */
int reading_more(struct reading *r, bool end, struct err *err) NODISCARD;
/* Is the session's end written down? */
bool reading_has_ended(const struct reading *r);
void reading_close(struct reading *r);

/* The place where the last lines of a text begin; 0: all of them. */
const char *reading_last(const struct buf *text, int64_t lines);
/* Leaves only those. */
void reading_tail(struct buf *text, int64_t lines);

#endif
