/* Reading todo.md: every form that its writers have, and what must not be taken for a task. */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "work/todo/todo_file.h"

static struct err err;
static struct todo_file file;
static struct buf text;

static void
parse(const char *s, const char *section)
{
	todo_file_release(&file);
	buf_clear(&text);
	buf_adds(&text, s);
	todo_file_parse(&file, text.data, text.len, section);
}

static int
setup(void **state UNUSED)
{
	buf_init(&text);
	file = (struct todo_file){.notes = BUF_INIT};
	return 0;
}

static int
teardown(void **state UNUSED)
{
	todo_file_release(&file);
	buf_release(&text);
	return 0;
}

#define file_test(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

/* The ids of what is to be done, in order. */
static const char *
work(void)
{
	static char out[512];
	size_t n = 0;

	out[0] = '\0';
	for (size_t i = 0; i < file.nwork; i++) {
		const struct todo_task *t = &file.tasks[file.work[i]];

		n += (size_t)snprintf(out + n, sizeof(out) - n, "%s%.*s", i > 0 ? " " : "",
		    (int)t->line.id.len, t->line.id.p);
	}
	return out;
}

static void
assert_span(struct span s, const char *expected)
{
	AUTO_FREE char *is = xstrndup(s.p == NULL ? "(none)" : s.p, s.p == NULL ? 6 : s.len);

	assert_string_equal(is, expected);
}

/* The first task's title. */
static void
assert_title(const char *line, const char *title)
{
	struct todo_parts parts;

	parse(line, NULL);
	assert_int_equal(file.n, 1);
	todo_line_parts(&file.tasks[0].line, &parts);
	assert_span(parts.title, title);
}

static void
test_sections(void **state UNUSED)
{
	parse("# Tasks\n## Backlog\n- [ ] T001: a @bob\n## Claude Tasks\n- [ ] T002: b\n"
	      "### Later\n- [ ] T003: c\n## Change History\n- [ ] T002: not a task\n",
	    NULL);
	assert_false(file.whole);
	assert_string_equal(work(), "T002 T003");
	assert_int_equal(todo_file_check(&file, &err), 0);
	parse("## Backlog\n- [ ] T001: a\n## Done\n- [x] T002: b\n", NULL);
	assert_true(file.whole);
	assert_string_equal(work(), "T001");
	assert_string_equal(file.notes.data, "");
	parse("## Backlog\n- [ ] T001: a\n", "Sprint \x1b[31m");
	assert_string_equal(file.notes.data,
	    "there is no section 'Sprint \\x1b[31m'; all tasks of the file count\n");
	assert_string_equal(work(), "T001");
}

static void
test_aliases(void **state UNUSED)
{
	static const char *const names[][2] = {{"Active", "In progress"},
	    {"in PROGRESS", "active"}, {"Delayed", "Blocked"}, {"waiting", "Delayed"},
	    {"Done", "Completed"}, {"complete", "DONE"}, {"Sprint 3", "sprint 3"}};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		AUTO_FREE char *s = xasprintf(
		    "## %s: ##\r\n- [ ] T001: a\r\n## Other\r\n- [ ] T002: b\r\n", names[i][0]);

		parse(s, names[i][1]);
		assert_string_equal(work(), "T001");
	}
}

static void
test_order(void **state UNUSED)
{
	/* Writers of "Claude Tasks" insert the newest on top. */
	parse("## Claude Tasks\n- [ ] T010: c\n- [~] T002: b\n- [x] T003: x\n- [ ] T1: a\n",
	    NULL);
	assert_string_equal(work(), "T1 T002 T010");
	parse("## Backlog\n- [ ] T010: c\n- [ ] T002: b\n", NULL);
	assert_string_equal(work(), "T010 T002");
	parse("## Backlog\n- [ ] T010: c\n- [ ] T002: b\n", "backlog");
	assert_string_equal(work(), "T010 T002");
}

static void
test_what_is_work(void **state UNUSED)
{
	AUTO_BUF left = BUF_INIT;
	size_t aside;

	parse("## Claude Tasks\n- [ ] T1: a\n- [~] T2: b\n- [~] T3: c **WIP** @x\n"
	      "- [ ] T4: d **BLOCKED** - no (key)\n- [~] T5: e **DEFERRED**\n"
	      "- [~] T6: f **SKIPPED** - later @bob #x\n- [x] T7: g **WIP**\n- [X] T8: h\n"
	      "- [-] T9: i\n- [ ] T10: j **DONE** @bob\n",
	    NULL);
	assert_string_equal(work(), "T1 T2 T3");
	assert_int_equal(todo_file_left(&file, &left, &aside), 4);
	assert_int_equal(aside, 2);
	assert_string_equal(left.data,
	    "T4 is blocked (no (key)), T5 is deferred, T6 is skipped "
	    "(later), T9 is of an unknown mark");
	assert_string_equal(file.notes.data, "line 11: T10 says **DONE**, but its box is not "
					     "ticked; it is taken for done\n");
}

