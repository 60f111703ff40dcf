/*
 * branch.c - which branch the commits of a run go to.
 *
 * Commits go where HEAD is, even when the user switches branches in mid-run: the checkout
 * belongs to the user.  But each switch is told once, with both names, when a task begins or is
 * committed: half of the work would otherwise be where nobody looks for it.
 */
#include "work/todo/leader.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/log.h"
#include "git/turn/turn.h"

void
branch_note(const char *root, json_t *out)
{
	AUTO_FREE char *name = turn_branch(root);

	if (name != NULL)
		json_put(out, "branch", name);
	else if (turn_is_detached(root))
		json_put(out, "branch", "");
}

/* Is there a repository at all, and is HEAD on no branch of it? */
static bool
is_detached(const char *name)
{
	return name != NULL && *name == '\0';
}

static char *
branch_describe(const char *name)
{
	return is_detached(name) ? xstrdup("no branch") : xasprintf("branch %s", name);
}

/* Warns once: commits on a detached HEAD are easily lost from sight, but the user may have
 * detached HEAD on purpose. */
static void
say_detached(struct running *r)
{
	if (leader_of(r)->detached)
		return;
	leader_of(r)->detached = true;
	warning("%s: HEAD is detached: what is committed is on no branch", r->spec->name);
}

void
branch_tell(struct running *r, const json_t *v)
{
	struct leader *l = leader_of(r);
	const char *now = json_str(v, "branch", NULL);

	if (now == NULL)
		return;
	if (l->branch != NULL && strcmp(l->branch, now) != 0) {
		AUTO_FREE char *from = branch_describe(l->branch);
		AUTO_FREE char *to = branch_describe(now);

		warning("%s: HEAD was on %s and is on %s now: commits go there", r->spec->name,
		    from, to);
	}
	if (is_detached(now))
		say_detached(r);
	free(l->branch);
	l->branch = xstrdup(now);
}
