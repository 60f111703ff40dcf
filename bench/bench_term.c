/*
 * bench_term - how fast the emulator eats output, next to a floor that copies the
 * same bytes and counts their newlines.  Prints both, in MB/s, and what it was fed.
 */
#include "term/term.h"

#include <stdio.h>
#include <time.h>

enum { ROWS = 40, COLS = 120, CHUNK = 65536, SAMPLE = 4 << 20, ROUNDS = 8 };

/* What a compiler must not leave out. */
static volatile size_t lines;

static void
line_out(void *ctx, const char *text, size_t len, bool wrapped)
{
	(void)ctx;
	(void)text;
	(void)wrapped;
	lines += len > 0;
}

static double
now(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (double)ts.tv_sec + (double)ts.tv_nsec / 1e9;
}

static void
make_log(struct buf *out)
{
	for (int i = 0; out->len < SAMPLE; i++)
		buf_addf(out,
		    "\033[2m2024-05-01T12:%02d:%02d\033[0m \033[1;3%dmINFO\033[0m "
		    "\033[38;5;%dmworker-%d\033[0m compiled \033[4msrc/room%d/file.c\033[0m "
		    "in %d ms, no warnings\r\n",
		    i / 60 % 60, i % 60, i % 8, i % 256, i % 7, i % 9, i % 977);
}

static void
make_tui(struct buf *out)
{
	for (int frame = 0; out->len < SAMPLE; frame++) {
		buf_adds(out, "\033[?2026h\033[H");
		for (int y = 1; y <= ROWS; y++)
			buf_addf(out,
			    "\033[%d;1H\033[38;2;%d;%d;200m\xe2\x94\x82\033[0m row %3d  "
			    "\033[7m %5d%% \033[27m %s\033[K\033[%d;%dH\xe2\x94\x82",
			    y, frame % 256, y * 5, y, (frame * y) % 100,
			    "the quick brown fox jumps over the lazy dog", y, COLS);
		buf_adds(out, "\033[?2026l");
	}
}

static void
make_yes(struct buf *out)
{
	while (out->len < SAMPLE)
		buf_adds(out, "y\r\n");
}

static void
make_unicode(struct buf *out)
{
	while (out->len < SAMPLE)
		buf_adds(out, "\xe4\xb8\xad\xe6\x96\x87 na\xc3\xafve cafe\xcc\x81 "
			      "\xf0\x9f\x9a\x80 done\r\n");
}

static void
floor_round(const struct buf *in, void *unused)
{
	static char copy[CHUNK];

	(void)unused;
	for (size_t at = 0; at < in->len; at += CHUNK) {
		size_t n = in->len - at < CHUNK ? in->len - at : CHUNK;
		size_t count = 0;

		memcpy(copy, in->data + at, n);
		for (size_t i = 0; i < n; i++)
			count += copy[i] == '\n';
		lines += count;
	}
}

static void
term_round(const struct buf *in, void *term)
{
	for (size_t at = 0; at < in->len; at += CHUNK)
		term_feed(term, in->data + at, in->len - at < CHUNK ? in->len - at : CHUNK);
}

/* In MB/s.  The best round: the others had to share the machine. */
static double
speed(const struct buf *in, void (*round)(const struct buf *in, void *ctx), void *ctx)
{
	double best = 0;

	for (int i = 0; i < ROUNDS; i++) {
		double start = now(), took;

		round(in, ctx);
		took = now() - start;
		if (i == 0 || took < best)
			best = took;
	}
	return (double)in->len / best / 1e6;
}

int
main(void)
{
	static const struct {
		const char *name;
		void (*make)(struct buf *out);
	} samples[] = {
	    {"coloured log", make_log},
	    {"TUI redraw", make_tui},
	    {"yes", make_yes},
	    {"wide and combining", make_unicode},
	};

	for (size_t i = 0; i < ARRAY_LEN(samples); i++) {
		AUTO_BUF in = BUF_INIT;
		struct term_callbacks cb = {.line_out = line_out};
		struct term *t = term_new(ROWS, COLS, &cb);

		samples[i].make(&in);
		printf("%.0f %.0f %s\n", speed(&in, term_round, t),
		    speed(&in, floor_round, NULL), samples[i].name);
		term_free(t);
	}
	return 0;
}
