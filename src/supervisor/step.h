/*
 * step.h - something a supervisor has done for one of its sessions that takes a while: git, a
 * user's command.
 *
 * Every step is a job (base/process/job.h): the supervisor goes on, and every process that the
 * step started ends with the step.  It must be possible to do a step again.  A step whose
 * process was killed is done again, a few times; a step that gets no process waits for one; and
 * a step that meets a full or failing disk waits until that is over (held.h).
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
/* Ends the session's steps within the grace; false when there is none. */
bool step_end(struct running *r, const char *session);
void steps_free(struct running *r);

#endif
