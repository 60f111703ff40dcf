#include "session/probe.h"
#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "session/keeper.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <sys/stat.h>

#define SMALL_FILE ((size_t)1 << 20)
#define SIGNALS_FILE ((size_t)256 << 20) /* a session may have many turns */
#define SWEEP_PATIENCE (2 * NSEC_PER_SEC)
#define CLEAN_PATIENCE (10 * NSEC_PER_SEC)
#define REACH_PATIENCE (5 * NSEC_PER_SEC)
#define KILL_ROUNDS 100

bool
probe_exit(int session_dirfd, struct exit_status *status, struct buf *text)
{
	AUTO_JSON *v = json_read(session_dirfd, "exit.json", SMALL_FILE, NULL);

	if (!json_is_object(v))
		return false;
	*status = exit_from_json(v);
	if (text != NULL)
		buf_adds(text, json_str(v, "text", ""));
	return true;
}

bool
probe_keeper(int session_dirfd, struct proc_id *keeper, pid_t *agent)
{
	AUTO_JSON *v = json_read(session_dirfd, "keeper.json", SMALL_FILE, NULL);

	if (!json_is_object(v))
		return false;
	*keeper = (struct proc_id){.pid = (pid_t)json_int(v, "pid", 0)};
	keeper->start_time = (uint64_t)json_int(v, "start_time", 0);
	snprintf(keeper->boot_id, sizeof(keeper->boot_id), "%s", json_str(v, "boot_id", ""));
	*agent = (pid_t)json_int(json_object_get(v, "agent"), "pid", 0);
	return keeper->pid > 0;
}

int
probe_turns(int session_dirfd, const char *id, struct err *err)
{
	struct keeper_spec spec;
	bool has_task, has_terminal;

	if (keeper_spec_read(session_dirfd, &spec, err) < 0)
		return -1;
	has_task = spec.task != NULL;
	has_terminal = spec.mode == MODE_PTY;
	keeper_spec_release(&spec);
	if (!has_task)
		return err_set(err, "session %s was not started for a task", id);
	if (!has_terminal)
		return err_set(err, "session %s has no terminal: every task needs its own", id);
	return 0;
}

