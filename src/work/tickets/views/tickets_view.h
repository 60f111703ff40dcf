/*
 * tickets_view.h - the files that the seeds of `ralph loop` prescribe, as views of a loop's
 * facts.
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
 * One view (record/view.h) writes all four, those that changed, each whole and atomically, and
 * never more than a few files per decision.  Facts that are told again after a crash write
 * nothing twice: a block in progress.md is known by its session and start.  Text of other
 * programs and people stays (earlier runs' history is never lost).
 *
 * Every end of a run removes its state file, except ends that ask to be gone on with: stopped,
 * interrupted, terminated, tickets that could not be read.
 *
 * runId is a UUID that has the loop's uid in it.  Session ids are friendly names
 * (loop/friendly.h).  Times are UTC, ISO 8601 with Z.  Words of agents and tickets are put on
 * one line and cannot become a heading, a block or a comment.
 */
#ifndef WORK_TICKETS_VIEWS_TICKETS_VIEW_H
#define WORK_TICKETS_VIEWS_TICKETS_VIEW_H

#include "base/json.h"
#include "record/view.h"

struct tickets_view;
struct run_view;

/* A view as in record/view.h, whose pointer is one to struct tickets_view.  Cannot be opened
 * where ROOT/.tf/ralph is not there (ENOENT).  When one file cannot be written, the others are
 * all the same. */
extern const struct view_ops tickets_view;
/* Call before the `landed` fact of a session is told: the texts that the agent left, for the
 * session's block in progress.md and its lesson.  Texts may be NULL. */
void tickets_view_note(
    struct tickets_view *t, const char *session, const char *summary, const char *lesson);
/* Tells where the session's worktree was made; at opening also for sessions that are over.
 * NULL: nobody knows. */
void tickets_view_place(struct tickets_view *t, const char *session, const char *path);
/* The fold so far (run_view.h). */
const struct run_view *tickets_view_run(const struct tickets_view *t);
/* The tickets that are completed, and those that failed for good: "a, b". */
void tickets_view_names(
    const struct tickets_view *t, struct buf *completed, struct buf *failed);
/* Status changes that did not land, because an agent may change the status of its own ticket
 * only: "b, c by the agent of a". */
void tickets_view_meddled(const struct tickets_view *t, struct buf *out);

/* Opens ROOT/.tf/ralph. */
int tickets_view_dir(const char *root, struct err *err) NODISCARD;

/* The state that an earlier run left behind: dispatch-loop-state.json of a run that is not
 * over. */
struct tickets_run {
	char *loop;   /* NULL: not written by this program */
	char *run_id; /* "" when missing */
	char *since;  /* startedAt; NULL when missing */
	int64_t max_iterations, parallel, started;
	char **completed, **failed; /* ids */
};

#define TICKETS_RUN_ID_MAX 40

/* Is `run_id` the runId of the loop?  Earlier versions wrote the uid itself. */
bool tickets_run_is(const char *uid, const char *run_id);
/* The runId of a loop with these settings: a run that another program began keeps its own. */
void tickets_run_name(
    const struct settings *settings, const char *uid, char id[TICKETS_RUN_ID_MAX]);

/* Loads the state: 1 and *out; 0 when there is none; -1 + err when the file cannot be read at
 * all.  An invalid state (JSON, types, version) is moved to
 * dispatch-loop-state.corrupt.<timestamp>.json, noted in `notes`, and counts as none.  A newer
 * version is an error (ENOTSUP) and is not touched. */
int tickets_run_load(
    const char *root, struct tickets_run *out, struct buf *notes, struct err *err) NODISCARD;
/* As tickets_run_load, for callers that only look: nothing is moved, and a state that cannot be
 * read counts as none. */
bool tickets_run_look(const char *root, struct tickets_run *out) NODISCARD;
void tickets_run_release(struct tickets_run *r);
/* 1 and "ID (pid N)" in `who` when an agent that dispatch-sessions.json names still lives, of
 * whatever run; 0 when none does. */
int tickets_run_lives(const char *root, struct buf *who, struct err *err) NODISCARD;
/* Moves the state out of the way: dispatch-loop-state.replaced.<timestamp>.json. */
int tickets_run_discard(const char *root, struct err *err) NODISCARD;

/* progress.md and AGENTS.md as `ralph loop init` makes them and `reset` puts them back. */
void tickets_progress_template(enum progress_form form, struct buf *out);
void tickets_lessons_template(struct buf *out);
/* How many blocks ("## Lesson from") the text of AGENTS.md has. */
int64_t tickets_lessons_count(const struct buf *text);
/* Keeps only the newest n blocks in the file; *removed is the number of removed blocks. */
int tickets_lessons_prune(
    const char *root, int64_t n, int64_t *removed, struct err *err) NODISCARD;
/* Appends the lines of a section of progress.md ("Statistics"), without its heading. */
void tickets_progress_section(const struct buf *text, const char *heading, struct buf *out);

#endif
