/*
 * ready.c - does the agent take what is typed?
 *
 * A row of the agent's settled screen that matches a pattern of the user's or of the profile
 * shows that it does.  Where no pattern is known, or none of a profile's patterns matches, the
 * first screen counts as complete when it rests.  A user who names patterns knows better: then
 * a screen that rests means nothing.
 *
 * A dialog that comes before (trust, login, theme) is never answered with a prompt: a signal
 * tells of the dialog, and when nobody answers, the prompt counts as undelivered.
 */
#include "session/keeper.h"

#include "base/alloc.h"
#include "base/log.h"

#define READY_STILL (300 * NSEC_PER_MSEC)
#define READY_BLINKS (2 * NSEC_PER_SEC)	 /* a clock or a spinner may never stand still */
#define READY_BLANK NSEC_PER_SEC	 /* nothing to see on it yet */
#define READY_SILENT (3 * NSEC_PER_SEC)	 /* not even a byte */
#define READY_MAX (15 * NSEC_PER_SEC)	 /* an agent whose first screen never rests */
#define READY_STRICT (30 * NSEC_PER_SEC) /* patterns of the user's, and none matches */
#define QUESTION_MAX (60 * NSEC_PER_SEC) /* a dialog that nobody answers */
#define AGAIN_STILL (150 * NSEC_PER_MSEC)
#define AGAIN_MAX (10 * NSEC_PER_SEC)

/* ---- patterns ------------------------------------------------------------------------ */

/* The user's patterns were checked when they were given; a profile's patterns may be
 * anybody's. */
static void
patterns_add(struct readiness *r, char *const *texts, bool asks)
{
	for (; texts != NULL && *texts != NULL; texts++) {
		struct err err = ERR_INIT;
		struct pattern *regex = pattern_new(*texts, &err);

		if (regex == NULL) {
			warning("a ready pattern of '%s': %s", r->k->spec.command[0], err.text);
			continue;
		}
		r->patterns = xreallocarray(r->patterns, r->count + 1, sizeof(*r->patterns));
		r->patterns[r->count++] = (struct ready_pattern){regex, asks};
	}
}

static void
patterns_free(struct readiness *r)
{
	for (size_t i = 0; i < r->count; i++)
		pattern_free(r->patterns[i].regex);
	free(r->patterns);
	r->patterns = NULL;
	r->count = 0;
}

static bool
ready_row_matches(const struct readiness *r, bool asks, const struct buf *row)
{
	size_t start, end;

	for (size_t i = 0; i < r->count; i++)
		if (r->patterns[i].asks == asks &&
		    pattern_search(r->patterns[i].regex, row->data, row->len, &start, &end) ==
			PATTERN_MATCH)
			return true;
	return false;
}

/* Does a row match?  Leaves the row in `row`. */
static bool
screen_matches(const struct readiness *r, bool asks, struct buf *row)
{
	const struct term *term = r->k->screen.term;

	for (int i = 0; i < term_rows(term); i++) {
		buf_clear(row);
		term_row_text(term, i, row);
		if (row->len == 0)
			continue;
		/* Adds the blank behind a prompt's sign: the screen has it, the row's text does
		 * not. */
		buf_addc(row, ' ');
		if (ready_row_matches(r, asks, row)) {
			buf_truncate(row, row->len - 1);
			return true;
		}
	}
	return false;
}

/* ---- states -------------------------------------------------------------------------- */

static void ready_timer(struct ev_timer *t);

static void
ready_look_again(struct readiness *r, int64_t at)
{
	ev_timer_at(r->k->ev, &r->timer, at, ready_timer, r);
}

void
readiness_stop(struct readiness *r)
{
	r->over = true;
	r->asking = false;
	ev_timer_stop(&r->timer);
	patterns_free(r);
}

static void
ready_now(struct readiness *r, const char *why)
{
	readiness_stop(r);
	if (r->tells)
		keeper_signal(r->k, SIGNAL_READY, why);
	paster_ready(&r->k->paster);
}

/* Nothing shows that the agent is ready; waiting text is typed all the same. */
static void
ready_perhaps(struct readiness *r)
{
	r->assumed = true;
	paster_ready(&r->k->paster);
}

static void
question_look(struct readiness *r)
{
	const struct watcher *w = &r->k->watcher;
	int64_t patience = r->k->spec.inactivity_timeout, at;

	at = w->activity.changed + (patience > 0 ? patience : QUESTION_MAX);
	if (clock_boot() < at)
		ready_look_again(r, at);
	else
		paster_refused(&r->k->paster);
}

