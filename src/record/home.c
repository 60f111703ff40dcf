#include "record/home.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/text.h"
#include "record/owner.h"
#include "record/value.h"
#include <errno.h>
#include <fcntl.h>
#include <time.h>

#define ARCHIVE_TRIES 100

/* Settled by the first home_open of the process. */
static char *home_dir;

const char *
home_path(void)
{
	return home_dir != NULL ? home_dir : "";
}

static const char *
home_env_get(const char *name)
{
	const char *value = getenv(name);

	return value != NULL && *value != '\0' ? value : NULL;
}

/* Finds home_dir.  *parent: where it must be made, when that is for somebody else to make. */
static int
home_find(const char **parent, struct err *err)
{
	const char *chosen = home_env_get("RALPH_HOME");
	const char *user = home_env_get("HOME");

	*parent = NULL;
	if (chosen == NULL)
		chosen = home_env_get("SWARM_DIR");
	if (chosen == NULL && user == NULL)
		return err_set(
		    err, "there is no place for state: set HOME, or RALPH_HOME to a directory");
	free(home_dir);
	if (chosen != NULL) {
		home_dir = fs_absolute(chosen);
	} else {
		AUTO_FREE char *path = xasprintf("%s/.swarm", user);

		home_dir = fs_absolute(path);
		*parent = user;
	}
	return 0;
}

const char *
home_locate(void)
{
	const char *parent;

	return home_find(&parent, NULL) < 0 ? NULL : home_dir;
}

/* For sentences: paths may hold any bytes. */
static int
home_error(struct err *err, const char *what)
{
	int code = errno;
	AUTO_BUF path = BUF_INIT;

	text_quote(&path, home_dir);
	errno = code;
	return err_errno(err, "%s the state home %s", what, path.data);
}

/* Commands in the home are run with our rights, so only we may have written them.  Refuses, and
 * closes, a directory of somebody else. */
static int
own_dir(int fd, const char *below, const char *name, struct err *err)
{
	AUTO_FREE char *path = NULL;
	struct stat st = {.st_uid = (uid_t)-1};

	if (fd < 0 || (fstat(fd, &st) == 0 && st.st_uid == geteuid()))
		return fd;
	close(fd);
	path = xasprintf("%s%s%s", home_dir, below, name);
	return owner_refuse(path, st.st_uid, err);
}

