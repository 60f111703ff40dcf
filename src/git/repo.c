#include "git/repo.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/text.h"
#include "git/git.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#define LOCK_NAME "ralph-worktrees.lock"
#define LOCK_PATIENCE (120 * NSEC_PER_SEC)
#define LIST_TRIES 10
#define PATH_LINE_MAX ((size_t)64 * 1024)
#define LIST_PAUSE_US 20000

int
repo_fail(struct err *err, int code)
{
	if (err != NULL)
		err->code = code;
	errno = code;
	return -1;
}

/* ---- where it is --------------------------------------------------------------------- */

/* Was git told not to look in that directory? */
static bool
is_ceiling(const char *dir)
{
	return text_lists(getenv("GIT_CEILING_DIRECTORIES"), ':', dir);
}

/* Finds the nearest `.git`, whatever it is, in dir or in a directory above it.  It looks as far
 * as git does, which stays within one file system.  NULL: there is none. */
static char *
dot_git_find(const char *dir)
{
	AUTO_FREE char *at = realpath(dir, NULL);
	struct stat first, st;

	if (at == NULL || stat(at, &first) < 0)
		return NULL;
	for (;;) {
		AUTO_FREE char *git = xasprintf("%s/.git", at);
		char *slash = strrchr(at, '/');

		if (lstat(git, &st) == 0)
			return take_ptr(git);
		if (slash == at && at[1] == '\0')
			return NULL;
		slash[slash == at] = '\0';
		if (is_ceiling(at) || stat(at, &st) < 0 || st.st_dev != first.st_dev)
			return NULL;
	}
}

/* Refuses to use a repository further up than the nearest `.git`.  Git passes by a directory of
 * that name that it cannot use; for a file that leads nowhere git itself fails. */
static int
dot_git_check(const char *dir, const char *used, struct err *err)
{
	AUTO_FREE char *git = dot_git_find(dir);
	AUTO_FREE char *real = git != NULL ? realpath(git, NULL) : NULL;
	AUTO_FREE char *around =
	    git != NULL ? xstrndup(git, strlen(git) - strlen("/.git")) : NULL;
	struct stat st;

	if (git == NULL || (real != NULL && strcmp(real, used) == 0) ||
	    fs_below(around, used) != NULL || (stat(git, &st) == 0 && S_ISREG(st.st_mode)))
		return 0;
	return err_code(err, EUCLEAN,
	    "git cannot use %s, and takes %s instead: mend it, or take it away", git, used);
}

/* Judges git's failure, for which git's words are `words`.  0: there is no repository; -1:
 * there is one, and git cannot use it. */
static int
dot_git_refuse(const char *dir, const char *words, struct err *err)
{
	AUTO_FREE char *git = dot_git_find(dir);
	AUTO_BUF said = BUF_INIT;

	if (git == NULL && strstr(words, "not a git repository") != NULL)
		return 0;
	text_show(&said, words, strcspn(words, "\n"), false);
	if (strstr(words, "not a git repository") != NULL)
		return err_code(err, EUCLEAN,
		    "git cannot use %s: mend it, or take it away to work without git (%s)", git,
		    said.data);
	return err_code(err, EUCLEAN, "git cannot use %s: %s", dir, said.data);
}

int
repo_search(const char *dir, struct err *err)
{
	static const char yes[] = "true\n";
	AUTO_RUN result = RUN_INIT;

	if (git_ask(dir, "git rev-parse",
		ARGS("rev-parse", "--is-inside-work-tree", "--absolute-git-dir"), &result,
		err) < 0)
		return -1;
	if (!exit_ok(result.status))
		return dot_git_refuse(dir, result.err.data, err);
	if (strncmp(result.out.data, yes, sizeof(yes) - 1) != 0)
		return 0;
	/* Only the last newline is git's. */
	buf_truncate(&result.out, result.out.len - 1);
	return dot_git_check(dir, result.out.data + sizeof(yes) - 1, err) < 0 ? -1 : 1;
}

/* The common directory where git need not be asked for it: `.git` is a directory and has what
 * makes one a repository (gitrepository-layout(5)). */
static char *
common_known(const char *dir)
{
	static const char *const parts[] = {"HEAD", "objects", "refs"};
	AUTO_FREE char *real = realpath(dir, NULL);
	AUTO_FREE char *git = real != NULL ? xasprintf("%s/.git", real) : NULL;
	AUTO_FREE char *elsewhere = real != NULL ? xasprintf("%s/.git/commondir", real) : NULL;
	struct stat st;

	if (git == NULL || lstat(git, &st) < 0 || !S_ISDIR(st.st_mode) ||
	    path_is_there(elsewhere))
		return NULL;
	for (size_t i = 0; i < ARRAY_LEN(parts); i++) {
		AUTO_FREE char *part = xasprintf("%s/%s", git, parts[i]);

		if (!path_is_there(part))
			return NULL;
	}
	return take_ptr(git);
}

