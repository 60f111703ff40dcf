/*
 * todo_done.h - ai/ralph/results/T001.done.json: how a worker says in a file that it is done.
 *
 *     {"task_id": "T001", "completed_at": "2026-01-27T10:15:00", "status": "done",
 *      "summary": "...", "files_modified": ["a.c"], "list": "ai/todo.md"}
 *
 * The file counts when it has this form, names this task, and was written after the task was
 * given: files of an earlier attempt are set aside when a task starts, and the time is checked
 * besides.
 *
 * The lists of a project share the directory, and each may have a T001.  So files that ralph
 * writes name the list.  A file that names another list does not count; a file that names none
 * (written by a worker, or by an earlier version) counts by its time alone.
 */
#ifndef WORK_TODO_TODO_DONE_H
#define WORK_TODO_TODO_DONE_H

#include "base/buf.h"
#include "base/err.h"

struct todo_results {
	const char *dir;
	const char *list; /* by its name (todo_list_name); NULL: whichever */
};

/* Checks the done file of a task.  `since` is the wall clock when the task was given, 0 for any
 * time.  -1: `why` has a sentence that can be said to the worker; code ENOENT: there is no
 * file, ESTALE: it is older.  `summary` may be NULL; the caller frees what it gets. */
int todo_done_check(const struct todo_results *in, const char *id, int64_t since,
    char **summary, struct err *why) NODISCARD;
/* Was a done file ever written for the task, even if it was set aside since? */
bool todo_done_was(const struct todo_results *in, const char *id);
/* Parses any bytes as the content of a done file of a task of that list (NULL: whichever). */
int todo_done_parse(const char *list, const char *id, const char *data, size_t len,
    char **summary, struct err *why) NODISCARD;
/* Call when a task starts: renames the done file to T001.done.json.stale.<stamp>.  1 when there
 * was one, 0 when not.  Do not call again for a task that goes on after a crash. */
int todo_done_set_aside(const char *results, const char *id, struct err *err) NODISCARD;
/* Writes the done file, whole or not at all; makes the directory.  `completed_at` is now. */
int todo_done_write(const struct todo_results *in, const char *id, const char *summary,
    char *const *files, struct err *err) NODISCARD;

#endif
