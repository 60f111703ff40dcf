/* What every match of a pattern contains, and looking for it. */
#include "base/err.h"
#include "watch/needle.h"
#include "watch/python.h"

#include <setjmp.h>
#include <stdarg.h>
#include <time.h>

#include <cmocka.h>

static struct needles
needles_of(const char *python)
{
	AUTO_BUF translated = BUF_INIT;
	struct needles n;

	needles_init(&n);
	if (python_read(python, &translated, &n, NULL) < 0)
		fail_msg("%s was refused", python);
	return n;
}

/* `expected`: the texts with a slash between them; "": nothing is known. */
static void
check_needles(const char *python, const char *expected)
{
	struct needles n = needles_of(python);
	AUTO_BUF texts = BUF_INIT;

	for (size_t i = 0; i < n.count; i++) {
		buf_adds(&texts, i > 0 ? "/" : "");
		buf_add(&texts, n.text[i], n.len);
	}
	if (strcmp(texts.data, expected) != 0)
		fail_msg("%s: '%s' instead of '%s'", python, texts.data, expected);
}

static void
the_longest_text_is_taken(void **state UNUSED)
{
	check_needles("ALL DONE", "ALL DONE");
	check_needles("never [0-9]+ printed", " printed");
	check_needles("All tasks.*complete", "All tasks");
	check_needles("a.b.c", "");
	check_needles("", "");
	check_needles("\\.\\x41\\u2705\\101\\\\", ".A\xe2\x9c\x85"
						  "A\\");
	check_needles("a text of more than 16 bytes", "a text of more t");
	/* Layout and assertions stand between no characters. */
	check_needles("(?x) a b # note\n c", "abc");
	check_needles("(?#note)a(?#note)b", "ab");
	check_needles("^\\bdo\\bne$", "done");
	check_needles("a{b", "a{b");
}

static void
what_may_be_missing_does_not_count(void **state UNUSED)
{
	check_needles("ab?cd", "cd");
	check_needles("abc*de", "ab");
	check_needles("abc{0,2}", "ab");
	check_needles("abc{,2}d", "ab");
	check_needles("xyz(?:abcdef)?", "xyz");
	check_needles("xyz(abcdef)*", "xyz");
	check_needles("abc+d", "abc");
	check_needles("abc{2}d", "abc");
	check_needles("(?:ab)+c", "ab");
	check_needles("(?:abc|de)+", "ab/de");
	check_needles("a(?:x?y?z?)bc", "bc");
}

static void
what_is_no_text_does_not_count(void **state UNUSED)
{
	check_needles("(?i)done", "");
	check_needles("(?i:done)now", "now");
	check_needles("(?i)ready(?-i:done)", "done");
	check_needles("ab[cd]ef", "ab");
	check_needles("ab\\dcde", "cde");
	check_needles("(ab).\\1", "ab");
	/* Bytes that are no text are searched as U+FFFD. */
	check_needles("\\ufffd\\ufffd\\ufffdok", "ok");
}

static void
looks_around_do_not_count(void **state UNUSED)
{
	check_needles("ok(?!forbidden)", "ok");
	check_needles("ok(?=wanted)", "ok");
	check_needles("(?<!never )go", "go");
	check_needles("(?<=always )go", "go");
	check_needles("(x)?yy(?(1)zzzz|aaaa)", "yy");
	check_needles("(x)?yy(?(1)zzzz)", "yy");
}

static void
each_branch_has_its_own(void **state UNUSED)
{
	check_needles("done|finished", "done/fini");
	check_needles("done|", "");
	check_needles("|done", "");
	check_needles("done|[a-z]+|ready", "");
	check_needles("(?:done|ready) go", "done/read");
	check_needles("(?:a|b) now", " now");
	check_needles("((?:one|two)|three)", "one/two/thr");
	check_needles("one|(?:two|(?:three|four))", "one/two/thr/fou");
	check_needles("(?:one|two)(?:three|four)", "thre/four");
	/* Of two equally long ones, that with fewer texts. */
	check_needles("(?:aaa|bbb).(ccc)", "ccc");
	check_needles("aa|bb|cc|dd|ee|ff|gg|hh|ii|jj|kk|ll|mm|nn|oo|pp",
	    "aa/bb/cc/dd/ee/ff/gg/hh/ii/jj/kk/ll/mm/nn/oo/pp");
	check_needles("aa|bb|cc|dd|ee|ff|gg|hh|ii|jj|kk|ll|mm|nn|oo|pp|qq", "");
}

static bool
is_in(const struct needles *n, const char *text)
{
	return needles_in(n, text, strlen(text));
}

static void
finds_them_anywhere(void **state UNUSED)
{
	struct needles n = needles_of("done|finished");

	assert_true(is_in(&n, "done"));
	assert_true(is_in(&n, "it is done"));
	assert_true(is_in(&n, "done it is"));
	assert_true(is_in(&n, "dodone"));
	assert_true(is_in(&n, "dofini"));
	assert_false(is_in(&n, "don"));
	assert_false(is_in(&n, "one"));
	assert_false(is_in(&n, ""));
	n = needles_of("[a-z]+");
	assert_true(is_in(&n, ""));
}

/* Over few letters, so that nearly all pairs are in some text. */
static void
finds_what_a_plain_search_finds(void **state UNUSED)
{
	unsigned seed = 1;

	for (int round = 0; round < 20000; round++) {
		struct needles n;
		char text[40];
		bool found = false;

		needles_init(&n);
		for (size_t i = 0, count = 1 + (size_t)round % NEEDLES_MAX; i < count; i++) {
			char needle[20];
			size_t len = NEEDLE_MIN + (seed >> 16) % (sizeof(needle) - NEEDLE_MIN);

			for (size_t k = 0; k < len; k++) {
				seed = seed * 1103515245u + 12345u;
				needle[k] = (char)('a' + (seed >> 16) % 3);
			}
			needles_add(&n, needle, len);
		}
		needles_ready(&n);
		for (size_t k = 0; k < sizeof(text); k++) {
			seed = seed * 1103515245u + 12345u;
			text[k] = (char)('a' + (seed >> 16) % 4);
		}
		for (size_t i = 0; i < n.count; i++)
			found |= memmem(text, sizeof(text), n.text[i], n.len) != NULL;
		assert_int_equal(needles_in(&n, text, sizeof(text)), found);
	}
}

static int64_t
cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

/* Each of the texts differs in its first byte from what is there all over the line. */
static void
takes_no_longer_than_a_search_may(void **state UNUSED)
{
	static char line[65536];
	struct needles n;
	int64_t begin;

	needles_init(&n);
	for (int i = 0; i < NEEDLES_MAX; i++) {
		char text[NEEDLE_BYTES];

		memset(text, 'a', sizeof(text));
		text[i % 2] = (char)('b' + i);
		needles_add(&n, text, sizeof(text));
	}
	needles_ready(&n);
	memset(line, 'a', sizeof(line));
	begin = cpu_ns();
	assert_false(needles_in(&n, line, sizeof(line)));
	assert_true(cpu_ns() - begin < 100000000);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(the_longest_text_is_taken),
	    cmocka_unit_test(what_may_be_missing_does_not_count),
	    cmocka_unit_test(what_is_no_text_does_not_count),
	    cmocka_unit_test(looks_around_do_not_count),
	    cmocka_unit_test(each_branch_has_its_own),
	    cmocka_unit_test(finds_them_anywhere),
	    cmocka_unit_test(finds_what_a_plain_search_finds),
	    cmocka_unit_test(takes_no_longer_than_a_search_may),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
