/* Questions taken out of a stream. */
#include "fixture.h"

/* Filters the stream at once, and byte by byte. */
static void
assert_filter(struct term_filter filter, const char *in, const char *want)
{
	struct term_filter whole = filter, cut = filter;
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
assert_filtered(const char *in, const char *want)
{
	assert_filter((struct term_filter)TERM_FILTER_INIT, in, want);
}

static void
assert_guarded(unsigned passes, const char *in, const char *want)
{
	struct term_filter filter = TERM_FILTER_INIT;

	filter.guards = true;
	filter.passes = passes;
	assert_filter(filter, in, want);
}

static void
test_a_guard_takes_out_what_leaves_the_window(void **state)
{
	static const struct {
		const char *bytes;
		unsigned class;
	} cases[] = {
	    {"\033]52;c;aGVsbG8=\a", TERM_CLIPBOARD},
	    {"\033]52;c;aGVsbG8=\033\\", TERM_CLIPBOARD},
	    {"\033]0;title\a", TERM_TITLE},
	    {"\033]1;title\033\\", TERM_TITLE},
	    {"\033]2;title\a", TERM_TITLE},
	    {"\033kname\033\\", TERM_TITLE},
	    {"\033]9;ring\a", TERM_NOTIFY},
	    {"\033]99;;ring\033\\", TERM_NOTIFY},
	    {"\033]777;notify;a;b\a", TERM_NOTIFY},
	    {"\033]1337;Copy=:aGVsbG8=\a", 0},
	    {"\033]l;title\a", 0},
	    {"\033]\a", 0},
	    {"\033Ptmux;\033\033]52;c;aGVsbG8=\a\033\\", 0},
	    {"\033_Gf=24,t=f;L2V0Yy9wYXNzd2Q=\033\\", 0},
	    {"\033^private\033\\", 0},
	    {"\033Xstart\a of\033\\", 0},
	};
	const unsigned all = TERM_CLIPBOARD | TERM_TITLE | TERM_NOTIFY;

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		AUTO_BUF in = BUF_INIT;

		buf_addf(&in, "before%safter", cases[i].bytes);
		assert_guarded(0, in.data, "beforeafter");
		assert_guarded(all & ~cases[i].class, in.data, "beforeafter");
		if (cases[i].class != 0)
			assert_guarded(cases[i].class, in.data, in.data);
	}
}

static void
test_a_guard_lets_the_picture_pass(void **state)
{
	static const char *const kept[] = {"plain \xe4\xb8\xad \xc2\xa0\xc3\xa9\r\n",
	    "\033[1;31mred\033[0m", "\033[?1049h\033[?25l", "\033]8;;http://a\033\\x",
	    "\033]11;#000000\a", "\033]104\a", "\033Pq#0\033\\", "\xf3\xa0\x84\x80",
	    "\xf3\xb0\x80\x80", "\033\\"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(kept); i++)
		assert_guarded(0, kept[i], kept[i]);
}

static void
test_a_guard_takes_out_what_nobody_sees(void **state)
{
	(void)state;
	assert_guarded(0,
	    "a\xf3\xa0\x80\x80\xf3\xa0\x81\xa9\xf3\xa0\x81\xbf"
	    "b",
	    "ab");
	assert_guarded(0,
	    "a\xc2\x9d"
	    "52;c;eA==\a",
	    "a52;c;eA==\a");
	/* What stood between the halves is gone: they must not meet. */
	assert_guarded(0, "\xf3\xa0\033]0;x\a\x81\xa9", "\xa0\xa9");
}

/* C1 controls as single bytes, wherever no character has these bytes. */
static void
test_a_guard_takes_out_single_bytes_that_control(void **state)
{
	(void)state;
	assert_guarded(0,
	    "a\x9d"
	    "52;c;eA==\x9c"
	    "b\x90q\x9f\x9e\x98\x80.",
	    "a52;c;eA==bq.");
	/* A character that is broken off has none, and neither has one that is too long. */
	assert_guarded(0, "\xe2\x9d.", "\xe2.");
	assert_guarded(0, "\xe2\x9d\033[m", "\xe2\033[m");
	assert_guarded(0, "\xc0\x9d.", "\xc0.");
	assert_guarded(0, "\xe0\x80\x9d.", "\xe0.");
	assert_guarded(0, "\xed\xa0\x80.", "\xed\xa0.");
	assert_guarded(0, "\xf0\x80\x82\x9d.", "\xf0.");
	assert_guarded(0, "\xf4\x90\x80\x80.", "\xf4.");
	/* And those of whole characters stay. */
	assert_guarded(0, "\xe2\x9d\xaf \xf0\x9f\x98\x80 \xed\x9f\xbf \xc3\x9f",
	    "\xe2\x9d\xaf \xf0\x9f\x98\x80 \xed\x9f\xbf \xc3\x9f");
	/* Others pass as they are. */
	assert_guarded(0, "\xa0\xe9t\xe9\xff.", "\xa0\xe9t\xe9\xff.");
	assert_filtered("a\x9d"
			"b",
	    "a\x9d"
	    "b");
}

static void
test_a_guard_holds_for_long_strings(void **state)
{
	AUTO_BUF in = BUF_INIT;

	(void)state;
	buf_adds(&in, "before\033]52;c;");
	for (int i = 0; i < 20000; i++)
		buf_addc(&in, 'A');
	buf_adds(&in, "\aafter\033]52;c;A\033\\.");
	assert_guarded(0, in.data, "beforeafter.");
	assert_guarded(TERM_CLIPBOARD, in.data, in.data);
	memcpy(in.data + strlen("before"), "\033_", 2);
	*strchr(in.data, '\a') = 'A';
	assert_guarded(0, in.data, "before.");
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
	    cmocka_unit_test(test_a_guard_takes_out_what_leaves_the_window),
	    cmocka_unit_test(test_a_guard_lets_the_picture_pass),
	    cmocka_unit_test(test_a_guard_takes_out_single_bytes_that_control),
	    cmocka_unit_test(test_a_guard_takes_out_what_nobody_sees),
	    cmocka_unit_test(test_a_guard_holds_for_long_strings),
	    cmocka_unit_test(test_questions_go),
	    cmocka_unit_test(test_the_rest_stays),
	    cmocka_unit_test(test_what_is_cut_short_cannot_join_what_follows),
	    cmocka_unit_test(test_long_strings_pass),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