static int
home_open_dir(struct err *err)
{
	int fd = open(home_dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	return fd < 0 ? home_error(err, "cannot open") : own_dir(fd, "", "", err);
}

/* Makes the home if it is missing, and syncs its parent. */
static int
home_make(const char *parent, struct err *err)
{
	AUTO_FREE char *above = xasprintf("%s/..", home_dir);
	struct err why = ERR_INIT;
	AUTO_CLOSE int fd = -1;
	struct stat st;

	if (stat(home_dir, &st) == 0)
		return 0;
	if (parent != NULL && stat(parent, &st) < 0)
		return home_error(err, "cannot create");
	if (fs_mkdirs(home_dir, &why) < 0) {
		errno = why.code;
		return home_error(err, "cannot create");
	}
	fd = open(above, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (fd >= 0 && fs_sync_dir(fd, above, &why) == 0)
		return 0;
	errno = fd < 0 ? errno : why.code;
	return home_error(err, "cannot sync");
}

int
home_open(struct err *err)
{
	AUTO_CLOSE int fd = -1;
	const char *parent;

	if (home_find(&parent, err) < 0 || home_make(parent, err) < 0)
		return -1;
	fd = home_open_dir(err);
	if (fd < 0)
		return -1;
	if (faccessat(fd, ".", W_OK | X_OK, AT_EACCESS) < 0)
		return home_error(err, "cannot write to");
	return take_fd(&fd);
}

int
home_open_existing(struct err *err)
{
	const char *parent;

	if (home_find(&parent, err) < 0)
		return -1;
	return home_open_dir(err);
}

/* ---- loops ----------------------------------------------------------------- */

static int
no_loop(const char *name, struct err *err)
{
	AUTO_BUF quoted = BUF_INIT;

	text_quote(&quoted, name);
	return err_code(err, ENOENT, "no loop named %s", quoted.data);
}

/* A directory in `parent`, made if missing, that does not vanish with the power. */
static int
subdir_create(int parent, const char *name, struct err *err)
{
	if (fs_mkdir(parent, name, err) < 0 || fs_sync_dir(parent, name, err) < 0)
		return -1;
	return fs_open_dir(parent, name, err);
}

int
home_loop_create(int home, const char *name, struct err *err)
{
	AUTO_CLOSE int loops = -1;
	AUTO_BUF quoted = BUF_INIT;

	text_quote(&quoted, name);
	if (!name_is_valid(name))
		return err_set(err,
		    "%s cannot be the name of a loop (letters, digits, '.', '_' and '-', up to "
		    "64)",
		    quoted.data);
	loops = own_dir(subdir_create(home, "loops", err), "/loops", "", err);
	return loops < 0 ? -1 : own_dir(subdir_create(loops, name, err), "/loops/", name, err);
}

int
home_loop_open(int home, const char *name, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_CLOSE int loops = -1;
	int fd;

	if (!name_is_valid(name))
		return no_loop(name, err);
	loops = own_dir(fs_open_dir(home, "loops", &why), "/loops", "", &why);
	fd = loops < 0 ? -1 : own_dir(fs_open_dir(loops, name, &why), "/loops/", name, &why);
	if (fd >= 0)
		return fd;
	if (why.code == ENOENT)
		return no_loop(name, err);
	return err_pass(err, &why);
}

int
home_loops(int home, char ***names, struct err *err)
{
	AUTO_CLOSE int loops = openat(home, "loops", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char **all;
	size_t kept = 0;
	struct stat st;

	if (fs_list(home, "loops", &all, err) < 0)
		return -1;
	for (size_t i = 0; all[i] != NULL; i++) {
		bool is_loop = name_is_valid(all[i]) && fstatat(loops, all[i], &st, 0) == 0 &&
			       S_ISDIR(st.st_mode);

		if (is_loop)
			all[kept++] = all[i];
		else
			free(all[i]);
	}
	all[kept] = NULL;
	*names = all;
	return 0;
}

/* ---- the archive ----------------------------------------------------------- */

/* Moves a directory to a free name: `to`, or `to` with a number; *to is that name then. */
static int
move_to_free(int home, const char *from, struct buf *to, struct err *err)
{
	struct err why = ERR_INIT;
	size_t len = to->len;

	for (int i = 1; i <= ARCHIVE_TRIES; i++) {
		buf_truncate(to, len);
		if (i > 1)
			buf_addf(to, "-%d", i);
		if (fs_rename(home, from, to->data, FS_SYNC, &why) == 0)
			return 0;
		if (why.code != EEXIST && why.code != ENOTEMPTY)
			break;
	}
	return err_pass(err, &why);
}

/* The views go first: were they left behind, the next loop of that name would take them
 * for its own. */
static int
views_move(int home, const char *name, struct err *err)
{
	AUTO_FREE char *from = xasprintf("ralph/%s", name);
	AUTO_BUF to = BUF_INIT;
	struct stat st;

	if (fstatat(home, from, &st, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT)
		return 0;
	buf_addf(&to, "loops/%s/ralph", name);
	return move_to_free(home, from, &to, err);
}

static int
loop_move(int home, const char *name, struct buf *to, struct err *err)
{
	AUTO_FREE char *from = xasprintf("loops/%s", name);
	AUTO_BUF stamp = BUF_INIT;

	clock_fmt_stamp(clock_wall(), &stamp);
	buf_addf(to, "archive/%s.%s", name, stamp.data);
	return move_to_free(home, from, to, err);
}

/* A rename between directories lasts only when both know of it. */
static int
dirs_sync(int home, struct err *err)
{
	static const char *const names[] = {"archive", "loops", "ralph"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		AUTO_CLOSE int fd = openat(home, names[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);

		if (fd >= 0 && fs_sync_dir(fd, names[i], err) < 0)
			return -1;
	}
	return 0;
}

bool
home_is_half_archived(int home, const char *name)
{
	AUTO_FREE char *inside = xasprintf("loops/%s/ralph", name);
	AUTO_FREE char *views = xasprintf("ralph/%s", name);

	return faccessat(home, inside, F_OK, AT_SYMLINK_NOFOLLOW) == 0 &&
	       faccessat(home, views, F_OK, AT_SYMLINK_NOFOLLOW) < 0 && errno == ENOENT;
}

int
home_unarchive_views(int home, const char *name, struct err *err)
{
	AUTO_FREE char *inside = xasprintf("loops/%s/ralph", name);
	AUTO_FREE char *views = xasprintf("ralph/%s", name);

	if (!home_is_half_archived(home, name))
		return 0;
	if (fs_rename(home, inside, views, FS_SYNC, err) < 0)
		return -1;
	return dirs_sync(home, err);
}

/* Moves the loop and its views to the archive; *to says where the loop went. */
static int
archive(int home, const char *name, struct buf *to, struct err *err)
{
	AUTO_FREE char *dir = xasprintf("loops/%s", name);
	struct stat st;

	if (!name_is_valid(name) || (fstatat(home, dir, &st, 0) < 0 && errno == ENOENT))
		return no_loop(name, err);
	if (fs_mkdir(home, "archive", err) < 0 || views_move(home, name, err) < 0 ||
	    loop_move(home, name, to, err) < 0)
		return -1;
	return dirs_sync(home, err);
}

int
home_archive(int home, const char *name, struct err *err)
{
	AUTO_BUF to = BUF_INIT;

	return archive(home, name, &to, err);
}

int
home_remove(int home, const char *name, struct err *err)
{
	AUTO_CLOSE int dir = -1;
	AUTO_BUF to = BUF_INIT;

	/* The archive comes first: a crash then leaves the loop whole, or its rest in nobody's
	 * way. */
	if (archive(home, name, &to, err) < 0 || (dir = fs_open_dir(home, "archive", err)) < 0)
		return -1;
	return fs_remove_tree(dir, to.data + strlen("archive/"), err);
}

#define STAMP_LEN (sizeof("20240115T103000Z") - 1)

/* Where the time begins in "NAME.20240115T103000Z" or "NAME.20240115T103000Z-2"; NULL where
 * something else stands.  Names may have dots, too. */
static const char *
stamp_of(const char *entry)
{
	const char *dot = strrchr(entry, '.');
	const char *stamp = dot == NULL ? NULL : dot + 1;

	return stamp != NULL && strspn(stamp, "0123456789TZ") == STAMP_LEN &&
		       strspn(stamp, "0123456789TZ-") == strlen(stamp)
		   ? stamp
		   : NULL;
}

/* Is this entry of the archive the loop `name`? */
static bool
is_archived(const char *entry, const char *name)
{
	const char *stamp = stamp_of(entry);
	size_t len = strlen(name);

	return stamp != NULL && (size_t)(stamp - 1 - entry) == len &&
	       strncmp(entry, name, len) == 0;
}

int
home_archived(int home, const char *name, char ***entries, struct err *err)
{
	size_t kept = 0;
	char **all;

	if (fs_list(home, "archive", &all, err) < 0)
		return -1;
	for (size_t i = 0; all[i] != NULL; i++)
		if (name == NULL ? stamp_of(all[i]) != NULL : is_archived(all[i], name))
			all[kept++] = all[i];
		else
			free(all[i]);
	all[kept] = NULL;
	*entries = all;
	return 0;
}

int64_t
home_archived_at(const char *entry)
{
	const char *stamp = stamp_of(entry);
	struct tm tm = {.tm_isdst = 0};

	if (stamp == NULL || strptime(stamp, "%Y%m%dT%H%M%SZ", &tm) == NULL)
		return 0;
	return (int64_t)timegm(&tm) * NSEC_PER_SEC;
}

int
home_archived_open(int home, const char *entry, struct err *err)
{
	AUTO_CLOSE int dir = own_dir(fs_open_dir(home, "archive", err), "/archive", "", err);

	return dir < 0 ? -1 : own_dir(fs_open_dir(dir, entry, err), "/archive/", entry, err);
}

int64_t
home_archived_bytes(int home, const char *entry)
{
	AUTO_CLOSE int dir = fs_open_dir(home, "archive", NULL);

	return dir < 0 ? 0 : fs_tree_bytes(dir, entry);
}

int
home_archived_remove(int home, const char *entry, struct err *err)
{
	AUTO_CLOSE int dir = fs_open_dir(home, "archive", err);

	return dir < 0 ? -1 : fs_remove_tree(dir, entry, err);
}

int64_t
home_loop_bytes(int home, const char *name)
{
	AUTO_FREE char *loop = xasprintf("loops/%s", name);
	AUTO_FREE char *views = xasprintf("ralph/%s", name);

	return name_is_valid(name) ? fs_tree_bytes(home, loop) + fs_tree_bytes(home, views) : 0;
}

int
home_restore(int home, const char *name, struct err *err)
{
	AUTO_FREE char *loop = xasprintf("loops/%s", name);
	AUTO_FREE char *inside = xasprintf("loops/%s/ralph", name);
	AUTO_FREE char *views = xasprintf("ralph/%s", name);
	AUTO_FREE char *from = NULL;
	struct err why = ERR_INIT;
	char **all;

	if (home_archived(home, name, &all, err) < 0)
		return -1;
	if (all[0] != NULL)
		from = xasprintf("archive/%s", all[strlist_len(all) - 1]);
	strlist_free(all);
	if (from == NULL)
		return no_loop(name, err);
	if (fs_rename(home, from, loop, FS_SYNC, err) < 0)
		return -1;
	/* That the archived loop has no views is no failure. */
	if (fs_rename(home, inside, views, FS_SYNC, &why) < 0 && why.code != ENOENT)
		return err_pass(err, &why);
	return dirs_sync(home, err);
}
