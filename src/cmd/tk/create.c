/*
 * create.c - ralph tk create, add-note: new text.
 */
#include "cmd/cmd.h"
#include "cmd/tk/tk.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "git/git.h"
#include <errno.h>
#include <fcntl.h>

struct create_options {
	char *description, *design, *acceptance, *type, *assignee, *external_ref, *parent,
	    *tags, *priority;
};

#define OPTIONS struct create_options
static const struct opt create_opts[] = {
    ROW_TEXT("description", description, "TEXT", "what the ticket is about", .letter = 'd'),
    ROW_TEXT("design", design, "TEXT", "the text below '## Design'"),
    ROW_TEXT("acceptance", acceptance, "TEXT", "the text below '## Acceptance Criteria'"),
    ROW_TEXT("type", type, "TYPE", "bug, feature, task, epic, chore, or another word",
	.letter = 't', .dflt = "task"),
    ROW_TEXT("priority", priority, "N", "0 to 4, 0 first; another whole number is taken, too",
	.letter = 'p', .dflt = "2"),
    ROW_TEXT("assignee", assignee, "NAME",
	"who works on the ticket; git's user.name when not given", .letter = 'a'),
    ROW_TEXT(
	"external-ref", external_ref, "REF", "the ticket's name elsewhere, such as gh-123"),
    ROW_TEXT("parent", parent, "ID", "the ticket that this one is a part of"),
    ROW_TEXT("tags", tags, "TAG,...", "tags, separated by commas"),
};

/* git's user.name; NULL when there is no git or no such name. */
static char *
git_user(void)
{
	char *name = git_call_line(
	    &(struct git_call){
		.dir = ".",
		.what = "git config",
		.args = ARGS("config", "user.name"),
		.unguarded = true,
	    },
	    NULL);

	if (name == NULL)
		return NULL;
	name[strcspn(name, "\n")] = '\0';
	if (*name == '\0') {
		free(name);
		name = NULL;
	}
	return name;
}

/* Returns the directory where tickets go from here: found, or made. */
static char *
create_place(struct err *err)
{
	const char *set = getenv("TICKETS_DIR");
	char *dir = tk_dir(err);

	if (dir != NULL || err->code != ENOENT)
		return dir;
	dir = xstrdup(set != NULL && *set != '\0' ? set : ".tickets");
	/* The directory is for everybody that the umask lets in, as the project is. */
	if (fs_mkdirs_shared(dir, err) == 0)
		return dir;
	free(dir);
	return NULL;
}

/* tk takes every word, but a word that is no number has no place among the priorities. */
static int
priority_parse(const char *word, int64_t *out, struct err *err)
{
	AUTO_BUF shown = BUF_INIT;
	char *end;

	*out = TICKET_PRIORITY;
	if (word == NULL || *word == '\0')
		return 0;
	errno = 0;
	*out = strtoll(word, &end, 10);
	if (*end == '\0' && errno == 0)
		return 0;
	text_quote(&shown, word);
	return err_set(err, "the priority must be a whole number (got %s)", shown.data);
}

static int
draft_fill(struct ticket_draft *d, struct backlog *b, const struct create_options *o,
    const char *title, struct err *err)
{
	*d = (struct ticket_draft){
	    .title = title != NULL && *title != '\0' ? title : "Untitled",
	    .type = o->type,
	    .assignee = o->assignee,
	    .external_ref = o->external_ref,
	    .tags = o->tags,
	    .description = o->description,
	    .design = o->design,
	    .acceptance = o->acceptance,
	};
	if (priority_parse(o->priority, &d->priority, err) < 0)
		return -1;
	if (o->parent != NULL && *o->parent != '\0') {
		AUTO_FREE char *parent = tk_trimmed(o->parent);
		const struct ticket *t =
		    backlog_refresh(b, err) == 0 ? backlog_match(b, parent, err) : NULL;

		if (t == NULL)
			return -1;
		d->parent = t->id;
	}
	return 0;
}

