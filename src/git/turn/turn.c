#include "git/turn/turn.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "git/git.h"
#include "git/object.h"
#include "git/refs.h"
#include "git/repo.h"
#include "git/turn/turn_inside.h"
#include <errno.h>
#include <fcntl.h>

/* How often somebody may commit faster than we do, before we give up. */
#define HEAD_TRIES 5

/* ---- beginning ----------------------------------------------------------------------- */

/* Makes a commit of the tree, and lets the turn's reference keep it alive; NULL + err. */
static char *
keep(const struct place *p, const char *tree, const char *parent, const char *when,
    struct err *err)
{
	AUTO_FREE char *title = xasprintf("Ralph: %s %s", when, p->turn->task);
	AUTO_FREE char *commit = place_commit(p, tree, parent, title, err);
	AUTO_BUF script = BUF_INIT;

	if (commit == NULL)
		return NULL;
	buf_addf(&script, "update %s %s\n", p->ref, commit);
	return refs_update(p->top, p->common, NULL, &script, err) < 0 ? NULL : take_ptr(commit);
}

/* Sets the error for a repository that was there and is gone; -1. */
static int
place_gone(const struct turn_spec *t, struct err *err)
{
	return err_code(err, EUCLEAN, "the git repository of %s is gone", t->root);
}

/* Keeps the start. `last`: the attempt before, when the task goes on with its work; NULL. */
static int
start_keep(struct place *p, const struct mark *last, struct err *err)
{
	AUTO_MARK m = {.none = p->none};
	AUTO_FREE char *tree = NULL;

	if (p->none && p->turn->tracked)
		return place_gone(p->turn, err);
	xstrset(&m.run, p->turn->run);
	xstrset(&m.about, p->turn->about);
	if (!p->none) {
		if (place_look(p, NULL, NULL, err) < 0)
			return -1;
		tree = last != NULL ? again_find(p, last, err) : xstrdup(p->tree);
		m.commit = tree != NULL ? keep(p, tree, p->head, "before", err) : NULL;
		if (m.commit == NULL)
			return -1;
		m.head = take_ptr(p->head);
		m.outside = p->outside;
		p->outside = (struct outside_list){.list = NULL};
		/* Going on, what was left is changed, too, and is the task's. */
		m.counted = p->counted && last == NULL;
		m.before = p->before;
		p->before = (struct outside_list){.list = NULL};
	}
	return mark_save(p->turn, &m, err);
}

static bool
turn_same(const char *a, const char *b)
{
	return a != NULL && b != NULL ? strcmp(a, b) == 0 : a == b;
}

int
turn_begin(const struct turn_spec *t, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_MARK last;
	struct place p;
	bool known = mark_load(t, &last, &why) == 0;
	bool goes_on = last.left != NULL && turn_same(last.about, t->about);
	int rc;

	if (!known && why.code != ENOENT)
		return err_pass(err, &why);
	if (known && last.left == NULL && turn_same(last.run, t->run))
		return 0;
	rc = place_open(&p, t, goes_on ? last.commit : NULL, err);
	/* An attempt whose start is gone from the repository cannot be continued. */
	if (rc == 0 && !(goes_on && !p.none && start_keep(&p, &last, &why) == 0))
		rc = start_keep(&p, NULL, err) < 0 ? -1 : known && !last.none;
	place_close(&p);
	return rc;
}

int
turn_can(const char *root, struct err *err)
{
	return repo_search(root, err);
}

static int
end_keep(struct place *p, struct mark *m, struct err *err)
{
	char *left = place_look(p, &m->outside, NULL, err) < 0
			 ? NULL
			 : keep(p, p->tree, m->commit, "after", err);

	if (left == NULL)
		return -1;
	free(m->left);
	m->left = left;
	if (mark_save(p->turn, m, err) < 0)
		return -1;
	hidden_unmark(p, &m->outside);
	return 0;
}

/* Is the start lost, so that the work tree at the end cannot be kept beside it? */
static bool
start_is_lost(const struct place *p, const struct mark *m, const struct err *err)
{
	return p->none || (p->top == NULL && err->code == EUCLEAN) ||
	       (p->top != NULL && !git_yes(p->top, ARGS("cat-file", "-e", m->commit)));
}

