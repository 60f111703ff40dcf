/*
 * run.c - ralph run: work through a prompt file with any agent command.
 */
#include "cmd/run.h"
#include "loops/environment.h"
#include "loops/naming.h"
#include "loops/settings.h"
#include "supervisor/supervisor.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "record/codec.h"
#include "session/profile.h"
#include "supervisor/source.h"

#define OPTIONS struct run_options
static const struct opt run_opts[] = {
    ROW_ENV_FILE,
    ROW_FLAG("pty", pty, "give the agent a terminal (default for interactive claude)"),
    ROW_FLAG("pipe", pipe, "connect the agent by pipes (default for everything else)"),
    ROWS_OUTPUT("run in the background"),
};

int
run_check(struct run_options *o, bool pipe, struct err *err)
{
	struct settings *s = &o->settings;

	if (o->pty && o->pipe)
		return err_set(err, "--pty and --pipe exclude each other");
	if ((s->name != NULL && settings_check_name(s->name, err) < 0) ||
	    settings_check_prompt_via(s->prompt_via, err) < 0)
		return -1;
	if (s->prompt_via != NULL && strcmp(s->prompt_via, "paste") == 0 && pipe)
		return err_set(err, "--prompt-via paste needs a terminal (--pty)");
	return environment_take(&s->env, o->env_files, err);
}

int
run_loop(struct run_options *o, const char *place, const char *kind)
{
	struct settings *s = &o->settings;
	AUTO_CLOSE int naming = -1;
	bool named = s->name != NULL;

	if (!named)
		s->name = naming_choose(place, kind, &naming);
	return supervisor_main(&(struct supervisor_spec){
	    .name = s->name,
	    .place = named ? NULL : place,
	    .naming = &naming,
	    .settings = s,
	    .json = o->json,
	    .quiet = o->quiet,
	    .detach = o->detach,
	});
}

void
cmd_release_settings(void *opts)
{
	settings_release(opts);
}

/* Refuses a command line that is wrong by itself. */
static int
cmd_run_check_usage(struct run_options *o, const struct cmd_args *args)
{
	struct settings *s = &o->settings;
	struct err *err = args->err;

	if (s->prompt_file == NULL && s->prompt_command == NULL)
		return err_set(err, "--prompt-file is required (or --prompt-command)");
	if (s->prompt_file != NULL && s->prompt_command != NULL)
		return err_set(err, "--prompt-file and --prompt-command exclude each other");
	if (s->max_iterations == 0 && s->prompt_command == NULL)
		return err_set(err, "--max-iterations is required (\"unlimited\" spells out "
				    "that there is no limit)");
	if (run_check(o, o->pipe, err) < 0 || settings_check_patterns(s, err) < 0)
		return -1;
	if (s->prompt_command == NULL && strlist_len(args->operands.command) == 0)
		return err_set(err, "no command provided (use -- command...)");
	return 0;
}

/* A command knows when there is nothing left: nothing else needs to end the loop. */
static void
complete_for_command(struct settings *s, const struct cmd_args *args)
{
	if (s->max_iterations == 0)
		s->max_iterations = UNLIMITED;
	if (!cmd_given(args, "max-failures"))
		s->max_failures = UNLIMITED;
	if (!cmd_given(args, "delay"))
		s->delay = 2 * NSEC_PER_SEC;
	if (s->prompt_timeout == 0)
		s->prompt_timeout = 120 * NSEC_PER_SEC;
}

static void
cmd_run_complete(struct run_options *o, const struct cmd_args *args)
{
	struct settings *s = &o->settings;
	char *const *command = args->operands.command;
	bool given = command != NULL && command[0] != NULL;
	bool paste = s->prompt_via != NULL && strcmp(s->prompt_via, "paste") == 0;
	/* The usual agent of a prompt command reads its prompt from a pipe. */
	bool terminal = paste || (given && profile_use(command) == PROFILE_TERMINAL);

	if (s->prompt_command != NULL)
		complete_for_command(s, args);
	s->source = xstrdup(s->prompt_command != NULL ? "command" : "prompt");
	s->judged = true;
	s->mode = o->pty || (!o->pipe && terminal) ? MODE_PTY : MODE_PIPE;
	settings_set_command(s, command);
	settings_set_delivery(s);
}

