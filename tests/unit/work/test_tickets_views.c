/* The seeds' files of a run over tickets, to the letter, and what others do to them. */
#include "../record/scratch.h"
#include "base/clock.h"
#include "base/json.h"
#include "loop/friendly.h"
#include "work/tickets/views/tickets_view.h"

#define S NSEC_PER_SEC
#define T0 INT64_C(1705314600000000000) /* 2024-01-15T10:30:00Z */
#define AT(s)                                     \
	{                                         \
		.boot = (s)*S, .wall = T0 + (s)*S \
	}
#define UID "00c0ffee00c0ffee"
#define RUN_ID "00c0ffee-00c0-8ffe-800c-0ffee00c0ffe"
#define STATE ".tf/ralph/dispatch-loop-state.json"
#define PROGRESS ".tf/ralph/progress.md"
#define SESSIONS ".tf/ralph/dispatch-sessions.json"
#define LESSONS ".tf/ralph/AGENTS.md"

/* A run: its facts so far, and the views of them. */
struct run {
	struct scratch tmp;
	struct settings settings;
	struct loop_state state;
	struct view *view;
	struct tickets_view *tickets; /* the same */
	struct fact facts[64];
	size_t nfacts;
	struct err err;
};

static char worktrees_dir[] = "/srv/wt";

static void
view_open(struct run *r)
{
	r->view = tickets_view.open(
	    &(struct view_of){
		.loop = "myproject-loop", .settings = &r->settings, .state = &r->state},
	    &r->err);
	assert_non_null(r->view);
	r->tickets = (struct tickets_view *)r->view;
}

static void
view_tell(struct run *r, const struct fact *f)
{
	tickets_view.fact(
	    r->view, &(struct decided){.facts = f, .n = 1, .state = &r->state}, f);
}

static void
run_open(struct run *r)
{
	memset(r, 0, sizeof(*r));
	scratch_open(&r->tmp);
	assert_int_equal(mkdirat(r->tmp.dir, ".tf", 0700), 0);
	assert_int_equal(mkdirat(r->tmp.dir, ".tf/ralph", 0700), 0);
	r->settings = (struct settings){.root = r->tmp.path,
	    .max_iterations = 10,
	    .max_failures = UNLIMITED,
	    .parallel = 2,
	    .attempts = 1,
	    .lands = true,
	    .worktrees = true,
	    .worktrees_dir = worktrees_dir};
	loop_init(&r->state, &r->settings, REGIME_LANDED);
	view_open(r);
}

static void
run_close(struct run *r)
{
	tickets_view.close(r->view);
	scratch_close(&r->tmp);
}

static void
write_now(struct run *r)
{
	if (tickets_view.write(r->view, &r->state, &r->err) < 0)
		fail_msg("%s", r->err.text);
}

static void
tell(struct run *r, struct fact f)
{
	assert_true(r->nfacts < ARRAY_LEN(r->facts));
	r->facts[r->nfacts++] = f;
	loop_apply(&r->state, &f);
	view_tell(r, &f);
	write_now(r);
}

/* As another process would find it, later: the journal is told anew. */
static void
run_reopen(struct run *r)
{
	tickets_view.close(r->view);
	view_open(r);
	for (size_t i = 0; i < r->nfacts; i++)
		view_tell(r, &r->facts[i]);
	write_now(r);
}

static struct fact
fact_of(enum fact_kind kind, int64_t at, int64_t iteration, const char *ticket)
{
	struct fact f = {.kind = kind, .at = AT(at), .iteration = iteration, .attempt = 1};

	snprintf(f.session, sizeof(f.session), UID "-%d", (int)iteration);
	snprintf(f.task, sizeof(f.task), "%s", ticket);
	return f;
}

static void
tell_opened(struct run *r)
{
	tell(r, (struct fact){.kind = FACT_OPENED, .at = AT(0), .uid = UID});
}

static void
tell_started(struct run *r, int64_t at, int64_t iteration, const char *ticket)
{
	struct fact f = fact_of(FACT_STARTED, at, iteration, ticket);

	snprintf(f.title, sizeof(f.title), "Title of %s", ticket);
	tell(r, f);
	f = fact_of(FACT_RUNNING, at, iteration, ticket);
	f.pid = 4000000;
	tell(r, f);
}

static void
tell_landed(struct run *r, int64_t at, int64_t iteration, const char *ticket, enum verdict v,
    const char *text)
{
	struct fact f = fact_of(FACT_ENDED, at, iteration, ticket);

	f.verdict = v;
	f.exit = (struct exit_status){EXIT_CODE, v == VERDICT_DONE ? 0 : 1};
	f.duration = 222 * S;
	f.landing = 1;
	tell(r, f);
	f = fact_of(FACT_LANDED, at + 1, iteration, ticket);
	f.verdict = v;
	snprintf(f.text, sizeof(f.text), "%s", text);
	tell(r, f);
}

