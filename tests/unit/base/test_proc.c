#include "base/alloc.h"
#include "base/clock.h"
#include "base/process/child.h"
#include "base/process/proc.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include <cmocka.h>

#define DEADLINE (60 * NSEC_PER_SEC)

/* A process that waits until it is killed, under a name meant to confuse. */
static pid_t
waiter(const char *name)
{
	int fds[2];
	pid_t pid;
	char c;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		prctl(PR_SET_NAME, name);
		close(fds[0]);
		close(fds[1]);
		for (;;)
			pause();
	}
	close(fds[1]);
	assert_int_equal(read(fds[0], &c, 1), 0); /* the process has its name now */
	close(fds[0]);
	return pid;
}

static void
an_identity_is_more_than_a_pid(void **state UNUSED)
{
	struct proc_id id, other;

	assert_int_equal(proc_id_self(&id), 0);
	assert_int_equal(id.pid, getpid());
	assert_string_equal(id.boot_id, clock_boot_id());
	assert_true(id.start_time > 0);
	assert_true(proc_id_alive(&id));
	other = id;
	other.start_time++;
	assert_false(proc_id_alive(&other));
	other = id;
	other.boot_id[0] ^= 1;
	assert_false(proc_id_alive(&other));
	other = id;
	other.pid = 0;
	assert_false(proc_id_alive(&other));
	assert_int_equal(proc_id_of(INT32_MAX, &other), -1);
}

static void
a_zombie_is_not_alive(void **state UNUSED)
{
	pid_t pid = waiter("sleeper");
	struct proc_id id;
	siginfo_t info;

	assert_int_equal(proc_id_of(pid, &id), 0);
	assert_true(proc_id_alive(&id));
	kill(pid, SIGKILL);
	assert_int_equal(waitid(P_PID, (id_t)pid, &info, WEXITED | WNOWAIT), 0);
	assert_false(proc_id_alive(&id));
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_false(proc_id_alive(&id));
}

static void
a_name_cannot_forge_the_rest(void **state UNUSED)
{
	static const char *const names[] = {
	    ") Z 1 2 3", "a) X (b", "((((", ")))) Z", " \n Z 1"};

	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		pid_t pid = waiter(names[i]);
		struct proc_id id, self;

		assert_int_equal(proc_id_self(&self), 0);
		assert_int_equal(proc_id_of(pid, &id), 0);
		assert_true(proc_id_alive(&id));
		assert_true(id.start_time >= self.start_time);
		kill(pid, SIGKILL);
		assert_int_equal(waitpid(pid, NULL, 0), pid);
	}
}

static struct child
start(const char *text, int out)
{
	char **argv = strlist_add(strlist_add(strlist_add(NULL, "sh"), "-c"), text);
	struct child_spec spec = {.argv = argv, .in = -1, .out = out, .err = -1};
	struct err err = ERR_INIT;
	struct child child;

	if (child_start(&spec, &child, &err) < 0)
		fail_msg("%s", err.text);
	strlist_free(argv);
	return child;
}

static void
wait_for_count(int want, pid_t keep)
{
	int64_t end = clock_boot() + DEADLINE;
	int n;

	while ((n = proc_count_descendants(keep)) != want && clock_boot() < end)
		usleep(1000);
	assert_int_equal(n, want);
}

static void
the_tree_has_no_way_out(void **state UNUSED)
{
	struct exit_status status;
	struct child child;
	int fds[2];
	char c;

	assert_int_equal(proc_count_descendants(0), 0);
	assert_int_equal(proc_signal_descendants(0), 0);
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	/* A child, a background child, one in its own session whose parent has
	 * ended, and one that ignores TERM. */
	child = start("sleep 1000 & (setsid sleep 1000 & ) ;"
		      " sh -c 'trap \"\" TERM; echo; exec sleep 1000' & wait",
	    fds[1]);
	assert_int_equal(read(fds[0], &c, 1), 1);
	wait_for_count(4, child.pid);
	assert_int_equal(proc_signal_descendants(0), 4);
	assert_int_equal(proc_signal_descendants(SIGTERM), 4);
	wait_for_count(1, child.pid);
	assert_int_equal(proc_signal_descendants(SIGKILL), 1);
	wait_for_count(0, child.pid);
	/* The child's status was left to us. */
	assert_int_equal(child_reap(&child, false, &status), 1);
	assert_int_equal(status.how, EXIT_SIGNAL);
	assert_int_equal(status.value, SIGTERM);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	close(child.pidfd);
	close(fds[0]);
	close(fds[1]);
}

