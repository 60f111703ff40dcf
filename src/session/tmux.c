#include "session/tmux.h"
#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/process/proc.h"
#include "base/process/program.h"
#include "base/process/run.h"
#include "base/text.h"
#include "session/orphan.h"
#include <errno.h>
#include <limits.h>
#include <linux/close_range.h>
#include <signal.h>

#define TMUX_TIMEOUT (10 * NSEC_PER_SEC)
/* About a second in all. */
#define TRIES 25
#define TRY_PAUSE_US 5000
#define TRY_PAUSE_MAX_US 50000
/* The words of a server that has no session, for example one whose last session is just
 * going. */
#define NO_SESSION "no current target"
#define WINDOW_FILE "display.json"
#define WINDOW_FILE_MAX ((size_t)64 * 1024)

/* ---- running tmux -------------------------------------------------------------------- */

static char **
tmux_env(void)
{
	char **env = xcalloc(1, sizeof(*env));

	for (char **e = environ; e != NULL && *e != NULL; e++)
		if (strncmp(*e, "TMUX=", 5) != 0 && strncmp(*e, "TMUX_PANE=", 10) != 0)
			env = strlist_add(env, *e);
	return env;
}

/* `tmux -L SOCKET`, to which the command is added. */
static char **
tmux_argv(const struct tmux_window *w)
{
	char **argv = strlist_add(NULL, "tmux");

	if (w->socket[0] != '\0')
		argv = strlist_add(strlist_add(argv, "-L"), w->socket);
	return argv;
}

static char **
argv_add_all(char **argv, const char *const *words)
{
	for (; *words != NULL; words++)
		argv = strlist_add(argv, *words);
	return argv;
}

/* Adds words that others chose: a semicolon at the end of a word would end tmux's command. */
static char **
argv_add_quoted(char **argv, const char *const *words)
{
	for (; *words != NULL; words++) {
		size_t len = strlen(*words);
		bool ends = len > 0 && (*words)[len - 1] == ';';
		AUTO_FREE char *quoted =
		    ends ? xasprintf("%.*s\\;", (int)len - 1, *words) : NULL;

		argv = strlist_add(argv, quoted != NULL ? quoted : *words);
	}
	return argv;
}

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Runs argv, which is freed. */
static int
argv_run(char **argv, const char *cwd, struct run_result *result, struct err *err)
{
	AUTO_STRLIST own = argv;
	AUTO_STRLIST env = tmux_env();
	struct run_spec spec = {
	    .what = "tmux", .argv = own, .env = env, .cwd = cwd, .timeout = TMUX_TIMEOUT};

	return run_checked(&spec, result, err);
}

static int
tmux_run(const struct tmux_window *w, const char *const *words, struct run_result *result,
    struct err *err)
{
	/* -u: names are printed as they are, whatever our locale. */
	char **argv = strlist_add(tmux_argv(w), "-u");

	return argv_run(argv_add_all(argv, words), NULL, result, err);
}

/* May the failure pass?  A server may be just ending, or another ralph may make the same
 * session. */
static bool
failure_may_pass(const char *text)
{
	static const char *const passing[] = {"server exited unexpectedly", "lost server",
	    "no server running", "error connecting", "duplicate session", "can't find session",
	    NO_SESSION};

	for (size_t i = 0; i < ARRAY_LEN(passing); i++)
		if (strstr(text, passing[i]) != NULL)
			return true;
	return false;
}

/* Is another try worth it after the n-th failure?  If so, pauses first. */
static bool
try_again(int n, const char *text)
{
	int pause = n * TRY_PAUSE_US;

	if (n >= TRIES || !failure_may_pass(text))
		return false;
	usleep((useconds_t)(pause < TRY_PAUSE_MAX_US ? pause : TRY_PAUSE_MAX_US));
	return true;
}

bool
tmux_installed(void)
{
	AUTO_FREE char *found = program_find("tmux");

	return found != NULL;
}

/* ---- names --------------------------------------------------------------------------- */

static bool
label_is_plain(const char *s)
{
	size_t len = strlen(s);

	for (size_t i = 0, n; i < len; i += n) {
		uint32_t cp;

		n = utf8_decode(s + i, len - i, &cp);
		/* tmux expands the first two characters and quotes the others, which would
		 * change the name. */
		if (n == 0 || cp < 0x20 || (cp >= 0x7f && cp < 0xa0) ||
		    (cp < 0x80 && strchr("#%\\$;", (int)cp) != NULL))
			return false;
	}
	return len > 0;
}

