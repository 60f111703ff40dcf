#include "work/graph/graph.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/links.h"
#include "base/text.h"
#include "loop/vocabulary.h"
#include "ticket/ticket.h"
#include <errno.h>
#include <fcntl.h>

enum { EXPLAIN_NAMES = 5 };

/* A graph being read, and where its mistakes go. */
struct reading {
	struct graph *g;
	const char *name;
	struct buf *problems;
	size_t edge_cap;
};

VOCABULARY(task_status, enum task_status, TASK_STATUSES)

static void PRINTF(3, 4) graph_problem(struct reading *r, unsigned line, const char *fmt, ...)
{
	va_list ap;

	buf_addf(r->problems, "%s:%u: ", r->name, line);
	va_start(ap, fmt);
	buf_vaddf(r->problems, fmt, ap);
	va_end(ap);
	buf_addc(r->problems, '\n');
}

/* A problem with a word of the file in it. */
static void
problem_word(
    struct reading *r, unsigned line, const char *before, const char *word, const char *behind)
{
	AUTO_BUF shown = BUF_INIT;

	text_quote(&shown, word);
	graph_problem(r, line, "%s %s%s", before, shown.data, behind);
}

/* ---- nodes --------------------------------------------------------------------------- */

static enum task_status
read_status(struct reading *r, const struct ynode *node)
{
	const struct ynode *n = ynode_get(node, "status");
	const char *word = ynode_text(n);
	int status = word != NULL ? task_status_parse(word) : TASK_PENDING;

	if (status >= 0)
		return (enum task_status)status;
	problem_word(r, n->line, "no such status:", word,
	    "; there are pending, ready, in-progress, complete and blocked");
	return TASK_BLOCKED;
}

static int64_t
read_priority(struct reading *r, const struct ynode *node)
{
	const struct ynode *n = ynode_get(node, "priority");
	const char *word = ynode_text(n);

	if (word == NULL && (n == NULL || n->kind == YNODE_SCALAR))
		return GRAPH_PRIORITY;
	if (word != NULL && word[0] >= '0' && word[0] < '0' + GRAPH_PRIORITIES &&
	    word[1] == '\0')
		return word[0] - '0';
	problem_word(r, n->line, "a priority is 0 to 5, not", word != NULL ? word : "", "");
	return GRAPH_PRIORITY;
}

/* "milestone: M1", or the first of "milestones: [M1, M2]". */
static const char *
read_milestone(const struct ynode *node)
{
	const struct ynode *list = ynode_get(node, "milestones");
	const char *one = ynode_text(ynode_get(node, "milestone"));

	if (one != NULL || list == NULL || list->kind != YNODE_LIST)
		return one;
	return ynode_text(list->child);
}

static void
read_task(struct reading *r, const struct ynode *node)
{
	struct graph_task *t = &r->g->tasks[r->g->ntasks];
	const char *id = ynode_text(ynode_get(node, "id"));
	const char *title = ynode_text(ynode_get(node, "title"));
	const struct graph_task *twin;

	if (id == NULL || !ticket_id_is_safe(id)) {
		if (id == NULL)
			graph_problem(r, node->line, "a node without an id");
		else
			problem_word(r, node->line, "this cannot be an id:", id, "");
		return;
	}
	*t = (struct graph_task){
	    .id = id,
	    .title = title != NULL ? title : "",
	    .story = ynode_text(ynode_get(node, "story")),
	    .milestone = read_milestone(node),
	    .description = ynode_text(ynode_get(node, "description")),
	    .complexity = ynode_text(ynode_get(node, "complexity")),
	    .output = ynode_text(ynode_get(node, "output")),
	    .path = ynode_text(ynode_get(node, "path")),
	    .claimed_at = ynode_text(ynode_get(node, "claimed_at")),
	    .claimed_by = ynode_text(ynode_get(node, "claimed_by")),
	    .priority = read_priority(r, node),
	    .position = r->g->ntasks,
	    .line = ynode_get(node, "id")->line,
	    .node = node,
	};
	t->status = t->now = read_status(r, node);
	twin = strmap_get(&r->g->ids, id);
	if (twin != NULL) {
		graph_problem(
		    r, t->line, "the id '%s' is there twice: also in line %u", id, twin->line);
		return;
	}
	(void)strmap_put(&r->g->ids, t->id, t);
	r->g->ntasks++;
}

