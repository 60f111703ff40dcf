/*
 * wire.h - the frames between a keeper and its clients.
 *
 * Frames on a Unix stream socket: u32 length of the payload (little endian), u8
 * type, payload.  The first frame each way is HELLO with the version.  Unknown types
 * are skipped; a length over the type's maximum ends the connection.  One row per
 * type; the dispatcher checks lengths from the table.
 */
#ifndef SESSION_WIRE_H
#define SESSION_WIRE_H

#include "base/buf.h"
#include "base/err.h"
#include "base/ev.h"

#define WIRE_VERSION 1
#define WIRE_MAX (1u << 20)
#define WIRE_ASSIGN_MAX 65536

/*      type, number, min, max, direction and meaning */
#define WIRE_FRAMES(X)                                                                         \
	X(HELLO, 1, 4, 64,                                                                     \
	    "both: u32 version; client adds u8 role, u16 rows, u16 cols, u64 seq")             \
	X(EVENT, 2, 2, 65536,                                                                  \
	    "keeper: one JSON object (a line of signals.jsonl, started, ended)")               \
	X(OUTPUT, 3, 0, WIRE_MAX, "keeper to viewers: bytes for the terminal")                 \
	X(REPAINT, 4, 0, WIRE_MAX,                                                             \
	    "keeper to viewers: the whole screen; what was shown before is void")              \
	X(INPUT, 5, 0, WIRE_MAX, "client: bytes for the agent, as typed")                      \
	X(PASTE, 6, 0, WIRE_MAX, "client: u8 enter, text to paste as a person would")          \
	X(RESIZE, 7, 4, 4, "viewer: u16 rows, u16 cols; it gets a REPAINT in any case")        \
	X(END, 8, 1, 16, "supervisor: u8 politely; end the family")                            \
	X(NOTICE, 9, 0, 65536, "supervisor: JSON for the worker channel (pause wanted, over)") \
	X(SCREEN, 10, 0, WIRE_MAX, "client: empty asks; keeper: the screen as text")           \
	X(OK, 11, 0, 256, "keeper: the last request was carried out")                          \
	X(ERROR, 12, 0, 1024, "keeper: it was not, and why (a sentence)")                      \
	X(ASSIGN, 13, 2, WIRE_ASSIGN_MAX,                                                      \
	    "supervisor: JSON, the next turn, its task and facts; file prompt.TURN")           \
	X(TELL, 14, 16, WIRE_MAX, "supervisor: u64 turn, u64 number, text for the agent")      \
	X(NUDGE, 15, 8, 8, "supervisor: u64 turn; does the agent move?")                       \
	X(SAY, 16, 2, 4096,                                                                    \
	    "worker: JSON {signal, turn, task, token, filed, text}; answered OK or ERROR")     \
	X(SPEC, 17, 0, WIRE_MAX,                                                               \
	    "supervisor to a keeper that waits: meta.json, or a piece; to one whose agent "    \
	    "was started: are you there? (every version answers with an ERROR)")               \
	X(PROMPT, 18, 0, WIRE_MAX, "the same: the prompt, or a piece")                         \
	X(START, 19, 0, 0, "the same: that was all of both, start the agent")                  \
	X(ASK, 20, 2, 4096, "worker: as SAY; would it be taken?  Nothing is done")

enum wire_type {
#define X(id, number, min, max, help) WIRE_##id = (number),
	WIRE_FRAMES(X)
#undef X
};

enum wire_role {
	ROLE_SUPERVISOR = 1, /* gets EVENTs after seq */
	ROLE_VIEWER = 2,     /* gets REPAINT and OUTPUT; its size counts */
	ROLE_CLIENT = 3,     /* asks one thing (send, screen) */
	ROLE_WORKER = 4,     /* the agent's own commands, through the worker channel */
};

/* The payload of HELLO.  The keeper's has no more than the version. */
struct wire_hello {
	uint32_t version;
	enum wire_role role;
	int rows, cols; /* 0: no terminal */
	uint64_t seq;
};
#define WIRE_HELLO_SIZE 17
/* Numbers in payloads. */
void wire_put_u64(char out[8], uint64_t value);
uint64_t wire_get_u64(const char *in);
void wire_hello_pack(const struct wire_hello *hello, char out[WIRE_HELLO_SIZE]);
/* -1 for anything but a version we speak and, from a client, a role we know. */
int wire_hello_parse(
    const char *data, size_t len, bool from_client, struct wire_hello *hello) NODISCARD;

struct wire;
/* A callback may wire_close the connection and free the struct it lives in; `data` stays
 * valid until the callback returns. */
typedef void wire_frame_fn(struct wire *w, enum wire_type type, const char *data, size_t len);
/* Called once, when the peer has ended the connection; then free it with wire_close. */
typedef void wire_closed_fn(struct wire *w, const char *why);
typedef void wire_drained_fn(struct wire *w); /* the peer took all that was queued */

struct wire {
	struct ev *ev;
	struct ev_io io;
	int fd;
	struct buf in, out;
	wire_frame_fn *on_frame;
	wire_closed_fn *on_closed;
	wire_drained_fn *on_drained; /* NULL unless set after wire_open */
	void *ctx;
	bool closed;
	bool *gone; /* private: tells the reading loop that a callback closed us */
};

/* Takes the descriptor over. */
void wire_open(struct wire *w, struct ev *ev, int fd, wire_frame_fn *frame,
    wire_closed_fn *closed, void *ctx);
/* Queues a frame and tries to write at once; never calls back. */
void wire_send(struct wire *w, enum wire_type type, const void *data, size_t len);
/* Sends the data in pieces that a frame can hold, at least one; those after the first are of
 * type `next`. */
void wire_send_pieces(
    struct wire *w, enum wire_type type, enum wire_type next, const char *data, size_t len);
size_t wire_queued(const struct wire *w); /* bytes not yet taken by the peer */
void wire_close(struct wire *w);	  /* drops what is queued; idempotent */

/* Blocking, for commands: connect (a worker to `worker`, all others to `sock`), HELLO both
 * ways.  Returns the descriptor. */
int wire_dial(int session_dirfd, enum wire_role role, int rows, int cols, uint64_t seq,
    struct err *err) NODISCARD;
/* Blocking: writes one frame. */
int wire_write_frame(
    int fd, enum wire_type type, const void *data, size_t len, struct err *err) NODISCARD;
/* Writes the frame and, in the same write, a question for the screen behind it: the frame may
 * end the session, and then nobody would be there to answer a later question. */
int wire_write_asking(
    int fd, enum wire_type type, const void *data, size_t len, struct err *err) NODISCARD;
/* Blocking: reads one frame; -1 when none has come after `timeout_ns`. */
int wire_read_frame(int fd, int64_t timeout_ns, enum wire_type *type, struct buf *data,
    struct err *err) NODISCARD;

#endif
