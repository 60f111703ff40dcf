/*
 * complete.c - ralph graph complete and reset: a task is done, and there is something to show
 * for it; or it is free again.
 */
#include "cmd/graph/graph.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include "git/git.h"
#include <fcntl.h>
#include <inttypes.h>

enum { LEAST = 100, LEAST_MD = 500 };

struct change_options {
	bool force;
};

#define OPTIONS struct change_options
static const struct opt complete_opts[] = {
    ROW_FLAG("force", force,
	"complete the task also without its output, and while somebody in another worktree "
	"works on it"),
};

static const struct opt reset_opts[] = {
    ROW_FLAG("force", force, "free the task also while a process that lives works on it"),
};

static bool
is_empty_dir(const struct graph_place *p, const char *path)
{
	AUTO_STRLIST names = NULL;

	return fs_list(p->fd, path, &names, NULL) == 0 && strlist_len(names) == 0;
}

static void
warn_uncommitted(const struct graph_place *p, const char *path)
{
	AUTO_RUN r = RUN_INIT;

	if (git_run(p->root, "git status",
		ARGS("status", "--porcelain", "--ignore-submodules=dirty", "--", path), &r,
		NULL) == 0 &&
	    r.out.len > 0)
		warning("%s is not committed", path);
}

/* Checks one path of the output.  False when nothing is there, which was said. */
static bool
check_path(const struct graph_place *p, const char *path)
{
	struct stat st;

	if (fstatat(p->fd, path, &st, 0) < 0) {
		error("the output is missing: %s", path);
		return false;
	}
	if (S_ISDIR(st.st_mode) && is_empty_dir(p, path)) {
		error("the output is an empty directory: %s", path);
		return false;
	}
	if (S_ISREG(st.st_mode) && st.st_size < (graph_is_markdown(path) ? LEAST_MD : LEAST))
		warning("%s has only %" PRId64 " bytes", path, (int64_t)st.st_size);
	warn_uncommitted(p, path);
	return true;
}

/* Checks all paths of the output, which are separated by commas. */
static bool
check_output(const struct graph_place *p, const char *output)
{
	AUTO_FREE char *copy = xstrdup(output);
	char *rest = copy, *path;
	bool good = true;

	while ((path = strsep(&rest, ",")) != NULL) {
		size_t len;

		path += strspn(path, " ");
		len = strlen(path);
		while (len > 0 && path[len - 1] == ' ')
			path[--len] = '\0';
		if (len > 0 && !check_path(p, path))
			good = false;
	}
	return good;
}

/* Call before the lock is taken, since git may take its time. */
static int
complete_check(struct graph_place *p, const char *id)
{
	AUTO_GRAPH g;
	struct err err = ERR_INIT;
	const struct graph_task *t;
	enum claim_result rc = graph_look(p, &g, NULL, &err);

	if (rc != CLAIM_CLAIMED)
		return graph_failed(rc, &err);
	t = graph_find(&g, id);
	if (t == NULL || t->output == NULL || t->now == TASK_COMPLETE ||
	    check_output(p, t->output))
		return EX_OK;
	graph_audit(p,
	    &(struct graph_event){.event = "complete-blocked",
		.task = t->id,
		.before = task_status_name(t->now),
		.notes = "the output is missing"},
	    NULL);
	(void)fprintf(stderr, "%s is not complete; --force says it is\n", t->id);
	return EX_FAILED;
}

static int
run(const struct cmd_args *args)
{
	const struct change_options *o = args->opts;
	bool completes = strcmp(args->cmd->name, "graph complete") == 0;
	const char *id = args->operands.args[0];
	AUTO_SESSION s = GRAPH_SESSION_INIT;
	struct err err = ERR_INIT;
	AUTO_BUF notes = BUF_INIT;
	AUTO_BUF out = BUF_INIT;
	enum claim_result result;
	int rc = graph_session_open(&s, args);

	if (rc == EX_OK)
		rc = graph_may_change(&s, id);
	if (rc == EX_OK && completes && !o->force)
		rc = complete_check(&s.place, id);
	if (rc != EX_OK)
		return rc;
	result =
	    (completes ? graph_complete : graph_reset)(&s.place, id, o->force, &notes, &err);
	rc = graph_failed(result, &err);
	warning_lines(notes.data);
	if (rc == EX_OK)
		buf_addf(&out, "%s is %s\n", id, completes ? "complete" : "free again");
	cmd_print(&out);
	return rc;
}

const struct cmd cmd_graph_complete = {
    .name = "graph complete",
    .usage = "ID [--force]",
    .summary = "Mark a task as complete",
    .about =
	"Sets the status in the graph and in the task's ticket, makes ready what waited for "
	"it, and ends its claim. Where the task names its output, that must be there and not "
	"be an empty directory (exit code 1, as for an id that is not there); output that is "
	"very short or not committed is warned about. To complete a task twice is no error. In "
	"a session of 'ralph graph run' (RALPH_TASK) only its own task can be completed or "
	"reset.",
    .examples = "  ralph graph complete T-001\n",
    CMD_OPTIONS(complete_opts),
    .min_args = 1,
    .max_args = 1,
    .operand = "task",
    .run = run,
};

const struct cmd cmd_graph_reset = {
    .name = "graph reset",
    .usage = "ID [--force]",
    .summary = "Free a task, whatever became of it",
    .about = "For a task that failed, that was claimed and forgotten, or that is complete but "
	     "should be done again: its claim goes, and graph and ticket say ready (or "
	     "pending, when it waits for others). What was done for it in the working tree or "
	     "in git stays. Exit code 1: no task has that id.",
    .examples = "  ralph graph reset T-001\n",
    CMD_OPTIONS(reset_opts),
    .min_args = 1,
    .max_args = 1,
    .operand = "task",
    .run = run,
};
