/*
 * trial.h - one life of a loop in a directory of its own, with a fault somewhere in it.
 *
 *   DIR/home     RALPH_HOME
 *   DIR/prompt   the prompt file
 *   DIR/agents   what the agents say of themselves: "start I PID", "end I PID"
 *   DIR/points   the fault points that were passed (RALPH_FAULT_LOG)
 *   DIR/goI      the agent of iteration I may end, where it waits for that
 *   DIR/NAME.out, DIR/NAME.err   of every command
 *
 * A trial is a process.  It is a subreaper: when it has no child left, nothing of the trial
 * lives.  What is wrong goes to its report; the sweep shows it.
 */
#ifndef FAULT_TRIAL_H
#define FAULT_TRIAL_H

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <sys/types.h>

#define LOOP "x"
#define MAX_ITERATIONS 5
#define PATIENCE_MS 30000

struct trial {
	char dir[PATH_MAX];
	const char *kind; /* KILL, ENOSPC ... (scenarios.h) */
	const char *role; /* who meets the fault */
	bool onward;	  /* at the point and at all later ones */
	unsigned point;
	bool failed;
	bool command; /* the prompt comes from a command */
	bool project; /* commands are run in DIR/project (backlog.h) */
};

/* Is the fault in the environment of a command? */
enum fault { SOUND, FAULTY };

void complain(struct trial *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* Writes a point down that the program does not count (scenarios.h). */
void trial_note(const struct trial *t, unsigned point, const char *what);
/* Did the plan's point come to pass? */
bool trial_was_hit(const struct trial *t);

/* Paths are below the trial's directory. */
char *trial_path(const struct trial *t, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
char *trial_read(const struct trial *t, const char *name); /* "" when it cannot be read */
bool trial_has(const struct trial *t, const char *name);
void trial_touch(const struct trial *t, const char *name);
void trial_remove(const struct trial *t, const char *name);

/* Starts $RALPH with the arguments. */
pid_t trial_start(struct trial *t, enum fault fault, const char *out, const char *const *args);
/* Starts "ralph run" with the agent of that kind (agent.h). */
pid_t trial_start_loop(struct trial *t, enum fault fault, const char *out, const char *agent);
/* Its wait status; complains and kills it when it takes too long. */
int trial_wait(struct trial *t, pid_t pid);
/* Both, for a command of one or two words and the loop's name: exit code, or -signal. */
int trial_do(struct trial *t, enum fault fault, const char *out, const char *command);
/* Until the file `out` has the text, or the process ended (*status is set then; -1 when it
 * goes on). */
bool trial_expect(struct trial *t, pid_t pid, const char *out, const char *text, int *status);
/* The same of "run": until it says that it waits for something of ours that does not work. */
bool trial_expect_held(struct trial *t, pid_t pid, int *status);
/* Until every agent that started has ended. */
void trial_expect_quiet(struct trial *t);
/* Nothing that the trial started is alive. */
void trial_all_gone(struct trial *t);

#endif
