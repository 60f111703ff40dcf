#include "base/alloc.h"
#include "base/json.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static json_t *
parse(const char *text)
{
	struct err err = ERR_INIT;
	json_t *v = json_parse(text, strlen(text), "state.json", &err);

	assert_string_equal(err.text, "");
	assert_non_null(v);
	return v;
}

/* Asserts that the input is refused with a sentence that begins with `sentence`. */
static void
assert_refused_bytes(const char *text, size_t len, const char *sentence)
{
	struct err err = ERR_INIT;
	json_t *v = json_parse(text, len, "state.json", &err);

	assert_null(v);
	assert_memory_equal(err.text, sentence, strlen(sentence));
}

static void
assert_refused(const char *text, const char *sentence)
{
	assert_refused_bytes(text, strlen(text), sentence);
}

static void
test_members_with_defaults(void **state)
{
	AUTO_JSON *v = parse("{\"s\":\"x\",\"i\":-9223372036854775808,\"b\":true,\"r\":1.5}");

	(void)state;
	assert_string_equal(json_str(v, "s", "d"), "x");
	assert_string_equal(json_str(v, "i", "d"), "d");
	assert_null(json_str(v, "none", NULL));
	assert_true(json_int(v, "i", 0) == INT64_MIN);
	assert_int_equal(json_int(v, "r", 7), 7);
	assert_int_equal(json_int(v, "none", 7), 7);
	assert_true(json_bool(v, "b", false));
	assert_true(json_bool(v, "s", true));
	assert_string_equal(json_str(NULL, "s", "d"), "d");
	assert_int_equal(json_int(NULL, "s", 3), 3);
}

static void
test_mistakes_have_a_place(void **state)
{
	(void)state;
	assert_refused("", "state.json: the input is empty");
	assert_refused(" \n", "state.json: the input is empty");
	assert_refused(
	    "{\n\"a\": 1,\n\"b\": }", "state.json: line 3 column 6: unexpected token");
	assert_refused(
	    "{\"a\":1,\"a\":2}", "state.json: line 1 column 10: duplicate object key");
	assert_refused("{} x", "state.json: line 1 column 4: end of file expected");
	assert_refused("{\"a\":1", "state.json: line 1 ");
	assert_refused("[1,]", "state.json: line 1 ");
	assert_refused("[NaN]", "state.json: line 1 ");
	assert_refused("[99999999999999999999]", "state.json: line 1 ");
	assert_refused("[\"\\u0000\"]", "state.json: line 1 ");
	assert_refused("[\"\xff\"]", "state.json: line 1 ");
	assert_refused_bytes("{}\0", 3, "state.json: line 1 ");
	assert_refused_bytes("\0", 1, "state.json: line 1 ");
}

static void
test_messages_are_harmless(void **state)
{
	struct err err = ERR_INIT;

	(void)state;
	assert_null(json_parse("[\033[2J]", 6, "x", &err));
	assert_null(strchr(err.text, '\033'));
	assert_null(json_parse("[", 1, "x", NULL));
}

static void
test_depth_is_limited(void **state)
{
	AUTO_BUF in = BUF_INIT;
	AUTO_JSON *v = NULL;

	(void)state;
	for (int i = 0; i < 64; i++)
		buf_adds(&in, "[");
	for (int i = 0; i < 64; i++)
		buf_adds(&in, "]");
	v = parse(in.data);
	buf_clear(&in);
	for (int i = 0; i < 100000; i++)
		buf_adds(&in, i % 2 ? "[" : "{\"a\":");
	assert_refused(in.data, "state.json: line 1 column 193: nested deeper than 64 levels");
	buf_clear(&in);
	buf_adds(&in, "[\n\"");
	for (int i = 0; i < 1000; i++)
		buf_adds(&in, "[{\\\"");
	buf_adds(&in, "\"]");
	json_decref(v);
	v = parse(in.data); /* brackets in strings do not count */
}

static void
test_print(void **state)
{
	AUTO_JSON *v = parse("{ \"b\" : [1, \"\xC3\xA9\"], \"a\": {} }");
	AUTO_JSON *scalar = parse("3");
	AUTO_BUF out = BUF_INIT;

	(void)state;
	json_print(v, true, &out);
	assert_string_equal(out.data, "{\"b\":[1,\"\xC3\xA9\"],\"a\":{}}");
	buf_clear(&out);
	json_print(v, false, &out);
	assert_string_equal(
	    out.data, "{\n  \"b\": [\n    1,\n    \"\xC3\xA9\"\n  ],\n  \"a\": {}\n}");
	buf_clear(&out);
	json_print(scalar, true, &out);
	assert_string_equal(out.data, "3");
}

static void
test_text_of_any_bytes(void **state)
{
	AUTO_JSON *plain = json_text("caf\xC3\xA9", 5);
	AUTO_JSON *broken = json_text("a\xFF\0\xE2\x82z", 6);
	AUTO_JSON *empty = json_text("", 0);
	AUTO_JSON *again = NULL;
	AUTO_BUF out = BUF_INIT;

	(void)state;
	assert_string_equal(json_string_value(plain), "caf\xC3\xA9");
	assert_string_equal(
	    json_string_value(broken), "a\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDz");
	assert_string_equal(json_string_value(empty), "");
	json_print(broken, true, &out);
	again = parse(out.data);
	assert_true(json_equal(broken, again));
}

static void
test_string_lists(void **state)
{
	char one[] = "one", two[] = "t\xFFwo";
	char *list[] = {one, two, NULL};
	AUTO_JSON *array = json_strlist(list);
	AUTO_JSON *empty = json_strlist(NULL);
	AUTO_JSON *mixed = parse("[\"a\", 1]");
	AUTO_JSON *object = parse("{}");
	char **back = json_to_strlist(array);

	(void)state;
	assert_int_equal(strlist_len(back), 2);
	assert_string_equal(back[0], "one");
	assert_string_equal(back[1], "t\xEF\xBF\xBDwo");
	strlist_free(back);
	back = json_to_strlist(empty);
	assert_non_null(back);
	assert_null(back[0]);
	strlist_free(back);
	assert_null(json_to_strlist(mixed));
	assert_null(json_to_strlist(object));
	assert_null(json_to_strlist(NULL));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_members_with_defaults),
	    cmocka_unit_test(test_mistakes_have_a_place),
	    cmocka_unit_test(test_messages_are_harmless),
	    cmocka_unit_test(test_depth_is_limited),
	    cmocka_unit_test(test_print),
	    cmocka_unit_test(test_text_of_any_bytes),
	    cmocka_unit_test(test_string_lists),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
