/*
 * swarm.h - the files the seed of `swarm` prescribes, as views of a loop's facts.
 *
 *   ralph/NAME/state.json       the loop's state, in the seed's schema
 *   ralph/NAME/iterations.log   one line per event
 *
 * Views: rebuildable, never on the path from one agent's exit to the next one's start.
 * state.json may be edited by the user: layout_swarm_edits reads it back three-way (base =
 * the bytes written last) and reports only max_iterations when its value differs from the
 * base; what cannot be parsed is moved aside and written again.  Keys we do not know
 * survive.
 */
#ifndef RECORD_LAYOUT_SWARM_H
#define RECORD_LAYOUT_SWARM_H

#include "base/buf.h"
#include "loop/loop.h"

struct layout_swarm;

struct layout_swarm *layout_swarm_open(int home, const char *loop, const struct settings *settings,
    struct err *err) NODISCARD;
/* Appends to iterations.log what the fact says there (nothing for most). */
int layout_swarm_fact(struct layout_swarm *l, const struct fact *f, const struct loop_state *state,
    struct err *err) NODISCARD;
/* Writes state.json when it would differ from what is there. */
int layout_swarm_state(struct layout_swarm *l, const struct loop_state *state, struct err *err) NODISCARD;
/* Returns 1 and the new value when the user changed max_iterations, 0 when not, -1 + err. */
int layout_swarm_edits(struct layout_swarm *l, int64_t *max_iterations, struct err *err) NODISCARD;
void layout_swarm_free(struct layout_swarm *l);

/* The line iterations.log gets, without newline; false when it has none. */
bool layout_swarm_line(const struct fact *f, const struct loop_state *state, struct buf *out);

#endif
