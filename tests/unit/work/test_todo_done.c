/* Done files: what counts, what does not and why, and what is set aside. */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/json.h"
#include "work/todo/todo_done.h"

static struct err err;

#define GOOD                                                                                   \
	"{\"task_id\":\"T001\",\"status\":\"done\",\"summary\":\"s\",\"files_modified\":[\"a." \
	"c\"]}"

static void
put(const char *name, const char *text)
{
	assert_int_equal(fs_replace(scratch.fd, name, text, strlen(text), FS_NOSYNC, &err), 0);
}

static void
assert_invalid(const char *text, const char *why)
{
	err = (struct err)ERR_INIT;
	assert_int_equal(todo_done_parse(NULL, "T001", text, strlen(text), NULL, &err), -1);
	if (why != NULL)
		assert_string_equal(err.text, why);
	assert_true(err.text[0] != '\0');
}

#define IN(path) (&(struct todo_results){.dir = (path)})

static void
test_good(void **state UNUSED)
{
	AUTO_FREE char *summary = NULL;

	put("T001.done.json", "\xef\xbb\xbf" GOOD "\r\n");
	assert_int_equal(
	    todo_done_check(IN(scratch.path), "T001", clock_wall(), &summary, &err), 0);
	assert_string_equal(summary, "s");
}

static void
test_invalid(void **state UNUSED)
{
	assert_invalid("", NULL);
	assert_invalid("{", NULL);
	assert_invalid("[]", "T001.done.json does not count: it is no JSON object");
	assert_invalid("{}", "T001.done.json does not count: it has no task_id");
	assert_invalid("{\"task_id\":\"T\\u001b2\"}",
	    "T001.done.json does not count: its task_id is 'T\\x1b2', not 'T001'");
	assert_invalid("{\"task_id\":\"T001\",\"status\":\"wip\"}",
	    "T001.done.json does not count: its status is not 'done'");
	assert_invalid("{\"task_id\":\"T001\",\"status\":\"done\",\"summary\":[]}",
	    "T001.done.json does not count: its summary is no text");
	assert_invalid("{\"task_id\":\"T001\",\"status\":\"done\",\"summary\":\"s\"}",
	    "T001.done.json does not count: its files_modified is no list of texts");
	assert_invalid("{\"task_id\":\"T001\",\"status\":\"done\",\"summary\":\"s\",\"files_"
		       "modified\":[1]}",
	    NULL);
	assert_invalid(GOOD GOOD, NULL);
}

static void
test_missing(void **state UNUSED)
{
	AUTO_FREE char *none = xasprintf("%s/none", scratch.path);

	assert_int_equal(todo_done_check(IN(scratch.path), "T001", 0, NULL, &err), -1);
	assert_int_equal(err.code, ENOENT);
	assert_non_null(strstr(err.text, "/T001.done.json is missing"));
	assert_int_equal(todo_done_check(IN(none), "T001", 0, NULL, &err), -1);
	assert_int_equal(err.code, ENOENT);
	put("TT001.done.json", GOOD);
	assert_int_equal(todo_done_check(IN(scratch.path), "T001", 0, NULL, &err), -1);
	assert_int_equal(err.code, ENOENT);
	assert_non_null(strstr(err.text, "TT001.done.json has one T too many"));
}

static void
test_stale(void **state UNUSED)
{
	put("T001.done.json", GOOD);
	assert_int_equal(todo_done_check(IN(scratch.path), "T001",
			     clock_wall() + 60 * NSEC_PER_SEC, NULL, &err),
	    -1);
	assert_int_equal(err.code, ESTALE);
	assert_string_equal(
	    err.text, "T001.done.json is older than this task's start: write it again");
	assert_int_equal(todo_done_check(IN(scratch.path), "T001", 0, NULL, &err), 0);
}

/* Two lists of a project may have the same ids. */
static void
test_lists(void **state UNUSED)
{
	struct todo_results one = {.dir = scratch.path, .list = "ai/todo.md"};
	struct todo_results other = {.dir = scratch.path, .list = "other.md"};

	assert_int_equal(todo_done_write(&one, "T001", "s", NULL, &err), 0);
	assert_int_equal(todo_done_check(&one, "T001", 0, NULL, &err), 0);
	assert_int_equal(todo_done_check(IN(scratch.path), "T001", 0, NULL, &err), 0);
	assert_int_equal(todo_done_check(&other, "T001", 0, NULL, &err), -1);
	assert_string_equal(
	    err.text, "T001.done.json does not count: it is of another list, 'ai/todo.md'");
	assert_int_equal(todo_done_set_aside(scratch.path, "T001", &err), 1);
	assert_false(todo_done_was(&other, "T001"));
	assert_true(todo_done_was(&one, "T001"));
	/* A file that the worker wrote itself names no list. */
	put("T001.done.json", GOOD);
	assert_int_equal(todo_done_check(&one, "T001", 0, NULL, &err), 0);
	assert_int_equal(todo_done_check(&other, "T001", 0, NULL, &err), 0);
	assert_true(todo_done_was(&other, "T001"));
}

