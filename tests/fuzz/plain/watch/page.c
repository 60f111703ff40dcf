#include "watch/page.h"

#include "base/alloc.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

static void
rows_add(struct rows *rows, const char *text, size_t len, bool wrapped)
{
	rows->list = xgrow(rows->list, rows->count, &rows->cap, sizeof(*rows->list));
	rows->list[rows->count++] = row_add(&rows->text, text, len, wrapped);
}

static void
rows_clear(struct rows *rows)
{
	buf_clear(&rows->text);
	rows->count = 0;
}

static void
rows_drop_first(struct rows *rows)
{
	size_t gone = rows->count > 1 ? rows->list[1].at : rows->text.len;

	buf_drop(&rows->text, gone);
	rows->count--;
	memmove(rows->list, rows->list + 1, rows->count * sizeof(*rows->list));
	for (size_t i = 0; i < rows->count; i++)
		rows->list[i].at -= gone;
}

static void
rows_release(struct rows *rows)
{
	buf_release(&rows->text);
	free(rows->list);
}

void
page_init(struct page *p, const char *prompt, size_t len, size_t kept)
{
	*p = (struct page){.kept = kept};
	p->prompt = echo_new(prompt, len);
	typed_init(&p->typed);
	buf_init(&p->left.text);
	buf_init(&p->shown.text);
}

void
page_release(struct page *p)
{
	echo_free(p->prompt);
	typed_release(&p->typed);
	rows_release(&p->left);
	rows_release(&p->shown);
	free(p->memories.list);
	free(p->latest.list);
	*p = (struct page){0};
}

void
page_prompt(struct page *p, const char *prompt, size_t len)
{
	echo_free(p->prompt);
	p->prompt = echo_new(prompt, len);
	p->screen = 0;
}

void
page_typed(struct page *p, const char *text, size_t len)
{
	typed_add(&p->typed, text, len);
	p->screen = 0;
}

void
page_untyped(struct page *p)
{
	typed_release(&p->typed);
	typed_init(&p->typed);
	p->screen = 0;
}

bool
page_repeats(struct page *p, const char *line, size_t len)
{
	bool typed = echo_line(p->typed.text, line, len);

	return echo_line(p->prompt, line, len) || typed;
}

bool
page_contains(const struct page *p, const char *line, size_t len, size_t start, size_t end)
{
	return echo_contains(p->prompt, line, len, start, end) ||
	       typed_contains(&p->typed, line, len, start, end);
}

/* ---- rows that were seen before ------------------------------------------------------ */

static void
memories_add(struct page_memories *m, struct page_memory memory)
{
	m->list = xgrow(m->list, m->count, &m->cap, sizeof(*m->list));
	m->list[m->count++] = memory;
}

/* The hash of the nearest row with text in the given direction; 0 when there is none. */
static uint64_t
neighbour(const struct rows *rows, size_t i, bool down)
{
	while (down ? ++i < rows->count : i-- > 0)
		if (rows->list[i].len > 0)
			return rows->list[i].hash;
	return 0;
}

/*
 * Was this row on the last screen, repeating the prompt?  Each remembered row is found once.
 * The row above the topmost row of a screen is not known, so the row below identifies the
 * topmost one.
 */
static bool
remembered(struct page *p, const struct page_memory *row, bool topmost)
{
	for (size_t i = 0; i < p->memories.count; i++) {
		struct page_memory *m = &p->memories.list[i];

		if (m->found || m->row != row->row)
			continue;
		if ((m->before == row->before && (m->before || !topmost)) ||
		    (topmost && m->after && m->after == row->after)) {
			m->found = true;
			return true;
		}
	}
	return false;
}

/* ---- input --------------------------------------------------------------------------- */

const struct row *
page_row(struct page *p, const char *text, size_t len, bool wrapped)
{
	struct row *row;
	size_t i;

	rows_add(&p->left, text, len, wrapped);
	i = p->left.count - 1;
	row = &p->left.list[i];
	row->echo = page_repeats(p, text, len);
	if (len > 0) {
		struct page_memory m = {row->hash, neighbour(&p->left, i, false), 0, false};

		row->echo |= remembered(p, &m, false);
	}
	p->screen = 0;
	return row;
}

void
page_forget(struct page *p)
{
	while (p->left.count > p->kept)
		rows_drop_first(&p->left);
}

/* Reads the screen behind the rows that left it; false when nothing is new. */
static bool
screen_read(struct page *p, int rows, row_fn *row, void *ctx)
{
	const struct rows *left = &p->left;
	struct rows *shown = &p->shown;
	uint64_t screen = p->width + 1;
	AUTO_BUF text = BUF_INIT;

	rows_clear(shown);
	for (size_t i = 0; i < left->count; i++) {
		const struct row *r = &left->list[i];

		rows_add(shown, left->text.data + r->at, r->len, r->wrapped);
		shown->list[i].echo = r->echo;
	}
	for (int i = 0; i < rows; i++) {
		uint64_t both[2] = {screen, 0};
		bool wrapped;

		buf_clear(&text);
		wrapped = row(ctx, i, &text);
		rows_add(shown, text.data, text.len, wrapped);
		both[1] = shown->list[shown->count - 1].hash + wrapped;
		screen = XXH3_64bits(both, sizeof(both));
	}
	if (screen == p->screen)
		return false;
	p->screen = screen;
	return true;
}

/* Marks the rows that repeat the prompt; the repetition of those that left goes on. */
static void
screen_mark(struct page *p)
{
	struct rows *shown = &p->shown;
	struct echo_place prompt = echo_place(p->prompt), typed = echo_place(p->typed.text);
	struct page_memories old;
	bool topmost = true;

	p->latest.count = 0;
	for (size_t i = p->left.count; i < shown->count; i++) {
		struct row *row = &shown->list[i];
		struct page_memory m = {row->hash, 0, 0, false};

		if (row->len == 0)
			continue;
		m.before = neighbour(shown, i, false);
		m.after = neighbour(shown, i, true);
		row->echo = page_repeats(p, shown->text.data + row->at, row->len);
		row->echo |= remembered(p, &m, topmost);
		if (row->echo)
			memories_add(&p->latest, m);
		topmost = false;
	}
	echo_return(p->prompt, prompt);
	echo_return(p->typed.text, typed);
	old = p->memories;
	p->memories = p->latest;
	p->latest = old;
}

bool
page_screen(struct page *p, int rows, int width, row_fn *row, void *ctx)
{
	p->width = width > 0 ? (size_t)width : 0;
	if (!screen_read(p, rows, row, ctx))
		return false;
	screen_mark(p);
	return true;
}
