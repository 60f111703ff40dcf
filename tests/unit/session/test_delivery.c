/* How a prompt reaches its agent, and when the agent is ready for it. */
#include "world.h"

#include "base/fs.h"
#include <fcntl.h>

/* ---- prompt -------------------------------------------------------------------------- */

static void
a_large_prompt_passes_a_flooding_agent(void **state)
{
	struct world *w = *state;
	AUTO_BUF out = BUF_INIT;

	buf_clear(&w->prompt);
	for (int i = 0; w->prompt.len < 5 * MB; i++)
		buf_addf(&w->prompt, "%d %c\n", i, i % 256);
	/* Nothing tells which of two pipes was written to first: both begin with zeros. */
	world_start_sh(w, "head -c 10 /dev/zero >&2; head -c 3000000 /dev/zero; cat");
	world_assert_exit(w, EXIT_CODE, 0);
	world_read(w, "output.raw", &out);
	assert_int_equal(out.len, 3 * MB + w->prompt.len + 10);
	assert_memory_equal(out.data + 3 * MB + 10, w->prompt.data, w->prompt.len);
}

static void
stdin_is_a_pipe_also_in_a_terminal_session(void **state)
{
	struct world *w = *state;

	w->set.mode = MODE_PTY;
	buf_clear(&w->prompt);
	for (int i = 0; i < 1000; i++)
		buf_addf(&w->prompt, "%09d", i); /* longer than a terminal's line */
	world_start_sh(w,
	    "wc -c; test -t 0 || echo pipe; test -t 1 && test -t 2 && echo tty; stty size <&1");
	world_assert_exit(w, EXIT_CODE, 0);
	assert_true(world_output_has(w, "9000\r\npipe\r\ntty\r\n40 120"));
}

static void
paste(struct world *w, bool bracketed)
{
	AUTO_BUF want = BUF_INIT, got = BUF_INIT;
	char agent[] = "agent", raw[] = "raw", path[128], how[2] = {bracketed ? 'b' : 'n'},
	     n[32];

	buf_clear(&w->prompt);
	if (bracketed)
		buf_adds(&want, "\033[200~");
	for (int i = 0; i < 100 * 1000 / 50; i++) {
		buf_addf(&w->prompt, "%048d\303\244\033\n", i);
		buf_addf(&want, "%048d\303\244\r", i);
	}
	/* The newline at the end is the Enter that follows, not one more. */
	buf_truncate(&want, want.len - 1);
	buf_adds(&want, bracketed ? "\033[201~\r" : "\r");
	snprintf(path, sizeof(path), "%s/typed", w->path);
	snprintf(n, sizeof(n), "%zu", want.len);
	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("paste");
	w->argv[0] = world_self;
	w->argv[1] = agent;
	w->argv[2] = raw;
	w->argv[3] = path;
	w->argv[4] = how;
	w->argv[5] = n;
	world_start(w);
	world_assert_exit(w, EXIT_CODE, 0);
	assert_string_equal(w->signals.data, "ready=its screen is at rest;");
	assert_int_equal(fs_read(AT_FDCWD, path, (size_t)1 << 20, &got, NULL), 0);
	assert_int_equal(got.len, want.len);
	assert_memory_equal(got.data, want.data, want.len);
	free(w->set.prompt_via);
}

static void
a_long_paste_arrives_whole(void **state)
{
	paste(*state, true);
}

static void
a_paste_without_brackets(void **state)
{
	paste(*state, false);
}

/* ---- readiness ----------------------------------------------------------------------- */

static void
paste_into(struct world *w, const char *script)
{
	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("paste");
	world_start_sh(w, script);
}

static void
a_pattern_of_the_users_outweighs_a_screen_at_rest(void **state)
{
	struct world *w = *state;
	char *patterns[] = {strdup("^READY-\\w+ $"), NULL};

	w->set.ready_patterns = patterns;
	paste_into(w, "stty -echo; printf loading; sleep 0.8; printf '\\rREADY-NOW\\n';"
		      "read -r a; echo got-$a");
	world_assert_exit(w, EXIT_CODE, 0);
	assert_string_equal(w->signals.data, "ready=READY-NOW;");
	assert_true(world_output_has(w, "got-the prompt"));
	free(patterns[0]);
	free(w->set.prompt_via);
}

static void
a_bare_prompt_sign_is_known(void **state)
{
	struct world *w = *state;

	paste_into(w, "printf 'hello\\n> '; read -r a; echo got-$a");
	world_assert_exit(w, EXIT_CODE, 0);
	assert_string_equal(w->signals.data, "ready=>;");
	assert_true(world_output_has(w, "got-the prompt"));
	free(w->set.prompt_via);
}

/* No pattern matches: a screen that only blinks is not at rest at once, but counts so in the
 * end. */
static void
paste_into_agent(struct world *w, char *kind)
{
	static char agent[] = "agent";

	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("paste");
	w->argv[0] = world_self;
	w->argv[1] = agent;
	w->argv[2] = kind;
	world_start(w);
	WAIT_FOR(w, w->signals.len > 0);
	assert_string_equal(w->signals.data, "ready=its screen is at rest;");
}

