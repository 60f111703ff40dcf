/*
 * chars.h - classes of characters, by ranges of their code points.
 */
#ifndef WATCH_CHARS_H
#define WATCH_CHARS_H

#include "base/text.h"

/* Is the character in one of the n ranges, each from its first to its last? */
static inline bool
chars_have(const uint32_t ranges[][2], size_t n, uint32_t cp)
{
	for (size_t i = 0; i < n; i++)
		if (cp >= ranges[i][0] && cp <= ranges[i][1])
			return true;
	return false;
}

/* The length of the character that ends the text, which is not empty; 0: the last byte is of
 * none, and *cp means nothing. */
static inline size_t
chars_last(const char *s, size_t len, uint32_t *cp)
{
	size_t n = 1;

	if ((unsigned char)s[len - 1] < 0x80) {
		*cp = (unsigned char)s[len - 1];
		return 1;
	}
	while (n < 4 && n < len && ((unsigned char)s[len - n] & 0xc0) == 0x80)
		n++;
	return utf8_decode(s + len - n, n, cp) == n ? n : 0;
}

static inline bool
chars_are_ascii(const char *s, size_t len)
{
	uint64_t seen = 0, word;
	size_t i;

	for (i = 0; i + sizeof(word) <= len; i += sizeof(word)) {
		memcpy(&word, s + i, sizeof(word));
		seen |= word;
	}
	for (; i < len; i++)
		seen |= (unsigned char)s[i];
	return !(seen & UINT64_C(0x8080808080808080));
}

#endif
