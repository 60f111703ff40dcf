/*
 * keeper.c - the process that owns a session, and the life of that session.
 */
#include "session/keeper.h"
#include "base/alloc.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/process/memory.h"
#include "base/process/proc.h"
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>

/* So long after its start an agent has what it needs of us. */
#define SETTLE_AFTER (2 * NSEC_PER_SEC)
#define POLITE_QUIET (2 * NSEC_PER_SEC)
#define POLITE_MAX (30 * NSEC_PER_SEC)
#define LEAVE_MAX (5 * NSEC_PER_SEC)
#define SWEEP_FIRST (2 * NSEC_PER_MSEC)
#define SWEEP_MAX NSEC_PER_SEC
#define EXIT_RETRY NSEC_PER_SEC

/* ---- telling ------------------------------------------------------------------------- */

void
keeper_tell(struct keeper *k, const json_t *event)
{
	AUTO_BUF text = BUF_INIT;

	json_print(event, true, &text);
	clients_event(k, text.data, text.len);
}

static json_t *
running_event(const struct keeper *k)
{
	json_t *v = json_pack("{s:s, s:i}", "event", "running", "pid", (int)k->family.agent);

	ENSURE(v != NULL);
	return v;
}

static json_t *
ended_event(const struct keeper *k)
{
	return exit_to_json(k->family.status, k->nostart.text);
}

static void
event_tell(struct client *c, const json_t *event)
{
	AUTO_BUF text = BUF_INIT;

	json_print(event, true, &text);
	wire_send(&c->wire, WIRE_EVENT, text.data, text.len);
}

void
keeper_greet(struct keeper *k, struct client *c, uint64_t seq)
{
	AUTO_JSON *running = running_event(k);
	AUTO_JSON *ended = ended_event(k);

	if (k->family.agent > 0)
		event_tell(c, running);
	for (size_t i = seq < k->nevents ? (size_t)seq : k->nevents; i < k->nevents; i++)
		event_tell(c, k->events[i]);
	if (k->state == KEEPER_OVER)
		event_tell(c, ended);
}

void
keeper_notices(struct keeper *k)
{
	for (struct client *c = k->clients; c != NULL; c = c->next)
		if (c->role == ROLE_WORKER && wire_queued(&c->wire) < CLIENT_QUEUE_MAX)
			client_notice(c);
}

void
keeper_notice(struct keeper *k, const char *json, size_t len)
{
	struct err err = ERR_INIT;

	buf_clear(&k->notice);
	buf_add(&k->notice, json, len);
	if (fs_replace(k->dirfd, "notice.json", json, len, FS_NOSYNC, &err) < 0)
		warning("%s", err.text);
	keeper_notices(k);
}

/* Tells supervisors that the agent has written something, but not often.  The event is not
 * kept: a supervisor that did not hear it has missed nothing. */
static void
keeper_alive(struct keeper *k)
{
	static const char alive[] = "{\"event\":\"alive\"}";
	int64_t now = k->watcher.last;

	if (k->spec.beat <= 0 || (k->beaten != 0 && now - k->beaten < k->spec.beat))
		return;
	k->beaten = now;
	clients_event(k, alive, sizeof(alive) - 1);
}

void
keeper_output(struct keeper *k, struct stream *s, const char *data, size_t len)
{
	struct err err = ERR_INIT;

	if (k->recording != NULL && recording_add(k->recording, s->kind, data, len, &err) < 0)
		keeper_signal(k, SIGNAL_UNRECORDED, err.text);
	watcher_bytes(&k->watcher, s, data, len);
	excuse_bytes(k, s, data, len);
	keeper_alive(k);
}

/* ---- life: the end ------------------------------------------------------------------- */

/*
 * Does not sync exit.json: a sync would cost the time in which the next agent could start.
 * After a power cut the supervisor finds neither the keeper nor this file, and rightly takes
 * the session for lost.
 */
