/*
 * tickets.c - what the supervisor of a loop over tickets does besides: its views, its words,
 * what it remembers between a ticket's attempts.
 */
#include "cmd/running.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/log.h"
#include "base/text.h"
#include "cmd/errand.h"
#include "cmd/lander.h"
#include "cmd/loop/project.h"
#include "loop/friendly.h"
#include "source/ticket.h"
#include <fcntl.h>
#include <inttypes.h>

#define LESSON_MAX ((size_t)64 * 1024)

/* Why a task's last attempt failed. */
struct remembered {
	struct remembered *next;
	char task[TASK_ID_MAX];
	char text[TEXT_MAX];
};

/* ---- memory ---------------------------------------------------------------------- */

const char *
running_last_failure(const struct running *r, const char *task)
{
	for (const struct remembered *m = r->failures; m != NULL; m = m->next)
		if (strcmp(m->task, task) == 0)
			return m->text;
	return NULL;
}

static void
remember(struct running *r, const struct fact *f)
{
	struct remembered *m = xcalloc(1, sizeof(*m));

	(void)snprintf(m->task, sizeof(m->task), "%s", f->task);
	(void)snprintf(m->text, sizeof(m->text), "%s (exit %d)%s%.*s", verdict_name(f->verdict),
	    exit_number(f->exit), f->text[0] == '\0' ? "" : ": ", TEXT_MAX - 48, f->text);
	/* The newest comes first, and is the one that is found. */
	m->next = r->failures;
	r->failures = m;
}

/* Of facts that are on disk, in this life or an earlier one. */
static void
take_note(struct running *r, const struct fact *f)
{
	if (f->kind != FACT_LANDED && f->kind != FACT_SETTLED)
		return;
	if (f->verdict == VERDICT_DONE && r->source != NULL)
		r->source->ops->settle(r->source, f->task);
	else if (f->kind == FACT_LANDED && f->verdict != VERDICT_STOPPED)
		remember(r, f);
}

static void
on_old_fact(void *ctx, const struct fact *f)
{
	struct running *r = ctx;

	layout_tickets_fact(r->tickets, f, &r->state);
	take_note(r, f);
}

/* ---- life ------------------------------------------------------------------------ */

static void
on_news(void *ctx)
{
	running_input(ctx, &(struct loop_input){.kind = IN_NEWS});
}

static void
say_start(struct running *r)
{
	AUTO_BUF line = BUF_INIT;

	buf_addf(&line,
	    "Starting Ralph loop with parallel=%" PRId64 ", max=", r->state.policy.parallel);
	if (r->state.policy.max_iterations == UNLIMITED)
		buf_adds(&line, "unlimited");
	else
		buf_addf(&line, "%" PRId64, r->state.policy.max_iterations);
	console_say(&r->console, line.data);
}

int
running_tickets_claim(
    struct running *r, const struct settings *s, const char *uid, struct err *err)
{
	AUTO_BUF notes = BUF_INIT;

	if (!s->lands || r->project >= 0)
		return 0;
	r->project = project_lock(s->root, uid == NULL ? "" : uid, &notes, err);
	warning_lines(notes.data);
	return r->project < 0 ? -1 : 0;
}

int
running_tickets_open(struct running *r, struct err *err)
{
	if (!r->settings.lands)
		return 0;
	if (running_tickets_claim(r, &r->settings, r->state.uid, err) < 0)
		return -1;
	r->tickets = layout_tickets_open(r->spec->name, &r->settings, err);
	if (r->tickets == NULL || journal_each(r->dir, on_old_fact, r, err) < 0)
		return -1;
	if (r->source != NULL)
		r->source->ops->listen(r->source, on_news, r);
	return 0;
}

void
running_tickets_begin(struct running *r)
{
	if (!r->settings.lands)
		return;
	say_start(r);
	if (!r->spec->stop)
		lander_publish(r);
}

void
running_tickets_close(struct running *r)
{
	while (r->failures != NULL) {
		struct remembered *m = r->failures;

		r->failures = m->next;
		free(m);
	}
	layout_tickets_free(r->tickets);
	if (r->project >= 0)
		project_unlock(&r->project);
	buf_release(&r->idle_said);
	buf_release(&r->look);
	buf_release(&r->waiting_why);
}

