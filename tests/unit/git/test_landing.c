#include "landing.h"

/* W2: what the agent did not commit lands as well; W31: merged branches are gone. */
static void
what_was_not_committed_lands(void **state UNUSED)
{
	prepare("t-1");
	assert_string_equal(result.branch, "ralph/t-1");
	assert_string_equal(result.path, at("repo/.tf/ralph/worktrees/t-1"));
	assert_false(result.resumed);
	agent("echo new >new; echo 2 >>file; git rm -q sub/two; touch x.o");
	merge("t-1");
	assert_int_equal(result.waiting, 0);
	assert_shell("Merge ralph/t-1", "git -C repo log -1 --format=%%s");
	assert_shell("wise-fox",
	    "git -C repo log -1 "
	    "--format='%%(trailers:key=Ralph-Session,valueonly)' | head -n 1");
	assert_shell("Ralph: complete t-1", "git -C repo log -1 --format=%%s HEAD^2");
	assert_shell(".gitignore\nfile\nnew", "git -C repo ls-files; rm -rf repo/.tf");
	assert_shell("new", "cat repo/new");
	assert_tidy();
}

static void
commits_and_leftovers_land_together(void **state UNUSED)
{
	plan.message = "{ticket}: {title}, done";
	ticket.title = "one\ntwo {ticket}";
	prepare("t-1");
	agent("echo a >a; git add a; git commit -qm mine; echo b >b");
	merge("t-1");
	assert_shell("a\nb", "cd repo; ls a b");
	assert_shell("t-1: one\\x0atwo {ticket}, done", "git -C repo log -1 --format=%%s");
	assert_shell(
	    "Ralph: complete t-1\nmine", "git -C repo log --format=%%s HEAD^1..HEAD^2");
	assert_tidy();
}

static void
an_agent_that_did_nothing_leaves_nothing(void **state UNUSED)
{
	prepare("t-1");
	agent("touch ignored.o");
	step(land_merge, "t-1", LAND_NOTHING);
	assert_shell("first", "git -C repo log -1 --format=%%s");
	assert_tidy();
	/* Nor is anything wrong with asking again. */
	step(land_merge, "t-1", LAND_NOTHING);
	assert_fails(land_merge, "t-never", "is gone, and nothing of it has landed");
	assert_tidy();
}

/* W6 */
static void
a_conflict_leaves_nothing_half_merged(void **state UNUSED)
{
	prepare("t-1");
	agent("echo theirs >file; echo more >more");
	sh("cd repo; echo ours >file; git commit -qam ours");
	step(land_merge, "t-1", LAND_CONFLICT);
	assert_string_equal(result.text, "file");
	assert_string_equal(result.branch, "ralph/t-1");
	assert_shell("", "find . -name MERGE_HEAD");
	assert_shell("ours", "git -C repo status --porcelain -uno; cat repo/file");
	assert_shell("ralph/t-1", "cd %s; git status --porcelain; git branch --show-current",
	    result.path);
	assert_shell("theirs", "git -C repo show ralph/t-1:file");
	/* Others land meanwhile, and the next attempt goes on where this one was. */
	prepare("t-2");
	agent("echo 2 >two");
	merge("t-2");
	ticket = (struct land_ticket){
	    .id = "t-1", .title = "A title", .session = "bold-owl", .attempt = 2};
	prepare("t-1");
	assert_true(result.resumed);
	assert_shell("more", "cat %s/more", result.path);
	sh("cd %s; git merge -q %s || :; echo both >file; git add file; git commit -qm both",
	    result.path, result.commit);
	merge("t-1");
	assert_shell("both\n2", "cat repo/file repo/two");
	assert_tidy();
}

/* W7 */
static void
the_users_branch_is_never_switched(void **state UNUSED)
{
	sh("cd repo; git checkout -q -b feature; echo f >f; git add f; git commit -qm f; echo "
	   "dirty >>file");
	prepare("t-1");
	assert_shell("1", "cat %s/file; ls %s/f 2>/dev/null || :", result.path, result.path);
	agent("echo new >new; echo 9 >>file");
	merge("t-1");
	assert_int_equal(result.waiting, 0);
	assert_shell("feature", "git -C repo branch --show-current");
	assert_shell(" M file", "git -C repo status --porcelain -uno");
	assert_shell("1\ndirty", "cat repo/file");
	assert_shell("new", "git -C repo show main:new");
	assert_shell("Merge ralph/t-1", "git -C repo log -1 --format=%%s main");
	sh("cd repo; git checkout -q file");
	assert_tidy();
}

