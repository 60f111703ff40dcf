/*
 * past_runs.h - earlier runs of a loop's name, which are in the archive.
 *
 * The runs of a name are counted backwards: NAME@1 is the present one, which has no other name
 * than NAME; NAME@2 is the one before it, and so on.  So a number means another run when the
 * next one begins.  Earlier runs can be looked at, and nothing else.
 */
#ifndef LOOPS_PAST_RUNS_H
#define LOOPS_PAST_RUNS_H

#include "loops/loop_view.h"

/* For the help of commands that take an earlier run. */
#define PAST_RUNS                                                                              \
	"The runs of a name are counted backwards: NAME@2 is the run before the present one, " \
	"NAME@3 the one before that, and NAME@1 is the same as NAME."

/* Opens the run that `name` means.  -1: the name has not that form, or there is no loop of that
 * name at all, and *err is as it was; or the loop has no such run, and *err says how many there
 * are. */
int past_run_open(struct loop_view *v, const char *name, struct err *err) NODISCARD;
/* Opens an earlier run as past_run_open does, or a loop by its name (loop_view_open). */
int past_run_or_loop(struct loop_view *v, const char *name, struct err *err) NODISCARD;
/* How many earlier runs of that loop there are. */
size_t past_runs_count(int home, const char *name);

#endif
