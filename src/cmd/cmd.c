/*
 * cmd.c - the commands there are, and finding the one that is meant.
 */
#include "cmd/cmd.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/tk/plugin.h"
#include "git/trust/trust.h"
#include "record/home.h"
#include "session/session.h"
#include "supervisor/bounds.h"
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

extern const struct cmd cmd_run, cmd_loop, cmd_ls, cmd_status, cmd_pause, cmd_resume, cmd_stop,
    cmd_repair, cmd_logs, cmd_attach, cmd_send, cmd_wait, cmd_export, cmd_completion,
    cmd_help_entry, cmd_man, cmd_view, cmd_peek, cmd_interrupt, cmd_eof, cmd_spawn, cmd_kill,
    cmd_clean, cmd_respawn, cmd_heartbeat;
extern const struct cmd cmd_three, cmd_loop_init, cmd_loop_status, cmd_loop_reset,
    cmd_loop_lessons;
extern const struct cmd cmd_todo, cmd_todo_init, cmd_done, cmd_stuck, cmd_blocked, cmd_progress,
    cmd_nudge, cmd_trust;
extern const struct cmd cmd_graph, cmd_graph_prompt, cmd_graph_status, cmd_graph_complete,
    cmd_graph_reset, cmd_graph_refresh, cmd_graph_validate, cmd_graph_worktree, cmd_graph_audit,
    cmd_graph_init, cmd_graph_run;
extern const struct cmd cmd_tk, cmd_tk_ready, cmd_tk_blocked, cmd_tk_closed, cmd_tk_ls,
    cmd_tk_show, cmd_tk_create, cmd_tk_start, cmd_tk_close, cmd_tk_reopen, cmd_tk_status,
    cmd_tk_dep, cmd_tk_undep, cmd_tk_link, cmd_tk_unlink, cmd_tk_add_note, cmd_tk_list,
    cmd_tk_query, cmd_tk_edit, cmd_tk_help, cmd_tk_super;
extern const struct cmd cmd_desktop, cmd_desktop_check, cmd_desktop_screenshot,
    cmd_desktop_windows, cmd_desktop_focus, cmd_desktop_click, cmd_desktop_type;

const struct cmd *const ralph_commands[] = {
    &cmd_run,
    &cmd_loop,
    &cmd_loop_init,
    &cmd_loop_status,
    &cmd_loop_reset,
    &cmd_loop_lessons,
    &cmd_todo,
    &cmd_todo_init,
    &cmd_ls,
    &cmd_status,
    &cmd_logs,
    &cmd_attach,
    &cmd_send,
    &cmd_peek,
    &cmd_interrupt,
    &cmd_eof,
    &cmd_pause,
    &cmd_resume,
    &cmd_repair,
    &cmd_stop,
    &cmd_wait,
    &cmd_nudge,
    &cmd_trust,
    &cmd_spawn,
    &cmd_kill,
    &cmd_clean,
    &cmd_respawn,
    &cmd_heartbeat,
    &cmd_graph,
    &cmd_graph_init,
    &cmd_graph_run,
    &cmd_graph_prompt,
    &cmd_graph_complete,
    &cmd_graph_reset,
    &cmd_graph_status,
    &cmd_graph_refresh,
    &cmd_graph_validate,
    &cmd_graph_worktree,
    &cmd_graph_audit,
    &cmd_tk,
    &cmd_tk_ready,
    &cmd_tk_blocked,
    &cmd_tk_closed,
    &cmd_tk_ls,
    &cmd_tk_list,
    &cmd_tk_query,
    &cmd_tk_show,
    &cmd_tk_create,
    &cmd_tk_edit,
    &cmd_tk_start,
    &cmd_tk_close,
    &cmd_tk_reopen,
    &cmd_tk_status,
    &cmd_tk_dep,
    &cmd_tk_undep,
    &cmd_tk_link,
    &cmd_tk_unlink,
    &cmd_tk_add_note,
    &cmd_tk_help,
    &cmd_tk_super,
    &cmd_desktop,
    &cmd_desktop_check,
    &cmd_desktop_screenshot,
    &cmd_desktop_windows,
    &cmd_desktop_focus,
    &cmd_desktop_click,
    &cmd_desktop_type,
    &cmd_done,
    &cmd_stuck,
    &cmd_blocked,
    &cmd_progress,
    &cmd_export,
    &cmd_completion,
    &cmd_help_entry,
    &cmd_man,
    &cmd_view,
#ifdef RALPH_TEST_KIND
    &cmd_three,
#endif
    NULL,
};

