/*
 * lead.c - a task's turn: how it begins, and what becomes of its work.
 *
 * Before a task is handed out, the state of the work tree is recorded (git/turn/turn.h); later
 * differences from this state are the changes of the task.  After the task, one job does: the
 * check that nobody has made yet, the commit, the sidecar, the mark in todo.md.  Each of them
 * can be done again.
 */
#include "work/todo/leader.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/log.h"
#include "base/text.h"
#include "git/turn/turn.h"
#include "record/home.h"
#include "supervisor/held.h"
#include "supervisor/step.h"
#include "work/todo/picture.h"
#include "work/todo/todo.h"
#include "work/todo/todo_done.h"
#include "work/todo/todo_mark.h"
#include "work/todo/todo_meta.h"
#include <errno.h>
#include <inttypes.h>

/* ---- the turn, as git knows it -------------------------------------------------------- */

/* A job about a turn.  The job owns everything in here. */
struct lead_step {
	struct running *r;
	struct effect effect;
	struct turn_spec turn;
	char *file;
	char **except;
	char *description;
	char *answers; /* file of the answers that the task got; NULL: they are told at once */
	bool commit;   /* changes are to be committed */
	bool asked;    /* nobody has agreed to the commit yet */
};

static void
lead_step_free(void *arg)
{
	struct lead_step *w = arg;

	free(w->file);
	strlist_free(w->except);
	free(w->description);
	free(w->answers);
	free(w);
}

/* Records of a task's turns outlive a run, because the work does: every list has one directory
 * in the state home. */
char *
lead_turns(const struct running *r)
{
	AUTO_FREE char *list = xasprintf("%s\n%s", r->settings.root, r->settings.todo_file);

	return xasprintf("%s/turns/%016" PRIx64, home_path(), text_hash(list));
}

static char *
loop_path(const struct running *r)
{
	AUTO_FREE char *link = xasprintf("/proc/self/fd/%d", r->dir);
	char *path = realpath(link, NULL);

	return path == NULL ? xstrdup(".") : path;
}

static struct lead_step *
lead_step_new(struct running *r, const struct effect *e)
{
	struct lead_step *w = xcalloc(1, sizeof(*w));
	AUTO_FREE char *dir = loop_path(r);
	AUTO_FREE char *turns = lead_turns(r);

	w->r = r;
	w->effect = *e;
	w->file = xasprintf("%s/%s", turns, e->task);
	if (r->settings.mode == MODE_PIPE)
		w->answers = xasprintf("%s/answers/%s", dir, e->task);
	w->except = commit_excepts(&r->settings);
	w->description = xstrdup(leader_of(r)->views->story.turn.title);
	w->commit = r->settings.commit == COMMIT_AUTO;
	w->turn = (struct turn_spec){.root = r->settings.root,
	    .task = w->effect.task,
	    .file = w->file,
	    .except = w->except,
	    .run = r->state.uid,
	    .about = w->description,
	    .tracked = r->settings.tracked && r->settings.commit != COMMIT_OFF};
	return w;
}

static void
lead_step_start(struct lead_step *w, job_fn *run, step_done_fn *done)
{
	step_start(w->r, &(struct step_spec){
			     .session = w->effect.session,
			     .what = w->effect.task,
			     .run = run,
			     .done = done,
			     .release = lead_step_free,
			     .arg = w,
			 });
}

/* ---- the beginning of a turn ----------------------------------------------------------- */

void
lead_token(const struct running *r, const char *session, int64_t turn, char out[TOKEN_LEN + 1])
{
	token_make(r->state.uid, session, turn, out);
}

