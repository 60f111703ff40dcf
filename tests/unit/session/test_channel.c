/* What an agent's own commands say to its session. */
#include "session/channel.h"
#include "world.h"

#include "base/fs.h"

/* Dials the channel as a command of the agent does. */
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
	/* Frames that only a supervisor may send. */
	assert_int_equal(wire_write_frame(fd, WIRE_ASSIGN, "{}", 2, NULL), 0);
	expect_frame(fd, WIRE_ERROR, "not for you");
	assert_int_equal(wire_write_frame(fd, WIRE_NUDGE, "\7\0\0\0\0\0\0\0", 8, NULL), 0);
	expect_frame(fd, WIRE_ERROR, "not for you");
	/* A frame of 8 KiB is no word: its sender is shown out. */
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

/* Says a word (or only asks whether it would be taken) as this speaker. */
static int
say_as(int fd, enum signal_kind kind, const char *task, const char *token, bool filed,
    bool only_ask, struct err *err)
{
	AUTO_JSON *notice =
	    json_pack("{s:s, s:i, s:b}", "task", "T002", "turn", 8, "bare", false);

	if (channel_about(notice, task, token, filed, err) < 0)
		return -1;
	return only_ask ? channel_may(fd, notice, kind, "x", err)
			: channel_say(fd, notice, kind, "x", err);
}

/* In the second task: a speaker that comes too late is greeted with that task, too. */
static void
words_show_which_turn_they_mean(void **state)
{
	struct world *w = *state;
	AUTO_JSON *notice = NULL;
	AUTO_BUF prompt = BUF_INIT, text = BUF_INIT;
	struct err err = ERR_INIT;
	int fd;

	w->task = "T001";
	w->token = "firstone";
	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("paste");
	world_start_sh(w, "printf 'ready\\n> '; while read -r text; do :; done");
	WAIT_FOR(w, strstr(w->signals.data, "7:delivered="));
	fd = dial(w);
	notice = channel_notice(fd, &err);
	assert_true(json_bool(notice, "bare", false));
	assert_int_equal(channel_about(notice, NULL, "otherone", false, &err), 0);
	assert_int_equal(channel_say(fd, notice, SIGNAL_DONE, "", &err), -1);
	assert_non_null(strstr(err.text, "another turn"));
	/* We are none of the agent's processes. */
	json_object_del(notice, "token");
	assert_int_equal(channel_may(fd, notice, SIGNAL_DONE, "", &err), -1);
	assert_int_equal(channel_say(fd, notice, SIGNAL_DONE, "", &err), -1);
	assert_non_null(strstr(err.text, "does not run inside the session"));
	assert_null(strstr(err.text, "firstone"));
	assert_int_equal(channel_say(fd, notice, SIGNAL_PROGRESS, "5", &err), 0);
	assert_int_equal(channel_about(notice, NULL, "firstone", false, &err), 0);
	assert_int_equal(channel_say(fd, notice, SIGNAL_DONE, "", &err), 0);
	close(fd);

	buf_adds(&prompt, "Do two.\nNow.");
	assert_int_equal(session_assign(w->s, 8, "T002", "turntwo8", NULL, &prompt, &err), 0);
	WAIT_FOR(w, strstr(w->signals.data, "8:delivered="));
	fd = dial(w);
	json_decref(notice);
	notice = channel_notice(fd, &err);
	json_print(notice, true, &text);
	assert_null(strstr(text.data, "turntwo8"));
	assert_false(json_bool(notice, "bare", true));
	for (int kind = 0; kind < SIGNAL_COUNT; kind++) {
		if (kind != SIGNAL_DONE && kind != SIGNAL_STUCK && kind != SIGNAL_BLOCKED)
			continue;
		assert_int_equal(
		    say_as(fd, (enum signal_kind)kind, NULL, NULL, false, false, &err), -1);
		assert_non_null(strstr(err.text, "stands in the task's prompt"));
		assert_null(strstr(err.text, "turntwo8"));
		assert_int_equal(
		    say_as(fd, (enum signal_kind)kind, "T002", NULL, false, false, &err), -1);
		assert_int_equal(
		    say_as(fd, (enum signal_kind)kind, NULL, "firstone", false, false, &err),
		    -1);
		assert_int_equal(
		    say_as(fd, (enum signal_kind)kind, "t002", "firstone", true, false, &err),
		    -1);
		assert_int_equal(
		    say_as(fd, (enum signal_kind)kind, "T001", "turntwo8", false, false, &err),
		    -1);
		/* Asks only, any number of times. */
		assert_int_equal(
		    say_as(fd, (enum signal_kind)kind, NULL, NULL, false, true, &err), -1);
		assert_int_equal(
		    say_as(fd, (enum signal_kind)kind, NULL, NULL, true, true, &err), -1);
		assert_int_equal(
		    say_as(fd, (enum signal_kind)kind, NULL, "turntwo8", false, true, &err), 0);
		assert_int_equal(
		    say_as(fd, (enum signal_kind)kind, NULL, "TurnTwo8", false, true, &err), 0);
	}
	assert_null(strstr(w->signals.data, "8:stuck"));
	assert_int_equal(say_as(fd, SIGNAL_STUCK, NULL, "turntwo8", false, false, &err), 0);
	assert_int_equal(say_as(fd, SIGNAL_DONE, NULL, "turntwo8", true, false, &err), 0);
	assert_int_equal(say_as(fd, SIGNAL_DONE, NULL, "turntwo8", false, true, &err), -1);
	assert_non_null(strstr(err.text, "already said"));
	close(fd);
	WAIT_FOR(w, strstr(w->signals.data, "8:stuck=x;8:done=x;"));

	/* A supervisor of an earlier version has no tokens in its prompts. */
	assert_int_equal(session_assign(w->s, 9, "T003", NULL, NULL, &prompt, &err), 0);
	WAIT_FOR(w, strstr(w->signals.data, "9:delivered="));
	fd = dial(w);
	json_decref(notice);
	notice = channel_notice(fd, &err);
	assert_int_equal(channel_say(fd, notice, SIGNAL_DONE, "", &err), 0);
	close(fd);
	/* A session of an earlier version cannot be asked, and believes who names its task. */
	(void)json_object_del(notice, "bare");
	assert_int_equal(channel_about(notice, NULL, "turntwo8", false, &err), 0);
	assert_true(json_bool(notice, "named", false));
	assert_int_equal(channel_may(-1, notice, SIGNAL_DONE, "", &err), 0);
	session_end(w->s, false);
	world_wait_ended(w);
	free(w->set.prompt_via);
}

