/*
 * needle.h - texts of which every match of a pattern contains one.
 *
 * Almost no line of an agent's output holds any of the words that its done pattern asks for.
 * So pattern.c looks for these words first, which takes a fraction of the time of a search, and
 * searches only where one of them is.  They are found while the pattern is read
 * (python_need.c).
 *
 * Each text is known by its first `len` bytes, which the shortest of them has.  The search goes
 * on by up to len - 1 bytes at a time: as far as the pair of bytes that it looks at allows.
 */
#ifndef WATCH_NEEDLE_H
#define WATCH_NEEDLE_H

#include "base/compiler.h"

#define NEEDLES_MAX 16	/* of more texts nothing is known */
#define NEEDLE_MIN 2	/* bytes; shorter ones are in every line */
#define NEEDLE_BYTES 16 /* of a longer text, the first ones */

struct needles {
	size_t count; /* 0: nothing is known, and every line may hold a match */
	size_t len;
	char text[NEEDLES_MAX][NEEDLE_BYTES];
	uint8_t skip[256]; /* by a pair of bytes: how far on the next pair may be */
};

/* Sets `n` to nothing known; then add texts of NEEDLE_MIN bytes or more, up to NEEDLES_MAX, and
 * call needles_ready. */
void needles_init(struct needles *n);
void needles_add(struct needles *n, const char *text, size_t len);
void needles_ready(struct needles *n);
/* May the text hold a match?  False is certain. */
bool needles_in(const struct needles *n, const char *text, size_t len);

#endif
