#include "git/sync.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/json.h"
#include "git/git.h"
#include "git/repo.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

/* The index of some 2,500 files. */
#define LARGE_INDEX ((off_t)256 * 1024)
#define RECORD "ralph-synced"
#define RECORD_MAX ((size_t)1024 * 1024)
#define COMMITS_MAX 8
#define PACK_LOOKS 4

/* Several functions return 1: this cannot be synced file by file. */

bool
sync_is_large(const char *common)
{
	AUTO_FREE char *index = xasprintf("%s/index", common);
	struct stat st;

	return refs_are_files(common) && lstat(index, &st) == 0 && st.st_size >= LARGE_INDEX;
}

/* ---- file by file -------------------------------------------------------------------- */

/* Opens a directory below root; a link on the way is ENOTDIR. */
static int
dir_enter(int root, const char *dir)
{
	AUTO_FREE char *path = xstrdup(dir);
	char *rest = path;
	const char *name;
	int at = openat(root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	while (at >= 0 && (name = strsep(&rest, "/")) != NULL) {
		AUTO_CLOSE int up = at;

		at = openat(up, *name != '\0' ? name : ".",
		    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
	}
	return at;
}

/* Needs nothing for a file that is gone (removed, or an object that was packed): its directory,
 * which is synced by itself, has that. */
static int
file_sync(int root, const char *path, struct err *err)
{
	AUTO_FREE char *dir = fs_parent(path);
	AUTO_CLOSE int at = dir_enter(root, dir);
	const char *name = basename(path);
	struct stat st;

	if (at < 0 || fstatat(at, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return errno == ENOENT ? 0 : 1;
	if (!S_ISREG(st.st_mode))
		return 0;
	return faccessat(at, name, R_OK, AT_EACCESS) < 0 ? 1 : fs_sync_file(at, name, err);
}

static int
dir_sync(int root, const char *path, size_t len, struct err *err)
{
	AUTO_FREE char *dir = xstrndup(path, len);
	AUTO_CLOSE int at = dir_enter(root, dir);

	if (at < 0)
		return errno == ENOENT ? 0 : 1;
	return fs_sync_dir(at, path, err);
}

/* Syncs the directories above a path that are not above the path before it (NULL: none). */
static int
dirs_sync(int root, const char *path, const char *before, struct err *err)
{
	size_t same = 0;
	int rc = before == NULL ? dir_sync(root, path, 0, err) : 0;

	while (before != NULL && path[same] != '\0' && path[same] == before[same])
		same++;
	for (size_t i = same; rc == 0 && path[i] != '\0'; i++)
		if (path[i] == '/')
			rc = dir_sync(root, path, i, err);
	return rc;
}

/* The paths are relative and sorted: then no directory is synced twice. */
static int
paths_sync(const char *top, char *const *paths, struct err *err)
{
	AUTO_CLOSE int root = fs_open_dir(AT_FDCWD, top, NULL);
	int rc = root < 0 || strlist_len(paths) > SYNC_FILES ? 1 : 0;

	for (char *const *p = paths; rc == 0 && p != NULL && *p != NULL; p++)
		rc = file_sync(root, *p, err);
	for (char *const *p = paths; rc == 0 && p != NULL && *p != NULL; p++)
		rc = dirs_sync(root, *p, p != paths ? p[-1] : NULL, err);
	return rc;
}

static void
paths_sort(char **paths)
{
	if (paths != NULL)
		qsort(paths, strlist_len(paths), sizeof(*paths), strlist_compare);
}

/* ---- what is known to be on the disk ------------------------------------------------- */

struct known {
	char **commits; /* newest first, with all that they lead to */
	char **packs;	/* as pack_describe says them */
};

static void
known_release(struct known *k)
{
	strlist_free(k->commits);
	strlist_free(k->packs);
}

/* A copy of a repository has the same record, and its files may not be on the disk. */
static int64_t
known_place(const char *common)
{
	AUTO_FREE char *objects = xasprintf("%s/objects", common);
	struct stat st;

	return stat(objects, &st) == 0 ? (int64_t)st.st_ino : 0;
}

static bool
is_commit(const char *name)
{
	size_t len = strspn(name, "0123456789abcdef");

	return (len == 40 || len == 64) && name[len] == '\0';
}

static void
known_load(const char *common, struct known *k)
{
	AUTO_FREE char *path = xasprintf("%s/" RECORD, common);
	AUTO_JSON *v = json_read(AT_FDCWD, path, RECORD_MAX, NULL);

	*k = (struct known){.commits = NULL};
	if (json_int(v, "objects", 0) != known_place(common))
		return;
	k->commits = json_to_strlist(json_object_get(v, "commits"));
	k->packs = json_to_strlist(json_object_get(v, "packs"));
	for (char **c = k->commits; c != NULL && *c != NULL; c++)
		if (!is_commit(*c)) {
			strlist_free(take_ptr(k->commits));
			return;
		}
}

/* When it cannot be written, more is synced the next time. */
static void
known_save(const char *common, const struct known *k)
{
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, common, NULL);
	AUTO_JSON *v = json_object();

	(void)json_object_set_new(v, "objects", json_integer(known_place(common)));
	(void)json_object_set_new(v, "commits", json_strlist(k->commits));
	(void)json_object_set_new(v, "packs", json_strlist(k->packs));
	if (dir >= 0 && fs_sweep(dir, NULL) == 0)
		(void)!json_write(dir, RECORD, v, true, FS_NOSYNC, NULL);
}

static void
known_add(struct known *k, const char *commit)
{
	char **commits = strlist_add(NULL, commit);

	for (char **c = k->commits; c != NULL && *c != NULL; c++)
		if (strcmp(*c, commit) != 0 && strlist_len(commits) < COMMITS_MAX)
			commits = strlist_add(commits, *c);
	strlist_free(k->commits);
	k->commits = commits;
}

/* ---- objects ------------------------------------------------------------------------- */

/* Lists the paths of those objects, one name a line, that are files of their own. */
static int
loose_find(const char *objects, char *names, char ***paths)
{
	const char *name;
	size_t n = 0;

	while ((name = strsep(&names, "\n")) != NULL) {
		AUTO_FREE char *path =
		    xasprintf("%.2s/%s", name, *name != '\0' ? name + 2 : "");
		AUTO_FREE char *file = xasprintf("%s/%s", objects, path);

		if (*name == '\0' || !path_is_there(file))
			continue;
		if (++n > SYNC_FILES)
			return 1;
		*paths = strlist_add(*paths, path);
	}
	paths_sort(*paths);
	return 0;
}

/* Syncs the objects of the commit that are new and not in packs. */
static int
loose_sync(const char *common, const char *objects, const struct known *k, const char *commit,
    struct err *err)
{
	AUTO_FREE char *names = NULL;
	AUTO_STRLIST args = NULL;
	AUTO_STRLIST paths = NULL;
	int rc;

	if (k->commits == NULL)
		return 1;
	args = strlist_more(
	    NULL, ARGS("--no-replace-objects", "rev-list", "--objects", "--no-object-names",
		      "--missing=allow-any", commit, "--not"));
	args = strlist_more(args, (const char *const *)k->commits);
	args = strlist_add(args, "--");
	names = git_line(common, "git rev-list", (const char *const *)args, NULL);
	rc = names != NULL ? loose_find(objects, names, &paths) : 1;
	return rc == 0 ? paths_sync(objects, paths, err) : rc;
}

/* A pack is made under another name.  One of the same name may hold the same otherwise. */
static char *
pack_describe(const char *objects, const char *path)
{
	AUTO_FREE char *file = xasprintf("%s/%s", objects, path);
	struct stat st;

	if (strncmp(basename(path), "tmp_", 4) == 0 || lstat(file, &st) < 0 ||
	    !S_ISREG(st.st_mode))
		return NULL;
	return xasprintf("%s %" PRIu64 " %" PRId64 ".%09ld", path, (uint64_t)st.st_ino,
	    (int64_t)st.st_ctim.tv_sec, st.st_ctim.tv_nsec);
}

/* Adds the packs of a directory, and the paths of those that are not known. */
static int
packs_find_in(
    const char *objects, const char *below, const struct known *k, char ***packs, char ***paths)
{
	AUTO_FREE char *dir = xasprintf("%s/%s", objects, below);
	AUTO_STRLIST names = NULL;

	if (fs_list(AT_FDCWD, dir, &names, NULL) < 0)
		return 1;
	for (char **name = names; name != NULL && *name != NULL; name++) {
		AUTO_FREE char *path = xasprintf("%s/%s", below, *name);
		AUTO_FREE char *pack = pack_describe(objects, path);

		if (pack == NULL)
			continue;
		*packs = strlist_add(*packs, pack);
		if (!strlist_has(k->packs, pack))
			*paths = strlist_add(*paths, path);
	}
	return 0;
}

/* Lists the packs, and the paths of those that are not known to be on the disk; with what git
 * knows of commits: it fails where such a file is empty. */
static int
packs_find(const char *objects, const struct known *k, char ***packs, char ***paths)
{
	static const char *const dirs[] = {"info", "info/commit-graphs", "pack"};
	int rc = 0;

	for (size_t i = 0; rc == 0 && i < ARRAY_LEN(dirs); i++)
		rc = packs_find_in(objects, dirs[i], k, packs, paths);
	return rc;
}

/* While somebody packs, objects go from one file to another; so looks until all that is there
 * is known.  `all`: nothing has to be synced, as the whole file system will be. */
static int
packs_sync(const char *objects, struct known *k, bool all, struct err *err)
{
	for (int i = 0; i < PACK_LOOKS; i++) {
		AUTO_STRLIST packs = NULL;
		AUTO_STRLIST paths = NULL;
		int rc = packs_find(objects, k, &packs, &paths);

		if (rc == 0 && paths != NULL && !all)
			rc = paths_sync(objects, paths, err);
		if (rc != 0)
			return rc;
		strlist_free(k->packs);
		k->packs = take_ptr(packs);
		if (paths == NULL || all)
			return 0;
	}
	return 1;
}

int
sync_commit(const char *common, const char *commit, struct err *err)
{
	AUTO_FREE char *objects = xasprintf("%s/objects", common);
	AUTO(known_release) struct known k = {.commits = NULL};
	int rc;

	if (!sync_is_large(common))
		return repo_sync(common, err);
	known_load(common, &k);
	rc = strlist_has(k.commits, commit) ? 0 : loose_sync(common, objects, &k, commit, err);
	/* An object that was packed meanwhile is in a pack by now. */
	if (rc == 0)
		rc = packs_sync(objects, &k, false, err);
	if (rc > 0) {
		/* Git may have lost the commits: they are of no use any more. */
		strlist_free(take_ptr(k.commits));
		strlist_free(take_ptr(k.packs));
		rc = packs_sync(objects, &k, true, err) < 0 ? -1 : repo_sync(common, err);
	}
	if (rc < 0)
		return -1;
	known_add(&k, commit);
	known_save(common, &k);
	return 0;
}

int
sync_ahead(const char *common, const char *commit, struct err *err)
{
	return sync_is_large(common) ? sync_commit(common, commit, err) : 0;
}

int
sync_files(const char *common, const char *dir, char **paths, struct err *err)
{
	int rc = 1;

	paths_sort(paths);
	if (sync_is_large(common))
		rc = paths_sync(dir, paths, err);
	return rc > 0 ? fs_sync_all(dir, err) : rc;
}

/* ---- checkouts ----------------------------------------------------------------------- */

static int
files_sync(const struct sync_checkout *c, struct err *err)
{
	AUTO_RUN result = RUN_INIT;
	AUTO_STRLIST paths = NULL;
	size_t n = 0;

	if (!is_commit(c->from) || !is_commit(c->to) ||
	    git_run(c->top, "git diff-tree",
		ARGS("diff-tree", "-r", "-z", "--no-renames", "--name-only", c->from, c->to,
		    "--"),
		&result, NULL) < 0)
		return 1;
	for (const char *path = NULL; (path = buf_next(&result.out, path)) != NULL;) {
		if (++n > SYNC_FILES)
			return 1;
		paths = strlist_add(paths, path);
	}
	paths_sort(paths);
	return paths_sync(c->top, paths, err);
}

/* Index and HEAD of the checkout, and the references.  Git refuses to merge where an ORIG_HEAD
 * is empty. */
static int
names_sync(const struct sync_checkout *c, struct err *err)
{
	static const char *const own[] = {"HEAD", "ORIG_HEAD", "index", "logs/HEAD"};
	AUTO_FREE char *git_dir = tree_git_dir(c->top, c->common);
	const char *below = git_dir != NULL ? fs_below(c->common, git_dir) : NULL;
	AUTO_STRLIST paths = strlist_add(NULL, "packed-refs");

	if (git_dir == NULL)
		return 1;
	for (size_t i = 0; i < ARRAY_LEN(own); i++) {
		AUTO_FREE char *path = xasprintf(
		    "%s%s%s", below != NULL ? below : "", below != NULL ? "/" : "", own[i]);

		paths = strlist_add(paths, path);
	}
	for (const char *const *ref = c->refs; *ref != NULL; ref++) {
		AUTO_FREE char *log = xasprintf("logs/%s", *ref);

		paths = strlist_more(paths, ARGS(*ref, log));
	}
	paths_sort(paths);
	return paths_sync(c->common, paths, err);
}

int
sync_checkout(const struct sync_checkout *c, struct err *err)
{
	int rc;

	if (sync_commit(c->common, c->to, err) < 0)
		return -1;
	rc = files_sync(c, err);
	if (rc == 0)
		rc = names_sync(c, err);
	if (rc <= 0)
		return rc;
	return fs_sync_all(c->top, err) < 0 ? -1 : repo_sync(c->common, err);
}
