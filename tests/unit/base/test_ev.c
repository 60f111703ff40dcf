#include "base/alloc.h"
#include "base/clock.h"
#include "base/ev.h"
#include "base/process/child.h"
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>

#include <cmocka.h>

#define DEADLINE (60 * NSEC_PER_SEC)

static struct ev *ev;

static int
setup(void **state UNUSED)
{
	ev = ev_new();
	return ev != NULL ? 0 : -1;
}

static int
teardown(void **state UNUSED)
{
	ev_free(ev);
	return 0;
}

/* ---- descriptors --------------------------------------------------------------------- */

struct pipe_end {
	struct ev_io io;
	int fds[2];
	int calls;
	uint32_t events;
	struct pipe_end *victim; /* stopped by the callback */
};

static void
pipe_called(struct ev_io *w, uint32_t events)
{
	struct pipe_end *p = w->ctx;

	p->calls++;
	p->events = events;
	if (p->victim != NULL)
		ev_io_stop(&p->victim->io);
}

static void
pipe_open(struct pipe_end *p, bool readable)
{
	memset(p, 0, sizeof(*p));
	assert_int_equal(pipe2(p->fds, O_CLOEXEC | O_NONBLOCK), 0);
	if (readable)
		assert_int_equal(write(p->fds[1], "x", 1), 1);
	ev_io_start(ev, &p->io, p->fds[0], EPOLLIN, pipe_called, p);
}

static void
pipe_close(struct pipe_end *p)
{
	ev_io_stop(&p->io);
	close(p->fds[0]);
	if (p->fds[1] >= 0)
		close(p->fds[1]);
}

static void
a_readable_descriptor_is_reported(void **state UNUSED)
{
	struct pipe_end p;

	pipe_open(&p, false);
	ev_once(ev, 0);
	assert_int_equal(p.calls, 0);
	assert_int_equal(write(p.fds[1], "x", 1), 1);
	ev_once(ev, DEADLINE);
	assert_int_equal(p.calls, 1);
	assert_int_equal(p.events, EPOLLIN);
	pipe_close(&p);
	assert_null(p.io.ev);
}

static void
a_hangup_is_reported_without_interest(void **state UNUSED)
{
	struct pipe_end p;

	pipe_open(&p, false);
	ev_io_set(&p.io, 0);
	close(p.fds[1]);
	p.fds[1] = -1;
	ev_once(ev, DEADLINE);
	assert_int_equal(p.events, EPOLLHUP);
	pipe_close(&p);
	ev_io_set(&p.io, EPOLLIN);
	ev_io_stop(&p.io);
}

/* Both events are fetched at once; whichever comes first stops the other. */
static void
events_of_a_stopped_watcher_are_dropped(void **state UNUSED)
{
	struct pipe_end a, b;

	pipe_open(&a, true);
	pipe_open(&b, true);
	a.victim = &b;
	b.victim = &a;
	ev_once(ev, DEADLINE);
	assert_int_equal(a.calls + b.calls, 1);
	pipe_close(&a);
	pipe_close(&b);
}

struct freeing {
	struct ev_io io;
	struct freeing **other;
	struct freeing **self;
	int *calls;
};

static void
frees_both(struct ev_io *w, uint32_t events UNUSED)
{
	struct freeing *f = w->ctx;
	struct freeing **self = f->self;
	struct freeing **other = f->other;

	++*f->calls;
	ev_io_stop(&(*other)->io);
	ev_io_stop(&(*self)->io);
	free(take_ptr(*other));
	free(take_ptr(*self));
}

static void
a_callback_may_free_any_watcher(void **state UNUSED)
{
	struct freeing *f[2];
	struct pipe_end p[2];
	int calls = 0;

	for (int i = 0; i < 2; i++) {
		pipe_open(&p[i], true);
		ev_io_stop(&p[i].io);
		f[i] = xcalloc(1, sizeof(*f[i]));
		f[i]->self = &f[i];
		f[i]->other = &f[1 - i];
		f[i]->calls = &calls;
		ev_io_start(ev, &f[i]->io, p[i].fds[0], EPOLLIN, frees_both, f[i]);
	}
	ev_once(ev, DEADLINE);
	assert_int_equal(calls, 1);
	assert_null(f[0]);
	pipe_close(&p[0]);
	pipe_close(&p[1]);
}

struct swap {
	struct ev_io io;
	struct swap *other;
	int quiet; /* a descriptor on which nothing ever comes */
	int calls;
};

static void
swap_other(struct ev_io *w, uint32_t events UNUSED)
{
	struct swap *s = w->ctx;

	s->calls++;
	ev_io_start(ev, &s->other->io, s->quiet, EPOLLIN, swap_other, s->other);
	ev_io_stop(w);
}