static void
tell_finished(struct run *r, int64_t at, enum end_reason reason)
{
	tell(r, (struct fact){.kind = FACT_FINISHED, .at = AT(at), .reason = reason});
}

static void
friendly(int64_t iteration, char out[FRIENDLY_MAX])
{
	friendly_name(UID, iteration, out);
}

/* The file, with the friendly names of the first three sessions as ONE, TWO and THREE. */
static void
read_named(struct run *r, const char *file, struct buf *out)
{
	static const char *const names[] = {"ONE", "TWO", "THREE"};
	AUTO_BUF text = BUF_INIT;
	char words[FRIENDLY_MAX];

	scratch_read(&r->tmp, file, &text);
	for (size_t i = 0; i < text.len;) {
		size_t step = 0;

		for (int64_t n = 0; n < 3 && step == 0; n++) {
			friendly(n + 1, words);
			if (strncmp(text.data + i, words, strlen(words)) == 0) {
				step = strlen(words);
				buf_adds(out, names[n]);
			}
		}
		if (step == 0)
			buf_addc(out, text.data[i]);
		i += step == 0 ? 1 : step;
	}
}

static size_t
occurrences(const char *text, const char *part)
{
	size_t n = 0;

	for (; (text = strstr(text, part)) != NULL; text++)
		n++;
	return n;
}

static void
assert_has(const struct buf *text, const char *part)
{
	if (strstr(text->data, part) == NULL)
		fail_msg("no '%s' in:\n%s", part, text->data);
}

static void
assert_lacks(const struct buf *text, const char *part)
{
	if (strstr(text->data, part) != NULL)
		fail_msg("'%s' in:\n%s", part, text->data);
}

/* Seed 001's example: three tickets, two at a time, one fails. */
static void
tell_example(struct run *r)
{
	tell_opened(r);
	tell_started(r, 1, 1, "pt-123");
	tell_started(r, 2, 2, "pt-456");
	tell_landed(r, 223, 1, "pt-123", VERDICT_DONE, "");
	tell_started(r, 225, 3, "pt-789");
	tell_landed(r, 300, 2, "pt-456", VERDICT_FAILED, "");
	tell_landed(r, 400, 3, "pt-789", VERDICT_DONE, "");
}

static void
progress_has_the_seeds_blocks(void **unused UNUSED)
{
	struct run r;
	AUTO_BUF got = BUF_INIT;
	AUTO_BUF completed = BUF_INIT;
	AUTO_BUF failed = BUF_INIT;

	run_open(&r);
	tell_example(&r);
	tickets_view_names(r.tickets, &completed, &failed);
	assert_string_equal(completed.data, "pt-123, pt-789");
	assert_string_equal(failed.data, "pt-456");
	tell_finished(&r, 402, END_SOME_FAILED);
	read_named(&r, PROGRESS, &got);
	assert_string_equal(got.data,
	    "# Ralph Loop Progress\n"
	    "\n"
	    "## Current State\n"
	    "\n"
	    "- Status: INCOMPLETE\n"
	    "- Current ticket: (none)\n"
	    "- Started: 2024-01-15T10:30:00Z\n"
	    "- Last updated: 2024-01-15T10:36:42Z\n"
	    "- Tickets started: 3\n"
	    "- Active sessions: 0\n"
	    "- Latest outcomes: pt-789 COMPLETE, pt-456 FAILED, pt-123 COMPLETE\n"
	    "- Reason: some_failed. Some tickets failed; what they left is kept.\n"
	    "\n"
	    "## Statistics\n"
	    "- Iterations: 3\n"
	    "- Completed: 2\n"
	    "- Failed: 1\n"
	    "- Last updated: 2024-01-15T10:36:42Z\n"
	    "\n"
	    "## History\n"
	    "\n"
	    "<!-- Auto-appended entries below -->\n"
	    "\n"
	    "### pt-123: COMPLETE\n"
	    "- Started: 2024-01-15T10:30:01Z\n"
	    "- Completed: 2024-01-15T10:33:44Z\n"
	    "- Duration: 3m 42s\n"
	    "- Session: ONE\n"
	    "- Summary: Title of pt-123\n"
	    "\n"
	    "---\n"
	    "\n"
	    "### pt-456: FAILED\n"
	    "- Started: 2024-01-15T10:30:02Z\n"
	    "- Completed: 2024-01-15T10:35:01Z\n"
	    "- Duration: 3m 42s\n"
	    "- Session: TWO\n"
	    "- Summary: failed (exit 1)\n"
	    "\n"
	    "---\n"
	    "\n"
	    "### pt-789: COMPLETE\n"
	    "- Started: 2024-01-15T10:33:45Z\n"
	    "- Completed: 2024-01-15T10:36:41Z\n"
	    "- Duration: 3m 42s\n"
	    "- Session: THREE\n"
	    "- Summary: Title of pt-789\n"
	    "\n"
	    "---\n"
	    "\n"
	    "## Loop Ended\n"
	    "\n"
	    "- Status: INCOMPLETE\n"
	    "- Ended: 2024-01-15T10:36:42Z\n"
	    "- Total iterations: 3\n"
	    "- Completed: 2\n"
	    "- Failed: 1\n"
	    "- Tickets: pt-123 (completed), pt-789 (completed), pt-456 (failed)\n"
	    "- Reason: some_failed. Some tickets failed; what they left is kept.\n"
	    "\n"
	    "---\n");
	run_close(&r);
}

