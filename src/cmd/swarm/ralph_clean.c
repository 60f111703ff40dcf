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
    ROW_FLAG("all", all, "of every spawned worker that is over or runs"),
};

static void
warn_running(const char *name)
{
	struct worker w;

	if (worker_open(&w, name, NULL) < 0)
		return;
	if (w.running || w.view.supervised)
		warning("worker '%s' is still %s (only ralph state removed)", name,
		    !w.running && worker_is_paused(&w) ? "paused" : "running");
	worker_close(&w);
}

static int
ralph_clean_clean_one(int views, const char *name)
{
	AUTO_BUF out = BUF_INIT;
	struct err err = ERR_INIT;
	struct stat st;

	/* An invalid name could lead to another directory. */
	if (views < 0 || !name_is_valid(name) ||
	    fstatat(views, name, &st, AT_SYMLINK_NOFOLLOW) < 0) {
		error("no ralph state found for worker '%s'", name);
		return EX_FAILED;
	}
	warn_running(name);
	if (fs_remove_tree(views, name, &err) < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	buf_addf(&out, "cleaned ralph state for %s\n", name);
	cmd_print(&out);
	return EX_OK;
}

/* Without its files a loop that does not run is no loop any more.  1 or 0; -1: it is spared,
 * and was refused. */
static int
is_spared(const char *name)
{
	struct err err = ERR_INIT;
	struct worker w;
	bool spared;

	if (worker_open(&w, name, &err) < 0) {
		if (err.code == ENOENT)
			return 0;
		error("%s", err.text);
		return -1;
	}
	spared = !w.foreign && (!worker_is_swarms(&w.view.settings) ||
				   (worker_can_go_on(&w) && !w.view.supervised));
	worker_close(&w);
	return spared;
}

static int
ralph_clean_clean_all(int home, int views)
{
	struct err err = ERR_INIT;
	char **names = NULL;
	int rc = EX_OK;

	if (fs_list(home, "ralph", &names, &err) < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	for (size_t i = 0; names[i] != NULL; i++) {
		int spared = is_spared(names[i]);

		if (spared < 0 ||
		    (spared == 0 && ralph_clean_clean_one(views, names[i]) != EX_OK))
			rc = EX_FAILED;
	}
	strlist_free(names);
	return rc;
}

static int
run(const struct cmd_args *args)
{
	const struct ralph_clean_options *o = args->opts;
	struct err err = ERR_INIT;
	AUTO_CLOSE int home = home_open_existing(&err);
	AUTO_CLOSE int views =
	    home < 0 ? -1 : openat(home, "ralph", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (home < 0 && err.code != ENOENT) {
		error("%s", err.text);
		return EX_FAILED;
	}
	if (o->all)
		return home < 0 ? EX_OK : ralph_clean_clean_all(home, views);
	if (args->operands.nargs == 0) {
		error("must specify worker name or use --all");
		return EX_FAILED;
	}
	return ralph_clean_clean_one(views, args->operands.args[0]);
}

const struct cmd cmd_swarm_ralph_clean = {
    .name = "ralph clean",
    .usage = "NAME | --all",
    .summary = "Remove the ralph state of a worker",
    .about =
	"The same as removing ~/.swarm/ralph/NAME by hand: a loop that does not run is "
	"reset. The worker itself stays; 'swarm clean' removes it. --all leaves alone what "
	"was not spawned, and loops that could be resumed; name them.",
    .examples = "  swarm ralph clean agent\n",
    CMD_OPTIONS(ralph_clean_opts),
    .max_args = 1,
    .operand = "loop",
    .run = run,
};
