/*
 * plan.c - `ralph loop --dry-run`.
 */
#include "work/tickets/plan.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/text.h"
#include "claims/claims.h"
#include "loop/loop.h"
#include "work/tickets/former.h"
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* One answer of the backlog: its ready tickets as the loop takes them. */
struct offer {
	const struct ticket *const *tickets; /* the backlog's */
	size_t n;
	struct candidate *candidates; /* one each, in the same order */
	struct buf components; /* the components that candidates point to, each with its NUL */
};

struct planner {
	const struct settings *settings;
	struct backlog *backlog;
	struct loop_state state;
	struct decision decision;
	struct offer offer;
	struct buf *text;
	json_t *waves;
	size_t planned;
};

/* ---- the loop and its fake world --------------------------------------------------- */

/* Makes a decision and commits it.  The time is always the same: in a plan nothing takes time,
 * and nothing waits. */
static int
planner_give(struct planner *p, struct loop_input *in, struct err *err)
{
	in->now = (struct when){1, 1};
	loop_decide(&p->state, in, &p->decision);
	if (p->decision.illegal)
		return err_set(err, "cannot plan: no rule for input %d", (int)in->kind);
	loop_commit(&p->state, &p->decision);
	return 0;
}

static void
plan_offer_make(struct planner *p)
{
	struct offer *o = &p->offer;
	size_t at = 0;

	o->n = backlog_ready(p->backlog, &o->tickets);
	o->candidates = xreallocarray(o->candidates, o->n + 1, sizeof(*o->candidates));
	buf_clear(&o->components);
	for (size_t i = 0; i < o->n; i++) {
		ticket_components(o->tickets[i], p->settings->component_prefix, &o->components);
		buf_addc(&o->components, '\0');
	}
	for (size_t i = 0; i < o->n; i++) {
		o->candidates[i] = (struct candidate){.id = o->tickets[i]->id,
		    .components = o->components.data + at,
		    .title = o->tickets[i]->title};
		at += strlen(o->candidates[i].components) + 1;
	}
}

/* Ends the wave: every session succeeds, and its ticket is closed. */
static int
wave_end(struct planner *p, struct err *err)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		const struct loop_session one = p->state.sessions[i];
		struct loop_input ended = {.kind = IN_ENDED,
		    .session = one.id,
		    .exit = {EXIT_CODE, 0},
		    .closed = true};
		struct loop_input landed = {
		    .kind = IN_LANDED, .session = one.id, .verdict = VERDICT_DONE};

		if (one.state == SESSION_FREE)
			continue;
		if (planner_give(p, &ended, err) < 0 || planner_give(p, &landed, err) < 0)
			return -1;
		backlog_settle(p->backlog, one.task);
	}
	return 0;
}

/* ---- what is told ------------------------------------------------------------------ */

static void
plan_show(struct buf *out, const char *s)
{
	text_show(out, s, strlen(s), false);
}

/* "1 ticket", "3 tickets" */
static void
show_count(struct buf *out, size_t n, const char *what)
{
	buf_addf(out, "%zu %s%s", n, what, n == 1 ? "" : "s");
}

/* Appends the path of the worktree of a task, relative if it is below the project's root. */
static void
worktree_path(const struct settings *s, const char *task, struct buf *out)
{
	const char *dir = s->worktrees_dir != NULL ? s->worktrees_dir : ".tf/ralph/worktrees";
	const char *below = fs_below(s->root, dir);

	buf_addf(out, "%s/%s", below != NULL ? below : dir, task);
}

/* Returns the list "ui,api" as an array, and appends it as "ui, api" to *out. */
static json_t *
tell_components(const char *list, struct buf *out)
{
	json_t *array = json_array();

	while (*list != '\0') {
		size_t len = strcspn(list, ",");

		(void)json_array_append_new(array, json_text(list, len));
		text_show(out, list, len, false);
		list += len;
		if (*list == ',') {
			buf_adds(out, ", ");
			list++;
		}
	}
	return array;
}

static json_t *
tell_dispatch(const struct planner *p, const struct fact *f, size_t wave)
{
	AUTO_BUF name = BUF_INIT;
	AUTO_BUF branch = BUF_INIT;
	AUTO_BUF path = BUF_INIT;
	json_t *components;

	buf_adds(p->text, "Would launch ");
	plan_show(p->text, f->task);
	buf_addf(p->text, " (wave %zu", wave);
	if (f->components[0] != '\0')
		buf_adds(p->text, ", components: ");
	components = tell_components(f->components, p->text);
	buf_addc(p->text, ')');
	if (p->settings->worktrees) {
		ticket_slug(f->task, &name);
		buf_addf(&branch, "ralph/%s", name.data);
		worktree_path(p->settings, name.data, &path);
		buf_addf(p->text, ": %s in ", branch.data);
		plan_show(p->text, path.data);
	}
	buf_addc(p->text, '\n');
	return json_pack("{s:o, s:o, s:o, s:o, s:o}", "ticket", json_or_null(f->task), "title",
	    json_or_null(f->title), "components", components, "branch",
	    branch.len > 0 ? json_or_null(branch.data) : json_null(), "worktree",
	    path.len > 0 ? json_or_null(path.data) : json_null());
}

