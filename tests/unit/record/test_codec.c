/* What is written as JSON comes back as it was, and nothing else is accepted. */
#include "base/clock.h"
#include "record/codec.h"
#include "scratch.h"

static struct fact
fact_full(enum fact_kind kind)
{
	unsigned fields = fact_fields(kind);
	struct fact f;

	memset(&f, 0, sizeof(f));
	f.kind = kind;
	f.at = (struct when){.boot = 5, .wall = INT64_C(1705314600123456789)};
#define SET(name, ...)          \
	if (fields & HAS(name)) \
		__VA_ARGS__;
	SET(uid, memcpy(f.uid, "0123456789abcdef", 17))
	SET(boot_id, memcpy(f.boot_id, "b-1", 4))
	SET(pid, f.pid = 4242)
	SET(wanted, f.wanted = WANT_STOP)
	SET(session, memcpy(f.session, "s-1", 4))
	SET(task, memcpy(f.task, "prompt", 7))
	SET(iteration, f.iteration = 7)
	SET(seq, f.seq = 9)
	SET(signal, f.signal = SIGNAL_STALL)
	SET(verdict, f.verdict = VERDICT_TIMEOUT)
	SET(exit, (f.exit = (struct exit_status){EXIT_SIGNAL, 9}))
	SET(duration, f.duration = 222 * NSEC_PER_SEC)
	SET(failures, f.failures = 3)
	SET(until, (f.until = (struct when){6, INT64_C(1705314604000000000)}))
	SET(delay, f.delay = 4 * NSEC_PER_SEC)
	SET(reason, f.reason = END_FAILURES)
	SET(text, memcpy(f.text, "a \"text\"\n\x01", 11))
	SET(key, memcpy(f.key, "max_iterations", 15))
	SET(value, f.value = -1)
	SET(fate, f.fate = FATE_WAITING)
#undef SET
	return f;
}