/* ---- what the agent left --------------------------------------------------------- */

bool
running_tickets_closed(struct running *r, const char *session)
{
	const struct loop_session *one = loop_find_session(&r->state, session);
	AUTO_FREE char *place = NULL;

	if (!r->settings.lands || one == NULL || r->source == NULL)
		return false;
	place = running_place(r, session, one->task);
	return r->source->ops->closed(r->source, one->task, place);
}

/* The text behind "Summary:" at a line's beginning; NULL. */
static char *
summary_in(const char *text)
{
	static const char key[] = "Summary:";

	for (const char *line = text; line != NULL && *line != '\0';) {
		size_t len = strcspn(line, "\n");

		if (strncmp(line, key, sizeof(key) - 1) == 0) {
			const char *from = line + sizeof(key) - 1;
			size_t skip = strspn(from, " \t");

			from += skip;
			return xstrndup(from, len - (size_t)(from - line));
		}
		line += len + (line[len] == '\n');
	}
	return NULL;
}

static bool
is_heading(const char *line)
{
	return strncmp(line, "## ", 3) == 0 || strncmp(line, "### ", 4) == 0;
}

/* What stands below "## Lessons Learned", up to the next heading; NULL. */
static char *
lesson_in(const char *text)
{
	AUTO_BUF out = BUF_INIT;
	bool inside = false;

	for (const char *line = text; line != NULL && *line != '\0';) {
		size_t len = strcspn(line, "\n");

		if (is_heading(line))
			inside = strstr(line, "Lessons Learned") != NULL &&
				 strstr(line, "Lessons Learned") < line + len;
		else if (inside)
			buf_add(&out, line, len + (line[len] == '\n'));
		line += len + (line[len] == '\n');
	}
	return out.len == 0 ? NULL : buf_detach(&out);
}

static char *
read_text(const char *path)
{
	AUTO_BUF text = BUF_INIT;

	if (fs_read(AT_FDCWD, path, LESSON_MAX, &text, NULL) < 0 || text.len == 0)
		return NULL;
	return buf_detach(&text);
}

/* What agents write where the original looks for it: KNOWLEDGE/tickets/ID/close-summary.md. */
static char *
close_summary(const struct running *r, const char *place, const char *task)
{
	const char *below =
	    r->settings.knowledge == NULL ? ".tf/knowledge" : r->settings.knowledge;
	const char *prefix = errand_prefix(&r->settings);
	AUTO_FREE char *path = NULL;

	if (!ticket_id_is_safe(task))
		return NULL;
	path = xasprintf("%s/%s%s%s/tickets/%s/close-summary.md",
	    place == NULL ? r->settings.root : place, place == NULL ? "" : prefix,
	    place == NULL || *prefix == '\0' ? "" : "/", below, task);
	return read_text(path);
}

void
running_tickets_collect(struct running *r, const struct effect *e)
{
	AUTO_FREE char *place = running_place(r, e->session, e->task);
	AUTO_FREE char *told = close_summary(r, place, e->task);
	AUTO_FREE char *summary = summary_in(told);
	AUTO_FREE char *own_file = xasprintf("%s/lesson.md", e->session);
	AUTO_FREE char *lesson = NULL;
	AUTO_BUF own = BUF_INIT;

	if (fs_read(r->sessions_dir, own_file, LESSON_MAX, &own, NULL) == 0 && own.len > 0)
		lesson = buf_detach(&own);
	else
		lesson = lesson_in(told);
	layout_tickets_note(r->tickets, e->session, summary, lesson);
}

/* ---- words ----------------------------------------------------------------------- */

/* Not completed and not failed for good in this run. */
static bool
is_open(const struct loop_state *s, const char *id)
{
	const struct loop_task *task = loop_find_task(s, id);

	return task == NULL || (!task->completed && !task->failed);
}

