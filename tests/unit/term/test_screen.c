/* Moving, erasing, inserting, scrolling; 4 rows of 10 columns unless said otherwise. */
#include "fixture.h"

#define ROWS "1\r\n2\r\n3\r\n4"

static void
test_cursor_addressing(void **state)
{
	(void)state;
	assert_shows("\033[2;3Hx\033[Hy\033[99;99Hz", "y\n  x\n\n         z");
	assert_shows("\033[3d\033[4Ga\033[2`b\033[1;1fc\033[2Bd\033[9Ae", "c e\n\n d a");
	assert_shows("\033[3;5Hx\033[Ey\033[2Fz", "\nz\n    x\ny");
	assert_shows("\033[3;5H\0337\033[H\0338x\033[s\033[Hy\033[uz", "y\n\n    xz");
	assert_shows("a\033[0;0Hb\033[:3Hc", "bc");
}

static void
test_erasing(void **state)
{
	(void)state;
	assert_shows("abcdef\033[1;3H\033[K", "ab");
	assert_shows("abcdef\033[1;3H\033[1K", "   def");
	assert_shows("abcdef\033[1;3H\033[2K", "");
	assert_shows(ROWS "\033[2;1H\033[J", "1");
	assert_shows(ROWS "\033[3;1H\033[1J", "\n\n\n4");
	assert_shows(ROWS "\033[2J", "");
	assert_shows("abcdef\033[1;2H\033[2X", "a  def");
}

static void
test_inserting_and_deleting(void **state)
{
	(void)state;
	assert_shows("abcdef\033[1;2H\033[2@", "a  bcdef");
	assert_shows("abcdef\033[1;2H\033[2P", "adef");
	assert_shows("abcdef\033[1;2H\033[99P", "a");
	assert_shows(ROWS "\033[2;1H\033[L", "1\n\n2\n3");
	assert_shows(ROWS "\033[2;1H\033[2M", "1\n4");
	assert_shows(ROWS "\033[2;3r\033[2;1H\033[L", "1\n\n2\n4");
	assert_shows(ROWS "\033[2;3r\033[2;1H\033[99M", "1\n\n\n4");
}

static void
test_scrolling_in_regions(void **state)
{
	(void)state;
	assert_shows(ROWS "\033[2;3r\033[3;1H\nx", "1\n3\nx\n4");
	assert_shows(ROWS "\033[2;3r\033[2;1H\033Mx", "1\nx\n2\n4");
	assert_shows(ROWS "\033[S", "2\n3\n4");
	assert_shows(ROWS "\033[2T", "\n\n1\n2");
	assert_shows(ROWS "\033[1;2r\033[4;1H\nx", "1\n2\n3\nx");
	assert_shows(ROWS "\033[3;2r\033[9;9r\nx", "2\n3\n4\n x");
	assert_shows("\033[2;3r\033[?6h\033[1;1Hx\033[9;1Hy\033[?6l\033[1;1Hz", "z\nx\ny");
}

static void
test_index_and_next_line(void **state)
{
	(void)state;
	assert_shows("ab\033Dc\033Ed", "ab\n  c\nd");
	assert_shows("x\033#8", "EEEEEEEEEE\nEEEEEEEEEE\nEEEEEEEEEE\nEEEEEEEEEE");
}

static void
test_rows_that_leave_the_top_are_told(void **state)
{
	struct fixture *f = fixture_new(3, 10);

	(void)state;
	feed(f, "one  \r\n0123456789ab\r\nthree\r\nfour");
	assert_string_equal(f->out.data, "one\n0123456789/");
	assert_string_equal(screen(f), "ab\nthree\nfour");
	fixture_free(f);
}

static void
test_clearing_the_screen_lets_its_rows_leave(void **state)
{
	struct fixture *f = fixture_new(3, 10);

	(void)state;
	feed(f, "a\r\n\r\nb\033[2J\033[H\033[J");
	assert_string_equal(f->out.data, "a\n\nb\n");
	assert_string_equal(screen(f), "");
	fixture_free(f);
}

static void
test_rows_of_inner_regions_and_the_alternate_screen_do_not_leave(void **state)
{
	struct fixture *f = fixture_new(3, 10);

	(void)state;
	feed(f, "a\r\nb\r\nc\033[2;3r\033[3;1H\n\n\n\033[r");
	assert_string_equal(f->out.data, "");
	feed(f, "\033[1;2r\033[2;1H\n");
	assert_string_equal(f->out.data, "a\n");
	feed(f, "\033[r\033[?1049h1\r\n2\r\n3\r\n4\r\n5\033[2J\033[?1049l");
	assert_string_equal(f->out.data, "a\n");
	fixture_free(f);
}

static void
test_the_hash_is_of_the_text_alone(void **state)
{
	struct fixture *f = fixture_new(4, 10), *g = fixture_new(4, 10);
	uint64_t blank = term_text_hash(f->t), some;

	(void)state;
	feed(f, "\033[31mabc");
	some = term_text_hash(f->t);
	assert_true(some != blank);
	feed(g, "abc   \033[2;2H");
	assert_true(term_text_hash(g->t) == some);
	feed(f, "\033[S");
	assert_true(term_text_hash(f->t) == blank);
	feed(f, "\033[2;1Habc");
	assert_true(term_text_hash(f->t) != some);
	fixture_free(f);
	fixture_free(g);
}

static void
test_painting_is_going_anywhere_but_onwards(void **state)
{
	static const char *const prints[] = {"a\r\nb\tc\r\n", "50%\r51%\r", "ab\bc",
	    "All\033[7Gtasks", "\033[31mred\033[m", "a\033[3Cb"};
	static const char *const paints[] = {"a\r\nb\033[A", "abc\033[2D", "abc\033[H",
	    "\033[?1049h", "a\r\n\033M", "abc\0337def\0338", "abc\033[1G"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(prints) + ARRAY_LEN(paints); i++) {
		bool paint = i >= ARRAY_LEN(prints);
		struct fixture *f = fixture_new(4, 20);

		feed(f, paint ? paints[i - ARRAY_LEN(prints)] : prints[i]);
		assert_int_equal(term_is_painting(f->t), paint);
		fixture_free(f);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_cursor_addressing),
	    cmocka_unit_test(test_erasing),
	    cmocka_unit_test(test_inserting_and_deleting),
	    cmocka_unit_test(test_scrolling_in_regions),
	    cmocka_unit_test(test_index_and_next_line),
	    cmocka_unit_test(test_rows_that_leave_the_top_are_told),
	    cmocka_unit_test(test_clearing_the_screen_lets_its_rows_leave),
	    cmocka_unit_test(test_rows_of_inner_regions_and_the_alternate_screen_do_not_leave),
	    cmocka_unit_test(test_the_hash_is_of_the_text_alone),
	    cmocka_unit_test(test_painting_is_going_anywhere_but_onwards),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
