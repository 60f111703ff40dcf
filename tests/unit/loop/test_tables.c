/* Which cells the tables of the loop have, and what follows from their columns: a lost row
 * would make an input illegal. */
#include "loop/loop.h"
#include "loop/source_row.h"

#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#include <cmocka.h>

#define SEC INT64_C(1000000000)

static struct loop_state state;
static struct decision decision;

/* A loop in this phase with one session. */
static void
open_with(enum loop_phase phase, enum session_state activity)
{
	static const struct settings settings = {.max_iterations = 10,
	    .max_failures = 3,
	    .parallel = 2,
	    .mode = MODE_PTY,
	    .interventions = 3,
	    .nudges = 3};

	memset(&state, 0, sizeof(state));
	loop_init(&state, &settings, REGIME_KEPT);
	state.phase = phase;
	state.iteration = 1;
	state.sessions[0] = (struct loop_session){
	    .state = activity, .id = "ab-1", .task = "t", .iteration = 1, .kept = true};
}

static void
give(struct loop_input in)
{
	in.now = (struct when){100 * SEC, INT64_C(1700000000) * SEC};
	in.uid = "ab";
	in.boot_id = "boot";
	in.session = "ab-1";
	in.task = "t";
	in.text = in.text == NULL ? "text" : in.text;
	in.key = "max_iterations";
	in.value = 5;
	in.seq = 1;
	loop_decide(&state, &in, &decision);
}

static const struct fact *
fact_of(enum fact_kind kind)
{
	for (size_t i = 0; i < decision.nfacts; i++)
		if (decision.facts[i].kind == kind)
			return &decision.facts[i];
	return NULL;
}

static bool
has_fact(enum fact_kind kind)
{
	return fact_of(kind) != NULL;
}

static const struct effect *
effect_of(enum effect_kind kind)
{
	for (size_t i = 0; i < decision.neffects; i++)
		if (decision.effects[i].kind == kind)
			return &decision.effects[i];
	return NULL;
}

/* The events that a session in each state takes. */
static void
every_session_takes_its_events(void **unused)
{
	static const enum loop_input_kind events[] = {IN_ABSENT, IN_TAKEN, IN_RUNNING,
	    IN_SIGNAL, IN_CHECKED, IN_SILENT, IN_ENDED, IN_LANDED};
	static const char *const takes[SESSION_STATES] = {
	    [SESSION_FREE] = "--------",
	    [SESSION_STARTING] = "XXXX-XX-",
	    [SESSION_RUNNING] = "--XXXXX-",
	    [SESSION_ENDING] = "-XXXXXX-",
	    [SESSION_LANDING] = "--XXXXXX",
	    [SESSION_WAITING] = "--XXXXX-",
	    [SESSION_BRIEFING] = "--XX-XX-",
	};

	(void)unused;
	for (int s = 0; s < SESSION_STATES; s++)
		for (size_t e = 0; e < sizeof(events) / sizeof(events[0]); e++) {
			open_with(PHASE_OPEN, (enum session_state)s);
			give((struct loop_input){.kind = events[e], .signal = SIGNAL_READY});
			if (decision.illegal != (takes[s][e] == '-'))
				fail_msg("%s, event %zu",
				    session_state_name((enum session_state)s), e);
		}
}

/* The phases (new, open, draining, finished) in which each input may come. */
static void
every_input_comes_in_its_phases(void **unused)
{
	static const struct {
		const char *phases;
		enum session_state session;
	} inputs[IN_COUNT] = {
	    [IN_OPEN] = {"X---", SESSION_FREE},
	    [IN_RECOVER] = {"-XXX", SESSION_RUNNING},
	    [IN_WANT] = {"-XXX", SESSION_RUNNING},
	    [IN_TASKS] = {"-XXX", SESSION_RUNNING},
	    [IN_NO_TASK] = {"-XXX", SESSION_RUNNING},
	    [IN_ABSENT] = {"-XX-", SESSION_STARTING},
	    [IN_TAKEN] = {"-XX-", SESSION_STARTING},
	    [IN_RUNNING] = {"-XX-", SESSION_RUNNING},
	    [IN_SIGNAL] = {"-XX-", SESSION_RUNNING},
	    [IN_CHECKED] = {"-XX-", SESSION_RUNNING},
	    [IN_NUDGE] = {"-XX-", SESSION_RUNNING},
	    [IN_SILENT] = {"-XX-", SESSION_RUNNING},
	    [IN_ENDED] = {"-XX-", SESSION_RUNNING},
	    [IN_LANDED] = {"-XX-", SESSION_LANDING},
	    [IN_SETTLED] = {"-X--", SESSION_RUNNING},
	    [IN_NEWS] = {"-XXX", SESSION_RUNNING},
	    [IN_TIMER] = {"-XXX", SESSION_RUNNING},
	    [IN_PASS] = {"-X--", SESSION_RUNNING},
	    [IN_HANGUP] = {"-XX-", SESSION_RUNNING},
	    [IN_EDIT] = {"-XXX", SESSION_RUNNING},
	    [IN_ALERT] = {"-XXX", SESSION_RUNNING},
	};

	(void)unused;
	for (int i = 0; i < IN_COUNT; i++)
		for (int p = 0; p < PHASE_COUNT; p++) {
			open_with((enum loop_phase)p, inputs[i].session);
			give((struct loop_input){.kind = (enum loop_input_kind)i,
			    .signal = SIGNAL_READY,
			    .reason = END_NO_WORK});
			if (decision.illegal != (inputs[i].phases[p] == '-'))
				fail_msg("input %d, %s", i, phase_name((enum loop_phase)p));
		}
}

