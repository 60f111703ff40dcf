/*
 * explain.c - why tickets are not ready: the ends of all chains of dependencies are cycles, are
 * missing, or are tickets that are open themselves; and which files are not read as tickets,
 * though they should be.
 */
#include "work/tickets/backlog.h"

#include "base/alloc.h"
#include "base/text.h"
#include "work/tickets/entries.h"

#define REASONS_MAX 10
#define CYCLE_SHOWN 8

/* ---- cycles -------------------------------------------------------------------------- */

enum colour { UNVISITED = 0, ON_PATH, DONE };

struct node {
	enum colour colour;
	size_t next;	  /* the dependency to look at */
	size_t closed_by; /* 1 + the last one whose arrow to this one closed a cycle */
};

struct walk {
	const struct backlog *b;
	struct node *nodes;
	size_t *path, depth;
	const struct ticket **members;
	cycle_fn *fn;
	void *ctx;
};

static void
tell_cycle(struct walk *w, size_t node)
{
	size_t first = w->depth, n, least = 0;

	while (w->path[--first] != node)
		;
	n = w->depth - first;
	for (size_t i = 0; i < n; i++) {
		w->members[i] = &w->b->entries[w->path[first + i]]->t;
		if (strcmp(w->members[i]->id, w->members[least]->id) < 0)
			least = i;
	}
	/* Copies the cycle so that the least id comes first; the path itself stays. */
	for (size_t i = 0; i < n; i++)
		w->members[i] = &w->b->entries[w->path[first + (least + i) % n]]->t;
	w->fn(w->ctx, w->members, n);
}

static void
walk_enter(struct walk *w, size_t node)
{
	w->nodes[node].colour = ON_PATH;
	w->path[w->depth++] = node;
}

/* Without recursion: a chain may be as long as the backlog. */
static void
walk_from(struct walk *w, size_t root)
{
	walk_enter(w, root);
	while (w->depth > 0) {
		size_t at = w->path[w->depth - 1];
		const char *dep = w->b->entries[at]->t.deps[w->nodes[at].next++];
		const struct entry *e;

		if (dep == NULL) {
			w->nodes[at].colour = DONE;
			w->depth--;
			continue;
		}
		e = strmap_get(&w->b->ids, dep);
		if (e == NULL || entry_is_closed(e))
			continue;
		if (w->nodes[e->index].colour == UNVISITED) {
			walk_enter(w, e->index);
		} else if (w->nodes[e->index].colour == ON_PATH &&
			   w->nodes[e->index].closed_by != at + 1) {
			w->nodes[e->index].closed_by = at + 1;
			tell_cycle(w, e->index);
		}
	}
}

void
backlog_cycles(const struct backlog *b, cycle_fn *fn, void *ctx)
{
	AUTO_FREE struct node *nodes = xcalloc(b->n + 1, sizeof(*nodes));
	AUTO_FREE size_t *path = xcalloc(b->n + 1, sizeof(*path));
	AUTO_FREE const struct ticket **members = xcalloc(b->n + 1, sizeof(struct ticket *));
	struct walk w = {b, nodes, path, 0, members, fn, ctx};

	for (size_t i = 0; i < b->n; i++) {
		const struct entry *e = b->entries[i];

		if (entry_is_ticket(e) && !e->shadowed && !entry_is_closed(e) &&
		    nodes[i].colour == UNVISITED)
			walk_from(&w, i);
	}
}

/* ---- reasons ------------------------------------------------------------------------- */

struct reasons {
	struct buf *out;
	size_t n;
	struct strmap told; /* ids of tickets that have their reason */
};

/* Begins the next reason; false when enough were given. */
static bool
explain_reason(struct reasons *r)
{
	if (r->n++ >= REASONS_MAX)
		return false;
	if (r->n > 1)
		buf_adds(r->out, "; ");
	return true;
}

static void
explain_show(struct buf *out, const char *id)
{
	text_show(out, id, strlen(id), false);
}

