/*
 * between.h - the moment between two agents of a loop.
 *
 * One agent has ended, and the next has no directory, recording or socket yet.  A command that
 * wants something of "the agent" then waits half a second for the next one.  If that is not
 * enough, the command says what is true in the user's words: sockets and directories are
 * nobody's business.
 */
#ifndef LOOPS_BETWEEN_H
#define LOOPS_BETWEEN_H

#include "loops/loop_view.h"

/* Will another agent come, and without anybody's doing? */
bool between_comes(const struct loop_view *v);
/* When waiting that begins now has to end (boot time). */
int64_t between_deadline(void);
/* Waits a moment and looks at the loop anew; false: it is not worth it (any more), and the view
 * is as it was. */
bool between_wait(struct loop_view *v, int64_t deadline) NODISCARD;
/* Why there is no agent to be had; code EAGAIN when the next one will come by itself,
 * else ESRCH.  Returns -1. */
int between_say(const struct loop_view *v, struct err *err);
/* A connection to the keeper of the agent that works (wire.h, ROLE_CLIENT); of several, the
 * first.  Waits for the next one where need be. */
int between_dial(struct loop_view *v, struct err *err) NODISCARD;
/* The connection was lost while an answer was waited for: tells that instead, where it is the
 * reason.  What was asked for is not asked of the next agent: this one may have ended of it.
 * Returns -1. */
int between_lost(struct err *err);

#endif
