/*
 * The search for the done pattern gives, at each line, row and screen, the answer that the
 * plain search of tests/fuzz/plain gives there, in whatever pieces a pipe brings the lines.  So
 * that the first match does not end it, each line is compared with the prompt and measured as a
 * row in both ways, too.
 *
 * The first byte says how wide the terminal is, and seeds the pieces and the looks at the
 * screen; the pattern follows up to a newline, the prompt up to a form feed, then lines.  A
 * line that begins with \1 was typed.  One that begins with \2 is a part of the prompt: the
 * next two bytes say which; behind \3 the same has a line number.
 */
#include "base/err.h"
#include "watch/done.h"
#include "watch/echo.h"
#include "watch/lines.h"

#define WRAPPED '\r' /* at the end of a row: the terminal wrapped it */
#define ROWS_MAX 12  /* of a screen */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct done *plain_done_new(
    const char *pattern, const char *prompt, size_t prompt_len, struct err *err) NODISCARD;
void plain_done_free(struct done *d);
enum done_result plain_done_line(struct done *d, const char *line, size_t len);
enum done_result plain_done_row(struct done *d, const char *text, size_t len, bool wrapped);
enum done_result plain_done_screen(struct done *d, int rows, int width, row_fn *row, void *ctx);
const char *plain_done_text(const struct done *d);
void plain_done_typed(struct done *d, const char *text, size_t len);
struct echo *plain_echo_new(const char *prompt, size_t len) NODISCARD;
void plain_echo_free(struct echo *e);
bool plain_echo_line(struct echo *e, const char *line, size_t len);
struct echo_place plain_echo_place(const struct echo *e);
struct row plain_row_add(struct buf *all, const char *text, size_t len, bool wrapped);

/* One of the two, by its functions. */
struct search {
	struct done *(*begin)(const char *, const char *, size_t, struct err *);
	void (*end)(struct done *);
	enum done_result (*line)(struct done *, const char *, size_t);
	enum done_result (*row)(struct done *, const char *, size_t, bool);
	enum done_result (*screen)(struct done *, int, int, row_fn *, void *);
	const char *(*text)(const struct done *);
	void (*typed)(struct done *, const char *, size_t);
};

static const struct search today = {
    done_new, done_free, done_line, done_row, done_screen, done_text, done_typed};
static const struct search plain = {plain_done_new, plain_done_free, plain_done_line,
    plain_done_row, plain_done_screen, plain_done_text, plain_done_typed};

/* What is searched. */
struct input {
	struct buf pattern, prompt, lines;
	int width;
	unsigned seed;
};

/* One search, and what it answered so far. */
struct run {
	const struct search *search;
	struct done *done;
	struct buf answers; /* a letter each, then the matched text */
	unsigned seed;
	bool expensive; /* the clock had a say: the answers count no more */
};

static unsigned
pick(unsigned *seed, unsigned below)
{
	*seed = *seed * 1103515245u + 12345u;
	return (*seed >> 16) % below;
}

static void
answer(struct run *r, enum done_result result)
{
	static const char letters[] = {
	    [DONE_NO] = 'n', [DONE_YES] = 'y', [DONE_EXPENSIVE] = 'e'};

	buf_addc(&r->answers, letters[result]);
	r->expensive |= result == DONE_EXPENSIVE;
	if (result == DONE_YES)
		buf_adds(&r->answers, r->search->text(r->done));
}

/* ---- input --------------------------------------------------------------------------- */

/* Appends the part of the prompt that two bytes name, on one line. */
static void
add_part(struct input *in, const char *bytes)
{
	size_t at = (unsigned char)bytes[0] * in->prompt.len / 256, from = in->lines.len;
	size_t n = (unsigned char)bytes[1];

	n = n < in->prompt.len - at ? n : in->prompt.len - at;
	buf_add(&in->lines, in->prompt.data + at, n);
	for (; from < in->lines.len; from++)
		if (in->lines.data[from] == '\n')
			in->lines.data[from] = ' ';
}

static void
add_lines(struct input *in, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		bool begins = i == 0 || s[i - 1] == '\n';

		if (begins && (s[i] == 2 || s[i] == 3) && i + 2 < len) {
			if (s[i] == 3)
				buf_addf(&in->lines, "%zu ", i % 120);
			add_part(in, s + i + 1);
			i += 2;
		} else {
			buf_addc(&in->lines, s[i]);
		}
	}
}

static bool
input_read(struct input *in, const char *s, size_t size)
{
	static const int widths[] = {0, 9, 24, 40, 80, 120};
	const char *newline, *feed;

	if (size < 2 || (newline = memchr(s + 1, '\n', size - 1)) == NULL)
		return false;
	feed = memchr(newline, '\f', size - (size_t)(newline - s));
	if (feed == NULL)
		return false;
	in->seed = (unsigned char)s[0];
	in->width = widths[in->seed % ARRAY_LEN(widths)];
	buf_add(&in->pattern, s + 1, (size_t)(newline - s) - 1);
	buf_add(&in->prompt, newline + 1, (size_t)(feed - newline) - 1);
	add_lines(in, feed + 1, size - (size_t)(feed - s) - 1);
	return true;
}

