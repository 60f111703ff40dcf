/*
 * led.c - one task in the hands of an agent that is led: what it says, what it is told.
 *
 * The agent's word is not enough: the loop checks a `done`, and tells the agent what was
 * missing.  The loop answers a question, but the same question only so often, and nudges a
 * silent agent, but only so often.  Where agents are kept, a turn that ends leaves its agent
 * for the next task.
 */
#include "loop/deciding.h"

#include <inttypes.h>
#include <stdio.h>

/* Bounds all questions about a task together: an agent that never stops asking does not
 * work. */
#define QUESTIONS_PER_ANSWER 5

/* ---- telling ---------------------------------------------------------------------- */

void
led_tell_again(struct deciding *d, const struct loop_session *one)
{
	struct effect *e;

	if (policy_is_deaf(&d->s.policy))
		return;
	effect_for(d, EFFECT_TELL, one, false);
	e = &d->out->effects[d->out->neffects - 1];
	e->tell = one->tell;
	e->number = one->tells;
	loop_text_copy(e->text, sizeof(e->text), one->about);
}

static void
led_tell(struct deciding *d, const struct loop_session *one, enum tell what, const char *about)
{
	struct fact *f = fact_for(d, FACT_TELLING, one);

	loop_text_copy(f->key, sizeof(f->key), tell_name(what));
	loop_text_copy(f->text, sizeof(f->text), about);
	f->value = one->tells + 1;
	fact_emit(d, f);
	led_tell_again(d, loop_find_session(&d->s, one->id));
}

/* ---- the end of a turn ---------------------------------------------------------------- */

/* Ends the turn: the agent stays, and its work lands. */
static void
led_release(
    struct deciding *d, const struct loop_session *one, enum verdict verdict, const char *why)
{
	struct fact *f = fact_ended(d, one, verdict);

	f->failures = d->s.failures;
	f->landing = 1;
	f->kept = 1;
	loop_text_copy(f->why, sizeof(f->why), why);
	fact_emit(d, f);
	sessions_land(d, loop_find_session(&d->s, one->id));
}

static void
led_end_turn(
    struct deciding *d, const struct loop_session *one, enum verdict verdict, const char *why)
{
	if (regime_row(&d->s.policy)->marks.keeps)
		led_release(d, one, verdict, why);
	else
		decide_end_session_for(d, one, verdict, true, why);
}

/* Ends a turn that cannot go on, as the agent says or as we see, and alerts: a person has to
 * look at the task. */
static void
led_give_up(struct deciding *d, const struct loop_session *one, const char *why)
{
	decide_alert(d, "%s is blocked: %.*s", one->task, TEXT_MAX - 160, why);
	led_end_turn(d, one, VERDICT_BLOCKED, why);
}

/* ---- what the agent says ---------------------------------------------------------------- */

const char *
led_words(const struct loop_input *in)
{
	if (in->text != NULL && in->text[0] != '\0')
		return in->text;
	return signal_words(in->signal) == WORDS_NEEDED ? "unknown" : "";
}

/* Gives another answer, unless there were enough answers. */
static void
intervene(struct deciding *d, const struct loop_session *one, enum tell what, const char *about,
    const char *question)
{
	int64_t times = loop_times_asked(&d->s, one->task, question);
	const struct loop_task *task = loop_find_task(&d->s, one->task);
	int64_t most = d->s.policy.interventions, answers;
	char line[TEXT_MAX];

	if (times <= most && (task == NULL || task->questions <= QUESTIONS_PER_ANSWER * most)) {
		led_tell(d, one, what, about);
		return;
	}
	answers = times > most ? times - 1 : task->questions - 1;
	(void)snprintf(line, sizeof(line), "stuck after %" PRId64 " intervention%s: %.*s",
	    answers, answers == 1 ? "" : "s", TEXT_MAX - 64, about == NULL ? "" : about);
	led_give_up(d, one, line);
}

