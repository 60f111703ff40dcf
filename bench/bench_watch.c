/*
 * bench_watch - how fast output is searched for the done pattern, next to a floor that does the
 * same work without it: cutting into lines for a pipe, the emulator for a terminal.  Prints
 * both, in MB of output a second of CPU time, and what was done.  Nothing is found.
 */
#include "term/term.h"
#include "watch/done.h"
#include "watch/lines.h"

#include <err.h>
#include <stdio.h>
#include <time.h>

enum { ROWS = 40, COLS = 120, CHUNK = 65536, SAMPLE = 4 << 20, ROUNDS = 6 };

static const char prompt[] = "Do the first unchecked task of PLAN.md, commit, and stop.\n";

static volatile size_t lines; /* what a compiler must not leave out */

struct bench {
	struct lines lines;
	struct term *term;
	struct done *done; /* NULL: the floor */
};

static double
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void
not_yet(enum done_result result)
{
	if (result != DONE_NO)
		errx(1, "found what nobody said");
}

static void
line_came(void *ctx, const char *line, size_t len)
{
	struct bench *b = ctx;

	lines += len > 0;
	if (b->done != NULL)
		not_yet(done_line(b->done, line, len));
}

static void
row_left(void *ctx, const char *text, size_t len, bool wrapped)
{
	struct bench *b = ctx;

	lines += len > 0;
	if (b->done != NULL)
		not_yet(done_row(b->done, text, len, wrapped));
}

static bool
row_text(void *ctx, int row, struct buf *out)
{
	return term_row_text(ctx, row, out);
}

/* As bench/agent floods. */
static void
make_log(struct buf *out)
{
	for (unsigned i = 0; out->len < SAMPLE; i++)
		buf_addf(out,
		    "\033[2m%010u\033[0m \033[1;3%umINFO\033[0m worker-%u compiled "
		    "\033[4msrc/room%u/file.c\033[0m in %u ms, no warnings\r\n",
		    i, i % 8, i % 7, i % 9, i % 977);
}

static void
make_plain(struct buf *out)
{
	for (unsigned i = 0; out->len < SAMPLE; i++)
		buf_addf(out, "%010u INFO worker-%u compiled src/room%u/file.c in %u ms\r\n", i,
		    i % 7, i % 9, i % 977);
}

static void
feed(struct bench *b, const char *data, size_t len)
{
	if (b->term == NULL) {
		lines_feed(&b->lines, data, len);
		return;
	}
	term_feed(b->term, data, len);
	if (b->done != NULL)
		not_yet(done_screen(b->done, ROWS, COLS, row_text, b->term));
}

/* In MB/s.  The best round: the others had to share the caches. */
static double
speed(const struct buf *in, bool terminal, const char *pattern)
{
	struct bench b = {0};
	struct term_callbacks cb = {.line_out = row_left, .ctx = &b};
	struct err err = ERR_INIT;
	double best = 0;

	lines_init(&b.lines, line_came, &b);
	b.term = terminal ? term_new(ROWS, COLS, &cb) : NULL;
	b.done = pattern != NULL ? done_new(pattern, prompt, sizeof(prompt) - 1, &err) : NULL;
	if (pattern != NULL && b.done == NULL)
		errx(1, "%s", err.text);
	for (int i = 0; i < ROUNDS; i++) {
		double start = now(), took;

		for (size_t at = 0; at < in->len; at += CHUNK)
			feed(&b, in->data + at, in->len - at < CHUNK ? in->len - at : CHUNK);
		took = now() - start;
		if (i == 0 || took < best)
			best = took;
	}
	done_free(b.done);
	term_free(b.term);
	lines_release(&b.lines);
	return (double)in->len / best / 1e6;
}

int
main(void)
{
	static const struct {
		const char *name, *pattern;
	} patterns[] = {
	    {"one pattern", "never [0-9]+ printed"},
	    {"ten literals",
		"All tasks complete|ALL DONE|nothing left to do|No remaining tasks|"
		"plan is finished|all tests pass|I am done|work is complete|"
		"DONE_WITH_EVERYTHING|TASKS FINISHED"},
	    {"letters of any case", "(?i)all tasks (are )?complete"},
	    {"no literal", "^\\s*[A-Z]+:\\s+\\d+%$"},
	};
	static const struct {
		const char *name;
		void (*make)(struct buf *out);
	} samples[] = {{"coloured log", make_log}, {"plain log", make_plain}};

	for (size_t s = 0; s < ARRAY_LEN(samples); s++) {
		AUTO_BUF in = BUF_INIT;

		samples[s].make(&in);
		for (int terminal = 0; terminal < 2; terminal++) {
			double floor = speed(&in, terminal, NULL);

			for (size_t i = 0; i < ARRAY_LEN(patterns); i++)
				printf("%.0f %.0f %s, %s, %s\n",
				    speed(&in, terminal, patterns[i].pattern), floor,
				    terminal ? "terminal" : "pipe", samples[s].name,
				    patterns[i].name);
		}
	}
	return 0;
}
