/*
 * pulse.c - the supervisor's own clock for a session.
 */
#include "session/pulse.h"

#include "base/clock.h"

static void pulse_timer(struct ev_timer *t);

bool
pulse_is_late(const struct pulse *p)
{
	return p->due != 0 && clock_boot() >= p->due;
}

/* Sets the timer for the next question: after a while, but soon after the agent's time is
 * over. */
static void
pulse_wait(struct pulse *p)
{
	int64_t now = clock_boot(), at = now + p->every, late = p->due + PULSE_LOOK;

	if (p->due != 0 && late > now && late < at)
		at = late;
	p->silence = -1;
	ev_timer_at(p->ev, &p->timer, at, pulse_timer, p);
}

static bool
pulse_is_over(const struct pulse *p)
{
	return p->silence >= p->patience || (p->silence >= PULSE_MARGIN && pulse_is_late(p));
}

static void
pulse_timer(struct ev_timer *t)
{
	struct pulse *p = t->ctx;
	enum pulse_beat beat = PULSE_ASK;

	p->silence = p->silence < 0 ? 0 : p->silence + PULSE_LOOK;
	if (pulse_is_over(p))
		beat = PULSE_SILENT;
	else if (p->silence >= PULSE_WAKE_AFTER)
		beat = PULSE_WAKE;
	if (beat != PULSE_SILENT)
		ev_timer_in(p->ev, &p->timer, PULSE_LOOK, pulse_timer, p);
	/* The first look asks; the next looks only count. */
	if (beat != PULSE_ASK || p->silence == 0)
		p->fn(p->ctx, beat);
}

static int64_t
pulse_clamp(int64_t ns, int64_t least, int64_t most)
{
	if (ns <= 0 || ns > most)
		return most;
	return ns < least ? least : ns;
}

void
pulse_start(struct pulse *p, struct ev *ev, int64_t idle, int64_t span, pulse_fn *fn, void *ctx)
{
	p->ev = ev;
	p->every = pulse_clamp(idle, PULSE_EVERY_MIN, PULSE_EVERY_MAX);
	p->patience = pulse_clamp(idle, PULSE_MARGIN, PULSE_PATIENCE_MAX);
	p->span = span;
	p->fn = fn;
	p->ctx = ctx;
	pulse_restart(p);
}

void
pulse_restart(struct pulse *p)
{
	if (p->ev == NULL)
		return;
	p->due = p->span > 0 ? clock_boot() + p->span : 0;
	pulse_wait(p);
}

/* Touches no timer while no question is open: agents may write a lot. */
void
pulse_heard(struct pulse *p)
{
	if (p->ev != NULL && p->timer.ev != NULL && p->silence >= 0)
		pulse_wait(p);
}

void
pulse_stop(struct pulse *p)
{
	ev_timer_stop(&p->timer);
}
