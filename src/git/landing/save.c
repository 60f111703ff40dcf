#include "git/landing/landing.h"

#include "base/alloc.h"
#include "base/lock.h"
#include "base/text.h"
#include "git/git.h"
#include "git/landing/parts.h"
#include "git/object.h"
#include "git/repo.h"
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

/* ---------------------------------------------------------- what to save */

/* HEAD and the branch, when each has something that the other has not. */
static void
parents_find(const struct step *s, const struct work *w, struct copy *c)
{
	const char *head = w->head;
	const char *tip = s->tip;
	size_t n = 0;

	if (head && tip && step_has(s, tip, head))
		head = strcmp(head, tip) == 0 || !w->there ? NULL : head;
	else if (head && tip && step_has(s, head, tip))
		tip = NULL;
	if (head)
		c->parents[n++] = head;
	if (tip)
		c->parents[n++] = tip;
	c->parents[n] = NULL;
}

/* The tree of the worktree, or of the commit when there is none. */
static int
copy_find(const struct step *s, struct work *w, struct copy *c, struct err *err)
{
	struct changes changes = {0};
	int rc = 0;

	parents_find(s, w, c);
	(void)work_tree(s, w);
	if (w->there)
		rc = changes_read(s, w, &changes, err);
	if (rc == 0)
		rc = ignored_keep(s, w, &changes, err);
	if (rc == 0 && (changes.count > 0 || (w->there && !w->tree))) {
		c->tree = snapshot_take(s, w, &c->nested, err);
		rc = c->tree ? 0 : -1;
	} else if (rc == 0 && w->there) {
		c->tree = xstrdup(w->tree);
	} else if (rc == 0 && c->parents[0]) {
		c->tree = object_tree(s->plan->top, c->parents[0], err);
		rc = c->tree ? 0 : -1;
	}
	if (rc == 0 && changes.foreign && !c->nested)
		c->nested = take_ptr(changes.foreign);
	if (rc == 0 && w->there && w->head && !c->nested)
		c->nested = gitlinks_find(s, w->head);
	changes_release(&changes);
	return rc;
}

/* Is there anything that the branch we land on has not? */
static bool
copy_is_needed(const struct step *s, const struct work *w, const struct copy *c)
{
	if (w->there && c->tree && (!w->tree || strcmp(c->tree, w->tree) != 0))
		return true;
	for (const char *const *p = c->parents; *p; p++)
		if (!(s->note.start && strcmp(s->note.start, *p) == 0) &&
		    !step_has(s, s->b, *p) && !step_has(s, s->l, *p))
			return true;
	return false;
}

/* --------------------------------------------------------------- the copy */

/* The commit that has the work: one that exists, or one that is made for it. */
static char *
copy_commit(struct step *s, const struct work *w, const struct copy *c, const char *kind,
    struct err *err)
{
	const char *session = s->ticket->session ? s->ticket->session : "";
	AUTO_BUF message = BUF_INIT;

	if (c->parents[0] && !c->parents[1] &&
	    (!w->there || (w->tree && strcmp(w->tree, c->tree) == 0 && w->head &&
			      strcmp(w->head, c->parents[0]) == 0)))
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

	if (!at)
		return false;
	if (strncmp(at + 1, commit, strlen(commit)) == 0)
		return true;
	at = strchr(at + 1, ' ');
	buf_adds(&same, c->tree);
	for (const char *const *p = c->parents; *p; p++)
		buf_addf(&same, " %s", *p);
	return at && strcmp(at + 1, same.data) == 0;
}

/* The ref of this attempt that has the copy already, or the first that is free. */
static char *
ref_choose(const struct step *s, const char *prefix, const char *known, const struct copy *c,
    const char *commit, bool *exists)
{
	for (int n = 1; n < COPIES_MAX; n++) {
		AUTO_BUF ref = BUF_INIT;
		const char *line;

		buf_addf(&ref, "%s/%" PRId64, prefix, s->ticket->attempt);
		if (n > 1)
			buf_addf(&ref, ".%d", n);
		for (line = known; line; line = strchr(line, '\n')) {
			line += *line == '\n';
			if (strncmp(line, ref.data, ref.len) == 0 && line[ref.len] == ' ')
				break;
		}
		*exists = line && c && line_is_copy(line, strcspn(line, "\n"), c, commit);
		if (!line || *exists)
			return buf_detach(&ref);
	}
	return NULL;
}

static char *
refs_known(const struct step *s, const char *prefix, struct err *err)
{
	return git_line(s->plan->top, "git for-each-ref",
	    ARGS("for-each-ref", "--format=%(refname) %(objectname) %(tree) %(parent)", prefix),
	    err);
}

