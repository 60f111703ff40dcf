/* When a limit passes, in the words of those who say so. */
#include "watch/resets.h"

#include "base/clock.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

/* Wednesday, 2026-03-04 12:00:00 UTC. */
#define NOON INT64_C(1772625600)

static int64_t
find(const char *text)
{
	return resets_find(text, NOON * NSEC_PER_SEC) / NSEC_PER_SEC;
}

static void
a_time_of_the_day_is_the_next_one(void **state UNUSED)
{
	assert_int_equal(
	    find("You've hit your session limit · resets 3pm (UTC)"), NOON + 3 * 3600);
	assert_int_equal(find("resets 11:15am (UTC)"), NOON + 83700);
	assert_int_equal(find("resets 12am (UTC)"), NOON + 12 * 3600);
	assert_int_equal(find("Your limit will reset at 7pm (Asia/Tokyo)."), NOON + 22 * 3600);
	assert_int_equal(find("resets 3pm (Europe/Vilnius)"), NOON + 3600);
	assert_int_equal(
	    find("Limit reached · resets 6:30pm (Asia/Calcutta) · /upgrade"), NOON + 3600);
}

static void
one_that_has_just_passed_is_not_tomorrows(void **state UNUSED)
{
	assert_int_equal(find("resets 12pm (UTC)"), NOON);
	assert_int_equal(find("resets 11:45am (UTC)"), NOON - 900);
}

static void
a_date_counts(void **state UNUSED)
{
	assert_int_equal(find("resets Mar 6, 3pm (UTC)"), NOON + 2 * 86400 + 3 * 3600);
	assert_int_equal(find("try again at Mar 5th, 2026 10:50 PM."), NOON + 86400 + 39000);
	assert_int_equal(find("resets Jan 1, 2027, 12am (UTC)"), 1798761600);
	assert_int_equal(find("resets Jan 1, 12am (UTC)"), 1798761600);
}

static void
local_time_without_a_zone(void **state UNUSED)
{
	assert_int_equal(find("purchase more credits or try again at 10:50 PM."), NOON + 39000);
	setenv("TZ", "Asia/Tokyo", 1);
	tzset();
	assert_int_equal(find("try again at 10:50 PM."), NOON + 6600);
	assert_int_equal(find("resets 3pm (UTC)"), NOON + 3 * 3600);
	assert_string_equal(getenv("TZ"), "Asia/Tokyo");
	setenv("TZ", "UTC", 1);
	tzset();
}

static void
spans_and_numbers(void **state UNUSED)
{
	assert_int_equal(find("429 Rate limit reached, retry after 20s"), NOON + 21);
	assert_int_equal(find("Please try again in 2 hours 5 minutes"), NOON + 7501);
	assert_int_equal(find("try again in 1 hour, and 30 min."), NOON + 5401);
	assert_int_equal(find("Claude AI usage limit reached|1772629200"), NOON + 3600);
}

static void
what_is_no_time_is_none(void **state UNUSED)
{
	static const char *const texts[] = {"", "Please try again later.", "resets soon",
	    "resets 3 (UTC)", "resets 13pm (UTC)", "resets 25:00 (UTC)",
	    "resets 3pm (Mars/Olympus)", "resets 3pm (../../etc/passwd)",
	    "resets 3pm (/etc/passwd)", "retry after -1s", "usage limit reached|12",
	    "resets Foo 3", "resets Mar 99, 3pm (UTC)", "retry after 99999999999999999999s",
	    "a|b|", "try again in a moment"};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		if (find(texts[i]) != 0)
			fail_msg("%s: %lld", texts[i], (long long)find(texts[i]));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_time_of_the_day_is_the_next_one),
	    cmocka_unit_test(one_that_has_just_passed_is_not_tomorrows),
	    cmocka_unit_test(a_date_counts),
	    cmocka_unit_test(local_time_without_a_zone),
	    cmocka_unit_test(spans_and_numbers),
	    cmocka_unit_test(what_is_no_time_is_none),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
