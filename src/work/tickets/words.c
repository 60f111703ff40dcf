/*
 * words.c - what a loop over tickets says besides the lines of its facts.
 */
#include "work/tickets/dispatch.h"

#include "base/log.h"
#include "base/text.h"
#include "loop/ending.h"
#include "loop/friendly.h"
#include "work/tickets/views/run_view.h"
#include <inttypes.h>

void
tickets_say_start(struct running *r)
{
	AUTO_BUF line = BUF_INIT;

	buf_addf(&line,
	    "Starting Ralph loop with parallel=%" PRId64 ", max=", r->state.policy.parallel);
	words_limit(r->state.policy.max_iterations, &line);
	console_say(&r->console, line.data);
}

void
tickets_answered(struct running *r, const struct answer *a)
{
	struct dispatch *d = dispatch_of(r);
	AUTO_BUF notes = BUF_INIT;
	size_t ready = 0;

	r->source->ops->notes(r->source, &notes);
	warning_lines(notes.data);
	if (a->kind != ANSWER_TASKS)
		return;
	buf_clear(&d->put_back);
	if (a->put_back != NULL)
		buf_adds(&d->put_back, a->put_back);
	buf_clear(&d->failed_ready);
	for (size_t i = 0; i < a->ncandidates; i++) {
		const char *id = a->candidates[i].id;
		const struct loop_task *task = loop_find_task(&r->state, id);

		if (task == NULL || (!task->completed && !task->failed)) {
			ready++;
		} else if (task->failed) {
			buf_adds(&d->failed_ready, d->failed_ready.len > 0 ? ", " : "");
			text_show(&d->failed_ready, id, strlen(id), false);
		}
	}
	buf_clear(&d->look);
	if (ready == 0)
		buf_adds(&d->look, "Checking backlog... empty");
	else
		buf_addf(&d->look, "Checking backlog... %zu ticket%s ready", ready,
		    ready == 1 ? "" : "s");
}

/* Says what the last look at the backlog found; a look that changes nothing is not worth a
 * word. */
void
tickets_looked(struct running *r, const struct decision *d)
{
	AUTO_BUF text = BUF_INIT;
	bool matters = false;

	for (size_t i = 0; i < d->nfacts; i++)
		matters |=
		    d->facts[i].kind == FACT_STARTED || d->facts[i].kind == FACT_FINISHED;
	if (!matters || dispatch_of(r)->look.len == 0)
		return;
	buf_addf(&text, "\n[Iteration %" PRId64 "]\n%s", ++dispatch_of(r)->iterations_said,
	    dispatch_of(r)->look.data);
	console_say(&r->console, text.data);
	buf_clear(&dispatch_of(r)->look);
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

/* Says why a slot is idle, once for every reason, not at every look. */
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
	if (buf_same(&dispatch_of(r)->idle_said, &line))
		return;
	console_say(&r->console, line.data);
	buf_clear(&dispatch_of(r)->idle_said);
	buf_add(&dispatch_of(r)->idle_said, line.data, line.len);
}

/* Says that a slot rests, once for every rest, and only when something is left to start. */
void
tickets_rests(struct running *r, size_t slots)
{
	AUTO_BUF line = BUF_INIT;
	int64_t last = 0;

	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (r->state.rests[i].boot > last)
			last = r->state.rests[i].boot;
	if (last == dispatch_of(r)->rest_said)
		return;
	dispatch_of(r)->rest_said = last;
	if (slots == 1)
		buf_adds(&line, "One slot rests for ");
	else
		buf_addf(&line, "%zu slots rest for ", slots);
	words_seconds(r->state.policy.delay, &line);
	buf_adds(&line, " (sleepBetweenTickets)");
	console_say(&r->console, line.data);
}

static void
tickets_words_add_names(struct buf *out, const char *what, const struct buf *names, int64_t n)
{
	buf_addf(out, "- %s: %" PRId64, what, n);
	if (names->len > 0)
		buf_addf(out, " (%s)", names->data);
	buf_addc(out, '\n');
}

/* Names the tickets that others closed or changed: only work that went through our check is
 * completed. */
static void
tickets_words_add_others(struct buf *out, const struct running *r, const struct fact *f)
{
	AUTO_BUF meddled = BUF_INIT;

	tickets_view_meddled(dispatch_of(r)->view, &meddled);
	if (f->others[0] != '\0')
		buf_addf(out, "- Closed or removed by others: %s\n", f->others);
	if (dispatch_of(r)->put_back.len > 0)
		buf_addf(out, "- Put back: the status of %s\n", dispatch_of(r)->put_back.data);
	if (meddled.len > 0)
		buf_addf(out, "- Changed without effect: the status of %s\n", meddled.data);
}

