/*
 * source.h - where tasks come from and where their outcome goes back to.
 *
 * One vtable, one file per source.  `next` is asynchronous by contract: the
 * answer comes through `answer` exactly once per call, from within the call or
 * later from the event loop.  A source never decides: it reports.
 */
#ifndef SOURCE_SOURCE_H
#define SOURCE_SOURCE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/ev.h"
#include "loop/loop.h"

enum answer_kind {
	ANSWER_TASK,  /* task, prompt */
	ANSWER_DONE,  /* nothing left to do */
	ANSWER_ERROR, /* text: a sentence; the loop cannot go on */
};

struct answer {
	enum answer_kind kind;
	const char *task;	  /* id, valid during the call */
	const struct buf *prompt; /* valid during the call */
	const char *text;
};

typedef void answer_fn(void *ctx, const struct answer *answer);

struct source;

struct source_ops {
	const char *name; /* settings.source */
	/* Checks what must be true before a loop starts; NULL and a sentence when it is not. */
	struct source *(*open)(struct ev *ev, const struct settings *settings, struct err *err);
	void (*next)(struct source *source, answer_fn *answer, void *ctx);
	void (*close)(struct source *source); /* no answer comes after this */
};

struct source {
	const struct source_ops *ops;
};

extern const struct source_ops source_once, source_prompt;

const struct source_ops *source_find(const char *name); /* NULL when unknown */

/* Reads a prompt file as the prompt source does: the seed's two sentences
 * ("prompt file not found: P", "cannot read prompt file: P"), at most 64 MiB. */
int prompt_read(const char *path, struct buf *out, struct err *err) NODISCARD;

#endif
