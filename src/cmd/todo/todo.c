/*
 * todo.c - ralph todo: lead a worker through the tasks of todo.md.
 */
#include "cmd/cmd.h"
#include "loops/differences.h"
#include "loops/environment.h"
#include "loops/loop_view.h"
#include "loops/naming.h"
#include "loops/settings.h"
#include "supervisor/supervisor.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/log.h"
#include "git/turn/turn.h"
#include "record/codec.h"
#include "session/profile.h"
#include "work/todo/todo.h"
#include "work/todo/todo_file.h"
#include "work/todo/views/todo.h"
#include <errno.h>
#include <fcntl.h>

/* At one task: fewer than --max-failures, so that the task, and not the worker, is given up. */
#define ATTEMPTS 2
#define STATE_MAX ((size_t)16 << 20)

struct todo_options {
	struct settings settings;
	char **env_files;
	bool pipe, new_run;
	bool detach, json, quiet;
};

#define OPTIONS struct todo_options
static const struct opt todo_opts[] = {
    ROW_ENV_FILE,
    ROW_FLAG("pipe", pipe, "connect workers by pipes; implies --fresh"),
    ROW_FLAG("new-run", new_run, "begin anew though a run was interrupted"),
    ROWS_OUTPUT("run in the background"),
};

static int
todo_check_usage(struct todo_options *o, struct err *err)
{
	struct settings *s = &o->settings;

	if (s->name != NULL && settings_check_name(s->name, err) < 0)
		return -1;
	return environment_take(&s->env, o->env_files, err);
}

/* ---- options that were left open ----------------------------------------------------- */

/* Fills in what the command line leaves open: from ai/ralph/config.json, else our defaults. */
static void
take_config(struct settings *s)
{
	struct todo_config c;
	AUTO_BUF notes = BUF_INIT;

	todo_config_load(s->root, &c, &notes);
	warning_lines(notes.data);
	if (s->inactivity_timeout == 0)
		s->inactivity_timeout = c.inactivity_timeout_ms * NSEC_PER_MSEC;
	if (s->interventions == 0)
		s->interventions = c.max_interventions_per_task;
	if (s->nudges == 0)
		s->nudges = c.max_nudges_before_alert;
	if (!c.completion_file_required)
		warning("ai/ralph/config.json: a task is never complete without its file here");
}

static void
set_retries(struct settings *s)
{
	s->attempts = ATTEMPTS;
	s->retry_on = strlist_add(s->retry_on, "exit");
	s->retry_on = strlist_add(s->retry_on, "timeout");
	s->retry_on = strlist_add(s->retry_on, "not-closed");
	s->retry_on = strlist_add(s->retry_on, "verify");
}

/* Does the state file of a former run, or of the user, want the desktop?  Also where the
 * desktop could not be had. */
static bool
desktop_wanted(const char *root)
{
	AUTO_FREE char *path = xasprintf("%s/" TODO_DIR "/state.json", root);
	AUTO_JSON *v = json_read(AT_FDCWD, path, STATE_MAX, NULL);
	const json_t *can = json_object_get(v, "capabilities");

	return json_bool(can, "desktop_automation", false) ||
	       json_bool(can, "desktop_requested", false);
}

static void
todo_complete(struct todo_options *o, char *const *given)
{
	struct settings *s = &o->settings;
	char *const *command =
	    given != NULL && given[0] != NULL ? given : settings_usual_agent(true);
	bool headless = profile_use(command) == PROFILE_HEADLESS;

	s->source = xstrdup("todo");
	s->mode = o->pipe || headless ? MODE_PIPE : MODE_PTY;
	if (s->mode == MODE_PIPE)
		s->fresh = true;
	s->leads = s->lands = true;
	s->keeps = !s->fresh;
	settings_set_command(s, command);
	take_config(s);
	/* An agent that sits at a terminal gets its prompt there, whatever the agent's name. */
	s->prompt_via = xstrdup(s->mode == MODE_PTY ? "paste" : "stdin");
	settings_set_delivery(s);
	set_retries(s);
	s->desktop = s->desktop || desktop_wanted(s->root);
	if (s->tmux_session != NULL || s->tmux_socket != NULL)
		s->tmux = true;
	if (s->tmux && s->tmux_session == NULL)
		s->tmux_session = xstrdup("swarm");
}

/* ---- the run that is there already --------------------------------------------------- */

