/*
 * graph_source.c - the tasks of a graph, one after the other, each claimed for this loop alone.
 *
 * A task is claimed when the loop asks for one, by the process that asks.  The graph tells
 * whether the session completed the task (`closed`).  A failure is written into the claim: then
 * the task stays in progress, and the loop goes on with the next.  A task whose agent failed
 * for no fault of the task (a limit, a crash) is kept, and given to the next agent.  The claims
 * of a killed process are void.
 *
 * When a command gives out the tasks (settings.prompt_command), the command is asked for the
 * next task and claims it for us (graph_command.c); all the rest is the same.
 */
#include "supervisor/source.h"
#include "work/graph/graph_place.h"

#include "base/alloc.h"

/* How long to wait for the lock; then the loop asks again. */
#define LOOK_WAIT (200 * NSEC_PER_MSEC)

struct graph_source {
	struct source base;
	struct graph_place place;
	struct graph_offer offer; /* the task that was given out last */
	bool kept;		  /* no agent has begun that task, or the task goes on */
	struct graph_watch watch; /* watches all other tasks meanwhile */
	struct buf notes;
	struct buf told;      /* lines for an alert: what the watch found */
	char *failed, *why;   /* a failure that could not be written down yet; NULL */
	char *half;	      /* a task whose claim may not be in the graph yet; NULL */
	struct asking asking; /* `command` is NULL where we claim ourselves */
	answer_fn *answer;    /* belongs to the question that is open */
	void *ctx;
};

/* ---- verdicts ------------------------------------------------------------------------ */

static void
graph_source_note(struct graph_source *s, const char *what, const struct err *err)
{
	buf_addf(&s->notes, "%s: %s\n", what, err->text);
}

/* Writes a pending failure into its claim; false while the claim cannot be written. */
static bool
fail_now(struct graph_source *s, struct err *err)
{
	if (s->failed == NULL)
		return true;
	if (graph_fail(&s->place, s->failed, s->why, err) != CLAIM_CLAIMED)
		return false;
	free(take_ptr(s->failed));
	free(take_ptr(s->why));
	return true;
}

static void
graph_source_fail(struct graph_source *s, const char *task, const struct fact *ended)
{
	bool failed = ended->verdict == VERDICT_FAILED;
	AUTO_BUF why = BUF_INIT;
	struct err err = ERR_INIT;

	if (ended->verdict == VERDICT_NOT_CLOSED)
		buf_adds(
		    &why, "unfinished: its agent ended with exit code 0 without completing it");
	else if (failed && ended->exit.how == EXIT_UNKNOWN)
		buf_adds(&why, "failed: how its agent ended is not known");
	else if (failed)
		buf_addf(&why, "failed with exit code %d", exit_number(ended->exit));
	else
		buf_addf(&why, "failed (%s)", verdict_name(ended->verdict));
	buf_adds(&why, ", after ");
	clock_fmt_span(ended->duration, false, &why);
	s->failed = xstrdup(task);
	s->why = buf_detach(&why);
	s->place.wait = GRAPH_WAIT;
	if (!fail_now(s, &err))
		graph_source_note(s, "the failure is not written down yet", &err);
}

static void
graph_source_release(struct graph_source *s, const char *task)
{
	struct err err = ERR_INIT;

	s->place.wait = GRAPH_WAIT;
	if (graph_release_task(&s->place, task, &err) != CLAIM_CLAIMED)
		graph_source_note(s, "the task is not given back", &err);
}

static bool
is_unstarted(const struct fact *ended)
{
	return ended->verdict == VERDICT_FAILED && ended->exit.how == EXIT_NOSTART;
}

