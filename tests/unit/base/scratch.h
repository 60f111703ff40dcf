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

#define scratch_test(fn) cmocka_unit_test_setup_teardown(fn, scratch_setup, scratch_teardown)

#endif