const struct cmd *const *
cmd_commands(void)
{
	return strcmp(log_name(), "swarm") == 0 ? swarm_commands : ralph_commands;
}

/* How many words of argv the name takes; 0 when argv does not begin with the name. */
static int
matches(const char *name, char *const *argv)
{
	const char *space = strchr(name, ' ');
	size_t first = space == NULL ? strlen(name) : (size_t)(space - name);

	if (argv[0] == NULL || strncmp(name, argv[0], first) != 0 || argv[0][first] != '\0')
		return 0;
	if (space == NULL)
		return 1;
	return argv[1] != NULL && strcmp(space + 1, argv[1]) == 0 ? 2 : 0;
}

const struct cmd *
cmd_find(char *const *argv, int *words)
{
	const struct cmd *found = NULL;

	*words = 0;
	for (const struct cmd *const *c = cmd_commands(); *c != NULL; c++) {
		int n = matches((*c)->name, argv);

		if (n > *words) {
			*words = n;
			found = *c;
		}
	}
	return found;
}

static int
cmd_usage(const struct cmd *cmd, const char *text)
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
cmd_unknown(char *const *argv)
{
	const char *names[96];
	size_t n = 0;
	const char *near;
	AUTO_BUF given = BUF_INIT;
	AUTO_BUF text = BUF_INIT;

	buf_adds(&given, argv[0]);
	for (const struct cmd *const *c = cmd_commands(); *c != NULL && n < ARRAY_LEN(names);
	     c++) {
		names[n++] = (*c)->name;
		/* The word of a group is not the whole name. */
		if (argv[1] != NULL && given.len == strlen(argv[0]) &&
		    strncmp((*c)->name, argv[0], given.len) == 0 &&
		    (*c)->name[given.len] == ' ')
			buf_addf(&given, " %s", argv[1]);
	}
	near = text_nearest(given.data, names, n);
	buf_adds(&text, "unknown command ");
	text_quote(&text, given.data);
	if (near != NULL)
		buf_addf(&text, "; did you mean '%s'?", near);
	return cmd_usage(NULL, text.data);
}

/* The n-th operand that the usage wants: a word in capitals that is not in brackets.  Its
 * length; 0 where there are several ways to call it, or no such word. */
static size_t
operand_word(const char *usage, size_t n, const char **word)
{
	int depth = 0;

	if (strchr(usage, '|') != NULL)
		return 0;
	for (const char *p = usage; *p != '\0'; p++) {
		size_t len = strspn(p, "ABCDEFGHIJKLMNOPQRSTUVWXYZ");

		depth += (*p == '[') - (*p == ']');
		if (len == 0 || depth > 0 || (p > usage && p[-1] != ' '))
			continue;
		*word = p;
		if (n-- == 0)
			return len;
		p += len - 1;
	}
	return 0;
}

static void
cmd_say_missing(const struct cmd *cmd, size_t given, struct buf *out)
{
	const char *of = cmd->operand == NULL ? "" : cmd->operand;
	const char *word = NULL;
	size_t len = operand_word(cmd->usage, given, &word);

	if (strcmp(of, "loop") == 0 && (len == 0 || strncmp(word, "NAME", len) == 0))
		buf_adds(out, "which loop? a NAME is missing");
	else if (*of != '\0' && len == 2 && strncmp(word, "ID", len) == 0)
		buf_addf(out, "which %s? an ID is missing", of);
	else if (len > 0)
		buf_addf(out, "%.*s is missing", (int)len, word);
	else
		buf_adds(out, "something is missing");
}

