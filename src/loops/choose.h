/*
 * choose.h - a session by its task ("api-12") or its friendly name ("rapture-owl").
 *
 * Ids of tasks are short, and loops of other projects have the same ones.  A loop of the
 * project that the user is in goes before others, and a loop where such a session works now
 * before a loop where it is over.  Where that leaves more than one loop, nobody guesses.  The
 * last attempt is meant of a task that was tried more than once.  Earlier runs are looked at
 * only where no present run has such a session, the newest run of each loop first.
 */
#ifndef LOOPS_CHOOSE_H
#define LOOPS_CHOOSE_H

#include "loops/loop_view.h"

/* Opens the loop, with `chosen` set.  -1 when no loop has such a session, and *err is as it
 * was; or when several have, and *err names them. */
int choose_session(struct loop_view *v, const char *name, struct err *err) NODISCARD;
/* Says on stderr what a name was taken for: "d-2 is a ticket of p-loop". */
void choose_tell(const struct loop_view *v, const char *name);
/* For a command (`verb`) that acts on a whole loop.  Like loop_view_open_new, but for the name
 * of a session, or of an earlier run, the error says what the name is, and what to type. */
int choose_loop(struct loop_view *v, const char *name, enum view_need need, const char *verb,
    struct err *err) NODISCARD;

#endif
