/*
 * held.h - what keeps a loop from going on that is nobody's work: a disk that is full, or
 * fails.
 *
 * An error of our own (ENOSPC, EDQUOT, EIO) says nothing about a task: what met it is done
 * again until it works, costs no attempt, and is shown meanwhile.  The disk being full, it
 * cannot be written down: it is kept here, and told to whoever asks (CONTROL_HOLDS; status,
 * ls).
 */
#ifndef SUPERVISOR_HELD_H
#define SUPERVISOR_HELD_H

#include "supervisor/running.h"

/* Who waits for the disk. */
enum held {
	HELD_JOURNAL,
	HELD_START,
	HELD_STEP,
	HELD_TASK,
	HELD_SOURCE,
	HELD_VIEWS,
	HELD_COUNT
};

/* Is that sentence about the disk?  By the system's own words, which are all that is left of
 * the errors of programs that we run. */
bool held_is(const char *text);

/* Something has met it: it is said once, with an alert, until running_unheld for the same. */
void running_held(struct running *r, enum held what, const char *text);
void running_unheld(struct running *r, enum held what);
/* "waiting for disk space: cannot write prompt.2: ..."; NULL: nothing. */
const char *running_holds(const struct running *r);

#endif
