/*
 * heartbeat.c - swarm heartbeat: nudge a worker every so often.
 */
#include "cmd/swarm/heartbeat.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/swarm/columns.h"
#include "cmd/worker.h"
#include "record/home.h"
#include <errno.h>

#define SHORT_INTERVAL 60

struct heartbeat_options {
	char *interval, *expire, *message;
	bool force;
};

static const struct opt heartbeat_opts[] = {
    {
	.name = "interval",
	.type = OPT_TEXT,
	.offset = offsetof(struct heartbeat_options, interval),
	.arg = "DURATION",
	.help = "start: how long from one beat to the next (\"4h\", \"30m\", \"3600\")",
    },
    {
	.name = "expire",
	.type = OPT_TEXT,
	.offset = offsetof(struct heartbeat_options, expire),
	.arg = "DURATION",
	.dflt = "never",
	.help = "start: stop by itself after so long",
    },
    {
	.name = "message",
	.type = OPT_TEXT,
	.offset = offsetof(struct heartbeat_options, message),
	.arg = "TEXT",
	.dflt = "continue",
	.help = "start: what is typed to the worker",
    },
    {
	.name = "force",
	.type = OPT_FLAG,
	.offset = offsetof(struct heartbeat_options, force),
	.help = "start: replace the one there is",
    },
};

/* What a command of the group works with. */
struct call {
	int home;
	const char *name; /* NULL for list */
	const struct heartbeat_options *o;
};

/* The original's words for these commands. */
static int complain(const char *fmt, ...) PRINTF(1, 2);

static int
complain(const char *fmt, ...)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF line = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	text_show(&line, text.data, text.len, false);
	(void)fprintf(stderr, "Error: %s\n", line.data);
	return EX_FAILED;
}

static int say(const char *fmt, ...) PRINTF(1, 2);

static int
say(const char *fmt, ...)
{
	AUTO_BUF out = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&out, fmt, ap);
	va_end(ap);
	buf_addc(&out, '\n');
	cmd_print(&out);
	return EX_OK;
}

/* ---- start -------------------------------------------------------------------------- */

/* Whole seconds, at least one; 0 when it is no such time. */
static int64_t
seconds(const char *text)
{
	int64_t ns = 0;

	return clock_parse_span(text, &ns, NULL) < 0 ? 0 : ns / NSEC_PER_SEC;
}

static json_t *
new_record(const struct call *c, int64_t interval, int64_t expire)
{
	const char *message = c->o->message == NULL ? "continue" : c->o->message;
	int64_t now = clock_wall();
	AUTO_BUF created = BUF_INIT;
	AUTO_BUF end = BUF_INIT;

	clock_fmt_rfc3339(now, &created);
	clock_fmt_rfc3339(now + expire * NSEC_PER_SEC, &end);
	return json_pack("{s:s, s:I, s:o, s:o, s:s, s:n, s:i, s:s}", "worker_name", c->name,
	    "interval_seconds", (json_int_t)interval, "message",
	    json_text(message, strlen(message)), "expire_at",
	    expire > 0 ? json_string(end.data) : json_null(), "created_at", created.data,
	    "last_beat_at", "beat_count", 0, "status", "active");
}

static int
check_worker(const char *name)
{
	struct err err = ERR_INIT;
	struct worker w;
	bool fits;

	if (worker_open(&w, name, &err) < 0)
		return complain("%s", err.text);
	fits = worker_has_terminal(&w);
	worker_close(&w);
	return fits ? EX_OK : complain("heartbeat requires tmux worker");
}

/* Makes room for a new one. */
static int
check_other(const struct call *c)
{
	AUTO_JSON *old = heartbeat_load(c->home, c->name, NULL);

	if (old == NULL || !heartbeat_is_on(c->home, c->name, old))
		return EX_OK;
	if (!c->o->force)
		return complain(
		    "heartbeat already active for '%s' (use --force to replace)", c->name);
	heartbeat_end(c->home, c->name);
	return EX_OK;
}

static int
monitor(const struct call *c, const json_t *record)
{
	struct err err = ERR_INIT;
	pid_t self = getpid();
	int rc;

	if (heartbeat_save(c->home, c->name, record, &err) < 0)
		return complain("%s", err.text);
	rc = heartbeat_monitor(c->home, c->name);
	/* The monitor comes back here, too; it has nothing to say. */
	if (getpid() != self)
		exit(rc);
	return rc;
}

