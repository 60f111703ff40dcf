/*
 * announce.h - "spawned NAME ...": what `swarm spawn` says once the worker is there.
 *
 * A loop over a prompt is there when its first iteration starts; a plain worker when its
 * process runs; with ready_wait, when it is ready or the time is up.  A detached supervisor
 * leaves the terminal at that moment, and the command that started it returns.
 */
#ifndef SUPERVISOR_ANNOUNCE_H
#define SUPERVISOR_ANNOUNCE_H

#include "supervisor/running.h"

/* Call before the console shows the facts of a decision. */
void announce_facts(struct running *r, const struct fact *facts, size_t n);
/* Was the loop to be announced, and is not yet?  A loop that is over then leaves nothing. */
bool announce_missed(const struct running *r);
void announce_stop(struct running *r);

#endif
