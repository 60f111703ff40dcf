/*
 * answer.c - the answers of the source of tickets: which tickets can be begun, which ones other
 * loops have, and which ones wait, and for what.
 *
 * An answer names the tickets that another loop has; when that loop is done, the source has
 * news.
 */
#include "work/tickets/answer.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/text.h"
#include "session/session.h"
#include <fcntl.h>
#include <unistd.h>

/* How often to check that the owner of a ticket is alive: the death of an owner raises no
 * event. */
#define LOOK_EVERY (2 * NSEC_PER_SEC)
/* The number of unknown ids of a query that are named at most: a query may print anything. */
#define STRANGERS_TOLD 5

/* ---- claims of others -------------------------------------------------------------- */

/* Notes who has claimed the ticket, once for each sentence. */
static void
taken_note(struct tickets_source *s, const struct claim *claim)
{
	AUTO_BUF line = BUF_INIT;

	text_show(&line, claim->task, strlen(claim->task), false);
	buf_adds(&line, " is claimed by another loop: ");
	claim_describe(claim, &line);
	if (strlist_has(s->told, line.data))
		return;
	s->told = strlist_add(s->told, line.data);
	buf_addf(&s->notes, "%s; it is left to that one until it is free\n", line.data);
}

static bool
is_taken(struct tickets_source *s, const char *task)
{
	const struct claim *claim = claims_find(s->claims, task);

	if (!claim_is_anothers(claim, getpid()))
		return false;
	s->taken = strlist_add(s->taken, task);
	taken_note(s, claim);
	return true;
}

/* Raises news when a ticket that another loop had is free now; else looks again later. */
static void
taken_look(struct ev_timer *w)
{
	struct tickets_source *s = w->ctx;
	bool free_now = false;

	if (s->taken == NULL || s->news == NULL)
		return;
	if (claims_read(s->claims, NULL) == 0)
		for (char **id = s->taken; *id != NULL; id++)
			free_now |= !claim_is_anothers(claims_find(s->claims, *id), getpid());
	if (free_now)
		s->news(s->news_ctx);
	else
		ev_timer_in(s->ev, w, LOOK_EVERY, taken_look, s);
}

static void
on_claimed(struct ev_io *w, uint32_t events)
{
	struct tickets_source *s = w->ctx;
	char events_read[4096];

	(void)events;
	while (read(w->fd, events_read, sizeof(events_read)) > 0) {}
	taken_look(&s->vanished);
}

static void
taken_watch(struct tickets_source *s)
{
	int fd;

	if (s->taken == NULL)
		return;
	fd = claims_fd(s->claims);
	if (fd >= 0 && s->claimed.ev == NULL)
		ev_io_start(s->ev, &s->claimed, fd, EPOLLIN, on_claimed, s);
	ev_timer_in(s->ev, &s->vanished, LOOK_EVERY, taken_look, s);
}

/* ---- answers --------------------------------------------------------------------- */

struct candidates {
	struct candidate *list; /* owns the `components` of its entries */
	size_t n;
	size_t nowed;	 /* further tickets, which dead loops have done and not landed */
	struct buf owed; /* the loops that owe them, a sentence each */
};

static void
candidates_release(struct candidates *c)
{
	for (size_t i = 0; i < c->n; i++)
		free((char *)(uintptr_t)c->list[i].components);
	free(c->list);
	buf_release(&c->owed);
}

/* Did the session whose lock this is end well?  The lock is in the directory of the session,
 * whichever loop it was of. */
static bool
ended_well(const char *lock)
{
	AUTO_FREE char *dir = fs_parent(lock);
	struct session_info info;

	return session_info(AT_FDCWD, dir, &info, NULL) == 0 && info.ended &&
	       exit_ok(info.exit);
}

/* Does a dead loop owe the landing of this ticket?  That loop lands the work when it is
 * resumed; if we did the ticket, too, the work would be done twice. */
static bool
is_owed(struct candidates *c, struct tickets_source *s, const char *task)
{
	const struct claim *claim = claims_find(s->claims, task);

	if (!claim_is_owed(claim, ended_well) || ledger_has(s->ledger, task))
		return false;
	buf_addf(&c->owed, "%s%s is done, but the loop that did it died before it landed (",
	    c->nowed++ > 0 ? "; " : "", task);
	claim_describe(claim, &c->owed);
	buf_addf(&c->owed,
	    "): 'ralph loop' there lands it, 'ralph tk reopen %s' has it done again", task);
	return true;
}

