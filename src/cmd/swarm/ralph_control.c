/*
 * ralph_control.c - swarm ralph pause, resume, run: steering a loop by its worker's name.
 */
#include "cmd/cmd.h"
#include "cmd/steer.h"
#include "loops/worker.h"
#include "supervisor/supervisor.h"

#include "base/log.h"

/* Opens a ralph worker of ours; -1 and a sentence. */
static int
open_ralph(struct worker *w, const char *name, enum view_need need, struct err *err)
{
	if (worker_open_for(w, name, need, err) < 0)
		return -1;
	if (w->ralph && !w->foreign)
		return 0;
	return err_set(err,
	    w->ralph ? "worker '%s' was started by another program; spawn it anew"
		     : "worker '%s' is not a ralph worker",
	    name);
}

/* Has the row's on_loop do its work with the loop of the worker that is named. */
static int
with_ralph(const struct cmd_args *args)
{
	AUTO_LONG_WORKER w = worker_new();

	if (open_ralph(w, args->operands.args[0], args->cmd->need, args->err) < 0)
		return -1;
	return args->cmd->on_loop(args, &w->view);
}

static int
resume_ralph(const struct cmd_args *args, const struct loop_view *v)
{
	if (!v->supervised && !loop_can_resume(&v->state)) {
		warning("worker '%s' is not paused", v->name);
		return EX_OK;
	}
	return steer_resume(args, v);
}

/* Goes on with the loop in this terminal, wherever it was left. */
static int
run_ralph(const struct cmd_args *args, const struct loop_view *v)
{
	const struct steer_output *out = args->opts;
	const char *status = loop_status(&v->state);

	if (v->supervised && strcmp(status, "paused") == 0)
		return err_set(args->err,
		    "ralph loop for '%s' is paused (use '%s ralph resume %s' first)", v->name,
		    log_name(), v->name);
	if (v->state.phase == PHASE_FINISHED)
		return err_set(
		    args->err, "ralph loop for '%s' has status '%s'", v->name, status);
	return supervisor_main(
	    &(struct supervisor_spec){.name = v->name, .json = out->json, .quiet = out->quiet});
}

#define OPTIONS struct steer_output
static const struct opt output_opts[] = {
    ROW_FLAG("json", json, "print events as JSON lines"),
    ROW_FLAG("quiet", quiet, "print only alerts and the end"),
};

static const struct opt resume_opts[] = {
    ROW_FLAG(
	"foreground", foreground, "stay in this terminal instead of going to the background"),
};

const struct cmd cmd_swarm_ralph_pause = {
    .name = "ralph pause",
    .usage = "NAME",
    .summary = "Let the current agent finish, start no new one",
    .about = "A wait between iterations ends at once. 'swarm ralph resume' goes on with the "
	     "next iteration.",
    .examples = "  swarm ralph pause agent\n",
    CMD_NAME,
    .run = with_ralph,
    .need = VIEW_STEER,
    .on_loop = steer_pause,
};

const struct cmd cmd_swarm_ralph_resume = {
    .name = "ralph resume",
    .usage = "[--foreground] NAME",
    .summary = "Go on after a pause, a crash or a reboot",
    .about = "The iterations go on counting. An agent that still runs is kept; otherwise a "
	     "fresh one is started for the next iteration.",
    .examples = "  swarm ralph resume agent\n",
    CMD_OPTIONS(resume_opts),
    CMD_NAME,
    .run = with_ralph,
    .need = VIEW_STEER,
    .on_loop = resume_ralph,
};

const struct cmd cmd_swarm_ralph_run = {
    .name = "ralph run",
    .usage = "NAME",
    .summary = "Go on with a loop in this terminal",
    .about = "The monitoring loop of a worker that has none: it was left paused, or its "
	     "supervisor crashed. ('spawn --ralph' runs the loop itself; there is no need for "
	     "the --no-run of earlier versions.)",
    .examples = "  swarm ralph run agent\n",
    CMD_OPTIONS(output_opts),
    CMD_NAME,
    .run = with_ralph,
    .need = VIEW_WHOLE,
    .on_loop = run_ralph,
};
