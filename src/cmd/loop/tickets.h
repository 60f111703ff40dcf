/*
 * tickets.h - the parts of a loop over tickets (private to kind_tickets).
 *
 *   tickets.c   the kind: its life, its views, what it remembers between attempts
 *   work.c      a ticket's session: how it is made, and what it left
 *   words.c     what is said on the way
 */
#ifndef CMD_LOOP_TICKETS_H
#define CMD_LOOP_TICKETS_H

#include "cmd/running.h"

/* tickets.c.  Why the task's last attempt failed; NULL. */
const char *tickets_last_failure(const struct running *r, const char *task);

/* work.c */
void tickets_start(struct running *r, const struct effect *e);
bool tickets_closed(struct running *r, const char *session);
void tickets_land(struct running *r, const struct effect *e);

/* words.c */
void tickets_say_start(struct running *r);
void tickets_answered(struct running *r, const struct answer *a);
void tickets_looked(struct running *r, const struct decision *d);
void tickets_rests(struct running *r, size_t slots);
/* After the facts were shown. */
void tickets_say(struct running *r, const struct decision *d);

#endif
