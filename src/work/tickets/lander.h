/*
 * lander.h - the effects that need git: a place for a ticket's session, and what becomes of its
 * work.
 *
 * Landing waits for git and for the user's commands, so steps do all of it (step.h).  A step
 * that was interrupted, even by a crash of ours, is simply done again (git/landing/landing.h).
 */
#ifndef WORK_TICKETS_LANDER_H
#define WORK_TICKETS_LANDER_H

#include "git/landing/landing.h"
#include "supervisor/running.h"

/* Makes the place of a session.  Calls `ready` with the place, or with NULL and a sentence. */
typedef void lander_ready_fn(struct running *r, const struct effect *e,
    const struct land_result *place, const char *why);
void lander_prepare(struct running *r, const struct effect *e, lander_ready_fn *ready);
/* -> IN_LANDED */
void lander_land(struct running *r, const struct effect *e);
/* The beginning of a run tries again to publish the merges of other runs, and names the changes
 * in the checkout that its own merges may have to wait for. */
void lander_begin(struct running *r);
void lander_publish(struct running *r);

#endif
