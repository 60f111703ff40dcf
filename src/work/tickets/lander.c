#include "work/tickets/lander.h"

#include "supervisor/step.h"
#include "work/tickets/dispatch.h"
#include "work/tickets/errand.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/log.h"
#include "claims/claims.h"
#include "ticket/ticket.h"
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum step_kind { STEP_PREPARE, STEP_LAND, STEP_PUBLISH, STEP_BEGIN };

struct lander_step {
	struct running *r;
	enum step_kind kind;
	struct effect effect;
	lander_ready_fn *ready;
	struct land_plan plan;
	struct land_ticket ticket;
	struct claims *claims; /* of the project, for its key; or NULL */
	struct buf name;       /* the name of the ticket, for paths and refs */
	char *place;	       /* where the session was; or NULL */
	char *title, *file;    /* the ticket's, the latter without .md; NULL for no ticket */
	char *ignored;	       /* where copies of what git ignores go; NULL */
	char *path;	       /* of the ticket's own file, below the top; NULL */
	char **needs;	       /* names of the tickets that it depends on */
	char *close_in; /* directory of tickets: close it there before it lands; or NULL */
	bool own;	/* the tree of the session has a ticket file of its own */
};

/* ---- in the job ------------------------------------------------------------------ */

static void
result_print(const struct land_result *r, const char *dirty, struct buf *out)
{
	AUTO_JSON *v = json_pack("{s:s, s:I, s:b, s:b, s:b, s:b, s:o, s:o, s:o, s:o}",
	    "outcome", land_outcome_name(r->outcome), "waiting", (json_int_t)r->waiting,
	    "waits", r->waits, "resumed", r->resumed, "by_hand", r->by_hand, "bare", r->bare,
	    "tickets", json_strlist(r->tickets), "removed", json_strlist(r->removed), "held",
	    json_strlist(r->held), "dropped", json_strlist(r->dropped));

	json_put(v, "path", r->path);
	json_put(v, "branch", r->branch);
	json_put(v, "commit", r->commit);
	json_put(v, "ref", r->ref);
	json_put(v, "text", r->text);
	json_put(v, "left", r->left);
	json_put(v, "mended", r->mended);
	json_put(v, "dirty", dirty);
	json_print(v, true, out);
}

/* Closes the ticket, or opens it when it is closed.  1 when the directory has the ticket, 0
 * when not. */
static int
lander_set_status(const char *path, const char *name, enum ticket_status to, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, path, &why);
	struct ticket t;
	bool turns;

	/* The agent made a link here: tickets behind it cannot be trusted. */
	if (dir < 0 && why.code == ELOOP)
		return err_pass(err, &why);
	if (dir < 0 || ticket_load(dir, name, &t, NULL) < 0)
		return 0;
	turns = (t.status == TICKET_CLOSED) != (to == TICKET_CLOSED);
	ticket_release(&t);
	return turns && ticket_set_status(dir, name, to, err) < 0 ? -1 : 1;
}

/* When git tracks tickets, the closed ticket lands with the work; else the ticket is closed
 * after the landing. */
static int
lander_land_done(const struct lander_step *step, struct land_result *result, struct err *err)
{
	const struct settings *s = &step->r->settings;
	const char *name = step->file;
	int here = lander_set_status(step->close_in, name, TICKET_CLOSED, err);
	int rc = 0;

	if (here < 0)
		return -1;
	if (s->worktrees && s->unmerged)
		rc = land_keep(&step->plan, &step->ticket, result, err);
	else if (s->worktrees)
		rc = land_merge(&step->plan, &step->ticket, result, err);
	else if (step->plan.verify != NULL)
		rc = land_verify(&step->plan, result, err);
	if (rc == 0 && here == 0 && result->outcome != LAND_CONFLICT &&
	    result->outcome != LAND_UNVERIFIED)
		rc = lander_set_status(s->tickets, name, TICKET_CLOSED, err) < 0 ? -1 : 0;
	return rc;
}

static int
step_run(const void *arg, struct buf *out, struct err *err)
{
	const struct lander_step *step = arg;
	struct land_result result = {.outcome = LAND_NOTHING};
	AUTO_FREE char *dirty = NULL;
	int rc = 0;

	if (step->kind == STEP_PREPARE)
		rc = land_prepare(&step->plan, &step->ticket, &result, err);
	else if (step->kind == STEP_BEGIN)
		rc = kept_publish(&step->r->settings, &step->plan, &result, err);
	else if (step->kind == STEP_PUBLISH)
		rc = land_publish(&step->plan, &result, err);
	else if (verdict_is_success(step->effect.verdict))
		rc = lander_land_done(step, &result, err);
	else if (step->r->settings.worktrees)
		rc = land_save(&step->plan, &step->ticket, &result, err);
	if (rc == 0 && step->kind == STEP_BEGIN)
		dirty = land_dirty(&step->plan);
	if (rc == 0)
		result_print(&result, dirty, out);
	land_result_release(&result);
	return rc;
}

