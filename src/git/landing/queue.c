#include "git/landing/parts.h"

#include "base/alloc.h"
#include "base/text.h"
#include "git/delta.h"
#include "git/git.h"
#include "git/repo.h"
#include <inttypes.h>

#define NAMES_SHOWN 5
#define FIELDS 4

/* ---- reading ------------------------------------------------------------------------- */

void
queue_release(struct queue *q)
{
	for (size_t i = 0; i < q->n; i++)
		free(q->list[i].commit); /* the line that all of its texts are in */
	free(q->list);
	*q = (struct queue){.list = NULL};
}

/* "commit\tsession\tticket\tticket,ticket" */
static bool
pending_parse(char *line, struct pending *p)
{
	char *fields[FIELDS];

	for (size_t i = 0; i < FIELDS; i++)
		if ((fields[i] = strsep(&line, "\t")) == NULL)
			return false;
	*p = (struct pending){
	    .commit = fields[0], .session = fields[1], .ticket = fields[2], .after = fields[3]};
	return *p->commit != '\0' && *p->session != '\0';
}

/* Finds the sessions whose merges B got after the oldest merge of the lines was made. */
static char *
sessions_taken(const struct site *s, const char *lines)
{
	AUTO_FREE char *range = NULL;

	if (*lines == '\0')
		return NULL;
	range = xasprintf("%.*s^1..%s", (int)strcspn(lines, "\t"), lines, s->target);
	return git_line(s->plan->top, "git log",
	    ARGS("log", "--grep=^Ralph-Session: ",
		"--format=%(trailers:key=Ralph-Session,valueonly,separator=%x20)", range, "--"),
	    NULL);
}

static void
queue_add(struct queue *q, const char *line, const char *taken)
{
	AUTO_FREE char *copy = xstrdup(line);
	struct pending p;

	if (!pending_parse(copy, &p))
		return;
	q->known++;
	if (text_lists(taken, '\n', p.session))
		return;
	q->list = xreallocarray(q->list, q->n + 1, sizeof(*q->list));
	q->list[q->n++] = p;
	copy = NULL; /* the list has it */
}

int
queue_read(const struct site *s, const char *commit, struct queue *q, struct err *err)
{
	static const char fields[] =
	    "--format=%H%x09%(trailers:key=Ralph-Session,valueonly,separator=%x20)%x09"
	    "%(trailers:key=Ralph-Ticket,valueonly,separator=%x2C)%x09"
	    "%(trailers:key=Ralph-After,valueonly,separator=%x2C)";
	AUTO_FREE char *ahead = xasprintf("%s..%s", s->target, commit);
	AUTO_FREE char *taken = NULL;
	AUTO_FREE char *lines = git_line(s->plan->top, "git log",
	    ARGS("log", "--first-parent", "--reverse", "--grep=^Ralph-Session: ", fields, ahead,
		"--"),
	    err);
	char *rest = lines;
	const char *line;

	*q = (struct queue){.list = NULL};
	if (lines == NULL)
		return -1;
	taken = sessions_taken(s, lines);
	while ((line = strsep(&rest, "\n")) != NULL)
		queue_add(q, line, taken);
	return 0;
}

const struct pending *
queue_find(const struct queue *q, const char *commit)
{
	for (size_t i = 0; i < q->n; i++)
		if (strcmp(q->list[i].commit, commit) == 0)
			return &q->list[i];
	return NULL;
}

/* A line without any merge of ours has one that somebody else made. */
int64_t
queue_count(const struct queue *q)
{
	return q->known > 0 ? (int64_t)q->n : 1;
}

char **
queue_tickets(const struct queue *q)
{
	char **tickets = NULL;

	for (size_t i = 0; i < q->n; i++)
		tickets = strlist_add(tickets, q->list[i].ticket);
	return tickets;
}

void
queue_tell(const struct site *s, const struct queue *q, struct buf *out)
{
	AUTO_STRLIST tickets = queue_tickets(q);
	int64_t n = queue_count(q);

	if (n == 0)
		return;
	buf_addf(out, "%" PRId64 " merge%s in %s", n, n == 1 ? " waits" : "s wait", s->queue);
	if (q->n == 0)
		return;
	buf_adds(out, " (");
	merge_names_add(tickets, NAMES_SHOWN, out);
	buf_addc(out, ')');
}

/* ---- alone --------------------------------------------------------------------------- */

/* Does the merge's ticket need the work of another ticket that waits? */
static bool
needs_another(const struct queue *q, const struct pending *p)
{
	for (size_t i = 0; i < q->n; i++) {
		const char *id = q->list[i].ticket;

		if (&q->list[i] != p && *id != '\0' && text_lists(p->after, ',', id))
			return true;
	}
	return false;
}

/* Are two paths the same, or is one a directory that the other is in? */
static bool
paths_meet(const char *a, const char *b)
{
	while (*a != '\0' && *a == *b) {
		a++;
		b++;
	}
	return (*a == '\0' && (*b == '\0' || *b == '/')) || (*b == '\0' && *a == '/');
}

/* Lists of paths that each end with a NUL. */
static bool
lists_meet(const struct buf *a, const struct buf *b)
{
	for (const char *x = NULL; (x = buf_next(a, x)) != NULL;)
		for (const char *y = NULL; (y = buf_next(b, y)) != NULL;)
			if (paths_meet(x, y))
				return true;
	return false;
}