static void
test_strange_files(void **state UNUSED)
{
	assert_int_equal(mkfifoat(scratch.fd, "T001.done.json", 0600), 0);
	assert_int_equal(todo_done_check(IN(scratch.path), "T001", 0, NULL, &err), -1);
	assert_int_not_equal(err.code, ENOENT);
	assert_int_equal(mkdirat(scratch.fd, "T002.done.json", 0700), 0);
	assert_int_equal(todo_done_check(IN(scratch.path), "T002", 0, NULL, &err), -1);
	assert_int_not_equal(err.code, ENOENT);
	assert_int_equal(todo_done_set_aside(scratch.path, "T001", &err), 1);
}

static void
test_hostile_ids(void **state UNUSED)
{
	static const char *const ids[] = {"", "..", "../T001", "T001/x", "T1.2", "/etc/passwd"};

	for (size_t i = 0; i < ARRAY_LEN(ids); i++) {
		assert_int_equal(todo_done_check(IN(scratch.path), ids[i], 0, NULL, &err), -1);
		assert_int_equal(err.code, EINVAL);
		assert_int_equal(todo_done_set_aside(scratch.path, ids[i], &err), -1);
		assert_int_equal(
		    todo_done_write(IN(scratch.path), ids[i], "s", NULL, &err), -1);
		assert_int_equal(err.code, EINVAL);
	}
}

static void
test_set_aside(void **state UNUSED)
{
	AUTO_FREE char *none = xasprintf("%s/none", scratch.path);
	char **names;

	assert_int_equal(todo_done_set_aside(scratch.path, "T001", &err), 0);
	assert_int_equal(todo_done_set_aside(none, "T001", &err), 0);
	for (int i = 0; i < 3; i++) {
		put("T001.done.json", GOOD);
		assert_int_equal(todo_done_set_aside(scratch.path, "T001", &err), 1);
	}
	assert_int_equal(todo_done_check(IN(scratch.path), "T001", 0, NULL, &err), -1);
	assert_int_equal(err.code, ENOENT);
	assert_int_equal(fs_list(scratch.fd, ".", &names, &err), 0);
	assert_int_equal(strlist_len(names), 3);
	assert_true(strncmp(names[0], "T001.done.json.stale.", 21) == 0);
	strlist_free(names);
}

static void
test_write(void **state UNUSED)
{
	AUTO_FREE char *results = xasprintf("%s/ai/ralph/results", scratch.path);
	static char a[] = "a.c", b[] = "sp ace\xff";
	char *files[] = {a, b, NULL};
	AUTO_FREE char *file = xasprintf("%s/T001.done.json", results);
	AUTO_FREE char *summary = NULL;
	AUTO_STRLIST written = NULL;
	AUTO_JSON *doc = NULL;
	AUTO_BUF text = BUF_INIT;

	assert_int_equal(todo_done_write(IN(results), "T001", "did \"it\"\n", files, &err), 0);
	assert_int_equal(todo_done_check(IN(results), "T001", clock_wall(), &summary, &err), 0);
	assert_string_equal(summary, "did \"it\"\n");
	assert_int_equal(fs_read(AT_FDCWD, file, 4096, &text, &err), 0);
	doc = json_parse(text.data, text.len, file, &err);
	written = json_to_strlist(json_object_get(doc, "files_modified"));
	assert_string_equal(written[1], "sp ace\xef\xbf\xbd");
	assert_int_equal(
	    strlen(json_str(doc, "completed_at", "")), strlen("2026-01-27T10:15:00"));
	assert_int_equal(todo_done_write(IN(results), "T001", "", NULL, &err), 0);
	assert_int_equal(todo_done_check(IN(results), "T001", 0, NULL, &err), 0);
}

#ifdef RALPH_FAULTS
/* Nothing half-written ever stands where a done file is looked for. */
static void
test_every_write_may_fail(void **state UNUSED)
{
	int rc = -1, k;

	for (k = 1; k < 30 && rc < 0; k++) {
		char plan[32];

		(void)!fs_unlink(scratch.fd, "T001.done.json", NULL);
		snprintf(plan, sizeof(plan), "EIO@%d", k);
		setenv("RALPH_FAULT", plan, 1);
		fs_fault_init();
		rc = todo_done_write(IN(scratch.path), "T001", "s", NULL, &err);
		unsetenv("RALPH_FAULT");
		fs_fault_init();
		assert_true(todo_done_check(IN(scratch.path), "T001", 0, NULL, &err) == 0 ||
			    err.code == ENOENT);
	}
	assert_int_equal(rc, 0);
}
#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    scratch_test(test_good),
	    scratch_test(test_invalid),
	    scratch_test(test_missing),
	    scratch_test(test_stale),
	    scratch_test(test_lists),
	    scratch_test(test_strange_files),
	    scratch_test(test_hostile_ids),
	    scratch_test(test_set_aside),
	    scratch_test(test_write),
#ifdef RALPH_FAULTS
	    scratch_test(test_every_write_may_fail),
#endif
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
