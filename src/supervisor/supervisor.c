/*
 * supervisor.c - the life of a supervisor: take the loop, run, let go.
 */
#include "supervisor/supervisor.h"
#include "supervisor/held.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/links.h"
#include "base/log.h"
#include "base/text.h"
#include "loops/forget.h"
#include "loops/loop_view.h"
#include "loops/naming.h"
#include "record/codec.h"
#include "record/home.h"
#include "record/swarm.h"
#include "supervisor/announce.h"
#include "supervisor/beat.h"
#include "supervisor/detach.h"
#include "supervisor/gone.h"
#include "supervisor/inside.h"
#include "supervisor/kind.h"
#include "supervisor/retain.h"
#include "supervisor/step.h"
#include "supervisor/window.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>

#define LEAVE_AFTER (10 * NSEC_PER_SEC)
/* How long views that cannot be written at the end are tried again. */
#define VIEWS_PATIENCE (10 * NSEC_PER_SEC)

/* Stands in until the settings are read. */
static const struct kind kind_unknown;

/* ---- leaving ---------------------------------------------------------------------- */

static void
on_leave_late(struct ev_timer *w)
{
	struct running *r = w->ctx;

	ev_stop(r->ev);
}

/* Somebody is being told of the end, or something is being put away. */
static bool
is_occupied(const struct running *r)
{
	return alerts_pending(&r->sup->alerts) || (r->sup->steps != NULL && !r->fleeing);
}

void
running_idle(struct running *r)
{
	if (r->leaving && !is_occupied(r))
		ev_stop(r->ev);
}

static void
on_alerts_idle(void *ctx)
{
	running_idle(ctx);
}

void
running_leave(struct running *r, int code)
{
	r->sup->code = code;
	r->leaving = true;
	if (is_occupied(r))
		ev_timer_in(r->ev, &r->sup->leave, LEAVE_AFTER, on_leave_late, r);
	else
		ev_stop(r->ev);
}

void
running_end_all(struct running *r, int code)
{
	r->fleeing = true;
	r->sup->code = code;
	steps_free(r);
	for (struct running_session *s = r->sup->sessions; s != NULL; s = s->next)
		session_end(s->session, false);
	if (r->sup->sessions == NULL)
		running_leave(r, code);
}

/* Like running_end_all, but says so. */
static void
supervisor_flee(struct running *r, int code)
{
	error("%s: ending it all the same, though that cannot be written down; go on later "
	      "with: %s resume %s",
	    r->spec->name, log_name(), r->spec->name);
	running_end_all(r, code);
}

/* ---- what comes from outside --------------------------------------------------------- */

static void
on_os_signal(struct ev_signal *w, int signo)
{
	struct running *r = w->ctx;
	struct loop_input in = {
	    .kind = IN_WANT, .wanted = WANT_STOP, .reason = END_INTERRUPTED};

	if (signo == SIGTERM && !r->sup->kind->stays && r->state.wanted != WANT_LEAVE &&
	    r->state.wanted != WANT_STOP)
		in.wanted = WANT_LEAVE;
	else if (signo == SIGTERM)
		in.reason = END_TERMINATED;
	running_input(r, &in);
	/* A user who presses Ctrl-C does not wait until the disk works again. */
	if (in.wanted == WANT_STOP && r->sup->retry_delay != 0 && !r->fleeing)
		supervisor_flee(r, end_reason_code(in.reason));
}

/* The requests that are for the loop to decide; the others have IN_OPEN, which nobody can ask
 * for. */
static const struct loop_input control_inputs[CONTROL_REQUESTS] = {
    [CONTROL_PAUSE] = {.kind = IN_WANT, .wanted = WANT_PAUSE},
    [CONTROL_RESUME] = {.kind = IN_WANT, .wanted = WANT_RUN},
    [CONTROL_STOP] = {.kind = IN_WANT, .wanted = WANT_STOP, .reason = END_STOPPED},
    [CONTROL_KILL] = {.kind = IN_WANT, .wanted = WANT_STOP, .reason = END_KILLED},
    [CONTROL_HANGUP] = {.kind = IN_HANGUP},
    [CONTROL_NUDGE] = {.kind = IN_NUDGE, .text = "ralph nudge"},
};

