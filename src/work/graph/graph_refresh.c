/*
 * graph_refresh.c - makes the graph say what its tickets say.
 *
 * A refresh changes the text in two steps: first what the tickets define (fields, new nodes,
 * edges), then what follows from it (ready or pending, the stories, the counts).  In between
 * the text is read as any graph is, so that a cycle or an unknown id in a ticket never reaches
 * the file.
 *
 * Status: a task is complete when its ticket or the graph says so; a claim outlives a refresh;
 * "blocked" and "in-progress" of a ticket count.  Nodes are never removed.
 */
#include "work/graph/graph_edit.h"
#include "work/graph/graph_place.h"

#include "base/alloc.h"
#include "base/text.h"
#include "base/userfile.h"
#include <errno.h>
#include <fcntl.h>

enum { FIELD_MILESTONE = 3, FIELD_STATUS = 7, FIELDS = 10 }; /* of ticket_fields */

struct refreshing {
	struct graph_place *p;
	struct graph *g;
	struct graph_tickets tickets;
	struct yedits edits;
	struct buf *problems, *notes;
};

/* ---- what tickets define ------------------------------------------------------------- */

static enum task_status
graph_refresh_status_of(const struct graph_ticket *ticket, const struct graph_task *t)
{
	if (ticket->status == TASK_COMPLETE || (t != NULL && t->status == TASK_COMPLETE))
		return TASK_COMPLETE;
	if (ticket->status == TASK_IN_PROGRESS || (t != NULL && t->status == TASK_IN_PROGRESS))
		return TASK_IN_PROGRESS;
	if (ticket->status == TASK_BLOCKED)
		return TASK_BLOCKED;
	return t != NULL && t->status == TASK_READY ? TASK_READY : TASK_PENDING;
}

static bool
depends_has(const struct graph_ticket *ticket, const char *id)
{
	for (const struct ynode *n = ynode_items(ticket->depends); n != NULL; n = n->next)
		if (strcmp(n->text, id) == 0)
			return true;
	return false;
}

static bool
needs_has(const struct graph_task *t, const char *id)
{
	for (size_t i = 0; t != NULL && i < t->nneeds; i++)
		if (strcmp(t->needs[i]->id, id) == 0)
			return true;
	return false;
}

/* Is this the first item of the list with its text? */
static bool
is_first(const struct ynode *list, const struct ynode *item)
{
	const struct ynode *n = list->child;

	while (n != item && strcmp(n->text, item->text) != 0)
		n = n->next;
	return n == item;
}

/* The fields of a node as the ticket defines them; a value that is NULL is left alone. */
static void
ticket_fields(
    const struct graph_ticket *ticket, enum task_status status, struct yfield out[FIELDS])
{
	const struct yfield fields[FIELDS] = {
	    {"id", ticket->id, YVALUE_TEXT},
	    {"title", ticket->title, YVALUE_TEXT},
	    {"story", ticket->story, YVALUE_TEXT},
	    {"milestone", ticket->milestone, YVALUE_TEXT},
	    {"description", ticket->description, YVALUE_TEXT},
	    {"priority", ticket->priority, YVALUE_RAW},
	    {"complexity", ticket->complexity, YVALUE_TEXT},
	    {"status", task_status_name(status), YVALUE_TEXT},
	    {"output", ticket->output, YVALUE_TEXT},
	    {"path", ticket->path, YVALUE_TEXT},
	};

	memcpy(out, fields, sizeof(fields));
}

static void
node_update(struct refreshing *r, const struct graph_ticket *ticket)
{
	struct graph_task *t = ticket->task;
	struct yfield fields[FIELDS];

	t->status = graph_refresh_status_of(ticket, t);
	ticket_fields(ticket, t->status, fields);
	if (ynode_get(t->node, "milestones") != NULL)
		fields[FIELD_MILESTONE].value = NULL;
	for (int i = 0; i < FIELDS; i++)
		if (fields[i].value != NULL)
			yedits_set(&r->edits, t->node, fields[i].key, fields[i].value,
			    fields[i].as, i == FIELD_STATUS ? "title" : NULL);
}

static void
node_append(struct refreshing *r, const struct graph_ticket *ticket)
{
	struct yfield fields[FIELDS];

	ticket_fields(ticket, graph_refresh_status_of(ticket, NULL), fields);
	yedits_append(&r->edits, r->g->tree.root, "nodes", fields, FIELDS);
	buf_addf(r->notes, "%s is new\n", ticket->id);
}

