/*
 * between.c - the moment between two agents of a loop.
 */
#include "loops/between.h"

#include "base/clock.h"
#include "base/fs.h"
#include "session/wire.h"
#include <errno.h>
#include <inttypes.h>
#include <poll.h>

#define PATIENCE (NSEC_PER_SEC / 2)
#define AGAIN_MS 20

int64_t
between_deadline(void)
{
	return clock_boot() + PATIENCE;
}

bool
between_comes(const struct loop_view *v)
{
	struct when until;

	if (!v->supervised || v->state.phase != PHASE_OPEN)
		return false;
	if (loop_active(&v->state) > 0)
		return true;
	return v->state.wanted == WANT_RUN && !loop_waits(&v->state, clock_boot(), &until);
}

bool
between_wait(struct loop_view *v, int64_t deadline)
{
	struct loop_view now;

	if (!between_comes(v) || clock_boot() >= deadline)
		return false;
	(void)poll(NULL, 0, AGAIN_MS);
	if (loop_view_open(&now, v->name, NULL) < 0)
		return false;
	now.chosen = v->chosen;
	loop_view_close(v);
	*v = now;
	return true;
}

int
between_say(const struct loop_view *v, struct err *err)
{
	if (!between_comes(v))
		return err_code(err, ESRCH, "no agent of '%s' is running now", v->name);
	if (v->state.ended == 0)
		return err_code(
		    err, EAGAIN, "the first agent of '%s' is being started", v->name);
	return err_code(err, EAGAIN,
	    "the agent has just ended; the next one is being started ('%s')", v->name);
}

/* Is that how it looks when a session is not there yet, or not any more? */
static bool
is_absence(const struct err *why)
{
	return why->code == ENOENT || why->code == ECONNREFUSED || why->code == ECONNRESET ||
	       why->code == EPIPE;
}

static int
dial_one(int sessions, const char *id, struct err *why)
{
	AUTO_CLOSE int dir = fs_open_dir(sessions, id, why);

	return dir < 0 ? -1 : wire_dial(dir, ROLE_CLIENT, 0, 0, 0, why);
}

static bool
may_have_agent(const struct loop_session *s)
{
	return s->state != SESSION_FREE && s->state != SESSION_LANDING;
}

static int
dial(const struct loop_view *v, struct err *why)
{
	AUTO_CLOSE int sessions = loop_view_sessions(v, why);
	AUTO_FREE char *chosen = v->chosen > 0 ? loop_view_session(v) : NULL;
	int fd = -1;

	why->code = ENOENT;
	if (sessions >= 0 && chosen != NULL)
		return dial_one(sessions, chosen, why);
	for (size_t i = 0; i < LOOP_MAX_SESSIONS && sessions >= 0 && fd < 0; i++)
		if (may_have_agent(&v->state.sessions[i]))
			fd = dial_one(sessions, v->state.sessions[i].id, why);
	return fd;
}

int
between_dial(struct loop_view *v, struct err *err)
{
	int64_t deadline = between_deadline();
	struct err why = ERR_INIT;

	do {
		int fd = dial(v, &why);

		if (fd >= 0)
			return fd;
		if (!is_absence(&why))
			return err_pass(err, &why);
		if (v->chosen > 0)
			return err_set(err,
			    "the agent of iteration %" PRId64 " of '%s' has ended", v->chosen,
			    v->name);
	} while (between_wait(v, deadline));
	return between_say(v, err);
}

int
between_lost(struct err *err)
{
	if (err != NULL && (err->code == ECONNRESET || err->code == EPIPE))
		(void)err_set(err,
		    "the agent has just ended; whether it read what was sent is not known");
	return -1;
}