static void
exit_write(struct keeper *k)
{
	AUTO_JSON *v = ended_event(k);
	struct err err = ERR_INIT;

	if (json_write(k->dirfd, "exit.json", v, true, FS_NOSYNC, &err) < 0)
		warning("%s", err.text);
	else
		k->exit_written = true;
}

void
keeper_try_leave(struct keeper *k)
{
	if (k->state == KEEPER_PREPARED && k->clients == NULL)
		ev_stop(k->ev);
	if (k->state != KEEPER_OVER || k->over_at == 0 || clients_waiting(k))
		return;
	/* The directory or a supervisor has to know how the session ended. */
	if (k->exit_written || clients_supervised(k))
		ev_stop(k->ev);
}

static void
leave_timer(struct ev_timer *t)
{
	struct keeper *k = t->ctx;

	if (!k->exit_written)
		exit_write(k);
	ev_timer_in(k->ev, t, EXIT_RETRY, leave_timer, k);
	keeper_try_leave(k);
}

static void
over_begin(struct keeper *k)
{
	AUTO_JSON *ended = NULL;
	bool heard;

	ev_timer_stop(&k->timer);
	ev_timer_stop(&k->settle);
	ev_timer_stop(&k->stdin_timer);
	readiness_stop(&k->readiness);
	paster_stop(&k->paster);
	/* No process is left that could write: all output is there now. */
	stream_drain(&k->out);
	stream_drain(&k->errs);
	diary_close(&k->diary);
	watcher_finish(&k->watcher);
	excuse_finish(k);
	feed_close(&k->stdin_feed);
	ended = ended_event(k);
	heard = clients_supervised(k);
	/* A supervisor that hears of the end must find the lock free.  A connected supervisor
	 * hears of the end before exit.json is written; a supervisor that may come later needs
	 * exit.json first.  So does the end of an agent that never started: its directory may
	 * be removed at once. */
	if (!heard || k->family.status.how == EXIT_NOSTART)
		exit_write(k);
	if (heard || k->exit_written)
		lock_release(&k->lock_fd);
	keeper_tell(k, ended);
	if (heard && !k->exit_written)
		exit_write(k);
	viewers_farewell(k);
	k->over_at = clock_boot();
	ev_timer_in(k->ev, &k->leave, VIEWERS_FLUSH, leave_timer, k);
	keeper_try_leave(k);
}

/* ---- life: the table ----------------------------------------------------------------- */

static void
quiet_timer(struct ev_timer *t)
{
	struct keeper *k = t->ctx;
	int64_t now = clock_boot(), at = k->watcher.last + POLITE_QUIET;

	if (at > k->give_up)
		at = k->give_up;
	if (now < at)
		ev_timer_at(k->ev, t, at, quiet_timer, k);
	else
		keeper_happened(k, EVENT_QUIET);
}

static void
wait_begin(struct keeper *k)
{
	k->give_up = clock_boot() + POLITE_MAX;
	ev_timer_in(k->ev, &k->timer, POLITE_QUIET, quiet_timer, k);
}

static void
grace_timer(struct ev_timer *t)
{
	keeper_happened(t->ctx, EVENT_GRACE);
}

/* Types the exit command, as a person would: an agent that leaves by itself saves what a signal
 * would destroy. */
static void
leave_begin(struct keeper *k)
{
	const char *words = k->profile.exit;

	if (words == NULL ||
	    paster_add(&k->paster, words, strlen(words), true, PASTE_TEXT, 0) < 0)
		keeper_happened(k, EVENT_GRACE);
	else
		ev_timer_in(k->ev, &k->timer, LEAVE_MAX, grace_timer, k);
}

static void
term_begin(struct keeper *k)
{
	readiness_stop(&k->readiness);
	paster_stop(&k->paster);
	family_signal(&k->family, SIGTERM);
	/* An interactive shell ignores TERM, but not HUP, which says that its terminal is
	 * gone. */
	if (k->spec.mode == MODE_PTY)
		family_signal(&k->family, SIGHUP);
	family_signal(&k->family, SIGCONT);
	ev_timer_in(k->ev, &k->timer, k->spec.grace, grace_timer, k);
}

