/*
 * dep.c - ralph tk dep, undep, link, unlink: what tickets have to do with each other.
 */
#include "cmd/cmd.h"
#include "cmd/tk/tk.h"

#include "base/alloc.h"
#include "base/log.h"

struct dep_options {
	bool full;
};

#define OPTIONS struct dep_options
static const struct opt dep_opts[] = {
    ROW_FLAG("full", full, "in a tree, show a ticket wherever it occurs, not only once"),
};

static int
say_line(const char *line, int rc)
{
	tk_say("%s\n", line);
	return rc;
}

struct warned {
	const char *id;
	bool done;
};

static void
warn_cycle(void *ctx, const struct ticket *const *members, size_t n)
{
	struct warned *w = ctx;

	for (size_t i = 0; i < n && !w->done; i++)
		if (strcmp(members[i]->id, w->id) == 0) {
			warning("that is a cycle, and none of it will be ready: 'ralph tk dep "
				"cycle' shows it");
			w->done = true;
		}
}

/* Warns of cycles, of which tk says nothing: nobody would know why nothing gets ready. */
static void
warn_cycles(struct backlog *b, const char *id)
{
	AUTO_FREE char *own = xstrdup(id); /* the refresh may free it */
	struct warned w = {own, false};

	if (backlog_refresh(b, NULL) == 0)
		backlog_cycles(b, warn_cycle, &w);
}

static int
dep_add(struct backlog *b, const char *id, const char *on)
{
	const struct ticket *t = tk_match(b, id);
	const struct ticket *dep = t != NULL ? tk_match(b, on) : NULL;
	struct err err = ERR_INIT;
	int rc;

	if (dep == NULL)
		return EX_FAILED;
	rc = ticket_list_add(backlog_dirfd(b), t->name, TICKET_DEPS, dep->id, &err);
	if (rc < 0)
		return tk_error("%s", err.text);
	if (rc == 0)
		return say_line("Dependency already exists", EX_OK);
	tk_say("Added dependency: %s -> %s\n", t->name, dep->id);
	warn_cycles(b, t->id);
	return EX_OK;
}

static int
run_dep(const struct cmd_args *args)
{
	const struct dep_options *o = args->opts;
	char **words = args->operands.args;
	size_t n = args->operands.nargs;
	bool tree = strcmp(words[0], "tree") == 0;
	bool cycle = !tree && strcmp(words[0], "cycle") == 0;
	AUTO_BACKLOG *b = tk_open();

	if (b == NULL)
		return EX_FAILED;
	/* tk shows the tree of the last of several tickets; elsewhere tk takes the first
	 * words. */
	for (size_t i = 1; i < n; i++)
		if (tree ? i + 1 < n : cycle || i > 1)
			cmd_say_ignored(args->cmd, words[i]);
	if (tree && n > 1)
		return tk_dep_tree(b, words[n - 1], o->full);
	if (cycle)
		return tk_dep_cycle(b);
	if (n > 1)
		return dep_add(b, words[0], words[1]);
	tk_error("which tickets? 'ralph tk dep ID DEPENDENCY', 'ralph tk dep tree ID' or "
		 "'ralph tk dep cycle'");
	return EX_USAGE;
}

/* Finds an item by its whole text, where there is no such ticket (any more); NULL when it is
 * not in the list. */
static const char *
item_find(char *const *list, const char *id)
{
	while (*list != NULL && strcmp(*list, id) != 0)
		list++;
	return *list;
}

static int
run_undep(const struct cmd_args *args)
{
	const char *on = args->operands.args[1];
	AUTO_BACKLOG *b = tk_open();
	const struct ticket *t = tk_match(b, args->operands.args[0]);
	const char *item = t != NULL ? item_find(t->deps, on) : NULL;
	const struct ticket *dep = t != NULL && item == NULL ? tk_match(b, on) : NULL;
	struct err err = ERR_INIT;
	int rc = 0;

	if (item == NULL && dep == NULL)
		return EX_FAILED;
	if (item == NULL)
		item = item_find(t->deps, dep->id);
	if (item != NULL)
		rc = ticket_list_remove(backlog_dirfd(b), t->name, TICKET_DEPS, item, &err);
	if (rc < 0)
		return tk_error("%s", err.text);
	if (rc == 0)
		return say_line("Dependency not found", EX_FAILED);
	tk_say("Removed dependency: %s -/-> %s\n", t->name, item);
	return EX_OK;
}

