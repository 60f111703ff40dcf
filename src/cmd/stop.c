/*
 * stop.c - ralph stop: end the agent and the loop.
 */
#include "cmd/cmd.h"
#include "cmd/control.h"
#include "cmd/loops.h"
#include "cmd/supervisor.h"

#include "base/clock.h"
#include "base/log.h"
#include <errno.h>
#include <poll.h>

static void
say_stopped(const char *name)
{
	AUTO_BUF out = BUF_INIT;

	buf_addf(&out, "stopped ralph loop for %s\n", name);
	cmd_print(&out);
}

/* "Stopped" is said when it is so: the supervisor closes the stream as its last act. */
static int
stop_running(const struct loop_view *v)
{
	struct err err = ERR_INIT;
	AUTO_CLOSE int events = control_watch(v->dir, &err);
	AUTO_JSON *reply = NULL;
	char chunk[4096];

	if (events >= 0)
		reply = control_call(v->dir, CONTROL_STOP, &err);
	if (reply == NULL) {
		error("%s", err.text);
		return EX_FAILED;
	}
	for (;;) {
		struct pollfd p = {.fd = events, .events = POLLIN};
		ssize_t n;

		(void)poll(&p, 1, -1);
		n = read(events, chunk, sizeof(chunk));
		if (n == 0 || (n < 0 && errno != EAGAIN && errno != EINTR))
			break;
	}
	say_stopped(v->name);
	return EX_OK;
}

static int
stop_dead(const struct loop_view *v)
{
	int rc;

	if (v->state.phase == PHASE_FINISHED) {
		warning("worker '%s' is not running (%s)", v->name, loop_status(&v->state));
		return EX_OK;
	}
	/* Take the loop over just to end what is left of it. */
	rc = supervisor_main(
	    &(struct supervisor_spec){.name = v->name, .quiet = true, .stop = true});
	if (rc != EX_UNFINISHED)
		return rc;
	say_stopped(v->name);
	return EX_OK;
}

static int
run(const struct cmd_args *args)
{
	struct loop_view v;
	struct err err = ERR_INIT;
	int rc;

	if (loop_view_open(&v, args->operands.args[0], &err) < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	rc = v.supervised ? stop_running(&v) : stop_dead(&v);
	loop_view_close(&v);
	return rc;
}

const struct cmd cmd_stop = {
    .name = "stop",
    .usage = "NAME",
    .summary = "End the agent and the loop",
    .about = "The agent's whole process tree gets SIGTERM, after the grace SIGKILL. The "
	     "command returns when "
	     "nothing of it is left. What was done stays; 'ralph resume' can go on later.",
    .examples = "  ralph stop myproject-run\n",
    .min_args = 1,
    .max_args = 1,
    .operand = "loop",
    .run = run,
};
