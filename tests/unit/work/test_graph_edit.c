/*
 * Changing YAML in place: one thing changes, every other byte stays.
 */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "work/graph/graph_edit.h"

static struct err err;

static struct ytree tree;
static struct yedits edits;

static void
begin(const char *text)
{
	err = (struct err)ERR_INIT;
	if (ytree_parse(&tree, "y", text, 0, strlen(text), &err) < 0)
		fail_msg("%s", err.text);
	yedits_init(&edits, &tree);
}

static void
end(const char *expected)
{
	AUTO_BUF out = BUF_INIT;

	if (yedits_apply(&edits, "y", tree.to, &out, &err) < 0)
		fail_msg("%s: %s", err.text, out.data);
	assert_string_equal(out.data, expected);
	yedits_release(&edits);
	ytree_release(&tree);
}

static void
set(const struct ynode *map, const char *key, const char *value)
{
	yedits_set(&edits, map, key, value, YVALUE_TEXT, "status");
}

/* The n-th item of the list. */
static struct ynode *
item(const char *list, int n)
{
	struct ynode *i = ynode_get(tree.root, list)->child;

	while (n-- > 0)
		i = i->next;
	return i;
}

static void
test_values(void **state UNUSED)
{
	begin("# top\nnodes:\n  - id: a # one\n    status: ready   # now\n    \"odd\":   "
	      "'kept' \n"
	      "  # between\n  - {id: b, status: \"ready\"}\n  - id: c\n    status: 'ready'\n"
	      "  - id: d\n    status:\n    x: 1\n");
	set(item("nodes", 0), "status", "in-progress");
	set(item("nodes", 1), "status", "complete");
	set(item("nodes", 2), "status", "blocked");
	set(item("nodes", 3), "status", "ready");
	end("# top\nnodes:\n  - id: a # one\n    status: in-progress   # now\n    \"odd\":   "
	    "'kept' \n"
	    "  # between\n  - {id: b, status: \"complete\"}\n  - id: c\n    status: 'blocked'\n"
	    "  - id: d\n    status: ready\n    x: 1\n");
}

static void
test_the_same_is_no_change(void **state UNUSED)
{
	begin("nodes:\n- id: a\n  status: \"ready\"\n");
	set(item("nodes", 0), "status", "ready");
	set(item("nodes", 0), "gone", NULL);
	assert_true(yedits_none(&edits));
	end("nodes:\n- id: a\n  status: \"ready\"\n");
}

static void
test_new_fields(void **state UNUSED)
{
	begin("nodes:\n- id: a\n  status: ready # c\n  z: 1\n- {id: b, status: ready}\n- {}\n"
	      "- status: |\n    text\n  z: 2\n- status: ready");
	for (int i = 0; i < 5; i++) {
		set(item("nodes", i), "by", "me");
		set(item("nodes", i), "at", "2026-01-27T10:00:00.000Z");
	}
	end("nodes:\n- id: a\n  status: ready # c\n  by: me\n  at: "
	    "'2026-01-27T10:00:00.000Z'\n  z: 1\n"
	    "- {id: b, status: ready, by: me, at: '2026-01-27T10:00:00.000Z'}\n"
	    "- {by: me, at: '2026-01-27T10:00:00.000Z'}\n"
	    "- status: |\n    text\n  by: me\n  at: '2026-01-27T10:00:00.000Z'\n  z: 2\n"
	    "- status: ready\n  by: me\n  at: '2026-01-27T10:00:00.000Z'");
}

static void
test_fields_go(void **state UNUSED)
{
	begin("nodes:\n- by: me\n  at: now # when\n  status: x\n- {at: now, by: me}\n- id: a\n"
	      "  at: |\n    long\n    text\n  by: me\n");
	for (int i = 0; i < 3; i++) {
		set(item("nodes", i), "at", NULL);
		set(item("nodes", i), "by", NULL);
	}
	end("nodes:\n- by: null\n  status: x\n- {at: null, by: null}\n- id: a\n");
}

static void
test_values_that_are_not_there(void **state UNUSED)
{
	begin("nodes:\n- {id: a, status}\n- {status: }\n- status:   # c\n- {status, id: d}\n");
	for (int i = 0; i < 4; i++)
		set(item("nodes", i), "status", "ready");
	end("nodes:\n- {id: a, status: ready}\n- {status: ready}\n- status: ready   # c\n"
	    "- {status: ready, id: d}\n");
}

