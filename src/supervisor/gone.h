/*
 * gone.h - a supervisor whose own files were removed, or moved away, under it.
 *
 * Nobody can ever read the lines that such a supervisor writes, no command reaches it, and a
 * second loop may be started under its name.  So the supervisor starts nothing more: it says
 * why, runs --on-alert, ends its agents and leaves, with EX_FAILED and without a word in the
 * journal.  The agents' work in their projects stays.  A user who moves the directory back can
 * go on as after a crash.
 *
 * Every decision checks the files before it is written down, and a timer checks them where no
 * decision is due for long.  An inotify watch would tell sooner, but a user has only 128 of
 * them, and a watch does not notice that a directory above was moved, or that something was
 * mounted over it.
 */
#ifndef SUPERVISOR_GONE_H
#define SUPERVISOR_GONE_H

#include "supervisor/running.h"

/* Begins to look now and then. */
void running_gone_watch(struct running *r);
/* Are the supervisor's files gone?  Then err says so, and all of the above is under way. */
bool running_gone(struct running *r, struct err *err);
/* Is the state home itself still where it was? */
bool running_home_stays(const struct running *r);

#endif
