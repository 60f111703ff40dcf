/* One agent, one task after the other: what it says, what it is told, its silence. */
#include "world.h"

#include "base/fs.h"
#include <fcntl.h>
#include <sys/stat.h>

#define DONE "<promise>DONE</promise>\n"
#define MSEC NSEC_PER_MSEC

static void
start_worker(struct world *w, const char *prompt)
{
	static char agent[] = "agent", worker[] = "worker";

	buf_clear(&w->prompt);
	buf_adds(&w->prompt, prompt);
	w->task = "T001";
	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("paste");
	w->argv[0] = world_self;
	w->argv[1] = agent;
	w->argv[2] = worker;
	w->argv[3] = w->path;
	world_start(w);
}

static void
end(struct world *w)
{
	session_end(w->s, false);
	world_wait_ended(w);
	free(w->set.prompt_via);
	w->set.prompt_via = NULL;
}

/* Gives the worker its n-th answer. */
static void
say(struct world *w, int n, const char *text)
{
	char name[20];

	snprintf(name, sizeof(name), "say.%d", n);
	assert_int_equal(fs_replace(w->dirfd, name, text, strlen(text), FS_NOSYNC, NULL), 0);
}

static void
assign(struct world *w, int64_t turn, const char *task, const char *text)
{
	AUTO_BUF prompt = BUF_INIT;
	struct err err = ERR_INIT;

	buf_adds(&prompt, text);
	assert_int_equal(session_assign(w->s, turn, task, NULL, NULL, &prompt, &err), 0);
}

static void
tell(struct world *w, int64_t turn, int64_t number, const char *text)
{
	assert_int_equal(session_tell(w->s, turn, number, text, strlen(text), NULL), 0);
}

static bool
heard(const struct world *w, const char *signal)
{
	return strstr(w->signals.data, signal) != NULL;
}

static int
times(const struct world *w, const char *signal)
{
	int n = 0;

	for (const char *s = w->signals.data; (s = strstr(s, signal)) != NULL; s++)
		n++;
	return n;
}

/* Waits, so that whatever must not happen has had its time. */
static void
linger(struct world *w, int64_t ns)
{
	for (int64_t until = clock_boot() + ns; clock_boot() < until;)
		ev_once(w->ev, 5 * MSEC);
}

/* ---- turns --------------------------------------------------------------------------- */

static void
each_turn_has_its_own_words(void **state)
{
	struct world *w = *state;

	start_worker(w, "Do one. Then print:\n" DONE);
	WAIT_FOR(w, heard(w, "7:delivered=T001;"));
	say(w, 1, "well\n<promise>progress:40%</promise>\n\033[1m" DONE "\033[0m");
	WAIT_FOR(w, heard(w, "7:done=;"));
	assign(w, 8, "T002", "Do two. Then print:\n" DONE);
	WAIT_FOR(w, heard(w, "8:delivered=T002;"));
	assert_true(world_output_has(w, "cleared"));
	linger(w, 200 * MSEC);
	assert_string_equal(w->signals.data,
	    "7:ready=>;7:delivered=T001;7:progress=40;7:done=;8:delivered=T002;");
	say(w, 2, "better\n" DONE);
	WAIT_FOR(w, heard(w, "8:done=;"));
	end(w);
}

/* An echo that never comes is waited for only once. */
static void
one_that_shows_nothing_is_not_waited_for_again(void **state)
{
	struct world *w = *state;
	int64_t given;

	w->task = "T001";
	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("paste");
	world_start_sh(w, "stty -echo; printf 'ready\\n> '; n=0\n"
			  "while read -r text; do\n"
			  "	case $text in /clear | '') ;; *) echo work on $text ;; esac\n"
			  "done");
	WAIT_FOR(w, heard(w, "7:delivered=T001;"));
	linger(w, 4000 * MSEC); /* until the last Enter that the agent might need */
	given = clock_boot();
	assign(w, 8, "T002", "Do two.");
	WAIT_FOR(w, heard(w, "8:delivered=T002;"));
	assert_in_range(clock_boot() - given, 0, 3 * NSEC_PER_SEC);
	WAIT_FOR(w, world_output_has(w, "work on Do two."));
	end(w);
}