static bool
screen_blank(const struct readiness *r)
{
	AUTO_BUF text = BUF_INIT;

	term_text(r->k->screen.term, &text);
	return strspn(text.data, " \n") == text.len;
}

/* The moment at which the screen counts as at rest, if nothing else happens on it. */
static int64_t
rest_at(const struct watcher *w, int64_t rest)
{
	int64_t blinks = watcher_still(w), changed = w->activity.changed;
	int64_t still = (blinks > changed ? blinks : changed) + rest;

	return still < blinks + READY_BLINKS ? still : blinks + READY_BLINKS;
}

/* No pattern matches: is the agent's first screen complete? */
static void
rest_look(struct readiness *r)
{
	const struct watcher *w = &r->k->watcher;
	int64_t now = clock_boot(), max, at;
	bool blank = !r->output || screen_blank(r);

	max = r->since + (r->strict ? READY_STRICT : READY_MAX);
	if (r->strict)
		at = max;
	else if (!r->output)
		at = r->since + (r->k->profile.known ? READY_MAX : READY_SILENT);
	else if (blank)
		at = w->last + READY_BLANK;
	else
		at = rest_at(w, READY_STILL);
	if (now >= at && !blank && !r->strict)
		ready_now(r, "its screen is at rest");
	else if (now < at && now < max)
		ready_look_again(r, at < max ? at : max);
	else if (!r->assumed)
		ready_perhaps(r);
	else if (now < at)
		ready_look_again(r, at);
}

/* The agent was ready once, and the row that showed it may still be on the screen: only a
 * screen at rest counts.  In the middle of a session there is no first screen that takes
 * longer. */
static void
again_look(struct readiness *r)
{
	int64_t now = clock_boot(), max = r->since + AGAIN_MAX;
	int64_t at = rest_at(&r->k->watcher, AGAIN_STILL);
	AUTO_BUF row = BUF_INIT;

	if (now >= max)
		ready_perhaps(r);
	else if (now < at)
		ready_look_again(r, at < max ? at : max);
	else if (r->known && !screen_matches(r, false, &row))
		ready_look_again(r, max);
	else
		ready_now(r, "its screen is at rest again");
}

static void
ready_screen_judge(struct readiness *r)
{
	AUTO_BUF row = BUF_INIT;

	r->screen = r->k->watcher.screen;
	if (r->asking)
		r->since = clock_boot(); /* only now the agent begins to get ready */
	r->asking = screen_matches(r, true, &row);
	if (r->asking && r->tells)
		keeper_signal(r->k, SIGNAL_ASKS, row.data);
	if (r->asking) {
		paster_ready(&r->k->paster);
	} else if (!r->again && screen_matches(r, false, &row)) {
		r->known = true;
		ready_now(r, row.data);
	}
}

static void
ready_look(struct readiness *r)
{
	const struct watcher *w = &r->k->watcher;

	if (w->unsettled == 0 && w->screen != r->screen)
		ready_screen_judge(r);
	if (r->over)
		return;
	if (r->asking)
		question_look(r);
	else if (r->again)
		again_look(r);
	else
		rest_look(r);
}

static void
ready_timer(struct ev_timer *t)
{
	ready_look(t->ctx);
}

/* ---- life ---------------------------------------------------------------------------- */

static void
readiness_open(struct readiness *r, bool tells)
{
	const struct keeper *k = r->k;

	r->since = clock_boot();
	r->tells = tells;
	r->strict = k->spec.ready_patterns != NULL;
	patterns_add(r, k->spec.ready_patterns, false);
	patterns_add(r, k->profile.ready, false);
	patterns_add(r, k->profile.not_ready, true);
	ready_look(r);
}

void
readiness_begin(struct readiness *r, bool tells)
{
	if (!r->since && !r->over)
		readiness_open(r, tells);
}

void
readiness_again(struct readiness *r)
{
	patterns_free(r);
	r->again = true;
	r->over = r->asking = r->assumed = false;
	r->screen = 0;
	readiness_open(r, true);
}

void
readiness_output(struct readiness *r)
{
	r->output = true;
}

void
readiness_settled(struct readiness *r)
{
	if (r->since && !r->over)
		ready_look(r);
}

bool
readiness_takes(const struct readiness *r, bool is_prompt)
{
	if (r->asking)
		return !is_prompt;
	return r->over || r->assumed;
}

void
readiness_typed(struct readiness *r)
{
	if (!r->asking)
		readiness_stop(r);
}
