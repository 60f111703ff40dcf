#include "work/graph/graph_place.h"

#include "base/alloc.h"
#include "base/fs.h"
#include "base/links.h"
#include "base/text.h"
#include "base/userfile.h"
#include "work/graph/graph_edit.h"
#include <errno.h>
#include <fcntl.h>

enum { NAMES_SHOWN = 3 };

/* ---- the place ----------------------------------------------------------------------- */

static int
graph_place_find(const char *from, char **root, struct err *err)
{
	AUTO_FREE char *at = realpath(from, NULL);
	AUTO_FREE char *top = NULL;
	AUTO_FREE char *common = NULL;

	if (at == NULL)
		return err_errno(err, "cannot find %s", from);
	(void)!claims_place(at, &top, &common, NULL);
	for (;;) {
		AUTO_FREE char *file = xasprintf("%s/%s", at, GRAPH_FILE);
		char *slash = strrchr(at, '/');

		if (access(file, F_OK) == 0) {
			*root = take_ptr(at);
			return 0;
		}
		if ((top != NULL && strcmp(at, top) == 0) || slash == NULL || slash == at)
			break;
		*slash = '\0';
	}
	return err_code(err, ENOENT,
	    "there is no " GRAPH_FILE " here or above; 'ralph graph init' makes one");
}

static char *
env_or(const char *name, const char *otherwise)
{
	const char *value = getenv(name);

	if (value != NULL && *value != '\0')
		return xstrdup(value);
	return otherwise != NULL ? xstrdup(otherwise) : NULL;
}

int
graph_place_open(struct graph_place *p, const char *from, struct err *err)
{
	const char *top;

	*p = (struct graph_place){.fd = -1, .trigger = "ralph graph", .wait = GRAPH_WAIT};
	if (graph_place_find(from, &p->root, err) < 0)
		return -1;
	p->fd = fs_open_dir(AT_FDCWD, p->root, err);
	p->claims = p->fd < 0 ? NULL : claims_open(p->root, CLAIMS_GRAPH, err);
	if (p->claims == NULL) {
		graph_place_close(p);
		return -1;
	}
	top = claims_worktree(p->claims);
	p->story = env_or("WORKTREE_STORY", NULL);
	p->who = env_or("WORKTREE", basename(top));
	return 0;
}

void
graph_place_close(struct graph_place *p)
{
	claims_close(p->claims);
	auto_close_fn(&p->fd);
	free(p->root);
	free(p->story);
	free(p->who);
	*p = (struct graph_place){.fd = -1};
}

static enum claim_result
graph_place_load(struct graph_place *p, struct graph *g, struct buf *problems, struct err *err)
{
	AUTO_BUF none = BUF_INIT;
	AUTO_BUF text = BUF_INIT;
	struct err why = ERR_INIT;

	if (links_check_path(p->fd, GRAPH_FILE, &why) < 0 ||
	    fs_read(p->fd, GRAPH_FILE, YTREE_MAX, &text, &why) < 0 ||
	    graph_parse(g, GRAPH_FILE, &text, problems != NULL ? problems : &none, &why) < 0) {
		(void)err_pass(err, &why);
		return why.code == EBADMSG ? CLAIM_INVALID : CLAIM_IO_ERROR;
	}
	graph_overlay(g, p->claims);
	return CLAIM_CLAIMED;
}

enum claim_result
graph_look(struct graph_place *p, struct graph *g, struct buf *problems, struct err *err)
{
	*g = (struct graph){.text = BUF_INIT};
	if (claims_read(p->claims, err) < 0)
		return CLAIM_IO_ERROR;
	return graph_place_load(p, g, problems, err);
}

enum claim_result
graph_lock(struct graph_place *p, struct err *err)
{
	struct err why = ERR_INIT;

	if (claims_lock(p->claims, p->wait, &why) == 0)
		return CLAIM_CLAIMED;
	(void)err_pass(err, &why);
	return why.code == EWOULDBLOCK ? CLAIM_BUSY : CLAIM_IO_ERROR;
}

