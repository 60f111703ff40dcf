/*
 * A loop that leads an agent through its tasks: what it says, what it is told.
 */
#include "loop/loop.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define SEC INT64_C(1000000000)

static struct loop_state state;
static struct decision decision;
static struct when now;
static int64_t seq;

static void
give(struct loop_input in)
{
	in.now = now;
	loop_decide(&state, &in, &decision);
	loop_commit(&state, &decision);
}

static const struct effect *
effect(enum effect_kind kind)
{
	for (size_t i = 0; i < decision.neffects; i++)
		if (decision.effects[i].kind == kind)
			return &decision.effects[i];
	return NULL;
}

static const struct fact *
fact(enum fact_kind kind)
{
	for (size_t i = 0; i < decision.nfacts; i++)
		if (decision.facts[i].kind == kind)
			return &decision.facts[i];
	return NULL;
}

static void
open_with(bool keeps)
{
	static char exits[] = "exit", late[] = "timeout", open[] = "not-closed";
	static char *retry_on[] = {exits, late, open, NULL};
	struct settings s = {
	    .max_iterations = 10,
	    .max_failures = 3,
	    .parallel = 1,
	    .attempts = 3,
	    .retry_on = retry_on,
	    .mode = MODE_PTY,
	    .interventions = 3,
	    .nudges = 3,
	};

	now = (struct when){100 * SEC, INT64_C(1700000000) * SEC};
	seq = 0;
	loop_init(&state, &s, keeps ? REGIME_KEPT : REGIME_LED);
	give((struct loop_input){.kind = IN_OPEN, .uid = "ab", .boot_id = "boot", .pid = 7});
}

static int
open_loop(void **unused)
{
	(void)unused;
	open_with(true);
	return 0;
}

static void
offer(const char *task)
{
	give((struct loop_input){
	    .kind = IN_TASKS, .candidates = &(struct candidate){.id = task}, .ncandidates = 1});
}

static void
say(enum signal_kind kind, int64_t turn, const char *text)
{
	seq++;
	give((struct loop_input){.kind = IN_SIGNAL,
	    .session = "ab-1",
	    .seq = seq,
	    .turn = turn,
	    .signal = kind,
	    .text = text});
}

static void
checked(enum verdict verdict)
{
	give((struct loop_input){
	    .kind = IN_CHECKED, .session = "ab-1", .verdict = verdict, .text = "looked"});
}

static void
begin(void)
{
	offer("T001");
	assert_non_null(effect(EFFECT_START));
	give((struct loop_input){.kind = IN_RUNNING, .session = "ab-1", .pid = 42});
	say(SIGNAL_DELIVERED, 1, "");
}

/* As the keeper does it: typed, and said to be. */
static void
typed(void)
{
	char number[24];

	assert_non_null(effect(EFFECT_TELL));
	snprintf(number, sizeof(number), "%lld", (long long)effect(EFFECT_TELL)->number);
	say(SIGNAL_TOLD, state.iteration, number);
}

static void
land(enum verdict verdict)
{
	give((struct loop_input){
	    .kind = IN_LANDED, .session = "ab-1", .verdict = verdict, .text = "abc1234"});
}

static void
its_word_is_checked_and_the_agent_gets_the_next_task(void **unused)
{
	(void)unused;
	begin();
	say(SIGNAL_DONE, 1, "");
	assert_string_equal(effect(EFFECT_CHECK)->task, "T001");
	assert_null(fact(FACT_ENDED));
	checked(VERDICT_DONE);
	assert_int_equal(fact(FACT_ENDED)->kept, 1);
	assert_true(effect(EFFECT_LAND)->kept);
	assert_null(effect(EFFECT_END));
	land(VERDICT_DONE);
	assert_non_null(effect(EFFECT_FETCH));
	offer("T002");
	assert_string_equal(effect(EFFECT_ASSIGN)->session, "ab-1");
	assert_string_equal(effect(EFFECT_ASSIGN)->task, "T002");
	assert_int_equal(effect(EFFECT_ASSIGN)->iteration, 2);
	assert_int_equal(state.completed, 1);
}

static void
what_belongs_to_the_last_turn_does_not_count(void **unused)
{
	(void)unused;
	its_word_is_checked_and_the_agent_gets_the_next_task(NULL);
	say(SIGNAL_DELIVERED, 2, "");
	say(SIGNAL_DONE, 1, "");
	assert_int_equal(decision.nfacts, 0);
	assert_int_equal(decision.neffects, 0);
	say(SIGNAL_DONE, 2, "");
	assert_non_null(effect(EFFECT_CHECK));
}

