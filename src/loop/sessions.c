/*
 * sessions.c - what happens to one session: a table of states and inputs.
 *
 * An empty cell is an illegal input: it decides nothing and is reported as such.
 */
#include "loop/deciding.h"

typedef void session_fn(struct deciding *d, const struct loop_session *one);

/* Gives the task back unstarted, and lets the source be asked again. */
static void
sessions_give_back(struct deciding *d, const struct loop_session *one)
{
	struct fact *f = fact_for(d, FACT_UNSTARTED, one);

	loop_text_copy(f->task, sizeof(f->task), one->task);
	f->iteration = one->iteration;
	fact_emit(d, f);
	on_news(d);
}

/* The session was to be started, and nothing of it is there: a crash swallowed the start, or we
 * lack something.  Decides anew whether the session is wanted. */
static void
session_absent(struct deciding *d, const struct loop_session *one)
{
	if (d->s.phase == PHASE_OPEN && d->s.wanted == WANT_RUN &&
	    !loop_out_of_time(&d->s, d->in->now.boot))
		effect_for(d, EFFECT_START, one, false);
	else
		sessions_give_back(d, one);
}

static void
session_running(struct deciding *d, const struct loop_session *one)
{
	struct fact *f = fact_for(d, FACT_RUNNING, one);

	f->pid = d->in->pid;
	fact_emit(d, f);
}