/* The first thing that is wrong with how many operands there are; false when nothing is. */
static bool
wrong_operands(const struct cmd *cmd, const struct operands *o, struct buf *out)
{
	if (o->nargs < cmd->min_args)
		cmd_say_missing(cmd, o->nargs, out);
	else if (o->nargs > cmd->max_args)
		buf_adds(out, cmd->takes_command ? "put -- before the command to run"
						 : "too many arguments");
	else if (cmd->takes_command && !cmd->checks_command &&
		 (o->command == NULL || o->command[0] == NULL))
		buf_adds(out, "no command provided (use -- command...)");
	return out->len > 0;
}

static bool
cmd_is_group(const struct cmd *cmd)
{
	size_t len = strlen(cmd->name);

	for (const struct cmd *const *c = cmd_commands(); *c != NULL; c++)
		if (strncmp((*c)->name, cmd->name, len) == 0 && (*c)->name[len] == ' ')
			return true;
	return false;
}

static void
print_help(const struct cmd *cmd)
{
	AUTO_BUF help = BUF_INIT;

	cmd_help(cmd, &help);
	cmd_print(&help);
}

/* "loop statsu": the second word is no command of the group. */
static int
unknown_member(const struct cmd *cmd, const struct operands *o)
{
	AUTO_FREE char *first = xstrdup(cmd->name);

	return cmd_unknown((char *[]){first, o->args[0], NULL});
}

/* Where no command is expected, "--" only says that the words behind it are no options. */
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

void
cmd_say_ignored(const struct cmd *cmd, const char *word)
{
	AUTO_BUF shown = BUF_INIT;

	text_quote(&shown, word);
	warning(
	    "%s is ignored; usage: %s %s %s", shown.data, log_name(), cmd->name, cmd->usage);
}

static void
drop_surplus(const struct cmd *cmd, struct operands *o)
{
	if (!cmd->surplus || o->nargs <= cmd->max_args)
		return;
	for (size_t i = cmd->max_args; i < o->nargs; i++)
		cmd_say_ignored(cmd, o->args[i]);
	o->nargs = cmd->max_args;
	o->args[o->nargs] = NULL;
}

/* The NAME of the loop is left out: runs the command as if the loop that is meant had been
 * named. */
static int
run_chosen(struct cmd_args *args)
{
	AUTO_FREE char *name = chosen_name(args->cmd->chosen);

	if (name == NULL)
		return EX_USAGE;
	args->operands.args[args->operands.nargs++] = name;
	return args->cmd->run(args);
}

static int
cmd_call(const struct cmd *cmd, int argc, char **argv)
{
	struct cmd_args args = {.argc = argc, .argv = argv, .cmd = cmd};
	AUTO_FREE void *opts = xcalloc(1, cmd->size > 0 ? cmd->size : 1);
	AUTO_BUF wrong = BUF_INIT;
	struct err err = ERR_INIT;
	int rc;

	args.opts = opts;
	if (cmd->init != NULL)
		cmd->init(opts);
	rc = opts_parse(cmd->opts, cmd->nopts, argc, argv,
	    cmd->words	  ? OPTS_WORDS
	    : cmd->dashes ? OPTS_DASHES
			  : OPTS_PLAIN,
	    opts, &args.operands, &err);
	join_operands(cmd, &args.operands);
	if (rc == 0)
		drop_surplus(cmd, &args.operands);
	if (rc > 0) {
		print_help(cmd);
		rc = EX_OK;
	} else if (rc < 0) {
		/* In "run claude -p" the mistake is not the -p. */
		rc = args.operands.nargs > 0 && cmd->takes_command &&
			     wrong_operands(cmd, &args.operands, &wrong)
			 ? cmd_usage(cmd, wrong.data)
			 : cmd_usage(cmd, err.text);
	} else if (cmd->chosen != CHOSEN_NOT && args.operands.nargs == 0) {
		rc = run_chosen(&args);
	} else if (wrong_operands(cmd, &args.operands, &wrong)) {
		rc = cmd_is_group(cmd) && args.operands.nargs > 0
			 ? unknown_member(cmd, &args.operands)
			 : cmd_usage(cmd, wrong.data);
	} else {
		if (!cmd->only_shows)
			bounds_command();
		rc = cmd->run(&args);
	}
	if (cmd->release != NULL)
		cmd->release(opts);
	opts_release(cmd->opts, cmd->nopts, opts);
	operands_release(&args.operands);
	return rc;
}

