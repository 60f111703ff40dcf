/*
 * Reading a task graph: what is in it, what is wrong with it, and what is next.
 */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "work/graph/graph.h"

static struct err err;

static int
parse(struct graph *g, const char *text, struct buf *problems)
{
	AUTO_BUF copy = BUF_INIT;

	err = (struct err)ERR_INIT;
	buf_adds(&copy, text);
	return graph_parse(g, "g.yaml", &copy, problems, &err);
}

static struct graph
good(const char *text)
{
	struct graph g;
	AUTO_BUF problems = BUF_INIT;

	if (parse(&g, text, &problems) < 0)
		fail_msg("%s", err.text);
	return g;
}

/* All that is wrong, as validate shows it. */
static void
bad(const char *text, const char *expected)
{
	struct graph g;
	AUTO_BUF problems = BUF_INIT;

	assert_int_equal(parse(&g, text, &problems), -1);
	assert_string_equal(problems.data, expected);
	assert_int_equal(err.code, EBADMSG);
}

static void
test_fields(void **state UNUSED)
{
	struct graph g =
	    good("version: \"1.0\"\nnodes:\n"
		 "- id: T-1\n  title: 'It''s one'\n  story: S-1\n  priority: 0\n"
		 "  milestones: [M2, M3]\n  status: in-progress\n  assignee: null\n"
		 "  output: a.md, b\n  description: |\n    two\n    lines\n"
		 "- {id: T-2, title: \"t\\u00fc\", status: ready, story: ~}\n"
		 "edges: []\nanything: {else: [1, 2]}\n");
	const struct graph_task *a = graph_find(&g, "T-1"), *b = graph_find(&g, "T-2");

	assert_int_equal(g.ntasks, 2);
	assert_string_equal(a->title, "It's one");
	assert_string_equal(a->story, "S-1");
	assert_string_equal(a->milestone, "M2");
	assert_string_equal(a->output, "a.md, b");
	assert_string_equal(a->description, "two\nlines\n");
	assert_int_equal(a->priority, 0);
	assert_int_equal(a->status, TASK_IN_PROGRESS);
	assert_int_equal(a->line, 3);
	assert_string_equal(b->title, "t\xc3\xbc");
	assert_null(b->story);
	assert_int_equal(b->priority, GRAPH_PRIORITY);
	assert_null(graph_find(&g, "T-3"));
	graph_release(&g);
}

static void
test_order(void **state UNUSED)
{
	struct graph g =
	    good("nodes:\n- {id: a, priority: 3}\n- {id: b, priority: 1, story: S}\n"
		 "- {id: c, priority: 1, status: ready}\n"
		 "- {id: d, priority: 0, depends_on: [c]}\n"
		 "- {id: e, priority: 0, status: blocked}\n"
		 "- {id: f, priority: 0, status: complete}\n"
		 "- {id: h, priority: 0}\n"
		 "edges:\n- {from: f, to: a}\n- {from: f, to: b}\n- {from: b, to: h}\n"
		 "- {from: b, to: h}\n");
	struct graph_task **list;

	assert_int_equal(graph_ready(&g, NULL, &list), 3);
	assert_string_equal(list[0]->id, "b");
	assert_string_equal(list[1]->id, "c");
	assert_string_equal(list[2]->id, "a");
	free(list);
	assert_string_equal(graph_next(&g, NULL)->id, "b");
	assert_string_equal(graph_next(&g, "S")->id, "b");
	assert_null(graph_next(&g, "X"));
	assert_true(graph_has_story(&g, "S"));
	assert_false(graph_has_story(&g, "X"));
	assert_int_equal(graph_find(&g, "h")->nneeds, 1);
	assert_int_equal(graph_find(&g, "b")->nfeeds, 1);
	graph_release(&g);
}

static void
test_explain(void **state UNUSED)
{
	struct graph g = good("nodes:\n- {id: a, status: in-progress}\n- {id: b}\n"
			      "- {id: c, status: blocked}\n- {id: d, status: complete}\n"
			      "edges:\n- {from: d, to: b}\n- {from: a, to: b}\n");
	AUTO_BUF why = BUF_INIT;

	assert_null(graph_next(&g, NULL));
	assert_true(graph_has_open(&g, NULL));
	graph_explain(&g, NULL, &why);
	assert_string_equal(why.data, "1 in progress (a); 1 blocked (c); 1 waiting (b for a)");
	graph_release(&g);
}

static void
test_wrong(void **state UNUSED)
{
	bad("nodes:\n- {id: a}\n- {id: b}\n- {id: a}\nedges:\n- {from: a, to: zz}\n- {to: b}\n",
	    "g.yaml:4: the id 'a' is there twice: also in line 2\n"
	    "g.yaml:6: no node has the id 'zz'\n"
	    "g.yaml:7: an edge without 'from'\n");
	bad("nodes:\n- {id: a, status: done}\n- {id: b, priority: 9}\n- {title: x}\n- 7\n- "
	    "{id: a/b}\n",
	    "g.yaml:2: no such status: 'done'; there are pending, ready, in-progress, complete "
	    "and blocked\n"
	    "g.yaml:3: a priority is 0 to 5, not '9'\n"
	    "g.yaml:4: a node without an id\n"
	    "g.yaml:5: a node must have fields\n"
	    "g.yaml:6: this cannot be an id: 'a/b'\n");
	bad("", "g.yaml:1: this is no task graph: it has no nodes\n");
	bad("# nothing\n", "g.yaml:1: this is no task graph: it has no nodes\n");
	bad("version: 1\n", "g.yaml:1: this is no task graph: it has no nodes\n");
	bad("nodes: 3\n", "g.yaml:1: nodes is no list\n");
	bad("nodes: []\nedges: {a: b}\n", "g.yaml:2: edges is no list\n");
	bad("nodes:\n- {id: a, depends_on: [b]}\n", "g.yaml:2: no node has the id 'b'\n");
}

