/*
 * collect.c - all of a ticket's work as one commit: what its agent committed, and what it left.
 */
#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/text.h"
#include "git/git.h"
#include "git/object.h"
#include "git/repo.h"
#include "git/trust/trust_guard.h"

static int
leftovers_refuse(
    const struct site *s, const struct work *w, const struct changes *c, struct err *err)
{
	AUTO_BUF first = BUF_INIT;

	if (c->underway != NULL)
		return err_set(err, "a %s is under way in %s", c->underway, s->path);
	if (w->head == NULL)
		return err_set(err, "%s is on a branch without a commit", s->path);
	if (c->count == 0)
		return 0;
	text_quote(&first, c->foreign != NULL ? c->foreign : c->first);
	if (c->unmerged)
		return err_set(err, "%s has conflicts that are not resolved", s->path);
	if (c->foreign != NULL)
		return err_set(
		    err, "the submodule %s in %s has work of its own", first.data, s->path);
	if (s->plan->leave_changes)
		return err_set(err, "%s has %zu uncommitted change%s (%s)", s->path, c->count,
		    c->count == 1 ? "" : "s", first.data);
	return 0;
}

/* Leftovers stand on HEAD.  When the branch has moved on from HEAD, the leftovers cannot be
 * committed, unless they equal what the branch moved to. */
static int
leftovers_place(const struct site *s, struct work *w, const char *tree, struct err *err)
{
	AUTO_FREE char *known = NULL;

	if (strcmp(w->commit, w->head) == 0)
		return 0;
	known = object_tree(s->plan->top, w->commit, err);
	if (known == NULL)
		return -1;
	if (strcmp(known, tree) == 0)
		return 1;
	return err_set(err,
	    "%s has changes on top of %.12s, and the branch %s has other commits; "
	    "nothing was touched",
	    s->path, w->head, s->branch);
}

static int
leftovers_commit(struct site *s, struct work *w, struct err *err)
{
	AUTO_FREE char *message = xasprintf("Ralph: complete %s\n", s->ticket->id);
	AUTO_FREE char *nested = NULL;
	AUTO_FREE char *tree = snapshot_take(s, w, &nested, err);
	char *commit;
	int placed;

	if (tree == NULL)
		return -1;
	if (nested != NULL)
		return err_set(err, "%s in %s is a repository of its own: it cannot land",
		    nested, s->path);
	placed = text_same(tree, work_tree(s, w)) ? 1 : leftovers_place(s, w, tree, err);
	if (placed != 0) {
		work_unstage(w);
		return placed < 0 ? -1 : 0;
	}
	commit = commit_make(s, tree, ARGS(w->head), message, err);
	if (commit == NULL)
		return -1;
	free(w->commit);
	w->commit = commit;
	w->fresh = true;
	return 0;
}

/* Is there a repository within that has commits of its own?  It stays where it is. */
static bool
has_unpushed(const struct site *s, const struct work *w, struct err *err)
{
	const struct inner_work inner = work_inner(s, w->commit);

	return w->there && w->commit != NULL && inner_has_unpushed(&inner, err);
}

/* Do the agent's own commits have files of a filter that is not trusted?  Those files went
 * through the filters as the agent had set them. */
static bool
has_wrong_filter(const struct site *s, const struct work *w, struct err *err)
{
	const char *from = s->note.start != NULL ? s->note.start : s->b;

	return w->there && w->commit != NULL && from != NULL &&
	       guard_commits(s->path, from, w->commit, err) < 0;
}

/* Are branch and worktree still as work_collect_early saw them? */
static bool
work_is_current(const struct site *s, const struct work *w)
{
	struct listed_tree e;

	return w->commit != NULL && text_same(s->tip, w->head) &&
	       trees_find(&s->trees, s->path, &e) && text_same(e.branch, s->own);
}

static int
collect(struct site *s, struct work *w, bool stays, struct err *err)
{
	AUTO(changes_release) struct changes c = {0};

	if (work_find(s, w, err) < 0)
		return -1;
	if (stays && !w->there)
		return err_set(err, "%s is gone", s->path);
	if (w->there &&
	    (work_changes(s, w, &c, err) < 0 || leftovers_refuse(s, w, &c, err) < 0 ||
		(!stays && ignored_keep(s, w, &c, err) < 0)))
		return -1;
	if (work_choose(s, w, err) < 0 || (c.count > 0 && leftovers_commit(s, w, err) < 0))
		return -1;
	return !stays && (has_unpushed(s, w, err) || has_wrong_filter(s, w, err)) ? -1 : 0;
}

int
work_collect(struct site *s, struct work *w, struct err *err)
{
	if (work_is_current(s, w))
		return 0;
	work_release(w);
	return collect(s, w, false, err);
}

void
work_collect_early(struct site *s, struct work *w)
{
	if (s->note.state != NOTE_READY || site_is_own(s, NULL) < 0 || site_look(s, NULL) < 0 ||
	    work_collect(s, w, NULL) < 0 || !w->there || work_sync(s, w, NULL) < 0)
		work_release(w);
}

int
work_collect_here(struct site *s, struct work *w, struct err *err)
{
	return collect(s, w, true, err);
}
