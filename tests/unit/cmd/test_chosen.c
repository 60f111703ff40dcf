/*
 * Which loop is meant when its name is left out.
 */
#include "cmd/chosen.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define LIVES true
#define OVER false

static void
nobody_is_meant_where_there_is_none(void **unused)
{
	(void)unused;
	assert_true(chosen_pick(NULL, 0, CHOSEN_READ) == CHOSEN_NONE);
	assert_true(chosen_pick(NULL, 0, CHOSEN_ACT) == CHOSEN_NONE);
}

static void
the_only_one_is_meant(void **unused)
{
	const struct chosen_loop over[] = {{.lives = OVER}};
	const struct chosen_loop lives[] = {{.lives = LIVES}};

	(void)unused;
	assert_int_equal(chosen_pick(over, 1, CHOSEN_READ), 0);
	assert_int_equal(chosen_pick(over, 1, CHOSEN_ACT), 0);
	assert_int_equal(chosen_pick(lives, 1, CHOSEN_ACT), 0);
}

static void
the_only_one_that_lives_is_meant(void **unused)
{
	const struct chosen_loop list[] = {
	    {.lives = OVER, .opened = 9}, {.lives = LIVES, .opened = 1}, {.opened = 5}};

	(void)unused;
	assert_int_equal(chosen_pick(list, 3, CHOSEN_READ), 1);
	assert_int_equal(chosen_pick(list, 3, CHOSEN_ACT), 1);
}

static void
of_several_only_who_reads_takes_one(void **unused)
{
	const struct chosen_loop over[] = {{.opened = 3}, {.opened = 9}, {.opened = 5}};
	const struct chosen_loop living[] = {{.lives = LIVES, .opened = 3},
	    {.lives = LIVES, .opened = 4}, {.lives = OVER, .opened = 9}};

	(void)unused;
	assert_int_equal(chosen_pick(over, 3, CHOSEN_READ), 1);
	assert_true(chosen_pick(over, 3, CHOSEN_ACT) == CHOSEN_NONE);
	assert_int_equal(chosen_pick(living, 3, CHOSEN_READ), 1);
	assert_true(chosen_pick(living, 3, CHOSEN_ACT) == CHOSEN_NONE);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(nobody_is_meant_where_there_is_none),
	    cmocka_unit_test(the_only_one_is_meant),
	    cmocka_unit_test(the_only_one_that_lives_is_meant),
	    cmocka_unit_test(of_several_only_who_reads_takes_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
