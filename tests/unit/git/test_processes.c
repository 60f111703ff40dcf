/* What a step costs: git processes, counted, so that they do not creep up again.  And what may
 * happen between two of them. */
#include "git/turn/turn.h"
#include "landing.h"

#include <glob.h>
#include <poll.h>
#include <sys/file.h>

#define DEADLINE_MS 60000

/* A git that writes down what it is asked for, and lets `before-COMMAND` run first. */
static int
counting_setup(void **state)
{
	AUTO_FREE char *path = NULL;

	if (landing_setup(state) < 0)
		return -1;
	sh("mkdir bin; real=$(command -v git); cat >bin/git <<-END\n"
	   "\t#!/bin/sh\n"
	   "\tfor arg do\n"
	   "\t\tif [ -x '%s/before-'\"\\$arg\" ]; then '%s/before-'\"\\$arg\" $real; fi\n"
	   "\tdone\n"
	   "\techo \"\\$*\" >>'%s/log'\n"
	   "\texec $real \"\\$@\"\n"
	   "END\n"
	   "chmod +x bin/git",
	    scratch.path, scratch.path, scratch.path);
	path = xasprintf("%s/bin:%s", scratch.path, getenv("PATH"));
	setenv("PATH", path, 1);
	return 0;
}

static int
counting_teardown(void **state)
{
	const char *path = getenv("PATH");
	AUTO_FREE char *rest = xstrdup(strchr(path, ':') + 1);

	setenv("PATH", rest, 1);
	return landing_teardown(state);
}

#define counting_test(fn) cmocka_unit_test_setup_teardown(fn, counting_setup, counting_teardown)

static void
count_begin(void)
{
	sh(": >log");
}

static void
assert_count(int most)
{
	AUTO_FREE char *lines = shell("wc -l <log");
	AUTO_FREE char *log = shell("sed 's/.*fsyncMethod=batch//' log");

	if (strtol(lines, NULL, 10) > most)
		fail_msg("%s git processes, %d allowed:\n%s", lines, most, log);
}

static void
steps_take_few_processes(void **state UNUSED)
{
	count_begin();
	prepare("t-1");
	assert_count(4);
	agent("echo 1 >one; git add one; git commit -qm one");
	count_begin();
	merge("t-1");
	assert_count(15);
	count_begin();
	publish(LAND_NOTHING);
	assert_count(1);
	assert_shell("1", "cat repo/one");
	assert_tidy();
}

/* There git tells which objects are new, twice, and which files of the checkout (git/sync.h).
 */
static void
large_repositories_take_three_more(void **state UNUSED)
{
	sh("cd repo; mkdir many; long=$(printf '%%0190d' 0)\n"
	   "for i in $(seq 1400); do : >many/$long-$i; done\n"
	   "git add .; git commit -qm many");
	count_begin();
	prepare("t-1");
	assert_count(4);
	agent("echo 1 >one; git add one; git commit -qm one");
	count_begin();
	merge("t-1");
	assert_count(18);
	count_begin();
	prepare("t-2");
	assert_count(4);
}

static void
leftovers_cost_a_few_more(void **state UNUSED)
{
	prepare("t-1");
	agent("echo 1 >one; git add one; git commit -qm one; echo 2 >two");
	count_begin();
	merge("t-1");
	assert_count(19);
	assert_shell("2", "cat repo/two");
	assert_tidy();
}

static void
copies_take_few_processes(void **state UNUSED)
{
	prepare("t-1");
	agent("echo 1 >one; git add one; git commit -qm one");
	count_begin();
	save("t-1");
	assert_count(10);
	assert_shell("1", "git -C repo show %s:one", result.ref);
	assert_tidy();
}

/* The merge is a fast-forward of whatever is checked out then: that must have been main. */
static void
a_checkout_that_is_switched_meanwhile_does_not_count(void **state UNUSED)
{
	prepare("t-1");
	agent("echo 1 >one; git add one; git commit -qm one");
	sh("printf '#!/bin/sh\\ncd %s/repo; $1 switch -q -c elsewhere 2>/dev/null || :\\n' "
	   ">before---ff-only; chmod +x before---ff-only",
	    scratch.path);
	merge("t-1");
	assert_int_equal(result.waiting, 1);
	assert_shell("first", "git -C repo log -1 --format=%%s main");
	assert_shell("1", "git -C repo show refs/ralph/land/main:one");
	sh("rm before---ff-only; git -C repo switch -q main");
	publish(LAND_MERGED);
	assert_int_equal(result.waiting, 0);
	assert_shell("1", "cat repo/one");
}

/* The user may be faster than us. */
static void
commits_that_come_meanwhile_are_merged_with(void **state UNUSED)
{
	prepare("t-1");
	agent("echo 1 >one; git add one; git commit -qm one");
	sh("printf '#!/bin/sh\\nrm %s/before---ff-only; cd %s/repo; echo 0 >zero; $1 add zero; "
	   "$1 commit -qm zero\\n' >before---ff-only; chmod +x before---ff-only",
	    scratch.path, scratch.path);
	merge("t-1");
	assert_int_equal(result.waiting, 0);
	assert_shell("0\n1", "cat repo/zero repo/one");
	assert_shell("1", "git -C repo log --merges --format=%%h | wc -l");
	assert_tidy();
}

