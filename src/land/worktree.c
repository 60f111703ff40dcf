#include "land/worktree.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/text.h"
#include "land/git.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>

#define LOCK_NAME "ralph-worktrees.lock"
#define LOCK_WAIT (120 * NSEC_PER_SEC)
#define LOCK_PAUSE_US 5000

/* The reason for which git locks a worktree while it makes it. */
#define UNFINISHED "initializing"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* One worktree in the list that git prints; strings point into it. */
struct entry {
	const char *path;
	const char *branch; /* full ref name, NULL when detached */
	const char *locked; /* the reason, NULL when not */
	bool missing;	    /* its directory is gone */
};

/* What an attempt to make a worktree works with. */
struct attempt {
	struct worktree *tree;
	char *common;	 /* the repository's common directory */
	char *start;	 /* commit a new branch starts from; NULL when the branch exists */
	size_t existing; /* so many bytes of the path were there before */
};

static int
fail_with(struct err *err, int code)
{
	if (err)
		err->code = code;
	errno = code;
	return -1;
}

void
worktree_release(struct worktree *w)
{
	free(w->path);
	free(w->branch);
	free(w->repo);
	*w = (struct worktree){NULL, NULL, NULL, false};
}

/* -------------------------------------------------- asking the repository */

static char *
common_dir(const char *dir, struct err *err)
{
	return git_line(dir, "git rev-parse",
	    ARGS("rev-parse", "--path-format=absolute", "--git-common-dir"), err);
}

static char *
top_dir(const char *dir, struct err *err)
{
	return git_line(dir, "git rev-parse", ARGS("rev-parse", "--show-toplevel"), err);
}

static int
list_read(const char *dir, struct run_result *list, struct err *err)
{
	return git_run(
	    dir, "git worktree list", ARGS("worktree", "list", "--porcelain", "-z"), list, err);
}

/* Takes the next entry off *at: NUL-ended lines, an empty one after each worktree. */
static bool
list_next(const char **at, const struct run_result *list, struct entry *e)
{
	const char *end = list->out.data + list->out.len;

	*e = (struct entry){NULL, NULL, NULL, false};
	while (*at < end) {
		const char *line = *at;

		*at += strlen(line) + 1;
		if (*line == '\0')
			return e->path != NULL;
		if (strncmp(line, "worktree ", 9) == 0)
			e->path = line + 9;
		else if (strncmp(line, "branch ", 7) == 0)
			e->branch = line + 7;
		else if (strncmp(line, "locked", 6) == 0)
			e->locked = line[6] == ' ' ? line + 7 : "";
		else if (strncmp(line, "prunable", 8) == 0)
			e->missing = true;
	}
	return e->path != NULL;
}

/* The main work tree, which comes first, is never the one that is looked for. */
static bool
list_find(const struct run_result *list, const char *path, struct entry *e)
{
	const char *at = list->out.data;
	bool found = list_next(&at, list, e);

	while (found && (found = list_next(&at, list, e)))
		if (strcmp(e->path, path) == 0)
			return true;
	return false;
}

/* The main work tree of a repository of which `top` is one; `top` where that one is bare. */
static char *
main_top(const char *top, const char *common, struct err *err)
{
	AUTO_FREE char *own =
	    git_line(top, "git rev-parse", ARGS("rev-parse", "--absolute-git-dir"), err);
	struct run_result list;
	const char *at;
	struct entry e;
	char *found = NULL;

	if (!own)
		return NULL;
	if (strcmp(own, common) == 0)
		return xstrdup(top);
	run_result_init(&list);
	if (list_read(top, &list, err) == 0) {
		at = list.out.data;
		found = list_next(&at, &list, &e) ? top_dir(e.path, NULL) : NULL;
		if (!found)
			found = xstrdup(top);
	}
	run_result_release(&list);
	return found;
}

/* Why there is no work tree to be found from dir. */
static int
repo_refuse(const char *dir, struct err *err)
{
	AUTO_FREE char *bare =
	    git_line(dir, "git rev-parse", ARGS("rev-parse", "--is-bare-repository"), NULL);

	if (bare && strcmp(bare, "true") == 0)
		return err_set(err, "Cannot create worktree: repository is bare. "
				    "Worktrees require a working directory.");
	return -1;
}

static int
repo_find(const char *dir, char **top, char **common, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_FREE char *here = NULL;

	*top = NULL;
	*common = common_dir(dir, &why);
	if (*common) {
		here = top_dir(dir, &why);
		if (!here)
			(void)repo_refuse(dir, &why);
		else
			*top = main_top(here, *common, &why);
	}
	if (*top)
		return 0;
	free(take_ptr(*common));
	why.code = why.code == ENOENT ? 0 : why.code;
	if (strstr(why.text, "not a git repository")) {
		err_set(&why, "not in a git repository");
		why.code = ENOENT;
	}
	if (err)
		*err = why;
	return -1;
}

