/*
 * The control socket of a supervisor, with several clients that send anything in any pieces,
 * close, or stop to read, while events come.  No request is carried out that nobody sent whole;
 * whoever sends a whole line and listens gets an answer; one answer ends the connection of
 * everybody but watchers; what clients get is whole lines of JSON; and whoever has not asked to
 * watch sees no event.
 *
 * The bytes are what the clients do: 0x01 what was sent until here arrives, and the next one
 * goes on; 0x02 it arrives; 0x03 it hangs up; 0x04 it will read nothing more; 0x05 an event;
 * 0x06 blanks up to the longest line; 0x07 as 0x01, but nothing arrives yet.  All others are
 * sent.
 */
#include "base/clock.h"
#include "base/process/sock.h"
#include "loops/control.h"
#include "scratch.h"
#include <errno.h>
#include <sys/socket.h>

#define CLIENTS 3
#define ROUNDS 3
#define LINE_BOUND 4096
#define PATIENCE \
	(3 * NSEC_PER_SEC) /* less than the supervisor's with clients that say nothing */

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct client {
	int fd;
	struct buf pending; /* not sent yet */
	struct buf sent, got;
	bool deaf;
};

static struct ev *ev;
static struct control *control;
static int dir;
static struct client clients[CLIENTS];
static unsigned calls[CONTROL_REQUESTS], sent[CONTROL_REQUESTS];

static const char *const names[CONTROL_REQUESTS] = {"pause", "resume", "stop", "kill", "hangup",
    "redisplay", "nudge", "heartbeat", "heartbeat-set", "holds", "watch"};

/* What a supervisor does: what was asked for becomes an event before there is an answer. */
static json_t *
carry_out(void *ctx UNUSED, enum control_request request, const json_t *members UNUSED)
{
	AUTO_JSON *event = json_pack("{s:s}", "event", names[request]);

	calls[request]++;
	if (request != CONTROL_WATCH && request != CONTROL_HOLDS)
		control_event(control, event);
	return json_pack("{s:b, s:s}", "ok", 1, "status", names[request]);
}

int
LLVMFuzzerInitialize(int *argc UNUSED, char ***argv UNUSED)
{
	dir = scratch_open("control");
	ev = ev_new();
	return 0;
}

/* ---- the clients ------------------------------------------------------------------- */

static void
client_open(struct client *c)
{
	c->fd = sock_connect(dir, "sock", NULL);
	ENSURE(c->fd >= 0);
	c->deaf = false;
	buf_clear(&c->pending);
	buf_clear(&c->sent);
	buf_clear(&c->got);
}

static void
client_send(struct client *c)
{
	size_t done = 0;

	while (c->fd >= 0 && done < c->pending.len) {
		ssize_t n = send(c->fd, c->pending.data + done, c->pending.len - done,
		    MSG_NOSIGNAL | MSG_DONTWAIT);

		if (n <= 0)
			break;
		done += (size_t)n;
	}
	buf_add(&c->sent, c->pending.data, done);
	buf_clear(&c->pending);
}

static void
client_read(struct client *c)
{
	char chunk[4096];
	ssize_t n;

	if (c->fd < 0 || c->deaf)
		return;
	while ((n = recv(c->fd, chunk, sizeof(chunk), MSG_DONTWAIT)) > 0)
		buf_add(&c->got, chunk, (size_t)n);
	/* With something of ours unread, the end of it may look like this. */
	ENSURE(n == 0 || errno == EAGAIN || errno == ECONNRESET);
}

static void
rounds(void)
{
	for (int i = 0; i < ROUNDS; i++)
		ev_once(ev, 0);
	for (size_t i = 0; i < CLIENTS; i++)
		client_read(&clients[i]);
}

/* ---- what is true of them ---------------------------------------------------------- */

static const char *
request_of(const char *line, size_t len)
{
	static char name[16];
	AUTO_JSON *v = json_loadb(line, len, JSON_REJECT_DUPLICATES, NULL);

	(void)snprintf(name, sizeof(name), "%s", json_str(v, "do", ""));
	return name;
}

