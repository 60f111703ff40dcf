/* An attempt that came to nothing is a part of the next one; what others did meanwhile is
 * not. */
#include "turn_fault.h"

static void
leave(void)
{
	if (turn_end(&turn, NULL, NULL, &err) < 0)
		fail_msg("%s", err.text);
}

static void
what_was_left_is_the_tasks(void **state UNUSED)
{
	sh("cd repo; seq 40 >both; git add both; git commit -qm both; echo u >before");
	begin();
	sh("cd repo; sed -i '3s/.*/task/' both; echo l >left; echo j >junk; rm sub/two");
	leave();
	sh("cd repo; sed -i '30s/.*/user/' both; echo m >mine; rm junk; echo o >other; git add "
	   "other; git commit -qm other");
	turn.run = "another";
	assert_int_equal(turn_begin(&turn, &err), 0);
	sh("cd repo; echo r >rest");
	commit();
	assert_paths("both\nleft\nrest\nsub/two");
	assert_int_equal(result.nleft, 0);
	assert_shell("task\n30", "git -C repo show HEAD:both | sed -n '3p;30p'");
	assert_shell(" M both\n?? before\n?? mine", "git -C repo status --porcelain");
	assert_int_equal(turn_forget(&turn, &err), 0);
	assert_shell("", "git -C repo for-each-ref refs/ralph");
	assert_tidy();
}

static void
it_may_be_left_again_and_again(void **state UNUSED)
{
	for (int i = 0; i < 3; i++) {
		assert_int_equal(turn_begin(&turn, &err), 0);
		sh("cd repo; echo %d >task-%d", i, i);
		leave();
		leave();
		sh("cd repo; echo %d >user-%d", i, i);
	}
	begin();
	commit();
	assert_paths("task-0\ntask-1\ntask-2");
	assert_shell("?? user-0\n?? user-1\n?? user-2", "git -C repo status --porcelain");
	assert_tidy();
}

static void
what_an_attempt_has_hidden_is_the_next_ones(void **state UNUSED)
{
	sh("cd repo; echo h >hidden; echo u >users; git add .; git commit -qm both");
	sh("cd repo; echo mine >users; git update-index --skip-worktree users");
	begin();
	sh("cd repo; echo t >hidden; git update-index --assume-unchanged hidden");
	leave();
	assert_shell("S users", "git -C repo ls-files -v | grep -v ^H");
	begin();
	sh("cd repo; git update-index --skip-worktree hidden sub/two");
	commit();
	assert_paths("hidden");
	assert_int_equal(result.nleft, 0);
	assert_shell("S users", "git -C repo ls-files -v | grep -v ^H");
	assert_shell("", "git -C repo status --porcelain");
	assert_tidy();
}

/* Nobody knows which were hidden then. */
static void
of_an_earlier_version_what_is_hidden_is_the_users(void **state UNUSED)
{
	sh("cd repo; echo h >hidden; git add .; git commit -qm hidden");
	sh("cd repo; echo mine >hidden; git update-index --skip-worktree hidden");
	begin();
	sh("jq 'del(.hidden) | .apart = []' T001.json >earlier; mv earlier T001.json");
	sh("cd repo; echo t >task");
	commit();
	assert_paths("task");
	assert_shell("S hidden", "git -C repo ls-files -v | grep -v ^H");
	assert_tidy();
}

/* Committed by the user: then there is nothing of it left. */
static void
what_somebody_took_over_is_not_taken_twice(void **state UNUSED)
{
	begin();
	sh("cd repo; echo l >left");
	leave();
	sh("cd repo; git add left; git commit -qm mine");
	begin();
	commit_ends(TURN_NOTHING);
	assert_tidy();
}

