/*
 * logs.c - swarm logs: what a worker wrote.
 */
#include "cmd/look/logs.h"
#include "cmd/cmd.h"
#include "cmd/swarm/output.h"
#include "loops/worker.h"

#include "base/log.h"
#include "base/text.h"
#include <errno.h>
#include <signal.h>
#include <stdio.h>

#define FOLLOW_FROM 30

struct logs_options {
	bool history, follow;
	int64_t lines;
};

#define OPTIONS struct logs_options
static const struct opt logs_opts[] = {
    ROW_FLAG("history", history, "of a terminal: also what scrolled off the screen"),
    ROW_COUNT("lines", lines, "N", "how many lines of history", .usual = "1000"),
    ROW_FLAG("follow", follow, "go on as the worker writes, until it has ended", .letter = 'f'),
};

/* Ctrl-C is the way to leave --follow, so it is no failure. */
static void
swarm_logs_on_interrupt(int signo UNUSED)
{
	_exit(EX_OK);
}

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
			output_tail(&out, (size_t)o->lines + screen);
	}
	cmd_print(&out);
	return 0;
}

/* The original's two sentences do not call themselves errors. */
static int
swarm_logs_say(const char *text)
{
	AUTO_BUF shown = BUF_INIT;

	text_show(&shown, text, strlen(text), false);
	(void)fprintf(stderr, "%s: %s\n", log_name(), shown.data);
	return EX_FAILED;
}

static int
run(const struct cmd_args *args)
{
	const struct logs_options *o = args->opts;
	const char *name = args->operands.args[0];
	AUTO_BUF text = BUF_INIT;
	struct err err = ERR_INIT;
	struct worker w;
	int rc;

	if (worker_open(&w, name, &err) < 0) {
		if (err.code == ENOENT) {
			buf_addf(&text, "no worker named '%s'", name);
			return swarm_logs_say(text.data);
		}
		error("%s", err.text);
		return EX_FAILED;
	}
	if (o->follow)
		(void)signal(SIGINT, swarm_logs_on_interrupt);
	rc = o->follow && !w.foreign
		 ? logs_follow(&w.view, &(struct following){.lines = FOLLOW_FROM}, &err)
		 : swarm_logs_print(&w, o, &err);
	worker_close(&w);
	if (rc < 0 && err.code == ENOENT)
		return swarm_logs_say(err.text);
	if (rc < 0)
		error("%s", err.text);
	return rc < 0 ? EX_FAILED : EX_OK;
}

const struct cmd cmd_swarm_logs = {
    .name = "logs",
    .usage = "[--history [--lines N]] [--follow] NAME",
    .summary = "Print what a worker wrote",
    .about = "Of a worker with a terminal: its screen, or with --history what scrolled off "
	     "it, too. Of any other: everything. What workers wrote that have ended stays.",
    .examples = "  swarm logs agent --follow\n  swarm logs agent --history --lines 200\n",
    CMD_OPTIONS(logs_opts),
    .min_args = 1,
    .max_args = 1,
    .operand = "loop",
    .run = run,
};