static int
paths_between(const struct site *s, const char *from, const char *to, struct run_result *out)
{
	return git_run(s->plan->top, "git diff-tree",
	    ARGS("diff-tree", "-r", "-z", "--no-renames", "--name-only", from, to), out, NULL);
}

/* Does B have the files that the merge changed as they were before the merge? */
static bool
is_apart(const struct site *s, const char *before, const char *merge)
{
	AUTO_RUN own = RUN_INIT;
	AUTO_RUN others = RUN_INIT;

	return paths_between(s, before, merge, &own) == 0 &&
	       paths_between(s, before, s->b, &others) == 0 && own.out.len > 0 &&
	       !lists_meet(&own.out, &others.out);
}

/* Makes the tree of B with what the merge changed. */
static char *
tree_apart(const struct site *s, const char *before, const char *merge)
{
	AUTO(edits_release) struct edits edits = EDITS_INIT;
	AUTO_RUN raw = RUN_INIT;
	struct delta d;

	if (delta_read(s->plan->top, before, merge, NULL, &raw, NULL) < 0)
		return NULL;
	for (const char *at = raw.out.data; delta_next(&at, &raw, &d);)
		edits_add(&edits, d.to_mode, d.to, d.path);
	return tree_change(s, s->b, &edits, NULL);
}

/* Makes one commit with the messages of all the agent's commits, and a merge of that commit
 * with the message of the merge that waits. */
static char *
commit_apart(struct site *s, const char *tree, const char *before, const char *merge)
{
	AUTO_FREE char *range = xasprintf("%s..%s^2", before, merge);
	AUTO_FREE char *told = git_line(s->plan->top, "git log",
	    ARGS("log", "--reverse", "--no-merges", "--format=%B", range, "--"), NULL);
	AUTO_FREE char *message = git_line(
	    s->plan->top, "git log", ARGS("log", "-1", "--format=%B", merge, "--"), NULL);
	AUTO_FREE char *work = NULL;

	if (told == NULL || message == NULL)
		return NULL;
	work = commit_make(s, tree, ARGS(s->b),
	    *told == '\0' ? "Ralph: work of a merge that waits\n" : told, NULL);
	return work != NULL ? commit_make(s, tree, ARGS(s->b, work), message, NULL) : NULL;
}

char *
queue_apart(struct site *s, const struct queue *q, const struct pending *p)
{
	AUTO_FREE char *before = xasprintf("%s^1", p->commit);
	AUTO_FREE char *tree = NULL;
	AUTO_FREE char *merged = NULL;
	AUTO_FREE char *commit = NULL;
	AUTO_BUF files = BUF_INIT;

	if (needs_another(q, p) || !is_apart(s, before, p->commit))
		return NULL;
	tree = tree_apart(s, before, p->commit);
	commit = tree != NULL ? commit_apart(s, tree, before, p->commit) : NULL;
	/* The merges that wait must still merge with the new commit, unless a person has to
	 * merge them anyway. */
	if (commit == NULL || (s->clash == NULL && merge_trees(s, q->list[q->n - 1].commit,
						       commit, &merged, &files, NULL) != 0))
		return NULL;
	return take_ptr(commit);
}

/* ---- looking ------------------------------------------------------------------------- */

static void
queue_branch_tell(const char *top, const char *branch, struct buf *out, char ***tickets)
{
	const struct land_plan plan = {.top = top, .branch = branch};
	AUTO(queue_release) struct queue q = {.list = NULL};
	AUTO_FREE char *line = NULL;
	struct site s;

	if (site_open(&s, &plan, NULL, NULL) == 0 && site_refs(&s, NULL) == 0 && s.b != NULL &&
	    (line = line_find(&s)) != NULL && !site_has(&s, s.b, line) &&
	    queue_read(&s, line, &q, NULL) == 0 && queue_count(&q) > 0) {
		queue_tell(&s, &q, out);
		buf_addc(out, '\n');
	}
	if (s.lost != NULL)
		buf_addf(out, "%s\n", s.lost);
	if (tickets != NULL)
		*tickets = queue_tickets(&q);
	site_close(&s);
}

/* Finds the branches that have an L, and those that should have one. */
static char **
branches_find(const char *dir)
{
	AUTO_FREE char *common = repo_common(dir, NULL);
	AUTO_FREE char *lines =
	    common == NULL
		? NULL
		: git_line(dir, "git for-each-ref",
		      ARGS("for-each-ref", "--format=%(refname:lstrip=3)", "refs/ralph/land/"),
		      NULL);
	char **branches = common != NULL ? line_list(common) : NULL;
	char *rest = lines;
	const char *branch;

	while (rest != NULL && (branch = strsep(&rest, "\n")) != NULL)
		if (*branch != '\0' && !strlist_has(branches, branch))
			branches = strlist_add(branches, branch);
	return branches;
}

void
land_waiting(const char *dir, struct buf *out)
{
	AUTO_STRLIST branches = branches_find(dir);

	for (char **branch = branches; branch != NULL && *branch != NULL; branch++)
		queue_branch_tell(dir, *branch, out, NULL);
}

char **
land_waiting_tickets(const char *dir, char **branch)
{
	AUTO_STRLIST branches = branches_find(dir);
	char **tickets = NULL;
	AUTO_BUF text = BUF_INIT;

	if (branches != NULL && *branch == NULL)
		*branch = repo_branch(dir);
	if (*branch != NULL && strlist_has(branches, *branch))
		queue_branch_tell(dir, *branch, &text, &tickets);
	return tickets;
}
