/*
 * json.c - the graph for other programs.
 */
#include "cmd/graph/graph.h"

#include "base/alloc.h"
#include "base/json.h"

static json_t *
claim_json(const struct graph_task *t)
{
	const struct claim *c = t->claim;
	json_t *v;

	if (c == NULL || (t->status == TASK_COMPLETE && c->state != CLAIM_COMPLETE))
		return json_null();
	v = json_pack("{s:s, s:i, s:b, s:o, s:o, s:o, s:o}", "state",
	    claim_state_name(c->state), "pid", (int)c->owner.pid, "void", claim_is_void(c),
	    "host", json_or_null(c->host), "worktree", json_or_null(c->worktree), "since",
	    json_or_null(c->since), "note", json_or_null(c->note));
	ENSURE(v != NULL);
	return v;
}

static json_t *
task_json(const struct graph_task *t)
{
	json_t *needs = json_array(), *v;

	for (size_t i = 0; i < t->nneeds; i++)
		(void)json_array_append_new(needs, json_or_null(t->needs[i]->id));
	v = json_pack("{s:o, s:o, s:o, s:I, s:s, s:b, s:b, s:o, s:o}", "id",
	    json_or_null(t->id), "title", json_or_null(t->title), "story",
	    json_or_null(t->story), "priority", (json_int_t)t->priority, "status",
	    task_status_name(graph_standing(t)), "ready", graph_is_ready(t), "elsewhere",
	    graph_is_elsewhere(t), "depends_on", needs, "claim", claim_json(t));
	ENSURE(v != NULL);
	return v;
}

void
graph_json(const struct graph_place *p, const struct graph *g, struct buf *out)
{
	AUTO_JSON *v = json_object();
	json_t *by = json_object(), *ready = json_array(), *tasks = json_array();
	AUTO_FREE struct graph_task **list = NULL;
	size_t n = graph_ready(g, p->story, &list), count[TASK_STATUS_COUNT] = {0};

	for (size_t i = 0; i < g->ntasks; i++) {
		count[graph_standing(&g->tasks[i])]++;
		(void)json_array_append_new(tasks, task_json(&g->tasks[i]));
	}
	for (int i = 0; i < TASK_STATUS_COUNT; i++)
		(void)json_object_set_new(by, task_status_name((enum task_status)i),
		    json_integer((json_int_t)count[i]));
	for (size_t i = 0; i < n; i++)
		(void)json_array_append_new(ready, json_or_null(list[i]->id));
	json_put(v, "root", p->root);
	(void)json_object_set_new(v, "story_filter", json_or_null(p->story));
	(void)json_object_set_new(v, "by_status", by);
	(void)json_object_set_new(v, "ready", ready);
	(void)json_object_set_new(v, "tasks", tasks);
	json_print(v, false, out);
	buf_addc(out, '\n');
}
