/*
 * viewer.c - an agent's terminal, shown in this one.
 */
#include "loops/viewer.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/process/sock.h"
#include "loops/control.h"
#include "loops/loop_view.h"
#include "record/home.h"
#include "session/wire.h"
#include "term/term.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <termios.h>

#define DETACH_KEY 0x1c /* Ctrl-\ */
#define HINT_TIME (3 * NSEC_PER_SEC)
#define SERVER_END_MS 500
#define PANE_TRIES 25
#define PANE_AGAIN_MS 200

/* Undoes whatever modes the agent's programs may have switched on. */
#define RESET                                                                           \
	"\033[?2004l\033[?1000l\033[?1002l\033[?1003l\033[?1006l\033[?1004l\033[?2026l" \
	"\033[?1l\033>\033[r\033[?7h\033[?25h\033[?1049l\033[0m"

struct viewer {
	struct ev *ev;
	const char *name;
	struct wire wire;
	bool connected;
	int dir;    /* of the loop that is shown: another one may have its name by the end */
	int events; /* the loop's, -1 when it has no supervisor */
	struct ev_io events_io, keys;
	struct ev_signal signals;
	struct ev_timer hint;
	struct termios saved;
	struct buf line; /* of events, unfinished */
	struct term_filter filter;
	char session[SESSION_ID_MAX];
	char next[SESSION_ID_MAX]; /* began before the one that is shown was seen to end */
	bool pane;		   /* in a tmux pane of ours: no key and no hint of our own */
	bool leaving, ended, hung_up;
};

static void viewer_connect_to(struct viewer *v, const char *session);

static void
viewer_put(const char *data, size_t len)
{
	while (len > 0) {
		ssize_t n = write(STDOUT_FILENO, data, len);

		if (n < 0 && errno == EAGAIN) {
			struct pollfd p = {.fd = STDOUT_FILENO, .events = POLLOUT};

			(void)poll(&p, 1, -1);
		} else if (n < 0 && errno != EINTR) {
			return;
		} else if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
	}
}

static struct winsize
viewer_window(void)
{
	struct winsize ws = {.ws_row = 24, .ws_col = 80};

	if (ioctl(STDOUT_FILENO, TIOCGWINSZ, &ws) < 0 || ws.ws_row == 0 || ws.ws_col == 0)
		ws = (struct winsize){.ws_row = 24, .ws_col = 80};
	return ws;
}

static const char *
leave_hint(const struct viewer *v)
{
	return v->pane ? "" : ", " VIEWER_DETACH_NAME " detaches";
}

static void
leave(struct viewer *v)
{
	v->leaving = true;
	ev_stop(v->ev);
}

/* ---- the hint on the last row ------------------------------------------------------- */

static void
send_size(struct viewer *v, unsigned rows, unsigned cols)
{
	uint8_t size[4] = {(uint8_t)(rows & 0xff), (uint8_t)(rows >> 8), (uint8_t)(cols & 0xff),
	    (uint8_t)(cols >> 8)};

	if (v->connected)
		wire_send(&v->wire, WIRE_RESIZE, size, sizeof(size));
}

/* Asks for the screen without the hint.  No size: another viewer may have changed it since. */
static void
on_hint_over(struct ev_timer *w)
{
	send_size(w->ctx, 0, 0);
}

static void
show_hint(struct viewer *v)
{
	AUTO_BUF text = BUF_INIT;

	buf_addf(&text, "\0337\033[%d;1H\033[0;7m attached to %s: %s detaches \033[0m\0338",
	    viewer_window().ws_row, v->name, VIEWER_DETACH_NAME);
	viewer_put(text.data, text.len);
}

/* ---- the keeper ------------------------------------------------------------------------ */

/* Forgets half a sequence from before, which a new screen, or a new agent, makes void. */
static void
filter_reset(struct viewer *v)
{
	unsigned passes = v->filter.passes;

	term_filter_release(&v->filter);
	v->filter.guards = true;
	v->filter.passes = passes;
}

static void
viewer_show(struct viewer *v, const char *data, size_t len)
{
	AUTO_BUF shown = BUF_INIT;

	term_filter(&v->filter, data, len, &shown);
	viewer_put(shown.data, shown.len);
}

static void
on_frame(struct wire *w, enum wire_type type, const char *data, size_t len)
{
	struct viewer *v = w->ctx;

	if (type == WIRE_REPAINT) {
		filter_reset(v);
		viewer_put("\033[0m\033[H\033[2J", 11);
		viewer_show(v, data, len);
		if (v->hint.ev != NULL)
			show_hint(v);
	} else if (type == WIRE_OUTPUT) {
		viewer_show(v, data, len);
	}
}

static void
on_closed(struct wire *w, const char *why)
{
	struct viewer *v = w->ctx;
	AUTO_BUF text = BUF_INIT;

	(void)why;
	v->connected = false;
	wire_close(w);
	if (v->events < 0) {
		v->ended = true;
		leave(v);
		return;
	}
	viewer_connect_to(v, v->next);
	if (v->connected)
		return;
	buf_addf(&text,
	    RESET "\033[%d;1H\r\n[%s: the agent has ended; waiting for the next one%s]\r\n",
	    viewer_window().ws_row, v->name, leave_hint(v));
	viewer_put(text.data, text.len);
}

