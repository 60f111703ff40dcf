/* Has the agent said that everything is done?  On pipes and on screens. */
#include "watch/done.h"

#include "base/alloc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

static const char lone[] = "Print this line when finished:\nALL DONE\n";

static struct done *
watching(const char *pattern, const char *prompt)
{
	struct err err = ERR_INIT;
	struct done *d = done_new(pattern, prompt, strlen(prompt), &err);

	if (d == NULL)
		fail_msg("%s: %s", pattern, err.text);
	return d;
}

static enum done_result
line(struct done *d, const char *text)
{
	return done_line(d, text, strlen(text));
}

static enum done_result
row(struct done *d, const char *text, bool wrapped)
{
	return done_row(d, text, strlen(text), wrapped);
}

/* A screen is written as its rows with \n after each; a row that the terminal wrapped ends
 * in \r\n instead. */
struct screen {
	const char *text;
	int reads;
};

static bool
print_row(void *ctx, int n, struct buf *out)
{
	struct screen *s = ctx;
	const char *at = s->text, *end;

	s->reads++;
	while (n-- > 0)
		at = strchr(at, '\n') + 1;
	end = strchr(at, '\n');
	if (end > at && end[-1] == '\r') {
		buf_add(out, at, (size_t)(end - at) - 1);
		return true;
	}
	buf_add(out, at, (size_t)(end - at));
	return false;
}

static enum done_result
screen(struct done *d, int width, const char *text)
{
	struct screen s = {text, 0};
	int rows = 0;

	for (const char *p = text; *p; p++)
		rows += *p == '\n';
	return done_screen(d, rows, width, print_row, &s);
}

static void
refuses_a_bad_pattern(void **state UNUSED)
{
	struct err err = ERR_INIT;

	assert_null(done_new("All (tasks", "", 0, &err));
	assert_string_equal(
	    err.text, "done pattern: missing ), unterminated subpattern at position 4");
}

static void
finds_it_in_a_pipe(void **state UNUSED)
{
	struct done *d = watching("All tasks.*complete", "Do the work.\n");

	assert_int_equal(line(d, "working"), DONE_NO);
	assert_int_equal(line(d, "All tasks are complete now"), DONE_YES);
	assert_string_equal(done_text(d), "All tasks are complete");
	/* The answer latches. */
	assert_int_equal(line(d, "something else"), DONE_YES);
	assert_int_equal(row(d, "something else", false), DONE_YES);
	assert_int_equal(screen(d, 80, "something else\n"), DONE_YES);
	done_free(d);
}

static void
an_empty_prompt_is_no_obstacle(void **state UNUSED)
{
	struct done *d = watching("No remaining tasks", "");

	assert_int_equal(line(d, ""), DONE_NO);
	assert_int_equal(line(d, "No remaining tasks"), DONE_YES);
	done_free(d);
}

static void
the_printed_prompt_does_not_count(void **state UNUSED)
{
	struct done *d = watching("ALL DONE", lone);

	assert_int_equal(line(d, "$ cat PROMPT.md"), DONE_NO);
	assert_int_equal(line(d, "Print this line when finished:"), DONE_NO);
	assert_int_equal(line(d, "ALL DONE"), DONE_NO);
	assert_int_equal(line(d, "I have read it."), DONE_NO);
	assert_int_equal(line(d, "> Print this line when finished: ALL DONE"), DONE_NO);
	assert_int_equal(line(d, "ALL DONE"), DONE_YES);
	done_free(d);
}

static void
words_about_it_do_not_count(void **state UNUSED)
{
	struct done *d = watching("IMPLEMENTATION_PLAN.md.*100%",
	    "Please work until IMPLEMENTATION_PLAN.md is at 100% and then stop.");

	assert_int_equal(
	    line(d, "I work until IMPLEMENTATION_PLAN.md is at 100% and rest."), DONE_NO);
	assert_int_equal(line(d, "IMPLEMENTATION_PLAN.md: 80%"), DONE_NO);
	assert_int_equal(line(d, "IMPLEMENTATION_PLAN.md: 100%"), DONE_YES);
	done_free(d);
}

static void
a_second_match_in_the_line_counts(void **state UNUSED)
{
	struct done *d = watching("ALL DONE", "When ready print ALL DONE and stop.");

	assert_int_equal(
	    line(d, "You said print ALL DONE and stop. So here it is: ALL DONE"), DONE_YES);
	done_free(d);
}

