#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/text.h"
#include "git/git.h"
#include "git/refs.h"
#include "git/repo.h"
#include "git/sync.h"
#include <fcntl.h>
#include <sys/stat.h>

#define MARK_MAX ((size_t)1024 * 1024)
#define REASON_FILES 5

/* ---- who has the branch now ---------------------------------------------------------- */

/* Is the name a line of the file? */
static bool
file_names(const char *dir, const char *file, const char *name)
{
	AUTO_FREE char *path = xasprintf("%s/%s", dir, file);
	AUTO_BUF text = BUF_INIT;

	return fs_read(AT_FDCWD, path, MARK_MAX, &text, NULL) == 0 &&
	       text_lists(text.data, '\n', name);
}

/* Finds the operation in a git directory that will move the branch: a rebase or bisect takes
 * the branch off HEAD, and puts it back or moves it at its end.  NULL: none. */
static const char *
use_in(const struct site *s, const char *git_dir)
{
	if (file_names(git_dir, "rebase-merge/head-name", s->target) ||
	    file_names(git_dir, "rebase-apply/head-name", s->target) ||
	    file_names(git_dir, "rebase-merge/update-refs", s->target))
		return "rebase";
	if (file_names(git_dir, "BISECT_START", s->plan->branch))
		return "bisect";
	return NULL;
}

static const char *
use_find(const struct site *s)
{
	AUTO_FREE char *dir = xasprintf("%s/worktrees", s->common);
	const char *use = use_in(s, s->common);
	AUTO_STRLIST names = NULL;

	if (use != NULL || fs_list(AT_FDCWD, dir, &names, NULL) < 0)
		return use;
	for (char **name = names; name != NULL && *name != NULL && use == NULL; name++) {
		AUTO_FREE char *git_dir = xasprintf("%s/%s", dir, *name);

		use = use_in(s, git_dir);
	}
	return use;
}

enum place { PLACE_NONE, PLACE_TREE, PLACE_BUSY };

/* Finds the worktree that has the branch checked out; BUSY: nothing may be done to the branch
 * there, and `why` says so. */
static enum place
publish_place_find(const struct site *s, struct listed_tree *where, struct buf *why)
{
	const char *use = use_find(s);
	const char *at = s->trees.out.data;
	enum place place = PLACE_NONE;
	struct listed_tree e;

	if (use != NULL) {
		buf_addf(why, "a %s of %s is under way", use, s->plan->branch);
		return PLACE_BUSY;
	}
	while (trees_next(&at, &s->trees, &e)) {
		bool gone = e.missing || !path_is_there(e.path);

		if (!text_same(e.branch, s->target) || (gone && e.locked == NULL))
			continue;
		if (gone || place == PLACE_TREE) {
			buf_addf(why, "%s is checked out in ", s->plan->branch);
			text_show(why, e.path, strlen(e.path), false);
			buf_adds(why, gone ? ", which is not there" : " as well");
			return PLACE_BUSY;
		}
		place = PLACE_TREE;
		*where = e;
	}
	return place;
}

/* ---- moving -------------------------------------------------------------------------- */

/* Has B or L changed since the last look? */
static bool
is_outrun(struct site *s)
{
	AUTO_FREE char *b = s->b != NULL ? xstrdup(s->b) : NULL;
	AUTO_FREE char *l = s->l != NULL ? xstrdup(s->l) : NULL;

	if (site_look(s, NULL) < 0)
		return false;
	return ((b != NULL || s->b != NULL) && !text_same(b, s->b)) ||
	       ((l != NULL || s->l != NULL) && !text_same(l, s->l));
}

/* Can B become the merge with base?  It can when base includes B's commits, or is B. */
static bool
lands(const struct site *s)
{
	return s->clash == NULL || strcmp(s->base, s->b) == 0;
}

/* Moves the references; call under the lock. */
static int
refs_move(
    struct site *s, enum place place, const char *commit, const char *work, struct err *err)
{
	AUTO_BUF script = BUF_INIT;