enum claim_result
graph_begin(struct graph_place *p, struct graph *g, struct buf *problems, struct err *err)
{
	enum claim_result rc = graph_lock(p, err);

	*g = (struct graph){.text = BUF_INIT};
	if (rc != CLAIM_CLAIMED)
		return rc;
	rc = graph_place_load(p, g, problems, err);
	if (rc != CLAIM_CLAIMED)
		claims_unlock(p->claims);
	return rc;
}

void
graph_end(struct graph_place *p, struct graph *g)
{
	claims_unlock(p->claims);
	graph_release(g);
}

void
graph_offer_init(struct graph_offer *o)
{
	*o = (struct graph_offer){.prompt = BUF_INIT, .notes = BUF_INIT};
}

void
graph_offer_release(struct graph_offer *o)
{
	free(o->id);
	free(o->title);
	buf_release(&o->prompt);
	buf_release(&o->notes);
	graph_offer_init(o);
}

/* ---- changes to the graph ------------------------------------------------------------ */

void
graph_set_status(struct yedits *e, struct graph_task *t, enum task_status status)
{
	yedits_set(e, t->node, "status", task_status_name(status), YVALUE_TEXT, "title");
	t->status = status;
}

void
graph_settle(struct yedits *e, struct graph_task *t)
{
	enum task_status wanted = graph_unmet(t) == NULL ? TASK_READY : TASK_PENDING;

	if ((t->status == TASK_READY || t->status == TASK_PENDING) && t->status != wanted)
		graph_set_status(e, t, wanted);
}

int
graph_write(struct graph_place *p, struct graph *g, struct yedits *e, struct err *err)
{
	AUTO_BUF text = BUF_INIT;

	if (yedits_none(e))
		return 0;
	graph_meta(e, g);
	if (graph_verify_edits(g, e, err) < 0 ||
	    yedits_make(e, GRAPH_FILE, g->text.len, &text, err) < 0)
		return -1;
	return userfile_replace(p->fd, GRAPH_FILE, &g->text, &text, err);
}

/* ---- choosing ------------------------------------------------------------------------ */

enum claim_result
graph_answer(enum claim_result result, struct err *err, const char *fmt, ...)
{
	AUTO_BUF text = BUF_INIT;
	va_list ap;

	va_start(ap, fmt);
	buf_vaddf(&text, fmt, ap);
	va_end(ap);
	(void)err_set(err, "%s", text.data);
	return result;
}

/* Says in a few words who has the task. */
static void
add_owner(const struct graph_task *t, struct buf *out)
{
	if (t->claim == NULL)
		buf_adds(out, "by whom is not known");
	else
		claim_describe(t->claim, out);
}

enum claim_result
graph_unknown(const char *id, int code, struct err *err)
{
	AUTO_BUF shown = BUF_INIT;

	text_quote(&shown, id);
	(void)err_code(err, code, "no task has the id %s", shown.data);
	return CLAIM_REFUSED;
}

static enum claim_result
choose_named(const struct graph_place *p, const struct graph *g, const struct graph_request *r,
    struct graph_task **out, struct err *err)
{
	struct graph_task *t = graph_find(g, r->id);
	const struct graph_task *needed = t != NULL ? graph_unmet(t) : NULL;
	AUTO_BUF owner = BUF_INIT;

