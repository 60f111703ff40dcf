/*
 * With real servers, on sockets in a private directory, under a configuration that goes against
 * everything one is tempted to rely on.  Called with arguments, this program is a pane's: it
 * shows the window that another directory's display.json tells of.
 */
#include "../base/scratch.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/process/proc.h"
#include "base/process/run.h"
#include "session/tmux.h"
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/pidfd.h>
#include <sys/wait.h>

#define DEADLINE_MS 60000
#define PARALLEL 8

static const char exotic[] = "set -g base-index 1\n"
			     "set -g renumber-windows on\n"
			     "set -g remain-on-exit on\n"
			     "set -g default-command 'exec false'\n"
			     "set -g status off\n"
			     "set -g automatic-rename on\n"
			     "set -g allow-rename on\n"
			     "set -g destroy-unattached on\n"
			     "set -g exit-empty on\n"
			     "set -s exit-unattached on\n";

static const char *const viewer[] = {"sleep", "1000", NULL};
static struct err err;
static char self[512];
static const char *base_index;

static int
run_tmux(const char *socket, const char *words, struct run_result *result)
{
	AUTO_FREE char *script = xasprintf("exec tmux -u -L '%s' %s", socket, words);
	char **argv = strlist_add(strlist_add(strlist_add(NULL, "sh"), "-c"), script);
	int rc = run_checked(&(struct run_spec){.argv = argv}, result, &err);

	strlist_free(argv);
	return rc;
}

/* What tmux prints, without the last newline; NULL when it fails. */
static char *
tmux(const char *socket, const char *words)
{
	struct run_result result;
	char *out = NULL;

	result = (struct run_result)RUN_INIT;
	if (run_tmux(socket, words, &result) == 0) {
		if (result.out.len > 0)
			buf_truncate(&result.out, result.out.len - 1);
		out = buf_detach(&result.out);
	}
	run_result_release(&result);
	return out;
}

#define assert_tmux(expected, socket, words)                    \
	do {                                                    \
		AUTO_FREE char *out_ = tmux((socket), (words)); \
		if (!out_)                                      \
			fail_msg("%s", err.text);               \
		assert_string_equal(out_, expected);            \
	} while (0)

/* Waits until tmux prints just that. */
static void
await_tmux(const char *expected, const char *socket, const char *words)
{
	int64_t deadline = clock_boot() + DEADLINE_MS * NSEC_PER_MSEC;

	for (;;) {
		AUTO_FREE char *out = tmux(socket, words);

		if (out != NULL && strcmp(out, expected) == 0)
			return;
		if (clock_boot() > deadline)
			fail_msg("%s: \"%s\", not \"%s\"", words, out != NULL ? out : err.text,
			    expected);
		usleep(5000);
	}
}

static void
await_end(int pidfd)
{
	struct pollfd end = {.fd = pidfd, .events = POLLIN};

	assert_int_equal(poll(&end, 1, DEADLINE_MS), 1);
	close(pidfd);
}

/* Ends the server, if there is one, and waits until it has ended. */
static void
kill_server(const char *socket)
{
	AUTO_FREE char *pid = tmux(socket, "display-message -p '#{pid}'");
	int pidfd = pid != NULL ? pidfd_open((pid_t)strtol(pid, NULL, 10), 0) : -1;

	free(tmux(socket, "kill-server"));
	if (pidfd >= 0)
		await_end(pidfd);
}

static int
setup_with(const char *conf, void **state)
{
	if (scratch_setup(state) < 0)
		return -1;
	err = (struct err)ERR_INIT;
	setenv("HOME", scratch.path, 1);
	setenv("TMUX_TMPDIR", scratch.path, 1);
	setenv("TERM", "xterm", 1);
	unsetenv("XDG_CONFIG_HOME");
	unsetenv("TMUX");
	unsetenv("TMUX_PANE");
	return fs_replace(scratch.fd, ".tmux.conf", conf, strlen(conf), FS_NOSYNC, &err);
}

