/*
 * The loop's decisions as a user would tell them: one short story each.
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
pass(int64_t seconds)
{
	now.boot += seconds * SEC;
	now.wall += seconds * SEC;
}

static int
open_loop(void **unused)
{
	struct settings s = {.max_iterations = 10, .max_failures = 5, .parallel = 1};

	(void)unused;
	now = (struct when){100 * SEC, INT64_C(1700000000) * SEC};
	loop_init(&state, &s, REGIME_REPEAT);
	give((struct loop_input){.kind = IN_OPEN, .uid = "ab", .boot_id = "boot", .pid = 7});
	return 0;
}

static const char *
start_agent(void)
{
	static char id[SESSION_ID_MAX];

	give((struct loop_input){.kind = IN_TASKS,
	    .candidates = &(struct candidate){.id = "prompt"},
	    .ncandidates = 1});
	assert_non_null(effect(EFFECT_START));
	snprintf(id, sizeof(id), "%s", effect(EFFECT_START)->session);
	give((struct loop_input){.kind = IN_RUNNING, .session = id, .pid = 42});
	return id;
}

static void
end_agent(const char *id, int code)
{
	give((struct loop_input){.kind = IN_ENDED, .session = id, .exit = {EXIT_CODE, code}});
}

static void
a_new_loop_asks_for_work_at_once(void **unused)
{
	(void)unused;
	assert_non_null(effect(EFFECT_FETCH));
	assert_string_equal(start_agent(), "ab-1");
	assert_int_equal(state.iteration, 1);
}

static void
an_agent_that_ends_well_is_followed_by_the_next(void **unused)
{
	(void)unused;
	end_agent(start_agent(), 0);
	assert_int_equal(fact(FACT_ENDED)->verdict, VERDICT_DONE);
	assert_non_null(effect(EFFECT_FETCH));
	assert_string_equal(start_agent(), "ab-2");
}

/* The start could not be made, and when that is known, the time for the whole run is used. */
static void
a_start_that_was_not_made_in_time_is_given_back(void **unused)
{
	const struct candidate task = {.id = "prompt"};

	(void)unused;
	state.policy.max_runtime = 60 * SEC;
	give((struct loop_input){.kind = IN_TASKS, .candidates = &task, .ncandidates = 1});
	pass(30);
	give((struct loop_input){.kind = IN_ABSENT, .session = "ab-1"});
	assert_non_null(effect(EFFECT_START));
	pass(30);
	give((struct loop_input){.kind = IN_ABSENT, .session = "ab-1"});
	assert_null(effect(EFFECT_START));
	assert_non_null(fact(FACT_UNSTARTED));
	assert_int_equal(fact(FACT_FINISHED)->reason, END_MAX_RUNTIME);
	assert_int_equal(state.iteration, 0);
}

/* --once: the agent goes on, and what it tells a supervisor that leaves starts nothing. */
static void
a_turn_that_is_over_is_no_crash(void **unused)
{
	const struct candidate task = {.id = "prompt"};

	(void)unused;
	(void)start_agent();
	give((struct loop_input){.kind = IN_PASS});
	assert_non_null(fact(FACT_LEFT));
	assert_int_equal(effect(EFFECT_EXIT)->code, EX_OK);
	assert_string_equal(loop_status(&state), "between-turns");
	assert_true(loop_can_resume(&state));
	end_agent("ab-1", 0);
	assert_null(effect(EFFECT_FETCH));
	give((struct loop_input){.kind = IN_TASKS, .candidates = &task, .ncandidates = 1});
	assert_null(fact(FACT_STARTED));
	give((struct loop_input){.kind = IN_RECOVER, .pid = 1, .boot_id = "boot"});
	assert_string_equal(loop_status(&state), "running");
	assert_non_null(effect(EFFECT_FETCH));
	give((struct loop_input){.kind = IN_PASS});
	give((struct loop_input){.kind = IN_WANT, .wanted = WANT_PAUSE});
	assert_string_equal(loop_status(&state), "paused");
}

static enum end_reason
over_with(int64_t failed, const char *unlanded, size_t waiting)
{
	(void)open_loop(NULL);
	state.policy.regime = REGIME_LANDED;
	state.failed = failed;
	give((struct loop_input){.kind = IN_TASKS, .unlanded = unlanded, .waiting = waiting});
	return fact(FACT_FINISHED)->reason;
}