/* A question that is being answered already may come again when the screen is drawn anew. */
static void
said_stuck(struct deciding *d, const struct loop_session *one)
{
	if (one->claimed || (one->tell == TELL_HELP && !policy_is_deaf(&d->s.policy)))
		return;
	intervene(d, one, TELL_HELP, led_words(d->in), led_words(d->in));
}

static void
said_done(struct deciding *d, const struct loop_session *one)
{
	if (!one->claimed)
		effect_for(d, EFFECT_CHECK, one, false);
}

static void
said_blocked(struct deciding *d, const struct loop_session *one)
{
	led_give_up(d, one, led_words(d->in));
}

/* ---- its silence --------------------------------------------------------------------- */

/* While the agent waits for our answer or our check, the silence is ours. */
static void
fell_silent(struct deciding *d, const struct loop_session *one)
{
	int64_t nth = one->nudges + 1;

	if (policy_is_deaf(&d->s.policy)) {
		/* The agent waits for an answer that cannot come; without a question, silence
		 * says nothing. */
		if (one->tell == TELL_HELP && !one->claimed)
			decide_end_session(d, one, VERDICT_ASKED, false);
		return;
	}
	if (one->claimed || one->tell == TELL_HELP)
		return;
	if (nth > d->s.policy.nudges) {
		decide_end_session(d, one, VERDICT_IDLE, false);
		return;
	}
	led_tell(d, one, nth == 2 ? TELL_AGAIN : TELL_PROBE, d->in->text);
	if (nth == d->s.policy.nudges)
		decide_alert(
		    d, "%s: the agent is silent after %" PRId64 " nudges", one->task, nth);
}

typedef void said_fn(struct deciding *d, const struct loop_session *one);

/* The other signals need nothing but their fact. */
static said_fn *const said_table[SIGNAL_COUNT] = {
    [SIGNAL_DONE] = said_done,
    [SIGNAL_STUCK] = said_stuck,
    [SIGNAL_BLOCKED] = said_blocked,
    [SIGNAL_IDLE] = fell_silent,
    [SIGNAL_RESTED] = fell_silent,
    [SIGNAL_HUNG] = fell_silent,
};

void
led_signalled(struct deciding *d, const struct loop_session *one)
{
	said_fn *fn = said_table[d->in->signal];

	if (fn != NULL && one->state != SESSION_ENDING)
		fn(d, one);
}

/* ---- our own look -------------------------------------------------------------------- */

bool
led_is_oversight(const struct loop_session *one, enum verdict checked)
{
	return checked == VERDICT_NOT_CLOSED && !one->reminded;
}

void
led_checked(struct deciding *d, const struct loop_session *one)
{
	enum verdict verdict = d->in->verdict;
	struct fact *f;

	if (!one->claimed || (d->in->turn != 0 && d->in->turn != one->iteration))
		return;
	f = fact_for(d, FACT_CHECKED, one);
	loop_text_copy(f->text, sizeof(f->text), d->in->text);
	f->verdict = verdict;
	fact_emit(d, f);
	if (verdict_is_success(verdict))
		led_end_turn(d, one, VERDICT_DONE, NULL);
	else if (led_is_oversight(one, verdict))
		led_tell(d, one, TELL_REMINDER, d->in->text);
	else
		intervene(d, one,
		    verdict == VERDICT_NOT_CLOSED ? TELL_REMINDER : TELL_UNVERIFIED,
		    d->in->text, verdict_name(verdict));
}

/* ---- agents without a task ----------------------------------------------------------- */

void
led_dismissed(struct deciding *d, const struct loop_session *one)
{
	fact_emit(d, fact_for(d, FACT_DISMISSED, one));
}

void
led_dismiss_waiting(struct deciding *d)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (d->s.sessions[i].state == SESSION_WAITING)
			decide_end_session(d, &d->s.sessions[i], VERDICT_STOPPED, true);
}

const struct loop_session *
led_waiting_agent(const struct loop_state *s)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (s->sessions[i].state == SESSION_WAITING)
			return &s->sessions[i];
	return NULL;
}
