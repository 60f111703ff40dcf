/*
 * help.c - help that teaches: examples first, then the words, then the options.
 */
#include "cmd/cmd.h"

#include "base/log.h"
#include "base/text.h"
#include <errno.h>
#include <stdio.h>

#define WIDTH 80

static void
cmd_help_add_wrapped(struct buf *out, const char *text)
{
	size_t column = 0;

	while (*text != '\0') {
		size_t word = strcspn(text, " \n");

		if (column > 0 && column + 1 + word > WIDTH) {
			buf_addc(out, '\n');
			column = 0;
		}
		if (column > 0 && word > 0) {
			buf_addc(out, ' ');
			column++;
		}
		buf_add(out, text, word);
		column += word;
		text += word;
		if (*text == '\n')
			column = 0;
		if (*text == '\n')
			buf_addc(out, '\n');
		text += *text != '\0';
	}
	buf_addc(out, '\n');
}

static const char *
overview(void)
{
	if (strcmp(log_name(), "swarm") == 0)
		return "swarm runs coding agents by name: workers and loops, each with a "
		       "terminal of its\n"
		       "own, shown in tmux.\n\n"
		       "A worker, and a loop:\n\n"
		       "  swarm spawn --name w1 --tmux -- claude\n"
		       "  swarm spawn --name agent --ralph --prompt-file PROMPT.md "
		       "--max-iterations 20 -- claude\n\n"
		       "And from another terminal:\n\n"
		       "  swarm ls                 who is there\n"
		       "  swarm attach w1          its live terminal\n"
		       "  swarm ralph status agent how the loop stands\n\n";
	return "ralph runs coding agents in loops, unattended: it starts an agent with a "
	       "fresh\n"
	       "context, watches it, decides how it ended, writes everything down and goes on\n"
	       "until the work is done.\n\n"
	       "A first loop:\n\n"
	       "  ralph run --prompt-file PROMPT.md --max-iterations 10 -- claude -p\n\n"
	       "And from another terminal:\n\n"
	       "  ralph ls                 what is running\n"
	       "  ralph attach NAME        the agent's live terminal\n"
	       "  ralph pause NAME         let the agent finish, start no new one\n\n";
}

/* Returns the command of a group of two-word names ("tk" for "tk ready"); NULL: none. */
static const struct cmd *
group_of(const struct cmd *cmd)
{
	size_t first = strcspn(cmd->name, " ");

	for (const struct cmd *const *c = cmd_commands(); *c != NULL; c++)
		if (*c != cmd && strlen((*c)->name) == first &&
		    memcmp((*c)->name, cmd->name, first) == 0)
			return *c;
	return NULL;
}

static void
cmd_help_add_members(const struct cmd *group, struct buf *out)
{
	size_t width = 0;

	for (const struct cmd *const *c = cmd_commands(); *c != NULL; c++)
		if (!(*c)->hidden && group_of(*c) == group && strlen((*c)->name) > width)
			width = strlen((*c)->name);
	if (width == 0)
		return;
	buf_adds(out, "And with another word:\n");
	for (const struct cmd *const *c = cmd_commands(); *c != NULL; c++)
		if (!(*c)->hidden && group_of(*c) == group)
			buf_addf(out, "  %-*s %s\n", (int)width, (*c)->name, (*c)->summary);
	buf_addc(out, '\n');
}

void
cmd_help_overview(struct buf *out)
{
	buf_adds(out, overview());
	buf_adds(out, "Commands:\n\n");
	for (const struct cmd *const *c = cmd_commands(); *c != NULL; c++)
		if (!(*c)->hidden && group_of(*c) == NULL)
			buf_addf(out, "  %-14s %s\n", (*c)->name, (*c)->summary);
	buf_addf(out,
	    "\n'%s help COMMAND' explains one, with examples. The manual: man ralph.\n",
	    log_name());
}

void
cmd_help(const struct cmd *cmd, struct buf *out)
{
	size_t nopts;
	AUTO_FREE struct opt *opts = cmd_options(cmd, &nopts);

	buf_addf(out, "%s %s - %s\n\n", log_name(), cmd->name, cmd->summary);
	if (cmd->examples != NULL)
		buf_addf(out, "Examples:\n%s\n", cmd->examples);
	buf_addf(out, "Usage: %s %s %s\n\n", log_name(), cmd->name, cmd->usage);
	if (cmd->about != NULL) {
		cmd_help_add_wrapped(out, cmd->about);
		buf_addc(out, '\n');
	}
	if (chosen_about(cmd->chosen) != NULL) {
		cmd_help_add_wrapped(out, chosen_about(cmd->chosen));
		buf_addc(out, '\n');
	}
	cmd_help_add_members(cmd, out);
	opts_help(opts, nopts, out);
	if (cmd->more != NULL)
		cmd->more(out);
}

void
cmd_print(const struct buf *out)
{
	if (fwrite(out->data, 1, out->len, stdout) == out->len && fflush(stdout) == 0)
		return;
	if (errno != EPIPE)
		error("cannot write to stdout: %s", strerror(errno));
	exit(EX_FAILED);
}

int
cmd_say(const char *fmt, ...)
{
	AUTO_BUF out = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&out, fmt, ap);
	va_end(ap);
	buf_addc(&out, '\n');
	cmd_print(&out);
	return EX_OK;
}

int
cmd_print_json(json_t *v)
{
	AUTO_BUF out = BUF_INIT;

	json_print(v, false, &out);
	buf_addc(&out, '\n');
	cmd_print(&out);
	json_decref(v);
	return EX_OK;
}

static int
run(const struct cmd_args *args)
{
	char *const *words = args->operands.args;
	int n;
	const struct cmd *cmd = args->operands.nargs == 0 ? NULL : cmd_find(words, &n);
	AUTO_BUF out = BUF_INIT;

	if (args->operands.nargs > 0 && cmd == NULL) {
		AUTO_BUF shown = BUF_INIT;

		text_quote(&shown, words[0]);
		error("unknown command %s; '%s help' lists them", shown.data, log_name());
		return EX_USAGE;
	}
	if (cmd == NULL)
		cmd_help_overview(&out);
	else
		cmd_help(cmd, &out);
	cmd_print(&out);
	return EX_OK;
}

const struct cmd cmd_help_entry = {
    .name = "help",
    .usage = "[COMMAND]",
    .summary = "Explain a command",
    .examples = "  ralph help run\n",
    .max_args = 2,
    .operand = "command-name",
    .run = run,
};
