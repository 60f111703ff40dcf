#include "base/fs.h"

#include "base/alloc.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/sendfile.h>

int
fs_copy_file(int from, int to, const char *name, struct err *err)
{
	AUTO_CLOSE int in = openat(from, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	AUTO_CLOSE int out = -1;
	struct stat st;
	ssize_t n = 0;

	if (in >= 0 && fstat(in, &st) == 0 && fs_fault("copy", name) == 0)
		out = openat(
		    to, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, st.st_mode & 0777);
	while (out >= 0 && (n = sendfile(out, in, NULL, SSIZE_MAX & ~(ssize_t)4095)) > 0)
		;
	return out < 0 || n < 0 ? err_errno(err, "cannot copy %s", name) : 0;
}

int
fs_copy_link(int from, int to, const char *name, struct err *err)
{
	char target[PATH_MAX];
	ssize_t n = readlinkat(from, name, target, sizeof(target) - 1);

	if (n < 0)
		return err_errno(err, "cannot copy %s", name);
	target[n] = '\0';
	return fs_fault("symlink", name) < 0 || symlinkat(target, to, name) < 0
		   ? err_errno(err, "cannot copy %s", name)
		   : 0;
}

int
fs_copy_dir(int to, const char *name, struct err *err)
{
	if (fs_fault("mkdir", name) == 0 && mkdirat(to, name, 0777) == 0)
		return 0;
	return errno == EEXIST ? 0 : err_errno(err, "cannot copy %s", name);
}
