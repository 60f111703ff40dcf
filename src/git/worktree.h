/*
 * worktree.h - git worktrees for workers.
 *
 * Git is the git command line (git.h says how it is run).  Every command runs with -C in the
 * repository, so that it works from any directory.  Commands that change a repository's
 * worktrees run under one flock in its common directory: unserialised, `git worktree add` fails
 * now and then.
 */
#ifndef GIT_WORKTREE_H
#define GIT_WORKTREE_H

#include "base/buf.h"
#include "base/err.h"

struct worktree {
	char *path; /* absolute */
	char *branch;
	char *repo; /* absolute top of the main work tree */
	bool made;  /* by worktree_create just now, not used again */
};

void worktree_release(struct worktree *w);

/* The top of the main work tree of the repository that dir is in; code ENOENT and "not in a git
 * repository" when none, and no other failure has that code. */
int worktree_repo(const char *dir, char **top, struct err *err) NODISCARD;
/*
 * Makes (or uses again, when git knows it and it is on that branch) the worktree
 * <parent of repo>/<repo>-worktrees/<name>, or dir/<name> when dir is given (relative to the
 * repo's parent).  The branch (NULL: as the name) is made from the HEAD of cwd when it does not
 * exist, and git's configuration then says that we made it (branch.NAME.ralphMade).  A failed
 * attempt leaves nothing; what a killed one left unfinished is made anew.
 */
int worktree_create(const char *cwd, const char *name, const char *branch, const char *dir,
    struct worktree *out, struct err *err) NODISCARD;
/* Checks that nothing but ignored files would be lost with the worktree; a missing path has
 * nothing.  -1 + err, code EBUSY: there are changes ("worktree has N uncommitted change(s)"), a
 * merge or the like is under way, a repository within has commits that are nowhere else, or
 * HEAD is a commit that no branch or tag has.  Another code: git cannot tell.  Files that git
 * was told not to look at count, and lose that mark. */
int worktree_check(const struct worktree *w, struct err *err) NODISCARD;
/* How much git ignores in the worktree: "2 files (10 bytes)"; NULL: nothing, or not known.  The
 * caller frees the text. */
char *worktree_ignored(const struct worktree *w) NODISCARD;
/*
 * Removes the directory, with the files that git ignores in it, and git's entry for the
 * worktree.  Refuses what worktree_check refuses, unless `force`.  The branch stays when it has
 * commits that no other branch has, when it was not made by worktree_create, and when it is
 * checked out elsewhere; else it is deleted. When the worktree is gone already, that is a
 * success.
 */
int worktree_remove(const struct worktree *w, bool force, struct err *err) NODISCARD;

#endif
