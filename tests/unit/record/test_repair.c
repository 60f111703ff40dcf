/* Whatever is damaged, what can be proven stays, and nothing else does. */
#include "journal_test.h"
#include "record/repair.h"
#include <time.h>

#define LINES 90
#define SNAP 64

/* Plans and does it; the journal opens afterwards, reading and writing. */
static void
mend(const struct scratch *tmp, struct repair *r)
{
	AUTO_BUF kept = BUF_INIT;
	AUTO_BUF before = BUF_INIT;
	AUTO_BUF copy = BUF_INIT;
	struct err err = ERR_INIT;

	scratch_read(tmp, JOURNAL, &before);
	if (repair_plan(tmp->dir, &settings, r, &err) < 0)
		fail_msg("%s", err.text);
	if (repair_do(tmp->dir, r, &kept, &err) < 0)
		fail_msg("%s", err.text);
	scratch_read(tmp, kept.data, &copy);
	assert_int_equal(copy.len, before.len);
	assert_memory_equal(copy.data, before.data, before.len);
	assert_int_equal(unlinkat(tmp->dir, kept.data, 0), 0);
}

/* A state is exactly that after n lines. */
static void
assert_after(const struct scratch *tmp, const struct repair *r, int64_t n, bool noted)
{
	assert_int_equal(r->lines, n);
	assert_state(&r->state, n);
	assert_opens(tmp, true, n, false);
	assert_opens(tmp, false, n, noted);
}

static void
whole_journal_needs_nothing(void **unused UNUSED)
{
	struct scratch tmp;
	struct repair r;

	scratch_open(&tmp);
	write_with_snapshots(&tmp, LINES, false);
	assert_int_equal(repair_plan(tmp.dir, &settings, &r, NULL), 0);
	assert_int_equal(r.line, 0);
	assert_int_equal(r.lines, LINES);
	assert_state(&r.state, LINES);
	repair_release(&r);
	assert_int_equal(scratch_count(&tmp, ".", "corrupt"), 0);
	scratch_close(&tmp);
}

/* The seed is printed: with it in RALPH_SEED the same is tried again. */
static unsigned
seed_get(void)
{
	const char *given = getenv("RALPH_SEED");
	unsigned seed =
	    (unsigned)(given != NULL ? strtoul(given, NULL, 10) : (unsigned long)time(NULL));

	print_message("# RALPH_SEED=%u\n", seed);
	return seed;
}

static size_t
draw(unsigned *seed, size_t below)
{
	*seed = *seed * 1103515245 + 12345;
	return (*seed >> 8) % below;
}

static void
one_wrong_bit_anywhere_is_put_right(void **unused UNUSED)
{
	unsigned seed = seed_get();
	AUTO_BUF good = BUF_INIT;
	AUTO_BUF bad = BUF_INIT;
	AUTO_BUF now = BUF_INIT;
	struct scratch tmp;

	scratch_open(&tmp);
	write_with_snapshots(&tmp, LINES, false);
	scratch_read(&tmp, JOURNAL, &good);
	for (int round = 0; round < 60; round++) {
		struct repair r;
		size_t at;

		seed = seed * 1103515245 + 12345;
		/* Every tenth in the last line, newline included. */
		at =
		    round % 10 == 0 ? good.len - 1 - (seed >> 8) % 100 : (seed >> 8) % good.len;
		buf_clear(&bad);
		buf_add(&bad, good.data, good.len);
		bad.data[at] ^= (char)(1 << (seed >> 4) % 8);
		scratch_write(&tmp, JOURNAL, bad.data, bad.len);
		mend(&tmp, &r);
		if (r.mended != 1 || r.lost != 0 || r.dropped != 0 || r.line == 0)
			fail_msg("byte %zu: %lld mended", at, (long long)r.mended);
		assert_after(&tmp, &r, LINES, false);
		scratch_read(&tmp, JOURNAL, &now);
		assert_int_equal(now.len, good.len);
		assert_memory_equal(now.data, good.data, good.len);
		repair_release(&r);
	}
	scratch_close(&tmp);
}

/* The offset of line n (from 1). */
static size_t
line_at(const struct buf *text, int64_t n)
{
	size_t at = 0;

	while (--n > 0)
		at = (size_t)((char *)memchr(text->data + at, '\n', text->len - at) -
			      text->data) +
		     1;
	return at;
}

static void
spoil(const struct scratch *tmp, int64_t n)
{
	AUTO_BUF text = BUF_INIT;

	scratch_read(tmp, JOURNAL, &text);
	memcpy(text.data + line_at(&text, n) + 30, "????", 4);
	scratch_write(tmp, JOURNAL, text.data, text.len);
}