/* The list of that name; NULL when there is none or nothing in it. */
static const struct ynode *
read_list(struct reading *r, const char *key)
{
	const struct ynode *list = ynode_get(r->g->tree.root, key);

	if (list == NULL || (list->kind == YNODE_SCALAR && ynode_text(list) == NULL))
		return NULL;
	if (list->kind == YNODE_LIST)
		return list;
	graph_problem(r, list->line, "%s is no list", key);
	return NULL;
}

static bool
is_nothing(const struct ynode *n)
{
	return n->kind == YNODE_SCALAR && ynode_text(n) == NULL;
}

static void
read_nodes(struct reading *r)
{
	const struct ynode *list = read_list(r, "nodes");
	size_t n = 0;

	/* A file without the key is another file, or a graph that is still being written. */
	if (ynode_get(r->g->tree.root, "nodes") == NULL)
		graph_problem(r, 1, "this is no task graph: it has no nodes");
	if (list == NULL)
		return;
	for (const struct ynode *node = list->child; node != NULL; node = node->next)
		n++;
	r->g->tasks = xcalloc(n > 0 ? n : 1, sizeof(*r->g->tasks));
	for (const struct ynode *node = list->child; node != NULL; node = node->next) {
		if (node->kind == YNODE_MAP)
			read_task(r, node);
		else if (!is_nothing(node))
			graph_problem(r, node->line, "a node must have fields");
	}
}

/* ---- edges --------------------------------------------------------------------------- */

static void
add_edge(
    struct reading *r, struct graph_task *from, struct graph_task *to, const struct ynode *node)
{
	struct graph *g = r->g;

	if (from == NULL || to == NULL)
		return;
	g->edges = xgrow(g->edges, g->nedges, &r->edge_cap, sizeof(*g->edges));
	g->edges[g->nedges++] = (struct graph_edge){from, to, node};
}

static struct graph_task *
read_end(struct reading *r, const struct ynode *edge, const char *key)
{
	const struct ynode *n = ynode_get(edge, key);
	const char *id = ynode_text(n);
	struct graph_task *t = id != NULL ? graph_find(r->g, id) : NULL;

	if (id == NULL)
		graph_problem(r, edge->line, "an edge without '%s'", key);
	else if (t == NULL)
		problem_word(r, n->line, "no node has the id", id, "");
	return t;
}

static void
read_edges(struct reading *r)
{
	const struct ynode *list = read_list(r, "edges");

	for (const struct ynode *e = list != NULL ? list->child : NULL; e != NULL; e = e->next)
		if (!is_nothing(e))
			add_edge(r, read_end(r, e, "from"), read_end(r, e, "to"), e);
}

static void
read_depends(struct reading *r, struct graph_task *t)
{
	const struct ynode *list = ynode_get(t->node, "depends_on");

	if (list == NULL || is_nothing(list))
		return;
	if (list->kind != YNODE_LIST) {
		graph_problem(r, list->line, "depends_on is no list");
		return;
	}
	for (const struct ynode *n = list->child; n != NULL; n = n->next) {
		const char *id = ynode_text(n);
		struct graph_task *from = id != NULL ? graph_find(r->g, id) : NULL;

		if (from == NULL)
			problem_word(
			    r, n->line, "no node has the id", id != NULL ? id : "", "");
		add_edge(r, from, t, NULL);
	}
}

/* Fills `needs` of every task from the edges, each pair once; then `feeds`, the same pairs
 * backwards. */
static void
link_tasks(struct graph *g)
{
	struct graph_task **at;

	g->links = xcalloc(g->nedges * 2 + 1, sizeof(struct graph_task *));
	for (size_t i = 0; i < g->nedges; i++)
		g->edges[i].to->nneeds++;
	at = g->links;
	for (size_t i = 0; i < g->ntasks; i++) {
		g->tasks[i].needs = at;
		at += g->tasks[i].nneeds;
		g->tasks[i].nneeds = 0;
	}
	for (size_t i = 0; i < g->nedges; i++)
		g->edges[i].to->needs[g->edges[i].to->nneeds++] = g->edges[i].from;
	for (size_t i = 0; i < g->ntasks; i++) {
		struct graph_task *t = &g->tasks[i];
		size_t n = 0;

		for (size_t k = 0; k < t->nneeds; k++) {
			if (t->needs[k]->mark == i + 1)
				continue;
			t->needs[k]->mark = (unsigned)i + 1;
			t->needs[k]->nfeeds++;
			t->needs[n++] = t->needs[k];
		}
		t->nneeds = n;
	}
	for (size_t i = 0; i < g->ntasks; i++) {
		g->tasks[i].feeds = at;
		at += g->tasks[i].nfeeds;
		g->tasks[i].nfeeds = 0;
	}
	for (size_t i = 0; i < g->ntasks; i++)
		for (size_t k = 0; k < g->tasks[i].nneeds; k++) {
			struct graph_task *from = g->tasks[i].needs[k];

			from->feeds[from->nfeeds++] = &g->tasks[i];
		}
}

