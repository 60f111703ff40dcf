/* Killed at any point, a step that is done again ends as if nothing had happened. */
#include "killed.h"

static void
prepare_is_done_again(void **state UNUSED)
{
	static char env[] = "env";
	static char *copy[] = {env, NULL};
	bool killed = true;

	plan.copy = copy;
	plan.setup = "echo set up >setup.o";
	sh("echo secret >repo/env");
	for (int k = 1; killed; k++) {
		const char *id = id_of(k);

		assert_true(k < POINTS_MAX);
		killed = killed_at(k, land_prepare, id);
		prepare(id);
		assert_string_equal(strrchr(result.path, '/') + 1, id);
		assert_false(result.resumed);
		assert_shell("1\nsecret\nset up", "cd %s; cat file env setup.o", place);
		assert_shell("?? env", "git -C %s status --porcelain", place);
		step(land_merge, id, LAND_NOTHING);
	}
	assert_tidy();
}

/* Merges of one ticket each, with verification and leftovers. */
static void
sweep_merge(const char *branch, int64_t waiting)
{
	bool killed = true;

	for (int k = 1; killed; k++) {
		const char *id = id_of(k);
		char script[200];

		assert_true(k < POINTS_MAX);
		snprintf(script, sizeof(script),
		    "echo %s >>log; echo %s >%s; echo x >>sub/two; mkdir -p .tf/ralph; echo p "
		    ">.tf/ralph/p",
		    id, id, id);
		prepare(id);
		agent("echo c >>c; git add c; git commit -qm c");
		agent(script);
		killed = killed_at(k, land_merge, id);
		merge(id);
		assert_int_equal(result.waiting > 0, waiting > 0);
		assert_shell(id, "git -C repo show %s:%s", branch, id);
		assert_shell("1",
		    "git -C repo log --merges --format=%%h --grep='Session: %s$' %s | wc -l",
		    id, branch);
		assert_shell(result.commit,
		    "git -C repo log -1 --format=%%H --grep='Session: %s$' %s", id, branch);
		assert_false(is_there(place + strlen(scratch.path) + 1));
		sh("! git -C repo rev-parse -q --verify ralph/%s", id);
	}
}

static void
merges_are_done_again(void **state UNUSED)
{
	plan.verify = "test -e log; echo by-product >by-product; echo y >>file";
	sweep_merge("main", 0);
	assert_false(is_there("repo/by-product"));
	assert_tidy();
}

static void
merges_without_a_checkout_are_done_again(void **state UNUSED)
{
	sh("git -C repo checkout -q -b user");
	sweep_merge("main", 0);
	assert_tidy();
}

static void
merges_that_wait_are_done_again(void **state UNUSED)
{
	sh("echo dirty >repo/sub/two");
	sweep_merge("refs/ralph/land/main", 1);
	assert_shell("dirty\nfirst", "cat repo/sub/two; git -C repo log -1 --format=%%s");
	sh("git -C repo checkout -q sub/two");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 0);
	assert_tidy();
}

/* Beside a merge that waits, others are brought onto the branch one by one. */
static void
merges_beside_what_waits_are_done_again(void **state UNUSED)
{
	bool killed = true;

	sh("echo dirty >repo/file");
	prepare("waits");
	agent("echo 2 >>file");
	merge("waits");
	for (int k = 1; killed; k++) {
		const char *id = id_of(k);
		char script[64];

		assert_true(k < POINTS_MAX);
		snprintf(script, sizeof(script), "echo %s >%s", id, id);
		prepare(id);
		agent(script);
		killed = killed_at(k, land_merge, id);
		merge(id);
		assert_int_equal(result.waiting, 1);
		assert_false(result.waits);
		assert_shell(id, "cat repo/%s", id);
		assert_shell("1",
		    "git -C repo log --merges --format=%%h --grep='Session: %s$' main | wc -l",
		    id);
		assert_shell(" M file", "git -C repo status --porcelain -uno");
	}
	sh("git -C repo checkout -q file");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 0);
	assert_shell("1\n2", "cat repo/file");
	assert_tidy();
}

static void
copies_are_made_again(void **state UNUSED)
{
	bool killed = true;

	for (int k = 1; killed; k++) {
		const char *id = id_of(k);

		assert_true(k < POINTS_MAX);
		prepare(id);
		agent("echo c >c; git add c; git commit -qm c; echo d >d; rm file");
		killed = killed_at(k, land_save, id);
		save(id);
		assert_shell(result.ref,
		    "git -C repo for-each-ref --format='%%(refname)' refs/ralph/failed/%s", id);
		assert_shell(".gitignore\nc\nd\nsub/two",
		    "git -C repo ls-tree -r --name-only %s", result.ref);
	}
	assert_tidy();
}

/* After a conflict or a failed verification all is as the agent left it. */
static void
failed_merges_leave_the_work(void **state UNUSED)
{
	bool killed = true;

	plan.verify = "echo by-product >by-product; rm file; exit 1";
	for (int k = 1; killed; k++) {
		const char *id = id_of(k);

		assert_true(k < POINTS_MAX);
		prepare(id);
		agent("echo c >c; git add c; git commit -qm c; echo d >d");
		killed = killed_at(k, land_merge, id);
		/* The next attempt, or the same one again. */
		if (k % 2 == 0) {
			prepare(id);
			assert_true(result.resumed);
			assert_false(is_there("repo/by-product"));
		}
		step(land_merge, id, LAND_UNVERIFIED);
		assert_shell(
		    "c\nd\n1", "cd %s; cat c d file; ls by-product 2>/dev/null || :", place);
		assert_shell("", "git -C %s status --porcelain", place);
		save(id);
		assert_shell("d", "git -C repo show %s:d", result.ref);
	}
	assert_tidy();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    landing_test(prepare_is_done_again),
	    landing_test(merges_are_done_again),
	    landing_test(merges_without_a_checkout_are_done_again),
	    landing_test(merges_that_wait_are_done_again),
	    landing_test(merges_beside_what_waits_are_done_again),
	    landing_test(copies_are_made_again),
	    landing_test(failed_merges_leave_the_work),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
