/*
 * journal.h - the truth about one loop: its facts, in order, on disk.
 *
 * journal.jsonl has one line per decision:
 *     {"n":12,"t":"2026-01-02T03:04:05.678Z","facts":[{...},{...}],"crc":"<16 hex>"}
 * n counts from 1 without gaps; crc is XXH3-64 of the bytes before `,"crc":`.  A line is
 * on disk (fdatasync) before journal_append returns 0, unless it is told not to wait: then
 * the next line that is waited for, or journal_sync, takes it along.  snapshot.json holds the
 * state after line n and the offset behind it, so that opening folds only the rest; the seals
 * of all lines are looked at every time.
 *
 * Opening (record/scan.h tells the cases apart):
 *   - a torn last line is cut off and noted in `notes`;
 *   - damage anywhere, a gap in n, or a newer version is an error that touches nothing (code
 *     EBADMSG, or ENOTSUP for newer); record/repair.h is for the first;
 *   - a damaged snapshot is moved aside and the journal replayed from the start.
 * Reading only (readonly) changes nothing at all and takes no lock, also while a
 * supervisor writes.
 *
 * After a failed append the tail may be torn: the journal repairs it (truncates back to what
 * is known to be on disk, and writes once more what it had taken without waiting) before the
 * next append, and reports failure until that works.  What somebody else wrote behind our lines
 * is set aside (journal.corrupt.TIME.jsonl) and cut off in the same way.
 */
#ifndef RECORD_JOURNAL_H
#define RECORD_JOURNAL_H

#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include "loop/loop.h"

struct journal;

/* The caller holds the loop's lock unless readonly.  *state must be loop_init()ed; it is
 * the fold afterwards.  `notes` (may be NULL) gets what had to be repaired, in one line. */
struct journal *journal_open(int loop_dirfd, bool readonly, struct loop_state *state,
    struct buf *notes, struct err *err) NODISCARD;
/* Only folds the journal, while a supervisor writes.  Bytes behind the supervisor's last line
 * are passed over, because the supervisor sets them aside with its next line. */
int journal_read_beside(int loop_dirfd, struct loop_state *state, struct err *err) NODISCARD;
/* Appends one line, with one fdatasync.  With FS_NOSYNC the caller may not yet do anything that
 * follows from the facts. */
int journal_append(struct journal *j, const struct fact *facts, size_t n, enum fs_sync sync,
    struct err *err) NODISCARD;
/* Waits until every line is on disk; costs nothing when they are. */
int journal_sync(struct journal *j, struct err *err) NODISCARD;
/* When enough lines came since the last one (or `now`), writes snapshot.json.  Off the
 * critical path; a failure is only a longer replay and is reported in err. */
int journal_snapshot(
    struct journal *j, const struct loop_state *state, bool now, struct err *err) NODISCARD;
/* Tells every fact of a loop in order, from the first on: for views that are folded from all of
 * them.  A torn end is passed over in silence; damage is an error (code EBADMSG), and what was
 * folded up to there must not be shown to anybody. */
typedef void journal_fact_fn(void *ctx, const struct fact *f);
int journal_each(int loop_dirfd, journal_fact_fn *fn, void *ctx, struct err *err) NODISCARD;
/* Tells once what had to be repaired while the journal was written to; false: nothing had to
 * be. */
bool journal_mended(struct journal *j, struct buf *out);
/* Was the journal's file removed?  Nobody can read the lines that are written from then on. */
bool journal_is_unlinked(const struct journal *j);
void journal_close(struct journal *j);

#endif
