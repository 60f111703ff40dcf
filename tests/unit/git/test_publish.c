#include "landing.h"

/* One more merge for main. */
static void
land(const char *id, const char *script)
{
	ticket.session = id;
	prepare(id);
	agent(script);
	merge(id);
}

static void
a_clean_checkout_is_moved_on(void **state UNUSED)
{
	sh("echo mine >repo/untracked; echo obj >repo/x.o; echo w >>repo/sub/two");
	land("t-1", "echo a >a; echo 2 >>file");
	assert_int_equal(result.waiting, 0);
	assert_null(result.text);
	assert_shell("a\n1\n2", "cat repo/a repo/file");
	/* What the user has there is as it was. */
	assert_shell(" M sub/two\n?? untracked", "git -C repo status --porcelain");
	assert_shell("obj", "cat repo/x.o");
	sh("git -C repo checkout -q sub/two");
	assert_tidy();
}

static void
dirty_files_in_the_way_make_merges_wait(void **state UNUSED)
{
	sh("echo dirty >repo/file");
	land("t-1", "echo 2 >>file");
	assert_int_equal(result.waiting, 1);
	assert_string_equal(result.text,
	    "1 merge waits in refs/ralph/land/main (t-1): Your local changes to the following "
	    "files would be overwritten by merge: file");
	land("t-2", "cat file >seen; echo b >>file; echo b >b");
	assert_int_equal(result.waiting, 2);
	assert_says("2 merges wait in refs/ralph/land/main (t-1, t-2): ");
	/* The second began where the first had landed. */
	assert_shell("1\n2", "git -C repo show refs/ralph/land/main:seen");
	assert_shell("dirty\n M file", "cat repo/file; git -C repo status --porcelain");
	assert_shell("first", "git -C repo log -1 --format=%%s");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 2);
	sh("git -C repo checkout -q file");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 0);
	assert_shell("1\n2\nb\nb", "cat repo/file repo/b");
	publish(LAND_NOTHING);
	assert_tidy();
}

/* Whose sessions main has merges of, the newest first. */
static void
assert_on_main(const char *sessions)
{
	assert_shell(sessions,
	    "git -C repo log --first-parent --format='%%(trailers:key=Ralph-Session,valueonly,"
	    "separator=%%x20)' first..main");
}

static void
what_shares_no_file_does_not_wait(void **state UNUSED)
{
	sh("git -C repo tag first; echo dirty >repo/file");
	land("t-1", "echo 2 >>file; echo w >waits");
	assert_true(result.waits);
	land("t-2", "echo b >b; git add b; git commit -qm 'said by the agent'; rm sub/two");
	assert_false(result.waits);
	assert_int_equal(result.waiting, 1);
	assert_says("1 merge waits in refs/ralph/land/main (t-1): ");
	assert_on_main("t-2");
	assert_shell("b\ndirty", "cat repo/b repo/file; ls repo/sub 2>/dev/null || :");
	/* In the place of a file, and below one: as good as the same. */
	land("t-3", "rm waits; mkdir waits; echo c >waits/c");
	assert_true(result.waits);
	land("t-4", "echo d >d");
	assert_false(result.waits);
	assert_on_main("t-4\nt-2");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 2);
	sh("git -C repo checkout -q file");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 0);
	assert_shell("b\nd\n1\n2\nc", "cd repo; cat b d file waits/c");
	/* Nothing of what the agents committed is lost. */
	assert_shell("2", "git -C repo log --format=%%B | grep -c 'said by the agent'");
	assert_tidy();
}

static void
what_needs_a_ticket_that_waits_waits(void **state UNUSED)
{
	static char one[] = "t-1", two[] = "t-2";
	static char *needs_one[] = {one, NULL}, *needs_two[] = {two, NULL};

	sh("git -C repo tag first; echo dirty >repo/file");
	land("t-1", "echo 2 >>file");
	ticket.needs = needs_one;
	land("t-2", "echo b >b");
	assert_true(result.waits);
	ticket.needs = needs_two;
	land("t-3", "echo c >c");
	assert_true(result.waits);
	assert_on_main("");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 3);
	sh("git -C repo checkout -q file");
	publish(LAND_MERGED);
	assert_on_main("t-3\nt-2\nt-1");
	assert_tidy();
}

