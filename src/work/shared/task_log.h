/*
 * task_log.h - the files that a loop over a task graph leaves in its project, as its seed
 * prescribes; a loop over the tasks that a command gives out leaves them in its directory.
 *
 *   logs/ralph.jsonl       one object a line: timestamp, iteration, task_id, action,
 *                          duration_seconds, exit_code, outcome, story_filter
 *   logs/ralph.heartbeat   the time of the last sign of life, and nothing else
 *
 * The actions: loop_started, started, completed, failed, unfinished, rate_limited, refused,
 * ended (before it was done), lost, error (the graph could not be asked), paused, resumed; and
 * as the last word finished, blocked, interrupted, stopped or gave_up.
 */
#ifndef WORK_SHARED_TASK_LOG_H
#define WORK_SHARED_TASK_LOG_H

#include "base/buf.h"
#include "base/err.h"
#include "loop/loop.h"

struct layout_graph;

/* Makes the directory logs, if need be; _log and _beat make it again when it is gone. */
struct layout_graph *layout_graph_open(
    const struct settings *settings, struct err *err) NODISCARD;
void layout_graph_free(struct layout_graph *l);
/* Takes the facts of one decision; `state` is the state after all of them.  _log writes the
 * lines. */
void layout_graph_facts(
    struct layout_graph *l, const struct fact *facts, size_t n, const struct loop_state *state);
/* On failure the lines stay for the next time (the oldest go when they become many). */
int layout_graph_log(struct layout_graph *l, struct err *err) NODISCARD;
int layout_graph_beat(struct layout_graph *l, int64_t wall, struct err *err) NODISCARD;

#endif
