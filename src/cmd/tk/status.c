/*
 * status.c - ralph tk start, close, reopen, status: how a ticket stands.
 */
#include "cmd/cmd.h"
#include "cmd/tk/tk.h"

#include "base/alloc.h"
#include "base/text.h"
#include "claims/claims.h"
#include "session/within.h"

/* The caller, as its descent tells. */
struct caller {
	char *ticket;  /* of the session it runs in; NULL */
	char *started; /* when the caller's session began; NULL: the caller is in none */
	bool agent;
};

static struct caller
caller_find(void)
{
	struct caller c = {
	    session_variable("RALPH_TICKET"), session_variable("RALPH_STARTED"), false};

	c.agent = c.ticket != NULL || session_within();
	return c;
}

static void
caller_release(struct caller *c)
{
	free(c->ticket);
	free(c->started);
}

/* Is the caller an agent of this backlog, and was the ticket there before its session began?
 * Times are as tickets have them, so their order is that of the texts. */
static bool
tk_status_is_anothers(const struct caller *c, const struct backlog *b, const struct ticket *t)
{
	return c->ticket != NULL && c->started != NULL && strcmp(t->id, c->ticket) != 0 &&
	       backlog_find(b, c->ticket) != NULL &&
	       (t->created == NULL || strcmp(t->created, c->started) < 0);
}

static int
tk_status_refuse(const struct caller *c, const struct ticket *t)
{
	return tk_error(
	    "%s is another ticket: an agent at work on %s changes the status of that one, and "
	    "of tickets that it made itself; say what you found with: ralph tk add-note %s",
	    t->id, c->ticket, t->id);
}

/* Tells the loops that run agents here of a status that a person, not an agent, sets: loops
 * believe a person.  The loops are told before the file says so, since they look at the file as
 * soon as it changes.  A failure to tell is no reason to refuse the person. */
static void
tell_loops(const char *id, enum ticket_status status)
{
	AUTO_FREE char *cwd = getcwd(NULL, 0);
	AUTO_FREE char *dir = cwd == NULL ? NULL : backlog_find_dir(cwd, NULL);
	struct claims *claims = dir == NULL ? NULL : claims_open_tickets(cwd, dir, NULL);

	if (claims != NULL && claims_read(claims, NULL) == 0 && claims_any_held(claims))
		(void)!claims_tell(claims, id, 0, ticket_status_name(status), NULL);
	claims_close(claims);
}

/* Opens the tickets that tell whose ticket this is: all of them, unless it is the caller's own,
 * since a file may have another id than its name says. */
static struct backlog *
open_for(const struct caller *c, const char *id)
{
	struct backlog *b = tk_open_for(id);

	if (b == NULL || c->ticket == NULL || backlog_find(b, c->ticket) != NULL)
		return b;
	backlog_close(b);
	return tk_open();
}

static int
set(const char *id, enum ticket_status status)
{
	struct caller caller = caller_find();
	struct backlog *b = open_for(&caller, id);
	const struct ticket *t = tk_match(b, id);
	struct err err = ERR_INIT;
	int rc = EX_FAILED;

	if (t != NULL && !caller.agent)
		tell_loops(t->id, status);
	if (t != NULL && tk_status_is_anothers(&caller, b, t)) {
		rc = tk_status_refuse(&caller, t);
	} else if (t != NULL &&
		   ticket_set_status(backlog_dirfd(b), t->name, status, &err) < 0) {
		tk_error("%s", err.text);
	} else if (t != NULL) {
		tk_say("Updated %s -> %s\n", t->name, ticket_status_name(status));
		rc = EX_OK;
	}
	backlog_close(b);
	caller_release(&caller);
	return rc;
}

/* The status that the command's name says, or its second operand. */
static const char *
status_wanted(const struct cmd_args *args)
{
	const char *verb = args->cmd->name + strlen("tk ");

	if (strcmp(verb, "status") == 0)
		return args->operands.args[1];
	if (strcmp(verb, "start") == 0)
		return "in_progress";
	return strcmp(verb, "close") == 0 ? "closed" : "open";
}

static int
run(const struct cmd_args *args)
{
	enum ticket_status status = ticket_status_parse(status_wanted(args));
	AUTO_BUF shown = BUF_INIT;

	if (status != TICKET_UNKNOWN)
		return set(args->operands.args[0], status);
	text_quote(&shown, status_wanted(args));
	return tk_error(
	    "invalid status %s. Must be one of: open in_progress closed", shown.data);
}

#define ABOUT                                                                                 \
	"Only the status in the front matter is changed; every other byte of the file stays " \
	"as it is.\n\n"                                                                       \
	"In a session of 'ralph loop' this is for the session's own ticket and for tickets "  \
	"that were made in it: another one is done when it went through the loop's check. "   \
	"Whatever an agent started is in its session, also without its environment. "         \
	"Outside of sessions anyone may complete or reset any ticket: a loop that runs "      \
	"meanwhile believes this command, while a status that is changed in the file it "     \
	"puts back, since that could be an agent."

const struct cmd cmd_tk_start = {
    .name = "tk start",
    .usage = "ID",
    .summary = "Set a ticket to in_progress",
    .about = ABOUT,
    .examples = "  ralph tk start l4ur\n",
    TK_TICKETS(1),
    .run = run,
};

const struct cmd cmd_tk_close = {
    .name = "tk close",
    .usage = "ID",
    .summary = "Set a ticket to closed",
    .about = ABOUT,
    .examples = "  ralph tk close l4ur\n",
    TK_TICKETS(1),
    .run = run,
};

const struct cmd cmd_tk_reopen = {
    .name = "tk reopen",
    .usage = "ID",
    .summary = "Set a ticket to open",
    .about = ABOUT,
    .examples = "  ralph tk reopen l4ur\n",
    TK_TICKETS(1),
    .run = run,
};

const struct cmd cmd_tk_status = {
    .name = "tk status",
    .usage = "ID open|in_progress|closed",
    .summary = "Set a ticket's status",
    .about = ABOUT,
    .examples = "  ralph tk status l4ur in_progress\n",
    TK_TICKETS(2),
    .run = run,
};
