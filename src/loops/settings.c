/*
 * settings.c - from a command line to the settings of a loop.
 */
#include "loops/settings.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/process/program.h"
#include "base/text.h"
#include "loop/loop.h"
#include "session/profile.h"
#include "watch/pattern.h"
#include <errno.h>
#include <sys/stat.h>

/* ---- the table ---------------------------------------------------------------------- */

#define SETTING_T(member) .type = OPT_TEXT
#define SETTING_L(member) .type = OPT_LIST
#define SETTING_C(member) .type = OPT_COUNT
#define SETTING_S(member) .type = OPT_SPAN
#define SETTING_B(member) .type = OPT_SIZE
#define SETTING_E(member) .type = OPT_CHOICE, .choices = CHOICES_##member
#define SETTING_F(member) .type = OPT_FLAG

/* Settings of few commands come first. */
const struct setting settings_table[SETTINGS_COUNT] = {
#define X(type, member, ...)                                                  \
	{SETTING_##type(member), .offset = offsetof(struct settings, member), \
	    .help = __VA_ARGS__},
    LEAD_SETTINGS(X) TICKET_SETTINGS(X) ITERATION_SETTINGS(X) SOURCE_SETTINGS(X)
	AGENT_SETTINGS(X) KEEP_SETTINGS(X)
#undef X
};

static void
settings_replace(const char **text, const char *with)
{
	if (with != NULL)
		*text = with;
}

struct opt
settings_option(const struct setting *row, enum settings_of of)
{
	static const char *const args[] = {[OPT_COUNT] = "N",
	    [OPT_SPAN] = "DURATION",
	    [OPT_SIZE] = "SIZE",
	    [OPT_CHOICE] = "WORD"};
	struct opt o = {.name = row->of & of ? row->name : NULL,
	    .type = row->type,
	    .flags = row->flags,
	    .offset = row->offset,
	    .arg = row->arg != NULL	  ? row->arg
		   : row->choices != NULL ? row->choices
					  : args[row->type],
	    .choices = row->choices,
	    .max = row->max,
	    .dflt = row->dflt,
	    .usual = row->usual,
	    .help = row->help};

	for (size_t i = 0; i < ARRAY_LEN(row->but); i++) {
		if ((row->but[i].of & of) == 0)
			continue;
		settings_replace(&o.name, row->but[i].name);
		settings_replace(&o.arg, row->but[i].arg);
		settings_replace(&o.dflt, row->but[i].dflt);
		settings_replace(&o.usual, row->but[i].usual);
		settings_replace(&o.help, row->but[i].help);
	}
	return o;
}

/* ---- checks ------------------------------------------------------------------------ */

int
settings_check_name(const char *name, struct err *err)
{
	AUTO_BUF shown = BUF_INIT;

	if (name_is_valid(name))
		return 0;
	text_quote(&shown, name);
	return err_set(err,
	    "%s cannot be a name (letters, digits, '.', '_' and '-', at most 64, starting with "
	    "a letter or digit)",
	    shown.data);
}

int
settings_check_env(char *const *env, struct err *err)
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
check_pattern(const char *option, const char *python, struct err *err)
{
	struct pattern *p = pattern_new(python, err);

	if (p == NULL)
		return err_prefix(err, "--%s", option);
	pattern_free(p);
	return 0;
}

int
settings_check_patterns(const struct settings *s, struct err *err)
{
	if (s->done_pattern != NULL && check_pattern("done-pattern", s->done_pattern, err) < 0)
		return -1;
	for (size_t i = 0; s->ready_patterns != NULL && s->ready_patterns[i] != NULL; i++)
		if (check_pattern("ready-pattern", s->ready_patterns[i], err) < 0)
			return -1;
	return 0;
}

int
settings_check_prompt_via(const char *via, struct err *err)
{
	if (via == NULL || strcmp(via, "stdin") == 0 || strcmp(via, "paste") == 0 ||
	    strcmp(via, "arg") == 0 || (strncmp(via, "flag:", 5) == 0 && via[5] != '\0'))
		return 0;
	return err_set(
	    err, "--prompt-via must be stdin, paste, arg or flag:NAME (got '%s')", via);
}

static int
check_executable(const char *path)
{
	struct stat st;

	if (stat(path, &st) < 0 || access(path, X_OK) < 0)
		return -1;
	if (S_ISREG(st.st_mode))
		return 0;
	errno = EACCES; /* what execve says */
	return -1;
}