/* The next line from `at` on; false at the end. */
static bool
next_line(const struct buf *lines, size_t *at, const char **line, size_t *len)
{
	const char *end;

	if (*at >= lines->len)
		return false;
	*line = lines->data + *at;
	end = memchr(*line, '\n', lines->len - *at);
	*len = end != NULL ? (size_t)(end - *line) : lines->len - *at;
	*at += *len + 1;
	return true;
}

/* ---- a pipe -------------------------------------------------------------------------- */

static void
line_came(void *ctx, const char *line, size_t len)
{
	struct run *r = ctx;

	answer(r, r->search->line(r->done, line, len));
}

/* `most`: bytes of a piece. */
static void
pipe_run(struct run *r, const struct input *in, unsigned most)
{
	struct lines l;

	lines_init(&l, line_came, r);
	for (size_t at = 0, n; at < in->lines.len; at += n) {
		n = 1 + pick(&r->seed, most);
		n = n < in->lines.len - at ? n : in->lines.len - at;
		lines_feed(&l, in->lines.data + at, n);
	}
	lines_flush(&l);
	lines_release(&l);
}

/* ---- a terminal ---------------------------------------------------------------------- */

/* The rows of a screen: the lines from `at` on. */
struct screen {
	const struct buf *lines;
	size_t at;
};

static bool
screen_row(void *ctx, int n, struct buf *out)
{
	const struct screen *s = ctx;
	size_t at = s->at, len = 0;
	const char *line = "";

	while (n-- >= 0)
		if (!next_line(s->lines, &at, &line, &len))
			return false;
	if (len > 0 && line[len - 1] == WRAPPED) {
		buf_add(out, line, len - 1);
		return true;
	}
	buf_add(out, line, len);
	return false;
}

static void
terminal_run(struct run *r, const struct input *in, unsigned unused UNUSED)
{
	size_t at = 0, len;
	const char *line;

	while (next_line(&in->lines, &at, &line, &len)) {
		struct screen s = {&in->lines, at};
		bool wrapped = len > 0 && line[len - 1] == WRAPPED;

		if (len > 0 && line[0] == 1)
			r->search->typed(r->done, line + 1, len - 1);
		else
			answer(r, r->search->row(r->done, line, len - wrapped, wrapped));
		if (pick(&r->seed, 3) == 0)
			answer(r, r->search->screen(r->done, (int)pick(&r->seed, ROWS_MAX),
				      in->width, screen_row, &s));
	}
}

/* ---- line by line -------------------------------------------------------------------- */

static void
compare_row(const char *line, size_t len)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF plain_text = BUF_INIT;
	struct row a = row_add(&text, line, len, false);
	struct row b = plain_row_add(&plain_text, line, len, false);

	ENSURE(a.from == b.from && a.to == b.to && a.cols == b.cols && a.word == b.word);
	ENSURE(a.item == b.item && a.quoted == b.quoted && a.hash == b.hash);
}

static void
compare_lines(const struct input *in)
{
	struct echo *a = echo_new(in->prompt.data, in->prompt.len);
	struct echo *b = plain_echo_new(in->prompt.data, in->prompt.len);
	size_t at = 0, len;
	const char *line;

	while (next_line(&in->lines, &at, &line, &len)) {
		struct echo_place p, q;

		ENSURE(echo_line(a, line, len) == plain_echo_line(b, line, len));
		p = echo_place(a);
		q = plain_echo_place(b);
		ENSURE(p.next == q.next && p.lines == q.lines && p.letters == q.letters &&
		       p.first == q.first);
		compare_row(line, len);
	}
	echo_free(a);
	plain_echo_free(b);
}

/* ---- both ---------------------------------------------------------------------------- */

static void
run_begin(struct run *r, const struct search *search, const struct input *in)
{
	struct err err = ERR_INIT;

	*r = (struct run){.search = search, .answers = BUF_INIT, .seed = in->seed};
	r->done = search->begin(in->pattern.data, in->prompt.data, in->prompt.len, &err);
	if (r->done == NULL)
		buf_adds(&r->answers, err.text);
}

static void
compare(const struct input *in, void (*search)(struct run *, const struct input *, unsigned))
{
	struct run a, b;

	run_begin(&a, &today, in);
	run_begin(&b, &plain, in);
	ENSURE((a.done == NULL) == (b.done == NULL));
	if (a.done != NULL) {
		search(&a, in, 40);
		search(&b, in, 65536);
	}
	if (!a.expensive && !b.expensive) {
		ENSURE(a.answers.len == b.answers.len);
		ENSURE(memcmp(a.answers.data, b.answers.data, a.answers.len) == 0);
	}
	today.end(a.done);
	plain.end(b.done);
	buf_release(&a.answers);
	buf_release(&b.answers);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {.pattern = BUF_INIT, .prompt = BUF_INIT, .lines = BUF_INIT};

	if (input_read(&in, (const char *)data, size)) {
		compare_lines(&in);
		compare(&in, pipe_run);
		compare(&in, terminal_run);
	}
	buf_release(&in.pattern);
	buf_release(&in.prompt);
	buf_release(&in.lines);
	return 0;
}
