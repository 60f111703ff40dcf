/*
 * heartbeat.c - does the loop of this work tree still live?
 *
 * logs/ralph.heartbeat has the time of its last sign of life; the last line of logs/ralph.jsonl
 * tells whether it has ended, which is no reason for alarm.
 */
#include "cmd/graph/graph.h"

#include "base/fs.h"
#include "base/json.h"
#include <errno.h>

#define HEARTBEAT "logs/ralph.heartbeat"
#define LOG "logs/ralph.jsonl"
#define LOG_MAX ((size_t)256 << 20)
enum { LAST_LINES = 5 };

/* How the log ends the loop, in its own word; NULL when it does not. */
static const char *
ending(const struct buf *log)
{
	static const char *const words[] = {"finished", "blocked", "interrupted"};
	const char *last = graph_tail(log, 1);
	AUTO_JSON *v = json_parse(last, strlen(last), LOG, NULL);
	const char *action = json_str(v, "action", "");

	for (size_t i = 0; i < ARRAY_LEN(words); i++)
		if (strcmp(action, words[i]) == 0)
			return words[i];
	return NULL;
}

static void
add_log(const struct buf *log, struct buf *out)
{
	const char *p = graph_tail(log, LAST_LINES);

	if (*p != '\0')
		buf_adds(out, "Last lines of " LOG ":\n");
	while (*p != '\0') {
		AUTO_BUF line = BUF_INIT;
		size_t len = strcspn(p, "\n");

		buf_add(&line, p, len);
		buf_adds(out, "  ");
		graph_add_text(out, line.data);
		buf_addc(out, '\n');
		p += len + (p[len] != '\0');
	}
}

int
graph_heartbeat(const struct graph_place *p, int64_t limit, struct buf *out)
{
	AUTO_BUF beat = BUF_INIT;
	AUTO_BUF log = BUF_INIT;
	const char *ended;
	int64_t age;
	int rc = EX_OK;

	if (fs_read(p->fd, HEARTBEAT, 4096, &beat, NULL) < 0) {
		buf_adds(out, "Loop: no sign of one here (there is no " HEARTBEAT ")\n");
		return EX_FAILED;
	}
	buf_truncate(&beat, strcspn(beat.data, " \r\n"));
	(void)!fs_read(p->fd, LOG, LOG_MAX, &log, NULL);
	ended = ending(&log);
	age = graph_age(beat.data);
	if (ended != NULL) {
		buf_addf(out, "Loop: it has ended (%s)\n", ended);
	} else if (age < 0) {
		buf_adds(out, "Loop: stale, its heartbeat is no time\n");
		rc = EX_FAILED;
	} else {
		rc = age > limit ? EX_FAILED : EX_OK;
		buf_addf(out, "Loop: %s, last sign of life ", rc == EX_OK ? "alive" : "stale");
		clock_fmt_span(age, false, out);
		buf_addf(out, " ago (%s)\n", beat.data);
	}
	if (rc != EX_OK)
		add_log(&log, out);
	return rc;
}
