/*
 * completion.c - completion for the shells, from the command and option tables.
 */
#include "cmd/cmd.h"

#include "base/log.h"
#include <stdio.h>

enum shell { SHELL_BASH, SHELL_ZSH, SHELL_FISH };

static bool
completion_is_path(const struct opt *o)
{
	return o->arg != NULL && (strcmp(o->arg, "FILE") == 0 || strcmp(o->arg, "DIR") == 0);
}

/* Inside single quotes of any of the three shells. */
static void
completion_add_quoted(struct buf *out, const char *s)
{
	for (; *s != '\0'; s++) {
		if (*s == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *s);
	}
}

static void
completion_add_words(struct buf *out, const struct cmd *cmd)
{
	for (size_t i = 0; i < cmd->nopts; i++)
		if ((cmd->opts[i].flags & OPT_HIDDEN) == 0)
			buf_addf(out, " --%s", cmd->opts[i].name);
	buf_adds(out, " --help");
}

/* Is the command the first of those that begin with the same word? */
static bool
is_first_of_group(const struct cmd *const *c)
{
	size_t len = strcspn((*c)->name, " ");

	for (const struct cmd *const *d = ralph_commands; d < c; d++)
		if (!(*d)->hidden && strcspn((*d)->name, " ") == len &&
		    memcmp((*d)->name, (*c)->name, len) == 0)
			return false;
	return true;
}

/* The words that can follow the group's one, with `between` between them. */
static void
completion_add_members(struct buf *out, const char *group, const char *between)
{
	size_t len = strlen(group);
	size_t start = out->len;

	for (const struct cmd *const *c = ralph_commands; *c != NULL; c++)
		if (!(*c)->hidden && strncmp((*c)->name, group, len) == 0 &&
		    (*c)->name[len] == ' ')
			buf_addf(
			    out, "%s%s", out->len > start ? between : "", (*c)->name + len + 1);
}

static bool
completion_is_group(const char *name)
{
	AUTO_BUF members = BUF_INIT;

	completion_add_members(&members, name, " ");
	return members.len > 0;
}

/* ---- bash ------------------------------------------------------------------------- */

static void
bash_values(struct buf *out, const struct cmd *cmd)
{
	for (size_t i = 0; i < cmd->nopts; i++) {
		const struct opt *o = &cmd->opts[i];

		if (o->arg == NULL)
			continue;
		buf_addf(out, "    '%s:--%s') ", cmd->name, o->name);
		if (o->choices != NULL) {
			buf_adds(out, "COMPREPLY=($(compgen -W \"");
			for (const char *p = o->choices; *p != '\0'; p++)
				buf_addc(out, *p == '|' ? ' ' : *p);
			buf_adds(out, "\" -- \"$cur\"))");
		} else if (completion_is_path(o)) {
			buf_addf(
			    out, "_ralph_files -%c", strcmp(o->arg, "DIR") == 0 ? 'd' : 'f');
		} else {
			buf_adds(out, "COMPREPLY=()");
		}
		buf_adds(out, "; return ;;\n");
	}
}

static void
bash_commands(struct buf *out, const char *before)
{
	buf_addf(out, "%sCOMPREPLY=($(compgen -W \"", before);
	for (const struct cmd *const *c = ralph_commands; *c != NULL; c++)
		if (!(*c)->hidden && is_first_of_group(c))
			buf_addf(out, "%.*s ", (int)strcspn((*c)->name, " "), (*c)->name);
	buf_adds(out, "--help --version\" -- \"$cur\"))");
}

static bool
takes_file(const struct cmd *cmd)
{
	return cmd->operand != NULL && strcmp(cmd->operand, "file") == 0;
}

/* In a group the command is two words; behind the first, the second is offered.  The first may
 * be a command by itself, with options and operands of its own. */
