/* .tf/ralph/config.json: every key does what it says, and nothing in it is ignored. */
#include "../record/scratch.h"
#include "base/clock.h"
#include "base/json.h"
#include "work/tickets/config.h"
#include "work/tickets/keys.h"

#define CONFIG ".tf/ralph/config.json"

struct load {
	struct scratch tmp;
	struct loop_config c;
	struct buf notes;
	struct err err;
	int rc;
};

static void
load_open(struct load *l)
{
	memset(l, 0, sizeof(*l));
	buf_init(&l->notes);
	scratch_open(&l->tmp);
	assert_int_equal(mkdirat(l->tmp.dir, ".tf", 0700), 0);
	assert_int_equal(mkdirat(l->tmp.dir, ".tf/ralph", 0700), 0);
}

/* Loads the configuration; NULL: there is no file. */
static void
load(struct load *l, const char *text)
{
	load_open(l);
	if (text != NULL)
		scratch_write(&l->tmp, CONFIG, text, strlen(text));
	l->rc = config_load(l->tmp.path, &l->c, &l->notes, &l->err);
}

static void
load_close(struct load *l)
{
	config_release(&l->c);
	buf_release(&l->notes);
	scratch_close(&l->tmp);
}

static void
loaded(struct load *l, const char *text)
{
	load(l, text);
	if (l->rc < 0)
		fail_msg("%s", l->err.text);
}

static void
refused(const char *text, const char *sentence)
{
	struct load l;

	load(&l, text);
	assert_int_equal(l.rc, -1);
	assert_string_equal(l.err.text, sentence);
	assert_null(l.c.settings.root);
	load_close(&l);
}

static void
assert_list(char *const *list, const char *joined)
{
	AUTO_BUF got = BUF_INIT;

	for (size_t i = 0; list != NULL && list[i] != NULL; i++)
		buf_addf(&got, "%s%s", i > 0 ? " " : "", list[i]);
	assert_string_equal(got.data, joined);
}

static void
without_a_file_there_are_defaults(void **unused UNUSED)
{
	struct load l;
	AUTO_BUF dir = BUF_INIT;

	loaded(&l, NULL);
	buf_addf(&dir, "%s/.tf/ralph/worktrees", l.tmp.path);
	assert_string_equal(l.c.settings.root, l.tmp.path);
	assert_int_equal(l.c.settings.max_iterations, 50);
	assert_int_equal(l.c.settings.parallel, 1);
	assert_int_equal(l.c.settings.attempts, 1);
	assert_int_equal(l.c.settings.max_failures, UNLIMITED);
	assert_int_equal(l.c.settings.iteration_timeout, 1800 * NSEC_PER_SEC);
	assert_int_equal(l.c.settings.delay, 0);
	assert_int_equal(l.c.settings.look_again, 10 * NSEC_PER_SEC);
	assert_int_equal(l.c.settings.lessons_max, 50);
	assert_int_equal(l.c.settings.mode, MODE_PIPE);
	assert_int_equal(l.c.settings.success, SUCCESS_EVIDENCE);
	assert_int_equal(l.c.settings.progress, PROGRESS_BLOCKS);
	assert_true(l.c.settings.promise && l.c.settings.lands);
	assert_false(
	    l.c.settings.unmerged || l.c.settings.leave_changes || l.c.settings.keep_branches);
	assert_string_equal(l.c.settings.worktrees_dir, dir.data);
	assert_string_equal(l.c.settings.component_prefix, "component:");
	assert_string_equal(l.c.settings.merge_message, "Merge ralph/{ticket}");
	assert_list(l.c.settings.copy, ".env");
	assert_list(l.c.settings.drop, ".tf/ralph");
	assert_null(l.c.settings.ticket_query);
	assert_null(l.c.settings.completion_check);
	assert_null(l.c.settings.verify);
	assert_null(l.c.settings.tickets);
	assert_int_equal(l.c.worktree, WORKTREE_AUTO);
	assert_false(l.c.serial_in_place);
	assert_int_equal(l.c.settings.untagged, -1);
	assert_int_equal(l.c.log_level, LEVEL_NORMAL);
	assert_string_equal(l.c.workflow, "/tf");
	assert_string_equal(l.c.workflow_flags, "--auto");
	assert_string_equal(l.c.settings.knowledge, ".tf/knowledge");
	assert_null(l.c.worker);
	assert_null(l.c.session_dir);
	assert_string_equal(l.notes.data, "");
	load_close(&l);
}

