#include "watch/tally.h"

#include "base/alloc.h"
#include "watch/page.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define KEPT (2 * TALLY_ROWS) /* rows that left the screen and may belong to a tag */
#define CONTEXT_ROWS 3
#define CONTEXTS_MAX 256
#define FENCED_MAX 200 /* rows: a block that never ends was none */

/* How often a tag has left the screen, and is on it; and how many of these are known. */
struct count {
	size_t left, shown, known;
};

/* The counts of one wording.  Repetitions of the prompt are counted, too: a mark may get
 * lost. */
struct wording {
	uint64_t key;
	struct promise promise;
	struct count all, said;
	size_t order; /* of its last occurrence, among all tags */
	bool news;
};

struct tally {
	promise_fn *fn;
	void *ctx;
	char *task;
	struct page page;
	struct wording *wordings;
	size_t count;
	size_t order;
	struct buf line; /* joined rows */

	/* Hashes of the text before each tag: they identify a tag when the whole screen is
	 * painted anew. */
	uint64_t contexts[CONTEXTS_MAX];
	size_t ncontexts;	       /* noted so far; the oldest were overwritten */
	uint64_t latest[CONTEXTS_MAX]; /* since the last look at the screen */
	size_t nlatest;
	size_t fenced; /* rows of a block before those that `page` keeps; 0: outside of any */
	size_t filled; /* rows with text on the last screen */
	size_t gone;   /* rows with text that left since */
};

/* A tag in the rows [first, last] of a list. */
struct tag {
	struct promise promise;
	bool echo;
	uint64_t context; /* 0: nothing is before it */
};

struct tally *
tally_new(promise_fn *fn, void *ctx)
{
	struct tally *t = xcalloc(1, sizeof(*t));

	t->fn = fn;
	t->ctx = ctx;
	t->task = xstrdup("");
	t->wordings = xcalloc(TALLY_MAX, sizeof(*t->wordings));
	page_init(&t->page, "", 0, KEPT);
	buf_init(&t->line);
	return t;
}

void
tally_free(struct tally *t)
{
	if (t == NULL)
		return;
	free(t->task);
	free(t->wordings);
	page_release(&t->page);
	buf_release(&t->line);
	free(t);
}

void
tally_task(struct tally *t, const char *task, const char *prompt, size_t len)
{
	free(t->task);
	t->task = xstrdup(task);
	page_prompt(&t->page, prompt, len);
	/* Typed tags that are still shown have been counted; from now on the same words are the
	 * worker's own. */
	page_untyped(&t->page);
}

void
tally_typed(struct tally *t, const char *text, size_t len)
{
	page_typed(&t->page, text, len);
}

/* ---- tags in rows -------------------------------------------------------------------- */

/* The rows [first, last] as one text, without the edges. */
static void
rows_join(struct tally *t, const struct rows *rows, size_t first, size_t last)
{
	const struct row *row = &rows->list[first];

	buf_clear(&t->line);
	buf_add(&t->line, rows->text.data + row->at + row->from, row->len - row->from);
	for (size_t i = first + 1; i <= last; i++) {
		const struct row *next = &rows->list[i];
		size_t begin = row_join(&t->line, row, next, &rows->text, t->page.width);

		if (!row->wrapped)
			t->line.data[begin - 1] = '\n';
		row = next;
	}
	buf_truncate(&t->line, t->line.len - (row->len - row->to));
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
is_shown_only(const struct tally *t, const struct rows *rows, size_t first)
{
	size_t fenced = t->fenced;

	for (size_t i = 0; i < first; i++)
		fenced = fence_pass(rows, i, fenced);
	return rows->list[first].quoted || fenced > 0;
}

/* Is there a tag that ends with this row? */
static bool
tag_find(struct tally *t, const struct rows *rows, size_t last, struct tag *tag)
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
			rows_join(t, rows, first, last);
			if (promise_parse(t->line.data, t->line.len, &tag->promise))
				break;
		}
		if (first == 0 || last - first + 1 >= TALLY_ROWS ||
		    (row->item && !rows->list[first - 1].wrapped))
			return false;
	}
	if (row_is_rest(rows, first, t->page.width))
		return false;
	if ((tag->promise.kind == PROMISE_STUCK || tag->promise.kind == PROMISE_BLOCKED) &&
	    is_shown_only(t, rows, first))
		return false;
	tag->echo |= page_contains(&t->page, t->line.data, t->line.len, 0, t->line.len);
	tag->context = rows_context(rows, first);
	return true;
}

/* ---- counting ------------------------------------------------------------------------ */

static struct wording *
wording_of(struct tally *t, const struct promise *promise)
{
	size_t len = strlen(promise->text);
	uint64_t key = XXH3_64bits_withSeed(promise->text, len, (uint64_t)promise->kind);

	for (size_t i = 0; i < t->count; i++)
		if (t->wordings[i].key == key)
			return &t->wordings[i];
	/* The last places are reserved for DONE, whatever else is said. */
	if (t->count == TALLY_MAX ||
	    (t->count >= TALLY_MAX - 4 && promise->kind != PROMISE_DONE))
		return NULL;
	t->wordings[t->count] = (struct wording){.key = key, .promise = *promise};
	return &t->wordings[t->count++];
}

