/*
 * sim.h - the pure loop in a fake world.
 *
 * One seed is one life of a loop: random settings, agents that end, hang, say
 * done, meet limits, are refused, get lost; keepers that freeze; a user who pauses, resumes,
 * stops and edits; disks that fill; supervisors that are killed between any two steps; reboots;
 * clocks that jump. After every step the rules (rules.c) are checked.  Everything follows from
 * the seed, so a failing one can be replayed.
 */
#ifndef SIM_SIM_H
#define SIM_SIM_H

#include "loop/loop.h"

#include <stdio.h>

#define SIM_TASKS 9
#define SIM_SIGNALS 128
#define SIM_SESSIONS 4096
#define SIM_JOURNAL 65536
#define SIM_SILENT "is silent"
#define SEC INT64_C(1000000000)

/* What is true of a session whatever the supervisor believes. */
enum fake_state { FAKE_ABSENT, FAKE_RUNNING, FAKE_ENDED, FAKE_VANISHED };

/* A ticket of the fake backlog. */
struct fake_task {
	char id[16];
	char components[16];
	int depends; /* another ticket's number, or -1 */
	bool closed; /* its agent closed it */
	bool landed;
	bool taken; /* another loop has it */
};

struct fake {
	char id[SESSION_ID_MAX];
	char task[TASK_ID_MAX];
	enum fake_state state;
	struct exit_status exit;
	int64_t signals; /* how many it has sent; each is kept for a new supervisor */
	enum signal_kind signal[SIM_SIGNALS];
	int64_t turns[SIM_SIGNALS];   /* the turn it was in when it sent it */
	int64_t numbers[SIM_SIGNALS]; /* SIGNAL_TOLD */
	int64_t resets[SIM_SIGNALS];  /* of a limit: when it passes, or 0 */
	bool ending;		      /* was asked to end */
	bool frozen;		      /* its keeper does nothing any more */
	bool forced;		      /* and is killed for it */
	bool told_running, told_ended;
	int64_t told_signals;
	bool landing; /* somebody is at it */
	bool landed;  /* git has its work */
	bool closed;  /* its tree says that the ticket is done */
	enum verdict outcome;
	bool waits; /* done, but git does not take it yet */
	/* An agent that is led: */
	int64_t turn;
	bool deliver; /* the turn's prompt is on its way */
	int64_t tell; /* the number of what it is to be told */
	int64_t told;
	int64_t said_done; /* in this turn */
	bool checking;
	int64_t checked; /* the turn whose work was found to be done */
};

struct world {
	uint64_t rng;
	uint64_t seed;
	bool verbose;
	struct when now;
	int64_t decided; /* boot time of the last decision */
	int boot;

	struct settings settings;
	enum regime regime;
	struct loop_state state;
	bool alive;	/* is there a supervisor? */
	bool recovered; /* has it had its IN_RECOVER? */
	bool answering; /* the source owes an answer */
	bool unchecked; /* with its last answer came word of what agents closed besides */
	bool unlanded;	/* with its last answer came word of merges that wait */
	bool answered;	/* and gives it just now */
	int lacking;	/* so many starts fail for want of something of ours */
	struct fake_task tasks[SIM_TASKS]; /* where work lands */
	int disk_full;			   /* this many appends fail */
	int exit_code;			   /* of the last EFFECT_EXIT; -1: none */

	struct fact journal[SIM_JOURNAL];
	size_t njournal;
	struct fake fakes[SIM_SESSIONS];
	size_t nfakes;
	int64_t steps;
	bool user_stopped;
	bool calm;	  /* no more trouble: the loop must come to its end */
	char broken[256]; /* the first rule that did not hold */
};

uint32_t sim_random(struct world *w, uint32_t n); /* 0..n-1 */
bool sim_chance(struct world *w, uint32_t percent);
void sim_break(struct world *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void sim_say(const struct world *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

void world_open(struct world *w, uint64_t seed, bool verbose);
void world_step(struct world *w);
void world_resume(struct world *w);
/* The loop is over and its supervisor gone? */
bool world_over(const struct world *w);
struct fake *world_find(struct world *w, const char *id);

/* Checked when an effect is about to be carried out, and after every step. */
void rules_open(const struct world *w);
void rules_effect(struct world *w, const struct effect *e);
void rules_fact(struct world *w, const struct fact *f);
void rules_landing(struct world *w, const struct fake *f);
void rules_assign(struct world *w, const struct fake *f); /* another task; f has the last */
void rules_decided(struct world *w); /* a decision was made and is on disk */
void rules_step(struct world *w);
void rules_end(struct world *w);

#endif
