/*
 * repo.h - questions about a repository that several modules ask (private to src/git).
 *
 * The common directory of a repository holds our locks: one for everything that changes its
 * worktrees or references (unserialised, `git worktree add` fails now and then), and one per
 * branch that gives landings their turn, commands of the user's included. A caller that needs
 * both takes the turn first.
 */
#ifndef GIT_REPO_H
#define GIT_REPO_H

#include "base/process/run.h"

/* The reason for which git locks a worktree while it makes it. */
#define TREE_UNFINISHED "initializing"

/* One worktree in the list that git prints; strings point into it. */
struct listed_tree {
	const char *path;
	const char *head;   /* commit, NULL when there is none */
	const char *branch; /* full ref name, NULL when detached */
	const char *locked; /* the reason, NULL when not */
	bool missing;	    /* the worktree's directory or its .git file is gone */
};

/* Sets the code of an error that has its sentence; -1. */
int repo_fail(struct err *err, int code);
/* Is dir in a work tree? 1: yes; 0: there is no repository, or one without a work tree; -1,
 * code EUCLEAN: git refuses the repository.  A `.git` in dir, or above as far as git looks,
 * that git does not accept (its HEAD is empty, or its target is gone) is refused, too: git
 * itself says then that there is no repository, or uses the repository around that one. */
int repo_search(const char *dir, struct err *err) NODISCARD;
char *repo_common(const char *dir, struct err *err) NODISCARD;
char *repo_top(const char *dir, struct err *err) NODISCARD;
/* The short name of the branch that is checked out; NULL: none is. */
char *repo_branch(const char *dir) NODISCARD;
/* Both return a descriptor for lock_release. repo_lock waits for others for two minutes,
 * repo_turn as long as it takes. */
int repo_lock(const char *common, struct err *err) NODISCARD;
int repo_turn(const char *common, const char *branch, struct err *err) NODISCARD;

int trees_read(const char *dir, struct run_result *list, struct err *err) NODISCARD;
/* Reads the next worktree; *at is list->out.data at first, where the main work tree is. */
bool trees_next(const char **at, const struct run_result *list, struct listed_tree *e);
/* Finds a worktree by its path; the main work tree is never found. */
bool trees_find(const struct run_result *list, const char *path, struct listed_tree *e);

/* The git directory of a work tree of that repository: the common one when that is the tree's
 * own .git; else where the worktree's .git file and git's entry for it point at each other and
 * nothing could lead git elsewhere.  NULL: ask git. */
char *tree_git_dir(const char *path, const char *common) NODISCARD;
/* Does git take the path for the top of a work tree of that repository?  Otherwise git, run
 * there, would answer for another repository: the one around the path, or one that an agent put
 * there. */
bool tree_is_of(const char *path, const char *common);
/* Was git killed while it made that worktree?  Then the worktree has no index yet. */
bool tree_is_unfinished(const struct listed_tree *e, const char *common);
/* Removes the worktree's directory, whatever is in it, and git's entry for the worktree. */
int tree_forget(const char *repo, const char *path, bool locked, struct err *err) NODISCARD;

/* The one line of a file of git's, as git reads it: without line ends behind it; NULL. */
char *repo_file_line(const char *dir, const char *name) NODISCARD;
/* The full name of the branch that HEAD of that git directory is on; NULL: no branch, or not
 * known. */
char *head_target(const char *git_dir) NODISCARD;
/* Is HEAD of that git directory on that branch? */
bool head_is(const char *git_dir, const char *ref);
/* Does git keep the references of this repository in files? */
bool refs_are_files(const char *common);
/* Writes all of the repository to the disk, with the objects of an agent's commits, which git
 * does not sync by itself.  Call before anything relies on those objects. */
int repo_sync(const char *common, struct err *err) NODISCARD;

/* The path as git will write it.  Links are resolved in the part of the path that exists, which
 * is *existing bytes long. */
char *path_resolve(const char *path, size_t *existing, struct err *err) NODISCARD;
bool path_is_there(const char *path);
/* Is the path one of those (NULL: none), or below one of them? */
bool paths_hold(char *const *paths, const char *path);

#endif
