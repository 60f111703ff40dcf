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

/* Through a copy: the arguments may point into the err itself. */
PRINTF(3, 0)
static void
err_fill(struct err *err, int code, const char *fmt, va_list ap)
{
	struct err made = {.code = code};

	err_trim(
	    made.text, sizeof(made.text), vsnprintf(made.text, sizeof(made.text), fmt, ap));
	if (err != NULL)
		*err = made;
}

int
err_set(struct err *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_fill(err, 0, fmt, ap);
	va_end(ap);
	return -1;
}

int
err_code(struct err *err, int code, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_fill(err, code, fmt, ap);
	va_end(ap);
	errno = code;
	return -1;
}

int
err_errno(struct err *err, const char *fmt, ...)
{
	struct err what;
	int code = errno;
	va_list ap;

	va_start(ap, fmt);
	err_fill(&what, 0, fmt, ap);
	va_end(ap);
	return err_code(err, code, "%s: %s", what.text, strerror(code));
}

int
err_prefix(struct err *err, const char *fmt, ...)
{
	struct err what;
	va_list ap;

	if (err == NULL)
		return -1;
	va_start(ap, fmt);
	err_fill(&what, 0, fmt, ap);
	va_end(ap);
	(void)err_set(&what, "%s: %s", what.text, err->text);
	memcpy(err->text, what.text, sizeof(err->text));
	return -1;
}

int
err_pass(struct err *err, const struct err *why)
{
	if (err != NULL)
		*err = *why;
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