int
turn_end(const struct turn_spec *t, const char *waits, const char *summary, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_MARK m;
	struct place p;
	int rc = mark_load(t, &m, &why);

	if (rc < 0 || m.none)
		return rc == 0 || why.code == ENOENT ? 0 : err_set(err, "%s", why.text);
	/* A task that has waited before keeps the time of its end. */
	if (waits != NULL && m.waits == NULL)
		m.since = clock_wall();
	xstrset(&m.waits, waits);
	xstrset(&m.summary, summary);
	rc = place_open(&p, t, NULL, &why);
	if (rc == 0 && !p.none)
		rc = end_keep(&p, &m, &why);
	if (waits != NULL && (rc < 0 || p.none) && start_is_lost(&p, &m, &why))
		rc = mark_save(t, &m, err);
	else if (rc < 0)
		rc = err_set(err, "%s", why.text);
	place_close(&p);
	return rc;
}

int
turn_forget(const struct turn_spec *t, struct err *err)
{
	AUTO_BUF script = BUF_INIT;
	struct place p;
	int rc = place_open_known(&p, t, err);

	if (rc == 0 && !p.none) {
		buf_addf(&script, "delete %s\n", p.ref);
		rc = refs_update(p.top, p.common, NULL, &script, err);
	}
	if (rc == 0)
		rc = fs_unlink(AT_FDCWD, t->file, err);
	place_close(&p);
	return rc;
}

/* ---- finding ------------------------------------------------------------------------- */

/* "TIME SUBJECT" of a commit, by its author; both survive a rebase. */
#define ORIGIN_FORMAT "--format=%at %s"
/* The hash, the origin, and the tasks that the trailers name. */
#define TASK_FORMAT \
	"--format=%H%x1f%at %s%x1f%(trailers:key=Task,valueonly,unfold,separator=%x1f)"

/* Is a line of the log (hash, origin, values of the trailers) about the task, and of that
 * origin (NULL: of any)? */
static bool
line_is(const char *line, const char *task, const char *origin)
{
	const char *at = strchr(line, '\x1f');
	size_t len = at != NULL ? strcspn(++at, "\x1f") : 0;

	if (at == NULL ||
	    (origin != NULL && (len != strlen(origin) || strncmp(at, origin, len) != 0)))
		return false;
	while ((at = strchr(at, '\x1f')) != NULL) {
		len = strcspn(++at, "\x1f");
		if (len == strlen(task) && strncmp(at, task, len) == 0)
			return true;
	}
	return false;
}

/* The newest commit since the start that has the task's trailer, and this origin (NULL: any);
 * NULL: none.  HEAD may be on another branch by now, with older commits that are of another
 * list's task. */
static char *
trailer_find(const struct place *p, const struct mark *m, const char *origin)
{
	AUTO_FREE char *began = git_line(p->top, "git log",
	    ARGS("log", "-1", "--no-show-signature", "--format=%ct", m->commit), NULL);
	AUTO_FREE char *since = xasprintf("--since=@%s", began != NULL ? began : "0");
	AUTO_RUN list = RUN_INIT;
	const char *args[] = {"log", "-z", since, "--no-show-signature", TASK_FORMAT, "HEAD",
	    m->head != NULL ? "--not" : NULL, m->head, NULL};

	if (git_run(p->top, "git log", args, &list, NULL) < 0)
		return NULL;
	for (const char *at = list.out.data; at < list.out.data + list.out.len;
	     at += strlen(at) + 1)
		if (line_is(at, p->turn->task, origin))
			return xstrndup(at, strcspn(at, "\x1f"));
	return NULL;
}

/* The commit that we made before a crash, if HEAD moved to it; NULL.  After a rebase it is
 * another commit with the same origin; the id alone is not enough, since a task of another list
 * may have the same id. */
static char *
made_find(const struct place *p, const struct mark *m)
{
	AUTO_FREE char *origin = NULL;

	if (m->made == NULL)
		return NULL;
	if (git_yes(p->top, ARGS("merge-base", "--is-ancestor", m->made, "HEAD")))
		return xstrdup(m->made);
	origin = git_line(p->top, "git log",
	    ARGS("log", "-1", "--no-show-signature", ORIGIN_FORMAT, m->made), NULL);
	return origin != NULL ? trailer_find(p, m, origin) : NULL;
}

/* ---- telling ------------------------------------------------------------------------- */

static int
diffstat_tell(const struct place *p, const char *from, const char *to, struct turn_result *r,
    struct err *err)
{
	free(r->diffstat);
	r->diffstat = git_line(p->top, "git diff",
	    ARGS("diff", "--stat=80", "--no-color", "--no-ext-diff", "--no-textconv", from, to,
		"--"),
	    err);
	return r->diffstat != NULL ? 0 : -1;
}

