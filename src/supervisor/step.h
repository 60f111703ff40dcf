/*
 * step.h - something a supervisor has done for one of its sessions that takes a while: git, a
 * user's command.
 *
 * Every step is a job (base/process/job.h): the supervisor goes on, and whatever the step
 * started ends with it.  A step must be such that it can simply be done again: when its process
 * was killed it is, a few times, when no process can be had it waits for one, and when the disk
 * is full, or fails, it waits for that to be over (held.h).
 */
#ifndef SUPERVISOR_STEP_H
#define SUPERVISOR_STEP_H

#include "base/process/job.h"
#include "supervisor/running.h"

struct step;

/* Once, unless the step is forgotten before; rc, out and err as of a job.  ECANCELED: somebody
 * ended it. */
typedef void step_done_fn(
    struct running *r, void *arg, int rc, const struct buf *out, const struct err *err);

struct step_spec {
	const char *session; /* "": of none */
	const char *what;    /* for messages */
	job_fn *run;
	step_done_fn *done;
	void (*release)(void *arg); /* after done, or without it */
	void *arg;		    /* belongs to the step from now on */
};

void step_start(struct running *r, const struct step_spec *spec);
/* Is a step of this session under way? */
bool step_busy(const struct running *r, const char *session);
/* Ends them within the grace; false when there is none. */
bool step_end(struct running *r, const char *session);
void steps_free(struct running *r);

#endif
