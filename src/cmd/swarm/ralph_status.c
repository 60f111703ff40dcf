/*
 * ralph_status.c - swarm ralph status: how a worker's loop stands.
 */
#include "cmd/cmd.h"
#include "cmd/swarm/ralph_state.h"
#include "loops/describe.h"

#include "base/clock.h"
#include "base/text.h"
#include <errno.h>
#include <inttypes.h>

static void
ralph_status_add_time(const char *label, const char *iso, struct buf *out)
{
	int64_t wall;

	if (clock_parse(iso, &wall) < 0)
		return;
	buf_adds(out, label);
	clock_fmt_human(wall, out);
	buf_addc(out, '\n');
}

/* Adds the seed's block for a loop that the original program left. */
static void
ralph_status_add_block(const char *name, const json_t *state, bool running, struct buf *out)
{
	const char *status = json_str(state, "status", "unknown");
	const char *pattern = json_str(state, "done_pattern", NULL);

	buf_addf(out, "Ralph Loop: %s\nStatus: %s", name, status);
	if (!running && strcmp(status, "running") == 0)
		buf_adds(out, " (but nothing of it runs; it was started by another program)");
	buf_adds(out, "\nIteration: ");
	ralph_state_iteration(state, out);
	buf_addc(out, '\n');
	ralph_status_add_time("Started: ", json_str(state, "started", ""), out);
	ralph_status_add_time(
	    "Current iteration started: ", json_str(state, "last_iteration_started", ""), out);
	buf_addf(out,
	    "Consecutive failures: %" PRId64 "\nTotal failures: %" PRId64
	    "\nInactivity timeout: %" PRId64 "s\n",
	    json_int(state, "consecutive_failures", 0), json_int(state, "total_failures", 0),
	    json_int(state, "inactivity_timeout", 0));
	if (pattern != NULL)
		buf_addf(out, "Done pattern: %s\n", pattern);
}

static int
foreign_status(const char *name, struct buf *out, struct err *err)
{
	AUTO_BUF block = BUF_INIT;
	AUTO_JSON *state = NULL;
	AUTO_WORKER w = WORKER_INIT;

	if (worker_open(&w, name, err) == 0)
		state = ralph_state(&w, err);
	else if (err->code == ENOENT) /* the original forgets a worker and keeps its loop */
		state = ralph_state_file(name, NULL);
	if (state == NULL)
		return -1;
	ralph_status_add_block(name, state, w.running, &block);
	text_show(out, block.data, block.len, true);
	return 0;
}

static int
run(const struct cmd_args *args)
{
	const char *name = args->operands.args[0];
	AUTO_BUF out = BUF_INIT;
	struct err *err = args->err;
	AUTO_VIEW v = VIEW_INIT;
	int rc = EX_OK;

	/* Without the registry: a dashboard asks this of every worker, every few seconds. */
	if (!name_is_valid(name) || loop_view_open(&v, name, err) < 0) {
		rc = err->code == 0 || err->code == ENOENT ? foreign_status(name, &out, err)
							   : -1;
	} else {
		if (worker_is_ralph(&v.settings))
			describe_block(&v, &out);
		else
			rc = err_set(err, "worker '%s' is not a ralph worker", name);
	}
	if (rc == EX_OK)
		cmd_print(&out);
	return rc;
}

const struct cmd cmd_swarm_ralph_status = {
    .name = "ralph status",
    .usage = "NAME",
    .summary = "Show how a worker's loop stands",
    .about = "Shows which iteration it is at, since when, and how many failed. Reads what is "
	     "on disk, so it works whether or not the loop runs; when a loop should run but "
	     "its supervisor is gone (a crash, a reboot), it says so and what to type.",
    .examples =
	"  swarm ralph status agent\n"
	"  watch -n 5 'for w in $(swarm ls --format names); do swarm ralph status $w; done'\n",
    CMD_NAME,
    .run = run,
};
