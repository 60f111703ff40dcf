/*
 * status.c - ralph status: how one loop stands.
 */
#include "cmd/cmd.h"
#include "loops/choose.h"
#include "loops/describe.h"
#include "loops/past_runs.h"

struct status_options {
	bool json;
};

#define OPTIONS struct status_options
static const struct opt status_opts[] = {
    ROW_FLAG("json", json, "print a JSON object"),
};

static int
run(const struct cmd_args *args)
{
	const struct status_options *o = args->opts;
	AUTO_BUF out = BUF_INIT;
	AUTO_VIEW v = VIEW_INIT;

	if (loop_view_open_session(&v, args->operands.args[0], args->err) < 0)
		return -1;
	if (v.chosen > 0)
		choose_tell(&v, args->operands.args[0]);
	if (o->json)
		return cmd_print_json(describe_json(&v));
	describe_block(&v, &out);
	cmd_print(&out);
	return EX_OK;
}

const struct cmd cmd_status = {
    .name = "status",
    .usage = "[--json] [NAME]",
    .summary = "Show how a loop stands",
    .only_shows = true,
    .about =
	"Reads what is on disk, so it works whether or not the loop runs; when a loop should "
	"run but its supervisor is gone (a crash, a reboot), it says so and what to type. A "
	"loop of 'ralph loop --once' that waits for its next turn is between-turns. The "
	"directory is the one its agents are started in (in JSON: .cwd).\n\n"
	"NAME may be a ticket's or task's id, too, or the name of its session (two words): "
	"then it is the loop that has it, which is said on stderr.\n\n" PAST_RUNS,
    .examples = "  ralph status myproject-run\n"
		"  ralph status --json myproject-run | jq .iteration\n"
		"  ralph status myproject-run@2\n",
    CMD_OPTIONS(status_opts),
    CMD_NAME_OR(CHOSEN_READ),
    .run = run,
};
