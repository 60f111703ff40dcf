/*
 * What comes over a keeper's connection, in any pieces: the frames are those that the table in
 * wire.h allows, whole and in order, up to the first one of an impossible size; the blocking
 * reader sees the same ones; sent again they are the same bytes; and after a callback has
 * closed the connection there are none.
 *
 * The first byte seeds the cutting, the second says at which frame the connection is closed
 * (0: at none), the rest is the stream.  A first byte over 0xfb makes the last frame as long as
 * it says it is, as far as that is more than one read.
 */
#include "base/process/sock.h"
#include "session/wire.h"
#include <errno.h>
#include <sys/socket.h>

#define HEADER 5
#define LONG_MAX_LEN 70000 /* of a frame that is made longer: more than is read at once */
#define PIECES 12
#define SAID_AGAIN 8 /* of the frames */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* What was said: the frames as they are sent, one after the other, and how it ended. */
struct heard {
	struct buf frames;
	unsigned n, close_at;
	bool ended, impossible;
};

static struct ev *ev;

int
LLVMFuzzerInitialize(int *argc UNUSED, char ***argv UNUSED)
{
	ev = ev_new();
	return 0;
}

/* ---- what the table allows --------------------------------------------------------- */

static bool
is_known(unsigned type)
{
	switch (type) {
#define X(id, number, min, max, help) case number:
		WIRE_FRAMES(X)
#undef X
		return true;
	default:
		return false;
	}
}

static bool
is_possible(unsigned type, uint64_t len)
{
	switch (type) {
#define X(id, number, min, max, help) \
	case number:                  \
		return len + 1 > (min) && len <= (max);
		WIRE_FRAMES(X)
#undef X
	default:
		return len <= WIRE_MAX;
	}
}

static uint64_t
length_of(const char *header)
{
	uint64_t len = 0;

	for (int i = 3; i >= 0; i--)
		len = len << 8 | (unsigned char)header[i];
	return len;
}

static void
add_frame(struct heard *h, unsigned type, const char *data, size_t len)
{
	char header[HEADER] = {(char)(len & 0xff), (char)(len >> 8 & 0xff),
	    (char)(len >> 16 & 0xff), (char)(len >> 24), (char)type};

	buf_add(&h->frames, header, HEADER);
	buf_add(&h->frames, data, len);
	h->n++;
}

static void
expect(const char *data, size_t size, struct heard *h)
{
	size_t at = 0;

	while (size - at >= HEADER && (h->close_at == 0 || h->n < h->close_at)) {
		unsigned type = (unsigned char)data[at + 4];
		uint64_t len = length_of(data + at);

		if (!is_possible(type, len)) {
			h->impossible = true;
			return;
		}
		if (size - at - HEADER < len)
			return;
		if (is_known(type))
			add_frame(h, type, data + at + HEADER, (size_t)len);
		at += HEADER + (size_t)len;
	}
}

/* ---- what we hear ------------------------------------------------------------------ */

static void
on_frame(struct wire *w, enum wire_type type, const char *data, size_t len)
{
	struct heard *h = w->ctx;

	ENSURE(is_known((unsigned)type) && is_possible((unsigned)type, len) && !h->ended);
	add_frame(h, (unsigned)type, data, len);
	if (h->n != h->close_at)
		return;
	wire_close(w);
	h->ended = true;
	/* Still ours until we return. */
	ENSURE(len == 0 || memcmp(h->frames.data + h->frames.len - len, data, len) == 0);
}

static void
on_closed(struct wire *w, const char *why)
{
	struct heard *h = w->ctx;

	ENSURE(!h->ended && why[0] != '\0');
	h->ended = true;
	h->impossible = strcmp(why, "closed by the peer") != 0;
}

/* Sends all of it, while the other end reads. */
static void
say(int fd, const char *data, size_t len, const struct heard *h)
{
	while (len > 0 && !h->ended) {
		ssize_t n = send(fd, data, len, MSG_NOSIGNAL | MSG_DONTWAIT);

		ENSURE(n > 0 || errno == EAGAIN);
		if (n > 0) {
			data += n;
			len -= (size_t)n;
		}
		ev_once(ev, 0);
	}
}

/* In pieces that the seed tells; 0: in one. */
static void
hear(const char *data, size_t size, unsigned seed, struct heard *h)
{
	struct wire w;
	int sv[2];

	ENSURE(sock_pair(sv, NULL) == 0);
	wire_open(&w, ev, sv[0], on_frame, on_closed, h);
	for (unsigned i = 0; seed != 0 && i < PIECES && size > 0; i++) {
		size_t n;

		seed = seed * 1103515245u + 12345u;
		n = seed >> 29 == 0 ? 1 + (seed >> 8) % size : 1 + (seed >> 16) % 9;
		n = n < size ? n : size;
		say(sv[1], data, n, h);
		data += n;
		size -= n;
	}
	say(sv[1], data, size, h);
	close(sv[1]);
	while (!h->ended)
		ev_once(ev, 0);
	wire_close(&w);
}

