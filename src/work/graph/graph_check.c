/*
 * graph_check.c - cycles of a task graph, each told once, as a path.
 */
#include "work/graph/graph.h"

#include "base/alloc.h"

enum { UNSEEN, OPEN, DONE, PATH_SHOWN = 20 };

/* A task on the way down, and the next of its needs to visit. */
struct visit {
	struct graph_task *task;
	size_t next;
};

struct walk {
	struct visit *path;
	size_t depth;
	const char *name;
	struct buf *problems;
};

/* The walk goes from a waiting task to its needs; the path is told backwards, in the order of
 * work. */
static void
graph_check_tell(struct walk *w, const struct graph_task *again)
{
	size_t from = w->depth, n;

	while (w->path[from - 1].task != again)
		from--;
	n = w->depth - from + 1;
	buf_addf(w->problems, "%s:%u: a cycle: %s", w->name, again->line, again->id);
	for (size_t i = 0; i < n - 1 && i < PATH_SHOWN; i++)
		buf_addf(w->problems, " -> %s", w->path[w->depth - 1 - i].task->id);
	if (n - 1 > PATH_SHOWN)
		buf_adds(w->problems, " -> ...");
	buf_addf(w->problems, " -> %s\n", again->id);
}

static void
descend(struct walk *w, struct graph_task *t)
{
	t->mark = OPEN;
	w->path[w->depth++] = (struct visit){t, 0};
	while (w->depth > 0) {
		struct visit *s = &w->path[w->depth - 1];
		struct graph_task *n;

		if (s->next == s->task->nneeds) {
			s->task->mark = DONE;
			w->depth--;
			continue;
		}
		n = s->task->needs[s->next++];
		if (n->mark == OPEN) {
			graph_check_tell(w, n);
		} else if (n->mark == UNSEEN) {
			n->mark = OPEN;
			w->path[w->depth++] = (struct visit){n, 0};
		}
	}
}

void
graph_cycles(struct graph *g, const char *name, struct buf *problems)
{
	struct walk w = {.name = name, .problems = problems};

	w.path = xcalloc(g->ntasks + 1, sizeof(*w.path));
	for (size_t i = 0; i < g->ntasks; i++)
		g->tasks[i].mark = UNSEEN;
	for (size_t i = 0; i < g->ntasks; i++)
		if (g->tasks[i].mark == UNSEEN)
			descend(&w, &g->tasks[i]);
	free(w.path);
}