/* Repeats the KILL, since a process may fork while we look. */
static void
kill_again(struct keeper *k)
{
	family_signal(&k->family, SIGKILL);
	ev_timer_in(k->ev, &k->timer, k->sweep_wait, grace_timer, k);
	k->sweep_wait = k->sweep_wait * 2 < SWEEP_MAX ? k->sweep_wait * 2 : SWEEP_MAX;
}

static void
kill_begin(struct keeper *k)
{
	k->sweep_wait = SWEEP_FIRST;
	kill_again(k);
}

static void start_begin(struct keeper *k);

static void
not_wanted(struct keeper *k)
{
	ev_stop(k->ev);
}

/* A row tells the effect of an event in the states `from` to `to`, which are neighbours.  Where
 * no row fits, the event makes no sense; a row without a function changes nothing. */
static const struct transition {
	enum keeper_event event;
	enum keeper_state from, to, next;
	void (*act)(struct keeper *k);
} transitions[] = {
    {EVENT_START, KEEPER_PREPARED, KEEPER_PREPARED, KEEPER_RUNNING, start_begin},
    {EVENT_FINISH, KEEPER_PREPARED, KEEPER_PREPARED, KEEPER_PREPARED, not_wanted},
    {EVENT_FINISH, KEEPER_RUNNING, KEEPER_RUNNING, KEEPER_WAITING, wait_begin},
    {.event = EVENT_FINISH, .from = KEEPER_WAITING, .to = KEEPER_OVER},
    {EVENT_END, KEEPER_PREPARED, KEEPER_PREPARED, KEEPER_PREPARED, not_wanted},
    {EVENT_END, KEEPER_RUNNING, KEEPER_LEAVING, KEEPER_TERM, term_begin},
    {.event = EVENT_END, .from = KEEPER_TERM, .to = KEEPER_OVER},
    {EVENT_QUIET, KEEPER_WAITING, KEEPER_WAITING, KEEPER_LEAVING, leave_begin},
    {EVENT_GRACE, KEEPER_LEAVING, KEEPER_LEAVING, KEEPER_TERM, term_begin},
    {EVENT_GRACE, KEEPER_TERM, KEEPER_TERM, KEEPER_KILL, kill_begin},
    {EVENT_GRACE, KEEPER_KILL, KEEPER_KILL, KEEPER_KILL, kill_again},
    {EVENT_AGENT_GONE, KEEPER_RUNNING, KEEPER_LEAVING, KEEPER_TERM, term_begin},
    {.event = EVENT_AGENT_GONE, .from = KEEPER_TERM, .to = KEEPER_KILL},
    {EVENT_TREE_GONE, KEEPER_RUNNING, KEEPER_KILL, KEEPER_OVER, over_begin},
};

void
keeper_happened(struct keeper *k, enum keeper_event event)
{
	for (const struct transition *t = transitions; t < transitions + ARRAY_LEN(transitions);
	     t++) {
		if (t->event != event || k->state < t->from || k->state > t->to)
			continue;
		if (t->act != NULL) {
			k->state = t->next;
			t->act(k);
		}
		return;
	}
	warning("event %d makes no sense in state %d", (int)event, (int)k->state);
}

static void
keeper_signal_came(struct ev_signal *s, int signo)
{
	struct keeper *k = s->ctx;
	bool had_agent = !k->family.agent_gone, left;

	if (signo == SIGTERM) {
		keeper_happened(k, EVENT_END);
		return;
	}
	left = family_reap(&k->family);
	if (k->state == KEEPER_OVER || k->state == KEEPER_PREPARED)
		return;
	if (!left)
		keeper_happened(k, EVENT_TREE_GONE);
	else if (had_agent && k->family.agent_gone)
		keeper_happened(k, EVENT_AGENT_GONE);
}

/* ---- life: the start ----------------------------------------------------------------- */

