/*
 * tk.c - ralph tk: tickets without tk; what its commands share.
 */
#include "cmd/tk/tk.h"
#include "cmd/cmd.h"
#include "cmd/tk/plugin.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/text.h"
#include <errno.h>

enum { WARNINGS_SHOWN = 5, ID_WIDTH = 8 };

void
tk_say(const char *fmt, ...)
{
	AUTO_BUF out = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	text_vaddf(&out, fmt, ap);
	va_end(ap);
	cmd_print(&out);
}

int
tk_error(const char *fmt, ...)
{
	AUTO_BUF shown = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	text_vaddf(&shown, fmt, ap);
	va_end(ap);
	(void)fprintf(stderr, "Error: %s\n", shown.data);
	return EX_FAILED;
}

/* Agents put blanks around what they copy; tk takes them off, and so do we. */
char *
tk_trimmed(const char *partial)
{
	const char *blanks = " \t\r\n";
	char *id = xstrdup(partial + strspn(partial, blanks));
	size_t len = strlen(id);

	while (len > 0 && strchr(blanks, id[len - 1]) != NULL)
		id[--len] = '\0';
	return id;
}

static int
tickets_read(struct backlog *b, const char *only, struct err *err)
{
	AUTO_FREE char *name = only != NULL ? tk_trimmed(only) : NULL;
	int rc = name != NULL ? backlog_refresh_only(b, name, err) : 0;

	return rc != 0 ? rc : backlog_refresh(b, err);
}

void
tk_close(struct backlog **b)
{
	backlog_close(*b);
}

char *
tk_dir(struct err *err)
{
	AUTO_FREE char *cwd = get_current_dir_name();

	return backlog_find_dir(cwd != NULL ? cwd : ".", err);
}

struct backlog *
tk_open(void)
{
	return tk_open_for(NULL);
}

struct backlog *
tk_open_for(const char *partial)
{
	struct err err = ERR_INIT;
	AUTO_FREE char *dir = tk_dir(&err);
	struct backlog *b = dir != NULL ? backlog_open(dir, &err) : NULL;

	if (b != NULL && tickets_read(b, partial, &err) >= 0)
		return b;
	backlog_close(b);
	tk_error("%s", err.text);
	if (dir == NULL && getenv("TICKETS_DIR") == NULL)
		(void)fputs("Run 'ralph tk create' to initialize, or set TICKETS_DIR env var\n",
		    stderr);
	return NULL;
}

void
tk_warn(struct backlog *b)
{
	AUTO_BUF notes = BUF_INIT;
	char *rest, *line;
	size_t n = 0;

	backlog_notes(b, &notes);
	for (rest = notes.data; (line = strsep(&rest, "\n")) != NULL && *line != '\0'; n++)
		if (n < WARNINGS_SHOWN)
			warning("%s", line);
	if (n > WARNINGS_SHOWN)
		warning("and %zu more like these", n - WARNINGS_SHOWN);
}

const struct ticket *
tk_match(const struct backlog *b, const char *partial)
{
	struct err err = ERR_INIT;
	AUTO_FREE char *id = tk_trimmed(partial);
	const struct ticket *t = b != NULL ? backlog_match(b, id, &err) : NULL;

	if (b != NULL && t == NULL)
		tk_error("%s", err.text);
	return t;
}

void
tk_add_id(struct buf *out, const char *id)
{
	size_t start = out->len;

	text_addf(out, "%s", id);
	while (out->len < start + ID_WIDTH)
		buf_addc(out, ' ');
}

void
tk_add_list(struct buf *out, char *const *list)
{
	buf_addc(out, '[');
	for (size_t i = 0; list != NULL && list[i] != NULL; i++)
		text_addf(out, "%s%s", i > 0 ? ", " : "", list[i]);
	buf_addc(out, ']');
}

void
tk_add_entry(struct buf *out, const struct backlog *b, const char *id)
{
	const struct ticket *t = backlog_find(b, id);

	if (t == NULL)
		text_addf(out, "%s [missing]", id);
	else
		text_addf(out, "%s [%s] %s", id, t->word, t->title);
}

/* ---- JSON ---------------------------------------------------------------------------- */

json_t *
tk_json(const struct ticket *t)
{
	json_t *obj = json_object();
	AUTO_FREE char *file = xasprintf("%s.md", t->name);

	json_put(obj, "id", t->id);
	json_put(obj, "status", t->word);
	json_put(obj, "title", t->title);
	(void)json_object_set_new(obj, "priority", json_integer(t->priority));
	(void)json_object_set_new(obj, "deps", json_strlist(t->deps));
	(void)json_object_set_new(obj, "links", json_strlist(t->links));
	(void)json_object_set_new(obj, "tags", json_strlist(t->tags));
	json_put(obj, "created", t->created);
	json_put(obj, "type", t->type);
	json_put(obj, "assignee", t->assignee);
	json_put(obj, "external-ref", t->external_ref);
	json_put(obj, "parent", t->parent);
	json_put(obj, "file", file);
	return obj;
}

