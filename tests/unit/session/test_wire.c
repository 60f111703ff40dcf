/*
 * Frames between a keeper and its clients: what arrives is what was sent, whatever the
 * pieces it comes in, and nothing that a peer sends does harm.
 */
#include "base/clock.h"
#include "base/process/sock.h"
#include "session/wire.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/socket.h>

#include <cmocka.h>

struct peer {
	struct ev *ev;
	struct wire wire;
	int fd; /* the other end */
	struct buf log;
	bool close_in_frame;
	int closed, drained;
};

static void
on_frame(struct wire *w, enum wire_type type, const char *data, size_t len)
{
	struct peer *p = w->ctx;

	if (p->close_in_frame)
		wire_close(w);
	/* Also after wire_close the bytes are there. */
	buf_addf(&p->log, "%d:%.*s;", (int)type, (int)(len < 20 ? len : 20), data);
}

static void
on_closed(struct wire *w, const char *why)
{
	struct peer *p = w->ctx;

	assert_non_null(why);
	p->closed++;
	wire_close(w);
}

static void
on_drained(struct wire *w)
{
	struct peer *p = w->ctx;

	p->drained++;
}

static int
setup(void **state)
{
	struct peer *p = calloc(1, sizeof(*p));
	int sv[2];

	p->ev = ev_new();
	buf_init(&p->log);
	assert_int_equal(sock_pair(sv, NULL), 0);
	p->fd = sv[1];
	wire_open(&p->wire, p->ev, sv[0], on_frame, on_closed, p);
	p->wire.on_drained = on_drained;
	*state = p;
	return 0;
}

static int
teardown(void **state)
{
	struct peer *p = *state;

	wire_close(&p->wire);
	wire_close(&p->wire);
	if (p->fd >= 0)
		close(p->fd);
	buf_release(&p->log);
	ev_free(p->ev);
	free(p);
	return 0;
}

static void
put(struct peer *p, const void *data, size_t len)
{
	assert_int_equal(send(p->fd, data, len, MSG_NOSIGNAL), (ssize_t)len);
}

static void
frames_arrive_in_any_pieces(void **state)
{
	static const char stream[] = "\2\0\0\0\2{}\3\0\0\0\5abc\0\0\0\0\13";
	struct peer *p = *state;

	for (size_t i = 0; i + 1 < sizeof(stream); i++) {
		put(p, stream + i, 1);
		ev_once(p->ev, 0);
	}
	assert_string_equal(p->log.data, "2:{};5:abc;11:;");
	buf_clear(&p->log);
	put(p, stream, sizeof(stream) - 1);
	ev_once(p->ev, 0);
	assert_string_equal(p->log.data, "2:{};5:abc;11:;");
}

static void
unknown_types_are_skipped(void **state)
{
	struct peer *p = *state;

	put(p, "\3\0\0\0\310abc\1\0\0\0\0x\1\0\0\0\5y", 20);
	ev_once(p->ev, 0);
	assert_string_equal(p->log.data, "5:y;");
	assert_int_equal(p->closed, 0);
}

static void
impossible_lengths_end_the_connection(void **state)
{
	static const char *const bad[] = {
	    "\377\377\377\377\3", "\1\0\20\0\3", "\5\0\0\0\7", "\1\0\0\0\2", "\1\0\20\0\310"};

	for (size_t i = 0; i < ARRAY_LEN(bad); i++) {
		struct peer *p;

		teardown(state);
		setup(state);
		p = *state;
		put(p, bad[i], 5);
		ev_once(p->ev, 0);
		assert_int_equal(p->closed, 1);
		assert_string_equal(p->log.data, "");
	}
}

static void
a_callback_may_close(void **state)
{
	struct peer *p = *state;

	p->close_in_frame = true;
	put(p, "\1\0\0\0\5a\1\0\0\0\5b", 12);
	ev_once(p->ev, 0);
	assert_string_equal(p->log.data, "5:a;");
	assert_int_equal(p->closed, 0);
	wire_send(&p->wire, WIRE_OK, NULL, 0); /* goes nowhere, and does no harm */
	assert_int_equal(wire_queued(&p->wire), 0);
}

