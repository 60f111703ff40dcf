/*
 * spawn.c - swarm spawn, swarm ralph spawn: a worker under a name, plain or in a loop.
 */
#include "cmd/run.h"
#include "cmd/swarm/ending.h"
#include "loops/settings.h"
#include "loops/worker.h"
#include "supervisor/supervisor.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "git/worktree.h"
#include "record/codec.h"
#include "supervisor/source.h"
#include <errno.h>

#define SESSION "swarm"

struct spawn_options {
	struct settings settings;
	bool ralph, replace, worktree, ready_wait;
	bool detach, json, quiet;
	int64_t ready_timeout;
	char *branch, *worktree_dir;
};

#define OPTIONS struct spawn_options
static const struct opt spawn_opts[] = {
    ROW_FLAG("worktree", worktree, "work in a git worktree of its own"),
    ROW_TEXT("branch", branch, "B", "the branch of the worktree", .dflt = "the name"),
    ROW_TEXT("worktree-dir", worktree_dir, "DIR",
	"where worktrees are; relative to the repository's parent",
	.dflt = "REPO-worktrees next to the repository"),
    ROW_FLAG("ready-wait", ready_wait, "return only when the agent is ready"),
    ROW_SPAN("ready-timeout", ready_timeout, "S", "how long to wait until the agent is ready",
	.usual = "120s"),
    ROW_FLAG("replace", replace, "kill an existing worker of that name first"),
    ROWS_OUTPUT("run the loop in the background"),
    ROW_FLAG("ralph", ralph,
	"loop over a prompt file, one fresh agent after the other; implies --tmux"),
};

/* ---- checks ------------------------------------------------------------------------ */

/* Checks in the seed's order; 0 or -1 + err. */
static int
check_ralph(const struct settings *s, struct err *err)
{
	AUTO_BUF prompt = BUF_INIT;

	if (s->prompt_file == NULL)
		return err_set(err, "--ralph requires --prompt-file");
	if (s->max_iterations == 0)
		return err_set(err, "--ralph requires --max-iterations");
	if (prompt_read(s->prompt_file, &prompt, err) < 0)
		return -1;
	settings_warn_many(s);
	return 0;
}

/* Refuses options that mean nothing without a loop: they would be ignored in silence. */
static int
check_plain(const struct cmd_args *args)
{
	static const char *const loop_only[] = {"prompt-file", "max-iterations", "done-pattern",
	    "inactivity-timeout", "stall-timeout", "max-failures", "delay", "prompt-via",
	    "keep-sessions", "keep-bytes", "keep-days", "keep-free", "keep-output"};

	for (size_t i = 0; i < ARRAY_LEN(loop_only); i++)
		if (cmd_given(args, loop_only[i])) {
			(void)err_set(args->err, "--%s needs --ralph", loop_only[i]);
			return -EX_USAGE;
		}
	return 0;
}

static int
spawn_check_usage(const struct spawn_options *o, struct err *err)
{
	const struct settings *s = &o->settings;
	const char *session = s->tmux_session, *socket = s->tmux_socket;

	if (s->name == NULL)
		return err_set(err, "--name is required");
	if (settings_check_name(s->name, err) < 0 ||
	    settings_check_prompt_via(s->prompt_via, err) < 0 ||
	    settings_check_patterns(s, err) < 0)
		return -1;
	/* tmux would quietly make another name of it, or take it for a target. */
	if (session != NULL &&
	    (session[0] == '\0' || strpbrk(session, ":.=@$%*?\n\t") != NULL ||
		session[0] == '-' || strlen(session) > 100))
		return err_set(
		    err, "--session '%s' cannot be the name of a tmux session", session);
	if (socket != NULL &&
	    (socket[0] == '\0' || strpbrk(socket, "/\n\t") != NULL || strlen(socket) > 60))
		return err_set(
		    err, "--tmux-socket '%s' cannot be the name of a tmux server", socket);
	if (!o->worktree && (o->branch != NULL || o->worktree_dir != NULL))
		return err_set(err, "--%s needs --worktree",
		    o->branch != NULL ? "branch" : "worktree-dir");
	return 0;
}

