/*
 * leader.c - what the supervisor of a loop over todo.md does besides: its life.
 */
#include "work/todo/leader.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/json.h"
#include "base/lock.h"
#include "base/log.h"
#include "loop/ending.h"
#include "loops/settings.h"
#include "supervisor/kind.h"
#include "work/todo/picture.h"
#include "work/todo/todo.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#define LOCK_NAME ".lock" /* below TODO_DIR */
#define LOCK_TEXT_MAX ((size_t)4096)
#define RECORD_MAX ((size_t)64 << 20)

/* ---- life ------------------------------------------------------------------------------ */

static void
leader_on_news(void *ctx)
{
	running_input(ctx, &(struct loop_input){.kind = IN_NEWS});
}

json_t *
leader_load(const char *path)
{
	AUTO_BUF text = BUF_INIT;

	return fs_read(AT_FDCWD, path, RECORD_MAX, &text, NULL) < 0
		   ? NULL
		   : json_parse(text.data, text.len, path, NULL);
}

int
leader_save(const char *path, const json_t *v, struct err *err)
{
	AUTO_FREE char *parent = fs_parent(path);
	AUTO_CLOSE int dir = fs_open_dir(AT_FDCWD, parent, err);
	AUTO_BUF text = BUF_INIT;

	json_print(v, true, &text);
	return dir < 0 ? -1
		       : fs_replace(dir, basename(path), text.data, text.len, FS_NOSYNC, err);
}

/* Makes the directories of done files, turns and answers.  The claim has made those above. */
static int
leader_make_dirs(const struct running *r, struct err *err)
{
	AUTO_FREE char *turns = lead_turns(r);

	return fs_mkdir(AT_FDCWD, leader_of(r)->dir, err) < 0 ||
		       fs_mkdir(r->home, "turns", err) < 0 ||
		       fs_mkdir(AT_FDCWD, turns, err) < 0 ||
		       fs_mkdir(r->dir, "answers", err) < 0
		   ? -1
		   : 0;
}

/* Says who has the lock. */
static int
leader_refuse(int dir, struct err *err)
{
	AUTO_BUF who = BUF_INIT;

	(void)!fs_read(dir, LOCK_NAME, LOCK_TEXT_MAX, &who, NULL);
	return err_set(err, "a todo list of this project is being worked through already%s%s",
	    who.len > 0 ? " by " : "", who.data);
}

static struct leader *
leader_new(void)
{
	struct leader *l = xcalloc(1, sizeof(*l));

	l->project = -1;
	return l;
}

/* Takes the lock of the project, which allows one run at a time: two would take each other's
 * changes for their own. */
static int
leader_claim(struct running *r, const struct settings *s, const char *uid, struct err *err)
{
	AUTO_FREE char *ai = xasprintf("%s/ai", s->root);
	AUTO_FREE char *path = xasprintf("%s/" TODO_DIR, s->root);
	AUTO_FREE char *who = xasprintf("'%s' (pid %" PRId64 "); see: ralph status %s",
	    r->spec->name, (int64_t)getpid(), r->spec->name);
	struct err why = ERR_INIT;
	AUTO_CLOSE int dir = -1;
	struct leader *l;

	(void)uid;
	if (r->own == NULL)
		r->own = leader_new();
	l = leader_of(r);
	if (l->project >= 0)
		return 0;
	if (fs_mkdir(AT_FDCWD, ai, err) < 0 || fs_mkdir(AT_FDCWD, path, err) < 0)
		return -1;
	dir = fs_open_dir(AT_FDCWD, path, err);
	if (dir < 0)
		return -1;
	l->project = lock_take(dir, LOCK_NAME, 0, who, &why);
	if (l->project >= 0)
		return 0;
	return why.code == EWOULDBLOCK ? leader_refuse(dir, err) : err_set(err, "%s", why.text);
}

static char *
facts_for_workers(const struct running *r)
{
	AUTO_JSON *v = json_object();
	AUTO_BUF out = BUF_INIT;

	json_put(v, "root", r->settings.root);
	json_put(v, "results", leader_of(r)->results.dir);
	json_put(v, "list", leader_of(r)->results.list);
	json_print(v, true, &out);
	return buf_detach(&out);
}

/* Tells the source about turns that go on after a crash. */
static void
resume_turns(struct running *r)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS && r->source != NULL; i++) {
		const struct loop_session *one = &r->state.sessions[i];
		char token[TOKEN_LEN + 1];

		if (one->state == SESSION_FREE || one->task[0] == '\0')
			continue;
		lead_token(r, one->id, one->iteration, token);
		todo_source_resume(r->source, one->task, one->started.wall, token);
	}
}

