/*
 * swarm.h - the files the seed of `swarm` prescribes, as views of a loop's facts.
 *
 *   ralph/NAME/state.json       the loop's state, in the seed's schema
 *   ralph/NAME/iterations.log   one line per event
 *
 * Views: rebuildable, never on the path from one agent's exit to the next one's start, and
 * made again when the user removes them.
 *
 * state.json may be edited by the user.  It is read before it is written: base is what we
 * wrote last (or, before the first write, what the journal says), and a max_iterations that
 * differs from the base is an edit, which layout_swarm_edits reports once.  Until then it
 * stays in the file.  Other values of ours are simply written again; keys we do not know
 * survive.  What cannot be parsed is moved aside and written again.
 */
#ifndef RECORD_SWARM_H
#define RECORD_SWARM_H

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "loop/loop.h"

struct layout_swarm;

/* `state`: the loop as the journal has it.  A loop without facts takes over a state.json
 * that is there already (its keys, but not its values). */
struct layout_swarm *layout_swarm_open(int home, const char *loop,
    const struct settings *settings, const struct loop_state *state, struct err *err) NODISCARD;
/* Appends lines (of layout_swarm_lines) to iterations.log and empties the buffer; on failure
 * they stay in it for the next time (the oldest go when they become many). */
int layout_swarm_log(struct layout_swarm *l, struct buf *lines, struct err *err) NODISCARD;
/* Writes state.json when it would differ from what is there. */
int layout_swarm_state(
    struct layout_swarm *l, const struct loop_state *state, struct err *err) NODISCARD;
/* Returns 1 and the new value (UNLIMITED for null) when the user changed max_iterations, 0
 * when not.  -1 + err: it could not be read, or what the user wrote was of no use and has
 * been or will be put right by layout_swarm_state. */
int layout_swarm_edits(
    struct layout_swarm *l, int64_t *max_iterations, struct err *err) NODISCARD;
void layout_swarm_free(struct layout_swarm *l);

/* The content of state.json for a loop, in the seed's schema and order; a new reference. */
json_t *layout_swarm_document(const char *loop, const char *prompt_file,
    const char *done_pattern, const struct loop_state *state) NODISCARD;

/* Appends the lines iterations.log gets for the facts of one decision, each with its newline
 * (none for most).  `state` is the state after all of them. */
void layout_swarm_lines(
    const struct fact *facts, size_t n, const struct loop_state *state, struct buf *out);

#endif
