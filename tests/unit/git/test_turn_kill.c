/* Killed at any point, a turn that is done again has one snapshot and one commit. */
#include "turn_fault.h"

/* Killed at its k-th point; false: it had fewer. */
static bool
killed_at(int k, bool whole)
{
	int status = status_of("KILL", k, whole);

	if (WIFEXITED(status))
		assert_int_equal(status, 0);
	return WIFSIGNALED(status);
}

static void
beginnings_are_begun_again(void **state UNUSED)
{
	bool killed = true;

	sh("cd repo; echo mine >>sub/two; echo u >u");
	for (int k = 1; killed; k++) {
		assert_true(k < POINTS_MAX);
		task_named(k);
		killed = killed_at(k, false);
		begin();
		sh("echo %d >>repo/file", k);
		commit();
		assert_paths("file");
		assert_int_equal(turn_forget(&turn, &err), 0);
		assert_shell("", "git -C repo for-each-ref refs/ralph");
	}
	assert_tidy();
}

static void
commits_are_made_once(void **state UNUSED)
{
	bool killed = true;

	sh("cd repo; seq 1 60 >both; git add both; git commit -qm both; sed -i 's/^3$/user/' "
	   "both; "
	   "echo staged >staged; git add staged; printf '#!/bin/sh\\nexit 0\\n' "
	   ">.git/hooks/pre-commit; chmod +x .git/hooks/pre-commit");
	for (int k = 1; killed; k++) {
		assert_true(k < POINTS_MAX);
		task_named(k);
		begin();
		sh("cd repo; echo %d >>both; echo %d >new-%d; rm -f new-%d", k, k, k, k - 1);
		killed = killed_at(k, true);
		commit();
		assert_shell("1",
		    "git -C repo log --format='%%(trailers:key=Task,valueonly)' | grep -cx T%d",
		    k);
		assert_shell(result.commit, "git -C repo rev-parse HEAD");
		assert_shell(" M both\nA  staged", "git -C repo status --porcelain");
		assert_shell("3", "git -C repo show HEAD:both | sed -n 3p");
		assert_int_equal(turn_forget(&turn, &err), 0);
	}
	assert_tidy();
}

/* A kill left the lock of the index behind: ours is taken away, nobody else's. */
static void
our_own_lock_is_taken_away(void **state UNUSED)
{
	begin();
	sh("cd repo; echo n >new; touch .git/ralph-turn-lock; ln .git/ralph-turn-lock "
	   ".git/index.lock");
	commit();
	assert_paths("new");
	assert_shell("", "git -C repo status --porcelain");
	assert_tidy();
	task_named(2);
	begin();
	sh("cd repo; echo m >>new; touch .git/ralph-turn-lock .git/index.lock");
	commit_ends(TURN_BUSY);
	assert_text("index.lock");
	sh("rm repo/.git/index.lock");
	commit();
	assert_tidy();
}

/* After the crash, the user goes on first. */
static void
commits_are_found_after_a_rebase(void **state UNUSED)
{
	begin();
	sh("echo n >repo/new");
	commit();
	sh("cd repo; git checkout -q -b other HEAD~; echo o >o; git add o; git commit -qm o; "
	   "git "
	   "rebase -q other main; echo later >>new");
	commit();
	assert_true(result.found);
	assert_shell(result.commit, "git -C repo rev-parse main");
	assert_shell(" M new", "git -C repo status --porcelain");
	/* Dropped by the user: then it was not made. */
	sh("cd repo; git reset -q --soft HEAD~; git reset -q");
	commit();
	assert_false(result.found);
	assert_paths("new");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    turn_test(beginnings_are_begun_again),
	    turn_test(commits_are_made_once),
	    turn_test(our_own_lock_is_taken_away),
	    turn_test(commits_are_found_after_a_rebase),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
