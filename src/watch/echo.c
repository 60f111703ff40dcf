#include "watch/echo.h"

#include "base/alloc.h"
#include "base/text.h"
#include "watch/chars.h"

#include <ctype.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#define OPENING_WORDS 3	     /* by which a repetition is recognised inside a line */
#define OPENING_MIN 8	     /* letters; less could be anywhere */
#define PLACES_MAX 64	     /* of the prompt that are tried as a line's beginning */
#define OCCURRENCES_MAX 2000 /* of a matched text that are looked at */
#define TAIL_MAX 64	     /* letters of a line's end that are looked at first */
#define GRAM 4		     /* letters that are looked for at once */
#define GRAMS_MIN 512	     /* bits */
#define GRAMS_MAX (1 << 19)  /* bits; there are eight for a letter of most prompts */

struct word {
	uint64_t hash;
	size_t at; /* in the letters, or in the line */
	size_t len;
};

/* Words by hash, so that a text of megabytes costs no more to look into than a short one. */
struct occurrence {
	uint64_t hash;
	size_t word;
};

struct words {
	struct word *list;
	size_t count, cap;
};

struct echo {
	struct buf letters; /* of the prompt */
	struct words words;
	struct occurrence *index;
	size_t opening;	 /* letters of the first words; 0: too few */
	uint64_t *grams; /* a bit for the hash of every GRAM letters of the prompt */
	size_t ngrams;	 /* bits, a power of two */
	struct echo_place run;
	struct buf line; /* letters of the line being looked at */
};

/* ---- letters and words --------------------------------------------------------------- */

/* Signs, bullets, frames, arrows and emoji beyond ASCII; everything else makes words. */
static bool
is_sign(uint32_t cp)
{
	static const uint32_t ranges[][2] = {{0x80, 0xa9}, {0xab, 0xb4}, {0xb6, 0xb9},
	    {0xbb, 0xbf}, {0xd7, 0xd7}, {0xf7, 0xf7}, {0x2000, 0x2070}, {0x20a0, 0x20cf},
	    {0x2190, 0x2bff}, {0x2e00, 0x2e7f}, {0x3000, 0x3004}, {0x3008, 0x3020},
	    {0xe000, 0xf8ff}, {0xfe00, 0xfe6f}, {0xff01, 0xff0f}, {0xff1a, 0xff20},
	    {0xff3b, 0xff40}, {0xff5b, 0xff65}, {0xfff0, 0xffff}, {0x1f000, 0x1faff},
	    {0xe0000, 0x10ffff}};

	return chars_have(ranges, ARRAY_LEN(ranges), cp);
}

/* The length of the letter at s, or 0 with *skip set to the length of what is there. */
static size_t
letter(const char *s, size_t len, size_t *skip)
{
	unsigned char c = (unsigned char)s[0];
	uint32_t cp;
	size_t n;

	*skip = 1;
	if (c < 0x80) {
		if (c == '\\' && len > 1 && (s[1] == 'n' || s[1] == 'r' || s[1] == 't'))
			*skip = 2;
		return isalnum(c) ? 1 : 0;
	}
	n = utf8_decode(s, len, &cp);
	if (n > 0)
		*skip = n;
	return n > 0 && !is_sign(cp) ? n : 0;
}

/* The next word at or after *at; false at the end. */
static bool
next_word(const char *s, size_t len, size_t *at, struct word *word)
{
	size_t i = *at, n = 0, skip;

	while (i < len && (n = letter(s + i, len - i, &skip)) == 0)
		i += skip;
	word->at = i;
	while (i < len && (n = letter(s + i, len - i, &skip)) > 0)
		i += n;
	word->len = i - word->at;
	*at = i;
	return word->len > 0;
}

void
echo_letters(const char *text, size_t len, struct buf *out)
{
	struct word word;

	for (size_t at = 0; next_word(text, len, &at, &word);)
		buf_add(out, text + word.at, word.len);
}

