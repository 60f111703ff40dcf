/*
 * turn_again.c - another attempt at a task whose last one came to nothing.
 *
 * The work that the last attempt left in the work tree is the task's; later changes are not.
 * So the new start is the old one with all that others did since the attempt ended: the
 * difference between E, the work tree at that moment, and now, merged into S in memory. Where
 * the two changes cannot be separated, the new start has the path as it is now: no edit of
 * another becomes the task's.
 */
#include "git/turn/turns.h"

#include "base/alloc.h"
#include "git/object.h"

/* Sets the paths with a conflict back to what the work tree has. */
static int
conflicts_undo(
    const struct place *p, const struct merged *merged, struct edits *edits, struct err *err)
{
	AUTO_RUN deltas = RUN_INIT;
	const char *at;
	struct delta d;
	int rc = deltas_read(p, p->tree, merged->tree, &deltas, err);

	at = deltas.out.data;
	while (rc == 0 && delta_next(&at, &deltas, &d))
		if (merged_conflict(merged, d.path))
			edits_add(edits, d.from_mode, d.from, d.path);
	return rc;
}

char *
again_find(const struct place *p, const struct mark *m, struct err *err)
{
	AUTO_FREE char *start = object_tree(p->top, m->commit, err);
	AUTO_FREE char *left = start ? object_tree(p->top, m->left, err) : NULL;
	struct stage stage = place_stage(p);
	struct edits edits = EDITS_INIT;
	struct merged merged;
	char *tree = NULL;

	if (!left)
		return NULL;
	if (strcmp(left, p->tree) == 0 || strcmp(left, start) == 0)
		return xstrdup(strcmp(left, p->tree) == 0 ? start : p->tree);
	if (merge_three(p, left, start, p->tree, &merged, err) < 0)
		return NULL;
	if (conflicts_undo(p, &merged, &edits, err) == 0)
		tree = stage_change(&stage, merged.tree, &edits, err);
	edits_release(&edits);
	merged_release(&merged);
	return tree;
}
