#include "git/worktree.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/text.h"
#include "git/changes.h"
#include "git/git.h"
#include "git/ignored.h"
#include "git/inner.h"
#include "git/repo.h"
#include "git/status.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>

/* The state of one attempt to make a worktree. */
struct attempt {
	struct worktree *tree;
	char *common;	 /* the repository's common directory */
	char *start;	 /* commit a new branch starts from; NULL when the branch exists */
	size_t existing; /* so many bytes of the path were there before */
};

void
worktree_release(struct worktree *w)
{
	free(w->path);
	free(w->branch);
	free(w->repo);
	*w = (struct worktree){.path = NULL};
}

/* ---- asking the repository ----------------------------------------------------------- */

/* The main work tree of the repository that the work tree `top` belongs to; `top` when the
 * repository is bare. */
static char *
main_top(const char *top, const char *common, struct err *err)
{
	AUTO_FREE char *usual = xasprintf("%s/.git", top);
	AUTO_FREE char *own = NULL;
	AUTO_RUN list = RUN_INIT;
	const char *at;
	struct listed_tree e;
	char *found;

	if (strcmp(usual, common) == 0)
		return xstrdup(top);
	own = git_line(top, "git rev-parse", ARGS("rev-parse", "--absolute-git-dir"), err);
	if (own == NULL)
		return NULL;
	if (strcmp(own, common) == 0)
		return xstrdup(top);
	if (trees_read(top, &list, err) < 0)
		return NULL;
	at = list.out.data;
	found = trees_next(&at, &list, &e) ? repo_top(e.path, NULL) : NULL;
	return found != NULL ? found : xstrdup(top);
}

/* Says why there is no work tree to be found from dir. */
static void
repo_refuse(const char *dir, struct err *err)
{
	AUTO_FREE char *bare =
	    git_line(dir, "git rev-parse", ARGS("rev-parse", "--is-bare-repository"), NULL);

	if (text_same(bare, "true"))
		err_set(err, "Cannot create worktree: repository is bare. "
			     "Worktrees require a working directory.");
}

static int
repo_find(const char *dir, char **top, char **common, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_FREE char *here = NULL;

	*top = NULL;
	*common = repo_common(dir, &why);
	if (*common != NULL) {
		here = repo_top(dir, &why);
		if (here == NULL)
			repo_refuse(dir, &why);
		else
			*top = main_top(here, *common, &why);
	}
	if (*top != NULL)
		return 0;
	free(take_ptr(*common));
	why.code = why.code == ENOENT ? 0 : why.code;
	if (strstr(why.text, "not a git repository") != NULL && repo_search(dir, &why) == 0)
		err_code(&why, ENOENT, "not in a git repository");
	return err_pass(err, &why);
}

int
worktree_repo(const char *dir, char **top, struct err *err)
{
	AUTO_FREE char *common = NULL;

	return repo_find(dir, top, &common, err);
}

/* ---- places -------------------------------------------------------------------------- */

static char *
path_choose(
    const char *repo, const char *name, const char *dir, size_t *existing, struct err *err)
{
	AUTO_FREE char *path = NULL;
	const char *base = strrchr(repo, '/') + 1;
	int parent = (int)(base - repo);

	if (dir == NULL)
		path = xasprintf("%s-worktrees/%s", repo, name);
	else if (*dir == '/')
		path = xasprintf("%s/%s", dir, name);
	else
		path = xasprintf("%.*s%s/%s", parent, repo, dir, name);
	return path_resolve(path, existing, err);
}

/* ---- creating ------------------------------------------------------------------------ */

static int
worktree_names_check(const char *name, const char *branch, const char *cwd, struct err *err)
{
	AUTO_FREE char *ref = xasprintf("refs/heads/%s", branch);
	AUTO_BUF quoted = BUF_INIT;

	bool named = name_is_valid(name);

	if (named && *branch != '-' && git_yes(cwd, ARGS("check-ref-format", ref)))
		return 0;
	text_quote(&quoted, named ? branch : name);
	return err_code(err, EINVAL, "%s cannot be the name of a %s", quoted.data,
	    named ? "branch" : "worktree");
}

