/*
 * completion.c - completion for the shells, from the command and option tables.
 */
#include "cmd/cmd.h"

#include "base/log.h"
#include <stdio.h>

/* Operands that a command lists. */
static const struct listed {
	const char *operand;
	const char *command; /* prints one a line */
	const char *fish;    /* the command for fish; NULL: the same one */
} listed[] = {
    {"loop", "ralph ls --format names 2>/dev/null", NULL},
    {"ticket", "ralph tk ls 2>/dev/null | cut -d ' ' -f 1",
	"ralph tk ls 2>/dev/null | string split -f 1 \" \""},
    {"task", "ralph graph status --ids 2>/dev/null", NULL},
};

static bool
takes(const struct cmd *cmd, const char *operand)
{
	return cmd->operand != NULL && strcmp(cmd->operand, operand) == 0;
}

static const struct listed *
listed_of(const struct cmd *cmd)
{
	for (size_t i = 0; i < ARRAY_LEN(listed); i++)
		if (takes(cmd, listed[i].operand))
			return &listed[i];
	return NULL;
}

/* Returns the next command that is not hidden, from *at on; NULL: none. */
static const struct cmd *
next_shown(size_t *at)
{
	while (ralph_commands[*at] != NULL && ralph_commands[*at]->hidden)
		(*at)++;
	return ralph_commands[*at] == NULL ? NULL : ralph_commands[(*at)++];
}

static bool
completion_is_path(const struct opt *o)
{
	return o->arg != NULL && (strcmp(o->arg, "FILE") == 0 || strcmp(o->arg, "DIR") == 0);
}

/* Adds a text for between single quotes of any of the three shells; the characters of `escaped`
 * get a backslash. */
static void
add_quoted(struct buf *out, const char *s, const char *escaped)
{
	for (; *s != '\0'; s++) {
		bool escape = strchr(escaped, *s) != NULL;

		if (escape)
			buf_addc(out, '\\');
		if (*s == '\'' && !escape)
			buf_adds(out, "'\\''");
		else
			buf_addc(out, *s);
	}
}

static void
completion_add_choices(struct buf *out, const struct opt *o)
{
	for (const char *p = o->choices; *p != '\0'; p++)
		buf_addc(out, *p == '|' ? ' ' : *p);
}

/* The words that can follow the group's one, with `between` between them. */
static void
completion_add_members(struct buf *out, const char *group, const char *between)
{
	size_t len = strlen(group);
	size_t start = out->len;
	const struct cmd *c;

	for (size_t at = 0; (c = next_shown(&at)) != NULL;)
		if (strncmp(c->name, group, len) == 0 && c->name[len] == ' ')
			buf_addf(
			    out, "%s%s", out->len > start ? between : "", c->name + len + 1);
}

/* ---- bash ------------------------------------------------------------------------- */

