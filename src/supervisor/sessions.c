/*
 * sessions.c - the sessions of a loop: started, found again after a crash, told, ended; and
 * what they tell becomes inputs.
 */
#include "supervisor/inside.h"

#include "supervisor/held.h"
#include "supervisor/kind.h"
#include "supervisor/step.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/log.h"
#include "loop/source_row.h"
#include <errno.h>
#include <fcntl.h>

/* Where agents live for longer, none of their successors needs a keeper that waits. */
#define SPARE_LIFE (5 * NSEC_PER_SEC)
#define PROBE_AGAIN (5 * NSEC_PER_SEC)
/* How long a new supervisor waits for a keeper that lives and does not answer. */
#define PROBE_PATIENCE (30 * NSEC_PER_SEC)

struct session *
running_find(struct running *r, const char *id)
{
	for (struct running_session *s = r->sup->sessions; s != NULL; s = s->next)
		if (strcmp(s->id, id) == 0)
			return s->session;
	return NULL;
}

static void
session_list_add(struct running *r, const char *id, struct session *session)
{
	struct running_session *s = xcalloc(1, sizeof(*s));

	s->session = session;
	(void)snprintf(s->id, sizeof(s->id), "%s", id);
	s->next = r->sup->sessions;
	r->sup->sessions = s;
}

static void
session_list_remove(struct running *r, const char *id)
{
	for (struct running_session **at = &r->sup->sessions; *at != NULL; at = &(*at)->next)
		if (strcmp((*at)->id, id) == 0) {
			struct running_session *s = *at;

			*at = s->next;
			session_free(s->session);
			free(s);
			return;
		}
}

void
running_spare_learn(struct running *r, const struct decision *d)
{
	for (size_t i = 0; i < d->nfacts; i++)
		if (d->facts[i].kind == FACT_ENDED)
			r->sup->brief = d->facts[i].duration < SPARE_LIFE;
}

/*
 * Will a session follow soon, and as soon as one ends?  Beside an agent that works for minutes
 * the time to make a keeper is nothing, but a keeper that waits takes memory.  A kind that
 * starts sessions in its own way waits for git first, which takes longer than a keeper.
 */
static bool
another_follows(const struct running *r)
{
	const struct loop_state *s = &r->state;

	return r->sup->brief && r->source != NULL && !source_row(r->settings.source)->single &&
	       r->sup->kind->start == NULL && !r->leaving && !r->fleeing &&
	       s->wanted == WANT_RUN &&
	       (s->policy.max_iterations == UNLIMITED ||
		   s->iteration < s->policy.max_iterations);
}

/* A spare that cannot be made does no harm: the start makes what is lacking, and complains. */
static void
spare_make(struct running *r)
{
	struct err err = ERR_INIT;

	if (r->sup->spare == NULL && another_follows(r))
		r->sup->spare = session_spare_new(r->ev, r->sessions_dir, &err);
	if (err.text[0] != '\0')
		warning("%s: cannot prepare the next session: %s; it is made when it is due",
		    r->spec->name, err.text);
}

static void
spare_drop(struct running *r)
{
	struct err err = ERR_INIT;

	if (session_spare_free(r->sup->spare, &err) < 0)
		warning("%s: %s", r->spec->name, err.text);
	r->sup->spare = NULL;
}

void
running_spare_tidy(struct running *r)
{
	if (!another_follows(r)) {
		spare_drop(r);
		return;
	}
	/* A session that is starting would have to share the processor with the spare. */
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (r->state.sessions[i].state == SESSION_RUNNING)
			spare_make(r);
}

void
running_sessions_free(struct running *r)
{
	ev_timer_stop(&r->sup->probe_again);
	steps_free(r);
	spare_drop(r);
	while (r->sup->sessions != NULL)
		session_list_remove(r, r->sup->sessions->id);
}

/* Removes temporary files of a killed supervisor or keeper; the files of living ones stay. */
static void
session_files_sweep(struct running *r, const char *id)
{
	struct err err = ERR_INIT;
	AUTO_CLOSE int dir = openat(r->sessions_dir, id, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (dir >= 0 && fs_sweep(dir, &err) < 0)
		debug("session %s: %s", id, err.text);
}

static void on_probe_again(struct ev_timer *w);

/*
 * A start that failed on our side (a full disk, no descriptors) says nothing about the agent:
 * it is made again later, as after a crash.  The longer it takes, the less often.
 */
void
running_start_later(struct running *r, const char *id, const char *why)
{
	char text[TEXT_MAX];

	if (r->sup->start_delay == 0) {
		error("%s: cannot start a session: %s; no agent is started until that works",
		    r->spec->name, why);
		(void)snprintf(
		    text, sizeof(text), "no agent can be started at the moment: %s", why);
		running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = text});
		(void)snprintf(r->sup->held[HELD_START], sizeof(text), "%s%.200s",
		    held_is(why) ? "waiting for disk space: " : "no agent can be started: ",
		    why);
	}
	r->sup->start_delay = running_retry_after(r->sup->start_delay);
	/* Remains of the session's directory would be taken for a session that ended. */
	if (fs_remove_tree(r->sessions_dir, id, NULL) < 0)
		debug("session %s cannot be removed", id);
	ev_timer_in(r->ev, &r->sup->probe_again, r->sup->start_delay, on_probe_again, r);
}

