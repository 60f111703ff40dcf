/*
 * tickets.c - what the supervisor of a loop over tickets does besides: its views, and what it
 * remembers between a ticket's attempts.
 */
#include "work/tickets/dispatch.h"

#include "base/alloc.h"
#include "base/log.h"
#include "base/process/proc.h"
#include "supervisor/kind.h"
#include "work/tickets/lander.h"
#include "work/tickets/order.h"
#include "work/tickets/project.h"
#include "work/tickets/views/run_view.h"
#include <fcntl.h>

/* ---- memory ---------------------------------------------------------------------- */

char *
tickets_last_failure(const struct running *r, const char *task)
{
	const struct run_view *v = tickets_view_run(dispatch_of(r)->view);

	for (size_t i = v->nsessions; i-- > 0;) {
		const struct view_session *s = &v->sessions[i];

		if (s->status == VIEW_FAILED && strcmp(s->ticket, task) == 0)
			return xasprintf("%s (exit %d)%s%s", verdict_name(s->verdict),
			    exit_number(s->exit), s->text[0] == '\0' ? "" : ": ", s->text);
	}
	return NULL;
}

/* Tells the views where an earlier life made its worktrees, and the source what is done. */
static void
remember(struct running *r)
{
	struct tickets_view *view = dispatch_of(r)->view;
	const struct run_view *v = tickets_view_run(view);

	for (size_t i = 0; i < v->nsessions; i++) {
		AUTO_FREE char *place = tickets_own_place(r, v->sessions[i].id);

		tickets_view_place(view, v->sessions[i].id, place);
	}
	for (size_t i = 0; i < v->noutcomes && r->source != NULL; i++)
		if (!v->outcomes[i].failed)
			r->source->ops->settle(r->source, v->outcomes[i].ticket);
}

/* ---- life ------------------------------------------------------------------------ */

static const struct tickets_order *
tickets_order(const struct running *r)
{
	static const struct tickets_order none;

	return r->spec->order == NULL ? &none : r->spec->order;
}

static void
tickets_on_news(void *ctx)
{
	running_input(ctx, &(struct loop_input){.kind = IN_NEWS});
}

static struct dispatch *
run_new(void)
{
	struct dispatch *t = xcalloc(1, sizeof(*t));

	t->project = -1;
	buf_init(&t->idle_said);
	buf_init(&t->look);
	buf_init(&t->failed_ready);
	buf_init(&t->put_back);
	buf_init(&t->waiting_why);
	return t;
}

/* Takes the lock of the project, which allows one run at a time. */
static int
tickets_claim(struct running *r, const struct settings *s, const char *uid, struct err *err)
{
	char id[TICKETS_RUN_ID_MAX];
	AUTO_BUF notes = BUF_INIT;

	if (r->own == NULL)
		r->own = run_new();
	if (dispatch_of(r)->project >= 0)
		return 0;
	tickets_run_name(s, uid == NULL ? "" : uid, id);
	dispatch_of(r)->project = project_lock(s->root, id, &notes, err);
	warning_lines(notes.data);
	return dispatch_of(r)->project < 0 ? -1 : 0;
}

static int
tickets_open_run(struct running *r, struct err *err UNUSED)
{
	dispatch_of(r)->view = (struct tickets_view *)running_view(r, &tickets_view);
	dispatch_of(r)->astray = (struct astray *)running_view(r, &astray_view);
	remember(r);
	if (r->source == NULL)
		return 0;
	running_keep(r);
	r->source->ops->listen(r->source, tickets_on_news, r);
	return 0;
}

static void
tickets_begin(struct running *r)
{
	r->console.aside = true;
	tickets_say_start(r);
	if (!r->spec->stop)
		lander_publish(r, true);
}

static void
settle_all(struct running *r, char *const *tickets, enum verdict verdict)
{
	for (char *const *id = tickets; id != NULL && *id != NULL; id++)
		running_input(r, &(struct loop_input){.kind = IN_SETTLED,
				     .task = *id,
				     .verdict = verdict,
				     .text = "taken over from dispatch-loop-state.json"});
}

/* Work that another program's run has done is not done again. */
static void
opened(struct running *r)
{
	settle_all(r, tickets_order(r)->completed, VERDICT_DONE);
	settle_all(r, tickets_order(r)->failed, VERDICT_FAILED);
}

