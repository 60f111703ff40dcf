/*
 * orphan.h - processes below us without a session (private to this room; session_gather in
 * session.h says what a supervisor asks for).
 */
#ifndef SESSION_ORPHAN_H
#define SESSION_ORPHAN_H

#include "base/ev.h"
#include "base/process/child.h"

/* Takes over a keeper that goes on without its session here, and its pidfd: the keeper only
 * waits to be reaped. */
void orphan_add(struct ev *ev, const struct child *keeper);
/* Notes a process that may live below us and is nobody's agent: a tmux server. */
void orphan_guest(pid_t pid);

/*
 * After a keeper was lost: kills the processes that came to us from it.  A living session has
 * only its keeper among our own children, so any other child belongs to a lost session.  True
 * when no such child was left; else call again after a moment.  Without session_gather no
 * process comes to us, and nothing is done.
 */
bool orphans_end(void);
/* Reaps every such child that has ended, whichever session it was of. */
void orphans_reap(void);

#endif