static void
a_running_loop_shows_who_works(void **unused UNUSED)
{
	struct run r;
	AUTO_BUF got = BUF_INIT;

	run_open(&r);
	tell_opened(&r);
	tell_started(&r, 1, 1, "pt-123");
	tell_started(&r, 2, 2, "pt-456");
	read_named(&r, PROGRESS, &got);
	assert_has(&got, "- Status: RUNNING\n- Current ticket: pt-123, pt-456\n");
	assert_has(&got, "- Tickets started: 2\n- Active sessions: 2 (ONE, TWO)\n");
	assert_has(&got, "- Latest outcomes: (none)\n");
	run_close(&r);
}

static void
told_again_nothing_is_written_twice(void **unused UNUSED)
{
	struct run r;
	AUTO_BUF before = BUF_INIT;
	AUTO_BUF after = BUF_INIT;

	run_open(&r);
	tell_example(&r);
	tell_finished(&r, 402, END_NO_WORK);
	scratch_read(&r.tmp, PROGRESS, &before);
	for (int i = 0; i < 3; i++)
		run_reopen(&r);
	scratch_read(&r.tmp, PROGRESS, &after);
	assert_string_equal(after.data, before.data);
	assert_int_equal(occurrences(after.data, "\n### pt-"), 3);
	assert_int_equal(occurrences(after.data, "## Loop Complete"), 1);
	run_close(&r);
}

static void
a_kill_between_files_is_made_up_for(void **unused UNUSED)
{
	struct run r;
	AUTO_BUF got = BUF_INIT;

	run_open(&r);
	tell_example(&r);
	assert_int_equal(unlinkat(r.tmp.dir, PROGRESS, 0), 0);
	assert_int_equal(unlinkat(r.tmp.dir, STATE, 0), 0);
	run_reopen(&r);
	scratch_read(&r.tmp, PROGRESS, &got);
	assert_int_equal(occurrences(got.data, "\n### pt-"), 3);
	assert_true(scratch_has(&r.tmp, STATE));
	run_close(&r);
}

/* Earlier runs, other programs' counters and people's remarks. */
static void
what_others_wrote_stays(void **unused UNUSED)
{
	static const char old[] = "# Ralph Loop Progress\n"
				  "\n"
				  "## Current State\n"
				  "\n"
				  "- Status: RUNNING\n"
				  "- Current ticket: (none)\n"
				  "- Started: 2023-01-01T00:00:00Z\n"
				  "- Last updated: 2023-01-01T00:00:00Z\n"
				  "\n"
				  "A remark of mine.\n"
				  "\n"
				  "## Statistics\n"
				  "\n"
				  "- Tickets completed: 12\n"
				  "- Tickets failed: 3\n"
				  "\n"
				  "## History\n"
				  "\n"
				  "<!-- Auto-appended entries below -->\n"
				  "- old-1: COMPLETE (2023-01-01T00:00:00Z)\n"
				  "  - Summary: long ago\n";
	struct run r;
	AUTO_BUF got = BUF_INIT;

	run_open(&r);
	scratch_write(&r.tmp, PROGRESS, old, strlen(old));
	assert_int_equal(fchmodat(r.tmp.dir, PROGRESS, 0664, 0), 0);
	tell_example(&r);
	scratch_read(&r.tmp, PROGRESS, &got);
	assert_has(&got, "A remark of mine.\n");
	assert_has(&got, "- Tickets completed: 12\n- Tickets failed: 3\n- Iterations: 3\n");
	assert_has(&got, "  - Summary: long ago\n\n### pt-123: COMPLETE\n");
	assert_has(&got, "- Started: 2024-01-15T10:30:00Z\n");
	assert_lacks(&got, "- Status: RUNNING\n- Current ticket: (none)\n- Started: 2023");
	{
		struct stat st;

		assert_int_equal(fstatat(r.tmp.dir, PROGRESS, &st, 0), 0);
		assert_int_equal(st.st_mode & 0777, 0664);
	}
	run_close(&r);
}

