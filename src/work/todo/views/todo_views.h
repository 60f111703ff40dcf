/*
 * todo_views.h - what the views of a loop over todo.md share (todo.c, todo_activity.c).
 */
#ifndef WORK_TODO_VIEWS_TODO_VIEWS_H
#define WORK_TODO_VIEWS_TODO_VIEWS_H

#include "work/todo/views/todo.h"

/* One block of activity.md; by its first `mark` bytes, whole lines, it is known. */
struct todo_block {
	struct buf text;
	size_t mark;
};

/* Each into an empty block. */
void session_block(const struct todo_opening *o, struct todo_block *b);
void turn_block(const struct todo_turn *t, struct todo_block *b);
void help_block(const struct todo_help *h, struct todo_block *b);
void progress_block(const struct todo_progress *p, struct todo_block *b);
/* Appends the block to the text of the file, a blank line before it; false: it is there. */
bool block_add(struct buf *text, const struct todo_block *b);

#endif
