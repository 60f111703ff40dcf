/*
 * dispatch.h - the parts of a loop over tickets (private to kind_tickets).
 *
 *   tickets.c   the kind: its life, what it remembers between attempts
 *   attempt.c   a ticket's session: how it is made, and what it left
 *   words.c     what is said on the way
 *   voice.c     the lines of its facts on the console
 */
#ifndef WORK_TICKETS_DISPATCH_H
#define WORK_TICKETS_DISPATCH_H

#include "supervisor/running.h"
#include "work/shared/astray.h"
#include "work/tickets/source.h"
#include "work/tickets/views/tickets_view.h"

/* State of a run over tickets: `own` of struct running. */
struct dispatch {
	struct tickets_view *view;
	struct astray *astray;
	int project; /* the lock of the project; -1 */

	/* words.c */
	struct buf idle_said; /* why a slot is idle, as it was said last */
	int64_t rest_said;    /* end (boot time) of the latest rest that the user was told of */
	struct buf look;      /* result of the last look at the backlog, not said yet */
	struct buf failed_ready; /* tickets that failed for good and are ready: "a, b" */
	struct buf put_back;	 /* tickets whose status no agent may change, but did */
	int64_t iterations_said; /* "[Iteration N]" counts them */

	/* lander.c: merges that the branch has not got yet. */
	int64_t waiting;
	struct buf waiting_why;
	bool waiting_told;    /* a pass of --once has raised the alert about waiting merges */
	bool waiting_by_hand; /* a person has to do something, as waiting_why tells */
};

static inline struct dispatch *
dispatch_of(const struct running *r)
{
	return r->own;
}

/* tickets.c.  Why the task's last attempt failed; NULL.  The caller frees it. */
char *tickets_last_failure(const struct running *r, const char *task) NODISCARD;
/* A ticket that its agent closed is opened again, because its work did not land. */
void tickets_reopen(struct running *r, const char *task);

/* attempt.c */
void tickets_start(struct running *r, const struct effect *e);
bool tickets_session_closed(struct running *r, const char *session);
void tickets_land(struct running *r, const struct effect *e);
/* The worktree of a session, as far as it is known; NULL without worktrees.  The caller frees
 * it. */
char *tickets_place(const struct running *r, const char *session, const char *task) NODISCARD;
/* As tickets_place, but NULL unless the place of this very session is known. */
char *tickets_own_place(const struct running *r, const char *session) NODISCARD;

/* voice.c */
voice_fn tickets_voice_line;

/* words.c */
void tickets_say_start(struct running *r);
void tickets_answered(struct running *r, const struct answer *a);
void tickets_looked(struct running *r, const struct decision *d);
void tickets_rests(struct running *r, size_t slots);
/* Call after the facts were shown. */
void tickets_say(struct running *r, const struct decision *d);

#endif
