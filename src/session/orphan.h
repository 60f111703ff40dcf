/*
 * orphan.h - what is below us without a session (private to this room; session_gather in
 * session.h says what a supervisor asks for).
 */
#ifndef SESSION_ORPHAN_H
#define SESSION_ORPHAN_H

#include "base/ev.h"
#include "base/process/child.h"

/* A keeper that goes on without its session here: it waits only to be reaped.  Takes over the
 * pidfd. */
void orphan_add(struct ev *ev, const struct child *keeper);
/* A process that may live below us, or not, and is nobody's agent: a tmux server. */
void orphan_guest(pid_t pid);

/*
 * A keeper was lost: kills what came to us from it.  No living session has anything among our
 * own children but its keeper, so whoever else is there belongs to one that was lost.  True
 * when nobody was left; else to be called again after a moment.  Without session_gather nobody
 * comes to us, and nothing is done.
 */
bool orphans_end(void);
/* Reaps what has ended, of whomever it was. */
void orphans_reap(void);

#endif
