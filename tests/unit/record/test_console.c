/* What a person reads, to the letter. */
#include "base/clock.h"
#include "base/json.h"
#include "record/console.h"
#include "scratch.h"

#define S NSEC_PER_SEC
#define MAX_FACTS 4

static struct loop_state
state_of(int64_t max_iterations, int64_t iteration)
{
	struct loop_state s;

	memset(&s, 0, sizeof(s));
	s.policy = (struct policy){.max_iterations = max_iterations,
	    .max_failures = 5,
	    .parallel = 1,
	    .inactivity_timeout = 60 * S};
	s.phase = PHASE_OPEN;
	s.wanted = WANT_RUN;
	s.iteration = iteration;
	return s;
}

/* The lines of one decision, each ended by a newline. */
static void
lines_of(const struct fact *facts, size_t n, const struct loop_state *state, struct buf *out)
{
	buf_clear(out);
	for (size_t i = 0; i < n; i++)
		if (console_line(
			&(struct decided){
			    .loop = "agent", .facts = facts, .n = n, .state = state},
			&facts[i], out))
			buf_addc(out, '\n');
}

#define ENDED(v, how, val, ns)                                              \
	{                                                                   \
		.kind = FACT_ENDED, .iteration = 5, .verdict = VERDICT_##v, \
		.exit = {how, val}, .duration = (ns), .failures = 3         \
	}
#define BACKOFF                                                     \
	{                                                           \
		.kind = FACT_BACKOFF, .delay = 4 * S, .failures = 3 \
	}
#define FINISHED(r, n)                                                   \
	{                                                                \
		.kind = FACT_FINISHED, .reason = END_##r, .iteration = n \
	}
#define WANTED(w, r)                                                       \
	{                                                                  \
		.kind = FACT_WANTED, .wanted = WANT_##w, .reason = END_##r \
	}
#define SIGNALLED(g)                                         \
	{                                                    \
		.kind = FACT_SIGNALLED, .signal = SIGNAL_##g \
	}

