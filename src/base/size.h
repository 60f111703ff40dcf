/*
 * size.h - how people write a number of bytes.
 *
 * A whole number and perhaps a unit: K, M, G or T, which may be followed by B or iB, in either
 * case.  Each is 1024 times the one before; a bare number is bytes.
 */
#ifndef BASE_SIZE_H
#define BASE_SIZE_H

#include "base/err.h"

#include <stdint.h>

/* More than any disk has, and sums of a few of them still fit. */
#define SIZE_LIMIT (INT64_C(1) << 60)

/* -1 with a sentence that quotes what was given. */
int size_parse(const char *s, int64_t *bytes, struct err *err) NODISCARD;

#endif
