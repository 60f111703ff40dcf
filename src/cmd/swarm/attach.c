/*
 * attach.c - swarm attach: a worker's live terminal.
 *
 * A worker in tmux is shown by tmux, with its keys; every other one, and one whose window is
 * gone, by our own viewer.
 */
#include "cmd/cmd.h"
#include "loops/worker.h"

#include <errno.h>

extern const struct cmd cmd_attach;

/* Returns only when there is no window to show, or when tmux cannot. */
static int
show_window(const struct worker *w, struct err *err)
{
	struct tmux_window window;
	struct err why = ERR_INIT;
	int alive;

	if (!w->view.settings.tmux || !w->running)
		return 0;
	if (tmux_window_load(w->view.dir, &window, &why) < 0)
		return why.code == ENOENT ? 0 : err_pass(err, &why);
	alive = tmux_window_alive(&window, err);
	return alive <= 0 ? alive : tmux_window_show(&window, err);
}

static int
run(const struct cmd_args *args)
{
	struct worker w = WORKER_INIT;
	int rc;

	if (worker_open(&w, args->operands.args[0], args->err) < 0)
		return -1;
	if (w.foreign)
		rc = err_set(args->err,
		    "worker '%s' was started by another program; it is out of reach",
		    worker_name(&w));
	else
		rc = show_window(&w, args->err);
	worker_close(&w);
	return rc < 0 ? -1 : cmd_attach.run(args);
}

const struct cmd cmd_swarm_attach = {
    .name = "attach",
    .usage = "NAME",
    .summary = "Show a worker's live terminal here, and type to it",
    .about = "A worker that was started with --tmux is shown in its tmux window; detach with "
	     "the prefix key and d (Ctrl-B D). Inside tmux the client is switched to it. Any "
	     "other worker is shown directly; Ctrl-\\ detaches. The worker goes on.",
    .examples = "  swarm attach agent\n",
    CMD_NAME,
    .run = run,
};
