/* The settings of a loop come back from spec.json as they were. */
#include "base/clock.h"
#include "base/fs.h"
#include "loop/source_row.h"
#include "random.h"
#include "record/codec.h"
#include "scratch.h"

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
    .cwd = (char[]){"/tmp/caf\xe9"},
    .command = command,
    .mode = MODE_PTY,
    .parallel = 1,
};

/* ---- every setting with a random value ------------------------------------------ */

static char *
random_new_text(void)
{
	char text[64];

	random_text(text, sizeof(text), 1, UINT8_MAX);
	return xstrdup(text);
}

/* One for each type of the table.  Texts have any bytes. */
#define FILL_T(s, member) (s)->member = random_new_text()
#define FILL_L(s, member) (s)->member = random_new_list()
#define FILL_C(s, member) (s)->member = random_below(INT32_MAX) - 1
#define FILL_S(s, member) (s)->member = random_below(INT64_C(1) << 31)
#define FILL_B FILL_C
#define FILL_E(s, member) (s)->member = (int)random_below(choices(CHOICES_##member))
#define FILL_F(s, member) (s)->member = random_below(2) == 1

#define SAME_T(a, b, member) (strcmp((a)->member, (b)->member) == 0)
#define SAME_L(a, b, member) is_same_list((a)->member, (b)->member)
#define SAME_C(a, b, member) ((a)->member == (b)->member)
#define SAME_S SAME_C
#define SAME_B SAME_C
#define SAME_E SAME_C
#define SAME_F SAME_C

static char **
random_new_list(void)
{
	size_t n = 1 + (size_t)random_below(4);
	char **list = xcalloc(n + 1, sizeof(*list));

	for (size_t i = 0; i < n; i++)
		list[i] = random_new_text();
	return list;
}

static int64_t
choices(const char *words)
{
	int64_t n = 1;

	for (; *words != '\0'; words++)
		n += *words == '|';
	return n;
}

static bool
is_same_list(char **a, char **b)
{
	for (; *a != NULL && *b != NULL; a++, b++)
		if (strcmp(*a, *b) != 0)
			return false;
	return *a == *b;
}

