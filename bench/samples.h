/*
 * samples.h - sorting and picking, for the programs that time something often.
 */
#ifndef BENCH_SAMPLES_H
#define BENCH_SAMPLES_H

#include <stdint.h>
#include <stdlib.h>
#include <time.h>

static inline int64_t
now_ns(void)
{
	struct timespec ts;

	clock_gettime(CLOCK_MONOTONIC, &ts);
	return (int64_t)ts.tv_sec * 1000000000 + ts.tv_nsec;
}

static inline int
sample_compare(const void *a, const void *b)
{
	const int64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* In ms; the samples are in ns, at least one, and sorted here. */
static inline double
sample_quantile(int64_t *samples, size_t n, double q)
{
	qsort(samples, n, sizeof(*samples), sample_compare);
	return (double)samples[(size_t)((double)(n - 1) * q)] / 1e6;
}

#endif
