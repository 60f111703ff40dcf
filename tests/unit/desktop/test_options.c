/* What can be asked of the desktop, and what cannot. */
#include "desktop/options.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Parses and checks the words; 0 when they are right. */
static int
check(char **words)
{
	const struct desktop_action *a = desktop_action_find(words[0]);
	struct desktop_options options = {0};
	struct operands operands = {0};
	struct err err = ERR_INIT;
	int argc = 0;
	int rc;

	assert_non_null(a);
	while (words[argc + 1] != NULL)
		argc++;
	rc = opts_parse(a->opts, a->nopts, argc, words + 1,
	    a->dashes ? OPTS_DASHES : OPTS_PLAIN, &options, &operands, &err);
	if (rc == 0)
		rc = desktop_options_check(a->id, &options, &operands, &err);
	opts_release(a->opts, a->nopts, &options);
	operands_release(&operands);
	return rc;
}

#define WORDS(...)                \
	(char *[])                \
	{                         \
		__VA_ARGS__, NULL \
	}

static char screenshot[] = "screenshot", windows[] = "windows", focus[] = "focus",
	    click[] = "click", type[] = "type", x[] = "12", y[] = "0", name[] = "OK",
	    empty[] = "", element[] = "--element", role[] = "--role", dashes[] = "--",
	    from_stdin[] = "--stdin", window[] = "--window";

static void
what_belongs_together_is_accepted(void **unused UNUSED)
{
	assert_int_equal(check(WORDS(screenshot)), 0);
	assert_int_equal(check(WORDS(screenshot, name)), 0);
	assert_int_equal(check(WORDS(windows)), 0);
	assert_int_equal(check(WORDS(focus, name)), 0);
	assert_int_equal(check(WORDS(focus, dashes, role)), 0);
	assert_int_equal(check(WORDS(click, x, y)), 0);
	assert_int_equal(check(WORDS(click, x, dashes, y)), 0);
	assert_int_equal(check(WORDS(click, element, name, role, name)), 0);
	assert_int_equal(check(WORDS(type, empty)), 0);
	assert_int_equal(check(WORDS(type, dashes, element)), 0);
	assert_int_equal(check(WORDS(type, from_stdin)), 0);
}

static void
what_does_not_is_refused(void **unused UNUSED)
{
	assert_int_equal(check(WORDS(screenshot, x, y)), -1);
	assert_int_equal(check(WORDS(screenshot, window, empty)), -1);
	assert_int_equal(check(WORDS(windows, name)), -1);
	assert_int_equal(check(WORDS(focus)), -1);
	assert_int_equal(check(WORDS(focus, empty)), -1);
	assert_int_equal(check(WORDS(click)), -1);
	assert_int_equal(check(WORDS(click, x)), -1);
	assert_int_equal(check(WORDS(click, x, y, x)), -1);
	assert_int_equal(check(WORDS(click, x, y, role, name)), -1);
	assert_int_equal(check(WORDS(click, element, name, x, y)), -1);
	assert_int_equal(check(WORDS(click, element, empty)), -1);
	assert_int_equal(check(WORDS(type)), -1);
	assert_int_equal(check(WORDS(type, x, y)), -1);
	assert_int_equal(check(WORDS(type, from_stdin, x)), -1);
	assert_null(desktop_action_find("launch"));
}

static void
a_place_is_a_number_of_pixels(void **unused UNUSED)
{
	static const char *const wrong[] = {
	    "", "-1", "+1", "1.5", "0x10", " 1", "1 ", "65536", "99999999999999999999"};
	struct err err = ERR_INIT;
	int value;

	assert_int_equal(desktop_coordinate("65535", &value, &err), 0);
	assert_int_equal(value, 65535);
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		assert_int_equal(desktop_coordinate(wrong[i], &value, &err), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(what_belongs_together_is_accepted),
	    cmocka_unit_test(what_does_not_is_refused),
	    cmocka_unit_test(a_place_is_a_number_of_pixels),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
