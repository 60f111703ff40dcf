/*
 * tickets.c - what the supervisor of a loop over tickets does besides: its views, and what it
 * remembers between a ticket's attempts.
 */
#include "cmd/loop/tickets.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/proc.h"
#include "cmd/astray.h"
#include "cmd/kind.h"
#include "cmd/lander.h"
#include "cmd/loop/project.h"
#include "cmd/loops.h"
#include <fcntl.h>

/* Why a task's last attempt failed. */
struct remembered {
	struct remembered *next;
	char task[TASK_ID_MAX];
	char text[TEXT_MAX];
};

/* ---- memory ---------------------------------------------------------------------- */

const char *
tickets_last_failure(const struct running *r, const char *task)
{
	for (const struct remembered *m = r->failures; m != NULL; m = m->next)
		if (strcmp(m->task, task) == 0)
			return m->text;
	return NULL;
}

static void
remember(struct running *r, const struct fact *f)
{
	struct remembered *m = xcalloc(1, sizeof(*m));

	(void)snprintf(m->task, sizeof(m->task), "%s", f->task);
	(void)snprintf(m->text, sizeof(m->text), "%s (exit %d)%s%.*s", verdict_name(f->verdict),
	    exit_number(f->exit), f->text[0] == '\0' ? "" : ": ", TEXT_MAX - 48, f->text);
	/* The newest comes first, and is the one that is found. */
	m->next = r->failures;
	r->failures = m;
}

/* Of facts that are on disk, in this life or an earlier one. */
static void
take_note(struct running *r, const struct fact *f)
{
	astray_note(r, f);
	if (f->kind != FACT_LANDED && f->kind != FACT_SETTLED)
		return;
	if (f->verdict == VERDICT_DONE && r->source != NULL)
		r->source->ops->settle(r->source, f->task);
	else if (f->kind == FACT_LANDED && f->verdict != VERDICT_STOPPED)
		remember(r, f);
}

static void
on_old_fact(void *ctx, const struct fact *f)
{
	struct running *r = ctx;

	layout_tickets_fact(r->tickets, f, &r->state);
	take_note(r, f);
}

/* Where an earlier life made its worktree. */
static void
on_session(void *ctx, const char *session)
{
	struct running *r = ctx;
	AUTO_FREE char *place = running_own_place(r, session);

	layout_tickets_place(r->tickets, session, place);
}

/* ---- life ------------------------------------------------------------------------ */

static void
on_news(void *ctx)
{
	running_input(ctx, &(struct loop_input){.kind = IN_NEWS});
}

/* The one run that the project may have. */
static int
claim(struct running *r, const struct settings *s, const char *uid, struct err *err)
{
	char id[TICKETS_RUN_ID_MAX];
	AUTO_BUF notes = BUF_INIT;

	if (r->project >= 0)
		return 0;
	tickets_run_name(s, uid == NULL ? "" : uid, id);
	r->project = project_lock(s->root, id, &notes, err);
	warning_lines(notes.data);
	return r->project < 0 ? -1 : 0;
}

/* A session's lock is in its directory, of whatever loop it was. */
static bool
ended_well(const char *lock)
{
	AUTO_FREE char *dir = xasprintf("%.*s", (int)(strrchr(lock, '/') - lock), lock);
	struct session_info info;

	return session_info(AT_FDCWD, dir, &info, NULL) == 0 && info.ended &&
	       exit_ok(info.exit);
}

static int
open_run(struct running *r, struct err *err)
{
	if (claim(r, &r->settings, r->state.uid, err) < 0)
		return -1;
	r->tickets = layout_tickets_open(r->spec->name, &r->settings, err);
	if (r->tickets == NULL)
		return -1;
	if (journal_each(r->dir, on_old_fact, r, err) < 0)
		return loop_damaged(r->spec->name, err);
	layout_tickets_each(r->tickets, on_session, r);
	if (r->source == NULL)
		return 0;
	running_keep(r);
	r->source->ops->ask(r->source, ended_well);
	r->source->ops->listen(r->source, on_news, r);
	return 0;
}

