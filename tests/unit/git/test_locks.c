/* What git leaves locked when the power fails in mid-landing: said, nothing lost, and it goes
 * on once the lock is gone.  Locks in the ticket's own worktree are ours to take away. */
#include "landing.h"

/* Work that is committed, and work that is not. */
static void
work(const char *id)
{
	ticket.session = id;
	prepare(id);
	agent("echo c >c; git add c; git commit -qm c; echo d >d");
}

static void
assert_lands(const char *id)
{
	merge(id);
	assert_int_equal(result.waiting, 0);
	assert_shell("c\nd", "cat repo/c repo/d");
	assert_shell("1",
	    "git -C repo log --merges --format=%%h --grep='Session: %s$' main | wc -l", id);
	assert_tidy();
}

static void
locks_of_the_ticket_are_taken_away(void **state UNUSED)
{
	work("t-1");
	sh("cd repo/.git; touch worktrees/t-1/index.lock worktrees/t-1/HEAD.lock "
	   "refs/heads/ralph/t-1.lock");
	assert_lands("t-1");
}

static void
a_locked_checkout_makes_the_merge_wait(void **state UNUSED)
{
	work("t-1");
	sh("touch repo/.git/index.lock");
	merge("t-1");
	assert_int_equal(result.waiting, 1);
	assert_says("index.lock': File exists");
	assert_shell("first", "git -C repo log -1 --format=%%s main");
	assert_shell("d", "git -C repo show refs/ralph/land/main:d");
	sh("rm repo/.git/index.lock");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 0);
	assert_shell("c\nd", "cat repo/c repo/d");
	assert_tidy();
}

/* The user's branch, and the user's checkout of it. */
static void
a_locked_branch_is_not_moved(void **state UNUSED)
{
	work("t-1");
	sh("touch repo/.git/refs/heads/main.lock");
	assert_fails(land_merge, "t-1", "refs/heads/main.lock': File exists");
	assert_shell("first", "git -C repo log -1 --format=%%s main");
	assert_shell("", "git -C repo status --porcelain -uno");
	assert_shell("c\nd", "cat %s/c %s/d", place, place);
	sh("rm repo/.git/refs/heads/main.lock");
	assert_lands("t-1");
}

static void
a_locked_head_is_not_moved(void **state UNUSED)
{
	work("t-1");
	sh("touch repo/.git/HEAD.lock");
	assert_fails(land_merge, "t-1", "HEAD.lock': File exists");
	assert_shell("", "git -C repo status --porcelain -uno");
	assert_shell("c\nd", "cat %s/c %s/d", place, place);
	sh("rm repo/.git/HEAD.lock");
	assert_lands("t-1");
}

static void
a_locked_branch_without_a_checkout_is_not_moved(void **state UNUSED)
{
	sh("git -C repo checkout -q -b user");
	work("t-1");
	sh("touch repo/.git/refs/heads/main.lock");
	assert_fails(land_merge, "t-1", "refs/heads/main.lock': File exists");
	assert_shell("c\nd", "cat %s/c %s/d", place, place);
	sh("rm repo/.git/refs/heads/main.lock");
	merge("t-1");
	assert_shell("d", "git -C repo show main:d");
	assert_tidy();
}

/* A kill of our git in mid-move left them; each has a second name of ours. */
static void
our_own_locks_are_taken_away(void **state UNUSED)
{
	work("t-1");
	sh("cd repo/.git; touch HEAD.lock refs/heads/main.lock packed-refs.lock; "
	   "ln HEAD.lock ralph-lock:HEAD.lock; "
	   "ln refs/heads/main.lock ralph-lock:refs:heads:main.lock; "
	   "ln packed-refs.lock ralph-lock:packed-refs.lock");
	assert_lands("t-1");
	assert_shell("",
	    "find repo/.git -name 'ralph-lock:*' -o -name HEAD.lock -o -name main.lock "
	    "-o -name packed-refs.lock");
}

/* One that was ours, and is another's by now. */
static void
a_lock_that_only_has_the_name_stays(void **state UNUSED)
{
	work("t-1");
	sh("cd repo/.git; touch HEAD.lock ralph-lock:HEAD.lock");
	assert_fails(land_merge, "t-1", "HEAD.lock': File exists. When no git is at work");
	sh("rm repo/.git/HEAD.lock");
	assert_lands("t-1");
}

/* It is needed to delete a reference: the merge stands, the branch stays for now. */
static void
locked_packed_references_keep_the_branch(void **state UNUSED)
{
	work("t-1");
	sh("git -C repo pack-refs --all; touch repo/.git/packed-refs.lock");
	merge("t-1");
	assert_says("packed-refs.lock': File exists");
	assert_shell("d", "git -C repo show main:d");
	sh("rm repo/.git/packed-refs.lock");
	publish(LAND_NOTHING);
	assert_tidy();
}

static void
a_locked_branch_of_the_ticket_is_prepared(void **state UNUSED)
{
	sh("mkdir -p repo/.git/refs/heads/ralph; touch repo/.git/refs/heads/ralph/t-1.lock");
	ticket.session = "t-1";
	prepare("t-1");
	assert_shell("1", "cat %s/file", place);
	assert_shell("ralph/t-1", "git -C %s branch --show-current", place);
}

static void
a_locked_copy_is_made_later(void **state UNUSED)
{
	work("t-1");
	sh("mkdir -p repo/.git/refs/ralph/failed/t-1; touch "
	   "repo/.git/refs/ralph/failed/t-1/1.lock");
	assert_fails(land_save, "t-1", "1.lock': File exists");
	assert_shell("c\nd", "cat %s/c %s/d", place, place);
	sh("rm repo/.git/refs/ralph/failed/t-1/1.lock");
	save("t-1");
	assert_shell("d", "git -C repo show %s:d", result.ref);
	assert_tidy();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    landing_test(locks_of_the_ticket_are_taken_away),
	    landing_test(a_locked_checkout_makes_the_merge_wait),
	    landing_test(a_locked_branch_is_not_moved),
	    landing_test(a_locked_head_is_not_moved),
	    landing_test(a_locked_branch_without_a_checkout_is_not_moved),
	    landing_test(our_own_locks_are_taken_away),
	    landing_test(a_lock_that_only_has_the_name_stays),
	    landing_test(locked_packed_references_keep_the_branch),
	    landing_test(a_locked_branch_of_the_ticket_is_prepared),
	    landing_test(a_locked_copy_is_made_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
