/*
 * list.c - which iterations of a loop have a recording.
 */
#include "cmd/look/following.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "cmd/cmd.h"
#include "cmd/listing.h"
#include "loop/friendly.h"
#include "loops/history.h"
#include "loops/past_runs.h"
#include "session/session.h"
#include <fcntl.h>
#include <inttypes.h>
#include <sys/stat.h>

/* How many bytes were recorded; -1: there is no recording (any more). */
static int64_t
recorded(int sessions, const char *session)
{
	AUTO_FREE char *path = xasprintf("%s/output.raw", session);
	struct stat st;

	return fstatat(sessions, path, &st, AT_SYMLINK_NOFOLLOW) == 0 && S_ISREG(st.st_mode)
		   ? (int64_t)st.st_size
		   : -1;
}

static bool
look_list_has_name(const struct loop_view *v)
{
	return v->settings.lands && !v->settings.leads;
}

/* Does the agent still run?  It may outlive its supervisor. */
static bool
look_list_goes_on(const struct loop_view *v, const struct past_iteration *one)
{
	AUTO_CLOSE int sessions = loop_view_sessions(v, NULL);
	struct session_info info;

	if (one->ended || v->supervised)
		return !one->ended;
	return sessions >= 0 && session_info(sessions, one->session, &info, NULL) == 0 &&
	       info.keeper_alive;
}

static const char *
verdict_of(const struct loop_view *v, const struct past_iteration *one)
{
	if (one->ended)
		return one->landing && !one->landed ? "landing" : verdict_name(one->verdict);
	return look_list_goes_on(v, one) ? "running" : verdict_name(VERDICT_LOST);
}

/* How long the iteration took, or takes so far; -1: nobody knows. */
static int64_t
duration_of(const struct loop_view *v, const struct past_iteration *one)
{
	if (one->ended)
		return one->duration;
	return look_list_goes_on(v, one) ? clock_wall() - one->started : -1;
}

static void
look_list_add_row(struct columns *c, const struct loop_view *v,
    const struct past_iteration *one, int64_t bytes)
{
	char name[FRIENDLY_MAX] = "-";
	AUTO_BUF cell = BUF_INIT;

	buf_addf(&cell, "%" PRId64, one->number);
	columns_add_buf(c, &cell);
	columns_add(c, history_names_tasks(&v->settings) ? one->task : "-");
	if (look_list_has_name(v))
		friendly_name(v->state.uid, one->number, name);
	columns_add(c, name);
	clock_fmt_human(one->started, &cell);
	columns_add_buf(c, &cell);
	if (duration_of(v, one) >= 0)
		clock_fmt_span(duration_of(v, one), true, &cell);
	columns_add_buf(c, &cell);
	columns_add(c, verdict_of(v, one));
	buf_addf(&cell, "%" PRId64, bytes);
	columns_add_buf(c, &cell);
}

static json_t *
one_json(const struct loop_view *v, const struct past_iteration *one, int64_t bytes)
{
	int64_t duration = duration_of(v, one);
	AUTO_BUF started = BUF_INIT;
	char name[FRIENDLY_MAX];
	json_t *obj;

	clock_fmt_rfc3339(one->started, &started);
	obj = json_pack("{s:I, s:s, s:o, s:o, s:s, s:o, s:s, s:o, s:I}", "iteration",
	    (json_int_t)one->number, "session", one->session, "task",
	    json_or_null(history_names_tasks(&v->settings) ? one->task : NULL), "attempt",
	    one->attempt > 0 ? json_integer(one->attempt) : json_null(), "started",
	    started.data, "seconds",
	    duration < 0 ? json_null() : json_real((double)duration / 1e9), "verdict",
	    verdict_of(v, one), "exit_code",
	    one->ended && one->exit.how != EXIT_UNKNOWN ? json_integer(exit_number(one->exit))
							: json_null(),
	    "bytes", (json_int_t)bytes);
	if (look_list_has_name(v)) {
		friendly_name(v->state.uid, one->number, name);
		(void)json_object_set_new(obj, "name", json_string(name));
	}
	return obj;
}

/* Says how many earlier runs there are, and which command lists them. */
static void
say_earlier(const struct loop_view *v)
{
	size_t n = v->past ? 0 : past_runs_count(v->home, v->name);

	if (n > 0)
		cmd_say("%zu earlier run%s: %s logs --list %s@2", n, n == 1 ? "" : "s",
		    log_name(), v->name);
}

int
logs_list(const struct loop_view *v, bool json, struct err *err)
{
	static const char *const headings[] = {
	    "ITERATION", "TASK", "NAME", "STARTED", "DURATION", "VERDICT", "BYTES", NULL};
	AUTO_CLOSE int sessions = loop_view_sessions(v, NULL);
	struct history h = {.all = NULL};
	struct listing list;

	if (history_load(&h, v->dir, err) < 0)
		return -1;
	listing_init(&list, json ? LISTING_JSON : LISTING_TABLE, headings);
	for (size_t i = 0; i < h.n && sessions >= 0; i++) {
		const struct past_iteration *one = &h.all[i];
		int64_t bytes = one->unstarted ? -1 : recorded(sessions, one->session);

		if (bytes < 0)
			continue;
		if (listing_add(&list, one->session, one_json(v, one, bytes)))
			look_list_add_row(&list.table, v, one, bytes);
	}
	(void)listing_print(&list, 0);
	if (!json)
		say_earlier(v);
	history_release(&h);
	return 0;
}
