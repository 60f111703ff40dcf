/* The seed's files, to the letter, and what users do to them. */
#include "base/clock.h"
#include "base/json.h"
#include "record/swarm.h"
#include "scratch.h"

#define S NSEC_PER_SEC
#define T0 INT64_C(1705314600000000000) /* 2024-01-15T10:30:00Z */
#define AT(s)                                     \
	{                                         \
		.boot = (s)*S, .wall = T0 + (s)*S \
	}
#define STATE "ralph/agent/state.json"
#define LOG "ralph/agent/iterations.log"

static const struct settings settings = {
    .prompt_file = (char[]){"/srv/work/PROMPT.md"},
    .done_pattern = (char[]){"All tasks complete"},
    .max_iterations = 100,
};

static struct loop_state
state_of(void)
{
	struct loop_state s;

	memset(&s, 0, sizeof(s));
	s.policy = (struct policy){.max_iterations = 100,
	    .max_failures = 5,
	    .parallel = 1,
	    .inactivity_timeout = 60 * S};
	s.phase = PHASE_OPEN;
	s.wanted = WANT_RUN;
	s.opened = (struct when)AT(0);
	s.iteration = 5;
	s.iteration_started = (struct when){1, T0 + 8100 * S + 123456789};
	s.total_failures = 2;
	return s;
}

/* The lines of one decision, as they come to the file. */
static void
lines_of(const struct fact *facts, size_t n, struct buf *out)
{
	struct loop_state s = state_of();
	struct scratch tmp;
	struct err err = ERR_INIT;
	struct view *v;

	scratch_open(&tmp);
	v = iterations_view.open(
	    &(struct view_of){.loop = "agent", .state = &s, .home = tmp.dir}, &err);
	views_fold(&(struct views){.list = {v}, .n = 1},
	    &(struct decided){.facts = facts, .n = n, .state = &s});
	assert_int_equal(iterations_view.write(v, &s, &err), 0);
	scratch_read(&tmp, LOG, out);
	iterations_view.close(v);
	scratch_close(&tmp);
}

static void
log_has_the_seeds_lines(void **unused UNUSED)
{
	static const struct fact facts[] = {
	    {.kind = FACT_OPENED, .at = AT(0)},
	    {.kind = FACT_STARTED, .at = AT(0), .iteration = 1},
	    {.kind = FACT_RUNNING, .at = AT(0)},
	    {.kind = FACT_ENDED,
		.at = AT(342),
		.iteration = 1,
		.verdict = VERDICT_DONE,
		.exit = {EXIT_CODE, 0},
		.duration = 342 * S},
	    {.kind = FACT_STARTED, .at = AT(343), .iteration = 2},
	    {.kind = FACT_ENDED,
		.at = AT(403),
		.iteration = 2,
		.verdict = VERDICT_IDLE,
		.exit = {EXIT_SIGNAL, 15},
		.duration = 60 * S},
	    {.kind = FACT_ENDED,
		.at = AT(404),
		.iteration = 3,
		.verdict = VERDICT_LOST,
		.duration = 3600 * S},
	    {.kind = FACT_ENDED,
		.at = AT(405),
		.iteration = 4,
		.verdict = VERDICT_FAILED,
		.exit = {EXIT_CODE, 1},
		.duration = S,
		.failures = 3},
	    {.kind = FACT_BACKOFF, .at = AT(405), .delay = 4 * S, .failures = 3},
	    {.kind = FACT_WANTED, .at = AT(406), .wanted = WANT_PAUSE},
	    {.kind = FACT_WANTED, .at = AT(407), .wanted = WANT_RUN},
	    {.kind = FACT_WANTED, .at = AT(408), .wanted = WANT_LEAVE},
	    {.kind = FACT_REOPENED, .at = AT(409)},
	    {.kind = FACT_EDITED, .at = AT(410), .key = "max_iterations", .value = 200},
	    {.kind = FACT_ALERT, .at = AT(411), .text = "two\nlines"},
	    {.kind = FACT_WANTED, .at = AT(412), .wanted = WANT_STOP},
	    {.kind = FACT_FINISHED, .at = AT(412), .iteration = 4, .reason = END_DONE_PATTERN},
	};
	AUTO_BUF got = BUF_INIT;

	lines_of(facts, ARRAY_LEN(facts), &got);
	assert_string_equal(got.data,
	    "2024-01-15T10:30:00 [START] iteration 1/100\n"
	    "2024-01-15T10:35:42 [END] iteration 1 exit=0 duration=5m42s\n"
	    "2024-01-15T10:35:43 [START] iteration 2/100\n"
	    "2024-01-15T10:36:43 [TIMEOUT] iteration 2 inactivity_timeout=60s\n"
	    "2024-01-15T10:36:43 [END] iteration 2 exit=143 duration=1m0s\n"
	    "2024-01-15T10:36:44 [END] iteration 3 exit=unknown duration=1h0m\n"
	    "2024-01-15T10:36:45 [END] iteration 4 exit=1 duration=1s\n"
	    "2024-01-15T10:36:45 [FAIL] iteration 4 exit=1 attempt=3/5 backoff=4s\n"
	    "2024-01-15T10:36:46 [PAUSE] loop paused reason=user\n"
	    "2024-01-15T10:36:47 [RESUME] loop resumed\n"
	    "2024-01-15T10:36:48 [PAUSE] loop paused reason=sigterm\n"
	    "2024-01-15T10:36:49 [RESUME] loop resumed\n"
	    "2024-01-15T10:36:50 [EDIT] max_iterations=200\n"
	    "2024-01-15T10:36:51 [ALERT] two lines\n"
	    "2024-01-15T10:36:52 [DONE] loop complete after 4 iterations "
	    "reason=done_pattern\n");
}

