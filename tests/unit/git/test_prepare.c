#include "landing.h"

static void
worktrees_start_from_what_has_landed(void **state UNUSED)
{
	sh("echo dirty >repo/file");
	prepare("t-1");
	agent("echo 2 >>file");
	merge("t-1");
	assert_int_equal(result.waiting, 1);
	sh("cd repo; git checkout -q file; echo u >u; git add u; git commit -qm u; echo dirty "
	   ">file");
	prepare("t-2");
	assert_shell("1\n2\nu", "cd %s; cat file u", place);
	assert_shell(result.commit, "git -C %s rev-parse HEAD", place);
	assert_shell("dirty", "cat repo/file");
}

static void
worktrees_are_not_seen_by_the_users_git(void **state UNUSED)
{
	prepare("t-1");
	assert_shell("", "git -C repo status --porcelain");
	sh("cd repo; git add -A");
	assert_shell("", "git -C repo status --porcelain");
}

static void
work_of_an_earlier_attempt_is_gone_on_with(void **state UNUSED)
{
	prepare("t-1");
	agent("echo a >a; git add a; git commit -qm a; echo b >b; git add b; echo c >c");
	prepare("t-1");
	assert_true(result.resumed);
	assert_shell("A  b\n?? c", "git -C %s status --porcelain", place);
	/* Also where only the branch is left. */
	sh("git -C repo worktree remove --force %s", place);
	prepare("t-1");
	assert_true(result.resumed);
	assert_string_equal(result.branch, "ralph/t-1");
	assert_shell("a", "cat %s/a", place);
	/* And a commit that only the worktree knew, the directory of which is gone. */
	agent("git checkout -q --detach; echo d >d; git add d; git commit -qm d; cd ..; rm -rf "
	      "t-1");
	prepare("t-1");
	assert_true(result.resumed);
	assert_shell("a\nd\nralph/t-1", "cd %s; cat a d; git branch --show-current", place);
	merge("t-1");
	assert_tidy();
}

static void
an_empty_attempt_is_nothing_to_go_on_with(void **state UNUSED)
{
	prepare("t-1");
	sh("cd repo; echo u >u; git add u; git commit -qm u");
	prepare("t-1");
	assert_false(result.resumed);
	assert_shell("u", "cat %s/u", place);
	sh("rm -rf %s", place);
	prepare("t-1");
	assert_false(result.resumed);
	assert_shell("u", "cat %s/u", place);
	/* A branch that has nothing of its own, as a user may have left it. */
	step(land_merge, "t-1", LAND_NOTHING);
	sh("git -C repo branch ralph/t-1 HEAD~1");
	prepare("t-1");
	assert_false(result.resumed);
	assert_shell("u", "cat %s/u", place);
	step(land_merge, "t-1", LAND_NOTHING);
	assert_tidy();
}

static void
what_is_somebody_elses_stays(void **state UNUSED)
{
	sh("cd repo; mkdir -p .tf/ralph/worktrees/t-1; echo mine "
	   ">.tf/ralph/worktrees/t-1/mine");
	prepare("t-1");
	assert_string_equal(result.path, at("repo/.tf/ralph/worktrees/t-1-2"));
	assert_string_equal(result.branch, "ralph/t-1-2");
	assert_shell("mine", "cat repo/.tf/ralph/worktrees/t-1/mine");
	/* Which does not make it the worktree of the ticket t-1-2. */
	agent("echo z >z");
	assert_fails(land_merge, "t-1-2", "is gone, and nothing of it has landed");
	save("t-1-2");
	assert_null(result.ref);
	assert_shell("z", "cat %s/z", place);
	prepare("t-1-2");
	assert_string_equal(result.branch, "ralph/t-1-2-2");
	agent("echo b >b");
	prepare("t-1");
	assert_string_equal(result.branch, "ralph/t-1-2");
	agent("echo a >a");
	merge("t-1");
	assert_shell("a", "cat repo/a");
	merge("t-1-2");
	assert_shell("b", "cat repo/b");
	/* An empty directory is nobody's. */
	sh("mkdir repo/.tf/ralph/worktrees/t-3");
	prepare("t-3");
	assert_string_equal(result.branch, "ralph/t-3");
	step(land_merge, "t-3", LAND_NOTHING);
	sh("rm repo/.tf/ralph/worktrees/t-1/mine");
	assert_tidy();
}

static void
a_branch_in_use_elsewhere_stays(void **state UNUSED)
{
	sh("cd repo; git worktree add -q -b ralph/t-1 ../mine; cd ../mine; echo m >m; git add "
	   "m; "
	   "git commit -qm m");
	prepare("t-1");
	assert_string_equal(result.branch, "ralph/t-1-2");
	agent("echo a >a");
	merge("t-1");
	assert_shell("m", "git -C repo log -1 --format=%%s ralph/t-1");
	/* Nor can ralph/t-2 be made beside this one. */
	sh("git -C repo branch ralph/t-2/sub");
	prepare("t-2");
	assert_string_equal(result.branch, "ralph/t-2-2");
	step(land_merge, "t-2", LAND_NOTHING);
	sh("cd repo; git worktree remove ../mine; git branch -q -D ralph/t-1 ralph/t-2/sub");
	assert_tidy();
}

