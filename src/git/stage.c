#include "git/stage.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "git/git.h"
#include <errno.h>
#include <fcntl.h>

#define INDEX_MAX ((size_t)2 << 30)

/* ---- edits --------------------------------------------------------------------------- */

void
edits_release(struct edits *e)
{
	buf_release(&e->gone);
	buf_release(&e->here);
}

bool
edits_is_empty(const struct edits *e)
{
	return e->gone.len == 0 && e->here.len == 0;
}

void
edits_add(struct edits *e, const char *mode, const char *object, const char *path)
{
	struct buf *lines = strcmp(mode, "000000") == 0 ? &e->gone : &e->here;

	buf_addf(lines, "%s %s\t%s", mode, object, path);
	buf_addc(lines, '\0');
}

/* ---- the index ----------------------------------------------------------------------- */

static struct git_call
stage_call(const struct stage *s, const char *what, const char *const *args)
{
	return (struct git_call){
	    .dir = s->dir,
	    .what = what,
	    .args = args,
	    .index = s->index,
	    .within = s->within,
	    .unsynced = s->unsynced,
	};
}

/* The arguments with what has to be said before them. */
static char **
stage_args(const struct stage *s, const char *const *args)
{
	char **all =
	    s->later ? strlist_more(NULL, ARGS("-c", "core.fsyncMethod=writeout-only")) : NULL;

	return strlist_more(all, args);
}

/* Runs `git update-index -z` with the options, and gives it `lines`. */
static int
stage_update(
    const struct stage *s, const char *const *options, const struct buf *lines, struct err *err)
{
	AUTO_STRLIST args = stage_args(s, ARGS("update-index", "-z"));
	struct git_call call = stage_call(s, "git update-index", (const char *const *)args);

	call.more = options;
	call.input = lines->data;
	call.input_len = lines->len;
	return lines->len == 0 ? 0 : git_call(&call, NULL, err);
}

int
stage_read(const struct stage *s, const char *tree, struct err *err)
{
	struct git_call call = stage_call(s, "git read-tree", ARGS("read-tree", tree));

	return git_call(&call, NULL, err);
}

int
stage_edit(const struct stage *s, const struct edits *e, struct err *err)
{
	AUTO_BUF lines = BUF_INIT;

	buf_add(&lines, e->gone.data, e->gone.len);
	buf_add(&lines, e->here.data, e->here.len);
	return stage_update(s, ARGS("--index-info"), &lines, err);
}

int
stage_paths(
    const struct stage *s, const char *const *options, const struct buf *paths, struct err *err)
{
	AUTO_STRLIST all = strlist_add(strlist_more(NULL, options), "--stdin");

	return stage_update(s, (const char *const *)all, paths, err);
}

char *
stage_write(const struct stage *s, struct err *err)
{
	AUTO_STRLIST args = stage_args(s, ARGS("write-tree"));
	struct git_call call = stage_call(s, "git write-tree", (const char *const *)args);

	return git_call_line(&call, err);
}

char *
stage_change(const struct stage *s, const char *tree, const struct edits *e, struct err *err)
{
	if (edits_is_empty(e))
		return xstrdup(tree);
	if (stage_read(s, tree, err) < 0 || stage_edit(s, e, err) < 0)
		return NULL;
	return stage_write(s, err);
}

int
stage_copy(const char *dir, const char *from, const char *to, struct err *err)
{
	AUTO_CLOSE int at = fs_open_dir(AT_FDCWD, dir, err);
	AUTO_BUF text = BUF_INIT;
	struct stat st;

	if (at < 0 || fs_unlink(at, to, err) < 0)
		return -1;
	if (fstatat(at, from, &st, 0) < 0)
		return errno == ENOENT ? 0 : err_errno(err, "cannot read %s/%s", dir, from);
	if (fs_read(at, from, INDEX_MAX, &text, err) < 0 ||
	    fs_replace(at, to, text.data, text.len, FS_NOSYNC, err) < 0)
		return -1;
	if (utimensat(at, to, (struct timespec[]){st.st_atim, st.st_mtim}, 0) < 0)
		return err_errno(err, "cannot set the time of %s/%s", dir, to);
	return 0;
}

void
stage_drop(const char *index)
{
	AUTO_FREE char *lock = xasprintf("%s.lock", index);

	(void)!fs_unlink(AT_FDCWD, lock, NULL);
	(void)!fs_unlink(AT_FDCWD, index, NULL);
}
