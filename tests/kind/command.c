/*
 * command.c - ralph three: a loop over the three tasks of three.c.
 */
#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "cmd/cmd.h"
#include "loops/naming.h"
#include "loops/settings.h"
#include "record/codec.h"
#include "supervisor/supervisor.h"

static int
three_run(const struct cmd_args *args)
{
	struct settings s = {
	    .max_iterations = UNLIMITED, .max_failures = 5, .grace = 10 * NSEC_PER_SEC};
	struct err err = ERR_INIT;
	AUTO_CLOSE int naming = -1;
	AUTO_FREE char *name = NULL;
	int rc = EX_FAILED;

	settings_defaults_keep(&s);
	s.source = xstrdup("three");
	s.judged = true;
	settings_set_command(&s, args->operands.command);
	settings_set_delivery(&s);
	name = naming_choose(s.cwd, "three", &naming);
	if (settings_check_place(&s, &err) < 0)
		error("%s", err.text);
	else
		rc = supervisor_main(&(struct supervisor_spec){
		    .name = name, .place = s.cwd, .naming = &naming, .settings = &s});
	settings_release(&s);
	return rc;
}

const struct cmd cmd_three = {
    .name = "three",
    .usage = "-- CMD [ARG...]",
    .summary = "Work through the three tasks of the tests",
    .hidden = true,
    .takes_command = true,
    .run = three_run,
};
