#include "session/wire.h"
#include "base/clock.h"
#include "base/process/sock.h"
#include <errno.h>
#include <poll.h>
#include <sys/socket.h>

#define HEADER 5
#define READ_SIZE 65536
#define DIAL_TIMEOUT (5 * NSEC_PER_SEC)
#define WRITE_TIMEOUT (10 * NSEC_PER_SEC)

struct limits {
	uint32_t min, max;
};

static const struct limits frame_limits[] = {
#define X(id, number, lo, hi, help) [number] = {lo, hi},
    WIRE_FRAMES(X)
#undef X
};

static void
put_le(char *out, uint64_t value, int bytes)
{
	for (int i = 0; i < bytes; i++)
		out[i] = (char)(unsigned char)(value >> (8 * i));
}

static uint64_t
get_le(const char *in, int bytes)
{
	uint64_t value = 0;

	for (int i = 0; i < bytes; i++)
		value |= (uint64_t)(unsigned char)in[i] << (8 * i);
	return value;
}

void
wire_put_u64(char out[8], uint64_t value)
{
	put_le(out, value, 8);
}

uint64_t
wire_get_u64(const char *in)
{
	return get_le(in, 8);
}

void
wire_hello_pack(const struct wire_hello *hello, char out[WIRE_HELLO_SIZE])
{
	put_le(out, hello->version, 4);
	put_le(out + 4, (uint64_t)hello->role, 1);
	put_le(out + 5, (uint64_t)hello->rows, 2);
	put_le(out + 7, (uint64_t)hello->cols, 2);
	put_le(out + 9, hello->seq, 8);
}

int
wire_hello_parse(const char *data, size_t len, bool from_client, struct wire_hello *hello)
{
	uint64_t role;

	*hello = (struct wire_hello){0};
	if (len < 4)
		return -1;
	hello->version = (uint32_t)get_le(data, 4);
	/* Later versions only add frames and bytes, and both are skipped. */
	if (hello->version < 1)
		return -1;
	if (!from_client)
		return 0;
	if (len < WIRE_HELLO_SIZE)
		return -1;
	role = get_le(data + 4, 1);
	if (role < ROLE_SUPERVISOR || role > ROLE_WORKER)
		return -1;
	hello->role = (enum wire_role)role;
	hello->rows = (int)get_le(data + 5, 2);
	hello->cols = (int)get_le(data + 7, 2);
	hello->seq = get_le(data + 9, 8);
	return 0;
}

/*
 * Looks at the header of a frame.  Returns the length of the payload, or -1 when no peer of
 * ours would send such a frame.  *known is false for a type to be skipped.
 */
static int64_t
header_check(const char *header, bool *known)
{
	uint32_t len = (uint32_t)get_le(header, 4);
	unsigned type = (unsigned char)header[4];

	*known = type < ARRAY_LEN(frame_limits) && type > 0;
	if (!*known)
		return len <= WIRE_MAX ? (int64_t)len : -1;
	if (len < frame_limits[type].min || len > frame_limits[type].max)
		return -1;
	return (int64_t)len;
}

static void
frame_add(struct buf *out, enum wire_type type, const void *data, size_t len)
{
	char header[HEADER];

	ENSURE(len <= frame_limits[type].max);
	put_le(header, len, 4);
	header[4] = (char)type;
	buf_reserve(out, HEADER + len);
	buf_add(out, header, HEADER);
	buf_add(out, data, len);
}

/* Tells once, from the event loop, that the peer ended the connection. */
static void
wire_ended(struct wire *w, const char *why)
{
	if (w->closed)
		return;
	w->closed = true;
	ev_io_stop(&w->io);
	w->on_closed(w, why);
}

/* Hands out the whole frames of `in`.  False when the connection is gone. */
static bool
wire_dispatch(struct wire *w, struct buf *in, size_t *used)
{
	bool gone = false, known;
	int64_t len;

	*used = 0;
	w->gone = &gone;
	while (in->len - *used >= HEADER) {
		const char *frame = in->data + *used;

		len = header_check(frame, &known);
		if (len < 0) {
			w->gone = NULL;
			wire_ended(w, "a frame of an impossible size");
			return false;
		}
		if (in->len - *used - HEADER < (size_t)len)
			break;
		*used += HEADER + (size_t)len;
		if (known)
			w->on_frame(w, (enum wire_type)frame[4], frame + HEADER, (size_t)len);
		if (gone)
			return false;
	}
	w->gone = NULL;
	return true;
}