static void
done_without_its_file_is_reminded_once_then_counted(void **unused)
{
	(void)unused;
	begin();
	for (int i = 0; i < 4; i++) {
		say(SIGNAL_DONE, 1, "");
		checked(VERDICT_NOT_CLOSED);
		assert_int_equal(effect(EFFECT_TELL)->tell, TELL_REMINDER);
		typed();
	}
	say(SIGNAL_DONE, 1, "");
	checked(VERDICT_NOT_CLOSED);
	assert_non_null(effect(EFFECT_ALERT));
	assert_int_equal(fact(FACT_ENDED)->verdict, VERDICT_BLOCKED);
}

static void
the_same_question_is_answered_three_times(void **unused)
{
	static const char *const ways[] = {"Which file has the parser, line 12?",
	    "which file has the parser, line 99?", "  Which FILE has the \"parser\", line 7?",
	    "Which file has the parser, line 1?"};

	(void)unused;
	begin();
	for (int i = 0; i < 3; i++) {
		say(SIGNAL_STUCK, 1, ways[i]);
		assert_int_equal(effect(EFFECT_TELL)->tell, TELL_HELP);
		assert_int_equal(effect(EFFECT_TELL)->number, i + 1);
		assert_string_equal(effect(EFFECT_TELL)->text, ways[i]);
		typed();
	}
	say(SIGNAL_STUCK, 1, ways[3]);
	assert_null(effect(EFFECT_TELL));
	assert_non_null(effect(EFFECT_ALERT));
	assert_non_null(strstr(effect(EFFECT_ALERT)->text, "T001 is blocked"));
	assert_int_equal(fact(FACT_ENDED)->verdict, VERDICT_BLOCKED);
	assert_non_null(strstr(effect(EFFECT_LAND)->text, "stuck after 3 interventions"));
	land(VERDICT_BLOCKED);
	assert_int_equal(state.failures, 0);
	offer("T002");
	assert_string_equal(effect(EFFECT_ASSIGN)->task, "T002");
}

static void
a_question_without_words_is_unknown(void **unused)
{
	(void)unused;
	begin();
	say(SIGNAL_STUCK, 1, "");
	assert_string_equal(fact(FACT_SIGNALLED)->text, "unknown");
	assert_string_equal(effect(EFFECT_TELL)->text, "unknown");
	typed();
	say(SIGNAL_BLOCKED, 1, NULL);
	assert_string_equal(effect(EFFECT_ALERT)->text, "T001 is blocked: unknown");
}

static void
another_question_has_a_count_of_its_own(void **unused)
{
	(void)unused;
	begin();
	for (int i = 0; i < 3; i++) {
		say(SIGNAL_STUCK, 1, "which file?");
		typed();
	}
	say(SIGNAL_STUCK, 1, "which schema?");
	assert_int_equal(effect(EFFECT_TELL)->tell, TELL_HELP);
}

static void
an_agent_that_only_asks_does_not_ask_for_ever(void **unused)
{
	char text[32];
	int asked = 0;

	(void)unused;
	begin();
	while (fact(FACT_ENDED) == NULL && asked < 1000) {
		snprintf(
		    text, sizeof(text), "what is %c%c?", 'a' + asked % 26, 'a' + asked / 26);
		say(SIGNAL_STUCK, 1, text);
		asked++;
		if (effect(EFFECT_TELL) != NULL)
			typed();
	}
	assert_in_range(asked, 4, 50);
	assert_int_equal(fact(FACT_ENDED)->verdict, VERDICT_BLOCKED);
}

static void
a_question_that_is_being_answered_is_not_answered_twice(void **unused)
{
	(void)unused;
	begin();
	say(SIGNAL_STUCK, 1, "which file?");
	assert_non_null(effect(EFFECT_TELL));
	say(SIGNAL_STUCK, 1, "which file?");
	assert_null(effect(EFFECT_TELL));
	assert_int_equal(loop_times_asked(&state, "T001", "which file?"), 1);
}

