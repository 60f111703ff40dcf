/*
 * orphan.h - what is below us without a session (private to this room).
 */
#ifndef SESSION_ORPHAN_H
#define SESSION_ORPHAN_H

#include "base/child.h"
#include "base/ev.h"

/* A keeper that goes on without its session here: it waits only to be reaped.  Takes over the
 * pidfd. */
void orphan_add(struct ev *ev, const struct child *keeper);
#endif
