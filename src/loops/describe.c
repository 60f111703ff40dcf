/*
 * describe.c - a loop in words and in JSON.
 */
#include "loops/describe.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "loop/ending.h"
#include "loop/friendly.h"
#include "loops/control.h"
#include "record/words.h"
#include "session/session.h"
#include <fcntl.h>

static void
describe_add_time(struct buf *out, const char *label, int64_t wall)
{
	if (wall == 0)
		return;
	buf_adds(out, label);
	clock_fmt_human(wall, out);
	buf_addc(out, '\n');
}

static void
add_session(const struct loop_view *v, const struct loop_session *one, struct buf *out)
{
	char name[FRIENDLY_MAX];

	if (one->state == SESSION_FREE || (one->pid == 0 && !v->settings.lands))
		return;
	if (!v->settings.lands) {
		/* The seed's block, which scripts of `swarm` read, has no such line. */
		if (strcmp(log_name(), "swarm") != 0)
			buf_addf(out, "Agent: pid %lld\n", (long long)one->pid);
		return;
	}
	friendly_name(v->state.uid, one->iteration, name);
	buf_addf(out, "Session: %s, ", name);
	text_show(out, one->task, strlen(one->task), false);
	if (one->attempt > 1)
		buf_addf(out, ", attempt %lld", (long long)one->attempt);
	if (one->state == SESSION_LANDING)
		buf_adds(out, ", landing\n");
	else
		buf_addf(out, ", pid %lld\n", (long long)one->pid);
}

/* The last words of a loop that came to its end, and its exit code. */
static void
describe_add_outcome(const struct loop_view *v, struct buf *out)
{
	const struct loop_state *s = &v->state;
	AUTO_FREE char *way_on = v->past
				     ? xstrdup("This is an earlier run, which cannot go on.")
				     : xasprintf("'ralph resume %s' goes on.", v->name);
	const struct ending e = {.state = s,
	    .reason = s->reason,
	    .iteration = s->iteration,
	    .text = s->text,
	    .way_on = way_on};
	char line[ENDING_MAX];

	if (loop_keeps_seed(s) || end_reason_asked(s->reason))
		return;
	/* An end that its kind has no words for is told as in its alert. */
	if (!ending_say(&e, ending_voice(&s->policy), line) && !ending_say(&e, SAY_ALERT, line))
		return;
	buf_adds(out, "Outcome: ");
	text_show(out, line, strlen(line), false);
	buf_addf(out, " (exit code %d)\n", end_reason_code(s->reason));
}

/* Adds the obstacle that somebody has to mend before the loop goes on. */
static void
add_unread(const struct loop_state *s, struct buf *out)
{
	if (s->unanswered == 0)
		return;
	buf_adds(out, "Cannot be read: since ");
	clock_fmt_human(s->unread.wall, out);
	buf_addf(out, ", %lld times in a row: ", (long long)s->unanswered);
	text_show(out, s->unread_why, strlen(s->unread_why), false);
	buf_addc(out, '\n');
}

/* Lines the seed does not have: only where there is something to say. */
static const char *
waits_for(const struct loop_state *s, const struct when *until)
{
	if (until->boot != s->hold.boot)
		return "delay";
	return s->hold_is_limit	    ? "a usage or rate limit"
	       : s->hold_is_backoff ? "backoff"
				    : "delay";
}

static void
add_more(const struct loop_view *v, struct buf *out)
{
	const struct loop_state *s = &v->state;
	struct when until;

	if (v->settings.lands)
		buf_addf(out, "%s: %lld completed, %lld failed\n",
		    v->settings.leads ? "Tasks" : "Tickets", (long long)s->completed,
		    (long long)s->failed);
	if (s->unlanded > 0)
		buf_addf(out, "Not committed and ticked yet: %lld\n", (long long)s->unlanded);
	if (s->policy.regime == REGIME_TRACKED) {
		buf_adds(out, "Tasks: ");
		words_tally(s, out);
		buf_addc(out, '\n');
	}
	if (s->phase == PHASE_FINISHED) {
		buf_addf(out, "Exit reason: %s\n", end_reason_name(s->reason));
		describe_add_outcome(v, out);
		if (s->text[0] != '\0') {
			buf_adds(out, "Message: ");
			text_show(out, s->text, strlen(s->text), false);
			buf_addc(out, '\n');
		}
		return;
	}
	add_unread(s, out);
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		add_session(v, &s->sessions[i], out);
	if (v->supervised && loop_waits(s, clock_boot(), &until)) {
		buf_addf(out, "Waiting: %s, ", waits_for(s, &until));
		clock_fmt_span(until.boot - clock_boot() + NSEC_PER_SEC - 1, false, out);
		buf_adds(out, " left\n");
	}
}