/* Is the name free?  A worker that is over gives it up; its state goes to the archive. */
static int
check_name_free(const struct spawn_options *o, struct err *err)
{
	const char *name = o->settings.name;
	AUTO_WORKER w = WORKER_INIT;
	int rc = 0;

	if (worker_open(&w, name, err) < 0)
		return err->code == ENOENT ? 0 : -1;
	if (w.running || w.view.supervised) {
		rc = o->replace ? worker_end(&w, err)
				: err_set(err, "worker '%s' already exists", name);
		if (rc >= 0)
			cmd_say("replaced existing worker %s", name);
	}
	return rc < 0 ? -1 : 0;
}

/* ---- the worker --------------------------------------------------------------------- */

static void
spawn_complete(struct spawn_options *o, char *const *command)
{
	struct settings *s = &o->settings;

	s->tmux = s->tmux || o->ralph || s->tmux_session != NULL || s->tmux_socket != NULL;
	if (s->tmux && s->tmux_session == NULL)
		s->tmux_session = xstrdup(SESSION);
	s->mode = s->tmux ? MODE_PTY : MODE_PIPE;
	settings_set_command(s, command);
	if (o->ralph) {
		s->source = xstrdup("prompt");
		settings_make_absolute(&s->prompt_file);
		settings_set_delivery(s);
	} else {
		s->source = xstrdup("once");
		s->prompt_via = xstrdup("none");
		s->max_iterations = 1;
		s->max_failures = 1;
	}
}

static int
make_worktree(const struct spawn_options *o, struct worktree *worktree, struct err *err)
{
	if (worktree_create(".", o->settings.name, o->branch, o->worktree_dir, worktree, err) ==
	    0)
		return 0;
	if (err->code == ENOENT)
		return err_set(err, "not in a git repository (required for --worktree)");
	return err_prefix(err, "failed to create worktree");
}

static void
use_worktree(struct settings *s, const struct worktree *worktree)
{
	free(s->cwd);
	s->cwd = xstrdup(worktree->path);
	s->worktree_path = xstrdup(worktree->path);
	s->worktree_branch = xstrdup(worktree->branch);
	s->worktree_repo = xstrdup(worktree->repo);
}

/* Removes a worktree that no worker came to use.  Another spawn of that name may have been
 * faster. */
static void
drop_worktree(const char *name, const struct worktree *worktree)
{
	struct err err = ERR_INIT;
	AUTO_WORKER w = WORKER_INIT;
	bool used = false;

	if (!worktree->made)
		return;
	if (worker_open(&w, name, NULL) == 0) {
		const char *path = w.view.settings.worktree_path;

		used = path != NULL && strcmp(path, worktree->path) == 0;
	}
	if (!used && worktree_remove(worktree, false, &err) < 0)
		warning("rollback failed: could not remove worktree: %s", err.text);
}

static int
spawn_start(struct spawn_options *o, struct err *err)
{
	struct settings *s = &o->settings;

	if (settings_check_place(s, err) < 0)
		return -1;
	return supervisor_main(&(struct supervisor_spec){
	    .name = s->name,
	    .settings = s,
	    .json = o->json,
	    .quiet = o->quiet,
	    .mute = !o->ralph, /* a plain worker is no loop to its user */
	    .detach = o->detach || !o->ralph,
	    .announce = true,
	    .announce_word = "spawned",
	    .ready_wait = o->ready_wait,
	    .ready_timeout = o->ready_timeout,
	});
}

static int
spawn(struct spawn_options *o, struct err *err)
{
	struct worktree worktree = {NULL, NULL, NULL, false};
	pid_t self = getpid();
	int rc;

	if (o->worktree && make_worktree(o, &worktree, err) < 0)
		return -1;
	if (o->worktree)
		use_worktree(&o->settings, &worktree);
	rc = spawn_start(o, err);
	/* The supervisor itself comes back here, too, when its worker is over. */
	if (rc != EX_OK && getpid() == self)
		drop_worktree(o->settings.name, &worktree);
	worktree_release(&worktree);
	return rc;
}

