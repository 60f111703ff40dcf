/* What was changed before the task, and is as it was, is not looked at again; whatever the task
 * has touched of it is. */
#include "turn.h"

#include <poll.h>

/* Begins when nothing was written so lately that it could be written again at the same time. */
static void
begin_later(void)
{
	(void)poll(NULL, 0, 150);
	begin();
}

static void
what_is_as_it_was_stays_out(void **state UNUSED)
{
	sh("cd repo; echo m >>sub/two; echo u >untracked; ln -s u link; echo 3 >three; git add "
	   "three; git commit -qm three; rm three");
	begin_later();
	sh("cd repo; echo 2 >>file; echo n >new; rm link; ln -s n link");
	commit();
	/* The link is neither the user's any more nor in git: both had it. */
	assert_paths("file\nnew");
	assert_left("link", "not in git");
	assert_shell(
	    " M sub/two\n D three\n?? link\n?? untracked", "git -C repo status --porcelain");
	assert_shell("m", "git -C repo show $(git -C repo for-each-ref "
			  "--format='%%(objectname)' refs/ralph/turn):sub/two | tail -n 1");
	assert_int_equal(turn_forget(&turn, &err), 0);
	begin_later();
	sh("cd repo; rm new; echo 3 >>file");
	commit();
	assert_paths("file\nnew");
	assert_int_equal(result.nleft, 0);
	assert_tidy();
}

/* Of the same size, and with the old time put back. */
static void
what_the_task_touched_is_taken_apart(void **state UNUSED)
{
	sh("cd repo; seq 10 50 >both; git add both; git commit -qm both; sed -i 's/^13$/us/' "
	   "both");
	begin_later();
	sh("cd repo; cp -p both keep; sed -i 's/^40$/do/' both; touch -r keep both; rm keep");
	commit();
	assert_paths("both");
	assert_shell("13\ndo", "git -C repo show HEAD:both | sed -n '4p;31p'");
	assert_shell(" M both", "git -C repo status --porcelain");
	assert_tidy();
}

/* Taken back to what is in git, and deleted: that leaves nothing to commit. */
static void
what_the_task_took_away_is_not_committed(void **state UNUSED)
{
	sh("cd repo; echo m >>sub/two; echo u >untracked");
	begin_later();
	sh("cd repo; git checkout -q sub/two; rm untracked");
	commit_ends(TURN_NOTHING);
	sh("cd repo; echo n >new");
	commit();
	assert_paths("new");
	assert_shell("", "git -C repo status --porcelain");
}

/* A commit of the user's that is taken back is nothing that the task did. */
static void
when_head_has_moved_all_is_compared(void **state UNUSED)
{
	sh("cd repo; echo f >f; git add f; git commit -qm f; echo u >untracked");
	begin_later();
	sh("cd repo; git reset -q HEAD~; echo n >new");
	commit();
	assert_paths("new");
	assert_shell("?? f\n?? untracked", "git -C repo status --porcelain");
}

static void
a_directory_where_the_user_has_deleted_a_file(void **state UNUSED)
{
	sh("rm repo/file");
	begin_later();
	sh("cd repo; mkdir file; echo x >file/x; echo n >new");
	commit();
	assert_paths("new");
	assert_left("file/x", "by that name");
	assert_shell("1", "git -C repo show HEAD:file");
}

/* What is staged is none of the task's, with whatever index. */
static void
what_is_staged_stays_out_too(void **state UNUSED)
{
	sh("cd repo; echo s >staged; git add staged; echo m >>sub/two; git add sub/two; echo m "
	   ">>sub/two");
	begin_later();
	sh("cd repo; echo 2 >>file");
	commit();
	assert_paths("file");
	assert_shell("A  staged\nMM sub/two", "git -C repo status --porcelain");
	assert_tidy();
}

/* A record of an earlier version says nothing of that. */
static void
of_an_earlier_version_all_is_compared(void **state UNUSED)
{
	sh("cd repo; echo m >>sub/two; echo u >untracked");
	begin_later();
	sh("jq 'del(.before)' T001.json >earlier; mv earlier T001.json; echo n >repo/new");
	commit();
	assert_paths("new");
	assert_shell(" M sub/two\n?? untracked", "git -C repo status --porcelain");
}

/* Too many to remember each. */
static void
a_heap_of_changes_is_compared(void **state UNUSED)
{
	sh("cd repo; mkdir heap; for i in $(seq 2100); do : >heap/$i; done");
	begin_later();
	assert_shell("false", "jq 'has(\"before\")' T001.json");
	sh("echo n >repo/new; echo h >repo/heap/7");
	commit();
	assert_paths("new");
	assert_left("heap/7", "not in git");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    turn_test(what_is_as_it_was_stays_out),
	    turn_test(what_the_task_touched_is_taken_apart),
	    turn_test(what_the_task_took_away_is_not_committed),
	    turn_test(when_head_has_moved_all_is_compared),
	    turn_test(a_directory_where_the_user_has_deleted_a_file),
	    turn_test(what_is_staged_stays_out_too),
	    turn_test(of_an_earlier_version_all_is_compared),
	    turn_test(a_heap_of_changes_is_compared),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