/* Takes what git says of a commit: "HASH TIME MESSAGE", a NUL, and the diffstat. */
static void
commit_take(const struct buf *out, struct turn_result *r)
{
	const char *stat = buf_next(out, out->data);
	char *rest;

	free(r->brief);
	r->brief = xstrndup(out->data, strcspn(out->data, " "));
	r->committed = strtoll(out->data + strlen(r->brief), &rest, 10);
	xstrset(&r->message, *rest == ' ' ? rest + 1 : rest);
	stat = stat != NULL ? stat + strspn(stat, "\n") : "";
	free(r->diffstat);
	r->diffstat = xstrndup(stat, strlen(stat) - (*stat != '\0'));
}

static int
commit_tell(const struct place *p, const char *commit, struct turn_result *r, struct err *err)
{
	AUTO_RUN log = RUN_INIT;

	r->outcome = TURN_COMMITTED;
	xstrset(&r->commit, commit);
	if (git_run(p->top, "git log",
		ARGS("log", "-1", "--encoding=UTF-8", "--no-show-signature",
		    "--format=%h %ct %B%x00", "--root", "--diff-merges=first-parent",
		    "--stat=80", "--no-color", "--no-ext-diff", "--no-textconv", commit, "--"),
		&log, err) < 0)
		return -1;
	commit_take(&log.out, r);
	return 0;
}

/* ---- committing ---------------------------------------------------------------------- */

/* Finishes a turn whose commit is in HEAD: the remaining steps can fail without taking that
 * back. */
static void
turn_settle(const struct place *p, const char *commit, struct turn_result *r)
{
	AUTO_BUF text = BUF_INIT;
	struct err why = ERR_INIT;

	if (commit_tell(p, commit, r, &why) < 0)
		buf_addf(&text, "the commit was made, but: %s. ", why.text);
	if (index_follow(p, commit, &text, &why) < 0)
		buf_addf(&text, "the index could not follow the commit: %s", why.text);
	xstrset(&r->text, text.len > 0 ? text.data : NULL);
}

static void
lefts_free(struct turn_result *r)
{
	for (size_t i = 0; i < r->nleft; i++) {
		free(r->left[i].path);
		free(r->left[i].why);
	}
	free(take_ptr(r->left));
	r->nleft = 0;
}

static char *
waiting_part_find(struct place *p, const struct mark *m, struct turn_result *r, struct err *err)
{
	AUTO_FREE char *tree = wait_find(p, m, err);
	AUTO_FREE char *start = tree != NULL ? place_commit(p, tree, NULL, "start", err) : NULL;
	struct mark since = *m;

	since.commit = start;
	return start != NULL ? part_find(p, &since, r, err) : NULL;
}

/* Sets *tree to the tree to commit; 1 with an outcome when there is nothing to commit, or no
 * way. */
static int
part_look(struct place *p, const struct mark *m, const struct turn_words *words, char **tree,
    struct turn_result *r, struct err *err)
{
	AUTO_BUF why = BUF_INIT;

	lefts_free(r);
	if (place_look(p, &m->outside, m->waits == NULL ? m : NULL, err) < 0)
		return -1;
	if (p->busy != NULL)
		return outcome_end(r, TURN_BUSY, p->busy);
	*tree = m->waits != NULL && m->left != NULL ? waiting_part_find(p, m, r, err)
						    : part_find(p, m, r, err);
	if (*tree == NULL)
		return -1;
	if (wait_is_behind(p, r, &why))
		return outcome_end(r, TURN_BUSY, why.data);
	if (strcmp(*tree, p->base) != 0) {
		turn_message(p->turn->task, words, &why);
		xstrset(&r->message, why.data);
		return 0;
	}
	if (m->waits != NULL && m->left != NULL && wait_is_away(p, m)) {
		buf_addf(&why,
		    "what it changed is neither in the work tree nor in HEAD any more; "
		    "bring it back (it is in %s)",
		    p->ref);
		return outcome_end(r, TURN_BUSY, why.data);
	}
	buf_adds(&why, "no changes to commit");
	/* An agent that does not listen commits by itself. */
	if (p->head != NULL && (m->head == NULL || strcmp(p->head, m->head) != 0)) {
		buf_addf(&why, "; HEAD has moved to %.12s since the task began", p->head);
		xstrset(&r->moved, p->head);
	}
	return outcome_end(r, TURN_NOTHING, why.data);
}

/* Hooks take their time, and give the same verdict on the same changes as a rule: so changes
 * that they refused are recorded.  True when the same changes would be tried again. */
