/*
 * claims.h - who works on which task of a list, for all worktrees of a repository.
 *
 * A source needs four calls: claim, beat, done (or tell, which says how a task ended), and a
 * descriptor to wait on.  Another way of holding claims (for several machines) would have to
 * offer only these calls.  The other functions are for callers that only look, and for callers
 * that have to change something else under the same lock.
 *
 * The key of a claim is the repository, the list's place inside of it and the task's id;
 * nothing in it is absolute.  A list is a file in git's common directory (claims_place.c finds
 * it without running git), which all worktrees share: so a project is the same one in each of
 * them, and two projects of a repository never meet. Without git the file is in the project's
 * .ralph.
 *
 * Everyone who changes claims, or a graph or a ticket of a graph, holds the same lock
 * meanwhile: flock on a file that is never removed, so a lock ends with its holder.  Nothing
 * waits, runs or reaches for the network under it.  The file is replaced as a whole; readers
 * need no lock.
 *
 * A claim belongs to a process (boot id, pid, start time, host), or to nobody in particular
 * (pid 0: given out by a command that is over; then only completing or resetting ends it).
 * When its process has died without a verdict, the claim is void: the task can be taken again.
 * A loop's claim names its agent, too, which may outlive a loop that was killed, and the lock
 * that all of the agent's processes inherit: while any of these processes lives, the claim
 * holds.  So on one machine nobody has to beat by the clock.  A failure that was recorded stays
 * until somebody resets the task.
 *
 * Other modules know no more than this of how claims are held.
 */
#ifndef CLAIMS_CLAIMS_H
#define CLAIMS_CLAIMS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/process/proc.h"

/* The answer to a request for a task. */
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
	    CLAIM_STATE_COUNT,
	CLAIM_FREE = CLAIM_STATE_COUNT, /* nobody's: there is no record of it */
};

struct claim {
	const char *task;
	enum claim_state state;
	struct proc_id owner; /* the claim's process; pid 0: nobody in particular */
	struct proc_id
	    agent; /* the process that works on the task for the owner; pid 0: none yet */
	const char *host;
	const char *worktree; /* absolute */
	const char *since;    /* RFC 3339 */
	const char *note;     /* what went wrong, after a failure; "" */
	const char *lock;     /* absolute: the agent at work holds this (base/lock.h); "" */
};

struct claims;

/* The lists: tasks of different ones have nothing to do with each other. */
#define CLAIMS_GRAPH "graph"
#define CLAIMS_TICKETS "tickets"

/* Opens the claims of a list for the project whose directory is `root`.  Writes nothing. */
struct claims *claims_open(const char *root, const char *list, struct err *err) NODISCARD;
/* The claims of a project's tickets.  Two projects may share a directory of tickets: the list
 * belongs to that directory if it is in the project's work tree, or if neither is in a work
 * tree. */
struct claims *claims_open_tickets(
    const char *root, const char *tickets, struct err *err) NODISCARD;
void claims_close(struct claims *c);
const char *claims_worktree(const struct claims *c); /* the top of ours, absolute */
/* Does anybody hold a claim, or did anybody die with one? */
bool claims_any_held(const struct claims *c);
/* The name of the list, relative to the directory of all that the repository has of ours; NULL
 * without git. */
const char *claims_key(const struct claims *c);

/* ---- the four calls ------------------------------------------------------------------- */

#define CLAIMS_WAIT (5 * INT64_C(1000000000)) /* ns, for others who have the lock */

/* Each call takes the lock for a moment, unless the caller has it. */

/* Claims the task for the process `owner`, whose agent will hold `lock` (NULL: none).
 * CLAIM_CLAIMED: the process has the task now, or had it already; CLAIM_REFUSED: another
 * process that lives has the task, and the sentence says which; CLAIM_BUSY, CLAIM_IO_ERROR. */
enum claim_result claims_claim(struct claims *c, const char *task, pid_t owner,
    const char *lock, struct err *err) NODISCARD;
/* From now on `owner` has the task (0: nobody in particular), and `agent` works on it (0:
 * nobody; an agent that is gone already works on nothing).  1: lost; there is no such claim any
 * more, or another process has it. */
int claims_beat(
    struct claims *c, const char *task, pid_t owner, pid_t agent, struct err *err) NODISCARD;
/* Ends the claim: FAILED (`note` says why; only a held claim can fail), COMPLETE, or FREE as if
 * the claim had never been.  `owner`: only when that process has the claim, or a process that
 * died; 0: whoever has the claim. */
int claims_done(struct claims *c, const char *task, pid_t owner, enum claim_state state,
    const char *note, struct err *err) NODISCARD;
/* For tickets: `owner`, or a person (0), says that the task is over and has that status from
 * now on.  The status is remembered while anybody has a claim, and for an hour, for callers
 * that ask later (ledger.h).  When another process has the claim, nothing is remembered: that
 * process will tell. */
int claims_tell(struct claims *c, const char *task, pid_t owner, const char *status,
    struct err *err) NODISCARD;
/* A descriptor that is readable when somebody has changed a claim; -1 when it cannot be had.
 * The caller reads it empty.  The death of a process is no change: a caller that waits has to
 * look now and then, too. */
int claims_fd(struct claims *c);

/* Removes files that killed processes were about to write; claims_lock does so, too. */
void claims_sweep(const struct claims *c);

/* ---- looking ------------------------------------------------------------------------- */

/* Takes the lock, waiting at most `wait` ns for others, and reads the claims.  Code
 * EWOULDBLOCK: somebody holds the lock, and the sentence says who. */
int claims_lock(struct claims *c, int64_t wait, struct err *err) NODISCARD;
void claims_unlock(struct claims *c);
/* Reads the claims without the lock, for callers that only look. */
int claims_read(struct claims *c, struct err *err) NODISCARD;

size_t claims_count(const struct claims *c);
const struct claim *claims_at(const struct claims *c, size_t i);
const struct claim *claims_find(const struct claims *c, const char *task); /* NULL */
/* Did the claim's owner die without a verdict?  False for a claim of another machine, where
 * nobody knows. */
bool claim_is_void(const struct claim *claim);
/* Did the claim's agent end well, and its loop die before it could land the work?  Then that
 * loop lands the work when it goes on.  `ended_well` says how the agent that held a lock ended
 * (NULL: nobody knows). */
bool claim_is_owed(const struct claim *claim, bool (*ended_well)(const char *lock));
/* Does a process work on the claimed task now? */
bool claim_is_alive(const struct claim *claim);
/* Has anybody but that process got the claim? */
bool claim_is_anothers(const struct claim *claim, pid_t process);
const char *claim_state_name(enum claim_state s);
int claim_state_parse(const char *name); /* -1 */
/* Appends in a few words whose claim it is. */
void claim_describe(const struct claim *claim, struct buf *out);

/* claims_place.c: the top of the work tree that dir is in and git's directory that all of its
 * worktrees share, both absolute; code ENOENT when there is no repository. */
int claims_place(const char *dir, char **top, char **common, struct err *err) NODISCARD;

#endif