/* Keeps the status in the file of another ticket: a landing may change everything else
 * there. */
static int
ticket_guard(
    const char *path, const struct buf *before, const struct buf *after, struct buf *out)
{
	size_t len = strlen(path);

	if (len < 3 || strcmp(path + len - 3, ".md") != 0)
		return 0;
	return ticket_keep_status(before, after, out);
}

/* ---- steps ----------------------------------------------------------------------- */

static void
step_release(void *arg)
{
	struct lander_step *step = arg;

	claims_close(step->claims);
	buf_release(&step->name);
	free(step->place);
	free(step->title);
	free(step->file);
	free(step->ignored);
	free(step->path);
	strlist_free(step->needs);
	free(step->close_in);
	free(step);
}

/* Fills in what the ticket says of itself; for a ticket that is gone, the id stands for the
 * file name. */
static void
step_describe(struct lander_step *step)
{
	const struct settings *s = &step->r->settings;
	const char *task = step->effect.task, *below = fs_below(s->top, s->tickets);
	const struct ticket *known =
	    step->r->source == NULL ? NULL : tickets_source_find(step->r->source, task);
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, s->tickets, NULL);
	struct ticket t;

	ticket_slug(task, &step->name);
	step->title = xstrdup(known != NULL ? known->title : "");
	step->file = xstrdup(known != NULL ? known->name : task);
	if (below != NULL)
		step->path = xasprintf("%s/%s.md", below, step->file);
	if (dir < 0 || ticket_load(dir, step->file, &t, NULL) < 0)
		return;
	for (char **id = t.deps; *id != NULL; id++) {
		AUTO_BUF name = BUF_INIT;

		ticket_slug(*id, &name);
		step->needs = strlist_add(step->needs, name.data);
	}
	ticket_release(&t);
}

/* Where ignored files are kept: with the session's recording, and as long as the recording. */
static char *
ignored_place(const struct running *r, const char *session)
{
	AUTO_FREE char *link = xasprintf("/proc/self/fd/%d", r->sessions_dir);
	AUTO_FREE char *dir = realpath(link, NULL);

	return dir == NULL ? NULL : xasprintf("%s/%s/ignored", dir, session);
}

static struct lander_step *
step_new(struct running *r, enum step_kind kind, const struct effect *e)
{
	const struct settings *s = &r->settings;
	const char *prefix = errand_prefix(s);
	struct lander_step *step = xcalloc(1, sizeof(*step));

	step->r = r;
	step->kind = kind;
	step->effect = *e;
	buf_init(&step->name);
	if (kind == STEP_PREPARE || kind == STEP_LAND)
		step_describe(step);
	if (kind == STEP_LAND)
		step->ignored = ignored_place(r, e->session);
	else if (kind == STEP_BEGIN)
		step->ignored = ignored_place(r, "..");
	if (s->worktrees)
		step->claims = claims_open_tickets(s->root, s->tickets, NULL);
	step->place = kind == STEP_LAND ? tickets_own_place(r, e->session) : NULL;
	step->plan = (struct land_plan){
	    .top = s->top != NULL ? s->top : s->root,
	    .prefix = *prefix == '\0' ? NULL : prefix,
	    .branch = s->branch,
	    .dir = s->worktrees_dir,
	    .key = step->claims == NULL ? NULL : claims_key(step->claims),
	    .copy = s->copy,
	    .drop = s->drop,
	    .ignored = step->ignored,
	    .guarded = step->path == NULL ? NULL : fs_below(s->top, s->tickets),
	    .guard = ticket_guard,
	    .setup = s->setup,
	    .verify = s->verify,
	    .setup_timeout = s->setup_timeout,
	    .verify_timeout = s->verify_timeout,
	    .message = s->merge_message,
	    .leave_changes = s->leave_changes,
	    .keep_branch = s->keep_branches,
	    .keep_worktree = s->keep_worktrees,
	};
	step->ticket = (struct land_ticket){.id = step->name.data,
	    .title = step->title,
	    .session = step->effect.session,
	    .attempt = e->attempt,
	    .place = step->place,
	    .file = step->path,
	    .needs = step->needs};
	return step;
}

/* ---- what comes of the steps ----------------------------------------------------- */

/* Names the tickets of the files in "held": "a, b". */
static void
names_of(const json_t *v, struct buf *out)
{
	AUTO_STRLIST files = json_to_strlist(json_object_get(v, "held"));

	for (char **file = files; file != NULL && *file != NULL; file++) {
		const char *name = basename(*file);
		size_t len = strlen(name);

		buf_addf(out, "%s%.*s", out->len > 0 ? ", " : "",
		    (int)(len > 3 ? len - 3 : len), name);
	}
}

