/*
 * progress.c - progress.md: how the run stands, what became of its tickets.
 *
 * Two sections are kept up to date in place, line by line; what became of a ticket is added
 * once.  Everything else in the file is somebody else's and stays.
 */
#include "work/tickets/views/tickets_view.h"

#include "base/clock.h"
#include "loop/ending.h"
#include "work/tickets/views/run_view.h"
#include <inttypes.h>

#define STATE_HEADING "## Current State"
#define STATISTICS_HEADING "## Statistics"
#define MARKER "<!-- Auto-appended entries below -->"
#define BEFORE "<!-- before run "
#define UNLANDED_KEY "Not on the branch yet"
#define LATEST 5
#define LINE_MAX_BYTES ((size_t)300)

void
tickets_progress_template(enum progress_form form, struct buf *out)
{
	buf_adds(out, "# Ralph Loop Progress\n"
		      "\n" STATE_HEADING "\n"
		      "\n"
		      "- Status: IDLE\n"
		      "- Current ticket: (none)\n"
		      "- Started: (not started)\n"
		      "- Last updated: (never)\n"
		      "\n" STATISTICS_HEADING "\n");
	if (form == PROGRESS_LIST)
		buf_adds(out, "\n"
			      "- Tickets completed: 0\n"
			      "- Tickets failed: 0\n"
			      "- Total iterations: 0\n");
	else
		buf_adds(out, "- Iterations: 0\n"
			      "- Completed: 0\n"
			      "- Failed: 0\n"
			      "- Last updated: (never)\n");
	buf_adds(out, "\n"
		      "## History\n"
		      "\n" MARKER "\n");
}

/* ---- lines and sections -------------------------------------------------------------- */

struct progress_span {
	size_t start, end;
};

static void
splice(struct buf *doc, struct progress_span at, const char *text)
{
	AUTO_BUF rest = BUF_INIT;

	buf_add(&rest, doc->data + at.end, doc->len - at.end);
	buf_truncate(doc, at.start);
	buf_adds(doc, text);
	buf_add(doc, rest.data, rest.len);
}

/* Returns the place behind the line that begins at `at`. */
static size_t
progress_next_line(const struct buf *doc, size_t at)
{
	const char *newline = memchr(doc->data + at, '\n', doc->len - at);

	return newline == NULL ? doc->len : (size_t)(newline - doc->data) + 1;
}

static bool
progress_begins(const struct buf *doc, size_t at, const char *text)
{
	size_t len = strlen(text);

	return doc->len - at >= len && memcmp(doc->data + at, text, len) == 0;
}

/* Is the whole line this text, but for blanks behind it? */
static bool
progress_is_line(const struct buf *doc, size_t at, const char *text)
{
	size_t end = progress_next_line(doc, at);

	if (!progress_begins(doc, at, text))
		return false;
	for (at += strlen(text); at < end; at++)
		if (strchr(" \t\r\n", doc->data[at]) == NULL)
			return false;
	return true;
}

static bool
ends_section(const struct buf *doc, size_t at)
{
	return progress_begins(doc, at, "# ") || progress_begins(doc, at, "## ") ||
	       progress_begins(doc, at, "### ") || progress_begins(doc, at, "---") ||
	       progress_begins(doc, at, MARKER);
}

/* Finds the text below the heading. */
static bool
section_find(const struct buf *doc, const char *heading, struct progress_span *out)
{
	size_t at = 0;

	while (at < doc->len && !progress_is_line(doc, at, heading))
		at = progress_next_line(doc, at);
	if (at >= doc->len)
		return false;
	out->start = out->end = progress_next_line(doc, at);
	while (out->end < doc->len && !ends_section(doc, out->end))
		out->end = progress_next_line(doc, out->end);
	return true;
}

void
tickets_progress_section(const struct buf *text, const char *heading, struct buf *out)
{
	AUTO_BUF line = BUF_INIT;
	struct progress_span s;

	buf_addf(&line, "## %s", heading);
	if (!section_find(text, line.data, &s))
		return;
	while (s.end > s.start && strchr(" \t\r\n", text->data[s.end - 1]) != NULL)
		s.end--;
	while (s.start < s.end && strchr(" \t\r\n", text->data[s.start]) != NULL)
		s.start++;
	buf_add(out, text->data + s.start, s.end - s.start);
	if (s.end > s.start)
		buf_addc(out, '\n');
}

