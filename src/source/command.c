/*
 * command.c - whatever a command prints: each iteration it is run anew.
 *
 * Exit status 0: what it printed is the prompt; a line "Your task: ID ..." (or "Task: ID")
 * names the task.  1: there is nothing to do, and its words say why: blocked or complete, in
 * this order, by whole phrases, since "complete it or reset it" is no success.  Everything
 * else, and words that are not known, is an error: it is asked again later, never taken for
 * the end.
 */
#include "source/source.h"

#include "base/alloc.h"
#include "base/job.h"
#include "base/json.h"
#include "base/run.h"
#include <ctype.h>

#define PROMPT_MAX ((size_t)16 << 20)
#define SAID_MAX 160

struct command_source {
	struct source base;
	struct ev *ev;
	char *command, *cwd;
	int64_t timeout;
	struct job *job;
	answer_fn *answer;
	void *ctx;
	struct buf prompt; /* as it was answered */
	bool again;	   /* whoever had it could not begin: it goes to the next one */
	char task[TASK_ID_MAX];
};

/* ---- in the job ------------------------------------------------------------------ */

static int
ask(const void *arg, struct buf *out, struct err *err)
{
	const struct command_source *c = arg;
	static char sh[] = "/bin/sh", dash_c[] = "-c";
	struct run_result r;
	json_t *v;
	int rc;

	run_result_init(&r);
	rc = run_program(&(struct run_spec){.what = "the prompt command",
			     .argv = (char *[]){sh, dash_c, c->command, NULL},
			     .cwd = c->cwd,
			     .max = PROMPT_MAX,
			     .timeout = c->timeout},
	    &r, err);
	if (rc == 0) {
		v = json_pack("{s:i,s:o,s:o}", "status", exit_number(r.status), "out",
		    json_text(r.out.data, r.out.len), "err", json_text(r.err.data, r.err.len));
		json_print(v, true, out);
		json_decref(v);
	}
	run_result_release(&r);
	return rc;
}

/* ---- what it said ---------------------------------------------------------------- */

static bool
is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* The phrase, as whole words, in any case. */
static bool
says(const char *text, const char *phrase)
{
	size_t len = strlen(phrase);

	for (const char *at = text; (at = strcasestr(at, phrase)) != NULL; at++)
		if ((at == text || !is_word(at[-1])) && !is_word(at[len]))
			return true;
	return false;
}

static bool
says_any(const char *const *phrases, const char *out, const char *err)
{
	for (; *phrases != NULL; phrases++)
		if (says(err, *phrases) || says(out, *phrases))
			return true;
	return false;
}

static enum end_reason
why_nothing(const char *out, const char *err)
{
	static const char *const blocked[] = {"all blocked", "all tasks blocked",
	    "all tasks are blocked", "tasks are blocked", "tasks blocked", "blocked",
	    "no ready tasks", "waiting on dependencies", NULL};
	static const char *const complete[] = {"all complete", "all tasks complete",
	    "all tasks are complete", "all tasks completed", "no tasks remain",
	    "no tasks available", "no tasks left", "nothing to do", NULL};

	if (says_any(blocked, out, err))
		return END_WAITING;
	return says_any(complete, out, err) ? END_NO_WORK : END_NONE;
}

/* "Your task: ID ..." at a line's beginning. */
static bool
task_after(const char *text, const char *key, char task[TASK_ID_MAX])
{
	size_t len = strlen(key);

	for (const char *line = text; line != NULL && *line != '\0';) {
		const char *end = strchr(line, '\n');

		if (strncmp(line, key, len) == 0) {
			const char *id = line + len + strspn(line + len, " \t*");
			size_t n = strcspn(id, " \t\r\n");

			if (n > 0 && n < TASK_ID_MAX) {
				memcpy(task, id, n);
				task[n] = '\0';
				return true;
			}
		}
		line = end == NULL ? NULL : end + 1;
	}
	return false;
}

/* Its last line, for a sentence. */
static const char *
last_words(const char *out, const char *err, struct buf *words)
{
	const char *text = err[strspn(err, " \t\r\n")] != '\0' ? err : out;
	size_t len = strlen(text);
	size_t from;

	while (len > 0 && isspace((unsigned char)text[len - 1]))
		len--;
	for (from = len; from > 0 && text[from - 1] != '\n' && len - from < SAID_MAX; from--) {}
	buf_add(words, text + from, len - from);
	return words->len == 0 ? "it said nothing" : words->data;
}