static void
without_a_clear_the_old_words_do_not_count(void **state)
{
	struct world *w = *state;

	w->clear = "";
	start_worker(w, "Do one.");
	say(w, 1, "one\n" DONE);
	say(w, 2, "thinking\033[H\033[2Jhello\n> Do one.\none\n" DONE "> Do two.\n");
	WAIT_FOR(w, heard(w, "7:done=;"));
	assign(w, 8, "T002", "Do two.");
	WAIT_FOR(w, heard(w, "8:delivered=T002;"));
	linger(w, 300 * MSEC);
	assert_false(world_output_has(w, "cleared"));
	assert_int_equal(times(w, "done="), 1);
	tell(w, 8, 1, "Go on.");
	say(w, 3, DONE);
	WAIT_FOR(w, heard(w, "8:done=;"));
	end(w);
}

/* A tag of a worker that has not read its task yet is about the task before. */
static void
a_worker_that_is_not_done_with_the_last_one(void **state)
{
	struct world *w = *state;
	char script[700];

	buf_clear(&w->prompt);
	buf_adds(&w->prompt, "Do one.");
	w->task = "T001";
	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("paste");
	snprintf(script, sizeof(script),
	    "printf 'ready\\n> '; while read -r text; do case $text in\n"
	    "*one.) echo '" DONE "'; until [ -e %s/go ]; do sleep 0.02; done\n"
	    "	echo 'on second thoughts'; echo '<promise>STUCK:late</promise>'\n"
	    "	echo '<promise>BLOCKED:late</promise>' ;;\n"
	    "*two.) until [ -e %s/on ]; do sleep 0.02; done\n"
	    "	echo '<promise>STUCK:mine</promise>' ;; esac; done",
	    w->path, w->path);
	world_start_sh(w, script);
	WAIT_FOR(w, heard(w, "7:done=;"));
	assign(w, 8, "T002", "Here is more.\nDo two.");
	WAIT_FOR(w, heard(w, "8:delivered=T002;"));
	linger(w, 100 * MSEC);
	assert_int_equal(fs_replace(w->dirfd, "go", "", 0, FS_NOSYNC, NULL), 0);
	WAIT_FOR(w, world_output_has(w, "BLOCKED:late"));
	linger(w, 300 * MSEC);
	assert_false(heard(w, "late"));
	assert_int_equal(fs_replace(w->dirfd, "on", "", 0, FS_NOSYNC, NULL), 0);
	WAIT_FOR(w, heard(w, "8:stuck=mine;"));
	assert_false(heard(w, "late"));
	end(w);
}

/* The agent answers before we know that it has the prompt. */
static void
a_quick_agent_is_heard(void **state)
{
	struct world *w = *state;

	say(w, 1, DONE);
	say(w, 2, "<promise>DONE:T001</promise>\n<promise>DONE:t002</promise>\n");
	start_worker(w, "Do one.");
	WAIT_FOR(w, heard(w, "7:done=;"));
	assign(w, 8, "T002", "Do two.");
	WAIT_FOR(w, heard(w, "8:done=t002;"));
	assert_string_equal(w->signals.data,
	    "7:ready=>;7:delivered=T001;7:done=;8:delivered=T002;8:done=t002;");
	end(w);
}

static void
a_turn_begins_once(void **state)
{
	struct world *w = *state;
	AUTO_BUF got = BUF_INIT;

	say(w, 1, DONE);
	start_worker(w, "Do one.");
	WAIT_FOR(w, heard(w, "7:done=;"));
	assign(w, 8, "T002", "Do two.");
	assign(w, 8, "T002", "Do two.");
	assign(w, 7, "T001", "Do one.");
	WAIT_FOR(w, heard(w, "8:delivered=T002;"));
	session_free(w->s);
	/* The signal is told again, with its turn, to a supervisor that has not heard of it. */
	assert_int_equal(world_adopt(w, 3), PROBE_RUNNING);
	w->seq = 3;
	assign(w, 8, "T002", "Do two.");
	WAIT_FOR(w, times(w, "8:delivered=T002;") == 2);
	say(w, 2, DONE);
	WAIT_FOR(w, heard(w, "8:done=;"));
	linger(w, 100 * MSEC);
	assert_int_equal(times(w, "delivered="), 3);
	world_read(w, "prompt", &got);
	assert_string_equal(got.data, "Do two.");
	end(w);
}

