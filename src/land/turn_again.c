/*
 * turn_again.c - another attempt at a task whose last one came to nothing.
 *
 * What that left in the work tree is the task's; what changed after it is not.  So the new
 * start is the old one with all that others did since the attempt ended: the difference between
 * E, the work tree at that moment, and now, merged into S in memory.  Where the two cannot be
 * taken apart the path is as it is now: nobody's edit becomes the task's.
 */
#include "land/turns.h"

#include "base/alloc.h"
#include "land/git.h"

static char *
tree_of(const struct place *p, const char *commit, struct err *err)
{
	AUTO_FREE char *spec = xasprintf("%s^{tree}", commit);

	return git_line(p->top, "git rev-parse", ARGS("rev-parse", "--verify", spec), err);
}

/* Those with a conflict as the work tree has them. */
static int
conflicts_undo(const struct place *p, const struct merged *merged, struct buf *gone,
    struct buf *back, struct err *err)
{
	struct run_result deltas;
	const char *at;
	struct delta d;
	int rc;

	run_result_init(&deltas);
	rc = deltas_read(p, p->tree, merged->tree, &deltas, err);
	at = deltas.out.data;
	while (rc == 0 && delta_next(&at, &deltas, &d)) {
		if (!merged_conflict(merged, d.path))
			continue;
		delta_revert(&d, gone, back);
	}
	run_result_release(&deltas);
	return rc;
}

char *
again_find(const struct place *p, const struct mark *m, struct err *err)
{
	AUTO_FREE char *start = tree_of(p, m->commit, err);
	AUTO_FREE char *left = start ? tree_of(p, m->left, err) : NULL;
	AUTO_BUF gone = BUF_INIT;
	AUTO_BUF back = BUF_INIT;
	struct merged merged;
	char *tree = NULL;

	if (!left)
		return NULL;
	if (strcmp(left, p->tree) == 0 || strcmp(left, start) == 0)
		return xstrdup(strcmp(left, p->tree) == 0 ? start : p->tree);
	if (merge_three(p, left, start, p->tree, &merged, err) < 0)
		return NULL;
	if (conflicts_undo(p, &merged, &gone, &back, err) == 0)
		tree = tree_write(p, &merged, &gone, &back, err);
	merged_release(&merged);
	return tree;
}
