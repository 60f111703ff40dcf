/*
 * command.c - ralph three: a loop over the three tasks of three.c.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "cmd/run.h"
#include "loops/settings.h"

#define OPTIONS struct run_options
static const struct opt three_opts[] = {
    ROW_ENV_FILE,
};

static int
three_run(const struct cmd_args *args)
{
	struct run_options *o = args->opts;
	struct settings *s = &o->settings;

	s->source = xstrdup("three");
	s->judged = true;
	s->max_iterations = UNLIMITED;
	if (run_check(o, true, args->err) < 0)
		return -EX_USAGE;
	settings_set_command(s, args->operands.command);
	settings_set_delivery(s);
	if (settings_check_place(s, args->err) < 0)
		return -1;
	return run_loop(o, s->cwd, "three");
}

const struct cmd cmd_three = {
    .name = "three",
    .usage = "[OPTION...] -- CMD [ARG...]",
    .summary = "Work through the three tasks of the tests",
    CMD_SETTINGS(OF_RUN),
    CMD_OPTIONS(three_opts),
    .hidden = true,
    .takes_command = true,
    .run = three_run,
    .release = cmd_release_settings,
};
