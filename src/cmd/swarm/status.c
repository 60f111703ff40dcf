/*
 * status.c - swarm status: does a worker run?
 */
#include "cmd/cmd.h"
#include "loops/worker.h"

#include "base/log.h"
#include "base/text.h"
#include <errno.h>
#include <inttypes.h>

enum { EX_NO_WORKER = 2 };

static void
swarm_status_add_place(const json_t *record, struct buf *out)
{
	const json_t *tmux = json_object_get(record, "tmux");
	const char *worktree = json_str(json_object_get(record, "worktree"), "path", NULL);

	if (json_is_object(tmux))
		buf_addf(out, "tmux window %s:%s, ", json_str(tmux, "session", "?"),
		    json_str(tmux, "window", "?"));
	else if (json_is_integer(json_object_get(record, "pid")))
		buf_addf(out, "pid %" PRId64 ", ", json_int(record, "pid", 0));
	if (worktree != NULL)
		buf_addf(out, "worktree %s, ", worktree);
}

/* Warns of a loop that should go on, but that nobody looks after. */
static void
warn_if_abandoned(const struct worker *w)
{
	if (!w->foreign && w->ralph && !w->view.supervised &&
	    w->view.state.phase != PHASE_FINISHED && w->view.state.wanted == WANT_RUN)
		warning("the loop of '%s' was left by its supervisor; go on with: swarm ralph "
			"resume %s",
		    worker_name(w), worker_name(w));
}

static int
run(const struct cmd_args *args)
{
	AUTO_BUF line = BUF_INIT, out = BUF_INIT;
	AUTO_WORKER w = WORKER_INIT;

	if (worker_open(&w, args->operands.args[0], args->err) < 0)
		return args->err->code == ENOENT ? -EX_NO_WORKER : -EX_FAILED;
	buf_addf(&line, "%s: %s (", worker_name(&w), worker_word(&w));
	swarm_status_add_place(w.record, &line);
	buf_adds(&line, "uptime ");
	worker_age(w.record, &line);
	buf_addc(&line, ')');
	text_show(&out, line.data, line.len, false);
	cmd_say("%s", out.data);
	warn_if_abandoned(&w);
	return w.running ? EX_OK : EX_FAILED;
}

const struct cmd cmd_swarm_status = {
    .name = "status",
    .usage = "NAME",
    .summary = "Tell whether a worker runs",
    .only_shows = true,
    .about = "The exit code tells it too: 0 running, 1 stopped or paused, 2 no such worker. A "
	     "paused loop is running as long as its agent is.",
    .examples = "  swarm status agent\n"
		"  swarm status agent && swarm send agent 'go on'\n",
    CMD_NAME,
    .run = run,
};
