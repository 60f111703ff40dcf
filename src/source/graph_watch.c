/*
 * graph_watch.c - what else came to be complete while an agent had its task.
 *
 * 'ralph graph complete' refuses an agent other tasks than its own, but the graph is a file
 * that agents can edit.  A task whose line says complete since, and of which the audit log
 * knows nothing, was marked by hand: by the agent, by a merge, by somebody.  Who it was cannot
 * be told, so it is left as it is, and named.
 */
#include "source/graph_work.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/json.h"

#define AUDIT_MAX ((size_t)256 << 20)

static int
audit_read(const struct graph_place *p, struct buf *out)
{
	return fs_read(p->fd, "logs/" GRAPH_AUDIT, AUDIT_MAX, out, NULL);
}

void
graph_watch_begin(struct graph_place *p, struct graph_watch *w)
{
	AUTO_BUF audit = BUF_INIT;
	struct graph g;

	graph_watch_release(w);
	if (graph_look(p, &g, NULL, NULL) != CLAIM_CLAIMED)
		return;
	for (size_t i = 0; i < g.ntasks; i++)
		if (g.tasks[i].status != TASK_COMPLETE)
			w->open = strlist_add(w->open, g.tasks[i].id);
	graph_release(&g);
	w->audited = audit_read(p, &audit) < 0 ? 0 : audit.len;
}

void
graph_watch_release(struct graph_watch *w)
{
	strlist_free(w->open);
	*w = (struct graph_watch){NULL, 0};
}

/* Is there a line that says so, from `at` on? */
static bool
is_audited(const char *at, const char *task)
{
	for (const char *end; (end = strchr(at, '\n')) != NULL; at = end + 1) {
		AUTO_JSON *v = json_parse(at, (size_t)(end - at), GRAPH_AUDIT, NULL);

		if (strcmp(json_str(v, "task_id", ""), task) == 0 &&
		    strcmp(json_str(v, "new_status", ""), task_status_name(TASK_COMPLETE)) == 0)
			return true;
	}
	return false;
}

void
graph_watch_end(
    struct graph_place *p, struct graph_watch *w, const char *own, struct buf *notes)
{
	AUTO_BUF audit = BUF_INIT;
	struct graph g;

	if (w->open == NULL || graph_look(p, &g, NULL, NULL) != CLAIM_CLAIMED)
		return;
	(void)!audit_read(p, &audit);
	for (char **id = w->open; *id != NULL; id++) {
		const struct graph_task *t = graph_find(&g, *id);

		if (t != NULL && t->status == TASK_COMPLETE && strcmp(*id, own) != 0 &&
		    !is_audited(
			audit.data + (w->audited < audit.len ? w->audited : audit.len), *id))
			buf_addf(notes,
			    "%s was marked as complete in the graph while the agent of %s "
			    "worked, "
			    "and not by 'ralph graph complete': it is not counted\n",
			    *id, own);
	}
	graph_release(&g);
	graph_watch_release(w);
}
