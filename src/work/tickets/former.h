/*
 * former.h - the run that is there already: whether it goes on, and with what.
 *
 * A run that is not over goes on when its loop is found.  The run keeps the settings it began
 * with; a user who asks for other settings now is told so.  The state that another program left
 * is taken over.  A new run begins only when no agent of an earlier one works any more: two
 * agents would share a ticket's worktree.
 */
#ifndef WORK_TICKETS_FORMER_H
#define WORK_TICKETS_FORMER_H

#include "loop/settings.h"
#include "loops/loop_view.h"
#include "work/tickets/views/tickets_view.h"

struct former {
	struct tickets_run run;
	bool there;    /* a run that is not over */
	bool resumes;  /* the run is a loop of ours that can go on */
	bool paused;   /* somebody paused it, and nobody took that back */
	char **worker; /* the command of the run that resumes; NULL */
};

/* Finds the run.  -1 + err: nobody may run now, or the state cannot be read.  `fresh`: puts the
 * existing run aside.  `notes` gets warnings, a line each. */
int former_find(const char *root, bool fresh, struct former *f, struct buf *notes,
    struct err *err) NODISCARD;
/* The loop of the run that is not over, for callers that only look; false: none is found. */
bool former_view(const char *root, struct loop_view *v) NODISCARD;
void former_release(struct former *f);
/* Appends the names of settings that differ from those of the run, "verify, copy".  `worker`:
 * includes the settings of the worker. */
void former_differences(
    const struct former *f, const struct settings *now, bool worker, struct buf *out);

#endif
