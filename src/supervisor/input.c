/*
 * input.c - one input after the other: decide, write down, apply, show, carry out.
 *
 * Effects may produce inputs at once (a source that answers immediately); those wait in
 * the queue until the current decision has been carried out.
 */
#include "supervisor/inside.h"

#include "supervisor/gone.h"
#include "supervisor/held.h"
#include "supervisor/kind.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/process/memory.h"
#include "base/text.h"
#include "record/swarm.h"
#include <errno.h>

/* After so long without a decision, memory goes back to the kernel. */
#define SETTLE_AFTER (2 * NSEC_PER_SEC)

struct queued {
	struct queued *next;
	struct loop_input in;
	char *strings[9];
	struct candidate *candidates;
};

/* The input's strings, in one place for copying and freeing. */
static void
input_strings(struct loop_input *in, const char **list[9])
{
	list[0] = &in->uid;
	list[1] = &in->boot_id;
	list[2] = &in->session;
	list[3] = &in->task;
	list[4] = &in->text;
	list[5] = &in->key;
	list[6] = &in->unlanded;
	list[7] = &in->others;
	list[8] = &in->left;
}

static char *
copy_text(const char *s)
{
	return s == NULL ? NULL : xstrdup(s);
}

/* Copies words of agents, or of files that agents write, without characters that nobody sees:
 * no fact has them, so nothing that is made from facts has them. */
static char *
copy_words(const char *s)
{
	AUTO_BUF seen = BUF_INIT;

	if (s == NULL)
		return NULL;
	text_untag(&seen, s, strlen(s));
	return buf_detach(&seen);
}

static struct candidate *
candidates_copy(const struct candidate *from, size_t n)
{
	struct candidate *to = xcalloc(n > 0 ? n : 1, sizeof(*to));

	for (size_t i = 0; i < n; i++)
		to[i] = (struct candidate){.id = copy_text(from[i].id),
		    .components = copy_text(from[i].components),
		    .title = copy_words(from[i].title),
		    .taken = from[i].taken};
	return to;
}

static void
candidates_free(struct candidate *list, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		free((char *)(uintptr_t)list[i].id);
		free((char *)(uintptr_t)list[i].components);
		free((char *)(uintptr_t)list[i].title);
	}
	free(list);
}

static struct queued *
queued_new(const struct loop_input *in)
{
	struct queued *q = xcalloc(1, sizeof(*q));
	const char **list[9];

	q->in = *in;
	input_strings(&q->in, list);
	for (size_t i = 0; i < ARRAY_LEN(list); i++)
		*list[i] = q->strings[i] = list[i] == &q->in.text || list[i] == &q->in.left
					       ? copy_words(*list[i])
					       : copy_text(*list[i]);
	q->candidates = candidates_copy(in->candidates, in->ncandidates);
	q->in.candidates = q->candidates;
	return q;
}

static void
queued_free(struct queued *q)
{
	for (size_t i = 0; i < ARRAY_LEN(q->strings); i++)
		free(q->strings[i]);
	candidates_free(q->candidates, q->in.ncandidates);
	free(q);
}

void
running_look_for_edits(struct running *r)
{
	struct err err = ERR_INIT;
	int64_t value = 0;
	int rc = swarm_edits(running_view(r, &swarm_view), &value, &err);

	if (rc < 0)
		warning("%s: %s", r->spec->name, err.text);
	if (rc == 1)
		running_input(r, &(struct loop_input){
				     .kind = IN_EDIT, .key = "max_iterations", .value = value});
}

static void
input_on_due(struct ev_timer *w)
{
	running_look_for_edits(w->ctx);
	running_input(w->ctx, &(struct loop_input){.kind = IN_TIMER});
}

static void
input_arm(struct running *r, int64_t now)
{
	struct when at;

	if (loop_deadline(&r->state, now, &at))
		ev_timer_at(r->ev, &r->sup->due, at.boot, input_on_due, r);
	else
		ev_timer_stop(&r->sup->due);
}

static void
input_on_settle(struct ev_timer *w UNUSED)
{
	memory_settle();
}

/* ---- the path of every input ---------------------------------------------------- */

