/*
 * todo_state.c - ai/ralph/state.json.
 */
#include "work/todo/views/todo.h"

#include "base/clock.h"
#include "record/value.h"

static json_t *
todo_state_time_value(int64_t wall)
{
	AUTO_BUF text = BUF_INIT;

	clock_fmt_iso(wall, &text);
	return json_text(text.data, text.len);
}

/* The member as an object, so that what others keep in it survives. */
static json_t *
object_in(json_t *doc, const char *key)
{
	json_t *v = json_object_get(doc, key);

	if (json_is_object(v))
		return v;
	v = json_object();
	ENSURE(v);
	value_set(doc, key, v);
	return v;
}

static void
set_default(json_t *obj, const char *key, const char *text)
{
	if (json_object_get(obj, key) == NULL)
		value_set(obj, key, json_or_null(text));
}

static bool
has_commit(const json_t *list, const struct todo_commit_row *row)
{
	size_t n = json_array_size(list);

	for (size_t i = 0; i < n; i++) {
		const json_t *one = json_array_get(list, i);

		if (strcmp(json_str(one, "task_id", ""), row->task) == 0 &&
		    strcmp(json_str(one, "commit_hash", ""), row->hash) == 0)
			return true;
	}
	return false;
}

/* Earlier runs' commits stay; each is there once. */
static void
set_git(json_t *doc, const struct todo_now *now)
{
	json_t *git = object_in(doc, "git_workflow");
	json_t *list = json_object_get(git, "commits");

	set_default(git, "commit_format", "T###: summary");
	set_default(git, "committer", "ralph");
	value_set(git, "auto_commit", json_boolean(now->auto_commit));
	if (!json_is_array(list)) {
		list = json_array();
		ENSURE(list);
		value_set(git, "commits", list);
	}
	for (size_t i = 0; i < now->ncommits; i++) {
		const struct todo_commit_row *row = &now->commits[i];
		json_t *one;

		if (has_commit(list, row))
			continue;
		one = json_object();
		ENSURE(one && json_array_append_new(list, one) == 0);
		value_set(one, "task_id", json_or_null(row->task));
		value_set(one, "commit_hash", json_or_null(row->hash));
		value_set(one, "committed_at", todo_state_time_value(row->at));
	}
}

static json_t *
interventions(const struct todo_now *now)
{
	json_t *list = json_array();

	ENSURE(list);
	for (size_t i = 0; i < now->ninterventions; i++) {
		const struct todo_count *c = &now->interventions[i];
		json_t *one = json_object();

		ENSURE(one && json_array_append_new(list, one) == 0);
		value_set(one, "task_id", json_or_null(c->task));
		value_set(one, "key", json_or_null(c->key));
		value_set(one, "question", json_or_null(c->question));
		value_set(one, "count", value_int(c->n));
	}
	return list;
}

json_t *
todo_state_document(const struct todo_now *now, const json_t *old)
{
	json_t *doc = json_is_object(old) ? json_deep_copy(old) : json_object();
	json_t *can;

	ENSURE(doc);
	value_set(doc, "session_id", json_or_null(now->session_id));
	value_set(
	    doc, "worker_pty", json_or_null(now->worker_pty != NULL ? now->worker_pty : ""));
	if (now->worker_agent_id != NULL)
		value_set(doc, "worker_agent_id", json_or_null(now->worker_agent_id));
	value_set(doc, "current_task", json_or_null(now->current_task));
	value_set(doc, "iteration", value_int(now->iteration));
	value_set(doc, "started_at", todo_state_time_value(now->started_at));
	value_set(doc, "last_activity", todo_state_time_value(now->last_activity));
	value_set(doc, "tasks_completed", json_strlist(now->tasks_completed));
	value_set(doc, "tasks_stuck", json_strlist(now->tasks_stuck));
	if (now->status != NULL)
		value_set(doc, "status", json_or_null(now->status));
	can = object_in(doc, "capabilities");
	value_set(can, "desktop_automation", json_boolean(now->desktop_automation));
	/* Keeps the wish for the desktop, since desktop_automation says false. */
	if (now->desktop_requested && !now->desktop_automation)
		value_set(can, "desktop_requested", json_true());
	else
		(void)json_object_del(can, "desktop_requested");
	value_set(can, "pty_control", json_true());
	set_git(doc, now);
	value_set(doc, "interventions", interventions(now));
	return doc;
}
