#include "record/codec.h"

#include "record/value.h"
#include <errno.h>
#include <inttypes.h>

/* The letters of loop.h's tables, besides those of value.h. */
#define PUT_B(x) json_boolean(x)
#define PUT_P(x) value_word(phase_name(x))
#define PUT_A(x) value_word(session_state_name(x))
#define PUT_T(x) value_word(tell_name(x))
#define GET_B(v, x) value_get_bool(v, &(x), err)
#define GET_P(v, x) value_get_phase(v, &(x), err)
#define GET_A(v, x) value_get_session_state(v, &(x), err)
#define GET_T(v, x) value_get_tell(v, &(x), err)

#define F(type, name, dimension, letter) value_set(obj, #name, PUT_##letter(from->name));

static json_t *
policy_to_json(const struct policy *from)
{
	const struct regime_marks marks = regime_marks(from->regime);
	json_t *obj = value_object();

#define M(name) value_set(obj, #name, value_int(marks.name));
	POLICY_MEMBERS(F, M)
#undef M
	return obj;
}

/* Keeps the slot, too: the next session takes the first free slot, so the place matters. */
static json_t *
session_to_json(const struct loop_session *from, size_t slot)
{
	json_t *obj = value_object();

	value_set(obj, "slot", value_int((int64_t)slot));
	SESSION_MEMBERS(F)
	return obj;
}

static const char *
task_word(const struct loop_task *t)
{
	if (t->completed)
		return "completed";
	return t->failed ? "failed" : t->unlanded ? "unlanded" : "";
}

/* "<16 hex>": [attempts, "completed" | "failed" | "unlanded" | ""]; hashes are no JSON
 * integers. */
static json_t *
tasks_to_json(const struct loop_state *s)
{
	json_t *obj = value_object();

	for (size_t i = 0; i < s->ntasks; i++) {
		const struct loop_task *t = &s->tasks[i];
		AUTO_BUF key = BUF_INIT;

		buf_addf(&key, "%016" PRIx64, t->hash);
		value_set(obj, key.data,
		    json_pack("[i,s,i]", (int)t->attempts, task_word(t), (int)t->questions));
	}
	return obj;
}

/* ["<16 hex>", times] each, in their places: the oldest is the next to be forgotten. */
static json_t *
asked_to_json(const struct loop_state *s)
{
	json_t *list = value_array();

	for (size_t i = 0; i < LOOP_MAX_ASKED && (int64_t)i < s->nasked; i++) {
		AUTO_BUF key = BUF_INIT;

		buf_addf(&key, "%016" PRIx64, s->asked[i].hash);
		value_append(list, json_pack("[s,I]", key.data, (json_int_t)s->asked[i].times));
	}
	return list;
}

/* The moments that are set; which slot each is of does not matter. */
static json_t *
rests_to_json(const struct loop_state *s)
{
	json_t *list = value_array();

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (s->rests[i].boot != 0)
			value_append(list, value_when(s->rests[i]));
	return list;
}

/* An older version had none. */
static int
rests_from_json(const json_t *list, struct loop_state *s, struct err *err)
{
	if (json_array_size(list) > LOOP_MAX_SESSIONS)
		return err_code(err, EBADMSG, "too many");
	for (size_t i = 0; i < json_array_size(list); i++)
		if (value_get_when(json_array_get(list, i), &s->rests[i], err) < 0)
			return -1;
	return 0;
}

static int
asked_from_json(const json_t *list, struct loop_state *s, struct err *err)
{
	if (json_array_size(list) > LOOP_MAX_ASKED)
		return err_code(err, EBADMSG, "too many");
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *v = json_array_get(list, i);
		const char *key = json_string_value(json_array_get(v, 0));

		if (key == NULL)
			return err_code(err, EBADMSG, "not a question");
		s->asked[i].hash = strtoull(key, NULL, 16);
		s->asked[i].times = json_integer_value(json_array_get(v, 1));
	}
	return 0;
}

