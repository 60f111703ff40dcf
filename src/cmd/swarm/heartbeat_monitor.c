/*
 * heartbeat_monitor.c - the process that nudges one worker.
 */
#include "cmd/swarm/heartbeat.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/ev.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/control.h"
#include "cmd/detach.h"
#include "cmd/worker.h"
#include "session/wire.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/inotify.h>

#define SEND_TIMEOUT (90 * NSEC_PER_SEC)
#define HANDOVER (5 * NSEC_PER_SEC)
#define HANDOVER_STEP_MS 5

struct monitor {
	struct ev *ev;
	int home;
	const char *name;
	char *file;    /* of the record, inside its directory */
	char *created; /* which record is ours: start --force makes another one */
	struct ev_io changes, worker;
	struct ev_timer timer;
	int64_t interval;
	int64_t next;	/* boot time of the next beat */
	int64_t expire; /* boot time; 0: never */
	bool paused, over;
};

static void
stop(struct monitor *m)
{
	m->over = true;
	ev_stop(m->ev);
}

static void
leave(struct monitor *m, const char *status)
{
	AUTO_JSON *changes = json_pack("{s:s}", "status", status);
	struct err err = ERR_INIT;

	if (heartbeat_change(m->home, m->name, changes, &err) < 0)
		debug("heartbeat of %s: %s", m->name, err.text);
	stop(m);
}

/* ---- a beat ------------------------------------------------------------------------- */

static int
request(int fd, enum wire_type type, const struct buf *data, struct buf *reply, struct err *err)
{
	enum wire_type got;

	if (wire_write_frame(fd, type, data->data, data->len, err) < 0)
		return -1;
	do {
		buf_clear(reply);
		if (wire_read_frame(fd, SEND_TIMEOUT, &got, reply, err) < 0)
			return -1;
	} while (got != WIRE_OK && got != WIRE_ERROR && got != WIRE_SCREEN);
	return got == WIRE_ERROR ? err_set(err, "%s", reply->data) : 0;
}

/* Does the last message still stand in the agent's input line?  Another one would only pile
 * up there. */
static bool
still_there(const struct buf *screen, const char *message)
{
	size_t end = screen->len;
	size_t start;

	while (end > 0 && strchr(" \t\n", screen->data[end - 1]) != NULL)
		end--;
	for (start = end; start > 0 && screen->data[start - 1] != '\n'; start--)
		;
	return message[0] != '\0' &&
	       memmem(screen->data + start, end - start, message, strlen(message)) != NULL;
}

/* 1 when it was nudged, 0 when there was no need to. */
static int
nudge(const struct worker *w, const char *message, struct err *err)
{
	AUTO_CLOSE int fd = worker_dial(w, err);
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF reply = BUF_INIT;

	if (fd < 0 || request(fd, WIRE_SCREEN, &text, &reply, err) < 0)
		return -1;
	if (still_there(&reply, message))
		return 0;
	buf_addc(&text, 1); /* and Enter */
	buf_adds(&text, message);
	return request(fd, WIRE_PASTE, &text, &reply, err) < 0 ? -1 : 1;
}

static void
note_beat(struct monitor *m, const json_t *record)
{
	AUTO_BUF now = BUF_INIT;
	AUTO_JSON *changes = NULL;
	struct err err = ERR_INIT;

	clock_fmt_rfc3339(clock_wall(), &now);
	changes = json_pack("{s:s, s:I}", "last_beat_at", now.data, "beat_count",
	    (json_int_t)json_int(record, "beat_count", 0) + 1);
	if (heartbeat_change(m->home, m->name, changes, &err) < 0)
		debug("heartbeat of %s: %s", m->name, err.text);
}

/* False when the worker is no more. */
static bool
beat(struct monitor *m)
{
	AUTO_JSON *record = heartbeat_load(m->home, m->name, NULL);
	struct err err = ERR_INIT;
	struct worker w;
	int rc = 0;

	if (record == NULL || worker_open(&w, m->name, NULL) < 0)
		return false;
	if (!w.running) {
		worker_close(&w);
		return false;
	}
	rc = nudge(&w, json_str(record, "message", "continue"), &err);
	worker_close(&w);
	if (rc < 0) /* between two agents, say: the next beat will do */
		debug("heartbeat of %s: %s", m->name, err.text);
	if (rc > 0)
		note_beat(m, record);
	return true;
}

/* ---- time --------------------------------------------------------------------------- */

static void on_time(struct ev_timer *w);

static void
arm(struct monitor *m)
{
	int64_t at = m->paused ? 0 : m->next;

	if (m->expire != 0 && (at == 0 || m->expire < at))
		at = m->expire;
	if (at != 0)
		ev_timer_at(m->ev, &m->timer, at, on_time, m);
	else
		ev_timer_stop(&m->timer);
}

static void
on_time(struct ev_timer *w)
{
	struct monitor *m = w->ctx;

	if (m->expire != 0 && clock_boot() >= m->expire) {
		leave(m, "expired");
		return;
	}
	if (!m->paused && clock_boot() >= m->next) {
		m->next = clock_boot() + m->interval;
		if (!beat(m)) {
			leave(m, "stopped");
			return;
		}
	}
	arm(m);
}

/* ---- what comes from outside ---------------------------------------------------------- */

/* The record says what is wanted now. */
static void
look(struct monitor *m)
{
	AUTO_JSON *record = heartbeat_load(m->home, m->name, NULL);
	const char *status = json_str(record, "status", "stopped");
	bool paused = strcmp(status, "paused") == 0;

	if ((!paused && strcmp(status, "active") != 0) ||
	    strcmp(json_str(record, "created_at", ""), m->created) != 0) {
		stop(m);
		return;
	}
	if (m->paused && !paused)
		m->next = clock_boot() + m->interval;
	m->paused = paused;
	arm(m);
}