/* ---- answers --------------------------------------------------------------------- */

static void
answer_later(struct command_source *c, const char *text)
{
	c->answer(c->ctx, &(struct answer){.kind = ANSWER_LATER, .text = text});
}

static void
answer_task(struct command_source *c)
{
	c->again = false;
	c->answer(c->ctx, &(struct answer){.kind = ANSWER_TASKS,
			      .candidates = &(struct candidate){.id = c->task},
			      .ncandidates = 1});
}

static void
answer_prompt(struct command_source *c, const char *text)
{
	(void)snprintf(c->task, sizeof(c->task), "prompt");
	if (!task_after(text, "Your task:", c->task))
		(void)task_after(text, "Task:", c->task);
	buf_clear(&c->prompt);
	buf_adds(&c->prompt, text);
	answer_task(c);
}

static void
answer_nothing(struct command_source *c, const char *out, const char *err)
{
	enum end_reason reason = why_nothing(out, err);
	AUTO_BUF words = BUF_INIT;
	AUTO_FREE char *text = NULL;

	if (reason == END_NONE) {
		text =
		    xasprintf("the prompt command has nothing to do, but does not say why: %s",
			last_words(out, err, &words));
		answer_later(c, text);
		return;
	}
	c->answer(c->ctx,
	    &(struct answer){
		.kind = ANSWER_DONE, .reason = reason, .text = last_words(out, err, &words)});
}

static void
on_asked(void *ctx, int rc, const struct buf *out, const struct err *err)
{
	struct command_source *c = ctx;
	AUTO_JSON *v = rc < 0 ? NULL : json_parse(out->data, out->len, "answer", NULL);
	const char *said = json_str(v, "out", "");
	const char *complained = json_str(v, "err", "");
	int status = (int)json_int(v, "status", -1);
	AUTO_BUF words = BUF_INIT;
	AUTO_FREE char *text = NULL;

	c->job = NULL;
	if (v == NULL) {
		answer_later(c, rc < 0 ? err->text : "the prompt command died");
	} else if (status == 0) {
		answer_prompt(c, said);
	} else if (status == 1) {
		answer_nothing(c, said, complained);
	} else {
		text = xasprintf("the prompt command ended with %d: %s", status,
		    last_words(said, complained, &words));
		answer_later(c, text);
	}
}

static void
command_next(struct source *source, answer_fn *answer, void *ctx)
{
	struct command_source *c = (struct command_source *)source;
	struct err err = ERR_INIT;

	c->answer = answer;
	c->ctx = ctx;
	if (c->again) {
		answer_task(c);
		return;
	}
	c->job = job_start(c->ev, ask, c, on_asked, c, &err);
	if (c->job == NULL)
		answer_later(c, err.text);
}

/* A prompt that nobody has any more, after a crash, cannot be asked for again: the command
 * would name another task. */
static int
command_work(struct source *source, const char *task, struct source_work *work, struct err *err)
{
	struct command_source *c = (struct command_source *)source;

	if (strcmp(task, c->task) != 0)
		return err_set(err, "the prompt of %s was lost with the supervisor", task);
	buf_add(&work->prompt, c->prompt.data, c->prompt.len);
	return 0;
}

/* The command may have given the task to us, and would name another one. */
static void
command_ended(struct source *source, const char *task, const struct fact *ended)
{
	struct command_source *c = (struct command_source *)source;

	c->again = strcmp(task, c->task) == 0 &&
		   (ended->verdict == VERDICT_LIMITED || ended->verdict == VERDICT_REFUSED);
}

static void
command_close(struct source *source)
{
	struct command_source *c = (struct command_source *)source;

	job_free(c->job);
	buf_release(&c->prompt);
	free(c->command);
	free(c->cwd);
	free(c);
}

static struct source *
command_open(struct ev *ev, const struct settings *settings, struct err *err)
{
	struct command_source *c = xcalloc(1, sizeof(*c));

	(void)err;
	c->base.ops = &source_command;
	c->ev = ev;
	c->command = xstrdup(settings->prompt_command);
	c->cwd = xstrdup(settings->cwd);
	c->timeout = settings->prompt_timeout;
	buf_init(&c->prompt);
	return &c->base;
}

const struct source_ops source_command = {
    .name = "command",
    .open = command_open,
    .next = command_next,
    .work = command_work,
    .ended = command_ended,
    .close = command_close,
};