/* What another run could do something about comes first; it is told in any case. */
static void
work_that_waits_for_its_branch_is_no_success(void **unused)
{
	(void)unused;
	assert_int_equal(over_with(0, NULL, 0), END_NO_WORK);
	assert_null(fact(FACT_ALERT));
	assert_int_equal(over_with(0, "a waits", 0), END_UNLANDED);
	assert_int_equal(effect(EFFECT_EXIT)->code, EX_UNLANDED);
	assert_string_equal(fact(FACT_FINISHED)->why, "a waits");
	assert_string_equal(fact(FACT_ALERT)->text, "done, but not on its branch yet: a waits");
	assert_int_equal(over_with(0, "a waits", 1), END_BLOCKED);
	assert_string_equal(fact(FACT_FINISHED)->why, "a waits");
	assert_int_equal(over_with(1, "a waits", 0), END_SOME_FAILED);
	assert_string_equal(fact(FACT_FINISHED)->why, "a waits");
	(void)open_loop(NULL);
	state.policy.regime = REGIME_LED;
	give((struct loop_input){
	    .kind = IN_NO_TASK, .reason = END_NO_WORK, .unlanded = "a is gone"});
	assert_int_equal(fact(FACT_FINISHED)->reason, END_UNLANDED);
	assert_string_equal(
	    fact(FACT_ALERT)->text, "done, but not on its branch yet: a is gone");
}

static void
what_nobody_checked_is_no_success(void **unused)
{
	(void)unused;
	(void)open_loop(NULL);
	state.policy.regime = REGIME_LANDED;
	give((struct loop_input){
	    .kind = IN_TASKS, .others = "a", .unchecked = true, .unlanded = "b waits"});
	assert_int_equal(fact(FACT_FINISHED)->reason, END_UNCHECKED);
	assert_int_equal(effect(EFFECT_EXIT)->code, EX_SOME_FAILED);
	assert_string_equal(fact(FACT_FINISHED)->others, "a");
	assert_string_equal(fact(FACT_FINISHED)->why, "b waits");
}

static void
settle(enum verdict verdict, enum fate fate)
{
	give((struct loop_input){
	    .kind = IN_SETTLED, .task = "a", .verdict = verdict, .fate = fate});
}

/* Of a list: the branch could not take the work of a task, and has it later. */
static void
what_waited_is_complete_when_it_has_landed(void **unused)
{
	(void)unused;
	state.policy.regime = REGIME_LED;
	settle(VERDICT_DONE, FATE_WAITING);
	assert_int_equal(state.unlanded, 1);
	assert_int_equal(state.completed, 0);
	settle(VERDICT_DONE, FATE_MERGED);
	assert_int_equal(state.unlanded, 0);
	assert_int_equal(state.completed, 1);
	settle(VERDICT_DONE, FATE_MERGED);
	assert_int_equal(state.completed, 1);
	assert_int_equal(state.failed, 0);
}

static void
failures_wait_1_2_4_8_seconds_then_stop(void **unused)
{
	static const int64_t waits[] = {1, 2, 4, 8};

	(void)unused;
	for (int i = 0; i < 4; i++) {
		struct when at;

		end_agent(start_agent(), 1);
		assert_int_equal(fact(FACT_BACKOFF)->delay, waits[i] * SEC);
		assert_null(effect(EFFECT_FETCH));
		assert_true(loop_deadline(&state, now.boot, &at));
		assert_int_equal(at.boot - now.boot, waits[i] * SEC);
		pass(waits[i]);
		give((struct loop_input){.kind = IN_TIMER});
		assert_non_null(effect(EFFECT_FETCH));
	}
	end_agent(start_agent(), 1);
	assert_int_equal(fact(FACT_FINISHED)->reason, END_FAILURES);
	assert_int_equal(effect(EFFECT_EXIT)->code, 1);
	assert_string_equal(loop_status(&state), "failed");
	assert_non_null(effect(EFFECT_ALERT));
}

/* An agent for each of so many tickets; they run. */
static void
start_tickets(const struct candidate *tickets, size_t n)
{
	give((struct loop_input){.kind = IN_TASKS, .candidates = tickets, .ncandidates = n});
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (state.sessions[i].state == SESSION_STARTING) {
			char id[SESSION_ID_MAX];

			snprintf(id, sizeof(id), "%s", state.sessions[i].id);
			give((struct loop_input){.kind = IN_RUNNING, .session = id, .pid = 42});
		}
}