static void
edges_append(struct refreshing *r, const struct graph_ticket *ticket)
{
	for (const struct ynode *n = ynode_items(ticket->depends); n != NULL; n = n->next) {
		const struct yfield fields[] = {
		    {"from", n->text, YVALUE_TEXT}, {"to", ticket->id, YVALUE_TEXT}};

		if (graph_tickets_find(&r->tickets, n->text) == NULL &&
		    graph_find(r->g, n->text) == NULL) {
			AUTO_BUF shown = BUF_INIT;

			text_quote(&shown, n->text);
			buf_addf(r->problems, "%s:%u: no task has the id %s\n", ticket->path,
			    n->line, shown.data);
		} else if (!needs_has(ticket->task, n->text) && is_first(ticket->depends, n)) {
			yedits_append(
			    &r->edits, r->g->tree.root, "edges", fields, ARRAY_LEN(fields));
		}
	}
}

/* Removes edges to tickets that do not name the dependency any more. */
static void
edges_remove(struct refreshing *r)
{
	const struct ynode *list = ynode_get(r->g->tree.root, "edges");

	for (size_t i = 0; i < r->g->nedges; i++) {
		const struct graph_edge *e = &r->g->edges[i];
		const struct graph_ticket *ticket = graph_tickets_find(&r->tickets, e->to->id);

		if (e->node != NULL && ticket != NULL && !depends_has(ticket, e->from->id))
			yedits_remove(&r->edits, list, e->node);
	}
}

static void
note_archived(struct refreshing *r)
{
	for (size_t i = 0; i < r->g->ntasks; i++) {
		const struct graph_task *t = &r->g->tasks[i];

		if (t->path != NULL && t->status != TASK_COMPLETE &&
		    graph_tickets_find(&r->tickets, t->id) == NULL &&
		    faccessat(r->p->fd, t->path, F_OK, 0) < 0)
			buf_addf(r->notes, "the ticket of %s is gone; the task stays\n", t->id);
	}
}

/* Makes the text of the graph that the tickets define. */
static enum claim_result
define(struct refreshing *r, struct buf *out, struct err *err)
{
	size_t base = r->problems->len;

	for (size_t i = 0; i < r->tickets.n; i++) {
		struct graph_ticket *ticket = &r->tickets.list[i];

		ticket->task = graph_find(r->g, ticket->id);
		if (ticket->task != NULL)
			node_update(r, ticket);
		else
			node_append(r, ticket);
	}
	/* Behind all nodes: in a file without edges both go to its end. */
	for (size_t i = 0; i < r->tickets.n; i++)
		edges_append(r, &r->tickets.list[i]);
	edges_remove(r);
	note_archived(r);
	if ((r->problems->len > base && graph_first_problem(r->problems, base, err) < 0) ||
	    yedits_make(&r->edits, GRAPH_FILE, r->g->text.len, out, err) < 0)
		return CLAIM_INVALID;
	return CLAIM_CLAIMED;
}

/* ---- what follows -------------------------------------------------------------------- */

/* All complete, else any at work, else any blocked, else pending. */
static const char *
story_status(const struct graph *g, const char *id)
{
	size_t n = 0, by[TASK_STATUS_COUNT] = {0};

	for (size_t i = 0; i < g->ntasks; i++)
		if (graph_is_of(&g->tasks[i], id)) {
			by[g->tasks[i].status]++;
			n++;
		}
	if (n == 0)
		return NULL;
	if (by[TASK_COMPLETE] == n)
		return "complete";
	if (by[TASK_IN_PROGRESS] > 0)
		return "in-progress";
	return by[TASK_BLOCKED] > 0 ? "blocked" : "pending";
}

static void
settle_stories(struct yedits *e, const struct graph *g)
{
	const struct ynode *n = ynode_items(ynode_get(g->tree.root, "stories"));

	for (; n != NULL; n = n->next) {
		const char *id = ynode_text(ynode_get(n, "id"));
		const char *status = id != NULL ? story_status(g, id) : NULL;

		if (status != NULL && ynode_get(n, "status") != NULL)
			yedits_set(e, n, "status", status, YVALUE_TEXT, NULL);
	}
}

static bool
graph_refresh_same(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}