static void
a_peer_that_goes_is_noticed_once(void **state)
{
	struct peer *p = *state;

	put(p, "\1\0\0\0\5a\1\0", 8);
	close(p->fd);
	p->fd = -1;
	for (int i = 0; i < 4; i++) {
		wire_send(&p->wire, WIRE_OUTPUT, "x", 1);
		ev_once(p->ev, 0);
	}
	assert_string_equal(p->log.data, "5:a;");
	assert_int_equal(p->closed, 1);
}

static void
what_is_queued_goes_out_later(void **state)
{
	struct peer *p = *state;
	AUTO_BUF got = BUF_INIT;
	size_t total = 0;
	char *big = malloc(WIRE_MAX);
	enum wire_type type;
	int frames = 0;

	memset(big, 'z', WIRE_MAX);
	while (wire_queued(&p->wire) < 3 * WIRE_MAX) {
		wire_send(&p->wire, WIRE_OUTPUT, big, WIRE_MAX);
		frames++;
	}
	while (p->drained == 0) {
		char sink[65536];
		ssize_t n = recv(p->fd, sink, sizeof(sink), MSG_DONTWAIT);

		total += n > 0 ? (size_t)n : 0;
		ev_once(p->ev, 0);
	}
	assert_int_equal(wire_queued(&p->wire), 0);
	for (ssize_t n; (n = recv(p->fd, big, WIRE_MAX, MSG_DONTWAIT)) > 0;)
		total += (size_t)n;
	assert_int_equal(total, (size_t)frames * (WIRE_MAX + 5));
	wire_send(&p->wire, WIRE_EVENT, "{\"a\":1}", 7);
	assert_int_equal(wire_read_frame(p->fd, 60 * NSEC_PER_SEC, &type, &got, NULL), 0);
	assert_int_equal(type, WIRE_EVENT);
	assert_string_equal(got.data, "{\"a\":1}");
	free(big);
}

static void
blocking_calls_speak_the_same(void **state)
{
	struct peer *p = *state;
	AUTO_BUF got = BUF_INIT;
	struct err err = ERR_INIT;
	enum wire_type type;

	assert_int_equal(wire_write_frame(p->fd, WIRE_INPUT, "hello", 5, &err), 0);
	ev_once(p->ev, 0);
	assert_string_equal(p->log.data, "5:hello;");
	assert_int_equal(wire_write_frame(p->fd, WIRE_INPUT, "", WIRE_MAX + 1, &err), -1);
	/* Nobody answers: the deadline does. */
	assert_int_equal(wire_read_frame(p->fd, NSEC_PER_MSEC, &type, &got, &err), -1);
	assert_non_null(strstr(err.text, "does not answer"));
	wire_close(&p->wire);
	assert_int_equal(wire_read_frame(p->fd, 60 * NSEC_PER_SEC, &type, &got, &err), -1);
	assert_non_null(strstr(err.text, "closed"));
}

static void
hello_is_checked(void **state UNUSED)
{
	struct wire_hello in = {1, ROLE_VIEWER, 40, 120, UINT64_C(1) << 40}, out;
	char packed[WIRE_HELLO_SIZE];

	wire_hello_pack(&in, packed);
	assert_int_equal(wire_hello_parse(packed, sizeof(packed), true, &out), 0);
	assert_int_equal(out.role, ROLE_VIEWER);
	assert_int_equal(out.rows, 40);
	assert_int_equal(out.cols, 120);
	assert_int_equal(out.seq, UINT64_C(1) << 40);
	assert_int_equal(wire_hello_parse(packed, 4, false, &out), 0);
	assert_int_equal(wire_hello_parse(packed, 4, true, &out), -1);
	assert_int_equal(wire_hello_parse(packed, 3, false, &out), -1);
	packed[4] = 5;
	assert_int_equal(wire_hello_parse(packed, sizeof(packed), true, &out), -1);
	packed[0] = 0;
	assert_int_equal(wire_hello_parse(packed, 4, false, &out), -1);
}

int
main(void)
{
#define T(fn) cmocka_unit_test_setup_teardown(fn, setup, teardown)
	const struct CMUnitTest tests[] = {
	    T(frames_arrive_in_any_pieces),
	    T(unknown_types_are_skipped),
	    T(impossible_lengths_end_the_connection),
	    T(a_callback_may_close),
	    T(a_peer_that_goes_is_noticed_once),
	    T(what_is_queued_goes_out_later),
	    T(blocking_calls_speak_the_same),
	    cmocka_unit_test(hello_is_checked),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