/* What an earlier version left in line. */
static void
a_line_is_published_in_part(void **state UNUSED)
{
	sh("git -C repo tag first; echo dirty >repo/file; touch repo/.git/index.lock");
	land("t-1", "echo 2 >>file");
	land("t-2", "echo b >b");
	land("t-3", "echo c >c");
	assert_int_equal(result.waiting, 3);
	sh("rm repo/.git/index.lock");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 1);
	assert_on_main("t-3\nt-2");
	assert_string_equal(result.tickets[0], "t-1");
	assert_null(result.tickets[1]);
	publish(LAND_MERGED);
	assert_on_main("t-3\nt-2");
	sh("git -C repo checkout -q file");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 0);
	assert_tidy();
}

static void
nothing_of_the_users_is_overwritten(void **state UNUSED)
{
	sh("echo mine >repo/new; echo obj >repo/x.o; git -C repo config merge.autostash true");
	land("t-1", "echo theirs >new");
	assert_int_equal(result.waiting, 1);
	assert_shell("mine", "cat repo/new");
	sh("rm repo/new");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 0);
	/* Not even what is ignored. */
	land("t-2", "echo theirs >x.o; git add -f x.o; git commit -qm x");
	assert_int_equal(result.waiting, 1);
	assert_shell("obj", "cat repo/x.o");
	sh("rm repo/x.o");
	/* Staged changes stay staged. */
	sh("cd repo; echo s >file; git add file");
	land("t-3", "echo t >file; echo c >c");
	assert_int_equal(result.waiting, 2);
	assert_shell(
	    "M  file", "git -C repo status --porcelain -uno -- file; git -C repo stash list");
	sh("cd repo; git reset -q --hard; rm -f x.o");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 0);
	assert_shell("t\nc\ntheirs", "cat repo/file repo/c repo/x.o");
	assert_tidy();
}

static void
odd_merge_options_do_not_matter(void **state UNUSED)
{
	sh("cd repo; git config branch.main.mergeOptions '--squash --no-commit -s ours'\n"
	   "git config merge.ff false; git config merge.verifySignatures true");
	land("t-1", "echo a >a");
	assert_null(result.text);
	assert_int_equal(result.waiting, 0);
	assert_shell("a", "cat repo/a");
	assert_tidy();
}

/* A user in the middle of something else is not disturbed. */
static void
what_is_under_way_is_not_touched(void **state UNUSED)
{
	sh("cd repo; echo x >x; git add x; git commit -qm x; git branch other HEAD~1\n"
	   "git checkout -q other; echo y >x; git add x; git commit -qm y; git checkout -q "
	   "main");
	sh("cd repo; git rebase other >/dev/null 2>&1 || :");
	land("t-1", "echo a >a");
	assert_int_equal(result.waiting, 1);
	assert_says("a rebase of main is under way");
	assert_shell("x", "git -C repo log -1 --format=%%s main");
	sh("cd repo; git rebase --abort; git merge -q other >/dev/null 2>&1 || :");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 1);
	assert_true(is_there("repo/.git/MERGE_HEAD"));
	sh("cd repo; git merge --abort; git bisect start -q HEAD HEAD~1 >/dev/null; git "
	   "checkout "
	   "-q --detach");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 1);
	assert_says("a bisect of main is under way");
	sh("cd repo; git bisect reset >/dev/null 2>&1; touch .git/index.lock");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 1);
	assert_says("index.lock");
	sh("rm repo/.git/index.lock");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 0);
	assert_shell("a", "cat repo/a");
	sh("git -C repo branch -q -D other");
	assert_tidy();
}

static void
a_rebase_in_another_worktree_counts_as_well(void **state UNUSED)
{
	sh("cd repo; git checkout -q -b user; git worktree add -q ../two main; cd ../two\n"
	   "echo x >x; git add x; git commit -qm x; git branch other HEAD~1; git checkout -q "
	   "other; echo y >x; git add x; git commit -qm y; git checkout -q main; git rebase "
	   "other "
	   ">/dev/null 2>&1 || :");
	land("t-1", "echo a >a");
	assert_int_equal(result.waiting, 1);
	assert_says("a rebase of main is under way");
	sh("git -C two rebase --abort");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 0);
	assert_shell("a", "cat two/a; git -C two status --porcelain");
}