static void
every_fact_comes_back(void **unused UNUSED)
{
	for (int kind = 0; kind < FACT_COUNT; kind++) {
		struct fact f = fact_full((enum fact_kind)kind), back;
		AUTO_JSON *v = fact_to_json(&f, NULL);
		AUTO_JSON *parsed = NULL;
		struct err err = ERR_INIT;
		AUTO_BUF text = BUF_INIT;

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
	struct fact f = fact_full(FACT_ENDED);
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
	struct fact f = fact_full(FACT_BACKOFF);
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

static struct loop_state
state_full(void)
{
	struct loop_state s;
	struct loop_session *one = &s.sessions[LOOP_MAX_SESSIONS - 1];

	memset(&s, 0, sizeof(s));
	s.policy = (struct policy){
	    UNLIMITED, 2, 3, 4, 5, 6, 1, 7, 8, 1, 2, 1, 1, 1, 3, 2, 1, 9, 1, 1, 1};
	s.phase = PHASE_DRAINING;
	s.wanted = WANT_STOP;
	memcpy(s.uid, "u", 2);
	memcpy(s.boot_id, "b", 2);
	s.opened = (struct when){1, 2};
	s.resumed = (struct when){-3, 4};
	s.leave_asked = (struct when){5, 6};
	s.iteration = 10;
	s.ended = 9;
	s.failures = 8;
	s.total_failures = 7;
	s.spoilt = 5;
	s.idled = 4;
	s.iteration_started = (struct when){11, 12};
	s.iteration_ended = (struct when){13, 14};
	s.hold = (struct when){15, 16};
	s.hold_is_backoff = true;
	s.rests[0] = (struct when){21, 22};
	s.rests[1] = (struct when){23, 24};
	s.reason = END_KILLED;
	memcpy(s.text, "why", 4);
	s.finished = (struct when){17, 18};
	one->state = SESSION_ENDING;
	memcpy(one->id, "id", 3);
	memcpy(one->task, "task", 5);
	one->iteration = 10;
	one->pid = 99;
	one->seq = 3;
	one->verdict = VERDICT_IDLE;
	one->started = (struct when){19, 20};
	one->unseen = true;
	one->promised = true;
	one->attempt = 2;
	memcpy(one->components, "a,b", 4);
	one->kept = one->claimed = one->reminded = true;
	one->nudges = 1;
	one->tell = TELL_HELP;
	one->tells = 4;
	memcpy(one->about, "why?", 5);
	s.nasked = 2;
	s.asked[0] = (struct loop_asked){.hash = UINT64_MAX - 1, .times = 2};
	s.asked[1] = (struct loop_asked){.hash = 3, .times = 1};
	s.completed = 5;
	s.failed = 6;
	s.ntasks = 2;
	s.tasks[0] = (struct loop_task){.hash = UINT64_MAX, .attempts = 3, .completed = true};
	s.tasks[1] = (struct loop_task){.hash = 1, .questions = 7, .failed = true};
	return s;
}

static void
state_comes_back(void **unused UNUSED)
{
	struct loop_state s = state_full(), back;
	struct err err = ERR_INIT;
	AUTO_JSON *v = state_to_json(&s);

	memset(&back, 0xff, sizeof(back));
	assert_int_equal(state_from_json(v, &back, &err), 0);
	assert_true(loop_same(&s, &back));
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

/* ---- settings and spec.json ---------------------------------------------------- */

static char *env[] = {(char[]){"A=\"1\""}, (char[]){"B=\xff\xfe"}, NULL};
static char *command[] = {(char[]){"claude"}, (char[]){""}, NULL};

static const struct settings some_settings = {
    .prompt_file = (char[]){"/tmp/\xc3\x28/PROMPT.md"},
    .max_iterations = UNLIMITED,
    .name = (char[]){"agent"},
    .done_pattern = (char[]){"All tasks \xc3\xa4\n"},
    .inactivity_timeout = 60 * NSEC_PER_SEC,
    .max_failures = 5,
    .grace = 10 * NSEC_PER_SEC,
    .env = env,
    .source = (char[]){"prompt"},
    .command = command,
    .mode = MODE_PTY,
    .parallel = 1,
};

static void
spec_comes_back_byte_for_byte(void **unused UNUSED)
{
	struct err err = ERR_INIT;
	struct settings back;
	struct scratch tmp;

	scratch_open(&tmp);
	assert_int_equal(spec_save(tmp.dir, &some_settings, &err), 0);
	if (spec_load(tmp.dir, &back, &err) < 0)
		fail_msg("%s", err.text);
	assert_string_equal(back.prompt_file, some_settings.prompt_file);
	assert_string_equal(back.done_pattern, some_settings.done_pattern);
	assert_string_equal(back.name, "agent");
	assert_null(back.cwd);
	assert_null(back.on_alert);
	assert_string_equal(back.env[0], env[0]);
	assert_string_equal(back.env[1], env[1]);
	assert_null(back.env[2]);
	assert_string_equal(back.command[1], "");
	assert_null(back.command[2]);
	assert_int_equal(back.max_iterations, UNLIMITED);
	assert_int_equal(back.inactivity_timeout, 60 * NSEC_PER_SEC);
	assert_int_equal(back.grace, 10 * NSEC_PER_SEC);
	assert_int_equal(back.mode, MODE_PTY);
	assert_int_equal(back.parallel, 1);
	settings_release(&back);
	assert_null(back.name);
	scratch_close(&tmp);
}

/* Writes a spec.json as a version without term_wait did, and reads it. */
static int64_t
term_wait_of_old(const char *source, bool tmux)
{
	AUTO_BUF text = BUF_INIT;
	struct err err = ERR_INIT;
	struct settings back;
	struct scratch tmp;
	int64_t term_wait;

	buf_addf(&text,
	    "{\"version\": 1, \"settings\": {\"source\": \"%s\", \"tmux\": %s, \"parallel\": "
	    "1}}",
	    source, tmux ? "true" : "false");
	scratch_open(&tmp);
	scratch_write(&tmp, "spec.json", text.data, text.len);
	if (spec_load(tmp.dir, &back, &err) < 0)
		fail_msg("%s", err.text);
	term_wait = back.term_wait;
	settings_release(&back);
	scratch_close(&tmp);
	return term_wait;
}

static void
loops_of_earlier_versions_take_the_usual_term_wait(void **unused UNUSED)
{
	struct settings changed = some_settings;
	struct err err = ERR_INIT;
	struct settings back;
	struct scratch tmp;

	assert_int_equal(term_wait_of_old("prompt", false), TERM_WAIT_USUAL);
	assert_int_equal(term_wait_of_old("command", false), TERM_WAIT_USUAL);
	/* These wait without end, as they did. */
	assert_int_equal(term_wait_of_old("prompt", true), 0);
	assert_int_equal(term_wait_of_old("once", false), 0);
	assert_int_equal(term_wait_of_old("tickets", false), 0);
	/* What is said counts. */
	changed.term_wait = 5 * NSEC_PER_SEC;
	scratch_open(&tmp);
	assert_int_equal(spec_save(tmp.dir, &changed, &err), 0);
	assert_int_equal(spec_load(tmp.dir, &back, &err), 0);
	assert_int_equal(back.term_wait, 5 * NSEC_PER_SEC);
	settings_release(&back);
	scratch_close(&tmp);
}

static void
spec_that_cannot_be_used_is_refused(void **unused UNUSED)
{
	static const struct {
		const char *text;
		int code;
	} cases[] = {
	    {"", EBADMSG},
	    {"{", EBADMSG},
	    {"[]", EBADMSG},
	    {"{\"settings\":{}}", EBADMSG},
	    {"{\"version\":0,\"settings\":{}}", EBADMSG},
	    {"{\"version\":2,\"settings\":{}}", ENOTSUP},
	    {"{\"version\":2}", ENOTSUP},
	    {"{\"version\":1}", EBADMSG},
	    {"{\"version\":1,\"settings\":{\"name\":1}}", EBADMSG},
	    {"{\"version\":1,\"settings\":{\"name\":{\"hex\":\"4\"}}}", EBADMSG},
	    {"{\"version\":1,\"settings\":{\"name\":{\"hex\":\"4100\"}}}", EBADMSG},
	    {"{\"version\":1,\"settings\":{\"name\":\"a\",\"env\":\"A=1\"}}", EBADMSG},
	    {"{\"version\":1,\"settings\":{\"env\":[\"A=1\",2]}}", EBADMSG},
	    {"{\"version\":1,\"settings\":{\"max_iterations\":-2}}", EBADMSG},
	    {"{\"version\":1,\"settings\":{\"max_iterations\":\"5\"}}", EBADMSG},
	    {"{\"version\":1,\"settings\":{\"grace\":-1}}", EBADMSG},
	    {"{\"version\":1,\"settings\":{\"mode\":\"telepathy\"}}", EBADMSG},
	    {"{\"version\":1,\"settings\":{\"mode\":\"pip\"}}", EBADMSG},
	    {"{\"version\":1,\"settings\":{\"mode\":1}}", EBADMSG},
	};
	struct scratch tmp;

	scratch_open(&tmp);
	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct err err = ERR_INIT;
		struct settings s;

		scratch_write(&tmp, "spec.json", cases[i].text, strlen(cases[i].text));
		if (spec_load(tmp.dir, &s, &err) == 0 || err.code != cases[i].code)
			fail_msg("%s: %d %s", cases[i].text, err.code, err.text);
		assert_null(s.name);
	}
	scratch_close(&tmp);
}

static void
spec_that_is_not_there(void **unused UNUSED)
{
	struct err err = ERR_INIT;
	struct settings s;
	struct scratch tmp;

	scratch_open(&tmp);
	assert_int_equal(spec_load(tmp.dir, &s, &err), -1);
	assert_int_equal(err.code, ENOENT);
	scratch_close(&tmp);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_fact_comes_back),
	    cmocka_unit_test(unknown_keys_are_ignored_and_absent_ones_zero),
	    cmocka_unit_test(facts_of_the_wrong_shape_are_refused),
	    cmocka_unit_test(text_of_any_bytes_is_kept_readable),
	    cmocka_unit_test(events_are_for_people),
	    cmocka_unit_test(event_of_a_backoff),
	    cmocka_unit_test(event_of_an_unknown_exit),
	    cmocka_unit_test(state_comes_back),
	    cmocka_unit_test(states_of_the_wrong_shape_are_refused),
	    cmocka_unit_test(spec_comes_back_byte_for_byte),
	    cmocka_unit_test(loops_of_earlier_versions_take_the_usual_term_wait),
	    cmocka_unit_test(spec_that_cannot_be_used_is_refused),
	    cmocka_unit_test(spec_that_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
