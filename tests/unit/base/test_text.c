#include "base/log.h"
#include "base/text.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void
assert_shown(const char *in, size_t len, bool multiline, const char *want)
{
	AUTO_BUF out = BUF_INIT;

	text_show(&out, in, len, multiline);
	assert_string_equal(out.data, want);
}

static void
assert_stripped(const char *in, const char *want)
{
	AUTO_BUF out = BUF_INIT;

	text_strip(&out, in, strlen(in));
	assert_string_equal(out.data, want);
}

static void
test_show_keeps_what_people_write(void **state)
{
	(void)state;
	assert_shown("", 0, false, "");
	assert_shown("a\tb", 3, false, "a\tb");
	assert_shown(
	    "na\xC3\xAFve \xF0\x9F\x98\x80", 11, false, "na\xC3\xAFve \xF0\x9F\x98\x80");
	assert_shown("a\nb", 3, true, "a\nb");
	assert_shown("a\nb", 3, false, "a\\x0ab");
}

static void
test_show_defuses_hostile_bytes(void **state)
{
	(void)state;
	assert_shown("\033[2Jx", 5, true, "\\x1b[2Jx");
	assert_shown("a\0b\r\x7f", 5, true, "a\\x00b\\x0d\\x7f");
	assert_shown("\xC2\x9B", 2, true, "\\u{009b}");
	assert_shown("\x9B", 1, true, "\\x9b");
	assert_shown("\xE2\x80\xAE", 3, true, "\\u{202e}");
	assert_shown("\xE2\x81\xA6", 3, true, "\\u{2066}");
	assert_shown("\xE2\x80\xA8", 3, true, "\\u{2028}");
	assert_shown("\xC3", 1, true, "\\xc3");			  /* cut off */
	assert_shown("\xC0\x80", 2, true, "\\xc0\\x80");	  /* overlong */
	assert_shown("\xED\xA0\x80", 3, true, "\\xed\\xa0\\x80"); /* surrogate */
}

/* Whatever goes in, what comes out is valid UTF-8 without control characters. */
static void
test_show_is_safe_for_every_pair_of_bytes(void **state)
{
	AUTO_BUF out = BUF_INIT;

	(void)state;
	for (unsigned i = 0; i < 0x10000; i++) {
		char in[2] = {(char)(i >> 8), (char)(i & 0xFF)};

		buf_clear(&out);
		text_show(&out, in, sizeof(in), false);
		for (size_t at = 0; at < out.len;) {
			uint32_t cp;
			size_t n = utf8_decode(out.data + at, out.len - at, &cp);

			assert_true(n > 0);
			assert_true(cp == '\t' || (cp >= 0x20 && cp < 0x7F) || cp > 0x9F);
			at += n;
		}
	}
}

static void
test_quote_is_short_and_on_one_line(void **state)
{
	AUTO_BUF out = BUF_INIT;
	char text[400];

	(void)state;
	text_quote(&out, "a\nb");
	assert_string_equal(out.data, "'a\\x0ab'");
	buf_clear(&out);
	memset(text, 'x', sizeof(text));
	text[79] = '\xC3';
	text[80] = '\xA9';
	text[sizeof(text) - 1] = '\0';
	text_quote(&out, text);
	assert_int_equal(out.len, 1 + 79 + 4);
	assert_string_equal(out.data + out.len - 5, "x...'");
}

static void
test_addf_shows_the_whole_line(void **state)
{
	AUTO_BUF out = BUF_INIT;

	(void)state;
	text_addf(&out, "%s [%d] - %s\n", "a\nb", 7, "\033[1m\xC3");
	assert_string_equal(out.data, "a\\x0ab [7] - \\x1b[1m\\xc3\n");
	text_addf(&out, "%s", "\n");
	assert_string_equal(out.data, "a\\x0ab [7] - \\x1b[1m\\xc3\n\\x0a");
}

static void
test_strip_removes_sequences(void **state)
{
	(void)state;
	assert_stripped("\033[1;31mred\033[0m", "red");
	assert_stripped("\033[?2004hprompt\033[38:2::1:2:3m", "prompt");
	assert_stripped("\033]0;title\007text", "text");
	assert_stripped("\033]8;;http://x\033\\link\033]8;;\033\\", "link");
	assert_stripped(
	    "\033Pq#0~\nmore\033\\a\033_G\033\\b\033^p\033\\c\033Xs\033\\d", "abcd");
	assert_stripped("\033(Bx\033=y\033Mz\033%G.", "xyz.");
	assert_stripped("\xC2\x9B"
			"31mred\xC2\x9D"
			"0;t\xC2\x9C!",
	    "red!");
	assert_stripped("a\r\nb\rc\b\a\x7f\x0e", "a\nbc");
	assert_stripped("\ttab\nline\n", "\ttab\nline\n");
}

