/*
 * ralph_list.c - swarm ralph list: the loops of all workers.
 */
#include "cmd/cmd.h"
#include "cmd/columns.h"
#include "cmd/swarm/ralph_state.h"

#include "base/log.h"
#include "base/text.h"

enum format { FORMAT_TABLE, FORMAT_JSON, FORMAT_NAMES };

struct list_options {
	int format, status;
};

static const char *const statuses[] = {"all", "running", "paused", "stopped", "failed"};

#define OPTIONS struct list_options
static const struct opt list_opts[] = {
    ROW_CHOICE(
	"format", format, "FORMAT", "table|json|names", "how to print them", .dflt = "table"),
    ROW_CHOICE("status", status, "STATUS", "all|running|paused|stopped|failed",
	"only those that stand so", .dflt = "all"),
};

struct listing {
	const struct list_options *o;
	struct columns table;
	json_t *array;
	struct buf names;
};

static void
ralph_list_add_row(struct columns *table, const json_t *state, const char *worker)
{
	AUTO_BUF iteration = BUF_INIT, failures = BUF_INIT;

	columns_add(table, json_str(state, "worker_name", "?"));
	columns_add(table, json_str(state, "status", "?"));
	columns_add(table, worker);
	ralph_state_iteration(state, &iteration);
	columns_add(table, iteration.data);
	buf_addf(&failures, "%lld/%lld", (long long)json_int(state, "consecutive_failures", 0),
	    (long long)json_int(state, "total_failures", 0));
	columns_add(table, failures.data);
}

static void
ralph_list_list_one(void *ctx, const json_t *state, const char *worker)
{
	struct listing *l = ctx;
	const char *name = json_str(state, "worker_name", "?");

	if (l->o->status != 0 &&
	    strcmp(json_str(state, "status", ""), statuses[l->o->status]) != 0)
		return;
	if (l->o->format == FORMAT_JSON) {
		json_t *copy = json_deep_copy(state);

		(void)json_object_set_new(copy, "worker_status", json_string(worker));
		(void)json_array_append_new(l->array, copy);
	} else if (l->o->format == FORMAT_NAMES) {
		text_show(&l->names, name, strlen(name), false);
		buf_addc(&l->names, '\n');
	} else {
		ralph_list_add_row(&l->table, state, worker);
	}
}

static int
run(const struct cmd_args *args)
{
	static const char *const headings[] = {
	    "NAME", "RALPH_STATUS", "WORKER_STATUS", "ITERATION", "FAILURES", NULL};
	struct listing l = {.o = args->opts, .array = json_array(), .names = BUF_INIT};
	AUTO_BUF out = BUF_INIT;
	struct err err = ERR_INIT;
	int unreadable;

	columns_init(&l.table, headings);
	unreadable = ralph_states_each(ralph_list_list_one, &l, &err);
	if (unreadable < 0)
		error("%s", err.text);
	columns_print(&l.table, &out);
	buf_add(&out, l.names.data, l.names.len);
	if (l.o->format == FORMAT_JSON && unreadable >= 0) {
		json_print(l.array, false, &out);
		buf_addc(&out, '\n');
	}
	cmd_print(&out);
	columns_release(&l.table);
	buf_release(&l.names);
	json_decref(l.array);
	return unreadable == 0 ? EX_OK : EX_FAILED;
}

#define LIST                                                                                   \
	.usage = "[--format table|json|names] [--status all|running|paused|stopped|failed]",   \
	.summary = "List the loops of all workers",                                            \
	.about = "FAILURES are the consecutive ones and all there were. A worker that was "    \
		 "removed while its loop's state stayed is \"removed\".",                      \
	.examples = "  swarm ralph list\n  swarm ralph list --status failed --format json\n",  \
	.opts = list_opts, .nopts = ARRAY_LEN(list_opts), .size = sizeof(struct list_options), \
	.run = run

const struct cmd cmd_swarm_ralph_list = {.name = "ralph list", LIST};
const struct cmd cmd_swarm_ralph_ls = {.name = "ralph ls", .hidden = true, LIST};
