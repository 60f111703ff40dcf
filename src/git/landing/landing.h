/*
 * landing.h - the work of one ticket: from a fresh worktree to a merge, or to a copy that is
 * kept.
 *
 * Nobody's work is lost and nobody's checkout is disturbed.  All landings onto one branch B go
 * through refs/ralph/land/B (L), which nobody checks out.  L exists while merges wait for B to
 * take them; where there is none, B stands for it, and a merge that B takes at once never was
 * in L.
 *
 * - prepare: the worktree DIR/ID is made on branch ralph/ID, from L with B's new commits;
 *   files to copy are copied, the setup command runs.  When an earlier attempt left work, the
 *   ticket goes on with it, and a copy of it is under refs/ralph/interrupted/ID.  Where
 *   somebody else has these names, nothing of theirs changes, and ID-2 is used.
 * - merge: leftovers are committed ("Ralph: complete ID"), changes below `drop` are taken out
 *   of what lands, L with B's new commits and ralph/ID are merged in memory (git merge-tree);
 *   the result is checked out detached in the ticket's worktree and verified there; B takes it,
 *   or L moves by compare-and-swap (when either has moved, all of this again) and B is
 *   published later; worktree and branch are removed.
 * - keep: instead of a merge, where the user makes the merges: leftovers are committed, and
 *   the branch has all of the work.
 * - save: for work that failed: everything in the tree, untracked files too, becomes a commit
 *   under refs/ralph/failed/ID/ATTEMPT; then worktree and branch are removed.
 * - publish: B := L where B is checked out nowhere (compare-and-swap), else in the worktree
 *   that has it, as a fast-forward that overwrites nothing of the user's; whatever git
 *   refuses waits for the next time, and is said.  What is refused as a whole is tried merge
 *   by merge: a merge that shares no file with those that wait before it, and whose ticket
 *   needs none of theirs, is made anew on top of B.  It stays in L as well, so that nothing of
 *   it is lost whenever the process is killed; its trailer in B tells that it does not wait
 *   any more.
 *   Where B has commits that conflict with L, L waits for a person to merge it; tickets start
 *   from B and land there meanwhile, but those that need what waits start from L and wait too.
 *   An L that somebody else removed or moved is put back (line.c).
 *
 * Everything that a step reports as done is on the disk: the objects of an agent's own commits,
 * which git leaves to the kernel, before a reference of ours needs them; and the files of the
 * checkout that took a merge, before the worktree is removed.
 *
 * Every step can be done again after a kill at any point: a merge that is already in L (its
 * trailer "Ralph-Session: SESSION" tells; "Ralph-Ticket: ID" whose it is) is not made twice, a
 * half-made worktree is made anew, a copy that exists is left.  Never: `checkout`, `reset` or
 * `stash` in a tree of the user's, a merge left in progress, a branch with commits that are
 * nowhere else reset or deleted.  A worktree is removed with the copies that were put into it,
 * and with the ignored files that the plan does not keep; how much that is, is said.
 *
 * Tickets of different projects may have the same id: the second one that is made gets ID-2,
 * which is never the first's (parts.h). Only the session's own worktree, on its own branch,
 * proves that the session left nothing; a worktree that is gone, or that another session has by
 * now, is an error, and everything stays.
 *
 * The caller sees to it that the ticket's agent has ended, and that nobody else works on the
 * same ticket of the same project (claims/claims.h).  Everything that changes the repository
 * runs under one flock in its common directory; the setup and verify commands run outside of
 * it, but landings onto one branch wait for each other, from the merge to its publication. Work
 * on the ticket's own worktree is done before and after that turn.  These functions wait for
 * git and for the commands, and become a child subreaper to end what commands leave running; so
 * they belong into a process of their own, without other children (work/tickets/lander.c).
 */
#ifndef GIT_LANDING_LANDING_H
#define GIT_LANDING_LANDING_H

#include "base/buf.h"
#include "base/err.h"

/* Settings that all tickets of a run share; the caller owns the strings. */
struct land_plan {
	const char *top;     /* absolute: the work tree that the project is in */
	const char *prefix;  /* the project's place below it, where commands run; NULL: top */
	const char *branch;  /* B, short: "main", "feature/x" */
	const char *dir;     /* absolute: where worktrees are made */
	const char *key;     /* the project's name among those of the repository: one part of a
				path; NULL: the usual one */
	char *const *copy;   /* paths below top that a new worktree gets a copy of, where they
				exist and git does not know them; NULL for none */
	char *const *drop;   /* paths below top whose changes do not land; NULL for none */
	const char *ignored; /* absolute: what git ignores is copied there (up to 1,000 files
				and 64 MiB, the smallest first, no directory that by itself
				holds more) before its worktree goes; NULL: it goes */
	/* Files below `guarded` (below top; NULL for none), but the ticket's own, are shown to
	 * `guard` when a merge would change or remove them (after: NULL).  1: they land as
	 * `out` says, 0: as they are.  What the worktree had at its start lands as it is. */
	const char *guarded;
	int (*guard)(const char *path, const struct buf *before, const struct buf *after,
	    struct buf *out);
	/* publish: is the ticket of that name closed, and nobody's?  Then its kept work is
	 * removed when B has all of it; `ignored` is then the directory that holds one
	 * directory per name.  Before it answers, the callback may undo changes that the caller
	 * made in the worktree since then.  NULL: all kept work stays. */
	bool (*over)(const void *ctx, const char *id, const char *worktree);
	const void *over_ctx;
	/* For /bin/sh, with RALPH_TICKET and RALPH_WORKTREE; NULL for none. */
	const char *setup;  /* for a new worktree; when it fails, so does prepare */
	const char *verify; /* must succeed on the merged result */
	int64_t setup_timeout, verify_timeout; /* ns; 0: 30 min */
	const char *message; /* of the merge, "{ticket}" and "{title}" replaced; NULL: the
				usual "Merge ralph/{ticket}" */
	bool leave_changes;  /* do not commit leftovers: they make the landing fail */
	bool keep_branch;    /* after a merge */
	bool keep_worktree;
};

