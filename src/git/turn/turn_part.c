#include "git/turn/turn_inside.h"

#include "base/alloc.h"
#include "git/object.h"
#include <errno.h>

/* ---- comparing and merging ----------------------------------------------------------- */

int
deltas_open(
    struct deltas *w, const struct place *p, const char *from, const char *to, struct err *err)
{
	if (delta_read(p->top, from, to, NULL, &w->list, err) < 0)
		return -1;
	w->at = w->list.out.data;
	return 0;
}

void
deltas_release(struct deltas *w)
{
	run_result_release(&w->list);
}

bool
deltas_next(struct deltas *w)
{
	return w->at != NULL && delta_next(&w->at, &w->list, &w->d);
}

bool
deltas_reach(struct deltas *w, const char *path)
{
	while ((w->d.path == NULL || strcmp(w->d.path, path) < 0) && deltas_next(w))
		;
	return w->d.path != NULL && strcmp(w->d.path, path) == 0;
}

int
merge_since(const struct place *p, const char *base, const char *ours, const char *theirs,
    struct merged *m, struct err *err)
{
	AUTO_FREE char *o = place_commit(p, ours, base, "ours", err);
	AUTO_FREE char *t = o != NULL ? place_commit(p, theirs, base, "theirs", err) : NULL;

	*m = (struct merged)MERGED_INIT;
	return t != NULL && merged_make(p->top, o, t, true, m, err) >= 0 ? 0 : -1;
}

int
merge_three(const struct place *p, const char *base, const char *ours, const char *theirs,
    struct merged *m, struct err *err)
{
	AUTO_FREE char *b = place_commit(p, base, NULL, "base", err);

	*m = (struct merged)MERGED_INIT;
	return b != NULL ? merge_since(p, b, ours, theirs, m, err) : -1;
}

/* ---- what stays behind --------------------------------------------------------------- */

static void
turn_part_left_add(struct turn_result *r, const char *path, const char *why)
{
	for (size_t i = 0; i < r->nleft; i++)
		if (strcmp(r->left[i].path, path) == 0)
			return;
	r->left = xreallocarray(r->left, r->nleft + 1, sizeof(*r->left));
	r->left[r->nleft++] = (struct turn_left){xstrdup(path), xstrdup(why)};
}

static void
outside_tell(const struct place *p, const struct mark *m, struct turn_result *result)
{
	for (size_t i = 0; i < p->outside.n; i++) {
		const struct outside_path *now = &p->outside.list[i];
		const char *why = outside_why(now, outside_find(&m->outside, now->path));

		if (why != NULL)
			turn_part_left_add(result, now->path, why);
	}
}

/* Says why a path (H to N) is not committed, or not as it is in N. */
static const char *
turn_part_why_left(const struct delta *d, const char *conflict)
{
	/* The user had moved the file, or a file of the same name is in its way. */
	if (conflict == NULL)
		return "git has something else by that name, or it by another";
	if (strstr(conflict, "binary") != NULL)
		return "it is binary and had changes that were not committed";
	if (strstr(conflict, "contents") != NULL)
		return "the same lines had changes that were not committed";
	if (delta_is_gone(d->from_mode))
		return "it was there before the task, but not in git";
	if (delta_is_gone(d->to_mode))
		return "the task deleted it, and it had changes that were not committed";
	return "it cannot be taken apart from changes that were not committed";
}

/* Adds to result->left the paths that the task changed (S to N) and that the commit lacks:
 * without those that H already has as in N, and without those that the commit changes (H to the
 * tree). */
static int
conflicts_tell(const struct place *p, const struct mark *m, const struct merged *merged,
    const char *tree, struct turn_result *result, struct err *err)
{
	AUTO_FREE char *start = xasprintf("%s^{tree}", m->commit);
	AUTO_DELTAS task = DELTAS_INIT;
	AUTO_DELTAS rest = DELTAS_INIT;
	AUTO_DELTAS made = DELTAS_INIT;

	if (deltas_open(&task, p, start, p->tree, err) < 0 ||
	    deltas_open(&rest, p, p->base, p->tree, err) < 0 ||
	    deltas_open(&made, p, p->base, tree, err) < 0)
		return -1;
	while (deltas_next(&task)) {
		const char *path = task.d.path;
		bool differs = deltas_reach(&rest, path);
		bool committed = deltas_reach(&made, path);

		if (differs && !committed && !place_excepts(p, path))
			turn_part_left_add(result, path,
			    turn_part_why_left(&rest.d, merged_conflict(merged, path)));
	}
	return 0;
}

