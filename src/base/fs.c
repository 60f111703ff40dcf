#include "base/fs.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs_parts.h"
#include "base/links.h"
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>

#define FS_TMP_TRIES 1000
#define FS_ASIDE_TRIES 1000
/* Room in a file name for what a temporary one adds to it. */
#define FS_TMP_STEM (NAME_MAX - 55)

static bool
name_is_plain(const char *name)
{
	return *name != '\0' && strchr(name, '/') == NULL && strcmp(name, ".") != 0 &&
	       strcmp(name, "..") != 0;
}

static int
fs_write_all(int fd, const char *name, const void *data, size_t len)
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

int
fs_sync_dir(int dirfd, const char *name, struct err *err)
{
	/* EINVAL: a file system that has no such thing as syncing a directory. */
	if (fs_fault("dirsync", name) < 0 || (fsync(dirfd) < 0 && errno != EINVAL))
		return err_errno(err, "cannot sync the directory of %s", name);
	return 0;
}

/* A file that nobody else can have prepared for us; its name goes to tmp. */
static int
tmp_open(int dirfd, const char *name, mode_t mode, char tmp[NAME_MAX + 1])
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
		    dirfd, tmp, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, mode);
		if (fd >= 0 || errno != EEXIST)
			return fd;
	}
	return -1;
}

/* Gives the file the owner and mode of `like`.  Where we may not change the owner, the file
 * stays ours, without the bits that act as the owner. */
static int
tmp_dress(int fd, const char *name, const struct stat *like)
{
	mode_t mode = like->st_mode & 07777;
	struct stat st;

	if (fs_fault("chmod", name) < 0 || fstat(fd, &st) < 0)
		return -1;
	if ((st.st_uid != like->st_uid || st.st_gid != like->st_gid) &&
	    fchown(fd, like->st_uid, like->st_gid) < 0) {
		(void)!fchown(fd, (uid_t)-1, like->st_gid);
		mode &= 0777;
	}
	return fchmod(fd, mode);
}

/* Writes a temporary file and closes fd: everything but the rename, by which alone the new
 * content counts. */
static int
tmp_fill(int fd, const char *name, const void *data, size_t len, const struct stat *like,
    enum fs_sync sync)
{
	int rc = fs_write_all(fd, name, data, len);

	if (rc == 0 && like != NULL)
		rc = tmp_dress(fd, name, like);
	if (rc == 0 && sync == FS_SYNC && (fs_fault("fsync", name) < 0 || fsync(fd) < 0))
		rc = -1;
	if (rc < 0)
		auto_close_fn(&fd);
	else
		rc = close(fd); /* network file systems report a failed write here */
	return rc;
}

/* Renames, but never over an existing file, not even one that appears meanwhile. */
static int
rename_new(int dirfd, const char *from, const char *to)
{
	int rc = renameat2(dirfd, from, dirfd, to, RENAME_NOREPLACE);

	/* A file system without the flag: looks first, which is as near as one comes. */
	if (rc < 0 && errno == EINVAL) {
		if (faccessat(dirfd, to, F_OK, AT_SYMLINK_NOFOLLOW) == 0) {
			errno = EEXIST;
			return -1;
		}
		rc = renameat(dirfd, from, dirfd, to);
	}
	return rc;
}

/* Removes the temporary file of a write that failed, as errno says. */
static int
tmp_drop(int dirfd, const char *tmp, const char *name, struct err *err)
{
	err_errno(err, "cannot write %s", name);
	unlinkat(dirfd, tmp, 0);
	return -1;
}

static int
tmp_place(int dirfd, const char *tmp, const char *name, bool fresh, enum fs_sync sync,
    struct err *err)
{
	int rc = fs_fault("rename", name);

	if (rc == 0)
		rc = fresh ? rename_new(dirfd, tmp, name) : renameat(dirfd, tmp, dirfd, name);
	if (rc < 0)
		return tmp_drop(dirfd, tmp, name, err);
	return sync == FS_SYNC ? fs_sync_dir(dirfd, name, err) : 0;
}

static int
tmp_write(int dirfd, const char *name, mode_t mode, const struct stat *like, const void *data,
    size_t len, enum fs_sync sync, char tmp[NAME_MAX + 1], struct err *err)
{
	int fd = -1;

	if (!name_is_plain(name))
		errno = EINVAL;
	else
		fd = tmp_open(dirfd, name, mode, tmp);
	if (fd < 0)
		return err_errno(err, "cannot write %s", name);
	if (tmp_fill(fd, name, data, len, like, sync) < 0)
		return tmp_drop(dirfd, tmp, name, err);
	return 0;
}

int
fs_replace(int dirfd, const char *name, const void *data, size_t len, enum fs_sync sync,
    struct err *err)
{
	char tmp[NAME_MAX + 1];

	if (tmp_write(dirfd, name, 0600, NULL, data, len, sync, tmp, err) < 0)
		return -1;
	return tmp_place(dirfd, tmp, name, false, sync, err);
}

