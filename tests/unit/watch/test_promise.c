/* One tag by itself: what is one, and what it says. */
#include "watch/promise.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

/* "kind text", or "none". */
static const char *
read_tag(const char *text)
{
	static const char *const names[] = {"done", "stuck", "blocked", "progress"};
	static char out[PROMISE_TEXT_MAX + 20];
	struct promise p;

	if (!promise_parse(text, strlen(text), &p))
		return "none";
	snprintf(out, sizeof(out), "%s %s", names[p.kind], p.text);
	return out;
}

static void
the_four_kinds(void **state UNUSED)
{
	assert_string_equal(read_tag("<promise>DONE</promise>"), "done ");
	assert_string_equal(read_tag("<promise>DONE:T001</promise>"), "done T001");
	assert_string_equal(
	    read_tag("<promise>STUCK:which file?</promise>"), "stuck which file?");
	assert_string_equal(read_tag("<promise>BLOCKED: no  key </promise>"), "blocked no key");
	assert_string_equal(read_tag("<promise>PROGRESS:40</promise>"), "progress 40");
	assert_string_equal(read_tag("  <Promise>done</PROMISE> "), "done ");
	assert_string_equal(read_tag("<promise> Stuck : Why? </promise>"), "stuck Why?");
	assert_string_equal(read_tag("<promise>STUCK</promise>"), "stuck ");
	assert_string_equal(read_tag("<promise>STUCK:a List<int> or b > c?</promise>"),
	    "stuck a List<int> or b > c?");
}

static void
numbers(void **state UNUSED)
{
	assert_string_equal(read_tag("<promise>PROGRESS:7%</promise>"), "progress 7");
	assert_string_equal(read_tag("<promise>progress: 0 %</promise>"), "progress 0");
	assert_string_equal(read_tag("<promise>PROGRESS:100</promise>"), "progress 100");
	assert_string_equal(read_tag("<promise>PROGRESS:101%</promise>"), "progress 100");
	assert_string_equal(
	    read_tag("<promise>PROGRESS:99999999999999999999</promise>"), "progress 100");
	assert_string_equal(read_tag("<promise>PROGRESS:-3</promise>"), "progress 0");
	assert_string_equal(read_tag("<promise>PROGRESS:62.5%</promise>"), "progress 62");
	assert_string_equal(read_tag("<promise>PROGRESS:N</promise>"), "none");
	assert_string_equal(read_tag("<promise>PROGRESS:</promise>"), "none");
	assert_string_equal(read_tag("<promise>PROGRESS</promise>"), "none");
	assert_string_equal(read_tag("<promise>PROGRESS:4 of 5</promise>"), "none");
}

static void
what_is_none(void **state UNUSED)
{
	static const char *const none[] = {"", "<promise>", "</promise>", "<promise></promise>",
	    "<promise>COMPLETE</promise>", "<promise>DONE", "DONE",
	    "<promise>DONE</promise> is what to print", "say <promise>DONE</promise>",
	    "`<promise>DONE</promise>`", "<promise>DONE</promise><promise>DONE</promise>",
	    "<promise>STUCK:a<promise>DONE</promise>", "<promise>DONEISH</promise>",
	    "<promises>DONE</promises>", "<promise>DONE</promise", "<promise>DO NE</promise>"};

	for (size_t i = 0; i < ARRAY_LEN(none); i++)
		assert_string_equal(read_tag(none[i]), "none");
}

static void
broken_into_rows(void **state UNUSED)
{
	assert_string_equal(read_tag("<pro\nmise>DO\nNE</prom\nise>"), "done ");
	assert_string_equal(read_tag("<promise>STUCK:which\nfile\nis\nit?\n</promise>"),
	    "stuck which file is it?");
	assert_string_equal(read_tag("<promise>\nSTUCK:\nwhy\n</promise>\n"), "stuck why");
}

static void
a_reason_is_cut_at_a_character(void **state UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct promise p;

	buf_adds(&text, "<promise>STUCK:x");
	for (int i = 0; i < 200; i++)
		buf_adds(&text, "\303\244");
	buf_adds(&text, "</promise>");
	assert_true(promise_parse(text.data, text.len, &p));
	assert_int_equal(strlen(p.text), PROMISE_TEXT_MAX - 1);
	assert_memory_equal(p.text + PROMISE_TEXT_MAX - 3, "\303\244", 2);
	assert_true(promise_fill(&p, PROMISE_BLOCKED, "a\033[31m\nb\0c", 11));
	assert_string_equal(p.text, "a [31m b c");
	assert_false(promise_fill(&p, PROMISE_PROGRESS, "much", 4));
}

static void
what_nobody_sees_is_not_said(void **state UNUSED)
{
	struct promise p;

	assert_string_equal(
	    read_tag("<promise>BLOCKED:be\363\240\201\201cause</promise>"), "blocked because");
	assert_string_equal(
	    read_tag("<promise>DONE:T0\363\240\200\20101</promise>"), "done T001");
	/* No invisible character comes together from the halves of two. */
	assert_true(promise_fill(&p, PROMISE_STUCK, "a\363\363\240\201\201\240\201\201b", 10));
	assert_null(strstr(p.text, "\363\240\201\201"));
}

static void
an_id_is_somebodys(void **state UNUSED)
{
	struct promise p;

	assert_true(promise_fill(&p, PROMISE_DONE, "T001", 4));
	assert_true(promise_is_of(&p, "T001"));
	assert_true(promise_is_of(&p, "t001"));
	assert_false(promise_is_of(&p, "T0011"));
	assert_true(promise_fill(&p, PROMISE_DONE, "", 0));
	assert_true(promise_is_of(&p, "T002"));
	assert_true(promise_fill(&p, PROMISE_STUCK, "T001", 4));
	assert_true(promise_is_of(&p, "T002"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_four_kinds),
	    cmocka_unit_test(numbers),
	    cmocka_unit_test(what_is_none),
	    cmocka_unit_test(broken_into_rows),
	    cmocka_unit_test(a_reason_is_cut_at_a_character),
	    cmocka_unit_test(what_nobody_sees_is_not_said),
	    cmocka_unit_test(an_id_is_somebodys),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
