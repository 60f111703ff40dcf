/*
 * ralph_init.c - swarm ralph init and template: a prompt to begin with.
 */
#include "cmd/cmd.h"

#include "base/userfile.h"
#include <errno.h>
#include <fcntl.h>

#define PROMPT "PROMPT.md"

static const char template[] =
    "study specs/README.md\n"
    "study CLAUDE.md and pick the most important incomplete task\n"
    "\n"
    "IMPORTANT:\n"
    "\n"
    "- do not assume anything is implemented - verify by reading code\n"
    "- update IMPLEMENTATION_PLAN.md when the task is done\n"
    "- if tests are missing, add them (choose unit/integration/property as appropriate, follow "
    "existing patterns)\n"
    "- run tests after changes\n"
    "- commit and push when you are done\n";

struct init_options {
	bool force;
};

#define OPTIONS struct init_options
static const struct opt init_opts[] = {
    ROW_FLAG("force", force, "overwrite a " PROMPT " that is there"),
};

static int
init_run(const struct cmd_args *args)
{
	const struct init_options *o = args->opts;
	AUTO_BUF text = BUF_INIT;
	bool exists;
	int rc;

	buf_adds(&text, template);
	rc = userfile_create(AT_FDCWD, PROMPT, &text, args->err);
	exists = rc < 0 && args->err->code == EEXIST;
	if (exists && !o->force)
		return err_set(args->err, PROMPT " already exists (use --force to overwrite)");
	if (exists)
		rc = userfile_replace(AT_FDCWD, PROMPT, NULL, &text, args->err);
	if (rc < 0)
		return -1;
	return cmd_say("created " PROMPT "%s", exists ? " (overwritten)" : "");
}

static int
template_run(const struct cmd_args *args UNUSED)
{
	AUTO_BUF out = BUF_INIT;

	buf_adds(&out, template);
	cmd_print(&out);
	return EX_OK;
}

const struct cmd cmd_swarm_ralph_init = {
    .name = "ralph init",
    .usage = "[--force]",
    .summary = "Make a " PROMPT " to begin with",
    .about = "Writes " PROMPT
	     " to the current directory. It is a starting point: customize it for your "
	     "project, with the commands that test it and the files to read first.",
    .examples = "  swarm ralph init\n  $EDITOR " PROMPT "\n",
    CMD_OPTIONS(init_opts),
    .run = init_run,
};

const struct cmd cmd_swarm_ralph_template = {
    .name = "ralph template",
    .usage = "",
    .summary = "Print the prompt that ralph init writes",
    .examples = "  swarm ralph template > BUILD_PROMPT.md\n",
    .run = template_run,
};