static json_t *
control_decide(struct running *r, const struct loop_input *in)
{
	enum wanted before = r->state.wanted;
	struct err err = ERR_INIT;

	if (r->leaving)
		return json_pack(
		    "{s:s}", "error", "the loop is just ending; try again in a moment");
	if (running_input_now(r, in, &err) < 0) {
		/* A user who stops the loop does not wait until the disk works again. */
		if (in->wanted == WANT_STOP && !r->fleeing) {
			supervisor_flee(r, end_reason_code(in->reason));
			(void)err_prefix(
			    &err, "its agents are ended, but that could not be written down");
		}
		return json_pack("{s:o}", "error", json_text(err.text, strlen(err.text)));
	}
	/* The client will look at the files next. */
	running_tidy_now(r);
	return json_pack("{s:b,s:s,s:b}", "ok", 1, "status", loop_status(&r->state), "changed",
	    before != r->state.wanted);
}

static json_t *
on_control(void *ctx, enum control_request request, const json_t *members)
{
	struct running *r = ctx;

	if (request == CONTROL_HEARTBEAT || request == CONTROL_HEARTBEAT_SET)
		return running_beat_request(r, request, members);
	if (request == CONTROL_HOLDS)
		return json_pack("{s:b,s:s*}", "ok", 1, "holds", running_holds(r));
	if (request == CONTROL_HANGUP || request == CONTROL_REDISPLAY)
		r->sup->window_gone = true;
	if (request == CONTROL_REDISPLAY) {
		window_check(r);
		return json_pack("{s:b}", "ok", 1);
	}
	if (request == CONTROL_RESUME)
		running_look_for_edits(r);
	if (request < CONTROL_REQUESTS && control_inputs[request].kind != IN_OPEN)
		return control_decide(r, &control_inputs[request]);
	return json_pack("{s:b,s:s}", "ok", 1, "status", loop_status(&r->state));
}

/* ---- taking the loop --------------------------------------------------------------------- */

static struct view_of
supervisor_view_of(struct running *r)
{
	return (struct view_of){.loop = r->spec->name,
	    .settings = &r->settings,
	    .state = &r->state,
	    .home = r->home,
	    .run = r};
}

/* The views that every loop has, then those of its kind, which needs its claim for them. */
static int
supervisor_open_views(struct running *r, struct err *err)
{
	static const struct view_ops *const common[] = {&iterations_view, &swarm_view, NULL};
	const struct view_of of = supervisor_view_of(r);
	const struct kind *kind = r->sup->kind;

	if (views_open(&r->sup->views, common, &of, r->dir, err) < 0)
		return -1;
	if (kind->claim != NULL && kind->claim(r, &r->settings, r->state.uid, err) < 0)
		return -1;
	if (kind->views != NULL &&
	    views_open(&r->sup->views, kind->views, &of, r->dir, err) < 0)
		return loop_damaged(r->spec->name, err);
	return 0;
}

static int
supervisor_open_rooms(struct running *r, struct err *err)
{
	AUTO_BUF notes = BUF_INIT;

	if (!r->spec->stop) {
		r->source = r->sup->kind->source->open(r->ev, &r->settings, err);
		if (r->source == NULL)
			return -1;
	}
	loop_init(&r->state, &r->settings, settings_regime(&r->settings));
	r->sup->journal = journal_open(r->dir, false, &r->state, &notes, err);
	if (r->sup->journal == NULL)
		return loop_damaged(r->spec->name, err);
	if (notes.len > 0)
		warning("%s: %s", r->spec->name, notes.data);
	/* Removes the temporary files of a killed supervisor; we hold the lock. */
	if (fs_sweep(r->dir, err) < 0 || fs_mkdir(r->dir, "sessions", err) < 0)
		return -1;
	r->sessions_dir = fs_open_dir(r->dir, "sessions", err);
	if (r->sessions_dir < 0 || session_spare_sweep(r->sessions_dir, err) < 0)
		return -1;
	if (home_unarchive_views(r->home, r->spec->name, err) < 0)
		return -1;
	if (supervisor_open_views(r, err) < 0)
		return -1;
	if (r->sup->kind->open != NULL && r->sup->kind->open(r, err) < 0)
		return -1;
	r->sup->control = control_open(r->ev, r->dir, on_control, r, err);
	return r->sup->control == NULL ? -1 : 0;
}

