#include "record/owner.h"
#include "base/fs.h"
#include "base/text.h"
#include "record/value.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <unistd.h>

int
owner_refuse(const char *path, unsigned owner, struct err *err)
{
	AUTO_BUF shown = BUF_INIT;

	text_show(&shown, path, strlen(path), false);
	return err_code(err, EPERM,
	    "%s belongs to another user (uid %u; this is uid %u), who could have commands run "
	    "here: give it to this one, or set RALPH_HOME to a directory of your own",
	    shown.data, owner, (unsigned)geteuid());
}

/* For sentences only: the file may have another name by now. */
static void
owner_path_of(int fd, const char *name, char path[PATH_MAX])
{
	char link[64];
	ssize_t n;

	(void)snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
	n = readlink(link, path, PATH_MAX - 1);
	if (n > 0)
		path[n] = '\0';
	else
		(void)snprintf(path, PATH_MAX, "%s", name);
}

int
owner_check(int fd, const char *name, struct err *err)
{
	char path[PATH_MAX];
	struct stat st;

	if (fstat(fd, &st) < 0)
		return err_errno(err, "cannot look at %s", name);
	if (st.st_uid == geteuid())
		return 0;
	owner_path_of(fd, name, path);
	return owner_refuse(path, st.st_uid, err);
}

int
owner_read(int dirfd, const char *name, size_t max, struct buf *out, struct err *err)
{
	AUTO_CLOSE int fd = openat(dirfd, name, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);

	if (fd < 0)
		return err_errno(err, "cannot open %s", name);
	return owner_check(fd, name, err) < 0 ? -1 : fs_read_fd(fd, name, max, out, err);
}
