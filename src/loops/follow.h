/*
 * follow.h - what the agents of a loop write, while they write it.
 *
 * All sessions that work at the beginning are shown from their start, or from their last lines;
 * where no session works, the last one is shown.  Sessions that begin later join in, whole.
 * The following is over when the loop is.  Only one run is followed, whatever becomes of the
 * loop's name meanwhile.
 *
 * Every byte that was recorded is told once: a session's end is seen in its directory or in
 * the journal, and the recording is complete by then.  The words of a session come before the
 * beginnings and the words of sessions that came after its end.
 */
#ifndef LOOPS_FOLLOW_H
#define LOOPS_FOLLOW_H

#include "loops/history.h"
#include "loops/loop_view.h"

struct follow_spec {
	const char *session; /* only this one, until its end; NULL: whichever comes */
	int64_t lines;	     /* of a session that is there already; 0: all */
	bool raw;	     /* bytes instead of lines */
};

/* The events, in the order in which they happen. */
struct follow_ops {
	void (*began)(void *ctx, const struct past_iteration *one);
	void (*ended)(void *ctx, const struct past_iteration *one);
	void (*landed)(void *ctx, const struct past_iteration *one);
	/* The session whose first task this is has written `text`.  Takes from the text what it
	 * has shown; the rest comes again, with what follows it.  `end`: nothing follows. */
	void (*wrote)(void *ctx, const char *task, struct buf *text, bool end);
};

/* Returns 0 when the loop, or the one session, is over; -1 + err. */
int follow_loop(const struct loop_view *v, const struct follow_spec *spec,
    const struct follow_ops *ops, void *ctx, struct err *err) NODISCARD;

#endif
