/*
 * running.c - what the supervisor of a loop over a graph does besides: agents find their task
 * in RALPH_TASK, and the graph tells whether the task is done.
 */
#include "base/alloc.h"
#include "work/graph/graph_place.h"
#include "work/graph/graph_tickets.h"
#include "work/shared/given.h"

static int
graph_open_run(struct running *r, struct err *err UNUSED)
{
	if (r->source != NULL)
		running_keep(r);
	return 0;
}

static bool
closed(struct running *r, const char *session)
{
	const struct loop_session *one = loop_find_session(&r->state, session);

	return one != NULL && r->source != NULL &&
	       r->source->ops->closed(r->source, one->task, NULL);
}

/* Begins a session, whose agent finds its task in RALPH_TASK. */
static void
start(struct running *r, const struct effect *e)
{
	AUTO_BUF prompt = BUF_INIT;
	struct settings s = r->settings;
	AUTO_FREE char *task = xasprintf("RALPH_TASK=%s", e->task);
	struct err err = ERR_INIT;

	s.env = strlist_add(s.env == NULL ? NULL : strlist_dup(s.env), task);
	if (r->source->ops->brief(r->source, e->task, &prompt, &err) < 0)
		running_cannot_start(r, e, err.text);
	else
		running_begin(r, e, &(struct session_spec){.settings = &s, .prompt = &prompt});
	strlist_free(s.env);
}

const struct kind kind_graph = {
    .source = &source_graph,
    .stays = true,
    .paths = (const char *const[]){GRAPH_FILE, "logs", NULL},
    .files = GRAPH_TICKETS,
    .typed = "--pty --prompt-via paste",
    .voice = given_line,
    .views = given_views,
    .open = graph_open_run,
    .answer = given_answered,
    .facts = given_facts,
    .start = start,
    .closed = closed,
    .alive = given_beat,
    .beat = GIVEN_BEAT,
};
