/*
 * ralph_list.c - swarm ralph list: the loops of all workers.
 */
#include "cmd/cmd.h"
#include "cmd/listing.h"
#include "cmd/swarm/ralph_state.h"

#include <inttypes.h>

struct list_options {
	int format, status;
};

static const char *const statuses[] = {"all", "running", "paused", "stopped", "failed"};

#define OPTIONS struct list_options
static const struct opt list_opts[] = {
    ROW_FORMAT,
    ROW_CHOICE("status", status, "STATUS", "all|running|paused|stopped|failed",
	"only loops with this status", .dflt = "all"),
};

struct ralph_list {
	const struct list_options *o;
	struct listing list;
};

static void
ralph_list_one(void *ctx, const json_t *state, const char *worker)
{
	struct ralph_list *l = ctx;
	struct columns *table = &l->list.table;
	const char *name = json_str(state, "worker_name", "?");
	AUTO_BUF cell = BUF_INIT;
	json_t *copy;

	if (l->o->status != 0 &&
	    strcmp(json_str(state, "status", ""), statuses[l->o->status]) != 0)
		return;
	copy = json_deep_copy(state);
	(void)json_object_set_new(copy, "worker_status", json_string(worker));
	if (!listing_add(&l->list, name, copy))
		return;
	columns_add(table, name);
	columns_add(table, json_str(state, "status", "?"));
	columns_add(table, worker);
	ralph_state_iteration(state, &cell);
	columns_add_buf(table, &cell);
	buf_addf(&cell, "%" PRId64 "/%" PRId64, json_int(state, "consecutive_failures", 0),
	    json_int(state, "total_failures", 0));
	columns_add_buf(table, &cell);
}

static int
run(const struct cmd_args *args)
{
	static const char *const headings[] = {
	    "NAME", "RALPH_STATUS", "WORKER_STATUS", "ITERATION", "FAILURES", NULL};
	struct ralph_list l = {.o = args->opts};

	listing_init(&l.list, l.o->format, headings);
	return listing_print(&l.list, ralph_states_each(ralph_list_one, &l, args->err));
}

#define LIST                                                                                 \
	.usage = "[--format table|json|names] [--status all|running|paused|stopped|failed]", \
	.summary = "List the loops of all workers",                                          \
	.about = "FAILURES are the consecutive ones and all there were. A worker that was "  \
		 "removed while its loop's state stayed is \"removed\".",                    \
	.examples = "  swarm ralph list\n"                                                   \
		    "  swarm ralph list --status failed --format json\n",                    \
	CMD_OPTIONS(list_opts), .run = run

const struct cmd cmd_swarm_ralph_list = {.name = "ralph list", LIST};
const struct cmd cmd_swarm_ralph_ls = {.name = "ralph ls", .hidden = true, LIST};