static void
a_long_prompt_arrives_whole(void **state)
{
	struct world *w = *state;
	AUTO_BUF prompt = BUF_INIT, want = BUF_INIT, got = BUF_INIT;
	char path[128];

	say(w, 1, DONE);
	start_worker(w, "Do one.");
	WAIT_FOR(w, heard(w, "7:done=;"));
	for (int i = 0; prompt.len < 100 * 1000; i++)
		buf_addf(&prompt,
		    "%d.\tsay \"it's\" `$HOME` \\n \303\274\342\234\223\360\237\216\211\n", i);
	buf_add(&want, prompt.data, prompt.len - 1);
	for (size_t i = 0; i < want.len; i++)
		if (want.data[i] == '\n')
			want.data[i] = '\r';
	assign(w, 8, "T002", prompt.data);
	WAIT_FOR(w, heard(w, "8:delivered=T002;"));
	say(w, 2, DONE);
	WAIT_FOR(w, heard(w, "8:done=;"));
	snprintf(path, sizeof(path), "%s/got.2", w->path);
	assert_int_equal(fs_read(AT_FDCWD, path, (size_t)1 << 20, &got, NULL), 0);
	assert_int_equal(got.len, want.len);
	assert_memory_equal(got.data, want.data, want.len);
	end(w);
}

static void
tasks_need_a_terminal(void **state)
{
	struct world *w = *state;
	struct err err = ERR_INIT;

	w->task = "T001";
	world_start_sh(w, "cat; echo $RALPH_TASK; sleep 1000");
	WAIT_FOR(w, world_output_has(w, "the prompt\nT001"));
	assert_int_equal(session_assign(w->s, 8, "T002", NULL, NULL, &w->prompt, &err), -1);
	assert_non_null(strstr(err.text, "no terminal"));
	assert_int_equal(session_tell(w->s, 7, 1, "x", 1, &err), -1);
	end(w);
}

static void
without_a_first_task_there_is_no_second(void **state)
{
	struct world *w = *state;
	struct err err = ERR_INIT;

	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("arg");
	world_start_sh(w, "echo '" DONE "'; sleep 1000");
	WAIT_FOR(w, world_output_has(w, "DONE"));
	assert_int_equal(session_assign(w->s, 8, "T002", NULL, NULL, &w->prompt, &err), -1);
	assert_non_null(strstr(err.text, "not started for a task"));
	linger(w, 100 * MSEC);
	assert_string_equal(w->signals.data, "");
	end(w);
}

/* ---- words --------------------------------------------------------------------------- */

static void
a_question_counts_again_when_it_was_answered(void **state)
{
	struct world *w = *state;

	start_worker(w, "Do one.");
	say(w, 1,
	    "<promise>STUCK:which\nfile?</promise>\nhm\n"
	    "<promise>STUCK:which file?</promise>\n");
	WAIT_FOR(w, heard(w, "7:stuck=which file?;"));
	tell(w, 6, 1, "of another turn");
	tell(w, 7, 2, "Look:\n<promise>STUCK:which file?</promise>\nmeans a.c\n");
	tell(w, 7, 2, "Look once more.");
	WAIT_FOR(w, heard(w, "7:told=2;"));
	linger(w, 300 * MSEC);
	assert_string_equal(
	    w->signals.data, "7:ready=>;7:delivered=T001;7:stuck=which file?;7:told=2;");
	say(w, 2, "<promise>STUCK:which file?</promise>\n");
	WAIT_FOR(w, times(w, "7:stuck=which file?;") == 2);
	linger(w, 100 * MSEC);
	assert_int_equal(times(w, "told="), 1);
	end(w);
}

