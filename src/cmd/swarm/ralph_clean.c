/*
 * ralph_clean.c - swarm ralph clean: remove the files of ~/.swarm/ralph/NAME.
 */
#include "cmd/cmd.h"
#include "loops/worker.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/text.h"
#include "record/home.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

struct ralph_clean_options {
	bool all;
};

#define OPTIONS struct ralph_clean_options
static const struct opt ralph_clean_opts[] = {
    ROW_FLAG("all", all, "remove the ralph state of every spawned worker that is over or runs"),
};

static void
warn_running(const char *name)
{
	AUTO_WORKER w = WORKER_INIT;

	if (worker_open(&w, name, NULL) < 0)
		return;
	if (w.running || w.view.supervised)
		warning("worker '%s' is still %s (only ralph state removed)", name,
		    !w.running && worker_is_paused(&w) ? "paused" : "running");
}

static int
ralph_clean_one(int views, const char *name, struct err *err)
{
	struct stat st;

	/* An invalid name could lead to another directory. */
	if (views < 0 || !name_is_valid(name) ||
	    fstatat(views, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return err_set(err, "no ralph state found for worker '%s'", name);
	warn_running(name);
	if (fs_remove_tree(views, name, err) < 0)
		return -1;
	return cmd_say("cleaned ralph state for %s", name);
}

/* Does --all leave this loop alone?  Without its files a loop that does not run is no loop any
 * more.  1 or 0; -1 + err: it is left alone, because it was refused. */
static int
is_spared(const char *name, struct err *err)
{
	AUTO_WORKER w = WORKER_INIT;

	if (worker_open(&w, name, err) < 0)
		return err->code == ENOENT ? 0 : -1;
	return !w.foreign && (!worker_is_swarms(&w.view.settings) ||
				 (worker_can_go_on(&w) && !w.view.supervised));
}

static int
ralph_clean_all(int home, int views, struct err *err)
{
	AUTO_STRLIST names = NULL;
	int rc = EX_OK;

	if (fs_list(home, "ralph", &names, err) < 0)
		return -1;
	for (size_t i = 0; names[i] != NULL; i++) {
		int one = is_spared(names[i], err);

		if (one == 0)
			one = ralph_clean_one(views, names[i], err);
		if (one < 0) {
			error("%s", err->text);
			rc = EX_FAILED;
		}
	}
	return rc;
}

static int
run(const struct cmd_args *args)
{
	const struct ralph_clean_options *o = args->opts;
	AUTO_CLOSE int home = home_open_existing(args->err);
	AUTO_CLOSE int views =
	    home < 0 ? -1 : openat(home, "ralph", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (home < 0 && args->err->code != ENOENT)
		return -1;
	if (o->all)
		return home < 0 ? EX_OK : ralph_clean_all(home, views, args->err);
	if (args->operands.nargs == 0)
		return err_set(args->err, "must specify worker name or use --all");
	return ralph_clean_one(views, args->operands.args[0], args->err);
}

const struct cmd cmd_swarm_ralph_clean = {
    .name = "ralph clean",
    .usage = "NAME | --all",
    .summary = "Remove the ralph state of a worker",
    .about = "The same as removing ~/.swarm/ralph/NAME by hand: a loop that does not run is "
	     "reset. The worker itself stays; 'swarm clean' removes it. --all leaves alone "
	     "what was not spawned, and loops that could be resumed; name them.",
    .examples = "  swarm ralph clean agent\n",
    CMD_OPTIONS(ralph_clean_opts),
    .max_args = 1,
    .operand = "loop",
    .run = run,
};
