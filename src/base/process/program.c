#include "base/process/program.h"

#include "base/alloc.h"
#include "base/buf.h"
#include "base/err.h"
#include "base/fs.h"
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#define USUAL_PATH "/usr/local/bin:/usr/bin:/bin"
#define PATH_LONGEST ((size_t)4096)

/* The path of an open file, without links, as the kernel has it; NULL when it does not tell. */
static char *
program_path_of(int fd)
{
	AUTO_FREE char *link = xasprintf("/proc/self/fd/%d", fd);
	AUTO_BUF path = BUF_INIT;
	ssize_t n;

	buf_reserve(&path, PATH_LONGEST);
	n = readlink(link, path.data, PATH_LONGEST - 1);
	if (n <= 0)
		return NULL;
	path.len = (size_t)n;
	path.data[n] = '\0';
	return buf_detach(&path);
}

int
program_open(struct program *p, const char *path)
{
	struct stat st;

	p->fd = open(path, O_PATH | O_CLOEXEC);
	if (p->fd < 0)
		return -1;
	ENSURE(fstat(p->fd, &st) == 0);
	p->path = program_path_of(p->fd);
	p->dev = st.st_dev;
	p->ino = st.st_ino;
	p->holder = getpid();
	return 0;
}

static bool
is_it(const struct program *p, const struct stat *st)
{
	return st->st_dev == p->dev && st->st_ino == p->ino;
}

char *
program_name(struct program *p)
{
	struct stat st;

	if (fstat(p->fd, &st) == 0 && is_it(p, &st))
		p->holder = getpid();
	if (p->path != NULL && stat(p->path, &st) == 0 && is_it(p, &st))
		return xstrdup(p->path);
	return xasprintf("/proc/%d/fd/%d", (int)p->holder, p->fd);
}

struct program *
program_self(void)
{
	static struct program self = {.fd = -1};

	if (self.fd < 0 && program_open(&self, "/proc/self/exe") < 0)
		return NULL;
	return &self;
}

char *
program_beside(const char *name)
{
	const struct program *self = program_self();
	AUTO_FREE char *dir = self == NULL || self->path == NULL ? NULL : fs_parent(self->path);

	return dir == NULL ? NULL : xasprintf("%s/%s", dir, name);
}

/* ---- PATH ---------------------------------------------------------------------------- */

char **
program_dirs(const char *path)
{
	AUTO_FREE char *copy = xstrdup(path != NULL ? path : USUAL_PATH);
	char **dirs = NULL, *rest = copy;
	const char *dir;

	while ((dir = strsep(&rest, ":")) != NULL)
		dirs = strlist_add(dirs, *dir != '\0' ? dir : ".");
	return dirs;
}

char *
program_find(const char *name)
{
	AUTO_STRLIST dirs = program_dirs(getenv("PATH"));

	for (size_t i = 0; dirs[i] != NULL; i++) {
		AUTO_FREE char *file = xasprintf("%s/%s", dirs[i], name);

		if (program_is(file))
			return take_ptr(file);
	}
	return NULL;
}

bool
program_is(const char *file)
{
	struct stat st;

	return stat(file, &st) == 0 && S_ISREG(st.st_mode) && access(file, X_OK) == 0;
}