static void
send_hello(struct viewer *v)
{
	struct winsize ws = viewer_window();
	char hello[WIRE_HELLO_SIZE];

	wire_hello_pack(&(struct wire_hello){.version = WIRE_VERSION,
			    .role = ROLE_VIEWER,
			    .rows = ws.ws_row,
			    .cols = ws.ws_col},
	    hello);
	wire_send(&v->wire, WIRE_HELLO, hello, sizeof(hello));
}

static void
viewer_connect_to(struct viewer *v, const char *session)
{
	AUTO_VIEW view = VIEW_INIT;
	AUTO_CLOSE int sessions = -1;
	AUTO_CLOSE int dir = -1;
	int fd = -1;

	if (session[0] == '\0' || loop_view_open_session(&view, v->name, NULL) < 0)
		return;
	sessions = loop_view_sessions(&view, NULL);
	if (sessions >= 0)
		dir = fs_open_dir(sessions, session, NULL);
	if (dir >= 0)
		fd = sock_connect(dir, "sock", NULL);
	if (fd < 0)
		return;
	(void)snprintf(v->session, sizeof(v->session), "%s", session);
	v->next[0] = '\0';
	v->connected = true;
	wire_open(&v->wire, v->ev, fd, on_frame, on_closed, v);
	send_hello(v);
}

/* ---- the loop, the keys, the window -------------------------------------------------- */

/* Loop and keeper tell of the same end by two ways, so the next one may be heard of first. */
static void
on_event_line(struct viewer *v, const char *line, size_t len)
{
	AUTO_JSON *event = json_parse(line, len, "event", NULL);
	const char *session = json_str(event, "session", "");

	if (strcmp(json_str(event, "event", ""), "running") != 0)
		return;
	if (!v->connected)
		viewer_connect_to(v, session);
	else if (strcmp(session, v->session) != 0)
		(void)snprintf(v->next, sizeof(v->next), "%s", session);
}

static void
on_events(struct ev_io *w, uint32_t events)
{
	struct viewer *v = w->ctx;
	char chunk[4096];
	ssize_t n = read(w->fd, chunk, sizeof(chunk));
	const char *end;

	(void)events;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		/* The supervisor is gone; an agent it left behind can still be watched. */
		ev_io_stop(w);
		close(v->events);
		v->events = -1;
		if (!v->connected) {
			v->ended = true;
			leave(v);
		}
		return;
	}
	buf_add(&v->line, chunk, (size_t)n);
	while ((end = memchr(v->line.data, '\n', v->line.len)) != NULL) {
		on_event_line(v, v->line.data, (size_t)(end - v->line.data));
		buf_drop(&v->line, (size_t)(end - v->line.data) + 1);
	}
}

static void
on_keys(struct ev_io *w, uint32_t events)
{
	struct viewer *v = w->ctx;
	char chunk[4096];
	ssize_t n = read(w->fd, chunk, sizeof(chunk));
	const char *key;

	(void)events;
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		v->hung_up = true;
		leave(v);
		return;
	}
	key = v->pane ? NULL : memchr(chunk, DETACH_KEY, (size_t)n);
	if (key != NULL)
		n = key - chunk;
	if (n > 0 && v->connected)
		wire_send(&v->wire, WIRE_INPUT, chunk, (size_t)n);
	if (key != NULL)
		leave(v);
}

static void
viewer_on_signal(struct ev_signal *w, int signo)
{
	struct viewer *v = w->ctx;

	v->hung_up |= signo == SIGHUP;
	if (signo == SIGWINCH) {
		struct winsize ws = viewer_window();

		send_size(v, ws.ws_row, ws.ws_col);
	} else {
		leave(v);
	}
}

/* ---- in and out ---------------------------------------------------------------------- */

static void
raw_mode(struct viewer *v)
{
	struct termios raw;

	(void)tcgetattr(STDIN_FILENO, &v->saved);
	raw = v->saved;
	cfmakeraw(&raw);
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &raw);
}

static void
say_bye(const struct viewer *v)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_VIEW view = VIEW_INIT;

	buf_addf(&text, RESET "\033[%d;1H\r\n", viewer_window().ws_row);
	if (!v->ended) {
		buf_addf(&text, "[detached from %s; it goes on]\r\n", v->name);
	} else if (loop_view_open_session(&view, v->name, NULL) == 0) {
		buf_addf(&text, "[%s: ", v->name);
		loop_view_condition(&view, &text);
		buf_adds(&text, "]\r\n");
	}
	viewer_put(text.data, text.len);
}

