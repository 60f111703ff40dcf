/*
 * tickets_view.c - the fold of a run over tickets, and its files.
 */
#include "work/tickets/views/tickets_view.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/fs.h"
#include "base/text.h"
#include "base/userfile.h"
#include "work/tickets/views/run_view.h"
#include <errno.h>

#define RALPH_DIR ".tf/ralph"
#define NOTE_MAX ((size_t)16 * 1024)

/* Which files a fact changes. */
enum dirt {
	DIRTY_RUN = 1,
	DIRTY_PROGRESS = 2,
	DIRTY_SESSIONS = 4,
	DIRTY_LESSONS = 8,
};

struct tickets_view {
	struct view view;
	struct run_view fold;
	unsigned dirty;
	bool synced;	/* the state file was on disk once */
	struct buf run; /* the bytes that we wrote last to the state file */
};

/* ---- sessions and outcomes ----------------------------------------------------------- */

static struct view_session *
views_tickets_session_find(struct run_view *v, const char *id)
{
	for (size_t i = v->nsessions; i > 0; i--)
		if (strcmp(v->sessions[i - 1].id, id) == 0)
			return &v->sessions[i - 1];
	return NULL;
}

/* The text fits, or the maker of the fact has cut it. */
static void
views_tickets_copy(char *to, size_t size, const char *from)
{
	(void)snprintf(to, size, "%s", from);
}

static struct view_session *
session_add(struct run_view *v, const struct fact *f)
{
	struct view_session *s = views_tickets_session_find(v, f->session);

	if (s != NULL)
		return s;
	v->sessions = xreallocarray(v->sessions, v->nsessions + 1, sizeof(*v->sessions));
	s = &v->sessions[v->nsessions++];
	memset(s, 0, sizeof(*s));
	views_tickets_copy(s->id, sizeof(s->id), f->session);
	views_tickets_copy(s->ticket, sizeof(s->ticket), f->task);
	friendly_name(v->uid, f->iteration, s->friendly);
	s->iteration = f->iteration;
	s->attempt = f->attempt;
	s->started = f->at.wall;
	return s;
}

static void
notes_release(struct view_session *s)
{
	free(s->summary);
	free(s->lesson);
}

static void
session_release(struct view_session *s)
{
	notes_release(s);
	free(s->place);
}

static void
session_remove(struct run_view *v, const char *id)
{
	struct view_session *s = views_tickets_session_find(v, id);

	if (s == NULL)
		return;
	session_release(s);
	v->nsessions--;
	memmove(s, s + 1, (size_t)(v->sessions + v->nsessions - s) * sizeof(*s));
}

static void
outcome_set(struct run_view *v, const char *ticket, bool failed, const char *reason)
{
	struct view_outcome *o = NULL;

	for (size_t i = 0; i < v->noutcomes && o == NULL; i++)
		if (strcmp(v->outcomes[i].ticket, ticket) == 0)
			o = &v->outcomes[i];
	if (o == NULL) {
		v->outcomes =
		    xreallocarray(v->outcomes, v->noutcomes + 1, sizeof(*v->outcomes));
		o = &v->outcomes[v->noutcomes++];
		memset(o, 0, sizeof(*o));
		views_tickets_copy(o->ticket, sizeof(o->ticket), ticket);
	}
	o->failed = failed;
	views_tickets_copy(o->reason, sizeof(o->reason), failed ? reason : "");
}

/* ---- facts --------------------------------------------------------------------------- */

static unsigned
on_opened(struct run_view *v, const struct fact *f)
{
	views_tickets_copy(v->uid, sizeof(v->uid), f->uid);
	if (v->settings->run_since == NULL ||
	    clock_parse(v->settings->run_since, &v->opened) < 0)
		v->opened = f->at.wall;
	return DIRTY_RUN | DIRTY_PROGRESS;
}

static unsigned
on_started(struct run_view *v, const struct fact *f)
{
	struct view_session *s = session_add(v, f);

	views_tickets_copy(s->title, sizeof(s->title), f->title);
	views_tickets_copy(s->components, sizeof(s->components), f->components);
	return DIRTY_RUN | DIRTY_PROGRESS | DIRTY_SESSIONS;
}

