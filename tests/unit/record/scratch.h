/*
 * scratch.h - a private directory for one test, and bytes in and out of it.
 */
#ifndef TESTS_RECORD_SCRATCH_H
#define TESTS_RECORD_SCRATCH_H

#include "base/alloc.h"
#include "base/fs.h"
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h> /* needs those above */

struct scratch {
	char path[256];
	int dir;
};

static inline void
scratch_open(struct scratch *s)
{
	const char *tmp = getenv("TMPDIR");

	snprintf(
	    s->path, sizeof(s->path), "%s/ralph-record-XXXXXX", tmp != NULL ? tmp : "/tmp");
	assert_non_null(mkdtemp(s->path));
	s->dir = open(s->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	assert_true(s->dir >= 0);
}

static inline void
scratch_close(struct scratch *s)
{
	struct err err = ERR_INIT;

	close(s->dir);
	if (fs_remove_tree(AT_FDCWD, s->path, &err) < 0)
		fail_msg("%s", err.text);
}

static inline void
scratch_write(const struct scratch *s, const char *name, const void *data, size_t len)
{
	int fd = openat(s->dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	assert_true(fd >= 0);
	assert_true(len == 0 || write(fd, data, len) == (ssize_t)len);
	close(fd);
}

/* The content of a file that must be there. */
static inline void
scratch_read(const struct scratch *s, const char *name, struct buf *out)
{
	struct err err = ERR_INIT;

	if (fs_read(s->dir, name, 64 * 1024 * 1024, out, &err) < 0)
		fail_msg("%s", err.text);
}

static inline bool
scratch_has(const struct scratch *s, const char *name)
{
	return faccessat(s->dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* How many names in `sub` contain `part`? */
static inline size_t
scratch_count(const struct scratch *s, const char *sub, const char *part)
{
	struct err err = ERR_INIT;
	size_t n = 0;
	char **names;

	assert_int_equal(fs_list(s->dir, sub, &names, &err), 0);
	for (size_t i = 0; names[i] != NULL; i++)
		n += strstr(names[i], part) != NULL;
	strlist_free(names);
	return n;
}

#endif