/* Says on stdout, too, that merges wait: a program that waits for a promise there must learn
 * why none comes. */
static void
say_waiting(struct running *r)
{
	AUTO_BUF text = BUF_INIT;

	if (dispatch_of(r)->waiting == 0)
		return;
	buf_addf(
	    &text, "Not on %s yet: %s", r->settings.branch, dispatch_of(r)->waiting_why.data);
	console_answer(&r->console, text.data);
	/* When a person has to merge, waiting_why says how. */
	if (!dispatch_of(r)->waiting_by_hand)
		buf_addf(&text,
		    "\nCommit or stash what is in the way; the next run lands it, or: git "
		    "merge refs/ralph/land/%s",
		    r->settings.branch);
	console_say(&r->console, text.data);
}

static void
say_astray(struct running *r)
{
	AUTO_BUF text = BUF_INIT;

	if (astray_text(dispatch_of(r)->astray) == NULL)
		return;
	buf_addf(&text, "Not on %s any more: %s", r->settings.branch,
	    astray_text(dispatch_of(r)->astray));
	console_answer(&r->console, text.data);
	console_say(&r->console, text.data);
}

/* The last words are said even when nothing else is. */
static void
tickets_words_say_end(struct running *r, const struct fact *f)
{
	const struct dispatch *d = dispatch_of(r);
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF completed = BUF_INIT;
	AUTO_BUF failed = BUF_INIT;
	const struct run_view *run = tickets_view_run(d->view);
	char sentence[ENDING_MAX];
	bool promised = end_reason_promised(f->reason, r->settings.promise_always);
	bool over = end_reason_promised(f->reason, true);

	if (r->console.json)
		return;
	tickets_view_names(d->view, &completed, &failed);
	if (!r->console.quiet && over)
		buf_adds(&text, "No active sessions.\n");
	buf_addf(&text, "\n## Loop %s\n",
	    promised ? "Complete"
	    : over   ? "Incomplete"
		     : "Stopped");
	buf_addf(&text, "- Iterations: %" PRId64 "\n", r->state.iteration - r->state.returned);
	tickets_words_add_names(&text, "Completed", &completed, r->state.completed);
	tickets_words_add_names(&text, "Failed", &failed, r->state.failed);
	failures_tell(run, &text);
	/* The seed calls a backlog "empty" that has such tickets. */
	if (d->failed_ready.len > 0)
		buf_addf(
		    &text, "  Still open: %s; another run tries again\n", d->failed_ready.data);
	unmerged_tell(run, &text);
	tickets_words_add_others(&text, r, f);
	(void)ending_say(
	    &(struct ending){.state = &r->state, .reason = f->reason}, SAY_TICKETS, sentence);
	buf_adds(&text, f->reason == END_NO_WORK && f->others[0] != '\0'
			    ? "No ticket is left; what others closed was not checked here."
			    : sentence);
	if (f->text[0] != '\0')
		buf_addf(&text, "%s%s", over ? "\n" : " ", f->text);
	r->console.quiet = false;
	console_say(&r->console, text.data);
	say_waiting(r);
	say_astray(r);
}

/* The promise is the very last line, also when both streams go to one place. */
static void
say_promise(struct running *r, const struct decision *d)
{
	for (size_t i = 0; i < d->nfacts && r->settings.promise && !r->console.json; i++)
		if (d->facts[i].kind == FACT_FINISHED &&
		    end_reason_promised(d->facts[i].reason, r->settings.promise_always))
			console_promise(&r->console);
}

static void
say_alerts(struct running *r, const struct decision *d)
{
	const struct decided all = {
	    .loop = r->spec->name, .facts = d->facts, .n = d->nfacts, .state = &r->state};

	for (size_t i = 0; i < d->nfacts; i++) {
		AUTO_BUF line = BUF_INIT;

		if (d->facts[i].kind == FACT_ALERT && console_line(&all, &d->facts[i], &line))
			console_say(&r->console, line.data);
	}
}

void
tickets_say(struct running *r, const struct decision *d)
{
	bool started = false;

	for (size_t i = 0; i < d->nfacts; i++) {
		started |= d->facts[i].kind == FACT_STARTED;
		if (d->facts[i].kind == FACT_FINISHED)
			tickets_words_say_end(r, &d->facts[i]);
	}
	if (started)
		say_active(r);
	say_idle(r, &d->idle);
	if (r->state.phase == PHASE_FINISHED)
		say_alerts(r, d);
	say_promise(r, d);
}
