/*
 * test_removal.c - what a worktree is not removed with: work that a look at git's status
 * misses.
 */
#include "git/worktree.h"
#include "repo.h"

static struct worktree tree;

static int
setup(void **state)
{
	tree = (struct worktree){NULL, NULL, NULL, false};
	return repo_setup(state);
}

static int
teardown(void **state)
{
	worktree_release(&tree);
	return repo_teardown(state);
}

static void
create(void)
{
	worktree_release(&tree);
	if (worktree_create(at("repo"), "w", NULL, NULL, &tree, &err) < 0)
		fail_msg("%s", err.text);
}

static void
remove_it(bool force)
{
	if (worktree_remove(&tree, force, &err) < 0)
		fail_msg("%s", err.text);
	assert_false(is_there("repo-worktrees/w"));
}

/* What git was told not to look at is work all the same. */
static void
hidden_changes_are_protected(void **state UNUSED)
{
	static const char *const marks[] = {"--skip-worktree", "--assume-unchanged"};

	for (size_t i = 0; i < ARRAY_LEN(marks); i++) {
		create();
		sh("cd repo-worktrees/w; git update-index %s file sub/two; echo precious >file",
		    marks[i]);
		assert_shell("", "git -C repo-worktrees/w status --porcelain");
		assert_int_equal(worktree_remove(&tree, false, &err), -1);
		assert_int_equal(err.code, EBUSY);
		assert_string_equal(err.text,
		    "worktree has 1 uncommitted change(s); 'file' was hidden from git status "
		    "and is no longer: commit or undo it first");
		assert_shell("precious", "cat repo-worktrees/w/file");
		/* Whoever looks for it finds it. */
		assert_shell(" M file", "git -C repo-worktrees/w status --porcelain");
		remove_it(true);
	}
	create();
	sh("cd repo-worktrees/w; git update-index --skip-worktree file; rm file");
	assert_int_equal(worktree_check(&tree, &err), -1);
	assert_int_equal(err.code, EBUSY);
	assert_shell(" D file", "git -C repo-worktrees/w status --porcelain");
	remove_it(true);
}

static void
marks_on_what_is_unchanged_hide_nothing(void **state UNUSED)
{
	create();
	sh("cd repo-worktrees/w; git update-index --skip-worktree file; git update-index "
	   "--assume-unchanged sub/two");
	remove_it(false);
	/* Nor does a file that a sparse checkout leaves out. */
	create();
	sh("git -C repo-worktrees/w sparse-checkout set --no-cone /sub/");
	assert_false(is_there("repo-worktrees/w/file"));
	remove_it(false);
}

static void
what_is_under_way_is_protected(void **state UNUSED)
{
	create();
	sh("cd repo-worktrees/w; git commit -q --allow-empty -m one\n"
	   "git checkout -q -b other main; git commit -q --allow-empty -m two\n"
	   "git merge -q --no-ff --no-commit -s ours w");
	assert_shell("", "git -C repo-worktrees/w status --porcelain");
	assert_int_equal(worktree_remove(&tree, false, &err), -1);
	assert_int_equal(err.code, EBUSY);
	assert_string_equal(
	    err.text, "a merge is under way in the worktree: finish or abort it first");
	remove_it(true);
}

/* A submodule "lib", in the repository and in a new worktree of it. */
static void
create_with_submodule(void)
{
	sh("git config --global protocol.file.allow always; git init -q lib; cd lib\n"
	   "echo l >l; git add l; git commit -qm lib; cd ../repo\n"
	   "git submodule --quiet add %s/lib lib; git commit -qm lib",
	    scratch.path);
	create();
	sh("cd repo-worktrees/w; git submodule --quiet update --init");
}

static void
assert_lib_is_protected(void)
{
	AUTO_FREE char *text =
	    xasprintf("the repository 'lib' in %s has commits that are nowhere else: push "
		      "them first",
		tree.path);

	assert_int_equal(worktree_remove(&tree, false, &err), -1);
	assert_string_equal(err.text, text);
	assert_int_equal(err.code, EBUSY);
	assert_true(is_there("repo-worktrees/w/lib/l"));
}

static void
commits_in_a_submodule_are_protected(void **state UNUSED)
{
	create_with_submodule();
	sh("cd repo-worktrees/w/lib; echo x >new; git add new; git commit -qm work; cd ..\n"
	   "git add lib; git commit -qm bump");
	assert_lib_is_protected();
	/* Also when the branch was merged, and others name the commit, too. */
	sh("git -C repo merge -q w");
	assert_lib_is_protected();
	sh("git -C repo-worktrees/w/lib push -q origin HEAD:refs/heads/work");
	remove_it(false);
	assert_shell(
	    "work", "git -C lib log -1 --format=%%s $(git -C repo rev-parse main:lib)");
}

static void
branches_and_stashes_of_a_submodule_are_protected(void **state UNUSED)
{
	create_with_submodule();
	sh("cd repo-worktrees/w/lib; git checkout -q -b side; git commit -q --allow-empty -m "
	   "side; git checkout -q --detach HEAD~1");
	assert_shell("", "git -C repo-worktrees/w status --porcelain");
	assert_lib_is_protected();
	sh("cd repo-worktrees/w/lib; git branch -q -D side; echo more >>l; git stash -q");
	assert_lib_is_protected();
	sh("git -C repo-worktrees/w/lib stash drop -q");
	remove_it(false);
}

static void
hidden_changes_in_a_submodule_are_protected(void **state UNUSED)
{
	create_with_submodule();
	sh("cd repo-worktrees/w/lib; git update-index --skip-worktree l; echo more >>l");
	assert_int_equal(worktree_remove(&tree, false, &err), -1);
	assert_string_equal(err.text, "worktree has 1 uncommitted change(s)");
	remove_it(true);
}

/* A commit that was fetched by its number alone is on no branch of the other side, as far as
 * the submodule knows; the worker has not made it. */
static void
a_submodule_as_it_was_is_no_work(void **state UNUSED)
{
	create_with_submodule();
	sh("cd repo-worktrees/w/lib; git checkout -q --detach; for r in $(git for-each-ref "
	   "--format='%%(refname)'); do git update-ref -d $r; done");
	remove_it(false);
}

#define repo_test(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    repo_test(hidden_changes_are_protected),
	    repo_test(marks_on_what_is_unchanged_hide_nothing),
	    repo_test(what_is_under_way_is_protected),
	    repo_test(commits_in_a_submodule_are_protected),
	    repo_test(branches_and_stashes_of_a_submodule_are_protected),
	    repo_test(hidden_changes_in_a_submodule_are_protected),
	    repo_test(a_submodule_as_it_was_is_no_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
