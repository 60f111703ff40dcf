/*
 * turn_fault.h - turns to which something happens at their k-th point (base/fs.h).
 */
#ifndef TURN_FAULT_H
#define TURN_FAULT_H

#include "turn.h"

#define POINTS_MAX 200

/* In a process of its own, to which that happens at its k-th point; its status. */
static inline int
status_of(const char *what, int k, bool whole)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		char fault[32];
		int rc;

		snprintf(fault, sizeof(fault), "%s@%d", what, k);
		setenv("RALPH_FAULT", fault, 1);
		fs_fault_init();
		result = (struct turn_result){.outcome = TURN_NOTHING};
		rc =
		    whole ? turn_commit(&turn, &words, &result, &err) : turn_begin(&turn, &err);
		_exit(rc < 0 ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return status;
}

static inline void
task_named(int k)
{
	static char id[16];

	snprintf(id, sizeof(id), "T%d", k);
	snprintf(turn_file, sizeof(turn_file), "%s/%s.json", scratch.path, id);
	turn.task = id;
}

#endif