/* Notes the merges that the branch has not got yet because its checkout is in the way.  True
 * when the reason has changed. */
static bool
note_waiting(struct running *r, const json_t *v)
{
	struct dispatch *d = dispatch_of(r);
	const char *text;
	bool same;

	d->waiting = json_int(v, "waiting", 0);
	d->waiting_by_hand = json_bool(v, "by_hand", false);
	text = d->waiting == 0 ? "" : json_str(v, "text", "");
	same = strcmp(d->waiting_why.data, text) == 0;
	buf_clear(&d->waiting_why);
	buf_adds(&d->waiting_why, text);
	return !same;
}

/* Reopens a ticket that is not done after all.  When the tree has the ticket, only the ticket
 * in the tree is opened: others may have changed the project's own.  A kept tree must not tell
 * the next attempt that all is done; of a tree that is gone a copy is kept. */
static void
reopen(const struct lander_step *step)
{
	struct err err = ERR_INIT;

	if (!step->own)
		tickets_reopen(step->r, step->effect.task);
	else if (lander_set_status(step->close_in, step->file, TICKET_OPEN, &err) < 0)
		warning("%s: %s", step->r->spec->name, err.text);
}

static enum fate
report_merged(struct lander_step *step, const json_t *v, struct buf *line)
{
	struct running *r = step->r;
	const char *text = json_str(v, "text", "");

	(void)note_waiting(r, v);
	if (json_bool(v, "waits", false)) {
		buf_adds(line, text);
		return FATE_WAITING;
	}
	buf_addf(line, "merged as %.12s", json_str(v, "commit", ""));
	/* The text says what the merge left behind. */
	if (*text != '\0' && dispatch_of(r)->waiting == 0)
		warning("%s: %s: %s", r->spec->name, step->effect.task, text);
	return FATE_MERGED;
}

/* Fills in the verdict on the landing, the fate of the work, and words for both. */
static void
judge_landing(struct lander_step *step, int rc, const json_t *v, const struct err *err,
    struct loop_input *in, struct buf *line)
{
	bool done = verdict_is_success(step->effect.verdict);
	int outcome = land_outcome_parse(json_str(v, "outcome", ""));
	const char *text = json_str(v, "text", "");
	const char *path = json_str(v, "path", "?"), *branch = json_str(v, "branch", "?");

	in->verdict = VERDICT_DONE;
	in->fate = FATE_KEPT;
	if (rc < 0) {
		in->verdict = VERDICT_FAILED;
		buf_addf(line, "%s: %s", done ? "cannot land" : "cannot be saved", err->text);
	} else if (outcome == LAND_CONFLICT) {
		in->verdict = VERDICT_CONFLICT;
		buf_addf(line, "conflict in %s when merged with %.12s; kept in %s on %s", text,
		    json_str(v, "commit", "?"), path, branch);
	} else if (outcome == LAND_UNVERIFIED) {
		in->verdict = VERDICT_UNVERIFIED;
		buf_adds(line, text);
		if (json_str(v, "path", NULL) != NULL)
			buf_addf(line, " (kept in %s on %s)", path, branch);
	} else if (outcome == LAND_SAVED && json_str(v, "ref", NULL) != NULL) {
		in->fate = FATE_COPIED;
		buf_addf(line, "a copy is in %s", json_str(v, "ref", ""));
	} else if (outcome == LAND_SAVED) {
		in->fate = *text != '\0' ? FATE_KEPT : FATE_CLEARED;
		buf_adds(line, *text != '\0' ? text : "there was nothing to keep");
	} else if (outcome == LAND_MERGED) {
		in->fate = report_merged(step, v, line);
	} else if (outcome == LAND_KEPT) {
		buf_addf(line, "on the branch %s, not merged; in %s", branch, path);
	} else {
		in->fate = FATE_NONE;
	}
	buf_one_line(line); /* people and agents are shown one line */
}

static void
report_landing(struct lander_step *step, int rc, const json_t *v, const struct err *err)
{
	struct running *r = step->r;
	const struct effect *e = &step->effect;
	struct loop_input in = {.kind = IN_LANDED, .session = e->session};
	AUTO_BUF line = BUF_INIT;
	AUTO_BUF others = BUF_INIT;
	AUTO_BUF left = BUF_INIT;
	char key[32] = "";

	if (rc < 0 && err->code == ECANCELED) {
		in.verdict = VERDICT_STOPPED;
		in.fate = FATE_KEPT;
		in.text = "the landing was interrupted";
		running_input(r, &in);
		return;
	}
	judge_landing(step, rc, v, err, &in, &line);
	if (in.fate == FATE_MERGED || in.fate == FATE_WAITING)
		(void)snprintf(key, sizeof(key), "%.20s", json_str(v, "commit", ""));
	if (!verdict_is_success(e->verdict) || !verdict_is_success(in.verdict))
		reopen(step);
	names_of(v, &others);
	left_tell(&r->settings, e->verdict, v, &left);
	in.text = line.data;
	in.key = key;
	in.others = others.data;
	in.left = left.data;
	running_input(r, &in);
}