/* What `init` writes: our own look, and a wait between tickets, as it says. */
static void
the_seeds_file_is_understood(void **unused UNUSED)
{
	struct load l;
	AUTO_BUF text = BUF_INIT;

	config_template(&text);
	loaded(&l, text.data);
	assert_int_equal(l.c.settings.delay, 5 * NSEC_PER_SEC);
	assert_null(l.c.settings.ticket_query);
	assert_null(l.c.settings.completion_check);
	assert_int_equal(l.c.worktree, WORKTREE_AUTO);
	assert_string_equal(l.notes.data, "");
	load_close(&l);
}

static void
queries_of_ones_own_are_kept(void **unused UNUSED)
{
	static const char *const native[] = {"tk ready|x",
	    " tk  ready | head -1 |\\tawk '{print $1}' ", "tk ready",
	    "tk ready | awk '{print $1}' | head -n 1", ""};
	struct load l;

	for (size_t i = 0; i < ARRAY_LEN(native); i++) {
		AUTO_FREE char *text = xasprintf("{\"ticketQuery\":\"%s\"}", native[i]);

		loaded(&l, text);
		if (i == 0)
			assert_string_equal(l.c.settings.ticket_query, native[i]);
		else
			assert_null(l.c.settings.ticket_query);
		load_close(&l);
	}
	loaded(&l, "{\"completionCheck\":\"test -e work\",\"ticketQuery\":\"tf next --x\"}");
	assert_string_equal(l.c.settings.completion_check, "test -e work");
	assert_null(l.c.settings.ticket_query);
	assert_non_null(strstr(l.notes.data, "ticketQuery"));
	load_close(&l);
}

static void
attempts_by_cause(void **unused UNUSED)
{
	static const struct {
		const char *text;
		int64_t attempts;
		const char *causes;
		bool noted;
	} cases[] = {
	    {"{}", 1, "exit timeout not-closed verify conflict", false},
	    {"{\"maxIterationsPerTicket\":5}", 5, "exit timeout not-closed verify conflict",
		false},
	    {"{\"maxRestarts\":2}", 3, "timeout", false},
	    {"{\"maxRestarts\":0}", 1, "", false},
	    {"{\"maxIterationsPerTicket\":3,\"maxRestarts\":1}", 3,
		"exit timeout not-closed verify conflict", false},
	    {"{\"maxIterationsPerTicket\":3,\"maxRestarts\":0}", 3,
		"exit not-closed verify conflict", false},
	    {"{\"maxIterationsPerTicket\":2,\"maxRestarts\":9}", 2,
		"exit timeout not-closed verify conflict", true},
	    {"{\"maxIterationsPerTicket\":2,\"retryOn\":[\"conflict\"]}", 2, "conflict", false},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct load l;

		loaded(&l, cases[i].text);
		assert_int_equal(l.c.settings.attempts, cases[i].attempts);
		assert_list(l.c.settings.retry_on, cases[i].causes);
		assert_int_equal(l.notes.len > 0, cases[i].noted);
		load_close(&l);
	}
	refused("{\"retryOn\":[\"rain\"]}",
	    CONFIG ": retryOn may have exit, timeout, not-closed, verify and conflict, not "
		   "'rain'");
}

static void
timeouts_and_their_growth(void **unused UNUSED)
{
	struct load l;

	loaded(&l, "{\"parallelDispatchTimeoutMs\":60000,\"timeoutBackoffMaxMs\":5}");
	assert_int_equal(l.c.settings.iteration_timeout, 60 * NSEC_PER_SEC);
	assert_int_equal(l.c.settings.timeout_step, 0);
	load_close(&l);
	loaded(&l, "{\"parallelDispatchTimeoutMs\":60000,\"attemptTimeoutMs\":0,"
		   "\"timeoutBackoffEnabled\":true,\"timeoutBackoffMaxMs\":900000}");
	assert_int_equal(l.c.settings.iteration_timeout, 0);
	assert_int_equal(l.c.settings.timeout_step, 150 * NSEC_PER_SEC);
	assert_int_equal(l.c.settings.timeout_max, 900 * NSEC_PER_SEC);
	assert_non_null(strstr(l.notes.data, "differ"));
	load_close(&l);
}