static void
half_made_worktrees_are_made_anew(void **state UNUSED)
{
	prepare("t-1");
	step(land_merge, "t-1", LAND_NOTHING);
	/* As a git that is killed in its checkout leaves it. */
	sh("cd repo; git worktree add -q -b ralph/t-1 .tf/ralph/worktrees/t-1; cd "
	   ".git/worktrees/t-1; echo initializing >locked; rm index "
	   "../../../.tf/ralph/worktrees/"
	   "t-1/file");
	prepare("t-1");
	assert_string_equal(result.branch, "ralph/t-1");
	assert_false(result.resumed);
	assert_shell("1", "cat %s/file; git -C %s status --porcelain", place, place);
	/* Locked by somebody, and its directory is gone. */
	sh("cd repo; git worktree lock %s; rm -rf %s", place, place);
	prepare("t-1");
	assert_string_equal(result.branch, "ralph/t-1");
	assert_shell("1", "cat %s/file", place);
	step(land_merge, "t-1", LAND_NOTHING);
	assert_tidy();
}

static void
files_are_copied_and_do_not_land(void **state UNUSED)
{
	static char env[] = ".env", dir[] = "cfg/dir/", none[] = "none", known[] = "file",
		    odd[] = "a*[b] c";
	static char *copy[] = {env, dir, none, known, odd, NULL};

	plan.copy = copy;
	plan.verify = "test -e .env && test -e 'a*[b] c' && echo x >junk";
	sh("cd repo; echo secret >.env; chmod 600 .env; mkdir -p cfg/dir/deep; echo d "
	   ">cfg/dir/d; ln "
	   "-s ../d cfg/dir/deep/l; echo o >'a*[b] c'; echo changed >file");
	prepare("t-1");
	assert_shell("secret\nd\no\n1\n600",
	    "cd %s; cat .env cfg/dir/deep/l 'a*[b] c' file; stat -c %%a .env", place);
	agent("echo more >>.env; echo n >new");
	/* What has only such changes has none. */
	merge("t-1");
	assert_shell(
	    ".gitignore\nfile\nnew\nsub/two", "git -C repo ls-tree -r --name-only main");
	assert_shell("secret", "cat repo/.env");
	prepare("t-2");
	agent("echo more >>.env");
	step(land_merge, "t-2", LAND_NOTHING);
	/* They survive a failed verification, and are not in a copy. */
	plan.verify = "exit 1";
	prepare("t-3");
	agent("echo e >e");
	step(land_merge, "t-3", LAND_UNVERIFIED);
	assert_shell("secret\no", "cd %s; cat .env 'a*[b] c'", place);
	save("t-3");
	assert_shell("e", "git -C repo diff-tree -r --name-only main %s", result.ref);
}

static void
copies_stay_within_the_worktree(void **state UNUSED)
{
	static char up[] = "../x", absolute[] = "/etc/passwd", git[] = ".git/config",
		    through[] = "link/x";
	static char *const bad[] = {up, absolute, git};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		char *copy[] = {bad[i], NULL};

		plan.copy = copy;
		assert_fails(land_prepare, "t-1", "it cannot be copied");
	}
	/* A link that is tracked, and in the user's tree a directory. */
	sh("mkdir out; cd repo; ln -s ../../../../../out link; git add link; git commit -qm "
	   "link; "
	   "rm link; mkdir link; echo x >link/x");
	plan.copy = (char *[]){through, NULL};
	assert_fails(land_prepare, "t-1", "cannot copy link/x");
	assert_shell("", "ls out");
	plan.copy = NULL;
	sh("cd repo; rm -r link; git checkout -q link");
	assert_tidy();
}

static void
a_setup_that_fails_leaves_nothing(void **state UNUSED)
{
	plan.setup = "echo $RALPH_TICKET $RALPH_WORKTREE; echo no such module >&2; exit 3";
	assert_fails(land_prepare, "t-1", "the setup command ended with status 3:\nt-1 ");
	assert_non_null(strstr(err.text, "worktrees/t-1\nno such module"));
	assert_tidy();
	/* A branch that was there stays. */
	plan.setup = NULL;
	prepare("t-1");
	agent("echo a >a; git add a; git commit -qm a; git worktree remove .");
	plan.setup = "false";
	assert_fails(land_prepare, "t-1", "status 1");
	assert_shell("a", "git -C repo show ralph/t-1:a");
	plan.setup = "echo up >setup.o";
	prepare("t-1");
	assert_true(result.resumed);
	assert_shell("up", "cat %s/setup.o", place);
	/* It is for new worktrees only. */
	plan.setup = "false";
	prepare("t-1");
	merge("t-1");
	assert_tidy();
}

/* Every path below may have such names. */
static void
strange_places_are_places(void **state UNUSED)
{
	sh("mv repo ' -re\npo%%s\"'");
	snprintf(plan_top, sizeof(plan_top), "%s/ -re\npo%%s\"", scratch.path);
	snprintf(plan_dir, sizeof(plan_dir), "%s/ -re\npo%%s\"/.tf/ralph/work trees\n",
	    scratch.path);
	plan.verify = "test -e a";
	prepare("t-1");
	agent("echo a >a");
	merge("t-1");
	assert_int_equal(result.waiting, 0);
	prepare("t-2");
	agent("echo b >b");
	save("t-2");
	assert_non_null(result.ref);
	sh("mv ' -re\npo%%s\"' repo");
	assert_shell("a", "cat repo/a");
	assert_tidy();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    landing_test(worktrees_start_from_what_has_landed),
	    landing_test(worktrees_are_not_seen_by_the_users_git),
	    landing_test(work_of_an_earlier_attempt_is_gone_on_with),
	    landing_test(an_empty_attempt_is_nothing_to_go_on_with),
	    landing_test(what_is_somebody_elses_stays),
	    landing_test(a_branch_in_use_elsewhere_stays),
	    landing_test(half_made_worktrees_are_made_anew),
	    landing_test(files_are_copied_and_do_not_land),
	    landing_test(copies_stay_within_the_worktree),
	    landing_test(a_setup_that_fails_leaves_nothing),
	    landing_test(strange_places_are_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