static unsigned
on_unstarted(struct run_view *v, const struct fact *f)
{
	session_remove(v, f->session);
	return DIRTY_RUN | DIRTY_PROGRESS | DIRTY_SESSIONS;
}

static unsigned
views_tickets_on_running(struct run_view *v, const struct fact *f)
{
	struct view_session *s = views_tickets_session_find(v, f->session);

	if (s == NULL)
		return 0;
	s->pid = f->pid;
	return DIRTY_SESSIONS;
}

static unsigned
views_tickets_on_ended(struct run_view *v, const struct fact *f)
{
	struct view_session *s = views_tickets_session_find(v, f->session);

	if (s == NULL)
		return 0;
	s->ended = f->at.wall;
	s->duration = f->duration;
	s->exit = f->exit;
	s->verdict = f->verdict;
	if (f->landing != 0)
		return 0;
	s->status = f->verdict == VERDICT_LOST ? VIEW_LOST : VIEW_STOPPED;
	return DIRTY_RUN | DIRTY_PROGRESS | DIRTY_SESSIONS;
}

static unsigned
views_tickets_on_landed(struct run_view *v, const struct fact *f)
{
	struct view_session *s = session_add(v, f);
	AUTO_BUF reason = BUF_INIT;

	s->ended = f->at.wall;
	s->verdict = f->verdict;
	views_tickets_copy(s->text, sizeof(s->text), f->text);
	s->fate = f->fate;
	views_tickets_copy(s->others, sizeof(s->others), f->others);
	views_tickets_copy(s->left, sizeof(s->left), f->why);
	s->status = verdict_is_success(f->verdict)	 ? VIEW_COMPLETED
		    : verdict_is_interrupted(f->verdict) ? VIEW_STOPPED
							 : VIEW_FAILED;
	view_reason(s, &reason);
	if (s->status == VIEW_COMPLETED || (s->status == VIEW_FAILED && f->retry == 0))
		outcome_set(v, f->task, s->status == VIEW_FAILED, reason.data);
	return DIRTY_RUN | DIRTY_PROGRESS | DIRTY_SESSIONS | DIRTY_LESSONS;
}

static unsigned
views_tickets_on_settled(struct run_view *v, const struct fact *f)
{
	outcome_set(v, f->task, !verdict_is_success(f->verdict),
	    f->text[0] != '\0' ? f->text : verdict_name(f->verdict));
	return DIRTY_RUN | DIRTY_PROGRESS;
}

static unsigned
on_finished(struct run_view *v, const struct fact *f)
{
	v->finished = true;
	v->reason = f->reason;
	v->ended = f->at.wall;
	views_tickets_copy(v->text, sizeof(v->text), f->text);
	views_tickets_copy(v->unlanded, sizeof(v->unlanded), f->why);
	views_tickets_copy(v->others, sizeof(v->others), f->others);
	return DIRTY_RUN | DIRTY_PROGRESS | DIRTY_SESSIONS;
}

/* Failed tickets are tried again after a run that came to its end, not after an interrupted one
 * (loop/apply.c). */
static unsigned
on_reopened(struct run_view *v, const struct fact *f UNUSED)
{
	bool again = end_reason_tries_again(v->reason);
	size_t kept = 0;

	v->finished = false;
	for (size_t i = 0; i < v->noutcomes; i++)
		if (!v->outcomes[i].failed || !again)
			v->outcomes[kept++] = v->outcomes[i];
	v->noutcomes = kept;
	return DIRTY_RUN | DIRTY_PROGRESS;
}

static unsigned
on_edited(struct run_view *v UNUSED, const struct fact *f UNUSED)
{
	return DIRTY_RUN;
}

/* A fact that no view shows has no row. */
static unsigned (*const folds[FACT_COUNT])(struct run_view *, const struct fact *) = {
    [FACT_OPENED] = on_opened,
    [FACT_STARTED] = on_started,
    [FACT_UNSTARTED] = on_unstarted,
    [FACT_RUNNING] = views_tickets_on_running,
    [FACT_ENDED] = views_tickets_on_ended,
    [FACT_LANDED] = views_tickets_on_landed,
    [FACT_SETTLED] = views_tickets_on_settled,
    [FACT_EDITED] = on_edited,
    [FACT_FINISHED] = on_finished,
    [FACT_REOPENED] = on_reopened,
};

