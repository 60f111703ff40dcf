/*
 * opts.h - options are data: one table parses, explains and completes.
 *
 * A row says where in the caller's struct its value goes.  From the same rows
 * come parsing, --help, "did you mean", the shell completions and the option
 * part of the man pages.
 *
 * Grammar: --name VALUE, --name=VALUE, -x VALUE; unambiguous prefixes of long
 * names are accepted; a flag may be negated as --no-name when OPT_NEGATABLE;
 * operands and options may be mixed; "--" ends the options, and what follows
 * it is kept apart (a command to run).
 *
 * Counts, spans and sizes refuse zero and negative numbers unless OPT_ZERO; "unlimited"
 * is accepted where OPT_UNLIMITED and stored as -1.
 */
#ifndef BASE_OPTS_H
#define BASE_OPTS_H

#include "base/buf.h"
#include "base/err.h"

enum opt_type {
	OPT_FLAG,   /* bool */
	OPT_TEXT,   /* char *, owned by the struct (heap) */
	OPT_LIST,   /* char **, one entry per use, heap, NULL-terminated */
	OPT_COUNT,  /* int64_t */
	OPT_SPAN,   /* int64_t, ns; a bare number is seconds */
	OPT_SIZE,   /* int64_t, bytes (base/size.h) */
	OPT_CHOICE, /* int: index into `choices` ("pty|pipe") */
};

enum opt_flags {
	OPT_UNLIMITED = 1,
	OPT_ZERO = 2,
	OPT_REQUIRED = 4,
	OPT_HIDDEN = 8,
	OPT_NEGATABLE = 16,
	OPT_SETS = 32,	 /* a flag that stores `min` into an int (for --pty / --pipe) */
	OPT_SECRET = 64, /* of a K=V in a list: V is stars in argv once it is stored */
};

struct opt {
	const char *name;
	char letter; /* 0 for none */
	enum opt_type type;
	unsigned flags;
	size_t offset;	     /* in the target struct */
	const char *arg;     /* "FILE", "N", "DURATION"; NULL for flags */
	const char *choices; /* OPT_CHOICE */
	int64_t min, max;    /* OPT_COUNT; max 0: none */
	const char *dflt;    /* shown in the help; whoever asks sets the value itself */
	const char *usual;   /* shown the same way, and stored before the options are */
	const char *help;    /* one sentence without a full stop */
};

/*
 * A row of a table: name, member, what its value is called (and its choices), help; then
 * whatever else it has, as in `.letter = 'n', .dflt = "20"`.  A file with such rows defines
 * OPTIONS, the struct that its options are stored in.
 */
#define ROW_FLAG(name_, member, ...) ROW_OF(OPT_FLAG, name_, member, NULL, NULL, __VA_ARGS__)
#define ROW_TEXT(name_, member, arg_, ...) \
	ROW_OF(OPT_TEXT, name_, member, arg_, NULL, __VA_ARGS__)
#define ROW_LIST(name_, member, arg_, ...) \
	ROW_OF(OPT_LIST, name_, member, arg_, NULL, __VA_ARGS__)
#define ROW_COUNT(name_, member, arg_, ...) \
	ROW_OF(OPT_COUNT, name_, member, arg_, NULL, __VA_ARGS__)
#define ROW_SPAN(name_, member, arg_, ...) \
	ROW_OF(OPT_SPAN, name_, member, arg_, NULL, __VA_ARGS__)
#define ROW_CHOICE(name_, member, arg_, choices_, ...) \
	ROW_OF(OPT_CHOICE, name_, member, arg_, choices_, __VA_ARGS__)
#define ROW_OF(type_, name_, member, arg_, choices_, ...)                              \
	{                                                                              \
		.name = (name_), .type = (type_), .offset = offsetof(OPTIONS, member), \
		.arg = (arg_), .choices = (choices_), .help = __VA_ARGS__              \
	}

struct operands {
	char **args; /* operands before "--", NULL-terminated, pointing into argv */
	size_t nargs;
	char **command; /* the words behind "--"; NULL when there was no "--" */
	bool *given;	/* for each row of the table: whether the option was there */
};

/* How far operands may be a text of people. */
enum opts_text {
	OPTS_PLAIN,
	OPTS_DASHES, /* a word that begins with a dash and is no option is an operand, too */
	OPTS_WORDS,  /* as OPTS_DASHES; behind the first operand also --help, -h and "--" */
};

/*
 * Parses argv[0..argc) (without program and command names).  Returns 0; -1 with
 * a sentence; 1 when --help or -h was met first.  Whatever it returns, operands_release
 * frees the operands.
 */
int opts_parse(const struct opt *opts, size_t nopts, int argc, char **argv, enum opts_text text,
    void *target, struct operands *operands, struct err *err) NODISCARD;
void operands_release(struct operands *operands);
/* Was the option of that name given? */
bool opts_given(
    const struct opt *opts, size_t nopts, const struct operands *operands, const char *name);
/* Moves the options that were given from the struct `from`, which they were parsed into, over
 * the values that `to` has from elsewhere.  A list in `to` grows by the values in `from`. */
void opts_overlay(const struct opt *opts, size_t nopts, const struct operands *operands,
    void *from, void *to);
/* Frees what opts_parse put into the struct. */
void opts_release(const struct opt *opts, size_t nopts, void *target);

/* The "Options:" part of a help text with its heading and a row for --help,
 * aligned, wrapped at 80 columns. */
void opts_help(const struct opt *opts, size_t nopts, struct buf *out);
/* Like opts_help, as mdoc (.It Fl ...). */
void opts_man(const struct opt *opts, size_t nopts, struct buf *out);

#endif