static void
lost_line_before_the_snapshot_changes_no_state(void **unused UNUSED)
{
	static const int64_t where[] = {1, 4, 63, 64};
	struct scratch tmp;
	struct repair r;

	for (size_t i = 0; i < ARRAY_LEN(where); i++) {
		scratch_open(&tmp);
		write_with_snapshots(&tmp, LINES, false);
		spoil(&tmp, where[i]);
		mend(&tmp, &r);
		assert_int_equal(r.line, where[i]);
		assert_int_equal(r.lost, 1);
		assert_int_equal(r.dropped, 0);
		/* It is noted each time that something is missing. */
		assert_after(&tmp, &r, LINES, true);
		repair_release(&r);
		write_lines(&tmp, LINES + 2);
		assert_opens(&tmp, false, LINES + 2, true);
		scratch_close(&tmp);
	}
}

static void
without_the_snapshot_a_lost_line_is_damage_again(void **unused UNUSED)
{
	struct scratch tmp;
	struct opened o;
	struct repair r;

	scratch_open(&tmp);
	write_with_snapshots(&tmp, LINES, false);
	spoil(&tmp, 10);
	mend(&tmp, &r);
	repair_release(&r);
	assert_int_equal(unlinkat(tmp.dir, SNAPSHOT, 0), 0);
	open_journal(&tmp, true, &o);
	assert_null(o.j);
	assert_int_equal(o.err.code, EBADMSG);
	close_journal(&o);
	mend(&tmp, &r);
	assert_int_equal(r.dropped, LINES - 10 + 1);
	assert_after(&tmp, &r, 9, false);
	repair_release(&r);
	scratch_close(&tmp);
}

static void
behind_any_other_gap_nothing_is_trusted(void **unused UNUSED)
{
	struct scratch tmp;
	struct repair r;

	scratch_open(&tmp);
	write_with_snapshots(&tmp, LINES, false);
	spoil(&tmp, 80);
	mend(&tmp, &r);
	assert_int_equal(r.line, 80);
	assert_int_equal(r.dropped, LINES - 80);
	assert_after(&tmp, &r, 79, false);
	repair_release(&r);
	write_lines(&tmp, 85);
	assert_opens(&tmp, false, 85, false);
	scratch_close(&tmp);
}

static void
damaged_last_line_goes(void **unused UNUSED)
{
	struct scratch tmp;
	struct repair r;

	scratch_open(&tmp);
	write_with_snapshots(&tmp, LINES, false);
	spoil(&tmp, LINES);
	mend(&tmp, &r);
	assert_int_equal(r.line, LINES);
	assert_after(&tmp, &r, LINES - 1, false);
	repair_release(&r);
	scratch_close(&tmp);
}

static void
stray_lines_between_whole_ones_cost_nothing(void **unused UNUSED)
{
	static const int64_t where[] = {1, 5, 64, 65, LINES, LINES + 1};
	static const char stray[] = "x\n{\"n\":7,\"made\":\"up\"}\nfrom an agent\n";
	struct scratch tmp;
	struct repair r;

	for (size_t i = 0; i < ARRAY_LEN(where); i++) {
		AUTO_BUF text = BUF_INIT;
		AUTO_BUF with = BUF_INIT;
		size_t at;

		scratch_open(&tmp);
		write_with_snapshots(&tmp, LINES, false);
		scratch_read(&tmp, JOURNAL, &text);
		at = where[i] > LINES ? text.len : line_at(&text, where[i]);
		buf_add(&with, text.data, at);
		buf_adds(&with, stray);
		buf_add(&with, text.data + at, text.len - at);
		scratch_write(&tmp, JOURNAL, with.data, with.len);
		mend(&tmp, &r);
		assert_int_equal(r.line, where[i]);
		assert_int_equal(r.stray, sizeof(stray) - 1);
		assert_int_equal(r.lost + r.dropped + r.mended, 0);
		assert_after(&tmp, &r, LINES, false);
		repair_release(&r);
		scratch_close(&tmp);
	}
}

static void
journal_that_ends_early_is_bridged_up_to_the_snapshot(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;
	struct repair r;

	scratch_open(&tmp);
	write_with_snapshots(&tmp, LINES, false);
	scratch_read(&tmp, JOURNAL, &text);
	scratch_write(&tmp, JOURNAL, text.data, line_at(&text, 50));
	mend(&tmp, &r);
	assert_int_equal(r.line, 50);
	assert_int_equal(r.lost, SNAP - 50 + 1);
	assert_after(&tmp, &r, SNAP, true);
	repair_release(&r);
	assert_int_equal(unlinkat(tmp.dir, JOURNAL, 0), 0);
	assert_int_equal(repair_plan(tmp.dir, &settings, &r, NULL), 0);
	assert_int_equal(r.lost, SNAP);
	repair_release(&r);
	scratch_close(&tmp);
}

static void
without_a_beginning_there_is_no_loop(void **unused UNUSED)
{
	struct scratch tmp;
	struct repair r;

	scratch_open(&tmp);
	write_lines(&tmp, 5);
	spoil(&tmp, 1);
	assert_int_equal(repair_plan(tmp.dir, &settings, &r, NULL), 0);
	assert_int_equal(r.state.phase, PHASE_NEW);
	assert_int_equal(r.dropped, 4);
	repair_release(&r);
	scratch_close(&tmp);
}