/* Returns how many whole lines there are; what they ask for is counted. */
static unsigned
count_sent(const struct client *c)
{
	const char *at = c->sent.data, *newline;
	unsigned n = 0;

	for (; (newline = memchr(at, '\n', c->sent.len - (size_t)(at - c->sent.data)));
	     at = newline + 1, n++)
		for (int i = 0; i < CONTROL_REQUESTS; i++)
			sent[i] +=
			    strcmp(request_of(at, (size_t)(newline - at)), names[i]) == 0;
	return n;
}

/* Returns how many answers there were. */
static unsigned
check_got(const struct client *c, unsigned lines)
{
	const char *at = c->got.data, *newline;
	unsigned answers = 0;
	bool watches = false;

	for (; (newline = memchr(at, '\n', c->got.len - (size_t)(at - c->got.data)));
	     at = newline + 1) {
		AUTO_JSON *v = json_loadb(at, (size_t)(newline - at), 0, NULL);

		ENSURE(json_is_object(v));
		if (json_object_get(v, "event") != NULL) {
			ENSURE(watches);
			continue;
		}
		/* Only watchers have a second one. */
		ENSURE(answers == 0 || watches);
		answers++;
		ENSURE(json_is_true(json_object_get(v, "ok")) ||
		       json_str(v, "error", NULL) != NULL);
		watches = watches || strcmp(json_str(v, "status", ""), "watch") == 0;
	}
	ENSURE(*at == '\0' && answers <= lines);
	return answers;
}

static void
check_all(bool in_time)
{
	for (size_t i = 0; i < CLIENTS; i++) {
		struct client *c = &clients[i];
		const char *newline = strchr(c->sent.data, '\n');
		unsigned lines = count_sent(c), answers = check_got(c, lines);
		bool whole = newline != NULL && newline - c->sent.data <= LINE_BOUND &&
			     strlen(c->sent.data) == c->sent.len;

		ENSURE(!in_time || !whole || c->fd < 0 || c->deaf || answers > 0);
	}
	for (int i = 0; i < CONTROL_REQUESTS; i++)
		ENSURE(calls[i] <= sent[i]);
}

/* ---- one life ---------------------------------------------------------------------- */

static void
client_gone(struct client *c)
{
	client_send(c);
	if (c->fd >= 0)
		close(c->fd);
	c->fd = -1;
}

static void
act(struct client **c, uint8_t byte)
{
	AUTO_JSON *event = NULL;

	switch (byte) {
	case 1:
		client_send(*c);
		rounds();
		*c = *c == &clients[CLIENTS - 1] ? &clients[0] : *c + 1;
		break;
	case 2:
		client_send(*c);
		rounds();
		break;
	case 3:
		client_gone(*c);
		break;
	case 4:
		(*c)->deaf = true;
		if ((*c)->fd >= 0)
			(void)shutdown((*c)->fd, SHUT_RD);
		break;
	case 5:
		event = json_pack("{s:s}", "event", "progress");
		control_event(control, event);
		break;
	case 6:
		while ((*c)->pending.len < LINE_BOUND)
			buf_addc(&(*c)->pending, ' ');
		break;
	case 7:
		client_send(*c);
		*c = *c == &clients[CLIENTS - 1] ? &clients[0] : *c + 1;
		break;
	default:
		buf_addc(&(*c)->pending, (char)byte);
		break;
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct client *c = &clients[0];
	int64_t began = clock_boot();

	memset(calls, 0, sizeof(calls));
	memset(sent, 0, sizeof(sent));
	control = control_open(ev, dir, carry_out, NULL, NULL);
	ENSURE(control);
	for (size_t i = 0; i < CLIENTS; i++) {
		buf_init(&clients[i].pending);
		buf_init(&clients[i].sent);
		buf_init(&clients[i].got);
		client_open(&clients[i]);
	}
	for (size_t i = 0; i < size; i++)
		act(&c, data[i]);
	client_send(c);
	rounds();
	rounds();
	control_close(control);
	for (size_t i = 0; i < CLIENTS; i++)
		client_read(&clients[i]);
	check_all(clock_boot() - began < PATIENCE);
	for (size_t i = 0; i < CLIENTS; i++) {
		client_gone(&clients[i]);
		buf_release(&clients[i].pending);
		buf_release(&clients[i].sent);
		buf_release(&clients[i].got);
	}
	return 0;
}