	if (place == PLACE_NONE && lands(s)) {
		script_set(&script, s->target, commit, s->b);
		if (s->l != NULL && s->clash == NULL)
			buf_addf(&script, "delete %s %s\n", s->queue, s->l);
	} else {
		script_set(&script, s->queue, commit, s->l);
		buf_addf(&script, "verify %s %s\n", s->target, s->b);
	}
	/* Also moves the ticket's branch: else a merge that is killed now would find the
	 * leftovers again. */
	if (work != NULL && !text_same(s->tip, work))
		script_set(&script, s->own, work, s->tip);
	if (site_update_refs(s, &script, err) < 0)
		return is_outrun(s) ? 1 : -1;
	if (work != NULL)
		xstrset(&s->tip, work);
	s->published = place == PLACE_NONE && lands(s);
	if (s->published && s->l != NULL && s->clash == NULL)
		line_forget(s);
	return 0;
}

/* ---- publishing ---------------------------------------------------------------------- */

/* Appends the first line of what git said, and the files that git lists behind that line. */
static void
reason_take(const struct buf *said, struct buf *why)
{
	const char *line = said->data;
	size_t files = 0;

	while (strncmp(line, "warning:", 8) == 0 || strncmp(line, "hint:", 5) == 0) {
		line += strcspn(line, "\n");
		line += *line == '\n';
	}
	if (strncmp(line, "error: ", 7) == 0 || strncmp(line, "fatal: ", 7) == 0)
		line += 7;
	text_show(why, line, strcspn(line, "\n"), false);
	for (line += strcspn(line, "\n"); line[0] == '\n' && line[1] == '\t';) {
		line += 2;
		if (files < REASON_FILES) {
			buf_adds(why, files > 0 ? ", " : " ");
			text_show(why, line, strcspn(line, "\n"), false);
		}
		files++;
		line += strcspn(line, "\n");
	}
	buf_adds(why, lock_remedy(why->data));
	if (why->len == 0)
		buf_adds(why, "git could not merge it");
}

/* Notes that a checkout took the commit.  Git has written down from where; a checkout that took
 * several commits was moved from where the first one found it. */
static void
taken_note(struct site *s, const char *top, const char *commit)
{
	AUTO_FREE char *git_dir = tree_git_dir(top, s->common);
	bool more = text_same(s->checkout, top);

	xstrset(&s->checkout, top);
	xstrset(&s->to, commit);
	if (more)
		return;
	free(s->from);
	s->from = git_dir != NULL ? repo_file_line(git_dir, "ORIG_HEAD") : NULL;
}

/* Moves the worktree forward to the commit; overwrites nothing of the user's. */
static bool
tree_forward(
    struct site *s, const struct listed_tree *where, const char *commit, struct buf *why)
{
	/* The user's options for merges would make another merge. */
	AUTO_FREE char *none = xasprintf("branch.%s.mergeOptions=", s->plan->branch);
	const struct git_call merge = {
	    .dir = where->path,
	    .what = "git merge",
	    .args = ARGS("-c", none, "merge", "--ff-only", "--commit", "--no-squash",
		"--no-autostash", "--no-overwrite-ignore", "--no-verify-signatures",
		"--no-stat", "-q", commit),
	    /* publish_sync follows, for the files of the checkout as well. */
	    .unsynced = true,
	};
	struct err err = ERR_INIT;
	AUTO_RUN result = RUN_INIT;

	if (git_try(&merge, &result, &err) < 0) {
		buf_adds(why, err.text);
		return false;
	}
	if (!exit_ok(result.status)) {
		reason_take(&result.err, why);
		return false;
	}
	taken_note(s, where->path, commit);
	return true;
}

static bool
is_locked(const char *dir, const char *name)
{
	AUTO_FREE char *path = xasprintf("%s/%s.lock", dir, name);

	return path_is_there(path);
}

/* Is the worktree still on B, and can the reference be moved?  Git itself finds out only after
 * it has changed the files. */
static bool
tree_is_free(const struct site *s, const struct listed_tree *where)
{
	AUTO_FREE char *git_dir = tree_git_dir(where->path, s->common);

	/* Locks that we left ourselves are removed first: they must not be in the way. */
	refs_sweep(s->common);
	return git_dir != NULL && (!refs_are_files(s->common) || head_is(git_dir, s->target)) &&
	       !is_locked(git_dir, "HEAD") && !is_locked(s->common, s->target) &&
	       !is_locked(s->common, "reftable/tables.list");
}

