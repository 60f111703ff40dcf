/*
 * Cells that hold more than one code point.
 *
 * A cell names a slot; nobody tells when a cell is overwritten, so when slots run
 * out those that no cell names are found by looking at every cell.  When that
 * finds few, combining marks are dropped for a while instead of looking again
 * and again.
 */
#include "term/internal.h"

#include "base/alloc.h"

enum { SLOTS_MIN = 256 };

/* Makes room for a screen of that many cells; never shrinks, cells keep their slots. */
void
clusters_grow(struct clusters *c, int cells)
{
	uint32_t count = cells / 4 > SLOTS_MIN ? (uint32_t)cells / 4 : SLOTS_MIN;

	if (count <= c->count)
		return;
	c->slot = xreallocarray(c->slot, count, sizeof(*c->slot));
	memset(c->slot + c->count, 0, (count - c->count) * sizeof(*c->slot));
	c->mark = xreallocarray(c->mark, count, 1);
	c->count = count;
	c->wait = 0;
}

void
clusters_release(struct clusters *c)
{
	free(c->slot);
	free(c->mark);
	c->slot = NULL;
	c->mark = NULL;
}

static void
mark_grid(struct clusters *c, const struct grid *g)
{
	for (int y = 0; y < g->rows; y++) {
		const struct grid_row *row = &g->row[y];

		for (int x = 0; x < row->extent; x++) {
			if (row->cells[x].ch & CH_CLUSTER)
				c->mark[row->cells[x].ch & CH_VALUE] = 1;
		}
	}
}

static void
cluster_collect(struct term *t)
{
	struct clusters *c = &t->clusters;
	uint32_t freed = 0;

	memset(c->mark, 0, c->count);
	mark_grid(c, &t->main);
	mark_grid(c, &t->alt);
	for (uint32_t i = 0; i < c->count; i++) {
		if (!c->mark[i]) {
			c->slot[i].len = 0;
			freed++;
		}
	}
	c->next = 0;
	c->wait = freed < c->count / 8 ? c->count : 0;
}

static struct cluster *
slot_find(struct clusters *c)
{
	for (; c->next < c->count; c->next++) {
		if (c->slot[c->next].len == 0)
			return &c->slot[c->next++];
	}
	return NULL;
}

static struct cluster *
cluster_slot_take(struct term *t)
{
	struct clusters *c = &t->clusters;
	struct cluster *slot = slot_find(c);

	if (slot == NULL) {
		if (c->wait > 0) {
			c->wait--;
			return NULL;
		}
		cluster_collect(t);
		slot = slot_find(c);
	}
	return slot;
}

/* False when the cell is full or there is no slot: the mark is lost. */
bool
cluster_append(struct term *t, struct cell *cell, uint32_t cp)
{
	struct clusters *c = &t->clusters;
	struct cluster *slot;
	char bytes[4];
	size_t len = utf8_put(bytes, cp);

	if (cell->ch & CH_CLUSTER) {
		slot = &c->slot[cell->ch & CH_VALUE];
		if (slot->len + len > CLUSTER_BYTES)
			return false;
	} else {
		uint32_t base = cell->ch & CH_VALUE;

		slot = cluster_slot_take(t);
		if (slot == NULL)
			return false;
		slot->len = (uint8_t)utf8_put(slot->bytes, base == 0 ? ' ' : base);
		cell->ch =
		    (cell->ch & ~(uint32_t)CH_VALUE) | CH_CLUSTER | (uint32_t)(slot - c->slot);
	}
	memcpy(slot->bytes + slot->len, bytes, len);
	slot->len = (uint8_t)(slot->len + len);
	return true;
}
