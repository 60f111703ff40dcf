/*
 * cmd.h - a command is a row: its words, its options, what it teaches, what it does.
 *
 * One file per command holds its option table and a few lines that call down.  cmd.c
 * finds the row, parses the options into a zeroed struct of `size` bytes, and runs it.
 * Help, completion and the manual's option lists are made from the same rows.
 */
#ifndef CMD_CMD_H
#define CMD_CMD_H

#include "base/json.h"
#include "base/opts.h"
#include "cmd/chosen.h"
#include "loop/verdict.h"
#include "loops/loop_view.h"
#include "loops/settings.h"

struct cmd_args {
	void *opts;		/* the filled struct of the command */
	const struct opt *rows; /* see cmd_options; operands.given is of them */
	size_t nrows;
	struct operands operands;
	int argc; /* the words that were parsed */
	char **argv;
	const struct cmd *cmd;
	struct err *err; /* for `run` */
};

struct cmd {
	const char *name;     /* "run"; two words for a part of a group: "ralph pause" */
	const char *usage;    /* the words behind the name */
	const char *summary;  /* one line, no full stop */
	const char *about;    /* paragraphs; NULL for none */
	const char *examples; /* lines; shown first */
	void (*more)(struct buf *out); /* appends more to the command's help; may be NULL */
	const struct opt *opts;	       /* see cmd_options */
	size_t nopts;
	size_t size; /* of the struct the options are stored in */
	/* For a command that makes loops: which settings are options of it, too, and where in
	 * the struct they are stored. */
	enum settings_of of;
	size_t settings;
	size_t min_args, max_args;
	const char
	    *operand; /* the kind of operands, for completion: "loop", "file", ... or NULL */
	enum chosen_for chosen; /* which loop is meant when NAME is left out */
	bool takes_command;	/* something must follow "--" */
	bool checks_command;	/* `run` itself complains when no command follows */
	bool dashes;		/* an operand is a text, which may begin with a dash */
	bool words;		/* the operands are words of a text; --help may be one */
	bool surplus;		/* operands beyond max_args are ignored, and that is said */
	bool only_shows;	/* touches no project, whose bounds do not matter then */
	bool hidden;
	/* Sets defaults before parsing; may be NULL. */
	void (*init)(void *opts);
	/* Returns the exit code; or the negated one (-1 is -EX_FAILED), with a sentence in
	 * args->err that is still to be said.  An empty sentence was said already. */
	int (*run)(const struct cmd_args *args);
	/* For a `run` that opens the loop that is named: what it needs of it
	 * (loops/loop_view.h), and what it does with it, as `run` would. */
	enum view_need need;
	int (*on_loop)(const struct cmd_args *args, const struct loop_view *v);
	void (*release)(void *opts); /* beyond opts_release; may be NULL */
};

/* The members of a command whose options are these rows, in a file that defines OPTIONS
 * (base/opts.h). */
#define CMD_OPTIONS(rows) .opts = (rows), .nopts = ARRAY_LEN(rows), .size = sizeof(OPTIONS)
/* The members of a command that makes loops, whose OPTIONS have a member `settings`. */
#define CMD_SETTINGS(of_) .of = (of_), .settings = offsetof(OPTIONS, settings)

/* The members of a command whose only operand is the NAME of a loop.  CMD_NAME_OR: the NAME may
 * be left out; the value says what for (chosen.h). */
#define CMD_NAME .min_args = 1, .max_args = 1, .operand = "loop"
#define CMD_NAME_OR(chosen_) CMD_NAME, .chosen = (chosen_)

/* NULL-terminated, in the order of the help: what this program is called decides which. */
extern const struct cmd *const ralph_commands[];
extern const struct cmd *const swarm_commands[];
const struct cmd *const *cmd_commands(void);
/* The command that argv (NULL-terminated) begins with, and how many words its name has. */
const struct cmd *cmd_find(char *const *argv, int *words);

/* Are there commands whose first word is this one's name? */
bool cmd_is_group(const struct cmd *cmd);
/* All options of the command: those of its settings, then its own.  The caller frees them. */
struct opt *cmd_options(const struct cmd *cmd, size_t *n) NODISCARD;
/* Was the option given? */
bool cmd_given(const struct cmd_args *args, const char *option);
/* Says that the command ignores an operand, which tk does in silence. */
void cmd_say_ignored(const struct cmd *cmd, const char *word);

/* Call in a command that the user leaves with Ctrl-C: SIGINT is no failure then. */
void cmd_leave_by_interrupt(void);

/* main's work: argv[0] is the program. */
int cmd_main(int argc, char **argv);

/* help.c */
void cmd_help_overview(struct buf *out);
void cmd_help(const struct cmd *cmd, struct buf *out);
/* Print to stdout; all three exit with 1 when that fails.  The last two return EX_OK, so that
 * `return cmd_say(...)` composes. */
void cmd_print(const struct buf *out);
int cmd_say(const char *fmt, ...) PRINTF(1, 2); /* a line */
int cmd_print_json(json_t *v);			/* takes the reference */

#endif
