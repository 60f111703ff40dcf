#include "git/worktree.h"
#include "repo.h"
#include <sys/wait.h>

#define PARALLEL 8

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
create(const char *cwd, const char *name, const char *branch, const char *dir)
{
	worktree_release(&tree);
	if (worktree_create(at(cwd), name, branch, dir, &tree, &err) < 0)
		fail_msg("%s", err.text);
}

static void
assert_not_created(const char *cwd, const char *name, const char *branch, const char *text)
{
	struct worktree none = {NULL, NULL, NULL, false};

	assert_int_equal(worktree_create(at(cwd), name, branch, NULL, &none, &err), -1);
	if (!strstr(err.text, text))
		fail_msg("\"%s\" does not say \"%s\"", err.text, text);
	assert_null(none.path);
}

static void
remove_it(bool force)
{
	if (worktree_remove(&tree, force, &err) < 0)
		fail_msg("%s", err.text);
	assert_false(is_there(tree.path));
	assert_shell("1", "git -C repo worktree list | wc -l");
}

static void
a_worktree_is_made_beside_the_repository(void **state UNUSED)
{
	create("repo/sub", "w", NULL, NULL);
	assert_string_equal(tree.path, at("repo-worktrees/w"));
	assert_string_equal(tree.branch, "w");
	assert_string_equal(tree.repo, at("repo"));
	assert_shell("w",
	    "git -C repo-worktrees/w branch --show-current; cat repo-worktrees/w/none "
	    "2>/dev/null || :");
	assert_shell("1", "cat repo-worktrees/w/file");
	assert_shell("", "git -C repo-worktrees/w status --porcelain");
	/* The user's own tree is as it was. */
	assert_shell(
	    "main", "git -C repo branch --show-current; git -C repo status --porcelain");
	remove_it(false);
	assert_shell("main", "git -C repo branch --format='%%(refname:short)'");
}

static void
other_places_and_branches_can_be_asked_for(void **state UNUSED)
{
	create("repo", "w", "topic/x", "trees/deep");
	assert_string_equal(tree.path, at("trees/deep/w"));
	assert_string_equal(tree.branch, "topic/x");
	remove_it(false);
	create("repo", "w", NULL, at("else where"));
	assert_string_equal(tree.path, at("else where/w"));
	remove_it(false);
	create("repo", "w", NULL, "repo/../dots");
	assert_string_equal(tree.path, at("dots/w"));
	remove_it(false);
	sh("ln -s dots link");
	create("repo", "w", NULL, "link");
	assert_string_equal(tree.path, at("dots/w"));
	assert_int_equal(worktree_create(at("repo"), "w", NULL, "no/../dots", &tree, &err), -1);
}

static void
from_within_a_worktree_the_main_one_counts(void **state UNUSED)
{
	AUTO_FREE char *top = NULL;

	create("repo", "a", NULL, NULL);
	sh("cd repo-worktrees/a; echo a >a; git add a; git commit -qm a");
	create("repo-worktrees/a/sub", "b", NULL, NULL);
	assert_string_equal(tree.path, at("repo-worktrees/b"));
	assert_string_equal(tree.repo, at("repo"));
	/* From the HEAD where the user is. */
	assert_shell("a", "git -C repo-worktrees/b log -1 --format=%%s");
	assert_int_equal(worktree_repo(at("repo-worktrees/b"), &top, &err), 0);
	assert_string_equal(top, at("repo"));
}

static void
not_in_a_repository_is_told(void **state UNUSED)
{
	char *top = NULL;

	setenv("GIT_CEILING_DIRECTORIES", scratch.path, 1);
	sh("mkdir plain");
	assert_int_equal(worktree_repo(at("plain"), &top, &err), -1);
	assert_string_equal(err.text, "not in a git repository");
	assert_int_equal(err.code, ENOENT);
	assert_null(top);
	assert_not_created("plain", "w", NULL, "not in a git repository");
	assert_int_equal(worktree_repo(at("nowhere"), &top, &err), -1);
	assert_int_not_equal(err.code, ENOENT);
	unsetenv("GIT_CEILING_DIRECTORIES");
}

static void
without_git_that_is_what_is_told(void **state UNUSED)
{
	AUTO_FREE char *path = xstrdup(getenv("PATH"));
	char *top = NULL;

	setenv("PATH", scratch.path, 1);
	assert_int_equal(worktree_repo(at("repo"), &top, &err), -1);
	assert_string_equal(err.text, "git: command not found");
	assert_int_not_equal(err.code, ENOENT);
	setenv("PATH", path, 1);
}

