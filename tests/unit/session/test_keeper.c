/*
 * Sessions as the supervisor sees them, with real keepers and real processes.
 *
 * This program plays all parts: a keeper executes /proc/self/exe, so main hands over to
 * keeper_main, and some of the agents are this program too.
 */
#include "base/clock.h"
#include "base/fs.h"
#include "base/proc.h"
#include "session/session.h"
#include "session/wire.h"
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/stat.h>
#include <termios.h>

#include <cmocka.h>

#define PATIENCE (15 * NSEC_PER_SEC)
#define MB 1000000
#ifdef __SANITIZE_ADDRESS__
#define FLOOD (10 * MB)
#else
#define FLOOD (100 * MB)
#endif

static char self[PATH_MAX];

/* ------------------------------------------------------------ agents */

/* Which descriptors did we inherit? */
static int
agent_fds(void)
{
	for (int fd = 0; fd < 256; fd++) {
		char link[64], target[PATH_MAX];
		ssize_t n;

		if (fcntl(fd, F_GETFD) < 0)
			continue;
		snprintf(link, sizeof(link), "/proc/self/fd/%d", fd);
		n = readlink(link, target, sizeof(target) - 1);
		target[n > 0 ? n : 0] = '\0';
		printf("%d%s\n", fd < 3 ? fd : 3, strstr(target, "/task.lock") ? " lock" : "");
	}
	return 0;
}

/* An interactive program: raw mode, bracketed paste if asked; all that is typed up to
 * Enter after the end of the paste goes to a file. */
static int
agent_raw(const char *path, bool bracketed, size_t expect)
{
	struct termios t;
	FILE *out = fopen(path, "we");
	size_t got = 0;
	int c;

	if (!out || tcgetattr(0, &t) < 0)
		return 1;
	cfmakeraw(&t);
	tcsetattr(0, TCSANOW, &t);
	printf("%sready> ", bracketed ? "\033[?2004h" : "");
	fflush(stdout);
	while ((c = getchar()) != EOF) {
		fputc(c, out);
		if (++got == expect - 1) {
			printf("[pasted]");
			fflush(stdout);
		}
		if (got == expect)
			break;
	}
	fclose(out);
	printf("thank you");
	fflush(stdout);
	return got == expect ? 0 : 1;
}

/* Alive, but not getting anywhere. */
static int
agent_spin(void)
{
	for (unsigned i = 0; printf("\r%u", i) > 0; i++) {
		fflush(stdout);
		(void)poll(NULL, 0, 50);
	}
	return 0;
}

static int
agent_main(int argc, char **argv)
{
	if (strcmp(argv[2], "spin") == 0)
		return agent_spin();
	if (strcmp(argv[2], "fds") == 0)
		return agent_fds();
	if (strcmp(argv[2], "raw") == 0 && argc >= 6)
		return agent_raw(argv[3], *argv[4] == 'b', strtoul(argv[5], NULL, 10));
	return 99;
}

/* ----------------------------------------------------------- fixture */

struct world {
	char path[64];
	int dirfd;
	struct ev *ev;
	struct session *s;
	struct settings set;
	struct buf prompt;
	char *argv[8];
	/* what was called back */
	pid_t agent;
	int running, ended;
	struct exit_status status;
	char text[256];
	struct buf signals; /* "done=...;" */
	int64_t seq;
	bool free_in_ended;
	bool may_grumble; /* the keeper's log need not be empty */
};

static void
cb_running(void *ctx, struct session *s UNUSED, pid_t agent)
{
	struct world *w = ctx;

	w->running++;
	w->agent = agent;
}

static void
cb_signal(
    void *ctx, struct session *s UNUSED, int64_t seq, enum signal_kind kind, const char *text)
{
	struct world *w = ctx;

	assert_true(seq > w->seq);
	assert_int_equal(w->ended, 0);
	w->seq = seq;
	buf_addf(&w->signals, "%s=%s;", signal_name(kind), text);
}

static void
cb_ended(void *ctx, struct session *s, struct exit_status status, const char *text)
{
	struct world *w = ctx;

	w->ended++;
	w->status = status;
	snprintf(w->text, sizeof(w->text), "%s", text);
	if (w->free_in_ended) {
		session_free(s);
		w->s = NULL;
	}
}

static struct session_callbacks
callbacks(struct world *w)
{
	return (struct session_callbacks){cb_running, cb_signal, cb_ended, w};
}

