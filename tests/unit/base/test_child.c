#include "base/alloc.h"
#include "base/fs.h"
#include "base/process/child.h"
#include "scratch.h"
#include <poll.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define DEADLINE_MS 60000

/* argv for a shell script; the caller frees it with strlist_free. */
static char **
script(const char *text)
{
	return strlist_add(strlist_add(strlist_add(NULL, "sh"), "-c"), text);
}

/* Starts the child with a pipe as standard output and gives back all that it wrote there. */
static struct exit_status
run(struct child_spec *spec, struct buf *out)
{
	struct exit_status status;
	struct err err = ERR_INIT;
	struct child child;
	int fds[2];

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	spec->out = fds[1];
	if (child_start(spec, &child, &err) < 0)
		fail_msg("%s", err.text);
	close(fds[1]);
	for (;;) {
		char chunk[4096];
		ssize_t n = read(fds[0], chunk, sizeof(chunk));

		assert_true(n >= 0);
		if (n == 0)
			break;
		buf_add(out, chunk, (size_t)n);
	}
	close(fds[0]);
	assert_int_equal(child_reap(&child, true, &status), 1);
	close(child.pidfd);
	return status;
}

static struct exit_status
run_script(const char *text, struct child_spec *spec, struct buf *out)
{
	char **argv = script(text);
	struct exit_status status;

	spec->argv = argv;
	status = run(spec, out);
	strlist_free(argv);
	return status;
}

static void
output_and_exit_codes_come_back(void **state UNUSED)
{
	struct child_spec spec = {.in = -1, .err = -1};
	AUTO_BUF out = BUF_INIT;
	struct exit_status status = run_script("cat; echo hello; exit 3", &spec, &out);

	assert_string_equal(out.data, "hello\n");
	assert_int_equal(status.how, EXIT_CODE);
	assert_int_equal(status.value, 3);
	status = run_script("kill -TERM $$", &spec, &out);
	assert_int_equal(status.how, EXIT_SIGNAL);
	assert_int_equal(status.value, SIGTERM);
	assert_int_equal(exit_number(status), 143);
}

static void
environment_and_directory_are_the_given_ones(void **state UNUSED)
{
	char **env = strlist_add(strlist_add(NULL, "PATH=/usr/bin:/bin"), "WHO=agent");
	struct child_spec spec = {.in = -1, .err = -1, .env = env, .cwd = "/usr"};
	AUTO_BUF out = BUF_INIT;

	run_script("pwd; echo $WHO; echo ${HOME-unset}", &spec, &out);
	assert_string_equal(out.data, "/usr\nagent\nunset\n");
	strlist_free(env);
}