static void
on_running(void *ctx, struct session *s, pid_t agent)
{
	struct running *r = ctx;

	if (r->sup->start_delay != 0) {
		r->sup->start_delay = 0;
		r->sup->held[HELD_START][0] = '\0';
		warning("%s: sessions can be started again", r->spec->name);
	}
	spare_make(r);
	running_input(
	    r, &(struct loop_input){
		   .kind = IN_RUNNING, .session = session_id(s), .pid = (int64_t)agent});
}

static void
on_signal(void *ctx, struct session *s, const struct session_signal *sig)
{
	running_input(ctx, &(struct loop_input){
			       .kind = IN_SIGNAL,
			       .session = session_id(s),
			       .seq = sig->seq,
			       .turn = sig->turn,
			       .signal = sig->kind,
			       .text = sig->text,
			       .resets = sig->resets,
			   });
}

/* Did the keeper, before there was an agent, lack something that may be there again later? */
static bool
is_lack(struct exit_status status)
{
	static const int codes[] = {
	    ENOSPC, EDQUOT, EIO, EROFS, EFBIG, EMFILE, ENFILE, ENOMEM, EAGAIN};

	for (size_t i = 0; i < ARRAY_LEN(codes); i++)
		if (status.how == EXIT_NOSTART && status.value == codes[i])
			return true;
	return false;
}

static void
on_ended(void *ctx, struct session *s, struct exit_status status, const char *text)
{
	struct running *r = ctx;
	AUTO_FREE char *id = xstrdup(session_id(s));
	const struct loop_session *one = loop_find_session(&r->state, id);

	session_list_remove(r, id);
	if (r->fleeing) {
		if (r->sup->sessions == NULL)
			running_leave(r, r->sup->code);
		return;
	}
	if (one != NULL && one->state == SESSION_STARTING && is_lack(status)) {
		running_start_later(r, id, text == NULL ? "" : text);
		return;
	}
	if (status.how == EXIT_NOSTART)
		error(
		    "%s: cannot start the agent: %s", r->spec->name, text == NULL ? "" : text);
	if (status.how == EXIT_UNKNOWN)
		session_files_sweep(r, id);
	running_hint(r, id, status);
	running_look_for_edits(r);
	running_input(
	    r, &(struct loop_input){.kind = IN_ENDED,
		   .session = id,
		   .exit = status,
		   .closed = r->sup->kind->closed != NULL && r->sup->kind->closed(r, id)});
}

static void
on_alive(void *ctx, struct session *s)
{
	struct running *r = ctx;

	(void)s;
	if (r->sup->kind->alive != NULL)
		r->sup->kind->alive(r);
}

static void
silent(struct running *r, const char *id, int64_t span, bool late)
{
	AUTO_BUF text = BUF_INIT;

	buf_adds(&text, "has not answered for ");
	clock_fmt_span(span, false, &text);
	warning("%s: the keeper of session %s %s", r->spec->name, id, text.data);
	running_input(r, &(struct loop_input){.kind = IN_SILENT,
			     .session = id,
			     .verdict = late ? VERDICT_TIMEOUT : VERDICT_NONE,
			     .text = text.data});
}

static void
on_silent(void *ctx, struct session *s, int64_t span, bool late)
{
	struct running *r = ctx;

	/* Nothing is decided any more, and the session has to end in any case. */
	if (r->fleeing)
		session_kill(s);
	else
		silent(r, session_id(s), span, late);
}

static struct session_callbacks
callbacks(struct running *r)
{
	return (struct session_callbacks){
	    .running = on_running,
	    .signal = on_signal,
	    .ended = on_ended,
	    .ctx = r,
	    .alive = on_alive,
	    .silent = on_silent,
	};
}

void
running_cannot_start(struct running *r, const struct effect *e, const char *why)
{
	if (held_is(why)) {
		running_start_later(r, e->session, why);
		return;
	}
	error("%s: cannot start the agent: %s", r->spec->name, why);
	running_input(
	    r, &(struct loop_input){
		   .kind = IN_ENDED, .session = e->session, .exit = {EXIT_NOSTART, ENOENT}});
}