/* What an agent that is led says is answered, whatever its silence is called. */
static void
every_word_of_a_led_agent_is_answered(void **unused)
{
	static const enum signal_kind silences[] = {SIGNAL_IDLE, SIGNAL_RESTED, SIGNAL_HUNG};

	(void)unused;
	for (size_t i = 0; i < sizeof(silences) / sizeof(silences[0]); i++) {
		open_with(PHASE_OPEN, SESSION_RUNNING);
		give((struct loop_input){.kind = IN_SIGNAL, .signal = silences[i]});
		assert_true(has_fact(FACT_TELLING));
	}
	open_with(PHASE_OPEN, SESSION_RUNNING);
	give((struct loop_input){.kind = IN_SIGNAL, .signal = SIGNAL_STUCK});
	assert_true(has_fact(FACT_TELLING));
	give((struct loop_input){.kind = IN_SIGNAL, .signal = SIGNAL_BLOCKED});
	assert_true(has_fact(FACT_ENDED));
	give((struct loop_input){.kind = IN_SIGNAL, .signal = SIGNAL_DONE});
	assert_int_equal(decision.effects[0].kind, EFFECT_CHECK);
}

/* Alerts of a question, a login and a bill quote the agent; a cry for help and an obstacle are
 * never without words; nothing follows from a report but that the agent moves. */
static void
every_signal_has_its_words(void **unused)
{
	static const char kinds[SIGNAL_COUNT] = {[SIGNAL_ASKS] = 'q',
	    [SIGNAL_LOGIN] = 'q',
	    [SIGNAL_BILLING] = 'q',
	    [SIGNAL_STUCK] = 'n',
	    [SIGNAL_BLOCKED] = 'n',
	    [SIGNAL_PROGRESS] = 'r',
	    [SIGNAL_ACTIVE] = 'r'};

	(void)unused;
	for (int k = 0; k < SIGNAL_COUNT; k++) {
		struct loop_input in = {.kind = IN_SIGNAL, .signal = (enum signal_kind)k};

		open_with(PHASE_OPEN, SESSION_RUNNING);
		in.text = "";
		give(in);
		assert_int_equal(
		    strcmp(fact_of(FACT_SIGNALLED)->text, "unknown") == 0, kinds[k] == 'n');
		in.text = "its words";
		give(in);
		if (fact_of(FACT_ALERT) != NULL && kinds[k] != 'n')
			assert_int_equal(
			    strstr(fact_of(FACT_ALERT)->text, ": its words") != NULL,
			    kinds[k] == 'q');
		else
			assert_true(kinds[k] != 'q');
		state.sessions[0].nudges = 2;
		loop_commit(&state, &decision);
		if (kinds[k] == 'r')
			assert_int_equal(state.sessions[0].nudges, 0);
		assert_int_equal(signal_is_report((enum signal_kind)k), kinds[k] == 'r');
	}
}

/* Only a run that came to its end with failures tries them again when it is resumed. */
static void
a_run_that_was_over_tries_again_what_failed(void **unused)
{
	static const struct fact reopened = {.kind = FACT_REOPENED};

	(void)unused;
	for (int r = 0; r < END_COUNT; r++) {
		open_with(PHASE_FINISHED, SESSION_FREE);
		state.reason = (enum end_reason)r;
		state.failed = 1;
		state.tasks[0].failed = true;
		state.ntasks = 1;
		loop_apply(&state, &reopened);
		assert_int_equal(state.failed, r == END_SOME_FAILED ? 0 : 1);
		assert_int_equal(state.tasks[0].failed, r != END_SOME_FAILED);
	}
}

/* The columns of a row do not contradict each other. */
static void
columns_agree(void **unused)
{
	(void)unused;
	for (int i = 0; i < VERDICT_COUNT; i++) {
		enum verdict v = (enum verdict)i;

		assert_int_equal(
		    verdict_is_success(v), verdict_landed_worth(v) == WORTH_SUCCESS);
		if (verdict_hold(v) != HOLD_NOTHING)
			assert_int_equal(verdict_cost(v), COST_NOTHING);
		if (verdict_is_interrupted(v))
			assert_int_equal(verdict_landed_worth(v), WORTH_NOTHING);
	}
	for (int r = 0; r < END_COUNT; r++)
		assert_false(end_reason_tries_again((enum end_reason)r) &&
			     end_reason_complete((enum end_reason)r));
}

