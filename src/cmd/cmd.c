/*
 * cmd.c - the commands there are, and finding the one that is meant.
 */
#include "cmd/cmd.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/text.h"
#include "session/session.h"
#include <locale.h>
#include <signal.h>
#include <stdio.h>

extern const struct cmd cmd_run, cmd_ls, cmd_status, cmd_pause, cmd_resume, cmd_stop, cmd_logs,
    cmd_attach, cmd_send, cmd_wait, cmd_export, cmd_completion, cmd_help_entry, cmd_man;

const struct cmd *const cmd_table[] = {
    &cmd_run,
    &cmd_ls,
    &cmd_status,
    &cmd_logs,
    &cmd_attach,
    &cmd_send,
    &cmd_pause,
    &cmd_resume,
    &cmd_stop,
    &cmd_wait,
    &cmd_export,
    &cmd_completion,
    &cmd_help_entry,
    &cmd_man,
    NULL,
};

const struct cmd *
cmd_find(const char *name)
{
	for (const struct cmd *const *c = cmd_table; *c != NULL; c++)
		if (strcmp((*c)->name, name) == 0)
			return *c;
	return NULL;
}

static int
usage(const struct cmd *cmd, const char *text)
{
	error("%s", text);
	if (cmd != NULL)
		(void)fprintf(stderr, "usage: %s %s %s\n'%s help %s' explains it.\n",
		    log_name(), cmd->name, cmd->usage, log_name(), cmd->name);
	else
		(void)fprintf(stderr, "'%s help' lists the commands.\n", log_name());
	return EX_USAGE;
}

static int
unknown(const char *name)
{
	const char *names[ARRAY_LEN(cmd_table)];
	size_t n = 0;
	const char *near;
	AUTO_BUF text = BUF_INIT;

	for (const struct cmd *const *c = cmd_table; *c != NULL; c++)
		names[n++] = (*c)->name;
	near = text_nearest(name, names, n);
	buf_adds(&text, "unknown command ");
	text_quote(&text, name);
	if (near != NULL)
		buf_addf(&text, "; did you mean '%s'?", near);
	return usage(NULL, text.data);
}

/* The first thing that is wrong with how many operands there are; NULL when nothing is. */
static const char *
wrong_operands(const struct cmd *cmd, const struct operands *o)
{
	if (o->nargs < cmd->min_args)
		return cmd->operand != NULL && strcmp(cmd->operand, "loop") == 0
			   ? "which loop? a NAME is missing"
			   : "something is missing";
	if (o->nargs > cmd->max_args)
		return cmd->takes_command ? "put -- before the command to run"
					  : "too many arguments";
	if (cmd->takes_command && (o->command == NULL || o->command[0] == NULL))
		return "no command provided (use -- command...)";
	return NULL;
}

/* Where no command is expected, "--" only says that what follows are no options. */
static void
join_operands(const struct cmd *cmd, struct operands *o)
{
	size_t more = cmd->takes_command ? 0 : strlist_len(o->command);

	if (more == 0)
		return;
	o->args = xreallocarray(o->args, o->nargs + more + 1, sizeof(*o->args));
	memcpy(o->args + o->nargs, o->command, (more + 1) * sizeof(*o->args));
	o->nargs += more;
	o->command = NULL;
}

static int
run(const struct cmd *cmd, int argc, char **argv)
{
	struct cmd_args args = {.argc = argc, .argv = argv, .cmd = cmd};
	AUTO_FREE void *opts = xcalloc(1, cmd->size > 0 ? cmd->size : 1);
	struct err err = ERR_INIT;
	const char *wrong;
	int rc;

	args.opts = opts;
	if (cmd->init != NULL)
		cmd->init(opts);
	rc = opts_parse(cmd->opts, cmd->nopts, argc, argv, opts, &args.operands, &err);
	join_operands(cmd, &args.operands);
	if (rc > 0) {
		AUTO_BUF help = BUF_INIT;

		cmd_help(cmd, &help);
		cmd_print(&help);
		rc = EX_OK;
	} else if (rc < 0) {
		rc = usage(cmd, err.text);
	} else if ((wrong = wrong_operands(cmd, &args.operands)) != NULL) {
		rc = usage(cmd, wrong);
	} else {
		rc = cmd->run(&args);
	}
	if (cmd->release != NULL)
		cmd->release(opts);
	opts_release(cmd->opts, cmd->nopts, opts);
	free(args.operands.args);
	return rc;
}

int
cmd_main(int argc, char **argv)
{
	const struct cmd *cmd;

	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	fs_fault_init();
	if (argc > 1 && strcmp(argv[1], KEEPER_ARG) == 0)
		return keeper_main(argc, argv);
	log_set_name(argv[0]);
	fs_fault_role(FS_OTHER);
	if (argc < 2 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0) {
		AUTO_BUF help = BUF_INIT;

		cmd_help_overview(&help);
		cmd_print(&help);
		return EX_OK;
	}
	if (strcmp(argv[1], "--version") == 0) {
		AUTO_BUF text = BUF_INIT;

		buf_addf(&text, "%s %s\n", log_name(), RALPH_VERSION);
		cmd_print(&text);
		return EX_OK;
	}
	cmd = cmd_find(argv[1]);
	return cmd == NULL ? unknown(argv[1]) : run(cmd, argc - 2, argv + 2);
}