static void
a_screen_that_blinks_is_not_at_rest_yet(void **state)
{
	struct world *w = *state;
	char dots[] = "dots";
	bool welcome;

	paste_into_agent(w, dots);
	welcome = world_output_has(w, "welcome");
	world_assert_exit(w, EXIT_CODE, 0);
	assert_true(world_output_has(w, "got-the prompt"));
	assert_true(welcome || world_output_has(w, "late"));
	free(w->set.prompt_via);
}

static void
a_screen_that_blinks_for_ever_is_taken_for_ready(void **state)
{
	struct world *w = *state;
	char blinks[] = "blinks";
	int64_t took = -clock_boot();

	paste_into_agent(w, blinks);
	took += clock_boot();
	world_assert_exit(w, EXIT_CODE, 0);
	assert_true(world_output_has(w, "got-the prompt"));
	assert_true(took >= 2 * NSEC_PER_SEC || world_output_has(w, "late"));
	free(w->set.prompt_via);
}

static void
without_a_prompt_a_terminal_is_there_to_type(void **state)
{
	struct world *w = *state;
	int fd;

	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("none");
	world_start_sh(
	    w, "test -t 0 && printf 'tty $#\\n$ '; read -r a; echo got-$a; sleep 1000");
	WAIT_FOR(w, w->signals.len > 0);
	assert_string_equal(w->signals.data, "ready=$;");
	assert_true(world_output_has(w, "tty"));
	fd = world_dial(w, ROLE_CLIENT, 0, 0);
	assert_int_equal(wire_write_frame(fd, WIRE_PASTE, "\1it", 3, NULL), 0);
	expect_frame(fd, WIRE_OK, "");
	WAIT_FOR(w, world_output_has(w, "got-it"));
	assert_false(world_output_has(w, "the prompt"));
	close(fd);
	session_end(w->s, false);
	world_wait_ended(w);
	free(w->set.prompt_via);
}

static void
without_a_prompt_a_pipe_is_empty(void **state)
{
	struct world *w = *state;

	w->set.prompt_via = strdup("none");
	world_start_sh(w, "wc -c; echo $#; exit 3");
	world_assert_exit(w, EXIT_CODE, 3);
	assert_true(world_output_has(w, "0\n0\n"));
	assert_string_equal(w->signals.data, "");
	free(w->set.prompt_via);
}

static const char dialog[] = "stty -echo; printf 'Do you trust this?\\n> '; read -r a;"
			     "printf '\\033[H\\033[2Jyou said %s\\n> ' $a; read -r b;"
			     "echo got-$b";

static void
a_dialog_is_for_people(void **state)
{
	struct world *w = *state;
	int fd;

	paste_into(w, dialog);
	WAIT_FOR(w, w->signals.len > 0);
	assert_string_equal(w->signals.data, "asks=Do you trust this?;");
	fd = world_dial(w, ROLE_CLIENT, 0, 0);
	assert_int_equal(wire_write_frame(fd, WIRE_PASTE, "\1yes", 4, NULL), 0);
	expect_frame(fd, WIRE_OK, "");
	close(fd);
	world_assert_exit(w, EXIT_CODE, 0);
	assert_true(world_output_has(w, "you said yes"));
	assert_true(world_output_has(w, "got-the prompt"));
	assert_non_null(strstr(w->signals.data, ";ready=>;"));
	free(w->set.prompt_via);
}

static void
a_dialog_that_nobody_answers(void **state)
{
	struct world *w = *state;

	w->set.inactivity_timeout = 500 * NSEC_PER_MSEC;
	paste_into(w, dialog);
	WAIT_FOR(w, strstr(w->signals.data, "undelivered="));
	assert_false(world_output_has(w, "you said"));
	session_end(w->s, false);
	world_wait_ended(w);
	free(w->set.prompt_via);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    WORLD_TEST(a_large_prompt_passes_a_flooding_agent),
	    WORLD_TEST(stdin_is_a_pipe_also_in_a_terminal_session),
	    WORLD_TEST(a_long_paste_arrives_whole),
	    WORLD_TEST(a_paste_without_brackets),
	    WORLD_TEST(a_pattern_of_the_users_outweighs_a_screen_at_rest),
	    WORLD_TEST(a_bare_prompt_sign_is_known),
	    WORLD_TEST(a_screen_that_blinks_is_not_at_rest_yet),
	    WORLD_TEST(a_screen_that_blinks_for_ever_is_taken_for_ready),
	    WORLD_TEST(without_a_prompt_a_terminal_is_there_to_type),
	    WORLD_TEST(without_a_prompt_a_pipe_is_empty),
	    WORLD_TEST(a_dialog_is_for_people),
	    WORLD_TEST(a_dialog_that_nobody_answers),
	};

	if (world_is_another_part(argc, argv))
		return world_play(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
