/*
 * "Python regex syntax": every row was run through Python 3.11's re.search; offsets
 * are bytes of UTF-8.  Then the deadline, and subjects that are no UTF-8.
 */
#include "watch/pattern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>

#include <cmocka.h>

enum expected { MATCH, NO_MATCH, REFUSED };

static const struct {
	const char *pattern, *subject;
	enum expected expected;
	size_t start, end;
	const char *sentence;
} cases[] = {
    /* clang-format off */
	{"All tasks complete", "x All tasks complete.", MATCH, 2, 20, NULL},
	{"All tasks.*complete", "All tasks are now complete", MATCH, 0, 26, NULL},
	{"All tasks.*complete", "All tasks\ncomplete", NO_MATCH, 0, 0, NULL},
	{"IMPLEMENTATION_PLAN.md.*100%", "see IMPLEMENTATION_PLAN.md: 100%", MATCH, 4, 32, NULL},
	{"No remaining tasks", "no remaining tasks", NO_MATCH, 0, 0, NULL},
	{"(?i)no remaining tasks", "NO Remaining TASKS", MATCH, 0, 18, NULL},
	{"", "", MATCH, 0, 0, NULL},
	{"", "abc", MATCH, 0, 0, NULL},
	{"a|b|", "c", MATCH, 0, 0, NULL},
	{"x*", "aaa", MATCH, 0, 0, NULL},
	{"ab+?", "abbb", MATCH, 0, 2, NULL},
	{"a{2}", "caaa", MATCH, 1, 3, NULL},
	{"a{2,}", "caaaa", MATCH, 1, 5, NULL},
	{"a{1,2}b", "aaab", MATCH, 1, 4, NULL},
	{"a\\Z", "ba", MATCH, 1, 2, NULL},
	{"a\\Z", "ba\n", NO_MATCH, 0, 0, NULL},
	{"a$", "ba\n", MATCH, 1, 2, NULL},
	{"a$", "ba\n\n", NO_MATCH, 0, 0, NULL},
	{"(?m)a$", "ba\nc", MATCH, 1, 2, NULL},
	{"(?m)^", "\n", MATCH, 0, 0, NULL},
	{"(?m)^$", "a\n", MATCH, 2, 2, NULL},
	{"\\Aa", "ba", NO_MATCH, 0, 0, NULL},
	{"^b", "a\nb", NO_MATCH, 0, 0, NULL},
	{"(?m)^b", "a\nb", MATCH, 2, 3, NULL},
	{"a{,2}b", "aaab", MATCH, 1, 4, NULL},
	{"a{,}b", "aaab", MATCH, 0, 4, NULL},
	{"a{,0}b", "ab", MATCH, 1, 2, NULL},
	{"a{}", "a{}", MATCH, 0, 3, NULL},
	{"a{x}", "a{x}", MATCH, 0, 4, NULL},
	{"a{1", "a{1", MATCH, 0, 3, NULL},
	{"a{1,", "a{1,", MATCH, 0, 4, NULL},
	{"{", "a{", MATCH, 1, 2, NULL},
	{"a{ 1}", "a{ 1}", MATCH, 0, 5, NULL},
	{"x{3,2}", "", REFUSED, 0, 0, "min repeat greater than max repeat at position 2"},
	{"a{70000}", "", REFUSED, 0, 0, "the repetition number is too large at position 1"},
	{"\\u0041B", "xAB", MATCH, 1, 3, NULL},
	{"\\U0001F600", "ok \xf0\x9f\x98\x80", MATCH, 3, 7, NULL},
	{"\\x41", "A", MATCH, 0, 1, NULL},
	{"\\t\\n", "a\t\n", MATCH, 1, 3, NULL},
	{"\\0", "a", NO_MATCH, 0, 0, NULL},
	{"\\060", "x0", MATCH, 1, 2, NULL},
	{"\\141", "a", MATCH, 0, 1, NULL},
	{"[\\141-\\143]+", "xabcd", MATCH, 1, 4, NULL},
	{"\\e", "", REFUSED, 0, 0, "bad escape \\e at position 0"},
	{"\\z", "", REFUSED, 0, 0, "bad escape \\z at position 0"},
	{"\\h", "", REFUSED, 0, 0, "bad escape \\h at position 0"},
	{"\\R", "", REFUSED, 0, 0, "bad escape \\R at position 0"},
	{"\\K", "", REFUSED, 0, 0, "bad escape \\K at position 0"},
	{"\\Qa.b\\E", "", REFUSED, 0, 0, "bad escape \\Q at position 0"},
	{"\\p{L}", "", REFUSED, 0, 0, "bad escape \\p at position 0"},
	{"\\c", "", REFUSED, 0, 0, "bad escape \\c at position 0"},
	{"\\G", "", REFUSED, 0, 0, "bad escape \\G at position 0"},
	{"\\X", "", REFUSED, 0, 0, "bad escape \\X at position 0"},
	{"\\N{EM DASH}", "", REFUSED, 0, 0, "character names (\\N{...}) are not supported at position 0"},
	{"\\x{41}", "", REFUSED, 0, 0, "incomplete escape \\x at position 0"},
	{"\\u12", "", REFUSED, 0, 0, "incomplete escape \\u12 at position 0"},
	{"\\U00110000", "", REFUSED, 0, 0, "bad escape \\U00110000 at position 0"},
	{"\\400", "", REFUSED, 0, 0, "octal escape value \\400 outside of range 0-0o377 at position 0"},
	{"[\\400]", "", REFUSED, 0, 0, "octal escape value \\400 outside of range 0-0o377 at position 1"},
	{"\\", "", REFUSED, 0, 0, "bad escape (end of pattern) at position 0"},
	{"a\\", "", REFUSED, 0, 0, "bad escape (end of pattern) at position 1"},
	{"\\_\\-\\ ", "a_- ", MATCH, 1, 4, NULL},
	{"\\\xc3\xa9", "\xc3\xa9", MATCH, 0, 2, NULL},
	{"\\d+", "a\xd9\xa3" "4", MATCH, 1, 4, NULL},
	{"(?a)\\d+", "a\xd9\xa3" "4", MATCH, 3, 4, NULL},
	{"\\w+", "-h\xc3\xa9llo_1-", MATCH, 1, 9, NULL},
	{"(?a)\\w+", "-h\xc3\xa9llo", MATCH, 1, 2, NULL},
	{"\\s", "a\x1c" "b", MATCH, 1, 2, NULL},
	{"(?a)\\s", "a\x1c", NO_MATCH, 0, 0, NULL},
	{"\\S+", "\x1c\xe2\x80\x83" "ab\xc2\xa0", MATCH, 4, 6, NULL},
	{"[\\S]", "\x1f\xe1\xa0\x8e", MATCH, 1, 4, NULL},
	{"[^\\S]", "a\xe1\xa0\x8e\xe3\x80\x80", MATCH, 4, 7, NULL},
	{"(?a:\\b\xc3\xa9)", "a\xc3\xa9", MATCH, 1, 3, NULL},
	{"\\b\xc3\xa9", "a\xc3\xa9", NO_MATCH, 0, 0, NULL},
	{"\\B", "", NO_MATCH, 0, 0, NULL},
	{"\\B", "aa", MATCH, 1, 1, NULL},
	{"\\bdone\\b", "is done.", MATCH, 3, 7, NULL},
	{"\\bdone\\b", "undone", NO_MATCH, 0, 0, NULL},
	{"[[:alpha:]]", "x:]", MATCH, 1, 3, NULL},
	{"[[:alpha:]]", "xa", NO_MATCH, 0, 0, NULL},
	{"[]a]+", "x]a", MATCH, 1, 3, NULL},
	{"[^]a]+", "]ab", MATCH, 2, 3, NULL},
	{"[a-]+", "x-a", MATCH, 1, 3, NULL},
	{"[a&&b]+", "&ab", MATCH, 0, 3, NULL},
	{"[\\d-]+", "x1-", MATCH, 1, 3, NULL},
	{"[\\b]", "a\x08", MATCH, 1, 2, NULL},
	{"[a", "", REFUSED, 0, 0, "unterminated character set at position 0"},
	{"[]", "", REFUSED, 0, 0, "unterminated character set at position 0"},
	{"[z-a]", "", REFUSED, 0, 0, "bad character range z-a at position 1"},
	{"[\\d-z]", "", REFUSED, 0, 0, "bad character range \\d-z at position 1"},
	{"[\\A]", "", REFUSED, 0, 0, "bad escape \\A at position 1"},
	{"[\\8]", "", REFUSED, 0, 0, "bad escape \\8 at position 1"},
	{"[[a]b]", "[b]", MATCH, 0, 3, NULL},
	{"[.:=]+", "x=:.", MATCH, 1, 4, NULL},
	{"[^\\n]+", "\nabc\n", MATCH, 1, 4, NULL},
	{"(?P<n>a)b(?P=n)", "xaba", MATCH, 1, 4, NULL},
	{"(a)(b)\\2\\1", "abba", MATCH, 0, 4, NULL},
	{"(?P<n>a)(?P<n>b)", "", REFUSED, 0, 0, "redefinition of group name 'n' as group 2; was group 1 at position 12"},
	{"(?P=n)", "", REFUSED, 0, 0, "unknown group name 'n' at position 4"},
	{"(a\\1)", "", REFUSED, 0, 0, "cannot refer to an open group at position 2"},
	{"\\1", "", REFUSED, 0, 0, "invalid group reference 1 at position 1"},
	{"(?P<1a>b)", "", REFUSED, 0, 0, "bad character in group name '1a' at position 4"},
	{"(?P<>b)", "", REFUSED, 0, 0, "missing group name at position 4"},
	{"(?P<n", "", REFUSED, 0, 0, "missing >, unterminated name at position 4"},
	{"(?P>n)", "", REFUSED, 0, 0, "unknown extension ?P> at position 1"},
	{"(?<n>a)", "", REFUSED, 0, 0, "unknown extension ?<n at position 1"},
	{"(?'n'a)", "", REFUSED, 0, 0, "unknown extension ?' at position 1"},
	{"(?|a|b)", "", REFUSED, 0, 0, "unknown extension ?| at position 1"},
	{"(?R)", "", REFUSED, 0, 0, "unknown extension ?R at position 1"},
	{"(?1)", "", REFUSED, 0, 0, "unknown extension ?1 at position 1"},
	{"(?&n)", "", REFUSED, 0, 0, "unknown extension ?& at position 1"},
	{"\\g<1>", "", REFUSED, 0, 0, "bad escape \\g at position 0"},
	{"(*UTF)a", "", REFUSED, 0, 0, "nothing to repeat at position 1"},
	{"(*FAIL)", "", REFUSED, 0, 0, "nothing to repeat at position 1"},
	{"(a)?b(?(1)c|d)", "abc", MATCH, 0, 3, NULL},
	{"(a)?b(?(1)c|d)", "bd", MATCH, 0, 2, NULL},
	{"(?P<q>a)?(?(q)b|c)", "c", MATCH, 0, 1, NULL},
	{"(?(1)a|b|c)", "", REFUSED, 0, 0, "conditional backref with more than two branches at position 8"},
	{"(?(2)a)(b)", "", REFUSED, 0, 0, "invalid group reference 2 at position 3"},
	{"(?(0)a)", "", REFUSED, 0, 0, "bad group number at position 3"},
	{"(?>a+)ab", "aaab", NO_MATCH, 0, 0, NULL},
	{"a++a", "aaa", NO_MATCH, 0, 0, NULL},
	{"a*+b", "aab", MATCH, 0, 3, NULL},
	{"a?+a", "a", NO_MATCH, 0, 0, NULL},
	{"(?#note)ab", "ab", MATCH, 0, 2, NULL},
	{"a(?#note)*b", "aab", MATCH, 0, 3, NULL},
	{"(?#note", "", REFUSED, 0, 0, "missing ), unterminated comment at position 0"},
	{"(?=a)ab", "cab", MATCH, 1, 3, NULL},
	{"a(?!b)", "abac", MATCH, 2, 3, NULL},
	{"(?<=a)b", "bab", MATCH, 2, 3, NULL},
	{"(?<!a)b", "abb", MATCH, 2, 3, NULL},
	{"(?<=a|bc)d", "", REFUSED, 0, 0, "look-behind requires fixed-width pattern at position 0"},
	{"(?<=a+)b", "", REFUSED, 0, 0, "look-behind requires fixed-width pattern at position 0"},
	{"(?<=ab|cd)e", "cde", MATCH, 2, 3, NULL},
	{"(a)(?<=\\1)b", "ab", MATCH, 0, 2, NULL},
	{"(?<=(a)\\1)b", "", REFUSED, 0, 0, "cannot refer to group defined in the same lookbehind subpattern at position 9"},
	{"(a", "", REFUSED, 0, 0, "missing ), unterminated subpattern at position 0"},
	{"ab(c(d)", "", REFUSED, 0, 0, "missing ), unterminated subpattern at position 2"},
	{"a)", "", REFUSED, 0, 0, "unbalanced parenthesis at position 1"},
	{"\xc3\xa9(a", "", REFUSED, 0, 0, "missing ), unterminated subpattern at position 1"},
	{"(?", "", REFUSED, 0, 0, "unexpected end of pattern at position 2"},
	{"(?P", "", REFUSED, 0, 0, "unexpected end of pattern at position 3"},
	{"(?<", "", REFUSED, 0, 0, "unexpected end of pattern at position 3"},
	{"(?<=", "", REFUSED, 0, 0, "missing ), unterminated subpattern at position 0"},
	{"(?z)", "", REFUSED, 0, 0, "unknown extension ?z at position 1"},
	{"*a", "", REFUSED, 0, 0, "nothing to repeat at position 0"},
	{"a**", "", REFUSED, 0, 0, "multiple repeat at position 2"},
	{"a{2}{3}", "", REFUSED, 0, 0, "multiple repeat at position 4"},
	{"a+*", "", REFUSED, 0, 0, "multiple repeat at position 2"},
	{"^*", "", REFUSED, 0, 0, "nothing to repeat at position 1"},
	{"\\b+", "", REFUSED, 0, 0, "nothing to repeat at position 2"},
	{"(?:a*)*b", "aab", MATCH, 0, 3, NULL},
	{"(|*)", "", REFUSED, 0, 0, "nothing to repeat at position 2"},
	{"a|*", "", REFUSED, 0, 0, "nothing to repeat at position 2"},
	{"(?=a)*b", "b", MATCH, 0, 1, NULL},
	{"(?i)stra\xc3\x9f" "e", "STRASSE", NO_MATCH, 0, 0, NULL},
	{"(?i)\xc3\x89", "\xc3\xa9", MATCH, 0, 2, NULL},
	{"(?ai)\xc3\x89", "\xc3\xa9", NO_MATCH, 0, 0, NULL},
	{"(?ai)k", "K", MATCH, 0, 1, NULL},
	{"(?i)k", "\xe2\x84\xaa", MATCH, 0, 3, NULL},
	{"(?ai)k", "\xe2\x84\xaa", NO_MATCH, 0, 0, NULL},
	{"(?ai)[a-c]+", "xAbC", MATCH, 1, 4, NULL},
	{"(?ai)[^k]", "K\xe2\x84\xaa", MATCH, 1, 4, NULL},
	{"a(?i)b", "", REFUSED, 0, 0, "global flags not at the start of the expression at position 1"},
	{"(?i:a)b", "Ab", MATCH, 0, 2, NULL},
	{"(?i:a)b", "AB", NO_MATCH, 0, 0, NULL},
	{"(?i)a(?-i:b)", "AB", NO_MATCH, 0, 0, NULL},
	{"(?i)a(?-i:b)", "Ab", MATCH, 0, 2, NULL},
	{"(?s).+", "a\nb", MATCH, 0, 3, NULL},
	{"(?s-i:.)+", "\n", MATCH, 0, 1, NULL},
	{"(?x) a b # note\n c", "abc", MATCH, 0, 3, NULL},
	{"(?x)a\\ b[ ]c", "a b c", MATCH, 0, 5, NULL},
	{"(?x: a b ) c", "ab c", MATCH, 0, 4, NULL},
	{"(?x)(a) \\1 1", "aa1", MATCH, 0, 3, NULL},
	{"(?im)^b", "a\nB", MATCH, 2, 3, NULL},
	{"(?L)a", "", REFUSED, 0, 0, "bad inline flags: cannot use 'L' flag with a str pattern at position 3"},
	{"(?au)a", "", REFUSED, 0, 0, "bad inline flags: flags 'a', 'u' and 'L' are incompatible at position 4"},
	{"(?a-a:b)", "", REFUSED, 0, 0, "bad inline flags: cannot turn off flags 'a', 'u' and 'L' at position 5"},
	{"(?i-i:b)", "", REFUSED, 0, 0, "bad inline flags: flag turned on and off at position 5"},
	{"(?-:a)", "", REFUSED, 0, 0, "missing flag at position 3"},
	{"(?i", "", REFUSED, 0, 0, "missing -, : or ) at position 3"},
	{"(?ix)(?s) a . b", "A\nB", MATCH, 0, 3, NULL},
	{"|(?i)a", "", REFUSED, 0, 0, "global flags not at the start of the expression at position 1"},
	{"((?i)a)", "", REFUSED, 0, 0, "global flags not at the start of the expression at position 1"},
	{"a.c", "a\xc3\xa9" "c", MATCH, 0, 4, NULL},
	{"^.$", "\xf0\x9f\x98\x80", MATCH, 0, 4, NULL},
	{"done.$", "done\xe2\x9c\x85", MATCH, 0, 7, NULL},
	{"\xc3\xa9", "cafe\xcc\x81 \xc3\xa9", MATCH, 7, 9, NULL},
    /* clang-format on */
};

