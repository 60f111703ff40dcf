#include "work/graph/graph.h"

#include "base/alloc.h"
#include "base/text.h"
#include "loop/vocabulary.h"
#include "ticket/ticket.h"
#include <errno.h>

#define NO_GRAPH "this is no task graph: it has no nodes"
enum { EXPLAIN_NAMES = 5 };

/* A graph being read, and where its mistakes go. */
struct graph_reading {
	struct graph *g;
	const char *name;
	struct buf *problems;
	size_t edge_cap;
};

VOCABULARY(task_status, enum task_status, TASK_STATUSES)

void
graph_problem(struct buf *problems, const char *name, unsigned line, const char *fmt, ...)
{
	va_list ap;

	buf_addf(problems, "%s:%u: ", name, line);
	va_start(ap, fmt);
	buf_vaddf(problems, fmt, ap);
	va_end(ap);
	buf_addc(problems, '\n');
}

int
graph_first_problem(const struct buf *problems, size_t base, struct err *err)
{
	const char *first = problems->data + base;

	return err_code(err, EBADMSG, "%.*s", (int)strcspn(first, "\n"), first);
}

/* A problem with a word of the file in it. */
static void
problem_word(struct graph_reading *r, unsigned line, const char *before, const char *word,
    const char *behind)
{
	AUTO_BUF shown = BUF_INIT;

	text_quote(&shown, word);
	graph_problem(r->problems, r->name, line, "%s %s%s", before, shown.data, behind);
}

/* ---- nodes --------------------------------------------------------------------------- */

static enum task_status
read_status(struct graph_reading *r, const struct ynode *node)
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

int
graph_priority(const char *word)
{
	bool good = word[0] >= '0' && word[0] < '0' + GRAPH_PRIORITIES && word[1] == '\0';

	return good ? word[0] - '0' : -1;
}

static int64_t
read_priority(struct graph_reading *r, const struct ynode *node)
{
	const struct ynode *n = ynode_get(node, "priority");
	const char *word = ynode_text(n);

	if (word == NULL && (n == NULL || n->kind == YNODE_SCALAR))
		return GRAPH_PRIORITY;
	if (word != NULL && graph_priority(word) >= 0)
		return graph_priority(word);
	problem_word(r, n->line, "a priority is 0 to 5, not", word != NULL ? word : "", "");
	return GRAPH_PRIORITY;
}

/* "milestone: M1", or the first of "milestones: [M1, M2]". */
static const char *
read_milestone(const struct ynode *node)
{
	const char *one = ynode_text(ynode_get(node, "milestone"));

	return one != NULL ? one : ynode_text(ynode_items(ynode_get(node, "milestones")));
}

static void
read_task(struct graph_reading *r, const struct ynode *node)
{
	struct graph_task *t = &r->g->tasks[r->g->ntasks];
	const char *id = ynode_text(ynode_get(node, "id"));
	const char *title = ynode_text(ynode_get(node, "title"));
	const struct graph_task *twin;

	if (id == NULL || !ticket_id_is_safe(id)) {
		if (id == NULL)
			graph_problem(r->problems, r->name, node->line, "a node without an id");
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
	    .line = ynode_get(node, "id")->line,
	    .node = node,
	};
	t->status = t->now = read_status(r, node);
	twin = strmap_get(&r->g->ids, id);
	if (twin != NULL) {
		graph_problem(r->problems, r->name, t->line,
		    "the id '%s' is there twice: also in line %u", id, twin->line);
		return;
	}
	(void)strmap_put(&r->g->ids, t->id, t);
	r->g->ntasks++;
}

static bool
is_nothing(const struct ynode *n)
{
	return n->kind == YNODE_SCALAR && ynode_text(n) == NULL;
}

/* The first item of the list of that name in a map; NULL when there is none. */
static const struct ynode *
read_list(struct graph_reading *r, const struct ynode *map, const char *key)
{
	const struct ynode *list = ynode_get(map, key);

	if (list != NULL && list->kind != YNODE_LIST && !is_nothing(list))
		graph_problem(r->problems, r->name, list->line, "%s is no list", key);
	return ynode_items(list);
}

static void
read_nodes(struct graph_reading *r)
{
	const struct ynode *root = r->g->tree.root, *first = read_list(r, root, "nodes");
	size_t n = 0;

	/* A file without the key is another file, or a graph that is still being written. */
	if (ynode_get(root, "nodes") == NULL)
		graph_problem(r->problems, r->name, 1, NO_GRAPH);
	for (const struct ynode *node = first; node != NULL; node = node->next)
		n++;
	r->g->tasks = xcalloc(n + 1, sizeof(*r->g->tasks));
	for (const struct ynode *node = first; node != NULL; node = node->next) {
		if (node->kind == YNODE_MAP)
			read_task(r, node);
		else if (!is_nothing(node))
			graph_problem(
			    r->problems, r->name, node->line, "a node must have fields");
	}
}

/* ---- edges --------------------------------------------------------------------------- */

static void
add_edge(struct graph_reading *r, struct graph_task *from, struct graph_task *to,
    const struct ynode *node)
{
	struct graph *g = r->g;

	if (from == NULL || to == NULL)
		return;
	g->edges = xgrow(g->edges, g->nedges, &r->edge_cap, sizeof(*g->edges));
	g->edges[g->nedges++] = (struct graph_edge){from, to, node};
}

