/* The prompt of a task: the seed's words, and the files that belong to it. */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "work/todo/todo_prompt.h"

static struct err err;

static void
put(const char *name, const char *text, size_t len)
{
	int fd = openat(scratch.fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, len), len);
	close(fd);
}

static char *
context(const char *title, const char *meta)
{
	AUTO_JSON *doc = meta == NULL ? NULL : json_parse(meta, strlen(meta), "meta", &err);
	AUTO_BUF out = BUF_INIT;

	assert_true(meta == NULL || doc != NULL);
	todo_context(&(struct todo_brief){"T001", title, scratch.path, doc, NULL, false}, &out);
	return buf_detach(&out);
}

#define assert_context(title, meta, expected)               \
	do {                                                \
		AUTO_FREE char *is_ = context(title, meta); \
		assert_string_equal(is_, expected);         \
	} while (0)

static void
test_words(void **state UNUSED)
{
	AUTO_BUF out = BUF_INIT;

	todo_prompt(
	    &(struct todo_brief){"T001", "Do \"it\"", "/nowhere/p", NULL, "k7wq2mzx", true},
	    &out);
	assert_string_equal(out.data,
	    "# Ralph Task Assignment\n\n"
	    "**Task ID:** T001\n"
	    "**Description:** Do \"it\"\n\n"
	    "## Context Files\n\n"
	    "## Instructions\n\n"
	    "Execute this task. When FULLY COMPLETE:\n"
	    "1. Run `/ralph_done` to signal completion\n\n"
	    "**IMPORTANT: Do NOT run `git commit` or `git add`.**\n"
	    "Ralph handles all commits after verification.\n"
	    "Leave your changes unstaged — Ralph will review and commit them.\n\n"
	    "If STUCK and need help:\n"
	    "- Run `/ralph_stuck your question here`\n"
	    "- Wait for Ralph to inject context\n\n"
	    "For progress updates:\n"
	    "- Run `/ralph_progress N` where N is percentage (0-100)\n\n"
	    "In a shell, `ralph done --turn k7wq2mzx`, `ralph stuck --turn k7wq2mzx "
	    "\"question\"`, `ralph blocked --turn k7wq2mzx \"reason\"` and `ralph progress N` "
	    "do the same.\n\n"
	    "## Working Directory\n"
	    "/nowhere/p\n");
}

/* A worker that does not know the slash commands is not told of them. */
static void
test_words_without_commands(void **state UNUSED)
{
	AUTO_BUF out = BUF_INIT;

	todo_prompt(
	    &(struct todo_brief){"T001", "Do it", "/nowhere/p", NULL, "k7wq2mzx", false}, &out);
	assert_string_equal(out.data,
	    "# Ralph Task Assignment\n\n"
	    "**Task ID:** T001\n"
	    "**Description:** Do it\n\n"
	    "## Context Files\n\n"
	    "## Instructions\n\n"
	    "Execute this task. When FULLY COMPLETE:\n"
	    "1. Run `ralph done --turn k7wq2mzx` in a shell to signal completion\n\n"
	    "**IMPORTANT: Do NOT run `git commit` or `git add`.**\n"
	    "Ralph handles all commits after verification.\n"
	    "Leave your changes unstaged — Ralph will review and commit them.\n\n"
	    "If STUCK and need help:\n"
	    "- Run `ralph stuck --turn k7wq2mzx \"your question here\"` in a shell\n"
	    "- Wait for Ralph to inject context\n\n"
	    "If it cannot be done:\n"
	    "- Run `ralph blocked --turn k7wq2mzx \"reason\"` in a shell\n\n"
	    "For progress updates:\n"
	    "- Run `ralph progress N` in a shell, where N is percentage (0-100)\n\n"
	    "## Working Directory\n"
	    "/nowhere/p\n");
}

static void
test_description(void **state UNUSED)
{
	static const char *const rows[][3] = {
	    {"Fix the", "Fix the thing, all of it", "Fix the thing, all of it"},
	    {"Fix the...", "Fix the thing", "Fix the thing"},
	    {"Fix the \xe2\x80\xa6", "Fix the thing", "Fix the thing"},
	    {"Renamed since", "Fix the thing", "Renamed since"},
	    {"Title", "", "Title"},
	    {"", "All of it", "All of it"},
	};

	for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
		AUTO_JSON *meta = json_pack("{s:s}", "description", rows[i][1]);
		struct todo_brief b = {"T001", rows[i][0], "/", meta, NULL, false};
		AUTO_FREE char *line = xasprintf("\n**Description:** %s\n", rows[i][2]);
		AUTO_BUF prompt = BUF_INIT;

		todo_prompt(&b, &prompt);
		assert_non_null(strstr(prompt.data, line));
	}
}