static void
cpu_of_descendants_is_counted(void **state UNUSED)
{
	struct child child = start("while :; do :; done", -1);
	int64_t end = clock_boot() + DEADLINE;
	int64_t before = proc_descendants_cpu(child.pid);
	struct exit_status status;
	int64_t used;

	while ((used = proc_descendants_cpu(0)) <= before && clock_boot() < end)
		usleep(1000);
	assert_true(used > before);
	/* The agent's own time is not what is asked for. */
	assert_int_equal(proc_descendants_cpu(child.pid), before);
	kill(child.pid, SIGKILL);
	assert_int_equal(child_reap(&child, true, &status), 1);
	assert_true(proc_descendants_cpu(0) >= used);
	close(child.pidfd);
}

static void
note_pid(pid_t pid, void *ctx)
{
	pid_t *seen = ctx;

	*seen = pid;
}

static void
a_process_is_found_by_its_environment(void **state UNUSED)
{
	AUTO_FREE char *entry = xasprintf("RALPH_SESSION=unit-%d", (int)getpid());
	AUTO_FREE char *prefix = xasprintf("RALPH_SESSION=unit-%d0", (int)getpid());
	char **env =
	    strlist_add(strlist_add(strlist_add(NULL, "PATH=/usr/bin:/bin"), entry), "Z=");
	char **argv = strlist_add(strlist_add(NULL, "sleep"), "1000");
	struct child_spec spec = {.argv = argv, .env = env, .in = -1, .out = -1, .err = -1};
	int64_t end = clock_boot() + DEADLINE;
	struct exit_status status;
	struct child child;
	pid_t seen = 0;

	assert_int_equal(child_start(&spec, &child, NULL), 0);
	/* The kernel shows the environment a moment after the exec. */
	while (proc_each_with_env(entry, note_pid, &seen) == 0 && clock_boot() < end)
		usleep(1000);
	assert_int_equal(seen, child.pid);
	assert_int_equal(proc_each_with_env(entry, note_pid, &seen), 1);
	assert_int_equal(proc_each_with_env(prefix, note_pid, &seen), 0);
	assert_int_equal(proc_each_with_env("RALPH_SESSION=", note_pid, &seen), 0);
	kill(child.pid, SIGKILL);
	assert_int_equal(child_reap(&child, true, &status), 1);
	assert_int_equal(proc_each_with_env(entry, note_pid, &seen), 0);
	close(child.pidfd);
	strlist_free(env);
	strlist_free(argv);
}

static int
setup(void **state UNUSED)
{
	return proc_become_subreaper();
}

/* Also after a failed test, nobody stays behind. */
static int
teardown(void **state UNUSED)
{
	while (proc_signal_descendants(SIGKILL) > 0 || proc_count_descendants(0) > 0)
		usleep(1000);
	return 0;
}

static void
descent_is_told(void **state)
{
	pid_t child = fork();

	(void)state;
	if (child == 0)
		for (;;)
			pause();
	assert_true(child > 0);
	assert_true(proc_is_below(child, getpid()));
	assert_true(proc_is_below(child, getppid()));
	assert_false(proc_is_below(getpid(), child));
	assert_false(proc_is_below(getpid(), getpid()));
	assert_false(proc_is_below(0, getpid()));
	kill(child, SIGKILL);
	waitpid(child, NULL, 0);
	assert_false(proc_is_below(child, getpid()));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(an_identity_is_more_than_a_pid),
	    cmocka_unit_test(a_zombie_is_not_alive),
	    cmocka_unit_test(a_name_cannot_forge_the_rest),
	    cmocka_unit_test(the_tree_has_no_way_out),
	    cmocka_unit_test(descent_is_told),
	    cmocka_unit_test(cpu_of_descendants_is_counted),
	    cmocka_unit_test(a_process_is_found_by_its_environment),
	};

	return cmocka_run_group_tests_name("proc", tests, setup, teardown);
}
