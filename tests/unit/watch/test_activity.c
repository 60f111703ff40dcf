/* Two clocks: what blinks is activity, but no progress. */
#include "watch/activity.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

static void
check_essence(const char *text, const char *expected)
{
	AUTO_BUF out = BUF_INIT;

	activity_essence(text, strlen(text), &out);
	assert_string_equal(out.data, expected);
}

static void
check_same(const char *a, const char *b)
{
	AUTO_BUF x = BUF_INIT;
	AUTO_BUF y = BUF_INIT;

	activity_essence(a, strlen(a), &x);
	activity_essence(b, strlen(b), &y);
	assert_string_equal(x.data, y.data);
}

static void
essence_is_what_does_not_blink(void **state UNUSED)
{
	check_essence("", "");
	check_essence("Reading src/main.c\n", "Reading src/main.c\n");
	check_essence("⠋ Working 42% (1m 3s)\n", "Working\n");
	check_essence("\n\n  indented   text\n\n", "indented text\n");
	check_essence("- item | a/b x-y\n", "item a/b x-y\n");
	check_essence("no newline", "no newline ");
}

static void
spinners_do_not_matter(void **state UNUSED)
{
	check_same("⠋ Thinking", "⠙ Thinking");
	check_same("✻ Thinking…", "✽ Thinking...");
	check_same("· Thinking.", "* Thinking..");
	check_same("| building", "/ building");
	check_same("- building", "\\ building");
	check_same("◐ wait", "◓ wait");
	check_same("⏺ Bash(make)", "  Bash(make)");
	check_same("> █", "> ");
	check_same("🌑 wait", "🌔 wait");
	check_same("loading", "loading...");
	check_same("loading .", "loading ...");
}

static void
check_other(const char *a, const char *b)
{
	AUTO_BUF x = BUF_INIT;
	AUTO_BUF y = BUF_INIT;

	activity_essence(a, strlen(a), &x);
	activity_essence(b, strlen(b), &y);
	assert_string_not_equal(x.data, y.data);
}

/* A program that prints a dot for every test, file or second makes progress. */
static void
dots_that_count_do_matter(void **state UNUSED)
{
	check_other("tests/a.py ......", "tests/a.py .......");
	check_other("loading...", "loading....");
	check_other("loading....", "loading.....");
}

static void
clocks_and_counters_do_not_matter(void **state UNUSED)
{
	check_same("(59s · ↑ 999 tokens · esc to interrupt)",
	    "(1m 0s · ↓ 1.2k tokens · esc to interrupt)");
	check_same("12:59:59 running", "13:00:00 running");
	check_same("Compiling 3/10", "Compiling 10/10");
	check_same("1.5MB 350ms 99%", "2MB 1s 100%");
	check_same("context left: 9%", "context left: 12%");
}

static void
words_do_matter(void **state UNUSED)
{
	AUTO_BUF a = BUF_INIT;
	AUTO_BUF b = BUF_INIT;

	activity_essence("Reading a.c", 11, &a);
	activity_essence("Reading b.c", 11, &b);
	assert_string_not_equal(a.data, b.data);
}

static void
essence_survives_any_bytes(void **state UNUSED)
{
	AUTO_BUF out = BUF_INIT;
	char all[512];

	for (size_t i = 0; i < sizeof(all); i++)
		all[i] = (char)(i * 7);
	activity_essence(all, sizeof(all), &out);
	assert_true(out.len <= sizeof(all) + 64);
}

struct screen {
	const char *text;
	int reads;
};

static void
print_screen(void *ctx, struct buf *out)
{
	struct screen *s = ctx;

	s->reads++;
	buf_adds(out, s->text);
}

static void
the_clocks_run_apart(void **state UNUSED)
{
	struct screen s = {"⠋ Working\n", 0};
	struct activity a;

	activity_start(&a, 10);
	assert_int_equal(a.changed, 10);
	assert_int_equal(a.advanced, 10);
	activity_screen(&a, 20, 111, print_screen, &s);
	assert_int_equal(a.advanced, 20);
	activity_screen(&a, 30, 111, print_screen, &s);
	assert_int_equal(a.changed, 20);
	assert_int_equal(s.reads, 1);
	s.text = "⠙ Working\n";
	activity_screen(&a, 40, 222, print_screen, &s);
	assert_int_equal(a.changed, 40);
	assert_int_equal(a.advanced, 20);
	s.text = "⠙ Working hard\n";
	activity_screen(&a, 50, 333, print_screen, &s);
	assert_int_equal(a.advanced, 50);
	activity_advance(&a, 60);
	assert_int_equal(a.changed, 50);
	assert_int_equal(a.advanced, 60);
	activity_advance(&a, 70);
	assert_int_equal(a.changed, 50);
	assert_int_equal(a.advanced, 70);
}

static void
for_pipes_both_are_one(void **state UNUSED)
{
	struct activity a;

	activity_start(&a, 10);
	activity_bytes(&a, 20);
	assert_int_equal(a.changed, 20);
	assert_int_equal(a.advanced, 20);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(essence_is_what_does_not_blink),
	    cmocka_unit_test(spinners_do_not_matter),
	    cmocka_unit_test(dots_that_count_do_matter),
	    cmocka_unit_test(clocks_and_counters_do_not_matter),
	    cmocka_unit_test(words_do_matter),
	    cmocka_unit_test(essence_survives_any_bytes),
	    cmocka_unit_test(the_clocks_run_apart),
	    cmocka_unit_test(for_pipes_both_are_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