/* Makes the section where there is none: behind `after`, or below the title. */
static void
section_ensure(struct buf *doc, const char *heading, const char *after)
{
	struct progress_span s = {0, 0};
	AUTO_BUF text = BUF_INIT;

	if (section_find(doc, heading, &s))
		return;
	if (after != NULL && section_find(doc, after, &s)) {
		s.start = s.end;
	} else {
		if (!progress_begins(doc, 0, "# "))
			splice(doc, (struct progress_span){0, 0}, "# Ralph Loop Progress\n\n");
		s.start = s.end = progress_next_line(doc, 0);
	}
	buf_addf(&text, "%s\n%s\n", heading, after == NULL ? "\n" : "");
	splice(doc, s, text.data);
	/* A blank line before it, unless there is one. */
	if (s.start >= 2 && memcmp(doc->data + s.start - 2, "\n\n", 2) != 0)
		splice(doc, (struct progress_span){s.start, s.start}, "\n");
}

/* Finds the line "- key: ..." of a section; false, and the place where it would go, when there
 * is none. */
static bool
field_find(
    const struct buf *doc, const char *heading, const char *prefix, struct progress_span *out)
{
	struct progress_span s;
	size_t at;

	if (!section_find(doc, heading, &s))
		return false;
	out->start = out->end = progress_begins(doc, s.start, "\n") ? s.start + 1 : s.start;
	for (at = s.start; at < s.end; at = progress_next_line(doc, at)) {
		if (progress_begins(doc, at, prefix)) {
			*out = (struct progress_span){at, progress_next_line(doc, at)};
			return true;
		}
		if (progress_begins(doc, at, "- ") || progress_begins(doc, at, "<!--"))
			out->start = out->end = progress_next_line(doc, at);
	}
	return false;
}

static void
field_set(struct buf *doc, const char *heading, const char *key, const char *value)
{
	AUTO_BUF prefix = BUF_INIT;
	AUTO_BUF line = BUF_INIT;
	struct progress_span at = {0, 0};

	buf_addf(&prefix, "- %s:", key);
	(void)field_find(doc, heading, prefix.data, &at);
	buf_addf(&line, "- %s: %s\n", key, value);
	splice(doc, at, line.data);
}

static void
field_set_number(struct buf *doc, const char *heading, const char *key, int64_t n)
{
	char text[24];

	(void)snprintf(text, sizeof(text), "%" PRId64, n);
	field_set(doc, heading, key, text);
}

static int64_t
field_number(const struct buf *doc, const char *heading, const char *key)
{
	AUTO_BUF prefix = BUF_INIT;
	struct progress_span at = {0, 0};

	buf_addf(&prefix, "- %s:", key);
	return field_find(doc, heading, prefix.data, &at)
		   ? strtoll(doc->data + at.start + prefix.len, NULL, 10)
		   : 0;
}

/* ---- how it stands ------------------------------------------------------------------- */

static int64_t
started_count(const struct loop_state *state)
{
	return state->iteration - state->returned;
}

static const char *
progress_status_word(const struct run_view *v)
{
	if (!v->finished)
		return "RUNNING";
	return end_reason_promised(v->reason, v->settings->promise_always) ? "COMPLETE"
									   : "INCOMPLETE";
}

/* Adds why the run ended: the name in the record, then words.  Adds nothing when all is
 * done. */
static void
reason_add(const struct run_view *v, const struct loop_state *state, struct buf *out)
{
	const struct ending e = {.state = state,
	    .reason = v->reason,
	    .iteration = state->iteration,
	    .text = v->text};
	char words[ENDING_MAX];
	AUTO_BUF text = BUF_INIT;

	if (!v->finished || v->reason == END_NO_WORK)
		return;
	buf_adds(&text, end_reason_name(v->reason));
	if (ending_say(&e, SAY_TICKETS, words) || ending_say(&e, SAY_ALERT, words))
		buf_addf(&text, ". %s", words);
	if (v->text[0] != '\0' && strstr(text.data, v->text) == NULL)
		buf_addf(&text, " %s", v->text);
	view_line(text.data, LINE_MAX_BYTES, out);
}

