/*
 * word.c - ralph done, stuck, blocked, progress: how an agent tells its loop how it gets on.
 *
 * They speak through the worker channel of the session they run in (session/channel.h), which
 * takes them only for the turn that they have a proof of.  The tag is printed for people to
 * see.
 */
#include "cmd/cmd.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "session/channel.h"
#include "supervisor/held.h"
#include "work/todo/todo_done.h"
#include <unistd.h>

#define TOKEN_MOST 64 /* bytes: a frame has room for it */
#define DISK_PAUSE 1  /* s */

struct word_options {
	char *turn;
	char *task;
	char *summary;
	char **files;
};

#define OPTIONS struct word_options
#define ABOUT_OPTIONS                                                                \
	ROW_TEXT("turn", turn, "TOKEN",                                              \
	    "the token in the task's prompt; without it a word counts only from "    \
	    "the worker's own processes, for the session's first task or with this " \
	    "task's done file"),                                                     \
	    ROW_TEXT("task", task, "ID",                                             \
		"refuse the word when the session's task is another; this proves nothing")

static const struct opt word_opts[] = {ABOUT_OPTIONS};
static const struct opt done_opts[] = {
    ABOUT_OPTIONS,
    ROW_TEXT("summary", summary, "TEXT",
	"what was changed, for the commit message: a line, or several"),
    ROW_LIST("file", files, "FILE", "a file that was changed; may be repeated"),
};

/* Returns where results go, as the loop has told; without a directory where the loop has
 * none. */
static struct todo_results
results_of(const json_t *notice)
{
	return (struct todo_results){
	    .dir = json_str(notice, "results", NULL), .list = json_str(notice, "list", NULL)};
}

/* Is this turn's file there already? */
static bool
is_filed(const json_t *notice)
{
	const struct todo_results in = results_of(notice);
	int64_t since = json_int(notice, "since", 0);

	return in.dir != NULL && since > 0 &&
	       todo_done_check(&in, json_str(notice, "task", ""), since, NULL, NULL) == 0;
}

/*
 * Writes the file before the word is said, since the listener looks for the file; and only for
 * a word that would be taken, since the file proves that somebody means this turn.  A file that
 * was itself the proof stays as it is: a word with no other proof may be late.
 */
static int
write_file(const json_t *notice, const struct word_options *o, struct err *err)
{
	const struct todo_results in = results_of(notice);
	bool told = o->summary != NULL || o->files != NULL;
	bool proof = o->turn == NULL && !json_bool(notice, "bare", true);

	if (in.dir == NULL || (json_bool(notice, "filed", false) && (proof || !told)))
		return 0;
	return todo_done_write(&in, json_str(notice, "task", ""),
	    o->summary == NULL ? "" : o->summary, o->files, err);
}

/* A full disk says nothing about the task.  Like everything of ours that meets a full disk, the
 * file is written again until that works.  Asking whether the word would still be taken is a
 * sign of life, so nobody takes the agent for one that hangs. */
static int
word_say_done(int fd, const json_t *notice, const struct word_options *o, struct err *err)
{
	for (bool said = false;; said = true) {
		struct err why = ERR_INIT;

		if (channel_may(fd, notice, SIGNAL_DONE, "", err) < 0)
			return -1;
		if (write_file(notice, o, &why) == 0)
			break;
		if (!held_is(why.text))
			return err_set(err, "%s", why.text);
		if (!said)
			warning("waiting for the disk: %s", why.text);
		(void)sleep(DISK_PAUSE);
	}
	return channel_say(fd, notice, SIGNAL_DONE, "", err);
}