	if (t == NULL)
		return graph_unknown(r->id, 0, err);
	if (graph_is_elsewhere(t) && t->here)
		return graph_answer(CLAIM_REFUSED, err,
		    "%s was completed here, though the graph does not say so; 'ralph graph "
		    "complete %s' says it again, 'ralph graph reset %s' frees it",
		    t->id, t->id, t->id);
	if (graph_is_elsewhere(t))
		return graph_answer(CLAIM_REFUSED, err,
		    "%s is complete in %s; merge that, or 'ralph graph reset %s'", t->id,
		    t->claim->worktree, t->id);
	if (t->now == TASK_COMPLETE)
		return graph_answer(CLAIM_REFUSED, err, "%s is complete", t->id);
	if (!r->force && !graph_is_of(t, p->story))
		return graph_answer(CLAIM_REFUSED, err,
		    "%s is not of story %s (WORKTREE_STORY); --force takes it", t->id,
		    p->story);
	if (t->now == TASK_BLOCKED)
		return graph_answer(CLAIM_REFUSED, err, "%s has the status blocked", t->id);
	if (needed != NULL)
		return graph_answer(CLAIM_REFUSED, err, "%s waits for %s, which is %s", t->id,
		    needed->id,
		    !graph_is_elsewhere(needed) ? task_status_name(needed->now)
		    : needed->here		? "complete, though the graph does not say so"
						: "complete elsewhere, but not merged here");
	if (!graph_is_ready(t)) {
		add_owner(t, &owner);
		return graph_answer(CLAIM_REFUSED, err,
		    "%s is in progress: %s; 'ralph graph reset %s' frees it", t->id, owner.data,
		    t->id);
	}
	*out = t;
	return CLAIM_CLAIMED;
}

/* Finds the task that the same owner claimed but could not write down; NULL when the owner does
 * not hold the claim any more. */
static struct graph_task *
half_claimed(const struct graph *g, const struct graph_request *r)
{
	struct graph_task *t = r->half != NULL ? graph_find(g, r->half) : NULL;

	if (t == NULL || t->now == TASK_COMPLETE || t->claim == NULL ||
	    t->claim->state != CLAIM_HELD || t->claim->owner.pid != r->owner ||
	    claim_is_anothers(t->claim, r->owner))
		return NULL;
	return t;
}

enum claim_result
graph_choose(const struct graph_place *p, const struct graph *g, const struct graph_request *r,
    struct graph_task **out, struct err *err)
{
	AUTO_BUF why = BUF_INIT;

	if (r->id != NULL)
		return choose_named(p, g, r, out, err);
	/* A story that is mistyped must not look like one that is done. */
	if (p->story != NULL && !graph_has_story(g, p->story))
		return graph_answer(
		    CLAIM_REFUSED, err, "no task is of story %s (WORKTREE_STORY)", p->story);
	*out = half_claimed(g, r);
	if (*out == NULL)
		*out = graph_next(g, p->story);
	if (*out != NULL)
		return CLAIM_CLAIMED;
	if (!graph_has_open(g, p->story))
		return graph_answer(CLAIM_ALL_COMPLETE, err, "all tasks complete");
	graph_explain(g, p->story, &why);
	return graph_answer(CLAIM_BLOCKED, err, "blocked: %s", why.data);
}

/* ---- claiming ------------------------------------------------------------------------ */

/* Notes other tasks that this work tree took and nobody ended: perhaps they were forgotten. */
static void
note_others(const struct graph_place *p, const struct graph *g, const struct graph_task *t,
    struct buf *notes)
{
	AUTO_BUF names = BUF_INIT;
	size_t n = 0;

	for (size_t i = 0; i < g->ntasks; i++) {
		const struct graph_task *o = &g->tasks[i];

		if (o == t || o->now != TASK_IN_PROGRESS || o->claim == NULL ||
		    claim_is_alive(o->claim) ||
		    strcmp(o->claim->worktree, claims_worktree(p->claims)) != 0 ||
		    n++ >= NAMES_SHOWN)
			continue;
		buf_addf(&names, "%s%s", n > 1 ? ", " : "", o->id);
	}
	if (n > 0)
		buf_addf(notes,
		    "still in progress in this work tree: %s%s ('ralph graph complete ID' or "
		    "'reset ID' ends that)\n",
		    names.data, n > NAMES_SHOWN ? ", ..." : "");
}