static void
land_ticket(const char *id)
{
	give((struct loop_input){
	    .kind = IN_ENDED, .session = id, .exit = {EXIT_CODE, 0}, .closed = true});
	give((struct loop_input){.kind = IN_LANDED, .session = id, .verdict = VERDICT_DONE});
}

static void
a_slot_rests_after_its_ticket_and_others_do_not(void **unused)
{
	static const struct candidate tickets[] = {{.id = "a", .components = "a"},
	    {.id = "b", .components = "b"}, {.id = "c", .components = "c"},
	    {.id = "d", .components = "d"}};
	struct when at;

	(void)unused;
	state.policy.regime = REGIME_LANDED;
	state.policy.attempts = 1;
	state.policy.parallel = 3;
	state.policy.delay = 10 * SEC;
	start_tickets(tickets, 2);
	land_ticket("ab-1");
	assert_int_equal(fact(FACT_DELAYED)->delay, 10 * SEC);
	assert_non_null(effect(EFFECT_FETCH));
	start_tickets(&tickets[2], 2);
	assert_non_null(loop_find_session(&state, "ab-3"));
	assert_null(loop_find_session(&state, "ab-4"));
	pass(6);
	land_ticket("ab-2");
	assert_true(loop_deadline(&state, now.boot, &at));
	assert_int_equal(at.boot - now.boot, 4 * SEC);
	assert_non_null(effect(EFFECT_FETCH));
	start_tickets(&tickets[3], 1);
	assert_int_equal(decision.resting, 2);
	assert_null(loop_find_session(&state, "ab-4"));
	pass(4);
	give((struct loop_input){.kind = IN_TIMER});
	assert_non_null(effect(EFFECT_FETCH));
	start_tickets(&tickets[3], 1);
	assert_non_null(loop_find_session(&state, "ab-4"));
}

static void
the_end_does_not_wait_for_a_slot_that_rests(void **unused)
{
	static const struct candidate ticket = {.id = "a"};

	(void)unused;
	state.policy.regime = REGIME_LANDED;
	state.policy.attempts = 1;
	state.policy.delay = 10 * SEC;
	start_tickets(&ticket, 1);
	land_ticket("ab-1");
	assert_non_null(fact(FACT_DELAYED));
	assert_non_null(effect(EFFECT_FETCH));
	give((struct loop_input){.kind = IN_TASKS});
	assert_int_equal(fact(FACT_FINISHED)->reason, END_NO_WORK);
}

/* A slot rests, nothing is left to start in it, and the other ticket is over before it has. */
static void
a_rest_that_nothing_follows_is_not_told(void **unused)
{
	static const struct candidate tickets[] = {
	    {.id = "a", .components = "a"}, {.id = "b", .components = "b"}};

	(void)unused;
	state.policy.regime = REGIME_LANDED;
	state.policy.attempts = 1;
	state.policy.parallel = 2;
	state.policy.delay = 10 * SEC;
	start_tickets(tickets, 2);
	land_ticket("ab-1");
	assert_non_null(effect(EFFECT_FETCH));
	give((struct loop_input){.kind = IN_TASKS});
	assert_int_equal(decision.resting, 0);
	land_ticket("ab-2");
	assert_non_null(effect(EFFECT_FETCH));
	give((struct loop_input){.kind = IN_TASKS});
	assert_int_equal(fact(FACT_FINISHED)->reason, END_NO_WORK);
}

static void
a_ticket_that_is_left_waits_until_the_slot_has_rested(void **unused)
{
	static const struct candidate tickets[] = {{.id = "a"}, {.id = "b"}};
	struct when at;

	(void)unused;
	state.policy.regime = REGIME_LANDED;
	state.policy.attempts = 1;
	state.policy.delay = 10 * SEC;
	start_tickets(tickets, 2);
	land_ticket("ab-1");
	start_tickets(&tickets[1], 1);
	assert_null(effect(EFFECT_START));
	assert_null(effect(EFFECT_FETCH));
	assert_true(loop_waits(&state, now.boot, &at));
	assert_int_equal(at.boot - now.boot, 10 * SEC);
	/* Whatever comes first then: the timer has nothing left to tell. */
	pass(10);
	give((struct loop_input){.kind = IN_ALERT, .text = "x"});
	assert_non_null(effect(EFFECT_FETCH));
	start_tickets(&tickets[1], 1);
	assert_non_null(loop_find_session(&state, "ab-2"));
}