static void
worktrees_and_untagged_tickets(void **unused UNUSED)
{
	static const struct {
		const char *text;
		int worktree, untagged;
	} cases[] = {
	    {"{\"useWorktrees\":false}", WORKTREE_NEVER, -1},
	    {"{\"useWorktrees\":true}", WORKTREE_AUTO, -1},
	    {"{\"useWorktrees\":false,\"worktree\":\"always\"}", WORKTREE_ALWAYS, -1},
	    {"{\"parallelAllowUntagged\":true}", WORKTREE_AUTO, UNTAGGED_ONE},
	    {"{\"parallelAllowUntagged\":true,\"untagged\":\"exclusive\"}", WORKTREE_AUTO,
		UNTAGGED_EXCLUSIVE},
	    {"{\"untagged\":\"free\"}", WORKTREE_AUTO, UNTAGGED_FREE},
	};

	for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
		struct load l;

		loaded(&l, cases[i].text);
		assert_int_equal(l.c.worktree, cases[i].worktree);
		assert_int_equal(l.c.settings.untagged, cases[i].untagged);
		load_close(&l);
	}
}

static void
keys_of_the_original_come_alive(void **unused UNUSED)
{
	struct load l;
	AUTO_BUF dir = BUF_INIT;

	loaded(&l,
	    "{\"includeKnowledgeBase\":false,\"includePlanningDocs\":false,"
	    "\"promiseOnComplete\":false,\"lessonsMaxCount\":7,\"sessionDir\":\"s\","
	    "\"sessionPerTicket\":true,\"parallelWorkers\":4,\"parallelWorktreesDir\":\"/wt\","
	    "\"serialUseWorktree\":false,\"componentTagPrefix\":\"area/\","
	    "\"parallelKeepWorktrees\":true,\"parallelAutoMerge\":false,"
	    "\"executionBackend\":\"interactive\",\"interactiveShell\":{\"enabled\":true,"
	    "\"mode\":\"dispatch\"},\"sessionTtlMs\":1000,\"logLevel\":\"debug\","
	    "\"captureJson\":true,\"sleepBetweenRetries\":5,\"workflow\":\"/x\","
	    "\"workflowFlags\":\"\",\"maxIterations\":3}");
	buf_addf(&dir, "%s/s", l.tmp.path);
	assert_false(l.c.name_knowledge || l.c.name_planning || l.c.settings.promise);
	assert_int_equal(l.c.settings.lessons_max, 7);
	assert_string_equal(l.c.session_dir, dir.data);
	assert_int_equal(l.c.settings.parallel, 4);
	assert_string_equal(l.c.settings.worktrees_dir, "/wt");
	assert_true(
	    l.c.serial_in_place && l.c.settings.keep_worktrees && l.c.settings.unmerged);
	assert_string_equal(l.c.settings.component_prefix, "area/");
	assert_int_equal(l.c.settings.mode, MODE_PTY);
	assert_int_equal(l.c.settings.session_ttl, NSEC_PER_SEC);
	assert_int_equal(l.c.log_level, LEVEL_DEBUG);
	assert_true(l.c.capture_json);
	assert_int_equal(l.c.settings.look_again, 5 * NSEC_PER_MSEC);
	assert_string_equal(l.c.workflow, "/x");
	assert_string_equal(l.c.workflow_flags, "");
	assert_int_equal(l.c.settings.max_iterations, 3);
	load_close(&l);
}