static void
finds_it_in_rows_that_left(void **state UNUSED)
{
	struct done *d = watching("ALL DONE", lone);

	assert_int_equal(row(d, "> Print this line when finished:", false), DONE_NO);
	assert_int_equal(row(d, "  ALL DONE", false), DONE_NO);
	assert_int_equal(row(d, "", false), DONE_NO);
	assert_int_equal(row(d, "● I am looking.", false), DONE_NO);
	assert_int_equal(row(d, "● ALL DONE", false), DONE_YES);
	done_free(d);
}

static void
joins_what_the_terminal_wrapped(void **state UNUSED)
{
	struct done *d = watching("All tasks are complete", "");

	assert_int_equal(row(d, "so now we can say that All ta", true), DONE_NO);
	assert_int_equal(row(d, "sks are complete", false), DONE_YES);
	done_free(d);
	/* On the screen, and with the blank at the break cut off. */
	d = watching("All tasks are complete", "");
	assert_int_equal(screen(d, 20, "we can say All tasks\r\n are complete\n"), DONE_YES);
	done_free(d);
	d = watching("All tasks are complete", "");
	assert_int_equal(screen(d, 21, "we can say All tasks\r\nare complete\n"), DONE_YES);
	done_free(d);
	/* Half of the line has left the screen. */
	d = watching("All tasks are complete", "");
	assert_int_equal(row(d, "so now we can say that All ta", true), DONE_NO);
	assert_int_equal(screen(d, 29, "sks are complete\n\n"), DONE_YES);
	done_free(d);
}

static void
joins_what_the_program_wrapped(void **state UNUSED)
{
	struct done *d = watching("^All.*tasks are complete$", "");

	assert_int_equal(screen(d, 40,
			     "● All of the twenty-three tasks are\n"
			     "  complete\n"),
	    DONE_YES);
	assert_string_equal(done_text(d), "All of the twenty-three tasks are complete");
	done_free(d);
	d = watching("twenty-three tasks", "");
	assert_int_equal(screen(d, 40,
			     "╭──────────────────────────────────────╮\n"
			     "│ > I finished all of the twenty-three │\n"
			     "│   tasks                              │\n"
			     "╰──────────────────────────────────────╯\n"),
	    DONE_YES);
	done_free(d);
}

static void
does_not_join_what_was_not_forced(void **state UNUSED)
{
	struct done *d = watching("All tasks.*complete", "");

	assert_int_equal(screen(d, 80, "All tasks: 12\nTask 1: complete\n"), DONE_NO);
	assert_int_equal(screen(d, 40,
			     "- All tasks of the long list are below\n"
			     "- the first is complete\n"),
	    DONE_NO);
	assert_int_equal(row(d, "All tasks: 12", false), DONE_NO);
	assert_int_equal(row(d, "Task 1: complete", false), DONE_NO);
	done_free(d);
}

static void
joins_six_rows_at_most(void **state UNUSED)
{
	struct done *d = watching("begin.*finish", "");

	row(d, "begin", true);
	for (int i = 0; i < DONE_JOIN_MAX - 2; i++)
		assert_int_equal(row(d, "xxxxx", true), DONE_NO);
	assert_int_equal(row(d, "finish", false), DONE_YES);
	done_free(d);
	d = watching("begin.*finish", "");
	row(d, "begin", true);
	for (int i = 0; i < DONE_JOIN_MAX - 1; i++)
		assert_int_equal(row(d, "xxxxx", true), DONE_NO);
	assert_int_equal(row(d, "finish", false), DONE_NO);
	done_free(d);
}

static void
the_echo_on_the_screen_does_not_count(void **state UNUSED)
{
	struct done *d = watching("ALL DONE",
	    "Read the plan and do what is open.\n\nPrint this line when finished:\nALL DONE\n");

	assert_int_equal(screen(d, 40,
			     "╭──────────────────────────────────────╮\n"
			     "│ > Read the plan and do what is open. │\n"
			     "│                                      │\n"
			     "│   Print this line when finished:     │\n"
			     "│   ALL DONE                           │\n"
			     "╰──────────────────────────────────────╯\n"
			     "\n"),
	    DONE_NO);
	/* Re-wrapped, with a narrower terminal. */
	assert_int_equal(screen(d, 24,
			     "> Read the plan and do\n"
			     "  what is open.\n"
			     "\n"
			     "  Print this line when\n"
			     "  finished:\n"
			     "  ALL DONE\n"
			     "\n"
			     "● Reading\n"),
	    DONE_NO);
	assert_int_equal(screen(d, 24,
			     "  Print this line when\n"
			     "  finished:\n"
			     "  ALL DONE\n"
			     "\n"
			     "● Reading\n"
			     "\n"
			     "● ALL DONE\n"
			     "\n"),
	    DONE_YES);
	done_free(d);
}

