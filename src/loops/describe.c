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
#include "record/value.h"
#include "record/words.h"
#include "session/session.h"
#include <fcntl.h>
#include <inttypes.h>

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
			buf_addf(out, "Agent: pid %" PRId64 "\n", one->pid);
		return;
	}
	friendly_name(v->state.uid, one->iteration, name);
	text_addf(out, "Session: %s, %s", name, one->task);
	if (one->attempt > 1)
		buf_addf(out, ", attempt %" PRId64, one->attempt);
	if (one->state == SESSION_LANDING)
		buf_adds(out, ", landing\n");
	else
		buf_addf(out, ", pid %" PRId64 "\n", one->pid);
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
	text_addf(out, "Outcome: %s (exit code %d)\n", line, end_reason_code(s->reason));
}

/* Adds the obstacle that somebody has to mend before the loop goes on. */
static void
add_unread(const struct loop_state *s, struct buf *out)
{
	if (s->unanswered == 0)
		return;
	buf_adds(out, "Cannot be read: since ");
	clock_fmt_human(s->unread.wall, out);
	text_addf(out, ", %" PRId64 " times in a row: %s\n", s->unanswered, s->unread_why);
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
		buf_addf(out, "%s: %" PRId64 " completed, %" PRId64 " failed\n",
		    v->settings.leads ? "Tasks" : "Tickets", s->completed, s->failed);
	if (s->unlanded > 0)
		buf_addf(out, "Not committed and ticked yet: %" PRId64 "\n", s->unlanded);
	if (regime_marks(s->policy.regime).tracked) {
		buf_adds(out, "Tasks: ");
		words_tally(s, out);
		buf_addc(out, '\n');
	}
	if (s->phase == PHASE_FINISHED) {
		buf_addf(out, "Exit reason: %s\n", end_reason_name(s->reason));
		describe_add_outcome(v, out);
		if (s->text[0] != '\0')
			text_addf(out, "Message: %s\n", s->text);
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
	if (holds != NULL)
		text_addf(out, " (%s)", holds);
	buf_addc(out, '\n');
	/* The seed's block, which scripts of `swarm` read, has no such line. */
	if (v->settings.cwd != NULL && strcmp(log_name(), "swarm") != 0)
		text_addf(out, "Directory: %s\n", v->settings.cwd);
	buf_adds(out, "Iteration: ");
	words_iteration(s, s->iteration, out);
	buf_addc(out, '\n');
	describe_add_time(out, "Started: ", s->opened.wall);
	describe_add_time(out, "Current iteration started: ", s->iteration_started.wall);
	buf_addf(out, "Consecutive failures: %" PRId64 "\nTotal failures: %" PRId64 "\n",
	    s->failures, s->total_failures);
	if (v->settings.inactivity_timeout > 0)
		buf_addf(out, "Inactivity timeout: %" PRId64 "s\n",
		    (v->settings.inactivity_timeout + NSEC_PER_SEC - 1) / NSEC_PER_SEC);
	if (v->settings.done_pattern != NULL)
		text_addf(out, "Done pattern: %s\n", v->settings.done_pattern);
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
	json_t *one = json_object();
	char name[FRIENDLY_MAX];

	value_set(one, "id", json_string(s->id));
	value_set(one, "iteration", json_integer(s->iteration));
	value_set(one, "pid", s->pid == 0 ? json_null() : json_integer(s->pid));
	value_set(one, "started", json_time(s->started.wall));
	if (!v->settings.lands)
		return one;
	friendly_name(v->state.uid, s->iteration, name);
	json_put(one, "name", name);
	json_put(one, "ticket", s->task);
	value_set(one, "attempt", json_integer(s->attempt));
	value_set(one, "landing", json_boolean(s->state == SESSION_LANDING));
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

/* NULL, which sets no member, where nobody asks for the number. */
static json_t *
number_if(bool wanted, int64_t n)
{
	return wanted ? json_integer(n) : NULL;
}

json_t *
describe_json(const struct loop_view *v)
{
	const struct settings *set = &v->settings;
	const struct loop_state *s = &v->state;
	AUTO_FREE char *holds = v->supervised ? control_holds(v->dir) : NULL;
	bool tracked = regime_marks(s->policy.regime).tracked;
	bool over = s->phase == PHASE_FINISHED;
	struct when until;
	bool waits = loop_waits(s, clock_boot(), &until);
	json_t *all = json_object();

	json_put(all, "name", v->name);
	json_put(all, "status", loop_status(s));
	value_set(all, "supervised", json_boolean(v->supervised));
	json_put(all, "source", set->source == NULL ? "" : set->source);
	value_set(all, "exit_reason", json_or_null(over ? end_reason_name(s->reason) : NULL));
	value_set(all, "message", json_or_null(s->text[0] == '\0' ? NULL : s->text));
	value_set(all, "iteration", json_integer(s->iteration));
	value_set(all, "max_iterations", json_count(s->policy.max_iterations));
	value_set(all, "started", json_time(s->opened.wall));
	value_set(all, "iteration_started", json_time(s->iteration_started.wall));
	value_set(all, "consecutive_failures", json_integer(s->failures));
	value_set(all, "total_failures", json_integer(s->total_failures));
	value_set(all, "hold_until", json_time(waits ? until.wall : s->hold.wall));
	value_set(all, "inactivity_timeout", json_real((double)set->inactivity_timeout / 1e9));
	value_set(all, "done_pattern", json_or_null(set->done_pattern));
	json_put(all, "cwd", set->cwd == NULL ? "" : set->cwd);
	value_set(all, "command", json_strlist(set->command));
	value_set(all, "sessions", json_sessions(v));
	value_set(all, "completed", number_if(set->lands || tracked, s->completed));
	value_set(all, "failed", number_if(set->lands || tracked, s->failed));
	value_set(all, "unlanded", number_if(s->unlanded > 0, s->unlanded));
	json_put(all, "waiting", holds);
	value_set(all, "unfinished", number_if(tracked, s->unfinished));
	value_set(all, "outcome", json_or_null(over ? loop_word(s) : NULL));
	value_set(
	    all, "exit_code", over ? json_integer(end_reason_code(s->reason)) : json_null());
	json_put(all, "cannot_read", s->unanswered > 0 && !over ? s->unread_why : NULL);
	value_set(all, "failed_iterations", number_if(set->judged, s->spoilt));
	value_set(all, "idle_iterations", number_if(set->judged, s->idled));
	if (s->hold_is_limit && s->hold.boot > clock_boot())
		value_set(all, "limited", json_true());
	return all;
}
