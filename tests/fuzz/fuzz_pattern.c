/*
 * No pattern and no subject crashes the search or holds it up, and a match lies
 * inside the subject.  The input is the pattern up to its first newline, then
 * the subject, repeated to a size where a bad pattern hurts.
 */
#include "watch/pattern.h"

#include <time.h>

#define SUBJECT_MIN 4096
#define LIMIT_NS INT64_C(50000000)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* CPU time: a busy machine is no fault of the pattern. */
static int64_t
cpu_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static void
search(struct pattern *p, const struct buf *subject)
{
	size_t start = 1, end = 0;
	int64_t begin = cpu_ns();
	enum pattern_result r = pattern_search(p, subject->data, subject->len, &start, &end);

	ENSURE(cpu_ns() - begin < LIMIT_NS);
	ENSURE(r != PATTERN_MATCH || (start <= end && end <= subject->len));
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const uint8_t *newline = size ? memchr(data, '\n', size) : NULL;
	size_t len = newline ? (size_t)(newline - data) : size;
	size_t rest = newline ? size - len - 1 : 0;
	struct err err = ERR_INIT;
	AUTO_BUF python = BUF_INIT;
	AUTO_BUF subject = BUF_INIT;
	struct pattern *p;

	buf_add(&python, data, len);
	p = pattern_new(python.data, &err);
	if (!p) {
		ENSURE(err.text[0]);
		return 0;
	}
	if (rest > 0)
		buf_add(&subject, newline + 1, rest);
	search(p, &subject);
	while (rest > 0 && subject.len < SUBJECT_MIN)
		buf_add(&subject, newline + 1, rest);
	search(p, &subject);
	pattern_free(p);
	return 0;
}
