#include "work/todo/todo_prompt.h"

#include "base/alloc.h"

static size_t
without_dots(const char *s)
{
	size_t len = strlen(s);

	if (len >= 3 &&
	    (memcmp(s + len - 3, "...", 3) == 0 || memcmp(s + len - 3, "\xe2\x80\xa6", 3) == 0))
		len -= 3;
	while (len > 0 && s[len - 1] == ' ')
		len--;
	return len;
}

/* The title, or the longer text of which it is the beginning (todo.md cuts at 200). */
static const char *
description_of(const struct todo_brief *b)
{
	const char *full = json_str(b->meta, "description", NULL);

	if (full == NULL || *full == '\0')
		return b->title;
	/* todo.md is the truth: a description of something else is an old one. */
	return strncmp(full, b->title, without_dots(b->title)) == 0 ? full : b->title;
}

#define NO_COMMITS                                                               \
	"**IMPORTANT: Do NOT run `git commit` or `git add`.**\n"                 \
	"Ralph handles all commits after verification.\n"                        \
	"Leave your changes unstaged \xe2\x80\x94 Ralph will review and commit " \
	"them.\n\n"

/* The last line is not the seed's: a word must show which turn it means. */
static void
add_commands(const char *turn, struct buf *out)
{
	buf_addf(out,
	    "1. Run `/ralph_done` to signal completion\n\n" NO_COMMITS
	    "If STUCK and need help:\n"
	    "- Run `/ralph_stuck your question here`\n"
	    "- Wait for Ralph to inject context\n\n"
	    "For progress updates:\n"
	    "- Run `/ralph_progress N` where N is percentage (0-100)\n\n"
	    "In a shell, `ralph done%s`, `ralph stuck%s \"question\"`, "
	    "`ralph blocked%s \"reason\"` and `ralph progress N` do the same.\n\n",
	    turn, turn, turn);
}

/* Tells the worker to run ralph in a shell: a worker without the slash commands would answer
 * "unknown command". */
static void
add_shell_commands(const char *turn, struct buf *out)
{
	buf_addf(out,
	    "1. Run `ralph done%s` in a shell to signal completion\n\n" NO_COMMITS
	    "If STUCK and need help:\n"
	    "- Run `ralph stuck%s \"your question here\"` in a shell\n"
	    "- Wait for Ralph to inject context\n\n"
	    "If it cannot be done:\n"
	    "- Run `ralph blocked%s \"reason\"` in a shell\n\n"
	    "For progress updates:\n"
	    "- Run `ralph progress N` in a shell, where N is percentage (0-100)\n\n",
	    turn, turn, turn);
}

void
todo_prompt(const struct todo_brief *b, struct buf *out)
{
	AUTO_FREE char *turn =
	    b->token == NULL ? xstrdup("") : xasprintf(" --turn %s", b->token);

	buf_addf(out,
	    "# Ralph Task Assignment\n\n"
	    "**Task ID:** %s\n"
	    "**Description:** %s\n\n"
	    "## Context Files\n",
	    b->id, description_of(b));
	todo_context(b, out);
	if (out->data[out->len - 2] != '\n')
		buf_addc(out, '\n');
	buf_adds(out, "## Instructions\n\n"
		      "Execute this task. When FULLY COMPLETE:\n");
	if (b->commands)
		add_commands(turn, out);
	else
		add_shell_commands(turn, out);
	buf_addf(out, "## Working Directory\n%s\n", b->root);
}
