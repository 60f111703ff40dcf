/*
 * answers.c - what a worker on pipes is told: it hears nothing while it runs, so the next
 * attempt at its task begins with the answers to what was asked before, and with what was
 * missing.
 *
 * Each attempt is a process that knows nothing of the one before; so all questions about the
 * task are answered, and gathered answers are kept.
 */
#include "work/todo/leader.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/log.h"
#include "work/todo/help/help.h"
#include <fcntl.h>

#define ANSWERS_MAX 5 /* the last ones: each is up to HELP_MAX long */
#define FILE_MAX ((size_t)4 << 20)

/* ---- in a job -------------------------------------------------------------------------- */

/* The kept answer to the question, gathered when the question had been asked as often as
 * now. */
static json_t *
find_kept(const json_t *kept, const struct story_question *q)
{
	json_t *one;
	size_t i;

	json_array_foreach (kept, i, one)
		if (strcmp(json_str(one, "key", ""), q->key) == 0 &&
		    json_int(one, "n", 0) == q->n)
			return json_incref(one);
	return NULL;
}

static json_t *
gather(const struct running *r, const struct story_question *q)
{
	const struct settings *s = &r->settings;
	const char *title = leader_of(r)->story.turn.title;
	struct help_question question = {
	    .root = s->root,
	    .task = q->task,
	    .line = title,
	    .description = title,
	    .question = q->text,
	    .kind = question_kind(q->text, strlen(q->text)),
	    .command = s->help_command,
	};
	AUTO_BUF out = BUF_INIT;
	json_t *v = NULL;

	if (help_job(&question, &out, NULL) == 0)
		v = json_parse(out.data, out.len, "the answer", NULL);
	if (v != NULL) {
		json_put(v, "key", q->key);
		(void)json_object_set_new(v, "n", json_integer((json_int_t)q->n));
		json_put(v, "question", q->text);
	}
	return v;
}

/* Keeps the answers.  Failure to do so is no error: the worker gets the answers anyway. */
static void
answers_keep(const char *file, const json_t *list)
{
	const char *name = strrchr(file, '/') + 1;
	AUTO_FREE char *parent = xstrndup(file, (size_t)(name - file));
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, parent, NULL);
	AUTO_BUF text = BUF_INIT;

	json_print(list, false, &text);
	if (dir >= 0)
		(void)!fs_replace(dir, name, text.data, text.len, FS_NOSYNC, NULL);
}

json_t *
answers_gather(const struct running *r, const char *task, const char *file)
{
	const struct story *s = &leader_of(r)->story;
	AUTO_JSON *kept = NULL;
	json_t *list = json_array();

	kept = json_read(AT_FDCWD, file, FILE_MAX, NULL);
	for (size_t i = s->nquestions; i-- > 0 && json_array_size(list) < ANSWERS_MAX;) {
		const struct story_question *q = &s->questions[i];
		json_t *one = strcmp(q->task, task) != 0 ? NULL : find_kept(kept, q);

		if (one == NULL && strcmp(q->task, task) == 0)
			one = gather(r, q);
		if (one != NULL)
			(void)json_array_insert_new(list, 0, one);
	}
	if (json_array_size(list) > 0)
		answers_keep(file, list);
	return list;
}

/* ---- in the prompt --------------------------------------------------------------------- */

static void
add_answer(struct running *r, const char *task, const json_t *v, struct buf *prompt)
{
	const char *question = json_str(v, "question", "");
	const char *failure = json_str(v, "failure", NULL);
	const struct story_question *q = story_question(&leader_of(r)->story, task, question);

	if (failure != NULL)
		warning("%s: --help-command: %s", r->spec->name, failure);
	buf_addf(prompt, "\n%s", json_str(v, "reply", ""));
	layout_todo_help(
	    leader_of(r)->views, &(struct todo_help){.at = q == NULL ? 0 : q->at,
				     .task = task,
				     .reason = question,
				     .count = json_int(v, "n", 1),
				     .context = json_str(v, "context", NULL),
				     .recommendation = json_str(v, "recommendation", NULL)});
}

void
answers_add(struct running *r, const char *task, const char *token, const json_t *gathered,
    struct buf *prompt)
{
	const struct story_lack *lack = &leader_of(r)->story.lack;
	bool lacks = lack->what != TELL_NOTHING && strcmp(lack->task, task) == 0;

	if (gathered == NULL || (json_array_size(gathered) == 0 && !lacks))
		return;
	buf_adds(prompt,
	    "\n## Earlier Attempts\n\n"
	    "This task was begun before; what was done so far is in the working directory. You "
	    "have no terminal at which you could be answered: what was asked is answered "
	    "here.\n");
	for (size_t i = 0; i < json_array_size(gathered); i++)
		add_answer(r, task, json_array_get(gathered, i), prompt);
	if (lacks) {
		buf_addc(prompt, '\n');
		tell_lack(r, lack->what, task, token, lack->text, prompt);
		buf_addc(prompt, '\n');
	}
}
