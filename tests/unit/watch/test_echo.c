/* Is it the agent's, or our own prompt coming back? */
#include "watch/echo.h"

#include "base/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

static const char prompt[] = "# Task\n"
			     "Read IMPLEMENTATION_PLAN.md and do the next open item.\n"
			     "\n"
			     "- Run the tests before you commit.\n"
			     "- When nothing is left to do, print `ALL DONE` and stop.\n"
			     "\n"
			     "Print this line when finished:\n"
			     "FINISHED NOW\n";

static struct echo *
prompt_echo(const char *text)
{
	return echo_new(text, strlen(text));
}

static bool
passes(struct echo *e, const char *line)
{
	return echo_line(e, line, strlen(line));
}

static bool
contains(const struct echo *e, const char *line, const char *match)
{
	const char *at = strstr(line, match);

	assert_non_null(at);
	return echo_contains(
	    e, line, strlen(line), (size_t)(at - line), (size_t)(at - line) + strlen(match));
}

static void
check_repetition(const char *const *rows, size_t n)
{
	struct echo *e = prompt_echo(prompt);

	for (size_t i = 0; i < n; i++)
		if (!passes(e, rows[i]))
			fail_msg("row %zu was taken for the agent's: %s", i, rows[i]);
	assert_false(passes(e, "FINISHED NOW"));
	echo_free(e);
}

#define REPETITION(...)                                           \
	do {                                                      \
		static const char *const rows_[] = {__VA_ARGS__}; \
		check_repetition(rows_, ARRAY_LEN(rows_));        \
	} while (0)

static void
knows_a_printed_file(void **state UNUSED)
{
	REPETITION("# Task", "Read IMPLEMENTATION_PLAN.md and do the next open item.",
	    "- Run the tests before you commit.",
	    "- When nothing is left to do, print `ALL DONE` and stop.",
	    "Print this line when finished:", "FINISHED NOW");
	REPETITION("     1\t# Task",
	    "     2\tRead IMPLEMENTATION_PLAN.md and do the next open item.",
	    "     4\t- Run the tests before you commit.",
	    "     5\t- When nothing is left to do, print `ALL DONE` and stop.",
	    "     7\tPrint this line when finished:", "     8\tFINISHED NOW");
}

static void
knows_a_decorated_box(void **state UNUSED)
{
	REPETITION("│ > # Task                     │", "│   Read IMPLEMENTATION_PLAN.md    │",
	    "│   and do the next open item.     │", "│   • Run the tests before you     │",
	    "│   commit.                        │", "│   • When nothing is left to do,  │",
	    "│   print ALL DONE and stop.       │", "│   Print this line when finished: │",
	    "│   FINISHED NOW                   │");
	REPETITION(
	    "❯ Task Read IMPLEMENTATION_PLAN.md and do the next open item. Run the tests",
	    "  before you commit. When nothing is left to do, print ALL DONE and stop. "
	    "Print this",
	    "  line when finished: FINISHED NOW");
}

static void
knows_rows_broken_inside_words(void **state UNUSED)
{
	REPETITION("# Task", "Read IMPLEMENTATION_PL", "AN.md and do the next ", "open item.",
	    "- Run the tests before", " you commit.", "- When nothing is left ",
	    "to do, print `ALL DONE", "` and stop.", "Print this line when f",
	    "inished:", "FINISHED NOW");
}

static void
knows_a_prefix_with_words(void **state UNUSED)
{
	REPETITION("You said: # Task Read IMPLEMENTATION_PLAN.md and do",
	    "the next open item. Run the tests before you commit.",
	    "When nothing is left to do, print ALL DONE and stop.",
	    "Print this line when finished:", "FINISHED NOW");
}

static void
knows_a_second_repetition(void **state UNUSED)
{
	struct echo *e = prompt_echo("Print this when finished:\nALL DONE\n");

	for (int i = 0; i < 3; i++) {
		assert_true(passes(e, "> Print this when finished:"));
		assert_false(passes(e, ""));
		assert_true(passes(e, "  ALL DONE"));
	}
	/* Broken off and begun anew. */
	assert_true(passes(e, "> Print this"));
	assert_true(passes(e, "> Print this when finished:"));
	assert_true(passes(e, "  ALL DONE"));
	assert_false(passes(e, "● Working on it"));
	assert_false(passes(e, "● ALL DONE"));
	echo_free(e);
}

static void
another_line_ends_the_repetition(void **state UNUSED)
{
	struct echo *e = prompt_echo("Print this when finished:\nALL DONE\n");

	assert_true(passes(e, "Print this when finished:"));
	assert_false(passes(e, "I looked at everything."));
	assert_false(passes(e, "ALL DONE"));
	assert_true(passes(e, "Print this when finished:"));
	echo_return(e, (struct echo_place){0});
	assert_false(passes(e, "ALL DONE"));
	echo_free(e);
}

static void
knows_the_end_of_a_long_repetition(void **state UNUSED)
{
	struct echo *e = prompt_echo(prompt);

	/* A template of two lines is the agent's answer ... */
	assert_false(passes(e, "Print this line when finished:"));
	assert_false(passes(e, "FINISHED NOW"));
	/* ... but this much is no coincidence: a box that shows the end of what was pasted. */
	assert_false(passes(e, "│ Read IMPLEMENTATION_PLAN.md and do the next open item. │"));
	assert_false(passes(e, "│ Run the tests before you commit.                       │"));
	assert_false(passes(e, "│ When nothing is left to do, print ALL DONE and stop.   │"));
	assert_false(passes(e, "│ Print this line when finished:                         │"));
	assert_true(passes(e, "│ FINISHED NOW                                           │"));
	echo_free(e);
}

