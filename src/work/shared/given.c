#include "work/shared/given.h"

#include "base/alloc.h"
#include "base/log.h"
#include "work/shared/task_log.h"

int
given_open(struct running *r, struct err *err)
{
	r->own = layout_graph_open(&r->settings, err);
	return r->own == NULL ? -1 : 0;
}

void
given_close(struct running *r)
{
	layout_graph_free(r->own);
	r->own = NULL;
}

void
given_beat(struct running *r)
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

/* Every iteration begins with an answer; but an answer that the graph cannot be read is no sign
 * of life. */
void
given_answered(struct running *r, const struct answer *a)
{
	if (a->kind != ANSWER_LATER)
		given_beat(r);
	say_notes(r);
}

void
given_facts(struct running *r, const struct decision *d)
{
	layout_graph_facts(r->own, d->facts, d->nfacts, &r->state);
	say_notes(r);
}

void
given_tidy(struct running *r)
{
	struct err err = ERR_INIT;

	/* The start may have failed before there was a log. */
	if (r->own == NULL || layout_graph_log(r->own, &err) == 0)
		return;
	warning("%s: log: %s", r->spec->name, err.text);
	/* A loop that leaves tries once more, since no later call follows. */
	if (r->leaving)
		(void)!layout_graph_log(r->own, NULL);
}
