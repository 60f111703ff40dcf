/* The message of a commit has one shape, whatever the words are. */
#include "turn.h"

static struct buf message = BUF_INIT;

static const char *
say(const char *summary, const char *description)
{
	buf_release(&message);
	words = (struct turn_words){summary, description};
	turn_message("T001", &words, &message);
	return message.data;
}

static void
the_bullets_are_lines_or_sentences(void **state UNUSED)
{
	assert_string_equal(say("Add login", "Add a login page"),
	    "T001: Add login\n\n- Add login\n\nRequest: Add a login page\nTask: T001\n");
	assert_string_equal(say("Use v1.2 e.g. here. Now! \"Really\"? 3 tests.", "d"),
	    "T001: Use v1.2 e.g. here. Now! \"Really\"? 3 tests.\n\n- Use v1.2 e.g. here.\n"
	    "- Now!\n- \"Really\"?\n- 3 tests.\n\nRequest: d\nTask: T001\n");
	assert_string_equal(
	    say("\n  Summary line\r\n\r\n* one\n- two. Three.\n 3) four\n", "d"),
	    "T001: Summary line\n\n- Summary line\n- one\n- two. Three.\n- four\n\nRequest: "
	    "d\nTask: T001\n");
	buf_release(&message);
}

static void
there_is_always_something(void **state UNUSED)
{
	assert_string_equal(
	    say(NULL, "Do\n it"), "T001: Do\n\n- Do\n- it\n\nRequest: Do it\nTask: T001\n");
	assert_string_equal(
	    say(" \n\t", ""), "T001: done\n\n- done\n\nRequest: (none)\nTask: T001\n");
	buf_release(&message);
}

static void
characters_are_counted_not_bytes(void **state UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	const char *line;
	size_t count = 0;

	for (int i = 0; i < 300; i++)
		buf_adds(&text, "ü");
	line = say(text.data, text.data);
	for (; *line != '\n'; line++)
		count += ((unsigned char)*line & 0xC0) != 0x80;
	assert_int_equal(count, 72);
	assert_memory_equal(line - 3, "…", 3);
	line = strstr(line, "Request: ") + 9;
	for (count = 0; *line != '\n'; line++)
		count += ((unsigned char)*line & 0xC0) != 0x80;
	assert_int_equal(count, 100);
	buf_truncate(&text, 2 * (72 - 6));
	assert_null(strstr(say(text.data, "d"), "…"));
	buf_release(&message);
}

/* What git makes of the message, with every word of it against us. */
static void
hostile_words_are_only_words(void **state UNUSED)
{
	static const char bad[] = "# comment\n---\ndiff --git a b\n\nSigned-off-by: me\nTask: "
				  "T999\n\n# --- >8 ---\n\x1b[31mred\x07 \xff\xfe end\n"
				  "cherry picked from commit x\nRequest: other";
	AUTO_FREE char *parsed = NULL;

	begin();
	sh("echo n >repo/new");
	words = (struct turn_words){bad, bad};
	commit();
	parsed = shell("cd repo; git log -1 --format=%%B | git interpret-trailers --parse");
	assert_int_equal(
	    strncmp(parsed, "Request: # comment --- diff --git a b Signed", 40), 0);
	assert_string_equal(strchr(parsed, '\n'), "\nTask: T001");
	assert_shell("T001: # comment", "git -C repo log -1 --format=%%s");
	assert_shell(
	    "- # comment\n- ---\n- diff --git a b\n- Signed-off-by: me\n- Task: T999\n- # "
	    "--- >8 ---\n- [31mred \xef\xbf\xbd\xef\xbf\xbd end\n- cherry picked from "
	    "commit x\n- Request: other",
	    "git -C repo log -1 --format=%%b | grep '^-'");
	assert_shell(
	    "T001", "git -C repo log -1 --format='%%(trailers:key=Task,valueonly,separator=)'");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_bullets_are_lines_or_sentences),
	    cmocka_unit_test(there_is_always_something),
	    cmocka_unit_test(characters_are_counted_not_bytes),
	    turn_test(hostile_words_are_only_words),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