void
describe_block(const struct loop_view *v, struct buf *out)
{
	const struct loop_state *s = &v->state;
	AUTO_FREE char *holds = v->supervised ? control_holds(v->dir) : NULL;

	buf_addf(out, "Ralph Loop: %s\nStatus: ", v->name);
	loop_view_condition(v, out);
	if (holds != NULL) {
		buf_adds(out, " (");
		text_show(out, holds, strlen(holds), false);
		buf_addc(out, ')');
	}
	buf_addc(out, '\n');
	/* The seed's block, which scripts of `swarm` read, has no such line. */
	if (v->settings.cwd != NULL && strcmp(log_name(), "swarm") != 0) {
		buf_adds(out, "Directory: ");
		text_show(out, v->settings.cwd, strlen(v->settings.cwd), false);
		buf_addc(out, '\n');
	}
	buf_adds(out, "Iteration: ");
	words_iteration(s, s->iteration, out);
	buf_addc(out, '\n');
	describe_add_time(out, "Started: ", s->opened.wall);
	describe_add_time(out, "Current iteration started: ", s->iteration_started.wall);
	buf_addf(out, "Consecutive failures: %lld\nTotal failures: %lld\n",
	    (long long)s->failures, (long long)s->total_failures);
	if (v->settings.inactivity_timeout > 0)
		buf_addf(out, "Inactivity timeout: %llds\n",
		    (long long)((v->settings.inactivity_timeout + NSEC_PER_SEC - 1) /
				NSEC_PER_SEC));
	if (v->settings.done_pattern != NULL) {
		buf_adds(out, "Done pattern: ");
		text_show(
		    out, v->settings.done_pattern, strlen(v->settings.done_pattern), false);
		buf_addc(out, '\n');
	}
	add_more(v, out);
}

static json_t *
json_time(int64_t wall)
{
	AUTO_BUF text = BUF_INIT;

	if (wall == 0)
		return json_null();
	clock_fmt_rfc3339(wall, &text);
	return json_string(text.data);
}

static json_t *
json_count(int64_t n)
{
	return n == UNLIMITED ? json_null() : json_integer(n);
}

static json_t *
json_session(const struct loop_view *v, const struct loop_session *s)
{
	json_t *one = json_pack("{s:s, s:I, s:o, s:o}", "id", s->id, "iteration",
	    (json_int_t)s->iteration, "pid", s->pid == 0 ? json_null() : json_integer(s->pid),
	    "started", json_time(s->started.wall));
	char name[FRIENDLY_MAX];

	if (!v->settings.lands)
		return one;
	friendly_name(v->state.uid, s->iteration, name);
	(void)json_object_set_new(one, "name", json_string(name));
	(void)json_object_set_new(one, "ticket", json_text(s->task, strlen(s->task)));
	(void)json_object_set_new(one, "attempt", json_integer(s->attempt));
	(void)json_object_set_new(one, "landing", json_boolean(s->state == SESSION_LANDING));
	return one;
}

static json_t *
json_sessions(const struct loop_view *v)
{
	json_t *array = json_array();

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		const struct loop_session *s = &v->state.sessions[i];

		if (s->state != SESSION_FREE)
			(void)json_array_append_new(array, json_session(v, s));
	}
	return array;
}

json_t *
describe_json(const struct loop_view *v)
{
	const struct loop_state *s = &v->state;
	struct when until;
	bool waits = loop_waits(s, clock_boot(), &until);
	json_t *all = json_pack(
	    "{s:s, s:s, s:b, s:s, s:o, s:o, s:I, s:o, s:o, s:o, s:I, s:I, s:o, "
	    "s:f, s:o, s:s, s:o, s:o}",
	    "name", v->name, "status", loop_status(s), "supervised", v->supervised ? 1 : 0,
	    "source", v->settings.source == NULL ? "" : v->settings.source, "exit_reason",
	    s->phase == PHASE_FINISHED ? json_string(end_reason_name(s->reason)) : json_null(),
	    "message", s->text[0] == '\0' ? json_null() : json_text(s->text, strlen(s->text)),
	    "iteration", (json_int_t)s->iteration, "max_iterations",
	    json_count(s->policy.max_iterations), "started", json_time(s->opened.wall),
	    "iteration_started", json_time(s->iteration_started.wall), "consecutive_failures",
	    (json_int_t)s->failures, "total_failures", (json_int_t)s->total_failures,
	    "hold_until", json_time(waits ? until.wall : s->hold.wall), "inactivity_timeout",
	    (double)v->settings.inactivity_timeout / 1e9, "done_pattern",
	    json_or_null(v->settings.done_pattern), "cwd",
	    v->settings.cwd == NULL ? "" : v->settings.cwd, "command",
	    json_strlist(v->settings.command), "sessions", json_sessions(v));

	if (v->settings.lands || s->policy.regime == REGIME_TRACKED) {
		(void)json_object_set_new(all, "completed", json_integer(s->completed));
		(void)json_object_set_new(all, "failed", json_integer(s->failed));
	}
	if (s->unlanded > 0)
		(void)json_object_set_new(all, "unlanded", json_integer(s->unlanded));
	if (v->supervised) {
		AUTO_FREE char *holds = control_holds(v->dir);

		if (holds != NULL)
			(void)json_object_set_new(
			    all, "waiting", json_text(holds, strlen(holds)));
	}
	if (s->policy.regime == REGIME_TRACKED)
		(void)json_object_set_new(all, "unfinished", json_integer(s->unfinished));
	(void)json_object_set_new(all, "outcome",
	    s->phase == PHASE_FINISHED ? json_string(loop_word(s)) : json_null());
	(void)json_object_set_new(all, "exit_code",
	    s->phase == PHASE_FINISHED ? json_integer(end_reason_code(s->reason))
				       : json_null());
	if (s->unanswered > 0 && s->phase != PHASE_FINISHED)
		(void)json_object_set_new(
		    all, "cannot_read", json_text(s->unread_why, strlen(s->unread_why)));
	if (v->settings.judged) {
		(void)json_object_set_new(all, "failed_iterations", json_integer(s->spoilt));
		(void)json_object_set_new(all, "idle_iterations", json_integer(s->idled));
	}
	if (s->hold_is_limit && s->hold.boot > clock_boot())
		(void)json_object_set_new(all, "limited", json_true());
	return all;
}