static int
keeper_write_identity(const struct keeper *k, struct err *err)
{
	AUTO_JSON *v = NULL;
	struct proc_id self, agent;

	if (proc_id_self(&self) < 0 || proc_id_of(k->family.agent, &agent) < 0)
		return err_errno(err, "cannot look at the agent's process");
	v = json_pack("{s:s, s:i, s:I, s:{s:i, s:I}}", "boot_id", self.boot_id, "pid",
	    (int)self.pid, "start_time", (json_int_t)self.start_time, "agent", "pid",
	    (int)agent.pid, "start_time", (json_int_t)agent.start_time);
	ENSURE(v != NULL);
	return json_write(k->dirfd, "keeper.json", v, true, FS_NOSYNC, err);
}

/* Prepares everything that does not depend on what to run.  May be called again. */
static int
keeper_prepare(struct keeper *k, struct err *err)
{
	if (proc_become_subreaper() < 0)
		return err_errno(err, "cannot become a subreaper");
	if (listener_open(&k->sock, k, "sock", false, err) < 0 ||
	    listener_open(&k->worker, k, "worker", true, err) < 0)
		return -1;
	if (k->prompt_fd < 0)
		k->prompt_fd = fs_open_append(k->dirfd, "prompt", err);
	return k->prompt_fd < 0 ? -1 : 0;
}

/* Writes prompt and meta.json before there is an agent: where these files cannot be written,
 * the agent's output could not be kept. */
static int
keeper_write_spec(struct keeper *k, struct err *err)
{
	if (fs_append(k->prompt_fd, "prompt", k->prompt.data, k->prompt.len, FS_NOSYNC, err) <
	    0)
		return -1;
	auto_close_fn(&k->prompt_fd);
	return fs_replace(k->dirfd, "meta.json", k->meta.data, k->meta.len, FS_NOSYNC, err);
}

/* Once `worker` exists, a process that finds the directory must assume that the session has an
 * agent. */
static int
keeper_open(struct keeper *k, struct err *err)
{
	if (keeper_spec_scan(&k->meta, &k->spec, err) < 0 || keeper_write_spec(k, err) < 0)
		return -1;
	if (k->spec.mode == MODE_PTY && profile_load(&k->profile, k->spec.command, err) < 0)
		return -1;
	turn_start(&k->turn);
	keeper_screen_start(k);
	excuse_start(k);
	if (listener_publish(&k->sock, "sock", err) < 0 ||
	    listener_publish(&k->worker, "worker", err) < 0)
		return -1;
	return watcher_start(&k->watcher, k, err);
}

/* The agent runs meanwhile; its output is not read before we are back in the event loop. */
static void
recording_start(struct keeper *k)
{
	struct err err = ERR_INIT;

	k->recording =
	    recording_new(k->dirfd, k->spec.record_cap, k->screen.rows, k->screen.cols, &err);
	if (k->recording == NULL)
		keeper_signal(k, SIGNAL_UNRECORDED, err.text);
}

static void
settle_timer(struct ev_timer *t UNUSED)
{
	memory_settle();
}

static void
start_failed(struct keeper *k)
{
	k->family.status.how = EXIT_NOSTART;
	k->family.status.value = k->nostart.code != 0 ? k->nostart.code : EINVAL;
	keeper_happened(k, EVENT_TREE_GONE);
}

/* Starts the agent first; files that are only records are written while the agent runs. */
static void
start_begin(struct keeper *k)
{
	struct err err = ERR_INIT, *why = &k->nostart;
	AUTO_JSON *running = NULL;

	if (keeper_prepare(k, why) < 0 || keeper_open(k, why) < 0 || agent_start(k, why) < 0) {
		start_failed(k);
		return;
	}
	recording_start(k);
	/* Tells of the start only now: a supervisor that hears of it may read the recording. */
	running = running_event(k);
	keeper_tell(k, running);
	/* Without keeper.json the session is still found by its socket. */
	if (keeper_write_identity(k, &err) < 0)
		warning("%s", err.text);
	/* Every part that needs meta or prompt has a copy. */
	buf_release(&k->meta);
	buf_release(&k->prompt);
	ev_timer_in(k->ev, &k->settle, SETTLE_AFTER, settle_timer, k);
}

