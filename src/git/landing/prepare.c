#include "git/landing/landing.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/text.h"
#include "git/command.h"
#include "git/git.h"
#include "git/landing/parts.h"
#include "git/repo.h"
#include "git/sync.h"
#include <errno.h>
#include <fcntl.h>

#define CHOICES_MAX 100

enum choice {
	CHOICE_OTHER, /* the names are somebody else's: try the next ones */
	CHOICE_MAKE,  /* the names are free */
	CHOICE_THERE, /* the worktree of an earlier attempt is there */
};

/* ---- choosing ------------------------------------------------------------------------ */

static bool
branch_is_elsewhere(const struct site *s)
{
	const char *at = s->trees.out.data;
	struct listed_tree e;

	while (trees_next(&at, &s->trees, &e))
		if (text_same(e.branch, s->own) && strcmp(e.path, s->path) != 0)
			return true;
	return false;
}

/* Removes the remains of a worktree.  Git's entry may be the only name of the commit at HEAD:
 * that commit is put on the branch first. */
static int
remains_remove(struct site *s, struct work *w, struct err *err)
{
	AUTO_LOCK int lock = -1;

	if (s->note.state != NOTE_MAKING && w->head != NULL && !site_has(s, s->base, w->head) &&
	    (work_choose(s, w, err) < 0 || work_settle(s, w, err) < 0))
		return -1;
	lock = repo_lock(s->common, err);
	return lock < 0 ? -1 : tree_forget(s->plan->top, s->path, true, err);
}

/* Does the worktree have work to go on with, or is it as empty as a new one? */
static bool
has_work(const struct site *s, const struct work *w)
{
	AUTO(changes_release) struct changes c = {0};

	return work_changes(s, w, &c, NULL) < 0 || c.count > 0 || c.underway != NULL ||
	       (w->head != NULL && !site_has(s, s->base, w->head)) ||
	       (s->tip != NULL && !site_has(s, s->base, s->tip));
}

static int
choice_judge(struct site *s, struct work *w, struct err *err)
{
	struct listed_tree e;
	bool listed = trees_find(&s->trees, s->path, &e);

	if (s->blocked || branch_is_elsewhere(s) || site_is_taken(s))
		return CHOICE_OTHER;
	/* A directory that cannot be trusted stays as it is. */
	if (work_find(s, w, err) < 0)
		return s->note.state == NOTE_VERIFYING ? -1 : CHOICE_OTHER;
	if (!listed)
		return path_is_there(s->path) ? CHOICE_OTHER : CHOICE_MAKE;
	if (w->there && !tree_is_unfinished(&e, s->common))
		return CHOICE_THERE;
	return remains_remove(s, w, err) < 0 ? -1 : CHOICE_MAKE;
}

/* Tries the note's names first, then all others in turn. */
static int
choice_find(struct site *s, struct work *w, struct err *err)
{
	int64_t first = s->note.n;
	int choice = CHOICE_OTHER;

	for (int64_t n = 0; n < CHOICES_MAX && choice == CHOICE_OTHER; n++) {
		if (n == first)
			continue;
		if (n > 0) {
			note_release(&s->note);
			s->note.n = n;
			site_name(s);
			work_release(w);
			if (site_look(s, err) < 0)
				return -1;
		}
		choice = choice_judge(s, w, err);
	}
	if (choice == CHOICE_OTHER)
		return err_set(
		    err, "%s and %d more names are taken", s->ticket->id, CHOICES_MAX - 1);
	return choice;
}

/* ---- making -------------------------------------------------------------------------- */

/* Makes the directory, with a .gitignore so that the user's git does not see the worktrees in
 * it.  An empty directory may be one that was half made, and gets the file, too. */
static int
dir_make(const struct site *s, struct err *err)
{
	AUTO_CLOSE int dir = -1;
	AUTO_STRLIST names = NULL;

	if (fs_mkdirs(s->dir, err) < 0 || (dir = fs_open_dir(AT_FDCWD, s->dir, err)) < 0 ||
	    fs_sweep(dir, err) < 0 || fs_list(dir, ".", &names, err) < 0)
		return -1;
	if ((names != NULL && names[0] != NULL) || faccessat(dir, ".gitignore", F_OK, 0) == 0)
		return 0;
	return fs_replace(dir, ".gitignore", "*\n", 2, FS_NOSYNC, err);
}

/* Call under the lock. */
static int
tree_add(const struct site *s, bool resume, struct err *err)
{
	const struct git_call add = {
	    .dir = s->plan->top,
	    .what = "git worktree add",
	    .args = ARGS("worktree", "add", "-q", "--no-checkout", "--detach", "--", s->path,
		resume ? s->tip : s->base),
	    .unsynced = true,
	};

	return git_call(&add, NULL, err);
}

/* Call under the lock, too: else somebody could take the branch meanwhile.  One process sets
 * branch, HEAD and files; `worktree add` would start a process for each. */
static int
tree_checkout(const struct site *s, bool resume, struct err *err)
{
	site_unlock(s);
	/* -B: the branch is not there, or has nothing that base has not. */
	return git_run(s->path, "git checkout",
	    resume ? ARGS("checkout", "-q", "-f", s->branch, "--")
		   : ARGS("checkout", "-q", "-f", "--no-track", "-B", s->branch, s->base, "--"),
	    NULL, err);
}

