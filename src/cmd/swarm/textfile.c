/*
 * textfile.c - files of the user's project.
 */
#include "cmd/swarm/textfile.h"

#include "base/alloc.h"
#include "base/fs.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>

static int
write_new(const char *path, mode_t mode, const struct buf *text, struct err *err)
{
	AUTO_CLOSE int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);

	if (fd < 0)
		return err_errno(err, "cannot create %s", path);
	if (fs_append(fd, path, text->data, text->len, FS_NOSYNC, err) == 0)
		return 0;
	(void)unlink(path);
	return -1;
}

int
textfile_create(const char *path, const struct buf *text, struct err *err)
{
	return write_new(path, 0666, text, err);
}

int
textfile_replace(const char *path, const struct buf *text, struct err *err)
{
	AUTO_FREE char *real = realpath(path, NULL);
	AUTO_FREE char *beside = NULL;
	struct stat st;

	if (real == NULL || stat(real, &st) < 0)
		return err_errno(err, "cannot write %s", path);
	if (!S_ISREG(st.st_mode))
		return err_set(err, "%s is not a regular file", path);
	beside = xasprintf("%s.%lld.tmp", real, (long long)getpid());
	if (write_new(beside, 0600, text, err) < 0)
		return -1;
	if (chmod(beside, st.st_mode & 07777) == 0 && rename(beside, real) == 0)
		return 0;
	(void)err_errno(err, "cannot write %s", path);
	(void)unlink(beside);
	return -1;
}