/* Does carrying out the effect change nothing anywhere? */
static bool
is_look(const struct running *r, const struct effect *e)
{
	/* The words of a loop over tickets depend on the source's last answer. */
	if (e->kind == EFFECT_FETCH)
		return r->sup->kind->answer == NULL;
	/* Looks at a file; a check of the user's own is a command, and may do anything. */
	return e->kind == EFFECT_CHECK && r->settings.verify == NULL;
}

/*
 * A decision can wait when a look (for a task, for a done file) is all that follows, which
 * costs nothing: if there is an answer at once, the next decision takes this one along to the
 * disk.  Until then nobody is told of this one.
 */
static bool
can_wait(const struct running *r, const struct decision *d)
{
	if (d->nfacts == 0 || d->neffects == 0 || r->sup->unsaid != NULL)
		return false;
	for (size_t i = 0; i < d->neffects; i++)
		if (!is_look(r, &d->effects[i]))
			return false;
	return true;
}

int
running_settle(struct running *r, struct err *err)
{
	const struct decision *d = r->sup->unsaid;

	if (d == NULL)
		return 0;
	if (journal_sync(r->sup->journal, err) < 0)
		return -1;
	r->sup->unsaid = NULL;
	running_show(r, d);
	return 0;
}

/* Says that somebody wrote into the journal: nothing is lost, but the user has to know. */
static void
say_mended(struct running *r)
{
	AUTO_BUF what = BUF_INIT;

	if (journal_mended(r->sup->journal, &what)) {
		warning("%s: %s", r->spec->name, what.data);
		running_alert(r, what.data);
	}
}

int
running_decide(struct running *r, const struct loop_input *in, bool may_wait,
    struct decision *d, struct err *err)
{
	bool waits;

	loop_decide(&r->state, in, d);
	if (d->illegal)
		debug("%s: input %d of '%s' does not fit phase %d", r->spec->name,
		    (int)in->kind, in->session == NULL ? "" : in->session, (int)r->state.phase);
	waits = may_wait && can_wait(r, d);
	if (d->nfacts > 0 &&
	    journal_append(r->sup->journal, d->facts, d->nfacts,
		waits || (r->sup->unsaid == NULL && running_is_hearsay(d)) ? FS_NOSYNC
									   : FS_SYNC,
		err) < 0)
		return -1;
	say_mended(r);
	/* Shows the decision before, because a decision is shown with the state after it. */
	if (running_settle(r, err) < 0)
		return -1;
	loop_commit(&r->state, d);
	return waits;
}

/* Adds what is blocked only where that may be the loop's last word: the source has to look for
 * it. */
static void
add_blocked(struct running *r, const struct loop_input *in, struct buf *out)
{
	bool stops =
	    in->kind == IN_WANT && in->wanted == WANT_STOP && r->state.phase != PHASE_FINISHED;
	bool is_late =
	    r->state.phase == PHASE_OPEN && loop_out_of_time(&r->state, in->now.boot);

	if ((stops || is_late) && r->source != NULL && r->source->ops->blocked != NULL)
		r->source->ops->blocked(r->source, out);
}

static int
carry(struct running *r, const struct loop_input *given, bool in_queue, struct err *err)
{
	struct decision *d =
	    &r->sup->decisions[r->sup->unsaid == &r->sup->decisions[0] ? 1 : 0];
	struct loop_input in = *given;
	AUTO_BUF unlanded = BUF_INIT;
	AUTO_BUF blocked = BUF_INIT;
	int waits;

	in.now = clock_now();
	/* Any decision may end the loop, and the loop's last word tells which work still
	 * waits. */
	if (r->sup->kind->unlanded != NULL)
		r->sup->kind->unlanded(r, &unlanded);
	if (unlanded.len > 0)
		in.unlanded = unlanded.data;
	add_blocked(r, &in, &blocked);
	if (blocked.len > 0)
		in.blocked = blocked.data;
	waits = running_decide(r, &in, in_queue, d, err);
	if (waits < 0)
		return -1;
	if (waits > 0)
		r->sup->unsaid = d;
	else if (d->nfacts > 0)
		running_show(r, d);
	if (d->resting > 0 && r->sup->kind->rests != NULL)
		r->sup->kind->rests(r, d->resting);
	for (size_t i = 0; i < d->neffects; i++)
		running_effect(r, &d->effects[i]);
	input_arm(r, in.now.boot);
	ev_timer_in(r->ev, &r->sup->settle, SETTLE_AFTER, input_on_settle, r);
	return 0;
}

