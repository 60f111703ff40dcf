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
 * differs from the base is an edit, which swarm_edits reports once.  Until then it
 * stays in the file.  Other values of ours are simply written again; keys we do not know
 * survive.  What cannot be parsed is moved aside and written again.
 */
#ifndef RECORD_SWARM_H
#define RECORD_SWARM_H

#include "base/json.h"
#include "record/view.h"

/* state.json.  A loop without facts takes over a state.json that is there already (its keys,
 * but not its values).  Written when it would differ from what is there. */
extern const struct view_ops swarm_view;
/* iterations.log */
extern const struct view_ops iterations_view;

/* `v` is a swarm_view.  Returns 1 and the new value (UNLIMITED for null) when the user changed
 * max_iterations, 0 when not.  -1 + err: it could not be read, or what the user wrote was of no
 * use and has been or will be put right by the next write. */
int swarm_edits(struct view *v, int64_t *max_iterations, struct err *err) NODISCARD;

/* The content of state.json for a loop, in the seed's schema and order; a new reference. */
json_t *swarm_document(const char *loop, const struct settings *settings,
    const struct loop_state *state) NODISCARD;
/* Opens ralph/NAME, which the user may remove at any time; a missing directory is made. */
int swarm_dir(const struct view_of *of, struct err *err) NODISCARD;

#endif
