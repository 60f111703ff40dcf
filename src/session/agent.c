/*
 * agent.c - the start of an agent: its environment, its descriptors, its prompt.
 */
#include "session/keeper.h"

#include "base/alloc.h"
#include "base/process/child.h"
#include "base/text.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <signal.h>
#include <sys/stat.h>

/* MAX_ARG_STRLEN of the kernel, with the terminating NUL. */
#define ARG_BYTES (128 * 1024)
#define PIPE_SIZE (1 << 20)
#define STDIN_PATIENCE (60 * NSEC_PER_SEC)

#define PROMPT_WAYS "stdin|paste|arg|none" /* in the order of the enum; or "flag:..." */
enum prompt_way { PROMPT_STDIN, PROMPT_PASTE, PROMPT_ARG, PROMPT_NONE, PROMPT_FLAG };

/* ---- environment --------------------------------------------------------------------- */

/* Variables that describe the supervisor's terminal or are meant for the supervisor alone. */
static const char *const env_dropped[] = {"TMUX", "TMUX_PANE", "COLUMNS", "LINES",
    "RALPH_FAULT", "RALPH_FAULT_ROLE", "RALPH_FAULT_LOG"};

static bool
env_is_dropped(const char *entry)
{
	for (size_t i = 0; i < ARRAY_LEN(env_dropped); i++) {
		size_t len = strlen(env_dropped[i]);

		if (strncmp(entry, env_dropped[i], len) == 0 && entry[len] == '=')
			return true;
	}
	return false;
}

/* Sets "K=V", in the place of an earlier K. */
static char **
env_put(char **env, const char *entry)
{
	const char *eq = strchr(entry, '=');

	if (eq == NULL || eq == entry)
		return env;
	for (char **e = env; e != NULL && *e != NULL; e++)
		if (strncmp(*e, entry, (size_t)(eq - entry) + 1) == 0) {
			free(*e);
			*e = xstrdup(entry);
			return env;
		}
	return strlist_add(env, entry);
}

static char **
env_putf(char **env, const char *name, const char *value)
{
	AUTO_FREE char *entry = xasprintf("%s=%s", name, value);

	return env_put(env, entry);
}

char **
agent_env(const struct keeper_spec *spec, const char *marker, char *const *base)
{
	AUTO_FREE char *iteration = xasprintf("%" PRId64, spec->iteration);
	const char *term;
	char **env = NULL;

	for (; base != NULL && *base != NULL; base++)
		if (!env_is_dropped(*base))
			env = strlist_add(env, *base);
	term = strlist_value(env, "TERM");
	if (spec->mode == MODE_PTY && (term == NULL || !*term || strcmp(term, "dumb") == 0))
		env = env_putf(env, "TERM", "xterm-256color");
	for (char **e = spec->env; e != NULL && *e != NULL; e++)
		env = env_put(env, *e);
	/* These come last, so that nothing overrides them: they identify the session's
	 * processes. */
	env = env_putf(env, "RALPH_SESSION", spec->id);
	env = env_putf(env, "RALPH_LOOP", spec->loop != NULL ? spec->loop : "");
	env = env_putf(env, "RALPH_ITERATION", iteration);
	if (spec->task != NULL)
		env = env_putf(env, "RALPH_TASK", spec->task);
	return env_put(env, marker);
}

/* ---- arguments ----------------------------------------------------------------------- */

static int
prompt_way(const struct keeper_spec *spec, enum prompt_way *way, struct err *err)
{
	const char *via = spec->prompt_via != NULL ? spec->prompt_via : "stdin";
	int known = text_choice(PROMPT_WAYS, via);

	errno = EINVAL;
	if (known < 0 && (strncmp(via, "flag:", 5) != 0 || !via[5]))
		return err_errno(err, "\"%s\" is no way to give a prompt", via);
	*way = known < 0 ? PROMPT_FLAG : (enum prompt_way)known;
	if (*way == PROMPT_PASTE && spec->mode != MODE_PTY)
		return err_errno(err, "a prompt can be pasted only into a terminal session");
	return 0;
}