static void
every_setting_comes_back(void **unused UNUSED)
{
	for (int round = 0; round < 20; round++) {
		struct err err = ERR_INIT;
		struct settings s, back;
		struct scratch tmp;

#define X(type, member, ...) FILL_##type(&s, member);
		SETTINGS(X)
#undef X
		scratch_open(&tmp);
		assert_int_equal(spec_save(tmp.dir, &s, &err), 0);
		if (spec_load(tmp.dir, &back, &err) < 0)
			fail_msg("%s", err.text);
#define X(type, member, ...)                 \
	if (!SAME_##type(&s, &back, member)) \
		fail_msg("round %d: %s", round, #member);
		SETTINGS(X)
#undef X
		settings_release(&s);
		settings_release(&back);
		scratch_close(&tmp);
	}
}

/* ---- spec.json ------------------------------------------------------------------ */

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
	assert_string_equal(back.cwd, some_settings.cwd);
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

/* Settings that have all that a loop of any source needs. */
static struct settings
whole_settings(char *source)
{
	static char place[] = "/tmp";
	struct settings s = some_settings;

	s.source = source;
	s.prompt_command = s.root = s.tickets = s.todo_file = place;
	s.worktrees_dir = s.top = s.branch = place;
	s.worktrees = true;
	return s;
}

static void
write_without(const struct scratch *tmp, const struct settings *s, const char *setting)
{
	struct err err = ERR_INIT;
	AUTO_JSON *spec = NULL;

	assert_int_equal(spec_save(tmp->dir, s, &err), 0);
	spec = json_read(tmp->dir, "spec.json", 1 << 20, &err);
	assert_int_equal(json_object_del(json_object_get(spec, "settings"), setting), 0);
	assert_int_equal(json_write(tmp->dir, "spec.json", spec, false, FS_SYNC, &err), 0);
}

/* Writes a spec.json as a version without term_wait did, and reads it. */
static int64_t
term_wait_of_old(char *source, bool tmux)
{
	struct settings s = whole_settings(source);
	struct err err = ERR_INIT;
	struct settings back;
	struct scratch tmp;
	int64_t term_wait;

	s.tmux = tmux;
	scratch_open(&tmp);
	write_without(&tmp, &s, "term_wait");
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

	assert_int_equal(term_wait_of_old((char[]){"prompt"}, false), 600 * NSEC_PER_SEC);
	assert_int_equal(term_wait_of_old((char[]){"command"}, false), 600 * NSEC_PER_SEC);
	/* These wait without end, as they did. */
	assert_int_equal(term_wait_of_old((char[]){"prompt"}, true), 0);
	assert_int_equal(term_wait_of_old((char[]){"once"}, false), 0);
	assert_int_equal(term_wait_of_old((char[]){"tickets"}, false), 0);
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

/* Of loops of that source, or of every source, a spec.json without the setting is damaged. */
static void
needs(const char *source, const char *setting)
{
#define X(name, tracked, given, names_tasks, single, run, swarm, noun) #name,
	static const char *const sources[] = {SOURCES(X)};
#undef X
	AUTO_FREE char *sentence = xasprintf("spec.json: the setting '%s' is missing", setting);
	struct scratch tmp;

	scratch_open(&tmp);
	for (size_t i = 0; i < ARRAY_LEN(sources); i++) {
		AUTO_FREE char *name = xstrdup(sources[i]);
		struct settings s = whole_settings(name);
		struct err err = ERR_INIT;
		struct settings back;

		if (source != NULL && strcmp(source, name) != 0)
			continue;
		write_without(&tmp, &s, setting);
		assert_int_equal(spec_load(tmp.dir, &back, &err), -1);
		assert_int_equal(err.code, EBADMSG);
		assert_string_equal(err.text, sentence);
		assert_null(back.name);
		assert_int_equal(spec_save(tmp.dir, &s, &err), 0);
		assert_int_equal(spec_load(tmp.dir, &back, &err), 0);
		settings_release(&back);
	}
	scratch_close(&tmp);
}

static void
spec_that_lacks_what_its_loop_needs_is_refused(void **unused UNUSED)
{
	struct settings s = whole_settings((char[]){"once"});
	char *nothing[] = {NULL};
	struct err err = ERR_INIT;
	struct settings back;
	struct scratch tmp;

#define X(setting) needs(NULL, #setting);
	ALL_NEED(X)
#undef X
#define X(source, setting, worktrees) needs(#source, #setting);
	SOURCE_NEEDS(X)
#undef X
	s.command = nothing;
	scratch_open(&tmp);
	assert_int_equal(spec_save(tmp.dir, &s, &err), 0);
	assert_int_equal(spec_load(tmp.dir, &back, &err), -1);
	assert_string_equal(err.text, "spec.json: the setting 'command' is empty");
	scratch_close(&tmp);
}

/* A loop without worktrees never had a place for them. */
static void
spec_without_worktrees_needs_no_branch(void **unused UNUSED)
{
	struct settings s = whole_settings((char[]){"tickets"});
	struct err err = ERR_INIT;
	struct settings back;
	struct scratch tmp;

	s.worktrees = false;
	s.worktrees_dir = s.top = NULL;
	scratch_open(&tmp);
	write_without(&tmp, &s, "branch");
	assert_int_equal(spec_load(tmp.dir, &back, &err), 0);
	settings_release(&back);
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
	    cmocka_unit_test(every_setting_comes_back),
	    cmocka_unit_test(spec_comes_back_byte_for_byte),
	    cmocka_unit_test(loops_of_earlier_versions_take_the_usual_term_wait),
	    cmocka_unit_test(spec_that_cannot_be_used_is_refused),
	    cmocka_unit_test(spec_that_lacks_what_its_loop_needs_is_refused),
	    cmocka_unit_test(spec_without_worktrees_needs_no_branch),
	    cmocka_unit_test(spec_that_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
