#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/text.h"
#include "git/git.h"
#include "git/repo.h"
#include "git/sync.h"
#include <errno.h>
#include <fcntl.h>

void
work_unstage(struct work *w)
{
	if (w->index != NULL)
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

/* ---- finding ------------------------------------------------------------------------- */

/* Asks git for the top, the common directory and the git directory of the worktree; false: the
 * first two are not the expected ones. */
static bool
tree_ask(const struct site *s, struct work *w)
{
	AUTO_FREE char *expected = xasprintf("%s\n%s\n", s->path, s->common);
	size_t len = strlen(expected);
	AUTO_FREE char *lines = git_line(s->path, "git rev-parse",
	    ARGS("rev-parse", "--path-format=absolute", "--show-toplevel", "--git-common-dir",
		"--git-dir"),
	    NULL);

	if (lines == NULL || strncmp(lines, expected, len) != 0 || lines[len] == '\0')
		return false;
	w->git_dir = xstrdup(lines + len);
	return true;
}

static bool
tree_enter(const struct site *s, struct work *w)
{
	w->git_dir = tree_git_dir(s->path, s->common);
	return w->git_dir != NULL || tree_ask(s, w);
}

/* Removes locks whose holders are dead: the agent has ended, and we are the only ones here. */
static void
locks_remove(const struct site *s, const struct work *w)
{
	AUTO_FREE char *index = xasprintf("%s/index.lock", w->git_dir);
	AUTO_FREE char *head = xasprintf("%s/HEAD.lock", w->git_dir);

	site_unlock(s);
	(void)!fs_unlink(AT_FDCWD, index, NULL);
	(void)!fs_unlink(AT_FDCWD, head, NULL);
}

static int
tree_open(struct site *s, struct work *w, struct err *err)
{
	if (!tree_enter(s, w)) {
		AUTO_LOCK int lock = repo_lock(s->common, err);

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
work_find(struct site *s, struct work *w, struct err *err)
{
	const char *path = s->path;
	bool is_work = s->note.state != NOTE_MAKING && s->note.state != NOTE_LEAVING;
	struct listed_tree e;

	*w = (struct work)WORK_INIT;
	if (!trees_find(&s->trees, path, &e)) {
		/* An empty directory is nobody's work. */
		if (is_work && path_is_there(path) && fs_rmdir(AT_FDCWD, path, NULL) < 0)
			return err_set(err, "%s is no worktree of %s; nothing was touched",
			    path, s->plan->top);
		return 0;
	}
	w->listed = true;
	xstrset(&w->head, text_same(e.branch, s->own) ? s->tip : e.head);
	xstrset(&w->on, e.branch);
	if (!is_work || !path_is_there(path))
		return 0;
	return tree_open(s, w, err);
}

const char *
work_tree(const struct site *s, struct work *w)
{
	if (w->there && w->head != NULL && w->tree == NULL)
		w->tree = git_line(s->path, "git rev-parse",
		    ARGS("rev-parse", "-q", "--verify", "HEAD^{tree}"), NULL);
	return w->tree;
}

int
work_changes(const struct site *s, const struct work *w, struct changes *c, struct err *err)
{
	const struct changes_look look = {
	    .dir = s->path,
	    .git_dir = w->git_dir,
	    .copied = s->note.copied,
	    .ignored = s->plan->ignored != NULL,
	};

	return changes_read(&look, c, err);
}

struct inner_work
work_inner(const struct site *s, const char *commit)
{
	return (struct inner_work){
	    .top = s->plan->top,
	    .dir = s->path,
	    .start = s->note.start != NULL ? s->note.start : s->base,
	    .commit = commit,
	};
}

/* ---- choosing ------------------------------------------------------------------------ */

/* Counts the commits that each of two commits has and the other has not. */
static int
commits_compare(
    const struct site *s, const char *a, const char *b, long counts[2], struct err *err)
{
	AUTO_FREE char *range = xasprintf("%s...%s", a, b);
	AUTO_FREE char *line = git_line(s->plan->top, "git rev-list",
	    ARGS("rev-list", "--left-right", "--count", range), err);
	char *end;

	if (line == NULL)
		return -1;
	counts[0] = strtol(line, &end, 10);
	counts[1] = strtol(end, NULL, 10);
	return 0;
}

int
work_choose(const struct site *s, struct work *w, struct err *err)
{
	long counts[2];

	if (w->head == NULL || s->tip == NULL || text_same(w->head, s->tip)) {
		xstrset(&w->commit, w->head != NULL ? w->head : s->tip);
		return 0;
	}
	if (commits_compare(s, w->head, s->tip, counts, err) < 0)
		return -1;
	if (counts[0] > 0 && counts[1] > 0 && !site_has(s, s->base, s->tip) &&
	    !site_has(s, s->base, w->head))
		return err_set(err,
		    "both the branch %s and the HEAD of %s (%.12s) have commits; "
		    "nothing was touched",
		    s->branch, s->path, w->head);
	if (counts[0] == 0)
		xstrset(&w->commit, s->tip);
	else if (counts[1] == 0 || site_has(s, s->base, s->tip))
		xstrset(&w->commit, w->head);
	else
		xstrset(&w->commit, s->tip);
	return 0;
}

/* ---- putting right ------------------------------------------------------------------- */

int
work_sync(const struct site *s, struct work *w, struct err *err)
{
	if (!w->synced && w->commit != NULL && sync_commit(s->common, w->commit, err) < 0)
		return -1;
	w->synced = true;
	return 0;
}

/* Call before the reference moves: an index that is ahead of HEAD just has staged changes. */
int
work_stage(struct work *w, struct err *err)
{
	AUTO_CLOSE int dir = w->index != NULL ? fs_open_dir(AT_FDCWD, w->git_dir, err) : -1;

	if (w->index == NULL)
		return 0;
	if (dir < 0 || fs_rename(dir, basename(w->index), "index", FS_NOSYNC, err) < 0)
		return -1;
	free(take_ptr(w->index));
	return 0;
}

int
work_settle(struct site *s, struct work *w, struct err *err)
{
	AUTO_LOCK int lock = -1;
	bool fits = w->index != NULL || text_same(w->head, w->commit);

	if (work_sync(s, w, err) < 0 || work_stage(w, err) < 0 ||
	    (lock = repo_lock(s->common, err)) < 0 || site_set_own(s, w->commit, err) < 0)
		return -1;
	if (w->there && !text_same(w->on, s->own) &&
	    git_run(s->path, fits ? "git symbolic-ref" : "git checkout",
		fits ? ARGS("symbolic-ref", "HEAD", s->own)
		     : ARGS("checkout", "-q", "-f", s->branch, "--"),
		NULL, err) < 0)
		return -1;
	xstrset(&w->head, w->commit);
	xstrset(&w->on, s->own);
	return 0;
}

void
pattern_add(struct buf *out, const char *path)
{
	for (; *path != '\0'; path++) {
		if (strchr("*?[\\ ", *path) != NULL)
			buf_addc(out, '\\');
		buf_addc(out, *path);
	}
}

/* Removes files that verifying made: all that git does not ignore was committed before. */
static int
tree_clean(const struct site *s, struct err *err)
{
	AUTO_STRLIST args = strlist_more(NULL, ARGS("clean", "-fdq"));

	for (char *const *c = s->note.copied; c != NULL && *c != NULL; c++) {
		AUTO_BUF pattern = BUF_INIT;

		buf_adds(&pattern, "--exclude=/");
		pattern_add(&pattern, *c);
		args = strlist_add(args, pattern.data);
	}
	return git_run(s->path, "git clean", (const char *const *)args, NULL, err);
}

int
work_restore(struct site *s, struct work *w, struct err *err)
{
	if (git_run(s->path, "git checkout", ARGS("checkout", "-q", "-f", s->branch, "--"),
		NULL, err) < 0 ||
	    tree_clean(s, err) < 0 || site_save_note(s, NOTE_READY, err) < 0)
		return -1;
	xstrset(&w->head, s->tip);
	xstrset(&w->on, s->own);
	free(take_ptr(w->tree));
	return 0;
}

/* ---- leaving ------------------------------------------------------------------------- */

/* Removes the rest of an entry whose removal was interrupted: git would not list that entry any
 * more. */
static void
entry_remove(const struct site *s)
{
	AUTO_FREE char *dir = xasprintf("%s/worktrees%s", s->common, strrchr(s->path, '/'));
	AUTO_FREE char *link = xasprintf("%s/gitdir", dir);
	AUTO_FREE char *locked = xasprintf("%s/locked", dir);

	if (!path_is_there(link) && !path_is_there(locked))
		(void)!fs_remove_tree(AT_FDCWD, dir, NULL);
}

static int
work_tree_remove(const struct site *s, struct err *err)
{
	struct listed_tree e;
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
branch_remove(const struct site *s, struct err *err)
{
	const char *safe = s->note.safe;
	AUTO_BUF script = BUF_INIT;
	AUTO_RUN tip = RUN_INIT;

	if (safe != NULL) {
		buf_addf(&script, "delete %s %s\n", s->own, safe);
		if (site_update_refs(s, &script, err) == 0)
			return 0;
	}
	if (git_ask(s->plan->top, "git rev-parse", ARGS("rev-parse", "-q", "--verify", s->own),
		&tip, safe != NULL ? NULL : err) < 0)
		return -1;
	if (!exit_ok(tip.status))
		return 0;
	return safe != NULL && strncmp(tip.out.data, safe, strlen(safe)) == 0 ? -1 : 1;
}

int
work_remove(struct site *s, struct err *err)
{
	AUTO_FREE char *trees = xasprintf("%s/worktrees", s->common);
	int stays = work_tree_remove(s, err) < 0 ? -1 : branch_remove(s, err);

	if (stays < 0)
		return -1;
	/* Git removes the directory, too, after the last worktree. */
	(void)!fs_rmdir(AT_FDCWD, trees, NULL);
	/* A branch without a note would be taken for another project's; and only the note says
	 * that a session left nothing. */
	if (s->note.nothing || stays)
		return site_save_note(s, NOTE_PAST, err);
	note_drop(s->common, s->notes, s->ticket->id, &s->note);
	return 0;
}

int
work_leave(struct site *s, const char *safe, struct err *err)
{
	AUTO_LOCK int lock = -1;

	if (s->note.state != NOTE_LEAVING) {
		xstrset(&s->note.safe, safe);
		if (site_save_note(s, NOTE_LEAVING, err) < 0)
			return -1;
	}
	lock = repo_lock(s->common, err);
	return lock < 0 ? -1 : work_remove(s, err);
}