/* A terminal that somebody stopped (Ctrl-S), or a pipe that nobody reads, must not stop the
 * loop; what does not fit is kept for a while (record/console.h). */
static void
never_wait_for_reader(int fd)
{
	struct stat st;
	AUTO_FREE char *path = xasprintf("/proc/self/fd/%d", fd);
	AUTO_CLOSE int own = -1;

	if (fstat(fd, &st) < 0 || (!S_ISFIFO(st.st_mode) && isatty(fd) == 0))
		return;
	/* Opens the file anew, because the shell shares our descriptor, and would share the
	 * flag, too. */
	own = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
	if (own >= 0)
		(void)dup2(own, fd);
}

static int
supervisor_know_kind(struct running *r, const struct settings *s, struct err *err)
{
	const struct kind *kind = kind_find(s->source);

	if (kind == NULL)
		return err_set(err,
		    "this loop's work comes from '%s', which this version does not know",
		    s->source);
	r->sup->kind = kind;
	return 0;
}

static int
supervisor_take(struct running *r, struct err *err)
{
	static const int signals[] = {SIGINT, SIGTERM, 0};

	(void)signal(SIGHUP, SIG_IGN); /* the terminal may go; the loop stays */
	(void)signal(
	    SIGQUIT, SIG_IGN); /* Ctrl-\\ detaches elsewhere: no way to end a loop here */
	never_wait_for_reader(STDOUT_FILENO);
	never_wait_for_reader(STDERR_FILENO);
	alerts_init(&r->sup->alerts, r->ev);
	if (session_gather(r->sup->alerts.mark) < 0)
		return err_errno(err, "cannot become a subreaper");
	/* A new run is claimed before anything of it exists, a run that goes on when it is
	 * known. */
	if (r->spec->settings != NULL) {
		if (supervisor_know_kind(r, r->spec->settings, err) < 0)
			return -1;
		if (r->sup->kind->claim != NULL &&
		    r->sup->kind->claim(r, r->spec->settings, r->spec->uid, err) < 0)
			return -1;
	}
	if (running_dirs_open(r, err) < 0 || running_settings_load(r, err) < 0)
		return -1;
	naming_done(r->spec->naming);
	if (supervisor_know_kind(r, &r->settings, err) < 0 || running_trust_begin(r, err) < 0 ||
	    supervisor_open_rooms(r, err) < 0)
		return -1;
	console_init(&r->console, r->spec->name, r->spec->json, r->spec->quiet);
	if (r->sup->kind->voice != NULL)
		r->console.voice = r->sup->kind->voice;
	if (r->spec->mute)
		r->console.out = r->console.err = -1;
	views_add(&r->sup->views, &r->console.view);
	r->sup->alerts.command = r->settings.on_alert;
	r->sup->alerts.idle = on_alerts_idle;
	r->sup->alerts.ctx = r;
	ev_signal_start(r->ev, &r->sup->signals, signals, on_os_signal, r);
	running_gone_watch(r);
	if (window_open(r, err) < 0)
		return -1;
	if (r->sup->kind->begin != NULL)
		r->sup->kind->begin(r);
	running_beat_open(r);
	return 0;
}

/* Writes the state file, with the count 0, before the first iteration, as the seed does.  After
 * a failure the file is written with the other views. */
static void
supervisor_first_view(struct running *r)
{
	struct err err = ERR_INIT;

	if (loop_keeps_seed(&r->state) && r->state.iteration == 0 &&
	    swarm_view.write(running_view(r, &swarm_view), &r->state, &err) < 0)
		debug("%s: state.json: %s", r->spec->name, err.text);
}

