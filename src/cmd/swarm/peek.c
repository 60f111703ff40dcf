/*
 * peek.c - swarm peek: the last lines of a worker's terminal.
 */
#include "cmd/cmd.h"
#include "cmd/swarm/output.h"
#include "loops/reading.h"

#include "base/log.h"
#include <errno.h>

enum { EX_NO_WORKER = 2 };

struct peek_options {
	int64_t lines;
	bool all;
};

#define OPTIONS struct peek_options
static const struct opt peek_opts[] = {
    ROW_COUNT("lines", lines, "N", "how many of the last lines to print", .letter = 'n',
	.usual = "30"),
    ROW_FLAG("all", all, "print the last lines of every worker that runs"),
};

struct peeking {
	int64_t lines;
	struct buf out;
	int rc;
};

static int
peek(const struct worker *w, int64_t lines, struct buf *out, struct err *err)
{
	AUTO_BUF text = BUF_INIT;

	if (!worker_has_terminal(w))
		return err_set(err, "worker '%s' is not a tmux worker", worker_name(w));
	if (w->foreign)
		return err_set(err,
		    "failed to capture pane for '%s': it was started by another program",
		    worker_name(w));
	if (output_screen(w, &text, err) < 0)
		return -1;
	/* More than a screen is in the recording only. */
	if ((int64_t)output_lines(&text) < lines) {
		buf_clear(&text);
		if (output_all(w, &text, NULL, err) < 0)
			return -1;
	}
	reading_tail(&text, lines);
	buf_add(out, text.data, text.len);
	return 0;
}

static void
peek_each(void *ctx, struct worker *w)
{
	struct peeking *p = ctx;
	struct err err = ERR_INIT;
	AUTO_BUF text = BUF_INIT;

	if (!w->running || w->foreign || !worker_has_terminal(w))
		return;
	if (peek(w, p->lines, &text, &err) < 0 && err.code != ENOENT && err.code != EAGAIN) {
		error("%s", err.text);
		p->rc = EX_FAILED;
		return;
	}
	buf_addf(&p->out, "=== %s ===\n%s\n", worker_name(w), text.data);
}

static int
peek_all(int64_t lines, struct err *err)
{
	struct peeking p = {.lines = lines, .out = BUF_INIT, .rc = EX_OK};
	int malformed = workers_each(peek_each, &p, err);

	cmd_print(&p.out);
	buf_release(&p.out);
	return malformed < 0 ? -1 : malformed > 0 ? EX_FAILED : p.rc;
}

static int
run(const struct cmd_args *args)
{
	const struct peek_options *o = args->opts;
	AUTO_BUF out = BUF_INIT;
	AUTO_WORKER w = WORKER_INIT;
	int rc;

	if (o->all)
		return peek_all(o->lines, args->err);
	if (args->operands.nargs == 0)
		return err_set(args->err, "worker name required (or use --all)");
	if (worker_open(&w, args->operands.args[0], args->err) < 0)
		return args->err->code == ENOENT ? -EX_NO_WORKER : -EX_FAILED;
	rc = peek(&w, o->lines, &out, args->err);
	cmd_print(&out);
	return rc;
}

const struct cmd cmd_peek = {
    .name = "peek",
    .usage = "[-n N] [--all | NAME]",
    .summary = "Show the last lines of a worker's terminal",
    .about = "Whether it runs or has ended. With --all, those that run, each under its name.",
    .examples = "  swarm peek agent\n"
		"  swarm peek -n 5 --all\n",
    CMD_OPTIONS(peek_opts),
    .max_args = 1,
    .operand = "loop",
    .run = run,
};
