/*
 * source.c - a backlog of tickets: every ready ticket is a candidate.
 *
 * This process reads the tickets (backlog.h), unless a command of the project (query.h) says
 * which tickets to take, and in which order.  A ticket that has landed in this run counts as
 * closed even when this work tree has not got the change yet.
 *
 * A ticket that is worked on is claimed (claims.h), by the place of the ticket list in the
 * repository, so that other worktrees claim the same ticket.  What is answered is in answer.c.
 *
 * Changes that an agent makes to tickets of others are put back (ledger.h).
 */
#include "work/tickets/answer.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/links.h"
#include "base/process/job.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/inotify.h>
#include <unistd.h>

/* Changes come in groups; the source waits this long for the next one. */
#define SETTLE (200 * NSEC_PER_MSEC)
/* How often a query may print nothing while the check says that there is work. */
#define TRIES 3
#define CHANGES (IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE)

static struct tickets_source *
tickets_of(struct source *source)
{
	ENSURE(source->ops == &source_tickets);
	return (struct tickets_source *)source;
}

/* ---- claims ---------------------------------------------------------------------- */

int
tickets_source_claim(struct source *source, const char *task, const char *lock, struct err *err)
{
	struct tickets_source *s = tickets_of(source);
	enum claim_result rc = claims_claim(s->claims, task, getpid(), lock, err);

	if (rc == CLAIM_CLAIMED)
		return ledger_begin(s->ledger, task, err);
	return rc == CLAIM_REFUSED || rc == CLAIM_BUSY ? 1 : -1;
}

/* Writes the agent into the claim.  A loop that was begun without claims, or whose claim was
 * void for a moment, gets one now. */
static void
tickets_running(struct source *source, const char *task, pid_t agent)
{
	struct tickets_source *s = tickets_of(source);
	struct err err = ERR_INIT;
	int rc;

	rc = claims_beat(s->claims, task, getpid(), agent, &err);
	if (rc > 0 && tickets_source_claim(source, task, NULL, &err) == 0)
		rc = claims_beat(s->claims, task, getpid(), agent, &err);
	if (rc != 0)
		buf_addf(&s->notes, "the claim does not name its agent: %s\n", err.text);
}

static void
tickets_ended(struct source *source, const char *task, const struct fact *ended)
{
	struct tickets_source *s = tickets_of(source);
	struct err err = ERR_INIT;
	int rc;

	if (ended->landing != 0)
		return;
	/* A session may change its own ticket until the session is over. */
	if (backlog_refresh(s->backlog, &err) < 0 ||
	    ledger_look(s->ledger, s->backlog, s->claims, &err) < 0)
		buf_addf(&s->notes, "how the tickets stand is looked at later: %s\n", err.text);
	ledger_end(s->ledger, task);
	rc = verdict_is_success(ended->verdict)
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
	struct tickets_source *s = tickets_of(source);

	ledger_keep(s->ledger, dir, tasks, &s->notes);
}

/* ---- asking ---------------------------------------------------------------------- */

/* Prints, in a job, "work\n" or "idle\n", then the ids. */
static int
tickets_source_ask(const void *arg, struct buf *out, struct err *err)
{
	AUTO_BUF ids = BUF_INIT;
	bool work;

	if (query_run(arg, &ids, &work, err) < 0)
		return -1;
	buf_addf(out, "%s\n%s", work ? "work" : "idle", ids.data);
	return 0;
}

static void start_query(struct tickets_source *s);

