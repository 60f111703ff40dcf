/*
 * control.c - talking to a running supervisor from another terminal.
 */
#include "loops/control.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/lock.h"
#include "base/process/sock.h"
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#define CLIENTS_MAX 128
#define LINE_MAX_LEN (1u << 20)
#define CHUNK 4096
#define UNKNOWN "unknown request"
#define QUEUE_MAX (1u << 20)
#define ASK_PATIENCE (5 * NSEC_PER_SEC)
#define HOLDS_TIMEOUT (500 * NSEC_PER_MSEC)
#define ANSWER_TIMEOUT (10 * NSEC_PER_SEC)
#define START_PATIENCE (5 * NSEC_PER_SEC)
#define START_STEP_MS 5

static const char *const request_names[] = {
#define X(id, name) [CONTROL_##id] = name,
    CONTROL_ROWS(X)
#undef X
};

struct peer {
	struct control *owner;
	struct peer *next;
	struct ev_io io;
	struct ev_timer hurry; /* until it has asked for something */
	struct buf in, out;
	bool watches;
	bool closing; /* once out is empty */
};

struct control {
	struct ev *ev;
	struct ev_io io;
	struct peer *peers;
	size_t npeers;
	control_fn *fn;
	void *ctx;
};

static void
peer_free(struct peer *p)
{
	struct peer **at = &p->owner->peers;

	while (*at != p)
		at = &(*at)->next;
	*at = p->next;
	p->owner->npeers--;
	ev_io_stop(&p->io);
	ev_timer_stop(&p->hurry);
	close(p->io.fd);
	buf_release(&p->in);
	buf_release(&p->out);
	free(p);
}

/* False when the peer is gone. */
static bool
peer_flush(struct peer *p)
{
	while (p->out.len > 0) {
		ssize_t n = send(p->io.fd, p->out.data, p->out.len, MSG_NOSIGNAL);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 && errno == EAGAIN)
			break;
		if (n < 0) {
			peer_free(p);
			return false;
		}
		buf_drop(&p->out, (size_t)n);
	}
	if (p->closing && p->out.len == 0) {
		peer_free(p);
		return false;
	}
	ev_io_set(&p->io, p->out.len > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN);
	return true;
}

static void
peer_add(struct peer *p, const json_t *v)
{
	json_print(v, true, &p->out);
	buf_addc(&p->out, '\n');
}

static json_t *
control_answer(struct control *c, const char *line, size_t len, bool *watches)
{
	AUTO_JSON *request = json_parse(line, len, "request", NULL);
	const char *name = json_str(request, "do", "");

	for (int i = 0; i < CONTROL_REQUESTS; i++)
		if (strcmp(name, request_names[i]) == 0) {
			*watches = i == CONTROL_WATCH;
			return c->fn(c->ctx, (enum control_request)i, request);
		}
	return json_pack("{s:s}", "error", UNKNOWN);
}

static void
peer_line(struct peer *p, size_t len)
{
	AUTO_JSON *v = control_answer(p->owner, p->in.data, len, &p->watches);

	ev_timer_stop(&p->hurry);
	buf_drop(&p->in, len + 1);
	peer_add(p, v);
	p->closing = !p->watches;
	(void)peer_flush(p);
}

static void
peer_ready(struct ev_io *w, uint32_t events)
{
	struct peer *p = w->ctx;
	char chunk[CHUNK];
	const char *end;
	ssize_t n;

	if ((events & EPOLLOUT) != 0 && !peer_flush(p))
		return;
	n = recv(p->io.fd, chunk, sizeof(chunk), 0);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		peer_free(p);
		return;
	}
	buf_add(&p->in, chunk, (size_t)n);
	end = memchr(p->in.data, '\n', p->in.len);
	if (end != NULL)
		peer_line(p, (size_t)(end - p->in.data));
	else if (p->in.len > LINE_MAX_LEN)
		peer_free(p);
}

/* Drops a client that asks nothing: it would only keep others out. */
static void
peer_late(struct ev_timer *w)
{
	peer_free(w->ctx);
}

static void
control_accept(struct ev_io *w, uint32_t events)
{
	struct control *c = w->ctx;
	struct peer *p;
	int fd = sock_accept(w->fd);

	(void)events;
	if (fd < 0)
		return;
	if (c->npeers == CLIENTS_MAX) {
		close(fd);
		return;
	}
	p = xcalloc(1, sizeof(*p));
	p->owner = c;
	buf_init(&p->in);
	buf_init(&p->out);
	p->next = c->peers;
	c->peers = p;
	c->npeers++;
	ev_io_start(c->ev, &p->io, fd, EPOLLIN, peer_ready, p);
	ev_timer_in(c->ev, &p->hurry, ASK_PATIENCE, peer_late, p);
}

struct control *
control_open(struct ev *ev, int loop_dirfd, control_fn *fn, void *ctx, struct err *err)
{
	int fd = sock_listen(loop_dirfd, "sock", err);
	struct control *c;

	if (fd < 0)
		return NULL;
	c = xcalloc(1, sizeof(*c));
	c->ev = ev;
	c->fn = fn;
	c->ctx = ctx;
	ev_io_start(ev, &c->io, fd, EPOLLIN, control_accept, c);
	return c;
}

void
control_event(struct control *c, const json_t *event)
{
	struct peer *next;

	for (struct peer *p = c->peers; p != NULL; p = next) {
		next = p->next;
		if (!p->watches)
			continue;
		peer_add(p, event);
		if (p->out.len > QUEUE_MAX)
			peer_free(p);
		else
			(void)peer_flush(p);
	}
}

