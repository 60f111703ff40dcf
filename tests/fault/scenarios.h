/*
 * scenarios.h - the lives that are swept: what is done, which fault it meets, what must be
 * true afterwards.
 *
 * A scenario is KIND/ROLE/FAULT.  The kind is what kind of loop, or what happens to it; the
 * role, who meets the fault: the supervisor, every keeper at the same point, or every other
 * process (jobs) at the same point.  The fault is KILL, STOP (for a moment), SHORT (a short
 * write), FORK (a process that cannot be started), or the name of an error; with a "+" it is
 * met there and at all later points.
 *
 * Points are those of base/fs.h, and numbered from 1; with FORK only the starts of processes
 * are points.  A life of which the program does not
 * count them writes "N what" into DIR/points itself: the last number where point is COUNTING,
 * and the one it came to elsewhere (trial_note).
 */
#ifndef FAULT_SCENARIOS_H
#define FAULT_SCENARIOS_H

#include "trial.h"

struct scenario {
	const char *kind, *role;
	const char *faults; /* those it knows, with blanks between them */
	void (*run)(struct trial *t);
	bool command; /* of a loop over a prompt: a command prints it */
};

struct fault_name {
	char text[16]; /* as it was given */
	char name[16]; /* without the "+" */
	bool onward;
	bool fork; /* points are the starts of processes */
};

/* By "KIND/ROLE/FAULT"; NULL when there is none. */
const struct scenario *scenario_find(const char *name, struct fault_name *fault);
/* "kill -9 of the supervisor of a loop over tickets"; the caller frees it. */
char *scenario_title(const struct scenario *sc, const struct fault_name *fault);

#endif
