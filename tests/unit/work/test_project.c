/* The project's root, and one run at a time in it. */
#include "../record/scratch.h"
#include "base/clock.h"
#include "base/lock.h"
#include "work/tickets/project.h"
#include <signal.h>
#include <sys/wait.h>

#define LOCK ".tf/ralph/dispatch-loop.lock"

static void
make(const struct scratch *s, const char *dir)
{
	assert_int_equal(mkdirat(s->dir, dir, 0700), 0);
}

static void
project_new(struct scratch *s)
{
	scratch_open(s);
	make(s, ".tf");
	make(s, ".tf/ralph");
}

/* Returns where the project is found from `from`, below the scratch directory; "-" for
 * nowhere. */
static void
assert_found(char *(*find)(const char *, struct err *), const struct scratch *s,
    const char *from, const char *want)
{
	AUTO_FREE char *path = xasprintf("%s/%s", s->path, from);
	AUTO_FREE char *top = realpath(s->path, NULL);
	struct err err = ERR_INIT;
	AUTO_FREE char *got = find(path, &err);

	if (strcmp(want, "-") == 0) {
		assert_null(got);
		assert_int_equal(err.code, ENOENT);
		return;
	}
	assert_non_null(got);
	assert_memory_equal(got, top, strlen(top));
	assert_string_equal(got + strlen(top), want);
}

static void
the_nearest_project_is_found(void **unused UNUSED)
{
	struct scratch s;

	scratch_open(&s);
	make(&s, "a");
	make(&s, "a/.pi");
	make(&s, "a/b");
	make(&s, "a/b/c");
	assert_found(project_find, &s, "a/b/c", "-");
	make(&s, "a/b/.tf");
	assert_found(project_find, &s, "a/b/c", "/a/b");
	make(&s, "a/.tf");
	make(&s, "a/.tf/ralph");
	assert_found(project_find, &s, "a/b/c", "/a");
	assert_found(project_find, &s, "a", "/a");
	make(&s, "a/b/.tf/ralph");
	assert_found(project_find, &s, "a/b/c", "/a/b");
	scratch_close(&s);
}

static void
a_new_one_goes_where_the_repository_is(void **unused UNUSED)
{
	struct scratch s;

	scratch_open(&s);
	make(&s, "a");
	make(&s, "a/b");
	assert_found(project_place, &s, "a/b", "/a/b");
	scratch_write(&s, "a/.git", "gitdir: x", 9);
	assert_found(project_place, &s, "a/b", "/a");
	make(&s, "a/b/.tickets");
	assert_found(project_place, &s, "a/b", "/a/b");
	scratch_close(&s);
}

static void
one_run_at_a_time(void **unused UNUSED)
{
	struct scratch s;
	struct err err = ERR_INIT;
	AUTO_BUF notes = BUF_INIT;
	AUTO_BUF who = BUF_INIT;
	AUTO_BUF content = BUF_INIT;
	int fd, rc;
	pid_t pid;

	project_new(&s);
	assert_int_equal(project_busy(s.path, &who, &err), 0);
	fd = project_lock(s.path, "run-1", &notes, &err);
	assert_true(fd >= 0);
	assert_string_equal(notes.data, "");
	scratch_read(&s, LOCK, &content);
	assert_non_null(strstr(content.data, "{\"runId\":\"run-1\",\"pid\":"));
	assert_non_null(strstr(content.data, "\"startedAt\":\"20"));
	assert_int_equal(project_busy(s.path, &who, &err), 1);
	assert_non_null(strstr(who.data, "ralph loop run run-1 (pid "));
	/* Another process: it is refused, and told by whom. */
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		close(fd);
		rc = project_lock(s.path, "run-2", &notes, &err);
		_exit(rc == -1 && err.code == EWOULDBLOCK &&
			      strstr(err.text, "another loop is active in this project: ralph "
					       "loop run run-1 (pid ") != NULL
			  ? 0
			  : 1);
	}
	assert_int_equal(waitpid(pid, &rc, 0), pid);
	assert_int_equal(rc, 0);
	lock_release(&fd);
	buf_clear(&content);
	scratch_read(&s, LOCK, &content);
	assert_int_equal(content.len, 0);
	assert_int_equal(project_busy(s.path, &who, &err), 0);
	scratch_close(&s);
}

