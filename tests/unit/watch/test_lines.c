/*
 * The lines of a pipe: what ends them, what is taken out of them, and that it
 * does not matter how the bytes were cut on their way.
 */
#include "watch/lines.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

/* Lines are collected as "[line]". */
static void
collect(void *ctx, const char *line, size_t len)
{
	struct buf *out = ctx;

	buf_addc(out, '[');
	buf_add(out, line, len);
	buf_addc(out, ']');
}

static void
feed(const char *data, size_t len, size_t chunk, struct buf *out)
{
	struct lines l;

	lines_init(&l, collect, out);
	for (size_t i = 0; i < len; i += chunk)
		lines_feed(&l, data + i, len - i < chunk ? len - i : chunk);
	lines_flush(&l);
	lines_release(&l);
}

static void
check_bytes(const char *data, size_t len, const char *expected)
{
	static const size_t chunks[] = {1, 2, 3, 5, 8, 1000};

	for (size_t i = 0; i < ARRAY_LEN(chunks); i++) {
		AUTO_BUF out = BUF_INIT;

		feed(data, len, chunks[i], &out);
		assert_string_equal(out.data, expected);
	}
}

static void
check(const char *data, const char *expected)
{
	check_bytes(data, strlen(data), expected);
}

static void
splits_at_newlines(void **state UNUSED)
{
	check("", "");
	check("one\ntwo\n", "[one][two]");
	check("one\n\n\ntwo", "[one][][][two]");
	check("dos\r\nlines\r\n\r\n", "[dos][lines][]");
	check("doubled\r\r\n", "[doubled]");
	check("h\xc3\xa9llo \xe2\x9c\x85\n", "[h\xc3\xa9llo \xe2\x9c\x85]");
	check("tab\tkept\n", "[tab\tkept]");
}

static void
carriage_return_starts_anew(void **state UNUSED)
{
	check("10%\r50%\r100%\n", "[100%]");
	check("10%\r\x1b[K50%\x1b[0m\r\n", "[50%]");
	check("wait\r", "[wait]");
	check("\rtext\n", "[text]");
}

static void
removes_escape_sequences(void **state UNUSED)
{
	check("\x1b[1;31mred\x1b[0m\n", "[red]");
	check("\x1b]0;title\x07text\n", "[text]");
	check("\x1b]8;;http://x\x1b\\link\x1b]8;;\x1b\\\n", "[link]");
	check("\x1bP1$r0m\x1b\\a\x1b_apc\x1b\\b\x1b^pm\x1b\\c\x1bXsos\x1b\\d\n", "[abcd]");
	check("\x1b(Ba\x1b#8b\x1b=c\x1b M\x1b"
	      "7d\n",
	    "[abcd]");
	check("\x1b[38:2:59:66:97mcolour\x1b[?25h\n", "[colour]");
	check("\x1b[31\x1b[32mtwice\n", "[twice]");
	check("All\x1b[7Gtasks\n", "[Alltasks]");
}

static void
removes_control_characters(void **state UNUSED)
{
	check_bytes("a\0b\x01"
		    "c\x7f"
		    "d\be\x07\n",
	    11, "[abcde]");
}

static void
a_broken_sequence_costs_its_line_at_most(void **state UNUSED)
{
	check("a\x1b[12\nb\n", "[a][b]");
	check("a\x1b]0;never ended\nALL DONE\n", "[a][ALL DONE]");
	check("a\x1b[1\x18m\n", "[am]");
	check("a\x1b[1\xc3\xa9\n", "[a\xc3\xa9]");
	check("a\x1b", "[a]");
}

static void
tells_the_unfinished_line(void **state UNUSED)
{
	AUTO_BUF out = BUF_INIT;
	struct lines l;

	lines_init(&l, collect, &out);
	assert_string_equal(l.partial.data, "");
	lines_feed(&l, "done\nContinue\x1b[0m? ", 20);
	assert_string_equal(l.partial.data, "Continue? ");
	lines_feed(&l, "\n", 1);
	assert_string_equal(l.partial.data, "");
	assert_string_equal(out.data, "[done][Continue? ]");
	lines_release(&l);
}

struct pieces {
	size_t count, longest, total, found;
	const char *needle;
};

static void
count_piece(void *ctx, const char *line, size_t len)
{
	struct pieces *p = ctx;

	p->count++;
	p->total += len;
	p->longest = len > p->longest ? len : p->longest;
	p->found += memmem(line, len, p->needle, strlen(p->needle)) != NULL ? 1 : 0;
}

static void
long_lines_come_in_overlapping_pieces(void **state UNUSED)
{
	static const size_t len = 4 * LINES_MAX;

	/* Wherever the text is, one piece has it whole. */
	for (size_t at = LINES_MAX - 40; at < LINES_MAX + 10; at += 3) {
		struct pieces p = {.needle = "All tasks complete"};
		AUTO_BUF data = BUF_INIT;
		struct lines l;

		for (size_t i = 0; i < len; i++)
			buf_addc(&data, 'x');
		memcpy(data.data + at, p.needle, strlen(p.needle));
		lines_init(&l, count_piece, &p);
		lines_feed(&l, data.data, data.len);
		lines_feed(&l, "\n", 1);
		lines_release(&l);
		assert_true(p.found >= 1);
		assert_true(p.longest <= LINES_MAX);
		assert_int_equal(p.count, 5);
		assert_true(p.total >= len + (p.count - 1) * LINES_OVERLAP);
	}
}

static void
pieces_do_not_cut_characters(void **state UNUSED)
{
	struct pieces p = {.needle = "\xe2\x9c\x85"};
	struct lines l;

	lines_init(&l, count_piece, &p);
	lines_feed(&l, "x", 1);
	for (int i = 0; i < LINES_MAX; i++)
		lines_feed(&l, "\xe2\x9c\x85", 3);
	lines_flush(&l);
	lines_release(&l);
	assert_int_equal((p.total - 1) % 3, 0);
	assert_int_equal(p.found, p.count);
}

/* A cheap generator: the same bytes on every run. */
static unsigned
next_random(unsigned *seed)
{
	*seed = *seed * 1103515245u + 12345u;
	return *seed >> 16;
}

static void
any_cutting_gives_the_same_lines(void **state UNUSED)
{
	static const char alphabet[] = "ab \n\r\x1b[]0;m\\\x07\x18P\t\xc3\xa9\x01";
	unsigned seed = 7;

	for (int round = 0; round < 300; round++) {
		AUTO_BUF data = BUF_INIT;
		AUTO_BUF whole = BUF_INIT;

		for (unsigned n = next_random(&seed) % 200; n > 0; n--)
			buf_addc(&data, alphabet[next_random(&seed) % (sizeof(alphabet) - 1)]);
		feed(data.data, data.len, data.len + 1, &whole);
		for (size_t chunk = 1; chunk < 8; chunk++) {
			AUTO_BUF out = BUF_INIT;

			feed(data.data, data.len, chunk, &out);
			assert_string_equal(out.data, whole.data);
		}
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(splits_at_newlines),
	    cmocka_unit_test(carriage_return_starts_anew),
	    cmocka_unit_test(removes_escape_sequences),
	    cmocka_unit_test(removes_control_characters),
	    cmocka_unit_test(a_broken_sequence_costs_its_line_at_most),
	    cmocka_unit_test(tells_the_unfinished_line),
	    cmocka_unit_test(long_lines_come_in_overlapping_pieces),
	    cmocka_unit_test(pieces_do_not_cut_characters),
	    cmocka_unit_test(any_cutting_gives_the_same_lines),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
