/*
 * console.h - what the person at the terminal sees of a loop: one line per fact, in the
 * seed's words.
 *
 *   [ralph] NAME: starting iteration 5/100
 *   [ralph] NAME: iteration 5 completed (exit: 0, duration: 3m 42s)
 *   ...
 * Colours only on a terminal (and not with NO_COLOR).  `ALERT` lines go to stderr,
 * everything else to stdout.  Or, with json, one JSON object per fact, all on stdout.
 * Quiet leaves only alerts and the last line.
 *
 * Nothing waits for a reader: what it does not take is kept, up to a megabyte, and tried again
 * with the next line and at the end.
 */
#ifndef RECORD_CONSOLE_H
#define RECORD_CONSOLE_H

#include "record/view.h"

/* The text of a fact of the decision, without colour and newline; false when it has no
 * line. */
typedef bool voice_fn(const struct decided *d, const struct fact *f, struct buf *out);

/* A view (view.h) without a file: its `fact` prints the line of a fact.  Owned by whoever
 * called console_init. */
struct console {
	struct view view;
	const char *loop;
	int out, err; /* descriptors; -1 for none */
	bool json, quiet;
	bool aside;	 /* everything goes to err: stdout is for a promise */
	voice_fn *voice; /* how this kind of loop speaks; console_line unless set */
	bool out_colour, err_colour;
	bool counting; /* the last line on out is a countdown, to be written over */
	struct buf waiting, errors; /* for out and err */
};

/* Is there a terminal that shows colours, and does its user want any? */
bool console_shows_colour(int fd);
/* `loop` must outlive the console. */
void console_init(struct console *c, const char *loop, bool json, bool quiet);
void console_close(struct console *c); /* also of one that was never used */
/* Text that is no fact, to where this loop speaks; nothing with json or quiet. */
void console_say(struct console *c, const char *text);
/* A line for stdout, wherever else this loop speaks: for programs that read it. */
void console_answer(struct console *c, const char *text);
/* Prints <promise>COMPLETE</promise>, alone on stdout, for a program that waits for it. */
void console_promise(struct console *c);
/* How any loop speaks. */
voice_fn console_line;
/* Shows on a terminal what is left of a wait for a limit, in the place of the last such
 * line. */
void console_countdown(struct console *c, int64_t left);

#endif