static void
wire_readable(struct wire *w)
{
	/* The bytes live here during the callbacks, so that they survive wire_close. */
	AUTO_BUF in = w->in;
	size_t used;
	ssize_t n;

	buf_init(&w->in);
	buf_reserve(&in, READ_SIZE);
	n = recv(w->fd, in.data + in.len, READ_SIZE, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		n = 0;
	else if (n <= 0) {
		wire_ended(w, n == 0 ? "closed by the peer" : strerror(errno));
		return;
	}
	in.len += (size_t)n;
	in.data[in.len] = '\0';
	if (!wire_dispatch(w, &in, &used))
		return;
	buf_drop(&in, used);
	if (in.len > 0) {
		w->in = in;
		buf_init(&in);
	}
}

/* Writes what the peer takes now.  Ignores an error: the reading side will meet it. */
static void
wire_flush(struct wire *w)
{
	size_t done = 0;

	while (done < w->out.len) {
		ssize_t n = send(
		    w->fd, w->out.data + done, w->out.len - done, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n >= 0) {
			done += (size_t)n;
		} else if (errno == EAGAIN) {
			break;
		} else if (errno != EINTR) {
			done = w->out.len;
			shutdown(w->fd, SHUT_RDWR);
		}
	}
	buf_drop(&w->out, done);
	/* A repaint may have been large; an idle connection shall cost nothing. */
	if (w->out.len == 0 && w->out.cap > READ_SIZE)
		buf_release(&w->out);
	ev_io_set(&w->io, w->out.len > 0 ? EPOLLIN | EPOLLOUT : EPOLLIN);
}

static void
wire_event(struct ev_io *io, uint32_t events)
{
	struct wire *w = io->ctx;
	bool gone = false;

	if ((events & EPOLLOUT) && w->out.len > 0) {
		wire_flush(w);
		if (w->out.len == 0 && w->on_drained != NULL) {
			w->gone = &gone;
			w->on_drained(w);
			if (gone)
				return;
			w->gone = NULL;
		}
	}
	if (events & ~(uint32_t)EPOLLOUT)
		wire_readable(w);
}

void
wire_open(struct wire *w, struct ev *ev, int fd, wire_frame_fn *frame, wire_closed_fn *closed,
    void *ctx)
{
	*w = (struct wire){
	    .ev = ev, .fd = fd, .on_frame = frame, .on_closed = closed, .ctx = ctx};
	buf_init(&w->in);
	buf_init(&w->out);
	ev_io_start(ev, &w->io, fd, EPOLLIN, wire_event, w);
}

void
wire_send(struct wire *w, enum wire_type type, const void *data, size_t len)
{
	bool idle = w->out.len == 0;

	if (w->closed)
		return;
	frame_add(&w->out, type, data, len);
	if (idle)
		wire_flush(w);
}

void
wire_send_pieces(
    struct wire *w, enum wire_type type, enum wire_type next, const char *data, size_t len)
{
	do {
		size_t n = len < WIRE_MAX ? len : WIRE_MAX;

		wire_send(w, type, data, n);
		type = next;
		data += n;
		len -= n;
	} while (len > 0);
}

size_t
wire_queued(const struct wire *w)
{
	return w->closed ? 0 : w->out.len;
}

void
wire_close(struct wire *w)
{
	w->closed = true;
	if (w->gone != NULL)
		*take_ptr(w->gone) = true;
	ev_io_close(&w->io, &w->fd);
	buf_release(&w->in);
	buf_release(&w->out);
}

/* Waits until the descriptor can be used; -1 at the deadline. */
static int
wait_ready(int fd, short events, int64_t deadline, struct err *err)
{
	struct pollfd p = {.fd = fd, .events = events};

	for (;;) {
		int64_t left = deadline - clock_boot();
		int n;

		if (left <= 0) {
			errno = ETIMEDOUT;
			return err_errno(err, "the session does not answer");
		}
		if (left > 60 * NSEC_PER_SEC)
			left = 60 * NSEC_PER_SEC;
		n = poll(&p, 1, (int)(left / NSEC_PER_MSEC) + 1);
		if (n > 0)
			return 0;
		if (n < 0 && errno != EINTR)
			return err_errno(err, "cannot wait for the session");
	}
}

static int
wire_write_all(int fd, const char *data, size_t len, int64_t deadline, struct err *err)
{
	while (len > 0) {
		ssize_t n = send(fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n >= 0) {
			data += n;
			len -= (size_t)n;
		} else if (errno == EAGAIN) {
			if (wait_ready(fd, POLLOUT, deadline, err) < 0)
				return -1;
		} else if (errno != EINTR) {
			return err_errno(err, "cannot write to the session");
		}
	}
	return 0;
}

static int
wire_read_all(int fd, char *data, size_t len, int64_t deadline, struct err *err)
{
	while (len > 0) {
		ssize_t n = recv(fd, data, len, MSG_DONTWAIT);

		if (n > 0) {
			data += n;
			len -= (size_t)n;
		} else if (n == 0) {
			return err_code(err, ECONNRESET, "the session closed the connection");
		} else if (errno == EAGAIN) {
			if (wait_ready(fd, POLLIN, deadline, err) < 0)
				return -1;
		} else if (errno != EINTR) {
			return err_errno(err, "cannot read from the session");
		}
	}
	return 0;
}

static int
frames_write(
    int fd, enum wire_type type, const void *data, size_t len, bool asks, struct err *err)
{
	AUTO_BUF frames = BUF_INIT;

	if (len > frame_limits[type].max)
		return err_set(err, "%zu bytes are too many for one message to a session", len);
	frame_add(&frames, type, data, len);
	if (asks)
		frame_add(&frames, WIRE_SCREEN, NULL, 0);
	return wire_write_all(fd, frames.data, frames.len, clock_boot() + WRITE_TIMEOUT, err);
}

int
wire_write_frame(int fd, enum wire_type type, const void *data, size_t len, struct err *err)
{
	return frames_write(fd, type, data, len, false, err);
}

int
wire_write_asking(int fd, enum wire_type type, const void *data, size_t len, struct err *err)
{
	return frames_write(fd, type, data, len, true, err);
}

int
wire_read_frame(
    int fd, int64_t timeout_ns, enum wire_type *type, struct buf *data, struct err *err)
{
	int64_t deadline = clock_boot() + timeout_ns, len;
	char header[HEADER];
	bool known;

	do {
		if (wire_read_all(fd, header, HEADER, deadline, err) < 0)
			return -1;
		len = header_check(header, &known);
		if (len < 0)
			return err_set(err, "the session sent a frame of an impossible size");
		buf_clear(data);
		buf_reserve(data, (size_t)len + 1);
		if (wire_read_all(fd, data->data, (size_t)len, deadline, err) < 0)
			return -1;
		data->len = (size_t)len;
		data->data[len] = '\0';
	} while (!known);
	*type = (enum wire_type)header[4];
	return 0;
}

int
wire_dial(
    int session_dirfd, enum wire_role role, int rows, int cols, uint64_t seq, struct err *err)
{
	struct wire_hello hello = {WIRE_VERSION, role, rows, cols, seq};
	char packed[WIRE_HELLO_SIZE];
	AUTO_CLOSE int fd = -1;
	AUTO_BUF answer = BUF_INIT;
	enum wire_type type;

	fd = sock_connect(session_dirfd, role == ROLE_WORKER ? "worker" : "sock", err);
	if (fd < 0)
		return -1;
	wire_hello_pack(&hello, packed);
	if (wire_write_frame(fd, WIRE_HELLO, packed, sizeof(packed), err) < 0 ||
	    wire_read_frame(fd, DIAL_TIMEOUT, &type, &answer, err) < 0)
		return -1;
	if (type == WIRE_ERROR)
		return err_set(err, "%s", answer.data);
	if (type != WIRE_HELLO || wire_hello_parse(answer.data, answer.len, false, &hello) < 0)
		return err_set(err, "what listens there is no session of ours");
	return take_fd(&fd);
}
