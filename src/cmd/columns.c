/*
 * columns.c - a table for the eye.
 */
#include "cmd/columns.h"

#include "base/alloc.h"
#include "base/text.h"

void
columns_init(struct columns *c, const char *const *headings)
{
	*c = (struct columns){0};
	for (; headings[c->width] != NULL; c->width++)
		columns_add(c, headings[c->width]);
}

void
columns_add(struct columns *c, const char *cell)
{
	AUTO_BUF shown = BUF_INIT;

	text_show(&shown, cell, strlen(cell), false);
	c->cells = xreallocarray(c->cells, c->n + 2, sizeof(*c->cells));
	c->cells[c->n++] = buf_detach(&shown);
	c->cells[c->n] = NULL;
}

void
columns_add_buf(struct columns *c, struct buf *cell)
{
	columns_add(c, cell->len > 0 ? cell->data : "-");
	buf_clear(cell);
}

static size_t
characters(const char *s)
{
	size_t n = 0;

	for (; *s != '\0'; s++)
		n += ((unsigned char)*s & 0xc0) != 0x80;
	return n;
}

static size_t
widest(const struct columns *c, size_t column)
{
	size_t max = 0;

	for (size_t i = column; i < c->n; i += c->width) {
		size_t n = characters(c->cells[i]);

		if (n > max)
			max = n;
	}
	return max;
}

void
columns_print(const struct columns *c, struct buf *out)
{
	AUTO_FREE size_t *widths = xcalloc(c->width, sizeof(*widths));

	if (c->n <= c->width)
		return;
	for (size_t i = 0; i < c->width; i++)
		widths[i] = widest(c, i);
	for (size_t i = 0; i < c->n; i++) {
		size_t column = i % c->width;

		buf_addf(out, "%s%*s%s", c->cells[i],
		    (int)(widths[column] - characters(c->cells[i])), "",
		    column + 1 < c->width ? "  " : "\n");
	}
}

void
columns_release(struct columns *c)
{
	strlist_free(take_ptr(c->cells));
	c->n = 0;
}