static void
the_echo_stays_one_when_it_moves(void **state UNUSED)
{
	struct done *d = watching("ALL DONE", lone);

	/* A program scrolls inside its own window: the beginning is gone. */
	assert_int_equal(screen(d, 80,
			     "> Print this line when finished:\n"
			     "  ALL DONE\n"
			     "● Reading\n"
			     "\n"),
	    DONE_NO);
	assert_int_equal(screen(d, 80,
			     "  ALL DONE\n"
			     "● Reading\n"
			     "● Writing\n"
			     "\n"),
	    DONE_NO);
	/* Then the prompt leaves the screen, and the agent says the words. */
	assert_int_equal(row(d, "  ALL DONE", false), DONE_NO);
	assert_int_equal(screen(d, 80,
			     "● Reading\n"
			     "● Writing\n"
			     "\n"
			     "\n"),
	    DONE_NO);
	assert_int_equal(screen(d, 80,
			     "● Reading\n"
			     "● Writing\n"
			     "  ALL DONE\n"
			     "\n"),
	    DONE_YES);
	done_free(d);
}

static void
the_repetition_goes_on_from_the_rows_that_left(void **state UNUSED)
{
	struct done *d = watching("ALL DONE", lone);

	assert_int_equal(row(d, "Print this line", false), DONE_NO);
	assert_int_equal(screen(d, 80, "when finished:\nALL DONE\nok\n"), DONE_NO);
	assert_int_equal(screen(d, 80, "when finished:\nALL DONE\nok so far\n"), DONE_NO);
	assert_int_equal(row(d, "when finished:", false), DONE_NO);
	assert_int_equal(row(d, "ALL DONE", false), DONE_NO);
	assert_int_equal(screen(d, 80, "ok so far\nALL DONE\n\n"), DONE_YES);
	done_free(d);
}

static void
a_repaint_does_not_count(void **state UNUSED)
{
	struct done *d = watching("ALL DONE", lone);

	for (int i = 0; i < 5; i++) {
		AUTO_BUF text = BUF_INIT;

		buf_addf(&text, "> Print this line when finished:\n  ALL DONE\n%d\n", i);
		assert_int_equal(screen(d, 80, text.data), DONE_NO);
		assert_int_equal(row(d, "> Print this line when finished:", false), DONE_NO);
		assert_int_equal(row(d, "  ALL DONE", false), DONE_NO);
	}
	done_free(d);
}

static void
a_row_by_itself_may_be_the_end_of_a_sentence(void **state UNUSED)
{
	struct done *d =
	    watching("ALL DONE", "Go on. When there is nothing left to do, print ALL DONE.");

	assert_int_equal(screen(d, 50,
			     "● When there is nothing left to do, I shall print\n"
			     "  ALL DONE\n"),
	    DONE_YES);
	done_free(d);
	d = watching("ALL DONE", "Go on. When there is nothing left to do, print ALL DONE.");
	assert_int_equal(screen(d, 48,
			     "● (When there is nothing left to do, print\n"
			     "  ALL DONE\n"),
	    DONE_NO);
	done_free(d);
}

static void
anchors_see_the_text_without_its_frame(void **state UNUSED)
{
	static const char *const rows[] = {"ALL DONE", "  ALL DONE", "● ALL DONE",
	    "⏺ ALL DONE", "- ALL DONE", "> ALL DONE", "│ ALL DONE      │", "✦ ALL DONE"};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		struct done *d = watching("^ALL DONE$", "");

		if (row(d, rows[i], false) != DONE_YES)
			fail_msg("not found: %s", rows[i]);
		done_free(d);
	}
}

static void
what_was_typed_does_not_count(void **state UNUSED)
{
	struct done *d = watching("ALL DONE", "");

	/* Key by key, with a slip, while the screen lags behind. */
	for (const char *p = "ALL X"; *p; p++)
		done_typed(d, p, 1);
	done_typed(d, "\x7f", 1);
	done_typed(d, "DONE?", 5);
	assert_int_equal(screen(d, 80, "> ALL DONE\n"), DONE_NO);
	done_typed(d, "\r", 1);
	assert_int_equal(screen(d, 80, "> ALL DONE?\n\n"), DONE_NO);
	assert_int_equal(row(d, "> ALL DONE?", false), DONE_NO);
	assert_int_equal(screen(d, 80, "● ALL DONE yes\n\n"), DONE_YES);
	done_free(d);
}

