/* What an agent says, told from everything else in its transcript. */
#include "watch/transcript.h"

#include "base/fs.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void
collect(void *ctx, const char *line, size_t len)
{
	struct buf *out = ctx;

	buf_add(out, line, len);
	buf_addc(out, '|');
}

/* Feeds the text in pieces of that size; returns the turns. */
static size_t
read_by(const char *text, size_t len, size_t piece, struct buf *out)
{
	struct transcript t;
	size_t turns;

	transcript_init(&t, collect, out);
	for (size_t i = 0; i < len; i += piece)
		transcript_feed(&t, text + i, piece < len - i ? piece : len - i);
	turns = t.turns;
	transcript_release(&t);
	return turns;
}

static void
assert_said(const char *text, const char *want, size_t turns)
{
	for (size_t piece = 1; piece <= strlen(text) + 1; piece += 1 + piece / 3) {
		AUTO_BUF out = BUF_INIT;

		assert_int_equal(read_by(text, strlen(text), piece, &out), turns);
		assert_string_equal(out.data, want);
	}
}

#define SAYS(text)                                                                   \
	"{\"type\":\"assistant\",\"message\":{\"role\":\"assistant\",\"content\":[{" \
	"\"type\":\"text\",\"text\":\"" text "\"}]}}\n"

static void
the_agents_words_come_line_by_line(void **state)
{
	(void)state;
	assert_said(SAYS("one\\ntwo\\r\\n\\nthree") SAYS("four"), "one|two||three|four|", 2);
	assert_said(SAYS("no end, "
			 "no statement") "{\"type\":\"assistant\",\"message\":{\"content\":[{",
	    "no end, no statement|", 1);
	assert_said(
	    "{\"type\":\"assistant\",\"message\":{\"content\":\"plain\"}}\n", "plain|", 1);
	assert_said(SAYS("\\u001b[1mbold\\u001b[0m \\u001b]0;") SAYS("next"), "bold |next|", 2);
}

static void
what_others_say_does_not_count(void **state)
{
	(void)state;
	assert_said(
	    "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"DONE\"}}\n"
	    "{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":[{\"type\":"
	    "\"tool_result\",\"content\":\"DONE\"},{\"type\":\"text\",\"text\":\"DONE\"}]}}"
	    "\n",
	    "", 2);
	assert_said(
	    "{\"type\":\"assistant\",\"message\":{\"content\":[{\"type\":\"thinking\","
	    "\"thinking\":\"DONE\",\"text\":\"DONE\"},{\"type\":\"tool_use\",\"input\":{"
	    "\"type\":\"text\",\"text\":\"DONE\"}}]}}\n",
	    "", 1);
	assert_said("{\"type\":\"assistant\",\"isSidechain\":true,\"message\":{\"content\":["
		    "{\"type\":\"text\",\"text\":\"DONE\"}]}}\n",
	    "", 0);
	assert_said("{\"type\":\"assistant\",\"isApiErrorMessage\":true,\"message\":{"
		    "\"content\":[{\"type\":\"text\",\"text\":\"DONE\"}]}}\n",
	    "", 1);
	assert_said("{\"type\":\"assistant\",\"message\":{\"role\":\"user\",\"content\":["
		    "{\"type\":\"text\",\"text\":\"DONE\"}]}}\n",
	    "", 1);
	assert_said("{\"type\":\"summary\",\"summary\":\"DONE\"}\n", "", 0);
}

static void
nonsense_is_passed_over(void **state)
{
	(void)state;
	assert_said("\n\nnot json\n{\"type\":\"assistant\n[1,2]\nnull\n\"assistant\"\n"
		    "{\"type\":[\"assistant\"]}\n" SAYS("fine"),
	    "fine|", 1);
	assert_said("{\"type\":\"assistant\"}\n{\"type\":\"assistant\",\"message\":7}\n"
		    "{\"type\":\"assistant\",\"message\":{\"content\":[7,null,[],{\"type\":"
		    "\"text\"},{\"type\":\"text\",\"text\":7}]}}\n" SAYS("fine"),
	    "fine|", 4);
}

static void
a_line_that_is_too_long_is_passed_over(void **state)
{
	AUTO_BUF text = BUF_INIT, out = BUF_INIT;

	(void)state;
	buf_adds(&text, SAYS("before") "{\"type\":\"assistant\",\"message\":{\"content\":\"");
	for (size_t i = 0; i < TRANSCRIPT_LINE_MAX; i += 16)
		buf_adds(&text, "0123456789abcdef");
	buf_adds(&text, "\"}}\n" SAYS("after"));
	assert_int_equal(read_by(text.data, text.len, 65536, &out), 2);
	assert_string_equal(out.data, "before|after|");
	buf_clear(&out);
	assert_int_equal(read_by(text.data, text.len, text.len, &out), 2);
	assert_string_equal(out.data, "before|after|");
}

static void
a_real_one(void **state)
{
	AUTO_BUF text = BUF_INIT;

	(void)state;
	assert_int_equal(
	    fs_read(AT_FDCWD, RECORDINGS "/claude-done.transcript.jsonl", 1 << 20, &text, NULL),
	    0);
	assert_said(text.data,
	    "I begin with the **file**:||- one|- two|That was the last one.||"
	    "All tasks complete|",
	    9);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_agents_words_come_line_by_line),
	    cmocka_unit_test(what_others_say_does_not_count),
	    cmocka_unit_test(nonsense_is_passed_over),
	    cmocka_unit_test(a_line_that_is_too_long_is_passed_over),
	    cmocka_unit_test(a_real_one),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
