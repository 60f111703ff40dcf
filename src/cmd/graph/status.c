/*
 * status.c - ralph graph status: how the tasks stand, and whether the loop lives.
 */
#include "cmd/graph/graph.h"

#include "base/alloc.h"
#include "base/log.h"

struct status_options {
	bool json, dot, ids;
	int64_t stale_after;
};

#define OPTIONS struct status_options
static const struct opt status_opts[] = {
    ROW_FLAG("json", json, "print every task with its claim as JSON"),
    ROW_FLAG("dot", dot, "print a picture of the graph, for Graphviz"),
    ROW_FLAG("ids", ids, "print only the ids of tasks that are not complete, a line each"),
    ROW_SPAN("stale-after", stale_after, "DURATION",
	"fail when the loop here has shown no sign of life for so long"),
};

/* Counts each task once, as programs see it (json.c); a failed task is in progress there, as in
 * the file. */
static void
add_counts(const struct graph *g, struct buf *out)
{
	size_t n[TASK_STATUS_COUNT] = {0}, failed = 0;

	for (size_t i = 0; i < g->ntasks; i++) {
		n[graph_standing(&g->tasks[i])]++;
		failed += graph_is_failed(&g->tasks[i]);
	}
	buf_addf(out, "Tasks: %zu: %zu complete, %zu in progress", g->ntasks, n[TASK_COMPLETE],
	    n[TASK_IN_PROGRESS] - failed);
	if (failed > 0)
		buf_addf(out, ", %zu failed", failed);
	buf_addf(out, ", %zu ready, %zu waiting, %zu blocked\n", n[TASK_READY], n[TASK_PENDING],
	    n[TASK_BLOCKED]);
}

static void
add_stories(const struct graph *g, struct buf *out)
{
	const struct ynode *n = ynode_items(ynode_get(g->tree.root, "stories"));
	size_t all = 0, done = 0;

	for (; n != NULL; n = n->next) {
		const char *status = ynode_text(ynode_get(n, "status"));

		all++;
		done += status != NULL && strcmp(status, "complete") == 0;
	}
	if (all > 0)
		buf_addf(out, "Stories: %zu: %zu complete\n", all, done);
}

static void
add_heading(struct buf *out, bool *said, const char *heading)
{
	if (!*said)
		buf_addf(out, "\n%s:\n", heading);
	*said = true;
}

static void
add_progress(const struct graph *g, struct buf *out)
{
	bool said = false;

	for (size_t i = 0; i < g->ntasks; i++) {
		const struct graph_task *t = &g->tasks[i];
		const char *since = t->claim != NULL ? t->claim->since : t->claimed_at;
		int64_t age = graph_age(since);

		if (graph_standing(t) != TASK_IN_PROGRESS || graph_is_failed(t))
			continue;
		add_heading(out, &said, "In progress");
		text_addf(out, "  %s  %s", t->id, t->title);
		if (age >= 0) {
			buf_adds(out, "  (");
			clock_fmt_span(age, false, out);
			text_addf(out, ", %s)",
			    t->claim != NULL	    ? t->claim->worktree
			    : t->claimed_by != NULL ? t->claimed_by
						    : "by whom is not known");
		}
		buf_addc(out, '\n');
	}
}

/* Is the task marked in progress, but without a living owner, and ready to be done again? */
static bool
is_left(const struct graph_place *p, const struct graph_task *t)
{
	return t->now == TASK_IN_PROGRESS && graph_is_ready(t) && graph_is_of(t, p->story);
}

/* Lists tasks that somebody has to look at, each with the command that ends its trouble. */
static void
add_hints(const struct graph_place *p, const struct graph *g, struct buf *out)
{
	bool said = false;

	for (size_t i = 0; i < g->ntasks; i++) {
		const struct graph_task *t = &g->tasks[i];
		const struct claim *c = t->claim;
		const char *why = NULL;

		if (t->now != TASK_IN_PROGRESS || is_left(p, t))
			continue;
		if (graph_is_failed(t))
			why = *c->note != '\0' ? c->note : "failed";
		else if (c != NULL && claim_is_void(c))
			why = "left without a verdict; it will be given out again";
		else if ((c == NULL || !claim_is_alive(c)) &&
			 graph_age(c != NULL ? c->since : t->claimed_at) > GRAPH_STALE)
			why = "stale: claimed more than 2 hours ago";
		if (why == NULL)
			continue;
		add_heading(out, &said, "To be looked at");
		text_addf(out, "  %s  %s  (ralph graph reset %s)\n", t->id, why, t->id);
	}
}