/* Told while the loop goes on, at iteration 5 of 100. */
static const struct {
	struct fact facts[MAX_FACTS];
	size_t n;
	const char *lines;
} going_on[] = {
    {{{.kind = FACT_STARTED, .iteration = 5}}, 1, "[ralph] agent: starting iteration 5/100\n"},
    {{ENDED(DONE, EXIT_CODE, 0, 222 * S)}, 1,
	"[ralph] agent: iteration 5 completed (exit: 0, duration: 3m 42s)\n"},
    {{ENDED(DONE, EXIT_SIGNAL, 15, 42 * S)}, 1,
	"[ralph] agent: iteration 5 completed (exit: 143, duration: 42s)\n"},
    {{ENDED(FAILED, EXIT_CODE, 1, S), BACKOFF}, 2,
	"[ralph] agent: iteration 5 failed (exit: 1), retrying in 4s (attempt 3/5)\n"},
    {{ENDED(FAILED, EXIT_SIGNAL, 9, S), BACKOFF}, 2,
	"[ralph] agent: iteration 5 failed (exit: 137), retrying in 4s (attempt 3/5)\n"},
    {{ENDED(FAILED, EXIT_NOSTART, ENOENT, S), BACKOFF}, 2,
	"[ralph] agent: iteration 5 failed (exit: 127), retrying in 4s (attempt 3/5)\n"},
    {{ENDED(FAILED, EXIT_UNKNOWN, 0, S), BACKOFF}, 2,
	"[ralph] agent: iteration 5 failed (exit: unknown), retrying in 4s (attempt 3/5)\n"},
    {{ENDED(FAILED, EXIT_CODE, 1, S)}, 1, "[ralph] agent: iteration 5 failed (exit: 1)\n"},
    {{ENDED(TIMEOUT, EXIT_SIGNAL, 15, 1800 * S), BACKOFF}, 2,
	"[ralph] agent: iteration 5 failed (timeout after 30m 0s), retrying in 4s (attempt "
	"3/5)\n"},
    {{ENDED(TIMEOUT, EXIT_SIGNAL, 15, 1800 * S)}, 1,
	"[ralph] agent: iteration 5 failed (timeout after 30m 0s)\n"},
    {{ENDED(IDLE, EXIT_SIGNAL, 15, S)}, 1,
	"[ralph] agent: inactivity timeout (60s), restarting\n"},
    {{ENDED(STUCK, EXIT_SIGNAL, 15, S)}, 1,
	"[ralph] agent: no progress (stall timeout), restarting\n"},
    {{ENDED(LOST, EXIT_UNKNOWN, 0, S)}, 1,
	"[ralph] agent: iteration 5 lost (nobody saw it end), going on\n"},
    {{ENDED(STOPPED, EXIT_SIGNAL, 15, S)}, 1, "[ralph] agent: iteration 5 stopped\n"},
    {{SIGNALLED(DONE), WANTED(STOP, DONE_PATTERN)}, 2,
	"[ralph] agent: done pattern matched, stopping loop\n"},
    {{SIGNALLED(EXPENSIVE)}, 1,
	"[ralph] agent: warning: done pattern is too expensive to match; it is switched off\n"},
    {{SIGNALLED(EXPENSIVE), {.kind = FACT_ALERT, .text = "too expensive"}}, 2,
	"[ralph] agent: ALERT: too expensive\n"},
    {{SIGNALLED(IDLE), {.kind = FACT_ENDING, .verdict = VERDICT_IDLE}}, 2, ""},
    {{WANTED(PAUSE, NONE)}, 1, "[ralph] agent: paused\n"},
    {{WANTED(LEAVE, NONE)}, 1, "[ralph] agent: received SIGTERM, pausing loop\n"},
    {{WANTED(RUN, NONE)}, 1, "[ralph] agent: resumed\n"},
    {{{.kind = FACT_REOPENED}}, 1, "[ralph] agent: resumed\n"},
    {{WANTED(STOP, STOPPED)}, 1, "[ralph] agent: stopping\n"},
    {{WANTED(STOP, INTERRUPTED)}, 1, "[ralph] agent: stopping\n"},
    {{WANTED(STOP, FAILURES)}, 1, ""},
    {{WANTED(STOP, MAX_RUNTIME)}, 1, ""},
    {{{.kind = FACT_EDITED, .key = "max_iterations", .value = 200}}, 1,
	"[ralph] agent: max iterations is now 200\n"},
    {{{.kind = FACT_EDITED, .key = "max_iterations", .value = UNLIMITED}}, 1,
	"[ralph] agent: max iterations is now unlimited\n"},
    {{{.kind = FACT_DELAYED, .delay = S}}, 1, ""},
    {{{.kind = FACT_OPENED}, {.kind = FACT_SUPERVISED}, {.kind = FACT_RUNNING}}, 3, ""},
    {{{.kind = FACT_ALERT, .text = "evil \033[2J\n\xe2\x80\xae\xff"}}, 1,
	"[ralph] agent: ALERT: evil \\x1b[2J \\u{202e}\\xff\n"},
    {{FINISHED(DONE_PATTERN, 47)}, 1, "[ralph] agent: loop complete after 47 iterations\n"},
    {{FINISHED(MAX_ITERATIONS, 10)}, 1, "[ralph] agent: loop complete after 10 iterations\n"},
    {{FINISHED(NO_WORK, 3)}, 1, "[ralph] agent: loop complete after 3 iterations\n"},
    {{FINISHED(NOT_DONE, 1)}, 1,
	"[ralph] agent: 5 iterations used, and the done pattern never matched\n"},
    {{FINISHED(OUT_OF_TIME, 5)}, 1,
	"[ralph] agent: max runtime reached after 5 iterations, and the done pattern never "
	"matched\n"},
    {{FINISHED(MAX_RUNTIME, 12)}, 1,
	"[ralph] agent: max runtime reached after 12 iterations, stopping loop\n"},
    {{FINISHED(STOPPED, 3)}, 1,
	"[ralph] agent: stopped after 3 iterations (resume with: ralph resume agent)\n"},
    {{FINISHED(INTERRUPTED, 3)}, 1,
	"[ralph] agent: stopped after 3 iterations (resume with: ralph resume agent)\n"},
    {{FINISHED(TERMINATED, 3)}, 1,
	"[ralph] agent: stopped after 3 iterations (resume with: ralph resume agent)\n"},
    {{FINISHED(SOURCE_ERROR, 3)}, 1, ""},
};

