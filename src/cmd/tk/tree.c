/*
 * tree.c - ralph tk dep tree, dep cycle: dependencies as pictures.
 *
 * A ticket that several others need is shown once, where it is deepest; with --full wherever
 * it occurs.  An arrow back to a ticket above it is left out.
 */
#include "cmd/cmd.h"
#include "cmd/tk/tk.h"

#include "base/alloc.h"
#include "base/strmap.h"

/* A chain this deep is a mistake, and its picture grows with the square of it. */
enum { DEPTH_MAX = 500, LINES_MAX = 100000 };

struct node {
	const struct ticket *t;
	size_t depth;	/* of the longest way here */
	size_t deepest; /* below it */
	bool open, printed;
	struct node **children;
	size_t n;
};

struct dep_tree {
	const struct backlog *b;
	struct strmap nodes;
	struct node **order; /* children before parents */
	size_t n, cap;
	bool full;
	size_t lines;
	struct buf out;
};

static struct node *
tk_tree_node_add(struct dep_tree *tree, const struct ticket *t)
{
	struct node *node = xcalloc(1, sizeof(*node));

	node->t = t;
	(void)strmap_put(&tree->nodes, t->id, node);
	return node;
}

static void
order_add(struct dep_tree *tree, struct node *node)
{
	tree->order = xgrow(tree->order, tree->n, &tree->cap, sizeof(struct node *));
	tree->order[tree->n++] = node;
}

static void
tk_tree_visit(struct dep_tree *tree, struct node *node, size_t level)
{
	size_t deps = strlist_len(node->t->deps);

	node->open = true;
	node->children = xcalloc(deps + 1, sizeof(struct node *));
	for (size_t i = 0; i < deps && level < DEPTH_MAX; i++) {
		const struct ticket *t = backlog_find(tree->b, node->t->deps[i]);
		struct node *child = t != NULL ? strmap_get(&tree->nodes, t->id) : NULL;

		if (t == NULL || (child != NULL && child->open))
			continue;
		if (child == NULL) {
			child = tk_tree_node_add(tree, t);
			tk_tree_visit(tree, child, level + 1);
		}
		node->children[node->n++] = child;
	}
	node->open = false;
	order_add(tree, node);
}

static int
by_depth(const void *a, const void *b)
{
	const struct node *const *x = a, *const *y = b;

	if ((*x)->deepest != (*y)->deepest)
		return (*x)->deepest < (*y)->deepest ? -1 : 1;
	return strcmp((*x)->t->id, (*y)->t->id);
}

static void
tk_tree_measure(struct dep_tree *tree)
{
	for (size_t i = tree->n; i-- > 0;) {
		struct node *node = tree->order[i];

		for (size_t c = 0; c < node->n; c++)
			if (node->children[c]->depth < node->depth + 1)
				node->children[c]->depth = node->depth + 1;
	}
	for (size_t i = 0; i < tree->n; i++) {
		struct node *node = tree->order[i];

		node->deepest = node->depth;
		for (size_t c = 0; c < node->n; c++)
			if (node->children[c]->deepest > node->deepest)
				node->deepest = node->children[c]->deepest;
	}
	/* Only now all children are known. */
	for (size_t i = 0; i < tree->n; i++)
		if (tree->order[i]->n > 0)
			qsort(tree->order[i]->children, tree->order[i]->n,
			    sizeof(struct node *), by_depth);
}

static void
print_node(struct dep_tree *tree, struct node *node, const char *prefix, const char *branch)
{
	buf_addf(&tree->out, "%s%s", prefix, branch);
	tk_add_entry(&tree->out, tree->b, node->t->id);
	buf_addc(&tree->out, '\n');
	node->printed = true;
	tree->lines++;
}

static void
print_below(struct dep_tree *tree, const struct node *node, struct buf *prefix)
{
	AUTO_FREE struct node **shown = xcalloc(node->n + 1, sizeof(struct node *));
	size_t n = 0, len = prefix->len;

	for (size_t i = 0; i < node->n; i++) {
		struct node *child = node->children[i];
		bool twice = n > 0 && shown[n - 1] == child;

		if (!twice &&
		    (tree->full || (!child->printed && child->depth == node->depth + 1)))
			shown[n++] = child;
	}
	for (size_t i = 0; i < n && tree->lines < LINES_MAX; i++) {
		bool last = i + 1 == n;

		print_node(tree, shown[i], prefix->data, last ? "└── " : "├── ");
		buf_adds(prefix, last ? "    " : "│   ");
		print_below(tree, shown[i], prefix);
		buf_truncate(prefix, len);
	}
}

int
tk_dep_tree(struct backlog *b, const char *partial, bool full)
{
	const struct ticket *t = tk_match(b, partial);
	struct dep_tree tree = {.b = b, .full = full, .out = BUF_INIT};
	AUTO_BUF prefix = BUF_INIT;
	struct node *root;

	if (t == NULL)
		return EX_FAILED;
	root = tk_tree_node_add(&tree, t);
	tk_tree_visit(&tree, root, 0);
	tk_tree_measure(&tree);
	print_node(&tree, root, "", "");
	print_below(&tree, root, &prefix);
	if (tree.lines >= LINES_MAX)
		tk_error("the tree is longer than this");
	cmd_print(&tree.out);
	for (size_t i = 0; i < tree.n; i++) {
		free(tree.order[i]->children);
		free(tree.order[i]);
	}
	free(tree.order);
	strmap_release(&tree.nodes);
	buf_release(&tree.out);
	return EX_OK;
}

/* ---- cycles -------------------------------------------------------------------------- */

struct cycles {
	struct buf out;
	size_t n;
};

static void
add_cycle(void *ctx, const struct ticket *const *members, size_t n)
{
	struct cycles *c = ctx;

	buf_addf(&c->out, "%sCycle %zu: ", c->n > 0 ? "\n" : "", c->n + 1);
	c->n++;
	for (size_t i = 0; i < n; i++)
		text_addf(&c->out, "%s -> ", members[i]->id);
	text_addf(&c->out, "%s\n", members[0]->id);
	for (size_t i = 0; i < n; i++) {
		buf_adds(&c->out, "  ");
		tk_add_id(&c->out, members[i]->id);
		text_addf(&c->out, " [%s] %s\n", members[i]->word, members[i]->title);
	}
}

int
tk_dep_cycle(struct backlog *b)
{
	struct cycles c = {BUF_INIT, 0};

	backlog_cycles(b, add_cycle, &c);
	if (c.n == 0)
		buf_adds(&c.out, "No dependency cycles found\n");
	cmd_print(&c.out);
	buf_release(&c.out);
	return EX_OK;
}
