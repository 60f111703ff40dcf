/*
 * clean.h - what `clean NAME` and `clean --all` share.
 */
#ifndef CMD_SWARM_CLEAN_H
#define CMD_SWARM_CLEAN_H

#include "base/buf.h"
#include "base/err.h"
#include <stdint.h>

struct clean_options {
	bool all, rm_worktree, force_dirty, archive, dry_run, yes;
	int64_t older_than; /* ns; 0: any age */
};

/* Says what it did, or why not, and returns the exit code. */
int clean_one(const char *name, const struct clean_options *o);
/* As clean_one, for all that is over; -1 + err: nobody can tell what there is. */
int clean_all(const struct clean_options *o, struct err *err) NODISCARD;

/* "4 kB", "2.5 MB" */
void clean_bytes(int64_t bytes, struct buf *out);

#endif