static void
test_cycles(void **state UNUSED)
{
	bad("nodes:\n- {id: a}\n- {id: b}\n- {id: c}\n- {id: d}\n"
	    "edges:\n- {from: a, to: b}\n- {from: b, to: c}\n- {from: c, to: a}\n"
	    "- {from: d, to: d}\n",
	    "g.yaml:2: a cycle: a -> b -> c -> a\ng.yaml:5: a cycle: d -> d\n");
}

/* What libyaml lets pass, and what it does not. */
static void
test_yaml(void **state UNUSED)
{
	AUTO_BUF deep = BUF_INIT;
	struct graph g;
	AUTO_BUF problems = BUF_INIT;

	bad("nodes:\n- id: a\n  id: b\n", "g.yaml:3: the key 'id' is there twice\n");
	bad("nodes: &x\n- id: a\nother: *x\n",
	    "g.yaml:3: an alias ('*') is not understood here\n");
	bad("nodes: []\n---\nnodes: []\n", "g.yaml:2: a second document begins here\n");
	bad("nodes: []\n? [a, b]\n: c\n", "g.yaml:2: a key must be a word\n");
	bad("nodes:\n- id: \"a\\0b\"\n", "g.yaml:2: a NUL character in a text\n");
	bad("nodes:\n- id: a\n title: [\n", "g.yaml:3: did not find expected key\n");
	bad("nodes:\n- id: \xff\n", "g.yaml:2: invalid leading UTF-8 octet\n");
	bad("nodes:\n- id: a\r  status: x\n",
	    "g.yaml:2: a line break that is neither LF nor CRLF\n");
	bad("nodes:\n- id: a\n  title: \"\xe2\x80\xa8\"\n",
	    "g.yaml:3: a line break that is neither LF nor CRLF\n");
	buf_adds(&deep, "nodes: ");
	for (int i = 0; i < 20000; i++)
		buf_addc(&deep, '[');
	assert_int_equal(parse(&g, deep.data, &problems), -1);
	assert_string_equal(err.text, "g.yaml:1: nested more than 64 deep");
	bad("a1: 1\na2: 1\na3: 1\na4: 1\na5: 1\na6: 1\na7: 1\na8: 1\na9: 1\nb1: 1\nb2: 1\nb3: "
	    "1\n"
	    "b4: 1\nb5: 1\nb4: 1\nnodes: []\n",
	    "g.yaml:15: the key 'b4' is there twice\n");
}

static void
test_more_than_one_problem(void **state UNUSED)
{
	struct graph g;
	AUTO_BUF problems = BUF_INIT;

	assert_int_equal(parse(&g, "nodes:\n- {}\n- {}\n", &problems), -1);
	assert_string_equal(
	    err.text, "g.yaml:2: a node without an id (and 1 more: 'ralph graph validate')");
}

static void
test_empty_graphs(void **state UNUSED)
{
	static const char *const texts[] = {"nodes: []\n", "nodes:\nedges:\n", "nodes: ~\n",
	    "\xef\xbb\xbfnodes: []\n", "nodes:\n- null\nedges:\n- null\n"};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct graph g = good(texts[i]);

		assert_int_equal(g.ntasks, 0);
		assert_false(graph_has_open(&g, NULL));
		graph_release(&g);
	}
}

/* A chain of 20,000 is neither deep recursion nor quadratic. */
static void
test_long_chain(void **state UNUSED)
{
	enum { MANY = 20000 };
	AUTO_BUF text = BUF_INIT;
	struct graph g;

	buf_adds(&text, "nodes:\n");
	for (int i = 0; i < MANY; i++)
		buf_addf(
		    &text, "- {id: t%d, status: %s}\n", i, i < 10 ? "complete" : "pending");
	buf_adds(&text, "edges:\n");
	for (int i = 1; i < MANY; i++)
		buf_addf(&text, "- {from: t%d, to: t%d}\n", i - 1, i);
	g = good(text.data);
	assert_string_equal(graph_next(&g, NULL)->id, "t10");
	graph_release(&g);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_fields),
	    cmocka_unit_test(test_order),
	    cmocka_unit_test(test_explain),
	    cmocka_unit_test(test_wrong),
	    cmocka_unit_test(test_cycles),
	    cmocka_unit_test(test_yaml),
	    cmocka_unit_test(test_more_than_one_problem),
	    cmocka_unit_test(test_empty_graphs),
	    cmocka_unit_test(test_long_chain),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
