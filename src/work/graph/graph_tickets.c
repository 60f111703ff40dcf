#include "work/graph/graph_tickets.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "base/userfile.h"
#include "ticket/front.h"
#include "ticket/ticket.h"
#include "work/graph/graph_edit.h"
#include <errno.h>
#include <fcntl.h>

/* ---- one ticket ---------------------------------------------------------------------- */

static const char *
need(struct graph_ticket *t, const char *key, struct buf *problems)
{
	const struct ynode *n = ynode_get(t->tree.root, key);
	const char *text = ynode_text(n);

	if (text == NULL)
		graph_problem(problems, t->path, n != NULL ? n->line : 1, "%s is missing", key);
	return text;
}

static void
graph_tickets_read_fields(struct graph_ticket *t, struct buf *problems)
{
	const char *status = need(t, "status", problems);
	int s = status != NULL ? task_status_parse(status) : TASK_PENDING;

	t->id = need(t, "id", problems);
	t->title = need(t, "title", problems);
	t->story = need(t, "story", problems);
	t->priority = need(t, "priority", problems);
	t->complexity = need(t, "complexity", problems);
	t->output = ynode_text(ynode_get(t->tree.root, "output"));
	t->milestone = ynode_text(ynode_get(t->tree.root, "milestone"));
	t->depends = ynode_get(t->tree.root, "depends_on");
	if (t->depends != NULL && t->depends->kind == YNODE_SCALAR &&
	    ynode_text(t->depends) == NULL)
		t->depends = NULL;
	if (t->depends != NULL && t->depends->kind != YNODE_LIST)
		graph_problem(problems, t->path, t->depends->line, "depends_on is no list");
	if (t->id != NULL && !ticket_id_is_safe(t->id))
		graph_problem(problems, t->path, 1, "its id cannot be one");
	if (s < 0)
		graph_problem(problems, t->path, ynode_get(t->tree.root, "status")->line,
		    "no such status; there are pending, ready, "
		    "in-progress, complete and blocked");
	t->status = s < 0 ? TASK_BLOCKED : (enum task_status)s;
	if (t->priority != NULL && graph_priority(t->priority) < 0)
		graph_problem(problems, t->path, ynode_get(t->tree.root, "priority")->line,
		    "a priority is 0 to 5");
}

/* The text of the first section, else the first paragraph, else where to look. */
static char *
graph_tickets_describe(const struct graph_ticket *t, const char *body)
{
	const char *end = t->text.data + t->text.len, *p = body;
	AUTO_BUF out = BUF_INIT;
	struct span line;
	bool inside = false;

	while (front_line(&p, end, &line)) {
		bool heading = line.len > 2 && memcmp(line.p, "## ", 3) == 0;

		if (inside && line.len > 0 && line.p[0] == '#')
			break;
		if (inside)
			buf_addf(&out, "%.*s\n", (int)span_trim(line).len, span_trim(line).p);
		inside = inside || heading;
	}
	for (p = body; !inside && front_line(&p, end, &line);) {
		line = span_trim(line);
		if (line.len > 0 && line.p[0] != '#')
			buf_addf(&out, "%.*s\n", (int)line.len, line.p);
		else if (out.len > 0)
			break;
	}
	line = span_trim((struct span){out.data, out.len});
	if (line.len == 0)
		return xasprintf("See %s", t->path);
	return xstrndup(line.p, line.len);
}

/* The front matter without its two lines. */
static size_t
front_end(const struct graph_ticket *t, const struct front *front)
{
	size_t at = (size_t)(front->body - t->text.data);

	while (at > 0 && t->text.data[at - 1] != '-')
		at--;
	return at - strlen("---");
}

/* Reads every part of a ticket that can be read; mistakes go to `problems`.  -1: the file
 * itself cannot be read. */
static int
read_ticket(
    struct graph_ticket *t, int rootfd, const char *path, struct buf *problems, struct err *err)
{
	struct err why = ERR_INIT;
	struct front front = {.body = NULL};

