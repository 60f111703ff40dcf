/*
 * Any bytes are a graph or are refused with a line for each mistake; what was read stands where
 * the tree says; and whatever is changed in a graph that was read, it is the same one
 * afterwards but for that change, or the change is refused.
 */
#include "work/graph/graph_edit.h"
#include "work/graph/graph_place.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_places(const struct ytree *t, const struct ynode *n)
{
	ENSURE(n->start <= n->end && n->end <= t->to);
	for (const struct ynode *c = n->child; c != NULL; c = c->next)
		check_places(t, c);
}

/* What is verified from a part of the text must be true of all of it. */
static void
change(struct graph *g, size_t which)
{
	struct graph_task *t = &g->tasks[which % g->ntasks];
	AUTO_BUF out = BUF_INIT;
	struct err err = ERR_INIT;
	struct yedits e;

	yedits_init(&e, &g->tree);
	graph_set_status(&e, t, TASK_BLOCKED);
	yedits_set(
	    &e, t->node, "claimed_at", "2026-01-27T10:00:00.000Z", YVALUE_TEXT, "status");
	yedits_set(&e, t->node, "assignee", NULL, YVALUE_TEXT, NULL);
	if (graph_verify_edits(g, &e, &err) == 0) {
		ENSURE(yedits_make(&e, "g", g->text.len, &out, &err) == 0);
		ENSURE(graph_verify(g, &out, &err) == 0);
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