static void
what_is_owed_is_done_after_a_crash(void **unused)
{
	(void)unused;
	begin();
	say(SIGNAL_STUCK, 1, "which file?");
	give((struct loop_input){.kind = IN_RECOVER, .boot_id = "boot", .pid = 8});
	assert_int_equal(effect(EFFECT_TELL)->tell, TELL_HELP);
	assert_int_equal(effect(EFFECT_TELL)->number, 1);
	assert_string_equal(effect(EFFECT_TELL)->text, "which file?");
	give((struct loop_input){.kind = IN_RUNNING, .session = "ab-1", .pid = 42});
	say(SIGNAL_TOLD, 1, "1");
	say(SIGNAL_DONE, 1, "");
	give((struct loop_input){.kind = IN_RECOVER, .boot_id = "boot", .pid = 9});
	assert_null(effect(EFFECT_TELL));
	assert_non_null(effect(EFFECT_CHECK));
	give((struct loop_input){.kind = IN_RUNNING, .session = "ab-1", .pid = 42});
	checked(VERDICT_DONE);
	give((struct loop_input){.kind = IN_RECOVER, .boot_id = "boot", .pid = 10});
	assert_non_null(effect(EFFECT_LAND));
	assert_non_null(effect(EFFECT_PROBE));
	land(VERDICT_DONE);
	/* It has not been found again yet: nothing is given to it, and nobody else started. */
	assert_null(effect(EFFECT_FETCH));
	give((struct loop_input){.kind = IN_RUNNING, .session = "ab-1", .pid = 42});
	assert_non_null(effect(EFFECT_FETCH));
	offer("T002");
	give((struct loop_input){.kind = IN_RECOVER, .boot_id = "boot", .pid = 11});
	assert_string_equal(effect(EFFECT_ASSIGN)->task, "T002");
}

static void
counts_of_questions_survive_a_restart_of_agent_and_supervisor(void **unused)
{
	(void)unused;
	begin();
	for (int i = 0; i < 3; i++) {
		say(SIGNAL_STUCK, 1, "which file?");
		typed();
	}
	give(
	    (struct loop_input){.kind = IN_ENDED, .session = "ab-1", .exit = {EXIT_SIGNAL, 9}});
	land(VERDICT_FAILED);
	offer("T001");
	give((struct loop_input){.kind = IN_RUNNING, .session = "ab-2", .pid = 43});
	give((struct loop_input){.kind = IN_SIGNAL,
	    .session = "ab-2",
	    .seq = 1,
	    .turn = 2,
	    .signal = SIGNAL_STUCK,
	    .text = "Which file?"});
	assert_null(effect(EFFECT_TELL));
	assert_int_equal(fact(FACT_ENDED)->verdict, VERDICT_BLOCKED);
}

static void
silence_is_nudged_then_alerted_then_ended(void **unused)
{
	(void)unused;
	begin();
	say(SIGNAL_IDLE, 1, "nothing has changed for 5m");
	assert_int_equal(effect(EFFECT_TELL)->tell, TELL_PROBE);
	typed();
	say(SIGNAL_IDLE, 1, "nothing has changed for 5m");
	assert_int_equal(effect(EFFECT_TELL)->tell, TELL_AGAIN);
	assert_null(effect(EFFECT_ALERT));
	typed();
	say(SIGNAL_IDLE, 1, "nothing has changed for 5m");
	assert_non_null(effect(EFFECT_TELL));
	assert_non_null(effect(EFFECT_ALERT));
	typed();
	say(SIGNAL_IDLE, 1, "nothing has changed for 5m");
	assert_non_null(effect(EFFECT_END));
	give((struct loop_input){
	    .kind = IN_ENDED, .session = "ab-1", .exit = {EXIT_SIGNAL, 15}});
	assert_int_equal(fact(FACT_ENDED)->verdict, VERDICT_IDLE);
	land(VERDICT_IDLE);
	assert_int_equal(fact(FACT_LANDED)->retry, 1);
}

static void
an_agent_that_moves_again_has_all_its_nudges(void **unused)
{
	(void)unused;
	begin();
	for (int i = 0; i < 10; i++) {
		say(SIGNAL_IDLE, 1, "");
		assert_int_equal(effect(EFFECT_TELL)->tell, TELL_PROBE);
		typed();
		say(i % 2 == 0 ? SIGNAL_ACTIVE : SIGNAL_PROGRESS, 1, "40");
	}
}

static void
silence_is_ours_while_it_waits_for_us(void **unused)
{
	(void)unused;
	begin();
	say(SIGNAL_STUCK, 1, "which file?");
	say(SIGNAL_IDLE, 1, "");
	assert_null(effect(EFFECT_TELL));
	assert_int_equal(state.sessions[0].nudges, 0);
}

