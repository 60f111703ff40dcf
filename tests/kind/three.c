/*
 * three.c - a kind of loop that only the tests have: the tasks "one", "two" and "three", in
 * this order.  A task is done when the agent has made the file ID.done in the directory of the
 * loop.
 *
 * Proves what CONTRIBUTING says of adding a kind: besides this folder the kind needs a row in
 * src/loop/source_row.h, a row in src/cmd/cmd.c and its files in src/work/meson.build.
 */
#include "supervisor/kind.h"

#include "base/alloc.h"
#include <unistd.h>

struct three {
	struct source base;
	char *dir;
};

static const struct source_ops source_three;

static struct source *
three_open(struct ev *ev UNUSED, const struct settings *settings, struct err *err UNUSED)
{
	struct three *t = xcalloc(1, sizeof(*t));

	t->base.ops = &source_three;
	t->dir = xstrdup(settings->cwd);
	return &t->base;
}

static bool
three_is_done(const struct three *t, const char *task)
{
	AUTO_FREE char *path = xasprintf("%s/%s.done", t->dir, task);

	return access(path, F_OK) == 0;
}

static void
three_next(struct source *source, answer_fn *answer, void *ctx)
{
	static const char *const tasks[] = {"one", "two", "three"};
	const struct three *t = (const struct three *)source;

	for (size_t i = 0; i < ARRAY_LEN(tasks); i++)
		if (!three_is_done(t, tasks[i])) {
			answer(ctx, &(struct answer){.kind = ANSWER_TASKS,
					.candidates = &(struct candidate){.id = tasks[i]},
					.ncandidates = 1});
			return;
		}
	answer(ctx, &(struct answer){.kind = ANSWER_DONE, .reason = END_NO_WORK});
}

static int
three_brief(
    struct source *source UNUSED, const char *task, struct buf *prompt, struct err *err UNUSED)
{
	buf_addf(prompt, "Make the file %s.done.\n", task);
	return 0;
}

static void
three_close(struct source *source)
{
	struct three *t = (struct three *)source;

	free(t->dir);
	free(t);
}

static const struct source_ops source_three = {
    .name = "three",
    .open = three_open,
    .next = three_next,
    .brief = three_brief,
    .close = three_close,
};

const struct kind kind_three = {
    .source = &source_three,
};
