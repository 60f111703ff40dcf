/*
 * lander.h - the effects that need git: a place for a ticket's session, and what becomes of its
 * work.
 *
 * Landing waits for git and for the user's commands, so all of it is done in steps (step.h).
 * One that was interrupted, by a crash of ours too, is simply done again (land/landing.h).
 */
#ifndef CMD_LANDER_H
#define CMD_LANDER_H

#include "cmd/running.h"
#include "land/landing.h"

/* Makes the place of a session.  `ready` is called with it, or with NULL and a sentence. */
typedef void lander_ready_fn(struct running *r, const struct effect *e,
    const struct land_result *place, const char *why);
void lander_prepare(struct running *r, const struct effect *e, lander_ready_fn *ready);
/* -> IN_LANDED */
void lander_land(struct running *r, const struct effect *e);
/* What other runs could not publish is tried again, and said; at the beginning of a run also
 * what may be in the way of its own. */
void lander_begin(struct running *r);
void lander_publish(struct running *r);

#endif