static void
tickets_source_on_again(struct ev_timer *w)
{
	start_query(w->ctx);
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
	} else if (strchr(out->data, '\n')[1] != '\0' ||
		   s->settings->completion_check == NULL) {
		AUTO_FREE char *ids = xstrdup(strchr(out->data, '\n') + 1);

		s->tries = 0;
		answer_listed(s, ids);
	} else if (++s->tries < TRIES && s->settings->look_again > 0) {
		ev_timer_in(
		    s->ev, &s->again, s->settings->look_again, tickets_source_on_again, s);
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
	struct tickets_source *s = tickets_of(source);
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

const struct ticket *
tickets_source_find(struct source *source, const char *task)
{
	struct tickets_source *s = tickets_of(source);
	const struct ticket *t = backlog_find(s->backlog, task);

	/* After a crash the backlog has not been read yet. */
	if (t == NULL && backlog_refresh(s->backlog, NULL) == 0)
		t = backlog_find(s->backlog, task);
	return t;
}

static int
tickets_brief(struct source *source, const char *task, struct buf *prompt, struct err *err)
{
	struct tickets_source *s = tickets_of(source);
	const struct ticket *t = tickets_source_find(source, task);

	if (t == NULL)
		return err_set(err, "the ticket %s is not there any more", task);
	return ticket_text(backlog_dirfd(s->backlog), t->name, prompt, err);
}

/* Does the ticket in the directory say that it is closed?  -1: there is no such ticket. */
static int
closed_in(const struct tickets_source *s, const char *task, int dir)
{
	const struct ticket *known = backlog_find(s->backlog, task);
	struct ticket t;
	bool closed;

	if (dir < 0 || ticket_load(dir, known != NULL ? known->name : task, &t, NULL) < 0)
		return -1;
	closed = t.status == TICKET_CLOSED;
	ticket_release(&t);
	return closed;
}

/* As closed_in, for the tree at `top`. */
static int
closed_below(const struct tickets_source *s, const char *task, const char *top)
{
	const char *below = fs_below(s->settings->top, s->settings->tickets);
	AUTO_FREE char *path = NULL;
	AUTO_CLOSE int dir = -1;
	int rc;

	if (top == NULL || below == NULL)
		return -1;
	path = xasprintf("%s/%s", top, below);
	dir = fs_open_dir(AT_FDCWD, path, NULL);
	rc = closed_in(s, task, dir);
	if (rc >= 0)
		ledger_apart(s->ledger);
	return rc;
}

bool
tickets_source_closed_there(struct source *source, const char *task, const char *top)
{
	return closed_below(tickets_of(source), task, top) > 0;
}

static bool
tickets_source_closed(struct source *source, const char *task, const char *top)
{
	struct tickets_source *s = tickets_of(source);
	int rc = closed_below(s, task, top);

	return (rc < 0 ? closed_in(s, task, backlog_dirfd(s->backlog)) : rc) > 0;
}

static void
tickets_settle(struct source *source, const char *task)
{
	struct tickets_source *s = tickets_of(source);

	backlog_settle(s->backlog, task);
}

/* Appends the same words as an answer has.  When a command of the project lists the tickets,
 * nothing is known about blocked ones. */
static void
tickets_blocked(struct source *source, struct buf *out)
{
	struct tickets_source *s = tickets_of(source);

	if (!query_lists(&s->query) && backlog_refresh(s->backlog, NULL) == 0)
		(void)answer_waiting(s, out);
}

int
tickets_source_reopen(struct source *source, const char *task, struct err *err)
{
	struct tickets_source *s = tickets_of(source);
	const struct ticket *known = backlog_find(s->backlog, task);

	if (known == NULL || !tickets_source_closed(source, task, NULL))
		return 0;
	return ticket_set_status(backlog_dirfd(s->backlog), known->name, TICKET_OPEN, err) < 0
		   ? -1
		   : 1;
}

static void
tickets_notes(struct source *source, struct buf *out)
{
	struct tickets_source *s = tickets_of(source);

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

/* Watches the directories to which links lead: a ticket that is a link changes there. */
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
	struct tickets_source *s = tickets_of(source);
	int fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);

	/* Kept even if no file can be watched: that another loop lets go of a ticket, which
	 * taken_watch (answer.c) waits for, is news as well. */
	s->news = news;
	s->news_ctx = ctx;
	if (fd < 0)
		return;
	if (inotify_add_watch(fd, s->settings->tickets, CHANGES) < 0) {
		close(fd);
		return;
	}
	watch_links(fd, s->settings->tickets);
	ev_io_start(s->ev, &s->changes, fd, EPOLLIN, tickets_source_on_change, s);
}

/* ---- life ------------------------------------------------------------------------ */

static void
tickets_close(struct source *source)
{
	struct tickets_source *s = tickets_of(source);
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
	free(s);
}

static struct source *
tickets_open(struct ev *ev, const struct settings *settings, struct err *err)
{
	struct tickets_source *s = xcalloc(1, sizeof(*s));

	s->base.ops = &source_tickets;
	s->ev = ev;
	s->settings = settings;
	buf_init(&s->notes);
	query_init(&s->query, settings);
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
    .brief = tickets_brief,
    .closed = tickets_source_closed,
    .settle = tickets_settle,
    .blocked = tickets_blocked,
    .keep = tickets_keep,
    .running = tickets_running,
    .ended = tickets_ended,
    .listen = tickets_listen,
    .notes = tickets_notes,
    .close = tickets_close,
};