static void
words_add(struct words *words, struct word word)
{
	words->list = xgrow(words->list, words->count, &words->cap, sizeof(*words->list));
	words->list[words->count++] = word;
}

static uint64_t
hash(const char *s, size_t len)
{
	return XXH3_64bits(s, len);
}

/* ---- the prompt ---------------------------------------------------------------------- */

static int
by_hash(const void *a, const void *b)
{
	const struct occurrence *x = a, *y = b;

	if (x->hash != y->hash)
		return x->hash < y->hash ? -1 : 1;
	return x->word < y->word ? -1 : x->word > y->word;
}

/* Where a word occurs in the prompt: the first of *count entries of the index. */
static const struct occurrence *
occurrences(const struct echo *e, uint64_t h, size_t *count)
{
	size_t lo = 0, hi = e->words.count, first;

	while (lo < hi) {
		size_t mid = lo + (hi - lo) / 2;

		if (e->index[mid].hash < h)
			lo = mid + 1;
		else
			hi = mid;
	}
	first = lo;
	while (lo < e->words.count && lo - first < OCCURRENCES_MAX && e->index[lo].hash == h)
		lo++;
	*count = lo - first;
	return e->index + first;
}

static size_t
gram_hash(const struct echo *e, const char *letters)
{
	uint32_t gram;

	memcpy(&gram, letters, sizeof(gram));
	return (gram * UINT64_C(0x9e3779b97f4a7c15)) >> 32 & (e->ngrams - 1);
}

static bool
gram_has(const struct echo *e, const char *letters)
{
	size_t bit = gram_hash(e, letters);

	return e->grams[bit / 64] >> bit % 64 & 1;
}

static void
grams_fill(struct echo *e)
{
	e->ngrams = GRAMS_MIN;
	while (e->ngrams < GRAMS_MAX && e->ngrams / 8 < e->letters.len)
		e->ngrams *= 2;
	e->grams = xcalloc(e->ngrams / 64, sizeof(*e->grams));
	for (size_t i = 0; i + GRAM <= e->letters.len; i++) {
		size_t bit = gram_hash(e, e->letters.data + i);

		e->grams[bit / 64] |= UINT64_C(1) << bit % 64;
	}
}

struct echo *
echo_new(const char *prompt, size_t len)
{
	struct echo *e = xcalloc(1, sizeof(*e));
	struct word word;

	buf_init(&e->letters);
	buf_init(&e->line);
	for (size_t at = 0; next_word(prompt, len, &at, &word);) {
		word.hash = hash(prompt + word.at, word.len);
		buf_add(&e->letters, prompt + word.at, word.len);
		word.at = e->letters.len - word.len;
		words_add(&e->words, word);
	}
	e->index = xcalloc(e->words.count + 1, sizeof(*e->index));
	for (size_t i = 0; i < e->words.count; i++)
		e->index[i] = (struct occurrence){e->words.list[i].hash, i};
	qsort(e->index, e->words.count, sizeof(*e->index), by_hash);
	grams_fill(e);
	if (e->words.count > OPENING_WORDS)
		e->opening = e->words.list[OPENING_WORDS].at;
	else
		e->opening = e->letters.len;
	if (e->opening < OPENING_MIN)
		e->opening = 0;
	return e;
}

void
echo_free(struct echo *e)
{
	if (e == NULL)
		return;
	buf_release(&e->letters);
	buf_release(&e->line);
	free(e->words.list);
	free(e->index);
	free(e->grams);
	free(e);
}

struct echo_place
echo_place(const struct echo *e)
{
	return e->run;
}

void
echo_return(struct echo *e, struct echo_place place)
{
	e->run = place;
}

/* ---- repetitions that go on ---------------------------------------------------------- */

static bool
prompt_has(const struct echo *e, size_t at, const char *s, size_t len)
{
	return len > 0 && len <= e->letters.len - at && !memcmp(e->letters.data + at, s, len);
}