static int
fd_parse(const char *s)
{
	char *end;
	long n = strtol(s, &end, 10);

	if (*end != '\0' || end == s || n < 3 || n > 1 << 20)
		return -1;
	/* The agent inherits none of our descriptors, except those it is given by name. */
	return fcntl((int)n, F_SETFD, FD_CLOEXEC) < 0 ? -1 : (int)n;
}

static void
keeper_init(struct keeper *k, int dirfd, int lock_fd)
{
	static const int watched[] = {SIGCHLD, SIGTERM, 0};
	static const int ignored[] = {SIGPIPE, SIGHUP, SIGINT, SIGQUIT, SIGXFSZ};

	*k = (struct keeper){.dirfd = dirfd, .lock_fd = lock_fd};
	k->master = k->slave = k->signals_fd = k->prompt_fd = k->sock.fd = k->worker.fd = -1;
	k->out.fd = k->errs.fd = k->input.fd = k->stdin_feed.fd = -1;
	buf_init(&k->meta);
	buf_init(&k->prompt);
	buf_init(&k->notice);
	buf_init(&k->input.queue);
	buf_init(&k->stdin_feed.queue);
	buf_init(&k->screen.scratch);
	k->screen.filter = (struct term_filter)TERM_FILTER_INIT;
	k->readiness.k = k->paster.k = k->diary.k = k->turn.k = k;
	buf_init(&k->diary.sought);
	k->diary.fd = k->diary.notify_fd = k->diary.watch = -1;
	excuse_init(k);
	k->user_umask = umask(077);
	(void)prctl(PR_SET_NAME, "ralph-keeper");
	for (size_t i = 0; i < ARRAY_LEN(ignored); i++)
		signal(ignored[i], SIG_IGN);
	k->ev = ev_new();
	if (k->ev == NULL)
		die(EX_FAILED, "cannot make an event loop: %s", strerror(errno));
	ev_signal_start(k->ev, &k->signals, watched, keeper_signal_came, k);
}

static void
keeper_free(struct keeper *k)
{
	clients_free(k);
	listener_close(&k->sock);
	listener_close(&k->worker);
	readiness_stop(&k->readiness);
	paster_stop(&k->paster);
	diary_close(&k->diary);
	watcher_stop(&k->watcher);
	excuse_stop(k);
	stream_close(&k->out);
	stream_close(&k->errs);
	feed_close(&k->stdin_feed);
	feed_close(&k->input);
	auto_close_fn(&k->master);
	auto_close_fn(&k->slave);
	keeper_screen_free(k);
	recording_free(k->recording);
	for (size_t i = 0; i < k->nevents; i++)
		json_decref(k->events[i]);
	free(k->events);
	turn_release(&k->turn);
	auto_close_fn(&k->signals_fd);
	auto_close_fn(&k->prompt_fd);
	ev_signal_stop(&k->signals);
	ev_free(k->ev);
	keeper_spec_release(&k->spec);
	profile_release(&k->profile);
	buf_release(&k->meta);
	buf_release(&k->prompt);
	buf_release(&k->notice);
	lock_release(&k->lock_fd);
	close(k->dirfd);
}

int
keeper_main(int argc, char **argv)
{
	int dirfd = argc == 5 ? fd_parse(argv[2]) : -1;
	int sock = argc == 5 ? fd_parse(argv[3]) : -1;
	int lock_fd = argc == 5 ? fd_parse(argv[4]) : -1;
	struct keeper k;

	if (dirfd < 0 || sock < 0 || lock_fd < 0)
		die(EX_USAGE, "%s is not for people to call", KEEPER_ARG);
	fs_fault_role(FS_KEEPER);
	keeper_init(&k, dirfd, lock_fd);
	client_new(&k, sock, false);
	/* Ignores a failure: start_begin prepares again, and may succeed then. */
	(void)!keeper_prepare(&k, NULL);
	ev_run(k.ev);
	keeper_free(&k);
	return 0;
}