/* W14 */
static void
tracked_progress_files_never_conflict(void **state UNUSED)
{
	sh("cd repo; mkdir -p .tf/ralph; echo 0 >.tf/ralph/progress.md; git add .tf; git "
	   "commit -qm progress; echo loop >>.tf/ralph/progress.md");
	prepare("t-1");
	agent("echo agent >.tf/ralph/progress.md; echo new >.tf/ralph/new; echo a >a");
	sh("cd repo; git stash -q; echo user >.tf/ralph/progress.md; git commit -qam user");
	merge("t-1");
	assert_int_equal(result.waiting, 0);
	assert_shell(
	    "user\na", "cd repo; git show HEAD:.tf/ralph/progress.md; git show HEAD:a");
	assert_shell(".tf/ralph/progress.md", "git -C repo ls-tree -r --name-only HEAD .tf");
	assert_tidy();
}

/* Also not as something that was merged and taken back. */
static void
what_does_not_land_is_not_taken_back_either(void **state UNUSED)
{
	sh("cd repo; mkdir -p .tf/ralph; echo 0 >.tf/ralph/progress.md; git add .tf; git "
	   "commit -qm progress");
	prepare("t-1");
	sh("cd repo; echo user >.tf/ralph/progress.md; git commit -qam user");
	agent("echo a >a; git add a; git commit -qm a; git merge -q --no-commit main; git "
	      "checkout -q HEAD -- .tf; git commit -qm merged");
	merge("t-1");
	assert_shell(
	    "user\na", "cd repo; git show HEAD:.tf/ralph/progress.md; git show HEAD:a");
	assert_tidy();
}

static void
tickets_land_beside_each_other(void **state UNUSED)
{
	for (int i = 1; i <= 3; i++) {
		char id[16];

		snprintf(id, sizeof(id), "t-%d", i);
		prepare(id);
		sh("cd %s; echo %d >%d", result.path, i, i);
	}
	merge("t-2");
	merge("t-1");
	merge("t-3");
	assert_shell("1\n2\n3", "cat repo/1 repo/2 repo/3");
	assert_shell("3", "git -C repo rev-list --count --merges main");
	assert_tidy();
}

static int
life(const char *id, const char *session)
{
	struct land_ticket t = {.id = id, .session = session, .attempt = 1};
	struct land_result r;
	char script[600];

	if (land_prepare(&plan, &t, &r, &err) < 0)
		return 1;
	snprintf(script, sizeof(script), "cd %s; echo %s >%s; mkdir -p d; echo x >d/%s", r.path,
	    id, id, id);
	sh("%s", script);
	land_result_release(&r);
	if (land_merge(&plan, &t, &r, &err) < 0 || r.outcome != LAND_MERGED)
		return 2;
	land_result_release(&r);
	return 0;
}

static void
many_land_at_once(void **state UNUSED)
{
	pid_t pids[6];

	plan.verify = "test -e d";
	for (size_t i = 0; i < ARRAY_LEN(pids); i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			char id[16];
			int rc;

			snprintf(id, sizeof(id), "p-%zu", i);
			rc = life(id, id);
			if (rc != 0)
				fprintf(stderr, "%s: %d %s\n", id, rc, err.text);
			_exit(rc);
		}
	}
	for (size_t i = 0; i < ARRAY_LEN(pids); i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	assert_shell("6", "git -C repo rev-list --count --merges main");
	assert_shell("p-0\np-1\np-2\np-3\np-4\np-5", "ls repo/d");
	assert_tidy();
}

/* ---- what agents may do -------------------------------------------------------------- */

static void
other_branches_and_no_branch_are_followed(void **state UNUSED)
{
	prepare("t-1");
	agent("git checkout -q -b mine; echo a >a; git add a; git commit -qm a; echo b >b");
	merge("t-1");
	assert_shell("a\nb", "cd repo; ls a b");
	prepare("t-2");
	agent("git checkout -q --detach; echo c >c; git add c; git commit -qm c");
	merge("t-2");
	prepare("t-3");
	agent("echo d >d; git add d; git commit -qm d; git branch -m mine-too; echo e >e");
	merge("t-3");
	assert_shell("c\nd\ne", "cd repo; ls c d e");
	sh("git -C repo branch -D mine mine-too");
	assert_tidy();
}

