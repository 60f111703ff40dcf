/*
 * watcher.c - turns the agent's output, and its silence, into signals.
 *
 * A terminal is looked at when its output has settled; a pipe is cut into lines.  A clock is
 * set once, and checks when it strikes whether it should have struck later: so output costs no
 * clock anything.
 */
#include "session/keeper.h"

#include "base/process/proc.h"
#include "base/text.h"

/*
 * A screen is looked at between two frames: in the middle of a frame, a tag that is moved by a
 * row may be seen twice.  A frame is one write; a terminal's buffer of 4 KB and a busy
 * processor tear a frame apart for a few milliseconds.  Every word of the agent waits for
 * SETTLE_QUIET, hence it is no longer than needed; and after SETTLE_MAX the screen of an agent
 * that draws without a pause is looked at all the same.
 */
#define SETTLE_QUIET (10 * NSEC_PER_MSEC)
#define SETTLE_MAX (40 * NSEC_PER_MSEC)
#define SETTLE_SYNC_MAX NSEC_PER_SEC   /* an agent that died while drawing a frame */
#define CPU_LEAST (20 * NSEC_PER_MSEC) /* two ticks of the clock that counts it */
#define KEYS_MAX 4096
#define NUDGE_STILL (10 * NSEC_PER_SEC)

static void
done_judge(struct watcher *w, enum done_result result)
{
	if (result == DONE_NO)
		return;
	if (result == DONE_YES)
		keeper_signal(w->k, SIGNAL_DONE, done_text(w->done));
	else
		keeper_signal(
		    w->k, SIGNAL_EXPENSIVE, "the done pattern costs too much to search for");
	done_free(w->done);
	done_free(w->said);
	w->done = w->said = NULL;
}

/*
 * The agent's own record lags behind its screen by some tenths of a second.  While there may be
 * such a record, the screen's words are only remembered.
 */
static void
watcher_screen_judge(struct watcher *w, enum done_result result)
{
	if (result != DONE_YES || w->k->diary.path == NULL) {
		done_judge(w, result);
	} else if (!w->held) {
		w->held = true;
		diary_missed(&w->k->diary);
	}
}

/* ---- tags ---------------------------------------------------------------------------- */

static void
promise_spoken(void *ctx, const struct promise *p)
{
	struct watcher *w = ctx;

	turn_shows(&w->k->turn, p);
}

/* As with the done pattern, a diary may know better who said the tag. */
static void
promise_shown(void *ctx, const struct promise *p)
{
	struct watcher *w = ctx;

	if (!diary_expected(&w->k->diary)) {
		promise_spoken(w, p);
	} else if (w->k->turn.open && w->nseen < SEEN_MAX) {
		w->seen[w->nseen++] = *p;
		diary_missed(&w->k->diary);
	}
}

static void
line_spoken(void *ctx, const char *line, size_t len)
{
	struct watcher *w = ctx;

	if (w->spoken != NULL)
		tally_line(w->spoken, line, len);
}

/* ---- lines --------------------------------------------------------------------------- */

/* Agents that print their conversation as JSON print it in the form of a transcript. */
static void
watcher_line_came(void *ctx, const char *line, size_t len)
{
	struct watcher *w = ctx;

	if (w->done != NULL)
		done_judge(w, done_line(w->done, line, len));
	if (w->shown == NULL)
		return;
	if (len > 0 && line[0] == '{') {
		transcript_feed(&w->stream, line, len);
		transcript_feed(&w->stream, "\n", 1);
	} else {
		tally_line(w->shown, line, len);
	}
}

static bool
watcher_row_text(void *ctx, int row, struct buf *out)
{
	return term_row_text(ctx, row, out);
}

static void
screen_print(void *ctx, struct buf *out)
{
	term_text(ctx, out);
}

void
watcher_line_out(struct watcher *w, const char *text, size_t len, bool wrapped)
{
	activity_advance(&w->activity, w->now);
	if (w->done != NULL && !w->by_diary)
		watcher_screen_judge(w, done_row(w->done, text, len, wrapped));
	if (w->shown != NULL && !w->by_diary)
		tally_row(w->shown, text, len, wrapped);
}

/* Does the agent move again?  While text is typed, a change of the screen says nothing. */
static void
life_look(struct watcher *w)
{
	struct term *term = w->k->screen.term;

	if (w->silent && term != NULL && !paster_busy(&w->k->paster) &&
	    life_shows(&w->life, term_rows(term), watcher_row_text, term))
		watcher_moves(w);
}