static void
our_own_keys(void **unused UNUSED)
{
	struct load l;
	AUTO_BUF path = BUF_INIT;

	loaded(&l,
	    "{\"success\":\"closed\",\"failFast\":true,\"worker\":[\"claude\",\"-p\"],"
	    "\"prompt\":\"PROMPT.md\",\"env\":[\"A=b\"],\"idleTimeoutMs\":1000,"
	    "\"graceMs\":500,\"maxRuntimeMs\":3600000,\"ticketsDir\":\"t\",\"base\":\"dev\","
	    "\"setup\":\"npm ci\",\"copy\":[],\"drop\":[\"a\",\"b/c..d\"],"
	    "\"verify\":\"make test\",\"mergeMessage\":\"Land {ticket}\","
	    "\"commitLeftovers\":false,\"keepBranches\":true,\"progressFormat\":\"list\","
	    "\"onAlert\":\"cat\"}");
	assert_int_equal(l.c.settings.success, SUCCESS_CLOSED);
	assert_int_equal(l.c.settings.max_failures, 1);
	assert_list(l.c.worker, "claude -p");
	buf_addf(&path, "%s/PROMPT.md", l.tmp.path);
	assert_string_equal(l.c.prompt, path.data);
	assert_list(l.c.settings.env, "A=b");
	assert_int_equal(l.c.settings.inactivity_timeout, NSEC_PER_SEC);
	assert_int_equal(l.c.settings.grace, 500 * NSEC_PER_MSEC);
	assert_int_equal(l.c.settings.max_runtime, 3600 * NSEC_PER_SEC);
	assert_string_equal(strrchr(l.c.settings.tickets, '/'), "/t");
	assert_string_equal(l.c.base, "dev");
	assert_string_equal(l.c.settings.setup, "npm ci");
	assert_list(l.c.settings.copy, "");
	assert_list(l.c.settings.drop, "a b/c..d");
	assert_string_equal(l.c.settings.verify, "make test");
	assert_string_equal(l.c.settings.merge_message, "Land {ticket}");
	assert_true(l.c.settings.leave_changes && l.c.settings.keep_branches);
	assert_int_equal(l.c.settings.progress, PROGRESS_LIST);
	assert_string_equal(l.c.settings.on_alert, "cat");
	load_close(&l);
}

static void
errors_name_file_and_key(void **unused UNUSED)
{
	refused("", CONFIG ": the input is empty");
	refused("{\n  \"maxIterations\": 50,\n}",
	    CONFIG ": line 3 column 1: string or '}' expected near '}'");
	refused("[]", CONFIG ": not a JSON object");
	refused("{\"maxIteration\":5}",
	    CONFIG ": there is no key 'maxIteration'; did you mean 'maxIterations'?");
	refused("{\"zzzzzzzzzz\":5}", CONFIG ": there is no key 'zzzzzzzzzz'");
	refused("{\"interactiveShell\":{\"mood\":1}}",
	    CONFIG ": there is no key 'interactiveShell.mood'; did you mean "
		   "'interactiveShell.mode'?");
	refused("{\"maxIterations\":0}",
	    CONFIG ": maxIterations: must be a whole number from 1 to 1000000, not 0");
	refused("{\"maxIterations\":\"5\"}",
	    CONFIG ": maxIterations: must be a whole number from 1 to 1000000, not \"5\"");
	refused("{\"maxIterations\":5.5}",
	    CONFIG ": maxIterations: must be a whole number from 1 to 1000000, not 5.5");
	refused("{\"sleepBetweenTickets\":-1}",
	    CONFIG ": sleepBetweenTickets: must be a whole number of milliseconds from 0 to "
		   "31622400000, not -1");
	refused("{\"useWorktrees\":\"true\"}",
	    CONFIG ": useWorktrees: must be true or false, not \"true\"");
	refused("{\"worktree\":\"maybe\"}",
	    CONFIG ": worktree: must be one of auto, always, never, not \"maybe\"");
	refused("{\"executionBackend\":\"ssh\"}",
	    CONFIG ": executionBackend: must be one of dispatch, subprocess, interactive, not "
		   "\"ssh\"");
	refused("{\"worker\":\"pi\"}", CONFIG ": worker: must be a list of texts, not \"pi\"");
	refused("{\"worker\":[]}", CONFIG ": worker must begin with a program");
	refused("{\"verify\":[]}", CONFIG ": verify: must be a text, not []");
	refused("{\"parallelWorkers\":65}",
	    CONFIG ": parallelWorkers must be a whole number from 1 to 64");
	refused("{\"sessionPerTicket\":false}",
	    CONFIG ": sessionPerTicket cannot be false: every ticket has a session of its own");
	refused("{\"drop\":[\"../x\"]}",
	    CONFIG ": drop has '../x', which is not a path below the project");
	refused("{\"copy\":[\"/etc/passwd\"]}",
	    CONFIG ": copy has '/etc/passwd', which is not a path below the project");
	refused("{\"env\":[\"A\"]}", CONFIG ": env: invalid env format 'A' (expected KEY=VAL)");
}

