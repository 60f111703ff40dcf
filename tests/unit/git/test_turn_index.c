/* The user's index follows a commit, and what the user does with it meanwhile stays. */
#include "turn_fault.h"

/* A script as the hook pre-commit, which works in the user's index. */
static void
meanwhile(const char *script)
{
	sh("cat >repo/.git/hooks/pre-commit <<'END'\n#!/bin/sh\nunset GIT_INDEX_FILE\n%s\nEND\n"
	   "chmod +x repo/.git/hooks/pre-commit",
	    script);
}

/* Nobody has to read a file again to see that it is as in the commit. */
static void
it_knows_the_files(void **state UNUSED)
{
	begin();
	sh("cd repo; echo 2 >>file; echo n >new; rm sub/two");
	commit();
	assert_shell("", "git -C repo diff-files; git -C repo diff-index --cached HEAD");
	assert_shell("file\nnew", "git -C repo ls-files | grep -v ignore");
	assert_tidy();
}

/* The file is for whom it was before: the umask's, or the group's where the repository says so.
 */
static void
it_keeps_its_mode(void **state UNUSED)
{
	mode_t before = umask(022);

	begin();
	sh("cd repo; echo 2 >>file; git status >/dev/null; chmod 644 .git/index");
	commit();
	assert_shell("644", "stat -c %%a repo/.git/index");
	sh("cd repo; git config core.sharedRepository group; git add file; chmod 664 "
	   ".git/index");
	begin();
	sh("cd repo; echo 3 >>file");
	commit();
	assert_shell("664", "stat -c %%a repo/.git/index");
	(void)umask(before);
}

static void
what_is_staged_meanwhile_stays_staged(void **state UNUSED)
{
	meanwhile("echo s >staged; git add staged");
	begin();
	sh("cd repo; echo 2 >>file");
	commit();
	assert_paths("file");
	assert_shell("A  staged", "git -C repo status --porcelain");
}

/* Of a file that is never committed, and was only announced. */
static void
what_is_only_announced_stays_so(void **state UNUSED)
{
	sh("cd repo; mkdir ai; echo t >ai/todo.md; git add -N ai/todo.md");
	begin();
	sh("cd repo; echo 2 >>file; echo n >new; git add -N new");
	commit();
	assert_paths("file\nnew");
	assert_shell(" A ai/todo.md", "git -C repo status --porcelain");
}

/* With an index that has no checksum, nobody can tell whether it is the same. */
static void
it_may_have_no_checksum(void **state UNUSED)
{
	sh("cd repo; git config index.skipHash true; echo x >x; git add x; git commit -qm x; "
	   "truncate -s -20 .git/index; head -c 20 /dev/zero >>.git/index");
	begin();
	sh("cd repo; echo 2 >>file; rm x");
	commit();
	assert_paths("file\nx");
	assert_shell("", "git -C repo status --porcelain");
}

static void
it_may_be_split(void **state UNUSED)
{
	sh("cd repo; git config core.splitIndex true; git update-index --split-index; echo x "
	   ">x; git add x; git commit -qm x");
	begin();
	sh("cd repo; echo 2 >>file; rm x; echo n >new");
	commit();
	assert_paths("file\nnew\nx");
	assert_shell("", "git -C repo status --porcelain; git -C repo fsck --no-dangling");
}

/* Who signs says so in many ways. */
static void
yes_means_signed(void **state UNUSED)
{
	sh("cd repo; printf '#!/bin/sh\\necho no key today >&2; exit 2\\n' >../gpg; chmod +x "
	   "../gpg; git config commit.gpgSign yes; git config gpg.program \"$PWD/../gpg\"");
	begin();
	sh("cd repo; echo 2 >>file");
	commit_ends(TURN_UNSIGNED);
	sh("git -C repo config commit.gpgSign off");
	commit();
}

/* Git runs no hook that is no program, and says so to nobody. */
static void
hooks_that_are_no_programs_are_none(void **state UNUSED)
{
	sh("echo 'exit 1' >repo/.git/hooks/pre-commit");
	begin();
	sh("cd repo; echo 2 >>file");
	commit();
	assert_null(result.text);
}

/* Either all of it happened, or nothing; and then it is done once.  Was it killed? */
static bool
index_is_whole(const char *fault, int k)
{
	AUTO_FREE char *before = NULL;
	int status;

	begin();
	sh("cd repo; echo %d >>file; echo %d >new-%d; rm -f new-%d", k, k, k, k - 1);
	before = shell("cd repo; git rev-parse HEAD; git ls-files -s");
	status = status_of(fault, k, true);
	if (WIFEXITED(status) && WEXITSTATUS(status) != 0)
		assert_shell(before, "cd repo; git rev-parse HEAD; git ls-files -s");
	commit();
	assert_shell("1",
	    "git -C repo log --format='%%(trailers:key=Task,valueonly)' | grep -cx %s",
	    turn.task);
	assert_shell(result.commit, "git -C repo rev-parse HEAD");
	assert_shell("", "git -C repo status --porcelain");
	assert_int_equal(turn_forget(&turn, &err), 0);
	return WIFSIGNALED(status);
}

static void
killed_at_any_point_it_follows(void **state UNUSED)
{
	bool killed = true;

	for (int k = 1; killed; k++) {
		assert_true(k < POINTS_MAX);
		task_named(k);
		killed = index_is_whole("KILL", k);
	}
	assert_tidy();
}

static void
whatever_fails_it_follows(void **state UNUSED)
{
	for (int k = 1, good = 0; good < 20; k++) {
		assert_true(k < POINTS_MAX);
		task_named(k);
		(void)index_is_whole("EIO", k);
		good = result.found ? good + 1 : 0;
	}
	assert_tidy();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    turn_test(it_knows_the_files),
	    turn_test(it_keeps_its_mode),
	    turn_test(what_is_staged_meanwhile_stays_staged),
	    turn_test(what_is_only_announced_stays_so),
	    turn_test(it_may_have_no_checksum),
	    turn_test(it_may_be_split),
	    turn_test(killed_at_any_point_it_follows),
	    turn_test(whatever_fails_it_follows),
	    turn_test(yes_means_signed),
	    turn_test(hooks_that_are_no_programs_are_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