static void
screen_look(struct watcher *w)
{
	struct term *term = w->k->screen.term;
	uint64_t hash = term_text_hash(term);

	w->unsettled = 0;
	if (hash == w->screen)
		return;
	w->screen = hash;
	activity_screen(&w->activity, w->last, hash, screen_print, term);
	if (w->done != NULL && !w->by_diary)
		watcher_screen_judge(w, done_screen(w->done, term_rows(term), term_cols(term),
					    watcher_row_text, term));
	if (w->shown != NULL && !w->by_diary)
		tally_screen(
		    w->shown, term_rows(term), term_cols(term), watcher_row_text, term);
	life_look(w);
}

static void
settle_timer(struct ev_timer *t)
{
	struct watcher *w = t->ctx;
	bool sync = term_modes(w->k->screen.term) & TERM_MODE_SYNC;
	int64_t now = clock_boot(), quiet = w->last + SETTLE_QUIET, at;

	if (sync) {
		at = w->unsettled + SETTLE_SYNC_MAX;
		/* The end of a frame comes as output, which does not set this timer. */
		quiet = now + SETTLE_QUIET;
	} else {
		at = w->unsettled + SETTLE_MAX;
	}
	if (now < at && now < quiet) {
		ev_timer_at(w->k->ev, &w->settle, quiet < at ? quiet : at, settle_timer, w);
		return;
	}
	screen_look(w);
	readiness_settled(&w->k->readiness);
	paster_settled(&w->k->paster);
}

static void
terminal_bytes(struct watcher *w, const char *data, size_t len)
{
	if (w->unsettled == 0) {
		w->unsettled = w->now;
		ev_timer_at(w->k->ev, &w->settle, w->now + SETTLE_QUIET, settle_timer, w);
	}
	keeper_screen_bytes(w->k, data, len);
	readiness_output(&w->k->readiness);
}

void
watcher_bytes(struct watcher *w, struct stream *s, const char *data, size_t len)
{
	w->now = w->last = clock_boot();
	if (w->k->spec.mode == MODE_PTY) {
		terminal_bytes(w, data, len);
		return;
	}
	activity_bytes(&w->activity, w->now);
	if (w->silent)
		watcher_moves(w);
	if (w->done != NULL || w->shown != NULL)
		lines_feed(&s->lines, data, len);
	keeper_screen_bytes(w->k, data, len);
}

/* Handles a clear command that somebody else types in the middle of a turn: the agent goes on
 * in a conversation that nobody knows, and only the screen is left to listen to. */
static void
line_typed(struct watcher *w, const char *line, size_t len)
{
	const char *clear = turn_clear(&w->k->turn);

	if (!w->by_diary || w->shown == NULL || !w->k->turn.open || !*clear ||
	    len != strlen(clear) || memcmp(line, clear, len) != 0)
		return;
	/* Nobody looked at the screen while the diary counted: the tags on it now are past. */
	w->by_diary = false;
	w->screen = 0;
	screen_look(w);
	tally_past(w->shown);
	w->nseen = 0;
	diary_lose(&w->k->diary);
}

/* Takes the text as whole lines, whether or not its last Enter has been pressed. */
void
watcher_typed(struct watcher *w, const char *text, size_t len)
{
	AUTO_BUF line = BUF_INIT;

	buf_add(&line, text, len);
	buf_addc(&line, '\n');
	if (w->done != NULL && !w->by_diary)
		done_typed(w->done, line.data, line.len);
	if (w->shown != NULL)
		tally_typed(w->shown, line.data, line.len);
	if (w->silent)
		life_given(&w->life, text, len);
	line_typed(w, text, len);
}

/* A line counts as typed when Enter ends it; keys that edited the line stay in it. */
void
watcher_keys(struct watcher *w, const char *keys, size_t len)
{
	if (w->shown != NULL)
		tally_typed(w->shown, keys, len);
	if (w->shown == NULL && (w->done == NULL || w->by_diary))
		return;
	for (size_t i = 0; i < len; i++) {
		AUTO_BUF line = BUF_INIT;

		if (keys[i] != '\r' && keys[i] != '\n') {
			if (w->keys.len < KEYS_MAX)
				buf_addc(&w->keys, keys[i]);
			continue;
		}
		text_strip(&line, w->keys.data, w->keys.len);
		buf_clear(&w->keys);
		if (line.len == 0)
			continue;
		line_typed(w, line.data, line.len);
		buf_addc(&line, '\n');
		if (w->done != NULL && !w->by_diary)
			done_typed(w->done, line.data, line.len);
	}
}

int64_t
watcher_still(const struct watcher *w)
{
	return w->unsettled ? clock_boot() : w->activity.advanced;
}

/* ---- diary --------------------------------------------------------------------------- */

