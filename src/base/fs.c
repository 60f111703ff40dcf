#include "base/fs.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/links.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>

#define FS_READ_STEP ((size_t)64 * 1024)
#define FS_TMP_TRIES 1000
#define FS_ASIDE_TRIES 1000
/* Room in a file name for what a temporary one adds to it. */
#define FS_TMP_STEM (NAME_MAX - 55)
/* Directories open at once while a tree is removed. */
#define FS_TREE_DEPTH 32
#define FS_TREE_PASSES 1000

/* For a sentence that names the cause itself: adds the code. */
static int
fs_code(struct err *err, int code)
{
	if (err)
		err->code = code;
	errno = code;
	return -1;
}

static bool
name_is_plain(const char *name)
{
	return *name != '\0' && !strchr(name, '/') && strcmp(name, ".") != 0 &&
	       strcmp(name, "..") != 0;
}

static int
write_all(int fd, const char *name, const void *data, size_t len)
{
	const char *p = data;
	size_t step = len;

	if (fs_fault_write("write", name, &step) < 0 && errno != EINTR)
		return -1;
	while (len > 0) {
		ssize_t n = write(fd, p, step);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0) {
			errno = n < 0 ? errno : EIO;
			return -1;
		}
		p += n;
		len -= (size_t)n;
		step = len;
	}
	return 0;
}

static DIR *
dir_open(int dirfd, const char *name, struct err *err)
{
	AUTO_CLOSE int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	DIR *dir = fd < 0 ? NULL : fdopendir(fd);

	if (!dir)
		err_errno(err, "cannot list %s", name);
	else
		(void)take_fd(&fd);
	return dir;
}

static int
dir_sync(int dirfd, const char *name, struct err *err)
{
	/* EINVAL: a file system that has no such thing as syncing a directory. */
	if (fs_fault("dirsync", name) < 0 || (fsync(dirfd) < 0 && errno != EINVAL))
		return err_errno(err, "cannot sync the directory of %s", name);
	return 0;
}