static void
bash_groups(struct buf *out)
{
	buf_adds(out, "  case $cmd in\n");
	for (const struct cmd *const *c = ralph_commands; *c != NULL; c++) {
		if ((*c)->hidden || !completion_is_group((*c)->name))
			continue;
		buf_addf(out, "    %s) if ((COMP_CWORD == 2)) && [[ $cur != -* ]]; then\n",
		    (*c)->name);
		buf_addf(out, "      %sCOMPREPLY+=($(compgen -W \"",
		    takes_file(*c) ? "_ralph_files -f; " : "");
		completion_add_members(out, (*c)->name, " ");
		buf_adds(out, "\" -- \"$cur\")); return; fi\n"
			      "      case ${COMP_WORDS[2]} in ");
		completion_add_members(out, (*c)->name, "|");
		buf_adds(out, ") cmd+=\" ${COMP_WORDS[2]}\" ;; esac ;;\n");
	}
	buf_adds(out, "  esac\n");
}

static void
bash_operand(struct buf *out, const char *operand)
{
	if (operand == NULL)
		return;
	if (strcmp(operand, "loop") == 0)
		buf_adds(out, "; else COMPREPLY=($(compgen -W \"$(ralph ls --format "
			      "names 2>/dev/null)\" -- \"$cur\"))");
	else if (strcmp(operand, "ticket") == 0)
		buf_adds(out, "; else COMPREPLY=($(compgen -W \"$(ralph tk ls 2>/dev/null | "
			      "cut -d ' ' -f 1)\" -- \"$cur\"))");
	else if (strcmp(operand, "task") == 0)
		buf_adds(out, "; else COMPREPLY=($(compgen -W \"$(ralph graph status --ids "
			      "2>/dev/null)\" -- \"$cur\"))");
	else if (strcmp(operand, "file") == 0)
		buf_adds(out, "; else _ralph_files -f");
	else if (strcmp(operand, "shell") == 0)
		buf_adds(out, "; else COMPREPLY=($(compgen -W \"bash zsh fish\" -- \"$cur\"))");
	else if (strcmp(operand, "command-name") == 0)
		bash_commands(out, "; else ");
}

static void
bash(struct buf *out)
{
	buf_adds(out, "# bash completion for ralph; put it where bash-completion looks, or: "
		      "source <(ralph completion bash)\n"
		      "_ralph_files() {\n"
		      "  compopt -o filenames 2>/dev/null\n"
		      "  mapfile -t COMPREPLY < <(compgen \"$@\" -- \"$cur\")\n"
		      "}\n"
		      "_ralph() {\n"
		      "  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} "
		      "cmd=${COMP_WORDS[1]} i\n"
		      "  if ((COMP_CWORD == 1)); then\n");
	bash_commands(out, "    ");
	buf_adds(out, "\n    return\n  fi\n");
	bash_groups(out);
	buf_adds(out,
	    "  for ((i = 2; i < COMP_CWORD; i++)); do\n"
	    "    if [[ ${COMP_WORDS[i]} == -- ]]; then _ralph_files -c -f; return; fi\n"
	    "  done\n  case $cmd:$prev in\n");
	for (const struct cmd *const *c = ralph_commands; *c != NULL; c++)
		bash_values(out, *c);
	buf_adds(out, "  esac\n  case $cmd in\n");
	for (const struct cmd *const *c = ralph_commands; *c != NULL; c++) {
		if ((*c)->hidden)
			continue;
		buf_addf(out, "    '%s') if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"",
		    (*c)->name);
		completion_add_words(out, *c);
		buf_adds(out, "\" -- \"$cur\"))");
		bash_operand(out, (*c)->operand);
		buf_adds(out, "; fi ;;\n");
	}
	buf_adds(out, "  esac\n}\ncomplete -F _ralph ralph\n");
}

/* ---- zsh -------------------------------------------------------------------------- */

static void
zsh_help(struct buf *out, const char *s)
{
	for (; *s != '\0'; s++) {
		if (strchr("[]:\\", *s) != NULL)
			buf_addc(out, '\\');
		if (*s == '\'')
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *s);
	}
}

static void
zsh_option(struct buf *out, const struct opt *o)
{
	buf_addf(out, " '%s--%s[", o->type == OPT_LIST ? "*" : "", o->name);
	zsh_help(out, o->help);
	buf_addc(out, ']');
	if (o->choices != NULL) {
		buf_addf(out, ":%s:(", o->arg == NULL ? "value" : o->arg);
		for (const char *p = o->choices; *p != '\0'; p++)
			buf_addc(out, *p == '|' ? ' ' : *p);
		buf_addc(out, ')');
	} else if (completion_is_path(o)) {
		buf_addf(out, ":%s:_files", o->arg);
	} else if (o->arg != NULL) {
		buf_addf(out, ":%s:", o->arg);
	}
	buf_adds(out, "' \\\n       ");
}

