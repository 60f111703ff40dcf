#include "landing.h"

#include "base/clock.h"
#include <signal.h>

static void
the_merged_result_is_verified(void **state UNUSED)
{
	/* Neither has both, the merge has. */
	plan.verify = "test -e mine && test -e theirs && ! git symbolic-ref -q HEAD";
	prepare("t-1");
	agent("echo t >theirs");
	sh("cd repo; echo m >mine; git add mine; git commit -qm mine");
	merge("t-1");
	assert_shell("m\nt", "cat repo/mine repo/theirs");
	assert_tidy();
}

static void
a_failed_verification_keeps_everything(void **state UNUSED)
{
	plan.verify =
	    "echo junk >junk; rm file; echo first; echo '\033[31mlast\033[0m' >&2; exit 7";
	prepare("t-1");
	agent("echo a >a; git add a; git commit -qm a; echo b >b");
	step(land_merge, "t-1", LAND_UNVERIFIED);
	assert_string_equal(result.text, "verify ended with status 7:\nfirst\nlast");
	assert_string_equal(result.path, place);
	assert_string_equal(result.branch, "ralph/t-1");
	assert_shell(
	    "ralph/t-1", "cd %s; git status --porcelain; git branch --show-current", place);
	assert_shell("a\nb\n1", "cd %s; cat a b file", place);
	assert_shell("first", "git -C repo log -1 --format=%%s main; git -C repo for-each-ref "
			      "refs/ralph");
	plan.verify = "true";
	prepare("t-1");
	assert_true(result.resumed);
	merge("t-1");
	assert_tidy();
}

static void
ended_by_a_signal_is_failed(void **state UNUSED)
{
	plan.verify = "kill -9 $$";
	prepare("t-1");
	agent("echo a >a");
	step(land_merge, "t-1", LAND_UNVERIFIED);
	assert_string_equal(result.text, "verify was killed by signal 9");
}

/* Its own session, its own group, its parent gone: it ends with the rest. */
static void
at_the_deadline_everything_ends(void **state UNUSED)
{
	int64_t begun = clock_boot();
	AUTO_FREE char *pid = NULL;

	plan.verify =
	    "(setsid sh -c 'trap \"\" TERM; echo $$ >../pid.o; while :; do sleep 1; done' "
	    "&) ; while ! test -s ../pid.o; do sleep 0.01; done; echo started; sleep 600";
	plan.verify_timeout = NSEC_PER_SEC;
	prepare("t-1");
	agent("echo a >a");
	step(land_merge, "t-1", LAND_UNVERIFIED);
	assert_string_equal(result.text, "verify took longer than 1s:\nstarted");
	pid = shell("cat repo/.tf/ralph/worktrees/pid.o");
	assert_int_equal(kill((pid_t)strtol(pid, NULL, 10), 0), -1);
	assert_true(clock_boot() - begun < 60 * NSEC_PER_SEC);
}

static void
what_a_command_leaves_running_ends_too(void **state UNUSED)
{
	AUTO_FREE char *pid = NULL;

	plan.setup =
	    "setsid sh -c 'echo $$ >../pid.o; exec sleep 600' & while ! test -s ../pid.o; do "
	    "sleep 0.01; done";
	prepare("t-1");
	pid = shell("cat repo/.tf/ralph/worktrees/pid.o");
	assert_int_equal(kill((pid_t)strtol(pid, NULL, 10), 0), -1);
}

static void
only_the_end_of_long_output_is_told(void **state UNUSED)
{
	plan.verify = "yes 'a line that is repeated' | head -n 200000; echo the end; false";
	assert_int_equal(land_verify(&plan, &result, &err), 0);
	assert_int_equal(result.outcome, LAND_UNVERIFIED);
	assert_says("the end");
	assert_true(strlen(result.text) < 5000);
	assert_non_null(strstr(result.text, ":\na line that is repeated\n"));
}

/* Input is empty, our locks are ours, git's variables do not lead astray. */
static void
commands_get_what_they_need_and_no_more(void **state UNUSED)
{
	setenv("GIT_DIR", "/nowhere", 1);
	plan.verify =
	    "cat; ls /proc/self/fd | wc -l; git rev-parse --show-toplevel; pwd; exit 1";
	prepare("t-1");
	agent("unset GIT_DIR; echo a >a");
	step(land_merge, "t-1", LAND_UNVERIFIED);
	unsetenv("GIT_DIR");
	/* 0, 1, 2 and the directory itself. */
	assert_says("status 1:\n4\n");
	assert_non_null(strstr(strstr(result.text, place) + 1, place));
}

static void
without_a_worktree_the_project_is_verified(void **state UNUSED)
{
	plan.prefix = "sub";
	plan.verify = "test -e two";
	assert_int_equal(land_verify(&plan, &result, &err), 0);
	assert_int_equal(result.outcome, LAND_NOTHING);
	plan.verify = "test -e file";
	assert_int_equal(land_verify(&plan, &result, &err), 0);
	assert_int_equal(result.outcome, LAND_UNVERIFIED);
	assert_string_equal(result.text, "verify ended with status 1");
	plan.verify = NULL;
	land_result_release(&result);
	assert_int_equal(land_verify(&plan, &result, &err), 0);
	assert_int_equal(result.outcome, LAND_NOTHING);
}

static void
outcomes_have_names(void **state UNUSED)
{
	for (int i = 0; i < LAND_OUTCOMES; i++)
		assert_int_equal(
		    land_outcome_parse(land_outcome_name((enum land_outcome)i)), i);
	assert_int_equal(land_outcome_parse("else"), -1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    landing_test(the_merged_result_is_verified),
	    landing_test(a_failed_verification_keeps_everything),
	    landing_test(ended_by_a_signal_is_failed),
	    landing_test(at_the_deadline_everything_ends),
	    landing_test(what_a_command_leaves_running_ends_too),
	    landing_test(only_the_end_of_long_output_is_told),
	    landing_test(commands_get_what_they_need_and_no_more),
	    landing_test(without_a_worktree_the_project_is_verified),
	    landing_test(outcomes_have_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
