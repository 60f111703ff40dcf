/*
 * effects.c - carrying out what the loop decided: source, sessions, alerts.
 */
#include "cmd/running.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "record/codec.h"
#include <errno.h>

#define PROBE_AGAIN (5 * NSEC_PER_SEC)

/* ---- sessions -------------------------------------------------------------------- */

static struct running_session *
find(struct running *r, const char *id)
{
	for (struct running_session *s = r->sessions; s != NULL; s = s->next)
		if (strcmp(s->id, id) == 0)
			return s;
	return NULL;
}

static void
keep(struct running *r, const char *id, struct session *session)
{
	struct running_session *s = xcalloc(1, sizeof(*s));

	s->session = session;
	(void)snprintf(s->id, sizeof(s->id), "%s", id);
	s->next = r->sessions;
	r->sessions = s;
}

static void
forget(struct running *r, const char *id)
{
	for (struct running_session **at = &r->sessions; *at != NULL; at = &(*at)->next)
		if (strcmp((*at)->id, id) == 0) {
			struct running_session *s = *at;

			*at = s->next;
			session_free(s->session);
			free(s);
			return;
		}
}

void
running_sessions_free(struct running *r)
{
	ev_timer_stop(&r->probe_again);
	while (r->sessions != NULL)
		forget(r, r->sessions->id);
}

void
running_look_for_edits(struct running *r)
{
	struct err err = ERR_INIT;
	int64_t value = 0;
	int rc = layout_swarm_edits(r->layout, &value, &err);

	if (rc < 0)
		warning("%s: %s", r->spec->name, err.text);
	if (rc == 1)
		running_input(r, &(struct loop_input){
				     .kind = IN_EDIT, .key = "max_iterations", .value = value});
}

static void
on_running(void *ctx, struct session *s, pid_t agent)
{
	running_input(
	    ctx, &(struct loop_input){
		     .kind = IN_RUNNING, .session = session_id(s), .pid = (int64_t)agent});
}

static void
on_signal(void *ctx, struct session *s, int64_t seq, enum signal_kind kind, const char *text)
{
	running_input(ctx, &(struct loop_input){
			       .kind = IN_SIGNAL,
			       .session = session_id(s),
			       .seq = seq,
			       .signal = kind,
			       .text = text,
			   });
}

static void
on_ended(void *ctx, struct session *s, struct exit_status status, const char *text)
{
	struct running *r = ctx;
	AUTO_FREE char *id = xstrdup(session_id(s));

	if (status.how == EXIT_NOSTART)
		error(
		    "%s: cannot start the agent: %s", r->spec->name, text == NULL ? "" : text);
	forget(r, id);
	running_look_for_edits(r);
	running_input(r, &(struct loop_input){.kind = IN_ENDED, .session = id, .exit = status});
}

static struct session_callbacks
callbacks(struct running *r)
{
	return (struct session_callbacks){
	    .running = on_running, .signal = on_signal, .ended = on_ended, .ctx = r};
}

static void
start(struct running *r, const char *id, int64_t iteration)
{
	struct session_callbacks cb = callbacks(r);
	struct err err = ERR_INIT;
	struct session *s = session_start(r->ev, r->sessions_dir,
	    &(struct session_spec){
		.id = id,
		.loop = r->spec->name,
		.iteration = iteration,
		.settings = &r->settings,
		.prompt = &r->prompt,
	    },
	    &cb, &err);

	if (s != NULL) {
		keep(r, id, s);
		return;
	}
	error("%s: cannot start a session: %s", r->spec->name, err.text);
	running_input(
	    r, &(struct loop_input){
		   .kind = IN_ENDED, .session = id, .exit = {EXIT_NOSTART, err.code}});
}

/* The prompt for a start that a crash swallowed. */
static void
on_restart_answer(void *ctx, const struct answer *a)
{
	struct running *r = ctx;

	if (a->kind != ANSWER_TASK) {
		running_input(r, &(struct loop_input){.kind = IN_ENDED,
				     .session = r->restart,
				     .exit = {EXIT_NOSTART, ENOENT}});
		return;
	}
	buf_clear(&r->prompt);
	buf_add(&r->prompt, a->prompt->data, a->prompt->len);
	start(r, r->restart, r->restart_iteration);
}

