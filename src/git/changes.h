/*
 * changes.h - what a work tree has that is not committed.
 */
#ifndef GIT_CHANGES_H
#define GIT_CHANGES_H

#include "base/buf.h"
#include "base/err.h"

struct changes_look {
	const char *dir;     /* the top of the work tree */
	const char *git_dir; /* the git directory of the work tree */
	char *const *copied; /* paths below which untracked files do not count; NULL */
	bool ignored;	     /* lists what git ignores, too */
};

struct changes {
	size_t count;
	char *first;	/* one of them */
	char *hidden;	/* one that git would not have told of: it was marked; NULL */
	char *foreign;	/* a submodule with work of its own; NULL */
	bool unmerged;	/* conflicts that nobody has resolved */
	char *underway; /* "merge", "rebase", ...: begun and not finished; NULL */
	char **ignored; /* where they are asked for: files, and directories with a slash */
	char *head;	/* commit; NULL: none yet */
};

void changes_release(struct changes *c);
/* Files that git was told not to look at count, and lose that mark (git/marks.h). */
int changes_read(const struct changes_look *look, struct changes *c, struct err *err) NODISCARD;

#endif