/* Tells which slots stay empty though there is work. */
static json_t *
tell_idle(const struct planner *p)
{
	const struct idle_slot *idle = &p->decision.idle;
	const struct loop_session *busy = loop_find_session(&p->state, idle->session);
	size_t slots = (size_t)p->state.policy.parallel - loop_active(&p->state);

	if (idle->task[0] == '\0' || busy == NULL)
		return json_null();
	buf_adds(p->text, "  ");
	show_count(p->text, slots, "idle slot");
	buf_adds(p->text, ": ");
	plan_show(p->text, idle->task);
	buf_adds(p->text, " waits for ");
	plan_show(p->text, busy->task);
	if (idle->component[0] != '\0') {
		buf_adds(p->text, ", both need ");
		plan_show(p->text, idle->component);
	} else {
		buf_adds(p->text, ", one of them has no components");
	}
	buf_addc(p->text, '\n');
	return json_pack("{s:I, s:o, s:o, s:o}", "slots", (json_int_t)slots, "ticket",
	    json_or_null(idle->task), "waits_for", json_or_null(busy->task), "component",
	    idle->component[0] != '\0' ? json_or_null(idle->component) : json_null());
}

/* Tells the wave that the last decision started. */
static void
tell_wave(struct planner *p)
{
	json_t *dispatches = json_array();
	size_t wave = json_array_size(p->waves) + 1;

	for (size_t i = 0; i < p->decision.nfacts; i++) {
		const struct fact *f = &p->decision.facts[i];

		if (f->kind != FACT_STARTED)
			continue;
		(void)json_array_append_new(dispatches, tell_dispatch(p, f, wave));
		p->planned++;
	}
	(void)json_array_append_new(
	    p->waves, json_pack("{s:I, s:o, s:o}", "wave", (json_int_t)wave, "dispatches",
			  dispatches, "idle", tell_idle(p)));
}

/* ---- the plan ---------------------------------------------------------------------- */

static int
planner_drive(struct planner *p, struct err *err)
{
	struct loop_input open = {.kind = IN_OPEN, .uid = "plan"};

	loop_init(&p->state, p->settings, REGIME_LANDED);
	p->state.policy.delay = 0;
	p->state.policy.max_runtime = 0;
	if (planner_give(p, &open, err) < 0)
		return -1;
	for (;;) {
		struct loop_input tasks = {.kind = IN_TASKS};
		const struct ticket *const *blocked;

		plan_offer_make(p);
		tasks.candidates = p->offer.candidates;
		tasks.ncandidates = p->offer.n;
		tasks.waiting = backlog_blocked(p->backlog, &blocked);
		if (planner_give(p, &tasks, err) < 0)
			return -1;
		if (p->state.phase == PHASE_FINISHED)
			return 0;
		if (loop_active(&p->state) == 0)
			return err_set(err, "cannot plan: nothing starts and nothing ends");
		tell_wave(p);
		if (wave_end(p, err) < 0)
			return -1;
	}
}

/* Is the id too long for a loop to remember? */
static bool
is_refused(const struct ticket *t)
{
	return strlen(t->id) >= TASK_ID_MAX;
}

/* Tells which tickets would become ready with more iterations, directly or after others. */
static json_t *
tell_left_over(const struct planner *p)
{
	const struct ticket *const *ready;
	json_t *ids = json_array();
	size_t n, before;

	do {
		before = json_array_size(ids);
		n = backlog_ready(p->backlog, &ready);
		for (size_t i = 0; i < n; i++) {
			if (is_refused(ready[i]))
				continue;
			(void)json_array_append_new(ids, json_or_null(ready[i]->id));
			backlog_settle(p->backlog, ready[i]->id);
		}
	} while (json_array_size(ids) > before);
	if (before == 0)
		return ids;
	show_count(p->text, before, "ticket");
	if (p->settings->max_iterations == UNLIMITED)
		buf_addf(p->text, " left over: a run takes no more than %d.\n", LOOP_MAX_TASKS);
	else
		buf_addf(p->text, " left over because of --max-iterations %" PRId64 ".\n",
		    p->settings->max_iterations);
	return ids;
}

/* Tells which tickets are ready, but cannot be worked on.  Call after tell_left_over. */
static json_t *
tell_refused(const struct planner *p)
{
	const struct ticket *const *ready;
	size_t n = backlog_ready(p->backlog, &ready);
	json_t *ids = json_array();

	for (size_t i = 0; i < n; i++) {
		(void)json_array_append_new(ids, json_or_null(ready[i]->id));
		text_quote(p->text, ready[i]->id);
		buf_adds(p->text, " is too long an id to be worked on.\n");
	}
	return ids;
}