static void input_drain(struct running *r);

static void
on_retry(struct ev_timer *w)
{
	input_drain(w->ctx);
}

static void
hold_back(struct running *r, const struct err *err)
{
	if (r->sup->gone)
		return;
	if (r->sup->retry_delay == 0) {
		error("%s: %s; nothing new is started until it can be written", r->spec->name,
		    err->text);
		running_alert(r, err->text);
		(void)snprintf(r->sup->held[HELD_JOURNAL], sizeof(r->sup->held[HELD_JOURNAL]),
		    "waiting for %s: %.200s",
		    err->code == ENOSPC || err->code == EDQUOT ? "disk space" : "the disk",
		    err->text);
	}
	r->sup->retry_delay = running_retry_after(r->sup->retry_delay);
	ev_timer_in(r->ev, &r->sup->retry, r->sup->retry_delay, on_retry, r);
}

/* Carries out the first input of the queue; when there is none, shows the last decision. */
static int
input_advance(struct running *r, struct err *err)
{
	struct queued *q = r->sup->head;

	if (running_gone(r, err))
		return -1;
	if (q == NULL)
		return running_settle(r, err);
	if (carry(r, &q->in, true, err) < 0)
		return -1;
	r->sup->head = q->next;
	if (r->sup->head == NULL)
		r->sup->tail = &r->sup->head;
	queued_free(q);
	return 0;
}

static void
input_drain(struct running *r)
{
	struct err err = ERR_INIT;

	if (r->sup->busy)
		return;
	r->sup->busy = true;
	while (r->sup->head != NULL || r->sup->unsaid != NULL) {
		if (input_advance(r, &err) < 0) {
			hold_back(r, &err);
			break;
		}
		if (r->sup->retry_delay != 0) {
			r->sup->retry_delay = 0;
			r->sup->held[HELD_JOURNAL][0] = '\0';
			warning("%s: the journal can be written again", r->spec->name);
		}
	}
	r->sup->busy = false;
	running_quiet(r);
}

void
running_quiet(struct running *r)
{
	if (r->sup->kind->quiet != NULL && !r->leaving && r->sup->steps == NULL &&
	    r->sup->head == NULL)
		r->sup->kind->quiet(r);
}

static void
enqueue(struct running *r, struct queued *q)
{
	*r->sup->tail = q;
	r->sup->tail = &q->next;
	/* While the journal cannot be written, the retry timer drives the queue. */
	if (r->sup->retry_delay == 0)
		input_drain(r);
}

void
running_input(struct running *r, const struct loop_input *in)
{
	enqueue(r, queued_new(in));
}

bool
running_input_put_off(struct running *r, const struct loop_input *in)
{
	if (r->sup->put_off != NULL)
		return false;
	r->sup->put_off = queued_new(in);
	return true;
}

void
running_input_put_off_over(struct running *r)
{
	struct queued *q = r->sup->put_off;

	r->sup->put_off = NULL;
	if (q != NULL)
		enqueue(r, q);
}

int
running_input_now(struct running *r, const struct loop_input *in, struct err *err)
{
	int rc;

	if (r->sup->busy || r->sup->head != NULL || r->sup->unsaid != NULL)
		return err_set(err, "the journal cannot be written at the moment");
	r->sup->busy = true;
	rc = running_gone(r, err) ? -1 : carry(r, in, false, err);
	r->sup->busy = false;
	if (rc == 0)
		input_drain(r);
	return rc;
}

void
running_inputs_free(struct running *r)
{
	while (r->sup->head != NULL) {
		struct queued *q = r->sup->head;

		r->sup->head = q->next;
		queued_free(q);
	}
	r->sup->tail = &r->sup->head;
	if (r->sup->put_off != NULL)
		queued_free(r->sup->put_off);
	r->sup->put_off = NULL;
	ev_timer_stop(&r->sup->retry);
	ev_timer_stop(&r->sup->due);
	ev_timer_stop(&r->sup->tidy);
	ev_timer_stop(&r->sup->settle);
	ev_timer_stop(&r->sup->lag);
}
