/*
 * loop.c - what happens to the loop: a table of phases and inputs.
 *
 * An empty cell is an illegal input: it decides nothing and is reported as such.
 */
#include "loop/deciding.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void
notice_all(struct deciding *d, bool paused)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		if (d->s.sessions[i].state == SESSION_FREE ||
		    (d->s.sessions[i].state == SESSION_LANDING && !d->s.sessions[i].kept))
			continue;
		effect_for(d, EFFECT_NOTICE, &d->s.sessions[i], false);
		d->out->effects[d->out->neffects - 1].paused = paused;
	}
}

static void
supervised(struct deciding *d)
{
	struct fact *f = fact_new(d, FACT_SUPERVISED);

	f->pid = d->in->pid;
	loop_text_copy(f->boot_id, sizeof(f->boot_id), d->in->boot_id);
	fact_emit(d, f);
}

static void
on_open(struct deciding *d)
{
	struct fact *f = fact_new(d, FACT_OPENED);

	loop_text_copy(f->uid, sizeof(f->uid), d->in->uid);
	fact_emit(d, f);
	supervised(d);
}

/* Repeats the effects that were owed to an agent when the last supervisor went. */
static void
recover_session(struct deciding *d, const struct loop_session *one)
{
	if (one->state != SESSION_LANDING || one->kept)
		effect_for(d, EFFECT_PROBE, one, false);
	if (one->state == SESSION_LANDING)
		sessions_land(d, one);
	else if (one->state == SESSION_ENDING)
		effect_for(d, EFFECT_END, one, loop_may_finish(one));
	else if (one->state == SESSION_BRIEFING)
		effect_for(d, EFFECT_ASSIGN, one, false);
	if (one->claimed)
		effect_for(d, EFFECT_CHECK, one, false);
	if (one->tell != TELL_NOTHING)
		led_tell_again(d, one);
}

/* Looks for the sessions that were pending, and repeats what was asked of them. */
static void
on_recover(struct deciding *d)
{
	supervised(d);
	d->s.fetch = FETCH_IDLE;
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (d->s.sessions[i].state != SESSION_FREE)
			recover_session(d, &d->s.sessions[i]);
}

static void
on_recover_finished(struct deciding *d)
{
	supervised(d);
}

void
on_news(struct deciding *d)
{
	if (d->s.fetch == FETCH_DRY || d->s.fetch == FETCH_RESTS)
		d->s.fetch = FETCH_IDLE;
}

static void
on_want(struct deciding *d)
{
	enum wanted wanted = d->in->wanted;
	enum wanted now = d->s.wanted;

	if (wanted == WANT_STOP)
		schedule_close(d, d->in->reason, d->in->blocked, VERDICT_STOPPED);
	if (wanted == WANT_STOP || wanted == now || (wanted == WANT_PAUSE && now != WANT_RUN))
		return;
	decide_want(d, wanted, END_NONE, NULL);
	if (wanted == WANT_RUN)
		on_news(d);
	notice_all(d, wanted != WANT_RUN);
}

static void
on_reopen(struct deciding *d)
{
	if (d->in->wanted != WANT_RUN || !loop_can_resume(&d->s))
		return;
	fact_emit(d, fact_new(d, FACT_REOPENED));
	on_news(d);
}

static void
end_all_now(struct deciding *d)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		const struct loop_session *one = &d->s.sessions[i];

		if (one->state == SESSION_LANDING)
			effect_for(d, EFFECT_END, one, false);
		else if (one->state != SESSION_FREE && one->state != SESSION_WAITING)
			decide_end_session(d, one,
			    one->verdict == VERDICT_NONE ? VERDICT_STOPPED : one->verdict,
			    false);
	}
}

/* While the last agents are ending: a stop means "now"; a run takes the end back
 * unless all work is done. */
static void
on_want_draining(struct deciding *d)
{
	if (d->in->wanted == WANT_STOP) {
		/* A run whose landing is cut short was not worked off: the landing goes on
		 * later. */
		if (regime_row(&d->s.policy)->marks.lands && !end_reason_asked(d->s.reason))
			decide_want(d, WANT_STOP, d->in->reason, d->in->blocked);
		end_all_now(d);
	} else if (!end_reason_complete(d->s.reason)) {
		on_reopen(d);
	}
}

static void
refuse_long(struct deciding *d, const char *id)
{
	char text[TEXT_MAX];

	(void)snprintf(text, sizeof(text),
	    "a ticket whose id is too long to be worked on (%zu characters): %.40s...",
	    strlen(id), id);
	schedule_close(d, schedule_tasks_over(d, END_BLOCKED), text, VERDICT_NONE);
}

static void
on_tasks(struct deciding *d)
{
	struct loop_state *s = &d->s;
	bool used = schedule_iterations_used(s);

	s->fetch = FETCH_IDLE;
	/* The world may have changed while the source looked: then nothing is started, and the
	 * source is asked again later. */
	if (!schedule_may_look(s, d->in->now.boot))
		return;
	/* A task that cannot start now may start when a session has ended or a slot has
	 * rested. */
	s->fetch = schedule_has_room(s, d->in->now.boot) ? FETCH_DRY : FETCH_RESTS;
	if (tasks_start(d) || loop_busy(s) > 0)
		return;
	if (used && tasks_any_eligible(d))
		regime_row(&s->policy)->at_limit(d);
	else if (tasks_any_taken(d))
		return; /* the outcome of those tasks is not known yet */
	else if (d->in->waiting > 0)
		schedule_close(
		    d, schedule_tasks_over(d, END_BLOCKED), d->in->text, VERDICT_NONE);
	else if (tasks_too_long(d) != NULL)
		refuse_long(d, tasks_too_long(d));
	else
		schedule_close(d, schedule_tasks_over(d, END_NO_WORK), NULL, VERDICT_NONE);
}

