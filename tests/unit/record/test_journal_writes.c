/* What happens while it is written: failures, kills, readers. */
#include "journal_test.h"
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>

/* ---- failing writes ---------------------------------------------------------------- */

/* Only a build with -Dfaults=true can fail on purpose. */
static void
need_faults(void)
{
#ifndef RALPH_FAULTS
	skip();
#endif
}

static void
fault_plan(const char *what, int at, const char *more)
{
	AUTO_FREE char *plan = xasprintf("%s@%d%s", what, at, more);

	assert_int_equal(setenv("RALPH_FAULT", plan, 1), 0);
	fs_fault_init();
}

static void
fault_none(void)
{
	unsetenv("RALPH_FAULT");
	fs_fault_init();
}

/* Appends up to `lines` while writes fail once, looking at the disk after each failure. */
static void
append_with_one_fault(const char *what, int at)
{
	struct scratch tmp;
	struct opened o;
	int failures = 0;

	scratch_open(&tmp);
	open_journal(&tmp, false, &o);
	fault_plan(what, at, "");
	while (decisions(&o.state) < 6 && failures < 10) {
		struct opened seen;
		int64_t n = decisions(&o.state);

		if (append(&o) == 0)
			continue;
		failures++;
		assert_true(o.err.text[0] != '\0');
		open_journal(&tmp, true, &seen);
		assert_non_null(seen.j);
		assert_in_range(decisions(&seen.state), n, n + 1);
		assert_state(&seen.state, decisions(&seen.state));
		close_journal(&seen);
	}
	fault_none();
	assert_true(failures <= 1);
	assert_state(&o.state, 6);
	close_journal(&o);
	assert_opens(&tmp, false, 6, false);
	scratch_close(&tmp);
}

static int
append_late(struct opened *o)
{
	return append_as(o, FS_NOSYNC);
}

/* Two lines that nobody waits for, and one that takes them along, while one call fails. */
static void
append_late_with_one_fault(const char *what, int at)
{
	struct scratch tmp;
	struct opened o, seen;
	int failures = 0;

	scratch_open(&tmp);
	write_lines(&tmp, 2);
	open_journal(&tmp, false, &o);
	fault_plan(what, at, "");
	while (decisions(&o.state) < 5 && failures < 10)
		if ((decisions(&o.state) < 4 ? append_late(&o) : append(&o)) < 0)
			failures++;
	fault_none();
	assert_true(failures <= 1);
	/* Whatever failed, they are there once and in order, before it is closed, too. */
	open_journal(&tmp, true, &seen);
	assert_state(&seen.state, 5);
	close_journal(&seen);
	close_journal(&o);
	assert_opens(&tmp, false, 5, false);
	scratch_close(&tmp);
}

static void
what_is_not_waited_for_is_not_lost(void **unused UNUSED)
{
	need_faults();
	/* open, three writes, fdatasync, the directory */
	for (int at = 1; at <= 7; at++) {
		append_late_with_one_fault("ENOSPC", at);
		append_late_with_one_fault("EIO", at);
		append_late_with_one_fault("SHORT", at);
	}
}

static void
a_failed_sync_is_made_again(void **unused UNUSED)
{
	struct scratch tmp;
	struct opened o;

	need_faults();
	scratch_open(&tmp);
	open_journal(&tmp, false, &o);
	assert_int_equal(append_late(&o), 0);
	/* Of journal_sync: nothing to write, then fdatasync. */
	fault_plan("EIO", 2, "");
	assert_int_equal(journal_sync(o.j, &o.err), -1);
	assert_int_equal(journal_sync(o.j, &o.err), 0);
	fault_none();
	close_journal(&o);
	assert_opens(&tmp, false, 1, false);
	scratch_close(&tmp);
}

static void
one_failing_write_loses_nothing(void **unused UNUSED)
{
	need_faults();
	/* open, then write and fdatasync for each line, and the directory once */
	for (int at = 1; at <= 16; at++) {
		append_with_one_fault("ENOSPC", at);
		append_with_one_fault("EIO", at);
		append_with_one_fault("SHORT", at);
	}
}

static void
as_long_as_writes_fail_it_says_so(void **unused UNUSED)
{
	need_faults();
	for (int at = 1; at <= 12; at++) {
		struct scratch tmp;
		struct opened o;
		int64_t n;

		scratch_open(&tmp);
		open_journal(&tmp, false, &o);
		fault_plan("EIO", at, "+");
		while (append(&o) == 0)
			;
		n = decisions(&o.state);
		for (int i = 0; i < 5; i++)
			assert_int_equal(append(&o), -1);
		fault_none();
		assert_int_equal(append(&o), 0);
		assert_state(&o.state, n + 1);
		close_journal(&o);
		assert_opens(&tmp, false, n + 1, false);
		scratch_close(&tmp);
	}
}