/* The first words to the loop: who supervises it, and what for. */
static int
supervisor_begin(struct running *r, struct err *err)
{
	char uid[17];
	struct loop_input in = {
	    .kind = r->state.phase == PHASE_NEW ? IN_OPEN : IN_RECOVER,
	    .uid = uid,
	    .pid = (int64_t)getpid(),
	    .boot_id = clock_boot_id(),
	};

	text_random_hex(uid, 8);
	if (r->spec->uid != NULL)
		in.uid = r->spec->uid;
	/* Nothing is started before all that was settled elsewhere is known. */
	running_hold(r);
	if (running_input_now(r, &in, err) < 0)
		return -1;
	supervisor_first_view(r);
	if (r->sup->kind->opened != NULL)
		r->sup->kind->opened(r);
	/* A loop that only had to say that it is over is not begun anew. */
	if (r->spec->settings == NULL && !r->leaving)
		running_input(r, &(struct loop_input){
				     .kind = IN_WANT,
				     .wanted = r->spec->stop ? WANT_STOP : WANT_RUN,
				     .reason = r->spec->killed ? END_KILLED : END_STOPPED,
				 });
	running_release(r);
	return 0;
}

/* Nobody writes the views after us, and a disk that is full now may have space in a moment:
 * tries for a while.  Ctrl-C ends the wait. */
static void
supervisor_last_views(struct running *r)
{
	int64_t until = clock_boot() + VIEWS_PATIENCE;
	sigset_t set;

	(void)sigemptyset(&set);
	(void)sigaddset(&set, SIGINT);
	(void)sigaddset(&set, SIGTERM);
	running_tidy_now(r);
	/* Once more at once, also for a loop whose user does not want to wait. */
	if (r->sup->unwritten)
		running_tidy_now(r);
	while (r->sup->unwritten && r->state.phase == PHASE_FINISHED &&
	       !end_reason_asked(r->state.reason) && clock_boot() < until &&
	       sigtimedwait(&set, NULL, &(struct timespec){.tv_sec = 1}) < 0)
		running_tidy_now(r);
	if (r->sup->unwritten && r->state.phase == PHASE_FINISHED)
		error("%s: how it ended could not be written everywhere; the journal has it",
		    r->spec->name);
}

/* Did the loop never come to be?  Only a loop that we made ourselves counts: a name that was
 * taken is somebody else's. */
static bool
is_unborn(const struct running *r)
{
	if (!r->sup->fresh || r->sup->lock < 0 || r->sup->gone)
		return false;
	return r->state.phase == PHASE_NEW || (announce_missed(r) && r->sup->journal != NULL &&
						  r->state.phase == PHASE_FINISHED);
}

static void
supervisor_let_go(struct running *r)
{
	bool unborn = is_unborn(r);
	/* Agents that go on without us, or might. */
	bool agents = r->sup->journal == NULL || r->sup->sessions != NULL ||
		      (loop_active(&r->state) > 0 && !r->sup->gone);

	/* Makes no file of a removed loop again; only the registry that all workers share tells
	 * of its end.  A loop without a fact has nothing to show. */
	if (r->sup->gone && running_home_stays(r))
		running_register(r, true);
	else if (!r->sup->gone && r->state.phase != PHASE_NEW && r->sup->journal != NULL &&
		 r->sup->views.n > 0)
		supervisor_last_views(r);
	running_beat_close(r);
	retain_finish(r);
	alerts_kill(&r->sup->alerts);
	running_inputs_free(r);
	running_sessions_free(r);
	if (r->sup->lock >= 0 && (!r->sup->gone || running_home_stays(r)))
		running_trust_end(r, agents);
	if (r->sup->kind->close != NULL)
		r->sup->kind->close(r);
	if (r->source != NULL)
		r->source->ops->close(r->source);
	views_close(&r->sup->views);
	journal_close(r->sup->journal);
	ev_timer_stop(&r->sup->leave);
	ev_timer_stop(&r->sup->look_gone);
	ev_timer_stop(&r->sup->countdown);
	announce_stop(r);
	if (r->sup->signals.io.ev != NULL)
		ev_signal_stop(&r->sup->signals);
	if (r->sessions_dir >= 0)
		close(r->sessions_dir);
	if (unborn)
		forget_loop(r->home, r->spec->name, r->sup->earlier);
	running_dirs_close(r);
	if (r->console.loop != NULL)
		console_close(&r->console);
	/* Clients that wait for our end see it now, and may take the loop. */
	control_close(r->sup->control);
	ev_free(r->ev);
	links_bound(NULL, NULL, NULL, NULL);
	if (r->spec->settings == NULL)
		settings_release(&r->settings);
	else
		strlist_free(r->settings.outside); /* the rest is the command's */
	strlist_free(r->sup->complained);
	xpages_free(r->sup, sizeof(*r->sup));
	xpages_free(r, sizeof(*r));
}

