/*
 * run_view.h - what the views of a run over tickets share (tickets_view.c and the files beside
 * it).
 *
 * struct run_view is the fold of the facts; each view is a function from it, and from what its
 * file has now, to what the file shall have.
 */
#ifndef WORK_TICKETS_VIEWS_RUN_VIEW_H
#define WORK_TICKETS_VIEWS_RUN_VIEW_H

#include "base/json.h"
#include "loop/friendly.h"
#include "record/view.h"

#define PROGRESS_FILE "progress.md"
#define LESSONS_FILE "AGENTS.md"
#define RUN_FILE "dispatch-loop-state.json"
#define SESSIONS_FILE "dispatch-sessions.json"

enum view_status {
	VIEW_ACTIVE,	/* holds a slot: runs, or its work is being landed */
	VIEW_COMPLETED, /* the ticket is done */
	VIEW_FAILED,	/* this attempt is over */
	VIEW_STOPPED,	/* ended by the user's wish: no attempt */
	VIEW_LOST,	/* nobody saw it end: no attempt */
};

struct view_session {
	char id[SESSION_ID_MAX];
	char friendly[FRIENDLY_MAX];
	char ticket[TASK_ID_MAX];
	char title[TITLE_MAX];
	char components[COMPONENTS_MAX];
	enum view_status status;
	int64_t iteration, attempt;
	int64_t started, ended; /* wall clock */
	int64_t duration;
	int64_t pid;
	struct exit_status exit;
	enum verdict verdict;
	char text[TEXT_MAX]; /* of its landing */
	enum fate fate;
	char left[TEXT_MAX];	/* the files that git ignored, and their fate */
	char others[TEXT_MAX];	/* tickets whose status the agent changed, in vain */
	char *place;		/* the worktree, once it is known; NULL */
	char *summary, *lesson; /* left by the agent; NULL */
	bool told;		/* progress.md has the session's block */
	bool learnt;		/* AGENTS.md has the session's lesson */
};

/* The final outcome of a ticket of the run. */
struct view_outcome {
	char ticket[TASK_ID_MAX];
	bool failed;
	char reason[TEXT_MAX];
};

struct run_view {
	const char *loop;
	const struct settings *settings;
	char uid[20];
	int64_t opened, updated; /* wall clock; of the first and the last fact */
	struct view_session *sessions;
	size_t nsessions;
	struct view_outcome *outcomes;
	size_t noutcomes;
	bool finished;
	enum end_reason reason;
	char text[TEXT_MAX];
	char others[TEXT_MAX];	 /* closed by others: "a, b" */
	char unlanded[TEXT_MAX]; /* the work that waits for its branch at the end */
	int64_t ended;		 /* wall clock, when finished */
};

size_t view_count(const struct run_view *v, bool failed); /* outcomes */
size_t view_active(const struct run_view *v);
/* UTC, seconds. */
void view_time(int64_t wall, struct buf *out);
/* The session's worktree: where it is, or will be unless that place is taken; NULL: it has
 * none. The caller frees it. */
char *view_place(const struct run_view *v, const struct view_session *s) NODISCARD;
/* "timeout: it ran longer ..." */
void view_reason(const struct view_session *s, struct buf *out);
/* Is the run over, with nothing to go on with? */
bool view_is_over(const struct run_view *v);

/* tickets_state.c */
json_t *run_document(const struct run_view *v, const struct loop_state *state) NODISCARD;
/* sessions.c: `old` is what the file has, or NULL. */
json_t *sessions_document(const struct run_view *v, const json_t *old) NODISCARD;
/* progress.c: `old` is "" when there is no file. */
void progress_render(const struct run_view *v, const struct loop_state *state,
    const struct buf *old, struct buf *out);
/* failures.c: for people, at the end. */
/* A few lines for every ticket that failed, with its reason, the command that shows what its
 * agent wrote, and how to get its work back. */
void failures_tell(const struct run_view *v, struct buf *out);
/* As failures_tell, for tickets that are done and that the user has to merge: says where the
 * work is.  Appends nothing when all work is merged. */
void unmerged_tell(const struct run_view *v, struct buf *out);
/* lessons.c: appends old with those lessons that it does not have. */
void lessons_render(const struct run_view *v, const struct buf *old, struct buf *out);

#endif
