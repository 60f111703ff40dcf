#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/text.h"
#include "git/delta.h"
#include "git/git.h"
#include "git/merged.h"
#include "git/object.h"
#include "git/repo.h"

#define TRAILER "Ralph-Session: "
#define FILES_SHOWN 20

/* ---- commits ------------------------------------------------------------------------- */

char *
commit_make(const struct site *s, const char *tree, const char *const *parents,
    const char *message, struct err *err)
{
	return object_commit(
	    &(struct object_commit){
		.dir = s->plan->top,
		.tree = tree,
		.parents = parents,
		.message = message,
		.by = OBJECT_BY_ANYONE,
	    },
	    err);
}

static void
message_fill(const struct site *s, const char *text, struct buf *out)
{
	const struct land_ticket *t = s->ticket;
	const char *title = t->title != NULL ? t->title : "";

	while (*text != '\0') {
		if (strncmp(text, "{ticket}", 8) == 0) {
			buf_adds(out, t->id);
			text += 8;
		} else if (strncmp(text, "{title}", 7) == 0) {
			text_show(out, title, strlen(title), false);
			text += 7;
		} else {
			buf_addc(out, *text++);
		}
	}
}

void
message_make(const struct site *s, struct buf *out)
{
	const char *session = s->ticket->session;

	message_fill(
	    s, s->plan->message != NULL ? s->plan->message : "Merge ralph/{ticket}", out);
	buf_addf(out, "\n\nRalph-Ticket: %s\n", s->ticket->id);
	if (session != NULL) {
		buf_adds(out, TRAILER);
		text_show(out, session, strlen(session), false);
		buf_addc(out, '\n');
	}
	/* The trailers are needed only when some of these tickets may wait. */
	if (s->ticket->needs == NULL || strcmp(s->base, s->b) == 0)
		return;
	for (char *const *id = s->ticket->needs; *id != NULL; id++)
		buf_addf(out, "Ralph-After: %s\n", *id);
}

char *
merge_find(const struct site *s)
{
	AUTO_FREE char *range = NULL;
	AUTO_FREE char *line = NULL;
	AUTO_BUF grep = BUF_INIT;
	size_t id;

	if (s->ticket->session == NULL)
		return NULL;
	buf_adds(&grep, TRAILER);
	text_show(&grep, s->ticket->session, strlen(s->ticket->session), false);
	range = s->note.start != NULL ? xasprintf("%s..%s", s->note.start, s->base)
				      : xstrdup(s->base);
	AUTO_FREE char *option = xasprintf("--grep=%s", grep.data);
	line = git_line(s->plan->top, "git log",
	    ARGS("log", "-1", "--merges", "--fixed-strings", option,
		"--format=%H %(trailers:key=Ralph-Session,valueonly,separator=%x20)", range,
		"--"),
	    NULL);
	/* The name of this session may be the beginning of another's name. */
	if (line == NULL || (id = strcspn(line, " ")) == 0 || line[id] == '\0' ||
	    strcmp(line + id + 1, grep.data + strlen(TRAILER)) != 0)
		return NULL;
	return xstrndup(line, id);
}

/* ---- trees --------------------------------------------------------------------------- */

void
merge_names_add(char *const *names, size_t most, struct buf *out)
{
	size_t n = strlist_len(names);

	for (size_t i = 0; i < n && i < most; i++) {
		buf_adds(out, i > 0 ? ", " : "");
		text_show(out, names[i], strlen(names[i]), false);
	}
	if (n > most)
		buf_addf(out, " and %zu more", n - most);
}

int
merge_trees(const struct site *s, const char *ours, const char *theirs, char **tree,
    struct buf *files, struct err *err)
{
	AUTO(merged_release) struct merged m = MERGED_INIT;
	int rc = merged_make(s->plan->top, ours, theirs, false, &m, err);

	if (rc == 0)
		*tree = take_ptr(m.tree);
	else if (rc > 0)
		merge_names_add(m.files, FILES_SHOWN, files);
	return rc;
}

int
base_find(struct site *s, struct err *err)
{
	AUTO_FREE char *tree = NULL;
	AUTO_FREE char *message = NULL;
	AUTO_BUF files = BUF_INIT;
	int rc;

	free(take_ptr(s->base));
	free(take_ptr(s->clash));
	if (s->b == NULL)
		return err_set(err, "there is no branch %s", s->plan->branch);
	if (line_mend(s, err) < 0)
		return -1;
	if (s->l == NULL || site_has(s, s->b, s->l))
		s->base = xstrdup(s->b);
	else if (site_has(s, s->l, s->b))
		s->base = xstrdup(s->l);
	if (s->base != NULL)
		return 0;
	rc = merge_trees(s, s->l, s->b, &tree, &files, err);
	if (rc < 0)
		return -1;
	if (rc > 0) {
		s->clash = xasprintf("%s has commits that conflict with that in %s; merge it "
				     "yourself: git merge %s",
		    s->plan->branch, files.data, s->queue);
		s->base = xstrdup(s->l);
		return 0;
	}
	message = xasprintf("Merge branch '%s'\n", s->plan->branch);
	s->base = commit_make(s, tree, ARGS(s->l, s->b), message, err);
	return s->base != NULL ? 0 : -1;
}

