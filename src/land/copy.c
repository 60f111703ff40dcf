#include "land/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/sendfile.h>
#include <sys/stat.h>

#define DEPTH_MAX 64

static int entry_copy(int from, int to, const char *name, int depth, struct err *err);

/* No absolute path, no "..", nothing of git's own. */
static bool
path_is_inside(const char *path)
{
	if (*path == '/' || *path == '\0')
		return false;
	while (*path != '\0') {
		size_t len = strcspn(path, "/");

		if ((len == 2 && strncmp(path, "..", 2) == 0) ||
		    (len == 4 && strncmp(path, ".git", 4) == 0))
			return false;
		path += len + strspn(path + len, "/");
	}
	return true;
}

static int
file_copy(int from, int to, const char *name, mode_t mode, struct err *err)
{
	AUTO_CLOSE int in = openat(from, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	AUTO_CLOSE int out = -1;
	ssize_t n = 0;

	if (in < 0)
		return err_errno(err, "cannot copy %s", name);
	out = openat(to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 0777);
	while (out >= 0 && (n = sendfile(out, in, NULL, SSIZE_MAX & ~(ssize_t)4095)) > 0)
		;
	return out < 0 || n < 0 ? err_errno(err, "cannot copy %s", name) : 0;
}

static int
link_copy(int from, int to, const char *name, struct err *err)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(from, name, target, sizeof(target) - 1);

	if (n < 0)
		return err_errno(err, "cannot copy %s", name);
	target[n] = '\0';
	return symlinkat(target, to, name) < 0 ? err_errno(err, "cannot copy %s", name) : 0;
}

static int
dir_open(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

static int
dir_copy(int from, int to, const char *name, int depth, struct err *err)
{
	AUTO_CLOSE int in = dir_open(from, name);
	AUTO_CLOSE int out = -1;
	DIR *list = NULL;
	struct dirent *e;
	int rc = 0;

	if (depth > DEPTH_MAX)
		errno = ELOOP;
	else if (in >= 0 && mkdirat(to, name, 0777) == 0 && (out = dir_open(to, name)) >= 0)
		list = fdopendir(dup(in));
	if (!list)
		return err_errno(err, "cannot copy %s", name);
	while (rc == 0 && (e = readdir(list)) != NULL)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			rc = entry_copy(in, out, e->d_name, depth + 1, err);
	(void)closedir(list);
	return rc;
}

/* Sockets, devices and pipes are nothing to be copied. */
static int
entry_copy(int from, int to, const char *name, int depth, struct err *err)
{
	struct stat st;

	if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_errno(err, "cannot copy %s", name);
	if (S_ISDIR(st.st_mode))
		return dir_copy(from, to, name, depth, err);
	if (S_ISLNK(st.st_mode))
		return link_copy(from, to, name, err);
	return S_ISREG(st.st_mode) ? file_copy(from, to, name, st.st_mode, err) : 0;
}

/* Goes down to the directory that the last name is in, making what is missing in `to`. */
static int
parents_enter(int *from, int *to, char *path, const char **last)
{
	char *slash;

	while ((slash = strchr(path, '/')) != NULL) {
		int in, out;

		*slash = '\0';
		in = dir_open(*from, path);
		if (in < 0)
			return -1;
		out =
		    mkdirat(*to, path, 0777) < 0 && errno != EEXIST ? -1 : dir_open(*to, path);
		auto_close_fn(from);
		auto_close_fn(to);
		*from = in;
		*to = out;
		if (out < 0)
			return -1;
		path = slash + 1 + strspn(slash + 1, "/");
	}
	*last = path;
	return 0;
}

int
copy_path(const char *top, const char *worktree, const char *path, struct err *err)
{
	AUTO_CLOSE int from = fs_open_dir(AT_FDCWD, top, err);
	AUTO_CLOSE int to = from < 0 ? -1 : fs_open_dir(AT_FDCWD, worktree, err);
	AUTO_FREE char *steps = xstrdup(path);
	const char *last = NULL;
	struct stat st;

	if (to < 0)
		return -1;
	if (!path_is_inside(path))
		return err_set(err, "%s is not below the work tree: it cannot be copied", path);
	while (steps[0] != '\0' && steps[strlen(steps) - 1] == '/')
		steps[strlen(steps) - 1] = '\0';
	if (fstatat(from, steps, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	if (parents_enter(&from, &to, steps, &last) < 0)
		return err_errno(err, "cannot copy %s", path);
	if (fstatat(to, last, &st, AT_SYMLINK_NOFOLLOW) == 0)
		return 0;
	return entry_copy(from, to, last, 0, err) < 0 ? -1 : 1;
}
