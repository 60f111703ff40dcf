#include "session/recording/recording.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>

#define BLOCK 4096

/*
 * An offset in output.raw is always the number of bytes the agent had written before: bytes
 * that could not be written become a hole in the file, so that later bytes are where they
 * belong.
 */
struct recording {
	int raw, times;
	int64_t start;	/* boot time of the first line */
	int64_t length; /* bytes the agent wrote, kept or not */
	int64_t times_length;
	int64_t lost_from; /* start of a gap without a g line yet; -1: none */
	int64_t head;	   /* bytes at the start that are never dropped */
	int64_t hole_end;  /* [head, hole_end) has been dropped */
	int64_t cap;
	bool can_punch;
	bool torn;   /* a failed write left a file at a wrong size */
	bool failed; /* a failure was reported */
};

static int64_t
align_down(int64_t n)
{
	return n - n % BLOCK;
}

/* Adds a line, which begins with the time. */
PRINTF(3, 4)
static int
times_add(struct recording *r, struct err *err, const char *fmt, ...)
{
	AUTO_BUF line = BUF_INIT;
	va_list ap;

	buf_addf(&line, "%" PRId64 " ", (clock_boot() - r->start) / NSEC_PER_MSEC);
	va_start(ap, fmt);
	buf_vaddf(&line, fmt, ap);
	va_end(ap);
	if (fs_append(r->times, "output.times", line.data, line.len, FS_NOSYNC, err) < 0) {
		r->torn = true;
		return -1;
	}
	r->times_length += (int64_t)line.len;
	return 0;
}

static int
gap_add(struct recording *r, int64_t from, int64_t to, struct err *err)
{
	return times_add(r, err, "%" PRId64 " %" PRId64 " g\n", from, to);
}

/* Cuts off what a failed write left behind, and leaves room for the bytes that it did not
 * write. */
static int
sizes_repair(struct recording *r, struct err *err)
{
	if (!r->torn)
		return 0;
	if (fs_cut(r->times, "output.times", r->times_length, FS_NOSYNC, err) < 0 ||
	    fs_cut(r->raw, "output.raw", r->length, FS_NOSYNC, err) < 0)
		return -1;
	r->torn = false;
	return 0;
}

/* Writes down a gap that is over. */
static int
gap_flush(struct recording *r, struct err *err)
{
	if (r->lost_from < 0)
		return 0;
	if (gap_add(r, r->lost_from, r->length, err) < 0)
		return -1;
	r->lost_from = -1;
	return 0;
}

/*
 * Drops the oldest part behind the head, in steps of an eighth of the cap.  The g line is
 * written before the hole is made: a reader that sees zeros where bytes were finds the line.
 */
static int
middle_drop(struct recording *r, struct err *err)
{
	int64_t step = r->cap / 8 > BLOCK ? r->cap / 8 : BLOCK;
	int64_t tail = r->cap - r->head, from = r->hole_end;
	int64_t to = align_down(r->length - tail + step);

	if (to > align_down(r->length))
		to = align_down(r->length);
	if (to <= from)
		return 0;
	if (gap_add(r, from, to, err) < 0)
		return -1;
	r->hole_end = to;
	return fs_punch(r->raw, "output.raw", from, to - from, err);
}

static bool
is_over_cap(const struct recording *r, size_t more)
{
	int64_t kept = r->length - (r->hole_end - r->head);

	return kept + (int64_t)more > r->cap;
}

struct recording *
recording_new(int session_dirfd, int64_t cap, int rows, int cols, struct err *err)
{
	AUTO_CLOSE int raw = fs_open_append(session_dirfd, "output.raw", err);
	AUTO_CLOSE int times =
	    raw < 0 ? -1 : fs_open_append(session_dirfd, "output.times", err);
	struct recording *r;
	struct stat st_raw, st_times;

	if (times < 0)
		return NULL;
	if (fstat(raw, &st_raw) < 0 || fstat(times, &st_times) < 0) {
		err_errno(err, "cannot look at the recording");
		return NULL;
	}
	r = xcalloc(1, sizeof(*r));
	r->start = clock_boot();
	r->length = st_raw.st_size;
	r->times_length = st_times.st_size;
	r->lost_from = -1;
	r->cap = cap;
	r->head = r->hole_end = align_down(cap / 4);
	/* Nothing is there yet: only tests whether holes are supported. */
	r->can_punch = fs_punch(raw, "output.raw", r->length, BLOCK, NULL) == 0;
	r->raw = take_fd(&raw);
	r->times = take_fd(&times);
	if (rows > 0)
		recording_size(r, rows, cols);
	return r;
}

static int
chunk_write(struct recording *r, char kind, const char *data, size_t len, struct err *err)
{
	if (is_over_cap(r, len) && !r->can_punch) {
		errno = EFBIG;
		return err_errno(err, "output.raw has reached its cap");
	}
	if (sizes_repair(r, err) < 0 || gap_flush(r, err) < 0)
		return -1;
	if (fs_append(r->raw, "output.raw", data, len, FS_NOSYNC, err) < 0) {
		r->torn = true;
		return -1;
	}
	return times_add(r, err, "%zu %c\n", len, kind);
}

int
recording_add(struct recording *r, char kind, const char *data, size_t len, struct err *err)
{
	bool first;
	int rc;

	if (len == 0)
		return 0;
	rc = chunk_write(r, kind, data, len, err);
	if (rc < 0 && r->lost_from < 0)
		r->lost_from = r->length;
	r->length += (int64_t)len;
	if (rc == 0 && is_over_cap(r, 0))
		rc = middle_drop(r, err);
	if (rc == 0)
		return 0;
	first = !r->failed;
	r->failed = true;
	/* Writes the gap at once: a reader of a recording that ends here must see that there
	 * was more output. */
	if (first && r->lost_from >= 0 && sizes_repair(r, NULL) == 0)
		(void)!gap_flush(r, NULL);
	return first ? -1 : 0;
}

void
recording_size(struct recording *r, int rows, int cols)
{
	/* Ignores a failure: a size that is missing costs a replay its shape, no more. */
	if (sizes_repair(r, NULL) == 0)
		(void)!times_add(r, NULL, "%dx%d s\n", rows, cols);
}

void
recording_free(struct recording *r)
{
	if (r == NULL)
		return;
	if (r->lost_from >= 0 && sizes_repair(r, NULL) == 0)
		(void)!gap_flush(r, NULL);
	close(r->raw);
	close(r->times);
	free(r);
}
