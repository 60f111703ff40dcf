/*
 * kill.c - swarm kill, swarm ralph stop: end a worker; its record and recordings stay.
 */
#include "cmd/cmd.h"
#include "cmd/swarm/ending.h"

#include "base/alloc.h"
#include "base/log.h"

struct kill_options {
	bool all, rm_worktree, force_dirty;
};

#define OPTIONS struct kill_options
static const struct opt kill_opts[] = {
    ROW_FLAG("rm-worktree", rm_worktree,
	"remove the worker's git worktree, unless work would be lost"),
    ROW_FLAG("force-dirty", force_dirty, "remove the worktree even when work would be lost"),
    ROW_FLAG("all", all, "kill every worker that was spawned; loops of other commands go on"),
};

/* Ends one worker; returns worker_end's answer: 1 killed, 0 it was over before, 2 it ended by
 * itself, which was said. */
static int
end_one(const char *name, const struct kill_options *o, bool ralph_only)
{
	struct err err = ERR_INIT;
	AUTO_WORKER w = WORKER_INIT;
	int rc = -1;

	if (worker_open_for(&w, name, VIEW_END, &err) == 0) {
		if (ralph_only && !w.ralph)
			(void)err_set(&err, "worker '%s' is not a ralph worker", name);
		else
			rc = worker_end(&w, &err);
		if (rc >= 0 && o->rm_worktree)
			worker_drop_worktree(&w, o->force_dirty, false);
	}
	if (err.text[0] != '\0')
		error("%s", err.text);
	return rc;
}

/* To kill a worker that is over succeeds, as with the original. */
static int
kill_one(const char *name, const struct kill_options *o, bool ralph_only)
{
	int rc = end_one(name, o, ralph_only);

	if (rc == 1)
		cmd_say("killed %s", name);
	else if (rc == 0)
		warning("worker '%s' is not running", name);
	return rc < 0 ? EX_FAILED : EX_OK;
}

struct victims {
	char **names;
	char **asked; /* those of them that will be over because they were asked to end */
};

/* Spares the loops of `ralph run` and its kin: each may be a night's work, maybe in another
 * project. */
static void
end_soon(void *ctx, struct worker *w)
{
	struct victims *v = ctx;

	if (!w->foreign && !worker_is_swarms(&w->view.settings))
		return;
	if (worker_end_soon(w))
		v->asked = strlist_add(v->asked, worker_name(w));
	v->names = strlist_add(v->names, worker_name(w));
}

static int
kill_all(const struct kill_options *o)
{
	struct victims v = {.names = NULL};
	struct err err = ERR_INIT;
	int unread = workers_each_for(VIEW_END, end_soon, &v, &err);
	int rc = unread == 0 ? EX_OK : EX_FAILED;

	if (unread < 0)
		error("%s", err.text);
	for (size_t i = 0; v.names != NULL && v.names[i] != NULL; i++) {
		int ended = end_one(v.names[i], o, false);

		/* Workers that were over before are not mentioned. */
		if (ended == 1 || (ended == 0 && strlist_has(v.asked, v.names[i])))
			cmd_say("killed %s", v.names[i]);
		if (ended < 0)
			rc = EX_FAILED;
	}
	strlist_free(v.names);
	strlist_free(v.asked);
	return rc;
}

static int
run(const struct cmd_args *args)
{
	const struct kill_options *o = args->opts;

	if (o->all)
		return kill_all(o);
	if (args->operands.nargs == 0)
		return err_set(args->err, "must specify worker name or --all");
	return kill_one(args->operands.args[0], o, false);
}

static int
ralph_stop_run(const struct cmd_args *args)
{
	return kill_one(args->operands.args[0], args->opts, true);
}

const struct cmd cmd_kill = {
    .name = "kill",
    .usage = "[--rm-worktree] NAME | --all",
    .summary = "End a worker, its agent and its loop",
    .about =
	"The agent's whole process tree gets SIGTERM, after the grace SIGKILL; the command "
	"returns when nothing of it is left. Its tmux window is closed, and no other. The "
	"worker stays in 'swarm ls' with all it wrote, until 'swarm clean'. Of a worker that "
	"is over already it says that it is not running, and exits with 0.\n\n"
	"--all ends every worker that was spawned. Loops of 'ralph run', 'loop', 'todo' and "
	"'graph run' go on; each of them is ended by its name. A loop that is refused, because "
	"it belongs to another user, is named, and the exit code is 1.",
    .examples = "  swarm kill agent\n"
		"  swarm kill --all\n",
    CMD_OPTIONS(kill_opts),
    .max_args = 1,
    .operand = "loop",
    .run = run,
};

const struct cmd cmd_swarm_ralph_stop = {
    .name = "ralph stop",
    .usage = "[--rm-worktree] NAME",
    .summary = "End a loop and its agent: kill for ralph workers",
    .examples = "  swarm ralph stop agent\n",
    .opts = kill_opts,
    .nopts = ARRAY_LEN(kill_opts) - 1, /* not --all */
    .size = sizeof(OPTIONS),
    CMD_NAME,
    .run = ralph_stop_run,
};
