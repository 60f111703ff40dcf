/*
 * Any way of cutting a stream into chunks gives the same lines, and what
 * comes out is text: no control characters but tabs, no line over the limit.
 * The first byte seeds the cutting, the rest is the stream.
 */
#include "watch/lines.h"

#include "base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
collect(void *ctx, const char *line, size_t len)
{
	struct buf *out = ctx;

	ENSURE(len <= LINES_MAX);
	for (size_t i = 0; i < len; i++)
		ENSURE(((unsigned char)line[i] >= 0x20 && line[i] != 0x7f) || line[i] == '\t');
	buf_add(out, line, len);
	buf_addc(out, '\n');
}

static void
feed(const char *data, size_t len, unsigned seed, struct buf *out)
{
	struct lines l;

	lines_init(&l, collect, out);
	for (size_t i = 0, n; i < len; i += n) {
		seed = seed * 1103515245u + 12345u;
		n = seed % 3 ? 1 + (seed >> 16) % 9 : 1 + (seed >> 8) % 70000;
		n = n < len - i ? n : len - i;
		lines_feed(&l, data + i, n);
		ENSURE(l.partial.len <= LINES_MAX);
	}
	lines_flush(&l);
	lines_release(&l);
}

static void
feed_whole(const char *data, size_t len, struct buf *out)
{
	struct lines l;

	lines_init(&l, collect, out);
	lines_feed(&l, data, len);
	lines_flush(&l);
	lines_release(&l);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_BUF stream = BUF_INIT;
	AUTO_BUF whole = BUF_INIT;
	AUTO_BUF cut = BUF_INIT;

	if (size == 0)
		return 0;
	/* Repeated, so that small inputs reach the limit of a line as well. */
	for (unsigned i = 0; i < (data[0] >= 0xfc ? 2 * LINES_MAX / size + 1 : 1); i++)
		buf_add(&stream, data + 1, size - 1);
	feed_whole(stream.data, stream.len, &whole);
	feed(stream.data, stream.len, data[0], &cut);
	ENSURE(whole.len == cut.len);
	ENSURE(memcmp(whole.data, cut.data, whole.len) == 0);
	return 0;
}
