/*
 * beat.c - the supervisor's part of a heartbeat.
 */
#include "supervisor/beat.h"
#include "supervisor/inside.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/process/job.h"
#include "loops/between.h"
#include "loops/heartbeat.h"
#include "session/wire.h"
#include "supervisor/gone.h"

#define TYPING_PATIENCE (90 * NSEC_PER_SEC)
#define RETRY (5 * NSEC_PER_SEC)
#define OVERDUE (60 * NSEC_PER_SEC)
#define LONGEST INT64_C(3155760000) /* a hundred years, in seconds */

struct beat {
	struct running *r;
	struct ev_timer due; /* the next beat, or the end of the heartbeat */
	int64_t next;	     /* boot time of the next beat */
	struct job *typing;  /* NULL: no beat is under way */
};

static json_t *
beat_load(const struct beat *b, struct err *err)
{
	return heartbeat_load(b->r->home, b->r->spec->name, err);
}

static int
beat_save(const struct beat *b, json_t *record, const char *status, struct err *err)
{
	bool over = strcmp(status, "active") != 0 && strcmp(status, "paused") != 0;

	return heartbeat_save(
	    b->r->home, b->r->spec->name, record, status, over ? 0 : getpid(), err);
}

static bool
beat_is_paused(const json_t *record)
{
	return strcmp(json_str(record, "status", ""), "paused") == 0;
}

static int64_t
beat_interval(const json_t *record)
{
	int64_t seconds = json_int(record, "interval_seconds", 1);

	if (seconds > LONGEST)
		seconds = LONGEST;
	return (seconds > 0 ? seconds : 1) * NSEC_PER_SEC;
}

/* Boot time of a moment in the record; 0: the record has none. */
static int64_t
beat_moment(const json_t *record, const char *key)
{
	int64_t wall = 0;

	return clock_parse(json_str(record, key, ""), &wall) < 0
		   ? 0
		   : clock_boot() + wall - clock_wall();
}

/* ---- a beat -------------------------------------------------------------------------- */

/* The keeper's answer to one request. */
static int
beat_request(
    int fd, enum wire_type type, const struct buf *data, struct buf *reply, struct err *err)
{
	enum wire_type got;

	if (wire_write_frame(fd, type, data->data, data->len, err) < 0)
		return -1;
	do {
		buf_clear(reply);
		if (wire_read_frame(fd, TYPING_PATIENCE, &got, reply, err) < 0)
			return -1;
	} while (got != WIRE_OK && got != WIRE_ERROR && got != WIRE_SCREEN);
	return got == WIRE_ERROR ? err_set(err, "%s", reply->data) : 0;
}

/* Does the last message still stand in the agent's input line?  Another one would only pile up
 * there. */
static bool
beat_still_there(const struct buf *screen, const char *message)
{
	size_t end = screen->len, start;

	while (end > 0 && strchr(" \t\n", screen->data[end - 1]) != NULL)
		end--;
	for (start = end; start > 0 && screen->data[start - 1] != '\n'; start--)
		;
	return message[0] != '\0' &&
	       memmem(screen->data + start, end - start, message, strlen(message)) != NULL;
}

static int
beat_type_to(struct loop_view *v, const char *message, struct buf *out, struct err *err)
{
	AUTO_CLOSE int fd = between_dial(v, err);
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF reply = BUF_INIT;

	if (fd < 0 || beat_request(fd, WIRE_SCREEN, &text, &reply, err) < 0)
		return -1;
	if (beat_still_there(&reply, message))
		return 0;
	buf_addc(&text, 1); /* and Enter */
	buf_adds(&text, message);
	if (beat_request(fd, WIRE_PASTE, &text, &reply, err) < 0)
		return -1;
	buf_adds(out, "typed");
	return 0;
}

/* Runs as a job, which may wait for the next agent and for its keeper, and which has none of
 * the supervisor's descriptors.  The answer is empty when there was no need to type. */
