/*
 * paste.c - text given to an interactive agent, as a person would paste it.
 *
 * Ready, written, echoed, Enter, confirmed: each state waits for the screen, and the paste goes
 * on without it after a while, since an agent may show nothing at all.
 *
 * An agent that is still starting takes an Enter that comes with the paste for a part of
 * it, or for nothing.  So the text is written when the first screen is complete, and Enter is
 * pressed when the text is on it.  Most agents keep the cursor where one types: the row
 * it is in tells the echo from other changes, and whether Enter has worked.
 *
 * An agent that did not show a text before its Enter will not show the next text, either, and
 * nothing tells whether the agent has forgotten its conversation as told: the next waits are
 * shorter.  Agents that a profile knows do show typed text, however late.
 */
#include "session/keeper.h"

#include "base/alloc.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

#define WRITE_MAX (60 * NSEC_PER_SEC)
#define ECHO_STILL (150 * NSEC_PER_MSEC)
#define ECHO_MAX (2 * NSEC_PER_SEC)
#define CONFIRM_MAX (1500 * NSEC_PER_MSEC)
/* Instead of both, for an agent that does not show what is typed. */
#define SHY_MAX (300 * NSEC_PER_MSEC)
#define ENTERS_MAX 3
#define JOBS_MAX 16

static void job_begin(struct paster *p);

/*
 * Encodes a text for the agent's terminal, with Enter for newlines.  A control character in a
 * prompt would be a key: an interrupt, an end of file, or the escape that ends a bracketed
 * paste early.  None of them is text.
 */
static void
paste_encode(const char *text, size_t len, bool bracketed, struct buf *out)
{
	buf_reserve(out, len + 12);
	if (bracketed)
		buf_adds(out, "\033[200~");
	for (size_t i = 0; i < len; i++) {
		char c = text[i];

		if (c == '\r' && i + 1 < len && text[i + 1] == '\n')
			continue;
		if (c == '\n' || c == '\r')
			buf_addc(out, '\r');
		else if (c == '\t' || ((unsigned char)c >= ' ' && c != '\177'))
			buf_addc(out, c);
	}
	if (bracketed)
		buf_adds(out, "\033[201~");
}

/* ---- screen -------------------------------------------------------------------------- */

static uint64_t
paste_cursor_row(const struct paster *p)
{
	const struct term *term = p->k->screen.term;
	AUTO_BUF text = BUF_INIT;
	int row, col;

	term_cursor(term, &row, &col);
	term_row_text(term, row, &text);
	return XXH3_64bits(text.data, text.len);
}

/* ---- jobs ---------------------------------------------------------------------------- */

/* Reports that the agent has the text (`ok`), or that the agent will never get it. */
static void
job_tell(struct paster *p, const struct paste_job *job, bool ok)
{
	switch (job->kind) {
	case PASTE_TEXT:
		client_answer(p->k, job->id, ok, "the agent does not take what is typed");
		break;
	case PASTE_PROMPT:
	case PASTE_TASK:
		if (!ok)
			keeper_signal(
			    p->k, SIGNAL_UNDELIVERED, "the agent did not take the prompt");
		watcher_delivered(&p->k->watcher);
		break;
	case PASTE_TELL:
		if (!ok)
			keeper_signal(p->k, SIGNAL_UNDELIVERED,
			    "the agent did not take what it was told");
		break;
	case PASTE_CLEAR:
	default:
		break;
	}
	if (ok && job->kind != PASTE_TEXT)
		watcher_given(&p->k->watcher);
}

/* Is the job of a past turn?  A word may have ended that turn while its prompt was being typed,
 * and another turn may have begun. */
static bool
job_is_past(const struct paster *p, const struct paste_job *job)
{
	return job->kind != PASTE_TEXT && job->turn != p->k->turn.number;
}

