/*
 * graph.h - the lives of `ralph graph run` that are swept (scenarios.h).
 *
 *   DIR/project   a repository with a graph of three tasks: T-2 waits for T-1
 *   DIR/agents    as the workers of tickets tell it (worker.h)
 */
#ifndef FAULT_GRAPH_H
#define FAULT_GRAPH_H

#include "trial.h"

void graph_kill(struct trial *t);
void graph_error(struct trial *t);
/* Whatever meets it each time, or lasts. */
void graph_held(struct trial *t);
void graph_stopped(struct trial *t);

#endif