static int
label_check(const char *s, const char *what, struct err *err)
{
	AUTO_BUF quoted = BUF_INIT;

	if (label_is_plain(s))
		return 0;
	text_quote(&quoted, s);
	return err_code(err, EINVAL, "%s cannot be the name of a tmux %s", quoted.data, what);
}

static int
tmux_names_check(struct tmux_window *w, struct err *err)
{
	if (w->socket[0] != '\0' && label_check(w->socket, "socket", err) < 0)
		return -1;
	if (strchr(w->socket, '/') != NULL)
		return err_set(err, "a tmux socket name has no slash: %s", w->socket);
	if (label_check(w->session, "session", err) < 0 ||
	    label_check(w->name, "window", err) < 0)
		return -1;
	/* ':' and '.' separate the parts of a target and cannot be in a name; tmux replaces
	 * them, too. */
	for (char *s = w->session; *s; s++)
		if (*s == ':' || *s == '.')
			*s = '_';
	return 0;
}

static bool
id_is_valid(const char *id, char sigil)
{
	return id[0] == sigil && id[1] != '\0' && id[1 + strspn(id + 1, "0123456789")] == '\0';
}

/* ---- opening ------------------------------------------------------------------------- */

/* The id of the session, "" when there is none; false when there is no server. */
static bool
tmux_session_find(const struct tmux_window *w, char *id, size_t size)
{
	AUTO_RUN result = RUN_INIT;
	bool running;

	*id = '\0';
	running = tmux_run(w, ARGS("list-sessions", "-F", "#{session_id} #{session_name}"),
		      &result, NULL) == 0;
	for (char *at = result.out.data, *line;
	     running && (line = strsep(&at, "\n")) != NULL;) {
		char *name = strchr(line, ' ');

		if (name != NULL && strcmp(name + 1, w->session) == 0)
			snprintf(id, size, "%.*s", (int)(name - line), line);
	}
	return running;
}

/* From "@12 4711": the window's id and its server's pid. */
static int
opened_parse(struct tmux_window *w, const char *text, struct err *err)
{
	size_t len = strcspn(text, " \n");
	struct proc_id server;
	char *end;
	long pid;

	if (len >= sizeof(w->id))
		return err_set(err, "tmux did not tell its window");
	memcpy(w->id, text, len);
	w->id[len] = '\0';
	pid = strtol(text + len, &end, 10);
	if (!id_is_valid(w->id, '@') || pid <= 0 || pid > INT_MAX || *end != '\n')
		return err_set(err, "tmux did not tell its window");
	if (proc_id_of((pid_t)pid, &server) < 0)
		return err_set(err, "tmux: lost server");
	w->server = (pid_t)pid;
	w->server_start = server.start_time;
	orphan_guest(w->server); /* the server may have been started for this window */
	return 0;
}

/* Makes one command: between two commands, a server might take the new session for
 * abandoned. */
static char **
session_argv(const struct tmux_window *w, bool running, char *const *command)
{
	AUTO_FREE char *target = xasprintf("=%s:", w->session);
	char **argv = argv_add_all(
	    tmux_argv(w), ARGS("new-session", "-d", "-P", "-F", "#{window_id} #{pid}", "-s",
			      w->session, "-n", w->name, "--"));

	argv = argv_add_quoted(argv, (const char *const *)command);
	argv = argv_add_all(
	    argv, ARGS(";", "set-option", "-t", target, "destroy-unattached", "off"));
	if (!running)
		argv =
		    argv_add_all(argv, ARGS(";", "set-option", "-s", "exit-unattached", "off"));
	return argv;
}

static char **
window_argv(const struct tmux_window *w, const char *session, char *const *command)
{
	AUTO_FREE char *target = xasprintf("%s:", session);
	char **argv = argv_add_all(
	    tmux_argv(w), ARGS("new-window", "-d", "-P", "-F", "#{window_id} #{pid}", "-t",
			      target, "-n", w->name, "--"));

	return argv_add_quoted(argv, (const char *const *)command);
}

/* Sets the options of our window, whatever the user likes for other windows.  Closes a window
 * whose viewer ended before the options were set.  A window that is gone by now is noticed by
 * the next caller that asks. */
