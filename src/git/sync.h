/*
 * sync.h - writes to the disk what a step is about to rely on.
 *
 * Git syncs what our own runs of it commit.  It does not sync the objects of an agent's
 * commits, nor names in directories, nor the files of a checkout.  In a small repository the
 * whole file system is synced for that, which is one write where little waits to be written. In
 * a large one a ticket's fresh worktree waits, too, all of which can be made again; there the
 * objects, references and files that are new are synced one by one, each with the directories
 * that name it, and nothing else.
 *
 * New is what a commit has and the commits that are known to be on the disk have not.  Those
 * commits are in a file in the common directory, with the packs that are known to be there, all
 * by name: no clock is asked.  A file that is missing, damaged or another repository's costs a
 * sync of the file system, as do more than SYNC_FILES files, and all that is not understood.
 * The file is written after that of which it tells.
 *
 * Order: sync_ahead before a worktree is made; sync_commit before a reference to the commit is
 * moved; sync_checkout after a checkout took a commit, and before anybody is told.  Each may be
 * called again.  -1: what was asked for may not be on the disk.
 */
#ifndef GIT_SYNC_H
#define GIT_SYNC_H

#include "base/err.h"

/* So many files are synced one by one at most. */
#define SYNC_FILES 256

/* A checkout that was moved forward. */
struct sync_checkout {
	const char *common; /* the repository's common directory */
	const char *top;
	const char *from, *to;	 /* the commit that it had, and the one that it has */
	const char *const *refs; /* full names of those that moved; ends with NULL */
};

/* Is the repository so large that file by file is cheaper? */
bool sync_is_large(const char *common);
/* Syncs all that the commit leads to, whoever made it. */
int sync_commit(const char *common, const char *commit, struct err *err) NODISCARD;
/* As sync_commit, in a large repository alone: what would have to be synced with a worktree
 * that is about to be made is synced without it. */
int sync_ahead(const char *common, const char *commit, struct err *err) NODISCARD;
/* Syncs the commit, the files that differ, index, HEAD, the references and their logs. */
int sync_checkout(const struct sync_checkout *c, struct err *err) NODISCARD;

/* Syncs files below dir, which a step wrote beside a worktree, each with the directories that
 * name it, dir included.  The paths are relative to dir; the list gets sorted. */
int sync_files(const char *common, const char *dir, char **paths, struct err *err) NODISCARD;

#endif
