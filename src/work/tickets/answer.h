/*
 * answer.h - the inside of the source of tickets, for its files: source.c, which is asked, and
 * answer.c, which answers.
 */
#ifndef WORK_TICKETS_ANSWER_H
#define WORK_TICKETS_ANSWER_H

#include "claims/claims.h"
#include "work/tickets/backlog.h"
#include "work/tickets/ledger.h"
#include "work/tickets/query.h"
#include "work/tickets/source.h"

struct tickets_source {
	struct source base;
	struct ev *ev;
	const struct settings *settings; /* the loop's */
	struct backlog *backlog;
	struct query query;
	struct job *job; /* the query that runs */
	int tries;	 /* queries that printed nothing though there is work */
	struct ev_timer again;
	answer_fn *answer;
	void *ctx;
	struct ev_io changes;
	struct ev_timer quiet;
	struct claims *claims;
	struct ledger *ledger;
	char **taken;		  /* tickets that others had at the last look; NULL */
	char **told;		  /* sentences about taken, so that each is said once; NULL */
	struct ev_io claimed;	  /* somebody changed a claim */
	struct ev_timer vanished; /* the owner of a claim may have died */
	void (*news)(void *ctx);
	void *news_ctx;
	struct buf notes;
};

/* Each of these answers the question that was asked last, with what the backlog, the claims and
 * the ledger have: the ready tickets; those that the project's command printed, a line each;
 * none (`unnamed`: there is work nevertheless); a sentence. */
void answer_ready(struct tickets_source *s);
void answer_listed(struct tickets_source *s, char *ids);
void answer_none(struct tickets_source *s, bool unnamed);
void answer_error(struct tickets_source *s, const char *text);
/* Counts the tickets that cannot be done now, and appends why.  A file that cannot be read may
 * be work: then not all is done. */
size_t answer_waiting(struct tickets_source *s, struct buf *why);

#endif
