/*
 * list.c - ralph tk ready, blocked, closed, ls: tickets, a line each.
 */
#include "cmd/cmd.h"
#include "cmd/tk/tk.h"

#include "base/alloc.h"
#include "base/log.h"
#include "work/tickets/standing.h"
#include <inttypes.h>

struct list_options {
	char *assignee, *tag, *status;
	int64_t limit;
	bool json;
};

#define OPTIONS struct list_options
#define FILTERS                                                                            \
	ROW_TEXT(                                                                          \
	    "assignee", assignee, "NAME", "only tickets of this assignee", .letter = 'a'), \
	    ROW_TEXT("tag", tag, "TAG", "only tickets with this tag", .letter = 'T'),      \
	    ROW_FLAG("json", json, "print a JSON array of objects")

static const struct opt filter_opts[] = {FILTERS};

static const struct opt ls_opts[] = {
    ROW_TEXT("status", status, "STATUS", "only tickets with this status"),
    FILTERS,
};

static const struct opt closed_opts[] = {
    ROW_COUNT("limit", limit, "N", "how many, at most", .flags = OPT_ZERO, .usual = "20"),
    FILTERS,
};

/* An empty filter is none: `-a "$ME"` with ME unset lists all, as in tk. */
static bool
is_set(const char *filter)
{
	return filter != NULL && *filter != '\0';
}

static bool
tk_list_is_wanted(const struct ticket *t, const struct list_options *o)
{
	if (is_set(o->assignee) &&
	    (t->assignee == NULL || strcmp(t->assignee, o->assignee) != 0))
		return false;
	if (is_set(o->status) && strcmp(t->word, o->status) != 0)
		return false;
	return !is_set(o->tag) || strlist_has(t->tags, o->tag);
}

typedef void line_fn(struct buf *out, const struct backlog *b, const struct ticket *t);

static void
ready_line(struct buf *out, const struct backlog *b UNUSED, const struct ticket *t)
{
	tk_add_id(out, t->id);
	text_addf(out, " [P%" PRId64 "][%s] - %s", t->priority, t->word, t->title);
}

static void
blocked_line(struct buf *out, const struct backlog *b, const struct ticket *t)
{
	char **blockers = tk_blockers(b, t);

	ready_line(out, b, t);
	buf_adds(out, " <- ");
	tk_add_list(out, blockers);
	strlist_free(blockers);
}

static void
closed_line(struct buf *out, const struct backlog *b UNUSED, const struct ticket *t)
{
	tk_add_id(out, t->id);
	text_addf(out, " [%s] - %s", t->word, t->title);
}

static void
ls_line(struct buf *out, const struct backlog *b, const struct ticket *t)
{
	closed_line(out, b, t);
	if (t->deps[0] != NULL) {
		buf_adds(out, " <- ");
		tk_add_list(out, t->deps);
	}
}

static void
tk_list_print(struct backlog *b, const struct ticket *const *list, size_t n,
    const struct list_options *o, line_fn *line)
{
	json_t *array = o->json ? json_array() : NULL;
	AUTO_BUF out = BUF_INIT;
	int64_t printed = 0;

	for (size_t i = 0; i < n && printed < o->limit; i++) {
		if (!tk_list_is_wanted(list[i], o))
			continue;
		printed++;
		if (array != NULL) {
			json_t *obj = tk_json(list[i]);

			if (line == blocked_line) {
				char **blockers = tk_blockers(b, list[i]);

				(void)json_object_set_new(
				    obj, "blockers", json_strlist(blockers));
				strlist_free(blockers);
			}
			(void)json_array_append_new(array, obj);
			continue;
		}
		line(&out, b, list[i]);
		buf_addc(&out, '\n');
	}
	if (array != NULL)
		cmd_print_json(array);
	else
		cmd_print(&out);
}

/* tk looks at the hundred newest files only; we look at all. */
static int
by_age(const void *a, const void *b)
{
	const struct ticket *const *x = a, *const *y = b;

	if ((*x)->mtime != (*y)->mtime)
		return (*x)->mtime > (*y)->mtime ? -1 : 1;
	return strcmp((*x)->name, (*y)->name);
}

