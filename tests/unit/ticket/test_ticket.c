/*
 * Reading tickets, and saying where tk reads the same bytes otherwise.
 */
#include "../base/scratch.h"
#include "ticket/ticket.h"

static struct ticket t;
static struct err err;

static void
parse(const char *text)
{
	ticket_release(&t);
	err = (struct err)ERR_INIT;
	if (ticket_parse("file-name", text, strlen(text), &t, &err) < 0)
		fail_msg("%s", err.text);
}

static int
teardown(void **state UNUSED)
{
	ticket_release(&t);
	return 0;
}

static void
assert_list(char *const *list, const char *expected)
{
	AUTO_BUF joined = BUF_INIT;

	for (; *list != NULL; list++)
		buf_addf(&joined, "%s%s", joined.len > 0 ? "|" : "", *list);
	assert_string_equal(joined.data, expected);
}

#define FRONT "---\nid: a-1\nstatus: open\ndeps: []\nlinks: []\n"

static void
test_as_tk_writes_it(void **state UNUSED)
{
	parse("---\nid: mp-l4ur\nstatus: in_progress\ndeps: [mp-a, mp-b]\nlinks: [mp-c]\n"
	      "created: 2026-11-15T20:39:18Z\ntype: bug\npriority: 1\nassignee: A B\n"
	      "external-ref: gh-12\nparent: mp-p\ntags: [component:api, urgent]\n---\n"
	      "# First ticket\n\nText.\n# Not the title\n");
	assert_string_equal(t.id, "mp-l4ur");
	assert_string_equal(t.name, "file-name");
	assert_int_equal(t.status, TICKET_IN_PROGRESS);
	assert_string_equal(t.word, "in_progress");
	assert_int_equal(t.priority, 1);
	assert_string_equal(t.title, "First ticket");
	assert_string_equal(t.type, "bug");
	assert_string_equal(t.assignee, "A B");
	assert_string_equal(t.created, "2026-11-15T20:39:18Z");
	assert_string_equal(t.external_ref, "gh-12");
	assert_string_equal(t.parent, "mp-p");
	assert_list(t.deps, "mp-a|mp-b");
	assert_list(t.links, "mp-c");
	assert_list(t.tags, "component:api|urgent");
	assert_null(t.differs);
}

static void
test_what_is_missing(void **state UNUSED)
{
	parse("---\n---\n");
	assert_string_equal(t.id, "file-name");
	assert_int_equal(t.status, TICKET_UNKNOWN);
	assert_string_equal(t.word, "");
	assert_int_equal(t.priority, 2);
	assert_string_equal(t.title, "");
	assert_null(t.type);
	assert_null(t.parent);
	assert_list(t.deps, "");
	assert_list(t.tags, "");
	assert_string_equal(
	    t.differs, "tk does not see it: it has no line 'id: ...' in its front matter");
	parse("---\nid: x\n---");
	assert_string_equal(t.id, "x");
	parse("---\nid: x\nstatus: done\n---\n# \n# Title\n");
	assert_int_equal(t.status, TICKET_UNKNOWN);
	assert_string_equal(t.word, "done");
	assert_string_equal(t.title, "Title");
	assert_null(t.differs);
}

static void
test_last_of_two_fields_counts(void **state UNUSED)
{
	parse("---\nid: x\nstatus: open\nstatus: closed\n---\n# T\n");
	assert_int_equal(t.status, TICKET_CLOSED);
	assert_null(t.differs);
}

static void
test_no_tickets(void **state UNUSED)
{
	static const struct {
		const char *data;
		size_t len;
	} rows[] = {
	    {"", 0},
	    {"\n\n", 2},
	    {"# Title\n---\nid: x\n---\n", 22},
	    {"----\nid: x\n----\n", 16},
	    {"---\nid: x\nstatus: open\n", 23},
	    {"---", 3},
	    {"---\nid: \0x\n---\n", 15},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		err = (struct err)ERR_INIT;
		assert_int_equal(ticket_parse("n", rows[i].data, rows[i].len, &t, &err), -1);
		assert_int_equal(err.code, EBADMSG);
		assert_string_not_equal(err.text, "");
	}
}

/* ---- tk's quirks, in the order of its documentation ---------------------------------- */

static void
test_rule_in_the_text(void **state UNUSED)
{
	parse(FRONT "---\n# T\n\nabove\n\n---\n\nstatus: closed\npriority: 0\n");
	assert_int_equal(t.status, TICKET_OPEN);
	assert_int_equal(t.priority, 2);
	assert_string_equal(
	    t.differs, "tk reads its status as 'closed'; tk reads its priority as '0'");
	parse(FRONT "---\nabove\n---\n# T\n");
	assert_string_equal(t.title, "T");
	assert_string_equal(t.differs, "tk sees no title");
	parse(FRONT "---\n# T\n---\nharmless\n---\nstatus: in the text\n");
	assert_null(t.differs);
}

