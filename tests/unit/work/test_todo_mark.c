/* Writing into todo.md: the bytes of the mark and the suffix change, every other byte stays. */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "work/todo/todo_mark.h"
#include <sys/file.h>
#include <sys/wait.h>

/* 2026-01-27 10:15 UTC */
#define WHEN (INT64_C(1769508900) * NSEC_PER_SEC)

static struct err err;

/* Marks T001 of the text; the new text, or NULL when it is not written. */
static char *
marked(const char *text, enum todo_state state, const char *reason, int *rc)
{
	AUTO_BUF in = BUF_INIT;
	AUTO_BUF out = BUF_INIT;
	int r;

	buf_adds(&in, text);
	r = todo_mark_text(&in, "T001", state, reason, WHEN, &out, &err);
	if (rc != NULL)
		*rc = r;
	return r == TODO_MARKED ? buf_detach(&out) : NULL;
}

#define assert_mark(from, state, reason, to)                             \
	do {                                                             \
		AUTO_FREE char *is_ = marked(from, state, reason, NULL); \
		int again_;                                              \
		assert_non_null(is_);                                    \
		assert_string_equal(is_, to);                            \
		assert_null(marked(is_, state, reason, &again_));        \
		assert_int_equal(again_, TODO_SAME);                     \
	} while (0)

#define assert_result(from, state, expected)                  \
	do {                                                  \
		int is_;                                      \
		assert_null(marked(from, state, NULL, &is_)); \
		assert_int_equal(is_, expected);              \
	} while (0)

static void
test_done_in_claude_tasks(void **state UNUSED)
{
	assert_mark(
	    "## Claude Tasks\n- [ ] T001: a @x (created: 2026-01-01 00:00)\n- [ ] T002: b",
	    TODO_DONE, NULL,
	    "## Claude Tasks\n- [x] T001: a @x (created: 2026-01-01 00:00) (completed: "
	    "2026-01-27 "
	    "10:15)\n- [ ] T002: b");
	assert_mark("\xef\xbb\xbf## Claude Tasks\r\n- [~] T001: a  \r\nx\r\n", TODO_DONE, NULL,
	    "\xef\xbb\xbf## Claude Tasks\r\n- [x] T001: a (completed: 2026-01-27 10:15)  "
	    "\r\nx\r\n");
	/* What says otherwise goes; an old time is corrected. */
	assert_mark("## Claude Tasks\n- [~] T001: a **BLOCKED** - why @x", TODO_DONE, NULL,
	    "## Claude Tasks\n- [x] T001: a @x (completed: 2026-01-27 10:15)");
	assert_mark("## Claude Tasks\n* [ ] T001: a (completed: never) #t\n", TODO_DONE, NULL,
	    "## Claude Tasks\n* [x] T001: a (completed: 2026-01-27 10:15) #t\n");
}

static void
test_done_elsewhere(void **state UNUSED)
{
	assert_mark("## Active\n- [~] T001: a @bob #t\n", TODO_DONE, NULL,
	    "## Active\n- [x] T001: a **DONE** @bob #t\n");
	assert_mark("- [ ] T001: a **WIP** - b @bob\n", TODO_DONE, NULL,
	    "- [x] T001: a **DONE** @bob\n");
	assert_mark("- [ ] T001:", TODO_DONE, NULL, "- [x] T001: **DONE**");
	assert_mark("- [ ] **T001:**#t\n", TODO_DONE, NULL, "- [x] **T001:** **DONE** #t\n");
	assert_mark("- [~] T001: c **DONE** @bob **DONE** - x\n", TODO_OPEN, NULL,
	    "- [ ] T001: c @bob\n");
	assert_mark("- [ ] T001", TODO_DONE, NULL, "- [x] T001 **DONE**");
	assert_mark("- [ ] T001: @bob\r\n", TODO_DONE, NULL, "- [x] T001: **DONE** @bob\r\n");
	/* The word alone did not make the task done. */
	assert_mark("- [ ] T001: a **DONE**\n", TODO_DONE, NULL, "- [x] T001: a **DONE**\n");
}