/* Makes the checkout take the commit as it is.  Work that is on no branch yet (NULL: there is
 * none) is put on the ticket's branch first: else a process that is killed now would find the
 * leftovers again.  Also checks that B is the branch that was moved: the checkout may have been
 * switched meanwhile. */
static bool
publish_tree_take(struct site *s, const struct listed_tree *where, const char *commit,
    const char *work, struct buf *why)
{
	AUTO_FREE char *now = NULL;

	if (!tree_is_free(s, where) || (work != NULL && site_set_own(s, work, NULL) < 0) ||
	    !tree_forward(s, where, commit, why))
		return false;
	now = git_line(s->plan->top, "git rev-parse",
	    ARGS("rev-parse", "-q", "--verify", s->target), NULL);
	return text_same(now, commit);
}

/* Refuses a merge that B does not take now and that cannot wait: it stands on commits that L
 * cannot have.  1: look again. */
static int
move_refuse(struct site *s, const struct buf *why, struct err *err)
{
	if (is_outrun(s))
		return 1;
	return err_set(err,
	    "%s cannot take it now: %s. Commit or stash that and run the loop again; the work "
	    "is "
	    "on %s. (What waits in %s conflicts with %s, so it cannot wait there.)",
	    s->plan->branch, why->len > 0 ? why->data : "its checkout is in the way", s->branch,
	    s->queue, s->plan->branch);
}

int
publish_move(struct site *s, const char *commit, const char *work, struct err *err)
{
	AUTO_LOCK int lock = repo_lock(s->common, err);
	AUTO_BUF why = BUF_INIT;
	enum place place;
	struct listed_tree where;

	/* We may have waited for the lock, and somebody may have switched branches
	 * meanwhile. */
	if (lock < 0 || site_trees(s, err) < 0)
		return -1;
	place = publish_place_find(s, &where, &why);
	s->published = place == PLACE_TREE && work != NULL &&
		       (s->l == NULL || (s->clash != NULL && lands(s))) &&
		       publish_tree_take(s, &where, commit, work, &why);
	/* When the checkout did not take the merge, the merge waits in L if it can. */
	if (s->published)
		return 0;
	return s->clash != NULL && lands(s) && place != PLACE_NONE
		   ? move_refuse(s, &why, err)
		   : refs_move(s, place, commit, work, err);
}

int
publish_sync(const struct site *s, struct err *err)
{
	const char *checkout = s->checkout != NULL ? s->checkout : s->plan->top;
	const struct sync_checkout taken = {
	    .common = s->common,
	    .top = checkout,
	    .from = s->from,
	    .to = s->to,
	    .refs = ARGS(s->target, s->queue),
	};
	struct stat repo, tree;

	/* Who was killed before this may have written anything. */
	if (s->from != NULL && sync_is_large(s->common))
		return sync_checkout(&taken, err);
	if (repo_sync(s->common, err) < 0)
		return -1;
	if (stat(checkout, &tree) < 0 ||
	    (stat(s->common, &repo) == 0 && repo.st_dev == tree.st_dev))
		return 0;
	return fs_sync_all(checkout, err);
}

/* Removes L: B has all of its merges now.  Also checks that B is the branch that was moved. */
static bool
queue_close(const struct site *s, const char *commit, struct buf *why)
{
	AUTO_BUF script = BUF_INIT;
	struct err err = ERR_INIT;

	buf_addf(&script, "verify %s %s\ndelete %s %s\n", s->target, commit, s->queue, commit);
	if (publish_sync(s, &err) == 0 && site_update_refs(s, &script, &err) == 0) {
		line_forget(s);
		return true;
	}
	buf_adds(why, err.text);
	return false;
}

/* ---- waiting ------------------------------------------------------------------------- */

/* Makes B take a single merge; call under the lock. where: NULL when B is checked out
 * nowhere. */
static bool
apart_take(struct site *s, const struct listed_tree *where, const char *commit)
{
	AUTO_BUF script = BUF_INIT;
	AUTO_BUF why = BUF_INIT;

	script_set(&script, s->target, commit, s->b);
	if (where != NULL ? !publish_tree_take(s, where, commit, NULL, &why)
			  : site_update_refs(s, &script, NULL) < 0)
		return false;
	xstrset(&s->b, commit);
	return true;
}