static void
test_bar_in_the_title(void **state UNUSED)
{
	parse(FRONT "---\n# needs | first\n");
	assert_string_equal(t.title, "needs | first");
	assert_string_equal(t.differs, "tk reads its title as 'needs '");
}

static void
test_crlf(void **state UNUSED)
{
	parse(
	    "---\r\nid: a-1\r\nstatus: open\r\ndeps: [b, c]\r\ntags:\r\n- x\r\n---\r\n# T\r\n");
	assert_string_equal(t.id, "a-1");
	assert_int_equal(t.status, TICKET_OPEN);
	assert_list(t.deps, "b|c");
	assert_list(t.tags, "x");
	assert_string_equal(t.title, "T");
	assert_string_equal(t.differs, "tk does not see it: its lines end in CRLF");
	parse("---\nid: a-1\nstatus: open\r\n---\n# T\n");
	assert_int_equal(t.status, TICKET_OPEN);
	assert_string_equal(t.differs, "tk reads its status as 'open\\x0d'");
}

static void
test_quoted_values(void **state UNUSED)
{
	parse("---\nid: 'it''s'\nstatus: \"open\"\ndeps: [\"a, b\", 'c']\n"
	      "assignee: \"say \\\"x\\\" \\\\\" # who\n---\n# T\n");
	assert_string_equal(t.id, "it's");
	assert_int_equal(t.status, TICKET_OPEN);
	assert_list(t.deps, "a, b|c");
	assert_string_equal(t.assignee, "say \"x\" \\");
	assert_non_null(strstr(t.differs, "tk reads its status as '\"open\"'"));
	parse("---\nid: \"never closed\nstatus: open\n---\n");
	assert_string_equal(t.id, "\"never closed");
	assert_null(t.differs);
}

static void
test_block_lists(void **state UNUSED)
{
	parse("---\nid: x\nstatus: open\ndeps:\n  - a-1 # why\n  - \"b-2\"\n-\ntags:\n- t\n"
	      "links: [l1,\n  l2]\n---\n# T\n");
	assert_list(t.deps, "a-1|b-2");
	assert_list(t.tags, "t");
	assert_list(t.links, "l1|l2");
	assert_string_equal(
	    t.differs, "tk sees no deps; tk sees no tags; tk reads its links as '[l1,'");
}

static void
test_second_colon(void **state UNUSED)
{
	parse("---\nid: x\nstatus: open\nassignee: team: a\n---\n# T: U\n");
	assert_string_equal(t.assignee, "team: a");
	assert_string_equal(t.title, "T: U");
	assert_string_equal(t.differs, "tk reads its assignee as 'team'");
}

static void
test_no_blank_after_the_colon(void **state UNUSED)
{
	parse("---\nid: x\nstatus:open\n---\n# T\n");
	assert_int_equal(t.status, TICKET_OPEN);
	assert_string_equal(t.differs, "tk sees no status");
}

static void
test_comments(void **state UNUSED)
{
	parse("---\nid: x\nstatus: open  # for now\nassignee: Bob #2\nexternal-ref: #12\n"
	      "deps: [a] # one\nparent: p  # Its title\n---\n# T\n");
	assert_int_equal(t.status, TICKET_OPEN);
	assert_string_equal(t.assignee, "Bob #2");
	assert_string_equal(t.external_ref, "#12");
	assert_string_equal(t.parent, "p");
	assert_list(t.deps, "a");
	assert_non_null(strstr(t.differs, "tk reads its status as 'open  # for now'"));
}

static void
test_priorities(void **state UNUSED)
{
	parse("---\nid: x\nstatus: open\npriority: 10\n---\n# T\n");
	assert_int_equal(t.priority, 10);
	assert_null(t.differs);
	parse("---\nid: x\nstatus: open\npriority: high\n---\n# T\n");
	assert_int_equal(t.priority, 2);
	assert_string_equal(t.differs, "tk reads its priority as 'high'");
	parse("---\nid: x\nstatus: open\npriority: 99999999999999999999\n---\n# T\n");
	assert_int_equal(t.priority, 2);
}

static void
test_blanks_in_lists(void **state UNUSED)
{
	parse("---\nid: x\nstatus: open\ndeps: [ a ,, b,]\ntags: needs, review\n---\n# T\n");
	assert_list(t.deps, "a|b");
	assert_list(t.tags, "needs|review");
	assert_null(t.differs);
	parse("---\nid: x\nstatus: open\ntags: [needs review]\n---\n# T\n");
	assert_list(t.tags, "needs review");
	/* tk filters by "needsreview" then */
	assert_string_equal(t.differs, "tk reads its tags as '[needs review]'");
}