	*t = (struct graph_ticket){.path = xstrdup(path), .text = BUF_INIT};
	if (fs_read(rootfd, path, TICKET_MAX, &t->text, err) < 0) {
		graph_ticket_release(t);
		return -1;
	}
	if (front_find(t->text.data, t->text.len, &front, &why) < 0)
		graph_problem(problems, t->path, 1, "%s", why.text);
	else if (ytree_parse(&t->tree, path, t->text.data, (size_t)(front.first - t->text.data),
		     front_end(t, &front), &why) < 0)
		buf_addf(problems, "%s\n", why.text);
	else if (t->tree.root == NULL || t->tree.root->kind != YNODE_MAP)
		graph_problem(problems, t->path, 1, "its front matter has no fields");
	else
		graph_tickets_read_fields(t, problems);
	if (t->tree.root != NULL)
		t->description = graph_tickets_describe(t, front.body);
	return 0;
}

int
graph_ticket_load(
    struct graph_ticket *t, int rootfd, const char *path, struct buf *problems, struct err *err)
{
	size_t base = problems->len;

	if (read_ticket(t, rootfd, path, problems, err) < 0)
		return -1;
	if (problems->len == base)
		return 0;
	graph_ticket_release(t);
	return graph_first_problem(problems, base, err);
}

void
graph_ticket_release(struct graph_ticket *t)
{
	ytree_release(&t->tree);
	buf_release(&t->text);
	free(t->path);
	free(t->description);
	*t = (struct graph_ticket){.text = BUF_INIT};
}

int
graph_ticket_set_status(const struct graph_ticket *t, int rootfd, enum task_status status,
    const char *completed_at, struct err *err)
{
	const struct ynode *root = t->tree.root;
	AUTO_BUF text = BUF_INIT;
	struct yedits e;
	int rc = 0;

	yedits_init(&e, &t->tree);
	yedits_set(&e, root, "status", task_status_name(status), YVALUE_TEXT, NULL);
	if (status != TASK_COMPLETE) {
		yedits_set(&e, root, "claimed_at", NULL, YVALUE_TEXT, NULL);
		yedits_set(&e, root, "claimed_by", NULL, YVALUE_TEXT, NULL);
		yedits_set(&e, root, "completed_at", NULL, YVALUE_TEXT, NULL);
	} else if (ynode_text(ynode_get(root, "completed_at")) == NULL) {
		yedits_set(&e, root, "completed_at", completed_at, YVALUE_TEXT, "status");
	}
	if (!yedits_none(&e) &&
	    (yedits_apply(&e, t->path, t->text.len, &text, err) < 0 ||
		userfile_replace(rootfd, t->path, &t->text, &text, err) < 0))
		rc = -1;
	yedits_release(&e);
	return rc;
}

char *
graph_ticket_path(int rootfd, const struct graph_task *task)
{
	char *path;

	if (task->path != NULL && task->path[0] != '/' && strstr(task->path, "..") == NULL &&
	    faccessat(rootfd, task->path, F_OK, 0) == 0)
		return xstrdup(task->path);
	path = xasprintf("%s/%s.md", GRAPH_TICKETS, task->id);
	if (faccessat(rootfd, path, F_OK, 0) == 0)
		return path;
	free(path);
	return NULL;
}

/* ---- all of them --------------------------------------------------------------------- */

bool
graph_is_markdown(const char *name)
{
	size_t len = strlen(name);

	return len > 3 && strcmp(name + len - 3, ".md") == 0;
}

/* A ticket with a mistake is kept if it has a valid id: other tickets may name it, and all
 * mistakes shall be found at once. */
