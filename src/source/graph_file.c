#include "source/graph_file.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/links.h"
#include <errno.h>
#include <fcntl.h>

#define LOGS_DIR "logs"

/* Where the file is when all links have been followed. */
static int
place_open(int rootfd, const char *path, char **name, struct err *err)
{
	AUTO_FREE char *at = xasprintf("/proc/self/fd/%d/%s", rootfd, path);
	AUTO_FREE char *real = realpath(at, NULL);
	AUTO_CLOSE int fd = -1;
	char *slash;

	if (real == NULL)
		return err_errno(err, "cannot find %s", path);
	slash = strrchr(real, '/');
	*slash = '\0';
	fd = fs_open_dir(AT_FDCWD, *real != '\0' ? real : "/", err);
	if (fd < 0 || links_check(fd, slash + 1, rootfd, path, err) < 0)
		return -1;
	*name = xstrdup(slash + 1);
	return take_fd(&fd);
}

int
graph_file_replace(int rootfd, const char *path, const struct buf *text, struct err *err)
{
	AUTO_FREE char *name = NULL;
	AUTO_CLOSE int dir = place_open(rootfd, path, &name, err);
	struct stat st;

	if (dir < 0)
		return -1;
	/* Or `git add -A` would find what a killed writer has left. */
	if (fs_sweep(dir, err) < 0)
		return -1;
	if (fstatat(dir, name, &st, 0) < 0)
		return err_errno(err, "cannot look at %s", path);
	if (fs_replace(dir, name, text->data, text->len, FS_SYNC, err) < 0)
		return -1;
	if (fchmodat(dir, name, st.st_mode & 07777, 0) < 0)
		return err_errno(err, "cannot set the mode of %s", path);
	return 0;
}

int
graph_file_write(int rootfd, const char *path, struct yedits *e, size_t len, struct err *err)
{
	AUTO_BUF text = BUF_INIT;

	if (yedits_apply(e, path, len, &text, err) < 0)
		return -1;
	return graph_file_replace(rootfd, path, &text, err);
}

int
graph_logs_open(int rootfd, struct err *err)
{
	AUTO_CLOSE int fd = -1;
	AUTO_CLOSE int ignore = -1;
	bool made = mkdirat(rootfd, LOGS_DIR, 0777) == 0;

	if (!made && errno != EEXIST)
		return err_errno(err, "cannot make %s", LOGS_DIR);
	fd = fs_open_dir(rootfd, LOGS_DIR, err);
	if (fd < 0 || !made)
		return take_fd(&fd);
	ignore = fs_open_append(fd, ".gitignore", err);
	if (ignore < 0 || fs_append(ignore, ".gitignore", "*\n", 2, FS_NOSYNC, err) < 0)
		return -1;
	return take_fd(&fd);
}
