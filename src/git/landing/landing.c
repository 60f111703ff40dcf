#include "git/landing/landing.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/lock.h"
#include "base/text.h"
#include "git/command.h"
#include "git/git.h"
#include "git/landing/parts.h"
#include "git/repo.h"
#include <errno.h>

/* How often others may be faster before we give up. */
#define TRIES 20
/* How long work that was collected before its turn may wait for it. */
#define EARLY_FOR NSEC_PER_SEC

static const char *const outcome_names[LAND_OUTCOMES] = {
    [LAND_PREPARED] = "prepared",
    [LAND_MERGED] = "merged",
    [LAND_NOTHING] = "nothing",
    [LAND_CONFLICT] = "conflict",
    [LAND_UNVERIFIED] = "unverified",
    [LAND_KEPT] = "kept",
    [LAND_SAVED] = "saved",
};

const char *
land_outcome_name(enum land_outcome o)
{
	return o < LAND_OUTCOMES ? outcome_names[o] : "?";
}

int
land_outcome_parse(const char *name)
{
	for (int i = 0; i < LAND_OUTCOMES; i++)
		if (strcmp(name, outcome_names[i]) == 0)
			return i;
	return -1;
}

void
land_result_release(struct land_result *r)
{
	free(r->path);
	free(r->branch);
	free(r->commit);
	free(r->ref);
	free(r->text);
	strlist_free(r->tickets);
	strlist_free(r->held);
	strlist_free(r->dropped);
	strlist_free(r->removed);
	free(r->left);
	free(r->mended);
	*r = (struct land_result){.outcome = LAND_NOTHING};
}

/* ---- merging ------------------------------------------------------------------------- */

/* Keeps the work, and notes why for the ticket's next attempt, perhaps in another run. */
static void
result_keep(
    struct site *s, struct land_result *result, enum land_outcome outcome, struct buf *text)
{
	result->outcome = outcome;
	result->path = xstrdup(s->path);
	result->branch = xstrdup(s->branch);
	result->commit = xstrdup(s->base);
	result->text = buf_detach(text);
	free(s->note.why);
	s->note.why = xasprintf("%s%s when merged with %.12s",
	    outcome == LAND_CONFLICT ? "conflict in " : "", result->text, s->base);
	(void)!site_save_note(s, s->note.state, NULL);
}

/* 0, or 1: others were faster. */
static int
queue_publish(struct site *s, struct land_result *result, struct err *err)
{
	int rc;

	if (s->clash != NULL)
		xstrset(&s->base, s->l);
	rc = publish_move(s, s->base, NULL, err);
	if (rc == 0)
		publish_try(s, s->base, result);
	return rc;
}

/* Believes that there is nothing to merge when the session's own tree, on its own branch,
 * proves it, or the note that we wrote when we saw that tree. */
static int
nothing_believe(const struct site *s, const struct work *w, struct err *err)
{
	if (s->note.nothing)
		return 0;
	if (!w->there)
		return err_set(err, "%s is gone, and nothing of it has landed", s->path);
	if (!text_same(w->on, s->own))
		return err_set(err,
		    "%s is not on its branch %s, and has nothing that could land; nothing was "
		    "touched",
		    s->path, s->branch);
	return 0;
}

/* Nothing is left to merge: finds out whether the work was merged before. */
static int
merge_ended(struct site *s, const struct work *w, struct land_result *result, struct err *err)
{
	free(result->commit);
	result->commit = merge_find(s);
	result->outcome = result->commit != NULL ? LAND_MERGED : LAND_NOTHING;
	if (result->commit == NULL && nothing_believe(s, w, err) < 0)
		return -1;
	s->note.nothing = result->commit == NULL;
	/* The process that made the merge may have been killed before the merge was on the
	 * disk. */
	if ((result->commit != NULL && publish_sync(s, err) < 0) ||
	    work_leave(s, s->tip, err) < 0)
		return -1;
	return result->commit != NULL && s->l != NULL ? queue_publish(s, result, err) : 0;
}

/* Runs the plan's verify in a work tree. */
static int
plan_verify(const struct land_plan *plan, const char *tree, const char *ticket, struct buf *why,
    struct err *err)
{
	return command_run(
	    &(struct command){
		.what = "verify",
		.shell = plan->verify,
		.worktree = tree,
		.prefix = plan->prefix,
		.ticket = ticket,
		.timeout = plan->verify_timeout,
	    },
	    why, err);
}

/* Verifies a commit in the ticket's worktree.  0: it is good; 1: it is not, `why` tells. */
static int
commit_verify(
    struct site *s, struct work *w, const char *commit, struct buf *why, struct err *err)
{
	int rc;

	if (work_settle(s, w, err) < 0 || site_save_note(s, NOTE_VERIFYING, err) < 0)
		return -1;
	rc = git_run(s->path, "git checkout",
	    ARGS("checkout", "-q", "-f", "--detach", commit, "--"), NULL, err);
	if (rc == 0)
		rc = plan_verify(s->plan, s->path, s->ticket->id, why, err);
	if (rc == 0)
		return 0;
	return work_restore(s, w, rc < 0 ? NULL : err) < 0 ? -1 : rc;
}

