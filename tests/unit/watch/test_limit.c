/* What stops an agent through no fault of its own, from what agents really print. */
#include "watch/limit.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <time.h>

#include <cmocka.h>

/* 2026-03-04 12:00:00 UTC. */
#define NOON (INT64_C(1772625600) * NSEC_PER_SEC)

static json_t *
says_of(const char *agent)
{
	AUTO_FREE char *path = xasprintf(AGENTS "/%s.json", agent);
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON *file = NULL;

	assert_int_equal(fs_read(AT_FDCWD, path, 1 << 20, &text, NULL), 0);
	file = json_parse(text.data, text.len, path, NULL);
	assert_non_null(file);
	return json_incref(json_object_get(file, "says"));
}

struct said {
	const char *agent, *out, *err, *prompt;
	int status;
};

static struct limit_found
judge(const struct said *said)
{
	AUTO_JSON *own = says_of(said->agent);
	AUTO_JSON *common = says_of("default");
	const json_t *says[] = {own, common, NULL};
	struct limit_found found = {.text = BUF_INIT};
	struct tail out = {.bytes = BUF_INIT}, err = {.bytes = BUF_INIT};
	AUTO_BUF prompt = BUF_INIT;
	struct err why = ERR_INIT;
	struct limit_rules *rules = limit_rules_new(says, &why);

	assert_non_null(rules);
	limit_tail_add(&out, said->out, strlen(said->out));
	if (said->err != NULL)
		limit_tail_add(&err, said->err, strlen(said->err));
	if (said->prompt != NULL)
		buf_adds(&prompt, said->prompt);
	assert_int_equal(limit_judge(&(struct limit_case){.rules = rules,
					 .out = &out,
					 .err = &err,
					 .prompt = &prompt,
					 .failed = said->status != 0,
					 .now = NOON},
			     &found, &why),
	    0);
	limit_rules_free(rules);
	limit_tail_release(&out);
	limit_tail_release(&err);
	return found;
}

static void
expect(const struct said *said, enum limit_kind kind, const char *text, int64_t resets)
{
	struct limit_found found = judge(said);

	if (found.kind != kind)
		fail_msg(
		    "%s: %d, not %d: %s", said->agent, (int)found.kind, (int)kind, said->out);
	if (text != NULL)
		assert_string_equal(found.text.data, text);
	assert_int_equal(found.resets, resets == 0 ? 0 : NOON + resets * NSEC_PER_SEC);
	buf_release(&found.text);
}

static void
expect_stream(
    const char *agent, const char *file, int status, enum limit_kind kind, int64_t resets)
{
	AUTO_FREE char *path = xasprintf(STREAMS "/%s.jsonl", file);
	AUTO_BUF text = BUF_INIT;

	assert_int_equal(fs_read(AT_FDCWD, path, 1 << 20, &text, NULL), 0);
	expect(&(struct said){agent, text.data, NULL, NULL, status}, kind, NULL, resets);
}

static void
streams_of_real_agents(void **state UNUSED)
{
	expect_stream("claude", "claude-2.1.197-429", 1, LIMIT_RATE, 0);
	expect_stream("claude", "claude-2.1.197-529", 1, LIMIT_RATE, 0);
	expect_stream("claude", "claude-2.1.197-401", 1, LIMIT_LOGIN, 0);
	expect_stream("claude", "claude-2.1.197-ok", 0, LIMIT_NONE, 0);
	expect_stream("codex", "codex-0.166-429", 1, LIMIT_RATE, 39000);
	expect_stream("codex", "codex-0.166-429r", 1, LIMIT_RATE, 0);
	expect_stream("codex", "codex-0.166-401", 1, LIMIT_LOGIN, 0);
	expect_stream("codex", "codex-0.166-ok", 0, LIMIT_NONE, 0);
	/* This agent ends with 0, whatever happened. */
	expect_stream("pi", "pi-0.74-429", 0, LIMIT_RATE, 21);
	expect_stream("pi", "pi-0.74-ok", 0, LIMIT_NONE, 0);
}