static void
tickets_view_fact(struct view *v, const struct decided *d UNUSED, const struct fact *f)
{
	struct tickets_view *t = (struct tickets_view *)v;
	unsigned dirt = folds[f->kind] == NULL ? 0 : folds[f->kind](&t->fold, f);

	t->dirty |= dirt;
	if (dirt != 0)
		t->fold.updated = f->at.wall;
}

void
tickets_view_note(
    struct tickets_view *t, const char *session, const char *summary, const char *lesson)
{
	struct view_session *s = views_tickets_session_find(&t->fold, session);

	if (s == NULL)
		return;
	notes_release(s);
	s->summary = summary == NULL ? NULL : xstrndup(summary, NOTE_MAX);
	s->lesson = lesson == NULL ? NULL : xstrndup(lesson, NOTE_MAX);
	s->learnt = false;
}

void
tickets_view_place(struct tickets_view *t, const char *session, const char *path)
{
	struct view_session *s = views_tickets_session_find(&t->fold, session);

	if (s == NULL || path == NULL || (s->place != NULL && strcmp(s->place, path) == 0))
		return;
	free(s->place);
	s->place = xstrdup(path);
	t->dirty |= DIRTY_RUN | DIRTY_SESSIONS;
}

const struct run_view *
tickets_view_run(const struct tickets_view *t)
{
	return &t->fold;
}

/* ---- a life -------------------------------------------------------------------------- */

static void
tickets_view_close(struct view *v)
{
	struct tickets_view *t = (struct tickets_view *)v;

	for (size_t i = 0; i < t->fold.nsessions; i++)
		session_release(&t->fold.sessions[i]);
	free(t->fold.sessions);
	free(t->fold.outcomes);
	buf_release(&t->run);
	free(t);
}

static struct view *
tickets_view_open(const struct view_of *of, struct err *err)
{
	AUTO_CLOSE int dir = tickets_view_dir(of->settings->root, err);
	struct tickets_view *t;

	if (dir < 0)
		return NULL;
	t = view_new(sizeof(*t), &tickets_view, of);
	t->fold.loop = of->loop;
	t->fold.settings = of->settings;
	buf_init(&t->run);
	/* Half-written views of a killed supervisor; they are worth no failure. */
	(void)!fs_sweep(dir, NULL);
	return &t->view;
}

/* ---- writing ------------------------------------------------------------------------- */

static int
write_run(struct tickets_view *t, int dir, const struct loop_state *state, struct err *err)
{
	AUTO_JSON *doc = NULL;
	AUTO_BUF text = BUF_INIT;

	if (view_is_over(&t->fold)) {
		buf_clear(&t->run);
		return fs_unlink(dir, RUN_FILE, err);
	}
	doc = run_document(&t->fold, state);
	json_print(doc, false, &text);
	buf_addc(&text, '\n');
	if (buf_same(&text, &t->run))
		return 0;
	/* After the first sync an older state file is good enough after a power cut: the
	 * journal has the rest. */
	if (fs_replace(
		dir, RUN_FILE, text.data, text.len, t->synced ? FS_NOSYNC : FS_SYNC, err) < 0)
		return -1;
	t->synced = true;
	buf_clear(&t->run);
	buf_add(&t->run, text.data, text.len);
	return 0;
}

static int
write_sessions(struct tickets_view *t, int dir, struct err *err)
{
	AUTO_BUF old = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	AUTO_JSON *before = NULL;
	AUTO_JSON *doc = NULL;

	if (view_read(dir, SESSIONS_FILE, &old, err) < 0)
		return -1;
	before = json_parse(old.data, old.len, SESSIONS_FILE, NULL);
	/* A file that cannot be parsed is not ours, so it is moved aside, not overwritten. */
	if (before == NULL && old.len > 0 && fs_move_aside(dir, SESSIONS_FILE, NULL, err) < 0)
		return -1;
	doc = sessions_document(&t->fold, before);
	json_print(doc, false, &text);
	buf_addc(&text, '\n');
	return buf_same(&text, &old)
		   ? 0
		   : fs_replace(dir, SESSIONS_FILE, text.data, text.len, FS_NOSYNC, err);
}

