/* Whatever happened to the file, it opens to a prefix of what was written, or says why not. */
#include "journal_test.h"
#include "record/seal.h"

/* Refuses, reading or writing, and leaves every byte where it was. */
static void
assert_refused(const struct scratch *tmp, int code)
{
	for (int readonly = 0; readonly <= 1; readonly++) {
		AUTO_BUF before = BUF_INIT;
		AUTO_BUF after = BUF_INIT;
		struct opened o;

		scratch_read(tmp, JOURNAL, &before);
		open_journal(tmp, readonly, &o);
		assert_null(o.j);
		if (o.err.code != code)
			fail_msg("%d: %s", o.err.code, o.err.text);
		scratch_read(tmp, JOURNAL, &after);
		assert_int_equal(before.len, after.len);
		assert_memory_equal(before.data, after.data, before.len);
		assert_int_equal(scratch_count(tmp, ".", "corrupt"), 0);
		close_journal(&o);
	}
}

static int64_t
count_lines(const char *data, size_t len)
{
	int64_t n = 0;

	for (size_t i = 0; i < len; i++)
		n += data[i] == '\n';
	return n;
}

static void
empty_journal_is_an_empty_loop(void **unused UNUSED)
{
	struct scratch tmp;

	scratch_open(&tmp);
	assert_opens(&tmp, true, 0, false);
	assert_opens(&tmp, false, 0, false);
	assert_int_equal(scratch_count(&tmp, ".", ""), 0);
	scratch_write(&tmp, JOURNAL, "", 0);
	assert_opens(&tmp, true, 0, false);
	assert_opens(&tmp, false, 0, false);
	scratch_close(&tmp);
}

static void
lines_have_the_form_of_the_manual(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;
	const char *crc;

	scratch_open(&tmp);
	write_lines(&tmp, 2);
	scratch_read(&tmp, JOURNAL, &text);
	crc = strstr(text.data, ",\"crc\":\"");
	assert_non_null(crc);
	assert_memory_equal(text.data,
	    "{\"n\":1,\"t\":\"2023-11-14T22:13:20.000Z\",\"facts\":[{\"fact\":\"opened\","
	    "\"at\":"
	    "[1000,1700000000000000001],\"uid\":\"00112233\"},{\"fact\":\"supervised\",",
	    120);
	assert_int_equal(strcspn(crc + 8, "\""), 16);
	assert_memory_equal(crc + 24, "\"}\n{\"n\":2,", 9);
	scratch_close(&tmp);
}

static void
what_was_appended_is_there(void **unused UNUSED)
{
	struct scratch tmp;

	scratch_open(&tmp);
	write_lines(&tmp, 40);
	assert_opens(&tmp, true, 40, false);
	assert_opens(&tmp, false, 40, false);
	write_lines(&tmp, 45);
	assert_opens(&tmp, false, 45, false);
	scratch_close(&tmp);
}

static void
cut_at_every_byte_it_opens_to_a_prefix(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;

	scratch_open(&tmp);
	write_lines(&tmp, 4);
	scratch_read(&tmp, JOURNAL, &text);
	for (size_t len = 0; len <= text.len; len++) {
		int64_t whole = count_lines(text.data, len);
		bool torn = len > 0 && text.data[len - 1] != '\n';

		scratch_write(&tmp, JOURNAL, text.data, len);
		assert_opens(&tmp, true, whole, false);
		assert_opens(&tmp, false, whole, torn);
		assert_opens(&tmp, false, whole, false);
	}
	scratch_close(&tmp);
}

static void
after_a_torn_line_it_goes_on(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;

	scratch_open(&tmp);
	write_lines(&tmp, 5);
	scratch_read(&tmp, JOURNAL, &text);
	for (size_t cut = 1; cut < 200; cut += 40) {
		scratch_write(&tmp, JOURNAL, text.data, text.len - cut);
		write_lines(&tmp, 8);
		assert_opens(&tmp, false, 8, false);
	}
	scratch_close(&tmp);
}

