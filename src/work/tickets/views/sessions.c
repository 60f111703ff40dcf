/*
 * sessions.c - dispatch-sessions.json: who works and who has worked, in the older program's
 * schema.
 *
 * Records of earlier runs and of other programs stay until they are older than session_ttl; of
 * all of them only the newest are kept.
 */
#include "work/tickets/views/run_view.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/process/proc.h"
#include "base/text.h"
#include "record/value.h"

#define SESSIONS_VERSION 1
#define RECORDS_MAX 1000
#define TTL_DEFAULT (INT64_C(7) * 24 * 3600 * NSEC_PER_SEC)

static const char *const status_names[] = {
    [VIEW_ACTIVE] = "running",
    [VIEW_COMPLETED] = "completed",
    [VIEW_FAILED] = "failed",
    [VIEW_STOPPED] = "failed",
    [VIEW_LOST] = "orphaned",
};

static json_t *
views_sessions_time_or_null(int64_t wall)
{
	return wall == 0 ? json_null() : value_time(wall, view_time);
}

/* The start time of the process, so that a later process with the same pid is not taken for
 * it. */
static json_t *
birth_or_null(const struct view_session *s)
{
	struct proc_id id;

	if (s->status != VIEW_ACTIVE || s->pid <= 0 || proc_id_of((pid_t)s->pid, &id) < 0)
		return json_null();
	return value_int((int64_t)id.start_time);
}

static json_t *
worktree_or_null(const struct run_view *v, const struct view_session *s)
{
	AUTO_FREE char *path = view_place(v, s);

	return json_or_null(path);
}

static json_t *
session_record(const struct run_view *v, const struct view_session *s)
{
	bool over = s->status != VIEW_ACTIVE;
	json_t *one = value_object();

	value_set(one, "session_id", value_word(s->friendly));
	value_set(one, "ticket_id", value_word(s->ticket));
	value_set(one, "pid", s->pid > 0 ? value_int(s->pid) : json_null());
	value_set(one, "process_start_time", birth_or_null(s));
	value_set(one, "started_at", views_sessions_time_or_null(s->started));
	value_set(one, "worktree_path", worktree_or_null(v, s));
	value_set(one, "status", value_word(status_names[s->status]));
	value_set(one, "completed_at", views_sessions_time_or_null(over ? s->ended : 0));
	value_set(one, "return_code",
	    over && s->exit.how != EXIT_UNKNOWN ? value_int(exit_number(s->exit))
						: json_null());
	return one;
}

/* A friendly name of two words is not unique over all runs; together with its start time it
 * is. */
static bool
is_of_run(const struct run_view *v, const json_t *record)
{
	const char *id = json_str(record, "session_id", "");

	for (size_t i = 0; i < v->nsessions; i++) {
		AUTO_BUF started = BUF_INIT;

		if (strcmp(v->sessions[i].friendly, id) != 0)
			continue;
		view_time(v->sessions[i].started, &started);
		if (strcmp(started.data, json_str(record, "started_at", "")) == 0)
			return true;
	}
	return false;
}

static bool
is_forgotten(const struct run_view *v, const json_t *record)
{
	int64_t ttl = v->settings->session_ttl > 0 ? v->settings->session_ttl : TTL_DEFAULT;
	const char *since =
	    json_str(record, "completed_at", json_str(record, "started_at", ""));
	int64_t wall;

	return clock_parse(since, &wall) < 0 || wall < v->updated - ttl;
}

/* We hold the lock of the project, so nobody else works in it: a foreign record that says
 * "running" was left behind. */
static json_t *
foreign_record(json_t *record)
{
	json_t *copy = json_copy(record);

	if (strcmp(json_str(record, "status", ""), "running") == 0)
		value_set(copy, "status", value_word("orphaned"));
	return copy;
}

json_t *
sessions_document(const struct run_view *v, const json_t *old)
{
	const json_t *before = json_object_get(old, "sessions");
	json_t *doc = value_object(), *list = value_array();
	size_t n = json_array_size(before);

	for (size_t i = 0; i < n; i++) {
		json_t *record = json_array_get(before, i);

		if (json_is_object(record) && !is_of_run(v, record) && !is_forgotten(v, record))
			value_append(list, foreign_record(record));
	}
	for (size_t i = 0; i < v->nsessions; i++)
		value_append(list, session_record(v, &v->sessions[i]));
	while (json_array_size(list) > RECORDS_MAX)
		(void)json_array_remove(list, 0);
	value_set(doc, "version", value_int(SESSIONS_VERSION));
	value_set(doc, "sessions", list);
	value_set(doc, "last_updated", views_sessions_time_or_null(v->updated));
	return doc;
}
