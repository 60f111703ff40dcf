/*
 * clean.c - swarm clean: forget workers that are over, with all they wrote.
 */
#include "cmd/swarm/clean.h"
#include "cmd/cmd.h"
#include "cmd/swarm/ending.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/text.h"
#include "loops/heartbeat.h"
#include "record/home.h"
#include "record/registry.h"
#include <errno.h>
#include <fcntl.h>

#define OPTIONS struct clean_options
static const struct opt clean_opts[] = {
    ROW_FLAG("all", all, "forget all that are over; what can go on stays"),
    ROW_SPAN("older-than", older_than, "DURATION",
	"with --all: only what ended that long ago (30d, 12h)"),
    ROW_FLAG("archive", archive, "forget also earlier runs, whose name was used again"),
    ROW_FLAG("dry-run", dry_run, "with --all: only say what would go, and how much it is"),
    ROW_FLAG("yes", yes, "with --all: do not ask", .letter = 'y'),
    ROW_FLAG("rm-worktree", rm_worktree,
	"remove the worker's git worktree, too, unless work would be lost (the default)",
	.flags = OPT_NEGATABLE),
    ROW_FLAG("force-dirty", force_dirty, "remove the worktree even when work would be lost"),
};

static void
clean_init(void *opts)
{
	((struct clean_options *)opts)->rm_worktree = true;
}

/* Removes the log files of the original program. */
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
clean_forget(struct worker *w, const struct clean_options *o, struct err *err)
{
	AUTO_CLOSE int home = home_open_existing(err);
	const char *name = worker_name(w);
	int lock = -1;
	int rc;

	if (home < 0)
		return -1;
	/* Nobody can start the worker while we hold this lock. */
	if (!w->foreign && (lock = loop_claim(home, w->view.dir, name, err)) < 0)
		return err->code == EWOULDBLOCK
			   ? err_set(err, "cannot clean running worker '%s'", name)
			   : -1;
	worker_close_window(w);
	if (o->rm_worktree)
		worker_drop_worktree(w, o->force_dirty, true);
	if (w->foreign)
		remove_foreign_logs(home, name);
	heartbeat_forget(home, name);
	rc = w->foreign ? 0 : home_remove(home, name, err);
	if (rc == 0)
		rc = registry_remove(home, name, err);
	lock_release(&lock);
	return rc;
}

void
clean_bytes(int64_t bytes, struct buf *out)
{
	static const char *const units[] = {"kB", "MB", "GB", "TB"};
	double n = (double)bytes / 1000;
	size_t unit = 0;

	while (n >= 1000 && unit + 1 < ARRAY_LEN(units)) {
		n /= 1000;
		unit++;
	}
	buf_addf(out, unit == 0 || n >= 10 ? "%.0f %s" : "%.1f %s", n, units[unit]);
}

/* Forgets the earlier runs; returns how many went, -1 + err. */
static int
forget_earlier_runs(const char *name, struct err *err)
{
	AUTO_CLOSE int home = home_open_existing(err);
	AUTO_STRLIST entries = NULL;
	int n = 0, rc = 0;

	if (home < 0 || home_archived(home, name, &entries, err) < 0)
		return -1;
	for (size_t i = 0; entries[i] != NULL && rc == 0; i++, n += rc == 0)
		rc = home_archived_remove(home, entries[i], err);
	if (n > 0)
		cmd_say("cleaned %d earlier run%s of %s", n, n == 1 ? "" : "s", name);
	return rc < 0 ? -1 : n;
}

/* Refuses: the agent or the supervisor of this worker lives. */
static int
clean_refuse(const struct worker *w, struct err *err)
{
	const char *name = worker_name(w);

	if (w->running || !worker_is_paused(w))
		return err_set(err, "cannot clean running worker '%s'", name);
	return err_set(err,
	    "cannot clean paused worker '%s': its supervisor waits for a resume; end it with: "
	    "%s kill %s",
	    name, log_name(), name);
}

/* Forgets the worker.  1: it is gone, 0: it stays, and that was said; -1 + err. */
static int
forget_named(const char *name, const struct clean_options *o, struct err *err)
{
	AUTO_WORKER w = WORKER_INIT;

	if (worker_open(&w, name, err) < 0)
		return -1;
	if (!w.running && !w.view.supervised)
		return clean_forget(&w, o, err) < 0 ? -1 : 1;
	if (!o->all)
		return clean_refuse(&w, err);
	warning("skipping '%s' (%s)", name, w.running ? "still running" : worker_word(&w));
	return 0;
}

int
clean_one(const char *name, const struct clean_options *o)
{
	bool earlier = o->archive && !o->all;
	struct err err = ERR_INIT;
	int rc = forget_named(name, o, &err);

	if (rc == 1)
		cmd_say("cleaned %s", name);
	/* A name may have earlier runs and none of today. */
	if (earlier && (rc == 1 || (rc < 0 && err.code == ENOENT))) {
		struct err why = ERR_INIT;
		int n = forget_earlier_runs(name, &why);

		if (n < 0)
			err = why;
		rc = n < 0 ? -1 : (n > 0 ? 1 : rc);
	}
	if (rc < 0)
		error("%s", err.text);
	return rc < 0 ? EX_FAILED : EX_OK;
}

static int
run(const struct cmd_args *args)
{
	const struct clean_options *o = args->opts;

	if (o->all)
		return clean_all(o, args->err);
	if (o->older_than != 0 || o->dry_run || o->yes) {
		error("--older-than, --dry-run and --yes need --all");
		return EX_USAGE;
	}
	if (args->operands.nargs == 0)
		return err_set(args->err, "must specify worker name or use --all");
	return clean_one(args->operands.args[0], o);
}

const struct cmd cmd_clean = {
    .name = "clean",
    .usage = "[--archive] [--no-rm-worktree] [--force-dirty] NAME | --all [--older-than "
	     "DURATION] [--dry-run] [--yes]",
    .summary = "Forget a worker that is over, with all it wrote",
    .about =
	"Removes its recordings, its loop state, its tmux window and its entry in 'swarm ls', "
	"and its git worktree when no work in it would be lost: it stays with uncommitted "
	"changes, also in files that git was told to overlook, and with commits of a submodule "
	"that are nowhere else. A branch with commits of its own always stays. What git "
	"ignores goes with the worktree, and how much it is, is said. A worker that runs is "
	"refused, and so is a paused loop whose supervisor waits. Earlier runs of the same "
	"name are in the archive and stay there without --archive.\n\n"
	"--all takes what is over: 'swarm clean' what was spawned, 'ralph clean' every loop. A "
	"loop that could go on is spared and named; by its name it is cleaned. That is every "
	"loop which 'ralph resume' takes: it crashed, is paused or between two turns of 'ralph "
	"loop --once', was stopped or interrupted, or ended before all was done (too many "
	"failures, no time left, work that waits), unless its iterations are used or it was "
	"killed. A loop that is refused (it belongs to another user) or cannot be read is "
	"named and stays; the rest is cleaned, and the exit code is 1. On a terminal --all "
	"says how much it is and asks; without one, or with --yes, it does not.",
    .examples = "  swarm clean agent\n"
		"  swarm clean --all\n"
		"  ralph clean --all --older-than 30d --dry-run\n"
		"  ralph clean --all --archive --older-than 30d --yes\n",
    CMD_OPTIONS(clean_opts),
    .max_args = 1,
    .operand = "loop",
    .init = clean_init,
    .run = run,
};
