/*
 * asking.h - a command that gives out prompts: it is run, and what it answers is understood.
 *
 * Exit status 0: the output is the prompt; a line "Your task: ID ..." (or "Task: ID") names the
 * task.  1: there is nothing to do, and the words of the command say why: blocked or complete,
 * in this order, by whole phrases, since "complete it or reset it" is no success.  Any other
 * status, and unknown words, are an error: the command is asked again later, and the error is
 * never taken for the end.
 *
 * The command runs by /bin/sh in a job of its own (base/process/job.h), with a deadline.
 */
#ifndef WORK_SHARED_ASKING_H
#define WORK_SHARED_ASKING_H

#include "base/err.h"
#include "base/ev.h"
#include "loop/loop.h"

enum asked_kind { ASKED_PROMPT, ASKED_NOTHING, ASKED_FAILED };

/* Everything is valid during the call. */
struct asked {
	enum asked_kind kind;
	const char *prompt;	/* the output of the command */
	const char *remarks;	/* the output of the command on stderr */
	char task[TASK_ID_MAX]; /* the task that the prompt names; "": none */
	enum end_reason reason; /* ASKED_NOTHING: END_NO_WORK or END_WAITING */
	const char *text;	/* ASKED_NOTHING: the last line; ASKED_FAILED: a sentence */
};

typedef void asked_fn(void *ctx, const struct asked *asked);

/* Owned by the caller, who fills in the first five members, owned or borrowed. */
struct asking {
	struct ev *ev;
	char *command;
	char *cwd;
	char **env; /* environment; NULL: that of this process */
	int64_t timeout;
	struct job *job;
	asked_fn *done;
	void *ctx;
};

/* `done` is called once, later. */
int asking_start(struct asking *a, asked_fn *done, void *ctx, struct err *err) NODISCARD;
/* Ends a command that runs; `done` is not called after that. */
void asking_stop(struct asking *a);
/* Tells from the words of a command why there is nothing to do.  END_NONE: no known phrase. */
enum end_reason asking_words(const char *out, const char *err);

#endif