/* Under refs/ralph/KIND/ID. */
static int
copy_keep(struct step *s, const struct work *w, const struct copy *c, const char *kind,
    struct land_result *result, struct err *err)
{
	AUTO_FREE char *prefix = xasprintf("refs/ralph/%s/%s", kind, s->ticket->id);
	/* Another project may have a copy of that name to make. */
	AUTO_CLOSE int lock = repo_lock(s->common, err);
	AUTO_FREE char *known = lock < 0 ? NULL : refs_known(s, prefix, err);
	AUTO_FREE char *commit = known ? copy_commit(s, w, c, kind, err) : NULL;
	AUTO_FREE char *ref = NULL;
	AUTO_BUF script = BUF_INIT;
	bool exists = false;

	if (!commit)
		return -1;
	ref = ref_choose(s, prefix, known, c, commit, &exists);
	if (!ref)
		return err_set(err, "there are too many copies in %s", prefix);
	if (repo_sync(s->common, err) < 0)
		return -1;
	if (!exists) {
		script_set(&script, ref, commit, NULL);
		if (step_update_refs(s, &script, err) < 0)
			return -1;
		result->commit = take_ptr(commit);
	}
	result->ref = take_ptr(ref);
	return 0;
}

/* Nothing is left: the copy of this attempt, if there is one, was made before. */
static int
copy_recall(const struct step *s, struct land_result *result, struct err *err)
{
	AUTO_FREE char *prefix = xasprintf("refs/ralph/failed/%s", s->ticket->id);
	AUTO_FREE char *known = refs_known(s, prefix, err);
	AUTO_FREE char *first = NULL;
	const char *at;

	if (!known)
		return -1;
	first = xasprintf("%s/%" PRId64, prefix, s->ticket->attempt);
	for (const char *line = known; *line != '\0'; line = at + (*at == '\n')) {
		size_t len = strcspn(line, " ");

		at = line + strcspn(line, "\n");
		if (strncmp(line, first, strlen(first)) == 0 &&
		    (line[strlen(first)] == ' ' || line[strlen(first)] == '.')) {
			free(result->ref);
			result->ref = xstrndup(line, len);
		}
	}
	return 0;
}

/* ---------------------------------------------------------------- the step */

static int
save_work(struct step *s, struct work *w, struct land_result *result, struct err *err)
{
	struct copy c = {.tree = NULL};
	int rc;

	if (work_find(s, w, err) < 0)
		return -1;
	if (!w->listed && !s->tip)
		return copy_recall(s, result, err) < 0 ? -1 : work_leave(s, NULL, err);
	rc = copy_find(s, w, &c, err);
	if (rc == 0 && copy_is_needed(s, w, &c))
		rc = copy_keep(s, w, &c, "failed", result, err);
	if (rc == 0 && c.nested) {
		/* The copy has only the commit number of that repository. */
		result->path = xstrdup(s->path);
		result->branch = xstrdup(s->branch);
		result->text = xasprintf(
		    "%s has a repository of its own in %s: it is kept", s->path, c.nested);
	} else if (rc == 0) {
		rc = work_leave(s, s->tip, err);
	}
	free(result->left);
	result->left = take_ptr(w->left);
	copy_release(&c);
	return rc;
}

static int
save_save(struct step *s, struct land_result *result, struct err *err)
{
	struct work w = WORK_INIT;
	int rc;

	if (step_is_own(s, err) < 0 || step_look(s, err) < 0)
		return -1;
	if (s->note.state == NOTE_LEAVING)
		return copy_recall(s, result, err) < 0 ? -1 : work_leave(s, NULL, err);
	rc = save_work(s, &w, result, err);
	work_release(&w);
	return rc;
}

int
land_save(const struct land_plan *plan, const struct land_ticket *ticket,
    struct land_result *result, struct err *err)
{
	struct step s;
	int rc;

	*result = (struct land_result){.outcome = LAND_SAVED};
	rc = step_open(&s, plan, ticket, err);
	if (rc == 0)
		rc = save_save(&s, result, err);
	step_close(&s);
	if (rc < 0)
		land_result_release(result);
	return rc;
}

int
save_interrupted(struct step *s, struct work *w, struct err *err)
{
	struct land_result result = {.outcome = LAND_SAVED};
	struct copy c = {0};
	int rc = copy_find(s, w, &c, err);

	if (rc == 0 && copy_is_needed(s, w, &c))
		rc = copy_keep(s, w, &c, "interrupted", &result, err);
	copy_release(&c);
	land_result_release(&result);
	return rc;
}
