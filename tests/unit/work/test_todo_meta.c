/* task-meta.json: ours is added, everybody else's stays. */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "work/todo/todo_meta.h"

#define WHEN (INT64_C(1769508900) * NSEC_PER_SEC)

static struct err err;
static const struct todo_commit commit = {
    .hash = "abc1234", .committed_at = WHEN, .diffstat = " a.c | 2 +-\n"};

static char *
path_of(const char *name)
{
	return xasprintf("%s/%s", scratch.path, name);
}

static void
put(const char *text)
{
	assert_int_equal(
	    fs_replace(scratch.fd, "m.json", text, strlen(text), FS_NOSYNC, &err), 0);
}

static void
assert_file(const char *expected)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF compact = BUF_INIT;
	AUTO_JSON *doc = NULL;

	assert_int_equal(fs_read(scratch.fd, "m.json", 1 << 20, &text, &err), 0);
	doc = json_parse(text.data, text.len, "m.json", &err);
	assert_non_null(doc);
	json_print(doc, true, &compact);
	assert_string_equal(compact.data, expected);
}

static void
test_unknown_keys_survive(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("m.json");

	put("\xef\xbb\xbf{\"x\":[1,null],\"version\":1,\"tasks\":{\"T002\":{\"y\":{}},"
	    "\"T001\":{\"description\":\"d\",\"commit_hash\":\"old\",\"z\":1.5}},\"w\":"
	    "\"\xc3\xa4\"}");
	assert_int_equal(todo_meta_commit(path, "T001", &commit, &err), 0);
	assert_file(
	    "{\"x\":[1,null],\"version\":1,\"tasks\":{\"T002\":{\"y\":{}},"
	    "\"T001\":{\"description\":\"d\",\"commit_hash\":\"abc1234\",\"z\":1.5,"
	    "\"committed_at\":\"2026-01-27T10:15:00\",\"diffstat\":\" a.c | 2 +-\\n\"}},"
	    "\"w\":\"\xc3\xa4\"}");
}

static void
test_missing_and_same(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("m.json");
	const struct todo_commit hash = {.hash = "h", .committed_at = WHEN};
	struct stat before, after;

	assert_int_equal(todo_meta_commit(path, "T001", &hash, &err), 0);
	assert_file(
	    "{\"version\":1,\"tasks\":{\"T001\":{\"commit_hash\":\"h\",\"committed_at\":"
	    "\"2026-01-27T10:15:00\"}}}");
	assert_int_equal(fstatat(scratch.fd, "m.json", &before, 0), 0);
	assert_int_equal(before.st_mode & 0777, 0644);
	assert_int_equal(todo_meta_commit(path, "T1", &hash, &err), 0);
	assert_int_equal(fstatat(scratch.fd, "m.json", &after, 0), 0);
	assert_int_equal(before.st_ino, after.st_ino);
}

static void
test_corrupt(void **state UNUSED)
{
	static const char *const texts[] = {
	    "", "{\"tasks\":", "[]", "{\"tasks\":[]}", "{\"a\":1,\"a\":2}"};
	AUTO_FREE char *path = path_of("m.json");

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		AUTO_BUF notes = BUF_INIT;
		AUTO_JSON *doc = NULL;
		char **names;

		put(texts[i]);
		doc = todo_meta_load(path, &notes);
		assert_null(todo_meta_task(doc, "T001"));
		assert_non_null(strstr(notes.data, "; it is taken for empty\n"));
		assert_int_equal(todo_meta_commit(path, "T001", &commit, &err), 0);
		assert_int_equal(fs_list(scratch.fd, ".", &names, &err), 0);
		assert_int_equal(strlist_len(names), i + 2);
		assert_int_equal(strncmp(names[0], "m.corrupt.", 10), 0);
		strlist_free(names);
	}
}

static void
test_refused(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("m.json");

	put("{\"version\":2,\"tasks\":{}}");
	assert_int_equal(todo_meta_commit(path, "T001", &commit, &err), -1);
	assert_int_equal(err.code, ENOTSUP);
	assert_file("{\"version\":2,\"tasks\":{}}");
	put("{\"tasks\":{\"T001\":7}}");
	assert_int_equal(todo_meta_commit(path, "T001", &commit, &err), -1);
	assert_file("{\"tasks\":{\"T001\":7}}");
	assert_int_equal(todo_meta_commit(path, "../x", &commit, &err), -1);
}

static void
test_read(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("m.json");
	AUTO_JSON *none = todo_meta_load(path, NULL);
	AUTO_JSON *doc = NULL;

	assert_null(todo_meta_task(none, "T001"));
	put("{\"tasks\":{\"T7\":{\"description\":\"d\"}}}");
	doc = todo_meta_load(path, NULL);
	assert_string_equal(json_str(todo_meta_task(doc, "T007"), "description", ""), "d");
	assert_null(todo_meta_task(doc, "T008"));
}

#ifdef RALPH_FAULTS
static void
test_every_write_may_fail(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("m.json");
	int rc = -1, k;

	for (k = 1; k < 30 && rc < 0; k++) {
		AUTO_JSON *doc = NULL;
		char plan[32];

		put("{\"tasks\":{\"T002\":{\"keep\":1}}}");
		snprintf(plan, sizeof(plan), "EIO@%d", k);
		setenv("RALPH_FAULT", plan, 1);
		fs_fault_init();
		rc = todo_meta_commit(path, "T001", &commit, &err);
		unsetenv("RALPH_FAULT");
		fs_fault_init();
		doc = todo_meta_load(path, NULL);
		assert_int_equal(json_int(todo_meta_task(doc, "T002"), "keep", 0), 1);
	}
	assert_int_equal(rc, 0);
}
#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    scratch_test(test_unknown_keys_survive),
	    scratch_test(test_missing_and_same),
	    scratch_test(test_corrupt),
	    scratch_test(test_refused),
	    scratch_test(test_read),
#ifdef RALPH_FAULTS
	    scratch_test(test_every_write_may_fail),
#endif
	};

	setenv("TZ", "UTC", 1);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
