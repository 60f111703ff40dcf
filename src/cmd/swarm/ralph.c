/*
 * ralph.c - swarm ralph: what the group of its commands is for.
 */
#include "cmd/cmd.h"

#include "base/log.h"
#include <stdio.h>

static int
run(const struct cmd_args *args UNUSED)
{
	error("which one? init, template, spawn, run, status, list, logs, pause, resume, stop "
	      "or clean");
	(void)fprintf(stderr, "'%s help ralph' explains them.\n", log_name());
	return EX_USAGE;
}

const struct cmd cmd_swarm_ralph = {
    .name = "ralph",
    .usage = "init|template|spawn|run|status|list|logs|pause|resume|stop|clean ...",
    .summary = "Loops: the Ralph Wiggum pattern",
    .about =
	"The Ralph Wiggum pattern is an outer loop that restarts an agent with the same prompt "
	"and fresh context windows, so that it works through a plan much longer than one "
	"context.\n\n"
	"Prompt Design Principles: keep the prompt short and direct; say what to study, where "
	"the tasks are and how to verify; ONE task per iteration; let the agent tick off the "
	"plan and commit, because the next one knows only what is on disk.\n\n"
	"Quick Reference: 'swarm ralph init' writes a starter prompt; 'swarm spawn --ralph' "
	"starts a loop; 'swarm ralph status' and 'swarm logs' watch it; 'swarm attach' and "
	"'swarm send' intervene; 'swarm ralph pause' and 'resume' hold it; 'swarm kill' ends "
	"it; 'swarm ralph clean' forgets it.",
    .examples = "  swarm ralph init\n"
		"  swarm spawn --name agent --ralph --prompt-file ./PROMPT.md --max-iterations "
		"20 -- claude\n"
		"  swarm ralph status agent\n"
		"  swarm ralph pause agent\n",
    .max_args = 64,
    .run = run,
};
