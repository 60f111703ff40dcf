#include "work/shared/asking.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/process/child.h"
#include "base/process/job.h"
#include "base/process/run.h"
#include <ctype.h>

#define PROMPT_MAX ((size_t)16 << 20)
#define SAID_MAX 160

/* ---- in the job ------------------------------------------------------------------ */

static int
asking_ask(const void *arg, struct buf *out, struct err *err)
{
	const struct asking *a = arg;
	AUTO_STRLIST argv = child_shell(a->command);
	AUTO_RUN r = RUN_INIT;
	json_t *v;
	int rc = run_program(&(struct run_spec){.what = "the prompt command",
				 .argv = argv,
				 .cwd = a->cwd,
				 .env = a->env,
				 .max = PROMPT_MAX,
				 .timeout = a->timeout},
	    &r, err);

	if (rc == 0) {
		v = json_pack("{s:i,s:o,s:o}", "status", exit_number(r.status), "out",
		    json_text(r.out.data, r.out.len), "err", json_text(r.err.data, r.err.len));
		json_print(v, true, out);
		json_decref(v);
	}
	return rc;
}

/* ---- what the command said ------------------------------------------------------- */

static bool
asking_is_word(char c)
{
	return isalnum((unsigned char)c) || c == '_' || c == '-';
}

/* Does the text have the phrase, as whole words, in any case? */
static bool
says(const char *text, const char *phrase)
{
	size_t len = strlen(phrase);

	for (const char *at = text; (at = strcasestr(at, phrase)) != NULL; at++)
		if ((at == text || !asking_is_word(at[-1])) && !asking_is_word(at[len]))
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

enum end_reason
asking_words(const char *out, const char *err)
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

/* Finds "Your task: ID ..." at the beginning of a line. */
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

/* Returns the last line of stderr, or else of stdout, for a sentence. */
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

/* Fills in the words of a command that did not give out a prompt.  *text holds what asked->text
 * points to. */
static void
tell_why_not(struct asked *asked, int status, struct buf *text)
{
	AUTO_BUF words = BUF_INIT;

	asked->reason = status == 1 ? asking_words(asked->prompt, asked->remarks) : END_NONE;
	if (status != 1)
		buf_addf(text, "the prompt command ended with %d: ", status);
	else if (asked->reason == END_NONE)
		buf_adds(text, "the prompt command has nothing to do, but does not say why: ");
	else
		asked->kind = ASKED_NOTHING;
	buf_adds(text, last_words(asked->prompt, asked->remarks, &words));
	asked->text = text->data;
}

static void
asking_on_asked(void *ctx, int rc, const struct buf *out, const struct err *err)
{
	struct asking *a = ctx;
	AUTO_JSON *v = rc < 0 ? NULL : json_parse(out->data, out->len, "answer", NULL);
	struct asked asked = {.kind = ASKED_FAILED,
	    .prompt = json_str(v, "out", ""),
	    .remarks = json_str(v, "err", "")};
	int status = (int)json_int(v, "status", -1);
	AUTO_BUF text = BUF_INIT;

	a->job = NULL;
	if (v == NULL) {
		asked.text = rc < 0 ? err->text : "the prompt command died";
	} else if (status == 0) {
		asked.kind = ASKED_PROMPT;
		if (!task_after(asked.prompt, "Your task:", asked.task))
			(void)task_after(asked.prompt, "Task:", asked.task);
	} else {
		tell_why_not(&asked, status, &text);
	}
	a->done(a->ctx, &asked);
}

int
asking_start(struct asking *a, asked_fn *done, void *ctx, struct err *err)
{
	a->done = done;
	a->ctx = ctx;
	a->job = job_start(a->ev, asking_ask, a, asking_on_asked, a, err);
	return a->job == NULL ? -1 : 0;
}

void
asking_stop(struct asking *a)
{
	job_free(take_ptr(a->job));
}