/* Adds tasks that are done, but not here; with `here`, those that were done here before
 * somebody put the file back. */
static void
add_complete(const struct graph *g, bool here, const char *heading, struct buf *out)
{
	bool said = false;

	for (size_t i = 0; i < g->ntasks; i++) {
		const struct graph_task *t = &g->tasks[i];

		if (!graph_is_elsewhere(t) || t->here != here)
			continue;
		add_heading(out, &said, heading);
		if (here)
			buf_addf(out,
			    "  %s  (ralph graph complete %s, or ralph graph reset %s)\n", t->id,
			    t->id, t->id);
		else
			text_addf(out, "  %s  %s\n", t->id, t->claim->worktree);
	}
}

static void
add_ready(const struct graph_place *p, const struct graph *g, struct buf *out)
{
	AUTO_FREE struct graph_task **list = NULL;
	size_t n = graph_ready(g, p->story, &list);
	bool said = false;

	for (size_t i = 0; i < n; i++) {
		add_heading(out, &said, "Ready");
		text_addf(out, "  [P%d] %s  %s%s\n", (int)list[i]->priority, list[i]->id,
		    list[i]->title,
		    is_left(p, list[i]) ? "  (left without a verdict; ready again)" : "");
	}
}

static void
add_ids(const struct graph *g, struct buf *out)
{
	for (size_t i = 0; i < g->ntasks; i++)
		if (g->tasks[i].now != TASK_COMPLETE)
			buf_addf(out, "%s\n", g->tasks[i].id);
}

static int
graph_status_show(struct graph_place *p, const struct status_options *o, struct buf *out)
{
	AUTO_GRAPH g;
	struct err err = ERR_INIT;
	enum claim_result rc = graph_look(p, &g, NULL, &err);

	if (rc != CLAIM_CLAIMED)
		return graph_failed(rc, &err);
	if (o->json) {
		graph_json(p, &g, out);
	} else if (o->dot) {
		graph_dot(&g, out);
	} else if (o->ids) {
		add_ids(&g, out);
	} else {
		add_counts(&g, out);
		add_stories(&g, out);
		add_progress(&g, out);
		add_hints(p, &g, out);
		add_complete(&g, false, "Complete elsewhere, to be merged", out);
		add_complete(
		    &g, true, "Completed here, though " GRAPH_FILE " does not say so", out);
		add_ready(p, &g, out);
	}
	return EX_OK;
}

static int
run(const struct cmd_args *args)
{
	const struct status_options *o = args->opts;
	AUTO_SESSION s = GRAPH_SESSION_INIT;
	AUTO_BUF out = BUF_INIT;
	int rc;

	if (o->json + o->dot + o->ids + (o->stale_after > 0) > 1) {
		error("--json, --dot, --ids and --stale-after exclude each other");
		return EX_USAGE;
	}
	rc = graph_session_open(&s, args);
	if (rc != EX_OK)
		return rc;
	rc = o->stale_after > 0 ? graph_heartbeat(&s.place, o->stale_after, &out)
				: graph_status_show(&s.place, o, &out);
	cmd_print(&out);
	return rc;
}

const struct cmd cmd_graph_status = {
    .name = "graph status",
    .usage = "[--json | --dot | --ids | --stale-after DURATION]",
    .summary = "Show how the tasks stand",
    .about =
	"Shows how many tasks there are of each kind, what is in progress and where, what "
	"somebody should look at (failed; claimed more than two hours ago) with the command "
	"that frees it, and what is ready, the next first. What was left without a verdict, by "
	"Ctrl-C or a crash, is ready again.\n\n"
	"With --stale-after it is for monitors: it looks at the loop of this work tree "
	"instead, and exits with 1 when logs/ralph.heartbeat is older than that, or missing, "
	"and says why the graph cannot be read and since when, if that is the reason; a loop "
	"that has ended, is paused, or waits for a usage or rate limit is no reason for alarm.",
    .examples = "  ralph graph status\n"
		"  ralph graph status --dot | dot -Tsvg >graph.svg\n"
		"  ralph graph status --stale-after 1h || echo 'the loop hangs'\n",
    CMD_OPTIONS(status_opts),
    .run = run,
};
