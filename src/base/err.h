/*
 * err.h - how a function says what went wrong.
 *
 * Three kinds of failure, three mechanisms:
 *   BUG()       a mistake of ours: abort with file and line;
 *   die()       (log.h) start-up of a command that cannot go on;
 *   struct err  everything a running supervisor survives: the function
 *               returns -1 (or NULL) and fills in one finished sentence,
 *               without a trailing newline or the program's name.
 *
 * Library code never prints.  `code` keeps the errno for callers that must
 * tell causes apart (0 when there is none).  A function that succeeds leaves
 * the err alone.  A NULL err is allowed everywhere and means "not interested".
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include "base/compiler.h"

struct err {
	int code;
	char text[768];
};

#define ERR_INIT      \
	{             \
		0, "" \
	}

/* All return -1, so that `return err_set(err, ...)` composes. */
int err_set(struct err *err, const char *fmt, ...) PRINTF(2, 3);
/* As err_set, for a sentence that names the cause itself: code, and errno, are `code`. */
int err_code(struct err *err, int code, const char *fmt, ...) PRINTF(3, 4);
/* As err_set, then ": <strerror(errno)>", and code = errno. */
int err_errno(struct err *err, const char *fmt, ...) PRINTF(2, 3);
/* Puts "<text>: " before the sentence that is there already. */
int err_prefix(struct err *err, const char *fmt, ...) PRINTF(2, 3);
/* Passes on the sentence of a call whose failure had to be looked at first. */
int err_pass(struct err *err, const struct err *why);

NORETURN void bug_fn(const char *file, int line, const char *fmt, ...) PRINTF(3, 4);
#define BUG(...) bug_fn(__FILE__, __LINE__, __VA_ARGS__)
/* Always on, also in release builds. */
#define ENSURE(cond)                      \
	do {                              \
		if (!(cond))              \
			BUG("%s", #cond); \
	} while (0)

#endif