/* Tries waiting merges again, since the obstacle may be gone; git says whether they still
 * wait. */
static void
ask(struct running *r)
{
	if (dispatch_of(r)->waiting > 0 && !running_is_on_hold(r))
		lander_publish(r, false);
}

static void
tickets_close_run(struct running *r)
{
	struct dispatch *t = dispatch_of(r);

	if (t == NULL)
		return;
	/* Between two passes of --once the run is not over. */
	if (tickets_order(r)->once && r->state.phase == PHASE_OPEN)
		lock_leave(&t->project);
	else
		lock_release(&t->project);
	buf_release(&t->idle_said);
	buf_release(&t->look);
	buf_release(&t->put_back);
	buf_release(&t->failed_ready);
	buf_release(&t->waiting_why);
	free(t);
	r->own = NULL;
}

/* ---- facts ----------------------------------------------------------------------- */

/* Opens the ticket again: a ticket must not be closed while its work has not landed. */
void
tickets_reopen(struct running *r, const char *task)
{
	struct err err = ERR_INIT;
	int rc = r->source == NULL ? 0 : tickets_source_reopen(r->source, task, &err);

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
	for (size_t i = 0; i < d->nfacts && r->source != NULL; i++) {
		const struct fact *f = &d->facts[i];

		if ((f->kind == FACT_LANDED || f->kind == FACT_SETTLED) &&
		    verdict_is_success(f->verdict))
			r->source->ops->settle(r->source, f->task);
	}
	tickets_say(r, d);
}

/* Is no more news of the session to be expected in this pass?  The keeper of the session,
 * started by an earlier pass, may not have answered yet, or may not have seen yet that the
 * agent is gone. */
static bool
tickets_is_settled(const struct loop_session *one)
{
	struct proc_id agent;

	if (one->state != SESSION_RUNNING || one->unseen)
		return one->state == SESSION_FREE;
	return proc_id_of((pid_t)one->pid, &agent) == 0 && proc_id_alive(&agent);
}

/* One pass of --once is over when nothing is on its way: nobody starts, ends or lands, every
 * agent that is there works, and the source has been asked. */
static void
quiet(struct running *r)
{
	struct dispatch *t = dispatch_of(r);

	if (!tickets_order(r)->once || r->state.phase != PHASE_OPEN ||
	    r->state.fetch == FETCH_ASKED)
		return;
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (!tickets_is_settled(&r->state.sessions[i]))
			return;
	if (t->waiting > 0 && !t->waiting_told) {
		AUTO_FREE char *line =
		    xasprintf("done, but not on its branch yet: %s", t->waiting_why.data);

		t->waiting_told = true;
		running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = line});
		return; /* the alert's input makes the supervisor call quiet() again */
	}
	running_input(r, &(struct loop_input){.kind = IN_PASS});
}

/* Appends the work that is not on its branch any more, or not yet. */
static void
unlanded(const struct running *r, struct buf *out)
{
	const struct dispatch *t = dispatch_of(r);
	const char *astray = astray_text(t->astray);

	if (astray != NULL)
		buf_adds(out, astray);
	if (t->waiting > 0)
		buf_addf(out, "%s%s", out->len > 0 ? "; " : "", t->waiting_why.data);
}

static bool
last(struct running *r, const struct loop_input *answer)
{
	return astray_look(dispatch_of(r)->astray, answer);
}

const struct kind kind_tickets = {
    .source = &source_tickets,
    .stays = true,
    .paths = (const char *const[]){".tf", PROJECT_DIR, ".tickets", NULL},
    .files = ".tickets",
    .voice = tickets_voice_line,
    .views = (const struct view_ops *const[]){&tickets_view, &astray_view, NULL},
    .claim = tickets_claim,
    .open = tickets_open_run,
    .begin = tickets_begin,
    .opened = opened,
    .ask = ask,
    .answer = tickets_answered,
    .last = last,
    .looked = tickets_looked,
    .facts = facts,
    .rests = tickets_rests,
    .unlanded = unlanded,
    .quiet = quiet,
    .start = tickets_start,
    .closed = tickets_session_closed,
    .land = tickets_land,
    .close = tickets_close_run,
};