/* The other watcher gets its old slot back; the old event must not reach it. */
static void
a_restarted_watcher_does_not_get_old_events(void **state UNUSED)
{
	struct pipe_end p[3];
	struct swap s[2] = {{.calls = 0}, {.calls = 0}};

	for (int i = 0; i < 3; i++) {
		pipe_open(&p[i], i < 2);
		ev_io_stop(&p[i].io);
	}
	for (int i = 0; i < 2; i++) {
		s[i].other = &s[1 - i];
		s[i].quiet = p[2].fds[0];
		ev_io_start(ev, &s[i].io, p[i].fds[0], EPOLLIN, swap_other, &s[i]);
	}
	ev_once(ev, DEADLINE);
	assert_int_equal(s[0].calls + s[1].calls, 1);
	ev_once(ev, 0);
	assert_int_equal(s[0].calls + s[1].calls, 1);
	for (int i = 0; i < 2; i++)
		ev_io_stop(&s[i].io);
	for (int i = 0; i < 3; i++)
		pipe_close(&p[i]);
}

/* Standard input may be a file or /dev/null, which epoll does not take. */
static void
what_never_blocks_is_always_ready(void **state UNUSED)
{
	struct pipe_end null = {.fds = {open("/dev/null", O_RDWR | O_CLOEXEC), -1}};

	ev_io_start(ev, &null.io, null.fds[0], EPOLLIN, pipe_called, &null);
	ev_once(ev, -1);
	ev_once(ev, -1);
	assert_int_equal(null.calls, 2);
	assert_int_equal(null.events, EPOLLIN);
	ev_io_set(&null.io, 0);
	ev_once(ev, 0);
	assert_int_equal(null.calls, 2);
	pipe_close(&null);
}

static void
many_watchers_at_once(void **state UNUSED)
{
	enum { N = 200 };
	struct pipe_end *p = xcalloc(N, sizeof(*p));
	int calls = 0;

	for (int i = 0; i < N; i++)
		pipe_open(&p[i], true);
	for (int round = 0; round < N; round++)
		ev_once(ev, 0);
	for (int i = 0; i < N; i++) {
		assert_true(p[i].calls > 0);
		calls += p[i].calls;
		pipe_close(&p[i]);
	}
	assert_true(calls >= N);
	free(p);
}

/* ---- timers -------------------------------------------------------------------------- */

struct alarm {
	struct ev_timer t;
	int64_t again; /* the moment to which the callback sets the timer again */
	struct alarm *victim;
	bool stop;
};

static struct alarm *order[256];
static size_t fired;

static void
alarm_called(struct ev_timer *w)
{
	struct alarm *a = w->ctx;

	assert_null(w->ev);
	order[fired++ % ARRAY_LEN(order)] = a;
	if (a->again)
		ev_timer_at(ev, w, a->again, alarm_called, a);
	if (a->victim != NULL)
		ev_timer_stop(&a->victim->t);
	if (a->stop)
		ev_stop(ev);
}

static void
timers_fire_in_order(void **state UNUSED)
{
	struct alarm a[200];
	int64_t now = clock_boot();
	unsigned seed = 7;

	memset(a, 0, sizeof(a));
	fired = 0;
	for (size_t i = 0; i < ARRAY_LEN(a); i++) {
		seed = seed * 1103515245 + 12345;
		/* Few different moments: equal ones fire as they were set. */
		ev_timer_at(ev, &a[i].t, now - (int64_t)(seed >> 16) % 20, alarm_called, &a[i]);
	}
	for (size_t i = 0; i < ARRAY_LEN(a); i += 3)
		ev_timer_stop(&a[i].t);
	ev_once(ev, DEADLINE);
	assert_int_equal(fired, 133);
	for (size_t i = 1; i < fired; i++) {
		assert_true(order[i - 1]->t.at <= order[i]->t.at);
		if (order[i - 1]->t.at == order[i]->t.at)
			assert_true(order[i - 1] < order[i]);
	}
}

static void
a_timer_waits_for_its_moment(void **state UNUSED)
{
	struct alarm a = {.stop = true}, far = {.stop = true};
	int64_t start = clock_boot();

	fired = 0;
	ev_timer_in(ev, &far.t, INT64_MAX, alarm_called, &far);
	ev_timer_in(ev, &a.t, 20 * NSEC_PER_MSEC, alarm_called, &a);
	ev_once(ev, 0);
	assert_int_equal(fired, 0);
	ev_run(ev);
	assert_int_equal(fired, 1);
	assert_true(clock_boot() - start >= 20 * NSEC_PER_MSEC);
	assert_ptr_equal(order[0], &a);
	ev_timer_stop(&far.t);
	ev_timer_stop(&far.t);
}

/* The timer is put off again and again, as a time-out of a busy session is. */
static void
a_timer_can_be_put_off_and_brought_forward(void **state UNUSED)
{
	struct alarm a = {.stop = false};
	int64_t now = clock_boot();

	for (int i = 1; i <= 50; i++) {
		ev_timer_at(ev, &a.t, now + i * NSEC_PER_MSEC, alarm_called, &a);
		ev_once(ev, 0);
	}
	fired = 0;
	a.stop = true;
	now = clock_boot();
	ev_timer_at(ev, &a.t, now + 3600 * NSEC_PER_SEC, alarm_called, &a);
	ev_once(ev, 0);
	ev_timer_at(ev, &a.t, now + 60 * NSEC_PER_MSEC, alarm_called, &a);
	ev_run(ev);
	assert_int_equal(fired, 1);
	assert_true(clock_boot() >= now + 60 * NSEC_PER_MSEC);
}

