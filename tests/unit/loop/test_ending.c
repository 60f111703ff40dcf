/*
 * The table of endings: its words, and its sentences filled in.
 */
#include "loop/ending.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static struct loop_state state;
static char line[ENDING_MAX];

static int
new_state(void **unused)
{
	(void)unused;
	memset(&state, 0, sizeof(state));
	state.iteration = 1;
	return 0;
}

static const char *
said(enum end_reason reason, enum end_voice voice)
{
	const struct ending e = {.state = &state,
	    .reason = reason,
	    .iteration = state.iteration,
	    .text = "TEXT",
	    .resume = "RESUME",
	    .way_on = "WAY ON"};

	(void)ending_say(&e, voice, line);
	return line;
}

static void
one_iteration_is_one(void **unused)
{
	(void)unused;
	state.policy.judged = 1;
	assert_string_equal(
	    said(END_DONE_PATTERN, SAY_LOOP), "loop complete after 1 iteration");
	assert_string_equal(
	    said(END_STOPPED, SAY_LOOP), "stopped after 1 iteration (resume with: RESUME)");
	state.iteration = 2;
	assert_string_equal(
	    said(END_DONE_PATTERN, SAY_LOOP), "loop complete after 2 iterations");
}

static void
the_original_counts_one_iterations(void **unused)
{
	(void)unused;
	assert_true(loop_keeps_seed(&state));
	assert_string_equal(
	    said(END_DONE_PATTERN, SAY_LOOP), "loop complete after 1 iterations");
	assert_string_equal(
	    said(END_MAX_ITERATIONS, SAY_LOOP), "loop complete after 1 iterations");
	assert_string_equal(said(END_MAX_RUNTIME, SAY_LOOP),
	    "max runtime reached after 1 iterations, stopping loop");
}

/* A word in braces that nobody knows would leave a hole. */
static void
no_sentence_has_a_hole(void **unused)
{
	(void)unused;
	state.policy.judged = 1;
	state.policy.regime = REGIME_LANDED;
	state.failed = state.unlanded = state.failures = 1;
	for (int r = 0; r < END_COUNT; r++)
		for (int v = 0; v < SAY_COUNT; v++) {
			const char *text = said((enum end_reason)r, (enum end_voice)v);
			size_t len = strlen(text);

			assert_null(strchr(text, '{'));
			assert_null(strstr(text, "  "));
			assert_true(len == 0 || text[len - 1] != ' ');
		}
	assert_non_null(strstr(said(END_UNLANDED, SAY_TODO), "WAY ON"));
}

static void
the_alert_of_an_end_by_time_is_its_last_line(void **unused)
{
	static const enum end_voice voices[] = {SAY_LOOP, SAY_TICKETS, SAY_TODO};
	static const enum regime regimes[] = {REGIME_REPEAT, REGIME_LANDED, REGIME_LED};

	(void)unused;
	for (size_t i = 0; i < sizeof(voices) / sizeof(voices[0]); i++) {
		char alert[ENDING_MAX];

		state.policy = (struct policy){
		    .judged = voices[i] == SAY_LOOP,
		    .regime = regimes[i],
		};
		assert_int_equal(ending_voice(&state.policy), voices[i]);
		memcpy(alert, said(END_OUT_OF_TIME, SAY_ALERT), sizeof(alert));
		assert_non_null(strstr(said(END_OUT_OF_TIME, voices[i]), alert + 1));
	}
}

/* Only what has nothing left to do is called complete. */
static void
words_do_not_promise_more_than_exit_codes(void **unused)
{
	(void)unused;
	for (int r = END_NONE + 1; r < END_COUNT; r++) {
		bool complete = strcmp(end_reason_word((enum end_reason)r), "complete") == 0;

		if (complete)
			assert_int_equal(end_reason_code((enum end_reason)r), EX_OK);
		if (end_reason_code((enum end_reason)r) == EX_OK)
			assert_true(complete || r == END_WAITING || r == END_MAX_RUNTIME);
		assert_int_equal(end_reason_promised((enum end_reason)r, false),
		    end_reason_complete((enum end_reason)r));
	}
	state.phase = PHASE_FINISHED;
	state.reason = END_MAX_ITERATIONS;
	assert_string_equal(loop_word(&state), "stopped");
	state.policy.judged = 1;
	assert_string_equal(loop_word(&state), "complete");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(one_iteration_is_one, new_state),
	    cmocka_unit_test_setup(the_original_counts_one_iterations, new_state),
	    cmocka_unit_test_setup(no_sentence_has_a_hole, new_state),
	    cmocka_unit_test_setup(the_alert_of_an_end_by_time_is_its_last_line, new_state),
	    cmocka_unit_test_setup(words_do_not_promise_more_than_exit_codes, new_state),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