static int
write_progress(struct tickets_view *t, int dir, const struct loop_state *state, struct err *err)
{
	AUTO_BUF old = BUF_INIT;
	AUTO_BUF text = BUF_INIT;

	if (view_read(dir, PROGRESS_FILE, &old, err) < 0)
		return -1;
	progress_render(&t->fold, state, &old, &text);
	if (!buf_same(&text, &old) &&
	    userfile_replace(dir, PROGRESS_FILE, &old, &text, err) < 0)
		return -1;
	for (size_t i = 0; i < t->fold.nsessions; i++)
		t->fold.sessions[i].told |= t->fold.sessions[i].status != VIEW_ACTIVE;
	return 0;
}

static int
write_lessons(struct tickets_view *t, int dir, struct err *err)
{
	AUTO_BUF old = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	bool any = false;

	for (size_t i = 0; i < t->fold.nsessions; i++)
		any |= t->fold.sessions[i].lesson != NULL && !t->fold.sessions[i].learnt &&
		       t->fold.sessions[i].status != VIEW_ACTIVE;
	if (!any)
		return 0;
	if (view_read(dir, LESSONS_FILE, &old, err) < 0)
		return -1;
	lessons_render(&t->fold, &old, &text);
	if (!buf_same(&text, &old) && userfile_replace(dir, LESSONS_FILE, &old, &text, err) < 0)
		return -1;
	for (size_t i = 0; i < t->fold.nsessions; i++)
		t->fold.sessions[i].learnt |= t->fold.sessions[i].status != VIEW_ACTIVE;
	return 0;
}

/* Clears the bit after success. */
static void
views_tickets_settle(struct tickets_view *t, unsigned bit, int rc, int *worst)
{
	if (rc == 0)
		t->dirty &= ~bit;
	else
		*worst = rc;
}

static int
tickets_view_write(struct view *v, const struct loop_state *state, struct err *err)
{
	struct tickets_view *t = (struct tickets_view *)v;
	AUTO_CLOSE int dir = -1;
	int rc = 0;

	if (t->dirty == 0)
		return 0;
	/* Opens the directory anew each time, since the user may replace it at any time; a
	 * missing one is made again. */
	dir = view_dir(t->fold.settings->root, RALPH_DIR, err);
	if (dir < 0)
		return -1;
	/* The state file goes last, and only then: while it is there, the rest may still be
	 * missing. */
	if (t->dirty & DIRTY_LESSONS)
		views_tickets_settle(t, DIRTY_LESSONS, write_lessons(t, dir, err), &rc);
	if (t->dirty & DIRTY_PROGRESS)
		views_tickets_settle(
		    t, DIRTY_PROGRESS, write_progress(t, dir, state, err), &rc);
	if (t->dirty & DIRTY_SESSIONS)
		views_tickets_settle(t, DIRTY_SESSIONS, write_sessions(t, dir, err), &rc);
	if ((t->dirty & DIRTY_RUN) && (rc == 0 || !view_is_over(&t->fold)))
		views_tickets_settle(t, DIRTY_RUN, write_run(t, dir, state, err), &rc);
	return rc;
}

const struct view_ops tickets_view = {
    .name = RALPH_DIR,
    .past = true,
    .open = tickets_view_open,
    .fact = tickets_view_fact,
    .write = tickets_view_write,
    .close = tickets_view_close,
};

/* ---- words --------------------------------------------------------------------------- */

void
tickets_view_names(const struct tickets_view *t, struct buf *completed, struct buf *failed)
{
	for (size_t i = 0; i < t->fold.noutcomes; i++) {
		const struct view_outcome *o = &t->fold.outcomes[i];
		struct buf *out = o->failed ? failed : completed;

		if (out->len > 0)
			buf_adds(out, ", ");
		view_line(o->ticket, sizeof(o->ticket), out);
	}
}

void
tickets_view_meddled(const struct tickets_view *t, struct buf *out)
{
	for (size_t i = 0; i < t->fold.nsessions; i++) {
		const struct view_session *s = &t->fold.sessions[i];

		if (s->others[0] == '\0')
			continue;
		view_field(out->len > 0 ? "; " : "", s->others, sizeof(s->others),
		    " by the agent of ", out);
		view_line(s->ticket, sizeof(s->ticket), out);
	}
}
