/* The desktop as a loop sees it: a helper that is asked, waited for, and never waited on. */
#include "../record/scratch.h"
#include "base/clock.h"
#include "desktop/helper.h"

struct world {
	struct scratch s;
	struct ev *ev;
	char *helper, *dir;
	char *path; /* what the picture's end said */
	struct err err;
	int ended, ticks;
	struct ev_timer tick;
};

/* A helper that does what the lines of shell say. */
static void
world_open(struct world *w, const char *script)
{
	AUTO_FREE char *text = xasprintf("#!/bin/sh\n%s\n", script);

	*w = (struct world){.err = ERR_INIT};
	scratch_open(&w->s);
	scratch_write(&w->s, "helper", text, strlen(text));
	assert_int_equal(fchmodat(w->s.dir, "helper", 0700, 0), 0);
	w->helper = xasprintf("%s/helper", w->s.path);
	w->dir = xasprintf("%s/ai/ralph/screenshots", w->s.path);
	w->ev = ev_new();
}

static void
world_close(struct world *w)
{
	ev_timer_stop(&w->tick);
	ev_free(w->ev);
	free(w->helper);
	free(w->dir);
	free(w->path);
	scratch_close(&w->s);
}

static void
on_shot(void *ctx, const char *path, const struct err *err)
{
	struct world *w = ctx;

	w->ended++;
	w->path = path == NULL ? NULL : xstrdup(path);
	w->err = *err;
	ev_stop(w->ev);
}

static void
on_tick(struct ev_timer *t)
{
	struct world *w = t->ctx;

	w->ticks++;
	ev_timer_in(w->ev, t, NSEC_PER_MSEC, on_tick, w);
}

static struct desktop_shooting *
begin(struct world *w, const char *name, int64_t timeout)
{
	const struct desktop_shot shot = {.dir = w->dir,
	    .name = name,
	    .project = w->s.path,
	    .timeout = timeout,
	    .helper = w->helper};

	return desktop_shot(w->ev, &shot, on_shot, w, &w->err);
}

static void
a_picture_is_taken_beside_the_loop(void **unused UNUSED)
{
	struct world w;

	world_open(&w, "for last; do :; done\n"
		       "printf '%s ' \"$@\" >\"$(dirname \"$0\")/words\"\n"
		       "printf png >\"$last\"");
	assert_non_null(begin(&w, "T001_complete.png", 5 * NSEC_PER_SEC));
	assert_int_equal(w.ended, 0);
	ev_run(w.ev);
	assert_int_equal(w.ended, 1);
	assert_non_null(w.path);
	assert_non_null(strstr(w.path, "/ai/ralph/screenshots/T001_complete.png"));
	assert_true(scratch_has(&w.s, "ai/ralph/screenshots/T001_complete.png"));
	{
		AUTO_BUF words = BUF_INIT;

		scratch_read(&w.s, "words", &words);
		assert_memory_equal(words.data, "screenshot --timeout ", 21);
		assert_non_null(strstr(words.data, " --project "));
		assert_null(strstr(words.data, "--window"));
	}
	world_close(&w);
}

static void
a_failure_is_told_in_its_words(void **unused UNUSED)
{
	struct world w;

	world_open(&w, "echo 'ralph: error: there is no display' >&2; exit 69");
	assert_non_null(begin(&w, "x.png", 5 * NSEC_PER_SEC));
	ev_run(w.ev);
	assert_int_equal(w.ended, 1);
	assert_null(w.path);
	assert_non_null(strstr(w.err.text, "there is no display"));
	world_close(&w);
}

/* Also one that would not be ended by its own clock. */
static void
a_helper_that_hangs_is_ended_and_the_loop_goes_on(void **unused UNUSED)
{
	struct world w;
	int64_t start = clock_boot();

	world_open(&w, "trap '' TERM; while :; do sleep 60; done");
	assert_non_null(begin(&w, "x.png", 50 * NSEC_PER_MSEC));
	ev_timer_in(w.ev, &w.tick, NSEC_PER_MSEC, on_tick, &w);
	ev_run(w.ev);
	assert_int_equal(w.ended, 1);
	assert_null(w.path);
	assert_true(w.ticks > 10);
	assert_true(clock_boot() - start < 20 * NSEC_PER_SEC);
	world_close(&w);
}

static void
a_picture_has_a_plain_name(void **unused UNUSED)
{
	static const char *const wrong[] = {"", "../x.png", "a/b.png", "-x", "."};
	struct world w;

	world_open(&w, "exit 0");
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++)
		assert_null(begin(&w, wrong[i], NSEC_PER_SEC));
	assert_int_equal(w.ended, 0);
	world_close(&w);
}

static struct desktop_abilities
ask(const char *script, struct err *err)
{
	struct desktop_abilities there;
	struct world w;

	world_open(&w, script);
	desktop_ask(w.helper, 200 * NSEC_PER_MSEC, &there, err);
	world_close(&w);
	return there;
}

static void
what_is_there_is_what_the_helper_says(void **unused UNUSED)
{
	struct err err = ERR_INIT;
	struct desktop_abilities a = ask(
	    "echo '{\"ok\":true,\"window_manager\":null,\"input\":true,\"elements\":false}'",
	    &err);

	assert_true(a.display && a.input && !a.manager && !a.elements);
	assert_string_equal(err.text, "");
	a = ask("echo '{\"ok\":true,\"window_manager\":\"\",\"elements\":true}'", &err);
	assert_true(a.display && a.manager && a.elements && !a.input);
}

static void
whatever_goes_wrong_nothing_is_there(void **unused UNUSED)
{
	static const char *const scripts[] = {
	    "echo '{\"ok\":false,\"error\":\"there is no display\"}'; exit 69",
	    "echo '{\"ok\":true}'; exit 1",
	    "echo nonsense",
	    "kill -9 $$",
	    "exec sleep 60",
	};

	for (size_t i = 0; i < ARRAY_LEN(scripts); i++) {
		struct err err = ERR_INIT;
		struct desktop_abilities a = ask(scripts[i], &err);

		assert_false(a.display || a.manager || a.input || a.elements);
		assert_string_not_equal(err.text, "");
		if (i == 0)
			assert_string_equal(err.text, "there is no display");
	}
}

static void
it_is_a_capability_when_it_is_wanted_and_there(void **unused UNUSED)
{
	const struct desktop_abilities none = {0}, some = {.display = true};

	assert_true(desktop_capable(true, &some));
	assert_false(desktop_capable(false, &some));
	assert_false(desktop_capable(true, &none));
	assert_false(desktop_capable(false, &none));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_picture_is_taken_beside_the_loop),
	    cmocka_unit_test(a_failure_is_told_in_its_words),
	    cmocka_unit_test(a_helper_that_hangs_is_ended_and_the_loop_goes_on),
	    cmocka_unit_test(a_picture_has_a_plain_name),
	    cmocka_unit_test(what_is_there_is_what_the_helper_says),
	    cmocka_unit_test(whatever_goes_wrong_nothing_is_there),
	    cmocka_unit_test(it_is_a_capability_when_it_is_wanted_and_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