static int
start(const struct call *c)
{
	int64_t interval = c->o->interval == NULL ? 0 : seconds(c->o->interval);
	int64_t expire = c->o->expire == NULL ? 0 : seconds(c->o->expire);
	AUTO_BUF every = BUF_INIT;
	AUTO_BUF end = BUF_INIT;
	AUTO_JSON *record = NULL;
	int rc;

	if (c->o->interval == NULL) {
		error("--interval is required");
		return EX_USAGE;
	}
	if (interval <= 0)
		return complain("invalid interval '%s'", c->o->interval);
	if (c->o->expire != NULL && expire <= 0)
		return complain("invalid expire '%s'", c->o->expire);
	if ((rc = check_worker(c->name)) != EX_OK || (rc = check_other(c)) != EX_OK)
		return rc;
	clock_fmt_span(interval * NSEC_PER_SEC, false, &every);
	if (interval < SHORT_INTERVAL)
		warning("very short heartbeat interval (%s)", every.data);
	record = new_record(c, interval, expire);
	rc = monitor(c, record);
	if (rc != EX_OK)
		return rc;
	if (expire > 0)
		clock_fmt_span(expire * NSEC_PER_SEC, false, &end);
	return say("Heartbeat started for %s (every %s, %s%s)", c->name, every.data,
	    expire > 0 ? "expires in " : "no expiration", end.data);
}

/* ---- stop, pause, resume ------------------------------------------------------------- */

static int
set_status(const struct call *c, const char *status, const char *done)
{
	AUTO_JSON *changes = json_pack("{s:s}", "status", status);
	struct err err = ERR_INIT;

	if (heartbeat_change(c->home, c->name, changes, &err) < 0)
		return complain("%s", err.text);
	return say("Heartbeat %s for %s", done, c->name);
}

static int
stop(const struct call *c)
{
	AUTO_JSON *record = heartbeat_load(c->home, c->name, NULL);

	if (record == NULL || !heartbeat_is_on(c->home, c->name, record))
		return say("No active heartbeat for %s", c->name);
	return set_status(c, "stopped", "stopped");
}

static int
suspend(const struct call *c)
{
	struct err err = ERR_INIT;
	AUTO_JSON *record = heartbeat_load(c->home, c->name, &err);
	const char *status;

	if (record == NULL)
		return complain("%s", err.text);
	status = heartbeat_status(c->home, c->name, record);
	if (strcmp(status, "active") != 0)
		return complain(
		    "heartbeat for '%s' is not active (status: %s)", c->name, status);
	return set_status(c, "paused", "paused");
}

static int
resume(const struct call *c)
{
	struct err err = ERR_INIT;
	AUTO_JSON *record = heartbeat_load(c->home, c->name, &err);
	const char *status;
	int rc;

	if (record == NULL)
		return complain("%s", err.text);
	status = heartbeat_status(c->home, c->name, record);
	if (strcmp(status, "paused") == 0)
		return set_status(c, "active", "resumed");
	/* One whose monitor was killed says active or paused, and is neither. */
	if (strcmp(status, "stopped") != 0 ||
	    strcmp(json_str(record, "status", "stopped"), "stopped") == 0)
		return complain(
		    "heartbeat for '%s' is not paused (status: %s)", c->name, status);
	(void)json_object_set_new(record, "status", json_string("active"));
	rc = check_worker(c->name);
	if (rc == EX_OK)
		rc = monitor(c, record);
	return rc == EX_OK ? say("Heartbeat resumed for %s", c->name) : rc;
}

/* ---- looking -------------------------------------------------------------------------- */

/* "in 3h 59m", or `none`. */
static void
add_until(struct buf *out, int64_t wall, const char *none)
{
	int64_t left = wall - clock_wall();

	if (wall == 0) {
		buf_adds(out, none);
		return;
	}
	buf_adds(out, "in ");
	clock_fmt_span(left > 0 ? left : 0, false, out);
}

/* Wall time of the next beat; 0 when there will be none. */
static int64_t
next_beat(const struct call *c, const json_t *record)
{
	int64_t last = 0;

	if (strcmp(heartbeat_status(c->home, c->name, record), "active") != 0 ||
	    (clock_parse(json_str(record, "last_beat_at", ""), &last) < 0 &&
		clock_parse(json_str(record, "created_at", ""), &last) < 0))
		return 0;
	return last + json_int(record, "interval_seconds", 0) * NSEC_PER_SEC;
}

static void
add_row(const struct call *c, const json_t *record, struct columns *table)
{
	AUTO_BUF cell = BUF_INIT;
	bool on = heartbeat_is_on(c->home, c->name, record);
	int64_t expire = 0;

	columns_add(table, c->name);
	clock_fmt_span(json_int(record, "interval_seconds", 0) * NSEC_PER_SEC, false, &cell);
	columns_add(table, cell.data);
	buf_clear(&cell);
	add_until(&cell, next_beat(c, record), "-");
	columns_add(table, cell.data);
	buf_clear(&cell);
	if (clock_parse(json_str(record, "expire_at", ""), &expire) < 0)
		expire = 0;
	add_until(&cell, on ? expire : 0, on ? "never" : "-");
	columns_add(table, cell.data);
	columns_add(table, heartbeat_status(c->home, c->name, record));
	buf_clear(&cell);
	buf_addf(&cell, "%lld", (long long)json_int(record, "beat_count", 0));
	columns_add(table, cell.data);
}

