/* Characters on the screen; 4 rows of 10 columns unless said otherwise. */
#include "fixture.h"

#define WIDE "\xe4\xb8\xad" /* one character of two columns */
#define ACUTE "\xcc\x81"    /* combining */
#define MAN "\xf0\x9f\x91\xa8"
#define WOMAN "\xf0\x9f\x91\xa9"
#define JOINER "\xe2\x80\x8d"

static void
test_text_wraps_at_the_margin(void **state)
{
	struct fixture *f = fixture_new(4, 10);
	AUTO_BUF row = BUF_INIT;

	(void)state;
	feed(f, "0123456789");
	assert_cursor(f, 0, 10);
	assert_false(term_row_text(f->t, 0, &row));
	feed(f, "abc");
	assert_string_equal(screen(f), "0123456789\nabc");
	assert_true(term_row_text(f->t, 0, &row));
	assert_false(term_row_text(f->t, 1, &row));
	fixture_free(f);
}

static void
test_a_due_wrap_is_forgotten_by_moving(void **state)
{
	(void)state;
	assert_shows("0123456789\rx", "x123456789");
	assert_shows("0123456789\bx", "012345678x");
	assert_shows("0123456789\033[Ax", "012345678x");
	assert_shows("0123456789\033[Kx", "0123456789\nx");
}

static void
test_without_wrapping_the_last_column_is_overwritten(void **state)
{
	(void)state;
	assert_shows("\033[?7l0123456789abc", "012345678c");
	assert_shows("\033[?7l012345678" WIDE "x", "012345678x");
}

static void
test_controls_move_the_cursor(void **state)
{
	struct fixture *f = fixture_new(4, 20);

	(void)state;
	feed(f, "a\tb\r\nc\vd\fe\a\b\bX");
	assert_string_equal(screen(f), "a       b\nc\n d\n Xe");
	assert_int_equal(f->bells, 1);
	fixture_free(f);
}

static void
test_tab_stops(void **state)
{
	struct fixture *f = fixture_new(2, 20);

	(void)state;
	feed(f, "\033[3g\033[5G\033H\033[12G\033H\r\ta\tb\tc\033[2;1H\033[5G\033[g\r\tx");
	assert_string_equal(screen(f), "    a      b       c\n           x");
	feed(f, "\033[1;20H\033[Zd");
	assert_string_equal(screen(f), "    a      d       c\n           x");
	fixture_free(f);
}

static void
test_wide_characters_take_two_columns(void **state)
{
	struct fixture *f = fixture_new(4, 10);

	(void)state;
	feed(f, WIDE "a");
	assert_cursor(f, 0, 3);
	feed(f, "\r012345678" WIDE);
	assert_string_equal(screen(f), "012345678\n" WIDE);
	fixture_free(f);
	assert_shows("ab" WIDE "c\033[1;4Hx", "ab xc");
	assert_shows("ab" WIDE "c\033[1;3Hx", "abx c");
	assert_shows("a" WIDE WIDE "\033[1;3H" WIDE, "a " WIDE);
}

static void
test_combining_characters_join_the_one_before(void **state)
{
	struct fixture *f = fixture_new(4, 10);

	(void)state;
	feed(f, "e" ACUTE "x" WIDE ACUTE);
	assert_string_equal(screen(f), "e" ACUTE "x" WIDE ACUTE);
	assert_cursor(f, 0, 4);
	feed(f, "\r" ACUTE "y");
	assert_string_equal(screen(f), "yx" WIDE ACUTE);
	fixture_free(f);
}

static void
test_a_cell_holds_no_more_than_twenty_one_bytes(void **state)
{
	AUTO_BUF bytes = BUF_INIT;
	AUTO_BUF want = BUF_INIT;

	(void)state;
	buf_addc(&bytes, 'e');
	for (int i = 0; i < 1000; i++)
		buf_adds(&bytes, ACUTE);
	buf_add(&want, bytes.data, 21);
	assert_shows(bytes.data, want.data);
}

static void
test_marks_come_and_go_without_end(void **state)
{
	struct fixture *f = fixture_new(4, 10);

	(void)state;
	for (int i = 0; i < 5000; i++)
		feed(f, "e" ACUTE);
	feed(f, "\033[H\033[Je" ACUTE);
	assert_string_equal(screen(f), "e" ACUTE);
	fixture_free(f);
}

