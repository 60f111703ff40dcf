/*
 * strmap.h - from strings to pointers, by hash.
 *
 * Keys are not copied: they must live as long as the map, or until strmap_clear.  A zeroed
 * struct is an empty map.
 */
#ifndef BASE_STRMAP_H
#define BASE_STRMAP_H

#include "base/compiler.h"

struct strmap {
	struct strmap_slot {
		const char *key; /* NULL: free */
		uint64_t hash;
		void *value;
	} * slots;
	size_t len, cap; /* cap is a power of two, at least a quarter of it free; or 0 */
};

void strmap_release(struct strmap *m);
void strmap_clear(struct strmap *m);
void *strmap_get(const struct strmap *m, const char *key); /* NULL */
/* Puts the value under the key.  Returns the value that it replaces, or NULL; the map then
 * refers to the new key. */
void *strmap_put(struct strmap *m, const char *key, void *value);

#endif