static void
graph_ended(struct source *source, const char *task, const struct fact *ended)
{
	struct graph_source *s = (struct graph_source *)source;
	struct err err = ERR_INIT;

	s->place.wait = GRAPH_WAIT;
	if (graph_watch_end(&s->place, &s->watch, &s->told, &err) < 0)
		graph_source_note(
		    s, "what the agent did to other tasks is looked at later", &err);
	if (verdict_is_success(ended->verdict) || ended->verdict == VERDICT_NONE)
		return;
	/* An agent that cannot be started says nothing about the task. */
	if (verdict_hold(ended->verdict) == HOLD_PERSON || is_unstarted(ended))
		graph_source_release(s, task);
	else if (verdict_cost(ended->verdict) == COST_ATTEMPT)
		graph_source_fail(s, task, ended);
	else
		s->kept = s->offer.id != NULL && strcmp(s->offer.id, task) == 0;
}

static void
graph_running(struct source *source, const char *task, pid_t agent)
{
	struct graph_source *s = (struct graph_source *)source;
	struct err err = ERR_INIT;

	s->place.wait = GRAPH_WAIT;
	if (graph_hand_over(&s->place, task, getpid(), agent, &err) != CLAIM_CLAIMED)
		graph_source_note(s, "the claim does not name its agent", &err);
}

static bool
graph_closed(struct source *source, const char *task, const char *top)
{
	struct graph_source *s = (struct graph_source *)source;
	const struct graph_task *t;
	struct err err = ERR_INIT;
	AUTO_GRAPH g;

	(void)top;
	if (graph_look(&s->place, &g, NULL, &err) != CLAIM_CLAIMED)
		graph_source_note(s, "whether the task is complete is not known", &err);
	t = graph_find(&g, task);
	return t != NULL && t->now == TASK_COMPLETE;
}

/* ---- tasks --------------------------------------------------------------------------- */

/* Adds to the answer what the watch found. */
static void
give_answer(struct graph_source *s, struct answer *a)
{
	AUTO_BUF gone = BUF_INIT;

	for (char **id = s->watch.gone; id != NULL && *id != NULL; id++)
		buf_addf(&gone, "%s%s", gone.len > 0 ? ", " : "", *id);
	a->others = gone.len > 0 ? gone.data : NULL;
	a->unchecked = gone.len > 0;
	if (s->told.len > 0) {
		for (char *p = s->told.data; (p = strchr(p, '\n')) != NULL; p++)
			*p = p[1] == '\0' ? '\0' : ';';
		a->alert = s->told.data;
	}
	s->answer(s->ctx, a);
	buf_clear(&s->told);
}

static void
graph_source_later(struct graph_source *s, const struct err *err)
{
	s->answer(s->ctx, &(struct answer){.kind = ANSWER_LATER, .text = err->text});
}

static void
give_task(struct graph_source *s, const char *id, const char *title)
{
	give_answer(s, &(struct answer){.kind = ANSWER_TASKS,
			   .candidates = &(struct candidate){.id = id, .title = title},
			   .ncandidates = 1});
}

static void
graph_source_give(struct graph_source *s)
{
	s->kept = true;
	give_task(s, s->offer.id, s->offer.title);
}

/* A claim that failed after a task was chosen may still have claimed the task.  The task is
 * ours then, and must not be taken for somebody else's when we ask again. */
static void
remember_half(struct graph_source *s, enum claim_result rc)
{
	bool failed = rc == CLAIM_IO_ERROR && s->offer.id != NULL;

	if (!failed && rc != CLAIM_CLAIMED && rc != CLAIM_BLOCKED && rc != CLAIM_ALL_COMPLETE)
		return;
	free(s->half);
	s->half = failed ? xstrdup(s->offer.id) : NULL;
}

/* Answers with the result of a claim. */
static void
answer_claim(struct graph_source *s, enum claim_result rc, struct err *err)
{
	struct answer none = {.kind = ANSWER_DONE, .text = err->text};

	buf_add(&s->notes, s->offer.notes.data, s->offer.notes.len);
	if (rc == CLAIM_CLAIMED) {
		graph_source_give(s);
		return;
	}
	if (rc != CLAIM_ALL_COMPLETE && rc != CLAIM_BLOCKED) {
		graph_source_later(s, err);
		return;
	}
	/* Tasks of other stories may be open. */
	if (rc == CLAIM_ALL_COMPLETE && s->place.story != NULL &&
	    strcmp(err->text, "all tasks complete") == 0)
		(void)err_set(err, "all tasks of story %s complete", s->place.story);
	none.reason = rc == CLAIM_ALL_COMPLETE ? END_NO_WORK
		      : s->offer.failed	       ? END_SOME_FAILED
					       : END_WAITING;
	give_answer(s, &none);
}

