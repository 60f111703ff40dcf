/*
 * repair.h - what can be made of a journal that is damaged.
 *
 * journal_open refuses such a journal and touches nothing; here somebody has asked for more.
 * A line is kept only when its seal proves it and nothing is missing before it:
 *   - a line with one wrong bit is found again: only one bit makes its seal match;
 *   - pieces that are no lines, between lines whose numbers go on, were never ours;
 *   - a line that is lost for good, but that the snapshot already tells the sum of, leaves a
 * line without facts that keeps its number: {"n":4,"lost":true, ...}.  The state stays exact;
 *     lists that are folded from every fact lack what it told;
 *   - behind any other gap nothing can be proven to follow: the journal ends before it.
 * Nothing is thrown away: before the journal changes, all of it is copied to
 * journal.corrupt.TIME.jsonl.  The last step is one rename; until then every reader is refused
 * as before, so a crash in between costs nothing.
 */
#ifndef RECORD_REPAIR_H
#define RECORD_REPAIR_H

#include "base/buf.h"
#include "base/err.h"
#include "loop/loop.h"

struct repair {
	int64_t line;	 /* the first one that is damaged; 0: none is */
	int64_t lines;	 /* how many there are afterwards */
	int64_t mended;	 /* of them, those with one wrong bit */
	int64_t lost;	 /* of them, those that only keep their number */
	int64_t dropped; /* whole lines behind a gap */
	size_t stray;	 /* bytes that are no line */
	size_t torn;	 /* bytes of a last write that never finished */
	bool empty;	 /* there is no byte of it */
	bool missing;	 /* nor the file itself */
	bool open;	 /* nobody can tell whether lines followed the last one */
	struct loop_state
	    state; /* the loop's state after the repair; PHASE_NEW: nothing can be trusted */
	/* private */
	struct buf old, journal; /* bytes, before and after */
	int64_t snapshot; /* the line that snapshot.json is made after; 0: there is none */
	bool alien;	  /* the snapshot was made from another journal, and is set aside */
	int64_t offset;	  /* where that line ends afterwards */
	struct loop_state sum; /* the state after it */
};

/* Reads only.  -1: it cannot be read, or a newer version wrote it (ENOTSUP).  On success
 * repair_release frees what it holds. */
int repair_plan(int loop_dirfd, const struct settings *settings, struct repair *r,
    struct err *err) NODISCARD;
/* Carries it out; the caller holds the loop's lock and has made the plan since.  *kept is the
 * name of the copy. */
int repair_do(
    int loop_dirfd, const struct repair *r, struct buf *kept, struct err *err) NODISCARD;
void repair_release(struct repair *r);

#endif
