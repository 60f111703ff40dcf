/* Which questions need a look at the screen? */
#include "../base/scratch.h"
#include "work/todo/picture.h"

static void
test_about_what_is_seen(void **state UNUSED)
{
	assert_true(picture_is_asked("What does the screen show?"));
	assert_true(picture_is_asked("a DIALOG blocks me"));
	assert_true(picture_is_asked("I need to see it"));
	assert_true(picture_is_asked("is the UI right?"));
	assert_true(picture_is_asked("which window, the left one?"));
	assert_true(picture_is_asked("UI"));
	assert_true(picture_is_asked("(button)"));
}

static void
test_about_other_things(void **state UNUSED)
{
	assert_false(picture_is_asked("Which file has the routes?"));
	assert_false(picture_is_asked("build the suite")); /* no "ui" */
	assert_false(picture_is_asked("I overseed the seesaw"));
	assert_false(picture_is_asked("screening"));
	assert_false(picture_is_asked("\303\274see")); /* one word, whatever the bytes */
	assert_false(picture_is_asked("???"));
	assert_false(picture_is_asked(""));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_about_what_is_seen),
	    cmocka_unit_test(test_about_other_things),
	};

	(void)scratch_setup;
	(void)scratch_teardown;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
