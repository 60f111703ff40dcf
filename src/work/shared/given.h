/*
 * given.h - the common part of loops whose tasks are given out one at a time, by a graph or by
 * the user's command: their log, their heartbeat, what their source has to say.
 *
 * All of these are members of struct kind.  The log is a view (task_log.h).
 */
#ifndef WORK_SHARED_GIVEN_H
#define WORK_SHARED_GIVEN_H

#include "base/clock.h"
#include "supervisor/kind.h"

/* The heartbeat is written at most this often. */
#define GIVEN_BEAT (10 * NSEC_PER_SEC)

extern const struct view_ops *const given_views[];
void given_beat(struct running *r);
void given_answered(struct running *r, const struct answer *a);
void given_facts(struct running *r, const struct decision *d);

/* The sentence of a loop that ended because nothing is left to do; NULL: it ended otherwise. */
const char *given_all_done(const struct fact *finished, bool tracked);
/* Did the loop end because what is left waits?  A text that comes with failures is the graph's,
 * and says that tasks wait for those that failed. */
bool given_is_blocked(const struct fact *finished);

/* A voice (record/console.h): a line for each fact. */
voice_fn given_line;

#endif