/* The only copy that was set aside is these bytes; it goes. */
static void
assert_kept(const struct scratch *tmp, const char *bytes, size_t len)
{
	AUTO_BUF kept = BUF_INIT;
	struct err err = ERR_INIT;
	size_t found = 0;
	char **names;

	assert_int_equal(fs_list(tmp->dir, ".", &names, &err), 0);
	for (size_t i = 0; names[i] != NULL; i++)
		if (strncmp(names[i], "journal.corrupt.", 16) == 0) {
			scratch_read(tmp, names[i], &kept);
			assert_int_equal(unlinkat(tmp->dir, names[i], 0), 0);
			found++;
		}
	strlist_free(names);
	assert_int_equal(found, 1);
	assert_int_equal(kept.len, len);
	assert_memory_equal(kept.data, bytes, len);
}

static void
last_line_with_zeros_is_cut_off_and_kept(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;
	size_t last;

	scratch_open(&tmp);
	write_lines(&tmp, 3);
	scratch_read(&tmp, JOURNAL, &text);
	for (last = text.len - 1; text.data[last - 1] != '\n'; last--)
		;
	/* A block that never came, in the middle of a line. */
	memset(text.data + last + 20, 0, 40);
	scratch_write(&tmp, JOURNAL, text.data, text.len);
	assert_opens(&tmp, true, 2, false);
	assert_int_equal(scratch_count(&tmp, ".", "corrupt"), 0);
	assert_opens(&tmp, false, 2, true);
	assert_kept(&tmp, text.data + last, text.len - last);
	/* A run of zeros behind it, as some file systems leave it. */
	scratch_read(&tmp, JOURNAL, &text);
	last = text.len;
	for (int i = 0; i < 5000; i++)
		buf_addc(&text, '\0');
	scratch_write(&tmp, JOURNAL, text.data, text.len);
	assert_opens(&tmp, false, 2, true);
	assert_kept(&tmp, text.data + last, text.len - last);
	scratch_close(&tmp);
}

static void
damage_anywhere_touches_nothing(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;

	scratch_open(&tmp);
	write_lines(&tmp, 4);
	scratch_read(&tmp, JOURNAL, &text);
	/* Also in the last line: it was whole, and somebody was told so. */
	for (size_t i = 0; i < text.len; i++) {
		char bit = (char)(1 << i % 7);

		text.data[i] ^= bit;
		scratch_write(&tmp, JOURNAL, text.data, text.len);
		assert_refused(&tmp, EBADMSG);
		text.data[i] ^= bit;
	}
	scratch_close(&tmp);
}

/* A line with a good checksum, however odd its content. */
static void
add_sealed(struct buf *out, const char *text)
{
	struct err err = ERR_INIT;
	AUTO_JSON *v = json_parse(text, strlen(text), "line", &err);

	assert_non_null(v);
	seal_print(v, out);
	buf_addc(out, '\n');
}

static void
lines_that_do_not_follow_are_refused(void **unused UNUSED)
{
	static const char *const odd[] = {
	    "{\"n\":3,\"facts\":[]}",
	    "{\"n\":5,\"facts\":[]}",
	    "{\"n\":\"4\",\"facts\":[]}",
	    "{\"facts\":[]}",
	    "{\"n\":4}",
	    "{\"n\":4,\"facts\":{}}",
	    "{\"n\":4,\"facts\":[7]}",
	    "{\"n\":4,\"facts\":[{\"fact\":\"started\",\"iteration\":true}]}",
	};
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;
	size_t len;

	scratch_open(&tmp);
	write_lines(&tmp, 3);
	scratch_read(&tmp, JOURNAL, &text);
	len = text.len;
	for (size_t i = 0; i < ARRAY_LEN(odd); i++) {
		add_sealed(&text, odd[i]);
		scratch_write(&tmp, JOURNAL, text.data, text.len);
		assert_refused(&tmp, EBADMSG);
		buf_truncate(&text, len);
	}
	scratch_close(&tmp);
}

