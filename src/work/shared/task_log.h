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

#include "record/view.h"

/* A view (record/view.h) that writes ralph.jsonl.  Makes the directory logs, if need be, and
 * again when it is gone. */
extern const struct view_ops task_log_view;
/* `v` is a task_log_view. */
int task_log_beat(const struct view *v, int64_t wall, struct err *err) NODISCARD;

#endif
