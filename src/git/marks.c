#include "git/marks.h"

#include "base/alloc.h"
#include "git/git.h"
#include "git/index.h"
#include "git/inner.h"
#include "git/repo.h"
#include "git/stage.h"
#include "git/trust/trust_place.h"

static bool
marks_is_marked(const struct index_entry *e, void *marked)
{
	*(bool *)marked = e->assumed || e->skipped;
	return *(bool *)marked;
}

void
marks_release(struct marks *m)
{
	buf_release(&m->assumed);
	buf_release(&m->skipped);
}

/* Reads lines "h path": a small letter is a file that is assumed to be unchanged, S a file that
 * is not to be looked at.  A file with S that does not exist is not marked in a sparse
 * checkout, which leaves it out. */
static void
marks_list(const struct marked *at, const struct buf *lines, struct marks *out)
{
	AUTO_FREE char *sparse = git_call_line(
	    &(struct git_call){
		.dir = at->dir,
		.what = "git config",
		.args = ARGS("config", "--get", "core.sparseCheckout", "true"),
		.within = at->within,
	    },
	    NULL);

	for (const char *line = NULL;
	     (line = buf_next(lines, line)) != NULL && strlen(line) > 2;) {
		AUTO_FREE char *path = NULL;
		bool small = line[0] >= 'a' && line[0] <= 'z';
		bool skip = line[0] == 'S' || line[0] == 's';

		if (skip && sparse != NULL) {
			path = xasprintf("%s/%s", at->dir, line + 2);
			skip = path_is_there(path);
		}
		if (small)
			buf_add(&out->assumed, line + 2, strlen(line + 2) + 1);
		if (skip)
			buf_add(&out->skipped, line + 2, strlen(line + 2) + 1);
	}
}

int
marks_find(const struct marked *at, struct marks *out, struct err *err)
{
	const struct git_call call = {
	    .dir = at->dir,
	    .what = "git ls-files",
	    .args = ARGS("ls-files", "-v", "-z"),
	    .within = at->within,
	};
	AUTO_RUN files = RUN_INIT;
	bool marked = false;

	if (index_read(at->git_dir, marks_is_marked, &marked) && !marked)
		return 0;
	if (git_call(&call, &files, err) < 0)
		return -1;
	marks_list(at, &files.out, out);
	return 0;
}

static int
paths_unmark(
    const struct marked *at, const char *option, const struct buf *paths, struct err *err)
{
	const struct stage stage = {
	    .dir = at->dir, .index = at->index, .within = at->within, .unsynced = true};

	return stage_paths(&stage, ARGS(option), paths, err);
}

int
marks_remove(const struct marked *at, const struct marks *m, struct err *err)
{
	int rc = paths_unmark(at, "--no-assume-unchanged", &m->assumed, err);

	return rc == 0 ? paths_unmark(at, "--no-skip-worktree", &m->skipped, err) : rc;
}

static void
marks_paths_add(const struct buf *paths, char ***list)
{
	for (const char *at = NULL; (at = buf_next(paths, at)) != NULL;)
		*list = strlist_add(*list, at);
}

/* Removes the marks, and adds the paths that had one to *cleared, which may be NULL. */
static int
marks_clear_one(const struct marked *at, char ***cleared, struct err *err)
{
	AUTO(marks_release) struct marks m = MARKS_INIT;
	int rc = marks_find(at, &m, err);

	/* A repository within that git cannot read counts as changed anyway (inner.c). */
	if (rc < 0 && at->within)
		rc = 0;
	else if (rc == 0)
		rc = marks_remove(at, &m, err);
	if (cleared != NULL) {
		marks_paths_add(&m.assumed, cleared);
		marks_paths_add(&m.skipped, cleared);
	}
	return rc;
}

int
marks_clear(const char *dir, const char *git_dir, char ***cleared, struct err *err)
{
	AUTO_STRLIST inner = NULL;
	int rc =
	    marks_clear_one(&(struct marked){.dir = dir, .git_dir = git_dir}, cleared, err);

	if (rc == 0)
		rc = inner_all(dir, &inner, err);
	for (char **path = inner; rc == 0 && path != NULL && *path != NULL; path++) {
		AUTO_FREE char *own = trust_git_dir(*path);

		if (own != NULL)
			rc = marks_clear_one(
			    &(struct marked){.dir = *path, .git_dir = own, .within = true},
			    NULL, err);
	}
	return rc;
}
