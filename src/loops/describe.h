/*
 * describe.h - a loop in words and in JSON, for ls and status.
 */
#ifndef LOOPS_DESCRIBE_H
#define LOOPS_DESCRIBE_H

#include "base/json.h"
#include "loops/loop_view.h"

/* Appends the seed's block, with lines of our own where there is something to say. */
void describe_block(const struct loop_view *v, struct buf *out);
json_t *describe_json(const struct loop_view *v) NODISCARD;

#endif
