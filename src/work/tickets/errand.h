/*
 * errand.h - how one ticket's session is made: its command, its surroundings, its prompt.
 *
 * An errand is a copy of the loop's settings, with these parts replaced for one ticket: the
 * directory, the placeholders of the command ({ticket} {title} {file} {worktree} {attempt}),
 * the environment (RALPH_TICKET, RALPH_ATTEMPT, RALPH_WORKTREE, RALPH_LESSON_FILE,
 * RALPH_LAST_FAILURE), the promise to watch for, and the time limit.
 */
#ifndef WORK_TICKETS_ERRAND_H
#define WORK_TICKETS_ERRAND_H

#include "base/buf.h"
#include "base/err.h"
#include "loop/loop.h"

struct errand {
	/* Borrows from the loop's, except for cwd, command, env and done_pattern. */
	struct settings settings;
	struct buf prompt;
};

struct errand_spec {
	const struct settings *settings; /* the loop's */
	const struct effect *effect;	 /* task, attempt */
	const char *title, *file;	 /* the ticket's; the file in the project, absolute */
	const struct buf *text;		 /* of that file */
	const char *place;		 /* the ticket's worktree; NULL: the project itself */
	const struct buf *template; /* the prompt, with placeholders; NULL: the ticket's text */
	const char *lesson_file;
	const char *last_failure; /* NULL: none */
	bool resumed;		  /* the worktree has work of an earlier attempt */
};

void errand_init(struct errand *e, const struct errand_spec *spec);
void errand_release(struct errand *e);

/* The part of the project's root below git's top ("" when it is the top itself). */
const char *errand_prefix(const struct settings *s);
/* The project's root in a worktree; NULL: the root itself.  The caller frees it. */
char *errand_root(const struct settings *s, const char *place) NODISCARD;

#endif
