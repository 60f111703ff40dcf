/* Agents: how they start, what they are given, how they end. */
#include "world.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>

static void
exit_codes_and_signals_are_told_apart(void **state)
{
	struct world *w = *state;
	struct session_info info;

	world_start_sh(w, "exit 7");
	world_assert_exit(w, EXIT_CODE, 7);
	assert_int_equal(w->running, 1);
	assert_true(w->agent > 0);
	/* We hear of the end before it is written down. */
	WAIT_FOR(w, session_info(w->dirfd, "s1", &info, NULL) == 0 && info.ended);
	assert_true(info.has_keeper);
	assert_int_equal(info.agent, w->agent);
	assert_int_equal(info.exit.value, 7);
	assert_int_equal(session_info(w->dirfd, "s2", &info, NULL), -1);
}

static void
death_by_signal(void **state)
{
	struct world *w = *state;

	w->set.mode = MODE_PTY;
	w->free_in_ended = true;
	world_start_sh(w, "kill -9 $$");
	world_assert_exit(w, EXIT_SIGNAL, SIGKILL);
	assert_null(w->s);
}

static void
a_command_that_is_not_there(void **state)
{
	struct world *w = *state;

	w->argv[0] = strdup("no-such-agent");
	world_start(w);
	world_assert_exit(w, EXIT_NOSTART, ENOENT);
	assert_non_null(strstr(w->text, "no-such-agent"));
	assert_int_equal(w->running, 0);
	assert_true(world_has_exited(w));
	free(w->argv[0]);
}

static void
a_prompt_too_long_for_an_argument(void **state)
{
	struct world *w = *state;

	w->set.prompt_via = strdup("arg");
	for (int i = 0; i < 2000; i++)
		buf_addf(&w->prompt, "%0100d", i);
	world_start_sh(w, "exit 0");
	world_assert_exit(w, EXIT_NOSTART, E2BIG);
	assert_non_null(strstr(w->text, "stdin"));
	free(w->set.prompt_via);
}

static void
the_prompt_as_argument_and_flag(void **state)
{
	struct world *w = *state;

	w->set.prompt_via = strdup("flag:--say");
	world_start_sh(w, "printf '%s|' \"$0\" \"$@\"");
	world_assert_exit(w, EXIT_CODE, 0);
	assert_true(world_output_has(w, "--say|the prompt\n|"));
	free(w->set.prompt_via);
}

static void
the_environment_names_the_session(void **state)
{
	struct world *w = *state;
	char *env[] = {strdup("MINE=1"), strdup("RALPH_SESSION=other"), NULL};

	setenv("TMUX", "x", 1);
	setenv("RALPH_FAULT_LOG", "/nowhere", 1);
	w->set.env = env;
	w->set.cwd = w->path;
	umask(027);
	world_start_sh(w,
	    "echo $MINE,$RALPH_SESSION,$RALPH_LOOP,$RALPH_ITERATION,$TMUX$RALPH_FAULT_LOG,"
	    "$RALPH_WORKER,$(umask),$(pwd)");
	umask(022);
	world_assert_exit(w, EXIT_CODE, 0);
	assert_true(world_output_has(w, "1,s1,loop,7,,/"));
	assert_true(world_output_has(w, "/s1/worker,0027,/"));
	assert_true(world_output_has(w, w->path));
	unsetenv("TMUX");
	unsetenv("RALPH_FAULT_LOG");
	free(env[0]);
	free(env[1]);
}

static void
only_the_lock_is_inherited(void **state)
{
	struct world *w = *state;
	AUTO_BUF out = BUF_INIT;
	char agent[] = "agent", fds[] = "fds";

	w->argv[0] = world_self;
	w->argv[1] = agent;
	w->argv[2] = fds;
	world_start(w);
	world_assert_exit(w, EXIT_CODE, 0);
	world_read(w, "output.raw", &out);
	assert_string_equal(out.data, "0\n1\n2\n3 lock\n");
}

static void
what_the_agent_leaves_running_is_swept(void **state)
{
	struct world *w = *state;

	world_start_sh(
	    w, "setsid sleep 1000 & (setsid sh -c 'sleep 1001 & sleep 1002 &'); exit 3");
	world_assert_exit(w, EXIT_CODE, 3);
	assert_int_equal(world_left_behind(w), 0);
}

static void
who_ignores_term_is_killed(void **state)
{
	struct world *w = *state;

	w->set.grace = 100 * NSEC_PER_MSEC;
	world_start_sh(w, "trap '' TERM HUP; echo up; while :; do sleep 0.05; done");
	WAIT_FOR(w, world_output_has(w, "up"));
	session_end(w->s, false);
	world_assert_exit(w, EXIT_SIGNAL, SIGKILL);
	assert_int_equal(world_left_behind(w), 0);
}

static void
a_stopped_agent_can_be_ended(void **state)
{
	struct world *w = *state;

	w->set.mode = MODE_PTY;
	world_start_sh(w, "trap 'exit 4' TERM HUP; echo up; kill -STOP $$; sleep 1000");
	WAIT_FOR(w, world_output_has(w, "up"));
	session_end(w->s, false);
	world_assert_exit(w, EXIT_CODE, 4);
}

static void
politely_means_that_it_may_finish(void **state)
{
	struct world *w = *state;

	world_start_sh(w, "echo up; sleep 0.3; exit 5");
	WAIT_FOR(w, world_output_has(w, "up"));
	session_end(w->s, true);
	world_assert_exit(w, EXIT_CODE, 5);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    WORLD_TEST(exit_codes_and_signals_are_told_apart),
	    WORLD_TEST(death_by_signal),
	    WORLD_TEST(a_command_that_is_not_there),
	    WORLD_TEST(a_prompt_too_long_for_an_argument),
	    WORLD_TEST(the_prompt_as_argument_and_flag),
	    WORLD_TEST(the_environment_names_the_session),
	    WORLD_TEST(only_the_lock_is_inherited),
	    WORLD_TEST(what_the_agent_leaves_running_is_swept),
	    WORLD_TEST(who_ignores_term_is_killed),
	    WORLD_TEST(a_stopped_agent_can_be_ended),
	    WORLD_TEST(politely_means_that_it_may_finish),
	};

	if (world_is_another_part(argc, argv))
		return world_play(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