/* 1: the worktree can be used as it is; 0: it has to be made, and its remains are removed; -1:
 * something is in the way. */
static int
attempt_reuse(const struct attempt *a, struct err *err)
{
	const struct worktree *w = a->tree;
	AUTO_FREE char *ref = xasprintf("refs/heads/%s", w->branch);
	AUTO_RUN list = RUN_INIT;
	struct listed_tree e;

	if (trees_read(w->repo, &list, err) < 0)
		return -1;
	if (!trees_find(&list, w->path, &e)) {
		/* An empty directory is nobody's work. */
		if (path_is_there(w->path) && fs_rmdir(AT_FDCWD, w->path, NULL) < 0)
			return err_code(err, EEXIST, "%s is in the way", w->path);
		return 0;
	}
	if (e.missing || tree_is_unfinished(&e, a->common))
		return tree_forget(w->repo, w->path, e.locked != NULL, err);
	if (!text_same(e.branch, ref) || !tree_is_of(w->path, a->common))
		return err_code(
		    err, EEXIST, "the worktree %s is not on the branch %s", w->path, w->branch);
	if (text_same(e.locked, TREE_UNFINISHED))
		(void)git_yes(w->repo, ARGS("worktree", "unlock", w->path));
	return 1;
}

/* Removes the worktree, branch and directories that the attempt made, and nothing else. */
static void
attempt_undo(const struct attempt *a)
{
	const struct worktree *w = a->tree;
	AUTO_FREE char *ref = xasprintf("refs/heads/%s", w->branch);
	AUTO_FREE char *path = xstrdup(w->path);

	(void)!tree_forget(w->repo, w->path, true, NULL);
	if (a->start != NULL)
		(void)git_yes(w->repo, ARGS("update-ref", "-d", ref, a->start));
	while (strlen(path) > a->existing) {
		if (fs_rmdir(AT_FDCWD, path, NULL) < 0)
			break;
		*strrchr(path, '/') = '\0';
	}
}

/* Notes in git's configuration that we made the branch, and the commit that the branch starts
 * from.  Without the first note the branch is never deleted; without the second, everything in
 * a submodule counts as new. */
static void
branch_mark(const struct worktree *w, const char *start)
{
	AUTO_FREE char *key = xasprintf("branch.%s.ralphMade", w->branch);
	AUTO_FREE char *from = xasprintf("branch.%s.ralphStart", w->branch);

	(void)git_yes(w->repo, ARGS("config", "--local", key, "true"));
	(void)git_yes(w->repo, ARGS("config", "--local", from, start));
}

static int
attempt_add(struct attempt *a, const char *cwd, struct err *err)
{
	const struct worktree *w = a->tree;
	AUTO_FREE char *ref = xasprintf("refs/heads/%s", w->branch);
	int rc;

	if (!git_yes(w->repo, ARGS("show-ref", "--verify", "--quiet", ref))) {
		a->start = git_line(cwd, "git rev-parse",
		    ARGS("rev-parse", "--verify", "--quiet", "HEAD^{commit}"), NULL);
		if (a->start == NULL)
			return err_set(
			    err, "the repository %s has no commit to start from", w->repo);
	}
	rc = git_run(w->repo, "git worktree add",
	    a->start != NULL ? ARGS("worktree", "add", "-q", "--no-track", "-b", w->branch,
				   "--", w->path, a->start)
			     : ARGS("worktree", "add", "-q", "--", w->path, w->branch),
	    NULL, err);
	if (rc < 0)
		attempt_undo(a);
	else if (a->start != NULL)
		branch_mark(w, a->start);
	return rc;
}

