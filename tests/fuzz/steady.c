/*
 * steady.c - the same inputs for a fuzz target in every run, on every machine.
 *
 *     steady_TARGET RUNS LAST CORPUS-FILE...
 *
 * The corpus, then RUNS inputs made from it: parts of its files, changed by a generator of
 * numbers that always begins with the same one.  Nothing that the target does has a say in what
 * comes next, so a run that finds something finds it again.  The input with which the target
 * aborts (sanitizers are told to, too) is kept in LAST.
 *
 * A fuzzer that learns from what the target does (./test --long) goes deeper.  It cannot be
 * steady: clocks, hashes and names of temporary files have a say there.
 */
#include "base/alloc.h"
#include "base/fs.h"
#include "ticket/front.h"
#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>

#define INPUT_MAX 4096
#define CHANGES_MAX 8

int LLVMFuzzerInitialize(int *argc, char ***argv) __attribute__((weak));
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct corpus {
	struct buf *inputs;
	size_t n;
};

static uint64_t numbers = 0x9e3779b97f4a7c15;
static const char *last; /* the file */
static struct span now;	 /* the input that the target has */

/* A number below `below`, which is not 0. */
static size_t
pick(size_t below)
{
	numbers ^= numbers << 13;
	numbers ^= numbers >> 7;
	numbers ^= numbers << 17;
	return (size_t)(numbers >> 11) % below;
}

/* The bytes from `at` on, `gone` of them, become the `len` bytes at `new`. */
static void
put_part(struct buf *b, size_t at, size_t gone, const char *new, size_t len)
{
	AUTO_BUF out = BUF_INIT;

	buf_add(&out, b->data, at);
	buf_add(&out, new, len);
	buf_add(&out, b->data + at + gone, b->len - at - gone);
	buf_clear(b);
	buf_add(b, out.data, out.len < INPUT_MAX ? out.len : INPUT_MAX);
}

/* A part of one of the inputs; it lies in that input. */
static struct span
part_of(const struct corpus *c)
{
	const struct buf *from = &c->inputs[pick(c->n)];
	size_t at = pick(from->len + 1);

	return (struct span){from->data + at, pick(from->len - at + 1)};
}

static void
change_byte(struct buf *b)
{
	static const char telling[] =
	    "\0\t\n\r \"#'()*,-.:<>@[\\]`x{|}~\x1b\x7f\x80\xc3\xe2\xff";
	char c = pick(2) == 0 ? telling[pick(sizeof(telling) - 1)] : (char)pick(256);
	size_t at = pick(b->len + 1);

	put_part(b, at, at < b->len && pick(2) == 0, &c, 1);
}

static void
change(struct buf *b, const struct corpus *c)
{
	size_t at = pick(b->len + 1), gone = pick(b->len - at + 1);
	AUTO_BUF part = BUF_INIT;
	struct span s;

	switch (pick(6)) {
	case 0: /* a part goes */
		put_part(b, at, gone < 16 ? gone : pick(16), "", 0);
		break;
	case 1: /* a part comes twice, or a part of its own takes another's place */
		buf_add(&part, b->data + at, gone);
		at = pick(b->len + 1);
		put_part(b, at, pick(2) == 0 ? 0 : pick(b->len - at + 1), part.data, part.len);
		break;
	case 2: /* a part of another one comes in */
		s = part_of(c);
		put_part(b, at, pick(2) == 0 ? 0 : gone, s.p, s.len);
		break;
	case 3: /* a bit turns over */
		if (at < b->len)
			b->data[at] = (char)(b->data[at] ^ 1 << pick(8));
		break;
	default:
		change_byte(b);
		break;
	}
}

static void
on_abort(int sig)
{
	int fd = open(last, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	(void)!write(fd, now.p, now.len);
	(void)signal(sig, SIG_DFL);
	(void)raise(sig);
}

static void
give(const struct buf *input)
{
	/* Exactly so long, so that reading beyond it is found. */
	AUTO_FREE char *copy = xmalloc(input->len > 0 ? input->len : 1);

	if (input->len > 0)
		memcpy(copy, input->data, input->len);
	now = (struct span){copy, input->len};
	(void)LLVMFuzzerTestOneInput((uint8_t *)copy, input->len);
}

static void
corpus_read(struct corpus *c, char **files, size_t n)
{
	struct err why = ERR_INIT;

	c->inputs = xcalloc(n, sizeof(*c->inputs));
	c->n = n;
	for (size_t i = 0; i < n; i++)
		if (fs_read(AT_FDCWD, files[i], 1 << 20, &c->inputs[i], &why) < 0)
			errx(2, "%s", why.text);
}

int
main(int argc, char **argv)
{
	size_t runs = argc > 3 ? strtoul(argv[1], NULL, 10) : 0;
	struct corpus c;

	if (runs == 0)
		errx(2, "usage: %s RUNS LAST CORPUS-FILE...", argv[0]);
	last = argv[2];
	(void)signal(SIGABRT, on_abort);
	if (LLVMFuzzerInitialize != NULL)
		(void)LLVMFuzzerInitialize(&argc, &argv);
	corpus_read(&c, argv + 3, (size_t)argc - 3);
	for (size_t i = 0; i < c.n; i++)
		give(&c.inputs[i]);
	for (size_t i = 0; i < runs; i++) {
		AUTO_BUF input = BUF_INIT;
		struct buf *from = &c.inputs[pick(c.n)];

		buf_add(&input, from->data, from->len);
		for (size_t changes = 1 + pick(CHANGES_MAX); changes > 0; changes--)
			change(&input, &c);
		give(&input);
	}
	for (size_t i = 0; i < c.n; i++)
		buf_release(&c.inputs[i]);
	free(c.inputs);
	printf("%zu\n", c.n + runs);
	return 0;
}