static void
note_void(const struct graph_task *t, struct buf *notes)
{
	AUTO_BUF owner = BUF_INIT;

	if (t->claim == NULL)
		return;
	add_owner(t, &owner);
	buf_addf(notes, "%s was claimed and left without a verdict: %s; it is taken over\n",
	    t->id, owner.data);
}

static int
write_claimed(struct graph_place *p, struct graph *g, struct graph_task *t, struct err *err)
{
	AUTO_BUF now = BUF_INIT;
	struct yedits e;
	int rc;

	clock_fmt_rfc3339(clock_wall(), &now);
	yedits_init(&e, &g->tree);
	graph_set_status(&e, t, TASK_IN_PROGRESS);
	yedits_set(&e, t->node, "claimed_at", now.data, YVALUE_TEXT, "status");
	yedits_set(&e, t->node, "claimed_by", p->who, YVALUE_TEXT, "status");
	rc = graph_write(p, g, &e, err);
	yedits_release(&e);
	return rc;
}

/*
 * Until the graph shows the claim, too, this process owns the claim: if this process dies
 * meanwhile, the claim is void, and the task is not lost to an owner that never began.
 */
static enum claim_result
graph_place_take(
    struct graph_place *p, struct graph *g, struct graph_task *t, pid_t owner, struct err *err)
{
	pid_t first = owner != 0 ? owner : getpid();
	enum claim_result rc = claims_claim(p->claims, t->id, first, NULL, err);
	struct err ignored = ERR_INIT;

	if (rc != CLAIM_CLAIMED)
		return rc;
	if (write_claimed(p, g, t, err) == 0 &&
	    (owner != 0 || claims_beat(p->claims, t->id, owner, 0, err) == 0))
		return CLAIM_CLAIMED;
	/* After a disk error the graph may show the claim nevertheless: only the last sync may
	 * have failed.  With a claim, which becomes void when we are gone, the task can be
	 * taken again; without one it would be in progress for nobody. */
	if (err->code == 0 || err->code == EBADMSG)
		(void)!claims_done(p->claims, t->id, first, CLAIM_FREE, NULL, &ignored);
	return CLAIM_IO_ERROR;
}

/* Call with the lock held. */
static enum claim_result
claim_locked(struct graph_place *p, struct graph *g, const struct graph_request *r,
    struct graph_offer *offer, struct err *err)
{
	struct graph_task *t = NULL;
	struct graph_event event = {.event = "claim-blocked", .task = r->id};
	enum claim_result rc = graph_choose(p, g, r, &t, err);

	if (rc == CLAIM_CLAIMED) {
		offer->id = xstrdup(t->id);
		offer->title = xstrdup(t->title);
		graph_prompt(p, g, t, &offer->prompt);
		note_void(t, &offer->notes);
		/* A loop knows the tasks that it has left, and reports them itself. */
		if (r->owner == 0)
			note_others(p, g, t, &offer->notes);
		event = (struct graph_event){.event = "claimed",
		    .task = t->id,
		    .before = task_status_name(t->now),
		    .after = task_status_name(TASK_IN_PROGRESS)};
		rc = graph_place_take(p, g, t, r->owner, err);
		if (rc != CLAIM_CLAIMED)
			return rc;
	} else {
		event.notes = err->text;
		offer->failed = graph_has_failed(g, p->story);
	}
	if (rc != CLAIM_ALL_COMPLETE)
		graph_audit(p, &event, &offer->notes);
	return rc;
}

enum claim_result
graph_claim(struct graph_place *p, const struct graph_request *r, struct graph_offer *offer,
    struct err *err)
{
	struct err why = ERR_INIT;
	struct graph g;
	enum claim_result rc = graph_begin(p, &g, NULL, &why);

	if (rc == CLAIM_CLAIMED) {
		rc = claim_locked(p, &g, r, offer, &why);
		graph_end(p, &g);
	}
	if (rc != CLAIM_CLAIMED)
		(void)err_pass(err, &why);
	return rc;
}