/* A run that nobody ended, or that somebody or the clock stopped, goes on as it began. */
static bool
was_cut_short(const struct loop_state *s)
{
	if (s->phase == PHASE_FINISHED)
		return end_reason_asked(s->reason) || end_reason_by(s->reason) == BY_CLOCK;
	return s->phase != PHASE_NEW;
}

static bool
is_of_list(const struct loop_view *v, const struct settings *s)
{
	return v->settings.source != NULL && strcmp(v->settings.source, "todo") == 0 &&
	       v->settings.todo_file != NULL &&
	       strcmp(v->settings.todo_file, s->todo_file) == 0;
}

/* Returns the option of that setting, if it was given.  What follows "--", --pipe and
 * --env-file are not stored in their settings as they are given. */
static const char *
todo_said(const char *field, size_t offset, const void *ctx)
{
	const struct cmd_args *args = ctx;

	if (strcmp(field, "command") == 0)
		return args->operands.command != NULL && args->operands.command[0] != NULL
			   ? "worker"
			   : NULL;
	if (strcmp(field, "mode") == 0)
		return cmd_given(args, "pipe") ? "pipe" : NULL;
	if (strcmp(field, "env") == 0 && cmd_given(args, "env-file"))
		return "env-file";
	for (size_t i = 0; i < args->nrows; i++)
		if (args->rows[i].offset == args->cmd->settings + offset)
			return args->operands.given[i] ? args->rows[i].name : NULL;
	return NULL;
}

static void
say_goes_on(const struct loop_view *v, const struct cmd_args *args)
{
	const struct todo_options *o = args->opts;
	AUTO_BUF names = BUF_INIT;

	differences_find(&v->settings, &o->settings, todo_said, args, &names);
	if (names.len == 0)
		warning("going on with the run that was interrupted, as it began; --new-run "
			"begins another");
	else
		warning("going on with the run that was interrupted, as it began: what is said "
			"now of %s has no effect; --new-run begins another",
		    names.data);
}

static bool
todo_goes_on(const struct cmd_args *args)
{
	const struct todo_options *o = args->opts;
	const struct settings *s = &o->settings;
	struct loop_view v;
	bool on;

	if (loop_view_open(&v, s->name, NULL) < 0)
		return false;
	on = is_of_list(&v, s) && was_cut_short(&v.state);
	if (on && !v.supervised)
		say_goes_on(&v, args);
	loop_view_close(&v);
	return on;
}

/* Returns the list whose interrupted run would be lost with that name; NULL: none would. */
static char *
other_list(const struct settings *s, const char *name)
{
	struct loop_view v;
	char *list = NULL;

	if (loop_view_open(&v, name, NULL) < 0)
		return NULL;
	if (v.settings.todo_file != NULL && !is_of_list(&v, s) && was_cut_short(&v.state))
		list = xstrdup(v.settings.todo_file);
	loop_view_close(&v);
	return list;
}

/* Tells who has the name.  A loop of another project, and an interrupted run of another list,
 * keep the name: then this run gets a number behind it. */
static enum name_owner
owner_by_list(const struct loop_view *v, const void *ctx)
{
	const struct settings *s = ctx;

	if (naming_place(&v->settings) != NULL && !naming_is_at(&v->settings, s->root))
		return NAME_OTHERS;
	if (is_of_list(v, s))
		return NAME_OURS;
	return v->settings.todo_file != NULL && was_cut_short(&v->state) ? NAME_OTHERS
									 : NAME_MAY;
}

static void
choose_name(struct settings *s, int *naming)
{
	free(s->name);
	s->name = naming_choose_by(s->root, "todo", owner_by_list, s, naming);
}

static void
todo_say_kept(const struct settings *s)
{
	AUTO_FREE char *usual = settings_default_name(s->root, "todo");
	AUTO_FREE char *list = other_list(s, usual);

	if (list != NULL && strcmp(s->name, usual) != 0)
		warning("'%s' is an interrupted run of %s, and stays; this one is '%s'", usual,
		    list, s->name);
}

static int
todo_check_name(const struct settings *s, struct err *err)
{
	AUTO_FREE char *list = other_list(s, s->name);

	if (list == NULL)
		return 0;
	return err_set(err,
	    "'%s' is an interrupted run of %s: 'ralph resume %s' goes on with it; --name gives "
	    "this one another name",
	    s->name, list, s->name);
}

/* Checks a run that goes on, too: otherwise its work could not be committed. */
static int
check_repository(struct settings *s, struct err *err)
{
	int rc = turn_can(s->root, err);

	s->tracked = rc > 0;
	return rc < 0 ? -1 : 0;
}

