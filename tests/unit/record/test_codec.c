/* What is written as JSON comes back as it was, and nothing else is accepted. */
#include "../loop/same.h"
#include "base/clock.h"
#include "random.h"
#include "record/codec.h"
#include "scratch.h"

/* One for each letter of the tables. */
#define FILL_I(x) (x) = 1 + random_below(INT32_MAX)
#define FILL_B(x) (x) = true
#define FILL_S(x) random_text(x, sizeof(x), ' ', '~')
#define FILL_M(x)                                                        \
	(x) = (struct when)                                              \
	{                                                                \
		1 + random_below(INT32_MAX), 1 + random_below(INT32_MAX) \
	}
#define FILL_X(x)                                        \
	(x) = (struct exit_status)                       \
	{                                                \
		EXIT_SIGNAL, (int)(1 + random_below(31)) \
	}
#define FILL_W(x) (x) = (enum wanted)(1 + random_below(WANT_COUNT - 1))
#define FILL_V(x) (x) = (enum verdict)(1 + random_below(VERDICT_COUNT - 1))
#define FILL_R(x) (x) = (enum end_reason)(1 + random_below(END_COUNT - 1))
#define FILL_G(x) (x) = (enum signal_kind)(1 + random_below(SIGNAL_COUNT - 1))
#define FILL_K(x) (x) = (enum fate)(1 + random_below(FATE_COUNT - 1))
#define FILL_P(x) (x) = (enum loop_phase)(1 + random_below(PHASE_COUNT - 1))
#define FILL_A(x) (x) = (enum session_state)(1 + random_below(SESSION_STATES - 1))
#define FILL_T(x) (x) = (enum tell)(1 + random_below(TELL_COUNT - 1))
/* A fact with every member that its kind has. */
static void
fact_fill(struct fact *to, enum fact_kind kind)
{
	unsigned fields = fact_fields(kind);

	memset(to, 0, sizeof(*to));
	to->kind = kind;
	FILL_M(to->at);
#define F(type, name, dimension, letter) \
	if (fields & HAS(name))          \
		FILL_##letter(to->name);
	FACT_FIELDS(F)
#undef F
}

static void
every_member_of_every_fact_comes_back(void **unused UNUSED)
{
	for (int i = 0; i < 20 * FACT_COUNT; i++) {
		struct fact f, back;
		AUTO_JSON *v = NULL;
		AUTO_JSON *parsed = NULL;
		struct err err = ERR_INIT;
		AUTO_BUF text = BUF_INIT;

		fact_fill(&f, (enum fact_kind)(i % FACT_COUNT));
		v = fact_to_json(&f, NULL);
		json_print(v, true, &text);
		assert_null(memchr(text.data, '\n', text.len));
		parsed = json_parse(text.data, text.len, "fact", &err);
		assert_non_null(parsed);
		memset(&back, 0xff, sizeof(back));
		if (fact_from_json(parsed, &back, &err) < 0)
			fail_msg("%s: %s", text.data, err.text);
		assert_memory_equal(&f, &back, sizeof(f));
	}
}

static int
fact_read(const char *text, struct fact *f, struct err *err)
{
	AUTO_JSON *v = json_parse(text, strlen(text), "fact", err);

	assert_non_null(v);
	return fact_from_json(v, f, err);
}

static void
unknown_keys_are_ignored_and_absent_ones_zero(void **unused UNUSED)
{
	struct err err = ERR_INIT;
	struct fact f;

	assert_int_equal(
	    fact_read("{\"fact\":\"started\",\"mood\":[1],\"iteration\":3}", &f, &err), 0);
	assert_int_equal(f.iteration, 3);
	assert_string_equal(f.session, "");
	assert_int_equal(f.at.wall, 0);
	/* A member that this kind has not is not its member. */
	assert_int_equal(fact_read("{\"fact\":\"alert\",\"pid\":\"x\"}", &f, &err), 0);
	assert_int_equal(f.pid, 0);
	/* Landings once said what became of the work in their text alone. */
	assert_int_equal(
	    fact_read("{\"fact\":\"landed\",\"text\":\"merged as 1\"}", &f, &err), 0);
	assert_int_equal(f.fate, FATE_NONE);
}

