/*
 * reset.c - ralph graph reset: a task is free again.
 */
#include "cmd/graph/graph.h"

struct reset_options {
	bool force;
};

#define OPTIONS struct reset_options
static const struct opt reset_opts[] = {
    ROW_FLAG("force", force, "also when a process that lives is at it"),
};

static int
run(const struct cmd_args *args)
{
	const struct reset_options *o = args->opts;
	const char *id = args->operands.args[0];
	struct graph_session s;
	struct err err = ERR_INIT;
	AUTO_BUF notes = BUF_INIT;
	AUTO_BUF out = BUF_INIT;
	int rc = graph_session_open(&s, args);

	if (rc != EX_OK)
		return rc;
	rc = graph_may_change(&s, id);
	if (rc == EX_OK)
		rc = graph_failed(graph_reset(&s.place, id, o->force, &notes, &err), &err);
	graph_say_notes(&notes);
	graph_session_close(&s);
	if (rc == EX_OK) {
		buf_addf(&out, "%s is free again\n", id);
		cmd_print(&out);
	}
	return rc;
}

const struct cmd cmd_graph_reset = {
    .name = "graph reset",
    .usage = "ID [--force]",
    .summary = "Free a task, whatever became of it",
    .about = "For a task that failed, that was claimed and forgotten, or that is complete but "
	     "should be done again: its claim goes, and graph and ticket say ready (or "
	     "pending, when "
	     "it waits for others). What was done for it in the working tree or in git stays. "
	     "Exit code 1: no task has that id.",
    .examples = "  ralph graph reset T-001\n",
    CMD_OPTIONS(reset_opts),
    .min_args = 1,
    .max_args = 1,
    .operand = "task",
    .run = run,
};
