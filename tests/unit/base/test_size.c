#include "base/size.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static void
assert_size(const char *text, int64_t want)
{
	struct err err = ERR_INIT;
	int64_t bytes = -1;

	assert_int_equal(size_parse(text, &bytes, &err), 0);
	assert_int_equal(bytes, want);
}

static void
assert_refused(const char *text, const char *sentence)
{
	struct err err = ERR_INIT;
	int64_t bytes = 7;

	assert_int_equal(size_parse(text, &bytes, &err), -1);
	assert_string_equal(err.text, sentence);
	assert_int_equal(bytes, 7);
}

static void
test_units_are_powers_of_1024(void **state)
{
	(void)state;
	assert_size("0", 0);
	assert_size("17", 17);
	assert_size("17B", 17);
	assert_size("1k", 1024);
	assert_size("500M", INT64_C(500) << 20);
	assert_size("10GB", INT64_C(10) << 30);
	assert_size("10GiB", INT64_C(10) << 30);
	assert_size("2tib", INT64_C(2) << 40);
	assert_size("1048576T", SIZE_LIMIT);
}

static void
test_what_is_no_size_is_refused(void **state)
{
	(void)state;
	assert_refused("", "'' is not a size (such as 500M, 10GiB or 1T)");
	assert_refused("-1", "'-1' is not a size (such as 500M, 10GiB or 1T)");
	assert_refused("M", "'M' is not a size (such as 500M, 10GiB or 1T)");
	assert_refused("1.5G", "'1.5G' is not a size (such as 500M, 10GiB or 1T)");
	assert_refused("1 G", "'1 G' is not a size (such as 500M, 10GiB or 1T)");
	assert_refused("1Gi", "'1Gi' is not a size (such as 500M, 10GiB or 1T)");
	assert_refused("1GiBs", "'1GiBs' is not a size (such as 500M, 10GiB or 1T)");
}

static void
test_what_no_disk_has_is_too_large(void **state)
{
	(void)state;
	assert_refused("1048577T", "'1048577T' is too large a size");
	assert_refused("99999999999999999999", "'99999999999999999999' is too large a size");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_units_are_powers_of_1024),
	    cmocka_unit_test(test_what_is_no_size_is_refused),
	    cmocka_unit_test(test_what_no_disk_has_is_too_large),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