/* Can the desktop be seen now?  Asks each time, since displays come and go. */
static bool
sees_desktop(const struct running *r)
{
	struct err err = ERR_INIT;

	if (!r->settings.desktop || r->spec->stop)
		return false;
	if (picture_can(&err))
		return true;
	warning("no screenshots: %s", err.text);
	return false;
}

static int
leader_open(struct running *r, struct err *err)
{
	struct leader *l = leader_of(r);

	l->views = (struct todo_view *)running_view(r, &todo_view);
	l->astray = (struct astray *)running_view(r, &astray_view);
	l->dir = xasprintf("%s/" TODO_RESULTS, r->settings.root);
	l->results = (struct todo_results){
	    .dir = l->dir, .list = todo_list_name(r->settings.root, r->settings.todo_file)};
	l->facts = facts_for_workers(r);
	l->views->desktop = sees_desktop(r);
	if (leader_make_dirs(r, err) < 0)
		return -1;
	boxes_tell_gone(r, true);
	resume_turns(r);
	if (r->source != NULL)
		r->source->ops->listen(r->source, leader_on_news, r);
	return 0;
}

/* Does a session have the task?  The box may be ticked already: the work has landed only when a
 * fact says so. */
static bool
is_under_way(const struct running *r, const char *task)
{
	for (size_t i = 0; i < LOOP_MAX_SESSIONS; i++) {
		const struct loop_session *one = &r->state.sessions[i];

		if (one->state != SESSION_FREE && one->state != SESSION_WAITING &&
		    strcmp(one->task, task) == 0)
			return true;
	}
	return false;
}

/* Removes the records of tasks that are done, or not on the list any more.  Somebody else
 * completed these tasks, or a supervisor was killed before it removed the records. */
static void
forget_turns(struct running *r)
{
	AUTO_FREE char *dir = lead_turns(r);
	AUTO_STRLIST waiting = commit_earlier(r, "");
	AUTO_STRLIST all = NULL;

	if (fs_list(AT_FDCWD, dir, &all, NULL) < 0)
		return;
	for (char **at = all; *at != NULL; at++)
		if (!is_under_way(r, *at) && !strlist_has(waiting, *at) &&
		    !todo_source_has(r->source, *at))
			lead_forget(r, *at);
}

static void
leader_begin(struct running *r)
{
	if (r->spec->stop)
		return;
	forget_turns(r);
	/* No other commit may contain the changes that a worker is making.  Waiting commits are
	 * tried again after the commit of that worker. */
	if (loop_busy(&r->state) == 0) {
		boxes_settle(r);
		commit_waiting(r, false);
	}
	listen_start(r);
}

static void
leader_close(struct running *r)
{
	struct leader *l = leader_of(r);

	if (l == NULL)
		return;
	lock_release(&l->project);
	listen_stop(r);
	check_free(r);
	lead_free(r);
	ev_timer_stop(&l->assign);
	strlist_free(l->ticked);
	strlist_free(l->gone);
	free(l->branch);
	free(l->dir);
	free(l->facts);
	free(l);
	r->own = NULL;
}

/* ---- words ----------------------------------------------------------------------------- */

static void
answered(struct running *r, const struct answer *a)
{
	AUTO_BUF notes = BUF_INIT;

	r->source->ops->notes(r->source, &notes);
	warning_lines(notes.data);
	leader_of(r)->views->queued = a->kind == ANSWER_TASKS ? (int64_t)a->ncandidates : 0;
}

/* Adds the command that goes on; the usual list under its usual name need not be named. */
static void
leader_add_way_on(const struct running *r, struct buf *text)
{
	const struct settings *s = &r->settings;
	AUTO_FREE char *list = xasprintf("%s/" TODO_FILE, s->root);
	AUTO_FREE char *name = settings_default_name(s->root, "todo");

	if (strcmp(list, s->todo_file) == 0 && strcmp(name, r->spec->name) == 0)
		buf_adds(text, "'ralph todo' goes on.");
	else
		buf_addf(text, "'ralph resume %s' goes on.", r->spec->name);
}

/* Does the sentence about what is left in the list name the task? */
static bool
leader_is_told(const char *text, const char *task)
{
	AUTO_FREE char *words = xasprintf("%s is ", task);

	return strstr(text, words) != NULL;
}

/* Says how the run ended.  The words of the list about itself say more than "nothing is left";
 * and commits that were taken off their branch do not wait for anything. */