static void
test_blocked(void **state UNUSED)
{
	assert_mark("## Claude Tasks\n- [ ] T001: a @x (created: c)\n", TODO_BLOCKED, "no key",
	    "## Claude Tasks\n- [~] T001: a **BLOCKED** - no key @x (created: c)\n");
	assert_mark("- [~] T001: a **WIP** - b @x\n", TODO_BLOCKED, NULL,
	    "- [~] T001: a **BLOCKED** @x\n");
	assert_mark("- [ ] T001: a", TODO_BLOCKED, "  two\nlines\t\x1b[31m **DONE** ",
	    "- [~] T001: a **BLOCKED** - two lines  [31m *DONE*");
	/* The reason would end a comment that was never meant to be one. */
	assert_mark("<!-- oops\n- [ ] T001: a\n", TODO_BLOCKED, "x --> y ***",
	    "<!-- oops\n- [~] T001: a **BLOCKED** - x -- y *\n");
	/* The end of the reason cannot become the line's own suffix. */
	assert_mark("- [ ] T001: a\n", TODO_BLOCKED, "ask @bob",
	    "- [~] T001: a **BLOCKED** - ask @bob .\n");
	assert_mark("- [ ] T001: a\n", TODO_BLOCKED, "x (completed: now)",
	    "- [~] T001: a **BLOCKED** - x (completed: now) .\n");
	assert_mark("- [ ] T001: a\n", TODO_BLOCKED, "x (completed:)",
	    "- [~] T001: a **BLOCKED** - x (completed:) .\n");
	/* The title opened a bracket that the reason closes. */
	assert_mark("- [ ] T001: a (owner: b\n", TODO_BLOCKED, "c)",
	    "- [~] T001: a (owner: b **BLOCKED** - c) .\n");
}

static void
test_long_reasons_are_cut(void **state UNUSED)
{
	AUTO_BUF reason = BUF_INIT;
	AUTO_FREE char *is = NULL;

	for (int i = 0; i < 1000; i++)
		buf_adds(&reason, "\xe2\x82\xac");
	is = marked("- [ ] T001: a\n", TODO_BLOCKED, reason.data, NULL);
	assert_non_null(is);
	assert_true(strlen(is) < 300);
	assert_non_null(strstr(is, "\xe2\x82\xac...\n"));
}

static void
test_active_and_open(void **state UNUSED)
{
	assert_mark(
	    "- [ ] T001: a **BLOCKED** - b @x\n", TODO_ACTIVE, NULL, "- [~] T001: a @x\n");
	assert_mark(
	    "- [ ] T001: a **WIP** @x\n", TODO_ACTIVE, NULL, "- [~] T001: a **WIP** @x\n");
	assert_mark("## Claude Tasks\n- [x] T001: a (completed: c)\n", TODO_OPEN, NULL,
	    "## Claude Tasks\n- [ ] T001: a\n");
	assert_mark("- [x] T001: a **DONE** @x\n", TODO_OPEN, NULL, "- [ ] T001: a @x\n");
}

static void
test_typed_results(void **state UNUSED)
{
	assert_result("- [X] T001: a\n", TODO_DONE, TODO_SAME);
	assert_result("- [x] T001: a\n", TODO_ACTIVE, TODO_SETTLED);
	assert_result("- [x] T001: a\n", TODO_BLOCKED, TODO_SETTLED);
	assert_result("- [ ] T002: a\n", TODO_DONE, TODO_GONE);
	assert_result("", TODO_DONE, TODO_GONE);
	assert_result("- [ ] T001: a\n- [ ] T1: b\n", TODO_DONE, -1);
	assert_int_equal(err.code, EEXIST);
	/* Two lines of another id are no reason. */
	assert_mark("- [ ] T002: a\n- [ ] T002: b\n- [ ] T001: c\n", TODO_ACTIVE, NULL,
	    "- [ ] T002: a\n- [ ] T002: b\n- [~] T001: c\n");
}

static void
test_hostile_ids(void **state UNUSED)
{
	AUTO_BUF in = BUF_INIT;
	AUTO_BUF out = BUF_INIT;

	assert_int_equal(todo_mark_text(&in, "../T001", TODO_DONE, NULL, WHEN, &out, &err), -1);
	assert_int_equal(err.code, EINVAL);
}