static void
test_files(void **state UNUSED)
{
	assert_int_equal(mkdirat(scratch.fd, "src", 0700), 0);
	put("src/a.c", "int a;\n", 7);
	put("b.md", "```\nno end", 10);
	assert_context("Fix `src/a.c:12`, b.md. and none.c", NULL,
	    "### src/a.c\n```\nint a;\n```\n\n### b.md\n````\n```\nno end\n````\n\n");
	/* Each file is there once, those of the sidecar first. */
	assert_context("Fix src/a.c",
	    "{\"contextFiles\":[\"./src/../b.md\",{\"path\":\"src/a.c\"},7]}",
	    "### ./src/../b.md\n````\n```\nno end\n````\n\n### src/a.c\n```\nint a;\n```\n\n");
	assert_context("Nothing to see at https://x.example/src/a.c", NULL, "");
	assert_context("Look into src/ and .", NULL, "");
}

static void
test_hostile_paths(void **state UNUSED)
{
	AUTO_FREE char *beside = xasprintf("%s.beside", scratch.path);
	AUTO_FREE char *meta = xasprintf("{\"contextFiles\":[\"%s\"]}", beside);
	AUTO_FREE char *expected =
	    xasprintf("### %s\n(left out: it is outside the project)\n\n", beside);

	put(".env", "SECRET=1\n", 9);
	assert_int_equal(symlinkat("/etc/passwd", scratch.fd, "link.c"), 0);
	assert_int_equal(mkfifoat(scratch.fd, "fifo.c", 0600), 0);
	assert_context("../../../etc/passwd /etc/passwd link.c .env fifo.c", NULL, "");
	assert_context("x",
	    "{\"contextFiles\":[\"/etc/passwd\",\"link.c\",\"gone\",\"fifo.c\",\"\\u001b\"]}",
	    "### /etc/passwd\n(left out: it is outside the project)\n\n"
	    "### link.c\n(left out: it is outside the project)\n\n"
	    "### gone\n(left out: it cannot be found)\n\n"
	    "### fifo.c\n(left out: it is no regular file)\n\n"
	    "### \\x1b\n(left out: it cannot be found)\n\n");
	assert_context(
	    "x", "{\"contextFiles\":[\".env\"]}", "### .env\n```\nSECRET=1\n```\n\n");
	/* A directory whose name begins alike is another one. */
	assert_int_equal(mkdir(beside, 0700), 0);
	assert_context("x", meta, expected);
	assert_int_equal(rmdir(beside), 0);
}

static void
test_sizes(void **state UNUSED)
{
	AUTO_BUF big = BUF_INIT;
	AUTO_BUF meta = BUF_INIT;
	AUTO_FREE char *is = NULL;
	const char *p;
	size_t n = 0;

	while (big.len < CONTEXT_FILE_MAX - 1)
		buf_adds(&big, "a");
	buf_adds(&big, "\xe2\x82\xac and more");
	buf_adds(&meta, "{\"contextFiles\":[");
	for (int i = 0; i < 40; i++) {
		AUTO_FREE char *name = xasprintf("f%d", i);

		put(name, big.data, i < 3 ? big.len : 5);
		buf_addf(&meta, "%s\"%s\"", i > 0 ? "," : "", name);
	}
	buf_adds(&meta, "]}");
	put("f3", "a\0b", 3);
	put("f4", "\xff\n", 2);
	is = context("x", meta.data);
	assert_non_null(strstr(is, "### f0\n(the first 65536 of 65547 bytes)\n```\naaaa"));
	assert_non_null(strstr(is, "a\n```\n\n### f1\n"));
	assert_non_null(strstr(is, "### f3\n(left out: it is no text)\n"));
	assert_non_null(strstr(is, "### f4\n```\n\xef\xbf\xbd\n```\n"));
	assert_non_null(
	    strstr(is, "### f39\n(left out: there are too many, read it yourself)\n"));
	for (p = is; (p = strstr(p, "\n```\naaaa")) != NULL; p++)
		n++;
	assert_int_equal(n, CONTEXT_FILES - 1);
	assert_true(strlen(is) < CONTEXT_MAX + 8192);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    scratch_test(test_words),
	    scratch_test(test_words_without_commands),
	    scratch_test(test_description),
	    scratch_test(test_files),
	    scratch_test(test_hostile_paths),
	    scratch_test(test_sizes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