static void
every_fact_has_its_line(void **unused UNUSED)
{
	struct loop_state s = state_of(100, 5);
	AUTO_BUF got = BUF_INIT;

	s.policy.sought = 1;
	for (size_t i = 0; i < ARRAY_LEN(going_on); i++) {
		lines_of(going_on[i].facts, going_on[i].n, &s, &got);
		assert_string_equal(got.data, going_on[i].lines);
	}
}

static void
limits_may_be_unlimited(void **unused UNUSED)
{
	struct fact started = {.kind = FACT_STARTED, .iteration = 5};
	struct fact failed[] = {ENDED(FAILED, EXIT_CODE, 1, S), BACKOFF};
	struct loop_state s = state_of(UNLIMITED, 5);
	AUTO_BUF got = BUF_INIT;

	s.policy.max_failures = UNLIMITED;
	lines_of(&started, 1, &s, &got);
	assert_string_equal(got.data, "[ralph] agent: starting iteration 5/unlimited\n");
	lines_of(failed, 2, &s, &got);
	assert_string_equal(got.data,
	    "[ralph] agent: iteration 5 failed (exit: 1), retrying in 4s (attempt "
	    "3/unlimited)\n");
}

static void
seconds_may_have_a_fraction(void **unused UNUSED)
{
	struct fact idle = ENDED(IDLE, EXIT_SIGNAL, 15, S);
	struct loop_state s = state_of(100, 5);
	AUTO_BUF got = BUF_INIT;

	s.policy.inactivity_timeout = 3 * S / 2;
	lines_of(&idle, 1, &s, &got);
	assert_string_equal(got.data, "[ralph] agent: inactivity timeout (1.5s), restarting\n");
}

/* "restarting" is said only when something is restarted. */
static void
nothing_is_promised_that_does_not_come(void **unused UNUSED)
{
	struct fact idle = ENDED(IDLE, EXIT_SIGNAL, 15, S);
	struct fact lost = ENDED(LOST, EXIT_UNKNOWN, 0, S);
	struct loop_state last = state_of(5, 5);
	struct loop_state paused = state_of(100, 5);
	struct loop_state over = state_of(100, 5);
	AUTO_BUF got = BUF_INIT;

	lines_of(&idle, 1, &last, &got);
	assert_string_equal(got.data, "[ralph] agent: inactivity timeout (60s)\n");
	paused.wanted = WANT_PAUSE;
	lines_of(&idle, 1, &paused, &got);
	assert_string_equal(got.data, "[ralph] agent: inactivity timeout (60s)\n");
	lines_of(&lost, 1, &paused, &got);
	assert_string_equal(got.data, "[ralph] agent: iteration 5 lost (nobody saw it end)\n");
	over.phase = PHASE_FINISHED;
	lines_of(&idle, 1, &over, &got);
	assert_string_equal(got.data, "[ralph] agent: inactivity timeout (60s)\n");
}