static void
facts_of_the_wrong_shape_are_refused(void **unused UNUSED)
{
	static const struct {
		const char *text;
		int code;
	} cases[] = {
	    {"7", EBADMSG},
	    {"[]", EBADMSG},
	    {"{}", EBADMSG},
	    {"{\"fact\":1}", EBADMSG},
	    {"{\"fact\":\"exploded\"}", ENOTSUP},
	    {"{\"fact\":\"started\",\"iteration\":\"3\"}", EBADMSG},
	    {"{\"fact\":\"started\",\"iteration\":3.0}", EBADMSG},
	    {"{\"fact\":\"started\",\"iteration\":null}", EBADMSG},
	    {"{\"fact\":\"started\",\"iteration\":9223372036854775807}", EBADMSG},
	    {"{\"fact\":\"started\",\"iteration\":-9223372036854775808}", EBADMSG},
	    {"{\"fact\":\"started\",\"at\":5}", EBADMSG},
	    {"{\"fact\":\"started\",\"at\":[5]}", EBADMSG},
	    {"{\"fact\":\"started\",\"at\":[5,\"x\"]}", EBADMSG},
	    {"{\"fact\":\"started\",\"at\":[5,-1]}", EBADMSG},
	    {"{\"fact\":\"started\",\"session\":{}}", EBADMSG},
	    {"{\"fact\":\"started\",\"session\":\"0123456789012345678901234567890123456789"
	     "0123456789\"}",
		EBADMSG},
	    {"{\"fact\":\"wanted\",\"wanted\":0}", EBADMSG},
	    {"{\"fact\":\"wanted\",\"wanted\":\"dance\"}", ENOTSUP},
	    {"{\"fact\":\"wanted\",\"reason\":\"\"}", ENOTSUP},
	    {"{\"fact\":\"ended\",\"verdict\":\"superb\"}", ENOTSUP},
	    {"{\"fact\":\"ended\",\"exit\":0}", EBADMSG},
	    {"{\"fact\":\"ended\",\"exit\":[\"code\"]}", EBADMSG},
	    {"{\"fact\":\"ended\",\"exit\":[\"code\",99999999]}", EBADMSG},
	    {"{\"fact\":\"ended\",\"exit\":[\"code\",-1]}", EBADMSG},
	    {"{\"fact\":\"ended\",\"exit\":[\"melted\",1]}", ENOTSUP},
	    {"{\"fact\":\"signalled\",\"signal\":\"smoke\"}", ENOTSUP},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct err err = ERR_INIT;
		struct fact f;

		if (fact_read(cases[i].text, &f, &err) == 0)
			fail_msg("accepted: %s", cases[i].text);
		if (err.code != cases[i].code || err.text[0] == '\0')
			fail_msg("%s: %d %s", cases[i].text, err.code, err.text);
	}
}

static void
text_of_any_bytes_is_kept_readable(void **unused UNUSED)
{
	struct err err = ERR_INIT;
	struct fact f = {.kind = FACT_ALERT}, back;
	AUTO_JSON *v = NULL;

	memset(f.text, 0xff, sizeof(f.text) - 1);
	v = fact_to_json(&f, NULL);
	assert_int_equal(fact_from_json(v, &back, &err), 0);
	assert_memory_equal(back.text, "\xef\xbf\xbd", 3);
	assert_true(strlen(back.text) >= sizeof(back.text) - 3);
}

