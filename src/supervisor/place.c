/*
 * place.c - the place of a loop in the state home: its directory and lock, an earlier loop of
 * the same name, its settings.
 */
#include "supervisor/inside.h"

#include "base/alloc.h"
#include "base/lock.h"
#include "base/text.h"
#include "loops/loop_view.h"
#include "loops/naming.h"
#include "record/codec.h"
#include "record/home.h"
#include "record/registry.h"
#include "supervisor/bounds.h"
#include <errno.h>
#include <fcntl.h>

int
running_dirs_open(struct running *r, struct err *err)
{
	r->home = home_open(err);
	if (r->home < 0)
		return -1;
	r->dir = r->spec->settings != NULL ? home_loop_create(r->home, r->spec->name, err)
					   : home_loop_open(r->home, r->spec->name, err);
	if (r->dir < 0)
		return -1;
	r->sup->lock = loop_claim(r->home, r->dir, r->spec->name, err);
	return r->sup->lock < 0 ? -1 : 0;
}

void
running_dirs_close(struct running *r)
{
	lock_release(&r->sup->lock);
	if (r->dir >= 0)
		close(r->dir);
	if (r->home >= 0)
		close(r->home);
	r->dir = r->home = -1;
}

/* An agent of the loop that was here before must not get a second one beside it. */
static int
refuse_if_agents_live(const struct running *r, const struct loop_state *old, struct err *err)
{
	AUTO_CLOSE int sessions =
	    openat(r->dir, "sessions", O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	for (size_t i = 0; i < LOOP_MAX_SESSIONS && sessions >= 0; i++) {
		struct session_info info;

		if (old->sessions[i].state == SESSION_FREE ||
		    session_info(sessions, old->sessions[i].id, &info, NULL) < 0)
			continue;
		if (info.keeper_alive)
			return err_set(err,
			    "an agent of the earlier loop '%s' still runs (pid %d); go on "
			    "with it: ralph resume %s; end it: ralph stop %s",
			    r->spec->name, (int)info.agent, r->spec->name, r->spec->name);
		/* Without its keeper nobody could go on with what the session left. */
		if (session_sweep(sessions, old->sessions[i].id, err) < 0)
			return -1;
	}
	return 0;
}

/* Did the user take the loop's files away?  Then the name is free. */
static bool
was_reset(const struct running *r)
{
	AUTO_FREE char *views = xasprintf("ralph/%s", r->spec->name);

	return faccessat(r->dir, LOOP_VIEWED, F_OK, 0) == 0 &&
	       faccessat(r->home, views, F_OK, 0) < 0 && errno == ENOENT &&
	       !home_is_half_archived(r->home, r->spec->name);
}

/* A name that the user did not give is only taken from a loop of the same place.  The command
 * that chose the name looked before; this check is for a loop that came in between. */
static int
refuse_if_others(const struct running *r, struct err *err)
{
	struct settings old;
	int rc = 0;

	if (r->spec->place == NULL || was_reset(r))
		return 0;
	if (spec_load(r->dir, &old, err) < 0)
		return loop_damaged(r->spec->name, err);
	if (!naming_is_at(&old, r->spec->place)) {
		AUTO_BUF shown = BUF_INIT;

		text_quote(&shown, naming_place(&old) == NULL ? "" : naming_place(&old));
		rc = err_set(err,
		    "the name '%s' was taken for %s just now; try again, or choose another: "
		    "--name",
		    r->spec->name, shown.data);
	}
	settings_release(&old);
	return rc;
}

/* A name that was used before: its old loop goes to the archive, unless an agent of it
 * still runs.  Afterwards the directory is new and the lock is ours. */
static int
start_over(struct running *r, struct err *err)
{
	AUTO_FREE struct loop_state *old = xcalloc(1, sizeof(*old));
	struct journal *j;

	loop_init(old, r->spec->settings, settings_regime(r->spec->settings));
	j = journal_open(r->dir, true, old, NULL, err);
	if (j == NULL)
		return loop_damaged(r->spec->name, err);
	journal_close(j);
	r->sup->fresh = old->phase == PHASE_NEW;
	if (r->sup->fresh)
		return 0;
	if (refuse_if_others(r, err) < 0 || refuse_if_agents_live(r, old, err) < 0 ||
	    home_archive(r->home, r->spec->name, err) < 0 ||
	    registry_remove(r->home, r->spec->name, err) < 0)
		return -1;
	running_dirs_close(r);
	if (running_dirs_open(r, err) < 0)
		return -1;
	r->sup->fresh = r->sup->earlier = true;
	return 0;
}

int
running_settings_load(struct running *r, struct err *err)
{
	const struct settings *fresh = r->spec->settings;
	struct settings *s = &r->settings;

	if (fresh == NULL && spec_load(r->dir, s, err) < 0)
		return -1;
	if (fresh != NULL && start_over(r, err) < 0)
		return -1;
	if (fresh != NULL)
		*s = *fresh;
	/* An earlier version did not write them down. */
	if (bounds_root(s) != NULL && !s->links_known)
		bounds_find(s);
	if (bounds_root(s) != NULL)
		bounds_supervisor(s, r->home);
	return fresh != NULL ? spec_save(r->dir, s, err) : 0;
}
