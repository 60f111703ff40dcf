/*
 * standing.h - how the tickets of a project stand, for those who only look.
 *
 * Nothing is changed.  What cannot be read is warned about on stderr, and left out.
 */
#ifndef WORK_TICKETS_STANDING_H
#define WORK_TICKETS_STANDING_H

#include "base/json.h"
#include "claims/claims.h"
#include "work/tickets/backlog.h"

enum {
	STANDING_READY,	  /* tickets that are ready and that nobody has */
	STANDING_WORKING, /* tickets that an agent has, here or elsewhere */
	STANDING_DONE,	  /* tickets that are open in their files, and whose work waits */
	STANDING_LISTS
};

struct standing {
	const char *root;
	struct buf state, statistics; /* lines of progress.md */
	int64_t lessons;
	struct backlog *backlog; /* NULL: there are no tickets */
	struct {
		const struct ticket **of;
		size_t n;
	} lists[STANDING_LISTS];
	struct claims *claims; /* NULL: there are none, or they cannot be read */
	int busy;	       /* 1: a run is active, as `who` tells */
	struct buf who;
	struct buf waiting; /* merges that their branch has not got yet, a line a branch */
	char *branch;	    /* that work lands on; NULL: nobody knows */
	json_t *gone;	    /* merges that the branch has not got any more */
};

/* Fills in *st; `dir` is .tf/ralph of `root`, opened.  Both outlive *st. */
void standing_look(struct standing *st, const char *root, int dir);
void standing_release(struct standing *st);
/* The next claim of a loop in another work tree from *at on; NULL. */
const struct claim *standing_elsewhere(const struct standing *st, size_t *at);

/* The tickets that the files call open, and whose work is done and waits for `branch` (NULL:
 * the branch that is checked out at dir); NULL: none.  The caller frees list and *branch. */
const struct ticket **standing_waiting(
    struct backlog *b, const char *dir, char **branch, size_t *n) NODISCARD;

#endif
