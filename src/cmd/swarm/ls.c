/*
 * ls.c - swarm ls: the workers there are.
 */
#include "cmd/cmd.h"
#include "cmd/listing.h"
#include "loops/worker.h"

#include <inttypes.h>

enum wanted_status { STATUS_ALL, STATUS_RUNNING, STATUS_STOPPED };

struct ls_options {
	int format, status;
	char *tag;
};

#define OPTIONS struct ls_options
static const struct opt ls_opts[] = {
    ROW_FORMAT,
    ROW_CHOICE("status", status, "STATUS", "all|running|stopped",
	"only workers with this status", .dflt = "all"),
    ROW_TEXT("tag", tag, "TAG", "only workers with this tag"),
};

struct swarm_ls {
	const struct ls_options *o;
	struct listing list;
};

static bool
swarm_ls_has_tag(const json_t *record, const char *tag)
{
	json_t *one;
	size_t i;

	json_array_foreach (json_object_get(record, "tags"), i, one) {
		if (json_is_string(one) && strcmp(json_string_value(one), tag) == 0)
			return true;
	}
	return false;
}

static bool
swarm_ls_is_wanted(const struct ls_options *o, const struct worker *w)
{
	if (o->status != STATUS_ALL && w->running != (o->status == STATUS_RUNNING))
		return false;
	return o->tag == NULL || swarm_ls_has_tag(w->record, o->tag);
}

static void
swarm_ls_add_place(struct columns *table, const json_t *record)
{
	const json_t *tmux = json_object_get(record, "tmux");
	AUTO_BUF cell = BUF_INIT;

	if (json_is_object(tmux))
		buf_addf(&cell, "%s:%s", json_str(tmux, "session", "?"),
		    json_str(tmux, "window", "?"));
	else if (json_is_integer(json_object_get(record, "pid")))
		buf_addf(&cell, "%" PRId64, json_int(record, "pid", 0));
	columns_add_buf(table, &cell);
}

static void
swarm_ls_add_tags(struct columns *table, const json_t *record)
{
	AUTO_BUF cell = BUF_INIT;
	json_t *tag;
	size_t i;

	json_array_foreach (json_object_get(record, "tags"), i, tag) {
		if (json_is_string(tag))
			buf_addf(
			    &cell, "%s%s", cell.len > 0 ? "," : "", json_string_value(tag));
	}
	columns_add_buf(table, &cell);
}

static void
swarm_ls_list_one(void *ctx, struct worker *w)
{
	struct swarm_ls *l = ctx;
	struct columns *table = &l->list.table;
	AUTO_BUF age = BUF_INIT;

	if (!swarm_ls_is_wanted(l->o, w))
		return;
	/* The record has the two words of state.json. */
	if (!w->running && worker_is_paused(w))
		(void)json_object_set_new(w->record, "paused", json_true());
	if (!listing_add(&l->list, worker_name(w), json_incref(w->record)))
		return;
	columns_add(table, worker_name(w));
	columns_add(table, worker_word(w));
	swarm_ls_add_place(table, w->record);
	worker_age(w->record, &age);
	columns_add_buf(table, &age);
	columns_add(table, json_str(json_object_get(w->record, "worktree"), "path", "-"));
	swarm_ls_add_tags(table, w->record);
}

static int
run(const struct cmd_args *args)
{
	static const char *const headings[] = {
	    "NAME", "STATUS", "PID/WINDOW", "STARTED", "WORKTREE", "TAG", NULL};
	struct swarm_ls l = {.o = args->opts};

	listing_init(&l.list, l.o->format, headings);
	return listing_print(&l.list, workers_each(swarm_ls_list_one, &l, args->err));
}

const struct cmd cmd_swarm_ls = {
    .name = "ls",
    .usage = "[--format table|json|names] [--status all|running|stopped] [--tag TAG]",
    .summary = "List the workers",
    .only_shows = true,
    .about = "A worker is running while its command runs, or while its loop will start it "
	     "again. A loop whose agent has ended, and that was paused, is paused; --status "
	     "stopped finds it, and in JSON its status is \"stopped\", as in state.json, with "
	     "\"paused\": true beside it. A record in state.json that makes no sense is said "
	     "and does not hide the others; the exit code is 1 then.",
    .examples = "  swarm ls\n"
		"  swarm ls --status running --tag backend\n"
		"  swarm ls --format json | jq '.[] | select(.metadata.ralph == true)'\n",
    CMD_OPTIONS(ls_opts),
    .run = run,
};