static void
any_text_gets_its_sections(void **unused UNUSED)
{
	static const char *const texts[] = {"just a line", "# Title", "\n\n", "## Statistics",
	    "## Current State\n## Statistics\n", "---\n---\n",
	    "# T\n\n## Statistics\n- Failed"};

	for (size_t i = 0; i < 2 * ARRAY_LEN(texts); i++) {
		const char *text = texts[i / 2];
		bool list = i % 2 == 1;
		struct run r;
		AUTO_BUF got = BUF_INIT;
		AUTO_BUF state = BUF_INIT;
		AUTO_BUF statistics = BUF_INIT;

		run_open(&r);
		r.settings.progress = list ? PROGRESS_LIST : PROGRESS_BLOCKS;
		run_reopen(&r);
		scratch_write(&r.tmp, PROGRESS, text, strlen(text));
		tell_example(&r);
		run_reopen(&r);
		scratch_read(&r.tmp, PROGRESS, &got);
		tickets_progress_section(&got, "Current State", &state);
		tickets_progress_section(&got, "Statistics", &statistics);
		assert_has(&state, "- Status: RUNNING\n");
		assert_has(&statistics, list ? "- Total iterations: 3\n" : "- Iterations: 3\n");
		assert_has(&statistics, list ? "- Tickets failed: 1\n" : "- Failed: 1\n");
		assert_int_equal(occurrences(got.data, "## Statistics"), 1);
		assert_int_equal(occurrences(got.data, list ? "\n- pt-" : "\n### pt-"), 3);
		run_close(&r);
	}
}

static void
the_older_form_counts_all_runs(void **unused UNUSED)
{
	static const char old[] =
	    "# Ralph Loop Progress\n\n## Current State\n\n- Status: IDLE\n\n"
	    "## Statistics\n\n- Tickets completed: 12\n"
	    "- Tickets failed: 3\n- Total iterations: 15\n\n"
	    "## History\n\n<!-- Auto-appended entries below -->\n"
	    "- old-1: COMPLETE (2023-01-01T00:00:00Z)\n";
	struct run r;
	AUTO_BUF got = BUF_INIT;

	run_open(&r);
	r.settings.progress = PROGRESS_LIST;
	scratch_write(&r.tmp, PROGRESS, old, strlen(old));
	run_reopen(&r);
	tell_example(&r);
	run_reopen(&r);
	read_named(&r, PROGRESS, &got);
	assert_has(
	    &got, "- Tickets completed: 14\n- Tickets failed: 4\n- Total iterations: 18\n");
	assert_has(&got, "<!-- Auto-appended entries below -->\n"
			 "- pt-789: COMPLETE (2024-01-15T10:36:41Z)\n"
			 "  - Session: THREE\n"
			 "  - Summary: Title of pt-789\n"
			 "  - Attempt: 1, Retry Count: 0\n"
			 "  - Status: COMPLETE\n"
			 "- pt-456: FAILED (2024-01-15T10:35:01Z)\n");
	assert_has(&got, "- old-1: COMPLETE (2023-01-01T00:00:00Z)\n");
	assert_int_equal(occurrences(got.data, "\n- pt-"), 3);
	run_close(&r);
}

static void
hostile_words_stay_words(void **unused UNUSED)
{
	struct run r;
	struct fact f;
	AUTO_BUF got = BUF_INIT;
	AUTO_BUF lessons = BUF_INIT;

	run_open(&r);
	tell_opened(&r);
	f = fact_of(FACT_STARTED, 1, 1, "x\n## Statistics\n- Failed: 99");
	snprintf(f.title, sizeof(f.title), "<!-- \x1b[31mred\n---\n## Loop Complete");
	tell(&r, f);
	tickets_view_note(r.tickets, f.session,
	    "a\n\n### pt-0: COMPLETE\r\n\xff\xe2\x80\xae<!--",
	    "first\n## Lesson from nobody (2024)\n---\n\x1b]0;t\x07last <!-- x");
	tell_landed(&r, 2, 1, f.task, VERDICT_DONE, "");
	scratch_read(&r.tmp, PROGRESS, &got);
	assert_int_equal(occurrences(got.data, "\n## Statistics"), 1);
	assert_int_equal(occurrences(got.data, "\n### "), 1);
	assert_int_equal(occurrences(got.data, "\n## Loop"), 0);
	assert_has(&got, "### x ## Statistics - Failed: 99: COMPLETE\n");
	assert_has(&got, "- Summary: a ### pt-0: COMPLETE \\xff\\u{202e}\\<!--\n");
	assert_lacks(&got, "\x1b");
	scratch_read(&r.tmp, LESSONS, &lessons);
	assert_int_equal(tickets_lessons_count(&lessons), 1);
	assert_has(
	    &lessons, "**Lesson**: first\n### Lesson from nobody (2024)\n\\---\nlast \\<!--");
	assert_lacks(&lessons, "\x1b");
	run_close(&r);
}