static void on_probe_again(struct ev_timer *w);

/* Looks for a session that a former supervisor started. */
static void
probe(struct running *r, const struct loop_session *one)
{
	struct session_callbacks cb = callbacks(r);
	enum session_probe found = PROBE_LOST;
	struct err err = ERR_INIT;
	struct session *s =
	    session_adopt(r->ev, r->sessions_dir, one->id, one->seq, &cb, &found, &err);

	if (s != NULL) {
		keep(r, one->id, s);
	} else if (found == PROBE_RUNNING) {
		/* Alive but out of reach: whatever we did now could make two of it. */
		warning(
		    "%s: session %s: %s; looking again soon", r->spec->name, one->id, err.text);
		ev_timer_in(r->ev, &r->probe_again, PROBE_AGAIN, on_probe_again, r);
	} else if (found == PROBE_ABSENT && one->state == SESSION_STARTING &&
		   r->source != NULL) {
		(void)snprintf(r->restart, sizeof(r->restart), "%s", one->id);
		r->restart_iteration = one->iteration;
		r->source->ops->next(r->source, on_restart_answer, r);
	} else {
		running_input(
		    r, &(struct loop_input){
			   .kind = IN_ENDED, .session = one->id, .exit = {EXIT_UNKNOWN, 0}});
	}
}

static void
on_probe_again(struct ev_timer *w)
{
	struct running *r = w->ctx;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (r->state.sessions[i].state != SESSION_FREE &&
		    find(r, r->state.sessions[i].id) == NULL)
			probe(r, &r->state.sessions[i]);
}

/* ---- the source ------------------------------------------------------------------- */

static void
on_answer(void *ctx, const struct answer *a)
{
	struct running *r = ctx;
	struct loop_input in = {.kind = IN_NO_TASK, .reason = END_NO_WORK, .text = a->text};

	if (a->kind == ANSWER_TASK) {
		in.kind = IN_TASK;
		in.task = a->task;
		buf_clear(&r->prompt);
		buf_add(&r->prompt, a->prompt->data, a->prompt->len);
	} else if (a->kind == ANSWER_ERROR) {
		in.reason = END_SOURCE_ERROR;
		error("%s", a->text);
	}
	running_input(r, &in);
}

/* ---- the rest ------------------------------------------------------------------------ */

static void
notice(struct running *r, const struct effect *e)
{
	struct running_session *s = find(r, e->session);

	if (s != NULL)
		session_notice(
		    s->session, e->paused ? "{\"pause\":true}" : "{\"pause\":false}");
}

static void
raise_alert(struct running *r, const struct effect *e)
{
	struct fact f = {.kind = FACT_ALERT, .at = clock_now()};
	AUTO_BUF line = BUF_INIT;
	AUTO_JSON *event = NULL;

	(void)snprintf(f.text, sizeof(f.text), "%s", e->text);
	event = fact_to_json(&f, r->spec->name);
	json_print(event, true, &line);
	buf_addc(&line, '\n');
	alerts_run(&r->alerts, line.data);
}

void
running_effect(struct running *r, const struct effect *e)
{
	const struct loop_session *one;
	struct running_session *s;

	switch (e->kind) {
	case EFFECT_FETCH:
		/* A supervisor that only came to stop the loop has no source. */
		if (r->source != NULL)
			r->source->ops->next(r->source, on_answer, r);
		break;
	case EFFECT_START:
		start(r, e->session, e->iteration);
		break;
	case EFFECT_PROBE:
		one = loop_find_session(&r->state, e->session);
		if (one != NULL)
			probe(r, one);
		break;
	case EFFECT_END:
		s = find(r, e->session);
		if (s != NULL)
			session_end(s->session, e->politely);
		break;
	case EFFECT_NOTICE:
		notice(r, e);
		break;
	case EFFECT_ALERT:
		raise_alert(r, e);
		break;
	case EFFECT_EXIT:
		running_leave(r, e->code);
		break;
	case EFFECT_COUNT:
	default:
		break;
	}
}
