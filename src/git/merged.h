/*
 * merged.h - merges in memory (git merge-tree), and their conflicts.
 */
#ifndef GIT_MERGED_H
#define GIT_MERGED_H

#include "base/err.h"

struct merged {
	char *tree;	  /* the result; files that conflict have markers in it */
	char **files;	  /* paths that conflict, each once; NULL: none */
	char **conflicts; /* of each conflict git's words for it, then the path; NULL: none */
};

#define MERGED_INIT          \
	{                    \
		.tree = NULL \
	}

void merged_release(struct merged *m);
/* Merges two commits.  `plain`: renames of files are followed and those of directories are not,
 * whatever is configured.  0: they merge; 1: m tells what conflicts; -1 + err.  Code ENOSYS:
 * git is too old for that. */
int merged_make(const char *dir, const char *ours, const char *theirs, bool plain,
    struct merged *m, struct err *err) NODISCARD;
/* Git's words for the conflict of a path; NULL: there is none. */
const char *merged_conflict(const struct merged *m, const char *path);
/* Sets the error for a git that cannot merge in memory; -1. */
int merged_unsupported(struct err *err);

#endif
