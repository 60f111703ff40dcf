#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "git/git.h"
#include "git/repo.h"
#include <errno.h>
#include <fcntl.h>

void
work_unstage(struct work *w)
{
	if (w->index)
		stage_drop(w->index);
	free(take_ptr(w->index));
}

void
work_release(struct work *w)
{
	work_unstage(w);
	free(w->git_dir);
	free(w->head);
	free(w->tree);
	free(w->on);
	free(w->commit);
	free(w->left);
	*w = (struct work)WORK_INIT;
}

static bool
landing_work_same(const char *a, const char *b)
{
	return a && b && strcmp(a, b) == 0;
}

static void
landing_work_replace(char **at, const char *by)
{
	char *copy = by ? xstrdup(by) : NULL;

	free(*at);
	*at = copy;
}

/* ----------------------------------------------------------------- finding */

/* Asks git for the top, the common directory and the git directory of the worktree; false: the
 * first two are not the expected ones. */
static bool
tree_ask(const struct step *s, struct work *w)
{
	AUTO_FREE char *expected = xasprintf("%s\n%s\n", s->path, s->common);
	size_t len = strlen(expected);
	AUTO_RUN result = RUN_INIT;
	bool ours = git_ask(s->path, "git rev-parse",
			ARGS("rev-parse", "--path-format=absolute", "--show-toplevel",
			    "--git-common-dir", "--git-dir"),
			&result, NULL) == 0 &&
		    exit_ok(result.status) && strncmp(result.out.data, expected, len) == 0 &&
		    result.out.len > len + 1;

	/* Its name may have newlines: only the last one is git's. */
	if (ours)
		w->git_dir = xstrndup(result.out.data + len, result.out.len - len - 1);
	return ours;
}

static bool
tree_enter(const struct step *s, struct work *w)
{
	w->git_dir = tree_git_dir(s->path, s->common);
	return w->git_dir || tree_ask(s, w);
}

/* Removes locks whose holders are dead: the agent has ended, and we are the only ones here. */
static void
locks_remove(const struct step *s, const struct work *w)
{
	AUTO_FREE char *index = xasprintf("%s/index.lock", w->git_dir);
	AUTO_FREE char *head = xasprintf("%s/HEAD.lock", w->git_dir);

	step_unlock(s);
	(void)!fs_unlink(AT_FDCWD, index, NULL);
	(void)!fs_unlink(AT_FDCWD, head, NULL);
}

static int
tree_open(struct step *s, struct work *w, struct err *err)
{
	if (!tree_enter(s, w)) {
		AUTO_CLOSE int lock = repo_lock(s->common, err);
		if (lock < 0)
			return -1;
		/* The exit status is ignored: it is also about worktrees of others. */
		(void)git_yes(s->plan->top, ARGS("worktree", "repair"));
		lock_release(&lock);
		if (!tree_enter(s, w))
			return err_set(err,
			    "%s is no worktree of %s any more; nothing was touched", s->path,
			    s->plan->top);
	}
	w->there = true;
	locks_remove(s, w);
	return s->note.state == NOTE_VERIFYING ? work_restore(s, w, err) : 0;
}

int
work_find(struct step *s, struct work *w, struct err *err)
{
	const char *path = s->path;
	bool is_work = s->note.state != NOTE_MAKING && s->note.state != NOTE_LEAVING;
	struct tree e;

	*w = (struct work)WORK_INIT;
	if (!trees_find(&s->trees, path, &e)) {
		/* An empty directory is nobody's work. */
		if (is_work && path_is_there(path) && fs_rmdir(AT_FDCWD, path, NULL) < 0)
			return err_set(err, "%s is no worktree of %s; nothing was touched",
			    path, s->plan->top);
		return 0;
	}
	w->listed = true;
	landing_work_replace(&w->head, landing_work_same(e.branch, s->own) ? s->tip : e.head);
	landing_work_replace(&w->on, e.branch);
	if (!is_work || !path_is_there(path))
		return 0;
	return tree_open(s, w, err);
}

const char *
work_tree(const struct step *s, struct work *w)
{
	if (w->there && w->head && !w->tree)
		w->tree = git_line(s->path, "git rev-parse",
		    ARGS("rev-parse", "-q", "--verify", "HEAD^{tree}"), NULL);
	return w->tree;
}

