/*
 * Any way of cutting a transcript into chunks gives the same lines, and what comes out
 * is text.  The first byte seeds the cutting, the rest is the file.
 */
#include "watch/transcript.h"

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

/* Seed 0: in one piece. */
static size_t
feed(const char *data, size_t len, unsigned seed, struct buf *out)
{
	struct transcript t;
	size_t turns;

	transcript_init(&t, collect, out);
	for (size_t i = 0, n; i < len; i += n) {
		n = len - i;
		if (seed) {
			seed = seed * 1103515245u + 12345u;
			n = 1 + (seed >> 16) % 29;
			n = n < len - i ? n : len - i;
		}
		transcript_feed(&t, data + i, n);
		ENSURE(t.partial.len <= TRANSCRIPT_LINE_MAX);
	}
	turns = t.turns;
	transcript_release(&t);
	return turns;
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF whole = BUF_INIT;
	AUTO_BUF cut = BUF_INIT;

	if (size == 0)
		return 0;
	buf_add(&text, data + 1, size - 1);
	ENSURE(feed(text.data, text.len, 0, &whole) ==
	       feed(text.data, text.len, data[0] + 1u, &cut));
	ENSURE(whole.len == cut.len);
	ENSURE(memcmp(whole.data, cut.data, whole.len) == 0);
	return 0;
}