/* Whatever the bytes are: all but the line stay, and so does the line but for its suffixes. */
static void
test_binary_rest(void **state UNUSED)
{
	static const char bytes[] = "\0\xff\r\n\xfe- [ ] T9\n- [ ] T001: a\0b\xff @x\r\n\0\0";
	static const char expected[] =
	    "\0\xff\r\n\xfe- [ ] T9\n- [x] T001: a\0b\xff **DONE** @x\r\n\0\0";
	AUTO_BUF in = BUF_INIT;
	AUTO_BUF out = BUF_INIT;

	buf_add(&in, bytes, sizeof(bytes) - 1);
	assert_int_equal(
	    todo_mark_text(&in, "T001", TODO_DONE, NULL, WHEN, &out, &err), TODO_MARKED);
	assert_int_equal(out.len, sizeof(expected) - 1);
	assert_memory_equal(out.data, expected, out.len);
}

/* ---- files --------------------------------------------------------------------------- */

static char *
path_of(const char *name)
{
	return xasprintf("%s/%s", scratch.path, name);
}

static size_t
files_in_scratch(void)
{
	char **all;
	size_t n;

	assert_int_equal(fs_list(scratch.fd, ".", &all, &err), 0);
	n = strlist_len(all);
	strlist_free(all);
	return n;
}

static void
test_mode_and_link_are_kept(void **state UNUSED)
{
	AUTO_FREE char *link = path_of("link.md");
	struct stat st;

	assert_int_equal(mkdirat(scratch.fd, "deep", 0700), 0);
	scratch_put("deep/todo.md", "- [ ] T001: a\n");
	assert_int_equal(fchmodat(scratch.fd, "deep/todo.md", 0664, 0), 0);
	assert_int_equal(symlinkat("deep/todo.md", scratch.fd, "link.md"), 0);
	assert_int_equal(todo_mark(link, "T001", TODO_ACTIVE, NULL, WHEN, &err), TODO_MARKED);
	scratch_assert("deep/todo.md", "- [~] T001: a\n");
	assert_int_equal(fstatat(scratch.fd, "deep/todo.md", &st, 0), 0);
	assert_int_equal(st.st_mode & 07777, 0664);
	assert_int_equal(fstatat(scratch.fd, "link.md", &st, AT_SYMLINK_NOFOLLOW), 0);
	assert_true(S_ISLNK(st.st_mode));
}

static void
test_owner_is_kept(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("todo.md");
	struct stat st;

	if (geteuid() != 0)
		skip();
	scratch_put("todo.md", "- [ ] T001: a\n");
	assert_int_equal(fchownat(scratch.fd, "todo.md", 1234, 2345, 0), 0);
	assert_int_equal(fchmodat(scratch.fd, "todo.md", 0640, 0), 0);
	assert_int_equal(todo_mark(path, "T001", TODO_DONE, NULL, WHEN, &err), TODO_MARKED);
	assert_int_equal(fstatat(scratch.fd, "todo.md", &st, 0), 0);
	assert_int_equal(st.st_uid, 1234);
	assert_int_equal(st.st_gid, 2345);
	assert_int_equal(st.st_mode & 07777, 0640);
}

static void
test_same_is_not_written(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("todo.md");
	struct stat before, after;

	scratch_put("todo.md", "- [x] T001: a\n");
	assert_int_equal(fstatat(scratch.fd, "todo.md", &before, 0), 0);
	assert_int_equal(todo_mark(path, "T001", TODO_DONE, NULL, WHEN, &err), TODO_SAME);
	assert_int_equal(todo_mark(path, "T002", TODO_DONE, NULL, WHEN, &err), TODO_GONE);
	assert_int_equal(fstatat(scratch.fd, "todo.md", &after, 0), 0);
	assert_int_equal(before.st_ino, after.st_ino);
}

static void
test_no_file(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("todo.md");
	AUTO_FREE char *deep = path_of("none/todo.md");

	assert_int_equal(todo_mark(path, "T001", TODO_DONE, NULL, WHEN, &err), TODO_GONE);
	assert_int_equal(todo_mark(deep, "T001", TODO_DONE, NULL, WHEN, &err), -1);
	assert_int_equal(err.code, ENOENT);
	assert_int_equal(files_in_scratch(), 0);
}