/* ---- the file ------------------------------------------------------------------------ */

static int
graph_give_up(struct graph *g, struct buf *problems, size_t base, struct err *err)
{
	const char *first = problems->data + base;
	size_t more = 0;

	for (const char *p = first; *p != '\0'; p++)
		more += *p == '\n';
	(void)err_set(err, "%.*s", (int)strcspn(first, "\n"), first);
	if (more > 1 && err != NULL) {
		size_t len = strlen(err->text);

		(void)snprintf(err->text + len, sizeof(err->text) - len,
		    " (and %zu more: 'ralph graph validate')", more - 1);
	}
	if (err != NULL)
		err->code = EBADMSG;
	graph_release(g);
	return -1;
}

int
graph_parse(
    struct graph *g, const char *name, struct buf *text, struct buf *problems, struct err *err)
{
	struct reading r = {.g = g, .name = name, .problems = problems};
	size_t base = problems->len;
	struct err why = ERR_INIT;

	*g = (struct graph){.text = *text};
	buf_init(text);
	if (ytree_parse(&g->tree, name, g->text.data, 0, g->text.len, &why) < 0) {
		buf_addf(problems, "%s\n", why.text);
		return graph_give_up(g, problems, base, err);
	}
	if (g->tree.root == NULL || g->tree.root->kind != YNODE_MAP) {
		graph_problem(&r, 1, "this is no task graph: it has no nodes");
		return graph_give_up(g, problems, base, err);
	}
	read_nodes(&r);
	read_edges(&r);
	for (size_t i = 0; i < g->ntasks; i++)
		read_depends(&r, &g->tasks[i]);
	link_tasks(g);
	(void)graph_cycles(g, name, problems);
	return problems->len > base ? graph_give_up(g, problems, base, err) : 0;
}

int
graph_load(struct graph *g, int dirfd, const char *file, const char *name, struct buf *problems,
    struct err *err)
{
	AUTO_BUF text = BUF_INIT;

	if (links_check_path(dirfd, file, err) < 0 ||
	    fs_read(dirfd, file, YTREE_MAX, &text, err) < 0) {
		*g = (struct graph){.text = BUF_INIT};
		return -1;
	}
	return graph_parse(g, name, &text, problems, err);
}

void
graph_release(struct graph *g)
{
	strmap_release(&g->ids);
	free(g->tasks);
	free(g->edges);
	free(g->links);
	ytree_release(&g->tree);
	buf_release(&g->text);
	*g = (struct graph){.text = BUF_INIT};
}

struct graph_task *
graph_find(const struct graph *g, const char *id)
{
	return strmap_get(&g->ids, id);
}

/* ---- what can be done ---------------------------------------------------------------- */

void
graph_overlay(struct graph *g, const struct claims *claims)
{
	for (size_t i = 0; i < claims_count(claims); i++) {
		const struct claim *c = claims_at(claims, i);
		struct graph_task *t = graph_find(g, c->task);

		if (t == NULL)
			continue;
		t->claim = c;
		t->here = strcmp(c->worktree, claims_worktree(claims)) == 0;
		if (t->status == TASK_COMPLETE)
			continue;
		t->now = c->state == CLAIM_COMPLETE ? TASK_COMPLETE : TASK_IN_PROGRESS;
	}
}

bool
graph_is_elsewhere(const struct graph_task *t)
{
	return t->now == TASK_COMPLETE && t->status != TASK_COMPLETE;
}

static bool
is_free(const struct graph_task *t)
{
	if (t->now == TASK_PENDING || t->now == TASK_READY)
		return true;
	return t->now == TASK_IN_PROGRESS && t->claim != NULL && claim_is_void(t->claim);
}

static bool
needs_are_met(const struct graph_task *t)
{
	for (size_t i = 0; i < t->nneeds; i++)
		if (t->needs[i]->status != TASK_COMPLETE)
			return false;
	return true;
}

bool
graph_is_ready(const struct graph_task *t)
{
	return t->now != TASK_COMPLETE && needs_are_met(t) && is_free(t);
}