static void
newer_lines_are_left_alone(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct err err = ERR_INIT;
	struct scratch tmp;
	struct repair r;

	scratch_open(&tmp);
	write_lines(&tmp, 5);
	scratch_read(&tmp, JOURNAL, &text);
	buf_adds(&text, "{\"v\":2,\"n\":6,\"sum\":\"0\"}\n");
	scratch_write(&tmp, JOURNAL, text.data, text.len);
	assert_int_equal(repair_plan(tmp.dir, &settings, &r, &err), -1);
	assert_int_equal(err.code, ENOTSUP);
	scratch_close(&tmp);
}

/* Bytes changed, cut out or put in, anywhere. */
static void
maul(struct buf *text, unsigned *seed)
{
	AUTO_BUF rest = BUF_INIT;
	size_t at = draw(seed, text->len), n = draw(seed, 400);

	if (n > text->len - at)
		n = text->len - at;
	switch (draw(seed, 4)) {
	case 0:
		for (size_t i = 0; i < n; i += 1 + draw(seed, 40))
			text->data[at + i] = (char)draw(seed, 256);
		break;
	case 1:
		memset(text->data + at, 0, n);
		break;
	case 2:
		buf_add(&rest, text->data + at + n, text->len - at - n);
		buf_truncate(text, at);
		buf_add(text, rest.data, rest.len);
		break;
	default:
		/* A piece of itself: whole lines among it are out of their order. */
		buf_add(&rest, text->data + at, text->len - at);
		buf_truncate(text, at);
		buf_add(text, rest.data, n);
		buf_add(text, rest.data, rest.len);
		break;
	}
}

static void
whatever_happened_it_opens_to_what_was_said(void **unused UNUSED)
{
	unsigned seed = seed_get();
	AUTO_BUF good = BUF_INIT;
	AUTO_BUF snapshot = BUF_INIT;
	AUTO_BUF bad = BUF_INIT;
	struct scratch tmp;

	scratch_open(&tmp);
	write_with_snapshots(&tmp, LINES, false);
	scratch_read(&tmp, JOURNAL, &good);
	scratch_read(&tmp, SNAPSHOT, &snapshot);
	for (int round = 0; round < 80; round++) {
		struct opened o;
		struct repair r;

		buf_clear(&bad);
		buf_add(&bad, good.data, good.len);
		for (size_t i = draw(&seed, 3); i < 3 && bad.len > 0; i++)
			maul(&bad, &seed);
		scratch_write(&tmp, JOURNAL, bad.data, bad.len);
		scratch_write(&tmp, SNAPSHOT, snapshot.data, snapshot.len);
		if (round % 3 == 0)
			assert_int_equal(unlinkat(tmp.dir, SNAPSHOT, 0), 0);
		mend(&tmp, &r);
		/* Never anything that was not once so, and never less than the snapshot. */
		assert_state(&r.state, r.lines);
		assert_true(round % 3 == 0 || r.lines >= SNAP);
		open_journal(&tmp, false, &o);
		if (o.j == NULL)
			fail_msg("round %d: %s", round, o.err.text);
		assert_int_equal(decisions(&o.state), r.lines);
		assert_state(&o.state, r.lines);
		close_journal(&o);
		repair_release(&r);
	}
	scratch_close(&tmp);
}

static void
garbage_never_crashes(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;
	unsigned seed = 777;

	scratch_open(&tmp);
	for (int round = 0; round < 100; round++) {
		struct repair r;

		buf_clear(&text);
		for (int i = 0; i < round * 7 % 900; i++) {
			static const char alphabet[] = "{}[]\",:\n\n0129nvfacts\\ \x01\xff";

			seed = seed * 1103515245 + 12345;
			buf_addc(&text, alphabet[(seed >> 16) % (sizeof(alphabet) - 1)]);
		}
		scratch_write(&tmp, JOURNAL, text.data, text.len);
		if (repair_plan(tmp.dir, &settings, &r, NULL) == 0)
			repair_release(&r);
	}
	scratch_close(&tmp);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(whole_journal_needs_nothing),
	    cmocka_unit_test(one_wrong_bit_anywhere_is_put_right),
	    cmocka_unit_test(lost_line_before_the_snapshot_changes_no_state),
	    cmocka_unit_test(without_the_snapshot_a_lost_line_is_damage_again),
	    cmocka_unit_test(behind_any_other_gap_nothing_is_trusted),
	    cmocka_unit_test(damaged_last_line_goes),
	    cmocka_unit_test(stray_lines_between_whole_ones_cost_nothing),
	    cmocka_unit_test(journal_that_ends_early_is_bridged_up_to_the_snapshot),
	    cmocka_unit_test(without_a_beginning_there_is_no_loop),
	    cmocka_unit_test(newer_lines_are_left_alone),
	    cmocka_unit_test(whatever_happened_it_opens_to_what_was_said),
	    cmocka_unit_test(garbage_never_crashes),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