static void
work_on_two_lines_is_kept(void **state UNUSED)
{
	prepare("t-1");
	agent("echo a >a; git add a; git commit -qm a; git checkout -q -b mine HEAD~1; echo b "
	      ">b; git add b; git commit -qm b");
	assert_fails(land_merge, "t-1", "have commits");
	assert_shell("b\na", "cd repo/.tf/ralph/worktrees/t-1; cat b; git show ralph/t-1:a");
	assert_shell("first", "git -C repo log -1 --format=%%s");
}

static void
a_lost_git_file_is_put_back(void **state UNUSED)
{
	prepare("t-1");
	agent("echo a >a; rm .git");
	merge("t-1");
	assert_shell("a", "cat repo/a");
	assert_tidy();
}

static void
another_repository_in_its_place_is_not_touched(void **state UNUSED)
{
	prepare("t-1");
	agent("echo a >a; rm .git; git init -q; git add a; git commit -qm a");
	assert_fails(land_merge, "t-1", "no worktree of");
	assert_shell("a", "cat repo/.tf/ralph/worktrees/t-1/a");
	assert_fails(land_save, "t-1", "no worktree of");
	assert_shell("a", "cat repo/.tf/ralph/worktrees/t-1/a");
}

static void
nested_repositories_do_not_land(void **state UNUSED)
{
	prepare("t-1");
	agent("git init -q nested; cd nested; echo n >n; git add n; git commit -qm n");
	assert_fails(land_merge, "t-1", "a repository of its own");
	assert_shell("n", "cat repo/.tf/ralph/worktrees/t-1/nested/n");
	assert_shell("first", "git -C repo log -1 --format=%%s");
}

static void
a_removed_directory_does_not_take_commits_with_it(void **state UNUSED)
{
	prepare("t-1");
	agent("echo a >a; git add a; git commit -qm a; cd ..; rm -rf t-1");
	merge("t-1");
	assert_shell("a", "cat repo/a");
	prepare("t-2");
	agent("git checkout -q --detach; echo b >b; git add b; git commit -qm b; cd ..; rm -rf "
	      "t-2");
	merge("t-2");
	assert_shell("b", "cat repo/b");
	prepare("t-3");
	agent("git worktree remove --force .");
	assert_fails(land_merge, "t-3", "is gone, and nothing of it has landed");
	assert_shell(
	    "ralph/t-3", "git -C repo branch --list --format='%%(refname:short)' 'ralph/*'");
	prepare("t-3");
	step(land_merge, "t-3", LAND_NOTHING);
	/* Without it nothing can be verified. */
	plan.verify = "true";
	prepare("t-4");
	agent("echo d >d; git add d; git commit -qm d; cd ..; rm -rf t-4");
	assert_fails(land_merge, "t-4", "cannot be verified");
	prepare("t-4");
	assert_true(result.resumed);
	merge("t-4");
	assert_shell("d", "cat repo/d");
	assert_tidy();
}

static void
what_is_under_way_does_not_land(void **state UNUSED)
{
	prepare("t-1");
	agent("git checkout -q -b other; echo o >file; git commit -qam o; git checkout -q "
	      "ralph/t-1; echo m >file; git commit -qam m; git merge -q other || :");
	assert_fails(land_merge, "t-1", "a merge is under way");
	agent("git merge --abort; git rebase -q other || :");
	assert_fails(land_merge, "t-1", "a rebase is under way");
	assert_shell("first", "git -C repo log -1 --format=%%s");
	agent("git rebase --abort");
	merge("t-1");
	sh("git -C repo branch -D other");
	assert_tidy();
}

static void
commits_straight_on_the_target_are_there(void **state UNUSED)
{
	sh("git -C repo checkout -q -b user");
	prepare("t-1");
	agent("git checkout -q main; echo a >a; git add a; git commit -qm a; echo b >b");
	merge("t-1");
	assert_int_equal(result.waiting, 0);
	assert_shell("b", "git -C repo show main:b");
	assert_tidy();
}

