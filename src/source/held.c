#include "source/held.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/links.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/file.h>

#define LOCK_WAIT (10 * NSEC_PER_SEC)
#define LOCK_STEP 2000 /* us */
#define TRIES 20
#define MODE_NEW 0644

/* ---- taking hold --------------------------------------------------------------------- */

/* Where the file is when all links have been followed; it need not exist. */
static char *
real_path(const char *path, struct err *err)
{
	AUTO_FREE char *copy = xstrdup(path);
	AUTO_FREE char *dir = NULL;
	char *real = realpath(path, NULL);
	char *slash = strrchr(copy, '/');
	const char *name = slash != NULL ? slash + 1 : copy;

	if (real != NULL)
		return real;
	if (errno == ENOENT && *name != '\0') {
		if (slash != NULL)
			*slash = '\0';
		dir = realpath(slash == NULL ? "." : *copy == '\0' ? "/" : copy, NULL);
		if (dir != NULL)
			return xasprintf("%s/%s", dir, name);
	}
	(void)err_errno(err, "cannot find %s", path);
	return NULL;
}

/* The holder needs milliseconds; one that was stopped in the middle must not stop us for ever.
 */
static int
lock_wait(int fd, const char *path, struct err *err)
{
	int64_t until = clock_boot() + LOCK_WAIT;

	while (flock(fd, LOCK_EX | LOCK_NB) < 0) {
		if (errno == EINTR)
			continue;
		/* File systems on a network may have no lock for a directory. */
		if (errno == EBADF || errno == ENOLCK || errno == EOPNOTSUPP || errno == EINVAL)
			return 0;
		if (errno != EWOULDBLOCK || clock_boot() > until)
			return err_errno(err, "cannot lock the directory of %s", path);
		usleep(LOCK_STEP);
	}
	return 0;
}

static int
hold(struct held *h, const char *path, struct err *err)
{
	AUTO_FREE char *real = real_path(path, err);
	char *slash;

	if (real == NULL)
		return -1;
	slash = strrchr(real, '/');
	h->name = xstrdup(slash + 1);
	*slash = '\0';
	h->dir = fs_open_dir(AT_FDCWD, *real != '\0' ? real : "/", err);
	if (h->dir < 0 || links_check(h->dir, h->name, AT_FDCWD, path, err) < 0 ||
	    lock_wait(h->dir, path, err) < 0)
		return -1;
	/* Or `git add -A` would find what a killed writer has left. */
	return fs_sweep(h->dir, err);
}

static void
let_go(struct held *h)
{
	auto_close_fn(&h->dir);
	free(h->name);
	buf_release(&h->text);
}

/* ---- reading ------------------------------------------------------------------------- */

static int
read_now(struct held *h, size_t max, struct buf *text, bool *exists, struct err *err)
{
	struct err why = ERR_INIT;

	buf_clear(text);
	*exists = fs_read(h->dir, h->name, max, text, &why) == 0;
	if (*exists || why.code == ENOENT)
		return 0;
	if (err != NULL)
		*err = why;
	return -1;
}

static int
read_held(struct held *h, size_t max, struct err *err)
{
	if (read_now(h, max, &h->text, &h->exists, err) < 0)
		return -1;
	if (h->exists && fstatat(h->dir, h->name, &h->st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_errno(err, "cannot look at %s", h->name);
	return 0;
}

/* ---- writing ------------------------------------------------------------------------- */

/* What the new file is called until it takes its place; fs_sweep knows such names. */
static char *
next_name(const struct held *h)
{
	return xasprintf(".%.*s.next.tmp.%d.0", NAME_MAX / 2, h->name, (int)getpid());
}

/* Where we may not give it its owner, it is ours, and without the bits that act as the owner.
 */
static int
dress(const struct held *h, const char *next, struct err *err)
{
	mode_t mode = h->exists ? h->st.st_mode & 07777 : MODE_NEW;
	bool ours = h->exists && h->st.st_uid == geteuid() && h->st.st_gid == getegid();

	if (h->exists && !ours &&
	    fchownat(h->dir, next, h->st.st_uid, h->st.st_gid, AT_SYMLINK_NOFOLLOW) < 0) {
		(void)!fchownat(h->dir, next, (uid_t)-1, h->st.st_gid, AT_SYMLINK_NOFOLLOW);
		mode &= 0777;
	}
	if (fchmodat(h->dir, next, mode, 0) < 0)
		return err_errno(err, "cannot set the mode of %s", h->name);
	return 0;
}

/* 0: it is in place; 1: others have changed the file meanwhile. */
static int
put_in_place(
    struct held *h, size_t max, const char *next, const struct buf *text, struct err *err)
{
	AUTO_BUF now = BUF_INIT;
	bool exists;

	if (fs_replace(h->dir, next, text->data, text->len, FS_SYNC, err) < 0 ||
	    dress(h, next, err) < 0 || read_now(h, max, &now, &exists, err) < 0)
		return -1;
	if (exists != h->exists || now.len != h->text.len ||
	    memcmp(now.data, h->text.data, now.len) != 0)
		return 1;
	return fs_rename(h->dir, next, h->name, FS_SYNC, err);
}

static int
write_held(struct held *h, size_t max, const struct buf *text, struct err *err)
{
	AUTO_FREE char *next = next_name(h);
	int rc = put_in_place(h, max, next, text, err);

	if (rc != 0)
		(void)unlinkat(h->dir, next, 0);
	return rc;
}

int
held_change(const char *path, size_t max, held_fn *fn, void *ctx, struct err *err)
{
	struct held h = {.dir = -1, .text = BUF_INIT};
	int rc = hold(&h, path, err), written = 1;

	for (int i = 0; rc == 0 && written == 1 && i < TRIES; i++) {
		AUTO_BUF out = BUF_INIT;

		rc = read_held(&h, max, err);
		if (rc == 0)
			rc = fn(&h, ctx, &out, err);
		if (rc == 0)
			written = write_held(&h, max, &out, err);
	}
	let_go(&h);
	if (rc == 0 && written == 1) {
		(void)err_set(err, "%s is being changed all the time", path);
		if (err != NULL)
			err->code = EBUSY;
		return -1;
	}
	return rc != 0 ? rc : written;
}

int
held_aside(struct held *h, struct buf *moved, struct err *err)
{
	if (fs_move_aside(h->dir, h->name, moved, err) < 0)
		return -1;
	h->exists = false;
	buf_clear(&h->text);
	return 0;
}
