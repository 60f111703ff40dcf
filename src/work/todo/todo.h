/*
 * todo.h - what the source "todo" is told beyond source.h, and where its files are.
 *
 * Order at the start of a turn: todo_source_begin (which sets an older done file aside),
 * the task's mark (todo_mark.h), the prompt (ops->brief).  A turn that goes on after a crash
 * gets todo_source_resume instead.  ops->closed then asks for a done file of this turn.
 */
#ifndef WORK_TODO_TODO_H
#define WORK_TODO_TODO_H

#include "supervisor/source.h"

extern const struct source_ops source_todo;

/* Below the root. */
#define TODO_FILE "ai/todo.md"
#define TODO_META "ai/task-meta.json"
#define TODO_DIR "ai/ralph"
#define TODO_RESULTS "ai/ralph/results"
#define TODO_LOGS "ai/logs"

/* The name of a list in its project: its path below the root, or the whole path. */
const char *todo_list_name(const char *root, const char *path);

/* Begins a turn.  1 when an older done file was set aside, 0 when there was none.  `token` is
 * the token of the turn, for its prompt (session/token.h). */
int todo_source_begin(struct source *source, const char *task, int64_t wall, const char *token,
    struct err *err) NODISCARD;
/* Says whether the worker that is about to get its prompt has the commands /ralph_done and its
 * like; false until somebody calls this. */
void todo_source_commands(struct source *source, bool has);
/* A task that was to be done vanished from the list.  The run does not end as "all done" until
 * a line has the task again or somebody has completed it. */
void todo_source_lost(struct source *source, const char *task);
/* Appends the tasks that had vanished when the list was last read: "T003, T004". */
void todo_source_missing(struct source *source, struct buf *out);
/* Was the task on the list, and not done, when the list was read last? */
bool todo_source_has(struct source *source, const char *task);
void todo_source_resume(
    struct source *source, const char *task, int64_t wall, const char *token);

#endif
