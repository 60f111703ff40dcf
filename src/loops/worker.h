/*
 * worker.h - workers by name: what the commands of `swarm` speak of.
 *
 * A worker is a loop under the name its user gave it: with a prompt file it is a ralph worker,
 * without one its command is started once (source "once").  Both have a supervisor and a
 * keeper, both are in ~/.swarm/state.json.  Workers that the original program wrote there and
 * that have no loop of ours are "foreign": they are shown and can be cleaned, nothing else.
 */
#ifndef LOOPS_WORKER_H
#define LOOPS_WORKER_H

#include "base/json.h"
#include "loops/loop_view.h"
#include "session/tmux.h"

struct worker {
	struct loop_view view; /* not for foreign ones */
	bool foreign;
	bool ralph;	/* a loop over a prompt file */
	bool running;	/* looked at now: an agent runs, or the loop will start one */
	json_t *record; /* as ls --format json shows it; its name is the worker's */
};

/* A worker that is closed when its block is left, as AUTO_VIEW. */
#define AUTO_WORKER __attribute__((cleanup(worker_close))) struct worker
#define WORKER_INIT                \
	{                          \
		.view = VIEW_INIT, \
	}

/* A worker in pages of its own, as AUTO_LONG_VIEW. */
#define AUTO_LONG_WORKER __attribute__((cleanup(worker_drop))) struct worker *
struct worker *worker_new(void) NODISCARD;
void worker_drop(struct worker **w);

/* The worker is new (WORKER_INIT, worker_new).  -1 and "worker 'x' not found" with code ENOENT,
 * or another error. */
int worker_open(struct worker *w, const char *name, struct err *err) NODISCARD;
/* Like worker_open, for a caller that needs less than the whole record (loop_view.h). */
int worker_open_for(
    struct worker *w, const char *name, enum view_need need, struct err *err) NODISCARD;
void worker_close(struct worker *w);

/* All workers in the order they were spawned; `fn` gets each one open and must not close it.
 * Warnings about the registry are said on stderr.  Returns how many records were malformed, -1
 * + err when nothing could be read. */
int workers_each(void (*fn)(void *ctx, struct worker *w), void *ctx, struct err *err) NODISCARD;
int workers_each_for(enum view_need need, void (*fn)(void *ctx, struct worker *w), void *ctx,
    struct err *err) NODISCARD;

/* Is the worker a loop, and not a command that is started once? */
bool worker_is_ralph(const struct settings *settings);
/* Was the worker made by `swarm spawn`, and not by `ralph run`, `loop`, `todo` or `graph run`?
 * The settings tell, whatever version wrote them (`swarm` in loop/source_row.h). */
bool worker_is_swarms(const struct settings *settings);
/* May somebody want to go on with the loop?  True for every loop that `ralph resume` takes
 * (loop_can_resume), except a killed one: the user who killed it has done with it. */
bool worker_can_go_on(const struct worker *w);
const char *worker_name(const struct worker *w);
/* Is the loop paused?  A paused loop has not ended: the user who paused it may let it go on.
 * The worker's agent may still run. */
bool worker_is_paused(const struct worker *w);
/* "running"; of a worker that does not run "paused" or "stopped".  Records (state.json) know
 * only the first and the last. */
const char *worker_word(const struct worker *w);
/* Can somebody type to the worker and look at its screen? */
bool worker_has_terminal(const struct worker *w);
/* A connection to the keeper of its agent (wire.h, ROLE_CLIENT); -1 and why there is none. */
int worker_dial(const struct worker *w, struct err *err) NODISCARD;

/* Writes the record of a loop of ours into state.json.  The supervisor calls this when a worker
 * starts, ends or goes to the next iteration. */
int worker_register(int home, const char *name, const struct settings *settings,
    const struct loop_state *state, bool running, bool wait, struct err *err) NODISCARD;

/* "42s", "5m", "3h", "2d" since a started time of a record; "?" when it cannot be read. */
void worker_age(const json_t *record, struct buf *out);

#endif
