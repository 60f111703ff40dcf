/*
 * run.c - ralph run: work through a prompt file with any agent command.
 */
#include "cmd/cmd.h"
#include "cmd/supervisor.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/text.h"
#include "loop/settings.h"
#include "record/codec.h"
#include "source/source.h"
#include "watch/pattern.h"
#include <errno.h>
#include <sys/stat.h>

#define MANY_ITERATIONS 50

struct run_options {
	struct settings settings;
	bool pty, pipe;
	bool detach, json, quiet;
};

#define TYPE_T OPT_TEXT
#define TYPE_L OPT_LIST
#define TYPE_C OPT_COUNT
#define TYPE_S OPT_SPAN
#define ROW(type_, field, opt, arg_, choices_, flags_, dflt_, help_) \
	{.name = (opt),                                              \
	    .type = TYPE_##type_,                                    \
	    .flags = (flags_),                                       \
	    .offset = offsetof(struct run_options, settings.field),  \
	    .arg = (arg_),                                           \
	    .min = 1,                                                \
	    .dflt = (dflt_),                                         \
	    .help = (help_)},
#define FLAG(name_, field, help_)                                              \
	{                                                                      \
		.name = (name_), .type = OPT_FLAG,                             \
		.offset = offsetof(struct run_options, field), .help = (help_) \
	}

static const struct opt run_opts[] = {
    RUN_SETTINGS(ROW)
	FLAG("pty", pty, "give the agent a terminal (default for interactive claude)"),
    FLAG("pipe", pipe, "connect the agent by pipes (default for everything else)"),
    FLAG("detach", detach, "run in the background"),
    FLAG("json", json, "print events as JSON lines"),
    FLAG("quiet", quiet, "print only alerts and the end"),
};

static void
run_init(void *opts)
{
	struct run_options *o = opts;

	o->settings.max_failures = 5;
	o->settings.grace = 10 * NSEC_PER_SEC;
	o->settings.parallel = 1;
}

/* ---- checks ------------------------------------------------------------------------ */

static bool
is_interactive_claude(char *const *command)
{
	const char *base = strrchr(command[0], '/');

	if (strcmp(base == NULL ? command[0] : base + 1, "claude") != 0)
		return false;
	for (size_t i = 1; command[i] != NULL; i++)
		if (strcmp(command[i], "-p") == 0 || strcmp(command[i], "--print") == 0)
			return false;
	return true;
}

static bool
prompt_via_is_valid(const char *via)
{
	if (strcmp(via, "stdin") == 0 || strcmp(via, "paste") == 0 || strcmp(via, "arg") == 0)
		return true;
	return strncmp(via, "flag:", 5) == 0 && via[5] != '\0';
}

