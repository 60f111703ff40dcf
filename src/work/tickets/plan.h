/*
 * plan.h - `ralph loop --dry-run`: the whole run as it would go, without a trace.
 *
 * The loop itself (loop/loop.h) makes the plan, in a world where every session succeeds and
 * every ticket is closed when its session ends.  A wave is all sessions that start before any
 * of them ends; then all of them end, tickets that waited for them are ready, and the next wave
 * starts.  Real agents end one by one and slots are filled at once, so a real run is never
 * slower than its plan, and may take tickets in another order.
 *
 * A plan writes nothing and runs nothing, not even a ticketQuery.  The plan settles the tickets
 * in the backlog, so the backlog cannot be used for anything else afterwards.
 */
#ifndef WORK_TICKETS_PLAN_H
#define WORK_TICKETS_PLAN_H

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "loop/settings.h"
#include "work/tickets/backlog.h"

/* Of a backlog that was refreshed: appends the plan's lines to *text, and returns it as an
 * object:
 *
 *   parallel, max_iterations (null: no limit)
 *   waves      [{wave, dispatches [{ticket, title, components [], branch, worktree}],
 *               idle null | {slots, ticket, waits_for, component}}]
 *              branch and worktree are null without worktrees
 *   planned    how many tickets
 *   left_over  ids of those that only max_iterations keeps from running
 *   refused    ids of those that are ready but too long
 *   blocked    {tickets [ids], why}
 *
 * NULL: the loop cannot go on; *err says why. */
json_t *plan_make(
    const struct settings *s, struct backlog *b, struct buf *text, struct err *err) NODISCARD;

/* Refreshes the backlog, plans, and appends to *out: lines, or with `json` the object, which
 * has one more member: claimed [{ticket, by}], the tickets that other loops have now.  Warnings
 * of the backlog are left for the caller (backlog_notes).  Returns the exit code: 0 for any
 * plan, whatever it says; EX_QUERY + err when the tickets cannot be read. */
int plan_run(const struct settings *s, struct backlog *b, bool json, struct buf *out,
    struct err *err) NODISCARD;

#endif
