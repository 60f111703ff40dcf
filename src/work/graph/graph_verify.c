/*
 * graph_verify.c - before a graph is written: does the new text say what was meant?
 *
 * YAML can be written in odd ways, and a change that is right in all of those we know might be
 * wrong in one more.  So the new text is read before it replaces the old.  Reading all of it
 * takes as long as the claim itself; where tasks are lines of their own, the text without the
 * tasks that are neither changed nor next to a change tells as much: a quote or a bracket that
 * swallows what follows swallows that, too.
 */
#include "work/graph/graph_edit.h"
#include "work/graph/graph_place.h"

static int
not_in_place(struct err *err)
{
	return err_set(err, GRAPH_FILE ": it cannot be changed in place");
}

int
graph_verify(const struct graph *g, struct buf *text, struct err *err)
{
	AUTO_BUF problems = BUF_INIT;
	struct graph next;
	bool same;

	if (graph_parse(&next, GRAPH_FILE, text, &problems, err) < 0)
		return err_prefix(err, "it cannot be changed in place");
	same = next.ntasks == g->ntasks;
	for (size_t i = 0; same && i < g->ntasks; i++)
		same = strcmp(next.tasks[i].id, g->tasks[i].id) == 0 &&
		       next.tasks[i].status == g->tasks[i].status;
	/* The caller gets the text back, to write it. */
	buf_release(text);
	*text = next.text;
	buf_init(&next.text);
	graph_release(&next);
	return same ? 0 : not_in_place(err);
}

/* ---- the text without what is far from any change -------------------------------------- */

/* Cuts out items that are neither touched nor next to a touched one.  The last item stays,
 * since only the text that follows says where it ends.  False: the items have no lines of their
 * own. */
static bool
cut_list(
    const struct ytree *t, const struct ynode *list, const struct yedits *e, struct yedits *cut)
{
	bool before = true; /* the item before is touched, or there is none */
	size_t run = SIZE_MAX, start;

	if (ynode_items(list) == NULL)
		return true;
	if (list->style == YSTYLE_FLOW)
		return false;
	start = yitem_line(t, list->child);
	for (const struct ynode *n = list->child; n->next != NULL; n = n->next) {
		size_t end = yitem_line(t, n->next);
		bool touched;

		if (start == SIZE_MAX || end == SIZE_MAX)
			return false;
		touched = yedits_touch(e, start, end);
		if (before || touched) {
			if (run != SIZE_MAX)
				yedits_cut(cut, run, start);
			run = SIZE_MAX;
		} else if (run == SIZE_MAX) {
			run = start;
		}
		before = touched;
		start = end;
	}
	if (run != SIZE_MAX && start != SIZE_MAX)
		yedits_cut(cut, run, start);
	return start != SIZE_MAX;
}

static size_t
members(const struct ynode *n)
{
	size_t count = 0;

	for (const struct ynode *c = n != NULL ? n->child : NULL; c != NULL; c = c->next)
		count++;
	return count;
}

/* Does every task in `t` have its status in g, and are the rest of the members and the number
 * of tasks as expected? */
static bool
says_the_same(const struct graph *g, const struct ytree *t, size_t tasks)
{
	const struct ynode *list = ynode_get(t->root, "nodes");
	size_t seen = 0;

	if (list == NULL || members(t->root) != members(g->tree.root))
		return false;
	for (const struct ynode *n = list->child; n != NULL; n = n->next) {
		const char *id = ynode_text(ynode_get(n, "id"));
		const char *status = ynode_text(ynode_get(n, "status"));
		const struct graph_task *task = id != NULL ? graph_find(g, id) : NULL;

		if (n->kind == YNODE_SCALAR && ynode_text(n) == NULL)
			continue; /* "- null" is no task */
		if (task == NULL || strcmp(status != NULL ? status : "pending",
					task_status_name(task->status)) != 0)
			return false;
		seen++;
	}
	return seen == tasks;
}

/* How many tasks are left when the cuts are made: those no cut covers. */
static size_t
tasks_left(const struct graph *g, const struct yedits *cut)
{
	size_t n = 0;

	for (size_t i = 0; i < g->ntasks; i++)
		if (!yedits_touch(cut, g->tasks[i].node->start, g->tasks[i].node->start))
			n++;
	return n;
}

int
graph_verify_edits(const struct graph *g, struct yedits *e, struct err *err)
{
	const struct ynode *root = g->tree.root;
	AUTO_BUF text = BUF_INIT;
	struct yedits cut;
	struct ytree tree;
	size_t tasks;
	bool part, same;
	int rc;

	yedits_init(&cut, &g->tree);
	part = cut_list(&g->tree, ynode_get(root, "nodes"), e, &cut) &&
	       cut_list(&g->tree, ynode_get(root, "edges"), e, &cut);
	tasks = part ? tasks_left(g, &cut) : 0;
	yedits_copy(&cut, e);
	rc = yedits_make(part ? &cut : e, GRAPH_FILE, g->text.len, &text, err);
	yedits_release(&cut);
	if (rc < 0 || !part)
		return rc < 0 ? -1 : graph_verify(g, &text, err);
	if (ytree_parse(&tree, GRAPH_FILE, text.data, 0, text.len, err) < 0)
		return err_prefix(err, "it cannot be changed in place");
	same = says_the_same(g, &tree, tasks);
	ytree_release(&tree);
	return same ? 0 : not_in_place(err);
}
