/*
 * heartbeat.c - does the loop of this work tree still live?
 *
 * logs/ralph.heartbeat has the time of its last sign of life.  logs/ralph.jsonl tells whether
 * it has ended, is paused or waits for a limit, none of which is a reason for alarm.
 */
#include "cmd/graph/graph.h"

#include "base/fs.h"
#include "base/json.h"
#include "loops/reading.h"
#include <errno.h>

#define HEARTBEAT "logs/ralph.heartbeat"
#define LOG "logs/ralph.jsonl"
#define LOG_MAX ((size_t)256 << 20)
enum { LAST_LINES = 5 };

/* The condition of the loop itself, without its tasks, as the log tells it. */
struct condition {
	char ended[16]; /* how, in the log's word; "": the loop goes on */
	bool paused;
	int64_t until; /* when the limit that the loop waits for passes (wall clock); 0: none */
	char error[256]; /* why the graph could not be asked just now; "" when it could */
	int64_t since;	 /* when that began (wall clock); 0: nobody knows */
};

/* The start of the line before the one that begins at `at`; NULL: there is none. */
static const char *
line_before(const struct buf *log, const char *at)
{
	if (at == log->data)
		return NULL;
	for (at--; at > log->data && at[-1] != '\n'; at--)
		;
	return at;
}

/* Returns when the errors at the end of the log began; 0: there are none. */
static int64_t
errors_since(const struct buf *log)
{
	int64_t since = 0, wall;

	for (const char *p = reading_last(log, 1); p != NULL; p = line_before(log, p)) {
		AUTO_JSON *v = json_parse(p, strcspn(p, "\n"), LOG, NULL);

		if (strcmp(json_str(v, "action", ""), "error") != 0)
			break;
		if (clock_parse(json_str(v, "timestamp", ""), &wall) == 0)
			since = wall;
	}
	return since;
}

static void
look_at_last(const struct buf *log, struct condition *out)
{
	const char *last = reading_last(log, 1);
	AUTO_JSON *v = json_parse(last, strlen(last), LOG, NULL);
	const char *action = json_str(v, "action", "");

	if (text_choice("finished|blocked|interrupted|stopped|gave_up", action) >= 0)
		(void)snprintf(out->ended, sizeof(out->ended), "%s", action);
	if (clock_parse(json_str(v, "until", ""), &out->until) < 0)
		out->until = 0;
	if (strcmp(action, "error") == 0) {
		(void)snprintf(
		    out->error, sizeof(out->error), "%s", json_str(v, "outcome", "?"));
		out->since = errors_since(log);
	}
}

static void
add_error(const struct condition *c, int64_t now, struct buf *out)
{
	if (c->error[0] == '\0')
		return;
	buf_adds(out, "The graph cannot be read");
	if (c->since != 0) {
		buf_adds(out, " since ");
		clock_fmt_rfc3339(c->since, out);
		buf_adds(out, ", for ");
		clock_fmt_span(now > c->since ? now - c->since : 0, false, out);
	}
	text_addf(out, ": %s\n", c->error);
}

/* A pause holds until the loop goes on, whatever its last agent still writes. */
static bool
graph_heartbeat_is_paused(const struct buf *log)
{
	const char *at = NULL;

	for (const char *p = log->data; (p = strstr(p, "\"action\":\"")) != NULL; p++) {
		static const char *const words[] = {"paused\"", "resumed\"", "loop_started\""};

		for (size_t i = 0; i < ARRAY_LEN(words); i++)
			if (strncmp(p + 10, words[i], strlen(words[i])) == 0)
				at = words[i];
	}
	return at != NULL && *at == 'p';
}

static void
add_log(const struct buf *log, struct buf *out)
{
	const char *p = reading_last(log, LAST_LINES);

	if (*p != '\0')
		buf_adds(out, "Last lines of " LOG ":\n");
	while (*p != '\0') {
		size_t len = strcspn(p, "\n");

		text_addf(out, "  %.*s\n", (int)len, p);
		p += len + (p[len] != '\0');
	}
}

static int
graph_heartbeat_judge(
    const struct condition *c, const char *beat, int64_t limit, struct buf *out)
{
	int64_t now = clock_wall(), wall;
	int rc;

	if (c->ended[0] != '\0') {
		buf_addf(out, "Loop: it has ended (%s)\n", c->ended);
		return EX_OK;
	}
	if (clock_parse(beat, &wall) < 0) {
		buf_adds(out, "Loop: stale, its heartbeat is no time\n");
		return EX_FAILED;
	}
	if (c->paused) {
		buf_adds(out, "Loop: paused; 'ralph resume' lets it go on\n");
		return EX_OK;
	}
	if (c->until > now) {
		buf_adds(out, "Loop: waiting for a usage or rate limit to pass, ");
		clock_fmt_span(c->until - now, false, out);
		buf_adds(out, " left\n");
		return EX_OK;
	}
	if (wall < c->until)
		wall = c->until;
	rc = now - wall > limit ? EX_FAILED : EX_OK;
	buf_addf(out, "Loop: %s, last sign of life ", rc == EX_OK ? "alive" : "stale");
	clock_fmt_span(now > wall ? now - wall : 0, false, out);
	buf_addf(out, " ago (%s)\n", beat);
	add_error(c, now, out);
	return rc;
}

int
graph_heartbeat(const struct graph_place *p, int64_t limit, struct buf *out)
{
	struct condition c = {.ended = "", .error = ""};
	AUTO_BUF beat = BUF_INIT;
	AUTO_BUF log = BUF_INIT;
	int rc;

	if (fs_read(p->fd, HEARTBEAT, 4096, &beat, NULL) < 0) {
		buf_adds(out, "Loop: no sign of one here (there is no " HEARTBEAT ")\n");
		return EX_FAILED;
	}
	buf_truncate(&beat, strcspn(beat.data, " \r\n"));
	(void)!fs_read(p->fd, LOG, LOG_MAX, &log, NULL);
	look_at_last(&log, &c);
	c.paused = graph_heartbeat_is_paused(&log);
	rc = graph_heartbeat_judge(&c, beat.data, limit, out);
	if (rc != EX_OK)
		add_log(&log, out);
	return rc;
}
