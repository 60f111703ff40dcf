/*
 * todo_state.c - ai/ralph/state.json.
 */
#include "work/todo/views/todo.h"

#include "base/clock.h"
#include "record/value.h"

/* Returns the member as an object, so that what others keep in it survives. */
static json_t *
object_in(json_t *doc, const char *key)
{
	json_t *v = json_object_get(doc, key);

	if (json_is_object(v))
		return v;
	v = value_object();
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
has_commit(const json_t *list, const struct story_commit *row)
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
set_git(json_t *doc, const struct todo_view *v)
{
	json_t *git = object_in(doc, "git_workflow");
	json_t *list = json_object_get(git, "commits");

	set_default(git, "commit_format", "T###: summary");
	set_default(git, "committer", "ralph");
	value_set(git, "auto_commit", json_boolean(v->view.of.settings->commit == COMMIT_AUTO));
	if (!json_is_array(list)) {
		list = value_array();
		value_set(git, "commits", list);
	}
	for (size_t i = 0; i < v->story.ncommits; i++) {
		const struct story_commit *row = &v->story.commits[i];
		json_t *one;

		if (has_commit(list, row))
			continue;
		one = value_object();
		value_append(list, one);
		value_set(one, "task_id", json_or_null(row->task));
		value_set(one, "commit_hash", json_or_null(row->hash));
		value_set(one, "committed_at", value_time(row->at, clock_fmt_iso));
	}
}

static json_t *
interventions(const struct story *s)
{
	json_t *list = value_array();

	for (size_t i = 0; i < s->nquestions; i++) {
		const struct story_question *q = &s->questions[i];
		json_t *one = value_object();

		value_append(list, one);
		value_set(one, "task_id", json_or_null(q->task));
		value_set(one, "key", json_or_null(q->key));
		value_set(one, "question", json_or_null(q->text));
		value_set(one, "count", value_int(q->n));
	}
	return list;
}

static const char *
todo_status_word(const struct loop_state *s)
{
	return s->phase == PHASE_FINISHED && s->reason == END_NO_WORK ? "complete"
								      : loop_status(s);
}

json_t *
todo_state_document(
    const struct todo_view *v, const struct loop_state *state, const json_t *old)
{
	json_t *doc = json_is_object(old) ? json_deep_copy(old) : value_object();
	const struct story *s = &v->story;
	bool working = s->turn.iteration > 0 && !s->turn.over;
	json_t *can;

	value_set(doc, "session_id", json_or_null(state->uid));
	value_set(
	    doc, "worker_pty", json_or_null(loop_active(state) > 0 ? s->turn.session : ""));
	value_set(doc, "current_task", json_or_null(working ? s->turn.task : NULL));
	value_set(doc, "iteration", value_int(state->iteration));
	value_set(doc, "started_at", value_time(s->started, clock_fmt_iso));
	value_set(doc, "last_activity", value_time(s->last, clock_fmt_iso));
	value_set(doc, "tasks_completed", json_strlist(s->completed));
	value_set(doc, "tasks_stuck", json_strlist(s->stuck));
	value_set(doc, "status", json_or_null(todo_status_word(state)));
	can = object_in(doc, "capabilities");
	value_set(can, "desktop_automation", json_boolean(v->desktop));
	/* Keeps the wish for the desktop, since desktop_automation says false. */
	if (v->view.of.settings->desktop && !v->desktop)
		value_set(can, "desktop_requested", json_true());
	else
		(void)json_object_del(can, "desktop_requested");
	value_set(can, "pty_control", json_true());
	set_git(doc, v);
	value_set(doc, "interventions", interventions(s));
	return doc;
}