/* Tells which tickets no number of iterations makes ready. */
static json_t *
tell_blocked(const struct planner *p)
{
	const struct ticket *const *blocked;
	size_t n = backlog_blocked(p->backlog, &blocked);
	json_t *ids = json_array();
	AUTO_BUF why = BUF_INIT;

	for (size_t i = 0; i < n; i++)
		(void)json_array_append_new(ids, json_or_null(blocked[i]->id));
	if (n > 0) {
		backlog_explain(p->backlog, &why);
		show_count(p->text, n, "ticket");
		buf_addf(p->text, " blocked: %s.\n", why.data);
	}
	return json_pack(
	    "{s:o, s:o}", "tickets", ids, "why", n > 0 ? json_or_null(why.data) : json_null());
}

/* Tells about files that are not read as tickets: they are in no wave, and not done. */
static void
tell_unread(const struct planner *p)
{
	AUTO_BUF why = BUF_INIT;
	size_t n = backlog_unread(p->backlog, &why);

	if (n == 0)
		return;
	show_count(p->text, n, "file");
	buf_addf(p->text, " %s as it is: %s.\n", n == 1 ? "is no ticket" : "are no tickets",
	    why.data);
}

static json_t *
plan_tell(const struct planner *p)
{
	const struct settings *s = p->settings;
	json_t *left_over, *refused, *blocked;

	buf_adds(p->text, "Planned ");
	show_count(p->text, p->planned, "ticket");
	buf_adds(p->text, " in ");
	show_count(p->text, json_array_size(p->waves), "wave");
	buf_addf(p->text, " at parallel %" PRId64 ".\n", s->parallel);
	if (s->ticket_query != NULL)
		buf_adds(
		    p->text, "A run asks ticketQuery; this plan is made of all tickets.\n");
	left_over = tell_left_over(p);
	refused = tell_refused(p);
	blocked = tell_blocked(p);
	tell_unread(p);
	return json_pack("{s:I, s:o, s:O, s:I, s:o, s:o, s:o}", "parallel",
	    (json_int_t)s->parallel, "max_iterations",
	    s->max_iterations == UNLIMITED ? json_null() : json_integer(s->max_iterations),
	    "waves", p->waves, "planned", (json_int_t)p->planned, "left_over", left_over,
	    "refused", refused, "blocked", blocked);
}

json_t *
plan_make(const struct settings *s, struct backlog *b, struct buf *text, struct err *err)
{
	struct planner *p = xcalloc(1, sizeof(*p));
	json_t *plan = NULL;

	p->settings = s;
	p->backlog = b;
	p->text = text;
	p->waves = json_array();
	buf_init(&p->offer.components);
	if (planner_drive(p, err) == 0)
		plan = plan_tell(p);
	json_decref(p->waves);
	buf_release(&p->offer.components);
	free(p->offer.candidates);
	free(p);
	return plan;
}

/* Has the loop got that task?  A task has one loop at a time. */
static bool
works_on(const struct loop_view *v, const char *task)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++)
		if (v->state.sessions[i].state != SESSION_FREE &&
		    strcmp(v->state.sessions[i].task, task) == 0)
			return true;
	return false;
}

/* Tells who has the claim.  `own`: the name of the project's own loop, if that loop has it;
 * NULL: another loop has it. */
static json_t *
tell_claim(const struct claim *c, const char *own, struct buf *text)
{
	AUTO_BUF who = BUF_INIT;

	claim_describe(c, &who);
	plan_show(text, c->task);
	if (own != NULL)
		buf_addf(text, " is in work: this project's own loop %s has it (%s).\n", own,
		    who.data);
	else
		buf_addf(text,
		    " is claimed by another loop: %s; a run leaves it to that one until it is "
		    "free.\n",
		    who.data);
	return json_pack("{s:o, s:o, s:o}", "ticket", json_or_null(c->task), "by",
	    json_or_null(who.data), "own_loop", json_or_null(own));
}

/* Names the planned tickets that somebody has claimed: a run would not begin with these now. */
static json_t *
tell_claimed(const struct settings *s, const struct backlog *b, struct buf *text)
{
	struct claims *claims = claims_open_tickets(s->root, s->tickets, NULL);
	json_t *list = json_array();
	struct loop_view own;
	bool has_own = former_view(s->root, &own);

	if (claims != NULL && claims_read(claims, NULL) < 0)
		buf_adds(text, "Who works on what now is not known.\n");
	for (size_t i = 0; claims != NULL && i < claims_count(claims); i++) {
		const struct claim *c = claims_at(claims, i);

		if (!claim_is_anothers(c, getpid()) || backlog_find(b, c->task) == NULL)
			continue;
		(void)json_array_append_new(list,
		    tell_claim(c, has_own && works_on(&own, c->task) ? own.name : NULL, text));
	}
	if (has_own)
		loop_view_close(&own);
	claims_close(claims);
	return list;
}

int
plan_run(
    const struct settings *s, struct backlog *b, bool json, struct buf *out, struct err *err)
{
	AUTO_JSON *plan = NULL;

	if (backlog_refresh(b, err) < 0)
		return EX_QUERY;
	plan = plan_make(s, b, out, err);
	if (plan == NULL)
		return EX_FAILED;
	(void)json_object_set_new(plan, "claimed", tell_claimed(s, b, out));
	if (json) {
		buf_clear(out);
		json_print(plan, false, out);
		buf_addc(out, '\n');
	}
	return EX_OK;
}