static int
begin_run(const void *arg, struct buf *out, struct err *err)
{
	const struct lead_step *w = arg;
	int rc = turn_begin(&w->turn, err);
	AUTO_JSON *v = json_object();

	/* An attempt before this one may have been cut off. */
	if (rc < 0 || boxes_restore(w->r, NULL, v, err) < 0 || boxes_note(w->r, err) < 0)
		return -1;
	if (rc > 0)
		(void)json_object_set_new(v, "severed", json_true());
	if (w->commit)
		branch_note(w->turn.root, v);
	/* The display may have come back. */
	if (w->r->settings.desktop && !leader_of(w->r)->views->desktop && picture_can(NULL))
		(void)json_object_set_new(v, "sees", json_true());
	if (w->answers != NULL)
		(void)json_object_set_new(
		    v, "answers", answers_gather(w->r, w->effect.task, w->answers));
	json_print(v, true, out);
	return 0;
}

static int
deliver(struct running *r, const struct effect *e, const char *token, const struct buf *prompt,
    struct err *err)
{
	struct session *s = running_find(r, e->session);

	if (e->kind == EFFECT_START)
		running_begin(r, e,
		    &(struct session_spec){
			.settings = &r->settings,
			.prompt = prompt,
			.task = e->task,
			.token = token,
			.facts = leader_of(r)->facts,
			.clear = r->settings.clear,
		    });
	else if (s != NULL)
		return session_assign(
		    s, e->iteration, e->task, token, leader_of(r)->facts, prompt, err);
	return 0;
}

/* Gives the task out again after an error of ours, which costs neither the task nor its worker
 * anything. */
static void
on_assign_again(struct ev_timer *w)
{
	struct running *r = w->ctx;
	const struct effect *e = &leader_of(r)->unassigned;
	const struct loop_session *one = loop_find_session(&r->state, e->session);

	if (one != NULL && one->state == SESSION_BRIEFING && one->iteration == e->iteration)
		lead_give(r, e);
	else
		running_unheld(r, HELD_TASK);
}

static void
assign_later(struct running *r, const struct effect *e, const char *why)
{
	struct leader *l = leader_of(r);
	AUTO_FREE char *text = xasprintf("%s: %.200s", e->task, why);

	l->assign_delay = running_retry_after(l->assign_delay);
	l->unassigned = *e;
	running_held(r, HELD_TASK, text);
	ev_timer_in(r->ev, &l->assign, l->assign_delay, on_assign_again, r);
}

/* Did we give the session its task, or a supervisor before us?  Clocks cannot tell: they jump,
 * and a pause moves the times that they are compared with. */
static bool
lead_gave(const struct running *r, const struct loop_session *one)
{
	return one->iteration == leader_of(r)->given &&
	       strcmp(one->id, leader_of(r)->given_to) == 0;
}

/* A done file from before says nothing about this turn.  But when another supervisor gave the
 * task out and died, its worker may have done it already. */
static int
lead_begin_turn(struct running *r, const struct effect *e, const char *token, struct err *err)
{
	const struct loop_session *one = loop_find_session(&r->state, e->session);

	if (one == NULL || lead_gave(r, one))
		return todo_source_begin(r->source, e->task, clock_wall(), token, err);
	todo_source_resume(r->source, e->task, one->started.wall, token);
	return 0;
}

static int
hand_out(struct running *r, const struct effect *e, const struct buf *begun, struct err *err)
{
	AUTO_JSON *v = json_parse(begun->data, begun->len, "the beginning", NULL);
	AUTO_BUF prompt = BUF_INIT;
	char token[TOKEN_LEN + 1];
	int rc;

	lead_token(r, e->session, e->iteration, token);
	rc = lead_begin_turn(r, e, token, err);
	boxes_tell(r, v);
	branch_tell(r, v);
	leader_of(r)->views->desktop |= json_bool(v, "sees", false);
	if (json_bool(v, "severed", false))
		warning("%s: %s: what an earlier attempt left in the work tree counts as yours",
		    r->spec->name, e->task);
	if (rc > 0)
		warning("%s: %s: an older done file was set aside", r->spec->name, e->task);
	todo_source_commands(r->source, tell_has_commands(r));
	if (rc >= 0)
		rc = r->source->ops->brief(r->source, e->task, &prompt, err);
	if (rc >= 0) {
		answers_add(r, e->task, token, json_object_get(v, "answers"), &prompt);
		rc = deliver(r, e, token, &prompt, err);
	}
	return rc < 0 ? -1 : 0;
}

