/* Rows as text, as `tmux capture-pane -p` prints them. */
#include "term/internal.h"

/* Writes cp, a valid code point, as UTF-8; returns its length. */
size_t
utf8_put(char *out, uint32_t cp)
{
	static const uint8_t lead[] = {[1] = 0, [2] = 0xc0, [3] = 0xe0, [4] = 0xf0};
	size_t len = cp < 0x80 ? 1 : cp < 0x800 ? 2 : cp < 0x10000 ? 3 : 4;

	for (size_t i = len; i-- > 1; cp >>= 6)
		out[i] = (char)(0x80 | (cp & 0x3f));
	out[0] = (char)(lead[len] | cp);
	return len;
}

/* Writes the bytes of one cell to `out`, which has room for CLUSTER_BYTES. */
static size_t
cell_put(const struct term *t, const struct cell *c, char *out)
{
	if (c->ch & CH_PADDING)
		return 0;
	if (c->ch & CH_CLUSTER) {
		const struct cluster *slot = &t->clusters.slot[c->ch & CH_VALUE];

		memcpy(out, slot->bytes, slot->len);
		return slot->len;
	}
	return utf8_put(out, c->ch == 0 ? ' ' : c->ch & CH_VALUE);
}

void
cell_text(const struct term *t, const struct cell *c, struct buf *out)
{
	buf_reserve(out, CLUSTER_BYTES);
	out->len += cell_put(t, c, out->data + out->len);
	out->data[out->len] = '\0';
}

void
grid_row_text(const struct term *t, const struct grid_row *row, int cols, struct buf *out)
{
	size_t start = out->len, len = start;
	int n = row->used < cols ? row->used : cols;

	buf_reserve(out, (size_t)n * CLUSTER_BYTES);
	for (int x = 0; x < n; x++) {
		const struct cell *c = &row->cells[x];

		if (c->ch - 1 < 0x7f)
			out->data[len++] = (char)c->ch;
		else
			len += cell_put(t, c, out->data + len);
	}
	while (len > start && out->data[len - 1] == ' ')
		len--;
	out->len = len;
	out->data[len] = '\0';
}
