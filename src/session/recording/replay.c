/*
 * replay.c - a recording read back, also while it is being written.
 */
#include "session/recording/recording.h"

#include "base/alloc.h"
#include "base/fs.h"
#include <errno.h>
#include <fcntl.h>

#define PIECE 65536

struct gap {
	int64_t from, to;
};

struct recording_reader {
	int raw, times;
	int64_t times_at; /* read so far */
	struct buf text;  /* lines of output.times not delivered yet */
	size_t scanned;	  /* bytes of text that were searched for gaps */
	int64_t offset;	  /* in output.raw, of the next chunk */
	struct gap *gaps;
	size_t ngaps, gaps_cap;
	char *piece;
};

/* One line of output.times, taken apart. */
struct times_line {
	int64_t ms;
	char kind;    /* the letter at the end of the line */
	int64_t a, b; /* length; from and to; rows and cols */
};

/* A number of at most 18 digits, then `after`. */
static bool
number_parse(const char **p, const char *end, char after, int64_t *n)
{
	const char *s = *p;
	int digits = 0;

	for (*n = 0; s < end && *s >= '0' && *s <= '9' && digits < 18; s++, digits++)
		*n = *n * 10 + (*s - '0');
	if (digits == 0 || s == end || *s != after)
		return false;
	*p = s + 1;
	return true;
}

static bool
times_line_parse(const char *line, size_t len, struct times_line *e)
{
	const char *p = line, *end = line + len;

	*e = (struct times_line){0};
	if (len < 1)
		return false;
	e->kind = end[-1];
	if (!number_parse(&p, end, ' ', &e->ms))
		return false;
	switch (e->kind) {
	case 'o':
	case 'e':
	case 'i':
	case 'r':
		return number_parse(&p, end, ' ', &e->a) && p == end - 1;
	case 's':
		return number_parse(&p, end, 'x', &e->a) && number_parse(&p, end, ' ', &e->b) &&
		       p == end - 1 && e->a <= 0x7fff && e->b <= 0xffff;
	case 'g':
		return number_parse(&p, end, ' ', &e->a) && number_parse(&p, end, ' ', &e->b) &&
		       p == end - 1 && e->a < e->b;
	default:
		return false;
	}
}

static void
gap_note(struct recording_reader *r, int64_t from, int64_t to)
{
	struct gap *last = r->ngaps > 0 ? &r->gaps[r->ngaps - 1] : NULL;

	if (last != NULL && from >= last->from && from <= last->to) {
		last->to = to > last->to ? to : last->to;
		return;
	}
	r->gaps = xgrow(r->gaps, r->ngaps, &r->gaps_cap, sizeof(*r->gaps));
	r->gaps[r->ngaps++] = (struct gap){from, to};
}

/*
 * Is the byte at `offset` missing?  Shortens *len to the end of the gap, or to the beginning of
 * the next gap.
 */
static bool
gap_at(const struct recording_reader *r, int64_t offset, int64_t *len)
{
	for (size_t i = 0; i < r->ngaps; i++) {
		const struct gap *g = &r->gaps[i];

		if (offset >= g->from && offset < g->to) {
			*len = g->to - offset < *len ? g->to - offset : *len;
			return true;
		}
		if (g->from > offset && g->from - offset < *len)
			*len = g->from - offset;
	}
	return false;
}

/* The end of the last whole line. */
static size_t
whole_lines(const struct buf *text)
{
	const char *nl = memrchr(text->data, '\n', text->len);

	return nl != NULL ? (size_t)(nl - text->data) + 1 : 0;
}

/* Fetches the lines that were added, and learns of their gaps. */
static int
times_refresh(struct recording_reader *r, struct err *err)
{
	size_t whole;

	for (;;) {
		ssize_t n;

		buf_reserve(&r->text, PIECE);
		n = pread(r->times, r->text.data + r->text.len, PIECE, r->times_at);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_errno(err, "cannot read output.times");
		r->text.len += (size_t)n;
		r->text.data[r->text.len] = '\0';
		r->times_at += n;
		if (n == 0)
			break;
	}
	whole = whole_lines(&r->text);
	while (r->scanned < whole) {
		const char *line = r->text.data + r->scanned;
		size_t len = (size_t)((char *)memchr(line, '\n', whole - r->scanned) - line);
		struct times_line e;

		if (times_line_parse(line, len, &e) && e.kind == 'g')
			gap_note(r, e.a, e.b);
		r->scanned += len + 1;
	}
	return 0;
}

