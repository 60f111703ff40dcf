/*
 * source.c - a backlog of tickets: every ready ticket is a candidate.
 *
 * This process reads the tickets (backlog.h), unless a command of the project (query.h) says
 * which tickets to take, and in which order.  A ticket that has landed in this run counts as
 * closed even when this work tree has not got the change yet.
 *
 * A ticket that is worked on is claimed (claims.h), by the place of the ticket list in the
 * repository, so that other worktrees claim the same ticket.  An answer names the tickets that
 * another loop has; when that loop is done, the source has news.
 *
 * Changes that an agent makes to tickets of others are put back (ledger.h).
 */
#include "work/tickets/source.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/links.h"
#include "base/process/job.h"
#include "base/text.h"
#include "claims/claims.h"
#include "work/tickets/backlog.h"
#include "work/tickets/ledger.h"
#include "work/tickets/query.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <unistd.h>

/* Changes come in groups; the source waits this long for the next one. */
#define SETTLE (200 * NSEC_PER_MSEC)
/* How often a query may print nothing while the check says that there is work. */
#define TRIES 3
#define CHANGES (IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)
/* How often to check that the owner of a ticket is alive: the death of an owner raises no
 * event. */
#define LOOK_EVERY (2 * NSEC_PER_SEC)
/* At most so many unknown ids of a query are named: a query may print anything. */
#define STRANGERS_TOLD 5

struct tickets_source {
	struct source base;
	struct ev *ev;
	struct backlog *backlog;
	char *dir;    /* of the tickets, absolute */
	char *below;  /* dir, below the top of git's work tree; NULL when outside */
	char *prefix; /* of component tags */
	struct query query;
	struct job *job; /* the query that runs */
	int64_t look_again;
	int tries; /* queries that printed nothing though there is work */
	struct ev_timer again;
	answer_fn *answer;
	void *ctx;
	struct ev_io changes;
	struct ev_timer quiet;
	struct claims *claims;
	bool (*ended_well)(const char *lock); /* NULL: nobody knows */
	struct ledger *ledger;
	char **taken;		  /* tickets that others had at the last look; NULL */
	char **told;		  /* sentences about taken, so that each is said once; NULL */
	struct ev_io claimed;	  /* somebody changed a claim */
	struct ev_timer vanished; /* or may have died */
	void (*news)(void *ctx);
	void *news_ctx;
	struct buf notes;
};

/* ---- claims ---------------------------------------------------------------------- */