static int
setup(void **state)
{
	struct world *w = calloc(1, sizeof(*w));
	const char *tmp = getenv("TMPDIR");

	snprintf(w->path, sizeof(w->path), "%.40s/keepXXXXXX", tmp ? tmp : "/tmp");
	assert_non_null(mkdtemp(w->path));
	w->dirfd = open(w->path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	w->ev = ev_new();
	buf_init(&w->prompt);
	buf_init(&w->signals);
	buf_adds(&w->prompt, "the prompt\n");
	w->set.command = w->argv;
	w->set.mode = MODE_PIPE;
	w->set.grace = 5 * NSEC_PER_SEC;
	*state = w;
	return 0;
}

static void
count_one(pid_t pid UNUSED, void *ctx)
{
	++*(int *)ctx;
}

/* The id alone would find those of another run of this test. */
static int
left_behind(struct world *w)
{
	char entry[PATH_MAX + 32], path[PATH_MAX];
	int n = 0;

	assert_non_null(realpath(w->path, path));
	snprintf(entry, sizeof(entry), "RALPH_WORKER=%s/s1/worker", path);
	proc_each_with_env(entry, count_one, &n);
	return n;
}

static void
read_file(struct world *w, const char *name, struct buf *out)
{
	char path[128];

	snprintf(path, sizeof(path), "%s/s1/%s", w->path, name);
	(void)!fs_read(AT_FDCWD, path, (size_t)1 << 30, out, NULL);
}

static int
teardown(void **state)
{
	struct world *w = *state;
	AUTO_BUF log = BUF_INIT;
	int64_t deadline = clock_boot() + PATIENCE;

	/* A test that failed half-way has left its session running. */
	if (w->s && !w->ended)
		session_end(w->s, false);
	while (w->s && !w->ended && w->agent > 0 && clock_boot() < deadline)
		ev_once(w->ev, 5 * NSEC_PER_MSEC);
	session_free(w->s);
	/* The keeper is our child: when it is gone, no child is left. */
	for (int i = 0; i < 1000 && proc_count_descendants(0) > 0; i++)
		ev_once(w->ev, 5 * NSEC_PER_MSEC);
	assert_int_equal(proc_count_descendants(0), 0);
	assert_int_equal(left_behind(w), 0);
	read_file(w, "../.keepers.log", &log);
	if (!w->may_grumble)
		assert_string_equal(log.data, "");
	ev_free(w->ev);
	close(w->dirfd);
	(void)!fs_remove_tree(AT_FDCWD, w->path, NULL);
	buf_release(&w->prompt);
	buf_release(&w->signals);
	free(w);
	return 0;
}

static void
start(struct world *w)
{
	struct session_callbacks cb = callbacks(w);
	struct session_spec spec = {
	    .id = "s1",
	    .loop = "loop",
	    .iteration = 7,
	    .settings = &w->set,
	    .prompt = &w->prompt,
	};
	struct err err = ERR_INIT;

	w->s = session_start(w->ev, w->dirfd, &spec, &cb, &err);
	if (!w->s)
		print_error("%s\n", err.text);
	assert_non_null(w->s);
	assert_string_equal(session_id(w->s), "s1");
}

static void
start_sh(struct world *w, const char *script)
{
	static char sh[] = "sh", c[] = "-c";
	static char text[1024];

	snprintf(text, sizeof(text), "%s", script);
	w->argv[0] = sh;
	w->argv[1] = c;
	w->argv[2] = text;
	w->argv[3] = NULL;
	start(w);
}

static enum session_probe
adopt(struct world *w, int64_t seq)
{
	struct session_callbacks cb = callbacks(w);
	enum session_probe probe = PROBE_ABSENT;
	struct err err = ERR_INIT;

	w->s = session_adopt(w->ev, w->dirfd, "s1", seq, &cb, &probe, &err);
	if (err.text[0])
		print_error("%s\n", err.text);
	assert_string_equal(err.text, "");
	assert_int_equal(w->s != NULL, probe == PROBE_RUNNING || probe == PROBE_ENDED);
	return probe;
}

#define WAIT_FOR(w, cond)                                    \
	do {                                                 \
		int64_t deadline_ = clock_boot() + PATIENCE; \
		while (!(cond) && clock_boot() < deadline_)  \
			ev_once((w)->ev, 2 * NSEC_PER_MSEC); \
		assert_true(cond);                           \
	} while (0)

static void
wait_ended(struct world *w)
{
	WAIT_FOR(w, w->ended);
	assert_int_equal(w->ended, 1);
}

static void
assert_exit(struct world *w, enum exit_how how, int value)
{
	wait_ended(w);
	assert_int_equal(w->status.how, how);
	assert_int_equal(w->status.value, value);
}

static bool
output_has(struct world *w, const char *text)
{
	AUTO_BUF out = BUF_INIT;

	read_file(w, "output.raw", &out);
	return memmem(out.data, out.len, text, strlen(text)) != NULL;
}

static bool
has_exited(struct world *w)
{
	struct session_info info;

	return session_info(w->dirfd, "s1", &info, NULL) == 0 && info.ended;
}

static off_t
recorded(struct world *w)
{
	struct stat st;

	return fstatat(w->dirfd, "s1/output.raw", &st, 0) < 0 ? -1 : st.st_size;
}

static int
dial(struct world *w, enum wire_role role, int rows, int cols)
{
	AUTO_CLOSE int dir = openat(w->dirfd, "s1", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int fd = wire_dial(dir, role, rows, cols, 0, NULL);

	assert_true(fd >= 0);
	return fd;
}

/* Reads frames until one of that type holds the text. */
static void
expect_frame(int fd, enum wire_type want, const char *text)
{
	int64_t deadline = clock_boot() + PATIENCE;
	AUTO_BUF data = BUF_INIT, all = BUF_INIT;
	enum wire_type type;

	while (clock_boot() < deadline) {
		assert_int_equal(wire_read_frame(fd, PATIENCE, &type, &data, NULL), 0);
		if (type != want)
			continue;
		buf_add(&all, data.data, data.len);
		if (memmem(all.data, all.len, text, strlen(text)))
			return;
	}
	fail_msg("no %s", text);
}

static bool
screen_has(int fd, const char *text)
{
	AUTO_BUF data = BUF_INIT;
	enum wire_type type;

	assert_int_equal(wire_write_frame(fd, WIRE_SCREEN, "", 0, NULL), 0);
	do
		assert_int_equal(wire_read_frame(fd, PATIENCE, &type, &data, NULL), 0);
	while (type != WIRE_SCREEN);
	return strstr(data.data, text) != NULL;
}

/* ------------------------------------------------------ start and end */

static void
exit_codes_and_signals_are_told_apart(void **state)
{
	struct world *w = *state;
	struct session_info info;

	start_sh(w, "exit 7");
	assert_exit(w, EXIT_CODE, 7);
	assert_int_equal(w->running, 1);
	assert_true(w->agent > 0);
	/* We hear of it before it is written down. */
	WAIT_FOR(w, session_info(w->dirfd, "s1", &info, NULL) == 0 && info.ended);
	assert_true(info.has_keeper);
	assert_int_equal(info.agent, w->agent);
	assert_int_equal(info.exit.value, 7);
	assert_int_equal(session_info(w->dirfd, "s2", &info, NULL), -1);
}

static void
death_by_signal(void **state)
{
	struct world *w = *state;

	w->set.mode = MODE_PTY;
	w->free_in_ended = true;
	start_sh(w, "kill -9 $$");
	assert_exit(w, EXIT_SIGNAL, SIGKILL);
	assert_null(w->s);
}

static void
a_command_that_is_not_there(void **state)
{
	struct world *w = *state;

	w->argv[0] = strdup("no-such-agent");
	start(w);
	assert_exit(w, EXIT_NOSTART, ENOENT);
	assert_non_null(strstr(w->text, "no-such-agent"));
	assert_int_equal(w->running, 0);
	assert_true(has_exited(w));
	free(w->argv[0]);
}

static void
a_prompt_too_long_for_an_argument(void **state)
{
	struct world *w = *state;

	w->set.prompt_via = strdup("arg");
	for (int i = 0; i < 2000; i++)
		buf_addf(&w->prompt, "%0100d", i);
	start_sh(w, "exit 0");
	assert_exit(w, EXIT_NOSTART, E2BIG);
	assert_non_null(strstr(w->text, "stdin"));
	free(w->set.prompt_via);
}

static void
the_prompt_as_argument_and_flag(void **state)
{
	struct world *w = *state;

	w->set.prompt_via = strdup("flag:--say");
	start_sh(w, "printf '%s|' \"$0\" \"$@\"");
	assert_exit(w, EXIT_CODE, 0);
	assert_true(output_has(w, "--say|the prompt\n|"));
	free(w->set.prompt_via);
}

static void
the_environment_names_the_session(void **state)
{
	struct world *w = *state;
	char *env[] = {strdup("MINE=1"), strdup("RALPH_SESSION=other"), NULL};

	setenv("TMUX", "x", 1);
	setenv("RALPH_FAULT_LOG", "/nowhere", 1);
	w->set.env = env;
	w->set.cwd = w->path;
	umask(027);
	start_sh(w,
	    "echo $MINE,$RALPH_SESSION,$RALPH_LOOP,$RALPH_ITERATION,$TMUX$RALPH_FAULT_LOG,"
	    "$RALPH_WORKER,$(umask),$(pwd)");
	umask(022);
	assert_exit(w, EXIT_CODE, 0);
	assert_true(output_has(w, "1,s1,loop,7,,/"));
	assert_true(output_has(w, "/s1/worker,0027,/"));
	assert_true(output_has(w, w->path));
	unsetenv("TMUX");
	unsetenv("RALPH_FAULT_LOG");
	free(env[0]);
	free(env[1]);
}

static void
only_the_lock_is_inherited(void **state)
{
	struct world *w = *state;
	AUTO_BUF out = BUF_INIT;
	char agent[] = "agent", fds[] = "fds";

	w->argv[0] = self;
	w->argv[1] = agent;
	w->argv[2] = fds;
	start(w);
	assert_exit(w, EXIT_CODE, 0);
	read_file(w, "output.raw", &out);
	assert_string_equal(out.data, "0\n1\n2\n3 lock\n");
}

static void
what_the_agent_leaves_running_is_swept(void **state)
{
	struct world *w = *state;

	start_sh(w, "setsid sleep 1000 & (setsid sh -c 'sleep 1001 & sleep 1002 &'); exit 3");
	assert_exit(w, EXIT_CODE, 3);
	assert_int_equal(left_behind(w), 0);
}

static void
who_ignores_term_is_killed(void **state)
{
	struct world *w = *state;

	w->set.grace = 100 * NSEC_PER_MSEC;
	start_sh(w, "trap '' TERM HUP; echo up; while :; do sleep 0.05; done");
	WAIT_FOR(w, output_has(w, "up"));
	session_end(w->s, false);
	assert_exit(w, EXIT_SIGNAL, SIGKILL);
	assert_int_equal(left_behind(w), 0);
}

static void
a_stopped_agent_can_be_ended(void **state)
{
	struct world *w = *state;

	w->set.mode = MODE_PTY;
	start_sh(w, "trap 'exit 4' TERM HUP; echo up; kill -STOP $$; sleep 1000");
	WAIT_FOR(w, output_has(w, "up"));
	session_end(w->s, false);
	assert_exit(w, EXIT_CODE, 4);
}

static void
politely_means_that_it_may_finish(void **state)
{
	struct world *w = *state;

	start_sh(w, "echo up; sleep 0.3; exit 5");
	WAIT_FOR(w, output_has(w, "up"));
	session_end(w->s, true);
	assert_exit(w, EXIT_CODE, 5);
}

/* ------------------------------------------------------------- prompt */

static void
a_large_prompt_passes_a_flooding_agent(void **state)
{
	struct world *w = *state;
	AUTO_BUF out = BUF_INIT;

	buf_clear(&w->prompt);
	for (int i = 0; w->prompt.len < 5 * MB; i++)
		buf_addf(&w->prompt, "%d %c\n", i, i % 256);
	/* Nothing tells which of two pipes was written to first: both begin with zeros. */
	start_sh(w, "head -c 10 /dev/zero >&2; head -c 3000000 /dev/zero; cat");
	assert_exit(w, EXIT_CODE, 0);
	read_file(w, "output.raw", &out);
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
	start_sh(w,
	    "wc -c; test -t 0 || echo pipe; test -t 1 && test -t 2 && echo tty; stty size <&1");
	assert_exit(w, EXIT_CODE, 0);
	assert_true(output_has(w, "9000\r\npipe\r\ntty\r\n40 120"));
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
	w->argv[0] = self;
	w->argv[1] = agent;
	w->argv[2] = raw;
	w->argv[3] = path;
	w->argv[4] = how;
	w->argv[5] = n;
	start(w);
	assert_exit(w, EXIT_CODE, 0);
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

/* ---------------------------------------------------------- readiness */

static void
paste_into(struct world *w, const char *script)
{
	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("paste");
	start_sh(w, script);
}

static void
a_pattern_of_the_users_outweighs_a_screen_at_rest(void **state)
{
	struct world *w = *state;
	char *patterns[] = {strdup("^READY-\\w+ $"), NULL};

	w->set.ready_patterns = patterns;
	paste_into(w, "stty -echo; printf loading; sleep 0.8; printf '\\rREADY-NOW\\n';"
		      "read -r a; echo got-$a");
	assert_exit(w, EXIT_CODE, 0);
	assert_string_equal(w->signals.data, "ready=READY-NOW;");
	assert_true(output_has(w, "got-the prompt"));
	free(patterns[0]);
	free(w->set.prompt_via);
}

static void
a_bare_prompt_sign_is_known(void **state)
{
	struct world *w = *state;

	paste_into(w, "printf 'hello\\n> '; read -r a; echo got-$a");
	assert_exit(w, EXIT_CODE, 0);
	assert_string_equal(w->signals.data, "ready=>;");
	assert_true(output_has(w, "got-the prompt"));
	free(w->set.prompt_via);
}

/* Nothing known is on the screen: what only blinks is no rest at once, but in the end it is. */
static void
a_screen_that_blinks_is_not_at_rest_yet(void **state)
{
	struct world *w = *state;

	paste_into(w, "stty -echo; for i in 1 2 3 4; do printf '\\rloading   \\rloading';"
		      "for dot in 1 2 3; do sleep 0.1; printf .; done; done;"
		      "printf '\\nwelcome\\n'; read -r a; echo got-$a");
	WAIT_FOR(w, w->signals.len > 0);
	assert_string_equal(w->signals.data, "ready=its screen is at rest;");
	assert_true(output_has(w, "welcome"));
	assert_exit(w, EXIT_CODE, 0);
	assert_true(output_has(w, "got-the prompt"));
	free(w->set.prompt_via);
}

static void
a_screen_that_blinks_for_ever_is_taken_for_ready(void **state)
{
	struct world *w = *state;
	int64_t began = clock_boot();

	paste_into(w,
	    "stty -echo; (while :; do printf '\\r| wait'; sleep 0.1; printf '\\r/ wait';"
	    "sleep 0.1; done) & read -r a; kill $!; echo got-$a");
	WAIT_FOR(w, w->signals.len > 0);
	assert_string_equal(w->signals.data, "ready=its screen is at rest;");
	assert_true(clock_boot() - began >= 2 * NSEC_PER_SEC);
	assert_exit(w, EXIT_CODE, 0);
	assert_true(output_has(w, "got-the prompt"));
	free(w->set.prompt_via);
}

static void
without_a_prompt_a_terminal_is_there_to_type(void **state)
{
	struct world *w = *state;
	int fd;

	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("none");
	start_sh(w, "test -t 0 && printf 'tty $#\\n$ '; read -r a; echo got-$a; sleep 1000");
	WAIT_FOR(w, w->signals.len > 0);
	assert_string_equal(w->signals.data, "ready=$;");
	assert_true(output_has(w, "tty"));
	fd = dial(w, ROLE_CLIENT, 0, 0);
	assert_int_equal(wire_write_frame(fd, WIRE_PASTE, "\1it", 3, NULL), 0);
	expect_frame(fd, WIRE_OK, "");
	WAIT_FOR(w, output_has(w, "got-it"));
	assert_false(output_has(w, "the prompt"));
	close(fd);
	session_end(w->s, false);
	wait_ended(w);
	free(w->set.prompt_via);
}

static void
without_a_prompt_a_pipe_is_empty(void **state)
{
	struct world *w = *state;

	w->set.prompt_via = strdup("none");
	start_sh(w, "wc -c; echo $#; exit 3");
	assert_exit(w, EXIT_CODE, 3);
	assert_true(output_has(w, "0\n0\n"));
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
	fd = dial(w, ROLE_CLIENT, 0, 0);
	assert_int_equal(wire_write_frame(fd, WIRE_PASTE, "\1yes", 4, NULL), 0);
	expect_frame(fd, WIRE_OK, "");
	close(fd);
	assert_exit(w, EXIT_CODE, 0);
	assert_true(output_has(w, "you said yes"));
	assert_true(output_has(w, "got-the prompt"));
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
	assert_false(output_has(w, "you said"));
	session_end(w->s, false);
	wait_ended(w);
	free(w->set.prompt_via);
}

/* -------------------------------------------- an agent that is known */

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
	start(w);
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
	/* The transcript has begun: what is printed is not what it says. */
	WAIT_FOR(w, faccessat(w->dirfd, "projects", F_OK, 0) == 0);
	touch(w, "tool");
	WAIT_FOR(w, output_has(w, "ALL DONE"));
	for (int i = 0; i < 50; i++)
		ev_once(w->ev, 5 * NSEC_PER_MSEC);
	assert_null(strstr(w->signals.data, "done="));
	touch(w, "say");
	WAIT_FOR(w, strstr(w->signals.data, "done=ALL DONE;"));
	session_end(w->s, true);
	assert_exit(w, EXIT_CODE, 7);
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
	WAIT_FOR(w, output_has(w, "ALL DONE"));
	assert_exit(w, EXIT_CODE, 0);
	assert_string_equal(w->signals.data, "ready=>;done=ALL DONE;");
	free(w->set.done_pattern);
	free(w->set.prompt_via);
}

/* Its transcript would be there long before it can say anything. */
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
	WAIT_FOR(w, output_has(w, "ALL DONE"));
	said = clock_boot();
	WAIT_FOR(w, strstr(w->signals.data, "done=ALL DONE;"));
	assert_in_range(clock_boot() - said, NSEC_PER_SEC, 8 * NSEC_PER_SEC);
	session_end(w->s, false);
	wait_ended(w);
	free(w->set.done_pattern);
	free(w->set.prompt_via);
}

/* ------------------------------------------------------------ signals */

static void
done_in_the_last_half_line(void **state)
{
	struct world *w = *state;

	w->set.done_pattern = strdup("ALL [A-Z]+");
	start_sh(w, "echo working; printf 'ALL DONE'");
	assert_exit(w, EXIT_CODE, 0);
	assert_string_equal(w->signals.data, "done=ALL DONE;");
	free(w->set.done_pattern);
}

static void
done_on_a_screen(void **state)
{
	struct world *w = *state;

	w->set.mode = MODE_PTY;
	w->set.done_pattern = strdup("ALL DONE");
	start_sh(w, "printf '\\033[H\\033[2J\\033[5;5HALL\\033[1CDONE'");
	assert_exit(w, EXIT_CODE, 0);
	assert_string_equal(w->signals.data, "done=ALL DONE;");
	free(w->set.done_pattern);
}

static void
done_is_told_while_it_runs(void **state)
{
	struct world *w = *state;

	w->set.mode = MODE_PTY;
	w->set.done_pattern = strdup("ALL DONE");
	start_sh(w, "echo ALL DONE; sleep 1000");
	WAIT_FOR(w, w->signals.len > 0);
	assert_string_equal(w->signals.data, "done=ALL DONE;");
	session_end(w->s, false);
	wait_ended(w);
	free(w->set.done_pattern);
}

static void
silence_is_noticed(void **state)
{
	struct world *w = *state;

	for (int mode = MODE_PIPE; mode <= MODE_PTY; mode++) {
		int64_t began = clock_boot();

		w->set.mode = mode;
		w->set.inactivity_timeout = 300 * NSEC_PER_MSEC;
		/* A terminal that repeats itself is silent too. */
		start_sh(w, mode == MODE_PTY ? "printf x; sleep 0.2; printf y; while :; do "
					       "printf '\\r'; sleep 0.05; done"
					     : "printf x; sleep 0.2; printf y; sleep 1000");
		WAIT_FOR(w, w->signals.len > 0);
		assert_non_null(strstr(w->signals.data, "idle="));
		assert_true(clock_boot() - began >= 490 * NSEC_PER_MSEC);
		session_end(w->s, false);
		wait_ended(w);
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
	w->argv[0] = self;
	w->argv[1] = agent;
	w->argv[2] = spin;
	start(w);
	WAIT_FOR(w, w->signals.len > 0);
	assert_non_null(strstr(w->signals.data, "stall="));
	session_end(w->s, false);
	wait_ended(w);
}

/* -------------------------------------------------- without a supervisor */

static void
the_deadline_holds_without_a_supervisor(void **state)
{
	struct world *w = *state;

	w->set.iteration_timeout = 200 * NSEC_PER_MSEC;
	start_sh(w, "sleep 1000");
	WAIT_FOR(w, w->running);
	session_free(w->s);
	w->s = NULL;
	WAIT_FOR(w, has_exited(w));
	assert_int_equal(w->ended, 0);
	assert_int_equal(adopt(w, 0), PROBE_ENDED);
	assert_exit(w, EXIT_SIGNAL, SIGTERM);
	assert_non_null(strstr(w->signals.data, "timeout="));
}

static void
a_session_can_be_adopted(void **state)
{
	struct world *w = *state;
	pid_t agent;

	w->set.done_pattern = strdup("ALL DONE");
	start_sh(w, "echo ALL DONE; sleep 1000");
	WAIT_FOR(w, w->signals.len > 0);
	agent = w->agent;
	session_free(w->s);
	/* With the number of the last signal it is not told again. */
	assert_int_equal(adopt(w, 1), PROBE_RUNNING);
	WAIT_FOR(w, w->running == 2);
	assert_int_equal(w->agent, agent);
	session_free(w->s);
	w->seq = 0;
	assert_int_equal(adopt(w, 0), PROBE_RUNNING);
	session_end(w->s, false);
	assert_exit(w, EXIT_SIGNAL, SIGTERM);
	assert_string_equal(w->signals.data, "done=ALL DONE;done=ALL DONE;");
	free(w->set.done_pattern);
}

static void
what_never_was_is_absent(void **state)
{
	struct world *w = *state;

	assert_int_equal(adopt(w, 0), PROBE_ABSENT);
	assert_int_equal(mkdirat(w->dirfd, "s1", 0700), 0);
	assert_int_equal(adopt(w, 0), PROBE_ABSENT);
}

static pid_t
keeper_pid(struct world *w)
{
	AUTO_BUF text = BUF_INIT;
	const char *p;

	read_file(w, "keeper.json", &text);
	p = strstr(text.data, "\"pid\":");
	return p ? (pid_t)strtol(p + 6, NULL, 10) : -1;
}

static const char stubborn[] =
    "trap '' TERM HUP; setsid sleep 1000 & sleep 1001 & sleep 1002; sleep 1003";

static void
a_lost_keeper_is_told_and_its_tree_ended(void **state)
{
	struct world *w = *state;

	start_sh(w, stubborn);
	WAIT_FOR(w, w->running && keeper_pid(w) > 0 && left_behind(w) >= 3);
	assert_int_equal(kill(keeper_pid(w), SIGKILL), 0);
	assert_exit(w, EXIT_UNKNOWN, 0);
	assert_int_equal(left_behind(w), 0);
}

static void
a_lost_keeper_is_found_by_adoption(void **state)
{
	struct world *w = *state;
	pid_t keeper;

	start_sh(w, stubborn);
	WAIT_FOR(w, w->running && keeper_pid(w) > 0 && left_behind(w) >= 3);
	keeper = keeper_pid(w);
	session_free(w->s);
	assert_int_equal(kill(keeper, SIGKILL), 0);
	assert_int_equal(adopt(w, 0), PROBE_LOST);
	assert_int_equal(left_behind(w), 0);
	assert_int_equal(w->ended, 0);
}

static void
a_keeper_that_hangs_is_not_taken_for_gone(void **state)
{
	struct world *w = *state;
	struct session_callbacks cb = callbacks(w);
	enum session_probe probe = PROBE_LOST;
	struct err err = ERR_INIT;
	pid_t keeper;

	start_sh(w, "sleep 1000");
	WAIT_FOR(w, w->running && keeper_pid(w) > 0);
	keeper = keeper_pid(w);
	session_free(w->s);
	w->s = NULL;
	assert_int_equal(kill(keeper, SIGSTOP), 0);
	assert_null(session_adopt(w->ev, w->dirfd, "s1", 0, &cb, &probe, &err));
	assert_int_equal(kill(keeper, SIGCONT), 0);
	assert_int_equal(probe, PROBE_RUNNING);
	assert_non_null(strstr(err.text, "does not answer"));
	assert_int_equal(adopt(w, 0), PROBE_RUNNING);
	session_end(w->s, false);
	wait_ended(w);
}

static void
term_to_the_keeper_ends_the_agent(void **state)
{
	struct world *w = *state;

	start_sh(w, "sleep 1000");
	WAIT_FOR(w, w->running && keeper_pid(w) > 0);
	kill(keeper_pid(w), SIGTERM);
	assert_exit(w, EXIT_SIGNAL, SIGTERM);
}

static void
one_session_is_not_started_twice(void **state)
{
	struct world *w = *state;
	struct session_callbacks cb = callbacks(w);
	struct session_spec spec = {.id = "s1", .settings = &w->set, .prompt = &w->prompt};
	struct err err = ERR_INIT;

	start_sh(w, "sleep 1000");
	WAIT_FOR(w, w->running);
	assert_null(session_start(w->ev, w->dirfd, &spec, &cb, &err));
	assert_int_equal(err.code, EWOULDBLOCK);
	session_end(w->s, false);
	wait_ended(w);
}

/* ------------------------------------------------------------ viewers */

static void
a_viewer_sees_the_screen_and_what_follows(void **state)
{
	struct world *w = *state;
	int fd, other;

	w->set.mode = MODE_PTY;
	start_sh(w, "trap 'stty size <&1' WINCH; printf hello; printf '\\033[c';"
		    "while :; do sleep 0.02; done");
	WAIT_FOR(w, output_has(w, "hello"));
	other = dial(w, ROLE_CLIENT, 0, 0);
	WAIT_FOR(w, screen_has(other, "hello"));
	fd = dial(w, ROLE_VIEWER, 30, 100);
	expect_frame(fd, WIRE_REPAINT, "hello");
	expect_frame(fd, WIRE_OUTPUT, "30 100");
	assert_int_equal(wire_write_frame(fd, WIRE_RESIZE, "\24\0\120\0", 4, NULL), 0);
	expect_frame(fd, WIRE_REPAINT, "hello");
	expect_frame(fd, WIRE_OUTPUT, "20 80");
	close(fd);
	close(other);
	session_end(w->s, false);
	wait_ended(w);
}

static void
what_a_viewer_types_reaches_the_agent(void **state)
{
	struct world *w = *state;
	int fd;

	w->set.mode = MODE_PTY;
	w->set.prompt_via = strdup("arg");
	start_sh(w, "read a; echo got-$a; read b; echo and-$b; sleep 1000");
	WAIT_FOR(w, w->running);
	fd = dial(w, ROLE_VIEWER, 40, 120);
	assert_int_equal(wire_write_frame(fd, WIRE_INPUT, "x1\r", 3, NULL), 0);
	expect_frame(fd, WIRE_OUTPUT, "got-x1");
	close(fd);
	fd = dial(w, ROLE_CLIENT, 0, 0);
	assert_int_equal(wire_write_frame(fd, WIRE_PASTE, "\1y2", 3, NULL), 0);
	expect_frame(fd, WIRE_OK, "");
	WAIT_FOR(w, output_has(w, "and-y2"));
	assert_int_equal(wire_write_frame(fd, WIRE_END, "\0", 1, NULL), 0);
	expect_frame(fd, WIRE_ERROR, "not for you");
	close(fd);
	session_end(w->s, false);
	wait_ended(w);
	free(w->set.prompt_via);
}

static void
a_pipe_can_be_viewed_too(void **state)
{
	struct world *w = *state;
	int fd;

	start_sh(w, "echo one; echo two; while :; do sleep 0.02; echo more; done");
	WAIT_FOR(w, output_has(w, "two"));
	fd = dial(w, ROLE_VIEWER, 24, 80);
	expect_frame(fd, WIRE_REPAINT, "one");
	expect_frame(fd, WIRE_OUTPUT, "more\r\n");
	assert_int_equal(wire_write_frame(fd, WIRE_INPUT, "x", 1, NULL), 0);
	expect_frame(fd, WIRE_ERROR, "no terminal");
	assert_true(screen_has(fd, "one\ntwo\nmore\n"));
	close(fd);
	session_end(w->s, false);
	wait_ended(w);
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
	start_sh(w, "read go; yes 'a line that is long enough to be worth a look, I think' |"
		    "head -c $0; exit 6");
	WAIT_FOR(w, w->running);
	fd = dial(w, ROLE_VIEWER, 40, 120);
	assert_int_equal(wire_write_frame(fd, WIRE_INPUT, "\r", 1, NULL), 0);
	/* Not read from until it is over. */
	assert_exit(w, EXIT_CODE, 6);
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

	start_sh(w, "sleep 1000");
	WAIT_FOR(w, w->running);
	dir = openat(w->dirfd, "s1", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	/* Who greets twice does not know what it is doing. */
	other = dial(w, ROLE_CLIENT, 0, 0);
	assert_int_equal(wire_write_frame(other, WIRE_HELLO, "\1\0\0\0", 4, NULL), 0);
	assert_int_equal(wire_read_frame(other, PATIENCE, &type, &data, NULL), 0);
	assert_int_equal(type, WIRE_ERROR);
	assert_int_equal(wire_read_frame(other, PATIENCE, &type, &data, NULL), -1);
	close(other);
	/* Too many at once. */
	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		fds[i] = wire_dial(dir, ROLE_CLIENT, 0, 0, 0, NULL);
	assert_true(fds[10] >= 0);
	assert_int_equal(fds[79], -1);
	for (size_t i = 0; i < ARRAY_LEN(fds); i++)
		if (fds[i] >= 0)
			close(fds[i]);
	session_end(w->s, false);
	wait_ended(w);
}

static void
notices_reach_the_worker(void **state)
{
	struct world *w = *state;
	AUTO_BUF stored = BUF_INIT;
	int fd, late;

	start_sh(w, "sleep 1000");
	WAIT_FOR(w, w->running);
	fd = dial(w, ROLE_WORKER, 0, 0);
	session_notice(w->s, "{\"pause\":true}");
	expect_frame(fd, WIRE_NOTICE, "{\"pause\":true}");
	late = dial(w, ROLE_WORKER, 0, 0);
	expect_frame(late, WIRE_NOTICE, "{\"pause\":true}");
	assert_int_equal(wire_write_frame(fd, WIRE_SCREEN, "", 0, NULL), 0);
	expect_frame(fd, WIRE_ERROR, "not for you");
	close(fd);
	close(late);
	read_file(w, "notice.json", &stored);
	assert_string_equal(stored.data, "{\"pause\":true}");
	session_end(w->s, false);
	wait_ended(w);
}

/* -------------------------------------------------------------- faults */

/* One session with the n-th write or start of the keeper going wrong. */
static void
faulty_session(struct world *w, const char *fault, int n)
{
	char plan[64];

	snprintf(plan, sizeof(plan), fault[0] == 'K' ? "%s@%d" : "%s@%d+", fault, n);
	setenv("RALPH_FAULT", plan, 1);
	setenv("RALPH_FAULT_ROLE", "keeper", 1);
	fs_fault_init();
	w->ended = w->running = 0;
	w->seq = 0;
	buf_clear(&w->signals);
	start_sh(w, "echo one; sleep 0.02; echo two; exit 9");
	wait_ended(w);
	fs_fault_init();
	session_free(w->s);
	w->s = NULL;
	assert_int_equal(left_behind(w), 0);
	(void)!fs_remove_tree(w->dirfd, "s1", NULL);
}

static void
a_full_disk_never_hides_the_end(void **state)
{
	struct world *w = *state;
	bool ran_unrecorded = false;

	w->may_grumble = true;
	for (int n = 1; n < 30; n++) {
		faulty_session(w, "ENOSPC", n);
		if (w->running) {
			assert_int_equal(w->status.how, EXIT_CODE);
			assert_int_equal(w->status.value, 9);
		} else {
			assert_int_equal(w->status.how, EXIT_NOSTART);
			assert_int_equal(w->status.value, ENOSPC);
		}
		ran_unrecorded |= strstr(w->signals.data, "unrecorded=") != NULL;
	}
#ifdef RALPH_FAULTS
	assert_true(ran_unrecorded);
#endif
}

static void
a_keeper_killed_anywhere_leaves_nothing(void **state)
{
	struct world *w = *state;

	w->may_grumble = true;
	for (int n = 1; n < 30; n++) {
		faulty_session(w, "KILL", n);
		if (w->status.how != EXIT_UNKNOWN) {
			assert_int_equal(w->status.how, EXIT_CODE);
			assert_int_equal(w->status.value, 9);
		}
	}
}

/* -------------------------------------------------------------- floods */

static void
flood(struct world *w, int mode)
{
	char script[256];
	int64_t began = clock_boot();

	w->set.mode = mode;
	/* No newlines: a terminal would make two characters of each. */
	snprintf(script, sizeof(script), "head -c %d /dev/zero | tr '\\0' x", FLOOD);
	start_sh(w, script);
	assert_exit(w, EXIT_CODE, 0);
	assert_int_equal(recorded(w), FLOOD);
	print_message("%s: %lld MB/s\n", mode == MODE_PTY ? "pty" : "pipe",
	    (long long)(FLOOD / ((clock_boot() - began) / 1000)));
}

static void
a_flood_through_a_pipe(void **state)
{
	flood(*state, MODE_PIPE);
}

static void
a_flood_through_a_terminal(void **state)
{
	flood(*state, MODE_PTY);
}

int
main(int argc, char **argv)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
	    T(exit_codes_and_signals_are_told_apart),
	    T(death_by_signal),
	    T(a_command_that_is_not_there),
	    T(a_prompt_too_long_for_an_argument),
	    T(the_prompt_as_argument_and_flag),
	    T(the_environment_names_the_session),
	    T(only_the_lock_is_inherited),
	    T(what_the_agent_leaves_running_is_swept),
	    T(who_ignores_term_is_killed),
	    T(a_stopped_agent_can_be_ended),
	    T(politely_means_that_it_may_finish),
	    T(a_large_prompt_passes_a_flooding_agent),
	    T(stdin_is_a_pipe_also_in_a_terminal_session),
	    T(a_long_paste_arrives_whole),
	    T(a_paste_without_brackets),
	    T(a_pattern_of_the_users_outweighs_a_screen_at_rest),
	    T(a_bare_prompt_sign_is_known),
	    T(a_screen_that_blinks_is_not_at_rest_yet),
	    T(a_screen_that_blinks_for_ever_is_taken_for_ready),
	    T(without_a_prompt_a_terminal_is_there_to_type),
	    T(without_a_prompt_a_pipe_is_empty),
	    T(a_dialog_is_for_people),
	    T(a_dialog_that_nobody_answers),
	    T(done_is_what_it_says_and_exit_what_it_is_told),
	    T(without_a_transcript_the_screen_counts_in_the_end),
	    T(without_a_transcript_the_screen_counts_soon),
	    T(done_in_the_last_half_line),
	    T(done_on_a_screen),
	    T(done_is_told_while_it_runs),
	    T(silence_is_noticed),
	    T(spinning_is_no_progress),
	    T(the_deadline_holds_without_a_supervisor),
	    T(a_session_can_be_adopted),
	    T(what_never_was_is_absent),
	    T(a_lost_keeper_is_told_and_its_tree_ended),
	    T(a_lost_keeper_is_found_by_adoption),
	    T(a_keeper_that_hangs_is_not_taken_for_gone),
	    T(term_to_the_keeper_ends_the_agent),
	    T(one_session_is_not_started_twice),
	    T(a_viewer_sees_the_screen_and_what_follows),
	    T(what_a_viewer_types_reaches_the_agent),
	    T(a_pipe_can_be_viewed_too),
	    T(a_slow_viewer_holds_nobody_up),
	    T(hostile_clients_are_shown_out),
	    T(notices_reach_the_worker),
	    T(a_full_disk_never_hides_the_end),
	    T(a_keeper_killed_anywhere_leaves_nothing),
	    T(a_flood_through_a_pipe),
	    T(a_flood_through_a_terminal),
	};

	if (argc > 1 && strcmp(argv[1], KEEPER_ARG) == 0) {
		fs_fault_init();
		return keeper_main(argc, argv);
	}
	if (argc > 2 && strcmp(argv[1], "agent") == 0)
		return agent_main(argc, argv);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	signal(SIGPIPE, SIG_IGN);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
