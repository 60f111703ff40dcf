/*
 * given.h - what loops have in common whose tasks are given out one at a time, by a graph or by
 * the user's command: their log, their heartbeat, what their source has to say.
 *
 * The functions are members of struct kind.  `own` of struct running is the log (task_log.h).
 */
#ifndef WORK_SHARED_GIVEN_H
#define WORK_SHARED_GIVEN_H

#include "base/clock.h"
#include "supervisor/kind.h"

/* The heartbeat is written at most this often. */
#define GIVEN_BEAT (10 * NSEC_PER_SEC)

int given_open(struct running *r, struct err *err) NODISCARD;
void given_close(struct running *r);
void given_beat(struct running *r);
void given_answered(struct running *r, const struct answer *a);
void given_facts(struct running *r, const struct decision *d);
void given_tidy(struct running *r);

/* In record/console.h's manner: a line for each fact. */
voice_fn given_line;

#endif