static int
files_copy(struct site *s, struct err *err)
{
	for (char *const *path = s->plan->copy; path != NULL && *path != NULL; path++) {
		AUTO_FREE char *name = xstrdup(*path);
		int rc = copy_path(s->plan->top, s->path, name, err);

		while (*name != '\0' && name[strlen(name) - 1] == '/')
			name[strlen(name) - 1] = '\0';
		if (rc < 0)
			return -1;
		if (rc > 0)
			s->note.copied = strlist_add(s->note.copied, name);
	}
	return 0;
}

static int
setup_run(const struct site *s, struct err *err)
{
	AUTO_BUF why = BUF_INIT;
	int rc = command_run(
	    &(struct command){
		.what = "the setup command",
		.shell = s->plan->setup,
		.worktree = s->path,
		.prefix = s->plan->prefix,
		.ticket = s->ticket->id,
		.timeout = s->plan->setup_timeout,
	    },
	    &why, err);

	return rc > 0 ? err_set(err, "%s", why.data) : rc;
}

/* Removes everything that was made for a worktree in which nobody has worked; a branch that
 * existed before stays. */
static void
tree_undo(struct site *s, bool resumed)
{
	if (site_look(s, NULL) == 0)
		(void)!work_leave(s, resumed ? NULL : s->base, NULL);
}

/* Takes the name and the branch for this ticket.  1: somebody was faster. */
static int
prepare_tree_take(struct site *s, bool resume, struct err *err)
{
	AUTO_LOCK int lock = repo_lock(s->common, err);

	if (lock < 0)
		return -1;
	if (site_is_taken(s))
		return 1;
	return site_save_note(s, NOTE_MAKING, err) < 0 || tree_add(s, resume, err) < 0 ||
		       tree_checkout(s, resume, err) < 0
		   ? -1
		   : 0;
}

/* Makes the note that of a worktree without work: it tells where the worktree starts, and
 * nothing of earlier attempts. */
static void
note_begin(struct site *s)
{
	xstrset(&s->note.start, s->base);
	xstrset(&s->note.why, NULL);
}

static int
prepare_tree_make(struct site *s, struct land_result *result, struct err *err)
{
	int rc;

	result->resumed = s->tip != NULL && !site_has(s, s->base, s->tip);
	if (!result->resumed)
		note_begin(s);
	strlist_free(take_ptr(s->note.copied));
	if (sync_ahead(s->common, s->base, err) < 0 || dir_make(s, err) < 0)
		return -1;
	rc = prepare_tree_take(s, result->resumed, err);
	if (rc == 0 && (files_copy(s, err) < 0 || setup_run(s, err) < 0 ||
			   site_save_note(s, NOTE_READY, err) < 0))
		rc = -1;
	if (rc < 0)
		tree_undo(s, result->resumed);
	return rc;
}

/* Reuses the worktree with the work in it.  A worktree without any work is moved to where a new
 * one would start. */
static int
tree_reuse(struct site *s, struct work *w, struct land_result *result, struct err *err)
{
	AUTO_LOCK int lock = -1;

	result->resumed = has_work(s, w);
	if (result->resumed && save_interrupted(s, w, err) < 0)
		return -1;
	if (!result->resumed)
		note_begin(s);
	if (site_save_note(s, NOTE_READY, err) < 0)
		return -1;
	if (result->resumed)
		return 0;
	lock = repo_lock(s->common, err);
	return lock < 0 ? -1
			: git_run(s->path, "git checkout",
			      ARGS("checkout", "-q", "--no-track", "-B", s->branch, s->base),
			      NULL, err);
}

/* Finishes the past: removes what an interrupted step was about to remove, and gives up a name
 * that nothing has any more. */
static int
past_end(struct site *s, struct err *err)
{
	if (s->note.state != NOTE_LEAVING && (s->note.state != NOTE_PAST || s->tip != NULL))
		return 0;
	if (s->note.state == NOTE_LEAVING && work_leave(s, NULL, err) < 0)
		return -1;
	note_release(&s->note);
	site_name(s);
	return site_look(s, err);
}

/* 1: the name that was chosen is somebody else's by now. */
static int
prepare(struct site *s, struct land_result *result, struct err *err)
{
	AUTO(work_release) struct work w = WORK_INIT;
	int choice;

	if (site_look(s, err) < 0 || base_find(s, err) < 0 || base_begin(s, err) < 0 ||
	    past_end(s, err) < 0)
		return -1;
	choice = choice_find(s, &w, err);
	if (choice == CHOICE_THERE)
		return tree_reuse(s, &w, result, err);
	return choice < 0 ? -1 : prepare_tree_make(s, result, err);
}

static int
prepare_do(struct site *s, struct land_result *result, struct err *err)
{
	int rc = 1;

	for (int i = 0; rc > 0 && i < CHOICES_MAX; i++)
		rc = prepare(s, result, err);
	if (rc != 0)
		return rc < 0 ? -1 : err_set(err, "every name for %s is taken", s->ticket->id);
	result->path = take_ptr(s->path);
	result->branch = take_ptr(s->branch);
	result->commit = take_ptr(s->base);
	result->mended = take_ptr(s->mended);
	result->text = result->resumed ? take_ptr(s->note.why) : NULL;
	return 0;
}

int
land_prepare(const struct land_plan *plan, const struct land_ticket *ticket,
    struct land_result *result, struct err *err)
{
	return site_do(plan, ticket, LAND_PREPARED, prepare_do, result, err);
}
