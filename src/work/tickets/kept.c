/*
 * kept.c - removes what landings kept for a person to merge, once the person has merged it.
 *
 * Conflicts and work that did not pass stay in their worktrees.  Nobody needs these worktrees
 * any more once their branch is merged and their ticket closed, no matter who did that: the
 * next run removes worktree and branch, but nothing that is not on the branch it lands on.
 */
#include "work/tickets/lander.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "claims/claims.h"
#include "ticket/ticket.h"
#include "work/tickets/backlog.h"
#include <fcntl.h>

/* All tickets of the project and their claims. */
struct tickets_seen {
	const struct settings *settings;
	struct backlog *backlog;
	struct claims *claims;
};

/* Is the ticket closed, and does no loop hold it or owe its landing?  We had opened the ticket
 * again in a kept tree (lander.c); kept_is_over closes the ticket there as well. */
static bool
kept_is_over(const void *ctx, const char *id, const char *worktree)
{
	const struct tickets_seen *seen = ctx;
	const struct ticket *t = backlog_find(seen->backlog, id);
	const struct claim *claim = claims_find(seen->claims, id);
	const char *below = fs_below(seen->settings->top, seen->settings->tickets);

	if (t == NULL || t->status != TICKET_CLOSED ||
	    (claim != NULL && claim->state == CLAIM_HELD))
		return false;
	if (below != NULL) {
		AUTO_FREE char *dir = xasprintf("%s/%s", worktree, below);

		AUTO_CLOSE int fd = fs_open_dir(AT_FDCWD, dir, NULL);

		if (fd >= 0)
			(void)!ticket_set_status(fd, t->name, TICKET_CLOSED, NULL);
	}
	return true;
}

int
kept_publish(const struct settings *s, const struct land_plan *base, struct land_result *result,
    struct err *err)
{
	struct tickets_seen seen = {.settings = s,
	    .backlog = backlog_open(s->tickets, NULL),
	    .claims = claims_open_tickets(s->root, s->tickets, NULL)};
	struct land_plan plan = *base;
	int rc;

	/* When the backlog or the claims cannot be read, kept worktrees stay. */
	if (seen.backlog != NULL && backlog_refresh(seen.backlog, NULL) == 0 &&
	    seen.claims != NULL && claims_read(seen.claims, NULL) == 0) {
		plan.over = kept_is_over;
		plan.over_ctx = &seen;
	}
	rc = land_publish(&plan, result, err);
	backlog_close(seen.backlog);
	claims_close(seen.claims);
	return rc;
}