static void
a_bare_repository_is_refused(void **state UNUSED)
{
	sh("git clone -q --bare repo bare.git");
	assert_not_created("bare.git", "w", NULL,
	    "Cannot create worktree: repository is bare. Worktrees require a working "
	    "directory.");
	assert_shell("main", "git -C bare.git branch --format='%%(refname:short)'");
	/* From a work tree of a bare one it is possible. */
	sh("git -C bare.git worktree add -q ../here main");
	create("here", "w", NULL, NULL);
	assert_string_equal(tree.path, at("here-worktrees/w"));
	assert_int_equal(worktree_remove(&tree, false, &err), 0);
}

static void
an_unborn_branch_has_nothing_to_start_from(void **state UNUSED)
{
	sh("git init -q new");
	assert_not_created("new", "w", NULL, "has no commit to start from");
	assert_false(is_there("new-worktrees"));
	assert_shell("1", "git -C new worktree list | wc -l");
}

static void
a_detached_head_is_as_good_as_any(void **state UNUSED)
{
	sh("cd repo; git commit -q --allow-empty -m second; git checkout -q --detach HEAD~1");
	create("repo", "w", NULL, NULL);
	assert_shell("first", "git -C repo-worktrees/w log -1 --format=%%s");
	remove_it(false);
	assert_shell("main", "git -C repo branch --format='%%(refname:short)' --list 'm*' w");
}

static void
an_existing_branch_is_used_and_outlives_us(void **state UNUSED)
{
	sh("git -C repo branch same; git -C repo checkout -q -b ahead; git -C repo commit -q "
	   "--allow-empty -m ahead; git -C repo checkout -q main");
	create("repo", "w", "ahead", NULL);
	assert_shell("ahead", "git -C repo-worktrees/w log -1 --format=%%s");
	remove_it(false);
	/* No commit of its own, but the user made it. */
	create("repo", "w", "same", NULL);
	remove_it(false);
	assert_shell("ahead\nmain\nsame", "git -C repo branch --format='%%(refname:short)'");
}

static void
a_branch_checked_out_elsewhere_is_refused(void **state UNUSED)
{
	assert_not_created("repo", "w", "main", "already checked out");
	create("repo", "a", NULL, NULL);
	assert_not_created("repo", "b", "a", "already checked out");
	assert_false(is_there("repo-worktrees/b"));
	assert_shell("a\nmain", "git -C repo branch --format='%%(refname:short)'");
}

static void
a_known_worktree_is_used_again(void **state UNUSED)
{
	create("repo", "w", NULL, NULL);
	assert_true(tree.made);
	sh("echo work >repo-worktrees/w/new; echo more >>repo-worktrees/w/file");
	create("repo", "w", NULL, NULL);
	assert_false(tree.made);
	assert_string_equal(tree.path, at("repo-worktrees/w"));
	assert_shell("work", "cat repo-worktrees/w/new");
	assert_not_created("repo", "w", "other", "is not on the branch other");
	assert_int_equal(err.code, EEXIST);
	sh("git -C repo-worktrees/w checkout -q --detach");
	assert_not_created("repo", "w", NULL, "is not on the branch w");
	/* Git remembers it, but its directory is gone. */
	sh("rm -rf repo-worktrees/w");
	create("repo", "w", NULL, NULL);
	assert_shell("1", "cat repo-worktrees/w/file");
}

static void
what_is_in_the_way_stays(void **state UNUSED)
{
	sh("mkdir -p repo-worktrees/w repo-worktrees/empty; echo mine >repo-worktrees/w/file; "
	   "echo x >repo-worktrees/f; ln -s nowhere repo-worktrees/l");
	assert_not_created("repo", "w", NULL, "is in the way");
	assert_int_equal(err.code, EEXIST);
	assert_not_created("repo", "f", NULL, "is in the way");
	assert_not_created("repo", "l", NULL, "is in the way");
	assert_shell("mine", "cat repo-worktrees/w/file");
	create("repo", "empty", NULL, NULL);
	assert_shell("empty\nmain", "git -C repo branch --format='%%(refname:short)'");
	/* The repository itself is no worktree to be had. */
	assert_int_equal(worktree_create(at("repo"), "repo", "main", at(""), &tree, &err), -1);
	assert_int_equal(err.code, EEXIST);
}

