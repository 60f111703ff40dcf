/*
 * graph.c - ralph graph: the group, and what its commands share.
 */
#include "cmd/graph/graph.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/text.h"
#include "session/within.h"
#include <errno.h>

int
graph_session_open(struct graph_session *s, const struct cmd_args *args)
{
	struct err err = ERR_INIT;

	if (graph_place_open(&s->place, ".", &err) < 0) {
		error("%s", err.text);
		return EX_QUERY;
	}
	buf_addf(&s->trigger, "ralph %s", args->cmd->name);
	for (int i = 0; i < args->argc; i++)
		buf_addf(&s->trigger, " %s", args->argv[i]);
	s->place.trigger = s->trigger.data;
	return EX_OK;
}

void
graph_session_close(struct graph_session *s)
{
	graph_place_close(&s->place);
	buf_release(&s->trigger);
}

int
graph_may_change(struct graph_session *s, const char *id)
{
	AUTO_FREE char *own = session_variable("RALPH_TASK");
	AUTO_GRAPH g = {.text = BUF_INIT};

	/* The command that follows complains of a graph that cannot be read. */
	if (own == NULL || *own == '\0' || strcmp(own, id) == 0 ||
	    graph_look(&s->place, &g, NULL, NULL) != CLAIM_CLAIMED)
		return EX_OK;
	if (graph_find(&g, own) == NULL || graph_find(&g, own) == graph_find(&g, id))
		return EX_OK;
	error(
	    "the task of this session is %s: how %s stands is for its own agent to say, or for "
	    "somebody outside",
	    own, id);
	return EX_FAILED;
}

int
graph_failed(enum claim_result result, const struct err *err)
{
	switch (result) {
	case CLAIM_CLAIMED:
		return EX_OK;
	case CLAIM_ALL_COMPLETE:
	case CLAIM_BLOCKED:
		/* The line is printed to the letter, because loops look for it. */
		(void)fprintf(stderr, "%s\n", err->text);
		return EX_FAILED;
	case CLAIM_REFUSED:
		error("%s", err->text);
		return err->code == ENOENT ? EX_FAILED : EX_USAGE;
	case CLAIM_BUSY:
	case CLAIM_INVALID:
	case CLAIM_IO_ERROR:
	default:
		error("%s", err->text);
		return EX_QUERY;
	}
}

int64_t
graph_age(const char *when)
{
	int64_t wall;

	if (when == NULL || clock_parse(when, &wall) < 0)
		return -1;
	return clock_wall() > wall ? clock_wall() - wall : 0;
}

static int
run(const struct cmd_args *args)
{
	AUTO_BUF shown = BUF_INIT;

	if (args->operands.nargs == 0) {
		error("which one? 'ralph help graph' lists them");
		return EX_USAGE;
	}
	text_quote(&shown, args->operands.args[0]);
	error("unknown command %s; 'ralph help graph' lists them", shown.data);
	return EX_USAGE;
}

const struct cmd cmd_graph = {
    .name = "graph",
    .usage = "COMMAND ...",
    .summary = "Tasks that depend on each other, in task-graph.yaml",
    .about =
	"task-graph.yaml lists tasks (nodes) and their order (edges). The next task is the "
	"one of the lowest priority number, then the first in the file, of those that wait for "
	"nothing; with WORKTREE_STORY in the environment, only of that story. Tickets in "
	"docs/active/tickets define tasks, too: 'ralph graph refresh' brings them in.\n\n"
	"Claims are kept in one place for all worktrees of the repository (git's common "
	"directory), so that a task is given out once, wherever it is asked for. The files are "
	"changed in place: comments, order and quotes of everything else stay.\n\n"
	"A task that is done in another worktree is not given out again; what depends on it "
	"waits here until it is merged.",
    .examples = "  ralph graph init\n"
		"  ralph graph prompt --preview\n"
		"  ralph graph prompt | claude -p\n"
		"  ralph graph complete T-001\n"
		"  ralph graph status\n",
    .max_args = 64,
    .run = run,
};
