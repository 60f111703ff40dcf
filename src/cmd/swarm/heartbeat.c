/*
 * heartbeat.c - swarm heartbeat: nudge a worker every so often.
 */
#include "loops/heartbeat.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/lock.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/cmd.h"
#include "cmd/columns.h"
#include "loops/control.h"
#include "loops/worker.h"
#include "record/home.h"
#include <errno.h>
#include <inttypes.h>

#define SHORT_INTERVAL 60

struct heartbeat_options {
	char *interval, *expire, *message;
	bool force;
};

#define OPTIONS struct heartbeat_options
static const struct opt heartbeat_opts[] = {
    ROW_TEXT("interval", interval, "DURATION",
	"start: how long from one beat to the next (\"4h\", \"30m\", \"3600\")"),
    ROW_TEXT(
	"expire", expire, "DURATION", "start: stop by itself after so long", .dflt = "never"),
    ROW_TEXT(
	"message", message, "TEXT", "start: what is typed to the worker", .dflt = "continue"),
    ROW_FLAG("force", force, "start: replace the heartbeat that there is"),
};

/* The arguments of every command of the group.  Each returns EX_OK, EX_USAGE, or -1 + err. */
struct call {
	int home;
	const char *word, *name; /* no name for list */
	const struct heartbeat_options *o;
	struct err *err;
};

/* ---- start -------------------------------------------------------------------------- */

/* Whole seconds, at least one; 0 when it is no such time. */
static int64_t
swarm_heartbeat_seconds(const char *text)
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
say_nobody(const struct worker *w, struct err *err)
{
	const char *name = worker_name(w);

	if (!w->running)
		return err_code(err, ESRCH, "worker '%s' is not running", name);
	if (w->foreign)
		return err_code(err, ESRCH,
		    "worker '%s' was started by another program; it is out of reach", name);
	return err_code(err, ESRCH,
	    "the supervisor of worker '%s' is gone; go on with: %s resume %s", name,
	    strcmp(log_name(), "swarm") == 0 ? "swarm ralph" : log_name(), name);
}

/* Asks the supervisor of the worker.  -1 and why not: code ESRCH where nobody could be asked,
 * EOPNOTSUPP where the supervisor is of a version without the request. */
static int
swarm_heartbeat_ask(const struct call *c, enum control_request request, json_t *members)
{
	struct err *err = c->err;
	AUTO_JSON *given = members;
	AUTO_JSON *reply = NULL;
	AUTO_WORKER w = WORKER_INIT;

	if (worker_open_for(&w, c->name, VIEW_STEER, err) < 0)
		return -1;
	if (request != CONTROL_HEARTBEAT || worker_has_terminal(&w))
		reply = control_call_with(w.view.dir, request, take_ptr(given), err);
	else
		(void)err_set(err, "heartbeat requires tmux worker");
	if (reply != NULL)
		return 0;
	if (err->code == ENOENT || err->code == ECONNREFUSED)
		return say_nobody(&w, err);
	if (err->code == EOPNOTSUPP)
		(void)err_code(err, EOPNOTSUPP,
		    "the supervisor of worker '%s' was started by an earlier version of this "
		    "program, which has no such request; nothing was changed (what works: "
		    "heartbeat stop, and heartbeats of workers that are started from now on)",
		    c->name);
	return -1;
}

static int
swarm_heartbeat_start(const struct call *c)
{
	int64_t interval = c->o->interval == NULL ? 0 : swarm_heartbeat_seconds(c->o->interval);
	int64_t expire = c->o->expire == NULL ? 0 : swarm_heartbeat_seconds(c->o->expire);
	AUTO_BUF every = BUF_INIT;
	AUTO_BUF end = BUF_INIT;

	if (c->o->interval == NULL) {
		error("--interval is required");
		return EX_USAGE;
	}
	if (interval <= 0)
		return err_set(c->err, "invalid interval '%s'", c->o->interval);
	if (c->o->expire != NULL && expire <= 0)
		return err_set(c->err, "invalid expire '%s'", c->o->expire);
	if (swarm_heartbeat_ask(c, CONTROL_HEARTBEAT,
		json_pack("{s:o, s:b}", "record", new_record(c, interval, expire), "force",
		    c->o->force)) < 0)
		return -1;
	clock_fmt_span(interval * NSEC_PER_SEC, false, &every);
	if (interval < SHORT_INTERVAL)
		warning("very short heartbeat interval (%s)", every.data);
	if (expire > 0)
		clock_fmt_span(expire * NSEC_PER_SEC, false, &end);
	return cmd_say("Heartbeat started for %s (every %s, %s%s)", c->name, every.data,
	    expire > 0 ? "expires in " : "no expiration", end.data);
}

