/*
 * answers.c - what a worker on pipes is told: it hears nothing while it runs, so the next
 * attempt at its task begins with the answers to what was asked before, and with what was
 * missing.
 *
 * Each attempt is a process that knows nothing of the one before; so all questions about the
 * task are answered, and gathered answers are kept.
 */
#include "work/todo/leader.h"

#include "base/json.h"

#define ANSWERS_MAX 5 /* the last ones: each is up to HELP_MAX long */

/* ---- in a job -------------------------------------------------------------------------- */

/* Returns the kept answer to the question, gathered when the question had been asked as often
 * as now. */
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
	json_t *v = tell_gather(r, q->task, q->text, NULL);

	json_put(v, "key", q->key);
	(void)json_object_set_new(v, "n", json_integer((json_int_t)q->n));
	json_put(v, "question", q->text);
	return v;
}

json_t *
answers_gather(const struct running *r, const char *task, const char *file)
{
	const struct story *s = &leader_of(r)->views->story;
	AUTO_JSON *kept = leader_load(file);
	json_t *list = json_array();

	for (size_t i = s->nquestions; i-- > 0 && json_array_size(list) < ANSWERS_MAX;) {
		const struct story_question *q = &s->questions[i];
		json_t *one;

		if (strcmp(q->task, task) != 0)
			continue;
		one = find_kept(kept, q);
		(void)json_array_insert_new(list, 0, one != NULL ? one : gather(r, q));
	}
	/* The worker gets the answers also when they cannot be kept. */
	if (json_array_size(list) > 0)
		(void)!leader_save(file, list, NULL);
	return list;
}

/* ---- in the prompt --------------------------------------------------------------------- */

void
answers_add(struct running *r, const char *task, const char *token, const json_t *gathered,
    struct buf *prompt)
{
	const struct story_lack *lack = &leader_of(r)->views->story.lack;
	bool lacks = lack->what != TELL_NOTHING && strcmp(lack->task, task) == 0;

	if (gathered == NULL || (json_array_size(gathered) == 0 && !lacks))
		return;
	buf_adds(prompt,
	    "\n## Earlier Attempts\n\n"
	    "This task was begun before; what was done so far is in the working directory. You "
	    "have no terminal at which you could be answered: what was asked is answered "
	    "here.\n");
	for (size_t i = 0; i < json_array_size(gathered); i++) {
		const json_t *v = json_array_get(gathered, i);

		buf_addf(prompt, "\n%s", json_str(v, "reply", ""));
		tell_help(
		    r, task, json_str(v, "question", ""), v, json_str(v, "context", NULL));
	}
	if (lacks) {
		buf_addc(prompt, '\n');
		tell_lack(r, lack->what, task, token, lack->text, prompt);
		buf_addc(prompt, '\n');
	}
}