static void
test_delayed_waits(void **state UNUSED)
{
	const char *s = "## Backlog\n- [ ] T1: a\n## Waiting\n- [ ] T2: b\n- [~] T3: c\n";

	parse(s, NULL);
	assert_string_equal(work(), "T1");
	parse(s, "Delayed");
	assert_string_equal(work(), "T2 T3");
}

static void
test_line_forms(void **state UNUSED)
{
	static const char *const lines[] = {"- [ ] T001: do it", "* [ ] T001: do it",
	    "+ [ ] T001 do it", "  - [ ] T001 - do it", "\t- [ ] T001 \xe2\x80\x94 do it",
	    "1. [ ] T001: do it", "12) [ ] T001\xe2\x80\x93 do it", "- [ ] **T001**: do it",
	    "- [ ] **T001:** do it", "- [ ] `T001` - do it", "- [ ]T001:do it  \t",
	    "- [ ]   T001:   do it   ", "\xef\xbb\xbf- [ ] T001: do it\r\n"};

	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		assert_title(lines[i], "do it");
		assert_int_equal(file.tasks[0].line.number, 1);
		assert_span(file.tasks[0].line.id, "T001");
	}
}

static void
test_suffixes(void **state UNUSED)
{
	struct todo_parts p;

	parse("- [ ] T1: do it @claude [worklog: ai/w (1).md] [checkpoint: abc] "
	      "(created: 2026-01-27 10:00) (completed: 2026-01-28 11:00)\r\n",
	    NULL);
	todo_line_parts(&file.tasks[0].line, &p);
	assert_span(p.title, "do it");
	assert_span(p.completed, "(completed: 2026-01-28 11:00)");
	assert_null(p.status.p);
	parse("- [~] T1: do it **BLOCKED** - waits for it (see #12) @@bob #ui #Big\n", NULL);
	todo_line_parts(&file.tasks[0].line, &p);
	assert_span(p.title, "do it");
	assert_span(p.status, "**BLOCKED** - waits for it (see #12)");
	assert_span(p.reason, "waits for it (see #12)");
	parse("- [ ] T1: do it #tag (owner: Bob B.) **WIP**\n", NULL);
	todo_line_parts(&file.tasks[0].line, &p);
	assert_span(p.title, "do it");
	assert_int_equal(p.state, TODO_ACTIVE);
}

static void
test_titles_that_look_like_more(void **state UNUSED)
{
	assert_title("- [ ] T1: The **DONE** button is gone", "The **DONE** button is gone");
	assert_title("- [ ] T1: Fix bug #12", "Fix bug #12");
	assert_title("- [ ] T1: mail a@b.example", "mail a@b.example");
	assert_title("- [ ] T1: call f(created: x) (now)", "call f(created: x) (now)");
	assert_title("- [ ] T1: `code` first", "`code` first");
	assert_title("- [ ] T1:", "");
	assert_title("- [ ] T1", "");
	assert_title("- [ ] T1: @bob", "");
	assert_title("- [ ] T1: (created: 2026", "(created: 2026");
	assert_title("- [ ] T1: a (completed:).", "a (completed:).");
	assert_title("- [ ] T1: a [worklog:x", "a [worklog:x");
	assert_title("- [ ] T1: )", ")");
	assert_title("- [ ] T1: @", "@");
}

static void
test_no_tasks(void **state UNUSED)
{
	parse("- T1: no box\n[ ] T2: no list\n-[ ] T3: no blank\n- [x](T4: a link)\n"
	      "- [xx] T5: two marks\n\n   \n- [ ]\n- [\n-\n1\n12. \n- [1] a footnote\n",
	    NULL);
	assert_int_equal(file.n, 0);
	assert_string_equal(file.notes.data,
	    "line 8: a task without an id (such as T001) is left alone\n"
	    "lines 2, 3: what look like tasks, but are not written as such ('- [ ] T001: "
	    "...'), are left alone\n");
}

