#include "base/buf.h"
#include "base/alloc.h"
#include "base/err.h"
#include <stdio.h>

#define BUF_MIN_CAP 64

/* Every empty buf points at this byte, which is shared and never written to. */
char buf_empty[1] = "";

void
buf_init(struct buf *b)
{
	*b = (struct buf)BUF_INIT;
}

void
buf_release(struct buf *b)
{
	if (b->cap > 0)
		free(b->data);
	buf_init(b);
}

void
buf_clear(struct buf *b)
{
	buf_truncate(b, 0);
}

void
buf_reserve(struct buf *b, size_t extra)
{
	size_t need, cap;

	if (b->cap > 0 && extra < b->cap - b->len)
		return;
	/* One more for the NUL; doubling below PTRDIFF_MAX cannot wrap. */
	ENSURE(extra < (size_t)PTRDIFF_MAX - b->len);
	need = b->len + extra + 1;
	cap = b->cap * 2 > BUF_MIN_CAP ? b->cap * 2 : BUF_MIN_CAP;
	if (cap < need)
		cap = need;
	b->data = xreallocarray(b->cap > 0 ? b->data : NULL, cap, 1);
	b->cap = cap;
	b->data[b->len] = '\0';
}

void
buf_add(struct buf *b, const void *data, size_t len)
{
	if (len == 0)
		return;
	buf_reserve(b, len);
	memcpy(b->data + b->len, data, len);
	b->len += len;
	b->data[b->len] = '\0';
}

void
buf_addc(struct buf *b, char c)
{
	buf_reserve(b, 1);
	b->data[b->len++] = c;
	b->data[b->len] = '\0';
}

void
buf_adds(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

void
buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(b, fmt, ap);
	va_end(ap);
}

void
buf_vaddf(struct buf *b, const char *fmt, va_list ap)
{
	va_list again;
	int n;

	/* Most texts fit into what a first reservation gives; one pass then. */
	buf_reserve(b, BUF_MIN_CAP - 1);
	va_copy(again, ap);
	n = vsnprintf(b->data + b->len, b->cap - b->len, fmt, ap);
	ENSURE(n >= 0);
	if ((size_t)n >= b->cap - b->len) {
		buf_reserve(b, (size_t)n);
		n = vsnprintf(b->data + b->len, b->cap - b->len, fmt, again);
		ENSURE(n >= 0);
	}
	va_end(again);
	b->len += (size_t)n;
}

void
buf_addrune(struct buf *b, uint32_t codepoint)
{
	uint32_t cp = codepoint;
	unsigned char out[4];
	size_t n = 0;

	if (cp > 0x10FFFF || (cp >= 0xD800 && cp <= 0xDFFF))
		cp = 0xFFFD;
	if (cp < 0x80) {
		out[n++] = (unsigned char)cp;
	} else if (cp < 0x800) {
		out[n++] = (unsigned char)(0xC0 | cp >> 6);
	} else if (cp < 0x10000) {
		out[n++] = (unsigned char)(0xE0 | cp >> 12);
		out[n++] = (unsigned char)(0x80 | (cp >> 6 & 0x3F));
	} else {
		out[n++] = (unsigned char)(0xF0 | cp >> 18);
		out[n++] = (unsigned char)(0x80 | (cp >> 12 & 0x3F));
		out[n++] = (unsigned char)(0x80 | (cp >> 6 & 0x3F));
	}
	if (cp >= 0x80)
		out[n++] = (unsigned char)(0x80 | (cp & 0x3F));
	buf_add(b, out, n);
}

const char *
buf_next(const struct buf *b, const char *at)
{
	const char *next = at != NULL ? at + strlen(at) + 1 : b->data;

	return next < b->data + b->len ? next : NULL;
}

void
buf_drop(struct buf *b, size_t n)
{
	ENSURE(n <= b->len);
	if (n == 0)
		return;
	b->len -= n;
	memmove(b->data, b->data + n, b->len + 1);
}

void
buf_truncate(struct buf *b, size_t len)
{
	ENSURE(len <= b->len);
	if (b->cap == 0)
		return;
	b->len = len;
	b->data[len] = '\0';
}

void
buf_one_line(struct buf *b)
{
	for (size_t i = 0; i < b->len; i++)
		if (b->data[i] == '\n')
			b->data[i] = ' ';
}

char *
buf_detach(struct buf *b)
{
	char *out = b->cap > 0 ? b->data : xstrdup("");

	buf_init(b);
	return out;
}

bool
buf_same(const struct buf *a, const struct buf *b)
{
	return a->len == b->len && memcmp(a->data, b->data, a->len) == 0;
}
