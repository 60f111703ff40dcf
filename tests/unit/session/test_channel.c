/* What an agent's own commands say to its session. */
#include "session/channel.h"
#include "world.h"

#include "base/fs.h"

/* As a command of the agent finds it. */
static int
dial(struct world *w)
{
	char path[128];
	struct err err = ERR_INIT;
	int fd;

	snprintf(path, sizeof(path), "%s/s1/worker", w->path);
	setenv("RALPH_WORKER", path, 1);
	fd = channel_dial(&err);
	unsetenv("RALPH_WORKER");
	if (fd < 0)
		print_error("%s\n", err.text);
	assert_true(fd >= 0);
	return fd;
}

static void
refused(int fd, const char *frame, const char *why)
{
	assert_int_equal(wire_write_frame(fd, WIRE_SAY, frame, strlen(frame), NULL), 0);
	expect_frame(fd, WIRE_ERROR, why);
}

static void
start(struct world *w, const char *script)
{
	w->task = "T001";
	w->facts = "{\"root\":\"/p\",\"turn\":99}";
	world_start_sh(w, script);
	WAIT_FOR(w, w->signals.len > 0);
}

static void
words_are_taken_for_the_task(void **state)
{
	struct world *w = *state;
	AUTO_JSON *notice = NULL;
	struct err err = ERR_INIT;
	int fd;

	start(w, "sleep 1000");
	fd = dial(w);
	notice = channel_notice(fd, &err);
	assert_string_equal(json_str(notice, "task", ""), "T001");
	assert_int_equal(json_int(notice, "turn", 0), 7);
	assert_string_equal(json_str(notice, "root", ""), "/p");
	assert_int_equal(channel_say(fd, notice, SIGNAL_PROGRESS, "140 %", &err), 0);
	assert_int_equal(channel_say(fd, notice, SIGNAL_PROGRESS, "much", &err), -1);
	assert_non_null(strstr(err.text, "number"));
	assert_int_equal(channel_say(fd, notice, SIGNAL_STUCK, " which\nfile? ", &err), 0);
	assert_int_equal(channel_say(fd, notice, SIGNAL_STUCK, "which file?", &err), -1);
	assert_int_equal(channel_say(fd, notice, SIGNAL_IDLE, "", &err), -1);
	assert_non_null(strstr(err.text, "nothing that an agent can say"));
	assert_int_equal(channel_say(fd, notice, SIGNAL_DONE, "all of it", &err), 0);
	assert_int_equal(channel_say(fd, notice, SIGNAL_BLOCKED, "no", &err), -1);
	assert_non_null(strstr(err.text, "already said"));
	close(fd);
	WAIT_FOR(w, strstr(w->signals.data, "done"));
	assert_string_equal(w->signals.data, "7:delivered=T001;7:progress=100;"
					     "7:stuck=which file?;7:done=all of it;");
	session_end(w->s, false);
	world_wait_ended(w);
}