static void
test_byte_order_mark(void **state UNUSED)
{
	parse("\xef\xbb\xbf---\nid: x\nstatus: open\n---\n# T\n");
	assert_string_equal(t.id, "x");
	assert_non_null(t.differs);
}

/* ---- names --------------------------------------------------------------------------- */

static void
test_components(void **state UNUSED)
{
	AUTO_BUF out = BUF_INIT;

	parse("---\nid: x\nstatus: open\ntags: [tf, component:ui, component:, "
	      "component:api]\n---\n");
	ticket_components(&t, "component:", &out);
	assert_string_equal(out.data, "ui,api");
	buf_clear(&out);
	ticket_components(&t, "area:", &out);
	assert_string_equal(out.data, "");
}

static void
test_unsafe_ids(void **state UNUSED)
{
	static const char *const unsafe[] = {"", ".", "..", "../x", "../../etc", "/abs", "-rf",
	    "-D", "--option", "$(rm -rf ~)", "`x`", "a;b", "a\nb", "a\tb", "a b", "x..y",
	    "x.lock", "x.", "@{-1}", "refs/heads/x", "a\xe2\x80\xaez", "\xc3\xa9", "_x", ".x",
	    "a|b", "*", "a\\b", "a~1", "a^", "a:b"};
	char endless[301];

	memset(endless, 'a', 300);
	endless[300] = '\0';
	for (size_t i = 0; i <= ARRAY_LEN(unsafe); i++) {
		const char *id = i < ARRAY_LEN(unsafe) ? unsafe[i] : endless;
		AUTO_BUF slug = BUF_INIT;

		assert_false(ticket_id_is_safe(id));
		ticket_slug(id, &slug);
		assert_int_equal(slug.len, strlen("slug-01234567"));
		assert_true(ticket_id_is_safe(slug.data));
	}
	assert_true(ticket_id_is_safe("mp-l4ur"));
	assert_true(ticket_id_is_safe("my.app-1_x"));
}

static void
test_slugs_tell_ids_apart(void **state UNUSED)
{
	AUTO_BUF a = BUF_INIT;
	AUTO_BUF b = BUF_INIT;

	ticket_slug("../a", &a);
	ticket_slug("../b", &b);
	assert_string_not_equal(a.data, b.data);
	buf_clear(&a);
	ticket_slug("mp-l4ur", &a);
	assert_string_equal(a.data, "mp-l4ur");
}

static void
test_prefixes(void **state UNUSED)
{
	static const struct {
		const char *dir, *prefix;
	} rows[] = {
	    {"/x/my-project", "mp"},
	    {"/x/my_big-thing", "mbt"},
	    {"/x/ralph", "ral"},
	    {"/x/my.app", "my."},
	    {"/x/ab", "ab"},
	    {"/x/-rf", "t"},
	    {"/x/..", "t"},
	    {"/", "t"},
	    {"/x/$(x)", "t"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		AUTO_BUF out = BUF_INIT;

		ticket_prefix(rows[i].dir, &out);
		assert_string_equal(out.data, rows[i].prefix);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_teardown(test_as_tk_writes_it, teardown),
	    cmocka_unit_test_teardown(test_what_is_missing, teardown),
	    cmocka_unit_test_teardown(test_last_of_two_fields_counts, teardown),
	    cmocka_unit_test_teardown(test_no_tickets, teardown),
	    cmocka_unit_test_teardown(test_rule_in_the_text, teardown),
	    cmocka_unit_test_teardown(test_bar_in_the_title, teardown),
	    cmocka_unit_test_teardown(test_crlf, teardown),
	    cmocka_unit_test_teardown(test_quoted_values, teardown),
	    cmocka_unit_test_teardown(test_block_lists, teardown),
	    cmocka_unit_test_teardown(test_second_colon, teardown),
	    cmocka_unit_test_teardown(test_no_blank_after_the_colon, teardown),
	    cmocka_unit_test_teardown(test_comments, teardown),
	    cmocka_unit_test_teardown(test_priorities, teardown),
	    cmocka_unit_test_teardown(test_blanks_in_lists, teardown),
	    cmocka_unit_test_teardown(test_byte_order_mark, teardown),
	    cmocka_unit_test_teardown(test_components, teardown),
	    cmocka_unit_test(test_unsafe_ids),
	    cmocka_unit_test(test_slugs_tell_ids_apart),
	    cmocka_unit_test(test_prefixes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
