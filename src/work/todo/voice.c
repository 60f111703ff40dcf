/*
 * voice.c - how a loop over todo.md speaks.
 *
 *   [ralph] NAME: T001 (iteration 1/100): Write the parser
 *   [ralph] NAME: T001 (iteration 2, 1/100), attempt 2: Write the parser
 *   [ralph] NAME: T001: 40 %
 *   [ralph] NAME: T001 is stuck: which file has the grammar?
 *   [ralph] NAME: T001 complete, committed as abc1234
 */
#include "base/clock.h"
#include "record/words.h"
#include "work/todo/leader.h"
#include <inttypes.h>
#include <string.h>

struct said {
	const struct loop_state *state;
	const struct fact *f;
	const char *task; /* of the fact's session */
	struct buf *out;
};

static bool
say_begun(const struct said *s)
{
	words_safe(s->f->task, s->out);
	buf_adds(s->out, " (iteration ");
	/* The limit does not count a further attempt. */
	if (s->state->returned != 0)
		buf_addf(s->out, "%" PRId64 ", ", s->f->iteration);
	words_count(s->state, s->f->iteration, s->out);
	buf_addc(s->out, ')');
	if (s->f->attempt > 1)
		buf_addf(s->out, ", attempt %" PRId64, s->f->attempt);
	if (s->f->title[0] != '\0') {
		buf_adds(s->out, ": ");
		words_safe(s->f->title, s->out);
	}
	return true;
}

/* "T001 WHAT: TEXT" */
static bool
todo_voice_say(const struct said *s, const char *what, const char *text)
{
	words_safe(s->task, s->out);
	buf_addf(s->out, "%s", what);
	if (*text != '\0') {
		buf_adds(s->out, ": ");
		words_safe(text, s->out);
	}
	return true;
}

static bool
say_signalled(const struct said *s)
{
	static const struct {
		enum signal_kind kind;
		const char *what;
	} words[] = {
	    {SIGNAL_STUCK, " is stuck"},
	    {SIGNAL_BLOCKED, " is blocked"},
	    {SIGNAL_DONE, ": the worker says it is done"},
	    {SIGNAL_IDLE, ": the worker is silent"},
	    {SIGNAL_ACTIVE, ": the worker moves again"},
	};

	if (s->f->signal == SIGNAL_PROGRESS) {
		words_safe(s->task, s->out);
		buf_adds(s->out, ": ");
		words_safe(s->f->text, s->out);
		buf_adds(s->out, " %");
		return true;
	}
	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++)
		if (words[i].kind == s->f->signal)
			return todo_voice_say(
			    s, words[i].what, s->f->signal == SIGNAL_DONE ? "" : s->f->text);
	return false;
}

static bool
say_checked(const struct said *s)
{
	if (verdict_is_success(s->f->verdict))
		return false;
	return todo_voice_say(s,
	    s->f->verdict == VERDICT_UNVERIFIED ? " is not verified" : " is not done",
	    s->f->text);
}

static bool
say_telling(const struct said *s)
{
	static const char *const words[TELL_COUNT] = {
	    [TELL_HELP] = ": gathering help",
	    [TELL_REMINDER] = ": the worker is reminded of its completion file",
	    [TELL_UNVERIFIED] = ": the worker is told what the check said",
	    [TELL_PROBE] = ": the worker is nudged",
	    [TELL_AGAIN] = ": the task is sent again",
	};
	static const char *const later[TELL_COUNT] = {
	    [TELL_HELP] = ": the worker has no terminal; its next attempt gets the answer",
	    [TELL_REMINDER] = ": the worker has no terminal; its next attempt is reminded",
	    [TELL_UNVERIFIED] =
		": the worker has no terminal; its next attempt is told what the check said",
	};
	const char *const *say_what = policy_is_deaf(&s->state->policy) ? later : words;
	int what = tell_parse(s->f->key);

	return what > 0 && say_what[what] != NULL && todo_voice_say(s, say_what[what], "");
}

