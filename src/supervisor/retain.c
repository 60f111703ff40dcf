/*
 * retain.c - old sessions of a loop go, as its settings say.
 */
#include "supervisor/retain.h"
#include "supervisor/inside.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/process/job.h"
#include "loop/retention.h"
#include "supervisor/step.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <sys/statvfs.h>

#define LOOK_EVERY (30 * NSEC_PER_SEC)
#define LOOK_AT_LEAST (3600 * NSEC_PER_SEC) /* days pass, too */
/* Sessions that may come between two looks: as many as stay, within these. */
#define LOOK_AFTER_LEAST 10
#define LOOK_AFTER_MOST 100
#define OLD_DIR ".old"
#define DAY (86400 * NSEC_PER_SEC)
/* More days than that are longer than a moment can be told apart from another. */
#define DAYS_MAX 36500

/* One look at the sessions.  A look that runs as a job has the supervisor as it was when the
 * job began, but none of the supervisor's descriptors. */
struct look {
	const struct running *r;
	const char *path; /* of the sessions */
	int dir;
};

/* ---- what there is ------------------------------------------------------------------- */

/* The number of a session of this loop; 0: it is something else. */
static int64_t
retain_number_of(const struct running *r, const char *id)
{
	size_t len = strlen(r->state.uid);
	const char *digits;

	if (strncmp(id, r->state.uid, len) != 0 || id[len] != '-')
		return 0;
	digits = id + len + 1;
	if (*digits < '1' || *digits > '9' || strlen(digits) > 18 ||
	    digits[strspn(digits, "0123456789")] != '\0')
		return 0;
	return strtoll(digits, NULL, 10);
}

/* A session that cannot be examined counts as alive. */
static bool
is_alive(const struct look *look, const char *id)
{
	AUTO_CLOSE int dir =
	    openat(look->dir, id, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);

	return dir < 0 || lock_is_held(dir, SESSION_LOCK, NULL) != 0;
}

/* Sessions that began after this process was made are not ours to judge, and stay. */
static bool
is_needed(const struct look *look, const char *id, int64_t number)
{
	const struct running *r = look->r;

	return number > r->state.iteration || loop_find_session(&r->state, id) != NULL ||
	       step_busy(r, id) || is_alive(look, id);
}

static struct retained
retain_measure(const struct look *look, const char *id)
{
	struct retained one = {.number = retain_number_of(look->r, id)};
	struct stat st;

	if (one.number == 0)
		return one;
	one.pinned = is_needed(look, id, one.number);
	if (fstatat(look->dir, id, &st, AT_SYMLINK_NOFOLLOW) == 0)
		one.at = st.st_mtim.tv_sec * NSEC_PER_SEC + st.st_mtim.tv_nsec;
	else
		one.pinned = true;
	one.bytes = fs_tree_bytes(look->dir, id);
	return one;
}

static int
retain_by_number(const void *a, const void *b)
{
	const struct retained *x = a, *y = b;

	return (x->number > y->number) - (x->number < y->number);
}

static int
list_sessions(const struct look *look, struct retained **list, size_t *n, struct err *err)
{
	char **ids;
	size_t count = 0;

	if (fs_list(look->dir, ".", &ids, err) < 0)
		return -1;
	while (ids[count] != NULL)
		count++;
	*list = xcalloc(count > 0 ? count : 1, sizeof(**list));
	*n = 0;
	for (size_t i = 0; i < count; i++) {
		(*list)[*n] = retain_measure(look, ids[i]);
		*n += (*list)[*n].number != 0;
	}
	strlist_free(ids);
	qsort(*list, *n, sizeof(**list), retain_by_number);
	return 0;
}

/* The free space that a user may use. */
static int64_t
free_bytes(int dir)
{
	struct statvfs st;

	if (fstatvfs(dir, &st) < 0)
		return INT64_MAX;
	return (int64_t)(st.f_bavail * st.f_frsize);
}

/* ---- what goes ------------------------------------------------------------------------ */

static struct retention
limits(const struct settings *s)
{
	bool ever = s->keep_days == UNLIMITED || s->keep_days > DAYS_MAX;

	return (struct retention){
	    .sessions = s->keep_sessions,
	    .bytes = s->keep_bytes,
	    .age = ever ? UNLIMITED : s->keep_days * DAY,
	    .least_free = s->keep_free,
	};
}

static int
put_away(const struct look *look, int64_t number, struct err *err)
{
	AUTO_FREE char *id = xasprintf("%s-%" PRId64, look->r->state.uid, number);
	AUTO_FREE char *old = xasprintf(OLD_DIR "/%s", id);

	if (fs_mkdir(look->dir, OLD_DIR, err) < 0)
		return -1;
	return fs_rename(look->dir, id, old, FS_NOSYNC, err);
}

