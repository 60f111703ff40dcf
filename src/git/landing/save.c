#include "git/landing/landing.h"

#include "base/alloc.h"
#include "base/lock.h"
#include "base/text.h"
#include "git/git.h"
#include "git/landing/parts.h"
#include "git/object.h"
#include "git/repo.h"
#include "git/sync.h"
#include <inttypes.h>

#define COPIES_MAX 1000

/* The content of a copy: a tree, and the commits that the tree stands on. */
struct copy {
	char *tree;
	const char *parents[3];
	char *nested; /* a repository that the tree cannot hold */
};

static void
copy_release(struct copy *c)
{
	free(c->tree);
	free(c->nested);
}

/* ---- what to save -------------------------------------------------------------------- */

/* Makes HEAD and the branch parents of the copy when each has something that the other has not;
 * otherwise the one that has all. */
static void
parents_find(const struct site *s, const struct work *w, struct copy *c)
{
	const char *head = w->head;
	const char *tip = s->tip;
	size_t n = 0;

	if (head != NULL && tip != NULL && site_has(s, tip, head))
		head = strcmp(head, tip) == 0 || !w->there ? NULL : head;
	else if (head != NULL && tip != NULL && site_has(s, head, tip))
		tip = NULL;
	if (head != NULL)
		c->parents[n++] = head;
	if (tip != NULL)
		c->parents[n++] = tip;
	c->parents[n] = NULL;
}

/* Finds the tree of the worktree, or that of the commit when there is no worktree. */
static int
copy_find(const struct site *s, struct work *w, struct copy *c, struct err *err)
{
	AUTO(changes_release) struct changes changes = {0};
	const struct inner_work inner = work_inner(s, w->head);

	parents_find(s, w, c);
	(void)work_tree(s, w);
	if ((w->there && work_changes(s, w, &changes, err) < 0) ||
	    ignored_keep(s, w, &changes, err) < 0)
		return -1;
	if (changes.count > 0 || (w->there && w->tree == NULL))
		c->tree = snapshot_take(s, w, &c->nested, err);
	else if (w->there)
		c->tree = xstrdup(w->tree);
	else if (c->parents[0] != NULL)
		c->tree = object_tree(s->plan->top, c->parents[0], err);
	if (c->tree == NULL && (w->there || c->parents[0] != NULL))
		return -1;
	if (changes.foreign != NULL && c->nested == NULL)
		c->nested = take_ptr(changes.foreign);
	if (w->there && w->head != NULL && c->nested == NULL)
		c->nested = inner_unpushed(&inner);
	return 0;
}

/* Is there anything that neither B nor L has? */
static bool
copy_is_needed(const struct site *s, const struct work *w, const struct copy *c)
{
	if (w->there && c->tree != NULL && !text_same(c->tree, w->tree))
		return true;
	for (const char *const *p = c->parents; *p != NULL; p++)
		if (!text_same(s->note.start, *p) && !site_has(s, s->b, *p) &&
		    !site_has(s, s->l, *p))
			return true;
	return false;
}

/* ---- the copy ------------------------------------------------------------------------ */

/* The commit that has the work: one that exists, or one that is made for it. */
static char *
copy_commit(struct site *s, const struct work *w, const struct copy *c, const char *kind,
    struct err *err)
{
	const char *session = s->ticket->session != NULL ? s->ticket->session : "";
	AUTO_BUF message = BUF_INIT;

	if (c->parents[0] != NULL && c->parents[1] == NULL &&
	    (!w->there || (text_same(w->tree, c->tree) && text_same(w->head, c->parents[0]))))
		return xstrdup(c->parents[0]);
	buf_addf(&message, "Ralph: %s %s, attempt %" PRId64 "\n\nRalph-Session: ", kind,
	    s->ticket->id, s->ticket->attempt);
	text_show(&message, session, strlen(session), false);
	buf_addc(&message, '\n');
	return commit_make(s, c->tree, c->parents, message.data, err);
}

/* Lines "<ref> <commit> <tree> <parent> <parent>". */
static bool
line_is_copy(const char *line, size_t len, const struct copy *c, const char *commit)
{
	AUTO_FREE char *text = xstrndup(line, len);
	AUTO_BUF same = BUF_INIT;
	const char *at = strchr(text, ' ');

	if (at == NULL)
		return false;
	if (strncmp(at + 1, commit, strlen(commit)) == 0)
		return true;
	at = strchr(at + 1, ' ');
	buf_adds(&same, c->tree);
	for (const char *const *p = c->parents; *p != NULL; p++)
		buf_addf(&same, " %s", *p);
	return at != NULL && strcmp(at + 1, same.data) == 0;
}

