/*
 * listing.h - what `--format table|json|names` prints: rows, an array of objects, or a name a
 * line.
 */
#ifndef CMD_LISTING_H
#define CMD_LISTING_H

#include "base/json.h"
#include "cmd/columns.h"

enum listing_format { LISTING_TABLE, LISTING_JSON, LISTING_NAMES };

/* The option's row, for a struct with an int `format`. */
#define ROW_FORMAT                                                                          \
	ROW_CHOICE("format", format, "FORMAT", "table|json|names", "how to print the list", \
	    .dflt = "table")

struct listing {
	enum listing_format format;
	struct columns table;
	json_t *array;
	struct buf names;
};

/* The headings, NULL-terminated. */
void listing_init(struct listing *l, int format, const char *const *headings);
/* Adds one by its name or its object, which is taken.  True: a table is wanted, and the caller
 * adds the cells of its row to l->table. */
bool listing_add(struct listing *l, const char *name, json_t *object);
/* Prints the list, and releases it.  No array where nothing could be read (unread < 0).
 * Returns what `run` of a command does: EX_OK when nothing was unreadable. */
int listing_print(struct listing *l, int unread);

#endif