static void
print_closed(struct backlog *b, const struct list_options *o)
{
	const struct ticket *const *all;
	size_t n = backlog_all(b, &all), closed = 0;
	AUTO_FREE const struct ticket **list = xcalloc(n + 1, sizeof(struct ticket *));

	for (size_t i = 0; i < n; i++)
		if (all[i]->status == TICKET_CLOSED || strcmp(all[i]->word, "done") == 0)
			list[closed++] = all[i];
	qsort(list, closed, sizeof(struct ticket *), by_age);
	tk_list_print(b, list, closed, o, closed_line);
}

/* Names the tickets that wait: the list has what the files call ready, as for tk. */
static void
warn_waiting(struct backlog *b)
{
	AUTO_FREE char *branch = NULL;
	size_t n;
	AUTO_FREE const struct ticket **list = standing_waiting(b, ".", &branch, &n);

	for (size_t i = 0; i < n; i++) {
		AUTO_BUF id = BUF_INIT;

		text_addf(&id, "%s", list[i]->id);
		warning("%s is done: its work waits for %s", id.data, branch);
	}
}

static int
run(const struct cmd_args *args)
{
	const struct list_options *o = args->opts;
	const char *which = args->cmd->name + strlen("tk ");
	AUTO_BACKLOG *b = tk_open();
	const struct ticket *const *list;
	size_t n;

	if (b == NULL)
		return EX_FAILED;
	tk_warn(b);
	if (strcmp(which, "ready") == 0) {
		n = backlog_ready(b, &list);
		tk_list_print(b, list, n, o, ready_line);
		warn_waiting(b);
	} else if (strcmp(which, "blocked") == 0) {
		n = backlog_blocked(b, &list);
		tk_list_print(b, list, n, o, blocked_line);
	} else if (strcmp(which, "ls") == 0 || strcmp(which, "list") == 0) {
		n = backlog_all(b, &list);
		tk_list_print(b, list, n, o, ls_line);
	} else {
		print_closed(b, o);
	}
	return EX_OK;
}

static void
init(void *opts)
{
	((struct list_options *)opts)->limit = INT64_MAX;
}

const struct cmd cmd_tk_ready = {
    .name = "tk ready",
    .usage = "[-a NAME] [-T TAG] [--json]",
    .summary = "List the tickets that can be worked on",
    .about = "They are open or in progress, and everything they depend on is closed. A "
	     "dependency that does not exist blocks. By priority, then by id. As in tk it is "
	     "the files that count: one that 'ralph loop' has done and whose work only waits "
	     "for its branch is open in them; it is listed, and a line on stderr says so "
	     "('ralph loop status' lists it as waiting).",
    .examples = "  ralph tk ready\n"
		"  ralph tk ready -T component:api\n"
		"  ralph tk ready --json | jq -r '.[].id'\n",
    CMD_OPTIONS(filter_opts),
    .surplus = true,
    .init = init,
    .run = run,
};

const struct cmd cmd_tk_blocked = {
    .name = "tk blocked",
    .usage = "[-a NAME] [-T TAG] [--json]",
    .summary = "List the tickets that wait for others, and for which",
    .examples = "  ralph tk blocked\n",
    CMD_OPTIONS(filter_opts),
    .surplus = true,
    .init = init,
    .run = run,
};

const struct cmd cmd_tk_closed = {
    .name = "tk closed",
    .usage = "[--limit N] [-a NAME] [-T TAG] [--json]",
    .summary = "List the tickets that were closed, the last ones first",
    .examples = "  ralph tk closed\n"
		"  ralph tk closed --limit 5\n",
    CMD_OPTIONS(closed_opts),
    .surplus = true,
    .run = run,
};

const struct cmd cmd_tk_ls = {
    .name = "tk ls",
    .usage = "[--status STATUS] [-a NAME] [-T TAG] [--json]",
    .summary = "List all tickets and what they depend on",
    .examples = "  ralph tk ls\n"
		"  ralph tk ls --status in_progress\n",
    CMD_OPTIONS(ls_opts),
    .surplus = true,
    .init = init,
    .run = run,
};

const struct cmd cmd_tk_list = {
    .name = "tk list",
    .usage = "[--status STATUS] [-a NAME] [-T TAG] [--json]",
    .summary = "The same as tk ls",
    .examples = "  ralph tk list\n",
    CMD_OPTIONS(ls_opts),
    .surplus = true,
    .init = init,
    .run = run,
};
