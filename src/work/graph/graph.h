/*
 * graph.h - task-graph.yaml: tasks, what each of them waits for, and which is next.
 *
 * The parser reads version, milestones, stories, nodes, edges and meta; everything else is left
 * alone.  A node needs an id (see ticket_id_is_safe); its status is pending, ready,
 * in-progress, complete or blocked, its priority 0 (first) to 5.  Edges {from, to} ("from"
 * first) and the depends_on of a node say what the node waits for; a dependency named twice
 * counts once.
 *
 * The parser finds all mistakes in one pass: ids that occur twice or not at all, cycles (as a
 * path, "A -> B -> A"), words that are no status.  A graph with a mistake is rejected: a task
 * that seems to be free because a line was mistyped would be done too early.
 *
 * `status` is what the file says.  `now` is what counts: the claims of all worktrees have been
 * laid over it by graph_overlay.
 */
#ifndef WORK_GRAPH_GRAPH_H
#define WORK_GRAPH_GRAPH_H

#include "base/strmap.h"
#include "claims/claims.h"
#include "work/graph/graph_yaml.h"

#define GRAPH_FILE "task-graph.yaml"
#define GRAPH_PRIORITY 2 /* the priority of a node that names none */
#define GRAPH_PRIORITIES 6

#define TASK_STATUSES(X)              \
	X(PENDING, "pending")         \
	X(READY, "ready")             \
	X(IN_PROGRESS, "in-progress") \
	X(COMPLETE, "complete")       \
	X(BLOCKED, "blocked")

enum task_status {
#define X(id, name) TASK_##id,
	TASK_STATUSES(X)
#undef X
	    TASK_STATUS_COUNT
};

struct graph_task {
	const char *id, *title; /* the rest is NULL when it is missing */
	const char *story, *milestone, *description, *complexity, *output, *path;
	const char *claimed_at, *claimed_by;
	int64_t priority;
	enum task_status status, now;
	const struct claim *claim; /* NULL: none */
	bool here;		   /* the claim belongs to this work tree */
	unsigned line;
	const struct ynode *node;
	struct graph_task **needs, **feeds; /* dependencies; tasks that wait for this one */
	size_t nneeds, nfeeds;
	unsigned mark; /* private to walks over the graph */
};

/* An edge as it is written. */
struct graph_edge {
	struct graph_task *from, *to;
	const struct ynode *node; /* the item of edges; NULL: from depends_on */
};

struct graph {
	struct buf text;
	struct ytree tree;
	struct graph_task *tasks; /* in the order of the file */
	size_t ntasks;
	struct graph_edge *edges;
	size_t nedges;
	struct graph_task **links; /* the memory of needs and feeds */
	struct strmap ids;
};

/* Takes the bytes out of `text`.  -1: *problems has a line "NAME:LINE: ..." for everything that
 * is wrong, err the first of them, with code EBADMSG; the graph is empty then. */
int graph_parse(struct graph *g, const char *name, struct buf *text, struct buf *problems,
    struct err *err) NODISCARD;
void graph_release(struct graph *g);
/* A graph that is released when its block is left; graph_look or graph_parse fills it first. */
#define AUTO_GRAPH __attribute__((cleanup(graph_release))) struct graph
/* Appends a line "NAME:LINE: ..." about a mistake. */
void graph_problem(struct buf *problems, const char *name, unsigned line, const char *fmt, ...)
    PRINTF(4, 5);
/* The first line of `problems` behind `base`, with code EBADMSG; -1. */
int graph_first_problem(const struct buf *problems, size_t base, struct err *err);

int graph_priority(const char *word); /* -1: the word is no priority */
const char *task_status_name(enum task_status s);
int task_status_parse(const char *word); /* -1: the word is no status */

struct graph_task *graph_find(const struct graph *g, const char *id);
/* Sets `claim` and `now` of every task: complete if the file or a claim says so, else
 * in progress if one of them does. */
void graph_overlay(struct graph *g, const struct claims *claims);

/* May the task be given out now?  The task must be free, or left by an owner that died; and all
 * its dependencies must be complete in this very file: work that is done elsewhere is not here
 * yet. */
bool graph_is_ready(const struct graph_task *t);
/* The first of its dependencies that is not complete in this file; NULL: all are. */
const struct graph_task *graph_unmet(const struct graph_task *t);
/* Is the task of that story?  All are of the story NULL. */
bool graph_is_of(const struct graph_task *t, const char *story);
/* Is the task complete, but not in this file?  Then it was completed in another work tree, or
 * here (`here`), and the file was put back since. */
bool graph_is_elsewhere(const struct graph_task *t);
/* Did somebody try the task and fail, and has nobody looked at it since? */
bool graph_is_failed(const struct graph_task *t);
/* The status under which sums count a task, so that each task is counted once.  TASK_READY:
 * graph_is_ready says yes, also for a task that a dead owner left.  TASK_PENDING: the task
 * waits for others. */
enum task_status graph_standing(const struct graph_task *t);
/* The next ready task: lowest priority number, then first in the file; of that story unless
 * NULL.  NULL: none. */
struct graph_task *graph_next(const struct graph *g, const char *story);
/* All ready tasks, in the order of graph_next; the caller frees the list. */
size_t graph_ready(const struct graph *g, const char *story, struct graph_task ***out);
/* graph_has_open: does the story (or any, if NULL) have a task that is not complete?
 * graph_has_story: does the story have any task? */
bool graph_has_open(const struct graph *g, const char *story);
bool graph_has_story(const struct graph *g, const char *story);
/* Does the story (or any, if NULL) have a task that failed, and that nobody has looked at
 * since? */
bool graph_has_failed(const struct graph *g, const char *story);
/* Appends what the tasks that are not ready wait for, on one line: "2 in progress (A, B), 1
 * waiting (C for A)". */
void graph_explain(const struct graph *g, const char *story, struct buf *out);

/* graph_check.c: appends a line for every cycle. */
void graph_cycles(struct graph *g, const char *name, struct buf *problems);

#endif