static int
list(const struct call *c)
{
	static const char *const headings[] = {
	    "WORKER", "INTERVAL", "NEXT BEAT", "EXPIRES", "STATUS", "BEATS", NULL};
	AUTO_BUF out = BUF_INIT;
	struct columns table;
	struct err err = ERR_INIT;
	char **files = NULL;

	if (fs_list(c->home, HEARTBEATS, &files, &err) < 0)
		return complain("%s", err.text);
	columns_init(&table, headings);
	for (size_t i = 0; files[i] != NULL; i++) {
		char *dot = strrchr(files[i], '.');
		struct call one = {.home = c->home, .name = files[i], .o = c->o};
		AUTO_JSON *record = NULL;

		if (dot == NULL || strcmp(dot, ".json") != 0)
			continue;
		*dot = '\0';
		record = heartbeat_load(c->home, files[i], &err);
		if (record != NULL)
			add_row(&one, record, &table);
		else
			warning("%s", err.text);
	}
	strlist_free(files);
	columns_print(&table, &out);
	columns_release(&table);
	if (out.len == 0)
		buf_adds(&out, "No heartbeats found\n");
	cmd_print(&out);
	return EX_OK;
}

static void
add_time(struct buf *out, const char *label, const json_t *record, const char *key)
{
	int64_t wall = 0;

	buf_adds(out, label);
	if (clock_parse(json_str(record, key, ""), &wall) < 0)
		buf_adds(out, "never");
	else
		clock_fmt_human(wall, out);
	buf_addc(out, '\n');
}

static int
status(const struct call *c)
{
	struct err err = ERR_INIT;
	AUTO_JSON *record = heartbeat_load(c->home, c->name, &err);
	const char *message = json_str(record, "message", "");
	AUTO_BUF out = BUF_INIT;

	if (record == NULL)
		return complain("%s", err.text);
	buf_addf(&out, "Heartbeat: %s\nStatus: %s\nInterval: ", c->name,
	    heartbeat_status(c->home, c->name, record));
	clock_fmt_span(json_int(record, "interval_seconds", 0) * NSEC_PER_SEC, false, &out);
	buf_adds(&out, "\nMessage: ");
	text_show(&out, message, strlen(message), false);
	buf_addf(&out, "\nBeats sent: %lld\n", (long long)json_int(record, "beat_count", 0));
	add_time(&out, "Created: ", record, "created_at");
	add_time(&out, "Last beat: ", record, "last_beat_at");
	buf_adds(&out, "Next beat: ");
	add_until(&out, next_beat(c, record), "never");
	buf_addc(&out, '\n');
	add_time(&out, "Expires: ", record, "expire_at");
	cmd_print(&out);
	return EX_OK;
}

/* ---- the group ------------------------------------------------------------------------ */

static const struct {
	const char *word;
	int (*fn)(const struct call *c);
	bool takes_name;
} actions[] = {
    {"start", start, true},
    {"stop", stop, true},
    {"list", list, false},
    {"ls", list, false},
    {"status", status, true},
    {"pause", suspend, true},
    {"resume", resume, true},
};

static int
run(const struct cmd_args *args)
{
	const char *word = args->operands.args[0];
	struct call c = {.home = -1, .o = args->opts};
	struct err err = ERR_INIT;
	int rc;

	for (size_t i = 0; i < ARRAY_LEN(actions); i++) {
		if (strcmp(word, actions[i].word) != 0)
			continue;
		if (args->operands.nargs != (actions[i].takes_name ? 2 : 1)) {
			error(actions[i].takes_name ? "which worker? a NAME is missing"
						    : "too many arguments");
			return EX_USAGE;
		}
		c.name = actions[i].takes_name ? args->operands.args[1] : NULL;
		c.home = home_open(&err);
		rc = c.home < 0 ? complain("%s", err.text) : actions[i].fn(&c);
		if (c.home >= 0)
			close(c.home);
		return rc;
	}
	error("'%s' is none of start, stop, list, status, pause and resume", word);
	return EX_USAGE;
}

const struct cmd cmd_heartbeat = {
    .name = "heartbeat",
    .usage = "start NAME --interval D | stop|status|pause|resume NAME | list",
    .summary = "Nudge a worker every so often",
    .about =
	"Types a message to the worker at every interval, so that an agent that waits for a "
	"usage limit to pass goes on. One heartbeat a worker; it ends with the worker, when "
	"it expires, or with 'stop'. A message that still stands in the agent's input line "
	"is not typed again.",
    .examples = "  swarm heartbeat start builder --interval 4h --expire 24h\n"
		"  swarm heartbeat start builder --interval 30m --message 'please go on'\n"
		"  swarm heartbeat list\n"
		"  swarm heartbeat stop builder\n",
    .opts = heartbeat_opts,
    .nopts = ARRAY_LEN(heartbeat_opts),
    .size = sizeof(struct heartbeat_options),
    .min_args = 1,
    .max_args = 2,
    .operand = "loop",
    .run = run,
};
