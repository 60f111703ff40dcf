/* The line that every action leaves. */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "desktop/audit.h"

#define LOG "ai/logs/pc-automation.log"

static void
a_line_stays_a_line(void **unused UNUSED)
{
	AUTO_JSON *args = json_pack("{s:s}", "title", "a\n\"b\"");
	AUTO_BUF line = BUF_INIT;

	audit_line(&line, INT64_C(1705314600123) * NSEC_PER_MSEC, "focus", args, NULL);
	assert_string_equal(line.data,
	    "[2024-01-15T10:30:00.123Z] [focus] {\"title\":\"a\\n\\\"b\\\"\"} -> success");
	buf_clear(&line);
	audit_line(&line, 0, "focus", args, "two\nlines\033[2J");
	assert_null(strchr(line.data, '\n'));
	assert_null(strchr(line.data, '\033'));
	assert_non_null(strstr(line.data, "-> error: two"));
}

static void
assert_typed(const char *text, size_t len, bool shown, const char *want)
{
	AUTO_JSON *args = json_object();
	AUTO_BUF got = BUF_INIT;

	audit_typed(args, text, len, shown);
	json_print(args, true, &got);
	assert_string_equal(got.data, want);
}

static void
typed_text_is_told_by_its_length(void **unused UNUSED)
{
	assert_typed("", 0, false, "{\"length\":0}");
	assert_typed("secret", 6, false, "{\"length\":6}");
	assert_typed("\xe2\x98\x83z", 4, true, "{\"length\":2,\"text\":\"\xe2\x98\x83z\"}");
	assert_typed("\xff\xe2", 2, false, "{\"length\":2}");
}

static void
fifty_characters_are_shown_at_most(void **unused UNUSED)
{
	AUTO_JSON *args = json_object();
	AUTO_BUF text = BUF_INIT;

	for (int i = 0; i < 51; i++)
		buf_adds(&text, "\xc3\xa4");
	audit_typed(args, text.data, text.len, true);
	assert_int_equal(json_int(args, "length", 0), 51);
	assert_int_equal(strlen(json_str(args, "text", "")), 100);
	json_object_clear(args);
	audit_typed(args, text.data, text.len - 2, true);
	assert_int_equal(strlen(json_str(args, "text", "")), 100);
}

static void
a_torn_line_is_ended_first(void **unused UNUSED)
{
	AUTO_JSON *args = json_object();
	AUTO_BUF content = BUF_INIT;
	struct err err = ERR_INIT;
	int fd = audit_open(scratch.path, &err);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, "torn", 4), 4);
	assert_int_equal(audit_append(fd, "windows", args, NULL, &err), 0);
	assert_int_equal(audit_append(fd, "windows", args, "no", &err), 0);
	close(fd);
	assert_int_equal(fs_read(scratch.fd, LOG, 4096, &content, &err), 0);
	assert_memory_equal(content.data, "torn\n[", 6);
	assert_non_null(strstr(content.data, "{} -> success\n["));
	assert_non_null(strstr(content.data, "{} -> error: no\n"));
}

static void
a_link_is_not_followed(void **unused UNUSED)
{
	struct err err = ERR_INIT;

	assert_int_equal(mkdirat(scratch.fd, "ai", 0700), 0);
	assert_int_equal(mkdirat(scratch.fd, "ai/logs", 0700), 0);
	assert_int_equal(symlinkat("/etc/passwd", scratch.fd, LOG), 0);
	assert_int_equal(audit_open(scratch.path, &err), -1);
	assert_non_null(strstr(err.text, "nothing was done"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(a_line_stays_a_line),
	    cmocka_unit_test(typed_text_is_told_by_its_length),
	    cmocka_unit_test(fifty_characters_are_shown_at_most),
	    cmocka_unit_test_setup_teardown(
		a_torn_line_is_ended_first, scratch_setup, scratch_teardown),
	    cmocka_unit_test_setup_teardown(
		a_link_is_not_followed, scratch_setup, scratch_teardown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