/* From here on the diary tells who says what: nothing has to be guessed from the screen. */
void
watcher_turn(struct watcher *w)
{
	activity_advance(&w->activity, clock_boot());
	if (w->by_diary)
		return;
	w->by_diary = true;
	w->nseen = 0;
	if (w->said == NULL)
		return;
	done_free(w->done);
	w->done = take_ptr(w->said);
}

void
watcher_alone(struct watcher *w)
{
	if (w->by_diary)
		return;
	if (w->held && w->done != NULL)
		done_judge(w, DONE_YES);
	for (size_t i = 0; i < w->nseen; i++)
		promise_spoken(w, &w->seen[i]);
	w->nseen = 0;
}

void
watcher_said(struct watcher *w, const char *line, size_t len)
{
	watcher_turn(w);
	if (w->done != NULL)
		done_judge(w, done_line(w->done, line, len));
	line_spoken(w, line, len);
}

/* ---- clocks -------------------------------------------------------------------------- */

/* Names the kind of an agent's silence.  The loop asks an agent with a task.  Of other agents a
 * question on the screen tells, or the diary may tell.  An agent that is silent on pipes has
 * not finished. */
static enum signal_kind
idle_kind(const struct watcher *w)
{
	const struct keeper *k = w->k;
	bool over;

	if (k->turn.task != NULL)
		return SIGNAL_IDLE;
	if (k->spec.mode == MODE_PIPE || k->readiness.asking)
		return SIGNAL_HUNG;
	if (!diary_tells(&k->diary, &over))
		return SIGNAL_IDLE;
	return over ? SIGNAL_RESTED : SIGNAL_HUNG;
}

static void
span_tell(struct watcher *w, enum signal_kind kind, const char *what, int64_t span)
{
	AUTO_BUF text = BUF_INIT;

	buf_adds(&text, what);
	clock_fmt_span(span, false, &text);
	keeper_signal(w->k, kind, text.data);
}

static void
idle_tell(struct watcher *w, int64_t still)
{
	struct term *term = w->k->screen.term;

	w->silent = w->k->turn.task != NULL;
	if (w->silent && w->k->spec.mode == MODE_PTY)
		life_still(&w->life, term_rows(term), watcher_row_text, term);
	span_tell(w, idle_kind(w), "nothing has changed for ", still);
}

/* The timer is set again when the agent moves or is given something to do. */
static void
idle_timer(struct ev_timer *t)
{
	struct watcher *w = t->ctx;
	int64_t timeout = w->k->spec.inactivity_timeout;

	if (w->unsettled != 0)
		screen_look(w);
	if (clock_boot() < w->activity.changed + timeout)
		ev_timer_at(w->k->ev, t, w->activity.changed + timeout, idle_timer, w);
	else if (!turn_waits(&w->k->turn))
		idle_tell(w, timeout);
}

void
watcher_moves(struct watcher *w)
{
	int64_t timeout = w->k->spec.inactivity_timeout;

	w->activity.changed = clock_boot();
	if (!w->silent)
		return;
	w->silent = false;
	keeper_signal(w->k, SIGNAL_ACTIVE, "");
	if (timeout > 0)
		ev_timer_in(w->k->ev, &w->idle, timeout, idle_timer, w);
}

void
watcher_nudged(struct watcher *w)
{
	int64_t still;

	if (w->unsettled != 0)
		screen_look(w);
	still = clock_boot() - w->activity.changed;
	if (still >= NUDGE_STILL && w->k->turn.open) {
		ev_timer_stop(&w->idle);
		idle_tell(w, still);
	} else {
		keeper_signal(w->k, SIGNAL_ACTIVE, "it has moved within the last 10 seconds");
	}
}

/* Other processes of the family may work while the screen only blinks: a build, a test.  A
 * process that draws a status line now and then does not count: a process has to use at least a
 * hundredth of the time. */
static void
cpu_look(struct watcher *w)
{
	int64_t cpu = proc_descendants_cpu(w->k->family.agent);
	int64_t worth = w->k->spec.stall_timeout / 100;

	if (cpu - w->cpu > (worth > CPU_LEAST ? worth : CPU_LEAST))
		activity_advance(&w->activity, clock_boot());
	w->cpu = cpu;
}

static void
stall_timer(struct ev_timer *t)
{
	struct watcher *w = t->ctx;
	int64_t timeout = w->k->spec.stall_timeout;

	if (w->unsettled != 0)
		screen_look(w);
	if (clock_boot() >= w->activity.advanced + timeout)
		cpu_look(w);
	if (clock_boot() < w->activity.advanced + timeout) {
		ev_timer_at(w->k->ev, t, w->activity.advanced + timeout, stall_timer, w);
		return;
	}
	if (!turn_waits(&w->k->turn))
		span_tell(w, SIGNAL_STALL, "no progress for ", timeout);
}