static void
a_worktree_that_has_the_branch_is_moved_on(void **state UNUSED)
{
	sh("cd repo; git checkout -q -b user; git worktree add -q ../two main; echo d >>file");
	land("t-1", "echo a >a; echo 2 >>file");
	assert_int_equal(result.waiting, 0);
	assert_shell("a", "cat two/a; git -C two status --porcelain");
	assert_shell(" M file", "git -C repo status --porcelain -uno");
	/* One whose directory is gone has nothing to be moved. */
	sh("rm -rf two");
	land("t-2", "echo b >b");
	assert_int_equal(result.waiting, 0);
	assert_shell("b", "git -C repo show main:b");
	/* Two of them cannot be moved at once. */
	sh("cd repo; git worktree prune; git checkout -q file; git checkout -q main; git "
	   "worktree "
	   "add -q -f ../three main");
	land("t-3", "echo c >c");
	assert_int_equal(result.waiting, 1);
	assert_says("checked out in");
	assert_shell(
	    "", "git -C repo status --porcelain -uno; git -C three status --porcelain");
}

static void
commits_of_the_user_are_taken_along(void **state UNUSED)
{
	sh("echo dirty >repo/file");
	land("t-1", "echo 2 >>file");
	assert_int_equal(result.waiting, 1);
	/* Beside what waits, not in conflict with it. */
	sh("cd repo; git checkout -q file; echo u >u; git add u; git commit -qm u; echo dirty "
	   ">file");
	land("t-2", "cat u >v; cat u >>file");
	assert_int_equal(result.waiting, 2);
	assert_shell("u\nu\n1\n2\nu",
	    "cd repo; L=refs/ralph/land/main; git show $L:u; git show $L:v; "
	    "git show $L:file");
	sh("git -C repo checkout -q file");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 0);
	assert_shell("u\n1\n2\nu", "cat repo/v repo/file");
	assert_tidy();
}

static void
what_conflicts_with_the_branch_waits_for_a_person(void **state UNUSED)
{
	sh("echo dirty >repo/file");
	land("t-1", "echo 2 >>file");
	sh("cd repo; echo other >file; git commit -qam other");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 1);
	assert_true(result.by_hand);
	assert_says("main has commits that conflict with that in file; merge it yourself: git "
		    "merge refs/ralph/land/main");
	assert_shell("other", "cat repo/file; git -C repo status --porcelain -uno");
	assert_shell("1\n2", "git -C repo show refs/ralph/land/main:file");
	/* Others start from the branch, and land there. */
	land("t-3", "cat file >third");
	assert_false(result.waits);
	assert_int_equal(result.waiting, 1);
	assert_shell("other\nother", "cat repo/third repo/file");
	merge("t-3");
	assert_false(result.waits);
	/* The user merges what waits, and all goes on. */
	sh("cd repo; git merge -q refs/ralph/land/main >/dev/null 2>&1 || :; echo both >file; "
	   "git "
	   "commit -qam both");
	publish(LAND_NOTHING);
	assert_int_equal(result.waiting, 0);
	land("t-2", "echo b >b");
	assert_int_equal(result.waiting, 0);
	assert_shell("both\nb", "cat repo/file repo/b");
	assert_tidy();
}

/* What the user took back does not come back. */
static void
merges_that_were_undone_stay_undone(void **state UNUSED)
{
	land("t-1", "echo a >a");
	sh("git -C repo reset -q --hard HEAD~1");
	land("t-2", "echo b >b");
	assert_int_equal(result.waiting, 0);
	assert_shell("b", "cd repo; ls a b 2>/dev/null || :");
	assert_tidy();
}

/* The user commits while we verify: the merge is made again on top of that. */
static void
a_branch_that_moves_meanwhile_is_merged_again(void **state UNUSED)
{
	plan.verify =
	    "test -e ../../../../moved || { touch ../../../../moved; cd ../../../..; git "
	    "commit -q --allow-empty -m meanwhile; }";
	land("t-1", "echo a >a");
	assert_int_equal(result.waiting, 0);
	assert_shell(
	    "Merge ralph/t-1\nmeanwhile", "git -C repo log --first-parent -2 --format=%%s");
	assert_shell("1", "git -C repo rev-list --count --merges main");
	assert_tidy();
}