/* Or the timer would be due again at once, and again. */
static void
a_wait_that_is_over_leaves_no_deadline(void **unused)
{
	static const struct candidate ticket = {.id = "a", .taken = true};
	struct when at;

	(void)unused;
	state.policy.regime = REGIME_LANDED;
	give((struct loop_input){.kind = IN_NO_TASK, .reason = END_NONE, .text = "torn"});
	pass(1);
	give((struct loop_input){.kind = IN_TIMER});
	assert_non_null(effect(EFFECT_FETCH));
	give((struct loop_input){.kind = IN_TASKS, .candidates = &ticket, .ncandidates = 1});
	assert_false(loop_deadline(&state, now.boot, &at));
}

static void
backoff_is_capped_at_five_minutes(void **unused)
{
	(void)unused;
	assert_int_equal(loop_backoff(1), 1 * SEC);
	assert_int_equal(loop_backoff(9), 256 * SEC);
	assert_int_equal(loop_backoff(10), 300 * SEC);
	assert_int_equal(loop_backoff(INT64_MAX), 300 * SEC);
}

static void
limits_wait_a_minute_doubling_to_ten(void **unused)
{
	static const int64_t minutes[] = {1, 2, 4, 8, 10, 10};

	(void)unused;
	for (size_t i = 0; i < sizeof(minutes) / sizeof(minutes[0]); i++)
		assert_int_equal(loop_limit_wait((int64_t)i + 1), minutes[i] * 60 * SEC);
	assert_int_equal(loop_limit_wait(INT64_MAX), 600 * SEC);
}

static void
a_success_resets_the_count(void **unused)
{
	(void)unused;
	end_agent(start_agent(), 1);
	pass(1);
	give((struct loop_input){.kind = IN_TIMER});
	end_agent(start_agent(), 0);
	assert_int_equal(state.failures, 0);
	assert_int_equal(state.total_failures, 1);
}

static void
an_idle_agent_is_ended_and_costs_no_failure(void **unused)
{
	const char *id = start_agent();

	(void)unused;
	give((struct loop_input){
	    .kind = IN_SIGNAL, .session = id, .seq = 1, .signal = SIGNAL_IDLE});
	assert_non_null(effect(EFFECT_END));
	give((struct loop_input){.kind = IN_ENDED, .session = id, .exit = {EXIT_SIGNAL, 15}});
	assert_int_equal(fact(FACT_ENDED)->verdict, VERDICT_IDLE);
	assert_int_equal(state.total_failures, 0);
	assert_non_null(effect(EFFECT_FETCH));
}

static void
done_ends_the_agent_politely_and_then_the_loop(void **unused)
{
	const char *id = start_agent();

	(void)unused;
	give((struct loop_input){.kind = IN_SIGNAL,
	    .session = id,
	    .seq = 1,
	    .signal = SIGNAL_DONE,
	    .text = "All done"});
	assert_true(effect(EFFECT_END)->politely);
	assert_null(fact(FACT_FINISHED));
	/* It is done however it goes. */
	give((struct loop_input){.kind = IN_ENDED, .session = id, .exit = {EXIT_SIGNAL, 9}});
	assert_int_equal(fact(FACT_FINISHED)->reason, END_DONE_PATTERN);
	assert_int_equal(effect(EFFECT_EXIT)->code, 0);
}

static void
a_signal_told_twice_counts_once(void **unused)
{
	const char *id = start_agent();

	(void)unused;
	give((struct loop_input){
	    .kind = IN_SIGNAL, .session = id, .seq = 1, .signal = SIGNAL_IDLE});
	give((struct loop_input){
	    .kind = IN_SIGNAL, .session = id, .seq = 1, .signal = SIGNAL_IDLE});
	assert_int_equal(decision.nfacts, 0);
}

static void
pause_lets_the_agent_finish_and_starts_none(void **unused)
{
	const char *id = start_agent();

	(void)unused;
	give((struct loop_input){.kind = IN_WANT, .wanted = WANT_PAUSE});
	assert_null(effect(EFFECT_END));
	assert_true(effect(EFFECT_NOTICE)->paused);
	assert_string_equal(loop_status(&state), "paused");
	end_agent(id, 0);
	assert_null(effect(EFFECT_FETCH));
	give((struct loop_input){.kind = IN_WANT, .wanted = WANT_RUN});
	assert_non_null(effect(EFFECT_FETCH));
	assert_string_equal(start_agent(), "ab-2");
}

