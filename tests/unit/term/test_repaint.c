/* The screen drawn again in another terminal, and undone. */
#include "fixture.h"

/* Feeds bytes to one terminal and its repaint to a fresh one; both must be alike. */
static struct fixture *
repainted(const char *bytes)
{
	struct fixture *f = fixture_new(6, 20), *g = fixture_new(6, 20);
	AUTO_BUF paint = BUF_INIT;
	AUTO_BUF again = BUF_INIT;
	int row, col;

	feed(f, bytes);
	term_repaint(f->t, &paint);
	feed(g, paint.data);
	assert_string_equal(screen(g), screen(f));
	term_cursor(f->t, &row, &col);
	assert_cursor(g, row, col);
	assert_int_equal(term_modes(g->t), term_modes(f->t));
	assert_string_equal(g->t->title, f->t->title);
	assert_string_equal(g->replies.data, "");
	/* Attributes are the same when the repaint of the repaint is. */
	term_repaint(g->t, &again);
	assert_string_equal(again.data, paint.data);
	fixture_free(f);
	return g;
}

static void
test_screens_come_out_the_same(void **state)
{
	static const char *const screens[] = {
	    "",
	    "plain\r\ntext",
	    "\033[1;31mred\033[0m \033[38;5;200;48;2;1;2;3mmany\033[4:3;58:5:9m colours\033[0m",
	    "\033[2;3;5;7;8;9;21;53mall\033[0m\033[91;102mbright",
	    "\033[44m\033[2J\033[3;3Hon blue",
	    "\xe4\xb8\xad e\xcc\x81 \xf0\x9f\x91\xa8\xe2\x80\x8d\xf0\x9f\x91\xa9",
	    "\033(0lqqk\033(B",
	    "0123456789012345678\xe4\xb8\xadxxxxxxxxxxxxxxxxxx",
	    "\033[6;1H01234567890123456789",
	    "\033[2;4r\033[?6h\033[2;5Hx",
	    "\033[?1h\033=\033[?2004h\033[?1002h\033[?1006h\033[?1004h\033[?25l\033[4h\033[?7l",
	    "main\r\n\033[33m\033[?1049halt\033]2;a title\a",
	    "\033[3g\033[4G\033H\033[9G\033H",
	    "\033[3;4H\033[35m\0337\033[H\033[m",
	    "\033)0\016",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(screens); i++)
		fixture_free(repainted(screens[i]));
}

static void
test_what_comes_next_fits(void **state)
{
	static const struct {
		const char *before, *after, *want;
	} cases[] = {
	    {"01234567890123456789", "x", "01234567890123456789\nx"},
	    {"\033[2;3r\033[3;1H", "\nx", "\n\nx"},
	    {"abc\033[3;3H\0337\033[H", "\0338x", "abc\n\n  x"},
	    {"main\033[?1049halt", "\033[?1049l!", "main!"},
	    {"\033[4hab\033[1;1H", "x", "xab"},
	    {"\033[3g\033[5G\033H\r", "\tx", "    x"},
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct fixture *f = repainted(cases[i].before);

		feed(f, cases[i].after);
		assert_string_equal(screen(f), cases[i].want);
		fixture_free(f);
	}
}

static void
test_leaving_undoes_the_modes(void **state)
{
	struct fixture *f = fixture_new(6, 20);
	AUTO_BUF leave = BUF_INIT;

	(void)state;
	feed(f,
	    "\033[?1;2004;1003;1006;1004;2026;6;1049h\033[?25;7l\033[4h\033=\033[2;4r\033[>1u");
	term_leave(f->t, &leave);
	assert_non_null(strstr(leave.data, "\033[<99u"));
	feed(f, leave.data);
	assert_int_equal(term_modes(f->t), TERM_MODE_WRAP);
	fixture_free(f);
}

static void
test_a_half_of_a_character_is_a_blank(void **state)
{
	struct fixture *f = fixture_new(4, 10), *g = fixture_new(4, 10);
	AUTO_BUF paint = BUF_INIT;

	(void)state;
	feed(f, "a\xe4\xb8\xad"
		"b\033[1;2H\033[P");
	term_repaint(f->t, &paint);
	feed(g, paint.data);
	assert_string_equal(screen(f), "ab");
	assert_string_equal(screen(g), "a b");
	fixture_free(f);
	fixture_free(g);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_screens_come_out_the_same),
	    cmocka_unit_test(test_what_comes_next_fits),
	    cmocka_unit_test(test_leaving_undoes_the_modes),
	    cmocka_unit_test(test_a_half_of_a_character_is_a_blank),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