static void
add_item(struct buf *out, const char *text)
{
	if (out->len > 0)
		buf_adds(out, ", ");
	view_line(text, LINE_MAX_BYTES, out);
}

static const char *
or_none(const struct buf *text)
{
	return text->len == 0 ? "(none)" : text->data;
}

static const char *
outcome_word(const struct view_session *s)
{
	return s->status == VIEW_COMPLETED ? "COMPLETE" : "FAILED";
}

static bool
has_outcome(const struct view_session *s)
{
	return s->status == VIEW_COMPLETED || s->status == VIEW_FAILED;
}

/* Adds the outcomes, the newest first. */
static void
latest_outcomes(const struct run_view *v, struct buf *out)
{
	int64_t before = INT64_MAX;

	for (int n = 0; n < LATEST; n++) {
		const struct view_session *next = NULL;

		for (size_t i = 0; i < v->nsessions; i++) {
			const struct view_session *s = &v->sessions[i];

			if (has_outcome(s) && s->ended < before &&
			    (next == NULL || s->ended > next->ended))
				next = s;
		}
		if (next == NULL)
			return;
		add_item(out, next->ticket);
		buf_addf(out, " %s", outcome_word(next));
		before = next->ended;
	}
}

/* Sets a line that is mostly absent; without a value the line is removed. */
static void
field_set_or_drop(struct buf *doc, const char *heading, const char *key, const char *value)
{
	AUTO_BUF prefix = BUF_INIT;
	struct progress_span at;

	buf_addf(&prefix, "- %s:", key);
	if (value[0] != '\0')
		field_set(doc, heading, key, value);
	else if (field_find(doc, heading, prefix.data, &at))
		splice(doc, at, "");
}

static void
progress_state_render(const struct run_view *v, const struct loop_state *state, struct buf *doc)
{
	AUTO_BUF tickets = BUF_INIT;
	AUTO_BUF sessions = BUF_INIT;
	AUTO_BUF latest = BUF_INIT;
	AUTO_BUF active = BUF_INIT;
	AUTO_BUF opened = BUF_INIT;
	AUTO_BUF updated = BUF_INIT;
	AUTO_BUF reason = BUF_INIT;
	AUTO_BUF unlanded = BUF_INIT;

	for (size_t i = 0; i < v->nsessions; i++)
		if (v->sessions[i].status == VIEW_ACTIVE) {
			add_item(&tickets, v->sessions[i].ticket);
			add_item(&sessions, v->sessions[i].friendly);
		}
	buf_addf(&active, "%zu", view_active(v));
	if (sessions.len > 0)
		buf_addf(&active, " (%s)", sessions.data);
	latest_outcomes(v, &latest);
	view_time(v->opened, &opened);
	view_time(v->updated, &updated);
	field_set(doc, STATE_HEADING, "Status", progress_status_word(v));
	field_set(doc, STATE_HEADING, "Current ticket", or_none(&tickets));
	field_set(doc, STATE_HEADING, "Started", opened.data);
	field_set(doc, STATE_HEADING, "Last updated", updated.data);
	field_set_number(doc, STATE_HEADING, "Tickets started",
	    started_count(state) + v->settings->run_before);
	field_set(doc, STATE_HEADING, "Active sessions", active.data);
	field_set(doc, STATE_HEADING, "Latest outcomes", or_none(&latest));
	reason_add(v, state, &reason);
	field_set_or_drop(doc, STATE_HEADING, "Reason", reason.data);
	if (v->finished)
		view_line(v->unlanded, LINE_MAX_BYTES, &unlanded);
	field_set_or_drop(doc, STATE_HEADING, UNLANDED_KEY, unlanded.data);
}

static void
statistics_render(const struct run_view *v, const struct loop_state *state, struct buf *doc)
{
	AUTO_BUF updated = BUF_INIT;

	view_time(v->updated, &updated);
	field_set_number(doc, STATISTICS_HEADING, "Iterations", started_count(state));
	field_set_number(doc, STATISTICS_HEADING, "Completed", (int64_t)view_count(v, false));
	field_set_number(doc, STATISTICS_HEADING, "Failed", (int64_t)view_count(v, true));
	field_set(doc, STATISTICS_HEADING, "Last updated", updated.data);
}