struct land_ticket {
	const char *id; /* as a name for paths and refs: ticket_id_is_safe or a slug */
	const char *title;
	const char *session; /* the loop's session id, for the trailer */
	int64_t attempt;     /* 1.. */
	const char *place;   /* the worktree that the session had; NULL: not known */
	const char *file;    /* its own, below top; NULL for none */
	char *const *needs;  /* ids of tickets that its work stands on; NULL for none */
};

enum land_outcome {
	LAND_PREPARED,	 /* path, branch; `resumed`: with the work of an earlier attempt, and
			    text: why it was kept, if it was;
			    commit: what it will be merged with */
	LAND_MERGED,	 /* commit: in B, or `waits`: in L and not in B yet; `waiting` > 0:
			    so do these, text says why */
	LAND_NOTHING,	 /* the session's own tree, on its own branch, has nothing to merge */
	LAND_CONFLICT,	 /* path, branch kept; text: the files; commit: with what */
	LAND_UNVERIFIED, /* path, branch kept; text: how verify ended, its last lines */
	LAND_KEPT,	 /* path, branch: where all of the work is, unmerged */
	LAND_SAVED,	 /* ref: where the copy is; NULL when there was nothing to copy; path
			    and text when the worktree had to be kept nevertheless */
	LAND_OUTCOMES
};

struct land_result {
	enum land_outcome outcome;
	char *path, *branch, *commit, *ref, *text;
	int64_t waiting; /* merges of L that B does not have */
	char **tickets;	 /* the tickets of these merges; NULL when none wait */
	bool waits;	 /* merge: the merge that was made is one of them */
	bool by_hand;	 /* a person has to do something about these merges: text says what */
	char **removed; /* publish: tickets whose worktree went, since a person has merged them;
			   NULL for none */
	char *mended;	/* L had been removed or moved, and was put back; NULL */
	bool bare;	/* merge: nothing was changed but the ticket's own file */
	char *left;	/* what git ignored and where it is, or that it went; NULL: nothing */
	char **held;	/* merge: files that the guard let land otherwise; NULL for none */
	char **dropped; /* merge: files with changes that the plan drops; NULL for none */
	bool resumed;
};

void land_result_release(struct land_result *r);
const char *land_outcome_name(enum land_outcome o);
int land_outcome_parse(const char *name); /* -1 when unknown */

/* Finds the branch that a run in dir lands on: base (a local branch) when given, else the
 * branch that is checked out.  Detached or unborn HEAD, a bare repository, a base that is no
 * branch, a git that is too old: an error that says what to do.  *top and *branch are the
 * caller's to free.  Code ENOENT: no git repository. */
int land_target(
    const char *dir, const char *base, char **top, char **branch, struct err *err) NODISCARD;
/* -1 + err: everything that was done is undone. */
int land_prepare(const struct land_plan *plan, const struct land_ticket *ticket,
    struct land_result *result, struct err *err) NODISCARD;
/* -1 + err: not merged; worktree and branch have all they had. */
int land_merge(const struct land_plan *plan, const struct land_ticket *ticket,
    struct land_result *result, struct err *err) NODISCARD;
/* For work that the user merges: leftovers are committed to the ticket's branch, unless the
 * plan leaves them, and everything stays where it is.  -1 + err: as land_merge. */
int land_keep(const struct land_plan *plan, const struct land_ticket *ticket,
    struct land_result *result, struct err *err) NODISCARD;
/* -1 + err: not saved, and then nothing is removed either. */
int land_save(const struct land_plan *plan, const struct land_ticket *ticket,
    struct land_result *result, struct err *err) NODISCARD;
/* Tries once more to publish the merges that wait.  Removes worktrees that could not be removed
 * when their work was safe, unless somebody has written into them since; and worktrees that
 * were kept for a person (conflicts, work that did not pass) once B has all of their work and
 * the ticket is over.  LAND_NOTHING: nothing waits; else LAND_MERGED. */
int land_publish(
    const struct land_plan *plan, struct land_result *result, struct err *err) NODISCARD;
/* A sentence on files of B's checkout that have changes, which merges may have to wait for;
 * NULL: there are none, or B is checked out nowhere. */
char *land_dirty(const struct land_plan *plan) NODISCARD;
/* Appends a line for every branch that merges wait for, in the repository that dir is in: "2
 * merges wait in refs/ralph/land/main (a, b)".  Tries and changes nothing; without a
 * repository, nothing waits. */
void land_waiting(const char *dir, struct buf *out);
/* The names of the tickets whose merges wait for *branch; NULL: none.  Free with strlist_free.
 * When *branch is NULL, the branch that is checked out at dir is used, and *branch becomes its
 * name, which the caller frees; *branch may stay NULL. */
char **land_waiting_tickets(const char *dir, char **branch) NODISCARD;
/* Runs verify in the project itself, without a worktree.  LAND_NOTHING or LAND_UNVERIFIED. */
int land_verify(
    const struct land_plan *plan, struct land_result *result, struct err *err) NODISCARD;

#endif
