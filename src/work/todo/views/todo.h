/*
 * todo.h - the files that the seed of `ralph todo` prescribes, as views of a loop's facts.
 *
 * Below ROOT/ai/ralph:
 *
 *   state.json    what the loop stands at; all keys of all variants that were ever seen
 *                 (struct todo_now), and keys of others, which survive
 *   activity.md   what happened, appended to: a header per session of the loop, a block per
 *                 iteration, a block per intervention, a line per word about progress
 *   config.json   read only: the user's defaults
 *
 * Calls, in order: layout_todo_open; layout_todo_session once a run of the supervisor that
 * begins or takes over a loop; then, after the facts of a decision are in the journal,
 * layout_todo_help for an intervention that was told to the worker, layout_todo_progress for
 * what the worker says of how far it is, layout_todo_turn for a turn that is over and landed,
 * and at the end of the batch layout_todo_write.
 *
 * state.json and activity.md are written whole and atomically, and only when they would differ.
 * Text of others in activity.md stays as it is: blocks are added at its end.  Blocks that are
 * told again after a crash are not written twice: a turn is known by its heading (number and
 * time), an intervention by its time, task, question and count, a session by its first lines,
 * progress by task, number and time.  So the times told must be those of the facts.
 *
 * Times are local, ISO 8601 in seconds, as in the seed.  Words of workers and of todo.md are
 * put on one line and cannot become a heading, a block or a comment.
 */
#ifndef WORK_TODO_VIEWS_TODO_H
#define WORK_TODO_VIEWS_TODO_H

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"

struct layout_todo;

/* ---- config.json: the defaults below, where it says nothing --------------------------- */

/* C count, F flag; the key, the default */
#define TODO_CONFIG(X)                                        \
	X(C, inactivity_timeout_ms, 300000)                   \
	X(C, max_nudges_before_alert, 3)                      \
	X(C, max_interventions_per_task, 3)                   \
	X(F, completion_file_required, true)                  \
	X(C, poll_interval_ms, 5000) /* nothing here polls */ \
	X(C, worker_ready_timeout_ms, 10000)                  \
	X(C, clear_wait_ms, 2000)

struct todo_config {
#define TODO_CONFIG_C int64_t
#define TODO_CONFIG_F bool
#define X(type, key, dflt) TODO_CONFIG_##type key;
	TODO_CONFIG(X)
#undef X
};

/* Always gives a config.  `notes` gets a line for everything that is no JSON, has a wrong type
 * or range, or is not known. */
void todo_config_load(const char *root, struct todo_config *out, struct buf *notes);

/* ---- state.json ----------------------------------------------------------------------- */

struct todo_commit_row {
	const char *task, *hash;
	int64_t at; /* wall clock */
};

/* NULL texts are JSON's null, or left out where the schema has them as optional. */
struct todo_now {
	const char *session_id;	     /* of the loop */
	const char *worker_pty;	     /* of the session that runs; NULL: "" */
	const char *worker_agent_id; /* optional */
	const char *current_task;    /* NULL between tasks */
	int64_t iteration;
	int64_t started_at, last_activity; /* wall clock */
	char *const *tasks_completed;	   /* NULL: none */
	char *const *tasks_stuck;	   /* those that are blocked, too */
	const char *status;		   /* "ready", "running", "complete", ... */
	bool desktop_automation;	   /* the desktop can be used */
	bool desktop_requested; /* and is wanted; where it cannot be used the file says so */
	bool auto_commit;
	const struct todo_commit_row *commits; /* of this loop; others' stay in the file */
	size_t ncommits;
	/* Interventions, so that the count survives us: task, question's key, how often. */
	const struct todo_count {
		const char *task, *key, *question;
		int64_t n;
	} * interventions;
	size_t ninterventions;
};

/* Makes the content of state.json; `old` is the present content of the file, or NULL.  A new
 * reference. */
json_t *todo_state_document(const struct todo_now *now, const json_t *old) NODISCARD;

/* ---- the views ------------------------------------------------------------------------ */

struct todo_opening {
	const char *session_id, *worker_pty;
	int64_t at;
	int64_t queued;
};

struct todo_turn {
	int64_t iteration;
	int64_t at; /* its end, wall clock */
	const char *task, *description;
	const char *status;   /* "complete", "stuck", "blocked", "in_progress" */
	const char *commit;   /* NULL: "skipped" */
	int64_t duration;     /* ns */
	const char *notes;    /* NULL: "none" */
	const char *diffstat; /* NULL; below the notes, its lines as they are */
};

struct todo_help {
	int64_t at;
	const char *task, *reason;
	int64_t count;		    /* so many on this question, with this one */
	const char *context;	    /* what was gathered, in a few words; NULL: "none" */
	const char *recommendation; /* NULL: "none" */
};

struct todo_progress {
	int64_t at;
	const char *task;
	const char *percent; /* digits */
};

/* Makes ROOT/ai/ralph where it is missing (ROOT/ai must be there); writes nothing yet. */
struct layout_todo *layout_todo_open(const char *root, struct err *err) NODISCARD;
/* These four only remember; the next write brings them to the disk. */
void layout_todo_session(struct layout_todo *l, const struct todo_opening *o);
void layout_todo_turn(struct layout_todo *l, const struct todo_turn *t);
void layout_todo_help(struct layout_todo *l, const struct todo_help *h);
void layout_todo_progress(struct layout_todo *l, const struct todo_progress *p);
/* Appends new blocks to activity.md and replaces state.json when it would differ (NULL: leaves
 * it).  After a failure the other file is still written, and the failed one is tried the next
 * time. */
int layout_todo_write(
    struct layout_todo *l, const struct todo_now *now, struct err *err) NODISCARD;
void layout_todo_free(struct layout_todo *l);

#endif
