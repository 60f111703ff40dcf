/*
 * clients.c - who is connected to a keeper, and what each may ask.
 */
#include "session/keeper.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/process/proc.h"
#include "base/process/sock.h"
#include <errno.h>

#define HELLO_TIMEOUT (5 * NSEC_PER_SEC)
#define ACCEPT_PAUSE (200 * NSEC_PER_MSEC)
#define INPUT_MAX ((size_t)1 << 20)
#define SCREEN_MAX ((size_t)256 * 1024)

static void
client_error(struct client *c, const char *why)
{
	wire_send(&c->wire, WIRE_ERROR, why, strlen(why));
}

/* Answers a request; `why` says why it was refused, NULL: it was carried out. */
static void
client_reply(struct client *c, const char *why)
{
	if (why != NULL)
		client_error(c, why);
	else
		wire_send(&c->wire, WIRE_OK, NULL, 0);
}

void
client_answer(struct keeper *k, uint64_t client, bool ok, const char *why)
{
	for (struct client *c = k->clients; c != NULL; c = c->next)
		if (c->id == client)
			client_reply(c, ok ? NULL : why);
}

void
clients_event(struct keeper *k, const char *json, size_t len)
{
	for (struct client *c = k->clients; c != NULL; c = c->next)
		if (c->role == ROLE_SUPERVISOR)
			wire_send(&c->wire, WIRE_EVENT, json, len);
}

void
client_notice(struct client *c)
{
	AUTO_BUF notice = BUF_INIT;

	turn_notice(&c->k->turn, &notice);
	wire_send(&c->wire, WIRE_NOTICE, notice.data, notice.len);
}

static void
client_free(struct client *c)
{
	struct keeper *k = c->k;
	struct client **link = &k->clients;

	while (*link != c)
		link = &(*link)->next;
	*link = c->next;
	k->nclients--;
	ev_timer_stop(&c->timer);
	wire_close(&c->wire);
	if (c->role == ROLE_VIEWER)
		viewer_leave(c);
	else if (c->role == ROLE_SUPERVISOR && !clients_supervised(k))
		keeper_unheard(k);
	free(c);
	keeper_try_leave(k);
}

/* ---- frames -------------------------------------------------------------------------- */

static void
frame_hello(struct client *c, const char *data, size_t len)
{
	struct wire_hello hello, ours = {.version = WIRE_VERSION};
	char packed[WIRE_HELLO_SIZE];

	if (c->role != 0 || wire_hello_parse(data, len, true, &hello) < 0 ||
	    (hello.role == ROLE_WORKER) != c->is_worker) {
		client_error(c, "this is no greeting that a session knows");
		client_free(c);
		return;
	}
	ev_timer_stop(&c->timer);
	c->role = hello.role;
	wire_hello_pack(&ours, packed);
	wire_send(&c->wire, WIRE_HELLO, packed, 4);
	if (c->role == ROLE_SUPERVISOR) {
		keeper_greet(c->k, c, hello.seq);
	} else if (c->role == ROLE_VIEWER) {
		c->rows = hello.rows;
		c->cols = hello.cols;
		viewer_attach(c);
	} else if (c->role == ROLE_WORKER) {
		client_notice(c);
	}
	keeper_try_leave(c->k);
}

/* Can text be typed now?  Answers the client when not. */
static bool
can_type(struct client *c, size_t more)
{
	struct keeper *k = c->k;

	if (k->spec.mode != MODE_PTY)
		client_error(c, "this session has no terminal to type into");
	else if (k->state == KEEPER_OVER || k->input.fd < 0)
		client_error(c, "the agent has ended");
	else if (feed_queued(&k->input) + more > INPUT_MAX)
		client_error(c, "the agent does not take what is typed");
	else
		return true;
	return false;
}

static void
frame_input(struct client *c, const char *data, size_t len)
{
	if (!can_type(c, len))
		return;
	feed_add(&c->k->input, data, len);
	watcher_keys(&c->k->watcher, data, len);
}

static void
frame_paste(struct client *c, const char *data, size_t len)
{
	bool enter = len > 0 && data[0] != 0;

	if (len == 0)
		client_error(c, "there is nothing to paste");
	else if (can_type(c, len) &&
		 paster_add(&c->k->paster, data + 1, len - 1, enter, PASTE_TEXT, c->id) < 0)
		client_error(c, "too many texts wait to be pasted");
}

