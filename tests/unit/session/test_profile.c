/* What is known of the agents' programs. */
#include "session/profile.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "watch/pattern.h"

#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct profile p;

static void
load(const char *a, const char *b, const char *c)
{
	const char *const words[] = {a, b, c, NULL};
	struct err err = ERR_INIT;
	char **command = NULL;
	int rc;

	profile_release(&p);
	for (size_t i = 0; words[i] != NULL; i++)
		command = strlist_add(command, words[i]);
	rc = profile_load(&p, command, &err);
	strlist_free(command);
	assert_string_equal(err.text, "");
	assert_int_equal(rc, 0);
}

static int
teardown(void **state)
{
	(void)state;
	profile_release(&p);
	unsetenv("RALPH_AGENTS");
	return 0;
}

/* Asks as the keeper does: with a row and one blank. */
static bool
matches(char *const *patterns, const char *row)
{
	AUTO_FREE char *text = xasprintf("%s ", row);
	bool found = false;

	for (; patterns != NULL && *patterns != NULL && !found; patterns++) {
		struct pattern *re = pattern_new(*patterns, NULL);
		size_t start, end;

		assert_non_null(re);
		found = pattern_search(re, text, strlen(text), &start, &end) == PATTERN_MATCH;
		pattern_free(re);
	}
	return found;
}

static void
known_screens_are_ready(void **state)
{
	static const char *const ready[] = {">", "> ", "❯", "❯\u00a0", "$", "$ ls", ">>>",
	    "  ⏵⏵ bypass permissions on (shift+tab to cycle)", "Claude Code v2.1.197"};
	static const char *const busy[] = {"", "echo > file", "price is $100",
	    "Installing package v2.3.4", "   > ", "->", "a$"};

	(void)state;
	load("/usr/bin/claude", NULL, NULL);
	for (size_t i = 0; i < ARRAY_LEN(ready); i++)
		assert_true(matches(p.ready, ready[i]));
	for (size_t i = 0; i < ARRAY_LEN(busy); i++)
		assert_false(matches(p.ready, busy[i]));
	load("./my-agent", NULL, NULL);
	assert_true(matches(p.ready, ">"));
	assert_false(matches(p.ready, "Claude Code v2.1.197"));
	load("opencode", NULL, NULL);
	assert_true(matches(p.ready, "opencode v1.18.33"));
	assert_true(matches(p.ready, "tab switch agent   ctrl+p commands"));
}

static void
dialogs_are_known(void **state)
{
	static const char *const rows[] = {
	    " Quick safety check: Is this a project you created or one you trust? (Like",
	    "Choose the text style that looks best with your terminal",
	    "Select login method:", "Paste code here if prompted >",
	    " Enter to confirm · Esc to cancel", "Do you trust the files in this folder?"};

	(void)state;
	load("claude", NULL, NULL);
	for (size_t i = 0; i < ARRAY_LEN(rows); i++)
		assert_true(matches(p.not_ready, rows[i]));
	assert_false(matches(p.not_ready, "❯ "));
}

static void
only_an_interactive_program_has_a_profile(void **state)
{
	(void)state;
	load("claude", "--model", "x");
	assert_string_equal(p.exit, "/exit");
	assert_string_equal(p.transcript_flag, "--session-id");
	load("claude", "-p", NULL);
	assert_null(p.exit);
	assert_null(p.transcript_flag);
	load("claude", "--", "-p");
	assert_string_equal(p.exit, "/exit");
	load("codex", "exec", NULL);
	assert_null(p.exit);
}

static void
a_conversation_of_the_users_is_not_ours(void **state)
{
	static const char *const own[] = {
	    "--session-id", "--session-id=x", "--resume", "-r", "-c", "--continue"};

	(void)state;
	for (size_t i = 0; i < ARRAY_LEN(own); i++) {
		load("claude", own[i], NULL);
		assert_null(p.transcript_flag);
		assert_null(profile_transcript_path(&p, NULL, "/", "id"));
		assert_string_equal(p.exit, "/exit");
	}
	load("claude", "--session-idle", NULL);
	assert_non_null(p.transcript_flag);
}

