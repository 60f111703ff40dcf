/*
 * dot.c - the graph as a picture: input for Graphviz.
 */
#include "cmd/graph/graph.h"

static const char *
colour(const struct graph_task *t)
{
	if (t->claim != NULL && t->claim->state == CLAIM_FAILED)
		return "salmon";
	if (graph_is_ready(t))
		return "lightblue";
	switch (graph_standing(t)) {
	case TASK_IN_PROGRESS:
		return "gold";
	case TASK_COMPLETE:
		return "palegreen";
	case TASK_BLOCKED:
		return "salmon";
	case TASK_PENDING:
	case TASK_READY:
	case TASK_STATUS_COUNT:
	default:
		return "white";
	}
}

/* Inside double quotes: a backslash begins an escape of dot's own. */
static void
dot_add_quoted(struct buf *out, const char *s)
{
	AUTO_BUF shown = BUF_INIT;

	text_addf(&shown, "%s", s);
	for (const char *p = shown.data; *p != '\0'; p++) {
		if (*p == '"' || *p == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *p);
	}
}

void
graph_dot(const struct graph *g, struct buf *out)
{
	buf_adds(out, "digraph tasks {\n\trankdir=LR;\n"
		      "\tnode [shape=box, style=\"rounded,filled\"];\n");
	for (size_t i = 0; i < g->ntasks; i++) {
		const struct graph_task *t = &g->tasks[i];

		buf_addf(out, "\t\"%s\" [fillcolor=%s, label=\"%s\\n", t->id, colour(t), t->id);
		dot_add_quoted(out, t->title);
		buf_adds(out, "\"];\n");
	}
	for (size_t i = 0; i < g->ntasks; i++)
		for (size_t k = 0; k < g->tasks[i].nneeds; k++)
			buf_addf(out, "\t\"%s\" -> \"%s\";\n", g->tasks[i].needs[k]->id,
			    g->tasks[i].id);
	buf_adds(out, "}\n");
}