/* The ref of this attempt that has the copy already, or the first that is free. */
static char *
ref_choose(const struct site *s, const char *prefix, const char *known, const struct copy *c,
    const char *commit, bool *exists)
{
	for (int n = 1; n < COPIES_MAX; n++) {
		AUTO_BUF ref = BUF_INIT;
		const char *line;

		buf_addf(&ref, "%s/%" PRId64, prefix, s->ticket->attempt);
		if (n > 1)
			buf_addf(&ref, ".%d", n);
		for (line = known; line != NULL; line = strchr(line, '\n')) {
			line += *line == '\n';
			if (strncmp(line, ref.data, ref.len) == 0 && line[ref.len] == ' ')
				break;
		}
		*exists = line != NULL && line_is_copy(line, strcspn(line, "\n"), c, commit);
		if (line == NULL || *exists)
			return buf_detach(&ref);
	}
	return NULL;
}

static char *
refs_known(const struct site *s, const char *prefix, struct err *err)
{
	return git_line(s->plan->top, "git for-each-ref",
	    ARGS("for-each-ref", "--format=%(refname) %(objectname) %(tree) %(parent)", prefix),
	    err);
}

/* Keeps the copy under refs/ralph/KIND/ID. */
static int
copy_keep(struct site *s, const struct work *w, const struct copy *c, const char *kind,
    struct land_result *result, struct err *err)
{
	AUTO_FREE char *prefix = xasprintf("refs/ralph/%s/%s", kind, s->ticket->id);
	/* Another project may have a copy of that name to make. */
	AUTO_LOCK int lock = repo_lock(s->common, err);
	AUTO_FREE char *known = lock < 0 ? NULL : refs_known(s, prefix, err);
	AUTO_FREE char *commit = known != NULL ? copy_commit(s, w, c, kind, err) : NULL;
	AUTO_FREE char *ref = NULL;
	AUTO_BUF script = BUF_INIT;
	bool exists = false;

	if (commit == NULL)
		return -1;
	ref = ref_choose(s, prefix, known, c, commit, &exists);
	if (ref == NULL)
		return err_set(err, "there are too many copies in %s", prefix);
	if (sync_commit(s->common, commit, err) < 0)
		return -1;
	if (!exists) {
		script_set(&script, ref, commit, NULL);
		if (site_update_refs(s, &script, err) < 0)
			return -1;
		result->commit = take_ptr(commit);
	}
	result->ref = take_ptr(ref);
	return 0;
}

static int
copy_make(struct site *s, struct work *w, struct copy *c, const char *kind,
    struct land_result *result, struct err *err)
{
	if (copy_find(s, w, c, err) < 0)
		return -1;
	return copy_is_needed(s, w, c) ? copy_keep(s, w, c, kind, result, err) : 0;
}

/* Finds the copy of this attempt when nothing is left: if there is a copy, it was made
 * before. */
static int
copy_recall(const struct site *s, struct land_result *result, struct err *err)
{
	AUTO_FREE char *prefix = xasprintf("refs/ralph/failed/%s", s->ticket->id);
	AUTO_FREE char *known = refs_known(s, prefix, err);
	AUTO_FREE char *first = xasprintf("%s/%" PRId64, prefix, s->ticket->attempt);
	size_t len = strlen(first);
	char *rest = known;
	char *line;

	while ((line = strsep(&rest, "\n")) != NULL)
		if (strncmp(line, first, len) == 0 && (line[len] == ' ' || line[len] == '.'))
			xstrset(&result->ref, strsep(&line, " "));
	return known != NULL ? 0 : -1;
}

/* ---- the step ------------------------------------------------------------------------ */

static int
save_work(struct site *s, struct work *w, struct land_result *result, struct err *err)
{
	AUTO(copy_release) struct copy c = {.tree = NULL};

	if (copy_make(s, w, &c, "failed", result, err) < 0)
		return -1;
	result->left = take_ptr(w->left);
	if (c.nested == NULL)
		return work_leave(s, s->tip, err);
	/* The copy has only the commit number of that repository. */
	result->path = xstrdup(s->path);
	result->branch = xstrdup(s->branch);
	result->text =
	    xasprintf("%s has a repository of its own in %s: it is kept", s->path, c.nested);
	return 0;
}

static int
save_do(struct site *s, struct land_result *result, struct err *err)
{
	AUTO(work_release) struct work w = WORK_INIT;
	bool leaving = s->note.state == NOTE_LEAVING;

	if (site_is_own(s, err) < 0 || site_look(s, err) < 0 ||
	    (!leaving && work_find(s, &w, err) < 0))
		return -1;
	if (leaving || (!w.listed && s->tip == NULL))
		return copy_recall(s, result, err) < 0 ? -1 : work_leave(s, NULL, err);
	return save_work(s, &w, result, err);
}

int
land_save(const struct land_plan *plan, const struct land_ticket *ticket,
    struct land_result *result, struct err *err)
{
	return site_do(plan, ticket, LAND_SAVED, save_do, result, err);
}

int
save_interrupted(struct site *s, struct work *w, struct err *err)
{
	AUTO(land_result_release) struct land_result result = {.outcome = LAND_SAVED};
	AUTO(copy_release) struct copy c = {.tree = NULL};

	return copy_make(s, w, &c, "interrupted", &result, err);
}
