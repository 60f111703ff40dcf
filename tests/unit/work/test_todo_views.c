/* The files of `ralph todo`: state.json, activity.md, config.json. */
#include "../record/scratch.h"

#include "base/clock.h"
#include "work/todo/views/todo.h"

/* 2026-01-27 10:15 UTC */
#define WHEN (INT64_C(1769508900) * NSEC_PER_SEC)
#define DIR "ai/ralph/"

static struct scratch scratch;
static struct err err;

static int
setup(void **state UNUSED)
{
	scratch_open(&scratch);
	return mkdirat(scratch.dir, "ai", 0700);
}

static int
teardown(void **state UNUSED)
{
	scratch_close(&scratch);
	return 0;
}

#define todo_test(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)

static void
put(const char *name, const char *text)
{
	(void)mkdirat(scratch.dir, "ai/ralph", 0700);
	scratch_write(&scratch, name, text, strlen(text));
}

static void
assert_file(const char *name, const char *expected)
{
	AUTO_BUF text = BUF_INIT;

	scratch_read(&scratch, name, &text);
	assert_string_equal(text.data, expected);
}

static struct layout_todo *
open_layout(void)
{
	struct layout_todo *l = layout_todo_open(scratch.path, &err);

	assert_non_null(l);
	return l;
}

static const struct todo_turn turn = {.iteration = 3,
    .at = WHEN,
    .task = "T001",
    .description = "Do it",
    .status = "complete",
    .commit = "abc1234",
    .duration = 222 * NSEC_PER_SEC,
    .notes = "fine"};

#define TURN                                                                                 \
	"## Iteration 3 \xe2\x80\x94 2026-01-27T10:15:00\n\n**Task:** T001: Do it\n"         \
	"**Status:** complete\n**Commit:** abc1234\n**Duration:** 3m 42s\n**Notes:** fine\n" \
	"\n---\n"

#define PROGRESS "**Progress:** T001: 40 % \xe2\x80\x94 2026-01-27T10:15:00\n"

/* ---- activity.md --------------------------------------------------------------------- */

static void
test_blocks(void **state UNUSED)
{
	struct layout_todo *l = open_layout();

	layout_todo_session(l, &(struct todo_opening){"s-1", "pty-1", WHEN, 4});
	layout_todo_help(
	    l, &(struct todo_help){WHEN, "T001", "Which file?", 1, "2 files", NULL});
	layout_todo_progress(l, &(struct todo_progress){WHEN, "T001", "40"});
	layout_todo_turn(l, &turn);
	layout_todo_turn(l, &(struct todo_turn){.iteration = 4,
				.at = WHEN + NSEC_PER_SEC,
				.task = "T002",
				.status = "blocked",
				.diffstat = " a.c | 2 +-\n 1 file changed\n"});
	assert_int_equal(layout_todo_write(l, NULL, &err), 0);
	layout_todo_free(l);
	assert_file(DIR "activity.md",
	    "# Session: s-1\n\n**Started:** 2026-01-27T10:15:00\n**Worker PTY:** pty-1\n"
	    "**Tasks Queued:** 4\n\n---\n\n"
	    "### Intervention \xe2\x80\x94 2026-01-27T10:15:00\n\n**Task:** T001\n"
	    "**Reason:** Which file?\n**Count:** 1\n**Context:** 2 files\n**Recommendation:** "
	    "none\n\n" PROGRESS "\n" TURN
	    "\n## Iteration 4 \xe2\x80\x94 2026-01-27T10:15:01\n\n**Task:** T002: \n"
	    "**Status:** blocked\n**Commit:** skipped\n**Duration:** 0s\n**Notes:** none\n\n"
	    "     a.c | 2 +-\n     1 file changed\n\n---\n");
	assert_false(scratch_has(&scratch, DIR "state.json"));
}