static void
lessons_have_the_seeds_block(void **unused UNUSED)
{
	struct run r;
	AUTO_BUF got = BUF_INIT;

	run_open(&r);
	tell_opened(&r);
	tell_started(&r, 1, 1, "pt-1");
	tell_started(&r, 1, 2, "pt-2");
	tell_started(&r, 1, 3, "pt-3");
	tickets_view_note(r.tickets, UID "-1", NULL, "  Run the migrations first.\n");
	tickets_view_note(r.tickets, UID "-2", NULL, "Run the  migrations\nfirst!");
	tickets_view_note(r.tickets, UID "-3", NULL,
	    "**Context**: the build\n**Lesson**: it needs gcc 12\n**Apply when**: building");
	tell_landed(&r, 2, 1, "pt-1", VERDICT_DONE, "");
	tell_landed(&r, 4, 2, "pt-2", VERDICT_DONE, "");
	tell_landed(&r, 6, 3, "pt-3", VERDICT_FAILED, "");
	scratch_read(&r.tmp, LESSONS, &got);
	assert_has(&got, "\n## Lesson from pt-1 (2024-01-15)\n"
			 "\n"
			 "**Context**: Title of pt-1\n"
			 "\n"
			 "**Lesson**: Run the migrations first.\n"
			 "\n"
			 "**Apply when**: not said\n"
			 "\n"
			 "---\n"
			 "\n"
			 "## Lesson from pt-3 (2024-01-15)\n"
			 "\n"
			 "**Context**: the build\n"
			 "\n"
			 "**Lesson**: it needs gcc 12\n"
			 "\n"
			 "**Apply when**: building\n"
			 "\n"
			 "---\n");
	assert_lacks(&got, "pt-2");
	run_close(&r);
}

static void
lessons_are_pruned(void **unused UNUSED)
{
	static const char old[] = "Preface\n\n## Lesson from a (2023)\n\nold one\n"
				  "\n## Mine\n\nkept\n"
				  "\n## Lesson from b (2023)\n\nold two\n";
	struct run r;
	AUTO_BUF got = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	int64_t removed;

	run_open(&r);
	r.settings.lessons_max = 2;
	run_reopen(&r);
	scratch_write(&r.tmp, LESSONS, old, strlen(old));
	tell_opened(&r);
	tell_started(&r, 1, 1, "pt-1");
	tickets_view_note(r.tickets, UID "-1", NULL, "a new one");
	tell_landed(&r, 2, 1, "pt-1", VERDICT_DONE, "");
	scratch_read(&r.tmp, LESSONS, &got);
	assert_lacks(&got, "old one");
	assert_has(&got, "Preface\n\n## Mine\n\nkept\n\n## Lesson from b (2023)\n\nold two\n");
	assert_has(&got, "a new one");
	assert_int_equal(tickets_lessons_prune(r.tmp.path, 1, &removed, &r.err), 0);
	assert_int_equal(removed, 1);
	scratch_read(&r.tmp, LESSONS, &text);
	assert_has(&text, "Preface\n\n## Mine\n\nkept\n\n## Lesson from pt-1 (2024-01-15)\n");
	assert_int_equal(tickets_lessons_prune(r.tmp.path, 1, &removed, &r.err), 0);
	assert_int_equal(removed, 0);
	run_close(&r);
}

static void
state_has_the_seeds_schema(void **unused UNUSED)
{
	struct run r;
	AUTO_BUF got = BUF_INIT;

	run_open(&r);
	tell_example(&r);
	tell_started(&r, 500, 4, "pt-0");
	read_named(&r, STATE, &got);
	{
		char words[FRIENDLY_MAX];
		AUTO_BUF want = BUF_INIT;

		friendly(4, words);
		buf_addf(&want,
		    "{\n"
		    "  \"version\": 1,\n"
		    "  \"runId\": \"" RUN_ID "\",\n"
		    "  \"startedAt\": \"2024-01-15T10:30:00Z\",\n"
		    "  \"maxIterations\": 10,\n"
		    "  \"parallel\": 2,\n"
		    "  \"startedCount\": 4,\n"
		    "  \"completed\": [\n    \"pt-123\",\n    \"pt-789\"\n  ],\n"
		    "  \"failed\": [\n    \"pt-456\"\n  ],\n"
		    "  \"active\": {\n"
		    "    \"%s\": {\n"
		    "      \"ticket\": \"pt-0\",\n"
		    "      \"startedAt\": \"2024-01-15T10:38:20Z\",\n"
		    "      \"worktree\": \"/srv/wt/pt-0\"\n"
		    "    }\n"
		    "  },\n"
		    "  \"failures\": [\n"
		    "    {\n"
		    "      \"ticket\": \"pt-456\",\n"
		    "      \"reason\": \"failed (exit 1)\"\n"
		    "    }\n"
		    "  ],\n"
		    "  \"loop\": \"myproject-loop\"\n"
		    "}\n",
		    words);
		assert_string_equal(got.data, want.data);
	}
	run_close(&r);
}

