/*
 * todo.h - the files that the seed of `ralph todo` prescribes, as views of a loop's facts.
 *
 * Below ROOT/ai/ralph:
 *
 *   state.json    what the loop stands at; all keys of all variants that were ever seen
 *                 (todo_state.c), and keys of others, which survive
 *   activity.md   what happened, appended to: a header per session of the loop, a block per
 *                 iteration, a block per intervention, a line per word about progress
 *   config.json   read only: the user's defaults
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

#include "base/json.h"
#include "record/view.h"
#include "work/todo/story.h"

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

/* ---- the view -------------------------------------------------------------------------- */

/* One block of activity.md, which is known by its first `mark` bytes, whole lines. */
struct todo_block {
	struct buf text;
	size_t mark;
};

struct todo_help {
	int64_t at;
	const char *task, *reason;
	int64_t count;	     /* how many on this question, this one included */
	const char *context; /* the help that was gathered, in a few words; NULL: "none" */
	const char *recommendation; /* NULL: "none" */
};

/* The view that todo_view opens.  The kind reads the story, and sets the members behind it. */
struct todo_view {
	struct view view;
	struct story story;
	int64_t queued;		   /* tasks that could be done, at the last look */
	bool desktop;		   /* the desktop can be used */
	bool opened;		   /* the header of this life is among the blocks */
	int root;		   /* of the project */
	struct todo_block *blocks; /* blocks that are not on the disk yet */
	size_t n;
};

/* Makes ROOT/ai/ralph where it is missing (ROOT/ai must be there).  When one of the two files
 * cannot be written, the other is all the same. */
extern const struct view_ops todo_view;
/* Remembers an intervention that was told to the worker, until the next write. */
void todo_view_help(struct todo_view *v, const struct todo_help *h);

/* ---- its parts (todo_state.c, todo_activity.c) ------------------------------------------ */

/* Makes the content of state.json; `old` is the present content of the file, or NULL.  A new
 * reference. */
json_t *todo_state_document(
    const struct todo_view *v, const struct loop_state *state, const json_t *old) NODISCARD;

/* Each fills an empty block; false: the fact makes none.  A turn that has just landed (the
 * diffstat, or NULL, comes below its notes, its lines as they are); progress that the worker
 * tells of; the header of a life. */
bool todo_block_turn(
    const struct story *s, const struct fact *f, const char *diffstat, struct todo_block *b);
bool todo_block_progress(const struct story *s, const struct fact *f, struct todo_block *b);
bool todo_block_session(
    const char *uid, int64_t queued, const struct fact *f, struct todo_block *b);
void todo_block_help(const struct todo_help *h, struct todo_block *b);
/* Appends the block to the text of the file, a blank line before it; false: it is there. */
bool todo_block_add(struct buf *text, const struct todo_block *b);

#endif