static void
assert_path(char *const *env, const char *cwd, const char *want)
{
	AUTO_FREE char *path = profile_transcript_path(&p, env, cwd, "ID");

	if (want != NULL)
		assert_string_equal(path, want);
	else
		assert_null(path);
}

static void
the_transcript_is_where_the_program_puts_it(void **state)
{
	char home[] = "HOME=/home/me", dir[] = "CLAUDE_CONFIG_DIR=/c",
	     empty[] = "CLAUDE_CONFIG_DIR=", relative[] = "HOME=.";
	char *plain[] = {home, NULL}, *both[] = {home, dir, NULL},
	     *unset[] = {empty, home, NULL}, *strange[] = {relative, NULL};
	char tmp[] = "/tmp/profXXXXXX";
	AUTO_BUF want = BUF_INIT;
	AUTO_FREE char *deep = NULL, *odd = NULL;

	(void)state;
	load("claude", NULL, NULL);
	assert_path(plain, "/usr/lib/..", "/home/me/.claude/projects/-usr/ID.jsonl");
	assert_path(unset, "/usr", "/home/me/.claude/projects/-usr/ID.jsonl");
	assert_path(both, "/usr", "/c/projects/-usr/ID.jsonl");
	assert_path(strange, "/usr", NULL);
	assert_path(NULL, "/usr", NULL);
	assert_path(plain, "/no such directory", NULL);
	assert_non_null(mkdtemp(tmp));
	odd = xasprintf("%s/a_b.é🎉ok", tmp);
	assert_int_equal(fs_mkdirs(odd, NULL), 0);
	buf_addf(&want, "/c/projects/-tmp-%s-a-b----ok/ID.jsonl", tmp + 5);
	assert_path(both, odd, want.data);
	/* The program gives longer directories a name that we cannot tell. */
	deep = xasprintf("%s/%0100d/%0100d", tmp, 1, 2);
	assert_int_equal(fs_mkdirs(deep, NULL), 0);
	assert_path(both, deep, NULL);
	assert_int_equal(fs_remove_tree(AT_FDCWD, tmp, NULL), 0);
}

/* The program behind env counts, but not where its conversation is: env may set variables that
 * tell. */
static void
env_is_not_the_program(void **state)
{
	(void)state;
	load("/usr/bin/env", "A=b", "opencode");
	assert_true(matches(p.ready, "opencode v1"));
	load("env", "A=b", "bin/claude");
	assert_string_equal(p.exit, "/exit");
	assert_null(p.transcript_flag);
	load("env", "opencode", "run");
	assert_false(p.known);
	load("env", "-i", "opencode");
	assert_false(p.known);
	load("env", "A=b", NULL);
	assert_false(p.known);
}

static int
load_with(const char *dir, const char *text, struct err *err)
{
	AUTO_CLOSE int fd = open(dir, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	char name[] = "bin/claude";
	char *command[] = {name, NULL};

	assert_int_equal(fs_replace(fd, "claude.json", text, strlen(text), FS_NOSYNC, NULL), 0);
	profile_release(&p);
	return profile_load(&p, command, err);
}

static void
a_directory_may_say_otherwise(void **state)
{
	static const char *const wrong[] = {"", "[]", "{", "{\"ready\":\"x\"}",
	    "{\"ready\":[1]}", "{\"exit\":[]}", "{\"commands\":\"x\"}",
	    "{\"not_interactive\":{}}", "{\"transcript\":{\"flag\":1}}",
	    "{\"transcript\":{\"unless\":1}}", "{\"transcript\":[\"--id\"]}"};
	char dir[] = "/tmp/profXXXXXX";
	struct err err = ERR_INIT;

	(void)state;
	assert_non_null(mkdtemp(dir));
	setenv("RALPH_AGENTS", dir, 1);
	assert_int_equal(
	    load_with(dir, "{\"exit\":\"bye\",\"ready\":[\"Hi\"],\"new\":1}", &err), 0);
	assert_string_equal(p.exit, "bye");
	assert_string_equal(p.ready[0], "Hi");
	assert_null(p.transcript_flag);
	assert_true(matches(p.ready, ">"));
	for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
		err.text[0] = '\0';
		assert_int_equal(load_with(dir, wrong[i], &err), -1);
		assert_true(err.text[0] != '\0');
		assert_null(p.ready);
	}
	load("opencode", NULL, NULL);
	assert_true(matches(p.ready, "opencode v1"));
	assert_int_equal(fs_remove_tree(AT_FDCWD, dir, NULL), 0);
}

