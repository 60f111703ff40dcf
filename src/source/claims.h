/*
 * claims.h - who works on which task of a graph, for all worktrees of a repository.
 *
 * The claims are one file in git's common directory (claims_place.c finds it without running
 * git), which all worktrees share; without git they are in the project's .ralph.  Everyone who
 * changes the graph, a ticket of it or the claims holds the same lock meanwhile: flock on a
 * file that is never removed, so a lock ends with its holder.  Nothing waits, runs or reaches
 * for the network under it.  The file is replaced as a whole; readers need no lock.
 *
 * A claim belongs to a process (boot id, pid, start time, host), or to nobody in particular
 * (pid 0: given out by a command that is over; then only completing or resetting ends it).
 * When its process has died without a verdict, the claim is void: the task can be taken again.
 * A loop's claim names its agent, too, who may outlive a loop that was killed: while either
 * lives, the claim holds.
 * A failure that was recorded stays until somebody resets the task.
 *
 * This is all anybody knows of how claims are held.
 */
#ifndef SOURCE_CLAIMS_H
#define SOURCE_CLAIMS_H

#include "base/err.h"
#include "base/proc.h"

/* What came of asking for a task. */
enum claim_result {
	CLAIM_CLAIMED,
	CLAIM_ALL_COMPLETE, /* nothing is left to do */
	CLAIM_BLOCKED,	    /* something is left, and none of it can be done now */
	CLAIM_REFUSED,	    /* not that task, not for this one: the sentence says why */
	CLAIM_BUSY,	    /* somebody held the lock all the time */
	CLAIM_INVALID,	    /* the graph is wrong */
	CLAIM_IO_ERROR,
};

#define CLAIM_STATES(X)     \
	X(HELD, "claimed")  \
	X(FAILED, "failed") \
	X(COMPLETE, "complete")

enum claim_state {
#define X(id, name) CLAIM_##id,
	CLAIM_STATES(X)
#undef X
	    CLAIM_STATE_COUNT
};

struct claim {
	const char *task;
	enum claim_state state;
	struct proc_id owner; /* pid 0: nobody in particular */
	struct proc_id agent; /* who works on it for the owner; pid 0: nobody yet */
	const char *host;
	const char *worktree; /* absolute */
	const char *since;    /* RFC 3339 */
	const char *note;     /* of a failure: what went wrong; "" */
};

struct claims;

/* The claims for the graph in that directory; nothing is written yet. */
struct claims *claims_open(const char *root, struct err *err) NODISCARD;
void claims_close(struct claims *c);
const char *claims_worktree(const struct claims *c); /* the top of ours, absolute */
const char *claims_dir(const struct claims *c);	     /* where they are */

/* Takes the lock, waiting so long (ns) for others, and reads.  Code EWOULDBLOCK: somebody holds
 * it, and the sentence says who. */
int claims_lock(struct claims *c, int64_t wait, struct err *err) NODISCARD;
void claims_unlock(struct claims *c);
/* Reads without the lock; for who only looks. */
int claims_read(struct claims *c, struct err *err) NODISCARD;

size_t claims_count(const struct claims *c);
const struct claim *claims_at(const struct claims *c, size_t i);
const struct claim *claims_find(const struct claims *c, const char *task); /* NULL */
/* Did its owner die without a verdict?  Of another machine's nobody knows: no. */
bool claim_is_void(const struct claim *claim);
/* Is there a process that works on it now? */
bool claim_is_alive(const struct claim *claim);
const char *claim_state_name(enum claim_state s);

/* Under the lock; written when they return.  The strings are copied; host, and worktree and
 * since when they are NULL, are filled in. */
int claims_put(struct claims *c, const struct claim *claim, struct err *err) NODISCARD;
int claims_remove(struct claims *c, const char *task, struct err *err) NODISCARD;

/* claims_place.c: the top of the work tree that dir is in and git's directory that all of its
 * worktrees share, both absolute; code ENOENT when there is no repository. */
int claims_place(const char *dir, char **top, char **common, struct err *err) NODISCARD;

#endif
