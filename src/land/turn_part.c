#include "land/turns.h"

#include "base/alloc.h"
#include "base/text.h"
#include "land/git.h"
#include "land/parts.h"
#include "land/repo.h"
#include <errno.h>

/* --------------------------------------------------------------- comparing */

bool
delta_is_gone(const char *mode)
{
	return strcmp(mode, "000000") == 0;
}

void
delta_revert(const struct delta *d, struct buf *gone, struct buf *back)
{
	if (delta_is_gone(d->from_mode))
		index_line(gone, "0", d->from, d->path);
	else
		index_line(back, d->from_mode, d->from, d->path);
}

/* ":100644 100755 <object> <object> M\0path\0" */
bool
delta_next(const char **at, const struct run_result *result, struct delta *d)
{
	const char *end = result->out.data + result->out.len;
	char status;

	if (*at >= end || sscanf(*at, ":%6s %6s %64s %64s %c", d->from_mode, d->to_mode,
			      d->from, d->to, &status) != 5)
		return false;
	d->path = *at + strlen(*at) + 1;
	if (d->path >= end)
		return false;
	*at = d->path + strlen(d->path) + 1;
	return true;
}

int
deltas_read(const struct place *p, const char *from, const char *to, struct run_result *result,
    struct err *err)
{
	if (!to)
		return git_run(p->top, "git diff-index",
		    ARGS("diff-index", "--cached", "--raw", "-z", "--no-renames",
			"--ignore-submodules=none", from, "--"),
		    result, err);
	return git_run(p->top, "git diff-tree",
	    ARGS("diff-tree", "-r", "--raw", "-z", "--no-renames", "--ignore-submodules=none",
		from, to, "--"),
	    result, err);
}

/* ----------------------------------------------------------------- merging */

void
merged_release(struct merged *m)
{
	free(m->tree);
	strlist_free(m->conflicts);
	*m = (struct merged){NULL, NULL};
}

const char *
merged_conflict(const struct merged *m, const char *path)
{
	for (char *const *c = m->conflicts; c && *c; c += 2)
		if (strcmp(c[1], path) == 0)
			return c[0];
	return NULL;
}

/* Takes a string with its NUL off the text; "" at its end. */
static const char *
string_next(const char **at, const char *end)
{
	const char *s = *at;

	if (s >= end)
		return "";
	*at += strlen(s) + 1;
	return s;
}

static void
conflict_add(struct merged *m, const char *type, const char *path)
{
	m->conflicts = strlist_add(strlist_add(m->conflicts, type), path);
}

/* "N\0path\0...\0type\0words\0": of one thing that happened. */
static void
message_take(struct merged *m, const char **at, const char *end)
{
	long count = strtol(string_next(at, end), NULL, 10);
	const char *paths = *at;
	const char *type;

	for (long i = 0; i < count && *at < end; i++)
		(void)string_next(at, end);
	type = string_next(at, end);
	(void)string_next(at, end);
	for (long i = 0; strncmp(type, "CONFLICT", 8) == 0 && i < count && paths < end; i++)
		conflict_add(m, type, string_next(&paths, end));
}

/* The tree, the stages of conflicts ("100644 <object> 2\tpath"), "", messages. */
static void
merged_read(const struct buf *out, struct merged *m)
{
	const char *at = out->data;
	const char *end = out->data + out->len;
	const char *stages, *stage;

	m->tree = xstrdup(string_next(&at, end));
	stages = at;
	while (*string_next(&at, end) != '\0')
		;
	while (at < end)
		message_take(m, &at, end);
	/* Those without words of their own come last, and are found last. */
	while (*(stage = string_next(&stages, end)) != '\0')
		if (strchr(stage, '\t'))
			conflict_add(m, "CONFLICT", strchr(stage, '\t') + 1);
}

int
merge_three(const struct place *p, const char *base, const char *ours, const char *theirs,
    struct merged *m, struct err *err)
{
	AUTO_FREE char *b = place_commit(p, base, NULL, "base", err);
	AUTO_FREE char *o = b ? place_commit(p, ours, b, "ours", err) : NULL;
	AUTO_FREE char *t = o ? place_commit(p, theirs, b, "theirs", err) : NULL;
	struct run_result result;
	int rc;