static void
window_configure(const struct tmux_window *w)
{
	AUTO_FREE char *ending = xasprintf("kill-window -t %s", w->id);
	AUTO_RUN result = RUN_INIT;

	(void)!tmux_run(w,
	    ARGS("set-option", "-w", "-t", w->id, "automatic-rename", "off", ";", "set-option",
		"-w", "-t", w->id, "allow-rename", "off", ";", "set-option", "-w", "-t", w->id,
		"remain-on-exit", "off", ";", "if-shell", "-F", "-t", w->id, "#{pane_dead}",
		ending),
	    &result, NULL);
}

static int
window_try(struct tmux_window *w, const char *cwd, char *const *command, struct err *err)
{
	AUTO_RUN result = RUN_INIT;
	char session[24];
	bool running = tmux_session_find(w, session, sizeof(session));
	char **argv = session[0] != '\0' ? window_argv(w, session, command)
					 : session_argv(w, running, command);
	/* Passes cwd as the client's directory and not by -c, in which tmux would expand
	 * formats. */
	int rc = argv_run(argv, cwd, &result, err);

	return rc == 0 || result.out.len > 0 ? opened_parse(w, result.out.data, err) : rc;
}

int
tmux_window_open(struct tmux_window *w, const char *cwd, char *const *argv, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_STRLIST command = NULL;
	int rc, tries = 0;

	w->id[0] = '\0';
	w->server = 0;
	w->server_start = 0;
	if (tmux_names_check(w, err) < 0)
		return -1;
	/* A single word would be given to a shell. */
	command = argv[1] != NULL ? NULL : strlist_add(NULL, "env");
	command = argv_add_all(command, (const char *const *)argv);
	do
		rc = window_try(w, cwd, command, &why);
	while (rc < 0 && try_again(++tries, why.text));
	if (rc < 0) {
		w->id[0] = '\0';
		return err_pass(err, &why);
	}
	window_configure(w);
	return 0;
}

/* ---- what is open -------------------------------------------------------------------- */

bool
tmux_server_alive(const struct tmux_window *w)
{
	struct proc_id server = {.pid = w->server, .start_time = w->server_start};

	if (w->server <= 0)
		return false;
	snprintf(server.boot_id, sizeof(server.boot_id), "%s", clock_boot_id());
	return proc_id_alive(&server);
}

/* Finds in lines of "server window session name" a session that has the window; prefers the
 * session in which the window was made.  Compares the pid as well: another server may have the
 * socket by now, and ids of its own. */
static void
windows_search(const struct tmux_window *w, char *lines, char *session, size_t size)
{
	AUTO_FREE char *prefix = xasprintf("%d %s ", (int)w->server, w->id);
	size_t skip = strlen(prefix);
	bool named = false;

	for (char *line; !named && (line = strsep(&lines, "\n")) != NULL;) {
		size_t len;

		if (strncmp(line, prefix, skip) != 0)
			continue;
		line += skip;
		len = strcspn(line, " ");
		snprintf(session, size, "%.*s", (int)len, line);
		named = line[len] == ' ' && strcmp(line + len + 1, w->session) == 0;
	}
}

/* 1 with the id of a session that has the window, 0 when there is none, -1 + err. */
static int
window_find(const struct tmux_window *w, char *session, size_t size, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_RUN result = RUN_INIT;
	int rc = 0, tries = 0;

	*session = '\0';
	if (w->id[0] == '\0')
		return 0;
	/* A server that ends does not answer any more, but its process is there for a
	 * moment. */
	do {
		if (!tmux_server_alive(w))
			break;
		rc = tmux_run(w,
		    ARGS("list-windows", "-a", "-F",
			"#{pid} #{window_id} #{session_id} #{session_name}"),
		    &result, &why);
	} while (
	    rc < 0 && strstr(why.text, NO_SESSION) == NULL && try_again(++tries, why.text));
	if (rc == 0) {
		windows_search(w, result.out.data, session, size);
		return *session != '\0';
	}
	if (strstr(why.text, NO_SESSION) != NULL || !tmux_server_alive(w))
		return 0;
	return err_pass(err, &why);
}

int
tmux_window_alive(const struct tmux_window *w, struct err *err)
{
	char session[24];

	return window_find(w, session, sizeof(session), err);
}

