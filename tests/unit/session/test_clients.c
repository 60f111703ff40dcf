/* Who is connected to a session: viewers, workers, strangers. */
#include "world.h"

#include <fcntl.h>

static void
a_viewer_sees_the_screen_and_what_follows(void **state)
{
	struct world *w = *state;
	int fd, other;

	w->set.mode = MODE_PTY;
	world_start_sh(w, "trap 'stty size <&1' WINCH; printf hello; printf '\\033[c';"
			  "while :; do sleep 0.02; done");
	WAIT_FOR(w, world_output_has(w, "hello"));
	other = world_dial(w, ROLE_CLIENT, 0, 0);
	WAIT_FOR(w, screen_has(other, "hello"));
	fd = world_dial(w, ROLE_VIEWER, 30, 100);
	expect_frame(fd, WIRE_REPAINT, "hello");
	expect_frame(fd, WIRE_OUTPUT, "30 100");
	assert_int_equal(wire_write_frame(fd, WIRE_RESIZE, "\24\0\120\0", 4, NULL), 0);
	expect_frame(fd, WIRE_REPAINT, "hello");
	expect_frame(fd, WIRE_OUTPUT, "20 80");
	close(fd);
	close(other);
	session_end(w->s, false);
	world_wait_ended(w);
}

static void
what_a_viewer_types_reaches_the_agent(void **state)
{
	struct world *w = *state;
	int fd;

	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("arg");
	world_start_sh(w, "read a; echo got-$a; read b; echo and-$b; sleep 1000");
	WAIT_FOR(w, w->running);
	fd = world_dial(w, ROLE_VIEWER, 40, 120);
	assert_int_equal(wire_write_frame(fd, WIRE_INPUT, "x1\r", 3, NULL), 0);
	expect_frame(fd, WIRE_OUTPUT, "got-x1");
	close(fd);
	fd = world_dial(w, ROLE_CLIENT, 0, 0);
	assert_int_equal(wire_write_frame(fd, WIRE_PASTE, "\1y2", 3, NULL), 0);
	expect_frame(fd, WIRE_OK, "");
	WAIT_FOR(w, world_output_has(w, "and-y2"));
	assert_int_equal(wire_write_frame(fd, WIRE_END, "\0", 1, NULL), 0);
	expect_frame(fd, WIRE_ERROR, "not for you");
	close(fd);
	session_end(w->s, false);
	world_wait_ended(w);
	free(w->set.prompt_via);
}

static void
a_pipe_can_be_viewed_too(void **state)
{
	struct world *w = *state;
	int fd;

	world_start_sh(w, "echo one; echo two; while :; do sleep 0.02; echo more; done");
	WAIT_FOR(w, world_output_has(w, "two"));
	fd = world_dial(w, ROLE_VIEWER, 24, 80);
	expect_frame(fd, WIRE_REPAINT, "one");
	expect_frame(fd, WIRE_OUTPUT, "more\r\n");
	assert_int_equal(wire_write_frame(fd, WIRE_INPUT, "x", 1, NULL), 0);
	expect_frame(fd, WIRE_ERROR, "no terminal");
	assert_true(screen_has(fd, "one\ntwo\nmore\n"));
	close(fd);
	session_end(w->s, false);
	world_wait_ended(w);
}

static void
a_slow_viewer_holds_nobody_up(void **state)
{
	struct world *w = *state;
	int fd;

	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("arg");
	buf_clear(&w->prompt);
	buf_addf(&w->prompt, "%d", FLOOD / 2);
	world_start_sh(w,
	    "read go; yes 'a line that is long enough to be worth a look, I think' |"
	    "head -c $0; exit 6");
	WAIT_FOR(w, w->running);
	fd = world_dial(w, ROLE_VIEWER, 40, 120);
	assert_int_equal(wire_write_frame(fd, WIRE_INPUT, "\r", 1, NULL), 0);
	/* The viewer reads nothing until the session is over. */
	world_assert_exit(w, EXIT_CODE, 6);
	close(fd);
	free(w->set.prompt_via);
}

static void
hostile_clients_are_shown_out(void **state)
{
	struct world *w = *state;
	AUTO_CLOSE int dir = -1;
	AUTO_BUF data = BUF_INIT;
	enum wire_type type;
	int fds[80], other;

	world_start_sh(w, "sleep 1000");
	WAIT_FOR(w, w->running);
	dir = openat(w->dirfd, "s1", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* A client that greets twice is shown out. */
	other = world_dial(w, ROLE_CLIENT, 0, 0);
	assert_int_equal(wire_write_frame(other, WIRE_HELLO, "\1\0\0\0", 4, NULL), 0);
	assert_int_equal(wire_read_frame(other, PATIENCE, &type, &data, NULL), 0);
	assert_int_equal(type, WIRE_ERROR);
	assert_int_equal(wire_read_frame(other, PATIENCE, &type, &data, NULL), -1);
	close(other);
	/* So are clients beyond a number. */
	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		fds[i] = wire_dial(dir, ROLE_CLIENT, 0, 0, 0, NULL);
	assert_true(fds[10] >= 0);
	assert_int_equal(fds[79], -1);
	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	session_end(w->s, false);
	world_wait_ended(w);
}

static void
notices_reach_the_worker(void **state)
{
	struct world *w = *state;
	AUTO_BUF stored = BUF_INIT;
	int fd, late;

	world_start_sh(w, "sleep 1000");
	WAIT_FOR(w, w->running);
	fd = world_dial(w, ROLE_WORKER, 0, 0);
	session_notice(w->s, "{\"pause\":true}");
	expect_frame(fd, WIRE_NOTICE, "{\"pause\":true}");
	late = world_dial(w, ROLE_WORKER, 0, 0);
	expect_frame(late, WIRE_NOTICE, "{\"pause\":true}");
	assert_int_equal(wire_write_frame(fd, WIRE_SCREEN, "", 0, NULL), 0);
	expect_frame(fd, WIRE_ERROR, "not for you");
	close(fd);
	close(late);
	world_read(w, "notice.json", &stored);
	assert_string_equal(stored.data, "{\"pause\":true}");
	session_end(w->s, false);
	world_wait_ended(w);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    WORLD_TEST(a_viewer_sees_the_screen_and_what_follows),
	    WORLD_TEST(what_a_viewer_types_reaches_the_agent),
	    WORLD_TEST(a_pipe_can_be_viewed_too),
	    WORLD_TEST(a_slow_viewer_holds_nobody_up),
	    WORLD_TEST(hostile_clients_are_shown_out),
	    WORLD_TEST(notices_reach_the_worker),
	};

	if (world_is_another_part(argc, argv))
		return world_play(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
