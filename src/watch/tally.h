/*
 * tally.h - which tags (promise.h) has the worker said since it was given its task?
 *
 * Lines go in from a pipe or a transcript, or rows from a screen: the rows that left the
 * screen, in order, and the rows on the screen whenever output has settled.  A tag may reach
 * over several rows, wrapped by the terminal or by a program with its own margins and frames;
 * bullets and frames around it do not matter, any other word on its line does.
 *
 * A question or an obstacle that stands behind "> ", or in a block between two rows of ``` or
 * ~~~, is shown and not said.  (DONE and a number need no such care: a file has to confirm
 * DONE, and nothing follows from a number.)
 *
 * A tag stays on a screen, moves, leaves it and is painted again.  So the tags are counted,
 * those that left and those that are shown, and a tag is new only when there is one more than
 * ever before.  A tag that repeats the prompt or was typed (page.h) is never new.  Memory is
 * bounded: of the tags that differ, no more than TALLY_MAX are told apart at a time.
 */
#ifndef WATCH_TALLY_H
#define WATCH_TALLY_H

#include "watch/promise.h"
#include "watch/row.h"

#define TALLY_MAX 256
#define TALLY_ROWS 24 /* rows that one tag may reach over */

struct tally;
typedef void promise_fn(void *ctx, const struct promise *p);

/* `fn` is called for each new tag, from within the calls below. */
struct tally *tally_new(promise_fn *fn, void *ctx) NODISCARD;
void tally_free(struct tally *t);
/* Sets the task that tags are about: its id and its prompt. */
void tally_task(struct tally *t, const char *task, const char *prompt, size_t len);
/* Tags that were said so far, also those on the screen now, do not count again. */
void tally_past(struct tally *t);
/* Call when the promise was said in another way and will also be shown, for people: the shown
 * tag is not new. */
void tally_said(struct tally *t, const struct promise *promise);
/* Call when a person or we typed text into the session. */
void tally_typed(struct tally *t, const char *text, size_t len);

/* Takes a whole line of a pipe, or of the agent's words in a transcript. */
void tally_line(struct tally *t, const char *line, size_t len);
/* As done_row and done_screen (done.h). */
void tally_row(struct tally *t, const char *text, size_t len, bool wrapped);
void tally_screen(struct tally *t, int rows, int width, row_fn *row, void *ctx);

#endif