int
tmux_window_close(const struct tmux_window *w, struct err *err)
{
	AUTO_FREE char *is_ours = xasprintf("#{==:#{pid},%d}", (int)w->server);
	AUTO_FREE char *ending = xasprintf("kill-window -t %s", w->id);
	AUTO_RUN result = RUN_INIT;
	int rc = tmux_window_alive(w, err);

	if (rc <= 0)
		return rc;
	rc = tmux_run(w, ARGS("if-shell", "-F", is_ours, ending), &result, err);
	/* A window that is gone meanwhile is a success, too. */
	return rc == 0 || tmux_window_alive(w, NULL) == 0 ? 0 : -1;
}

/* ---- showing ------------------------------------------------------------------------- */

/* Is the terminal we run in a pane of that server?  TMUX is "socket,pid,session". */
static bool
inside_server(const struct tmux_window *w)
{
	const char *tmux = getenv("TMUX");
	const char *end = tmux != NULL ? strrchr(tmux, ',') : NULL;
	const char *pid = end;

	while (pid != NULL && pid > tmux && pid[-1] != ',')
		pid--;
	return pid != NULL && pid > tmux && strtol(pid, NULL, 10) == (long)w->server;
}

static int
become(char **argv, struct err *err)
{
	sigset_t none;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	(void)signal(SIGPIPE, SIG_DFL);
	/* Where the kernel has no close_range, O_CLOEXEC has to do. */
	(void)close_range(3, UINT_MAX, CLOSE_RANGE_CLOEXEC);
	execvp(argv[0], argv);
	return err_errno(err, "%s", argv[0]);
}

int
tmux_window_show(const struct tmux_window *w, struct err *err)
{
	AUTO_FREE char *target = NULL;
	AUTO_STRLIST argv = NULL;
	bool inside = inside_server(w);
	char session[24];
	int rc = window_find(w, session, sizeof(session), err);

	if (rc < 0)
		return -1;
	if (rc == 0)
		return err_set(err, "the tmux window %s:%s is gone", w->session, w->name);
	if (!inside && !isatty(STDIN_FILENO))
		return err_set(err, "standard input is not a terminal");
	target = xasprintf("%s:%s", session, w->id);
	argv = argv_add_all(
	    tmux_argv(w), ARGS(inside ? "switch-client" : "attach-session", "-t", target));
	if (!inside) {
		unsetenv("TMUX");
		unsetenv("TMUX_PANE");
	}
	return become(argv, err);
}

/* ---- the record ---------------------------------------------------------------------- */

int
tmux_window_save(int loop_dirfd, const struct tmux_window *w, struct err *err)
{
	AUTO_JSON *v = json_pack("{s:s, s:s, s:s, s:s, s:i, s:I, s:s}", "socket", w->socket,
	    "session", w->session, "window", w->name, "id", w->id, "server", (int)w->server,
	    "server_start", (json_int_t)w->server_start, "boot_id", clock_boot_id());

	if (v == NULL)
		return err_set(err, "%s: a name is not UTF-8", WINDOW_FILE);
	/* No sync: a tmux server does not outlive a power cut, either. */
	return json_write(loop_dirfd, WINDOW_FILE, v, false, FS_NOSYNC, err);
}

/* False when the member is missing or does not fit. */
static bool
member_copy(const json_t *v, const char *key, char *out, size_t size)
{
	const char *s = json_str(v, key, NULL);

	return s != NULL && (size_t)snprintf(out, size, "%s", s) < size;
}

int
tmux_window_load(int loop_dirfd, struct tmux_window *w, struct err *err)
{
	struct tmux_window got = {.server = 0};
	AUTO_JSON *v = json_read(loop_dirfd, WINDOW_FILE, WINDOW_FILE_MAX, err);
	int64_t pid;

	if (v == NULL)
		return -1;
	pid = json_int(v, "server", 0);
	if (!member_copy(v, "socket", got.socket, sizeof(got.socket)) ||
	    !member_copy(v, "session", got.session, sizeof(got.session)) ||
	    !member_copy(v, "window", got.name, sizeof(got.name)) ||
	    !member_copy(v, "id", got.id, sizeof(got.id)) ||
	    (got.id[0] != '\0' && !id_is_valid(got.id, '@')) || pid < 0 || pid > INT_MAX)
		return err_set(err, "%s does not tell a window", WINDOW_FILE);
	/* After another boot the pid belongs to another process, and is ignored. */
	if (strcmp(json_str(v, "boot_id", ""), clock_boot_id()) == 0) {
		got.server = (pid_t)pid;
		got.server_start = (uint64_t)json_int(v, "server_start", 0);
	}
	*w = got;
	return 0;
}