static int
beat_type_message(const void *arg, struct buf *out, struct err *err)
{
	const struct beat *b = arg;
	AUTO_JSON *record = NULL;
	struct loop_view v;
	int rc = -1;

	if (loop_view_open(&v, b->r->spec->name, err) < 0)
		return -1;
	record = heartbeat_load(v.home, v.name, err);
	if (record != NULL)
		rc = beat_type_to(&v, json_str(record, "message", "continue"), out, err);
	loop_view_close(&v);
	return rc;
}

static void
beat_on_typed(void *ctx, int rc, const struct buf *out, const struct err *err)
{
	struct beat *b = ctx;
	AUTO_JSON *record = beat_load(b, NULL);
	AUTO_BUF now = BUF_INIT;
	struct err why = ERR_INIT;

	b->typing = NULL;
	if (rc < 0) /* between two agents, say: the next beat will do */
		debug("%s: heartbeat: %s", b->r->spec->name, err->text);
	if (rc < 0 || out->len == 0 || record == NULL)
		return;
	clock_fmt_rfc3339(clock_wall(), &now);
	(void)json_object_set_new(record, "last_beat_at", json_string(now.data));
	(void)json_object_set_new(
	    record, "beat_count", json_integer(json_int(record, "beat_count", 0) + 1));
	if (beat_save(b, record, json_str(record, "status", "stopped"), &why) < 0)
		warning("%s: heartbeat: %s", b->r->spec->name, why.text);
}

/* ---- time ---------------------------------------------------------------------------- */

static void beat_on_due(struct ev_timer *w);

static void
beat_arm(struct beat *b, const json_t *record)
{
	int64_t at = beat_is_paused(record) ? 0 : b->next;
	int64_t expire = beat_moment(record, "expire_at");

	if (expire != 0 && (at == 0 || expire < at))
		at = expire;
	if (at != 0 && heartbeat_is_wanted(record))
		ev_timer_at(b->r->ev, &b->due, at, beat_on_due, b);
	else
		ev_timer_stop(&b->due);
}

/* Does the worker run, as `swarm ls` has it? */
static bool
beat_is_running(const struct running *r)
{
	return r->state.phase != PHASE_FINISHED &&
	       (r->state.wanted == WANT_RUN || loop_active(&r->state) > 0);
}

static int64_t
beat_first(const json_t *record)
{
	int64_t last = beat_moment(record, "last_beat_at");
	int64_t every = beat_interval(record), now = clock_boot();
	int64_t at = (last != 0 ? last : beat_moment(record, "created_at")) + every;
	int64_t soonest = now + (every < OVERDUE ? every : OVERDUE);

	if (at > now + every) /* the wall clock was set back */
		at = now + every;
	return at > soonest ? at : soonest;
}

/* Does what is due.  A record that another process wrote becomes this supervisor's first. */
static int
beat_serve(struct beat *b, json_t *record, struct err *err)
{
	int64_t expire = beat_moment(record, "expire_at");

	if (expire != 0 && clock_boot() >= expire)
		return beat_save(b, record, "expired", err);
	if (json_int(record, "monitor_pid", 0) != getpid()) {
		b->next = beat_first(record);
		return beat_save(b, record, json_str(record, "status", "active"), err);
	}
	if (beat_is_paused(record) || clock_boot() < b->next)
		return 0;
	if (!beat_is_running(b->r))
		return beat_save(b, record, "stopped", err);
	b->next = clock_boot() + beat_interval(record);
	if (b->typing == NULL)
		b->typing = job_start(b->r->ev, beat_type_message, b, beat_on_typed, b, err);
	return b->typing == NULL ? -1 : 0;
}

/* The monitor of an earlier version is ended before this supervisor takes its place. */
static void
beat_on_due(struct ev_timer *w)
{
	struct beat *b = w->ctx;
	struct err err = ERR_INIT;
	int rc = heartbeat_oust(b->r->home, b->r->spec->name, &err);
	AUTO_JSON *record = beat_load(b, NULL);

	if (b->r->sup->gone || !heartbeat_is_wanted(record))
		return;
	if (rc == 0)
		rc = beat_serve(b, record, &err);
	if (rc == 0) {
		beat_arm(b, record);
		return;
	}
	debug("%s: heartbeat: %s", b->r->spec->name, err.text);
	ev_timer_in(b->r->ev, &b->due, RETRY, beat_on_due, b);
}

