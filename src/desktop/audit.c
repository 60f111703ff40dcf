#include "desktop/audit.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/text.h"
#include <fcntl.h>
#include <limits.h>

#define LOG_DIR "ai/logs"
#define LOG_NAME "pc-automation.log"
#define SHOWN_MAX 50

static bool
desktop_audit_exists(const char *dir, const char *name)
{
	AUTO_FREE char *path = xasprintf("%s/%s", dir, name);

	return access(path, F_OK) == 0;
}

char *
audit_project(void)
{
	AUTO_FREE char *here = fs_absolute(".");
	AUTO_FREE char *dir = xstrdup(here);
	char *slash = dir;

	while (slash != NULL && !desktop_audit_exists(dir, "ai") &&
	       !desktop_audit_exists(dir, ".git")) {
		slash = strrchr(dir, '/');
		if (slash != NULL)
			*slash = '\0';
	}
	return xstrdup(slash == NULL ? here : dir);
}

int
audit_open(const char *project, struct err *err)
{
	AUTO_FREE char *path = xasprintf("%s/" LOG_DIR, project);
	AUTO_CLOSE int dir = -1;
	int fd = -1;

	if (fs_mkdirs(path, err) == 0)
		dir = fs_open_dir(AT_FDCWD, path, err);
	if (dir >= 0)
		fd = fs_open_append(dir, LOG_NAME, err);
	if (fd < 0)
		return err_prefix(err, "nothing was done, as it could not be logged");
	return fd;
}

void
audit_line(
    struct buf *out, int64_t wall, const char *action, const json_t *args, const char *error)
{
	buf_addc(out, '[');
	clock_fmt_rfc3339(wall, out);
	buf_addf(out, "] [%s] ", action);
	json_print(args, true, out);
	buf_adds(out, error == NULL ? " -> success" : " -> error: ");
	if (error != NULL)
		text_show(out, error, strlen(error), false);
}

/* Does the file end in the middle of a line?  It is open for appending alone. */
static bool
desktop_audit_is_torn(int fd)
{
	char path[64];
	char last = '\n';
	off_t size = lseek(fd, 0, SEEK_END);
	AUTO_CLOSE int in = -1;

	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	if (size > 0)
		in = open(path, O_RDONLY | O_CLOEXEC | O_NOCTTY);
	return in >= 0 && pread(in, &last, 1, size - 1) == 1 && last != '\n';
}

int
audit_append(int fd, const char *action, const json_t *args, const char *error, struct err *err)
{
	AUTO_BUF line = BUF_INIT;

	if (desktop_audit_is_torn(fd))
		buf_addc(&line, '\n');
	audit_line(&line, clock_wall(), action, args, error);
	buf_addc(&line, '\n');
	return fs_append(fd, LOG_NAME, line.data, line.len, FS_SYNC, err);
}

void
audit_typed(json_t *args, const char *typed, size_t len, bool text)
{
	size_t count = 0, cut = len, step;

	for (size_t i = 0; i<len; i += step> 0 ? step : 1) {
		uint32_t cp;

		step = utf8_decode(typed + i, len - i, &cp);
		if (count++ == SHOWN_MAX)
			cut = i;
	}
	(void)json_object_set_new(args, "length", json_integer((json_int_t)count));
	if (text)
		(void)json_object_set_new(args, "text", json_text(typed, cut));
}