/* Writes the graph if its text has changed. */
static enum claim_result
graph_refresh_follow(struct refreshing *r, struct graph *next, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	struct yedits e;
	int rc;

	yedits_init(&e, &next->tree);
	for (size_t i = 0; i < next->ntasks; i++)
		graph_settle(&e, &next->tasks[i]);
	settle_stories(&e, next);
	if (!yedits_none(&e) || !graph_refresh_same(&next->text, &r->g->text))
		graph_meta(&e, next);
	rc = yedits_make(&e, GRAPH_FILE, next->text.len, &text, err);
	yedits_release(&e);
	if (rc == 0)
		rc = graph_verify(next, &text, err);
	if (rc == 0 && !graph_refresh_same(&text, &r->g->text))
		rc = userfile_replace(r->p->fd, GRAPH_FILE, &r->g->text, &text, err);
	return rc < 0 ? CLAIM_IO_ERROR : CLAIM_CLAIMED;
}

/* Does the new graph have all old tasks with their status, and all tickets? */
static bool
is_whole(const struct refreshing *r, const struct graph *next)
{
	for (size_t i = 0; i < r->g->ntasks; i++) {
		const struct graph_task *t = graph_find(next, r->g->tasks[i].id);

		if (t == NULL || t->status != r->g->tasks[i].status)
			return false;
	}
	for (size_t i = 0; i < r->tickets.n; i++)
		if (graph_find(next, r->tickets.list[i].id) == NULL)
			return false;
	return true;
}

/* Marks the tickets whose task is complete, but which do not say so yet. */
static void
tickets_follow(struct refreshing *r, const struct graph *next)
{
	AUTO_BUF now = BUF_INIT;

	clock_fmt_rfc3339(clock_wall(), &now);
	for (size_t i = 0; i < r->tickets.n; i++) {
		const struct graph_ticket *ticket = &r->tickets.list[i];
		const struct graph_task *t = graph_find(next, ticket->id);
		struct err err = ERR_INIT;

		if (t == NULL || t->status != TASK_COMPLETE || ticket->status == TASK_COMPLETE)
			continue;
		if (graph_ticket_set_status(ticket, r->p->fd, TASK_COMPLETE, now.data, &err) <
		    0)
			buf_addf(r->notes, "the ticket is not changed: %s\n", err.text);
		else
			buf_addf(r->notes, "%s is complete; now its ticket says so\n", t->id);
	}
}

static enum claim_result
graph_refresh_begun(struct refreshing *r, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_GRAPH next = {.text = BUF_INIT};
	enum claim_result rc = define(r, &text, err);

	if (rc != CLAIM_CLAIMED)
		return rc;
	if (graph_parse(&next, GRAPH_FILE, &text, r->problems, err) < 0) {
		(void)err_prefix(err, "with what the tickets say");
		return CLAIM_INVALID;
	}
	if (!is_whole(r, &next)) {
		(void)err_set(err, GRAPH_FILE ": cannot change it in place");
		return CLAIM_INVALID;
	}
	rc = graph_refresh_follow(r, &next, err);
	if (rc == CLAIM_CLAIMED)
		tickets_follow(r, &next);
	return rc;
}

enum claim_result
graph_refresh(struct graph_place *p, struct buf *problems, struct buf *notes, struct err *err)
{
	struct graph g;
	struct refreshing r = {.p = p, .g = &g, .problems = problems, .notes = notes};
	struct err why = ERR_INIT;
	enum claim_result rc = graph_begin(p, &g, problems, &why);

	/* Mistakes of the tickets are told together with those of the graph. */
	if (rc == CLAIM_INVALID) {
		(void)!graph_tickets_load(&r.tickets, p->fd, NULL, problems, NULL);
		graph_tickets_release(&r.tickets);
	}
	if (rc == CLAIM_CLAIMED) {
		yedits_init(&r.edits, &g.tree);
		if (graph_tickets_load(&r.tickets, p->fd, &g, problems, &why) < 0)
			rc = why.code == EBADMSG ? CLAIM_INVALID : CLAIM_IO_ERROR;
		else
			rc = graph_refresh_begun(&r, &why);
		yedits_release(&r.edits);
		graph_tickets_release(&r.tickets);
		graph_end(p, &g);
	}
	if (rc != CLAIM_CLAIMED)
		(void)err_pass(err, &why);
	return rc;
}