static int
setup_plain(void **state)
{
	base_index = "0";
	return setup_with("", state);
}

static int
setup_exotic(void **state)
{
	base_index = "1";
	return setup_with(exotic, state);
}

static int
teardown(void **state)
{
	kill_server("t");
	kill_server("default");
	return scratch_teardown(state);
}

static struct tmux_window
window(const char *session, const char *name)
{
	struct tmux_window w = {.socket = "t"};

	snprintf(w.session, sizeof(w.session), "%s", session);
	snprintf(w.name, sizeof(w.name), "%s", name);
	return w;
}

static void
open_argv(struct tmux_window *w, const char *const *words)
{
	char **argv = NULL;
	int rc;

	for (; *words != NULL; words++)
		argv = strlist_add(argv, *words);
	rc = tmux_window_open(w, scratch.path, argv, &err);
	strlist_free(argv);
	if (rc < 0)
		fail_msg("%s", err.text);
}

static struct tmux_window
opened(const char *session, const char *name)
{
	struct tmux_window w = window(session, name);

	open_argv(&w, viewer);
	return w;
}

static void
assert_alive(const struct tmux_window *w, int expected)
{
	int rc = tmux_window_alive(w, &err);

	if (rc < 0)
		fail_msg("%s", err.text);
	assert_int_equal(rc, expected);
}

static void
closed(const struct tmux_window *w)
{
	if (tmux_window_close(w, &err) < 0)
		fail_msg("%s", err.text);
	assert_alive(w, 0);
}

static void
a_session_we_make_has_our_window_only(void **state UNUSED)
{
	struct tmux_window w = opened("swarm", "w");

	assert_true(tmux_installed());
	assert_true(w.id[0] == '@');
	assert_true(w.server > 1 && w.server_start > 0);
	assert_true(tmux_server_alive(&w));
	assert_alive(&w, 1);
	await_tmux("swarm w sleep", "t",
	    "list-panes -a -F '#{session_name} #{window_name} #{pane_current_command}'");
	assert_tmux(base_index, "t", "show-options -gv base-index");
	/* The session vanishes with its last window, and the server with the session. */
	closed(&w);
	assert_null(tmux("t", "has-session -t =swarm"));
	closed(&w);
}

static void
the_session_of_a_user_survives(void **state UNUSED)
{
	struct tmux_window a, b;

	free(tmux("t",
	    "new-session -d -s mine -n shell sleep 1000 \\; set-option destroy-unattached "
	    "off \\; set-option -s exit-unattached off"));
	a = opened("mine", "a");
	b = opened("mine", "b");
	assert_int_equal(a.server, b.server);
	assert_tmux("shell 1\na 0\nb 0", "t",
	    "list-windows -t =mine -F '#{window_name} #{window_active}'");
	closed(&a);
	assert_alive(&b, 1);
	closed(&b);
	assert_tmux("mine shell", "t", "list-windows -a -F '#{session_name} #{window_name}'");
}

/* Which names could be taken for others, or for an index. */
static void
windows_are_not_mixed_up(void **state UNUSED)
{
	struct tmux_window two = opened("swarm", "w2"), one = opened("swarm", "1");
	struct tmux_window same = opened("swarm", "w2"), other = opened("swa", "w2");
	struct tmux_window w = opened("swarm", "w");

	closed(&w);
	assert_alive(&two, 1);
	assert_alive(&one, 1);
	assert_alive(&same, 1);
	closed(&same);
	closed(&one);
	assert_alive(&two, 1);
	assert_alive(&other, 1);
	/* Renumbered, renamed and moved, the window is still the same. */
	free(tmux("t", "rename-window -t =swarm:w2 x"));
	free(tmux("t", "move-window -s =swarm:x -t =swa:9"));
	assert_alive(&two, 1);
	closed(&two);
	assert_alive(&other, 1);
}