/* ---------------------------------------------------------------- choosing */

/* How many commits each of two has that the other has not. */
static int
commits_compare(
    const struct step *s, const char *a, const char *b, long counts[2], struct err *err)
{
	AUTO_FREE char *range = xasprintf("%s...%s", a, b);
	AUTO_FREE char *line = git_line(s->plan->top, "git rev-list",
	    ARGS("rev-list", "--left-right", "--count", range), err);
	char *end;

	if (!line)
		return -1;
	counts[0] = strtol(line, &end, 10);
	counts[1] = strtol(end, NULL, 10);
	return 0;
}

int
work_choose(const struct step *s, struct work *w, struct err *err)
{
	long counts[2];

	if (!w->head || !s->tip || landing_work_same(w->head, s->tip)) {
		landing_work_replace(&w->commit, w->head ? w->head : s->tip);
		return 0;
	}
	if (commits_compare(s, w->head, s->tip, counts, err) < 0)
		return -1;
	if (counts[0] > 0 && counts[1] > 0 && !step_has(s, s->base, s->tip) &&
	    !step_has(s, s->base, w->head))
		return err_set(err,
		    "both the branch %s and the HEAD of %s (%.12s) have commits; "
		    "nothing was touched",
		    s->branch, s->path, w->head);
	if (counts[0] == 0)
		landing_work_replace(&w->commit, s->tip);
	else if (counts[1] == 0 || step_has(s, s->base, s->tip))
		landing_work_replace(&w->commit, w->head);
	else
		landing_work_replace(&w->commit, s->tip);
	return 0;
}

/* ------------------------------------------------------------ putting right */

static int
git_in(const struct step *s, const char *what, const char *const *args, struct err *err)
{
	AUTO_RUN result = RUN_INIT;

	return git_run(s->path, what, args, &result, err);
}

int
work_sync(const struct step *s, struct work *w, struct err *err)
{
	if (!w->synced && repo_sync(s->common, err) < 0)
		return -1;
	w->synced = true;
	return 0;
}

/* Before the reference moves: an index that is ahead of HEAD just has staged changes. */
int
work_stage(struct work *w, struct err *err)
{
	AUTO_CLOSE int dir = w->index ? fs_open_dir(AT_FDCWD, w->git_dir, err) : -1;

	if (!w->index)
		return 0;
	if (dir < 0 || fs_rename(dir, strrchr(w->index, '/') + 1, "index", FS_NOSYNC, err) < 0)
		return -1;
	free(take_ptr(w->index));
	return 0;
}

int
work_settle(struct step *s, struct work *w, struct err *err)
{
	AUTO_CLOSE int lock = -1;
	AUTO_BUF script = BUF_INIT;
	bool fits = w->index || landing_work_same(w->head, w->commit);
	int rc = 0;

	if (work_sync(s, w, err) < 0 || work_stage(w, err) < 0)
		return -1;
	lock = repo_lock(s->common, err);
	if (lock < 0)
		return -1;
	if (!landing_work_same(s->tip, w->commit)) {
		script_set(&script, s->own, w->commit, s->tip);
		rc = step_update_refs(s, &script, err);
	}
	if (rc == 0)
		landing_work_replace(&s->tip, w->commit);
	if (rc == 0 && w->there && !landing_work_same(w->on, s->own))
		rc = fits ? git_in(s, "git symbolic-ref", ARGS("symbolic-ref", "HEAD", s->own),
				err)
			  : git_in(s, "git checkout",
				ARGS("checkout", "-q", "-f", s->branch, "--"), err);
	lock_release(&lock);
	if (rc == 0) {
		landing_work_replace(&w->head, w->commit);
		landing_work_replace(&w->on, s->own);
	}
	return rc;
}

/* Patterns of git's: what is special in them is taken literally. */
static char *
pattern_of(const char *path)
{
	AUTO_BUF out = BUF_INIT;

	buf_adds(&out, "--exclude=/");
	for (; *path != '\0'; path++) {
		if (strchr("*?[\\ ", *path))
			buf_addc(&out, '\\');
		buf_addc(&out, *path);
	}
	return buf_detach(&out);
}