/* A file that nobody else can have prepared for us; its name goes to tmp. */
static int
tmp_open(int dirfd, const char *name, char tmp[NAME_MAX + 1])
{
	static unsigned counter;

	if (fs_fault("open", name) < 0)
		return -1;
	/* EEXIST: left behind by a dead process that had our pid. */
	for (int i = 0; i < FS_TMP_TRIES; i++) {
		int fd;

		snprintf(tmp, NAME_MAX + 1, ".%.*s.tmp.%d.%u", FS_TMP_STEM, name, (int)getpid(),
		    counter++);
		fd = openat(
		    dirfd, tmp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* Everything up to the rename, which is what makes the new content count. */
static int
tmp_fill(int fd, const char *name, const void *data, size_t len, enum fs_sync sync)
{
	int rc = write_all(fd, name, data, len);

	if (rc == 0 && sync == FS_SYNC && (fs_fault("fsync", name) < 0 || fsync(fd) < 0))
		rc = -1;
	if (rc < 0)
		auto_close_fn(&fd);
	else
		rc = close(fd); /* network file systems report a failed write here */
	return rc;
}

int
fs_replace(int dirfd, const char *name, const void *data, size_t len, enum fs_sync sync,
    struct err *err)
{
	char tmp[NAME_MAX + 1];
	int fd;

	if (!name_is_plain(name)) {
		errno = EINVAL;
		return err_errno(err, "cannot write %s", name);
	}
	fd = tmp_open(dirfd, name, tmp);
	if (fd < 0)
		return err_errno(err, "cannot write %s", name);
	if (tmp_fill(fd, name, data, len, sync) < 0 || fs_fault("rename", name) < 0 ||
	    renameat(dirfd, tmp, dirfd, name) < 0) {
		err_errno(err, "cannot write %s", name);
		unlinkat(dirfd, tmp, 0);
		return -1;
	}
	return sync == FS_SYNC ? dir_sync(dirfd, name, err) : 0;
}

/* Only a regular file will do: neither a device nor a pipe may stand in for state. */
static int
regular_check(int fd, const char *name, struct stat *st, struct err *err)
{
	if (fstat(fd, st) < 0)
		return err_errno(err, "cannot look at %s", name);
	if (S_ISREG(st->st_mode))
		return 0;
	if (S_ISDIR(st->st_mode)) {
		err_set(err, "%s is a directory", name);
		return fs_code(err, EISDIR);
	}
	err_set(err, "%s is not a regular file", name);
	return fs_code(err, EINVAL);
}

int
fs_open_append(int dirfd, const char *name, struct err *err)
{
	/* O_NONBLOCK: a pipe without a reader is an error then, not a wait. */
	const int flags =
	    O_WRONLY | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC;
	AUTO_CLOSE int fd = -1;
	struct stat st;

	if (fs_fault("open", name) < 0 || (fd = openat(dirfd, name, flags, 0600)) < 0) {
		if (errno != ELOOP)
			return err_errno(err, "cannot open %s", name);
		err_set(err, "%s is a symbolic link", name);
		return fs_code(err, ELOOP);
	}
	if (regular_check(fd, name, &st, err) < 0)
		return -1;
	return take_fd(&fd);
}

int
fs_append(
    int fd, const char *name, const void *data, size_t len, enum fs_sync sync, struct err *err)
{
	if (write_all(fd, name, data, len) < 0)
		return err_errno(err, "cannot write %s", name);
	if (sync == FS_SYNC && (fs_fault("fdatasync", name) < 0 || fdatasync(fd) < 0))
		return err_errno(err, "cannot sync %s", name);
	return 0;
}

static int
too_big(const char *name, size_t max, struct err *err)
{
	err_set(err, "%s is larger than %zu bytes", name, max);
	return fs_code(err, EFBIG);
}

int
fs_read_fd(int fd, const char *name, size_t max, struct buf *out, struct err *err)
{
	struct stat st;

	if (regular_check(fd, name, &st, err) < 0)
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
fs_mkdir(int dirfd, const char *name, struct err *err)
{
	AUTO_CLOSE int parent = -1;
	const char *last = name;
	struct stat st;

	if (links_parent(dirfd, name, &parent, &last, err) < 0)
		return -1;
	if (fs_fault("mkdir", name) == 0 &&
	    mkdirat(parent >= 0 ? parent : dirfd, last, 0700) == 0)
		return 0;
	if (errno == EEXIST) {
		if (fstatat(dirfd, name, &st, 0) == 0 && S_ISDIR(st.st_mode))
			return 0;
		errno = ENOTDIR;
	}
	return err_errno(err, "cannot create the directory %s", name);
}

int
fs_mkdirs(const char *path, struct err *err)
{
	AUTO_FREE char *copy = xstrdup(path);
	struct stat st;

	for (char *p = copy; *p != '\0';) {
		char *end = p + strspn(p, "/");
		char cut;

		end += strcspn(end, "/");
		cut = *end;
		*end = '\0';
		if ((stat(copy, &st) < 0 || !S_ISDIR(st.st_mode)) &&
		    fs_mkdir(AT_FDCWD, copy, err) < 0)
			return -1;
		*end = cut;
		p = end;
	}
	return 0;
}

int
fs_open_dir(int dirfd, const char *name, struct err *err)
{
	int fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return err_errno(err, "cannot open the directory %s", name);
	if (links_check(fd, NULL, dirfd, name, err) < 0) {
		close(fd);
		errno = ELOOP;
		return -1;
	}
	return fd;
}

int
fs_rename(int dirfd, const char *from, const char *to, enum fs_sync sync, struct err *err)
{
	if (fs_fault("rename", from) < 0 || renameat(dirfd, from, dirfd, to) < 0)
		return err_errno(err, "cannot rename %s to %s", from, to);
	return sync == FS_SYNC ? dir_sync(dirfd, to, err) : 0;
}

int
fs_create(int dirfd, const char *name, struct err *err)
{
	AUTO_CLOSE int fd = -1;

	if (fs_fault("create", name) == 0)
		fd = openat(dirfd, name, O_CREAT | O_EXCL | O_CLOEXEC | O_WRONLY, 0600);
	return fd < 0 ? err_errno(err, "cannot make %s", name) : 0;
}

int
fs_link(int dirfd, const char *from, const char *to, struct err *err)
{
	if (fs_fault("link", to) < 0 || linkat(dirfd, from, dirfd, to, 0) < 0)
		return err_errno(err, "cannot make %s", to);
	return 0;
}

static int
remove_at(int dirfd, const char *name, int flags, struct err *err)
{
	if (fs_fault("unlink", name) == 0 && unlinkat(dirfd, name, flags) == 0)
		return 0;
	if (errno == ENOENT)
		return 0;
	return err_errno(err, "cannot remove %s", name);
}

int
fs_unlink(int dirfd, const char *name, struct err *err)
{
	return remove_at(dirfd, name, 0, err);
}

/*
 * However deep a tree is, only so many of its directories are open at once:
 * what lies deeper is moved up into the tree's root, where a later pass finds it.
 */
static int
tree_hoist(int rootfd, int dirfd, const char *name, struct err *err)
{
	static unsigned counter;

	for (;;) {
		char up[48];

		snprintf(up, sizeof(up), ".hoisted.%d.%u", (int)getpid(), counter++);
		if (renameat2(dirfd, name, rootfd, up, RENAME_NOREPLACE) == 0)
			return 0;
		if (errno != EEXIST)
			return err_errno(err, "cannot move %s out of its directory", name);
	}
}

static int tree_remove(int rootfd, int dirfd, const char *name, int depth, struct err *err);

static int
tree_empty(int rootfd, int fd, const char *name, int depth, struct err *err)
{
	DIR *dir = dir_open(fd, ".", err);
	struct dirent *e;
	size_t removed = 0;
	int rc = 0;

	if (!dir)
		return -1;
	while (rc == 0 && (errno = 0, e = readdir(dir)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		/* One point for them all, where it is begun and not done. */
		if (removed++ == 1 && fs_fault("empty", name) < 0)
			rc = err_errno(err, "cannot remove what is in %s", name);
		else
			rc = tree_remove(rootfd, fd, e->d_name, depth + 1, err);
	}
	if (rc == 0 && errno != 0)
		rc = err_errno(err, "cannot list %s", name);
	closedir(dir);
	return rc;
}

static int
tree_remove(int rootfd, int dirfd, const char *name, int depth, struct err *err)
{
	AUTO_CLOSE int fd =
	    openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 && (errno == ENOTDIR || errno == ELOOP))
		return unlinkat(dirfd, name, 0) == 0 || errno == ENOENT
			   ? 0
			   : err_errno(err, "cannot remove %s", name);
	if (fd < 0)
		return errno == ENOENT ? 0 : err_errno(err, "cannot open %s", name);
	if (depth > FS_TREE_DEPTH)
		return tree_hoist(rootfd, dirfd, name, err);
	/* Tools leave read-only directories; if it cannot be helped, removing says so. */
	(void)fchmod(fd, 0700);
	for (int pass = 0;; pass++) {
		struct err why = ERR_INIT;

		if (tree_empty(rootfd < 0 ? fd : rootfd, fd, name, depth, err) < 0)
			return -1;
		if (remove_at(dirfd, name, AT_REMOVEDIR, &why) == 0)
			return 0;
		if ((why.code != ENOTEMPTY && why.code != EEXIST) || pass == FS_TREE_PASSES) {
			if (err)
				*err = why;
			return -1;
		}
	}
}

int
fs_remove_tree(int dirfd, const char *name, struct err *err)
{
	return tree_remove(-1, dirfd, name, 0, err);
}

static int64_t
tree_bytes(int dirfd, const char *name, int depth)
{
	AUTO_CLOSE int fd = -1;
	struct dirent *e;
	struct stat st;
	int64_t sum;
	DIR *dir;

	if (fstatat(dirfd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 0;
	sum = (int64_t)st.st_blocks * 512;
	if (!S_ISDIR(st.st_mode) || depth > FS_TREE_DEPTH)
		return sum;
	fd = openat(dirfd, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	dir = fd < 0 ? NULL : dir_open(fd, ".", NULL);
	while (dir != NULL && (e = readdir(dir)) != NULL)
		if (strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0)
			sum += tree_bytes(fd, e->d_name, depth + 1);
	if (dir != NULL)
		closedir(dir);
	return sum;
}

int64_t
fs_tree_bytes(int dirfd, const char *name)
{
	return tree_bytes(dirfd, name, 0);
}

/* The process that made a temporary file of this name; 0 for any other name. */
static pid_t
tmp_owner(const char *name)
{
	const char *mark = NULL;
	char *end;
	long pid;

	/* The last one: the file itself may be called anything. */
	for (const char *p = strstr(name, ".tmp."); p; p = strstr(p + 1, ".tmp."))
		mark = p;
	if (*name != '.' || !mark)
		return 0;
	mark += strlen(".tmp.");
	pid = strtol(mark, &end, 10);
	if (pid <= 0 || pid > INT32_MAX || *end != '.')
		return 0;
	mark = end + 1;
	return mark[0] != '\0' && mark[strspn(mark, "0123456789")] == '\0' ? (pid_t)pid : 0;
}

int
fs_sweep(int dirfd, struct err *err)
{
	DIR *dir = dir_open(dirfd, ".", err);
	struct dirent *e;
	int rc = 0;

	if (!dir)
		return -1;
	while (rc == 0 && (e = readdir(dir)) != NULL) {
		pid_t pid = tmp_owner(e->d_name);

		if (pid > 0 && kill(pid, 0) < 0 && errno == ESRCH)
			rc = remove_at(dirfd, e->d_name, 0, err);
	}
	closedir(dir);
	return rc;
}

/* Never over an existing file, not even one that appears meanwhile. */
static int
rename_new(int dirfd, const char *from, const char *to)
{
	int rc = renameat2(dirfd, from, dirfd, to, RENAME_NOREPLACE);

	/* File systems without the flag: as near as one comes. */
	if (rc < 0 && errno == EINVAL) {
		if (faccessat(dirfd, to, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
			errno = EEXIST;
			return -1;
		}
		rc = renameat(dirfd, from, dirfd, to);
	}
	return rc;
}

/* state.json -> state.corrupt.20240115T103000Z.json, with a number from the second try on. */
static void
aside_name(const char *name, const char *stamp, int try, struct buf *out)
{
	const char *dot = strrchr(name, '.');
	const char *ext = dot && dot != name ? dot : name + strlen(name);

	buf_clear(out);
	buf_add(out, name, (size_t)(ext - name));
	buf_addf(out, ".corrupt.%s", stamp);
	if (try > 1)
		buf_addf(out, "-%d", try);
	buf_adds(out, ext);
}

int
fs_move_aside(int dirfd, const char *name, struct buf *moved, struct err *err)
{
	AUTO_BUF stamp = BUF_INIT;
	AUTO_BUF to = BUF_INIT;
	int rc = -1;

	clock_fmt_stamp(clock_wall(), &stamp);
	if (fs_fault("rename", name) < 0)
		return err_errno(err, "cannot move %s aside", name);
	for (int i = 1; rc < 0 && i <= FS_ASIDE_TRIES; i++) {
		aside_name(name, stamp.data, i, &to);
		rc = rename_new(dirfd, name, to.data);
		if (rc < 0 && errno != EEXIST)
			break;
	}
	if (rc < 0)
		return err_errno(err, "cannot move %s aside", name);
	if (moved) {
		buf_clear(moved);
		buf_add(moved, to.data, to.len);
	}
	return dir_sync(dirfd, name, err);
}

int
fs_keep_aside(int dirfd, const char *name, const void *data, size_t len, struct buf *kept,
    struct err *err)
{
	AUTO_BUF stamp = BUF_INIT;

	clock_fmt_stamp(clock_wall(), &stamp);
	for (int i = 1; i <= FS_ASIDE_TRIES; i++) {
		aside_name(name, stamp.data, i, kept);
		if (faccessat(dirfd, kept->data, F_OK, AT_SYMLINK_NOFOLLOW) < 0)
			return fs_replace(dirfd, kept->data, data, len, FS_SYNC, err);
	}
	return err_set(err, "cannot keep a copy of %s: too many are there", name);
}

static int
by_name(const void *a, const void *b)
{
	char *const *x = a;
	char *const *y = b;

	return strcmp(*x, *y);
}

int
fs_list(int dirfd, const char *name, char ***out, struct err *err)
{
	struct err why = ERR_INIT;
	DIR *dir = dir_open(dirfd, name, &why);
	size_t n = 0, cap = 16;
	char **list = xcalloc(cap, sizeof(*list));
	struct dirent *e;

	while (dir && (errno = 0, e = readdir(dir)) != NULL) {
		if (e->d_name[0] == '.')
			continue;
		if (n + 1 == cap)
			list = xreallocarray(list, cap *= 2, sizeof(*list));
		list[n++] = xstrdup(e->d_name);
		list[n] = NULL;
	}
	if (dir && errno != 0)
		err_errno(&why, "cannot list %s", name);
	if (dir)
		closedir(dir);
	if (why.code != 0 && why.code != ENOENT) {
		strlist_free(list);
		if (err)
			*err = why;
		return -1;
	}
	qsort(list, n, sizeof(*list), by_name);
	*out = list;
	return 0;
}

const char *
fs_below(const char *dir, const char *path)
{
	size_t len = dir ? strlen(dir) : 0;

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
		/* A directory that was removed has no path; `path` leads nowhere then either.
		 */
		cwd = getcwd(NULL, 0);
		if (!cwd)
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

int
fs_sync_file(int dirfd, const char *name, struct err *err)
{
	AUTO_CLOSE int fd = openat(dirfd, name, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);

	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd < 0 || fs_fault("fsync", name) < 0 || fsync(fd) < 0)
		return err_errno(err, "cannot sync %s", name);
	return 0;
}

int
fs_sync_all(const char *path, struct err *err)
{
	AUTO_CLOSE int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);

	if (fd < 0 || fs_fault("syncfs", path) < 0 || syncfs(fd) < 0)
		return err_errno(err, "cannot sync what is on the file system of %s", path);
	return 0;
}
