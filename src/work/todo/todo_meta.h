/*
 * todo_meta.h - ai/task-meta.json: what else is known of tasks.
 *
 *     {"version": 1, "tasks": {"T001": {"description": "...", "contextFiles": [...]}}}
 *
 * Other programs write the file, too, without a lock.  All keys that ralph does not know stay.
 * A missing or corrupt file says nothing; a corrupt one is kept aside before the first write.
 */
#ifndef WORK_TODO_TODO_META_H
#define WORK_TODO_TODO_META_H

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"

/* Loads the document, never NULL; a mistake in it is a line in `notes` (may be NULL). */
json_t *todo_meta_load(const char *path, struct buf *notes) NODISCARD;
/* The entry of a task in the document; NULL: none.  Ids match by number: T7 is T007. */
const json_t *todo_meta_task(const json_t *doc, const char *id);

struct todo_commit {
	const char *hash;     /* NULL: there was none, nothing of it is written */
	int64_t committed_at; /* wall clock */
	const char *diffstat; /* NULL */
};

/* Adds commit_hash, committed_at and diffstat to the task; equal values are not written again.
 * ENOTSUP: the file is of a newer version and is left alone. */
int todo_meta_commit(const char *path, const char *id, const struct todo_commit *commit,
    struct err *err) NODISCARD;

#endif
