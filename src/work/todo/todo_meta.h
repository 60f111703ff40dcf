/*
 * todo_meta.h - ai/task-meta.json: what else is known of tasks.
 *
 *     {"version": 1, "tasks": {"T001": {"description": "...", "contextFiles": [...]}}}
 *
 * Others write it too, without a lock.  All keys that we do not know stay.  A file that is
 * missing or corrupt says nothing; a corrupt one is kept aside before the first write.
 */
#ifndef WORK_TODO_TODO_META_H
#define WORK_TODO_TODO_META_H

#include "base/buf.h"
#include "base/err.h"
#include "base/json.h"

/* The document, never NULL; what is wrong with it goes to `notes` (may be NULL), a line. */
json_t *todo_meta_load(const char *path, struct buf *notes) NODISCARD;
/* What it says of a task, or NULL.  By number: T7 is T007. */
const json_t *todo_meta_task(const json_t *doc, const char *id);

struct todo_commit {
	const char *hash;     /* NULL: there was none, nothing of it is written */
	int64_t committed_at; /* wall clock */
	const char *diffstat; /* NULL */
};

/* Adds them to the task: commit_hash, committed_at, diffstat; the same again is not written.
 * ENOTSUP: the file is of a newer version and is left alone. */
int todo_meta_commit(const char *path, const char *id, const struct todo_commit *commit,
    struct buf *notes, struct err *err) NODISCARD;

#endif