char *
repo_common(const char *dir, struct err *err)
{
	char *known = common_known(dir);

	if (known != NULL)
		return known;
	return git_line(dir, "git rev-parse",
	    ARGS("rev-parse", "--path-format=absolute", "--git-common-dir"), err);
}

char *
repo_top(const char *dir, struct err *err)
{
	return git_line(dir, "git rev-parse", ARGS("rev-parse", "--show-toplevel"), err);
}

char *
repo_branch(const char *dir)
{
	return git_line(
	    dir, "git symbolic-ref", ARGS("symbolic-ref", "-q", "--short", "HEAD"), NULL);
}

/* While another git makes or removes a worktree, the entry of that worktree is incomplete and
 * the list fails.  The other git may be an agent's, which ignores our lock; so the list is read
 * again. */
int
trees_read(const char *dir, struct run_result *list, struct err *err)
{
	int rc = -1;

	for (int i = 0; rc < 0 && i < LIST_TRIES; i++) {
		if (i > 0)
			(void)usleep(LIST_PAUSE_US);
		rc = git_run(dir, "git worktree list",
		    ARGS("worktree", "list", "--porcelain", "-z"), list, err);
	}
	return rc;
}

char *
repo_file_line(const char *dir, const char *name)
{
	AUTO_FREE char *path = xasprintf("%s/%s", dir, name);
	AUTO_BUF text = BUF_INIT;

	if (fs_read(AT_FDCWD, path, PATH_LINE_MAX, &text, NULL) < 0)
		return NULL;
	while (text.len > 0 &&
	       (text.data[text.len - 1] == '\n' || text.data[text.len - 1] == '\r'))
		buf_truncate(&text, text.len - 1);
	return buf_detach(&text);
}

/* As repo_file_line, but no link is followed: an agent may have made it. */
static char *
plain_line(const char *dir, const char *name)
{
	AUTO_FREE char *path = xasprintf("%s/%s", dir, name);
	struct stat st;

	return lstat(path, &st) == 0 && S_ISREG(st.st_mode) ? repo_file_line(dir, name) : NULL;
}

/* An entry consists of lines that end with a NUL; an empty line follows each entry. */
bool
trees_next(const char **at, const struct run_result *list, struct listed_tree *e)
{
	const char *end = list->out.data + list->out.len;

	*e = (struct listed_tree){NULL, NULL, NULL, NULL, false};
	while (*at < end) {
		const char *line = *at;

		*at += strlen(line) + 1;
		if (*line == '\0')
			return e->path != NULL;
		if (strncmp(line, "worktree ", 9) == 0)
			e->path = line + 9;
		else if (strncmp(line, "HEAD ", 5) == 0)
			e->head = line[5 + strspn(line + 5, "0")] == '\0' ? NULL : line + 5;
		else if (strncmp(line, "branch ", 7) == 0)
			e->branch = line + 7;
		else if (strncmp(line, "locked", 6) == 0)
			e->locked = line[6] == ' ' ? line + 7 : "";
		else if (strncmp(line, "prunable", 8) == 0)
			e->missing = true;
	}
	return e->path != NULL;
}

bool
trees_find(const struct run_result *list, const char *path, struct listed_tree *e)
{
	const char *at = list->out.data;
	bool found = trees_next(&at, list, e);

	while (found && (found = trees_next(&at, list, e)))
		if (strcmp(e->path, path) == 0)
			return true;
	return false;
}

char *
tree_git_dir(const char *path, const char *common)
{
	AUTO_FREE char *link = plain_line(path, ".git");
	AUTO_FREE char *expected = xasprintf("gitdir: %s/worktrees/", common);
	AUTO_FREE char *self = xasprintf("%s/.git", path);
	AUTO_FREE char *own = NULL;
	AUTO_FREE char *back = NULL;
	AUTO_FREE char *up = NULL;
	const char *dir, *name;
	struct stat st;

	if (strcmp(self, common) == 0)
		return xstrdup(common);
	if (link == NULL || strncmp(link, expected, strlen(expected)) != 0 ||
	    lstat(path, &st) < 0 || !S_ISDIR(st.st_mode))
		return NULL;
	dir = link + strlen("gitdir: ");
	name = link + strlen(expected);
	if (*name == '\0' || *name == '.' || strchr(name, '/') != NULL)
		return NULL;
	own = xasprintf("%s/config.worktree", dir);
	back = plain_line(dir, "gitdir");
	up = plain_line(dir, "commondir");
	return !path_is_there(own) && text_same(back, self) && text_same(up, "../..")
		   ? xstrdup(dir)
		   : NULL;
}

