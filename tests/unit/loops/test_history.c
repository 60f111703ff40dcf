/* A loop's iterations, as its journal has them: in order, and each with what became of it. */
#include "../record/scratch.h"
#include "loops/history.h"
#include "record/journal.h"

static const struct settings settings = {
    .max_iterations = 1000, .max_failures = 5, .parallel = 2};

/* Writes facts, one decision each; returns how the journal reads then. */
static struct history
history_of(const struct scratch *tmp, struct fact *facts, size_t n)
{
	struct history h = {.all = NULL};
	struct err err = ERR_INIT;
	struct loop_state *state = calloc(1, sizeof(*state));
	struct journal *j;

	assert_non_null(state);
	loop_init(state, &settings, REGIME_REPEAT);
	j = journal_open(tmp->dir, false, state, NULL, &err);
	assert_non_null(j);
	for (size_t i = 0; i < n; i++) {
		facts[i].at = (struct when){1000, 1700000000000000000 + (int64_t)i};
		assert_int_equal(journal_append(j, &facts[i], 1, FS_NOSYNC, &err), 0);
	}
	journal_close(j);
	free(state);
	assert_int_equal(history_load(&h, tmp->dir, &err), 0);
	return h;
}

static void
every_iteration_has_its_end(void **unused UNUSED)
{
	struct fact facts[] = {
	    {.kind = FACT_OPENED, .uid = "u"},
	    {.kind = FACT_STARTED, .session = "u-1", .task = "a", .iteration = 1, .attempt = 1},
	    {.kind = FACT_STARTED, .session = "u-2", .task = "b", .iteration = 2, .attempt = 1},
	    {.kind = FACT_RUNNING, .session = "u-2", .pid = 7},
	    {.kind = FACT_ENDED,
		.session = "u-2",
		.task = "b",
		.iteration = 2,
		.verdict = VERDICT_DONE,
		.exit = {EXIT_CODE, 0},
		.duration = 5,
		.landing = 1},
	    {.kind = FACT_LANDED,
		.session = "u-2",
		.task = "b",
		.iteration = 2,
		.verdict = VERDICT_CONFLICT,
		.fate = FATE_COPIED},
	    {.kind = FACT_STARTED, .session = "u-3", .task = "b", .iteration = 3, .attempt = 2},
	};
	struct scratch tmp;
	struct history h;

	scratch_open(&tmp);
	h = history_of(&tmp, facts, ARRAY_LEN(facts));
	assert_int_equal(h.n, 3);
	assert_false(h.all[0].running || h.all[0].ended || h.all[0].gone);
	assert_true(h.all[1].running && h.all[1].ended && h.all[1].landed && h.all[1].gone);
	assert_int_equal(h.all[1].verdict, VERDICT_CONFLICT);
	assert_int_equal(h.all[1].duration, 5);
	assert_int_equal(h.all[1].fate, FATE_COPIED);
	assert_ptr_equal(history_task(&h, "b"), &h.all[2]);
	assert_ptr_equal(history_find(&h, 2), &h.all[1]);
	assert_null(history_task(&h, "c"));
	assert_null(history_find(&h, 4));
	history_release(&h);
	scratch_close(&tmp);
}

static void
a_number_that_was_given_back_is_the_next_ones(void **unused UNUSED)
{
	struct fact facts[] = {
	    {.kind = FACT_OPENED, .uid = "u"},
	    {.kind = FACT_STARTED, .session = "u-1", .task = "a", .iteration = 1},
	    {.kind = FACT_UNSTARTED, .session = "u-1", .task = "a", .iteration = 1},
	    {.kind = FACT_STARTED, .session = "u-1", .task = "b", .iteration = 1},
	    {.kind = FACT_RUNNING, .session = "u-1", .pid = 7},
	};
	struct scratch tmp;
	struct history h;

	scratch_open(&tmp);
	h = history_of(&tmp, facts, ARRAY_LEN(facts));
	assert_int_equal(h.n, 2);
	assert_true(h.all[0].unstarted && !h.all[0].running);
	assert_true(h.all[1].running && !h.all[1].unstarted);
	assert_ptr_equal(history_find(&h, 1), &h.all[1]);
	assert_null(history_task(&h, "a"));
	history_release(&h);
	scratch_close(&tmp);
}

static void
an_agent_that_is_kept_has_several(void **unused UNUSED)
{
	struct fact facts[] = {
	    {.kind = FACT_OPENED, .uid = "u"},
	    {.kind = FACT_STARTED, .session = "u-1", .task = "a", .iteration = 1},
	    {.kind = FACT_RUNNING, .session = "u-1", .pid = 7},
	    {.kind = FACT_ENDED, .session = "u-1", .task = "a", .iteration = 1, .kept = 1},
	    {.kind = FACT_ASSIGNED, .session = "u-1", .task = "b", .iteration = 2},
	    {.kind = FACT_ENDED, .session = "u-1", .task = "b", .iteration = 2, .kept = 1},
	    {.kind = FACT_DISMISSED, .session = "u-1"},
	};
	struct scratch tmp;
	struct history h;

	scratch_open(&tmp);
	h = history_of(&tmp, facts, ARRAY_LEN(facts));
	assert_int_equal(h.n, 2);
	assert_true(h.all[0].ended && !h.all[0].gone);
	assert_true(h.all[1].running && h.all[1].ended && h.all[1].gone);
	assert_string_equal(history_find(&h, 2)->session, "u-1");
	assert_ptr_equal(history_session(&h, "u-1"), &h.all[1]);
	history_release(&h);
	scratch_close(&tmp);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_iteration_has_its_end),
	    cmocka_unit_test(a_number_that_was_given_back_is_the_next_ones),
	    cmocka_unit_test(an_agent_that_is_kept_has_several),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
