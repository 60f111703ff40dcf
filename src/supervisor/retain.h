/*
 * retain.h - old sessions of a loop go, as its settings say (loop/retention.h).
 *
 * The removal looks at every session's directory and may remove gigabytes, so it is a job of
 * its own beside the agents: half a minute after the first session, then every half minute if
 * there was another session or the disk is nearly full, and at once when as many sessions as
 * stay have come meanwhile (10 at least, 100 at most).  The supervisor removes the rest when it
 * leaves.
 *
 * A directory that goes is first moved into sessions/.old, which belongs to no session.  A job
 * that is killed in the midst of the removal leaves the rest there, and the next look begins
 * with that rest.
 *
 * Besides the newest sessions these stay: every session in the loop's state (the session lives,
 * or its work is being landed), a session that a step works on, and a session whose lock is
 * held, because something that its agent started still runs.  Only directories named UID-NUMBER
 * are looked at.
 */
#ifndef SUPERVISOR_RETAIN_H
#define SUPERVISOR_RETAIN_H

#include "supervisor/running.h"

/* After the views were written: sees to it that somebody looks. */
void retain_tidy(struct running *r);
/* The last look, in this process; nothing follows it. */
void retain_finish(struct running *r);

#endif