static void
a_window_ends_with_its_viewer(void **state UNUSED)
{
	const char *const brief[] = {"sh", "-c", "exec sleep 0.2", NULL};
	const char *const none[] = {"/no/such/viewer", "x", NULL};
	struct tmux_window stays = opened("swarm", "stays"), w = window("swarm", "w");

	open_argv(&w, brief);
	await_tmux("stays", "t", "list-windows -a -F '#{window_name}'");
	assert_alive(&w, 0);
	open_argv(&w, none);
	await_tmux("stays", "t", "list-windows -a -F '#{window_name}'");
	closed(&stays);
}

/* Arguments, directory and environment arrive as they are; no shell, no formats. */
static void
the_viewer_gets_what_was_given(void **state UNUSED)
{
	static const char script[] =
	    "for a; do printf '%s|' \"$a\"; done >out; env | grep ^TMUX= | wc -l >>out\n"
	    "pwd >>out; open=; for fd in $(seq 3 60); do\n"
	    "test ! -e /proc/$$/fd/$fd || open=\"$open$fd \"; done; echo \"[$open]\" >>out\n"
	    "exec sleep 1000";
	const char *const words[] = {"sh", "-c", script, "sh", "a b", "", "$HOME", "#{pid}",
	    "%H", "x;", "y\\;", ";", "-t", "\xc3\xa9'\"", NULL};
	AUTO_FREE char *dir = xasprintf("%s/#{pid} %%H;", scratch.path);
	AUTO_FREE char *expected =
	    xasprintf("a b||$HOME|#{pid}|%%H|x;|y\\;|;|-t|\xc3\xa9'\"|1\n%s\n[]\n", dir);
	struct tmux_window w = window("swarm", "w");
	int leak = fcntl(scratch.fd, F_DUPFD, 40);
	char **argv = NULL;
	AUTO_BUF out = BUF_INIT;
	AUTO_CLOSE int fd = -1;

	for (const char *const *p = words; *p != NULL; p++)
		argv = strlist_add(argv, *p);
	assert_int_equal(fs_mkdirs(dir, &err), 0);
	fd = fs_open_dir(AT_FDCWD, dir, &err);
	setenv("TMUX", "/elsewhere,1,0", 1);
	assert_int_equal(tmux_window_open(&w, dir, argv, &err), 0);
	unsetenv("TMUX");
	await_tmux("sleep", "t", "list-panes -a -F '#{pane_current_command}'");
	assert_int_equal(fs_read(fd, "out", 4096, &out, &err), 0);
	assert_string_equal(out.data, expected);
	strlist_free(argv);
	close(leak);
}

static void
a_single_word_is_no_shell_command(void **state UNUSED)
{
	const char *const word[] = {"echo >made; sleep 1000", NULL};
	struct tmux_window w = window("swarm", "w"), stays = opened("swarm", "stays");

	open_argv(&w, word);
	await_tmux("stays", "t", "list-windows -a -F '#{window_name}'");
	assert_int_equal(faccessat(scratch.fd, "made", F_OK, 0), -1);
	closed(&stays);
}

static void
names_are_taken_as_they_are_or_refused(void **state UNUSED)
{
	static const char *const bad[] = {
	    "", "#{pid}", "#(touch x)", "100%", "a\nb", "a\\b", "\x1b[31m", "\xff", "$1", "x;"};
	char **argv = strlist_add(strlist_add(NULL, "sleep"), "1000");
	struct tmux_window w;

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		w = window(bad[i], "w");
		assert_int_equal(tmux_window_open(&w, NULL, argv, &err), -1);
		assert_non_null(strstr(err.text, "cannot be the name of a tmux session"));
		w = window("s", bad[i]);
		assert_int_equal(tmux_window_open(&w, NULL, argv, &err), -1);
		assert_string_equal(w.id, "");
	}
	w = window("s", "w");
	snprintf(w.socket, sizeof(w.socket), "../t");
	assert_int_equal(tmux_window_open(&w, NULL, argv, &err), -1);
	strlist_free(argv);
	/* The same session both times. */
	opened("=a.b:c \xc3\xa9", "-w");
	w = opened("=a.b:c \xc3\xa9", "-w");
	assert_string_equal(w.session, "=a_b_c \xc3\xa9");
	assert_tmux(
	    "=a_b_c \xc3\xa9 2", "t", "list-sessions -F '#{session_name} #{session_windows}'");
}

