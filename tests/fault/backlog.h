/*
 * backlog.h - a trial's project: a git repository with three tickets, two of one component, one
 * that fails; `ralph loop` in it, and what must be true of it in the end.
 *
 *   DIR/project   the repository; .tickets is tracked, .tf is ignored
 */
#ifndef FAULT_BACKLOG_H
#define FAULT_BACKLOG_H

#include "trial.h"

#define SOME_FAILED 11 /* the exit code */

void backlog_make(struct trial *t);
/* Starts "ralph loop"; `verify` NULL: an ordinary one. */
pid_t backlog_start(struct trial *t, enum fault fault, const char *out, const char *verify);
/* Again as a user would, without faults, until all is done that can be. */
void backlog_go_on(struct trial *t);
/* What the run said it has left is put in order by hand: worktrees of merged tickets that
 * could not be removed, tickets that it opened again, because every attempt was killed. */
void backlog_tidy(struct trial *t);

/* How often an agent was started for a ticket. */
int backlog_starts(struct trial *t, const char *ticket);
/* Nobody is left, both tickets are in, the third was saved, nothing else is there. */
void check_backlog(struct trial *t);
/* One run made all of it: the counts of its views. */
void check_one_run(struct trial *t);

#endif
