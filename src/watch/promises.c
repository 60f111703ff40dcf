#include "watch/promises.h"

#include "base/alloc.h"
#include "watch/page.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define KEPT (2 * PROMISES_ROWS) /* rows that left the screen and may belong to a tag */
#define CONTEXT_ROWS 3
#define CONTEXTS_MAX 256
#define FENCED_MAX 200 /* rows: a block that never ends was none */

/* How often a tag occurs: behind the screen and on it; and how many of these are known. */
struct count {
	size_t left, shown, known;
};

/* The counts of one wording.  Repetitions of the prompt are counted, too: a mark may get
 * lost. */
struct tally {
	uint64_t key;
	struct promise promise;
	struct count all, said;
	size_t order; /* of the last time it was said */
	bool news;
};

struct promises {
	promise_fn *fn;
	void *ctx;
	char *task;
	struct page page;
	struct tally *tallies;
	size_t count;
	size_t order;
	struct buf line; /* joined rows */

	/* Hashes of the text before each tag: they identify a tag when the whole screen is
	 * painted anew. */
	uint64_t contexts[CONTEXTS_MAX];
	size_t ncontexts;	       /* ever */
	uint64_t latest[CONTEXTS_MAX]; /* since the last look at the screen */
	size_t nlatest;
	size_t fenced; /* rows of a block before those that `page` keeps; 0: outside of any */
	size_t filled; /* rows with text on the last screen */
	size_t gone;   /* and those that left since */
};

/* A tag in the rows [first, last] of a list. */
struct tag {
	struct promise promise;
	bool echo;
	uint64_t context; /* 0: nothing is before it */
};

struct promises *
promises_new(promise_fn *fn, void *ctx)
{
	struct promises *p = xcalloc(1, sizeof(*p));

	p->fn = fn;
	p->ctx = ctx;
	p->task = xstrdup("");
	p->tallies = xcalloc(PROMISES_MAX, sizeof(*p->tallies));
	page_init(&p->page, "", 0, KEPT);
	buf_init(&p->line);
	return p;
}

void
promises_free(struct promises *p)
{
	if (p == NULL)
		return;
	free(p->task);
	free(p->tallies);
	page_release(&p->page);
	buf_release(&p->line);
	free(p);
}

void
promises_task(struct promises *p, const char *task, const char *prompt, size_t len)
{
	free(p->task);
	p->task = xstrdup(task);
	page_prompt(&p->page, prompt, len);
	/* Typed tags that are still shown have been counted; from now on the same words are the
	 * worker's own. */
	page_untyped(&p->page);
}

void
promises_typed(struct promises *p, const char *text, size_t len)
{
	page_typed(&p->page, text, len);
}

/*
 * A tag in rows.
 */

/* The rows [first, last] as one text, without the edges. */
static void
rows_join(struct promises *p, const struct rows *rows, size_t first, size_t last)
{
	const struct row *row = &rows->list[first];

	buf_clear(&p->line);
	buf_add(&p->line, rows->text.data + row->at + row->from, row->len - row->from);
	for (size_t i = first + 1; i <= last; i++) {
		const struct row *next = &rows->list[i];
		size_t begin = row_join(&p->line, row, next, &rows->text, p->page.width);

		if (!row->wrapped)
			p->line.data[begin - 1] = '\n';
		row = next;
	}
	buf_truncate(&p->line, p->line.len - (row->len - row->to));
}

/*
 * Is this row the rest of a sentence in the row before?  Not when this row begins an item, when
 * its first word had room on the row before, or when that row ends as sentences do.
 */
static bool
row_is_rest(const struct rows *rows, size_t i, size_t width)
{
	const struct row *before = i > 0 ? &rows->list[i - 1] : NULL;
	const struct row *row = &rows->list[i];

	if (before == NULL)
		return false;
	if (before->wrapped)
		return true;
	if (row->item || before->from == before->to || width == 0)
		return false;
	return before->cols > width / 2 && before->cols + 1 + row->word > width &&
	       strchr(".!?)]}>`'\"*_", rows->text.data[before->at + before->to - 1]) == NULL;
}