	*m = (struct merged){NULL, NULL};
	if (!t)
		return -1;
	run_result_init(&result);
	rc = git_ask(p->top, "git merge-tree",
	    ARGS("-c", "merge.renames=true", "-c", "merge.directoryRenames=false", "merge-tree",
		"--write-tree", "-z", "--messages", o, t),
	    &result, err);
	/* 1: with conflicts. */
	if (rc == 0 && result.status.how == EXIT_CODE && result.status.value <= 1)
		merged_read(&result.out, m);
	else if (rc == 0)
		rc = strstr(result.err.data, "usage:")
			 ? merge_unsupported(err)
			 : err_set(err, "git merge-tree: %.400s", result.err.data);
	run_result_release(&result);
	return rc;
}

/* ------------------------------------------------------ what stays behind */

static void
left_add(struct turn_result *r, const char *path, const char *why)
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
			left_add(result, now->path, "it is a repository of its own");
		else if (now->kind == 'm' && !then)
			left_add(result, now->path,
			    "it is a submodule, and its own changes are not committed there");
		else if (now->kind == 'b' && !same)
			left_add(result, now->path,
			    "it was not committed when the task began, and too big to keep a "
			    "copy of");
		else if (now->kind == 'x' && !same)
			left_add(result, now->path, "it cannot be read as a file");
	}
}

/* H to N of one path that is not, or not as it is, in what gets committed. */
static const char *
why_left(const struct delta *d, const char *conflict)
{
	/* The user had moved it, or a file of the same name is in its way. */
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

	run_result_init(&w->list);
	rc = deltas_read(p, from, to, &w->list, err);
	w->at = w->list.out.data;
	w->d.path = NULL;
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

/* What the task changed and the commit does not have at all: S to N, but neither N as H has it
 * already nor H to the tree. */
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
			left_add(
			    result, path, why_left(&rest.d, merged_conflict(merged, path)));
	}
	run_result_release(&task.list);
	run_result_release(&rest.list);
	run_result_release(&made.list);
	return rc;
}

/* -------------------------------------------------------------- the part */

/* In the merged tree, everything that is not to be committed as H has it. */
static int
tree_reset(const struct place *p, const struct mark *m, const struct merged *merged,
    struct buf *gone, struct buf *back, struct err *err)
{
	struct run_result deltas;
	const char *at;
	struct delta d;
	int rc;

	run_result_init(&deltas);
	rc = deltas_read(p, p->base, merged->tree, &deltas, err);
	at = deltas.out.data;
	while (rc == 0 && delta_next(&at, &deltas, &d)) {
		const struct apart *known = aparts_find(&m->apart, d.path);

		if (!place_excepts(p, d.path) && !merged_conflict(merged, d.path) &&
		    !(known && known->kind != 'm'))
			continue;
		delta_revert(&d, gone, back);
	}
	run_result_release(&deltas);
	return rc;
}

char *
tree_write(const struct place *p, const struct merged *merged, const struct buf *gone,
    const struct buf *back, struct err *err)
{
	const struct git_call read = {
	    .dir = p->top,
	    .what = "git read-tree",
	    .args = ARGS("read-tree", merged->tree),
	    .index = p->index,
	};
	AUTO_FREE char *done = NULL;

	if (gone->len == 0 && back->len == 0)
		return xstrdup(merged->tree);
	done = git_call_line(&read, err);
	if (!done || index_put(p, p->index, gone, err) < 0 ||
	    index_put(p, p->index, back, err) < 0)
		return NULL;
	return index_tree(p, err);
}

/* Where the user had changed nothing, and nobody has committed, there is nothing to merge. */
static int
part_merge(const struct place *p, const struct mark *m, struct merged *merged, struct err *err)
{
	AUTO_FREE char *spec = xasprintf("%s^{tree}", m->commit);
	struct err why = ERR_INIT;
	AUTO_FREE char *start =
	    git_line(p->top, "git rev-parse", ARGS("rev-parse", "--verify", spec), &why);

	*merged = (struct merged){NULL, NULL};
	/* The commit may be gone; or git could not be started, which says nothing of it. */
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
	AUTO_BUF gone = BUF_INIT;
	AUTO_BUF back = BUF_INIT;
	struct merged merged;
	char *tree = NULL;

	if (part_merge(p, m, &merged, err) < 0)
		return NULL;
	aparts_tell(p, m, result);
	if (tree_reset(p, m, &merged, &gone, &back, err) == 0)
		tree = tree_write(p, &merged, &gone, &back, err);
	if (tree && merged.conflicts && conflicts_tell(p, m, &merged, tree, result, err) < 0)
		free(take_ptr(tree));
	merged_release(&merged);
	return tree;
}