static void
pause_ends_a_backoff_and_resume_starts_at_once(void **unused)
{
	struct when at;

	(void)unused;
	end_agent(start_agent(), 1);
	give((struct loop_input){.kind = IN_WANT, .wanted = WANT_PAUSE});
	assert_false(loop_deadline(&state, now.boot, &at));
	give((struct loop_input){.kind = IN_WANT, .wanted = WANT_RUN});
	assert_non_null(effect(EFFECT_FETCH));
}

static void
sigterm_waits_for_the_agent_then_leaves_paused(void **unused)
{
	const char *id = start_agent();

	(void)unused;
	give((struct loop_input){.kind = IN_WANT, .wanted = WANT_LEAVE});
	assert_null(effect(EFFECT_EXIT));
	end_agent(id, 0);
	assert_int_equal(effect(EFFECT_EXIT)->code, 143);
	assert_string_equal(loop_status(&state), "paused");
	assert_true(loop_can_resume(&state));
}

static void
ctrl_c_ends_the_agent_and_the_loop(void **unused)
{
	const char *id = start_agent();

	(void)unused;
	give((struct loop_input){
	    .kind = IN_WANT, .wanted = WANT_STOP, .reason = END_INTERRUPTED});
	assert_non_null(effect(EFFECT_END));
	assert_false(effect(EFFECT_END)->politely);
	give((struct loop_input){.kind = IN_ENDED, .session = id, .exit = {EXIT_SIGNAL, 15}});
	assert_int_equal(effect(EFFECT_EXIT)->code, 130);
	assert_true(loop_can_resume(&state));
}

static void
a_reboot_in_iteration_5_goes_on_with_6(void **unused)
{
	(void)unused;
	for (int i = 0; i < 4; i++)
		end_agent(start_agent(), 0);
	start_agent();
	now.boot = 10 * SEC;
	give((struct loop_input){.kind = IN_RECOVER, .boot_id = "other", .pid = 8});
	assert_string_equal(effect(EFFECT_PROBE)->session, "ab-5");
	assert_null(effect(EFFECT_FETCH));
	give((struct loop_input){
	    .kind = IN_ENDED, .session = "ab-5", .exit = {EXIT_UNKNOWN, 0}});
	assert_int_equal(fact(FACT_ENDED)->verdict, VERDICT_LOST);
	assert_int_equal(state.failures, 0);
	assert_string_equal(start_agent(), "ab-6");
}

static void
a_keeper_that_dies_under_our_eyes_is_a_failure(void **unused)
{
	const char *id = start_agent();

	(void)unused;
	give((struct loop_input){.kind = IN_ENDED, .session = id, .exit = {EXIT_UNKNOWN, 0}});
	assert_int_equal(fact(FACT_ENDED)->verdict, VERDICT_FAILED);
	assert_non_null(fact(FACT_BACKOFF));
}

static void
the_last_iteration_completes_the_loop_even_if_it_failed(void **unused)
{
	(void)unused;
	for (int i = 0; i < 9; i++)
		end_agent(start_agent(), 0);
	end_agent(start_agent(), 1);
	assert_null(fact(FACT_BACKOFF));
	assert_int_equal(fact(FACT_FINISHED)->reason, END_MAX_ITERATIONS);
	assert_int_equal(effect(EFFECT_EXIT)->code, 0);
	assert_false(loop_can_resume(&state));
}

static void
raising_max_iterations_lets_a_complete_loop_go_on(void **unused)
{
	(void)unused;
	for (int i = 0; i < 10; i++)
		end_agent(start_agent(), 0);
	give((struct loop_input){.kind = IN_EDIT, .key = "max_iterations", .value = 12});
	give((struct loop_input){.kind = IN_WANT, .wanted = WANT_RUN});
	assert_non_null(fact(FACT_REOPENED));
	assert_string_equal(start_agent(), "ab-11");
}

static void
a_prompt_that_vanishes_ends_the_loop_with_1(void **unused)
{
	(void)unused;
	give((struct loop_input){.kind = IN_NO_TASK,
	    .reason = END_SOURCE_ERROR,
	    .text = "prompt file not found: P"});
	assert_int_equal(effect(EFFECT_EXIT)->code, 1);
	assert_string_equal(fact(FACT_FINISHED)->text, "prompt file not found: P");
}