static int
todo_check_world(const struct settings *s, struct err *err)
{
	struct source *source;

	if (settings_check_place(s, err) < 0)
		return -1;
	/* An error in the list is said before anything is made. */
	source = source_todo.open(NULL, s, err);
	if (source == NULL)
		return -1;
	source_todo.close(source);
	return 0;
}

static int
todo(const struct cmd_args *args)
{
	struct todo_options *o = args->opts;
	struct settings *s = &o->settings;
	struct err err = ERR_INIT;
	AUTO_CLOSE int naming = -1;
	bool named = s->name != NULL;
	bool on;

	if (todo_check_usage(o, &err) < 0) {
		error("%s", err.text);
		return EX_USAGE;
	}
	s->root = realpath(".", NULL);
	s->todo_file = xstrdup(args->operands.nargs > 0 ? args->operands.args[0] : TODO_FILE);
	settings_make_absolute(&s->todo_file);
	todo_complete(o, args->operands.command);
	if (!named)
		choose_name(s, NULL);
	on = !o->new_run && todo_goes_on(args);
	if ((!on && ((!o->new_run && todo_check_name(s, &err) < 0) ||
			todo_check_world(s, &err) < 0)) ||
	    check_repository(s, &err) < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	if (!named && !on)
		choose_name(s, &naming);
	if (!named)
		todo_say_kept(s);
	return supervisor_main(&(struct supervisor_spec){
	    .name = s->name,
	    .place = named ? NULL : s->root,
	    .naming = &naming,
	    .settings = on ? NULL : s,
	    .json = o->json,
	    .quiet = o->quiet,
	    .detach = o->detach,
	});
}

static void
todo_options_release(void *opts)
{
	settings_release(&((struct todo_options *)opts)->settings);
}

const struct cmd cmd_todo = {
    .name = "todo",
    .usage = "[FILE] [options] [-- WORKER [ARG...]]",
    .summary = "Lead a worker through the tasks of todo.md",
    .about =
	"For every incomplete task of FILE (ai/todo.md), such as '- [ ] T001: title': clears "
	"the worker's context, gives it the task, listens to what it says, checks what it did, "
	"commits it, marks the task as done and goes on with the next.\n\n"
	"A worker speaks by <promise>DONE</promise>, <promise>STUCK:question</promise>, "
	"<promise>BLOCKED:reason</promise> and <promise>PROGRESS:N</promise>, each alone on "
	"its line, or by the commands 'ralph done', 'ralph stuck', 'ralph blocked' and 'ralph "
	"progress'; 'ralph todo init --claude' makes /ralph_done, /ralph_stuck and "
	"/ralph_progress of them for Claude Code. The prompt of each task has these commands "
	"with a token (--turn TOKEN) in a line that is added to the seed's, so that a command "
	"of one task never counts for another; tags have no token (doc/todo.md tells what "
	"guards them). A task is complete only with both, the word and a "
	"fresh ai/ralph/results/ID.done.json ('ralph done' writes it), and when --verify "
	"succeeds.\n\n"
	"A question is answered from what the project itself knows, or by --help-command; the "
	"same one three times, then the task is marked as blocked. A silent worker is nudged, "
	"given its task again, and replaced. A commit has only what the task changed; what was "
	"changed before stays as it is. A task that is done but cannot be committed (a hook "
	"refuses, a merge is under way, the repository is damaged) waits: its box is not "
	"ticked, and the next run makes the commit first. A repository that git cannot use is "
	"refused at the start.\n\n"
	"Exit codes: 0 all tasks complete, or put aside by their marks, 3 'ralph stop', 10 max "
	"iterations or max runtime and there are more, 11 some failed or were blocked, 12 only "
	"tasks are left that are blocked or have no id, 14 all are done but some wait to be "
	"committed, or no branch has their commits any more, 1 the worker could not be kept "
	"running. Ctrl-C and SIGTERM end the worker and keep all; 'ralph todo' goes on.",
    .examples = "  ralph todo\n"
		"  ralph todo --verify 'make test' -- claude --dangerously-skip-permissions\n"
		"  ralph todo docs/plan.md --section Backlog --fresh -- claude -p\n",
    CMD_SETTINGS(OF_TODO),
    CMD_OPTIONS(todo_opts),
    .max_args = 1,
    .operand = "file",
    .takes_command = true,
    .checks_command = true,
    .run = todo,
    .release = todo_options_release,
};
