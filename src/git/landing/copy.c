#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

#define DEPTH_MAX 64

static int entry_copy(int from, int to, const char *name, int depth, struct err *err);

/* Does the path lead to a place below the work tree that is not git's own? */
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
copy_dir_open(int at, const char *name)
{
	return openat(at, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
}

static int
dir_copy(int from, int to, const char *name, int depth, struct err *err)
{
	AUTO_CLOSE int in = copy_dir_open(from, name);
	AUTO_CLOSE int out = -1;
	DIR *list = NULL;
	struct dirent *e;
	int rc = 0;

	if (depth > DEPTH_MAX)
		errno = ELOOP;
	else if (in >= 0 && fs_copy_dir(to, name, NULL) == 0 &&
		 (out = copy_dir_open(to, name)) >= 0)
		list = fdopendir(dup(in));
	if (list == NULL)
		return err_errno(err, "cannot copy %s", name);
	while (rc == 0 && (e = readdir(list)) != NULL)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			rc = entry_copy(in, out, e->d_name, depth + 1, err);
	(void)closedir(list);
	return rc;
}

/* Sockets, devices and pipes are not copied. */
static int
entry_copy(int from, int to, const char *name, int depth, struct err *err)
{
	struct stat st;

	if (fstatat(from, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_errno(err, "cannot copy %s", name);
	if (S_ISDIR(st.st_mode))
		return dir_copy(from, to, name, depth, err);
	if (S_ISLNK(st.st_mode))
		return fs_copy_link(from, to, name, err);
	return S_ISREG(st.st_mode) ? fs_copy_file(from, to, name, err) : 0;
}

/* Goes down to the directory that the last name is in, making what is missing in `to`. */
static int
parents_enter(int *from, int *to, char *path, const char **last)
{
	char *slash;

	while ((slash = strchr(path, '/')) != NULL) {
		int in, out;

		*slash = '\0';
		in = copy_dir_open(*from, path);
		if (in < 0)
			return -1;
		out = fs_copy_dir(*to, path, NULL) < 0 ? -1 : copy_dir_open(*to, path);
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
