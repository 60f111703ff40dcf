/*
 * checker.h - what must be true of a trial, found out from its files alone.
 */
#ifndef FAULT_CHECKER_H
#define FAULT_CHECKER_H

#include "trial.h"

/* The facts of the journal, in order; one that is not whole is left out.  *lines: how many
 * decisions. */
json_t *journal_facts(struct trial *t, size_t *lines);
/* How many facts of that kind, with that member (NULL: any). */
int facts_count(const json_t *facts, const char *kind, const char *key, const char *value);

/* P1, P2: what was printed to `out` is in the journal, plus one decision at most. */
void check_acknowledged(struct trial *t, const char *out);
/* P2: whatever was on disk opens. */
void check_opens(struct trial *t);
/* P5, P6: iterations without a gap, each once, one after the other, finished once. */
void check_journal(struct trial *t, const char *reason);
/* P5: as the agents saw it.  `killed`: an agent may have been killed. */
void check_agents(struct trial *t, bool killed);
/* Nothing half-written is left, nothing was moved aside, the lock is empty. */
void check_litter(struct trial *t);

#endif
