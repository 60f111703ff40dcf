/*
 * scratch.h - a private directory for one test, removed with the test.
 */
#ifndef SCRATCH_H
#define SCRATCH_H

#include "base/fs.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

struct scratch {
	char path[256];
	int fd;
};

static struct scratch scratch;

static inline int
scratch_setup(void **state UNUSED)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(scratch.path, sizeof(scratch.path), "%s/ralph-unit.XXXXXX",
	    tmp != NULL ? tmp : "/tmp");
	if (mkdtemp(scratch.path) == NULL)
		return -1;
	scratch.fd = open(scratch.path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return scratch.fd < 0 ? -1 : 0;
}

static inline int
scratch_teardown(void **state UNUSED)
{
	struct err err = ERR_INIT;

	close(scratch.fd);
	return fs_remove_tree(AT_FDCWD, scratch.path, &err);
}

/* Writes the file in place, as an editor does that keeps the file. */
static inline void
scratch_put(const char *name, const char *text)
{
	int fd = openat(scratch.fd, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
}

static inline void
scratch_assert(const char *name, const char *expected)
{
	AUTO_BUF text = BUF_INIT;
	struct err err = ERR_INIT;

	assert_int_equal(fs_read(scratch.fd, name, 1 << 20, &text, &err), 0);
	assert_string_equal(text.data, expected);
}

#define scratch_test(fn) cmocka_unit_test_setup_teardown(fn, scratch_setup, scratch_teardown)

#endif