void
running_tickets_answer(struct running *r, const struct answer *a)
{
	AUTO_BUF notes = BUF_INIT;
	size_t ready = 0;

	if (!r->settings.lands)
		return;
	r->source->ops->notes(r->source, &notes);
	warning_lines(notes.data);
	if (a->kind != ANSWER_TASKS)
		return;
	for (size_t i = 0; i < a->ncandidates; i++)
		ready += is_open(&r->state, a->candidates[i].id);
	buf_clear(&r->look);
	if (ready == 0)
		buf_adds(&r->look, "Checking backlog... empty");
	else
		buf_addf(&r->look, "Checking backlog... %zu ticket%s ready", ready,
		    ready == 1 ? "" : "s");
}

/* A look that changes nothing is not worth a word. */
void
running_tickets_looked(struct running *r, const struct decision *d)
{
	AUTO_BUF text = BUF_INIT;
	bool matters = false;

	for (size_t i = 0; i < d->nfacts; i++)
		matters |=
		    d->facts[i].kind == FACT_STARTED || d->facts[i].kind == FACT_FINISHED;
	if (!matters || r->look.len == 0)
		return;
	buf_addf(&text, "\n[Iteration %" PRId64 "]\n%s", ++r->turns, r->look.data);
	console_say(&r->console, text.data);
	buf_clear(&r->look);
}

/* The active session that was started first after iteration `after`; NULL. */
static const struct loop_session *
next_active(const struct loop_state *s, int64_t after)
{
	const struct loop_session *found = NULL;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		const struct loop_session *one = &s->sessions[i];

		if (one->state != SESSION_FREE && one->state != SESSION_LANDING &&
		    one->iteration > after &&
		    (found == NULL || one->iteration < found->iteration))
			found = one;
	}
	return found;
}

static void
say_active(struct running *r)
{
	AUTO_BUF line = BUF_INIT;
	AUTO_BUF names = BUF_INIT;
	size_t n = 0;

	for (const struct loop_session *one = next_active(&r->state, 0); one != NULL;
	     one = next_active(&r->state, one->iteration)) {
		char name[FRIENDLY_MAX];

		friendly_name(r->state.uid, one->iteration, name);
		buf_addf(&names, "%s%s", n++ == 0 ? "" : ", ", name);
	}
	buf_addf(&line, "Active sessions: %zu (%s)", n, n == 0 ? "" : names.data);
	console_say(&r->console, line.data);
}

/* Once for every reason, not at every look. */
static void
say_idle(struct running *r, const struct idle_slot *idle)
{
	const struct loop_session *one = loop_find_session(&r->state, idle->session);
	AUTO_BUF line = BUF_INIT;
	char name[FRIENDLY_MAX] = "";

	if (idle->task[0] == '\0' || one == NULL)
		return;
	friendly_name(r->state.uid, one->iteration, name);
	buf_addf(&line, "A slot stays idle: %s waits for %s", idle->task, name);
	if (idle->component[0] != '\0')
		buf_addf(&line, ", which works on %s too", idle->component);
	else
		buf_adds(&line, ": what has no component runs alone");
	if (r->idle_said.len == line.len && memcmp(r->idle_said.data, line.data, line.len) == 0)
		return;
	console_say(&r->console, line.data);
	buf_clear(&r->idle_said);
	buf_add(&r->idle_said, line.data, line.len);
}

static const char *
reason_sentence(enum end_reason reason)
{
	switch (reason) {
	case END_NO_WORK:
		return "All tickets are done.";
	case END_MAX_TICKETS:
		return "As many tickets as allowed were started; there are more.";
	case END_SOME_FAILED:
		return "Some tickets failed; what they left is kept.";
	case END_BLOCKED:
		return "Only tickets are left that wait for something that does not come:";
	case END_MAX_RUNTIME:
		return "The time for the whole run was used.";
	case END_INTERRUPTED:
	case END_TERMINATED:
	case END_STOPPED:
	case END_KILLED:
		return "Stopped before the end; 'ralph loop' goes on.";
	case END_NONE:
	case END_DONE_PATTERN:
	case END_MAX_ITERATIONS:
	case END_QUERY_ERROR:
	case END_WAITING:
	case END_FAILURES:
	case END_SOURCE_ERROR:
	case END_COUNT:
	default:
		return "The tickets could not be read.";
	}
}

static bool
is_over(enum end_reason reason)
{
	return reason == END_NO_WORK || reason == END_MAX_TICKETS ||
	       reason == END_SOME_FAILED || reason == END_BLOCKED;
}

