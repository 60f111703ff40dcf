/*
 * rules.c - what must be true of every loop at every step.
 *
 * The rules are checked against the world and against the journal, never against
 * the loop's own counters, which are themselves under test.
 */
#include "sim.h"

#include <string.h>

/* ---- what the world shows -------------------------------------------------- */

static void
rule_parallel(struct world *w)
{
	int64_t running = 0;

	for (size_t i = 0; i < w->nfakes; i++) {
		if (w->fakes[i].state != FAKE_RUNNING)
			continue;
		running++;
		for (size_t k = 0; k < i; k++)
			if (w->fakes[k].state == FAKE_RUNNING &&
			    strcmp(w->fakes[k].task, w->fakes[i].task) == 0)
				sim_break(w, "two agents on task %s", w->fakes[i].task);
	}
	if (running > w->settings.parallel)
		sim_break(w, "%lld agents at once, parallel is %lld", (long long)running,
		    (long long)w->settings.parallel);
}

static void
rule_one_start(struct world *w)
{
	for (size_t i = 1; i < w->nfakes; i++)
		if (strcmp(w->fakes[i].id, w->fakes[i - 1].id) == 0)
			sim_break(w, "session %s was started twice", w->fakes[i].id);
}

/* ---- what the journal says --------------------------------------------------- */

struct reading {
	int64_t started, ended, failures, total, max;
	bool finished;
	bool done; /* an agent said so, and the loop was open then */
	enum wanted wanted;
	int64_t hold;
	char boot[40];
};

static void
read_start(struct world *w, struct reading *r, const struct fact *f)
{
	r->started++;
	if (f->iteration != r->started)
		sim_break(w, "iteration %lld follows %lld", (long long)f->iteration,
		    (long long)r->started - 1);
	if (r->max != UNLIMITED && r->started > r->max)
		sim_break(w, "started %lld of %lld", (long long)r->started, (long long)r->max);
	if (r->wanted != WANT_RUN)
		sim_break(w, "started while %s is wanted", wanted_name(r->wanted));
	if (r->finished)
		sim_break(w, "started after the end");
	if (w->settings.max_failures != UNLIMITED && r->failures >= w->settings.max_failures)
		sim_break(w, "started after %lld failures in a row", (long long)r->failures);
	if (f->at.boot < r->hold)
		sim_break(w, "started %lld ms before the hold ends",
		    (long long)((r->hold - f->at.boot) / 1000000));
	r->hold = 0;
}

static void
read_ended(struct world *w, struct reading *r, const struct fact *f)
{
	r->ended++;
	if (verdict_worth(f->verdict) == WORTH_FAILURE) {
		r->failures++;
		r->total++;
	} else if (verdict_worth(f->verdict) == WORTH_SUCCESS) {
		r->failures = 0;
	}
	if (f->failures != r->failures)
		sim_break(w, "failures: said %lld, counted %lld", (long long)f->failures,
		    (long long)r->failures);
}

static void
read_finished(struct world *w, struct reading *r, const struct fact *f)
{
	if (r->finished)
		sim_break(w, "the end was said twice");
	if (r->started != r->ended)
		sim_break(
		    w, "finished with %lld sessions open", (long long)(r->started - r->ended));
	if (f->reason == END_MAX_ITERATIONS && r->started < r->max)
		sim_break(
		    w, "complete after %lld of %lld", (long long)r->started, (long long)r->max);
	if (f->reason == END_DONE_PATTERN && !r->done)
		sim_break(w, "done, but no agent said so");
	if (f->reason >= END_STOPPED && !w->user_stopped)
		sim_break(w, "%s, but nobody asked for it", end_reason_name(f->reason));
	if (f->reason == END_FAILURES && r->failures < w->settings.max_failures)
		sim_break(w, "gave up after %lld failures", (long long)r->failures);
	r->finished = true;
}

static void
read_signal(struct world *w, struct reading *r, size_t at)
{
	const struct fact *f = &w->journal[at];

	for (size_t i = 0; i < at; i++)
		if (w->journal[i].kind == FACT_SIGNALLED && w->journal[i].seq == f->seq &&
		    strcmp(w->journal[i].session, f->session) == 0)
			sim_break(w, "signal %lld of %s was taken twice", (long long)f->seq,
			    f->session);
	r->done |= f->signal == SIGNAL_DONE;
}

