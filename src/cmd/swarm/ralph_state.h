/*
 * ralph_state.h - the loop of a worker as the seed's state.json tells it.
 *
 * The state of a loop of ours is the truth, with the keys that others have put into its file;
 * the state of a loop that the original program left is its file.
 */
#ifndef CMD_SWARM_RALPH_STATE_H
#define CMD_SWARM_RALPH_STATE_H

#include "loops/worker.h"

/* A new reference; NULL and a sentence when the worker has no loop ("is not a ralph worker",
 * code ENOENT). */
json_t *ralph_state(const struct worker *w, struct err *err) NODISCARD;
/* The file ralph/NAME/state.json as it is; NULL, code ENOENT when there is none. */
json_t *ralph_state_file(const char *name, struct err *err) NODISCARD;

/* Calls fn for everyone with a state: workers, then what the original left without a worker.
 * `worker` is "running", "stopped" or "removed".  Returns how many could not be read, -1 +
 * err. */
typedef void ralph_state_fn(void *ctx, const json_t *state, const char *worker);
int ralph_states_each(ralph_state_fn *fn, void *ctx, struct err *err) NODISCARD;

/* "7/100" */
void ralph_state_iteration(const json_t *state, struct buf *out);

#endif
