/*
 * repo.h - what is asked of a repository, whoever asks (private to this room).
 *
 * Its common directory holds our locks: one for everything that changes its worktrees or
 * references (unserialised, `git worktree add` fails now and then), and one per branch that
 * gives landings their turn, commands of the user's included.  Who needs both takes his turn
 * first.
 */
#ifndef GIT_REPO_H
#define GIT_REPO_H

#include "base/process/run.h"

/* The reason for which git locks a worktree while it makes it. */
#define TREE_UNFINISHED "initializing"

/* One worktree in the list that git prints; strings point into it. */
struct tree {
	const char *path;
	const char *head;   /* commit, NULL when there is none */
	const char *branch; /* full ref name, NULL when detached */
	const char *locked; /* the reason, NULL when not */
	bool missing;	    /* its directory is gone, or its .git file is */
};

/* Sets the code of an error that has its sentence; -1. */
int repo_fail(struct err *err, int code);
/* Is dir in a work tree?  1: it is; 0: there is no repository, or one without a work tree; -1,
 * code EUCLEAN: git refuses it.  So it is with a `.git`, there or above as git looks for it,
 * that git finds to be none (its HEAD is empty, what it points to is gone): git itself then
 * speaks as if nothing were there, or takes the repository around it. */
int repo_search(const char *dir, struct err *err) NODISCARD;
char *repo_common(const char *dir, struct err *err) NODISCARD;
char *repo_top(const char *dir, struct err *err) NODISCARD;
/* Descriptors for lock_release.  For the lock others are waited for two minutes, for the turn
 * as long as it takes. */
int repo_lock(const char *common, struct err *err) NODISCARD;
int repo_turn(const char *common, const char *branch, struct err *err) NODISCARD;

int trees_read(const char *dir, struct run_result *list, struct err *err) NODISCARD;
/* The next one; *at is list->out.data at first, where the main work tree is. */
bool trees_next(const char **at, const struct run_result *list, struct tree *e);
/* By path; the main work tree is never the one that is looked for. */
bool trees_find(const struct run_result *list, const char *path, struct tree *e);

/* The git directory of a worktree of that repository, where the worktree's .git file and git's
 * entry for it point at each other and nothing could lead git elsewhere; NULL: ask git. */
char *tree_git_dir(const char *path, const char *common) NODISCARD;
/* Is it what git takes for the top of a work tree of that repository?  Otherwise git, asked
 * there, would talk of another one: of the repository around it, or of one that an agent put
 * there. */
bool tree_is_of(const char *path, const char *common);
/* A worktree that git began to make and was killed at: it has no index yet. */
bool tree_is_unfinished(const struct tree *e, const char *common);
/* Removes directory and entry, whatever is in it. */
int tree_forget(const char *repo, const char *path, bool locked, struct err *err) NODISCARD;

/* What the HEAD of that git directory is on; NULL: no branch, or that cannot be told. */
char *head_target(const char *git_dir) NODISCARD;
/* Is it on that branch? */
bool head_is(const char *git_dir, const char *ref);
/* Does git keep references in such files? */
bool refs_are_files(const char *common);
/* All of the repository is on the disk; objects of an agent's commits, too, which git does not
 * sync by itself.  To be called before anything comes to rely on them. */
int repo_sync(const char *common, struct err *err) NODISCARD;

/* As git will write it: links resolved as far as the path exists, which is *existing bytes. */
char *path_resolve(const char *path, size_t *existing, struct err *err) NODISCARD;
bool path_is_there(const char *path);

#endif
