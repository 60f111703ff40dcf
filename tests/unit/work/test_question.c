/* What is a question about? */
#include "../base/scratch.h"
#include "work/todo/question.h"

static void
assert_kind(const char *text, const char *kind)
{
	assert_string_equal(question_kind_name(question_kind(text, strlen(text))), kind);
}

static void
test_kinds(void **state UNUSED)
{
	assert_kind("Which file has the user model?", "files");
	assert_kind("where is the config", "files");
	assert_kind("What naming convention do we use for hooks?", "patterns");
	assert_kind("Which schema does the table have", "patterns");
	assert_kind("The build FAILS with a TypeError", "errors");
	assert_kind("tests don't pass: exit code 2", "errors");
	assert_kind("Should I also update the docs?", "scope");
	assert_kind("requirements are unclear", "scope");
	assert_kind("zod is not installed", "dependencies");
	assert_kind("Cannot find module 'left-pad'", "dependencies");
	assert_kind("what is the endpoint for login?", "endpoints");
	assert_kind("Which API route?", "endpoints");
	assert_kind("hm", "other");
	assert_kind("profile", "other"); /* no "file" */
	assert_kind("", "other");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_kinds),
	};

	(void)scratch_setup;
	(void)scratch_teardown;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