static void
graph_source_on_asked(void *ctx, const struct asked *asked)
{
	struct graph_source *s = ctx;
	struct err err = ERR_INIT;
	enum claim_result rc;

	s->place.wait = GRAPH_WAIT;
	rc = graph_command_take(&s->place, asked, getpid(), &s->offer, &err);
	if (rc == CLAIM_CLAIMED && s->watch.dir >= 0) {
		struct err why = ERR_INIT;

		if (graph_command_keep(s->watch.dir, &s->offer, &why) < 0)
			graph_source_note(s, "the prompt is not written down", &why);
	}
	answer_claim(s, rc, &err);
}

/* The command claims for this process; so every task that this process has claimed before was
 * never begun, and is given back. */
static void
ask_command(struct graph_source *s)
{
	struct err err = ERR_INIT;

	strlist_free(take_ptr(s->asking.env));
	s->asking.env = graph_command_env(&s->place, getpid());
	if (graph_command_clear(&s->place, getpid(), &err) != CLAIM_CLAIMED ||
	    asking_start(&s->asking, graph_source_on_asked, s, &err) < 0)
		graph_source_later(s, &err);
}

static void
graph_source_next(struct source *source, answer_fn *answer, void *ctx)
{
	struct graph_source *s = (struct graph_source *)source;
	struct err err = ERR_INIT;
	enum claim_result rc;

	s->answer = answer;
	s->ctx = ctx;
	s->place.wait = LOOK_WAIT;
	if ((s->watch.over && graph_watch_end(&s->place, &s->watch, &s->told, &err) < 0) ||
	    (!s->kept && !fail_now(s, &err))) {
		graph_source_later(s, &err);
		return;
	}
	if (s->kept) {
		graph_source_give(s);
		return;
	}
	graph_offer_release(&s->offer);
	if (s->asking.command != NULL) {
		ask_command(s);
		return;
	}
	rc = graph_claim(&s->place, &(struct graph_request){.owner = getpid(), .half = s->half},
	    &s->offer, &err);
	remember_half(s, rc);
	answer_claim(s, rc, &err);
}

/* Answers how the graph stands without claiming a task.  A graph that cannot be read now is not
 * known to be complete. */
static void
graph_source_look(struct source *source, answer_fn *answer, void *ctx)
{
	struct graph_source *s = (struct graph_source *)source;
	const struct graph_request request = {.owner = getpid()};
	enum claim_result rc;
	struct graph_task *t = NULL;
	struct err err = ERR_INIT, why = ERR_INIT;
	AUTO_GRAPH g;

	s->answer = answer;
	s->ctx = ctx;
	s->place.wait = LOOK_WAIT;
	if (s->watch.over && graph_watch_end(&s->place, &s->watch, &s->told, &why) < 0)
		graph_source_note(s, "what became of other tasks is not known", &why);
	if (!fail_now(s, &why))
		graph_source_note(s, "the failure is not written down yet", &why);
	graph_offer_release(&s->offer);
	rc = graph_look(&s->place, &g, NULL, &err);
	if (rc == CLAIM_CLAIMED) {
		rc = graph_choose(&s->place, &g, &request, &t, &err);
		s->offer.failed = graph_has_failed(&g, s->place.story);
	}
	if (rc == CLAIM_ALL_COMPLETE || rc == CLAIM_BLOCKED)
		answer_claim(s, rc, &err);
	else
		give_task(s, "(another task)", NULL);
}

/* Takes over a task that a dead supervisor had given out: the claim becomes ours, and the
 * prompt is made again, or is the prompt that the command printed then. */
