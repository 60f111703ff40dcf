#include "base/alloc.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/mman.h>

/* Written with write(2) alone: there is no memory left for anything else. */
NORETURN static void
alloc_failed(void)
{
	static const char text[] = "ralph: error: out of memory\n";
	ssize_t n = write(STDERR_FILENO, text, sizeof(text) - 1);

	(void)n;
	abort();
}

static void *
alloc_check(void *ptr)
{
	if (ptr == NULL)
		alloc_failed();
	return ptr;
}

void *
xmalloc(size_t size)
{
	/* malloc(0) may return NULL, which would look like a failure. */
	return alloc_check(malloc(size ? size : 1));
}

void *
xcalloc(size_t count, size_t size)
{
	if (count == 0 || size == 0)
		count = size = 1;
	return alloc_check(calloc(count, size));
}

#ifdef __SANITIZE_ADDRESS__

/* A sanitizer looks after the bytes around each allocation, and follows the pointers in it. */
void *
xpages(size_t size)
{
	return xcalloc(1, size);
}

void
xpages_free(void *ptr, size_t size UNUSED)
{
	free(ptr);
}

#else

void *
xpages(size_t size)
{
	void *ptr =
	    mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	return alloc_check(ptr == MAP_FAILED ? NULL : ptr);
}

void
xpages_free(void *ptr, size_t size)
{
	if (ptr != NULL)
		(void)munmap(ptr, size);
}

#endif

void *
xreallocarray(void *ptr, size_t count, size_t size)
{
	/* A size of zero would free the block and return NULL. */
	if (count == 0 || size == 0)
		count = size = 1;
	return alloc_check(reallocarray(ptr, count, size));
}

void *
xgrow(void *list, size_t len, size_t *cap, size_t size)
{
	if (len < *cap)
		return list;
	*cap = *cap > 0 ? *cap * 2 : 16;
	return xreallocarray(list, *cap, size);
}

char *
xstrdup(const char *s)
{
	return alloc_check(strdup(s));
}

char *
xstrndup(const char *s, size_t n)
{
	return alloc_check(strndup(s, n));
}

char *
xasprintf(const char *fmt, ...)
{
	char *out;
	va_list ap;
	int n;

	va_start(ap, fmt);
	n = vasprintf(&out, fmt, ap);
	va_end(ap);
	if (n < 0)
		alloc_failed();
	return out;
}

char **
strlist_dup(char *const *list)
{
	size_t n = strlist_len(list);
	char **copy;

	if (list == NULL)
		return NULL;
	copy = xcalloc(n + 1, sizeof(*copy));
	for (size_t i = 0; i < n; i++)
		copy[i] = xstrdup(list[i]);
	return copy;
}

char **
strlist_add(char **list, const char *s)
{
	size_t n = strlist_len(list);

	list = xreallocarray(list, n + 2, sizeof(*list));
	list[n] = xstrdup(s);
	list[n + 1] = NULL;
	return list;
}

size_t
strlist_len(char *const *list)
{
	size_t n = 0;

	while (list != NULL && list[n] != NULL)
		n++;
	return n;
}

bool
strlist_has(char *const *list, const char *s)
{
	for (; list != NULL && *list != NULL; list++)
		if (strcmp(*list, s) == 0)
			return true;
	return false;
}

void
strlist_free(char **list)
{
	for (size_t i = 0; list != NULL && list[i] != NULL; i++)
		free(list[i]);
	free(list);
}

int
strlist_compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

const char *
strlist_value(char *const *list, const char *name)
{
	size_t len = strlen(name);

	for (; list != NULL && *list != NULL; list++)
		if (strncmp(*list, name, len) == 0 && (*list)[len] == '=')
			return *list + len + 1;
	return NULL;
}

void
auto_strlist_fn(char ***list)
{
	strlist_free(*list);
}

char **
strlist_more(char **list, const char *const *more)
{
	for (; more != NULL && *more != NULL; more++)
		list = strlist_add(list, *more);
	return list;
}

void
xstrset(char **at, const char *by)
{
	char *copy = by != NULL ? xstrdup(by) : NULL;

	free(*at);
	*at = copy;
}

void
auto_close_fn(int *fd)
{
	int saved = errno;

	if (*fd >= 0)
		close(*fd);
	*fd = -1;
	errno = saved;
}