static bool
was_refused(
    const struct place *p, const struct mark *m, const char *tree, struct turn_result *r)
{
	AUTO_FREE char *changes =
	    p->turn->patient && m->refused != NULL ? wait_changes(p, tree) : NULL;

	return changes != NULL && strcmp(changes, m->refused) == 0 &&
	       outcome_end(r, TURN_REFUSED, m->waits);
}

static int
note_refused(const struct place *p, struct mark *m, const char *tree,
    const struct turn_result *r, struct err *err)
{
	if (r->outcome != TURN_REFUSED && r->outcome != TURN_UNSIGNED)
		return 0;
	free(m->refused);
	m->refused = wait_changes(p, tree);
	return mark_save(p->turn, m, err);
}

static int
commit_anew(struct place *p, struct mark *m, const struct turn_words *words,
    struct turn_result *r, struct err *err)
{
	int rc = 1;

	for (int i = 0; rc == 1 && i < HEAD_TRIES; i++) {
		AUTO_FREE char *tree = NULL;

		rc = part_look(p, m, words, &tree, r, err);
		if (rc != 0)
			return rc < 0 ? -1 : 0;
		if (was_refused(p, m, tree, r))
			return 0;
		rc = make_commit(p, m, tree, r, err);
		if (rc == 0)
			rc = note_refused(p, m, tree, r, err);
	}
	if (rc == 1)
		(void)outcome_end(r, TURN_BUSY, "HEAD moves faster than can be committed");
	if (rc < 0 || r->outcome != TURN_COMMITTED)
		return rc < 0 ? -1 : 0;
	turn_settle(p, m->made, r);
	make_after(p, r);
	return 0;
}

static int
commit_or_find(struct place *p, struct mark *m, const struct turn_words *words,
    struct turn_result *r, struct err *err)
{
	AUTO_FREE char *made = made_find(p, m);
	AUTO_FREE char *other = NULL;

	if (made != NULL) {
		r->found = true;
		turn_settle(p, made, r);
		return 0;
	}
	if (commit_anew(p, m, words, r, err) < 0)
		return -1;
	if (r->outcome != TURN_NOTHING)
		return 0;
	other = trailer_find(p, m, NULL);
	if (other != NULL) {
		r->found = true;
		xstrset(&r->text, NULL);
		xstrset(&r->moved, NULL);
		return commit_tell(p, other, r, err);
	}
	/* The task changed something, and none of that can be committed: that is not
	 * nothing. */
	if (r->nleft > 0)
		(void)outcome_end(r, TURN_BUSY,
		    "what it changed had changes before; commit those, or put them aside");
	return 0;
}

static int
preview(struct place *p, const struct mark *m, const struct turn_words *words,
    struct turn_result *r, struct err *err)
{
	AUTO_FREE char *tree = NULL;
	int rc = part_look(p, m, words, &tree, r, err);

	if (rc != 0)
		return rc < 0 ? -1 : 0;
	r->outcome = TURN_COMMITTED;
	return diffstat_tell(p, p->base, tree, r, err);
}

static int
turn_do(const struct turn_spec *t, const struct turn_words *words, bool only_shows,
    struct turn_result *result, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_MARK m;
	struct place p;
	bool known = mark_load(t, &m, &why) == 0;
	int rc;

	*result = (struct turn_result){.outcome = TURN_NO_REPOSITORY};
	rc = place_open(&p, t, m.commit, err);
	if (rc == 0 && !known)
		rc = err_pass(err, &why);
	if (rc == 0 && m.none) {
		xstrset(&result->text, p.none
					   ? "there is no git repository"
					   : "there was no git repository when the task began");
	} else if (rc == 0 && p.none) {
		rc = place_gone(t, err);
	} else if (rc == 0 && only_shows) {
		rc = preview(&p, &m, words, result, err);
	} else if (rc == 0) {
		rc = commit_or_find(&p, &m, words, result, err);
		if (rc == 0)
			hidden_unmark(&p, &m.outside);
	}
	place_close(&p);
	if (rc < 0)
		turn_result_release(result);
	return rc;
}

int
turn_commit(const struct turn_spec *t, const struct turn_words *words,
    struct turn_result *result, struct err *err)
{
	return turn_do(t, words, false, result, err);
}

int
turn_preview(const struct turn_spec *t, const struct turn_words *words,
    struct turn_result *result, struct err *err)
{
	return turn_do(t, words, true, result, err);
}

void
turn_result_release(struct turn_result *r)
{
	lefts_free(r);
	free(r->commit);
	free(r->brief);
	free(r->moved);
	free(r->message);
	free(r->diffstat);
	free(r->text);
	*r = (struct turn_result){.outcome = TURN_NOTHING};
}