static void
assert_refused(const struct child_spec *spec, const char *text, int code)
{
	struct err err = ERR_INIT;
	struct child child;

	assert_int_equal(child_start(spec, &child, &err), -1);
	assert_string_equal(err.text, text);
	assert_int_equal(err.code, code);
	assert_int_equal(child.pidfd, -1);
	/* Nothing is left to be reaped. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

static void
what_cannot_be_started_is_an_error(void **state UNUSED)
{
	AUTO_FREE char *plain = xasprintf("%s/plain", scratch.path);
	AUTO_FREE char *orphan = xasprintf("%s/orphan", scratch.path);
	AUTO_FREE char *path = xasprintf("PATH=%s:/nowhere", scratch.path);
	AUTO_FREE char *denied = xasprintf("%s: Permission denied", plain);
	AUTO_FREE char *missing = xasprintf("%s: the interpreter it names is missing", orphan);
	char **argv = strlist_add(NULL, "no-such-agent");
	char **env = strlist_add(NULL, path);
	struct child_spec spec = {.argv = argv, .env = env, .in = -1, .out = -1, .err = -1};

	assert_int_equal(fs_replace(scratch.fd, "plain", "x", 1, FS_NOSYNC, NULL), 0);
	assert_int_equal(fs_replace(scratch.fd, "orphan", "#!/no/sh\n", 9, FS_NOSYNC, NULL), 0);
	assert_int_equal(fchmodat(scratch.fd, "orphan", 0700, 0), 0);
	assert_refused(&spec, "no-such-agent: command not found", ENOENT);
	spec.file = "/no/such/agent";
	assert_refused(&spec, "/no/such/agent: No such file or directory", ENOENT);
	spec.file = plain;
	assert_refused(&spec, denied, EACCES);
	spec.file = orphan;
	assert_refused(&spec, missing, ENOENT);
	spec.file = NULL;
	strlist_free(argv);
	spec.argv = argv = strlist_add(NULL, "plain");
	assert_refused(&spec, "plain: Permission denied", EACCES);
	spec.cwd = "/no/such/directory";
	assert_refused(
	    &spec, "cannot enter /no/such/directory: No such file or directory", ENOENT);
	spec.cwd = NULL;
	spec.tty = true;
	assert_refused(
	    &spec, "cannot give plain its terminal: Inappropriate ioctl for device", ENOTTY);
	strlist_free(argv);
	strlist_free(env);
}

static void
an_argument_too_long_is_an_error(void **state UNUSED)
{
	char **argv = script(":");
	char *prompt = xcalloc(1, 200001);
	struct child_spec spec = {.in = -1, .out = -1, .err = -1};

	memset(prompt, 'p', 200000);
	spec.argv = argv = strlist_add(argv, prompt);
	assert_refused(&spec, "sh: Argument list too long", E2BIG);
	strlist_free(argv);
	free(prompt);
}

static void
a_later_directory_of_path_is_used(void **state UNUSED)
{
	AUTO_FREE char *path = xasprintf("PATH=%s:/usr/bin:/bin", scratch.path);
	char **env = strlist_add(NULL, path);
	struct child_spec spec = {.in = -1, .err = -1, .env = env};
	AUTO_BUF out = BUF_INIT;

	/* A file that may not be executed is passed over, as a shell does. */
	assert_int_equal(fs_replace(scratch.fd, "sh", "x", 1, FS_NOSYNC, NULL), 0);
	run_script("echo found", &spec, &out);
	assert_string_equal(out.data, "found\n");
	strlist_free(env);
}

static void
only_kept_descriptors_are_passed_on(void **state UNUSED)
{
	int leaked = fcntl(scratch.fd, F_DUPFD, 20);
	int kept = fcntl(scratch.fd, F_DUPFD_CLOEXEC, 30);
	int also = fcntl(scratch.fd, F_DUPFD, 25);
	const int keep[] = {kept, also, -1};
	struct child_spec spec = {.in = -1, .err = -1, .keep = keep};
	AUTO_FREE char *expected = xasprintf("0 1 2 %d %d ", also, kept);
	AUTO_BUF out = BUF_INIT;

	run_script("for i in 0 1 2 3 4 5 6 7 8 9 $(seq 10 60); do"
		   " test -e /proc/$$/fd/$i && printf '%d ' $i; done",
	    &spec, &out);
	assert_string_equal(out.data, expected);
	assert_true(fcntl(kept, F_GETFD) & FD_CLOEXEC);
	close(leaked);
	close(kept);
	close(also);
}

static void
signals_are_as_a_program_expects_them(void **state UNUSED)
{
	struct child_spec spec = {.in = -1, .err = -1};
	AUTO_BUF out = BUF_INIT;
	sigset_t set, old;

	signal(SIGPIPE, SIG_IGN);
	signal(SIGXFSZ, SIG_IGN);
	sigemptyset(&set);
	sigaddset(&set, SIGUSR1);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, &old);
	run_script("exec grep -E 'Sig(Blk|Ign)' /proc/self/status", &spec, &out);
	sigprocmask(SIG_BLOCK, NULL, &set);
	sigprocmask(SIG_SETMASK, &old, NULL);
	assert_true(sigismember(&set, SIGUSR1) && sigismember(&set, SIGTERM));
	assert_false(sigismember(&set, SIGINT));
	assert_string_equal(out.data, "SigBlk:\t0000000000000000\nSigIgn:\t0000000000000000\n");
	signal(SIGPIPE, SIG_DFL);
	signal(SIGXFSZ, SIG_DFL);
}

