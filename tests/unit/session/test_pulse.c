/* The supervisor's own clock: when it asks, when it wakes up, when it gives up. */
#include "session/pulse.h"

#include "base/clock.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>

#include <cmocka.h>

struct told {
	int asks, wakes, silences;
};

static void
on_beat(void *ctx, enum pulse_beat beat)
{
	struct told *told = ctx;

	told->asks += beat == PULSE_ASK;
	told->wakes += beat == PULSE_WAKE;
	told->silences += beat == PULSE_SILENT;
}

/* Looks so many times, however much time has passed in between. */
static void
look(struct pulse *p, int times)
{
	for (int i = 0; i < times; i++) {
		ev_timer_stop(&p->timer); /* as the event loop does */
		p->timer.fn(&p->timer);
	}
}

static void
it_asks_first_then_wakes_and_gives_up_last(void **state UNUSED)
{
	struct told told = {0};
	struct pulse p = {0};
	struct ev *ev = ev_new();

	pulse_start(&p, ev, 5 * NSEC_PER_SEC, 0, on_beat, &told);
	look(&p, 1);
	assert_int_equal(told.asks, 1);
	look(&p, 1);
	assert_int_equal(told.wakes, 0);
	look(&p, 1);
	assert_int_equal(told.wakes, 1);
	look(&p, 3);
	assert_int_equal(told.silences, 0);
	look(&p, 1);
	assert_int_equal(told.silences, 1);
	assert_int_equal(told.asks, 1);
	assert_int_equal(p.silence, PULSE_MARGIN);
	assert_null(p.timer.ev); /* the silence is told once */
	ev_free(ev);
}

static void
an_answer_begins_it_all_anew(void **state UNUSED)
{
	struct told told = {0};
	struct pulse p = {0};
	struct ev *ev = ev_new();

	pulse_start(&p, ev, 5 * NSEC_PER_SEC, 0, on_beat, &told);
	for (int i = 0; i < 3; i++) {
		look(&p, 6);
		pulse_heard(&p);
	}
	assert_int_equal(told.asks, 3);
	assert_int_equal(told.silences, 0);
	pulse_stop(&p);
	pulse_heard(&p);
	assert_null(p.timer.ev);
	ev_free(ev);
}

/* Nobody looks while the machine sleeps: the first look afterwards is one of many. */
static void
a_sleep_is_no_silence(void **state UNUSED)
{
	struct told told = {0};
	struct pulse p = {0};
	struct ev *ev = ev_new();

	pulse_start(&p, ev, 0, 3600 * NSEC_PER_SEC, on_beat, &told);
	look(&p, 1);
	p.due -= 10 * 3600 * NSEC_PER_SEC; /* the night is over */
	assert_true(pulse_is_late(&p));
	look(&p, 5);
	assert_int_equal(told.silences, 0);
	look(&p, 1);
	assert_int_equal(told.silences, 1);
	pulse_stop(&p);
	ev_free(ev);
}

static void
where_time_is_left_it_waits_longer(void **state UNUSED)
{
	struct told told = {0};
	struct pulse p = {0};
	struct ev *ev = ev_new();

	pulse_start(&p, ev, 0, 3600 * NSEC_PER_SEC, on_beat, &told);
	look(&p, 60);
	assert_int_equal(told.silences, 0);
	look(&p, 1);
	assert_int_equal(told.silences, 1);
	assert_false(pulse_is_late(&p));
	ev_free(ev);
}

static void
it_asks_seldom_but_soon_after_a_deadline(void **state UNUSED)
{
	struct told told = {0};
	struct pulse p = {0};
	struct ev *ev = ev_new();
	int64_t now = clock_boot();

	pulse_start(&p, ev, 0, 0, on_beat, &told);
	assert_true(p.timer.at >= now + PULSE_EVERY_MAX);
	pulse_start(&p, ev, 0, 3 * NSEC_PER_SEC, on_beat, &told);
	assert_true(p.timer.at < now + PULSE_EVERY_MAX);
	assert_true(p.timer.at >= now + 3 * NSEC_PER_SEC + PULSE_LOOK);
	pulse_start(&p, ev, NSEC_PER_SEC, 0, on_beat, &told);
	assert_true(p.timer.at >= now + PULSE_EVERY_MIN);
	pulse_stop(&p);
	ev_free(ev);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(it_asks_first_then_wakes_and_gives_up_last),
	    cmocka_unit_test(an_answer_begins_it_all_anew),
	    cmocka_unit_test(a_sleep_is_no_silence),
	    cmocka_unit_test(where_time_is_left_it_waits_longer),
	    cmocka_unit_test(it_asks_seldom_but_soon_after_a_deadline),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
