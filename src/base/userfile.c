#include "base/userfile.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/links.h"
#include "base/lock.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>

#define TRIES 20

/* ---- taking hold --------------------------------------------------------------------- */

/* Where the file is when all links have been followed; it need not exist. */
static char *
real_path(int dirfd, const char *path, struct err *err)
{
	AUTO_FREE char *at = dirfd == AT_FDCWD || *path == '/'
				 ? xstrdup(path)
				 : xasprintf("/proc/self/fd/%d/%s", dirfd, path);
	char *real = realpath(at, NULL);
	AUTO_FREE char *dir = NULL;
	AUTO_FREE char *real_dir = NULL;
	const char *name;

	if (real != NULL)
		return real;
	dir = fs_parent(at);
	name = basename(at);
	if (errno == ENOENT && *name != '\0' && (real_dir = realpath(dir, NULL)) != NULL)
		return xasprintf("%s/%s", real_dir, name);
	(void)err_errno(err, "cannot find %s", path);
	return NULL;
}

/* Locks the directory, whose descriptor is replaced by the locked one. */
static int
userfile_lock(struct userfile *f, const char *path, struct err *err)
{
	int locked = lock_directory(f->dir, path, err);

	close(f->dir);
	f->dir = locked;
	/* Sweeps, or `git add -A` would find what a killed writer has left. */
	return locked < 0 ? -1 : fs_sweep(locked, err);
}

static int
userfile_hold(struct userfile *f, int dirfd, const char *path, struct err *err)
{
	AUTO_FREE char *real = real_path(dirfd, path, err);
	AUTO_FREE char *dir = NULL;

	if (real == NULL)
		return -1;
	dir = fs_parent(real);
	f->name = xstrdup(basename(real));
	f->dir = fs_open_dir(AT_FDCWD, dir, err);
	if (f->dir < 0 || links_check(f->dir, f->name, dirfd, path, err) < 0)
		return -1;
	return userfile_lock(f, path, err);
}

static void
userfile_let_go(struct userfile *f)
{
	auto_close_fn(&f->dir);
	free(f->name);
	buf_release(&f->text);
}

/* ---- reading ------------------------------------------------------------------------- */

static int
userfile_look(struct userfile *f, struct err *err)
{
	f->exists = fstatat(f->dir, f->name, &f->st, 0) == 0;
	return f->exists || errno == ENOENT ? 0 : err_errno(err, "cannot look at %s", f->name);
}

static int
userfile_read_text(struct userfile *f, size_t max, struct err *err)
{
	buf_clear(&f->text);
	if (userfile_look(f, err) < 0)
		return -1;
	return f->exists ? fs_read(f->dir, f->name, max, &f->text, err) : 0;
}

/* 0: the file is as it was when it was `old`; 1: others have changed it. */
static int
userfile_look_again(const struct userfile *f, const struct buf *old, struct err *err)
{
	AUTO_BUF now = BUF_INIT;
	struct err why = ERR_INIT;
	bool exists = fs_read(f->dir, f->name, old->len, &now, &why) == 0;

	if (!exists && why.code == EFBIG)
		return 1;
	if (!exists && why.code != ENOENT)
		return err_pass(err, &why);
	return exists != f->exists || now.len != old->len ||
	       (exists && memcmp(now.data, old->data, now.len) != 0);
}

/* ---- writing ------------------------------------------------------------------------- */

/* 0: it is in place; 1: others have changed the file since it was `old` (NULL: that is all the
 * same). */
static int
put_in_place(struct userfile *f, const struct buf *old, const struct buf *text, struct err *err)
{
	const struct stat *like = f->exists ? &f->st : NULL;
	char draft[NAME_MAX + 1];
	int rc;

	if (fs_draft(f->dir, f->name, like, text->data, text->len, draft, err) < 0)
		return -1;
	rc = old != NULL ? userfile_look_again(f, old, err) : 0;
	if (rc == 0)
		return fs_place(f->dir, draft, f->name, false, err);
	(void)!fs_unlink(f->dir, draft, NULL);
	return rc;
}

int
userfile_change(
    int dirfd, const char *path, size_t max, userfile_fn *fn, void *ctx, struct err *err)
{
	struct userfile f = {.dir = -1, .text = BUF_INIT};
	int rc = userfile_hold(&f, dirfd, path, err), written = 1;

	for (int i = 0; rc == 0 && written == 1 && i < TRIES; i++) {
		AUTO_BUF out = BUF_INIT;

		rc = userfile_read_text(&f, max, err);
		if (rc == 0)
			rc = fn(&f, ctx, &out, err);
		if (rc == 0)
			written = put_in_place(&f, &f.text, &out, err);
	}
	userfile_let_go(&f);
	if (rc == 0 && written == 1)
		return err_code(err, EBUSY, "%s is being changed all the time", path);
	return rc != 0 ? rc : written;
}

int
userfile_aside(struct userfile *f, struct buf *moved, struct err *err)
{
	if (fs_move_aside(f->dir, f->name, moved, err) < 0)
		return -1;
	f->exists = false;
	buf_clear(&f->text);
	return 0;
}

int
userfile_replace(
    int dirfd, const char *path, const struct buf *old, const struct buf *text, struct err *err)
{
	struct userfile f = {.dir = -1, .text = BUF_INIT};
	int rc = userfile_hold(&f, dirfd, path, err);

	if (rc == 0)
		rc = userfile_look(&f, err);
	if (rc == 0 && f.exists && !S_ISREG(f.st.st_mode))
		rc = err_set(err, "%s is not a regular file", path);
	if (rc == 0)
		rc = put_in_place(&f, old, text, err);
	userfile_let_go(&f);
	if (rc == 1)
		return err_code(err, EBUSY,
		    "%s was changed by somebody else meanwhile, and is left alone", path);
	return rc;
}

int
userfile_create(int dirfd, const char *path, const struct buf *text, struct err *err)
{
	struct userfile f = {.dir = -1, .text = BUF_INIT};
	char draft[NAME_MAX + 1];
	const char *name = basename(path);
	AUTO_FREE char *dir = fs_parent(path);
	struct err why = ERR_INIT;
	int rc;

	if (faccessat(dirfd, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
		errno = EEXIST;
		return err_errno(err, "cannot create %s", path);
	}
	f.dir = fs_open_dir(dirfd, dir, &why);
	rc = f.dir < 0 ? -1 : userfile_lock(&f, path, &why);
	if (rc == 0)
		rc = fs_draft(f.dir, name, NULL, text->data, text->len, draft, &why);
	if (rc == 0)
		rc = fs_place(f.dir, draft, name, true, &why);
	userfile_let_go(&f);
	if (rc == 0)
		return 0;
	/* A link that is refused has a sentence of its own. */
	if (why.code == ELOOP)
		return err_pass(err, &why);
	errno = why.code;
	return err_errno(err, "cannot create %s", path);
}
