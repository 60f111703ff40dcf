/*
 * marks.h - files that git was told to take for unchanged, or not to look at (update-index
 * --assume-unchanged, --skip-worktree).
 */
#ifndef GIT_MARKS_H
#define GIT_MARKS_H

#include "base/buf.h"
#include "base/err.h"

/* A work tree with such marks. */
struct marked {
	const char *dir;     /* top of the work tree */
	const char *git_dir; /* git directory of the work tree */
	const char *index;   /* marks are removed there instead of in its own; NULL */
	bool within;	     /* another work tree's index names it */
};

/* Paths, each with a NUL. */
struct marks {
	struct buf assumed; /* to be unchanged */
	struct buf skipped; /* not to be looked at, save what a sparse checkout leaves out */
};

#define MARKS_INIT                                       \
	{                                                \
		.assumed = BUF_INIT, .skipped = BUF_INIT \
	}

void marks_release(struct marks *m);
/* Finds the marks of a work tree; starts no git when the index has none. */
int marks_find(const struct marked *at, struct marks *out, struct err *err) NODISCARD;
int marks_remove(const struct marked *at, const struct marks *m, struct err *err) NODISCARD;
/* Removes all marks of the work tree dir, whose git directory is git_dir, and of the
 * repositories within it.  Files that a sparse checkout leaves out keep their mark.  Adds the
 * work tree's own files that had a mark to *cleared (strlist). */
int marks_clear(
    const char *dir, const char *git_dir, char ***cleared, struct err *err) NODISCARD;

#endif