/* A speaker with the token has read the prompt, even when Enter has not been pressed yet. */
static void
a_quick_word_is_not_lost(void **state)
{
	struct world *w = *state;
	AUTO_BUF prompt = BUF_INIT;
	struct err err = ERR_INIT;
	char script[400];
	int fd;

	w->task = "T001";
	w->token = "firstone";
	w->clear = "";
	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("paste");
	/* As long as the agent's screen moves, Enter waits, two seconds at most. */
	snprintf(script, sizeof(script),
	    "printf 'ready\\n> '; while read -r text; do case $text in\n"
	    "*two.) while ! [ -e %s/go ]; do printf .; sleep 0.03; done ;;\n"
	    "esac; done",
	    w->path);
	world_start_sh(w, script);
	WAIT_FOR(w, strstr(w->signals.data, "7:delivered="));
	buf_adds(&prompt, "Do two.\nNow.");
	assert_int_equal(session_assign(w->s, 8, "T002", "turntwo8", NULL, &prompt, &err), 0);
	WAIT_FOR(w, world_output_has(w, "..."));
	assert_null(strstr(w->signals.data, "8:"));
	fd = dial(w);
	assert_int_equal(say_as(fd, SIGNAL_DONE, NULL, NULL, false, false, &err), -1);
	assert_int_equal(say_as(fd, SIGNAL_DONE, NULL, "firstone", false, false, &err), -1);
	assert_int_equal(say_as(fd, SIGNAL_DONE, NULL, "turntwo8", false, true, &err), 0);
	assert_int_equal(say_as(fd, SIGNAL_DONE, NULL, "turntwo8", false, false, &err), 0);
	close(fd);
	WAIT_FOR(w, strstr(w->signals.data, "8:delivered=T002;8:done=x;"));

	/* The Enter that is still to come does not belong to the next prompt. */
	buf_clear(&prompt);
	buf_adds(&prompt, "Do three.\nNow.");
	assert_int_equal(session_assign(w->s, 9, "T003", "turnnin9", NULL, &prompt, &err), 0);
	assert_int_equal(fs_replace(w->dirfd, "go", "", 0, FS_NOSYNC, NULL), 0);
	WAIT_FOR(w, strstr(w->signals.data, "9:"));
	assert_non_null(strstr(w->signals.data, "9:delivered=T003;"));
	assert_true(world_output_has(w, "Do three."));
	session_end(w->s, false);
	world_wait_ended(w);
	free(w->set.prompt_via);
}

/* A DONE that was only shown gives way to one that was said. */
static void
a_word_goes_before_a_tag(void **state)
{
	struct world *w = *state;
	AUTO_JSON *notice = NULL;
	struct err err = ERR_INIT;
	int fd;

	start(w, "cat >/dev/null; echo '<promise>DONE</promise>'; sleep 1000");
	WAIT_FOR(w, strstr(w->signals.data, "7:done=;"));
	fd = dial(w);
	notice = channel_notice(fd, &err);
	assert_int_equal(channel_say(fd, notice, SIGNAL_STUCK, "why?", &err), -1);
	assert_int_equal(channel_say(fd, notice, SIGNAL_DONE, "", &err), 0);
	assert_int_equal(channel_say(fd, notice, SIGNAL_DONE, "", &err), -1);
	close(fd);
	WAIT_FOR(w, strstr(w->signals.data, "7:done=;7:done=;"));
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

/* Before the agent has the prompt, nobody can speak of the task. */
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
	    WORLD_TEST(words_show_which_turn_they_mean),
	    WORLD_TEST(a_quick_word_is_not_lost),
	    WORLD_TEST(a_word_goes_before_a_tag),
	    WORLD_TEST(a_word_without_a_supervisor_is_kept),
	    WORLD_TEST(a_session_without_a_task),
	    WORLD_TEST(a_task_that_was_not_given_yet),
	};

	if (world_is_another_part(argc, argv))
		return world_play(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