static void
graph_tickets_add(struct graph_tickets *t, int rootfd, const char *name, struct buf *problems)
{
	AUTO_FREE char *path = xasprintf("%s/%s", GRAPH_TICKETS, name);
	struct graph_ticket *ticket = &t->list[t->n];
	struct err why = ERR_INIT;

	if (read_ticket(ticket, rootfd, path, problems, &why) < 0) {
		buf_addf(problems, "%s\n", why.text);
		return;
	}
	if (ticket->id == NULL || !ticket_id_is_safe(ticket->id)) {
		graph_ticket_release(ticket);
		return;
	}
	t->n++;
	if (graph_tickets_find(t, ticket->id) != NULL)
		graph_problem(problems, ticket->path, ynode_get(ticket->tree.root, "id")->line,
		    "the id '%s' is there twice: also in %s", ticket->id,
		    graph_tickets_find(t, ticket->id)->path);
	else
		(void)strmap_put(&t->ids, ticket->id, ticket);
}

/* The ids of a graph that is wrong, as far as it is YAML. */
static bool
graph_tickets_read_ids(int rootfd, struct buf *text, struct ytree *tree, struct strmap *ids)
{
	const struct ynode *list;

	if (fs_read(rootfd, GRAPH_FILE, YTREE_MAX, text, NULL) < 0 ||
	    ytree_parse(tree, GRAPH_FILE, text->data, 0, text->len, NULL) < 0)
		return false;
	list = ynode_get(tree->root, "nodes");
	for (struct ynode *n = ynode_items(list); n != NULL; n = n->next) {
		const char *id = ynode_text(ynode_get(n, "id"));

		if (id != NULL)
			(void)strmap_put(ids, id, n);
	}
	return list != NULL && list->kind == YNODE_LIST;
}

/* Is there a file for the id?  A ticket that cannot be read may be the one that a dependency
 * means. */
static bool
graph_tickets_has_file(int rootfd, const char *id)
{
	AUTO_FREE char *path = xasprintf("%s/%s.md", GRAPH_TICKETS, id);

	return ticket_id_is_safe(id) && faccessat(rootfd, path, F_OK, 0) == 0;
}

static void
check_depends(
    const struct graph_tickets *t, int rootfd, const struct strmap *ids, struct buf *problems)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct graph_ticket *ticket = &t->list[i];

		for (const struct ynode *n = ynode_items(ticket->depends); n != NULL;
		     n = n->next) {
			AUTO_BUF shown = BUF_INIT;

			if (graph_tickets_find(t, n->text) != NULL ||
			    strmap_get(ids, n->text) != NULL ||
			    graph_tickets_has_file(rootfd, n->text))
				continue;
			text_quote(&shown, n->text);
			graph_problem(problems, ticket->path, n->line, "no task has the id %s",
			    shown.data);
		}
	}
}

int
graph_tickets_load(struct graph_tickets *t, int rootfd, const struct graph *g,
    struct buf *problems, struct err *err)
{
	struct strmap found = {NULL, 0, 0};
	size_t base = problems->len;
	AUTO_BUF text = BUF_INIT;
	struct ytree tree = {.root = NULL};
	char **names = NULL;

	*t = (struct graph_tickets){.list = NULL};
	if (fs_list(rootfd, GRAPH_TICKETS, &names, err) < 0)
		return -1;
	t->list = xcalloc(strlist_len(names) + 1, sizeof(*t->list));
	for (size_t i = 0; names != NULL && names[i] != NULL; i++)
		if (graph_is_markdown(names[i]))
			graph_tickets_add(t, rootfd, names[i], problems);
	strlist_free(names);
	if (g != NULL || graph_tickets_read_ids(rootfd, &text, &tree, &found))
		check_depends(t, rootfd, g != NULL ? &g->ids : &found, problems);
	strmap_release(&found);
	ytree_release(&tree);
	if (problems->len == base)
		return 0;
	graph_tickets_release(t);
	return graph_first_problem(problems, base, err);
}

void
graph_tickets_release(struct graph_tickets *t)
{
	for (size_t i = 0; i < t->n; i++)
		graph_ticket_release(&t->list[i]);
	free(t->list);
	strmap_release(&t->ids);
	*t = (struct graph_tickets){.list = NULL};
}

struct graph_ticket *
graph_tickets_find(const struct graph_tickets *t, const char *id)
{
	return strmap_get(&t->ids, id);
}