static void
others_words_and_garbage_are_refused(void **state)
{
	struct world *w = *state;
	AUTO_BUF data = BUF_INIT, large = BUF_INIT;
	enum wire_type type;
	char header[5] = {0, 0x20, 0, 0, WIRE_SAY};
	int fd;

	start(w, "sleep 1000");
	fd = dial(w);
	refused(fd, "{\"signal\":\"done\",\"turn\":6,\"text\":\"\"}", "not the task");
	refused(fd, "{\"signal\":\"done\",\"turn\":8,\"text\":\"\"}", "not the task");
	refused(fd, "{\"signal\":\"done\",\"turn\":7,\"task\":\"T002\"}", "not the task");
	refused(fd, "{\"signal\":\"done\",\"turn\":\"7\"}", "nothing");
	refused(fd, "{\"signal\":\"done\"}", "nothing");
	refused(fd, "{\"signal\":7,\"turn\":7}", "nothing");
	refused(fd, "{\"signal\":\"timeout\",\"turn\":7}", "nothing");
	refused(fd, "[7]", "nothing");
	refused(fd, "\377{", "nothing");
	/* What only a supervisor may. */
	assert_int_equal(wire_write_frame(fd, WIRE_ASSIGN, "{}", 2, NULL), 0);
	expect_frame(fd, WIRE_ERROR, "not for you");
	assert_int_equal(wire_write_frame(fd, WIRE_NUDGE, "\7\0\0\0\0\0\0\0", 8, NULL), 0);
	expect_frame(fd, WIRE_ERROR, "not for you");
	/* A frame of 8 KiB is no word; whoever sends it is gone. */
	for (int i = 0; i < 8192; i++)
		buf_addc(&large, ' ');
	assert_int_equal(write(fd, header, sizeof(header)), sizeof(header));
	(void)!write(fd, large.data, large.len);
	assert_int_equal(wire_read_frame(fd, PATIENCE, &type, &data, NULL), -1);
	close(fd);
	assert_string_equal(w->signals.data, "7:delivered=T001;");
	session_end(w->s, false);
	world_wait_ended(w);
}

static void
a_word_without_a_supervisor_is_kept(void **state)
{
	struct world *w = *state;
	AUTO_JSON *notice = NULL;
	int fd;

	start(w, "sleep 1000");
	session_free(w->s);
	w->s = NULL;
	fd = dial(w);
	notice = channel_notice(fd, NULL);
	assert_int_equal(channel_say(fd, notice, SIGNAL_STUCK, "anybody there?", NULL), 0);
	assert_int_equal(channel_say(fd, notice, SIGNAL_DONE, "", NULL), 0);
	close(fd);
	assert_int_equal(world_adopt(w, 1), PROBE_RUNNING);
	WAIT_FOR(w, strstr(w->signals.data, "7:stuck=anybody there?;7:done=;"));
	session_end(w->s, false);
	world_wait_ended(w);
}

static void
a_session_without_a_task(void **state)
{
	struct world *w = *state;
	struct err err = ERR_INIT;
	int fd;

	world_start_sh(w, "sleep 1000");
	WAIT_FOR(w, w->running);
	fd = dial(w);
	assert_null(channel_notice(fd, &err));
	assert_string_equal(err.text, "this session has no task");
	refused(fd, "{\"signal\":\"done\",\"turn\":7}", "no task");
	close(fd);
	assert_int_equal(channel_dial(&err), -1);
	assert_non_null(strstr(err.text, "RALPH_WORKER"));
	setenv("RALPH_WORKER", "/nonexistent/worker", 1);
	assert_int_equal(channel_dial(&err), -1);
	unsetenv("RALPH_WORKER");
	session_end(w->s, false);
	world_wait_ended(w);
}

/* Before its prompt is with the agent, nobody can speak of the task. */
static void
a_task_that_was_not_given_yet(void **state)
{
	struct world *w = *state;
	AUTO_JSON *notice = NULL;
	struct err err = ERR_INIT;
	int fd;

	w->task = "T001";
	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("paste");
	world_start_sh(w, "stty -echo; printf 'Do you trust this?\n'; read -r a; sleep 1000");
	WAIT_FOR(w, strstr(w->signals.data, "7:asks="));
	fd = dial(w);
	notice = channel_notice(fd, &err);
	assert_int_equal(channel_say(fd, notice, SIGNAL_DONE, "", &err), -1);
	assert_non_null(strstr(err.text, "not been given"));
	close(fd);
	session_end(w->s, false);
	world_wait_ended(w);
	free(w->set.prompt_via);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    WORLD_TEST(words_are_taken_for_the_task),
	    WORLD_TEST(others_words_and_garbage_are_refused),
	    WORLD_TEST(a_word_without_a_supervisor_is_kept),
	    WORLD_TEST(a_session_without_a_task),
	    WORLD_TEST(a_task_that_was_not_given_yet),
	};

	if (world_is_another_part(argc, argv))
		return world_play(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
