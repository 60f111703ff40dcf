/*
 * control.c - ralph pause, resume, stop, nudge: steering a loop by its name.
 */
#include "cmd/cmd.h"
#include "cmd/steer.h"
#include "loops/choose.h"

#include "base/log.h"

/* Has the row's on_loop do its work with the loop that is named. */
static int
with_loop(const struct cmd_args *args)
{
	const struct cmd *cmd = args->cmd;
	AUTO_LONG_VIEW v = loop_view_new();

	if (choose_loop(v, args->operands.args[0], cmd->need, cmd->name, args->err) < 0)
		return -1;
	return cmd->on_loop(args, v);
}

/* ---- pause, resume ------------------------------------------------------------------ */

const struct cmd cmd_pause = {
    .name = "pause",
    .usage = "[NAME]",
    .summary = "Let the current agent finish, start no new one",
    .about = "A wait between iterations ends at once. 'ralph resume' "
	     "goes on with the next iteration.",
    .examples = "  ralph pause myproject-run\n",
    CMD_NAME_OR(CHOSEN_ACT),
    .run = with_loop,
    .need = VIEW_STEER,
    .on_loop = steer_pause,
};

#define OPTIONS struct steer_output
static const struct opt resume_opts[] = {
    ROW_FLAG(
	"foreground", foreground, "stay in this terminal instead of going to the background"),
    ROW_FLAG("json", json, "with --foreground: print events as JSON lines"),
    ROW_FLAG("quiet", quiet, "print only alerts and the end"),
};

const struct cmd cmd_resume = {
    .name = "resume",
    .usage = "[--foreground] [NAME]",
    .summary = "Go on after a pause, a stop, a crash or a reboot",
    .about = "A loop whose supervisor still runs goes on there. Otherwise a new supervisor "
	     "takes the loop over, in the background unless told otherwise: an agent that "
	     "still runs is kept, one that is gone is followed by the next iteration.",
    .examples = "  ralph resume myproject-run\n"
		"  ralph resume --foreground myproject-run\n",
    CMD_OPTIONS(resume_opts),
    CMD_NAME_OR(CHOSEN_ACT),
    .run = with_loop,
    .need = VIEW_STEER,
    .on_loop = steer_resume,
};

/* ---- stop ----------------------------------------------------------------------------- */

static int
control_stop(const struct cmd_args *args, const struct loop_view *v)
{
	const char *name = args->operands.args[0];
	int rc = steer_end(v, CONTROL_STOP, args->err);

	/* Nobody can tell whether the loop was over, and nothing can be written down. */
	if (rc == 0 && v->damage != NULL)
		return err_set(args->err, "%s", v->damage);
	if (rc == 0)
		warning("worker '%s' is not running (%s)", name, loop_status(&v->state));
	if (rc == 1)
		cmd_say("stopped ralph loop for %s", name);
	return rc < 0 ? -1 : EX_OK;
}

const struct cmd cmd_stop = {
    .name = "stop",
    .usage = "[NAME]",
    .summary = "End the agent and the loop",
    .about =
	"The agent's whole process tree gets SIGTERM, after the grace SIGKILL. The command "
	"returns when nothing of it is left. What was done stays; 'ralph resume' can go on "
	"later. A loop that crashed in its last iteration has nothing to be stopped: it comes "
	"to its own end, which is said. The processes of a loop whose record is damaged are "
	"ended, too, and nothing is written down; 'ralph repair' comes next.\n\n"
	"Exit codes: 0 the loop is over now; 1 it could not be ended, or its record is "
	"damaged.",
    .examples = "  ralph stop myproject-run\n",
    CMD_NAME_OR(CHOSEN_ACT),
    .run = with_loop,
    .need = VIEW_END,
    .on_loop = control_stop,
};

/* ---- nudge: somebody outside thinks that nothing moves ------------------------------ */

static bool
has_task(const struct loop_state *s)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (s->sessions[i].state == SESSION_RUNNING)
			return true;
	return false;
}

/* Refuses, because nobody looks after the loop: says how the loop stands, and what to type
 * where typing helps. */
static int
refuse_unsupervised(const struct loop_view *v, struct err *err)
{
	AUTO_BUF how = BUF_INIT;

	loop_view_condition(v, &how);
	if (v->state.phase == PHASE_FINISHED) {
		buf_addf(&how, " (%s)", end_reason_name(v->state.reason));
		if (loop_can_resume(&v->state))
			buf_addf(&how, "; go on with: ralph resume %s", v->name);
	}
	return err_set(err, "'%s' is not running, it is %s", v->name, how.data);
}

static int
control_nudge(const struct cmd_args *args, const struct loop_view *v)
{
	AUTO_JSON *reply = NULL;

	if (!v->settings.leads)
		return err_set(args->err,
		    "'%s' does not lead a worker: only loops of 'ralph todo' can be nudged",
		    v->name);
	if (!v->supervised)
		return refuse_unsupervised(v, args->err);
	if (strcmp(loop_status(&v->state), "paused") == 0 && !has_task(&v->state))
		return err_set(args->err,
		    "'%s' is paused, and no worker has a task; go on with: ralph resume %s",
		    v->name, v->name);
	reply = control_call(v->dir, CONTROL_NUDGE, args->err);
	if (reply == NULL)
		return -1;
	return cmd_say("nudged %s", args->operands.args[0]);
}

const struct cmd cmd_nudge = {
    .name = "nudge",
    .usage = "[NAME]",
    .summary = "Have a loop look whether its worker moves",
    .about = "For watchers that think nothing moves. A worker that has been still for ten "
	     "seconds is asked whether it goes on, then given its task again, then replaced; "
	     "one that moves is left alone. A line 'NUDGE: ...' on the loop's stdin does the "
	     "same. A loop that is over, crashed, or paused without a task is not nudged: how "
	     "it stands is said, and what goes on with it, with exit code 1.",
    .examples = "  ralph nudge myproject-todo\n",
    CMD_NAME_OR(CHOSEN_ACT),
    .run = with_loop,
    .need = VIEW_WHOLE,
    .on_loop = control_nudge,
};