static void
view_run(struct viewer *v, const char *session)
{
	static const int signals[] = {SIGWINCH, SIGTERM, SIGINT, SIGHUP, 0};

	raw_mode(v);
	ev_signal_start(v->ev, &v->signals, signals, viewer_on_signal, v);
	ev_io_start(v->ev, &v->keys, STDIN_FILENO, EPOLLIN, on_keys, v);
	if (v->events >= 0)
		ev_io_start(v->ev, &v->events_io, v->events, EPOLLIN, on_events, v);
	if (!v->pane)
		ev_timer_in(v->ev, &v->hint, HINT_TIME, on_hint_over, v);
	if (session != NULL)
		viewer_connect_to(v, session);
	/* Nobody starts another agent.  (A pane is its supervisor's to close.) */
	v->ended = !v->connected && v->events < 0 && !v->pane;
	if (!v->connected && !v->ended) {
		AUTO_BUF text = BUF_INIT;

		buf_addf(&text, "[%s: no agent runs now; waiting for the next one%s]\r\n",
		    v->name, leave_hint(v));
		viewer_put(text.data, text.len);
	}
	if (!v->ended)
		ev_run(v->ev);
	say_bye(v);
	(void)tcsetattr(STDIN_FILENO, TCSANOW, &v->saved);
}

static void
viewer_view_close(struct viewer *v)
{
	ev_timer_stop(&v->hint);
	ev_io_stop(&v->keys);
	ev_io_stop(&v->events_io);
	ev_signal_stop(&v->signals);
	if (v->connected)
		wire_close(&v->wire);
	if (v->events >= 0)
		close(v->events);
	buf_release(&v->line);
	term_filter_release(&v->filter);
	ev_free(v->ev);
}

/* Does the process live on?  A tmux server closes its windows before it ends itself. */
static bool
outlives(pid_t server)
{
	AUTO_CLOSE int fd = (int)syscall(SYS_pidfd_open, server, 0);
	struct pollfd p = {.fd = fd, .events = POLLIN};

	return fd >= 0 && poll(&p, 1, SERVER_END_MS) == 0;
}

/* Tells the supervisor that the window is gone.  Where its tmux server went along, it was not
 * the user who closed it. */
static void
tell_hangup(const struct viewer *v)
{
	const char *tmux = getenv("TMUX");
	const char *comma = tmux == NULL ? NULL : strchr(tmux, ',');
	long server = comma == NULL ? 0 : strtol(comma + 1, NULL, 10);
	bool closed = server > 0 && outlives((pid_t)server);
	AUTO_JSON *reply =
	    control_call(v->dir, closed ? CONTROL_HANGUP : CONTROL_REDISPLAY, NULL);

	(void)reply; /* a loop that is gone needs to be told nothing */
}

/* Opens the stream of the loop's events; -1: nobody supervises the loop.  A supervisor opens
 * its window before it writes the first fact, but listens by then: its answer comes when there
 * is a loop to look at. */
static int
watch_events(const char *name)
{
	AUTO_CLOSE int home = home_open_existing(NULL);
	AUTO_CLOSE int dir = home < 0 ? -1 : home_loop_open(home, name, NULL);

	if (dir < 0 || lock_is_held(dir, "lock", NULL) != 1)
		return -1;
	return control_watch(dir, NULL);
}

/* Finds what the viewer shows: the loop's events, and the session that runs now. */
static int
find_session(struct viewer *v, char **session, struct err *err)
{
	AUTO_VIEW view = VIEW_INIT;
	AUTO_BUF text = BUF_INIT;

	v->events = watch_events(v->name);
	/* The view is opened after the events, so that nothing can be missed. */
	if (loop_view_open_session(&view, v->name, err) < 0)
		return -1;
	auto_close_fn(&v->dir);
	v->dir = fcntl(view.dir, F_DUPFD_CLOEXEC, 3);
	if (loop_active(&view.state) > 0)
		*session = loop_view_session(&view);
	if (v->events >= 0 || *session != NULL)
		return 0;
	loop_view_condition(&view, &text);
	return err_set(err, "nothing to attach to: '%s' is %s", v->name, text.data);
}

/* The pane of a loop is made before its first fact is on disk: on a busy machine that takes a
 * while, and a pane that gave up would be gone. */
static int
find_session_of_pane(struct viewer *v, char **session, struct err *err)
{
	for (int tries = 0; tries < PANE_TRIES; tries++) {
		if (find_session(v, session, err) == 0)
			return 0;
		if (v->events >= 0)
			close(v->events);
		(void)poll(NULL, 0, PANE_AGAIN_MS);
	}
	return -1;
}

int
viewer_main(const char *name, bool pane, unsigned passes, struct err *err)
{
	struct viewer v = {.name = name, .dir = -1, .events = -1, .pane = pane};
	AUTO_FREE char *session = NULL;

	if ((pane ? find_session_of_pane : find_session)(&v, &session, err) < 0)
		return -1;
	buf_init(&v.line);
	v.filter = (struct term_filter)TERM_FILTER_INIT;
	v.filter.passes = passes;
	filter_reset(&v);
	v.ev = ev_new();
	view_run(&v, session);
	viewer_view_close(&v);
	if (pane && v.hung_up)
		tell_hangup(&v);
	auto_close_fn(&v.dir);
	return 0;
}