static void
newer_lines_are_refused_untouched(void **unused UNUSED)
{
	static const char *const newer[] = {
	    "{\"v\":2,\"n\":4,\"facts\":[]}",
	    "{\"v\":2,\"deeds\":[]}",
	    "{\"n\":4,\"facts\":[{\"fact\":\"teleported\"}]}",
	    "{\"n\":4,\"facts\":[{\"fact\":\"ended\",\"verdict\":\"superb\"}]}",
	};
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;
	size_t len;

	scratch_open(&tmp);
	write_lines(&tmp, 3);
	scratch_read(&tmp, JOURNAL, &text);
	len = text.len;
	for (size_t i = 0; i < ARRAY_LEN(newer); i++) {
		add_sealed(&text, newer[i]);
		scratch_write(&tmp, JOURNAL, text.data, text.len);
		assert_refused(&tmp, ENOTSUP);
		add_sealed(&text, "{\"v\":2,\"n\":5,\"facts\":[]}");
		scratch_write(&tmp, JOURNAL, text.data, text.len);
		assert_refused(&tmp, ENOTSUP);
		buf_truncate(&text, len);
	}
	/* It may also be sealed in a way we do not know; that is not a torn line. */
	buf_adds(&text, "{\"v\":2,\"n\":4,\"sum\":\"0\"}\n");
	scratch_write(&tmp, JOURNAL, text.data, text.len);
	assert_refused(&tmp, ENOTSUP);
	scratch_close(&tmp);
}

static void
garbage_never_crashes(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;
	unsigned seed = 12345;

	scratch_open(&tmp);
	for (int round = 0; round < 300; round++) {
		struct opened o;

		buf_clear(&text);
		for (int i = 0; i < round * 7 % 900; i++) {
			static const char alphabet[] = "{}[]\",:\n\n0129nvfacts\\ \x01\xff";

			seed = seed * 1103515245 + 12345;
			buf_addc(&text, alphabet[(seed >> 16) % (sizeof(alphabet) - 1)]);
		}
		scratch_write(&tmp, JOURNAL, text.data, text.len);
		open_journal(&tmp, true, &o);
		assert_true(o.j == NULL || decisions(&o.state) == 0);
		assert_true(o.j != NULL || o.err.text[0] != '\0');
		close_journal(&o);
	}
	scratch_close(&tmp);
}

static void
line_without_end_is_refused(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;

	scratch_open(&tmp);
	buf_reserve(&text, 3 << 20);
	for (int i = 0; i < 3 << 20; i++)
		buf_addc(&text, 'x');
	scratch_write(&tmp, JOURNAL, text.data, text.len);
	assert_refused(&tmp, EBADMSG);
	scratch_close(&tmp);
}

static void
only_a_regular_file_will_do(void **unused UNUSED)
{
	struct scratch tmp;
	struct opened o;

	scratch_open(&tmp);
	assert_int_equal(symlinkat("/dev/null", tmp.dir, JOURNAL), 0);
	open_journal(&tmp, false, &o);
	assert_null(o.j);
	close_journal(&o);
	assert_int_equal(unlinkat(tmp.dir, JOURNAL, 0), 0);
	assert_int_equal(mkfifoat(tmp.dir, JOURNAL, 0600), 0);
	open_journal(&tmp, true, &o);
	assert_null(o.j);
	close_journal(&o);
	scratch_close(&tmp);
}

/* ---- snapshots ------------------------------------------------------------------ */

static void
snapshot_and_tail_equal_a_full_replay(void **unused UNUSED)
{
	static const int64_t lines[] = {63, 64, 65, 128, 150};
	struct scratch tmp;

	scratch_open(&tmp);
	for (size_t i = 0; i < ARRAY_LEN(lines); i++) {
		write_with_snapshots(&tmp, lines[i], false);
		assert_int_equal(scratch_has(&tmp, SNAPSHOT), lines[i] >= 64);
		assert_opens(&tmp, true, lines[i], false);
		assert_opens(&tmp, false, lines[i], false);
	}
	assert_int_equal(unlinkat(tmp.dir, SNAPSHOT, 0), 0);
	assert_opens(&tmp, false, 150, false);
	scratch_close(&tmp);
}

