/*
 * resume.c - ralph resume: go on after a pause, a stop, a crash or a reboot.
 */
#include "cmd/cmd.h"
#include "cmd/control.h"
#include "cmd/loops.h"
#include "cmd/supervisor.h"

#include "base/log.h"
#include <errno.h>

struct resume_options {
	bool foreground, json, quiet;
};

static const struct opt resume_opts[] = {
    {
	.name = "foreground",
	.type = OPT_FLAG,
	.offset = offsetof(struct resume_options, foreground),
	.help = "stay in this terminal instead of going to the background",
    },
    {
	.name = "json",
	.type = OPT_FLAG,
	.offset = offsetof(struct resume_options, json),
	.help = "with --foreground: print events as JSON lines",
    },
    {
	.name = "quiet",
	.type = OPT_FLAG,
	.offset = offsetof(struct resume_options, quiet),
	.help = "print only alerts and the end",
    },
};

static void
say_resumed(const char *name)
{
	AUTO_BUF out = BUF_INIT;

	buf_addf(&out, "resumed ralph loop for %s\n", name);
	cmd_print(&out);
}

static int
resume_running(const struct loop_view *v)
{
	AUTO_JSON *reply = NULL;
	struct err err = ERR_INIT;

	reply = control_call(v->dir, CONTROL_RESUME, &err);
	if (reply == NULL) {
		error("%s", err.text);
		return EX_FAILED;
	}
	if (json_bool(reply, "changed", false))
		say_resumed(v->name);
	else
		warning("worker '%s' is not paused", v->name);
	return EX_OK;
}

static int
resume_dead(const struct loop_view *v, const struct resume_options *o)
{
	int rc;

	if (!loop_can_resume(&v->state)) {
		warning("worker '%s' is not paused (it is complete: %s)", v->name,
		    end_reason_name(v->state.reason));
		return EX_OK;
	}
	rc = supervisor_main(&(struct supervisor_spec){
	    .name = v->name,
	    .json = o->json && o->foreground,
	    .quiet = !o->foreground || o->quiet,
	    .detach = !o->foreground,
	});
	if (!o->foreground && rc == EX_OK && !o->quiet)
		say_resumed(v->name);
	return rc;
}

static int
run(const struct cmd_args *args)
{
	struct loop_view v;
	struct err err = ERR_INIT;
	int rc;

	if (loop_view_open(&v, args->operands.args[0], &err) < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	rc = v.supervised ? resume_running(&v) : resume_dead(&v, args->opts);
	loop_view_close(&v);
	return rc;
}

const struct cmd cmd_resume = {
    .name = "resume",
    .usage = "[--foreground] NAME",
    .summary = "Go on after a pause, a stop, a crash or a reboot",
    .about = "A loop whose supervisor still runs goes on there. Otherwise a new supervisor "
	     "takes the loop "
	     "over, in the background unless told otherwise: an agent that still runs is kept, "
	     "one that "
	     "is gone is followed by the next iteration.",
    .examples = "  ralph resume myproject-run\n  ralph resume --foreground myproject-run\n",
    .opts = resume_opts,
    .nopts = ARRAY_LEN(resume_opts),
    .size = sizeof(struct resume_options),
    .min_args = 1,
    .max_args = 1,
    .operand = "loop",
    .run = run,
};