static uint64_t
rows_context(const struct rows *rows, size_t first)
{
	uint64_t hash = 0;
	int found = 0;

	while (first-- > 0 && found < CONTEXT_ROWS) {
		uint64_t both[2] = {hash, rows->list[first].hash};

		if (rows->list[first].from == rows->list[first].to)
			continue;
		hash = XXH3_64bits(both, sizeof(both));
		found++;
	}
	return hash;
}

/* Counts the rows of a fenced block up to this row, from the count `before` this row. */
static size_t
fence_pass(const struct rows *rows, size_t i, size_t before)
{
	const struct row *row = &rows->list[i];
	const char *text = rows->text.data + row->at + row->from;
	size_t len = row->to - row->from, marks = 0;

	while (marks < len && text[marks] == text[0] && (text[0] == '`' || text[0] == '~'))
		marks++;
	if (!row->echo && marks >= 3 && memchr(text + marks, '`', len - marks) == NULL)
		return before > 0 && marks == len ? 0 : 1;
	return before > 0 && before < FENCED_MAX ? before + 1 : 0;
}

/* Is a tag that begins with this row a quotation, or an example? */
static bool
is_shown_only(const struct promises *p, const struct rows *rows, size_t first)
{
	size_t fenced = p->fenced;

	for (size_t i = 0; i < first; i++)
		fenced = fence_pass(rows, i, fenced);
	return rows->list[first].quoted || fenced > 0;
}

/* Is there a tag that ends with this row? */
static bool
tag_find(struct promises *p, const struct rows *rows, size_t last, struct tag *tag)
{
	const struct row *row = &rows->list[last];
	size_t first = last;

	if (row->from == row->to || row->wrapped ||
	    rows->text.data[row->at + row->to - 1] != '>')
		return false;
	tag->echo = false;
	for (;; first--) {
		row = &rows->list[first];
		if (row->from == row->to)
			return false;
		tag->echo |= row->echo;
		if (rows->text.data[row->at + row->from] == '<') {
			rows_join(p, rows, first, last);
			if (promise_parse(p->line.data, p->line.len, &tag->promise))
				break;
		}
		if (first == 0 || last - first + 1 >= PROMISES_ROWS ||
		    (row->item && !rows->list[first - 1].wrapped))
			return false;
	}
	if (row_is_rest(rows, first, p->page.width))
		return false;
	if ((tag->promise.kind == PROMISE_STUCK || tag->promise.kind == PROMISE_BLOCKED) &&
	    is_shown_only(p, rows, first))
		return false;
	tag->echo |= page_contains(&p->page, p->line.data, p->line.len, 0, p->line.len);
	tag->context = rows_context(rows, first);
	return true;
}

/*
 * Counting.
 */

static struct tally *
tally_of(struct promises *p, const struct promise *promise)
{
	size_t len = strlen(promise->text);
	uint64_t key = XXH3_64bits_withSeed(promise->text, len, (uint64_t)promise->kind);

	for (size_t i = 0; i < p->count; i++)
		if (p->tallies[i].key == key)
			return &p->tallies[i];
	/* The last places are reserved for DONE, whatever else is said. */
	if (p->count == PROMISES_MAX ||
	    (p->count >= PROMISES_MAX - 4 && promise->kind != PROMISE_DONE))
		return NULL;
	p->tallies[p->count] = (struct tally){.key = key, .promise = *promise};
	return &p->tallies[p->count++];
}

static bool
context_known(const struct promises *p, uint64_t context)
{
	size_t n = p->ncontexts < CONTEXTS_MAX ? p->ncontexts : CONTEXTS_MAX;

	for (size_t i = 0; i < n; i++)
		if (p->contexts[i] == context)
			return true;
	return false;
}

/*
 * When the whole screen has left, by a flood or because it was cleared, programs may paint the
 * same text again.  A tag that then stands behind the same text as an earlier tag is that tag.
 */