static void
the_last_start_of_the_same_decision_counts(void **unused UNUSED)
{
	struct fact facts[] = {
	    ENDED(IDLE, EXIT_SIGNAL, 15, S), {.kind = FACT_STARTED, .iteration = 6}};
	struct loop_state s = state_of(6, 6);
	AUTO_BUF got = BUF_INIT;

	lines_of(facts, 2, &s, &got);
	assert_string_equal(got.data, "[ralph] agent: inactivity timeout (60s), restarting\n"
				      "[ralph] agent: starting iteration 6/6\n");
}

static void
five_failures_stop_the_loop(void **unused UNUSED)
{
	struct fact facts[] = {ENDED(FAILED, EXIT_CODE, 1, S), FINISHED(FAILURES, 5),
	    {.kind = FACT_ALERT, .text = "loop failed: 5 consecutive failures"}};
	struct loop_state s = state_of(100, 5);
	AUTO_BUF got = BUF_INIT;

	s.phase = PHASE_FINISHED;
	s.failures = 5;
	lines_of(facts, 3, &s, &got);
	assert_string_equal(got.data,
	    "[ralph] agent: iteration 5 failed (exit: 1)\n"
	    "[ralph] agent: 5 consecutive failures, stopping loop\n"
	    "[ralph] agent: ALERT: loop failed: 5 consecutive failures\n");
}

static void
a_running_agent_is_allowed_to_finish(void **unused UNUSED)
{
	struct fact pause = WANTED(PAUSE, NONE), leave = WANTED(LEAVE, NONE);
	struct loop_state s = state_of(100, 5);
	AUTO_BUF got = BUF_INIT;

	s.sessions[0].state = SESSION_RUNNING;
	lines_of(&pause, 1, &s, &got);
	assert_string_equal(
	    got.data, "[ralph] agent: pausing (the current agent will finish)\n");
	lines_of(&leave, 1, &s, &got);
	assert_string_equal(got.data,
	    "[ralph] agent: received SIGTERM, pausing loop (current agent will complete)\n");
}

/* ---- streams ------------------------------------------------------------------ */

static void
decision(struct console *c, const struct fact *facts, size_t n, const struct loop_state *state)
{
	struct views views = {.n = 0};

	views_add(&views, &c->view);
	views_fold(
	    &views, &(struct decided){.loop = "agent", .facts = facts, .n = n, .state = state});
	views_close(&views);
}

struct streams {
	struct scratch tmp;
	struct console c;
	struct buf out, err;
};

