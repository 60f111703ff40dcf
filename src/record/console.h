/*
 * console.h - what the person at the terminal sees of a loop: one line per fact, in the
 * seed's words.
 *
 *   [ralph] NAME: starting iteration 5/100
 *   [ralph] NAME: iteration 5 completed (exit: 0, duration: 3m 42s)
 *   ...
 * Or, with json, one JSON object per fact.  Colours only on a terminal (and not with
 * NO_COLOR).  `ALERT` lines go to stderr, everything else to stdout.  Quiet leaves only
 * alerts and the last line.
 */
#ifndef RECORD_CONSOLE_H
#define RECORD_CONSOLE_H

#include "loop/loop.h"

struct console {
	const char *loop;
	int out, err;     /* descriptors; -1 for none */
	bool json, quiet, colour;
};

void console_init(struct console *c, const char *loop, bool json, bool quiet);
/* After the fact was applied; `state` is the state then. */
void console_fact(struct console *c, const struct fact *f, const struct loop_state *state);
/* The text of a fact without colour and newline; false when it has no line. */
struct buf;
bool console_line(const char *loop, const struct fact *f, const struct loop_state *state, struct buf *out);

#endif
