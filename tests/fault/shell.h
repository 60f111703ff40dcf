/*
 * shell.h - what a shell command says, run in a trial's project (DIR/project).
 */
#ifndef FAULT_SHELL_H
#define FAULT_SHELL_H

#include "trial.h"

/* Without the last newline; the caller frees it. */
char *shell(const struct trial *t, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* Complains unless the command says just that. */
#define CHECK_SHELL(t, expected, ...)                                                       \
	do {                                                                                \
		char *said_ = shell(t, __VA_ARGS__);                                        \
                                                                                            \
		if (strcmp(said_, expected) != 0)                                           \
			complain(                                                           \
			    t, "%s\n  says: %s\n  not: %s", #__VA_ARGS__, said_, expected); \
		free(said_);                                                                \
	} while (0)

#endif