/* The columns of SIGNALS that a loop which leads nobody acts on. */
static const struct {
	enum verdict verdict; /* end the session as this; NONE: let it go on */
	const char *alert;
} signal_table[] = {
#define X(id, name, verdict, alert, words, report, help) \
	[SIGNAL_##id] = {VERDICT_##verdict, alert},
    SIGNALS(X)
#undef X
};

static void
alert_of_signal(struct deciding *d, const char *what)
{
	bool quoted = signal_words(d->in->signal) == WORDS_QUOTED;
	const char *more = quoted && d->in->text != NULL ? d->in->text : "";

	decide_alert(d, "%s%s%.*s", what, *more == '\0' ? "" : ": ", TEXT_MAX - 100, more);
}

/* Is the signal for led.c?  led.c takes the words of an agent that is led, but no signal
 * that something is wrong with the agent. */
static bool
is_for_led(enum signal_kind kind)
{
	return verdict_is_idle(signal_table[kind].verdict) ||
	       signal_table[kind].verdict == VERDICT_NONE;
}

/* Pipes have no screen that could rest: an agent that is silent on pipes has not finished.  The
 * kind of an agent's silence matters only where iterations are judged. */
static enum verdict
asked_for(const struct policy *policy, enum signal_kind kind)
{
	enum verdict verdict = signal_table[kind].verdict;

	if (!verdict_is_idle(verdict))
		return verdict;
	if (policy->judged == 0)
		return VERDICT_IDLE;
	return policy_is_deaf(policy) ? VERDICT_HUNG : verdict;
}

static void
sessions_signalled(struct deciding *d, const struct loop_session *one)
{
	const struct regime_row *row = regime_row(&d->s.policy);
	enum signal_kind kind = d->in->signal;
	enum verdict verdict = asked_for(&d->s.policy, kind);
	bool ending = one->state == SESSION_ENDING;
	struct fact *f;

	if (d->in->seq <= one->seq)
		return; /* told again after a crash */
	if (d->in->turn != 0 && d->in->turn != one->iteration)
		return; /* of a turn that is over */
	f = fact_for(d, FACT_SIGNALLED, one);
	loop_text_copy(f->text, sizeof(f->text), led_words(d->in));
	f->seq = d->in->seq;
	f->signal = kind;
	f->resets = kind == SIGNAL_LIMIT && d->in->resets > 0 ? d->in->resets : 0;
	fact_emit(d, f);
	if (signal_table[kind].alert != NULL)
		alert_of_signal(d, signal_table[kind].alert);
	if (kind == SIGNAL_DONE)
		row->said_done(d, one);
	else if (row->marks.leads && is_for_led(kind))
		led_signalled(d, one);
	else if (verdict != VERDICT_NONE && !ending)
		decide_end_session(d, one, verdict, false);
}

/*
 * The keeper is silent, so nobody watches the agent's time any more.  This is a failure, or an
 * agent that stops its keeper would be started for ever.  A session that is to end anyway ends
 * as was decided then, and a session without a task has nothing to fail.
 */
static void
session_silent(struct deciding *d, const struct loop_session *one)
{
	bool late = d->in->verdict == VERDICT_TIMEOUT;

	if (one->state != SESSION_ENDING)
		decide_alert(d, "the keeper of session %s %.*s; both are ended", one->id,
		    TEXT_MAX - 100, d->in->text == NULL ? "is silent" : d->in->text);
	if (is_at_work(one))
		decide_end_session_for(
		    d, one, late ? VERDICT_TIMEOUT : VERDICT_FAILED, false, d->in->text);
	else
		effect_for(d, EFFECT_END, one, false);
	d->out->effects[d->out->neffects - 1].forced = true;
}

static int64_t
count_failures(const struct loop_state *s, enum verdict_worth worth)
{
	switch (worth) {
	case WORTH_SUCCESS:
		return 0;
	case WORTH_FAILURE:
		return s->failures + 1;
	case WORTH_NOTHING:
	default:
		return s->failures;
	}
}

/* A person has to look at the refusal: nothing starts until that person resumes the loop. */
static void
pause_loop(struct deciding *d)
{
	if (d->s.wanted == WANT_RUN)
		decide_want(d, WANT_PAUSE, END_NONE, NULL);
}

struct fact *
fact_ended(struct deciding *d, const struct loop_session *one, enum verdict verdict)
{
	struct fact *f = fact_for(d, FACT_ENDED, one);
	int64_t duration = d->in->now.boot - one->started.boot;

	f->iteration = one->iteration;
	f->verdict = verdict;
	f->duration = duration < 0 ? 0 : duration;
	return f;
}

/* Decides after an iteration: too many failures, a wait, or nothing. */
static void
take_breath(struct deciding *d, bool failed)
{
	const struct regime_row *row = regime_row(&d->s.policy);
	struct loop_state *s = &d->s;

	if (s->phase != PHASE_OPEN)
		return;
	if (failed && s->policy.max_failures != UNLIMITED &&
	    s->failures >= s->policy.max_failures) {
		row->give_up(d);
	} else if (s->wanted != WANT_RUN || schedule_iterations_used(s)) {
		return;
	} else if (failed && row->backs_off(d)) {
		schedule_hold(d, FACT_BACKOFF, loop_backoff(s->failures));
	} else if (s->policy.delay > 0) {
		schedule_hold(d, FACT_DELAYED, s->policy.delay);
	}
}

/* Decides what the loop does after a session is out of the way. */
static void
sessions_go_on(
    struct deciding *d, const struct loop_session *one, enum verdict verdict, bool failed)
{
	enum verdict_hold hold =
	    d->s.phase == PHASE_OPEN ? verdict_hold(verdict) : HOLD_NOTHING;

	on_news(d);
	if (hold == HOLD_LIMIT && d->s.wanted == WANT_RUN)
		schedule_hold_for_limit(d, one);
	else if (hold == HOLD_PERSON)
		pause_loop(d);
	else
		take_breath(d, failed);
}

void
sessions_land(struct deciding *d, const struct loop_session *one)
{
	struct effect *e;

	effect_for(d, EFFECT_LAND, one, false);
	e = &d->out->effects[d->out->neffects - 1];
	e->kept = one->kept;
	loop_text_copy(e->text, sizeof(e->text), one->about);
}

static void
sessions_ended(struct deciding *d, const struct loop_session *one)
{
	const struct regime_row *row = regime_row(&d->s.policy);
	enum verdict verdict = row->judge(d, one);
	/* An end that was interrupted goes on later. */
	bool lands = row->marks.lands && verdict_cost(verdict) == COST_ATTEMPT;
	struct fact *f;

	if (one->task[0] == '\0' && row->marks.keeps) {
		led_dismissed(d, one);
		return;
	}
	f = fact_ended(d, one, verdict);
	loop_text_copy(f->task, sizeof(f->task), one->task);
	loop_text_copy(
	    f->why, sizeof(f->why), one->state == SESSION_ENDING ? one->about : NULL);
	f->exit = d->in->exit;
	f->failures = lands ? d->s.failures : count_failures(&d->s, verdict_worth(verdict));
	f->landing = lands;
	fact_emit(d, f);
	if (lands)
		sessions_land(d, loop_find_session(&d->s, one->id));
	else
		sessions_go_on(d, one, verdict, verdict_worth(verdict) == WORTH_FAILURE);
}

/* Records where the session's work is now.  A session that was no success cannot become one
 * because its work was kept. */
static void
session_landed(struct deciding *d, const struct loop_session *one)
{
	const struct policy *policy = &d->s.policy;
	bool given_up = verdict_is_interrupted(d->in->verdict);
	enum verdict verdict =
	    verdict_is_success(one->verdict) || given_up ? d->in->verdict : one->verdict;
	enum verdict_worth worth = verdict_landed_worth(verdict);
	struct fact *f = fact_for(d, FACT_LANDED, one);

	loop_text_copy(f->task, sizeof(f->task), one->task);
	loop_text_copy(f->text, sizeof(f->text), d->in->text);
	loop_text_copy(f->key, sizeof(f->key), d->in->key);
	loop_text_copy(f->others, sizeof(f->others), d->in->others);
	loop_text_copy(f->why, sizeof(f->why), d->in->left);
	f->iteration = one->iteration;
	f->attempt = one->attempt;
	f->exit = one->exit;
	f->verdict = verdict;
	f->fate = d->in->fate;
	f->failures = count_failures(&d->s, worth);
	f->retry = worth == WORTH_FAILURE && one->attempt < policy->attempts &&
		   (policy->retry_on >> verdict & 1) != 0;
	fact_emit(d, f);
	sessions_go_on(d, one, verdict, worth == WORTH_FAILURE);
}

/* Ignores the words of an agent after its turn. */
static void
session_late(struct deciding *d UNUSED, const struct loop_session *one UNUSED)
{
}

/* The agent goes while its work lands; only a kept agent can. */
static void
session_left(struct deciding *d, const struct loop_session *one)
{
	if (one->kept)
		led_dismissed(d, one);
	else
		d->out->illegal = true;
}

static session_fn *const session_table[SESSION_STATES][IN_COUNT] = {
    [SESSION_STARTING] =
	{
	    [IN_ABSENT] = session_absent,
	    [IN_TAKEN] = sessions_give_back,
	    [IN_RUNNING] = session_running,
	    [IN_SIGNAL] = sessions_signalled,
	    [IN_SILENT] = session_silent,
	    [IN_ENDED] = sessions_ended,
	},
    [SESSION_RUNNING] =
	{
	    [IN_RUNNING] = session_running, /* found again by a new supervisor */
	    [IN_SIGNAL] = sessions_signalled,
	    [IN_CHECKED] = led_checked,
	    [IN_SILENT] = session_silent,
	    [IN_ENDED] = sessions_ended,
	},
    [SESSION_ENDING] =
	{
	    [IN_TAKEN] = sessions_give_back, /* ended before it began */
	    [IN_RUNNING] = session_running,
	    [IN_SIGNAL] = sessions_signalled,
	    [IN_CHECKED] = session_late,
	    [IN_SILENT] = session_silent,
	    [IN_ENDED] = sessions_ended,
	},
    [SESSION_BRIEFING] =
	{
	    [IN_RUNNING] = session_running,
	    [IN_SIGNAL] = sessions_signalled,
	    [IN_SILENT] = session_silent,
	    [IN_ENDED] = sessions_ended,
	},
    [SESSION_LANDING] =
	{
	    /* of an agent that is kept */
	    [IN_RUNNING] = session_running,
	    [IN_SIGNAL] = session_late,
	    [IN_CHECKED] = session_late,
	    [IN_SILENT] = session_silent,
	    [IN_ENDED] = session_left,
	    [IN_LANDED] = session_landed,
	},
    [SESSION_WAITING] =
	{
	    [IN_RUNNING] = session_running,
	    [IN_SIGNAL] = session_late,
	    [IN_CHECKED] = session_late,
	    [IN_SILENT] = session_silent,
	    [IN_ENDED] = led_dismissed,
	},
};

void
on_session(struct deciding *d)
{
	const struct loop_session *one = loop_find_session(&d->s, d->in->session);
	session_fn *fn = one == NULL ? NULL : session_table[one->state][d->in->kind];
	struct loop_session before;

	if (fn == NULL) {
		d->out->illegal = true;
		return;
	}
	before = *one; /* facts change the copy of the state it lies in */
	fn(d, &before);
}
