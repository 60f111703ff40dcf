/* A terminal that remembers what it said: lines out, answers, bells. */
#ifndef UNIT_TERM_FIXTURE_H
#define UNIT_TERM_FIXTURE_H

#include "base/alloc.h"
#include "term/internal.h"
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct fixture {
	struct term *t;
	struct buf out; /* lines out, ended by \n, or by / when wrapped */
	struct buf replies;
	struct buf text;
	int bells;
};

static inline void
fixture_line_out(void *ctx, const char *text, size_t len, bool wrapped)
{
	struct fixture *f = ctx;

	buf_add(&f->out, text, len);
	buf_addc(&f->out, wrapped ? '/' : '\n');
}

static inline void
fixture_reply(void *ctx, const char *data, size_t len)
{
	buf_add(&((struct fixture *)ctx)->replies, data, len);
}

static inline void
fixture_bell(void *ctx)
{
	((struct fixture *)ctx)->bells++;
}

static inline struct fixture *
fixture_new(int rows, int cols)
{
	struct fixture *f = xcalloc(1, sizeof(*f));
	struct term_callbacks cb = {.reply = fixture_reply,
	    .line_out = fixture_line_out,
	    .bell = fixture_bell,
	    .ctx = f};

	buf_init(&f->out);
	buf_init(&f->replies);
	buf_init(&f->text);
	f->t = term_new(rows, cols, &cb);
	return f;
}

static inline void
fixture_free(struct fixture *f)
{
	term_free(f->t);
	buf_release(&f->out);
	buf_release(&f->replies);
	buf_release(&f->text);
	free(f);
}

static inline void
feed(struct fixture *f, const char *bytes)
{
	term_feed(f->t, bytes, strlen(bytes));
}

/* The screen without the blank rows at its end. */
static inline const char *
screen(struct fixture *f)
{
	buf_clear(&f->text);
	term_text(f->t, &f->text);
	while (f->text.len > 0 && f->text.data[f->text.len - 1] == '\n')
		buf_truncate(&f->text, f->text.len - 1);
	return f->text.data;
}

static inline void
assert_cursor(struct fixture *f, int row, int col)
{
	int r, c;

	term_cursor(f->t, &r, &c);
	assert_int_equal(r, row);
	assert_int_equal(c, col);
}

/* For most tests: a small terminal, some bytes, and what the terminal shows then. */
static inline void
assert_shows(const char *bytes, const char *want)
{
	struct fixture *f = fixture_new(4, 10);

	feed(f, bytes);
	assert_string_equal(screen(f), want);
	fixture_free(f);
}

#endif