/* Descriptors 0 and 1 are exchanged, from a process that really has them so. */
static void
descriptors_may_overlap(void **state UNUSED)
{
	char word[16] = "";
	int to[2], from[2], status;
	pid_t pid;

	assert_int_equal(pipe2(to, O_CLOEXEC), 0);
	assert_int_equal(pipe2(from, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		char **argv = strlist_add(NULL, "cat");
		struct child_spec spec = {.argv = argv, .in = 1, .out = 0, .err = 0};
		struct exit_status end;
		struct child child;

		close(to[1]); /* or it would wait for us to write */
		if (dup2(to[0], 1) < 0 || dup2(from[1], 0) < 0 ||
		    child_start(&spec, &child, NULL) < 0)
			_exit(1);
		_exit(child_reap(&child, true, &end) == 1 && exit_ok(end) ? 0 : 2);
	}
	close(to[0]);
	close(from[1]);
	assert_int_equal(write(to[1], "crossed", 7), 7);
	close(to[1]);
	assert_int_equal(read(from[0], word, sizeof(word)), 7);
	assert_string_equal(word, "crossed");
	close(from[0]);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
}

static void
a_terminal_becomes_the_controlling_one(void **state UNUSED)
{
	int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	char **argv = script("read -r _ _ _ _ _ sid _ </proc/$$/stat; test $sid -eq $$ &&"
			     " exec 5>/dev/tty && echo mine >&5");
	struct child_spec spec = {.argv = argv, .err = -1, .tty = true};
	struct exit_status status;
	struct err err = ERR_INIT;
	struct child child;
	char text[64];
	int slave;

	assert_int_equal(grantpt(master) + unlockpt(master), 0);
	slave = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_true(slave >= 0);
	spec.in = spec.out = slave;
	assert_int_equal(child_start(&spec, &child, &err), 0);
	assert_int_equal(child_reap(&child, true, &status), 1);
	assert_true(exit_ok(status));
	assert_true(read(master, text, sizeof(text)) >= 4);
	assert_memory_equal(text, "mine", 4);
	close(child.pidfd);
	close(slave);
	close(master);
	strlist_free(argv);
}

static void
reaping_does_not_wait_unless_asked(void **state UNUSED)
{
	int fds[2];
	char **argv = script("read line");
	struct child_spec spec = {.argv = argv, .out = -1, .err = -1, .new_session = true};
	struct exit_status status;
	struct pollfd ended;
	struct child child;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	spec.in = fds[0];
	assert_int_equal(child_start(&spec, &child, NULL), 0);
	assert_true(fcntl(child.pidfd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(getsid(child.pid), child.pid);
	assert_int_equal(child_reap(&child, false, &status), 0);
	close(fds[1]);
	ended = (struct pollfd){.fd = child.pidfd, .events = POLLIN};
	assert_int_equal(poll(&ended, 1, DEADLINE_MS), 1);
	assert_int_equal(child_reap(&child, false, &status), 1);
	assert_int_equal(status.how, EXIT_CODE);
	assert_int_equal(child_reap(&child, false, &status), -1);
	assert_int_equal(status.how, EXIT_UNKNOWN);
	close(child.pidfd);
	close(fds[0]);
	strlist_free(argv);
}

static void
a_child_can_die_with_its_parent(void **state UNUSED)
{
	pid_t middle, sleeper = 0;
	int fds[2], status;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	assert_int_equal(prctl(PR_SET_CHILD_SUBREAPER, 1), 0);
	middle = fork();
	if (middle == 0) {
		char **argv = strlist_add(strlist_add(NULL, "sleep"), "1000");
		struct child_spec spec = {
		    .argv = argv, .in = -1, .out = -1, .err = -1, .death_signal = SIGKILL};
		struct child child;

		if (child_start(&spec, &child, NULL) == 0 &&
		    write(fds[1], &child.pid, sizeof(child.pid)) > 0)
			_exit(0);
		_exit(1);
	}
	assert_int_equal(read(fds[0], &sleeper, sizeof(sleeper)), sizeof(sleeper));
	assert_int_equal(waitpid(middle, &status, 0), middle);
	/* Ours now; without the signal this would wait for a thousand seconds. */
	alarm(DEADLINE_MS / 1000);
	assert_int_equal(waitpid(sleeper, &status, 0), sleeper);
	alarm(0);
	assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	close(fds[0]);
	close(fds[1]);
}

static void
many_starts_leave_nothing_behind(void **state UNUSED)
{
	char **argv = strlist_add(NULL, "true");
	char **bad = strlist_add(NULL, "no-such-agent");
	struct child_spec spec = {.argv = argv, .in = -1, .out = -1, .err = -1};
	int before = dup(scratch.fd), after;

	close(before);
	for (int i = 0; i < 50; i++) {
		struct exit_status status;
		struct child child;

		spec.argv = argv;
		assert_int_equal(child_start(&spec, &child, NULL), 0);
		assert_int_equal(child_reap(&child, true, &status), 1);
		assert_true(exit_ok(status));
		close(child.pidfd);
		spec.argv = bad;
		assert_int_equal(child_start(&spec, &child, NULL), -1);
	}
	after = dup(scratch.fd);
	close(after);
	assert_int_equal(after, before);
	strlist_free(argv);
	strlist_free(bad);
}

#ifdef RALPH_FAULTS
static void
a_start_is_a_fault_point(void **state UNUSED)
{
	char **argv = strlist_add(NULL, "true");
	struct child_spec spec = {.argv = argv, .in = -1, .out = -1, .err = -1};

	setenv("RALPH_FAULT", "EAGAIN@1", 1);
	fs_fault_init();
	assert_refused(&spec, "cannot start true: Resource temporarily unavailable", EAGAIN);
	fs_fault_init();
	strlist_free(argv);
}

static void
a_fork_that_fails_fails_no_write(void **state UNUSED)
{
	char **argv = strlist_add(NULL, "true");
	struct child_spec spec = {.argv = argv, .in = -1, .out = -1, .err = -1};
	struct err err = ERR_INIT;

	setenv("RALPH_FAULT", "FORK@1", 1);
	fs_fault_init();
	assert_int_equal(fs_replace(scratch.fd, "f", "x", 1, FS_SYNC, &err), 0);
	assert_refused(&spec, "cannot start true: Resource temporarily unavailable", EAGAIN);
	assert_int_equal(fs_replace(scratch.fd, "f", "y", 1, FS_SYNC, &err), 0);
	fs_fault_init();
	strlist_free(argv);
}
#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    scratch_test(output_and_exit_codes_come_back),
	    scratch_test(environment_and_directory_are_the_given_ones),
	    scratch_test(what_cannot_be_started_is_an_error),
	    scratch_test(an_argument_too_long_is_an_error),
	    scratch_test(a_later_directory_of_path_is_used),
	    scratch_test(only_kept_descriptors_are_passed_on),
	    scratch_test(signals_are_as_a_program_expects_them),
	    scratch_test(descriptors_may_overlap),
	    scratch_test(a_terminal_becomes_the_controlling_one),
	    scratch_test(reaping_does_not_wait_unless_asked),
	    scratch_test(a_child_can_die_with_its_parent),
	    scratch_test(many_starts_leave_nothing_behind),
#ifdef RALPH_FAULTS
	    scratch_test(a_start_is_a_fault_point),
	    scratch_test(a_fork_that_fails_fails_no_write),
#endif
	};

	return cmocka_run_group_tests_name("child", tests, NULL, NULL);
}
