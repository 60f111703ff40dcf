/*
 * run.h - run a program to its end and keep what it printed.
 *
 * For git and tmux: short programs whose answer is needed before going on.  stdin is /dev/null
 * or the given bytes; stdout and stderr are captured up to a limit; when the deadline passes
 * the program's process group is killed and that is an error.  No shell reads argv
 * (child_shell makes the argv of one).
 *
 * The program's end is what counts, not the end of its output: a server that it leaves behind
 * with our pipes (tmux does) is not waited for.
 */
#ifndef BASE_PROCESS_RUN_H
#define BASE_PROCESS_RUN_H

#include "base/buf.h"
#include "base/err.h"
#include "base/exit.h"

struct run_result {
	struct exit_status status;
	struct buf out, err;
};

#define RUN_INIT                                      \
	{                                             \
		{EXIT_UNKNOWN, 0}, BUF_INIT, BUF_INIT \
	}
#define AUTO_RUN __attribute__((cleanup(run_result_release))) struct run_result

/* For a program that answers before it goes on: when the program has printed `at`, `then` is
 * called, and `rest` is the end of the program's input.  When `then` returns -1, the input ends
 * without `rest`; the program is waited for all the same. */
struct run_pause {
	const char *at;
	int (*then)(void *ctx, struct err *err);
	void *ctx;
	const char *rest;
};

struct run_spec {
	const char *what; /* the program's name in sentences; NULL: argv[0] */
	char *const *argv;
	char *const *env;  /* NULL: ours */
	const char *cwd;   /* NULL: ours */
	const char *input; /* NULL: none */
	size_t input_len;
	const struct run_pause *pause; /* NULL: all of its input is there at once */
	size_t max;		       /* of each output; 0: 16 MiB; more is an error */
	int64_t timeout;	       /* ns; 0: 60 s */
	/* Must not be stopped half-way: SIGTERM reaches us only after its end, and it never. */
	bool whole;
};

void run_result_release(struct run_result *r);
/* 0 when the program ran to its end, whatever its status; -1 when it could not be run, printed
 * too much (code EFBIG) or took too long (ETIMEDOUT). */
int run_program(
    const struct run_spec *spec, struct run_result *result, struct err *err) NODISCARD;
/* Like run_program, but a status other than exit 0 is an error, too: the sentence has the first
 * line of the program's stderr ("git worktree add: fatal: ..."). */
int run_checked(
    const struct run_spec *spec, struct run_result *result, struct err *err) NODISCARD;

#endif
