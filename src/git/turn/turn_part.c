#include "git/turn/turns.h"

#include "base/alloc.h"
#include "git/object.h"
#include "git/repo.h"
#include <errno.h>

/* ---------------------------------------------------- comparing and merging */

int
deltas_read(const struct place *p, const char *from, const char *to, struct run_result *result,
    struct err *err)
{
	return delta_read(p->top, from, to, NULL, result, err);
}

int
merge_three(const struct place *p, const char *base, const char *ours, const char *theirs,
    struct merged *m, struct err *err)
{
	AUTO_FREE char *b = place_commit(p, base, NULL, "base", err);
	AUTO_FREE char *o = b ? place_commit(p, ours, b, "ours", err) : NULL;
	AUTO_FREE char *t = o ? place_commit(p, theirs, b, "theirs", err) : NULL;

	*m = (struct merged)MERGED_INIT;
	return t && merged_make(p->top, o, t, true, m, err) >= 0 ? 0 : -1;
}

/* ------------------------------------------------------ what stays behind */

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
aparts_tell(const struct place *p, const struct mark *m, struct turn_result *result)
{
	for (size_t i = 0; i < p->apart.n; i++) {
		const struct apart *now = &p->apart.list[i];
		const struct apart *then = aparts_find(&m->apart, now->path);
		bool same = then && then->size == now->size &&
			    then->modified == now->modified && then->changed == now->changed;

		if (now->kind == 'r' && !then)
			turn_part_left_add(result, now->path, "it is a repository of its own");
		else if (now->kind == 'm' && !then)
			turn_part_left_add(result, now->path,
			    "it is a submodule, and its own changes are not committed there");
		else if (now->kind == 'b' && !same)
			turn_part_left_add(result, now->path,
			    "it was not committed when the task began, and too big to keep a "
			    "copy of");
		else if (now->kind == 'x' && !same)
			turn_part_left_add(result, now->path, "it cannot be read as a file");
	}
}

/* Says why a path (H to N) is not committed, or not as it is in N. */
static const char *
turn_part_why_left(const struct delta *d, const char *conflict)
{
	/* The user had moved the file, or a file of the same name is in its way. */
	if (!conflict)
		return "git has something else by that name, or it by another";
	if (strstr(conflict, "binary"))
		return "it is binary and had changes that were not committed";
	if (strstr(conflict, "contents"))
		return "the same lines had changes that were not committed";
	if (delta_is_gone(d->from_mode))
		return "it was there before the task, but not in git";
	if (delta_is_gone(d->to_mode))
		return "the task deleted it, and it had changes that were not committed";
	return "it cannot be taken apart from changes that were not committed";
}

/* Differences of two trees, walked through side by side with others: the order is the same. */
struct walk {
	struct run_result list;
	const char *at;
	struct delta d;
};

static int
walk_begin(
    struct walk *w, const struct place *p, const char *from, const char *to, struct err *err)
{
	int rc;

	*w = (struct walk){.list = RUN_INIT};
	rc = deltas_read(p, from, to, &w->list, err);
	w->at = w->list.out.data;
	return rc;
}

/* Goes on to the first path that is not before this one: is it the same? */
static bool
walk_reach(struct walk *w, const char *path)
{
	while (
	    (!w->d.path || strcmp(w->d.path, path) < 0) && delta_next(&w->at, &w->list, &w->d))
		;
	return w->d.path && strcmp(w->d.path, path) == 0;
}

/* Adds to result->left the paths that the task changed (S to N) and that the commit lacks:
 * without those that H already has as in N, and without those that the commit changes (H to the
 * tree). */
static int
conflicts_tell(const struct place *p, const struct mark *m, const struct merged *merged,
    const char *tree, struct turn_result *result, struct err *err)
{
	AUTO_FREE char *start = xasprintf("%s^{tree}", m->commit);
	struct walk task, rest, made;
	int rc = walk_begin(&task, p, start, p->tree, err);

	rc = walk_begin(&rest, p, p->base, p->tree, err) < 0 ? -1 : rc;
	rc = walk_begin(&made, p, p->base, tree, err) < 0 ? -1 : rc;
	while (rc == 0 && delta_next(&task.at, &task.list, &task.d)) {
		const char *path = task.d.path;
		bool differs = walk_reach(&rest, path);
		bool committed = walk_reach(&made, path);

		if (differs && !committed && !place_excepts(p, path))
			turn_part_left_add(result, path,
			    turn_part_why_left(&rest.d, merged_conflict(merged, path)));
	}
	run_result_release(&task.list);
	run_result_release(&rest.list);
	run_result_release(&made.list);
	return rc;
}

/* -------------------------------------------------------------- the part */

/* Resets every path of the merged tree that is not to be committed to what H has. */
static int
tree_reset(const struct place *p, const struct mark *m, const struct merged *merged,
    struct edits *edits, struct err *err)
{
	AUTO_RUN deltas = RUN_INIT;
	const char *at;
	struct delta d;
	int rc = deltas_read(p, p->base, merged->tree, &deltas, err);

	at = deltas.out.data;
	while (rc == 0 && delta_next(&at, &deltas, &d)) {
		const struct apart *known = aparts_find(&m->apart, d.path);

		if (!place_excepts(p, d.path) && !merged_conflict(merged, d.path) &&
		    !(known && known->kind != 'm'))
			continue;
		edits_add(edits, d.from_mode, d.from, d.path);
	}
	return rc;
}

/* When the user had changed nothing and nobody has committed, there is nothing to merge. */
static int
part_merge(const struct place *p, const struct mark *m, struct merged *merged, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_FREE char *start = object_tree(p->top, m->commit, &why);

	*merged = (struct merged)MERGED_INIT;
	/* The start's commit may be gone; or git could not be started, and nothing is known of
	 * that commit. */
	if (!start) {
		(void)err_set(err, "how %s began cannot be read (%.12s): %s", p->turn->task,
		    m->commit, why.text);
		return repo_fail(err, EUCLEAN);
	}
	if (strcmp(start, p->base) != 0 && strcmp(start, p->tree) != 0)
		return merge_three(p, start, p->base, p->tree, merged, err);
	merged->tree = xstrdup(strcmp(start, p->base) == 0 ? p->tree : p->base);
	return 0;
}

char *
part_find(
    const struct place *p, const struct mark *m, struct turn_result *result, struct err *err)
{
	struct edits edits = EDITS_INIT;
	struct stage stage = place_stage(p);
	struct merged merged;
	char *tree = NULL;

	if (part_merge(p, m, &merged, err) < 0)
		return NULL;
	aparts_tell(p, m, result);
	if (tree_reset(p, m, &merged, &edits, err) == 0)
		tree = stage_change(&stage, merged.tree, &edits, err);
	if (tree && (merged.conflicts || merged.files) &&
	    conflicts_tell(p, m, &merged, tree, result, err) < 0)
		free(take_ptr(tree));
	merged_release(&merged);
	edits_release(&edits);
	return tree;
}