static void
the_texts_of_claude(void **state UNUSED)
{
	static const struct {
		const char *text;
		enum limit_kind kind;
		int64_t resets;
	} texts[] = {
	    {"You've hit your session limit · resets 3pm (UTC)", LIMIT_RATE, 10800},
	    {"You\u2019ve hit your weekly limit \u2219 resets Mar 6, 3pm (UTC)", LIMIT_RATE,
		183600},
	    {"You've hit your limit · resets 6am (UTC)", LIMIT_RATE, 64800},
	    {"You've reached your Opus limit · resets 3pm (UTC)", LIMIT_RATE, 10800},
	    {"Claude AI usage limit reached|1772629200", LIMIT_RATE, 3600},
	    {"Claude usage limit reached. Your limit will reset at 3pm (UTC).", LIMIT_RATE,
		10800},
	    {"5-hour limit reached \u2219 resets 3pm (UTC)", LIMIT_RATE, 10800},
	    {"Limit reached · resets 3pm (UTC) · /upgrade to Max", LIMIT_RATE, 10800},
	    {"API Error: Server is temporarily limiting requests (not your usage limit) "
	     "· Rate limited",
		LIMIT_RATE, 0},
	    {"API Error: Rate limit reached", LIMIT_RATE, 0},
	    {"Repeated 529 Overloaded errors", LIMIT_RATE, 0},
	    {"Not logged in · Please run /login", LIMIT_LOGIN, 0},
	    {"Invalid API key · Fix external API key", LIMIT_LOGIN, 0},
	    {"Credit balance is too low", LIMIT_BILLING, 0},
	    {"You're out of usage credits", LIMIT_BILLING, 0},
	    {"Your org is out of usage · add funds to continue", LIMIT_BILLING, 0},
	    {"Your usage allocation has been disabled by your admin", LIMIT_BILLING, 0},
	    {"Your group's usage limit is set to $0", LIMIT_BILLING, 0},
	    {"Error: Reached max turns (3)", LIMIT_NONE, 0},
	    {"Execution error", LIMIT_NONE, 0},
	};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++)
		expect(&(struct said){"claude", texts[i].text, NULL, NULL, 1}, texts[i].kind,
		    NULL, texts[i].resets);
}

static void
the_moment_of_an_event_counts_more_than_words(void **state UNUSED)
{
	expect(
	    &(struct said){"claude",
		"{\"type\":\"rate_limit_event\",\"rate_limit_info\":{\"status\":\"rejected\","
		"\"resetsAt\":1772640000,\"rateLimitType\":\"five_hour\"}}\n"
		"{\"type\":\"result\",\"is_error\":true,\"result\":\"You've hit your session "
		"limit\"}\n",
		NULL, NULL, 1},
	    LIMIT_RATE, "You've hit your session limit", 14400);
	expect(&(struct said){"claude",
		   "{\"type\":\"rate_limit_event\",\"rate_limit_info\":{\"status\":\"allowed\","
		   "\"resetsAt\":1772640000,\"overageStatus\":\"rejected\"}}\n",
		   NULL, NULL, 1},
	    LIMIT_NONE, NULL, 0);
	/* The agent was let in after all. */
	expect(&(struct said){"claude",
		   "{\"type\":\"rate_limit_event\",\"rate_limit_info\":{\"status\":"
		   "\"rejected\"}}\n"
		   "{\"type\":\"result\",\"is_error\":false,\"result\":\"done\"}\n",
		   NULL, NULL, 0},
	    LIMIT_NONE, NULL, 0);
}

