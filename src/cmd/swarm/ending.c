/*
 * ending.c - ending a worker.
 */
#include "cmd/swarm/ending.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/steer.h"
#include "loops/heartbeat.h"
#include "record/home.h"
#include "record/registry.h"
#include <errno.h>
#include <inttypes.h>

void
swarm_hint(const char *fmt, ...)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF line = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	buf_addf(&line, "%s: ", log_name());
	text_show(&line, text.data, text.len, false);
	(void)fprintf(stderr, "%s\n", line.data);
}

void
worker_close_window(const struct worker *w)
{
	struct tmux_window window;
	struct err err = ERR_INIT;

	if (w->foreign)
		return;
	if (tmux_window_load(w->view.dir, &window, &err) < 0) {
		if (err.code != ENOENT)
			warning("%s: %s", worker_name(w), err.text);
	} else if (tmux_window_close(&window, &err) < 0) {
		warning("cannot close the tmux window of '%s': %s", worker_name(w), err.text);
	}
}

/* Only the record of a worker that another program started can be put right. */
static int
end_foreign(const struct worker *w, struct err *err)
{
	AUTO_CLOSE int home = home_open_existing(err);
	AUTO_JSON *stopped = json_pack("{s:s}", "status", "stopped");

	if (w->running)
		return err_set(err,
		    "worker '%s' was started by another program; end it there (pid %" PRId64
		    ")",
		    worker_name(w), json_int(w->record, "pid", 0));
	if (home < 0 || registry_put(home, worker_name(w), stopped, true, err) < 0)
		return -1;
	return 0;
}

int
worker_end(struct worker *w, struct err *err)
{
	int rc;

	if (w->foreign)
		return end_foreign(w, err);
	rc = steer_end(&w->view, CONTROL_KILL, err);
	if (rc < 0)
		return -1;
	if (rc == 0 && w->view.damage != NULL)
		warning("%s: %s", worker_name(w), w->view.damage);
	worker_close_window(w);
	heartbeat_drop(w->view.home, w->view.name);
	return rc;
}

bool
worker_end_soon(const struct worker *w)
{
	AUTO_JSON *reply = NULL;

	if (w->foreign || !w->view.supervised)
		return false;
	reply = control_call(w->view.dir, CONTROL_KILL, NULL);
	return reply != NULL;
}

bool
worker_worktree(const struct worker *w, struct worktree *out)
{
	const json_t *v = json_object_get(w->record, "worktree");
	const char *path = json_str(v, "path", NULL), *branch = json_str(v, "branch", NULL);
	const char *repo = json_str(v, "base_repo", NULL);

	*out = (struct worktree){.path = NULL};
	if (path == NULL || branch == NULL || repo == NULL)
		return false;
	*out = (struct worktree){
	    .path = xstrdup(path), .branch = xstrdup(branch), .repo = xstrdup(repo)};
	return true;
}

int
worker_remove_worktree(
    const char *name, const struct worktree *worktree, bool force, struct err *err)
{
	AUTO_FREE char *ignored = worktree_ignored(worktree);
	int rc = worktree_remove(worktree, force, err);

	if (rc == 0 && ignored != NULL)
		swarm_hint(
		    "with the worktree of '%s' went what git ignores: %s", name, ignored);
	return rc;
}

void
worker_drop_worktree(const struct worker *w, bool force, bool forgotten)
{
	struct worktree worktree;
	struct err err = ERR_INIT;

	if (!worker_worktree(w, &worktree))
		return;
	if (worker_remove_worktree(worker_name(w), &worktree, force, &err) < 0) {
		warning("%s worktree for '%s': %s", forgotten ? "preserving" : "cannot remove",
		    worker_name(w), err.text);
		if (forgotten)
			swarm_hint("worktree at: %s", worktree.path);
		if (!force)
			swarm_hint("use --force-dirty to remove anyway");
	}
	worktree_release(&worktree);
}