static void
run_begin(struct echo *e, size_t at, size_t len)
{
	e->run = (struct echo_place){at + len, 1, len, at == 0};
}

static bool
run_goes_on(struct echo *e, const char *s, size_t len)
{
	if (e->run.next == 0 || !prompt_has(e, e->run.next, s, len))
		return false;
	e->run.next += len;
	e->run.lines++;
	e->run.letters += len;
	return true;
}

/* Does the prompt begin here, with the line or behind other words ("You: ...")? */
static bool
run_opens(struct echo *e, const char *s, size_t len)
{
	const char *found;

	if (prompt_has(e, 0, s, len)) {
		run_begin(e, 0, len);
		return true;
	}
	if (!e->opening || len < e->opening)
		return false;
	found = memmem(s, len, e->letters.data, e->opening);
	if (found == NULL || !prompt_has(e, 0, found, len - (size_t)(found - s)))
		return false;
	run_begin(e, 0, len - (size_t)(found - s));
	return true;
}

/* Among words that follow each other, the one that the prompt has least often. */
struct rarest {
	const struct occurrence *list; /* NULL: none of them occurs */
	size_t count;
	size_t word; /* which of those words it is, from 0 */
};

/* Returns how often the word occurs. */
static size_t
rarest_consider(const struct echo *e, uint64_t h, size_t word, struct rarest *r)
{
	size_t count;
	const struct occurrence *list = occurrences(e, h, &count);

	if (count > 0 && (r->list == NULL || count < r->count))
		*r = (struct rarest){list, count, word};
	return count;
}

/* Is the whole line somewhere inside the prompt?  Looks for the rarest of its first words. */
static bool
run_joins(struct echo *e, const char *line, size_t line_len)
{
	struct rarest best = {0};
	struct word word;
	size_t at = 0;

	for (size_t k = 0; k < OPENING_WORDS && next_word(line, line_len, &at, &word); k++)
		if (rarest_consider(e, hash(line + word.at, word.len), k, &best) == 0 && k == 0)
			return false;
	for (size_t i = 0; i < best.count && i < PLACES_MAX; i++) {
		size_t from;

		if (best.list[i].word < best.word)
			continue;
		from = e->words.list[best.list[i].word - best.word].at;
		if (prompt_has(e, from, e->line.data, e->line.len)) {
			run_begin(e, from, e->line.len);
			return true;
		}
	}
	return false;
}

/* Length of the line number before a line's text, as files are shown with line numbers; 0:
 * none. */
static size_t
line_number(const char *line, size_t len)
{
	struct word word;
	size_t at = 0, digits = 0;

	if (!next_word(line, len, &at, &word) || word.at + word.len == len)
		return 0;
	while (digits < word.len && isdigit((unsigned char)line[word.at + digits]))
		digits++;
	return digits == word.len ? digits : 0;
}

/*
 * Has the prompt nothing like the line's end?  That is so for nearly all that an agent prints,
 * and a few letters tell.  True is certain: where these letters are not in the prompt, the line
 * is not, nor does its end begin the prompt, which takes `opening` letters.  The letters do not
 * begin with a digit, so that they are no part of a line number.
 */
static bool
tail_is_foreign(const struct echo *e, const char *line, size_t len)
{
	size_t most = e->opening > 0 && e->opening < TAIL_MAX ? e->opening : TAIL_MAX;
	char tail[TAIL_MAX];
	size_t at = most, n;
	uint32_t c;

	for (; len > 0 && at > 0; len -= n) {
		n = chars_last(line, len, &c);
		if (n == 0 || (c >= 0x80 && !is_sign(c)))
			return false;
		if (c >= 0x80 || !isalnum((int)c) ||
		    (len > 1 && line[len - 2] == '\\' && (c == 'n' || c == 'r' || c == 't')))
			continue;
		tail[--at] = (char)c;
		if (most - at >= GRAM && !isdigit((int)c) && !gram_has(e, tail + at))
			return true;
	}
	return false;
}

