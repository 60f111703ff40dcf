/*
 * nudge.c - ralph nudge: somebody outside thinks that nothing moves.
 */
#include "cmd/cmd.h"
#include "loops/choose.h"
#include "loops/control.h"
#include "loops/loops.h"

#include "base/log.h"

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
nudge_nudge(const struct loop_view *v, struct err *err)
{
	AUTO_JSON *reply = NULL;

	if (!v->settings.leads)
		return err_set(err,
		    "'%s' does not lead a worker: only loops of 'ralph todo' can "
		    "be nudged",
		    v->name);
	if (!v->supervised)
		return refuse_unsupervised(v, err);
	if (strcmp(loop_status(&v->state), "paused") == 0 && !has_task(&v->state))
		return err_set(err,
		    "'%s' is paused, and no worker has a task; go on with: ralph resume %s",
		    v->name, v->name);
	reply = control_call(v->dir, CONTROL_NUDGE, err);
	return reply == NULL ? -1 : 0;
}

static int
run(const struct cmd_args *args)
{
	AUTO_BUF out = BUF_INIT;
	struct err err = ERR_INIT;
	struct loop_view v;
	int rc = -1;

	if (choose_loop(&v, args->operands.args[0], VIEW_WHOLE, args->cmd->name, &err) == 0) {
		rc = nudge_nudge(&v, &err);
		loop_view_close(&v);
	}
	if (rc < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	buf_addf(&out, "nudged %s\n", args->operands.args[0]);
	cmd_print(&out);
	return EX_OK;
}

const struct cmd cmd_nudge = {
    .name = "nudge",
    .usage = "[NAME]",
    .summary = "Have a loop look whether its worker moves",
    .about =
	"For watchers that think nothing moves. A worker that has been still for ten "
	"seconds is asked whether it goes on, then given its task again, then replaced; one "
	"that moves is left alone. A line 'NUDGE: ...' on the loop's stdin does the same. A "
	"loop "
	"that is over, crashed, or paused without a task is not nudged: how it stands is said, "
	"and what goes on with it, with exit code 1.",
    .examples = "  ralph nudge myproject-todo\n",
    .min_args = 1,
    .max_args = 1,
    .operand = "loop",
    .chosen = CHOSEN_ACT,
    .run = run,
};
