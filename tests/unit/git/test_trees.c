/* What is read of git's own files is what git says of them, whatever state its worktrees are
 * in: a repository is changed at random, and each worktree compared with `git worktree
 * list`. */
#include "git/repo.h"
#include "repo.h"

#define ROUNDS 60
#define TREES 3
#define AFRESH 6 /* rounds after which all damage goes */

static unsigned seed;

static unsigned
any(unsigned n)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % n;
}

/* What users, agents and killed gits do: to the worktree t$t, or to git's entry for it. */
static const char *const deeds[] = {
    "git -C repo worktree add -q ../t$t -b b$t",
    "git -C repo worktree add -q --detach ../t$t",
    "git -C repo worktree add -q ../t$t b$t",
    "git -C t$t checkout -q --detach",
    "git -C t$t checkout -q -B deep/er$t",
    "git -C t$t checkout -q --orphan unborn$t",
    "git -C t$t symbolic-ref HEAD refs/heads/alias",
    "git -C repo symbolic-ref refs/heads/alias refs/heads/main",
    "git -C repo worktree lock --reason 'on a stick' ../t$t",
    "git -C repo worktree unlock ../t$t",
    "git -C repo worktree remove --force --force ../t$t",
    "git -C repo worktree repair ../t$t",
    "git -C repo worktree prune",
    "git -C repo pack-refs --all",
    "rm -r t$t",
    "mv t$t moved$t",
    "mv moved$t t$t",
    "rm t$t/.git",
    "cp t$o/.git t$t/.git",
    "echo elsewhere >repo/.git/worktrees/t$t/gitdir",
    "echo 'ref: refs/heads/main ' >repo/.git/worktrees/t$t/HEAD",
    "echo 'ref: refs/heads/main' >repo/.git/worktrees/t$t/HEAD",
    "printf 'ref:refs/heads/main\\t\\n\\n' >repo/.git/worktrees/t$t/HEAD",
    ": >repo/.git/worktrees/t$t/HEAD",
    ": >repo/.git/worktrees/t$t/config.worktree",
    "rm repo/.git/worktrees/t$t/config.worktree",
    "echo nowhere >repo/.git/worktrees/t$t/commondir",
};

static void
deed_do(void)
{
	unsigned tree = any(TREES), other = any(TREES);

	sh("(t=%u; o=%u; %s) >/dev/null 2>&1 || :", tree, other, deeds[any(ARRAY_LEN(deeds))]);
}

/* HEAD of a worktree that git lists, where our reader has an opinion.  Git follows a name that
 * stands for another, and we do not. */
static void
assert_head(const char *git_dir, const struct listed_tree *e)
{
	AUTO_FREE char *ours = head_target(git_dir);

	if (ours && e->branch && strcmp(ours, "refs/heads/alias") != 0)
		assert_string_equal(ours, e->branch);
	if (e->branch)
		assert_non_null(ours);
}

/* Returns whether our reader knew the git directory of the worktree.  Git may refuse one that
 * is damaged, but must not take another. */
static bool
assert_tree(const struct listed_tree *e)
{
	AUTO_FREE char *git_dir = tree_git_dir(e->path, at("repo/.git"));
	AUTO_FREE char *both = xasprintf("%s\n%s", git_dir ? git_dir : "", e->path);
	AUTO_FREE char *gits = NULL;

	if (!git_dir)
		return false;
	gits =
	    shell("git -C '%s' rev-parse --absolute-git-dir --show-toplevel 2>/dev/null || :",
		e->path);
	if (*gits != '\0')
		assert_string_equal(gits, both);
	assert_head(git_dir, e);
	return *gits != '\0';
}

static void
files_tell_what_git_tells(void **state UNUSED)
{
	unsigned known = 0, listed = 0;

	seed = 4711;
	for (int i = 0; i < ROUNDS; i++) {
		struct run_result list;
		const char *next;
		struct listed_tree e;

		if (i % AFRESH == 0)
			sh("rm -rf repo/.git/worktrees t? moved?; cd repo; for t in 0 1 2; do "
			   "git worktree add -q --detach ../t$t; done");
		for (unsigned n = 1 + any(4); n > 0; n--)
			deed_do();
		list = (struct run_result)RUN_INIT;
		/* Damage of some kinds makes git refuse to list at all. */
		if (trees_read(at("repo"), &list, NULL) == 0) {
			next = list.out.data;
			assert_true(trees_next(&next, &list, &e));
			assert_head(at("repo/.git"), &e);
			for (; trees_next(&next, &list, &e); listed++)
				known += assert_tree(&e);
		}
		run_result_release(&list);
	}
	/* Else nothing was compared. */
	assert_in_range(known, listed / 4, listed);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test_setup_teardown(
		files_tell_what_git_tells, repo_setup, repo_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
