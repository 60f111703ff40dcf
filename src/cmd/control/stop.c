/*
 * stop.c - ralph stop: end the agent and the loop.
 */
#include "cmd/cmd.h"
#include "cmd/steer.h"
#include "loops/choose.h"

#include "base/log.h"

static int
run(const struct cmd_args *args)
{
	const char *name = args->operands.args[0];
	AUTO_BUF out = BUF_INIT;
	struct loop_view v;
	struct err err = ERR_INIT;
	int rc = -1;

	if (choose_loop(&v, name, VIEW_END, args->cmd->name, &err) == 0) {
		rc = steer_end(&v, CONTROL_STOP, &err);
		/* Whether it was over cannot be told, and not written down either. */
		if (rc == 0 && v.damage != NULL)
			rc = err_set(&err, "%s", v.damage);
		else if (rc == 0)
			warning("worker '%s' is not running (%s)", name, loop_status(&v.state));
		loop_view_close(&v);
	}
	if (err.text[0] != '\0')
		error("%s", err.text);
	if (rc == 1) {
		buf_addf(&out, "stopped ralph loop for %s\n", name);
		cmd_print(&out);
	}
	return rc < 0 ? EX_FAILED : EX_OK;
}

const struct cmd cmd_stop = {
    .name = "stop",
    .usage = "[NAME]",
    .summary = "End the agent and the loop",
    .about = "The agent's whole process tree gets SIGTERM, after the grace SIGKILL. The "
	     "command returns when "
	     "nothing of it is left. What was done stays; 'ralph resume' can go on later. A "
	     "loop that crashed in its last iteration has nothing to be stopped: it comes to "
	     "its own end, which is said. The "
	     "processes of a loop whose record is damaged are ended, too, and nothing is "
	     "written down; 'ralph repair' comes next.\n\n"
	     "Exit codes: 0 the loop is over now; 1 it could not be ended, or its record is "
	     "damaged.",
    .examples = "  ralph stop myproject-run\n",
    .min_args = 1,
    .max_args = 1,
    .operand = "loop",
    .chosen = CHOSEN_ACT,
    .run = run,
};