static void
what_cannot_be_taken_apart_is_the_users(void **state UNUSED)
{
	begin();
	sh("cd repo; echo task >file; echo l >left");
	leave();
	sh("cd repo; echo user >file");
	begin();
	sh("cd repo; echo r >rest");
	commit();
	assert_paths("left\nrest");
	assert_shell(" M file", "git -C repo status --porcelain");
	assert_tidy();
}

static void
another_task_of_that_name_and_another_run_begin_anew(void **state UNUSED)
{
	turn.about = "One thing";
	turn.run = "first";
	begin();
	sh("cd repo; echo l >left");
	assert_int_equal(turn_begin(&turn, &err), 0);
	/* Interrupted: nobody knows who did what since then. */
	turn.run = "second";
	assert_int_equal(turn_begin(&turn, &err), 1);
	sh("cd repo; echo m >more");
	leave();
	turn.about = "Another thing";
	assert_int_equal(turn_begin(&turn, &err), 1);
	sh("cd repo; echo n >new");
	commit();
	assert_paths("new");
	assert_shell("?? left\n?? more", "git -C repo status --porcelain");
	assert_tidy();
}

static void
without_a_beginning_or_a_repository_there_is_nothing_to_leave(void **state UNUSED)
{
	leave();
	assert_shell("", "git -C repo for-each-ref refs/ralph; ls T001.json 2>/dev/null || :");
	sh("mkdir plain");
	snprintf(turn_root, sizeof(turn_root), "%s/plain", scratch.path);
	begin();
	leave();
	begin();
	commit_ends(TURN_NO_REPOSITORY);
}

/* What it began with is gone: it goes on with what there is, and says so. */
static void
a_start_that_is_gone_is_made_anew(void **state UNUSED)
{
	begin();
	sh("cd repo; echo l >left");
	leave();
	sh("cd repo; git for-each-ref --format='delete %%(refname)' refs/ralph | git "
	   "update-ref --stdin; git prune --expire=now");
	assert_int_equal(turn_begin(&turn, &err), 1);
	sh("cd repo; echo n >new");
	commit();
	assert_paths("new");
	assert_tidy();
}

static bool
leave_killed_at(int k)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		char fault[32];

		snprintf(fault, sizeof(fault), "KILL@%d", k);
		setenv("RALPH_FAULT", fault, 1);
		fs_fault_init();
		_exit(turn_end(&turn, NULL, NULL, &err) < 0 ? 1 : 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (WIFEXITED(status))
		assert_int_equal(status, 0);
	return WIFSIGNALED(status);
}

static void
killed_at_any_point_it_is_done_again(void **state UNUSED)
{
	bool leaving = true, beginning = true;

	sh("cd repo; echo mine >>sub/two");
	for (int k = 1; leaving || beginning; k++) {
		assert_true(k < POINTS_MAX);
		task_named(k);
		begin();
		sh("echo %d >>repo/file", k);
		leaving = leave_killed_at(k);
		leave();
		sh("echo %d >repo/user", k);
		beginning = WIFSIGNALED(status_of("KILL", k, false));
		assert_int_equal(turn_begin(&turn, &err), 0);
		commit();
		assert_paths("file");
		assert_int_equal(turn_forget(&turn, &err), 0);
	}
	assert_shell(" M sub/two\n?? user", "git -C repo status --porcelain");
	assert_tidy();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    turn_test(what_was_left_is_the_tasks),
	    turn_test(it_may_be_left_again_and_again),
	    turn_test(what_an_attempt_has_hidden_is_the_next_ones),
	    turn_test(of_an_earlier_version_what_is_hidden_is_the_users),
	    turn_test(what_somebody_took_over_is_not_taken_twice),
	    turn_test(what_cannot_be_taken_apart_is_the_users),
	    turn_test(another_task_of_that_name_and_another_run_begin_anew),
	    turn_test(without_a_beginning_or_a_repository_there_is_nothing_to_leave),
	    turn_test(a_start_that_is_gone_is_made_anew),
	    turn_test(killed_at_any_point_it_is_done_again),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
