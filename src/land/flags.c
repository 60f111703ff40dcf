#include "land/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "land/git.h"
#include "land/index.h"
#include "land/repo.h"
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

static int
marks_remove(const struct step *s, const char *option, const struct buf *paths, struct err *err)
{
	const struct git_call call = {
	    .dir = s->path,
	    .what = "git update-index",
	    .args = ARGS("update-index", option, "-z", "--stdin"),
	    .input = paths->data,
	    .input_len = paths->len,
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
    const struct step *s, const struct buf *lines, struct buf *assumed, struct buf *skipped)
{
	bool sparse = git_yes(s->path, ARGS("config", "--get", "core.sparseCheckout", "true"));
	const char *end = lines->data + lines->len;

	for (const char *line = lines->data; line + 2 < end; line += strlen(line) + 1) {
		AUTO_FREE char *path = NULL;

		if (line[0] >= 'a' && line[0] <= 'z')
			buf_add(assumed, line + 2, strlen(line + 2) + 1);
		if (line[0] != 'S' && line[0] != 's')
			continue;
		path = xasprintf("%s/%s", s->path, line + 2);
		if (!sparse || path_is_there(path))
			buf_add(skipped, line + 2, strlen(line + 2) + 1);
	}
}

int
flags_clear(const struct step *s, const struct work *w, struct err *err)
{
	AUTO_FREE char *path = xasprintf("%s/index", w->git_dir);
	AUTO_BUF index = BUF_INIT;
	AUTO_BUF assumed = BUF_INIT;
	AUTO_BUF skipped = BUF_INIT;
	struct run_result files;
	int rc;

	if (fs_read(AT_FDCWD, path, INDEX_MAX, &index, NULL) == 0 && !index_may_have(&index))
		return 0;
	run_result_init(&files);
	rc = git_run(s->path, "git ls-files", ARGS("ls-files", "-v", "-z"), &files, err);
	if (rc == 0)
		marks_list(s, &files.out, &assumed, &skipped);
	run_result_release(&files);
	if (rc == 0)
		rc = marks_remove(s, "--no-assume-unchanged", &assumed, err);
	return rc == 0 ? marks_remove(s, "--no-skip-worktree", &skipped, err) : rc;
}
