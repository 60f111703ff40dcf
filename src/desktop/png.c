#include "desktop/png.h"

#include "base/alloc.h"
#include <zlib.h>

#define SIDE_MAX 65535U
/* Screens are flat colour for the most part: more effort costs time and wins nothing. */
#define LEVEL 3

static void
add_be32(struct buf *out, uint32_t v)
{
	unsigned char b[4] = {(unsigned char)(v >> 24), (unsigned char)(v >> 16),
	    (unsigned char)(v >> 8), (unsigned char)v};

	buf_add(out, b, sizeof(b));
}

/* Length, type, data, and the checksum of type and data. */
static void
add_chunk(struct buf *out, const char type[static 4], const void *data, size_t len)
{
	size_t start;

	add_be32(out, (uint32_t)len);
	start = out->len;
	buf_add(out, type, 4);
	buf_add(out, data, len);
	add_be32(out, (uint32_t)crc32_z(0, (const Bytef *)out->data + start, out->len - start));
}

static int
deflate_rows(z_stream *z, uint32_t width, uint32_t height, png_row_fn *row, const void *ctx,
    struct buf *out)
{
	size_t size = 1 + (size_t)width * 3;
	AUTO_FREE unsigned char *line = xmalloc(size);
	int rc = Z_OK;

	line[0] = 0; /* no filter */
	for (uint32_t y = 0; y < height; y++) {
		int flush = y + 1 < height ? Z_NO_FLUSH : Z_FINISH;

		row(ctx, y, line + 1);
		z->next_in = line;
		z->avail_in = (uInt)size;
		do {
			buf_reserve(out, 65536);
			z->next_out = (Bytef *)out->data + out->len;
			z->avail_out = 65536;
			rc = deflate(z, flush);
			out->len += 65536 - z->avail_out;
		} while (z->avail_out == 0);
	}
	return rc == Z_STREAM_END ? 0 : -1;
}

int
png_encode(uint32_t width, uint32_t height, png_row_fn *row, const void *ctx, struct buf *out,
    struct err *err)
{
	static const unsigned char signature[] = {0x89, 'P', 'N', 'G', '\r', '\n', 0x1a, '\n'};
	/* Bit depth 8, colour type 2 (RGB), deflate, no filter, not interlaced. */
	static const unsigned char kind[] = {8, 2, 0, 0, 0};
	AUTO_BUF head = BUF_INIT;
	AUTO_BUF pixels = BUF_INIT;
	z_stream z = {0};
	int rc;

	if (width == 0 || height == 0 || width > SIDE_MAX || height > SIDE_MAX)
		return err_set(
		    err, "a picture of %u by %u pixels cannot be written", width, height);
	if (deflateInit(&z, LEVEL) != Z_OK)
		return err_set(err, "the picture cannot be compressed");
	rc = deflate_rows(&z, width, height, row, ctx, &pixels);
	(void)deflateEnd(&z);
	if (rc < 0 || pixels.len > INT32_MAX)
		return err_set(err, "the picture cannot be compressed");
	add_be32(&head, width);
	add_be32(&head, height);
	buf_add(&head, kind, sizeof(kind));
	buf_add(out, signature, sizeof(signature));
	add_chunk(out, "IHDR", head.data, head.len);
	add_chunk(out, "IDAT", pixels.data, pixels.len);
	add_chunk(out, "IEND", "", 0);
	return 0;
}