static void
events_are_for_people(void **unused UNUSED)
{
	struct fact f = {
	    .kind = FACT_ENDED,
	    .at = {.boot = 5, .wall = INT64_C(1705314600123456789)},
	    .session = "s-1",
	    .task = "prompt",
	    .iteration = 7,
	    .verdict = VERDICT_TIMEOUT,
	    .exit = {EXIT_SIGNAL, 9},
	    .duration = 222 * NSEC_PER_SEC,
	    .failures = 3,
	};
	AUTO_JSON *v = fact_to_json(&f, "my-loop");
	AUTO_BUF text = BUF_INIT;

	json_print(v, true, &text);
	assert_string_equal(text.data,
	    "{\"event\":\"ended\",\"loop\":\"my-loop\",\"time\":\"2024-01-15T10:30:00.123Z\","
	    "\"session\":\"s-1\",\"task\":\"prompt\",\"iteration\":7,"
	    "\"verdict\":\"timeout\",\"exit\":137,\"failures\":3,\"duration_ms\":222000}");
}

static void
event_of_a_backoff(void **unused UNUSED)
{
	struct fact f = {
	    .kind = FACT_BACKOFF,
	    .at = {.boot = 5, .wall = INT64_C(1705314600123456789)},
	    .failures = 3,
	    .until = {.boot = 6, .wall = INT64_C(1705314604000000000)},
	    .delay = 4 * NSEC_PER_SEC,
	};
	AUTO_JSON *v = fact_to_json(&f, "x");
	AUTO_BUF text = BUF_INIT;

	json_print(v, true, &text);
	assert_string_equal(text.data,
	    "{\"event\":\"backoff\",\"loop\":\"x\",\"time\":\"2024-01-15T10:30:00.123Z\","
	    "\"failures\":3,\"until\":\"2024-01-15T10:30:04.000Z\",\"delay_ms\":4000}");
}

static void
event_of_an_unknown_exit(void **unused UNUSED)
{
	struct fact f = {.kind = FACT_ENDED, .verdict = VERDICT_LOST};
	AUTO_JSON *v = fact_to_json(&f, "x");

	assert_true(json_is_null(json_object_get(v, "exit")));
}

/* ---- states ------------------------------------------------------------------ */

#define F(type, name, dimension, letter) FILL_##letter(to->name);

static void
session_fill(struct loop_session *to)
{
	SESSION_MEMBERS(F)
}

static void
policy_fill(struct policy *to)
{
	to->regime = (enum regime)random_below(REGIME_COUNT);
#define M(name)
	POLICY_MEMBERS(F, M)
#undef M
}

/* A task is completed, failed, unlanded or none of these. */
static void
task_fill(struct loop_task *to)
{
	int64_t outcome = random_below(4);

	*to = (struct loop_task){.hash = random_bits(),
	    .attempts = (uint16_t)random_below(UINT16_MAX + 1),
	    .questions = (uint16_t)random_below(UINT16_MAX + 1),
	    .completed = outcome == 1,
	    .failed = outcome == 2,
	    .unlanded = outcome == 3};
}

static void
state_fill(struct loop_state *to)
{
	memset(to, 0, sizeof(*to));
	STATE_MEMBERS(F)
	policy_fill(&to->policy);
	session_fill(&to->sessions[0]);
	session_fill(&to->sessions[LOOP_MAX_SESSIONS - 1]);
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		FILL_M(to->rests[i]);
	/* nasked, which is random, is how many there were: they are kept to the last place. */
	for (size_t i = 0; i < LOOP_MAX_ASKED; i++)
		to->asked[i] =
		    (struct loop_asked){.hash = random_bits(), .times = random_below(99)};
	to->ntasks = 1 + (size_t)random_below(LOOP_MAX_TASKS);
	for (size_t i = 0; i < to->ntasks; i++)
		task_fill(&to->tasks[i]);
}

#undef F

static void
every_member_of_a_state_comes_back(void **unused UNUSED)
{
	static struct loop_state s, back;

	for (int round = 0; round < 20; round++) {
		struct err err = ERR_INIT;
		AUTO_JSON *v = NULL;

		state_fill(&s);
		v = state_to_json(&s);
		memset(&back, 0xff, sizeof(back));
		if (state_from_json(v, &back, &err) < 0)
			fail_msg("%s", err.text);
		assert_true(loop_same(&s, &back));
	}
}

