/*
 * loop_view.c - finding a loop by name.
 */
#include "loops/loop_view.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/text.h"
#include "loops/choose.h"
#include "loops/history.h"
#include "loops/past_runs.h"
#include "record/codec.h"
#include "record/home.h"
#include "record/journal.h"
#include "session/session.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>

bool
loop_view_agent_lives(const struct loop_view *v)
{
	AUTO_CLOSE int sessions = loop_view_sessions(v, NULL);

	for (size_t i = 0; i < LOOP_MAX_SESSIONS && sessions >= 0; i++) {
		struct session_info info;

		if (v->state.sessions[i].state != SESSION_FREE &&
		    session_info(sessions, v->state.sessions[i].id, &info, NULL) == 0 &&
		    info.keeper_alive)
			return true;
	}
	return false;
}

int
loop_damaged(const char *name, struct err *err)
{
	if (err == NULL || err->code != EBADMSG)
		return -1;
	return err_code(
	    err, EBADMSG, "%s; what can be saved tells: ralph repair %s", err->text, name);
}

/* The user took the loop's files away: that resets it, unless somebody still works on it, or we
 * moved them ourselves and were killed before the rest followed. */
static bool
is_reset(const struct loop_view *v)
{
	AUTO_FREE char *views = xasprintf("ralph/%s", v->name);

	return !v->past && !v->supervised && faccessat(v->dir, LOOP_VIEWED, F_OK, 0) == 0 &&
	       faccessat(v->home, views, F_OK, 0) < 0 && errno == ENOENT &&
	       !home_is_half_archived(v->home, v->name) && !loop_view_agent_lives(v);
}

static int
view_fold(struct loop_view *v, struct err *err)
{
	struct journal *j;

	loop_init(&v->state, &v->settings, settings_regime(&v->settings));
	if (v->supervised)
		return journal_read_beside(v->dir, &v->state, err);
	j = journal_open(v->dir, true, &v->state, NULL, err);
	journal_close(j);
	return j == NULL ? -1 : 0;
}

int
loop_view_fill(struct loop_view *v, struct err *err)
{
	int held;

	/* Before the fold: a supervisor that comes in between only adds facts. */
	held = lock_is_held(v->dir, "lock", err);
	if (held < 0)
		return -1;
	v->supervised = held == 1;
	if (spec_load(v->dir, &v->settings, err) < 0 || view_fold(v, err) < 0)
		return loop_damaged(v->name, err);
	if (v->state.phase != PHASE_NEW && !is_reset(v))
		return 0;
	/* The loop's maker died, or is just about to write the first fact: there is no loop
	 * yet. */
	if (err != NULL)
		err->code = ENOENT;
	return -1;
}

/* Can a caller with that need do without the part of the record that cannot be read? */
static bool
view_will_do(struct loop_view *v, enum view_need need, const struct err *why)
{
	if ((why->code != EBADMSG && why->code != ENOTSUP) || need == VIEW_WHOLE ||
	    (need == VIEW_STEER && !v->supervised))
		return false;
	v->damage = xstrdup(why->text);
	return true;
}

int
loop_view_open_new(struct loop_view *v, const char *name, enum view_need need, struct err *err)
{
	struct err why = ERR_INIT;

	v->supervised = v->past = false;
	v->chosen = 0;
	if (!name_is_valid(name)) {
		AUTO_BUF shown = BUF_INIT;

		text_quote(&shown, name);
		return err_set(err, "%s is not a loop's name", shown.data);
	}
	v->name = xstrdup(name);
	v->home = home_open_existing(&why);
	if (v->home >= 0)
		v->dir = home_loop_open(v->home, name, &why);
	if (v->dir >= 0 && (loop_view_fill(v, &why) == 0 || view_will_do(v, need, &why)))
		return 0;
	if (why.code == ENOENT)
		(void)err_code(&why, ENOENT, "no loop named '%s' (%s ls shows those there are)",
		    name, log_name());
	loop_view_close(v);
	return err_pass(err, &why);
}

int
loop_view_open_for(struct loop_view *v, const char *name, enum view_need need, struct err *err)
{
	memset(v, 0, sizeof(*v));
	v->home = v->dir = -1;
	return loop_view_open_new(v, name, need, err);
}

int
loop_view_open(struct loop_view *v, const char *name, struct err *err)
{
	return loop_view_open_for(v, name, VIEW_WHOLE, err);
}