static void
every_branch_has_its_own_queue(void **state UNUSED)
{
	sh("cd repo; git branch feature/x; echo dirty >file");
	land("t-1", "echo 2 >>file");
	assert_int_equal(result.waiting, 1);
	plan.branch = "feature/x";
	land("t-2", "echo b >b");
	assert_int_equal(result.waiting, 0);
	assert_shell("1\nb", "cd repo; git show feature/x:file; git show feature/x:b");
	assert_shell("refs/ralph/land/main", "git -C repo for-each-ref --format='%%(refname)' "
					     "refs/ralph");
}

static void
a_line_that_is_removed_is_put_back(void **state UNUSED)
{
	sh("echo dirty >repo/file");
	land("t-1", "echo 2 >>file");
	assert_int_equal(result.waiting, 1);
	sh("git -C repo update-ref -d refs/ralph/land/main");
	ticket.session = "t-2";
	prepare("t-2");
	assert_non_null(result.mended);
	sh("git -C repo update-ref -d refs/ralph/land/main");
	agent("echo b >b");
	merge("t-2");
	assert_non_null(result.mended);
	assert_false(result.waits);
	assert_int_equal(result.waiting, 1);
	assert_says("1 merge waits in refs/ralph/land/main (t-1)");
	/* Also one that nobody looks after. */
	sh("git -C repo update-ref refs/ralph/land/main main");
	publish(LAND_MERGED);
	assert_non_null(result.mended);
	assert_int_equal(result.waiting, 1);
	publish(LAND_MERGED);
	assert_null(result.mended);
	sh("git -C repo checkout -q file");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 0);
	publish(LAND_NOTHING);
	assert_shell("1\n2\nb", "cat repo/file repo/b");
	assert_shell("", "ls -d repo/.git/ralph-lines 2>/dev/null || :");
	assert_tidy();
}

static void
a_line_that_git_lost_is_told_until_a_person_agrees(void **state UNUSED)
{
	sh("echo dirty >repo/file");
	land("t-1", "echo 2 >>file");
	sh("cd repo; git checkout -q file; git update-ref -d refs/ralph/land/main; "
	   "git reflog expire --expire=now --all; git gc -q --prune=now");
	for (int i = 0; i < 2; i++) {
		land_result_release(&result);
		assert_int_equal(land_publish(&plan, &result, &err), 0);
		assert_int_equal(result.waiting, 1);
		assert_true(result.by_hand);
		assert_says("the work of t-1 that waited for main");
	}
	land("t-2", "echo b >b");
	assert_false(result.waits);
	assert_int_equal(result.waiting, 1);
	sh("rm -r repo/.git/ralph-lines");
	publish(LAND_NOTHING);
	assert_int_equal(result.waiting, 0);
	assert_tidy();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    landing_test(a_clean_checkout_is_moved_on),
	    landing_test(dirty_files_in_the_way_make_merges_wait),
	    landing_test(what_shares_no_file_does_not_wait),
	    landing_test(what_needs_a_ticket_that_waits_waits),
	    landing_test(a_line_is_published_in_part),
	    landing_test(nothing_of_the_users_is_overwritten),
	    landing_test(odd_merge_options_do_not_matter),
	    landing_test(what_is_under_way_is_not_touched),
	    landing_test(a_rebase_in_another_worktree_counts_as_well),
	    landing_test(a_worktree_that_has_the_branch_is_moved_on),
	    landing_test(commits_of_the_user_are_taken_along),
	    landing_test(a_line_that_is_removed_is_put_back),
	    landing_test(a_line_that_git_lost_is_told_until_a_person_agrees),
	    landing_test(what_conflicts_with_the_branch_waits_for_a_person),
	    landing_test(merges_that_were_undone_stay_undone),
	    landing_test(a_branch_that_moves_meanwhile_is_merged_again),
	    landing_test(every_branch_has_its_own_queue),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
