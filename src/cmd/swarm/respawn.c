/*
 * respawn.c - swarm respawn: the same worker once more, from the beginning.
 *
 * Everything that can be checked is checked while the old worker is still there.  When the new
 * worker cannot be started after all, the old worker comes back from the archive.
 */
#include "cmd/cmd.h"
#include "cmd/swarm/ending.h"
#include "loops/forget.h"
#include "loops/settings.h"
#include "supervisor/supervisor.h"

#include "base/alloc.h"
#include "base/lock.h"
#include "base/log.h"
#include "record/codec.h"
#include "record/home.h"
#include "supervisor/source.h"
#include <errno.h>
#include <sys/stat.h>

struct respawn_options {
	bool clean_first, force_dirty;
};

#define OPTIONS struct respawn_options
static const struct opt respawn_opts[] = {
    ROW_FLAG("clean-first", clean_first,
	"begin with a new worktree; refused when work would be lost"),
    ROW_FLAG("force-dirty", force_dirty, "remove the worktree even when work would be lost"),
};

static bool
respawn_is_there(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0;
}

/* Checks all that can be known before the old worker is touched. */
static int
respawn_check(const struct worker *w, const struct settings *s, struct err *err)
{
	AUTO_BUF prompt = BUF_INIT;

	if (w->foreign)
		return err_set(err, "worker '%s' was started by another program; spawn it anew",
		    worker_name(w));
	if (s->tmux && !tmux_installed())
		return err_set(err, "tmux is not installed (required for --tmux)");
	if (w->ralph && prompt_read(s->prompt_file, &prompt, err) < 0)
		return -1;
	/* The directory of a worktree that is gone will be made. */
	if (s->worktree_path == NULL || respawn_is_there(s->worktree_path))
		return settings_check_place(s, err);
	return 0;
}

/* Says the error, and what to do. */
static void
refuse_dirty(const struct worktree *worktree, struct err *err)
{
	error("cannot remove worktree: %s", err->text);
	swarm_hint("worktree at: %s", worktree->path);
	swarm_hint("use --force-dirty to remove anyway, or commit changes first");
	err->text[0] = '\0';
}

/* Prepares the worktree as it was asked for, at the same place and on the same branch. */
static int
prepare_worktree(const struct worktree *worktree, const char *name, bool clean_first,
    bool force, struct err *err)
{
	AUTO_FREE char *dir = xstrdup(worktree->path);
	struct worktree made;

	if (clean_first && worker_remove_worktree(name, worktree, force, err) < 0) {
		refuse_dirty(worktree, err);
		return -1;
	}
	if (respawn_is_there(worktree->path))
		return 0;
	*strrchr(dir, '/') = '\0';
	if (worktree_create(worktree->repo, name, worktree->branch, dir, &made, err) < 0)
		return err_prefix(err, "failed to create worktree");
	worktree_release(&made);
	return 0;
}

/* Removes what a failed start left of a loop that never was one; -1 when the name is in use. */
static int
clear_stub(int home, const char *name, struct err *err)
{
	AUTO_CLOSE int dir = home_loop_open(home, name, err);
	int lock, rc;

	if (dir < 0)
		return err->code == ENOENT ? 0 : -1;
	lock = loop_claim(home, dir, name, err);
	if (lock < 0)
		return -1;
	rc = home_remove(home, name, err);
	lock_release(&lock);
	return rc;
}

/* Brings the old worker back, when the process that was to start its successor was killed
 * before it could do so itself. */
static void
bring_back(const char *name)
{
	struct err err = ERR_INIT;
	AUTO_CLOSE int home = home_open_existing(&err);
	AUTO_VIEW v = VIEW_INIT;

	if (home >= 0 && loop_view_open(&v, name, NULL) == 0)
		return;
	if (home < 0 || clear_stub(home, name, &err) < 0 ||
	    forget_bring_back(home, name, &err) < 0)
		warning("the old worker '%s' is in the archive: %s", name, err.text);
}

static int
respawn(struct worker *w, const struct respawn_options *o, struct err *err)
{
	struct settings s = w->view.settings;
	pid_t self = getpid();
	struct worktree worktree;
	bool has_worktree = worker_worktree(w, &worktree);
	int rc = -1;

	if (respawn_check(w, &s, err) < 0)
		goto out;
	if (has_worktree && o->clean_first && !o->force_dirty &&
	    worktree_check(&worktree, err) < 0) {
		refuse_dirty(&worktree, err);
		goto out;
	}
	if (worker_end(w, err) < 0 ||
	    (has_worktree &&
		prepare_worktree(&worktree, s.name, o->clean_first, o->force_dirty, err) < 0) ||
	    settings_check_place(&s, err) < 0)
		goto out;
	rc = supervisor_main(&(struct supervisor_spec){
	    .name = s.name,
	    .settings = &s,
	    .mute = !w->ralph,
	    .detach = true,
	    .announce = true,
	    .announce_word = "respawned",
	});
	/* The supervisor itself comes back here, too, when its worker is over. */
	if (rc != EX_OK && getpid() == self)
		bring_back(s.name);
out:
	worktree_release(&worktree);
	return rc;
}

static int
run(const struct cmd_args *args)
{
	AUTO_WORKER w = WORKER_INIT;

	if (worker_open(&w, args->operands.args[0], args->err) < 0)
		return -1;
	return respawn(&w, args->opts, args->err);
}

const struct cmd cmd_respawn = {
    .name = "respawn",
    .usage = "[--clean-first] [--force-dirty] NAME",
    .summary = "Start a worker once more, from the beginning",
    .about = "Kills it when it runs, then starts the same command with the same environment, "
	     "tags, directory and tmux session; a loop begins at iteration 1. A git worktree "
	     "is used again, or made again when it is gone. What the old one wrote is in the "
	     "archive. When the new one cannot be started, the old one is as it was.",
    .examples = "  swarm respawn agent\n"
		"  swarm respawn --clean-first agent\n",
    CMD_OPTIONS(respawn_opts),
    CMD_NAME,
    .run = run,
};