int
loop_view_open_session(struct loop_view *v, const char *name, struct err *err)
{
	struct err why = ERR_INIT;

	if (past_run_open(v, name, &why) == 0 || loop_view_open(v, name, err) == 0 ||
	    choose_session(v, name, err) == 0)
		return 0;
	/* A name in the form of an earlier run may be a task's: only now the error about the
	 * run counts. */
	if (err != NULL && why.text[0] != '\0')
		*err = why;
	return -1;
}

void
loop_view_close(struct loop_view *v)
{
	settings_release(&v->settings);
	free(take_ptr(v->name));
	free(take_ptr(v->damage));
	if (v->dir >= 0)
		close(v->dir);
	if (v->home >= 0)
		close(v->home);
	v->dir = v->home = -1;
}

struct loop_view *
loop_view_new(void)
{
	struct loop_view *v = xpages(sizeof(*v));

	v->home = v->dir = -1;
	return v;
}

void
loop_view_drop(struct loop_view **v)
{
	loop_view_close(*v);
	xpages_free(*v, sizeof(**v));
}

char *
loop_view_session(const struct loop_view *v)
{
	int64_t iteration = v->chosen > 0 ? v->chosen : v->state.iteration;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS && v->chosen == 0; i++)
		if (v->state.sessions[i].state != SESSION_FREE)
			return xstrdup(v->state.sessions[i].id);
	return iteration == 0 ? NULL : loop_view_session_of(v, iteration);
}

char *
loop_view_session_of(const struct loop_view *v, int64_t iteration)
{
	struct history h = {.all = NULL};
	const struct past_iteration *one = NULL;
	char *id;

	if (v->settings.keeps && history_load(&h, v->dir, NULL) == 0)
		one = history_find(&h, iteration);
	id = one != NULL ? xstrdup(one->session)
			 : xasprintf("%s-%" PRId64, v->state.uid, iteration);
	history_release(&h);
	return id;
}

int
loop_view_sessions(const struct loop_view *v, struct err *err)
{
	return fs_open_dir(v->dir, "sessions", err);
}

/* Is the file we locked still the one that name leads to?  The directory may have been
 * archived between opening and locking. */
static bool
lock_is_current(int home, const char *name, int lock)
{
	struct stat ours, theirs;
	AUTO_FREE char *path = xasprintf("loops/%s/lock", name);

	return fstat(lock, &ours) == 0 && fstatat(home, path, &theirs, 0) == 0 &&
	       ours.st_ino == theirs.st_ino && ours.st_dev == theirs.st_dev;
}

int
loop_claim(int home, int loop_dirfd, const char *name, struct err *err)
{
	char content[256];
	struct err why = ERR_INIT;
	AUTO_JSON *holder = NULL;
	int fd;

	lock_describe_self(content, sizeof(content));
	lock_await_heirs(loop_dirfd, "lock");
	fd = lock_take(loop_dirfd, "lock", 0, content, &why);
	if (fd >= 0 && lock_is_current(home, name, fd))
		return fd;
	if (fd >= 0) {
		lock_release(&fd);
		return err_set(
		    err, "loop '%s' was moved to the archive just now; try again", name);
	}
	if (why.code != EWOULDBLOCK)
		return err_pass(err, &why);
	holder = json_read(loop_dirfd, "lock", 4096, NULL);
	return err_code(err, EWOULDBLOCK,
	    "loop '%s' is already running (pid %" PRId64
	    "); choose another --name, or see: %s status %s",
	    name, json_int(holder, "pid", 0), log_name(), name);
}

void
loop_view_condition(const struct loop_view *v, struct buf *out)
{
	const char *status = loop_word(&v->state);
	bool is_swarm = strcmp(log_name(), "swarm") == 0;
	/* The user types "ralph resume", or "swarm ralph resume". */
	const char *swarm = is_swarm ? "swarm " : "";

	if (v->supervised || v->past || v->state.phase == PHASE_FINISHED)
		buf_adds(out, status);
	else if (strcmp(status, "paused") == 0)
		buf_addf(out, "%s (go on with: %sralph resume %s)", status, swarm, v->name);
	else if (v->state.left)
		buf_addf(out,
		    "%s%s%sgoes on with the next 'ralph loop --once', or with: %sralph resume "
		    "%s)",
		    is_swarm ? "running (" : "", status, is_swarm ? "; " : " (", swarm,
		    v->name);
	else /* The word of `ralph ls`; swarm's seed has three words, and this is none. */
		buf_addf(out, "%sits supervisor is gone; go on with: %sralph resume %s)",
		    is_swarm ? "running (but " : "crashed (", swarm, v->name);
}
