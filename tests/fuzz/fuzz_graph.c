/*
 * Any bytes are a graph or are refused with a line for each mistake; what was read stands where
 * the tree says; and whatever is changed in a graph that was read, it is one afterwards, with
 * that change in it.
 */
#include "source/graph.h"
#include "source/graph_edit.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_places(const struct ytree *t, const struct ynode *n)
{
	ENSURE(n->start <= n->end && n->end <= t->to);
	for (const struct ynode *c = n->child; c != NULL; c = c->next)
		check_places(t, c);
}

/* What comes out as a graph, which is what graph_write asks before it writes, must be the same
 * one but for the change. */
static void
change(const struct graph *g, size_t which)
{
	const struct graph_task *t = &g->tasks[which % g->ntasks];
	static const struct yfield fields[] = {
	    {"from", "x", YVALUE_TEXT}, {"to", "y", YVALUE_TEXT}};
	AUTO_BUF out = BUF_INIT;
	struct err err = ERR_INIT;
	struct yedits e;

	yedits_init(&e, &g->tree);
	yedits_set(&e, t->node, "status", "blocked", YVALUE_TEXT, "title");
	yedits_set(
	    &e, t->node, "claimed_at", "2026-01-27T10:00:00.000Z", YVALUE_TEXT, "status");
	yedits_set(&e, t->node, "assignee", NULL, YVALUE_TEXT, NULL);
	if (which % 2 == 0)
		yedits_append(&e, g->tree.root, "other", fields, ARRAY_LEN(fields));
	if (yedits_apply(&e, "g", g->text.len, &out, &err) == 0) {
		struct graph again;
		AUTO_BUF problems = BUF_INIT;

		if (graph_parse(&again, "g", &out, &problems, &err) == 0) {
			ENSURE(again.ntasks == g->ntasks);
			ENSURE(graph_find(&again, t->id)->status == TASK_BLOCKED);
			graph_release(&again);
		}
	} else {
		ENSURE(err.text[0] != '\0');
	}
	yedits_release(&e);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF problems = BUF_INIT;
	AUTO_BUF why = BUF_INIT;
	struct err err = ERR_INIT;
	struct graph g;

	buf_add(&text, data, size);
	if (graph_parse(&g, "g", &text, &problems, &err) < 0) {
		ENSURE(problems.len > 0 && problems.data[problems.len - 1] == '\n');
		ENSURE(err.text[0] != '\0');
		return 0;
	}
	check_places(&g.tree, g.tree.root);
	ENSURE(graph_next(&g, NULL) == NULL || graph_has_open(&g, NULL));
	graph_explain(&g, NULL, &why);
	if (g.ntasks > 0)
		change(&g, size);
	graph_release(&g);
	return 0;
}