bool
tree_is_of(const char *path, const char *common)
{
	AUTO_FREE char *real = realpath(path, NULL);
	AUTO_FREE char *top = real != NULL ? repo_top(path, NULL) : NULL;
	AUTO_FREE char *theirs = top != NULL ? repo_common(path, NULL) : NULL;

	return text_same(top, real) && text_same(theirs, common);
}

char *
path_resolve(const char *path, size_t *existing, struct err *err)
{
	AUTO_FREE char *absolute = fs_absolute(path);
	AUTO_FREE char *real = NULL;
	size_t len = strlen(absolute);

	while (real == NULL) {
		AUTO_FREE char *head = xstrndup(absolute, len > 0 ? len : 1);

		real = realpath(head, NULL);
		if (real == NULL && (errno != ENOENT || len == 0)) {
			err_errno(err, "cannot use %s", path);
			return NULL;
		}
		while (real == NULL && absolute[--len] != '/')
			;
	}
	if (strstr(absolute + len, "/../") != NULL) {
		err_set(err, "%s goes back from a directory that does not exist", path);
		return NULL;
	}
	if (strcmp(real, "/") == 0)
		*real = '\0';
	*existing = strlen(real);
	return xasprintf("%s%s", real, absolute + len);
}

bool
path_is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

bool
paths_hold(char *const *paths, const char *path)
{
	for (; paths != NULL && *paths != NULL; paths++) {
		size_t len = strlen(*paths);

		if (strncmp(path, *paths, len) == 0 && (path[len] == '\0' || path[len] == '/'))
			return true;
	}
	return false;
}

int
repo_lock(const char *common, struct err *err)
{
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, common, err);
	char self[256];

	if (dir < 0)
		return -1;
	lock_describe_self(self, sizeof(self));
	return lock_take_within(dir, LOCK_NAME, LOCK_PATIENCE, self, err);
}

int
repo_turn(const char *common, const char *branch, struct err *err)
{
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, common, err);
	char name[64], self[256];

	if (dir < 0)
		return -1;
	lock_describe_self(self, sizeof(self));
	snprintf(name, sizeof(name), "ralph-land-%016" PRIx64 ".lock", text_hash(branch));
	return lock_take(dir, name, LOCK_WAIT, self, err);
}

bool
tree_is_unfinished(const struct listed_tree *e, const char *common)
{
	AUTO_FREE char *index = NULL;

	if (!text_same(e->locked, TREE_UNFINISHED))
		return false;
	if (!tree_is_of(e->path, common))
		return true;
	index = git_line(e->path, "git rev-parse",
	    ARGS("rev-parse", "--path-format=absolute", "--git-path", "index"), NULL);
	return index != NULL && access(index, F_OK) < 0;
}

int
tree_forget(const char *repo, const char *path, bool locked, struct err *err)
{
	return git_run(repo, "git worktree remove",
	    ARGS("worktree", "remove", "--force", locked ? "--force" : "--", path), NULL, err);
}

/* As git reads it: white space around the name does not count. */
char *
head_target(const char *git_dir)
{
	static const char link[] = "ref:";
	AUTO_FREE char *head = plain_line(git_dir, "HEAD");
	const char *name = head != NULL ? head + strlen(link) : NULL;
	size_t len;

	if (head == NULL || strncmp(head, link, strlen(link)) != 0)
		return NULL;
	name += strspn(name, " \t\n\r");
	len = strlen(name);
	while (len > 0 && strchr(" \t\n\r", name[len - 1]) != NULL)
		len--;
	return xstrndup(name, len);
}

bool
head_is(const char *git_dir, const char *ref)
{
	AUTO_FREE char *target = head_target(git_dir);

	return text_same(target, ref);
}

bool
refs_are_files(const char *common)
{
	AUTO_FREE char *other = xasprintf("%s/reftable", common);

	return !path_is_there(other);
}

int
repo_sync(const char *common, struct err *err)
{
	AUTO_FREE char *objects = xasprintf("%s/objects", common);
	struct stat here, there;

	if (fs_sync_all(common, err) < 0)
		return -1;
	if (stat(common, &here) == 0 && stat(objects, &there) == 0 &&
	    here.st_dev == there.st_dev)
		return 0;
	return fs_sync_all(objects, err);
}