static int
run(const struct cmd_args *args)
{
	struct spawn_options *o = args->opts;
	char *const *command = args->operands.command;
	struct err *err = args->err;
	int rc;

	if (command == NULL || command[0] == NULL)
		return err_set(err, "no command provided (use -- command...)");
	rc = o->ralph ? check_ralph(&o->settings, err) : check_plain(args);
	if (rc != 0)
		return rc;
	if (spawn_check_usage(o, err) < 0)
		return -EX_USAGE;
	if (check_name_free(o, err) < 0 || settings_check_env(o->settings.env, err) < 0)
		return -1;
	spawn_complete(o, command);
	if (o->settings.tmux && !tmux_installed())
		return err_set(err, "tmux is not installed (required for --%s)",
		    o->ralph ? "ralph" : "tmux");
	return spawn(o, err);
}

static int
ralph_spawn_run(const struct cmd_args *args)
{
	((struct spawn_options *)args->opts)->ralph = true;
	return run(args);
}

const struct cmd cmd_spawn = {
    .name = "spawn",
    .usage = "--name NAME [options] -- CMD [ARG...]",
    .summary = "Start a worker: a command, or with --ralph a loop",
    .about = "A plain worker is CMD, started once in the background; with --tmux it has a "
	     "terminal that is shown in a tmux window. With --ralph, CMD is started again and "
	     "again with the prompt of --prompt-file, up to --max-iterations times: the loop "
	     "runs here until it is over, or with --detach in the background.\n\n"
	     "A name that a worker of today has is refused; the state of one that is over goes "
	     "to the archive. A worker that cannot be started leaves nothing behind, and one "
	     "that is over and had its name is as it was.\n\n"
	     "With --worktree the worker has a git worktree and a branch of its own, and --cwd "
	     "means nothing.",
    .examples = "  swarm spawn --name tests --tag ci -- make check\n"
		"  swarm spawn --name helper --tmux --ready-wait --worktree -- claude\n"
		"  swarm spawn --name agent --ralph --prompt-file PROMPT.md --max-iterations "
		"20 -- claude --dangerously-skip-permissions\n",
    CMD_SETTINGS(OF_SPAWN),
    CMD_OPTIONS(spawn_opts),
    .operand = "command",
    .takes_command = true,
    .checks_command = true,
    .run = run,
    .release = cmd_release_settings,
};

const struct cmd cmd_swarm_ralph_spawn = {
    .name = "ralph spawn",
    .usage = "--name NAME --prompt-file FILE --max-iterations N [options] -- CMD [ARG...]",
    .summary = "Start a loop over a prompt file: spawn --ralph",
    .about =
	"One fresh agent after the other gets the prompt, each in a new context, until the "
	"done pattern matches or the iterations are used up (more than 50 are warned about). "
	"The loop runs here until it is over, or with --detach in the background. Loops always "
	"use tmux; --tmux is accepted for consistency. With --replace an existing worker of "
	"that name is killed first; the ralph state of one that is over goes to the "
	"archive.\n\n"
	"Intervention: swarm send NAME TEXT, swarm ralph pause NAME, swarm kill NAME.\n\n"
	"Monitoring: swarm ralph status NAME, swarm attach NAME, swarm logs NAME --follow.",
    .examples = "  swarm ralph spawn --name agent --prompt-file PROMPT.md --max-iterations 20 "
		"-- claude\n"
		"  swarm ralph spawn --name agent --prompt-file PROMPT.md --max-iterations 20 "
		"--worktree --detach -- claude\n",
    CMD_SETTINGS(OF_SPAWN),
    .opts = spawn_opts,
    .nopts = ARRAY_LEN(spawn_opts) - 1, /* not --ralph */
    .size = sizeof(OPTIONS),
    .operand = "command",
    .takes_command = true,
    .checks_command = true,
    .run = ralph_spawn_run,
    .release = cmd_release_settings,
};
