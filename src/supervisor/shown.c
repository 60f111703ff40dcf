/*
 * shown.c - what users see of a decision: console, views, events, the registry of workers.
 *
 * Views are written off the critical path: so that an agent that is led gets its next step
 * first, and seldom when their only news is that an agent still speaks.
 */
#include "supervisor/inside.h"

#include "loops/loop_view.h"
#include "loops/worker.h"
#include "supervisor/announce.h"
#include "supervisor/kind.h"
#include "supervisor/retain.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/log.h"
#include "record/codec.h"
#include "record/swarm.h"
#include <errno.h>

#define REGISTER_LAG (20 * NSEC_PER_MSEC)
#define REGISTER_EVERY (250 * NSEC_PER_MSEC)
/* How long the views of a decision may wait: of a loop that leads its agents; of a decision
 * that only reports (running_is_hearsay); after they could not be written. */
#define LED_LAG (100 * NSEC_PER_MSEC)
#define HEARSAY_LAG (10 * NSEC_PER_SEC)
#define VIEWS_AGAIN (5 * NSEC_PER_SEC)

static void on_lag(struct ev_timer *w);

/* Notes that a view could not be written, and says so once for each, until all are written.
 * Nothing else may happen for hours, or ever, so a timer tries the views again. */
static void
views_unwritten(struct running *r, const char *what, const struct err *err)
{
	if (!strlist_has(r->sup->complained, what)) {
		warning("%s: %s: %s", r->spec->name, what, err->text);
		r->sup->complained = strlist_add(r->sup->complained, what);
	}
	r->sup->unwritten = true;
	if (held_is(err->text))
		(void)snprintf(r->sup->held[HELD_VIEWS], sizeof(r->sup->held[HELD_VIEWS]),
		    "waiting for the disk: %.200s", err->text);
}

/* state.json is everybody's: it is changed only when something in it changes. */
void
running_register(struct running *r, bool wait)
{
	bool running = r->state.phase != PHASE_FINISHED && !r->sup->gone &&
		       (loop_active(&r->state) > 0 || !r->leaving);
	int64_t pid = 0;
	struct err err = ERR_INIT;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (r->state.sessions[i].state != SESSION_FREE)
			pid = r->state.sessions[i].pid;
	if (running == r->sup->registered_running &&
	    r->state.iteration == r->sup->registered_iteration && pid == r->sup->registered_pid)
		return;
	if (worker_register(
		r->home, r->spec->name, &r->settings, &r->state, running, wait, &err) < 0) {
		if (err.code == EWOULDBLOCK)
			ev_timer_in(r->ev, &r->sup->lag, REGISTER_LAG, on_lag, r);
		else
			views_unwritten(r, "state.json", &err);
		return;
	}
	r->sup->registered_running = running;
	r->sup->registered_at = clock_boot();
	r->sup->registered_iteration = r->state.iteration;
	r->sup->registered_pid = pid;
}

/* Notes on disk that the views were written: if they are missing later, the user removed them.
 * The views' directory must be on disk before the note. */
static void
mark_viewed(struct running *r)
{
	struct err err = ERR_INIT;
	AUTO_CLOSE int views = -1;

	if (r->sup->viewed)
		return;
	views = fs_open_dir(r->home, "ralph", &err);
	if (views < 0 || fs_sync_dir(views, "ralph", &err) < 0 ||
	    fs_replace(r->dir, LOOP_VIEWED, "", 0, FS_SYNC, &err) < 0)
		views_unwritten(r, LOOP_VIEWED, &err);
	else
		r->sup->viewed = true;
}

static void
write_view(struct running *r, struct view *v)
{
	struct err err = ERR_INIT;

	if (v->ops->write == NULL)
		return;
	if (v->ops->write(v, &r->state, &err) < 0)
		views_unwritten(r, v->ops->name, &err);
	else if (v->ops == &swarm_view)
		mark_viewed(r);
}