static void
a_nudge_from_outside_makes_us_look(void **unused)
{
	(void)unused;
	begin();
	give((struct loop_input){.kind = IN_NUDGE, .text = "NUDGE: Leader inactive for 300s"});
	assert_string_equal(fact(FACT_NUDGED)->text, "NUDGE: Leader inactive for 300s");
	assert_string_equal(effect(EFFECT_NUDGE)->session, "ab-1");
}

static void
an_agent_that_dies_is_replaced_but_not_for_ever(void **unused)
{
	char id[SESSION_ID_MAX];

	(void)unused;
	for (int i = 1; i <= 3; i++) {
		snprintf(id, sizeof(id), "ab-%d", i);
		offer("T001");
		assert_string_equal(effect(EFFECT_START)->session, id);
		give((struct loop_input){.kind = IN_RUNNING, .session = id, .pid = 42});
		give((struct loop_input){
		    .kind = IN_ENDED, .session = id, .exit = {EXIT_CODE, 1}});
		give((struct loop_input){
		    .kind = IN_LANDED, .session = id, .verdict = VERDICT_FAILED});
	}
	assert_int_equal(fact(FACT_FINISHED)->reason, END_FAILURES);
	assert_non_null(effect(EFFECT_ALERT));
	assert_int_equal(effect(EFFECT_EXIT)->code, EX_FAILED);
}

static void
one_that_goes_while_its_work_lands_is_replaced(void **unused)
{
	(void)unused;
	begin();
	say(SIGNAL_DONE, 1, "");
	checked(VERDICT_DONE);
	give((struct loop_input){.kind = IN_ENDED, .session = "ab-1", .exit = {EXIT_CODE, 0}});
	assert_non_null(fact(FACT_DISMISSED));
	land(VERDICT_DONE);
	assert_int_equal(loop_active(&state), 0);
	offer("T002");
	assert_string_equal(effect(EFFECT_START)->session, "ab-2");
}

static void
at_the_end_the_agent_is_let_go(void **unused)
{
	(void)unused;
	begin();
	say(SIGNAL_DONE, 1, "");
	checked(VERDICT_DONE);
	land(VERDICT_DONE);
	give((struct loop_input){.kind = IN_TASKS});
	assert_null(fact(FACT_FINISHED));
	assert_true(effect(EFFECT_END)->politely);
	give((struct loop_input){.kind = IN_ENDED, .session = "ab-1", .exit = {EXIT_CODE, 0}});
	assert_null(fact(FACT_ENDED));
	assert_int_equal(fact(FACT_FINISHED)->reason, END_NO_WORK);
}

static void
a_fresh_agent_is_ended_when_its_task_is_done(void **unused)
{
	(void)unused;
	open_with(false);
	begin();
	say(SIGNAL_DONE, 1, "");
	checked(VERDICT_DONE);
	assert_true(effect(EFFECT_END)->politely);
	give((struct loop_input){
	    .kind = IN_ENDED, .session = "ab-1", .exit = {EXIT_SIGNAL, 15}});
	assert_int_equal(fact(FACT_ENDED)->verdict, VERDICT_DONE);
	assert_non_null(effect(EFFECT_LAND));
	land(VERDICT_DONE);
	offer("T002");
	assert_string_equal(effect(EFFECT_START)->session, "ab-2");
}

static void
what_blocks_a_task_is_told_to_whoever_writes_it_down(void **unused)
{
	(void)unused;
	open_with(false);
	begin();
	say(SIGNAL_BLOCKED, 1, "no network");
	assert_non_null(effect(EFFECT_ALERT));
	give((struct loop_input){.kind = IN_RECOVER, .boot_id = "boot", .pid = 8});
	give((struct loop_input){.kind = IN_ENDED, .session = "ab-1", .exit = {EXIT_CODE, 0}});
	assert_int_equal(fact(FACT_ENDED)->verdict, VERDICT_BLOCKED);
	assert_string_equal(effect(EFFECT_LAND)->text, "no network");
}