/*
 * Delivers [offset, end).  Looks at the lines again after reading the bytes: when a hole was
 * made meanwhile, the bytes may be zeros, and a g line says so.
 */
static int
chunk_deliver(struct recording_reader *r, const struct times_line *e, int64_t *missing,
    recording_fn *fn, void *ctx, struct err *err)
{
	int64_t end = r->offset + e->a;

	while (r->offset < end) {
		int64_t n = end - r->offset < PIECE ? end - r->offset : PIECE, whole;
		ssize_t got;

		whole = end - r->offset;
		if (gap_at(r, r->offset, &whole)) {
			*missing += whole;
			r->offset += whole;
			continue;
		}
		n = whole < n ? whole : n;
		got = pread(r->raw, r->piece, (size_t)n, r->offset);
		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_errno(err, "cannot read output.raw");
		if (got == 0) {
			*missing += end - r->offset;
			r->offset = end;
			break;
		}
		if (times_refresh(r, err) < 0)
			return -1;
		n = got;
		if (gap_at(r, r->offset, &n) || n < got)
			continue;
		if (*missing > 0)
			fn(ctx, e->ms, 'g', NULL, (size_t)*missing);
		*missing = 0;
		fn(ctx, e->ms, e->kind, r->piece, (size_t)got);
		r->offset += got;
	}
	return 0;
}

struct recording_reader *
recording_open(int session_dirfd, struct err *err)
{
	const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
	AUTO_CLOSE int raw = openat(session_dirfd, "output.raw", flags);
	AUTO_CLOSE int times = openat(session_dirfd, "output.times", flags);
	struct recording_reader *r;

	if (raw < 0 || times < 0) {
		err_errno(err, "cannot open the recording");
		return NULL;
	}
	r = xcalloc(1, sizeof(*r));
	buf_init(&r->text);
	r->piece = xmalloc(PIECE);
	r->raw = take_fd(&raw);
	r->times = take_fd(&times);
	return r;
}

int
recording_read(struct recording_reader *r, recording_fn *fn, void *ctx, struct err *err)
{
	int64_t missing = 0, ms = 0;
	size_t at = 0;
	int chunks = 0, rc = 0;

	if (times_refresh(r, err) < 0)
		return -1;
	while (rc == 0 && at < r->scanned) {
		const char *line = r->text.data + at;
		size_t len = (size_t)((char *)memchr(line, '\n', r->scanned - at) - line);
		struct times_line e;

		at += len + 1;
		if (!times_line_parse(line, len, &e))
			continue;
		ms = e.ms;
		if (e.kind == 's') {
			fn(ctx, ms, 's', NULL, (size_t)(e.a << 16 | e.b));
		} else if (e.kind != 'g') {
			rc = chunk_deliver(r, &e, &missing, fn, ctx, err);
		} else if (e.b > r->offset && e.a <= r->offset) {
			/* The bytes were never written: no line of a chunk stands for them. */
			missing += e.b - r->offset;
			r->offset = e.b;
		}
		chunks++;
	}
	if (missing > 0)
		fn(ctx, ms, 'g', NULL, (size_t)missing);
	buf_drop(&r->text, at);
	r->scanned -= at;
	return rc < 0 ? -1 : chunks;
}

void
recording_reader_free(struct recording_reader *r)
{
	if (r == NULL)
		return;
	close(r->raw);
	close(r->times);
	buf_release(&r->text);
	free(r->gaps);
	free(r->piece);
	free(r);
}

int
recording_tail(int session_dirfd, size_t max, struct buf *out, struct err *err)
{
	AUTO_CLOSE int fd =
	    openat(session_dirfd, "output.raw", O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
	struct stat st;
	off_t at;

	if (fd < 0 || fstat(fd, &st) < 0)
		return err_errno(err, "cannot open output.raw");
	at = st.st_size > (off_t)max ? st.st_size - (off_t)max : 0;
	buf_reserve(out, max);
	while (max > 0) {
		ssize_t n = pread(fd, out->data + out->len, max, at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return err_errno(err, "cannot read output.raw");
		if (n == 0)
			break;
		out->len += (size_t)n;
		at += n;
		max -= (size_t)n;
	}
	out->data[out->len] = '\0';
	return 0;
}
