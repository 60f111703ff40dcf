/* Modes, the alternate screen, questions and answers, titles. */
#include "fixture.h"

static unsigned
modes_after(const char *bytes)
{
	struct fixture *f = fixture_new(4, 10);
	unsigned modes;

	feed(f, bytes);
	modes = term_modes(f->t);
	fixture_free(f);
	return modes & ~(unsigned)TERM_MODE_WRAP;
}

static void
assert_answer(const char *bytes, const char *want)
{
	struct fixture *f = fixture_new(4, 10);

	feed(f, bytes);
	assert_string_equal(f->replies.data, want);
	assert_string_equal(screen(f), "");
	fixture_free(f);
}

static void
test_every_mode_goes_on_and_off(void **state)
{
	static const struct {
		const char *on, *off;
		unsigned mode;
	} modes[] = {
	    {"\033[?2004h", "\033[?2004l", TERM_MODE_BRACKETED_PASTE},
	    {"\033[?1h", "\033[?1l", TERM_MODE_APP_CURSOR},
	    {"\033=", "\033>", TERM_MODE_APP_KEYPAD},
	    {"\033[?47h", "\033[?47l", TERM_MODE_ALT_SCREEN},
	    {"\033[?1047h", "\033[?1047l", TERM_MODE_ALT_SCREEN},
	    {"\033[?1049h", "\033[?1049l", TERM_MODE_ALT_SCREEN},
	    {"\033[?25l", "\033[?25h", TERM_MODE_CURSOR_HIDDEN},
	    {"\033[?1000h", "\033[?1000l", TERM_MODE_MOUSE_BUTTON},
	    {"\033[?1002h", "\033[?1002l", TERM_MODE_MOUSE_DRAG},
	    {"\033[?1003h", "\033[?1003l", TERM_MODE_MOUSE_ALL},
	    {"\033[?1006h", "\033[?1006l", TERM_MODE_MOUSE_SGR},
	    {"\033[?1004h", "\033[?1004l", TERM_MODE_FOCUS},
	    {"\033[?2026h", "\033[?2026l", TERM_MODE_SYNC},
	    {"\033[4h", "\033[4l", TERM_MODE_INSERT},
	    {"\033[?6h", "\033[?6l", TERM_MODE_ORIGIN},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(modes); i++) {
		AUTO_BUF both = BUF_INIT;

		assert_int_equal(modes_after(modes[i].on), modes[i].mode);
		buf_addf(&both, "%s%s", modes[i].on, modes[i].off);
		assert_int_equal(modes_after(both.data), 0);
	}
	assert_int_equal(modes_after("\033[?1;2004;9999h"),
	    TERM_MODE_APP_CURSOR | TERM_MODE_BRACKETED_PASTE);
	assert_int_equal(modes_after("\033[?1000h\033[?1003h"), TERM_MODE_MOUSE_ALL);
}

static void
test_wrapping_is_on_at_first(void **state)
{
	struct fixture *f = fixture_new(4, 10);

	(void)state;
	assert_int_equal(term_modes(f->t), TERM_MODE_WRAP);
	feed(f, "\033[?7l");
	assert_int_equal(term_modes(f->t), 0);
	fixture_free(f);
}

static void
test_the_main_screen_returns(void **state)
{
	struct fixture *f = fixture_new(4, 10);

	(void)state;
	feed(f, "main\r\n\033[31m\033[?1049h");
	assert_string_equal(screen(f), "");
	assert_cursor(f, 1, 0);
	feed(f, "alt\033[?1049hx\033[32m");
	assert_string_equal(screen(f), "\naltx");
	feed(f, "\033[?1049l");
	assert_string_equal(screen(f), "main");
	assert_cursor(f, 1, 0);
	feed(f, "\033[3;3H\033[?47halt\033[?47l");
	assert_cursor(f, 2, 5);
	fixture_free(f);
}

static void
test_resets(void **state)
{
	struct fixture *f = fixture_new(4, 10);

	(void)state;
	feed(f, "text\033[?2004h\033[4h\033[2;3r\033[?6h\033[?25l\033[!p");
	assert_string_equal(screen(f), "text");
	assert_int_equal(term_modes(f->t), TERM_MODE_WRAP | TERM_MODE_BRACKETED_PASTE);
	feed(f, "\033c");
	assert_string_equal(screen(f), "");
	assert_int_equal(term_modes(f->t), TERM_MODE_WRAP);
	assert_cursor(f, 0, 0);
	fixture_free(f);
}