static void
on_begun(struct running *r, void *arg, int rc, const struct buf *out, const struct err *why)
{
	const struct lead_step *w = arg;
	const struct effect *e = &w->effect;
	const struct loop_session *one = loop_find_session(&r->state, e->session);
	enum session_state state =
	    e->kind == EFFECT_START ? SESSION_STARTING : SESSION_BRIEFING;
	struct session *s = running_find(r, e->session);
	struct err err = *why;

	/* The session was ended while we looked at the work tree. */
	if (one == NULL || one->state != state || one->iteration != e->iteration ||
	    r->fleeing) {
		if (e->kind == EFFECT_START)
			running_cannot_start(r, e, "it was ended before it began");
		return;
	}
	if (rc == 0)
		rc = hand_out(r, e, out, &err);
	if (rc == 0) {
		leader_of(r)->assign_delay = 0;
		running_unheld(r, HELD_TASK);
		return;
	}
	if (e->kind != EFFECT_START && held_is(err.text)) {
		assign_later(r, e, err.text);
		return;
	}
	if (e->kind == EFFECT_START) {
		running_cannot_start(r, e, err.text);
		return;
	}
	/* An agent that cannot get its task is useless, and is ended. */
	error("%s: %s cannot begin: %s", r->spec->name, e->task, err.text);
	if (s != NULL)
		session_end(s, false);
}

void
lead_give(struct running *r, const struct effect *e)
{
	lead_step_start(lead_step_new(r, e), begin_run, on_begun);
}

bool
lead_closed(struct running *r, const char *session)
{
	const struct loop_session *one = loop_find_session(&r->state, session);

	return one != NULL && r->source != NULL &&
	       r->source->ops->closed(r->source, one->task, NULL);
}

/* ---- the end of a turn --------------------------------------------------------------- */

static int
mark(const struct lead_step *w, enum todo_state state, json_t *out, struct err *err)
{
	int rc = todo_mark(
	    w->r->settings.todo_file, w->effect.task, state, w->effect.text, clock_wall(), err);

	if (rc == TODO_GONE)
		(void)json_object_set_new(out, "unlisted", json_true());
	return rc < 0 ? -1 : 0;
}

static int
lead_commit(const struct lead_step *w, json_t *out, struct err *err)
{
	AUTO_STRLIST earlier = commit_earlier(w->r, w->effect.task);
	struct turn_spec turn = w->turn;

	turn.earlier = earlier;
	return commit_turn(
	    w->r, &turn, &(struct turn_words){.description = w->description}, out, err);
}

/* A list that cannot be marked says nothing about the work: the task waits, as for a commit. */
static int
lead_tick(const struct lead_step *w, json_t *out, struct err *err)
{
	struct err why = ERR_INIT;
	AUTO_BUF text = BUF_INIT;

	if (mark(w, TODO_DONE, out, &why) == 0)
		return 0;
	if (held_is(why.text))
		return err_set(err, "%s", why.text);
	buf_addf(&text, "its box cannot be ticked: %s", why.text);
	json_put(out, "text", text.data);
	json_put(out, "waits", text.data);
	return turn_end(&w->turn, text.data, json_str(out, "summary", NULL), err);
}

static int
lead_land_done(const struct lead_step *w, json_t *out, struct err *err)
{
	AUTO_BUF why = BUF_INIT;
	int rc = 0;

	if (!w->effect.kept)
		rc = check_verify(&w->r->settings, &why, err);
	if (rc < 0)
		return -1;
	if (rc > 0) {
		json_put(out, "unverified", why.data);
		return 0;
	}
	/* Before the agent is told to forget the task, and before its programs are gone. */
	if (leader_of(w->r)->views->desktop) {
		AUTO_FREE char *name = xasprintf("%s_complete.png", w->effect.task);

		picture_take(w->r->settings.root, name, out);
	}
	if (w->commit && lead_commit(w, out, err) < 0)
		return -1;
	/* A task that waits for its commit is ticked with that commit, later. */
	if (json_str(out, "waits", NULL) != NULL)
		return turn_end(
		    &w->turn, json_str(out, "waits", ""), json_str(out, "summary", NULL), err);
	if (!w->commit)
		json_put(out, "text",
		    w->asked ? "nobody agreed to a commit; the changes stay as they are"
			     : "the changes stay as they are");
	return lead_tick(w, out, err);
}

