/*
 * graph_verdict.c - what becomes of a task that was claimed: complete, failed, free again.
 */
#include "work/graph/graph_edit.h"
#include "work/graph/graph_work.h"

#include "base/alloc.h"
#include "base/text.h"
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
	if (graph_ticket_load(&ticket, p->fd, path, &problems, &err) < 0) {
		buf_addf(notes, "the ticket is not changed: %s\n", err.text);
		return;
	}
	if (graph_ticket_set_status(&ticket, p->fd, status, completed_at, &err) < 0)
		buf_addf(notes, "the ticket is not changed: %s\n", err.text);
	graph_ticket_release(&ticket);
}

/* ---- guards -------------------------------------------------------------------------- */

static enum claim_result
graph_verdict_find(struct graph *g, const char *id, struct graph_task **out, struct err *err)
{
	AUTO_BUF shown = BUF_INIT;

	*out = graph_find(g, id);
	if (*out != NULL)
		return CLAIM_CLAIMED;
	text_quote(&shown, id);
	(void)err_set(err, "no task has the id %s", shown.data);
	if (err != NULL)
		err->code = ENOENT;
	return CLAIM_REFUSED;
}

/* Refuses: a living process works on the task right now. */
static enum claim_result
at_work(const struct graph_task *t, struct err *err)
{
	(void)err_set(err,
	    "%s is being worked on by pid %d in %s; --force does it nevertheless", t->id,
	    (int)t->claim->owner.pid, t->claim->worktree);
	return CLAIM_REFUSED;
}

static bool
graph_verdict_is_ours(const struct graph_place *p, const struct graph_task *t)
{
	return strcmp(t->claim->worktree, claims_worktree(p->claims)) == 0;
}

/* ---- complete ------------------------------------------------------------------------ */

static int
graph_verdict_complete(struct graph_place *p, struct graph *g, struct graph_task *t,
    struct buf *notes, struct err *err)
{
	AUTO_BUF now = BUF_INIT;
	struct yedits e;
	int rc = 0;

	clock_fmt_rfc3339(clock_wall(), &now);
	yedits_init(&e, &g->tree);
	if (t->status != TASK_COMPLETE) {
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

static void
note_early(const struct graph_task *t, struct buf *notes)
{
	for (size_t i = 0; i < t->nneeds; i++)
		if (t->needs[i]->status != TASK_COMPLETE)
			buf_addf(notes, "%s waits for %s, which is not complete\n", t->id,
			    t->needs[i]->id);
}

enum claim_result
graph_complete(
    struct graph_place *p, const char *id, bool force, struct buf *notes, struct err *err)
{
	struct graph g;
	struct graph_task *t;
	struct graph_event event = {
	    .event = force ? "force-completed" : "completed", .after = "complete"};
	enum claim_result rc = graph_begin(p, &g, NULL, err);

	if (rc != CLAIM_CLAIMED)
		return rc;
	rc = graph_verdict_find(&g, id, &t, err);
	if (rc == CLAIM_CLAIMED && !force && t->claim != NULL && claim_is_alive(t->claim) &&
	    !graph_verdict_is_ours(p, t))
		rc = at_work(t, err);
	if (rc == CLAIM_CLAIMED) {
		bool again = t->status == TASK_COMPLETE;

		event.task = t->id;
		event.before = task_status_name(t->now);
		if (again)
			buf_addf(notes, "%s is complete already\n", t->id);
		else
			note_early(t, notes);
		if (graph_verdict_complete(p, &g, t, notes, err) < 0)
			rc = CLAIM_IO_ERROR;
		else if (!again)
			graph_audit(p, &event, notes);
	}
	graph_end(p, &g);
	return rc;
}

/* ---- reset --------------------------------------------------------------------------- */

static int
graph_verdict_reset(struct graph_place *p, struct graph *g, struct graph_task *t,
    struct buf *notes, struct err *err)
{
	static const char *const gone[] = {"claimed_at", "claimed_by", "completed_at"};
	struct yedits e;
	int rc;

	/* The status is set once, after the loop: two changes at one place are an error. */
	t->status = TASK_READY;
	for (size_t i = 0; i < t->nneeds; i++)
		if (t->needs[i]->status != TASK_COMPLETE)
			t->status = TASK_PENDING;
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

enum claim_result
graph_reset(
    struct graph_place *p, const char *id, bool force, struct buf *notes, struct err *err)
{
	struct graph g;
	struct graph_task *t;
	struct graph_event event = {.event = "reset"};
	enum claim_result rc = graph_begin(p, &g, NULL, err);

	if (rc != CLAIM_CLAIMED)
		return rc;
	rc = graph_verdict_find(&g, id, &t, err);
	if (rc == CLAIM_CLAIMED && !force && t->claim != NULL && claim_is_alive(t->claim))
		rc = at_work(t, err);
	if (rc == CLAIM_CLAIMED) {
		event.task = t->id;
		event.before = task_status_name(t->now);
		if (graph_verdict_reset(p, &g, t, notes, err) < 0)
			rc = CLAIM_IO_ERROR;
		else
			event.after = task_status_name(t->status);
		if (rc == CLAIM_CLAIMED)
			graph_audit(p, &event, notes);
	}
	graph_end(p, &g);
	return rc;
}

/* ---- for loops ----------------------------------------------------------------------- */

/* Takes the lock for a call that is about the claim alone. */
static enum claim_result
graph_verdict_lock(struct graph_place *p, struct err *err)
{
	struct err why = ERR_INIT;

	if (claims_lock(p->claims, p->wait, &why) == 0)
		return CLAIM_CLAIMED;
	if (err != NULL)
		*err = why;
	return why.code == EWOULDBLOCK ? CLAIM_BUSY : CLAIM_IO_ERROR;
}

enum claim_result
graph_fail(struct graph_place *p, const char *id, const char *note, struct err *err)
{
	enum claim_result rc = graph_verdict_lock(p, err);

	if (rc != CLAIM_CLAIMED)
		return rc;
	if (claims_done(p->claims, id, 0, CLAIM_FAILED, note, err) < 0)
		rc = CLAIM_IO_ERROR;
	claims_unlock(p->claims);
	return rc;
}

/* A task that has a verdict by now, or another owner, is left alone. */
enum claim_result
graph_hand_over(
    struct graph_place *p, const char *id, pid_t owner, pid_t agent, struct err *err)
{
	enum claim_result rc = graph_verdict_lock(p, err);

	if (rc != CLAIM_CLAIMED)
		return rc;
	if (claims_beat(p->claims, id, owner, agent, err) < 0)
		rc = CLAIM_IO_ERROR;
	claims_unlock(p->claims);
	return rc;
}

enum claim_result
graph_release_task(struct graph_place *p, const char *id, struct err *err)
{
	AUTO_BUF notes = BUF_INIT;

	return graph_reset(p, id, true, &notes, err);
}