/* The task whose id the node is. */
static struct graph_task *
read_id(struct graph_reading *r, const struct ynode *n)
{
	const char *id = ynode_text(n);
	struct graph_task *t = id != NULL ? graph_find(r->g, id) : NULL;

	if (t == NULL)
		problem_word(r, n->line, "no node has the id", id != NULL ? id : "", "");
	return t;
}

static struct graph_task *
read_end(struct graph_reading *r, const struct ynode *edge, const char *key)
{
	const struct ynode *n = ynode_get(edge, key);

	if (ynode_text(n) != NULL)
		return read_id(r, n);
	graph_problem(r->problems, r->name, edge->line, "an edge without '%s'", key);
	return NULL;
}

static void
read_edges(struct graph_reading *r)
{
	const struct ynode *e = read_list(r, r->g->tree.root, "edges");

	for (; e != NULL; e = e->next)
		if (!is_nothing(e))
			add_edge(r, read_end(r, e, "from"), read_end(r, e, "to"), e);
}

static void
read_depends(struct graph_reading *r, struct graph_task *t)
{
	const struct ynode *n = read_list(r, t->node, "depends_on");

	for (; n != NULL; n = n->next)
		add_edge(r, read_id(r, n), t, NULL);
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
graph_give_up(struct graph *g, const struct buf *problems, size_t base, struct err *err)
{
	size_t more = 0;

	for (const char *p = problems->data + base; *p != '\0'; p++)
		more += *p == '\n';
	graph_release(g);
	(void)graph_first_problem(problems, base, err);
	if (more > 1 && err != NULL)
		(void)err_code(err, EBADMSG, "%s (and %zu more: 'ralph graph validate')",
		    err->text, more - 1);
	return -1;
}

int
graph_parse(
    struct graph *g, const char *name, struct buf *text, struct buf *problems, struct err *err)
{
	struct graph_reading r = {.g = g, .name = name, .problems = problems};
	size_t base = problems->len;
	struct err why = ERR_INIT;

	*g = (struct graph){.text = *text};
	buf_init(text);
	if (ytree_parse(&g->tree, name, g->text.data, 0, g->text.len, &why) < 0) {
		buf_addf(problems, "%s\n", why.text);
		return graph_give_up(g, problems, base, err);
	}
	if (g->tree.root == NULL || g->tree.root->kind != YNODE_MAP) {
		graph_problem(problems, name, 1, NO_GRAPH);
		return graph_give_up(g, problems, base, err);
	}
	read_nodes(&r);
	read_edges(&r);
	for (size_t i = 0; i < g->ntasks; i++)
		read_depends(&r, &g->tasks[i]);
	link_tasks(g);
	graph_cycles(g, name, problems);
	return problems->len > base ? graph_give_up(g, problems, base, err) : 0;
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

const struct graph_task *
graph_unmet(const struct graph_task *t)
{
	for (size_t i = 0; i < t->nneeds; i++)
		if (t->needs[i]->status != TASK_COMPLETE)
			return t->needs[i];
	return NULL;
}

bool
graph_is_ready(const struct graph_task *t)
{
	return t->now != TASK_COMPLETE && graph_unmet(t) == NULL && is_free(t);
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

bool
graph_is_of(const struct graph_task *t, const char *story)
{
	return story == NULL || (t->story != NULL && strcmp(t->story, story) == 0);
}

size_t
graph_ready(const struct graph *g, const char *story, struct graph_task ***out)
{
	struct graph_task **list = xcalloc(g->ntasks + 1, sizeof(struct graph_task *));
	size_t n = 0;

	for (int64_t p = 0; p < GRAPH_PRIORITIES; p++)
		for (size_t i = 0; i < g->ntasks; i++) {
			struct graph_task *t = &g->tasks[i];

			if (t->priority == p && graph_is_of(t, story) && graph_is_ready(t))
				list[n++] = t;
		}
	*out = list;
	return n;
}

struct graph_task *
graph_next(const struct graph *g, const char *story)
{
	AUTO_FREE struct graph_task **list = NULL;

	return graph_ready(g, story, &list) > 0 ? list[0] : NULL;
}

bool
graph_has_open(const struct graph *g, const char *story)
{
	for (size_t i = 0; i < g->ntasks; i++)
		if (graph_is_of(&g->tasks[i], story) && g->tasks[i].now != TASK_COMPLETE)
			return true;
	return false;
}

bool
graph_has_story(const struct graph *g, const char *story)
{
	for (size_t i = 0; i < g->ntasks; i++)
		if (graph_is_of(&g->tasks[i], story))
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
		if (g->tasks[i].now != TASK_COMPLETE && graph_is_of(&g->tasks[i], story) &&
		    holdup_of(&g->tasks[i]) == HELD_FAILED)
			return true;
	return false;
}

static void
add_waiting(const struct graph_task *t, struct buf *out)
{
	const struct graph_task *n = graph_unmet(t);

	if (n == NULL)
		buf_adds(out, t->id);
	else
		buf_addf(out, "%s for %s%s", t->id, n->id,
		    !graph_is_elsewhere(n) ? ""
		    : n->here ? ", which was completed here, though the graph does not say so"
			      : ", which is complete elsewhere but not merged here");
}

static void
explain_kind(const struct graph *g, const char *story, enum holdup kind, struct buf *out)
{
	static const char *const words[] = {"in progress", "failed", "blocked", "waiting"};
	AUTO_BUF names = BUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < g->ntasks; i++) {
		const struct graph_task *t = &g->tasks[i];

		if (t->now == TASK_COMPLETE || !graph_is_of(t, story) || holdup_of(t) != kind ||
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