static void
what_is_over_has_left_nothing(void **state UNUSED)
{
	static const char rejected[] =
	    "{\"type\":\"assistant\",\"error\":\"rate_limit\",\"message\":{\"content\":"
	    "[{\"text\":\"You've hit your limit · resets 3pm (UTC)\"}]}}\n";
	static const char passed[] = "{\"type\":\"result\",\"is_error\":false}\n";
	static const char again[] =
	    "{\"type\":\"rate_limit_event\",\"rate_limit_info\":{\"status\":\"rejected\"}}\n";
	AUTO_FREE char *over = xasprintf("%s%s", rejected, passed);
	AUTO_FREE char *anew = xasprintf("%s%s", over, again);

	expect(&(struct said){"claude", rejected, NULL, NULL, 1}, LIMIT_RATE, NULL, 10800);
	expect(&(struct said){"claude", over, NULL, NULL, 1}, LIMIT_NONE, "", 0);
	/* The second event has no words, and does not get those of the first. */
	expect(&(struct said){"claude", anew, NULL, NULL, 1}, LIMIT_RATE, "", 0);
}

/* Numbers that look like a moment once they have wrapped around. */
static void
a_moment_that_no_clock_can_show_is_none(void **state UNUSED)
{
	static const char *const moments[] = {"20220000000", "9300000000", "1e300", "-1e300"};

	for (size_t i = 0; i < ARRAY_LEN(moments); i++) {
		AUTO_FREE char *event = xasprintf("{\"type\":\"rate_limit_event\","
						  "\"rate_limit_info\":{"
						  "\"status\":\"rejected\",\"resetsAt\":%s}}\n",
		    moments[i]);

		expect(&(struct said){"claude", event, NULL, NULL, 1}, LIMIT_RATE, NULL, 0);
	}
	expect(
	    &(struct said){"opencode",
		"{\"type\":\"error\",\"error\":{\"data\":{\"message\":\"slow\","
		"\"statusCode\":429,\"responseHeaders\":{\"retry-after\":\"18500000000\"}}}}",
		NULL, NULL, 1},
	    LIMIT_RATE, "slow", 0);
}

static void
other_agents(void **state UNUSED)
{
	expect(&(struct said){"opencode",
		   "{\"type\":\"error\",\"error\":{\"name\":\"APIError\",\"data\":{"
		   "\"message\":\"Rate limit reached\",\"statusCode\":429,"
		   "\"responseHeaders\":{\"retry-after\":\"3\"}}}}",
		   NULL, NULL, 1},
	    LIMIT_RATE, "Rate limit reached", 3);
	expect(&(struct said){"gemini",
		   "[API Error: You have exhausted your daily quota on this model.]\n"
		   "Please wait and try again later.\n",
		   NULL, NULL, 173},
	    LIMIT_RATE, NULL, 0);
	expect(&(struct said){"codex", "",
		   "ERROR: You\u2019ve hit your usage limit. "
		   "Visit https://chatgpt.com/settings/usage to purchase more credits or try "
		   "again at 10:50 PM.\n",
		   NULL, 1},
	    LIMIT_RATE, NULL, 39000);
	expect(&(struct said){"codex", "",
		   "Quota exceeded. Check your plan and billing details.\n", NULL, 1},
	    LIMIT_BILLING, NULL, 0);
	/* The seed's words, for any agent. */
	expect(&(struct said){"default", "", "request failed: rate limit exceeded\n", NULL, 1},
	    LIMIT_RATE, NULL, 0);
	expect(&(struct said){"default", "", "HTTP 429: Too Many Requests\n", NULL, 1},
	    LIMIT_RATE, NULL, 0);
}

static void
what_only_looks_like_it_is_none(void **state UNUSED)
{
	static const struct said innocent[] = {
	    /* a bare number */
	    {"claude", "test_api.py: 429 passed, 1 failed\n", "line 429: error\n", NULL, 1},
	    /* an agent that works on rate limits, and fails for another reason */
	    {"claude", "I added the rate limit to api.py.\n", NULL, NULL, 1},
	    /* the same, in a tool's output */
	    {"claude",
		"{\"type\":\"user\",\"message\":{\"content\":[{\"type\":\"tool_result\","
		"\"content\":\"HTTP 429 Too Many Requests: rate limit\"}]}}\n"
		"{\"type\":\"result\",\"is_error\":true,\"result\":\"Execution error\"}\n",
		NULL, NULL, 1},
	    /* plain words of an agent that ended well */
	    {"claude", "You've hit your session limit · resets 3pm (UTC)\n", NULL, NULL, 0},
	    {"default", "", "warning: rate limit at 80 percent\n", NULL, 0},
	    /* the prompt, repeated */
	    {"codex", "", "user: handle 'too many requests' properly\n",
		"user: handle 'too many requests' properly\n", 1},
	    {"codex",
		"{\"type\":\"error\",\"message\":\"Reconnecting... 1/5 (429)\"}\n"
		"{\"type\":\"turn.completed\"}\n",
		NULL, NULL, 0},
	    {"claude", "{\"type\":\"result\",\"is_error\":true}\n{\"type\":", NULL, NULL, 1},
	};

	for (size_t i = 0; i < ARRAY_LEN(innocent); i++)
		expect(&innocent[i], LIMIT_NONE, NULL, 0);
}

