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
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>

/* The commands in the order of the help; cmd_NAME is the row of X(NAME). */
#define RALPH_COMMANDS(X)     \
	X(run)                \
	X(loop)               \
	X(loop_init)          \
	X(loop_status)        \
	X(loop_reset)         \
	X(loop_lessons)       \
	X(todo)               \
	X(todo_init)          \
	X(ls)                 \
	X(status)             \
	X(logs)               \
	X(attach)             \
	X(send)               \
	X(peek)               \
	X(interrupt)          \
	X(eof)                \
	X(pause)              \
	X(resume)             \
	X(repair)             \
	X(stop)               \
	X(wait)               \
	X(nudge)              \
	X(trust)              \
	X(spawn)              \
	X(kill)               \
	X(clean)              \
	X(respawn)            \
	X(heartbeat)          \
	X(graph)              \
	X(graph_init)         \
	X(graph_run)          \
	X(graph_prompt)       \
	X(graph_complete)     \
	X(graph_reset)        \
	X(graph_status)       \
	X(graph_refresh)      \
	X(graph_validate)     \
	X(graph_worktree)     \
	X(graph_audit)        \
	X(tk)                 \
	X(tk_ready)           \
	X(tk_blocked)         \
	X(tk_closed)          \
	X(tk_ls)              \
	X(tk_list)            \
	X(tk_query)           \
	X(tk_show)            \
	X(tk_create)          \
	X(tk_edit)            \
	X(tk_start)           \
	X(tk_close)           \
	X(tk_reopen)          \
	X(tk_status)          \
	X(tk_dep)             \
	X(tk_undep)           \
	X(tk_link)            \
	X(tk_unlink)          \
	X(tk_add_note)        \
	X(tk_help)            \
	X(tk_super)           \
	X(desktop)            \
	X(desktop_check)      \
	X(desktop_screenshot) \
	X(desktop_windows)    \
	X(desktop_focus)      \
	X(desktop_click)      \
	X(desktop_type)       \
	X(done)               \
	X(stuck)              \
	X(blocked)            \
	X(progress)           \
	X(export)             \
	X(completion)         \
	X(help_entry)         \
	X(man)                \
	X(view)

#define SWARM_COMMANDS(X)       \
	X(spawn)                \
	X(swarm_ls)             \
	X(swarm_status)         \
	X(swarm_logs)           \
	X(peek)                 \
	X(swarm_attach)         \
	X(swarm_send)           \
	X(interrupt)            \
	X(eof)                  \
	X(swarm_wait)           \
	X(kill)                 \
	X(respawn)              \
	X(clean)                \
	X(heartbeat)            \
	X(swarm_init)           \
	X(swarm_ralph)          \
	X(swarm_ralph_init)     \
	X(swarm_ralph_template) \
	X(swarm_ralph_status)   \
	X(swarm_ralph_list)     \
	X(swarm_ralph_ls)       \
	X(swarm_ralph_logs)     \
	X(swarm_ralph_spawn)    \
	X(swarm_ralph_pause)    \
	X(swarm_ralph_resume)   \
	X(swarm_ralph_run)      \
	X(swarm_ralph_stop)     \
	X(swarm_ralph_clean)    \
	X(help_entry)

#ifdef RALPH_TEST_KIND
#define TEST_COMMANDS(X) X(three)
#else
#define TEST_COMMANDS(X)
#endif

#define X(name) extern const struct cmd cmd_##name;
RALPH_COMMANDS(X)
SWARM_COMMANDS(X)
TEST_COMMANDS(X)
#undef X

#define X(name) &cmd_##name,
const struct cmd *const ralph_commands[] = {RALPH_COMMANDS(X) TEST_COMMANDS(X) NULL};
const struct cmd *const swarm_commands[] = {SWARM_COMMANDS(X) NULL};
#undef X

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

/* Appends what is wrong with the number of operands; false: nothing is. */
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

bool
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

struct opt *
cmd_options(const struct cmd *cmd, size_t *n)
{
	struct opt *opts = xcalloc(SETTINGS_COUNT + cmd->nopts + 1, sizeof(*opts));

	*n = 0;
	for (size_t i = 0; i < SETTINGS_COUNT; i++) {
		opts[*n] = settings_option(&settings_table[i], cmd->of);
		opts[*n].offset += cmd->settings;
		*n += opts[*n].name != NULL;
	}
	for (size_t i = 0; i < cmd->nopts; i++)
		opts[(*n)++] = cmd->opts[i];
	return opts;
}

bool
cmd_given(const struct cmd_args *args, const char *option)
{
	return opts_given(args->rows, args->nrows, &args->operands, option);
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
on_interrupt(int signo UNUSED)
{
	_exit(EX_OK);
}

void
cmd_leave_by_interrupt(void)
{
	(void)signal(SIGINT, on_interrupt);
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

/* Runs the command, and says what it failed with. */
static int
cmd_run_row(struct cmd_args *args)
{
	struct err err = ERR_INIT;
	int rc;

	args->err = &err;
	rc = args->cmd->run(args);
	if (rc < 0 && err.text[0] != '\0')
		error("%s", err.text);
	return rc < 0 ? -rc : rc;
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
	return cmd_run_row(args);
}

static int
cmd_call(const struct cmd *cmd, int argc, char **argv)
{
	size_t n;
	AUTO_FREE struct opt *rows = cmd_options(cmd, &n);
	AUTO_FREE void *opts = xcalloc(1, cmd->size > 0 ? cmd->size : 1);
	struct cmd_args args = {
	    .opts = opts, .rows = rows, .nrows = n, .argc = argc, .argv = argv, .cmd = cmd};
	AUTO_BUF wrong = BUF_INIT;
	struct err err = ERR_INIT;
	int rc;

	if (cmd->init != NULL)
		cmd->init(opts);
	rc = opts_parse(rows, n, argc, argv,
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
		rc = cmd_run_row(&args);
	}
	if (cmd->release != NULL)
		cmd->release(opts);
	opts_release(rows, n, opts);
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

/* Without a command, or with an empty one, tk explains itself, and no plugin stands in for
 * that. */
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

/* Tells where the records of trust are: in the state home.  Every run of git minds them. */
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
	if (strcmp(argv[1], "--version") == 0)
		return cmd_say("%s %s", log_name(), RALPH_VERSION);
	set_trust();
	if (strcmp(argv[1], "tk") == 0 && cmd_commands() == ralph_commands)
		return dispatch_tk(argc - 1, argv + 1, NULL);
	return dispatch(argc - 1, argv + 1);
}
