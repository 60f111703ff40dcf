/* Sessions without their supervisor, and without their keeper. */
#include "world.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>

static void
the_deadline_holds_without_a_supervisor(void **state)
{
	struct world *w = *state;

	w->set.iteration_timeout = 200 * NSEC_PER_MSEC;
	world_start_sh(w, "sleep 1000");
	WAIT_FOR(w, w->running);
	session_free(w->s);
	w->s = NULL;
	WAIT_FOR(w, world_has_exited(w));
	assert_int_equal(w->ended, 0);
	assert_int_equal(world_adopt(w, 0), PROBE_ENDED);
	world_assert_exit(w, EXIT_SIGNAL, SIGTERM);
	assert_non_null(strstr(w->signals.data, "timeout="));
}

static void
a_session_can_be_adopted(void **state)
{
	struct world *w = *state;
	pid_t agent;

	w->set.done_pattern = strdup("ALL DONE");
	world_start_sh(w, "echo ALL DONE; sleep 1000");
	WAIT_FOR(w, w->signals.len > 0);
	agent = w->agent;
	session_free(w->s);
	/* With the number of the last signal it is not told again. */
	assert_int_equal(world_adopt(w, 1), PROBE_RUNNING);
	WAIT_FOR(w, w->running == 2);
	assert_int_equal(w->agent, agent);
	session_free(w->s);
	w->seq = 0;
	assert_int_equal(world_adopt(w, 0), PROBE_RUNNING);
	session_end(w->s, false);
	world_assert_exit(w, EXIT_SIGNAL, SIGTERM);
	assert_string_equal(w->signals.data, "done=ALL DONE;done=ALL DONE;");
	free(w->set.done_pattern);
}

static void
what_never_was_is_absent(void **state)
{
	struct world *w = *state;

	assert_int_equal(world_adopt(w, 0), PROBE_ABSENT);
	assert_int_equal(mkdirat(w->dirfd, "s1", 0700), 0);
	assert_int_equal(world_adopt(w, 0), PROBE_ABSENT);
}

static pid_t
keeper_pid(struct world *w)
{
	AUTO_BUF text = BUF_INIT;
	const char *p;

	world_read(w, "keeper.json", &text);
	p = strstr(text.data, "\"pid\":");
	return p != NULL ? (pid_t)strtol(p + 6, NULL, 10) : -1;
}

static const char stubborn[] =
    "trap '' TERM HUP; setsid sleep 1000 & sleep 1001 & sleep 1002; sleep 1003";

static void
a_lost_keeper_is_told_and_its_tree_ended(void **state)
{
	struct world *w = *state;

	world_start_sh(w, stubborn);
	WAIT_FOR(w, w->running && keeper_pid(w) > 0 && world_left_behind(w) >= 3);
	assert_int_equal(kill(keeper_pid(w), SIGKILL), 0);
	world_assert_exit(w, EXIT_UNKNOWN, 0);
	assert_int_equal(world_left_behind(w), 0);
}

static void
a_lost_keeper_is_found_by_adoption(void **state)
{
	struct world *w = *state;
	pid_t keeper;

	world_start_sh(w, stubborn);
	WAIT_FOR(w, w->running && keeper_pid(w) > 0 && world_left_behind(w) >= 3);
	keeper = keeper_pid(w);
	session_free(w->s);
	assert_int_equal(kill(keeper, SIGKILL), 0);
	assert_int_equal(world_adopt(w, 0), PROBE_LOST);
	assert_int_equal(world_left_behind(w), 0);
	assert_int_equal(w->ended, 0);
}

static void
a_keeper_that_hangs_is_not_taken_for_gone(void **state)
{
	struct world *w = *state;
	struct session_callbacks cb = world_callbacks(w);
	enum session_probe probe = PROBE_LOST;
	struct err err = ERR_INIT;
	pid_t keeper;

	world_start_sh(w, "sleep 1000");
	WAIT_FOR(w, w->running && keeper_pid(w) > 0);
	keeper = keeper_pid(w);
	session_free(w->s);
	w->s = NULL;
	assert_int_equal(kill(keeper, SIGSTOP), 0);
	assert_null(session_adopt(w->ev, w->dirfd, "s1", 0, &cb, &probe, &err));
	assert_int_equal(kill(keeper, SIGCONT), 0);
	assert_int_equal(probe, PROBE_RUNNING);
	assert_non_null(strstr(err.text, "does not answer"));
	assert_int_equal(world_adopt(w, 0), PROBE_RUNNING);
	session_end(w->s, false);
	world_wait_ended(w);
}

static void
term_to_the_keeper_ends_the_agent(void **state)
{
	struct world *w = *state;

	world_start_sh(w, "sleep 1000");
	WAIT_FOR(w, w->running && keeper_pid(w) > 0);
	kill(keeper_pid(w), SIGTERM);
	world_assert_exit(w, EXIT_SIGNAL, SIGTERM);
}

static void
one_session_is_not_started_twice(void **state)
{
	struct world *w = *state;
	struct session_callbacks cb = world_callbacks(w);
	struct session_spec spec = {.id = "s1", .settings = &w->set, .prompt = &w->prompt};
	struct err err = ERR_INIT;

	world_start_sh(w, "sleep 1000");
	WAIT_FOR(w, w->running);
	assert_null(session_start(w->ev, w->dirfd, &spec, &cb, &err));
	assert_int_equal(err.code, EWOULDBLOCK);
	session_end(w->s, false);
	world_wait_ended(w);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    WORLD_TEST(the_deadline_holds_without_a_supervisor),
	    WORLD_TEST(a_session_can_be_adopted),
	    WORLD_TEST(what_never_was_is_absent),
	    WORLD_TEST(a_lost_keeper_is_told_and_its_tree_ended),
	    WORLD_TEST(a_lost_keeper_is_found_by_adoption),
	    WORLD_TEST(a_keeper_that_hangs_is_not_taken_for_gone),
	    WORLD_TEST(term_to_the_keeper_ends_the_agent),
	    WORLD_TEST(one_session_is_not_started_twice),
	};

	if (world_is_another_part(argc, argv))
		return world_play(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
