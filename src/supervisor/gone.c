#include "supervisor/gone.h"
#include "supervisor/inside.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "record/home.h"
#include <errno.h>
#include <sys/stat.h>

#define LOOK_EVERY (5 * NSEC_PER_SEC)

/* Does the path lead to something else than the descriptor, or nowhere?  Only certainty counts:
 * a path that cannot be followed now (EACCES, EIO) may lead there again. */
static bool
leads_away(const char *path, int fd)
{
	struct stat named, ours;

	if (fstat(fd, &ours) < 0)
		return false;
	if (ours.st_nlink == 0)
		return true;
	if (stat(path, &named) < 0)
		return errno == ENOENT || errno == ENOTDIR;
	return named.st_dev != ours.st_dev || named.st_ino != ours.st_ino;
}

static bool
is_unlinked(int fd)
{
	struct stat st;

	return fd >= 0 && fstat(fd, &st) == 0 && st.st_nlink == 0;
}

bool
running_home_stays(const struct running *r)
{
	return r->home >= 0 && !leads_away(home_path(), r->home);
}

/* The part of the loop's directory that is missing ("": all of it); NULL: none.  Removing a
 * directory that is written to may leave a part of it behind, so a missing file that the loop
 * needs counts as much as the whole. */
static const char *
supervisor_gone_missing(const struct running *r)
{
	AUTO_FREE char *path = xasprintf("%s/loops/%s", home_path(), r->spec->name);

	if (leads_away(path, r->dir))
		return "";
	if (is_unlinked(r->sup->lock))
		return "/lock";
	if (is_unlinked(r->sessions_dir))
		return "/sessions";
	return journal_is_unlinked(r->sup->journal) ? "/journal.jsonl" : NULL;
}

static void
stop_timers(struct running *r)
{
	ev_timer_stop(&r->sup->look_gone);
	ev_timer_stop(&r->sup->retry);
	ev_timer_stop(&r->sup->due);
	ev_timer_stop(&r->sup->tidy);
	ev_timer_stop(&r->sup->settle);
	ev_timer_stop(&r->sup->lag);
	ev_timer_stop(&r->sup->probe_again);
	ev_timer_stop(&r->sup->countdown);
}

static void
supervisor_gone_leave(struct running *r, const char *what)
{
	AUTO_BUF text = BUF_INIT;

	r->sup->gone = true;
	buf_addf(&text,
	    "this loop and its agents are ended, because its record was removed or moved away: "
	    "%s/loops/%s%s",
	    home_path(), r->spec->name, what);
	error("%s: %s", r->spec->name, text.data);
	stop_timers(r);
	running_alert(r, text.data);
	if (!r->fleeing)
		running_end_all(r, EX_FAILED);
}

bool
running_gone(struct running *r, struct err *err)
{
	const char *what = r->sup->gone ? NULL : supervisor_gone_missing(r);

	if (what != NULL)
		supervisor_gone_leave(r, what);
	if (r->sup->gone)
		err_set(err,
		    "the record of this loop was removed or moved away; its agents are "
		    "ended, and it ends");
	return r->sup->gone;
}

static void
on_look(struct ev_timer *w)
{
	struct running *r = w->ctx;

	if (!running_gone(r, NULL))
		ev_timer_in(r->ev, &r->sup->look_gone, LOOK_EVERY, on_look, r);
}

void
running_gone_watch(struct running *r)
{
	ev_timer_in(r->ev, &r->sup->look_gone, LOOK_EVERY, on_look, r);
}
