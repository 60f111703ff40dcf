/* A file of the user's between reading and writing, while others do not wait. */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "source/held.h"
#include <sys/file.h>

static struct err err;

static void
put(const char *name, const char *text)
{
	int fd = openat(scratch.fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static void
assert_file(const char *name, const char *expected)
{
	AUTO_BUF text = BUF_INIT;

	assert_int_equal(fs_read(scratch.fd, name, 1 << 20, &text, &err), 0);
	assert_string_equal(text.data, expected);
}

/* Adds "!"; somebody else writes in the first `*ctx` turns. */
static int
shout(struct held *h, void *ctx, struct buf *out, struct err *e UNUSED)
{
	int *others = ctx;

	buf_add(out, h->text.data, h->text.len);
	buf_addc(out, '!');
	if (*others > 0) {
		AUTO_FREE char *text = xasprintf("%s+%d", h->text.data, *others);

		put("f", text);
		*others -= 1;
	}
	return 0;
}

static int
leave(struct held *h, void *ctx, struct buf *out UNUSED, struct err *e UNUSED)
{
	*(bool *)ctx = h->exists;
	return 1;
}

static int
refuse(struct held *h UNUSED, void *ctx UNUSED, struct buf *out UNUSED, struct err *e)
{
	return err_set(e, "no");
}

static char *
path_of(const char *name)
{
	return xasprintf("%s/%s", scratch.path, name);
}

static void
test_others_are_merged(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("f");
	int others = 3;

	put("f", "a");
	assert_int_equal(held_change(path, 1 << 20, shout, &others, &err), 0);
	assert_file("f", "a+3+2+1!");
	others = 1000;
	assert_int_equal(held_change(path, 1 << 20, shout, &others, &err), -1);
	assert_int_equal(err.code, EBUSY);
	assert_int_equal(unlinkat(scratch.fd, "f", 0), 0);
	/* Nothing else is left. */
	assert_int_equal(rmdir(scratch.path), 0);
	assert_int_equal(mkdir(scratch.path, 0700), 0);
}

static void
test_new_files(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("f");
	AUTO_FREE char *dangling = path_of("link");
	int others = 0;
	bool exists = true;
	struct stat st;

	assert_int_equal(held_change(path, 1 << 20, leave, &exists, &err), 1);
	assert_false(exists);
	assert_int_equal(held_change(path, 1 << 20, shout, &others, &err), 0);
	assert_file("f", "!");
	assert_int_equal(fstatat(scratch.fd, "f", &st, 0), 0);
	assert_int_equal(st.st_mode & 0777, 0644);
	others = 1; /* it appears in the middle of it */
	assert_int_equal(unlinkat(scratch.fd, "f", 0), 0);
	assert_int_equal(held_change(path, 1 << 20, shout, &others, &err), 0);
	assert_file("f", "+1!");
	assert_int_equal(symlinkat("nowhere/x", scratch.fd, "link"), 0);
	assert_int_equal(held_change(dangling, 1 << 20, refuse, NULL, &err), -1);
	assert_string_equal(err.text, "no");
}

static void
test_refused(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("f");
	bool exists;

	put("f", "12345");
	assert_int_equal(held_change(path, 4, leave, &exists, &err), -1);
	assert_int_equal(err.code, EFBIG);
	assert_int_equal(held_change(path, 5, refuse, NULL, &err), -1);
	assert_int_equal(held_change(scratch.path, 5, leave, &exists, &err), -1);
	assert_file("f", "12345");
}

static int
aside(struct held *h, void *ctx, struct buf *out, struct err *e)
{
	if (h->exists && held_aside(h, ctx, e) < 0)
		return -1;
	buf_adds(out, "new");
	return 0;
}

static void
test_aside(void **state UNUSED)
{
	AUTO_FREE char *path = path_of("f.json");
	AUTO_BUF moved = BUF_INIT;

	put("f.json", "old");
	assert_int_equal(held_change(path, 100, aside, &moved, &err), 0);
	assert_file("f.json", "new");
	assert_file(moved.data, "old");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    scratch_test(test_others_are_merged),
	    scratch_test(test_new_files),
	    scratch_test(test_refused),
	    scratch_test(test_aside),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
