/*
 * prompt.c - one prompt file, again and again; and a plain worker, started once without one.
 *
 * The file is read anew for every iteration, so that it can be edited while the loop
 * runs.  There is always one task, and it never gets done by itself.  How often an agent is
 * started is the loop's affair: max_iterations of a plain worker is 1.
 */
#include "supervisor/kind.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include <errno.h>
#include <fcntl.h>

#define PROMPT_MAX ((size_t)64 << 20)

struct prompt_source {
	struct source base;
	const char *path; /* NULL: a plain worker, whose prompt is empty */
	struct buf text;  /* the prompt of the last answer, for the next start */
	bool fresh;
};

/* The reason in brackets behind the error sentence; NULL: none.  The sentence of `swarm` is
 * the sentence of the seed, to the letter, except for the size limit, which the seed does
 * not know. */
static const char *
prompt_reason(int code)
{
	if (code == EFBIG)
		return "larger than 64 MiB";
	if (code == EACCES || strcmp(log_name(), "swarm") == 0)
		return NULL;
	return code == EISDIR	? "it is a directory"
	       : code == EINVAL ? "not a regular file"
				: strerror(code);
}

int
prompt_read(const char *path, struct buf *out, struct err *err)
{
	struct err why = ERR_INIT;

	if (fs_read(AT_FDCWD, path, PROMPT_MAX, out, &why) == 0)
		return 0;
	if (why.code == ENOENT || why.code == ENOTDIR)
		(void)err_set(err, "prompt file not found: %s", path);
	else if (prompt_reason(why.code) == NULL)
		(void)err_set(err, "cannot read prompt file: %s", path);
	else
		(void)err_set(
		    err, "cannot read prompt file: %s (%s)", path, prompt_reason(why.code));
	if (err != NULL)
		err->code = why.code;
	return -1;
}

static const struct source_ops source_prompt, source_once;

static struct source *
once_open(struct ev *ev UNUSED, const struct settings *settings UNUSED, struct err *err UNUSED)
{
	struct prompt_source *p = xcalloc(1, sizeof(*p));

	p->base.ops = &source_once;
	buf_init(&p->text);
	return &p->base;
}

static struct source *
prompt_open(struct ev *ev, const struct settings *settings, struct err *err)
{
	AUTO_BUF text = BUF_INIT;
	struct prompt_source *p;

	if (prompt_read(settings->prompt_file, &text, err) < 0)
		return NULL;
	p = (struct prompt_source *)once_open(ev, settings, err);
	p->base.ops = &source_prompt;
	p->path = settings->prompt_file;
	return &p->base;
}

static void
prompt_next(struct source *source, answer_fn *answer, void *ctx)
{
	struct prompt_source *p = (struct prompt_source *)source;
	struct err err = ERR_INIT;

	buf_clear(&p->text);
	p->fresh = p->path == NULL || prompt_read(p->path, &p->text, &err) == 0;
	if (!p->fresh)
		answer(ctx,
		    &(struct answer){
			.kind = ANSWER_ERROR, .reason = END_SOURCE_ERROR, .text = err.text});
	else
		answer(ctx, &(struct answer){.kind = ANSWER_TASKS,
				.candidates = &(struct candidate){.id = source->ops->name},
				.ncandidates = 1});
}

static int
prompt_brief(struct source *source, const char *task, struct buf *prompt, struct err *err)
{
	struct prompt_source *p = (struct prompt_source *)source;

	(void)task;
	if (!p->fresh && p->path != NULL)
		return prompt_read(p->path, prompt, err);
	buf_add(prompt, p->text.data, p->text.len);
	p->fresh = false;
	return 0;
}

static void
prompt_close(struct source *source)
{
	struct prompt_source *p = (struct prompt_source *)source;

	buf_release(&p->text);
	free(p);
}

static const struct source_ops source_prompt = {
    .name = "prompt",
    .open = prompt_open,
    .next = prompt_next,
    .brief = prompt_brief,
    .close = prompt_close,
};

static const struct source_ops source_once = {
    .name = "once",
    .open = once_open,
    .next = prompt_next,
    .brief = prompt_brief,
    .close = prompt_close,
};

const struct kind kind_prompt = {
    .source = &source_prompt,
};

const struct kind kind_once = {
    .source = &source_once,
};
