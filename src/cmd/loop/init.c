/*
 * init.c - ralph loop init: what a project needs for `ralph loop`, where it is missing.
 */
#include "cmd/cmd.h"
#include "work/tickets/config.h"
#include "work/tickets/project.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/userfile.h"
#include "work/tickets/views/tickets_view.h"
#include <errno.h>
#include <fcntl.h>

struct init_options {
	bool pi, claude;
};

#define OPTIONS struct init_options
static const struct opt init_opts[] = {
    ROW_FLAG("pi", pi, "also make the prompt /ralph-loop for pi"),
    ROW_FLAG("claude", claude, "also make the command /ralph-loop for Claude Code"),
};

/* ---- contents ------------------------------------------------------------------------ */

static const char prompt_body[] =
    "\n"
    "# /ralph-loop\n"
    "\n"
    "Work through the ticket backlog of this project: run this command, and nothing else.\n"
    "\n"
    "```bash\n"
    "ralph loop $ARGUMENTS\n"
    "```\n"
    "\n"
    "- It starts an agent for each ready ticket, judges and lands its work, and ends when the\n"
    "  backlog is empty. That can take hours: run it in the background where you can, and "
    "look\n"
    "  at it with `ralph loop status`.\n"
    "- Do not work on tickets yourself, and do not start it twice: a second run is refused.\n"
    "- It prints `<promise>COMPLETE</promise>` when all is done. Its exit code says how it "
    "ended:\n"
    "  0 all done, 10 there are more tickets, 11 some failed, 12 only blocked ones are left,\n"
    "  14 some of the work is not on its branch yet. Tell what was completed, what failed and\n"
    "  why, and repeat that line if it printed it.\n"
    "- With `--help` or `--dry-run`, only tell what it printed.\n";

static void
progress(struct buf *out)
{
	tickets_progress_template(PROGRESS_BLOCKS, out);
}

/* ---- files --------------------------------------------------------------------------- */

struct file {
	const char *dir;
	const char *name;
	void (*content)(struct buf *out); /* NULL: the two texts are the content */
	const char *text, *more;
	bool for_pi, for_claude;
};

static const struct file files[] = {
    {PROJECT_DIR, "AGENTS.md", .content = tickets_lessons_template},
    {PROJECT_DIR, "progress.md", .content = progress},
    {PROJECT_DIR, "config.json", .content = config_template},
    /* Git ignores the files of a run, which are not the project's. */
    {PROJECT_DIR, ".gitignore",
	.text = "dispatch-loop.lock\n"
		"dispatch-loop-state*.json\n"
		"dispatch-sessions.json\n"
		"lock\n"
		"sessions/\n"
		"worktrees/\n"
		".*.tmp.*\n"},
    {".pi/prompts", "ralph-loop.md",
	.text = "---\n"
		"description: Work through the ticket backlog with ralph loop\n"
		"---\n",
	.more = prompt_body, .for_pi = true},
    {".claude/commands", "ralph-loop.md",
	.text = "---\n"
		"description: Work through the ticket backlog with ralph loop\n"
		"argument-hint: \"[--parallel N] [--max-iterations N] [--dry-run]\"\n"
		"allowed-tools: Bash(ralph loop:*)\n"
		"---\n",
	.more = prompt_body, .for_claude = true},
};

/* 1: made, 0: it was there. */
static int
make_file(const char *root, const struct file *file, struct err *err)
{
	AUTO_FREE char *dir = xasprintf("%s/%s", root, file->dir);
	AUTO_FREE char *path = xasprintf("%s/%s", dir, file->name);
	AUTO_BUF text = BUF_INIT;

	if (fs_mkdirs_shared(dir, err) < 0)
		return -1;
	if (file->content != NULL)
		file->content(&text);
	else
		buf_addf(&text, "%s%s", file->text, file->more == NULL ? "" : file->more);
	if (userfile_create(AT_FDCWD, path, &text, err) == 0)
		return 1;
	return err->code == EEXIST ? 0 : -1;
}

static void
say_next(const struct init_options *o, struct buf *out)
{
	buf_adds(out,
	    "\n"
	    "Next steps:\n"
	    "  1. Look through " PROJECT_DIR "/config.json ('ralph help loop' explains it).\n"
	    "  2. Have tickets: ralph tk create \"a title\", then ralph tk ready\n"
	    "  3. See what would happen: ralph loop --dry-run\n"
	    "  4. Start: ralph loop --parallel 2 (with pi), or name the agent:\n"
	    "     ralph loop --parallel 2 -- claude -p --dangerously-skip-permissions\n");
	if (o->pi)
		buf_adds(out, "  In pi: /ralph-loop --parallel 2\n");
	if (o->claude)
		buf_adds(out, "  In Claude Code: /ralph-loop --parallel 2\n");
}

static int
run(const struct cmd_args *args)
{
	const struct init_options *o = args->opts;
	AUTO_FREE char *root = project_place(NULL, args->err);
	AUTO_FREE char *here = realpath(".", NULL);
	AUTO_BUF out = BUF_INIT;
	int rc = root == NULL ? -1 : 0;

	if (root != NULL && (here == NULL || strcmp(root, here) != 0))
		buf_addf(&out, "In %s:\n", root);
	for (size_t i = 0; i < ARRAY_LEN(files) && rc >= 0; i++) {
		if ((files[i].for_pi && !o->pi) || (files[i].for_claude && !o->claude))
			continue;
		rc = make_file(root, &files[i], args->err);
		if (rc >= 0)
			buf_addf(&out, "%s%s/%s\n",
			    rc > 0 ? "Created " : "Exists: ", files[i].dir, files[i].name);
	}
	if (rc >= 0)
		say_next(o, &out);
	cmd_print(&out);
	return rc < 0 ? -1 : EX_OK;
}

const struct cmd cmd_loop_init = {
    .name = "loop init",
    .usage = "[--pi] [--claude]",
    .summary = "Prepare a project for ralph loop",
    .about =
	"Makes " PROJECT_DIR " with config.json, progress.md and AGENTS.md: in the directory "
	"of the repository or the tickets that the current directory is in, else here. What "
	"is there already stays as it is.",
    .examples = "  ralph loop init\n"
		"  ralph loop init --claude\n",
    CMD_OPTIONS(init_opts),
    .run = run,
};