static void
zsh_commands(struct buf *out)
{
	for (const struct cmd *const *c = ralph_commands; *c != NULL; c++) {
		if ((*c)->hidden || strchr((*c)->name, ' ') != NULL)
			continue;
		buf_addf(out, "    '%s:", (*c)->name);
		completion_add_quoted(out, (*c)->summary);
		buf_adds(out, "'\n");
	}
}

static void
zsh_groups(struct buf *out)
{
	buf_adds(out, "  case $cmd in\n");
	for (const struct cmd *const *c = ralph_commands; *c != NULL; c++) {
		if ((*c)->hidden || !completion_is_group((*c)->name))
			continue;
		buf_addf(out,
		    "    %s) if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then compadd -- ",
		    (*c)->name);
		completion_add_members(out, (*c)->name, " ");
		buf_addf(out, "; %sreturn; fi\n      case $words[2] in (",
		    takes_file(*c) ? "_files; " : "");
		completion_add_members(out, (*c)->name, "|");
		buf_adds(
		    out, ") cmd=\"$cmd $words[2]\"; shift words; (( CURRENT-- )) ;; esac ;;\n");
	}
	buf_adds(out, "  esac\n");
}

static void
zsh_operand(struct buf *out, const struct cmd *cmd)
{
	const char *operand = cmd->operand != NULL ? cmd->operand : "";

	if (takes_file(cmd))
		buf_adds(out, " '1:file:_files'");
	if (strcmp(operand, "loop") == 0)
		buf_adds(out, " '*:loop:_ralph_loops'");
	else if (strcmp(operand, "ticket") == 0)
		buf_adds(out, " '*:ticket:_ralph_tickets'");
	else if (strcmp(operand, "task") == 0)
		buf_adds(out, " '*:task:_ralph_tasks'");
	else if (cmd->takes_command)
		buf_adds(out, " '*:::command:_normal'");
	else if (strcmp(operand, "shell") == 0)
		buf_adds(out, " '*:shell:(bash zsh fish)'");
}

static void
zsh(struct buf *out)
{
	buf_adds(out, "#compdef ralph\n# zsh completion for ralph\n"
		      "_ralph_loops() { local -a l; l=(${(f)\"$(ralph ls --format names "
		      "2>/dev/null)\"}); "
		      "compadd -a l }\n"
		      "_ralph_tickets() { local -a l; l=(${(f)\"$(ralph tk ls 2>/dev/null | "
		      "cut -d ' ' -f 1)\"}); compadd -a l }\n"
		      "_ralph_tasks() { local -a l; l=(${(f)\"$(ralph graph status --ids "
		      "2>/dev/null)\"}); compadd -a l }\n"
		      "_ralph() {\n  local -a commands\n  commands=(\n");
	zsh_commands(out);
	buf_adds(out,
	    "  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
	    "  local cmd=$words[2]\n  shift words; (( CURRENT-- ))\n");
	zsh_groups(out);
	buf_adds(out, "  case $cmd in\n");
	for (const struct cmd *const *c = ralph_commands; *c != NULL; c++) {
		if ((*c)->hidden)
			continue;
		buf_addf(out, "    '%s') _arguments", (*c)->name);
		for (size_t i = 0; i < (*c)->nopts; i++)
			if (((*c)->opts[i].flags & OPT_HIDDEN) == 0)
				zsh_option(out, &(*c)->opts[i]);
		buf_adds(out, " '--help[explain the command]'");
		zsh_operand(out, *c);
		buf_adds(out, " ;;\n");
	}
	buf_adds(out, "  esac\n}\n_ralph \"$@\"\n");
}

/* ---- fish -------------------------------------------------------------------------- */

