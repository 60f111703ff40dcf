#include "base/strmap.h"
#include "base/alloc.h"
#define XXH_INLINE_ALL
#include <xxhash.h>

void
strmap_release(struct strmap *m)
{
	free(m->slots);
	*m = (struct strmap){NULL, 0, 0};
}

void
strmap_clear(struct strmap *m)
{
	for (size_t i = 0; i < m->cap; i++)
		m->slots[i].key = NULL;
	m->len = 0;
}

/* The slot where the key is, or where it would go. */
static struct strmap_slot *
strmap_find(const struct strmap *m, const char *key, uint64_t hash)
{
	size_t i = hash & (m->cap - 1);

	while (m->slots[i].key != NULL &&
	       (m->slots[i].hash != hash || strcmp(m->slots[i].key, key) != 0))
		i = (i + 1) & (m->cap - 1);
	return &m->slots[i];
}

static void
grow(struct strmap *m)
{
	struct strmap old = *m;

	m->cap = old.cap > 0 ? old.cap * 2 : 64;
	m->slots = xcalloc(m->cap, sizeof(*m->slots));
	for (size_t i = 0; i < old.cap; i++)
		if (old.slots[i].key != NULL)
			*strmap_find(m, old.slots[i].key, old.slots[i].hash) = old.slots[i];
	free(old.slots);
}

void *
strmap_get(const struct strmap *m, const char *key)
{
	const struct strmap_slot *s;

	if (m->len == 0)
		return NULL;
	s = strmap_find(m, key, XXH3_64bits(key, strlen(key)));
	return s->key != NULL ? s->value : NULL;
}

void *
strmap_put(struct strmap *m, const char *key, void *value)
{
	uint64_t hash = XXH3_64bits(key, strlen(key));
	struct strmap_slot *s;
	void *old = NULL;

	if (m->len >= m->cap / 4 * 3)
		grow(m);
	s = strmap_find(m, key, hash);
	if (s->key != NULL)
		old = s->value;
	else
		m->len++;
	*s = (struct strmap_slot){key, hash, value};
	return old;
}