static struct pattern *
compiled(const char *python)
{
	struct err err = ERR_INIT;
	struct pattern *p = pattern_new(python, &err);

	if (p == NULL)
		fail_msg("%s: %s", python, err.text);
	return p;
}

static void
check_case(size_t i)
{
	struct err err = ERR_INIT;
	struct pattern *p = pattern_new(cases[i].pattern, &err);
	size_t start = 0, end = 0;
	enum pattern_result r;

	if (cases[i].expected == REFUSED) {
		if (p != NULL)
			fail_msg("%s was accepted", cases[i].pattern);
		assert_string_equal(err.text, cases[i].sentence);
		return;
	}
	if (p == NULL)
		fail_msg("%s was refused: %s", cases[i].pattern, err.text);
	r = pattern_search(p, cases[i].subject, strlen(cases[i].subject), &start, &end);
	if (r != (cases[i].expected == MATCH ? PATTERN_MATCH : PATTERN_NO_MATCH) ||
	    start != cases[i].start || end != cases[i].end)
		fail_msg("%s in '%s': result %d, [%zu, %zu) instead of [%zu, %zu)",
		    cases[i].pattern, cases[i].subject, (int)r, start, end, cases[i].start,
		    cases[i].end);
	pattern_free(p);
}

static void
means_what_python_means(void **state UNUSED)
{
	for (size_t i = 0; i < ARRAY_LEN(cases); i++)
		check_case(i);
}