static char **
agent_argv(struct keeper *k, enum prompt_way way, struct err *err)
{
	char **argv;

	if (way == PROMPT_ARG || way == PROMPT_FLAG) {
		if (memchr(k->prompt.data, '\0', k->prompt.len) != NULL) {
			errno = EINVAL;
			err_errno(err, "a prompt with a NUL byte cannot be an argument");
			return NULL;
		}
		if (k->prompt.len >= ARG_BYTES) {
			errno = E2BIG;
			err_errno(err,
			    "the prompt has %zu bytes, an argument holds %d; give it on stdin",
			    k->prompt.len, ARG_BYTES - 1);
			return NULL;
		}
	}
	argv = strlist_add(NULL, k->spec.command[0]);
	/* The flag comes first: later arguments may stand behind a "--". */
	if (k->diary.id != NULL) {
		argv = strlist_add(argv, k->profile.transcript_flag);
		argv = strlist_add(argv, k->diary.id);
	}
	for (char **arg = k->spec.command + 1; *arg != NULL; arg++)
		argv = strlist_add(argv, *arg);
	if (way == PROMPT_FLAG)
		argv = strlist_add(argv, k->spec.prompt_via + strlen("flag:"));
	if (way == PROMPT_ARG || way == PROMPT_FLAG)
		argv = strlist_add(argv, k->prompt.data);
	return argv;
}

/* ---- descriptors --------------------------------------------------------------------- */

/* The agent's ends (0-2, closed after the start) and ours. */
struct ends {
	int agent[3];
	int ours[3];
	int input; /* the terminal once more, for writing */
};

#define ENDS_INIT                              \
	{                                      \
		{-1, -1, -1}, {-1, -1, -1}, -1 \
	}

static void
ends_close(int fds[3])
{
	for (int i = 0; i < 3; i++)
		auto_close_fn(&fds[i]);
}

/* Our end does not block; the agent's end does, as every program expects. */
static int
ends_pipe(struct ends *e, int fd, struct err *err)
{
	int p[2];

	if (pipe2(p, O_CLOEXEC) < 0)
		return err_errno(err, "cannot make a pipe");
	e->agent[fd] = fd == 0 ? p[0] : p[1];
	e->ours[fd] = fd == 0 ? p[1] : p[0];
	if (fcntl(e->ours[fd], F_SETFL, O_NONBLOCK) < 0)
		return err_errno(err, "cannot set up a pipe");
	/* Larger than usual, where the kernel lets us: fewer wake-ups in a flood. */
	if (fd == 1)
		(void)fcntl(e->ours[fd], F_SETPIPE_SZ, PIPE_SIZE);
	return 0;
}

static int
ends_dup(int fd, int *out, struct err *err)
{
	*out = fcntl(fd, F_DUPFD_CLOEXEC, 3);
	return *out < 0 ? err_errno(err, "cannot share a terminal") : 0;
}

static int
ends_open(struct ends *e, struct keeper *k, enum prompt_way way, struct err *err)
{
	if (way == PROMPT_STDIN && ends_pipe(e, 0, err) < 0)
		return -1;
	if (k->spec.mode == MODE_PIPE)
		return ends_pipe(e, 1, err) < 0 || ends_pipe(e, 2, err) < 0 ? -1 : 0;
	if (pty_open(k->screen.rows, k->screen.cols, &k->master, &k->slave, err) < 0)
		return -1;
	for (int i = way == PROMPT_STDIN ? 1 : 0; i < 3; i++)
		if (ends_dup(k->slave, &e->agent[i], err) < 0)
			return -1;
	/* Reading and writing are watched apart, which takes two descriptors. */
	if (ends_dup(k->master, &e->ours[1], err) < 0)
		return -1;
	return ends_dup(k->master, &e->input, err);
}

/* ---- delivery ------------------------------------------------------------------------ */

static void
prompt_taken(struct keeper *k)
{
	turn_delivered(&k->turn);
	watcher_delivered(&k->watcher);
}

static void
stdin_taken(struct feed *f)
{
	struct keeper *k = f->ctx;

	ev_timer_stop(&k->stdin_timer);
	prompt_taken(k);
}