static void
only_the_last_words_count(void **state UNUSED)
{
	AUTO_BUF out = BUF_INIT;

	buf_adds(&out, "You've hit your session limit · resets 3pm (UTC)\n");
	for (int i = 0; i < TAIL_LINES - 1; i++)
		buf_adds(&out, "more\n");
	expect(&(struct said){"claude", out.data, NULL, NULL, 1}, LIMIT_RATE, NULL, 10800);
	buf_adds(&out, "and more\n");
	expect(&(struct said){"claude", out.data, NULL, NULL, 1}, LIMIT_NONE, NULL, 0);
}

static void
a_tail_keeps_the_end_of_much(void **state UNUSED)
{
	struct tail t = {.bytes = BUF_INIT};
	AUTO_BUF piece = BUF_INIT;

	for (int i = 0; i < 1000; i++)
		buf_addf(&piece, "%063d\n", i);
	for (int i = 0; i < 50; i++)
		limit_tail_add(&t, piece.data, piece.len);
	assert_true(t.bytes.len <= 2 * TAIL_BYTES && t.bytes.len >= piece.len);
	assert_memory_equal(
	    t.bytes.data + t.bytes.len - 1000, piece.data + piece.len - 1000, 1000);
	for (int i = 0; i < 5000; i++)
		buf_adds(&piece, "much more than it keeps\n");
	limit_tail_add(&t, piece.data, piece.len);
	assert_int_equal(t.bytes.len, TAIL_BYTES);
	assert_true(t.cut);
	assert_false(limit_tail_has_objects(&t));
	limit_tail_add(&t, "\n{\"a\":1}", 8);
	assert_true(limit_tail_has_objects(&t));
	limit_tail_release(&t);
}

static void
rules_that_make_no_sense_are_refused(void **state UNUSED)
{
	static const char *const rules[] = {"{\"limit\":[\"(\"]}", "{\"limit\":[1]}",
	    "{\"limit\":\"limit\"}", "{\"events\":{\"type\":\"x\"}}", "{\"events\":[1]}",
	    "{\"events\":[{\"where\":{\"type\":\"x\"},\"kind\":\"odd\"}]}"};

	for (size_t i = 0; i < ARRAY_LEN(rules); i++) {
		AUTO_JSON *own = json_parse(rules[i], strlen(rules[i]), "rules", NULL);
		const json_t *says[] = {own, NULL};
		struct err err = ERR_INIT;

		assert_null(limit_rules_new(says, &err));
		assert_true(err.text[0] != '\0');
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(streams_of_real_agents),
	    cmocka_unit_test(the_texts_of_claude),
	    cmocka_unit_test(the_moment_of_an_event_counts_more_than_words),
	    cmocka_unit_test(what_is_over_has_left_nothing),
	    cmocka_unit_test(a_moment_that_no_clock_can_show_is_none),
	    cmocka_unit_test(other_agents),
	    cmocka_unit_test(what_only_looks_like_it_is_none),
	    cmocka_unit_test(only_the_last_words_count),
	    cmocka_unit_test(a_tail_keeps_the_end_of_much),
	    cmocka_unit_test(rules_that_make_no_sense_are_refused),
	};

	setenv("TZ", "UTC", 1);
	tzset();
	return cmocka_run_group_tests(tests, NULL, NULL);
}
