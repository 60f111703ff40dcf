/* Which of several things is meant by a name. */
#include "desktop/pick.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

#define N 5

static const char *const names[N] = {"Save", "Save as", "", NULL, "Do not save"};

static void
assert_picked(const char *wanted, size_t n, size_t first)
{
	size_t found[N];

	assert_int_equal(pick_by_name(names, N, wanted, found), n);
	if (n > 0)
		assert_int_equal(found[0], first);
}

static void
the_whole_name_comes_first(void **unused UNUSED)
{
	assert_picked("Save", 1, 0);
	assert_picked("Save as", 1, 1);
}

static void
then_a_part_of_it(void **unused UNUSED)
{
	assert_picked("not", 1, 4);
	assert_picked("av", 3, 0);
}

static void
nothing_is_guessed(void **unused UNUSED)
{
	assert_picked("save as", 0, 0);
	assert_picked("Quit", 0, 0);
	assert_int_equal(pick_by_name(NULL, 0, "x", NULL), 0);
}

static void
several_of_one_name_are_all_found(void **unused UNUSED)
{
	static const char *const twins[] = {"OK", "OK", "OK?"};
	size_t found[3];

	assert_int_equal(pick_by_name(twins, 3, "OK", found), 2);
	assert_int_equal(found[1], 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_whole_name_comes_first),
	    cmocka_unit_test(then_a_part_of_it),
	    cmocka_unit_test(nothing_is_guessed),
	    cmocka_unit_test(several_of_one_name_are_all_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
