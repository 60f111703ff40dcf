/*
 * agent.h - what works on the tickets of `ralph loop`, and how it is told which.
 */
#ifndef WORK_TICKETS_AGENT_H
#define WORK_TICKETS_AGENT_H

#include "loop/settings.h"
#include "work/tickets/config.h"

/* Fills in the agent's command and how the agent gets its prompt: `given` (NULL, or a command
 * line), else the command of the configuration, else pi.  `needed`: the agent will be started,
 * so it must be installed, and pi must know its workflow.  -1 + err: a sentence that says what
 * to do. */
int agent_settle(
    struct loop_config *c, char *const *given, bool needed, struct err *err) NODISCARD;

#endif