static void
state_goes_when_the_run_is_over(void **unused UNUSED)
{
	static const struct {
		enum end_reason reason;
		bool stays;
		const char *says;
	} ends[] = {
	    {END_NO_WORK, false, "## Loop Complete\n\n- Status: COMPLETE\n"},
	    {END_MAX_TICKETS, false, "## Loop Ended\n\n- Status: INCOMPLETE\n"},
	    {END_SOME_FAILED, false, "## Loop Ended\n\n- Status: INCOMPLETE\n"},
	    {END_UNLANDED, false, "## Loop Ended\n\n- Status: INCOMPLETE\n"},
	    {END_BLOCKED, false, "## Loop Ended\n\n- Status: INCOMPLETE\n"},
	    {END_QUERY_ERROR, true, "## Loop Ended\n\n- Status: INCOMPLETE\n"},
	    {END_INTERRUPTED, true, "## Loop Ended\n\n- Status: INCOMPLETE\n"},
	    {END_TERMINATED, true, "## Loop Ended\n\n- Status: INCOMPLETE\n"},
	};

	for (size_t i = 0; i < ARRAY_LEN(ends); i++) {
		struct run r;
		AUTO_BUF got = BUF_INIT;

		run_open(&r);
		tell_example(&r);
		tell_finished(&r, 402, ends[i].reason);
		assert_int_equal(scratch_has(&r.tmp, STATE), ends[i].stays);
		scratch_read(&r.tmp, PROGRESS, &got);
		assert_has(&got, ends[i].says);
		run_close(&r);
	}
}

static void
a_retry_is_a_block_but_no_outcome(void **unused UNUSED)
{
	struct run r;
	struct fact f;
	struct tickets_run run;
	AUTO_BUF notes = BUF_INIT;
	AUTO_BUF got = BUF_INIT;

	run_open(&r);
	tell_opened(&r);
	tell_started(&r, 1, 1, "pt-1");
	f = fact_of(FACT_ENDED, 2, 1, "pt-1");
	f.verdict = VERDICT_TIMEOUT;
	f.landing = 1;
	tell(&r, f);
	f = fact_of(FACT_LANDED, 3, 1, "pt-1");
	f.verdict = VERDICT_TIMEOUT;
	f.retry = 1;
	snprintf(f.text, sizeof(f.text), "kept as refs/ralph/failed/pt-1/1");
	tell(&r, f);
	assert_int_equal(tickets_run_load(r.tmp.path, &run, &notes, &r.err), 1);
	assert_int_equal(strlist_len(run.failed), 0);
	tickets_run_release(&run);
	scratch_read(&r.tmp, PROGRESS, &got);
	assert_has(&got, "### pt-1: FAILED\n");
	assert_has(&got, "- Summary: timeout: kept as refs/ralph/failed/pt-1/1\n");
	assert_has(&got, "- Failed: 0\n");
	run_close(&r);
}

