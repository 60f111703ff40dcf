/* A repository's own files tell of its worktrees and references what git tells, or nothing at
 * all. */
#include "land/repo.h"
#include "repo.h"

static struct run_result ours, gits;

static int
trees_setup(void **state)
{
	run_result_init(&ours);
	run_result_init(&gits);
	return repo_setup(state);
}

static int
trees_teardown(void **state)
{
	run_result_release(&ours);
	run_result_release(&gits);
	return repo_teardown(state);
}

static bool
glance(void)
{
	return trees_glance(at("repo"), at("repo/.git"), &ours);
}

static void
assert_same_text(const char *a, const char *b)
{
	if (a || b)
		assert_string_equal(a ? a : "(null)", b ? b : "(null)");
}

/* The same worktrees, each as git has it; git lists them in another order. */
static void
assert_as_git(int expected)
{
	const char *at_git;
	struct tree mine, theirs;
	int n = 0;

	assert_true(glance());
	assert_int_equal(trees_read(at("repo"), &gits, &err), 0);
	at_git = gits.out.data;
	while (trees_next(&at_git, &gits, &theirs)) {
		const char *at_ours = ours.out.data;
		bool found = n == 0 ? trees_next(&at_ours, &ours, &mine)
				    : trees_find(&ours, theirs.path, &mine);

		assert_true(found);
		assert_string_equal(mine.path, theirs.path);
		assert_same_text(mine.branch, theirs.branch);
		if (!theirs.branch)
			assert_same_text(mine.head, theirs.head);
		assert_same_text(mine.locked, theirs.locked);
		assert_int_equal(mine.missing, theirs.missing);
		n++;
	}
	assert_int_equal(n, expected);
}

static void
all_kinds_of_worktrees(void **state UNUSED)
{
	assert_as_git(1);
	sh("cd repo; git worktree add -q ../one; git worktree add -q --detach ../two\n"
	   "git worktree add -q -b deep/er ../three\n"
	   "git worktree add -q ../locked; git worktree lock ../locked\n"
	   "git worktree add -q ../why; git worktree lock --reason 'on a stick' ../why\n"
	   "git worktree add -q ../gone; rm -r ../gone\n"
	   "git worktree add -q ../away; git worktree lock ../away; rm -r ../away\n"
	   "mkdir x; git worktree add -q x/one -b again");
	assert_as_git(9);
	sh("cd repo; git checkout -q --detach; git pack-refs --all");
	assert_as_git(9);
}

static void
what_is_unusual_is_left_to_git(void **state UNUSED)
{
	sh("cd repo; git worktree add -q ../one; cp -r .git ../git; cp -r .git ../whole");
	assert_true(glance());
	sh("echo ../../../one/.git >repo/.git/worktrees/one/gitdir");
	assert_false(glance());
	sh("rm -r repo/.git; cp -r git repo/.git; rm repo/.git/worktrees/one/HEAD");
	assert_false(glance());
	sh("rm -r repo/.git; cp -r git repo/.git; : >repo/.git/worktrees/one/config.worktree");
	assert_false(glance());
	sh("rm -r repo/.git; cp -r git repo/.git; : >repo/.git/config.worktree");
	assert_false(glance());
	sh("rm -r repo/.git; cp -r git repo/.git; echo 'ref: refs/heads/.invalid' "
	   ">repo/.git/HEAD");
	assert_false(glance());
	sh("rm -r repo/.git; cp -r git repo/.git; echo 'ref: elsewhere' >repo/.git/HEAD");
	assert_false(glance());
	sh("rm -r repo/.git; cp -r git repo/.git; cd repo/.git; rm HEAD; ln -s refs/heads/main "
	   "HEAD");
	assert_false(glance());
	sh("rm -r repo/.git; cp -r git repo/.git; cd repo; git symbolic-ref refs/heads/old "
	   "refs/heads/main; git symbolic-ref HEAD refs/heads/old");
	assert_false(glance());
	sh("rm -r repo/.git; cp -r git repo/.git; echo 'ref: refs/heads/main ' "
	   ">repo/.git/HEAD");
	assert_false(glance());
	/* Asked from a worktree, or about a repository that is somewhere else. */
	assert_false(trees_glance(at("one"), at("repo/.git"), &ours));
	assert_false(trees_glance(at("repo"), at("whole"), &ours));
}

static void
assert_ref(const char *ref, const char *commit)
{
	AUTO_FREE char *found = NULL;

	assert_true(ref_read(at("repo/.git"), ref, &found));
	assert_same_text(found, commit);
}

static void
assert_ref_is_gits(const char *ref)
{
	AUTO_FREE char *found = NULL;

	assert_false(ref_read(at("repo/.git"), ref, &found));
}

static void
references_in_files_and_packed_ones(void **state UNUSED)
{
	AUTO_FREE char *first = shell("git -C repo rev-parse HEAD");
	AUTO_FREE char *second = NULL;

	assert_ref("refs/heads/main", first);
	assert_ref("refs/heads/none", NULL);
	assert_ref("refs/ralph/land/main", NULL);
	sh("cd repo; git branch a; git branch ab; git branch deep/er; git tag -a -m t v1; git "
	   "pack-refs --all; test ! -e .git/refs/heads/a");
	assert_ref("refs/heads/main", first);
	assert_ref("refs/heads/a", first);
	assert_ref("refs/heads/b", NULL);
	/* The file counts. */
	sh("cd repo; echo 2 >file; git commit -qam second");
	second = shell("git -C repo rev-parse HEAD");
	assert_ref("refs/heads/main", second);
	assert_ref("refs/heads/ab", first);
	/* Names that are directories of others. */
	assert_ref_is_gits("refs/heads/deep");
	sh("cd repo; git branch dir/one");
	assert_ref_is_gits("refs/heads/dir");
	sh("cd repo; git symbolic-ref refs/heads/alias refs/heads/main; : "
	   ">.git/refs/heads/cut");
	assert_ref_is_gits("refs/heads/alias");
	assert_ref_is_gits("refs/heads/cut");
	sh("mkdir repo/.git/reftable");
	assert_ref_is_gits("refs/heads/main");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		all_kinds_of_worktrees, trees_setup, trees_teardown),
	    cmocka_unit_test_setup_teardown(
		what_is_unusual_is_left_to_git, trees_setup, trees_teardown),
	    cmocka_unit_test_setup_teardown(
		references_in_files_and_packed_ones, trees_setup, trees_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