static void
add_names(struct buf *out, const char *what, const struct buf *names, int64_t n)
{
	buf_addf(out, "- %s: %" PRId64, what, n);
	if (names->len > 0)
		buf_addf(out, " (%s)", names->data);
	buf_addc(out, '\n');
}

/* The last words are said also when nothing else is. */
static void
say_end(struct running *r, const struct fact *f)
{
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF completed = BUF_INIT;
	AUTO_BUF failed = BUF_INIT;

	if (r->console.json)
		return;
	layout_tickets_names(r->tickets, &completed, &failed);
	if (!r->console.quiet && is_over(f->reason))
		buf_adds(&text, "No active sessions.\n");
	buf_addf(&text, "\n## Loop %s\n", is_over(f->reason) ? "Complete" : "Stopped");
	buf_addf(&text, "- Iterations: %" PRId64 "\n", r->state.iteration - r->state.returned);
	add_names(&text, "Completed", &completed, r->state.completed);
	add_names(&text, "Failed", &failed, r->state.failed);
	buf_addf(&text, "%s", reason_sentence(f->reason));
	if (f->text[0] != '\0')
		buf_addf(&text, "%s%s", f->reason == END_BLOCKED ? "\n" : " ", f->text);
	if (r->waiting > 0)
		buf_addf(&text,
		    "\nNot on %s yet: %s\nCommit or stash what is in the way; the "
		    "next run lands it, or: git merge --ff-only refs/ralph/land/%s",
		    r->settings.branch, r->waiting_why.data, r->settings.branch);
	r->console.quiet = false;
	console_say(&r->console, text.data);
	if (is_over(f->reason) && r->settings.promise)
		console_promise(&r->console);
}

static void
say_alerts(struct running *r, const struct decision *d)
{
	for (size_t i = 0; i < d->nfacts; i++) {
		AUTO_BUF line = BUF_INIT;

		if (d->facts[i].kind == FACT_ALERT &&
		    console_line(r->spec->name, d->facts, d->nfacts, i, &r->state, &line))
			console_say(&r->console, line.data);
	}
}

/* ---- facts ----------------------------------------------------------------------- */

/* Its tracker must not say that it is done when its work is not in. */
void
running_tickets_reopen(struct running *r, const char *task)
{
	struct err err = ERR_INIT;
	int rc = r->source == NULL ? 0 : r->source->ops->reopen(r->source, task, &err);

	if (rc < 0)
		warning("%s: %s is closed, but its work is not in: %s", r->spec->name, task,
		    err.text);
	else if (rc > 0)
		warning("%s: %s was closed, but its work is not in; it is open again",
		    r->spec->name, task);
}

void
running_tickets_facts(struct running *r, const struct decision *d)
{
	bool started = false;

	if (r->tickets == NULL)
		return;
	for (size_t i = 0; i < d->nfacts; i++) {
		const struct fact *f = &d->facts[i];

		layout_tickets_fact(r->tickets, f, &r->state);
		take_note(r, f);
		started |= f->kind == FACT_STARTED;
		if (f->kind == FACT_FINISHED)
			say_end(r, f);
	}
	if (started)
		say_active(r);
	say_idle(r, &d->idle);
	if (r->state.phase == PHASE_FINISHED)
		say_alerts(r, d);
}

void
running_tickets_tidy(struct running *r)
{
	struct err err = ERR_INIT;

	if (r->tickets == NULL || layout_tickets_write(r->tickets, &r->state, &err) == 0)
		return;
	warning("%s: %s", r->spec->name, err.text);
	/* There is no next time. */
	if (r->leaving)
		(void)!layout_tickets_write(r->tickets, &r->state, NULL);
}

/* One pass is over when nothing is on its way: nobody starts, ends or lands, and the source
 * has been asked. */
void
running_once(struct running *r)
{
	if (!r->spec->once || r->leaving || r->steps != NULL || r->head != NULL ||
	    r->state.phase != PHASE_OPEN || r->state.fetch == FETCH_ASKED)
		return;
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (r->state.sessions[i].state != SESSION_FREE &&
		    r->state.sessions[i].state != SESSION_RUNNING)
			return;
	running_leave(r, EX_OK);
}
