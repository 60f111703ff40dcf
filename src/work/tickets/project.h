/*
 * project.h - the project that `ralph loop` works in: its root, and who works in it now.
 *
 * A project is a directory with .tf/ralph in it.  `.pi` does not count: every user of pi has
 * one at home.
 *
 * One run at a time works in a project.  The lock is flock on .tf/ralph/dispatch-loop.lock; its
 * content ({"runId","pid","startedAt", ...}) is for people and for programs that know the file
 * but not flock.  The lock of such a program is respected while its process lives; so is the
 * lock of `tf ralph` ("PID TIME" in .tf/ralph/lock).  A process that is younger than the lock
 * that names it is not the owner of the lock.
 */
#ifndef WORK_TICKETS_PROJECT_H
#define WORK_TICKETS_PROJECT_H

#include "base/buf.h"
#include "base/err.h"
#include "base/lock.h"

#define PROJECT_DIR ".tf/ralph"
/* The seed's sentence, and what to type here. */
#define PROJECT_MISSING "Error: Ralph not initialized. Run: tf ralph init"
#define PROJECT_MISSING_HINT "(here that is: ralph loop init)"

/* The nearest directory with .tf/ralph, `from` (NULL: the current directory) or one above it;
 * else the nearest with .tf.  Absolute; the caller frees it.  NULL, code ENOENT: there is
 * none. */
char *project_find(const char *from, struct err *err) NODISCARD;
/* Where a new project goes: as project_find, but no higher than the directory of a repository
 * or of tickets; else `from` itself. */
char *project_place(const char *from, struct err *err) NODISCARD;
/* The nearest directory, `from` (absolute) or one above it, that has one of the names in it; a
 * name that ends in a slash is that of a directory.  NULL: none.  The caller frees it. */
char *project_nearest(const char *from, const char *const *names) NODISCARD;
/* Opens .tf/ralph of root; -1, code ENOENT: it is not initialised. */
int project_open(const char *root, struct err *err) NODISCARD;
/* As project_find and project_open, for commands that cannot go on without: says the seed's
 * sentence on stderr when there is no project.  NULL then, and after other errors. */
char *project_need(int *dir) NODISCARD;

/* Takes the lock for a run.  -1, code EWOULDBLOCK: somebody else is at work, and the sentence
 * says who.  A lock that a dead process left is replaced, and `notes` gets a line on it.
 * lock_release gives it back; lock_leave lets the file go on naming its run, because the run is
 * not over. */
int project_lock(
    const char *root, const char *run_id, struct buf *notes, struct err *err) NODISCARD;
/* Is somebody at work?  1, and a few words in `who`; 0; -1 + err. */
int project_busy(const char *root, struct buf *who, struct err *err) NODISCARD;

#endif
