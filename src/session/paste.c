/*
 * paste.c - text given to an interactive agent, as a person would paste it.
 *
 * Ready, written, echoed, Enter, confirmed: each step waits for the screen and goes on
 * without it after a while, since an agent may show nothing at all.
 */
#include "session/keeper.h"

#include "base/alloc.h"

#define READY_STILL (300 * NSEC_PER_MSEC) /* after the first output */
#define READY_SILENT (3 * NSEC_PER_SEC)	  /* without any */
#define READY_MAX (15 * NSEC_PER_SEC)	  /* an agent whose first screen never rests */
#define WRITE_MAX (60 * NSEC_PER_SEC)
#define ECHO_MAX (2 * NSEC_PER_SEC)
#define ECHO_MORE (150 * NSEC_PER_MSEC) /* the echo began while we were writing */
#define CONFIRM_MAX (1500 * NSEC_PER_MSEC)
#define JOBS_MAX 16

static void job_begin(struct paster *p);

/*
 * A control character in a prompt would be a key: an interrupt, an end of file, or the
 * escape that ends a bracketed paste early.  None of them is text.
 */
void
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

static bool
screen_changed(const struct paster *p)
{
	return p->k->watcher.screen != p->screen;
}

static void
job_end(struct paster *p, bool ok)
{
	struct paste_job *job = p->first;

	p->step = PASTE_IDLE;
	ev_timer_stop(&p->timer);
	p->first = job->next;
	p->jobs--;
	if (job->client)
		client_answer(p->k, job->client, ok, "the agent does not take what is typed");
	if (job->is_prompt) {
		static const char why[] = "the agent did not take the prompt";

		if (!ok)
			keeper_signal(p->k, SIGNAL_UNDELIVERED, why, sizeof(why) - 1);
		watcher_delivered(&p->k->watcher);
	}
	buf_release(&job->text);
	free(job);
	if (p->first)
		job_begin(p);
}

static void paste_timer(struct ev_timer *t);

static void
step_enter(struct paster *p)
{
	p->screen = p->k->watcher.screen;
	p->step = PASTE_CONFIRM;
	ev_timer_in(p->k->ev, &p->timer, CONFIRM_MAX, paste_timer, p);
	feed_add(&p->k->input, "\r", 1);
}

/* The text is with the terminal; the agent shows it, or not. */
static void
step_echo(struct paster *p)
{
	p->step = PASTE_ECHO;
	ev_timer_in(
	    p->k->ev, &p->timer, screen_changed(p) ? ECHO_MORE : ECHO_MAX, paste_timer, p);
}

static void
step_write(struct paster *p)
{
	struct paste_job *job = p->first;
	bool bracketed = term_modes(p->k->screen.term) & TERM_MODE_BRACKETED_PASTE;
	AUTO_BUF bytes = BUF_INIT;

	p->ready = true;
	p->screen = p->k->watcher.screen;
	p->step = PASTE_WRITE;
	paste_encode(job->text.data, job->text.len, bracketed, &bytes);
	watcher_typed(&p->k->watcher, job->text.data, job->text.len);
	ev_timer_in(p->k->ev, &p->timer, WRITE_MAX, paste_timer, p);
	feed_add(&p->k->input, bytes.data, bytes.len);
	if (feed_queued(&p->k->input) == 0)
		step_echo(p);
}

static void
step_echoed(struct paster *p)
{
	if (p->first->enter)
		step_enter(p);
	else
		job_end(p, true);
}

static void
paste_timer(struct ev_timer *t)
{
	struct paster *p = t->ctx;

	switch (p->step) {
	case PASTE_READY:
		step_write(p);
		break;
	case PASTE_WRITE:
		feed_clear(&p->k->input);
		job_end(p, false);
		break;
	case PASTE_ECHO:
		step_echoed(p);
		break;
	case PASTE_CONFIRM:
		/* Some agents take the first Enter for a part of the paste. */
		feed_add(&p->k->input, "\r", 1);
		job_end(p, true);
		break;
	case PASTE_IDLE:
		break;
	}
}

static void
job_begin(struct paster *p)
{
	if (p->ready) {
		step_write(p);
		return;
	}
	p->step = PASTE_READY;
	p->give_up = clock_boot() + READY_MAX;
	ev_timer_in(
	    p->k->ev, &p->timer, p->output ? READY_STILL : READY_SILENT, paste_timer, p);
}

int
paster_add(
    struct paster *p, const char *text, size_t len, bool enter, bool is_prompt, uint64_t client)
{
	struct paste_job *job, **last = &p->first;

	if (p->jobs >= JOBS_MAX)
		return -1;
	/* The newline at the end of a file is no second Enter. */
	while (enter && len > 0 && (text[len - 1] == '\n' || text[len - 1] == '\r'))
		len--;
	job = xcalloc(1, sizeof(*job));
	buf_init(&job->text);
	buf_add(&job->text, text, len);
	job->enter = enter;
	job->is_prompt = is_prompt;
	job->client = client;
	while (*last)
		last = &(*last)->next;
	*last = job;
	p->jobs++;
	if (p->step == PASTE_IDLE)
		job_begin(p);
	return 0;
}

/* While it still draws its first screen it is not ready. */
void
paster_output(struct paster *p)
{
	int64_t at;

	p->output = true;
	if (p->step != PASTE_READY)
		return;
	at = clock_boot() + READY_STILL;
	ev_timer_at(p->k->ev, &p->timer, at < p->give_up ? at : p->give_up, paste_timer, p);
}

void
paster_settled(struct paster *p)
{
	bool bracketed = term_modes(p->k->screen.term) & TERM_MODE_BRACKETED_PASTE;

	if (p->step == PASTE_READY && bracketed)
		step_write(p);
	else if (p->step == PASTE_ECHO && screen_changed(p))
		step_echoed(p);
	else if (p->step == PASTE_CONFIRM && screen_changed(p))
		job_end(p, true);
}

void
paster_written(struct paster *p)
{
	if (p->step == PASTE_WRITE)
		step_echo(p);
}

void
paster_stop(struct paster *p)
{
	ev_timer_stop(&p->timer);
	p->step = PASTE_IDLE;
	while (p->first) {
		struct paste_job *job = p->first;

		p->first = job->next;
		if (job->client)
			client_answer(p->k, job->client, false, "the agent has ended");
		buf_release(&job->text);
		free(job);
	}
	p->jobs = 0;
}
