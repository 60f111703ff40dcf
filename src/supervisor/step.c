#include "supervisor/step.h"
#include "supervisor/inside.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "supervisor/held.h"
#include <errno.h>

/* How often the process of one step may die until the step is given up: the step itself may be
 * the cause. */
#define DEATHS_MAX 3
#define START_AGAIN NSEC_PER_SEC

struct step {
	struct step *next;
	struct running *r;
	struct step_spec spec;
	char session[SESSION_ID_MAX];
	char what[TASK_ID_MAX];
	struct job *job;
	int deaths;    /* of its process */
	bool late;     /* no process could be had, and that was said */
	int64_t delay; /* 0: the disk could be written */
	struct ev_timer again;
};

static void supervisor_step_on_done(
    void *ctx, int rc, const struct buf *out, const struct err *err);
static void supervisor_step_on_again(struct ev_timer *w);

/* A lack of memory or descriptors for a process says nothing about the work, and may pass: the
 * start is tried again. */
static void
step_try(struct step *step)
{
	struct running *r = step->r;
	struct err err = ERR_INIT;

	step->job = job_start(
	    r->ev, step->spec.run, step->spec.arg, supervisor_step_on_done, step, &err);
	if (step->job != NULL)
		return;
	if (!step->late)
		warning("%s: %s: %s; trying again until that works", r->spec->name, step->what,
		    err.text);
	step->late = true;
	ev_timer_in(r->ev, &step->again, START_AGAIN, supervisor_step_on_again, step);
}

static void
supervisor_step_on_again(struct ev_timer *w)
{
	step_try(w->ctx);
}

static void
step_unlink(struct step *step)
{
	struct step **at = &step->r->sup->steps;

	while (*at != step)
		at = &(*at)->next;
	*at = step->next;
}

static void
step_free(struct step *step)
{
	if (step->spec.release != NULL)
		step->spec.release(step->spec.arg);
	free(step);
}

/* A disk that is full says nothing about the work either. */
static void
step_later(struct step *step, const struct err *err)
{
	AUTO_FREE char *text = xasprintf("%s: %.200s", step->what, err->text);

	step->delay = running_retry_after(step->delay);
	running_held(step->r, HELD_STEP, text);
	ev_timer_in(step->r->ev, &step->again, step->delay, supervisor_step_on_again, step);
}

static void
supervisor_step_on_done(void *ctx, int rc, const struct buf *out, const struct err *err)
{
	struct step *step = ctx;
	struct running *r = step->r;

	step->job = NULL;
	/* Killed: that says nothing about the work, and how far it came does not matter. */
	if (rc < 0 && err->code == ECHILD && ++step->deaths < DEATHS_MAX) {
		step_try(step);
		return;
	}
	if (rc < 0 && held_is(err->text) && !r->leaving) {
		step_later(step, err);
		return;
	}
	if (step->delay != 0)
		running_unheld(r, HELD_STEP);
	step_unlink(step);
	running_trust_look(r);
	step->spec.done(r, step->spec.arg, rc, out, err);
	running_quiet(r);
	running_idle(r);
	step_free(step);
}

void
step_start(struct running *r, const struct step_spec *spec)
{
	struct step *step = xcalloc(1, sizeof(*step));

	step->r = r;
	step->spec = *spec;
	(void)snprintf(step->session, sizeof(step->session), "%s", spec->session);
	(void)snprintf(step->what, sizeof(step->what), "%s", spec->what);
	step->next = r->sup->steps;
	r->sup->steps = step;
	step_try(step);
}

bool
step_busy(const struct running *r, const char *session)
{
	for (const struct step *s = r->sup->steps; s != NULL; s = s->next)
		if (strcmp(s->session, session) == 0)
			return true;
	return false;
}

/* Gives up a step that waits for a process: nothing but the waiting could be ended. */
static void
supervisor_step_give_up(struct step *step)
{
	struct err err = ERR_INIT;

	ev_timer_stop(&step->again);
	(void)err_set(&err, "was ended");
	err.code = ECANCELED;
	supervisor_step_on_done(step, -1, &(struct buf)BUF_INIT, &err);
}

static struct step *
find_waiting(const struct running *r, const char *session)
{
	for (struct step *s = r->sup->steps; s != NULL; s = s->next)
		if (s->job == NULL && strcmp(s->session, session) == 0)
			return s;
	return NULL;
}

bool
step_end(struct running *r, const char *session)
{
	bool any = step_busy(r, session);

	for (struct step *s = r->sup->steps; s != NULL; s = s->next)
		if (s->job != NULL && strcmp(s->session, session) == 0)
			job_end(s->job, r->settings.grace);
	for (struct step *s; (s = find_waiting(r, session)) != NULL;)
		supervisor_step_give_up(s);
	return any;
}

void
steps_free(struct running *r)
{
	while (r->sup->steps != NULL) {
		struct step *step = r->sup->steps;

		job_free(step->job);
		ev_timer_stop(&step->again);
		step_unlink(step);
		step_free(step);
	}
}
