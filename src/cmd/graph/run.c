/*
 * run.c - ralph graph run: agents work through the graph until nothing is left.
 */
#include "cmd/environment.h"
#include "cmd/graph/graph.h"
#include "cmd/naming.h"
#include "cmd/settings.h"
#include "cmd/supervisor.h"

#include "base/alloc.h"
#include "base/log.h"
#include <errno.h>

struct graph_run_options {
	struct settings settings;
	char **env_files;
	bool pty, pipe;
	bool detach, json, quiet;
	bool failures_ok;
};

#define OPTION(type_, field, opt, arg_, flags_, dflt_, help_)                                \
	{                                                                                    \
		.name = (opt), .type = (type_), .flags = (flags_),                           \
		.offset = offsetof(struct graph_run_options, settings.field), .arg = (arg_), \
		.min = 1, .dflt = (dflt_), .help = (help_)                                   \
	}
#define TYPE_C OPT_COUNT
#define TYPE_B OPT_SIZE
#define ROW(type_, field, opt, arg_, choices_, flags_, dflt_, help_) \
	OPTION(TYPE_##type_, field, opt, arg_, flags_, dflt_, help_),
#define FLAG(name_, field, help_)                                                    \
	{                                                                            \
		.name = (name_), .type = OPT_FLAG,                                   \
		.offset = offsetof(struct graph_run_options, field), .help = (help_) \
	}

static const struct opt graph_run_opts[] = {
    OPTION(OPT_TEXT, story, "story", "ID", 0, "WORKTREE_STORY", "only tasks of this story"),
    OPTION(OPT_SPAN, delay, "delay", "S", OPT_ZERO, "2s", "pause between iterations"),
    OPTION(OPT_COUNT, max_iterations, "max-iterations", "N", OPT_UNLIMITED, "unlimited",
	"how many agents to start at most"),
    OPTION(OPT_COUNT, max_failures, "max-failures", "N", OPT_UNLIMITED, "unlimited",
	"stop after so many failures in a row"),
    OPTION(OPT_TEXT, prompt_command, "prompt-command", "CMD", 0, NULL,
	"a shell command that claims the next task and prints its prompt, such as 'just "
	"prompt'; run where the graph is, for every iteration"),
    OPTION(OPT_SPAN, prompt_timeout, "prompt-timeout", "DURATION", 0, "2m",
	"how long the prompt command may take"),
    OPTION(OPT_TEXT, name, "name", "NAME", 0, "from the directory",
	"the loop's name for status, pause, attach and the rest"),
    OPTION(OPT_SPAN, iteration_timeout, "iteration-timeout", "DURATION", 0, "off",
	"end an agent that runs longer than this; counts as a failure"),
    OPTION(OPT_SPAN, inactivity_timeout, "inactivity-timeout", "S", 0,
	"60s with a terminal, off with pipes",
	"end an agent whose screen has not changed for so long; counts as a failure"),
    OPTION(OPT_SPAN, stall_timeout, "stall-timeout", "DURATION", 0, "off",
	"end an agent that only blinks: spinner and clock move, nothing else"),
    OPTION(OPT_SPAN, max_runtime, "max-runtime", "DURATION", 0, "off",
	"end the whole loop after so long"),
    OPTION(OPT_SPAN, grace, "grace", "DURATION", 0, "10s",
	"how long an agent has between SIGTERM and SIGKILL"),
    OPTION(OPT_TEXT, prompt_via, "prompt-via", "HOW", 0, "stdin",
	"how the agent gets the prompt: stdin, paste, arg or flag:NAME"),
    OPTION(OPT_TEXT, cwd, "cwd", "DIR", 0, "where the graph is", "where the agent works"),
    ENVIRONMENT_OPTIONS(offsetof(struct graph_run_options, settings.env),
	offsetof(struct graph_run_options, env_files)),
    OPTION(OPT_TEXT, on_alert, "on-alert", "CMD", 0, NULL,
	"shell command to run for every alert, with the event as JSON on stdin"),
    KEEP_SETTINGS(ROW) FLAG("failures-ok", failures_ok,
	"exit with 0 also when a task has failed, and raise no alert for it: what 'just ralph' "
	"does"),
    FLAG("pty", pty, "give the agent a terminal"),
    FLAG("pipe", pipe, "connect the agent by pipes (the default)"),
    FLAG("detach", detach, "run in the background"),
    FLAG("json", json, "print events as JSON lines"),
    FLAG("quiet", quiet, "print only alerts and the end"),
};

/* The graph knows when there is nothing left: nothing else needs to end the loop. */
static void
graph_run_init(void *opts)
{
	struct graph_run_options *o = opts;

	settings_defaults(&o->settings);
	o->settings.max_iterations = o->settings.max_failures = UNLIMITED;
	o->settings.delay = 2 * NSEC_PER_SEC;
	o->settings.prompt_timeout = 120 * NSEC_PER_SEC;
}

static int
check_usage(struct graph_run_options *o, struct err *err)
{
	struct settings *s = &o->settings;

	if (o->pty && o->pipe)
		return err_set(err, "--pty and --pipe exclude each other");
	if (s->name != NULL && settings_check_name(s->name, err) < 0)
		return -1;
	if (settings_check_prompt_via(s->prompt_via, err) < 0)
		return -1;
	if (s->prompt_via != NULL && strcmp(s->prompt_via, "paste") == 0 && !o->pty)
		return err_set(err, "--prompt-via paste needs a terminal (--pty)");
	return environment_take(&s->env, o->env_files, err);
}

/* Where the graph is, and that it can be read: said now rather than again and again. */
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
		/* It may be in the middle of an edit: the loop asks again. */
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
complete(struct graph_run_options *o, const struct cmd_args *args)
{
	static char claude[] = "claude", skip[] = "--dangerously-skip-permissions";
	static char *const usual[] = {claude, skip, NULL};
	struct settings *s = &o->settings;
	char *const *command = args->operands.command;

	s->source = xstrdup("graph");
	s->judged = !o->failures_ok;
	s->mode = o->pty ? MODE_PTY : MODE_PIPE;
	if (s->cwd == NULL)
		s->cwd = xstrdup(s->root);
	settings_set_command(s, command == NULL || command[0] == NULL ? usual : command);
	settings_set_delivery(s);
}

static int
graph_run(const struct cmd_args *args)
{
	struct graph_run_options *o = args->opts;
	struct settings *s = &o->settings;
	struct err err = ERR_INIT;
	AUTO_CLOSE int naming = -1;
	bool named = s->name != NULL;
	int rc = EX_OK;

	if (check_usage(o, &err) < 0)
		rc = EX_USAGE;
	if (rc == EX_OK)
		rc = find_graph(s, &err);
	if (rc == EX_OK) {
		complete(o, args);
		rc = settings_check_place(s, &err) < 0 ? EX_FAILED : EX_OK;
	}
	if (rc != EX_OK) {
		error("%s", err.text);
		return rc;
	}
	if (!named)
		s->name = naming_choose(s->root, "graph", &naming);
	return supervisor_main(&(struct supervisor_spec){
	    .name = s->name,
	    .place = named ? NULL : s->root,
	    .naming = &naming,
	    .settings = s,
	    .json = o->json,
	    .quiet = o->quiet,
	    .detach = o->detach,
	});
}

static void
graph_run_release(void *opts)
{
	struct graph_run_options *o = opts;

	/* The option table frees what came from the command line. */
	free(o->settings.source);
	free(o->settings.root);
	strlist_free(o->settings.command);
}

const struct cmd cmd_graph_run = {
    .name = "graph run",
    .usage = "[options] [-- CMD [ARG...]]",
    .summary = "Work through the graph, one fresh agent per task",
    .about =
	"Claims the next task, starts CMD with its prompt on stdin, waits for its end, reads "
	"in "
	"the graph what came of it, and goes on with the next task: until all are complete, or "
	"what is left is blocked. CMD is claude --dangerously-skip-permissions unless another "
	"one "
	"is named; it completes its task itself, with the command that the prompt names.\n\n"
	"A task is completed when the graph says so after its agent has ended. One whose agent "
	"failed, or ended without completing it, stays in progress until somebody runs "
	"'ralph graph reset' or 'complete', and the loop goes on with the next one. A graph "
	"that "
	"cannot be read is asked for again. What an agent marks of other tasks in the file by "
	"hand is put back when its session ends, with an alert; an editor or a merge "
	"meanwhile cannot be told from it, 'ralph graph complete' and 'reset' can.\n\n"
	"With --prompt-command the prompts are whatever CMD prints. It runs 'ralph graph "
	"prompt', "
	"perhaps among other things: that claims for this loop (RALPH_GRAPH_OWNER), of its "
	"story "
	"(WORKTREE_STORY). Exit code 0: its output is the prompt of the task that it claimed, "
	"or "
	"that a line 'Your task: ID' names; 1: nothing is left, and its words say why; any "
	"other: "
	"it is asked again. All the rest is the same. It is what the recipe 'just ralph' does "
	"with "
	"'just prompt'.\n\n"
	"When the agent says that a usage or rate limit stopped it, the same task goes on at "
	"the "
	"time it named, or after 60 s, doubling to 10 minutes; when its login does not hold or "
	"nothing is left to pay with, there is an alert, the task is ready again, and the loop "
	"pauses.\n\n"
	"logs/ralph.jsonl has a line for whatever happens, logs/ralph.heartbeat the time of "
	"the "
	"last sign of life. Exit codes: 0 all complete, and 0 when what is left waits for "
	"somebody; 11 when a task has failed, in this run or before, and nobody has reset or "
	"completed it, or when one was taken out of the graph while an agent worked; 10 when "
	"--max-runtime ended it; with --failures-ok all of these are 0. "
	"Ctrl-C and SIGTERM end the agent within the grace and exit with 130 and 143.",
    .examples = "  ralph graph run\n"
		"  ralph graph run --story S-002 --detach\n"
		"  ralph graph run --delay 0 -- claude -p --dangerously-skip-permissions\n"
		"  ralph graph run --prompt-command 'cat RULES.md; ralph graph prompt'\n"
		"  ralph graph status --stale-after 1h || echo 'the loop hangs'\n",
    .opts = graph_run_opts,
    .nopts = ARRAY_LEN(graph_run_opts),
    .size = sizeof(struct graph_run_options),
    .operand = "command",
    .takes_command = true,
    .checks_command = true,
    .init = graph_run_init,
    .run = graph_run,
    .release = graph_run_release,
};