static void
test_no_box(void **state UNUSED)
{
	AUTO_BUF left = BUF_INIT;
	size_t aside;

	parse(
	    "## Claude Tasks\n- [] T1: a\n- [] b **DONE**\n-[] T2: c **DEFERRED**\n- [x ] T3\n"
	    "## Other\n- [] T4: d\n## Change History\n- [] T5: e\n",
	    NULL);
	assert_int_equal(file.n, 0);
	assert_int_equal(todo_file_left(&file, &left, &aside), 1);
	assert_int_equal(aside, 0);
	assert_string_equal(left.data, "line 2 looks like a task, but cannot be read as one: "
				       "begin it with '- [ ] T001: ', or remove it");
	buf_clear(&left);
	parse("- [ ] T1: e **BLOCKED**\n- [\xff\xff] T2\n-[ ]\n[ ]T3\n[] T\n\\[ ]\n## "
	      "Waiting\n-[ "
	      "] g\n",
	    NULL);
	assert_int_equal(todo_file_left(&file, &left, &aside), 3);
	assert_string_equal(left.data,
	    "T1 is blocked, lines 3, 4 look like tasks, but cannot be read as such: "
	    "begin them with '- [ ] T001: ', or remove them");
}

static void
test_code_and_comments(void **state UNUSED)
{
	parse("```md\n## Claude Tasks\n- [ ] T1: example\n```\n"
	      "<!--\n- [ ] T2: commented\n-->\n<!-- one line --> \n"
	      "   ~~~~\n- [ ] T3: example\n~~~\n~~~~~\n- [ ] T4: real\n``` inline ``` text\n",
	    NULL);
	assert_true(file.whole);
	assert_string_equal(work(), "T4");
	assert_string_equal(file.notes.data, "");
	/* What is never closed must not swallow tasks. */
	parse("- [ ] T1: a\n```\n- [ ] T2: b\n<!-- oops\n- [ ] T3: c\n<!-- again\n", NULL);
	assert_string_equal(work(), "T1 T2 T3");
	assert_string_equal(file.notes.data,
	    "line 2: the code that begins here has no end, and is read as text\n"
	    "line 4: the comment that begins here has no end, and is read as text\n");
}

static void
test_lines_without_id(void **state UNUSED)
{
	AUTO_BUF left = BUF_INIT;
	size_t aside;

	parse("## Claude Tasks\n- [ ] no id\n- [x] done anyway\n- [ ] t001: small\n- [ ] T001: "
	      "a\n"
	      "- [ ] To do\n## Other\n- [ ] not asked for\n",
	    NULL);
	assert_string_equal(work(), "T001");
	assert_string_equal(file.notes.data,
	    "lines 2, 4, 6: tasks without an id (such as T001) are left alone\n");
	assert_int_equal(todo_file_left(&file, &left, &aside), 3);
	assert_int_equal(aside, 0);
	assert_string_equal(left.data, "lines 2, 4, 6 are open and have no id: give them one "
				       "(such as T001), or tick them");
	buf_clear(&left);
	parse("- [x] a\n- [ ] b **DONE**\n- [ ] c **SKIPPED**\n- [~] d **DEFERRED**\n"
	      "- [ ] T1: e **BLOCKED**\n- [ ] T12x: f\n## Waiting\n- [ ] g\n",
	    NULL);
	assert_int_equal(todo_file_left(&file, &left, &aside), 2);
	assert_string_equal(left.data,
	    "T1 is blocked, line 6 is open and has no id: give it one (such as T001), or tick "
	    "it");
}

static void
test_hostile_ids(void **state UNUSED)
{
	AUTO_BUF s = BUF_INIT;

	buf_adds(&s, "- [ ] T001/../../etc/passwd: a\n- [ ] T../x: b\n- [ ] T/etc: c\n"
		     "- [ ] T001.done: d\n- [ ] T0\x1b[2J: e\n- [ ] T");
	for (int i = 0; i < 300; i++)
		buf_addc(&s, '1');
	buf_adds(&s, ": f\n- [ ] T1234567890123456789: g\n- [ ] T123456789012345678: h\n");
	parse(s.data, NULL);
	assert_string_equal(work(), "T123456789012345678");
	assert_string_equal(file.notes.data,
	    "line 1: 'T001/../../etc/passwd' cannot be an id (T and up to 18 digits); it is "
	    "left "
	    "alone\n"
	    "line 2: 'T../x' cannot be an id (T and up to 18 digits); it is left alone\n"
	    "line 3: 'T/etc' cannot be an id (T and up to 18 digits); it is left alone\n"
	    "line 4: 'T001.done' cannot be an id (T and up to 18 digits); it is left alone\n"
	    "line 5: 'T0 [2J' cannot be an id (T and up to 18 digits); it is left alone\n"
	    "and 2 more that cannot be ids\n");
}