static void
locks_of_killed_programs_do_not_matter(void **state UNUSED)
{
	prepare("t-1");
	agent("echo a >a; touch $(git rev-parse --git-dir)/index.lock $(git rev-parse "
	      "--git-dir)/HEAD.lock; touch $(git rev-parse "
	      "--git-common-dir)/refs/heads/ralph/t-1.lock");
	plan.verify = "true";
	merge("t-1");
	assert_shell("a", "cat repo/a");
	assert_tidy();
}

/* A file of the same size, written at the very moment of the checkout. */
static void
changes_without_a_trace_land(void **state UNUSED)
{
	sh("git config --global core.trustctime false");
	prepare("t-1");
	agent("touch -d 2020-01-01 file; git update-index --refresh; touch -d 2020-01-01 "
	      "$(git rev-parse --git-path index); echo 2 >file; touch -d 2020-01-01 file");
	agent("echo b >b");
	merge("t-1");
	assert_shell("2\nb", "git -C repo show main:file; git -C repo show main:b");
	assert_tidy();
}

static void
changes_can_be_left_alone(void **state UNUSED)
{
	plan.leave_changes = true;
	prepare("t-1");
	agent("echo a >a; git add a; git commit -qm a; echo b >b");
	assert_fails(land_merge, "t-1", "has 1 uncommitted change ('b')");
	agent("rm b");
	merge("t-1");
	assert_tidy();
}

static void
branch_and_worktree_can_be_kept(void **state UNUSED)
{
	plan.keep_branch = true;
	prepare("t-1");
	agent("echo a >a");
	merge("t-1");
	assert_string_equal(result.branch, "ralph/t-1");
	assert_shell("a", "git -C repo show ralph/t-1:a");
	assert_false(is_there("repo/.tf/ralph/worktrees/t-1"));
	sh("git -C repo branch -q -d ralph/t-1");
	plan.keep_branch = false;
	plan.keep_worktree = true;
	prepare("t-2");
	agent("echo b >b");
	merge("t-2");
	assert_shell("b", "cat %s/b; git -C repo branch --list 'ralph/*'", result.path);
	/* What has landed is no reason to go on with it. */
	plan.keep_worktree = false;
	sh("cd repo; echo n >n; git add n; git commit -qm n");
	prepare("t-2");
	assert_false(result.resumed);
	assert_shell("ralph/t-2\nn", "cd %s; git branch --show-current; cat n", result.path);
	step(land_merge, "t-2", LAND_NOTHING);
	assert_tidy();
}

static void
commits_need_no_configured_user(void **state UNUSED)
{
	prepare("t-1");
	agent("echo a >a");
	sh("git config --global --unset user.name; git config --global --unset user.email");
	merge("t-1");
	assert_shell("ralph <ralph@localhost>", "git -C repo log -1 --format='%%an <%%ae>'");
	sh("git config --global user.name Jo; git config --global user.email jo@localhost");
	prepare("t-2");
	agent("echo b >b");
	merge("t-2");
	assert_shell("Jo <jo@localhost>\nJo", "git -C repo log -1 --format='%%cn <%%ce>'; git "
					      "-C repo log -1 --format=%%an HEAD^2");
	assert_tidy();
}

static void
hooks_and_signatures_are_off(void **state UNUSED)
{
	prepare("t-1");
	agent("echo a >a");
	sh("cd repo; git config commit.gpgSign true; git config gpg.program false\n"
	   "for h in pre-commit commit-msg pre-merge-commit post-merge post-checkout "
	   "reference-transaction post-commit; do printf '#!/bin/sh\\ntouch %s/ran\\nexit "
	   "1\\n' "
	   ">.git/hooks/$h; done; chmod +x .git/hooks/*",
	    scratch.path);
	merge("t-1");
	assert_false(is_there("ran"));
	assert_shell("a", "cat repo/a");
}

static void
odd_but_safe_names_are_names(void **state UNUSED)
{
	static const char *const ids[] = {"A.b_c-9", "0", "HEAD", "t.", "x-2",
	    "a123456789012345678901234567890123456789012345678901234567890123"};

	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		if (strcmp(ids[i], "t.") == 0) {
			assert_fails(land_prepare, ids[i], "cannot be a part of");
			continue;
		}
		ticket.session = ids[i];
		prepare(ids[i]);
		sh("cd %s; echo %s >%s", result.path, ids[i], ids[i]);
		merge(ids[i]);
		assert_shell(ids[i], "cat repo/%s", ids[i]);
	}
	assert_fails(land_merge, "../x", "cannot be a part of");
	assert_fails(land_save, "-rf", "cannot be a part of");
	assert_fails(land_merge, "", "cannot be a part of");
	assert_tidy();
}

