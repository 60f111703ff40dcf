/*
 * pause.c - ralph pause: let the agent finish, start no new one.
 */
#include "cmd/cmd.h"
#include "cmd/control.h"
#include "cmd/loops.h"
#include "cmd/supervisor.h"

#include "base/log.h"
#include <errno.h>

static int
say_paused(const char *name)
{
	AUTO_BUF out = BUF_INIT;

	buf_addf(&out, "paused ralph loop for %s\n", name);
	cmd_print(&out);
	return EX_OK;
}

static int
pause_loop(const struct loop_view *v, struct err *err)
{
	AUTO_JSON *reply = NULL;
	struct err why = ERR_INIT;

	if (v->state.phase == PHASE_FINISHED) {
		warning("worker '%s' is not running (%s)", v->name, loop_status(&v->state));
		return EX_OK;
	}
	if (strcmp(loop_status(&v->state), "paused") == 0) {
		warning("worker '%s' is already paused", v->name);
		return EX_OK;
	}
	reply = control_call(v->dir, CONTROL_PAUSE, &why);
	if (reply != NULL)
		return say_paused(v->name);
	if (why.code != ENOENT && why.code != ECONNREFUSED) {
		*err = why;
		return EX_FAILED;
	}
	/* Nobody listens: a crash.  The wish is written down for whoever resumes it. */
	if (supervisor_pause_offline(v->name, err) < 0)
		return EX_FAILED;
	return say_paused(v->name);
}

static int
run(const struct cmd_args *args)
{
	struct loop_view v;
	struct err err = ERR_INIT;
	int rc = EX_FAILED;

	if (loop_view_open(&v, args->operands.args[0], &err) == 0) {
		rc = pause_loop(&v, &err);
		loop_view_close(&v);
	}
	if (rc != EX_OK)
		error("%s", err.text);
	return rc;
}

const struct cmd cmd_pause = {
    .name = "pause",
    .usage = "NAME",
    .summary = "Let the current agent finish, start no new one",
    .about = "A wait between iterations ends at once. 'ralph resume' goes on with the next "
	     "iteration.",
    .examples = "  ralph pause myproject-run\n",
    .min_args = 1,
    .max_args = 1,
    .operand = "loop",
    .run = run,
};
