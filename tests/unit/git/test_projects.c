/* Tickets of different projects, or of different sessions, that have the same id. */
#include "landing.h"

static char other_dir[512];

/* As another project of the repository, or as the first one again. */
static void
other_project(void)
{
	snprintf(other_dir, sizeof(other_dir), "%s/repo/b/.tf/ralph/worktrees", scratch.path);
	plan.dir = other_dir;
	plan.key = "tickets-b";
	ticket.session = "calm-elk";
}

static void
first_project(void)
{
	plan.dir = plan_dir;
	plan.key = NULL;
	ticket.session = "wise-fox";
}

static void
projects_do_not_meet(void **state UNUSED)
{
	prepare("t-1");
	assert_string_equal(result.branch, "ralph/t-1");
	agent("echo a >one");
	other_project();
	prepare("t-1");
	assert_string_equal(result.branch, "ralph/t-1-2");
	assert_string_equal(result.path, at("repo/b/.tf/ralph/worktrees/t-1-2"));
	assert_false(result.resumed);
	agent("echo b >two");
	first_project();
	merge("t-1");
	assert_shell("a", "cat repo/one");
	assert_shell("b", "cat %s/two", place);
	other_project();
	merge("t-1");
	assert_shell("a\nb", "cat repo/one repo/two");
	assert_tidy();
}

/* The name is free again when the other one is done with it. */
static void
a_name_is_taken_as_long_as_it_is_used(void **state UNUSED)
{
	prepare("t-1");
	agent("echo a >a");
	merge("t-1");
	other_project();
	prepare("t-1");
	assert_string_equal(result.branch, "ralph/t-1");
	step(land_merge, "t-1", LAND_NOTHING);
	/* A branch that is kept is the first project's. */
	first_project();
	plan.keep_branch = true;
	prepare("t-2");
	agent("echo c >c");
	merge("t-2");
	plan.keep_branch = false;
	other_project();
	prepare("t-2");
	assert_string_equal(result.branch, "ralph/t-2-2");
	assert_shell("c", "git -C repo show ralph/t-2:c");
	step(land_merge, "t-2", LAND_NOTHING);
	sh("git -C repo branch -q -D ralph/t-2");
	prepare("t-2");
	assert_string_equal(result.branch, "ralph/t-2");
}

/* ralph/t and ralph/t/x cannot both be. */
static void
names_that_lie_below_others(void **state UNUSED)
{
	sh("git -C repo branch ralph/t-1/x");
	prepare("t-1");
	assert_string_equal(result.branch, "ralph/t-1-2");
	other_project();
	prepare("t-1");
	assert_string_equal(result.branch, "ralph/t-1-3");
}

/* Two who choose at the same moment. */
static void
names_are_taken_one_after_the_other(void **state UNUSED)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		other_project();
		_exit(land_prepare(&plan, &ticket, &result, &err) < 0);
	}
	prepare("t-1");
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_shell("ralph/t-1\nralph/t-1-2",
	    "git -C repo branch --list --format='%%(refname:short)' 'ralph/*'");
	assert_shell("3", "git -C repo worktree list | wc -l");
}

/* Another session has the ticket by now: its place is not ours to land or to remove. */
static void
what_another_session_has_stays(void **state UNUSED)
{
	prepare("t-1");
	agent("echo a >a; git add a; git commit -qm a; echo b >b");
	ticket.session = "late-owl";
	ticket.place = "/somewhere/else";
	assert_fails(land_merge, "t-1",
	    "t-1 is another session's by now; what this one did stays in /somewhere/else");
	assert_fails(land_save, "t-1", "is another session's by now");
	assert_shell("a\nb\nralph/t-1", "cd %s; cat a b; git branch --show-current", place);
	ticket.session = "wise-fox";
	ticket.place = place;
	merge("t-1");
	assert_shell("a\nb", "cat repo/a repo/b");
	assert_tidy();
}

/* A merge that was made is made, whoever has the place now. */
static void
what_has_landed_is_remembered(void **state UNUSED)
{
	prepare("t-1");
	agent("echo a >a");
	merge("t-1");
	ticket.session = "late-owl";
	prepare("t-1");
	ticket.session = "wise-fox";
	merge("t-1");
	assert_true(is_there("repo/.tf/ralph/worktrees/t-1"));
}

/* Without a place, or off its branch, a session cannot say that it left nothing. */
static void
nothing_is_believed_of_its_own_tree_alone(void **state UNUSED)
{
	prepare("t-1");
	agent("git checkout -q --detach");
	assert_fails(land_merge, "t-1", "t-1 is not on its branch ralph/t-1");
	assert_shell(
	    "ralph/t-1", "git -C repo branch --list --format='%%(refname:short)' 'r*'");
	agent("git checkout -q ralph/t-1");
	step(land_merge, "t-1", LAND_NOTHING);
	assert_tidy();
	prepare("t-2");
	agent("cd ..; rm -rf t-2; git -C ../../.. worktree prune");
	assert_fails(land_merge, "t-2", "is gone, and nothing of it has landed");
	assert_shell(
	    "ralph/t-2", "git -C repo branch --list --format='%%(refname:short)' 'r*'");
}

/* Notes of earlier versions lie in one place for all projects, and know no session. */
static void
notes_of_earlier_versions_are_found(void **state UNUSED)
{
	sh("mkdir repo/.tf/ralph/worktrees/t-1 -p; echo mine "
	   ">repo/.tf/ralph/worktrees/t-1/mine");
	prepare("t-1");
	agent("echo a >a");
	sh("cd repo/.git; mkdir ralph-tickets; sed 's/,\"session\".*/}/' "
	   "ralph/tickets/notes/t-1 >ralph-tickets/t-1; rm ralph/tickets/notes/t-1");
	other_project();
	ticket.place = at("repo/b/.tf/ralph/worktrees/t-1");
	assert_fails(land_merge, "t-1", "another session's");
	ticket.place = NULL;
	prepare("t-1");
	assert_string_equal(result.path, at("repo/b/.tf/ralph/worktrees/t-1"));
	first_project();
	ticket.place = at("repo/.tf/ralph/worktrees/t-1-2");
	merge("t-1");
	assert_shell("a", "cat repo/a; ls -d repo/.git/ralph-tickets 2>/dev/null || :");
	assert_shell(
	    "ralph/t-1", "git -C repo branch --list --format='%%(refname:short)' 'r*'");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    landing_test(projects_do_not_meet),
	    landing_test(a_name_is_taken_as_long_as_it_is_used),
	    landing_test(names_that_lie_below_others),
	    landing_test(names_are_taken_one_after_the_other),
	    landing_test(what_another_session_has_stays),
	    landing_test(what_has_landed_is_remembered),
	    landing_test(nothing_is_believed_of_its_own_tree_alone),
	    landing_test(notes_of_earlier_versions_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
