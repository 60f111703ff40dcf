/*
 * settings.h - from a command line to the settings of a loop: the options that several kinds
 * of loop have, what may not be, and what was left open.
 *
 * For every command that makes a loop.  Each has a struct of its own with the members
 * `settings`, `env_files`, `detach`, `json` and `quiet`, which is OPTIONS of the rows
 * (base/opts.h), and lists its rows in the order of its help.  What an option says is stored in
 * the settings themselves; operands.given tells what was said.
 *
 * Checks are -1 + a sentence; which exit code that is worth is the command's affair.
 */
#ifndef LOOPS_SETTINGS_H
#define LOOPS_SETTINGS_H

#include "base/err.h"
#include "base/opts.h"
#include "loop/settings.h"

#define MANY_ITERATIONS 50

/* ---- rows ------------------------------------------------------------------------------ */

#define ROW_NAME(usual)                         \
	ROW_TEXT("name", settings.name, "NAME", \
	    "the loop's name for status, pause, attach and the rest", .dflt = (usual))
#define ROW_MAX_RUNTIME                                           \
	ROW_SPAN("max-runtime", settings.max_runtime, "DURATION", \
	    "end the whole loop after so long", .dflt = "off")
#define ROW_ITERATION_TIMEOUT                                                 \
	ROW_SPAN("iteration-timeout", settings.iteration_timeout, "DURATION", \
	    "end an agent that runs longer than this; counts as a failure", .dflt = "off")
#define ROW_GRACE(who)                                \
	ROW_SPAN("grace", settings.grace, "DURATION", \
	    "how long " who " has between SIGTERM and SIGKILL", .usual = "10s")
#define ROW_PROMPT_VIA(usual)                              \
	ROW_TEXT("prompt-via", settings.prompt_via, "HOW", \
	    "how the agent gets the prompt: stdin, paste, arg or flag:NAME", .dflt = (usual))
#define ROW_CWD(usual) \
	ROW_TEXT("cwd", settings.cwd, "DIR", "where the agent works", .dflt = (usual))
#define ROW_ON_ALERT                                   \
	ROW_TEXT("on-alert", settings.on_alert, "CMD", \
	    "shell command to run for every alert, with the event as JSON on stdin")
#define ROW_PROMPT_TIMEOUT(usual_or_dflt)                               \
	ROW_SPAN("prompt-timeout", settings.prompt_timeout, "DURATION", \
	    "how long the prompt command may take", .usual_or_dflt = "2m")
#define ROWS_KEEP                                                                              \
	ROW_COUNT("keep-sessions", settings.keep_sessions, "N",                                \
	    "how many sessions (what agents were told and wrote) stay on disk; the oldest go " \
	    "first, the last two never",                                                       \
	    .flags = OPT_UNLIMITED, .usual = USUAL_keep_sessions),                             \
	    ROW_SIZE("keep-bytes", settings.keep_bytes, "SIZE",                                \
		"keep at most so much of all sessions together", .flags = OPT_UNLIMITED,       \
		.usual = USUAL_keep_bytes),                                                    \
	    ROW_COUNT("keep-days", settings.keep_days, "N",                                    \
		"remove sessions that are older than so many days", .flags = OPT_UNLIMITED,    \
		.usual = USUAL_keep_days),                                                     \
	    ROW_SIZE("keep-free", settings.keep_free, "SIZE",                                  \
		"remove old sessions when less than this is free on the disk of the state "    \
		"home; 0: never",                                                              \
		.flags = OPT_ZERO, .usual = USUAL_keep_free),                                  \
	    ROW_SIZE("keep-output", settings.keep_output, "SIZE",                              \
		"how much of what one agent writes stays: its beginning and its end; "         \
		"64KiB at least",                                                              \
		.usual = USUAL_keep_output)
/* Environment: see loops/environment.h. */
#define ROWS_ENVIRONMENT                                                                      \
	ROW_LIST("env", settings.env, "K[=V]",                                                \
	    "an environment variable for the agent; K alone has the value that it has here, " \
	    "and no command line shows it; may be repeated",                                  \
	    .flags = OPT_SECRET),                                                             \
	    ROW_LIST("env-file", env_files, "FILE",                                           \
		"read variables for the agent from a file, one K=V a line, before those of "  \
		"--env; all values are kept for 'ralph resume' in files that nobody else "    \
		"may read")
#define ROWS_OUTPUT(background)                                   \
	ROW_FLAG("detach", detach, background),                   \
	    ROW_FLAG("json", json, "print events as JSON lines"), \
	    ROW_FLAG("quiet", quiet, "print only alerts and the end")

/* The rows of a loop over a prompt file. */
#define ROWS_PROMPT(name_usual)                                                                \
	ROW_TEXT("prompt-file", settings.prompt_file, "FILE",                                  \
	    "the prompt; read anew for every iteration"),                                      \
	    ROW_COUNT("max-iterations", settings.max_iterations, "N",                          \
		"how many agents to start at most; \"unlimited\" to spell it out",             \
		.flags = OPT_UNLIMITED),                                                       \
	    ROW_NAME(name_usual),                                                              \
	    ROW_TEXT("done-pattern", settings.done_pattern, "REGEX",                           \
		"stop when what the agent writes matches (Python regex syntax)"),              \
	    ROW_SPAN("inactivity-timeout", settings.inactivity_timeout, "S",                   \
		"restart an agent whose screen has not changed for so long",                   \
		.dflt = "60s with a terminal, off with pipes"),                                \
	    ROW_SPAN("stall-timeout", settings.stall_timeout, "DURATION",                      \
		"restart an agent that only blinks: spinner and clock move, nothing else",     \
		.dflt = "off"),                                                                \
	    ROW_ITERATION_TIMEOUT, ROW_MAX_RUNTIME,                                            \
	    ROW_COUNT("max-failures", settings.max_failures, "N",                              \
		"stop after so many failures in a row", .flags = OPT_UNLIMITED, .usual = "5"), \
	    ROW_SPAN("delay", settings.delay, "S", "pause between iterations",                 \
		.flags = OPT_ZERO, .dflt = "0"),                                               \
	    ROW_GRACE("an agent"), ROW_PROMPT_VIA("stdin; paste for interactive claude"),      \
	    ROW_CWD("the current directory"), ROW_ON_ALERT

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
