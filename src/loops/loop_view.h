/*
 * loop_view.h - finding a loop by name, for every command that takes one.
 */
#ifndef LOOPS_LOOP_VIEW_H
#define LOOPS_LOOP_VIEW_H

#include "base/buf.h"
#include "base/err.h"
#include "loop/loop.h"

/* A loop as far as it can be known without its supervisor. */
struct loop_view {
	int home; /* descriptors; -1 when closed */
	int dir;  /* loops/NAME */
	char *name;
	struct settings settings;
	struct loop_state state;
	bool supervised; /* a supervisor holds the lock */
	bool past;	/* an earlier run of its name (past_runs.h): nobody can go on with it */
	char *damage;	/* a sentence when its record cannot be read whole (loop_view_open_for);
			   the state is then what could be read of it.  NULL: all is well */
	int64_t chosen; /* the iteration that was asked for by its task or its friendly name; 0:
			   none was */
};

/* A view that is closed when its block is left.  Closing one that could not be opened, or was
 * closed, does nothing. */
#define AUTO_VIEW __attribute__((cleanup(loop_view_close))) struct loop_view
#define VIEW_INIT                      \
	{                              \
		.home = -1, .dir = -1, \
	}

/* A view in pages of its own, for a command that may become the supervisor of its loop: the
 * parts of the state that are not used take no memory there, but on the stack they do.  It is
 * closed and freed when its block is left. */
#define AUTO_LONG_VIEW __attribute__((cleanup(loop_view_drop))) struct loop_view *
struct loop_view *loop_view_new(void) NODISCARD;
void loop_view_drop(struct loop_view **v);

/* This file is in the loop's directory once ralph/NAME exists.  Where ralph/NAME is missing
 * then, the user has reset the loop. */
#define LOOP_VIEWED "viewed"

/* Opens and folds the journal, read-only.  -1 and a sentence; code ENOENT when there is
 * no such loop ("no loop named 'x'; ralph ls shows them"). */
int loop_view_open(struct loop_view *v, const char *name, struct err *err) NODISCARD;
/* How much of a loop's record a caller needs.  A record that is damaged, or that a newer
 * version wrote, opens with `damage` for a caller that can do without the whole. */
enum view_need {
	VIEW_WHOLE,
	VIEW_STEER, /* to ask a supervisor, which has the state in memory */
	VIEW_END,   /* to end the loop's processes */
};
int loop_view_open_for(
    struct loop_view *v, const char *name, enum view_need need, struct err *err) NODISCARD;
/* The same for a view that is new (VIEW_INIT, loop_view_new) or was closed: what nobody has
 * used of its pages stays so. */
int loop_view_open_new(
    struct loop_view *v, const char *name, enum view_need need, struct err *err) NODISCARD;
/* Adds to a sentence about a damaged journal (code EBADMSG) what can be done; returns -1. */
int loop_damaged(const char *name, struct err *err);
/* Like loop_view_open, but the name may also be that of an earlier run (past_runs.h), or of a
 * session (choose.h), which loop_view_session then names. */
int loop_view_open_session(struct loop_view *v, const char *name, struct err *err) NODISCARD;
/* Fills in the rest of a view whose home, dir, name and past are there. */
int loop_view_fill(struct loop_view *v, struct err *err) NODISCARD;
void loop_view_close(struct loop_view *v);
/* Does a keeper of one of the loop's sessions live, whether or not a supervisor does? */
bool loop_view_agent_lives(const struct loop_view *v);
/* The session to attach to, or the last one there was; NULL when none ever started. */
char *loop_view_session(const struct loop_view *v) NODISCARD;
/* The session of an iteration, whether it is there or not; an agent that is kept has the one it
 * began with. */
char *loop_view_session_of(const struct loop_view *v, int64_t iteration) NODISCARD;
/* loops/NAME/sessions */
int loop_view_sessions(const struct loop_view *v, struct err *err) NODISCARD;

/*
 * Takes the loop's lock: the one supervisor it may have.  -1 with code EWOULDBLOCK and
 * a sentence that names the holder when there is one already.
 */
int loop_claim(int home, int loop_dirfd, const char *name, struct err *err) NODISCARD;

/* The words for a loop's condition: "running", "paused", ..., and what to type when its
 * supervisor is gone. */
void loop_view_condition(const struct loop_view *v, struct buf *out);

#endif