static int
dispatch(int argc, char **argv)
{
	int words;
	const struct cmd *cmd = cmd_find(argv, &words);

	if (cmd == NULL)
		return cmd_unknown(argv);
	/* "graph help [run]" is "help graph [run]". */
	if (words == 1 && argc > 1 && strcmp(argv[1], "help") == 0 && cmd_is_group(cmd)) {
		print_help(cmd_find((char *[]){argv[0], argv[2], NULL}, &words));
		return EX_OK;
	}
	return cmd_call(cmd, argc - words, argv + words);
}

/* Without a command, or with an empty one, tk explains itself.  No plugin stands in for that.
 */
static bool
is_tk_help(int argc, char **argv)
{
	static const char *const words[] = {"", "help", "--help", "-h"};

	for (size_t i = 0; argc > 1 && i < ARRAY_LEN(words); i++)
		if (strcmp(argv[1], words[i]) == 0)
			return true;
	return argc < 2;
}

/* argv[0] is "tk".  A plugin goes before what is built in, and every error is 1, as for tk. */
static int
dispatch_tk(int argc, char **argv, const char *script)
{
	bool builtin = argc > 1 && strcmp(argv[1], "super") == 0;
	int rc;

	if (builtin) {
		argv[1] = argv[0];
		argc--, argv++;
	} else if (!is_tk_help(argc, argv) && tk_plugin_become(argv + 1, script) < 0) {
		return EX_FAILED;
	}
	if (argc > 1 && *argv[1] == '\0')
		argc = 1;
	rc = dispatch(argc, argv);
	return rc == EX_USAGE ? EX_FAILED : rc;
}

/* Called as tk or ticket, by a link? */
static bool
is_tk(const char *argv0)
{
	const char *name = basename(argv0);

	return strcmp(name, "tk") == 0 || strcmp(name, "ticket") == 0;
}

/* A program that is started by a descriptor (base/process/program.h) has the descriptor's path
 * as its name; ps and tmux are to show "ralph". */
static void
take_own_name(char *argv0)
{
	static const char place[] = "/proc/", name[] = "ralph";

	if (argv0 == NULL || strncmp(argv0, place, sizeof(place) - 1) != 0)
		return;
	memset(argv0, 0, strlen(argv0));
	memcpy(argv0, name, sizeof(name)); /* no longer than the place */
	(void)prctl(PR_SET_NAME, name);
}

/* The records of trust are in the state home; every run of git minds them. */
static void
set_trust(void)
{
	const char *home = home_locate();
	AUTO_FREE char *dir = home == NULL ? NULL : xasprintf("%s/trust", home);

	trust_home(dir);
}

int
cmd_main(int argc, char **argv)
{
	(void)signal(SIGPIPE, SIG_IGN);
	(void)signal(SIGXFSZ, SIG_IGN);
	fs_fault_init();
	if (argc > 1 && strcmp(argv[1], KEEPER_ARG) == 0)
		return keeper_main(argc, argv);
	take_own_name(argc > 0 ? argv[0] : NULL);
	fs_fault_role(FS_OTHER);
	if (argc > 0 && is_tk(argv[0])) {
		const char *script = argv[0];
		char tk[] = "tk";

		argv[0] = tk;
		return dispatch_tk(argc, argv, script);
	}
	log_set_name(argv[0]);
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
	set_trust();
	if (strcmp(argv[1], "tk") == 0 && cmd_commands() == ralph_commands)
		return dispatch_tk(argc - 1, argv + 1, NULL);
	return dispatch(argc - 1, argv + 1);
}
