/*
 * attach.c - ralph attach: the agent's live terminal, in this one; and ralph view, the same for
 * a tmux pane.
 */
#include "cmd/cmd.h"
#include "loops/loop_view.h"
#include "loops/viewer.h"

#include "base/log.h"
#include "term/term.h"

struct attach_options {
	bool clipboard, title, notify;
	char *home; /* of `view` */
};

#define OPTIONS struct attach_options
static const struct opt attach_opts[] = {
    ROW_FLAG(
	"clipboard", clipboard, "let the agent write to this terminal's clipboard (OSC 52)"),
    ROW_FLAG("title", title, "let the agent set this terminal's title (OSC 0, 1 and 2)"),
    ROW_FLAG("notify", notify, "let the agent raise notifications (OSC 9, 99 and 777)"),
};

static const struct opt view_opts[] = {
    ROW_TEXT(
	"home", home, "DIR", "the state home: a tmux server has an environment of its own"),
};

static int
attach(const struct cmd_args *args)
{
	const char *name = args->operands.args[0];
	static const struct attach_options none;
	/* swarm's command has no options. */
	const struct attach_options *o = args->cmd->size > 0 ? args->opts : &none;
	unsigned passes = (o->clipboard ? TERM_CLIPBOARD : 0U) | (o->title ? TERM_TITLE : 0U) |
			  (o->notify ? TERM_NOTIFY : 0U);
	struct loop_view view;

	if (loop_view_open_session(&view, name, args->err) < 0)
		return -1;
	loop_view_close(&view);
	if (isatty(STDIN_FILENO) == 0 || isatty(STDOUT_FILENO) == 0)
		return err_set(args->err,
		    "attach needs a terminal; '%s logs -f %s' works without one", log_name(),
		    name);
	return viewer_main(name, false, passes, args->err);
}

static int
view(const struct cmd_args *args)
{
	const struct attach_options *o = args->opts;

	if (o->home != NULL)
		(void)setenv("RALPH_HOME", o->home, 1);
	return viewer_main(args->operands.args[0], true, 0, args->err);
}

const struct cmd cmd_attach = {
    .name = "attach",
    .usage = "[options] [NAME]",
    .summary = "Show the agent's live terminal here, and type to it",
    .about = "Stays across iterations. " VIEWER_DETACH_NAME
	     " detaches; the agent goes on. Several terminals may be attached at once; the "
	     "agent's window has the size of the last one.\n\n"
	     "Text, colours and links of the agent reach this terminal. Its clipboard, its "
	     "title and its notifications do not, unless an option says so; questions to the "
	     "terminal and characters that nobody can see never do.",
    .examples = "  ralph attach myproject-run\n"
		"  ralph attach --clipboard myproject-run\n",
    CMD_OPTIONS(attach_opts),
    CMD_NAME_OR(CHOSEN_ACT),
    .run = attach,
};

const struct cmd cmd_view = {
    .name = "view",
    .usage = "[--home DIR] NAME",
    .summary = "Show the agent's live terminal in a tmux pane",
    CMD_OPTIONS(view_opts),
    .min_args = 1,
    .max_args = 1,
    .hidden = true,
    .run = view,
};