/* After a crash the facts are told again; people write between the lines. */
static void
test_nothing_twice(void **state UNUSED)
{
	struct layout_todo *l;

	put(DIR "activity.md", "# Mine\nno end");
	for (int i = 0; i < 3; i++) {
		l = open_layout();
		layout_todo_progress(l, &(struct todo_progress){WHEN, "T001", "40"});
		layout_todo_progress(l, &(struct todo_progress){WHEN, "T001", "40"});
		layout_todo_turn(l, &turn);
		layout_todo_turn(l, &turn);
		assert_int_equal(layout_todo_write(l, NULL, &err), 0);
		assert_int_equal(layout_todo_write(l, NULL, &err), 0);
		layout_todo_free(l);
	}
	assert_file(DIR "activity.md", "# Mine\nno end\n\n" PROGRESS "\n" TURN);
	put(DIR "activity.md", "## Iteration 3 \xe2\x80\x94 2026-01-27T10:15:00\n\nedited\n"
			       "see ## Iteration 4 \xe2\x80\x94 2026-01-27T10:15:00\n");
	l = open_layout();
	layout_todo_turn(l, &turn);
	layout_todo_turn(l, &(struct todo_turn){.iteration = 4, .at = WHEN, .task = "T2"});
	assert_int_equal(layout_todo_write(l, NULL, &err), 0);
	layout_todo_free(l);
	assert_file(DIR "activity.md",
	    "## Iteration 3 \xe2\x80\x94 2026-01-27T10:15:00\n\nedited\n"
	    "see ## Iteration 4 \xe2\x80\x94 2026-01-27T10:15:00\n\n"
	    "## Iteration 4 \xe2\x80\x94 2026-01-27T10:15:00\n\n**Task:** T2: \n"
	    "**Status:** in_progress\n**Commit:** skipped\n**Duration:** 0s\n**Notes:** none\n"
	    "\n---\n");
}

/* The same question again within a second is another one; the same told again is not. */
static void
test_interventions_are_counted(void **state UNUSED)
{
	struct layout_todo *l = open_layout();
	AUTO_BUF text = BUF_INIT;
	int n = 0;

	for (int i = 0; i < 6; i++)
		layout_todo_help(
		    l, &(struct todo_help){WHEN, "T001", "Why?", i / 2 + 1, "none", NULL});
	assert_int_equal(layout_todo_write(l, NULL, &err), 0);
	layout_todo_free(l);
	assert_int_equal(fs_read(scratch.dir, DIR "activity.md", 1 << 20, &text, &err), 0);
	for (const char *p = text.data; (p = strstr(p, "### Intervention")) != NULL; p++)
		n++;
	assert_int_equal(n, 3);
}

static void
test_hostile_texts(void **state UNUSED)
{
	struct layout_todo *l = open_layout();
	struct todo_turn t = turn;
	AUTO_BUF text = BUF_INIT;

	t.notes = "a\n## Iteration 9\n<!-- \x1b[31m \xff";
	t.description = "# x\r\n---\n";
	t.diffstat = "## b\n\x1b[2J | 1 +\n";
	layout_todo_turn(l, &t);
	assert_int_equal(layout_todo_write(l, NULL, &err), 0);
	layout_todo_free(l);
	scratch_read(&scratch, DIR "activity.md", &text);
	assert_non_null(strstr(text.data, "**Task:** T001: # x ---\n"));
	assert_non_null(
	    strstr(text.data, "**Notes:** a ## Iteration 9 \\<!-- \\x1b[31m \\xff\n"));
	assert_non_null(strstr(text.data, "    ## b\n    \\x1b[2J | 1 +\n\n---\n"));
}

/* ---- state.json ---------------------------------------------------------------------- */

static char done[] = "T001", stuck[] = "T002";

static struct todo_now
now_of(const struct todo_commit_row *commits, size_t n)
{
	static char *completed[] = {done, NULL}, *others[] = {stuck, NULL};

	return (struct todo_now){.session_id = "s-1",
	    .worker_pty = "pty-1",
	    .current_task = NULL,
	    .iteration = 3,
	    .started_at = WHEN,
	    .last_activity = WHEN + 60 * NSEC_PER_SEC,
	    .tasks_completed = completed,
	    .tasks_stuck = others,
	    .status = "running",
	    .auto_commit = true,
	    .commits = commits,
	    .ncommits = n};
}

static void
assert_state(const char *expected)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF compact = BUF_INIT;
	AUTO_JSON *doc = NULL;

	scratch_read(&scratch, DIR "state.json", &text);
	doc = json_parse(text.data, text.len, "state.json", &err);
	assert_non_null(doc);
	json_print(doc, true, &compact);
	assert_string_equal(compact.data, expected);
}

