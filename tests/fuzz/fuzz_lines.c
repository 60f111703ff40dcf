/*
 * Any way of cutting a stream into chunks gives the same lines, and what
 * comes out is text: no control characters but tabs, no line over the limit.
 * The first byte seeds the cutting, the rest is the stream.  With a first byte over 0x7f the
 * limit is so low that small inputs reach it, too.
 */
#include "watch/lines.h"

#include "base/err.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LOW_MAX 24
#define LOW_OVERLAP 8

struct seen {
	struct buf text;
	size_t max;
};

static void
collect(void *ctx, const char *line, size_t len)
{
	struct seen *seen = ctx;

	ENSURE(len <= seen->max);
	for (size_t i = 0; i < len; i++)
		ENSURE(((unsigned char)line[i] >= 0x20 && line[i] != 0x7f) || line[i] == '\t');
	buf_add(&seen->text, line, len);
	buf_addc(&seen->text, '\n');
}

static void
begin(struct lines *l, bool low, struct seen *seen)
{
	lines_init(l, collect, seen);
	if (low) {
		l->max = LOW_MAX;
		l->overlap = LOW_OVERLAP;
	}
	seen->max = l->max;
}

static void
feed(const char *data, size_t len, unsigned seed, struct seen *seen)
{
	struct lines l;

	begin(&l, seed > 0x7f, seen);
	for (size_t i = 0, n; i < len; i += n) {
		seed = seed * 1103515245u + 12345u;
		n = seed % 3 ? 1 + (seed >> 16) % 9 : 1 + (seed >> 8) % 700;
		n = n < len - i ? n : len - i;
		lines_feed(&l, data + i, n);
		ENSURE(l.partial.len <= l.max);
	}
	lines_flush(&l);
	lines_release(&l);
}

static void
feed_whole(const char *data, size_t len, bool low, struct seen *seen)
{
	struct lines l;

	begin(&l, low, seen);
	lines_feed(&l, data, len);
	lines_flush(&l);
	lines_release(&l);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen whole = {.text = BUF_INIT}, cut = {.text = BUF_INIT};

	if (size == 0)
		return 0;
	feed_whole((const char *)data + 1, size - 1, data[0] > 0x7f, &whole);
	feed((const char *)data + 1, size - 1, data[0], &cut);
	ENSURE(whole.text.len == cut.text.len);
	ENSURE(memcmp(whole.text.data, cut.text.data, whole.text.len) == 0);
	buf_release(&whole.text);
	buf_release(&cut.text);
	return 0;
}
