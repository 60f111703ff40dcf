#include "watch/life.h"

#include "base/alloc.h"
#include "watch/activity.h"
#include "watch/echo.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define GIVEN_MAX ((size_t)1 << 20) /* letters */

void
life_init(struct life *l)
{
	*l = (struct life){0};
	buf_init(&l->given);
}

void
life_release(struct life *l)
{
	free(l->rows);
	buf_release(&l->given);
	life_init(l);
}

/* Sets `out` to the letters of a row, without clocks, spinners, frames and blanks. */
static void
row_words(row_fn *row, void *ctx, int i, struct buf *out)
{
	AUTO_BUF text = BUF_INIT, essence = BUF_INIT;

	row(ctx, i, &text);
	activity_essence(text.data, text.len, &essence);
	buf_clear(out);
	echo_letters(essence.data, essence.len, out);
}

void
life_still(struct life *l, int rows, row_fn *row, void *ctx)
{
	AUTO_BUF words = BUF_INIT;

	l->count = 0;
	buf_release(&l->given);
	if ((size_t)rows > l->cap) {
		l->cap = (size_t)rows;
		l->rows = xreallocarray(l->rows, l->cap, sizeof(*l->rows));
	}
	for (int i = 0; i < rows; i++) {
		row_words(row, ctx, i, &words);
		l->rows[l->count++] = XXH3_64bits(words.data, words.len);
	}
}

void
life_given(struct life *l, const char *text, size_t len)
{
	AUTO_BUF essence = BUF_INIT;

	/* Reduces the text like the rows, or numbers in the text would not be found again. */
	activity_essence(text, len, &essence);
	if (l->given.len < GIVEN_MAX)
		echo_letters(essence.data, essence.len, &l->given);
	buf_addc(&l->given, '\n');
}

bool
life_shows(const struct life *l, int rows, row_fn *row, void *ctx)
{
	AUTO_BUF words = BUF_INIT;

	for (int i = 0; i < rows; i++) {
		uint64_t hash;
		size_t k = 0;

		row_words(row, ctx, i, &words);
		hash = XXH3_64bits(words.data, words.len);
		while (k < l->count && l->rows[k] != hash)
			k++;
		if (k == l->count && words.len > 0 &&
		    memmem(l->given.data, l->given.len, words.data, words.len) == NULL)
			return true;
	}
	return false;
}