/* Somebody may be in the middle of an edit.  When the source could not tell for a while, an
 * alert says so, once until the source could tell again. */
static void
ask_later(struct deciding *d)
{
	bool told = d->s.unread_told;

	schedule_hold(d, FACT_UNANSWERED, loop_backoff(d->s.unanswered + 1));
	if (!told && d->s.unread_told)
		decide_alert(d,
		    "what to do next cannot be read (%" PRId64 " times in a row): %.*s",
		    d->s.unanswered, TEXT_MAX - 80, d->s.unread_why);
}

static void
on_no_task(struct deciding *d)
{
	enum end_reason reason = d->in->reason;

	if (reason == END_NONE) {
		d->s.fetch = FETCH_IDLE;
		if (d->s.wanted == WANT_RUN)
			ask_later(d);
		return;
	}
	d->s.fetch = FETCH_DRY;
	/* A source that knows its tasks knows which failed; another source knows only that
	 * nothing is left. */
	if (reason == END_SOME_FAILED && d->s.policy.judged == 0)
		reason = END_WAITING;
	else if (reason == END_NO_WORK && !regime_row(&d->s.policy)->knows)
		reason = schedule_iterations_over(&d->s, reason);
	if (d->s.unlanded > 0 || (d->in->unlanded != NULL && end_reason_complete(reason)) ||
	    (d->in->unchecked && d->s.policy.judged != 0))
		reason = schedule_tasks_over(d, reason);
	if (end_reason_by(reason) == BY_SOURCE || loop_busy(&d->s) == 0)
		schedule_close(d, reason, d->in->text, VERDICT_NONE);
}

/* Records what another run made of a task, or what became of work that waited. */
static void
on_settled(struct deciding *d)
{
	struct fact *f = fact_new(d, FACT_SETTLED);

	loop_text_copy(f->task, sizeof(f->task), d->in->task);
	loop_text_copy(f->text, sizeof(f->text), d->in->text);
	loop_text_copy(f->key, sizeof(f->key), d->in->key);
	f->verdict = d->in->verdict;
	f->fate = d->in->fate;
	fact_emit(d, f);
}

static void
on_late_answer(struct deciding *d)
{
	d->s.fetch = FETCH_IDLE;
}

/* Decides nothing: schedule_next looks at the clock after every input. */
static void
on_timer(struct deciding *d UNUSED)
{
}

/* The supervisor leaves; agents at work go on, and the next pass finds them again. */
static void
on_pass(struct deciding *d)
{
	fact_emit(d, fact_new(d, FACT_LEFT));
	effect_new(d, EFFECT_EXIT)->code = EX_OK;
}

/* Ends the agents, as a closed terminal ends its programs.  This end is nobody's failure. */
static void
on_hangup(struct deciding *d)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		const struct loop_session *one = &d->s.sessions[i];

		if (is_at_work(one) || one->state == SESSION_WAITING)
			decide_end_session(d, one, VERDICT_STOPPED, false);
	}
}

static void
on_edit(struct deciding *d)
{
	struct fact *f;

	if (strcmp(d->in->key, "max_iterations") != 0 ||
	    (d->in->value < 1 && d->in->value != UNLIMITED) ||
	    d->in->value == d->s.policy.max_iterations)
		return;
	f = fact_new(d, FACT_EDITED);
	loop_text_copy(f->key, sizeof(f->key), d->in->key);
	f->value = d->in->value;
	fact_emit(d, f);
}

static void
on_nudge(struct deciding *d)
{
	struct fact *f = fact_new(d, FACT_NUDGED);

	loop_text_copy(f->text, sizeof(f->text), d->in->text);
	fact_emit(d, f);
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (d->s.sessions[i].state == SESSION_RUNNING)
			effect_for(d, EFFECT_NUDGE, &d->s.sessions[i], false);
}

static void
on_alert(struct deciding *d)
{
	decide_alert(d, "%s", d->in->text == NULL ? "" : d->in->text);
}

typedef void input_fn(struct deciding *d);

/* A cell that no input reaches. */
static void
on_illegal(struct deciding *d)
{
	d->out->illegal = true;
}

#define X(id, new, open, draining, finished)  \
	[IN_##id] = {[PHASE_NEW] = on_##new,  \
	    [PHASE_OPEN] = on_##open,         \
	    [PHASE_DRAINING] = on_##draining, \
	    [PHASE_FINISHED] = on_##finished},
static input_fn *const input_table[IN_COUNT][PHASE_COUNT] = {INPUTS(X)};
#undef X

void
loop_decide(const struct loop_state *state, const struct loop_input *in, struct decision *out)
{
	struct deciding *d = &out->deciding;
	input_fn *fn = in->kind < IN_COUNT ? input_table[in->kind][state->phase] : on_illegal;

	loop_copy(&d->s, state);
	d->in = in;
	d->out = out;
	out->nfacts = 0;
	out->neffects = 0;
	out->idle = (struct idle_slot){.task = ""};
	out->resting = 0;
	out->illegal = false;
	fn(d);
	if (!out->illegal)
		schedule_next(d);
	out->fetch = d->s.fetch;
}
