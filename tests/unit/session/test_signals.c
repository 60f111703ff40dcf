/* What a keeper tells of its agent: done, idle, stuck, out of time. */
#include "world.h"

#include "base/fs.h"
#include <fcntl.h>
#include <sys/stat.h>

/* ---- an agent that is known ---------------------------------------------------------- */

/* Behaves like Claude Code as far as its profile goes; a step waits for a file of that name. */
static const char claude[] =
    "#!/bin/sh\n"
    "[ \"$1\" = --session-id ] && [ \"$3\" = --mine ] || exit 98\n"
    "stty -echo\n"
    "until_there() { while [ ! -e \"$CLAUDE_CONFIG_DIR/$1\" ]; do sleep 0.01; done; }\n"
    "printf 'Claude Code v2.1\\n'\n"
    "read -r prompt\n"
    "dir=$CLAUDE_CONFIG_DIR/projects/$(pwd -P | sed 's/[^a-zA-Z0-9]/-/g')\n"
    "mkdir -p \"$dir\"\n"
    "echo '{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":\"ALL DONE\"}}'"
    " >\"$dir/$2.jsonl\"\n"
    "until_there tool\n"
    "echo 'ALL DONE'\n"
    "until_there say\n"
    "printf '{\"type\":\"assistant\",\"message\":{\"role\":\"assistant\",\"content\":['"
    " >>\"$dir/$2.jsonl\"\n"
    "printf '%s\\n' '{\"type\":\"text\",\"text\":\"Well.\\nALL DONE\"}]}}'"
    " >>\"$dir/$2.jsonl\"\n"
    "while read -r line; do [ \"$line\" = /exit ] && exit 7; done\n";

static void
start_claude(struct world *w, const char *script, char *env)
{
	static char path[128], mine[] = "--mine";
	static char *vars[2];

	snprintf(path, sizeof(path), "%s/claude", w->path);
	assert_int_equal(
	    fs_replace(w->dirfd, "claude", script, strlen(script), FS_NOSYNC, NULL), 0);
	assert_int_equal(chmod(path, 0700), 0);
	vars[0] = env;
	w->set.env = vars;
	w->set.cwd = w->path;
	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("paste");
	w->argv[0] = path;
	w->argv[1] = mine;
	world_start(w);
}

static void
touch(struct world *w, const char *name)
{
	assert_int_equal(fs_replace(w->dirfd, name, "", 0, FS_NOSYNC, NULL), 0);
}

static void
done_is_what_it_says_and_exit_what_it_is_told(void **state)
{
	struct world *w = *state;
	char env[128];

	w->set.done_pattern = strdup("ALL DONE");
	snprintf(env, sizeof(env), "CLAUDE_CONFIG_DIR=%s", w->path);
	start_claude(w, claude, env);
	WAIT_FOR(w, strstr(w->signals.data, "ready=Claude Code v2.1;"));
	/* The transcript has begun: printed text does not count as the agent's any more. */
	WAIT_FOR(w, faccessat(w->dirfd, "projects", F_OK, 0) == 0);
	touch(w, "tool");
	WAIT_FOR(w, world_output_has(w, "ALL DONE"));
	for (int i = 0; i < 50; i++)
		ev_once(w->ev, 5 * NSEC_PER_MSEC);
	assert_null(strstr(w->signals.data, "done="));
	touch(w, "say");
	WAIT_FOR(w, strstr(w->signals.data, "done=ALL DONE;"));
	session_end(w->s, true);
	world_assert_exit(w, EXIT_CODE, 7);
	free(w->set.done_pattern);
	free(w->set.prompt_via);
}

static void
without_a_transcript_the_screen_counts_in_the_end(void **state)
{
	struct world *w = *state;
	char env[128];

	w->set.done_pattern = strdup("ALL DONE");
	snprintf(env, sizeof(env), "CLAUDE_CONFIG_DIR=%s/nowhere", w->path);
	start_claude(w, "#!/bin/sh\nprintf '> '; read -r a; echo ALL DONE; sleep 0.3\n", env);
	WAIT_FOR(w, world_output_has(w, "ALL DONE"));
	world_assert_exit(w, EXIT_CODE, 0);
	assert_string_equal(w->signals.data, "ready=>;done=ALL DONE;");
	free(w->set.done_pattern);
	free(w->set.prompt_via);
}

