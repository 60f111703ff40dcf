#include "land/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "land/git.h"
#include "land/index.h"
#include "land/inner.h"
#include "land/repo.h"
#include "land/trusts.h"
#include <fcntl.h>

#define INDEX_MAX ((size_t)256 << 20)

static bool
is_marked(const struct index_entry *e, void *marked)
{
	*(bool *)marked = e->assumed || e->skipped;
	return *(bool *)marked;
}

/* May a file have a mark?  Without asking git; what is not understood may. */
static bool
index_may_have(const struct buf *index)
{
	bool marked = false;

	return (index->len > 0 && !index_each(index, is_marked, &marked)) || marked;
}

/* A work tree whose marks are removed. */
struct marked {
	const char *dir;
	const char *git_dir;
	bool within;   /* another one, whose index names it */
	char ***paths; /* what had a mark is added there; NULL */
};

static int
marks_remove(
    const struct marked *m, const char *option, const struct buf *paths, struct err *err)
{
	const struct git_call call = {
	    .dir = m->dir,
	    .what = "git update-index",
	    .args = ARGS("update-index", option, "-z", "--stdin"),
	    .input = paths->data,
	    .input_len = paths->len,
	    .within = m->within,
	    .unsynced = true,
	};
	struct run_result result;
	int rc;

	if (paths->len == 0)
		return 0;
	run_result_init(&result);
	rc = git_call(&call, &result, err);
	run_result_release(&result);
	return rc;
}

/* Lines "h path": small letters are assumed to be unchanged, S is not to be in the tree.  In a
 * sparse checkout those that are not there are just that. */
static void
marks_list(
    const struct marked *m, const struct buf *lines, struct buf *assumed, struct buf *skipped)
{
	AUTO_FREE char *sparse = git_call_line(
	    &(struct git_call){
		.dir = m->dir,
		.what = "git config",
		.args = ARGS("config", "--get", "core.sparseCheckout", "true"),
		.within = m->within,
	    },
	    NULL);
	const char *end = lines->data + lines->len;

	for (const char *line = lines->data; line + 2 < end; line += strlen(line) + 1) {
		AUTO_FREE char *path = NULL;
		bool small = line[0] >= 'a' && line[0] <= 'z';
		bool skip = line[0] == 'S' || line[0] == 's';

		if (skip && sparse) {
			path = xasprintf("%s/%s", m->dir, line + 2);
			skip = path_is_there(path);
		}
		if (small)
			buf_add(assumed, line + 2, strlen(line + 2) + 1);
		if (skip)
			buf_add(skipped, line + 2, strlen(line + 2) + 1);
		if (m->paths && (small || skip))
			*m->paths = strlist_add(*m->paths, line + 2);
	}
}

static int
marks_clear(const struct marked *m, struct err *err)
{
	AUTO_FREE char *path = xasprintf("%s/index", m->git_dir);
	AUTO_BUF index = BUF_INIT;
	AUTO_BUF assumed = BUF_INIT;
	AUTO_BUF skipped = BUF_INIT;
	struct run_result files;
	int rc;

	if (fs_read(AT_FDCWD, path, INDEX_MAX, &index, NULL) == 0 && !index_may_have(&index))
		return 0;
	run_result_init(&files);
	rc = git_call(
	    &(struct git_call){
		.dir = m->dir,
		.what = "git ls-files",
		.args = ARGS("ls-files", "-v", "-z"),
		.within = m->within,
	    },
	    &files, err);
	if (rc == 0)
		marks_list(m, &files.out, &assumed, &skipped);
	run_result_release(&files);
	/* One within that git cannot tell about counts as changed anyway (inner.c). */
	if (rc < 0 && m->within)
		return 0;
	if (rc == 0)
		rc = marks_remove(m, "--no-assume-unchanged", &assumed, err);
	return rc == 0 ? marks_remove(m, "--no-skip-worktree", &skipped, err) : rc;
}

int
flags_clear(const struct step *s, const struct work *w, char ***cleared, struct err *err)
{
	char **inner = NULL;
	int rc = marks_clear(
	    &(struct marked){.dir = s->path, .git_dir = w->git_dir, .paths = cleared}, err);

	if (rc == 0)
		rc = inner_all(s->path, &inner, err);
	for (char **dir = inner; rc == 0 && dir && *dir; dir++) {
		AUTO_FREE char *git_dir = trust_git_dir(*dir);

		if (git_dir)
			rc = marks_clear(
			    &(struct marked){.dir = *dir, .git_dir = git_dir, .within = true},
			    err);
	}
	strlist_free(inner);
	return rc;
}
