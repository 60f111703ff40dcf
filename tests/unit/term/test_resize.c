/* New sizes. */
#include "fixture.h"

static void
test_sizes_are_clamped(void **state)
{
	struct fixture *f = fixture_new(0, -5);

	(void)state;
	assert_int_equal(term_rows(f->t), 1);
	assert_int_equal(term_cols(f->t), 2);
	feed(f, "\xe4\xb8\xad"
		"abc\xe4\xb8\xad");
	term_resize(f->t, 1 << 30, 1 << 30);
	assert_int_equal(term_rows(f->t), 1000);
	assert_int_equal(term_cols(f->t), 1000);
	fixture_free(f);
}

static void
test_wrapped_rows_are_joined_and_cut_anew(void **state)
{
	struct fixture *f = fixture_new(6, 10);

	(void)state;
	feed(f, "0123456789abcdef\r\nshort\r\n");
	term_resize(f->t, 6, 20);
	assert_string_equal(screen(f), "0123456789abcdef\nshort");
	assert_cursor(f, 2, 0);
	term_resize(f->t, 6, 10);
	assert_string_equal(screen(f), "abcdef\nshort");
	assert_string_equal(f->out.data, "0123456789/");
	fixture_free(f);
}

static void
test_the_cursor_stays_with_its_text(void **state)
{
	struct fixture *f = fixture_new(6, 10);

	(void)state;
	feed(f, "0123456789abcdef\033[2;3H");
	term_resize(f->t, 6, 20);
	assert_cursor(f, 0, 12);
	feed(f, "X");
	assert_string_equal(screen(f), "0123456789abXdef");
	fixture_free(f);
}

static void
test_wide_characters_are_not_cut_in_two(void **state)
{
	struct fixture *f = fixture_new(6, 10);

	(void)state;
	feed(f, "a\xe4\xb8\xad\xe4\xb8\xad\xe4\xb8\xad");
	term_resize(f->t, 6, 4);
	assert_string_equal(screen(f), "\xe4\xb8\xad\xe4\xb8\xad");
	assert_string_equal(f->out.data, "a\xe4\xb8\xad/");
	fixture_free(f);
}

static void
test_a_lower_screen_loses_blank_rows_first(void **state)
{
	struct fixture *f = fixture_new(6, 10);

	(void)state;
	feed(f, "1\r\n2\r\n3");
	term_resize(f->t, 3, 10);
	assert_string_equal(screen(f), "1\n2\n3");
	assert_string_equal(f->out.data, "");
	term_resize(f->t, 2, 10);
	assert_string_equal(screen(f), "2\n3");
	assert_string_equal(f->out.data, "1\n");
	assert_cursor(f, 1, 1);
	term_resize(f->t, 5, 10);
	assert_string_equal(screen(f), "2\n3");
	fixture_free(f);
}

static void
test_the_alternate_screen_is_cut_and_comes_back(void **state)
{
	struct fixture *f = fixture_new(6, 10);

	(void)state;
	feed(f, "0123456789abc\033[?1049h\033[HABCDEFGHIJ");
	term_resize(f->t, 6, 5);
	assert_string_equal(screen(f), "ABCDE");
	term_resize(f->t, 6, 10);
	assert_string_equal(screen(f), "ABCDEFGHIJ");
	term_resize(f->t, 6, 20);
	feed(f, "\033[?1049l");
	assert_string_equal(screen(f), "0123456789abc");
	assert_string_equal(f->out.data, "");
	fixture_free(f);
}

static void
test_marks_survive(void **state)
{
	struct fixture *f = fixture_new(6, 10);

	(void)state;
	feed(f, "0123456789e\xcc\x81");
	term_resize(f->t, 8, 30);
	assert_string_equal(screen(f), "0123456789e\xcc\x81");
	fixture_free(f);
}

static void
test_a_new_height_ends_the_region_and_a_new_width_the_tabs(void **state)
{
	struct fixture *f = fixture_new(6, 10);

	(void)state;
	feed(f, "\033[2;3r\033[3g");
	term_resize(f->t, 7, 20);
	feed(f, "\033[7;1H\n\tx");
	assert_string_equal(screen(f), "\n\n\n\n\n\n        x");
	fixture_free(f);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sizes_are_clamped),
	    cmocka_unit_test(test_wrapped_rows_are_joined_and_cut_anew),
	    cmocka_unit_test(test_the_cursor_stays_with_its_text),
	    cmocka_unit_test(test_wide_characters_are_not_cut_in_two),
	    cmocka_unit_test(test_a_lower_screen_loses_blank_rows_first),
	    cmocka_unit_test(test_the_alternate_screen_is_cut_and_comes_back),
	    cmocka_unit_test(test_marks_survive),
	    cmocka_unit_test(test_a_new_height_ends_the_region_and_a_new_width_the_tabs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