static void
candidates_add(struct candidates *c, struct tickets_source *s, const struct ticket *t)
{
	AUTO_BUF components = BUF_INIT;

	if (is_owed(c, s, t->id))
		return;
	ticket_components(t, s->settings->component_prefix, &components);
	c->list = xreallocarray(c->list, c->n + 1, sizeof(*c->list));
	c->list[c->n++] = (struct candidate){.id = t->id,
	    .components = buf_detach(&components),
	    .title = t->title,
	    .taken = is_taken(s, t->id)};
}

void
answer_error(struct tickets_source *s, const char *text)
{
	s->answer(s->ctx,
	    &(struct answer){.kind = ANSWER_ERROR, .reason = END_QUERY_ERROR, .text = text});
}

/* Begins the candidates with tickets that another loop has changed: as long as the outcome is
 * not known, there is something to wait for. */
static struct candidates
candidates_pending(struct tickets_source *s)
{
	AUTO_STRLIST pending = ledger_pending(s->ledger);
	struct candidates c = {.owed = BUF_INIT};

	strlist_free(take_ptr(s->taken));
	for (char **id = pending; id != NULL && *id != NULL; id++) {
		const struct ticket *t = backlog_find(s->backlog, *id);

		if (t != NULL)
			candidates_add(&c, s, t);
	}
	return c;
}

/* Answers with the candidates and what the ledger knows; releases the candidates.  `waiting`
 * tickets cannot be done, for the reasons in `why`. */
static void
answer_candidates(
    struct tickets_source *s, struct candidates *c, size_t waiting, struct buf *why)
{
	AUTO_BUF others = BUF_INIT;
	AUTO_BUF put_back = BUF_INIT;
	AUTO_BUF news = BUF_INIT;

	taken_watch(s);
	if (c->nowed > 0)
		buf_addf(why, "%s%s", why->len > 0 ? "; " : "", c->owed.data);
	ledger_others(s->ledger, s->backlog, &others);
	ledger_put_back(s->ledger, &put_back);
	ledger_put_back_news(s->ledger, &news);
	if (news.len > 0)
		buf_adds(&news, ": the status was changed while an agent had another ticket, "
				"and not by 'ralph tk': put back");
	s->answer(s->ctx, &(struct answer){.kind = ANSWER_TASKS,
			      .candidates = c->list,
			      .ncandidates = c->n,
			      .waiting = waiting + c->nowed,
			      .text = why->data,
			      .others = others.len > 0 ? others.data : NULL,
			      .unchecked = ledger_doubts(s->ledger),
			      .put_back = put_back.len > 0 ? put_back.data : NULL,
			      .alert = news.len > 0 ? news.data : NULL});
	candidates_release(c);
}

size_t
answer_waiting(struct tickets_source *s, struct buf *why)
{
	const struct ticket *const *blocked;
	size_t waiting = backlog_blocked(s->backlog, &blocked);
	AUTO_BUF unread = BUF_INIT;

	if (waiting > 0)
		backlog_explain(s->backlog, why);
	if (backlog_unread(s->backlog, &unread) == 0)
		return waiting;
	buf_addf(why, "%s%s", why->len > 0 ? "; " : "", unread.data);
	return waiting + 1;
}

void
answer_ready(struct tickets_source *s)
{
	const struct ticket *const *list;
	size_t n = backlog_ready(s->backlog, &list);
	struct candidates c = candidates_pending(s);
	AUTO_BUF why = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		candidates_add(&c, s, list[i]);
	answer_candidates(s, &c, answer_waiting(s, &why), &why);
}

void
answer_listed(struct tickets_source *s, char *ids)
{
	struct candidates c = candidates_pending(s);
	AUTO_BUF why = BUF_INIT;
	size_t n = 0, strangers = 0;

	for (char *id; (id = strsep(&ids, "\n")) != NULL && *id != '\0'; n++) {
		const struct ticket *t = backlog_find(s->backlog, id);

		if (t == NULL && ++strangers <= STRANGERS_TOLD)
			buf_addf(
			    &s->notes, "the query names %s, which is no ticket here\n", id);
		else if (t != NULL && !backlog_is_closed(s->backlog, id))
			candidates_add(&c, s, t);
	}
	/* An answer that we do not understand does not say that all is done. */
	if (n > 0 && strangers == n) {
		candidates_release(&c);
		answer_error(s, "ticketQuery printed something, but no ticket's id");
	} else {
		answer_candidates(s, &c, 0, &why); /* the project says what there is */
	}
}

void
answer_none(struct tickets_source *s, bool unnamed)
{
	struct candidates none = candidates_pending(s);
	AUTO_BUF why = BUF_INIT;

	if (unnamed)
		buf_adds(&why,
		    "completionCheck says that there is work, but ticketQuery names none");
	answer_candidates(s, &none, unnamed, &why);
}