static void
on_changes(struct ev_io *w, uint32_t events)
{
	struct monitor *m = w->ctx;
	union {
		struct inotify_event event;
		char bytes[4096];
	} u;
	ssize_t n;
	bool ours = false;

	(void)events;
	while ((n = read(w->fd, u.bytes, sizeof(u.bytes))) > 0)
		for (ssize_t at = 0; at < n;) {
			struct inotify_event e;

			memcpy(&e, u.bytes + at, sizeof(e));
			ours = ours || e.len == 0 ||
			       strcmp(u.bytes + at + sizeof(e), m->file) == 0;
			at += (ssize_t)(sizeof(e) + e.len);
		}
	if (ours)
		look(m);
}

/* The worker's supervisor went: with the worker, or without it. */
static void
on_worker(struct ev_io *w, uint32_t events)
{
	struct monitor *m = w->ctx;
	char chunk[4096];
	ssize_t n = read(w->fd, chunk, sizeof(chunk));
	struct worker worker;
	bool runs = false;

	(void)events;
	if (n > 0 || (n < 0 && (errno == EAGAIN || errno == EINTR)))
		return;
	ev_io_stop(w);
	close(w->fd);
	w->fd = -1;
	if (worker_open(&worker, m->name, NULL) == 0) {
		runs = worker.running;
		worker_close(&worker);
	}
	if (!runs)
		leave(m, "stopped");
}

/* ---- its life -------------------------------------------------------------------------- */

/* The one before us may just be leaving. */
static int
take_over(int dir, const char *name, struct err *err)
{
	AUTO_FREE char *file = xasprintf("%s.lock", name);
	int64_t until = clock_boot() + HANDOVER;
	char content[256];

	lock_describe_self(content, sizeof(content));
	for (;;) {
		struct err why = ERR_INIT;
		int fd = lock_take(dir, file, 0, content, &why);

		if (fd >= 0)
			return fd;
		if (why.code != EWOULDBLOCK || clock_boot() > until) {
			*err = why;
			return -1;
		}
		(void)poll(NULL, 0, HANDOVER_STEP_MS);
	}
}

static int
watch_changes(struct monitor *m, int dir, struct err *err)
{
	AUTO_FREE char *path = xasprintf("/proc/self/fd/%d/.", dir);
	int fd = inotify_init1(IN_CLOEXEC | IN_NONBLOCK);

	if (fd < 0 ||
	    inotify_add_watch(fd, path, IN_MOVED_TO | IN_CLOSE_WRITE | IN_DELETE) < 0) {
		(void)err_errno(err, "cannot watch " HEARTBEATS);
		if (fd >= 0)
			close(fd);
		return -1;
	}
	ev_io_start(m->ev, &m->changes, fd, EPOLLIN, on_changes, m);
	return 0;
}

static int
watch_worker(struct monitor *m, struct err *err)
{
	struct worker w;
	int fd;

	if (worker_open(&w, m->name, err) < 0)
		return -1;
	fd = w.foreign ? -1 : control_watch(w.view.dir, NULL);
	worker_close(&w);
	/* An agent without a supervisor is looked at with every beat. */
	if (fd >= 0)
		ev_io_start(m->ev, &m->worker, fd, EPOLLIN, on_worker, m);
	return 0;
}

static void
set_record(struct monitor *m, const json_t *record)
{
	int64_t expire = 0;

	m->created = xstrdup(json_str(record, "created_at", ""));
	m->interval = json_int(record, "interval_seconds", 1) * NSEC_PER_SEC;
	m->next = clock_boot() + m->interval;
	if (clock_parse(json_str(record, "expire_at", ""), &expire) == 0)
		m->expire = clock_boot() + expire - clock_wall();
}

static void
go_quiet(int ready)
{
	int null = open("/dev/null", O_RDWR | O_CLOEXEC);

	for (int fd = 0; fd <= 2 && null >= 0; fd++)
		(void)dup2(null, fd);
	if (null >= 0)
		close(null);
	if (write(ready, "", 1) < 0)
		debug("nobody waits for the monitor");
	close(ready);
}

static int
monitor_run(struct monitor *m, int dir, int ready, struct err *err)
{
	AUTO_JSON *record = heartbeat_load(m->home, m->name, err);

	if (record == NULL || watch_changes(m, dir, err) < 0 || watch_worker(m, err) < 0)
		return -1;
	set_record(m, record);
	go_quiet(ready);
	look(m); /* it may have changed before we watched */
	if (!m->over)
		ev_run(m->ev);
	return 0;
}

static void
io_close(struct ev_io *w)
{
	if (w->ev == NULL)
		return;
	ev_io_stop(w);
	close(w->fd);
}

int
heartbeat_monitor(int home, const char *name)
{
	struct monitor m = {.home = home, .name = name};
	struct err err = ERR_INIT;
	AUTO_CLOSE int dir = -1;
	int ready = -1, lock = -1, rc;

	rc = detach_begin(&ready);
	if (rc >= 0)
		return rc;
	dir = fs_open_dir(home, HEARTBEATS, &err);
	if (dir < 0 || (lock = take_over(dir, name, &err)) < 0) {
		error("%s", err.text);
		return EX_FAILED;
	}
	m.ev = ev_new();
	m.file = xasprintf("%s.json", name);
	rc = monitor_run(&m, dir, ready, &err);
	if (rc < 0)
		error("%s", err.text);
	io_close(&m.changes);
	io_close(&m.worker);
	ev_timer_stop(&m.timer);
	ev_free(m.ev);
	free(m.file);
	free(m.created);
	lock_release(&lock);
	return rc < 0 ? EX_FAILED : EX_OK;
}
