/*
 * buf.h - a growing byte string.
 *
 * `data` is never NULL after BUF_INIT and always has a NUL at data[len], so a
 * buf without embedded NULs can be used as a C string.  A zero-initialised
 * struct is NOT valid; use BUF_INIT.  buf_detach is the only way to take the
 * memory out; buf_release frees it and leaves a valid empty buf.
 */
#ifndef BASE_BUF_H
#define BASE_BUF_H

#include "base/compiler.h"
#include <stdarg.h>

struct buf {
	char *data;
	size_t len;
	size_t cap; /* 0 while data points at the shared empty string */
};

extern char buf_empty[];
#define BUF_INIT                \
	{                       \
		buf_empty, 0, 0 \
	}
#define AUTO_BUF __attribute__((cleanup(buf_release))) struct buf

void buf_init(struct buf *b);
void buf_release(struct buf *b);
void buf_clear(struct buf *b);		       /* len = 0, keeps the memory */
void buf_reserve(struct buf *b, size_t extra); /* room for extra more bytes */
void buf_add(struct buf *b, const void *data, size_t len);
void buf_addc(struct buf *b, char c);
void buf_adds(struct buf *b, const char *s);
void buf_addf(struct buf *b, const char *fmt, ...) PRINTF(2, 3);
void buf_vaddf(struct buf *b, const char *fmt, va_list ap) PRINTF(2, 0);
void buf_addrune(struct buf *b, uint32_t codepoint); /* UTF-8; invalid ones become U+FFFD */
/* Of strings that each end with a NUL: returns the one behind `at` (NULL: the first), or NULL
 * at the end. */
const char *buf_next(const struct buf *b, const char *at);
void buf_drop(struct buf *b, size_t n); /* removes the first n bytes */
void buf_truncate(struct buf *b, size_t len);
void buf_one_line(struct buf *b); /* line ends become blanks */
bool buf_same(const struct buf *a, const struct buf *b);
char *buf_detach(struct buf *b) NODISCARD; /* never NULL; caller frees */

#endif