/* An agent's transcript would be there long before the agent can say anything. */
static void
without_a_transcript_the_screen_counts_soon(void **state)
{
	struct world *w = *state;
	char env[128];
	int64_t said;

	w->set.done_pattern = strdup("ALL DONE");
	snprintf(env, sizeof(env), "CLAUDE_CONFIG_DIR=%s/nowhere", w->path);
	start_claude(
	    w, "#!/bin/sh\nprintf '> '; read -r a; echo ALL DONE; exec sleep 1000\n", env);
	WAIT_FOR(w, world_output_has(w, "ALL DONE"));
	said = clock_boot();
	WAIT_FOR(w, strstr(w->signals.data, "done=ALL DONE;"));
	assert_in_range(clock_boot() - said, NSEC_PER_SEC, 8 * NSEC_PER_SEC);
	session_end(w->s, false);
	world_wait_ended(w);
	free(w->set.done_pattern);
	free(w->set.prompt_via);
}

/* ---- signals ------------------------------------------------------------------------- */

static void
done_in_the_last_half_line(void **state)
{
	struct world *w = *state;

	w->set.done_pattern = strdup("ALL [A-Z]+");
	world_start_sh(w, "echo working; printf 'ALL DONE'");
	world_assert_exit(w, EXIT_CODE, 0);
	assert_string_equal(w->signals.data, "done=ALL DONE;");
	free(w->set.done_pattern);
}

static void
done_on_a_screen(void **state)
{
	struct world *w = *state;

	w->set.mode = MODE_PTY;
	w->set.done_pattern = strdup("ALL DONE");
	world_start_sh(w, "printf '\\033[H\\033[2J\\033[5;5HALL\\033[1CDONE'");
	world_assert_exit(w, EXIT_CODE, 0);
	assert_string_equal(w->signals.data, "done=ALL DONE;");
	free(w->set.done_pattern);
}

static void
done_is_told_while_it_runs(void **state)
{
	struct world *w = *state;

	w->set.mode = MODE_PTY;
	w->set.done_pattern = strdup("ALL DONE");
	world_start_sh(w, "echo ALL DONE; sleep 1000");
	WAIT_FOR(w, w->signals.len > 0);
	assert_string_equal(w->signals.data, "done=ALL DONE;");
	session_end(w->s, false);
	world_wait_ended(w);
	free(w->set.done_pattern);
}

static void
silence_is_noticed(void **state)
{
	struct world *w = *state;

	for (int mode = MODE_PIPE; mode <= MODE_PTY; mode++) {
		int64_t began = clock_boot();

		w->set.mode = mode;
		w->set.inactivity_timeout = 2 * NSEC_PER_SEC;
		/* A terminal that repeats itself is silent too. */
		world_start_sh(w, mode == MODE_PTY ? "printf x; sleep 1; printf y; while :; do "
						     "printf '\\r'; sleep 0.05; done"
						   : "printf x; sleep 1; printf y; sleep 1000");
		WAIT_FOR(w, w->signals.len > 0);
		/* On a pipe nobody waits for an answer. */
		assert_non_null(strstr(w->signals.data, mode == MODE_PIPE ? "hung=" : "idle="));
		assert_true(clock_boot() - began >= 2990 * NSEC_PER_MSEC);
		session_end(w->s, false);
		world_wait_ended(w);
		session_free(w->s);
		w->s = NULL;
		w->ended = 0;
		w->seq = 0;
		buf_clear(&w->signals);
		(void)!fs_remove_tree(w->dirfd, "s1", NULL);
	}
}

static void
spinning_is_no_progress(void **state)
{
	struct world *w = *state;
	char agent[] = "agent", spin[] = "spin";

	w->set.mode = MODE_PTY;
	w->set.stall_timeout = 400 * NSEC_PER_MSEC;
	w->set.inactivity_timeout = 10 * NSEC_PER_SEC;
	w->argv[0] = world_self;
	w->argv[1] = agent;
	w->argv[2] = spin;
	world_start(w);
	WAIT_FOR(w, w->signals.len > 0);
	assert_non_null(strstr(w->signals.data, "stall="));
	session_end(w->s, false);
	world_wait_ended(w);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    WORLD_TEST(done_is_what_it_says_and_exit_what_it_is_told),
	    WORLD_TEST(without_a_transcript_the_screen_counts_in_the_end),
	    WORLD_TEST(without_a_transcript_the_screen_counts_soon),
	    WORLD_TEST(done_in_the_last_half_line),
	    WORLD_TEST(done_on_a_screen),
	    WORLD_TEST(done_is_told_while_it_runs),
	    WORLD_TEST(silence_is_noticed),
	    WORLD_TEST(spinning_is_no_progress),
	};

	if (world_is_another_part(argc, argv))
		return world_play(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
