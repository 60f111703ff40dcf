/*
 * ledger.h - how the tickets stood, so that a status that an agent changes without having any
 * business with it is seen.
 *
 * Only what went through a loop's check is done.  Where all share one directory of tickets, an
 * agent can close the whole backlog by hand.  So the status that each ticket is believed to
 * have is written down (LEDGER_FILE in the loop's directory: it outlives a crash), and compared
 * with the files at every look.  A change is believed when
 *
 *   - it is of a ticket that one of the loop's own sessions has, or that is settled;
 *   - somebody outside of sessions said so with 'ralph tk', or another loop completed it: both
 *     leave a word in the claims (claims_tell) before the file changes;
 *   - no session of this loop ran since the last look: then it was a person.
 *
 * What another loop has claimed is that one's until it has told what came of it.  Everything
 * else is put back.  What cannot be is doubtful: a ticket that is gone (a person may have
 * removed it: it is not made again), one that a loop left behind that died, and one in a
 * checkout whose agents have trees of their own, since a file of git's in a checkout is not
 * ours to write.  A person with an editor looks just like an agent.
 *
 * Tickets that nobody knew before are believed as they are: an agent may make some, and close
 * them.
 */
#ifndef WORK_TICKETS_LEDGER_H
#define WORK_TICKETS_LEDGER_H

#include "claims/claims.h"
#include "work/tickets/backlog.h"

#define LEDGER_FILE "tickets.json"

struct ledger;

struct ledger *ledger_new(void) NODISCARD;
void ledger_free(struct ledger *l);
/* From now on it is kept in that directory, where a former life may have left it.  The tasks
 * are those whose sessions are left from there.  A ledger that cannot be read is an empty one,
 * and a line in notes. */
void ledger_keep(struct ledger *l, int dir, char *const *tasks, struct buf *notes);
/* The agents' trees have tickets of their own: those of the checkout are not written to. */
void ledger_apart(struct ledger *l);

/* An agent is about to have this ticket, and after it is on the disk it may begin. */
int ledger_begin(struct ledger *l, const char *task, struct err *err) NODISCARD;
/* It has it no more: after a look. */
void ledger_end(struct ledger *l, const char *task);
/* Has a session of this loop got it, of this life or a former one? */
bool ledger_has(const struct ledger *l, const char *task);
/* Compares with a backlog that was just refreshed, and puts back; then that is refreshed again.
 * `claims` (or NULL) are read. */
int ledger_look(
    struct ledger *l, struct backlog *b, struct claims *claims, struct err *err) NODISCARD;

/* ---- what came of it ------------------------------------------------------------------- */

/* "a, b": what was put back in this run, each once; what of it is new. */
void ledger_put_back(const struct ledger *l, struct buf *out);
void ledger_put_back_news(struct ledger *l, struct buf *out);
/* "a, b": tickets that were open, and are closed or gone, but not settled. */
void ledger_others(const struct ledger *l, const struct backlog *b, struct buf *out);
/* Is anything doubtful? */
bool ledger_doubts(const struct ledger *l);
/* The tickets that are changed and that another loop has: what comes of it is not known yet.
 * NULL: none; free with strlist_free. */
char **ledger_pending(const struct ledger *l) NODISCARD;

#endif
