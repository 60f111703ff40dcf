/*
 * ledger.h - how the tickets stood, to see it when an agent changes the status of a ticket that
 * it has no business with.
 *
 * Only work that went through a loop's check is done.  Where all agents share one directory of
 * tickets, an agent can close the whole backlog by hand.  So the ledger keeps the status that
 * each ticket is believed to have (LEDGER_FILE in the loop's directory: it outlives a crash),
 * and compares this status with the files at every look.  A change is believed when
 *
 *   - it is of a ticket that one of the loop's own sessions has, or that is settled;
 *   - somebody outside of sessions said so with 'ralph tk', or another loop completed it: both
 *     leave a word in the claims (claims_tell) before the file changes;
 *   - no session of this loop ran since the last look: then it was a person.
 *
 * A ticket that another loop has claimed is left to that loop until the loop has told the
 * outcome.  All other changes are put back.  A change that cannot be put back is doubtful: a
 * ticket that is gone (a person may have removed the ticket, so we do not make it again), a
 * ticket that a dead loop left behind, and a ticket in a checkout whose agents have trees of
 * their own, since we do not write to git's files in a checkout.  A person with an editor looks
 * just like an agent.
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
/* From now on the ledger is kept in `dir`, where a former life may have left one.  `tasks` are
 * the tasks whose sessions are left from that life.  A ledger that cannot be read counts as
 * empty and gets a line in notes. */
void ledger_keep(struct ledger *l, int dir, char *const *tasks, struct buf *notes);
/* Agents have tickets in trees of their own: from now on tickets of the checkout are not
 * written. */
void ledger_apart(struct ledger *l);

/* Call before an agent gets this ticket.  The agent may begin once the function has returned 0:
 * then the ledger is on the disk. */
int ledger_begin(struct ledger *l, const char *task, struct err *err) NODISCARD;
/* The agent has the ticket no more; call after ledger_look. */
void ledger_end(struct ledger *l, const char *task);
/* Does a session of this loop have the ticket, in this life or a former one? */
bool ledger_has(const struct ledger *l, const char *task);
/* Compares the ledger with a backlog that was just refreshed, and puts changes back; then
 * refreshes the backlog again.  Reads `claims` (or NULL). */
int ledger_look(
    struct ledger *l, struct backlog *b, struct claims *claims, struct err *err) NODISCARD;

/* ---- what the looks found -------------------------------------------------------------- */

/* "a, b": tickets that were put back in this run, each once; the second function appends only
 * the new ones. */
void ledger_put_back(const struct ledger *l, struct buf *out);
void ledger_put_back_news(struct ledger *l, struct buf *out);
/* "a, b": tickets that were open, and are closed or gone, but not settled. */
void ledger_others(const struct ledger *l, const struct backlog *b, struct buf *out);
/* Is anything doubtful? */
bool ledger_doubts(const struct ledger *l);
/* The changed tickets that another loop has: the outcome is not known yet.  NULL: none; free
 * with strlist_free. */
char **ledger_pending(const struct ledger *l) NODISCARD;

#endif