char **
tk_blockers(const struct backlog *b, const struct ticket *t)
{
	char **ids = NULL;

	for (size_t i = 0; t->deps[i] != NULL; i++)
		if (!backlog_is_closed(b, t->deps[i]))
			ids = strlist_add(ids, t->deps[i]);
	return ids;
}

/* ---- the group ----------------------------------------------------------------------- */

static int
tk_unknown(const char *word)
{
	const char *names[64];
	size_t n = 0;
	AUTO_BUF given = BUF_INIT;
	AUTO_BUF shown = BUF_INIT;
	const char *near;

	for (const struct cmd *const *c = cmd_commands(); *c != NULL && n < ARRAY_LEN(names);
	     c++)
		if (strncmp((*c)->name, "tk ", 3) == 0)
			names[n++] = (*c)->name;
	buf_addf(&given, "tk %s", word);
	near = text_nearest(given.data, names, n);
	text_quote(&shown, given.data);
	if (near != NULL)
		error("unknown command %s; did you mean '%s'?", shown.data, near);
	else
		error("unknown command %s; 'ralph help tk' lists them", shown.data);
	return EX_FAILED;
}

/* `tk`, `tk help` and `tk help COMMAND`. */
static int
tk_help_run(const struct cmd_args *args)
{
	char tk[] = "tk", *argv[] = {tk, args->operands.args[0], NULL};
	AUTO_BUF help = BUF_INIT;
	int words;
	const struct cmd *cmd = cmd_find(argv, &words);

	if (args->operands.nargs > 0 && words < 2)
		return tk_unknown(args->operands.args[0]);
	cmd_help(cmd, &help);
	cmd_print(&help);
	return EX_OK;
}

/* Runs for `super` alone; before a command, `super` is taken off the words first. */
static int
run_super(const struct cmd_args *args UNUSED)
{
	error("which command? 'ralph help tk' lists them");
	return EX_FAILED;
}

const struct cmd cmd_tk = {
    .name = "tk",
    .usage = "COMMAND ...",
    .summary = "Tickets in .tickets, as tk keeps them",
    .about =
	"A minimal ticket system: a file a ticket, with what it depends on. Files, output and "
	"exit codes are those of tk, so either program can be used on the same tickets; called "
	"as tk or ticket, by a link, this program takes tk's words as they are.\n\n"
	"The tickets are those of $TICKETS_DIR, else of .tickets in this directory or the "
	"nearest one above. An ID may be a part of a ticket's file name, if it is the part of "
	"one only.\n\n"
	"Where tk is wrong, this is not: only the first block between two lines '---' is front "
	"matter; CRLF, quoted values and lists over several lines are read; an empty directory "
	"is no error; titles are whole; dependencies are compared whole and written with their "
	"full id; a new ticket never overwrites one; changes keep every other byte, are "
	"written whole or not at all, and two at once lose nothing. A file that tk would read "
	"otherwise is warned about.\n\n"
	"Arguments mean what they mean in tk, with these exceptions. An operand too many is "
	"ignored, as tk does, but a warning names it. An unknown option of a list is refused, "
	"and so is one without its value: tk ignores it, and the list has more than was asked "
	"for. 'create' refuses a title of several words, of which tk keeps the last, and a "
	"priority that is no whole number, which cannot be sorted. '--limit' is a whole number "
	"from 0 on: tk hands it to head(1), where -2 and 1k mean something else. An empty ID "
	"names no ticket, where tk takes it for a part of every one. Empty tags are left out, "
	"and a ticket is not linked to itself. 'undep' also takes a dependency away that is no "
	"ticket any more. 'help NAME' explains that command. 'ls', 'list', 'query' and 'edit', "
	"which are plugins of tk, are built in. Options may also be written --name=VALUE or "
	"--name VALUE, and '--' ends them. Help, and what is said about wrong usage, are this "
	"program's own words.\n\n"
	"A program tk-NAME or ticket-NAME on PATH is the command NAME, also in place of one "
	"that is built in, except help; 'ralph tk super NAME' is always the latter. Such a "
	"plugin finds the tickets in $TICKETS_DIR, and calls '$TK_SCRIPT super NAME'. It says "
	"what it is for in a comment '# tk-plugin: TEXT' among its first lines, or when called "
	"with --tk-describe.",
    .examples = "  ralph tk create 'Parse dates' -p 1 --tags component:api\n"
		"  ralph tk ready\n"
		"  ralph tk dep mp-l4ur ndpp\n"
		"  ralph tk close l4ur\n",
    .more = tk_plugins_list,
    .max_args = SIZE_MAX,
    .run = tk_help_run,
};

const struct cmd cmd_tk_help = {
    .name = "tk help",
    .usage = "[COMMAND]",
    .summary = "Explain tickets, or a command, and list plugins",
    .examples = "  ralph tk help\n"
		"  ralph tk help dep\n",
    .max_args = 1,
    .surplus = true,
    .run = tk_help_run,
};

const struct cmd cmd_tk_super = {
    .name = "tk super",
    .usage = "COMMAND ...",
    .summary = "A built-in command, whatever plugins there are",
    .examples = "  ralph tk super create 'Parse dates'\n",
    .max_args = SIZE_MAX,
    .run = run_super,
};