/* ---- stop, pause, resume ------------------------------------------------------------- */

/* Stops the heartbeat where no supervisor could be asked: no other supervisor can take the
 * worker, and go on with the heartbeat, while the loop's lock is held here. */
static int
stop_alone(const struct call *c)
{
	AUTO_CLOSE int dir = home_loop_open(c->home, c->name, NULL);
	int lock = dir < 0 ? -1 : loop_claim(c->home, dir, c->name, c->err);
	int rc;

	if (dir >= 0 && lock < 0)
		return -1;
	rc = heartbeat_end(c->home, c->name, c->err);
	lock_release(&lock);
	return rc;
}

static int
stop(const struct call *c)
{
	AUTO_JSON *record = heartbeat_load(c->home, c->name, NULL);
	int rc;

	if (!heartbeat_is_wanted(record))
		return cmd_say("No active heartbeat for %s", c->name);
	rc = swarm_heartbeat_ask(
	    c, CONTROL_HEARTBEAT_SET, json_pack("{s:s}", "status", "stopped"));
	/* The supervisor of an earlier version has nothing to do with the record. */
	if (rc < 0 && c->err->code == EOPNOTSUPP)
		rc = heartbeat_end(c->home, c->name, c->err);
	else if (rc < 0 && (c->err->code == ESRCH || c->err->code == ENOENT))
		rc = stop_alone(c);
	if (rc < 0)
		return -1;
	return cmd_say("Heartbeat stopped for %s", c->name);
}

