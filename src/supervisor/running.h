/*
 * running.h - a loop that runs, as its kind sees it: what the loop is, how it stands, and the
 * calls that a kind may make.
 *
 * The supervisor owns everything here and hands it to each function of the kind's table
 * (kind.h).  A kind reads the members; it writes only `own` and the words of `console`.  The
 * supervisor's private members are behind `sup` (inside.h), which no kind includes.
 *
 * A kind never decides.  Everything that a kind learns becomes an input (running_input), and
 * the pure loop says what follows.  Work that takes a while is a step (step.h).
 */
#ifndef SUPERVISOR_RUNNING_H
#define SUPERVISOR_RUNNING_H

#include "base/clock.h"
#include "base/ev.h"
#include "record/console.h"
#include "session/session.h"
#include "supervisor/source.h"
#include "supervisor/supervisor.h"

struct supervisor;

struct running {
	const struct supervisor_spec *spec;
	struct settings settings;
	struct loop_state state;
	struct source *source; /* NULL: the loop is only to end */
	struct console console;
	struct ev *ev;
	int home, dir, sessions_dir;
	bool leaving;
	bool fleeing;	  /* as soon as no session is left */
	bool fetch_looks; /* the loop asks the source, but begins with nothing of its answer */
	void *own;	  /* the kind's: made by its claim or open, freed by its close */
	struct supervisor *sup;
};

/* ---- inputs ------------------------------------------------------------------------ */

/* The strings of the input are copied. */
void running_input(struct running *r, const struct loop_input *in);
/* Keeps one answer of the source back until running_input_put_off_over; false when there is one
 * already. */
bool running_input_put_off(struct running *r, const struct loop_input *in) NODISCARD;
void running_input_put_off_over(struct running *r);

/* ---- the source -------------------------------------------------------------------- */

/* Delays EFFECT_FETCH until every hold has been released.  Counted. */
void running_hold(struct running *r);
void running_release(struct running *r);
bool running_is_on_hold(const struct running *r);
/* The source keeps its files in the loop's directory from now on. */
void running_keep(struct running *r);

/* ---- sessions ---------------------------------------------------------------------- */

/* Starts a session as the spec says; id, loop and iteration are filled in. */
void running_begin(struct running *r, const struct effect *e, const struct session_spec *spec);
/* The session cannot be started, and that is the agent's fault: IN_ENDED. */
void running_cannot_start(struct running *r, const struct effect *e, const char *why);
/* The session cannot be started now, because we lack something: it is tried again. */
void running_start_later(struct running *r, const char *id, const char *why);
/* The session of that id, if it is with us; NULL. */
struct session *running_find(struct running *r, const char *id);

/* ---- what cannot be done now ---------------------------------------------------------- */

/* Returns the delay that follows `delay` (0: the first).  An operation that failed for a lack
 * of ours is tried again after a second, then less and less often. */
static inline int64_t
running_retry_after(int64_t delay)
{
	return delay == 0 ? NSEC_PER_SEC : delay < 30 * NSEC_PER_SEC ? delay * 2 : delay;
}

/* ---- views ------------------------------------------------------------------------- */

/* The open view with these ops; NULL while it is not open. */
struct view *running_view(const struct running *r, const struct view_ops *ops);

#endif