static void
frame_resize(struct client *c, const char *data, size_t len UNUSED)
{
	const unsigned char *b = (const unsigned char *)data;

	viewer_resize(c, b[0] | b[1] << 8, b[2] | b[3] << 8);
}

static void
frame_end(struct client *c, const char *data, size_t len UNUSED)
{
	keeper_happened(c->k, data[0] ? EVENT_FINISH : EVENT_END);
}

static void
frame_notice(struct client *c, const char *data, size_t len)
{
	keeper_notice(c->k, data, len);
}

static void
frame_screen(struct client *c, const char *data UNUSED, size_t len UNUSED)
{
	AUTO_BUF text = BUF_INIT;
	size_t cut;

	keeper_screen_text(c->k, &text);
	cut = text.len > SCREEN_MAX ? text.len - SCREEN_MAX : 0;
	wire_send(&c->wire, WIRE_SCREEN, text.data + cut, text.len - cut);
}

static void
frame_assign(struct client *c, const char *data, size_t len)
{
	turn_assign(&c->k->turn, data, len);
}

static void
frame_tell(struct client *c, const char *data, size_t len)
{
	turn_tell(&c->k->turn, (int64_t)wire_get_u64(data), wire_get_u64(data + 8), data + 16,
	    len - 16);
}

static void
frame_nudge(struct client *c, const char *data, size_t len UNUSED)
{
	if (c->k->turn.task != NULL && (int64_t)wire_get_u64(data) == c->k->turn.number)
		watcher_nudged(&c->k->watcher);
}

/* The agent's processes stay below the keeper, whatever they do with sessions and groups
 * (family.c). */
static bool
clients_is_inside(const struct client *c)
{
	return proc_is_below(sock_peer(c->wire.fd), getpid());
}

static void
frame_say(struct client *c, const char *data, size_t len)
{
	client_reply(c, turn_hears(&c->k->turn, data, len, clients_is_inside(c)));
}

static void
frame_ask(struct client *c, const char *data, size_t len)
{
	client_reply(c, turn_asked(&c->k->turn, data, len, clients_is_inside(c)));
}

/* Takes another piece of the spec or the prompt.  After the start nobody would look at the
 * piece. */
static void
piece_add(struct client *c, struct buf *to, const char *data, size_t len)
{
	if (c->k->state != KEEPER_PREPARED)
		client_error(c, "this session has been started already");
	else
		buf_add(to, data, len);
}

static void
frame_spec(struct client *c, const char *data, size_t len)
{
	piece_add(c, &c->k->meta, data, len);
}

static void
frame_prompt(struct client *c, const char *data, size_t len)
{
	piece_add(c, &c->k->prompt, data, len);
}

static void
frame_start(struct client *c, const char *data UNUSED, size_t len UNUSED)
{
	keeper_happened(c->k, EVENT_START);
}

#define BIT(role) (1u << (role))
#define PERSONS (BIT(ROLE_VIEWER) | BIT(ROLE_CLIENT) | BIT(ROLE_SUPERVISOR))

static const struct {
	void (*fn)(struct client *c, const char *data, size_t len);
	unsigned roles; /* bit 0: before HELLO */
} frame_handlers[] = {
    [WIRE_HELLO] = {frame_hello, BIT(0) | PERSONS | BIT(ROLE_WORKER)},
    [WIRE_INPUT] = {frame_input, PERSONS},
    [WIRE_PASTE] = {frame_paste, PERSONS},
    [WIRE_RESIZE] = {frame_resize, BIT(ROLE_VIEWER)},
    [WIRE_END] = {frame_end, BIT(ROLE_SUPERVISOR)},
    [WIRE_NOTICE] = {frame_notice, BIT(ROLE_SUPERVISOR)},
    [WIRE_SCREEN] = {frame_screen, PERSONS},
    [WIRE_ASSIGN] = {frame_assign, BIT(ROLE_SUPERVISOR)},
    [WIRE_TELL] = {frame_tell, BIT(ROLE_SUPERVISOR)},
    [WIRE_NUDGE] = {frame_nudge, BIT(ROLE_SUPERVISOR)},
    [WIRE_SAY] = {frame_say, BIT(ROLE_WORKER)},
    [WIRE_ASK] = {frame_ask, BIT(ROLE_WORKER)},
    [WIRE_SPEC] = {frame_spec, BIT(ROLE_SUPERVISOR)},
    [WIRE_PROMPT] = {frame_prompt, BIT(ROLE_SUPERVISOR)},
    [WIRE_START] = {frame_start, BIT(ROLE_SUPERVISOR)},
};