static int
graph_source_take_over(struct graph_source *s, const char *task, struct err *err)
{
	AUTO_GRAPH g = {.text = BUF_INIT};
	struct graph_task *t;

	s->place.wait = GRAPH_WAIT;
	if (graph_hand_over(&s->place, task, getpid(), 0, err) != CLAIM_CLAIMED ||
	    graph_look(&s->place, &g, NULL, err) != CLAIM_CLAIMED)
		return -1;
	t = graph_find(&g, task);
	graph_offer_release(&s->offer);
	if (t == NULL)
		return err_set(err, "no task has the id %s any more", task);
	s->offer.id = xstrdup(t->id);
	s->offer.title = xstrdup(t->title);
	if (s->asking.command == NULL ||
	    !graph_command_kept(s->watch.dir, task, &s->offer.prompt))
		graph_prompt(&s->place, &g, t, &s->offer.prompt);
	return 0;
}

static int
graph_source_brief(struct source *source, const char *task, struct buf *prompt, struct err *err)
{
	struct graph_source *s = (struct graph_source *)source;

	if ((s->offer.id == NULL || strcmp(s->offer.id, task) != 0) &&
	    graph_source_take_over(s, task, err) < 0)
		return -1;
	buf_add(prompt, s->offer.prompt.data, s->offer.prompt.len);
	s->kept = false;
	graph_watch_begin(&s->place, &s->watch, task, &s->notes);
	return 0;
}

/* ---- life ---------------------------------------------------------------------------- */

static void
graph_notes(struct source *source, struct buf *out)
{
	struct graph_source *s = (struct graph_source *)source;

	buf_add(out, s->notes.data, s->notes.len);
	buf_clear(&s->notes);
}

static void
graph_source_close(struct source *source)
{
	struct graph_source *s = (struct graph_source *)source;
	struct err err = ERR_INIT;

	s->place.wait = GRAPH_WAIT;
	/* Marks the claimed task as failed; else its claim becomes void and the task is given
	 * out again. */
	(void)fail_now(s, &err);
	asking_stop(&s->asking);
	free(s->asking.command);
	free(s->asking.cwd);
	strlist_free(s->asking.env);
	graph_offer_release(&s->offer);
	graph_watch_release(&s->watch);
	buf_release(&s->notes);
	buf_release(&s->told);
	free(s->failed);
	free(s->why);
	free(s->half);
	graph_place_close(&s->place);
	free(s);
}

static void
graph_keep(struct source *source, int dir, char *const *tasks)
{
	struct graph_source *s = (struct graph_source *)source;

	graph_watch_keep(&s->watch, dir, tasks == NULL);
}

static struct source *
graph_source_open(struct ev *ev, const struct settings *settings, struct err *err)
{
	struct graph_source *s = xcalloc(1, sizeof(*s));

	s->base.ops = &source_graph;
	graph_offer_init(&s->offer);
	buf_init(&s->notes);
	buf_init(&s->told);
	s->watch.dir = -1;
	if (graph_place_open(&s->place, settings->root, err) < 0) {
		free(s);
		return NULL;
	}
	s->place.trigger = "ralph graph run";
	/* The story is that of the loop's beginning, not of the environment of the process that
	 * resumes the loop. */
	free(s->place.story);
	s->place.story = settings->story == NULL ? NULL : xstrdup(settings->story);
	if (settings->prompt_command != NULL)
		s->asking = (struct asking){.ev = ev,
		    .command = xstrdup(settings->prompt_command),
		    .cwd = xstrdup(s->place.root),
		    .timeout = settings->prompt_timeout};
	return &s->base;
}

const struct source_ops source_graph = {
    .name = "graph",
    .open = graph_source_open,
    .next = graph_source_next,
    .look = graph_source_look,
    .brief = graph_source_brief,
    .closed = graph_closed,
    .keep = graph_keep,
    .running = graph_running,
    .ended = graph_ended,
    .notes = graph_notes,
    .close = graph_source_close,
};