int
worktree_repo(const char *dir, char **top, struct err *err)
{
	AUTO_FREE char *common = NULL;

	return repo_find(dir, top, &common, err);
}

/* ------------------------------------------------------------------ places */

/* Is it what git takes for the top of a work tree of that repository?  Otherwise git, asked
 * there, would talk of another one: of the repository around it, or of one that an agent put
 * there. */
static bool
tree_is_of(const char *path, const char *common)
{
	AUTO_FREE char *real = realpath(path, NULL);
	AUTO_FREE char *top = real ? top_dir(path, NULL) : NULL;
	AUTO_FREE char *theirs = top ? common_dir(path, NULL) : NULL;

	return theirs && strcmp(top, real) == 0 && strcmp(theirs, common) == 0;
}

/* As git will write it: links resolved as far as the path exists, which is *existing bytes. */
static char *
path_resolve(const char *path, size_t *existing, struct err *err)
{
	AUTO_FREE char *absolute = fs_absolute(path);
	AUTO_FREE char *real = NULL;
	size_t len = strlen(absolute);

	while (!real) {
		AUTO_FREE char *head = xstrndup(absolute, len > 0 ? len : 1);

		real = realpath(head, NULL);
		if (!real && (errno != ENOENT || len == 0)) {
			err_errno(err, "cannot use %s", path);
			return NULL;
		}
		while (!real && absolute[--len] != '/')
			;
	}
	if (strstr(absolute + len, "/../")) {
		err_set(err, "%s goes back from a directory that does not exist", path);
		return NULL;
	}
	if (strcmp(real, "/") == 0)
		*real = '\0';
	*existing = strlen(real);
	return xasprintf("%s%s", real, absolute + len);
}

static char *
path_choose(
    const char *repo, const char *name, const char *dir, size_t *existing, struct err *err)
{
	AUTO_FREE char *path = NULL;
	const char *base = strrchr(repo, '/') + 1;
	int parent = (int)(base - repo);

	if (!dir)
		path = xasprintf("%s-worktrees/%s", repo, name);
	else if (*dir == '/')
		path = xasprintf("%s/%s", dir, name);
	else
		path = xasprintf("%.*s%s/%s", parent, repo, dir, name);
	return path_resolve(path, existing, err);
}

static bool
path_is_there(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* Takes the repository's lock, for which others may have to finish first. */
static int
repo_lock(const char *common, struct err *err)
{
	int64_t deadline = clock_boot() + LOCK_WAIT;
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, common, err);
	struct err why = ERR_INIT;
	char self[256];
	int fd;

	if (dir < 0)
		return -1;
	lock_describe_self(self, sizeof(self));
	for (;;) {
		fd = lock_take(dir, LOCK_NAME, 0, self, &why);
		if (fd >= 0 || why.code != EWOULDBLOCK || clock_boot() > deadline)
			break;
		usleep(LOCK_PAUSE_US);
	}
	if (fd < 0 && err)
		*err = why;
	return fd;
}

/* ---------------------------------------------------------------- creating */

static int
names_check(const char *name, const char *branch, const char *cwd, struct err *err)
{
	AUTO_FREE char *ref = xasprintf("refs/heads/%s", branch);
	AUTO_BUF quoted = BUF_INIT;

	if (!name_is_valid(name)) {
		text_quote(&quoted, name);
		err_set(err, "%s cannot be the name of a worktree", quoted.data);
		return fail_with(err, EINVAL);
	}
	if (*branch == '-' || !git_yes(cwd, ARGS("check-ref-format", ref))) {
		text_quote(&quoted, branch);
		err_set(err, "%s cannot be the name of a branch", quoted.data);
		return fail_with(err, EINVAL);
	}
	return 0;
}

/* A worktree that git began to make and was killed at: it has no index yet. */
static bool
entry_is_unfinished(const struct entry *e, const char *common)
{
	AUTO_FREE char *index = NULL;

	if (!e->locked || strcmp(e->locked, UNFINISHED) != 0)
		return false;
	if (!tree_is_of(e->path, common))
		return true;
	index = git_line(e->path, "git rev-parse",
	    ARGS("rev-parse", "--path-format=absolute", "--git-path", "index"), NULL);
	return index && access(index, F_OK) < 0;
}