static void
the_last_failure_has_no_backoff(void **unused UNUSED)
{
	static const struct fact facts[] = {
	    {.kind = FACT_ENDED,
		.at = AT(0),
		.iteration = 5,
		.verdict = VERDICT_TIMEOUT,
		.exit = {EXIT_SIGNAL, 9},
		.duration = 1800 * S,
		.failures = 5},
	    {.kind = FACT_FINISHED, .at = AT(0), .iteration = 5, .reason = END_FAILURES},
	};
	AUTO_BUF got = BUF_INIT;

	lines_of(facts, ARRAY_LEN(facts), &got);
	assert_string_equal(got.data,
	    "2024-01-15T10:30:00 [TIMEOUT] iteration 5 iteration_timeout\n"
	    "2024-01-15T10:30:00 [END] iteration 5 exit=137 duration=30m0s\n"
	    "2024-01-15T10:30:00 [FAIL] iteration 5 exit=137 attempt=5/5\n"
	    "2024-01-15T10:30:00 [DONE] loop complete after 5 iterations reason=failed\n");
}

/* ---- the files ------------------------------------------------------------------- */

struct world {
	struct scratch tmp;
	struct loop_state state;
	struct views views;
	struct view *l; /* state.json */
	struct err err;
};

static void
open_views(struct world *v)
{
	static const struct view_ops *const ops[] = {&iterations_view, &swarm_view, NULL};

	assert_int_equal(views_open(&v->views, ops,
			     &(struct view_of){.loop = "agent",
				 .settings = &settings,
				 .state = &v->state,
				 .home = v->tmp.dir},
			     v->tmp.dir, &v->err),
	    0);
	v->l = views_find(&v->views, &swarm_view);
}

static void
world_open(struct world *v)
{
	*v = (struct world){.state = state_of(), .err = ERR_INIT};
	scratch_open(&v->tmp);
	open_views(v);
}

/* As another process would find it, later. */
static void
world_reopen(struct world *v)
{
	views_close(&v->views);
	open_views(v);
}

static void
world_write(struct world *v)
{
	if (swarm_view.write(v->l, &v->state, &v->err) < 0)
		fail_msg("%s", v->err.text);
}