bool
probe_was_kept(int session_dirfd)
{
	/* The sockets are there before the agent starts. */
	return faccessat(session_dirfd, "worker", F_OK, AT_SYMLINK_NOFOLLOW) == 0 ||
	       faccessat(session_dirfd, "keeper.json", F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

static void
probe_kill_one(pid_t pid, void *ctx)
{
	int *others = ctx;

	/* Spares this process: an agent may have run us, and then we carry its marker. */
	if (pid == getpid())
		return;
	(void)kill(pid, SIGKILL);
	++*others;
}

bool
probe_sweep(int session_dirfd)
{
	AUTO_FREE char *marker = session_marker(session_dirfd);
	struct stat lock;
	int others = 0;

	(void)proc_each_with_env(marker, probe_kill_one, &others);
	/* A process may have cleared its environment, but it inherited the lock. */
	if (lock_is_held(session_dirfd, SESSION_LOCK, NULL) != 0 &&
	    fstatat(session_dirfd, SESSION_LOCK, &lock, AT_SYMLINK_NOFOLLOW) == 0)
		(void)proc_each_with_file(&lock, probe_kill_one, &others);
	return others == 0 && lock_is_held(session_dirfd, SESSION_LOCK, NULL) == 0;
}

/* Processes orphaned by a round become children of the keeper, even of a stopped keeper, and
 * the next round finds them.  A tree that cannot be ended this way is swept when its keeper is
 * gone. */
void
probe_kill(pid_t keeper)
{
	for (int i = 0; i < KILL_ROUNDS && proc_signal_below(keeper, SIGKILL) > 0; i++)
		(void)poll(NULL, 0, 1);
	(void)kill(keeper, SIGKILL);
}

static void
pause_briefly(void)
{
	(void)poll(NULL, 0, 2);
}

static int
probe_clean(int session_dirfd, const char *id, struct err *err)
{
	int64_t deadline = clock_boot() + CLEAN_PATIENCE;

	while (!probe_sweep(session_dirfd)) {
		if (clock_boot() > deadline)
			return err_set(err,
			    "session %s has lost its keeper, but someone still "
			    "holds its " SESSION_LOCK,
			    id);
		pause_briefly();
	}
	return 0;
}

/*
 * The order matters.  The exit comes first, since it is final.  A keeper that answers is alive,
 * whatever else is written.  A keeper that does not answer is starting, or ending, or gone.  A
 * keeper is lost only when its process is gone and the exit is still not there.  Without any
 * trace of a keeper nothing was ever started.
 */
int
probe_reach(int session_dirfd, const char *id, int64_t seq, enum session_probe *probe, int *fd,
    struct err *err)
{
	int64_t deadline = clock_boot() + REACH_PATIENCE;
	struct exit_status status;
	struct proc_id keeper;
	struct err why = ERR_INIT;
	pid_t agent;

	for (;; pause_briefly()) {
		bool known, alive, held;

		*fd = -1;
		*probe = PROBE_ENDED;
		if (probe_exit(session_dirfd, &status, NULL))
			return 0;
		known = probe_keeper(session_dirfd, &keeper, &agent);
		alive = known && proc_id_alive(&keeper);
		held = lock_is_held(session_dirfd, SESSION_LOCK, NULL) == 1;
		*probe = PROBE_RUNNING;
		if (alive || held)
			*fd = wire_dial(
			    session_dirfd, ROLE_SUPERVISOR, 0, 0, (uint64_t)seq, &why);
		if (*fd >= 0)
			return 0;
		if (clock_boot() < deadline && (alive || (held && !known)))
			continue;
		if (alive) {
			/* Somebody may have stopped the keeper; then the next look finds it
			 * awake. */
			(void)kill(keeper.pid, SIGCONT);
			return err_set(err,
			    "the keeper of session %s (pid %d) does not answer: %s", id,
			    (int)keeper.pid, why.text);
		}
		*probe = PROBE_ENDED;
		if (probe_exit(session_dirfd, &status, NULL))
			return 0;
		*probe = probe_was_kept(session_dirfd) || held ? PROBE_LOST : PROBE_ABSENT;
		return *probe == PROBE_LOST ? probe_clean(session_dirfd, id, err) : 0;
	}
}

void
session_kill_lost(int sessions_dirfd, const char *id)
{
	AUTO_CLOSE int dirfd = fs_open_dir(sessions_dirfd, id, NULL);
	struct proc_id keeper;
	pid_t agent;

	if (dirfd >= 0 && probe_keeper(dirfd, &keeper, &agent) && proc_id_alive(&keeper))
		probe_kill(keeper.pid);
}

int
session_sweep(int sessions_dirfd, const char *id, struct err *err)
{
	AUTO_CLOSE int dirfd = openat(sessions_dirfd, id, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int64_t until = clock_boot() + SWEEP_PATIENCE;

	if (dirfd < 0)
		return errno == ENOENT ? 0 : err_errno(err, "cannot look at session %s", id);
	while (!probe_sweep(dirfd)) {
		if (clock_boot() > until)
			return err_code(err, EBUSY,
			    "processes of session %s are left and cannot be ended", id);
		(void)poll(NULL, 0, 2); /* gives the kernel time to remove the processes */
	}
	return 0;
}

/* A stopped keeper acts on no other signal before CONT. */
static void
ask_to_end(const struct proc_id *keeper, int64_t patience)
{
	int64_t until = clock_boot() + patience;

	(void)kill(keeper->pid, SIGTERM);
	(void)kill(keeper->pid, SIGCONT);
	while (proc_id_alive(keeper) && clock_boot() < until)
		(void)poll(NULL, 0, 2);
}

int
session_end_lost(int sessions_dirfd, const char *id, int64_t patience, struct err *err)
{
	AUTO_CLOSE int dirfd = fs_open_dir(sessions_dirfd, id, NULL);
	struct proc_id keeper;
	pid_t agent;
	bool kept =
	    dirfd >= 0 && probe_keeper(dirfd, &keeper, &agent) && proc_id_alive(&keeper);
	bool lived = kept || (dirfd >= 0 && lock_is_held(dirfd, SESSION_LOCK, NULL) == 1);

	if (kept)
		ask_to_end(&keeper, patience);
	if (kept && proc_id_alive(&keeper))
		probe_kill(keeper.pid);
	return session_sweep(sessions_dirfd, id, err) < 0 ? -1 : lived;
}

void
probe_signals(
    int session_dirfd, int64_t seq, bool (*fn)(void *ctx, const json_t *signal), void *ctx)
{
	AUTO_BUF text = BUF_INIT;
	char *line, *rest;

	if (fs_read(session_dirfd, "signals.jsonl", SIGNALS_FILE, &text, NULL) < 0)
		return;
	rest = text.data;
	while ((line = strsep(&rest, "\n")) != NULL) {
		AUTO_JSON *v = json_parse(line, strlen(line), "signals.jsonl", NULL);

		if (json_int(v, "seq", 0) > seq && !fn(ctx, v))
			return;
	}
}

int
session_info(int sessions_dirfd, const char *id, struct session_info *info, struct err *err)
{
	AUTO_CLOSE int dirfd = fs_open_dir(sessions_dirfd, id, err);
	struct proc_id keeper;

	*info = (struct session_info){0};
	if (dirfd < 0)
		return -1;
	info->has_keeper = probe_keeper(dirfd, &keeper, &info->agent);
	info->keeper_alive = info->has_keeper && proc_id_alive(&keeper);
	info->ended = probe_exit(dirfd, &info->exit, NULL);
	return 0;
}