static void
an_agent_that_leaves_needs_both_signs(void **unused)
{
	static const struct {
		bool said, file;
		enum verdict verdict;
	} cases[] = {
	    {false, false, VERDICT_NOT_CLOSED},
	    {true, false, VERDICT_NOT_CLOSED},
	    {false, true, VERDICT_NOT_CLOSED},
	    {true, true, VERDICT_DONE},
	};

	(void)unused;
	for (size_t i = 0; i < 4; i++) {
		open_with(false);
		begin();
		if (cases[i].said)
			say(SIGNAL_DONE, 1, "");
		give((struct loop_input){.kind = IN_ENDED,
		    .session = "ab-1",
		    .exit = {EXIT_CODE, 0},
		    .closed = cases[i].file});
		assert_int_equal(fact(FACT_ENDED)->verdict, cases[i].verdict);
	}
}

/* Without a terminal it hears nothing: another attempt will. */
static void
whoever_cannot_be_answered_asks_for_another_attempt(void **unused)
{
	(void)unused;
	open_with(false);
	state.policy.exits = 1;
	state.policy.max_iterations = 1;
	for (int i = 1; i <= 3; i++) {
		char id[16];

		snprintf(id, sizeof(id), "ab-%d", i);
		offer("T001");
		assert_string_equal(effect(EFFECT_START)->session, id);
		assert_int_equal(effect(EFFECT_START)->attempt, 1);
		give((struct loop_input){.kind = IN_RUNNING, .session = id, .pid = 42});
		give((struct loop_input){.kind = IN_SIGNAL,
		    .session = id,
		    .seq = 1,
		    .turn = i,
		    .signal = SIGNAL_STUCK,
		    .text = "why?"});
		assert_string_equal(fact(FACT_TELLING)->key, "help");
		assert_null(effect(EFFECT_TELL));
		/* It may wait for the answer: then it waits for nothing. */
		if (i == 2) {
			give((struct loop_input){.kind = IN_SIGNAL,
			    .session = id,
			    .seq = 2,
			    .turn = i,
			    .signal = SIGNAL_IDLE});
			assert_int_equal(fact(FACT_ENDING)->verdict, VERDICT_ASKED);
		}
		give((struct loop_input){
		    .kind = IN_ENDED, .session = id, .exit = {EXIT_CODE, i == 2 ? 143 : 0}});
		assert_int_equal(fact(FACT_ENDED)->verdict, VERDICT_ASKED);
		assert_null(effect(EFFECT_LAND));
		assert_int_equal(state.failures, 0);
	}
	offer("T001");
	give((struct loop_input){.kind = IN_RUNNING, .session = "ab-4", .pid = 42});
	give((struct loop_input){.kind = IN_SIGNAL,
	    .session = "ab-4",
	    .seq = 1,
	    .turn = 4,
	    .signal = SIGNAL_STUCK,
	    .text = "Why?"});
	assert_int_equal(fact(FACT_ENDING)->verdict, VERDICT_BLOCKED);
}

int
main(void)
{
#define STORY(f) cmocka_unit_test_setup(f, open_loop)
	const struct CMUnitTest tests[] = {
	    STORY(its_word_is_checked_and_the_agent_gets_the_next_task),
	    STORY(what_belongs_to_the_last_turn_does_not_count),
	    STORY(done_without_its_file_is_reminded_once_then_counted),
	    STORY(the_same_question_is_answered_three_times),
	    STORY(a_question_without_words_is_unknown),
	    STORY(another_question_has_a_count_of_its_own),
	    STORY(an_agent_that_only_asks_does_not_ask_for_ever),
	    STORY(a_question_that_is_being_answered_is_not_answered_twice),
	    STORY(what_is_owed_is_done_after_a_crash),
	    STORY(counts_of_questions_survive_a_restart_of_agent_and_supervisor),
	    STORY(silence_is_nudged_then_alerted_then_ended),
	    STORY(an_agent_that_moves_again_has_all_its_nudges),
	    STORY(silence_is_ours_while_it_waits_for_us),
	    STORY(a_nudge_from_outside_makes_us_look),
	    STORY(an_agent_that_dies_is_replaced_but_not_for_ever),
	    STORY(one_that_goes_while_its_work_lands_is_replaced),
	    STORY(at_the_end_the_agent_is_let_go),
	    STORY(a_fresh_agent_is_ended_when_its_task_is_done),
	    STORY(what_blocks_a_task_is_told_to_whoever_writes_it_down),
	    STORY(an_agent_that_leaves_needs_both_signs),
	    STORY(whoever_cannot_be_answered_asks_for_another_attempt),
	};
#undef STORY

	return cmocka_run_group_tests(tests, NULL, NULL);
}