static void
test_ids(void **state UNUSED)
{
	uint64_t n;

	assert_true(todo_id_parse("T001", &n));
	assert_int_equal(n, 1);
	assert_true(todo_id_parse("T123456789012345678", &n));
	assert_false(todo_id_parse("T1234567890123456789", &n));
	assert_false(todo_id_parse("", &n));
	assert_false(todo_id_parse("T", &n));
	assert_false(todo_id_parse("TT001", &n));
	assert_false(todo_id_parse("T001/", &n));
	assert_false(todo_id_parse("../T001", &n));
	assert_false(todo_id_parse("T1 ", &n));
}

static void
test_duplicates(void **state UNUSED)
{
	parse("## Done\n- [x] T001: a\n## Claude Tasks\n- [ ] T001: b\n", NULL);
	assert_int_equal(todo_file_check(&file, &err), -1);
	assert_int_equal(err.code, EEXIST);
	assert_string_equal(err.text, "T001 is the id of two tasks, in lines 2 and 4");
	parse("- [ ] T007: a\n- [ ] T7: b\n", NULL);
	assert_int_equal(todo_file_check(&file, &err), -1);
	assert_string_equal(err.text, "T007 in line 1 and T7 in line 2 are the same id");
	parse("- [x] T001: a\n- [x] T001: b\n- [ ] T002: c\n", NULL);
	assert_int_equal(todo_file_check(&file, &err), 0);
	assert_string_equal(file.notes.data, "T001 was done twice, in lines 1 and 2\n");
}

/* Three readers of one file disagreed about each of these. */
static void
test_disagreements(void **state UNUSED)
{
	parse("# Tasks\n## Done\n- [x] T001: old **DONE** @bob\n## Claude Tasks\n"
	      "- [ ] T002: below Done, but pending\n- [ ] T003: no assignee\n"
	      "- [ ] T004: tags behind @bob #ui #api\n- [ ] T7: not padded @bob\n"
	      "- [ ] T142531: an id made of a time\n",
	    NULL);
	assert_int_equal(todo_file_check(&file, &err), 0);
	assert_string_equal(work(), "T002 T003 T004 T7 T142531");
	assert_non_null(todo_file_find(&file, "T007"));
	assert_null(todo_file_find(&file, "T008"));
	assert_null(todo_file_find(&file, "../T7"));
}

static void
test_hostile_bytes(void **state UNUSED)
{
	static const char bytes[] =
	    "## Claude Tasks\n- [ ] T1: a\0b\xff\xfe\x80 \x1b]0;x\a @\xff\n"
	    "\xff\xff\n- [\0] T2: nul\n- [ ] T3: \xe2\x80";
	AUTO_BUF title = BUF_INIT;
	struct todo_parts parts;

	todo_file_parse(&file, bytes, sizeof(bytes) - 1, NULL);
	assert_string_equal(work(), "T1 T3");
	todo_line_parts(&file.tasks[0].line, &parts);
	todo_text(parts.title, 100, &title);
	assert_string_equal(title.data, "a b\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd  ]0;x ");
	buf_clear(&title);
	todo_text((struct span){"\xe2\x82\xac\xe2\x82\xac\xe2\x82\xac", 9}, 6, &title);
	assert_string_equal(title.data, "\xe2\x82\xac...");
	buf_clear(&title);
	todo_text((struct span){"ab\xff\xff\xff\xff", 6}, 6, &title);
	assert_string_equal(title.data, "ab...");
	buf_clear(&title);
	todo_text((struct span){"abcdef", 6}, 6, &title);
	assert_string_equal(title.data, "abcdef");
}

static void
test_huge_line(void **state UNUSED)
{
	AUTO_BUF s = BUF_INIT;
	struct todo_parts parts;

	buf_adds(&s, "- [ ] T1: ");
	for (int i = 0; i < 500000; i++)
		buf_adds(&s, "**@ (");
	buf_adds(&s, " **BLOCKED** - x @bob\n- [ ] T2: y\n");
	parse(s.data, NULL);
	assert_string_equal(work(), "T2");
	todo_line_parts(&file.tasks[0].line, &parts);
	assert_span(parts.reason, "x");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    file_test(test_sections),
	    file_test(test_aliases),
	    file_test(test_order),
	    file_test(test_what_is_work),
	    file_test(test_delayed_waits),
	    file_test(test_line_forms),
	    file_test(test_suffixes),
	    file_test(test_titles_that_look_like_more),
	    file_test(test_no_tasks),
	    file_test(test_no_box),
	    file_test(test_code_and_comments),
	    file_test(test_lines_without_id),
	    file_test(test_hostile_ids),
	    file_test(test_ids),
	    file_test(test_duplicates),
	    file_test(test_disagreements),
	    file_test(test_hostile_bytes),
	    file_test(test_huge_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