int
worktree_create(const char *cwd, const char *name, const char *branch, const char *dir,
    struct worktree *out, struct err *err)
{
	struct worktree w = {.branch = xstrdup(branch != NULL ? branch : name)};
	struct attempt a = {.tree = &w};
	AUTO_LOCK int lock = -1;
	int rc = -1;

	if (repo_find(cwd, &w.repo, &a.common, err) == 0 &&
	    worktree_names_check(name, w.branch, cwd, err) == 0 &&
	    (w.path = path_choose(w.repo, name, dir, &a.existing, err)) != NULL &&
	    (lock = repo_lock(a.common, err)) >= 0)
		rc = attempt_reuse(&a, err);
	w.made = rc == 0;
	if (rc == 0)
		rc = attempt_add(&a, cwd, err);
	free(a.common);
	free(a.start);
	if (rc < 0) {
		worktree_release(&w);
		return -1;
	}
	*out = w;
	return 0;
}

/* ---- removing ------------------------------------------------------------------------ */

static int
changes_count(const struct buf *status)
{
	const char *at = status->data;
	struct status_line l;
	int n = 0;

	while (n < INT_MAX && status_next(&at, status, &l))
		n += l.kind != '#';
	return n;
}

/* The git directory of a worktree that is there; NULL + err. */
static char *
own_git_dir(const struct worktree *w, struct err *err)
{
	AUTO_FREE char *common = repo_common(w->repo, err);

	if (common == NULL)
		return NULL;
	if (!tree_is_of(w->path, common)) {
		err_set(err, "%s is no worktree of %s any more", w->path, w->repo);
		return NULL;
	}
	return git_line(w->path, "git rev-parse", ARGS("rev-parse", "--absolute-git-dir"), err);
}

/* Counts the changes as git does: a file that was moved is one. */
static int
changes_ask(const struct worktree *w, struct err *err)
{
	AUTO_BUF status = BUF_INIT;

	if (inner_status(w->path, NULL,
		ARGS("--untracked-files=normal", "--renames", "--ignored=no"), &status,
		err) < 0)
		return -1;
	return changes_count(&status);
}

char *
worktree_ignored(const struct worktree *w)
{
	AUTO_BUF status = BUF_INIT;
	AUTO_FREE char *git_dir = NULL;
	AUTO_STRLIST ignored = NULL;
	struct status_line l;

	if (!path_is_there(w->path) || (git_dir = own_git_dir(w, NULL)) == NULL ||
	    inner_status(w->path, NULL,
		ARGS("--untracked-files=normal", "--no-renames", "--ignored=traditional"),
		&status, NULL) < 0)
		return NULL;
	for (const char *at = status.data; status_next(&at, &status, &l);)
		if (l.kind == '!')
			ignored = strlist_add(ignored, l.path);
	return ignored_count(&(struct ignored_look){.dir = w->path, .top = w->repo}, ignored);
}

/* The commit that would be lost with this worktree's HEAD; NULL when there is none. */
static char *
head_stray(const struct worktree *w)
{
	AUTO_FREE char *commit = git_line(w->path, "git rev-list",
	    ARGS("rev-list", "--max-count=1", "HEAD", "--not", "--branches", "--tags",
		"--remotes"),
	    NULL);

	return commit != NULL && *commit != '\0' ? take_ptr(commit) : NULL;
}

static int
changes_refuse(const struct worktree *w, const struct changes *c, struct err *err)
{
	AUTO_BUF hidden = BUF_INIT;
	int n;

	if (c->underway != NULL)
		return err_code(err, EBUSY,
		    "a %s is under way in the worktree: finish or abort it first", c->underway);
	if (c->count == 0)
		return 0;
	n = changes_ask(w, err);
	if (n < 0)
		return -1;
	if (c->hidden == NULL)
		return err_code(err, EBUSY, "worktree has %d uncommitted change(s)", n);
	text_quote(&hidden, c->hidden);
	return err_code(err, EBUSY,
	    "worktree has %d uncommitted change(s); %s was hidden from git status and is no "
	    "longer: commit or undo it first",
	    n, hidden.data);
}

