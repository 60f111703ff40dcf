/* The files of `ralph todo`: state.json, activity.md, config.json. */
#include "../record/scratch.h"

#include "base/clock.h"
#include "work/todo/views/todo.h"

/* 2026-01-27 10:15 UTC */
#define WHEN (INT64_C(1769508900) * NSEC_PER_SEC)
#define DIR "ai/ralph/"

static struct scratch scratch;
static struct err err;
static struct settings settings;
static struct loop_state loop;

static int
setup(void **state UNUSED)
{
	scratch_open(&scratch);
	settings = (struct settings){.root = scratch.path, .commit = COMMIT_AUTO};
	memset(&loop, 0, sizeof(loop));
	(void)snprintf(loop.uid, sizeof(loop.uid), "s-1");
	loop.phase = PHASE_OPEN;
	loop.iteration = 3;
	loop.sessions[0].state = SESSION_RUNNING;
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

static struct todo_view *
open_view(void)
{
	struct view *v = todo_view.open(
	    &(struct view_of){.loop = "list", .settings = &settings, .state = &loop}, &err);

	assert_non_null(v);
	return (struct todo_view *)v;
}

static int
write_view(struct todo_view *v)
{
	return todo_view.write(&v->view, &loop, &err);
}

static void
close_view(struct todo_view *v)
{
	todo_view.close(&v->view);
}

static void
tell(struct todo_view *v, bool past, const struct fact *f)
{
	todo_view.fact(
	    &v->view, &(struct decided){.facts = f, .n = 1, .state = &loop, .past = past}, f);
}

static const struct fact assigned = {.kind = FACT_ASSIGNED,
			     .at = {1, WHEN},
			     .session = "pty-1",
			     .iteration = 3,
			     .task = "T001",
			     .title = "Do it"},
			 ended = {.kind = FACT_ENDED,
			     .at = {1, WHEN},
			     .iteration = 3,
			     .duration = 222 * NSEC_PER_SEC,
			     .landing = 1,
			     .why = "fine"},
			 landed = {.kind = FACT_LANDED,
			     .at = {1, WHEN},
			     .iteration = 3,
			     .task = "T001",
			     .verdict = VERDICT_DONE,
			     .key = "abc1234"},
			 progress = {.kind = FACT_SIGNALLED,
			     .at = {1, WHEN},
			     .signal = SIGNAL_PROGRESS,
			     .text = "40"};

/* The turn of T001, as TURN has it. */
static void
tell_turn(struct todo_view *v)
{
	tell(v, true, &assigned);
	tell(v, true, &ended);
	tell(v, true, &landed);
}

#define TURN                                                                                 \
	"## Iteration 3 \xe2\x80\x94 2026-01-27T10:15:00\n\n**Task:** T001: Do it\n"         \
	"**Status:** complete\n**Commit:** abc1234\n**Duration:** 3m 42s\n**Notes:** fine\n" \
	"\n---\n"

#define PROGRESS "**Progress:** T001: 40 % \xe2\x80\x94 2026-01-27T10:15:00\n"

/* ---- activity.md --------------------------------------------------------------------- */

static void
test_blocks(void **state UNUSED)
{
	struct todo_view *v = open_view();
	struct fact f = assigned;

	put("ai/task-meta.json", "{\"version\":1,\"tasks\":{\"T002\":{\"diffstat\":"
				 "\" a.c | 2 +-\\n 1 file changed\\n\"}}}");
	v->queued = 4;
	tell(v, false, &assigned);
	todo_view_help(v, &(struct todo_help){WHEN, "T001", "Which file?", 1, "2 files", NULL});
	tell(v, false, &progress);
	tell(v, false, &ended);
	tell(v, false, &landed);
	f.iteration = 4;
	f.title[0] = '\0';
	(void)snprintf(f.task, sizeof(f.task), "T002");
	tell(v, false, &f);
	f.kind = FACT_LANDED;
	f.at.wall = WHEN + NSEC_PER_SEC;
	f.verdict = VERDICT_DONE;
	(void)snprintf(f.key, sizeof(f.key), "def5678");
	tell(v, false, &f);
	assert_int_equal(write_view(v), 0);
	close_view(v);
	assert_file(DIR "activity.md",
	    "# Session: s-1\n\n**Started:** 2026-01-27T10:15:00\n**Worker PTY:** pty-1\n"
	    "**Tasks Queued:** 4\n\n---\n\n"
	    "### Intervention \xe2\x80\x94 2026-01-27T10:15:00\n\n**Task:** T001\n"
	    "**Reason:** Which file?\n**Count:** 1\n**Context:** 2 files\n**Recommendation:** "
	    "none\n\n" PROGRESS "\n" TURN
	    "\n## Iteration 4 \xe2\x80\x94 2026-01-27T10:15:01\n\n**Task:** T002: \n"
	    "**Status:** complete\n**Commit:** def5678\n**Duration:** 0s\n**Notes:** none\n\n"
	    "     a.c | 2 +-\n     1 file changed\n\n---\n");
}

/* After a crash the facts are told again; people write between the lines. */
static void
test_nothing_twice(void **state UNUSED)
{
	struct todo_view *v;
	struct fact f = {.kind = FACT_LANDED,
	    .at = {1, WHEN},
	    .iteration = 4,
	    .task = "T2",
	    .verdict = VERDICT_BLOCKED};

	put(DIR "activity.md", "# Mine\nno end");
	for (int i = 0; i < 3; i++) {
		v = open_view();
		tell(v, true, &assigned);
		tell(v, true, &progress);
		tell(v, true, &progress);
		tell_turn(v);
		tell_turn(v);
		assert_int_equal(write_view(v), 0);
		assert_int_equal(write_view(v), 0);
		close_view(v);
	}
	assert_file(DIR "activity.md", "# Mine\nno end\n\n" PROGRESS "\n" TURN);
	put(DIR "activity.md", "## Iteration 3 \xe2\x80\x94 2026-01-27T10:15:00\n\nedited\n"
			       "see ## Iteration 4 \xe2\x80\x94 2026-01-27T10:15:00\n");
	v = open_view();
	tell_turn(v);
	v->story.turn = (struct story_turn){.iteration = 4};
	tell(v, true, &f);
	assert_int_equal(write_view(v), 0);
	close_view(v);
	assert_file(DIR "activity.md",
	    "## Iteration 3 \xe2\x80\x94 2026-01-27T10:15:00\n\nedited\n"
	    "see ## Iteration 4 \xe2\x80\x94 2026-01-27T10:15:00\n\n"
	    "## Iteration 4 \xe2\x80\x94 2026-01-27T10:15:00\n\n**Task:** T2: \n"
	    "**Status:** blocked\n**Commit:** skipped\n**Duration:** 0s\n**Notes:** none\n"
	    "\n---\n");
}

/* The same question again within a second is another one; the same told again is not. */
static void
test_interventions_are_counted(void **state UNUSED)
{
	struct todo_view *v = open_view();
	AUTO_BUF text = BUF_INIT;
	int n = 0;

	for (int i = 0; i < 6; i++)
		todo_view_help(
		    v, &(struct todo_help){WHEN, "T001", "Why?", i / 2 + 1, "none", NULL});
	assert_int_equal(write_view(v), 0);
	close_view(v);
	assert_int_equal(fs_read(scratch.dir, DIR "activity.md", 1 << 20, &text, &err), 0);
	for (const char *p = text.data; (p = strstr(p, "### Intervention")) != NULL; p++)
		n++;
	assert_int_equal(n, 3);
}

static void
test_hostile_texts(void **state UNUSED)
{
	struct todo_view *v = open_view();
	struct fact begun = assigned, over = ended;
	AUTO_BUF text = BUF_INIT;

	put("ai/task-meta.json", "{\"version\":1,\"tasks\":{\"T001\":{\"diffstat\":"
				 "\"## b\\n\\u001b[2J | 1 +\\n\"}}}");
	(void)snprintf(over.why, sizeof(over.why), "a\n## Iteration 9\n<!-- \x1b[31m \xff");
	(void)snprintf(begun.title, sizeof(begun.title), "# x\r\n---\n");
	tell(v, true, &begun);
	tell(v, true, &over);
	tell(v, true, &landed);
	assert_int_equal(write_view(v), 0);
	close_view(v);
	scratch_read(&scratch, DIR "activity.md", &text);
	assert_non_null(strstr(text.data, "**Task:** T001: # x ---\n"));
	assert_non_null(
	    strstr(text.data, "**Notes:** a ## Iteration 9 \\<!-- \\x1b[31m \\xff\n"));
	assert_non_null(strstr(text.data, "    ## b\n    \\x1b[2J | 1 +\n\n---\n"));
}

/* ---- state.json ---------------------------------------------------------------------- */

/* One task is done, one has asked twice and is stuck; nobody works. */
static void
tell_story(struct todo_view *v)
{
	struct fact f = {.kind = FACT_OPENED, .at = {1, WHEN}};

	tell(v, true, &f);
	f = assigned;
	(void)snprintf(f.task, sizeof(f.task), "T002");
	tell(v, true, &f);
	f = (struct fact){.kind = FACT_TELLING, .at = {1, WHEN}, .text = "where"};
	(void)snprintf(f.key, sizeof(f.key), "%s", tell_name(TELL_HELP));
	tell(v, true, &f);
	tell(v, true, &f);
	f = landed;
	f.verdict = VERDICT_BLOCKED;
	f.key[0] = '\0';
	(void)snprintf(f.task, sizeof(f.task), "T002");
	tell(v, true, &f);
	tell_turn(v);
	f = (struct fact){.kind = FACT_NUDGED, .at = {1, WHEN + 60 * NSEC_PER_SEC}};
	tell(v, true, &f);
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
	struct todo_view *v = open_view();
	struct stat before, after;

	tell_story(v);
	(void)snprintf(v->story.questions[0].key, sizeof(v->story.questions[0].key), "00ff");
	assert_int_equal(write_view(v), 0);
	assert_state(
	    "{\"session_id\":\"s-1\",\"worker_pty\":\"pty-1\",\"current_task\":null,"
	    "\"iteration\":3,\"started_at\":\"2026-01-27T10:15:00\","
	    "\"last_activity\":\"2026-01-27T10:16:00\",\"tasks_completed\":[\"T001\"],"
	    "\"tasks_stuck\":[\"T002\"],\"status\":\"running\",\"capabilities\":"
	    "{\"desktop_automation\":false,\"pty_control\":true},\"git_workflow\":"
	    "{\"commit_format\":\"T###: summary\",\"committer\":\"ralph\",\"auto_commit\":true,"
	    "\"commits\":[{\"task_id\":\"T001\",\"commit_hash\":\"abc1234\",\"committed_at\":"
	    "\"2026-01-27T10:15:00\"}]},\"interventions\":[{\"task_id\":\"T002\",\"key\":"
	    "\"00ff\","
	    "\"question\":\"where\",\"count\":2}]}");
	assert_int_equal(fstatat(scratch.dir, DIR "state.json", &before, 0), 0);
	assert_int_equal(write_view(v), 0);
	assert_int_equal(fstatat(scratch.dir, DIR "state.json", &after, 0), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	close_view(v);
}

static void
test_others_keys_survive(void **state UNUSED)
{
	struct todo_view *v;

	put(DIR "state.json",
	    "{\"mine\":{\"a\":[1]},\"worker_agent_id\":\"w\",\"iteration\":\"?\","
	    "\"capabilities\":{\"x\":1},\"git_workflow\":{\"committer\":\"me\",\"commits\":"
	    "[{\"task_id\":\"T000\",\"commit_hash\":\"old\",\"z\":1},{\"task_id\":\"T001\","
	    "\"commit_hash\":\"abc1234\",\"committed_at\":\"then\"}]}}");
	v = open_view();
	tell_story(v);
	v->story.nquestions = 0;
	assert_int_equal(write_view(v), 0);
	assert_state(
	    "{\"mine\":{\"a\":[1]},\"worker_agent_id\":\"w\",\"iteration\":3,"
	    "\"capabilities\":{\"x\":1,\"desktop_automation\":false,\"pty_control\":true},"
	    "\"git_workflow\":{\"committer\":\"me\",\"commits\":[{\"task_id\":\"T000\","
	    "\"commit_hash\":\"old\",\"z\":1},{\"task_id\":\"T001\",\"commit_hash\":"
	    "\"abc1234\","
	    "\"committed_at\":\"then\"}],\"commit_format\":\"T###: summary\",\"auto_commit\":"
	    "true},\"session_id\":\"s-1\",\"worker_pty\":\"pty-1\",\"current_task\":null,"
	    "\"started_at\":\"2026-01-27T10:15:00\",\"last_activity\":\"2026-01-27T10:16:00\","
	    "\"tasks_completed\":[\"T001\"],\"tasks_stuck\":[\"T002\"],\"status\":\"running\","
	    "\"interventions\":[]}");
	close_view(v);
}

static void
test_corrupt_state_is_kept(void **state UNUSED)
{
	struct todo_view *v;

	put(DIR "state.json", "{\"torn\":");
	v = open_view();
	assert_int_equal(write_view(v), 0);
	close_view(v);
	assert_int_equal(scratch_count(&scratch, "ai/ralph", "state.corrupt."), 1);
	assert_true(scratch_has(&scratch, DIR "state.json"));
}

static void
test_directory_may_go(void **state UNUSED)
{
	static char nowhere[] = "/nowhere";
	struct todo_view *v = open_view();

	assert_int_equal(unlinkat(scratch.dir, "ai/ralph", AT_REMOVEDIR), 0);
	tell_turn(v);
	assert_int_equal(write_view(v), 0);
	close_view(v);
	assert_file(DIR "activity.md", TURN);
	settings.root = nowhere;
	assert_null(
	    todo_view.open(&(struct view_of){.settings = &settings, .state = &loop}, &err));
}

#ifdef RALPH_FAULTS
/* The k-th step fails: what waits is written the next time, once. */
static void
test_every_write_may_fail(void **state UNUSED)
{
	int rc = -1, k;

	for (k = 1; k < 30 && rc < 0; k++) {
		struct todo_view *v = open_view();
		char plan[32];

		put(DIR "activity.md", "# Mine\n");
		snprintf(plan, sizeof(plan), "ENOSPC@%d", k);
		setenv("RALPH_FAULT", plan, 1);
		tell_turn(v);
		fs_fault_init();
		rc = write_view(v);
		unsetenv("RALPH_FAULT");
		fs_fault_init();
		assert_int_equal(write_view(v), 0);
		close_view(v);
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