/* Snapshots and settings of every version tell a regime by its marks and its source. */
static void
regimes_are_kept_as_their_marks(void **unused UNUSED)
{
	static char graph[] = "graph", command[] = "command", tickets[] = "tickets";
	static const struct {
		enum regime regime;
		const char *policy;
		struct settings settings;
	} cases[] = {
	    {REGIME_REPEAT, "{}", {.source = NULL}},
	    {REGIME_GIVEN, "{\"given\":1}", {.source = command}},
	    {REGIME_TRACKED, "{\"tracked\":1}", {.source = graph}},
	    {REGIME_LANDED, "{\"lands\":1}", {.source = tickets, .lands = true}},
	    {REGIME_LED, "{\"lands\":1,\"leads\":1}", {.lands = true, .leads = true}},
	    {REGIME_KEPT, "{\"lands\":1,\"leads\":1,\"keeps\":1}",
		{.lands = true, .leads = true, .keeps = true}},
	};
	static const char *const marks[] = {"lands", "leads", "keeps", "tracked", "given"};
	static struct loop_state s, back;

	assert_int_equal(ARRAY_LEN(cases), REGIME_COUNT);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		AUTO_JSON *old =
		    json_parse(cases[i].policy, strlen(cases[i].policy), "policy", NULL);
		AUTO_JSON *v = NULL;

		memset(&s, 0, sizeof(s));
		s.policy.regime = cases[i].regime;
		v = state_to_json(&s);
		for (size_t m = 0; m < ARRAY_LEN(marks); m++)
			assert_int_equal(json_int(json_object_get(v, "policy"), marks[m], -1),
			    json_int(old, marks[m], 0));
		assert_int_equal(json_object_set(v, "policy", old), 0);
		assert_int_equal(state_from_json(v, &back, NULL), 0);
		assert_int_equal(back.policy.regime, cases[i].regime);
		assert_int_equal(settings_regime(&cases[i].settings), cases[i].regime);
	}
}

static void
states_of_the_wrong_shape_are_refused(void **unused UNUSED)
{
	static const char *const cases[] = {
	    "[]",
	    "{}",
	    "{\"policy\":{}}",
	    "{\"policy\":[],\"sessions\":[]}",
	    "{\"policy\":{\"delay\":\"x\"},\"sessions\":[]}",
	    "{\"policy\":{},\"sessions\":{}}",
	    "{\"policy\":{},\"sessions\":[],\"phase\":7}",
	    "{\"policy\":{},\"sessions\":[],\"phase\":\"lunar\"}",
	    "{\"policy\":{},\"sessions\":[],\"hold_is_backoff\":1}",
	    "{\"policy\":{},\"sessions\":[{}]}",
	    "{\"policy\":{},\"sessions\":[{\"slot\":-1}]}",
	    "{\"policy\":{},\"sessions\":[{\"slot\":64}]}",
	    "{\"policy\":{},\"sessions\":[{\"slot\":0,\"state\":\"asleep\"}]}",
	    "{\"policy\":{},\"sessions\":[{\"slot\":0,\"state\":\"running\"},{\"slot\":0}]}",
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct err err = ERR_INIT;
		AUTO_JSON *v = json_parse(cases[i], strlen(cases[i]), "state", &err);
		struct loop_state s;

		assert_non_null(v);
		if (state_from_json(v, &s, &err) == 0 || err.code == 0)
			fail_msg("accepted: %s", cases[i]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_member_of_every_fact_comes_back),
	    cmocka_unit_test(unknown_keys_are_ignored_and_absent_ones_zero),
	    cmocka_unit_test(facts_of_the_wrong_shape_are_refused),
	    cmocka_unit_test(text_of_any_bytes_is_kept_readable),
	    cmocka_unit_test(events_are_for_people),
	    cmocka_unit_test(event_of_a_backoff),
	    cmocka_unit_test(event_of_an_unknown_exit),
	    cmocka_unit_test(every_member_of_a_state_comes_back),
	    cmocka_unit_test(regimes_are_kept_as_their_marks),
	    cmocka_unit_test(states_of_the_wrong_shape_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