static void
test_crlf(void **state UNUSED)
{
	begin("nodes:\r\n- id: a\r\n  status: ready\r\n  by: me\r\n");
	set(item("nodes", 0), "status", "complete");
	set(item("nodes", 0), "at", "now");
	set(item("nodes", 0), "by", NULL);
	end("nodes:\r\n- id: a\r\n  status: complete\r\n  at: now\r\n");
}

static void
test_characters_are_not_bytes(void **state UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF want = BUF_INIT;

	/* A mark every 256 characters is kept: be well beyond some. */
	buf_adds(&text, "# ");
	for (int i = 0; i < 700; i++)
		buf_adds(&text, "\xc3\xbc\xe2\x82\xac\xf0\x9f\x98\x80");
	buf_adds(&text, "\nnodes:\n- title: gr\xc3\xbc\xc3\x9f"
			"e\n  status: ");
	buf_add(&want, text.data, text.len);
	buf_adds(&text, "ready # \xc3\xa4\n");
	buf_adds(&want, "complete # \xc3\xa4\n");
	begin(text.data);
	set(item("nodes", 0), "status", "complete");
	end(want.data);
}

/* As some editors write a file: three bytes first, which stay. */
static void
test_byte_order_mark(void **state UNUSED)
{
	static const char *const begins[] = {
	    "nodes:\n", "---\nnodes:\n", "# \xc3\xbc and \xc3\x9f\nnodes:\n"};

	for (size_t i = 0; i < ARRAY_LEN(begins); i++) {
		AUTO_FREE char *text = xasprintf("\xef\xbb\xbf%s- status: ready\n", begins[i]);
		AUTO_FREE char *want =
		    xasprintf("\xef\xbb\xbf%s- status: complete\n", begins[i]);

		begin(text);
		set(item("nodes", 0), "status", "complete");
		end(want);
	}
}

/* The mark behind the last character is one, too, whatever the number of characters. */
static void
test_texts_of_every_length(void **state UNUSED)
{
	for (int length = 1; length < 600; length++) {
		AUTO_BUF text = BUF_INIT;
		AUTO_BUF want = BUF_INIT;

		buf_adds(&text, "# ");
		for (int i = 0; i < length; i++)
			buf_adds(&text, "\xc3\xbc");
		buf_adds(&text, "\nnodes:\n- status: ");
		buf_add(&want, text.data, text.len);
		buf_adds(&text, "ready");
		buf_adds(&want, "complete");
		begin(text.data);
		set(item("nodes", 0), "status", "complete");
		end(want.data);
	}
}

static const struct yfield fields[] = {
    {"id", "nn", YVALUE_TEXT},
    {"none", NULL, YVALUE_TEXT},
    {"priority", "1", YVALUE_RAW},
};

static void
append(const char *key)
{
	yedits_append(&edits, tree.root, key, fields, ARRAY_LEN(fields));
}

static void
test_append(void **state UNUSED)
{
	static const char *const cases[][2] = {
	    {"l:\n  - id: a # c\nz: 1\n",
		"l:\n  - id: a # c\n  - id: nn\n    priority: 1\nz: 1\n"},
	    {"l:\n- id: a\n  t: |\n    x\n\n# c\nz: 1\n",
		"l:\n- id: a\n  t: |\n    x\n\n- id: nn\n  priority: 1\n# c\nz: 1\n"},
	    {"l:\n  - {id: a}\n", "l:\n  - {id: a}\n  - {id: nn, priority: 1}\n"},
	    {"l: [{id: a}] # c\n", "l: [{id: a}, {id: nn, priority: 1}] # c\n"},
	    {"l: []\nz: 1\n", "l: \n  - id: nn\n    priority: 1\nz: 1\n"},
	    {"l:\nz: 1\n", "l:\n  - id: nn\n    priority: 1\nz: 1\n"},
	    {"z: 1\n", "z: 1\nl:\n  - id: nn\n    priority: 1\n"},
	    {"z: 1", "z: 1\nl:\n  - id: nn\n    priority: 1"},
	    {"l:\n- id: a", "l:\n- id: a\n- id: nn\n  priority: 1"},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		begin(cases[i][0]);
		append("l");
		end(cases[i][1]);
	}
}