/* ---- links --------------------------------------------------------------------------- */

static int
link_all(const struct backlog *b, const struct ticket **list, size_t n)
{
	struct err err = ERR_INIT;
	size_t added = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < n; j++) {
			int rc = 0;

			if (list[i] != list[j])
				rc = ticket_list_add(backlog_dirfd(b), list[i]->name,
				    TICKET_LINKS, list[j]->id, &err);
			if (rc < 0)
				return tk_error("%s", err.text);
			added += (size_t)rc;
		}
	if (added == 0)
		return say_line("All links already exist", EX_OK);
	tk_say("Added %zu link(s) between %zu tickets\n", added, n);
	return EX_OK;
}

static int
run_link(const struct cmd_args *args)
{
	size_t n = args->operands.nargs, i = 0;
	AUTO_FREE const struct ticket **list = xcalloc(n, sizeof(struct ticket *));
	AUTO_BACKLOG *b = tk_open();

	/* All tickets must be there before the first is changed. */
	while (i < n && (list[i] = tk_match(b, args->operands.args[i])) != NULL)
		i++;
	return i == n ? link_all(b, list, n) : EX_FAILED;
}

static int
run_unlink(const struct cmd_args *args)
{
	AUTO_BACKLOG *b = tk_open();
	const struct ticket *t = tk_match(b, args->operands.args[0]);
	const struct ticket *u = t != NULL ? tk_match(b, args->operands.args[1]) : NULL;
	struct err err = ERR_INIT;
	int there, back;

	if (u == NULL)
		return EX_FAILED;
	there = ticket_list_remove(backlog_dirfd(b), t->name, TICKET_LINKS, u->id, &err);
	back = there < 0
		   ? -1
		   : ticket_list_remove(backlog_dirfd(b), u->name, TICKET_LINKS, t->id, &err);
	if (there < 0 || back < 0)
		return tk_error("%s", err.text);
	if (there == 0 && back == 0)
		return say_line("Link not found", EX_FAILED);
	tk_say("Removed link: %s <-> %s\n", t->name, u->name);
	return EX_OK;
}

const struct cmd cmd_tk_dep = {
    .name = "tk dep",
    .usage = "ID DEPENDENCY | tree [--full] ID | cycle",
    .summary = "Make a ticket depend on another, or show how they depend",
    .about = "'ralph tk dep A B' says that A cannot be worked on before B is closed. 'tree' "
	     "shows everything a ticket depends on, 'cycle' the tickets that wait for each "
	     "other and so for ever.",
    .examples = "  ralph tk dep mp-l4ur ndpp\n"
		"  ralph tk dep tree mp-l4ur\n"
		"  ralph tk dep cycle\n",
    CMD_OPTIONS(dep_opts),
    .min_args = 1,
    .max_args = SIZE_MAX,
    .operand = "ticket",
    .dashes = true,
    .run = run_dep,
};

const struct cmd cmd_tk_undep = {
    .name = "tk undep",
    .usage = "ID DEPENDENCY",
    .summary = "Take a dependency away from a ticket",
    .examples = "  ralph tk undep mp-l4ur ndpp\n",
    TK_TICKETS(2),
    .run = run_undep,
};

const struct cmd cmd_tk_link = {
    .name = "tk link",
    .usage = "ID ID...",
    .summary = "Link tickets with each other",
    .examples = "  ralph tk link l4ur ndpp hawi\n",
    .min_args = 2,
    .max_args = SIZE_MAX,
    .operand = "ticket",
    .dashes = true,
    .run = run_link,
};

const struct cmd cmd_tk_unlink = {
    .name = "tk unlink",
    .usage = "ID ID",
    .summary = "Remove the link between two tickets",
    .examples = "  ralph tk unlink l4ur ndpp\n",
    TK_TICKETS(2),
    .run = run_unlink,
};
