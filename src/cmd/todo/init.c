/*
 * init.c - ralph todo init: what a project needs for `ralph todo`, where it is missing.
 */
#include "cmd/cmd.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/userfile.h"
#include "work/todo/todo.h"
#include <errno.h>
#include <fcntl.h>

struct todo_init_options {
	bool claude;
};

#define OPTIONS struct todo_init_options
static const struct opt init_opts[] = {
    ROW_FLAG("claude", claude,
	"also make /ralph_done, /ralph_stuck and /ralph_progress for Claude Code"),
};

static const char todo_md[] = "# Tasks\n"
			      "\n"
			      "## Backlog\n"
			      "\n"
			      "## Active\n"
			      "\n"
			      "## Delayed\n"
			      "\n"
			      "## Done\n"
			      "\n"
			      "## Claude Tasks\n"
			      "\n"
			      "- [ ] T001: Replace this line by your first task\n";

/* The prompt of each task has another token. */
#define TOKEN_WORDS                                                                         \
	"TOKEN is what stands behind `--turn` in the commands of the last task assignment " \
	"(the line \"In a shell, ...\"). Leave `--turn TOKEN` out only where there is "     \
	"none.\n\n"

static const char done_md[] =
    "---\n"
    "description: Tell ralph that the assigned task is complete\n"
    "argument-hint: \"[what you changed]\"\n"
    "allowed-tools: Bash(ralph done:*)\n"
    "---\n"
    "\n"
    "Only when the assigned task is FULLY complete: name the command that proves it, run it "
    "now, and read its output. If it does not prove it, go on working, or use /ralph_stuck.\n"
    "\n"
    "Then run, with a summary of what you changed (a line per change, for the commit message) "
    "and every file you changed:\n"
    "\n"
    "```bash\n"
    "ralph done --turn TOKEN --summary \"...\" --file path/one --file path/two\n"
    "```\n"
    "\n" TOKEN_WORDS
    "Do not run `git add` or `git commit`: ralph reviews and commits. Notes of the user: "
    "$ARGUMENTS\n";

static const char stuck_md[] = "---\n"
			       "description: Ask ralph for help with the assigned task\n"
			       "argument-hint: \"your question\"\n"
			       "allowed-tools: Bash(ralph stuck:*)\n"
			       "---\n"
			       "\n"
			       "Run this with one precise question on one line, then stop and "
			       "wait: the answer is typed to you.\n"
			       "\n"
			       "```bash\n"
			       "ralph stuck --turn TOKEN \"$ARGUMENTS\"\n"
			       "```\n"
			       "\n" TOKEN_WORDS;

static const char progress_md[] = "---\n"
				  "description: Tell ralph how far the assigned task is\n"
				  "argument-hint: \"0-100\"\n"
				  "allowed-tools: Bash(ralph progress:*)\n"
				  "---\n"
				  "\n"
				  "Run this, then go on with the task.\n"
				  "\n"
				  "```bash\n"
				  "ralph progress $ARGUMENTS\n"
				  "```\n";

static const struct {
	const char *dir, *name, *text;
	bool claude;
} files[] = {
    {"ai", "todo.md", todo_md, false},
    {".claude/commands", "ralph_done.md", done_md, true},
    {".claude/commands", "ralph_stuck.md", stuck_md, true},
    {".claude/commands", "ralph_progress.md", progress_md, true},
};

static int
todo_init_make(
    const char *dir, const char *name, const char *text, struct buf *said, struct err *err)
{
	AUTO_FREE char *path = xasprintf("%s/%s", dir, name);
	AUTO_BUF content = BUF_INIT;

	buf_adds(&content, text);
	if (fs_mkdirs_shared(dir, err) < 0)
		return -1;
	if (userfile_create(AT_FDCWD, path, &content, err) == 0) {
		buf_addf(said, "made %s\n", path);
		return 0;
	}
	if (err->code != EEXIST)
		return -1;
	buf_addf(said, "%s is there already\n", path);
	return 0;
}

static int
todo_init(const struct cmd_args *args)
{
	const struct todo_init_options *o = args->opts;
	AUTO_BUF said = BUF_INIT;

	for (size_t i = 0; i < ARRAY_LEN(files); i++) {
		struct err err = ERR_INIT;

		if (files[i].claude && !o->claude)
			continue;
		if (todo_init_make(files[i].dir, files[i].name, files[i].text, &said, &err) <
		    0) {
			error("%s", err.text);
			return EX_FAILED;
		}
	}
	buf_adds(&said, "write your tasks into ai/todo.md, then: ralph todo\n");
	cmd_print(&said);
	return EX_OK;
}

const struct cmd cmd_todo_init = {
    .name = "todo init",
    .usage = "[--claude]",
    .summary = "Make what 'ralph todo' needs in this directory, where it is missing",
    .about = "Nothing that is there is changed.",
    .examples = "  ralph todo init --claude\n",
    CMD_OPTIONS(init_opts),
    .run = todo_init,
};
