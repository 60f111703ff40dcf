#include "base/log.h"
#include "base/buf.h"
#include "base/clock.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>

enum { DEBUG_OFF = -1, DEBUG_UNKNOWN = -2 };

static char name[32] = "ralph";
static int debug_fd = DEBUG_UNKNOWN;

void
log_set_name(const char *argv0)
{
	if (argv0 != NULL && *basename(argv0))
		snprintf(name, sizeof(name), "%s", basename(argv0));
}

const char *
log_name(void)
{
	return name;
}

/* One write, so that lines of several processes do not mix. */
static void
log_write(int fd, struct buf *line)
{
	AUTO_BUF shown = BUF_INIT;
	ssize_t n;

	while (line->len > 0 && line->data[line->len - 1] == '\n')
		buf_truncate(line, line->len - 1);
	text_show(&shown, line->data, line->len, false);
	buf_addc(&shown, '\n');
	do {
		n = write(fd, shown.data, shown.len);
	} while (n < 0 && errno == EINTR);
}

PRINTF(2, 0)
static void
log_line(const char *kind, const char *fmt, va_list ap)
{
	AUTO_BUF line = BUF_INIT;
	int saved = errno;

	buf_addf(&line, "%s: %s: ", name, kind);
	buf_vaddf(&line, fmt, ap);
	log_write(STDERR_FILENO, &line);
	errno = saved;
}

void
error(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_line("error", fmt, ap);
	va_end(ap);
}

void
warning(const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_line("warning", fmt, ap);
	va_end(ap);
}

void
die(int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	log_line("error", fmt, ap);
	va_end(ap);
	exit(code);
}

static int
debug_open(void)
{
	const char *path = getenv("RALPH_DEBUG_LOG");
	int fd;

	if (path == NULL || !*path)
		return DEBUG_OFF;
	fd = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC | O_NOCTTY, 0600);
	return fd < 0 ? DEBUG_OFF : fd;
}

void
debug(const char *fmt, ...)
{
	AUTO_BUF line = BUF_INIT;
	int saved = errno;
	va_list ap;

	if (debug_fd == DEBUG_UNKNOWN) {
		debug_fd = debug_open();
		errno = saved;
	}
	if (debug_fd == DEBUG_OFF)
		return;
	clock_fmt_rfc3339(clock_wall(), &line);
	buf_addf(&line, " %s[%d]: ", name, (int)getpid());
	va_start(ap, fmt);
	buf_vaddf(&line, fmt, ap);
	va_end(ap);
	log_write(debug_fd, &line);
	errno = saved;
}

void
warning_lines(const char *text)
{
	while (text != NULL && *text != '\0') {
		size_t len = strcspn(text, "\n");

		warning("%.*s", (int)len, text);
		text += len + (text[len] == '\n');
	}
}