static void
check_translation(const char *python, const char *pcre2)
{
	AUTO_BUF out = BUF_INIT;

	assert_int_equal(pattern_translate(python, &out, NULL), 0);
	assert_string_equal(out.data, pcre2);
}

static void
translates_only_what_differs(void **state UNUSED)
{
	check_translation("All tasks.*complete", "All tasks.*complete");
	check_translation("a\\Z", "a\\z");
	check_translation("a{,3}", "a{0,3}");
	check_translation("\\u2705", "\xe2\x9c\x85");
	check_translation("(?P<n>a)(?P=n)", "(a)\\g{1}");
	check_translation("[[:alpha:]]", "[\\[\\:alpha\\:]\\]");
	check_translation("(?x) a  b # c", "(?^)ab");
	check_translation("(?i)a", "(?^i)a");
}

static void
refuses_what_it_cannot_read(void **state UNUSED)
{
	AUTO_BUF nested = BUF_INIT;
	AUTO_BUF lengthy = BUF_INIT;
	struct err err = ERR_INIT;

	assert_null(pattern_new("a\xff", &err));
	assert_string_equal(err.text, "invalid UTF-8 at position 1");
	for (int i = 0; i < 1000; i++)
		buf_addc(&nested, '(');
	assert_null(pattern_new(nested.data, &err));
	assert_string_equal(err.text, "too many nested groups at position 99");
	for (int i = 0; i < 5000; i++)
		buf_addc(&lengthy, 'a');
	assert_null(pattern_new(lengthy.data, &err));
	assert_string_equal(err.text, "pattern is longer than 4096 bytes");
	assert_null(pattern_new("(((((a{1000}){1000}){1000}){1000}){1000})", &err));
	assert_null(pattern_new("(", NULL));
}

