/*
 * compiler.h - the few attributes and macros every file may use.
 *
 * Include it first.  It also turns the C library's most dangerous functions
 * into compile errors; buf, child and fs are what to use instead.
 */
#ifndef BASE_COMPILER_H
#define BASE_COMPILER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h> /* this and time.h: declare before the names are poisoned */
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define NODISCARD __attribute__((warn_unused_result))
#define PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define NORETURN __attribute__((noreturn))
#define UNUSED __attribute__((unused))

#define ARRAY_LEN(a) (sizeof(a) / sizeof((a)[0]))

/* Scoped ownership: the variable is released when it goes out of scope. */
#define AUTO(release) __attribute__((cleanup(release)))
#define AUTO_FREE __attribute__((cleanup(auto_free_fn)))
#define AUTO_CLOSE __attribute__((cleanup(auto_close_fn)))

static inline void
auto_free_fn(void *p)
{
	void *ptr;

	memcpy(&ptr, p, sizeof(ptr));
	free(ptr);
}

/* Closes keep errno, so that a cleanup never hides the cause of a failure. */
void auto_close_fn(int *fd);

/* Hand a resource out and disarm its cleanup. */
static inline int
take_fd(int *fd)
{
	int out = *fd;

	*fd = -1;
	return out;
}

#define take_ptr(p)                       \
	__extension__({                   \
		__typeof__(p) out_ = (p); \
		(p) = NULL;               \
		out_;                     \
	})

/* The fortified headers have these as macros, which cannot be poisoned. */
#undef sprintf
#undef vsprintf
#pragma GCC poison strcpy strcat sprintf vsprintf strtok gets popen atoi atol
#pragma GCC poison system localtime gmtime asctime ctime tmpnam mktemp

#endif
