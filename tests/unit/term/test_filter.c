/* Questions taken out of a stream. */
#include "fixture.h"

/* Whole and byte by byte. */
static void
assert_filtered(const char *in, const char *want)
{
	struct term_filter whole = TERM_FILTER_INIT, cut = TERM_FILTER_INIT;
	AUTO_BUF a = BUF_INIT;
	AUTO_BUF b = BUF_INIT;

	term_filter(&whole, in, strlen(in), &a);
	for (const char *p = in; *p != '\0'; p++)
		term_filter(&cut, p, 1, &b);
	assert_string_equal(a.data, want);
	assert_string_equal(b.data, want);
	term_filter_release(&whole);
	term_filter_release(&cut);
}

static void
test_questions_go(void **state)
{
	static const char *const questions[] = {"\033[c", "\033[0c", "\033[>c", "\033[=c",
	    "\033[5n", "\033[6n", "\033[?6n", "\033[>q", "\033[>0q", "\033[?2026$p", "\033[4$p",
	    "\033[?u", "\033[14t", "\033[18t", "\033]10;?\a", "\033]4;1;?\a", "\033]52;c;?\a",
	    "\033P+q544e\033\\", "\033P$qm\033\\", "\033Z"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(questions); i++) {
		AUTO_BUF in = BUF_INIT;

		buf_addf(&in, "before%safter\r\n", questions[i]);
		assert_filtered(in.data, "beforeafter\r\n");
	}
	assert_filtered("a\033]11;?\033\\b", "a\033\\b");
}

static void
test_the_rest_stays(void **state)
{
	static const char *const kept[] = {"plain \xe4\xb8\xad\r\n", "\033[1;31mred\033[0m",
	    "\033[2J\033[3;4H", "\033[?1049h\033[?25l", "\033[>4n", "\033[>1u\033[<u",
	    "\033[22;0t", "\033[2 q", "\033[!p", "\033]0;what?\a", "\033]8;;http://a/?b\033\\x",
	    "\033Pq#0\033\\", "\033(0\033)B\0337\0338", "\033[?1;2c", "\033_x\033\\"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		assert_filtered(kept[i], kept[i]);
}

static void
test_what_is_cut_short_cannot_join_what_follows(void **state)
{
	(void)state;
	assert_filtered("\033\033[6n[c", "[c");
	assert_filtered("\033[1\033[6nc", "c");
	assert_filtered("\033]0;t\033[6nx", "\033]0;t\033\\x");
	assert_filtered("\033[6\nn", "\n");
}

static void
test_long_strings_pass(void **state)
{
	AUTO_BUF in = BUF_INIT;

	(void)state;
	buf_adds(&in, "\033]1337;File=:");
	for (int i = 0; i < 20000; i++)
		buf_addc(&in, 'A');
	buf_adds(&in, "\a after");
	assert_filtered(in.data, in.data);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_questions_go),
	    cmocka_unit_test(test_the_rest_stays),
	    cmocka_unit_test(test_what_is_cut_short_cannot_join_what_follows),
	    cmocka_unit_test(test_long_strings_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
