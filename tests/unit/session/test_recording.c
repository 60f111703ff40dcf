/*
 * A recording gives back every byte in order, says what it dropped, and can be read
 * while it grows.
 */
#include "base/fs.h"
#include "session/recording/recording.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/resource.h>

#include <cmocka.h>

struct place {
	char path[64];
	int parent, fd;
	struct buf out;	  /* what was replayed */
	struct buf story; /* kinds and lengths */
	int64_t missing;
};

static int
setup(void **state)
{
	struct place *p = calloc(1, sizeof(*p));
	const char *tmp = getenv("TMPDIR");

	snprintf(p->path, sizeof(p->path), "%.40s/recXXXXXX", tmp != NULL ? tmp : "/tmp");
	assert_non_null(mkdtemp(p->path));
	p->fd = open(p->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	buf_init(&p->out);
	buf_init(&p->story);
	*state = p;
	return 0;
}

static int
teardown(void **state)
{
	struct place *p = *state;

	close(p->fd);
	(void)!fs_remove_tree(AT_FDCWD, p->path, NULL);
	buf_release(&p->out);
	buf_release(&p->story);
	free(p);
	return 0;
}

static void
chunk(void *ctx, int64_t ms, char kind, const char *data, size_t len)
{
	struct place *p = ctx;

	assert_true(ms >= 0);
	if (kind == 'g') {
		assert_null(data);
		p->missing += (int64_t)len;
	} else if (kind != 's') {
		buf_add(&p->out, data, len);
	}
	buf_addf(&p->story, "%c%zu ", kind, len);
}

static int
replay(struct place *p)
{
	struct recording_reader *r = recording_open(p->fd, NULL);
	int n;

	assert_non_null(r);
	n = recording_read(r, chunk, p, NULL);
	recording_reader_free(r);
	return n;
}

static void
add(struct recording *r, char kind, const char *s)
{
	assert_int_equal(recording_add(r, kind, s, strlen(s), NULL), 0);
}

static int64_t
raw_size(const struct place *p)
{
	struct stat st;

	assert_int_equal(fstatat(p->fd, "output.raw", &st, 0), 0);
	return st.st_size;
}

static void
comes_back_in_order(void **state)
{
	struct place *p = *state;
	struct recording *r = recording_new(p->fd, 1 << 20, 40, 120, NULL);

	add(r, 'o', "one ");
	add(r, 'e', "two ");
	assert_int_equal(recording_add(r, 'o', "a\0b", 3, NULL), 0);
	recording_size(r, 10, 20);
	add(r, 'o', "end");
	assert_int_equal(raw_size(p), 14);
	recording_free(r);
	assert_int_equal(replay(p), 6);
	assert_int_equal(p->out.len, 14);
	assert_memory_equal(p->out.data, "one two a\0bend", 14);
	assert_string_equal(p->story.data, "s2621560 o4 e4 o3 s655380 o3 ");
	assert_int_equal(p->missing, 0);
}

static void
can_be_followed(void **state)
{
	struct place *p = *state;
	struct recording *r = recording_new(p->fd, 1 << 20, 0, 0, NULL);
	struct recording_reader *reader = recording_open(p->fd, NULL);

	assert_int_equal(recording_read(reader, chunk, p, NULL), 0);
	add(r, 'o', "first");
	assert_int_equal(recording_read(reader, chunk, p, NULL), 1);
	assert_int_equal(recording_read(reader, chunk, p, NULL), 0);
	add(r, 'o', "second");
	add(r, 'o', "third");
	assert_int_equal(recording_read(reader, chunk, p, NULL), 2);
	assert_string_equal(p->out.data, "firstsecondthird");
	recording_reader_free(reader);
	recording_free(r);
}

/* Line n is "<n>\n" in 100 bytes, so that every byte tells where it belongs. */
static void
hundred(char line[101], int n)
{
	snprintf(line, 101, "%099d\n", n);
}

static void
the_middle_goes_when_the_cap_is_reached(void **state)
{
	struct place *p = *state;
	const int64_t cap = 256 * 1024;
	struct recording *r = recording_new(p->fd, cap, 0, 0, NULL);
	struct stat st;
	char line[101];
	int n = 30000;

	for (int i = 0; i < n; i++) {
		hundred(line, i);
		add(r, 'o', line);
		if (i % 1000 == 0) {
			assert_int_equal(fstatat(p->fd, "output.raw", &st, 0), 0);
			assert_true(st.st_blocks * 512 <= cap + 65536);
		}
	}
	assert_int_equal(raw_size(p), n * 100);
	recording_free(r);
	replay(p);
	assert_int_equal((int64_t)p->out.len + p->missing, n * 100);
	assert_true(p->missing > 0);
	assert_true((int64_t)p->out.len <= cap);
	assert_true((int64_t)p->out.len >= cap / 2);
	hundred(line, 0);
	assert_memory_equal(p->out.data, line, 100);
	hundred(line, n - 1);
	assert_memory_equal(p->out.data + p->out.len - 100, line, 100);
	assert_null(memchr(p->out.data, '\0', p->out.len));
	/* One gap in one place, however often the middle was dropped. */
	assert_ptr_equal(strchr(p->story.data, 'g'), strrchr(p->story.data, 'g'));
}

static void
a_reader_behind_the_hole_gets_no_zeros(void **state)
{
	struct place *p = *state;
	struct recording *r = recording_new(p->fd, 64 * 1024, 0, 0, NULL);
	struct recording_reader *reader = recording_open(p->fd, NULL);
	char line[101];

	for (int i = 0; i < 5000; i++) {
		hundred(line, i);
		add(r, 'o', line);
		if (i == 200 || i == 4000)
			assert_true(recording_read(reader, chunk, p, NULL) > 0);
	}
	assert_true(recording_read(reader, chunk, p, NULL) > 0);
	assert_int_equal((int64_t)p->out.len + p->missing, 500000);
	assert_null(memchr(p->out.data, '\0', p->out.len));
	recording_reader_free(reader);
	recording_free(r);
}

static void
a_full_disk_leaves_a_marked_gap(void **state)
{
	struct place *p = *state;
	struct recording *r = recording_new(p->fd, 1 << 20, 0, 0, NULL);
	struct err err = ERR_INIT;
	struct rlimit old, small;
	char block[4096];
	int failures = 0;

	signal(SIGXFSZ, SIG_IGN);
	memset(block, 'x', sizeof(block));
	getrlimit(RLIMIT_FSIZE, &old);
	small = old;
	small.rlim_cur = 10000;
	setrlimit(RLIMIT_FSIZE, &small);
	for (int i = 0; i < 10; i++)
		failures += recording_add(r, 'o', block, sizeof(block), &err) < 0;
	setrlimit(RLIMIT_FSIZE, &old);
	assert_int_equal(failures, 1);
	assert_int_equal(err.code, EFBIG);
	add(r, 'o', "after");
	assert_int_equal(raw_size(p), 40960 + 5);
	recording_free(r);
	replay(p);
	assert_int_equal((int64_t)p->out.len + p->missing, 40960 + 5);
	assert_int_equal(p->out.len, 2 * 4096 + 5);
	assert_string_equal(p->out.data + 2 * 4096, "after");
}

static void
the_tail_is_what_was_written_last(void **state)
{
	struct place *p = *state;
	struct recording *r = recording_new(p->fd, 1 << 20, 0, 0, NULL);
	AUTO_BUF tail = BUF_INIT;

	assert_int_equal(recording_tail(p->fd, 10, &tail, NULL), 0);
	assert_string_equal(tail.data, "");
	add(r, 'o', "0123456789");
	add(r, 'o', "abc");
	assert_int_equal(recording_tail(p->fd, 5, &tail, NULL), 0);
	assert_string_equal(tail.data, "89abc");
	buf_clear(&tail);
	assert_int_equal(recording_tail(p->fd, 500, &tail, NULL), 0);
	assert_string_equal(tail.data, "0123456789abc");
	recording_free(r);
}

static void
damaged_lines_are_passed_over(void **state)
{
	static const char times[] = "nonsense\n0 3 o\n5 99999999999999999999 o\n7 -3 o\n"
				    "8 2 o\n9 70000x1 s\n9 5 2 g\n10 1000000 o\n11 4";
	struct place *p = *state;

	assert_int_equal(fs_replace(p->fd, "output.raw", "abcdef", 6, FS_NOSYNC, NULL), 0);
	assert_int_equal(
	    fs_replace(p->fd, "output.times", times, sizeof(times) - 1, FS_NOSYNC, NULL), 0);
	assert_int_equal(replay(p), 3);
	assert_string_equal(p->out.data, "abcdef");
	assert_int_equal(p->missing, 1000000 - 1);
}

static void
export_is_asciicast(void **state)
{
	struct place *p = *state;
	struct recording *r = recording_new(p->fd, 1 << 20, 30, 100, NULL);
	AUTO_BUF cast = BUF_INIT;
	const char *line;

	/* An e with an accent, cut in two; a byte that is no text; an escape. */
	add(r, 'o', "caf\303");
	add(r, 'o', "\251\n");
	add(r, 'e', "\377\033[1m\"");
	recording_size(r, 31, 101);
	recording_free(r);
	assert_int_equal(recording_export_cast(p->fd, "a \"title\"", &cast, NULL), 0);
	assert_non_null(strstr(cast.data, "{\"version\":2,\"width\":100,\"height\":30,"));
	assert_non_null(strstr(cast.data, "\"title\":\"a \\\"title\\\"\"}\n["));
	assert_non_null(strstr(cast.data, ",\"o\",\"caf\"]\n"));
	assert_non_null(strstr(cast.data, ",\"o\",\"\303\251\\n\"]\n"));
	assert_non_null(strstr(cast.data, ",\"o\",\"\357\277\275\\u001B[1m\\\"\"]\n"));
	line = strstr(cast.data, ",\"r\",\"101x31\"]\n");
	assert_non_null(line);
}

int
main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
	    T(comes_back_in_order),
	    T(can_be_followed),
	    T(the_middle_goes_when_the_cap_is_reached),
	    T(a_reader_behind_the_hole_gets_no_zeros),
	    T(a_full_disk_leaves_a_marked_gap),
	    T(the_tail_is_what_was_written_last),
	    T(damaged_lines_are_passed_over),
	    T(export_is_asciicast),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