static void
add_sentence(const struct running *r, const struct fact *f, struct buf *text)
{
	AUTO_BUF way_on = BUF_INIT;
	char sentence[ENDING_MAX];

	if (f->reason == END_NO_WORK && f->text[0] != '\0') {
		buf_adds(text, f->text);
		return;
	}
	if (f->reason == END_UNLANDED && r->state.unlanded == 0) {
		buf_adds(text, "All tasks are done, but not all of their "
			       "commits are known to be on a branch.");
		return;
	}
	leader_add_way_on(r, &way_on);
	(void)ending_say(&(struct ending){.state = &r->state,
			     .reason = f->reason,
			     .text = f->text,
			     .way_on = way_on.data},
	    SAY_TODO, sentence);
	buf_adds(text, sentence);
}

/* The last words are said even when nothing else is.  "All tasks complete!" is a promise. */
static void
leader_say_end(struct running *r, const struct fact *f)
{
	const struct story *s = &leader_of(r)->views->story;
	size_t completed = s->completed == NULL ? 0 : strlist_len(s->completed);
	AUTO_BUF text = BUF_INIT;
	AUTO_BUF others = BUF_INIT;
	AUTO_BUF missing = BUF_INIT;

	if (r->console.json)
		return;
	add_sentence(r, f, &text);
	if (!end_reason_complete(f->reason)) {
		int64_t n = r->state.iteration - r->state.returned;

		buf_addf(&text, "\n%zu completed in %" PRId64 " iteration%s", completed, n,
		    n == 1 ? "" : "s");
		for (size_t i = 0; i < s->nleft; i++)
			if (!leader_is_told(f->text, s->left[i].task))
				buf_addf(&text, "\n%s: %s", s->left[i].task, s->left[i].why);
		if (f->text[0] != '\0')
			buf_addf(&text, "\n%s", f->text);
	}
	if (astray_text(leader_of(r)->astray) != NULL)
		buf_addf(&text, "\n%s", astray_text(leader_of(r)->astray));
	if (r->source != NULL)
		todo_source_missing(r->source, &missing);
	if (missing.len > 0)
		buf_addf(&text, "\nremoved from the list, and not done: %s", missing.data);
	if (leader_of(r)->detached && s->ncommits > 0)
		buf_adds(&text, "\nHEAD is detached: what was committed is on no branch "
				"('git branch NAME' gives it one)");
	if (!end_reason_asked(f->reason))
		boxes_others(r, &others);
	if (others.len > 0)
		buf_addf(&text, "\n%s", others.data);
	r->console.quiet = false;
	console_say(&r->console, text.data);
}

/* Tries waiting commits again: a commit shows that the way is free. */
static void
completed(struct running *r, const struct fact *f)
{
	if (r->source != NULL)
		r->source->ops->settle(r->source, f->task);
	lead_forget(r, f->task);
	if (f->kind == FACT_LANDED && f->key[0] != '\0' && r->state.unlanded > 0)
		commit_waiting(r, true);
	leader_of(r)->settled = false;
}

static void
note_given(struct leader *l, const struct fact *f)
{
	l->given = f->iteration;
	(void)snprintf(l->given_to, sizeof(l->given_to), "%s", f->session);
}

static void
leader_facts(struct running *r, const struct decision *d)
{
	for (size_t i = 0; i < d->nfacts; i++) {
		const struct fact *f = &d->facts[i];

		if (f->kind == FACT_STARTED || f->kind == FACT_ASSIGNED)
			note_given(leader_of(r), f);
		if (f->kind == FACT_FINISHED)
			leader_say_end(r, f);
		if (f->kind == FACT_ENDED && f->landing == 0)
			boxes_settle(r);
		if ((f->kind == FACT_LANDED || f->kind == FACT_SETTLED) &&
		    verdict_is_success(f->verdict) && f->fate != FATE_WAITING)
			completed(r, f);
	}
}

/* Appends the work that is not on its branch any more. */
static void
leader_unlanded(const struct running *r, struct buf *out)
{
	const char *astray = astray_text(leader_of(r)->astray);

	if (astray != NULL)
		buf_adds(out, astray);
}

static bool
leader_last(struct running *r, const struct loop_input *answer)
{
	return astray_look(leader_of(r)->astray, answer);
}

const struct kind kind_todo = {
    .source = &source_todo,
    .stays = true,
    .paths = (const char *const[]){"ai", TODO_DIR, TODO_RESULTS, TODO_LOGS, NULL},
    .voice = voice_line,
    .views = (const struct view_ops *const[]){&todo_view, &astray_view, NULL},
    .claim = leader_claim,
    .open = leader_open,
    .begin = leader_begin,
    .ask = commit_before_end,
    .answer = answered,
    .last = leader_last,
    .unlanded = leader_unlanded,
    .facts = leader_facts,
    .start = lead_give,
    .closed = lead_closed,
    .land = lead_land,
    .assign = lead_give,
    .check = check_start,
    .tell = tell_start,
    .end = lead_unasked,
    .close = leader_close,
};
