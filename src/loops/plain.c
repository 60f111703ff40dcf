/*
 * plain.c - a recording as plain lines of text.
 */
#include "loops/plain.h"

#include "base/text.h"

static void
add_row(struct plain *t, const char *text, size_t len, bool wrapped)
{
	text_show(t->out, text, len, false);
	buf_adds(t->out, wrapped ? "" : "\n");
}

static void
plain_add_line(void *ctx, const char *line, size_t len)
{
	add_row(ctx, line, len, false);
}

static void
line_out(void *ctx, const char *text, size_t len, bool wrapped)
{
	struct plain *t = ctx;

	if (t->shown > 0)
		t->shown--;
	else
		add_row(t, text, len, wrapped);
}

static void
show_rows(struct plain *t, int until)
{
	AUTO_BUF row = BUF_INIT;

	for (; t->shown < until; t->shown++) {
		bool wrapped;

		buf_clear(&row);
		wrapped = term_row_text(t->term, t->shown, &row);
		add_row(t, row.data, row.len, wrapped);
	}
}

void
plain_open(struct plain *t, bool terminal, struct buf *out)
{
	memset(t, 0, sizeof(*t));
	t->out = out;
	if (terminal)
		t->term =
		    term_new(40, 120, &(struct term_callbacks){.line_out = line_out, .ctx = t});
	for (size_t i = 0; i < ARRAY_LEN(t->lines); i++)
		lines_init(&t->lines[i], plain_add_line, t);
}

static void
add_gap(struct plain *t, size_t bytes)
{
	plain_end(t);
	buf_addf(t->out, "[%zu bytes were not kept]\n", bytes);
}

static void
feed_term(struct plain *t, const char *data, size_t len)
{
	int row, col;

	term_feed(t->term, data, len);
	term_cursor(t->term, &row, &col);
	if (!term_is_painting(t->term))
		show_rows(t, row);
}

void
plain_chunk(void *ctx, int64_t ms, char kind, const char *data, size_t len)
{
	struct plain *t = ctx;

	(void)ms;
	if (kind == 'g')
		add_gap(t, len);
	else if (kind == 's' && t->term != NULL)
		term_resize(t->term, (int)(len >> 16), (int)(len & 0xffff));
	else if ((kind == 'o' || kind == 'e') && t->term != NULL)
		feed_term(t, data, len);
	else if (kind == 'o' || kind == 'e')
		lines_feed(&t->lines[kind == 'e'], data, len);
}

void
plain_end(struct plain *t)
{
	AUTO_BUF row = BUF_INIT;
	int last = t->term == NULL ? 0 : term_rows(t->term);

	for (size_t i = 0; i < ARRAY_LEN(t->lines); i++)
		lines_flush(&t->lines[i]);
	while (last > t->shown) {
		buf_clear(&row);
		(void)term_row_text(t->term, last - 1, &row);
		if (row.len > 0)
			break;
		last--;
	}
	if (t->term != NULL)
		show_rows(t, last);
}

void
plain_close(struct plain *t)
{
	if (t->term != NULL)
		term_free(t->term);
	for (size_t i = 0; i < ARRAY_LEN(t->lines); i++)
		lines_release(&t->lines[i]);
}