/* The verdicts in the words of somebody who has a list; NULL: the verdict's name will do. */
static const struct {
	const char *task;   /* behind the task */
	const char *worker; /* behind "the worker has ended" */
} outcomes[VERDICT_COUNT] = {
    [VERDICT_NOT_CLOSED] = {"is not done", "without saying that it is done"},
    [VERDICT_ASKED] = {NULL, "after its question"},
};

static bool
todo_voice_say_landed(const struct said *s)
{
	const char *outcome = outcomes[s->f->verdict].task;

	/* The alert has said that the task is blocked, and why. */
	if (s->f->verdict == VERDICT_BLOCKED && s->f->text[0] == '\0')
		return false;
	words_safe(s->f->task, s->out);
	if (verdict_is_success(s->f->verdict) && s->f->fate == FATE_WAITING)
		buf_adds(s->out, " is done, but not complete");
	else if (verdict_is_success(s->f->verdict))
		buf_adds(s->out, " complete");
	else
		buf_addf(
		    s->out, " %s", outcome != NULL ? outcome : verdict_name(s->f->verdict));
	if (s->f->key[0] != '\0') {
		buf_adds(s->out, ", committed as ");
		words_safe(s->f->key, s->out);
	}
	if (s->f->text[0] != '\0') {
		buf_adds(s->out, ": ");
		words_safe(s->f->text, s->out);
	}
	/* Not in a run that ends here. */
	if (s->f->retry != 0 && s->state->phase == PHASE_OPEN)
		buf_adds(s->out, "; it will be tried again");
	return true;
}

static bool
say_nudged(const struct said *s)
{
	buf_adds(s->out, "nudged from outside; looking at the worker");
	return true;
}

static bool
todo_voice_say_ended(const struct said *s)
{
	const char *outcome = outcomes[s->f->verdict].worker;

	if (s->f->kept != 0 || verdict_is_success(s->f->verdict) ||
	    s->f->verdict == VERDICT_BLOCKED)
		return false;
	if (outcome != NULL)
		buf_addf(s->out, "the worker has ended %s (exit: ", outcome);
	else
		buf_addf(
		    s->out, "the worker has ended (%s, exit: ", verdict_name(s->f->verdict));
	words_exit(s->f->exit, s->out);
	buf_addc(s->out, ')');
	return true;
}

static bool
say_nothing(const struct said *s)
{
	(void)s;
	return false;
}

typedef bool say_fn(const struct said *s);

/* Other facts have the words of any loop. */
static say_fn *const sayings[FACT_COUNT] = {
    [FACT_STARTED] = say_begun,
    [FACT_ASSIGNED] = say_begun,
    [FACT_SIGNALLED] = say_signalled,
    [FACT_CHECKED] = say_checked,
    [FACT_TELLING] = say_telling,
    [FACT_ENDED] = todo_voice_say_ended,
    [FACT_LANDED] = todo_voice_say_landed,
    [FACT_SETTLED] = todo_voice_say_landed,
    [FACT_NUDGED] = say_nudged,
    [FACT_FINISHED] = say_nothing, /* the leader says it, with the tasks that are left */
};

/* The task of a session.  A session that is over has lost its task: then another fact names it,
 * or the words "the task" have to do. */
static const char *
task_of(const struct decided *d, const struct fact *f)
{
	const struct loop_session *one = loop_find_session(d->state, f->session);

	if (one != NULL && one->task[0] != '\0')
		return one->task;
	for (size_t i = 0; i < d->n; i++)
		if (d->facts[i].task[0] != '\0' && strcmp(d->facts[i].session, f->session) == 0)
			return d->facts[i].task;
	return "the task";
}

bool
voice_line(const struct decided *d, const struct fact *f, struct buf *out)
{
	struct said s = {.state = d->state, .f = f, .task = task_of(d, f), .out = out};
	size_t start = out->len;

	/* Why the loop ends by itself is in its last words. */
	if (f->kind == FACT_WANTED && f->wanted == WANT_STOP && !end_reason_asked(f->reason))
		return false;
	if (sayings[f->kind] == NULL)
		return console_line(d, f, out);
	words_loop(d->loop, out);
	if (sayings[f->kind](&s))
		return true;
	buf_truncate(out, start);
	return false;
}