/* Opens the turn, or notes the message: from here on the agent's words may be an answer. */
static void
job_enter(struct paster *p, const struct paste_job *job)
{
	if (job_is_past(p, job))
		return;
	if (job->kind == PASTE_PROMPT || job->kind == PASTE_TASK) {
		turn_opened(&p->k->turn);
		turn_delivered(&p->k->turn);
	} else if (job->kind == PASTE_TELL) {
		turn_told(&p->k->turn, job->id);
	}
}

static void
paste_job_end(struct paster *p, bool ok)
{
	struct paste_job *job = p->first;

	p->state = PASTE_IDLE;
	ev_timer_stop(&p->timer);
	p->first = job->next;
	p->jobs--;
	if (!job_is_past(p, job))
		job_tell(p, job, ok);
	buf_release(&job->text);
	free(job);
	if (p->first != NULL)
		job_begin(p);
}

/* Drops a job of a past turn: nobody waits for the job. */
static void
job_drop(struct paster *p)
{
	p->first->kind = PASTE_TEXT;
	p->first->id = 0;
	paste_job_end(p, true);
}

/* ---- states -------------------------------------------------------------------------- */

static void paste_timer(struct ev_timer *t);

static void
paster_begin(struct paster *p, enum paste_state state, int64_t max)
{
	p->state = state;
	p->since = clock_boot();
	p->give_up = p->since + max;
	p->screen = p->k->watcher.screen;
	p->row = paste_cursor_row(p);
	ev_timer_at(p->k->ev, &p->timer, p->give_up, paste_timer, p);
}

static void
paster_look_at(struct paster *p, int64_t at)
{
	ev_timer_at(p->k->ev, &p->timer, at < p->give_up ? at : p->give_up, paste_timer, p);
}

/* Is another Enter useless?  This agent shows nothing of a clear command, so one Enter has to
 * do. */
static bool
is_in_vain(const struct paster *p)
{
	return p->shy && !p->echoed && p->first->kind == PASTE_CLEAR;
}

static void
paster_enter(struct paster *p)
{
	if (p->enters++ == 0)
		job_enter(p, p->first);
	paster_begin(p, PASTE_CONFIRM, is_in_vain(p) ? SHY_MAX : CONFIRM_MAX);
	feed_add(&p->k->input, "\r", 1);
}

static void
paster_write(struct paster *p)
{
	struct paste_job *job = p->first;
	bool bracketed = term_modes(p->k->screen.term) & TERM_MODE_BRACKETED_PASTE;
	AUTO_BUF bytes = BUF_INIT;

	readiness_typed(&p->k->readiness);
	p->echoed = p->on_row = false;
	p->enters = 0;
	paster_begin(p, PASTE_WRITE, WRITE_MAX);
	paste_encode(job->text.data, job->text.len, bracketed, &bytes);
	watcher_typed(&p->k->watcher, job->text.data, job->text.len);
	feed_add(&p->k->input, bytes.data, bytes.len);
	if (feed_queued(&p->k->input) == 0)
		paster_written(p);
}

static void
note_echo(struct paster *p)
{
	if (paste_cursor_row(p) != p->row)
		p->echoed = p->on_row = true;
	else if (p->k->watcher.screen != p->screen && watcher_still(&p->k->watcher) >= p->since)
		p->echoed = true;
}

/* The terminal has the text; waits until the agent shows all of the text. */
static void
look_echoed(struct paster *p)
{
	int64_t now = clock_boot(), still = watcher_still(&p->k->watcher), at;

	note_echo(p);
	at = (still > p->since ? still : p->since) + ECHO_STILL;
	if (now < p->give_up && (!p->echoed || now < at)) {
		paster_look_at(p, p->echoed ? at : p->give_up);
		return;
	}
	if (p->enters == 0)
		p->shy = !p->echoed && !p->k->profile.known;
	if (p->first->enter)
		paster_enter(p);
	else
		paste_job_end(p, true);
}

/*
 * After Enter the cursor's row changes.  When nothing was shown before, the change is the late
 * echo of a busy agent, and the agent has not taken the Enter for one.
 */
