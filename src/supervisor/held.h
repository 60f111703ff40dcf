/*
 * held.h - obstacles to a loop that are nobody's work: a disk that is full, or fails.
 *
 * An error of our own (ENOSPC, EDQUOT, EIO) says nothing about a task: the activity that met
 * the error is done again until it works, costs no attempt, and is shown meanwhile.  A full
 * disk cannot take a record of the obstacle, so the obstacle is kept here, and told to every
 * client that asks (CONTROL_HOLDS; status, ls).
 */
#ifndef SUPERVISOR_HELD_H
#define SUPERVISOR_HELD_H

#include "supervisor/running.h"

/* The activities that may have to wait for the disk. */
enum held {
	HELD_JOURNAL,
	HELD_START,
	HELD_STEP,
	HELD_TASK,
	HELD_SOURCE,
	HELD_VIEWS,
	HELD_COUNT
};

/* Is the sentence about the disk?  The system's own words decide, because they are all that is
 * left of the errors of programs that we run. */
bool held_is(const char *text);

/* Says once, with an alert, that `what` has met a disk that is full or fails, until
 * running_unheld for the same `what`. */
void running_held(struct running *r, enum held what, const char *text);
void running_unheld(struct running *r, enum held what);
/* "waiting for disk space: cannot write prompt.2: ..."; NULL: nothing. */
const char *running_holds(const struct running *r);

#endif