void
control_close(struct control *c)
{
	if (c == NULL)
		return;
	while (c->peers != NULL) {
		struct peer *p = c->peers;

		p->closing = true;
		if (peer_flush(p))
			peer_free(p);
	}
	ev_io_stop(&c->io);
	close(c->io.fd);
	free(c);
}

/* ---- the other side --------------------------------------------------------- */

static int
read_line(int fd, int64_t patience, struct buf *line, struct err *err)
{
	int64_t until = clock_boot() + patience;

	for (;;) {
		struct pollfd p = {.fd = fd, .events = POLLIN};
		int64_t left = until - clock_boot();
		char c;
		ssize_t n;

		if (left <= 0 || poll(&p, 1, (int)(left / NSEC_PER_MSEC) + 1) == 0)
			return err_code(
			    err, ETIMEDOUT, "the loop's supervisor does not answer");
		n = recv(fd, &c, 1, 0);
		if (n < 0 && (errno == EINTR || errno == EAGAIN))
			continue;
		if (n <= 0) {
			errno = n < 0 ? errno : ECONNRESET;
			return err_errno(err, "the loop's supervisor went away");
		}
		if (c == '\n')
			return 0;
		buf_addc(line, c);
	}
}

/* A supervisor that holds the lock but does not listen is just starting or leaving. */
static int
reach(int loop_dirfd, struct err *err)
{
	int64_t until = clock_boot() + START_PATIENCE;

	for (;;) {
		struct err why = ERR_INIT;
		int fd = sock_connect(loop_dirfd, "sock", &why);

		if (fd >= 0)
			return fd;
		if ((why.code != ECONNREFUSED && why.code != ENOENT) || clock_boot() > until ||
		    lock_is_held(loop_dirfd, "lock", NULL) != 1)
			return err_pass(err, &why);
		(void)poll(NULL, 0, START_STEP_MS);
	}
}

static int
send_line(int fd, const struct buf *line, struct err *err)
{
	for (size_t done = 0; done < line->len;) {
		struct pollfd p = {.fd = fd, .events = POLLOUT};
		ssize_t n = send(fd, line->data + done, line->len - done, MSG_NOSIGNAL);

		if (n > 0)
			done += (size_t)n;
		else if ((errno != EAGAIN && errno != EINTR) ||
			 poll(&p, 1, (int)(ANSWER_TIMEOUT / NSEC_PER_MSEC)) == 0)
			return err_errno(err, "cannot reach the loop's supervisor");
	}
	return 0;
}

/* A supervisor that does not answer has the request, and may carry it out later. */
static void
say_unknown(enum control_request request, struct err *err)
{
	bool heartbeat = request == CONTROL_HEARTBEAT || request == CONTROL_HEARTBEAT_SET;

	(void)err_set(err,
	    "the loop's supervisor does not answer; whether it will %s the %s is not known: it "
	    "may still do so when it goes on",
	    heartbeat ? "change" : request_names[request], heartbeat ? "heartbeat" : "loop");
}

static int
control_ask(int loop_dirfd, enum control_request request, json_t *members, json_t **reply,
    struct err *err)
{
	AUTO_CLOSE int fd = reach(loop_dirfd, err);
	AUTO_BUF line = BUF_INIT;

	if (fd < 0)
		return -1;
	(void)json_object_set_new(members, "do", json_string(request_names[request]));
	json_print(members, true, &line);
	buf_addc(&line, '\n');
	if (send_line(fd, &line, err) < 0)
		return -1;
	buf_clear(&line);
	if (read_line(fd, ANSWER_TIMEOUT, &line, err) < 0) {
		/* A request that only looks at something changes nothing. */
		if (err != NULL && err->code == ETIMEDOUT && request < CONTROL_HOLDS)
			say_unknown(request, err);
		return -1;
	}
	*reply = json_parse(line.data, line.len, "answer", err);
	if (*reply == NULL)
		return -1;
	if (json_object_get(*reply, "error") != NULL) {
		const char *said = json_str(*reply, "error", "refused");

		(void)err_code(err, strcmp(said, UNKNOWN) == 0 ? EOPNOTSUPP : 0, "%s", said);
		json_decref(take_ptr(*reply));
		return -1;
	}
	return take_fd(&fd);
}

json_t *
control_call(int loop_dirfd, enum control_request request, struct err *err)
{
	return control_call_with(loop_dirfd, request, json_object(), err);
}

json_t *
control_call_with(
    int loop_dirfd, enum control_request request, json_t *members, struct err *err)
{
	AUTO_JSON *given = members;
	json_t *reply = NULL;
	int fd = control_ask(loop_dirfd, request, given, &reply, err);

	if (fd >= 0)
		close(fd);
	return reply;
}

char *
control_holds(int loop_dirfd)
{
	static const char request[] = "{\"do\":\"holds\"}\n";
	AUTO_CLOSE int fd = sock_connect(loop_dirfd, "sock", NULL);
	AUTO_BUF line = BUF_INIT;
	AUTO_JSON *reply = NULL;
	const char *holds;

	if (fd < 0 || send(fd, request, strlen(request), MSG_NOSIGNAL) < 0 ||
	    read_line(fd, HOLDS_TIMEOUT, &line, NULL) < 0)
		return NULL;
	reply = json_parse(line.data, line.len, "answer", NULL);
	holds = json_str(reply, "holds", NULL);
	return holds == NULL ? NULL : xstrdup(holds);
}

int
control_watch(int loop_dirfd, struct err *err)
{
	AUTO_JSON *members = json_object();
	AUTO_JSON *reply = NULL;

	return control_ask(loop_dirfd, CONTROL_WATCH, members, &reply, err);
}
