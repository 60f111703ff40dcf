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

#define FLAG(name_, field, help_)                                               \
	{                                                                       \
		.name = (name_), .type = OPT_FLAG,                              \
		.offset = offsetof(struct kill_options, field), .help = (help_) \
	}

static const struct opt kill_opts[] = {
    FLAG("rm-worktree", rm_worktree,
	"remove the worker's git worktree, unless work would be lost"),
    FLAG("force-dirty", force_dirty, "remove it even then"),
    FLAG("all", all, "every worker that was spawned; loops of other commands go on"),
};

/* A worktree that stays is no failure: the worker was killed. */
static void
remove_worktree(const struct worker *w, bool force)
{
	struct worktree tree;
	struct err err = ERR_INIT;

	if (!worker_worktree(w, &tree))
		return;
	if (worker_remove_worktree(worker_name(w), &tree, force, &err) < 0) {
		warning("cannot remove worktree for '%s': %s", worker_name(w), err.text);
		if (!force)
			hint("use --force-dirty to remove anyway");
	}
	worktree_release(&tree);
}

static int
kill_one(const char *name, const struct kill_options *o, bool ralph_only)
{
	AUTO_BUF out = BUF_INIT;
	struct err err = ERR_INIT;
	struct worker w;
	int rc = -1;

	if (worker_open_for(&w, name, VIEW_END, &err) == 0) {
		if (ralph_only && !w.ralph)
			(void)err_set(&err, "worker '%s' is not a ralph worker", name);
		else
			rc = worker_end(&w, &err);
		if (rc >= 0 && o->rm_worktree)
			remove_worktree(&w, o->force_dirty);
		worker_close(&w);
	}
	if (err.text[0] != '\0')
		error("%s", err.text);
	if (rc < 0)
		return EX_FAILED;
	buf_addf(&out, "killed %s\n", name);
	cmd_print(&out);
	return EX_OK;
}

/* What `ralph run` and its kin made is somebody's night, maybe in another project. */
static void
end_soon(void *ctx, struct worker *w)
{
	char ***names = ctx;

	if (!w->foreign && !worker_is_swarms(&w->view.settings))
		return;
	worker_end_soon(w);
	*names = strlist_add(*names, worker_name(w));
}

static int
kill_all(const struct kill_options *o)
{
	char **names = xcalloc(1, sizeof(*names));
	struct err err = ERR_INIT;
	int rc = EX_OK;

	if (workers_each_for(VIEW_END, end_soon, &names, &err) < 0) {
		error("%s", err.text);
		rc = EX_FAILED;
	}
	for (size_t i = 0; names[i] != NULL; i++)
		if (kill_one(names[i], o, false) != EX_OK)
			rc = EX_FAILED;
	strlist_free(names);
	return rc;
}

static int
run(const struct cmd_args *args)
{
	const struct kill_options *o = args->opts;

	if (o->all)
		return kill_all(o);
	if (args->operands.nargs == 0) {
		error("must specify worker name or --all");
		return EX_FAILED;
	}
	return kill_one(args->operands.args[0], o, false);
}

static int
ralph_run(const struct cmd_args *args)
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
	"worker stays in 'swarm ls' with all it wrote, until 'swarm clean'.\n\n"
	"--all ends every worker that was spawned. Loops of 'ralph run', 'loop', 'todo' and "
	"'graph run' go on; each of them is ended by its name.",
    .examples = "  swarm kill agent\n  swarm kill --all\n",
    .opts = kill_opts,
    .nopts = ARRAY_LEN(kill_opts),
    .size = sizeof(struct kill_options),
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
    .size = sizeof(struct kill_options),
    .min_args = 1,
    .max_args = 1,
    .operand = "loop",
    .run = ralph_run,
};
