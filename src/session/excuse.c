/*
 * excuse.c - the agent's last words: was it stopped by a limit, its login, or the bill?
 *
 * While the agent runs, only the end of its output is kept.  The rules are read when the agent
 * is gone, and only when there is something to judge: an agent that ended well and writes plain
 * text has nothing to excuse.
 */
#include "session/keeper.h"

#include "base/log.h"

void
excuse_init(struct keeper *k)
{
	buf_init(&k->excuse.prompt);
	buf_init(&k->excuse.out.bytes);
	buf_init(&k->excuse.err.bytes);
}

void
excuse_start(struct keeper *k)
{
	if (k->spec.mode == MODE_PIPE)
		buf_add(&k->excuse.prompt, k->prompt.data, k->prompt.len);
}

/* Keeps the end of a pipe's output only: the text on a screen has no end that could be kept. */
void
excuse_bytes(struct keeper *k, const struct stream *s, const char *data, size_t len)
{
	if (k->spec.mode == MODE_PIPE)
		limit_tail_add(s == &k->errs ? &k->excuse.err : &k->excuse.out, data, len);
}

static void
excuse_tell(struct keeper *k, const struct limit_found *found)
{
	static const enum signal_kind signals[] = {[LIMIT_RATE] = SIGNAL_LIMIT,
	    [LIMIT_LOGIN] = SIGNAL_LOGIN,
	    [LIMIT_BILLING] = SIGNAL_BILLING};

	if (found->kind != LIMIT_NONE)
		keeper_signal_until(k, signals[found->kind], found->text.data, found->resets);
}

/* Reads the rules of the agent's profile when there is first something to judge.  Warns once
 * when the rules make no sense, however often the agent complains. */
static struct limit_rules *
excuse_rules(struct keeper *k)
{
	const json_t *says[PROFILE_SAYS];
	struct err err = ERR_INIT;

	if (k->excuse.rules != NULL || k->excuse.no_rules)
		return k->excuse.rules;
	if (profile_says(k->spec.command, says, &err) == 0) {
		k->excuse.rules = limit_rules_new(says, &err);
		profile_says_free(says);
	}
	k->excuse.no_rules = k->excuse.rules == NULL;
	if (k->excuse.no_rules)
		warning("%s", err.text);
	return k->excuse.rules;
}

/* `text` NULL: judges the last words. */
void
excuse_complaint(struct keeper *k, const char *text)
{
	struct limit_found found = {.text = BUF_INIT};
	struct err err = ERR_INIT;
	struct limit_case c = {
	    .rules = excuse_rules(k),
	    .out = &k->excuse.out,
	    .err = &k->excuse.err,
	    .prompt = &k->excuse.prompt,
	    .failed = k->family.status.how != EXIT_CODE || k->family.status.value != 0,
	    .now = clock_wall(),
	};

	if (c.rules == NULL)
		return;
	if ((text != NULL ? limit_judge_text(&c, text, &found, &err)
			  : limit_judge(&c, &found, &err)) < 0)
		warning("%s", err.text);
	else
		excuse_tell(k, &found);
	buf_release(&found.text);
}

void
excuse_finish(struct keeper *k)
{
	bool failed = k->family.status.how == EXIT_CODE && k->family.status.value != 0;

	/* An agent that was killed had no last words. */
	if (k->spec.mode == MODE_PIPE && k->family.status.how == EXIT_CODE &&
	    (failed || limit_tail_has_objects(&k->excuse.out)))
		excuse_complaint(k, NULL);
}

void
excuse_stop(struct keeper *k)
{
	limit_tail_release(&k->excuse.out);
	limit_tail_release(&k->excuse.err);
	buf_release(&k->excuse.prompt);
	limit_rules_free(k->excuse.rules);
	k->excuse.rules = NULL;
}
