/*
 * effects.c - carrying out what the loop decided; asking the source.
 */
#include "supervisor/inside.h"

#include "supervisor/held.h"
#include "supervisor/kind.h"
#include "supervisor/window.h"

#include "base/clock.h"
#include "base/log.h"
#include "record/codec.h"

/* ---- the source ------------------------------------------------------------------- */

static void
effects_on_answer(void *ctx, const struct answer *a)
{
	struct running *r = ctx;
	struct loop_input in = {.kind = IN_NO_TASK,
	    .reason = END_NO_WORK,
	    .text = a->text,
	    .others = a->others,
	    .unchecked = a->unchecked};

	if (r->sup->kind->answer != NULL)
		r->sup->kind->answer(r, a);
	if (a->alert != NULL)
		running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = a->alert});
	if (a->kind == ANSWER_LATER && a->text != NULL && held_is(a->text))
		running_held(r, HELD_SOURCE, a->text);
	else
		running_unheld(r, HELD_SOURCE);
	if (a->kind == ANSWER_TASKS) {
		in.kind = IN_TASKS;
		in.candidates = a->candidates;
		in.ncandidates = a->ncandidates;
		in.waiting = a->waiting;
	} else if (a->kind == ANSWER_ERROR) {
		in.reason = a->reason;
		/* Says the decision before the error first; if it cannot be written, the queue
		 * waits for it. */
		(void)!running_settle(r, NULL);
		error("%s", a->text);
	} else if (a->kind == ANSWER_LATER) {
		in.reason = END_NONE;
	} else if (a->reason != END_NONE) {
		in.reason = a->reason;
	}
	if (a->kind == ANSWER_LATER || r->sup->kind->last == NULL ||
	    !r->sup->kind->last(r, &in))
		running_input(r, &in);
}

static void
effects_ask(struct running *r, bool looks)
{
	const struct source_ops *ops = r->source->ops;

	(looks && ops->look != NULL ? ops->look : ops->next)(r->source, effects_on_answer, r);
}

void
running_hold(struct running *r)
{
	r->sup->holds++;
}

bool
running_is_on_hold(const struct running *r)
{
	return r->sup->holds > 0;
}

void
running_release(struct running *r)
{
	if (--r->sup->holds > 0 || !r->sup->fetch_waits)
		return;
	r->sup->fetch_waits = false;
	effects_ask(r, r->fetch_looks);
}

/* ---- effects ------------------------------------------------------------------------- */

/* Effects that only a kind of loop knows; others never ask for them. */
static void
effects_special(struct running *r, const struct effect *e,
    void (*fn)(struct running *r, const struct effect *e))
{
	if (fn != NULL)
		fn(r, e);
	else
		debug("%s: effect %d has no meaning here", r->spec->name, (int)e->kind);
}

void
running_alert(struct running *r, const char *text)
{
	struct fact f = {.kind = FACT_ALERT, .at = clock_now()};
	AUTO_BUF line = BUF_INIT;
	AUTO_JSON *event = NULL;

	(void)snprintf(f.text, sizeof(f.text), "%s", text);
	event = fact_to_json(&f, r->spec->name);
	json_print(event, true, &line);
	buf_addc(&line, '\n');
	alerts_run(&r->sup->alerts, line.data);
}

void
running_effect(struct running *r, const struct effect *e)
{
	const struct loop_session *one;

	switch (e->kind) {
	case EFFECT_FETCH:
		if (r->sup->kind->ask != NULL)
			r->sup->kind->ask(r);
		/* A supervisor that only came to stop the loop has no source. */
		r->fetch_looks = e->looks;
		if (r->source != NULL && r->sup->holds > 0)
			r->sup->fetch_waits = true;
		else if (r->source != NULL)
			effects_ask(r, e->looks);
		break;
	case EFFECT_START:
		if (r->sup->kind->start != NULL)
			r->sup->kind->start(r, e);
		else
			running_session_start(r, e);
		if (e->iteration > 1)
			window_check(r);
		break;
	case EFFECT_PROBE:
		one = loop_find_session(&r->state, e->session);
		if (one != NULL)
			running_session_probe(r, one);
		break;
	case EFFECT_END:
		running_session_end(r, e);
		break;
	case EFFECT_NOTICE:
		running_session_notice(r, e);
		break;
	case EFFECT_LAND:
		effects_special(r, e, r->sup->kind->land);
		break;
	case EFFECT_ASSIGN:
		effects_special(r, e, r->sup->kind->assign);
		break;
	case EFFECT_CHECK:
		effects_special(r, e, r->sup->kind->check);
		break;
	case EFFECT_TELL:
		effects_special(r, e, r->sup->kind->tell);
		break;
	case EFFECT_NUDGE:
		running_session_nudge(r, e);
		break;
	case EFFECT_ALERT:
		running_alert(r, e->text);
		break;
	case EFFECT_EXIT:
		running_leave(r, e->code);
		break;
	case EFFECT_COUNT:
	default:
		break;
	}
}
