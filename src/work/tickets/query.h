/*
 * query.h - which tickets are ready, as a command of the user's says.
 *
 * The command is a ticketQuery or completionCheck of the project, or a `tk-ready` or
 * `ticket-ready` in PATH, which changes what `tk ready` means.  Commands run in the project's
 * directory; each line of a query begins with a ticket.  A check that exits with 0 says that
 * there is work, with 1 that there is none; any other status, and a query that fails, is an
 * error, never "no work".  "None" together with a complaint on stderr is an error, too: the
 * exit status of a pipeline is its last command's, even when tk failed.  Commands take time, so
 * they belong into a job.
 */
#ifndef WORK_TICKETS_QUERY_H
#define WORK_TICKETS_QUERY_H

#include "base/buf.h"
#include "base/err.h"
#include "loop/settings.h"

struct query {
	const struct settings *settings; /* root, completion_check */
	char *query;			 /* shell command; NULL: the plugin, or none */
	char *plugin;			 /* a program; NULL */
};

/* Where the settings have neither command and there is no plugin, query_wanted is false: *q
 * need not be asked. */
void query_init(struct query *q, const struct settings *settings);
void query_release(struct query *q);
bool query_wanted(const struct query *q);
/* Does a command say which tickets there are? */
bool query_lists(const struct query *q);
/* Appends the tickets' ids, a line each.  *work: the check says there is work (true without
 * one). */
int query_run(const struct query *q, struct buf *ids, bool *work, struct err *err) NODISCARD;

#endif
