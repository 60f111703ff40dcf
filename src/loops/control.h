/*
 * control.h - talking to a running supervisor from another terminal.
 *
 * A socket in the loop's directory; JSON lines.  A client sends one request
 *     {"do":"pause"}   resume, stop, kill, hangup, redisplay, nudge, heartbeat,
 *                      heartbeat-set, holds, watch
 * and gets one answer: {"ok":true,"status":"paused","changed":true} once what was asked for is
 * on disk, or {"error":"a sentence"}.  After "watch" the answer is followed by every event of
 * the loop, one object a line, until the supervisor goes.
 */
#ifndef LOOPS_CONTROL_H
#define LOOPS_CONTROL_H

#include "base/buf.h"
#include "base/ev.h"
#include "base/json.h"

/* ---- the supervisor's side ---- */

struct control;

/* request, its word.  Those from HOLDS on only look. */
#define CONTROL_ROWS(X)                                                                     \
	X(PAUSE, "pause")                                                                   \
	X(RESUME, "resume")                                                                 \
	X(STOP, "stop")                                                                     \
	X(KILL, "kill")	    /* as stop, for another reason */                               \
	X(HANGUP, "hangup") /* the agent's window was closed: it ends as in any terminal */ \
	/* The agent's window is gone with its tmux server: the agent gets a new one. */    \
	X(REDISPLAY, "redisplay")                                                           \
	X(NUDGE, "nudge")		  /* somebody thinks that nothing moves */          \
	X(HEARTBEAT, "heartbeat")	  /* beat.h: a new heartbeat; record, force */      \
	X(HEARTBEAT_SET, "heartbeat-set") /* status of the heartbeat there is */            \
	X(HOLDS, "holds")		  /* the obstacles to the loop (held.h) */          \
	X(WATCH, "watch")

enum control_request {
#define X(id, name) CONTROL_##id,
	CONTROL_ROWS(X)
#undef X
	    CONTROL_REQUESTS
};

/* Carries the request out before it returns; the answer is what it returns (a new
 * reference).  `members` is the request as it came, with whatever it has besides "do". */
typedef json_t *control_fn(void *ctx, enum control_request request, const json_t *members);

struct control *control_open(
    struct ev *ev, int loop_dirfd, control_fn *fn, void *ctx, struct err *err) NODISCARD;
/* Sends the event to everyone who watches; slow watchers are dropped, never waited for. */
void control_event(struct control *c, const json_t *event);
void control_close(struct control *c); /* watchers see the end of the stream */

/* ---- the other side ---- */

/* Sends a request and waits for the answer; code ECONNREFUSED or ENOENT when no supervisor
 * listens, EOPNOTSUPP when it is of an earlier version that has no such request.  Where no
 * answer comes in time, the request may still be carried out, and the sentence says so. */
json_t *control_call(int loop_dirfd, enum control_request request, struct err *err) NODISCARD;
/* Like control_call, for a request with members of its own; the call takes the reference. */
json_t *control_call_with(
    int loop_dirfd, enum control_request request, json_t *members, struct err *err) NODISCARD;
/* Asks the supervisor for the obstacle that keeps its loop from going on ("waiting for disk
 * space: ...").  NULL when there is none, or no answer comes soon.  The caller frees it. */
char *control_holds(int loop_dirfd) NODISCARD;
/* Sends "watch" as control_call would; returns the descriptor that events are read from. */
int control_watch(int loop_dirfd, struct err *err) NODISCARD;

#endif