/* Finds the commit that the branch was made from, to compare repositories within with it.  When
 * that commit is not known, returns the empty tree: everything in those repositories may be
 * new. */
static char *
start_find(const struct worktree *w, struct err *err)
{
	AUTO_FREE char *key =
	    xasprintf("branch.%s.ralphStart", w->branch != NULL ? w->branch : "");
	AUTO_FREE char *noted =
	    git_line(w->repo, "git config", ARGS("config", "--local", "--get", key), NULL);
	AUTO_FREE char *spec = xasprintf("%s^{commit}", noted != NULL ? noted : "");
	char *start =
	    noted != NULL
		? git_line(w->repo, "git rev-parse",
		      ARGS("rev-parse", "--verify", "--quiet", "--end-of-options", spec), NULL)
		: NULL;

	if (start != NULL)
		return start;
	return git_line(
	    w->repo, "git hash-object", ARGS("hash-object", "-t", "tree", "/dev/null"), err);
}

static int
inner_refuse(const struct worktree *w, const struct changes *c, struct err *err)
{
	struct inner_work work = {.top = w->repo, .dir = w->path, .commit = c->head};
	AUTO_STRLIST inner = NULL;
	AUTO_FREE char *start = NULL;

	if (inner_list(w->path, &inner, err) < 0)
		return -1;
	if (inner == NULL)
		return 0;
	start = start_find(w, err);
	if (start == NULL)
		return -1;
	work.start = start;
	return c->head != NULL && inner_has_unpushed(&work, err) ? repo_fail(err, EBUSY) : 0;
}

int
worktree_check(const struct worktree *w, struct err *err)
{
	AUTO_FREE char *stray = NULL;
	AUTO(changes_release) struct changes c = {0};
	struct changes_look look = {.dir = w->path};
	AUTO_FREE char *git_dir = NULL;

	if (!path_is_there(w->path))
		return 0;
	git_dir = own_git_dir(w, err);
	look.git_dir = git_dir;
	if (git_dir == NULL || changes_read(&look, &c, err) < 0 ||
	    changes_refuse(w, &c, err) < 0 || inner_refuse(w, &c, err) < 0)
		return -1;
	stray = head_stray(w);
	return stray != NULL ? err_code(err, EBUSY,
				   "worktree has commits that are on no branch (%.12s)", stray)
			     : 0;
}

static int
worktree_tree_remove(const struct worktree *w, bool force, struct err *err)
{
	size_t existing;
	AUTO_FREE char *path = path_resolve(w->path, &existing, err);
	AUTO_RUN list = RUN_INIT;
	struct listed_tree e;

	if (path == NULL || trees_read(w->repo, &list, err) < 0)
		return -1;
	if (trees_find(&list, path, &e))
		return tree_forget(w->repo, path, force, err);
	if (path_is_there(w->path))
		return err_set(err, "%s is no worktree of %s", w->path, w->repo);
	return 0;
}

/* Git itself refuses to delete a branch that is checked out somewhere; then the branch stays,
 * too. */
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
	if (own != NULL && *own == '\0')
		(void)git_yes(w->repo, ARGS("branch", "-q", "-D", "--", w->branch));
}

int
worktree_remove(const struct worktree *w, bool force, struct err *err)
{
	AUTO_FREE char *common = NULL;
	AUTO_LOCK int lock = -1;

	if (!path_is_there(w->path) && !path_is_there(w->repo))
		return 0;
	if ((!force && worktree_check(w, err) < 0) ||
	    (common = repo_common(w->repo, err)) == NULL ||
	    (lock = repo_lock(common, err)) < 0 || worktree_tree_remove(w, force, err) < 0)
		return -1;
	if (w->branch != NULL)
		branch_drop(w);
	return 0;
}
