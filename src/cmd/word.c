/*
 * word.c - ralph done, stuck, blocked, progress: how an agent tells its loop how it gets on.
 *
 * They speak through the worker channel of the session they run in (session/channel.h), which
 * takes them only for the task that the agent works on.  The tag is printed for people to see.
 */
#include "cmd/cmd.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/log.h"
#include "session/channel.h"
#include "source/todo_done.h"

struct word_options {
	char *task;
	char *summary;
	char **files;
};

#define TASK_OPTION                                                                            \
	{                                                                                      \
		.name = "task", .type = OPT_TEXT,                                              \
		.offset = offsetof(struct word_options, task), .arg = "ID",                    \
		.help = "the task this is about; needed by programs that an earlier one left " \
			"running"                                                              \
	}

static const struct opt word_opts[] = {TASK_OPTION};
static const struct opt done_opts[] = {
    TASK_OPTION,
    {.name = "summary",
	.type = OPT_TEXT,
	.offset = offsetof(struct word_options, summary),
	.arg = "TEXT",
	.help = "what was changed, for the commit message: a line, or several"},
    {.name = "file",
	.type = OPT_LIST,
	.offset = offsetof(struct word_options, files),
	.arg = "FILE",
	.help = "a file that was changed; may be repeated"},
};

/* The file first: who hears of it looks for the file.  A word that comes too late does not
 * change what the first one said; but one that forgot its file may still bring it. */
static int
write_file(const json_t *notice, const struct word_options *o, struct err *err)
{
	const char *results = json_str(notice, "results", NULL);
	const char *task = json_str(notice, "task", "");

	if (results == NULL || (json_bool(notice, "over", false) &&
				   todo_done_check(results, task, 0, NULL, NULL) == DONE_OK))
		return 0;
	return todo_done_write(
	    results, task, o->summary == NULL ? "" : o->summary, o->files, err);
}

static void
print_tag(const char *word, const char *text)
{
	AUTO_BUF out = BUF_INIT;

	buf_addf(&out, "<promise>%s%s%s</promise>\n", word, *text == '\0' ? "" : ":", text);
	cmd_print(&out);
}

static int
speak(enum signal_kind kind, const char *word, const char *text, const struct word_options *o)
{
	struct err err = ERR_INIT;
	int fd = channel_dial(&err);
	AUTO_JSON *notice = fd < 0 ? NULL : channel_notice(fd, &err);
	int rc = -1;

	if (notice != NULL && channel_name(notice, o->task, &err) == 0 &&
	    (kind != SIGNAL_DONE || write_file(notice, o, &err) == 0))
		rc = channel_say(fd, notice, kind, text, &err);
	if (fd >= 0)
		close(fd);
	if (rc < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	print_tag(word, text);
	return EX_OK;
}

static int
run_done(const struct cmd_args *args)
{
	return speak(SIGNAL_DONE, "DONE", "", args->opts);
}

static char *
joined(const struct cmd_args *args)
{
	AUTO_BUF text = BUF_INIT;

	for (size_t i = 0; i < args->operands.nargs; i++)
		buf_addf(&text, "%s%s", i == 0 ? "" : " ", args->operands.args[i]);
	for (size_t i = 0; i < text.len; i++)
		if (text.data[i] == '\n' || text.data[i] == '\r')
			text.data[i] = ' ';
	return buf_detach(&text);
}

static int
run_stuck(const struct cmd_args *args)
{
	AUTO_FREE char *text = joined(args);

	return speak(SIGNAL_STUCK, "STUCK", text, args->opts);
}

static int
run_blocked(const struct cmd_args *args)
{
	AUTO_FREE char *text = joined(args);

	return speak(SIGNAL_BLOCKED, "BLOCKED", text, args->opts);
}

static int
run_progress(const struct cmd_args *args)
{
	const char *given = args->operands.args[0];
	size_t digits = strspn(given, "0123456789");
	AUTO_FREE char *text = xstrndup(given, digits);

	if (digits == 0 || digits > 3 ||
	    (given[digits] != '\0' && strcmp(given + digits, "%") != 0)) {
		error("'%s' is no percentage (0 to 100)", given);
		return EX_USAGE;
	}
	return speak(SIGNAL_PROGRESS, "PROGRESS", text, args->opts);
}

#define ABOUT                                                                                \
	"For agents that 'ralph todo' leads, run inside their session. The word counts for " \
	"the task that the session works on, and is not lost when the loop is not "          \
	"listening just now."

const struct cmd cmd_done = {
    .name = "done",
    .usage = "[--summary TEXT] [--file FILE]... [--task ID]",
    .summary = "For workers: the task is complete",
    .about = "Writes the task's done file, then signals. " ABOUT,
    .examples = "  ralph done --summary 'add a parser for dates' --file src/date.c\n",
    .opts = done_opts,
    .nopts = ARRAY_LEN(done_opts),
    .size = sizeof(struct word_options),
    .run = run_done,
};

const struct cmd cmd_stuck = {
    .name = "stuck",
    .usage = "[--task ID] QUESTION",
    .summary = "For workers: ask for help and wait for it",
    .about = ABOUT,
    .examples = "  ralph stuck 'which file has the routes?'\n",
    .min_args = 1,
    .max_args = 64,
    .dashes = true,
    .opts = word_opts,
    .nopts = ARRAY_LEN(word_opts),
    .size = sizeof(struct word_options),
    .run = run_stuck,
};

const struct cmd cmd_blocked = {
    .name = "blocked",
    .usage = "[--task ID] REASON",
    .summary = "For workers: something outside keeps the task from being done",
    .about = ABOUT,
    .examples = "  ralph blocked 'the staging server is down'\n",
    .min_args = 1,
    .max_args = 64,
    .dashes = true,
    .opts = word_opts,
    .nopts = ARRAY_LEN(word_opts),
    .size = sizeof(struct word_options),
    .run = run_blocked,
};

const struct cmd cmd_progress = {
    .name = "progress",
    .usage = "[--task ID] N",
    .summary = "For workers: so many percent are done",
    .about = ABOUT,
    .examples = "  ralph progress 40\n",
    .min_args = 1,
    .max_args = 1,
    .opts = word_opts,
    .nopts = ARRAY_LEN(word_opts),
    .size = sizeof(struct word_options),
    .run = run_progress,
};