/* What follows from a signal about an agent that nobody leads: an end with this verdict, or
 * none, and an alert. */
static void
every_signal_has_its_end(void **unused)
{
	static const struct {
		enum verdict verdict;
		bool alert;
	} follows[SIGNAL_COUNT] = {
	    [SIGNAL_DONE] = {VERDICT_DONE, false},
	    [SIGNAL_IDLE] = {VERDICT_IDLE, false},
	    [SIGNAL_RESTED] = {VERDICT_RESTED, false},
	    [SIGNAL_HUNG] = {VERDICT_HUNG, false},
	    [SIGNAL_STALL] = {VERDICT_STUCK, false},
	    [SIGNAL_TIMEOUT] = {VERDICT_TIMEOUT, false},
	    [SIGNAL_EXPENSIVE] = {VERDICT_NONE, true},
	    [SIGNAL_ASKS] = {VERDICT_NONE, true},
	    [SIGNAL_UNDELIVERED] = {VERDICT_FAILED, true},
	    [SIGNAL_UNRECORDED] = {VERDICT_NONE, true},
	    [SIGNAL_LIMIT] = {VERDICT_LIMITED, false},
	    [SIGNAL_LOGIN] = {VERDICT_REFUSED, true},
	    [SIGNAL_BILLING] = {VERDICT_REFUSED, true},
	};

	(void)unused;
	for (int k = 0; k < SIGNAL_COUNT; k++) {
		const struct fact *ending;
		const struct effect *end;

		open_with(PHASE_OPEN, SESSION_RUNNING);
		state.policy.regime = REGIME_REPEAT;
		state.policy.judged = 1;
		give((struct loop_input){.kind = IN_SIGNAL, .signal = (enum signal_kind)k});
		ending = fact_of(FACT_ENDING);
		end = effect_of(EFFECT_END);
		if ((ending != NULL ? ending->verdict : VERDICT_NONE) != follows[k].verdict ||
		    (end != NULL) != (ending != NULL) ||
		    has_fact(FACT_ALERT) != follows[k].alert)
			fail_msg("%s", signal_name((enum signal_kind)k));
		/* Only an agent that said it is done may finish. */
		if (end != NULL)
			assert_int_equal(end->politely, k == SIGNAL_DONE);
	}
}

/* Snapshots of every version have 1 << verdict for each verdict that gets another attempt. */
static void
verdicts_keep_their_numbers(void **unused)
{
	static const char *const names[] = {"none", "done", "failed", "idle", "stuck",
	    "blocked", "timeout", "limited", "refused", "fatal", "not-closed", "unverified",
	    "conflict", "stopped", "lost", "asked", "rested", "hung"};

	(void)unused;
	for (int i = 0; i < (int)(sizeof(names) / sizeof(names[0])); i++)
		if (verdict_parse(names[i]) != i)
			fail_msg("%s", names[i]);
}

/* A worker of swarm's is told from a loop of `ralph run` by the table, and so are loops of
 * other versions from those that cannot be read. */
static void
every_name_has_a_source(void **unused)
{
	static const char *const naming[] = {"command", "tickets", "graph", "todo"};

	(void)unused;
	for (size_t i = 0; i < sizeof(naming) / sizeof(naming[0]); i++)
		assert_true(source_row(naming[i])->names_tasks);
	assert_true(source_row("prompt")->run && source_row("prompt")->swarm);
	assert_false(source_row("prompt")->names_tasks || source_row("prompt")->single);
	assert_true(source_row("once")->single && !source_row("once")->run);
	assert_true(source_row("once")->swarm);
	assert_true(source_row("command")->run && !source_row("command")->swarm);
	assert_string_equal(source_row("tickets")->noun, "ticket");
	assert_string_equal(source_row("todo")->name, "todo");
	assert_true(source_row("of another version")->names_tasks);
	assert_false(source_row("of another version")->single);
	assert_true(source_row(NULL)->single && !source_row(NULL)->names_tasks);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_session_takes_its_events),
	    cmocka_unit_test(every_input_comes_in_its_phases),
	    cmocka_unit_test(every_word_of_a_led_agent_is_answered),
	    cmocka_unit_test(every_signal_has_its_words),
	    cmocka_unit_test(a_run_that_was_over_tries_again_what_failed),
	    cmocka_unit_test(columns_agree),
	    cmocka_unit_test(every_signal_has_its_end),
	    cmocka_unit_test(verdicts_keep_their_numbers),
	    cmocka_unit_test(every_name_has_a_source),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