static void
check_span(const char *python, const char *subject, size_t len, size_t start, size_t end)
{
	struct pattern *p = compiled(python);
	size_t from = 99, to = 99;

	assert_int_equal(pattern_search(p, subject, len, &from, &to), PATTERN_MATCH);
	assert_int_equal(from, start);
	assert_int_equal(to, end);
	pattern_free(p);
}

static void
finds_text_between_invalid_bytes(void **state UNUSED)
{
	check_span("done", "\xff\xfe done \xff", 9, 3, 7);
	check_span("d.ne",
	    "\xff"
	    "d\x80"
	    "ne",
	    5, 1, 5);
	check_span("\\ufffd+", "ok\xc3\x28", 4, 2, 3);
	check_span("b$", "\xed\xa0\x80\xf5 b", 6, 5, 6);
	check_span("\xc3\xa9", "\xc3 \xc3\xa9", 4, 2, 4);
	check_span("b", "a\0b", 3, 2, 3);
}

static void
cuts_long_subjects(void **state UNUSED)
{
	static char subject[PATTERN_SUBJECT_MAX + 16];
	struct pattern *p = compiled("end");
	size_t start, end;

	memset(subject, 'x', sizeof(subject));
	memcpy(subject + PATTERN_SUBJECT_MAX, "end", 3);
	assert_int_equal(
	    pattern_search(p, subject, sizeof(subject), &start, &end), PATTERN_NO_MATCH);
	memcpy(subject + PATTERN_SUBJECT_MAX - 3, "end", 3);
	assert_int_equal(
	    pattern_search(p, subject, sizeof(subject), &start, &end), PATTERN_MATCH);
	pattern_free(p);
	/* The cut falls inside a character, which is left out as a whole. */
	memcpy(subject + PATTERN_SUBJECT_MAX - 2, "\xe2\x9c\x85", 3);
	p = compiled("\\ufffd");
	assert_int_equal(
	    pattern_search(p, subject, sizeof(subject), &start, &end), PATTERN_NO_MATCH);
	pattern_free(p);
}

