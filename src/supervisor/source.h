/*
 * source.h - where tasks come from and where their outcome goes back to.
 *
 * One vtable, one file per source.  `next` is asynchronous by contract: the
 * answer comes through `answer` exactly once per call, from within the call or
 * later from the event loop.  A source never decides: it reports.
 */
#ifndef SUPERVISOR_SOURCE_H
#define SUPERVISOR_SOURCE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/ev.h"
#include "loop/loop.h"

enum answer_kind {
	/* candidates, best first; waiting and text: those that cannot be done now */
	ANSWER_TASKS,
	/* Nothing is left to do: reason (END_NO_WORK, END_WAITING, END_SOME_FAILED), text. */
	ANSWER_DONE,
	/* The loop cannot go on: reason, text (a sentence). */
	ANSWER_ERROR,
	/* The source cannot tell now, and is asked again later: text. */
	ANSWER_LATER,
};

/* Everything is valid during the call. */
struct answer {
	enum answer_kind kind;
	const struct candidate *candidates;
	size_t ncandidates;
	size_t waiting;
	enum end_reason reason;
	const char *text;
	const char *others; /* tasks that somebody else said are done: "a, b"; NULL: none */
	/* Some of `others` were closed while one of our agents ran, which may have done it. */
	bool unchecked;
	/* Tasks whose status was changed by an agent that had another task, and was put back,
	 * in this run: "a, b"; NULL. */
	const char *put_back;
	const char *alert; /* a sentence that somebody should be told; NULL */
};

typedef void answer_fn(void *ctx, const struct answer *answer);

struct source;

struct source_ops {
	const char *name; /* settings.source */
	/* Checks what must be true before a loop starts; NULL and a sentence when it is not.
	 * The settings outlive the source. */
	struct source *(*open)(struct ev *ev, const struct settings *settings, struct err *err);
	void (*next)(struct source *source, answer_fn *answer, void *ctx);
	/* Like `next`, but nobody begins with the answer; NULL: `next` gives nothing out by
	 * itself, or the source cannot be asked without giving something out. */
	void (*look)(struct source *source, answer_fn *answer, void *ctx);
	/* Appends the prompt of a task that the source has answered, now or to an earlier
	 * supervisor. */
	int (*brief)(
	    struct source *source, const char *task, struct buf *prompt, struct err *err);
	/* The rest is for sources whose tasks get done; NULL for others. */
	/* Does the tree at `top` (NULL: the project's own) say that the task is done? */
	bool (*closed)(struct source *source, const char *task, const char *top);
	/* The task is completed: its outcome is not asked for again. */
	void (*settle)(struct source *source, const char *task);
	/* Appends what waits for something, and for what, as it stands now; nothing when that
	 * is not known without asking somebody else.  NULL: the source never knows. */
	void (*blocked)(struct source *source, struct buf *out);
	/* For sources that guard tasks from agents that have others; NULL for others.  `dir` is
	 * the loop's directory, for records that have to outlive us; the sessions of `tasks`
	 * are left from an earlier supervisor. */
	void (*keep)(struct source *source, int dir, char *const *tasks);
	/* For sources that give each task to one loop alone; NULL for others.  `running`: the
	 * task's agent runs.  `ended`: the task's session is over, and how is written down: in
	 * the fact `ended`, and where that says that its work lands, in `landed` after it. */
	void (*running)(struct source *source, const char *task, pid_t agent);
	void (*ended)(struct source *source, const char *task, const struct fact *ended);
	/* From now on `news` is called when the source may have something new. */
	void (*listen)(struct source *source, void (*news)(void *ctx), void *ctx);
	/* Appends what the user should be warned of, a line each. */
	void (*notes)(struct source *source, struct buf *out);
	void (*close)(struct source *source); /* no answer comes after this */
};

struct source {
	const struct source_ops *ops;
};

/* Reads a prompt file as the prompt source does: the seed's two sentences
 * ("prompt file not found: P", "cannot read prompt file: P"), at most 64 MiB. */
int prompt_read(const char *path, struct buf *out, struct err *err) NODISCARD;

#endif