static void
bash_values(struct buf *out, const struct cmd *cmd)
{
	size_t nopts;
	AUTO_FREE struct opt *opts = cmd_options(cmd, &nopts);

	for (size_t i = 0; i < nopts; i++) {
		const struct opt *o = &opts[i];

		if (o->arg == NULL)
			continue;
		buf_addf(out, "    '%s:--%s') ", cmd->name, o->name);
		if (o->choices != NULL) {
			buf_adds(out, "COMPREPLY=($(compgen -W \"");
			completion_add_choices(out, o);
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
	const struct cmd *c;

	buf_addf(out, "%sCOMPREPLY=($(compgen -W \"", before);
	for (size_t at = 0; (c = next_shown(&at)) != NULL;)
		if (strchr(c->name, ' ') == NULL)
			buf_addf(out, "%s ", c->name);
	buf_adds(out, "--help --version\" -- \"$cur\"))");
}

/* In a group the command is two words; behind the first, the second is offered.  The first may
 * be a command by itself, with options and operands of its own. */
static void
bash_groups(struct buf *out)
{
	const struct cmd *c;

	buf_adds(out, "  case $cmd in\n");
	for (size_t at = 0; (c = next_shown(&at)) != NULL;) {
		if (!cmd_is_group(c))
			continue;
		buf_addf(
		    out, "    %s) if ((COMP_CWORD == 2)) && [[ $cur != -* ]]; then\n", c->name);
		buf_addf(out, "      %sCOMPREPLY+=($(compgen -W \"",
		    takes(c, "file") ? "_ralph_files -f; " : "");
		completion_add_members(out, c->name, " ");
		buf_adds(out, "\" -- \"$cur\")); return; fi\n"
			      "      case ${COMP_WORDS[2]} in ");
		completion_add_members(out, c->name, "|");
		buf_adds(out, ") cmd+=\" ${COMP_WORDS[2]}\" ;; esac ;;\n");
	}
	buf_adds(out, "  esac\n");
}

static void
bash_command(struct buf *out, const struct cmd *c)
{
	const struct listed *list = listed_of(c);
	size_t nopts;
	AUTO_FREE struct opt *opts = cmd_options(c, &nopts);

	buf_addf(
	    out, "    '%s') if [[ $cur == -* ]]; then COMPREPLY=($(compgen -W \"", c->name);
	for (size_t i = 0; i < nopts; i++)
		if ((opts[i].flags & OPT_HIDDEN) == 0)
			buf_addf(out, " --%s", opts[i].name);
	buf_adds(out, " --help\" -- \"$cur\"))");
	if (list != NULL)
		buf_addf(out, "; else COMPREPLY=($(compgen -W \"$(%s)\" -- \"$cur\"))",
		    list->command);
	else if (takes(c, "file"))
		buf_adds(out, "; else _ralph_files -f");
	else if (takes(c, "shell"))
		buf_adds(out, "; else COMPREPLY=($(compgen -W \"bash zsh fish\" -- \"$cur\"))");
	else if (takes(c, "command-name"))
		bash_commands(out, "; else ");
	buf_adds(out, "; fi ;;\n");
}

static void
bash(struct buf *out)
{
	const struct cmd *shown;

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
	for (size_t at = 0; (shown = next_shown(&at)) != NULL;)
		bash_command(out, shown);
	buf_adds(out, "  esac\n}\ncomplete -F _ralph ralph\n");
}

/* ---- zsh -------------------------------------------------------------------------- */

static void
zsh_option(struct buf *out, const struct opt *o)
{
	buf_addf(out, " '%s--%s[", o->type == OPT_LIST ? "*" : "", o->name);
	add_quoted(out, o->help, "[]:\\");
	buf_addc(out, ']');
	if (o->choices != NULL) {
		buf_addf(out, ":%s:(", o->arg == NULL ? "value" : o->arg);
		completion_add_choices(out, o);
		buf_addc(out, ')');
	} else if (o->arg != NULL) {
		buf_addf(out, ":%s:%s", o->arg, completion_is_path(o) ? "_files" : "");
	}
	buf_adds(out, "' \\\n       ");
}

static void
zsh_groups(struct buf *out)
{
	const struct cmd *c;

	buf_adds(out, "  case $cmd in\n");
	for (size_t at = 0; (c = next_shown(&at)) != NULL;) {
		if (!cmd_is_group(c))
			continue;
		buf_addf(out,
		    "    %s) if (( CURRENT == 2 )) && [[ $words[2] != -* ]]; then compadd -- ",
		    c->name);
		completion_add_members(out, c->name, " ");
		buf_addf(out, "; %sreturn; fi\n      case $words[2] in (",
		    takes(c, "file") ? "_files; " : "");
		completion_add_members(out, c->name, "|");
		buf_adds(
		    out, ") cmd=\"$cmd $words[2]\"; shift words; (( CURRENT-- )) ;; esac ;;\n");
	}
	buf_adds(out, "  esac\n");
}

static void
zsh_command(struct buf *out, const struct cmd *c)
{
	const struct listed *list = listed_of(c);
	size_t nopts;
	AUTO_FREE struct opt *opts = cmd_options(c, &nopts);

	buf_addf(out, "    '%s') _arguments", c->name);
	for (size_t i = 0; i < nopts; i++)
		if ((opts[i].flags & OPT_HIDDEN) == 0)
			zsh_option(out, &opts[i]);
	buf_adds(out, " '--help[explain the command]'");
	if (takes(c, "file"))
		buf_adds(out, " '1:file:_files'");
	if (list != NULL)
		buf_addf(out, " '*:%s:_ralph_%ss'", list->operand, list->operand);
	else if (c->takes_command)
		buf_adds(out, " '*:::command:_normal'");
	else if (takes(c, "shell"))
		buf_adds(out, " '*:shell:(bash zsh fish)'");
	buf_adds(out, " ;;\n");
}

static void
zsh(struct buf *out)
{
	const struct cmd *c;

	buf_adds(out, "#compdef ralph\n# zsh completion for ralph\n");
	for (size_t i = 0; i < ARRAY_LEN(listed); i++)
		buf_addf(out,
		    "_ralph_%ss() { local -a l; l=(${(f)\"$(%s)\"}); compadd -a l }\n",
		    listed[i].operand, listed[i].command);
	buf_adds(out, "_ralph() {\n  local -a commands\n  commands=(\n");
	for (size_t at = 0; (c = next_shown(&at)) != NULL;) {
		if (strchr(c->name, ' ') != NULL)
			continue;
		buf_addf(out, "    '%s:", c->name);
		add_quoted(out, c->summary, "");
		buf_adds(out, "'\n");
	}
	buf_adds(out,
	    "  )\n  if (( CURRENT == 2 )); then _describe command commands; return; fi\n"
	    "  local cmd=$words[2]\n  shift words; (( CURRENT-- ))\n");
	zsh_groups(out);
	buf_adds(out, "  case $cmd in\n");
	for (size_t at = 0; (c = next_shown(&at)) != NULL;)
		zsh_command(out, c);
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
		completion_add_choices(out, o);
		buf_addc(out, '\'');
	} else if (o->arg != NULL) {
		buf_adds(out, completion_is_path(o) ? " -r -F" : " -x");
	}
	buf_adds(out, " -d '");
	add_quoted(out, o->help, "'\\");
	buf_adds(out, "'\n");
}

static void
fish_command(struct buf *out, const struct cmd *cmd)
{
	const char *space = strchr(cmd->name, ' ');
	const struct listed *list = listed_of(cmd);
	size_t nopts;
	AUTO_FREE struct opt *opts = cmd_options(cmd, &nopts);

	if (space == NULL)
		buf_addf(
		    out, "complete -c ralph -n __fish_use_subcommand -a %s -d '", cmd->name);
	else
		buf_addf(out, "complete -c ralph -n '__ralph_only %.*s' -a %s -d '",
		    (int)(space - cmd->name), cmd->name, space + 1);
	add_quoted(out, cmd->summary, "");
	buf_adds(out, "'\n");
	for (size_t i = 0; i < nopts; i++)
		if ((opts[i].flags & OPT_HIDDEN) == 0)
			fish_option(out, cmd->name, &opts[i]);
	if (list != NULL)
		buf_addf(out, "complete -c ralph -n '__ralph_is %s' -a '(%s)'\n", cmd->name,
		    list->fish == NULL ? list->command : list->fish);
	else if (takes(cmd, "file"))
		buf_addf(out, "complete -c ralph -n '__ralph_is %s' -F\n", cmd->name);
}

static void
fish(struct buf *out)
{
	const struct cmd *c;

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
	for (size_t at = 0; (c = next_shown(&at)) != NULL;)
		fish_command(out, c);
}

static int
run(const struct cmd_args *args)
{
	static const struct {
		const char *name;
		void (*fn)(struct buf *out);
	} shells[] = {{"bash", bash}, {"zsh", zsh}, {"fish", fish}};
	AUTO_BUF out = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(shells); i++)
		if (strcmp(shells[i].name, args->operands.args[0]) == 0) {
			shells[i].fn(&out);
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