static int
speak(const struct cmd_args *args, enum signal_kind kind, const char *tag, const char *text)
{
	const struct word_options *o = args->opts;
	AUTO_CLOSE int fd = o->turn != NULL && strlen(o->turn) > TOKEN_MOST
				? err_set(args->err, "that is no token of a turn")
				: channel_dial(args->err);
	AUTO_JSON *notice = fd < 0 ? NULL : channel_notice(fd, args->err);

	if (notice == NULL ||
	    channel_about(notice, o->task, o->turn, is_filed(notice), args->err) < 0 ||
	    (kind == SIGNAL_DONE ? word_say_done(fd, notice, o, args->err)
				 : channel_say(fd, notice, kind, text, args->err)) < 0)
		return -1;
	return cmd_say("<promise>%s%s%s</promise>", tag, *text == '\0' ? "" : ":", text);
}

static int
run_done(const struct cmd_args *args)
{
	return speak(args, SIGNAL_DONE, "DONE", "");
}

static char *
joined(const struct cmd_args *args)
{
	AUTO_BUF text = BUF_INIT;

	for (size_t i = 0; i < args->operands.nargs; i++) {
		buf_adds(&text, i == 0 ? "" : " ");
		text_untag(&text, args->operands.args[i], strlen(args->operands.args[i]));
	}
	for (size_t i = 0; i < text.len; i++)
		if (text.data[i] == '\n' || text.data[i] == '\r')
			text.data[i] = ' ';
	return buf_detach(&text);
}

static int
word_help(const struct cmd_args *args)
{
	bool stuck = strcmp(args->cmd->name, "stuck") == 0;
	AUTO_FREE char *text = joined(args);

	return speak(
	    args, stuck ? SIGNAL_STUCK : SIGNAL_BLOCKED, stuck ? "STUCK" : "BLOCKED", text);
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
	return speak(args, SIGNAL_PROGRESS, "PROGRESS", text);
}

#define ABOUT                                                                                \
	"For agents that 'ralph todo' leads, run inside their session. The word counts for " \
	"the task whose prompt has the token given with --turn, and for no other; it is "    \
	"not lost when the loop is not listening just now. The session is the one that "     \
	"RALPH_WORKER names; who runs the command where that is not set (a container, ssh, " \
	"an older tmux server) has to hand it on, and needs the token. The guide "           \
	"doc/todo.md tells how."

const struct cmd cmd_done = {
    .name = "done",
    .usage = "[--turn TOKEN] [--summary TEXT] [--file FILE]... [--task ID]",
    .summary = "For workers: the task is complete",
    .about = "Writes the task's done file, then signals. A word that is refused writes none. "
	     "When the disk is full it waits until there is space, and says so. " ABOUT,
    .examples =
	"  ralph done --turn k7wq2mzx --summary 'add a parser for dates' --file src/date.c\n",
    CMD_OPTIONS(done_opts),
    .run = run_done,
};

const struct cmd cmd_stuck = {
    .name = "stuck",
    .usage = "[--turn TOKEN] [--task ID] QUESTION",
    .summary = "For workers: ask for help and wait for it",
    .about = ABOUT,
    .examples = "  ralph stuck --turn k7wq2mzx 'which file has the routes?'\n",
    .min_args = 1,
    .max_args = 64,
    .words = true,
    CMD_OPTIONS(word_opts),
    .run = word_help,
};

const struct cmd cmd_blocked = {
    .name = "blocked",
    .usage = "[--turn TOKEN] [--task ID] REASON",
    .summary = "For workers: something outside keeps the task from being done",
    .about = ABOUT,
    .examples = "  ralph blocked --turn k7wq2mzx 'the staging server is down'\n",
    .min_args = 1,
    .max_args = 64,
    .words = true,
    CMD_OPTIONS(word_opts),
    .run = word_help,
};

const struct cmd cmd_progress = {
    .name = "progress",
    .usage = "[--turn TOKEN] [--task ID] N",
    .summary = "For workers: so many percent are done",
    .about = ABOUT " Progress counts without a token, too.",
    .examples = "  ralph progress 40\n",
    .min_args = 1,
    .max_args = 1,
    CMD_OPTIONS(word_opts),
    .run = run_progress,
};