static int64_t
cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void
gives_up_in_time(void **state UNUSED)
{
	static const char *const patterns[] = {"(a+)+$", "(a|aa)+$", "(?:a|b)*[xy]",
	    "[ab]*[ac]*[xy]", "(.*)*x", "(a*)*(b*)*(c*)*z", "((a?){30}){30}z", "(?:.|\\s)*?!$",
	    "a*a*a*a*a*a*!", "(?=(a+)+b)", "(\\w+\\s?)+!$", "^(([a-z])+.)+[A-Z]([a-z])+$"};
	static char subject[PATTERN_SUBJECT_MAX];

	memset(subject, 'a', sizeof(subject));
	subject[sizeof(subject) - 1] = '-';
	for (size_t i = 0; i < ARRAY_LEN(patterns); i++) {
		struct pattern *p = compiled(patterns[i]);
		int64_t begin = cpu_ns(), took;
		size_t start, end;
		enum pattern_result r =
		    pattern_search(p, subject, sizeof(subject), &start, &end);

		took = cpu_ns() - begin;
		if (took > 100000000)
			fail_msg("%s took %lld ms", patterns[i], (long long)(took / 1000000));
		assert_int_not_equal(r, PATTERN_MATCH);
		/* The next search has its own time. */
		assert_int_equal(pattern_search(p, "", 0, &start, &end), PATTERN_NO_MATCH);
		pattern_free(p);
	}
}

static void
an_expensive_search_is_not_a_miss(void **state UNUSED)
{
	struct pattern *p = compiled("(a+)+$");
	size_t start, end;

	assert_int_equal(pattern_search(p, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa!", 45,
			     &start, &end),
	    PATTERN_EXPENSIVE);
	pattern_free(p);
}

static void
a_line_without_what_it_needs_is_a_miss(void **state UNUSED)
{
	static const char line[] = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa nver";
	struct pattern *p = compiled("(a+)+never");
	size_t start, end;

	assert_int_equal(
	    pattern_search(p, line, sizeof(line) - 1, &start, &end), PATTERN_NO_MATCH);
	pattern_free(p);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(means_what_python_means),
	    cmocka_unit_test(translates_only_what_differs),
	    cmocka_unit_test(refuses_what_it_cannot_read),
	    cmocka_unit_test(finds_text_between_invalid_bytes),
	    cmocka_unit_test(cuts_long_subjects),
	    cmocka_unit_test(gives_up_in_time),
	    cmocka_unit_test(an_expensive_search_is_not_a_miss),
	    cmocka_unit_test(a_line_without_what_it_needs_is_a_miss),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
