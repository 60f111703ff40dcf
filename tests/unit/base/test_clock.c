#include "base/clock.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* 2024-01-15T10:30:00.123456789Z */
#define MOMENT (INT64_C(1705314600) * NSEC_PER_SEC + 123456789)

static void
set_zone(const char *zone)
{
	setenv("TZ", zone, 1);
	tzset();
}

static void
assert_format(void (*fmt)(int64_t, struct buf *), int64_t wall, const char *want)
{
	AUTO_BUF out = BUF_INIT;

	fmt(wall, &out);
	assert_string_equal(out.data, want);
}

static void
test_formats(void **state)
{
	(void)state;
	set_zone("XYZ-2"); /* two hours east of Greenwich */
	assert_format(clock_fmt_iso_us, MOMENT, "2024-01-15T12:30:00.123456");
	assert_format(clock_fmt_iso, MOMENT, "2024-01-15T12:30:00");
	assert_format(clock_fmt_human, MOMENT, "2024-01-15 12:30:00");
	assert_format(clock_fmt_rfc3339, MOMENT, "2024-01-15T10:30:00.123Z");
	assert_format(clock_fmt_stamp, MOMENT, "20240115T103000Z");
	assert_format(clock_fmt_rfc3339, -1, "1969-12-31T23:59:59.999Z");
	assert_format(clock_fmt_rfc3339, INT64_MAX, "2262-04-11T23:47:16.854Z");
	assert_format(clock_fmt_rfc3339, INT64_MIN, "1677-09-21T00:12:43.145Z");
}

static void
test_parse_reads_what_is_written(void **state)
{
	int64_t wall = 0;

	(void)state;
	set_zone("XYZ-2");
	assert_int_equal(clock_parse("2024-01-15T12:30:00.123456", &wall), 0);
	assert_int_equal(wall, MOMENT - 789);
	assert_int_equal(clock_parse("2024-01-15T10:30:00.123Z", &wall), 0);
	assert_int_equal(wall, MOMENT - 456789);
	assert_int_equal(clock_parse("2024-01-15T10:30:00Z", &wall), 0);
	assert_int_equal(wall, MOMENT - 123456789);
	assert_int_equal(clock_parse("2024-02-29T00:00:00Z", &wall), 0);
}

static void
test_parse_refuses_the_rest(void **state)
{
	static const char *const bad[] = {"", "2024", "2024-01-15", "2024-01-15 10:30:00",
	    "2024-13-15T10:30:00Z", "2024-00-15T10:30:00Z", "2023-02-29T10:30:00Z",
	    "2024-01-32T10:30:00Z", "2024-01-15T24:30:00Z", "2024-01-15T10:60:00Z",
	    "2024-01-15T10:30:60Z", "2024-01-15T10:30:00.Z", "2024-01-15T10:30:00Zx",
	    "2024-01-15T10:30:00+01:00", "9999-01-15T10:30:00Z", "0000-01-15T10:30:00Z",
	    "-024-01-15T10:30:00Z", "2024-01-15T10:30:00.1\n", "\xff"};
	int64_t wall = 42;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_int_equal(clock_parse(bad[i], &wall), -1);
	assert_int_equal(wall, 42);
}

static void
assert_span_text(int64_t ns, const char *spaced, const char *compact)
{
	AUTO_BUF out = BUF_INIT;

	clock_fmt_span(ns, false, &out);
	assert_string_equal(out.data, spaced);
	buf_clear(&out);
	clock_fmt_span(ns, true, &out);
	assert_string_equal(out.data, compact);
}

static void
test_span_formats(void **state)
{
	(void)state;
	assert_span_text(0, "0s", "0s");
	assert_span_text(-5 * NSEC_PER_SEC, "0s", "0s");
	assert_span_text(42 * NSEC_PER_SEC + 999, "42s", "42s");
	assert_span_text(222 * NSEC_PER_SEC, "3m 42s", "3m42s");
	assert_span_text(4500 * NSEC_PER_SEC, "1h 15m", "1h15m");
	assert_span_text(100 * 3600 * NSEC_PER_SEC, "100h 0m", "100h0m");
}

static void
test_spans(void **state)
{
	static const struct {
		const char *text;
		int64_t ns;
	} good[] = {
	    {"0", 0},
	    {"90", 90 * NSEC_PER_SEC},
	    {"1.5", 1500 * NSEC_PER_MSEC},
	    {"90s", 90 * NSEC_PER_SEC},
	    {"30m", 1800 * NSEC_PER_SEC},
	    {"4h", 14400 * NSEC_PER_SEC},
	    {"1h30m", 5400 * NSEC_PER_SEC},
	    {"1.5h", 5400 * NSEC_PER_SEC},
	    {"2d", 172800 * NSEC_PER_SEC},
	    {"1d2h3m4s5ms", 93784 * NSEC_PER_SEC + 5 * NSEC_PER_MSEC},
	    {"500ms", 500 * NSEC_PER_MSEC},
	    {"0.000000001", 1},
	    {"0.00000000000000000000009", 0},
	};
	struct err err = ERR_INIT;
	int64_t ns;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++) {
		assert_int_equal(clock_parse_span(good[i].text, &ns, &err), 0);
		assert_int_equal(ns, good[i].ns);
	}
	assert_string_equal(err.text, "");
}

static void
test_bad_spans_are_named(void **state)
{
	static const char *const bad[] = {"", "-1", "-1h", "+1", " 1", "1 ", "s", "1x", "1h30",
	    "30m1h", "1m1m", "1.", ".5", "1..5", "1e3", "0x10", "1H", "nan", "1h-1m", "1,5",
	    "99999999999999999999", "9999999999d", "106751d24h", "9223372036.9"};
	struct err err;
	int64_t ns = 42;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		AUTO_BUF quoted = BUF_INIT;

		buf_addf(&quoted, "'%s' is ", bad[i]);
		err = (struct err)ERR_INIT;
		assert_int_equal(clock_parse_span(bad[i], &ns, &err), -1);
		assert_memory_equal(err.text, quoted.data, quoted.len);
	}
	assert_int_equal(ns, 42);
	assert_int_equal(clock_parse_span("\033[2J", &ns, &err), -1);
	assert_null(strchr(err.text, '\033'));
}

static void
test_clocks_run(void **state)
{
	struct when a = clock_now(), b = clock_now();

	(void)state;
	assert_true(b.boot >= a.boot);
	assert_true(a.boot > 0);
	assert_true(a.wall > MOMENT);
	assert_true(strlen(clock_boot_id()) == 36 || strlen(clock_boot_id()) == 0);
	assert_ptr_equal(clock_boot_id(), clock_boot_id());
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_formats),
	    cmocka_unit_test(test_parse_reads_what_is_written),
	    cmocka_unit_test(test_parse_refuses_the_rest),
	    cmocka_unit_test(test_span_formats),
	    cmocka_unit_test(test_spans),
	    cmocka_unit_test(test_bad_spans_are_named),
	    cmocka_unit_test(test_clocks_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