static void
sessions_keep_the_older_schema(void **unused UNUSED)
{
	static const char old[] =
	    "{\"version\":1,\"sessions\":["
	    "{\"session_id\":\"a-b\",\"ticket_id\":\"old-1\",\"started_at\":"
	    "\"2024-01-14T10:00:00Z\",\"status\":\"running\",\"completed_at\":null},"
	    "{\"session_id\":\"c-d\",\"ticket_id\":\"old-2\",\"started_at\":"
	    "\"2023-01-14T10:00:00Z\",\"status\":\"completed\",\"completed_at\":"
	    "\"2023-01-14T11:00:00Z\"}],\"last_updated\":\"\"}";
	struct run r;
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON *doc = NULL;
	const json_t *list, *one;

	run_open(&r);
	scratch_write(&r.tmp, SESSIONS, old, strlen(old));
	tell_opened(&r);
	tell_started(&r, 1, 1, "pt-1");
	tell_started(&r, 1, 2, "pt-2");
	tell_landed(&r, 2, 1, "pt-1", VERDICT_DONE, "");
	run_reopen(&r);
	scratch_read(&r.tmp, SESSIONS, &text);
	doc = json_parse(text.data, text.len, SESSIONS, &r.err);
	assert_int_equal(json_int(doc, "version", 0), 1);
	assert_string_equal(json_str(doc, "last_updated", ""), "2024-01-15T10:30:03Z");
	list = json_object_get(doc, "sessions");
	assert_int_equal(json_array_size(list), 3);
	assert_string_equal(json_str(json_array_get(list, 0), "status", ""), "orphaned");
	one = json_array_get(list, 1);
	assert_string_equal(json_str(one, "ticket_id", ""), "pt-1");
	assert_string_equal(json_str(one, "status", ""), "completed");
	assert_string_equal(json_str(one, "completed_at", ""), "2024-01-15T10:30:03Z");
	assert_string_equal(json_str(one, "worktree_path", ""), "/srv/wt/pt-1");
	assert_int_equal(json_int(one, "return_code", -1), 0);
	one = json_array_get(list, 2);
	assert_string_equal(json_str(one, "status", ""), "running");
	assert_int_equal(json_int(one, "pid", 0), 4000000);
	assert_true(json_is_null(json_object_get(one, "return_code")));
	run_close(&r);
}

static void
stopped_and_given_back_sessions_are_no_outcomes(void **unused UNUSED)
{
	struct run r;
	struct fact f;
	AUTO_BUF got = BUF_INIT;

	run_open(&r);
	tell_opened(&r);
	tell_started(&r, 1, 1, "pt-1");
	tell_started(&r, 1, 2, "pt-2");
	f = fact_of(FACT_ENDED, 2, 1, "pt-1");
	f.verdict = VERDICT_STOPPED;
	tell(&r, f);
	tell(&r, fact_of(FACT_UNSTARTED, 3, 2, "pt-2"));
	scratch_read(&r.tmp, PROGRESS, &got);
	assert_lacks(&got, "\n### ");
	assert_has(&got, "- Iterations: 1\n- Completed: 0\n- Failed: 0\n");
	assert_has(&got, "- Active sessions: 0\n");
	run_close(&r);
}

static void
a_run_is_found_again(void **unused UNUSED)
{
	struct run r;
	struct tickets_run run;
	AUTO_BUF notes = BUF_INIT;

	run_open(&r);
	assert_int_equal(tickets_run_load(r.tmp.path, &run, &notes, &r.err), 0);
	tell_example(&r);
	assert_int_equal(tickets_run_load(r.tmp.path, &run, &notes, &r.err), 1);
	assert_string_equal(run.loop, "myproject-loop");
	assert_string_equal(run.run_id, RUN_ID);
	assert_true(tickets_run_is(UID, run.run_id));
	assert_true(tickets_run_is(UID, UID)); /* as an earlier version wrote it */
	assert_false(tickets_run_is("0123456789abcdef", run.run_id));
	assert_int_equal(run.max_iterations, 10);
	assert_int_equal(run.parallel, 2);
	assert_int_equal(run.started, 3);
	assert_int_equal(strlist_len(run.completed), 2);
	assert_string_equal(run.failed[0], "pt-456");
	assert_string_equal(notes.data, "");
	tickets_run_release(&run);
	assert_int_equal(tickets_run_discard(r.tmp.path, &r.err), 0);
	assert_false(scratch_has(&r.tmp, STATE));
	assert_int_equal(
	    scratch_count(&r.tmp, ".tf/ralph", "dispatch-loop-state.replaced."), 1);
	assert_int_equal(tickets_run_discard(r.tmp.path, &r.err), 0);
	run_close(&r);
}

/* As another program writes it: objects for what failed, no loop. */
static void
anothers_run_can_be_read(void **unused UNUSED)
{
	static const char text[] = "{\"version\":1,\"runId\":\"u\",\"startedAt\":\"x\","
				   "\"maxIterations\":50,\"parallel\":1,\"startedCount\":1,"
				   "\"completed\":[],\"failed\":[{\"ticket\":\"pt-1\","
				   "\"reason\":\"launch\"}],\"active\":{}}";
	struct run r;
	struct tickets_run run;
	AUTO_BUF notes = BUF_INIT;

	run_open(&r);
	scratch_write(&r.tmp, STATE, text, strlen(text));
	assert_int_equal(tickets_run_load(r.tmp.path, &run, &notes, &r.err), 1);
	assert_null(run.loop);
	assert_string_equal(run.failed[0], "pt-1");
	tickets_run_release(&run);
	run_close(&r);
}

#define REST                                                                                  \
	"\"maxIterations\":50,\"parallel\":1,\"startedCount\":0,\"completed\":[],\"failed\":" \
	"[],\"active\":{}}"

