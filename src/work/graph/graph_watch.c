/*
 * graph_watch.c - what becomes of other tasks while an agent has its own.
 *
 * 'ralph graph complete' and 'reset' refuse an agent other tasks than its own, but the graph is
 * a file that agents can edit.  So the watch writes down the status of each task when a task is
 * given out (WATCH_FILE in the loop's directory: it outlives a crash).  When the agent ends,
 * changes are put back, unless our commands made them: tasks completed with our commands, in
 * any worktree, are in the claims, and a reset is in the audit log.  A merge by hand, or
 * somebody with an editor, looks just like the agent.  Pending and ready follow from other
 * tasks, and a task in progress has a claim: both are left alone.
 *
 * A task that is gone from the graph cannot be put back; the watch remembers it for the end of
 * the loop.
 */
#include "work/graph/graph_place.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/json.h"
#include "work/graph/graph_edit.h"

#define WATCH_FILE "graph.json"
#define WATCH_MAX ((size_t)64 << 20)
#define AUDIT_MAX ((size_t)256 << 20)

static int
audit_read(const struct graph_place *p, struct buf *out)
{
	return fs_read(p->fd, "logs/" GRAPH_AUDIT, AUDIT_MAX, out, NULL);
}

/* ---- on disk ------------------------------------------------------------------------- */

static void
graph_watch_save(const struct graph_watch *w, struct buf *notes)
{
	AUTO_JSON *v = json_object();
	AUTO_BUF text = BUF_INIT;
	struct err err = ERR_INIT;

	json_put(v, "task", w->task);
	(void)json_object_set_new(v, "before", json_strlist(w->before));
	(void)json_object_set_new(v, "audited", json_integer((json_int_t)w->audited));
	(void)json_object_set_new(v, "gone", json_strlist(w->gone));
	json_print(v, true, &text);
	if (w->dir >= 0 &&
	    fs_replace(w->dir, WATCH_FILE, text.data, text.len, FS_SYNC, &err) < 0)
		buf_addf(notes, "how the tasks stand is not written down: %s\n", err.text);
}

void
graph_watch_keep(struct graph_watch *w, int dir, bool over)
{
	AUTO_JSON *v = NULL;

	w->dir = dir;
	v = json_read(dir, WATCH_FILE, WATCH_MAX, NULL);
	if (json_str(v, "task", NULL) != NULL)
		w->task = xstrdup(json_str(v, "task", ""));
	w->before = json_to_strlist(json_object_get(v, "before"));
	w->audited = (size_t)json_int(v, "audited", 0);
	w->gone = json_to_strlist(json_object_get(v, "gone"));
	w->over = over && w->task != NULL;
}

static void
graph_watch_forget(struct graph_watch *w)
{
	strlist_free(take_ptr(w->before));
	free(take_ptr(w->task));
	w->over = false;
}

void
graph_watch_release(struct graph_watch *w)
{
	graph_watch_forget(w);
	strlist_free(take_ptr(w->gone));
}

void
graph_watch_begin(
    struct graph_place *p, struct graph_watch *w, const char *task, struct buf *notes)
{
	AUTO_BUF audit = BUF_INIT;
	AUTO_GRAPH g;

	graph_watch_forget(w);
	if (graph_look(p, &g, NULL, NULL) != CLAIM_CLAIMED)
		return;
	w->task = xstrdup(task);
	for (size_t i = 0; i < g.ntasks; i++) {
		w->before = strlist_add(w->before, g.tasks[i].id);
		w->before = strlist_add(w->before, task_status_name(g.tasks[i].status));
	}
	w->audited = audit_read(p, &audit) < 0 ? 0 : audit.len;
	graph_watch_save(w, notes);
}

/* ---- the end ------------------------------------------------------------------------- */

struct watch_ending {
	struct graph *g;
	struct yedits edits;
	const char *audit; /* the lines of the audit log since the task was given out */
	const struct graph_watch *w;
	struct buf *notes;
};

/* Does a line of the audit log say that the task got this status? */
static bool
is_audited(const char *at, const char *task, const char *status)
{
	for (const char *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
		AUTO_JSON *v = json_parse(at, (size_t)(end - at), GRAPH_AUDIT, NULL);

		if (strcmp(json_str(v, "task_id", ""), task) == 0 &&
		    strcmp(json_str(v, "new_status", ""), status) == 0)
			return true;
	}
	return false;
}

static bool
is_said(enum task_status s)
{
	return s == TASK_COMPLETE || s == TASK_BLOCKED;
}

static bool
is_explained(const struct watch_ending *e, const struct graph_task *t, enum task_status before)
{
	if (t->status == before || (!is_said(t->status) && !is_said(before)))
		return true;
	if (t->status == TASK_COMPLETE)
		return t->claim != NULL && t->claim->state == CLAIM_COMPLETE;
	return is_audited(e->audit, t->id, task_status_name(t->status));
}

static void
graph_watch_put_back(struct watch_ending *e, struct graph_task *t, enum task_status before)
{
	buf_addf(e->notes,
	    "%s was marked as %s in the graph while the agent of %s worked, and not by 'ralph "
	    "graph': it is %s again\n",
	    t->id, task_status_name(t->status), e->w->task, task_status_name(before));
	graph_set_status(&e->edits, t, before);
	for (size_t i = 0; i < t->nfeeds; i++)
		graph_settle(&e->edits, t->feeds[i]);
}

static void
graph_watch_compare(struct watch_ending *e, struct graph_watch *w)
{
	for (char **at = w->before; at != NULL && at[0] != NULL && at[1] != NULL; at += 2) {
		struct graph_task *t = graph_find(e->g, at[0]);
		int before = task_status_parse(at[1]);

		if (strcmp(at[0], w->task) == 0 || before < 0)
			continue;
		if (t != NULL && !is_explained(e, t, (enum task_status)before))
			graph_watch_put_back(e, t, (enum task_status)before);
		if (t != NULL || before == TASK_COMPLETE)
			continue;
		w->gone = strlist_add(w->gone, at[0]);
		buf_addf(e->notes, "%s is gone from the graph since the agent of %s worked\n",
		    at[0], w->task);
	}
}

int
graph_watch_end(
    struct graph_place *p, struct graph_watch *w, struct buf *notes, struct err *err)
{
	AUTO_BUF audit = BUF_INIT;
	AUTO_BUF said = BUF_INIT;
	struct graph g;
	struct watch_ending e = {.g = &g, .w = w, .notes = &said};
	int rc;

	if (w->task == NULL)
		return 0;
	w->over = true;
	if (graph_begin(p, &g, NULL, err) != CLAIM_CLAIMED)
		return -1;
	(void)!audit_read(p, &audit);
	e.audit = audit.len > w->audited ? audit.data + w->audited : "";
	yedits_init(&e.edits, &g.tree);
	graph_watch_compare(&e, w);
	rc = graph_write(p, &g, &e.edits, err);
	yedits_release(&e.edits);
	graph_end(p, &g);
	if (rc < 0)
		return -1;
	buf_add(notes, said.data, said.len);
	graph_watch_forget(w);
	graph_watch_save(w, notes);
	return 0;
}
