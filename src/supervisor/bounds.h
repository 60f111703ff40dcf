/*
 * bounds.h - a loop and its agents' commands stay in the loop's project (base/links.h).
 *
 * The loop finds out once where the links of its project lead, and writes that into its spec.
 * Its supervisor refuses every other way out of the project. So do the commands that an agent
 * of it runs (tk, graph, done ...), at the paths that the loop had looked at: other links below
 * the project may be the user's, and nobody knows whether they were there before.
 */
#ifndef SUPERVISOR_BOUNDS_H
#define SUPERVISOR_BOUNDS_H

#include "loop/settings.h"

/* The project that a loop with these settings writes to; NULL: none. */
const char *bounds_root(const struct settings *s);
/* Where the links of that project lead now. */
void bounds_find(struct settings *s);
/* Keeps this supervisor within the project from now on.  The state home is the supervisor's
 * own, wherever the home is. */
void bounds_supervisor(const struct settings *s, int home);
/* Keeps a command that an agent runs within the project of the agent's loop, too. */
void bounds_command(void);

#endif