static void
tag_count(struct promises *p, const struct tag *tag, bool left)
{
	struct tally *t = tally_of(p, &tag->promise);
	uint64_t both[2] = {tag->context, t != NULL ? t->key : 0};
	uint64_t context = XXH3_64bits(both, sizeof(both));

	if (t == NULL)
		return;
	*(left ? &t->all.left : &t->all.shown) += 1;
	if (!tag->echo) {
		*(left ? &t->said.left : &t->said.shown) += 1;
		t->order = ++p->order;
	}
	if (!tag->context)
		return;
	if (p->filled > 0 && p->gone >= p->filled + left && context_known(p, context)) {
		t->all.known++;
		t->said.known += !tag->echo;
	}
	if (p->nlatest < CONTEXTS_MAX)
		p->latest[p->nlatest++] = context;
}

/* Returns by how many the count exceeds all earlier counts, and remembers the new count. */
static size_t
count_news(struct count *c)
{
	size_t sum = c->left + c->shown, news = sum > c->known ? sum - c->known : 0;

	c->known += news;
	return news;
}

/* Tells the new tags in the order in which they were said. */
static void
news_tell(struct promises *p)
{
	for (;;) {
		struct tally *first = NULL;

		for (size_t i = 0; i < p->count; i++)
			if (p->tallies[i].news &&
			    (first == NULL || p->tallies[i].order < first->order))
				first = &p->tallies[i];
		if (first == NULL)
			return;
		first->news = false;
		p->fn(p->ctx, &first->promise);
	}
}

static void
tallies_judge(struct promises *p)
{
	for (size_t i = 0; i < p->nlatest; i++)
		if (!context_known(p, p->latest[i]))
			p->contexts[p->ncontexts++ % CONTEXTS_MAX] = p->latest[i];
	p->nlatest = 0;
	for (size_t i = 0; i < p->count; i++) {
		struct tally *t = &p->tallies[i];
		size_t all = count_news(&t->all), said = count_news(&t->said);

		t->news = all > 0 && said > 0 && promise_is_of(&t->promise, p->task);
	}
	news_tell(p);
}

void
promises_past(struct promises *p)
{
	size_t kept = 0;

	for (size_t i = 0; i < p->count; i++) {
		struct tally *t = &p->tallies[i];

		t->all = (struct count){0, t->all.shown, t->all.shown};
		t->said = (struct count){0, t->said.shown, t->said.shown};
		if (t->all.shown > 0)
			p->tallies[kept++] = *t;
	}
	p->count = kept;
}

void
promises_said(struct promises *p, const struct promise *promise)
{
	struct tally *t = tally_of(p, promise);

	if (t == NULL)
		return;
	t->all.known++;
	t->said.known++;
}

/*
 * Input.
 */

static void
rows_forget(struct promises *p)
{
	const struct rows *left = &p->page.left;

	for (size_t i = 0; i + p->page.kept < left->count; i++)
		p->fenced = fence_pass(left, i, p->fenced);
	page_forget(&p->page);
}

void
promises_line(struct promises *p, const char *line, size_t len)
{
	struct tag tag;

	page_row(&p->page, line, len, false);
	if (tag_find(p, &p->page.left, p->page.left.count - 1, &tag) && !tag.echo &&
	    promise_is_of(&tag.promise, p->task))
		p->fn(p->ctx, &tag.promise);
	rows_forget(p);
}

void
promises_row(struct promises *p, const char *text, size_t len, bool wrapped)
{
	struct tag tag;

	page_row(&p->page, text, len, wrapped);
	p->gone += len > 0;
	if (tag_find(p, &p->page.left, p->page.left.count - 1, &tag))
		tag_count(p, &tag, true);
	rows_forget(p);
}

void
promises_screen(struct promises *p, int rows, int width, row_fn *row, void *ctx)
{
	const struct rows *shown = &p->page.shown;
	size_t filled = 0;
	struct tag tag;

	if (!page_screen(&p->page, rows, width, row, ctx))
		return;
	for (size_t i = 0; i < p->count; i++)
		p->tallies[i].all.shown = p->tallies[i].said.shown = 0;
	for (size_t i = p->page.left.count; i < shown->count; i++) {
		filled += shown->list[i].len > 0;
		if (tag_find(p, shown, i, &tag))
			tag_count(p, &tag, false);
	}
	tallies_judge(p);
	p->filled = filled;
	p->gone = 0;
}
