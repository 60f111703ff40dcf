/*
 * tickets.h - the files that the seeds of `ralph loop` prescribe, as views of a loop's facts.
 *
 * All of them below ROOT/.tf/ralph:
 *
 *   dispatch-loop-state.json   seed 000's schema (version, runId, startedAt, maxIterations,
 *                              parallel, startedCount, completed[], failed[], active{}), and
 *                              what going on needs: "loop", the loop's name in the state home.
 *                              There while the run is not over; removed at its end.
 *   progress.md                seed 001's blocks, "## Statistics", "## Loop Complete", and seed
 *                              000's counters; with PROGRESS_LIST the older list form
 *   dispatch-sessions.json     one record per session of this run, the older program's schema
 *   AGENTS.md                  lessons, seed 001's block each; the newest lessons_max
 *
 * A view is folded from facts: layout_tickets_fact is told every fact of the loop in order, at
 * opening all those that the journal has (also what a snapshot covers), later those of every
 * decision.  layout_tickets_write then writes what changed, each file whole and atomically, and
 * never more than a few files per decision.  Telling the same facts again, after a crash,
 * writes nothing twice: a block in progress.md is known by its session and start.  What
 * other programs and people wrote there stays (earlier runs' history is never lost).
 *
 * The run is over, and its state file goes, with every end but those that ask to be gone on
 * with: stopped, interrupted, terminated, tickets that could not be read.
 *
 * runId is a UUID that has the loop's uid in it.  Session ids are friendly names
 * (loop/friendly.h).  Times are UTC, ISO 8601 with Z.  What agents and tickets say is put on
 * one line and cannot become a heading, a block or a comment.
 */
#ifndef WORK_TICKETS_VIEWS_TICKETS_H
#define WORK_TICKETS_VIEWS_TICKETS_H

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"
#include "loop/loop.h"

struct layout_tickets;

/* `name` is the loop's; nothing is written yet.  -1: ROOT/.tf/ralph is not there (ENOENT). */
struct layout_tickets *layout_tickets_open(
    const char *name, const struct settings *settings, struct err *err) NODISCARD;
/* One fact; `state` is the state after the whole decision (at opening: after all). */
void layout_tickets_fact(
    struct layout_tickets *l, const struct fact *f, const struct loop_state *state);
/* For a session's block in progress.md and its lesson, before its `landed` fact is told: what
 * the agent left.  Texts may be NULL. */
void layout_tickets_note(
    struct layout_tickets *l, const char *session, const char *summary, const char *lesson);
/* Where the session's worktree was made; at opening also for those that are over.  NULL: nobody
 * knows. */
void layout_tickets_place(struct layout_tickets *l, const char *session, const char *path);
/* Calls `fn` with every session of the run, which may call layout_tickets_place. */
void layout_tickets_each(
    struct layout_tickets *l, void (*fn)(void *ctx, const char *session), void *ctx);
/* Writes what changed.  On failure the rest is tried all the same; what failed is tried again
 * the next time. */
int layout_tickets_write(
    struct layout_tickets *l, const struct loop_state *state, struct err *err) NODISCARD;
/* The tickets that are completed, and those that failed for good: "a, b". */
void layout_tickets_names(
    const struct layout_tickets *l, struct buf *completed, struct buf *failed);
/* For people, at the end: a few lines for every ticket that failed, with its reason, the
 * command that shows what its agent wrote, and how to get its work back. */
void layout_tickets_failures(const struct layout_tickets *l, struct buf *out);
/* The same for what is done and for the user to merge: where it is.  Nothing when all is in. */
void layout_tickets_unmerged(const struct layout_tickets *l, struct buf *out);
/* Status changes that did not land, since an agent may change that of its own ticket only: "b,
 * c by the agent of a". */
void layout_tickets_meddled(const struct layout_tickets *l, struct buf *out);
void layout_tickets_free(struct layout_tickets *l);

/* What an earlier run left behind: dispatch-loop-state.json of a run that is not over. */
struct tickets_run {
	char *loop;   /* NULL: not written by this program */
	char *run_id; /* "" when missing */
	char *since;  /* startedAt; NULL when missing */
	int64_t max_iterations, parallel, started;
	char **completed, **failed; /* ids */
};

#define TICKETS_RUN_ID_MAX 40

/* The runId of the loop with that uid: a UUID of version 8, whose digits are the uid's.  What
 * is no uid of 16 digits stays as it is. */
void tickets_run_id(const char *uid, char id[TICKETS_RUN_ID_MAX]);
/* Is it that of the loop?  Earlier versions wrote the uid itself. */
bool tickets_run_is(const char *uid, const char *run_id);
/* That of a loop with these settings: a run that another program began keeps its own. */
void tickets_run_name(
    const struct settings *settings, const char *uid, char id[TICKETS_RUN_ID_MAX]);

/* 1 and *out; 0 when there is none; -1 + err when it cannot be read at all.  What is no valid
 * state (JSON, types, version) is moved to dispatch-loop-state.corrupt.<timestamp>.json, told
 * in `notes`, and then there is none.  A newer version is an error (ENOTSUP) and is not
 * touched. */
int tickets_run_load(
    const char *root, struct tickets_run *out, struct buf *notes, struct err *err) NODISCARD;
/* For who only looks: nothing is moved, and what cannot be read is none. */
bool tickets_run_look(const char *root, struct tickets_run *out) NODISCARD;
void tickets_run_release(struct tickets_run *r);
/* 1 and "ID (pid N)" in `who` when an agent that dispatch-sessions.json names still lives, of
 * whatever run; 0 when none does. */
int tickets_run_lives(const char *root, struct buf *who, struct err *err) NODISCARD;
/* Moves it out of the way: dispatch-loop-state.replaced.<timestamp>.json. */
int tickets_run_discard(const char *root, struct err *err) NODISCARD;

/* progress.md and AGENTS.md as `ralph loop init` makes them and `reset` puts them back. */
void tickets_progress_template(enum progress_form form, struct buf *out);
void tickets_lessons_template(struct buf *out);
/* Of the text of AGENTS.md: how many blocks ("## Lesson from"); appends it to *out with only
 * the newest n of them. */
int64_t tickets_lessons_count(const struct buf *text);
void tickets_lessons_keep(const struct buf *text, int64_t n, struct buf *out);
/* Does the same to the file; the number that went goes to *removed. */
int tickets_lessons_prune(
    const char *root, int64_t n, int64_t *removed, struct err *err) NODISCARD;
/* Appends the lines of a section of progress.md ("Statistics"), without its heading. */
void tickets_progress_section(const struct buf *text, const char *heading, struct buf *out);

#endif