/* The older form counts all runs there ever were.  A comment keeps the counts from before this
 * run, so that this run can be counted again and again. */
static void
statistics_render_list(
    const struct run_view *v, const struct loop_state *state, struct buf *doc)
{
	static const char *const keys[] = {
	    "Tickets completed", "Tickets failed", "Total iterations"};
	const int64_t now[] = {
	    (int64_t)view_count(v, false), (int64_t)view_count(v, true), started_count(state)};
	int64_t base[ARRAY_LEN(keys)];
	AUTO_BUF mark = BUF_INIT;
	AUTO_BUF line = BUF_INIT;
	struct progress_span at = {0, 0};
	char *p;

	buf_addf(&mark, BEFORE "%s:", v->uid);
	if (field_find(doc, STATISTICS_HEADING, mark.data, &at)) {
		p = doc->data + at.start + mark.len;
		for (size_t i = 0; i < ARRAY_LEN(keys); i++)
			base[i] = strtoll(p, &p, 10);
	} else {
		for (size_t i = 0; i < ARRAY_LEN(keys); i++)
			base[i] = field_number(doc, STATISTICS_HEADING, keys[i]);
		(void)field_find(doc, STATISTICS_HEADING, BEFORE, &at);
		buf_addf(&line, "%s %" PRId64 " %" PRId64 " %" PRId64 " -->\n", mark.data,
		    base[0], base[1], base[2]);
		splice(doc, at, line.data);
	}
	for (size_t i = 0; i < ARRAY_LEN(keys); i++)
		field_set_number(doc, STATISTICS_HEADING, keys[i],
		    base[i] >= 0 && base[i] < INT32_MAX ? base[i] + now[i] : now[i]);
}

/* ---- what became of the tickets ------------------------------------------------------ */

static void
summary_add(const struct view_session *s, struct buf *out)
{
	if (s->status == VIEW_FAILED)
		view_reason(s, out);
	else if (s->summary != NULL && s->summary[strspn(s->summary, " \t\r\n")] != '\0')
		view_line(s->summary, LINE_MAX_BYTES, out);
	else if (s->title[0] != '\0')
		view_line(s->title, LINE_MAX_BYTES, out);
	else
		buf_adds(out, "(none)");
}

/* Says why a completed ticket has not landed yet: readers of the branch do not see its work
 * there. */
static void
waiting_add(const struct view_session *s, const char *before, struct buf *out)
{
	if (s->status != VIEW_COMPLETED || s->fate != FATE_WAITING)
		return;
	buf_addf(out, "%s- " UNLANDED_KEY ": ", before);
	view_line(s->text, LINE_MAX_BYTES, out);
	buf_adds(out, *before == '\n' ? "" : "\n");
}

/* Does the document have the text at the beginning of a line? */
static bool
contains(const struct buf *doc, const char *text)
{
	const char *p = doc->data;

	while ((p = strstr(p, text)) != NULL) {
		if (p == doc->data || p[-1] == '\n')
			return true;
		p++;
	}
	return false;
}

static void
progress_append(struct buf *doc, const char *text)
{
	buf_addf(doc, "\n%s", text);
}

/* Adds the block of a session, unless it is there: the lines up to "Session" come from facts,
 * so a document that has these lines has the block. */
static void
block_render(const struct view_session *s, struct buf *doc)
{
	AUTO_BUF text = BUF_INIT;

	buf_adds(&text, "### ");
	view_line(s->ticket, LINE_MAX_BYTES, &text);
	buf_addf(&text, ": %s\n- Started: ", outcome_word(s));
	view_time(s->started, &text);
	buf_adds(&text, "\n- Completed: ");
	view_time(s->ended, &text);
	buf_adds(&text, "\n- Duration: ");
	clock_fmt_span(s->duration, false, &text);
	buf_addf(&text, "\n- Session: %s\n", s->friendly);
	if (contains(doc, text.data))
		return;
	buf_adds(&text, "- Summary: ");
	summary_add(s, &text);
	waiting_add(s, "\n", &text);
	view_field("\n- Did not land: the status of ", s->others, LINE_MAX_BYTES, "", &text);
	view_field("\n- Left: ", s->left, LINE_MAX_BYTES, "", &text);
	buf_adds(&text, "\n\n---\n");
	progress_append(doc, text.data);
}

