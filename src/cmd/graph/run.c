/*
 * run.c - ralph graph run: agents work through the graph until nothing is left.
 */
#include "cmd/run.h"
#include "cmd/graph/graph.h"
#include "loops/settings.h"
#include "supervisor/supervisor.h"

#include "base/alloc.h"
#include "base/log.h"
#include "record/codec.h"

#define OPTIONS struct run_options
static const struct opt graph_run_opts[] = {
    ROW_ENV_FILE,
    ROW_FLAG("failures-ok", failures_ok,
	"exit with 0 also when a task has failed, and raise no alert "
	"for it: what 'just ralph' does"),
    ROW_FLAG("pty", pty, "give the agent a terminal"),
    ROW_FLAG("pipe", pipe, "connect the agent by pipes (the default)"),
    ROWS_OUTPUT("run in the background"),
};

/* Finds the graph and reads it: an error is said now rather than again and again. */
static int
find_graph(struct settings *s, struct err *err)
{
	struct graph_place place;
	AUTO_BUF problems = BUF_INIT;
	struct graph g;
	int rc = EX_OK;

	if (graph_place_open(&place, s->cwd == NULL ? "." : s->cwd, err) < 0)
		return EX_QUERY;
	s->root = xstrdup(place.root);
	if (s->story == NULL && place.story != NULL)
		s->story = xstrdup(place.story);
	place.trigger = "ralph graph run";
	if (graph_look(&place, &g, &problems, err) != CLAIM_CLAIMED) {
		/* The graph may be in the middle of an edit: the loop asks again. */
		warning("%s; asking again until it can be read", err->text);
		*err = (struct err)ERR_INIT;
	} else {
		if (s->story != NULL && !graph_has_story(&g, s->story)) {
			(void)err_set(err, "no task is of story %s", s->story);
			rc = EX_USAGE;
		}
		graph_release(&g);
	}
	graph_place_close(&place);
	return rc;
}

static void
graph_run_complete(struct run_options *o, const struct cmd_args *args)
{
	struct settings *s = &o->settings;

	s->source = xstrdup("graph");
	s->judged = !o->failures_ok;
	s->mode = o->pty ? MODE_PTY : MODE_PIPE;
	if (s->cwd == NULL)
		s->cwd = xstrdup(s->root);
	settings_set_command(s, args->operands.command);
	settings_set_delivery(s);
}

static int
graph_run(const struct cmd_args *args)
{
	struct run_options *o = args->opts;
	struct settings *s = &o->settings;
	int rc;

	if (run_check(o, !o->pty, args->err) < 0)
		return -EX_USAGE;
	rc = find_graph(s, args->err);
	if (rc != EX_OK)
		return -rc;
	graph_run_complete(o, args);
	if (settings_check_place(s, args->err) < 0)
		return -1;
	return run_loop(o, s->root, "graph");
}

const struct cmd cmd_graph_run = {
    .name = "graph run",
    .usage = "[options] [-- CMD [ARG...]]",
    .summary = "Work through the graph, one fresh agent per task",
    .about =
	"Claims the next task, starts CMD with its prompt on stdin, waits for its end, reads "
	"in the graph what came of it, and goes on with the next task: until all are complete, "
	"or what is left is blocked. CMD is claude --dangerously-skip-permissions unless "
	"another one is named; it completes its task itself, with the command that the prompt "
	"names.\n\n"
	"A task is completed when the graph says so after its agent has ended. One whose agent "
	"failed, or ended without completing it, stays in progress until somebody runs 'ralph "
	"graph reset' or 'complete', and the loop goes on with the next one. A graph that "
	"cannot be read is asked for again. What an agent marks of other tasks in the file by "
	"hand is put back when its session ends, with an alert; an editor or a merge meanwhile "
	"cannot be told from it, 'ralph graph complete' and 'reset' can.\n\n"
	"With --prompt-command the prompts are whatever CMD prints. It runs 'ralph graph "
	"prompt', perhaps among other things: that claims for this loop (RALPH_GRAPH_OWNER), "
	"of its story (WORKTREE_STORY). Exit code 0: its output is the prompt of the task that "
	"it claimed, or that a line 'Your task: ID' names; 1: nothing is left, and its words "
	"say why; any other: it is asked again. All the rest is the same. It is what the "
	"recipe 'just ralph' does with 'just prompt'.\n\n"
	"When the agent says that a usage or rate limit stopped it, the same task goes on at "
	"the time it named, or after 60 s, doubling to 10 minutes; when its login does not "
	"hold or nothing is left to pay with, there is an alert, the task is ready again, and "
	"the loop pauses.\n\n"
	"logs/ralph.jsonl has a line for whatever happens, logs/ralph.heartbeat the time of "
	"the last sign of life. Exit codes: 0 all complete, and 0 when what is left waits for "
	"somebody; 11 when a task has failed, in this run or before, and nobody has reset or "
	"completed it, or when one was taken out of the graph while an agent worked; 10 when "
	"--max-runtime ended it; with --failures-ok all of these are 0. Ctrl-C and SIGTERM end "
	"the agent within the grace and exit with 130 and 143.",
    .examples = "  ralph graph run\n"
		"  ralph graph run --story S-002 --detach\n"
		"  ralph graph run --delay 0 -- claude -p --dangerously-skip-permissions\n"
		"  ralph graph run --prompt-command 'cat RULES.md; ralph graph prompt'\n"
		"  ralph graph status --stale-after 1h || echo 'the loop hangs'\n",
    CMD_SETTINGS(OF_GRAPH),
    CMD_OPTIONS(graph_run_opts),
    .operand = "command",
    .takes_command = true,
    .checks_command = true,
    .run = graph_run,
    .release = cmd_release_settings,
};