/* "myproject-run" from the directory; whatever a name may not have becomes '-'. */
static char *
default_name(const char *cwd)
{
	const char *base = strrchr(cwd, '/');
	AUTO_BUF name = BUF_INIT;

	for (const char *p = base == NULL ? cwd : base + 1; *p != '\0' && name.len < 48; p++) {
		bool fine = (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') ||
			    (*p >= 'A' && *p <= 'Z') ||
			    ((*p == '.' || *p == '_') && p[1] != '.');

		if (fine || name.len > 0)
			buf_addc(&name, fine ? *p : '-');
	}
	while (
	    name.len > 0 && (name.data[0] == '.' || name.data[0] == '_' || name.data[0] == '-'))
		buf_drop(&name, 1);
	buf_adds(&name, name.len > 0 ? "-run" : "run");
	return buf_detach(&name);
}

static int
check_env(char *const *env, struct err *err)
{
	for (size_t i = 0; env != NULL && env[i] != NULL; i++) {
		const char *eq = strchr(env[i], '=');

		if (eq == NULL || eq == env[i])
			return err_set(
			    err, "invalid env format '%s' (expected KEY=VAL)", env[i]);
	}
	return 0;
}

static int
check_pattern(const char *python, struct err *err)
{
	struct pattern *p;

	if (python == NULL)
		return 0;
	p = pattern_new(python, err);
	if (p == NULL)
		return err_prefix(err, "--done-pattern");
	pattern_free(p);
	return 0;
}

/* What is wrong with the command line itself. */
static int
check_usage(const struct run_options *o, struct err *err)
{
	const struct settings *s = &o->settings;

	if (o->pty && o->pipe)
		return err_set(err, "--pty and --pipe exclude each other");
	if (s->prompt_file == NULL)
		return err_set(err, "--prompt-file is required");
	if (s->max_iterations == 0)
		return err_set(err, "--max-iterations is required (\"unlimited\" spells out "
				    "that there is no limit)");
	if (s->name != NULL && !name_is_valid(s->name)) {
		AUTO_BUF shown = BUF_INIT;

		text_quote(&shown, s->name);
		return err_set(err,
		    "%s cannot be a name (letters, digits, '.', '_' and '-', at most 64, "
		    "starting with a letter or digit)",
		    shown.data);
	}
	if (s->prompt_via != NULL && !prompt_via_is_valid(s->prompt_via))
		return err_set(err,
		    "--prompt-via must be stdin, paste, arg or flag:NAME (got '%s')",
		    s->prompt_via);
	if (s->prompt_via != NULL && strcmp(s->prompt_via, "paste") == 0 && o->pipe)
		return err_set(err, "--prompt-via paste needs a terminal (--pty)");
	if (check_env(s->env, err) < 0)
		return -1;
	return check_pattern(s->done_pattern, err);
}

/* Is the command there?  Said now rather than after five failures. */
static int
check_command(const char *file, const char *cwd, struct err *err)
{
	const char *path = getenv("PATH");
	AUTO_FREE char *dirs = xstrdup(path == NULL ? "/usr/bin:/bin" : path);
	char *rest = dirs;

	if (strchr(file, '/') != NULL) {
		AUTO_FREE char *full =
		    file[0] == '/' ? xstrdup(file) : xasprintf("%s/%s", cwd, file);

		return access(full, X_OK) == 0 ? 0 : err_errno(err, "cannot run %s", file);
	}
	for (char *dir = strsep(&rest, ":"); dir != NULL; dir = strsep(&rest, ":")) {
		AUTO_FREE char *full = xasprintf("%s/%s", dir[0] == '\0' ? "." : dir, file);
		struct stat st;

		if (stat(full, &st) == 0 && S_ISREG(st.st_mode) && access(full, X_OK) == 0)
			return 0;
	}
	return err_set(err, "command not found: %s", file);
}

static int
check_world(const struct settings *s, struct err *err)
{
	AUTO_BUF prompt = BUF_INIT;
	struct stat st;

	if (prompt_read(s->prompt_file, &prompt, err) < 0)
		return -1;
	if (stat(s->cwd, &st) < 0)
		return err_errno(err, "--cwd %s", s->cwd);
	if (!S_ISDIR(st.st_mode))
		return err_set(err, "--cwd %s: not a directory", s->cwd);
	return check_command(s->command[0], s->cwd, err);
}

/* ---- what was left open --------------------------------------------------------------- */

static void
complete(struct run_options *o, char *const *command)
{
	struct settings *s = &o->settings;
	bool claude = is_interactive_claude(command);
	bool paste = s->prompt_via != NULL && strcmp(s->prompt_via, "paste") == 0;
	AUTO_FREE char *cwd = fs_absolute(s->cwd == NULL ? "." : s->cwd);

	free(s->cwd);
	s->cwd = take_ptr(cwd);
	s->source = xstrdup("prompt");
	s->command = strlist_dup(command);
	s->mode = o->pty || (!o->pipe && (claude || paste)) ? MODE_PTY : MODE_PIPE;
	/* flag:NAME is short for flag:--NAME. */
	if (s->prompt_via != NULL && strncmp(s->prompt_via, "flag:", 5) == 0 &&
	    s->prompt_via[5] != '-') {
		char *full = xasprintf("flag:--%s", s->prompt_via + 5);

		free(s->prompt_via);
		s->prompt_via = full;
	}
	if (s->prompt_via == NULL)
		s->prompt_via = xstrdup(claude && s->mode == MODE_PTY ? "paste" : "stdin");
	if (s->inactivity_timeout == 0 && s->mode == MODE_PTY)
		s->inactivity_timeout = 60 * NSEC_PER_SEC;
	if (s->name == NULL)
		s->name = default_name(s->cwd);
}

static int
run(const struct cmd_args *args)
{
	struct run_options *o = args->opts;
	struct settings *s = &o->settings;
	struct err err = ERR_INIT;
	char *absolute;

	if (check_usage(o, &err) < 0) {
		error("%s", err.text);
		return EX_USAGE;
	}
	complete(o, args->operands.command);
	if (check_world(s, &err) < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	if (s->max_iterations == UNLIMITED || s->max_iterations > MANY_ITERATIONS)
		warning("high iteration count (>%d) may consume significant resources",
		    MANY_ITERATIONS);
	absolute = fs_absolute(s->prompt_file);
	free(s->prompt_file);
	s->prompt_file = absolute;
	return supervisor_main(&(struct supervisor_spec){
	    .name = s->name,
	    .settings = s,
	    .json = o->json,
	    .quiet = o->quiet,
	    .detach = o->detach,
	});
}

static void
run_release(void *opts)
{
	struct run_options *o = opts;

	/* The option table frees what came from the command line. */
	free(o->settings.source);
	strlist_free(o->settings.command);
}

const struct cmd cmd_run = {
    .name = "run",
    .usage = "--prompt-file FILE --max-iterations N [options] -- CMD [ARG...]",
    .summary = "Work through a prompt file, one fresh agent after the other",
    .about = "Reads FILE, starts CMD with it, waits until it ends, decides how it went, and "
	     "starts the next "
	     "one with a fresh context: until the done pattern matches, the iterations are "
	     "used up, or too many "
	     "fail in a row. Everything is written down; after a crash or a reboot, 'ralph "
	     "resume' goes on.\n\n"
	     "Ctrl-C ends the agent and stops. SIGTERM lets the agent finish, then leaves the "
	     "loop paused; a "
	     "second one ends the agent.",
    .examples = "  ralph run --prompt-file PROMPT.md --max-iterations 20 -- claude -p "
		"--dangerously-skip-permissions\n"
		"  ralph run --prompt-file PROMPT.md --max-iterations 20 --done-pattern 'All "
		"tasks complete' -- claude\n"
		"  ralph run --prompt-file plan.md --max-iterations unlimited "
		"--iteration-timeout 30m --detach -- ./agent.sh\n",
    .opts = run_opts,
    .nopts = ARRAY_LEN(run_opts),
    .size = sizeof(struct run_options),
    .operand = "command",
    .takes_command = true,
    .init = run_init,
    .run = run,
    .release = run_release,
};
