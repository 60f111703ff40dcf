/*
 * failures.c - what a person needs at the end of a run over tickets: for every ticket that
 * failed, the reason, the command that shows its agent's words, and the place of its work; for
 * every ticket that is done, but that the user has to merge, the place of its work.
 */
#include "work/tickets/views/run_view.h"

#include <inttypes.h>

/* Where hundreds of tickets fail, the lines say the same again and again; progress.md has
 * all. */
#define FAILURES_SHOWN 20

/* The last attempt at a ticket; NULL: none in this run. */
static const struct view_session *
last_attempt(const struct run_view *v, const char *ticket)
{
	for (size_t i = v->nsessions; i > 0; i--)
		if (strcmp(v->sessions[i - 1].ticket, ticket) == 0)
			return &v->sessions[i - 1];
	return NULL;
}

/* The reference with a copy of the work; NULL: none.  The text of the session ends with it: "a
 * copy is in refs/ralph/failed/a/1". */
static const char *
copy_of(const struct view_session *s)
{
	const char *ref = strrchr(s->text, ' ');

	ref = ref == NULL ? s->text : ref + 1;
	return s->fate == FATE_COPIED && strncmp(ref, "refs/", 5) == 0 ? ref : NULL;
}

static void
failure_tell(const struct run_view *v, const struct view_outcome *o, struct buf *out)
{
	const struct view_session *s = last_attempt(v, o->ticket);
	const char *copy = s == NULL ? NULL : copy_of(s);

	view_field("  ", o->ticket, sizeof(o->ticket), ": ", out);
	view_line(o->reason, sizeof(o->reason), out);
	buf_addc(out, '\n');
	if (s == NULL)
		return;
	/* An agent that was never started has written nothing. */
	if (s->exit.how != EXIT_NOSTART)
		buf_addf(out,
		    "    what its agent wrote: ralph logs --iteration %" PRId64 " %s\n",
		    s->iteration, v->loop);
	if (copy != NULL)
		view_field("    its work: git merge ", copy, sizeof(s->text), "\n", out);
	else if (s->fate == FATE_KEPT && s->place != NULL && strstr(s->text, s->place) == NULL)
		view_field("    its work: ", s->place, strlen(s->place), "\n", out);
}

void
failures_tell(const struct run_view *v, struct buf *out)
{
	size_t n = 0;

	for (size_t i = 0; i < v->noutcomes; i++)
		if (v->outcomes[i].failed && ++n <= FAILURES_SHOWN)
			failure_tell(v, &v->outcomes[i], out);
	if (n > FAILURES_SHOWN)
		buf_addf(out, "  and %zu more: .tf/ralph/" PROGRESS_FILE " has them all\n",
		    n - FAILURES_SHOWN);
}

void
unmerged_tell(const struct run_view *v, struct buf *out)
{
	AUTO_BUF lines = BUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < v->nsessions; i++) {
		const struct view_session *s = &v->sessions[i];

		if (s->status != VIEW_COMPLETED || s->fate != FATE_KEPT)
			continue;
		n++;
		view_field("  ", s->ticket, sizeof(s->ticket), ": ", &lines);
		view_line(s->text, sizeof(s->text), &lines);
		buf_addc(&lines, '\n');
	}
	if (n > 0)
		buf_addf(out, "- Not merged: %zu\n%s", n, lines.data);
}