/* U+E0000 to U+E007F: text that only programs see. */
static void
test_tag_characters_are_left_out(void **state)
{
	static const char tagged[] = "a\xF3\xA0\x80\x80\xF3\xA0\x81\x81\xF3\xA0\x81\xBF"
				     "b";
	AUTO_BUF shown = BUF_INIT;

	(void)state;
	assert_stripped(tagged, "ab");
	assert_stripped("0123456789abcdef\xF3\xA0\x81\x81"
			"0123456789abcdef",
	    "0123456789abcdef0123456789abcdef");
	text_show(&shown, tagged, strlen(tagged), false);
	assert_string_equal(shown.data, "ab");
	/* Their neighbours stay, and halves do not meet. */
	assert_stripped("\xF3\xA0\x82\x80\xF3\x9F\xBF\xBF", "\xF3\xA0\x82\x80\xF3\x9F\xBF\xBF");
	assert_stripped("\xF3\xA0\033[m\x81\x81", "\xA0\x81\x81");
	assert_stripped("\xF3\xA0", "\xF3\xA0");
}

static void
test_strip_keeps_other_characters(void **state)
{
	(void)state;
	assert_stripped("20\xC2\xB0"
			"C \xC3\xA9 \xE2\x9C\x93 \xF0\x9F\x98\x80",
	    "20\xC2\xB0"
	    "C \xC3\xA9 \xE2\x9C\x93 \xF0\x9F\x98\x80");
	assert_stripped("\xC2", "\xC2");
}

static void
test_strip_of_broken_sequences(void **state)
{
	(void)state;
	assert_stripped("a\033", "a");
	assert_stripped("a\033[", "a");
	assert_stripped("a\033[31", "a");
	assert_stripped("a\033]0;never ends", "a");
	assert_stripped("a\033[3\nb", "a\nb");
	assert_stripped("a\033[3\030b", "ab");
	assert_stripped("a\033[3\033[1mb", "ab");
	assert_stripped("a\033\033[1mb", "ab");
	assert_stripped("a\033]t\033[1mb", "ab");
	assert_stripped("a\033\nb", "a\nb");
	assert_stripped("a\033(\nb", "a\nb");
	/* No control may come together from what is left. */
	assert_stripped("a\xC2\033[m\x9B"
			"31mb",
	    "a\x9B"
	    "31mb");
	assert_stripped("a\xC2\r\x9B", "a\x9B");
}

/* A special byte at every offset of a word, so that no scan steps over it. */
static void
test_strip_finds_specials_at_every_offset(void **state)
{
	static const char *const specials[] = {"\033[m", "\r", "\x7f", "\xC2\x85", "\x01"};
	AUTO_BUF in = BUF_INIT;

	(void)state;
	for (size_t s = 0; s < ARRAY_LEN(specials); s++) {
		for (size_t at = 0; at < 40; at++) {
			AUTO_BUF out = BUF_INIT;

			buf_clear(&in);
			for (size_t i = 0; i < 40; i++) {
				if (i == at)
					buf_adds(&in, specials[s]);
				buf_addc(&in, i % 9 ? '\xE9' : '\n');
			}
			text_strip(&out, in.data, in.len);
			assert_int_equal(out.len, 40);
			for (size_t i = 0; i < 40; i++)
				assert_int_equal(out.data[i], i % 9 ? '\xE9' : '\n');
		}
	}
}

static void
test_utf8_decode(void **state)
{
	uint32_t cp;

	(void)state;
	assert_int_equal(utf8_decode("A", 1, &cp), 1);
	assert_int_equal(cp, 'A');
	assert_int_equal(utf8_decode("\xF4\x8F\xBF\xBF", 4, &cp), 4);
	assert_int_equal(cp, 0x10FFFF);
	assert_int_equal(utf8_decode("\xF4\x90\x80\x80", 4, &cp), 0);
	assert_int_equal(cp, 0xFFFD);
	assert_int_equal(utf8_decode("\xE0\x80\xAF", 3, &cp), 0);
	assert_int_equal(utf8_decode("\xF0\x80\x80\x80", 4, &cp), 0);
	assert_int_equal(utf8_decode("\xE2\x82", 2, &cp), 0);
	assert_int_equal(utf8_decode("\x80", 1, &cp), 0);
	assert_int_equal(utf8_decode("\xFF", 1, &cp), 0);
}