int
fs_draft(int dirfd, const char *name, const struct stat *like, const void *data, size_t len,
    char draft[NAME_MAX + 1], struct err *err)
{
	return tmp_write(
	    dirfd, name, like != NULL ? 0600 : 0666, like, data, len, FS_SYNC, draft, err);
}

int
fs_place(int dirfd, const char *draft, const char *name, bool fresh, struct err *err)
{
	return tmp_place(dirfd, draft, name, fresh, FS_SYNC, err);
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
		return err_code(err, ELOOP, "%s is a symbolic link", name);
	}
	if (fs_check_regular(fd, name, &st, err) < 0)
		return -1;
	return take_fd(&fd);
}

int
fs_append(
    int fd, const char *name, const void *data, size_t len, enum fs_sync sync, struct err *err)
{
	if (fs_write_all(fd, name, data, len) < 0)
		return err_errno(err, "cannot write %s", name);
	if (sync == FS_SYNC && (fs_fault("fdatasync", name) < 0 || fdatasync(fd) < 0))
		return err_errno(err, "cannot sync %s", name);
	return 0;
}

int
fs_cut(int fd, const char *name, int64_t length, enum fs_sync sync, struct err *err)
{
	if (fs_fault("truncate", name) < 0 || ftruncate(fd, length) < 0)
		return err_errno(err, "cannot cut the torn end off %s", name);
	if (sync == FS_SYNC && (fs_fault("fdatasync", name) < 0 || fdatasync(fd) < 0))
		return err_errno(err, "cannot sync %s", name);
	return 0;
}

int
fs_punch(int fd, const char *name, int64_t from, int64_t len, struct err *err)
{
	if (fs_fault("punch", name) < 0 ||
	    fallocate(fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, from, len) < 0)
		return err_errno(err, "cannot drop the middle of %s", name);
	return 0;
}

void
fs_reserve(int fd, int64_t from, int64_t len)
{
	(void)!fallocate(fd, FALLOC_FL_KEEP_SIZE, from, len);
}

static int
make_dir(int dirfd, const char *name, mode_t mode, struct err *err)
{
	AUTO_CLOSE int parent = -1;
	const char *last = name;
	struct stat st;

	if (links_parent(dirfd, name, &parent, &last, err) < 0)
		return -1;
	if (fs_fault("mkdir", name) == 0 &&
	    mkdirat(parent >= 0 ? parent : dirfd, last, mode) == 0)
		return 0;
	if (errno == EEXIST) {
		if (fstatat(dirfd, name, &st, 0) == 0 && S_ISDIR(st.st_mode))
			return 0;
		errno = ENOTDIR;
	}
	return err_errno(err, "cannot create the directory %s", name);
}

static int
fs_make_dirs(const char *path, mode_t mode, struct err *err)
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
		    make_dir(AT_FDCWD, copy, mode, err) < 0)
			return -1;
		*end = cut;
		p = end;
	}
	return 0;
}

int
fs_mkdir(int dirfd, const char *name, struct err *err)
{
	return make_dir(dirfd, name, 0700, err);
}

int
fs_mkdirs(const char *path, struct err *err)
{
	return fs_make_dirs(path, 0700, err);
}

int
fs_mkdir_shared(int dirfd, const char *name, struct err *err)
{
	return make_dir(dirfd, name, 0777, err);
}

int
fs_mkdirs_shared(const char *path, struct err *err)
{
	return fs_make_dirs(path, 0777, err);
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
	return sync == FS_SYNC ? fs_sync_dir(dirfd, to, err) : 0;
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

int
fs_remove_at(int dirfd, const char *name, int flags, struct err *err)
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
	return fs_remove_at(dirfd, name, 0, err);
}

int
fs_rmdir(int dirfd, const char *name, struct err *err)
{
	return fs_remove_at(dirfd, name, AT_REMOVEDIR, err);
}

/* The process that made a temporary file of this name; 0 for any other name. */
static pid_t
tmp_owner(const char *name)
{
	const char *mark = NULL;
	char *end;
	long pid;

	/* The last one: the file itself may be called anything. */
	for (const char *p = strstr(name, ".tmp."); p != NULL; p = strstr(p + 1, ".tmp."))
		mark = p;
	if (*name != '.' || mark == NULL)
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
	DIR *dir = fs_dir_open(dirfd, ".", err);
	struct dirent *e;
	int rc = 0;

	if (dir == NULL)
		return -1;
	while (rc == 0 && (e = readdir(dir)) != NULL) {
		pid_t pid = tmp_owner(e->d_name);

		if (pid > 0 && kill(pid, 0) < 0 && errno == ESRCH)
			rc = fs_remove_at(dirfd, e->d_name, 0, err);
	}
	closedir(dir);
	return rc;
}

/* state.json -> state.corrupt.20240115T103000Z.json, with a number from the second try on. */
static void
aside_name(const char *name, const char *stamp, int try, struct buf *out)
{
	const char *dot = strrchr(name, '.');
	const char *ext = dot != NULL && dot != name ? dot : name + strlen(name);

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
	if (moved != NULL) {
		buf_clear(moved);
		buf_add(moved, to.data, to.len);
	}
	return fs_sync_dir(dirfd, name, err);
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
