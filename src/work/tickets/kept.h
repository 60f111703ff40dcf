/*
 * kept.h - what landings kept for a person to merge, once that person has.
 *
 * Conflicts and work that did not pass stay in their worktrees.  Nobody needs these worktrees
 * any more once their branch is merged and their ticket closed, no matter who did that: the
 * next run removes worktree and branch, but nothing that is not on the branch it lands on.
 */
#ifndef WORK_TICKETS_KEPT_H
#define WORK_TICKETS_KEPT_H

#include "git/landing/landing.h"
#include "loop/settings.h"

/* land_publish for the beginning of a run over tickets, which also removes kept worktrees that
 * nobody needs any more.  Waits for git (git/landing/landing.h). */
int kept_publish(const struct settings *s, const struct land_plan *base,
    struct land_result *result, struct err *err) NODISCARD;

#endif
