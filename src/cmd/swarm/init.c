/*
 * init.c - swarm init: tell the agents of a project about swarm.
 */
#include "cmd/cmd.h"

#include "base/fs.h"
#include "base/userfile.h"
#include <errno.h>
#include <fcntl.h>

#define MARKER "Process Management (swarm)"
#define HEADING "## " MARKER
#define FILE_MAX ((size_t)16 << 20)

static const char instructions[] = HEADING
    "\n"
    "\n"
    "Other agents and long-running commands are started as named workers with `swarm`.\n"
    "They go on in the background, and what they write is kept.\n"
    "\n"
    "```bash\n"
    "swarm spawn --name NAME --tmux -- claude      # start an agent in a terminal\n"
    "swarm spawn --name NAME -- npm run dev        # start a plain command\n"
    "swarm spawn --name NAME --tmux --worktree -- claude   # in a git worktree of its own\n"
    "swarm ls                                      # who is there\n"
    "swarm status NAME                             # exit code: 0 running, 1 stopped, 2 "
    "unknown\n"
    "swarm send NAME \"text\"                        # type to it, with Enter\n"
    "swarm interrupt NAME                          # Ctrl-C\n"
    "swarm peek NAME                               # the last lines of its terminal\n"
    "swarm logs NAME                               # what it wrote, also after its end\n"
    "swarm wait NAME --timeout 600                 # until it has ended\n"
    "swarm kill NAME                               # end it\n"
    "swarm clean NAME                              # forget it\n"
    "```\n"
    "\n"
    "- Give every worker a name that tells its task; one name, one worker.\n"
    "- Look with `swarm peek` before you type with `swarm send`.\n"
    "- Agents that change files at the same time each need `--worktree`.\n"
    "- Kill and clean what you started when its work is done.\n"
    "- `swarm help COMMAND` explains every command.\n";

static const char *const files[] = {"AGENTS.md", "CLAUDE.md"};

struct init_options {
	bool dry_run, force;
	int file; /* of `files`; -1: not chosen */
};

#define OPTIONS struct init_options
static const struct opt init_opts[] = {
    ROW_FLAG("dry-run", dry_run, "only say what would be done"),
    ROW_CHOICE("file", file, "FILE", "AGENTS.md|CLAUDE.md", "which file gets the instructions",
	.dflt = "the one that is there, else AGENTS.md"),
    ROW_FLAG("force", force, "replace instructions that are there already"),
};

static void
swarm_init_defaults(void *opts)
{
	((struct init_options *)opts)->file = -1;
}

/* Loads the file: 1 and its text, 0 when it is not there, -1 + err. */
static int
swarm_init_load(const char *file, struct buf *text, struct err *err)
{
	struct err why = ERR_INIT;

	if (fs_read(AT_FDCWD, file, FILE_MAX, text, &why) == 0)
		return 1;
	if (why.code == ENOENT)
		return 0;
	return err_pass(err, &why);
}

static bool
swarm_init_is_marked(const char *file)
{
	AUTO_BUF text = BUF_INIT;

	return swarm_init_load(file, &text, NULL) == 1 && strstr(text.data, MARKER) != NULL;
}

/* The file that was chosen; else the one that has the instructions; else the first that is
 * there. */
static const char *
target(const struct init_options *o)
{
	if (o->file >= 0)
		return files[o->file];
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		if (swarm_init_is_marked(files[i]))
			return files[i];
	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		if (access(files[i], F_OK) == 0)
			return files[i];
	return files[0];
}

static void
swarm_init_append(const struct buf *old, struct buf *text)
{
	buf_add(text, old->data, old->len);
	while (text->len > 0 && text->data[text->len - 1] == '\n')
		buf_truncate(text, text->len - 1);
	if (text->len > 0)
		buf_adds(text, "\n\n");
	buf_adds(text, instructions);
}

/* Replaces the section: the line with the marker, up to the next heading of its level. */
static void
swarm_init_replace(const struct buf *old, struct buf *text)
{
	const char *start = strstr(old->data, MARKER), *end;

	while (start > old->data && start[-1] != '\n')
		start--;
	end = strstr(start + 1, "\n## ");
	buf_add(text, old->data, (size_t)(start - old->data));
	buf_adds(text, instructions);
	if (end != NULL)
		buf_adds(text, end);
}

static int
write_instructions(const struct init_options *o, const char *file, const struct buf *old,
    bool exists, struct err *err)
{
	bool marked = exists && strstr(old->data, MARKER) != NULL;
	AUTO_BUF text = BUF_INIT;

	if (marked && !o->force)
		return cmd_say("swarm: %s already contains swarm instructions", file);
	if (o->dry_run && !exists)
		return cmd_say("Would create %s with swarm agent instructions", file);
	if (o->dry_run)
		return cmd_say("Would %s swarm instructions %s %s",
		    marked ? "update" : "append", marked ? "in" : "to", file);
	if (marked)
		swarm_init_replace(old, &text);
	else
		swarm_init_append(old, &text);
	if ((exists ? userfile_replace(AT_FDCWD, file, old, &text, err)
		    : userfile_create(AT_FDCWD, file, &text, err)) < 0)
		return -1;
	if (!exists)
		return cmd_say("Created %s", file);
	return cmd_say("%s swarm instructions %s %s", marked ? "Updated" : "Added",
	    marked ? "in" : "to", file);
}

static int
run(const struct cmd_args *args)
{
	const struct init_options *o = args->opts;
	const char *file = target(o);
	AUTO_BUF old = BUF_INIT;
	int exists = swarm_init_load(file, &old, args->err);

	return exists < 0 ? -1 : write_instructions(o, file, &old, exists == 1, args->err);
}

const struct cmd cmd_swarm_init = {
    .name = "init",
    .usage = "[--dry-run] [--file AGENTS.md|CLAUDE.md] [--force]",
    .summary = "Tell the agents of a project about swarm",
    .about = "Adds a section on swarm to AGENTS.md or CLAUDE.md in the current directory, "
	     "whichever is there; makes AGENTS.md when neither is. What has the section "
	     "already stays as it is, unless --force.",
    .examples = "  swarm init --dry-run\n"
		"  swarm init\n",
    CMD_OPTIONS(init_opts),
    .init = swarm_init_defaults,
    .run = run,
};