static void
the_default_socket_is_the_default(void **state UNUSED)
{
	struct tmux_window w = window("swarm", "w");

	w.socket[0] = '\0';
	open_argv(&w, viewer);
	assert_tmux("w", "default", "list-windows -a -F '#{window_name}'");
	closed(&w);
}

static void
a_killed_server_has_no_windows(void **state UNUSED)
{
	struct tmux_window w = opened("swarm", "w"), other;
	int pidfd = pidfd_open(w.server, 0);

	kill(w.server, SIGKILL);
	await_end(pidfd);
	assert_false(tmux_server_alive(&w));
	assert_alive(&w, 0);
	closed(&w);
	/* Another server on the same socket: its ids are the same, but not its windows. */
	other = opened("swarm", "other");
	assert_string_equal(other.id, w.id);
	assert_int_not_equal(other.server, w.server);
	assert_alive(&w, 0);
	closed(&w);
	w.server = other.server;
	w.server_start = other.server_start + 1;
	assert_alive(&w, 0);
	closed(&w);
	assert_alive(&other, 1);
}

/* The socket was unlinked, and a second server made its own: the first one lives, but is out of
 * reach; the window of the same id is somebody else's. */
static void
a_server_out_of_reach_is_not_mistaken(void **state UNUSED)
{
	struct tmux_window lost = opened("swarm", "w"), other;
	int pidfd = pidfd_open(lost.server, 0);
	AUTO_FREE char *path = tmux("t", "display-message -p '#{socket_path}'");

	assert_int_equal(unlink(path), 0);
	other = opened("swarm", "w");
	assert_string_equal(other.id, lost.id);
	assert_true(tmux_server_alive(&lost));
	assert_alive(&lost, 0);
	assert_int_equal(tmux_window_close(&lost, &err), 0);
	assert_alive(&other, 1);
	kill(lost.server, SIGTERM);
	await_end(pidfd);
}

/* Nobody waits for the old server's end, over which tmux itself stumbles now and then. */
static void
a_window_can_be_opened_while_a_server_ends(void **state UNUSED)
{
	for (int i = 0; i < 30; i++) {
		struct tmux_window w = opened("swarm", "w");

		assert_alive(&w, 1);
		free(tmux("t", "kill-server"));
	}
}

static void
many_at_once_share_one_session(void **state UNUSED)
{
	pid_t pids[PARALLEL];

	for (int i = 0; i < PARALLEL; i++) {
		pids[i] = fork();
		if (pids[i] == 0) {
			char **argv = strlist_add(strlist_add(NULL, "sleep"), "1000");
			struct tmux_window w = window("swarm", "w");

			_exit(tmux_window_open(&w, NULL, argv, &err) == 0 &&
				      tmux_window_alive(&w, &err) == 1
				  ? 0
				  : 1);
		}
	}
	for (int i = 0; i < PARALLEL; i++) {
		int status;

		assert_int_equal(waitpid(pids[i], &status, 0), pids[i]);
		assert_int_equal(status, 0);
	}
	assert_tmux("swarm 8", "t", "list-sessions -F '#{session_name} #{session_windows}'");
}

/* A terminal with a process in it that shows the window. */
static pid_t
show_in_terminal(const struct tmux_window *w, int *master)
{
	const struct winsize size = {.ws_row = 30, .ws_col = 100};
	const char *name;
	pid_t pid;

	*master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
	assert_int_equal(grantpt(*master) + unlockpt(*master), 0);
	name = ptsname(*master);
	pid = fork();
	if (pid == 0) {
		int tty = -1;

		if (setsid() > 0 && (tty = open(name, O_RDWR)) >= 0 &&
		    ioctl(tty, TIOCSWINSZ, &size) == 0 && dup2(tty, 0) == 0 &&
		    dup2(tty, 1) == 1 && dup2(tty, 2) == 2)
			(void)!tmux_window_show(w, &err);
		dprintf(tty, "%s\n", err.text);
		_exit(1);
	}
	return pid;
}