static void
hear_blocking(const char *data, size_t size, struct heard *h)
{
	AUTO_BUF frame = BUF_INIT;
	enum wire_type type;
	struct err err = ERR_INIT;
	int sv[2];

	ENSURE(sock_pair(sv, NULL) == 0);
	ENSURE(size == 0 || send(sv[1], data, size, 0) == (ssize_t)size);
	close(sv[1]);
	while ((h->close_at == 0 || h->n < h->close_at) &&
	       wire_read_frame(sv[0], INT64_MAX / 2, &type, &frame, &err) == 0)
		add_frame(h, (unsigned)type, frame.data, frame.len);
	h->impossible = strstr(err.text, "impossible size") != NULL;
	ENSURE((h->close_at != 0 && h->n == h->close_at) || err.text[0] != '\0');
	close(sv[0]);
}

/* ---- and say ----------------------------------------------------------------------- */

/* One frame, as it is sent, comes out of the other end as it was; both ways of sending. */
static void
say_again(struct wire *w, int fd, const char *frame, size_t size)
{
	AUTO_BUF back = BUF_INIT;

	wire_send(w, (enum wire_type)frame[4], frame + HEADER, size - HEADER);
	buf_reserve(&back, 2 * size + 1);
	while (wire_queued(w) > 0 || back.len < size) {
		ssize_t n = recv(fd, back.data + back.len, 2 * size + 1 - back.len, 0);

		ENSURE(n > 0 || (n < 0 && errno == EAGAIN));
		back.len += n > 0 ? (size_t)n : 0;
		ev_once(ev, 0);
	}
	ENSURE(back.len == size && memcmp(back.data, frame, size) == 0);
	ENSURE(wire_write_frame(
		   w->fd, (enum wire_type)frame[4], frame + HEADER, size - HEADER, NULL) == 0);
	while (back.len < 2 * size) {
		ssize_t n = recv(fd, back.data + back.len, 2 * size + 1 - back.len, 0);

		ENSURE(n > 0);
		back.len += (size_t)n;
	}
	ENSURE(back.len == 2 * size && memcmp(back.data + size, frame, size) == 0);
}

static void
say_all_again(const struct heard *h)
{
	const char *frame = h->frames.data;
	struct heard none = {.frames = BUF_INIT};
	struct wire w;
	int sv[2];

	ENSURE(sock_pair(sv, NULL) == 0);
	wire_open(&w, ev, sv[0], on_frame, on_closed, &none);
	for (unsigned i = 0; i < h->n && i < SAID_AGAIN; i++) {
		size_t size = HEADER + (size_t)length_of(frame);

		say_again(&w, sv[1], frame, size);
		frame += size;
	}
	wire_close(&w);
	close(sv[1]);
}

/* A greeting that is understood says all that was packed into it. */
static void
greet(const struct heard *h)
{
	const char *frame = h->frames.data;

	for (unsigned i = 0; i < h->n; i++, frame += HEADER + length_of(frame)) {
		size_t len = (size_t)length_of(frame);
		struct wire_hello hello;
		char packed[WIRE_HELLO_SIZE];

		if (frame[4] != WIRE_HELLO)
			continue;
		if (wire_hello_parse(frame + HEADER, len, true, &hello) == 0) {
			wire_hello_pack(&hello, packed);
			ENSURE(memcmp(packed, frame + HEADER, sizeof(packed)) == 0);
		}
		ENSURE(wire_hello_parse(frame + HEADER, len, false, &hello) < 0 ||
		       hello.version > 0);
	}
}

static void
same(const struct heard *a, const struct heard *b)
{
	ENSURE(a->n == b->n && a->impossible == b->impossible);
	ENSURE(a->frames.len == b->frames.len &&
	       memcmp(a->frames.data, b->frames.data, a->frames.len) == 0);
}

/* The last frame, if it is one that has not come whole, gets what it lacks. */
static void
lengthen(struct buf *stream)
{
	size_t at = 0;

	while (stream->len - at >= HEADER) {
		uint64_t len = length_of(stream->data + at);

		if (len > LONG_MAX_LEN)
			return;
		while (stream->len - at - HEADER < len)
			buf_addc(stream, (char)(stream->len & 0x7f));
		at += HEADER + (size_t)len;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	AUTO_BUF stream = BUF_INIT;
	struct heard want = {.frames = BUF_INIT}, whole = want, cut = want, blocking = want;

	if (size < 2)
		return 0;
	buf_add(&stream, data + 2, size - 2);
	if (data[0] > 0xfb)
		lengthen(&stream);
	want.close_at = whole.close_at = cut.close_at = blocking.close_at = data[1];
	expect(stream.data, stream.len, &want);
	hear(stream.data, stream.len, 0, &whole);
	hear(stream.data, stream.len, 1 + data[0], &cut);
	hear_blocking(stream.data, stream.len, &blocking);
	same(&want, &whole);
	same(&want, &cut);
	same(&want, &blocking);
	say_all_again(&want);
	greet(&want);
	buf_release(&want.frames);
	buf_release(&whole.frames);
	buf_release(&cut.frames);
	buf_release(&blocking.frames);
	return 0;
}
