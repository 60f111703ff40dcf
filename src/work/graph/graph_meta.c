/*
 * graph_meta.c - the counts that a graph keeps of itself.
 */
#include "work/graph/graph_edit.h"
#include "work/graph/graph_place.h"

#include "base/alloc.h"

static void
set_count(struct yedits *e, const struct ynode *map, const char *key, size_t count)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%zu", count);
	if (ynode_get(map, key) != NULL)
		yedits_set(e, map, key, text, YVALUE_RAW, NULL);
}

static void
set_items(struct yedits *e, const struct graph *g, const char *key, const char *list)
{
	size_t count = 0;

	for (const struct ynode *n = ynode_items(ynode_get(g->tree.root, list)); n != NULL;
	     n = n->next)
		count++;
	set_count(e, ynode_get(g->tree.root, "meta"), key, count);
}

/* The key of a priority may be "0" or "P0". */
static void
set_priority(struct yedits *e, const struct ynode *map, size_t priority, size_t count)
{
	char key[24];

	(void)snprintf(key, sizeof(key), "%zu", priority);
	set_count(e, map, key, count);
	(void)snprintf(key, sizeof(key), "P%zu", priority);
	set_count(e, map, key, count);
}

/* by_milestone lists the ids of tasks.  The list changes when tasks come and go, not when tasks
 * are claimed or done. */
static void
set_milestone(
    struct yedits *e, const struct graph *g, const struct ynode *map, const struct ynode *key)
{
	const struct ynode *list = key->next;
	const char *milestone = key->text;
	const struct ynode *item = ynode_items(list);
	AUTO_BUF ids = BUF_INIT;
	bool same = true;

	for (size_t i = 0; i < g->ntasks; i++) {
		const struct graph_task *t = &g->tasks[i];
		const char *have = item != NULL ? ynode_text(item) : NULL;

		if (t->milestone == NULL || strcmp(t->milestone, milestone) != 0)
			continue;
		same = same && have != NULL && strcmp(have, t->id) == 0;
		item = item != NULL ? item->next : NULL;
		buf_adds(&ids, ids.len > 0 ? ", " : "[");
		yscalar_add(&ids, t->id, YSTYLE_PLAIN);
	}
	/* A block list no deeper than its key cannot be replaced by a list in brackets. */
	if ((same && item == NULL) ||
	    (list->style != YSTYLE_FLOW && list->column <= key->column))
		return;
	buf_adds(&ids, ids.len > 0 ? "]" : "[]");
	yedits_set(e, map, milestone, ids.data, YVALUE_RAW, NULL);
}

static void
set_milestones(struct yedits *e, const struct graph *g, const struct ynode *map)
{
	if (map == NULL || map->kind != YNODE_MAP)
		return;
	for (const struct ynode *key = map->child; key != NULL && key->next != NULL;
	     key = key->next->next)
		if (key->next->kind == YNODE_LIST)
			set_milestone(e, g, map, key);
}

void
graph_meta(struct yedits *e, const struct graph *g)
{
	static const char *const keys[] = {
	    "pending", "ready", "in_progress", "complete", "blocked"};
	const struct ynode *root = g->tree.root, *meta = ynode_get(root, "meta");
	size_t by_status[TASK_STATUS_COUNT] = {0}, by_priority[GRAPH_PRIORITIES] = {0};
	AUTO_BUF now = BUF_INIT;

	_Static_assert(ARRAY_LEN(keys) == TASK_STATUS_COUNT, "every status is counted");
	clock_fmt_rfc3339(clock_wall(), &now);
	buf_truncate(&now, strlen("2026-01-27"));
	if (ynode_get(root, "last_updated") != NULL)
		yedits_set(e, root, "last_updated", now.data, YVALUE_TEXT, NULL);
	for (size_t i = 0; i < g->ntasks; i++) {
		by_status[g->tasks[i].status]++;
		by_priority[g->tasks[i].priority]++;
	}
	set_count(e, meta, "total_tasks", g->ntasks);
	set_items(e, g, "total_stories", "stories");
	set_items(e, g, "total_milestones", "milestones");
	for (size_t i = 0; i < TASK_STATUS_COUNT; i++)
		set_count(e, ynode_get(meta, "by_status"), keys[i], by_status[i]);
	for (size_t i = 0; i < GRAPH_PRIORITIES; i++)
		set_priority(e, ynode_get(meta, "by_priority"), i, by_priority[i]);
	set_milestones(e, g, ynode_get(meta, "by_milestone"));
}