static void
odd_names_are_refused(void **state UNUSED)
{
	static const char *const names[] = {"", "..", "../evil", "a/b", "-f", ".hidden", "a b",
	    "w.lock", "a..b", "a\nb", "$(touch x)", "\xff"};
	static const char *const branches[] = {
	    "", "-b", "a..b", "a b", "x.lock", "a~1", "@{-1}", "/x", "HEAD^", "a\\b"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		assert_not_created("repo", names[i], "ok", "cannot be the name of a worktree");
		assert_int_equal(err.code, EINVAL);
	}
	for (size_t i = 0; i < ARRAY_LEN(branches); i++)
		assert_not_created("repo", "w", branches[i], "cannot be the name of a branch");
	assert_false(is_there("repo-worktrees"));
	assert_shell("main", "git -C repo branch --format='%%(refname:short)'");
}

/* The checkout fails half way: a filter that it needs does not work. */
static void
a_failed_attempt_leaves_nothing(void **state UNUSED)
{
	sh("cd repo; echo 'file filter=bad' >.gitattributes; git add .; git commit -qm filter\n"
	   "git config filter.bad.smudge false; git config filter.bad.required true");
	assert_int_equal(worktree_create(at("repo"), "w", "new", "deep/er", &tree, &err), -1);
	assert_true(strncmp(err.text, "git worktree add: ", 18) == 0);
	assert_false(is_there("deep"));
	assert_shell("main", "git -C repo branch --format='%%(refname:short)'");
	assert_shell("1", "git -C repo worktree list | wc -l");
	assert_shell("", "git -C repo config --get branch.new.ralphMade || :");
	/* A branch that was there before stays, and so does its directory. */
	sh("mkdir repo-worktrees; git -C repo branch kept");
	assert_not_created("repo", "w", "kept", "git worktree add: ");
	assert_true(is_there("repo-worktrees"));
	assert_shell("kept\nmain", "git -C repo branch --format='%%(refname:short)'");
}

/* As a git that is killed in its checkout leaves it. */
static void
an_unfinished_worktree_is_made_anew(void **state UNUSED)
{
	create("repo", "w", NULL, NULL);
	sh("echo initializing >repo/.git/worktrees/w/locked; rm repo/.git/worktrees/w/index "
	   "repo-worktrees/w/file");
	create("repo", "w", NULL, NULL);
	assert_shell("1", "cat repo-worktrees/w/file");
	assert_shell("", "git -C repo-worktrees/w status --porcelain");
	/* Only the lock was left. */
	sh("echo initializing >repo/.git/worktrees/w/locked; echo work >repo-worktrees/w/new");
	create("repo", "w", NULL, NULL);
	assert_shell("work", "cat repo-worktrees/w/new");
	assert_false(is_there("repo/.git/worktrees/w/locked"));
}

static void
assert_changes(int n)
{
	AUTO_FREE char *text = xasprintf("worktree has %d uncommitted change(s)", n);

	assert_int_equal(worktree_check(&tree, &err), -1);
	assert_string_equal(err.text, text);
	assert_int_equal(err.code, EBUSY);
}

static void
changes_are_counted(void **state UNUSED)
{
	create("repo", "w", NULL, NULL);
	sh("cd repo-worktrees/w; touch x.o; mkdir ignored; touch ignored/y.o");
	assert_int_equal(worktree_check(&tree, &err), 0);
	sh("git config --global status.showUntrackedFiles no; cd repo-worktrees/w\n"
	   "echo more >>file; touch new 'odd\nname'; mkdir d; touch d/1 d/2");
	assert_changes(4);
	sh("cd repo-worktrees/w; git mv sub/two sub/2");
	assert_changes(5);
	sh("rm -rf repo-worktrees/w");
	assert_int_equal(worktree_check(&tree, &err), 0);
}

static void
dirty_work_is_protected(void **state UNUSED)
{
	create("repo", "w", NULL, NULL);
	sh("echo new >repo-worktrees/w/new");
	assert_int_equal(worktree_remove(&tree, false, &err), -1);
	assert_string_equal(err.text, "worktree has 1 uncommitted change(s)");
	assert_int_equal(err.code, EBUSY);
	assert_shell("new", "cat repo-worktrees/w/new");
	remove_it(true);
}