static void
look_confirmed(struct paster *p)
{
	bool moved = paste_cursor_row(p) != p->row;

	if (!p->echoed && moved && p->enters == 1) {
		paster_begin(p, PASTE_ECHO, ECHO_MAX);
		p->echoed = true;
		paster_look_at(p, p->since + ECHO_STILL);
	} else if (moved || (!p->on_row && p->k->watcher.screen != p->screen)) {
		paste_job_end(p, true);
	} else if (clock_boot() >= p->give_up && p->enters < ENTERS_MAX && !is_in_vain(p)) {
		paster_enter(p);
	} else if (clock_boot() >= p->give_up) {
		paste_job_end(p, true);
	}
}

void
paster_settled(struct paster *p)
{
	switch (p->state) {
	case PASTE_ECHO:
		look_echoed(p);
		break;
	case PASTE_CONFIRM:
		look_confirmed(p);
		break;
	case PASTE_WRITE:
		note_echo(p); /* a long text may show before all of it is written */
		break;
	case PASTE_READY:
	case PASTE_IDLE:
		break;
	}
}

static void
paste_timer(struct ev_timer *t)
{
	struct paster *p = t->ctx;

	if (p->state != PASTE_WRITE) {
		paster_settled(p);
		return;
	}
	feed_clear(&p->k->input);
	paste_job_end(p, false);
}

static void
job_begin(struct paster *p)
{
	const struct paste_job *job = p->first;

	p->state = PASTE_READY;
	if (job_is_past(p, job)) {
		job_drop(p);
		return;
	}
	if (job->kind == PASTE_TEXT || job->kind == PASTE_PROMPT)
		readiness_begin(&p->k->readiness, job->kind == PASTE_PROMPT);
	else
		readiness_again(&p->k->readiness);
	paster_ready(p);
}

int
paster_add(struct paster *p, const char *text, size_t len, bool enter, enum paste_kind kind,
    uint64_t id)
{
	bool asked = kind == PASTE_TEXT && p->state == PASTE_READY && p->k->readiness.asking;
	struct paste_job *job, **last = &p->first;

	if (p->jobs >= JOBS_MAX && kind == PASTE_TEXT)
		return -1;
	/* The newline at the end of a file is no second Enter. */
	while (enter && len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r'))
		len--;
	job = xcalloc(1, sizeof(*job));
	buf_init(&job->text);
	buf_add(&job->text, text, len);
	job->enter = enter;
	job->kind = kind;
	job->id = id;
	job->turn = p->k->turn.number;
	/* An answer to the agent's question goes before the waiting prompt. */
	while (*last != NULL && !asked)
		last = &(*last)->next;
	job->next = *last;
	*last = job;
	p->jobs++;
	if (p->state == PASTE_IDLE || asked)
		job_begin(p);
	return 0;
}

void
paster_ready(struct paster *p)
{
	if (p->state == PASTE_READY &&
	    readiness_takes(&p->k->readiness, p->first->kind != PASTE_TEXT))
		paster_write(p);
}

void
paster_refused(struct paster *p)
{
	if (p->state == PASTE_READY && p->first->kind != PASTE_TEXT)
		paste_job_end(p, false);
}

bool
paster_busy(const struct paster *p)
{
	return p->state != PASTE_IDLE && p->state != PASTE_READY;
}

void
paster_written(struct paster *p)
{
	if (p->state != PASTE_WRITE)
		return;
	p->state = PASTE_ECHO;
	p->since = clock_boot();
	p->give_up = p->since + (p->shy ? SHY_MAX : ECHO_MAX);
	look_echoed(p);
}

void
paster_stop(struct paster *p)
{
	/* The last text before the end may have told the agent to go: then the agent took
	 * it. */
	bool taken = p->state == PASTE_CONFIRM;

	ev_timer_stop(&p->timer);
	p->state = PASTE_IDLE;
	while (p->first != NULL) {
		struct paste_job *job = p->first;

		p->first = job->next;
		if (job->kind == PASTE_TEXT)
			client_answer(p->k, job->id, taken, "the agent has ended");
		taken = false;
		buf_release(&job->text);
		free(job);
	}
	p->jobs = 0;
}