/* Tries to publish a merge that waits because of others.  Alone on top of B the merge makes
 * another tree, which has to be verified, too. */
static void
merge_apart(struct site *s, struct work *w, const char *commit, struct land_result *result)
{
	AUTO_FREE char *alone = NULL;
	AUTO_BUF why = BUF_INIT;
	const struct pending *p;
	AUTO(queue_release) struct queue q = {.list = NULL};

	if (queue_read(s, commit, &q, NULL) == 0 && (p = queue_find(&q, commit)) != NULL)
		alone = queue_apart(s, &q, p);
	if (alone != NULL && commit_verify(s, w, alone, &why, NULL) == 0)
		publish_apart(s, alone, commit, result);
}

/* Call once the merge is in L or B: puts what is kept in order, and removes all else. */
static int
merge_finish(struct site *s, struct work *w, const char *commit, struct land_result *result)
{
	AUTO_BUF script = BUF_INIT;
	struct err why = ERR_INIT;
	int rc = 0;

	result->outcome = LAND_MERGED;
	result->commit = xstrdup(commit);
	publish_try(s, commit, result);
	if (result->waits && s->plan->verify != NULL && w->there)
		merge_apart(s, w, commit, result);
	/* The steps from here on concern this ticket alone. */
	lock_release(&s->turn);
	if (!result->waits)
		rc = publish_sync(s, &why);
	if (rc == 0 && (s->plan->keep_branch || s->plan->keep_worktree))
		rc = work_settle(s, w, &why);
	if (rc == 0 && s->plan->keep_worktree && w->there) {
		(void)git_yes(s->path, ARGS("checkout", "-q", "-f", "--detach", commit, "--"));
		xstrset(&s->note.start, commit);
		rc = site_save_note(s, NOTE_READY, &why);
		result->path = xstrdup(s->path);
		if (!s->plan->keep_branch && s->tip != NULL) {
			buf_addf(&script, "delete %s %s\n", s->own, s->tip);
			(void)!site_update_refs(s, &script, NULL);
		}
	} else if (rc == 0) {
		rc = work_leave(s, s->plan->keep_branch ? NULL : s->tip, &why);
	}
	if (s->plan->keep_branch)
		result->branch = xstrdup(s->branch);
	/* The work has landed all the same, so a failure to clean up is no error. */
	if (rc < 0 && result->text == NULL)
		result->text = xasprintf("%s or %s stays: %s", s->path, s->branch, why.text);
	return 0;
}

/* Makes the merge of base and the work; *merge stays NULL when base has all of the work.  1:
 * result says why there is no merge. */
static int
merge_make(
    struct site *s, struct work *w, char **merge, struct land_result *result, struct err *err)
{
	AUTO_FREE char *theirs = NULL;
	AUTO_FREE char *tree = NULL;
	AUTO_BUF message = BUF_INIT;
	AUTO_BUF files = BUF_INIT;
	int rc;

	if (!w->fresh && site_has(s, s->base, w->commit))
		return 0;
	strlist_free(take_ptr(result->dropped));
	theirs = merge_without(s, w->commit, &result->dropped, err);
	if (theirs == NULL)
		return -1;
	rc = merge_trees(s, s->base, theirs, &tree, &files, err);
	if (rc < 0 || (rc > 0 && work_settle(s, w, err) < 0))
		return -1;
	if (rc > 0) {
		result_keep(s, result, LAND_CONFLICT, &files);
		return 1;
	}
	strlist_free(take_ptr(result->held));
	if (merge_guard(s, &tree, result, err) < 0)
		return -1;
	message_make(s, &message);
	*merge = commit_make(s, tree, ARGS(s->base, w->commit), message.data, err);
	return *merge != NULL ? 0 : -1;
}

/* Tries to land once.  0: `result` says how it ended; 1: others were faster. */
static int
merge_work(struct site *s, struct work *w, struct land_result *result, struct err *err)
{
	AUTO_FREE char *merge = NULL;
	AUTO_BUF why = BUF_INIT;
	bool normal;
	int rc;

	if (work_collect(s, w, err) < 0)
		return -1;
	xstrset(&result->left, w->left);
	rc = w->commit != NULL ? merge_make(s, w, &merge, result, err) : 0;
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	if (merge == NULL)
		return merge_ended(s, w, result, err);
	if (work_sync(s, w, err) < 0)
		return -1;
	/* An agent's worktree may be on the very branch that is to be moved. */
	normal = !w->there || text_same(w->on, s->own);
	if (!normal && work_settle(s, w, err) < 0)
		return -1;
	if (s->plan->verify != NULL && !w->there)
		return err_set(
		    err, "%s is gone: what is on %s cannot be verified", s->path, s->branch);
	rc = s->plan->verify != NULL ? commit_verify(s, w, merge, &why, err) : 0;
	if (rc > 0)
		result_keep(s, result, LAND_UNVERIFIED, &why);
	if (rc != 0)
		return rc < 0 ? -1 : 0;
	if (((!normal || s->plan->verify != NULL) && site_trees(s, err) < 0) ||
	    work_stage(w, err) < 0)
		return -1;
	rc = publish_move(s, merge, w->commit, err);
	return rc == 0 ? merge_finish(s, w, merge, result) : rc;
}