static void
stdin_patience(struct ev_timer *t)
{
	struct keeper *k = t->ctx;
	int64_t at = k->stdin_feed.moved + STDIN_PATIENCE;

	if (clock_boot() < at) {
		ev_timer_at(k->ev, t, at, stdin_patience, k);
		return;
	}
	keeper_signal(k, SIGNAL_UNDELIVERED,
	    "the agent does not read the prompt from its standard input");
	watcher_delivered(&k->watcher);
}

static void
stdin_deliver(struct keeper *k, int *fd)
{
	feed_open(&k->stdin_feed, k->ev, take_fd(fd), stdin_taken, k);
	k->stdin_feed.close_after = true;
	feed_add(&k->stdin_feed, k->prompt.data, k->prompt.len);
	if (feed_queued(&k->stdin_feed) > 0) {
		ev_timer_in(k->ev, &k->stdin_timer, STDIN_PATIENCE, stdin_patience, k);
		return;
	}
	feed_close(&k->stdin_feed);
	prompt_taken(k);
}

static void
input_taken(struct feed *f)
{
	struct keeper *k = f->ctx;

	paster_written(&k->paster);
}

static void
agent_connect(struct keeper *k, struct ends *e, enum prompt_way way)
{
	if (k->spec.mode == MODE_PTY)
		feed_open(&k->input, k->ev, take_fd(&e->input), input_taken, k);
	if (e->ours[1] >= 0)
		stream_open(&k->out, k, take_fd(&e->ours[1]), 'o');
	if (e->ours[2] >= 0)
		stream_open(&k->errs, k, take_fd(&e->ours[2]), 'e');
	if (way != PROMPT_PASTE)
		turn_opened(&k->turn);
	if (way == PROMPT_STDIN)
		stdin_deliver(k, &e->ours[0]);
	else if (way == PROMPT_PASTE)
		ENSURE(paster_add(&k->paster, k->prompt.data, k->prompt.len, true, PASTE_PROMPT,
			   0) == 0);
	else
		prompt_taken(k);
	if (way == PROMPT_NONE && k->spec.mode == MODE_PTY)
		readiness_begin(&k->readiness, true);
}

static int
agent_spawn(struct keeper *k, const struct ends *e, char *const *argv, char *const *env,
    struct err *err)
{
	const int keep[] = {k->lock_fd, -1};
	struct child_spec spec = {
	    .argv = argv,
	    .env = env,
	    .cwd = k->spec.cwd != NULL && *k->spec.cwd ? k->spec.cwd : NULL,
	    .in = e->agent[0],
	    .out = e->agent[1],
	    .err = e->agent[2],
	    .keep = keep,
	    .new_session = true,
	    .tty = k->spec.mode == MODE_PTY,
	    .death_signal = SIGKILL,
	};
	struct child child;
	mode_t ours;
	int rc;

	/* Our files are private; the agent's files get the user's umask. */
	ours = umask(k->user_umask);
	rc = child_start(&spec, &child, err);
	umask(ours);
	if (rc < 0)
		return -1;
	/* SIGCHLD tells of the agent's end, as of every other child's. */
	close(child.pidfd);
	k->family.agent = child.pid;
	return 0;
}

int
agent_start(struct keeper *k, struct err *err)
{
	AUTO_FREE char *marker = session_marker(k->dirfd);
	enum prompt_way way = PROMPT_STDIN;
	struct ends e = ENDS_INIT;
	AUTO_STRLIST env = NULL;
	AUTO_STRLIST argv = NULL;
	int rc;

	if (prompt_way(&k->spec, &way, err) < 0)
		return -1;
	env = agent_env(&k->spec, marker, environ);
	diary_choose(&k->diary, env);
	argv = agent_argv(k, way, err);
	rc = argv != NULL ? ends_open(&e, k, way, err) : -1;
	if (rc == 0)
		rc = agent_spawn(k, &e, argv, env, err);
	if (rc == 0) {
		diary_open(&k->diary);
		agent_connect(k, &e, way);
	}
	ends_close(e.agent);
	ends_close(e.ours);
	auto_close_fn(&e.input);
	return rc;
}
