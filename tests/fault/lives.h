/*
 * lives.h - a kind of loop as a row of functions, and lives that are the same for every kind.
 */
#ifndef FAULT_LIVES_H
#define FAULT_LIVES_H

#include "trial.h"

#define KILLED_BY_US (-9)

struct life {
	void (*make)(struct trial *t);
	pid_t (*start)(struct trial *t, enum fault fault, const char *out);
	int well; /* its exit code when nothing went wrong */
	/* Again as a user would, without faults, until all is done that can be. */
	void (*go_on)(struct trial *t);
	/* All is done, nothing twice, nothing and nobody is left. */
	void (*check)(struct trial *t);
	/* And each by one agent, and told once. */
	void (*check_once)(struct trial *t);
};

extern const struct life run_life, tickets_life, graph_life, todo_life;

/* An error, as opposed to a death or a write that is continued, is told: to those who read, or
 * in the events. */
void life_told(struct trial *t);
/* A fault that every keeper or job meets, or that stays: the loop ends and says why, or waits
 * and says for what, until its supervisor is killed here; the next one does the rest. */
void life_held(struct trial *t, const struct life *life);
/* One error of the supervisor: before there is a loop it is the end, and said; later the loop
 * goes on. */
void life_error(struct trial *t, const struct life *life);
/* kill -9 of the supervisor: the next one goes on. */
void life_killed(struct trial *t, const struct life *life);
/* A process that stands still for a moment changes nothing but the time that it takes. */
void life_stopped(struct trial *t, const struct life *life);

#endif