/* Goes on with a heartbeat that another process served.  A process id of this supervisor in the
 * record is its own only after the first time: an earlier one may have had the same. */
static void
beat_adopt(struct beat *b, bool first)
{
	AUTO_JSON *record = beat_load(b, NULL);

	if (!heartbeat_is_wanted(record) ||
	    (!first && json_int(record, "monitor_pid", 0) == getpid()))
		return;
	b->next = beat_first(record);
	beat_on_due(&b->due);
}

/* ---- what comes from outside ----------------------------------------------------------- */

/* Cancels typing under way: its text is from before the change. */
static void
beat_changed(struct beat *b, const json_t *record)
{
	job_free(take_ptr(b->typing));
	b->next = clock_boot() + beat_interval(record);
	beat_arm(b, record);
}

static int
beat_replace(struct beat *b, const json_t *members, struct err *err)
{
	AUTO_JSON *old = beat_load(b, NULL);
	AUTO_JSON *record = json_deep_copy(json_object_get(members, "record"));

	if (!json_is_object(record))
		return err_set(err, "a heartbeat is missing");
	if (b->r->leaving)
		return err_set(err, "the loop is just ending; try again in a moment");
	if (heartbeat_is_wanted(old) && !json_bool(members, "force", false))
		return err_set(err,
		    "heartbeat already active for '%s' (use --force to replace)",
		    b->r->spec->name);
	if (beat_save(b, record, "active", err) < 0)
		return -1;
	beat_changed(b, record);
	return 0;
}

static int
beat_set_status(struct beat *b, const char *status, struct err *err)
{
	AUTO_JSON *record = beat_load(b, err);

	if (record == NULL)
		return -1;
	if (strcmp(status, "active") != 0 && strcmp(status, "paused") != 0 &&
	    strcmp(status, "stopped") != 0)
		return err_set(err, "a heartbeat cannot be '%s'", status);
	if (!heartbeat_is_wanted(record))
		return err_set(err, "the heartbeat of '%s' is over", b->r->spec->name);
	if (beat_save(b, record, status, err) < 0)
		return -1;
	beat_changed(b, record);
	return 0;
}

json_t *
running_beat_request(struct running *r, enum control_request request, const json_t *members)
{
	struct beat *b = r->sup->beat;
	struct err err = ERR_INIT;
	int rc = heartbeat_oust(r->home, r->spec->name, &err);

	beat_adopt(b, false);
	if (rc == 0 && request == CONTROL_HEARTBEAT)
		rc = beat_replace(b, members, &err);
	else if (rc == 0)
		rc = beat_set_status(b, json_str(members, "status", ""), &err);
	return rc == 0 ? json_pack("{s:b}", "ok", 1)
		       : json_pack("{s:o}", "error", json_text(err.text, strlen(err.text)));
}

/* ---- its life -------------------------------------------------------------------------- */

void
running_beat_open(struct running *r)
{
	struct beat *b = r->sup->beat = xcalloc(1, sizeof(*b));

	b->r = r;
	b->due.ctx = b;
	if (r->spec->settings != NULL)
		heartbeat_drop(r->home, r->spec->name);
	else if (!r->spec->stop) /* a supervisor that came only to stop the loop ends the
				    heartbeat soon */
		beat_adopt(b, true);
}

void
running_beat_close(struct running *r)
{
	struct beat *b = r->sup->beat;

	if (b == NULL)
		return;
	ev_timer_stop(&b->due);
	job_free(b->typing);
	free(b);
	r->sup->beat = NULL;
	if (r->sup->gone ? running_home_stays(r) : r->state.phase == PHASE_FINISHED)
		heartbeat_drop(r->home, r->spec->name);
}
