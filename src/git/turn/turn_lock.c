/*
 * turn_lock.c - the lock of the user's index, made so that a process that finds it knows whose
 * it is.
 */
#include "git/turn/turn_inside.h"

#include "base/alloc.h"
#include "base/fs.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <unistd.h>

#define INDEX "index"
#define LOCK "index.lock"
#define OURS "ralph-turn-lock"
/* Bytes at the end of an index: all of its checksum, or the last ones of a longer one. */
#define CHECKSUM 20
/* Others hold a lock for milliseconds; a process that is killed leaves its lock for good. */
#define LOCK_TRIES 60
#define LOCK_PAUSE_US 50000

bool
lock_is_in_the_way(const struct err *err, int *tries)
{
	if (strstr(err->text, ".lock'") == NULL || ++*tries > LOCK_TRIES)
		return false;
	(void)usleep(LOCK_PAUSE_US);
	return true;
}

void
index_lock_sweep(const struct place *p)
{
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, p->git_dir, NULL);
	struct stat ours, lock;

	if (dir < 0 || fstatat(dir, OURS, &ours, AT_SYMLINK_NOFOLLOW) < 0)
		return;
	/* The lock is removed first: while it exists, our file must tell whose it is. */
	if (fstatat(dir, LOCK, &lock, AT_SYMLINK_NOFOLLOW) == 0 && lock.st_dev == ours.st_dev &&
	    lock.st_ino == ours.st_ino && fs_unlink(dir, LOCK, NULL) < 0)
		return;
	(void)!fs_unlink(dir, OURS, NULL);
}

/* When the file system has no hard links, the lock is an ordinary one, and there is no file of
 * ours. */
static int
lock_make(int dir, struct err *err)
{
	int rc = fs_replace(dir, OURS, "", 0, FS_NOSYNC, err);

	if (rc == 0)
		rc = fs_link(dir, OURS, LOCK, err);
	if (rc == 0 || err == NULL || (err->code != EPERM && err->code != EOPNOTSUPP))
		return rc;
	(void)!fs_unlink(dir, OURS, NULL);
	return fs_create(dir, LOCK, err);
}

int
index_lock(const struct place *p, struct err *err)
{
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, p->git_dir, err);
	struct err why = ERR_INIT;

	if (dir < 0)
		return -1;
	/* Removes a lock of ours that could not be released. */
	index_lock_sweep(p);
	for (int i = 0; i < LOCK_TRIES; i++) {
		if (lock_make(dir, &why) == 0)
			return 0;
		if (why.code != EEXIST)
			break;
		(void)usleep(LOCK_PAUSE_US);
	}
	(void)!fs_unlink(dir, OURS, NULL);
	if (why.code != EEXIST)
		return err_pass(err, &why);
	(void)err_set(err, "somebody has %s/" LOCK "; when no git is at work there, remove it",
	    p->git_dir);
	return 1;
}

void
index_unlock(const struct place *p)
{
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, p->git_dir, NULL);

	/* A person may have removed our lock as stale; then the lock there is another's. */
	if (dir >= 0 && faccessat(dir, OURS, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
		index_lock_sweep(p);
	else if (dir >= 0)
		(void)!fs_unlink(dir, LOCK, NULL);
}

int
index_copy(const struct place *p, const char *to, struct err *err)
{
	return stage_copy(p->git_dir, INDEX, basename(to), err);
}

char *
index_print(const char *file)
{
	AUTO_CLOSE int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
	unsigned char sum[CHECKSUM];
	AUTO_BUF out = BUF_INIT;
	unsigned any = 0;
	struct stat st;

	if (fd < 0 || fstat(fd, &st) < 0 || st.st_size < CHECKSUM ||
	    pread(fd, sum, CHECKSUM, st.st_size - CHECKSUM) != CHECKSUM)
		return NULL;
	buf_addf(&out, "%" PRId64 " ", (int64_t)st.st_size);
	for (size_t i = 0; i < CHECKSUM; i++) {
		buf_addf(&out, "%02x", sum[i]);
		any |= sum[i];
	}
	return any != 0 ? buf_detach(&out) : NULL; /* index.skipHash leaves zeros */
}

int
index_replace(const struct place *p, const char *file, struct err *err)
{
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, p->git_dir, err);

	return dir < 0 ? -1 : fs_rename(dir, basename(file), INDEX, FS_NOSYNC, err);
}