static void
reason_cycle(void *ctx, const struct ticket *const *members, size_t n)
{
	struct reasons *r = ctx;

	for (size_t i = 0; i < n; i++)
		(void)strmap_put(&r->told, members[i]->id, r);
	if (!explain_reason(r))
		return;
	for (size_t i = 0; i < n && i < CYCLE_SHOWN; i++) {
		explain_show(r->out, members[i]->id);
		buf_adds(r->out, " -> ");
	}
	if (n > CYCLE_SHOWN)
		buf_adds(r->out, "... -> ");
	explain_show(r->out, members[0]->id);
	buf_adds(r->out, " is a cycle");
}

static bool
dep_is_open(const struct backlog *b, const char *dep)
{
	const struct entry *e = strmap_get(&b->ids, dep);

	return e != NULL && e->t.status != TICKET_UNKNOWN;
}

/* Adds why no run ever closes the dependency. */
static void
add_obstacle(struct buf *out, const struct backlog *b, const char *dep)
{
	const struct entry *e = strmap_get(&b->ids, dep);
	AUTO_FREE char *file = xasprintf("%s.md", dep);

	if (e != NULL) {
		buf_adds(out, ", whose status is ");
		text_quote(out, e->t.word);
	} else if (strmap_get(&b->files, file) != NULL) {
		buf_adds(out, ", which cannot be read as a ticket");
	} else {
		buf_adds(out, ", which does not exist");
	}
}

/* Adds the tickets that the ticket waits for: those that are open, or those that cannot be
 * done. */
static void
reasons_of(struct reasons *r, const struct backlog *b, const struct ticket *t, bool open)
{
	for (size_t i = 0; t->deps[i] != NULL; i++) {
		const char *dep = t->deps[i];

		if (backlog_is_closed(b, dep) || dep_is_open(b, dep) != open)
			continue;
		(void)strmap_put(&r->told, t->id, r);
		if (!explain_reason(r))
			continue;
		explain_show(r->out, t->id);
		buf_adds(r->out, " waits for ");
		explain_show(r->out, dep);
		if (!open)
			add_obstacle(r->out, b, dep);
	}
}

/* Is the file meant as a ticket, but not worked on as one?  A copy of a ticket that was settled
 * is open as long as its file says so. */
static bool
is_unread(const struct entry *e)
{
	if (!entry_is_ticket(e) || (e->t.status == TICKET_UNKNOWN && !e->settled))
		return e->meant;
	if (e->shadowed)
		return e->t.status != TICKET_CLOSED;
	return e->conflict && !entry_is_open(e);
}

static void
add_mistake(struct buf *out, const struct backlog *b, const struct entry *e)
{
	const struct entry *other;

	if (e->bad != NULL) {
		explain_show(out, e->bad);
	} else if (e->conflict) {
		buf_adds(out, "its front matter has conflict markers");
	} else if (e->shadowed) {
		other = strmap_get(&b->ids, e->t.id);
		buf_adds(out, "its id is also that of ");
		text_quote(out, other != NULL ? other->file : e->t.id);
	} else if (e->t.word[0] == '\0') {
		buf_adds(out, "it has no status");
	} else {
		buf_adds(out, "its status is ");
		text_quote(out, e->t.word);
	}
}

size_t
backlog_unread(const struct backlog *b, struct buf *why)
{
	struct reasons r = {.out = why};

	for (size_t i = 0; i < b->n; i++) {
		const struct entry *e = b->entries[i];

		if (!is_unread(e) || !explain_reason(&r))
			continue;
		explain_show(why, e->file);
		buf_adds(why, " waits to be mended: ");
		add_mistake(why, b, e);
	}
	if (r.n > REASONS_MAX)
		buf_addf(why, "; and %zu more", r.n - REASONS_MAX);
	return r.n;
}

void
backlog_explain(const struct backlog *b, struct buf *why)
{
	struct reasons r = {.out = why};

	backlog_cycles(b, reason_cycle, &r);
	for (size_t i = 0; i < b->n; i++)
		if (entry_is_open(b->entries[i]))
			reasons_of(&r, b, &b->entries[i]->t, false);
	for (size_t i = 0; i < b->n; i++)
		if (entry_is_open(b->entries[i]) &&
		    strmap_get(&r.told, b->entries[i]->t.id) == NULL)
			reasons_of(&r, b, &b->entries[i]->t, true);
	if (r.n > REASONS_MAX)
		buf_addf(why, "; and %zu more", r.n - REASONS_MAX);
	strmap_release(&r.told);
}