static void
world_close(struct world *v)
{
	views_close(&v->views);
	scratch_close(&v->tmp);
}

static void
world_read(const struct world *v, struct buf *out)
{
	scratch_read(&v->tmp, STATE, out);
}

/* Replaces the first `from` in state.json, as an editor would. */
static void
user_edits(struct world *v, const char *from, const char *to)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF out = BUF_INIT;
	const char *at;

	world_read(v, &text);
	at = strstr(text.data, from);
	assert_non_null(at);
	buf_add(&out, text.data, (size_t)(at - text.data));
	buf_adds(&out, to);
	buf_adds(&out, at + strlen(from));
	scratch_write(&v->tmp, STATE, out.data, out.len);
}

#define REST                                            \
	"  \"consecutive_failures\": 0,\n"              \
	"  \"total_failures\": 2,\n"                    \
	"  \"done_pattern\": \"All tasks complete\",\n" \
	"  \"inactivity_timeout\": 60,\n"

static void
state_has_the_seeds_schema(void **unused UNUSED)
{
	AUTO_BUF got = BUF_INIT;
	struct world v;

	world_open(&v);
	world_write(&v);
	world_read(&v, &got);
	assert_string_equal(got.data,
	    "{\n"
	    "  \"worker_name\": \"agent\",\n"
	    "  \"prompt_file\": \"/srv/work/PROMPT.md\",\n"
	    "  \"max_iterations\": 100,\n"
	    "  \"current_iteration\": 5,\n"
	    "  \"status\": \"running\",\n"
	    "  \"started\": \"2024-01-15T10:30:00.000000\",\n"
	    "  \"last_iteration_started\": \"2024-01-15T12:45:00.123456\",\n" REST
	    "  \"exit_reason\": null\n"
	    "}\n");
	world_close(&v);
}

static void
state_of_a_loop_that_ended(void **unused UNUSED)
{
	AUTO_BUF got = BUF_INIT;
	struct world v;

	world_open(&v);
	v.state.phase = PHASE_FINISHED;
	v.state.reason = END_FAILURES;
	v.state.policy.max_iterations = UNLIMITED;
	v.state.policy.inactivity_timeout = 0;
	v.state.iteration_started = (struct when){0, 0};
	world_write(&v);
	world_read(&v, &got);
	assert_non_null(strstr(got.data, "\"status\": \"failed\""));
	assert_non_null(strstr(got.data, "\"exit_reason\": \"failed\""));
	assert_non_null(strstr(got.data, "\"max_iterations\": null"));
	assert_non_null(strstr(got.data, "\"inactivity_timeout\": 0"));
	assert_non_null(strstr(got.data, "\"last_iteration_started\": null"));
	world_close(&v);
}

static void
what_is_the_same_is_not_written_again(void **unused UNUSED)
{
	struct stat before, after;
	struct world v;

	world_open(&v);
	world_write(&v);
	assert_int_equal(fstatat(v.tmp.dir, STATE, &before, 0), 0);
	world_write(&v);
	world_reopen(&v);
	world_write(&v);
	assert_int_equal(fstatat(v.tmp.dir, STATE, &after, 0), 0);
	assert_int_equal(before.st_ino, after.st_ino);
	v.state.iteration = 6;
	world_write(&v);
	assert_int_equal(fstatat(v.tmp.dir, STATE, &after, 0), 0);
	assert_int_not_equal(before.st_ino, after.st_ino);
	world_close(&v);
}

static void
an_edit_is_reported_once(void **unused UNUSED)
{
	struct world v;
	int64_t max = 0;

	world_open(&v);
	assert_int_equal(swarm_edits(v.l, &max, &v.err), 0);
	world_write(&v);
	assert_int_equal(swarm_edits(v.l, &max, &v.err), 0);
	user_edits(&v, "\"max_iterations\": 100", "\"max_iterations\": 200");
	assert_int_equal(swarm_edits(v.l, &max, &v.err), 1);
	assert_int_equal(max, 200);
	assert_int_equal(swarm_edits(v.l, &max, &v.err), 0);
	v.state.policy.max_iterations = 200;
	world_write(&v);
	assert_int_equal(swarm_edits(v.l, &max, &v.err), 0);
	world_close(&v);
}