/* What git says of a directory that is no worktree any more is about something else. */
static void
a_worktree_git_cannot_tell_about_is_dirty(void **state UNUSED)
{
	create("repo", "w", NULL, "repo/trees");
	sh("echo trees >>repo/.gitignore; git -C repo commit -qam ignore; rm "
	   "repo/trees/w/.git");
	assert_int_equal(worktree_check(&tree, &err), -1);
	assert_int_not_equal(err.code, EBUSY);
	assert_int_equal(worktree_remove(&tree, false, &err), -1);
	assert_int_equal(worktree_remove(&tree, true, &err), -1);
	assert_true(is_there("repo/trees/w/file"));
	/* Nor does another repository in its place count. */
	sh("git init -q repo/trees/w");
	assert_int_equal(worktree_check(&tree, &err), -1);
	assert_true(is_there("repo/trees/w/file"));
}

static void
a_branch_with_commits_is_kept(void **state UNUSED)
{
	create("repo", "w", NULL, NULL);
	sh("cd repo-worktrees/w; echo w >w; git add w; git commit -qm work");
	remove_it(false);
	assert_shell("work", "git -C repo log -1 --format=%%s w");
	/* Once merged, it goes with the next removal. */
	create("repo", "w", NULL, NULL);
	sh("git -C repo merge -q w");
	remove_it(false);
	assert_shell("main", "git -C repo branch --format='%%(refname:short)'");
}

static void
commits_without_a_branch_are_protected(void **state UNUSED)
{
	create("repo", "w", NULL, NULL);
	sh("cd repo-worktrees/w; git checkout -q --detach; git commit -q --allow-empty -m "
	   "stray");
	assert_int_equal(worktree_remove(&tree, false, &err), -1);
	assert_int_equal(err.code, EBUSY);
	assert_non_null(strstr(err.text, "commits that are on no branch"));
	sh("git -C repo-worktrees/w branch found");
	remove_it(false);
	assert_shell("found\nmain", "git -C repo branch --format='%%(refname:short)'");
}

static void
a_branch_in_use_elsewhere_is_kept(void **state UNUSED)
{
	create("repo", "w", NULL, NULL);
	sh("git -C repo-worktrees/w checkout -q --detach; git -C repo checkout -q w");
	remove_it(false);
	assert_shell("w", "git -C repo branch --show-current");
}

static void
a_missing_path_is_forgotten(void **state UNUSED)
{
	create("repo", "w", NULL, NULL);
	sh("rm -rf repo-worktrees");
	remove_it(false);
	assert_shell("main", "git -C repo branch --format='%%(refname:short)'");
	remove_it(false);
	/* Nor does it matter when the repository went as well. */
	create("repo", "w", NULL, NULL);
	sh("rm -rf repo repo-worktrees");
	assert_int_equal(worktree_remove(&tree, false, &err), 0);
}

static void
a_locked_worktree_needs_force(void **state UNUSED)
{
	create("repo", "w", NULL, NULL);
	sh("git -C repo worktree lock --reason mine ../repo-worktrees/w");
	assert_int_equal(worktree_remove(&tree, false, &err), -1);
	assert_non_null(strstr(err.text, "locked"));
	assert_true(is_there("repo-worktrees/w/file"));
	remove_it(true);
}

/* From a directory outside, from one that is gone, and from within what is removed. */
static void
removal_works_from_any_directory(void **state UNUSED)
{
	int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	assert_int_equal(chdir("/"), 0);
	create("repo", "w", NULL, NULL);
	remove_it(false);
	create("repo", "w", NULL, NULL);
	assert_int_equal(chdir(tree.path), 0);
	remove_it(false);
	create("repo", "w", NULL, NULL);
	remove_it(false);
	assert_int_equal(fchdir(here), 0);
	close(here);
}

/* As when we are called from a hook of another repository, or with tracing. */
static void
the_callers_git_variables_do_not_matter(void **state UNUSED)
{
	sh("git init -q other");
	setenv("GIT_DIR", at("other/.git"), 1);
	setenv("GIT_INDEX_FILE", at("other/index"), 1);
	setenv("GIT_WORK_TREE", at("other"), 1);
	setenv("GIT_TRACE", "1", 1);
	setenv("LC_ALL", "de_DE.UTF-8", 1);
	create("repo", "w", NULL, NULL);
	assert_int_equal(worktree_remove(&tree, false, &err), 0);
	unsetenv("GIT_DIR");
	unsetenv("GIT_INDEX_FILE");
	unsetenv("GIT_WORK_TREE");
	unsetenv("GIT_TRACE");
	unsetenv("LC_ALL");
	assert_false(is_there("other-worktrees"));
}