static bool
context_known(const struct tally *t, uint64_t context)
{
	size_t n = t->ncontexts < CONTEXTS_MAX ? t->ncontexts : CONTEXTS_MAX;

	for (size_t i = 0; i < n; i++)
		if (t->contexts[i] == context)
			return true;
	return false;
}

/*
 * When the whole screen has left, by a flood or because it was cleared, programs may paint the
 * same text again.  A tag that then stands behind the same text as an earlier tag is that tag.
 */
static void
tag_count(struct tally *t, const struct tag *tag, bool left)
{
	struct wording *w = wording_of(t, &tag->promise);
	uint64_t both[2] = {tag->context, w != NULL ? w->key : 0};
	uint64_t context = XXH3_64bits(both, sizeof(both));

	if (w == NULL)
		return;
	*(left ? &w->all.left : &w->all.shown) += 1;
	if (!tag->echo) {
		*(left ? &w->said.left : &w->said.shown) += 1;
		w->order = ++t->order;
	}
	if (!tag->context)
		return;
	if (t->filled > 0 && t->gone >= t->filled + left && context_known(t, context)) {
		w->all.known++;
		w->said.known += !tag->echo;
	}
	if (t->nlatest < CONTEXTS_MAX)
		t->latest[t->nlatest++] = context;
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
news_tell(struct tally *t)
{
	for (;;) {
		struct wording *first = NULL;

		for (size_t i = 0; i < t->count; i++)
			if (t->wordings[i].news &&
			    (first == NULL || t->wordings[i].order < first->order))
				first = &t->wordings[i];
		if (first == NULL)
			return;
		first->news = false;
		t->fn(t->ctx, &first->promise);
	}
}

static void
wordings_judge(struct tally *t)
{
	for (size_t i = 0; i < t->nlatest; i++)
		if (!context_known(t, t->latest[i]))
			t->contexts[t->ncontexts++ % CONTEXTS_MAX] = t->latest[i];
	t->nlatest = 0;
	for (size_t i = 0; i < t->count; i++) {
		struct wording *w = &t->wordings[i];
		size_t all = count_news(&w->all), said = count_news(&w->said);

		w->news = all > 0 && said > 0 && promise_is_of(&w->promise, t->task);
	}
	news_tell(t);
}

void
tally_past(struct tally *t)
{
	size_t kept = 0;

	for (size_t i = 0; i < t->count; i++) {
		struct wording *w = &t->wordings[i];

		w->all = (struct count){0, w->all.shown, w->all.shown};
		w->said = (struct count){0, w->said.shown, w->said.shown};
		if (w->all.shown > 0)
			t->wordings[kept++] = *w;
	}
	t->count = kept;
}

void
tally_said(struct tally *t, const struct promise *promise)
{
	struct wording *w = wording_of(t, promise);

	if (w == NULL)
		return;
	w->all.known++;
	w->said.known++;
}

/* ---- input --------------------------------------------------------------------------- */

static void
rows_forget(struct tally *t)
{
	const struct rows *left = &t->page.left;

	for (size_t i = 0; i + t->page.kept < left->count; i++)
		t->fenced = fence_pass(left, i, t->fenced);
	page_forget(&t->page);
}

void
tally_line(struct tally *t, const char *line, size_t len)
{
	struct tag tag;

	page_row(&t->page, line, len, false);
	if (tag_find(t, &t->page.left, t->page.left.count - 1, &tag) && !tag.echo &&
	    promise_is_of(&tag.promise, t->task))
		t->fn(t->ctx, &tag.promise);
	rows_forget(t);
}

void
tally_row(struct tally *t, const char *text, size_t len, bool wrapped)
{
	struct tag tag;

	page_row(&t->page, text, len, wrapped);
	t->gone += len > 0;
	if (tag_find(t, &t->page.left, t->page.left.count - 1, &tag))
		tag_count(t, &tag, true);
	rows_forget(t);
}

void
tally_screen(struct tally *t, int rows, int width, row_fn *row, void *ctx)
{
	const struct rows *shown = &t->page.shown;
	size_t filled = 0;
	struct tag tag;

	if (!page_screen(&t->page, rows, width, row, ctx))
		return;
	for (size_t i = 0; i < t->count; i++)
		t->wordings[i].all.shown = t->wordings[i].said.shown = 0;
	for (size_t i = t->page.left.count; i < shown->count; i++) {
		filled += shown->list[i].len > 0;
		if (tag_find(t, shown, i, &tag))
			tag_count(t, &tag, false);
	}
	wordings_judge(t);
	t->filled = filled;
	t->gone = 0;
}
