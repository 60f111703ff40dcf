/*
 * life.h - does an agent that stood still move again?
 *
 * Text that we give it shows on its screen and leaves the box where it was typed: that is the
 * screen at work, not the agent.  So the rows are remembered as they were when it stood
 * still, and it lives when there is one that was not there, has words, and whose words
 * are none of those that it was given since.
 */
#ifndef WATCH_LIFE_H
#define WATCH_LIFE_H

#include "base/buf.h"

struct life {
	uint64_t *rows; /* hashes of their words */
	size_t count, cap;
	struct buf given; /* the letters of what was typed since */
};

void life_init(struct life *l);
void life_release(struct life *l);
/* It stands still, with this screen: `row` is called for 0..rows-1. */
void life_still(
    struct life *l, int rows, bool (*row)(void *ctx, int row, struct buf *out), void *ctx);
void life_given(struct life *l, const char *text, size_t len);
bool life_shows(const struct life *l, int rows,
    bool (*row)(void *ctx, int row, struct buf *out), void *ctx);

#endif