static void
hooks_and_monitors_do_not_run(void **state UNUSED)
{
	sh("cd repo; for h in post-checkout reference-transaction monitor; do\n"
	   "printf '#!/bin/sh\\ntouch %s/ran-'$h'\\nexit 1\\n' >.git/hooks/$h; done\n"
	   "chmod +x .git/hooks/*; git config core.fsmonitor .git/hooks/monitor",
	    scratch.path);
	create("repo", "w", NULL, NULL);
	assert_int_equal(worktree_remove(&tree, false, &err), 0);
	assert_false(is_there("ran-post-checkout"));
	assert_false(is_there("ran-reference-transaction"));
	assert_false(is_there("ran-monitor"));
}

static void
strange_paths_are_paths(void **state UNUSED)
{
	sh("mv repo ' -re\npo%%s\"'");
	create(" -re\npo%s\"", "w", NULL, NULL);
	assert_string_equal(tree.path, at(" -re\npo%s\"-worktrees/w"));
	assert_string_equal(tree.repo, at(" -re\npo%s\""));
	create(" -re\npo%s\"", "w", NULL, NULL);
	sh("touch ' -re\npo%%s\"-worktrees/w/new'");
	assert_changes(1);
	assert_int_equal(worktree_remove(&tree, true, &err), 0);
	assert_false(is_there(" -re\npo%s\"-worktrees/w"));
}

static int
life_in_parallel(int i)
{
	char name[16];

	snprintf(name, sizeof(name), "w%d", i);
	if (worktree_create(at("repo"), name, NULL, NULL, &tree, &err) < 0 ||
	    worktree_check(&tree, &err) < 0)
		return 1;
	if (i % 2 == 0 && worktree_remove(&tree, false, &err) < 0)
		return 2;
	worktree_release(&tree);
	return 0;
}

static void
many_at_once_do_not_disturb_each_other(void **state UNUSED)
{
	pid_t pids[PARALLEL];

	for (int i = 0; i < PARALLEL; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			int rc = life_in_parallel(i);

			if (rc != 0)
				fprintf(stderr, "w%d: %s\n", i, err.text);
			_exit(rc);
		}
	}
	for (int i = 0; i < PARALLEL; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	assert_shell("5", "git -C repo worktree list | wc -l");
	assert_shell("main\nw1\nw3\nw5\nw7", "git -C repo branch --format='%%(refname:short)'");
}

#define repo_test(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    repo_test(a_worktree_is_made_beside_the_repository),
	    repo_test(other_places_and_branches_can_be_asked_for),
	    repo_test(from_within_a_worktree_the_main_one_counts),
	    repo_test(not_in_a_repository_is_told),
	    repo_test(without_git_that_is_what_is_told),
	    repo_test(a_bare_repository_is_refused),
	    repo_test(an_unborn_branch_has_nothing_to_start_from),
	    repo_test(a_detached_head_is_as_good_as_any),
	    repo_test(an_existing_branch_is_used_and_outlives_us),
	    repo_test(a_branch_checked_out_elsewhere_is_refused),
	    repo_test(a_known_worktree_is_used_again),
	    repo_test(what_is_in_the_way_stays),
	    repo_test(odd_names_are_refused),
	    repo_test(a_failed_attempt_leaves_nothing),
	    repo_test(an_unfinished_worktree_is_made_anew),
	    repo_test(changes_are_counted),
	    repo_test(dirty_work_is_protected),
	    repo_test(a_worktree_git_cannot_tell_about_is_dirty),
	    repo_test(a_branch_with_commits_is_kept),
	    repo_test(commits_without_a_branch_are_protected),
	    repo_test(a_branch_in_use_elsewhere_is_kept),
	    repo_test(a_missing_path_is_forgotten),
	    repo_test(a_locked_worktree_needs_force),
	    repo_test(removal_works_from_any_directory),
	    repo_test(the_callers_git_variables_do_not_matter),
	    repo_test(hooks_and_monitors_do_not_run),
	    repo_test(strange_paths_are_paths),
	    repo_test(many_at_once_do_not_disturb_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
