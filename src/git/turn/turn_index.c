#include "git/turn/turn_inside.h"

#include "base/alloc.h"
#include "base/text.h"
#include "git/git.h"
#include "git/object.h"
#include "git/repo.h"

/* Edits for the index, and the paths where the user has staged something else. */
struct following {
	struct edits edits;
	char **staged;
};

static bool
is_same(const char *mode, const char *object, const char *as_mode, const char *as_object)
{
	return strcmp(mode, as_mode) == 0 && strcmp(object, as_object) == 0;
}

/* Handles one path of the commit (`d`: from -> to), where the index differs from HEAD
 * (`index`).  When HEAD has moved on since, the path is not ours any more. */
static void
path_follow(struct following *f, const struct delta *d, const struct delta *index)
{
	if (!is_same(index->from_mode, index->from, d->to_mode, d->to))
		return;
	if (is_same(index->to_mode, index->to, d->from_mode, d->from))
		edits_add(&f->edits, d->to_mode, d->to, d->path);
	else
		f->staged = strlist_add(f->staged, d->path);
}

/* Is HEAD at that commit, as far as files tell? */
static bool
head_is_at(const struct place *p, const char *commit)
{
	AUTO_FREE char *ref = head_target(p->git_dir);
	AUTO_FREE char *at =
	    ref != NULL ? repo_file_line(p->common, ref) : repo_file_line(p->git_dir, "HEAD");

	return text_same(at, commit);
}

/* Was nothing staged when we looked, and is that so still?  Then the index is as HEAD was
 * before the commit. */
static bool
index_is_plain(const struct place *p, const char *commit)
{
	AUTO_FREE char *file = xasprintf("%s/index", p->git_dir);
	AUTO_FREE char *now = index_print(file);

	return p->index_was != NULL && text_same(p->index_was, now) && head_is_at(p, commit);
}

static int
paths_follow(const struct place *p, const char *base, const char *commit, struct following *f,
    struct err *err)
{
	bool plain = index_is_plain(p, commit);
	AUTO_DELTAS ours = DELTAS_INIT;
	AUTO_DELTAS index = DELTAS_INIT;

	if (deltas_open(&ours, p, base, commit, err) < 0 ||
	    (!plain && deltas_open(&index, p, "HEAD", NULL, err) < 0))
		return -1;
	/* A path that the second list lacks is as it should be. */
	while (deltas_next(&ours))
		if (plain)
			edits_add(&f->edits, ours.d.to_mode, ours.d.to, ours.d.path);
		else if (deltas_reach(&index, ours.d.path))
			path_follow(f, &ours.d, &index.d);
	return 0;
}

/* Puts the changes that the user staged on top of the commit. */
static int
staged_follow(const struct place *p, const char *base, const char *commit, struct following *f,
    struct buf *text, struct err *err)
{
	AUTO_FREE char *spec = xasprintf("%s^{tree}", commit);
	AUTO_FREE char *staged =
	    stage_write(&(struct stage){.dir = p->top, .index = p->follow}, err);
	struct merged merged = MERGED_INIT;
	AUTO_DELTAS w = DELTAS_INIT;
	int rc = staged != NULL ? merge_three(p, base, staged, spec, &merged, err) : -1;

	if (rc == 0)
		rc = deltas_open(&w, p, staged, merged.tree, err);
	for (char **path = f->staged; rc == 0 && *path != NULL; path++)
		if (merged_conflict(&merged, *path) != NULL)
			buf_addf(
			    text, "%s is still staged as it was before the commit. ", *path);
		else if (deltas_reach(&w, *path))
			edits_add(&f->edits, w.d.to_mode, w.d.to, *path);
	merged_release(&merged);
	return rc;
}

static int
index_tell(const struct place *p, const struct following *f, struct err *err)
{
	const struct stage stage = {.dir = p->top, .index = p->follow};
	AUTO_RUN refreshed = RUN_INIT;

	if (edits_is_empty(&f->edits))
		return 0;
	if (stage_edit(&stage, &f->edits, err) < 0)
		return -1;
	/* Refreshes the index, so that nobody has to read the files again to see that they are
	 * the same. */
	(void)!git_try(&(struct git_call){.dir = p->top,
			   .what = "git update-index",
			   .args = ARGS("update-index", "-q", "--refresh"),
			   .index = p->follow},
	    &refreshed, NULL);
	return index_replace(p, p->follow, err);
}

/* The index that the commit was made from is what the user's has to become.  Git wrote that
 * file, with the mode that the repository wants; a copy of ours nobody else may read.  The copy
 * is for the hook that comes last. */
static int
index_give(const struct place *p, struct err *err)
{
	if (index_replace(p, p->index, err) < 0)
		return -1;
	(void)!index_copy(p, p->index, NULL);
	return 0;
}

/* Call with the lock. */
static int
follow_locked(const struct place *p, const char *base, const char *commit, struct buf *text,
    struct err *err)
{
	struct following f = {.edits = EDITS_INIT, .staged = NULL};
	int rc;

	if (p->whole && index_is_plain(p, commit))
		return index_give(p, err);
	rc = index_copy(p, p->follow, err);
	if (rc == 0)
		rc = paths_follow(p, base, commit, &f, err);
	if (rc == 0 && f.staged != NULL)
		rc = staged_follow(p, base, commit, &f, text, err);
	if (rc == 0)
		rc = index_tell(p, &f, err);
	edits_release(&f.edits);
	strlist_free(f.staged);
	return rc;
}

int
index_follow(const struct place *p, const char *commit, struct buf *text, struct err *err)
{
	AUTO_FREE char *base =
	    p->base != NULL ? xstrdup(p->base) : object_tree_before(p->top, commit, err);
	int rc;

	if (base == NULL || index_lock(p, err) != 0)
		return -1;
	rc = follow_locked(p, base, commit, text, err);
	index_unlock(p);
	return rc;
}
