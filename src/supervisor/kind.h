/*
 * kind.h - what a kind of loop does besides running agents: tickets, a task graph, a todo list.
 *
 * One table a kind, found by the name of its source.  Every function may be NULL: then nothing
 * happens.  The supervisor calls them at these moments and knows nothing more of kinds:
 *
 *   claim    before anything of a new loop exists, and again when the state of a loop is known:
 *            may the loop run?
 *   views    what is made from the facts (record/view.h); opened between claim and open
 *   open     settings, state, source, sessions and views are there, the console is not
 *   begin    all of that is there, and the console; the loop has heard nothing yet
 *   opened   the loop has begun or goes on, and its source is not asked yet: tells the loop
 *            what was settled elsewhere
 *   ask      the source is about to be asked; it waits while there is a hold
 *   answer   the source has answered; before the loop hears of it
 *   last     that answer may be the last: true when it is put off, to look at something first
 *   looked   facts were written down; before the console shows them
 *   facts    the facts were written down and the console has shown them
 *   rests    a task could be started, but free slots still rest (policy.delay): how many
 *   unlanded   before every decision: appends what is done and not on its branch
 *   quiet    no input and no step is under way, and the loop does not leave yet
 *   start    instead of just starting a session with the task's prompt
 *   closed   a session has ended: does its work say that the task is done?
 *   land     its work is to be landed, or kept -> IN_LANDED
 *   assign, check, tell   see the effects of these names
 *   end      stop the kind's work for `session` that is not a step (a commit waiting for an
 *            answer); false when there is none
 *   alive    an agent has written something; not more often than every `beat` ns
 *   close    the end; also where claim or open failed, or was not called
 */
#ifndef SUPERVISOR_KIND_H
#define SUPERVISOR_KIND_H

#include "supervisor/running.h"

struct kind {
	const struct source_ops *source;
	/* SIGTERM ends the loop as Ctrl-C does: its agents work for longer than whoever sends
	 * SIGTERM will wait, and their work is kept. */
	bool stays;
	/* Paths below the project that loops of the kind, or commands of their agents, write to
	 * or read work from (bounds.h). */
	const char *const *paths;
	const char *files; /* a directory of work whose files may be links, too */
	/* The options with which its command has prompts typed; NULL: "--prompt-via paste". */
	const char *typed;
	voice_fn *voice;		     /* NULL: as any loop speaks */
	const struct view_ops *const *views; /* up to NULL; they write off the critical path */
	int (*claim)(
	    struct running *r, const struct settings *s, const char *uid, struct err *err);
	int (*open)(struct running *r, struct err *err);
	void (*begin)(struct running *r);
	void (*opened)(struct running *r);
	void (*ask)(struct running *r);
	void (*answer)(struct running *r, const struct answer *a);
	bool (*last)(struct running *r, const struct loop_input *answer);
	void (*looked)(struct running *r, const struct decision *d);
	void (*facts)(struct running *r, const struct decision *d);
	void (*rests)(struct running *r, size_t slots);
	void (*unlanded)(const struct running *r, struct buf *out);
	void (*quiet)(struct running *r);
	void (*start)(struct running *r, const struct effect *e);
	bool (*closed)(struct running *r, const char *session);
	void (*land)(struct running *r, const struct effect *e);
	void (*assign)(struct running *r, const struct effect *e);
	void (*check)(struct running *r, const struct effect *e);
	void (*tell)(struct running *r, const struct effect *e);
	bool (*end)(struct running *r, const char *session);
	void (*alive)(struct running *r);
	int64_t beat; /* 0: never */
	void (*close)(struct running *r);
};

/* All of them, and NULL (work/kinds.c). */
extern const struct kind *const kind_all[];
/* Finds a kind by settings.source; NULL when this version does not know it. */
const struct kind *kind_find(const char *source);

#endif
