/*
 * delta.h - what differs between two trees, path by path in git's order.
 */
#ifndef GIT_DELTA_H
#define GIT_DELTA_H

#include "base/process/run.h"

/* One path, without renames; `path` points into what git printed. */
struct delta {
	char from_mode[7], to_mode[7];
	char from[65], to[65]; /* objects */
	char kind; /* 'A': added, 'D': deleted, 'M': modified, 'T': of another type */
	const char *path;
};

/* Reads the differences between two trees or commits below `paths` (ends with NULL; NULL:
 * everywhere).  When `to` is NULL: between `from` and the index of the work tree at dir. */
int delta_read(const char *dir, const char *from, const char *to, char *const *paths,
    struct run_result *result, struct err *err) NODISCARD;
/* Reads the next difference from *at, which is result->out.data at first; false: none is
 * left. */
bool delta_next(const char **at, const struct run_result *result, struct delta *d);
/* Does the mode say that the path does not exist? */
bool delta_is_gone(const char *mode);

#endif