/* What the lock says after its owner was killed: flock is gone, the text is not. */
static void
a_dead_owners_lock_is_replaced(void **unused UNUSED)
{
	static const struct {
		const char *content, *note;
	} cases[] = {
	    {"{\"runId\":\"old\",\"pid\":4194303,\"startedAt\":\"2024-01-01T00:00:00Z\"}",
		"stale lock of run old (pid 4194303 is gone) replaced\n"},
	    /* A lock of ours, with a pid that is somebody else's by now: only flock counts. */
	    {"{\"runId\":\"old\",\"pid\":1,\"startedAt\":\"2024-01-01T00:00:00Z\","
	     "\"startTime\":1,\"bootId\":\"x\"}",
		"stale lock of run old (pid 1 is another process now) replaced\n"},
	    {"{\"runId\":\"mine\",\"pid\":4194303}", ""},
	    {"garbage", "a lock that could not be read was replaced\n"},
	    {"{\"runId\":\"a\\nb\",\"pid\":-7}",
		"stale lock of run a\\x0ab (pid 0 is gone) replaced\n"},
	    {"", ""},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct scratch s;
		struct err err = ERR_INIT;
		AUTO_BUF notes = BUF_INIT;
		int fd;

		project_new(&s);
		scratch_write(&s, LOCK, cases[i].content, strlen(cases[i].content));
		fd = project_lock(s.path, "mine", &notes, &err);
		if (fd < 0)
			fail_msg("%s", err.text);
		assert_string_equal(notes.data, cases[i].note);
		lock_release(&fd);
		scratch_close(&s);
	}
}

/* A live process that knows the file, but not flock: our parent. */
static void
a_live_owner_without_flock_is_respected(void **unused UNUSED)
{
	static const char *const files[] = {LOCK, ".tf/ralph/lock"};
	const int64_t year = INT64_C(365) * 24 * 3600 * NSEC_PER_SEC;

	for (size_t i = 0; i < ARRAY_LEN(files); i++)
		for (int young = 0; young < 2; young++) {
			struct scratch s;
			struct err err = ERR_INIT;
			AUTO_BUF notes = BUF_INIT;
			AUTO_BUF since = BUF_INIT;
			AUTO_BUF content = BUF_INIT;
			int fd;

			/* A process that is younger than the lock did not write it. */
			clock_fmt_rfc3339(clock_wall() - (young ? year : 0), &since);
			if (i == 0)
				buf_addf(&content,
				    "{\"runId\":\"r\",\"pid\":%d,\"startedAt\":\"%s\"}",
				    (int)getppid(), since.data);
			else
				buf_addf(&content, "%d %s\n", (int)getppid(), since.data);
			project_new(&s);
			scratch_write(&s, files[i], content.data, content.len);
			fd = project_lock(s.path, "mine", &notes, &err);
			assert_int_equal(fd >= 0, young);
			if (!young) {
				assert_int_equal(err.code, EWOULDBLOCK);
				assert_non_null(strstr(err.text,
				    i == 0 ? "ralph loop run r (pid " : "tf ralph (pid "));
			}
			lock_release(&fd);
			scratch_close(&s);
		}
}

static void
without_a_project_there_is_no_lock(void **unused UNUSED)
{
	struct scratch s;
	struct err err = ERR_INIT;
	AUTO_BUF notes = BUF_INIT;

	scratch_open(&s);
	assert_int_equal(project_lock(s.path, "x", &notes, &err), -1);
	assert_int_equal(err.code, ENOENT);
	scratch_close(&s);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_nearest_project_is_found),
	    cmocka_unit_test(a_new_one_goes_where_the_repository_is),
	    cmocka_unit_test(one_run_at_a_time),
	    cmocka_unit_test(a_dead_owners_lock_is_replaced),
	    cmocka_unit_test(a_live_owner_without_flock_is_respected),
	    cmocka_unit_test(without_a_project_there_is_no_lock),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