static void
goes_back_to_a_place(void **state UNUSED)
{
	struct echo *e = prompt_echo("one two\nthree four\nfive six\n");
	struct echo_place place;

	assert_true(passes(e, "one two"));
	place = echo_place(e);
	for (int i = 0; i < 3; i++) {
		assert_true(passes(e, "three four"));
		assert_true(passes(e, "five six"));
		assert_false(passes(e, "seven"));
		echo_return(e, place);
	}
	echo_free(e);
}

static void
surroundings_tell(void **state UNUSED)
{
	struct echo *e = prompt_echo(prompt);

	assert_true(contains(e, "print ALL DONE and stop.", "ALL DONE"));
	assert_true(contains(
	    e, "  5→- When nothing is left to do, print `ALL DONE` and stop.", "ALL DONE"));
	assert_true(contains(e, "to do, print ALL DONE", "ALL DONE"));
	assert_true(contains(e, "ALL DONE and stop.", "ALL DONE"));
	assert_true(contains(e, "I must print ALL DONE and stop there.", "ALL DONE"));
	assert_true(contains(e,
	    "{\"role\":\"user\",\"text\":\"Print this line when finished:\\nFINISHED "
	    "NOW\\n\",\"id\":1}",
	    "FINISHED NOW"));

	assert_false(contains(e, "ALL DONE", "ALL DONE"));
	assert_false(contains(e, "● ALL DONE", "ALL DONE"));
	assert_false(contains(e, "**ALL DONE**", "ALL DONE"));
	assert_false(contains(e, "The tests pass: ALL DONE", "ALL DONE"));
	assert_false(contains(e, "ALL DONE, 12 commits.", "ALL DONE"));
	assert_false(contains(e, "{\"role\":\"assistant\",\"text\":\"ALL DONE\"}", "ALL DONE"));
	echo_free(e);
}

static void
a_longer_match_is_judged_as_a_whole(void **state UNUSED)
{
	struct echo *e = prompt_echo("Say that All tasks are complete when they are.");

	assert_true(
	    contains(e, "> Say that All tasks are complete when", "All tasks are complete"));
	assert_false(contains(e, "Now All tasks are complete!", "All tasks are complete"));
	assert_false(contains(
	    e, "All tasks in the plan are complete", "All tasks in the plan are complete"));
	echo_free(e);
}

static void
a_match_inside_a_word_or_of_signs(void **state UNUSED)
{
	struct echo *e = prompt_echo("Show ✅ good when done, never undone.");

	assert_true(contains(e, "never undone", "done"));
	assert_false(contains(e, "is undone", "done"));
	assert_true(contains(e, "Show ✅ good", "✅"));
	assert_false(contains(e, "✅", "✅"));
	assert_false(contains(e, "✅ finished", "✅"));
	echo_free(e);
}

static void
an_empty_prompt_repeats_nothing(void **state UNUSED)
{
	static const char *const prompts[] = {"", "\n\n", "--- * ---", "\xff\xfe"};

	for (size_t i = 0; i < ARRAY_LEN(prompts); i++) {
		struct echo *e = prompt_echo(prompts[i]);

		assert_false(passes(e, ""));
		assert_false(passes(e, "ALL DONE"));
		assert_false(passes(e, "--- * ---"));
		assert_false(contains(e, "well, ALL DONE", "ALL DONE"));
		echo_free(e);
	}
}

static double
seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

/* What so many lines cost against a prompt of this size. */
static double
cost(size_t size)
{
	AUTO_BUF text = BUF_INIT;
	struct echo *e;
	double begin;

	while (text.len < size)
		buf_addf(&text, "Item %zu: print ALL DONE when the item is done.\n", text.len);
	e = echo_new(text.data, text.len);
	begin = seconds();
	for (int i = 0; i < 5000; i++) {
		assert_false(passes(e, "Item of work: print ALL DONE when the work is done."));
		assert_false(contains(e, "The work of today: ALL DONE", "ALL DONE"));
	}
	begin = seconds() - begin;
	echo_free(e);
	return begin;
}

/* A thousand times the prompt: far from anything that reads it for every line. */
static void
a_huge_prompt_costs_no_more(void **state UNUSED)
{
	double small = cost(4u << 10);

	double huge = cost(4u << 20);
	assert_true(huge < 50 * small);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(knows_a_printed_file),
	    cmocka_unit_test(knows_a_decorated_box),
	    cmocka_unit_test(knows_rows_broken_inside_words),
	    cmocka_unit_test(knows_a_prefix_with_words),
	    cmocka_unit_test(knows_a_second_repetition),
	    cmocka_unit_test(another_line_ends_the_repetition),
	    cmocka_unit_test(knows_the_end_of_a_long_repetition),
	    cmocka_unit_test(goes_back_to_a_place),
	    cmocka_unit_test(surroundings_tell),
	    cmocka_unit_test(a_longer_match_is_judged_as_a_whole),
	    cmocka_unit_test(a_match_inside_a_word_or_of_signs),
	    cmocka_unit_test(an_empty_prompt_repeats_nothing),
	    cmocka_unit_test(a_huge_prompt_costs_no_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
