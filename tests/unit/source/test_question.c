/* Is it the same question again, and what is it about? */
#include "../base/scratch.h"
#include "source/question.h"

static void
assert_normal(const char *text, const char *expected)
{
	AUTO_BUF out = BUF_INIT;

	question_normal(text, strlen(text), &out);
	assert_string_equal(out.data, expected);
}

static void
test_normal(void **state UNUSED)
{
	assert_normal("Which file has the  config?", "which file has the config");
	assert_normal("'Which' \"file\"\thas\nthe `config`...", "which file has the config");
	assert_normal("error 42 in line 7", "error <n> in line <n>");
	assert_normal("src/a.c:12 fails, /etc/passwd too", "<path> <n> fails <path> too");
	assert_normal("see ./x/y or config.json", "see <path> or <path>");
	assert_normal("v1.2 and T001", "v<n> <n> and t<n>");
	assert_normal("don't", "dont");
	assert_normal("", "unknown issue");
	assert_normal(" ?!. ", "unknown issue");
	assert_normal("\xc3\x9c\xff x", "\xc3\x9c\xff x");
}

static void
test_key(void **state UNUSED)
{
	char a[QUESTION_KEY], b[QUESTION_KEY];

	question_key("Where is src/main.c?", 20, a);
	question_key("where IS  'lib/other.py' ...", 28, b);
	assert_string_equal(a, b);
	question_key("Who is it?", 10, b);
	assert_string_not_equal(a, b);
	/* Counts in state.json outlive a version. */
	question_key("", 0, a);
	assert_string_equal(a, "9534c86245fb5f53");
	question_key("a\0b", 3, a);
	assert_int_equal(strlen(a), 16);
}

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
	    cmocka_unit_test(test_normal),
	    cmocka_unit_test(test_key),
	    cmocka_unit_test(test_kinds),
	};

	(void)scratch_setup;
	(void)scratch_teardown;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
