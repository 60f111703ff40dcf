#include "landing.h"

static void
everything_but_the_ignored_is_saved(void **state UNUSED)
{
	prepare("t-1");
	agent("echo a >a; git add a; git commit -qm a; echo b >b; echo s >staged; git add "
	      "staged; "
	      "echo 2 >>file; rm sub/two; echo o >x.o");
	save("t-1");
	assert_string_equal(result.ref, "refs/ralph/failed/t-1/1");
	assert_shell(".gitignore\na\nb\nfile\nstaged", "git -C repo ls-tree -r --name-only %s",
	    result.ref);
	assert_shell("a", "git -C repo log -1 --format=%%s %s^", result.ref);
	assert_shell(
	    "Ralph: failed t-1, attempt 1", "git -C repo log -1 --format=%%s %s", result.ref);
	assert_false(is_there("repo/.tf/ralph/worktrees/t-1"));
	assert_shell("first", "git -C repo log -1 --format=%%s");
	assert_tidy();
	/* Asked again, it is still there. */
	save("t-1");
	assert_string_equal(result.ref, "refs/ralph/failed/t-1/1");
}

static void
commits_alone_are_saved_as_they_are(void **state UNUSED)
{
	AUTO_FREE char *tip = NULL;

	prepare("t-1");
	agent("echo a >a; git add a; git commit -qm a");
	tip = shell("git -C repo rev-parse ralph/t-1");
	save("t-1");
	assert_shell(tip, "git -C repo rev-parse %s", result.ref);
	assert_tidy();
}

static void
nothing_leaves_no_copy(void **state UNUSED)
{
	prepare("t-1");
	save("t-1");
	assert_null(result.ref);
	assert_shell("", "git -C repo for-each-ref refs/ralph");
	assert_tidy();
	save("t-never");
	assert_null(result.ref);
	assert_tidy();
}

static void
copies_are_never_overwritten(void **state UNUSED)
{
	for (int i = 0; i < 3; i++) {
		prepare("t-1");
		assert_false(result.resumed);
		sh("cd %s; echo %d >a", place, i);
		save("t-1");
	}
	assert_string_equal(result.ref, "refs/ralph/failed/t-1/1.3");
	assert_shell("0\n1\n2", "cd repo; for r in 1 1.2 1.3; do git show "
				"refs/ralph/failed/t-1/$r:a; done");
	ticket.attempt = 2;
	prepare("t-1");
	agent("echo z >z");
	save("t-1");
	assert_string_equal(result.ref, "refs/ralph/failed/t-1/2");
	assert_tidy();
}

static void
a_merge_under_way_is_saved_with_its_conflict(void **state UNUSED)
{
	prepare("t-1");
	agent("git checkout -q -b other; echo o >file; git commit -qam o; git checkout -q "
	      "ralph/t-1; echo m >file; git commit -qam m; git merge -q other || :; echo n >n");
	save("t-1");
	assert_shell("1", "git -C repo show %s:file | grep -c '<<<<<<<'", result.ref);
	assert_shell("n", "git -C repo show %s:n", result.ref);
	sh("git -C repo branch -D other");
	assert_tidy();
}

/* HEAD is on half of a rebase, the branch has all of it. */
static void
both_lines_of_work_are_saved(void **state UNUSED)
{
	prepare("t-1");
	agent("echo 1 >a; git add a; git commit -qm a1; echo 2 >file; git commit -qam f2\n"
	      "git checkout -q -b other HEAD~2; echo o >file; git commit -qam o\n"
	      "git checkout -q ralph/t-1; git rebase -q other || :");
	save("t-1");
	assert_shell("a1\na1\nf2\no",
	    "git -C repo log --format=%%s main..%s | grep -v Ralph | sort", result.ref);
	sh("git -C repo branch -D other");
	assert_tidy();
}

static void
detached_and_renamed_work_is_saved(void **state UNUSED)
{
	prepare("t-1");
	agent("git checkout -q --detach; echo d >d; git add d; git commit -qm d; echo e >e");
	save("t-1");
	assert_shell("d\ne", "cd repo; git show %s:d; git show %s:e", result.ref, result.ref);
	prepare("t-2");
	agent("git checkout -q --orphan blank; git rm -rfq .; echo o >o");
	save("t-2");
	assert_shell("o", "git -C repo ls-tree -r --name-only %s", result.ref);
	prepare("t-3");
	agent("git checkout -q --detach; echo g >g; git add g; git commit -qm g; cd ..; rm -rf "
	      "t-3");
	save("t-3");
	assert_shell("g", "git -C repo show %s:g", result.ref);
	prepare("t-4");
	agent("echo l >l; rm .git");
	save("t-4");
	assert_shell("l", "git -C repo show %s:l", result.ref);
	assert_tidy();
}

static void
nested_repositories_are_kept(void **state UNUSED)
{
	prepare("t-1");
	agent(
	    "echo a >a; git init -q nested; cd nested; echo n >n; git add n; git commit -qm n");
	save("t-1");
	assert_shell("a", "git -C repo show %s:a", result.ref);
	assert_string_equal(result.path, place);
	assert_says("nested");
	assert_shell("n", "cat %s/nested/n", place);
	/* One without a commit is nothing that git can even name. */
	prepare("t-2");
	agent("echo b >b; git init -q nested; echo n >nested/n");
	assert_fails(land_save, "t-2", "git add: ");
	assert_shell("b\nn", "cd %s; cat b nested/n", place);
}