static void
a_pasted_text_is_another_prompt(void **state UNUSED)
{
	struct done *d = watching("ALL DONE", "");
	static const char text[] =
	    "\x1b[200~Please go on, and say\nALL DONE\nat the end.\x1b[201~\r";

	done_typed(d, text, sizeof(text) - 1);
	assert_int_equal(
	    screen(d, 80, "> Please go on, and say\n  ALL DONE\n  at the end.\n"), DONE_NO);
	assert_int_equal(screen(d, 80, "● Going on\n● ALL DONE\n\n"), DONE_YES);
	done_free(d);
}

static void
an_expensive_pattern_is_reported_once(void **state UNUSED)
{
	struct done *d = watching("(a+)+$", "");

	assert_int_equal(
	    line(d, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!"), DONE_EXPENSIVE);
	assert_int_equal(line(d, "aaa"), DONE_NO);
	assert_int_equal(screen(d, 80, "aaa\n"), DONE_NO);
	done_free(d);
}

static void
any_bytes_and_sizes(void **state UNUSED)
{
	struct done *d = watching("^x.*y$", "x \xff y");
	char junk[300];

	for (size_t i = 0; i < sizeof(junk); i++)
		junk[i] = (char)(i * 37 + 11);
	for (size_t n = 0; n < sizeof(junk); n++) {
		done_row(d, junk, n, n % 3 == 0);
		done_line(d, junk, n);
		done_typed(d, junk, n % 9);
	}
	screen(d, 0, "a\n\n\xff\n");
	screen(d, -1, "");
	screen(d, 2, "\xe4\xbd\xa0\r\n\xe5\xa5\xbd\n");
	done_free(d);
}

static double
seconds(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void
screens_are_cheap_even_with_a_huge_prompt(void **state UNUSED)
{
	AUTO_BUF prompt = BUF_INIT;
	struct done *d;
	double begin;

	while (prompt.len < 2u << 20)
		buf_addf(&prompt, "Rule %zu: never print ALL DONE before all of it works.\n",
		    prompt.len);
	d = watching("ALL DONE", prompt.data);
	begin = seconds();
	for (int i = 0; i < 500; i++) {
		AUTO_BUF text = BUF_INIT;

		for (int k = 0; k < 39; k++)
			buf_addf(&text,
			    "%d: never print ALL DONE before all of it works, as I said\n", k);
		buf_addf(&text, "step %d\n", i);
		assert_int_equal(screen(d, 80, text.data), DONE_NO);
	}
	assert_true(seconds() - begin < 5);
	done_free(d);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(refuses_a_bad_pattern),
	    cmocka_unit_test(finds_it_in_a_pipe),
	    cmocka_unit_test(an_empty_prompt_is_no_obstacle),
	    cmocka_unit_test(the_printed_prompt_does_not_count),
	    cmocka_unit_test(words_about_it_do_not_count),
	    cmocka_unit_test(a_second_match_in_the_line_counts),
	    cmocka_unit_test(finds_it_in_rows_that_left),
	    cmocka_unit_test(joins_what_the_terminal_wrapped),
	    cmocka_unit_test(joins_what_the_program_wrapped),
	    cmocka_unit_test(does_not_join_what_was_not_forced),
	    cmocka_unit_test(joins_six_rows_at_most),
	    cmocka_unit_test(the_echo_on_the_screen_does_not_count),
	    cmocka_unit_test(the_echo_stays_one_when_it_moves),
	    cmocka_unit_test(the_repetition_goes_on_from_the_rows_that_left),
	    cmocka_unit_test(a_repaint_does_not_count),
	    cmocka_unit_test(a_row_by_itself_may_be_the_end_of_a_sentence),
	    cmocka_unit_test(anchors_see_the_text_without_its_frame),
	    cmocka_unit_test(what_was_typed_does_not_count),
	    cmocka_unit_test(a_pasted_text_is_another_prompt),
	    cmocka_unit_test(an_expensive_pattern_is_reported_once),
	    cmocka_unit_test(any_bytes_and_sizes),
	    cmocka_unit_test(screens_are_cheap_even_with_a_huge_prompt),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
