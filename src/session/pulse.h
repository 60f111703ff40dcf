/*
 * pulse.h - does the keeper still live? (private to this room)
 *
 * Every promise about time is kept by a clock in the keeper: how long the agent may run, be
 * idle, make no progress, take to go.  A keeper that is stopped, frozen, or waits for a disk
 * that does not answer keeps no promise, so the supervisor has this one clock of its own. Now
 * and then, and when the agent's time should be over, the pulse asks (PULSE_ASK); any frame of
 * the keeper is an answer.  A keeper that does not answer is woken up (PULSE_WAKE: somebody may
 * have stopped the keeper), and given up when a promise has passed besides (PULSE_SILENT).
 *
 * Silence is counted in looks, not read from a clock: while the machine sleeps, or while we are
 * stopped ourselves, nobody looks, and the keeper has as much time left afterwards as before.
 */
#ifndef SESSION_PULSE_H
#define SESSION_PULSE_H

#include "base/ev.h"

#define PULSE_EVERY_MIN (5 * NSEC_PER_SEC)
#define PULSE_EVERY_MAX (60 * NSEC_PER_SEC)
#define PULSE_LOOK (5 * NSEC_PER_SEC)
#define PULSE_WAKE_AFTER (2 * PULSE_LOOK)
/* Time that a keeper gets beyond a promise: a keeper may be kept from its work for so long. */
#define PULSE_MARGIN (6 * PULSE_LOOK)
/* Patience where the only promise is that somebody sees the agent's end. */
#define PULSE_PATIENCE_MAX (60 * PULSE_LOOK)

enum pulse_beat { PULSE_ASK, PULSE_WAKE, PULSE_SILENT };

typedef void pulse_fn(void *ctx, enum pulse_beat beat);

struct pulse {
	struct ev *ev; /* NULL: it was never started */
	struct ev_timer timer;
	int64_t every;	  /* between two questions */
	int64_t patience; /* how long an answer may stay away */
	int64_t span;	  /* how long a task may take; 0: as long as it likes */
	int64_t due;	  /* when the task at hand should be over (boot time); 0: never */
	int64_t silence;  /* counted since the last question; -1: that was answered */
	pulse_fn *fn;
	void *ctx;
};

/* The promises: `idle`, the inactivity or the stall timeout, whichever is shorter, and `span`,
 * the iteration timeout; 0: there is none. */
void pulse_start(
    struct pulse *p, struct ev *ev, int64_t idle, int64_t span, pulse_fn *fn, void *ctx);
/* Begins to count the same promises anew, for a new task or a new connection. */
void pulse_restart(struct pulse *p);
void pulse_heard(struct pulse *p); /* a frame of the keeper has come */
void pulse_stop(struct pulse *p);
/* Should the task at hand have been over by now? */
bool pulse_is_late(const struct pulse *p);

#endif