static int
tasks_from_json(const json_t *obj, struct loop_state *s, struct err *err)
{
	const char *key;
	json_t *v;

	/* An older version had none. */
	json_object_foreach ((json_t *)(uintptr_t)obj, key, v) {
		const char *word = json_string_value(json_array_get(v, 1));
		json_int_t attempts = json_integer_value(json_array_get(v, 0));
		struct loop_task *t = &s->tasks[s->ntasks];
		char *end;

		if (word == NULL || attempts < 0 || attempts > UINT16_MAX ||
		    s->ntasks == LOOP_MAX_TASKS)
			return err_code(err, EBADMSG, "not a task");
		memset(t, 0, sizeof(*t));
		t->hash = strtoull(key, &end, 16);
		t->attempts = (uint16_t)attempts;
		t->questions = (uint16_t)json_integer_value(json_array_get(v, 2));
		t->completed = strcmp(word, "completed") == 0;
		t->failed = strcmp(word, "failed") == 0;
		t->unlanded = strcmp(word, "unlanded") == 0;
		s->ntasks++;
	}
	return 0;
}

json_t *
state_to_json(const struct loop_state *from)
{
	json_t *sessions = value_array();
	json_t *obj = value_object();

	value_set(obj, "policy", policy_to_json(&from->policy));
	STATE_MEMBERS(F)
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (from->sessions[i].state != SESSION_FREE)
			value_append(sessions, session_to_json(&from->sessions[i], i));
	value_set(obj, "sessions", sessions);
	value_set(obj, "tasks", tasks_to_json(from));
	value_set(obj, "asked", asked_to_json(from));
	value_set(obj, "rests", rests_to_json(from));
	return obj;
}

#undef F
#define F(type, name, dimension, letter) MEMBER_GET(v, letter, to, name);

static int
policy_from_json(const json_t *v, struct policy *to, struct err *err)
{
	struct {
#define M(name) int64_t name;
		REGIME_MARKS(M)
#undef M
	} marks = {0};

#define M(name) MEMBER_GET(v, I, &marks, name);
	POLICY_MEMBERS(F, M)
#undef M
#define M(name) .name = marks.name != 0,
	to->regime = regime_of((struct regime_marks){REGIME_MARKS(M)});
#undef M
	return 0;
}

static int
session_from_json(const json_t *v, struct loop_state *s, struct err *err)
{
	struct loop_session *to;
	int64_t slot = -1;

	if (value_get_int(json_object_get(v, "slot"), &slot, err) < 0)
		return err_prefix(err, "slot");
	if (slot < 0 || slot >= LOOP_MAX_SESSIONS || s->sessions[slot].state != SESSION_FREE)
		return err_code(err, EBADMSG, "slot: out of reach or taken");
	to = &s->sessions[slot];
	SESSION_MEMBERS(F)
	return 0;
}

static int
sessions_from_json(const json_t *list, struct loop_state *s, struct err *err)
{
	if (!json_is_array(list))
		return err_code(err, EBADMSG, "not a list");
	for (size_t i = 0; i < json_array_size(list); i++)
		if (session_from_json(json_array_get(list, i), s, err) < 0)
			return -1;
	return 0;
}

static int
state_members_get(const json_t *v, struct loop_state *to, struct err *err)
{
	STATE_MEMBERS(F)
	return 0;
}

#undef F

int
state_from_json(const json_t *v, struct loop_state *s, struct err *err)
{
	const json_t *policy = json_object_get(v, "policy");

	memset(s, 0, offsetof(struct loop_state, tasks));
	if (!json_is_object(policy))
		return err_code(err, EBADMSG, "policy: missing");
	if (policy_from_json(policy, &s->policy, err) < 0)
		return err_prefix(err, "policy");
	if (state_members_get(v, s, err) < 0)
		return -1;
	if (sessions_from_json(json_object_get(v, "sessions"), s, err) < 0)
		return err_prefix(err, "sessions");
	if (tasks_from_json(json_object_get(v, "tasks"), s, err) < 0)
		return err_prefix(err, "tasks");
	if (asked_from_json(json_object_get(v, "asked"), s, err) < 0)
		return err_prefix(err, "asked");
	if (rests_from_json(json_object_get(v, "rests"), s, err) < 0)
		return err_prefix(err, "rests");
	return 0;
}
