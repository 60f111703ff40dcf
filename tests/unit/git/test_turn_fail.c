#include "turn_fault.h"

/* Whatever cannot be written or started: either all of it happened, or nothing. */
static void
failures_leave_nothing_behind(void **state UNUSED)
{
	int failures = 0;

	sh("cd repo; seq 1 60 >both; git add both; git commit -qm both; sed -i 's/^3$/user/' "
	   "both; "
	   "echo staged >staged; git add staged");
	for (int k = 1, good = 0; good < 20; k++) {
		AUTO_FREE char *before = NULL;
		int status;

		assert_true(k < POINTS_MAX);
		task_named(k);
		begin();
		sh("cd repo; echo %d >>both; echo %d >new-%d", k, k, k);
		before = shell("cd repo; git rev-parse HEAD; git ls-files -s; cat both");
		status = status_of("EIO", k, true);
		assert_true(WIFEXITED(status));
		if (WEXITSTATUS(status) == 1) {
			assert_shell(
			    before, "cd repo; git rev-parse HEAD; git ls-files -s; cat both");
			failures++;
		}
		commit();
		good = result.found ? good + 1 : 0;
		assert_shell(result.commit, "git -C repo rev-parse HEAD");
		assert_shell(" M both\nA  staged", "git -C repo status --porcelain");
		assert_int_equal(turn_forget(&turn, &err), 0);
	}
	assert_true(failures > 5);
	assert_tidy();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    turn_test(failures_leave_nothing_behind),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
