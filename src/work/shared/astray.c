#include "work/shared/astray.h"

#include "base/alloc.h"
#include "base/json.h"
#include "base/log.h"
#include "git/landing/astray.h"
#include "supervisor/step.h"
#include "ticket/ticket.h"

struct made {
	char id[TASK_ID_MAX]; /* the id of the task, or another name for it */
	char commit[32];
	char trailer[SESSION_ID_MAX + 32];
	bool seen; /* not made by us: HEAD was there when the task ended */
};

struct astray {
	struct view view;
	struct made *list; /* commits of this run */
	size_t n;
	struct buf text;
};

/* ---- the account ----------------------------------------------------------------- */

/* A trailer of the commit names the task in a loop that leads, else the session. */
static void
made_add(struct astray *a, const struct fact *f, const char *commit)
{
	bool leads = a->view.of.settings->leads;
	AUTO_BUF id = BUF_INIT;
	struct made *m;

	a->list = xreallocarray(a->list, a->n + 1, sizeof(*a->list));
	m = &a->list[a->n++];
	m->seen = f->key[0] == '\0';
	ticket_slug(f->task, &id);
	(void)snprintf(m->id, sizeof(m->id), "%s", id.data);
	(void)snprintf(
	    m->commit, sizeof(m->commit), "%.*s", (int)sizeof(m->commit) - 1, commit);
	(void)snprintf(m->trailer, sizeof(m->trailer), "%s: %.*s",
	    leads ? "Task" : "Ralph-Session", SESSION_ID_MAX, leads ? m->id : f->session);
}

/* The commit that a task's work ended with: ours, or the one that an agent of a loop that leads
 * made itself.  "": there is none. */
static const char *
commit_of(const struct settings *s, const struct fact *f)
{
	return f->key[0] == '\0' && s->leads && f->kind == FACT_LANDED ? f->why : f->key;
}

static struct view *
astray_open(const struct view_of *of, struct err *err UNUSED)
{
	struct astray *a = view_new(sizeof(*a), &astray_view, of);

	buf_init(&a->text);
	return &a->view;
}

static void
astray_fact(struct view *v, const struct decided *d UNUSED, const struct fact *f)
{
	struct astray *a = (struct astray *)v;

	const char *commit = commit_of(v->of.settings, f);

	if ((f->kind == FACT_LANDED || f->kind == FACT_SETTLED) &&
	    verdict_is_success(f->verdict) && commit[0] != '\0')
		made_add(a, f, commit);
	else if (f->kind == FACT_FINISHED && !end_reason_asked(f->reason))
		a->n = 0;
}

const char *
astray_text(const struct astray *a)
{
	return a->text.len == 0 ? NULL : a->text.data;
}

static void
astray_close(struct view *v)
{
	struct astray *a = (struct astray *)v;

	free(a->list);
	buf_release(&a->text);
	free(a);
}

const struct view_ops astray_view = {
    .name = "commits",
    .past = true,
    .open = astray_open,
    .fact = astray_fact,
    .close = astray_close,
};

/* ---- the look -------------------------------------------------------------------- */

/* Runs in a job, which has a copy of everything by its fork. */
static int
astray_look_run(const void *arg, struct buf *out, struct err *err)
{
	const struct astray *a = arg;
	const struct settings *s = a->view.of.settings;
	struct astray_commit *commits = xcalloc(a->n, sizeof(*commits));
	AUTO_JSON *found = json_array();
	int rc;

	for (size_t i = 0; i < a->n; i++)
		commits[i] = (struct astray_commit){.id = a->list[i].id,
		    .commit = a->list[i].commit,
		    .trailer = a->list[i].trailer,
		    .seen = a->list[i].seen};
	rc = astray_find(&(struct astray_look){.dir = s->top != NULL ? s->top : s->root,
			     .branch = s->leads ? NULL : s->branch,
			     .commits = commits,
			     .n = a->n},
	    found, err);
	json_print(found, true, out);
	free(commits);
	return rc;
}

static void
add_one(const struct settings *s, const json_t *one, struct buf *text)
{
	const char *ref = json_str(one, "ref", NULL);

	/* Anybody may have made a commit at which HEAD was seen when the task ended. */
	buf_addf(text, "%s%s %s %s, and ", text->len > 0 ? "; " : "", json_str(one, "id", ""),
	    json_bool(one, "seen", false) ? "ended with HEAD at" : "was committed as",
	    json_str(one, "commit", ""));
	if (ref == NULL)
		buf_adds(text, "that is not in the repository any more");
	else if (s->leads)
		buf_addf(text, "no branch has that any more (git cherry-pick %s)", ref);
	else
		buf_addf(text, "%s has not got that any more (git merge %s)", s->branch, ref);
}

static void
astray_looked(
    struct running *r, void *arg, int rc, const struct buf *out, const struct err *err)
{
	AUTO_JSON *found = rc < 0 ? NULL : json_parse(out->data, out->len, "commits", NULL);
	struct astray *a = arg;

	buf_clear(&a->text);
	if (rc < 0)
		buf_addf(&a->text,
		    "whether all commits of this run are still there is not known: %s",
		    err->text);
	for (size_t i = 0; i < json_array_size(found); i++)
		add_one(&r->settings, json_array_get(found, i), &a->text);
	running_input_put_off_over(r);
}

/* Is there a candidate that may still be begun, by whomever? */
static bool
any_open(const struct running *r, const struct loop_input *in)
{
	for (size_t i = 0; i < in->ncandidates; i++) {
		const struct loop_task *known = loop_find_task(&r->state, in->candidates[i].id);

		if (known == NULL || (!known->completed && !known->failed && !known->unlanded))
			return true;
	}
	return false;
}

bool
astray_look(struct astray *a, const struct loop_input *answer)
{
	struct running *r = a->view.of.run;

	if (a->n == 0 || loop_busy(&r->state) > 0 || (any_open(r, answer) && !r->fetch_looks) ||
	    !running_input_put_off(r, answer))
		return false;
	step_start(r, &(struct step_spec){
			  .session = "",
			  .what = "commits of this run",
			  .run = astray_look_run,
			  .done = astray_looked,
			  .arg = a,
		      });
	return true;
}
