/*
 * snapshot.h - snapshot.json: the fold of a journal up to one of its lines.
 *
 *     {"v":1,"n":64,"offset":20480,"state":{...},"crc":"<16 hex>"}
 *
 * Only a shortcut: everything in it can be had from the journal.
 */
#ifndef RECORD_SNAPSHOT_H
#define RECORD_SNAPSHOT_H

#include "base/buf.h"
#include "base/err.h"
#include "loop/loop.h"

struct snapshot {
	int64_t n;	/* the last line that is in it */
	int64_t offset; /* in the journal, behind that line */
	struct loop_state state;
};

int snapshot_save(int dirfd, int64_t n, int64_t offset, const struct loop_state *state,
    struct err *err) NODISCARD;
/* 1, or 0 when there is none; -1 + err: code EBADMSG when it is damaged, ENOTSUP when a
 * newer version wrote it. */
int snapshot_load(int dirfd, struct snapshot *out, struct err *err) NODISCARD;
/* Keeps a useless one under another name; appends a sentence about it to `note`. */
int snapshot_discard(int dirfd, const char *why, struct buf *note, struct err *err) NODISCARD;

#endif