static void
an_edit_is_not_overwritten_before_it_is_seen(void **unused UNUSED)
{
	AUTO_BUF got = BUF_INIT;
	struct world v;
	int64_t max = 0;

	world_open(&v);
	world_write(&v);
	user_edits(&v, "\"max_iterations\": 100", "\"max_iterations\": 200");
	v.state.iteration = 6;
	world_write(&v);
	world_read(&v, &got);
	assert_non_null(strstr(got.data, "\"max_iterations\": 200"));
	assert_non_null(strstr(got.data, "\"current_iteration\": 6"));
	assert_int_equal(swarm_edits(v.l, &max, &v.err), 1);
	assert_int_equal(max, 200);
	world_close(&v);
}

static void
an_edit_while_nobody_runs_the_loop_counts(void **unused UNUSED)
{
	struct world v;
	int64_t max = 0;

	world_open(&v);
	world_write(&v);
	user_edits(&v, "\"max_iterations\": 100", "\"max_iterations\": null");
	world_reopen(&v);
	assert_int_equal(swarm_edits(v.l, &max, &v.err), 1);
	assert_int_equal(max, UNLIMITED);
	world_close(&v);
}

static void
our_own_change_is_not_an_edit(void **unused UNUSED)
{
	struct world v;
	int64_t max = 0;

	world_open(&v);
	world_write(&v);
	v.state.policy.max_iterations = 300;
	world_write(&v);
	assert_int_equal(swarm_edits(v.l, &max, &v.err), 0);
	world_close(&v);
}

static void
other_values_are_ours(void **unused UNUSED)
{
	AUTO_BUF got = BUF_INIT;
	struct world v;
	int64_t max = 0;

	world_open(&v);
	world_write(&v);
	user_edits(&v, "\"running\"", "\"paused\"");
	user_edits(&v, "\"total_failures\": 2,", "");
	assert_int_equal(swarm_edits(v.l, &max, &v.err), 0);
	world_write(&v);
	world_read(&v, &got);
	assert_non_null(strstr(got.data, "\"status\": \"running\""));
	assert_non_null(strstr(got.data, "\"total_failures\": 2"));
	world_close(&v);
}

static void
unknown_keys_survive(void **unused UNUSED)
{
	AUTO_BUF got = BUF_INIT;
	struct world v;

	world_open(&v);
	world_write(&v);
	user_edits(
	    &v, "\"exit_reason\": null", "\"note\": {\"a\": [1, 2.5]},\n\"exit_reason\": null");
	v.state.iteration = 6;
	world_write(&v);
	v.state.iteration = 7;
	world_write(&v);
	world_reopen(&v);
	v.state.iteration = 8;
	world_write(&v);
	world_read(&v, &got);
	assert_non_null(strstr(got.data, "\"current_iteration\": 8"));
	assert_non_null(strstr(got.data, "\"exit_reason\": null,\n  \"note\": {"));
	assert_non_null(strstr(got.data, "2.5"));
	world_close(&v);
}

static void
useless_edits_are_reported_and_put_right(void **unused UNUSED)
{
	static const char *const values[] = {
	    "0", "-5", "\"200\"", "1.5", "true", "9223372036854775807"};
	AUTO_BUF got = BUF_INIT;
	struct world v;
	int64_t max = 0;

	world_open(&v);
	world_write(&v);
	for (size_t i = 0; i < ARRAY_LEN(values); i++) {
		AUTO_FREE char *to = xasprintf("\"max_iterations\": %s", values[i]);

		user_edits(&v, "\"max_iterations\": 100", to);
		assert_int_equal(swarm_edits(v.l, &max, &v.err), -1);
		assert_non_null(strstr(v.err.text, "max_iterations"));
		world_write(&v);
		world_read(&v, &got);
		assert_non_null(strstr(got.data, "\"max_iterations\": 100"));
	}
	world_close(&v);
}