/* A terminal nobody reads from would stop its client. */
static void
await_client(int master, const char *expected)
{
	int64_t deadline = clock_boot() + DEADLINE_MS * NSEC_PER_MSEC;

	for (;;) {
		AUTO_FREE char *out =
		    tmux("t", "list-clients -F '#{session_name}:#{window_name}'");
		struct pollfd readable = {.fd = master, .events = POLLIN};
		char chunk[4096];

		while (poll(&readable, 1, 0) == 1 && read(master, chunk, sizeof(chunk)) > 0)
			;
		if (out != NULL && strcmp(out, expected) == 0)
			return;
		if (clock_boot() > deadline)
			fail_msg("\"%s\", not \"%s\"", out != NULL ? out : err.text, expected);
		usleep(5000);
	}
}

static void
a_window_is_shown_in_a_terminal_and_from_within(void **state UNUSED)
{
	struct tmux_window a = opened("swarm", "a"), b = opened("swarm", "b"), c;
	const char *const inside[] = {self, scratch.path, NULL};
	int master, status;
	pid_t client;

	setenv("TMUX", "/elsewhere,1,0", 1); /* another server's: is attached to all the same */
	client = show_in_terminal(&b, &master);
	unsetenv("TMUX");
	await_client(master, "swarm:b");
	/* Opening another one does not take the client there. */
	c = opened("other", "c");
	assert_tmux("swarm:b", "t", "list-clients -F '#{session_name}:#{window_name}'");
	/* From a pane that the client looks at: the client goes there. */
	assert_int_equal(tmux_window_save(scratch.fd, &c, &err), 0);
	free(tmux("t", "select-window -t =swarm:a"));
	open_argv(&a, inside);
	await_client(master, "other:c");
	/* The session of the client's window is gone, and the client with it. */
	free(tmux("t", "set-option -g detach-on-destroy on"));
	closed(&c);
	assert_int_equal(waitpid(client, &status, 0), client);
	assert_alive(&b, 1);
	close(master);
}

static void
showing_nothing_is_an_error(void **state UNUSED)
{
	struct tmux_window w = opened("swarm", "w");
	int in = dup(STDIN_FILENO), null = open("/dev/null", O_RDONLY | O_CLOEXEC);

	dup2(null, STDIN_FILENO);
	assert_int_equal(tmux_window_show(&w, &err), -1);
	assert_string_equal(err.text, "standard input is not a terminal");
	closed(&w);
	assert_int_equal(tmux_window_show(&w, &err), -1);
	assert_string_equal(err.text, "the tmux window swarm:w is gone");
	dup2(in, STDIN_FILENO);
	close(in);
	close(null);
}

static void
without_tmux_that_is_what_is_told(void **state UNUSED)
{
	AUTO_FREE char *path = xstrdup(getenv("PATH"));
	char **argv = strlist_add(strlist_add(NULL, "sleep"), "1000");
	struct tmux_window w = window("swarm", "w");

	setenv("PATH", scratch.path, 1);
	assert_false(tmux_installed());
	assert_int_equal(tmux_window_open(&w, NULL, argv, &err), -1);
	assert_string_equal(err.text, "tmux: command not found");
	/* The current directory. */
	setenv("PATH", "", 1);
	assert_false(tmux_installed());
	setenv("PATH", path, 1);
	strlist_free(argv);
}