static void
streams_open(struct streams *s, bool json, bool quiet)
{
	scratch_open(&s->tmp);
	console_init(&s->c, "agent", json, quiet);
	s->c.out = openat(s->tmp.dir, "out", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	s->c.err = openat(s->tmp.dir, "err", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
	s->c.out_colour = s->c.err_colour = false;
	buf_init(&s->out);
	buf_init(&s->err);
}

static void
streams_say(struct streams *s)
{
	static const struct fact facts[] = {ENDED(FAILED, EXIT_CODE, 1, S),
	    FINISHED(FAILURES, 5), {.kind = FACT_ALERT, .text = "loop failed"}};
	struct loop_state state = state_of(100, 5);

	state.failures = 5;
	decision(&s->c, facts, ARRAY_LEN(facts), &state);
	scratch_read(&s->tmp, "out", &s->out);
	scratch_read(&s->tmp, "err", &s->err);
}

static void
streams_tell(struct streams *s, const struct fact *f)
{
	struct loop_state state = state_of(100, 5);

	decision(&s->c, f, 1, &state);
	scratch_read(&s->tmp, "out", &s->out);
}

static void
streams_close(struct streams *s)
{
	console_close(&s->c);
	close(s->c.out);
	close(s->c.err);
	buf_release(&s->out);
	buf_release(&s->err);
	scratch_close(&s->tmp);
}

static void
alerts_go_to_stderr(void **unused UNUSED)
{
	struct streams s;

	streams_open(&s, false, false);
	streams_say(&s);
	assert_string_equal(s.out.data,
	    "[ralph] agent: iteration 5 failed (exit: 1)\n"
	    "[ralph] agent: 5 consecutive failures, stopping loop\n");
	assert_string_equal(s.err.data, "[ralph] agent: ALERT: loop failed\n");
	streams_close(&s);
}

static void
quiet_leaves_the_alerts_and_the_end(void **unused UNUSED)
{
	struct streams s;

	streams_open(&s, false, true);
	streams_say(&s);
	assert_string_equal(
	    s.out.data, "[ralph] agent: 5 consecutive failures, stopping loop\n");
	assert_string_equal(s.err.data, "[ralph] agent: ALERT: loop failed\n");
	streams_close(&s);
}

static void
json_is_one_object_a_line(void **unused UNUSED)
{
	struct streams s;
	size_t n = 0;

	streams_open(&s, true, false);
	streams_say(&s);
	for (char *line = s.out.data; *line != '\0'; n++) {
		size_t len = strcspn(line, "\n");
		AUTO_JSON *v = json_parse(line, len, "event", NULL);

		assert_string_equal(json_str(v, "loop", ""), "agent");
		assert_non_null(json_object_get(v, "event"));
		line += len + 1;
	}
	assert_int_equal(n, 3);
	assert_string_equal(s.err.data, "");
	streams_close(&s);
}

static void
colours_wrap_the_line(void **unused UNUSED)
{
	struct streams s;

	streams_open(&s, false, true);
	s.c.out_colour = s.c.err_colour = true;
	streams_say(&s);
	assert_string_equal(s.out.data,
	    "\033[31m[ralph] agent: 5 consecutive failures, stopping loop\033[0m\n");
	assert_string_equal(s.err.data, "\033[31m[ralph] agent: ALERT: loop failed\033[0m\n");
	streams_close(&s);
}

static const char *
colour_of_end(enum end_reason reason)
{
	struct fact f = {.kind = FACT_FINISHED, .reason = reason, .iteration = 6};
	static char start[6];
	struct streams s;

	streams_open(&s, false, true);
	s.c.out_colour = true;
	(void)snprintf(f.text, sizeof(f.text), "6 failed (T-1, ...)");
	streams_tell(&s, &f);
	(void)snprintf(start, sizeof(start), "%.5s", s.out.data);
	streams_close(&s);
	return start;
}

/* What waits for somebody did not go well, whatever the exit code. */
static void
only_success_is_green(void **unused UNUSED)
{
	assert_string_equal(colour_of_end(END_NO_WORK), "\033[32m");
	assert_string_equal(colour_of_end(END_WAITING), "\033[33m");
	assert_string_equal(colour_of_end(END_SOME_FAILED), "\033[31m");
}

static void
nobody_listening_is_no_error(void **unused UNUSED)
{
	struct fact f = {.kind = FACT_ALERT, .text = "x"};
	struct loop_state state = state_of(100, 5);
	struct console c;

	console_init(&c, "agent", false, false);
	c.out = c.err = -1;
	decision(&c, &f, 1, &state);
	console_close(&c);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(every_fact_has_its_line),
	    cmocka_unit_test(limits_may_be_unlimited),
	    cmocka_unit_test(seconds_may_have_a_fraction),
	    cmocka_unit_test(nothing_is_promised_that_does_not_come),
	    cmocka_unit_test(the_last_start_of_the_same_decision_counts),
	    cmocka_unit_test(five_failures_stop_the_loop),
	    cmocka_unit_test(a_running_agent_is_allowed_to_finish),
	    cmocka_unit_test(alerts_go_to_stderr),
	    cmocka_unit_test(quiet_leaves_the_alerts_and_the_end),
	    cmocka_unit_test(json_is_one_object_a_line),
	    cmocka_unit_test(colours_wrap_the_line),
	    cmocka_unit_test(only_success_is_green),
	    cmocka_unit_test(nobody_listening_is_no_error),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