static void
test_answers(void **state)
{
	(void)state;
	assert_answer("\033[c", "\033[?1;2c");
	assert_answer("\033[0c", "\033[?1;2c");
	assert_answer("\033[>c", "\033[>84;0;0c");
	assert_answer("\033[5n", "\033[0n");
	assert_answer("\033[2;3H\033[6n", "\033[2;3R");
	assert_answer("\033[>q", "\033P>|ralph " RALPH_VERSION "\033\\");
	assert_answer("\033[?2026$p", "\033[?2026;2$y");
	assert_answer("\033[?2004h\033[?2004$p", "\033[?2004;1$y");
	assert_answer("\033[?25$p", "\033[?25;1$y");
	assert_answer("\033[?1049$p", "\033[?1049;2$y");
	assert_answer("\033[?31337$p", "\033[?31337;0$y");
	assert_answer("\033[4$p", "\033[4;2$y");
	assert_answer("\033[?u", "\033[?0u");
	assert_answer("\033[18t", "\033[8;4;10t");
	assert_answer("\033]10;?\a", "\033]10;rgb:ffff/ffff/ffff\a");
	assert_answer("\033]11;?\033\\", "\033]11;rgb:0000/0000/0000\033\\");
}

static void
test_what_is_ignored_prints_nothing(void **state)
{
	(void)state;
	assert_answer("\033[>1u\033[<u\033[=1u\033[>4;2m\033[>4n\033[?1;2c\033[ q\033[99y", "");
	assert_answer(
	    "\033]8;;http://example.org\033\\\033]8;;\a\033]52;c;?\a\033]4;1;?\a", "");
	assert_answer(
	    "\033P1$r0m\033\\\033_apc\033\\\033^pm\033\\\033Xsos\033\\\033kname\033\\", "");
	assert_answer("\033%G\033*A\033(U\033]10;red\a\033]777;notify;a;b\a", "");
}

static void
test_any_number_of_parameters(void **state)
{
	AUTO_BUF bytes = BUF_INIT;

	(void)state;
	assert_answer("\033[38:2:59:66:97;48:2:36:40:59;58:2:224:175:104;4:3m", "");
	buf_adds(&bytes, "\033[1");
	for (int i = 0; i < 3000; i++)
		buf_adds(&bytes, ";38:2:1:2:3");
	buf_adds(&bytes, "m\033[99999999999999999999C\033[1;99999999999999999999H");
	assert_answer(bytes.data, "");
}

static void
test_titles(void **state)
{
	struct fixture *f = fixture_new(4, 10);
	AUTO_BUF bytes = BUF_INIT;

	(void)state;
	feed(f, "\033]0;one\a");
	assert_string_equal(f->t->title, "one");
	feed(f, "\033]2;zw\xc3\xb6lf\033\\");
	assert_string_equal(f->t->title, "zw\xc3\xb6lf");
	feed(f, "\033]0;bad\xff\a\033]1;icon\a");
	assert_string_equal(f->t->title, "zw\xc3\xb6lf");
	feed(f, "\033[22;0t\033]0;three\a\033[23;0t");
	assert_string_equal(f->t->title, "zw\xc3\xb6lf");
	buf_adds(&bytes, "\033]0;");
	for (int i = 0; i < 600; i++)
		buf_adds(&bytes, "\xc3\xb6");
	buf_adds(&bytes, "\a");
	feed(f, bytes.data);
	assert_int_equal(strlen(f->t->title), 512);
	assert_string_equal(screen(f), "");
	fixture_free(f);
}

static void
test_a_string_without_end_does_not_hide_the_rest(void **state)
{
	static const char *const starts[] = {"\033]0;", "\033Pq", "\033_", "\033X"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(starts); i++) {
		struct fixture *f = fixture_new(4, 10);
		char block[4096];

		memset(block, 'x', sizeof(block));
		feed(f, starts[i]);
		for (int n = 0; n < 300; n++)
			term_feed(f->t, block, sizeof(block));
		feed(f, "\r\nseen");
		assert_non_null(strstr(screen(f), "seen"));
		fixture_free(f);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_every_mode_goes_on_and_off),
	    cmocka_unit_test(test_wrapping_is_on_at_first),
	    cmocka_unit_test(test_the_main_screen_returns),
	    cmocka_unit_test(test_resets),
	    cmocka_unit_test(test_answers),
	    cmocka_unit_test(test_what_is_ignored_prints_nothing),
	    cmocka_unit_test(test_any_number_of_parameters),
	    cmocka_unit_test(test_titles),
	    cmocka_unit_test(test_a_string_without_end_does_not_hide_the_rest),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