static void
deadline_timer(struct ev_timer *t)
{
	struct watcher *w = t->ctx;

	/* The agent has said how its task ended: the time that passes now is ours. */
	if (w->k->turn.over)
		return;
	span_tell(w, SIGNAL_TIMEOUT, "it has run for ", w->k->spec.iteration_timeout);
	keeper_happened(w->k, EVENT_END);
}

static void
deadline_start(struct watcher *w)
{
	ev_timer_in(w->k->ev, &w->deadline, w->k->spec.iteration_timeout, deadline_timer, w);
}

static void
clocks_start(struct watcher *w)
{
	const struct keeper_spec *spec = &w->k->spec;

	if (spec->inactivity_timeout > 0)
		ev_timer_in(w->k->ev, &w->idle, spec->inactivity_timeout, idle_timer, w);
	if (spec->stall_timeout > 0) {
		w->cpu = proc_descendants_cpu(w->k->family.agent);
		ev_timer_in(w->k->ev, &w->stall, spec->stall_timeout, stall_timer, w);
	}
}

void
watcher_delivered(struct watcher *w)
{
	if (w->delivered)
		return;
	w->delivered = true;
	diary_delivered(&w->k->diary);
	activity_start(&w->activity, clock_boot());
	clocks_start(w);
}

void
watcher_given(struct watcher *w)
{
	if (w->k->turn.task == NULL)
		return;
	w->activity.changed = w->activity.advanced = clock_boot();
	clocks_start(w);
	if (w->deadline.ev == NULL && w->k->spec.iteration_timeout > 0)
		deadline_start(w);
	life_look(w);
}

/* ---- turns --------------------------------------------------------------------------- */

void
watcher_task(struct watcher *w, const char *task, const char *prompt, size_t len)
{
	w->silent = w->by_diary = w->held = false;
	w->nseen = 0;
	tally_task(w->shown, task, prompt, len);
	tally_task(w->spoken, task, prompt, len);
	diary_seek(&w->k->diary, prompt, len);
	if (w->k->spec.iteration_timeout > 0)
		deadline_start(w);
}

void
watcher_told(struct watcher *w, const struct promise *p)
{
	if (w->shown != NULL)
		tally_said(w->shown, p);
}

void
watcher_past(struct watcher *w)
{
	if (w->shown == NULL)
		return;
	if (w->k->spec.mode == MODE_PTY && w->unsettled != 0)
		screen_look(w);
	tally_past(w->shown);
	w->nseen = 0;
	diary_delivered(&w->k->diary);
}

/* ---- life ---------------------------------------------------------------------------- */

int
watcher_start(struct watcher *w, struct keeper *k, struct err *err)
{
	w->k = k;
	buf_init(&w->keys);
	life_init(&w->life);
	transcript_init(&w->stream, line_spoken, w);
	w->now = w->last = clock_boot();
	activity_start(&w->activity, w->now);
	lines_init(&k->out.lines, watcher_line_came, w);
	lines_init(&k->errs.lines, watcher_line_came, w);
	if (k->spec.iteration_timeout > 0)
		deadline_start(w);
	if (k->spec.task != NULL) {
		w->shown = tally_new(promise_shown, w);
		w->spoken = tally_new(promise_spoken, w);
		tally_task(w->shown, k->spec.task, k->prompt.data, k->prompt.len);
		tally_task(w->spoken, k->spec.task, k->prompt.data, k->prompt.len);
	}
	if (k->spec.done_pattern == NULL || !*k->spec.done_pattern)
		return 0;
	w->done = done_new(k->spec.done_pattern, k->prompt.data, k->prompt.len, err);
	if (w->done != NULL && k->profile.transcript_flag != NULL)
		w->said = done_new(k->spec.done_pattern, k->prompt.data, k->prompt.len, err);
	return w->done != NULL ? 0 : -1;
}

void
watcher_finish(struct watcher *w)
{
	if (w->k == NULL)
		return;
	lines_flush(&w->k->out.lines);
	lines_flush(&w->k->errs.lines);
	if (w->k->spec.mode == MODE_PTY && w->k->screen.term != NULL)
		screen_look(w);
	ev_timer_stop(&w->settle);
	ev_timer_stop(&w->idle);
	ev_timer_stop(&w->stall);
	ev_timer_stop(&w->deadline);
}

void
watcher_stop(struct watcher *w)
{
	if (w->k == NULL)
		return;
	done_free(w->done);
	done_free(w->said);
	tally_free(w->shown);
	tally_free(w->spoken);
	life_release(&w->life);
	transcript_release(&w->stream);
	buf_release(&w->keys);
	lines_release(&w->k->out.lines);
	lines_release(&w->k->errs.lines);
}