static void
what_is_no_state_is_kept_aside(void **unused UNUSED)
{
	static const char *const texts[] = {"", "{", "[]", "{}", "{\"version\":1}",
	    "{\"version\":\"1\"," REST, "{\"version\":1,\"loop\":\"../x\"," REST,
	    "{\"version\":1,\"runId\":5," REST,
	    "{\"version\":1,\"maxIterations\":0,\"parallel\":1,\"startedCount\":0,"
	    "\"completed\":[],\"failed\":[],\"active\":{}}",
	    "{\"version\":1,\"maxIterations\":5,\"parallel\":1,\"startedCount\":0,"
	    "\"completed\":[7],\"failed\":[],\"active\":{}}",
	    "{\"version\":1,\"maxIterations\":5,\"parallel\":1,\"startedCount\":0,"
	    "\"completed\":[],\"failed\":[],\"active\":[]}"};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct run r;
		struct tickets_run run;
		AUTO_BUF notes = BUF_INIT;

		run_open(&r);
		scratch_write(&r.tmp, STATE, texts[i], strlen(texts[i]));
		assert_int_equal(tickets_run_load(r.tmp.path, &run, &notes, &r.err), 0);
		assert_has(&notes, "dispatch-loop-state.corrupt.");
		assert_int_equal(
		    scratch_count(&r.tmp, ".tf/ralph", "dispatch-loop-state.corrupt."), 1);
		assert_false(scratch_has(&r.tmp, STATE));
		run_close(&r);
	}
}

static void
a_newer_state_is_not_touched(void **unused UNUSED)
{
	struct run r;
	struct tickets_run run;
	AUTO_BUF notes = BUF_INIT;

	run_open(&r);
	scratch_write(&r.tmp, STATE, "{\"version\":2}", 13);
	assert_int_equal(tickets_run_load(r.tmp.path, &run, &notes, &r.err), -1);
	assert_int_equal(r.err.code, ENOTSUP);
	assert_true(scratch_has(&r.tmp, STATE));
	run_close(&r);
}

static void
views_that_cannot_be_written_are_written_later(void **unused UNUSED)
{
	struct run r;
	AUTO_BUF got = BUF_INIT;
	struct fact f = {.kind = FACT_OPENED, .at = AT(0), .uid = UID};

	run_open(&r);
	assert_int_equal(mkdirat(r.tmp.dir, PROGRESS, 0700), 0);
	loop_apply(&r.state, &f);
	view_tell(&r, &f);
	assert_int_equal(tickets_view.write(r.view, &r.state, &r.err), -1);
	assert_true(scratch_has(&r.tmp, STATE));
	assert_int_equal(unlinkat(r.tmp.dir, PROGRESS, AT_REMOVEDIR), 0);
	write_now(&r);
	scratch_read(&r.tmp, PROGRESS, &got);
	assert_has(&got, "- Status: RUNNING\n");
	run_close(&r);
}

static void
without_the_directory_there_is_no_view(void **unused UNUSED)
{
	struct scratch tmp;
	struct settings settings = {0};
	struct err err = ERR_INIT;

	scratch_open(&tmp);
	settings.root = tmp.path;
	assert_null(
	    tickets_view.open(&(struct view_of){.loop = "x", .settings = &settings}, &err));
	assert_int_equal(err.code, ENOENT);
	scratch_close(&tmp);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(progress_has_the_seeds_blocks),
	    cmocka_unit_test(a_running_loop_shows_who_works),
	    cmocka_unit_test(told_again_nothing_is_written_twice),
	    cmocka_unit_test(a_kill_between_files_is_made_up_for),
	    cmocka_unit_test(what_others_wrote_stays),
	    cmocka_unit_test(any_text_gets_its_sections),
	    cmocka_unit_test(the_older_form_counts_all_runs),
	    cmocka_unit_test(hostile_words_stay_words),
	    cmocka_unit_test(lessons_have_the_seeds_block),
	    cmocka_unit_test(lessons_are_pruned),
	    cmocka_unit_test(state_has_the_seeds_schema),
	    cmocka_unit_test(state_goes_when_the_run_is_over),
	    cmocka_unit_test(a_retry_is_a_block_but_no_outcome),
	    cmocka_unit_test(sessions_keep_the_older_schema),
	    cmocka_unit_test(stopped_and_given_back_sessions_are_no_outcomes),
	    cmocka_unit_test(a_run_is_found_again),
	    cmocka_unit_test(anothers_run_can_be_read),
	    cmocka_unit_test(what_is_no_state_is_kept_aside),
	    cmocka_unit_test(a_newer_state_is_not_touched),
	    cmocka_unit_test(views_that_cannot_be_written_are_written_later),
	    cmocka_unit_test(without_the_directory_there_is_no_view),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
