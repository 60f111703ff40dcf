#include "base/alloc.h"
#include "base/buf.h"
#include "base/err.h"
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static void
test_a_new_buf_is_an_empty_string(void **state)
{
	AUTO_BUF b = BUF_INIT;
	char *out;

	(void)state;
	assert_string_equal(b.data, "");
	buf_clear(&b);
	buf_truncate(&b, 0);
	buf_drop(&b, 0);
	buf_add(&b, NULL, 0);
	out = buf_detach(&b);
	assert_string_equal(out, "");
	free(out);
}

static void
test_growth_keeps_content_and_terminator(void **state)
{
	AUTO_BUF b = BUF_INIT;

	(void)state;
	for (int i = 0; i < 10000; i++) {
		buf_addc(&b, (char)('a' + i % 26));
		assert_int_equal(b.data[b.len], '\0');
	}
	assert_int_equal(b.len, 10000);
	for (int i = 0; i < 10000; i++)
		assert_int_equal(b.data[i], 'a' + i % 26);
}

static void
test_embedded_nul_is_kept(void **state)
{
	AUTO_BUF b = BUF_INIT;

	(void)state;
	buf_add(&b, "a\0b", 3);
	assert_int_equal(b.len, 3);
	assert_memory_equal(b.data, "a\0b", 4);
}

static void
test_formatting_of_any_length(void **state)
{
	AUTO_BUF b = BUF_INIT;

	(void)state;
	/* Around the first reservation, where the one-pass path ends. */
	for (int n = 0; n < 300; n++) {
		buf_clear(&b);
		buf_adds(&b, "<");
		buf_addf(&b, "%*d|", n, 7);
		assert_int_equal(b.len, (n > 1 ? n : 1) + 2);
		assert_int_equal(b.data[b.len - 1], '|');
		assert_int_equal(b.data[0], '<');
		assert_int_equal(strlen(b.data), b.len);
	}
}

static void
test_runes(void **state)
{
	AUTO_BUF b = BUF_INIT;

	(void)state;
	buf_addrune(&b, 'A');
	buf_addrune(&b, 0xE9);
	buf_addrune(&b, 0x20AC);
	buf_addrune(&b, 0x1F600);
	assert_string_equal(b.data, "A\xC3\xA9\xE2\x82\xAC\xF0\x9F\x98\x80");
	buf_clear(&b);
	buf_addrune(&b, 0xD800);
	buf_addrune(&b, 0x110000);
	assert_string_equal(b.data, "\xEF\xBF\xBD\xEF\xBF\xBD");
}

static void
test_drop_and_truncate(void **state)
{
	AUTO_BUF b = BUF_INIT;

	(void)state;
	buf_adds(&b, "one two three");
	buf_drop(&b, 4);
	assert_string_equal(b.data, "two three");
	buf_truncate(&b, 3);
	assert_string_equal(b.data, "two");
	buf_drop(&b, 3);
	assert_string_equal(b.data, "");
}

static void
test_detach_hands_the_memory_out(void **state)
{
	AUTO_BUF b = BUF_INIT;
	AUTO_FREE char *out = NULL;

	(void)state;
	buf_adds(&b, "mine");
	out = buf_detach(&b);
	assert_string_equal(out, "mine");
	assert_int_equal(b.len, 0);
	buf_adds(&b, "next");
	assert_string_equal(b.data, "next");
	assert_string_equal(out, "mine");
}

static void
test_string_lists(void **state)
{
	char **list = NULL, **copy;

	(void)state;
	assert_int_equal(strlist_len(NULL), 0);
	assert_null(strlist_dup(NULL));
	strlist_free(NULL);
	list = strlist_add(list, "a");
	list = strlist_add(list, "b");
	copy = strlist_dup(list);
	strlist_free(list);
	assert_int_equal(strlist_len(copy), 2);
	assert_string_equal(copy[0], "a");
	assert_string_equal(copy[1], "b");
	assert_null(copy[2]);
	strlist_free(copy);
}

static void
test_strings_in_a_row(void **state)
{
	AUTO_BUF b = BUF_INIT;
	AUTO_STRLIST list = NULL;

	(void)state;
	assert_null(buf_next(&b, NULL));
	buf_add(&b, "a\0\0bc", 5); /* the last one lacks its NUL */
	for (const char *at = NULL; (at = buf_next(&b, at)) != NULL;)
		list = strlist_add(list, at);
	list = strlist_more(list, (const char *const[]){"d", NULL});
	list = strlist_more(list, NULL);
	assert_int_equal(strlist_len(list), 4);
	assert_string_equal(list[1], "");
	assert_string_equal(list[2], "bc");
	xstrset(&list[2], list[2] + 1);
	assert_string_equal(list[2], "c");
}

static void
test_error_sentences(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	errno = ENOENT;
	assert_int_equal(err_errno(&err, "cannot open '%s'", "x"), -1);
	assert_string_equal(err.text, "cannot open 'x': No such file or directory");
	assert_int_equal(err.code, ENOENT);
	assert_int_equal(err_prefix(&err, "loop %d", 3), -1);
	assert_string_equal(err.text, "loop 3: cannot open 'x': No such file or directory");
	assert_int_equal(err.code, ENOENT);
	assert_int_equal(err_set(&err, "again: %s", err.text + 8), -1);
	assert_string_equal(err.text, "again: cannot open 'x': No such file or directory");
	assert_int_equal(err.code, 0);
	assert_int_equal(err_set(NULL, "x"), -1);
	assert_int_equal(err_errno(NULL, "x"), -1);
	assert_int_equal(err_prefix(NULL, "x"), -1);
}

static void
test_a_long_error_is_cut_between_characters(void **state)
{
	struct err err = ERR_INIT;
	AUTO_BUF b = BUF_INIT;

	(void)state;
	for (size_t lead = 0; lead < 4; lead++) {
		buf_clear(&b);
		for (size_t i = 0; i < lead; i++)
			buf_addc(&b, 'x');
		for (int i = 0; i < 1000; i++)
			buf_addrune(&b, 0x1F600);
		err_set(&err, "%s", b.data);
		assert_true(strlen(err.text) < sizeof(err.text));
		assert_int_equal((strlen(err.text) - lead) % 4, 0);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_a_new_buf_is_an_empty_string),
	    cmocka_unit_test(test_growth_keeps_content_and_terminator),
	    cmocka_unit_test(test_embedded_nul_is_kept),
	    cmocka_unit_test(test_formatting_of_any_length),
	    cmocka_unit_test(test_runes),
	    cmocka_unit_test(test_drop_and_truncate),
	    cmocka_unit_test(test_detach_hands_the_memory_out),
	    cmocka_unit_test(test_string_lists),
	    cmocka_unit_test(test_strings_in_a_row),
	    cmocka_unit_test(test_error_sentences),
	    cmocka_unit_test(test_a_long_error_is_cut_between_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
