/*
 * desktop.c - ralph desktop: words and options; ralph-desktop does the rest.
 */
#include "cmd/cmd.h"
#include "desktop/helper.h"

#include "base/alloc.h"
#include "base/log.h"
#include "desktop/options.h"
#include <errno.h>

/* Without a helper `check --json` still has to be JSON. */
static int
desktop_say_missing(const struct cmd_args *args, const struct desktop_action *action)
{
	const struct desktop_options *o = args->opts;

	if (action->id != DESKTOP_CHECK || !o->json)
		return -EX_UNAVAILABLE;
	cmd_print_json(json_pack("{s:b,s:s}", "ok", 0, "error", args->err->text));
	return EX_UNAVAILABLE;
}

/* The helper reads the same words with the same tables. */
static int
become_helper(const struct cmd_args *args, const char *helper, const char *action)
{
	AUTO_STRLIST argv = NULL;

	argv = strlist_add(argv, log_name());
	argv = strlist_add(argv, action);
	for (int i = 0; i < args->argc; i++)
		argv = strlist_add(argv, args->argv[i]);
	(void)execv(helper, argv);
	error("cannot start %s: %s", helper, strerror(errno));
	return EX_UNAVAILABLE;
}

static int
run(const struct cmd_args *args)
{
	const struct desktop_action *action =
	    desktop_action_find(strchr(args->cmd->name, ' ') + 1);
	AUTO_FREE char *helper = NULL;

	if (desktop_options_check(action->id, args->opts, &args->operands, args->err) < 0) {
		error("%s; 'ralph help %s' explains it", args->err->text, args->cmd->name);
		return EX_USAGE;
	}
	helper = desktop_helper(args->err);
	if (helper == NULL)
		return desktop_say_missing(args, action);
	return become_helper(args, helper, action->name);
}

static int
run_group(const struct cmd_args *args UNUSED)
{
	error("which one? 'ralph help desktop' lists them");
	return EX_USAGE;
}

const struct cmd cmd_desktop = {
    .name = "desktop",
    .usage = "screenshot|windows|focus|click|type|check ...",
    .summary = "See and use the programs on an X display",
    .about = "For checking by eye what a terminal cannot show, and for the dialog in the way. "
	     "Prefer the terminal where there is a choice: it is faster and says more.\n\n"
	     "A TITLE is a window's whole title, or a part that only one window has; or an id "
	     "as 'ralph desktop windows' prints it. When several windows match, none is "
	     "touched, and they are listed.\n\n"
	     "Every action leaves a line in ai/logs/pc-automation.log of the project: when, "
	     "what, and how it ended. What cannot be logged is not done. Typed text is not "
	     "written there, only its length.\n\n"
	     "Every action ends within its --timeout, also when a display or a program hangs; "
	     "the exit code is then 124. It is 69 when there is no display, or when it lacks "
	     "what was asked for; 'ralph desktop check' tells. Only X displays can be used; "
	     "under Wayland that is XWayland, with its own windows alone. The work is done by "
	     "ralph-desktop, a helper that is built where libxcb, libdbus and zlib are there.",
    .examples = "  ralph desktop check\n"
		"  ralph desktop screenshot --window 'Visual Studio Code' editor.png\n"
		"  ralph desktop click --element OK --window 'Save changes?'\n",
    .run = run_group,
};

#define ROW(action)                                                                   \
	.opts = desktop_##action##_opts, .nopts = ARRAY_LEN(desktop_##action##_opts), \
	.size = sizeof(struct desktop_options), .run = run

const struct cmd cmd_desktop_check = {
    .name = "desktop check",
    .usage = "[--json]",
    .summary = "Say what can be done here",
    .about = "Exit code 0 when a display answers, 69 when none does.",
    .examples = "  ralph desktop check --json | jq .elements\n",
    ROW(check),
};

const struct cmd cmd_desktop_screenshot = {
    .name = "desktop screenshot",
    .usage = "[--window TITLE] [FILE]",
    .summary = "Save what is on the screen as PNG",
    .about = "Prints the file's name, which is screenshot-TIME.png unless FILE is given; - is "
	     "standard output. A file that is there is replaced, at once and whole.",
    .examples = "  ralph desktop screenshot now.png\n"
		"  ralph desktop screenshot --window Calculator sum.png\n",
    .max_args = 1,
    ROW(screenshot),
};

const struct cmd cmd_desktop_windows = {
    .name = "desktop windows",
    .usage = "[--json]",
    .summary = "List the windows: id, process, place and title",
    .about = "The place is that of the window's inside: WIDTHxHEIGHT+X+Y.",
    .examples = "  ralph desktop windows --json | jq -r '.windows[].title'\n",
    ROW(windows),
};

const struct cmd cmd_desktop_focus = {
    .name = "desktop focus",
    .usage = "TITLE",
    .summary = "Bring a window to the front, and wait until it is there",
    .examples = "  ralph desktop focus 'Visual Studio Code'\n",
    .min_args = 1,
    .max_args = 1,
    ROW(focus),
};

const struct cmd cmd_desktop_click = {
    .name = "desktop click",
    .usage = "[--window TITLE] [--button BUTTON] [--double] X Y | --element NAME [--role ROLE] "
	     "[--window TITLE]",
    .summary = "Click at a place, or on what has a name",
    .about = "An element is a button, a menu's entry, a link and the like, by the name its "
	     "program gives it for screen readers (AT-SPI): the whole name, or a part that "
	     "only one has. A plain click is asked of the program itself, so the window may be "
	     "behind others. GTK and Qt programs tell their elements when an accessibility bus "
	     "runs; Chromium and Electron need --force-renderer-accessibility.\n\n"
	     "With a place, the window given by --window is brought to the front first, and "
	     "nothing is clicked when something else covers it there.",
    .examples = "  ralph desktop click --element OK\n"
		"  ralph desktop click --element File --role menu --window Editor\n"
		"  ralph desktop click --window Editor 40 12\n",
    .max_args = 2,
    ROW(click),
};

const struct cmd cmd_desktop_type = {
    .name = "desktop type",
    .usage = "[--window TITLE] TEXT | --stdin",
    .summary = "Type a text to the active window",
    .about = "Any character can be typed, whatever the keyboard's layout: those it lacks "
	     "borrow a keycode that no key has, and give it back. A newline is the Return key, "
	     "a tab the Tab key. Nothing is typed to a program that does not answer.",
    .examples = "  ralph desktop type --window Search 'naïve café'\n"
		"  ralph desktop type --stdin < answer.txt\n",
    .max_args = 1,
    .dashes = true,
    ROW(type),
};
