#include "work/todo/help/help_inside.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/process/child.h"
#include "base/process/run.h"
#include "base/text.h"
#include <ctype.h>

#define ANSWER_TIMEOUT (600 * NSEC_PER_SEC)
#define ANSWER_BYTES ((size_t)1 << 20)
/* The environment gets only this much of the question, since the kernel limits it; stdin has
 * all of it. */
#define ENV_BYTES 8000

static void
question_print(const struct help_question *q, struct buf *out)
{
	const char *const texts[][2] = {{"task", q->task}, {"line", q->line},
	    {"description", q->description}, {"question", q->question},
	    {"kind", question_kind_name(q->kind)}, {"screen", q->screen}, {"root", q->root}};
	AUTO_JSON *v = json_object();

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		json_put(v, texts[i][0], texts[i][1] != NULL ? texts[i][1] : "");
	json_print(v, true, out);
	buf_addc(out, '\n');
}

static char **
help_command_env(const struct help_question *q)
{
	AUTO_FREE char *task = xasprintf("RALPH_TASK=%s", q->task != NULL ? q->task : "");
	AUTO_FREE char *text =
	    xasprintf("RALPH_QUESTION=%.*s", ENV_BYTES, q->question != NULL ? q->question : "");
	AUTO_FREE char *kind = xasprintf("RALPH_KIND=%s", question_kind_name(q->kind));
	char **env = strlist_add(strlist_add(strlist_add(NULL, task), text), kind);

	for (char **e = environ; e != NULL && *e != NULL; e++)
		if (strncmp(*e, "RALPH_TASK=", 11) != 0)
			env = strlist_add(env, *e);
	return env;
}

/* Appends the last line of the text, for a sentence. */
static void
words_last(const struct buf *text, struct buf *out)
{
	size_t len = text->len;
	size_t from;

	while (len > 0 && isspace((unsigned char)text->data[len - 1]))
		len--;
	for (from = len; from > 0 && text->data[from - 1] != '\n' && len - from < 160;)
		from--;
	text_show(out, text->data + from, len - from, false);
}

static int
answer_judge(const struct run_result *r, struct buf *answer, struct err *err)
{
	AUTO_BUF words = BUF_INIT;
	size_t from = strspn(r->out.data, " \t\r\n");

	if (!exit_ok(r->status)) {
		words_last(&r->err, &words);
		return err_set(err, "the help command ended with status %d%s%s",
		    exit_number(r->status), words.len > 0 ? ": " : "", words.data);
	}
	if (r->out.data[from] == '\0')
		return err_set(err, "the help command said nothing");
	buf_adds(answer, r->out.data + from);
	return 0;
}

int
help_command(const struct help_question *q, struct buf *answer, struct err *err)
{
	AUTO_STRLIST argv = child_shell(q->command);
	AUTO_BUF input = BUF_INIT;
	AUTO_STRLIST env = help_command_env(q);
	AUTO_RUN r = RUN_INIT;
	int rc;

	question_print(q, &input);
	rc = run_program(
	    &(struct run_spec){
		.what = "the help command",
		.argv = argv,
		.env = env,
		.cwd = q->root,
		.input = input.data,
		.input_len = input.len,
		.max = ANSWER_BYTES,
		.timeout = q->command_timeout ? q->command_timeout : ANSWER_TIMEOUT,
	    },
	    &r, err);
	if (rc == 0)
		rc = answer_judge(&r, answer, err);
	return rc;
}