bool
echo_line(struct echo *e, const char *line, size_t len)
{
	struct echo_place before = e->run;
	const char *s;
	size_t n, number;

	if (e->letters.len == 0)
		return false;
	if (tail_is_foreign(e, line, len)) {
		e->run = (struct echo_place){0};
		return false;
	}
	buf_clear(&e->line);
	echo_letters(line, len, &e->line);
	if (e->line.len == 0)
		return false;
	s = e->line.data;
	n = e->line.len;
	number = line_number(line, len);
	if (run_goes_on(e, s, n) || (number && run_goes_on(e, s + number, n - number)))
		return before.first ||
		       (before.lines >= ECHO_LONG_LINES && before.letters >= ECHO_LONG_LETTERS);
	if (run_opens(e, s, n) || (number && run_opens(e, s + number, n - number)))
		return true;
	if (!run_joins(e, line, len))
		e->run = (struct echo_place){0};
	return false;
}

/* ---- matches with words around them -------------------------------------------------- */

struct match {
	struct words line;
	size_t first, last; /* words of the match: [first, last) */
};

static void
match_words(struct match *m, const char *line, size_t len, size_t start, size_t end)
{
	struct word word;

	*m = (struct match){0};
	for (size_t at = 0; next_word(line, len, &at, &word);) {
		if (word.at + word.len <= start)
			m->first++;
		if (word.at < end)
			m->last++;
		word.hash = hash(line + word.at, word.len);
		words_add(&m->line, word);
	}
	/* The word beside a match of signs alone (a tick) stands for the match. */
	if (m->last < m->first)
		m->last = m->first;
	if (m->first == m->last && m->first > 0)
		m->first--;
	else if (m->first == m->last && m->last < m->line.count)
		m->last++;
}

/* How many words agree, and whether nothing within ECHO_WORDS disagreed. */
struct agreement {
	size_t words;
	bool whole;
};

/* The words before two places, or from them on; there are `ours` and `theirs` of them. */
static struct agreement
agree(const struct word *a, size_t ours, const struct word *b, size_t theirs, bool before)
{
	struct agreement found = {0, true};

	while (found.words < ECHO_WORDS && found.words < ours && found.words < theirs) {
		ptrdiff_t i = (ptrdiff_t)found.words;

		i = before ? -1 - i : i;
		found.whole = a[i].hash == b[i].hash;
		if (!found.whole)
			break;
		found.words++;
	}
	return found;
}

/* Does the prompt have the match at its word `at`, in the same surroundings? */
static bool
surrounded(const struct echo *e, const struct match *m, size_t at)
{
	size_t count = m->last - m->first;
	struct agreement before, after;

	if (count > e->words.count - at)
		return false;
	for (size_t i = 0; i < count; i++)
		if (m->line.list[m->first + i].hash != e->words.list[at + i].hash)
			return false;
	before = agree(m->line.list + m->first, m->first, e->words.list + at, at, true);
	at += count;
	after = agree(m->line.list + m->last, m->line.count - m->last, e->words.list + at,
	    e->words.count - at, false);
	if (before.whole && after.whole)
		return before.words + after.words > 0;
	return before.words && after.words && before.words + after.words >= 3;
}

bool
echo_contains(const struct echo *e, const char *line, size_t len, size_t start, size_t end)
{
	struct rarest best = {0};
	struct match m;
	bool found = false, all = true;

	if (e->words.count == 0)
		return false;
	match_words(&m, line, len, start, end);
	for (size_t i = m.first; i < m.last && all; i++)
		all = rarest_consider(e, m.line.list[i].hash, i - m.first, &best) > 0;
	for (size_t i = 0; all && i < best.count && !found; i++)
		if (best.list[i].word >= best.word)
			found = surrounded(e, &m, best.list[i].word - best.word);
	free(m.line.list);
	return found;
}
