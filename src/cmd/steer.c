/*
 * steer.c - what another terminal may ask of a loop.
 */
#include "cmd/steer.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/log.h"
#include "loops/news.h"
#include "session/session.h"
#include "supervisor/supervisor.h"
#include <errno.h>
#include <poll.h>

/* How long a keeper may take, after the grace, to sweep its tree and to say so. */
#define KEEPER_PATIENCE (10 * NSEC_PER_SEC)

/* A damaged loop can be steered as far as its processes go; the user hears of the damage. */
static void
warn_of_damage(const struct loop_view *v)
{
	if (v->damage != NULL)
		warning("%s: %s", v->name, v->damage);
}

static bool
nobody_listens(const struct err *err)
{
	return err->code == ENOENT || err->code == ECONNREFUSED;
}

/* ---- pause ------------------------------------------------------------------------- */

int
steer_pause(const struct cmd_args *args, const struct loop_view *v)
{
	AUTO_JSON *reply = NULL;
	struct err why = ERR_INIT;

	warn_of_damage(v);
	if (v->damage == NULL && v->state.phase == PHASE_FINISHED) {
		warning("worker '%s' is not running (%s)", v->name, loop_status(&v->state));
		return EX_OK;
	}
	if (v->damage == NULL && strcmp(loop_status(&v->state), "paused") == 0) {
		warning("worker '%s' is already paused", v->name);
		return EX_OK;
	}
	reply = control_call(v->dir, CONTROL_PAUSE, &why);
	if (reply == NULL && !nobody_listens(&why))
		return err_pass(args->err, &why);
	/* Nobody listens: a crash.  The wish is written down for the supervisor that
	 * resumes. */
	if (reply == NULL && supervisor_pause_offline(v->name, args->err) < 0)
		return -1;
	if (reply != NULL && strcmp(json_str(reply, "status", "paused"), "paused") != 0) {
		warning("worker '%s' is just ending", v->name);
		return EX_OK;
	}
	return cmd_say("paused ralph loop for %s", v->name);
}

/* ---- resume ------------------------------------------------------------------------ */

static int
resume_running(const struct loop_view *v, struct err *err)
{
	AUTO_JSON *reply = control_call(v->dir, CONTROL_RESUME, err);

	warn_of_damage(v);
	if (reply == NULL)
		return -1;
	if (json_bool(reply, "changed", false))
		cmd_say("resumed ralph loop for %s", v->name);
	else
		warning("worker '%s' is not paused", v->name);
	return EX_OK;
}

int
steer_resume(const struct cmd_args *args, const struct loop_view *v)
{
	const struct steer_output *out = args->opts;
	pid_t self = getpid();
	int rc;

	if (v->supervised)
		return resume_running(v, args->err);
	if (!loop_can_resume(&v->state)) {
		warning("worker '%s' is not paused (it is %s: %s)", v->name,
		    end_reason_complete(v->state.reason) ? "complete" : "over",
		    end_reason_name(v->state.reason));
		return EX_OK;
	}
	rc = supervisor_main(&(struct supervisor_spec){
	    .name = v->name,
	    .json = out->json && out->foreground,
	    .quiet = out->quiet,
	    .detach = !out->foreground,
	});
	/* The supervisor itself comes back here, too, when its loop is over. */
	if (getpid() == self && !out->foreground && rc == EX_OK && !out->quiet)
		cmd_say("resumed ralph loop for %s", v->name);
	return rc;
}

/* ---- end --------------------------------------------------------------------------- */

/* Ends the loop's sessions by what their directories tell: nobody can say which sessions there
 * should be, and nothing can be written down.  1: something was ended, 0: nothing lived. */
static int
end_sessions(const struct loop_view *v, struct err *err)
{
	int64_t patience = v->settings.grace + KEEPER_PATIENCE;
	AUTO_CLOSE int lock = loop_claim(v->home, v->dir, v->name, err);
	AUTO_CLOSE int sessions = lock < 0 ? -1 : fs_open_dir(v->dir, "sessions", NULL);
	AUTO_STRLIST ids = NULL;
	int ended = 0, rc = 0;

	if (lock < 0)
		return -1;
	if (sessions < 0)
		return 0;
	if (fs_list(v->dir, "sessions", &ids, err) < 0)
		return -1;
	for (size_t i = 0; ids[i] != NULL && rc >= 0; i++) {
		rc = session_end_lost(sessions, ids[i], patience, err);
		ended |= rc == 1;
	}
	return rc < 0 ? -1 : ended;
}

/* Did the loop come to its end before our wish could count?  Its last agent may have died with
 * its supervisor, with nothing left to start.  2, which is said; -1: no, and why not has been
 * said. */
static int
end_by_itself(const char *name, struct err *err)
{
	AUTO_VIEW v = VIEW_INIT;

	if (loop_view_open_for(&v, name, VIEW_END, err) < 0 || v.damage != NULL ||
	    v.state.phase != PHASE_FINISHED)
		return -1;
	warning("worker '%s' had nothing left to do and ended by itself: %s (%s)", name,
	    loop_word(&v.state), end_reason_name(v.state.reason));
	return 2;
}

static int
end_dead(const struct loop_view *v, enum control_request how, struct err *err)
{
	int rc;

	if (v->damage != NULL) {
		rc = end_sessions(v, err);
		if (rc > 0)
			warn_of_damage(v);
		return rc;
	}
	if (v->state.phase == PHASE_FINISHED)
		return 0;
	/* Takes the loop over only to end what is left of it. */
	rc = supervisor_main(&(struct supervisor_spec){
	    .name = v->name, .mute = true, .stop = true, .killed = how == CONTROL_KILL});
	return rc == EX_UNFINISHED ? 1 : end_by_itself(v->name, err);
}

/* Waits until the supervisor closes the stream, which is its last act. */
static void
wait_gone(int *events)
{
	while (*events >= 0) {
		struct pollfd p = {.fd = *events, .events = POLLIN};

		(void)poll(&p, 1, -1);
		news_drain(events);
	}
}

/* Looks again after the supervisor is gone, since it may have died before it did as asked. */
static int
end_confirm(const char *name, enum control_request how, struct err *err)
{
	AUTO_VIEW v = VIEW_INIT;

	if (loop_view_open_for(&v, name, VIEW_END, err) < 0)
		return -1;
	if (v.damage != NULL)
		return end_sessions(&v, err) < 0 ? -1 : 1;
	return v.state.phase == PHASE_FINISHED ? 1 : end_dead(&v, how, err);
}

int
steer_end(const struct loop_view *v, enum control_request how, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_CLOSE int events = -1;
	AUTO_JSON *reply = NULL;

	if (!v->supervised)
		return end_dead(v, how, err);
	warn_of_damage(v);
	events = control_watch(v->dir, &why);
	if (events >= 0)
		reply = control_call(v->dir, how, &why);
	else if (why.code == ETIMEDOUT)
		(void)err_set(&why,
		    "the loop's supervisor does not answer, and was asked for nothing more");
	if (events >= 0 && reply != NULL)
		wait_gone(&events);
	else if (!nobody_listens(&why) && why.code != ECONNRESET && why.code != EPIPE)
		return err_pass(err, &why);
	return end_confirm(v->name, how, err);
}