static bool
is_complete(const struct lead_step *w, const json_t *landed)
{
	return verdict_is_success(w->effect.verdict) &&
	       json_str(landed, "unverified", NULL) == NULL &&
	       json_str(landed, "waits", NULL) == NULL;
}

static int
land_run(const void *arg, struct buf *out, struct err *err)
{
	const struct lead_step *w = arg;
	AUTO_JSON *v = json_object();
	struct err why = ERR_INIT;
	int rc = 0;

	if (verdict_is_success(w->effect.verdict))
		rc = lead_land_done(w, v, err);
	else if (w->effect.verdict == VERDICT_BLOCKED)
		rc = mark(w, TODO_BLOCKED, v, err);
	if (rc == 0 &&
	    boxes_restore(w->r, is_complete(w, v) ? w->effect.task : NULL, v, &why) < 0) {
		/* An unreadable list does not undo a commit. */
		if (is_complete(w, v) && !held_is(why.text))
			json_put(v, "unrestored", why.text);
		else
			rc = err_set(err, "%s", why.text);
		why = (struct err)ERR_INIT;
	}
	/* The unfinished work stays in the work tree and belongs to the next attempt. */
	if (rc == 0 &&
	    (!verdict_is_success(w->effect.verdict) ||
		json_str(v, "unverified", NULL) != NULL) &&
	    turn_end(&w->turn, NULL, NULL, &why) < 0)
		json_put(v, "unkept", why.text);
	json_print(v, true, out);
	return rc;
}

static void
lead_on_landed(
    struct running *r, void *arg, int rc, const struct buf *out, const struct err *err)
{
	const struct lead_step *w = arg;
	AUTO_JSON *v = rc < 0 ? NULL : json_parse(out->data, out->len, "landing", NULL);
	const char *unverified = json_str(v, "unverified", NULL);
	const char *unkept = json_str(v, "unkept", NULL);
	const char *unrestored = json_str(v, "unrestored", NULL);
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF line = BUF_INIT;
	struct loop_input in = {.kind = IN_LANDED,
	    .session = w->effect.session,
	    .verdict = w->effect.verdict,
	    .fate = json_str(v, "waits", NULL) != NULL ? FATE_WAITING : FATE_NONE,
	    .key = json_str(v, "commit", ""),
	    .left = json_str(v, "moved", NULL)};

	boxes_tell(r, v);
	branch_tell(r, v);
	commit_tell_left(r, w->effect.task, v);
	tell_unseen(r, w->effect.task, v);
	if (unkept != NULL)
		warning("%s: %s: what it left cannot be kept for its next attempt: %s",
		    r->spec->name, w->effect.task, unkept);
	if (unrestored != NULL)
		warning("%s: boxes that a worker ticked cannot be put back: %s", r->spec->name,
		    unrestored);
	buf_adds(&text, json_str(v, "text", ""));
	if (json_bool(v, "unlisted", false))
		buf_addf(
		    &text, "%sits line is not in the list any more", text.len > 0 ? "; " : "");
	if (rc < 0) {
		in.verdict = err->code == ECANCELED ? VERDICT_STOPPED : VERDICT_FAILED;
		buf_addf(&text, "%s",
		    err->code == ECANCELED ? "the landing was interrupted" : err->text);
	} else if (unverified != NULL) {
		in.verdict = VERDICT_UNVERIFIED;
		buf_adds(&text, unverified);
	}
	buf_one_line(&text);
	in.text = text.data;
	if (in.fate == FATE_WAITING || (rc < 0 && err->code != ECANCELED)) {
		buf_addf(&line, "%s: %s", w->effect.task, text.data);
		running_input(r, &(struct loop_input){.kind = IN_ALERT, .text = line.data});
	}
	running_input(r, &in);
}