/* Adds the entry of a session below the marker, where the newest is first. */
static void
entry_render(const struct view_session *s, struct buf *doc)
{
	AUTO_BUF text = BUF_INIT;
	size_t at = 0;

	buf_adds(&text, "- ");
	view_line(s->ticket, LINE_MAX_BYTES, &text);
	buf_addf(&text, ": %s (", outcome_word(s));
	view_time(s->ended, &text);
	buf_addf(&text, ")\n  - Session: %s\n", s->friendly);
	if (contains(doc, text.data))
		return;
	buf_adds(&text, "  - Summary: ");
	summary_add(s, &text);
	buf_addf(&text,
	    "\n  - Attempt: %" PRId64 ", Retry Count: %" PRId64 "\n  - Status: %s\n",
	    s->attempt, s->attempt > 0 ? s->attempt - 1 : 0, outcome_word(s));
	waiting_add(s, "  ", &text);
	while (at < doc->len && !progress_is_line(doc, at, MARKER))
		at = progress_next_line(doc, at);
	if (at >= doc->len) {
		progress_append(doc, text.data);
		return;
	}
	at = progress_next_line(doc, at);
	splice(doc, (struct progress_span){at, at}, text.data);
}

static void
tickets_list(const struct run_view *v, struct buf *out)
{
	for (int failed = 0; failed < 2; failed++)
		for (size_t i = 0; i < v->noutcomes; i++)
			if (v->outcomes[i].failed == (failed == 1)) {
				add_item(out, v->outcomes[i].ticket);
				buf_adds(out, failed ? " (failed)" : " (completed)");
			}
}

static void
ending_render(const struct run_view *v, const struct loop_state *state, struct buf *doc)
{
	const char *status = progress_status_word(v);
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF tickets = BUF_INIT;
	AUTO_BUF reason = BUF_INIT;

	buf_addf(&text, "## Loop %s\n\n- Status: %s\n- Ended: ",
	    strcmp(status, "COMPLETE") == 0 ? "Complete" : "Ended", status);
	view_time(v->ended, &text);
	buf_addc(&text, '\n');
	if (contains(doc, text.data))
		return;
	tickets_list(v, &tickets);
	buf_addf(&text,
	    "- Total iterations: %" PRId64 "\n- Completed: %zu\n- Failed: %zu\n- Tickets: %s\n",
	    started_count(state), view_count(v, false), view_count(v, true), or_none(&tickets));
	reason_add(v, state, &reason);
	if (reason.len > 0)
		buf_addf(&text, "- Reason: %s\n", reason.data);
	view_field("- Closed by others: ", v->others, LINE_MAX_BYTES, "\n", &text);
	view_field("- " UNLANDED_KEY ": ", v->unlanded, LINE_MAX_BYTES, "\n", &text);
	buf_adds(&text, "\n---\n");
	progress_append(doc, text.data);
}

void
progress_render(const struct run_view *v, const struct loop_state *state, const struct buf *old,
    struct buf *out)
{
	bool list = v->settings->progress == PROGRESS_LIST;

	if (strspn(old->data, " \t\r\n") == old->len)
		tickets_progress_template((enum progress_form)v->settings->progress, out);
	else
		buf_add(out, old->data, old->len);
	/* Ends the last line, so that appended text begins a line of its own. */
	if (out->data[out->len - 1] != '\n')
		buf_addc(out, '\n');
	section_ensure(out, STATE_HEADING, NULL);
	section_ensure(out, STATISTICS_HEADING, STATE_HEADING);
	progress_state_render(v, state, out);
	(list ? statistics_render_list : statistics_render)(v, state, out);
	for (size_t i = 0; i < v->nsessions; i++)
		if (has_outcome(&v->sessions[i]) && !v->sessions[i].told)
			(list ? entry_render : block_render)(&v->sessions[i], out);
	if (v->finished)
		ending_render(v, state, out);
}
