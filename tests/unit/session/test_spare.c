/* A keeper that waits for its session: what becomes of it, and what it leaves. */
#include "session/spare.h"

#include "base/fs.h"
#include "world.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/socket.h>

static struct session_spare *
spare_make(struct world *w)
{
	struct err err = ERR_INIT;
	struct session_spare *spare = session_spare_new(w->ev, w->dirfd, &err);

	assert_string_equal(err.text, "");
	assert_non_null(spare);
	return spare;
}

static bool
is_there(struct world *w, const char *path)
{
	return faccessat(w->dirfd, path, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

/* Starts a session with the spare keeper. */
static void
start_with(struct world *w, struct session_spare **spare, const char *script)
{
	static char sh[] = "sh", c[] = "-c", text[256];
	struct session_callbacks cb = world_callbacks(w);
	struct session_spec spec = {.id = "s1",
	    .loop = "loop",
	    .settings = &w->set,
	    .prompt = &w->prompt,
	    .spare = spare};
	struct err err = ERR_INIT;

	snprintf(text, sizeof(text), "%s", script);
	w->argv[0] = sh;
	w->argv[1] = c;
	w->argv[2] = text;
	w->argv[3] = NULL;
	w->s = session_start(w->ev, w->dirfd, &spec, &cb, &err);
	assert_string_equal(err.text, "");
	assert_non_null(w->s);
}

static void
it_becomes_the_session(void **state)
{
	struct world *w = *state;
	struct session_spare *spare = spare_make(w);
	pid_t keeper = spare->keeper.pid;
	AUTO_BUF text = BUF_INIT;
	char expected[32];

	WAIT_FOR(w, is_there(w, SPARE_DIR "/.worker"));
	assert_false(is_there(w, SPARE_DIR "/worker"));
	start_with(w, &spare, "echo here; cat");
	assert_null(spare);
	world_assert_exit(w, EXIT_CODE, 0);
	assert_int_equal(w->running, 1);
	assert_true(world_output_has(w, "here"));
	assert_false(is_there(w, SPARE_DIR));
	world_read(w, "keeper.json", &text);
	snprintf(expected, sizeof(expected), "\"pid\":%d,", (int)keeper);
	assert_non_null(strstr(text.data, expected));
}

static void
started_before_it_is_ready_it_does_the_same(void **state)
{
	struct world *w = *state;
	struct session_spare *spare = spare_make(w);

	start_with(w, &spare, "exit 3");
	world_assert_exit(w, EXIT_CODE, 3);
}

static void
one_that_died_is_replaced(void **state)
{
	struct world *w = *state;
	struct session_spare *spare = spare_make(w);

	assert_int_equal(kill(spare->keeper.pid, SIGKILL), 0);
	WAIT_FOR(w, spare->keeper.pid < 0);
	start_with(w, &spare, "exit 4");
	assert_null(spare);
	world_assert_exit(w, EXIT_CODE, 4);
}

static void
one_that_was_stopped_goes_on(void **state)
{
	struct world *w = *state;
	struct session_spare *spare = spare_make(w);

	assert_int_equal(kill(spare->keeper.pid, SIGSTOP), 0);
	start_with(w, &spare, "exit 7");
	world_assert_exit(w, EXIT_CODE, 7);
}

static void
freed_it_leaves_nothing(void **state)
{
	struct world *w = *state;
	struct session_spare *spare = spare_make(w);
	pid_t keeper = spare->keeper.pid;

	assert_int_equal(session_spare_free(spare, NULL), 0);
	assert_int_equal(kill(keeper, 0), -1);
	assert_int_equal(errno, ESRCH);
	assert_false(is_there(w, SPARE_DIR));
}

/* All that a keeper sees of its supervisor's death is that the connection ends. */
static void
it_goes_with_its_supervisor(void **state)
{
	struct world *w = *state;
	struct session_spare *spare = spare_make(w);

	assert_int_equal(shutdown(spare->fd, SHUT_RDWR), 0);
	WAIT_FOR(w, spare->keeper.pid < 0);
	assert_int_equal(session_spare_free(spare, NULL), 0);
}

static void
term_ends_it(void **state)
{
	struct world *w = *state;
	struct session_spare *spare = spare_make(w);

	WAIT_FOR(w, is_there(w, SPARE_DIR "/.worker"));
	assert_int_equal(kill(spare->keeper.pid, SIGTERM), 0);
	WAIT_FOR(w, spare->keeper.pid < 0);
	assert_int_equal(session_spare_free(spare, NULL), 0);
}

/* The supervisor dies when its session has a name, but before it has said what to run. */
static void
what_was_never_told_is_absent_and_starts_anew(void **state)
{
	struct world *w = *state;
	struct session_spare *spare = spare_make(w), *next = NULL;
	struct err err = ERR_INIT;

	assert_int_equal(session_spare_name(spare, "s1", &err), 0);
	assert_int_equal(shutdown(spare->fd, SHUT_RDWR), 0);
	assert_int_equal(world_adopt(w, 0), PROBE_ABSENT);
	WAIT_FOR(w, spare->keeper.pid < 0);
	assert_int_equal(session_spare_free(spare, NULL), 0);
	assert_true(is_there(w, "s1"));
	start_with(w, &next, "exit 5");
	world_assert_exit(w, EXIT_CODE, 5);
}

/* The supervisor dies right after it has said what to run. */
static void
what_was_told_is_adopted(void **state)
{
	struct world *w = *state;
	struct session_spare *spare = spare_make(w);

	start_with(w, &spare, "sleep 1000");
	session_free(w->s);
	assert_int_equal(world_adopt(w, 0), PROBE_RUNNING);
	WAIT_FOR(w, w->running);
	session_end(w->s, false);
	world_wait_ended(w);
}

static void
what_a_killed_supervisor_left_is_no_hindrance(void **state)
{
	struct world *w = *state;
	struct session_spare *spare;
	struct err err = ERR_INIT;

	assert_int_equal(fs_mkdir(w->dirfd, SPARE_DIR, &err), 0);
	assert_int_equal(fs_mkdir(w->dirfd, SPARE_DIR "/task.lock", &err), 0);
	spare = spare_make(w);
	start_with(w, &spare, "exit 6");
	world_assert_exit(w, EXIT_CODE, 6);
}

static void
a_prompt_larger_than_a_frame_arrives(void **state)
{
	struct world *w = *state;
	struct session_spare *spare = spare_make(w);

	for (int i = 0; i < 300000; i++)
		buf_addf(&w->prompt, "%09d\n", i);
	start_with(w, &spare, "tail -n 1");
	world_assert_exit(w, EXIT_CODE, 0);
	assert_true(world_output_has(w, "000299999"));
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    WORLD_TEST(it_becomes_the_session),
	    WORLD_TEST(started_before_it_is_ready_it_does_the_same),
	    WORLD_TEST(one_that_died_is_replaced),
	    WORLD_TEST(one_that_was_stopped_goes_on),
	    WORLD_TEST(freed_it_leaves_nothing),
	    WORLD_TEST(it_goes_with_its_supervisor),
	    WORLD_TEST(term_ends_it),
	    WORLD_TEST(what_was_never_told_is_absent_and_starts_anew),
	    WORLD_TEST(what_was_told_is_adopted),
	    WORLD_TEST(what_a_killed_supervisor_left_is_no_hindrance),
	    WORLD_TEST(a_prompt_larger_than_a_frame_arrives),
	};

	if (world_is_another_part(argc, argv))
		return world_play(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
