/*
 * wait.c - ralph wait: until a loop is over.
 */
#include "cmd/choose.h"
#include "cmd/cmd.h"
#include "cmd/control.h"
#include "cmd/loops.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include <errno.h>
#include <poll.h>

struct wait_options {
	int64_t timeout;
};

static const struct opt wait_opts[] = {
    {
	.name = "timeout",
	.type = OPT_SPAN,
	.flags = OPT_ZERO,
	.offset = offsetof(struct wait_options, timeout),
	.arg = "DURATION",
	.dflt = "none",
	.help = "give up after so long (exit code 124); 0 looks once",
    },
};

static void
wait_init(void *opts)
{
	((struct wait_options *)opts)->timeout = -1;
}

/* Until the supervisor goes: 0, or 1 when the time is up. */
static int
wait_stream(int events, int64_t timeout)
{
	int64_t until = clock_boot() + timeout;
	char chunk[4096];

	for (;;) {
		struct pollfd p = {.fd = events, .events = POLLIN};
		int64_t left = until - clock_boot();
		int ms = timeout < 0 ? -1 : left <= 0 ? 0 : (int)(left / NSEC_PER_MSEC) + 1;
		ssize_t n;

		if (poll(&p, 1, ms) == 0)
			return 1;
		n = read(events, chunk, sizeof(chunk));
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			return 0;
	}
}

static int
say(const struct loop_view *v)
{
	AUTO_BUF out = BUF_INIT;

	if (v->state.phase == PHASE_FINISHED) {
		buf_addf(&out, "%s: %s (%s)\n", v->name, loop_word(&v->state),
		    end_reason_name(v->state.reason));
		cmd_print(&out);
		return end_reason_code(v->state.reason);
	}
	buf_addf(&out, "%s: ", v->name);
	loop_view_condition(v, &out);
	buf_addc(&out, '\n');
	cmd_print(&out);
	return EX_UNFINISHED;
}

static int
run(const struct cmd_args *args)
{
	const struct wait_options *o = args->opts;
	AUTO_FREE char *name = NULL;
	struct err err = ERR_INIT;
	struct loop_view v;
	int rc;

	if (choose_loop(&v, args->operands.args[0], VIEW_WHOLE, args->cmd->name, &err) < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	name = xstrdup(v.name);
	if (v.supervised) {
		AUTO_CLOSE int events = control_watch(v.dir, &err);

		/* A supervisor that went in between is no error: look again. */
		if (events >= 0 && wait_stream(events, o->timeout) == 1) {
			error("%s: still %s (timeout)", name, loop_status(&v.state));
			loop_view_close(&v);
			return EX_TIMEOUT;
		}
		loop_view_close(&v);
		if (loop_view_open(&v, name, events < 0 ? NULL : &err) < 0 ||
		    (events < 0 && v.supervised)) {
			error("%s", err.text);
			loop_view_close(&v);
			return EX_FAILED;
		}
	}
	rc = say(&v);
	loop_view_close(&v);
	return rc;
}

const struct cmd cmd_wait = {
    .name = "wait",
    .usage = "[--timeout DURATION] [NAME]",
    .summary = "Wait until a loop is over",
    .about = "The exit code is the loop's: 0 complete, 1 too many failures, 3 stopped before "
	     "it was complete, or paused and left, or between two turns of 'ralph loop "
	     "--once', 10 not done within its iterations or its "
	     "time, 11 some of it failed; the manual has them all. A paused loop whose "
	     "supervisor runs is waited for.",
    .examples = "  ralph wait myproject-run && notify-send 'all done'\n  ralph wait --timeout "
		"8h myproject-run\n",
    .opts = wait_opts,
    .nopts = ARRAY_LEN(wait_opts),
    .size = sizeof(struct wait_options),
    .min_args = 1,
    .max_args = 1,
    .operand = "loop",
    .chosen = CHOSEN_READ,
    .init = wait_init,
    .run = run,
};
