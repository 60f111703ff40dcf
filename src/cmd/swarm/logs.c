/*
 * logs.c - swarm logs: what a worker wrote.
 */
#include "cmd/cmd.h"
#include "cmd/look/following.h"
#include "cmd/swarm/ending.h"
#include "cmd/swarm/output.h"
#include "loops/reading.h"

#include <errno.h>

#define LINES_MOST (INT64_MAX / 2) /* more cannot be there */

#define FOLLOW_FROM 30

struct logs_options {
	bool history, follow;
	int64_t lines;
};

#define OPTIONS struct logs_options
static const struct opt logs_opts[] = {
    ROW_FLAG("history", history, "print also what scrolled off the screen of a terminal"),
    ROW_COUNT("lines", lines, "N", "how many lines of history to print", .usual = "1000"),
    ROW_FLAG("follow", follow, "go on as the worker writes, until it has ended", .letter = 'f'),
};

static int
swarm_logs_print(const struct worker *w, const struct logs_options *o, struct err *err)
{
	AUTO_BUF out = BUF_INIT;
	size_t screen;

	if (worker_has_terminal(w) && !o->history) {
		if (output_screen(w, &out, err) < 0)
			return -1;
	} else {
		if (output_all(w, &out, &screen, err) < 0)
			return -1;
		if (worker_has_terminal(w))
			reading_tail(&out,
			    o->lines < LINES_MOST ? o->lines + (int64_t)screen : o->lines);
	}
	cmd_print(&out);
	return 0;
}

static int
run(const struct cmd_args *args)
{
	const struct logs_options *o = args->opts;
	const char *name = args->operands.args[0];
	struct err *err = args->err;
	AUTO_WORKER w = WORKER_INIT;
	int rc;

	/* The original's two sentences do not call themselves errors. */
	if (worker_open(&w, name, err) < 0) {
		if (err->code != ENOENT)
			return -1;
		swarm_hint("no worker named '%s'", name);
		return EX_FAILED;
	}
	if (o->follow)
		cmd_leave_by_interrupt();
	rc = o->follow && !w.foreign
		 ? logs_follow(&w.view, &(struct logs_following){.lines = FOLLOW_FROM}, err)
		 : swarm_logs_print(&w, o, err);
	if (rc < 0 && err->code == ENOENT) {
		swarm_hint("%s", err->text);
		return EX_FAILED;
	}
	return rc;
}

const struct cmd cmd_swarm_logs = {
    .name = "logs",
    .usage = "[--history [--lines N]] [--follow] NAME",
    .summary = "Print what a worker wrote",
    .about = "Of a worker with a terminal: its screen, or with --history what scrolled off it, "
	     "too. Of any other: everything. What workers wrote that have ended stays.",
    .examples = "  swarm logs agent --follow\n"
		"  swarm logs agent --history --lines 200\n",
    CMD_OPTIONS(logs_opts),
    CMD_NAME,
    .run = run,
};
