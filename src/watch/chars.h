/*
 * chars.h - classes of characters, by ranges of their code points.
 */
#ifndef WATCH_CHARS_H
#define WATCH_CHARS_H

#include "base/compiler.h"

/* Is the character in one of the n ranges, each from its first to its last? */
static inline bool
chars_have(const uint32_t ranges[][2], size_t n, uint32_t cp)
{
	for (size_t i = 0; i < n; i++)
		if (cp >= ranges[i][0] && cp <= ranges[i][1])
			return true;
	return false;
}

#endif
