/*
 * How many columns a character takes: utf8proc's answer, but spacing marks have
 * a column of their own and a few characters differ, as wcwidth(3), which tmux
 * asks, has it.  Characters newer than Unicode 14 have the width Unicode gives them.
 */
#include "term/internal.h"

#include <utf8proc.h>

static const struct {
	uint32_t first, last;
	int width;
} exceptions[] = {
    {0x0600, 0x0605, 1},
    {0x06dd, 0x06dd, 1},
    {0x070f, 0x070f, 1},
    {0x0890, 0x0891, 1},
    {0x08e2, 0x08e2, 1},
    {0x1160, 0x11ff, 0}, /* Hangul vowels and finals join the initial */
    {0x2028, 0x2029, 1},
    {0x302e, 0x302f, 2},
    {0x3248, 0x324f, 2},
    {0x4dc0, 0x4dff, 2}, /* hexagrams */
    {0xd7b0, 0xd7c6, 0},
    {0xd7cb, 0xd7fb, 0},
    {0x110bd, 0x110bd, 1},
    {0x110cd, 0x110cd, 1},
    {0x16ff0, 0x16ff1, 2},
};

int
char_width(uint32_t cp)
{
	size_t low = 0, high = ARRAY_LEN(exceptions);

	while (low < high) {
		size_t mid = (low + high) / 2;

		if (cp > exceptions[mid].last)
			low = mid + 1;
		else if (cp < exceptions[mid].first)
			high = mid;
		else
			return exceptions[mid].width;
	}
	switch ((int)utf8proc_category((utf8proc_int32_t)cp)) {
	case UTF8PROC_CATEGORY_MC:
	case UTF8PROC_CATEGORY_CO:
		return 1;
	default:
		return utf8proc_charwidth((utf8proc_int32_t)cp);
	}
}
