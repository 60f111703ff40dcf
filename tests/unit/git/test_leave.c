/* Worktrees that stayed behind. */
#include "killed.h"

/* Merged, but its worktree could not be removed: the next start of the run does it, unless
 * somebody has made use of it. */
static void
what_stayed_behind_is_removed_later(void **state UNUSED)
{
	bool killed = true;
	int stayed = 0, kept = 0;

	for (int k = 1; killed; k++) {
		const char *id = id_of(k);
		AUTO_FREE char *leaving = NULL;

		assert_true(k < POINTS_MAX);
		prepare(id);
		agent("echo c >>c; git add c; git commit -qm c; echo l >l.o");
		killed = killed_at(k, land_merge, id);
		leaving = shell(
		    "grep -c leaving repo/.git/ralph/tickets/notes/%s 2>/dev/null || :", id);
		if (*leaving == '1' && kept == 0 &&
		    is_there(place + strlen(scratch.path) + 1)) {
			agent("echo precious >precious");
			publish(LAND_NOTHING);
			assert_shell(
			    "precious", "cat %s/precious; rm %s/precious", place, place);
			kept++;
		}
		publish(LAND_NOTHING);
		if (*leaving == '1') {
			stayed++;
			assert_false(is_there(place + strlen(scratch.path) + 1));
			sh("! git -C repo rev-parse -q --verify ralph/%s", id);
			sh("! test -e repo/.git/ralph/tickets/notes/%s", id);
		}
		merge(id);
	}
	assert_true(stayed > 0 && kept > 0);
	assert_tidy();
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    landing_test(what_stayed_behind_is_removed_later),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
