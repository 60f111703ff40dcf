/*
 * attach.c - ralph attach: the agent's live terminal, in this one; and ralph view, the same for
 * a tmux pane.
 */
#include "cmd/cmd.h"
#include "cmd/loops.h"
#include "cmd/viewer.h"

#include "base/log.h"

struct view_options {
	char *home;
};

static const struct opt view_opts[] = {
    {
	.name = "home",
	.type = OPT_TEXT,
	.offset = offsetof(struct view_options, home),
	.arg = "DIR",
	.help = "the state home: a tmux server has an environment of its own",
    },
};

static int
attach(const struct cmd_args *args)
{
	const char *name = args->operands.args[0];
	struct err err = ERR_INIT;
	struct loop_view view;

	if (loop_view_open_session(&view, name, &err) < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	loop_view_close(&view);
	if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0) {
		error("attach needs a terminal; '%s logs -f %s' works without one", log_name(),
		    name);
		return EX_FAILED;
	}
	if (viewer_main(name, false, &err) < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	return EX_OK;
}

static int
view(const struct cmd_args *args)
{
	const struct view_options *o = args->opts;
	struct err err = ERR_INIT;

	if (o->home != NULL)
		(void)setenv("RALPH_HOME", o->home, 1);
	if (viewer_main(args->operands.args[0], true, &err) < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	return EX_OK;
}

const struct cmd cmd_attach = {
    .name = "attach",
    .usage = "NAME",
    .summary = "Show the agent's live terminal here, and type to it",
    .about = "Stays across iterations. " VIEWER_DETACH_NAME
	     " detaches; the agent goes on. Several terminals may be "
	     "attached at once; the agent's window has the size of the last one.",
    .examples = "  ralph attach myproject-run\n",
    .min_args = 1,
    .max_args = 1,
    .operand = "loop",
    .run = attach,
};

const struct cmd cmd_view = {
    .name = "view",
    .usage = "[--home DIR] NAME",
    .summary = "Show the agent's live terminal in a tmux pane",
    .opts = view_opts,
    .nopts = ARRAY_LEN(view_opts),
    .size = sizeof(struct view_options),
    .min_args = 1,
    .max_args = 1,
    .hidden = true,
    .run = view,
};
