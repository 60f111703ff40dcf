/* The desktop as a loop sees it: a helper that is asked, and waited for in time. */
#include "../record/scratch.h"
#include "base/clock.h"
#include "desktop/helper.h"

struct world {
	struct scratch s;
	char *helper, *dir;
	struct buf path; /* what the picture's end said */
	struct err err;
};

/* A helper that runs the lines of shell. */
static void
world_open(struct world *w, const char *script)
{
	AUTO_FREE char *text = xasprintf("#!/bin/sh\n%s\n", script);

	*w = (struct world){.path = BUF_INIT, .err = ERR_INIT};
	scratch_open(&w->s);
	scratch_write(&w->s, "helper", text, strlen(text));
	assert_int_equal(fchmodat(w->s.dir, "helper", 0700, 0), 0);
	w->helper = xasprintf("%s/helper", w->s.path);
	w->dir = xasprintf("%s/ai/ralph/screenshots", w->s.path);
}

static void
world_close(struct world *w)
{
	free(w->helper);
	free(w->dir);
	buf_release(&w->path);
	scratch_close(&w->s);
}

static int
shoot(struct world *w, const char *name, int64_t timeout)
{
	const struct desktop_shot shot = {.dir = w->dir,
	    .name = name,
	    .project = w->s.path,
	    .timeout = timeout,
	    .helper = w->helper};

	return desktop_shot(&shot, &w->path, &w->err);
}

static void
a_picture_is_taken(void **unused UNUSED)
{
	struct world w;

	world_open(&w, "for last; do :; done\n"
		       "printf '%s ' \"$@\" >\"$(dirname \"$0\")/words\"\n"
		       "printf png >\"$last\"");
	assert_int_equal(shoot(&w, "T001_complete.png", 5 * NSEC_PER_SEC), 0);
	assert_non_null(strstr(w.path.data, "/ai/ralph/screenshots/T001_complete.png"));
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
	assert_int_equal(shoot(&w, "x.png", 5 * NSEC_PER_SEC), -1);
	assert_int_equal(w.path.len, 0);
	assert_non_null(strstr(w.err.text, "there is no display"));
	world_close(&w);
}

/* Also a helper that its own clock would not end. */
static void
a_helper_that_hangs_is_ended(void **unused UNUSED)
{
	struct world w;
	int64_t start = clock_boot();

	world_open(&w, "trap '' TERM; while :; do sleep 60; done");
	assert_int_equal(shoot(&w, "x.png", 50 * NSEC_PER_MSEC), -1);
	assert_int_equal(w.path.len, 0);
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
		assert_int_equal(shoot(&w, wrong[i], NSEC_PER_SEC), -1);
	assert_int_equal(w.path.len, 0);
	world_close(&w);
}

static bool
answers(const char *script, struct err *err)
{
	struct world w;
	bool yes;

	world_open(&w, script);
	yes = desktop_answers(w.helper, 200 * NSEC_PER_MSEC, err);
	world_close(&w);
	return yes;
}

static void
a_display_answers_when_the_helper_says_so(void **unused UNUSED)
{
	struct err err = ERR_INIT;

	assert_true(answers(
	    "echo '{\"ok\":true,\"window_manager\":null,\"input\":true,\"elements\":false}'",
	    &err));
	assert_string_equal(err.text, "");
}

static void
whatever_goes_wrong_none_answers(void **unused UNUSED)
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

		assert_false(answers(scripts[i], &err));
		assert_string_not_equal(err.text, "");
		if (i == 0)
			assert_string_equal(err.text, "there is no display");
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_picture_is_taken),
	    cmocka_unit_test(a_failure_is_told_in_its_words),
	    cmocka_unit_test(a_helper_that_hangs_is_ended),
	    cmocka_unit_test(a_picture_has_a_plain_name),
	    cmocka_unit_test(a_display_answers_when_the_helper_says_so),
	    cmocka_unit_test(whatever_goes_wrong_none_answers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