static int
cmd_run_check_world(const struct settings *s, struct err *err)
{
	AUTO_BUF prompt = BUF_INIT;

	if (s->prompt_file != NULL && prompt_read(s->prompt_file, &prompt, err) < 0)
		return -1;
	return settings_check_place(s, err);
}

static int
run(const struct cmd_args *args)
{
	struct run_options *o = args->opts;
	struct settings *s = &o->settings;

	if (cmd_run_check_usage(o, args) < 0)
		return -EX_USAGE;
	cmd_run_complete(o, args);
	if (cmd_run_check_world(s, args->err) < 0)
		return -1;
	if (s->prompt_command == NULL) {
		settings_warn_many(s);
		settings_make_absolute(&s->prompt_file);
	}
	return run_loop(o, s->cwd, "run");
}

const struct cmd cmd_run = {
    .name = "run",
    .usage = "--prompt-file FILE --max-iterations N [options] -- CMD [ARG...]\n       "
	     "ralph run --prompt-command CMD [options] [-- CMD [ARG...]]",
    .summary = "Work through a prompt file, one fresh agent after the other",
    .about =
	"Reads FILE, starts CMD with it, waits until it ends, decides how it went, and starts "
	"the next one with a fresh context: until the done pattern matches, the iterations are "
	"used up, or too many fail in a row. Everything is written down; after a crash or a "
	"reboot, 'ralph resume' goes on.\n\n"
	"With --prompt-command each iteration's prompt is what that command prints: exit code "
	"0 is a prompt; 1 ends the loop when its words say why (all complete, all tasks "
	"complete, no tasks left, nothing to do; blocked, no ready tasks, waiting on "
	"dependencies); anything else, also 1 without such words, is an error and is tried "
	"again, for ever. Iterations and failures are unlimited then, the delay is 2 s, also "
	"after a failure, and the agent is claude --dangerously-skip-permissions unless "
	"another one is named. It is the loop of 'ralph graph run': logs/ralph.jsonl in its "
	"directory has a line for whatever happens, logs/ralph.heartbeat the time of the last "
	"sign of life, and SIGTERM ends it as Ctrl-C does.\n\n"
	"Exit codes: 0 the done pattern matched, whatever failed before; 10 it never did, or "
	"the time was used. A prompt command ends the loop itself, with and without a done "
	"pattern: 0 when it says that what is left is blocked, or that all is complete, and 11 "
	"when that is complete but an agent failed; 10 when the iterations or the time were "
	"used before. Otherwise, without a done pattern: 0 all iterations ran and none failed, "
	"11 one did. A stall, a timeout and an agent that fell silent in the middle of its "
	"work, at a dialog or on pipes count as failed here; one that fell silent after its "
	"turn does not; where nobody can tell, the last line names how many there were, and 11 "
	"is the code when all were. 1 too many failures in a row.\n\n"
	"Ctrl-C ends the agent and stops. SIGTERM lets the agent finish, for --term-wait at "
	"most, and leaves the loop paused; a second one ends the agent and the loop. (Workers "
	"of swarm are waited for without a limit.)",
    .examples = "  ralph run --prompt-file PROMPT.md --max-iterations 20 -- claude -p "
		"--dangerously-skip-permissions\n"
		"  ralph run --prompt-file PROMPT.md --max-iterations 20 --done-pattern 'All "
		"tasks complete' -- claude --dangerously-skip-permissions\n"
		"  ralph run --prompt-file plan.md --max-iterations unlimited "
		"--iteration-timeout 30m --detach -- ./agent.sh\n"
		"  ralph run --prompt-command 'just prompt' -- claude -p "
		"--dangerously-skip-permissions\n",
    CMD_SETTINGS(OF_RUN),
    CMD_OPTIONS(run_opts),
    .operand = "command",
    .takes_command = true,
    .checks_command = true,
    .run = run,
    .release = cmd_release_settings,
};
