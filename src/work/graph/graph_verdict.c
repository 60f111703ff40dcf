/*
 * graph_verdict.c - what becomes of a task that was claimed: complete, failed, free again.
 */
#include "work/graph/graph_edit.h"
#include "work/graph/graph_place.h"

#include "base/alloc.h"
#include <errno.h>

/* ---- the ticket ---------------------------------------------------------------------- */

/* Brings the ticket in line with the graph, which is what counts.  A ticket that cannot be
 * changed gets a note, and refresh tries again. */
static void
ticket_follow(const struct graph_place *p, const struct graph_task *t, enum task_status status,
    const char *completed_at, struct buf *notes)
{
	AUTO_FREE char *path = graph_ticket_path(p->fd, t);
	AUTO_BUF problems = BUF_INIT;
	struct graph_ticket ticket;
	struct err err = ERR_INIT;

	if (path == NULL)
		return;
	if (graph_ticket_load(&ticket, p->fd, path, &problems, &err) < 0 ||
	    graph_ticket_set_status(&ticket, p->fd, status, completed_at, &err) < 0)
		buf_addf(notes, "the ticket is not changed: %s\n", err.text);
	graph_ticket_release(&ticket);
}

/* ---- guards -------------------------------------------------------------------------- */

/* Refuses: a living process works on the task right now. */
static enum claim_result
at_work(const struct graph_task *t, struct err *err)
{
	return graph_answer(CLAIM_REFUSED, err,
	    "%s is being worked on by pid %d in %s; --force does it nevertheless", t->id,
	    (int)t->claim->owner.pid, t->claim->worktree);
}

static bool
graph_verdict_is_ours(const struct graph_place *p, const struct graph_task *t)
{
	return strcmp(t->claim->worktree, claims_worktree(p->claims)) == 0;
}

/* ---- complete ------------------------------------------------------------------------ */

static void
note_early(const struct graph_task *t, struct buf *notes)
{
	for (size_t i = 0; i < t->nneeds; i++)
		if (t->needs[i]->status != TASK_COMPLETE)
			buf_addf(notes, "%s waits for %s, which is not complete\n", t->id,
			    t->needs[i]->id);
}

static int
graph_verdict_complete(struct graph_place *p, struct graph *g, struct graph_task *t,
    struct buf *notes, struct err *err)
{
	AUTO_BUF now = BUF_INIT;
	struct yedits e;
	int rc = 0;

	clock_fmt_rfc3339(clock_wall(), &now);
	yedits_init(&e, &g->tree);
	if (t->status == TASK_COMPLETE) {
		buf_addf(notes, "%s is complete already\n", t->id);
	} else {
		note_early(t, notes);
		graph_set_status(&e, t, TASK_COMPLETE);
		yedits_set(&e, t->node, "completed_at", now.data, YVALUE_TEXT,
		    ynode_get(t->node, "claimed_by") != NULL ? "claimed_by" : "status");
		for (size_t i = 0; i < t->nfeeds; i++)
			graph_settle(&e, t->feeds[i]);
		rc = graph_write(p, g, &e, err);
	}
	yedits_release(&e);
	if (rc < 0)
		return -1;
	ticket_follow(p, t, TASK_COMPLETE, now.data, notes);
	return claims_done(p->claims, t->id, 0, CLAIM_COMPLETE, NULL, err);
}

/* ---- reset --------------------------------------------------------------------------- */

static int
graph_verdict_reset(struct graph_place *p, struct graph *g, struct graph_task *t,
    struct buf *notes, struct err *err)
{
	static const char *const gone[] = {"claimed_at", "claimed_by", "completed_at"};
	struct yedits e;
	int rc;

	t->status = graph_unmet(t) == NULL ? TASK_READY : TASK_PENDING;
	ticket_follow(p, t, t->status, NULL, notes);
	yedits_init(&e, &g->tree);
	graph_set_status(&e, t, t->status);
	for (size_t i = 0; i < ARRAY_LEN(gone); i++)
		yedits_set(&e, t->node, gone[i], NULL, YVALUE_TEXT, NULL);
	for (size_t i = 0; i < t->nfeeds; i++)
		graph_settle(&e, t->feeds[i]);
	rc = graph_write(p, g, &e, err);
	yedits_release(&e);
	return rc < 0 ? -1 : claims_done(p->claims, t->id, 0, CLAIM_FREE, NULL, err);
}

/* ---- complete and reset -------------------------------------------------------------- */

typedef int change_fn(struct graph_place *p, struct graph *g, struct graph_task *t,
    struct buf *notes, struct err *err);

/* Changes a task, and writes the event into the log, unless the task was complete already and
 * is so again.  Without `force`, a task that somebody works on stays as it is; `ours`: unless
 * somebody in this work tree works on it. */
static enum claim_result
graph_verdict_change(struct graph_place *p, const char *id, change_fn *change,
    const char *event, bool force, bool ours, struct buf *notes, struct err *err)
{
	struct graph g;
	struct graph_task *t;
	struct graph_event said = {.event = event};
	enum claim_result rc = graph_begin(p, &g, NULL, err);

	if (rc != CLAIM_CLAIMED)
		return rc;
	t = graph_find(&g, id);
	if (t == NULL) {
		rc = graph_unknown(id, ENOENT, err);
	} else if (!force && t->claim != NULL && claim_is_alive(t->claim) &&
		   !(ours && graph_verdict_is_ours(p, t))) {
		rc = at_work(t, err);
	} else {
		bool was = t->status == TASK_COMPLETE;

		said.task = t->id;
		said.before = task_status_name(t->now);
		if (change(p, &g, t, notes, err) < 0)
			rc = CLAIM_IO_ERROR;
		said.after = task_status_name(t->status);
		if (rc == CLAIM_CLAIMED && !(was && t->status == TASK_COMPLETE))
			graph_audit(p, &said, notes);
	}
	graph_end(p, &g);
	return rc;
}

enum claim_result
graph_complete(
    struct graph_place *p, const char *id, bool force, struct buf *notes, struct err *err)
{
	return graph_verdict_change(p, id, graph_verdict_complete,
	    force ? "force-completed" : "completed", force, true, notes, err);
}

enum claim_result
graph_reset(
    struct graph_place *p, const char *id, bool force, struct buf *notes, struct err *err)
{
	return graph_verdict_change(
	    p, id, graph_verdict_reset, "reset", force, false, notes, err);
}

/* ---- for loops ----------------------------------------------------------------------- */

/* Ends a call that is about the claim alone. */
static enum claim_result
graph_verdict_unlock(struct graph_place *p, int rc)
{
	claims_unlock(p->claims);
	return rc < 0 ? CLAIM_IO_ERROR : CLAIM_CLAIMED;
}

enum claim_result
graph_fail(struct graph_place *p, const char *id, const char *note, struct err *err)
{
	enum claim_result rc = graph_lock(p, err);

	return rc != CLAIM_CLAIMED ? rc
				   : graph_verdict_unlock(p, claims_done(p->claims, id, 0,
								 CLAIM_FAILED, note, err));
}

/* A task that has a verdict by now, or another owner, is left alone. */
enum claim_result
graph_hand_over(
    struct graph_place *p, const char *id, pid_t owner, pid_t agent, struct err *err)
{
	enum claim_result rc = graph_lock(p, err);

	return rc != CLAIM_CLAIMED
		   ? rc
		   : graph_verdict_unlock(p, claims_beat(p->claims, id, owner, agent, err));
}

enum claim_result
graph_release_task(struct graph_place *p, const char *id, struct err *err)
{
	AUTO_BUF notes = BUF_INIT;

	return graph_reset(p, id, true, &notes, err);
}
