/*
 * running.c - what a loop over a graph has besides: its log, its heartbeat, what its source has
 * to say.  A loop over the tasks that a command gives out (ralph run --prompt-command) is the
 * same loop, but for what only the graph knows.
 */
#include "supervisor/kind.h"

#include "base/alloc.h"
#include "base/clock.h"
#include "base/log.h"
#include "work/shared/task_log.h"

#define BEAT_EVERY (10 * NSEC_PER_SEC)

static int
open_given(struct running *r, struct err *err)
{
	r->own = layout_graph_open(&r->settings, err);
	return r->own == NULL ? -1 : 0;
}

static int
open_run(struct running *r, struct err *err)
{
	if (open_given(r, err) < 0)
		return -1;
	if (r->source != NULL)
		running_keep(r);
	return 0;
}

static void
close_run(struct running *r)
{
	layout_graph_free(r->own);
	r->own = NULL;
}

static void
beat(struct running *r)
{
	struct err err = ERR_INIT;

	if (r->own != NULL && layout_graph_beat(r->own, clock_wall(), &err) < 0)
		warning("%s: heartbeat: %s", r->spec->name, err.text);
}

static void
say_notes(struct running *r)
{
	AUTO_BUF notes = BUF_INIT;

	if (r->source == NULL || r->source->ops->notes == NULL)
		return;
	r->source->ops->notes(r->source, &notes);
	warning_lines(notes.data);
}

/* Every iteration begins with an answer.  That the graph cannot be read is no sign of life. */
static void
answered(struct running *r, const struct answer *a)
{
	if (a->kind != ANSWER_LATER)
		beat(r);
	say_notes(r);
}

static void
facts(struct running *r, const struct decision *d)
{
	layout_graph_facts(r->own, d->facts, d->nfacts, &r->state);
	say_notes(r);
}

static void
tidy(struct running *r)
{
	struct err err = ERR_INIT;

	/* The start may have failed before there was a log. */
	if (r->own == NULL || layout_graph_log(r->own, &err) == 0)
		return;
	warning("%s: log: %s", r->spec->name, err.text);
	/* There is no next time. */
	if (r->leaving)
		(void)!layout_graph_log(r->own, NULL);
}

static bool
closed(struct running *r, const char *session)
{
	const struct loop_session *one = loop_find_session(&r->state, session);

	return one != NULL && r->source != NULL &&
	       r->source->ops->closed(r->source, one->task, NULL);
}

/* The agent is told which task it has. */
static void
start(struct running *r, const struct effect *e)
{
	struct source_work work = {.prompt = BUF_INIT};
	struct settings s = r->settings;
	AUTO_FREE char *task = xasprintf("RALPH_TASK=%s", e->task);
	struct err err = ERR_INIT;

	s.env = strlist_add(s.env == NULL ? NULL : strlist_dup(s.env), task);
	if (r->source->ops->work(r->source, e->task, &work, &err) < 0)
		running_cannot_start(r, e, err.text);
	else
		running_begin(
		    r, e, &(struct session_spec){.settings = &s, .prompt = &work.prompt});
	source_work_release(&work);
	strlist_free(s.env);
}

const struct kind kind_graph = {
    .source = "graph",
    .stays = true,
    .voice = console_graph_line,
    .open = open_run,
    .answer = answered,
    .facts = facts,
    .tidy = tidy,
    .start = start,
    .closed = closed,
    .alive = beat,
    .beat = BEAT_EVERY,
    .close = close_run,
};

const struct kind kind_command = {
    .source = "command",
    .stays = true,
    .voice = console_graph_line,
    .open = open_given,
    .answer = answered,
    .facts = facts,
    .tidy = tidy,
    .alive = beat,
    .beat = BEAT_EVERY,
    .close = close_run,
};