static void
fish_option(struct buf *out, const char *cmd, const struct opt *o)
{
	buf_addf(out, "complete -c ralph -n '__ralph_is %s' -l %s", cmd, o->name);
	if (o->letter != 0)
		buf_addf(out, " -s %c", o->letter);
	if (o->choices != NULL) {
		buf_adds(out, " -x -a '");
		for (const char *p = o->choices; *p != '\0'; p++)
			buf_addc(out, *p == '|' ? ' ' : *p);
		buf_addc(out, '\'');
	} else if (o->arg != NULL) {
		buf_adds(out, completion_is_path(o) ? " -r -F" : " -x");
	}
	buf_adds(out, " -d '");
	for (const char *p = o->help; *p != '\0'; p++) {
		if (*p == '\'' || *p == '\\')
			buf_addc(out, '\\');
		buf_addc(out, *p);
	}
	buf_adds(out, "'\n");
}

static void
fish_command(struct buf *out, const struct cmd *cmd)
{
	const char *space = strchr(cmd->name, ' ');
	const char *operand = cmd->operand != NULL ? cmd->operand : "";

	if (space == NULL)
		buf_addf(
		    out, "complete -c ralph -n __fish_use_subcommand -a %s -d '", cmd->name);
	else
		buf_addf(out, "complete -c ralph -n '__ralph_only %.*s' -a %s -d '",
		    (int)(space - cmd->name), cmd->name, space + 1);
	completion_add_quoted(out, cmd->summary);
	buf_adds(out, "'\n");
	for (size_t i = 0; i < cmd->nopts; i++)
		if ((cmd->opts[i].flags & OPT_HIDDEN) == 0)
			fish_option(out, cmd->name, &cmd->opts[i]);
	if (strcmp(operand, "loop") == 0)
		buf_addf(out,
		    "complete -c ralph -n '__ralph_is %s' -a '(ralph ls --format names "
		    "2>/dev/null)'\n",
		    cmd->name);
	else if (strcmp(operand, "ticket") == 0)
		buf_addf(out,
		    "complete -c ralph -n '__ralph_is %s' -a '(ralph tk ls 2>/dev/null | "
		    "string split -f 1 \" \")'\n",
		    cmd->name);
	else if (strcmp(operand, "task") == 0)
		buf_addf(out,
		    "complete -c ralph -n '__ralph_is %s' -a '(ralph graph status --ids "
		    "2>/dev/null)'\n",
		    cmd->name);
	else if (takes_file(cmd))
		buf_addf(out, "complete -c ralph -n '__ralph_is %s' -F\n", cmd->name);
}

static void
fish(struct buf *out)
{
	buf_adds(out, "# fish completion for ralph\n"
		      "function __ralph_is\n"
		      "  set -l words (commandline -opc)\n"
		      "  test (count $words) -gt (count $argv); or return 1\n"
		      "  test \"$words[2..(math (count $argv) + 1)]\" = \"$argv\"\n"
		      "end\n"
		      "function __ralph_only\n"
		      "  __ralph_is $argv; and test (count (commandline -opc)) -eq 2\n"
		      "end\n"
		      "complete -c ralph -f\n");
	for (const struct cmd *const *c = ralph_commands; *c != NULL; c++)
		if (!(*c)->hidden)
			fish_command(out, *c);
}

static int
run(const struct cmd_args *args)
{
	static void (*const shells[])(struct buf *) = {
	    [SHELL_BASH] = bash, [SHELL_ZSH] = zsh, [SHELL_FISH] = fish};
	static const char *const names[] = {
	    [SHELL_BASH] = "bash", [SHELL_ZSH] = "zsh", [SHELL_FISH] = "fish"};
	AUTO_BUF out = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(names); i++)
		if (strcmp(names[i], args->operands.args[0]) == 0) {
			shells[i](&out);
			cmd_print(&out);
			return EX_OK;
		}
	error("the shells are bash, zsh and fish");
	return EX_USAGE;
}

const struct cmd cmd_completion = {
    .name = "completion",
    .usage = "bash|zsh|fish",
    .summary = "Print completion for a shell",
    .examples = "  source <(ralph completion bash)\n  ralph completion fish > "
		"~/.config/fish/completions/ralph.fish\n",
    .min_args = 1,
    .max_args = 1,
    .operand = "shell",
    .run = run,
};
