/*
 * random.h - random values for tests, the same ones in every run.
 */
#ifndef TESTS_RECORD_RANDOM_H
#define TESTS_RECORD_RANDOM_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t
random_bits(void)
{
	static uint64_t state = 4711;

	state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return state ^ state >> 33;
}

static inline int64_t
random_below(int64_t n)
{
	return (int64_t)(random_bits() >> 33) % n;
}

/* A text of at least one character that ends within `size`; all of them are between these. */
static inline void
random_text(char *text, size_t size, int first, int last)
{
	size_t len = 1 + (size_t)random_below((int64_t)size - 1);

	for (size_t i = 0; i < len; i++)
		text[i] = (char)(first + (int)random_below(last - first + 1));
	text[len] = '\0';
}

#endif
