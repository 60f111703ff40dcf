/*
 * Which sessions stay: each limit alone, what is pinned, and what always stays.
 */
#include "loop/retention.h"
#include "loop/settings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define COUNT 10
#define NOW INT64_C(1000)

static struct retained list[COUNT];
static struct retention keep;

/* Ten sessions of 10 bytes each, one every ten ticks of the clock, the last one at 990. */
static int
ten_sessions(void **unused)
{
	(void)unused;
	keep = (struct retention){UNLIMITED, UNLIMITED, UNLIMITED, 0};
	for (int i = 0; i < COUNT; i++)
		list[i] = (struct retained){
		    .number = i + 1, .bytes = 10, .at = NOW - 10 * (COUNT - i)};
	return 0;
}

/* The numbers that stay, as "8 9 10". */
static const char *
stay(int64_t free_bytes)
{
	static char text[64];
	size_t len = 0, gone = retention_decide(list, COUNT, &keep, NOW, free_bytes), n = 0;

	text[0] = '\0';
	for (int i = 0; i < COUNT; i++) {
		n += list[i].goes;
		if (!list[i].goes)
			len += (size_t)snprintf(text + len, sizeof(text) - len, "%s%d",
			    len == 0 ? "" : " ", (int)list[i].number);
	}
	assert_int_equal(n, gone);
	return text;
}

static void
without_limits_all_stay(void **unused)
{
	(void)unused;
	assert_string_equal(stay(0), "1 2 3 4 5 6 7 8 9 10");
	assert_int_equal(retention_decide(NULL, 0, &keep, NOW, 0), 0);
}

static void
the_oldest_go_until_so_many_are_left(void **unused)
{
	(void)unused;
	keep.sessions = 3;
	assert_string_equal(stay(0), "8 9 10");
	keep.sessions = 10;
	assert_string_equal(stay(0), "1 2 3 4 5 6 7 8 9 10");
}

static void
the_oldest_go_until_they_take_no_more(void **unused)
{
	(void)unused;
	keep.bytes = 49;
	assert_string_equal(stay(0), "7 8 9 10");
	keep.bytes = 50;
	assert_string_equal(stay(0), "6 7 8 9 10");
}

static void
what_is_too_old_goes(void **unused)
{
	(void)unused;
	keep.age = 40;
	assert_string_equal(stay(0), "7 8 9 10");
	/* A clock that was set back makes nothing old. */
	for (int i = 0; i < COUNT; i++)
		list[i].at = NOW + 100000;
	assert_string_equal(stay(0), "1 2 3 4 5 6 7 8 9 10");
}

static void
the_oldest_go_until_enough_is_free(void **unused)
{
	(void)unused;
	keep.least_free = 100;
	assert_string_equal(stay(100), "1 2 3 4 5 6 7 8 9 10");
	assert_string_equal(stay(75), "4 5 6 7 8 9 10");
	assert_string_equal(stay(0), "9 10");
	keep.least_free = 0;
	assert_string_equal(stay(0), "1 2 3 4 5 6 7 8 9 10");
}

static void
the_two_newest_always_stay(void **unused)
{
	(void)unused;
	keep = (struct retention){1, 0, 0, INT64_MAX};
	assert_string_equal(stay(0), "9 10");
}

static void
what_is_needed_stays_and_counts(void **unused)
{
	(void)unused;
	keep.sessions = 4;
	list[0].pinned = list[4].pinned = true;
	assert_string_equal(stay(0), "1 5 9 10");
	/* More than the limit are needed: nothing else stays for it. */
	list[1].pinned = list[2].pinned = true;
	assert_string_equal(stay(0), "1 2 3 5 9 10");
}

static void
sums_do_not_wrap(void **unused)
{
	(void)unused;
	keep.bytes = 100;
	keep.least_free = 100;
	for (int i = 0; i < COUNT; i++)
		list[i].bytes = i % 2 == 0 ? INT64_MAX : -5;
	assert_string_equal(stay(INT64_MAX - 1), "9 10");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup(without_limits_all_stay, ten_sessions),
	    cmocka_unit_test_setup(the_oldest_go_until_so_many_are_left, ten_sessions),
	    cmocka_unit_test_setup(the_oldest_go_until_they_take_no_more, ten_sessions),
	    cmocka_unit_test_setup(what_is_too_old_goes, ten_sessions),
	    cmocka_unit_test_setup(the_oldest_go_until_enough_is_free, ten_sessions),
	    cmocka_unit_test_setup(the_two_newest_always_stay, ten_sessions),
	    cmocka_unit_test_setup(what_is_needed_stays_and_counts, ten_sessions),
	    cmocka_unit_test_setup(sums_do_not_wrap, ten_sessions),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