/* Call under the lock.  Merges that B took are on the disk when they are reported.  A ticket
 * that lands tries only its own merge: the others were tried when they landed. */
static void
queue_take(struct site *s, const struct listed_tree *where, const char *commit, struct queue *q)
{
	bool some = false;

	for (size_t i = s->ticket != NULL && q->n > 0 ? q->n - 1 : 0; i < q->n; i++) {
		AUTO_FREE char *alone = queue_apart(s, q, &q->list[i]);

		some |= alone != NULL && apart_take(s, where, alone);
	}
	if (!some || publish_sync(s, NULL) < 0)
		return;
	queue_release(q);
	(void)!queue_read(s, commit, q, NULL);
}

/* Says what waits in `commit`, which is L, and records it. */
static void
waiting_tell(
    const struct site *s, const char *commit, const struct queue *q, struct land_result *r)
{
	AUTO_BUF text = BUF_INIT;

	/* When the file cannot be written, L exists all the same, and the next look writes the
	 * file. */
	(void)!line_remember(s, commit, q, NULL);
	r->waiting = queue_count(q);
	r->by_hand = s->clash != NULL;
	r->waits = r->commit == NULL || q->known == 0 || queue_find(q, r->commit) != NULL;
	strlist_free(take_ptr(r->tickets));
	free(take_ptr(r->text));
	if (r->waiting == 0)
		return;
	r->tickets = queue_tickets(q);
	queue_tell(s, q, &text);
	buf_addf(&text, ": %s", s->obstacle);
	r->text = buf_detach(&text);
}

/* Can B take single merges?  Where it is checked out nowhere, the next attempt gives it all of
 * L, unless L and B conflict. */
static bool
takes_apart(const struct site *s, enum place place)
{
	return place == PLACE_TREE || (place == PLACE_NONE && s->clash != NULL);
}

/* Call under the lock, if there is one.  B cannot take all of L; `where` is the worktree in
 * which single merges may be tried. */
static void
publish_wait(struct site *s, enum place place, const struct listed_tree *where,
    const char *commit, struct land_result *result)
{
	AUTO(queue_release) struct queue q = {.list = NULL};

	if (queue_read(s, commit, &q, NULL) == 0 && takes_apart(s, place) &&
	    s->plan->verify == NULL)
		queue_take(s, place == PLACE_TREE ? where : NULL, commit, &q);
	waiting_tell(s, commit, &q, result);
}

void
publish_apart(struct site *s, const char *alone, const char *commit, struct land_result *result)
{
	AUTO_LOCK int lock = repo_lock(s->common, NULL);
	AUTO_BUF why = BUF_INIT;
	struct listed_tree where = {.path = NULL};
	AUTO(queue_release) struct queue q = {.list = NULL};
	enum place place = PLACE_BUSY;

	if (lock >= 0 && site_trees(s, NULL) == 0)
		place = publish_place_find(s, &where, &why);
	if (takes_apart(s, place) &&
	    apart_take(s, place == PLACE_TREE ? &where : NULL, alone) &&
	    queue_read(s, commit, &q, NULL) == 0)
		waiting_tell(s, commit, &q, result);
}

void
publish_try(struct site *s, const char *commit, struct land_result *result)
{
	AUTO_BUF why = BUF_INIT;
	AUTO_LOCK int lock = -1;
	struct err err = ERR_INIT;
	enum place place = PLACE_BUSY;
	struct listed_tree where;
	bool done = s->published;

	if (!done && ((lock = repo_lock(s->common, &err)) < 0 || site_trees(s, &err) < 0))
		buf_adds(&why, err.text);
	else if (!done)
		done = (place = publish_place_find(s, &where, &why)) == PLACE_TREE &&
		       s->clash == NULL && tree_forward(s, &where, commit, &why) &&
		       queue_close(s, commit, &why);
	if (done && s->clash == NULL)
		return;
	xstrset(&s->obstacle, s->clash != NULL ? s->clash
			      : why.len > 0    ? why.data
					       : "not tried yet");
	publish_wait(s, place, &where, done ? s->l : commit, result);
	result->waits &= !done;
}