static void
test_append_twice(void **state UNUSED)
{
	begin("l: []\n");
	append("l");
	append("l");
	end("l: \n  - id: nn\n    priority: 1\n  - id: nn\n    priority: 1\n");
	begin("t: |\n  text\n");
	append("l");
	append("l");
	append("m");
	end("t: |\n  text\nl:\n  - id: nn\n    priority: 1\n  - id: nn\n    priority: 1\nm:\n  "
	    "- "
	    "id: nn\n"
	    "    priority: 1\n");
}

static void
test_remove(void **state UNUSED)
{
	begin("l:\n  - from: a\n    to: b # c\n  # stays\n  - {from: b, to: c}\n  - from: x\n  "
	      "  to: y\n");
	yedits_remove(&edits, ynode_get(tree.root, "l"), item("l", 0));
	yedits_remove(&edits, ynode_get(tree.root, "l"), item("l", 2));
	end("l:\n  # stays\n  - {from: b, to: c}\n");
	begin("l: [a, b, c]\nm: [a]\nn: [a, b]\n");
	yedits_remove(&edits, ynode_get(tree.root, "l"), item("l", 1));
	yedits_remove(&edits, ynode_get(tree.root, "m"), item("m", 0));
	yedits_remove(&edits, ynode_get(tree.root, "n"), item("n", 0));
	end("l: [a, c]\nm: []\nn: [b]\n");
	begin("l:\n  -\n    from: a\n    to: b\n  - from: c\n");
	yedits_remove(&edits, ynode_get(tree.root, "l"), item("l", 0));
	end("l:\n  -\n    null\n  - from: c\n");
}

static void
test_scalars(void **state UNUSED)
{
	static const char *const cases[][2] = {{"word", "word"}, {"two words", "two words"},
	    {"it's", "'it''s'"}, {"yes", "'yes'"}, {"Null", "'Null'"}, {"1.0", "'1.0'"},
	    {"a: b", "'a: b'"}, {"a #b", "'a #b'"}, {"", "''"}, {"end ", "'end '"},
	    {"two\nlines\t\"x\" \\", "\"two\\nlines\\u0009\\\"x\\\" \\\\\""}, {"- x", "'- x'"},
	    {"gr\xc3\xbc\xc3\x9f"
	     "e",
		"'gr\xc3\xbc\xc3\x9f"
		"e'"}};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		AUTO_BUF out = BUF_INIT;
		AUTO_BUF text = BUF_INIT;

		yscalar_add(&out, cases[i][0], YSTYLE_PLAIN);
		assert_string_equal(out.data, cases[i][1]);
		buf_addf(&text, "v: %s\n", out.data);
		begin(text.data);
		assert_string_equal(ynode_text(ynode_get(tree.root, "v")), cases[i][0]);
		end(text.data);
	}
}

/* What would come out as no YAML is an error, not a file. */
static void
test_what_cannot_be_said(void **state UNUSED)
{
	AUTO_BUF out = BUF_INIT;

	begin("l:\n- a\n- b\nz: 1\n");
	yedits_set(&edits, tree.root, "l", "text", YVALUE_TEXT, NULL);
	assert_int_equal(yedits_apply(&edits, "y", tree.to, &out, &err), -1);
	assert_non_null(strstr(err.text, "cannot change it in place: y:"));
	yedits_release(&edits);
	ytree_release(&tree);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_values),
	    cmocka_unit_test(test_the_same_is_no_change),
	    cmocka_unit_test(test_new_fields),
	    cmocka_unit_test(test_fields_go),
	    cmocka_unit_test(test_values_that_are_not_there),
	    cmocka_unit_test(test_crlf),
	    cmocka_unit_test(test_characters_are_not_bytes),
	    cmocka_unit_test(test_texts_of_every_length),
	    cmocka_unit_test(test_byte_order_mark),
	    cmocka_unit_test(test_append),
	    cmocka_unit_test(test_append_twice),
	    cmocka_unit_test(test_remove),
	    cmocka_unit_test(test_scalars),
	    cmocka_unit_test(test_what_cannot_be_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
