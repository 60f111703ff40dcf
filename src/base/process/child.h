/*
 * child.h - the one way to start a program.
 *
 * All signals blocked, fork (vfork semantics are safe here too: the child only
 * makes system calls), in the child: default handlers, empty mask, session,
 * controlling terminal, directory, descriptors, exec.  An exec that fails
 * comes back as an error of child_start ("claude: command not found"), never as
 * exit 127.  Only descriptors 0-2 and those listed in `keep` reach the
 * program; kept ones keep their numbers.  Passes a fault point ("spawn").
 */
#ifndef BASE_PROCESS_CHILD_H
#define BASE_PROCESS_CHILD_H

#include "base/err.h"
#include "base/exit.h"
#include <sys/types.h>

struct child_spec {
	const char *file; /* the file to execute; NULL: argv[0] searched in PATH of env */
	char *const *argv;
	char *const *env; /* NULL: ours */
	const char *cwd;  /* NULL: ours */
	int in, out, err; /* descriptors for 0-2; -1 is /dev/null */
	const int *keep;  /* terminated by -1; NULL for none */
	bool new_session; /* setsid */
	bool tty; /* new session whose controlling terminal is `out` (implies new_session) */
	int death_signal; /* PDEATHSIG, 0 for none */
	bool block_term;  /* SIGTERM does not reach it, or those it starts */
};

struct child {
	pid_t pid;
	int pidfd; /* O_CLOEXEC; the caller closes it */
};

int child_start(const struct child_spec *spec, struct child *child, struct err *err) NODISCARD;
/* The argv of `/bin/sh -c command`, for a command that the user wrote; words that are added
 * become $0, $1 ...  The caller frees the list. */
char **child_shell(const char *command) NODISCARD;
/* After the pidfd became readable (or blocking, when wait): reaps.  1, 0 when still
 * running, -1 when it is not there to be reaped (status is then EXIT_UNKNOWN). */
int child_reap(struct child *child, bool wait, struct exit_status *status) NODISCARD;

/* As child_reap, where the status does not matter: a child that was reaped, or is not there,
 * has its pidfd closed and its pid set to -1.  False while the child runs. */
bool child_discard(struct child *child, bool wait);

/*
 * A child subreaper gets children that it did not start.  Was this one started by child_start
 * (or a job), and not reaped yet?  A fork that is no program (base/process/job.h) is noted by
 * hand.
 */
bool child_is_ours(pid_t pid);
void child_note(pid_t pid);
void child_forget(pid_t pid);

#endif