/* The PATH the agent will have; NULL. */
static const char *
agent_path(char *const *env)
{
	const char *path = getenv("PATH");

	for (size_t i = 0; env != NULL && env[i] != NULL; i++)
		if (strncmp(env[i], "PATH=", 5) == 0)
			path = env[i] + 5;
	return path;
}

/* Is the command there?  Said now rather than after five failures. */
static int
check_command(const struct settings *s, struct err *err)
{
	const char *file = s->command[0];
	AUTO_STRLIST dirs = program_dirs(agent_path(s->env));

	if (strchr(file, '/') != NULL) {
		AUTO_FREE char *full =
		    file[0] == '/' ? xstrdup(file) : xasprintf("%s/%s", s->cwd, file);

		return check_executable(full) == 0 ? 0 : err_errno(err, "cannot run %s", file);
	}
	for (size_t i = 0; dirs[i] != NULL && file[0] != '\0'; i++) {
		const char *dir = dirs[i];
		AUTO_FREE char *full = dir[0] == '/' ? xasprintf("%s/%s", dir, file)
						     : xasprintf("%s/%s/%s", s->cwd, dir, file);

		if (check_executable(full) == 0)
			return 0;
	}
	return err_set(err, "command not found: %s", file);
}

int
settings_check_place(const struct settings *s, struct err *err)
{
	struct stat st;

	if (stat(s->cwd, &st) < 0)
		return err_errno(err, "--cwd %s", s->cwd);
	if (!S_ISDIR(st.st_mode))
		return err_set(err, "--cwd %s: not a directory", s->cwd);
	return check_command(s, err);
}

/* ---- what was left open --------------------------------------------------------------- */

void
settings_make_absolute(char **path)
{
	char *absolute = fs_absolute(*path);

	free(*path);
	*path = absolute;
}

char *const *
settings_usual_agent(bool asks)
{
	static char claude[] = "claude", skip[] = "--dangerously-skip-permissions";
	static char *const asking[] = {claude, NULL}, *const all[] = {claude, skip, NULL};

	return asks ? asking : all;
}

void
settings_set_command(struct settings *s, char *const *command)
{
	bool given = command != NULL && command[0] != NULL;

	s->parallel = 1;
	s->command = strlist_dup(given ? command : settings_usual_agent(false));
	if (s->cwd == NULL)
		s->cwd = xstrdup(".");
	settings_make_absolute(&s->cwd);
}

void
settings_set_delivery(struct settings *s)
{
	/* flag:NAME is short for flag:--NAME. */
	if (s->prompt_via != NULL && strncmp(s->prompt_via, "flag:", 5) == 0 &&
	    s->prompt_via[5] != '-') {
		char *full = xasprintf("flag:--%s", s->prompt_via + 5);

		free(s->prompt_via);
		s->prompt_via = full;
	}
	if (s->prompt_via == NULL)
		s->prompt_via =
		    xstrdup(s->mode == MODE_PTY && profile_use(s->command) == PROFILE_TERMINAL
				? "paste"
				: "stdin");
	if (s->inactivity_timeout == 0 && s->mode == MODE_PTY)
		s->inactivity_timeout = 60 * NSEC_PER_SEC;
}

void
settings_warn_many(const struct settings *s)
{
	if (s->max_iterations == UNLIMITED || s->max_iterations > MANY_ITERATIONS)
		warning("high iteration count (>%d) may consume significant resources",
		    MANY_ITERATIONS);
}

/* Puts '-' in the place of every character that a name may not have. */
char *
settings_default_name(const char *cwd, const char *kind)
{
	AUTO_BUF name = BUF_INIT;

	for (const char *p = basename(cwd); *p != '\0' && name.len < 48; p++) {
		bool fine = (*p >= '0' && *p <= '9') || (*p >= 'a' && *p <= 'z') ||
			    (*p >= 'A' && *p <= 'Z') ||
			    ((*p == '.' || *p == '_') && p[1] != '.');

		if (fine || name.len > 0)
			buf_addc(&name, fine ? *p : '-');
	}
	while (
	    name.len > 0 && (name.data[0] == '.' || name.data[0] == '_' || name.data[0] == '-'))
		buf_drop(&name, 1);
	buf_addf(&name, "%s%s", name.len > 0 ? "-" : "", kind);
	return buf_detach(&name);
}