static void
after_the_end_of_a_task_only_an_answer_opens_it(void **state)
{
	struct world *w = *state;

	start_worker(w, "Do one.");
	say(w, 1, "<promise>BLOCKED:no key</promise>\n" DONE "<promise>PROGRESS:1</promise>\n");
	WAIT_FOR(w, heard(w, "7:blocked=no key;"));
	linger(w, 100 * MSEC);
	assert_int_equal(times(w, "7:"), 3);
	tell(w, 7, 1, "Here it is.");
	say(w, 2, DONE "<promise>STUCK:now?</promise>\n");
	WAIT_FOR(w, heard(w, "7:told=1;7:done=;"));
	linger(w, 100 * MSEC);
	assert_int_equal(times(w, "stuck="), 0);
	end(w);
}

static void
a_flood_of_words_is_bounded(void **state)
{
	struct world *w = *state;
	struct stat st;

	w->task = "T001";
	world_start_sh(w, "cat >/dev/null;"
			  "yes '<promise>STUCK:help</promise>' | head -n 10000;"
			  "seq 10000 | sed 's/.*/<promise>STUCK:help &<\\/promise>/';"
			  "seq 10000 | sed 's/.*/<promise>PROGRESS:&<\\/promise>/';"
			  "for i in 1 2 3 4 5 6 7 8 9; do seq 0 99; done |"
			  "sed 's/.*/<promise>PROGRESS:&<\\/promise>/';"
			  "echo '" DONE "'; sleep 1000");
	WAIT_FOR(w, heard(w, "7:done=;"));
	assert_int_equal(times(w, "7:stuck=help;"), 1);
	assert_in_range(times(w, "stuck="), 2, 16);
	assert_in_range(times(w, "progress="), 100, 500);
	assert_int_equal(fstatat(w->dirfd, "s1/signals.jsonl", &st, 0), 0);
	assert_in_range(st.st_size, 1000, 100 * 1000);
	end(w);
}

/* A headless agent that prints its conversation as JSON says what its own lines say. */
static void
a_pipe_that_tells_who_speaks(void **state)
{
	struct world *w = *state;

	w->task = "T001";
	world_start_sh(w,
	    "cat >/dev/null; echo "
	    "'{\"type\":\"user\",\"message\":{\"role\":\"user\",\"content\":"
	    "\"<promise>STUCK:no</promise>\"}}';"
	    "printf '%s\\n' "
	    "'{\"type\":\"assistant\",\"message\":{\"role\":\"assistant\",\"content\":"
	    "[{\"type\":\"text\",\"text\":\"Well.\\n<promise>DONE</promise>\"}]}}'; exit 4");
	world_assert_exit(w, EXIT_CODE, 4);
	assert_string_equal(w->signals.data, "7:delivered=T001;7:done=;");
	w->set.prompt_via = NULL;
}

/* ---- silence ------------------------------------------------------------------------- */

static void
silence_comes_again_and_what_we_type_is_no_life(void **state)
{
	struct world *w = *state;

	w->set.inactivity_timeout = 400 * MSEC;
	start_worker(w, "Do one.");
	WAIT_FOR(w, times(w, "7:idle=") == 1);
	tell(w, 7, 1, "Are you there?");
	WAIT_FOR(w, heard(w, "7:told=1;"));
	WAIT_FOR(w, times(w, "7:idle=") == 2);
	assert_false(heard(w, "active="));
	say(w, 1, "I am working\n");
	WAIT_FOR(w, times(w, "7:active=;") == 1);
	/* The agent took the question for its next message. */
	say(w, 2, "still working\n");
	WAIT_FOR(w, times(w, "7:idle=") == 3);
	assert_int_equal(times(w, "active="), 1);
	/* IDLE is not told again before somebody does something. */
	linger(w, 600 * MSEC);
	assert_int_equal(times(w, "7:idle="), 3);
	end(w);
}

/* An agent that has said that it is done waits for us. */
static void
an_agent_that_waits_may_be_silent(void **state)
{
	struct world *w = *state;

	w->set.inactivity_timeout = 300 * MSEC;
	w->set.stall_timeout = 300 * MSEC;
	w->set.iteration_timeout = 3 * NSEC_PER_SEC;
	say(w, 1, DONE);
	start_worker(w, "Do one.");
	WAIT_FOR(w, heard(w, "7:done=;"));
	linger(w, 3500 * MSEC);
	assert_string_equal(w->signals.data, "7:ready=>;7:delivered=T001;7:done=;");
	tell(w, 7, 1, "Not yet.");
	WAIT_FOR(w, heard(w, "7:idle="));
	WAIT_FOR(w, heard(w, "7:stall="));
	assign(w, 8, "T002", "Do two.");
	WAIT_FOR(w, heard(w, "8:timeout="));
	world_wait_ended(w);
	free(w->set.prompt_via);
}

