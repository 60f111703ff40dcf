/*
 * command.c - a command that prints the prompt; it is run anew for each iteration (asking.h).
 */
#include "work/shared/asking.h"
#include "work/shared/given.h"

#include "base/alloc.h"

struct command_source {
	struct source base;
	struct asking asking;
	answer_fn *answer;
	void *ctx;
	struct buf prompt; /* as the command printed it */
	bool again; /* the last session never began: give the same prompt to the next session */
	char task[TASK_ID_MAX];
};

static void
answer_task(struct command_source *c)
{
	c->again = false;
	c->answer(c->ctx, &(struct answer){.kind = ANSWER_TASKS,
			      .candidates = &(struct candidate){.id = c->task},
			      .ncandidates = 1});
}

static void
prompt_command_on_asked(void *ctx, const struct asked *asked)
{
	struct command_source *c = ctx;

	if (asked->kind != ASKED_PROMPT) {
		c->answer(c->ctx,
		    &(struct answer){
			.kind = asked->kind == ASKED_FAILED ? ANSWER_LATER : ANSWER_DONE,
			.reason = asked->reason,
			.text = asked->text});
		return;
	}
	(void)snprintf(
	    c->task, sizeof(c->task), "%s", asked->task[0] != '\0' ? asked->task : "prompt");
	buf_clear(&c->prompt);
	buf_adds(&c->prompt, asked->prompt);
	answer_task(c);
}

static void
command_next(struct source *source, answer_fn *answer, void *ctx)
{
	struct command_source *c = (struct command_source *)source;
	struct err err = ERR_INIT;

	c->answer = answer;
	c->ctx = ctx;
	if (c->again)
		answer_task(c);
	else if (asking_start(&c->asking, prompt_command_on_asked, c, &err) < 0)
		answer(ctx, &(struct answer){.kind = ANSWER_LATER, .text = err.text});
}

/* A prompt that nobody has any more, after a crash, cannot be asked for again: the command
 * would name another task. */
static int
command_brief(struct source *source, const char *task, struct buf *prompt, struct err *err)
{
	struct command_source *c = (struct command_source *)source;

	if (strcmp(task, c->task) != 0)
		return err_set(err, "the prompt of %s was lost with the supervisor", task);
	buf_add(prompt, c->prompt.data, c->prompt.len);
	return 0;
}

/* Keeps the prompt of a session that never began: the command may have claimed the task for us,
 * and would name another one. */
static void
command_ended(struct source *source, const char *task, const struct fact *ended)
{
	struct command_source *c = (struct command_source *)source;

	c->again = strcmp(task, c->task) == 0 && verdict_cost(ended->verdict) == COST_NOTHING;
}

static void
command_close(struct source *source)
{
	struct command_source *c = (struct command_source *)source;

	asking_stop(&c->asking);
	buf_release(&c->prompt);
	free(c);
}

static const struct source_ops source_command;

static struct source *
command_open(struct ev *ev, const struct settings *settings, struct err *err)
{
	struct command_source *c = xcalloc(1, sizeof(*c));

	(void)err;
	c->base.ops = &source_command;
	c->asking.ev = ev;
	c->asking.command = settings->prompt_command;
	c->asking.cwd = settings->cwd;
	c->asking.timeout = settings->prompt_timeout;
	buf_init(&c->prompt);
	return &c->base;
}

static const struct source_ops source_command = {
    .name = "command",
    .open = command_open,
    .next = command_next,
    .brief = command_brief,
    .ended = command_ended,
    .close = command_close,
};

const struct kind kind_command = {
    .source = &source_command,
    .stays = true,
    .paths = (const char *const[]){"logs", NULL},
    .voice = given_line,
    .views = given_views,
    .answer = given_answered,
    .facts = given_facts,
    .alive = given_beat,
    .beat = GIVEN_BEAT,
};