static void
read_fact(struct world *w, struct reading *r, size_t at)
{
	const struct fact *f = &w->journal[at];

	switch (f->kind) {
	case FACT_SUPERVISED:
		if (r->wanted == WANT_LEAVE)
			r->wanted = WANT_PAUSE;
		if (strcmp(r->boot, f->boot_id) != 0)
			r->hold = 0; /* another clock; the loop works it out from the wall */
		snprintf(r->boot, sizeof(r->boot), "%s", f->boot_id);
		break;
	case FACT_WANTED:
		r->wanted = f->wanted;
		r->hold = 0;
		break;
	case FACT_REOPENED:
		if (!r->finished && r->wanted != WANT_STOP)
			sim_break(w, "reopened while open");
		r->finished = false;
		r->wanted = WANT_RUN;
		r->failures = 0;
		r->hold = 0;
		break;
	case FACT_STARTED:
		read_start(w, r, f);
		break;
	case FACT_ENDED:
		read_ended(w, r, f);
		break;
	case FACT_BACKOFF:
		if (f->delay != loop_backoff(r->failures))
			sim_break(w, "backoff %lld s after %lld failures",
			    (long long)(f->delay / SEC), (long long)r->failures);
		r->hold = f->until.boot;
		break;
	case FACT_DELAYED:
		r->hold = f->until.boot;
		break;
	case FACT_EDITED:
		r->max = f->value;
		break;
	case FACT_FINISHED:
		read_finished(w, r, f);
		break;
	case FACT_SIGNALLED:
		read_signal(w, r, at);
		break;
	case FACT_OPENED:
	case FACT_RUNNING:
	case FACT_ENDING:
	case FACT_ALERT:
	case FACT_COUNT:
	default:
		break;
	}
}

static struct reading
rule_journal(struct world *w)
{
	struct reading r = {.max = w->settings.max_iterations};

	for (size_t i = 0; i < w->njournal; i++)
		read_fact(w, &r, i);
	return r;
}

/* The state in memory is the fold of the journal, whatever crashed before. */
static void
rule_fold(struct world *w)
{
	static struct loop_state fold;

	if (!w->alive)
		return;
	loop_init(&fold, &w->settings);
	for (size_t i = 0; i < w->njournal; i++)
		loop_apply(&fold, &w->journal[i]);
	fold.fetch = w->state.fetch;
	/* Both began as zero bytes and were changed by the same code: padding is equal too. */
	/* NOLINTNEXTLINE(bugprone-suspicious-memory-comparison,cert-exp42-c,cert-flp37-c) */
	if (memcmp(&fold, &w->state, sizeof(fold)) != 0)
		sim_break(w, "the state is not the fold of the journal");
}

/* ---- the three moments --------------------------------------------------------- */

void
rules_effect(struct world *w, const struct effect *e)
{
	if (e->kind == EFFECT_START && w->state.phase == PHASE_FINISHED)
		sim_break(w, "a start after the end");
	if (e->kind == EFFECT_EXIT && w->state.phase == PHASE_FINISHED &&
	    e->code != end_reason_code(w->state.reason))
		sim_break(w, "exit code %d for %s", e->code, end_reason_name(w->state.reason));
	if (e->kind == EFFECT_EXIT && loop_active(&w->state) != 0)
		sim_break(w, "the supervisor leaves with %zu sessions", loop_active(&w->state));
}

void
rules_step(struct world *w)
{
	struct reading r;

	rule_parallel(w);
	rule_one_start(w);
	r = rule_journal(w);
	rule_fold(w);
	if (w->alive && (w->state.failures != r.failures || w->state.total_failures != r.total))
		sim_break(w, "counts differ from the journal's");
	if (w->alive && w->state.iteration != r.started)
		sim_break(w, "iteration %lld, started %lld", (long long)w->state.iteration,
		    (long long)r.started);
}

/* Once trouble has ended, the loop must end too, and have said so. */
void
rules_end(struct world *w)
{
	struct reading r = rule_journal(w);

	if (!r.finished)
		sim_break(w, "the loop never came to its end (phase %d, wanted %s, %zu active)",
		    (int)w->state.phase, wanted_name(w->state.wanted), loop_active(&w->state));
	for (size_t i = 0; i < w->nfakes; i++)
		if (w->fakes[i].state == FAKE_RUNNING)
			sim_break(w, "agent %s was left running", w->fakes[i].id);
}
