/*
 * retain.h - old sessions of a loop go, as its settings say (loop/retention.h).
 *
 * That takes a look at every session's directory and may remove gigabytes, so it is a job of
 * its own beside the agents: half a minute after the first session, then every half minute if
 * there was another session or the disk is nearly full, and at once when as many as stay have
 * come meanwhile (10 at least, 100 at most).  What is left is done when the supervisor leaves.
 *
 * A directory that goes is first moved into sessions/.old, which is nobody's: whoever is killed
 * in the midst of it leaves the rest there, and the next look begins with that.
 *
 * What stays besides the newest: every session that the loop's state has (it lives, or its work
 * is being landed), one that a step is at, and one whose lock is held, that is, something that
 * its agent started still runs.  Only directories named UID-NUMBER are looked at.
 */
#ifndef SUPERVISOR_RETAIN_H
#define SUPERVISOR_RETAIN_H

#include "supervisor/running.h"

/* After the views were written: sees to it that somebody looks. */
void retain_tidy(struct running *r);
/* The last look, in this process; nothing follows it. */
void retain_finish(struct running *r);

#endif
