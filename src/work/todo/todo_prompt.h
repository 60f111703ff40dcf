/*
 * todo_prompt.h - what a worker is told of a task, in the words of the seed.
 *
 * One line is added: the commands for a shell, with the turn's token.  A worker that has not
 * the seed's own (/ralph_done and its like) is told those alone, in their places.
 *
 * The files that go with it are those of contextFiles in task-meta.json, and those that the
 * task's line names (hidden ones only when contextFiles does).  They must be text and
 * within the project, links followed; what is left out or cut is said where it would stand.
 */
#ifndef WORK_TODO_TODO_PROMPT_H
#define WORK_TODO_TODO_PROMPT_H

#include "base/buf.h"
#include "base/json.h"

#define CONTEXT_FILE_MAX ((size_t)64 * 1024)
#define CONTEXT_MAX ((size_t)256 * 1024)
#define CONTEXT_FILES 32

struct todo_brief {
	const char *id;
	const char *title;
	const char *root;   /* the project, absolute */
	const json_t *meta; /* of the task, or NULL */
	const char *token;  /* of the turn, or NULL */
	bool commands;	    /* the worker has /ralph_done, /ralph_stuck and /ralph_progress */
};

void todo_prompt(const struct todo_brief *b, struct buf *out);
/* The part below "## Context Files"; "" when there are none. */
void todo_context(const struct todo_brief *b, struct buf *out);

#endif