static int
pause_or_resume(const struct call *c)
{
	bool pauses = strcmp(c->word, "pause") == 0;
	const char *from = pauses ? "active" : "paused", *to = pauses ? "paused" : "active";
	AUTO_JSON *record = heartbeat_load(c->home, c->name, c->err);
	const char *status = heartbeat_status(c->home, c->name, record);
	/* A record that nobody serves says active or paused, but the heartbeat is neither. */
	bool left = strcmp(status, "stopped") == 0 && heartbeat_is_wanted(record);

	if (record == NULL)
		return -1;
	if (strcmp(status, from) != 0 && !(left && !pauses))
		return err_set(
		    c->err, "heartbeat for '%s' is not %s (status: %s)", c->name, from, status);
	if (swarm_heartbeat_ask(c, CONTROL_HEARTBEAT_SET, json_pack("{s:s}", "status", to)) < 0)
		return -1;
	return cmd_say("Heartbeat %s for %s", pauses ? "paused" : "resumed", c->name);
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
swarm_heartbeat_add_row(const struct call *c, const json_t *record, struct columns *table)
{
	AUTO_BUF cell = BUF_INIT;
	const char *status = heartbeat_status(c->home, c->name, record);
	bool on = strcmp(status, "active") == 0 || strcmp(status, "paused") == 0;
	int64_t expire = 0;

	columns_add(table, c->name);
	clock_fmt_span(json_int(record, "interval_seconds", 0) * NSEC_PER_SEC, false, &cell);
	columns_add_buf(table, &cell);
	add_until(&cell, next_beat(c, record), "-");
	columns_add_buf(table, &cell);
	if (clock_parse(json_str(record, "expire_at", ""), &expire) < 0)
		expire = 0;
	add_until(&cell, on ? expire : 0, on ? "never" : "-");
	columns_add_buf(table, &cell);
	columns_add(table, status);
	buf_addf(&cell, "%" PRId64, json_int(record, "beat_count", 0));
	columns_add_buf(table, &cell);
}

static int
swarm_heartbeat_list(const struct call *c)
{
	static const char *const headings[] = {
	    "WORKER", "INTERVAL", "NEXT BEAT", "EXPIRES", "STATUS", "BEATS", NULL};
	AUTO_BUF out = BUF_INIT;
	struct columns table;
	AUTO_STRLIST files = NULL;

	if (fs_list(c->home, HEARTBEATS, &files, c->err) < 0)
		return -1;
	columns_init(&table, headings);
	for (size_t i = 0; files[i] != NULL; i++) {
		char *dot = strrchr(files[i], '.');
		struct call one = {.home = c->home, .name = files[i]};
		AUTO_JSON *record = NULL;

		if (dot == NULL || strcmp(dot, ".json") != 0)
			continue;
		*dot = '\0';
		record = heartbeat_load(c->home, files[i], c->err);
		if (record != NULL)
			swarm_heartbeat_add_row(&one, record, &table);
		else
			warning("%s", c->err->text);
	}
	columns_print(&table, &out);
	columns_release(&table);
	if (out.len == 0)
		buf_adds(&out, "No heartbeats found\n");
	cmd_print(&out);
	return EX_OK;
}

static void
swarm_heartbeat_add_time(
    struct buf *out, const char *label, const json_t *record, const char *key)
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
swarm_heartbeat_status(const struct call *c)
{
	AUTO_JSON *record = heartbeat_load(c->home, c->name, c->err);
	const char *message = json_str(record, "message", "");
	AUTO_BUF out = BUF_INIT;

	if (record == NULL)
		return -1;
	buf_addf(&out, "Heartbeat: %s\nStatus: %s\nInterval: ", c->name,
	    heartbeat_status(c->home, c->name, record));
	clock_fmt_span(json_int(record, "interval_seconds", 0) * NSEC_PER_SEC, false, &out);
	buf_adds(&out, "\nMessage: ");
	text_show(&out, message, strlen(message), false);
	buf_addf(&out, "\nBeats sent: %" PRId64 "\n", json_int(record, "beat_count", 0));
	swarm_heartbeat_add_time(&out, "Created: ", record, "created_at");
	swarm_heartbeat_add_time(&out, "Last beat: ", record, "last_beat_at");
	buf_adds(&out, "Next beat: ");
	add_until(&out, next_beat(c, record), "never");
	buf_addc(&out, '\n');
	swarm_heartbeat_add_time(&out, "Expires: ", record, "expire_at");
	cmd_print(&out);
	return EX_OK;
}

/* ---- the group ------------------------------------------------------------------------ */

static const struct {
	const char *word;
	int (*fn)(const struct call *c);
	bool takes_name;
} actions[] = {
    {"start", swarm_heartbeat_start, true},
    {"stop", stop, true},
    {"list", swarm_heartbeat_list, false},
    {"ls", swarm_heartbeat_list, false},
    {"status", swarm_heartbeat_status, true},
    {"pause", pause_or_resume, true},
    {"resume", pause_or_resume, true},
};

/* Says an error in the words of the original program. */
static void
complain(const struct err *err)
{
	AUTO_BUF line = BUF_INIT;

	text_show(&line, err->text, strlen(err->text), false);
	(void)fprintf(stderr, "Error: %s\n", line.data);
}

static int
run(const struct cmd_args *args)
{
	const char *word = args->operands.args[0];
	struct err err = ERR_INIT;
	AUTO_CLOSE int home = -1;
	size_t i = 0;
	int rc;

	while (i < ARRAY_LEN(actions) && strcmp(word, actions[i].word) != 0)
		i++;
	if (i == ARRAY_LEN(actions)) {
		(void)err_set(args->err,
		    "'%s' is none of start, stop, list, status, pause and resume", word);
		return -EX_USAGE;
	}
	if (args->operands.nargs != (actions[i].takes_name ? 2 : 1)) {
		error(actions[i].takes_name ? "which worker? a NAME is missing"
					    : "too many arguments");
		return EX_USAGE;
	}
	home = home_open(&err);
	rc = home < 0 ? -1
		      : actions[i].fn(&(struct call){.home = home,
			    .word = word,
			    .name = args->operands.args[1],
			    .o = args->opts,
			    .err = &err});
	if (rc < 0)
		complain(&err);
	return rc < 0 ? EX_FAILED : rc;
}

const struct cmd cmd_heartbeat = {
    .name = "heartbeat",
    .usage = "start NAME --interval D | stop|status|pause|resume NAME | list",
    .summary = "Nudge a worker every so often",
    .about = "Types a message to the worker at every interval, so that an agent that waits for "
	     "a usage limit to pass goes on. One heartbeat a worker; it ends with the worker, "
	     "when it expires, or with 'stop'. A message that still stands in the agent's "
	     "input line is not typed again. The worker's supervisor does it: while that is "
	     "gone (it crashed), a heartbeat rests, and goes on when the worker is resumed.",
    .examples = "  swarm heartbeat start builder --interval 4h --expire 24h\n"
		"  swarm heartbeat start builder --interval 30m --message 'please go on'\n"
		"  swarm heartbeat list\n"
		"  swarm heartbeat stop builder\n",
    CMD_OPTIONS(heartbeat_opts),
    .min_args = 1,
    .max_args = 2,
    .operand = "loop",
    .run = run,
};