bool
graph_is_failed(const struct graph_task *t)
{
	return t->now == TASK_IN_PROGRESS && t->claim != NULL &&
	       t->claim->state == CLAIM_FAILED;
}

enum task_status
graph_standing(const struct graph_task *t)
{
	if (graph_is_ready(t))
		return TASK_READY;
	return is_free(t) ? TASK_PENDING : t->now;
}

static bool
is_of(const struct graph_task *t, const char *story)
{
	return story == NULL || (t->story != NULL && strcmp(t->story, story) == 0);
}

struct graph_task *
graph_next(const struct graph *g, const char *story)
{
	struct graph_task *best = NULL;

	for (size_t i = 0; i < g->ntasks; i++) {
		struct graph_task *t = &g->tasks[i];

		if ((best == NULL || t->priority < best->priority) && is_of(t, story) &&
		    graph_is_ready(t))
			best = t;
	}
	return best;
}

size_t
graph_ready(const struct graph *g, const char *story, struct graph_task ***out)
{
	struct graph_task **list = xcalloc(g->ntasks + 1, sizeof(struct graph_task *));
	size_t n = 0;

	for (int64_t p = 0; p < GRAPH_PRIORITIES; p++)
		for (size_t i = 0; i < g->ntasks; i++) {
			struct graph_task *t = &g->tasks[i];

			if (t->priority == p && is_of(t, story) && graph_is_ready(t))
				list[n++] = t;
		}
	*out = list;
	return n;
}

bool
graph_has_open(const struct graph *g, const char *story)
{
	for (size_t i = 0; i < g->ntasks; i++)
		if (is_of(&g->tasks[i], story) && g->tasks[i].now != TASK_COMPLETE)
			return true;
	return false;
}

bool
graph_has_story(const struct graph *g, const char *story)
{
	for (size_t i = 0; i < g->ntasks; i++)
		if (is_of(&g->tasks[i], story))
			return true;
	return false;
}

/* ---- why nothing can be done --------------------------------------------------------- */

enum holdup { HELD_WORKING, HELD_FAILED, HELD_BLOCKED, HELD_WAITING, HELD_COUNT };

static enum holdup
holdup_of(const struct graph_task *t)
{
	if (t->claim != NULL && t->claim->state == CLAIM_FAILED)
		return HELD_FAILED;
	if (t->now == TASK_IN_PROGRESS && !is_free(t))
		return HELD_WORKING;
	return t->now == TASK_BLOCKED ? HELD_BLOCKED : HELD_WAITING;
}

bool
graph_has_failed(const struct graph *g, const char *story)
{
	for (size_t i = 0; i < g->ntasks; i++)
		if (g->tasks[i].now != TASK_COMPLETE && is_of(&g->tasks[i], story) &&
		    holdup_of(&g->tasks[i]) == HELD_FAILED)
			return true;
	return false;
}

static void
add_waiting(const struct graph_task *t, struct buf *out)
{
	for (size_t i = 0; i < t->nneeds; i++) {
		const struct graph_task *n = t->needs[i];

		if (n->status == TASK_COMPLETE)
			continue;
		buf_addf(out, "%s for %s%s", t->id, n->id,
		    !graph_is_elsewhere(n) ? ""
		    : n->here ? ", which was completed here, though the graph does not say so"
			      : ", which is complete elsewhere but not merged here");
		return;
	}
	buf_adds(out, t->id);
}

static void
explain_kind(const struct graph *g, const char *story, enum holdup kind, struct buf *out)
{
	static const char *const words[] = {"in progress", "failed", "blocked", "waiting"};
	AUTO_BUF names = BUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < g->ntasks; i++) {
		const struct graph_task *t = &g->tasks[i];

		if (t->now == TASK_COMPLETE || !is_of(t, story) || holdup_of(t) != kind ||
		    n++ >= EXPLAIN_NAMES)
			continue;
		buf_adds(&names, n > 1 ? ", " : "");
		if (kind == HELD_WAITING)
			add_waiting(t, &names);
		else
			buf_adds(&names, t->id);
	}
	if (n == 0)
		return;
	buf_addf(out, "%s%zu %s (%s%s)", out->len > 0 ? "; " : "", n, words[kind], names.data,
	    n > EXPLAIN_NAMES ? ", ..." : "");
}

void
graph_explain(const struct graph *g, const char *story, struct buf *out)
{
	AUTO_BUF text = BUF_INIT;

	for (int kind = 0; kind < HELD_COUNT; kind++)
		explain_kind(g, story, (enum holdup)kind, &text);
	buf_add(out, text.data, text.len);
}
