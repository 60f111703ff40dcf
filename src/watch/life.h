/*
 * life.h - does an agent that stood still move again?
 *
 * Text that we give to the agent shows on the screen and leaves the box where it was typed:
 * then the screen works, not the agent.  So the rows are remembered as they were when the agent
 * stood still.  The agent moves again when the screen has a row that was not there, has words,
 * and whose words are not among those that the agent was given since.
 */
#ifndef WATCH_LIFE_H
#define WATCH_LIFE_H

#include "base/buf.h"
#include "watch/row.h"

struct life {
	uint64_t *rows; /* hashes of the words of each row */
	size_t count, cap;
	struct buf given; /* the letters of what was typed since */
};

void life_init(struct life *l);
void life_release(struct life *l);
/* Remembers the screen of an agent that stands still: `row` is called for 0..rows-1. */
void life_still(struct life *l, int rows, row_fn *row, void *ctx);
/* Notes text that was given to the agent since. */
void life_given(struct life *l, const char *text, size_t len);
/* Does the screen show that the agent moves again? */
bool life_shows(const struct life *l, int rows, row_fn *row, void *ctx);

#endif
