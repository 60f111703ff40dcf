/*
 * source.h - the backlog as a source of tasks.
 */
#ifndef WORK_TICKETS_SOURCE_H
#define WORK_TICKETS_SOURCE_H

#include "supervisor/source.h"
#include "ticket/ticket.h"

extern const struct source_ops source_tickets;

/* The functions below take only this source. */

/* The ticket as it was read last; NULL: it is not there any more.  Valid until the source is
 * asked again. */
const struct ticket *tickets_source_find(struct source *source, const char *task);
/* The holder of `lock` is to work on the task.  0: the task is ours; 1: it is somebody else's,
 * and the sentence says whose. */
int tickets_source_claim(
    struct source *source, const char *task, const char *lock, struct err *err) NODISCARD;
/* Does the tree at `top` say that the task is done?  False where it does not have the task. */
bool tickets_source_closed_there(struct source *source, const char *task, const char *top);
/* Reopens a task whose work could not be landed: the task is not done after all.  1 when that
 * had to be written down, 0 when the task was not said to be done. */
int tickets_source_reopen(struct source *source, const char *task, struct err *err) NODISCARD;

#endif
