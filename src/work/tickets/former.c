#include "work/tickets/former.h"

#include "loops/differences.h"
#include "work/tickets/project.h"

#include "base/alloc.h"
#include "base/text.h"

/* ---- finding the run ----------------------------------------------------------------- */

/* Opens the loop that the run names, if that is its loop: another loop may have the name by
 * now, and a run that another program began has kept its own runId. */
static bool
loop_of(const struct tickets_run *run, struct loop_view *v)
{
	const char *named;

	if (run->loop == NULL || loop_view_open(v, run->loop, NULL) < 0)
		return false;
	named = v->settings.run_id;
	if (tickets_run_is(v->state.uid, run->run_id) ||
	    (named != NULL && strcmp(named, run->run_id) == 0))
		return true;
	loop_view_close(v);
	return false;
}

bool
former_view(const char *root, struct loop_view *v)
{
	struct tickets_run run;
	bool there = tickets_run_look(root, &run) && loop_of(&run, v);

	tickets_run_release(&run);
	return there;
}

static void
look_at_loop(struct former *f)
{
	struct loop_view view;

	if (!loop_of(&f->run, &view))
		return;
	f->resumes = loop_can_resume(&view.state);
	f->paused = f->resumes && view.state.wanted == WANT_PAUSE;
	if (f->resumes)
		f->worker = strlist_dup(view.settings.command);
	loop_view_close(&view);
}

static int
former_refuse_if_agents_live(const struct former *f, const char *root, struct err *err)
{
	AUTO_BUF who = BUF_INIT;
	int rc = tickets_run_lives(root, &who, err);

	if (rc <= 0)
		return rc;
	if (f->resumes)
		return err_set(err,
		    "an agent of the run that is there still works on %s; go on with it: ralph "
		    "loop; end it: ralph stop %s",
		    who.data, f->run.loop);
	return err_set(err,
	    "an agent of an earlier run still works on %s; what it "
	    "does would be mixed up with ours",
	    who.data);
}

int
former_find(const char *root, bool fresh, struct former *f, struct buf *notes, struct err *err)
{
	AUTO_BUF who = BUF_INIT;
	int rc = project_busy(root, &who, err);

	*f = (struct former){.there = false};
	if (rc > 0)
		return err_set(err, "another loop is active in this project: %s", who.data);
	if (rc == 0)
		rc = tickets_run_load(root, &f->run, notes, err);
	if (rc < 0)
		return -1;
	f->there = rc == 1;
	if (f->there)
		look_at_loop(f);
	if (f->resumes && !fresh)
		return 0;
	if (former_refuse_if_agents_live(f, root, err) < 0)
		return -1;
	if (!fresh || !f->there)
		return 0;
	former_release(f);
	return tickets_run_discard(root, err);
}

void
former_release(struct former *f)
{
	tickets_run_release(&f->run);
	strlist_free(f->worker);
	*f = (struct former){.there = false};
}

/* ---- what the run goes on with ------------------------------------------------------- */

/* Settings of the worker: a user who named no worker did not ask for another one. */
#define OF_WORKER "command|mode|prompt_file|prompt_via"
/* Settings that are not compared: the first two are told by other sentences, with their values;
 * no user says the rest, which was seen when the run began, or is text of ours that differs
 * between versions. */
#define TOLD_APART "max_iterations|parallel|outside|links_known|postscript"

static const char *
former_said(const char *field, size_t offset, const void *ctx)
{
	const bool *worker = ctx;

	(void)offset;
	/* "run_": taken over from another program's run. */
	if (text_choice(TOLD_APART, field) >= 0 || strncmp(field, "run_", 4) == 0 ||
	    (!*worker && text_choice(OF_WORKER, field) >= 0))
		return NULL;
	return strcmp(field, "command") == 0 ? "worker" : field;
}

void
former_differences(
    const struct former *f, const struct settings *now, bool worker, struct buf *out)
{
	struct loop_view view;

	if (!f->resumes || loop_view_open(&view, f->run.loop, NULL) < 0)
		return;
	differences_find(&view.settings, now, former_said, &worker, out);
	loop_view_close(&view);
}
