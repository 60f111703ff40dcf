/*
 * Which verdicts and which ends have what in a column of their table.  Each column is a set of
 * names here, as a user would tell it: a cell that is changed alone changes what users get,
 * and nothing else need fail.
 */
#include "loop/ending.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static char names[1024];

static void
add_name(const char *name)
{
	size_t len = strlen(names);

	(void)snprintf(names + len, sizeof(names) - len, "%s%s", len == 0 ? "" : " ", name);
}

/* Defines a function that lists the names of the rows for which `condition` holds. */
#define LISTS(function, type, count, name, of, condition) \
	static const char *function(of value)             \
	{                                                 \
		names[0] = '\0';                          \
		for (int i = 0; i < (count); i++) {       \
			type row = (type)i;               \
                                                          \
			if (condition)                    \
				add_name(name(row));      \
		}                                         \
		return names;                             \
	}
#define VERDICTS_WITH(function, of, condition) \
	LISTS(function, enum verdict, VERDICT_COUNT, verdict_name, of, condition)
#define ENDS_WITH(function, of, condition) \
	LISTS(function, enum end_reason, END_COUNT, end_reason_name, of, condition)

VERDICTS_WITH(with_worth, enum verdict_worth, verdict_worth(row) == value)
VERDICTS_WITH(landed_with_worth, enum verdict_worth, verdict_landed_worth(row) == value)
VERDICTS_WITH(tallied, enum verdict_tally, verdict_tally(row) == value)
VERDICTS_WITH(costing, enum verdict_cost, verdict_cost(row) == value)
VERDICTS_WITH(by_clock, enum verdict_clock, verdict_clock(row) == value)
VERDICTS_WITH(
    retried, const char *, verdict_cause(row) == (enum verdict_cause)cause_parse(value))

static void
verdicts_count_as_failures_or_successes(void **unused)
{
	(void)unused;
	assert_string_equal(with_worth(WORTH_SUCCESS), "done");
	assert_string_equal(
	    with_worth(WORTH_FAILURE), "failed timeout fatal not-closed unverified conflict");
	assert_string_equal(landed_with_worth(WORTH_SUCCESS), "done");
	assert_string_equal(landed_with_worth(WORTH_FAILURE),
	    "failed idle stuck timeout fatal not-closed unverified conflict rested hung");
}

static void
verdicts_count_when_the_end_is_judged(void **unused)
{
	(void)unused;
	assert_string_equal(tallied(TALLY_FINE), "done rested");
	assert_string_equal(tallied(TALLY_IDLE), "idle");
	assert_string_equal(tallied(TALLY_FAILED),
	    "failed stuck blocked timeout fatal not-closed unverified conflict lost hung");
}

static void
verdicts_cost_iterations_and_attempts(void **unused)
{
	(void)unused;
	assert_string_equal(costing(COST_NOTHING), "limited refused asked");
	assert_string_equal(costing(COST_INTERRUPTED), "stopped lost");
	assert_string_equal(by_clock(CLOCK_INACTIVITY), "idle rested hung");
	assert_string_equal(by_clock(CLOCK_STALL), "stuck");
	assert_string_equal(by_clock(CLOCK_ITERATION), "timeout");
}

static void
words_of_retry_on_mean_verdicts(void **unused)
{
	(void)unused;
	assert_string_equal(retried("exit"), "failed fatal");
	assert_string_equal(retried("timeout"), "idle stuck timeout rested hung");
	assert_string_equal(retried("not-closed"), "not-closed");
	assert_string_equal(retried("verify"), "unverified");
	assert_string_equal(retried("conflict"), "conflict");
}

ENDS_WITH(with_code, int, end_reason_code(row) == value)
ENDS_WITH(with_status, const char *, strcmp(end_reason_status(row), value) == 0)
ENDS_WITH(with_word, const char *, strcmp(end_reason_word(row), value) == 0)
ENDS_WITH(ended_by, enum end_by, end_reason_by(row) == value)
ENDS_WITH(promised, bool, end_reason_promised(row, value))