static void
client_frame(struct wire *w, enum wire_type type, const char *data, size_t len)
{
	struct client *c = w->ctx;

	if (wire_queued(w) > CLIENT_QUEUE_MAX) {
		client_free(c);
		return;
	}
	if (frame_handlers[type].roles & BIT(c->role)) {
		frame_handlers[type].fn(c, data, len);
	} else if (c->role == 0) {
		client_error(c, "a session is greeted first");
		client_free(c);
	} else {
		client_error(c, "this is not for you to ask of a session");
	}
}

static void
client_closed(struct wire *w, const char *why UNUSED)
{
	client_free(w->ctx);
}

static void
client_drained(struct wire *w)
{
	struct client *c = w->ctx;

	if (c->role == ROLE_VIEWER)
		viewer_drained(c);
	keeper_try_leave(c->k);
}

static void
client_too_late(struct ev_timer *t)
{
	client_free(t->ctx);
}

/* ---- life ---------------------------------------------------------------------------- */

void
client_new(struct keeper *k, int fd, bool is_worker)
{
	struct client *c = xcalloc(1, sizeof(*c));

	c->k = k;
	c->id = ++k->client_ids;
	c->is_worker = is_worker;
	wire_open(&c->wire, k->ev, fd, client_frame, client_closed, c);
	c->wire.on_drained = client_drained;
	ev_timer_in(k->ev, &c->timer, HELLO_TIMEOUT, client_too_late, c);
	c->next = k->clients;
	k->clients = c;
	k->nclients++;
}

bool
clients_waiting(const struct keeper *k)
{
	bool viewers_too = clock_boot() < k->over_at + VIEWERS_FLUSH;

	for (const struct client *c = k->clients; c != NULL; c = c->next) {
		if (c->role == 0 && !c->is_worker)
			return true;
		if (wire_queued(&c->wire) > 0 && (c->role == ROLE_SUPERVISOR || viewers_too))
			return true;
	}
	return false;
}

bool
clients_supervised(const struct keeper *k)
{
	for (const struct client *c = k->clients; c != NULL; c = c->next)
		if (c->role == ROLE_SUPERVISOR)
			return true;
	return false;
}

void
clients_free(struct keeper *k)
{
	while (k->clients != NULL)
		client_free(k->clients);
}

/* ---- listeners ----------------------------------------------------------------------- */

static void listener_ready(struct ev_io *io, uint32_t events);

static void
listener_resume(struct ev_timer *t)
{
	struct listener *l = t->ctx;

	ev_io_start(l->k->ev, &l->io, l->fd, EPOLLIN, listener_ready, l);
}

static void
listener_ready(struct ev_io *io, uint32_t events UNUSED)
{
	struct listener *l = io->ctx;

	for (;;) {
		int fd = sock_accept(l->fd);

		if (fd < 0)
			break;
		if (l->k->nclients >= CLIENTS_MAX)
			close(fd);
		else
			client_new(l->k, fd, l->is_worker);
	}
	if (errno == EAGAIN)
		return;
	/* There are no descriptors left: accepting again at once would only spin. */
	ev_io_stop(&l->io);
	ev_timer_in(l->k->ev, &l->retry, ACCEPT_PAUSE, listener_resume, l);
}

int
listener_open(
    struct listener *l, struct keeper *k, const char *name, bool is_worker, struct err *err)
{
	AUTO_FREE char *hidden = xasprintf(".%s", name);

	l->k = k;
	l->is_worker = is_worker;
	if (l->fd < 0)
		l->fd = sock_listen(k->dirfd, hidden, err);
	return l->fd < 0 ? -1 : 0;
}

int
listener_publish(struct listener *l, const char *name, struct err *err)
{
	AUTO_FREE char *hidden = xasprintf(".%s", name);

	if (fs_rename(l->k->dirfd, hidden, name, FS_NOSYNC, err) < 0)
		return -1;
	ev_io_start(l->k->ev, &l->io, l->fd, EPOLLIN, listener_ready, l);
	return 0;
}

void
listener_close(struct listener *l)
{
	ev_timer_stop(&l->retry);
	ev_io_close(&l->io, &l->fd);
}
