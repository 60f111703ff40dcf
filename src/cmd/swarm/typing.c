/*
 * typing.c - swarm send, interrupt, eof: keys for workers.
 *
 * All workers that are meant get their keys first and are asked afterwards, so that a slow
 * one keeps no other waiting.
 */
#include "cmd/cmd.h"
#include "loops/between.h"
#include "loops/worker.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "session/wire.h"

#define ANSWER_TIMEOUT (90 * NSEC_PER_SEC)

struct typing_options {
	bool no_enter, all, raw;
};

#define OPTIONS struct typing_options
#define FLAG_ALL(help_) ROW_FLAG("all", all, help_)

static const struct opt send_opts[] = {
    ROW_FLAG("no-enter", no_enter, "do not press Enter after the text"),
    FLAG_ALL("type the text to every worker that runs and has a terminal"),
    ROW_FLAG(
	"raw", raw, "type the bytes as they are, control characters too, instead of a paste"),
};

static const struct opt interrupt_opts[] = {
    FLAG_ALL("interrupt every worker that runs and has a terminal"),
};

/* The bytes to type, and the words that say so afterwards. */
struct keys {
	enum wire_type type;
	const char *data;
	size_t len;
	const char *said; /* "sent to" */
};

struct typist {
	char *name;
	int fd;
};

struct typists {
	const struct keys *keys;
	struct typist *all;
	size_t n;
	int rc;
};

/* Types the keys.  The keeper answers a paste; of plain input it tells mistakes alone, so a
 * question follows it. */
static int
typing_type_to(int fd, const struct keys *keys, struct err *err)
{
	if (keys->type == WIRE_PASTE)
		return wire_write_frame(fd, keys->type, keys->data, keys->len, err);
	return wire_write_asking(fd, keys->type, keys->data, keys->len, err);
}

static int
typing_answer(int fd, struct err *err)
{
	AUTO_BUF frame = BUF_INIT;
	enum wire_type type;

	do {
		buf_clear(&frame);
		if (wire_read_frame(fd, ANSWER_TIMEOUT, &type, &frame, err) < 0)
			return between_lost(err);
	} while (type != WIRE_OK && type != WIRE_SCREEN && type != WIRE_ERROR);
	return type == WIRE_ERROR ? err_set(err, "%s", frame.data) : 0;
}

static void
typing_failed(struct typists *all, const char *name, const struct err *err)
{
	if (name == NULL)
		error("%s", err->text);
	else
		error("%s: %s", name, err->text);
	all->rc = EX_FAILED;
}

static int
typing_begin(struct typists *all, const struct worker *w, struct err *err)
{
	AUTO_CLOSE int fd = -1;

	if (!worker_has_terminal(w))
		return err_set(err, "worker '%s' is not a tmux worker", worker_name(w));
	fd = worker_dial(w, err);
	if (fd < 0)
		return -1;
	if (typing_type_to(fd, all->keys, err) < 0)
		return between_lost(err);
	all->all = xreallocarray(all->all, all->n + 1, sizeof(*all->all));
	all->all[all->n++] =
	    (struct typist){.name = xstrdup(worker_name(w)), .fd = take_fd(&fd)};
	return 0;
}

/* Passes over workers that nothing can be typed to now. */
static void
begin_each(void *ctx, struct worker *w)
{
	struct typists *all = ctx;
	struct err err = ERR_INIT;

	if (!w->running || w->foreign || !worker_has_terminal(w) ||
	    loop_active(&w->view.state) == 0)
		return;
	if (typing_begin(all, w, &err) < 0)
		typing_failed(all, worker_name(w), &err);
}

static void
typing_finish(struct typists *all)
{
	for (size_t i = 0; i < all->n; i++) {
		struct typist *one = &all->all[i];
		struct err err = ERR_INIT;

		if (typing_answer(one->fd, &err) < 0)
			typing_failed(all, one->name, &err);
		else
			cmd_say("%s %s", all->keys->said, one->name);
		close(one->fd);
		free(one->name);
	}
	free(all->all);
}

/* Types the keys to one worker, or with name NULL to all. */
static int
type_keys(const struct keys *keys, const char *name)
{
	struct typists all = {.keys = keys, .rc = EX_OK};
	struct err err = ERR_INIT;
	AUTO_WORKER w = WORKER_INIT;

	if (name == NULL) {
		int unread = workers_each(begin_each, &all, &err);

		if (unread < 0)
			typing_failed(&all, NULL, &err);
		else if (unread > 0) /* and named */
			all.rc = EX_FAILED;
	} else if (worker_open(&w, name, &err) < 0 || typing_begin(&all, &w, &err) < 0) {
		typing_failed(&all, NULL, &err);
	}
	typing_finish(&all);
	return all.rc;
}

/* ---- the commands ---------------------------------------------------------------- */

static int
send_run(const struct cmd_args *args)
{
	const struct typing_options *o = args->opts;
	char *const *words = args->operands.args;
	const char *text = words[args->operands.nargs - 1];
	AUTO_BUF data = BUF_INIT;
	struct keys keys = {.type = o->raw ? WIRE_INPUT : WIRE_PASTE, .said = "sent to"};

	if (!o->all && args->operands.nargs < 2)
		return err_set(args->err, "--name required when not using --all");
	if (o->all && args->operands.nargs > 1) {
		error("with --all there is a TEXT, and no NAME");
		return EX_USAGE;
	}
	if (!o->raw)
		buf_addc(&data, o->no_enter ? 0 : 1);
	buf_adds(&data, text);
	if (o->raw && !o->no_enter)
		buf_addc(&data, '\r');
	keys.data = data.data;
	keys.len = data.len;
	return type_keys(&keys, o->all ? NULL : words[0]);
}

static int
interrupt_run(const struct cmd_args *args)
{
	static const struct keys keys = {WIRE_INPUT, "\003", 1, "interrupted"};
	const struct typing_options *o = args->opts;

	if (!o->all && args->operands.nargs == 0)
		return err_set(args->err, "worker name required when not using --all");
	return type_keys(&keys, o->all ? NULL : args->operands.args[0]);
}

static int
eof_run(const struct cmd_args *args)
{
	static const struct keys keys = {WIRE_INPUT, "\004", 1, "sent eof to"};

	return type_keys(&keys, args->operands.args[0]);
}

const struct cmd cmd_swarm_send = {
    .name = "send",
    .usage = "[--no-enter] [--raw] [--all | NAME] TEXT",
    .summary = "Type a text to a worker",
    .about = "The text is pasted into the worker's terminal, then Enter is pressed. It may "
	     "begin with a dash; only what is one of the options above must go behind --.",
    .examples = "  swarm send agent 'please also run the linter'\n"
		"  swarm send agent '- and one more thing'\n"
		"  swarm send --all 'commit what you have'\n",
    CMD_OPTIONS(send_opts),
    .min_args = 1,
    .max_args = 2,
    .dashes = true,
    .operand = "loop",
    .run = send_run,
};

const struct cmd cmd_interrupt = {
    .name = "interrupt",
    .usage = "[--all | NAME]",
    .summary = "Press Ctrl-C in a worker's terminal",
    .examples = "  swarm interrupt agent\n"
		"  swarm interrupt --all\n",
    CMD_OPTIONS(interrupt_opts),
    .max_args = 1,
    .operand = "loop",
    .run = interrupt_run,
};

const struct cmd cmd_eof = {
    .name = "eof",
    .usage = "NAME",
    .summary = "Press Ctrl-D in a worker's terminal: end of input",
    .examples = "  swarm eof agent\n",
    CMD_NAME,
    .run = eof_run,
};
