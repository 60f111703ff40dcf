/*
 * graph.h - what the commands of `ralph graph` have in common.
 *
 * Results go to stdout, remarks and errors to stderr.  Exit codes: 0; 1 when nothing can be
 * given out ("all tasks complete" or "blocked: ..." is then a line of stderr), a check says no,
 * or a task to be completed or reset is not there; 2 for what is refused; EX_QUERY when the
 * graph is wrong, busy or out of reach.
 */
#ifndef CMD_GRAPH_GRAPH_H
#define CMD_GRAPH_GRAPH_H

#include "base/text.h"
#include "cmd/cmd.h"
#include "work/graph/graph_place.h"

#define GRAPH_STALE (2 * 3600 * NSEC_PER_SEC) /* of claims: then somebody should look */

struct graph_session {
	struct graph_place place;
	struct buf trigger; /* the command line, for the audit log */
};

/* EX_OK; else the exit code, and the reason was said. */
int graph_session_open(struct graph_session *s, const struct cmd_args *args);
void graph_session_close(struct graph_session *s);
/* A session that is closed when its block is left; GRAPH_SESSION_INIT until it is opened. */
#define AUTO_SESSION __attribute__((cleanup(graph_session_close))) struct graph_session
#define GRAPH_SESSION_INIT                               \
	{                                                \
		.place = {.fd = -1}, .trigger = BUF_INIT \
	}
/* May this process say how that task stands?  An agent may for its own task alone, and is known
 * by its descent (session/within.h); outside of sessions anyone may.  EX_OK; else the exit
 * code, and the reason was said. */
int graph_may_change(struct graph_session *s, const char *id);

/* Says what went wrong, and what that is as an exit code. */
int graph_failed(enum claim_result result, const struct err *err);
/* How long ago `when` was, in ns; -1 when `when` is no time. */
int64_t graph_age(const char *when);

/* heartbeat.c: adds how the loop of this work tree stands; EX_OK, or EX_FAILED when it has been
 * silent for longer than `limit` without having ended. */
int graph_heartbeat(const struct graph_place *p, int64_t limit, struct buf *out);
/* dot.c */
void graph_dot(const struct graph *g, struct buf *out);
/* json.c */
void graph_json(const struct graph_place *p, const struct graph *g, struct buf *out);

#endif
