/*
 * prompt.c - ralph graph prompt: takes the next task, and prints what an agent needs to know.
 */
#include "cmd/graph/graph.h"

#include "base/log.h"
#include "base/text.h"
#include <errno.h>

enum { PREVIEW_LINES = 5 };

struct prompt_options {
	bool preview, accept, current, force;
	int64_t owner;
};

#define OPTIONS struct prompt_options
static const struct opt prompt_opts[] = {
    ROW_FLAG("preview", preview, "only show which task would be taken"),
    ROW_FLAG("accept", accept, "take the task, which is what happens anyway"),
    ROW_FLAG("current", current, "print the prompt of what is in progress in this work tree"),
    ROW_FLAG("force", force, "take ID also when it is of another story than WORKTREE_STORY"),
    ROW_COUNT("owner", owner, "PID",
	"the claim is void when this process dies without a verdict", .max = INT64_C(1) << 22,
	.dflt = "RALPH_GRAPH_OWNER"),
};

/* ---- preview ------------------------------------------------------------------------- */

static void
show_task(const struct graph_task *t, struct buf *out)
{
	const char *p = t->description != NULL ? t->description : "";

	text_addf(out, "Next task: %s - %s\n", t->id, t->title);
	text_addf(out, "  priority %d, %s", (int)t->priority, task_status_name(t->now));
	if (t->story != NULL)
		text_addf(out, ", story %s", t->story);
	buf_addc(out, '\n');
	if (t->output != NULL)
		text_addf(out, "  output: %s\n", t->output);
	for (int i = 0; i < PREVIEW_LINES && *p != '\0'; i++) {
		size_t len = strcspn(p, "\n");

		text_addf(out, "  | %.*s\n", (int)len, p);
		p += len + (p[len] != '\0');
	}
	buf_addf(out, "Take it: ralph graph prompt %s\n", t->id);
}

static int
graph_prompt_preview(struct graph_place *p, const struct graph_request *request)
{
	AUTO_GRAPH g;
	struct graph_task *t = NULL;
	struct err err = ERR_INIT;
	AUTO_BUF out = BUF_INIT;
	enum claim_result rc = graph_look(p, &g, NULL, &err);

	if (rc == CLAIM_CLAIMED)
		rc = graph_choose(p, &g, request, &t, &err);
	if (rc != CLAIM_CLAIMED)
		return graph_failed(rc, &err);
	show_task(t, &out);
	cmd_print(&out);
	return EX_OK;
}

/* ---- current ------------------------------------------------------------------------- */

/* The task that was claimed last in this work tree and has not ended. */
static const struct graph_task *
graph_prompt_latest(const struct graph_place *p, const struct graph *g)
{
	const struct graph_task *best = NULL;

	for (size_t i = 0; i < g->ntasks; i++) {
		const struct graph_task *t = &g->tasks[i];

		if (t->now != TASK_IN_PROGRESS || t->claim == NULL ||
		    strcmp(t->claim->worktree, claims_worktree(p->claims)) != 0)
			continue;
		if (best == NULL || strcmp(t->claim->since, best->claim->since) > 0)
			best = t;
	}
	return best;
}

static int
current(struct graph_place *p)
{
	AUTO_GRAPH g;
	const struct graph_task *t;
	struct err err = ERR_INIT;
	AUTO_BUF out = BUF_INIT;
	enum claim_result rc = graph_look(p, &g, NULL, &err);

	if (rc != CLAIM_CLAIMED)
		return graph_failed(rc, &err);
	t = graph_prompt_latest(p, &g);
	if (t == NULL) {
		error("nothing is in progress in this work tree");
		return EX_FAILED;
	}
	graph_prompt(p, &g, t, &out);
	cmd_print(&out);
	return EX_OK;
}

/* ---- claim --------------------------------------------------------------------------- */

static int
graph_prompt_claim(struct graph_place *p, const struct graph_request *request)
{
	struct graph_offer offer;
	struct err err = ERR_INIT;
	enum claim_result rc;
	int code;

	graph_offer_init(&offer);
	rc = graph_claim(p, request, &offer, &err);
	warning_lines(offer.notes.data);
	code = graph_failed(rc, &err);
	if (rc == CLAIM_CLAIMED) {
		(void)fprintf(stderr, "claimed %s\n", offer.id);
		cmd_print(&offer.prompt);
	} else if (rc == CLAIM_ALL_COMPLETE && p->story != NULL) {
		(void)fprintf(stderr,
		    "(of story %s, which is all that WORKTREE_STORY leaves)\n", p->story);
	}
	graph_offer_release(&offer);
	return code;
}

/* A loop passes itself in $RALPH_GRAPH_OWNER through the programs that it runs for a prompt. */
static int
owner_of(const struct prompt_options *o, pid_t *owner)
{
	const char *env = getenv("RALPH_GRAPH_OWNER");
	char *end;
	long pid;

	*owner = (pid_t)o->owner;
	if (o->owner > 0 || env == NULL || *env == '\0')
		return 0;
	errno = 0;
	pid = strtol(env, &end, 10);
	if (errno != 0 || *end != '\0' || pid < 1 || pid > 1 << 22) {
		error("RALPH_GRAPH_OWNER is no process");
		return -1;
	}
	*owner = (pid_t)pid;
	return 0;
}

static int
run(const struct cmd_args *args)
{
	const struct prompt_options *o = args->opts;
	struct graph_request request = {.force = o->force};
	AUTO_SESSION s = GRAPH_SESSION_INIT;
	int rc;

	if (o->preview + o->accept + o->current > 1) {
		error("--preview, --accept and --current exclude each other");
		return EX_USAGE;
	}
	if (args->operands.nargs > 0)
		request.id = args->operands.args[0];
	if (o->current && request.id != NULL) {
		error("--current takes no ID");
		return EX_USAGE;
	}
	if (owner_of(o, &request.owner) < 0)
		return EX_USAGE;
	rc = graph_session_open(&s, args);
	if (rc != EX_OK)
		return rc;
	return o->preview   ? graph_prompt_preview(&s.place, &request)
	       : o->current ? current(&s.place)
			    : graph_prompt_claim(&s.place, &request);
}

const struct cmd cmd_graph_prompt = {
    .name = "graph prompt",
    .usage = "[--preview | --current] [ID]",
    .summary = "Claim the next task and print its prompt",
    .about =
	"Prints what an agent needs to know: a line 'Your task: ID - TITLE', the ticket's "
	"path, what to read, the command that completes it, and what to do when it cannot be "
	"done. Exit code 0: a task was claimed. 1: there is none, and a line of stderr says "
	"'all tasks complete' or 'blocked: ' and why. 2: that task cannot be had. 13: the "
	"graph is wrong, busy or out of reach; trying again may help.\n\n"
	"A claim stays until the task is completed or reset. With an owner it is also void "
	"when that process dies without a verdict; then the task is given out again, and that "
	"is said.",
    .examples = "  ralph graph prompt | claude -p\n"
		"  ralph graph prompt --preview\n"
		"  ralph graph prompt T-003\n"
		"  WORKTREE_STORY=S-001 ralph graph prompt --owner $$\n",
    CMD_OPTIONS(prompt_opts),
    .max_args = 1,
    .operand = "task",
    .run = run,
};