/* A worktree whose configuration leads git elsewhere is not believed. */
static void
worktrees_that_lead_elsewhere_stay(void **state UNUSED)
{
	prepare("t-1");
	agent("echo 1 >one; mkdir ../aside; git config extensions.worktreeConfig true\n"
	      "git config --worktree core.worktree \"$PWD/../aside\"");
	assert_fails(land_merge, "t-1", "is no worktree of");
	assert_shell("1", "cat %s/one", place);
	agent("rm $(sed 's/gitdir: //' .git)/config.worktree");
	merge("t-1");
	assert_shell("1", "cat repo/one");
}

static void
log_await(const char *word)
{
	for (int waited = 0; waited < DEADLINE_MS; waited += 10) {
		AUTO_FREE char *found = shell("grep -c ' %s ' log || :", word);

		if (*found != '0')
			return;
		(void)poll(NULL, 0, 10);
	}
	fail_msg("git %s was not asked for", word);
}

/* What is written into a worktree while it waits for its turn lands too. */
static void
work_is_looked_at_again_after_a_wait(void **state UNUSED)
{
	glob_t locks;
	int lock, status;
	pid_t pid;

	prepare("t-0");
	agent("echo 0 >zero");
	merge("t-0");
	prepare("t-1");
	agent("echo 1 >one");
	assert_int_equal(glob(at("repo/.git/ralph-land-*.lock"), 0, NULL, &locks), 0);
	lock = open(locks.gl_pathv[0], O_RDWR | O_CLOEXEC);
	globfree(&locks);
	assert_int_equal(flock(lock, LOCK_EX), 0);
	count_begin();
	pid = fork();
	if (pid == 0) {
		close(lock);
		ticket.id = "t-1";
		result = (struct land_result){.outcome = LAND_NOTHING};
		_exit(land_merge(&plan, &ticket, &result, &err) < 0 ? 1 : 0);
	}
	log_await("commit-tree");
	agent("echo 2 >two");
	/* Longer than what was seen before is believed. */
	(void)poll(NULL, 0, 1200);
	close(lock);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_shell("1\n2", "cat repo/one repo/two");
	assert_tidy();
}

/* A turn in which a file is changed; its steps may take so many processes. */
static void
turn_costs(int begins, int commits)
{
	AUTO_FREE char *root = xstrdup(at("repo"));
	AUTO_FREE char *file = xstrdup(at("T1.json"));
	const struct turn_spec turn = {.root = root, .task = "T1", .file = file};
	const struct turn_words words = {"Change a file.", "Change it"};
	struct turn_result made = {.outcome = TURN_NOTHING};

	/* What was written just now could be written again at the same time. */
	(void)poll(NULL, 0, 150);
	count_begin();
	assert_int_equal(turn_begin(&turn, &err), 0);
	assert_count(begins);
	sh("echo more >>repo/file; echo new >repo/new");
	count_begin();
	assert_int_equal(turn_commit(&turn, &words, &made, &err), 0);
	assert_count(commits);
	assert_int_equal(made.outcome, TURN_COMMITTED);
	assert_null(made.text);
	assert_shell(
	    "file\nnew", "git -C repo diff-tree -r --name-only --no-commit-id %s", made.commit);
	turn_result_release(&made);
	count_begin();
	assert_int_equal(turn_forget(&turn, &err), 0);
	assert_count(1);
}

static void
turns_take_few_processes(void **state UNUSED)
{
	turn_costs(4, 8);
	assert_shell("", "git -C repo status --porcelain");
}

/* What is as it was before the task costs the commit nothing. */
static void
turns_among_other_changes_take_few_more(void **state UNUSED)
{
	sh("cd repo; echo mine >>sub/two; echo u >untracked");
	turn_costs(6, 8);
	assert_shell(" M sub/two\n?? untracked", "git -C repo status --porcelain");
}

/* A git to run the hook, one to see what the hook made of it, and one for each author. */
static void
hooks_that_are_there_take_a_few_more(void **state UNUSED)
{
	sh("cd repo; printf '#!/bin/sh\\nexit 0\\n' >.git/hooks/pre-commit; chmod +x "
	   ".git/hooks/pre-commit");
	turn_costs(4, 12);
	assert_shell("", "git -C repo status --porcelain");
}

/* Somebody puts HEAD elsewhere right after the commit: what that HEAD lacks is not staged. */
static void
an_index_follows_no_other_head(void **state UNUSED)
{
	sh("git -C repo branch other; printf '#!/bin/sh\\ncd %s/repo; $1 symbolic-ref HEAD "
	   "refs/heads/other\\n' >before-log; chmod +x before-log",
	    scratch.path);
	turn_costs(4, 10);
	assert_shell("", "git -C repo diff-index --cached HEAD");
	assert_shell("main", "git -C repo for-each-ref --format='%%(refname:short)' --contains "
			     "$(git -C repo rev-parse main) refs/heads");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    counting_test(steps_take_few_processes),
	    counting_test(large_repositories_take_three_more),
	    counting_test(leftovers_cost_a_few_more),
	    counting_test(copies_take_few_processes),
	    counting_test(a_checkout_that_is_switched_meanwhile_does_not_count),
	    counting_test(commits_that_come_meanwhile_are_merged_with),
	    counting_test(worktrees_that_lead_elsewhere_stay),
	    counting_test(work_is_looked_at_again_after_a_wait),
	    counting_test(turns_take_few_processes),
	    counting_test(turns_among_other_changes_take_few_more),
	    counting_test(hooks_that_are_there_take_a_few_more),
	    counting_test(an_index_follows_no_other_head),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
