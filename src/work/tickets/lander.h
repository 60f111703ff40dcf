/*
 * lander.h - the effects that need git: a place for a ticket's session, and what becomes of its
 * work.
 *
 * Landing waits for git and for the user's commands, so steps do all of it (step.h).  A step
 * that was interrupted, even by a crash of ours, is simply done again (git/landing/landing.h).
 */
#ifndef WORK_TICKETS_LANDER_H
#define WORK_TICKETS_LANDER_H

#include "base/json.h"
#include "git/landing/landing.h"
#include "supervisor/running.h"

struct lander_place {
	const char *path;     /* of the worktree */
	const char *why_kept; /* why an earlier attempt left it; NULL */
	bool resumed;	      /* the worktree has the work of that attempt */
};

/* Makes the place of a session.  Calls `ready` with the place, or with NULL and a sentence. */
typedef void lander_ready_fn(struct running *r, const struct effect *e,
    const struct lander_place *place, const char *why);
void lander_prepare(struct running *r, const struct effect *e, lander_ready_fn *ready);
/* Lands the work of a session; the outcome is an input, IN_LANDED. */
void lander_land(struct running *r, const struct effect *e);
/* Tries again to publish the merges that wait.  `first`: at the beginning of a run, which also
 * names the changes in the checkout that its own merges may have to wait for. */
void lander_publish(struct running *r, bool first);

/* ---- parts ------------------------------------------------------------------------- */

/* land_publish for the beginning of a run, which also removes kept worktrees that nobody needs
 * any more (kept.c). */
int kept_publish(const struct settings *s, const struct land_plan *base,
    struct land_result *result, struct err *err) NODISCARD;
/* Appends as a sentence what an agent left besides work that landed; `landing` is what the step
 * printed (left.c). */
void left_tell(
    const struct settings *s, enum verdict verdict, const json_t *landing, struct buf *out);

#endif
