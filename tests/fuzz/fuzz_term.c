/*
 * fuzz_term - any bytes, any cuts, any sizes.
 *
 * Checked of every input: fed whole or byte by byte the screen, the lines out and the
 * answers are the same; the cached hash is the hash; a repaint shows the same text in a
 * fresh terminal; a filtered stream asks nothing.
 */
#include "base/err.h"
#include "term/internal.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct seen {
	struct buf out;
	struct buf replies;
};

static void
line_out(void *ctx, const char *text, size_t len, bool wrapped)
{
	struct seen *seen = ctx;

	buf_add(&seen->out, text, len);
	buf_addc(&seen->out, wrapped ? '\\' : '\n');
}

static void
reply(void *ctx, const char *data, size_t len)
{
	buf_add(&((struct seen *)ctx)->replies, data, len);
}

static struct term *
term_seen(int rows, int cols, struct seen *seen)
{
	struct term_callbacks cb = {.reply = reply, .line_out = line_out, .ctx = seen};

	return term_new(rows, cols, &cb);
}

static void
same(const struct buf *a, const struct buf *b)
{
	ENSURE(a->len == b->len && memcmp(a->data, b->data, a->len) == 0);
}

static void
same_screen(struct term *a, struct term *b)
{
	AUTO_BUF x = BUF_INIT;
	AUTO_BUF y = BUF_INIT;
	int ar, ac, br, bc;

	term_text(a, &x);
	term_text(b, &y);
	same(&x, &y);
	term_cursor(a, &ar, &ac);
	term_cursor(b, &br, &bc);
	ENSURE(ar == br && ac == bc);
	ENSURE(term_modes(a) == term_modes(b));
	ENSURE(term_text_hash(a) == term_text_hash(b));
}

/* Half a wide character has no bytes that draw it. */
static bool
has_halves(const struct term *t)
{
	for (int y = 0; y < t->rows; y++) {
		const struct grid_row *row = grid_row(t->grid, y);

		for (int x = 0; x < t->cols; x++) {
			bool wide = row->cells[x].ch & CH_WIDE;
			bool padded = x + 1 < t->cols && row->cells[x + 1].ch & CH_PADDING;

			if (wide != padded || (x == 0 && row->cells[x].ch & CH_PADDING))
				return true;
		}
	}
	return false;
}

/* A cell with so many marks that its joiner or the last mark found no room comes out
 * different when typed again. */
static bool
has_joiners(const struct term *t)
{
	for (uint32_t i = 0; i < t->clusters.count; i++) {
		const struct cluster *c = &t->clusters.slot[i];

		if (c->len > 0 && memmem(c->bytes, c->len, "\342\200\215", 3) != NULL)
			return true;
	}
	return false;
}

static void
check_repaint(struct term *t)
{
	struct seen seen = {BUF_INIT, BUF_INIT};
	struct term *fresh = term_seen(term_rows(t), term_cols(t), &seen);
	AUTO_BUF bytes = BUF_INIT;
	AUTO_BUF was = BUF_INIT;
	AUTO_BUF is = BUF_INIT;

	term_repaint(t, &bytes);
	term_feed(fresh, bytes.data, bytes.len);
	term_text(t, &was);
	term_text(fresh, &is);
	if (!has_halves(t) && !has_joiners(t)) {
		same(&was, &is);
		ENSURE((term_modes(t) & ~(unsigned)TERM_MODE_SYNC) == term_modes(fresh));
		ENSURE(strcmp(t->title, fresh->title) == 0);
	}
	ENSURE(seen.replies.len == 0);
	buf_clear(&bytes);
	term_leave(t, &bytes);
	term_feed(fresh, bytes.data, bytes.len);
	ENSURE(term_modes(fresh) == TERM_MODE_WRAP);
	term_free(fresh);
	buf_release(&seen.out);
	buf_release(&seen.replies);
}

static void
check_filter(const char *data, size_t size)
{
	struct seen seen = {BUF_INIT, BUF_INIT};
	struct term *t = term_seen(24, 80, &seen);
	struct term_filter whole = TERM_FILTER_INIT, cut = TERM_FILTER_INIT;
	AUTO_BUF out = BUF_INIT;
	AUTO_BUF out_cut = BUF_INIT;

	term_filter(&whole, data, size, &out);
	for (size_t i = 0; i < size; i++)
		term_filter(&cut, data + i, 1, &out_cut);
	same(&out, &out_cut);
	term_feed(t, out.data, out.len);
	ENSURE(seen.replies.len == 0);
	term_free(t);
	term_filter_release(&whole);
	term_filter_release(&cut);
	buf_release(&seen.out);
	buf_release(&seen.replies);
}

/* A byte 0xff resizes: it is no character in any encoding of ours. */
static void
feed_resizing(struct term *t, const char *data, size_t size, bool whole)
{
	size_t at = 0;

	while (at < size) {
		const char *end = memchr(data + at, 0xff, size - at);
		size_t n = end == NULL ? size - at : (size_t)(end - data) - at;

		if (whole)
			term_feed(t, data + at, n);
		for (size_t i = 0; !whole && i < n; i++)
			term_feed(t, data + at + i, 1);
		at += n;
		if (at + 2 < size) {
			term_resize(
			    t, (uint8_t)data[at + 1] % 50 + 1, (uint8_t)data[at + 2] % 100 + 2);
			at += 3;
		} else {
			at = size;
		}
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct seen a = {BUF_INIT, BUF_INIT}, b = {BUF_INIT, BUF_INIT};
	const char *bytes = (const char *)data;
	struct term *whole, *cut;

	if (size < 2)
		return 0;
	whole = term_seen(data[0] % 40, data[1] % 90, &a);
	cut = term_seen(data[0] % 40, data[1] % 90, &b);
	feed_resizing(whole, bytes + 2, size - 2, true);
	feed_resizing(cut, bytes + 2, size - 2, false);
	same_screen(whole, cut);
	same(&a.out, &b.out);
	same(&a.replies, &b.replies);
	check_repaint(whole);
	check_filter(bytes, size);
	term_free(whole);
	term_free(cut);
	buf_release(&a.out);
	buf_release(&a.replies);
	buf_release(&b.out);
	buf_release(&b.replies);
	return 0;
}