/* ---- the branch ---------------------------------------------------------------------- */

static void
the_target_is_the_branch_that_is_checked_out(void **state UNUSED)
{
	AUTO_FREE char *top = NULL;
	AUTO_FREE char *branch = NULL;
	char *none = NULL, *nothing = NULL;

	assert_int_equal(land_target(at("repo/sub"), NULL, &top, &branch, &err), 0);
	assert_string_equal(top, at("repo"));
	assert_string_equal(branch, "main");
	assert_int_equal(land_target(at("repo"), "nope", &none, &nothing, &err), -1);
	assert_string_equal(
	    err.text, "there is no local branch nope: `git branch nope` makes one");
	assert_int_equal(land_target(at("repo"), "-D", &none, &nothing, &err), -1);
	sh("git -C repo checkout -q --detach");
	assert_int_equal(land_target(at("repo"), NULL, &none, &nothing, &err), -1);
	assert_non_null(strstr(err.text, "no branch is checked out"));
	sh("git init -q new; git clone -q --bare repo bare.git; mkdir plain");
	assert_int_equal(land_target(at("new"), NULL, &none, &nothing, &err), -1);
	assert_non_null(strstr(err.text, "has no commit yet"));
	assert_int_equal(land_target(at("bare.git"), NULL, &none, &nothing, &err), -1);
	setenv("GIT_CEILING_DIRECTORIES", scratch.path, 1);
	assert_int_equal(land_target(at("plain"), NULL, &none, &nothing, &err), -1);
	assert_int_equal(err.code, ENOENT);
	unsetenv("GIT_CEILING_DIRECTORIES");
	assert_null(none);
	assert_null(nothing);
}

/* The project need not be the whole work tree, nor the main one. */
static void
a_project_may_be_anywhere_in_any_work_tree(void **state UNUSED)
{
	AUTO_FREE char *top = NULL;
	AUTO_FREE char *branch = NULL;
	char dir[600];

	sh("cd repo; git worktree add -q -b feature/x ../else; mkdir -p ../else/sub/.tf");
	assert_int_equal(land_target(at("else/sub"), NULL, &top, &branch, &err), 0);
	assert_string_equal(top, at("else"));
	assert_string_equal(branch, "feature/x");
	snprintf(dir, sizeof(dir), "%s/else/sub/.tf/ralph/worktrees", scratch.path);
	plan.top = top;
	plan.branch = branch;
	plan.dir = dir;
	plan.prefix = "sub";
	plan.setup = "pwd >>../../../../../../log; test -e two";
	plan.verify = "pwd >>../../../../../../log; test -e new";
	prepare("t-1");
	agent("echo new >sub/new");
	merge("t-1");
	assert_int_equal(result.waiting, 0);
	assert_shell("new", "cat else/sub/new");
	assert_shell("2", "grep -c 'worktrees/t-1/sub$' else/log");
	assert_shell("first", "git -C repo log -1 --format=%%s main");
	assert_shell("feature/x", "git -C else branch --show-current");
}

static void
an_old_git_is_told(void **state UNUSED)
{
	AUTO_FREE char *path = xstrdup(getenv("PATH"));
	AUTO_FREE char *old = xasprintf("%s/bin:%s", scratch.path, path);
	char *top = NULL, *branch = NULL;

	prepare("t-1");
	agent("echo a >a");
	sh("mkdir bin; printf '%%s\\n' '#!/bin/sh' 'case \" $* \" in *\" merge-tree \"*) exit "
	   "129;; *\" version \"*) echo git version 2.30.2; exit;; esac' "
	   "'PATH=${PATH#*:} exec git \"$@\"' >bin/git; chmod +x bin/git");
	setenv("PATH", old, 1);
	assert_fails(land_merge, "t-1",
	    "git 2.38 or newer is needed to merge without a work tree; this is git version "
	    "2.30.2");
	assert_int_equal(land_target(at("repo"), NULL, &top, &branch, &err), -1);
	assert_non_null(strstr(err.text, "git 2.38 or newer"));
	setenv("PATH", path, 1);
	merge("t-1");
	assert_tidy();
}