static void
an_input_that_fits_no_cell_decides_nothing(void **unused)
{
	(void)unused;
	give(
	    (struct loop_input){.kind = IN_ENDED, .session = "nobody", .exit = {EXIT_CODE, 0}});
	assert_true(decision.illegal);
	assert_int_equal(decision.nfacts, 0);
	give((struct loop_input){.kind = IN_OPEN, .uid = "xx", .boot_id = ""});
	assert_true(decision.illegal);
}

static void
every_name_reads_back(void **unused)
{
	(void)unused;
	for (int i = 0; i < VERDICT_COUNT; i++)
		assert_int_equal(verdict_parse(verdict_name((enum verdict)i)), i);
	for (int i = 0; i < END_COUNT; i++)
		assert_int_equal(end_reason_parse(end_reason_name((enum end_reason)i)), i);
	for (int i = 0; i < FACT_COUNT; i++)
		assert_int_equal(fact_parse(fact_name((enum fact_kind)i)), i);
	assert_int_equal(signal_parse("no such"), -1);
}

#define STORY(fn) cmocka_unit_test_setup(fn, open_loop)

/* A copy leaves out slots that were never used, but not one behind a free one, and none that
 * its place had before. */
static void
a_copy_has_the_sessions_of_the_original(void **unused)
{
	static struct loop_state from, to, none;

	(void)unused;
	for (size_t used = 0; used <= LOOP_MAX_SESSIONS; used++) {
		from = none;
		to = none;
		for (size_t i = 0; i < used; i += 2) {
			from.sessions[i].state = SESSION_RUNNING;
			from.sessions[i].pid = (int64_t)i + 1;
		}
		for (size_t i = 0; i < LOOP_MAX_SESSIONS; i += 3)
			to.sessions[i].state = SESSION_LANDING;
		loop_copy(&to, &from);
		assert_memory_equal(to.sessions, from.sessions, sizeof(to.sessions));
		loop_clear(&to);
		assert_memory_equal(to.sessions, none.sessions, sizeof(to.sessions));
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    STORY(a_copy_has_the_sessions_of_the_original),
	    STORY(a_new_loop_asks_for_work_at_once),
	    STORY(an_agent_that_ends_well_is_followed_by_the_next),
	    STORY(a_start_that_was_not_made_in_time_is_given_back),
	    STORY(a_turn_that_is_over_is_no_crash),
	    STORY(work_that_waits_for_its_branch_is_no_success),
	    STORY(what_nobody_checked_is_no_success),
	    STORY(what_waited_is_complete_when_it_has_landed),
	    STORY(failures_wait_1_2_4_8_seconds_then_stop),
	    STORY(a_slot_rests_after_its_ticket_and_others_do_not),
	    STORY(the_end_does_not_wait_for_a_slot_that_rests),
	    STORY(a_rest_that_nothing_follows_is_not_told),
	    STORY(a_ticket_that_is_left_waits_until_the_slot_has_rested),
	    STORY(a_wait_that_is_over_leaves_no_deadline),
	    STORY(backoff_is_capped_at_five_minutes),
	    STORY(limits_wait_a_minute_doubling_to_ten),
	    STORY(a_success_resets_the_count),
	    STORY(an_idle_agent_is_ended_and_costs_no_failure),
	    STORY(done_ends_the_agent_politely_and_then_the_loop),
	    STORY(a_signal_told_twice_counts_once),
	    STORY(pause_lets_the_agent_finish_and_starts_none),
	    STORY(pause_ends_a_backoff_and_resume_starts_at_once),
	    STORY(sigterm_waits_for_the_agent_then_leaves_paused),
	    STORY(ctrl_c_ends_the_agent_and_the_loop),
	    STORY(a_reboot_in_iteration_5_goes_on_with_6),
	    STORY(a_keeper_that_dies_under_our_eyes_is_a_failure),
	    STORY(the_last_iteration_completes_the_loop_even_if_it_failed),
	    STORY(raising_max_iterations_lets_a_complete_loop_go_on),
	    STORY(a_prompt_that_vanishes_ends_the_loop_with_1),
	    STORY(an_input_that_fits_no_cell_decides_nothing),
	    STORY(every_name_reads_back),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