/* Eight processes mark eight tasks; all of it is there. */
static void
test_writers_do_not_undo_each_other(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("todo.md");
	pid_t pids[8];

	scratch_put("todo.md", "- [ ] T1: a\n- [ ] T2: a\n- [ ] T3: a\n- [ ] T4: a\n"
			       "- [ ] T5: a\n- [ ] T6: a\n- [ ] T7: a\n- [ ] T8: a\n");
	for (int i = 0; i < 8; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			char id[8];

			snprintf(id, sizeof(id), "T%d", i + 1);
			_exit(
			    todo_mark(path, id, TODO_ACTIVE, NULL, WHEN, &err) != TODO_MARKED);
		}
	}
	for (int i = 0; i < 8; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	scratch_assert("todo.md", "- [~] T1: a\n- [~] T2: a\n- [~] T3: a\n- [~] T4: a\n"
				  "- [~] T5: a\n- [~] T6: a\n- [~] T7: a\n- [~] T8: a\n");
	assert_int_equal(files_in_scratch(), 1);
}

#ifdef RALPH_FAULTS
static void
fault(const char *plan, int k)
{
	char text[32];

	if (k == 0) {
		unsetenv("RALPH_FAULT");
	} else {
		snprintf(text, sizeof(text), "%s@%d", plan, k);
		setenv("RALPH_FAULT", text, 1);
	}
	fs_fault_init();
}

#define OLD "- [ ] T001: a\r\n- [ ] T002: b"
#define NEW "- [x] T001: a **DONE**\r\n- [ ] T002: b"

/* The k-th step fails: the old file or the new one, never anything else, and a second try
 * brings it about. */
static void
test_every_write_may_fail(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("todo.md");
	int k, rc = -1;

	for (k = 1; k < 30 && rc < 0; k++) {
		AUTO_BUF text = BUF_INIT;

		scratch_put("todo.md", OLD);
		fault("ENOSPC", k);
		rc = todo_mark(path, "T001", TODO_DONE, NULL, WHEN, &err);
		fault(NULL, 0);
		assert_int_equal(fs_read(scratch.fd, "todo.md", 1 << 20, &text, NULL), 0);
		assert_true(strcmp(text.data, OLD) == 0 || strcmp(text.data, NEW) == 0);
		assert_true(todo_mark(path, "T001", TODO_DONE, NULL, WHEN, &err) >= 0);
		scratch_assert("todo.md", NEW);
		assert_int_equal(files_in_scratch(), 1);
	}
	assert_true(k > 4);
}

static void
test_killed_at_every_point(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("todo.md");
	bool killed = true;
	int k;

	for (k = 1; k < 30 && killed; k++) {
		AUTO_BUF text = BUF_INIT;
		int status;
		pid_t pid;

		scratch_put("todo.md", OLD);
		pid = fork();
		if (pid == 0) {
			fault("KILL", k);
			_exit(todo_mark(path, "T001", TODO_DONE, NULL, WHEN, &err));
		}
		assert_int_equal(waitpid(pid, &status, 0), pid);
		killed = WIFSIGNALED(status);
		assert_int_equal(fs_read(scratch.fd, "todo.md", 1 << 20, &text, NULL), 0);
		assert_true(strcmp(text.data, OLD) == 0 || strcmp(text.data, NEW) == 0);
		assert_true(todo_mark(path, "T001", TODO_DONE, NULL, WHEN, &err) >= 0);
		scratch_assert("todo.md", NEW);
	}
	assert_true(k > 4);
	/* Not even hidden files are left. */
	assert_int_equal(unlinkat(scratch.fd, "todo.md", 0), 0);
	assert_int_equal(mkdirat(scratch.fd, "new", 0700), 0);
	assert_int_equal(unlinkat(scratch.fd, "new", AT_REMOVEDIR), 0);
	assert_int_equal(rmdir(scratch.path), 0);
	assert_int_equal(mkdir(scratch.path, 0700), 0);
}
#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_done_in_claude_tasks),
	    cmocka_unit_test(test_done_elsewhere),
	    cmocka_unit_test(test_blocked),
	    cmocka_unit_test(test_long_reasons_are_cut),
	    cmocka_unit_test(test_active_and_open),
	    cmocka_unit_test(test_typed_results),
	    cmocka_unit_test(test_hostile_ids),
	    cmocka_unit_test(test_binary_rest),
	    scratch_test(test_mode_and_link_are_kept),
	    scratch_test(test_owner_is_kept),
	    scratch_test(test_same_is_not_written),
	    scratch_test(test_no_file),
	    scratch_test(test_writers_do_not_undo_each_other),
#ifdef RALPH_FAULTS
	    scratch_test(test_every_write_may_fail),
	    scratch_test(test_killed_at_every_point),
#endif
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