static void
report_place(struct lander_step *step, int rc, const json_t *v, const struct err *err)
{
	const char *why_kept = json_str(v, "text", "");
	const struct lander_place place = {.path = json_str(v, "path", ""),
	    .why_kept = *why_kept == '\0' ? NULL : why_kept,
	    .resumed = json_bool(v, "resumed", false)};

	if (rc < 0)
		step->ready(step->r, &step->effect, NULL, err->text);
	else
		step->ready(step->r, &step->effect, &place, NULL);
}

/* Reports merges that waited.  Their tickets count as done, even if the checkout says
 * otherwise. */
static void
report_published(struct running *r, const json_t *v)
{
	AUTO_STRLIST tickets = json_to_strlist(json_object_get(v, "tickets"));
	AUTO_STRLIST removed = json_to_strlist(json_object_get(v, "removed"));
	const char *dirty = json_str(v, "dirty", "");
	bool news;

	if (*dirty != '\0')
		warning("%s: %s", r->spec->name, dirty);
	/* Worktree and branch were kept for a person, who has merged the work since. */
	for (char **id = removed; id != NULL && *id != NULL; id++)
		warning(
		    "%s: %s: all of its work is on %s: its worktree and its branch are gone",
		    r->spec->name, *id, r->settings.branch);
	for (char **id = tickets; id != NULL && *id != NULL; id++)
		r->source->ops->settle(r->source, *id);
	news = note_waiting(r, v);
	if (dispatch_of(r)->waiting > 0 && news)
		warning("%s: %s", r->spec->name, json_str(v, "text", ""));
	else if (dispatch_of(r)->waiting == 0 &&
		 land_outcome_parse(json_str(v, "outcome", "")) == LAND_MERGED)
		warning(
		    "%s: merges that waited are in %s now", r->spec->name, r->settings.branch);
}

static void
on_done(struct running *r, void *arg, int rc, const struct buf *out, const struct err *err)
{
	struct lander_step *step = arg;
	AUTO_JSON *v = rc < 0 ? NULL : json_parse(out->data, out->len, "landing", NULL);
	const char *mended = json_str(v, "mended", "");

	if (*mended != '\0')
		warning("%s: %s", r->spec->name, mended);
	if (step->kind == STEP_PREPARE) {
		report_place(step, rc, v, err);
	} else if (step->kind == STEP_LAND) {
		report_landing(step, rc, v, err);
	} else {
		if (rc < 0)
			warning("%s: %s", r->spec->name, err->text);
		else
			report_published(r, v);
		running_release(r);
	}
}

static void
lander_begin(struct lander_step *step)
{
	step_start(
	    step->r, &(struct step_spec){
			 .session = step->effect.session,
			 .what = step->effect.task[0] == '\0' ? "git" : step->effect.task,
			 .run = step_run,
			 .done = on_done,
			 .release = step_release,
			 .arg = step,
		     });
}

/* ---- from outside ---------------------------------------------------------------- */

void
lander_prepare(struct running *r, const struct effect *e, lander_ready_fn *ready)
{
	struct lander_step *step = step_new(r, STEP_PREPARE, e);

	step->ready = ready;
	lander_begin(step);
}

void
lander_land(struct running *r, const struct effect *e)
{
	const struct settings *s = &r->settings;
	const char *below = fs_below(s->top, s->tickets);
	struct lander_step *step = step_new(r, STEP_LAND, e);
	AUTO_FREE char *place = tickets_place(r, e->session, e->task);
	AUTO_FREE char *file = NULL;

	/* Where the ticket's file is in the tree that lands. */
	step->close_in = place == NULL || below == NULL ? xstrdup(s->tickets)
							: xasprintf("%s/%s", place, below);
	file = xasprintf("%s/%s.md", step->close_in, step->file);
	step->own = strcmp(step->close_in, s->tickets) != 0 && access(file, F_OK) == 0;
	lander_begin(step);
}

void
lander_publish(struct running *r, bool first)
{
	if (!r->settings.worktrees)
		return;
	running_hold(r);
	lander_begin(step_new(
	    r, first ? STEP_BEGIN : STEP_PUBLISH, &(struct effect){.kind = EFFECT_COUNT}));
}
