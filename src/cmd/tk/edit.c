/*
 * edit.c - ralph tk edit: a ticket in the user's editor.
 */
#include "cmd/cmd.h"
#include "cmd/tk/tk.h"

#include "base/alloc.h"
#include "base/process/child.h"
#include "base/text.h"

/* EDITOR may have arguments ("code -w"), and a shell knows how to read them. */
static int
edit(const char *path)
{
	const char *editor = getenv("EDITOR");
	AUTO_FREE char *script =
	    xasprintf("%s \"$1\"", editor != NULL && *editor != '\0' ? editor : "vi");
	AUTO_STRLIST argv = strlist_add(strlist_add(child_shell(script), "edit"), path);
	struct child_spec spec = {
	    .argv = argv, .in = STDIN_FILENO, .out = STDOUT_FILENO, .err = STDERR_FILENO};
	struct exit_status status = {.how = EXIT_UNKNOWN};
	struct child child;
	struct err err = ERR_INIT;

	if (child_start(&spec, &child, &err) < 0)
		return tk_error("%s", err.text);
	(void)!child_reap(&child, true, &status);
	(void)close(child.pidfd);
	return exit_ok(status) ? EX_OK : EX_FAILED;
}

static int
run(const struct cmd_args *args)
{
	AUTO_BACKLOG *b = tk_open_for(args->operands.args[0]);
	const struct ticket *t = tk_match(b, args->operands.args[0]);
	AUTO_FREE char *dir = t != NULL ? tk_dir(NULL) : NULL;
	AUTO_FREE char *path = dir != NULL ? xasprintf("%s/%s.md", dir, t->name) : NULL;

	if (path == NULL)
		return EX_FAILED;
	if (isatty(STDIN_FILENO) && isatty(STDOUT_FILENO))
		return edit(path);
	tk_say("Edit ticket file: %s\n", path);
	return EX_OK;
}

const struct cmd cmd_tk_edit = {
    .name = "tk edit",
    .usage = "ID",
    .summary = "Open a ticket in $EDITOR",
    .about =
	"The editor is vi where EDITOR is not set. Without a terminal the path of the file "
	"is printed instead.",
    .examples = "  ralph tk edit l4ur\n",
    TK_TICKETS(1),
    .run = run,
};
