/*
 * pause.c - ralph pause: let the agent finish, start no new one.
 */
#include "cmd/cmd.h"
#include "cmd/steer.h"
#include "loops/choose.h"

#include "base/log.h"

static int
run(const struct cmd_args *args)
{
	struct loop_view v;
	struct err err = ERR_INIT;
	int rc = EX_FAILED;

	if (choose_loop(&v, args->operands.args[0], VIEW_STEER, args->cmd->name, &err) == 0) {
		rc = steer_pause(&v, &err);
		loop_view_close(&v);
	}
	if (rc != EX_OK)
		error("%s", err.text);
	return rc;
}

const struct cmd cmd_pause = {
    .name = "pause",
    .usage = "[NAME]",
    .summary = "Let the current agent finish, start no new one",
    .about = "A wait between iterations ends at once. 'ralph resume' goes on with the next "
	     "iteration.",
    .examples = "  ralph pause myproject-run\n",
    .min_args = 1,
    .max_args = 1,
    .operand = "loop",
    .chosen = CHOSEN_ACT,
    .run = run,
};