/* The index is the agent's until the copy is safe. */
static void
a_failure_changes_nothing(void **state UNUSED)
{
	AUTO_FREE char *before = NULL;

	prepare("t-1");
	agent("echo a >a; git add a; echo b >>a; echo c >c");
	before = shell("cd %s; git status --porcelain; git ls-files -s", place);
	/* A file where the references of copies would be. */
	sh("mkdir -p repo/.git/refs/ralph; echo x >repo/.git/refs/ralph/failed");
	assert_fails(land_save, "t-1", "");
	assert_shell(before, "cd %s; git status --porcelain; git ls-files -s", place);
	sh("rm repo/.git/refs/ralph/failed");
	save("t-1");
	assert_shell("a\nb", "git -C repo show %s:a", result.ref);
	assert_tidy();
}

static void
submodules_with_work_are_kept(void **state UNUSED)
{
	sh("git init -q lib; cd lib; echo l >l; git add l; git commit -qm l; cd ../repo; git "
	   "-c "
	   "protocol.file.allow=always submodule --quiet add ../lib lib; git commit -qm lib");
	prepare("t-1");
	agent(
	    "git -c protocol.file.allow=always submodule --quiet update --init; cd lib; echo m "
	    ">m; git add m; git commit -qm m");
	assert_fails(land_merge, "t-1", "has work of its own");
	save("t-1");
	assert_string_equal(result.path, place);
	assert_shell("m", "cat %s/lib/m", place);
}

/* The worktree's own commits name them only by a number. */
static void
submodules_with_commits_of_their_own_are_kept(void **state UNUSED)
{
	sh("git init -q lib; cd lib; echo l >l; git add l; git commit -qm l; cd ../repo; git "
	   "-c protocol.file.allow=always submodule --quiet add ../lib lib; git commit -qm "
	   "lib");
	prepare("t-1");
	agent(
	    "git -c protocol.file.allow=always submodule --quiet update --init; cd lib; echo m "
	    ">m; git add m; git commit -qm m; cd ..; git commit -qam 'a new lib'");
	assert_fails(land_merge, "t-1", "has commits that are nowhere else");
	save("t-1");
	assert_string_equal(result.path, place);
	assert_shell("m", "git -C %s/lib show HEAD:m", place);
	/* Somewhere else they are safe. */
	agent("git -C lib push -q origin HEAD:refs/heads/m");
	merge("t-1");
	assert_shell("m", "git -C lib show \"$(git -C repo rev-parse HEAD:lib)\":m");
}

/* What no commit of the worktree names, and git's status does not show. */
static void
submodules_with_hidden_work_are_kept(void **state UNUSED)
{
	sh("git init -q lib; cd lib; echo l >l; git add l; git commit -qm l; cd ../repo; git "
	   "-c protocol.file.allow=always submodule --quiet add ../lib lib; git commit -qm "
	   "lib");
	prepare("t-1");
	agent("git -c protocol.file.allow=always submodule --quiet update --init; cd lib; git "
	      "checkout -q -b side; git commit -q --allow-empty -m side; git checkout -q "
	      "--detach HEAD~1");
	assert_fails(land_merge, "t-1", "has commits that are nowhere else");
	agent("cd lib; git branch -q -D side; echo more >>l; git stash -q");
	assert_fails(land_merge, "t-1", "has commits that are nowhere else");
	agent("cd lib; git stash pop -q; git update-index --skip-worktree l");
	assert_fails(land_merge, "t-1", "has work of its own");
	save("t-1");
	assert_shell("l\nmore", "cat %s/lib/l", place);
}

static void
repositories_that_were_added_by_number_are_kept(void **state UNUSED)
{
	prepare("t-1");
	agent("git init -q own; cd own; echo o >o; git add o; git commit -qm o; cd ..; git add "
	      "own "
	      "2>/dev/null; git commit -qm own");
	assert_fails(land_merge, "t-1", "has commits that are nowhere else");
	save("t-1");
	assert_shell("o", "git -C %s/own show HEAD:o", place);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    landing_test(everything_but_the_ignored_is_saved),
	    landing_test(commits_alone_are_saved_as_they_are),
	    landing_test(nothing_leaves_no_copy),
	    landing_test(copies_are_never_overwritten),
	    landing_test(a_merge_under_way_is_saved_with_its_conflict),
	    landing_test(both_lines_of_work_are_saved),
	    landing_test(detached_and_renamed_work_is_saved),
	    landing_test(nested_repositories_are_kept),
	    landing_test(a_failure_changes_nothing),
	    landing_test(submodules_with_work_are_kept),
	    landing_test(submodules_with_commits_of_their_own_are_kept),
	    landing_test(submodules_with_hidden_work_are_kept),
	    landing_test(repositories_that_were_added_by_number_are_kept),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