static void
the_target_must_be_there(void **state UNUSED)
{
	prepare("t-1");
	agent("echo a >a");
	sh("git -C repo checkout -q -b user; git -C repo branch -q -D main");
	assert_fails(land_merge, "t-1", "there is no branch main");
	assert_shell("a", "cat repo/.tf/ralph/worktrees/t-1/a");
	save("t-1");
	assert_shell("a", "git -C repo show %s:a", result.ref);
}

/* Whatever an agent told git not to look at. */
static void
assert_marks_are_seen(const char *id, const char *script)
{
	ticket.session = id;
	prepare(id);
	agent(script);
	agent("git update-index --assume-unchanged file; echo marked >>file");
	agent("git update-index --skip-worktree sub/two; echo marked >>sub/two");
	merge(id);
	assert_shell("2", "git -C repo show main:file main:sub/two | grep -c marked");
	sh("cd repo; sed -i /marked/d file sub/two; git commit -qam clean");
}

static void
marked_files_are_seen(void **state UNUSED)
{
	assert_marks_are_seen("t-1", ":");
	assert_marks_are_seen("t-2", "git update-index --index-version 4");
	assert_marks_are_seen("t-3", "git update-index --split-index");
	/* Of what failed, too; and what is gone is gone. */
	prepare("t-4");
	agent("git update-index --skip-worktree file sub/two; rm file; echo x >sub/two");
	save("t-4");
	assert_shell(
	    ".gitignore\nsub/two", "git -C repo ls-tree -r --name-only %s", result.ref);
	assert_shell("x", "git -C repo show %s:sub/two", result.ref);
	assert_tidy();
}

static void
what_git_ignores_is_kept(void **state UNUSED)
{
	char kept[600];

	snprintf(kept, sizeof(kept), "%s/kept", scratch.path);
	plan.ignored = kept;
	prepare("t-1");
	agent("echo object >x.o; mkdir d; echo y >d/y.o; echo a >a");
	merge("t-1");
	assert_shell("object\ny", "cat kept/x.o kept/d/y.o");
	assert_string_equal(strrchr(result.left, '/'), "/kept");
	/* A copy that was begun is begun anew; nothing is said where there is nothing. */
	prepare("t-2");
	agent("echo b >b");
	merge("t-2");
	assert_null(result.left);
	prepare("t-3");
	agent("echo z >z.o; exit 0");
	save("t-3");
	assert_shell("z.o", "ls kept");
	assert_non_null(strstr(result.left, "kept: 1 file (2 bytes) in "));
	assert_tidy();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    landing_test(marked_files_are_seen),
	    landing_test(what_git_ignores_is_kept),
	    landing_test(what_was_not_committed_lands),
	    landing_test(commits_and_leftovers_land_together),
	    landing_test(an_agent_that_did_nothing_leaves_nothing),
	    landing_test(a_conflict_leaves_nothing_half_merged),
	    landing_test(the_users_branch_is_never_switched),
	    landing_test(tracked_progress_files_never_conflict),
	    landing_test(what_does_not_land_is_not_taken_back_either),
	    landing_test(tickets_land_beside_each_other),
	    landing_test(many_land_at_once),
	    landing_test(other_branches_and_no_branch_are_followed),
	    landing_test(work_on_two_lines_is_kept),
	    landing_test(a_lost_git_file_is_put_back),
	    landing_test(another_repository_in_its_place_is_not_touched),
	    landing_test(nested_repositories_do_not_land),
	    landing_test(a_removed_directory_does_not_take_commits_with_it),
	    landing_test(what_is_under_way_does_not_land),
	    landing_test(commits_straight_on_the_target_are_there),
	    landing_test(locks_of_killed_programs_do_not_matter),
	    landing_test(changes_without_a_trace_land),
	    landing_test(changes_can_be_left_alone),
	    landing_test(branch_and_worktree_can_be_kept),
	    landing_test(commits_need_no_configured_user),
	    landing_test(hooks_and_signatures_are_off),
	    landing_test(odd_but_safe_names_are_names),
	    landing_test(the_target_is_the_branch_that_is_checked_out),
	    landing_test(a_project_may_be_anywhere_in_any_work_tree),
	    landing_test(an_old_git_is_told),
	    landing_test(the_target_must_be_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
