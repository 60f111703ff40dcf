/*
 * term_render - what the emulator makes of a recording, as capture-pane prints it.
 *
 *   term_render [-H] ROWS COLS [OFFSET:ROWSxCOLS ...] < RECORDING
 *
 * Each OFFSET:ROWSxCOLS resizes the terminal when that many bytes have been fed.
 * With -H the lines that left the screen come first.  The last line is the cursor's
 * column and row.
 */
#include "term/term.h"

#include <stdio.h>

static void
usage(void)
{
	fputs("usage: term_render [-H] ROWS COLS [OFFSET:ROWSxCOLS ...] < RECORDING\n", stderr);
	exit(2);
}

static void
line_out(void *ctx, const char *text, size_t len, bool wrapped)
{
	struct buf *history = ctx;

	(void)wrapped;
	buf_add(history, text, len);
	buf_addc(history, '\n');
}

static void
read_all(FILE *file, struct buf *out)
{
	char chunk[65536];
	size_t n;

	while ((n = fread(chunk, 1, sizeof(chunk), file)) > 0)
		buf_add(out, chunk, n);
}

static void
play(struct term *t, const struct buf *recording, char **steps)
{
	size_t fed = 0;

	for (; *steps != NULL; steps++) {
		char *end;
		size_t offset = strtoul(*steps, &end, 10);
		int rows = *end == ':' ? (int)strtol(end + 1, &end, 10) : 0;
		int cols = *end == 'x' ? (int)strtol(end + 1, &end, 10) : 0;

		if (cols == 0 || *end != '\0' || offset < fed || offset > recording->len)
			usage();
		term_feed(t, recording->data + fed, offset - fed);
		fed = offset;
		term_resize(t, rows, cols);
	}
	term_feed(t, recording->data + fed, recording->len - fed);
}

int
main(int argc, char **argv)
{
	AUTO_BUF recording = BUF_INIT;
	AUTO_BUF history = BUF_INIT;
	AUTO_BUF screen = BUF_INIT;
	struct term_callbacks cb = {.line_out = line_out, .ctx = &history};
	struct term *t;
	int row, col;
	bool with_history = argc > 1 && strcmp(argv[1], "-H") == 0;

	argv += with_history ? 2 : 1;
	if (argc - with_history < 3)
		usage();
	t = term_new((int)strtol(argv[0], NULL, 10), (int)strtol(argv[1], NULL, 10), &cb);
	read_all(stdin, &recording);
	play(t, &recording, argv + 2);
	term_text(t, &screen);
	if (with_history)
		fwrite(history.data, 1, history.len, stdout);
	fwrite(screen.data, 1, screen.len, stdout);
	term_cursor(t, &row, &col);
	printf("%d,%d\n", col, row);
	term_free(t);
	return 0;
}