static int
entry_remove(const char *repo, const char *path, bool locked, struct err *err)
{
	struct run_result result;
	int rc;

	run_result_init(&result);
	rc = git_run(repo, "git worktree remove",
	    ARGS("worktree", "remove", "--force", locked ? "--force" : "--", path), &result,
	    err);
	run_result_release(&result);
	return rc;
}

/* 1 when it can be used as it is, 0 when it has to be made (what was left of it is gone then),
 * -1 when it is in the way. */
static int
attempt_reuse(const struct attempt *a, struct err *err)
{
	const struct worktree *w = a->tree;
	AUTO_FREE char *ref = xasprintf("refs/heads/%s", w->branch);
	struct run_result list;
	struct entry e;
	int rc = 0;

	run_result_init(&list);
	if (list_read(w->repo, &list, err) < 0) {
		rc = -1;
	} else if (!list_find(&list, w->path, &e)) {
		/* An empty directory is nobody's work. */
		if (path_is_there(w->path) && rmdir(w->path) < 0) {
			err_set(err, "%s is in the way", w->path);
			rc = fail_with(err, EEXIST);
		}
	} else if (e.missing || entry_is_unfinished(&e, a->common)) {
		rc = entry_remove(w->repo, w->path, e.locked != NULL, err);
	} else if (!e.branch || strcmp(e.branch, ref) != 0 || !tree_is_of(w->path, a->common)) {
		err_set(err, "the worktree %s is not on the branch %s", w->path, w->branch);
		rc = fail_with(err, EEXIST);
	} else {
		if (e.locked && strcmp(e.locked, UNFINISHED) == 0)
			(void)git_yes(w->repo, ARGS("worktree", "unlock", w->path));
		rc = 1;
	}
	run_result_release(&list);
	return rc;
}

/* Whatever the attempt made, and only that. */
static void
attempt_undo(const struct attempt *a)
{
	const struct worktree *w = a->tree;
	AUTO_FREE char *ref = xasprintf("refs/heads/%s", w->branch);
	AUTO_FREE char *path = xstrdup(w->path);

	(void)entry_remove(w->repo, w->path, true, NULL);
	if (a->start)
		(void)git_yes(w->repo, ARGS("update-ref", "-d", ref, a->start));
	while (strlen(path) > a->existing) {
		if (rmdir(path) < 0 && errno != ENOENT)
			break;
		*strrchr(path, '/') = '\0';
	}
}

/* That the branch is ours to delete.  Where it cannot be noted down, it stays for good. */
static void
branch_mark(const struct worktree *w)
{
	AUTO_FREE char *key = xasprintf("branch.%s.ralphMade", w->branch);

	(void)git_yes(w->repo, ARGS("config", "--local", key, "true"));
}

