/*
 * registry.h - ~/.swarm/state.json: the workers, as other programs know them.
 *
 *   {"workers":[{"name","status","cmd":[..],"started","cwd","env":{},"tags":[],
 *     "tmux":{"session","window","socket"}|null, "worktree":{"path","branch","base_repo"}|null,
 *     "pid":N|null, "metadata":{}}]}
 *
 * A view, but one that others wrote before us: records and keys we do not know survive.  Every
 * change is read, merged and replaced under an flock on state.lock, so that no one's record is
 * lost.  A file that cannot be parsed is moved aside and said; a record that makes no sense is
 * left where it is.
 */
#ifndef RECORD_REGISTRY_H
#define RECORD_REGISTRY_H

#include "base/json.h"

struct registry_notes {
	struct buf text; /* one sentence per line; "" when all is well */
	int malformed;	 /* records that are no use */
};

/* The usable records, in order, as a new array; an absent file is an empty one. */
json_t *registry_load(int home, struct registry_notes *notes, struct err *err) NODISCARD;
/* Makes or changes the record of that name: each key given replaces the old value ("metadata"
 * is merged key by key), others stay; record NULL: removes it.  Without `wait`, -1 with code
 * EWOULDBLOCK when someone else is at it. */
int registry_put(
    int home, const char *name, json_t *record, bool wait, struct err *err) NODISCARD;
int registry_remove(
    int home, const char *name, struct err *err) NODISCARD; /* absent is success */

#endif
