/*
 * lessons.c - ralph loop lessons: what agents learnt in this project.
 */
#include "cmd/cmd.h"
#include "work/tickets/project.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "work/tickets/views/tickets_view.h"
#include <errno.h>
#include <inttypes.h>

#define LESSONS_FILE "AGENTS.md"
#define FILE_LIMIT ((size_t)64 << 20)
#define KEEP_DEFAULT 20
#define KEEP_LIMIT 1000000

static int
loop_lessons_show(int dir, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF shown = BUF_INIT;

	if (fs_read(dir, LESSONS_FILE, FILE_LIMIT, &text, err) < 0 && err->code != ENOENT)
		return -1;
	/* Agents wrote it: a terminal gets no control characters. */
	if (isatty(STDOUT_FILENO))
		text_show(&shown, text.data, text.len, true);
	cmd_print(isatty(STDOUT_FILENO) ? &shown : &text);
	return 0;
}

static int
parse_keep(const char *text, int64_t *out, struct err *err)
{
	AUTO_BUF shown = BUF_INIT;
	char *end;

	errno = 0;
	*out = strtoll(text, &end, 10);
	if (errno == 0 && end != text && *end == '\0' && *out >= 0 && *out <= KEEP_LIMIT)
		return 0;
	text_quote(&shown, text);
	return err_set(err, "how many lessons to keep must be a number, not %s", shown.data);
}

static int
prune(const char *root, int64_t keep, struct err *err)
{
	AUTO_BUF notes = BUF_INIT;
	int64_t removed = 0;
	int lock = project_lock(root, "prune", &notes, err);
	int rc = lock < 0 ? -1 : tickets_lessons_prune(root, keep, &removed, err);

	lock_release(&lock);
	if (rc < 0)
		return -1;
	return cmd_say("Removed %" PRId64 " lesson%s; at most %" PRId64 " are kept.", removed,
	    removed == 1 ? "" : "s", keep);
}

static int
run(const struct cmd_args *args)
{
	char *const *words = args->operands.args;
	size_t n = args->operands.nargs;
	bool prunes = n > 0 && strcmp(words[0], "prune") == 0;
	struct err *err = args->err;
	int64_t keep = KEEP_DEFAULT;
	AUTO_CLOSE int dir = -1;
	AUTO_FREE char *root = NULL;

	if (n > 0 && !prunes && strcmp(words[0], "show") != 0)
		(void)err_set(err, "it is 'lessons show' or 'lessons prune'");
	else if (n > 1 && !prunes)
		(void)err_set(err, "too many arguments");
	if (err->text[0] != '\0' || (n > 1 && parse_keep(words[1], &keep, err) < 0))
		return -EX_USAGE;
	root = project_need(&dir);
	if (root == NULL)
		return EX_FAILED;
	return prunes ? prune(root, keep, err) : loop_lessons_show(dir, err);
}

const struct cmd cmd_loop_lessons = {
    .name = "loop lessons",
    .usage = "[show | prune [N]]",
    .summary = "Show what agents learnt, or keep only the newest of it",
    .about = "Lessons are in " PROJECT_DIR
	     "/AGENTS.md, a block \"## Lesson from TICKET\" each. 'prune' keeps the newest N "
	     "of them (20) and everything else in the file. While a run is active it keeps "
	     "lessonsMaxCount of them by itself.",
    .examples = "  ralph loop lessons\n"
		"  ralph loop lessons prune 10\n",
    .max_args = 2,
    .run = run,
};