/* Notes who has claimed the ticket, once for each sentence. */
static void
taken_note(struct tickets_source *s, const struct claim *claim)
{
	AUTO_BUF line = BUF_INIT;

	text_show(&line, claim->task, strlen(claim->task), false);
	buf_adds(&line, " is claimed by another loop: ");
	claim_describe(claim, &line);
	for (char **told = s->told; told != NULL && *told != NULL; told++)
		if (strcmp(*told, line.data) == 0)
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

static void on_vanished(struct ev_timer *w);

/* Raises news when a ticket that another loop had is free now; else looks again later. */
static void
taken_look(struct tickets_source *s)
{
	struct err err = ERR_INIT;
	bool free_now = false;

	if (s->taken == NULL || s->news == NULL)
		return;
	if (claims_read(s->claims, &err) == 0)
		for (char **id = s->taken; *id != NULL; id++)
			free_now |= !claim_is_anothers(claims_find(s->claims, *id), getpid());
	if (free_now)
		s->news(s->news_ctx);
	else
		ev_timer_in(s->ev, &s->vanished, LOOK_EVERY, on_vanished, s);
}

static void
on_vanished(struct ev_timer *w)
{
	taken_look(w->ctx);
}

static void
on_claimed(struct ev_io *w, uint32_t events)
{
	char events_read[4096];

	(void)events;
	while (read(w->fd, events_read, sizeof(events_read)) > 0) {}
	taken_look(w->ctx);
}

static void
claims_watch(struct tickets_source *s)
{
	int fd;

	if (s->taken == NULL)
		return;
	fd = claims_fd(s->claims);
	if (fd >= 0 && s->claimed.ev == NULL)
		ev_io_start(s->ev, &s->claimed, fd, EPOLLIN, on_claimed, s);
	ev_timer_in(s->ev, &s->vanished, LOOK_EVERY, on_vanished, s);
}

static void
tickets_ask(struct source *source, bool (*ended_well)(const char *lock))
{
	((struct tickets_source *)source)->ended_well = ended_well;
}

static int
tickets_claim(struct source *source, const char *task, const char *lock, struct err *err)
{
	struct tickets_source *s = (struct tickets_source *)source;
	enum claim_result rc = claims_claim(s->claims, task, getpid(), lock, err);

	if (rc == CLAIM_CLAIMED)
		return ledger_begin(s->ledger, task, err);
	return rc == CLAIM_REFUSED || rc == CLAIM_BUSY ? 1 : -1;
}

/* A loop that was begun without claims, or whose claim was void for a moment, gets one now. */
static void
tickets_running(struct source *source, const char *task, pid_t agent)
{
	struct tickets_source *s = (struct tickets_source *)source;
	struct err err = ERR_INIT;
	int rc;

	rc = claims_beat(s->claims, task, getpid(), agent, &err);
	if (rc > 0 && tickets_claim(source, task, NULL, &err) == 0)
		rc = claims_beat(s->claims, task, getpid(), agent, &err);
	if (rc != 0)
		buf_addf(&s->notes, "the claim does not name its agent: %s\n", err.text);
}

/* A session may change its own ticket until the session is over. */
static void
tickets_source_look_after(struct tickets_source *s, const char *task)
{
	struct err err = ERR_INIT;

	if (backlog_refresh(s->backlog, &err) < 0 ||
	    ledger_look(s->ledger, s->backlog, s->claims, &err) < 0)
		buf_addf(&s->notes, "how the tickets stand is looked at later: %s\n", err.text);
	ledger_end(s->ledger, task);
}

static void
tickets_ended(struct source *source, const char *task, const struct fact *ended)
{
	struct tickets_source *s = (struct tickets_source *)source;
	struct err err = ERR_INIT;
	int rc;

	if (ended->landing != 0)
		return;
	tickets_source_look_after(s, task);
	rc = ended->verdict == VERDICT_DONE
		 ? claims_tell(
		       s->claims, task, getpid(), ticket_status_name(TICKET_CLOSED), &err)
		 : claims_done(s->claims, task, getpid(), CLAIM_FREE, NULL, &err);
	if (rc < 0)
		buf_addf(
		    &s->notes, "%s stays claimed until this loop ends: %s\n", task, err.text);
}

static void
tickets_keep(struct source *source, int dir, char *const *tasks)
{
	struct tickets_source *s = (struct tickets_source *)source;

	ledger_keep(s->ledger, dir, tasks, &s->notes);
}

/* ---- answers --------------------------------------------------------------------- */

struct candidates {
	struct candidate *list;
	char **components;
	size_t n;
	size_t nowed;	 /* more, which loops that died have done and not landed */
	struct buf owed; /* who has them, a sentence each */
};

static void
candidates_release(struct candidates *c)
{
	for (size_t i = 0; i < c->n; i++)
		free(c->components[i]);
	free(c->components);
	free(c->list);
	buf_release(&c->owed);
}

/* Does a dead loop owe the landing of this ticket?  That loop lands the work when it is
 * resumed; if we did the ticket, too, the work would be done twice. */
static bool
is_owed(struct candidates *c, struct tickets_source *s, const char *task)
{
	const struct claim *claim = claims_find(s->claims, task);

	if (!claim_is_owed(claim, s->ended_well) || ledger_has(s->ledger, task))
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
	ticket_components(t, s->prefix, &components);
	c->components[c->n] = xstrdup(components.data == NULL ? "" : components.data);
	c->list[c->n] = (struct candidate){.id = t->id,
	    .components = c->components[c->n],
	    .title = t->title,
	    .taken = is_taken(s, t->id)};
	c->n++;
}

static struct candidates
candidates_new(size_t most)
{
	return (struct candidates){.list = xcalloc(most + 1, sizeof(struct candidate)),
	    .components = xcalloc(most + 1, sizeof(char *)),
	    .owed = BUF_INIT};
}

static void
answer_error(struct tickets_source *s, const char *text)
{
	s->answer(s->ctx,
	    &(struct answer){.kind = ANSWER_ERROR, .reason = END_QUERY_ERROR, .text = text});
}

/* Adds to the answer what the ledger knows. */
static void
answer_tasks(struct tickets_source *s, const struct answer *tasks)
{
	struct answer a = *tasks;
	AUTO_BUF others = BUF_INIT;
	AUTO_BUF put_back = BUF_INIT;
	AUTO_BUF news = BUF_INIT;

	ledger_others(s->ledger, s->backlog, &others);
	ledger_put_back(s->ledger, &put_back);
	ledger_put_back_news(s->ledger, &news);
	a.kind = ANSWER_TASKS;
	a.others = others.len > 0 ? others.data : NULL;
	a.unchecked = ledger_doubts(s->ledger);
	a.put_back = put_back.len > 0 ? put_back.data : NULL;
	if (news.len > 0) {
		buf_adds(&news, ": the status was changed while an agent had another ticket, "
				"and not by 'ralph tk': put back");
		a.alert = news.data;
	}
	s->answer(s->ctx, &a);
}

/* Begins the candidates with tickets that another loop has changed: as long as the outcome is
 * not known, there is something to wait for. */
static struct candidates
candidates_pending(struct tickets_source *s, size_t most)
{
	AUTO_STRLIST pending = ledger_pending(s->ledger);
	struct candidates c = candidates_new(most + strlist_len(pending));

	strlist_free(take_ptr(s->taken));
	for (char **id = pending; id != NULL && *id != NULL; id++) {
		const struct ticket *t = backlog_find(s->backlog, *id);

		if (t != NULL)
			candidates_add(&c, s, t);
	}
	return c;
}

static void
answer_candidates(
    struct tickets_source *s, const struct candidates *c, size_t waiting, const char *unread)
{
	AUTO_BUF why = BUF_INIT;

	claims_watch(s);
	if (waiting > 0)
		backlog_explain(s->backlog, &why);
	if (unread != NULL)
		buf_addf(&why, "%s%s", why.len > 0 ? "; " : "", unread);
	if (c->nowed > 0)
		buf_addf(&why, "%s%s", why.len > 0 ? "; " : "", c->owed.data);
	answer_tasks(s, &(struct answer){.candidates = c->list,
			    .ncandidates = c->n,
			    .waiting = waiting + c->nowed + (unread != NULL),
			    .text = why.data});
}

/* Answers with the ready tickets of the backlog.  A file that cannot be read may be work: then
 * not all is done. */
static void
answer_ready(struct tickets_source *s)
{
	const struct ticket *const *list;
	size_t n = backlog_ready(s->backlog, &list);
	struct candidates c = candidates_pending(s, n);
	AUTO_BUF unread = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		candidates_add(&c, s, list[i]);
	(void)backlog_unread(s->backlog, &unread);
	answer_candidates(
	    s, &c, backlog_blocked(s->backlog, &list), unread.len > 0 ? unread.data : NULL);
	candidates_release(&c);
}

static size_t
count_lines(const char *text)
{
	size_t n = 0;

	for (; text != NULL && *text != '\0'; text++)
		n += *text == '\n';
	return n;
}

/* Answers with the tickets that the project's command printed.  An id without a file here has
 * no components. */
static void
answer_listed(struct tickets_source *s, char *ids)
{
	size_t n = count_lines(ids);
	struct candidates c = candidates_pending(s, n);
	size_t strangers = 0;
	char *rest = ids;

	for (size_t i = 0; i < n; i++) {
		const char *id = strsep(&rest, "\n");
		const struct ticket *t = backlog_find(s->backlog, id);

		if (t == NULL && ++strangers <= STRANGERS_TOLD)
			buf_addf(
			    &s->notes, "the query names %s, which is no ticket here\n", id);
		else if (t != NULL && !backlog_is_closed(s->backlog, id))
			candidates_add(&c, s, t);
	}
	/* An answer that we do not understand does not say that all is done. */
	if (n > 0 && strangers == n)
		answer_error(s, "ticketQuery printed something, but no ticket's id");
	else
		answer_candidates(s, &c, 0, NULL); /* the project says what there is */
	candidates_release(&c);
}

/* ---- asking ---------------------------------------------------------------------- */

/* "work\n" or "idle\n", then the ids. */
static int
tickets_source_ask(const void *arg, struct buf *out, struct err *err)
{
	AUTO_BUF ids = BUF_INIT;
	bool work;

	if (query_run(arg, &ids, &work, err) < 0)
		return -1;
	buf_addf(out, "%s\n%s", work ? "work" : "idle", ids.data == NULL ? "" : ids.data);
	return 0;
}

static void start_query(struct tickets_source *s);

static void
tickets_source_on_again(struct ev_timer *w)
{
	start_query(w->ctx);
}

static void
answer_none(struct tickets_source *s, bool work)
{
	struct candidates none = candidates_pending(s, 0);

	claims_watch(s);
	answer_tasks(s, &(struct answer){.candidates = none.list,
			    .ncandidates = none.n,
			    .waiting = work,
			    .text = work ? "completionCheck says that there is work, but "
					   "ticketQuery names none"
					 : NULL});
	candidates_release(&none);
}

static void
tickets_source_on_asked(void *ctx, int rc, const struct buf *out, const struct err *err)
{
	struct tickets_source *s = ctx;
	s->job = NULL;
	if (rc < 0) {
		answer_error(s, err->text);
	} else if (strncmp(out->data, "idle", 4) == 0) {
		answer_none(s, false);
	} else if (!query_lists(&s->query)) {
		answer_ready(s);
	} else if (strchr(out->data, '\n')[1] != '\0' || s->query.check == NULL) {
		AUTO_FREE char *ids = xstrdup(strchr(out->data, '\n') + 1);

		s->tries = 0;
		answer_listed(s, ids);
	} else if (++s->tries < TRIES && s->look_again > 0) {
		ev_timer_in(s->ev, &s->again, s->look_again, tickets_source_on_again, s);
	} else {
		s->tries = 0;
		answer_none(s, true);
	}
}

static void
start_query(struct tickets_source *s)
{
	struct err err = ERR_INIT;

	s->job =
	    job_start(s->ev, tickets_source_ask, &s->query, tickets_source_on_asked, s, &err);
	if (s->job == NULL)
		answer_error(s, err.text);
}

static void
tickets_next(struct source *source, answer_fn *answer, void *ctx)
{
	struct tickets_source *s = (struct tickets_source *)source;
	struct err err = ERR_INIT;

	s->answer = answer;
	s->ctx = ctx;
	if (backlog_refresh(s->backlog, &err) < 0) {
		answer_error(s, err.text);
		return;
	}
	backlog_notes(s->backlog, &s->notes);
	if (ledger_look(s->ledger, s->backlog, s->claims, &err) < 0) {
		answer(ctx, &(struct answer){.kind = ANSWER_LATER, .text = err.text});
		return;
	}
	if (!query_wanted(&s->query)) {
		answer_ready(s);
		return;
	}
	start_query(s);
}

/* ---- one ticket ------------------------------------------------------------------ */

static void
tickets_source_values_add(struct source_work *work, const char *name, const char *value)
{
	work->values = strlist_add(work->values, name);
	work->values = strlist_add(work->values, value);
}

static int
tickets_work(struct source *source, const char *task, struct source_work *work, struct err *err)
{
	struct tickets_source *s = (struct tickets_source *)source;
	const struct ticket *t = backlog_find(s->backlog, task);
	AUTO_FREE char *file = NULL;

	/* After a crash the backlog has not been read yet. */
	if (t == NULL && backlog_refresh(s->backlog, err) == 0)
		t = backlog_find(s->backlog, task);
	if (t == NULL)
		return err_set(err, "the ticket %s is not there any more", task);
	file = xasprintf("%s/%s.md", s->dir, t->name);
	tickets_source_values_add(work, "ticket", t->id);
	tickets_source_values_add(work, "title", t->title);
	tickets_source_values_add(work, "file", file);
	return ticket_text(backlog_dirfd(s->backlog), t->name, &work->prompt, err);
}

static const char *
tickets_source_name_of(const struct tickets_source *s, const char *task)
{
	const struct ticket *known = backlog_find(s->backlog, task);

	return known != NULL ? known->name : task;
}

/* Loads the ticket from the tree at `top`; -1: the tree has no such ticket. */
static int
load_there(const struct tickets_source *s, const char *task, const char *top, struct ticket *t)
{
	AUTO_FREE char *path = NULL;
	AUTO_CLOSE int dir = -1;

	if (top == NULL || s->below == NULL)
		return -1;
	path = xasprintf("%s/%s", top, s->below);
	dir = fs_open_dir(AT_FDCWD, path, NULL);
	if (dir < 0 || ticket_load(dir, tickets_source_name_of(s, task), t, NULL) < 0)
		return -1;
	ledger_apart(s->ledger);
	return 0;
}

static bool
says_closed(struct ticket *t)
{
	bool closed = t->status == TICKET_CLOSED;

	ticket_release(t);
	return closed;
}

static bool
tickets_closed_there(struct source *source, const char *task, const char *top)
{
	struct tickets_source *s = (struct tickets_source *)source;
	struct ticket t;

	return load_there(s, task, top, &t) == 0 && says_closed(&t);
}

static bool
tickets_closed(struct source *source, const char *task, const char *top)
{
	struct tickets_source *s = (struct tickets_source *)source;
	struct ticket t;

	return (load_there(s, task, top, &t) == 0 ||
		   ticket_load(backlog_dirfd(s->backlog), tickets_source_name_of(s, task), &t,
		       NULL) == 0) &&
	       says_closed(&t);
}

static void
tickets_settle(struct source *source, const char *task)
{
	struct tickets_source *s = (struct tickets_source *)source;

	backlog_settle(s->backlog, task);
}

/* Appends the same words as an answer has.  When a command of the project lists the tickets,
 * nothing is known about blocked ones. */
static void
tickets_blocked(struct source *source, struct buf *out)
{
	struct tickets_source *s = (struct tickets_source *)source;
	const struct ticket *const *blocked;
	AUTO_BUF unread = BUF_INIT;

	if (query_lists(&s->query) || backlog_refresh(s->backlog, NULL) < 0)
		return;
	if (backlog_blocked(s->backlog, &blocked) > 0)
		backlog_explain(s->backlog, out);
	if (backlog_unread(s->backlog, &unread) > 0)
		buf_addf(out, "%s%s", out->len > 0 ? "; " : "", unread.data);
}

static int
tickets_reopen(struct source *source, const char *task, struct err *err)
{
	struct tickets_source *s = (struct tickets_source *)source;
	const struct ticket *known = backlog_find(s->backlog, task);

	if (known == NULL || !tickets_closed(source, task, NULL))
		return 0;
	return ticket_set_status(backlog_dirfd(s->backlog), known->name, TICKET_OPEN, err) < 0
		   ? -1
		   : 1;
}

static void
tickets_notes(struct source *source, struct buf *out)
{
	struct tickets_source *s = (struct tickets_source *)source;

	if (s->notes.len > 0)
		buf_add(out, s->notes.data, s->notes.len);
	buf_clear(&s->notes);
}

/* ---- news ------------------------------------------------------------------------ */

static void
tickets_source_on_quiet(struct ev_timer *w)
{
	struct tickets_source *s = w->ctx;

	s->news(s->news_ctx);
}

static void
tickets_source_on_change(struct ev_io *w, uint32_t events)
{
	struct tickets_source *s = w->ctx;
	char events_read[4096];

	(void)events;
	while (read(w->fd, events_read, sizeof(events_read)) > 0) {}
	ev_timer_in(s->ev, &s->quiet, SETTLE, tickets_source_on_quiet, s);
}

/* A ticket that is a link changes where the link leads. */
static void
watch_links(int fd, const char *dir)
{
	AUTO_STRLIST links = links_in(".", dir);

	for (char **link = links; *link != NULL; link++) {
		AUTO_FREE char *real = realpath(*link, NULL);
		char *slash = real != NULL ? strrchr(real, '/') : NULL;

		if (slash == NULL || slash == real)
			continue;
		*slash = '\0';
		(void)inotify_add_watch(fd, real, CHANGES);
	}
}

/* Watches the files if possible: a user's programs may have taken all watches.  Without
 * watches, the end of the next session is when we look again. */
static void
tickets_listen(struct source *source, void (*news)(void *ctx), void *ctx)
{
	struct tickets_source *s = (struct tickets_source *)source;
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	/* Claims of others have a timer besides (claims_watch), which needs somebody to tell.
	 */
	s->news = news;
	s->news_ctx = ctx;
	if (fd < 0)
		return;
	if (inotify_add_watch(fd, s->dir, CHANGES) < 0) {
		close(fd);
		return;
	}
	watch_links(fd, s->dir);
	ev_io_start(s->ev, &s->changes, fd, EPOLLIN, tickets_source_on_change, s);
}

/* ---- life ------------------------------------------------------------------------ */

static void
tickets_close(struct source *source)
{
	struct tickets_source *s = (struct tickets_source *)source;
	int fd = s->changes.ev != NULL ? s->changes.fd : -1;

	job_free(s->job);
	ev_timer_stop(&s->quiet);
	ev_timer_stop(&s->again);
	ev_timer_stop(&s->vanished);
	ev_io_stop(&s->changes);
	ev_io_stop(&s->claimed);
	if (fd >= 0)
		close(fd);
	ledger_free(s->ledger);
	backlog_close(s->backlog);
	query_release(&s->query);
	buf_release(&s->notes);
	claims_close(s->claims);
	strlist_free(s->taken);
	strlist_free(s->told);
	free(s->dir);
	free(s->below);
	free(s->prefix);
	free(s);
}

static struct source *
tickets_open(struct ev *ev, const struct settings *settings, struct err *err)
{
	struct tickets_source *s = xcalloc(1, sizeof(*s));
	const char *below = fs_below(settings->top, settings->tickets);

	s->base.ops = &source_tickets;
	s->ev = ev;
	s->dir = xstrdup(settings->tickets);
	s->below = below == NULL ? NULL : xstrdup(below);
	s->prefix = xstrdup(
	    settings->component_prefix == NULL ? "component:" : settings->component_prefix);
	buf_init(&s->notes);
	s->look_again = settings->look_again;
	query_init(
	    &s->query, settings->root, settings->ticket_query, settings->completion_check);
	s->ledger = ledger_new();
	s->claims = claims_open_tickets(settings->root, settings->tickets, err);
	if (s->claims != NULL) {
		claims_sweep(s->claims);
		s->backlog = backlog_open(settings->tickets, err);
	}
	if (s->backlog == NULL) {
		tickets_close(&s->base);
		return NULL;
	}
	return &s->base;
}

const struct source_ops source_tickets = {
    .name = "tickets",
    .open = tickets_open,
    .next = tickets_next,
    .work = tickets_work,
    .closed = tickets_closed,
    .closed_there = tickets_closed_there,
    .settle = tickets_settle,
    .blocked = tickets_blocked,
    .reopen = tickets_reopen,
    .keep = tickets_keep,
    .claim = tickets_claim,
    .ask = tickets_ask,
    .running = tickets_running,
    .ended = tickets_ended,
    .listen = tickets_listen,
    .notes = tickets_notes,
    .close = tickets_close,
};