static void
file_limit(rlim_t size)
{
	struct rlimit limit;

	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	limit.rlim_cur = size;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/* Half of a line reaches the disk, then there is no more room. */
static void
half_a_line_is_taken_back(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;
	struct opened o;

	signal(SIGXFSZ, SIG_IGN);
	scratch_open(&tmp);
	write_lines(&tmp, 3);
	scratch_read(&tmp, JOURNAL, &text);
	open_journal(&tmp, false, &o);
	file_limit(text.len + 50);
	assert_int_equal(append(&o), -1);
	assert_int_equal(append(&o), -1);
	file_limit(RLIM_INFINITY);
	assert_opens(&tmp, true, 3, false);
	assert_int_equal(append(&o), 0);
	close_journal(&o);
	assert_opens(&tmp, false, 4, false);
	scratch_close(&tmp);
}

/* Appends six lines, telling each acknowledged one through the pipe. */
static void
append_until_killed(const struct scratch *tmp, int at, int ack)
{
	struct opened o;

	open_journal(tmp, false, &o);
	fault_plan("KILL", at, "");
	while (decisions(&o.state) < 6) {
		if (append(&o) < 0 || write(ack, "x", 1) != 1)
			_exit(1);
		if (journal_snapshot(o.j, &o.state, true, &o.err) < 0)
			_exit(1);
	}
	_exit(0);
}

static void
killed_at_every_point_it_opens_to_what_was_acknowledged(void **unused UNUSED)
{
	bool killed = true;

	need_faults();
	for (int at = 1; killed; at++) {
		struct scratch tmp;
		int ack[2], status;
		int64_t acked = 0;
		struct opened o;
		pid_t pid;
		char c;

		scratch_open(&tmp);
		assert_int_equal(pipe2(ack, O_CLOEXEC), 0);
		pid = fork();
		assert_true(pid >= 0);
		if (pid == 0)
			append_until_killed(&tmp, at, ack[1]);
		close(ack[1]);
		while (read(ack[0], &c, 1) == 1)
			acked++;
		close(ack[0]);
		assert_int_equal(waitpid(pid, &status, 0), pid);
		killed = WIFSIGNALED(status);
		assert_true(killed || status == 0);
		open_journal(&tmp, false, &o);
		assert_non_null(o.j);
		assert_in_range(decisions(&o.state), acked, acked + 1);
		assert_state(&o.state, decisions(&o.state));
		close_journal(&o);
		write_lines(&tmp, 8);
		assert_opens(&tmp, false, 8, false);
		scratch_close(&tmp);
	}
}

static void
failed_snapshot_costs_nothing(void **unused UNUSED)
{
	need_faults();
	for (int at = 1; at <= 5; at++) {
		struct scratch tmp;
		struct opened o;

		scratch_open(&tmp);
		write_lines(&tmp, 5);
		open_journal(&tmp, false, &o);
		fault_plan("ENOSPC", at, "");
		assert_int_equal(journal_snapshot(o.j, &o.state, true, &o.err), -1);
		fault_none();
		close_journal(&o);
		assert_opens(&tmp, false, 5, false);
		scratch_close(&tmp);
	}
}

/* ---- readers --------------------------------------------------------------------- */

static void
readers_see_a_prefix_while_it_is_written(void **unused UNUSED)
{
	struct scratch tmp;
	int64_t before = 0;
	int status;
	pid_t pid;

	scratch_open(&tmp);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		write_with_snapshots(&tmp, 300, false);
		_exit(0);
	}
	while (before < 300 && waitpid(pid, &status, WNOHANG) == 0) {
		struct opened o;

		open_journal(&tmp, true, &o);
		if (o.j == NULL)
			fail_msg("%s", o.err.text);
		assert_true(decisions(&o.state) >= before);
		before = decisions(&o.state);
		assert_state(&o.state, before);
		close_journal(&o);
	}
	if (before == 300)
		assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_opens(&tmp, true, 300, false);
	scratch_close(&tmp);
}

static void
lines_of_somebody_else_are_set_aside(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF said = BUF_INIT;
	struct scratch tmp;
	struct opened o;

	scratch_open(&tmp);
	open_journal(&tmp, false, &o);
	assert_non_null(o.j);
	assert_int_equal(append(&o), 0);
	assert_int_equal(append_late(&o), 0);
	scratch_read(&tmp, JOURNAL, &text);
	buf_adds(&text, "hello, I am an agent\n");
	{
		int fd = openat(tmp.dir, JOURNAL, O_WRONLY | O_APPEND | O_CLOEXEC);

		assert_int_equal(write(fd, "hello, I am an agent\n", 21), 21);
		close(fd);
	}
	assert_false(journal_mended(o.j, &said));
	assert_int_equal(append(&o), 0);
	assert_true(journal_mended(o.j, &said));
	assert_non_null(strstr(said.data, "somebody else wrote to " JOURNAL));
	assert_false(journal_mended(o.j, &said));
	assert_int_equal(append(&o), 0);
	close_journal(&o);
	assert_int_equal(scratch_count(&tmp, ".", "journal.corrupt."), 1);
	assert_opens(&tmp, true, 4, false);
	assert_opens(&tmp, false, 4, false);
	scratch_close(&tmp);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(one_failing_write_loses_nothing),
	    cmocka_unit_test(what_is_not_waited_for_is_not_lost),
	    cmocka_unit_test(a_failed_sync_is_made_again),
	    cmocka_unit_test(as_long_as_writes_fail_it_says_so),
	    cmocka_unit_test(half_a_line_is_taken_back),
	    cmocka_unit_test(killed_at_every_point_it_opens_to_what_was_acknowledged),
	    cmocka_unit_test(failed_snapshot_costs_nothing),
	    cmocka_unit_test(readers_see_a_prefix_while_it_is_written),
	    cmocka_unit_test(lines_of_somebody_else_are_set_aside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
