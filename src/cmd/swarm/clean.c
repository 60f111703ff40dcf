/*
 * clean.c - swarm clean: forget workers that are over, with all they wrote.
 */
#include "cmd/cmd.h"
#include "cmd/swarm/ending.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/swarm/heartbeat.h"
#include "record/home.h"
#include "record/registry.h"
#include <errno.h>
#include <fcntl.h>

struct clean_options {
	bool all, rm_worktree, force_dirty;
};

#define FLAG(name_, field, flags_, help_)                                        \
	{                                                                        \
		.name = (name_), .type = OPT_FLAG, .flags = (flags_),            \
		.offset = offsetof(struct clean_options, field), .help = (help_) \
	}

static const struct opt clean_opts[] = {
    FLAG("all", all, 0, "every worker that does not run"),
    FLAG("rm-worktree", rm_worktree, OPT_NEGATABLE,
	"remove its git worktree, too, unless it has changes (the default)"),
    FLAG("force-dirty", force_dirty, 0, "remove the worktree even then"),
};

static void
clean_init(void *opts)
{
	((struct clean_options *)opts)->rm_worktree = true;
}

/* Work that is not committed outlives the worker. */
static void
remove_worktree(const struct worker *w, bool force)
{
	struct worktree tree;
	struct err err = ERR_INIT;

	if (!worker_worktree(w, &tree))
		return;
	if (worktree_remove(&tree, force, &err) < 0) {
		warning("preserving worktree for '%s': %s", worker_name(w), err.text);
		hint("worktree at: %s", tree.path);
		if (!force)
			hint("use --force-dirty to remove anyway");
	}
	worktree_release(&tree);
}

/* The log files of the original program. */
static void
remove_foreign_logs(int home, const char *name)
{
	AUTO_CLOSE int logs = openat(home, "logs", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	static const char *const kinds[] = {"stdout", "stderr"};

	for (size_t i = 0; i < ARRAY_LEN(kinds) && logs >= 0 && name_is_valid(name); i++) {
		AUTO_FREE char *file = xasprintf("%s.%s.log", name, kinds[i]);
		struct err err = ERR_INIT;

		if (fs_unlink(logs, file, &err) < 0)
			warning("%s: %s", name, err.text);
	}
}

static int
forget(struct worker *w, const struct clean_options *o, struct err *err)
{
	AUTO_CLOSE int home = home_open_existing(err);
	const char *name = worker_name(w);
	int lock = -1;
	int rc;

	if (home < 0)
		return -1;
	/* Nobody can start it while we hold this. */
	if (!w->foreign && (lock = loop_claim(home, w->view.dir, name, err)) < 0)
		return err->code == EWOULDBLOCK
			   ? err_set(err, "cannot clean running worker '%s'", name)
			   : -1;
	worker_close_window(w);
	if (o->rm_worktree)
		remove_worktree(w, o->force_dirty);
	if (w->foreign)
		remove_foreign_logs(home, name);
	heartbeat_forget(home, name);
	rc = w->foreign ? 0 : home_remove(home, name, err);
	if (rc == 0)
		rc = registry_remove(home, name, err);
	lock_release(&lock);
	return rc;
}

static int
clean_one(const char *name, const struct clean_options *o)
{
	AUTO_BUF out = BUF_INIT;
	struct err err = ERR_INIT;
	struct worker w;
	int rc = -1;

	if (worker_open(&w, name, &err) == 0) {
		if (!w.running && !w.view.supervised) {
			rc = forget(&w, o, &err);
		} else if (o->all) {
			warning("skipping '%s' (still running)", name);
			worker_close(&w);
			return EX_OK;
		} else {
			(void)err_set(&err, "cannot clean running worker '%s'", name);
		}
		worker_close(&w);
	}
	if (rc < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	buf_addf(&out, "cleaned %s\n", name);
	cmd_print(&out);
	return EX_OK;
}

static void
add_stopped(void *ctx, struct worker *w)
{
	char ***names = ctx;

	if (!w->running && !w->view.supervised)
		*names = strlist_add(*names, worker_name(w));
}

static int
clean_all(const struct clean_options *o)
{
	char **names = xcalloc(1, sizeof(*names));
	struct err err = ERR_INIT;
	int rc = EX_OK;

	if (workers_each(add_stopped, &names, &err) < 0) {
		error("%s", err.text);
		rc = EX_FAILED;
	}
	for (size_t i = 0; names[i] != NULL; i++)
		if (clean_one(names[i], o) != EX_OK)
			rc = EX_FAILED;
	strlist_free(names);
	return rc;
}

static int
run(const struct cmd_args *args)
{
	const struct clean_options *o = args->opts;

	if (o->all)
		return clean_all(o);
	if (args->operands.nargs == 0) {
		error("must specify worker name or use --all");
		return EX_FAILED;
	}
	return clean_one(args->operands.args[0], o);
}

const struct cmd cmd_clean = {
    .name = "clean",
    .usage = "[--no-rm-worktree] [--force-dirty] NAME | --all",
    .summary = "Forget a worker that is over, with all it wrote",
    .about =
	"Removes its recordings, its loop state, its tmux window and its entry in 'swarm "
	"ls', and its git worktree when nothing in it would be lost: with uncommitted "
	"changes it stays, and a branch with commits of its own always stays. A worker that "
	"runs is refused.",
    .examples = "  swarm clean agent\n  swarm clean --all\n",
    .opts = clean_opts,
    .nopts = ARRAY_LEN(clean_opts),
    .size = sizeof(struct clean_options),
    .max_args = 1,
    .operand = "loop",
    .init = clean_init,
    .run = run,
};