/* Another session has the worktree by now.  That does no harm when this session's merge was
 * made before. */
static int
merge_recall(struct site *s, struct land_result *result)
{
	free(take_ptr(s->note.start)); /* the other session's */
	free(result->commit);
	result->commit = merge_find(s);
	result->outcome = LAND_MERGED;
	return result->commit != NULL ? 0 : -1;
}

static int
merge_try(struct site *s, struct work *w, struct land_result *result, struct err *err)
{
	int rc;

	if (site_look(s, err) < 0 || base_find(s, err) < 0)
		return -1;
	base_resume(s);
	if (site_is_own(s, err) < 0)
		return merge_recall(s, result);
	if (s->note.state == NOTE_LEAVING)
		return merge_ended(s, w, result, err);
	rc = merge_work(s, w, result, err);
	work_release(w);
	return rc;
}

/* Collects the work early, if possible, and waits for the ticket's turn; 1: it has come. */
static int
merge_begin(struct site *s, struct work *w, struct err *err)
{
	int64_t begun;

	work_collect_early(s, w);
	begun = clock_boot();
	s->turn = repo_turn(s->common, s->plan->branch, err);
	/* Somebody may have looked into the worktree meanwhile, and changed something. */
	if (clock_boot() - begun > EARLY_FOR)
		work_release(w);
	return s->turn < 0 ? -1 : 1;
}

static int
merge_do(struct site *s, struct land_result *result, struct err *err)
{
	AUTO(work_release) struct work w = WORK_INIT;
	int rc = merge_begin(s, &w, err);

	for (int i = 0; rc > 0 && i < TRIES; i++)
		rc = merge_try(s, &w, result, err);
	line_tell(s, result);
	return rc <= 0
		   ? rc
		   : err_set(err, "%s keeps moving: the merge is given up", s->plan->branch);
}

int
land_merge(const struct land_plan *plan, const struct land_ticket *ticket,
    struct land_result *result, struct err *err)
{
	return site_do(plan, ticket, LAND_NOTHING, merge_do, result, err);
}

/* ---- keeping ------------------------------------------------------------------------- */

/* Puts the work on the ticket's branch, and the worktree on that branch. */
static int
keep_do(struct site *s, struct land_result *result, struct err *err)
{
	AUTO(work_release) struct work w = WORK_INIT;

	if (site_look(s, err) < 0 || site_is_own(s, err) < 0)
		return -1;
	xstrset(&s->base, s->b);
	if (!s->plan->leave_changes &&
	    (work_collect_here(s, &w, err) < 0 || work_settle(s, &w, err) < 0))
		return -1;
	result->path = take_ptr(s->path);
	result->branch = take_ptr(s->branch);
	return 0;
}

int
land_keep(const struct land_plan *plan, const struct land_ticket *ticket,
    struct land_result *result, struct err *err)
{
	return site_do(plan, ticket, LAND_KEPT, keep_do, result, err);
}

/* ---- publishing ---------------------------------------------------------------------- */

/* 0, or 1: others were faster. */
static int
publish_once(struct site *s, struct land_result *result, struct err *err)
{
	if (site_refs(s, err) < 0 || line_mend(s, err) < 0)
		return -1;
	if (s->l == NULL)
		return 0;
	if (site_trees(s, err) < 0 || base_find(s, err) < 0)
		return -1;
	result->outcome = strcmp(s->base, s->b) == 0 ? LAND_NOTHING : LAND_MERGED;
	xstrset(&result->commit, s->base);
	return queue_publish(s, result, err);
}

static int
publish_do(struct site *s, struct land_result *result, struct err *err)
{
	int rc = 1;

	s->turn = repo_turn(s->common, s->plan->branch, err);
	if (s->turn < 0)
		return -1;
	for (int i = 0; rc > 0 && i < TRIES; i++)
		rc = publish_once(s, result, err);
	if (rc != 0)
		return rc < 0 ? -1
			      : err_set(err, "%s keeps moving: it is not published",
				    s->plan->branch);
	line_tell(s, result);
	lock_release(&s->turn);
	leave_finish_all(s->plan, s->common);
	result->removed = leave_merged_all(s->plan, s->common);
	return 0;
}

int
land_publish(const struct land_plan *plan, struct land_result *result, struct err *err)
{
	return site_do(plan, NULL, LAND_NOTHING, publish_do, result, err);
}

int
land_verify(const struct land_plan *plan, struct land_result *result, struct err *err)
{
	AUTO_BUF why = BUF_INIT;
	int rc = plan_verify(plan, plan->top, NULL, &why, err);

	*result = (struct land_result){.outcome = LAND_NOTHING};
	if (rc > 0) {
		result->outcome = LAND_UNVERIFIED;
		result->text = buf_detach(&why);
	}
	return rc < 0 ? -1 : 0;
}
