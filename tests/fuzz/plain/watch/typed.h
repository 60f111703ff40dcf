/*
 * typed.h - text that was typed into a session: it is no statement of the agent when it shows.
 *
 * Keys are put together to lines, and a row that equals one of the last lines, or
 * the beginning of the one being typed, is somebody's typing.  A text of several
 * lines at once is a prompt of its own: its repetition is known as the prompt's is
 * (echo.h), while one of its lines alone may well be said by the agent.
 */
#ifndef WATCH_TYPED_H
#define WATCH_TYPED_H

#include "watch/echo.h"

#define TYPED_LINES 32

struct typed {
	struct buf keys;	     /* the line being typed */
	uint64_t lines[TYPED_LINES]; /* hashes of the last lines */
	size_t count;		     /* of lines ever typed */
	struct echo
	    *text; /* the last text of several lines; the caller looks for repetitions */
};

void typed_init(struct typed *t);
void typed_release(struct typed *t);
void typed_add(struct typed *t, const char *text, size_t len);

/* As echo_contains. */
bool typed_contains(
    const struct typed *t, const char *line, size_t len, size_t start, size_t end);

#endif