static enum profile_use
use(const char *a, const char *b, const char *c)
{
	const char *const words[] = {a, b, c, NULL};
	char **command = NULL;
	enum profile_use found;

	for (size_t i = 0; words[i] != NULL; i++)
		command = strlist_add(command, words[i]);
	found = profile_use(command);
	strlist_free(command);
	return found;
}

static void
claude_is_talked_to_at_a_terminal(void **state)
{
	char dir[] = "/tmp/profXXXXXX";

	(void)state;
	assert_int_equal(use("claude", "--verbose", NULL), PROFILE_TERMINAL);
	assert_int_equal(use("/opt/bin/claude", NULL, NULL), PROFILE_TERMINAL);
	assert_int_equal(use("env", "A=b", "claude"), PROFILE_TERMINAL);
	assert_int_equal(use("claude", "x", "-p"), PROFILE_HEADLESS);
	assert_int_equal(use("claude", "--print", NULL), PROFILE_HEADLESS);
	assert_int_equal(use("claude2", NULL, NULL), PROFILE_UNKNOWN);
	assert_int_equal(use("codex", NULL, NULL), PROFILE_UNKNOWN);
	/* Where the directory's file says nothing about the terminal, ours counts. */
	assert_non_null(mkdtemp(dir));
	setenv("RALPH_AGENTS", dir, 1);
	assert_int_equal(load_with(dir, "{\"ready\":[\"x\"]}", NULL), 0);
	assert_int_equal(use("claude", NULL, NULL), PROFILE_TERMINAL);
	assert_int_equal(use("claude", "-p", NULL), PROFILE_HEADLESS);
	assert_int_equal(load_with(dir, "{\"terminal\":false}", NULL), 0);
	assert_int_equal(use("claude", NULL, NULL), PROFILE_UNKNOWN);
	assert_int_equal(
	    load_with(dir, "{\"terminal\":true,\"not_interactive\":[\"exec\"]}", NULL), 0);
	assert_int_equal(use("claude", "-p", NULL), PROFILE_TERMINAL);
	assert_int_equal(use("claude", "exec", NULL), PROFILE_HEADLESS);
	assert_int_equal(fs_remove_tree(AT_FDCWD, dir, NULL), 0);
}

static void
what_it_says_of_limits_is_an_object(void **state)
{
	char dir[] = "/tmp/profXXXXXX", name[] = "bin/claude";
	char *command[] = {name, NULL};
	const json_t *says[PROFILE_SAYS];
	struct err err = ERR_INIT;

	(void)state;
	assert_non_null(mkdtemp(dir));
	setenv("RALPH_AGENTS", dir, 1);
	assert_int_equal(load_with(dir, "{\"says\":[\"limit\"]}", &err), 0);
	assert_int_equal(profile_says(command, says, &err), -1);
	assert_string_equal(err.text, "an agent's profile: \"says\" is no object");
	assert_null(says[0]);
	assert_int_equal(load_with(dir, "{\"says\":{}}", &err), 0);
	assert_int_equal(profile_says(command, says, NULL), 0);
	assert_non_null(says[1]);
	profile_says_free(says);
	assert_int_equal(fs_remove_tree(AT_FDCWD, dir, NULL), 0);
}

int
main(void)
{
#define T(fn) cmocka_unit_test_teardown(fn, teardown)
	const struct CMUnitTest tests[] = {
	    T(known_screens_are_ready),
	    T(dialogs_are_known),
	    T(only_an_interactive_program_has_a_profile),
	    T(a_conversation_of_the_users_is_not_ours),
	    T(the_transcript_is_where_the_program_puts_it),
	    T(env_is_not_the_program),
	    T(a_directory_may_say_otherwise),
	    T(claude_is_talked_to_at_a_terminal),
	    T(what_it_says_of_limits_is_an_object),
	};

	unsetenv("RALPH_AGENTS");
	return cmocka_run_group_tests(tests, NULL, NULL);
}