/* A snapshot that was made before there was such a setting does not tell it. */
static void
term_wait_comes_from_the_settings(void **unused UNUSED)
{
	struct settings later = settings;
	struct loop_state state;
	struct err err = ERR_INIT;
	struct scratch tmp;
	struct journal *j;

	later.term_wait = 7 * NSEC_PER_SEC;
	scratch_open(&tmp);
	write_with_snapshots(&tmp, 12, true);
	loop_init(&state, &later, REGIME_REPEAT);
	j = journal_open(tmp.dir, true, &state, NULL, &err);
	assert_non_null(j);
	assert_int_equal(state.iteration, 6);
	assert_int_equal(state.policy.term_wait, 7 * NSEC_PER_SEC);
	journal_close(j);
	scratch_close(&tmp);
}

static void
damage_before_the_snapshot_is_refused(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;

	scratch_open(&tmp);
	write_with_snapshots(&tmp, 70, true);
	scratch_read(&tmp, JOURNAL, &text);
	for (size_t i = 0; i < text.len; i += 97) {
		char bit = (char)(1 << i % 7);

		text.data[i] ^= bit;
		scratch_write(&tmp, JOURNAL, text.data, text.len);
		assert_refused(&tmp, EBADMSG);
		text.data[i] ^= bit;
	}
	scratch_write(&tmp, JOURNAL, text.data, text.len);
	write_lines(&tmp, 72);
	assert_opens(&tmp, false, 72, false);
	scratch_close(&tmp);
}

static void
count_fact(void *count, const struct fact *f UNUSED)
{
	++*(size_t *)count;
}

static void
every_fact_is_told_or_it_says_why_not(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;
	size_t told = 0, all;

	scratch_open(&tmp);
	assert_int_equal(journal_each(tmp.dir, count_fact, &told, NULL), 0);
	assert_int_equal(told, 0);
	write_with_snapshots(&tmp, 12, true);
	assert_int_equal(journal_each(tmp.dir, count_fact, &told, NULL), 0);
	all = told;
	assert_true(all >= 12);
	scratch_read(&tmp, JOURNAL, &text);
	for (size_t i = 0; i < text.len; i += 13) {
		struct err err = ERR_INIT;

		text.data[i] ^= 4;
		scratch_write(&tmp, JOURNAL, text.data, text.len);
		assert_int_equal(journal_each(tmp.dir, count_fact, &told, &err), -1);
		assert_int_equal(err.code, EBADMSG);
		assert_non_null(strstr(err.text, JOURNAL " is damaged in line "));
		text.data[i] ^= 4;
	}
	/* A torn end is nobody's fact. */
	buf_adds(&text, "{\"n\":13,\"t");
	scratch_write(&tmp, JOURNAL, text.data, text.len);
	told = 0;
	assert_int_equal(journal_each(tmp.dir, count_fact, &told, NULL), 0);
	assert_int_equal(told, all);
	scratch_close(&tmp);
}

static void
damaged_snapshot_is_kept_and_the_journal_read(void **unused UNUSED)
{
	AUTO_BUF good = BUF_INIT;
	struct scratch tmp;
	size_t aside = 0;

	scratch_open(&tmp);
	write_with_snapshots(&tmp, 12, true);
	scratch_read(&tmp, SNAPSHOT, &good);
	for (size_t i = 0; i < good.len; i++) {
		char bit = (char)(1 << i % 7);

		good.data[i] ^= bit;
		scratch_write(&tmp, SNAPSHOT, good.data, good.len);
		good.data[i] ^= bit;
		assert_opens(&tmp, true, 12, false);
		assert_int_equal(scratch_count(&tmp, ".", "snapshot.corrupt."), aside);
		assert_opens(&tmp, false, 12, true);
		assert_int_equal(scratch_count(&tmp, ".", "snapshot.corrupt."), ++aside);
		assert_false(scratch_has(&tmp, SNAPSHOT));
	}
	for (size_t len = 0; len < good.len; len += 17) {
		scratch_write(&tmp, SNAPSHOT, good.data, len);
		assert_opens(&tmp, false, 12, true);
		assert_int_equal(scratch_count(&tmp, ".", "snapshot.corrupt."), ++aside);
	}
	scratch_close(&tmp);
}