static void
a_window_is_remembered(void **state UNUSED)
{
	struct tmux_window w = window("swarm", "w"), got;

	assert_int_equal(tmux_window_load(scratch.fd, &got, &err), -1);
	assert_int_equal(err.code, ENOENT);
	snprintf(w.id, sizeof(w.id), "@12");
	w.server = getpid();
	w.server_start = UINT64_C(1) << 40;
	assert_int_equal(tmux_window_save(scratch.fd, &w, &err), 0);
	memset(&got, 'x', sizeof(got));
	assert_int_equal(tmux_window_load(scratch.fd, &got, &err), 0);
	assert_string_equal(got.socket, "t");
	assert_string_equal(got.session, "swarm");
	assert_string_equal(got.name, "w");
	assert_string_equal(got.id, "@12");
	assert_int_equal(got.server, getpid());
	assert_true(got.server_start == w.server_start);
}

static void
what_a_damaged_record_says_is_not_believed(void **state UNUSED)
{
	static const char too_long[] = "{\"socket\":\"\",\"session\":\"s\",\"window\":\"w\","
				       "\"id\":\"@012345678901234567890123\"}";
	static const char *const bad[] = {"", "{", "[]", "{}",
	    "{\"socket\":\"\",\"session\":\"s\",\"window\":\"w\",\"id\":\"@1;kill-server\"}",
	    "{\"socket\":\"\",\"session\":\"s\",\"window\":\"w\",\"id\":\"@1\",\"server\":-1}",
	    "{\"socket\":\"\",\"session\":\"s\",\"window\":1,\"id\":\"@1\"}", too_long};
	static const char old[] =
	    "{\"socket\":\"\",\"session\":\"s\",\"window\":\"w\",\"id\":\"@1\",\"server\":1,"
	    "\"server_start\":1,\"boot_id\":\"of another boot\"}";
	struct tmux_window w = window("kept", "kept");

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		assert_int_equal(fs_replace(scratch.fd, "display.json", bad[i], strlen(bad[i]),
				     FS_NOSYNC, &err),
		    0);
		assert_int_equal(tmux_window_load(scratch.fd, &w, &err), -1);
		assert_int_not_equal(err.code, ENOENT);
		assert_string_equal(w.session, "kept");
	}
	assert_int_equal(
	    fs_replace(scratch.fd, "display.json", old, strlen(old), FS_NOSYNC, &err), 0);
	assert_int_equal(tmux_window_load(scratch.fd, &w, &err), 0);
	assert_false(tmux_server_alive(&w));
	assert_alive(&w, 0);
}

/* In a pane: shows the window of which that directory tells. */
static int
pane_main(const char *dir)
{
	struct tmux_window w;
	int fd = fs_open_dir(AT_FDCWD, dir, &err);

	if (fd >= 0 && tmux_window_load(fd, &w, &err) == 0)
		(void)!tmux_window_show(&w, &err);
	return 1;
}

#define tmux_test(fn)                                               \
	cmocka_unit_test_setup_teardown(fn, setup_plain, teardown), \
	{                                                           \
#fn "_exotic", fn, setup_exotic, teardown, NULL     \
	}

int
main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
	    tmux_test(a_session_we_make_has_our_window_only),
	    tmux_test(the_session_of_a_user_survives),
	    tmux_test(windows_are_not_mixed_up),
	    tmux_test(a_window_ends_with_its_viewer),
	    tmux_test(the_viewer_gets_what_was_given),
	    tmux_test(a_single_word_is_no_shell_command),
	    tmux_test(names_are_taken_as_they_are_or_refused),
	    tmux_test(the_default_socket_is_the_default),
	    tmux_test(a_killed_server_has_no_windows),
	    tmux_test(a_server_out_of_reach_is_not_mistaken),
	    tmux_test(a_window_can_be_opened_while_a_server_ends),
	    tmux_test(many_at_once_share_one_session),
	    tmux_test(a_window_is_shown_in_a_terminal_and_from_within),
	    tmux_test(showing_nothing_is_an_error),
	    tmux_test(without_tmux_that_is_what_is_told),
	    tmux_test(a_window_is_remembered),
	    tmux_test(what_a_damaged_record_says_is_not_believed),
	};

	if (argc > 1)
		return pane_main(argv[1]);
	if (readlink("/proc/self/exe", self, sizeof(self) - 1) < 0)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
