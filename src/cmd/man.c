/*
 * man.c - the parts of the manual that are tables: commands with their options, exit codes,
 * verdicts, end reasons, signals, events.
 *
 * `ralph man FILE` (hidden; the build calls it) copies FILE and replaces the lines
 *     .\" @commands@   .\" @swarm-commands@   .\" @exit-codes@   .\" @verdicts@   .\" @reasons@
 * .\" @events@ by what the tables say.
 */
#include "cmd/cmd.h"

#include "base/fs.h"
#include "loop/fact.h"
#include <fcntl.h>

/* mdoc takes a line that begins with a dot or quote for a macro, and a backslash for an
 * escape. */
static void
man_add_text(struct buf *out, const char *s)
{
	bool start = true;

	for (; *s != '\0'; s++) {
		if (start && (*s == '.' || *s == '\''))
			buf_adds(out, "\\&");
		if (*s == '\\')
			buf_adds(out, "\\e");
		else
			buf_addc(out, *s);
		start = *s == '\n';
	}
}

/* One sentence a line, as mdoc wants it. */
static void
add_paragraphs(struct buf *out, const char *s)
{
	AUTO_BUF text = BUF_INIT;

	for (; *s != '\0'; s++) {
		if (s[0] == '\n' && s[1] == '\n') {
			buf_adds(&text, "\n.Pp\n");
			s++;
		} else if (s[0] == ' ' && text.len > 0 && text.data[text.len - 1] == '.') {
			buf_addc(&text, '\n');
		} else {
			buf_addc(&text, *s);
		}
	}
	/* .Pp is ours and must stay a macro. */
	for (char *line = text.data, *end; *line != '\0'; line = end) {
		end = line + strcspn(line, "\n");
		if (*end == '\n')
			*end++ = '\0';
		if (strcmp(line, ".Pp") == 0)
			buf_adds(out, line);
		else
			man_add_text(out, line);
		buf_addc(out, '\n');
	}
}

static void
command_list(struct buf *out, const char *program, const struct cmd *const *table)
{
	for (const struct cmd *const *c = table; *c != NULL; c++) {
		size_t nopts;
		AUTO_FREE struct opt *opts = cmd_options(*c, &nopts);

		if ((*c)->hidden)
			continue;
		buf_addf(
		    out, ".Ss %s %s\n.Nm %s %s\n", program, (*c)->name, program, (*c)->name);
		if ((*c)->usage[0] != '\0') {
			man_add_text(out, (*c)->usage);
			buf_addc(out, '\n');
		}
		buf_adds(out, ".Pp\n");
		man_add_text(out, (*c)->summary);
		buf_adds(out, ".\n");
		if ((*c)->about != NULL)
			add_paragraphs(out, (*c)->about);
		if (nopts > 0) {
			buf_adds(out, ".Bl -tag -width Ds\n");
			opts_man(opts, nopts, out);
			buf_adds(out, ".El\n");
		}
		if ((*c)->examples != NULL) {
			buf_adds(out, ".Pp\nExamples:\n.Bd -literal\n");
			man_add_text(out, (*c)->examples);
			buf_adds(out, ".Ed\n");
		}
	}
}

static void
item(struct buf *out, const char *name, const char *help)
{
	buf_addf(out, ".It %s\n", name);
	man_add_text(out, help);
	buf_adds(out, ".\n");
}

static void
exit_codes(struct buf *out)
{
#define X(id, code, help) item(out, #code, help);
	EXIT_CODES(X)
#undef X
}

static void
verdict(struct buf *out, const char *name, const char *help)
{
	if (help != NULL)
		item(out, name, help);
}

static void
verdicts(struct buf *out)
{
#define X(id, name, worth, landed, tally, cost, clock, cause, hold, help) \
	verdict(out, name, help);
	VERDICTS(X)
#undef X
}

static void
reason(struct buf *out, const char *name, const char *word, const char *help, int code)
{
	AUTO_BUF text = BUF_INIT;

	buf_addf(&text, "%s (%s; exit code %d)", help, word, code);
	item(out, name, text.data);
}

static void
reasons(struct buf *out)
{
#define X(id, name, status, word, code, by, worked, again, help, alert, run, tickets, todo) \
	if (END_##id != END_NONE)                                                           \
		reason(out, name, word, help, code);
	END_REASONS(X)
#undef X
}

static void
events(struct buf *out)
{
#define X(id, name, apply, fields, help) item(out, name, help);
	FACTS(X)
#undef X
}

/* Commands, or the items of a list. */
static const struct {
	const char *mark;
	const char *program;
	const struct cmd *const *commands;
	void (*items)(struct buf *out);
} parts[] = {
    {".\\\" @commands@", "ralph", ralph_commands, NULL},
    {".\\\" @swarm-commands@", "swarm", swarm_commands, NULL},
    {".\\\" @exit-codes@", .items = exit_codes},
    {".\\\" @verdicts@", .items = verdicts},
    {".\\\" @reasons@", .items = reasons},
    {".\\\" @events@", .items = events},
};

/* Adds the line, or the part of the manual that a line with its mark stands for. */
static void
man_add_line(struct buf *out, const char *line)
{
	size_t i = 0;

	while (i < ARRAY_LEN(parts) && strcmp(parts[i].mark, line) != 0)
		i++;
	if (i == ARRAY_LEN(parts)) {
		buf_addf(out, "%s\n", line);
	} else if (parts[i].items == NULL) {
		command_list(out, parts[i].program, parts[i].commands);
	} else {
		buf_adds(out, ".Bl -tag -width Ds\n");
		parts[i].items(out);
		buf_adds(out, ".El\n");
	}
}

static int
run(const struct cmd_args *args)
{
	AUTO_BUF in = BUF_INIT;
	AUTO_BUF out = BUF_INIT;
	char *rest, *line;

	if (fs_read(AT_FDCWD, args->operands.args[0], (size_t)1 << 20, &in, args->err) < 0)
		return -1;
	rest = in.data;
	while ((line = strsep(&rest, "\n")) != NULL && (rest != NULL || *line != '\0'))
		man_add_line(&out, line);
	cmd_print(&out);
	return EX_OK;
}

const struct cmd cmd_man = {
    .name = "man",
    .usage = "FILE",
    .summary = "Fill the tables of the manual",
    .min_args = 1,
    .max_args = 1,
    .hidden = true,
    .run = run,
};