/* ---- the part ------------------------------------------------------------------------ */

/* The merged tree, with what `from` has for every path that conflicts, and for every path that
 * is not to be committed because of `m` (NULL: because of nothing else). */
static char *
tree_settle(struct place *p, const struct mark *m, const struct merged *merged,
    const char *from, struct err *err)
{
	struct edits edits = EDITS_INIT;
	AUTO_DELTAS w = DELTAS_INIT;
	char *tree = NULL;

	/* place_look has kept the paths out that are not to be committed. */
	if (p->whole && m != NULL && strcmp(merged->tree, p->tree) == 0 &&
	    merged->conflicts == NULL && merged->files == NULL)
		return xstrdup(p->tree);
	if (deltas_open(&w, p, from, merged->tree, err) < 0)
		return NULL;
	while (deltas_next(&w))
		if (merged_conflict(merged, w.d.path) != NULL ||
		    (m != NULL && (place_excepts(p, w.d.path) ||
				      outside_only(&m->outside, w.d.path) != NULL)))
			edits_add(&edits, w.d.from_mode, w.d.from, w.d.path);
	tree = place_change(p, merged->tree, &edits, err);
	edits_release(&edits);
	return tree;
}

/* Merges what the task changed into H.  Where S is the same as H or as N, there is nothing to
 * merge: the result is the other one; and where p->tree has the task's part alone, it is that.
 */
static int
part_merge(const struct place *p, const struct mark *m, struct merged *merged, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_FREE char *start = place_tree(p, m->commit, &why);

	*merged = (struct merged)MERGED_INIT;
	/* The start's commit may be gone; or git could not be started, and nothing is known of
	 * that commit. */
	if (start == NULL)
		return err_code(err, EUCLEAN, "how %s began cannot be read (%.12s): %s",
		    p->turn->task, m->commit, why.text);
	if (!p->apart && strcmp(start, p->base) != 0 && strcmp(start, p->tree) != 0)
		return merge_since(p, m->commit, p->base, p->tree, merged, err);
	merged->tree = xstrdup(p->apart || strcmp(start, p->base) == 0 ? p->tree : p->base);
	return 0;
}

char *
part_find(struct place *p, const struct mark *m, struct turn_result *result, struct err *err)
{
	struct merged merged;
	char *tree;

	if (part_merge(p, m, &merged, err) < 0)
		return NULL;
	outside_tell(p, m, result);
	tree = tree_settle(p, m, &merged, p->base, err);
	if (tree != NULL && (merged.conflicts != NULL || merged.files != NULL) &&
	    conflicts_tell(p, m, &merged, tree, result, err) < 0)
		free(take_ptr(tree));
	merged_release(&merged);
	return tree;
}

/* ---- another attempt ----------------------------------------------------------------- */

/* The work that the last attempt left in the work tree is the task's; later changes are not.
 * So the new start is the old one with all that others did since the attempt ended: the
 * difference between E, the work tree at that moment, and now, merged into S in memory.  Where
 * the two changes cannot be separated, the new start has the path as it is now: no edit of
 * another becomes the task's. */
char *
again_find(struct place *p, const struct mark *m, struct err *err)
{
	AUTO_FREE char *start = place_tree(p, m->commit, err);
	AUTO_FREE char *left = start != NULL ? place_tree(p, m->left, err) : NULL;
	struct merged merged;
	char *tree;

	if (left == NULL)
		return NULL;
	if (strcmp(left, p->tree) == 0)
		return xstrdup(start);
	if (strcmp(left, start) == 0)
		return xstrdup(p->tree);
	if (merge_since(p, m->left, start, p->tree, &merged, err) < 0)
		return NULL;
	tree = tree_settle(p, NULL, &merged, p->tree, err);
	merged_release(&merged);
	return tree;
}
