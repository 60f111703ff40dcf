/*
 * fs_tree.c - fs.h for whole trees: removing them, and measuring them.
 */
#include "base/fs.h"
#include "base/fs_parts.h"
#include <errno.h>
#include <fcntl.h>

/* Directories open at once while a tree is removed. */
#define FS_TREE_DEPTH 32
#define FS_TREE_PASSES 1000

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

static int fs_remove_below(int rootfd, int dirfd, const char *name, int depth, struct err *err);

static int
tree_empty(int rootfd, int fd, const char *name, int depth, struct err *err)
{
	DIR *dir = fs_dir_open(fd, ".", err);
	struct dirent *e;
	size_t removed = 0;
	int rc = 0;

	if (dir == NULL)
		return -1;
	while (rc == 0 && (errno = 0, e = readdir(dir)) != NULL) {
		if (strcmp(e->d_name, ".") == 0 || strcmp(e->d_name, "..") == 0)
			continue;
		/* One fault point for all entries, where the removal is begun and not done. */
		if (removed++ == 1 && fs_fault("empty", name) < 0)
			rc = err_errno(err, "cannot remove what is in %s", name);
		else
			rc = fs_remove_below(rootfd, fd, e->d_name, depth + 1, err);
	}
	if (rc == 0 && errno != 0)
		rc = err_errno(err, "cannot list %s", name);
	closedir(dir);
	return rc;
}

static int
fs_remove_below(int rootfd, int dirfd, const char *name, int depth, struct err *err)
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
		if (fs_remove_at(dirfd, name, AT_REMOVEDIR, &why) == 0)
			return 0;
		if ((why.code != ENOTEMPTY && why.code != EEXIST) || pass == FS_TREE_PASSES)
			return err_pass(err, &why);
	}
}

int
fs_remove_tree(int dirfd, const char *name, struct err *err)
{
	return fs_remove_below(-1, dirfd, name, 0, err);
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
	dir = fd < 0 ? NULL : fs_dir_open(fd, ".", NULL);
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