static void
test_state(void **state UNUSED)
{
	struct layout_todo *l = open_layout();
	const struct todo_commit_row rows[] = {{"T001", "abc", WHEN}};
	const struct todo_count counts[] = {{"T002", "00ff", "where", 2}};
	struct todo_now now = now_of(rows, 1);
	struct stat before, after;

	now.interventions = counts;
	now.ninterventions = 1;
	assert_int_equal(layout_todo_write(l, &now, &err), 0);
	assert_state(
	    "{\"session_id\":\"s-1\",\"worker_pty\":\"pty-1\",\"current_task\":null,"
	    "\"iteration\":3,\"started_at\":\"2026-01-27T10:15:00\","
	    "\"last_activity\":\"2026-01-27T10:16:00\",\"tasks_completed\":[\"T001\"],"
	    "\"tasks_stuck\":[\"T002\"],\"status\":\"running\",\"capabilities\":"
	    "{\"desktop_automation\":false,\"pty_control\":true},\"git_workflow\":"
	    "{\"commit_format\":\"T###: summary\",\"committer\":\"ralph\",\"auto_commit\":true,"
	    "\"commits\":[{\"task_id\":\"T001\",\"commit_hash\":\"abc\",\"committed_at\":"
	    "\"2026-01-27T10:15:00\"}]},\"interventions\":[{\"task_id\":\"T002\",\"key\":"
	    "\"00ff\","
	    "\"question\":\"where\",\"count\":2}]}");
	assert_int_equal(fstatat(scratch.dir, DIR "state.json", &before, 0), 0);
	assert_int_equal(layout_todo_write(l, &now, &err), 0);
	assert_int_equal(fstatat(scratch.dir, DIR "state.json", &after, 0), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	layout_todo_free(l);
}

static void
test_others_keys_survive(void **state UNUSED)
{
	struct layout_todo *l;
	const struct todo_commit_row rows[] = {{"T001", "abc", WHEN}};
	struct todo_now now = now_of(rows, 1);

	put(DIR "state.json",
	    "{\"mine\":{\"a\":[1]},\"worker_agent_id\":\"w\",\"iteration\":\"?\","
	    "\"capabilities\":{\"x\":1},\"git_workflow\":{\"committer\":\"me\",\"commits\":"
	    "[{\"task_id\":\"T000\",\"commit_hash\":\"old\",\"z\":1},{\"task_id\":\"T001\","
	    "\"commit_hash\":\"abc\",\"committed_at\":\"then\"}]}}");
	l = open_layout();
	assert_int_equal(layout_todo_write(l, &now, &err), 0);
	assert_state(
	    "{\"mine\":{\"a\":[1]},\"worker_agent_id\":\"w\",\"iteration\":3,"
	    "\"capabilities\":{\"x\":1,\"desktop_automation\":false,\"pty_control\":true},"
	    "\"git_workflow\":{\"committer\":\"me\",\"commits\":[{\"task_id\":\"T000\","
	    "\"commit_hash\":\"old\",\"z\":1},{\"task_id\":\"T001\",\"commit_hash\":\"abc\","
	    "\"committed_at\":\"then\"}],\"commit_format\":\"T###: summary\",\"auto_commit\":"
	    "true},\"session_id\":\"s-1\",\"worker_pty\":\"pty-1\",\"current_task\":null,"
	    "\"started_at\":\"2026-01-27T10:15:00\",\"last_activity\":\"2026-01-27T10:16:00\","
	    "\"tasks_completed\":[\"T001\"],\"tasks_stuck\":[\"T002\"],\"status\":\"running\","
	    "\"interventions\":[]}");
	layout_todo_free(l);
}

static void
test_corrupt_state_is_kept(void **state UNUSED)
{
	struct todo_now now = now_of(NULL, 0);
	struct layout_todo *l;

	put(DIR "state.json", "{\"torn\":");
	l = open_layout();
	assert_int_equal(layout_todo_write(l, &now, &err), 0);
	layout_todo_free(l);
	assert_int_equal(scratch_count(&scratch, "ai/ralph", "state.corrupt."), 1);
	assert_true(scratch_has(&scratch, DIR "state.json"));
}

static void
test_directory_may_go(void **state UNUSED)
{
	struct todo_now now = now_of(NULL, 0);
	struct layout_todo *l = open_layout();

	assert_int_equal(unlinkat(scratch.dir, "ai/ralph", AT_REMOVEDIR), 0);
	layout_todo_turn(l, &turn);
	assert_int_equal(layout_todo_write(l, &now, &err), 0);
	layout_todo_free(l);
	assert_file(DIR "activity.md", TURN);
	assert_null(layout_todo_open("/nowhere", &err));
}

#ifdef RALPH_FAULTS
/* The k-th step fails: what waits is written the next time, once. */
static void
test_every_write_may_fail(void **state UNUSED)
{
	struct todo_now now = now_of(NULL, 0);
	int rc = -1, k;

	for (k = 1; k < 30 && rc < 0; k++) {
		struct layout_todo *l = open_layout();
		char plan[32];

		put(DIR "activity.md", "# Mine\n");
		snprintf(plan, sizeof(plan), "ENOSPC@%d", k);
		setenv("RALPH_FAULT", plan, 1);
		layout_todo_turn(l, &turn);
		fs_fault_init();
		rc = layout_todo_write(l, &now, &err);
		unsetenv("RALPH_FAULT");
		fs_fault_init();
		assert_int_equal(layout_todo_write(l, &now, &err), 0);
		layout_todo_free(l);
		assert_file(DIR "activity.md", "# Mine\n\n" TURN);
		assert_true(scratch_has(&scratch, DIR "state.json"));
		assert_int_equal(unlinkat(scratch.dir, DIR "state.json", 0), 0);
	}
	assert_int_equal(rc, 0);
	assert_true(k > 6);
}
#endif

/* ---- config.json --------------------------------------------------------------------- */

static void
test_config(void **state UNUSED)
{
	AUTO_BUF notes = BUF_INIT;
	struct todo_config c;

	todo_config_load(scratch.path, &c, &notes);
	assert_int_equal(c.inactivity_timeout_ms, 300000);
	assert_int_equal(c.max_interventions_per_task, 3);
	assert_true(c.completion_file_required);
	assert_string_equal(notes.data, "");
	put(DIR "config.json",
	    "\xef\xbb\xbf{\"inactivity_timeout_ms\":1000,\"max_nudges_before_alert\":-1,"
	    "\"completion_file_required\":false,\"clear_wait_ms\":\"2\",\"clear_wait\":1,"
	    "\"\\u001b\":0}\r\n");
	todo_config_load(scratch.path, &c, &notes);
	assert_int_equal(c.inactivity_timeout_ms, 1000);
	assert_int_equal(c.max_nudges_before_alert, 3);
	assert_int_equal(c.clear_wait_ms, 2000);
	assert_false(c.completion_file_required);
	assert_string_equal(notes.data,
	    "ai/ralph/config.json: max_nudges_before_alert is not a number above 0; it is "
	    "taken "
	    "for 3\n"
	    "ai/ralph/config.json: clear_wait_ms is not a number above 0; it is taken for "
	    "2000\n"
	    "ai/ralph/config.json: 'clear_wait' is not known; did you mean clear_wait_ms?\n"
	    "ai/ralph/config.json: '\\x1b' is not known\n");
}

static void
test_bad_config(void **state UNUSED)
{
	static const char *const texts[] = {"", "{", "[]", "null", "{\"a\":1,\"a\":2}"};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		AUTO_BUF notes = BUF_INIT;
		struct todo_config c;

		put(DIR "config.json", texts[i]);
		todo_config_load(scratch.path, &c, &notes);
		assert_int_equal(c.poll_interval_ms, 5000);
		assert_non_null(strstr(notes.data, "; the defaults are used\n"));
		assert_ptr_equal(strchr(notes.data, '\n'), notes.data + notes.len - 1);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    todo_test(test_blocks),
	    todo_test(test_nothing_twice),
	    todo_test(test_interventions_are_counted),
	    todo_test(test_hostile_texts),
	    todo_test(test_state),
	    todo_test(test_others_keys_survive),
	    todo_test(test_corrupt_state_is_kept),
	    todo_test(test_directory_may_go),
#ifdef RALPH_FAULTS
	    todo_test(test_every_write_may_fail),
#endif
	    todo_test(test_config),
	    todo_test(test_bad_config),
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