static void
a_timer_set_to_the_past_fires_once_a_round(void **state UNUSED)
{
	struct alarm a = {.again = 1}, b = {.again = -5};

	fired = 0;
	ev_timer_at(ev, &a.t, 1, alarm_called, &a);
	ev_timer_at(ev, &b.t, 0, alarm_called, &b);
	for (size_t round = 1; round <= 3; round++) {
		ev_once(ev, DEADLINE);
		assert_int_equal(fired, 2 * round);
	}
	ev_timer_stop(&a.t);
	ev_timer_stop(&b.t);
	ev_once(ev, 0);
	assert_int_equal(fired, 6);
}

static void
a_due_timer_can_be_stopped_by_another(void **state UNUSED)
{
	struct alarm a = {.again = 0}, b = {.again = 0}, c = {.again = 0};

	fired = 0;
	a.victim = &b;
	ev_timer_at(ev, &a.t, 1, alarm_called, &a);
	ev_timer_at(ev, &b.t, 2, alarm_called, &b);
	ev_timer_at(ev, &c.t, 3, alarm_called, &c);
	ev_once(ev, DEADLINE);
	assert_int_equal(fired, 2);
	assert_ptr_equal(order[1], &c);
}

static void
stop_ends_after_the_current_callback(void **state UNUSED)
{
	struct alarm a = {.stop = true}, b = {.stop = true};

	fired = 0;
	ev_timer_at(ev, &a.t, 1, alarm_called, &a);
	ev_timer_at(ev, &b.t, 2, alarm_called, &b);
	ev_run(ev);
	assert_int_equal(fired, 1);
	ev_run(ev);
	assert_int_equal(fired, 2);
	assert_ptr_equal(order[1], &b);
	ev_stop(ev);
	ev_run(ev);
}

/* ---- children and signals ------------------------------------------------------------ */

struct program {
	struct ev_child watch;
	struct child child;
	struct exit_status status;
	int calls;
};

static void
program_ended(struct ev_child *w)
{
	struct program *p = w->ctx;

	p->calls++;
	assert_int_equal(child_reap(&p->child, false, &p->status), 1);
	close(p->child.pidfd);
	ev_stop(ev);
}

static void
the_end_of_a_child_is_reported_once(void **state UNUSED)
{
	char sh[] = "sh", c[] = "-c", script[] = "exit 7";
	char *argv[] = {sh, c, script, NULL};
	struct child_spec spec = {.argv = argv, .in = -1, .out = -1, .err = -1};
	struct program p = {.calls = 0};
	struct err err = ERR_INIT;

	assert_int_equal(child_start(&spec, &p.child, &err), 0);
	ev_child_start(ev, &p.watch, p.child.pidfd, program_ended, &p);
	ev_run(ev);
	ev_once(ev, 0);
	assert_int_equal(p.calls, 1);
	assert_int_equal(p.status.how, EXIT_CODE);
	assert_int_equal(p.status.value, 7);
	ev_child_stop(&p.watch);
}

static int signals_seen[3];
static size_t signal_count;

static void
signal_called(struct ev_signal *w UNUSED, int signo)
{
	signals_seen[signal_count++ % ARRAY_LEN(signals_seen)] = signo;
}

static void
signals_are_events(void **state UNUSED)
{
	static const int list[] = {SIGUSR1, SIGUSR2, 0};
	struct ev_signal w = {.fn = NULL};

	signal_count = 0;
	ev_signal_start(ev, &w, list, signal_called, NULL);
	raise(SIGUSR2);
	raise(SIGUSR1);
	raise(SIGUSR1);
	ev_once(ev, DEADLINE);
	ev_once(ev, DEADLINE);
	ev_once(ev, 0);
	assert_int_equal(signal_count, 2);
	assert_int_equal(signals_seen[0] + signals_seen[1], SIGUSR1 + SIGUSR2);
	ev_signal_stop(&w);
	ev_signal_stop(&w);
}

#define ev_test(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    ev_test(a_readable_descriptor_is_reported),
	    ev_test(a_hangup_is_reported_without_interest),
	    ev_test(events_of_a_stopped_watcher_are_dropped),
	    ev_test(a_callback_may_free_any_watcher),
	    ev_test(a_restarted_watcher_does_not_get_old_events),
	    ev_test(what_never_blocks_is_always_ready),
	    ev_test(many_watchers_at_once),
	    ev_test(timers_fire_in_order),
	    ev_test(a_timer_waits_for_its_moment),
	    ev_test(a_timer_can_be_put_off_and_brought_forward),
	    ev_test(a_timer_set_to_the_past_fires_once_a_round),
	    ev_test(a_due_timer_can_be_stopped_by_another),
	    ev_test(stop_ends_after_the_current_callback),
	    ev_test(the_end_of_a_child_is_reported_once),
	    ev_test(signals_are_events),
	};

	return cmocka_run_group_tests_name("ev", tests, NULL, NULL);
}
