/*
 * once.c - no work but to be there: a plain worker, started once, without a prompt.
 */
#include "supervisor/kind.h"

#include "base/alloc.h"

struct once_source {
	struct source base;
};

static const struct source_ops source_once;

static struct source *
once_open(struct ev *ev, const struct settings *settings, struct err *err)
{
	struct once_source *o = xcalloc(1, sizeof(*o));

	(void)ev;
	(void)settings;
	(void)err;
	o->base.ops = &source_once;
	return &o->base;
}

static void
once_next(struct source *source, answer_fn *answer, void *ctx)
{
	(void)source;
	/* How often is the loop's affair: max_iterations is 1. */
	answer(ctx, &(struct answer){.kind = ANSWER_TASKS,
			.candidates = &(struct candidate){.id = "once"},
			.ncandidates = 1});
}

static int
once_work(struct source *source, const char *task, struct source_work *work, struct err *err)
{
	(void)source;
	(void)task;
	(void)work;
	(void)err;
	return 0;
}

static void
once_close(struct source *source)
{
	free(source);
}

static const struct source_ops source_once = {
    .name = "once",
    .open = once_open,
    .next = once_next,
    .work = once_work,
    .close = once_close,
};

const struct kind kind_once = {
    .source = &source_once,
    .single = true,
};