static void
the_environment_beats_the_file(void **unused UNUSED)
{
	static const char text[] = "{\"attemptTimeoutMs\":1000,\"maxRestarts\":1,"
				   "\"logLevel\":\"quiet\",\"captureJson\":false}";
	struct load l;

	setenv("RALPH_ATTEMPT_TIMEOUT_MS", "2000", 1);
	setenv("RALPH_MAX_RESTARTS", "4", 1);
	setenv("RALPH_VERBOSE", "1", 1);
	setenv("RALPH_CAPTURE_JSON", "yes", 1);
	setenv("RALPH_NO_INTERACTIVE_SHELL", "1", 1);
	loaded(&l, text);
	assert_int_equal(l.c.settings.iteration_timeout, 2 * NSEC_PER_SEC);
	assert_int_equal(l.c.settings.attempts, 5);
	assert_int_equal(l.c.log_level, LEVEL_VERBOSE);
	assert_true(l.c.capture_json);
	load_close(&l);
	unsetenv("RALPH_ATTEMPT_TIMEOUT_MS");
	setenv("RALPH_LOG_LEVEL", "debug", 1);
	setenv("RALPH_PARALLEL_DISPATCH_TIMEOUT_MS", "3000", 1);
	loaded(&l, text);
	assert_int_equal(l.c.settings.iteration_timeout, 3 * NSEC_PER_SEC);
	assert_int_equal(l.c.log_level, LEVEL_DEBUG);
	load_close(&l);
	setenv("RALPH_MAX_RESTARTS", "many", 1);
	refused(text, "RALPH_MAX_RESTARTS in the environment (maxRestarts): must be a whole "
		      "number from 0 to 1000000, not \"many\"");
	unsetenv("RALPH_MAX_RESTARTS");
	unsetenv("RALPH_VERBOSE");
	unsetenv("RALPH_CAPTURE_JSON");
	unsetenv("RALPH_NO_INTERACTIVE_SHELL");
	unsetenv("RALPH_LOG_LEVEL");
	unsetenv("RALPH_PARALLEL_DISPATCH_TIMEOUT_MS");
}

/* The file with the knowledge directory is another program's: it is used, and what is wrong
 * with it is said. */
static void
the_knowledge_is_where_the_project_says(void **unused UNUSED)
{
	static const char *const texts[] = {
	    "{\"workflow\":{\"knowledgeDir\":\"docs/k\"}}", "{broken"};

	for (size_t i = 0; i < ARRAY_LEN(texts); i++) {
		struct load l;

		load_open(&l);
		assert_int_equal(mkdirat(l.tmp.dir, ".tf/config", 0700), 0);
		scratch_write(&l.tmp, ".tf/config/settings.json", texts[i], strlen(texts[i]));
		l.rc = config_load(l.tmp.path, &l.c, &l.notes, &l.err);
		assert_int_equal(l.rc, 0);
		assert_string_equal(
		    l.c.settings.knowledge, i == 0 ? "docs/k" : ".tf/knowledge");
		assert_int_equal(l.notes.len > 0, i == 1);
		load_close(&l);
	}
}

static void
keys_are_explained(void **unused UNUSED)
{
	AUTO_BUF text = BUF_INIT;

	keys_describe(&text);
	assert_non_null(strstr(text.data, "  maxIterations: tickets to start at most [50]\n"));
	assert_non_null(
	    strstr(text.data, " (quiet|normal|verbose|debug) [\"normal\"] $RALPH_"));
	assert_non_null(strstr(text.data, "  onAlert: a shell command to run for every alert"));
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(without_a_file_there_are_defaults),
	    cmocka_unit_test(the_seeds_file_is_understood),
	    cmocka_unit_test(queries_of_ones_own_are_kept),
	    cmocka_unit_test(attempts_by_cause),
	    cmocka_unit_test(timeouts_and_their_growth),
	    cmocka_unit_test(worktrees_and_untagged_tickets),
	    cmocka_unit_test(keys_of_the_original_come_alive),
	    cmocka_unit_test(our_own_keys),
	    cmocka_unit_test(errors_name_file_and_key),
	    cmocka_unit_test(the_environment_beats_the_file),
	    cmocka_unit_test(the_knowledge_is_where_the_project_says),
	    cmocka_unit_test(keys_are_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
