/*
 * killed.h - steps that are killed half-way.
 */
#ifndef KILLED_H
#define KILLED_H

#include "landing.h"

#define POINTS_MAX 200

/* A step in a process that is killed at its k-th point; false: it had fewer. */
static inline bool
killed_at(int k, land_fn fn, const char *id)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		char fault[32];

		snprintf(fault, sizeof(fault), "KILL@%d", k);
		setenv("RALPH_FAULT", fault, 1);
		fs_fault_init();
		ticket.id = id;
		result = (struct land_result){.outcome = LAND_NOTHING};
		_exit(fn(&plan, &ticket, &result, &err) < 0 ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status))
		assert_int_equal(status, 0);
	return WIFSIGNALED(status);
}

static inline const char *
id_of(int k)
{
	static char id[16];

	snprintf(id, sizeof(id), "k-%d", k);
	ticket.session = id;
	return id;
}

#endif