/* Sets base to L with the ticket files that only B has: an agent that works on such a ticket
 * needs its file. */
static int
base_equip(struct site *s, struct err *err)
{
	AUTO_STRLIST guarded =
	    s->plan->guarded != NULL ? strlist_add(NULL, s->plan->guarded) : NULL;
	AUTO_FREE char *tree = NULL;
	AUTO_FREE char *commit = NULL;
	AUTO(edits_release) struct edits edits = EDITS_INIT;
	AUTO_RUN raw = RUN_INIT;
	struct delta d;

	if (guarded == NULL)
		return 0;
	if (delta_read(s->plan->top, s->l, s->b, guarded, &raw, err) < 0)
		return -1;
	for (const char *at = raw.out.data; delta_next(&at, &raw, &d);)
		if (d.kind == 'A')
			edits_add(&edits, d.to_mode, d.to, d.path);
	if (edits_is_empty(&edits))
		return 0;
	tree = tree_change(s, s->l, &edits, err);
	commit = tree != NULL
		     ? commit_make(s, tree, ARGS(s->l), "Tickets that came later\n", err)
		     : NULL;
	if (commit == NULL)
		return -1;
	xstrset(&s->base, commit);
	return 0;
}

int
base_begin(struct site *s, struct err *err)
{
	AUTO(queue_release) struct queue q = {.list = NULL};
	AUTO_STRLIST waiting = NULL;

	if (s->clash == NULL)
		return 0;
	if (queue_read(s, s->l, &q, err) < 0)
		return -1;
	waiting = queue_tickets(&q);
	for (char *const *id = s->ticket->needs; id != NULL && *id != NULL; id++)
		if (strlist_has(waiting, *id))
			return base_equip(s, err);
	xstrset(&s->base, s->b);
	return 0;
}

void
base_resume(struct site *s)
{
	if (s->clash != NULL && (s->note.start == NULL || site_has(s, s->b, s->note.start)))
		xstrset(&s->base, s->b);
}

/* ---- what does not land -------------------------------------------------------------- */

/* Finds the paths to drop that differ from base, and the edits that set them to what base
 * has. */
static int
dropped_find(const struct site *s, const char *commit, struct edits *edits, char ***paths,
    struct err *err)
{
	AUTO_RUN raw = RUN_INIT;
	struct delta d;

	if (delta_read(s->plan->top, commit, s->base, s->plan->drop, &raw, err) < 0)
		return -1;
	for (const char *at = raw.out.data; delta_next(&at, &raw, &d);) {
		edits_add(edits, d.to_mode, d.to, d.path);
		*paths = strlist_add(*paths, d.path);
	}
	return 0;
}

/* Makes the tree in an index of the step's own. */
char *
tree_change(
    const struct site *s, const char *commit, const struct edits *edits, struct err *err)
{
	AUTO_FREE char *index = xasprintf(
	    "%s/ralph-index-%s", s->common, s->ticket != NULL ? s->ticket->id : ".queue");
	char *tree;

	stage_drop(index);
	tree = stage_change(
	    &(struct stage){.dir = s->plan->top, .index = index}, commit, edits, err);
	stage_drop(index);
	return tree;
}

/* Names the dropped paths that the agent changed.  A path that only base has changed meanwhile
 * is no loss of the agent's. */
static void
dropped_name(const struct site *s, const char *commit, char *const *paths, char ***names)
{
	AUTO_RUN changed = RUN_INIT;
	struct delta d;

	if (s->note.start == NULL ||
	    delta_read(s->plan->top, s->note.start, commit, NULL, &changed, NULL) < 0)
		return;
	for (const char *at = changed.out.data; delta_next(&at, &changed, &d);)
		if (strlist_has(paths, d.path))
			*names = strlist_add(*names, d.path);
}

char *
merge_without(struct site *s, const char *commit, char ***dropped, struct err *err)
{
	AUTO(edits_release) struct edits edits = EDITS_INIT;
	AUTO_FREE char *tree = NULL;
	AUTO_STRLIST paths = NULL;

	if (s->plan->drop == NULL || *s->plan->drop == NULL)
		return xstrdup(commit);
	if (dropped_find(s, commit, &edits, &paths, err) < 0)
		return NULL;
	if (paths == NULL)
		return xstrdup(commit);
	dropped_name(s, commit, paths, dropped);
	tree = tree_change(s, commit, &edits, err);
	return tree != NULL ? commit_make(s, tree, ARGS(commit), "what does not land\n", err)
			    : NULL;
}