/* ---- whether to commit --------------------------------------------------------------- */

static int
preview_run(const void *arg, struct buf *out, struct err *err)
{
	const struct lead_step *w = arg;
	AUTO_FREE char *summary = NULL;
	struct turn_result result = {.outcome = TURN_NOTHING};
	int rc;

	(void)!todo_done_check(&leader_of(w->r)->results, w->effect.task, 0, &summary, NULL);
	rc = turn_preview(&w->turn,
	    &(struct turn_words){.summary = summary, .description = w->description}, &result,
	    err);
	if (rc == 0 && result.outcome == TURN_COMMITTED)
		buf_addf(out, "%s\n%s", result.message, result.diffstat);
	/* There is nothing to ask about: the task cannot be committed, and waits. */
	if (rc < 0 && err->code == EUCLEAN && !held_is(err->text))
		rc = 0;
	turn_result_release(&result);
	return rc;
}

/* Goes on with a landing, with or without its commit. */
static void
land_with(struct lead_step *w, bool commit)
{
	w->commit = commit;
	w->asked = !commit;
	lead_step_start(w, land_run, lead_on_landed);
}

static void
on_preview(struct running *r, void *arg, int rc, const struct buf *out, const struct err *err)
{
	const struct lead_step *w = arg;
	AUTO_BUF text = BUF_INIT;

	if (rc < 0 && err->code == ECANCELED) {
		lead_on_landed(r, arg, rc, out, err);
		return;
	}
	/* There is nothing to ask about, or nobody to ask. */
	if (rc < 0 || out->len == 0 || !listen_can_ask(r)) {
		land_with(lead_step_new(r, &w->effect), rc == 0 && out->len == 0);
		return;
	}
	leader_of(r)->asking = lead_step_new(r, &w->effect);
	buf_addf(&text, "\n%s\nCommit this for %s? [y/n]", out->data, w->effect.task);
	console_say(&r->console, text.data);
}

void
lead_answered(struct running *r, bool yes)
{
	struct lead_step *w = take_ptr(leader_of(r)->asking);

	if (w != NULL)
		land_with(w, yes);
}

bool
lead_unasked(struct running *r, const char *session)
{
	struct lead_step *w = leader_of(r)->asking;
	struct err err = {.code = ECANCELED, .text = "was ended"};

	if (w == NULL || strcmp(w->effect.session, session) != 0)
		return false;
	leader_of(r)->asking = NULL;
	lead_on_landed(r, w, -1, &(struct buf)BUF_INIT, &err);
	lead_step_free(w);
	return true;
}

void
lead_land(struct running *r, const struct effect *e)
{
	struct lead_step *w = lead_step_new(r, e);
	bool asks = r->settings.commit == COMMIT_ASK && verdict_is_success(e->verdict);

	lead_step_start(w, asks ? preview_run : land_run, asks ? on_preview : lead_on_landed);
}

/* ---- after the landing --------------------------------------------------------------- */

static int
forget_run(const void *arg, struct buf *out, struct err *err)
{
	const struct lead_step *w = arg;

	(void)out;
	return turn_forget(&w->turn, err);
}

static void
on_forgotten(struct running *r, void *arg, int rc, const struct buf *out, const struct err *err)
{
	const struct lead_step *w = arg;

	(void)out;
	if (rc < 0)
		debug("%s: %s: %s", r->spec->name, w->effect.task, err->text);
}

/* Removes the record of the work tree before the task: the task is done. */
void
lead_forget(struct running *r, const char *task)
{
	struct effect e = {.kind = EFFECT_COUNT};

	(void)snprintf(e.task, sizeof(e.task), "%s", task);
	lead_step_start(lead_step_new(r, &e), forget_run, on_forgotten);
}

void
lead_free(struct running *r)
{
	if (leader_of(r)->asking != NULL)
		lead_step_free(take_ptr(leader_of(r)->asking));
}