static void
ends_have_exit_codes(void **unused)
{
	(void)unused;
	assert_string_equal(
	    with_code(EX_OK), "none done_pattern max_iterations max_runtime no_work waiting");
	assert_string_equal(with_code(EX_FAILED), "failed source_error");
	assert_string_equal(with_code(EX_UNFINISHED), "stopped killed");
	assert_string_equal(with_code(EX_MAX), "not_done max_tickets out_of_time");
	assert_string_equal(with_code(EX_SOME_FAILED), "some_failed unchecked");
	assert_string_equal(with_code(EX_BLOCKED), "blocked");
	assert_string_equal(with_code(EX_QUERY), "query_error");
	assert_string_equal(with_code(EX_UNLANDED), "unlanded");
	assert_string_equal(with_code(EX_INTERRUPTED), "interrupted");
	assert_string_equal(with_code(EX_TERMINATED), "terminated");
}

/* The seed's words are four, ours tell more. */
static void
ends_have_words(void **unused)
{
	static const char *const own[] = {"unlanded", "unchecked", "blocked", "waiting",
	    "stopped", "killed", "interrupted", "terminated"};

	(void)unused;
	assert_string_equal(with_status("running"), "none");
	assert_string_equal(
	    with_status("failed"), "some_failed query_error failed source_error");
	assert_string_equal(with_status("stopped"),
	    "done_pattern max_iterations max_runtime no_work not_done max_tickets "
	    "out_of_time unlanded unchecked blocked waiting stopped killed interrupted "
	    "terminated");
	assert_string_equal(with_word("running"), "none");
	assert_string_equal(with_word("complete"), "done_pattern max_iterations no_work");
	assert_string_equal(
	    with_word("incomplete"), "max_runtime not_done max_tickets out_of_time");
	assert_string_equal(with_word("failed"), "some_failed query_error failed source_error");
	for (size_t i = 0; i < sizeof(own) / sizeof(own[0]); i++)
		assert_string_equal(with_word(own[i]), own[i]);
}

static void
ends_have_causes(void **unused)
{
	(void)unused;
	assert_string_equal(ended_by(BY_COUNT), "max_iterations not_done max_tickets");
	assert_string_equal(ended_by(BY_SOURCE), "query_error source_error");
	assert_string_equal(ended_by(BY_USER), "stopped killed interrupted terminated");
	assert_string_equal(
	    promised(false), "done_pattern max_iterations max_runtime no_work waiting");
	assert_string_equal(promised(true),
	    "done_pattern max_iterations max_runtime no_work max_tickets some_failed "
	    "unlanded unchecked blocked waiting");
}

static bool
says(enum end_reason reason, enum end_voice voice)
{
	static const struct loop_state state = {
	    .policy = {.regime = REGIME_LANDED, .judged = 1}, .iteration = 1, .failed = 1};
	const struct ending e = {
	    .state = &state, .reason = reason, .iteration = 1, .text = "text"};
	char line[ENDING_MAX];

	return ending_say(&e, voice, line);
}

ENDS_WITH(said, enum end_voice, says(row, value))
ENDS_WITH(unsaid, enum end_voice, !says(row, value))

/* Where a loop says nothing, it does not end so, or its command says it. */
static void
ends_are_said(void **unused)
{
	(void)unused;
	assert_string_equal(said(SAY_ALERT),
	    "not_done max_tickets out_of_time some_failed unlanded unchecked blocked "
	    "query_error failed source_error");
	assert_string_equal(unsaid(SAY_LOOP), "none query_error source_error");
	assert_string_equal(unsaid(SAY_TICKETS),
	    "none done_pattern max_iterations max_runtime not_done waiting failed");
	assert_string_equal(
	    unsaid(SAY_TODO), "none done_pattern max_iterations max_runtime not_done");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(verdicts_count_as_failures_or_successes),
	    cmocka_unit_test(verdicts_count_when_the_end_is_judged),
	    cmocka_unit_test(verdicts_cost_iterations_and_attempts),
	    cmocka_unit_test(words_of_retry_on_mean_verdicts),
	    cmocka_unit_test(ends_have_exit_codes),
	    cmocka_unit_test(ends_have_words),
	    cmocka_unit_test(ends_have_causes),
	    cmocka_unit_test(ends_are_said),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
