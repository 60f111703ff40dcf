/*
 * scratch.h - a directory of a fuzz target's own: in memory where that can be, for what is
 * driven syncs what it writes, thousands of times; and gone with the process.
 *
 * One a program; `scratch_path` is its name.
 */
#ifndef FUZZ_SCRATCH_H
#define FUZZ_SCRATCH_H

#include "base/alloc.h"
#include "base/err.h"
#include "base/fs.h"
#include <fcntl.h>

static char scratch_path[256];

static void
scratch_remove(void)
{
	(void)!fs_remove_tree(AT_FDCWD, scratch_path, NULL);
}

static inline int
scratch_open(const char *name)
{
	const char *tmp = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : getenv("TMPDIR");
	int dir;

	(void)snprintf(scratch_path, sizeof(scratch_path), "%s/fuzz-%s-XXXXXX",
	    tmp != NULL ? tmp : "/tmp", name);
	ENSURE(mkdtemp(scratch_path));
	dir = open(scratch_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	ENSURE(dir >= 0);
	atexit(scratch_remove);
	return dir;
}

/* The file is this, and it does not matter how it became so. */
static inline void
scratch_put(int dir, const char *name, const void *data, size_t len)
{
	AUTO_CLOSE int fd = openat(dir, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	ENSURE(fd >= 0 && (len == 0 || write(fd, data, len) == (ssize_t)len));
}

/* Takes away whatever is there. */
static inline void
scratch_empty(int dir)
{
	char **names;

	ENSURE(fs_list(dir, ".", &names, NULL) == 0);
	for (size_t i = 0; names[i] != NULL; i++)
		ENSURE(fs_unlink(dir, names[i], NULL) == 0);
	strlist_free(names);
}

#endif