static void
what_cannot_be_parsed_is_kept_and_written_again(void **unused UNUSED)
{
	static const char *const broken[] = {
	    "", "{", "[1]", "7", "{\"a\":1,\"a\":2}", "\xff\xfe"};
	struct world v;
	int64_t max = 0;

	world_open(&v);
	for (size_t i = 0; i < ARRAY_LEN(broken); i++) {
		world_write(&v);
		scratch_write(&v.tmp, STATE, broken[i], strlen(broken[i]));
		assert_int_equal(swarm_edits(v.l, &max, &v.err), -1);
		assert_non_null(strstr(v.err.text, "state.corrupt."));
		assert_int_equal(scratch_count(&v.tmp, "ralph/agent", "state.corrupt."), i + 1);
		world_write(&v);
		assert_int_equal(swarm_edits(v.l, &max, &v.err), 0);
	}
	/* The writer does the same; it is told of afterwards. */
	scratch_write(&v.tmp, STATE, "{", 1);
	world_write(&v);
	assert_true(scratch_has(&v.tmp, STATE));
	assert_int_equal(swarm_edits(v.l, &max, &v.err), -1);
	assert_non_null(strstr(v.err.text, "state.corrupt."));
	assert_int_equal(swarm_edits(v.l, &max, &v.err), 0);
	world_close(&v);
}

static void
a_new_loop_does_not_take_old_values_for_edits(void **unused UNUSED)
{
	static const char old[] = "{\"max_iterations\": 7, \"mood\": \"good\"}";
	AUTO_BUF got = BUF_INIT;
	struct world v;
	int64_t max = 0;

	world_open(&v);
	v.state.phase = PHASE_NEW;
	world_write(&v);
	scratch_write(&v.tmp, STATE, old, sizeof(old) - 1);
	world_reopen(&v);
	v.state.phase = PHASE_OPEN;
	assert_int_equal(swarm_edits(v.l, &max, &v.err), 0);
	world_write(&v);
	world_read(&v, &got);
	assert_non_null(strstr(got.data, "\"max_iterations\": 100"));
	assert_non_null(strstr(got.data, "\"mood\": \"good\""));
	world_close(&v);
}

static int
log_fact(struct world *v, const struct fact *f)
{
	views_fold(&v->views, &(struct decided){.facts = f, .n = 1, .state = &v->state});
	return iterations_view.write(v->views.list[0], &v->state, &v->err);
}

static void
views_are_made_again_when_removed(void **unused UNUSED)
{
	static const struct fact f = {.kind = FACT_STARTED, .at = AT(0), .iteration = 1};
	struct world v;
	int64_t max = 0;

	world_open(&v);
	for (int i = 0; i < 2; i++) {
		world_write(&v);
		assert_int_equal(log_fact(&v, &f), 0);
		assert_true(scratch_has(&v.tmp, STATE));
		assert_true(scratch_has(&v.tmp, LOG));
		assert_int_equal(fs_remove_tree(v.tmp.dir, "ralph", &v.err), 0);
		assert_int_equal(swarm_edits(v.l, &max, &v.err), 0);
	}
	world_close(&v);
}

static void
log_is_appended_to_and_half_lines_are_ended(void **unused UNUSED)
{
	static const struct fact f = {.kind = FACT_STARTED, .at = AT(0), .iteration = 1};
	static const struct fact silent = {.kind = FACT_RUNNING};
	AUTO_BUF got = BUF_INIT;
	struct world v;

	world_open(&v);
	assert_int_equal(log_fact(&v, &silent), 0);
	assert_false(scratch_has(&v.tmp, LOG));
	assert_int_equal(log_fact(&v, &f), 0);
	scratch_read(&v.tmp, LOG, &got);
	buf_adds(&got, "2024-01-15T10:3");
	scratch_write(&v.tmp, LOG, got.data, got.len);
	assert_int_equal(log_fact(&v, &f), 0);
	scratch_read(&v.tmp, LOG, &got);
	assert_string_equal(got.data, "2024-01-15T10:30:00 [START] iteration 1/100\n"
				      "2024-01-15T10:3\n"
				      "2024-01-15T10:30:00 [START] iteration 1/100\n");
	world_close(&v);
}

