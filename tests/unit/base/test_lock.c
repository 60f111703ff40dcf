#include "base/alloc.h"
#include "base/lock.h"
#include "base/process/child.h"
#include "scratch.h"
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/wait.h>

static void
assert_content(const char *text)
{
	AUTO_BUF got = BUF_INIT;

	assert_int_equal(fs_read(scratch.fd, "lock", 4096, &got, NULL), 0);
	assert_string_equal(got.data, text);
}

static void
a_lock_has_one_owner(void **state UNUSED)
{
	struct err err = ERR_INIT;
	int fd = lock_take(scratch.fd, "lock", 0, "{\"pid\":12}\n", &err);

	assert_true(fd >= 0);
	assert_true(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_content("{\"pid\":12}\n");
	assert_int_equal(lock_is_held(scratch.fd, "lock", &err), 1);
	assert_int_equal(lock_take(scratch.fd, "lock", 0, "other", &err), -1);
	assert_int_equal(err.code, EWOULDBLOCK);
	assert_string_equal(err.text, "lock is already held by {\"pid\":12}");
	assert_content("{\"pid\":12}\n");
	lock_release(&fd);
	assert_int_equal(fd, -1);
	lock_release(&fd);
	assert_content("");
	assert_int_equal(lock_is_held(scratch.fd, "lock", &err), 0);
	fd = lock_take(scratch.fd, "lock", 0, "next", &err);
	assert_true(fd >= 0);
	assert_content("next");
	lock_release(&fd);
}

/* A pid in the file is for people; a dead owner holds nothing. */
static void
what_a_file_says_is_no_lock(void **state UNUSED)
{
	struct err err = ERR_INIT;
	int fd;

	assert_int_equal(lock_is_held(scratch.fd, "lock", &err), 0);
	assert_int_equal(fs_replace(scratch.fd, "lock", "{\"pid\":1}", 9, FS_NOSYNC, &err), 0);
	assert_int_equal(lock_is_held(scratch.fd, "lock", &err), 0);
	fd = lock_take(scratch.fd, "lock", 0, "x", &err);
	assert_true(fd >= 0);
	assert_content("x");
	lock_release(&fd);
}

/* An owner that was killed right after a fork: its child has the descriptor for a moment. */
static void
what_the_dead_leave_behind_is_waited_for(void **state UNUSED)
{
	struct err err = ERR_INIT;
	char self[256];
	int ready[2], fd;
	pid_t owner;
	char byte;

	assert_int_equal(pipe(ready), 0);
	owner = fork();
	if (owner == 0) {
		lock_describe_self(self, sizeof(self));
		fd = lock_take(scratch.fd, "lock", 0, self, NULL);
		if (fork() == 0) {
			(void)poll(NULL, 0, 200);
			_exit(0);
		}
		(void)!write(ready[1], "x", 1);
		(void)pause();
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	/* While it lives, it is its own. */
	lock_await_heirs(scratch.fd, "lock");
	assert_int_equal(lock_is_held(scratch.fd, "lock", &err), 1);
	assert_int_equal(kill(owner, SIGKILL), 0);
	assert_int_equal(waitpid(owner, NULL, 0), owner);
	lock_await_heirs(scratch.fd, "lock");
	fd = lock_take(scratch.fd, "lock", 0, "mine", &err);
	assert_true(fd >= 0);
	lock_release(&fd);
	close(ready[0]);
	close(ready[1]);
}

static void
the_holder_is_quoted_harmlessly(void **state UNUSED)
{
	struct err err = ERR_INIT;
	int fd = lock_take(scratch.fd, "lock", 0,
	    "\x1b]0;owned\a\x9b"
	    "31m\nsecond\n",
	    &err);

	assert_int_equal(lock_take(scratch.fd, "lock", 0, "", &err), -1);
	for (const char *p = err.text; *p; p++)
		assert_true((unsigned char)*p >= 0x20 && (unsigned char)*p < 0x7f);
	assert_non_null(strstr(err.text, "already held by"));
	assert_int_equal(ftruncate(fd, 0), 0);
	assert_int_equal(lock_take(scratch.fd, "lock", 0, "", &err), -1);
	assert_string_equal(err.text, "lock is already held");
	lock_release(&fd);
}

static void
only_a_regular_file_can_be_a_lock(void **state UNUSED)
{
	static const char *const names[] = {"link", "pipe", "dir"};
	struct err err = ERR_INIT;

	assert_int_equal(fs_replace(scratch.fd, "victim", "keep me", 7, FS_NOSYNC, &err), 0);
	assert_int_equal(symlinkat("victim", scratch.fd, "link"), 0);
	assert_int_equal(mkfifoat(scratch.fd, "pipe", 0600), 0);
	assert_int_equal(fs_mkdir(scratch.fd, "dir", &err), 0);
	for (size_t i = 0; i < ARRAY_LEN(names); i++) {
		assert_int_equal(lock_take(scratch.fd, names[i], 0, "x", &err), -1);
		assert_int_not_equal(err.code, EWOULDBLOCK);
		assert_int_equal(lock_is_held(scratch.fd, names[i], &err), -1);
	}
}

static void
waiting_comes_to_an_end(void **state UNUSED)
{
	struct err err = ERR_INIT;
	int fd = lock_take_within(scratch.fd, "lock", 0, NULL, &err);
	int dir = lock_directory(scratch.fd, "it", &err);

	assert_true(fd >= 0 && dir >= 0);
	assert_int_equal(lock_take_within(scratch.fd, "lock", 0, NULL, &err), -1);
	assert_int_equal(err.code, EWOULDBLOCK);
	assert_int_equal(lock_take_within(scratch.fd, "lock", 20000000, NULL, &err), -1);
	assert_int_equal(err.code, EWOULDBLOCK);
	assert_int_equal(flock(scratch.fd, LOCK_EX | LOCK_NB), -1);
	close(fd);
	close(dir);
	assert_int_equal(flock(scratch.fd, LOCK_EX | LOCK_NB), 0);
	fd = lock_take_within(scratch.fd, "lock", 0, "mine", &err);
	assert_true(fd >= 0);
	assert_content("mine");
	assert_int_equal(lock_take_within(scratch.fd, "lock", 1, "theirs", &err), -1);
	assert_string_equal(err.text, "lock is already held by mine");
	lock_release(&fd);
	assert_content("");
}

static void
an_inherited_lock_lives_with_the_tree(void **state UNUSED)
{
	struct err err = ERR_INIT;
	int fd = lock_take(scratch.fd, "lock", LOCK_INHERIT, "x", &err);
	const int keep[] = {fd, -1};
	char **argv = strlist_add(NULL, "cat");
	struct child_spec spec = {.argv = argv, .out = -1, .err = -1, .keep = keep};
	struct exit_status status;
	struct child child;
	int fds[2];

	assert_false(fcntl(fd, F_GETFD) & FD_CLOEXEC);
	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	spec.in = fds[0];
	assert_int_equal(child_start(&spec, &child, &err), 0);
	lock_release(&fd);
	assert_int_equal(lock_is_held(scratch.fd, "lock", &err), 1);
	close(fds[1]);
	assert_int_equal(child_reap(&child, true, &status), 1);
	assert_int_equal(lock_is_held(scratch.fd, "lock", &err), 0);
	close(child.pidfd);
	close(fds[0]);
	strlist_free(argv);
}

static void
who_waits_gets_it_next(void **state UNUSED)
{
	struct err err = ERR_INIT;
	int fd = lock_take(scratch.fd, "lock", 0, "first", &err);
	struct pollfd taken = {.events = POLLIN};
	char c = '\0';
	int fds[2];
	pid_t pid;

	assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
	pid = fork();
	if (pid == 0) {
		/* A lock belongs to everybody who has its descriptor. */
		close(fd);
		fd = lock_take(scratch.fd, "lock", LOCK_WAIT, "second", &err);
		_exit(fd >= 0 && write(fds[1], "x", 1) == 1 ? 0 : 1);
	}
	taken.fd = fds[0];
	assert_int_equal(poll(&taken, 1, 50), 0);
	lock_release(&fd);
	assert_int_equal(read(fds[0], &c, 1), 1);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	close(fds[0]);
	close(fds[1]);
}

/* Takes part in a race: says how it went, then waits to be let go. */
static void
racer(int go, int result)
{
	struct err err = ERR_INIT;
	char c = 'e';
	int fd;

	if (read(go, &c, 1) != 0)
		_exit(1);
	fd = lock_take(scratch.fd, "lock", 0, "racer", &err);
	c = fd >= 0 ? 'w' : err.code == EWOULDBLOCK ? 'l' : 'e';
	if (write(result, &c, 1) != 1)
		_exit(1);
	pause();
	_exit(0);
}

/* Many at once, while somebody keeps asking: one wins, always. */
static void
one_of_many_wins(void **state UNUSED)
{
	enum { N = 12, ROUNDS = 20 };

	for (int round = 0; round < ROUNDS; round++) {
		int go[2], result[2], won = 0;
		pid_t pids[N];

		assert_int_equal(pipe2(go, O_CLOEXEC) + pipe2(result, O_CLOEXEC), 0);
		for (int i = 0; i < N; i++) {
			pids[i] = fork();
			if (pids[i] == 0) {
				close(go[1]);
				racer(go[0], result[1]);
			}
		}
		close(go[1]);
		for (int i = 0; i < 200; i++)
			assert_true(lock_is_held(scratch.fd, "lock", NULL) >= 0);
		for (int i = 0; i < N; i++) {
			char c = 0;

			assert_int_equal(read(result[0], &c, 1), 1);
			assert_int_not_equal(c, 'e');
			won += c == 'w';
		}
		assert_int_equal(won, 1);
		for (int i = 0; i < N; i++) {
			kill(pids[i], SIGKILL);
			assert_int_equal(waitpid(pids[i], NULL, 0), pids[i]);
		}
		assert_int_equal(lock_is_held(scratch.fd, "lock", NULL), 0);
		close(go[0]);
		close(result[0]);
		close(result[1]);
	}
}

static void
the_usual_content_is_json(void **state UNUSED)
{
	AUTO_FREE char *start = xasprintf("{\"pid\":%d,\"started\":\"2", (int)getpid());
	char text[256];
	char small[8];

	lock_describe_self(text, sizeof(text));
	assert_memory_equal(text, start, strlen(start));
	assert_non_null(strstr(text, "\"start_time\":"));
	assert_non_null(strstr(text, "\"boot_id\":\""));
	assert_string_equal(text + strlen(text) - 3, "\"}\n");
	lock_describe_self(small, sizeof(small));
	assert_int_equal(strlen(small), sizeof(small) - 1);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    scratch_test(a_lock_has_one_owner),
	    scratch_test(what_a_file_says_is_no_lock),
	    scratch_test(what_the_dead_leave_behind_is_waited_for),
	    scratch_test(the_holder_is_quoted_harmlessly),
	    scratch_test(only_a_regular_file_can_be_a_lock),
	    scratch_test(waiting_comes_to_an_end),
	    scratch_test(an_inherited_lock_lives_with_the_tree),
	    scratch_test(who_waits_gets_it_next),
	    scratch_test(one_of_many_wins),
	    scratch_test(the_usual_content_is_json),
	};

	return cmocka_run_group_tests_name("lock", tests, NULL, NULL);
}
