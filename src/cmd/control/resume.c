/*
 * resume.c - ralph resume: go on after a pause, a stop, a crash or a reboot.
 */
#include "cmd/cmd.h"
#include "cmd/steer.h"
#include "loops/choose.h"

#include "base/log.h"

#define OPTIONS struct steer_output
static const struct opt resume_opts[] = {
    ROW_FLAG(
	"foreground", foreground, "stay in this terminal instead of going to the background"),
    ROW_FLAG("json", json, "with --foreground: print events as JSON lines"),
    ROW_FLAG("quiet", quiet, "print only alerts and the end"),
};

static int
run(const struct cmd_args *args)
{
	struct loop_view v;
	struct err err = ERR_INIT;
	int rc = EX_FAILED;

	if (choose_loop(&v, args->operands.args[0], VIEW_STEER, args->cmd->name, &err) == 0) {
		rc = steer_resume(&v, args->opts, &err);
		loop_view_close(&v);
	}
	if (err.text[0] != '\0')
		error("%s", err.text);
	return rc;
}

const struct cmd cmd_resume = {
    .name = "resume",
    .usage = "[--foreground] [NAME]",
    .summary = "Go on after a pause, a stop, a crash or a reboot",
    .about = "A loop whose supervisor still runs goes on there. Otherwise a new supervisor "
	     "takes the loop "
	     "over, in the background unless told otherwise: an agent that still runs is kept, "
	     "one that "
	     "is gone is followed by the next iteration.",
    .examples = "  ralph resume myproject-run\n  ralph resume --foreground myproject-run\n",
    CMD_OPTIONS(resume_opts),
    .min_args = 1,
    .max_args = 1,
    .operand = "loop",
    .chosen = CHOSEN_ACT,
    .run = run,
};