static void
test_names(void **state)
{
	static const char *const good[] = {"a", "w1", "Fix-login_2.x", "0", "a.lock.b"};
	static const char *const bad[] = {"", ".", "..", ".a", "-a", "_a", "a..b", "a.",
	    "a.lock", "a/b", "a b", "a\n", "../x", "\xC3\xA9", "a:b", "a~1", "a@{1}"};
	char longest[66];

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(good); i++)
		assert_true(name_is_valid(good[i]));
	for (size_t i = 0; i < ARRAY_LEN(bad); i++)
		assert_false(name_is_valid(bad[i]));
	memset(longest, 'n', sizeof(longest));
	longest[65] = '\0';
	assert_false(name_is_valid(longest));
	longest[64] = '\0';
	assert_true(name_is_valid(longest));
}

static void
test_nearest_word(void **state)
{
	static const char *const words[] = {"run", "status", "stop", "attach", "for"};
	char endless[1000];

	(void)state;
	assert_string_equal(text_nearest("stauts", words, ARRAY_LEN(words)), "status");
	assert_string_equal(text_nearest("STATUS", words, ARRAY_LEN(words)), "status");
	assert_string_equal(text_nearest("atach", words, ARRAY_LEN(words)), "attach");
	assert_string_equal(text_nearest("foo", words, ARRAY_LEN(words)), "for");
	assert_null(text_nearest("elephant", words, ARRAY_LEN(words)));
	assert_null(text_nearest("", words, ARRAY_LEN(words)));
	assert_null(text_nearest("run", words, 0));
	memset(endless, 'r', sizeof(endless));
	endless[sizeof(endless) - 1] = '\0';
	assert_null(text_nearest(endless, words, ARRAY_LEN(words)));
}

static void
test_random_hex(void **state)
{
	char a[17], b[17];

	(void)state;
	text_random_hex(a, 8);
	text_random_hex(b, 8);
	assert_int_equal(strspn(a, "0123456789abcdef"), 16);
	assert_string_not_equal(a, b);
	text_random_hex(a, 0);
	assert_string_equal(a, "");
}

/* Runs with stderr in a pipe; returns what was written there. */
static char *
stderr_of(void (*speak)(void))
{
	int saved = dup(STDERR_FILENO), fds[2];
	char *text = calloc(1, 4096);

	assert_int_equal(pipe(fds), 0);
	assert_int_equal(dup2(fds[1], STDERR_FILENO), STDERR_FILENO);
	speak();
	assert_int_equal(dup2(saved, STDERR_FILENO), STDERR_FILENO);
	close(saved);
	close(fds[1]);
	assert_true(read(fds[0], text, 4095) > 0);
	close(fds[0]);
	return text;
}

static void
test_lists_of_words(void **state)
{
	(void)state;
	assert_false(text_lists(NULL, ',', "a"));
	assert_true(text_lists("a,bc", ',', "a"));
	assert_true(text_lists("a,bc", ',', "bc"));
	assert_false(text_lists("a,bc", ',', "b"));
	assert_false(text_lists("a,bc", ',', "c"));
	assert_false(text_lists("a,bc", ',', "a,bc"));
	assert_true(text_lists("a,", ',', ""));
	assert_true(text_same("a", "a"));
	assert_false(text_same("a", NULL));
	assert_false(text_same(NULL, NULL));
}

static void
speak_safely(void)
{
	log_set_name("/usr/bin/swarm");
	error("cannot read '%s'", "x\033[2J\nswarm: error: forged");
	warning("careful\n");
	log_set_name("ralph");
}

static void
test_log_lines_cannot_be_forged(void **state)
{
	AUTO_FREE char *text = stderr_of(speak_safely);

	(void)state;
	assert_string_equal(text,
	    "swarm: error: cannot read 'x\\x1b[2J\\x0aswarm: error: forged'\n"
	    "swarm: warning: careful\n");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_show_keeps_what_people_write),
	    cmocka_unit_test(test_show_defuses_hostile_bytes),
	    cmocka_unit_test(test_show_is_safe_for_every_pair_of_bytes),
	    cmocka_unit_test(test_quote_is_short_and_on_one_line),
	    cmocka_unit_test(test_addf_shows_the_whole_line),
	    cmocka_unit_test(test_strip_removes_sequences),
	    cmocka_unit_test(test_tag_characters_are_left_out),
	    cmocka_unit_test(test_strip_keeps_other_characters),
	    cmocka_unit_test(test_strip_of_broken_sequences),
	    cmocka_unit_test(test_strip_finds_specials_at_every_offset),
	    cmocka_unit_test(test_utf8_decode),
	    cmocka_unit_test(test_names),
	    cmocka_unit_test(test_nearest_word),
	    cmocka_unit_test(test_random_hex),
	    cmocka_unit_test(test_lists_of_words),
	    cmocka_unit_test(test_log_lines_cannot_be_forged),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
