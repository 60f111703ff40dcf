/*
 * settings.h - the table of settings (loop/settings.h) as data: the options of a kind of loop,
 * the keys of config.json; and from a command line to settings: what may not be, and what was
 * left open.
 *
 * For every command that makes a loop.  Its struct of options has a member `settings`, in which
 * options and keys are stored as they are read; operands.given (base/opts.h) tells what was
 * said.  cmd_options (cmd/cmd.h) puts the options of its settings before its own rows.
 *
 * Checks are -1 + a sentence; which exit code that is worth is the command's affair.
 */
#ifndef LOOPS_SETTINGS_H
#define LOOPS_SETTINGS_H

#include "base/err.h"
#include "base/opts.h"
#include "loop/settings.h"

#define MANY_ITERATIONS 50

/* ---- the table ------------------------------------------------------------------------- */

/* The commands that make loops: whose options a setting is one of. */
enum settings_of {
	OF_RUN = 1,
	OF_SPAWN = 2, /* swarm spawn, swarm ralph spawn */
	OF_GRAPH = 4,
	OF_LOOP = 8, /* its settings alone have keys, too */
	OF_TODO = 16,
	OF_ALL = 31,
};

/* The difference between a key and an option.  A number of a key is 1 at least. */
enum settings_key_flags {
	KEY_ZERO = 1,  /* 0 will do, too */
	KEY_OFF = 2,   /* 0 will do, too, and means never */
	KEY_NOT = 4,   /* the contrary of what the key says is stored */
	KEY_BLANK = 8, /* a blank text is one, and not the same as none */
};

struct setting {
	enum opt_type type;
	size_t offset;	     /* in struct settings */
	const char *help;    /* one sentence without a full stop */
	const char *choices; /* OPT_CHOICE: "pty|pipe" */
	/* As an option (struct opt): */
	const char *name; /* NULL: it is none */
	unsigned of;	  /* the commands that have it: OF_* */
	const char *arg;  /* NULL: the usual one of its type */
	unsigned flags;
	int64_t max;
	const char *dflt, *usual;
	/* Differences for some commands; where two rows name a command, the later one counts.
	 */
	struct {
		unsigned of;
		const char *name, *arg, *dflt, *usual, *help;
	} but[3];
	/* As a key of config.json (work/tickets/keys.h); spans are milliseconds there: */
	const char *key;      /* NULL: it is none */
	const char *key_dflt; /* as JSON; NULL: not set */
	const char *key_help; /* NULL: the help of the option, or `help` */
	const char *env;      /* its environment variable; NULL: none */
	unsigned key_flags;   /* KEY_* */
};

/* The columns that every option has, and every key. */
#define OPTION(of_, name_) .of = (of_), .name = (name_)
#define KEY(key_, dflt_) .key = (key_), .key_dflt = (dflt_)

#define X(type, member, ...) +1
enum { SETTINGS_COUNT = SETTINGS(X) };
#undef X
/* In the order of the help. */
extern const struct setting settings_table[SETTINGS_COUNT];

/* The row as an option of that command, whose name is NULL where it is none. */
struct opt settings_option(const struct setting *row, enum settings_of of);

/* ---- rows of options that are no settings ------------------------------------------------ */

/* Read by environment_take (loops/environment.h). */
#define ROW_ENV_FILE                                                                       \
	ROW_LIST("env-file", env_files, "FILE",                                            \
	    "read variables for the agent from a file, one K=V a line, before those of "   \
	    "--env; all values are kept for 'ralph resume' in files that nobody else may " \
	    "read")
#define ROWS_OUTPUT(background)                                   \
	ROW_FLAG("detach", detach, background),                   \
	    ROW_FLAG("json", json, "print events as JSON lines"), \
	    ROW_FLAG("quiet", quiet, "print only alerts and the end")

/* ---- values ---------------------------------------------------------------------------- */

int settings_check_name(const char *name, struct err *err) NODISCARD;
int settings_check_env(char *const *env, struct err *err) NODISCARD;
/* Check the options that are patterns, and --prompt-via. */
int settings_check_patterns(const struct settings *s, struct err *err) NODISCARD;
int settings_check_prompt_via(const char *via, struct err *err) NODISCARD;
/* Checks complete settings: the directory is there, and the command in it or in PATH. */
int settings_check_place(const struct settings *s, struct err *err) NODISCARD;

/* The agent's command where nobody names one: claude, which asks before it does something, or
 * with the option that keeps it from asking. */
char *const *settings_usual_agent(bool asks);
/* Copies the command, the usual one (which does not ask) where it is NULL or empty, of which
 * one session runs at a time, and makes the directory absolute. */
void settings_set_command(struct settings *s, char *const *command);
/* Sets how the prompt is given and how long the screen may stand still; command and mode must
 * be known. */
void settings_set_delivery(struct settings *s);
void settings_warn_many(const struct settings *s);
/* "myproject-run" for /home/me/myproject and "run"; whose that is, naming.h tells. */
char *settings_default_name(const char *cwd, const char *kind) NODISCARD;
/* An absolute path in place of what was given. */
void settings_make_absolute(char **path);

#endif
