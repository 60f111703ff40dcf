/*
 * init.c - ralph graph init: a graph to begin with, and recipes for just.
 */
#include "cmd/graph/graph.h"

#include "base/log.h"
#include "base/userfile.h"
#include <errno.h>
#include <fcntl.h>

static const char graph_text[] =
    "# Tasks and their order. 'ralph graph help' explains the commands.\n"
    "#\n"
    "# status: pending, ready, in-progress, complete or blocked; 'ralph graph' changes it.\n"
    "# priority: 0 (first) to 5. An edge says that 'from' must be complete before 'to'.\n"
    "# output: what must be there before 'ralph graph complete' takes the task for done.\n"
    "version: \"1.0\"\n"
    "nodes:\n"
    "  - id: T-001\n"
    "    title: Say what this project is about\n"
    "    description: Write a README.md of one page.\n"
    "    priority: 1\n"
    "    complexity: S\n"
    "    status: ready\n"
    "    output: README.md\n"
    "  - id: T-002\n"
    "    title: Set up the tests\n"
    "    description: One command runs them all.\n"
    "    priority: 2\n"
    "    complexity: M\n"
    "    status: pending\n"
    "edges:\n"
    "  - from: T-001\n"
    "    to: T-002\n";

static const char recipes[] =
    "# Recipes of 'ralph graph init'.\n"
    "\n"
    "# Work through the graph until nothing is left; a task that failed is no error here\n"
    "[no-exit-message]\n"
    "ralph *args:\n"
    "    @ralph graph run --failures-ok --prompt-command 'just prompt' {{args}}\n"
    "\n"
    "# What 'prompt' prints is what the agent gets: add to it what every agent should know.\n"
    "#\n"
    "# Claim the next task and print its prompt (--preview only looks)\n"
    "[no-exit-message]\n"
    "prompt *args:\n"
    "    @ralph graph prompt {{args}}\n"
    "\n"
    "# A task is done\n"
    "[no-exit-message]\n"
    "task-complete id *args:\n"
    "    @ralph graph complete {{id}} {{args}}\n"
    "\n"
    "# A task is free again\n"
    "[no-exit-message]\n"
    "task-reset id *args:\n"
    "    @ralph graph reset {{id}} {{args}}\n"
    "\n"
    "# How the tasks stand\n"
    "[no-exit-message]\n"
    "dag-status *args:\n"
    "    @ralph graph status {{args}}\n"
    "\n"
    "# Bring the tickets into the graph\n"
    "[no-exit-message]\n"
    "dag-refresh:\n"
    "    @ralph graph refresh\n"
    "\n"
    "# A work tree for another loop\n"
    "[no-exit-message]\n"
    "worktree-new name:\n"
    "    @ralph graph worktree new {{name}}\n"
    "\n"
    "# All work trees, and what is in progress there\n"
    "[no-exit-message]\n"
    "worktree-list:\n"
    "    @ralph graph worktree list\n"
    "\n"
    "# Remove a work tree\n"
    "[no-exit-message]\n"
    "worktree-remove name *args:\n"
    "    @ralph graph worktree remove {{name}} {{args}}\n"
    "\n"
    "# Does the loop live?\n"
    "[no-exit-message]\n"
    "ralph-status:\n"
    "    @ralph graph status --stale-after 1h\n"
    "\n"
    "# What the loop writes down, as it comes\n"
    "[no-exit-message]\n"
    "ralph-logs:\n"
    "    @tail -n 20 -F logs/ralph.jsonl\n";

/* 1: made, 0: it was there; -1, and said. */
static int
graph_init_make(const char *path, const char *content, struct buf *out)
{
	AUTO_BUF text = BUF_INIT;
	struct err err = ERR_INIT;

	buf_adds(&text, content);
	if (userfile_create(AT_FDCWD, path, &text, &err) == 0) {
		buf_addf(out, "made %s\n", path);
		return 1;
	}
	if (err.code == EEXIST) {
		buf_addf(out, "%s is there already\n", path);
		return 0;
	}
	error("%s", err.text);
	return -1;
}

static int
run(const struct cmd_args *args)
{
	AUTO_BUF out = BUF_INIT;
	int rc = graph_init_make(GRAPH_FILE, graph_text, &out);

	(void)args;
	if (rc >= 0)
		rc = graph_init_make("justfile", recipes, &out);
	if (rc == 0) {
		rc = graph_init_make("ralph.just", recipes, &out);
		buf_adds(&out, "Add this line to your justfile: import 'ralph.just'\n");
	}
	if (rc >= 0)
		buf_adds(&out, "Next: edit " GRAPH_FILE
			       ", then 'ralph graph status' and 'ralph graph prompt "
			       "--preview'.\n");
	cmd_print(&out);
	return rc < 0 ? EX_FAILED : EX_OK;
}

const struct cmd cmd_graph_init = {
    .name = "graph init",
    .usage = "",
    .summary = "Write a graph to begin with, and recipes for just",
    .about =
	"Makes task-graph.yaml with two tasks, and a justfile with the recipes ralph, prompt, "
	"task-complete, task-reset, dag-status, dag-refresh, worktree-new, worktree-list, "
	"worktree-remove, ralph-status and ralph-logs. What is there already stays as it is; "
	"beside a justfile the recipes become ralph.just, to be imported.",
    .examples = "  ralph graph init\n",
    .run = run,
};
