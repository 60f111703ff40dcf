/*
 * graph_tickets.h - the tickets a graph is made from: docs/active/tickets/ *.md.
 *
 * A ticket is a file that begins with front matter: YAML between two lines "---" (see front.h),
 * with id, title, story, status, priority and complexity, and perhaps depends_on, output,
 * milestone, claimed_at, claimed_by and completed_at.  Unlike those of tk (ticket.h), their
 * front matter is read as YAML and changed by graph_edit.h, field by field.
 */
#ifndef WORK_GRAPH_GRAPH_TICKETS_H
#define WORK_GRAPH_GRAPH_TICKETS_H

#include "work/graph/graph.h"

#define GRAPH_TICKETS "docs/active/tickets"

struct graph_ticket {
	char *path; /* from the project's root: what a node's path says */
	struct buf text;
	struct ytree tree; /* of the front matter */
	/* NULL: missing */
	const char *id, *title, *story, *priority, *complexity, *output, *milestone;
	enum task_status status;
	const struct ynode *depends; /* NULL, or a list */
	char *description;
	struct graph_task *task; /* the ticket's node, for callers that compare the two */
};

struct graph_tickets {
	struct graph_ticket *list; /* by file name */
	size_t n;
	struct strmap ids;
};

/* Loads all tickets, for that graph (NULL: the graph has mistakes).  -1: problems has a line
 * for every mistake, also for ids that neither a ticket nor the graph has, and err the first.
 * A directory that does not exist has no tickets. */
int graph_tickets_load(struct graph_tickets *t, int rootfd, const struct graph *g,
    struct buf *problems, struct err *err) NODISCARD;
void graph_tickets_release(struct graph_tickets *t);
struct graph_ticket *graph_tickets_find(const struct graph_tickets *t, const char *id);

/* Loads one ticket, by the path from the root; code EBADMSG when the file is no ticket. */
int graph_ticket_load(struct graph_ticket *t, int rootfd, const char *path,
    struct buf *problems, struct err *err) NODISCARD;
void graph_ticket_release(struct graph_ticket *t);

/* Writes a status: with `completed_at` for complete (NULL otherwise), and without the fields of
 * a claim unless it is complete.  0 also when nothing had to be changed. */
int graph_ticket_set_status(const struct graph_ticket *t, int rootfd, enum task_status status,
    const char *completed_at, struct err *err) NODISCARD;

bool graph_is_markdown(const char *name); /* "x.md" */
/* The path of the ticket of a task: the path that the node names if that file exists, else the
 * file named after the id in GRAPH_TICKETS; NULL: none.  The caller frees it. */
char *graph_ticket_path(int rootfd, const struct graph_task *task);

#endif
