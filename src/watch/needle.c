#include "watch/needle.h"

static size_t
needle_pair(const char *s)
{
	unsigned first = (unsigned char)s[0], second = (unsigned char)s[1];

	return (first * 37 + second) % sizeof(((struct needles *)NULL)->skip);
}

void
needles_init(struct needles *n)
{
	n->count = 0;
	n->len = NEEDLE_BYTES;
}

void
needles_add(struct needles *n, const char *text, size_t len)
{
	n->len = len < n->len ? len : n->len;
	memcpy(n->text[n->count++], text, len < NEEDLE_BYTES ? len : NEEDLE_BYTES);
}

/* A pair that no text has ends no text, nor does any pair that overlaps it. */
void
needles_ready(struct needles *n)
{
	memset(n->skip, (int)n->len - 1, sizeof(n->skip));
	for (size_t i = 0; i < n->count; i++)
		for (size_t at = 0; at + 2 <= n->len; at++) {
			uint8_t *skip = &n->skip[needle_pair(n->text[i] + at)];
			uint8_t left = (uint8_t)(n->len - 2 - at);

			*skip = left < *skip ? left : *skip;
		}
}

static bool
needle_at(const struct needles *n, const char *s)
{
	for (size_t i = 0; i < n->count; i++)
		if (memcmp(n->text[i], s, n->len) == 0)
			return true;
	return false;
}

bool
needles_in(const struct needles *n, const char *text, size_t len)
{
	size_t end = n->len;

	if (n->count == 0)
		return true;
	while (end <= len) {
		size_t skip = n->skip[needle_pair(text + end - 2)];

		if (skip == 0 && needle_at(n, text + end - n->len))
			return true;
		end += skip > 0 ? skip : 1;
	}
	return false;
}
