/*
 * check.c - is a task done as its agent says?
 *
 * The done file must be there, valid, and of this turn; an agent that says so before its file
 * is written has two seconds.  Then our own check, if the user has one, runs as a step.
 */
#include "work/todo/leader.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "git/landing/landing.h"
#include "supervisor/step.h"
#include "work/todo/todo_done.h"
#include <errno.h>
#include <sys/inotify.h>
#include <unistd.h>

#define FILE_PATIENCE (2 * NSEC_PER_SEC)

struct check {
	struct running *r;
	struct effect effect;
	int64_t since; /* wall clock: the beginning of the turn */
	int notify;
	struct ev_io io;
	struct ev_timer timer;
	struct buf why; /* why the done file does not count */
};

void
check_free(struct running *r)
{
	struct check *c = take_ptr(leader_of(r)->check);

	if (c == NULL)
		return;
	ev_timer_stop(&c->timer);
	if (c->notify >= 0) {
		ev_io_stop(&c->io);
		close(c->notify);
	}
	buf_release(&c->why);
	free(c);
}

static void
checked(struct running *r, const struct effect *e, enum verdict verdict, const char *text)
{
	running_input(r, &(struct loop_input){.kind = IN_CHECKED,
			     .session = e->session,
			     .turn = e->iteration,
			     .verdict = verdict,
			     .text = text});
}

/* ---- our own check ---------------------------------------------------------------------- */

int
check_verify(const struct settings *s, struct buf *why, struct err *err)
{
	struct land_plan plan = {.top = s->root, .verify = s->verify};
	struct land_result result = {.outcome = LAND_NOTHING};
	int rc;

	if (s->verify == NULL)
		return 0;
	rc = land_verify(&plan, &result, err);
	if (rc == 0 && result.outcome == LAND_UNVERIFIED) {
		buf_adds(why, result.text == NULL ? "" : result.text);
		rc = 1;
	}
	land_result_release(&result);
	return rc;
}

struct verify {
	const struct settings *settings;
	struct effect effect;
};

static int
verify_run(const void *arg, struct buf *out, struct err *err)
{
	const struct verify *v = arg;

	return check_verify(v->settings, out, err) < 0 ? -1 : 0;
}

static void
on_verified(struct running *r, void *arg, int rc, const struct buf *out, const struct err *err)
{
	const struct verify *v = arg;

	if (rc < 0 && err->code == ECANCELED)
		return; /* the session is being ended */
	if (rc < 0)
		checked(r, &v->effect, VERDICT_UNVERIFIED, err->text);
	else
		checked(r, &v->effect, out->len > 0 ? VERDICT_UNVERIFIED : VERDICT_DONE,
		    out->len > 0 ? out->data : "");
}

static void
verify(struct running *r, const struct effect *e)
{
	struct verify *v;

	if (r->settings.verify == NULL) {
		checked(r, e, VERDICT_DONE, "");
		return;
	}
	v = xcalloc(1, sizeof(*v));
	v->settings = &r->settings;
	v->effect = *e;
	step_start(r, &(struct step_spec){
			  .session = e->session,
			  .what = "verify",
			  .run = verify_run,
			  .done = on_verified,
			  .release = free,
			  .arg = v,
		      });
}

/* ---- the file ------------------------------------------------------------------------ */

/* Looks for the done file.  True: the file is valid, and the check goes on without more
 * waiting. */
static bool
check_look(struct check *c)
{
	struct running *r = c->r;
	struct effect e = c->effect;
	struct err why = ERR_INIT;

	if (todo_done_check(&leader_of(r)->results, e.task, c->since, NULL, &why) < 0) {
		buf_clear(&c->why);
		buf_adds(&c->why, why.text);
		return false;
	}
	check_free(r);
	verify(r, &e);
	return true;
}

static void
check_on_change(struct ev_io *io, uint32_t events)
{
	struct check *c = io->ctx;
	char chunk[4096];

	(void)events;
	while (read(c->notify, chunk, sizeof(chunk)) > 0)
		continue;
	(void)check_look(c);
}

static void
check_on_late(struct ev_timer *t)
{
	struct check *c = t->ctx;
	struct running *r = c->r;
	struct effect e = c->effect;
	AUTO_FREE char *why = NULL;

	if (check_look(c))
		return;
	why = xstrdup(c->why.data);
	check_free(r);
	checked(r, &e, VERDICT_NOT_CLOSED, why);
}

static void
check_watch(struct check *c)
{
	struct running *r = c->r;

	c->notify = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);
	if (c->notify < 0)
		return;
	if (inotify_add_watch(c->notify, leader_of(r)->dir, IN_CLOSE_WRITE | IN_MOVED_TO) < 0)
		debug("%s cannot be watched", leader_of(r)->dir);
	ev_io_start(r->ev, &c->io, c->notify, EPOLLIN, check_on_change, c);
}

/* Looks for the done file before the directory is watched: mostly the file is there already,
 * and closing a watch takes the kernel some 15 ms. */
void
check_start(struct running *r, const struct effect *e)
{
	const struct loop_session *one = loop_find_session(&r->state, e->session);
	struct check *c;

	check_free(r);
	leader_of(r)->check = c = xcalloc(1, sizeof(*c));
	c->r = r;
	c->effect = *e;
	c->since = one == NULL ? 0 : one->started.wall;
	c->notify = -1;
	buf_init(&c->why);
	if (check_look(c))
		return;
	/* First the watch, then another look: nothing is missed in between. */
	check_watch(c);
	if (!check_look(c))
		ev_timer_in(r->ev, &c->timer, FILE_PATIENCE, check_on_late, c);
}
