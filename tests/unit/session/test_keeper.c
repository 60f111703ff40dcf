/* Keepers under load and under fire. */
#include "world.h"

#include "base/fs.h"
#include <errno.h>

/* ---- faults -------------------------------------------------------------------------- */

/* One session with the n-th write or start of the keeper going wrong. */
static void
faulty_session(struct world *w, const char *fault, int n)
{
	char plan[64];

	snprintf(plan, sizeof(plan), fault[0] == 'K' ? "%s@%d" : "%s@%d+", fault, n);
	setenv("RALPH_FAULT", plan, 1);
	setenv("RALPH_FAULT_ROLE", "keeper", 1);
	fs_fault_init();
	w->ended = w->running = 0;
	w->seq = 0;
	buf_clear(&w->signals);
	world_start_sh(w, "echo one; sleep 0.02; echo two; exit 9");
	world_wait_ended(w);
	fs_fault_init();
	session_free(w->s);
	w->s = NULL;
	assert_int_equal(world_left_behind(w), 0);
	(void)!fs_remove_tree(w->dirfd, "s1", NULL);
}

static void
a_full_disk_never_hides_the_end(void **state)
{
	struct world *w = *state;
	bool ran_unrecorded = false;

	w->may_grumble = true;
	for (int n = 1; n < 30; n++) {
		faulty_session(w, "ENOSPC", n);
		if (w->running) {
			assert_int_equal(w->status.how, EXIT_CODE);
			assert_int_equal(w->status.value, 9);
		} else {
			assert_int_equal(w->status.how, EXIT_NOSTART);
			assert_int_equal(w->status.value, ENOSPC);
		}
		ran_unrecorded |= strstr(w->signals.data, "unrecorded=") != NULL;
	}
#ifdef RALPH_FAULTS
	assert_true(ran_unrecorded);
#endif
}

static void
a_keeper_killed_anywhere_leaves_nothing(void **state)
{
	struct world *w = *state;

	w->may_grumble = true;
	for (int n = 1; n < 30; n++) {
		faulty_session(w, "KILL", n);
		if (w->status.how != EXIT_UNKNOWN) {
			assert_int_equal(w->status.how, EXIT_CODE);
			assert_int_equal(w->status.value, 9);
		}
	}
}

/* ---- floods -------------------------------------------------------------------------- */

static void
flood(struct world *w, int mode)
{
	char script[256];
	int64_t began = clock_boot();

	w->set.mode = mode;
	/* No newlines: a terminal would make two characters of each. */
	snprintf(script, sizeof(script), "head -c %d /dev/zero | tr '\\0' x", FLOOD);
	world_start_sh(w, script);
	world_assert_exit(w, EXIT_CODE, 0);
	assert_int_equal(world_recorded(w), FLOOD);
	print_message("%s: %lld MB/s\n", mode == MODE_PTY ? "pty" : "pipe",
	    (long long)(FLOOD / ((clock_boot() - began) / 1000)));
}

static void
a_flood_through_a_pipe(void **state)
{
	flood(*state, MODE_PIPE);
}

static void
a_flood_through_a_terminal(void **state)
{
	flood(*state, MODE_PTY);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    WORLD_TEST(a_full_disk_never_hides_the_end),
	    WORLD_TEST(a_keeper_killed_anywhere_leaves_nothing),
	    WORLD_TEST(a_flood_through_a_pipe),
	    WORLD_TEST(a_flood_through_a_terminal),
	};

	if (world_is_another_part(argc, argv))
		return world_play(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
