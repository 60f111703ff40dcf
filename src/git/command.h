/*
 * command.h - runs a command of the user's at a work tree: setup, verify, a hook.
 *
 * command_run becomes a child subreaper, to end what the command leaves running: call it in a
 * process of its own, without other children.
 */
#ifndef GIT_COMMAND_H
#define GIT_COMMAND_H

#include "base/buf.h"
#include "base/err.h"

struct command {
	const char *what;  /* the command's name in sentences */
	const char *shell; /* the command for /bin/sh; NULL: none, which counts as a success */
	const char *worktree; /* RALPH_WORKTREE: the directory that it runs in */
	const char *prefix;   /* the command runs in this directory below, if it exists; NULL */
	const char *ticket;   /* RALPH_TICKET; NULL */
	int64_t timeout;      /* ns; 0: 30 min */
};

/* 0: it succeeded; 1: it did not, `why` tells; -1: it could not be run.  Nothing that it
 * started is left running. */
int command_run(const struct command *c, struct buf *why, struct err *err) NODISCARD;

#endif
