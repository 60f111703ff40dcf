/*
 * todo_mark.h - writing into todo.md: the bytes of a mark and a suffix, and no other.
 *
 * done: [x]; in "Claude Tasks" also " (completed: 2026-01-27 10:15)" at the end of the line,
 * elsewhere **DONE** before the assignee.  A word that says otherwise is removed.
 *
 * blocked: [~], and **BLOCKED** - reason behind the title.
 *
 * active: [~].  A word that would keep the task from being done is removed.
 *
 * open: [ ].  Words and time are removed.
 *
 * Lines are never moved to another section: a person who has the file open in an editor, and
 * the next one to merge it, would see two changes instead of one, and every reader here goes by
 * the box.
 *
 * todo_mark reads the file anew under the lock (base/userfile.h) and finds the line by its id,
 * so that changes of others in the meantime stay.
 */
#ifndef WORK_TODO_TODO_MARK_H
#define WORK_TODO_TODO_MARK_H

#include "work/todo/todo_file.h"

enum todo_marked {
	TODO_MARKED,  /* written */
	TODO_SAME,    /* the line says so already; nothing was written */
	TODO_SETTLED, /* active or blocked was asked for, but the box is ticked, and stays */
	TODO_GONE,    /* no line has this id any more */
};

/* `state`: OPEN, ACTIVE, DONE or BLOCKED; `reason` (NULL: none) is cut to a line; `wall` is the
 * time of a completion.  An enum todo_marked, or -1 + err; EEXIST: two lines have the id. */
int todo_mark(const char *path, const char *id, enum todo_state state, const char *reason,
    int64_t wall, struct err *err) NODISCARD;
/* The part of todo_mark that changes the text of the file: appends the new text to `out` when
 * the result is TODO_MARKED. */
int todo_mark_text(const struct buf *text, const char *id, enum todo_state state,
    const char *reason, int64_t wall, struct buf *out, struct err *err) NODISCARD;

#endif
