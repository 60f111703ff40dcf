#include "base/err.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>

/* A sentence cut by the end of the buffer must not end inside a character. */
static void
err_trim(char *text, size_t size, int written)
{
	size_t end = size - 1;

	if (written < 0 || (size_t)written < size)
		return;
	while (end > 0 && ((unsigned char)text[end - 1] & 0xC0) == 0x80)
		end--;
	if (end > 0 && ((unsigned char)text[end - 1] & 0xC0) == 0xC0)
		end--;
	text[end] = '\0';
}

int
err_set(struct err *err, const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list ap;
	int n;

	if (!err)
		return -1;
	/* Through a copy: the arguments may point into the err itself. */
	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	err_trim(text, sizeof(text), n);
	memcpy(err->text, text, sizeof(text));
	err->code = 0;
	return -1;
}

int
err_errno(struct err *err, const char *fmt, ...)
{
	char text[sizeof(err->text)];
	int code = errno;
	va_list ap;
	int n;

	if (!err)
		return -1;
	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	err_trim(text, sizeof(text), n);
	err_set(err, "%s: %s", text, strerror(code));
	err->code = code;
	errno = code;
	return -1;
}

int
err_prefix(struct err *err, const char *fmt, ...)
{
	char text[sizeof(err->text)];
	va_list ap;
	int code, n;

	if (!err)
		return -1;
	va_start(ap, fmt);
	n = vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	err_trim(text, sizeof(text), n);
	code = err->code;
	err_set(err, "%s: %s", text, err->text);
	err->code = code;
	return -1;
}

void
bug_fn(const char *file, int line, const char *fmt, ...)
{
	char text[512];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	dprintf(STDERR_FILENO, "BUG: %s:%d: %s\n", file, line, text);
	abort();
}