/* All that is not ignored was committed before the verification began. */
static int
tree_clean(const struct step *s, struct err *err)
{
	AUTO_STRLIST args = strlist_add(strlist_add(NULL, "clean"), "-fdq");

	for (char *const *c = s->note.copied; c && *c; c++) {
		AUTO_FREE char *pattern = pattern_of(*c);

		args = strlist_add(args, pattern);
	}
	return git_in(s, "git clean", (const char *const *)args, err);
}

int
work_restore(struct step *s, struct work *w, struct err *err)
{
	if (git_in(s, "git checkout", ARGS("checkout", "-q", "-f", s->branch, "--"), err) < 0 ||
	    tree_clean(s, err) < 0 || step_save_note(s, NOTE_READY, err) < 0)
		return -1;
	landing_work_replace(&w->head, s->tip);
	landing_work_replace(&w->on, s->own);
	free(take_ptr(w->tree));
	return 0;
}

/* ----------------------------------------------------------------- leaving */

/* Removes the rest of an entry whose removal was interrupted: git would not list that entry any
 * more. */
static void
entry_remove(const struct step *s)
{
	AUTO_FREE char *dir = xasprintf("%s/worktrees%s", s->common, strrchr(s->path, '/'));
	AUTO_FREE char *link = xasprintf("%s/gitdir", dir);
	AUTO_FREE char *locked = xasprintf("%s/locked", dir);

	if (!path_is_there(link) && !path_is_there(locked))
		(void)!fs_remove_tree(AT_FDCWD, dir, NULL);
}

static int
landing_work_tree_remove(const struct step *s, struct err *err)
{
	struct tree e;
	bool listed = trees_find(&s->trees, s->path, &e);

	if (listed && tree_forget(s->plan->top, s->path, true, NULL) == 0)
		return 0;
	/* Git may have forgotten a worktree whose directory it could not remove. */
	if (path_is_there(s->path) && fs_remove_tree(AT_FDCWD, s->path, err) < 0)
		return -1;
	if (listed)
		(void)!tree_forget(s->plan->top, s->path, true, NULL);
	entry_remove(s);
	return 0;
}

/* A branch that is gone, or has moved meanwhile, is not deleted.  1: the branch is there. */
static int
branch_remove(const struct step *s, struct err *err)
{
	const char *safe = s->note.safe;
	AUTO_BUF script = BUF_INIT;
	AUTO_RUN tip = RUN_INIT;
	int rc;

	if (safe) {
		buf_addf(&script, "delete %s %s\n", s->own, safe);
		if (step_update_refs(s, &script, err) == 0)
			return 0;
	}
	rc = git_ask(s->plan->top, "git rev-parse", ARGS("rev-parse", "-q", "--verify", s->own),
	    &tip, safe ? NULL : err);
	if (rc == 0 && exit_ok(tip.status))
		rc = safe && strncmp(tip.out.data, safe, strlen(safe)) == 0 ? -1 : 1;
	return rc;
}

int
work_remove(struct step *s, struct err *err)
{
	AUTO_FREE char *trees = xasprintf("%s/worktrees", s->common);
	int stays = landing_work_tree_remove(s, err) < 0 ? -1 : branch_remove(s, err);

	if (stays < 0)
		return -1;
	/* Git removes the directory, too, after the last worktree. */
	(void)!fs_rmdir(AT_FDCWD, trees, NULL);
	/* A branch without a note would be taken for another project's; and only the note says
	 * that a session left nothing. */
	if (s->note.nothing || stays)
		return step_save_note(s, NOTE_PAST, err);
	note_drop(s->common, s->notes, s->ticket->id, &s->note);
	return 0;
}

int
work_leave(struct step *s, const char *safe, struct err *err)
{
	AUTO_CLOSE int lock = -1;
	int rc;

	if (s->note.state != NOTE_LEAVING) {
		landing_work_replace(&s->note.safe, safe);
		if (step_save_note(s, NOTE_LEAVING, err) < 0)
			return -1;
	}
	lock = repo_lock(s->common, err);
	if (lock < 0)
		return -1;
	rc = work_remove(s, err);
	lock_release(&lock);
	return rc;
}