static void
begin(struct running *r)
{
	r->console.aside = true;
	tickets_say_start(r);
	if (!r->spec->stop)
		lander_begin(r);
}

/* What was in the way of merges may be gone: whether they wait is git's to say. */
static void
ask(struct running *r)
{
	if (r->waiting > 0 && r->holds == 0)
		lander_publish(r);
}

static void
close_run(struct running *r)
{
	while (r->failures != NULL) {
		struct remembered *m = r->failures;

		r->failures = m->next;
		free(m);
	}
	astray_free(r);
	layout_tickets_free(r->tickets);
	/* Between two turns the run is not over. */
	if (r->spec->once && r->state.phase == PHASE_OPEN)
		project_leave(&r->project);
	else
		project_unlock(&r->project);
	buf_release(&r->idle_said);
	buf_release(&r->look);
	buf_release(&r->put_back);
	buf_release(&r->failed_ready);
	buf_release(&r->waiting_why);
}

/* ---- facts ----------------------------------------------------------------------- */

/* Its tracker must not say that it is done when its work is not in. */
void
running_tickets_reopen(struct running *r, const char *task)
{
	struct err err = ERR_INIT;
	int rc = r->source == NULL ? 0 : r->source->ops->reopen(r->source, task, &err);

	if (rc < 0)
		warning("%s: %s is closed, but its work is not in: %s", r->spec->name, task,
		    err.text);
	else if (rc > 0)
		warning("%s: %s was closed, but its work is not in; it is open again",
		    r->spec->name, task);
}

static void
facts(struct running *r, const struct decision *d)
{
	for (size_t i = 0; i < d->nfacts; i++) {
		layout_tickets_fact(r->tickets, &d->facts[i], &r->state);
		take_note(r, &d->facts[i]);
	}
	tickets_say(r, d);
}

static void
tidy(struct running *r)
{
	struct err err = ERR_INIT;

	if (r->tickets == NULL || layout_tickets_write(r->tickets, &r->state, &err) == 0)
		return;
	warning("%s: %s", r->spec->name, err.text);
	/* There is no next time. */
	if (r->leaving)
		(void)!layout_tickets_write(r->tickets, &r->state, NULL);
}

/* Will there be no news of it in this pass?  Its keeper, which an earlier pass started, may not
 * have answered yet, or may not have seen yet that its agent is gone. */
static bool
is_settled(const struct loop_session *one)
{
	struct proc_id agent;

	if (one->state != SESSION_RUNNING || one->unseen)
		return one->state == SESSION_FREE;
	return proc_id_of((pid_t)one->pid, &agent) == 0 && proc_id_alive(&agent);
}

/* One pass is over when nothing is on its way: nobody starts, ends or lands, every agent that
 * is there works, and the source has been asked. */
void
running_once(struct running *r)
{
	if (!r->spec->once || r->leaving || r->steps != NULL || r->head != NULL ||
	    r->state.phase != PHASE_OPEN || r->state.fetch == FETCH_ASKED)
		return;
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (!is_settled(&r->state.sessions[i]))
			return;
	if (r->waiting > 0 && !r->waiting_told) {
		AUTO_FREE char *line =
		    xasprintf("done, but not on its branch yet: %s", r->waiting_why.data);

		r->waiting_told = true;
		running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = line});
		return; /* that comes back here */
	}
	running_input(r, &(struct loop_input){.kind = IN_TURN});
}

const struct kind kind_tickets = {
    .source = "tickets",
    .stays = true,
    .voice = console_tickets_line,
    .claim = claim,
    .open = open_run,
    .begin = begin,
    .ask = ask,
    .answer = tickets_answered,
    .last = astray_look,
    .looked = tickets_looked,
    .facts = facts,
    .rests = tickets_rests,
    .tidy = tidy,
    .start = tickets_start,
    .closed = tickets_closed,
    .land = tickets_land,
    .close = close_run,
};
