/*
 * settings.h - from a command line to the settings of a loop: what may not be, and what was
 * left open.
 *
 * For every command that makes a loop (run, spawn).  Checks are -1 + a sentence; which exit
 * code that is worth is the command's affair.
 */
#ifndef CMD_SETTINGS_H
#define CMD_SETTINGS_H

#include "base/err.h"
#include "loop/settings.h"

#define MANY_ITERATIONS 50

/* Before the options are parsed. */
void settings_defaults(struct settings *s);
/* Of those, how much of its sessions stays on disk. */
void settings_defaults_keep(struct settings *s);
void settings_copy_keep(struct settings *to, const struct settings *from);

int settings_check_name(const char *name, struct err *err) NODISCARD;
int settings_check_env(char *const *env, struct err *err) NODISCARD;
/* The options that a pattern or a way to give the prompt stands in. */
int settings_check_patterns(const struct settings *s, struct err *err) NODISCARD;
int settings_check_prompt_via(const char *via, struct err *err) NODISCARD;
/* Of complete settings: the directory is there, and the command in it or in PATH. */
int settings_check_place(const struct settings *s, struct err *err) NODISCARD;

/* A claude that talks to a person, not to a pipe? */
bool settings_is_interactive_claude(char *const *command);
/* Copies the command and makes the directory absolute.  With the mode known, says how the
 * prompt is given and how long the screen may stand still. */
void settings_set_command(struct settings *s, char *const *command);
void settings_set_delivery(struct settings *s);
void settings_warn_many(const struct settings *s);
/* "myproject-run" for /home/me/myproject and "run"; whose that is, naming.h tells. */
char *settings_default_name(const char *cwd, const char *kind) NODISCARD;
/* An absolute path in place of what was given. */
void settings_make_absolute(char **path);

#endif
