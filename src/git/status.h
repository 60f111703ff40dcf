/*
 * status.h - what `git status --porcelain=v2 -z` says, line by line, and what is under way.
 */
#ifndef GIT_STATUS_H
#define GIT_STATUS_H

#include "base/buf.h"

struct status_line {
	char kind;	  /* '1': changed; '2': moved; 'u': with a conflict; '?': untracked;
			     '!': ignored; '#': a header */
	const char *path; /* of a header: its text; directories end with a slash */
	const char *sub;  /* of '1', '2' and 'u': "N..." or "S" and what a submodule has */
	bool gone;	  /* of '1' and 'u': the work tree has nothing of that name */
	bool staged;	  /* of '1', '2' and 'u': the index is not as HEAD */
};

/* Reads the next line from *at, which is status->data at first; false: no line is left. */
bool status_next(const char **at, const struct buf *status, struct status_line *l);
/* The value of a header "branch.oid" or "branch.head"; NULL: the line is another one, or there
 * is no commit, no branch. */
const char *status_header(const struct status_line *l, const char *name);
/* The operation that is begun and not finished in the work tree of that git directory: "merge",
 * "rebase", "cherry-pick", "revert", "bisect"; NULL: nothing. */
const char *status_underway(const char *git_dir);

#endif