/* ---- main ---------------------------------------------------------------------------- */

static int
supervisor_supervise(struct running *r)
{
	struct err err = ERR_INIT;

	if (supervisor_take(r, &err) < 0) {
		/* Somebody else was faster than our look at the name. */
		if (r->spec->announce && err.code == EWOULDBLOCK)
			error("worker '%s' already exists", r->spec->name);
		else
			error("%s", err.text);
		return EX_FAILED;
	}
	if (!r->spec->announce)
		running_detach_prepare(r);
	if (supervisor_begin(r, &err) < 0) {
		running_detach_undo(r);
		error("%s", err.text);
		return EX_FAILED;
	}
	/* Only what is on disk is said to be so. */
	if (!r->spec->announce)
		running_detach(r);
	if (!r->leaving || is_occupied(r))
		ev_run(r->ev);
	return r->sup->code;
}

int
supervisor_main(const struct supervisor_spec *spec)
{
	struct running *r;
	int ready = -1;
	int code;

	if (spec->detach && (code = detach_begin(&ready)) >= 0)
		return code;
	fs_fault_role(FS_SUPERVISOR);
	r = xpages(sizeof(*r));
	r->sup = xpages(sizeof(*r->sup));
	r->spec = spec;
	r->sup->kind = &kind_unknown;
	r->home = r->dir = r->sessions_dir = r->sup->lock = -1;
	r->sup->tail = &r->sup->head;
	r->sup->code = EX_FAILED;
	r->sup->detach_fd = ready;
	r->sup->terminal[0] = r->sup->terminal[1] = -1;
	r->ev = ev_new();
	code = supervisor_supervise(r);
	if (r->state.phase == PHASE_NEW || r->state.phase == PHASE_FINISHED || r->sup->gone)
		window_close(r);
	supervisor_let_go(r);
	if (ready >= 0)
		close(ready);
	return code;
}

int
supervisor_pause_offline(const char *name, struct err *err)
{
	struct supervisor sup = {.lock = -1};
	struct running r = {.spec = &(struct supervisor_spec){.name = name},
	    .sup = &sup,
	    .home = -1,
	    .dir = -1};
	struct loop_input in = {.kind = IN_WANT, .wanted = WANT_PAUSE, .now = clock_now()};
	static const struct view_ops *const views[] = {&swarm_view, NULL};
	struct view_of of;
	int rc = -1;

	if (running_dirs_open(&r, err) < 0 || spec_load(r.dir, &r.settings, err) < 0)
		goto out;
	loop_init(&r.state, &r.settings, settings_regime(&r.settings));
	sup.journal = journal_open(r.dir, false, &r.state, NULL, err);
	if (sup.journal == NULL) {
		(void)loop_damaged(name, err);
		goto out;
	}
	of = supervisor_view_of(&r);
	if (views_open(&sup.views, views, &of, r.dir, err) < 0)
		goto out;
	if (running_decide(&r, &in, false, &sup.decisions[0], err) < 0)
		goto out;
	rc = swarm_view.write(sup.views.list[0], &r.state, err);
out:
	views_close(&sup.views);
	journal_close(sup.journal);
	settings_release(&r.settings);
	running_dirs_close(&r);
	return rc;
}