static void
newer_snapshot_is_refused_untouched(void **unused UNUSED)
{
	static const char newer[] = "{\"v\":2,\"n\":12,\"world\":{}}\n";
	struct scratch tmp;

	scratch_open(&tmp);
	write_lines(&tmp, 12);
	scratch_write(&tmp, SNAPSHOT, newer, sizeof(newer) - 1);
	assert_refused(&tmp, ENOTSUP);
	assert_true(scratch_has(&tmp, SNAPSHOT));
	scratch_close(&tmp);
}

/* One wrong bit in the number of the version: the seal tells it from a newer version. */
static void
snapshot_with_a_damaged_version_is_kept_and_the_journal_read(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;
	char *digit;

	scratch_open(&tmp);
	write_with_snapshots(&tmp, 12, true);
	scratch_read(&tmp, SNAPSHOT, &text);
	digit = strstr(text.data, "\"v\":1");
	assert_non_null(digit);
	digit[4] ^= 8;
	scratch_write(&tmp, SNAPSHOT, text.data, text.len);
	assert_opens(&tmp, false, 12, true);
	assert_int_equal(scratch_count(&tmp, ".", "snapshot.corrupt."), 1);
	scratch_close(&tmp);
}

static void
journal_that_lost_lines_is_refused(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	struct scratch tmp;

	scratch_open(&tmp);
	write_with_snapshots(&tmp, 12, true);
	scratch_read(&tmp, JOURNAL, &text);
	while (count_lines(text.data, text.len) > 10)
		buf_truncate(&text, text.len - 1);
	buf_addc(&text, '\n');
	scratch_write(&tmp, JOURNAL, text.data, text.len - 1);
	assert_refused(&tmp, EBADMSG);
	scratch_write(&tmp, JOURNAL, "", 0);
	assert_refused(&tmp, EBADMSG);
	assert_true(scratch_has(&tmp, SNAPSHOT));
	scratch_close(&tmp);
}

static void
snapshot_of_another_journal_is_kept_aside(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF odd = BUF_INIT;
	struct scratch tmp;
	const char *at;

	scratch_open(&tmp);
	write_with_snapshots(&tmp, 5, true);
	scratch_read(&tmp, SNAPSHOT, &text);
	at = strstr(text.data, "\"state\"");
	assert_non_null(at);
	buf_adds(&odd, "{\"v\":1,\"n\":5,\"offset\":77,");
	buf_add(&odd, at, (size_t)(strstr(text.data, ",\"crc\"") - at));
	buf_addc(&odd, '}');
	buf_clear(&text);
	add_sealed(&text, odd.data);
	scratch_write(&tmp, SNAPSHOT, text.data, text.len);
	assert_opens(&tmp, false, 5, true);
	assert_false(scratch_has(&tmp, SNAPSHOT));
	scratch_close(&tmp);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(empty_journal_is_an_empty_loop),
	    cmocka_unit_test(lines_have_the_form_of_the_manual),
	    cmocka_unit_test(what_was_appended_is_there),
	    cmocka_unit_test(cut_at_every_byte_it_opens_to_a_prefix),
	    cmocka_unit_test(after_a_torn_line_it_goes_on),
	    cmocka_unit_test(last_line_with_zeros_is_cut_off_and_kept),
	    cmocka_unit_test(damage_anywhere_touches_nothing),
	    cmocka_unit_test(lines_that_do_not_follow_are_refused),
	    cmocka_unit_test(newer_lines_are_refused_untouched),
	    cmocka_unit_test(garbage_never_crashes),
	    cmocka_unit_test(line_without_end_is_refused),
	    cmocka_unit_test(only_a_regular_file_will_do),
	    cmocka_unit_test(snapshot_and_tail_equal_a_full_replay),
	    cmocka_unit_test(term_wait_comes_from_the_settings),
	    cmocka_unit_test(damage_before_the_snapshot_is_refused),
	    cmocka_unit_test(every_fact_is_told_or_it_says_why_not),
	    cmocka_unit_test(damaged_snapshot_is_kept_and_the_journal_read),
	    cmocka_unit_test(snapshot_with_a_damaged_version_is_kept_and_the_journal_read),
	    cmocka_unit_test(newer_snapshot_is_refused_untouched),
	    cmocka_unit_test(journal_that_lost_lines_is_refused),
	    cmocka_unit_test(snapshot_of_another_journal_is_kept_aside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