static int
remove_old(const struct look *look, struct retained *list, size_t n, struct err *err)
{
	struct retention keep = limits(&look->r->settings);
	int rc = 0;

	if (retention_decide(list, n, &keep, clock_wall(), free_bytes(look->dir)) == 0)
		return 0;
	for (size_t i = 0; i < n && rc == 0; i++)
		if (list[i].goes)
			rc = put_away(look, list[i].number, err);
	if (fs_remove_tree(look->dir, OLD_DIR, rc == 0 ? err : NULL) < 0)
		rc = -1;
	return rc;
}

/* The job. */
static int
retain_look(const void *arg, struct buf *out UNUSED, struct err *err)
{
	struct look look = *(const struct look *)arg;
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, look.path, err);
	struct retained *list = NULL;
	size_t n = 0;
	int rc;

	look.dir = dir;
	if (dir < 0 || fs_remove_tree(dir, OLD_DIR, err) < 0 ||
	    list_sessions(&look, &list, &n, err) < 0)
		return -1;
	rc = remove_old(&look, list, n, err);
	free(list);
	return rc;
}

/* ---- when ------------------------------------------------------------------------------ */

static void
retain_complain(struct running *r, const struct err *err)
{
	if (!r->sup->retain.complained)
		warning("%s: old sessions cannot be removed: %s", r->spec->name, err->text);
	r->sup->retain.complained = true;
}

static void
retain_on_looked(void *ctx, int rc, const struct buf *out UNUSED, const struct err *err)
{
	struct running *r = ctx;

	r->sup->retain.job = NULL;
	if (rc < 0)
		retain_complain(r, err);
	else
		r->sup->retain.complained = false;
}

static char *
sessions_path(const struct running *r)
{
	AUTO_FREE char *link = xasprintf("/proc/self/fd/%d", r->sessions_dir);

	return realpath(link, NULL);
}

static void
look_start(struct running *r)
{
	AUTO_FREE char *path = sessions_path(r);
	struct look look = {.r = r, .path = path, .dir = -1};
	struct err err = ERR_INIT;

	if (path == NULL)
		return;
	r->sup->retain.iteration = r->state.iteration;
	r->sup->retain.at = clock_boot();
	r->sup->retain.job = job_start(r->ev, retain_look, &look, retain_on_looked, r, &err);
	if (r->sup->retain.job == NULL)
		retain_complain(r, &err);
}

/* Is a look due?  Not for the newest two sessions, which always stay. */
static bool
is_due(const struct running *r)
{
	if (r->state.iteration <= RETENTION_NEWEST || r->sup->retain.job != NULL)
		return false;
	return r->state.iteration != r->sup->retain.iteration || r->sup->retain.complained ||
	       clock_boot() - r->sup->retain.at > LOOK_AT_LEAST ||
	       (r->settings.keep_free > 0 &&
		   free_bytes(r->sessions_dir) < r->settings.keep_free);
}

static void
retain_on_due(struct ev_timer *w)
{
	struct running *r = w->ctx;

	if (is_due(r))
		look_start(r);
	ev_timer_in(r->ev, &r->sup->retain.due, LOOK_EVERY, retain_on_due, r);
}

static int64_t
retain_look_after(const struct settings *s)
{
	if (s->keep_sessions == UNLIMITED || s->keep_sessions > LOOK_AFTER_MOST)
		return LOOK_AFTER_MOST;
	return s->keep_sessions < LOOK_AFTER_LEAST ? LOOK_AFTER_LEAST : s->keep_sessions;
}

void
retain_tidy(struct running *r)
{
	if (r->leaving)
		return;
	if (r->sup->retain.due.ev == NULL)
		ev_timer_in(r->ev, &r->sup->retain.due, LOOK_EVERY, retain_on_due, r);
	if (r->state.iteration - r->sup->retain.iteration >= retain_look_after(&r->settings) &&
	    is_due(r))
		look_start(r);
}

void
retain_finish(struct running *r)
{
	AUTO_FREE char *path = r->sessions_dir < 0 ? NULL : sessions_path(r);
	struct look look = {.r = r, .path = path, .dir = -1};
	bool cut = r->sup->retain.job != NULL;
	struct err err = ERR_INIT;

	ev_timer_stop(&r->sup->retain.due);
	job_free(take_ptr(r->sup->retain.job));
	/* A supervisor that flees from a disk does not wait for that disk. */
	if (r->fleeing || path == NULL || r->sup->journal == NULL || (!cut && !is_due(r)))
		return;
	if (retain_look(&look, NULL, &err) < 0)
		retain_complain(r, &err);
}