static int
run_create(const struct cmd_args *args)
{
	const struct create_options *o = args->opts;
	struct err err = ERR_INIT;
	AUTO_FREE char *cwd = get_current_dir_name();
	AUTO_FREE char *dir = create_place(&err);
	AUTO_FREE char *user = NULL;
	AUTO_BACKLOG *b = dir != NULL ? backlog_open(dir, &err) : NULL;
	AUTO_BUF id = BUF_INIT;
	AUTO_BUF prefix = BUF_INIT;
	struct ticket_draft draft;

	if (b == NULL || draft_fill(&draft, b, o, args->operands.args[0], &err) < 0)
		return tk_error("%s", err.text);
	ticket_prefix(cwd != NULL ? cwd : ".", &prefix);
	draft.prefix = prefix.data;
	if (draft.assignee == NULL)
		draft.assignee = user = git_user();
	if (ticket_create(backlog_dirfd(b), &draft, &id, &err) < 0)
		return tk_error("%s", err.text);
	buf_addc(&id, '\n');
	cmd_print(&id);
	return EX_OK;
}

const struct cmd cmd_tk_create = {
    .name = "tk create",
    .usage = "[TITLE] [OPTION]...",
    .summary = "Make a ticket and print its id",
    .about = "The id is made of the first letters of this directory's name and four more that "
	     "no other ticket has. Where there is no .tickets yet, it is made here.",
    .examples = "  ralph tk create 'Parse dates' -p 1 -t bug -d 'They are dropped.'\n"
		"  ralph tk create 'Part one' --parent l4ur --tags component:api,urgent\n",
    CMD_OPTIONS(create_opts),
    .max_args = 1,
    .run = run_create,
};

/* ---- notes --------------------------------------------------------------------------- */

/* Reads the note, an operand or stdin, without the line end that a shell would drop too. */
static int
note_read(const struct cmd_args *args, struct buf *text, struct err *err)
{
	ssize_t n;

	for (size_t i = 1; i < args->operands.nargs; i++)
		buf_addf(text, "%s%s", i > 1 ? " " : "", args->operands.args[i]);
	if (args->operands.nargs > 1)
		return 0;
	if (isatty(STDIN_FILENO))
		return err_set(err, "no note provided");
	do {
		buf_reserve(text, 4096);
		n = read(STDIN_FILENO, text->data + text->len, 4096);
		if (n > 0)
			text->len += (size_t)n;
		text->data[text->len] = '\0';
		if (text->len > TICKET_MAX)
			return err_set(err, "the note is too long");
	} while (n > 0 || (n < 0 && errno == EINTR));
	if (n < 0)
		return err_errno(err, "cannot read the note");
	while (text->len > 0 && text->data[text->len - 1] == '\n')
		buf_truncate(text, text->len - 1);
	return 0;
}

static int
run_note(const struct cmd_args *args)
{
	AUTO_BACKLOG *b = tk_open_for(args->operands.args[0]);
	const struct ticket *t = tk_match(b, args->operands.args[0]);
	AUTO_BUF text = BUF_INIT;
	struct err err = ERR_INIT;

	if (t == NULL)
		return EX_FAILED;
	if (note_read(args, &text, &err) < 0 ||
	    ticket_add_note(backlog_dirfd(b), t->name, text.data, text.len, &err) < 0)
		return tk_error("%s", err.text);
	tk_say("Note added to %s\n", t->name);
	return EX_OK;
}

const struct cmd cmd_tk_add_note = {
    .name = "tk add-note",
    .usage = "ID [TEXT...]",
    .summary = "Append a note with the time to a ticket",
    .about = "Without TEXT the note is read from standard input. Behind ID every word is the "
	     "note's, -h and --help too.",
    .examples = "  ralph tk add-note l4ur 'The tests need a database.'\n"
		"  git log -1 | ralph tk add-note l4ur\n",
    .min_args = 1,
    .max_args = SIZE_MAX,
    .operand = "ticket",
    .words = true,
    .run = run_note,
};