static int
append(struct world *v, struct buf *lines)
{
	AUTO_CLOSE int dir = swarm_dir(&v->l->of, &v->err);

	return view_append(dir, "iterations.log", lines, 65536, &v->err);
}

static void
lines_wait_while_they_cannot_be_written(void **unused UNUSED)
{
	AUTO_BUF lines = BUF_INIT;
	AUTO_BUF got = BUF_INIT;
	struct world v;

	world_open(&v);
	world_write(&v);
	assert_int_equal(
	    mkdirat(v.tmp.dir, LOG, 0700), 0); /* nothing can be appended to that */
	buf_adds(&lines, "one\n");
	assert_int_equal(append(&v, &lines), -1);
	assert_string_equal(lines.data, "one\n");
	for (int i = 0; i < 100000; i++)
		buf_adds(&lines, "more\n");
	assert_int_equal(append(&v, &lines), -1);
	assert_in_range(lines.len, 60000, 70000);
	assert_memory_equal(lines.data, "more\n", 5);
	buf_truncate(&lines, 10);
	assert_int_equal(unlinkat(v.tmp.dir, LOG, AT_REMOVEDIR), 0);
	assert_int_equal(append(&v, &lines), 0);
	scratch_read(&v.tmp, LOG, &got);
	assert_string_equal(got.data, "more\nmore\n");
	world_close(&v);
}

static void
failed_writes_are_reported_and_repaired(void **unused UNUSED)
{
	struct world v;

#ifndef RALPH_FAULTS
	skip();
#endif
	for (int at = 1; at <= 3; at++) {
		AUTO_FREE char *plan = xasprintf("ENOSPC@%d", at);
		AUTO_BUF before = BUF_INIT;
		AUTO_BUF after = BUF_INIT;

		world_open(&v);
		world_write(&v);
		world_read(&v, &before);
		v.state.iteration = 6;
		setenv("RALPH_FAULT", plan, 1);
		fs_fault_init();
		assert_int_equal(swarm_view.write(v.l, &v.state, &v.err), -1);
		fs_fault_init();
		world_read(&v, &after);
		assert_string_equal(before.data, after.data);
		world_write(&v);
		world_read(&v, &after);
		assert_non_null(strstr(after.data, "\"current_iteration\": 6"));
		world_close(&v);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(log_has_the_seeds_lines),
	    cmocka_unit_test(the_last_failure_has_no_backoff),
	    cmocka_unit_test(state_has_the_seeds_schema),
	    cmocka_unit_test(state_of_a_loop_that_ended),
	    cmocka_unit_test(what_is_the_same_is_not_written_again),
	    cmocka_unit_test(an_edit_is_reported_once),
	    cmocka_unit_test(an_edit_is_not_overwritten_before_it_is_seen),
	    cmocka_unit_test(an_edit_while_nobody_runs_the_loop_counts),
	    cmocka_unit_test(our_own_change_is_not_an_edit),
	    cmocka_unit_test(other_values_are_ours),
	    cmocka_unit_test(unknown_keys_survive),
	    cmocka_unit_test(useless_edits_are_reported_and_put_right),
	    cmocka_unit_test(what_cannot_be_parsed_is_kept_and_written_again),
	    cmocka_unit_test(a_new_loop_does_not_take_old_values_for_edits),
	    cmocka_unit_test(views_are_made_again_when_removed),
	    cmocka_unit_test(log_is_appended_to_and_half_lines_are_ended),
	    cmocka_unit_test(lines_wait_while_they_cannot_be_written),
	    cmocka_unit_test(failed_writes_are_reported_and_repaired),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