static int
attempt_add(struct attempt *a, const char *cwd, struct err *err)
{
	const struct worktree *w = a->tree;
	AUTO_FREE char *ref = xasprintf("refs/heads/%s", w->branch);
	struct run_result result;
	int rc;

	if (!git_yes(w->repo, ARGS("show-ref", "--verify", "--quiet", ref))) {
		a->start = git_line(cwd, "git rev-parse",
		    ARGS("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), NULL);
		if (!a->start)
			return err_set(
			    err, "the repository %s has no commit to start from", w->repo);
	}
	run_result_init(&result);
	if (a->start)
		rc = git_run(w->repo, "git worktree add",
		    ARGS("worktree", "add", "-q", "--no-track", "-b", w->branch, "--", w->path,
			a->start),
		    &result, err);
	else
		rc = git_run(w->repo, "git worktree add",
		    ARGS("worktree", "add", "-q", "--", w->path, w->branch), &result, err);
	run_result_release(&result);
	if (rc < 0)
		attempt_undo(a);
	else if (a->start)
		branch_mark(w);
	return rc;
}

int
worktree_create(const char *cwd, const char *name, const char *branch, const char *dir,
    struct worktree *out, struct err *err)
{
	struct worktree w = {NULL, NULL, NULL, false};
	struct attempt a = {.tree = &w};
	AUTO_CLOSE int lock = -1;
	int rc = -1;

	w.branch = xstrdup(branch ? branch : name);
	if (repo_find(cwd, &w.repo, &a.common, err) == 0 &&
	    names_check(name, w.branch, cwd, err) == 0 &&
	    (w.path = path_choose(w.repo, name, dir, &a.existing, err)) != NULL &&
	    (lock = repo_lock(a.common, err)) >= 0) {
		rc = attempt_reuse(&a, err);
		if (rc == 0)
			rc = attempt_add(&a, cwd, err);
		lock_release(&lock);
	}
	free(a.common);
	free(a.start);
	if (rc < 0) {
		worktree_release(&w);
		return -1;
	}
	w.made = rc == 0;
	*out = w;
	return 0;
}

/* ---------------------------------------------------------------- removing */

/* NUL-ended "XY path"; one that was renamed or copied is followed by where it came from. */
static int
changes_count(const struct buf *status)
{
	const char *at = status->data;
	const char *end = at + status->len;
	int n = 0;

	while (at < end && n < INT_MAX) {
		bool moved = at[0] == 'R' || at[0] == 'C' || at[1] == 'R' || at[1] == 'C';

		at += strlen(at) + 1;
		if (moved && at < end)
			at += strlen(at) + 1;
		n++;
	}
	return n;
}

int
worktree_changes(const struct worktree *w, struct err *err)
{
	AUTO_FREE char *common = NULL;
	struct run_result result;
	int n;

	if (!path_is_there(w->path))
		return 0;
	common = common_dir(w->repo, err);
	if (!common)
		return -1;
	if (!tree_is_of(w->path, common))
		return err_set(err, "%s is no worktree of %s any more", w->path, w->repo);
	run_result_init(&result);
	n = git_run(w->path, "git status",
	    ARGS("status", "--porcelain=v1", "-z", "--untracked-files=normal", "--renames",
		"--ignore-submodules=none", "--ignored=no"),
	    &result, err);
	if (n == 0)
		n = changes_count(&result.out);
	run_result_release(&result);
	return n;
}

/* The commit that would be lost with this worktree's HEAD; NULL when there is none. */
static char *
head_stray(const struct worktree *w)
{
	AUTO_FREE char *commit = git_line(w->path, "git rev-list",
	    ARGS("rev-list", "--max-count=1", "HEAD", "--not", "--branches", "--tags",
		"--remotes"),
	    NULL);

	return commit && *commit != '\0' ? take_ptr(commit) : NULL;
}

static int
work_check(const struct worktree *w, struct err *err)
{
	AUTO_FREE char *stray = NULL;
	int n = worktree_changes(w, err);

	if (n < 0)
		return -1;
	if (n > 0) {
		err_set(err, "worktree has %d uncommitted change(s)", n);
		return fail_with(err, EBUSY);
	}
	stray = path_is_there(w->path) ? head_stray(w) : NULL;
	if (stray) {
		err_set(err, "worktree has commits that are on no branch (%.12s)", stray);
		return fail_with(err, EBUSY);
	}
	return 0;
}

static int
tree_remove(const struct worktree *w, bool force, struct err *err)
{
	size_t existing;
	AUTO_FREE char *path = path_resolve(w->path, &existing, err);
	struct run_result list;
	struct entry e;
	int rc;

	if (!path)
		return -1;
	run_result_init(&list);
	rc = list_read(w->repo, &list, err);
	if (rc == 0 && list_find(&list, path, &e))
		rc = entry_remove(w->repo, path, force, err);
	else if (rc == 0 && path_is_there(w->path))
		rc = err_set(err, "%s is no worktree of %s", w->path, w->repo);
	run_result_release(&list);
	return rc;
}

/* Git itself refuses while it is checked out somewhere; then, too, it just stays. */
static void
branch_drop(const struct worktree *w)
{
	AUTO_FREE char *ref = xasprintf("refs/heads/%s", w->branch);
	AUTO_FREE char *key = xasprintf("branch.%s.ralphMade", w->branch);
	AUTO_FREE char *itself = xasprintf("--exclude=%s", w->branch);
	AUTO_FREE char *own = NULL;

	if (!git_yes(w->repo, ARGS("config", "--local", "--get", key)))
		return;
	own = git_line(w->repo, "git rev-list",
	    ARGS("rev-list", "--max-count=1", ref, "--not", itself, "--branches"), NULL);
	if (own && *own == '\0')
		(void)git_yes(w->repo, ARGS("branch", "-q", "-D", "--", w->branch));
}

int
worktree_remove(const struct worktree *w, bool force, struct err *err)
{
	AUTO_FREE char *common = NULL;
	AUTO_CLOSE int lock = -1;
	int rc;

	if (!path_is_there(w->path) && !path_is_there(w->repo))
		return 0;
	if (!force && work_check(w, err) < 0)
		return -1;
	common = common_dir(w->repo, err);
	if (!common)
		return -1;
	lock = repo_lock(common, err);
	if (lock < 0)
		return -1;
	rc = tree_remove(w, force, err);
	if (rc == 0 && w->branch)
		branch_drop(w);
	lock_release(&lock);
	return rc;
}
