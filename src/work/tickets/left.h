/*
 * left.h - what an agent left besides work that landed, as a sentence: that there was no change
 * at all, changes that are kept off the branch, and files that git ignores.
 */
#ifndef WORK_TICKETS_LEFT_H
#define WORK_TICKETS_LEFT_H

#include "base/buf.h"
#include "base/json.h"
#include "loop/loop.h"

/* `landing` is what the step printed (work/tickets/lander.c); appends nothing when there is
 * nothing. */
void left_tell(
    const struct settings *s, enum verdict verdict, const json_t *landing, struct buf *out);

#endif