struct view *
running_view(const struct running *r, const struct view_ops *ops)
{
	return views_find(&r->sup->views, ops);
}

void
running_views_write(struct running *r)
{
	struct err err = ERR_INIT;

	r->sup->unwritten = false;
	/* No view knows more than the journal.  If the sync fails, the next journal line begins
	 * with these lines (journal.c), and says so when that fails, too. */
	if (journal_sync(r->sup->journal, &err) < 0)
		views_unwritten(r, "journal", &err);
	for (size_t i = 0; i < r->sup->views.n; i++)
		write_view(r, r->sup->views.list[i]);
	if (journal_snapshot(r->sup->journal, &r->state, r->leaving, &err) < 0)
		views_unwritten(r, "snapshot", &err);
	if (!r->sup->unwritten) {
		r->sup->held[HELD_VIEWS][0] = '\0';
		strlist_free(r->sup->complained);
		r->sup->complained = NULL;
	}
	retain_tidy(r);
	running_spare_tidy(r);
}

void
running_tidy_now(struct running *r)
{
	ev_timer_stop(&r->sup->tidy);
	ev_timer_stop(&r->sup->lag);
	running_views_write(r);
	/* Never wait for others while agents may need us; at the end there are none. */
	running_register(r, r->leaving);
}

static void
on_lag(struct ev_timer *w)
{
	running_register(w->ctx, false);
}

/*
 * The registry that all workers share takes two syncs, and takes longer the more workers there
 * are.  So a start and the pid that follows are one change to the registry, and so are the
 * starts of agents that follow each other quickly.  Otherwise an agent that ends in the
 * meantime would wait for a file that does not list the agent any more.
 */
static void
on_tidy(struct ev_timer *w)
{
	struct running *r = w->ctx;
	int64_t soon = clock_boot() + REGISTER_LAG,
		next = r->sup->registered_at + REGISTER_EVERY;

	running_views_write(r);
	if (r->sup->lag.ev == NULL)
		ev_timer_at(r->ev, &r->sup->lag, soon > next ? soon : next, on_lag, r);
	if (r->sup->unwritten)
		ev_timer_in(r->ev, &r->sup->tidy, VIEWS_AGAIN, on_tidy, r);
}

/* Has the views written within `ns`; earlier, if an earlier decision has asked for that. */
static void
tidy_within(struct running *r, int64_t ns)
{
	int64_t at = clock_boot() + ns;

	if (r->sup->tidy.ev == NULL || r->sup->tidy.at > at)
		ev_timer_at(r->ev, &r->sup->tidy, at, on_tidy, r);
}

bool
running_is_hearsay(const struct decision *d)
{
	for (size_t i = 0; i < d->nfacts; i++) {
		const struct fact *f = &d->facts[i];

		if (f->kind != FACT_SIGNALLED || !signal_is_report(f->signal))
			return false;
	}
	return d->nfacts > 0 && d->neffects == 0;
}

void
running_show(struct running *r, const struct decision *d)
{
	announce_facts(r, d->facts, d->nfacts);
	if (r->sup->kind->looked != NULL)
		r->sup->kind->looked(r, d);
	views_fold(&r->sup->views,
	    &(struct decided){
		.loop = r->spec->name, .facts = d->facts, .n = d->nfacts, .state = &r->state});
	running_outcomes(r, d);
	if (r->sup->kind->facts != NULL)
		r->sup->kind->facts(r, d);
	running_spare_learn(r, d);
	for (size_t i = 0; i < d->nfacts; i++) {
		AUTO_JSON *event = fact_to_json(&d->facts[i], r->spec->name);

		control_event(r->sup->control, event);
	}
	if (running_is_hearsay(d))
		tidy_within(r, HEARSAY_LAG);
	else
		tidy_within(r, regime_marks(r->state.policy.regime).leads ? LED_LAG : 0);
}