static void
test_joined_emoji_share_a_cell(void **state)
{
	struct fixture *f = fixture_new(4, 10);

	(void)state;
	feed(f, MAN JOINER WOMAN);
	assert_cursor(f, 0, 2);
	feed(f, "\xe2\x9d\xa4\xef\xb8\x8f"
		"x");
	assert_cursor(f, 0, 4);
	assert_string_equal(screen(f), MAN JOINER WOMAN "\xe2\x9d\xa4\xef\xb8\x8f"
							"x");
	fixture_free(f);
	assert_shows(JOINER WOMAN "x", "x");
}

static void
test_what_is_not_utf8_is_dropped(void **state)
{
	(void)state;
	assert_shows("a\xff\xfe\x80"
		     "b",
	    "ab");
	assert_shows("a\xe4\xb8"
		     "b",
	    "ab");
	assert_shows("\xc0\xaf\xe0\x80\x80\xed\xa0\x80\xf4\x90\x80\x80"
		     "x",
	    "x");
	assert_shows("a\xc2\x9b"
		     "31mb",
	    "a31mb");
	assert_shows("\xe4\033[m\xb8\xad", WIDE);
}

static void
test_insert_mode_shifts(void **state)
{
	(void)state;
	assert_shows("abc\033[1;1H\033[4hxy\033[4lz", "xyzbc");
	assert_shows("abcdefghij\033[1;2H\033[4h" WIDE, "a" WIDE "bcdefgh");
}

static void
test_the_last_character_repeats(void **state)
{
	(void)state;
	assert_shows("ab\033[3b", "abbbb");
	assert_shows("a\033[99b", "aaaaaaaaaa");
	assert_shows("a\r\n\033[3bx", "a\nx");
}

static void
test_line_drawing_letters_stay_letters_in_text(void **state)
{
	struct fixture *f = fixture_new(4, 10);
	AUTO_BUF paint = BUF_INIT;

	(void)state;
	feed(f, "\033(0lqk\033(B-\033)0\016x\017y");
	assert_string_equal(screen(f), "lqk-xy");
	term_repaint(f->t, &paint);
	assert_non_null(strstr(paint.data, "\033(0l\033(B\033(0q\033(B"));
	fixture_free(f);
}

static void
test_any_cut_gives_the_same(void **state)
{
	const char *bytes =
	    "a\033[31mb" WIDE "\033]0;t\033\\e" ACUTE "\033[2;3Hx\033Pq\033\\" MAN;

	(void)state;
	for (size_t cut = 0; cut <= strlen(bytes); cut++) {
		struct fixture *f = fixture_new(4, 10);

		term_feed(f->t, bytes, cut);
		term_feed(f->t, bytes + cut, strlen(bytes) - cut);
		assert_string_equal(screen(f), "ab" WIDE "e" ACUTE "\n  x" MAN);
		assert_string_equal(f->t->title, "t");
		fixture_free(f);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_text_wraps_at_the_margin),
	    cmocka_unit_test(test_a_due_wrap_is_forgotten_by_moving),
	    cmocka_unit_test(test_without_wrapping_the_last_column_is_overwritten),
	    cmocka_unit_test(test_controls_move_the_cursor),
	    cmocka_unit_test(test_tab_stops),
	    cmocka_unit_test(test_wide_characters_take_two_columns),
	    cmocka_unit_test(test_combining_characters_join_the_one_before),
	    cmocka_unit_test(test_a_cell_holds_no_more_than_twenty_one_bytes),
	    cmocka_unit_test(test_marks_come_and_go_without_end),
	    cmocka_unit_test(test_joined_emoji_share_a_cell),
	    cmocka_unit_test(test_what_is_not_utf8_is_dropped),
	    cmocka_unit_test(test_insert_mode_shifts),
	    cmocka_unit_test(test_the_last_character_repeats),
	    cmocka_unit_test(test_line_drawing_letters_stay_letters_in_text),
	    cmocka_unit_test(test_any_cut_gives_the_same),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
