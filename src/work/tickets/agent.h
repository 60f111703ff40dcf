/*
 * agent.h - what works on the tickets of `ralph loop`, and how it is told which.
 */
#ifndef WORK_TICKETS_AGENT_H
#define WORK_TICKETS_AGENT_H

#include "loop/settings.h"
#include "work/tickets/config.h"

/* Fills in the agent's command and how it gets its prompt: `given` (NULL, or a command line),
 * else what the configuration names, else pi.  `needed`: it will be started, so it has to be
 * there, and for pi what its workflow means.  -1 + err: a sentence that says what to do. */
int agent_settle(
    struct loop_config *c, char *const *given, bool needed, struct err *err) NODISCARD;

#endif