static void
a_nudge_is_looked_into(void **state)
{
	struct world *w = *state;
	int64_t until;

	start_worker(w, "Do one.");
	WAIT_FOR(w, heard(w, "7:delivered=T001;"));
	session_nudge(w->s, 6);
	session_nudge(w->s, 7);
	WAIT_FOR(w, heard(w, "7:active=it has moved"));
	assert_int_equal(times(w, "active="), 1);
	for (until = clock_boot() + 10500 * MSEC; clock_boot() < until;)
		ev_once(w->ev, 100 * MSEC);
	session_nudge(w->s, 7);
	WAIT_FOR(w, heard(w, "7:idle=nothing has changed for 10s;"));
	say(w, 1, "hello\nagain\n");
	WAIT_FOR(w, heard(w, "7:active=;"));
	end(w);
}

/* ---- a transcript a turn ------------------------------------------------------------- */

/* As Claude Code does it: /clear begins another file, under a name of its own. */
static const char claude[] =
    "#!/bin/sh\n"
    "stty -echo\n"
    "dir=$CLAUDE_CONFIG_DIR/projects/$(pwd -P | sed 's/[^a-zA-Z0-9]/-/g')\n"
    "mkdir -p \"$dir\"\n"
    "id=$2 n=1\n"
    "line() { printf '{\"type\":\"%s\",\"message\":{\"role\":\"%s\",\"content\":\"%s\"}}\\n'"
    " \"$1\" \"$1\" \"$2\" >>\"$dir/$id.jsonl\"; }\n"
    "until_there() { while [ ! -e \"$CLAUDE_CONFIG_DIR/$1\" ]; do sleep 0.01; done; }\n"
    "printf 'Claude Code v2.1\\n'\n"
    "while read -r text; do\n"
    "	if [ \"$text\" = /clear ]; then\n"
    "		printf '\\033[H\\033[2JClaude Code v2.1\\n'\n"
    "		id=new-$n n=$((n + 1))\n"
    "		line user '<command-name>/clear</command-name>'\n"
    "		: >\"$CLAUDE_CONFIG_DIR/cleared\"\n"
    "		continue\n"
    "	fi\n"
    "	[ -e \"$CLAUDE_CONFIG_DIR/mute\" ] || line user \"$text\"\n"
    "	[ ! -e \"$CLAUDE_CONFIG_DIR/quiet\" ] || { echo Hm.; continue; }\n"
    "	echo 'a tool prints'; echo '"
    "<promise>STUCK:not me</promise>'\n"
    "	until_there say$n\n"
    "	echo '<promise>DONE</promise>'\n"
    "	[ -e \"$CLAUDE_CONFIG_DIR/mute\" ] || line assistant "
    "'Well.\\n<promise>DONE</promise>'\n"
    "done\n";

static void
start_claude(struct world *w)
{
	static char env[128], path[128], *vars[] = {env, NULL};

	snprintf(env, sizeof(env), "CLAUDE_CONFIG_DIR=%s", w->path);
	snprintf(path, sizeof(path), "%s/claude", w->path);
	assert_int_equal(
	    fs_replace(w->dirfd, "claude", claude, strlen(claude), FS_NOSYNC, NULL), 0);
	assert_int_equal(chmod(path, 0700), 0);
	w->task = "T001";
	w->set.env = vars;
	w->set.cwd = w->path;
	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("paste");
	w->argv[0] = path;
	world_start(w);
	WAIT_FOR(w, heard(w, "7:delivered=T001;"));
}