void
running_begin(struct running *r, const struct effect *e, const struct session_spec *given)
{
	struct session_callbacks cb = callbacks(r);
	struct session_spec spec = *given;
	struct err err = ERR_INIT;
	struct session *s;

	spec.id = e->session;
	spec.loop = r->spec->name;
	spec.iteration = e->iteration;
	spec.spare = &r->sup->spare;
	spec.beat = r->sup->kind->beat;
	spec.record_cap = r->settings.keep_output > KEEP_OUTPUT_LEAST ? r->settings.keep_output
								      : KEEP_OUTPUT_LEAST;
	s = session_start(r->ev, r->sessions_dir, &spec, &cb, &err);
	if (s != NULL)
		session_list_add(r, e->session, s);
	else
		running_start_later(r, e->session, err.text);
}

void
running_session_start(struct running *r, const struct effect *e)
{
	AUTO_BUF prompt = BUF_INIT;
	struct err err = ERR_INIT;

	if (r->source->ops->brief(r->source, e->task, &prompt, &err) < 0)
		running_cannot_start(r, e, err.text);
	else
		running_begin(
		    r, e, &(struct session_spec){.settings = &r->settings, .prompt = &prompt});
}

void
running_session_probe(struct running *r, const struct loop_session *one)
{
	struct session_callbacks cb = callbacks(r);
	enum session_probe found = PROBE_LOST;
	struct err err = ERR_INIT;
	struct session *s =
	    session_adopt(r->ev, r->sessions_dir, one->id, one->seq, &cb, &found, &err);

	session_files_sweep(r, one->id);
	if (s != NULL) {
		session_list_add(r, one->id, s);
	} else if (found == PROBE_RUNNING) {
		/* The session is alive but out of reach: any step now could make a second
		 * one. */
		warning(
		    "%s: session %s: %s; looking again soon", r->spec->name, one->id, err.text);
		ev_timer_in(r->ev, &r->sup->probe_again, PROBE_AGAIN, on_probe_again, r);
		if (one->unseen && clock_boot() - r->state.resumed.boot >= PROBE_PATIENCE)
			silent(r, one->id, clock_boot() - r->state.resumed.boot, false);
	} else if (found == PROBE_ABSENT && one->state == SESSION_STARTING &&
		   r->source != NULL) {
		running_input(r, &(struct loop_input){.kind = IN_ABSENT, .session = one->id});
	} else {
		running_input(
		    r, &(struct loop_input){
			   .kind = IN_ENDED, .session = one->id, .exit = {EXIT_UNKNOWN, 0}});
	}
}

static void
assign_again(struct running *r, const struct loop_session *one)
{
	struct effect e = {
	    .kind = EFFECT_ASSIGN, .iteration = one->iteration, .attempt = one->attempt};

	(void)snprintf(e.session, sizeof(e.session), "%s", one->id);
	(void)snprintf(e.task, sizeof(e.task), "%s", one->task);
	if (r->sup->kind->assign != NULL)
		r->sup->kind->assign(r, &e);
}

static void
on_probe_again(struct ev_timer *w)
{
	struct running *r = w->ctx;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		const struct loop_session *one = &r->state.sessions[i];
		struct session *found;

		if (one->state == SESSION_FREE ||
		    (one->state == SESSION_LANDING && !one->kept) ||
		    running_find(r, one->id) != NULL || step_busy(r, one->id))
			continue;
		running_session_probe(r, one);
		found = running_find(r, one->id);
		/* Repeats the request that came while the session could not be reached. */
		if (found != NULL && one->state == SESSION_ENDING)
			session_end(found, loop_may_finish(one));
		if (found != NULL && one->state == SESSION_BRIEFING)
			assign_again(r, one);
	}
}

void
running_session_notice(struct running *r, const struct effect *e)
{
	struct session *s = running_find(r, e->session);

	if (s != NULL)
		session_notice(s, e->paused ? "{\"pause\":true}" : "{\"pause\":false}");
	else /* not started yet, or out of reach; perhaps nobody wants it any more */
		ev_timer_in(r->ev, &r->sup->probe_again, 0, on_probe_again, r);
}

void
running_session_nudge(struct running *r, const struct effect *e)
{
	struct session *s = running_find(r, e->session);

	if (s != NULL)
		session_nudge(s, e->iteration);
}

void
running_session_end(struct running *r, const struct effect *e)
{
	const struct loop_session *one = loop_find_session(&r->state, e->session);
	bool lands = one != NULL && one->state == SESSION_LANDING && !e->forced;
	struct session *s = lands ? NULL : running_find(r, e->session);

	if (s != NULL && e->forced)
		session_kill(s);
	else if (e->forced)
		session_kill_lost(r->sessions_dir, e->session);
	else if (s != NULL)
		session_end(s, e->politely);
	else if (!step_end(r, e->session) &&
		 !(r->sup->kind->end != NULL && r->sup->kind->end(r, e->session)))
		/* not started yet, or not found again */
		ev_timer_in(r->ev, &r->sup->probe_again, 0, on_probe_again, r);
}
