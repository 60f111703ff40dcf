/*
 * fs_read.c - the half of fs.h that writes nothing.
 */
#include "base/alloc.h"
#include "base/fs.h"
#include "base/fs_parts.h"
#include <errno.h>
#include <fcntl.h>

#define FS_READ_STEP ((size_t)64 * 1024)

DIR *
fs_dir_open(int dirfd, const char *name, struct err *err)
{
	AUTO_CLOSE int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (dir == NULL)
		err_errno(err, "cannot list %s", name);
	else
		(void)take_fd(&fd);
	return dir;
}

/* Only a regular file will do: neither a device nor a pipe may stand in for state. */
int
fs_check_regular(int fd, const char *name, struct stat *st, struct err *err)
{
	if (fstat(fd, st) < 0)
		return err_errno(err, "cannot look at %s", name);
	if (S_ISREG(st->st_mode))
		return 0;
	if (S_ISDIR(st->st_mode))
		return err_code(err, EISDIR, "%s is a directory", name);
	return err_code(err, EINVAL, "%s is not a regular file", name);
}

static int
too_big(const char *name, size_t max, struct err *err)
{
	return err_code(err, EFBIG, "%s is larger than %zu bytes", name, max);
}

int
fs_read_fd(int fd, const char *name, size_t max, struct buf *out, struct err *err)
{
	struct stat st;

	if (fs_check_regular(fd, name, &st, err) < 0)
		return -1;
	if ((uint64_t)st.st_size > max)
		return too_big(name, max, err);
	buf_clear(out);
	/* The size is a hint: the file may grow meanwhile, and /proc says 0. */
	buf_reserve(out, (size_t)st.st_size + 1);
	for (;;) {
		ssize_t n = read(fd, out->data + out->len, out->cap - 1 - out->len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_errno(err, "cannot read %s", name);
		out->len += (size_t)n;
		out->data[out->len] = '\0';
		if (out->len > max)
			return too_big(name, max, err);
		if (n == 0)
			return 0;
		if (out->cap - 1 == out->len)
			buf_reserve(out, FS_READ_STEP);
	}
}

static int
read_whole(int dirfd, const char *name, int flags, size_t max, struct buf *out, struct err *err)
{
	AUTO_CLOSE int fd =
	    openat(dirfd, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC | flags);

	if (fd < 0)
		return err_errno(err, "cannot open %s", name);
	return fs_read_fd(fd, name, max, out, err);
}

int
fs_read(int dirfd, const char *name, size_t max, struct buf *out, struct err *err)
{
	return read_whole(dirfd, name, 0, max, out, err);
}

int
fs_read_own(int dirfd, const char *name, size_t max, struct buf *out, struct err *err)
{
	return read_whole(dirfd, name, O_NOFOLLOW, max, out, err);
}

int
fs_list(int dirfd, const char *name, char ***out, struct err *err)
{
	struct err why = ERR_INIT;
	DIR *dir = fs_dir_open(dirfd, name, &why);
	size_t n = 0, cap = 16;
	char **list = xcalloc(cap, sizeof(*list));
	struct dirent *e;

	while (dir != NULL && (errno = 0, e = readdir(dir)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		if (n + 1 == cap)
			list = xreallocarray(list, cap *= 2, sizeof(*list));
		list[n++] = xstrdup(e->d_name);
		list[n] = NULL;
	}
	if (dir != NULL && errno != 0)
		err_errno(&why, "cannot list %s", name);
	if (dir != NULL)
		closedir(dir);
	if (why.code != 0 && why.code != ENOENT) {
		strlist_free(list);
		return err_pass(err, &why);
	}
	qsort(list, n, sizeof(*list), strlist_compare);
	*out = list;
	return 0;
}

const char *
fs_below(const char *dir, const char *path)
{
	size_t len = dir != NULL ? strlen(dir) : 0;

	if (len == 0 || strncmp(path, dir, len) != 0)
		return NULL;
	/* "/" ends with the slash that others are followed by. */
	if (dir[len - 1] != '/' && path[len++] != '/')
		return NULL;
	return path[len] == '\0' ? NULL : path + len;
}

char *
fs_absolute(const char *path)
{
	AUTO_FREE char *cwd = NULL;
	AUTO_BUF out = BUF_INIT;

	if (*path != '/') {
		/* A directory that was removed has no path, and `path` leads nowhere. */
		cwd = getcwd(NULL, 0);
		if (cwd == NULL)
			return xstrdup(path);
		buf_adds(&out, strcmp(cwd, "/") == 0 ? "" : cwd);
	}
	/* ".." stays: what it means depends on links. */
	while (*path != '\0') {
		size_t len;

		path += strspn(path, "/");
		len = strcspn(path, "/");
		if (len > 0 && !(len == 1 && *path == '.')) {
			buf_addc(&out, '/');
			buf_add(&out, path, len);
		}
		path += len;
	}
	if (out.len == 0)
		buf_addc(&out, '/');
	return buf_detach(&out);
}

char *
fs_parent(const char *path)
{
	const char *slash = strrchr(path, '/');

	if (slash == NULL)
		return xstrdup(".");
	return slash == path ? xstrdup("/") : xstrndup(path, (size_t)(slash - path));
}