/* The agent then goes on in a file that nobody can tell from others: the screen has to do. */
static void
after_a_clear_of_somebody_else_it_is_still_heard(void **state)
{
	struct world *w = *state;
	int fd;

	assert_int_equal(fs_replace(w->dirfd, "quiet", "", 0, FS_NOSYNC, NULL), 0);
	start_claude(w);
	linger(w, 300 * MSEC); /* the diary has the prompt */
	fd = world_dial(w, ROLE_CLIENT, 0, 0);
	assert_int_equal(wire_write_frame(fd, WIRE_INPUT, "/clear\r", 7, NULL), 0);
	WAIT_FOR(w, faccessat(w->dirfd, "cleared", F_OK, 0) == 0);
	assert_int_equal(unlinkat(w->dirfd, "quiet", 0), 0);
	assert_int_equal(fs_replace(w->dirfd, "say2", "", 0, FS_NOSYNC, NULL), 0);
	tell(w, 7, 1, "Go on.");
	WAIT_FOR(w, heard(w, "7:done=;"));
	/* The next turn has its diary again. */
	assign(w, 8, "T002", "Do two.");
	WAIT_FOR(w, heard(w, "8:delivered=T002;"));
	assert_int_equal(fs_replace(w->dirfd, "say3", "", 0, FS_NOSYNC, NULL), 0);
	WAIT_FOR(w, heard(w, "8:done=;"));
	assert_false(heard(w, "8:stuck="));
	close(fd);
	end(w);
}

static void
the_diary_of_every_turn_is_found(void **state)
{
	struct world *w = *state;
	int64_t said;

	start_claude(w);
	linger(w, 300 * MSEC);
	assert_false(heard(w, "stuck="));
	assert_int_equal(fs_replace(w->dirfd, "say1", "", 0, FS_NOSYNC, NULL), 0);
	WAIT_FOR(w, heard(w, "7:done=;"));
	assign(w, 8, "T002", "Do two.");
	WAIT_FOR(w, heard(w, "8:delivered=T002;"));
	linger(w, 300 * MSEC);
	assert_false(heard(w, "8:done="));
	assert_int_equal(fs_replace(w->dirfd, "say2", "", 0, FS_NOSYNC, NULL), 0);
	WAIT_FOR(w, heard(w, "8:done=;"));
	assert_false(heard(w, "stuck="));
	/* Where no diary comes, the screen counts in the end. */
	assert_int_equal(fs_replace(w->dirfd, "mute", "", 0, FS_NOSYNC, NULL), 0);
	assert_int_equal(fs_replace(w->dirfd, "say3", "", 0, FS_NOSYNC, NULL), 0);
	assign(w, 9, "T003", "Do three.");
	WAIT_FOR(w, heard(w, "9:delivered=T003;"));
	said = clock_boot();
	WAIT_FOR(w, heard(w, "9:done=;"));
	assert_in_range(clock_boot() - said, NSEC_PER_SEC, 8 * NSEC_PER_SEC);
	end(w);
}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    WORLD_TEST(each_turn_has_its_own_words),
	    WORLD_TEST(without_a_clear_the_old_words_do_not_count),
	    WORLD_TEST(one_that_shows_nothing_is_not_waited_for_again),
	    WORLD_TEST(a_worker_that_is_not_done_with_the_last_one),
	    WORLD_TEST(a_quick_agent_is_heard),
	    WORLD_TEST(a_turn_begins_once),
	    WORLD_TEST(a_long_prompt_arrives_whole),
	    WORLD_TEST(tasks_need_a_terminal),
	    WORLD_TEST(without_a_first_task_there_is_no_second),
	    WORLD_TEST(a_question_counts_again_when_it_was_answered),
	    WORLD_TEST(after_the_end_of_a_task_only_an_answer_opens_it),
	    WORLD_TEST(a_flood_of_words_is_bounded),
	    WORLD_TEST(a_pipe_that_tells_who_speaks),
	    WORLD_TEST(silence_comes_again_and_what_we_type_is_no_life),
	    WORLD_TEST(an_agent_that_waits_may_be_silent),
	    WORLD_TEST(a_nudge_is_looked_into),
	    WORLD_TEST(the_diary_of_every_turn_is_found),
	    WORLD_TEST(after_a_clear_of_somebody_else_it_is_still_heard),
	};

	if (world_is_another_part(argc, argv))
		return world_play(argc, argv);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
